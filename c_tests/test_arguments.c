/* Every function refuses what a caller can get wrong, by name, and does nothing else. */
#include "check.h"

static zarrc_store *store;
static zarrc_group *group;
static zarrc_array *array; /* int32, 4 x 6 */
static zarrc_attributes *attributes;
static zarrc_array_spec *spec;

static const uint64_t shape[] = {4, 6}, chunks[] = {2, 3}, origin[] = {0, 0};

static void strings_and_options(void) {
  zarrc_options *options = zarrc_options_new();
  zarrc_string_free(NULL);
  zarrc_value_free(NULL, 0);
  REFUSES(zarrc_build_info(NULL, &err), "json");
  REFUSES(zarrc_options_set(NULL, "name", "value", &err), "options");
  REFUSES(zarrc_options_set(options, NULL, "value", &err), "name");
  REFUSES(zarrc_options_set(options, "name", NULL, &err), "value");
  zarrc_options_free(options);
  zarrc_options_free(NULL);
}

static void stores(void) {
  zarrc_store *other = NULL;
  uint8_t *value = NULL;
  size_t size = 0;
  REFUSES(zarrc_store_open(NULL, ZARRC_READ, NULL, &other, &err), "url");
  REFUSES(zarrc_store_open("memory:", ZARRC_APPEND, NULL, NULL, &err), "store");
  REFUSES(zarrc_store_open("memory:", 5, NULL, &other, &err), "mode");
  REFUSES(zarrc_store_open("bad \xff utf8", ZARRC_READ, NULL, &other, &err), "url");
  REFUSES(zarrc_store_get(NULL, "k", &value, &size, &err), "store");
  REFUSES(zarrc_store_get(store, NULL, &value, &size, &err), "key");
  REFUSES(zarrc_store_get(store, "k", NULL, &size, &err), "value");
  REFUSES(zarrc_store_get(store, "k", &value, NULL, &err), "size");
  REFUSES(zarrc_store_get_range(NULL, "k", 0, 1, &value, &size, &err), "store");
  REFUSES(zarrc_store_get_range(store, NULL, 0, 1, &value, &size, &err), "key");
  REFUSES(zarrc_store_get_range(store, "k", 0, 1, NULL, &size, &err), "value");
  REFUSES(zarrc_store_get_range(store, "k", 0, 1, &value, NULL, &err), "size");
  REFUSES(zarrc_store_set(NULL, "k", "v", 1, &err), "store");
  REFUSES(zarrc_store_set(store, NULL, "v", 1, &err), "key");
  REFUSES(zarrc_store_set(store, "k", NULL, 1, &err), "value");
  REFUSES(zarrc_store_set(store, "k", "v", SIZE_MAX, &err), "value");
  REFUSES(zarrc_store_erase(NULL, "k", &err), "store");
  REFUSES(zarrc_store_erase(store, NULL, &err), "key");
  REFUSES(zarrc_store_erase_prefix(NULL, "k", &err), "store");
  REFUSES(zarrc_store_erase_prefix(store, NULL, &err), "prefix");
  REFUSES(zarrc_store_forget(NULL, "", &err), "store");
  REFUSES(zarrc_store_forget(store, NULL, &err), "prefix");
  REFUSES(zarrc_store_forget(store, "no/slash", &err), "no/slash");
  OK(zarrc_store_close(NULL, &err));
  CHECK(other == NULL && value == NULL);
}

static void hierarchy(void) {
  zarrc_node_kind kind = -1;
  zarrc_group *other = NULL;
  zarrc_listing *listing = NULL;
  REFUSES(zarrc_node_kind_at(NULL, "", &kind, &err), "store");
  REFUSES(zarrc_node_kind_at(store, NULL, &kind, &err), "path");
  REFUSES(zarrc_node_kind_at(store, "", NULL, &err), "kind");
  REFUSES(zarrc_group_open(NULL, "", &other, &err), "store");
  REFUSES(zarrc_group_open(store, NULL, &other, &err), "path");
  REFUSES(zarrc_group_open(store, "", NULL, &err), "group");
  REFUSES(zarrc_group_create(NULL, "n", ZARRC_FORMAT_V3, &other, &err), "store");
  REFUSES(zarrc_group_create(store, NULL, ZARRC_FORMAT_V3, &other, &err), "path");
  REFUSES(zarrc_group_create(store, "n", 8, &other, &err), "format");
  REFUSES(zarrc_group_create(store, "n", -1, &other, &err), "format");
  REFUSES(zarrc_group_create(store, "n", ZARRC_FORMAT_V3, NULL, &err), "group");
  REFUSES(zarrc_group_list(NULL, false, &listing, &err), "group");
  REFUSES(zarrc_group_list(group, false, NULL, &err), "listing");
  REFUSES(zarrc_node_delete(NULL, "n", &err), "store");
  REFUSES(zarrc_node_delete(store, NULL, &err), "path");
  REFUSES(zarrc_node_delete_with(NULL, "n", NULL, NULL, NULL, &err), "store");
  REFUSES(zarrc_node_delete_with(store, NULL, NULL, NULL, NULL, &err), "path");
  OK(zarrc_group_close(NULL, &err));
  CHECK(zarrc_group_attributes(NULL) == NULL);
  SAME(zarrc_listing_count(NULL), 0);
  CHECK(zarrc_listing_path(NULL, 0) == NULL);
  SAME(zarrc_listing_kind(NULL, 0), ZARRC_NODE_NONE);
  zarrc_listing_free(NULL);
  SAME(kind, -1);
  CHECK(other == NULL && listing == NULL && !has_key(store, "n/zarr.json"));
}

