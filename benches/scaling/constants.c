/* Measures what the model needs of this machine, on two ranks of one node, and prints a line of
 * "name seconds" for each constant.
 *
 *     mpirun -n 2 constants DIRECTORY
 *
 * Only the first rank works, except for `exchange`. Each number is the least of REPEATS. */
#include "../mpi/job.h"

#include <zarrc_mpi.h>

enum { REPEATS = 5, EDGE = 128, SHARED = 256, CUT = 64 };

static float *field;
static zarrc_error error;
#define OK(call) ((call) == ZARRC_OK ? (void)0 : fail(#call, error.message))

/* Seconds to write the field, in chunks of cut^3, to a store. */
static double write_field(const char *url, uint64_t cut, const char *codec, const char *options) {
  double least = 1e9;
  uint64_t shape[3] = {EDGE, EDGE, EDGE}, chunks[3] = {cut, cut, cut};
  zarrc_options *one = zarrc_options_new();
  OK(zarrc_options_set(one, "threads", "1", &error));
  for (int i = 0; i < REPEATS; i++) {
    zarrc_store *store = NULL;
    zarrc_array *array = NULL;
    zarrc_array_spec *spec = NULL;
    OK(zarrc_store_open(url, ZARRC_OVERWRITE, one, &store, &error));
    OK(zarrc_array_spec_new(ZARRC_FLOAT32, 3, shape, &spec, &error));
    OK(zarrc_array_spec_set_chunk_shape(spec, 3, chunks, &error));
    OK(zarrc_array_spec_add_codec(spec, codec, options, &error));
    OK(zarrc_array_create(store, "a", spec, &array, &error));
    double began = MPI_Wtime();
    OK(zarrc_array_write(array, NULL, NULL, ZARRC_FLOAT32, field, sizeof(float) * EDGE * EDGE * EDGE,
                         &error));
    double took = MPI_Wtime() - began;
    least = took < least ? took : least;
    OK(zarrc_array_close(array, &error));
    OK(zarrc_store_close(store, &error));
    zarrc_array_spec_free(spec);
  }
  zarrc_options_free(one);
  return least;
}

/* Seconds until two ranks, one from row `border` of the second axis on, have written SHARED^3
 * elements in chunks of CUT^3. */
static double write_together(const char *url, uint64_t border) {
  double least = 1e9;
  uint64_t shape[3] = {SHARED, SHARED, SHARED}, chunks[3] = {CUT, CUT, CUT};
  uint64_t start[3] = {0, rank_ ? border : 0, 0};
  uint64_t count[3] = {SHARED, rank_ ? SHARED - border : border, SHARED};
  size_t bytes = sizeof(float) * (size_t)(count[0] * count[1] * count[2]);
  float *box = malloc(bytes);
  if (!box)
    fail("box", "out of memory");
  for (size_t i = 0; i < bytes / sizeof *box; i++)
    box[i] = (float)i;
  zarrc_options *one = zarrc_options_new();
  OK(zarrc_options_set(one, "threads", "1", &error));
  for (int i = 0; i < REPEATS; i++) {
    zarrc_mpi_store *store = NULL;
    zarrc_mpi_array *array = NULL;
    zarrc_array_spec *spec = NULL;
    OK(zarrc_mpi_store_open(MPI_COMM_WORLD, url, ZARRC_OVERWRITE, one, &store, &error));
    OK(zarrc_array_spec_new(ZARRC_FLOAT32, 3, shape, &spec, &error));
    OK(zarrc_array_spec_set_chunk_shape(spec, 3, chunks, &error));
    OK(zarrc_array_spec_add_codec(spec, "none", NULL, &error));
    OK(zarrc_mpi_array_create(store, "a", spec, &array, &error));
    start_clock();
    OK(zarrc_mpi_array_write(array, start, count, ZARRC_FLOAT32, box, bytes, &error));
    OK(zarrc_mpi_array_close(array, &error));
    OK(zarrc_mpi_store_close(store, &error));
    MPI_Barrier(MPI_COMM_WORLD);
    double took = MPI_Wtime() - began;
    least = took < least ? took : least;
    zarrc_array_spec_free(spec);
  }
  zarrc_options_free(one);
  free(box);
  return least;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  if (argc < 2 || ranks_ != 2)
    fail("constants", "mpirun -n 2 constants DIRECTORY");
  size_t bytes = sizeof *field * EDGE * EDGE * EDGE;
  field = malloc(bytes);
  if (!field)
    fail("field", "out of memory");
  for (size_t i = 0; i < bytes / sizeof *field; i++)
    field[i] = value(i / EDGE / EDGE, i / EDGE % EDGE, i % EDGE);
  char url[4096];
  snprintf(url, sizeof url, "%s/constants.zarr", argv[1]);
  /* half of each chunk along the border travels, of one array; nothing of the other */
  double parts = sizeof(float) * (double)SHARED * SHARED * CUT / 2;
  double apart = write_together(url, 2 * CUT), together = write_together(url, 2 * CUT + CUT / 2);
  if (rank_ == 0) {
    const char *zstd = "{\"level\": 3, \"checksum\": false}";
    double all = (double)bytes, n64 = 8, n32 = 64, n16 = 512, n8 = 4096; /* chunks */
    double memory64 = write_field("memory:", 64, "none", NULL);
    double memory8 = write_field("memory:", 8, "none", NULL);
    double disk64 = write_field(url, 64, "none", NULL);
    double disk8 = write_field(url, 8, "none", NULL);
    double packed64 = write_field("memory:", 64, "zstd", zstd);
    double packed32 = write_field("memory:", 32, "zstd", zstd);
    double packed16 = write_field("memory:", 16, "zstd", zstd);
    double per_chunk = (memory8 - memory64) / (n8 - n64);
    double per_file = (disk8 - disk64) / (n8 - n64) - per_chunk;
    double per_packed = (packed16 - packed32) / (n16 - n32) - per_chunk;
    printf("chunk %.3e\nfile %.3e\n", per_chunk, per_file);
    printf("store %.3e\n", (disk64 - (per_chunk + per_file) * n64) / all);
    printf("encode %.3e\n", (packed64 - (per_chunk + per_packed) * n64) / all);
    printf("encode_small %.3e\n", (packed32 - (per_chunk + per_packed) * n32) / all);
    printf("encode_chunk %.3e\n", per_packed);
    printf("exchange %.3e\n", (together - apart) / parts);
  }
  free(field);
  MPI_Finalize();
  return 0;
}
