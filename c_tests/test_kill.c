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

int main(int argc, char **argv) {
  if (argc > 1)
    return write_for_ever(argv[1]);
  program = argv[0];
  begin("kill");
  RUN(killed_while_writing);
  return finish();
}
