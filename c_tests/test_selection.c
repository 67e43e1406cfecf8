/* Selections: each form against values worked out by hand; tests/selections/ compares many with
 * NumPy. */
#include "check.h"

enum { ROWS = 6, COLUMNS = 10 };

/* An int32 array, chunks of 2 x 4, element = 100 * row + column. */
static zarrc_array *numbers(zarrc_store *store, const char *path, bool shards) {
  const uint64_t shape[] = {ROWS, COLUMNS}, chunks[] = {2, 4}, shard[] = {4, 8};
  int32_t values[ROWS][COLUMNS];
  zarrc_array_spec *spec = spec_of(ZARRC_INT32, 2, shape, chunks);
  if (shards)
    OK(zarrc_array_spec_set_shard_shape(spec, 2, shard, &err));
  zarrc_array *array = create(store, path, spec);
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < COLUMNS; x++)
      values[y][x] = 100 * y + x;
  OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err));
  return array;
}

static zarrc_selection *all_of(const zarrc_array *array) {
  zarrc_selection *selection = NULL;
  OK(zarrc_selection_new(array, &selection, &err));
  return selection;
}

/* What a selection reads, and its shape. */
static void gives(const zarrc_array *array, const zarrc_selection *selection, size_t rank,
                  const uint64_t *shape, const int32_t *expected) {
  int32_t values[ROWS * COLUMNS];
  uint64_t found[2] = {0, 0};
  size_t count = 1;
  SAME(zarrc_selection_rank(selection), rank);
  OK(zarrc_selection_shape(selection, rank, found, &err));
  for (size_t d = 0; d < rank; d++) {
    SAME(found[d], shape[d]);
    count *= (size_t)shape[d];
  }
  OK(zarrc_array_read_selection(array, selection, ZARRC_INT32, values, NULL, count * 4, &err));
  SAME_BYTES(values, expected, count * 4);
  /* the same elements as points */
  uint64_t at[2 * ROWS * COLUMNS];
  zarrc_selection *points = all_of(array);
  OK(zarrc_selection_coordinates(selection, 2, 0, count, at, &err));
  OK(zarrc_selection_set_points(points, count, at, &err));
  OK(zarrc_array_read_selection(array, points, ZARRC_INT32, values, NULL, count * 4, &err));
  SAME_BYTES(values, expected, count * 4);
  zarrc_selection_free(points);
  FAILS(zarrc_selection_coordinates(selection, 2, 1, count, at, &err), ZARRC_OUT_OF_BOUNDS);
  REFUSES(zarrc_selection_coordinates(NULL, 2, 0, count, at, &err), "selection");
  REFUSES(zarrc_selection_coordinates(selection, 3, 0, count, at, &err), "rank");
  if (count > 0)
    REFUSES(zarrc_selection_coordinates(selection, 2, 0, count, NULL, &err), "coordinates");
  if (count > 0)
    FAILS(zarrc_array_read_selection(array, selection, ZARRC_INT32, values, NULL, count * 4 - 1,
                                     &err),
          ZARRC_INVALID_ARGUMENT);
}

static void each_dimension(void) {
  zarrc_store *store = memory_store();
  for (int shards = 0; shards < 2; shards++) {
    zarrc_array *array = numbers(store, shards ? "shards" : "chunks", shards);
    zarrc_selection *s = all_of(array);
    const uint64_t rows[] = {5, 0, 5};
    const uint8_t mask[COLUMNS] = {0, 0, 0, 1, 1, 0, 0, 0, 0, 1};
    OK(zarrc_selection_set_indices(s, 0, 3, rows, &err));
    OK(zarrc_selection_set_mask(s, 1, COLUMNS, mask, &err));
    gives(array, s, 2, (uint64_t[]){3, 3},
          (int32_t[]){503, 504, 509, 3, 4, 9, 503, 504, 509});
    OK(zarrc_selection_set_range(s, 1, 9, -4, 3, &err));
    gives(array, s, 2, (uint64_t[]){3, 3},
          (int32_t[]){509, 505, 501, 9, 5, 1, 509, 505, 501});
    OK(zarrc_selection_set_index(s, 0, 2, &err));
    gives(array, s, 1, (uint64_t[]){3}, (int32_t[]){209, 205, 201});
    OK(zarrc_selection_set_index(s, 1, 7, &err));
    gives(array, s, 0, NULL, (int32_t[]){207});
    OK(zarrc_selection_set_range(s, 0, 6, 1, 0, &err));
    gives(array, s, 1, (uint64_t[]){0}, NULL);
    zarrc_selection_free(s);
    close_array(array);
  }
  close_store(store);
}

