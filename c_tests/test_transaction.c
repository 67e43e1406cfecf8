/* Transactions: arrays and attributes that change together, conflicts, and killed processes. */
#include "check.h"

#include <unistd.h>

enum { ELEMENTS = 20000 };

static int32_t values[ELEMENTS];
static const char *program;

/* The path of a new store in a file, with arrays a and b of zeros, and an attribute. */
static void make(const char *path) {
  const uint64_t shape[] = {ELEMENTS}, chunk[] = {ELEMENTS / 5};
  zarrc_store *store = file_store(path, ZARRC_CREATE);
  for (int n = 0; n < 2; n++) {
    zarrc_array *array = create(store, n ? "b" : "a", spec_of(ZARRC_INT32, 1, shape, chunk));
    memset(values, 0, sizeof values);
    OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err));
    OK(zarrc_attributes_set_int64(zarrc_array_attributes(array), "round", 0, &err));
    close_array(array);
  }
  close_store(store);
}

/* Sets all elements and the attribute of an array. */
static zarrc_status change(zarrc_store *store, const char *path, int32_t round) {
  zarrc_array *array = NULL;
  zarrc_status status = zarrc_array_open(store, path, &array, NULL);
  if (status) return status;
  for (int i = 0; i < ELEMENTS; i++)
    values[i] = round;
  status = zarrc_array_write(array, NULL, NULL, ZARRC_INT32, values, sizeof values, NULL);
  if (!status)
    status = zarrc_attributes_set_int64(zarrc_array_attributes(array), "round", round, NULL);
  zarrc_array_close(array, NULL);
  return status;
}

/* The number that an array has everywhere, or -1. */
static int32_t found(zarrc_store *store, const char *path) {
  zarrc_array *array = NULL;
  int64_t round = -1;
  OK(zarrc_array_open(store, path, &array, &err));
  memset(values, 0xff, sizeof values);
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err));
  OK(zarrc_attributes_get_int64(zarrc_array_attributes(array), "round", &round, &err));
  for (int i = 0; i < ELEMENTS; i++)
    if (values[i] != round) round = -1;
  close_array(array);
  return (int32_t)round;
}

static const char *const names[] = {"together.sqlite", "together.zip"};

static void together(void) {
  for (size_t n = 0; n < COUNT(names); n++) {
    const char *path = scratch(names[n]);
    make(path);
    zarrc_store *store = file_store(path, ZARRC_READ_WRITE), *transaction = NULL;
    OK(zarrc_store_begin(store, &transaction, &err));
    SAME(change(transaction, "a", 1), ZARRC_OK);
    SAME(change(transaction, "b", 1), ZARRC_OK);
    SAME(found(transaction, "a"), 1);
    SAME(found(store, "a"), 0);
    SAME(found(store, "b"), 0);
    OK(zarrc_store_commit(transaction, "both", &err));
    SAME(found(store, "a"), 1);
    SAME(found(store, "b"), 1);
    FAILS(zarrc_store_commit(transaction, NULL, &err), ZARRC_INVALID_ARGUMENT);
    SAME(change(transaction, "a", 2), ZARRC_INVALID_ARGUMENT);
    close_store(transaction);

    /* closing it rolls back */
    OK(zarrc_store_begin(store, &transaction, &err));
    SAME(change(transaction, "a", 2), ZARRC_OK);
    close_store(transaction);
    SAME(found(store, "a"), 1);

    /* new nodes come and go like values */
    zarrc_node_kind kind = -1;
    const uint64_t shape[] = {4};
    OK(zarrc_store_begin(store, &transaction, &err));
    close_array(create(transaction, "new/c", spec_of(ZARRC_INT32, 1, shape, shape)));
    OK(zarrc_node_delete(transaction, "b", &err));
    OK(zarrc_node_kind_at(transaction, "b", &kind, &err));
    SAME(kind, ZARRC_NODE_NONE);
    OK(zarrc_node_kind_at(store, "new/c", &kind, &err));
    SAME(kind, ZARRC_NODE_NONE);
    OK(zarrc_store_rollback(transaction, &err));
    close_store(transaction);
    SAME(found(store, "b"), 1);
    close_store(store);
  }
}

static void conflicts(void) {
  for (size_t n = 0; n < COUNT(names); n++) {
    char name[64];
    snprintf(name, sizeof name, "conflict-%s", names[n]);
    const char *path = scratch(name);
    make(path);
    zarrc_store *store = file_store(path, ZARRC_READ_WRITE), *one = NULL, *other = NULL;
    OK(zarrc_store_begin(store, &one, &err));
    OK(zarrc_store_begin(store, &other, &err));
    SAME(change(one, "a", 1), ZARRC_OK);
    SAME(change(other, "b", 2), ZARRC_OK);
    SAME(change(other, "a", 2), ZARRC_OK);
    OK(zarrc_store_commit(one, NULL, &err));
    FAILS(zarrc_store_commit(other, NULL, &err), ZARRC_CONFLICT);
    close_store(other);
    SAME(found(store, "a"), 1);
    SAME(found(store, "b"), 0);
    OK(zarrc_store_begin(store, &other, &err)); /* the retry */
    SAME(change(other, "b", 2), ZARRC_OK);
    SAME(change(other, "a", 2), ZARRC_OK);
    OK(zarrc_store_commit(other, NULL, &err));
    SAME(found(store, "a"), 2);
    SAME(found(store, "b"), 2);
    close_store(other);
    close_store(one);
    close_store(store);
  }
}

