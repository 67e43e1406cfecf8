/* Stores of a program's own: what is missing is made up for, what fails says so, and the end comes
 * once. */
#include "check.h"

#include <pthread.h>

#define VALUES 64

struct shelf {
  pthread_mutex_t lock;
  struct {
    char key[64];
    unsigned char *bytes;
    size_t size;
    uint64_t version;
  } values[VALUES];
  uint64_t versions;
  int destroyed, ranges, flushes; /* behind the lock, or of one thread */
  zarrc_status failure; /* what every callback returns, unless it is 0 */
  bool greedy;          /* gives more than is asked for */
};

static int find(struct shelf *shelf, const char *key) {
  int empty = -1;
  for (int i = 0; i < VALUES; i++)
    if (strcmp(shelf->values[i].key, key) == 0)
      return i;
    else if (shelf->values[i].key[0] == 0)
      empty = i;
  return -2 - empty;
}

static zarrc_status failed(struct shelf *shelf, zarrc_error *err) {
  if (shelf->failure == ZARRC_IO) {
    strcpy(err->message, "the shelf fell down");
    err->system_code = 77;
  }
  return shelf->failure;
}

static zarrc_status give_range(struct shelf *shelf, const char *key, uint64_t offset,
                               uint64_t length, zarrc_give_bytes give, void *to) {
  pthread_mutex_lock(&shelf->lock);
  int i = find(shelf, key);
  if (i >= 0 && offset <= shelf->values[i].size) {
    uint64_t left = shelf->values[i].size - offset;
    length = length < left ? length : left;
    /* in two pieces */
    uint64_t half = length / 2;
    give(to, shelf->values[i].bytes + offset, (size_t)half);
    give(to, shelf->values[i].bytes + offset + half, (size_t)(length - half));
    if (shelf->greedy)
      give(to, "more", 4);
  }
  pthread_mutex_unlock(&shelf->lock);
  return i >= 0 ? ZARRC_OK : ZARRC_NOT_FOUND;
}

static zarrc_status get(void *user, const char *key, zarrc_give_bytes give, void *to,
                        zarrc_error *err) {
  struct shelf *shelf = user;
  return shelf->failure ? failed(shelf, err) : give_range(shelf, key, 0, UINT64_MAX, give, to);
}

static zarrc_status get_range(void *user, const char *key, uint64_t offset, uint64_t length,
                              zarrc_give_bytes give, void *to, zarrc_error *err) {
  struct shelf *shelf = user;
  pthread_mutex_lock(&shelf->lock);
  shelf->ranges++;
  pthread_mutex_unlock(&shelf->lock);
  return shelf->failure ? failed(shelf, err) : give_range(shelf, key, offset, length, give, to);
}

static zarrc_status stat_value(void *user, const char *key, uint64_t *length, uint64_t *version,
                               zarrc_error *err) {
  struct shelf *shelf = user;
  if (shelf->failure)
    return failed(shelf, err);
  pthread_mutex_lock(&shelf->lock);
  int i = find(shelf, key);
  if (i >= 0) {
    *length = shelf->values[i].size;
    *version = shelf->values[i].version;
  }
  pthread_mutex_unlock(&shelf->lock);
  return i >= 0 ? ZARRC_OK : ZARRC_NOT_FOUND;
}

static zarrc_status set(void *user, const char *key, const void *bytes, size_t size,
                        zarrc_error *err) {
  struct shelf *shelf = user;
  if (shelf->failure)
    return failed(shelf, err);
  unsigned char *copy = malloc(size ? size : 1);
  if (size)
    memcpy(copy, bytes, size);
  pthread_mutex_lock(&shelf->lock);
  int i = find(shelf, key);
  if (i < 0)
    i = -2 - i;
  if (i >= 0) {
    free(shelf->values[i].bytes);
    strncpy(shelf->values[i].key, key, 63);
    shelf->values[i].bytes = copy;
    shelf->values[i].size = size;
    shelf->values[i].version = ++shelf->versions;
  } else {
    free(copy);
  }
  pthread_mutex_unlock(&shelf->lock);
  return i >= 0 ? ZARRC_OK : ZARRC_LIMIT_EXCEEDED;
}

