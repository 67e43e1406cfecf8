/* Collective reads and writes of boxes. */
#include "call.h"

#include <limits.h>
#include <stdlib.h>

/* Checks this rank's arguments and fills in c->mine. An error is in c->local. */
static void check_arguments(call *c, const uint64_t *start, const uint64_t *count, size_t size) {
  uint64_t shape[MAX_RANK];
  const char *path = c->array->path;
  zarrc_array *array = c->array->array;
  c->mine.none = 1;
  if (c->rank > MAX_RANK) {
    zmpi_fail(&c->local, ZARRC_UNSUPPORTED, "array %s: more than %d dimensions", path, MAX_RANK);
    return;
  }
  if (zarrc_array_shape(array, c->rank, shape, &c->local) != ZARRC_OK)
    return;
  for (size_t d = 0; d < c->rank; d++) {
    uint64_t first = start ? start[d] : 0;
    uint64_t extent = count ? count[d] : first <= shape[d] ? shape[d] - first : 1;
    if (first > shape[d] || extent > shape[d] - first) {
      zmpi_fail(&c->local, ZARRC_OUT_OF_BOUNDS,
               "array %s: start %llu, count %llu is out of bounds: dimension %zu has %llu elements",
               path, (unsigned long long)first, (unsigned long long)extent, d,
               (unsigned long long)shape[d]);
      return;
    }
    c->mine.start[d] = first;
    c->mine.count[d] = extent;
  }
  c->mine.none = 0;
  /* without dimensions no extent can be 0: no memory says the same */
  c->mine.none = zmpi_is_empty(&c->mine, c->rank) || (c->rank == 0 && !c->data);
  if (c->mine.none)
    return;
  c->element = zarrc_data_type_size(c->type);
  if (c->element == 0) /* ZARRC_NATIVE, or a type with parameters, which is the array's own */
    c->element = zarrc_array_element_size(array);
  uint64_t bytes = c->element;
  for (size_t d = 0; bytes > 0 && d < c->rank; d++)
    bytes = c->mine.count[d] > SIZE_MAX / bytes ? SIZE_MAX : bytes * c->mine.count[d];
  if (c->element == 0 || c->element > INT_MAX)
    zmpi_fail(&c->local, ZARRC_UNSUPPORTED,
             "array %s: elements of variable length cannot be exchanged between ranks", path);
  else if (!c->data)
    zmpi_fail(&c->local, ZARRC_INVALID_ARGUMENT, "array %s: data is NULL", path);
  else if (bytes != size)
    zmpi_fail(&c->local, ZARRC_INVALID_ARGUMENT, "array %s: size is %zu bytes, the box has %llu",
             path, size, (unsigned long long)bytes);
  c->mine.none = c->local.status != ZARRC_OK;
}

/* Gathers every rank's box on every rank, and checks that all write one type. */
static zarrc_status share_boxes(call *c, zarrc_error *err) {
  const team *team = c->team;
  uint64_t mine[2 * MAX_RANK + 1], *all = NULL;
  size_t width = 2 * c->rank + 1; /* starts and counts, and whether there is anything */
  int has = !zmpi_is_empty(&c->mine, c->rank);
  /* the largest type and the largest negative of it: equal where all are one */
  uint64_t largest = has ? (uint64_t)c->type + 1 : 0;
  uint64_t smallest = has ? UINT32_MAX - (uint64_t)c->type : 0;
  zarrc_status status = zmpi_agree(team, &c->local, &largest, err);
  if (status == ZARRC_OK) {
    c->boxes = calloc((size_t)team->size, sizeof *c->boxes);
    all = calloc((size_t)team->size * width, sizeof *all);
    if (!c->boxes || !all)
      zmpi_fail(&c->local, ZARRC_OUT_OF_MEMORY, "out of memory");
    status = zmpi_agree(team, &c->local, &smallest, err);
  }
  if (status == ZARRC_OK && largest && largest - 1 != UINT32_MAX - smallest)
    status = zmpi_fail(err, ZARRC_INVALID_ARGUMENT,
                       "array %s: memory_type must be the same on all ranks whose box has elements",
                       c->array->path);
  if (status == ZARRC_OK) {
    for (size_t d = 0; d < c->rank; d++) {
      mine[2 * d] = c->mine.start[d];
      mine[2 * d + 1] = c->mine.count[d];
    }
    mine[width - 1] = (uint64_t)has;
    status = zmpi_check(MPI_Allgather(mine, (int)width, MPI_UINT64_T, all, (int)width, MPI_UINT64_T,
                                     team->comm),
                       "MPI_Allgather", err);
  }
  for (int r = 0; status == ZARRC_OK && r < team->size; r++) {
    const uint64_t *theirs = all + (size_t)r * width;
    for (size_t d = 0; d < c->rank; d++) {
      c->boxes[r].start[d] = theirs[2 * d];
      c->boxes[r].count[d] = theirs[2 * d + 1];
    }
    c->boxes[r].none = !theirs[width - 1];
  }
  free(all);
  return status;
}

static zarrc_status run(call *c, zarrc_error *err) {
  exchange *exchange = NULL;
  uint64_t shared;
  zarrc_status status = share_boxes(c, err);
  if (status == ZARRC_OK) {
    if (zmpi_plan(c) == ZARRC_OK && !(exchange = zmpi_exchange_new(c)))
      zmpi_fail(&c->local, ZARRC_OUT_OF_MEMORY,
                "array %s: no memory for chunks of %zu bytes that several ranks touch",
                c->array->path, c->slot_bytes);
    shared = c->shared_count;
    status = zmpi_agree(c->team, &c->local, &shared, err);
  }
  if (status == ZARRC_OK) {
    zarrc_request *core = NULL;
    int alone = !zmpi_is_empty(&c->core, c->rank);
    if (alone && shared > 0)
      core = zmpi_transfer_start(c, &c->core, &c->mine, c->data);
    else if (alone)
      zmpi_transfer(c, &c->core, &c->mine, c->data);
    if (shared > 0)
      zmpi_exchange(c, exchange);
    for (size_t i = 0; i < c->alone_count; i++)
      zmpi_transfer(c, &c->alone[i], &c->mine, c->data);
    zmpi_transfer_finish(c, core);
    status = zmpi_agree(c->team, &c->local, NULL, err);
  }
  zmpi_exchange_free(exchange);
  free(c->boxes);
  free(c->alone);
  free(c->shared);
  free(c->parts);
  return status;
}

zarrc_status zarrc_mpi_array_write(zarrc_mpi_array *array, const uint64_t *start,
                                   const uint64_t *count, zarrc_data_type memory_type,
                                   const void *data, size_t size, zarrc_error *err) {
  if (!array)
    return zmpi_fail(err, ZARRC_INVALID_ARGUMENT, "array is NULL");
  /* the caller's memory is only read from: `transfer` and `begin` write to it when reading */
  call c = {.array = array, .team = array->team, .rank = array->rank, .type = memory_type,
            .data = (unsigned char *)(uintptr_t)data, .writes = 1};
  check_arguments(&c, start, count, size);
  return run(&c, err);
}

zarrc_status zarrc_mpi_array_read(zarrc_mpi_array *array, const uint64_t *start,
                                  const uint64_t *count, zarrc_data_type memory_type, void *data,
                                  size_t size, zarrc_error *err) {
  if (!array)
    return zmpi_fail(err, ZARRC_INVALID_ARGUMENT, "array is NULL");
  call c = {.array = array, .team = array->team, .rank = array->rank, .type = memory_type,
            .data = data};
  check_arguments(&c, start, count, size);
  return run(&c, err);
}
