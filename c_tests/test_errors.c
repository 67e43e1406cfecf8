/* What errors look like, and what they say. */
#include "check.h"

#include <errno.h>

static void layout(void) {
  SAME(sizeof(zarrc_error), 1024);
  SAME(offsetof(zarrc_error, status), 0);
  SAME(offsetof(zarrc_error, system_code), 4);
  SAME(offsetof(zarrc_error, message), 8);
  SAME(sizeof(zarrc_status), 4);
}

static void names(void) {
  static const char *const names[] = {
      "ZARRC_OK",           "ZARRC_INVALID_ARGUMENT",  "ZARRC_OUT_OF_BOUNDS",
      "ZARRC_NOT_FOUND",    "ZARRC_ALREADY_EXISTS",    "ZARRC_INVALID_METADATA",
      "ZARRC_CORRUPT_DATA", "ZARRC_UNSUPPORTED",       "ZARRC_TYPE_MISMATCH",
      "ZARRC_PERMISSION_DENIED", "ZARRC_IO",           "ZARRC_CONFLICT",
      "ZARRC_LIMIT_EXCEEDED", "ZARRC_CANCELLED",       "ZARRC_OUT_OF_MEMORY",
      "ZARRC_INTERNAL",
  };
  for (int i = 0; i < 16; i++)
    SAME_TEXT(zarrc_status_name(i), names[i]);
  CHECK(zarrc_status_name(16) != NULL && *zarrc_status_name(16));
  CHECK(zarrc_status_name(-1) != NULL && zarrc_status_name(INT32_MIN) != NULL);
}

static void the_build(void) {
  char *json = NULL;
  CHECK(zarrc_version() != NULL && strchr(zarrc_version(), '.') != NULL);
  OK(zarrc_build_info(&json, &err));
  CHECK(json && json[0] == '{' && strstr(json, "\"zstd\"") && strstr(json, "\"blosc\""));
  CHECK(json && strstr(json, zarrc_version()));
  zarrc_string_free(json);
}

static void says_which_store(void) {
  zarrc_store *store = NULL;
  FAILS_NAMING(zarrc_store_open(scratch("none.zarr"), ZARRC_READ, NULL, &store, &err),
               ZARRC_NOT_FOUND, "none.zarr");
}

static void keeps_errno(void) {
  zarrc_error error = {0};
  zarrc_store *store = NULL;
  const char *path = scratch("plain-file");
  FILE *file = fopen(path, "w");
  CHECK(file != NULL && fclose(file) == 0);
  char below[600];
  snprintf(below, sizeof below, "%s/store", path);
  if (zarrc_store_open(below, ZARRC_CREATE, NULL, &store, &error) == ZARRC_OK)
    CHECK(zarrc_store_set(store, "k", "v", 1, &error) != ZARRC_OK);
  SAME(error.system_code, ENOTDIR);
  CHECK(strstr(error.message, "plain-file") != NULL);
  close_store(store);

  /* Where no system call failed there is no number. */
  store = memory_store();
  uint8_t *value = NULL;
  size_t size = 0;
  CHECK(zarrc_store_get(store, "k", &value, &size, &error) == ZARRC_NOT_FOUND);
  SAME(error.system_code, 0);
  close_store(store);
}

static void says_which_node_and_chunk(void) {
  const uint64_t shape[] = {4, 4}, chunks[] = {2, 2}, start[] = {3, 1}, count[] = {2, 1};
  int32_t values[16] = {1, 2, 3};
  zarrc_store *store = memory_store();
  zarrc_array *array = NULL;
  FAILS_NAMING(zarrc_array_open(store, "deep/missing", &array, &err), ZARRC_NOT_FOUND,
               "deep/missing");

  zarrc_array_spec *spec = spec_of(ZARRC_INT32, 2, shape, chunks);
  OK(zarrc_array_spec_add_codec(spec, "gzip", NULL, &err));
  array = create(store, "ocean/salt", spec);
  OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err));
  FAILS_NAMING(zarrc_array_read(array, start, count, ZARRC_INT32, values, sizeof values, &err),
               ZARRC_OUT_OF_BOUNDS, "ocean/salt");

  close_array(array);
  set_text(store, "ocean/salt/c/1/0", "this is no gzip stream");
  OK(zarrc_array_open(store, "ocean/salt", &array, &err));
  FAILS_NAMING(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err),
               ZARRC_CORRUPT_DATA, "ocean/salt");
  FAILS_NAMING(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err),
               ZARRC_CORRUPT_DATA, "c/1/0");
  FAILS_NAMING(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err),
               ZARRC_CORRUPT_DATA, "gzip");
  close_array(array);

  set_text(store, "bad/zarr.json", "{\"zarr_format\":3,\"node_type\":\"array\"}");
  FAILS_NAMING(zarrc_array_open(store, "bad", &array, &err), ZARRC_INVALID_METADATA, "bad");
  close_store(store);
}

/* A message that is too long ends between two characters. */
static void long_messages(void) {
  enum { LETTERS = 3000 };
  static char path[2 * LETTERS + 2];
  zarrc_store *store = memory_store();
  for (int odd = 0; odd < 2; odd++) {
    zarrc_error error = {0};
    zarrc_array *array = NULL;
    path[0] = 'x';
    for (int i = 0; i < LETTERS; i++)
      memcpy(path + odd + 2 * i, "\xc3\xa9", 2);
    FAILS(zarrc_array_open(store, path, &array, &err), ZARRC_NOT_FOUND);
    CHECK(zarrc_array_open(store, path, &array, &error) == ZARRC_NOT_FOUND);
    CHECK(memchr(error.message, 0, sizeof error.message) != NULL);
    CHECK(strlen(error.message) > 900);
  }
  close_store(store);
}

static void err_may_be_null(void) {
  zarrc_store *store = NULL;
  SAME(zarrc_store_open(scratch("none"), ZARRC_READ, NULL, &store, NULL), ZARRC_NOT_FOUND);
  SAME(zarrc_store_open(NULL, ZARRC_READ, NULL, &store, NULL), ZARRC_INVALID_ARGUMENT);
}

int main(void) {
  begin("errors");
  RUN(layout);
  RUN(names);
  RUN(the_build);
  RUN(says_which_store);
  RUN(keeps_errno);
  RUN(says_which_node_and_chunk);
  RUN(long_messages);
  RUN(err_may_be_null);
  return finish();
}