static void whole_forms(void) {
  zarrc_store *store = memory_store();
  for (int shards = 0; shards < 2; shards++) {
    zarrc_array *array = numbers(store, shards ? "shards" : "chunks", shards);
    zarrc_selection *s = all_of(array);
    const uint64_t points[] = {5, 9, 0, 0, 2, 3, 5, 9};
    uint8_t mask[ROWS * COLUMNS] = {0};
    OK(zarrc_selection_set_points(s, 4, points, &err));
    gives(array, s, 1, (uint64_t[]){4}, (int32_t[]){509, 0, 203, 509});
    mask[3] = mask[4] = mask[25] = mask[59] = 1;
    OK(zarrc_selection_set_element_mask(s, mask, sizeof mask, &err));
    gives(array, s, 1, (uint64_t[]){4}, (int32_t[]){3, 4, 205, 509});
    if (!shards) {
      OK(zarrc_selection_set_blocks(s, (uint64_t[]){2, 2}, NULL, &err));
      gives(array, s, 2, (uint64_t[]){2, 2}, (int32_t[]){408, 409, 508, 509});
    }
    /* one dimension again: the others select all */
    OK(zarrc_selection_set_points(s, 0, NULL, &err));
    gives(array, s, 1, (uint64_t[]){0}, NULL);
    OK(zarrc_selection_set_index(s, 0, 1, &err));
    gives(array, s, 1, (uint64_t[]){COLUMNS},
          (int32_t[]){100, 101, 102, 103, 104, 105, 106, 107, 108, 109});
    zarrc_selection_free(s);
    close_array(array);
  }
  close_store(store);
}

static void the_last_of_repeated_ones_stays(void) {
  zarrc_store *store = memory_store();
  zarrc_array *array = numbers(store, "", true);
  zarrc_selection *s = all_of(array);
  const uint64_t rows[] = {3, 3}, points[] = {5, 5, 1, 1, 5, 5};
  const double values[] = {1, 2, 3, 4};
  const int64_t strides[] = {8, -16}; /* [[2, 0], [3, 1]] of what is at values + 2 */
  OK(zarrc_selection_set_indices(s, 0, 2, rows, &err));
  OK(zarrc_selection_set_range(s, 1, 0, 9, 2, &err));
  OK(zarrc_array_write_selection(array, s, ZARRC_FLOAT64, values + 2, strides, sizeof values,
                                 &err));
  OK(zarrc_selection_set_index(s, 0, 3, &err));
  gives(array, s, 1, (uint64_t[]){2}, (int32_t[]){4, 2});
  OK(zarrc_selection_set_points(s, 3, points, &err));
  OK(zarrc_array_write_selection(array, s, ZARRC_INT32, (int32_t[]){7, 8, 9}, NULL, 12, &err));
  gives(array, s, 1, (uint64_t[]){3}, (int32_t[]){9, 8, 9});
  FAILS(zarrc_array_write_selection(array, s, ZARRC_FLOAT64, (double[]){1e10, 0, 0}, NULL, 24,
                                    &err),
        ZARRC_TYPE_MISMATCH);
  zarrc_selection_free(s);
  close_array(array);
  close_store(store);
}

