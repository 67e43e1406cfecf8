/* Any number of threads on one handle; and a process that forks. */
#include "check.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8, ROWS = 64, COLUMNS = 96 };

static zarrc_array *array; /* int32, ROWS x COLUMNS */
static zarrc_store *store;

static int rounds(void) {
  return slowed() ? 4 : 50;
}

static int32_t value_at(int round, int row, int column) {
  return (round + 1) * 1000000 + row * 1000 + column;
}

static void in_threads(void *(*work)(void *)) {
  static int numbers[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    CHECK(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}

static void open_array(const char *path, const uint64_t chunks[2], const uint64_t shard[2]) {
  const uint64_t shape[] = {ROWS, COLUMNS};
  zarrc_array_spec *spec = spec_of(ZARRC_INT32, 2, shape, chunks);
  if (shard)
    OK(zarrc_array_spec_set_shard_shape(spec, 2, shard, &err));
  store = memory_store();
  array = create(store, path, spec);
}

static void shut(void) {
  close_array(array);
  close_store(store);
}

/* Each thread writes and reads rows of its own, some of them in the chunks of its neighbours. */
static void *own_rows(void *number) {
  int first = *(int *)number * (ROWS / THREADS);
  const uint64_t start[] = {(uint64_t)first, 0}, count[] = {ROWS / THREADS, COLUMNS};
  int32_t rows[ROWS / THREADS][COLUMNS], read[ROWS / THREADS][COLUMNS];
  for (int round = 0; round < rounds(); round++) {
    for (int i = 0; i < ROWS / THREADS; i++)
      for (int j = 0; j < COLUMNS; j++)
        rows[i][j] = value_at(round, first + i, j);
    OK(zarrc_array_write(array, start, count, ZARRC_INT32, rows, sizeof rows, &err));
    OK(zarrc_array_read(array, start, count, ZARRC_INT32, read, sizeof read, &err));
    SAME_BYTES(read, rows, sizeof read);
  }
  return NULL;
}

static void all_rows_are_there(void) {
  static int32_t read[ROWS][COLUMNS];
  bool same = true;
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, read, sizeof read, &err));
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      same = same && read[i][j] == value_at(rounds() - 1, i, j);
  CHECK(same);
}

static void disjoint_chunks(void) {
  const uint64_t chunks[] = {ROWS / THREADS, 32};
  open_array("disjoint", chunks, NULL);
  in_threads(own_rows);
  all_rows_are_there();
  shut();
}

static void shared_chunks(void) {
  const uint64_t chunks[] = {20, 32}; /* 8 rows each: most chunks have three writers */
  open_array("shared", chunks, NULL);
  in_threads(own_rows);
  all_rows_are_there();
  shut();
}

static void shared_shards(void) {
  const uint64_t chunks[] = {4, 16}, shard[] = {32, 96};
  open_array("shards", chunks, shard);
  in_threads(own_rows);
  all_rows_are_there();
  shut();
}

/* Readers beside a writer see the old or the new value of an element, never another. */
static bool writing;
static pthread_mutex_t writing_guard = PTHREAD_MUTEX_INITIALIZER;

static bool is_writing(void) {
  pthread_mutex_lock(&writing_guard);
  bool is = writing;
  pthread_mutex_unlock(&writing_guard);
  return is;
}

static void *reader_or_writer(void *number) {
  static int32_t whole[ROWS][COLUMNS];
  int32_t read[ROWS][COLUMNS];
  if (*(int *)number == 0) {
    for (int round = 0; round < rounds(); round++) {
      for (int i = 0; i < ROWS * COLUMNS; i++)
        ((int32_t *)whole)[i] = round + 1;
      OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, whole, sizeof whole, &err));
    }
    pthread_mutex_lock(&writing_guard);
    writing = false;
    pthread_mutex_unlock(&writing_guard);
    return NULL;
  }
  while (is_writing()) {
    bool sound = true;
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, read, sizeof read, &err));
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < COLUMNS; j++)
        sound = sound && read[i][j] >= 0 && read[i][j] <= rounds() && /* and each chunk whole */
                read[i][j] == read[i / 16 * 16][j / 48 * 48];
    CHECK(sound);
  }
  return NULL;
}

