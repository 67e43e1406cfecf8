/* The raw keys and values, and how stores are opened. */
#include "check.h"

#include <sys/stat.h>

static void expect(zarrc_store *store, const char *key, const char *text) {
  uint8_t *value = NULL;
  size_t size = SIZE_MAX;
  OK(zarrc_store_get(store, key, &value, &size, &err));
  SAME(size, strlen(text));
  if (size == strlen(text))
    SAME_BYTES(value, text, size);
  zarrc_value_free(value, size);
}

static void expect_range(zarrc_store *store, const char *key, uint64_t offset, uint64_t length,
                         const char *text) {
  uint8_t *value = NULL;
  size_t size = SIZE_MAX;
  OK(zarrc_store_get_range(store, key, offset, length, &value, &size, &err));
  SAME(size, strlen(text));
  if (size == strlen(text))
    SAME_BYTES(value, text, size);
  zarrc_value_free(value, size);
}

static void raw_operations(zarrc_store *store) {
  uint8_t *value = NULL;
  size_t size = 99;
  FAILS_NAMING(zarrc_store_get(store, "a/b", &value, &size, &err), ZARRC_NOT_FOUND, "a/b");
  CHECK(value == NULL && size == 99);

  set_text(store, "a/b", "0123456789");
  expect(store, "a/b", "0123456789");
  expect_range(store, "a/b", 3, 4, "3456");
  expect_range(store, "a/b", 0, 10, "0123456789");
  expect_range(store, "a/b", 9, 1, "9");
  FAILS_NAMING(zarrc_store_get_range(store, "a/c", 0, 1, &value, &size, &err), ZARRC_NOT_FOUND,
               "a/c");
  /* A range that leaves the value says so or is cut, and never more than what is there. */
  static const uint64_t beyond[][2] = {{8, 5}, {11, 1}, {0, UINT64_MAX}, {UINT64_MAX, UINT64_MAX}};
  for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
    zarrc_status status =
        zarrc_store_get_range(store, "a/b", beyond[i][0], beyond[i][1], &value, &size, NULL);
    CHECK(status == ZARRC_OUT_OF_BOUNDS || (status == ZARRC_OK && size <= 10));
    if (status == ZARRC_OK)
      zarrc_value_free(value, size);
    value = NULL;
  }

  set_text(store, "a/b", "shorter");
  expect(store, "a/b", "shorter");
  set_text(store, "a/b", "");
  expect(store, "a/b", "");
  OK(zarrc_store_set(store, "a/b", NULL, 0, &err));
  expect(store, "a/b", "");

  static unsigned char large[3 << 20];
  for (size_t i = 0; i < sizeof large; i++)
    large[i] = (unsigned char)(i * 2654435761u >> 13);
  OK(zarrc_store_set(store, "large", large, sizeof large, &err));
  OK(zarrc_store_get(store, "large", &value, &size, &err));
  SAME(size, sizeof large);
  if (size == sizeof large)
    SAME_BYTES(value, large, size);
  zarrc_value_free(value, size);

  OK(zarrc_store_erase(store, "a/b", &err));
  CHECK(!has_key(store, "a/b"));

  set_text(store, "p/x", "1");
  set_text(store, "p/y/z", "2");
  set_text(store, "pq", "3");
  OK(zarrc_store_erase_prefix(store, "p/", &err));
  CHECK(!has_key(store, "p/x") && !has_key(store, "p/y/z"));
  CHECK(has_key(store, "pq") && has_key(store, "large"));
}

static void in_memory(void) {
  zarrc_store *store = memory_store();
  raw_operations(store);
  close_store(store);
}

static void in_files(void) {
  zarrc_store *store = file_store(scratch("raw"), ZARRC_CREATE);
  raw_operations(store);
  close_store(store);
}

/* Each memory: store is one of its own. */
static void memory_is_private(void) {
  zarrc_store *one = memory_store(), *two = memory_store();
  set_text(one, "key", "value");
  CHECK(has_key(one, "key") && !has_key(two, "key"));
  close_store(one);
  close_store(two);
}

