/* Collective reads and writes.
 *
 * Every rank learns every rank's box. From these each works out, for the chunks that its own box
 * touches and without further messages, which ranks touch them and which of those leads:
 *
 *        rank 0      rank 1            chunks a, d: one rank each, done by it alone
 *     +-------+  .               b: ranks 0 and 1: the leader puts it together
 *     | a  | b|..|  c  | d |     (write), or fetches it for both (read)
 *
 * Leaders take their chunks in ascending order and have memory for SLOTS of them. Senders send in
 * ascending order too, a bounded number of messages at a time, and a send is complete only when it
 * is being received. So the leader of the lowest unfinished chunk always finds its parts on the
 * way, and no deadlock can occur.
 */
#include "internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
  SLOTS = 2,        /* chunks that a leader holds: one fills while the other is written or sent */
  IN_FLIGHT = 64,   /* messages of one rank under way in one direction */
  MAX_RANK = 32,    /* dimensions; the exchanges' own limit, checked */
  PART_TAG = 1,
};

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

typedef struct slot {
  unsigned char *memory;
  size_t chunk;      /* index into call.shared */
  size_t next_part;  /* messages begun */
  size_t pending;    /* messages under way */
  int busy;
} slot;

typedef struct message {
  MPI_Request request;
  MPI_Datatype type;
  slot *slot; /* NULL: to or from the caller's memory */
} message;

/* One collective read or write. */
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
  size_t slot_bytes;
  zarrc_error local;   /* this rank's first error */
} call;

/* ---- boxes --------------------------------------------------------------------------------- */

static int is_empty(const box *b, size_t rank) {
  for (size_t d = 0; d < rank; d++)
    if (b->count[d] == 0)
      return 1;
  return b->none;
}

static uint64_t elements(const box *b, size_t rank) {
  uint64_t n = 1;
  for (size_t d = 0; d < rank; d++)
    n *= b->count[d];
  return n;
}

