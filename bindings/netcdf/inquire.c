/* Questions about the data model. */
#include "dispatch.h"
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIND_GROUP                                                                                 \
  zn_file *file;                                                                                   \
  zn_group *group;                                                                                 \
  int status = zn_find(ncid, &file, &group);                                                       \
  if (status)                                                                                      \
  return status

static void copy_name(char *to, const char *name) {
  if (to)
    snprintf(to, NC_MAX_NAME + 1, "%s", name);
}

static int ncid_of(const zn_group *group) { return group->file->ncid | group->id; }

/* ---- the file ---- */

int zn_inq_format(int ncid, int *format) {
  FIND_GROUP;
  if (format)
    *format = NC_FORMAT_NETCDF4;
  return NC_NOERR;
}

int zn_inq_format_extended(int ncid, int *format, int *mode) {
  FIND_GROUP;
  if (format)
    *format = NC_FORMATX_UDF0;
  if (mode)
    *mode = NC_NETCDF4 | (file->writable ? NC_WRITE : 0);
  return NC_NOERR;
}

int zn_show_metadata(int ncid) {
  FIND_GROUP;
  return NC_NOERR;
}

int zn_inq(int ncid, int *dims, int *vars, int *attributes, int *unlimited) {
  FIND_GROUP;
  if (dims)
    *dims = group->dims.count;
  if (vars)
    *vars = group->vars.count;
  if (attributes && (status = zn_natts(ncid, NC_GLOBAL, attributes)))
    return status;
  return zn_inq_unlimdim(ncid, unlimited);
}

/* ---- dimensions ---- */

int zn_inq_dimid(int ncid, const char *name, int *id) {
  FIND_GROUP;
  zn_dim *dim = name ? zn_dim_named(group, name) : NULL;
  if (!dim)
    return NC_EBADDIM;
  if (id)
    *id = dim->id;
  return NC_NOERR;
}

int zn_inq_dim(int ncid, int id, char *name, size_t *length) {
  FIND_GROUP;
  if (id < 0 || id >= file->dims.count)
    return NC_EBADDIM;
  zn_dim *dim = file->dims.items[id];
  copy_name(name, dim->name);
  if (length)
    *length = dim->length;
  return NC_NOERR;
}

int zn_inq_unlimdim(int ncid, int *id) {
  FIND_GROUP;
  if (!id)
    return NC_NOERR;
  for (*id = -1; group; group = group->parent)
    for (int i = 0; i < group->dims.count; i++)
      if (((zn_dim *)group->dims.items[i])->unlimited) {
        *id = ((zn_dim *)group->dims.items[i])->id;
        return NC_NOERR;
      }
  return NC_NOERR;
}

int zn_inq_unlimdims(int ncid, int *count, int *ids) {
  FIND_GROUP;
  int found = 0;
  for (int i = 0; i < group->dims.count; i++) {
    zn_dim *dim = group->dims.items[i];
    if (dim->unlimited && ids)
      ids[found] = dim->id;
    found += dim->unlimited;
  }
  if (count)
    *count = found;
  return NC_NOERR;
}

int zn_inq_dimids(int ncid, int *count, int *ids, int parents) {
  FIND_GROUP;
  int found = 0;
  for (int id = 0; id < file->dims.count; id++) {
    zn_dim *dim = file->dims.items[id];
    const zn_group *at = group;
    while (parents && at && at != dim->group)
      at = at->parent;
    if (at != dim->group)
      continue;
    if (ids)
      ids[found] = id;
    found++;
  }
  if (count)
    *count = found;
  return NC_NOERR;
}

/* ---- groups ---- */

int zn_inq_ncid(int ncid, const char *name, int *found) {
  FIND_GROUP;
  if (!name) { /* the root, as ncdump asks for it */
    if (found)
      *found = file->ncid;
    return NC_NOERR;
  }
  for (int i = 0; i < group->groups.count; i++) {
    zn_group *child = group->groups.items[i];
    if (strcmp(child->name, name) == 0) {
      if (found)
        *found = ncid_of(child);
      return NC_NOERR;
    }
  }
  return NC_ENOGRP;
}

int zn_inq_grp_full_ncid(int ncid, const char *name, int *found) {
  FIND_GROUP;
  while (name && *name == '/')
    name++;
  for (int i = 0; name && i < file->groups.count; i++) {
    zn_group *other = file->groups.items[i];
    if (strcmp(other->path, name) == 0) {
      if (found)
        *found = ncid_of(other);
      return NC_NOERR;
    }
  }
  return NC_ENOGRP;
}

int zn_inq_grps(int ncid, int *count, int *ids) {
  FIND_GROUP;
  if (count)
    *count = group->groups.count;
  for (int i = 0; ids && i < group->groups.count; i++)
    ids[i] = ncid_of(group->groups.items[i]);
  return NC_NOERR;
}

int zn_inq_grpname(int ncid, char *name) {
  FIND_GROUP;
  copy_name(name, group->name);
  return NC_NOERR;
}

