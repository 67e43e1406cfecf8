/* What the C runners share: the job (key=value arguments), the clock, and the operations written once for
 * every library. run.py says what the keys mean; rust/src/job.rs and py/job.py are the same for theirs. */
#ifndef JOB_H
#define JOB_H
#define _GNU_SOURCE
#include <ftw.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define RANK_MAX 8

typedef struct box {
  uint64_t start[RANK_MAX], count[RANK_MAX];
} box;

/* The calls of a library. A handle is what `open` and `create` return. */
struct selection;
typedef struct library {
  void *(*open)(const char *path, bool writable);
  void *(*create)(const char *parent, const char *name, const uint64_t *shape);
  void (*close)(void *handle);
  void (*read)(void *handle, const box *b, void *out, uint64_t size);
  void (*write)(void *handle, const box *b, const void *data, uint64_t size);
  void (*resize)(void *handle, const uint64_t *shape);
  uint64_t (*list)(const char *path);                /* the sum of the arrays' first extents */
  void (*create_many)(const char *parent, uint64_t n, const void *data, uint64_t size);
  const char *suffix;                                /* of what `create` makes */
  bool (*select)(void *handle, const struct selection *, void *out); /* false: cannot */
} library;

static int g_argc;
static char **g_argv;
static int rank_;
static uint64_t shape_[RANK_MAX], chunk_[RANK_MAX], item_, reps_;

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}
static const char *text(const char *key) {
  size_t n = strlen(key);
  for (int i = 1; i < g_argc; i++)
    if (!strncmp(g_argv[i], key, n) && g_argv[i][n] == '=') return g_argv[i] + n + 1;
  return "";
}
static uint64_t number(const char *key) { return strtoull(text(key), NULL, 10); }
static int dims(const char *key, uint64_t *v) {
  int n = 0;
  for (const char *s = text(key); *s && n < RANK_MAX; n++) {
    char *end;
    v[n] = strtoull(s, &end, 10);
    s = *end == ',' ? end + 1 : end;
  }
  return n;
}
static void parse_job(int argc, char **argv) {
  g_argc = argc, g_argv = argv;
  rank_ = dims("shape", shape_);
  dims("chunk", chunk_);
  item_ = number("itemsize");
  reps_ = number("reps") ? number("reps") : 1;
}
static uint64_t bytes_of(const uint64_t *count) {
  uint64_t n = item_;
  for (int d = 0; d < rank_; d++) n *= count[d];
  return n;
}
static void *memory(uint64_t n) { /* touched, so that it costs nothing later */
  void *p = malloc(n ? n : 1);
  if (!p) fail("memory", "none");
  memset(p, 1, n);
  return p;
}
static void *load(const char *path, uint64_t *size) { /* with a NUL behind it */
  struct stat st;
  FILE *f = fopen(path, "rb");
  if (!f || fstat(fileno(f), &st)) fail(path, "cannot be read");
  char *p = memory((uint64_t)st.st_size + 1);
  if (fread(p, 1, (size_t)st.st_size, f) != (size_t)st.st_size) fail(path, "cannot be read");
  p[st.st_size] = 0;
  fclose(f);
  if (size) *size = (uint64_t)st.st_size;
  return p;
}
static box *load_boxes(uint64_t *n, uint64_t *largest) {
  uint64_t size, *v = load(text("boxes"), &size);
  *n = size / sizeof(uint64_t) / 2 / (uint64_t)rank_;
  *largest = 0;
  box *boxes = calloc(*n, sizeof *boxes);
  for (uint64_t i = 0; i < *n; i++) {
    memcpy(boxes[i].start, v + 2 * i * (uint64_t)rank_, sizeof(uint64_t) * (size_t)rank_);
    memcpy(boxes[i].count, v + (2 * i + 1) * (uint64_t)rank_, sizeof(uint64_t) * (size_t)rank_);
    uint64_t b = bytes_of(boxes[i].count);
    if (b > *largest) *largest = b;
  }
  free(v);
  return boxes;
}
static uint64_t byte_sum(const void *p, uint64_t n) {
  const uint8_t *b = p;
  uint64_t sum = 0;
  for (uint64_t i = 0; i < n; i += 4096) {
    uint32_t part = 0;
    for (uint64_t k = i; k < n && k < i + 4096; k++) part += b[k];
    sum += part;
  }
  return sum;
}
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
/* VmHWM, VmRSS: KiB. (The maximum of getrusage would include what the driver had before exec.) */
static long status(const char *what) {
  char line[256];
  long kib = 0;
  FILE *f = fopen("/proc/self/status", "r");
  while (f && fgets(line, sizeof line, f))
    if (!strncmp(line, what, strlen(what))) kib = strtol(line + strlen(what) + 1, NULL, 10);
  if (f) fclose(f);
  return kib;
}
static int remove_one(const char *path, const struct stat *s, int type, struct FTW *f) {
  (void)s, (void)type, (void)f;
  return remove(path);
}

