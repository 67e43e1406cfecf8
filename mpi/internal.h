/* Declarations shared by the files of the MPI companion. Nothing here is exported. */
#ifndef ZARRC_MPI_INTERNAL_H
#define ZARRC_MPI_INTERNAL_H

#include "zarrc_mpi.h"

#include <stdarg.h>

/* The communicator and where its ranks run; shared by a store and its arrays. */
typedef struct team {
  MPI_Comm comm;
  int rank, size;
  int *node_of; /* the node of each rank, numbered from 0 */
  int users;
  zarrc_store *store; /* NULL once it is closed */
} team;

struct zarrc_mpi_store {
  team *team;
  zarrc_store *store;
};

struct zarrc_mpi_array {
  team *team;
  zarrc_array *array;
  char *path;
  size_t rank;
  int plain; /* chunks are not encoded: a part of one is read without the rest */
};

/* Fills `err` with a printf-style message and returns `status`. */
zarrc_status zmpi_fail(zarrc_error *err, zarrc_status status, const char *format, ...);

/* An error of MPI as a status; ZARRC_OK for MPI_SUCCESS. */
zarrc_status zmpi_check(int code, const char *what, zarrc_error *err);

/* Combines the outcomes of all ranks. `local` holds this rank's status, and its message if that is
 * not ZARRC_OK. `*most` becomes the largest value that a rank passed in (NULL: not wanted). */
zarrc_status zmpi_agree(const team *team, const zarrc_error *local, uint64_t *most,
                       zarrc_error *err);

/* Sends rank 0's document (NULL: the one in the store) to the others, which open the array from it.
 * `array` is open on rank 0 and becomes open on the others. */
zarrc_status zmpi_share_array(const team *team, const char *path, const char *document,
                              zarrc_array **array, zarrc_error *err);

#endif