static void filling(void) {
  zarrc_store *store = memory_store();
  zarrc_array *array = numbers(store, "", false);
  zarrc_selection *s = all_of(array);
  const int32_t zero = 0;
  OK(zarrc_selection_set_index(s, 0, 4, &err));
  OK(zarrc_selection_set_range(s, 1, 1, 4, 2, &err));
  OK(zarrc_array_fill(array, s, ZARRC_FLOAT64, (double[]){5}, sizeof(double), &err));
  gives(array, s, 1, (uint64_t[]){2}, (int32_t[]){5, 5});
  FAILS(zarrc_array_fill(array, s, ZARRC_INT32, &zero, 3, &err), ZARRC_INVALID_ARGUMENT);
  FAILS(zarrc_array_fill(array, s, ZARRC_FLOAT64, (double[]){1e300}, sizeof(double), &err),
        ZARRC_TYPE_MISMATCH);
  CHECK(has_key(store, "c/2/0"));
  OK(zarrc_array_fill(array, NULL, ZARRC_INT32, &zero, sizeof zero, &err));
  CHECK(!has_key(store, "c/2/0")); /* nothing but the fill value */
  gives(array, s, 1, (uint64_t[]){2}, (int32_t[]){0, 0});
  zarrc_selection_free(s);
  close_array(array);
  close_store(store);
}

static void fields_of_structs(void) {
  zarrc_store *store = memory_store();
  const uint64_t shape[] = {5}, chunks[] = {2}, points[] = {4, 0};
  zarrc_array_spec *spec = spec_of(ZARRC_UINT8, 1, shape, chunks);
  OK(zarrc_array_spec_set_format(spec, ZARRC_FORMAT_V2, &err));
  OK(zarrc_array_spec_set_data_type(spec, "[[\"id\", \"<u2\"], [\"x\", \"<f4\"]]", &err));
  zarrc_array *array = create(store, "structs", spec);
  zarrc_selection *s = all_of(array);
  uint16_t ids[5] = {1, 2, 3, 4, 5}, found_ids[5];
  float found[5];
  double x[2] = {2.5, -1};
  FAILS_NAMING(zarrc_selection_set_field(s, "y", &err), ZARRC_NOT_FOUND, "id, x");
  OK(zarrc_selection_set_field(s, "id", &err));
  OK(zarrc_array_write_selection(array, s, ZARRC_NATIVE, ids, NULL, sizeof ids, &err));
  OK(zarrc_selection_set_field(s, "x", &err));
  OK(zarrc_selection_set_points(s, 2, points, &err));
  OK(zarrc_array_write_selection(array, s, ZARRC_FLOAT64, x, NULL, sizeof x, &err));
  OK(zarrc_selection_set_range(s, 0, 0, 1, 5, &err));
  OK(zarrc_array_read_selection(array, s, ZARRC_FLOAT32, found, NULL, sizeof found, &err));
  SAME_BYTES(found, ((float[]){-1, 0, 0, 0, 2.5f}), sizeof found);
  OK(zarrc_selection_set_field(s, "id", &err));
  OK(zarrc_array_read_selection(array, s, ZARRC_UINT16, found_ids, NULL, sizeof found_ids, &err));
  SAME_BYTES(found_ids, ids, sizeof ids);
  OK(zarrc_selection_set_field(s, NULL, &err));
  FAILS(zarrc_array_read_selection(array, s, ZARRC_UINT16, found_ids, NULL, sizeof found_ids, &err),
        ZARRC_TYPE_MISMATCH);
  zarrc_selection_free(s);
  close_array(array);
  close_store(store);
  store = memory_store();
  array = numbers(store, "", false);
  s = all_of(array);
  FAILS(zarrc_selection_set_field(s, "x", &err), ZARRC_TYPE_MISMATCH);
  zarrc_selection_free(s);
  close_array(array);
  close_store(store);
}

