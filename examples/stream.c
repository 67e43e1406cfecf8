/* A detector's frames, written while others read them: stream [store [frames]]. Two threads put the
 * halves of each frame; a frame becomes visible as a whole, with its time. A program that starts
 * again, even after it was killed, goes on where readers see the end. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <zarrc.h>

enum { NY = 512, NX = 512, SHARD = 8 };
static zarrc_error error;
#define MUST(call) do { if (call) { fprintf(stderr, "%s\n", error.message); exit(1); } } while (0)

static zarrc_array_spec *specification(zarrc_data_type type, size_t rank, const uint64_t *shape,
                                       const char *const *dimensions, const char *attributes) {
  zarrc_array_spec *spec;
  MUST(zarrc_array_spec_new(type, rank, shape, &spec, &error));
  MUST(zarrc_array_spec_set_dimension_names(spec, rank, dimensions, &error));
  MUST(zarrc_array_spec_set_attributes_json(spec, attributes, &error));
  return spec;
}

/* A coordinate without steps: written once. */
static void coordinate(zarrc_store *store, const char *name, uint64_t count) {
  zarrc_array_spec *spec = specification(ZARRC_FLOAT64, 1, &count, &name, "{\"units\": \"um\"}");
  zarrc_array *array;
  double values[NY > NX ? NY : NX];
  for (uint64_t i = 0; i < count; i++)
    values[i] = 0.25 * (double)i;
  MUST(zarrc_array_open_or_create(store, name, spec, &array, &error));
  MUST(zarrc_array_write(array, NULL, NULL, ZARRC_FLOAT64, values, count * sizeof *values, &error));
  MUST(zarrc_array_close(array, &error));
  zarrc_array_spec_free(spec);
}

struct half {
  zarrc_writer *writer;
  size_t variable;
  uint64_t step, row; /* of the first row */
};

/* Half a frame; the writer copies it, so its memory may be used again at once. */
static void *put_half(void *argument) {
  const struct half *half = argument;
  static const uint64_t count[] = {1, NY / 2, NX};
  const uint64_t start[] = {half->step, half->row, 0};
  uint16_t(*rows)[NX] = malloc(sizeof(uint16_t[NY / 2][NX]));
  zarrc_error wrong;
  zarrc_status status = ZARRC_OUT_OF_MEMORY;
  if (rows) {
    for (uint64_t y = 0; y < NY / 2; y++)
      for (uint64_t x = 0; x < NX; x++)
        rows[y][x] = (uint16_t)(half->step * 1000 + (half->row + y) + x);
    status = zarrc_writer_put(half->writer, half->variable, start, count, ZARRC_UINT16, rows,
                              sizeof(uint16_t[NY / 2][NX]), &wrong);
  }
  free(rows);
  if (status) {
    fprintf(stderr, "%s\n", status == ZARRC_OUT_OF_MEMORY ? "out of memory" : wrong.message);
    exit(1);
  }
  return NULL;
}

int main(int argc, char **argv) {
  static const uint64_t shape[] = {0, NY, NX}, chunk[] = {1, 256, 256}, shard[] = {SHARD, NY, NX};
  static const char *const dimensions[] = {"time", "y", "x"};
  const uint64_t steps = argc > 2 ? strtoull(argv[2], NULL, 10) : 100;
  zarrc_store *store;
  zarrc_writer *writer;
  size_t frames, times;
  uint64_t step;

  MUST(zarrc_store_open(argc > 1 ? argv[1] : "stream.zarr", ZARRC_APPEND, NULL, &store, &error));
  coordinate(store, "y", NY);
  coordinate(store, "x", NX);
  zarrc_writer_options options = {sizeof options, 0, 0};
  options.flush_seconds = 1; /* a frame waits no longer for its shard to be full */
  MUST(zarrc_writer_open(store, "", &options, &writer, &error));
  zarrc_array_spec *spec = specification(ZARRC_UINT16, 3, shape, dimensions,
                                         "{\"long_name\": \"intensity\", \"units\": \"count\"}");
  MUST(zarrc_array_spec_set_chunk_shape(spec, 3, chunk, &error));
  MUST(zarrc_array_spec_set_shard_shape(spec, 3, shard, &error));
  MUST(zarrc_writer_declare(writer, "frames", spec, &frames, &error));
  zarrc_array_spec_free(spec);
  spec = specification(ZARRC_FLOAT64, 1, shape, dimensions,
                       "{\"units\": \"seconds since 2026-01-01\", \"calendar\": \"standard\"}");
  MUST(zarrc_writer_declare(writer, "time", spec, &times, &error));
  zarrc_array_spec_free(spec);

  MUST(zarrc_writer_steps(writer, &step, &error));
  for (; step < steps; step++) {
    static const uint64_t one = 1;
    const double seconds = 0.5 * (double)step;
    struct half upper = {writer, frames, step, 0}, lower = {writer, frames, step, NY / 2};
    pthread_t thread;
    if (pthread_create(&thread, NULL, put_half, &upper))
      return 1;
    put_half(&lower);
    MUST(zarrc_writer_put(writer, times, &step, &one, ZARRC_FLOAT64, &seconds, sizeof seconds, &error));
    pthread_join(thread, NULL);
    MUST(zarrc_writer_commit(writer, step + 1, &error));
  }
  MUST(zarrc_writer_close(writer, &error));
  MUST(zarrc_store_close(store, &error));
  return 0;
}
