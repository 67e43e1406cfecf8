/* Attributes: JSON in Zarr, typed arrays in netCDF. */
#include "internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_data(zn_attribute *attribute) {
  if (attribute->type == NC_STRING && attribute->data)
    for (size_t i = 0; i < attribute->length; i++)
      free(((char **)attribute->data)[i]);
  free(attribute->data);
  attribute->data = NULL;
}

void zn_free_attributes(zn_attributes *attributes) {
  for (int i = 0; i < attributes->list.count; i++) {
    zn_attribute *attribute = attributes->list.items[i];
    free_data(attribute);
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

/* An attribute of that name with zeroed room for `length` elements, in place of one that is there. */
static int place(zn_attributes *attributes, const char *name, nc_type type, size_t length,
                 zn_attribute **placed) {
  size_t size = zn_type_size(type);
  void *data = length > SIZE_MAX / 16 ? NULL : calloc(length + 1, size);
  zn_attribute *attribute = zn_attribute_named(attributes, name);
  if (!data)
    return NC_ENOMEM;
  if (!attribute) {
    attribute = calloc(1, sizeof *attribute);
    if (!attribute || !(attribute->name = strdup(name)) ||
        zn_push(&attributes->list, attribute)) {
      if (attribute)
        free(attribute->name);
      free(attribute);
      free(data);
      return NC_ENOMEM;
    }
  }
  free_data(attribute);
  attribute->type = type;
  attribute->length = length;
  attribute->data = data;
  *placed = attribute;
  return NC_NOERR;
}

static int place_text(zn_attributes *attributes, const char *name, const char *text) {
  zn_attribute *attribute;
  size_t length = strlen(text);
  int status = place(attributes, name, NC_CHAR, length, &attribute);
  if (!status)
    memcpy(attribute->data, text, length);
  return status;
}

/* Attributes that CF wants in the type of the variable's elements. */
static bool of_var_type(const char *name) {
  static const char *const names[] = {"_FillValue", "missing_value", "valid_min",  "valid_max",
                                      "valid_range", "flag_values",  "flag_masks"};
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
  int status = place(to, name, integers ? NC_INT64 : NC_DOUBLE, count, &attribute);
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
  int status = place(to, name, NC_STRING, count, &attribute);
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
    if ((status = place(to, name, NC_DOUBLE, 1, &attribute)))
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
    status = place(to, name, NC_BYTE, 1, &attribute);
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

/* What netCDF names as attributes and Zarr keeps elsewhere. */
static int derive(zn_attributes *to, const zn_var *var) {
  zarrc_error err;
  zarrc_data_type type = zarrc_array_data_type(var->array);
  char *json = NULL, *text = NULL, unit[16] = "";
  zn_attribute *attribute;
  int status = NC_NOERR;
  /* xarray and netCDF take the fill value of Zarr v2 for the missing value */
  if (zarrc_array_format(var->array) == ZARRC_FORMAT_V2 && var->kind == ZN_FIXED &&
      type != ZARRC_BOOL &&
      !zn_attribute_named(to, "_FillValue")) {
    if (zarrc_array_fill_value_json(var->array, &json, &err) != ZARRC_OK)
      return zn_status(&err);
    if (strcmp(json, "null") != 0) {
      uint64_t stored = 0; /* the elements of these types have 8 bytes at most */
      size_t size = zarrc_array_element_size(var->array);
      if (size <= sizeof stored && size == var->size &&
          zarrc_array_fill_value(var->array, &stored, size, &err) == ZARRC_OK) {
        status = place(to, "_FillValue", var->type, 1, &attribute);
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
      {"D", "days"},          {"h", "hours"},         {"m", "minutes"},    {"s", "seconds"},
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
    status = place(to, "_FillValue", NC_INT64, 1, &attribute);
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
    else if (!zn_hidden(name))
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

/* A list of floats as JSON, each with as few digits as read back as the same float. */
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
               isnan(values[i]) ? "NaN" : values[i] < 0 ? "-Infinity" : "Infinity");
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

static int store_one(const zn_attribute *attribute, zarrc_attributes *to) {
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
      status = store_one(attribute, to);
  }
  return status;
}

/* ---- what netCDF-C calls ---- */

static int attributes_of(int ncid, int varid, zn_file **file, zn_group **group, zn_var **var,
                         zn_attributes **attributes) {
  *var = NULL;
  int status = zn_find(ncid, file, group);
  if (!status && varid != NC_GLOBAL)
    status = zn_find_var(ncid, varid, file, var);
  if (!status && (!*var || (*var)->array))
    status = zn_load_attributes(*group, *var);
  *attributes = *var ? &(*var)->attributes : &(*group)->attributes;
  return status;
}

#define FIND                                                                                       \
  zn_file *file;                                                                                   \
  zn_group *group;                                                                                 \
  zn_var *var;                                                                                     \
  zn_attributes *all;                                                                              \
  int status = attributes_of(ncid, varid, &file, &group, &var, &all);                              \
  if (status)                                                                                      \
  return status

#define FIND_ONE                                                                                   \
  FIND;                                                                                            \
  zn_attribute *attribute = name ? zn_attribute_named(all, name) : NULL;                           \
  if (!attribute)                                                                                  \
  return NC_ENOTATT

int zn_natts(int ncid, int varid, int *count) {
  FIND;
  *count = all->list.count;
  return NC_NOERR;
}

int zn_inq_att(int ncid, int varid, const char *name, nc_type *type, size_t *length) {
  FIND_ONE;
  if (type)
    *type = attribute->type;
  if (length)
    *length = attribute->length;
  return NC_NOERR;
}

int zn_inq_attid(int ncid, int varid, const char *name, int *id) {
  FIND_ONE;
  for (int i = 0; id && i < all->list.count; i++)
    if (all->list.items[i] == attribute)
      *id = i;
  return NC_NOERR;
}

int zn_inq_attname(int ncid, int varid, int id, char *name) {
  FIND;
  if (id < 0 || id >= all->list.count)
    return NC_ENOTATT;
  if (name)
    snprintf(name, NC_MAX_NAME + 1, "%s", ((zn_attribute *)all->list.items[id])->name);
  return NC_NOERR;
}

int zn_get_att(int ncid, int varid, const char *name, void *data, nc_type memory) {
  FIND_ONE;
  if (memory == NC_NAT)
    memory = attribute->type;
  if (attribute->length == 0 || !data)
    return NC_NOERR;
  if (attribute->type == NC_STRING || memory == NC_STRING) {
    if (attribute->type == NC_STRING && memory == NC_STRING) {
      for (size_t i = 0; i < attribute->length; i++)
        if (!(((char **)data)[i] = strdup(((char **)attribute->data)[i])))
          return NC_ENOMEM;
      return NC_NOERR;
    }
    return NC_ECHAR;
  }
  if ((attribute->type == NC_CHAR) != (memory == NC_CHAR))
    return NC_ECHAR;
  return zn_convert(attribute->type, attribute->data, memory, data, attribute->length);
}

/* Writes an attribute, or takes it away, in a node that is in the store already. */
static int write_through(zn_group *group, zn_var *var, const zn_attribute *attribute) {
  zarrc_error err;
  zarrc_attributes *to = var ? (var->array ? zarrc_array_attributes(var->array) : NULL)
                             : zarrc_group_attributes(group->handle);
  if (!to)
    return NC_NOERR;
  if (var && var->kind == ZN_FIXED && strcmp(attribute->name, "_FillValue") == 0 &&
      attribute->type != NC_CHAR)
    return zarrc_array_set_missing_value(var->array, attribute->data, var->size, &err) == ZARRC_OK
               ? NC_NOERR
               : zn_status(&err);
  return store_one(attribute, to);
}

int zn_put_att(int ncid, int varid, const char *name, nc_type type, size_t length,
               const void *data, nc_type memory) {
  FIND;
  if (!file->writable)
    return NC_EPERM;
  if (!name || !*name || (length && !data))
    return !name || !*name ? NC_EBADNAME : NC_EINVAL;
  if (strlen(name) > NC_MAX_NAME)
    return NC_EMAXNAME;
  if (zn_hidden(name))
    return zn_fail(NC_ENAMEINUSE, "attribute %s is kept for dimensions", name);
  if (memory == NC_NAT)
    memory = type;
  bool fill = var && var->kind == ZN_FIXED && strcmp(name, "_FillValue") == 0;
  if (fill && (type != var->type || length != 1))
    return type != var->type ? NC_EBADTYPE : NC_EINVAL;
  if (!zn_type_name(type) || !zn_type_name(memory))
    return zn_fail(NC_EBADTYPE, "attribute %s: attributes have netCDF's own types", name);
  if ((type == NC_CHAR) != (memory == NC_CHAR) || (type == NC_STRING) != (memory == NC_STRING))
    return NC_ECHAR;
  if (type == NC_CHAR) /* JSON text ends where C's does */
    while (length && ((const char *)data)[length - 1] == 0)
      length--;
  zn_attributes fresh = {0};
  zn_attribute *made;
  status = place(&fresh, name, type, length, &made);
  int range = NC_NOERR;
  if (!status && type == NC_STRING)
    for (size_t i = 0; i < length && !status; i++) {
      const char *text = ((char *const *)data)[i];
      status = (((char **)made->data)[i] = strdup(text ? text : "")) ? NC_NOERR : NC_ENOMEM;
    }
  else if (!status) {
    status = zn_convert(memory, data, type, made->data, length);
    if (status == NC_ERANGE) { /* stored all the same, as netCDF-C does */
      range = status;
      status = NC_NOERR;
    }
  }
  if (!status)
    status = write_through(group, var, made);
  zn_attribute *old = zn_attribute_named(all, name);
  if (!status && old) { /* in the place of the old one */
    zn_attribute keep = *old;
    *old = *made;
    *made = keep;
  } else if (!status) {
    status = zn_push(&all->list, made);
    if (!status)
      fresh.list.count = 0;
  }
  zn_free_attributes(&fresh);
  return status ? status : range;
}

int zn_del_att(int ncid, int varid, const char *name) {
  FIND_ONE;
  zarrc_error err;
  if (!file->writable)
    return NC_EPERM;
  zarrc_attributes *from = var ? (var->array ? zarrc_array_attributes(var->array) : NULL)
                               : zarrc_group_attributes(group->handle);
  if (from && zarrc_attributes_delete(from, name, &err) != ZARRC_OK)
    return err.status == ZARRC_NOT_FOUND
               ? zn_fail(NC_EINVAL, "attribute %s is the array's fill value, which stays", name)
               : zn_status(&err);
  int at = 0;
  while (all->list.items[at] != attribute)
    at++;
  memmove(all->list.items + at, all->list.items + at + 1,
          (size_t)(all->list.count - at - 1) * sizeof *all->list.items);
  all->list.count--;
  free_data(attribute);
  free(attribute->name);
  free(attribute);
  return NC_NOERR;
}

int zn_rename_att(int ncid, int varid, const char *name, const char *to) {
  FIND_ONE;
  if (zn_attribute_named(all, to))
    return NC_ENAMEINUSE;
  status = zn_put_att(ncid, varid, to, attribute->type, attribute->length, attribute->data,
                      attribute->type);
  return status ? status : zn_del_att(ncid, varid, name);
}