/* The intersection of two boxes; 0: it is empty. */
static int intersect(const box *a, const box *b, size_t rank, box *out) {
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

static void include(box *to, const box *b, size_t rank) {
  for (size_t d = 0; d < rank; d++) {
    uint64_t from = to->start[d] < b->start[d] ? to->start[d] : b->start[d];
    uint64_t to_end = to->start[d] + to->count[d], b_end = b->start[d] + b->count[d];
    to->count[d] = (to_end > b_end ? to_end : b_end) - from;
    to->start[d] = from;
  }
}

/* Byte strides of the memory of `frame`, and where `b` begins in it. */
static size_t place(const box *frame, const box *b, size_t rank, size_t element, int64_t *strides) {
  uint64_t stride = element;
  size_t offset = 0;
  for (size_t d = rank; d-- > 0;) {
    strides[d] = (int64_t)stride;
    offset += (size_t)((b->start[d] - frame->start[d]) * stride);
    stride *= frame->count[d];
  }
  return offset;
}

/* The elements of `b` within memory that holds `frame`, as a type of MPI. */
static zarrc_status part_type(const call *c, const box *frame, const box *b, MPI_Datatype *type) {
  int64_t strides[MAX_RANK];
  MPI_Datatype made = MPI_DATATYPE_NULL, outer;
  place(frame, b, c->rank, c->element, strides);
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

/* Copies `b` from memory that holds `source` to memory that holds `target`. */
static void copy_box(const call *c, const box *b, const box *source, const unsigned char *from,
                     const box *target, unsigned char *to) {
  int64_t in[MAX_RANK], out[MAX_RANK];
  uint64_t index[MAX_RANK] = {0};
  from += place(source, b, c->rank, c->element, in);
  to += place(target, b, c->rank, c->element, out);
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

/* ---- chunks -------------------------------------------------------------------------------- */

/* Grows a list for one more element. */
static void *grow(void *list, size_t count, size_t *room, size_t element) {
  if (count < *room)
    return list;
  size_t more = *room ? *room * 2 : 16;
  void *grown = more > SIZE_MAX / element ? NULL : realloc(list, more * element);
  if (grown)
    *room = more;
  return grown;
}

/* The number of the chunk that holds index `x` of dimension `d`. */
static zarrc_status chunk_at(call *c, const uint64_t *counts, size_t d, uint64_t x, uint64_t *n) {
  uint64_t index[MAX_RANK] = {0}, start[MAX_RANK], count[MAX_RANK];
  uint64_t low = 0, high = counts[d] - 1;
  while (low < high) {
    uint64_t middle = low + (high - low + 1) / 2;
    index[d] = middle;
    zarrc_status status =
        zarrc_array_chunk_bounds(c->array->array, c->rank, index, start, count, &c->local);
    if (status != ZARRC_OK)
      return status;
    if (start[d] <= x)
      low = middle;
    else
      high = middle - 1;
  }
  *n = low;
  return ZARRC_OK;
}

static int overlaps(const box *a, const box *b, size_t rank) {
  box common;
  return intersect(a, b, rank, &common);
}

/* The rank that assembles or fetches a chunk: on the node that has most of it (on this node, when
 * reading), its ranks in turn. `parts` are those of the ranks that touch the chunk, by rank. */
static int choose_leader(const call *c, const part *parts, size_t count, uint64_t turn) {
  const int *node_of = c->team->node_of;
  int best = node_of[parts[0].rank];
  uint64_t most = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t here = 0;
    for (size_t k = 0; k < count; k++)
      if (node_of[parts[k].rank] == node_of[parts[i].rank])
        here += elements(&parts[k].box, c->rank);
    if (here > most) {
      most = here;
      best = node_of[parts[i].rank];
    }
  }
  size_t candidates = 0;
  for (size_t i = 0; i < count; i++)
    candidates += node_of[parts[i].rank] == best;
  size_t pick = (size_t)(turn % candidates);
  for (size_t i = 0; i < count; i++)
    if (node_of[parts[i].rank] == best && pick-- == 0)
      return parts[i].rank;
  return parts[0].rank;
}

/* Adds a chunk that several ranks touch; `parts` holds the part of each. */
static zarrc_status add_shared(call *c, const part *parts, size_t count, uint64_t turn) {
  int leader = choose_leader(c, parts, count, turn);
  shared_chunk made = {.bounds = parts[0].box, .leader = leader, .first_part = c->part_count};
  uint64_t total = 0;
  for (size_t i = 0; i < count; i++) {
    include(&made.bounds, &parts[i].box, c->rank);
    total += elements(&parts[i].box, c->rank);
    for (size_t k = 0; c->writes && k < i; k++)
      if (overlaps(&parts[i].box, &parts[k].box, c->rank))
        return zmpi_fail(&c->local, ZARRC_INVALID_ARGUMENT,
                        "array %s: the boxes of ranks %d and %d overlap", c->array->path,
                        parts[k].rank, parts[i].rank);
  }
  made.exact = total == elements(&made.bounds, c->rank);
  uint64_t bytes = elements(&made.bounds, c->rank) * c->element;
  for (size_t d = 0; d < c->rank; d++)
    if (made.bounds.count[d] > INT_MAX)
      return zmpi_fail(&c->local, ZARRC_LIMIT_EXCEEDED,
                      "array %s: a chunk that several ranks touch has more than 2^31-1 elements "
                      "along dimension %zu",
                      c->array->path, d);
  if (bytes > SIZE_MAX / 4)
    return zmpi_fail(&c->local, ZARRC_LIMIT_EXCEEDED, "array %s: a chunk is too large for memory",
                    c->array->path);
  if (leader == c->team->rank) {
    for (size_t i = 0; i < count; i++) {
      part *list = grow(c->parts, c->part_count, &c->part_room, sizeof *list);
      if (!list)
        return zmpi_fail(&c->local, ZARRC_OUT_OF_MEMORY, "out of memory");
      c->parts = list;
      list[c->part_count++] = parts[i];
    }
    made.parts = count;
    if (bytes > c->slot_bytes)
      c->slot_bytes = (size_t)bytes;
  }
  shared_chunk *list = grow(c->shared, c->shared_count, &c->shared_room, sizeof *list);
  if (!list)
    return zmpi_fail(&c->local, ZARRC_OUT_OF_MEMORY, "out of memory");
  c->shared = list;
  list[c->shared_count++] = made;
  return ZARRC_OK;
}

/* Whether a chunk, given by its number in each dimension, lies in the core. */
static int in_core(const uint64_t *index, const uint64_t *low, const uint64_t *high, size_t rank) {
  for (size_t d = 0; d < rank; d++)
    if (index[d] < low[d] || index[d] > high[d])
      return 0;
  return 1;
}

/* Removes layers of chunks from the core while they contain one that others touch. */
static void shrink_core(const unsigned char *is_shared, const uint64_t *low, const uint64_t *size,
                        size_t rank, uint64_t *core_low, uint64_t *core_high, int *empty) {
  uint64_t index[MAX_RANK], total = 1;
  *empty = 0;
  for (size_t d = 0; d < rank; d++) {
    core_low[d] = low[d];
    core_high[d] = low[d] + size[d] - 1;
    total *= size[d];
  }
  for (;;) {
    /* a shared chunk inside: cut along the dimension and side where least is lost */
    uint64_t n;
    int found = 0;
    for (n = 0; n < total && !found; n++) {
      uint64_t rest = n;
      if (!is_shared[n])
        continue;
      for (size_t d = rank; d-- > 0;) {
        index[d] = low[d] + rest % size[d];
        rest /= size[d];
      }
      found = in_core(index, core_low, core_high, rank);
    }
    if (!found)
      return;
    size_t best = 0;
    int at_end = 0;
    double kept = -1;
    for (size_t d = 0; d < rank; d++) {
      double extent = (double)(core_high[d] - core_low[d] + 1);
      double after = (double)(core_high[d] - index[d]) / extent;
      double before = (double)(index[d] - core_low[d]) / extent;
      if (after > kept)
        kept = after, best = d, at_end = 0;
      if (before > kept)
        kept = before, best = d, at_end = 1;
    }
    if (kept <= 0) {
      *empty = 1;
      return;
    }
    if (at_end)
      core_high[best] = index[best] - 1;
    else
      core_low[best] = index[best] + 1;
  }
}

/* Divides this rank's box into the core, further chunks of its own, and shared ones. */
static zarrc_status make_plan(call *c) {
  uint64_t counts[MAX_RANK], low[MAX_RANK], size[MAX_RANK], core_low[MAX_RANK], core_high[MAX_RANK];
  uint64_t index[MAX_RANK], total = 1;
  const team *team = c->team;
  part *near = NULL, *touching = NULL;
  unsigned char *is_shared = NULL;
  size_t near_count = 0;
  int core_empty = 0;
  zarrc_status status;

  c->core = c->mine;
  if (is_empty(&c->mine, c->rank))
    return ZARRC_OK;
  status = zarrc_array_chunk_counts(c->array->array, c->rank, counts, &c->local);
  for (size_t d = 0; status == ZARRC_OK && d < c->rank; d++) {
    uint64_t last;
    status = chunk_at(c, counts, d, c->mine.start[d], &low[d]);
    if (status == ZARRC_OK)
      status = chunk_at(c, counts, d, c->mine.start[d] + c->mine.count[d] - 1, &last);
    if (status == ZARRC_OK)
      size[d] = last - low[d] + 1;
    if (status == ZARRC_OK && size[d] > SIZE_MAX / total)
      status = zmpi_fail(&c->local, ZARRC_LIMIT_EXCEEDED, "array %s: the number of chunks overflows 64 bits",
                        c->array->path);
    total *= size[d];
  }
  if (status != ZARRC_OK)
    return status;

  /* the ranks whose boxes touch chunks that this rank's box touches */
  box around = {.none = 0};
  for (size_t d = 0; d < c->rank; d++) {
    uint64_t start[MAX_RANK], count[MAX_RANK];
    memset(index, 0, sizeof index);
    index[d] = low[d];
    status = zarrc_array_chunk_bounds(c->array->array, c->rank, index, start, count, &c->local);
    if (status != ZARRC_OK)
      return status;
    around.start[d] = start[d];
    index[d] = low[d] + size[d] - 1;
    status = zarrc_array_chunk_bounds(c->array->array, c->rank, index, start, count, &c->local);
    if (status != ZARRC_OK)
      return status;
    around.count[d] = start[d] + count[d] - around.start[d];
  }
  near = malloc((size_t)team->size * sizeof *near);
  touching = malloc((size_t)team->size * sizeof *touching);
  if (!near || !touching) {
    status = zmpi_fail(&c->local, ZARRC_OUT_OF_MEMORY, "out of memory");
    goto done;
  }
  for (int r = 0; r < team->size; r++) {
    int relevant = c->writes || team->node_of[r] == team->node_of[team->rank];
    if (relevant && overlaps(&around, &c->boxes[r], c->rank)) {
      near[near_count].rank = r;
      near[near_count++].box = c->boxes[r];
    }
  }
  if (near_count <= 1)
    goto done; /* this rank alone touches all of it */

  is_shared = calloc((size_t)total, 1);
  if (!is_shared) {
    status = zmpi_fail(&c->local, ZARRC_OUT_OF_MEMORY, "out of memory");
    goto done;
  }
  for (uint64_t n = 0; n < total; n++) {
    uint64_t rest = n, turn = 0;
    box bounds = {.none = 0};
    size_t count = 0;
    for (size_t d = c->rank; d-- > 0;) {
      index[d] = low[d] + rest % size[d];
      rest /= size[d];
    }
    for (size_t d = 0; d < c->rank; d++)
      turn = turn * counts[d] + index[d]; /* may wrap: it only spreads the chunks */
    status = zarrc_array_chunk_bounds(c->array->array, c->rank, index, bounds.start, bounds.count,
                                      &c->local);
    if (status != ZARRC_OK)
      goto done;
    for (size_t i = 0; i < near_count; i++)
      if (intersect(&bounds, &near[i].box, c->rank, &touching[count].box))
        touching[count++].rank = near[i].rank;
    if (count > 1) {
      is_shared[n] = 1;
      status = add_shared(c, touching, count, turn);
      if (status != ZARRC_OK)
        goto done;
    }
  }
  if (c->shared_count == 0)
    goto done;

  shrink_core(is_shared, low, size, c->rank, core_low, core_high, &core_empty);
  c->core.none = core_empty;
  for (uint64_t n = 0; n < total; n++) {
    uint64_t rest = n;
    box bounds = {.none = 0};
    for (size_t d = c->rank; d-- > 0;) {
      index[d] = low[d] + rest % size[d];
      rest /= size[d];
    }
    int inside = !core_empty && in_core(index, core_low, core_high, c->rank);
    int corner = inside;
    for (size_t d = 0; corner && d < c->rank; d++)
      corner = index[d] == core_low[d];
    if (is_shared[n] || (inside && !corner))
      continue;
    status = zarrc_array_chunk_bounds(c->array->array, c->rank, index, bounds.start, bounds.count,
                                      &c->local);
    if (status != ZARRC_OK)
      goto done;
    if (corner) { /* from its first chunk to the last chunk of the core */
      uint64_t start[MAX_RANK], count[MAX_RANK];
      status =
          zarrc_array_chunk_bounds(c->array->array, c->rank, core_high, start, count, &c->local);
      if (status != ZARRC_OK)
        goto done;
      for (size_t d = 0; d < c->rank; d++)
        bounds.count[d] = start[d] + count[d] - bounds.start[d];
      intersect(&bounds, &c->mine, c->rank, &c->core);
      continue;
    }
    box *list = grow(c->alone, c->alone_count, &c->alone_room, sizeof *list);
    if (!list) {
      status = zmpi_fail(&c->local, ZARRC_OUT_OF_MEMORY, "out of memory");
      goto done;
    }
    c->alone = list;
    intersect(&bounds, &c->mine, c->rank, &list[c->alone_count++]);
  }
done:
  free(is_shared);
  free(near);
  free(touching);
  return status;
}

/* ---- moving -------------------------------------------------------------------------------- */

static void keep_first(call *c, const zarrc_error *error) {
  if (c->local.status == ZARRC_OK && error->status != ZARRC_OK)
    c->local = *error;
}

/* Reads or writes a box between the store and memory that holds `frame`. */
static void transfer(call *c, const box *b, const box *frame, unsigned char *memory) {
  int64_t strides[MAX_RANK];
  zarrc_error error = {0};
  memory += place(frame, b, c->rank, c->element, strides);
  if (c->writes)
    error.status = zarrc_array_write_strided(c->array->array, b->start, NULL, b->count, c->type,
                                             memory, strides, &error);
  else
    error.status = zarrc_array_read_strided(c->array->array, b->start, NULL, b->count, c->type,
                                            memory, strides, &error);
  keep_first(c, &error);
}

/* Begins to send or receive `b` of memory that holds `frame`. After an error of MPI the message is
 * not under way. */
static int begin(call *c, message *m, int send, int peer, const box *b, const box *frame,
                 unsigned char *memory, slot *slot) {
  int64_t strides[MAX_RANK];
  zarrc_error error = {0};
  m->slot = slot;
  m->request = MPI_REQUEST_NULL;
  if (part_type(c, frame, b, &m->type) != ZARRC_OK) {
    zmpi_fail(&error, ZARRC_IO, "MPI cannot describe a part of a chunk");
    keep_first(c, &error);
    return 0;
  }
  memory += place(frame, b, c->rank, c->element, strides);
  int code = send ? MPI_Issend(memory, 1, m->type, peer, PART_TAG, c->team->comm, &m->request)
                  : MPI_Irecv(memory, 1, m->type, peer, PART_TAG, c->team->comm, &m->request);
  if (zmpi_check(code, send ? "MPI_Issend" : "MPI_Irecv", &error) != ZARRC_OK)
    keep_first(c, &error);
  return code == MPI_SUCCESS;
}

/* The next shared chunk from `*at` on that this rank leads (or does not lead). */
static int next_chunk(const call *c, size_t *at, int leads) {
  while (*at < c->shared_count && (c->shared[*at].leader == c->team->rank) != leads)
    ++*at;
  return *at < c->shared_count;
}

/* Fills a slot that has been given a chunk, or empties it: what the leader does before (read) or
 * after (write) the parts travel. */
static void store_slot(call *c, slot *s) {
  const shared_chunk *chunk = &c->shared[s->chunk];
  if (!c->writes || chunk->exact) {
    transfer(c, &chunk->bounds, &chunk->bounds, s->memory);
    return;
  }
  /* gaps between the parts keep the values in the store */
  for (size_t i = 0; i < chunk->parts; i++)
    transfer(c, &c->parts[chunk->first_part + i].box, &chunk->bounds, s->memory);
}

/* Exchanges the parts of shared chunks, and stores or fetches those chunks. After an error
 * everything is still sent and received, so that no rank waits for another. */
static void exchange(call *c, slot *slots, message *messages) {
  size_t lead_at = 0, follow_at = 0, active = 0;
  MPI_Request requests[2 * IN_FLIGHT];
  MPI_Status statuses[2 * IN_FLIGHT];
  int done[2 * IN_FLIGHT];
  const int room = 2 * IN_FLIGHT;
  size_t followed = 0, led = 0; /* messages under way of either kind */

  for (int i = 0; i < room; i++) {
    messages[i].request = MPI_REQUEST_NULL;
    messages[i].type = MPI_DATATYPE_NULL;
  }
  for (;;) {
    int free_message = 0;
    /* my parts of chunks that others lead */
    while (followed < IN_FLIGHT && next_chunk(c, &follow_at, 0)) {
      const shared_chunk *chunk = &c->shared[follow_at++];
      box b;
      while (messages[free_message].type != MPI_DATATYPE_NULL)
        free_message++;
      intersect(&chunk->bounds, &c->mine, c->rank, &b);
      if (begin(c, &messages[free_message], c->writes, chunk->leader, &b, &c->mine, c->data, NULL))
        followed++, active++;
    }
    /* chunks that I lead, as long as there are slots for them */
    for (int i = 0; i < SLOTS; i++) {
      slot *s = &slots[i];
      if (!s->busy && next_chunk(c, &lead_at, 1)) {
        s->chunk = lead_at++;
        s->busy = 1;
        s->next_part = s->pending = 0;
        if (!c->writes)
          store_slot(c, s);
      }
    }
    /* their parts, the lower chunk first */
    for (int i = 0; i < SLOTS; i++) {
      slot *s = &slots[i];
      for (int k = 0; k < SLOTS; k++) /* the busy slot with the lowest chunk that lacks parts */
        if (slots[k].busy && slots[k].next_part < c->shared[slots[k].chunk].parts &&
            (!s->busy || s->next_part == c->shared[s->chunk].parts || slots[k].chunk < s->chunk))
          s = &slots[k];
      if (!s->busy)
        break;
      const shared_chunk *chunk = &c->shared[s->chunk];
      while (s->next_part < chunk->parts && led < IN_FLIGHT) {
        const part *p = &c->parts[chunk->first_part + s->next_part++];
        if (p->rank == c->team->rank) {
          if (c->writes)
            copy_box(c, &p->box, &c->mine, c->data, &chunk->bounds, s->memory);
          else
            copy_box(c, &p->box, &chunk->bounds, s->memory, &c->mine, c->data);
          continue;
        }
        while (messages[free_message].type != MPI_DATATYPE_NULL)
          free_message++;
        if (begin(c, &messages[free_message], !c->writes, p->rank, &p->box, &chunk->bounds,
                  s->memory, s)) {
          s->pending++;
          led++, active++;
        }
      }
      if (s->next_part < chunk->parts)
        break;
    }
    /* chunks whose parts have all travelled */
    int freed = 0;
    for (int i = 0; i < SLOTS; i++) {
      slot *s = &slots[i];
      if (s->busy && s->pending == 0 && s->next_part == c->shared[s->chunk].parts) {
        if (c->writes)
          store_slot(c, s);
        s->busy = 0;
        freed = 1;
      }
    }
    if (freed)
      continue; /* begin what waits for the slot first */
    if (active == 0)
      return;
    int finished = 0;
    for (int i = 0; i < room; i++)
      requests[i] = messages[i].request;
    zarrc_error error = {0};
    if (zmpi_check(MPI_Waitsome(room, requests, &finished, done, statuses),
                  "MPI_Waitsome", &error) != ZARRC_OK) {
      keep_first(c, &error);
      return; /* MPI itself has failed: nothing more can be exchanged */
    }
    for (int i = 0; i < room; i++)
      messages[i].request = requests[i];
    for (int i = 0; i < finished; i++) {
      message *m = &messages[done[i]];
      if (m->slot)
        m->slot->pending--, led--;
      else
        followed--;
      active--;
      MPI_Type_free(&m->type);
    }
  }
}

/* ---- the calls ----------------------------------------------------------------------------- */

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
  c->mine.none = is_empty(&c->mine, c->rank) || (c->rank == 0 && !c->data);
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
  int has = !is_empty(&c->mine, c->rank);
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
  if (status == ZARRC_OK && c->writes && largest && largest - 1 != UINT32_MAX - smallest)
    status = zmpi_fail(err, ZARRC_INVALID_ARGUMENT,
                      "array %s: memory_type must be the same on all ranks that write",
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
  slot slots[SLOTS] = {{0}};
  message *messages = NULL;
  uint64_t shared;
  zarrc_status status = share_boxes(c, err);
  if (status == ZARRC_OK) {
    make_plan(c);
    for (int i = 0; c->local.status == ZARRC_OK && c->slot_bytes > 0 && i < SLOTS; i++) {
      slots[i].memory = malloc(c->slot_bytes);
      if (!slots[i].memory)
        zmpi_fail(&c->local, ZARRC_OUT_OF_MEMORY,
                 "array %s: no memory for a chunk of %zu bytes that several ranks touch",
                 c->array->path, c->slot_bytes);
    }
    messages = calloc(2 * IN_FLIGHT, sizeof *messages);
    if (!messages)
      zmpi_fail(&c->local, ZARRC_OUT_OF_MEMORY, "out of memory");
    shared = c->shared_count;
    status = zmpi_agree(c->team, &c->local, &shared, err);
  }
  if (status == ZARRC_OK) {
    /* the exchange first: other ranks wait for it, none for what this rank does alone */
    if (shared > 0)
      exchange(c, slots, messages);
    if (!is_empty(&c->core, c->rank))
      transfer(c, &c->core, &c->mine, c->data);
    for (size_t i = 0; i < c->alone_count; i++)
      transfer(c, &c->alone[i], &c->mine, c->data);
    status = zmpi_agree(c->team, &c->local, NULL, err);
  }
  free(messages);
  for (int i = 0; i < SLOTS; i++)
    free(slots[i].memory);
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
