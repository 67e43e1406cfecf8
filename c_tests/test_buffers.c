/* The options chunk_cache and write_buffer: rows one by one, what others change, flush and close. */
#include "check.h"

enum { ROWS = 48, COLUMNS = 40 };

static zarrc_store *store_with(const char *path, const char *name, const char *value) {
  zarrc_options *options = zarrc_options_new();
  zarrc_store *store = NULL;
  OK(zarrc_options_set(options, name, value, &err));
  OK(zarrc_store_open(path, ZARRC_APPEND, options, &store, &err));
  zarrc_options_free(options);
  return store;
}

static zarrc_array *opened(zarrc_store *store) {
  zarrc_array *array = NULL;
  OK(zarrc_array_open(store, "a", &array, &err));
  return array;
}

static zarrc_array *created(zarrc_store *store) {
  const uint64_t shape[] = {ROWS, COLUMNS}, chunks[] = {16, 16};
  return create(store, "a", spec_of(ZARRC_INT32, 2, shape, chunks));
}

static void write_row(zarrc_array *array, uint64_t row, int32_t value) {
  const uint64_t start[] = {row, 0}, count[] = {1, COLUMNS};
  int32_t values[COLUMNS];
  for (int x = 0; x < COLUMNS; x++)
    values[x] = value + x;
  OK(zarrc_array_write(array, start, count, ZARRC_INT32, values, sizeof values, &err));
}

/* Whether the row holds what write_row() wrote, or the fill value for -1. */
static bool row_is(zarrc_array *array, uint64_t row, int32_t value) {
  const uint64_t start[] = {row, 0}, count[] = {1, COLUMNS};
  int32_t values[COLUMNS];
  OK(zarrc_array_read(array, start, count, ZARRC_INT32, values, sizeof values, &err));
  for (int x = 0; x < COLUMNS; x++)
    if (values[x] != (value < 0 ? 0 : value + x))
      return false;
  return true;
}

static void rows_are_seen_whoever_writes_them(void) {
  const char *sizes[] = {"0", "1", "4KiB", "32MiB"};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const char *path = scratch(sizes[s]);
    zarrc_store *mine = store_with(path, "chunk_cache", sizes[s]);
    zarrc_store *theirs = store_with(path, "chunk_cache", "0");
    zarrc_array *array = created(mine), *other = opened(theirs);
    for (int round = 1; round <= 5; round++)
      for (uint64_t row = 0; row < ROWS; row++) {
        write_row(other, row, (int32_t)(1000 * (uint64_t)round + row));
        CHECK(row_is(array, row, (int32_t)(1000 * (uint64_t)round + row)));
        CHECK(row_is(array, ROWS - 1 - row, round == 1 && ROWS - 1 - row > row ? -1
              : (int32_t)(1000 * (uint64_t)(ROWS - 1 - row > row ? round - 1 : round) + ROWS - 1 - row)));
      }
    OK(zarrc_node_delete(theirs, "a", &err));
    CHECK(row_is(array, 3, -1));
    close_array(array);
    close_array(other);
    close_store(mine);
    close_store(theirs);
  }
}

static void what_is_gathered_is_written_by_flush_and_close(void) {
  const char *path = scratch("gathered");
  zarrc_store *mine = store_with(path, "write_buffer", "1MiB");
  zarrc_store *theirs = store_with(path, "chunk_cache", "0");
  zarrc_array *array = created(mine), *other = opened(theirs);
  for (uint64_t row = 0; row < 20; row++)
    write_row(array, row, (int32_t)row);
  CHECK(row_is(other, 1, 1));    /* rows 0 to 15 filled their chunks */
  CHECK(row_is(other, 17, -1));  /* 16 to 19 did not */
  CHECK(row_is(array, 17, 17));  /* and are read back, which writes them */
  CHECK(row_is(other, 17, 17));
  write_row(array, 20, 20);
  OK(zarrc_array_flush(array, &err));
  CHECK(row_is(other, 20, 20));
  write_row(array, 40, 40);
  close_array(array);
  CHECK(row_is(other, 40, 40));
  CHECK(row_is(other, 41, -1));
  close_array(other);
  close_store(mine);
  close_store(theirs);
}

/* A close that cannot write says so. */
static void a_close_that_fails_says_so(void) {
  zarrc_store *store = store_with(scratch("fails"), "write_buffer", "1MiB");
  zarrc_array *array = created(store);
  write_row(array, 0, 7);
  OK(zarrc_store_erase_prefix(store, "a/", &err));
  OK(zarrc_store_set(store, "a", "a value where a directory is needed", 35, &err));
  FAILS_NAMING(zarrc_array_flush(array, &err), ZARRC_IO, "a/c/0/0");
  FAILS_NAMING(zarrc_array_close(array, &err), ZARRC_IO, "a/c/0/0");
  close_store(store);
}

static void options_that_are_none(void) {
  zarrc_options *options = zarrc_options_new();
  REFUSES(zarrc_options_set(options, "chunk_cash", "1", &err), "chunk_cache");
  REFUSES(zarrc_options_set(options, "write_buffer", "lots", &err), "32MiB");
  zarrc_options_free(options);
}

int main(void) {
  begin("buffers");
  RUN(rows_are_seen_whoever_writes_them);
  RUN(what_is_gathered_is_written_by_flush_and_close);
  RUN(a_close_that_fails_says_so);
  RUN(options_that_are_none);
  return finish();
}