static void attribute_calls(void) {
  char *text = NULL;
  double number = 7;
  int64_t integer = 7;
  REFUSES(zarrc_attributes_json(NULL, &text, &err), "attributes");
  REFUSES(zarrc_attributes_json(attributes, NULL, &err), "json");
  REFUSES(zarrc_attributes_replace_json(NULL, "{}", &err), "attributes");
  REFUSES(zarrc_attributes_replace_json(attributes, NULL, &err), "json");
  REFUSES(zarrc_attributes_get_json(NULL, "k", &text, &err), "attributes");
  REFUSES(zarrc_attributes_get_json(attributes, NULL, &text, &err), "key");
  REFUSES(zarrc_attributes_get_json(attributes, "k", NULL, &err), "json");
  REFUSES(zarrc_attributes_set_json(NULL, "k", "1", &err), "attributes");
  REFUSES(zarrc_attributes_set_json(attributes, NULL, "1", &err), "key");
  REFUSES(zarrc_attributes_set_json(attributes, "k", NULL, &err), "json");
  REFUSES(zarrc_attributes_get_double(NULL, "k", &number, &err), "attributes");
  REFUSES(zarrc_attributes_get_double(attributes, NULL, &number, &err), "key");
  REFUSES(zarrc_attributes_get_double(attributes, "k", NULL, &err), "value");
  REFUSES(zarrc_attributes_set_double(NULL, "k", 1, &err), "attributes");
  REFUSES(zarrc_attributes_set_double(attributes, NULL, 1, &err), "key");
  REFUSES(zarrc_attributes_get_int64(NULL, "k", &integer, &err), "attributes");
  REFUSES(zarrc_attributes_get_int64(attributes, NULL, &integer, &err), "key");
  REFUSES(zarrc_attributes_get_int64(attributes, "k", NULL, &err), "value");
  REFUSES(zarrc_attributes_set_int64(NULL, "k", 1, &err), "attributes");
  REFUSES(zarrc_attributes_set_int64(attributes, NULL, 1, &err), "key");
  REFUSES(zarrc_attributes_get_string(NULL, "k", &text, &err), "attributes");
  REFUSES(zarrc_attributes_get_string(attributes, NULL, &text, &err), "key");
  REFUSES(zarrc_attributes_get_string(attributes, "k", NULL, &err), "value");
  REFUSES(zarrc_attributes_set_string(NULL, "k", "v", &err), "attributes");
  REFUSES(zarrc_attributes_set_string(attributes, NULL, "v", &err), "key");
  REFUSES(zarrc_attributes_set_string(attributes, "k", NULL, &err), "value");
  REFUSES(zarrc_attributes_delete(NULL, "k", &err), "attributes");
  REFUSES(zarrc_attributes_delete(attributes, NULL, &err), "key");
  CHECK(number == 7 && integer == 7 && text == NULL);
}

static void specs(void) {
  static const uint64_t zero[] = {0, 3}, three[] = {1, 1, 1};
  static const char *const names[] = {"y", "x"}, *const bad_names[] = {"y", "\xff"};
  zarrc_array_spec *other = NULL;
  const int32_t fill = 0;

  REFUSES(zarrc_array_spec_new(ZARRC_INT32, 2, NULL, &other, &err), "shape");
  REFUSES(zarrc_array_spec_new(ZARRC_INT32, 2, shape, NULL, &err), "spec");
  REFUSES(zarrc_array_spec_new(99, 2, shape, &other, &err), "data_type");
  /* a rank far too large: the shape is not read */
  FAILS(zarrc_array_spec_new(ZARRC_INT32, (size_t)1 << 40, shape, &other, &err),
        ZARRC_LIMIT_EXCEEDED);
  FAILS(zarrc_array_create_from_buffer(store, "n", ZARRC_INT32, (size_t)1 << 40, shape, shape, 8,
                                       NULL, &err),
        ZARRC_LIMIT_EXCEEDED);
  REFUSES(zarrc_array_spec_new(-1, 2, shape, &other, &err), "data_type");
  REFUSES(zarrc_array_spec_new(ZARRC_NATIVE, 2, shape, &other, &err), "data_type");
  FAILS_EITHER(zarrc_array_spec_new(ZARRC_INT32, SIZE_MAX, shape, &other, &err),
               ZARRC_INVALID_ARGUMENT, ZARRC_LIMIT_EXCEEDED);
  FAILS_EITHER(zarrc_array_spec_new(ZARRC_INT32, SIZE_MAX / 8 + 2, shape, &other, &err),
               ZARRC_INVALID_ARGUMENT, ZARRC_LIMIT_EXCEEDED);
  CHECK(other == NULL);
  zarrc_array_spec_free(NULL);

  REFUSES(zarrc_array_spec_set_format(NULL, ZARRC_FORMAT_V3, &err), "spec");
  REFUSES(zarrc_array_spec_set_format(spec, 8, &err), "format");
  REFUSES(zarrc_array_spec_set_format(spec, -1, &err), "format");
  REFUSES(zarrc_array_spec_set_data_type(NULL, "<i4", &err), "spec");
  REFUSES(zarrc_array_spec_set_data_type(spec, NULL, &err), "data_type");
  REFUSES(zarrc_array_spec_set_data_type(spec, "flaot32", &err), "did you mean \"float32\"?");
  FAILS_EITHER(zarrc_array_spec_set_data_type(spec, "<q9", &err), ZARRC_INVALID_ARGUMENT,
               ZARRC_UNSUPPORTED);
  REFUSES(zarrc_array_spec_set_chunk_shape(NULL, 2, chunks, &err), "spec");
  REFUSES(zarrc_array_spec_set_chunk_shape(spec, 2, NULL, &err), "chunk_shape");
  REFUSES(zarrc_array_spec_set_chunk_shape(spec, 3, three, &err), "rank");
  REFUSES(zarrc_array_spec_set_chunk_shape(spec, 2, zero, &err), "chunk_shape");
  REFUSES(zarrc_array_spec_set_chunk_edges(NULL, 0, 2, chunks, &err), "spec");
  REFUSES(zarrc_array_spec_set_chunk_edges(spec, 0, 2, NULL, &err), "edges");
  REFUSES(zarrc_array_spec_set_chunk_edges(spec, 2, 2, chunks, &err), "dimension");
  REFUSES(zarrc_array_spec_set_shard_shape(NULL, 2, chunks, &err), "spec");
  REFUSES(zarrc_array_spec_set_shard_shape(spec, 2, NULL, &err), "shard_shape");
  REFUSES(zarrc_array_spec_set_shard_shape(spec, 1, chunks, &err), "rank");
  REFUSES(zarrc_array_spec_set_shard_shape(spec, 2, zero, &err), "shard_shape");
  REFUSES(zarrc_array_spec_set_fill_value(NULL, &fill, 4, &err), "spec");
  REFUSES(zarrc_array_spec_set_fill_value(spec, NULL, 4, &err), "value");
  REFUSES(zarrc_array_spec_set_fill_value(spec, &fill, 3, &err), "size");
  REFUSES(zarrc_array_spec_set_missing_value(NULL, &fill, 4, &err), "spec");
  REFUSES(zarrc_array_spec_set_missing_value(spec, NULL, 4, &err), "value");
  REFUSES(zarrc_array_spec_set_missing_value(spec, &fill, 3, &err), "size");
  REFUSES(zarrc_array_spec_set_fill_value_json(NULL, "0", &err), "spec");
  REFUSES(zarrc_array_spec_set_fill_value_json(spec, NULL, &err), "json");
  REFUSES(zarrc_array_spec_set_fill_value_json(spec, "{", &err), "json");
  REFUSES(zarrc_array_spec_add_codec(NULL, "zstd", NULL, &err), "spec");
  REFUSES(zarrc_array_spec_add_codec(spec, NULL, NULL, &err), "name");
  REFUSES(zarrc_array_spec_add_codec(spec, "zstd", "{", &err), "configuration_json");
  REFUSES(zarrc_array_spec_add_codec(spec, "zstd", "[]", &err), "configuration_json");
  REFUSES(zarrc_array_spec_set_order(NULL, 'C', &err), "spec");
  REFUSES(zarrc_array_spec_set_order(spec, 'X', &err), "order");
  REFUSES(zarrc_array_spec_set_order(spec, 0, &err), "order");
  REFUSES(zarrc_array_spec_set_separator(NULL, '.', &err), "spec");
  REFUSES(zarrc_array_spec_set_separator(spec, ':', &err), "separator");
  REFUSES(zarrc_array_spec_set_dimension_names(NULL, 2, names, &err), "spec");
  REFUSES(zarrc_array_spec_set_dimension_names(spec, 2, NULL, &err), "names");
  REFUSES(zarrc_array_spec_set_dimension_names(spec, 1, names, &err), "rank");
  REFUSES(zarrc_array_spec_set_dimension_names(spec, 2, bad_names, &err), "names");
  REFUSES(zarrc_array_spec_set_attributes_json(NULL, "{}", &err), "spec");
  REFUSES(zarrc_array_spec_set_attributes_json(spec, NULL, &err), "json");
  REFUSES(zarrc_array_spec_set_attributes_json(spec, "[]", &err), "json");
}