static zarrc_status erase(void *user, const char *key, zarrc_error *err) {
  struct shelf *shelf = user;
  if (shelf->failure)
    return failed(shelf, err);
  pthread_mutex_lock(&shelf->lock);
  int i = find(shelf, key);
  if (i >= 0)
    shelf->values[i].key[0] = 0;
  pthread_mutex_unlock(&shelf->lock);
  return i >= 0 ? ZARRC_OK : ZARRC_NOT_FOUND;
}

static zarrc_status list(void *user, const char *prefix, zarrc_give_key give, void *to,
                         zarrc_error *err) {
  struct shelf *shelf = user;
  if (shelf->failure)
    return failed(shelf, err);
  give(to, "no/../key"); /* passed over */
  pthread_mutex_lock(&shelf->lock);
  for (int i = 0; i < VALUES; i++)
    if (shelf->values[i].key[0] &&
        strncmp(shelf->values[i].key, prefix, strlen(prefix)) == 0)
      give(to, shelf->values[i].key);
  pthread_mutex_unlock(&shelf->lock);
  return ZARRC_OK;
}

static zarrc_status flush(void *user, zarrc_error *err) {
  struct shelf *shelf = user;
  shelf->flushes++;
  return shelf->failure ? failed(shelf, err) : ZARRC_OK;
}

static void destroy(void *user) {
  struct shelf *shelf = user;
  shelf->destroyed++;
  for (int i = 0; i < VALUES; i++) {
    free(shelf->values[i].bytes);
    shelf->values[i].bytes = NULL;
  }
}

static struct shelf *new_shelf(void) {
  struct shelf *shelf = calloc(1, sizeof *shelf);
  pthread_mutex_init(&shelf->lock, NULL);
  return shelf;
}

static zarrc_store_callbacks all(struct shelf *shelf) {
  zarrc_store_callbacks callbacks = {sizeof callbacks, shelf, "the shelf", 0,   destroy, get,
                                     stat_value,       get_range, set,     erase, list,    flush};
  return callbacks;
}

static zarrc_store *open_store(const zarrc_store_callbacks *callbacks) {
  zarrc_store *store = NULL;
  OK(zarrc_store_from_callbacks(callbacks, NULL, &store, &err));
  return store;
}

static zarrc_array *whole_array(zarrc_store *store) {
  const uint64_t shape[] = {64, 8}, chunk[] = {8, 8};
  static int32_t values[64][8];
  for (int i = 0; i < 64 * 8; i++)
    values[i / 8][i % 8] = i * i;
  zarrc_array *array = create(store, "g/a", spec_of(ZARRC_INT32, 2, shape, chunk));
  OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err));
  int32_t again[64][8] = {{0}};
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, again, sizeof again, &err));
  SAME_BYTES(again, values, sizeof values);
  const uint64_t start[] = {9, 3}, count[] = {2, 2};
  int32_t part[2][2];
  OK(zarrc_array_read(array, start, count, ZARRC_INT32, part, sizeof part, &err));
  SAME(part[1][1], (10 * 8 + 4) * (10 * 8 + 4));
  OK(zarrc_array_write(array, start, count, ZARRC_INT32, part, sizeof part, &err));
  return array;
}

static void arrays_with_all_callbacks_and_with_few(void) {
  for (int few = 0; few < 3; few++) {
    struct shelf *shelf = new_shelf();
    zarrc_store_callbacks callbacks = all(shelf);
    if (few >= 1)
      callbacks.get_range = NULL;
    if (few >= 2)
      callbacks.stat = NULL;
    zarrc_store *store = open_store(&callbacks);
    memset(&callbacks, 0xff, sizeof callbacks); /* it was copied */
    zarrc_array *array = whole_array(store);
    CHECK((shelf->ranges > 0) == (few == 0));

    zarrc_group *group = NULL;
    zarrc_listing *listing = NULL;
    OK(zarrc_group_open(store, "", &group, &err));
    OK(zarrc_group_list(group, true, &listing, &err));
    SAME(zarrc_listing_count(listing), 2);
    zarrc_listing_free(listing);
    OK(zarrc_group_close(group, &err));
    OK(zarrc_node_delete(store, "g", &err));
    CHECK(!has_key(store, "g/a/zarr.json"));

    close_store(store);
    SAME(shelf->destroyed, 0);
    SAME(shelf->flushes, 1);
    close_array(array);
    SAME(shelf->flushes, 2);
    SAME(shelf->destroyed, 1);
    free(shelf);
  }
}

