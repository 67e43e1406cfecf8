/* Random selections of all ranks against a serial run, byte for byte, and against plain C. */
#include "test_mpi.h"

/* A selection, and the elements that it picks, as numbers in C order of the array. */
typedef struct picked {
  zarrc_selection *selection;
  uint64_t *numbers;
  size_t count;
} picked;

/* All combinations of the indices of each dimension. */
static void combine(picked *p, const uint64_t *shape, size_t dims, uint64_t **indices,
                    const size_t *counts) {
  p->count = 1;
  for (size_t d = 0; d < dims; d++)
    p->count *= counts[d];
  p->numbers = calloc(p->count + 1, sizeof *p->numbers);
  for (size_t n = 0; n < p->count; n++) {
    uint64_t rest = n, scale = 1;
    for (size_t d = dims; d-- > 0; scale *= shape[d], rest /= counts[d])
      p->numbers[n] += indices[d][rest % counts[d]] * scale;
  }
}

/* One of every kind of selection. */
static picked pick(const zarrc_array *array, const uint64_t *shape, size_t dims) {
  zarrc_error error;
  picked p = {0};
  uint64_t total = 1, *indices[MOST] = {0};
  size_t counts[MOST];
  int kind = (int)draw(8);
  for (size_t d = 0; d < dims; d++)
    total *= shape[d];
  OK(zarrc_selection_new(array, &p.selection, &error));
  if (kind == 0) { /* nothing */
    zarrc_selection_free(p.selection);
    p.selection = NULL;
    return p;
  }
  if (kind <= 3) { /* points, some of them twice */
    p.count = draw(kind == 1 ? 20 : 500);
    p.numbers = calloc(p.count + 1, sizeof *p.numbers);
    uint64_t *points = calloc(p.count * dims + 1, sizeof *points);
    for (size_t n = 0; n < p.count; n++)
      for (size_t d = 0; d < dims; d++) {
        points[n * dims + d] = draw(shape[d]);
        p.numbers[n] = p.numbers[n] * shape[d] + points[n * dims + d];
      }
    OK(zarrc_selection_set_points(p.selection, p.count, points, &error));
    free(points);
    return p;
  }
  if (kind == 4) {
    uint8_t *mask = calloc(total, 1);
    p.numbers = calloc(total, sizeof *p.numbers);
    for (uint64_t n = 0; n < total; n++)
      if ((mask[n] = draw(3) == 0))
        p.numbers[p.count++] = n;
    OK(zarrc_selection_set_element_mask(p.selection, mask, total, &error));
    free(mask);
    return p;
  }
  for (size_t d = 0; d < dims; d++) {
    uint64_t how = draw(4), start = draw(shape[d]), step = 1 + draw(3);
    indices[d] = calloc(2 * shape[d] + 1, sizeof *indices[d]);
    counts[d] = 0;
    if (how == 0) { /* up or down */
      int64_t by = draw(2) ? (int64_t)step : -(int64_t)step;
      for (int64_t x = (int64_t)start; x >= 0 && x < (int64_t)shape[d]; x += by)
        indices[d][counts[d]++] = (uint64_t)x;
      OK(zarrc_selection_set_range(p.selection, d, start, by, counts[d], &error));
    } else if (how == 1) {
      counts[d] = draw(2 * shape[d]);
      for (size_t k = 0; k < counts[d]; k++)
        indices[d][k] = draw(shape[d]);
      OK(zarrc_selection_set_indices(p.selection, d, counts[d], indices[d], &error));
    } else if (how == 2) {
      counts[d] = 1;
      indices[d][0] = start;
      OK(zarrc_selection_set_index(p.selection, d, start, &error));
    } else {
      uint8_t *mask = calloc(shape[d], 1);
      for (uint64_t x = 0; x < shape[d]; x++)
        if ((mask[x] = draw(2) != 0))
          indices[d][counts[d]++] = x;
      OK(zarrc_selection_set_mask(p.selection, d, shape[d], mask, &error));
      free(mask);
    }
  }
  combine(&p, shape, dims, indices, counts);
  for (size_t d = 0; d < dims; d++)
    free(indices[d]);
  return p;
}

static void release(picked *p) {
  zarrc_selection_free(p->selection);
  free(p->numbers);
}

