/* Blocks that all ranks append, attributes and consolidated metadata, against a serial run, byte for
 * byte; and appends that fail. */
#include "test_mpi.h"

void appends(uint64_t seed) {
  zarrc_error error;
  char together[1024], serial[1024];
  uint64_t shape[MOST];
  zarrc_mpi_store *store = NULL;
  zarrc_mpi_array *array = NULL;
  zarrc_store *alone = NULL;
  zarrc_array *one = NULL;
  zarrc_attributes *attributes = NULL;
  size_t bytes;

  state = seed * 499;
  size_t dims = 1 + draw(3), axis = draw(dims);
  for (size_t d = 0; d < dims; d++)
    shape[d] = 1 + draw(dims == 1 ? 60 : 12);
  snprintf(together, sizeof together, "%s/appended.zarr", directory);
  snprintf(serial, sizeof serial, "%s/appended_serial.zarr", directory);
  OK(zarrc_mpi_store_open(MPI_COMM_WORLD, together, ZARRC_OVERWRITE, NULL, &store, &error));
  zarrc_array_spec *spec = random_spec(shape, dims);
  OK(zarrc_mpi_array_create(store, "x", spec, &array, &error));
  if (rank == 0) {
    OK(zarrc_store_open(serial, ZARRC_OVERWRITE, NULL, &alone, &error));
    OK(zarrc_array_create(alone, "x", spec, &one, &error));
  }
  for (int round = 0; round < 3; round++) {
    region whole = {{0}, {0}}, parts[256];
    memcpy(whole.count, shape, sizeof whole.count);
    whole.count[axis] = draw(dims == 1 ? 100 : 9);
    cut(whole, dims, size, parts);
    region mine = parts[(rank + round) % size];
    int32_t *data = filled(&mine, shape, dims, round, &bytes);
    OK(zarrc_mpi_array_append(array, axis, whole.count[axis], mine.start, mine.count, ZARRC_INT32,
                              bytes ? data : NULL, bytes, &error));
    free(data);
    shape[axis] += whole.count[axis];
    uint64_t now[MOST];
    OK(zarrc_array_shape(zarrc_mpi_array_local(array), dims, now, &error));
    CHECK(memcmp(now, shape, dims * sizeof *now) == 0);
    if (rank == 0) {
      uint64_t before[MOST];
      memcpy(before, shape, sizeof before);
      before[axis] -= whole.count[axis]; /* the values were computed with that shape */
      data = filled(&whole, before, dims, round, &bytes);
      OK(zarrc_array_append(one, axis, whole.count, ZARRC_INT32, data, bytes, &error));
      free(data);
    }
  }
  OK(zarrc_attributes_new(&attributes, &error));
  OK(zarrc_attributes_set_string(attributes, "units", "K", &error));
  OK(zarrc_attributes_set_double(attributes, "scale", 0.25, &error));
  OK(zarrc_mpi_array_update_attributes(array, attributes, &error));
  zarrc_format format = zarrc_array_format(zarrc_mpi_array_local(array));
  OK(zarrc_mpi_group_create(store, "g", format, &error));
  OK(zarrc_mpi_group_update_attributes(store, "g", attributes, &error));
  bool consolidates = format != ZARRC_FORMAT_N5;
  if (consolidates)
    OK(zarrc_mpi_consolidate_metadata(store, "", &error));
  else
    FAILS(zarrc_mpi_consolidate_metadata(store, "", &error), ZARRC_UNSUPPORTED, 0);
  if (rank == 0) {
    zarrc_group *group = NULL;
    OK(zarrc_attributes_update(zarrc_array_attributes(one), attributes, &error));
    OK(zarrc_group_create(alone, "g", format, &group, &error));
    OK(zarrc_attributes_update(zarrc_group_attributes(group), attributes, &error));
    OK(zarrc_group_close(group, &error));
    if (consolidates)
      OK(zarrc_consolidate_metadata(alone, "", &error));
    OK(zarrc_array_close(one, &error));
    OK(zarrc_store_close(alone, &error));
    same_directories(serial, together);
  }
  zarrc_attributes_free(attributes);
  OK(zarrc_mpi_array_close(array, &error));
  OK(zarrc_mpi_store_close(store, &error));
  zarrc_array_spec_free(spec);
  MPI_Barrier(MPI_COMM_WORLD);
}

void append_mistakes(void) {
  zarrc_error error;
  char url[1024];
  zarrc_mpi_store *store = NULL;
  zarrc_mpi_array *array = NULL;
  zarrc_array_spec *spec = NULL;
  const uint64_t shape[] = {0, 64}, chunk[] = {16, 16};
  static int32_t data[64 * 64];
  int guilty = size - 1;
  uint64_t now[2];

  snprintf(url, sizeof url, "%s/append_mistakes.zarr", directory);
  OK(zarrc_mpi_store_open(MPI_COMM_WORLD, url, ZARRC_OVERWRITE, NULL, &store, &error));
  OK(zarrc_array_spec_new(ZARRC_INT32, 2, shape, &spec, &error));
  OK(zarrc_array_spec_set_chunk_shape(spec, 2, chunk, &error));
  OK(zarrc_mpi_array_create(store, "a", spec, &array, &error));
  for (size_t i = 0; i < 64 * 64; i++)
    data[i] = (int32_t)(i * 2654435761u);

  uint64_t rows = 64 / (uint64_t)size, start[] = {rows * (uint64_t)rank, 0}, count[] = {rows, 64};
  if (rank == guilty)
    count[0] = 64 - start[0];
  size_t bytes = count[0] * count[1] * sizeof *data;
  uint64_t less[] = {count[0] - 1, 64};
  bool wrong = rank == guilty;
  CHECK(zarrc_mpi_array_append(array, 0, 64, start, wrong ? less : count, ZARRC_INT32, data,
                               wrong ? bytes - 64 * sizeof *data : bytes,
                               &error) == ZARRC_INVALID_ARGUMENT &&
        strstr(error.message, "expected 4096"));
  FAILS(zarrc_mpi_array_append(array, 0, 64, start, count, ZARRC_INT32, data,
                               wrong ? bytes - 1 : bytes, &error),
        ZARRC_INVALID_ARGUMENT, guilty);
  FAILS(zarrc_mpi_array_append(array, 0, 63, start, count, ZARRC_INT32, data, bytes, &error),
        ZARRC_OUT_OF_BOUNDS, guilty);
  FAILS(zarrc_mpi_array_append(array, wrong ? 2 : 0, 64, start, count, ZARRC_INT32, data, bytes,
                               &error),
        ZARRC_INVALID_ARGUMENT, guilty);
  if (size > 1)
    CHECK(zarrc_mpi_array_append(array, 0, wrong ? 65 : 64, start, count, ZARRC_INT32, data, bytes,
                                 &error) == ZARRC_INVALID_ARGUMENT);
  for (int r = 0; r < size; r++) {
    if (rank == r)
      refuse_writes(1);
    FAILS(zarrc_mpi_array_append(array, 0, 64, start, count, ZARRC_INT32, data, bytes, &error),
          ZARRC_IO, r);
    if (rank == r)
      refuse_writes(0);
    OK(zarrc_array_shape(zarrc_mpi_array_local(array), 2, now, &error));
    CHECK(now[0] == 64 * (uint64_t)r && now[1] == 64);
    OK(zarrc_mpi_array_append(array, 0, 64, start, count, ZARRC_INT32, data, bytes, &error));
  }
  OK(zarrc_mpi_array_close(array, &error));
  OK(zarrc_mpi_store_close(store, &error));
  zarrc_array_spec_free(spec);
}
