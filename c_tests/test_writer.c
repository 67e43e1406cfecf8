/* The streaming writer: threads put blocks, readers see whole steps, a killed writer's successor
 * goes on after the last of them. */
#include "check.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NY = 64, NX = 512, FRAME = NY * NX, SHARD = 16, ROWS = 16, THREADS = NY / ROWS };

/* Frames of which 16 make a shard of 1 MiB; sums, one number a step; times. */
static zarrc_writer *open_writer(zarrc_store *store, const zarrc_writer_options *options) {
  static const uint64_t shape[] = {0, NY, NX}, chunk[] = {1, ROWS, NX}, shard[] = {SHARD, NY, NX};
  static const char *const dimensions[] = {"time", "y", "x"};
  static const char *const names[] = {"frames", "sums", "time"};
  zarrc_writer *writer = NULL;
  OK(zarrc_writer_open(store, "run", options, &writer, &err));
  for (size_t n = 0; n < COUNT(names); n++) {
    size_t number = 9;
    zarrc_array_spec *spec = NULL;
    zarrc_data_type type = n == 0 ? ZARRC_UINT16 : ZARRC_FLOAT64;
    OK(zarrc_array_spec_new(type, n == 0 ? 3 : 1, shape, &spec, &err));
    OK(zarrc_array_spec_set_dimension_names(spec, n == 0 ? 3 : 1, dimensions, &err));
    if (n == 0) {
      OK(zarrc_array_spec_set_chunk_shape(spec, 3, chunk, &err));
      OK(zarrc_array_spec_set_shard_shape(spec, 3, shard, &err));
      OK(zarrc_array_spec_add_codec(spec, "zstd", "{\"level\": 1}", &err));
    }
    OK(zarrc_writer_declare(writer, names[n], spec, &number, &err));
    SAME(number, n);
    zarrc_array_spec_free(spec);
  }
  return writer;
}

static uint16_t value(uint64_t step, uint64_t y) {
  return (uint16_t)(step * 70 + y + 1);
}

static bool put_rows(zarrc_writer *writer, uint64_t step, uint64_t y) {
  const uint64_t start[] = {step, y, 0}, count[] = {1, ROWS, NX};
  uint16_t block[ROWS * NX];
  for (uint64_t i = 0; i < ROWS * NX; i++)
    block[i] = value(step, y + i / NX);
  return zarrc_writer_put(writer, 0, start, count, ZARRC_UINT16, block, sizeof block, NULL) ==
         ZARRC_OK;
}

static bool put_numbers(zarrc_writer *writer, uint64_t step) {
  static const uint64_t one = 1;
  const double number = (double)step;
  return zarrc_writer_put(writer, 1, &step, &one, ZARRC_FLOAT64, &number, sizeof number, NULL) ==
             ZARRC_OK &&
         zarrc_writer_put(writer, 2, &step, &one, ZARRC_FLOAT64, &number, sizeof number, NULL) ==
             ZARRC_OK;
}

/* Whether the steps of all arrays are whole, as a reader finds them that opens the store now;
 * their number, or -1. In consolidated metadata all arrays have the same number of them. */
