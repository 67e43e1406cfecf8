/* Define mode: describes new dimensions, groups and variables. */
#include "dispatch.h"
#include "internal.h"

#include <stdlib.h>
#include <string.h>

static int find_to_change(int ncid, zn_file **file, zn_group **group) {
  int status = zn_find(ncid, file, group);
  return status ? status : (*file)->writable ? NC_NOERR : NC_EPERM;
}

/* A variable whose array is not created yet. */
static int find_new_var(int ncid, int varid, zn_file **file, zn_var **var) {
  int status = zn_find_var(ncid, varid, file, var);
  if (status)
    return status;
  if (!(*file)->writable)
    return NC_EPERM;
  return (*var)->array ? zn_fail(NC_ELATEDEF, "variable %s is in the store already", (*var)->name)
                       : NC_NOERR;
}

int zn_def_dim(int ncid, const char *name, size_t length, int *id) {
  zn_file *file;
  zn_group *group;
  zn_dim *dim;
  int status = find_to_change(ncid, &file, &group);
  if (!status)
    status = zn_check_name(NULL, name);
  if (status)
    return status;
  dim = zn_dim_named(group, name);
  if (dim && dim->group == group)
    return NC_ENAMEINUSE;
  status = zn_add_dim(group, name, length, length == NC_UNLIMITED, &dim);
  if (status)
    return status;
  group->dims_changed = true;
  if (id)
    *id = dim->id;
  return NC_NOERR;
}

int zn_rename_dim(int ncid, int id, const char *name) {
  zn_file *file;
  zn_group *group;
  int status = find_to_change(ncid, &file, &group);
  if (!status)
    status = zn_check_name(NULL, name);
  if (status)
    return status;
  if (id < 0 || id >= file->dims.count)
    return NC_EBADDIM;
  zn_dim *dim = file->dims.items[id], *other = zn_dim_named(dim->group, name);
  if (other && other->group == dim->group)
    return NC_ENAMEINUSE;
  if (dim->placed)
    return zn_fail(NC_EPERM, "dimension %s: its name stands in arrays of the store", dim->name);
  char *copy = strdup(name);
  if (!copy)
    return NC_ENOMEM;
  free(dim->name);
  dim->name = copy;
  dim->group->dims_changed = true;
  return NC_NOERR;
}

int zn_def_grp(int ncid, const char *name, int *id) {
  zn_file *file;
  zn_group *parent, *group;
  zarrc_error err;
  int status = find_to_change(ncid, &file, &parent);
  if (!status)
    status = zn_check_name(parent, name);
  if (status)
    return status;
  if (file->groups.count > 0xFFFF)
    return NC_EMAXNAME;
  char *path = zn_join(parent->path, name);
  zarrc_group *handle = NULL;
  if (!path)
    return NC_ENOMEM;
  if (zarrc_group_create(file->store, path, ZARRC_FORMAT_ANY, &handle, &err) != ZARRC_OK)
    status = zn_status(&err);
  free(path);
  if (status)
    return status;
  status = zn_add_group(file, parent, name, &group);
  if (status) {
    zarrc_group_close(handle, &err);
    return status;
  }
  group->handle = handle;
  if (id)
    *id = file->ncid | group->id;
  return NC_NOERR;
}

int zn_def_var(int ncid, const char *name, nc_type type, int rank, const int *dims, int *id) {
  zn_file *file;
  zn_group *group;
  zn_var *var;
  int status = find_to_change(ncid, &file, &group);
  if (!status)
    status = zn_check_name(group, name);
  if (status)
    return status;
  if (rank < 0 || rank > 255 || (rank && !dims)) /* Zarr's limit is that of zarrc */
    return rank > 255 ? NC_EMAXDIMS : NC_EINVAL;
  for (int i = 0; i < rank; i++)
    if (dims[i] < 0 || dims[i] >= file->dims.count)
      return NC_EBADDIM;
  if (!zn_type_name(type))
    return zn_fail(NC_EBADTYPE, "variable %s: Zarr takes netCDF's own types only", name);
  status = zn_add_var(group, name, rank, &var);
  if (status)
    return status;
  zn_set_type(var, type);
  for (int i = 0; i < rank; i++) {
    zn_dim *dim = file->dims.items[dims[i]];
    var->dims[i] = dims[i];
    var->extent[i] = dim->length;
  }
  var->no_fill = file->no_fill;
  if (id)
    *id = var->id;
  return NC_NOERR;
}