/* One with a name is shared, as long as a handle is open. */
static void memory_by_name(void) {
  zarrc_store *one = file_store("memory:shared", ZARRC_CREATE);
  zarrc_store *two = file_store("memory:shared", ZARRC_READ);
  set_text(one, "key", "value");
  expect(two, "key", "value");
  FAILS(zarrc_store_set(two, "key", "x", 1, &err), ZARRC_PERMISSION_DENIED);
  close_store(one);
  expect(two, "key", "value");
  close_store(two);
  FAILS_NAMING(zarrc_store_open("memory:shared", ZARRC_READ, NULL, &one, &err), ZARRC_NOT_FOUND,
               "memory:shared");
}

static void traversal(void) {
  static const char *const keys[] = {"",    "..",     "../x",  "a/../x", "a/..", ".",
                                     "./x", "a/./x",  "/x",    "x/",     "a//x", "bad\xff utf8",
                                     "/etc/passwd", "../inside/x"};
  const char *outside = scratch("outside");
  FILE *file = fopen(outside, "w");
  CHECK(file && fputs("safe", file) >= 0 && fclose(file) == 0);
  zarrc_store *stores[] = {file_store(scratch("inside"), ZARRC_CREATE), memory_store()};
  for (int s = 0; s < 2; s++) {
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
      uint8_t *value = NULL;
      size_t size = 0;
      REFUSES(zarrc_store_get(stores[s], keys[i], &value, &size, &err), "key");
      REFUSES(zarrc_store_get_range(stores[s], keys[i], 0, 1, &value, &size, &err), "key");
      REFUSES(zarrc_store_set(stores[s], keys[i], "x", 1, &err), "key");
      REFUSES(zarrc_store_erase(stores[s], keys[i], &err), "key");
    }
    REFUSES(zarrc_store_erase_prefix(stores[s], "../", &err), "..");
    REFUSES(zarrc_store_erase_prefix(stores[s], "../outside", &err), "../outside");
    REFUSES(zarrc_store_erase_prefix(stores[s], "/", &err), "empty");
    REFUSES(zarrc_store_erase_prefix(stores[s], "no/slash", &err), "no/slash");
    close_store(stores[s]);
  }
  struct stat st;
  CHECK(stat(outside, &st) == 0 && st.st_size == 4);
}

