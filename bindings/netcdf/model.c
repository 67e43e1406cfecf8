/* The data model in memory: files by ncid, their groups, dimensions and variables. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* netCDF-C keeps the file in the upper 16 bits of an ncid, the lower ones are the format's. */
#define FILE_OF(ncid) ((unsigned)(ncid) >> 16)
#define GROUP_OF(ncid) ((ncid) & 0xFFFF)

static zn_file *files[1 << 16];

int zn_push(zn_list *list, void *item) {
  if (list->count == list->room) {
    int room = list->room ? 2 * list->room : 8;
    void **items = room > 1 << 24 ? NULL : realloc(list->items, (size_t)room * sizeof *items);
    if (!items)
      return NC_ENOMEM;
    list->items = items;
    list->room = room;
  }
  list->items[list->count++] = item;
  return NC_NOERR;
}

char *zn_join(const char *path, const char *name) {
  size_t size = strlen(path) + strlen(name) + 2;
  char *joined = malloc(size);
  if (joined)
    snprintf(joined, size, "%s%s%s", path, *path ? "/" : "", name);
  return joined;
}

int zn_register_file(zn_file *file) {
  zn_file **place = &files[FILE_OF(file->ncid)];
  if (*place)
    return NC_EBADID;
  *place = file;
  return NC_NOERR;
}

int zn_find(int ncid, zn_file **file, zn_group **group) {
  zn_file *found = files[FILE_OF(ncid)];
  if (!found)
    return NC_EBADID;
  if (GROUP_OF(ncid) >= found->groups.count)
    return NC_EBADGRPID;
  if (file)
    *file = found;
  if (group)
    *group = found->groups.items[GROUP_OF(ncid)];
  return NC_NOERR;
}

int zn_find_var(int ncid, int varid, zn_file **file, zn_var **var) {
  zn_group *group;
  int status = zn_find(ncid, file, &group);
  if (status)
    return status;
  if (varid < 0 || varid >= group->vars.count)
    return NC_ENOTVAR;
  *var = group->vars.items[varid];
  return NC_NOERR;
}

zn_dim *zn_dim_named(zn_group *group, const char *name) {
  for (; group; group = group->parent)
    for (int i = 0; i < group->dims.count; i++) {
      zn_dim *dim = group->dims.items[i];
      if (strcmp(dim->name, name) == 0)
        return dim;
    }
  return NULL;
}

int zn_add_dim(zn_group *group, const char *name, size_t length, bool unlimited, zn_dim **added) {
  zn_dim *dim = calloc(1, sizeof *dim);
  if (!dim)
    return NC_ENOMEM;
  dim->name = strdup(name);
  dim->length = length;
  dim->unlimited = unlimited;
  dim->id = group->file->dims.count;
  dim->group = group;
  if (!dim->name || zn_push(&group->file->dims, dim)) {
    free(dim->name);
    free(dim);
    return NC_ENOMEM;
  }
  *added = dim;
  return zn_push(&group->dims, dim);
}

int zn_add_group(zn_file *file, zn_group *parent, const char *name, zn_group **added) {
  if (file->groups.count > 0xFFFF)
    return zn_fail(NC_EMAXNAME, "a netCDF file has at most 65536 groups, this store has more");
  zn_group *group = calloc(1, sizeof *group);
  if (!group)
    return NC_ENOMEM;
  group->name = strdup(name);
  group->path = parent ? zn_join(parent->path, name) : strdup("");
  group->id = file->groups.count;
  group->parent = parent;
  group->file = file;
  if (!group->name || !group->path || zn_push(&file->groups, group)) {
    free(group->name);
    free(group->path);
    free(group);
    return NC_ENOMEM;
  }
  *added = group;
  return parent ? zn_push(&parent->groups, group) : NC_NOERR;
}

static void free_var(zn_var *var) {
  zarrc_error ignored;
  if (!var)
    return;
  zarrc_array_close(var->array, &ignored);
  zn_free_attributes(&var->attributes);
  free(var->name);
  free(var->dims);
  free(var->extent);
  free(var->chunks);
  free(var);
}

int zn_add_var(zn_group *group, const char *name, int rank, zn_var **added) {
  zn_var *var = calloc(1, sizeof *var);
  if (!var)
    return NC_ENOMEM;
  size_t room = (size_t)rank + 1; /* one for a dimension of parts */
  var->name = strdup(name);
  var->dims = calloc(room, sizeof *var->dims);
  var->extent = calloc(room, sizeof *var->extent);
  var->group = group;
  var->id = group->vars.count;
  var->rank = rank;
  var->array_rank = (size_t)rank;
  var->deflate = var->zstd = -1;
  if (!var->name || !var->dims || !var->extent || zn_push(&group->vars, var)) {
    free_var(var);
    return NC_ENOMEM;
  }
  *added = var;
  return NC_NOERR;
}

int zn_check_name(zn_group *group, const char *name) {
  if (!name || !*name)
    return NC_EBADNAME;
  if (strlen(name) > NC_MAX_NAME)
    return NC_EMAXNAME;
  if (strchr(name, '/'))
    return zn_fail(NC_EBADNAME, "name \"%s\": netCDF names have no slash", name);
  for (int i = 0; group && i < group->vars.count; i++)
    if (strcmp(((zn_var *)group->vars.items[i])->name, name) == 0)
      return NC_ENAMEINUSE;
  for (int i = 0; group && i < group->groups.count; i++)
    if (strcmp(((zn_group *)group->groups.items[i])->name, name) == 0)
      return NC_ENAMEINUSE;
  return NC_NOERR;
}

static void free_group(zn_group *group) {
  zarrc_error ignored;
  for (int i = 0; i < group->vars.count; i++)
    free_var(group->vars.items[i]);
  zn_free_attributes(&group->attributes);
  zarrc_group_close(group->handle, &ignored);
  free(group->groups.items);
  free(group->dims.items);
  free(group->vars.items);
  free(group->name);
  free(group->path);
  free(group);
}

void zn_free_file(zn_file *file) {
  if (files[FILE_OF(file->ncid)] == file)
    files[FILE_OF(file->ncid)] = NULL;
  for (int i = 0; i < file->groups.count; i++)
    free_group(file->groups.items[i]);
  for (int i = 0; i < file->dims.count; i++) {
    free(((zn_dim *)file->dims.items[i])->name);
    free(file->dims.items[i]);
  }
  free(file->groups.items);
  free(file->dims.items);
  free(file);
}
