/* Boxes of elements: where they meet and lie in memory, and how they are copied and sent. */
#include "call.h"

#include <string.h>

int zmpi_is_empty(const box *b, size_t rank) {
  for (size_t d = 0; d < rank; d++)
    if (b->count[d] == 0)
      return 1;
  return b->none;
}

uint64_t zmpi_elements(const box *b, size_t rank) {
  uint64_t n = 1;
  for (size_t d = 0; d < rank; d++)
    n *= b->count[d];
  return n;
}

int zmpi_intersect(const box *a, const box *b, size_t rank, box *out) {
  if (a->none || b->none)
    return 0;
  out->none = 0;
  for (size_t d = 0; d < rank; d++) {
    uint64_t from = a->start[d] > b->start[d] ? a->start[d] : b->start[d];
    uint64_t a_end = a->start[d] + a->count[d], b_end = b->start[d] + b->count[d];
    uint64_t end = a_end < b_end ? a_end : b_end;
    if (from >= end)
      return 0;
    out->start[d] = from;
    out->count[d] = end - from;
  }
  return 1;
}

void zmpi_include(box *to, const box *b, size_t rank) {
  for (size_t d = 0; d < rank; d++) {
    uint64_t from = to->start[d] < b->start[d] ? to->start[d] : b->start[d];
    uint64_t to_end = to->start[d] + to->count[d], b_end = b->start[d] + b->count[d];
    to->count[d] = (to_end > b_end ? to_end : b_end) - from;
    to->start[d] = from;
  }
}

size_t zmpi_place(const box *frame, const box *b, size_t rank, size_t element, int64_t *strides) {
  uint64_t stride = element;
  size_t offset = 0;
  for (size_t d = rank; d-- > 0;) {
    strides[d] = (int64_t)stride;
    offset += (size_t)((b->start[d] - frame->start[d]) * stride);
    stride *= frame->count[d];
  }
  return offset;
}

zarrc_status zmpi_part_type(const call *c, const box *frame, const box *b, MPI_Datatype *type) {
  int64_t strides[MAX_RANK];
  MPI_Datatype made = MPI_DATATYPE_NULL, outer;
  zmpi_place(frame, b, c->rank, c->element, strides);
  int code = MPI_Type_contiguous((int)c->element, MPI_BYTE, &made);
  for (size_t d = c->rank; code == MPI_SUCCESS && d-- > 0;) {
    /* the plan has checked that no extent of a chunk passes INT_MAX */
    code = MPI_Type_create_hvector((int)b->count[d], 1, (MPI_Aint)strides[d], made, &outer);
    MPI_Type_free(&made);
    made = outer;
  }
  if (code == MPI_SUCCESS)
    code = MPI_Type_commit(&made);
  *type = made;
  return code == MPI_SUCCESS ? ZARRC_OK : ZARRC_IO;
}

void zmpi_copy_box(const call *c, const box *b, const box *source, const unsigned char *from,
                     const box *target, unsigned char *to) {
  int64_t in[MAX_RANK], out[MAX_RANK];
  uint64_t index[MAX_RANK] = {0};
  from += zmpi_place(source, b, c->rank, c->element, in);
  to += zmpi_place(target, b, c->rank, c->element, out);
  size_t inner = c->rank ? c->rank - 1 : 0;
  size_t row = (size_t)(c->rank ? b->count[inner] : 1) * c->element;
  for (;;) {
    const unsigned char *f = from;
    unsigned char *t = to;
    size_t d;
    for (d = 0; d < inner; d++) {
      f += (int64_t)index[d] * in[d];
      t += (int64_t)index[d] * out[d];
    }
    memcpy(t, f, row);
    for (d = inner; d-- > 0;) {
      if (++index[d] < b->count[d])
        break;
      index[d] = 0;
    }
    if (d == (size_t)-1)
      return;
  }
}

