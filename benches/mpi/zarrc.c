/* The job with zarrc. */
#include "job.h"

#include <zarrc_mpi.h>

static zarrc_error error;
#define OK(call) ((call) == ZARRC_OK ? (void)0 : fail(#call, error.message))

int main(int argc, char **argv) {
  begin(argc, argv);
  zarrc_options *options = zarrc_options_new();
  zarrc_mpi_store *store = NULL;
  zarrc_mpi_array *array = NULL;
  zarrc_array_spec *spec = NULL;
  int writes = is("op", "write");
  uint64_t shape[3] = {edge, edge, edge}, chunks[3] = {chunk, chunk, chunk};
  uint64_t inner[3] = {chunk / 2, chunk / 2, chunk / 2};
  OK(zarrc_options_set(options, "threads", text("threads"), &error));
  OK(zarrc_mpi_store_open(MPI_COMM_WORLD, text("path"), writes ? ZARRC_OVERWRITE : ZARRC_READ,
                          options, &store, &error));
  if (writes) {
    OK(zarrc_array_spec_new(ZARRC_FLOAT32, 3, shape, &spec, &error));
    if (is("layout", "shards")) {
      OK(zarrc_array_spec_set_chunk_shape(spec, 3, inner, &error));
      OK(zarrc_array_spec_set_shard_shape(spec, 3, chunks, &error));
    } else {
      OK(zarrc_array_spec_set_chunk_shape(spec, 3, chunks, &error));
    }
    const char *codec = text("codec");
    OK(zarrc_array_spec_add_codec(spec, codec,
                                  is("codec", "gzip")   ? "{\"level\": 5}"
                                  : is("codec", "zstd") ? "{\"level\": 3, \"checksum\": false}"
                                                        : NULL,
                                  &error));
    OK(zarrc_mpi_array_create(store, "a", spec, &array, &error));
  } else {
    OK(zarrc_mpi_array_open(store, "a", &array, &error));
  }
  start_clock();
  if (writes)
    OK(zarrc_mpi_array_write(array, start_, count_, ZARRC_FLOAT32, mine, mine_bytes, &error));
  else
    OK(zarrc_mpi_array_read(array, start_, count_, ZARRC_FLOAT32, mine, mine_bytes, &error));
  OK(zarrc_mpi_array_close(array, &error));
  OK(zarrc_mpi_store_close(store, &error));
  double seconds = MPI_Wtime() - began;
  zarrc_array_spec_free(spec);
  zarrc_options_free(options);
  finish(seconds);
  return 0;
}