static void readers_and_a_writer(void) {
  const uint64_t chunks[] = {16, 48};
  open_array("readers", chunks, NULL);
  writing = true;
  in_threads(reader_or_writer);
  shut();
}

/* Opening, closing, attributes and errors, all at once. */
static void *everything(void *number) {
  char path[32], key[32];
  snprintf(path, sizeof path, "t%d", *(int *)number);
  snprintf(key, sizeof key, "key%d", *(int *)number);
  for (int round = 0; round < rounds(); round++) {
    const uint64_t shape[] = {10};
    int64_t got = -1;
    zarrc_array *own = create(store, path, spec_of(ZARRC_INT16, 1, shape, NULL));
    OK(zarrc_attributes_set_int64(zarrc_array_attributes(own), "round", round, &err));
    OK(zarrc_attributes_set_int64(zarrc_array_attributes(array), key, round, &err));
    OK(zarrc_attributes_get_int64(zarrc_array_attributes(array), key, &got, &err));
    SAME(got, round);
    close_array(own);
    FAILS_NAMING(zarrc_array_open(store, key, &own, &err), ZARRC_NOT_FOUND, key);
    OK(zarrc_node_delete(store, path, &err));
  }
  return NULL;
}

static void everything_at_once(void) {
  const uint64_t chunks[] = {64, 96};
  open_array("common", chunks, NULL);
  in_threads(everything);
  close_array(array);
  OK(zarrc_array_open(store, "common", &array, &err));
  for (int i = 0; i < THREADS; i++) { /* no thread's attribute was lost to another's */
    char key[32];
    int64_t got = -1;
    snprintf(key, sizeof key, "key%d", i);
    OK(zarrc_attributes_get_int64(zarrc_array_attributes(array), key, &got, &err));
    SAME(got, rounds() - 1);
  }
  shut();
}

/* The pool's threads do not follow a fork: the child must do without them, or start its own. */
static void forking(void) {
  const uint64_t chunks[] = {8, 8};
  static int32_t read[ROWS][COLUMNS];
  open_array("forked", chunks, NULL);
  in_threads(own_rows);
  for (int child = 0; child < 3; child++) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
      alarm(60);
      memset(read, 0, sizeof read);
      bool good = zarrc_array_read(array, NULL, NULL, ZARRC_INT32, read, sizeof read, NULL) ==
                      ZARRC_OK &&
                  read[ROWS - 1][COLUMNS - 1] == value_at(rounds() - 1, ROWS - 1, COLUMNS - 1) &&
                  zarrc_array_write(array, NULL, NULL, ZARRC_INT32, read, sizeof read, NULL) ==
                      ZARRC_OK &&
                  zarrc_array_close(array, NULL) == ZARRC_OK &&
                  zarrc_store_close(store, NULL) == ZARRC_OK;
      leave(good);
    }
    int status = -1;
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    if (WIFSIGNALED(status))
      printf("the child died of signal %d%s\n", WTERMSIG(status),
             WTERMSIG(status) == SIGALRM ? ": it waited for a thread that it does not have" : "");
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    all_rows_are_there(); /* the parent goes on */
  }
  shut();
}