static int64_t whole_steps(const char *path, bool consolidated, uint64_t from) {
  static const char *const names[] = {"time", "sums", "frames"};
  static const uint64_t all[] = {1, NY, NX};
  char group[600];
  zarrc_error wrong = {0};
  zarrc_options *options = zarrc_options_new();
  zarrc_store *store = NULL;
  zarrc_array *arrays[3] = {NULL, NULL, NULL};
  uint64_t steps[3] = {0, 0, 0}, least = UINT64_MAX;
  snprintf(group, sizeof group, "%s/run", path);
  bool good = !zarrc_options_set(options, "consolidated", consolidated ? "yes" : "no", &wrong) &&
              !zarrc_store_open(group, ZARRC_READ, options, &store, &wrong);
  zarrc_options_free(options);
  for (size_t n = 0; good && n < COUNT(names); n++) {
    uint64_t shape[3] = {0, 0, 0};
    good = !zarrc_array_open(store, names[n], &arrays[n], &wrong) &&
           !zarrc_array_shape(arrays[n], n == 2 ? 3 : 1, shape, &wrong);
    steps[n] = shape[0];
    least = steps[n] < least ? steps[n] : least;
  }
  good = good && (!consolidated || (steps[0] == least && steps[1] == least && steps[2] == least));
  for (uint64_t step = from; good && step < least; step++) {
    const uint64_t start[] = {step, 0, 0}, one = 1;
    uint16_t frame[FRAME];
    double numbers[2] = {-1, -1};
    good = !zarrc_array_read(arrays[2], start, all, ZARRC_UINT16, frame, sizeof frame, &wrong) &&
           !zarrc_array_read(arrays[0], start, &one, ZARRC_FLOAT64, &numbers[0], 8, &wrong) &&
           !zarrc_array_read(arrays[1], start, &one, ZARRC_FLOAT64, &numbers[1], 8, &wrong) &&
           numbers[0] == (double)step && numbers[1] == (double)step;
    for (uint64_t i = 0; good && i < FRAME; i++)
      good = frame[i] == value(step, i / NX);
    if (!good)
      printf("step %llu of %llu is not whole\n", (unsigned long long)step, (unsigned long long)least);
  }
  if (!good)
    printf("%s, consolidated %d: %llu %llu %llu steps: %s\n", group, consolidated,
           (unsigned long long)steps[0], (unsigned long long)steps[1], (unsigned long long)steps[2],
           wrong.message);
  for (size_t n = 0; n < COUNT(names); n++)
    zarrc_array_close(arrays[n], NULL);
  zarrc_store_close(store, NULL);
  return good ? (int64_t)least : -1;
}

struct part {
  zarrc_writer *writer;
  uint64_t y;
  bool good;
};

/* Puts some rows of 50 steps, each five of them in another order. */
static void *put_part(void *argument) {
  struct part *part = argument;
  part->good = true;
  for (uint64_t n = 0; n < 50; n++)
    part->good = part->good && put_rows(part->writer, n / 5 * 5 + n * 3 % 5, part->y);
  return NULL;
}

static void threads_in_any_order(void) {
  const char *path = scratch("threads.zarr");
  zarrc_store *store = file_store(path, ZARRC_CREATE);
  zarrc_writer *writer = open_writer(store, NULL);
  pthread_t threads[THREADS];
  struct part parts[THREADS];
  uint64_t steps = 9;
  for (uint64_t n = 0; n < THREADS; n++) {
    parts[n] = (struct part){writer, n * ROWS, false};
    CHECK(pthread_create(&threads[n], NULL, put_part, &parts[n]) == 0);
  }
  for (uint64_t step = 0; step < 50; step++)
    CHECK(put_numbers(writer, step));
  for (size_t n = 0; n < THREADS; n++) {
    CHECK(pthread_join(threads[n], NULL) == 0);
    CHECK(parts[n].good);
  }
  OK(zarrc_writer_steps(writer, &steps, &err));
  SAME(steps, 0);
  OK(zarrc_writer_commit(writer, 40, &err));
  OK(zarrc_writer_flush(writer, &err));
  OK(zarrc_writer_steps(writer, &steps, &err));
  SAME(steps, 40);
  SAME(whole_steps(path, true, 0), 40);
  OK(zarrc_writer_commit(writer, 50, &err));
  OK(zarrc_writer_close(writer, &err));
  SAME(whole_steps(path, true, 0), 50);
  SAME(whole_steps(path, false, 0), 50);
  close_store(store);
}

