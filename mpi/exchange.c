/* Collective reads and writes.
 *
 * Every rank learns every rank's box. From these each works out, for the chunks that its own box
 * touches and without further messages, which ranks touch them and which of those leads:
 *
 *        rank 0      rank 1            chunks a, d: one rank each, done by it alone
 *     +-------+  .               b: ranks 0 and 1: the leader puts it together
 *     | a  | b|..|  c  | d |     (write), or fetches it for both (read)
 *
 * Leaders take their chunks in ascending order and have memory for a few of them (slots). Senders
 * send in ascending order too, a bounded number of messages at a time, and a send is complete only
 * when it is being received. So the leader of the lowest unfinished chunk always finds its parts on the
 * way, and no deadlock can occur.
 *
 * A chunk is stored or fetched by a request on the library's threads, while this thread receives or
 * sends the parts of other chunks.
 */
#define _POSIX_C_SOURCE 199309L /* nanosleep */
#include "call.h"

#include <stdlib.h>
#include <time.h>


enum {
  MIN_SLOTS = 2,     /* chunks that a leader holds: one fills while the other is written or sent */
  MAX_SLOTS = 8,
  IN_FLIGHT = 64,    /* messages of one rank under way in one direction */
  MESSAGES = 2 * IN_FLIGHT,
  PART_TAG = 1,
};
/* Beyond the first two slots, a leader takes no more memory than this (bytes). */
static const size_t SLOT_MEMORY = 64 << 20;

typedef enum state {
  UNUSED,
  FETCHING,  /* read: the request runs */
  MOVING,    /* parts are received (write) or sent (read) */
  STORING,   /* write: the request runs */
} state;

typedef struct slot {
  unsigned char *memory;
  state state;
  size_t chunk;      /* index into call.shared */
  size_t next_part;  /* messages begun */
  size_t pending;    /* messages under way */
  zarrc_request *request;
} slot;

typedef struct message {
  MPI_Request request;
  MPI_Datatype type;
  slot *slot; /* NULL: to or from the caller's memory */
} message;

struct exchange {
  slot slots[MAX_SLOTS];
  int slot_count;
  message messages[MESSAGES];
  size_t followed, led; /* messages under way: with leaders, and as a leader */
  size_t follow_at, lead_at; /* the next shared chunk of either kind */
};

exchange *zmpi_exchange_new(const call *c) {
  exchange *e = calloc(1, sizeof *e);
  if (!e)
    return NULL;
  for (int i = 0; i < MESSAGES; i++) {
    e->messages[i].request = MPI_REQUEST_NULL;
    e->messages[i].type = MPI_DATATYPE_NULL;
  }
  size_t led = 0;
  for (size_t i = 0; i < c->shared_count; i++)
    led += c->shared[i].leader == c->team->rank;
  while (e->slot_count < MAX_SLOTS && (size_t)e->slot_count < led) {
    int n = e->slot_count;
    if (n >= MIN_SLOTS && ((size_t)n + 1) * c->slot_bytes > SLOT_MEMORY)
      break;
    e->slots[n].memory = malloc(c->slot_bytes);
    if (!e->slots[n].memory) {
      if (n >= MIN_SLOTS)
        break; /* fewer will do */
      zmpi_exchange_free(e);
      return NULL;
    }
    e->slot_count++;
  }
  return e;
}

void zmpi_exchange_free(exchange *e) {
  if (!e)
    return;
  for (int i = 0; i < e->slot_count; i++)
    free(e->slots[i].memory);
  free(e);
}

/* ---- the store ----------------------------------------------------------------------------- */

void zmpi_keep_first(call *c, const zarrc_error *error) {
  if (c->local.status == ZARRC_OK && error->status != ZARRC_OK)
    c->local = *error;
}

void zmpi_transfer(call *c, const box *b, const box *frame, unsigned char *memory) {
  int64_t strides[MAX_RANK];
  zarrc_error error = {0};
  memory += zmpi_place(frame, b, c->rank, c->element, strides);
  if (c->writes)
    error.status = zarrc_array_write_strided(c->array->array, b->start, NULL, b->count, c->type,
                                             memory, strides, &error);
  else
    error.status = zarrc_array_read_strided(c->array->array, b->start, NULL, b->count, c->type,
                                            memory, strides, &error);
  zmpi_keep_first(c, &error);
}

