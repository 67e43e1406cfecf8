/* Collective reads and writes of selections.
 *
 * Each rank numbers the elements that it selects. A chunk has a registrar, found from its number
 * alone, which learns from all ranks who touches the chunk and appoints one of them its leader.
 * Unless every rank leads all chunks that it touches, elements then travel to the leaders in
 * rounds of ascending chunks: a chunk's elements all travel in one round, so a chunk is written, or
 * fetched and decoded, once. While the library's threads store or fetch the chunks of one round, the
 * elements of the next one travel.
 */
#include "internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Elements that a rank sends in one round, unless one chunk has more of them. */
enum { ROUND = 1 << 18, MAX_RANK = 32 };

typedef struct element {
  uint64_t chunk;    /* in C order of the grid */
  uint64_t number;   /* in C order of the array */
  uint64_t position; /* in C order of the result */
} element;

/* A chunk that this rank touches. */
typedef struct touched {
  uint64_t chunk;
  size_t first, count; /* of its elements */
  int leader;
} touched;

/* Elements of one round. `counts` and `starts` have a number for each rank. */
typedef struct batch {
  int *counts, *starts;
  int total;
  uint64_t *numbers;
  unsigned char *values;
} batch;

typedef struct round {
  batch mine;           /* this rank's elements, by leader */
  uint64_t *positions;  /* of these, in the result */
  batch led;            /* the elements that this rank leads, by rank */
  zarrc_request *request;
} round;

typedef struct scatter {
  zarrc_mpi_array *array;
  const team *team;
  size_t rank, size; /* dimensions, bytes of an element */
  zarrc_data_type type;
  unsigned char *data; /* only read from by a write */
  int writes;
  uint64_t shape[MAX_RANK], chunks[MAX_RANK];
  element *elements;
  size_t element_count;
  touched *touched;
  size_t touched_count;
  zarrc_error local;
} scatter;

static void keep(scatter *s, const zarrc_error *error) {
  if (s->local.status == ZARRC_OK && error->status != ZARRC_OK)
    s->local = *error;
}

static void *allocate(scatter *s, size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory)
    zmpi_fail(&s->local, ZARRC_OUT_OF_MEMORY, "array %s: no memory for %zu times %zu bytes",
              s->array->path, count, size);
  return memory;
}

/* ---- elements and chunks ------------------------------------------------------------------- */

/* The chunk along one dimension that was looked up last. */
typedef struct found {
  uint64_t number, start, end;
} found;

static zarrc_status chunk_bounds(scatter *s, size_t d, uint64_t number, found *out) {
  uint64_t index[MAX_RANK] = {0}, start[MAX_RANK], count[MAX_RANK];
  index[d] = number;
  zarrc_status status =
      zarrc_array_chunk_bounds(s->array->array, s->rank, index, start, count, &s->local);
  if (status == ZARRC_OK)
    *out = (found){number, start[d], start[d] + count[d]};
  return status;
}

/* Finds the chunk of index `x` of dimension `d`: most grids are regular, others are searched. */
static zarrc_status find_chunk(scatter *s, size_t d, uint64_t x, uint64_t extent, found *at) {
  if (x >= at->start && x < at->end)
    return ZARRC_OK;
  uint64_t low = 0, high = s->chunks[d] - 1;
  uint64_t guess = x / extent < high ? x / extent : high;
  for (;;) {
    if (chunk_bounds(s, d, guess, at) != ZARRC_OK)
      return s->local.status;
    if (x >= at->start && x < at->end)
      return ZARRC_OK;
    if (x < at->start)
      high = guess ? guess - 1 : 0;
    else
      low = guess + 1;
    if (low > high)
      return zmpi_fail(&s->local, ZARRC_INTERNAL, "array %s: no chunk holds index %llu",
                       s->array->path, (unsigned long long)x);
    guess = low + (high - low) / 2;
  }
}

static int by_chunk(const void *a, const void *b) {
  const element *x = a, *y = b;
  if (x->chunk != y->chunk)
    return x->chunk < y->chunk ? -1 : 1;
  return x->position < y->position ? -1 : x->position > y->position;
}

