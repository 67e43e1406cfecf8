/* A camera: frames of 2048 x 2048 uint16, one by one, into zstd shards of 16 frames.
 *
 *     camera FRAMES.raw COUNT [QUEUE_BYTES [FRAMES_PER_SECOND]]
 *
 * A streaming writer copies each frame and commits it, so the longest call is what a camera would be
 * held. Prints one line. run.py measures others beside it. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <zarrc.h>

enum { SIDE = 2048, SHARD = 16 };

static zarrc_error err;

static void check(zarrc_status status, const char *what) {
  if (status == ZARRC_OK)
    return;
  fprintf(stderr, "%s: %s: %s\n", what, zarrc_status_name(status), err.message);
  exit(1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void wait_until(double moment) {
  double left = moment - now();
  if (left > 0)
    nanosleep(&(struct timespec){(time_t)left, (long)((left - (double)(time_t)left) * 1e9)}, NULL);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  const size_t frame = SIDE * SIDE, count = strtoul(argv[2], NULL, 10);
  const double rate = argc > 4 ? strtod(argv[4], NULL) : 0;
  uint16_t *frames = malloc(SHARD * frame * 2);
  FILE *file = fopen(argv[1], "rb");
  if (!frames || !file || fread(frames, 2, SHARD * frame, file) != SHARD * frame)
    return 1;
  fclose(file);

  const uint64_t shape[] = {0, SIDE, SIDE}, chunk[] = {1, 512, 512}, shard[] = {SHARD, SIDE, SIDE};
  zarrc_options *options = zarrc_options_new();
  zarrc_store *store = NULL;
  zarrc_array_spec *spec = NULL;
  zarrc_writer *writer = NULL;
  const double begun = now();
  check(zarrc_options_set(options, "queue_bytes", argc > 3 ? argv[3] : "256MiB", &err), "option");
  check(zarrc_store_open("camera.zarr", ZARRC_OVERWRITE, options, &store, &err), "store");
  zarrc_options_free(options);
  check(zarrc_array_spec_new(ZARRC_UINT16, 3, shape, &spec, &err), "spec");
  check(zarrc_array_spec_set_chunk_shape(spec, 3, chunk, &err), "chunk");
  check(zarrc_array_spec_set_shard_shape(spec, 3, shard, &err), "shard");
  check(zarrc_array_spec_add_codec(spec, "zstd", "{\"level\": 1}", &err), "codec");
  check(zarrc_writer_open(store, "", NULL, &writer, &err), "writer");
  check(zarrc_writer_declare(writer, "frames", spec, NULL, &err), "array");
  zarrc_array_spec_free(spec);

  double longest = 0;
  for (size_t t = 0; t < count; t++) {
    const uint64_t start[] = {t, 0, 0}, one[] = {1, SIDE, SIDE};
    if (rate > 0)
      wait_until(begun + (double)t / rate);
    const double call = now();
    check(zarrc_writer_put(writer, 0, start, one, ZARRC_UINT16, frames + t % SHARD * frame,
                           frame * 2, &err),
          "put");
    check(zarrc_writer_commit(writer, t + 1, &err), "commit");
    if (now() - call > longest)
      longest = now() - call;
  }
  check(zarrc_writer_close(writer, &err), "close");
  check(zarrc_store_close(store, &err), "close");
  printf("%.1f frames/s, longest call %.0f ms\n", (double)count / (now() - begun), longest * 1e3);
  return 0;
}