static void get_alone_is_a_store_that_is_read(void) {
  struct shelf *shelf = new_shelf();
  zarrc_store_callbacks callbacks = all(shelf);
  callbacks.destroy = NULL;
  zarrc_store *store = open_store(&callbacks);
  close_array(whole_array(store));
  close_store(store);
  SAME(shelf->destroyed, 0);

  zarrc_store_callbacks reading = {.size = sizeof reading, .user = shelf, .get = get};
  store = open_store(&reading);
  zarrc_array *array = NULL;
  OK(zarrc_array_open(store, "g/a", &array, &err));
  int32_t values[64][8];
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err));
  SAME(values[63][7], 511 * 511);
  FAILS_NAMING(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err),
               ZARRC_PERMISSION_DENIED, "a store of the program");
  FAILS(zarrc_store_erase(store, "g/a/zarr.json", &err), ZARRC_PERMISSION_DENIED);
  close_array(array);
  close_store(store);

  callbacks.erase = NULL;
  callbacks.list = NULL;
  callbacks.destroy = destroy;
  store = open_store(&callbacks);
  FAILS_NAMING(zarrc_store_erase(store, "g/a/zarr.json", &err), ZARRC_UNSUPPORTED, "delete keys");
  FAILS_NAMING(zarrc_store_erase_prefix(store, "g/", &err), ZARRC_UNSUPPORTED, "list");
  close_store(store);
  SAME(shelf->destroyed, 1);
  free(shelf);
}

static void failures_carry_the_callback_s_words(void) {
  struct shelf *shelf = new_shelf();
  zarrc_store_callbacks callbacks = all(shelf);
  zarrc_store *store = open_store(&callbacks);
  zarrc_array *array = whole_array(store);
  int32_t values[64][8];
  uint8_t *value = NULL;
  size_t size = 0;

  shelf->greedy = true;
  FAILS_NAMING(zarrc_store_get_range(store, "g/a/zarr.json", 1, 2, &value, &size, &err), ZARRC_IO,
               "more bytes");
  shelf->greedy = false;

  shelf->failure = ZARRC_IO;
  zarrc_error error;
  SAME(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &error), ZARRC_IO);
  SAME(error.system_code, 77);
  CHECK(strstr(error.message, "the shelf fell down") && strstr(error.message, "g/a"));
  FAILS_NAMING(zarrc_store_set(store, "x", "y", 1, &err), ZARRC_IO, "x of the shelf: the shelf fell");
  FAILS(zarrc_store_erase(store, "x", &err), ZARRC_IO);
  FAILS(zarrc_store_erase_prefix(store, "x/", &err), ZARRC_IO);
  FAILS(zarrc_array_flush(array, &err), ZARRC_IO);
  shelf->failure = ZARRC_CONFLICT; /* without words */
  FAILS_NAMING(zarrc_store_set(store, "x", "y", 1, &err), ZARRC_CONFLICT, "status 11");
  shelf->failure = 12345; /* no status at all */
  FAILS_NAMING(zarrc_store_set(store, "x", "y", 1, &err), ZARRC_IO, "12345");
  shelf->failure = ZARRC_NOT_FOUND; /* that is no answer to a set */
  FAILS(zarrc_store_set(store, "x", "y", 1, &err), ZARRC_IO);
  shelf->failure = ZARRC_PERMISSION_DENIED;
  FAILS(zarrc_store_close(store, &err), ZARRC_PERMISSION_DENIED); /* the handle is gone */
  shelf->failure = 0;
  close_array(array);
  SAME(shelf->destroyed, 1);
  free(shelf);
}

