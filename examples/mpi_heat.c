/* Heat in a plate, on all ranks of a communicator: each rank computes a block of it and all of them
 * write one array, a frame a step. The blocks need not fit the chunks.
 *
 *     mpicc mpi_heat.c $(pkg-config --cflags --libs zarrc-mpi) && mpirun -n 4 ./a.out heat.zarr 100
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <zarrc_mpi.h>

enum { NY = 300, NX = 200 };

static zarrc_error error;

/* Every rank has the same status, so all of them stop. */
static void ok(zarrc_status status) {
  int rank;
  if (status == ZARRC_OK)
    return;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    fprintf(stderr, "%s: %s\n", zarrc_status_name(status), error.message);
  MPI_Finalize();
  exit(1);
}

int main(int argc, char **argv) {
  const char *url = argc > 1 ? argv[1] : "heat.zarr";
  const uint64_t frames = argc > 2 ? strtoull(argv[2], NULL, 10) : 20;
  const uint64_t shape[] = {frames, NY, NX}, chunk[] = {1, 128, 128};
  const char *const names[] = {"time", "y", "x"};
  int rank, size, dims[2] = {0, 0}, periods[2] = {0, 0}, at[2], up, down, left, right;
  MPI_Comm plate;
  MPI_Datatype column;
  zarrc_mpi_store *store = NULL;
  zarrc_mpi_array *array = NULL;
  zarrc_array_spec *spec = NULL;

  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &plate);
  MPI_Comm_rank(plate, &rank);
  MPI_Cart_coords(plate, rank, 2, at);
  MPI_Cart_shift(plate, 0, 1, &up, &down);
  MPI_Cart_shift(plate, 1, 1, &left, &right);

  /* my block of the plate, with a row and a column of the neighbours around it */
  const int y0 = NY * at[0] / dims[0], ny = NY * (at[0] + 1) / dims[0] - y0;
  const int x0 = NX * at[1] / dims[1], nx = NX * (at[1] + 1) / dims[1] - x0, width = nx + 2;
  double *now = calloc((size_t)(ny + 2) * (size_t)width, sizeof *now);
  double *next = calloc((size_t)(ny + 2) * (size_t)width, sizeof *next);
  float *frame = malloc((size_t)ny * (size_t)nx * sizeof *frame);
  if (!now || !next || !frame)
    MPI_Abort(plate, 1);
  for (int y = 1; y <= ny; y++)
    for (int x = 1; x <= nx; x++)
      now[y * width + x] = 100 * exp(-(pow(y0 + y - NY / 2, 2) + pow(x0 + x - NX / 2, 2)) / 400);

  ok(zarrc_mpi_store_open(plate, url, ZARRC_OVERWRITE, NULL, &store, &error));
  ok(zarrc_array_spec_new(ZARRC_FLOAT32, 3, shape, &spec, &error));
  ok(zarrc_array_spec_set_chunk_shape(spec, 3, chunk, &error));
  ok(zarrc_array_spec_set_dimension_names(spec, 3, names, &error));
  ok(zarrc_mpi_array_create(store, "temperature", spec, &array, &error));
  ok(zarrc_mpi_array_set_attribute_json(array, "units", "\"K\"", &error));
  zarrc_array_spec_free(spec);

  MPI_Type_vector(ny, 1, width, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  for (uint64_t t = 0; t < frames; t++) {
    const uint64_t start[] = {t, (uint64_t)y0, (uint64_t)x0};
    const uint64_t count[] = {1, (uint64_t)ny, (uint64_t)nx};
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++)
        frame[y * nx + x] = (float)now[(y + 1) * width + x + 1];
    ok(zarrc_mpi_array_write(array, start, count, ZARRC_FLOAT32, frame,
                             (size_t)ny * (size_t)nx * sizeof *frame, &error));

    for (int step = 0; step < 10; step++) {
      double *swap = now;
      MPI_Sendrecv(now + width + 1, nx, MPI_DOUBLE, up, 0, now + (ny + 1) * width + 1, nx,
                   MPI_DOUBLE, down, 0, plate, MPI_STATUS_IGNORE);
      MPI_Sendrecv(now + ny * width + 1, nx, MPI_DOUBLE, down, 1, now + 1, nx, MPI_DOUBLE, up, 1,
                   plate, MPI_STATUS_IGNORE);
      MPI_Sendrecv(now + width + 1, 1, column, left, 2, now + width + nx + 1, 1, column, right, 2,
                   plate, MPI_STATUS_IGNORE);
      MPI_Sendrecv(now + width + nx, 1, column, right, 3, now + width, 1, column, left, 3, plate,
                   MPI_STATUS_IGNORE);
      for (int y = 1; y <= ny; y++)
        for (int x = 1; x <= nx; x++) {
          const double *c = now + y * width + x;
          next[y * width + x] = *c + 0.2 * (c[-1] + c[1] + c[-width] + c[width] - 4 * *c);
        }
      now = next;
      next = swap;
    }
  }
  ok(zarrc_mpi_array_close(array, &error));
  ok(zarrc_mpi_store_close(store, &error));
  if (rank == 0)
    printf("%d ranks wrote %llu frames of %d x %d to %s\n", size, (unsigned long long)frames, NY, NX,
           url);
  MPI_Type_free(&column);
  MPI_Comm_free(&plate);
  free(now);
  free(next);
  free(frame);
  MPI_Finalize();
  return 0;
}
