/* Attributes, as netCDF-C asks for them. */
#include "dispatch.h"
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Writes or deletes an attribute of a node that exists in the store. */
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
  return zn_store_attribute(attribute, to);
}

int zn_put_att(int ncid, int varid, const char *name, nc_type type, size_t length, const void *data,
               nc_type memory) {
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
  status = zn_place_attribute(&fresh, name, type, length, &made);
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
  zn_free_data(attribute);
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
