/* Attributes from and to the store: JSON in Zarr, typed arrays in netCDF. */
#include "internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void zn_free_data(zn_attribute *attribute) {
  if (attribute->type == NC_STRING && attribute->data)
    for (size_t i = 0; i < attribute->length; i++)
      free(((char **)attribute->data)[i]);
  free(attribute->data);
  attribute->data = NULL;
}

void zn_free_attributes(zn_attributes *attributes) {
  for (int i = 0; i < attributes->list.count; i++) {
    zn_attribute *attribute = attributes->list.items[i];
    zn_free_data(attribute);
    free(attribute->name);
    free(attribute);
  }
  free(attributes->list.items);
  memset(attributes, 0, sizeof *attributes);
}

zn_attribute *zn_attribute_named(zn_attributes *attributes, const char *name) {
  for (int i = 0; i < attributes->list.count; i++) {
    zn_attribute *attribute = attributes->list.items[i];
    if (strcmp(attribute->name, name) == 0)
      return attribute;
  }
  return NULL;
}

/* Returns a new attribute with memory for `length` zeroed elements; replaces one of that name. */
int zn_place_attribute(zn_attributes *attributes, const char *name, nc_type type, size_t length,
                       zn_attribute **placed) {
  size_t size = zn_type_size(type);
  void *data = length > SIZE_MAX / 16 ? NULL : calloc(length + 1, size);
  zn_attribute *attribute = zn_attribute_named(attributes, name);
  if (!data)
    return NC_ENOMEM;
  if (!attribute) {
    attribute = calloc(1, sizeof *attribute);
    if (!attribute || !(attribute->name = strdup(name)) || zn_push(&attributes->list, attribute)) {
      if (attribute)
        free(attribute->name);
      free(attribute);
      free(data);
      return NC_ENOMEM;
    }
  }
  zn_free_data(attribute);
  attribute->type = type;
  attribute->length = length;
  attribute->data = data;
  *placed = attribute;
  return NC_NOERR;
}

static int place_text(zn_attributes *attributes, const char *name, const char *text) {
  zn_attribute *attribute;
  size_t length = strlen(text);
  int status = zn_place_attribute(attributes, name, NC_CHAR, length, &attribute);
  if (!status)
    memcpy(attribute->data, text, length);
  return status;
}

