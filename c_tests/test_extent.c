/* Appending, growing, resizing, refreshing; nodes opened or made, like others, by one URL. */
#include "check.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static void expect(const zarrc_array *array, size_t count, const int32_t *values) {
  int32_t found[64] = {0};
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, found, count * sizeof *found, &err));
  SAME_BYTES(found, values, count * sizeof *found);
}

/* Writes a block of one row, unless it is to fail. */
typedef struct row {
  zarrc_store *store;
  int32_t values[3];
  zarrc_status status;
  uint64_t first;
} row;

static zarrc_status write_row(void *user, zarrc_array *grown, const char *document, uint64_t first,
                              zarrc_error *error) {
  row *r = user;
  uint64_t start[] = {first, 0}, one[] = {1, 1}, two[] = {1, 2};
  zarrc_array *through = NULL;
  r->first = first;
  if (r->status != ZARRC_OK) {
    snprintf(error->message, sizeof error->message, "no row today");
    return r->status;
  }
  /* one element through the handle, two through another that knows the new shape */
  zarrc_status status = zarrc_array_write(grown, start, one, ZARRC_INT32, r->values, 4, error);
  start[1] = 1;
  if (status == ZARRC_OK)
    status = zarrc_array_open_json(r->store, "w", zarrc_array_format(grown), document, &through,
                                   error);
  if (status == ZARRC_OK)
    status = zarrc_array_write(through, start, two, ZARRC_INT32, r->values + 1, 8, error);
  OK(zarrc_array_close(through, &err));
  return status;
}

/* A block that a callback writes. */
static void appending_with(void) {
  static const uint64_t none[] = {0, 3}, chunks[] = {2, 2};
  static const int32_t after[] = {1, 2, 3, 4, 5, 6};
  uint64_t shape[2];
  zarrc_store *store = memory_store();
  zarrc_array_spec *spec = spec_of(ZARRC_INT32, 2, none, chunks);
  zarrc_array *array = NULL, *other = NULL;
  row r = {store, {1, 2, 3}, ZARRC_OK, 9};
  OK(zarrc_array_create(store, "w", spec, &array, &err));
  OK(zarrc_array_open(store, "w", &other, &err));
  OK(zarrc_array_append_with(array, 0, 1, write_row, &r, &err));
  CHECK(r.first == 0);
  r.status = ZARRC_UNSUPPORTED;
  FAILS_NAMING(zarrc_array_append_with(other, 0, 1, write_row, &r, &err), ZARRC_UNSUPPORTED,
               "no row today");
  CHECK(r.first == 1);
  r = (row){store, {4, 5, 6}, ZARRC_OK, 9};
  OK(zarrc_array_append_with(other, 0, 1, write_row, &r, &err));
  OK(zarrc_array_shape(other, 2, shape, &err));
  CHECK(shape[0] == 2 && shape[1] == 3);
  expect(other, 6, after);
  OK(zarrc_array_append_with(other, 0, 0, write_row, &r, &err));
  REFUSES(zarrc_array_append_with(NULL, 0, 1, write_row, &r, &err), "array");
  REFUSES(zarrc_array_append_with(array, 2, 1, write_row, &r, &err), "axis");
  REFUSES(zarrc_array_append_with(array, 0, 1, NULL, &r, &err), "write");
  OK(zarrc_array_close(array, &err));
  OK(zarrc_array_close(other, &err));
  OK(zarrc_store_close(store, &err));
  zarrc_array_spec_free(spec);
}

