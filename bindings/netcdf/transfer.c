/* Reading and writing elements. */
#include "dispatch.h"
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* Elements that are converted pass through memory of about this size (bytes). */
enum { PIECE = 16 << 20 };

size_t zn_box_elements(const zn_var *var, const zn_box *box) {
  size_t elements = 1;
  for (int i = 0; i < var->rank; i++) {
    if (box->count[i] == 0)
      return 0;
    elements = box->count[i] > SIZE_MAX / elements ? SIZE_MAX : elements * (size_t)box->count[i];
  }
  return elements;
}

/* Returns the offset in memory of an element, given its position in C order. */
int64_t zn_box_offset(const zn_var *var, const zn_box *box, size_t element) {
  int64_t offset = 0;
  for (int i = var->rank; i-- > 0;) {
    offset += (int64_t)(element % box->count[i]) * box->strides[i];
    element /= (size_t)box->count[i];
  }
  return offset;
}

static int check_types(const zn_var *var, nc_type memory) {
  if (var->kind == ZN_NONE)
    return zn_fail(NC_EBADTYPE,
                   "variable %s: netCDF-C cannot take runs of variable length from this format",
                   var->name);
  if (memory == var->type)
    return NC_NOERR;
  if (var->type == NC_CHAR || memory == NC_CHAR || var->type == NC_STRING || memory == NC_STRING)
    return NC_ECHAR;
  return zn_is_number(var->type) && zn_is_number(memory) ? NC_NOERR : NC_EBADTYPE;
}

/* Fills a box and checks it against the dimensions. Beyond an unlimited one only a write may go. */
static int make_box(zn_file *file, const zn_var *var, const size_t *start, const size_t *count,
                    const ptrdiff_t *stride, const ptrdiff_t *imap, size_t size, bool write,
                    zn_box *box) {
  int64_t packed = (int64_t)size;
  if (var->rank && (!start || !count))
    return NC_EINVALCOORDS;
  for (int i = var->rank; i-- > 0;) {
    zn_dim *dim = file->dims.items[var->dims[i]];
    uint64_t limit = write && dim->unlimited ? INT64_MAX : dim->length;
    box->start[i] = start[i];
    box->count[i] = count[i];
    box->step[i] = stride ? (uint64_t)stride[i] : 1;
    if (stride && stride[i] <= 0)
      return NC_ESTRIDE;
    if (start[i] > limit || (start[i] == limit && count[i] > 0))
      return NC_EINVALCOORDS;
    if (count[i] > 0 && (count[i] - 1) > (limit - 1 - start[i]) / box->step[i])
      return NC_EEDGE;
    if (imap && __builtin_mul_overflow((int64_t)imap[i], (int64_t)size, &box->strides[i]))
      return NC_EINVAL;
    if (!imap)
      box->strides[i] = packed;
    if (__builtin_mul_overflow(packed, count[i] ? (int64_t)count[i] : 1, &packed))
      return NC_EEDGE;
  }
  return NC_NOERR;
}

/* Transfers between the caller's memory and the array by one call of zarrc. */
static int move(zn_var *var, const zn_box *box, zarrc_data_type memory, void *data, bool write) {
  zarrc_error err;
  zarrc_status status =
      write ? zarrc_array_write_strided(var->array, box->start, box->step, box->count, memory, data,
                                        box->strides, &err)
            : zarrc_array_read_strided(var->array, box->start, box->step, box->count, memory, data,
                                       box->strides, &err);
  return status == ZARRC_OK ? NC_NOERR : zn_status(&err);
}

/* Transfers through memory of the variable's own type, and converts there. */
static int move_converted(zn_var *var, zn_box *box, nc_type memory, char *data, bool write) {
  size_t elements = zn_box_elements(var, box), size = zn_type_size(memory);
  int range = NC_NOERR, split = 0;
  while (split < var->rank && box->count[split] <= 1)
    split++;
  if (elements > PIECE / var->size && split < var->rank) { /* in halves */
    zn_box half = *box;
    uint64_t count = box->count[split], start = box->start[split], low = count / 2;
    box->count[split] = low;
    range = move_converted(var, box, memory, data, write);
    if (range == NC_NOERR || range == NC_ERANGE) {
      half.count[split] = count - low;
      half.start[split] = start + low * box->step[split];
      int status =
          move_converted(var, &half, memory, data + (int64_t)low * box->strides[split], write);
      range = status ? status : range;
    }
    box->count[split] = count;
    box->start[split] = start;
    return range;
  }
  char *own = malloc(elements * var->size), *other = malloc(elements * size);
  int64_t strides[NC_MAX_VAR_DIMS], packed = (int64_t)var->size;
  zn_box tight = *box;
  int status = own && other ? NC_NOERR : NC_ENOMEM;
  tight.strides = strides;
  for (int i = var->rank; i-- > 0; packed *= (int64_t)box->count[i])
    strides[i] = packed;
  if (!status && !write)
    status = move(var, &tight, var->memory, own, false);
  if (!status && write)
    for (size_t i = 0; i < elements; i++)
      memcpy(other + i * size, data + zn_box_offset(var, box, i), size);
  if (!status)
    range = write ? zn_convert(memory, other, var->type, own, elements)
                  : zn_convert(var->type, own, memory, other, elements);
  if (range && range != NC_ERANGE)
    status = range;
  if (!status && write)
    status = move(var, &tight, var->memory, own, true);
  if (!status && !write)
    for (size_t i = 0; i < elements; i++)
      memcpy(data + zn_box_offset(var, box, i), other + i * size, size);
  free(own);
  free(other);
  return status ? status : range;
}

