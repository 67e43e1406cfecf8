/* Creates arrays in the store, and completes what waits until a file is synchronised or closed. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* netCDF-4's default along unlimited dimensions: one record, or 4 KiB of a lone dimension. Without
 * unlimited dimensions zarrc's own default is taken. */
static bool default_chunks(zn_file *file, const zn_var *var, uint64_t *chunks) {
  const uint64_t limit = (4 << 20) / (var->size ? var->size : 1);
  uint64_t elements = 1;
  bool unlimited = false;
  for (int i = 0; i < var->rank; i++) {
    zn_dim *dim = file->dims.items[var->dims[i]];
    unlimited |= dim->unlimited;
    chunks[i] =
        dim->unlimited ? (var->rank == 1 ? 4096 / var->size : 1) : (dim->length ? dim->length : 1);
    elements = chunks[i] > limit / elements ? limit + 1 : elements * chunks[i];
  }
  for (int i = 0; elements > limit && i < var->rank; i++) { /* the slowest dimensions first */
    uint64_t rest = 1;
    for (int k = i + 1; k < var->rank; k++)
      rest = chunks[k] > limit / rest ? limit : rest * chunks[k];
    chunks[i] = limit / rest > chunks[i] ? chunks[i] : limit / rest ? limit / rest : 1;
    if (chunks[i] > 1)
      break;
  }
  return unlimited;
}

static zarrc_status add_codecs(const zn_var *var, zarrc_array_spec *spec, bool v2,
                               zarrc_error *err) {
  char json[96];
  zarrc_status status = ZARRC_OK;
  if (var->deflate >= 0 && var->shuffle && var->size > 1) {
    /* what every implementation of Zarr v3 has for shuffled deflate */
    snprintf(json, sizeof json, "{\"cname\":\"zlib\",\"clevel\":%d,\"shuffle\":%s%s", var->deflate,
             v2 ? "1" : "\"shuffle\"", v2 ? "}" : ",\"typesize\":");
    if (!v2)
      snprintf(json + strlen(json), sizeof json - strlen(json), "%zu,\"blocksize\":0}", var->size);
    status = zarrc_array_spec_add_codec(spec, "blosc", json, err);
  } else if (var->deflate >= 0) {
    snprintf(json, sizeof json, "{\"level\":%d}", var->deflate);
    status = zarrc_array_spec_add_codec(spec, v2 ? "zlib" : "gzip", json, err);
  } else if (var->zstd >= 0) {
    snprintf(json, sizeof json, v2 ? "{\"level\":%d}" : "{\"level\":%d,\"checksum\":false}",
             var->zstd);
    status = zarrc_array_spec_add_codec(spec, "zstd", json, err);
  }
  if (status == ZARRC_OK && var->checksum && !v2)
    status = zarrc_array_spec_add_codec(spec, "crc32c", NULL, err);
  return status;
}

/* The missing value, or else the value of elements that were never written. */
static zarrc_status set_fill(zn_var *var, zarrc_array_spec *spec, zarrc_error *err) {
  zn_attribute *missing = zn_attribute_named(&var->attributes, "_FillValue");
  const void *fill = zn_default_fill(var->type);
  if (missing && var->type == NC_CHAR)
    return zarrc_array_spec_set_fill_value(spec, missing->data, 1, err);
  if (missing && var->kind == ZN_FIXED)
    return zarrc_array_spec_set_missing_value(spec, missing->data, var->size, err);
  if (fill && !var->no_fill)
    return zarrc_array_spec_set_fill_value(spec, fill, var->size, err);
  return ZARRC_OK;
}

static zarrc_status describe(zn_file *file, zn_var *var, zarrc_array_spec *spec, zarrc_error *err) {
  const char *names[256]; /* zn_def_var() bounds the rank */
  uint64_t chunks[256];
  size_t rank = (size_t)var->rank;
  zarrc_status status = ZARRC_OK;
  for (int i = 0; i < var->rank; i++)
    names[i] = ((zn_dim *)file->dims.items[var->dims[i]])->name;
  bool chosen = default_chunks(file, var, chunks);
  for (size_t i = 0; var->chunks && i < rank; i++)
    chunks[i] = var->chunks[i];
  if (var->type == NC_CHAR)
    status = zarrc_array_spec_set_data_type(spec, "|S1", err);
  else if (var->big_endian && zn_is_number(var->type) && var->size > 1) {
    char text[16];
    snprintf(text, sizeof text, ">%c%d",
             var->type == NC_FLOAT || var->type == NC_DOUBLE ? 'f'
             : zn_widens(NC_BYTE, var->type)                 ? 'i'
                                                             : 'u',
             (int)(var->size & 15));
    status = zarrc_array_spec_set_data_type(spec, text, err);
  }
  if (status == ZARRC_OK)
    status = zarrc_array_spec_set_dimension_names(spec, rank, names, err);
  if (status == ZARRC_OK && rank && (chosen || var->chunks))
    status = zarrc_array_spec_set_chunk_shape(spec, rank, chunks, err);
  if (status == ZARRC_OK)
    status = add_codecs(var, spec, file->v2, err);
  return status == ZARRC_OK ? set_fill(var, spec, err) : status;
}