zarrc_request *zmpi_transfer_start(call *c, const box *b, const box *frame,
                                   unsigned char *memory) {
  int64_t strides[MAX_RANK];
  zarrc_error error = {0};
  zarrc_selection *what = NULL;
  zarrc_request *request = NULL;
  zarrc_array *array = c->array->array;
  size_t offset = zmpi_place(frame, b, c->rank, c->element, strides);
  size_t span = c->element;
  for (size_t d = 0; d < c->rank; d++)
    span += (size_t)(b->count[d] - 1) * (size_t)strides[d];
  zarrc_status status = zarrc_selection_new(array, &what, &error);
  for (size_t d = 0; status == ZARRC_OK && d < c->rank; d++)
    status = zarrc_selection_set_range(what, d, b->start[d], 1, b->count[d], &error);
  if (status == ZARRC_OK && c->writes)
    status = zarrc_array_write_selection_start(array, what, c->type, memory + offset, strides, span,
                                               &request, &error);
  else if (status == ZARRC_OK)
    status = zarrc_array_read_selection_start(array, what, c->type, memory + offset, strides, span,
                                              &request, &error);
  zarrc_selection_free(what);
  if (status == ZARRC_OK)
    return request;
  /* such as a full queue: the waiting call does without it, or says what is wrong */
  zmpi_transfer(c, b, frame, memory);
  return NULL;
}

void zmpi_transfer_finish(call *c, zarrc_request *request) {
  zarrc_error error = {0};
  if (!request)
    return;
  error.status = zarrc_request_wait(request, &error);
  zarrc_request_free(request);
  zmpi_keep_first(c, &error);
}

/* Starts to store a full slot, or to fetch its chunk. */
static void slot_start(call *c, slot *s) {
  const shared_chunk *chunk = &c->shared[s->chunk];
  s->state = c->writes ? STORING : FETCHING;
  if (!c->writes || chunk->exact) {
    s->request = zmpi_transfer_start(c, &chunk->bounds, &chunk->bounds, s->memory);
    return;
  }
  /* gaps between the parts keep the values in the store */
  for (size_t i = 0; i < chunk->parts; i++)
    zmpi_transfer(c, &c->parts[chunk->first_part + i].box, &chunk->bounds, s->memory);
}

/* Whether a slot's request is done; it is freed then. */
static int slot_done(call *c, slot *s) {
  zarrc_error error = {0};
  bool done = false;
  if (!s->request)
    return 1;
  if (zarrc_request_test(s->request, &done, &error) == ZARRC_OK && !done)
    return 0;
  zmpi_transfer_finish(c, s->request);
  s->request = NULL;
  return 1;
}

/* ---- messages ------------------------------------------------------------------------------ */

/* Begins to send or receive `b` of memory that holds `frame`. After an error of MPI the message is
 * not under way. */
static int begin(call *c, exchange *e, int send, int peer, const box *b, const box *frame,
                 unsigned char *memory, slot *slot) {
  int64_t strides[MAX_RANK];
  zarrc_error error = {0};
  message *m = e->messages;
  while (m->type != MPI_DATATYPE_NULL) /* there are as many as may be under way */
    m++;
  m->slot = slot;
  if (zmpi_part_type(c, frame, b, &m->type) != ZARRC_OK) {
    zmpi_fail(&error, ZARRC_IO, "MPI cannot describe a part of a chunk");
    zmpi_keep_first(c, &error);
    return 0;
  }
  memory += zmpi_place(frame, b, c->rank, c->element, strides);
  int code = send ? MPI_Issend(memory, 1, m->type, peer, PART_TAG, c->team->comm, &m->request)
                  : MPI_Irecv(memory, 1, m->type, peer, PART_TAG, c->team->comm, &m->request);
  if (zmpi_check(code, send ? "MPI_Issend" : "MPI_Irecv", &error) == ZARRC_OK)
    return 1;
  zmpi_keep_first(c, &error);
  MPI_Type_free(&m->type);
  return 0;
}

/* The next shared chunk from `*at` on that this rank leads (or does not lead). */
static int next_chunk(const call *c, size_t *at, int leads) {
  while (*at < c->shared_count && (c->shared[*at].leader == c->team->rank) != leads)
    ++*at;
  return *at < c->shared_count;
}

/* Sends to leaders, or asks them for, this rank's parts of their chunks. */
static void follow(call *c, exchange *e) {
  while (e->followed < IN_FLIGHT && next_chunk(c, &e->follow_at, 0)) {
    const shared_chunk *chunk = &c->shared[e->follow_at++];
    box b;
    zmpi_intersect(&chunk->bounds, &c->mine, c->rank, &b);
    e->followed += (size_t)begin(c, e, c->writes, chunk->leader, &b, &c->mine, c->data, NULL);
  }
}

/* The slot with the lowest chunk whose parts are not all under way. */
static slot *lowest_lacking(const call *c, exchange *e) {
  slot *lowest = NULL;
  for (int i = 0; i < e->slot_count; i++) {
    slot *s = &e->slots[i];
    if ((s->state == FETCHING || s->state == MOVING) &&
        s->next_part < c->shared[s->chunk].parts && (!lowest || s->chunk < lowest->chunk))
      lowest = s;
  }
  return lowest;
}