/* Elements of several parts: whole in memory of our own, part by part in the caller's. */
static int move_parts(zn_var *var, const zn_box *box, nc_type memory, char *data, bool write) {
  size_t outer = 1, parts = var->parts, last = (size_t)var->rank - 1, inner = box->count[last];
  size_t size = zn_type_size(memory), whole = parts * var->size;
  int64_t strides[NC_MAX_VAR_DIMS], packed = (int64_t)whole;
  zn_box tight = *box;
  int range = NC_NOERR;
  tight.strides = strides;
  for (size_t i = last; i-- > 0; packed *= (int64_t)box->count[i]) {
    strides[i] = packed;
    outer = box->count[i] > SIZE_MAX / outer ? SIZE_MAX : outer * (size_t)box->count[i];
  }
  char *own = outer > SIZE_MAX / whole ? NULL : malloc(outer * whole);
  int status = own ? NC_NOERR : NC_ENOMEM;
  if (!status && (!write || inner < parts)) /* a write keeps the other parts */
    status = move(var, &tight, ZARRC_NATIVE, own, false);
  for (size_t i = 0; i < outer && !status; i++)
    for (size_t k = 0; k < inner && !status; k++) {
      char *part = own + i * whole + (box->start[last] + k * box->step[last]) * var->size;
      char *at = data + zn_box_offset(var, box, i * inner + k), value[sizeof(double)];
      memcpy(value, at, write ? size : 0);
      status = write ? zn_convert(memory, value, var->type, part, 1)
                     : zn_convert(var->type, part, memory, value, 1);
      memcpy(at, value, write ? 0 : size);
      if (status == NC_ERANGE) {
        range = status;
        status = NC_NOERR;
      }
    }
  if (!status && write)
    status = move(var, &tight, ZARRC_NATIVE, own, true);
  free(own);
  return status ? status : range;
}

static int move_any(zn_var *var, zn_box *box, nc_type memory, char *data, bool write) {
  if (var->type == NC_STRING)
    return write ? zn_write_text(var, box, data) : zn_read_text(var, box, data);
  if (var->kind == ZN_PARTS)
    return move_parts(var, box, memory, data, write);
  if (memory == var->type)
    return move(var, box, var->memory, data, write);
  /* zarrc stops at the first value that does not fit, netCDF goes on: so only where all do */
  if (var->memory != ZARRC_NATIVE &&
      (write ? zn_widens(memory, var->type) : zn_widens(var->type, memory)))
    return move(var, box, zn_memory_type(memory), data, write);
  return move_converted(var, box, memory, data, write);
}

/* Fills the memory of a box with the fill value, where the array lags behind its dimension. */
static int fill(zn_var *var, const zn_box *box, nc_type memory, char *data) {
  size_t elements = zn_box_elements(var, box), size = zn_type_size(memory);
  char value[sizeof(double)], converted[sizeof(double)];
  if (var->type == NC_STRING) {
    for (size_t i = 0; i < elements; i++) {
      int status = zn_fill_value(var, data + zn_box_offset(var, box, i));
      if (status)
        return status;
    }
    return NC_NOERR;
  }
  int status = zn_fill_value(var, value);
  if (!status)
    status = memory == var->type ? (memcpy(converted, value, size), NC_NOERR)
                                 : zn_convert(var->type, value, memory, converted, 1);
  for (size_t i = 0; i < elements && (!status || status == NC_ERANGE); i++)
    memcpy(data + zn_box_offset(var, box, i), converted, size);
  return status == NC_ERANGE ? NC_NOERR : status;
}