static void growing(void) {
  static const uint64_t none[] = {0, 2}, chunks[] = {2, 2}, two[] = {2, 2}, wide[] = {3, 1},
                        large[] = {4, 3}, small[] = {1, 9}, odd[] = {1, 3};
  static const int32_t block[] = {1, 2, 3, 4}, column[] = {7, 8, 9};
  static const double real[] = {5, 6}, broken[] = {5, 6.5e300};
  static const int32_t after[] = {1, 2, 7, 3, 4, 8, 5, 6, 9},
                       grown[] = {1, 2, 7, 3, 4, 8, 5, 6, 9, 0, 0, 0};
  uint64_t shape[2];
  zarrc_store *store = memory_store();
  zarrc_array_spec *spec = spec_of(ZARRC_INT32, 2, none, chunks);
  zarrc_array *array = NULL, *other = NULL;
  OK(zarrc_array_create(store, "a", spec, &array, &err));
  OK(zarrc_array_open(store, "a", &other, &err));
  OK(zarrc_array_append(array, 0, two, ZARRC_INT32, block, sizeof block, &err));
  /* the other handle has not seen that; NULL: one step; converted as in a write */
  OK(zarrc_array_append(other, 0, NULL, ZARRC_FLOAT64, real, sizeof real, &err));
  FAILS(zarrc_array_append(other, 0, NULL, ZARRC_FLOAT64, broken, sizeof broken, &err),
        ZARRC_TYPE_MISMATCH);
  OK(zarrc_array_append(other, 1, wide, ZARRC_INT32, column, sizeof column, &err));
  expect(other, 9, after);

  OK(zarrc_array_shape(array, 2, shape, &err));
  CHECK(shape[0] == 2 && shape[1] == 2);
  OK(zarrc_array_refresh(array, &err));
  OK(zarrc_array_shape(array, 2, shape, &err));
  CHECK(shape[0] == 3 && shape[1] == 3);
  OK(zarrc_array_grow(other, 2, large, &err));
  expect(other, 12, grown);
  FAILS_NAMING(zarrc_array_resize(array, 2, small, &err), ZARRC_CONFLICT, "4 x 3");
  expect(other, 12, grown);
  OK(zarrc_array_refresh(array, &err));
  OK(zarrc_array_resize(array, 2, none, &err));
  OK(zarrc_array_grow(array, 2, two, &err));
  static const int32_t nothing[4] = {0};
  expect(array, 4, nothing);

  REFUSES(zarrc_array_append(NULL, 0, two, ZARRC_INT32, block, sizeof block, &err), "array");
  REFUSES(zarrc_array_append(array, 2, two, ZARRC_INT32, block, sizeof block, &err), "axis");
  REFUSES(zarrc_array_append(array, SIZE_MAX, NULL, ZARRC_INT32, block, 16, &err), "axis");
  REFUSES(zarrc_array_append(array, 0, odd, ZARRC_INT32, block, sizeof block, &err), "count");
  REFUSES(zarrc_array_append(array, 0, two, 99, block, sizeof block, &err), "memory_type");
  REFUSES(zarrc_array_append(array, 0, two, ZARRC_INT32, NULL, sizeof block, &err), "buffer");
  REFUSES(zarrc_array_append(array, 0, two, ZARRC_INT32, block, 15, &err), "buffer_size");
  REFUSES(zarrc_array_grow(NULL, 2, large, &err), "array");
  REFUSES(zarrc_array_grow(array, 3, large, &err), "rank");
  REFUSES(zarrc_array_grow(array, 2, NULL, &err), "shape");
  REFUSES(zarrc_array_refresh(NULL, &err), "array");
  FAILS(zarrc_array_append_vlen(array, 0, NULL, none, NULL, &err), ZARRC_TYPE_MISMATCH);
  OK(zarrc_node_delete(store, "a", &err));
  FAILS(zarrc_array_refresh(array, &err), ZARRC_NOT_FOUND);
  FAILS(zarrc_array_append(array, 0, two, ZARRC_INT32, block, sizeof block, &err),
        ZARRC_NOT_FOUND);
  OK(zarrc_array_close(array, &err));
  OK(zarrc_array_close(other, &err));
  zarrc_array_spec_free(spec);
  OK(zarrc_store_close(store, &err));
}

static void strings(void) {
  static const uint64_t none[] = {0}, offsets[] = {0, 3, 3, 6};
  static const uint64_t three[] = {3};
  zarrc_store *store = memory_store();
  zarrc_array_spec *spec = NULL;
  zarrc_array *array = NULL;
  zarrc_vlen *read = NULL;
  OK(zarrc_array_spec_new(ZARRC_STRING, 1, none, &spec, &err));
  OK(zarrc_array_create(store, "s", spec, &array, &err));
  OK(zarrc_array_append_vlen(array, 0, three, offsets, (const uint8_t *)"onetwo", &err));
  OK(zarrc_array_append_vlen(array, 0, three, offsets, (const uint8_t *)"redtan", &err));
  OK(zarrc_array_read_vlen(array, NULL, NULL, &read, &err));
  SAME(zarrc_vlen_count(read), 6);
  SAME_BYTES(zarrc_vlen_bytes(read), "onetworedtan", 12);
  zarrc_vlen_free(read);
  REFUSES(zarrc_array_append_vlen(array, 0, three, NULL, NULL, &err), "offsets");
  FAILS(zarrc_array_append(array, 0, three, ZARRC_NATIVE, "x", 48, &err), ZARRC_TYPE_MISMATCH);
  OK(zarrc_array_close(array, &err));
  zarrc_array_spec_free(spec);
  OK(zarrc_store_close(store, &err));
}