/* Gives free slots the next chunks that this rank leads, and begins their messages, the lowest
 * chunk first: two ranks match theirs in this order. */
static void lead(call *c, exchange *e) {
  slot *s;
  for (int i = 0; i < e->slot_count; i++) {
    s = &e->slots[i];
    if (s->state != UNUSED || !next_chunk(c, &e->lead_at, 1))
      continue;
    s->chunk = e->lead_at++;
    s->next_part = s->pending = 0;
    s->state = MOVING;
    if (!c->writes)
      slot_start(c, s);
  }
  while ((s = lowest_lacking(c, e)) && s->state == MOVING) {
    const shared_chunk *chunk = &c->shared[s->chunk];
    const part *p = &c->parts[chunk->first_part + s->next_part];
    if (p->rank != c->team->rank && e->led == IN_FLIGHT)
      return;
    s->next_part++;
    if (p->rank != c->team->rank) {
      size_t begun =
          (size_t)begin(c, e, !c->writes, p->rank, &p->box, &chunk->bounds, s->memory, s);
      s->pending += begun;
      e->led += begun;
    } else if (c->writes) {
      zmpi_copy_box(c, &p->box, &c->mine, c->data, &chunk->bounds, s->memory);
    } else {
      zmpi_copy_box(c, &p->box, &chunk->bounds, s->memory, &c->mine, c->data);
    }
  }
}

/* Takes slots to their next state. Whether one of them went on. */
static int advance(call *c, exchange *e) {
  int advanced = 0;
  for (int i = 0; i < e->slot_count; i++) {
    slot *s = &e->slots[i];
    if (s->state == MOVING && s->pending == 0 && s->next_part == c->shared[s->chunk].parts) {
      if (c->writes)
        slot_start(c, s);
      else
        s->state = UNUSED;
      advanced = 1;
    }
    if ((s->state == STORING || s->state == FETCHING) && slot_done(c, s)) {
      s->state = s->state == STORING ? UNUSED : MOVING;
      advanced = 1;
    }
  }
  return advanced;
}

/* Waits until a message has arrived or a request is done. 0: MPI itself has failed. */
static int await(call *c, exchange *e) {
  zarrc_request *running[MAX_SLOTS];
  MPI_Request requests[MESSAGES];
  MPI_Status statuses[MESSAGES];
  int done[MESSAGES], finished = 0;
  size_t count = 0;
  zarrc_error error = {0};
  for (int i = 0; i < e->slot_count; i++)
    if (e->slots[i].request)
      running[count++] = e->slots[i].request;
  if (e->followed + e->led == 0) {
    size_t first;
    error.status = zarrc_request_wait_any(running, count, &first, &error);
    zmpi_keep_first(c, &error);
    return 1;
  }
  for (int i = 0; i < MESSAGES; i++)
    requests[i] = e->messages[i].request;
  /* with requests running, MPI must not spin on the core that they need */
  for (long pause = 10000;; pause = pause < 500000 ? 2 * pause : pause) {
    int code = count ? MPI_Testsome(MESSAGES, requests, &finished, done, statuses)
                     : MPI_Waitsome(MESSAGES, requests, &finished, done, statuses);
    if (zmpi_check(code, "MPI_Waitsome", &error) != ZARRC_OK) {
      zmpi_keep_first(c, &error);
      return 0; /* nothing more can be exchanged */
    }
    bool any = finished > 0;
    for (size_t i = 0; i < count && !any; i++)
      if (zarrc_request_test(running[i], &any, NULL) != ZARRC_OK)
        any = true; /* waiting for it says what is wrong */
    if (any)
      break;
    nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
  }
  for (int i = 0; i < MESSAGES; i++)
    e->messages[i].request = requests[i];
  for (int i = 0; i < finished; i++) {
    message *m = &e->messages[done[i]];
    if (m->slot)
      m->slot->pending--, e->led--;
    else
      e->followed--;
    MPI_Type_free(&m->type);
  }
  return 1;
}

void zmpi_exchange(call *c, exchange *e) {
  for (;;) {
    follow(c, e);
    lead(c, e);
    if (advance(c, e))
      continue; /* begin what waits for the slot first */
    int running = 0;
    for (int i = 0; i < e->slot_count; i++)
      running |= e->slots[i].request != NULL;
    if (!running && e->followed + e->led == 0)
      return;
    if (!await(c, e))
      break;
  }
  for (int i = 0; i < e->slot_count; i++) /* their memory is about to be freed */
    zmpi_transfer_finish(c, e->slots[i].request);
}
