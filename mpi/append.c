/* Collective appends: the first rank holds the array's lock and publishes the new shape, after all
 * ranks have written the block through handles that know that shape already. */
#include "internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RANK = 32 };

typedef struct append {
  zarrc_mpi_array *array;
  size_t axis;
  const uint64_t *start, *count;
  zarrc_data_type type;
  const void *data;
  size_t size;
  zarrc_error failed; /* of the last attempt to write the block; the same on all ranks */
} append;

/* Checks that the boxes of all ranks fill the block: they lie in it and have as many elements. That
 * none overlap, the write checks. */
static zarrc_status check_boxes(const append *a, uint64_t extent, zarrc_error *err) {
  const team *team = a->array->team;
  const char *path = a->array->path;
  size_t rank = a->array->rank;
  uint64_t shape[MAX_RANK], block = 1, mine[3] = {1, extent, UINT64_MAX - extent}, all[3];
  zarrc_error local = {0};
  zarrc_status status;
  if (!team->store)
    zmpi_fail(&local, ZARRC_INVALID_ARGUMENT, "array %s: its store is closed", path);
  else if (rank > MAX_RANK)
    zmpi_fail(&local, ZARRC_UNSUPPORTED, "array %s: more than %d dimensions", path, MAX_RANK);
  else if (a->axis >= rank)
    zmpi_fail(&local, ZARRC_INVALID_ARGUMENT,
              "array %s: axis %zu: expected less than the rank, %zu", path, a->axis, rank);
  else if (!a->start || !a->count)
    zmpi_fail(&local, ZARRC_INVALID_ARGUMENT, "array %s: %s is NULL", path,
              a->start ? "count" : "start");
  else
    local.status = zarrc_array_shape(a->array->array, rank, shape, &local);
  for (size_t d = 0; local.status == ZARRC_OK && d < rank; d++) {
    uint64_t whole = d == a->axis ? extent : shape[d];
    if (a->start[d] > whole || a->count[d] > whole - a->start[d])
      zmpi_fail(&local, ZARRC_OUT_OF_BOUNDS,
                "array %s: start %llu, count %llu is out of bounds: the block has %llu elements in "
                "dimension %zu",
                path, (unsigned long long)a->start[d], (unsigned long long)a->count[d],
                (unsigned long long)whole, d);
    else if (whole && block > UINT64_MAX / whole)
      zmpi_fail(&local, ZARRC_LIMIT_EXCEEDED, "array %s: the block has 2^64 elements or more",
                path);
    else {
      block *= whole;
      mine[0] *= a->count[d];
    }
  }
  status = zmpi_agree(team, &local, NULL, err);
  if (status != ZARRC_OK)
    return status;
  /* a sum beyond 2^64 wraps, but then boxes overlap, which the write refuses */
  status = zmpi_check(MPI_Allreduce(mine, all, 1, MPI_UINT64_T, MPI_SUM, team->comm),
                      "MPI_Allreduce", err);
  if (status == ZARRC_OK)
    status = zmpi_check(MPI_Allreduce(mine + 1, all + 1, 2, MPI_UINT64_T, MPI_MAX, team->comm),
                        "MPI_Allreduce", err);
  if (status == ZARRC_OK && all[1] != UINT64_MAX - all[2])
    return zmpi_fail(err, ZARRC_INVALID_ARGUMENT,
                     "array %s: extent must be the same on all ranks", path);
  if (status == ZARRC_OK && all[0] != block)
    return zmpi_fail(err, ZARRC_INVALID_ARGUMENT,
                     "array %s: the boxes have %llu elements: expected %llu, all of the block",
                     path, (unsigned long long)all[0], (unsigned long long)block);
  return status;
}

/* Writes the block, which begins at `first`, on all ranks. `grown` and `document` are
 * rank 0's. */
static zarrc_status write_block(const append *a, zarrc_array *grown, const char *document,
                                uint64_t first, zarrc_error *err) {
  team *team = a->array->team;
  uint64_t start[MAX_RANK];
  zarrc_error local = {0};
  zarrc_mpi_array ahead = *a->array;
  ahead.array = grown;
  zarrc_status status = zmpi_share_array(team, ahead.path, document, &ahead.array, err);
  if (status == ZARRC_OK) {
    memcpy(start, a->start, ahead.rank * sizeof *start);
    start[a->axis] += first;
    status =
        zarrc_mpi_array_write(&ahead, start, a->count, a->type, a->data, a->size, err);
  }
  if (team->rank != 0) /* rank 0's is borrowed */
    zarrc_array_close(ahead.array, &local);
  if (status == ZARRC_OK)
    status = zmpi_agree(team, &local, NULL, err);
  return status;
}

/* What rank 0 tells the others: whether to write once more, and where the block begins. */
static zarrc_status tell(const team *team, uint64_t *more, uint64_t *first, zarrc_error *err) {
  uint64_t words[2] = {*more, *first};
  zarrc_status status =
      zmpi_check(MPI_Bcast(words, 2, MPI_UINT64_T, 0, team->comm), "MPI_Bcast", err);
  *more = words[0];
  *first = words[1];
  return status;
}

static zarrc_status on_first_rank(void *user, zarrc_array *grown, const char *document,
                                  uint64_t first, zarrc_error *err) {
  append *a = user;
  uint64_t more = 1;
  zarrc_status status = tell(a->array->team, &more, &first, err);
  memset(&a->failed, 0, sizeof a->failed);
  if (status == ZARRC_OK)
    status = a->failed.status = write_block(a, grown, document, first, &a->failed);
  if (a->failed.status != ZARRC_OK)
    *err = a->failed;
  return status;
}

zarrc_status zarrc_mpi_array_append(zarrc_mpi_array *array, size_t axis, uint64_t extent,
                                    const uint64_t *start, const uint64_t *count,
                                    zarrc_data_type memory_type, const void *data, size_t size,
                                    zarrc_error *err) {
  zarrc_error local = {0};
  uint64_t more = 0, first = 0;
  if (!array)
    return zmpi_fail(err, ZARRC_INVALID_ARGUMENT, "array is NULL");
  team *team = array->team;
  append a = {array, axis, start, count, memory_type, data, size, {0}};
  zarrc_status status = check_boxes(&a, extent, err);
  if (status != ZARRC_OK || extent == 0)
    return status;
  /* no rank may hold back writes to a chunk that the block touches */
  local.status = zarrc_array_flush(array->array, &local);
  status = zmpi_agree(team, &local, NULL, err);
  if (status != ZARRC_OK)
    return status;
  if (team->rank == 0) {
    local.status = zarrc_array_append_with(array->array, axis, extent, on_first_rank, &a, &local);
    status = tell(team, &more, &first, err);
  } else {
    do { /* again if others changed the array meanwhile */
      status = tell(team, &more, &first, err);
      if (status == ZARRC_OK && more) {
        memset(&a.failed, 0, sizeof a.failed);
        a.failed.status = write_block(&a, NULL, NULL, first, &a.failed);
      }
    } while (status == ZARRC_OK && more);
  }
  if (status == ZARRC_OK && a.failed.status != ZARRC_OK) {
    if (err)
      *err = a.failed;
    return a.failed.status;
  }
  if (status == ZARRC_OK)
    status = zmpi_agree(team, &local, NULL, err);
  if (status != ZARRC_OK)
    return status;
  if (team->rank != 0)
    local.status = zarrc_array_refresh(array->array, &local);
  return zmpi_agree(team, &local, NULL, err);
}