static void arguments(void) {
  static const uint64_t start[] = {0, 0, 0}, count[] = {1, 1, 1}, far[] = {0, NY, 0};
  static const uint16_t element = 3;
  static const double too_large = 1e9;
  const uint64_t shape = 0;
  zarrc_writer_options options = {sizeof options, 0, 0};
  zarrc_store *store = memory_store();
  zarrc_writer *writer = NULL;
  zarrc_array_spec *spec = spec_of(ZARRC_UINT16, 1, &shape, NULL);
  uint64_t steps;
  options.flush_seconds = -1;
  REFUSES(zarrc_writer_open(store, "run", &options, &writer, &err), "flush_seconds");
  options.flush_seconds = NAN;
  REFUSES(zarrc_writer_open(store, "run", &options, &writer, &err), "flush_seconds");
  REFUSES(zarrc_writer_open(NULL, "run", NULL, &writer, &err), "store");
  REFUSES(zarrc_writer_open(store, NULL, NULL, &writer, &err), "path");
  REFUSES(zarrc_writer_open(store, "run", NULL, NULL, &err), "writer");
  REFUSES(zarrc_writer_commit(NULL, 1, &err), "writer");
  REFUSES(zarrc_writer_flush(NULL, &err), "writer");
  REFUSES(zarrc_writer_steps(NULL, &steps, &err), "writer");
  OK(zarrc_writer_close(NULL, &err));
  writer = open_writer(store, NULL);
  REFUSES(zarrc_writer_steps(writer, NULL, &err), "steps");
  REFUSES(zarrc_writer_declare(writer, NULL, spec, NULL, &err), "name");
  REFUSES(zarrc_writer_declare(writer, "x", NULL, NULL, &err), "spec");
  OK(zarrc_writer_declare(writer, "x", spec, NULL, &err));
  REFUSES(zarrc_writer_put(writer, 4, start, count, ZARRC_UINT16, &element, 2, &err), "variable 4");
  REFUSES(zarrc_writer_put(writer, 0, NULL, count, ZARRC_UINT16, &element, 2, &err), "start");
  REFUSES(zarrc_writer_put(writer, 0, start, NULL, ZARRC_UINT16, &element, 2, &err), "count");
  REFUSES(zarrc_writer_put(writer, 0, start, count, ZARRC_UINT16, NULL, 2, &err), "buffer");
  REFUSES(zarrc_writer_put(writer, 0, start, count, ZARRC_UINT16, &element, 1, &err), "buffer_size");
  FAILS(zarrc_writer_put(writer, 0, far, count, ZARRC_UINT16, &element, 2, &err),
        ZARRC_OUT_OF_BOUNDS);
  FAILS(zarrc_writer_put(writer, 0, start, count, ZARRC_STRING, &element, 2, &err),
        ZARRC_TYPE_MISMATCH);
  /* nothing was put: the writer goes on */
  FAILS(zarrc_writer_put(writer, 0, start, count, ZARRC_COMPLEX64, &too_large, 8, &err),
        ZARRC_TYPE_MISMATCH);
  FAILS(zarrc_writer_declare(writer, "late", spec, NULL, &err), ZARRC_INVALID_ARGUMENT);
  OK(zarrc_writer_put(writer, 0, start, count, ZARRC_FLOAT64, &too_large, 8, &err));
  OK(zarrc_writer_commit(writer, 1, &err));
  FAILS(zarrc_writer_flush(writer, &err), ZARRC_TYPE_MISMATCH);
  FAILS(zarrc_writer_close(writer, &err), ZARRC_TYPE_MISMATCH);
  zarrc_array_spec_free(spec);
  close_store(store);
}

/* The child of a fork has no writer, and the parent keeps its own. */
static void fork_while_writing(void) {
  const char *path = scratch("fork.zarr");
  zarrc_store *store = file_store(path, ZARRC_CREATE);
  zarrc_writer *writer = open_writer(store, NULL);
  int status = -1;
  for (uint64_t y = 0; y < NY; y += ROWS)
    CHECK(put_rows(writer, 0, y));
  CHECK(put_numbers(writer, 0));
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0)
    leave(zarrc_writer_commit(writer, 1, NULL) == ZARRC_INVALID_ARGUMENT &&
          zarrc_writer_close(writer, NULL) == ZARRC_INVALID_ARGUMENT);
  CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  OK(zarrc_writer_commit(writer, 1, &err));
  OK(zarrc_writer_close(writer, &err));
  SAME(whole_steps(path, true, 0), 1);
  close_store(store);
}