/* Lists the selected elements by chunk, within a chunk in C order of the result. */
static void list_elements(scatter *s, const zarrc_selection *selection) {
  enum { PIECE = 4096 };
  uint64_t extents[MAX_RANK];
  found at[MAX_RANK];
  int sorted = 1;
  if (zarrc_array_chunk_shape(s->array->array, s->rank, extents, &s->local) != ZARRC_OK)
    return;
  memset(at, 0, sizeof at);
  uint64_t *piece = allocate(s, PIECE * (s->rank ? s->rank : 1), sizeof *piece);
  s->elements = allocate(s, s->element_count, sizeof *s->elements);
  for (size_t first = 0; first < s->element_count && s->local.status == ZARRC_OK; first += PIECE) {
    size_t count = s->element_count - first < PIECE ? s->element_count - first : PIECE;
    if (zarrc_selection_coordinates(selection, s->rank, first, count, piece, &s->local) != ZARRC_OK)
      break;
    for (size_t i = 0; i < count; i++) {
      element *e = &s->elements[first + i];
      e->position = first + i;
      for (size_t d = 0; d < s->rank; d++) {
        uint64_t x = piece[i * s->rank + d];
        if (x >= s->shape[d]) {
          zmpi_fail(&s->local, ZARRC_OUT_OF_BOUNDS,
                    "array %s: the selection has index %llu in dimension %zu of %llu elements",
                    s->array->path, (unsigned long long)x, d, (unsigned long long)s->shape[d]);
          goto done;
        }
        if (find_chunk(s, d, x, extents[d] ? extents[d] : 1, &at[d]) != ZARRC_OK)
          goto done;
        e->chunk = e->chunk * s->chunks[d] + at[d].number;
        e->number = e->number * s->shape[d] + x;
      }
      sorted &= first + i == 0 || e->chunk >= e[-1].chunk;
    }
  }
  if (!sorted)
    qsort(s->elements, s->element_count, sizeof *s->elements, by_chunk);
  for (size_t i = 0; i < s->element_count; i++)
    s->touched_count += i == 0 || s->elements[i].chunk != s->elements[i - 1].chunk;
  s->touched = allocate(s, s->touched_count, sizeof *s->touched);
  touched *t = s->touched;
  if (s->element_count > INT_MAX)
    for (size_t i = INT_MAX; t && i < s->element_count; i++)
      if (s->elements[i].chunk == s->elements[i - INT_MAX].chunk) {
        zmpi_fail(&s->local, ZARRC_LIMIT_EXCEEDED,
                  "array %s: 2^31 elements or more are selected of one chunk", s->array->path);
        break;
      }
  for (size_t i = 0; t && i < s->element_count; i++) {
    if (i == 0 || s->elements[i].chunk != s->elements[i - 1].chunk)
      *t++ = (touched){.chunk = s->elements[i].chunk, .first = i};
    t[-1].count++;
  }
done:
  free(piece);
}

/* ---- leaders ------------------------------------------------------------------------------- */

/* What a registrar knows: one line for each rank that touches a chunk. */
typedef struct line {
  uint64_t chunk, count;
  int node, rank;
  size_t reply; /* where the answer goes */
} line;

