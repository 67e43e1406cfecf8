/* zarrc, through its C interface. options=name:value,... are options of the store; in:NAME is the file of a new store
   of many arrays, committed at once if it can be. */
#include "job.h"
#include <zarrc.h>

typedef struct handle {
  zarrc_store *store;
  zarrc_array *array;
} handle;

static zarrc_error error_;
static void check(zarrc_status status, const char *what) {
  if (status != ZARRC_OK) fail(what, error_.message);
}

static zarrc_store *open_store(const char *path, zarrc_mode mode) {
  zarrc_options *options = zarrc_options_new();
  zarrc_store *store = NULL;
  char list[1024], *rest = list;
  check(zarrc_options_set(options, "threads", text("threads"), &error_), "threads");
  snprintf(list, sizeof list, "%s", text("options"));
  for (char *name = strsep(&rest, ","); name && *name; name = strsep(&rest, ",")) {
    char *value = strchr(name, ':');
    if (!value) fail(name, "an option without a value");
    *value++ = 0;
    if (!strcmp(name, "in")) continue;
    check(zarrc_options_set(options, name, value, &error_), name);
  }
  check(zarrc_store_open(path, mode, options, &store, &error_), path);
  zarrc_options_free(options);
  return store;
}
static void *z_open(const char *path, bool writable) {
  handle *h = calloc(1, sizeof *h);
  h->store = open_store(path, writable ? ZARRC_READ_WRITE : ZARRC_READ);
  check(zarrc_array_open(h->store, "", &h->array, &error_), path);
  return h;
}
static zarrc_array *create_in(zarrc_store *store, const char *name) {
  static char *document;
  zarrc_array *array = NULL;
  if (!document) document = load(text("meta"), NULL);
  const zarrc_format format = number("format") == 2 ? ZARRC_FORMAT_V2 : ZARRC_FORMAT_V3;
  check(zarrc_array_create_json(store, name, format, document, &array, &error_), name);
  return array;
}
static void z_resize(void *v, const uint64_t *shape) {
  check(zarrc_array_resize(((handle *)v)->array, (size_t)rank_, shape, &error_), "resize");
}
static void *z_create(const char *parent, const char *name, const uint64_t *shape) {
  handle *h = calloc(1, sizeof *h);
  h->store = open_store(parent, ZARRC_APPEND);
  h->array = create_in(h->store, name);
  if (memcmp(shape, shape_, sizeof shape_)) z_resize(h, shape);
  return h;
}
static void z_close(void *v) {
  handle *h = v;
  check(zarrc_array_close(h->array, &error_), "close");
  check(zarrc_store_close(h->store, &error_), "close");
  free(h);
}
static void z_read(void *v, const box *b, void *out, uint64_t size) {
  check(zarrc_array_read(((handle *)v)->array, b->start, b->count, ZARRC_NATIVE, out, size, &error_), "read");
}
static void z_write(void *v, const box *b, const void *data, uint64_t size) {
  check(zarrc_array_write(((handle *)v)->array, b->start, b->count, ZARRC_NATIVE, data, size, &error_), "write");
}
static bool z_select(void *v, const selection *s, void *out) {
  zarrc_array *array = ((handle *)v)->array;
  zarrc_selection *selected = NULL;
  check(zarrc_selection_new(array, &selected, &error_), "selection");
  const uint64_t *n = s->numbers, all = shape_[0] * shape_[1] * shape_[2];
  switch (s->kind) {
  case 0:
    check(zarrc_selection_set_points(selected, s->count, n, &error_), "points");
    break;
  case 1:
    check(zarrc_selection_set_index(selected, 0, n[0], &error_), "index");
    check(zarrc_selection_set_indices(selected, 1, n[1], n + 2, &error_), "indices");
    check(zarrc_selection_set_indices(selected, 2, n[2 + n[1]], n + 3 + n[1], &error_), "indices");
    break;
  case 2:
    check(zarrc_selection_set_element_mask(selected, s->mask, all, &error_), "mask");
    break;
  default:
    check(zarrc_selection_set_range(selected, 0, 0, (int64_t)n[0], (shape_[0] + n[0] - 1) / n[0], &error_), "planes");
  }
  check(zarrc_array_read_selection(array, selected, ZARRC_NATIVE, out, NULL, s->count * item_, &error_), "read");
  zarrc_selection_free(selected);
  return true;
}
static void z_create_many(const char *parent, uint64_t n, const void *data, uint64_t size) {
  const char *in = strstr(text("options"), "in:");
  char name[32], path[4200];
  snprintf(path, sizeof path, "%s%s%s", parent, in ? "/" : "", in ? in + 3 : "");
  zarrc_store *all = open_store(path, ZARRC_APPEND), *store = all;
  if (in) check(zarrc_store_begin(all, &store, &error_), "begin");
  for (uint64_t i = 0; i < n; i++) {
    snprintf(name, sizeof name, "a%04d", (int)i);
    zarrc_array *array = create_in(store, name);
    check(zarrc_array_write(array, NULL, NULL, ZARRC_NATIVE, data, size, &error_), "write");
    check(zarrc_array_close(array, &error_), "close");
  }
  if (in) {
    check(zarrc_store_commit(store, NULL, &error_), "commit");
    check(zarrc_store_close(store, &error_), "close");
  }
  check(zarrc_store_close(all, &error_), "close");
}
static uint64_t z_list(const char *path) {
  zarrc_store *store = open_store(path, ZARRC_READ);
  zarrc_group *group = NULL;
  zarrc_listing *listing = NULL;
  uint64_t sum = 0, shape[RANK_MAX];
  check(zarrc_group_open(store, "", &group, &error_), path);
  check(zarrc_group_list(group, false, &listing, &error_), path);
  for (size_t i = 0; i < zarrc_listing_count(listing); i++) { /* every array is opened: peers give handles */
    zarrc_array *array = NULL;
    check(zarrc_array_open(store, zarrc_listing_path(listing, i), &array, &error_), "open");
    check(zarrc_array_shape(array, (size_t)rank_, shape, &error_), "shape");
    check(zarrc_array_close(array, &error_), "close");
    sum += shape[0];
  }
  zarrc_listing_free(listing);
  check(zarrc_group_close(group, &error_), "close");
  check(zarrc_store_close(store, &error_), "close");
  return sum;
}

int main(int argc, char **argv) {
  const library zarrc = {z_open, z_create, z_close, z_read, z_write, z_resize, z_list, z_create_many, "", z_select};
  parse_job(argc, argv);
  return run_job(&zarrc);
}