void selections(uint64_t seed) {
  zarrc_error error;
  char together[1024], serial[1024];
  uint64_t shape[MOST], total = 1;
  zarrc_mpi_store *store = NULL;
  zarrc_mpi_array *array = NULL;
  zarrc_store *alone = NULL;
  zarrc_array *one = NULL;

  state = seed * 977;
  size_t dims = 1 + draw(3);
  for (size_t d = 0; d < dims; d++)
    total *= shape[d] = 1 + draw(dims == 1 ? 300 : dims == 2 ? 40 : 13);
  snprintf(together, sizeof together, "%s/picked.zarr", directory);
  snprintf(serial, sizeof serial, "%s/picked_serial.zarr", directory);
  OK(zarrc_mpi_store_open(MPI_COMM_WORLD, together, ZARRC_OVERWRITE, NULL, &store, &error));
  zarrc_array_spec *spec = random_spec(shape, dims);
  OK(zarrc_mpi_array_create(store, "x", spec, &array, &error));
  if (rank == 0) {
    OK(zarrc_store_open(serial, ZARRC_OVERWRITE, NULL, &alone, &error));
    OK(zarrc_array_create(alone, "x", spec, &one, &error));
  }
  int32_t *model = calloc(total, sizeof *model);
  for (int round = 0; round < 3; round++) {
    picked mine = {0};
    int32_t *my_values = NULL;
    for (int r = 0; r < size; r++) { /* every rank knows every rank's */
      picked p = pick(zarrc_mpi_array_local(array), shape, dims);
      int32_t *values = calloc(p.count + 1, sizeof *values);
      for (size_t n = 0; n < p.count; n++)
        model[p.numbers[n]] = values[n] =
            (int32_t)(1000000 * round + 10000 * r + (int)n % 9999 + 1);
      if (rank == 0 && p.selection)
        OK(zarrc_array_write_selection(one, p.selection, ZARRC_INT32, values, NULL,
                                       p.count * sizeof *values, &error));
      if (rank == r) {
        mine = p;
        my_values = values;
      } else {
        release(&p);
        free(values);
      }
    }
    OK(zarrc_mpi_array_write_selection(array, mine.selection, ZARRC_INT32, my_values,
                                       mine.count * sizeof *my_values, &error));
    release(&mine);
    free(my_values);
    if (rank == 0)
      same_directories(serial, together);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  state = seed * 31 + (uint64_t)rank; /* in another type; every rank its own */
  picked p = pick(zarrc_mpi_array_local(array), shape, dims);
  double *read = calloc(p.count + 1, sizeof *read);
  OK(zarrc_mpi_array_read_selection(array, p.selection, ZARRC_FLOAT64, read,
                                    p.count * sizeof *read, &error));
  for (size_t n = 0; n < p.count; n++)
    CHECK(read[n] == (double)model[p.numbers[n]]);
  free(read);
  release(&p);
  free(model);
  OK(zarrc_mpi_array_close(array, &error));
  OK(zarrc_mpi_store_close(store, &error));
  if (rank == 0) {
    OK(zarrc_array_close(one, &error));
    OK(zarrc_store_close(alone, &error));
  }
  zarrc_array_spec_free(spec);
}

void selection_mistakes(void) {
  zarrc_error error;
  char url[1024];
  zarrc_mpi_store *store = NULL;
  zarrc_mpi_array *array = NULL;
  zarrc_array_spec *spec = NULL;
  zarrc_selection *selection = NULL;
  const uint64_t shape[] = {64, 64}, chunk[] = {16, 16};
  static int32_t data[32 * 64], back[32 * 64];
  int guilty = size - 1;

  snprintf(url, sizeof url, "%s/selection_mistakes.zarr", directory);
  OK(zarrc_mpi_store_open(MPI_COMM_WORLD, url, ZARRC_OVERWRITE, NULL, &store, &error));
  OK(zarrc_array_spec_new(ZARRC_INT32, 2, shape, &spec, &error));
  OK(zarrc_array_spec_set_chunk_shape(spec, 2, chunk, &error));
  OK(zarrc_mpi_array_create(store, "a", spec, &array, &error));
  OK(zarrc_selection_new(zarrc_mpi_array_local(array), &selection, &error));

  /* every other row, all columns: all ranks touch all chunks, so each rank leads some */
  uint64_t start = (uint64_t)rank % 2;
  OK(zarrc_selection_set_range(selection, 0, start, 2, 32, &error));
  for (size_t i = 0; i < 32 * 64; i++)
    data[i] = (int32_t)(i * 2654435761u) ^ (int32_t)(start << 5);
  FAILS(zarrc_mpi_array_write_selection(array, selection, ZARRC_INT32, data,
                                        rank == guilty ? sizeof data - 4 : sizeof data, &error),
        ZARRC_INVALID_ARGUMENT, guilty);
  FAILS(zarrc_mpi_array_write_selection(array, selection, ZARRC_INT32,
                                        rank == guilty ? NULL : data, sizeof data, &error),
        ZARRC_INVALID_ARGUMENT, guilty);
  if (size > 1)
    CHECK(zarrc_mpi_array_write_selection(array, selection,
                                          rank == guilty ? ZARRC_UINT32 : ZARRC_INT32, data,
                                          sizeof data, &error) == ZARRC_INVALID_ARGUMENT);
  for (int r = 0; r < size; r++) {
    if (rank == r)
      refuse_writes(1);
    FAILS(zarrc_mpi_array_write_selection(array, selection, ZARRC_INT32, data, sizeof data, &error),
          ZARRC_IO, r);
    if (rank == r)
      refuse_writes(0);
    OK(zarrc_mpi_array_write_selection(array, selection, ZARRC_INT32, data, sizeof data, &error));
  }
  OK(zarrc_mpi_array_read_selection(array, selection, ZARRC_INT32, back, sizeof back, &error));
  CHECK(memcmp(data, back, sizeof back) == 0);

  if (rank == 0) {
    char broken[2048];
    snprintf(broken, sizeof broken, "%s/a/c/1/1", url);
    FILE *file = fopen(broken, "wb");
    CHECK(file && fputs("this is no chunk", file) >= 0 && fclose(file) == 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(zarrc_mpi_array_read_selection(array, selection, ZARRC_INT32, back, sizeof back, &error) ==
        ZARRC_CORRUPT_DATA);
  uint64_t smaller[] = {16, 64};
  OK(zarrc_mpi_array_resize(array, 2, smaller, &error));
  CHECK(zarrc_mpi_array_read_selection(array, selection, ZARRC_INT32, back, sizeof back, &error) ==
        ZARRC_OUT_OF_BOUNDS);
  zarrc_selection_free(selection);
  OK(zarrc_mpi_array_close(array, &error));
  OK(zarrc_mpi_store_close(store, &error));
  zarrc_array_spec_free(spec);
}