static void arrays(void) {
  zarrc_array *other = NULL;
  uint64_t got[3] = {77, 77, 77};
  int32_t fill = 0;
  char *json = NULL;
  REFUSES(zarrc_array_create(NULL, "n", spec, &other, &err), "store");
  REFUSES(zarrc_array_create(store, NULL, spec, &other, &err), "path");
  REFUSES(zarrc_array_create(store, "n", NULL, &other, &err), "spec");
  REFUSES(zarrc_array_create(store, "n", spec, NULL, &err), "array");
  REFUSES(zarrc_array_create_json(store, "n", ZARRC_FORMAT_V3, "{}", NULL, &err), "array");
  REFUSES(zarrc_array_create_json(NULL, "n", ZARRC_FORMAT_V3, "{}", &other, &err), "store");
  REFUSES(zarrc_array_create_json(store, NULL, ZARRC_FORMAT_V3, "{}", &other, &err), "path");
  REFUSES(zarrc_array_create_json(store, "n", 8, "{}", &other, &err), "format");
  REFUSES(zarrc_array_create_json(store, "n", ZARRC_FORMAT_V3, NULL, &other, &err),
          "metadata_json");
  FAILS_EITHER(zarrc_array_create_json(store, "n", ZARRC_FORMAT_V3, "{", &other, &err),
               ZARRC_INVALID_ARGUMENT, ZARRC_INVALID_METADATA);
  FAILS_EITHER(zarrc_array_create_json(store, "n", ZARRC_FORMAT_V3, "{}", &other, &err),
               ZARRC_INVALID_ARGUMENT, ZARRC_INVALID_METADATA);
  REFUSES(zarrc_array_open_json(store, "n", ZARRC_FORMAT_V3, "{}", NULL, &err), "array");
  REFUSES(zarrc_array_open_json(NULL, "n", ZARRC_FORMAT_V3, "{}", &other, &err), "store");
  REFUSES(zarrc_array_open_json(store, NULL, ZARRC_FORMAT_V3, "{}", &other, &err), "path");
  REFUSES(zarrc_array_open_json(store, "n", ZARRC_FORMAT_ANY, "{}", &other, &err), "format");
  REFUSES(zarrc_array_open_json(store, "n", ZARRC_FORMAT_V3, NULL, &other, &err), "metadata_json");
  REFUSES(zarrc_array_open(NULL, "a", &other, &err), "store");
  REFUSES(zarrc_array_open(store, NULL, &other, &err), "path");
  REFUSES(zarrc_array_open(store, "a", NULL, &err), "array");
  OK(zarrc_array_close(NULL, &err));

  SAME(zarrc_array_format(NULL), 0);
  SAME(zarrc_array_data_type(NULL), 0);
  SAME(zarrc_array_element_size(NULL), 0);
  SAME(zarrc_array_rank(NULL), 0);
  CHECK(zarrc_data_type_name(-1) == NULL && zarrc_data_type_name(INT32_MAX) == NULL);
  CHECK(zarrc_data_type_size(-1) == 0 && zarrc_data_type_size(INT32_MAX) == 0);
  CHECK(zarrc_array_attributes(NULL) == NULL);

  REFUSES(zarrc_array_shape(NULL, 2, got, &err), "array");
  REFUSES(zarrc_array_shape(array, 3, got, &err), "rank");
  REFUSES(zarrc_array_shape(array, 1, got, &err), "rank");
  REFUSES(zarrc_array_shape(array, SIZE_MAX, got, &err), "rank");
  REFUSES(zarrc_array_shape(array, 2, NULL, &err), "shape");
  REFUSES(zarrc_array_chunk_shape(NULL, 2, got, &err), "array");
  REFUSES(zarrc_array_chunk_shape(array, 3, got, &err), "rank");
  REFUSES(zarrc_array_chunk_shape(array, 2, NULL, &err), "chunk_shape");
  REFUSES(zarrc_array_chunk_counts(NULL, 2, got, &err), "array");
  REFUSES(zarrc_array_chunk_counts(array, 3, got, &err), "rank");
  REFUSES(zarrc_array_chunk_counts(array, 2, NULL, &err), "counts");
  REFUSES(zarrc_array_chunk_bounds(NULL, 2, got, got, got, &err), "array");
  REFUSES(zarrc_array_chunk_bounds(array, 3, got, got, got, &err), "rank");
  REFUSES(zarrc_array_chunk_bounds(array, 2, NULL, got, got, &err), "index");
  REFUSES(zarrc_array_shard_shape(NULL, 2, got, &err), "array");
  REFUSES(zarrc_array_shard_shape(array, 3, got, &err), "rank");
  FAILS(zarrc_array_shard_shape(array, 2, got, &err), ZARRC_NOT_FOUND); /* it has none */
  REFUSES(zarrc_array_fill_value(NULL, &fill, 4, &err), "array");
  REFUSES(zarrc_array_fill_value(array, NULL, 4, &err), "value");
  REFUSES(zarrc_array_fill_value(array, &fill, 3, &err), "size");
  const char *name = NULL;
  REFUSES(zarrc_array_data_type_text(NULL, &json, &err), "array");
  REFUSES(zarrc_array_data_type_text(array, NULL, &err), "text");
  REFUSES(zarrc_array_dimension_name(NULL, 0, &name, &err), "array");
  REFUSES(zarrc_array_dimension_name(array, 2, &name, &err), "dimension");
  REFUSES(zarrc_array_dimension_name(array, 0, NULL, &err), "name");
  REFUSES(zarrc_array_set_missing_value(NULL, &fill, 4, &err), "array");
  REFUSES(zarrc_array_set_missing_value(array, NULL, 4, &err), "value");
  REFUSES(zarrc_array_set_missing_value(array, &fill, 3, &err), "size");
  REFUSES(zarrc_array_metadata_json(NULL, &json, &err), "array");
  REFUSES(zarrc_array_metadata_json(array, NULL, &err), "json");
  REFUSES(zarrc_array_resize(NULL, 2, shape, &err), "array");
  REFUSES(zarrc_array_resize(array, 2, NULL, &err), "shape");
  REFUSES(zarrc_array_resize(array, 3, shape, &err), "rank");
  REFUSES(zarrc_array_flush(NULL, &err), "array");
  CHECK(got[0] == 77 && got[2] == 77 && json == NULL && other == NULL);
  CHECK(!has_key(store, "n/zarr.json"));
}

