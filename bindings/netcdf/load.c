/* From a store to the data model: groups, variables, and the dimensions that they share. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Attributes of a group for what Zarr does not say: the dimensions that no array shows, or that are
 * unlimited (size 0). Two lists of one length. */
const char zn_dim_names[] = "_NETCDF_DIMENSIONS";
const char zn_dim_sizes[] = "_NETCDF_DIMENSION_SIZES";

bool zn_hidden(const char *name) {
  static const char *const names[] = {"_ARRAY_DIMENSIONS", "_NCProperties", zn_dim_names,
                                      zn_dim_sizes};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return strncmp(name, "_nczarr", 7) == 0 || strncmp(name, "_NCZARR", 7) == 0;
}

static int load_recorded_dims(zn_group *group) {
  zarrc_error err;
  zarrc_attribute_kind kind;
  const zarrc_attributes *from = zarrc_group_attributes(group->handle);
  size_t names = 0, sizes = 0;
  int status = NC_NOERR;
  if (!from || zarrc_attributes_kind(from, zn_dim_names, &kind, &names, &err) != ZARRC_OK ||
      (kind != ZARRC_ATTRIBUTE_STRINGS && kind != ZARRC_ATTRIBUTE_STRING))
    return NC_NOERR;
  int64_t *lengths = names > 1 << 20 ? NULL : calloc(names + 1, sizeof *lengths);
  if (!lengths)
    return NC_ENOMEM;
  if (zarrc_attributes_get_int64s(from, zn_dim_sizes, names, lengths, &sizes, &err) != ZARRC_OK ||
      sizes != names)
    status = zn_fail(NC_ENOTNC, "group \"%s\": attributes %s and %s disagree", group->path,
                     zn_dim_names, zn_dim_sizes);
  for (size_t i = 0; i < names && !status; i++) {
    char *name = NULL;
    zn_dim *dim;
    if (zarrc_attributes_get_string_at(from, zn_dim_names, i, &name, &err) != ZARRC_OK)
      status = zn_status(&err);
    else if (lengths[i] < 0)
      status = zn_fail(NC_EDIMSIZE, "group \"%s\": dimension \"%s\" has a negative size",
                       group->path, name);
    else
      status = zn_add_dim(group, name, (size_t)lengths[i], lengths[i] == 0, &dim);
    zarrc_string_free(name);
  }
  free(lengths);
  return status;
}

static bool has_dim(const zn_var *var, int before, const zn_dim *dim) {
  for (int i = 0; i < before; i++)
    if (var->dims[i] == dim->id)
      return true;
  return false;
}

/* The dimension of an array: the one of that name and length that the group sees. Where another
 * array has the name with another length, one of a name of its own. */
static int load_dim(zn_group *group, zn_var *var, int axis, const char *name, uint64_t length) {
  char made[NC_MAX_NAME + 1];
  zn_dim *dim = NULL;
  bool named = name && *name && strlen(name) <= NC_MAX_NAME && !strchr(name, '/');
  if (named) {
    dim = zn_dim_named(group, name);
    if (dim && dim->unlimited && !has_dim(var, axis, dim)) {
      if (dim->length < length)
        dim->length = (size_t)length;
    } else if (dim && dim->length != length) {
      if (dim->group == group || has_dim(var, axis, dim)) {
        named = false;
        snprintf(made, sizeof made, "%.200s_%llu", name, (unsigned long long)length);
      }
      dim = NULL;
    }
  } else {
    snprintf(made, sizeof made, "_Anonymous_Dim_%llu", (unsigned long long)length);
  }
  while (!named && (dim = zn_dim_named(group, made)) && dim->length != length) {
    if (strlen(made) == NC_MAX_NAME)
      return NC_EMAXNAME;
    strcat(made, "_"); /* taken: one more mark */
  }
  if (!dim) {
    int status = zn_add_dim(group, named ? name : made, (size_t)length, false, &dim);
    if (status)
      return status;
  }
  dim->placed = true;
  var->dims[axis] = dim->id;
  return NC_NOERR;
}