static int by_line(const void *a, const void *b) {
  const line *x = a, *y = b;
  if (x->chunk != y->chunk)
    return x->chunk < y->chunk ? -1 : 1;
  if (x->node != y->node)
    return x->node < y->node ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Appoints the leader of a chunk among the `count` lines about it: a rank of the node that has most
 * of it, in turn. */
static int appoint(const line *lines, size_t count) {
  size_t best = 0, best_count = 0;
  uint64_t most = 0;
  for (size_t i = 0, next; i < count; i = next) {
    uint64_t here = 0;
    for (next = i; next < count && lines[next].node == lines[i].node; next++)
      here += lines[next].count;
    if (here > most)
      most = here, best = i, best_count = next - i;
  }
  return lines[best + (best_count ? lines[0].chunk % best_count : 0)].rank;
}

static void sum_up(int ranks, const int *counts, int *starts) {
  for (int r = 0, sum = 0; r < ranks; sum += counts[r++])
    starts[r] = sum;
}

/* The answers to the lines that came from all ranks: leaders, in the order of the lines. */
static uint64_t *answer(scatter *s, const uint64_t *asked, const int *counts, size_t total) {
  line *lines = allocate(s, total, sizeof *lines);
  uint64_t *answers = allocate(s, total, sizeof *answers);
  size_t n = 0;
  for (int r = 0; lines && r < s->team->size; r++)
    for (int k = 0; k < counts[r] / 2; k++, n++)
      lines[n] = (line){asked[2 * n], asked[2 * n + 1], s->team->node_of[r], r, n};
  if (lines && answers) {
    qsort(lines, total, sizeof *lines, by_line);
    for (size_t i = 0, next; i < total; i = next) {
      for (next = i + 1; next < total && lines[next].chunk == lines[i].chunk &&
                         (s->writes || lines[next].node == lines[i].node);)
        next++;
      int leader = appoint(&lines[i], next - i);
      for (size_t k = i; k < next; k++)
        answers[lines[k].reply] = (uint64_t)leader;
    }
  }
  free(lines);
  return answers;
}

/* Learns the leader of each chunk that this rank touches, from the chunk's registrar. `*remote`
 * becomes whether any rank does not lead a chunk that it touches. */
static zarrc_status find_leaders(scatter *s, uint64_t *remote, zarrc_error *err) {
  const team *team = s->team;
  size_t ranks = (size_t)team->size, total = 0;
  int *counts = allocate(s, 6 * ranks, sizeof *counts);
  uint64_t *asking = allocate(s, 2 * s->touched_count, sizeof *asking);
  uint64_t *asked = NULL, *answers = NULL;
  if (s->touched_count > INT_MAX / 2)
    zmpi_fail(&s->local, ZARRC_LIMIT_EXCEEDED, "array %s: the selection touches %zu chunks",
              s->array->path, s->touched_count);
  zarrc_status status = zmpi_agree(team, &s->local, NULL, err);
  if (status != ZARRC_OK)
    goto done;
  int *out = counts, *out_at = out + ranks, *in = out_at + ranks, *in_at = in + ranks;
  int *next = in_at + ranks;
  for (size_t i = 0; i < s->touched_count; i++)
    out[s->touched[i].chunk % ranks] += 2;
  sum_up(team->size, out, out_at);
  memcpy(next, out_at, ranks * sizeof *next);
  for (size_t i = 0; i < s->touched_count; i++) {
    int *at = &next[s->touched[i].chunk % ranks];
    asking[*at] = s->touched[i].chunk;
    asking[*at + 1] = s->touched[i].count;
    *at += 2;
  }
  status = zmpi_check(MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, team->comm), "MPI_Alltoall",
                      err);
  if (status != ZARRC_OK)
    goto done;
  for (size_t r = 0; r < ranks; r++)
    total += (size_t)in[r];
  if (total > INT_MAX)
    zmpi_fail(&s->local, ZARRC_LIMIT_EXCEEDED, "array %s: the selections touch too many chunks",
              s->array->path);
  sum_up(team->size, in, in_at);
  asked = allocate(s, total, sizeof *asked);
  status = zmpi_agree(team, &s->local, NULL, err);
  if (status == ZARRC_OK)
    status = zmpi_check(MPI_Alltoallv(asking, out, out_at, MPI_UINT64_T, asked, in, in_at,
                                      MPI_UINT64_T, team->comm),
                        "MPI_Alltoallv", err);
  if (status != ZARRC_OK)
    goto done;
  answers = answer(s, asked, in, total / 2);
  status = zmpi_agree(team, &s->local, NULL, err);
  if (status != ZARRC_OK)
    goto done;
  for (size_t r = 0; r < ranks; r++)
    out[r] /= 2, out_at[r] /= 2, in[r] /= 2, in_at[r] /= 2;
  status = zmpi_check(MPI_Alltoallv(answers, in, in_at, MPI_UINT64_T, asking, out, out_at,
                                    MPI_UINT64_T, team->comm),
                      "MPI_Alltoallv", err);
  memcpy(next, out_at, ranks * sizeof *next);
  *remote = 0;
  for (size_t i = 0; status == ZARRC_OK && i < s->touched_count; i++) {
    s->touched[i].leader = (int)asking[next[s->touched[i].chunk % ranks]++];
    *remote |= s->touched[i].leader != team->rank;
  }
  if (status == ZARRC_OK)
    status = zmpi_agree(team, &s->local, remote, err);
done:
  free(counts);
  free(asking);
  free(asked);
  free(answers);
  return status;
}