static void reading_and_writing(void) {
  static const uint64_t none[] = {0, 0}, past[] = {4, 6}, beyond[] = {5, 0}, most[] = {4, 7},
                        enormous[] = {UINT64_MAX, UINT64_MAX}, far[] = {UINT64_MAX, 0},
                        half[] = {UINT64_MAX / 2 + 1, 2}, zero_step[] = {1, 0}, two[] = {2, 2},
                        step[] = {UINT64_MAX, UINT64_MAX / 2}, one[] = {1, 1};
  static const int64_t wild[] = {INT64_MIN, INT64_MAX};
  int32_t memory[24] = {0};

  REFUSES(zarrc_array_read(NULL, origin, shape, ZARRC_INT32, memory, sizeof memory, &err),
          "array");
  REFUSES(zarrc_array_read(array, origin, shape, ZARRC_INT32, NULL, sizeof memory, &err),
          "buffer");
  REFUSES(zarrc_array_read(array, origin, shape, 99, memory, sizeof memory, &err), "memory_type");
  REFUSES(zarrc_array_read(array, origin, shape, -1, memory, sizeof memory, &err), "memory_type");
  REFUSES(zarrc_array_read(array, origin, shape, ZARRC_INT32, memory, sizeof memory - 1, &err),
          "buffer_size");
  REFUSES(zarrc_array_read(array, NULL, NULL, ZARRC_INT64, memory, sizeof memory, &err),
          "buffer_size");
  REFUSES(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, memory, 0, &err), "buffer_size");
  REFUSES(zarrc_array_write(NULL, origin, shape, ZARRC_INT32, memory, sizeof memory, &err),
          "array");
  REFUSES(zarrc_array_write(array, origin, shape, ZARRC_INT32, NULL, sizeof memory, &err),
          "buffer");
  REFUSES(zarrc_array_write(array, origin, shape, 99, memory, sizeof memory, &err),
          "memory_type");
  REFUSES(zarrc_array_write(array, origin, shape, ZARRC_INT32, memory, sizeof memory - 1, &err),
          "buffer_size");
  REFUSES(zarrc_array_read_strided(NULL, NULL, NULL, NULL, ZARRC_INT32, memory, NULL, &err),
          "array");
  REFUSES(zarrc_array_read_strided(array, NULL, NULL, NULL, ZARRC_INT32, NULL, NULL, &err),
          "buffer");
  REFUSES(zarrc_array_read_strided(array, NULL, NULL, NULL, 99, memory, NULL, &err),
          "memory_type");
  REFUSES(zarrc_array_read_strided(array, NULL, zero_step, NULL, ZARRC_INT32, memory, NULL, &err),
          "step");
  REFUSES(zarrc_array_write_strided(NULL, NULL, NULL, NULL, ZARRC_INT32, memory, NULL, &err),
          "array");
  REFUSES(zarrc_array_write_strided(array, NULL, NULL, NULL, ZARRC_INT32, NULL, NULL, &err),
          "buffer");
  REFUSES(zarrc_array_write_strided(array, NULL, NULL, NULL, 99, memory, NULL, &err),
          "memory_type");
  REFUSES(zarrc_array_write_strided(array, NULL, zero_step, NULL, ZARRC_INT32, memory, NULL, &err),
          "step");

  /* Boxes that leave the array, and sums and products that leave 64 bits. */
  static const struct {
    const uint64_t *start, *step, *count;
  } outside[] = {
      {beyond, NULL, one}, {past, NULL, one},      {origin, NULL, most},  {one, NULL, shape},
      {far, NULL, one},    {far, NULL, two},       {one, NULL, enormous}, {origin, NULL, half},
      {beyond, NULL, NULL}, {origin, two, shape},  {one, step, two},      {far, step, two},
  };
  for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
    const uint64_t *start = outside[i].start, *by = outside[i].step, *count = outside[i].count;
    if (!by) {
      FAILS(zarrc_array_read(array, start, count, ZARRC_INT32, memory, SIZE_MAX / 2, &err),
            ZARRC_OUT_OF_BOUNDS);
      FAILS(zarrc_array_write(array, start, count, ZARRC_INT32, memory, SIZE_MAX / 2, &err),
            ZARRC_OUT_OF_BOUNDS);
    }
    FAILS(zarrc_array_read_strided(array, start, by, count, ZARRC_INT32, memory, NULL, &err),
          ZARRC_OUT_OF_BOUNDS);
    FAILS(zarrc_array_write_strided(array, start, by, count, ZARRC_INT32, memory, NULL, &err),
          ZARRC_OUT_OF_BOUNDS);
  }
  FAILS_EITHER(zarrc_array_read_strided(array, NULL, NULL, NULL, ZARRC_INT32, memory, wild, &err),
               ZARRC_INVALID_ARGUMENT, ZARRC_OUT_OF_BOUNDS);

  /* Nothing of a box at the end is inside. */
  OK(zarrc_array_read(array, past, none, ZARRC_INT32, NULL, 0, &err));
  OK(zarrc_array_write(array, past, none, ZARRC_INT32, NULL, 0, &err));
}

