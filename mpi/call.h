/* One collective read or write of boxes: what its files share. */
#ifndef ZARRC_MPI_CALL_H
#define ZARRC_MPI_CALL_H

#include "internal.h"

/* Dimensions; the exchanges' own limit, checked. */
enum { MAX_RANK = 32 };

typedef struct box {
  uint64_t start[MAX_RANK], count[MAX_RANK];
  int none; /* no elements, also without dimensions */
} box;

/* A chunk that several ranks touch, seen from one of them. */
typedef struct shared_chunk {
  box bounds;  /* of all parts together */
  int leader;
  int exact;   /* the parts fill the bounds without a gap */
  size_t parts, first_part; /* where the leader finds its parts in call.parts */
} shared_chunk;

/* What one rank has of a chunk that this rank leads. */
typedef struct part {
  int rank;
  box box;
} part;

typedef struct call {
  zarrc_mpi_array *array;
  const team *team;
  size_t rank, element;
  zarrc_data_type type;
  unsigned char *data; /* of the caller; only read from by a write */
  int writes;
  box mine;
  box *boxes;          /* of all ranks */
  box core;            /* what this rank does alone in one call */
  box *alone;          /* further chunks that this rank does alone */
  size_t alone_count, alone_room;
  shared_chunk *shared; /* ascending by chunk */
  size_t shared_count, shared_room;
  part *parts;
  size_t part_count, part_room;
  size_t slot_bytes;   /* memory of the largest chunk that this rank leads */
  zarrc_error local;   /* this rank's first error */
} call;

/* ---- boxes.c ---- */

int zmpi_is_empty(const box *b, size_t rank);
uint64_t zmpi_elements(const box *b, size_t rank);
/* The intersection of two boxes; 0: it is empty. */
int zmpi_intersect(const box *a, const box *b, size_t rank, box *out);
/* Enlarges a box until it contains another. */
void zmpi_include(box *to, const box *b, size_t rank);
/* Byte strides of the memory of `frame`, and where `b` begins in it. */
size_t zmpi_place(const box *frame, const box *b, size_t rank, size_t element, int64_t *strides);
/* The elements of `b` within memory that holds `frame`, as a type of MPI. */
zarrc_status zmpi_part_type(const call *c, const box *frame, const box *b, MPI_Datatype *type);
/* Copies `b` from memory that holds `source` to memory that holds `target`. */
void zmpi_copy_box(const call *c, const box *b, const box *source, const unsigned char *from,
                   const box *target, unsigned char *to);

/* ---- plan.c ---- */

/* Divides this rank's box into the core, further chunks of its own, and shared ones. */
zarrc_status zmpi_plan(call *c);

/* ---- exchange.c ---- */

/* Keeps this rank's first error. */
void zmpi_keep_first(call *c, const zarrc_error *error);
/* Reads or writes a box between the store and memory that holds `frame`. */
void zmpi_transfer(call *c, const box *b, const box *frame, unsigned char *memory);
/* The same on the library's threads. NULL: it was done at once. */
zarrc_request *zmpi_transfer_start(call *c, const box *b, const box *frame, unsigned char *memory);
/* Waits for such a request, and frees it. */
void zmpi_transfer_finish(call *c, zarrc_request *request);

typedef struct exchange exchange;
/* Allocates what an exchange needs; NULL: out of memory. */
exchange *zmpi_exchange_new(const call *c);
void zmpi_exchange_free(exchange *e);
/* Exchanges the parts of shared chunks, and stores or fetches those chunks. After an error
 * everything is still sent and received, so that no rank waits for another. */
void zmpi_exchange(call *c, exchange *e);

#endif