int zn_inq_grpname_full(int ncid, size_t *length, char *name) {
  FIND_GROUP;
  if (length)
    *length = strlen(group->path) + 1;
  if (name)
    sprintf(name, "/%s", group->path); /* the caller has asked for the length */
  return NC_NOERR;
}

int zn_inq_grp_parent(int ncid, int *parent) {
  FIND_GROUP;
  if (!group->parent)
    return NC_ENOGRP;
  if (parent)
    *parent = ncid_of(group->parent);
  return NC_NOERR;
}

/* ---- types ---- */

/* None but netCDF's own: netCDF-C 4.9 looks user types up in structures of its HDF5 layer, whatever
 * format a file has (nc_reclaim_data() and others), and reads wild memory there. */
int zn_inq_typeids(int ncid, int *count, int *ids) {
  FIND_GROUP;
  (void)ids;
  if (count)
    *count = 0;
  return NC_NOERR;
}

int zn_inq_type(int ncid, nc_type type, char *name, size_t *size) {
  FIND_GROUP;
  if (!zn_type_name(type))
    return NC_EBADTYPE;
  copy_name(name, zn_type_name(type));
  if (size)
    *size = zn_type_size(type);
  return NC_NOERR;
}

int zn_inq_typeid(int ncid, const char *name, nc_type *type) {
  FIND_GROUP;
  for (nc_type id = NC_BYTE; name && id <= NC_STRING; id++)
    if (strcmp(zn_type_name(id), name) == 0) {
      if (type)
        *type = id;
      return NC_NOERR;
    }
  return NC_EBADTYPE;
}

int zn_inq_type_equal(int ncid, nc_type type, int ncid2, nc_type type2, int *equal) {
  FIND_GROUP;
  (void)ncid2;
  if (equal)
    *equal = type == type2 && zn_type_name(type);
  return NC_NOERR;
}

/* ---- variables ---- */

int zn_inq_varid(int ncid, const char *name, int *id) {
  FIND_GROUP;
  for (int i = 0; name && i < group->vars.count; i++)
    if (strcmp(((zn_var *)group->vars.items[i])->name, name) == 0) {
      if (id)
        *id = i;
      return NC_NOERR;
    }
  return NC_ENOTVAR;
}

int zn_inq_varids(int ncid, int *count, int *ids) {
  FIND_GROUP;
  if (count)
    *count = group->vars.count;
  for (int i = 0; ids && i < group->vars.count; i++)
    ids[i] = i;
  return NC_NOERR;
}

/* Which of netCDF's filters an array's codecs are: looked up in its metadata document. */
static int load_filters(zn_var *var) {
  zarrc_error err;
  zarrc_attributes *document = NULL; /* any JSON object */
  char *json = NULL, *codecs = NULL;
  if (!var->array || var->filters_loaded)
    return NC_NOERR;
  bool v2 = zarrc_array_format(var->array) == ZARRC_FORMAT_V2;
  if (zarrc_array_metadata_json(var->array, &json, &err) != ZARRC_OK ||
      zarrc_attributes_new(&document, &err) != ZARRC_OK ||
      zarrc_attributes_replace_json(document, json, &err) != ZARRC_OK) {
    zarrc_string_free(json);
    zarrc_attributes_free(document);
    return zn_status(&err);
  }
  if (zarrc_attributes_get_json(document, v2 ? "compressor" : "codecs", &codecs, &err) ==
      ZARRC_OK) {
    if (strstr(codecs, "\"gzip\"") || strstr(codecs, "\"zlib\"") ||
        strstr(codecs, "\"numcodecs.zlib\"")) {
      const char *level = strstr(codecs, "level\""); /* of blosc: clevel */
      const char *shuffle = strstr(codecs, "\"shuffle\"");
      var->deflate = level && (level = strchr(level, ':')) ? atoi(level + 1) : 1;
      shuffle = shuffle ? shuffle + 9 + strspn(shuffle + 9, ": ") : "";
      var->shuffle = *shuffle == '1' || strncmp(shuffle, "\"shuffle\"", 9) == 0 ||
                     strstr(codecs, "\"numcodecs.shuffle\"");
    }
    var->checksum = strstr(codecs, "\"crc32c\"") || strstr(codecs, "fletcher32\"");
  }
  zarrc_string_free(codecs);
  zarrc_string_free(json);
  zarrc_attributes_free(document);
  var->filters_loaded = true;
  return NC_NOERR;
}

int zn_fill_value(zn_var *var, void *to) {
  zarrc_error err;
  if (var->type == NC_STRING) {
    *(char **)to = strdup("");
    return *(char **)to ? NC_NOERR : NC_ENOMEM;
  }
  if (!var->array) {
    const zn_attribute *missing = zn_attribute_named(&var->attributes, "_FillValue");
    memcpy(to, missing ? missing->data : zn_default_fill(var->type), var->size);
    return NC_NOERR;
  }
  size_t size = zarrc_array_element_size(var->array);
  if (size != var->size) { /* a number of another width in the store */
    memset(to, 0, var->size);
    return NC_NOERR;
  }
  return zarrc_array_fill_value(var->array, to, size, &err) == ZARRC_OK ? NC_NOERR
                                                                        : zn_status(&err);
}