static void selections(void) {
  zarrc_selection *s = NULL;
  zarrc_vlen *values = NULL;
  uint64_t extents[2];
  const uint64_t offsets[25] = {0};
  const uint8_t mask[24] = {0};
  int32_t memory[24] = {0};
  REFUSES(zarrc_selection_new(NULL, &s, &err), "array");
  REFUSES(zarrc_selection_new(array, NULL, &err), "selection");
  OK(zarrc_selection_new(array, &s, &err));
  REFUSES(zarrc_selection_set_range(NULL, 0, 0, 1, 1, &err), "selection");
  REFUSES(zarrc_selection_set_range(s, 2, 0, 1, 1, &err), "dimension");
  REFUSES(zarrc_selection_set_range(s, 0, 0, 0, 1, &err), "step");
  REFUSES(zarrc_selection_set_index(NULL, 0, 0, &err), "selection");
  REFUSES(zarrc_selection_set_index(s, 2, 0, &err), "dimension");
  REFUSES(zarrc_selection_set_indices(NULL, 0, 1, origin, &err), "selection");
  REFUSES(zarrc_selection_set_indices(s, SIZE_MAX, 1, origin, &err), "dimension");
  REFUSES(zarrc_selection_set_indices(s, 0, 1, NULL, &err), "indices");
  REFUSES(zarrc_selection_set_indices(s, 0, SIZE_MAX, origin, &err), "indices");
  REFUSES(zarrc_selection_set_mask(NULL, 0, 4, mask, &err), "selection");
  REFUSES(zarrc_selection_set_mask(s, 2, 4, mask, &err), "dimension");
  REFUSES(zarrc_selection_set_mask(s, 0, 4, NULL, &err), "mask");
  REFUSES(zarrc_selection_set_mask(s, 0, 3, mask, &err), "count");
  REFUSES(zarrc_selection_set_points(NULL, 1, origin, &err), "selection");
  REFUSES(zarrc_selection_set_points(s, 1, NULL, &err), "coordinates");
  REFUSES(zarrc_selection_set_points(s, SIZE_MAX, origin, &err), "count");
  REFUSES(zarrc_selection_set_element_mask(NULL, mask, 24, &err), "selection");
  REFUSES(zarrc_selection_set_element_mask(s, NULL, 24, &err), "mask");
  REFUSES(zarrc_selection_set_element_mask(s, mask, 23, &err), "mask");
  REFUSES(zarrc_selection_set_blocks(NULL, NULL, NULL, &err), "selection");
  REFUSES(zarrc_selection_set_field(NULL, "x", &err), "selection");
  REFUSES(zarrc_selection_shape(NULL, 2, extents, &err), "selection");
  REFUSES(zarrc_selection_shape(s, 1, extents, &err), "rank");
  REFUSES(zarrc_selection_shape(s, 2, NULL, &err), "shape");
  SAME(zarrc_selection_rank(NULL), 0);
  REFUSES(zarrc_array_read_selection(NULL, s, ZARRC_INT32, memory, NULL, 96, &err), "array");
  REFUSES(zarrc_array_read_selection(array, NULL, ZARRC_INT32, memory, NULL, 96, &err),
          "selection");
  REFUSES(zarrc_array_read_selection(array, s, 99, memory, NULL, 96, &err), "memory_type");
  REFUSES(zarrc_array_read_selection(array, s, ZARRC_INT32, NULL, NULL, 96, &err), "buffer");
  REFUSES(zarrc_array_read_selection(array, s, ZARRC_INT32, memory, NULL, 95, &err),
          "buffer_size");
  REFUSES(zarrc_array_write_selection(NULL, s, ZARRC_INT32, memory, NULL, 96, &err), "array");
  REFUSES(zarrc_array_write_selection(array, NULL, ZARRC_INT32, memory, NULL, 96, &err),
          "selection");
  REFUSES(zarrc_array_write_selection(array, s, 99, memory, NULL, 96, &err), "memory_type");
  REFUSES(zarrc_array_write_selection(array, s, ZARRC_INT32, NULL, NULL, 96, &err), "buffer");
  REFUSES(zarrc_array_write_selection(array, s, ZARRC_INT32, memory, NULL, 95, &err),
          "buffer_size");
  REFUSES(zarrc_array_fill(NULL, s, ZARRC_INT32, memory, 4, &err), "array");
  REFUSES(zarrc_array_fill(array, s, 99, memory, 4, &err), "memory_type");
  REFUSES(zarrc_array_fill(array, s, ZARRC_INT32, NULL, 4, &err), "value");
  REFUSES(zarrc_array_fill(array, s, ZARRC_INT32, memory, 5, &err), "size");
  REFUSES(zarrc_array_read_selection_vlen(NULL, s, &values, &err), "array");
  REFUSES(zarrc_array_read_selection_vlen(array, NULL, &values, &err), "selection");
  REFUSES(zarrc_array_read_selection_vlen(array, s, NULL, &err), "values");
  FAILS(zarrc_array_read_selection_vlen(array, s, &values, &err), ZARRC_TYPE_MISMATCH);
  REFUSES(zarrc_array_write_selection_vlen(NULL, s, offsets, mask, &err), "array");
  REFUSES(zarrc_array_write_selection_vlen(array, NULL, offsets, mask, &err), "selection");
  REFUSES(zarrc_array_write_selection_vlen(array, s, NULL, mask, &err), "offsets");
  FAILS(zarrc_array_write_selection_vlen(array, s, offsets, mask, &err), ZARRC_TYPE_MISMATCH);
  zarrc_selection_free(s);
  zarrc_selection_free(NULL);
}