/* ---- rounds -------------------------------------------------------------------------------- */

static void batch_free(batch *b) {
  free(b->counts);
  free(b->numbers);
  free(b->values);
  memset(b, 0, sizeof *b);
}

static void round_free(round *r) {
  batch_free(&r->mine);
  batch_free(&r->led);
  free(r->positions);
  r->positions = NULL;
}

static void batch_counts(scatter *s, batch *b) {
  size_t ranks = (size_t)s->team->size;
  b->counts = allocate(s, 2 * ranks, sizeof *b->counts);
  b->starts = b->counts ? b->counts + ranks : NULL;
}

static void batch_memory(scatter *s, batch *b) {
  b->numbers = allocate(s, (size_t)b->total, sizeof *b->numbers);
  b->values = allocate(s, (size_t)b->total, s->size);
}

/* Sorts the elements of the chunks `from` to `to` by leader. */
static void fill_round(scatter *s, round *r, size_t from, size_t to) {
  size_t ranks = (size_t)s->team->size;
  int *next = allocate(s, ranks, sizeof *next);
  for (size_t t = from; t < to; t++)
    r->mine.counts[s->touched[t].leader] += (int)s->touched[t].count;
  sum_up(s->team->size, r->mine.counts, r->mine.starts);
  r->mine.total = r->mine.starts[ranks - 1] + r->mine.counts[ranks - 1];
  batch_memory(s, &r->mine);
  r->positions = allocate(s, (size_t)r->mine.total, sizeof *r->positions);
  if (s->local.status == ZARRC_OK)
    memcpy(next, r->mine.starts, ranks * sizeof *next);
  for (size_t t = from; s->local.status == ZARRC_OK && t < to; t++)
    for (size_t i = 0; i < s->touched[t].count; i++) {
      const element *e = &s->elements[s->touched[t].first + i];
      size_t n = (size_t)next[s->touched[t].leader]++;
      r->mine.numbers[n] = e->number;
      r->positions[n] = e->position;
      if (s->writes)
        memcpy(r->mine.values + n * s->size, s->data + e->position * s->size, s->size);
    }
  free(next);
}

/* Sends the elements to their leaders. */
static zarrc_status exchange_round(scatter *s, round *r, MPI_Datatype type, zarrc_error *err) {
  const team *team = s->team;
  int64_t total = 0;
  zarrc_status status = zmpi_check(
      MPI_Alltoall(r->mine.counts, 1, MPI_INT, r->led.counts, 1, MPI_INT, team->comm),
      "MPI_Alltoall", err);
  if (status != ZARRC_OK)
    return status;
  for (int k = 0; k < team->size; k++)
    total += r->led.counts[k];
  if (total > INT_MAX)
    zmpi_fail(&s->local, ZARRC_LIMIT_EXCEEDED,
              "array %s: ranks select 2^31 elements or more of the chunks of one rank",
              s->array->path);
  r->led.total = total > INT_MAX ? 0 : (int)total;
  if (s->local.status == ZARRC_OK) {
    sum_up(team->size, r->led.counts, r->led.starts);
    batch_memory(s, &r->led);
  }
  status = zmpi_agree(team, &s->local, NULL, err);
  if (status == ZARRC_OK)
    status = zmpi_check(MPI_Alltoallv(r->mine.numbers, r->mine.counts, r->mine.starts, MPI_UINT64_T,
                                      r->led.numbers, r->led.counts, r->led.starts, MPI_UINT64_T,
                                      team->comm),
                        "MPI_Alltoallv", err);
  if (status == ZARRC_OK && s->writes)
    status = zmpi_check(MPI_Alltoallv(r->mine.values, r->mine.counts, r->mine.starts, type,
                                      r->led.values, r->led.counts, r->led.starts, type,
                                      team->comm),
                        "MPI_Alltoallv", err);
  return status;
}