enum { APPENDERS = 4, BLOCKS = 20 };

static void append_blocks(zarrc_array *array, int me) {
  static const uint64_t block[] = {1, 3};
  for (int k = 0; k < BLOCKS; k++) {
    int32_t row[3] = {me * 100 + k, me * 100 + k, me * 100 + k};
    OK(zarrc_array_append(array, 0, block, ZARRC_INT32, row, sizeof row, &err));
  }
}

static void *appender(void *array) {
  append_blocks(array, 9);
  return NULL;
}

/* Processes, and a thread of this one, append to one array. */
static void together(void) {
  static const uint64_t none[] = {0, 3}, chunks[] = {7, 3};
  const char *path = scratch("together.zarr");
  zarrc_store *store = file_store(path, ZARRC_CREATE);
  zarrc_array_spec *spec = spec_of(ZARRC_INT32, 2, none, chunks);
  zarrc_array *array = NULL;
  OK(zarrc_array_create(store, "a", spec, &array, &err));
  for (int me = 1; me <= APPENDERS; me++)
    if (fork() == 0) {
      zarrc_store *mine = file_store(path, ZARRC_READ_WRITE);
      zarrc_array *own = NULL;
      OK(zarrc_array_open(mine, "a", &own, &err));
      append_blocks(own, me);
      OK(zarrc_array_close(own, &err));
      OK(zarrc_store_close(mine, &err));
      leave(true);
    }
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, appender, array) == 0);
  append_blocks(array, 8);
  pthread_join(thread, NULL);
  for (int me = 1, status; me <= APPENDERS; me++)
    CHECK(wait(&status) > 0 && status == 0);
  OK(zarrc_array_refresh(array, &err));
  uint64_t shape[2];
  OK(zarrc_array_shape(array, 2, shape, &err));
  SAME(shape[0], (APPENDERS + 2) * BLOCKS);
  int32_t rows[(APPENDERS + 2) * BLOCKS][3];
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, rows, sizeof rows, &err));
  int seen[1000] = {0}, wrong = 0;
  for (uint64_t i = 0; i < shape[0]; i++) {
    wrong += rows[i][0] != rows[i][1] || rows[i][0] != rows[i][2];
    wrong += rows[i][0] < 0 || rows[i][0] >= 1000 || seen[rows[i][0]]++;
  }
  SAME(wrong, 0);
  OK(zarrc_array_close(array, &err));
  zarrc_array_spec_free(spec);
  OK(zarrc_store_close(store, &err));
}