static void what_leaves_the_array(void) {
  zarrc_store *store = memory_store();
  zarrc_array *array = numbers(store, "", false);
  zarrc_selection *s = all_of(array);
  int32_t values[ROWS * COLUMNS];
  FAILS(zarrc_selection_set_range(s, 0, 6, 1, 1, &err), ZARRC_OUT_OF_BOUNDS);
  FAILS(zarrc_selection_set_range(s, 0, 2, -1, 4, &err), ZARRC_OUT_OF_BOUNDS);
  FAILS(zarrc_selection_set_range(s, 0, 0, INT64_MAX, 3, &err), ZARRC_OUT_OF_BOUNDS);
  FAILS(zarrc_selection_set_range(s, 0, 5, INT64_MIN, UINT64_MAX, &err), ZARRC_OUT_OF_BOUNDS);
  FAILS(zarrc_selection_set_index(s, 1, COLUMNS, &err), ZARRC_OUT_OF_BOUNDS);
  FAILS(zarrc_selection_set_indices(s, 1, 2, (uint64_t[]){0, UINT64_MAX}, &err),
        ZARRC_OUT_OF_BOUNDS);
  FAILS_NAMING(zarrc_selection_set_points(s, 2, (uint64_t[]){0, 0, 6, 0}, &err),
               ZARRC_OUT_OF_BOUNDS, "point 1");
  FAILS(zarrc_selection_set_blocks(s, (uint64_t[]){3, 0}, (uint64_t[]){1, 1}, &err),
        ZARRC_OUT_OF_BOUNDS);
  /* a smaller array, and one that grew */
  OK(zarrc_selection_set_points(s, 1, (uint64_t[]){5, 9}, &err));
  OK(zarrc_array_resize(array, 2, (uint64_t[]){5, 20}, &err));
  FAILS(zarrc_array_read_selection(array, s, ZARRC_INT32, values, NULL, sizeof values, &err),
        ZARRC_OUT_OF_BOUNDS);
  OK(zarrc_selection_set_points(s, 1, (uint64_t[]){4, 9}, &err));
  gives(array, s, 1, (uint64_t[]){1}, (int32_t[]){409});
  zarrc_selection_free(s);
  close_array(array);
  close_store(store);
}

static void variable_length(void) {
  zarrc_store *store = memory_store();
  const uint64_t shape[] = {6}, chunks[] = {4}, points[] = {5, 1, 5};
  zarrc_array_spec *spec = spec_of(ZARRC_STRING, 1, shape, chunks);
  zarrc_array *array = create(store, "", spec);
  zarrc_selection *s = all_of(array);
  zarrc_vlen *values = NULL;
  const uint64_t offsets[] = {0, 1, 3, 6};
  uint64_t shape_bytes[3];
  OK(zarrc_selection_set_points(s, 3, points, &err));
  OK(zarrc_array_write_selection_vlen(array, s, offsets, (const uint8_t *)"abbccc", &err));
  OK(zarrc_array_read_selection_vlen(array, s, &values, &err));
  SAME(zarrc_vlen_count(values), 3);
  SAME(zarrc_vlen_offsets(values)[3], 8);
  SAME_BYTES(zarrc_vlen_bytes(values), "cccbbccc", 8);
  zarrc_vlen_free(values);
  OK(zarrc_selection_set_range(s, 0, 5, -2, 3, &err));
  OK(zarrc_array_fill(array, s, ZARRC_STRING, "é", 2, &err));
  FAILS(zarrc_array_fill(array, s, ZARRC_STRING, "\xff", 1, &err), ZARRC_INVALID_ARGUMENT);
  FAILS(zarrc_array_fill(array, s, ZARRC_INT32, "abcd", 4, &err), ZARRC_TYPE_MISMATCH);
  FAILS(zarrc_array_read_selection(array, s, ZARRC_NATIVE, shape_bytes, NULL, 24, &err),
        ZARRC_TYPE_MISMATCH);
  OK(zarrc_array_read_vlen(array, NULL, NULL, &values, &err));
  SAME_BYTES(zarrc_vlen_bytes(values), "ééé", 6);
  zarrc_vlen_free(values);
  zarrc_selection_free(s);
  close_array(array);
  close_store(store);
}

int main(void) {
  begin("selection");
  RUN(each_dimension);
  RUN(whole_forms);
  RUN(the_last_of_repeated_ones_stays);
  RUN(filling);
  RUN(fields_of_structs);
  RUN(what_leaves_the_array);
  RUN(variable_length);
  return finish();
}