/* Starts to store or fetch the elements that this rank leads. Of several values for one element the
 * one of the highest rank is the last, and stays. */
static void start_round(scatter *s, round *r) {
  zarrc_error error = {0};
  zarrc_selection *points = NULL;
  zarrc_array *array = s->array->array;
  size_t count = (size_t)r->led.total, bytes = count * s->size;
  if (count == 0)
    return;
  uint64_t *coordinates = calloc(count * (s->rank ? s->rank : 1), sizeof *coordinates);
  if (!coordinates)
    zmpi_fail(&error, ZARRC_OUT_OF_MEMORY, "array %s: no memory for %zu points", s->array->path,
              count);
  for (size_t i = 0; coordinates && i < count; i++) {
    uint64_t rest = r->led.numbers[i];
    for (size_t d = s->rank; d-- > 0; rest /= s->shape[d])
      coordinates[i * s->rank + d] = rest % s->shape[d];
  }
  if (error.status == ZARRC_OK)
    error.status = zarrc_selection_new(array, &points, &error);
  if (error.status == ZARRC_OK)
    error.status = zarrc_selection_set_points(points, count, coordinates, &error);
  free(coordinates);
  if (error.status == ZARRC_OK) {
    unsigned char *values = r->led.values;
    error.status =
        s->writes ? zarrc_array_write_selection_start(array, points, s->type, values, NULL, bytes,
                                                      &r->request, &error)
                  : zarrc_array_read_selection_start(array, points, s->type, values, NULL, bytes,
                                                     &r->request, &error);
    if (error.status == ZARRC_LIMIT_EXCEEDED) /* a full queue: without it */
      error.status = s->writes ? zarrc_array_write_selection(array, points, s->type, values, NULL,
                                                             bytes, &error)
                               : zarrc_array_read_selection(array, points, s->type, values, NULL,
                                                            bytes, &error);
  }
  zarrc_selection_free(points);
  keep(s, &error);
}

/* Waits for the chunks of a round, and sends elements that were read to those who select them. */
static zarrc_status finish_round(scatter *s, round *r, MPI_Datatype type, zarrc_error *err) {
  zarrc_error error = {0};
  zarrc_status status = ZARRC_OK;
  if (r->request) {
    error.status = zarrc_request_wait(r->request, &error);
    zarrc_request_free(r->request);
    r->request = NULL;
    keep(s, &error);
  }
  if (!s->writes && r->mine.counts)
    status = zmpi_check(MPI_Alltoallv(r->led.values, r->led.counts, r->led.starts, type,
                                      r->mine.values, r->mine.counts, r->mine.starts, type,
                                      s->team->comm),
                        "MPI_Alltoallv", err);
  for (int i = 0; status == ZARRC_OK && !s->writes && i < r->mine.total; i++)
    memcpy(s->data + r->positions[i] * s->size, r->mine.values + (size_t)i * s->size, s->size);
  round_free(r);
  return status;
}

/* The first chunk of this rank that the next round leaves out: UINT64_MAX: none. */
static uint64_t round_end(const scatter *s, size_t from) {
  size_t elements = 0;
  for (size_t t = from; t < s->touched_count; t++) {
    elements += s->touched[t].count;
    if (elements > ROUND && t > from)
      return s->touched[t].chunk;
  }
  return UINT64_MAX;
}