static void requests(void) {
  zarrc_request *request = NULL;
  zarrc_selection *s = NULL;
  int32_t memory[24] = {0}, fd = 0;
  bool done = false;
  size_t index = 0;
  OK(zarrc_selection_new(array, &s, &err));
  REFUSES(zarrc_array_read_start(NULL, NULL, NULL, ZARRC_INT32, memory, 96, &request, &err),
          "array");
  REFUSES(zarrc_array_read_start(array, NULL, NULL, 99, memory, 96, &request, &err),
          "memory_type");
  REFUSES(zarrc_array_read_start(array, NULL, NULL, ZARRC_INT32, NULL, 96, &request, &err),
          "buffer");
  REFUSES(zarrc_array_read_start(array, NULL, NULL, ZARRC_INT32, memory, 95, &request, &err),
          "buffer_size");
  REFUSES(zarrc_array_read_start(array, NULL, NULL, ZARRC_INT32, memory, 96, NULL, &err),
          "request");
  REFUSES(zarrc_array_write_start(NULL, NULL, NULL, ZARRC_INT32, memory, 96, &request, &err),
          "array");
  REFUSES(zarrc_array_write_start(array, NULL, NULL, 99, memory, 96, &request, &err),
          "memory_type");
  REFUSES(zarrc_array_write_start(array, NULL, NULL, ZARRC_INT32, NULL, 96, &request, &err),
          "buffer");
  REFUSES(zarrc_array_write_start(array, NULL, NULL, ZARRC_INT32, memory, 95, &request, &err),
          "buffer_size");
  REFUSES(zarrc_array_write_start(array, NULL, NULL, ZARRC_INT32, memory, 96, NULL, &err),
          "request");
  REFUSES(zarrc_array_read_selection_start(NULL, s, ZARRC_INT32, memory, NULL, 96, &request, &err),
          "array");
  REFUSES(zarrc_array_read_selection_start(array, NULL, ZARRC_INT32, memory, NULL, 96, &request,
                                           &err),
          "selection");
  REFUSES(zarrc_array_read_selection_start(array, s, ZARRC_INT32, memory, NULL, 96, NULL, &err),
          "request");
  REFUSES(zarrc_array_write_selection_start(NULL, s, ZARRC_INT32, memory, NULL, 96, &request,
                                            &err),
          "array");
  REFUSES(zarrc_array_write_selection_start(array, NULL, ZARRC_INT32, memory, NULL, 96, &request,
                                            &err),
          "selection");
  REFUSES(zarrc_array_write_selection_start(array, s, ZARRC_INT32, memory, NULL, 96, NULL, &err),
          "request");
  CHECK(request == NULL);
  REFUSES(zarrc_request_test(NULL, &done, &err), "request");
  REFUSES(zarrc_request_wait(NULL, &err), "request");
  REFUSES(zarrc_request_wait_any(NULL, 1, &index, &err), "requests");
  REFUSES(zarrc_request_wait_any(&request, 1, &index, &err), "requests");
  REFUSES(zarrc_request_wait_any(&request, 0, &index, &err), "count");
  REFUSES(zarrc_request_wait_any(&request, 1, NULL, &err), "index");
  REFUSES(zarrc_request_fd(NULL, &fd, &err), "request");
  OK(zarrc_array_read_start(array, NULL, NULL, ZARRC_INT32, memory, 96, &request, &err));
  REFUSES(zarrc_request_test(request, NULL, &err), "done");
  REFUSES(zarrc_request_fd(request, NULL, &err), "fd");
  zarrc_request_cancel(NULL);
  zarrc_request_free(NULL);
  zarrc_request_free(request);
  zarrc_selection_free(s);
}

