/* What the runners of benches/mpi share: the job (key=value arguments), the field, its decomposition
 * and the clock. run.py says what the keys mean. */
#ifndef JOB_H
#define JOB_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int g_argc, rank_, ranks_;
static char **g_argv;
static uint64_t edge, chunk, start_[3], count_[3];
static float *mine;
static size_t mine_bytes;

static void fail(const char *what, const char *why) {
  fprintf(stderr, "rank %d: %s: %s\n", rank_, what, why);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static const char *text(const char *key) {
  size_t n = strlen(key);
  for (int i = 1; i < g_argc; i++)
    if (!strncmp(g_argv[i], key, n) && g_argv[i][n] == '=')
      return g_argv[i] + n + 1;
  return "";
}
static int is(const char *key, const char *value) { return strcmp(text(key), value) == 0; }

/* A smooth field, rounded to 15 bits of mantissa, so that it compresses as a simulation's does. */
static float value(uint64_t z, uint64_t y, uint64_t x) {
  double a = (double)z / 17, b = (double)y / 23, c = (double)x / 29;
  double wave = (a - (int)a) * (1 - (a - (int)a)) + (b - (int)b) * (1 - (b - (int)b)) +
                (c - (int)c) * (1 - (c - (int)c));
  uint32_t noise = (uint32_t)(z * 2654435761u ^ y * 40503u ^ x * 2246822519u);
  float f = (float)(280 + 10 * wave + (double)(noise >> 20) / 65536);
  uint32_t bits;
  memcpy(&bits, &f, 4);
  bits &= ~0xffu;
  memcpy(&f, &bits, 4);
  return f;
}

/* This rank's box: aligned: slabs along the first axis, of whole chunks where the ranks allow it;
 * unaligned: slabs along the second axis that end within chunks. */
static void begin(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  g_argc = argc, g_argv = argv;
  edge = strtoull(text("edge"), NULL, 10);
  chunk = strtoull(text("chunk"), NULL, 10);
  int axis = is("boxes", "aligned") ? 0 : 1;
  uint64_t off = axis && ranks_ > 1 ? chunk / 5 : 0, n = (uint64_t)ranks_, r = (uint64_t)rank_;
  uint64_t from = r == 0 ? 0 : edge * r / n + off, to = r == n - 1 ? edge : edge * (r + 1) / n + off;
  for (int d = 0; d < 3; d++)
    start_[d] = 0, count_[d] = edge;
  start_[axis] = from;
  count_[axis] = to - from;
  mine_bytes = (size_t)(count_[0] * count_[1] * count_[2]) * sizeof *mine;
  mine = malloc(mine_bytes);
  if (!mine)
    fail("data", "out of memory");
  int reads = is("op", "read");
  size_t i = 0;
  for (uint64_t z = 0; z < count_[0]; z++)
    for (uint64_t y = 0; y < count_[1]; y++)
      for (uint64_t x = 0; x < count_[2]; x++)
        mine[i++] = reads ? -1 : value(start_[0] + z, start_[1] + y, start_[2] + x);
}

static double began;
static void start_clock(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  began = MPI_Wtime();
}

/* Prints the seconds of the slowest rank, after checking what was read. */
static void finish(double seconds) {
  double slowest;
  size_t i = 0;
  MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (is("op", "read"))
    for (uint64_t z = 0; z < count_[0]; z++)
      for (uint64_t y = 0; y < count_[1]; y++)
        for (uint64_t x = 0; x < count_[2]; x++)
          if (mine[i++] != value(start_[0] + z, start_[1] + y, start_[2] + x))
            fail("read", "a value differs");
  if (rank_ == 0)
    printf("%.6f\n", slowest);
  free(mine);
  MPI_Finalize();
}

#endif