static zarrc_status run_rounds(scatter *s, zarrc_error *err) {
  round rounds[2];
  MPI_Datatype type = MPI_DATATYPE_NULL;
  size_t from = 0;
  zarrc_status status = ZARRC_OK;
  memset(rounds, 0, sizeof rounds);
  if (MPI_Type_contiguous((int)s->size, MPI_BYTE, &type) != MPI_SUCCESS ||
      MPI_Type_commit(&type) != MPI_SUCCESS)
    zmpi_fail(&s->local, ZARRC_IO, "MPI cannot describe an element");
  for (int n = 0, last = 0; status == ZARRC_OK && !last; n++) {
    round *now = &rounds[n % 2];
    uint64_t end = round_end(s, from);
    size_t to = from;
    batch_counts(s, &now->mine);
    batch_counts(s, &now->led);
    /* an error ends the rounds on all ranks: what was written so far stays */
    uint64_t least = UINT64_MAX - end;
    status = zmpi_agree(s->team, &s->local, &least, err);
    if (status != ZARRC_OK)
      break;
    end = UINT64_MAX - least;
    last = end == UINT64_MAX;
    while (to < s->touched_count && (last || s->touched[to].chunk < end))
      to++;
    fill_round(s, now, from, to);
    from = to;
    status = exchange_round(s, now, type, err);
    if (status == ZARRC_OK)
      start_round(s, now);
    if (status == ZARRC_OK)
      status = finish_round(s, &rounds[(n + 1) % 2], type, err);
    if (status == ZARRC_OK && last)
      status = finish_round(s, now, type, err);
  }
  for (int i = 0; i < 2; i++) { /* after an error */
    zarrc_request_free(rounds[i].request);
    round_free(&rounds[i]);
  }
  if (type != MPI_DATATYPE_NULL)
    MPI_Type_free(&type);
  return status;
}

/* ---- the calls ----------------------------------------------------------------------------- */

/* The size of an element in memory (bytes); 0: it varies. */
static size_t element_size(const scatter *s) {
  size_t size = zarrc_data_type_size(s->type);
  /* ZARRC_NATIVE, or a type with parameters, which is the array's own */
  return size ? size : zarrc_array_element_size(s->array->array);
}

/* Checks this rank's arguments. An error is in s->local. */
static void check_arguments(scatter *s, const zarrc_selection *selection, size_t size) {
  const char *path = s->array->path;
  zarrc_array *array = s->array->array;
  uint64_t shape[MAX_RANK], total = 1, elements = 1;
  zarrc_selection *none = NULL;
  if (s->rank > MAX_RANK || zarrc_selection_rank(selection) > MAX_RANK) {
    zmpi_fail(&s->local, ZARRC_UNSUPPORTED, "array %s: more than %d dimensions", path, MAX_RANK);
    return;
  }
  if (element_size(s) == 0 || element_size(s) > INT_MAX) {
    zmpi_fail(&s->local, ZARRC_UNSUPPORTED,
              "array %s: elements of variable length cannot be exchanged between ranks", path);
    return;
  }
  if (zarrc_array_shape(array, s->rank, s->shape, &s->local) != ZARRC_OK ||
      zarrc_array_chunk_counts(array, s->rank, s->chunks, &s->local) != ZARRC_OK)
    return;
  for (size_t d = 0; d < s->rank; d++)
    total = s->shape[d] && total > UINT64_MAX / s->shape[d] ? UINT64_MAX : total * s->shape[d];
  if (total == UINT64_MAX) {
    zmpi_fail(&s->local, ZARRC_LIMIT_EXCEEDED, "array %s: 2^64 elements or more", path);
    return;
  }
  if (!selection)
    return;
  /* whether the types fit; a field of a struct is no element that could be sent */
  if (zarrc_selection_new(array, &none, &s->local) == ZARRC_OK &&
      zarrc_selection_set_points(none, 0, NULL, &s->local) == ZARRC_OK)
    s->local.status =
        zarrc_array_read_selection(array, none, s->type, NULL, NULL, 0, &s->local);
  zarrc_selection_free(none);
  if (s->local.status != ZARRC_OK)
    return;
  size_t rank = zarrc_selection_rank(selection);
  s->size = element_size(s);
  if (zarrc_selection_shape(selection, rank, shape, &s->local) != ZARRC_OK)
    return;
  for (size_t d = 0; d < rank; d++)
    elements = shape[d] && elements > SIZE_MAX / shape[d] ? SIZE_MAX : elements * shape[d];
  if (elements > SIZE_MAX / sizeof(element) || elements > SIZE_MAX / s->size)
    zmpi_fail(&s->local, ZARRC_LIMIT_EXCEEDED, "array %s: the selection is too large", path);
  else if (elements * s->size != size)
    zmpi_fail(&s->local, ZARRC_INVALID_ARGUMENT,
              "array %s: size is %zu bytes, the selection has %llu", path, size,
              (unsigned long long)(elements * s->size));
  else if (elements && !s->data)
    zmpi_fail(&s->local, ZARRC_INVALID_ARGUMENT, "array %s: data is NULL", path);
  else
    s->element_count = (size_t)elements;
}