/* More elements than memory has addresses. */
static void attribute_values(void) {
  zarrc_attributes *none = NULL;
  double numbers[1] = {0};
  int64_t integers[1] = {0};
  const char *texts[1] = {NULL};
  size_t count = 0;
  bool truth = false;
  char *text = NULL;
  zarrc_attribute_kind kind = 0;
  REFUSES(zarrc_attributes_get_doubles(NULL, "k", 1, numbers, &count, &err), "attributes");
  REFUSES(zarrc_attributes_get_doubles(attributes, NULL, 1, numbers, &count, &err), "key");
  REFUSES(zarrc_attributes_get_doubles(attributes, "k", 1, NULL, &count, &err), "values");
  REFUSES(zarrc_attributes_get_doubles(attributes, "k", SIZE_MAX, numbers, &count, &err), "values");
  REFUSES(zarrc_attributes_get_doubles(attributes, "k", 1, numbers, NULL, &err), "count");
  REFUSES(zarrc_attributes_set_doubles(NULL, "k", 1, numbers, &err), "attributes");
  REFUSES(zarrc_attributes_set_doubles(attributes, NULL, 1, numbers, &err), "key");
  REFUSES(zarrc_attributes_set_doubles(attributes, "k", 1, NULL, &err), "values");
  REFUSES(zarrc_attributes_get_int64s(NULL, "k", 1, integers, &count, &err), "attributes");
  REFUSES(zarrc_attributes_get_int64s(attributes, NULL, 1, integers, &count, &err), "key");
  REFUSES(zarrc_attributes_get_int64s(attributes, "k", 1, NULL, &count, &err), "values");
  REFUSES(zarrc_attributes_get_int64s(attributes, "k", SIZE_MAX, integers, &count, &err), "values");
  REFUSES(zarrc_attributes_get_int64s(attributes, "k", 1, integers, NULL, &err), "count");
  REFUSES(zarrc_attributes_set_int64s(NULL, "k", 1, integers, &err), "attributes");
  REFUSES(zarrc_attributes_set_int64s(attributes, NULL, 1, integers, &err), "key");
  REFUSES(zarrc_attributes_set_int64s(attributes, "k", 1, NULL, &err), "values");
  REFUSES(zarrc_attributes_set_strings(NULL, "k", 1, texts, &err), "attributes");
  REFUSES(zarrc_attributes_set_strings(attributes, NULL, 1, texts, &err), "key");
  REFUSES(zarrc_attributes_set_strings(attributes, "k", 1, NULL, &err), "values");
  REFUSES(zarrc_attributes_set_strings(attributes, "k", 1, texts, &err), "values[0]");
  REFUSES(zarrc_attributes_get_string_at(NULL, "k", 0, &text, &err), "attributes");
  REFUSES(zarrc_attributes_get_string_at(attributes, NULL, 0, &text, &err), "key");
  REFUSES(zarrc_attributes_get_string_at(attributes, "k", 0, NULL, &err), "value");
  REFUSES(zarrc_attributes_set_float(NULL, "k", 1, &err), "attributes");
  REFUSES(zarrc_attributes_set_float(attributes, NULL, 1, &err), "key");
  REFUSES(zarrc_attributes_set_bool(NULL, "k", true, &err), "attributes");
  REFUSES(zarrc_attributes_set_bool(attributes, NULL, true, &err), "key");
  REFUSES(zarrc_attributes_get_bool(NULL, "k", &truth, &err), "attributes");
  REFUSES(zarrc_attributes_get_bool(attributes, NULL, &truth, &err), "key");
  REFUSES(zarrc_attributes_get_bool(attributes, "k", NULL, &err), "value");
  REFUSES(zarrc_attributes_set_null(NULL, "k", &err), "attributes");
  REFUSES(zarrc_attributes_set_null(attributes, NULL, &err), "key");
  REFUSES(zarrc_attributes_kind(NULL, "k", &kind, &count, &err), "attributes");
  REFUSES(zarrc_attributes_kind(attributes, NULL, &kind, &count, &err), "key");
  REFUSES(zarrc_attributes_count(NULL, &count, &err), "attributes");
  REFUSES(zarrc_attributes_count(attributes, NULL, &err), "count");
  REFUSES(zarrc_attributes_name(NULL, 0, &text, &err), "attributes");
  REFUSES(zarrc_attributes_name(attributes, 0, NULL, &err), "name");
  REFUSES(zarrc_attributes_new(NULL, &err), "attributes");
  REFUSES(zarrc_attributes_update(NULL, attributes, &err), "attributes");
  REFUSES(zarrc_attributes_update(attributes, NULL, &err), "others");
  REFUSES(zarrc_array_spec_set_attributes(NULL, attributes, &err), "spec");
  REFUSES(zarrc_array_spec_set_attributes(spec, NULL, &err), "attributes");
  zarrc_attributes_free(none);
  CHECK(text == NULL);
}

static bool no_chunk(void *user, const uint64_t *index, const char *key, uint64_t bytes) {
  (void)user, (void)index, (void)key, (void)bytes;
  return false;
}

static bool no_node(void *user, const char *path, zarrc_node_kind kind) {
  (void)user, (void)path, (void)kind;
  return false;
}

static void operations(void) {
  char *text = NULL;
  zarrc_copied copied;
  zarrc_copy_options options;
  memset(&options, 0, sizeof options);
  REFUSES(zarrc_node_copy(NULL, "a", store, "b", &err), "from");
  REFUSES(zarrc_node_copy(store, NULL, store, "b", &err), "from_path");
  REFUSES(zarrc_node_copy(store, "a", NULL, "b", &err), "to");
  REFUSES(zarrc_node_copy(store, "a", store, NULL, &err), "to_path");
  REFUSES(zarrc_node_copy_with(NULL, "a", store, "b", NULL, &copied, &err), "from");
  REFUSES(zarrc_node_copy_with(store, NULL, store, "b", NULL, &copied, &err), "from_path");
  REFUSES(zarrc_node_copy_with(store, "a", NULL, "b", NULL, &copied, &err), "to");
  REFUSES(zarrc_node_copy_with(store, "a", store, NULL, NULL, &copied, &err), "to_path");
  REFUSES(zarrc_node_copy_with(store, "a", store, "b", &options, &copied, &err), "size");
  options.size = sizeof options;
  options.exclude_count = 1;
  REFUSES(zarrc_node_copy_with(store, "a", store, "b", &options, &copied, &err), "exclude");
  REFUSES(zarrc_node_move(NULL, "a", "b", &err), "store");
  REFUSES(zarrc_node_move(store, NULL, "b", &err), "from_path");
  REFUSES(zarrc_node_move(store, "a", NULL, &err), "to_path");
  REFUSES(zarrc_consolidate_metadata(NULL, "", &err), "store");
  REFUSES(zarrc_consolidate_metadata(store, NULL, &err), "path");
  REFUSES(zarrc_rechunk(NULL, store, "r", spec, 0, NULL, NULL, &err), "from");
  REFUSES(zarrc_rechunk(array, NULL, "r", spec, 0, NULL, NULL, &err), "to");
  REFUSES(zarrc_rechunk(array, store, NULL, spec, 0, NULL, NULL, &err), "path");
  REFUSES(zarrc_rechunk(array, store, "r", NULL, 0, NULL, NULL, &err), "spec");
  REFUSES(zarrc_verify(NULL, "", NULL, NULL, &text, &err), "store");
  REFUSES(zarrc_verify(store, NULL, NULL, NULL, &text, &err), "path");
  REFUSES(zarrc_verify(store, "", NULL, NULL, NULL, &err), "report");
  REFUSES(zarrc_repair(NULL, "", "", true, NULL, NULL, &text, &err), "store");
  REFUSES(zarrc_repair(store, NULL, "", true, NULL, NULL, &text, &err), "path");
  REFUSES(zarrc_repair(store, "", NULL, true, NULL, NULL, &text, &err), "kinds");
  REFUSES(zarrc_repair(store, "", "", true, NULL, NULL, NULL, &err), "report");
  REFUSES(zarrc_array_info_json(NULL, &text, &err), "array");
  REFUSES(zarrc_array_info_json(array, NULL, &err), "json");
  REFUSES(zarrc_array_codecs_json(NULL, &text, &err), "array");
  REFUSES(zarrc_array_codecs_json(array, NULL, &err), "json");
  REFUSES(zarrc_array_path(NULL, &text, &err), "array");
  REFUSES(zarrc_array_path(array, NULL, &err), "path");
  REFUSES(zarrc_array_store_name(NULL, &text, &err), "array");
  REFUSES(zarrc_array_store_name(array, NULL, &err), "name");
  REFUSES(zarrc_array_content_digest(NULL, "sha1", &text, &err), "array");
  REFUSES(zarrc_array_content_digest(array, NULL, &text, &err), "algorithm");
  REFUSES(zarrc_array_content_digest(array, "sha1", NULL, &err), "digest");
  REFUSES(zarrc_array_stored_digest(NULL, "sha1", &text, &err), "array");
  REFUSES(zarrc_array_stored_digest(array, NULL, &text, &err), "algorithm");
  REFUSES(zarrc_array_stored_digest(array, "sha1", NULL, &err), "digest");
  REFUSES(zarrc_array_chunk_key(NULL, 2, origin, &text, &err), "array");
  REFUSES(zarrc_array_chunk_key(array, 3, origin, &text, &err), "rank");
  REFUSES(zarrc_array_chunk_key(array, 2, NULL, &text, &err), "index");
  REFUSES(zarrc_array_chunk_key(array, 2, origin, NULL, &err), "key");
  REFUSES(zarrc_array_visit_chunks(NULL, 2, NULL, NULL, no_chunk, NULL, &err), "array");
  REFUSES(zarrc_array_visit_chunks(array, 3, NULL, NULL, no_chunk, NULL, &err), "rank");
  REFUSES(zarrc_array_visit_chunks(array, 2, NULL, NULL, NULL, NULL, &err), "visitor");
  REFUSES(zarrc_group_tree(NULL, &text, &err), "group");
  REFUSES(zarrc_group_tree(group, NULL, &err), "text");
  REFUSES(zarrc_group_visit(NULL, no_node, NULL, &err), "group");
  REFUSES(zarrc_group_visit(group, NULL, NULL, &err), "visitor");
  CHECK(text == NULL);
}

