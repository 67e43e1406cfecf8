/* Measures what the model needs of this machine, on two ranks of one node, and prints a line of
 * "name seconds" for each constant.
 *
 *     mpirun -n 2 constants DIRECTORY
 *
 * Only the first rank works, except for `send`. Each number is the least of REPEATS. */
#include "../mpi/job.h"

#include <zarrc.h>

enum { REPEATS = 5, EDGE = 128 };

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

/* Seconds per byte to send parts of chunks, as a leader receives them: into a box of its memory. */
static double send_parts(void) {
  double least = 1e9;
  MPI_Datatype row, part;
  MPI_Type_vector(64, 32, 64, MPI_FLOAT, &row); /* half of each row of a chunk of 64^3 */
  MPI_Type_create_hvector(64, 1, 64 * 64 * sizeof(float), row, &part);
  MPI_Type_commit(&part);
  size_t bytes = sizeof(float) * 32 * 64 * 64;
  for (int i = 0; i < REPEATS; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double began = MPI_Wtime();
    for (int k = 0; k < 8; k++)
      if (rank_ == 0)
        MPI_Ssend(field + (size_t)k * 64 * 64 * 64 / 8, 1, part, 1, 0, MPI_COMM_WORLD);
      else
        MPI_Recv(field + (size_t)k * 64 * 64 * 64 / 8, 1, part, 0, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    double took = (MPI_Wtime() - began) / (8 * (double)bytes);
    least = took < least ? took : least;
  }
  MPI_Type_free(&row);
  MPI_Type_free(&part);
  return least;
}

static double copy_field(void) {
  double least = 1e9;
  size_t bytes = sizeof(float) * EDGE * EDGE * EDGE;
  float *other = malloc(bytes);
  for (int i = 0; i < REPEATS; i++) {
    double began = MPI_Wtime();
    for (size_t k = 0; k < EDGE * EDGE; k++) /* rows of half a chunk */
      memcpy(other + k * EDGE, field + (k * 7919 % (EDGE * EDGE)) * EDGE, EDGE * sizeof(float));
    double took = (MPI_Wtime() - began) / (double)bytes;
    least = took < least ? took : least;
  }
  volatile float seen = other[12345]; /* so that the copies happen */
  (void)seen;
  free(other);
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
  double send = send_parts();
  if (rank_ == 0) {
    char url[4096];
    snprintf(url, sizeof url, "%s/constants.zarr", argv[1]);
    double all = (double)bytes, few = EDGE / 64, many = EDGE / 8;
    double files = many * many * many - few * few * few;
    double memory_few = write_field("memory:", 64, "none", NULL);
    double memory_many = write_field("memory:", 8, "none", NULL);
    double disk_few = write_field(url, 64, "none", NULL);
    double disk_many = write_field(url, 8, "none", NULL);
    double packed = write_field("memory:", 64, "zstd", "{\"level\": 3, \"checksum\": false}");
    double packed_many = write_field("memory:", 16, "zstd", "{\"level\": 3, \"checksum\": false}");
    double per_chunk = (memory_many - memory_few) / files;
    double per_file = (disk_many - disk_few) / files - per_chunk;
    printf("chunk %.3e\nfile %.3e\n", per_chunk, per_file);
    printf("store %.3e\n", (disk_few - (per_chunk + per_file) * few * few * few) / all);
    double more = (EDGE / 16) * (EDGE / 16) * (EDGE / 16) - few * few * few;
    double per_packed = (packed_many - packed) / more - per_chunk;
    printf("encode %.3e\n", (packed - (per_chunk + per_packed) * few * few * few) / all);
    printf("encode_chunk %.3e\n", per_packed);
    printf("copy %.3e\n", copy_field());
    printf("send %.3e\n", send);
  }
  free(field);
  MPI_Finalize();
  return 0;
}
