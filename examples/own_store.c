/*
 * A store in a program's own structure: here a list of keys and values behind a lock, as a program may
 * have them in a message, a shared segment or a database of its own. Writes an array to it, lists
 * what that made, and reads it back.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zarrc.h>

struct value {
  struct value *next;
  char *key;
  void *bytes;
  size_t size;
  uint64_t version;
};

struct shelf {
  pthread_mutex_t lock;
  struct value *first;
  uint64_t versions; /* counts the values that were ever set */
};

static struct value **find(struct shelf *shelf, const char *key) {
  struct value **at = &shelf->first;
  while (*at && strcmp((*at)->key, key) != 0)
    at = &(*at)->next;
  return at;
}

static void drop(struct value *value) {
  if (value) {
    free(value->key);
    free(value->bytes);
    free(value);
  }
}

static zarrc_status get(void *user, const char *key, zarrc_give_bytes give, void *to,
                        zarrc_error *err) {
  struct shelf *shelf = user;
  (void)err;
  pthread_mutex_lock(&shelf->lock);
  const struct value *value = *find(shelf, key);
  if (value)
    give(to, value->bytes, value->size);
  pthread_mutex_unlock(&shelf->lock);
  return value ? ZARRC_OK : ZARRC_NOT_FOUND;
}

static zarrc_status stat_value(void *user, const char *key, uint64_t *length, uint64_t *version,
                               zarrc_error *err) {
  struct shelf *shelf = user;
  (void)err;
  pthread_mutex_lock(&shelf->lock);
  const struct value *value = *find(shelf, key);
  if (value) {
    *length = value->size;
    *version = value->version;
  }
  pthread_mutex_unlock(&shelf->lock);
  return value ? ZARRC_OK : ZARRC_NOT_FOUND;
}

static zarrc_status get_range(void *user, const char *key, uint64_t offset, uint64_t length,
                              zarrc_give_bytes give, void *to, zarrc_error *err) {
  struct shelf *shelf = user;
  (void)err;
  pthread_mutex_lock(&shelf->lock);
  const struct value *value = *find(shelf, key);
  /* The value may have become shorter since its length was asked for. */
  if (value && offset <= value->size) {
    size_t left = value->size - (size_t)offset;
    give(to, (const char *)value->bytes + offset, length < left ? (size_t)length : left);
  }
  pthread_mutex_unlock(&shelf->lock);
  return value ? ZARRC_OK : ZARRC_NOT_FOUND;
}

static zarrc_status set(void *user, const char *key, const void *bytes, size_t size,
                        zarrc_error *err) {
  struct shelf *shelf = user;
  struct value *new = calloc(1, sizeof *new);
  if (new) {
    new->key = malloc(strlen(key) + 1);
    new->bytes = malloc(size ? size : 1);
  }
  if (!new || !new->key || !new->bytes) {
    drop(new);
    snprintf(err->message, sizeof err->message, "no memory for %zu bytes", size);
    return ZARRC_OUT_OF_MEMORY;
  }
  strcpy(new->key, key);
  if (size)
    memcpy(new->bytes, bytes, size);
  new->size = size;

  pthread_mutex_lock(&shelf->lock);
  struct value **at = find(shelf, key), *old = *at;
  new->version = ++shelf->versions;
  new->next = old ? old->next : NULL;
  *at = new;
  pthread_mutex_unlock(&shelf->lock);
  drop(old);
  return ZARRC_OK;
}

static zarrc_status erase(void *user, const char *key, zarrc_error *err) {
  struct shelf *shelf = user;
  (void)err;
  pthread_mutex_lock(&shelf->lock);
  struct value **at = find(shelf, key), *old = *at;
  if (old)
    *at = old->next;
  pthread_mutex_unlock(&shelf->lock);
  zarrc_status status = old ? ZARRC_OK : ZARRC_NOT_FOUND;
  drop(old);
  return status;
}

static zarrc_status list(void *user, const char *prefix, zarrc_give_key give, void *to,
                         zarrc_error *err) {
  struct shelf *shelf = user;
  (void)err;
  pthread_mutex_lock(&shelf->lock);
  for (const struct value *value = shelf->first; value; value = value->next)
    if (strncmp(value->key, prefix, strlen(prefix)) == 0 && !give(to, value->key))
      break;
  pthread_mutex_unlock(&shelf->lock);
  return ZARRC_OK;
}

/* zarrc needs the shelf no more. */
static void destroy(void *user) {
  struct shelf *shelf = user;
  while (shelf->first) {
    struct value *value = shelf->first;
    shelf->first = value->next;
    printf("%-10s %4zu bytes\n", value->key, value->size);
    drop(value);
  }
  pthread_mutex_destroy(&shelf->lock);
}

static zarrc_error error;

static void must(zarrc_status status) {
  if (status != ZARRC_OK) {
    fprintf(stderr, "%s: %s\n", zarrc_status_name(status), error.message);
    exit(1);
  }
}

int main(void) {
  static struct shelf shelf = {.lock = PTHREAD_MUTEX_INITIALIZER};
  const zarrc_store_callbacks callbacks = {
      .size = sizeof callbacks,
      .user = &shelf,
      .name = "the shelf",
      .destroy = destroy,
      .get = get,
      .stat = stat_value,
      .get_range = get_range,
      .set = set,
      .erase = erase,
      .list = list,
  };
  const uint64_t shape[] = {30, 20}, chunk[] = {10, 20};
  float out[30][20], in[30][20];
  zarrc_store *store = NULL;
  zarrc_array_spec *spec = NULL;
  zarrc_array *array = NULL;
  for (int y = 0; y < 30; y++)
    for (int x = 0; x < 20; x++)
      out[y][x] = (float)(y * x);

  must(zarrc_store_from_callbacks(&callbacks, NULL, &store, &error));
  must(zarrc_array_spec_new(ZARRC_FLOAT32, 2, shape, &spec, &error));
  must(zarrc_array_spec_set_chunk_shape(spec, 2, chunk, &error));
  must(zarrc_array_create(store, "t", spec, &array, &error));
  must(zarrc_array_write(array, NULL, NULL, ZARRC_FLOAT32, out, sizeof out, &error));
  must(zarrc_array_read(array, NULL, NULL, ZARRC_FLOAT32, in, sizeof in, &error));
  zarrc_array_spec_free(spec);
  must(zarrc_store_close(store, &error));
  must(zarrc_array_close(array, &error)); /* the last that used the shelf */

  if (memcmp(in, out, sizeof in) != 0) {
    fprintf(stderr, "it was read back as something else\n");
    return 1;
  }
  return 0;
}