int zn_rename_var(int ncid, int varid, const char *name) {
  zn_file *file;
  zn_var *var;
  zarrc_error err;
  int status = zn_find_var(ncid, varid, &file, &var);
  if (!status && !file->writable)
    status = NC_EPERM;
  if (!status)
    status = zn_check_name(var->group, name);
  if (status)
    return status;
  char *copy = strdup(name);
  if (!copy)
    return NC_ENOMEM;
  if (var->array) {
    char *from = zn_join(var->group->path, var->name), *to = zn_join(var->group->path, name);
    zarrc_array *moved = NULL;
    if (!from || !to)
      status = NC_ENOMEM;
    else if (zarrc_array_flush(var->array, &err) != ZARRC_OK ||
             zarrc_node_move(file->store, from, to, &err) != ZARRC_OK ||
             zarrc_array_open(file->store, to, &moved, &err) != ZARRC_OK)
      status = zn_status(&err);
    if (moved) {
      zarrc_array_close(var->array, &err);
      var->array = moved;
    }
    free(from);
    free(to);
  }
  if (status) {
    free(copy);
    return status;
  }
  free(var->name);
  var->name = copy;
  return NC_NOERR;
}

int zn_def_var_fill(int ncid, int varid, int no_fill, const void *fill) {
  zn_file *file;
  zn_var *var;
  int status = find_new_var(ncid, varid, &file, &var);
  if (status)
    return status;
  var->no_fill = no_fill != 0;
  if (no_fill || !fill)
    return NC_NOERR;
  if (var->type == NC_STRING) /* strings that were never written are empty */
    return NC_NOERR;
  return zn_put_att(ncid, varid, "_FillValue", var->type, 1, fill, var->type);
}

int zn_def_var_deflate(int ncid, int varid, int shuffle, int deflate, int level) {
  zn_file *file;
  zn_var *var;
  int status = find_new_var(ncid, varid, &file, &var);
  if (status)
    return status;
  if (deflate && (level < 0 || level > 9))
    return NC_EINVAL;
  var->shuffle = shuffle != 0;
  var->deflate = deflate ? level : -1;
  return NC_NOERR;
}

int zn_def_var_filter(int ncid, int varid, unsigned id, size_t count, const unsigned *parameters) {
  zn_file *file;
  zn_var *var;
  int status = find_new_var(ncid, varid, &file, &var);
  if (status)
    return status;
  if (count > 0 && !parameters)
    return NC_EINVAL;
  if (id == 1)
    return zn_def_var_deflate(ncid, varid, var->shuffle, 1, count ? (int)parameters[0] : 5);
  if (id != ZN_FILTER_ZSTD)
    return zn_fail(NC_ENOFILTER, "variable %s: filter %u: expected deflate (1) or zstd (%d)",
                   var->name, id, ZN_FILTER_ZSTD);
  var->zstd = count ? (int)parameters[0] : 3;
  return NC_NOERR;
}

int zn_def_var_fletcher32(int ncid, int varid, int fletcher32) {
  zn_file *file;
  zn_var *var;
  int status = find_new_var(ncid, varid, &file, &var);
  if (!status)
    var->checksum = fletcher32 != 0;
  return status;
}

int zn_def_var_chunking(int ncid, int varid, int storage, const size_t *chunks) {
  zn_file *file;
  zn_var *var;
  int status = find_new_var(ncid, varid, &file, &var);
  if (status)
    return status;
  free(var->chunks);
  var->chunks = NULL;
  if (storage != NC_CHUNKED || !chunks || var->rank == 0)
    return NC_NOERR; /* Zarr is always chunked: the default shape */
  for (int i = 0; i < var->rank; i++) {
    zn_dim *dim = file->dims.items[var->dims[i]];
    if (chunks[i] == 0 || (!dim->unlimited && dim->length && chunks[i] > dim->length))
      return NC_EBADCHUNK;
  }
  var->chunks = malloc((size_t)var->rank * sizeof *chunks);
  if (!var->chunks)
    return NC_ENOMEM;
  memcpy(var->chunks, chunks, (size_t)var->rank * sizeof *chunks);
  return NC_NOERR;
}

int zn_def_var_endian(int ncid, int varid, int endian) {
  zn_file *file;
  zn_var *var;
  int status = find_new_var(ncid, varid, &file, &var);
  if (!status)
    var->big_endian = endian == NC_ENDIAN_BIG;
  return status;
}
