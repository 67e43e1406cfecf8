#include "check.h"

#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *current = "";
static char directory[256];
static int checks;
static int failures;

void begin(const char *program) {
  const char *base = getenv("TMPDIR");
  snprintf(directory, sizeof directory, "%s/zarrc-%s-XXXXXX", base && *base ? base : "/tmp",
           program);
  if (!mkdtemp(directory)) {
    perror(directory);
    exit(2);
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *walk) {
  (void)st, (void)flag, (void)walk;
  return remove(path);
}

int finish(void) {
  nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  printf("%d checks, %d failed\n", checks, failures);
  return failures != 0;
}

void leave(bool good) {
  const char *end = good && failures == 0 ? "true" : "false";
  fflush(stdout);
  execlp(end, end, (char *)NULL);
  _exit(2);
}

pid_t start_again(const char *program, const char *argument) {
  int ends[2];
  char said = 0;
  CHECK(pipe(ends) == 0);
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execl(program, program, argument, (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  CHECK(read(ends[0], &said, 1) == 1);
  close(ends[0]);
  return pid;
}

void kill_soon(pid_t pid, uint64_t most) {
  const struct timespec pause = {0, (long)random_below(most)};
  int status = 0;
  nanosleep(&pause, NULL);
  CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

void section(const char *name) {
  current = name;
  printf("- %s\n", name);
}

static bool count(bool held, const char *file, int line, const char *format, ...) {
  __sync_fetch_and_add(&checks, 1);
  if (!held && __sync_fetch_and_add(&failures, 1) < 50) {
    char said[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(said, sizeof said, format, arguments);
    va_end(arguments);
    const char *slash = strrchr(file, '/');
    printf("%s:%d: %s: %s\n", slash ? slash + 1 : file, line, current, said);
  }
  return held;
}

bool check_true(bool held, const char *file, int line, const char *words) {
  return count(held, file, line, "%s", words);
}

bool check_same(long long a, long long b, const char *file, int line, const char *words) {
  return count(a == b, file, line, "%s: %lld, not %lld", words, a, b);
}

bool check_text(const char *a, const char *b, const char *file, int line, const char *words) {
  return count(a && b && strcmp(a, b) == 0, file, line, "%s: \"%s\", not \"%s\"", words,
               a ? a : "(null)", b ? b : "(null)");
}

bool check_bytes(const void *a, const void *b, size_t size, const char *file, int line,
                 const char *words) {
  const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
  size_t i = 0;
  while (i < size && x[i] == y[i])
    i++;
  return count(i == size, file, line, "%s: byte %zu of %zu is %d, not %d", words, i, size,
               i < size ? x[i] : 0, i < size ? y[i] : 0);
}

/* An error that no call has written to. */
zarrc_error check_fresh(void) {
  zarrc_error err;
  memset(&err, 0x5a, sizeof err);
  return err;
}

/* Whether the bytes up to the NUL, which must be there, are whole UTF-8 characters. */
static bool utf8(const char *text, size_t size) {
  const unsigned char *c = (const unsigned char *)text, *end = c + size;
  while (c < end && *c) {
    int more = *c < 0x80 ? 0 : *c < 0xc2 ? -1 : *c < 0xe0 ? 1 : *c < 0xf0 ? 2 : *c < 0xf5 ? 3 : -1;
    if (more < 0 || end - c <= more)
      return false;
    for (c++; more > 0; more--, c++)
      if ((*c & 0xc0) != 0x80)
        return false;
  }
  return c < end;
}

bool check_call(zarrc_status status, const zarrc_error *err, zarrc_status expected,
                const char *word, const char *file, int line, const char *words) {
  const zarrc_error fresh = check_fresh();
  bool said = status != ZARRC_OK && utf8(err->message, sizeof err->message);
  const char *message = said ? err->message : "";
  if (status != expected)
    return count(false, file, line, "%s\n    gave %s, not %s: %s", words,
                 zarrc_status_name(status), zarrc_status_name(expected), message);
  if (status == ZARRC_OK)
    return count(memcmp(err, &fresh, sizeof fresh) == 0, file, line,
                 "%s\n    succeeded, and wrote to *err", words);
  if (!said || !*message || err->status != status)
    return count(false, file, line, "%s\n    gave %s, with status %d and message \"%s\" in *err",
                 words, zarrc_status_name(status), (int)err->status, message);
  return count(!word || strstr(message, word), file, line, "%s\n    does not name %s: %s", words,
               word ? word : "", message);
}

const char *scratch(const char *name) {
  static char paths[16][512];
  static unsigned next;
  char *path = paths[__sync_fetch_and_add(&next, 1) % 16];
  snprintf(path, sizeof paths[0], "%s/%s", directory, name);
  return path;
}

bool slowed(void) {
#ifdef SLOWED
  return true;
#else
  return getenv("SLOWED") != NULL;
#endif
}

double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

uint64_t random_bits(void) { /* splitmix64 */
  static uint64_t state = 20200817;
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint64_t random_below(uint64_t bound) {
  return random_bits() % bound;
}

zarrc_store *memory_store(void) {
  zarrc_store *store = NULL;
  OK(zarrc_store_open("memory:", ZARRC_APPEND, NULL, &store, &err));
  return store;
}

zarrc_store *file_store(const char *path, zarrc_mode mode) {
  zarrc_store *store = NULL;
  OK(zarrc_store_open(path, mode, NULL, &store, &err));
  return store;
}

zarrc_array_spec *spec_of(zarrc_data_type type, size_t rank, const uint64_t *shape,
                          const uint64_t *chunk_shape) {
  zarrc_array_spec *spec = NULL;
  OK(zarrc_array_spec_new(type, rank, shape, &spec, &err));
  if (chunk_shape)
    OK(zarrc_array_spec_set_chunk_shape(spec, rank, chunk_shape, &err));
  return spec;
}

zarrc_array *create(zarrc_store *store, const char *path, zarrc_array_spec *spec) {
  zarrc_array *array = NULL;
  OK(zarrc_array_create(store, path, spec, &array, &err));
  zarrc_array_spec_free(spec);
  return array;
}

void close_array(zarrc_array *array) {
  OK(zarrc_array_close(array, &err));
}

void close_store(zarrc_store *store) {
  OK(zarrc_store_close(store, &err));
}

bool has_key(const zarrc_store *store, const char *key) {
  uint8_t *value = NULL;
  size_t size = 0;
  if (zarrc_store_get(store, key, &value, &size, NULL) != ZARRC_OK)
    return false;
  zarrc_value_free(value, size);
  return true;
}

void set_text(zarrc_store *store, const char *key, const char *text) {
  OK(zarrc_store_set(store, key, text, strlen(text), &err));
}