static zarrc_status run(scatter *s, const zarrc_selection *selection, size_t size,
                        zarrc_error *err) {
  uint64_t remote = 0;
  check_arguments(s, selection, size);
  int has = s->element_count > 0;
  /* the largest type and the largest negative of it: equal where all are one */
  uint64_t largest = has ? (uint64_t)s->type + 1 : 0;
  uint64_t smallest = has ? UINT32_MAX - (uint64_t)s->type : 0;
  zarrc_status status = zmpi_agree(s->team, &s->local, &largest, err);
  if (status == ZARRC_OK)
    status = zmpi_agree(s->team, &s->local, &smallest, err);
  if (status == ZARRC_OK && largest && largest - 1 != UINT32_MAX - smallest)
    status = zmpi_fail(err, ZARRC_INVALID_ARGUMENT,
                       "array %s: memory_type must be the same on all ranks that select elements",
                       s->array->path);
  if (status == ZARRC_OK && largest) {
    s->type = (zarrc_data_type)(largest - 1);
    s->size = element_size(s);
    int alone = !s->writes && s->array->plain; /* each rank reads what it selects */
    if (has && !alone)
      list_elements(s, selection);
    if (!alone)
      status = find_leaders(s, &remote, err);
    if (status == ZARRC_OK && remote) {
      status = run_rounds(s, err);
    } else if (status == ZARRC_OK && has) {
      zarrc_error error = {0};
      error.status = s->writes ? zarrc_array_write_selection(s->array->array, selection, s->type,
                                                             s->data, NULL, size, &error)
                               : zarrc_array_read_selection(s->array->array, selection, s->type,
                                                            s->data, NULL, size, &error);
      keep(s, &error);
    }
    if (status == ZARRC_OK)
      status = zmpi_agree(s->team, &s->local, NULL, err);
  }
  free(s->elements);
  free(s->touched);
  return status;
}

zarrc_status zarrc_mpi_array_write_selection(zarrc_mpi_array *array,
                                             const zarrc_selection *selection,
                                             zarrc_data_type memory_type, const void *data,
                                             size_t size, zarrc_error *err) {
  if (!array)
    return zmpi_fail(err, ZARRC_INVALID_ARGUMENT, "array is NULL");
  scatter s = {.array = array, .team = array->team, .rank = array->rank, .type = memory_type,
               .data = (unsigned char *)(uintptr_t)data, .writes = 1};
  return run(&s, selection, size, err);
}

zarrc_status zarrc_mpi_array_read_selection(zarrc_mpi_array *array,
                                            const zarrc_selection *selection,
                                            zarrc_data_type memory_type, void *data, size_t size,
                                            zarrc_error *err) {
  if (!array)
    return zmpi_fail(err, ZARRC_INVALID_ARGUMENT, "array is NULL");
  scatter s = {.array = array, .team = array->team, .rank = array->rank, .type = memory_type,
               .data = data};
  return run(&s, selection, size, err);
}
