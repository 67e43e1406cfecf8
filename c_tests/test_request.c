/* Requests: they keep their order, hold what they need, are bounded, and can be cancelled. */
#define _XOPEN_SOURCE 700
#include "check.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SIDE = 64, CHUNK = 16, ALL = SIDE * SIDE };

static zarrc_store *store_with(const char *name, const char *value) {
  zarrc_options *options = zarrc_options_new();
  zarrc_store *store = NULL;
  if (name != NULL)
    OK(zarrc_options_set(options, name, value, &err));
  OK(zarrc_store_open("memory:", ZARRC_APPEND, options, &store, &err));
  zarrc_options_free(options);
  return store;
}

static zarrc_array *square(zarrc_store *store) {
  const uint64_t shape[] = {SIDE, SIDE}, chunks[] = {CHUNK, CHUNK};
  return create(store, "", spec_of(ZARRC_INT32, 2, shape, chunks));
}

static void done(zarrc_request *request) {
  OK(zarrc_request_wait(request, &err));
  zarrc_request_free(request);
}

static void many_in_order(void) {
  zarrc_store *store = store_with(NULL, NULL);
  zarrc_array *array = square(store);
  static int32_t values[40][ALL], seen[40][ALL];
  zarrc_request *writes[40], *reads[40];
  for (int n = 0; n < 40; n++) {
    for (int i = 0; i < ALL; i++)
      values[n][i] = n;
    OK(zarrc_array_write_start(array, NULL, NULL, ZARRC_INT32, values[n], sizeof values[n],
                               &writes[n], &err));
    OK(zarrc_array_read_start(array, NULL, NULL, ZARRC_INT32, seen[n], sizeof seen[n], &reads[n],
                              &err));
  }
  for (int n = 0; n < 40; n++) {
    done(reads[n]);
    SAME_BYTES(seen[n], values[n], sizeof seen[n]);
    done(writes[n]);
  }
  close_array(array);
  close_store(store);
}

static void a_call_that_waits_comes_after(void) {
  zarrc_store *store = store_with(NULL, NULL);
  zarrc_array *array = square(store);
  static int32_t values[ALL], seen[ALL];
  for (int round = 1; round < 20; round++) {
    zarrc_request *request = NULL;
    for (int i = 0; i < ALL; i++)
      values[i] = round;
    OK(zarrc_array_write_start(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &request,
                               &err));
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, seen, sizeof seen, &err));
    SAME_BYTES(seen, values, sizeof seen);
    zarrc_request_free(request);
  }
  close_array(array);
  close_store(store);
}

static void of_selections(void) {
  zarrc_store *store = store_with(NULL, NULL);
  zarrc_array *array = square(store);
  zarrc_selection *s = NULL;
  zarrc_request *request = NULL;
  const uint64_t points[] = {1, 1, 63, 0, 1, 1};
  const int32_t values[] = {1, 2, 3};
  int32_t seen[3] = {0, 0, 0};
  OK(zarrc_selection_new(array, &s, &err));
  OK(zarrc_selection_set_points(s, 3, points, &err));
  OK(zarrc_array_write_selection_start(array, s, ZARRC_INT32, values, NULL, sizeof values, &request,
                                       &err));
  done(request);
  OK(zarrc_array_read_selection_start(array, s, ZARRC_INT32, seen + 2, (int64_t[]){-4}, sizeof seen,
                                      &request, &err));
  zarrc_selection_free(s); /* copied */
  done(request);
  SAME_BYTES(seen, ((int32_t[]){3, 2, 3}), sizeof seen);
  close_array(array);
  close_store(store);
}

static void memory_is_copied_where_wanted(void) {
  zarrc_store *store = store_with("queue_copy", "yes");
  zarrc_array *array = square(store);
  static int32_t values[ALL], seen[ALL];
  zarrc_request *requests[10];
  for (int n = 0; n < 10; n++) {
    for (int i = 0; i < ALL; i++)
      values[i] = n;
    OK(zarrc_array_write_start(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &requests[n],
                               &err));
  }
  memset(values, 0xff, sizeof values);
  for (int n = 0; n < 10; n++)
    done(requests[n]);
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, seen, sizeof seen, &err));
  SAME(seen[0], 9);
  SAME(seen[ALL - 1], 9);
  close_array(array);
  close_store(store);
}

static void the_queue_is_bounded(void) {
  const char *const kinds[] = {"wait", "fail"};
  for (int fails = 0; fails < 2; fails++) {
    zarrc_options *options = zarrc_options_new();
    zarrc_store *store = NULL;
    OK(zarrc_options_set(options, "queue_bytes", "20000", &err));
    OK(zarrc_options_set(options, "queue_full", kinds[fails], &err));
    OK(zarrc_store_open("memory:", ZARRC_APPEND, options, &store, &err));
    zarrc_options_free(options);
    zarrc_array *array = square(store);
    static int32_t values[ALL];
    zarrc_request *requests[50] = {NULL};
    int refused = 0;
    for (int n = 0; n < 50; n++) {
      zarrc_error err = {0, 0, ""};
      zarrc_status status = zarrc_array_write_start(array, NULL, NULL, ZARRC_INT32, values,
                                                    sizeof values, &requests[n], &err);
      CHECK(status == ZARRC_OK || status == ZARRC_LIMIT_EXCEEDED);
      refused += status != ZARRC_OK;
    }
    CHECK(fails || refused == 0);
    for (int n = 0; n < 50; n++)
      zarrc_request_free(requests[n]);
    close_array(array);
    close_store(store);
  }
}

