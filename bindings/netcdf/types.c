/* Zarr's data types as netCDF's. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* netCDF's own types, by number: their sizes, names, and what zarrc calls them. */
static const struct {
  size_t size;
  const char *name;
  zarrc_data_type zarr;
} own[] = {
    [NC_BYTE] = {1, "byte", ZARRC_INT8},
    [NC_CHAR] = {1, "char", ZARRC_NATIVE},
    [NC_SHORT] = {2, "short", ZARRC_INT16},
    [NC_INT] = {4, "int", ZARRC_INT32},
    [NC_FLOAT] = {4, "float", ZARRC_FLOAT32},
    [NC_DOUBLE] = {8, "double", ZARRC_FLOAT64},
    [NC_UBYTE] = {1, "ubyte", ZARRC_UINT8},
    [NC_USHORT] = {2, "ushort", ZARRC_UINT16},
    [NC_UINT] = {4, "uint", ZARRC_UINT32},
    [NC_INT64] = {8, "int64", ZARRC_INT64},
    [NC_UINT64] = {8, "uint64", ZARRC_UINT64},
    [NC_STRING] = {sizeof(char *), "string", ZARRC_NATIVE},
};

static bool is_own(nc_type type) { return type >= NC_BYTE && type <= NC_STRING; }

zarrc_data_type zn_memory_type(nc_type type) {
  return is_own(type) ? own[type].zarr : ZARRC_NATIVE;
}

const char *zn_type_name(nc_type type) { return is_own(type) ? own[type].name : NULL; }

size_t zn_type_size(nc_type type) { return is_own(type) ? own[type].size : 0; }

const void *zn_default_fill(nc_type type) {
  static const signed char byte = NC_FILL_BYTE;
  static const char character = NC_FILL_CHAR;
  static const short int16 = NC_FILL_SHORT;
  static const int int32 = NC_FILL_INT;
  static const float float32 = NC_FILL_FLOAT;
  static const double float64 = NC_FILL_DOUBLE;
  static const unsigned char ubyte = NC_FILL_UBYTE;
  static const unsigned short uint16 = NC_FILL_USHORT;
  static const unsigned uint32 = NC_FILL_UINT;
  static const long long int64 = NC_FILL_INT64;
  static const unsigned long long uint64 = NC_FILL_UINT64;
  static const void *const fills[] = {
      [NC_BYTE] = &byte,     [NC_CHAR] = &character, [NC_SHORT] = &int16,   [NC_INT] = &int32,
      [NC_FLOAT] = &float32, [NC_DOUBLE] = &float64, [NC_UBYTE] = &ubyte,   [NC_USHORT] = &uint16,
      [NC_UINT] = &uint32,   [NC_INT64] = &int64,    [NC_UINT64] = &uint64, [NC_STRING] = NULL};
  return is_own(type) ? fills[type] : NULL;
}

void zn_set_type(zn_var *var, nc_type type) {
  var->type = type;
  var->kind = type == NC_STRING ? ZN_STRING : ZN_FIXED;
  var->memory = zn_memory_type(type);
  var->size = zn_type_size(type);
}

/* Elements of `size` bytes as several of a type, along a dimension of their own. */
static void set_parts(zn_var *var, nc_type type, size_t size) {
  var->type = type;
  var->kind = ZN_PARTS;
  var->memory = ZARRC_NATIVE;
  var->size = zn_type_size(type);
  var->parts = size / var->size;
}

int zn_type_of_array(const zarrc_array *array, zn_var *var) {
  zarrc_error err;
  zarrc_data_type type = zarrc_array_data_type(array);
  size_t size = zarrc_array_element_size(array);
  char *text = NULL;
  if (zarrc_array_data_type_text(array, &text, &err) == ZARRC_OK)
    var->big_endian = text[0] == '>';
  zarrc_string_free(text);
  for (nc_type t = NC_BYTE; t < NC_STRING; t++)
    if (t != NC_CHAR && own[t].zarr == type)
      zn_set_type(var, t);
  if (var->type != NC_NAT)
    return NC_NOERR;
  switch (type) {
  case ZARRC_BOOL:
  case ZARRC_UINT2:
  case ZARRC_UINT4:
    zn_set_type(var, NC_UBYTE);
    break;
  case ZARRC_INT2:
  case ZARRC_INT4:
    zn_set_type(var, NC_BYTE);
    break;
  case ZARRC_DATETIME64:
  case ZARRC_TIMEDELTA64:
    zn_set_type(var, NC_INT64);
    var->memory = ZARRC_NATIVE;
    break;
  case ZARRC_COMPLEX64:
    set_parts(var, NC_FLOAT, size);
    break;
  case ZARRC_COMPLEX128:
    set_parts(var, NC_DOUBLE, size);
    break;
  case ZARRC_RAW:
  case ZARRC_STRUCT:
    set_parts(var, NC_UBYTE, size);
    break;
  case ZARRC_STRING:
  case ZARRC_JSON:
    zn_set_type(var, NC_STRING);
    break;
  case ZARRC_FIXED_BYTES:
  case ZARRC_FIXED_UTF32:
    zn_set_type(var, type == ZARRC_FIXED_BYTES && size == 1 ? NC_CHAR : NC_STRING);
    if (var->type == NC_STRING) {
      var->kind = ZN_TEXT;
      var->size = size;
    }
    break;
  case ZARRC_BYTES:
  case ZARRC_RAGGED:
    zn_set_type(var, NC_STRING);
    var->kind = ZN_NONE;
    break;
  default: /* small floating point numbers, and complex ones of those */
    if (zarrc_data_type_size(type) == 0 || zarrc_data_type_size(type) > 2 ||
        type >= ZARRC_COMPLEX_FLOAT16)
      set_parts(var, NC_UBYTE, size ? size : 1);
    else
      zn_set_type(var, NC_FLOAT);
  }
  return NC_NOERR;
}