static void tables_that_cannot_be_used(void) {
  struct shelf *shelf = new_shelf();
  zarrc_store *store = NULL;
  zarrc_store_callbacks callbacks = all(shelf);
  REFUSES(zarrc_store_from_callbacks(NULL, NULL, &store, &err), "callbacks");
  REFUSES(zarrc_store_from_callbacks(&callbacks, NULL, NULL, &err), "store");
  callbacks.size = 0;
  REFUSES(zarrc_store_from_callbacks(&callbacks, NULL, &store, &err), "size");
  callbacks.size = sizeof callbacks - 1;
  REFUSES(zarrc_store_from_callbacks(&callbacks, NULL, &store, &err), "size");
  callbacks = all(shelf);
  callbacks.get = NULL;
  REFUSES(zarrc_store_from_callbacks(&callbacks, NULL, &store, &err), "get");
  callbacks = all(shelf);
  callbacks.name = "\xff";
  REFUSES(zarrc_store_from_callbacks(&callbacks, NULL, &store, &err), "name");
  CHECK(store == NULL);
  SAME(shelf->destroyed, 0);

  /* a newer program's table is longer */
  struct {
    zarrc_store_callbacks known;
    void (*unknown)(void);
  } longer = {all(shelf), NULL};
  longer.known.size = sizeof longer;
  OK(zarrc_store_from_callbacks(&longer.known, NULL, &store, &err));
  close_store(store);
  SAME(shelf->destroyed, 1);
  free(shelf);
}

struct work {
  zarrc_store *store;
  int number;
};

static void *write_row(void *argument) {
  const struct work *work = argument;
  zarrc_array *array = NULL;
  OK(zarrc_array_open(work->store, "g/a", &array, &err));
  for (int round = 0; round < 20; round++) {
    /* all threads have a part of the same chunk */
    const uint64_t start[] = {(uint64_t)work->number, 0}, count[] = {1, 8};
    int32_t row[8], again[8];
    for (int i = 0; i < 8; i++)
      row[i] = 1000 * work->number + round;
    OK(zarrc_array_write(array, start, count, ZARRC_INT32, row, sizeof row, &err));
    OK(zarrc_array_read(array, start, count, ZARRC_INT32, again, sizeof again, &err));
    SAME_BYTES(again, row, sizeof row);
  }
  close_array(array);
  return NULL;
}

static void threads(void) {
  for (int few = 0; few < 2; few++) {
    struct shelf *shelf = new_shelf();
    zarrc_store_callbacks callbacks = all(shelf);
    callbacks.concurrency = 8;
    if (few)
      callbacks.stat = NULL;
    zarrc_store *store = open_store(&callbacks);
    close_array(whole_array(store));
    pthread_t threads[4];
    struct work works[4];
    for (int i = 0; i < 4; i++) {
      works[i] = (struct work){store, i};
      pthread_create(&threads[i], NULL, write_row, &works[i]);
    }
    for (int i = 0; i < 4; i++)
      pthread_join(threads[i], NULL);
    close_store(store);
    SAME(shelf->destroyed, 1);
    free(shelf);
  }
}

/* what the library's own threads did for a call has ended with the call */
static void a_store_that_is_closed_is_gone(void) {
  int late = 0;
  for (int round = 0; round < 300; round++) {
    struct shelf *shelf = new_shelf();
    zarrc_store_callbacks callbacks = all(shelf);
    callbacks.concurrency = 8;
    zarrc_store *store = open_store(&callbacks);
    const uint64_t shape[] = {64, 8}, chunk[] = {8, 8};
    static int32_t values[64][8];
    zarrc_array *array = create(store, "a", spec_of(ZARRC_INT32, 2, shape, chunk));
    close_store(store);
    values[63][7] = round + 1;
    OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err));
    if (round % 2)
      OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err));
    close_array(array);
    late += shelf->destroyed == 0; /* and is not freed: someone is still to write there */
    if (shelf->destroyed)
      free(shelf);
  }
  SAME(late, 0);
}

int main(void) {
  begin("callbacks");
  RUN(arrays_with_all_callbacks_and_with_few);
  RUN(get_alone_is_a_store_that_is_read);
  RUN(failures_carry_the_callback_s_words);
  RUN(tables_that_cannot_be_used);
  RUN(threads);
  RUN(a_store_that_is_closed_is_gone);
  return finish();
}