static double times_[1024];
static int time_count;
static long base_rss, peak_rss;
static void begin(void) { /* all that memory is compared with is there: the maximum starts anew */
  FILE *f = fopen("/proc/self/clear_refs", "w");
  if (f) fputs("5", f), fclose(f);
  base_rss = status("VmRSS");
}
static void took(double since) {
  if (time_count < 1024) times_[time_count++] = now() - since;
  peak_rss = status("VmHWM");
}
static void report(uint64_t sum) {
  printf("{\"times\":[");
  for (int i = 0; i < time_count; i++) printf("%s%.9f", i ? "," : "", times_[i]);
  printf("],\"sum\":%" PRIu64 ",\"base_kib\":%ld,\"peak_kib\":%ld}\n", sum, base_rss, peak_rss);
}
static void unsupported(const char *why) {
  printf("{\"unsupported\":\"%s\"}\n", why);
  exit(0);
}
/* The place for one repetition of a write: empty, the one before it gone. */
static const char *place(uint64_t rep) {
  static char path[4096], old[4096];
  snprintf(old, sizeof old, "%s/r%d", text("out"), (int)rep - 1);
  if (rep) nftw(old, remove_one, 32, FTW_DEPTH | FTW_PHYS);
  snprintf(path, sizeof path, "%s/r%d", text("out"), (int)rep);
  mkdir(text("out"), 0777), mkdir(path, 0777);
  return path;
}

/* A selection, as run.py writes it: its kind (0 points, 1 orthogonal, 2 mask, 3 planes), how many
 * elements it has, and numbers: of points three each; of an orthogonal one the index of the first
 * dimension, then for the two others how many indices, and those; of planes their step. Of a mask a
 * byte for each element of the array follows. */
typedef struct selection {
  uint64_t kind, count;
  uint64_t *numbers;
  uint8_t *mask;
} selection;
static selection load_selection(void) {
  uint64_t size;
  uint64_t *all = (uint64_t *)(void *)load(text("boxes"), &size);
  selection s = {all[0], all[1], all + 2, (uint8_t *)(all + 2)};
  return s;
}
static void op_select(const library *L) {
  const selection s = load_selection();
  if (!L->select) {
    unsupported("no selections");
    return;
  }
  void *handle = L->open(text("store"), false), *out = memory(s.count * item_);
  begin();
  for (uint64_t rep = 0; rep < reps_; rep++) {
    double t = now();
    if (!L->select(handle, &s, out)) {
      unsupported("no such selection");
      return;
    }
    took(t);
  }
  L->close(handle);
  report(byte_sum(out, s.count * item_));
}
static void op_read(const library *L) {
  uint64_t n, largest, sum = 0;
  box *boxes = load_boxes(&n, &largest);
  void *handle = L->open(text("store"), false), *out = memory(largest);
  begin();
  for (uint64_t rep = 0; rep < reps_; rep++) {
    double t = now();
    for (uint64_t i = 0; i < n; i++) L->read(handle, &boxes[i], out, bytes_of(boxes[i].count));
    took(t);
  }
  for (uint64_t i = 0; i < n; i++) { /* once more, to see what came */
    L->read(handle, &boxes[i], out, bytes_of(boxes[i].count));
    sum += byte_sum(out, bytes_of(boxes[i].count));
  }
  L->close(handle);
  report(sum);
}
static void op_write(const library *L) {
  uint64_t n, largest, now_[RANK_MAX], whole = bytes_of(shape_);
  box *boxes = load_boxes(&n, &largest), all = {{0}, {0}};
  const bool existing = number("existing"), grow = number("grow");
  const char *data = load(text("data"), NULL), *parent = NULL;
  char path[5000];
  snprintf(path, sizeof path, "%s", text("out"));
  memcpy(now_, shape_, sizeof now_);
  begin();
  for (uint64_t rep = 0; rep < reps_; rep++) {
    if (!existing) parent = place(rep);
    const char *from = data;
    double t = now();
    if (grow) now_[0] = boxes[0].count[0];
    void *handle = existing ? L->open(path, true) : L->create(parent, "a", now_);
    for (uint64_t i = 0; i < n; i++) {
      if (grow && i) {
        now_[0] = boxes[i].start[0] + boxes[i].count[0];
        L->resize(handle, now_);
      }
      L->write(handle, &boxes[i], from, bytes_of(boxes[i].count));
      from += bytes_of(boxes[i].count);
    }
    L->close(handle);
    took(t);
  }
  if (!existing) snprintf(path, sizeof path, "%s/a%s", parent, L->suffix);
  memcpy(all.count, shape_, sizeof all.count);
  void *handle = L->open(path, false), *out = memory(whole);
  L->read(handle, &all, out, whole);
  L->close(handle);
  report(byte_sum(out, whole));
}
static void op_open(const library *L) {
  begin();
  for (uint64_t rep = 0; rep < reps_; rep++) {
    double t = now();
    for (uint64_t i = number("n"); i--;) L->close(L->open(text("store"), false));
    took(t);
  }
  box all = {{0}, {0}};
  memcpy(all.count, shape_, sizeof all.count);
  void *handle = L->open(text("store"), false), *out = memory(bytes_of(shape_));
  L->read(handle, &all, out, bytes_of(shape_));
  L->close(handle);
  report(byte_sum(out, bytes_of(shape_)));
}
static void op_create(const library *L) {
  void *data = memory(bytes_of(shape_));
  begin();
  for (uint64_t rep = 0; rep < reps_; rep++) {
    const char *parent = place(rep);
    double t = now();
    L->create_many(parent, number("n"), data, bytes_of(shape_));
    took(t);
  }
  report(0);
}
static void op_list(const library *L) {
  uint64_t sum = 0;
  begin();
  for (uint64_t rep = 0; rep < reps_; rep++) {
    double t = now();
    sum = L->list(text("store"));
    took(t);
  }
  report(sum);
}
static int run_job(const library *L) {
  static const struct {
    const char *name;
    void (*run)(const library *);
  } ops[] = {{"read", op_read}, {"write", op_write}, {"open", op_open}, {"create", op_create}, {"list", op_list},
               {"select", op_select}};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (!strcmp(text("op"), ops[i].name)) {
      ops[i].run(L);
      return 0;
    }
  unsupported("no such operation");
  return 0;
}
#endif