/* h5py's five modes, on a store that is there and on one that is not. */
static void modes(void) {
  static const struct {
    zarrc_mode mode;
    zarrc_status missing, present;
    bool keeps;
  } cases[] = {
      {ZARRC_READ, ZARRC_NOT_FOUND, ZARRC_OK, true},
      {ZARRC_READ_WRITE, ZARRC_NOT_FOUND, ZARRC_OK, true},
      {ZARRC_APPEND, ZARRC_OK, ZARRC_OK, true},
      {ZARRC_CREATE, ZARRC_OK, ZARRC_ALREADY_EXISTS, true},
      {ZARRC_OVERWRITE, ZARRC_OK, ZARRC_OK, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char name[32];
    zarrc_store *store = NULL;
    snprintf(name, sizeof name, "missing%zu", i);
    CALL(zarrc_store_open(scratch(name), cases[i].mode, NULL, &store, &err), cases[i].missing,
         cases[i].missing ? name : NULL);
    close_store(store);
    if (cases[i].missing != ZARRC_OK) {
      struct stat st;
      CHECK(store == NULL && stat(scratch(name), &st) != 0);
    }

    snprintf(name, sizeof name, "present%zu", i);
    store = file_store(scratch(name), ZARRC_CREATE);
    set_text(store, "zarr.json", "{\"zarr_format\":3,\"node_type\":\"group\"}");
    close_store(store);
    store = NULL;
    CALL(zarrc_store_open(scratch(name), cases[i].mode, NULL, &store, &err), cases[i].present,
         cases[i].present ? name : NULL);
    if (cases[i].present == ZARRC_OK) {
      CHECK(has_key(store, "zarr.json") == cases[i].keeps);
      CALL(zarrc_store_set(store, "k", "v", 1, &err),
           cases[i].mode == ZARRC_READ ? ZARRC_PERMISSION_DENIED : ZARRC_OK, NULL);
    }
    close_store(store);
    if (cases[i].keeps) {
      store = file_store(scratch(name), ZARRC_READ);
      CHECK(has_key(store, "zarr.json"));
      close_store(store);
    }
  }
}

static void read_only(void) {
  zarrc_store *store = file_store(scratch("locked"), ZARRC_CREATE);
  zarrc_group *group = NULL;
  set_text(store, "zarr.json", "{\"zarr_format\":3,\"node_type\":\"group\"}");
  close_store(store);
  store = file_store(scratch("locked"), ZARRC_READ);
  FAILS(zarrc_store_set(store, "k", "v", 1, &err), ZARRC_PERMISSION_DENIED);
  FAILS(zarrc_store_erase(store, "zarr.json", &err), ZARRC_PERMISSION_DENIED);
  FAILS(zarrc_store_erase_prefix(store, "", &err), ZARRC_PERMISSION_DENIED);
  FAILS(zarrc_group_create(store, "g", ZARRC_FORMAT_V3, &group, &err), ZARRC_PERMISSION_DENIED);
  FAILS(zarrc_node_delete(store, "", &err), ZARRC_PERMISSION_DENIED);
  CHECK(has_key(store, "zarr.json"));
  close_store(store);
}

static void urls(void) {
  char url[600];
  const char *path = scratch("by url");
  zarrc_store *store = file_store(path, ZARRC_CREATE);
  set_text(store, "k", "v");
  close_store(store);
  snprintf(url, sizeof url, "file:%s", path);
  store = file_store(url, ZARRC_READ);
  expect(store, "k", "v");
  close_store(store);

  store = NULL;
  FAILS_EITHER(zarrc_store_open("gopher://example.org/x", ZARRC_READ, NULL, &store, &err),
               ZARRC_UNSUPPORTED, ZARRC_INVALID_ARGUMENT);
  FAILS_NAMING(zarrc_store_open("", ZARRC_READ, NULL, &store, &err), ZARRC_INVALID_ARGUMENT, "URL");
  FAILS_NAMING(zarrc_store_open("memory:", 99, NULL, &store, &err), ZARRC_INVALID_ARGUMENT, "mode");
  FAILS_NAMING(zarrc_store_open("memory:", -1, NULL, &store, &err), ZARRC_INVALID_ARGUMENT, "mode");
  CHECK(store == NULL);
}

static void options(void) {
  zarrc_store *store = NULL;
  zarrc_options *none = zarrc_options_new(), *unknown = zarrc_options_new();
  CHECK(none != NULL && unknown != NULL);
  OK(zarrc_store_open("memory:", ZARRC_APPEND, none, &store, &err));
  close_store(store);

  REFUSES(zarrc_options_set(unknown, "no_such_option", "1", &err), "no_such_option");
  REFUSES(zarrc_options_set(unknown, "threads", "many", &err), "threads");

  /* A chunk of nothing but the fill value is stored only on request. */
  for (int on = 0; on < 2; on++) {
    const uint64_t shape[] = {4};
    const int32_t zeros[4] = {0};
    zarrc_options *asked = zarrc_options_new();
    OK(zarrc_options_set(asked, "write_empty_chunks", on ? "yes" : "no", &err));
    OK(zarrc_options_set(asked, "threads", "1", &err));
    OK(zarrc_store_open("memory:", ZARRC_APPEND, asked, &store, &err));
    zarrc_options_free(asked);
    zarrc_array *array = create(store, "a", spec_of(ZARRC_INT32, 1, shape, shape));
    OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, zeros, sizeof zeros, &err));
    close_array(array);
    CHECK(has_key(store, "a/c/0") == (on == 1));
    close_store(store);
  }
  zarrc_options_free(none);
  zarrc_options_free(unknown);
  zarrc_options_free(NULL);
}

int main(void) {
  begin("store");
  RUN(in_memory);
  RUN(in_files);
  RUN(memory_is_private);
  RUN(memory_by_name);
  RUN(traversal);
  RUN(modes);
  RUN(read_only);
  RUN(urls);
  RUN(options);
  return finish();
}