int zn_inq_var_all(int ncid, int varid, char *name, nc_type *type, int *dims, int *dimids,
                   int *attributes, int *shuffle, int *deflate, int *level, int *fletcher32,
                   int *contiguous, size_t *chunks, int *no_fill, void *fill, int *endian,
                   unsigned *id, size_t *parameter_count, unsigned *parameters) {
  zn_file *file;
  zn_var *var;
  zarrc_error err;
  int status = zn_find_var(ncid, varid, &file, &var);
  if (!status && (shuffle || deflate || level || fletcher32))
    status = load_filters(var);
  if (status)
    return status;
  copy_name(name, var->name);
  if (type)
    *type = var->type;
  if (dims)
    *dims = var->rank;
  if (dimids)
    memcpy(dimids, var->dims, (size_t)var->rank * sizeof *dimids);
  if (attributes && (status = zn_natts(ncid, varid, attributes)))
    return status;
  if (shuffle)
    *shuffle = var->shuffle;
  if (deflate)
    *deflate = var->deflate >= 0;
  if (level)
    *level = var->deflate > 0 ? var->deflate : 0;
  if (fletcher32)
    *fletcher32 = var->checksum;
  if (contiguous)
    *contiguous = var->rank == 0 ? NC_CONTIGUOUS : NC_CHUNKED;
  if (chunks && var->array) {
    uint64_t shape[NC_MAX_VAR_DIMS];
    shape[var->array_rank] = var->parts;
    if (zarrc_array_chunk_shape(var->array, var->array_rank, shape, &err) != ZARRC_OK)
      return zn_status(&err);
    for (int i = 0; i < var->rank; i++)
      chunks[i] = (size_t)shape[i];
  } else if (chunks) {
    for (int i = 0; i < var->rank; i++)
      chunks[i] = var->chunks ? var->chunks[i] : 0;
  }
  if (no_fill)
    *no_fill = var->no_fill;
  if (fill && (status = zn_fill_value(var, fill)))
    return status;
  if (endian)
    *endian = !zn_is_number(var->type) ? NC_ENDIAN_NATIVE
              : var->big_endian        ? NC_ENDIAN_BIG
                                       : NC_ENDIAN_LITTLE;
  if (id)
    *id = 0;
  if (parameter_count)
    *parameter_count = 0;
  (void)parameters;
  return NC_NOERR;
}

enum { DEFLATE = 1 }; /* the number that HDF5 gives it */

int zn_inq_var_filter_ids(int ncid, int varid, size_t *count, unsigned *ids) {
  zn_file *file;
  zn_var *var;
  int status = zn_find_var(ncid, varid, &file, &var);
  if (!status)
    status = load_filters(var);
  if (status)
    return status;
  if (count)
    *count = var->deflate >= 0;
  if (ids && var->deflate >= 0)
    *ids = DEFLATE;
  return NC_NOERR;
}

int zn_inq_var_filter_info(int ncid, int varid, unsigned id, size_t *count, unsigned *parameters) {
  zn_file *file;
  zn_var *var;
  int status = zn_find_var(ncid, varid, &file, &var);
  if (!status)
    status = load_filters(var);
  if (status)
    return status;
  if (id != DEFLATE || var->deflate < 0)
    return NC_ENOFILTER;
  if (count)
    *count = 1;
  if (parameters)
    *parameters = (unsigned)var->deflate;
  return NC_NOERR;
}

int zn_inq_filter_avail(int ncid, unsigned id) {
  FIND_GROUP;
  return id == DEFLATE || id == ZN_FILTER_ZSTD ? NC_NOERR : NC_ENOFILTER;
}

int zn_inq_var_quantize(int ncid, int varid, int *mode, int *digits) {
  zn_file *file;
  zn_var *var;
  int status = zn_find_var(ncid, varid, &file, &var);
  if (!status && mode)
    *mode = NC_NOQUANTIZE;
  if (!status && digits)
    *digits = 0;
  return status;
}

int zn_set_var_chunk_cache(int ncid, int varid, size_t size, size_t count, float preemption) {
  zn_file *file;
  zn_var *var;
  (void)size, (void)count, (void)preemption; /* zarrc's cache is the store's: option chunk_cache */
  return zn_find_var(ncid, varid, &file, &var);
}

int zn_get_var_chunk_cache(int ncid, int varid, size_t *size, size_t *count, float *preemption) {
  zn_file *file;
  zn_var *var;
  int status = zn_find_var(ncid, varid, &file, &var);
  if (status)
    return status;
  if (size)
    *size = 0;
  if (count)
    *count = 0;
  if (preemption)
    *preemption = 0;
  return NC_NOERR;
}