static void any_of_several_and_poll(void) {
  zarrc_store *store = store_with(NULL, NULL);
  zarrc_array *array = square(store);
  static int32_t seen[5][ALL];
  zarrc_request *requests[5];
  size_t index = 99;
  for (int n = 0; n < 5; n++)
    OK(zarrc_array_read_start(array, NULL, NULL, ZARRC_INT32, seen[n], sizeof seen[n], &requests[n],
                              &err));
  OK(zarrc_request_wait_any(requests, 5, &index, &err));
  CHECK(index < 5);
  bool is_done = false;
  OK(zarrc_request_test(requests[index], &is_done, &err));
  CHECK(is_done);
  for (int n = 0; n < 5; n++) {
    int32_t fd = -1;
    OK(zarrc_request_fd(requests[n], &fd, &err));
    struct pollfd waits = {fd, POLLIN, 0};
    SAME(poll(&waits, 1, 20000), 1);
    CHECK(waits.revents & POLLIN);
    OK(zarrc_request_test(requests[n], &is_done, &err));
    CHECK(is_done);
    done(requests[n]);
  }
  close_array(array);
  close_store(store);
}

static void cancelled_ones_leave_whole_chunks(void) {
  zarrc_store *store = store_with("threads", "1");
  zarrc_array *array = square(store);
  static int32_t ones[ALL], seen[ALL];
  for (int i = 0; i < ALL; i++)
    ones[i] = 1;
  for (int round = 0; round < 20; round++) {
    zarrc_request *request = NULL;
    OK(zarrc_array_fill(array, NULL, ZARRC_INT32, "\0\0\0", 4, &err));
    OK(zarrc_array_write_start(array, NULL, NULL, ZARRC_INT32, ones, sizeof ones, &request, &err));
    if (round % 2)
      nanosleep(&(struct timespec){0, 50000 * round}, NULL);
    zarrc_request_cancel(request);
    zarrc_error err = {0, 0, ""};
    zarrc_status status = zarrc_request_wait(request, &err);
    CHECK(status == ZARRC_OK || status == ZARRC_CANCELLED);
    zarrc_request_free(request);
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, seen, sizeof seen, &err));
    for (int y = 0; y < SIDE; y++)
      for (int x = 0; x < SIDE; x++) {
        const int corner = (y / CHUNK * SIDE + x / CHUNK) * CHUNK;
        if (seen[y * SIDE + x] != seen[corner]) {
          CHECK(!"a chunk is written in part");
          return;
        }
      }
    if (status == ZARRC_OK)
      SAME(seen[ALL - 1], 1);
  }
  zarrc_request_cancel(NULL);
  close_array(array);
  close_store(store);
}

static void they_hold_what_they_need_and_fail_by_themselves(void) {
  const uint64_t outside[] = {SIDE, 0}, one[] = {1, 1};
  static int32_t values[ALL];
  static double large[ALL];
  zarrc_store *store = store_with(NULL, NULL);
  zarrc_array *array = square(store);
  zarrc_request *request = NULL, *fails = NULL;
  zarrc_selection *s = NULL;
  large[17] = 1e300;
  FAILS(zarrc_array_read_start(array, outside, one, ZARRC_INT32, values, 4, &request, &err),
        ZARRC_OUT_OF_BOUNDS);
  OK(zarrc_array_write_start(array, NULL, NULL, ZARRC_FLOAT64, large, sizeof large, &fails, &err));
  FAILS(zarrc_request_wait(fails, &err), ZARRC_TYPE_MISMATCH);
  FAILS(zarrc_request_wait(fails, &err), ZARRC_TYPE_MISMATCH); /* says it again */
  zarrc_request_free(fails);
  OK(zarrc_array_write_start(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &request,
                             &err));
  OK(zarrc_selection_new(array, &s, &err));
  close_array(array); /* waits for it */
  close_store(store);
  bool is_done = false;
  OK(zarrc_request_test(request, &is_done, &err));
  CHECK(is_done);
  done(request);
  zarrc_selection_free(s);
  zarrc_request_free(NULL);
}

/* A child has none of the requests of its parent, but may start its own. */
static void after_a_fork(void) {
  zarrc_store *store = store_with(NULL, NULL);
  zarrc_array *array = square(store);
  static int32_t values[ALL];
  zarrc_request *request = NULL, *own = NULL;
  OK(zarrc_array_write_start(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &request,
                             &err));
  done(request); /* no lock is held while the process forks */
  OK(zarrc_array_read_start(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &request, &err));
  OK(zarrc_request_wait(request, &err));
  int ends[2];
  char failed_there = 1;
  SAME(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    bool is_done = false;
    int failed = zarrc_request_test(request, &is_done, NULL) != ZARRC_INVALID_ARGUMENT;
    failed |= zarrc_array_read_start(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &own,
                                     NULL) != ZARRC_OK;
    failed |= !failed && zarrc_request_wait(own, NULL) != ZARRC_OK;
    zarrc_request_free(own);
    zarrc_request_free(request);
    const char told = (char)failed;
    failed |= write(ends[1], &told, 1) != 1;
    kill(getpid(), SIGKILL); /* what the parent's threads had is lost here: nobody looks for it */
  }
  int status = -1;
  SAME(waitpid(child, &status, 0), child);
  SAME(read(ends[0], &failed_there, 1), 1);
  SAME(failed_there, 0);
  close(ends[0]);
  close(ends[1]);
  done(request);
  close_array(array);
  close_store(store);
}

int main(void) {
  begin("request");
  RUN(many_in_order);
  RUN(a_call_that_waits_comes_after);
  RUN(of_selections);
  RUN(memory_is_copied_where_wanted);
  RUN(the_queue_is_bounded);
  RUN(any_of_several_and_poll);
  RUN(cancelled_ones_leave_whole_chunks);
  RUN(they_hold_what_they_need_and_fail_by_themselves);
  RUN(after_a_fork);
  return finish();
}