int zn_create_array(zn_file *file, zn_var *var) {
  zarrc_error err;
  zarrc_array_spec *spec = NULL;
  zarrc_attributes *attributes = NULL;
  zarrc_data_type type = var->type == NC_CHAR     ? ZARRC_FIXED_BYTES
                         : var->type == NC_STRING ? ZARRC_STRING
                                                  : var->memory;
  if (var->array)
    return NC_NOERR;
  for (int i = 0; i < var->rank; i++)
    var->extent[i] = ((zn_dim *)file->dims.items[var->dims[i]])->length;
  char *path = zn_join(var->group->path, var->name);
  int status = path ? NC_NOERR : NC_ENOMEM;
  if (!status && (zarrc_array_spec_new(type, (size_t)var->rank, var->extent, &spec, &err) ||
                  describe(file, var, spec, &err) || zarrc_attributes_new(&attributes, &err)))
    status = zn_status(&err);
  if (!status)
    status = zn_store_attributes(&var->attributes, attributes);
  if (!status && (zarrc_array_spec_set_attributes(spec, attributes, &err) ||
                  zarrc_array_create(file->store, path, spec, &var->array, &err)))
    status = zn_status(&err);
  if (!status) {
    var->attributes.loaded = true;
    for (int i = 0; i < var->rank; i++)
      ((zn_dim *)file->dims.items[var->dims[i]])->placed = true;
  }
  zarrc_attributes_free(attributes);
  zarrc_array_spec_free(spec);
  free(path);
  return status;
}

/* Records the dimensions of a group if some are unlimited or in no array. */
static int record_dims(zn_group *group) {
  zarrc_error err;
  zarrc_attributes *record = NULL;
  size_t count = (size_t)group->dims.count;
  bool needed = false;
  if (!group->dims_changed || !group->handle)
    return NC_NOERR;
  const char **names = calloc(count + 1, sizeof *names);
  int64_t *sizes = calloc(count + 1, sizeof *sizes);
  int status = names && sizes ? NC_NOERR : NC_ENOMEM;
  for (size_t i = 0; i < count && !status; i++) {
    zn_dim *dim = group->dims.items[i];
    needed |= dim->unlimited || !dim->placed;
    names[i] = dim->name;
    sizes[i] = dim->unlimited ? 0 : (int64_t)dim->length;
  }
  if (!status && needed &&
      (zarrc_attributes_new(&record, &err) ||
       zarrc_attributes_set_strings(record, zn_dim_names, count, names, &err) ||
       zarrc_attributes_set_int64s(record, zn_dim_sizes, count, sizes, &err) ||
       zarrc_attributes_update(zarrc_group_attributes(group->handle), record, &err)))
    status = zn_status(&err);
  zarrc_attributes_free(record);
  free(names);
  free(sizes);
  if (!status)
    group->dims_changed = false;
  return status;
}

/* Makes the arrays as long as their unlimited dimensions, as readers of Zarr expect them. */
static int catch_up(zn_file *file, zn_var *var) {
  zarrc_error err;
  bool behind = false;
  for (int i = 0; i < var->rank; i++) {
    zn_dim *dim = file->dims.items[var->dims[i]];
    behind |= dim->length > var->extent[i];
    if (dim->length > var->extent[i])
      var->extent[i] = dim->length;
  }
  if ((behind && zarrc_array_grow(var->array, var->array_rank, var->extent, &err) != ZARRC_OK) ||
      zarrc_array_flush(var->array, &err) != ZARRC_OK)
    return zn_status(&err);
  return NC_NOERR;
}

int zn_sync(zn_file *file) {
  int first = NC_NOERR; /* all that can be written is, whatever fails */
  if (!file->writable)
    return NC_NOERR;
  for (int g = 0; g < file->groups.count; g++) {
    zn_group *group = file->groups.items[g];
    for (int i = 0; i < group->vars.count; i++) {
      zn_var *var = group->vars.items[i];
      int status = zn_create_array(file, var);
      if (!status)
        status = catch_up(file, var);
      if (status && !first)
        first = status;
    }
    int status = record_dims(group);
    if (status && !first)
      first = status;
  }
  file->created = false;
  return first;
}