/* Reads the part of a box that the array has, and fills the rest. */
static int read_box(zn_var *var, zn_box *box, nc_type memory, char *data) {
  bool lags = false;
  for (int i = 0; i < var->rank; i++)
    lags |= box->start[i] + (box->count[i] - 1) * box->step[i] >= var->extent[i];
  if (!lags)
    return move_any(var, box, memory, data, false);
  int status = fill(var, box, memory, data);
  for (int i = 0; i < var->rank; i++) {
    uint64_t there = var->extent[i] > box->start[i]
                         ? (var->extent[i] - box->start[i] - 1) / box->step[i] + 1
                         : 0;
    if (there == 0)
      return status;
    if (there < box->count[i])
      box->count[i] = there;
  }
  if (var->type == NC_STRING && !status) /* the pointers that the read replaces */
    for (size_t i = 0; i < zn_box_elements(var, box); i++)
      free(*(char **)(data + zn_box_offset(var, box, i)));
  return status ? status : move_any(var, box, memory, data, false);
}

/* Extends unlimited dimensions so that a write fits. */
static int grow(zn_file *file, zn_var *var, const zn_box *box) {
  zarrc_error err;
  bool grows = false;
  for (int i = 0; i < var->rank; i++) {
    uint64_t end = box->start[i] + (box->count[i] - 1) * box->step[i] + 1;
    if (end > var->extent[i]) {
      var->extent[i] = end;
      grows = true;
    }
  }
  if (!grows)
    return NC_NOERR;
  if (zarrc_array_grow(var->array, var->array_rank, var->extent, &err) != ZARRC_OK) {
    int status = zn_status(&err);
    zarrc_status known = zarrc_array_shape(var->array, var->array_rank, var->extent, &err);
    (void)known;
    return status;
  }
  for (int i = 0; i < var->rank; i++) {
    zn_dim *dim = file->dims.items[var->dims[i]];
    if (dim->length < var->extent[i])
      dim->length = (size_t)var->extent[i];
  }
  return NC_NOERR;
}

static int transfer(int ncid, int varid, const size_t *start, const size_t *count,
                    const ptrdiff_t *stride, const ptrdiff_t *imap, void *data, nc_type memory,
                    bool write) {
  zn_file *file;
  zn_var *var;
  uint64_t starts[NC_MAX_VAR_DIMS], counts[NC_MAX_VAR_DIMS], steps[NC_MAX_VAR_DIMS];
  int64_t strides[NC_MAX_VAR_DIMS];
  zn_box box = {starts, steps, counts, strides};
  int status = zn_find_var(ncid, varid, &file, &var);
  if (status)
    return status;
  if (write && !file->writable)
    return NC_EPERM;
  if (memory == NC_NAT)
    memory = var->type;
  status = check_types(var, memory);
  if (!status)
    status = make_box(file, var, start, count, stride, imap, zn_type_size(memory), write, &box);
  if (status || zn_box_elements(var, &box) == 0)
    return status;
  if (!data)
    return NC_EINVAL;
  if (!var->array && (status = zn_create_array(file, var)))
    return status;
  if (!write)
    return read_box(var, &box, memory, data);
  status = grow(file, var, &box);
  return status ? status : move_any(var, &box, memory, data, true);
}

/* ---- what netCDF-C calls ---- */

int zn_get_vara(int ncid, int varid, const size_t *start, const size_t *count, void *data,
                nc_type memory) {
  return transfer(ncid, varid, start, count, NULL, NULL, data, memory, false);
}

int zn_put_vara(int ncid, int varid, const size_t *start, const size_t *count, const void *data,
                nc_type memory) {
  return transfer(ncid, varid, start, count, NULL, NULL, (void *)data, memory, true);
}

int zn_get_vars(int ncid, int varid, const size_t *start, const size_t *count,
                const ptrdiff_t *stride, void *data, nc_type memory) {
  return transfer(ncid, varid, start, count, stride, NULL, data, memory, false);
}

int zn_put_vars(int ncid, int varid, const size_t *start, const size_t *count,
                const ptrdiff_t *stride, const void *data, nc_type memory) {
  return transfer(ncid, varid, start, count, stride, NULL, (void *)data, memory, true);
}

int zn_get_varm(int ncid, int varid, const size_t *start, const size_t *count,
                const ptrdiff_t *stride, const ptrdiff_t *imap, void *data, nc_type memory) {
  return transfer(ncid, varid, start, count, stride, imap, data, memory, false);
}

int zn_put_varm(int ncid, int varid, const size_t *start, const size_t *count,
                const ptrdiff_t *stride, const ptrdiff_t *imap, const void *data, nc_type memory) {
  return transfer(ncid, varid, start, count, stride, imap, (void *)data, memory, true);
}
