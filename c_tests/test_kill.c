/* A process that dies in the middle of writing leaves the old value or the new one, whole. */
#include "check.h"

#include <unistd.h>

enum { ELEMENTS = 50000 };

static int32_t values[ELEMENTS];

/* Writes one chunk, one shard and one attribute, over and over, each time with the next number. */
static int write_for_ever(const char *path) {
  zarrc_store *store = NULL;
  zarrc_array *plain = NULL, *shards = NULL;
  if (zarrc_store_open(path, ZARRC_READ_WRITE, NULL, &store, NULL) ||
      zarrc_array_open(store, "plain", &plain, NULL) ||
      zarrc_array_open(store, "shards", &shards, NULL))
    return 1;
  for (int32_t round = 1;; round++) {
    for (int i = 0; i < ELEMENTS; i++)
      values[i] = round;
    if (zarrc_array_write(plain, NULL, NULL, ZARRC_INT32, values, sizeof values, NULL) ||
        zarrc_array_write(shards, NULL, NULL, ZARRC_INT32, values, sizeof values, NULL) ||
        zarrc_attributes_set_int64(zarrc_array_attributes(plain), "round", round, NULL))
      return 1;
    if (round == 1 && write(STDOUT_FILENO, ".", 1) != 1)
      return 1;
  }
}

enum { WIDTH = 64, DEPTH = 4 }; /* of a frame, of a chunk (frames) */

static zarrc_store *in_place(const char *path) {
  zarrc_options *options = zarrc_options_new();
  zarrc_store *store = NULL;
  OK(zarrc_options_set(options, "overwrite", "in_place", &err));
  OK(zarrc_options_set(options, "write_buffer", "1MiB", &err));
  OK(zarrc_store_open(path, ZARRC_READ_WRITE, options, &store, &err));
  zarrc_options_free(options);
  return store;
}

/* Appends frames in place, each full of its number; goes on with the chunk that may be cut short. */
static int append_for_ever(const char *path) {
  zarrc_array *film = NULL;
  uint64_t shape[2];
  int32_t frame[WIDTH];
  if (zarrc_array_open(in_place(path), "film", &film, NULL) ||
      zarrc_array_shape(film, 2, shape, NULL))
    return 1;
  const uint64_t end = shape[0];
  for (uint64_t n = end < DEPTH ? 0 : end / DEPTH * DEPTH - DEPTH;; n++) {
    const uint64_t start[] = {n, 0}, count[] = {1, WIDTH}, longer[] = {n + 1, WIDTH};
    for (int i = 0; i < WIDTH; i++)
      frame[i] = (int32_t)n + 1;
    if ((n >= end && zarrc_array_resize(film, 2, longer, NULL)) ||
        zarrc_array_write(film, start, count, ZARRC_INT32, frame, sizeof frame, NULL) ||
        (n % 7 == 0 && zarrc_array_flush(film, NULL)))
      return 1;
    if (n == end + 2 * DEPTH && write(STDOUT_FILENO, ".", 1) != 1)
      return 1;
  }
}

static void make(const char *path) {
  const uint64_t shape[] = {ELEMENTS}, inner[] = {ELEMENTS / 50};
  zarrc_store *store = file_store(path, ZARRC_CREATE);
  zarrc_array_spec *spec = spec_of(ZARRC_INT32, 1, shape, shape);
  OK(zarrc_array_spec_add_codec(spec, "none", NULL, &err));
  close_array(create(store, "plain", spec));
  spec = spec_of(ZARRC_INT32, 1, shape, inner);
  OK(zarrc_array_spec_set_shard_shape(spec, 1, shape, &err));
  close_array(create(store, "shards", spec));
  close_store(store);
}

static void whole(zarrc_store *store, const char *path) {
  zarrc_array *array = NULL;
  bool same = true;
  OK(zarrc_array_open(store, path, &array, &err));
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err));
  for (int i = 0; i < ELEMENTS; i++)
    same = same && values[i] == values[0];
  CHECK(same);
  close_array(array);
}

static const char *program;

static void killed_while_writing(void) {
  const char *path = scratch("killed.zarr");
  int rounds = slowed() ? 8 : 60;
  make(path);
  for (int round = 0; round < rounds; round++) {
    kill_soon(start_again(program, path), 8000000);

    zarrc_store *store = file_store(path, ZARRC_READ);
    zarrc_group *group = NULL;
    zarrc_listing *listing = NULL;
    whole(store, "plain");
    whole(store, "shards");
    OK(zarrc_group_open(store, "", &group, &err));
    OK(zarrc_group_list(group, true, &listing, &err));
    SAME(zarrc_listing_count(listing), 2); /* what was left half-written is no node */
    zarrc_listing_free(listing);
    OK(zarrc_group_close(group, &err));
    close_store(store);
  }

  /* Nor does it stand in the way of the next writer. */
  zarrc_store *store = file_store(path, ZARRC_READ_WRITE);
  OK(zarrc_node_delete(store, "plain", &err));
  OK(zarrc_node_delete(store, "shards", &err));
  close_store(store);
}

/* Frames that a reader sees while others are appended, and after a kill: each has its number, or is
 * not written yet. Only the last two chunks may be cut short. */
static uint64_t frames_are_whole(const char *path) {
  zarrc_store *store = file_store(path, ZARRC_READ);
  zarrc_array *film = NULL;
  uint64_t shape[2] = {0, 0};
  int32_t chunk[DEPTH * WIDTH];
  OK(zarrc_array_open(store, "film", &film, &err));
  OK(zarrc_array_shape(film, 2, shape, &err));
  for (uint64_t n = 0; n < shape[0]; n += DEPTH) {
    const uint64_t start[] = {n, 0}, count[] = {n + DEPTH < shape[0] ? DEPTH : shape[0] - n, WIDTH};
    bool good = true;
    zarrc_status status = zarrc_array_read(film, start, count, ZARRC_INT32, chunk, sizeof chunk, NULL);
    for (uint64_t i = 0; !status && i < count[0] * WIDTH; i++)
      good = good && (chunk[i] == 0 || chunk[i] == (int32_t)(n + i / WIDTH + 1));
    CHECK(good && (!status || (status == ZARRC_CORRUPT_DATA && n + 2 * DEPTH >= shape[0])));
    CHECK(status || n + 2 * DEPTH >= shape[0] || chunk[0] != 0);
  }
  close_array(film);
  close_store(store);
  return shape[0];
}

static void killed_while_appending_in_place(void) {
  const uint64_t shape[] = {0, WIDTH}, chunk[] = {DEPTH, WIDTH};
  const char *path = scratch("appended.zarr");
  zarrc_store *store = file_store(path, ZARRC_CREATE);
  zarrc_array_spec *spec = spec_of(ZARRC_INT32, 2, shape, chunk);
  OK(zarrc_array_spec_add_codec(spec, "none", NULL, &err));
  close_array(create(store, "film", spec));
  close_store(store);
  uint64_t frames = 0;
  for (int rounds = slowed() ? 4 : 40; rounds--;) {
    pid_t pid = start_again(program, path);
    frames_are_whole(path);
    kill_soon(pid, 3000000);
    const uint64_t now = frames_are_whole(path);
    CHECK(now > frames);
    frames = now;
  }
}

int main(int argc, char **argv) {
  if (argc > 1)
    return strstr(argv[1], "appended") ? append_for_ever(argv[1]) : write_for_ever(argv[1]);
  program = argv[0];
  begin("kill");
  RUN(killed_while_writing);
  RUN(killed_while_appending_in_place);
  return finish();
}