/* Two that append to one zip file would overwrite each other, so the child only reads. */
static void forking_with_a_zip_file(void) {
  const uint64_t shape[] = {ROWS, COLUMNS}, chunks[] = {8, COLUMNS}, start[] = {0, 0},
                 row[] = {1, COLUMNS};
  static int32_t values[ROWS][COLUMNS], got[ROWS][COLUMNS];
  const char *path = scratch("forked.zip");
  int pipes[2];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      values[i][j] = value_at(0, i, j);
  OK(zarrc_store_open(path, ZARRC_CREATE, NULL, &store, &err));
  array = create(store, "a", spec_of(ZARRC_INT32, 2, shape, chunks));
  OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err));
  CHECK(pipe(pipes) == 0);
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    char byte;
    alarm(60);
    close(pipes[1]);
    bool good =
        zarrc_array_read(array, NULL, NULL, ZARRC_INT32, got, sizeof got, NULL) == ZARRC_OK &&
        memcmp(got, values, sizeof got) == 0 &&
        zarrc_array_write(array, start, row, ZARRC_INT32, values[1], sizeof values[1], NULL) ==
            ZARRC_PERMISSION_DENIED &&
        zarrc_attributes_set_int64(zarrc_array_attributes(array), "k", 1, NULL) ==
            ZARRC_PERMISSION_DENIED;
    /* until the parent has closed the file and opened it again */
    good = good && read(pipes[0], &byte, 1) == 1;
    good = zarrc_array_close(array, NULL) == ZARRC_OK && good;
    good = zarrc_store_close(store, NULL) == ZARRC_OK && good;
    leave(good);
  }
  memcpy(values[0], values[2], sizeof values[0]);
  OK(zarrc_array_write(array, start, row, ZARRC_INT32, values[0], sizeof values[0], &err));
  shut();
  OK(zarrc_store_open(path, ZARRC_READ_WRITE, NULL, &store, &err));
  OK(zarrc_array_open(store, "a", &array, &err));
  OK(zarrc_attributes_set_int64(zarrc_array_attributes(array), "k", 7, &err));
  int status = -1;
  CHECK(write(pipes[1], "x", 1) == 1);
  CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  shut();
  OK(zarrc_store_open(path, ZARRC_READ, NULL, &store, &err));
  OK(zarrc_array_open(store, "a", &array, &err));
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, got, sizeof got, &err));
  SAME_BYTES(got, values, sizeof got);
  int64_t k = 0;
  OK(zarrc_attributes_get_int64(zarrc_array_attributes(array), "k", &k, &err));
  SAME(k, 7);
  shut();
  close(pipes[0]);
  close(pipes[1]);
}

/* What a dbm file holds that is not flushed is the parent's: a child that closes it changes nothing. */
static void forking_with_a_dbm_file(void) {
  const uint64_t shape[] = {ROWS, COLUMNS}, chunks[] = {8, COLUMNS};
  static int32_t values[ROWS][COLUMNS], got[ROWS][COLUMNS];
  char url[4096];
  snprintf(url, sizeof url, "dbm:%s", scratch("forked.dbm"));
  if (zarrc_store_open(url, ZARRC_CREATE, NULL, &store, NULL) == ZARRC_UNSUPPORTED)
    return; /* a build without the feature */
  array = create(store, "a", spec_of(ZARRC_INT32, 2, shape, chunks));
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    alarm(60);
    bool good = zarrc_array_write(array, NULL, NULL, ZARRC_INT32, values, sizeof values, NULL) ==
                    ZARRC_PERMISSION_DENIED &&
                zarrc_array_close(array, NULL) == ZARRC_OK &&
                zarrc_store_close(store, NULL) == ZARRC_OK;
    leave(good);
  }
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      values[i][j] = value_at(0, i, j);
  OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err));
  int status = -1;
  CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  shut();
  OK(zarrc_store_open(url, ZARRC_READ, NULL, &store, &err));
  OK(zarrc_array_open(store, "a", &array, &err));
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, got, sizeof got, &err));
  SAME_BYTES(got, values, sizeof got);
  shut();
}

int main(void) {
  begin("threads");
  RUN(disjoint_chunks);
  RUN(shared_chunks);
  RUN(shared_shards);
  RUN(readers_and_a_writer);
  RUN(everything_at_once);
  RUN(forking);
  RUN(forking_with_a_zip_file);
  RUN(forking_with_a_dbm_file);
  return finish();
}
