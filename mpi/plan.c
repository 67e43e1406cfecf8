/* Which chunks of its box a rank reads or writes alone, which it shares, and who leads those. */
#include "call.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

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
  return zmpi_intersect(a, b, rank, &common);
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
        here += zmpi_elements(&parts[k].box, c->rank);
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
    zmpi_include(&made.bounds, &parts[i].box, c->rank);
    total += zmpi_elements(&parts[i].box, c->rank);
    for (size_t k = 0; c->writes && k < i; k++)
      if (overlaps(&parts[i].box, &parts[k].box, c->rank))
        return zmpi_fail(&c->local, ZARRC_INVALID_ARGUMENT,
                        "array %s: the boxes of ranks %d and %d overlap", c->array->path,
                        parts[k].rank, parts[i].rank);
  }
  made.exact = total == zmpi_elements(&made.bounds, c->rank);
  uint64_t bytes = zmpi_elements(&made.bounds, c->rank) * c->element;
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

zarrc_status zmpi_plan(call *c) {
  uint64_t counts[MAX_RANK], low[MAX_RANK], size[MAX_RANK], core_low[MAX_RANK], core_high[MAX_RANK];
  uint64_t index[MAX_RANK], total = 1;
  const team *team = c->team;
  part *near = NULL, *touching = NULL;
  unsigned char *is_shared = NULL;
  size_t near_count = 0;
  int core_empty = 0;
  zarrc_status status;

  c->core = c->mine;
  if (zmpi_is_empty(&c->mine, c->rank))
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
      status = zmpi_fail(&c->local, ZARRC_LIMIT_EXCEEDED,
                         "array %s: the number of chunks overflows 64 bits", c->array->path);
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
    int relevant =
        c->writes || (!c->array->plain && team->node_of[r] == team->node_of[team->rank]);
    if ((relevant || r == team->rank) && overlaps(&around, &c->boxes[r], c->rank)) {
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
      if (zmpi_intersect(&bounds, &near[i].box, c->rank, &touching[count].box))
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
      zmpi_intersect(&bounds, &c->mine, c->rank, &c->core);
      continue;
    }
    box *list = grow(c->alone, c->alone_count, &c->alone_room, sizeof *list);
    if (!list) {
      status = zmpi_fail(&c->local, ZARRC_OUT_OF_MEMORY, "out of memory");
      goto done;
    }
    c->alone = list;
    zmpi_intersect(&bounds, &c->mine, c->rank, &list[c->alone_count++]);
  }
done:
  free(is_shared);
  free(near);
  free(touching);
  return status;
}