static void made_or_opened(void) {
  static const uint64_t shape[] = {4}, other[] = {5};
  static const int32_t values[] = {1, 2, 3, 4}, zeros[5] = {0};
  zarrc_store *store = file_store(scratch("made.zarr"), ZARRC_CREATE);
  zarrc_array *array = NULL;
  zarrc_group *group = NULL;
  zarrc_array_spec *spec = NULL, *like = NULL;

  OK(zarrc_array_create_from_buffer(store, "g/a", ZARRC_INT32, 1, shape, values, sizeof values,
                                    &array, &err));
  expect(array, 4, values);
  OK(zarrc_array_create_from_buffer(store, "g/b", ZARRC_INT32, 1, shape, values, sizeof values,
                                    NULL, &err));
  FAILS(zarrc_array_create_from_buffer(store, "g/b", ZARRC_INT32, 1, shape, values, sizeof values,
                                       NULL, &err), ZARRC_ALREADY_EXISTS);
  REFUSES(zarrc_array_create_from_buffer(store, "c", ZARRC_INT32, 1, shape, values, 15, NULL, &err),
          "buffer_size");
  REFUSES(zarrc_array_create_from_buffer(store, "c", ZARRC_INT32, 1, shape, NULL, 16, NULL, &err),
          "buffer");
  REFUSES(zarrc_array_create_from_buffer(store, "c", ZARRC_STRING, 1, shape, values, 16, NULL,
                                         &err), "data_type");
  REFUSES(zarrc_array_create_from_buffer(NULL, "c", ZARRC_INT32, 1, shape, values, 16, NULL, &err),
          "store");

  OK(zarrc_array_spec_new_like(array, &like, &err));
  OK(zarrc_array_close(array, &err));
  REFUSES(zarrc_array_spec_new_like(NULL, &spec, &err), "array");
  REFUSES(zarrc_array_spec_set_shape(like, 2, shape, &err), "rank");
  REFUSES(zarrc_array_spec_set_shape(like, 1, NULL, &err), "shape");
  OK(zarrc_array_require(store, "g/a", like, &array, &err));
  expect(array, 4, values);
  OK(zarrc_array_close(array, &err));
  OK(zarrc_array_spec_set_shape(like, 1, other, &err));
  zarrc_array *none = NULL;
  FAILS_NAMING(zarrc_array_require(store, "g/a", like, &none, &err), ZARRC_ALREADY_EXISTS, "[4]");
  OK(zarrc_array_open_or_create(store, "g/a", like, &array, &err));
  expect(array, 4, values);
  OK(zarrc_array_close(array, &err));
  OK(zarrc_array_overwrite(store, "g/a", like, &array, &err));
  expect(array, 5, zeros);
  OK(zarrc_array_close(array, &err));
  REFUSES(zarrc_array_require(NULL, "g/a", like, &none, &err), "store");
  REFUSES(zarrc_array_open_or_create(store, NULL, like, &none, &err), "path");
  REFUSES(zarrc_array_overwrite(store, "g/a", NULL, &none, &err), "spec");
  REFUSES(zarrc_array_overwrite(store, "g/a", like, NULL, &err), "array");

  OK(zarrc_group_require(store, "g", ZARRC_FORMAT_ANY, &group, &err));
  OK(zarrc_group_close(group, &err));
  zarrc_group *no_group = NULL;
  FAILS(zarrc_group_require(store, "g/a", ZARRC_FORMAT_ANY, &no_group, &err),
        ZARRC_ALREADY_EXISTS);
  REFUSES(zarrc_group_require(NULL, "g", ZARRC_FORMAT_ANY, &no_group, &err), "store");
  OK(zarrc_store_close(store, &err));

  char url[512];
  snprintf(url, sizeof url, "%s/g/b", scratch("made.zarr"));
  OK(zarrc_array_open_url(url, ZARRC_READ, NULL, &array, &err));
  expect(array, 4, values);
  OK(zarrc_array_close(array, &err));
  REFUSES(zarrc_array_open_url(url, ZARRC_CREATE, NULL, &none, &err), "mode");
  REFUSES(zarrc_array_open_url(NULL, ZARRC_READ, NULL, &none, &err), "url");
  snprintf(url, sizeof url, "%s/g", scratch("made.zarr"));
  FAILS(zarrc_array_open_url(url, ZARRC_READ, NULL, &none, &err), ZARRC_NOT_FOUND);
  OK(zarrc_group_open_url(url, ZARRC_READ_WRITE, NULL, &group, &err));
  OK(zarrc_group_close(group, &err));
  REFUSES(zarrc_group_open_url(url, 99, NULL, &no_group, &err), "mode");
  OK(zarrc_group_open_url(scratch("new.zarr"), ZARRC_APPEND, NULL, &group, &err));
  OK(zarrc_group_close(group, &err));
  store = file_store(scratch("made.zarr"), ZARRC_READ_WRITE);
  OK(zarrc_group_overwrite(store, "g", ZARRC_FORMAT_ANY, &group, &err));
  OK(zarrc_group_close(group, &err));
  FAILS(zarrc_array_open(store, "g/b", &none, &err), ZARRC_NOT_FOUND);
  REFUSES(zarrc_group_overwrite(store, NULL, ZARRC_FORMAT_ANY, &no_group, &err), "path");
  CHECK(none == NULL && no_group == NULL && spec == NULL);
  zarrc_array_spec_free(like);
  OK(zarrc_store_close(store, &err));
}

int main(void) {
  begin("extent");
  RUN(growing);
  RUN(appending_with);
  RUN(strings);
  RUN(together);
  RUN(made_or_opened);
  return finish();
}