/* Attributes that CF wants in the type of the variable's elements. */
static bool of_var_type(const char *name) {
  static const char *const names[] = {"_FillValue",  "missing_value", "valid_min", "valid_max",
                                      "valid_range", "flag_values",   "flag_masks"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

/* Gives an attribute another type if every value fits it. */
static void retype(zn_attribute *attribute, nc_type type) {
  void *data = calloc(attribute->length + 1, zn_type_size(type));
  if (data && attribute->type != NC_CHAR && attribute->type != NC_STRING &&
      zn_convert(attribute->type, attribute->data, type, data, attribute->length) == NC_NOERR) {
    free(attribute->data);
    attribute->data = data;
    attribute->type = type;
  } else {
    free(data);
  }
}

static int load_numbers(zn_attributes *to, const zarrc_attributes *from, const char *name,
                        bool integers, size_t count) {
  zarrc_error err;
  zn_attribute *attribute;
  int status = zn_place_attribute(to, name, integers ? NC_INT64 : NC_DOUBLE, count, &attribute);
  if (status)
    return status;
  size_t found = 0;
  zarrc_status read =
      integers ? zarrc_attributes_get_int64s(from, name, count, attribute->data, &found, &err)
               : zarrc_attributes_get_doubles(from, name, count, attribute->data, &found, &err);
  if (read != ZARRC_OK)
    return zn_status(&err);
  if (integers)
    retype(attribute, NC_INT); /* stays 64 bits where a value needs them */
  return NC_NOERR;
}

static int load_strings(zn_attributes *to, const zarrc_attributes *from, const char *name,
                        size_t count) {
  zarrc_error err;
  zn_attribute *attribute;
  int status = zn_place_attribute(to, name, NC_STRING, count, &attribute);
  for (size_t i = 0; !status && i < count; i++) {
    char *text = NULL;
    if (zarrc_attributes_get_string_at(from, name, i, &text, &err) != ZARRC_OK)
      return zn_status(&err);
    ((char **)attribute->data)[i] = strdup(text);
    zarrc_string_free(text);
    if (!((char **)attribute->data)[i])
      status = NC_ENOMEM;
  }
  return status;
}

static int load_one(zn_attributes *to, const zarrc_attributes *from, const char *name,
                    const zn_var *var) {
  zarrc_error err;
  zarrc_attribute_kind kind;
  size_t count = 0;
  char *text = NULL;
  if (zarrc_attributes_kind(from, name, &kind, &count, &err) != ZARRC_OK)
    return zn_status(&err);
  bool typed = var && var->kind == ZN_FIXED && zn_is_number(var->type) && of_var_type(name);
  int status;
  double value; /* of "NaN", or of xarray's Base64 of a double */
  if (typed && kind == ZARRC_ATTRIBUTE_STRING &&
      zarrc_attributes_get_double(from, name, &value, &err) == ZARRC_OK) {
    zn_attribute *attribute;
    if ((status = zn_place_attribute(to, name, NC_DOUBLE, 1, &attribute)))
      return status;
    *(double *)attribute->data = value;
    retype(attribute, var->type);
    return NC_NOERR;
  }
  if (kind == ZARRC_ATTRIBUTE_LIST && count > 0 && /* numbers, some of them "NaN" or "Infinity" */
      zarrc_attributes_get_doubles(from, name, 0, NULL, &count, &err) == ZARRC_OK)
    kind = ZARRC_ATTRIBUTE_NUMBERS;
  switch (kind) {
  case ZARRC_ATTRIBUTE_INTEGER:
  case ZARRC_ATTRIBUTE_INTEGERS:
    status = load_numbers(to, from, name, true, count);
    break;
  case ZARRC_ATTRIBUTE_NUMBER:
  case ZARRC_ATTRIBUTE_NUMBERS:
    status = load_numbers(to, from, name, false, count);
    break;
  case ZARRC_ATTRIBUTE_STRINGS:
    return load_strings(to, from, name, count);
  case ZARRC_ATTRIBUTE_STRING:
    if (zarrc_attributes_get_string(from, name, &text, &err) != ZARRC_OK)
      return zn_status(&err);
    status = place_text(to, name, text);
    break;
  case ZARRC_ATTRIBUTE_BOOL: {
    zn_attribute *attribute;
    bool value;
    if (zarrc_attributes_get_bool(from, name, &value, &err) != ZARRC_OK)
      return zn_status(&err);
    status = zn_place_attribute(to, name, NC_BYTE, 1, &attribute);
    if (!status)
      *(signed char *)attribute->data = value;
    break;
  }
  default: /* null, objects and mixed lists stay JSON; an empty list is empty */
    if (zarrc_attributes_get_json(from, name, &text, &err) != ZARRC_OK)
      return zn_status(&err);
    status = place_text(to, name, kind == ZARRC_ATTRIBUTE_LIST && count == 0 ? "" : text);
  }
  zarrc_string_free(text);
  zn_attribute *loaded = zn_attribute_named(to, name);
  if (!status && typed && loaded)
    retype(loaded, var->type);
  return status;
}

/* Attributes of netCDF that Zarr stores elsewhere, such as the fill value. */
static int derive(zn_attributes *to, const zn_var *var) {
  zarrc_error err;
  zarrc_data_type type = zarrc_array_data_type(var->array);
  char *json = NULL, *text = NULL, unit[16] = "";
  zn_attribute *attribute;
  int status = NC_NOERR;
  /* xarray and netCDF take the fill value of Zarr v2 for the missing value */
  if (zarrc_array_format(var->array) == ZARRC_FORMAT_V2 && var->kind == ZN_FIXED &&
      type != ZARRC_BOOL && !zn_attribute_named(to, "_FillValue")) {
    if (zarrc_array_fill_value_json(var->array, &json, &err) != ZARRC_OK)
      return zn_status(&err);
    if (strcmp(json, "null") != 0) {
      uint64_t stored = 0; /* the elements of these types have 8 bytes at most */
      size_t size = zarrc_array_element_size(var->array);
      if (size <= sizeof stored && size == var->size &&
          zarrc_array_fill_value(var->array, &stored, size, &err) == ZARRC_OK) {
        status = zn_place_attribute(to, "_FillValue", var->type, 1, &attribute);
        if (!status)
          memcpy(attribute->data, &stored, size);
      }
    }
    zarrc_string_free(json);
  }
  if (status || (type != ZARRC_DATETIME64 && type != ZARRC_TIMEDELTA64) ||
      zn_attribute_named(to, "units"))
    return status;
  if (zarrc_array_data_type_text(var->array, &text, &err) != ZARRC_OK)
    return zn_status(&err);
  static const char *const units[][2] = {
      {"D", "days"},          {"h", "hours"},         {"m", "minutes"},     {"s", "seconds"},
      {"ms", "milliseconds"}, {"us", "microseconds"}, {"ns", "nanoseconds"}};
  if (sscanf(text, "%*2c8[%15[^]]", unit) < 1 && sscanf(text, "%*3c8[%15[^]]", unit) < 1)
    unit[0] = 0;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strcmp(unit, units[i][0]) == 0) {
      char value[64];
      snprintf(value, sizeof value, "%s%s", units[i][1],
               type == ZARRC_DATETIME64 ? " since 1970-01-01" : "");
      status = place_text(to, "units", value);
    }
  zarrc_string_free(text);
  if (!status && !zn_attribute_named(to, "_FillValue")) { /* "not a time" */
    status = zn_place_attribute(to, "_FillValue", NC_INT64, 1, &attribute);
    if (!status)
      *(long long *)attribute->data = LLONG_MIN;
  }
  return status;
}

int zn_load_attributes(zn_group *group, zn_var *var) {
  zn_attributes *to = var ? &var->attributes : &group->attributes;
  const zarrc_attributes *from =
      var ? zarrc_array_attributes(var->array) : zarrc_group_attributes(group->handle);
  zarrc_error err;
  size_t count = 0;
  if (to->loaded || !from)
    return NC_NOERR;
  if (zarrc_attributes_count(from, &count, &err) != ZARRC_OK)
    return zn_status(&err);
  int status = NC_NOERR;
  for (size_t i = 0; i < count && !status; i++) {
    char *name = NULL;
    if (zarrc_attributes_name(from, i, &name, &err) != ZARRC_OK)
      status = zn_status(&err);
    else if (!zn_hidden(name) && strlen(name) <= NC_MAX_NAME)
      status = load_one(to, from, name, var);
    zarrc_string_free(name);
  }
  if (!status && var)
    status = derive(to, var);
  if (status)
    zn_free_attributes(to);
  to->loaded = status == NC_NOERR;
  return status;
}

/* ---- to the store ---- */

/* Formats floats as JSON, each with the fewest digits that read back as the same float. */
static int store_floats(zarrc_attributes *to, const zn_attribute *attribute) {
  zarrc_error err;
  const float *values = attribute->data;
  char *json = attribute->length > SIZE_MAX / 32 ? NULL : malloc(attribute->length * 24 + 3);
  if (!json)
    return NC_ENOMEM;
  char *at = json;
  for (size_t i = 0; i < attribute->length; i++) {
    char number[24];
    if (!isfinite(values[i]))
      snprintf(number, sizeof number, "\"%s\"",
               isnan(values[i]) ? "NaN"
               : values[i] < 0  ? "-Infinity"
                                : "Infinity");
    else
      for (int digits = 6; digits <= 9; digits++) {
        snprintf(number, sizeof number, "%.*g", digits, values[i]);
        if (strtof(number, NULL) == values[i])
          break;
      }
    at += sprintf(at, "%c%s", i ? ',' : '[', number);
  }
  strcpy(at, attribute->length ? "]" : "[]");
  zarrc_status status = zarrc_attributes_set_json(to, attribute->name, json, &err);
  free(json);
  return status == ZARRC_OK ? NC_NOERR : zn_status(&err);
}

int zn_store_attribute(const zn_attribute *attribute, zarrc_attributes *to) {
  zarrc_error err = {0};
  const char *name = attribute->name;
  size_t n = attribute->length;
  zarrc_status status;
  if (attribute->type == NC_CHAR) {
    status = zarrc_attributes_set_string(to, name, attribute->data, &err);
  } else if (attribute->type == NC_STRING) {
    status = zarrc_attributes_set_strings(to, name, n, attribute->data, &err);
  } else if (attribute->type == NC_FLOAT && n == 1) {
    status = zarrc_attributes_set_float(to, name, *(float *)attribute->data, &err);
  } else if (attribute->type == NC_FLOAT) {
    return store_floats(to, attribute);
  } else if (attribute->type == NC_DOUBLE) {
    status = n == 1 ? zarrc_attributes_set_double(to, name, *(double *)attribute->data, &err)
                    : zarrc_attributes_set_doubles(to, name, n, attribute->data, &err);
  } else {
    int64_t *wide = calloc(n + 1, sizeof *wide);
    if (!wide)
      return NC_ENOMEM;
    int converted = zn_convert(attribute->type, attribute->data, NC_INT64, wide, n);
    if (converted == NC_NOERR)
      status = n == 1 ? zarrc_attributes_set_int64(to, name, *wide, &err)
                      : zarrc_attributes_set_int64s(to, name, n, wide, &err);
    else
      status = ZARRC_OK;
    free(wide);
    if (converted)
      return zn_fail(converted, "attribute %s: a value beyond 64 signed bits", name);
  }
  return status == ZARRC_OK ? NC_NOERR : zn_status(&err);
}

int zn_store_attributes(zn_attributes *attributes, zarrc_attributes *to) {
  int status = NC_NOERR;
  for (int i = 0; i < attributes->list.count && !status; i++) {
    zn_attribute *attribute = attributes->list.items[i];
    /* the missing value has a spelling of its own, which the array's creation knows */
    if (strcmp(attribute->name, "_FillValue") != 0)
      status = zn_store_attribute(attribute, to);
  }
  return status;
}