static void enormous_arrays(void) {
  static const uint64_t sizes[] = {(uint64_t)1 << 40, (uint64_t)1 << 40}, block[] = {1000, 1000};
  int32_t memory[4];
  zarrc_array *huge = create(store, "huge", spec_of(ZARRC_INT32, 2, sizes, block));
  const uint64_t start[] = {((uint64_t)1 << 40) - 2, 5}, two[] = {2, 2};
  REFUSES(zarrc_array_read(huge, NULL, NULL, ZARRC_INT32, memory, sizeof memory, &err),
          "buffer_size");
  REFUSES(zarrc_array_write(huge, NULL, NULL, ZARRC_INT32, memory, sizeof memory, &err),
          "buffer_size");
  FAILS_EITHER(zarrc_array_read(huge, NULL, NULL, ZARRC_INT32, memory, SIZE_MAX, &err),
               ZARRC_INVALID_ARGUMENT, ZARRC_LIMIT_EXCEEDED);
  FAILS_EITHER(zarrc_array_read_strided(huge, NULL, NULL, NULL, ZARRC_INT32, memory, NULL, &err),
               ZARRC_INVALID_ARGUMENT, ZARRC_LIMIT_EXCEEDED);
  OK(zarrc_array_read(huge, start, two, ZARRC_INT32, memory, sizeof memory, &err));
  close_array(huge);
}

/* The same without err. */
static void without_an_error(void) {
  SAME(zarrc_store_get(NULL, NULL, NULL, NULL, NULL), ZARRC_INVALID_ARGUMENT);
  SAME(zarrc_group_list(NULL, false, NULL, NULL), ZARRC_INVALID_ARGUMENT);
  SAME(zarrc_attributes_set_string(NULL, NULL, NULL, NULL), ZARRC_INVALID_ARGUMENT);
  SAME(zarrc_array_spec_new(-5, 3, NULL, NULL, NULL), ZARRC_INVALID_ARGUMENT);
  SAME(zarrc_array_create(NULL, NULL, NULL, NULL, NULL), ZARRC_INVALID_ARGUMENT);
  SAME(zarrc_array_read(NULL, NULL, NULL, 0, NULL, 0, NULL), ZARRC_INVALID_ARGUMENT);
  SAME(zarrc_array_write_strided(NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL),
       ZARRC_INVALID_ARGUMENT);
  SAME(zarrc_store_close(NULL, NULL), ZARRC_OK);
  SAME(zarrc_group_close(NULL, NULL), ZARRC_OK);
  SAME(zarrc_array_close(NULL, NULL), ZARRC_OK);
}

/* After all of that. */
static void nothing_happened(void) {
  int32_t memory[24];
  uint64_t got[2] = {0, 0};
  char *json = NULL;
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, memory, sizeof memory, &err));
  bool zero = true;
  for (int i = 0; i < 24; i++)
    zero = zero && memory[i] == 0;
  CHECK(zero);
  OK(zarrc_array_shape(array, 2, got, &err));
  CHECK(got[0] == 4 && got[1] == 6);
  OK(zarrc_attributes_json(attributes, &json, &err));
  SAME_TEXT(json, "{}");
  zarrc_string_free(json);
  zarrc_array *other = NULL;
  OK(zarrc_array_create(store, "good", spec, &other, &err)); /* the spec too is as it was */
  close_array(other);
}

int main(void) {
  begin("arguments");
  store = memory_store();
  OK(zarrc_group_create(store, "", ZARRC_FORMAT_V3, &group, &err));
  attributes = zarrc_group_attributes(group);
  array = create(store, "a", spec_of(ZARRC_INT32, 2, shape, chunks));
  spec = spec_of(ZARRC_INT32, 2, shape, chunks);
  RUN(strings_and_options);
  RUN(stores);
  RUN(hierarchy);
  RUN(attribute_calls);
  RUN(specs);
  RUN(arrays);
  RUN(reading_and_writing);
  RUN(selections);
  RUN(requests);
  RUN(attribute_values);
  RUN(operations);
  RUN(enormous_arrays);
  RUN(without_an_error);
  RUN(nothing_happened);
  zarrc_array_spec_free(spec);
  close_array(array);
  OK(zarrc_group_close(group, &err));
  close_store(store);
  return finish();
}
