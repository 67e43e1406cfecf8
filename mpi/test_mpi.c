/* Random decompositions, written by all ranks and read by all, against a serial run: the stores must
 * be the same, byte for byte. Then mistakes and failures of one rank, which all must learn of.
 *
 *     mpirun -n 4 test_mpi DIRECTORY [CASES]
 */
#include "test_mpi.h"

#include <signal.h>
#include <sys/resource.h>

int rank, size;
char directory[512];

void stop(const char *file, int line, const char *what, const zarrc_error *error) {
  fprintf(stderr, "%s:%d: rank %d of %d: %s: %s: %s\n", file, line, rank, size, what,
          error ? zarrc_status_name(error->status) : "", error ? error->message : "");
  MPI_Abort(MPI_COMM_WORLD, 1);
}

uint64_t state;
uint64_t draw(uint64_t below) {
  uint64_t z = (state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return (z ^ (z >> 31)) % below;
}

void cut(region whole, size_t dims, int parts, region *out) {
  if (parts == 1) {
    *out = whole;
    return;
  }
  size_t d = draw(dims);
  int first = 1 + (int)draw((uint64_t)parts - 1);
  uint64_t at = draw(whole.count[d] + 1);
  region a = whole, b = whole;
  a.count[d] = at;
  b.start[d] += at;
  b.count[d] -= at;
  cut(a, dims, first, out);
  cut(b, dims, parts - first, out + first);
}

uint64_t volume(const region *r, size_t dims) {
  uint64_t n = 1;
  for (size_t d = 0; d < dims; d++)
    n *= r->count[d];
  return n;
}

int32_t value_at(const region *r, const uint64_t *shape, size_t dims, uint64_t n, int salt) {
  uint64_t linear = 0, index[MOST];
  for (size_t d = dims; d-- > 0;) {
    index[d] = r->start[d] + n % r->count[d];
    n /= r->count[d];
  }
  for (size_t d = 0; d < dims; d++)
    linear = linear * shape[d] + index[d];
  return (int32_t)(linear * 2654435761u >> 8) + salt;
}

int32_t *filled(const region *r, const uint64_t *shape, size_t dims, int salt, size_t *bytes) {
  uint64_t n = volume(r, dims);
  int32_t *data = malloc(n * sizeof *data + 1);
  for (uint64_t i = 0; i < n; i++)
    data[i] = value_at(r, shape, dims, i, salt);
  *bytes = n * sizeof *data;
  return data;
}

zarrc_array_spec *random_spec(const uint64_t *shape, size_t dims) {
  zarrc_error error;
  zarrc_array_spec *spec = NULL;
  uint64_t chunk[MOST], shard[MOST];
  int kind = (int)draw(6);
  OK(zarrc_array_spec_new(ZARRC_INT32, dims, shape, &spec, &error));
  for (size_t d = 0; d < dims; d++) {
    chunk[d] = 1 + draw(shape[d] < 12 ? shape[d] : 12);
    shard[d] = chunk[d] * (1 + draw(3));
  }
  OK(zarrc_array_spec_set_chunk_shape(spec, dims, chunk, &error));
  if (kind == 0)
    OK(zarrc_array_spec_set_shard_shape(spec, dims, shard, &error));
  else if (kind == 1)
    OK(zarrc_array_spec_set_format(spec, ZARRC_FORMAT_V2, &error));
  else if (kind == 2)
    OK(zarrc_array_spec_set_format(spec, ZARRC_FORMAT_N5, &error));
  else if (kind == 3)
    OK(zarrc_array_spec_set_order(spec, 'F', &error));
  else if (kind == 4)
    OK(zarrc_array_spec_add_codec(spec, "none", NULL, &error));
  return spec;
}

void same_directories(const char *a, const char *b) {
  char command[4096];
  snprintf(command, sizeof command, "diff -r '%s' '%s'", a, b);
  if (system(command) != 0)
    stop(__FILE__, __LINE__, command, NULL);
}

void refuse_writes(int refuse) {
  static struct rlimit before;
  struct rlimit none;
  signal(SIGXFSZ, SIG_IGN);
  if (!refuse) {
    setrlimit(RLIMIT_FSIZE, &before);
    return;
  }
  getrlimit(RLIMIT_FSIZE, &before);
  none = before;
  none.rlim_cur = 16;
  setrlimit(RLIMIT_FSIZE, &none);
}

static void one_case(uint64_t seed) {
  zarrc_error error;
  char together[1024], serial[1024];
  uint64_t shape[MOST];
  region whole = {{0}, {0}}, parts[256], piece;
  size_t bytes;
  zarrc_mpi_store *store = NULL;
  zarrc_mpi_array *array = NULL;

  state = seed;
  size_t dims = 1 + draw(3);
  for (size_t d = 0; d < dims; d++)
    whole.count[d] = shape[d] = 1 + draw(dims == 1 ? 300 : dims == 2 ? 40 : 17);
  cut(whole, dims, size, parts);
  int shift = (int)draw((uint64_t)size); /* whose box is whose */
  piece = parts[(rank + shift) % size];
  int leave_out = draw(4) == 0 ? (int)draw((uint64_t)size) : -1; /* a rank that writes nothing */

  snprintf(together, sizeof together, "%s/together.zarr", directory);
  snprintf(serial, sizeof serial, "%s/serial.zarr", directory);
  OK(zarrc_mpi_store_open(MPI_COMM_WORLD, together, ZARRC_OVERWRITE, NULL, &store, &error));
  zarrc_array_spec *spec = random_spec(shape, dims);
  OK(zarrc_mpi_array_create(store, "x", spec, &array, &error));
  for (int round = 0; round < 2; round++) { /* new chunks, then chunks that are there */
    region mine = piece;
    if (rank == leave_out && round == 0)
      mine.count[0] = 0;
    int32_t *data = filled(&mine, shape, dims, round, &bytes);
    OK(zarrc_mpi_array_write(array, mine.start, mine.count, ZARRC_INT32, bytes ? data : NULL, bytes,
                             &error));
    free(data);
  }
  OK(zarrc_mpi_array_set_attribute_json(array, "units", "\"K\"", &error));
  OK(zarrc_mpi_array_close(array, &error));
  array = NULL;

  /* boxes that overlap are read, in another type */
  OK(zarrc_mpi_array_open(store, "x", &array, &error));
  region mine;
  state = seed * 31 + (uint64_t)rank;
  for (size_t d = 0; d < dims; d++) {
    mine.start[d] = draw(shape[d]);
    mine.count[d] = draw(shape[d] - mine.start[d] + 1);
  }
  uint64_t n = volume(&mine, dims);
  double *read = malloc(n * sizeof *read + 1);
  OK(zarrc_mpi_array_read(array, mine.start, mine.count, ZARRC_FLOAT64, read, n * sizeof *read,
                          &error));
  for (uint64_t i = 0; i < n; i++)
    CHECK(read[i] == (double)value_at(&mine, shape, dims, i, 1));
  free(read);
  OK(zarrc_mpi_array_close(array, &error));
  OK(zarrc_mpi_store_close(store, &error));

  if (rank == 0) {
    zarrc_store *alone = NULL;
    zarrc_array *one = NULL;
    int32_t *data = filled(&whole, shape, dims, 1, &bytes);
    OK(zarrc_store_open(serial, ZARRC_OVERWRITE, NULL, &alone, &error));
    OK(zarrc_array_create(alone, "x", spec, &one, &error));
    OK(zarrc_array_write(one, NULL, NULL, ZARRC_INT32, data, bytes, &error));
    OK(zarrc_attributes_set_json(zarrc_array_attributes(one), "units", "\"K\"", &error));
    OK(zarrc_array_close(one, &error));
    OK(zarrc_store_close(alone, &error));
    free(data);
    same_directories(serial, together);
  }
  zarrc_array_spec_free(spec);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void scalars(zarrc_mpi_store *store) {
  zarrc_error error;
  zarrc_array_spec *spec = NULL;
  zarrc_mpi_array *array = NULL;
  int32_t value = 7, read = 0;
  OK(zarrc_array_spec_new(ZARRC_INT32, 0, NULL, &spec, &error));
  OK(zarrc_mpi_array_create(store, "scalar", spec, &array, &error));
  int last = size - 1;
  OK(zarrc_mpi_array_write(array, NULL, NULL, ZARRC_INT32, rank == last ? &value : NULL,
                           rank == last ? sizeof value : 0, &error));
  OK(zarrc_mpi_array_read(array, NULL, NULL, ZARRC_INT32, &read, sizeof read, &error));
  CHECK(read == 7);
  OK(zarrc_mpi_array_close(array, &error));
  zarrc_array_spec_free(spec);
}

static void mistakes(void) {
  zarrc_error error;
  char url[1024];
  zarrc_mpi_store *store = NULL;
  zarrc_mpi_array *array = NULL;
  zarrc_array_spec *spec = NULL;
  const uint64_t shape[] = {64, 64}, chunk[] = {16, 16};
  static int32_t data[2 * 64 * 64];
  int guilty = size - 1;

  snprintf(url, sizeof url, "%s/mistakes.zarr", directory);
  if (size > 1)
    FAILS(zarrc_mpi_store_open(MPI_COMM_WORLD, "memory:", ZARRC_CREATE, NULL, &store, &error),
          ZARRC_UNSUPPORTED, 0);
  FAILS(zarrc_mpi_store_open(MPI_COMM_WORLD, "/nothing/here", ZARRC_READ, NULL, &store, &error),
        ZARRC_NOT_FOUND, 0);
  CHECK(store == NULL);
  OK(zarrc_mpi_store_open(MPI_COMM_WORLD, url, ZARRC_OVERWRITE, NULL, &store, &error));
  FAILS(zarrc_mpi_array_open(store, "nothing", &array, &error), ZARRC_NOT_FOUND, 0);
  OK(zarrc_array_spec_new(ZARRC_INT32, 2, shape, &spec, &error));
  OK(zarrc_array_spec_set_chunk_shape(spec, 2, chunk, &error));
  OK(zarrc_mpi_array_create(store, "a", spec, &array, &error));

  /* rows that are not aligned with chunks; the last rank makes each mistake */
  uint64_t rows = 64 / (uint64_t)size, start[] = {rows * (uint64_t)rank, 0}, count[] = {rows, 64};
  if (rank == guilty)
    count[0] = 64 - start[0];
  size_t bytes = count[0] * count[1] * sizeof *data;
  FAILS(zarrc_mpi_array_write(array, start, count, ZARRC_INT32, data,
                              rank == guilty ? bytes - 1 : bytes, &error),
        ZARRC_INVALID_ARGUMENT, guilty);
  FAILS(zarrc_mpi_array_write(array, start, count, ZARRC_INT32, rank == guilty ? NULL : data, bytes,
                              &error),
        ZARRC_INVALID_ARGUMENT, guilty);
  uint64_t beyond[] = {start[0] + 1, 0};
  FAILS(zarrc_mpi_array_write(array, rank == guilty ? beyond : start, count, ZARRC_INT32, data,
                              bytes, &error),
        ZARRC_OUT_OF_BOUNDS, guilty);
  if (size > 1) {
    zarrc_status status = zarrc_mpi_array_write(
        array, start, count, rank == guilty ? ZARRC_UINT32 : ZARRC_INT32, data, bytes, &error);
    CHECK(status == ZARRC_INVALID_ARGUMENT);
    uint64_t all[] = {64, 64}, origin[] = {0, 0};
    status = zarrc_mpi_array_read(array, start, count, rank == guilty ? ZARRC_INT64 : ZARRC_INT32,
                                  data, rank == guilty ? 2 * bytes : bytes, &error);
    CHECK(status == ZARRC_INVALID_ARGUMENT);
    status = zarrc_mpi_array_write(array, rank == guilty ? origin : start,
                                   rank == guilty ? all : count, ZARRC_INT32, data,
                                   rank == guilty ? 64 * 64 * sizeof *data : bytes, &error);
    CHECK(status == ZARRC_INVALID_ARGUMENT && strstr(error.message, "overlap"));
  }

  /* the system refuses what one rank writes: all learn of it, none waits for another */
  for (int r = 0; r < size; r++) {
    for (size_t i = 0; i < 64 * 64; i++)
      data[i] = (int32_t)(i * 2654435761u);
    if (rank == r)
      refuse_writes(1);
    FAILS(zarrc_mpi_array_write(array, start, count, ZARRC_INT32, data, bytes, &error), ZARRC_IO, r);
    if (rank == r)
      refuse_writes(0);
    OK(zarrc_mpi_array_write(array, start, count, ZARRC_INT32, data, bytes, &error));
  }

  /* a chunk that cannot be read */
  if (rank == 0) {
    char broken[2048];
    snprintf(broken, sizeof broken, "%s/a/c/1/1", url);
    FILE *file = fopen(broken, "wb");
    CHECK(file && fputs("this is no chunk", file) >= 0 && fclose(file) == 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  static int32_t back[64 * 64];
  CHECK(zarrc_mpi_array_read(array, NULL, NULL, ZARRC_INT32, back, sizeof back, &error) ==
        ZARRC_CORRUPT_DATA);

  const uint64_t smaller[] = {16, 64}, larger[] = {32, 64};
  OK(zarrc_mpi_array_resize(array, 2, smaller, &error));
  OK(zarrc_mpi_array_resize(array, 2, larger, &error));
  uint64_t now[2];
  OK(zarrc_array_shape(zarrc_mpi_array_local(array), 2, now, &error));
  CHECK(now[0] == 32 && now[1] == 64);
  uint64_t lower[] = {16, 0}, half[] = {16, 64};
  OK(zarrc_mpi_array_read(array, lower, half, ZARRC_INT32, back, 16 * 64 * 4, &error));
  for (size_t i = 0; i < 16 * 64; i++)
    CHECK(back[i] == 0);
  OK(zarrc_mpi_array_close(array, &error));
  scalars(store);
  OK(zarrc_mpi_store_close(store, &error));
  zarrc_array_spec_free(spec);
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(argc > 1 && size <= 256);
  snprintf(directory, sizeof directory, "%s", argv[1]);
  uint64_t cases = argc > 2 ? strtoull(argv[2], NULL, 10) : 40;
  for (uint64_t n = 1; n <= cases; n++) {
    one_case(n);
    selections(n);
    appends(n);
  }
  mistakes();
  selection_mistakes();
  append_mistakes();
  if (rank == 0)
    printf("%" PRIu64 " decompositions, selections and appends over %d ranks equal the serial run; mistakes reach all\n",
           cases, size);
  MPI_Finalize();
  return 0;
}
