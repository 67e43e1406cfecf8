/* What the tests of the MPI companion share. */
#ifndef TEST_MPI_H
#define TEST_MPI_H

#include "zarrc_mpi.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int rank, size;
extern char directory[512];

void stop(const char *file, int line, const char *what, const zarrc_error *error);
#define CHECK(condition) ((condition) ? (void)0 : stop(__FILE__, __LINE__, #condition, NULL))
#define OK(call)                                                                                   \
  ((memset(&error, 0, sizeof error), (call)) == ZARRC_OK                                           \
       ? (void)0                                                                                   \
       : stop(__FILE__, __LINE__, #call, &error))
/* every rank must get this status and the message of the rank at fault */
#define FAILS(call, expected, who)                                                                 \
  do {                                                                                             \
    char prefix[32];                                                                               \
    snprintf(prefix, sizeof prefix, "rank %d: ", who);                                             \
    memset(&error, 0, sizeof error);                                                               \
    zarrc_status got = (call);                                                                     \
    if (got != (expected) || error.status != got || strncmp(error.message, prefix, strlen(prefix))) \
      stop(__FILE__, __LINE__, #call, &error);                                                     \
  } while (0)

/* Random numbers, the same on all ranks. */
extern uint64_t state;
uint64_t draw(uint64_t below);

enum { MOST = 4 };
typedef struct region {
  uint64_t start[MOST], count[MOST];
} region;

/* Cuts a region into `parts` regions at random places. */
void cut(region whole, size_t dims, int parts, region *out);
uint64_t volume(const region *r, size_t dims);
/* The value of the n-th element of a region, of an array of `shape`. */
int32_t value_at(const region *r, const uint64_t *shape, size_t dims, uint64_t n, int salt);
/* The values of all elements of a region; freed by the caller. */
int32_t *filled(const region *r, const uint64_t *shape, size_t dims, int salt, size_t *bytes);
/* A random format, with random chunks. */
zarrc_array_spec *random_spec(const uint64_t *shape, size_t dims);
void same_directories(const char *a, const char *b);
/* The files that this process writes are cut at 16 bytes, or no longer. */
void refuse_writes(int refuse);

/* test_selection.c */
void selections(uint64_t seed);
void selection_mistakes(void);
/* test_append.c */
void appends(uint64_t seed);
void append_mistakes(void);

#endif