/* ---- killed writers, and readers all the while ------------------------------- */

static int write_for_ever(const char *path) {
  zarrc_writer_options options = {sizeof options, 0, 0};
  uint64_t step = 0;
  zarrc_store *store = file_store(path, ZARRC_READ_WRITE);
  options.flush_seconds = 0.004;
  zarrc_writer *writer = open_writer(store, &options);
  if (zarrc_writer_steps(writer, &step, NULL))
    return 1;
  for (;; step++) {
    for (uint64_t y = 0; y < NY; y += ROWS)
      if (!put_rows(writer, step, y))
        return 1;
    if (!put_numbers(writer, step) || zarrc_writer_commit(writer, step + 1, NULL))
      return 1;
    if (step % 8 == 0 && write(STDOUT_FILENO, ".", 1) != 1)
      return 1;
  }
}

static int read_for_ever(const char *path, const char *stop) {
  int64_t steps[2] = {0, 0}; /* of documents, which change first, and of consolidated metadata */
  for (int turn = 0; access(stop, F_OK) != 0; turn++) {
    int64_t before = steps[turn % 2];
    int64_t found = whole_steps(path, turn % 2 == 1, before > 40 ? (uint64_t)before - 40 : 0);
    if (found < before) {
      printf("%lld steps after %lld\n", (long long)found, (long long)before);
      return 1;
    }
    steps[turn % 2] = found;
  }
  return 0;
}

static const char *program;

static pid_t start(const char *what, const char *path, const char *stop, int output) {
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    if (output >= 0)
      dup2(output, STDOUT_FILENO);
    execl(program, program, what, path, stop, (char *)NULL);
    _exit(127);
  }
  return pid;
}

static void killed_at_any_time(void) {
  const char *path = scratch("killed.zarr"), *stop = scratch("stop");
  int rounds = slowed() ? 4 : 30, status = 0;
  zarrc_store *store = file_store(path, ZARRC_CREATE);
  zarrc_writer *writer = open_writer(store, NULL);
  OK(zarrc_writer_commit(writer, 0, &err));
  OK(zarrc_writer_close(writer, &err));
  close_store(store);
  pid_t readers[2] = {start("read", path, stop, -1), start("read", path, stop, -1)};
  int64_t steps = 0;
  /* a machine that does much else may let several be killed before their first step */
  for (int round = 0; round < rounds || (steps == 0 && round < 100); round++) {
    int ends[2];
    char dots[2];
    CHECK(pipe(ends) == 0);
    pid_t pid = start("write", path, stop, ends[1]);
    close(ends[1]);
    CHECK(read(ends[0], dots, 1) == 1);
    struct timespec pause = {0, (long)random_below(60000000)};
    nanosleep(&pause, NULL);
    CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    close(ends[0]);
    int64_t now = whole_steps(path, true, 0);
    CHECK(now >= steps); /* nothing that was visible is lost */
    CHECK(whole_steps(path, false, 0) >= now);
    steps = now;
  }
  CHECK(steps > 0);
  FILE *file = fopen(stop, "w");
  CHECK(file && fclose(file) == 0);
  for (size_t n = 0; n < COUNT(readers); n++)
    CHECK(waitpid(readers[n], &status, 0) == readers[n] && WIFEXITED(status) &&
          WEXITSTATUS(status) == 0);
}

int main(int argc, char **argv) {
  program = argv[0];
  if (argc == 4)
    return strcmp(argv[1], "write") == 0 ? write_for_ever(argv[2]) : read_for_ever(argv[2], argv[3]);
  begin("writer");
  RUN(threads_in_any_order);
  RUN(arguments);
  RUN(fork_while_writing);
  RUN(killed_at_any_time);
  return finish();
}