static int load_array(zn_file *file, zn_group *group, const char *name, const char *path) {
  zarrc_error err;
  zarrc_array *array = NULL;
  zn_var *var;
  if (zarrc_array_open(file->store, path, &array, &err) != ZARRC_OK)
    return zn_status(&err);
  size_t rank = zarrc_array_rank(array);
  int status = zn_add_var(group, name, (int)rank, &var);
  if (status) {
    zarrc_array_close(array, &err);
    return status;
  }
  var->array = array;
  if (zarrc_array_shape(array, rank, var->extent, &err) != ZARRC_OK)
    return zn_status(&err);
  status = zn_type_of_array(array, var);
  for (size_t axis = 0; axis < rank && !status; axis++) {
    const char *dim = NULL;
    if (zarrc_array_dimension_name(array, axis, &dim, &err) != ZARRC_OK)
      status = zn_status(&err);
    else
      status = load_dim(group, var, (int)axis, dim, var->extent[axis]);
  }
  if (!status && var->kind == ZN_PARTS) {
    char made[32] = "complex"; /* as nc-complex knows it */
    if (var->type == NC_UBYTE)
      snprintf(made, sizeof made, "bytes_%zu", var->parts);
    var->extent[var->rank++] = var->parts;
    status = load_dim(group, var, (int)rank, made, var->parts);
  }
  return status;
}

/* Returns the group that contains a listed path, and the last part of the path. */
static zn_group *parent_of(zn_file *file, const char *path, const char **name) {
  const char *slash = strrchr(path, '/');
  *name = slash ? slash + 1 : path;
  size_t length = slash ? (size_t)(slash - path) : 0;
  for (int i = file->groups.count; i-- > 0;) { /* the last ones are the likely ones */
    zn_group *group = file->groups.items[i];
    if (strlen(group->path) == length && strncmp(group->path, path, length) == 0)
      return group;
  }
  return NULL;
}

static int load_group(zn_file *file, zn_group *parent, const char *name) {
  zarrc_error err;
  zn_group *group;
  int status = zn_add_group(file, parent, name, &group);
  if (!status && zarrc_group_open(file->store, group->path, &group->handle, &err) != ZARRC_OK)
    status = zn_status(&err);
  return status ? status : load_recorded_dims(group);
}

/* A store whose root is an array: a file of one variable, named by the end of its URL. */
static int load_root_array(zn_file *file, const char *url) {
  char name[NC_MAX_NAME + 1];
  zn_group *root;
  size_t end = strlen(url);
  while (end > 0 && strchr("/:|", url[end - 1]))
    end--;
  size_t start = end;
  while (start > 0 && !strchr("/:|", url[start - 1]))
    start--;
  snprintf(name, sizeof name, "%.*s", (int)(end - start < 200 ? end - start : 200), url + start);
  char *suffix = strstr(name, ".zarr");
  if (suffix && suffix != name)
    *suffix = 0;
  int status = zn_add_group(file, NULL, "/", &root);
  return status ? status : load_array(file, root, *name ? name : "data", "");
}

int zn_load(zn_file *file, const char *url) {
  zarrc_error err;
  zarrc_node_kind kind;
  if (zarrc_node_kind_at(file->store, "", &kind, &err) != ZARRC_OK)
    return zn_status(&err);
  if (kind == ZARRC_NODE_ARRAY)
    return load_root_array(file, url);
  int status = load_group(file, NULL, "/");
  if (status)
    return status;
  zarrc_listing *listing = NULL;
  zn_group *root = file->groups.items[0];
  if (zarrc_group_list(root->handle, true, &listing, &err) != ZARRC_OK)
    return zn_status(&err);
  size_t count = zarrc_listing_count(listing);
  for (size_t pass = 0; pass < 2; pass++) /* groups, then arrays, which look dimensions up */
    for (size_t i = 0; i < count && !status; i++) {
      const char *path = zarrc_listing_path(listing, i), *name;
      kind = zarrc_listing_kind(listing, i);
      if ((kind == ZARRC_NODE_GROUP) != (pass == 0))
        continue;
      zn_group *parent = parent_of(file, path, &name);
      if (!parent || strlen(name) > NC_MAX_NAME)
        status = zn_fail(NC_ENOTNC, "node \"%s\" has no group above it, or too long a name", path);
      else if (pass == 0)
        status = load_group(file, parent, name);
      else
        status = load_array(file, parent, name, path);
    }
  zarrc_listing_free(listing);
  return status;
}

int zn_refresh(zn_file *file) {
  zarrc_error err;
  for (int g = 0; g < file->groups.count; g++) {
    zn_group *group = file->groups.items[g];
    for (int i = 0; i < group->vars.count; i++) {
      zn_var *var = group->vars.items[i];
      if (zarrc_array_refresh(var->array, &err) != ZARRC_OK ||
          zarrc_array_shape(var->array, var->array_rank, var->extent, &err) != ZARRC_OK)
        return zn_status(&err);
      for (int axis = 0; axis < var->rank; axis++) {
        zn_dim *dim = file->dims.items[var->dims[axis]];
        if (dim->unlimited && dim->length < var->extent[axis])
          dim->length = (size_t)var->extent[axis];
      }
    }
  }
  return NC_NOERR;
}