static void refusals(void) {
  zarrc_store *store = file_store(scratch("plain.zarr"), ZARRC_CREATE), *transaction = NULL;
  char *snapshot = NULL;
  FAILS_NAMING(zarrc_store_begin(store, &transaction, &err), ZARRC_UNSUPPORTED, "SQLite");
  FAILS(zarrc_store_commit(store, NULL, &err), ZARRC_INVALID_ARGUMENT);
  FAILS(zarrc_store_rollback(store, &err), ZARRC_INVALID_ARGUMENT);
  FAILS(zarrc_store_snapshot(store, &snapshot, &err), ZARRC_UNSUPPORTED);
  REFUSES(zarrc_store_begin(NULL, &transaction, &err), "store");
  REFUSES(zarrc_store_begin(store, NULL, &err), "transaction");
  REFUSES(zarrc_store_commit(NULL, NULL, &err), "transaction");
  REFUSES(zarrc_store_rollback(NULL, &err), "transaction");
  REFUSES(zarrc_store_snapshot(NULL, &snapshot, &err), "store");
  REFUSES(zarrc_store_snapshot(store, NULL, &err), "snapshot");
  close_store(store);
}

/* What a careless caller does with a transaction, its arrays and keys. */
static void careless(void) {
  for (size_t n = 0; n < COUNT(names); n++) {
    char name[64];
    snprintf(name, sizeof name, "careless-%s", names[n]);
    const char *path = scratch(name);
    make(path);
    zarrc_store *store = file_store(path, ZARRC_READ_WRITE), *one = NULL, *two = NULL;
    zarrc_array *array = NULL;
    OK(zarrc_store_begin(store, &one, &err));
    FAILS(zarrc_store_begin(one, &two, &err), ZARRC_INVALID_ARGUMENT);
    static const char *const bad[] = {"../x", "..", "/a", "a//b", "a/./b", "", "a/../../b"};
    for (size_t k = 0; k < COUNT(bad); k++) {
      FAILS(zarrc_store_set(one, bad[k], "x", 1, &err), ZARRC_INVALID_ARGUMENT);
      FAILS(zarrc_store_erase(one, bad[k], &err), ZARRC_INVALID_ARGUMENT);
    }
    /* a key of another array, below its document: the array stays readable */
    OK(zarrc_store_set(one, "a/c/0/stray", "x", 1, &err));
    OK(zarrc_array_open(one, "a", &array, &err));
    SAME(found(one, "a"), 0);

    /* an empty transaction beside it, committed twice */
    OK(zarrc_store_begin(store, &two, &err));
    OK(zarrc_store_commit(two, NULL, &err));
    FAILS(zarrc_store_commit(two, NULL, &err), ZARRC_INVALID_ARGUMENT);
    OK(zarrc_store_rollback(two, &err));
    FAILS(zarrc_store_set(two, "x", "x", 1, &err), ZARRC_INVALID_ARGUMENT);
    close_store(two);

    /* the store is closed first, the array used after the end */
    close_store(store);
    SAME(change(one, "b", 3), ZARRC_OK);
    OK(zarrc_store_commit(one, NULL, &err));
    FAILS(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err),
          ZARRC_INVALID_ARGUMENT);
    FAILS(zarrc_array_resize(array, 1, (uint64_t[]){UINT64_MAX}, &err), ZARRC_INVALID_ARGUMENT);
    FAILS(zarrc_array_append(array, 0, NULL, ZARRC_INT32, values, sizeof values, &err),
          ZARRC_INVALID_ARGUMENT);
    close_array(array);
    close_store(one);
    store = file_store(path, ZARRC_READ);
    SAME(found(store, "a"), 0);
    SAME(found(store, "b"), 3);
    close_store(store);
  }
}

/* Commits both arrays over and over, each time with the next number. */
static int commit_for_ever(const char *path) {
  zarrc_store *store = NULL, *transaction = NULL;
  if (zarrc_store_open(path, ZARRC_READ_WRITE, NULL, &store, NULL)) return 1;
  for (int32_t round = 1;; round++) {
    if (zarrc_store_begin(store, &transaction, NULL) || change(transaction, "a", round) ||
        change(transaction, "b", round) || zarrc_store_commit(transaction, NULL, NULL) ||
        zarrc_store_close(transaction, NULL))
      return 1;
    if (round == 1 && write(STDOUT_FILENO, ".", 1) != 1) return 1;
  }
}

/* A killed process leaves both arrays and their attributes of one commit. */
static void killed(void) {
  static const struct {
    const char *before, *after;
  } stores[] = {{"", ".sqlite"}, {"", ".zip"}, {"lmdb:", ".lmdb"}, {"", "|icechunk:"}};
  const int rounds = slowed() ? 4 : 40;
  for (size_t n = 0; n < COUNT(stores); n++) {
    char path[600];
    zarrc_store *none = NULL;
    snprintf(path, sizeof path, "%s%s%s", stores[n].before, scratch("killed"), stores[n].after);
    if (zarrc_store_open(path, ZARRC_READ, NULL, &none, NULL) == ZARRC_UNSUPPORTED) {
      printf("  not in this build: %s\n", path);
      continue;
    }
    make(path);
    for (int round = 0; round < rounds; round++) {
      kill_soon(start_again(program, path), 9000000);
      zarrc_store *store = file_store(path, round % 2 ? ZARRC_READ : ZARRC_READ_WRITE);
      const int32_t a = found(store, "a");
      CHECK(a >= 1);
      SAME(found(store, "b"), a);
      close_store(store);
    }
  }
}

int main(int argc, char **argv) {
  if (argc > 1) return commit_for_ever(argv[1]);
  program = argv[0];
  begin("transaction");
  RUN(together);
  RUN(conflicts);
  RUN(refusals);
  RUN(careless);
  RUN(killed);
  return finish();
}
