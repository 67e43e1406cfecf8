/*
 * Prints what is in a store: every node, with the shape, type and attributes of arrays.
 *
 *     tree heat.zarr
 */
#include <stdio.h>
#include <stdlib.h>
#include <zarrc.h>

static const char *const types[] = {
    "native",  "bool",     "int8",    "int16",   "int32",      "int64",       "uint8",
    "uint16",  "uint32",   "uint64",  "float16", "bfloat16",   "float32",     "float64",
    "complex64", "complex128", "raw", "fixed bytes", "fixed utf-32", "datetime64", "timedelta64",
    "struct",  "string",   "bytes",   "ragged",  "json",
    "int2", "int4", "uint2", "uint4", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn",
    "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz",
    "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "complex_float16", "complex_bfloat16",
    "complex_float4_e2m1fn", "complex_float6_e2m3fn", "complex_float6_e3m2fn",
    "complex_float8_e3m4", "complex_float8_e4m3", "complex_float8_e4m3b11fnuz",
    "complex_float8_e4m3fn", "complex_float8_e4m3fnuz", "complex_float8_e5m2",
    "complex_float8_e5m2fnuz", "complex_float8_e8m0fnu",
};

static zarrc_error error;

static void must(zarrc_status status) {
  if (status != ZARRC_OK) {
    fprintf(stderr, "%s: %s\n", zarrc_status_name(status), error.message);
    exit(1);
  }
}

static void print_array(zarrc_store *store, const char *path) {
  zarrc_array *array = NULL;
  uint64_t shape[64];
  char *json = NULL;
  must(zarrc_array_open(store, path, &array, &error));
  size_t rank = zarrc_array_rank(array);
  if (rank <= 64)
    must(zarrc_array_shape(array, rank, shape, &error));
  size_t type = (size_t)zarrc_array_data_type(array);
  printf("%s  %s (", path, type < sizeof types / sizeof *types ? types[type] : "another type");
  for (size_t d = 0; d < rank && d < 64; d++)
    printf("%s%llu", d ? ", " : "", (unsigned long long)shape[d]);
  must(zarrc_attributes_json(zarrc_array_attributes(array), &json, &error));
  printf(")  %s\n", json);
  zarrc_string_free(json);
  must(zarrc_array_close(array, &error));
}

int main(int argc, char **argv) {
  zarrc_store *store = NULL;
  zarrc_group *root = NULL;
  zarrc_listing *nodes = NULL;
  if (argc != 2) {
    fprintf(stderr, "usage: %s STORE\n", argv[0]);
    return 2;
  }
  must(zarrc_store_open(argv[1], ZARRC_READ, NULL, &store, &error));
  must(zarrc_group_open(store, "", &root, &error));
  must(zarrc_group_list(root, true, &nodes, &error));
  for (size_t i = 0; i < zarrc_listing_count(nodes); i++) {
    const char *path = zarrc_listing_path(nodes, i);
    if (zarrc_listing_kind(nodes, i) == ZARRC_NODE_ARRAY)
      print_array(store, path);
    else
      printf("%s/\n", path);
  }
  zarrc_listing_free(nodes);
  must(zarrc_group_close(root, &error));
  must(zarrc_store_close(store, &error));
  return 0;
}
