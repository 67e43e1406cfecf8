/* The netCDF data model of an open Zarr store. Functions return a status of netCDF. */
#ifndef ZARRC_NETCDF_INTERNAL_H
#define ZARRC_NETCDF_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zarrc.h>

#include "zarrc_netcdf.h"

/* A list that grows. */
typedef struct zn_list {
  void **items;
  int count, room;
} zn_list;

/* An attribute, wholly in memory. Text has no NUL at its end. */
typedef struct zn_attribute {
  char *name;
  nc_type type;
  size_t length;
  void *data; /* NC_STRING: char *[] */
} zn_attribute;

/* The attributes of a variable or group; read from the store when first asked for. */
typedef struct zn_attributes {
  zn_list list;
  bool loaded;
} zn_attributes;

typedef struct zn_dim {
  char *name;
  size_t length;
  bool unlimited;
  bool placed; /* an array in the store has it: the name stands there */
  int id;
  struct zn_group *group;
} zn_dim;

/* How elements lie in memory. */
typedef enum zn_kind {
  ZN_FIXED,  /* numbers and characters */
  ZN_PARTS,  /* elements of several numbers: complex, bytes; they are the last dimension */
  ZN_TEXT,   /* strings of a fixed size in the store, NC_STRING here */
  ZN_STRING, /* strings of variable length, and JSON */
  ZN_NONE,   /* runs of variable length: netCDF-C cannot take them from a user-defined format */
} zn_kind;

typedef struct zn_var {
  char *name;
  struct zn_group *group;
  int id;
  nc_type type;
  zn_kind kind;
  zarrc_data_type memory; /* what zarrc is asked for, to have `type` in memory */
  size_t size;            /* bytes of an element: of `type`, or in the store for ZN_TEXT */
  size_t parts;           /* of ZN_PARTS */
  int rank;               /* one more than the array's for ZN_PARTS */
  size_t array_rank;
  int *dims;
  uint64_t *extent; /* the array's shape; may lag behind its unlimited dimensions */
  zn_attributes attributes;
  zarrc_array *array; /* NULL until it is created: nc_enddef() or the first transfer */
  /* what it is created with */
  size_t *chunks;
  int deflate; /* level; -1: none */
  int zstd;    /* likewise */
  bool shuffle, checksum, big_endian, no_fill;
  bool filters_loaded; /* of an array in the store: what deflate, shuffle and checksum are */
} zn_var;

typedef struct zn_group {
  char *name;
  char *path; /* "" for the root */
  int id;
  struct zn_group *parent;
  struct zn_file *file;
  zn_list groups, dims, vars;
  zn_attributes attributes;
  zarrc_group *handle; /* NULL where the root of the store is an array */
  bool dims_changed;   /* the record of unlimited and unused dimensions is stale */
} zn_group;

typedef struct zn_file {
  int ncid;
  bool writable, created, no_fill;
  bool v2; /* the format of the root, and so of new arrays: Zarr v2 */
  zarrc_store *store;
  zn_list groups; /* by id */
  zn_list dims;   /* by id */
} zn_file;

/* ---- error.c ---- */
int zn_status(const zarrc_error *err);            /* keeps the message */
int zn_fail(int status, const char *format, ...); /* likewise */

/* ---- model.c: lists and lookups ---- */
int zn_push(zn_list *list, void *item);
char *zn_join(const char *path, const char *name);
int zn_find(int ncid, zn_file **file, zn_group **group);
int zn_find_var(int ncid, int varid, zn_file **file, zn_var **var);
zn_dim *zn_dim_named(zn_group *group, const char *name); /* in the group and those above */
int zn_add_dim(zn_group *group, const char *name, size_t length, bool unlimited, zn_dim **dim);
int zn_add_group(zn_file *file, zn_group *parent, const char *name, zn_group **group);
int zn_add_var(zn_group *group, const char *name, int rank, zn_var **var);
int zn_check_name(zn_group *group, const char *name);
int zn_register_file(zn_file *file);
void zn_free_file(zn_file *file);

/* ---- load.c: from the store ---- */
int zn_load(zn_file *file, const char *url);
int zn_refresh(zn_file *file); /* what others have appended meanwhile */
bool zn_hidden(const char *attribute);
extern const char zn_dim_names[], zn_dim_sizes[];

/* ---- types.c ---- */
int zn_type_of_array(const zarrc_array *array, zn_var *var);
void zn_set_type(zn_var *var, nc_type type);
zarrc_data_type zn_memory_type(nc_type type); /* ZARRC_NATIVE: not a number */
size_t zn_type_size(nc_type type);            /* 0: none of netCDF's own */
const void *zn_default_fill(nc_type type);
const char *zn_type_name(nc_type type);

/* ---- convert.c ---- */
bool zn_is_number(nc_type type);
bool zn_widens(nc_type from, nc_type to);
int zn_convert(nc_type from, const void *source, nc_type to, void *target, size_t count);

/* ---- attribute_json.c ---- */
int zn_load_attributes(zn_group *group, zn_var *var);
zn_attribute *zn_attribute_named(zn_attributes *attributes, const char *name);
int zn_place_attribute(zn_attributes *attributes, const char *name, nc_type type, size_t length,
                       zn_attribute **placed); /* with zeroed room; replaces an old one */
int zn_store_attribute(const zn_attribute *attribute, zarrc_attributes *to);
void zn_free_data(zn_attribute *attribute);
int zn_store_attributes(zn_attributes *attributes, zarrc_attributes *to);
void zn_free_attributes(zn_attributes *attributes);

/* ---- inquire.c ---- */
int zn_fill_value(zn_var *var, void *element); /* of what was never written */

/* ---- create.c ---- */
int zn_create_array(zn_file *file, zn_var *var);
int zn_sync(zn_file *file);

/* ---- transfer.c ---- */
typedef struct zn_box {
  uint64_t *start, *step, *count; /* NULL for a rank of 0 */
  int64_t *strides;               /* bytes in memory */
} zn_box;
size_t zn_box_elements(const zn_var *var, const zn_box *box);
int64_t zn_box_offset(const zn_var *var, const zn_box *box, size_t element);

/* ---- text.c: NC_STRING ---- */
int zn_read_text(zn_var *var, const zn_box *box, char *data);
int zn_write_text(zn_var *var, const zn_box *box, const char *data);

#endif
