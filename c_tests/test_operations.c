/* What spans nodes: copying, moving, consolidated metadata, rechunking, checking, digests. */
#include "check.h"

enum { ROWS = 8, COLUMNS = 6 };

static void build(zarrc_store *store, zarrc_format format) {
  const uint64_t shape[] = {ROWS, COLUMNS}, chunks[] = {4, 4};
  zarrc_group *group = NULL;
  int32_t values[ROWS * COLUMNS];
  for (int i = 0; i < ROWS * COLUMNS; i++)
    values[i] = i + 1;
  OK(zarrc_group_create(store, "g", format, &group, &err));
  OK(zarrc_attributes_set_string(zarrc_group_attributes(group), "title", "heat", &err));
  OK(zarrc_group_close(group, &err));
  zarrc_array *array = create(store, "g/t", spec_of(ZARRC_INT32, 2, shape, chunks));
  OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err));
  close_array(array);
}

static void holds(zarrc_store *store, const char *path) {
  zarrc_array *array = NULL;
  int32_t values[ROWS * COLUMNS];
  OK(zarrc_array_open(store, path, &array, &err));
  if (!array)
    return;
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err));
  for (int i = 0; i < ROWS * COLUMNS; i++)
    SAME(values[i], i + 1);
  close_array(array);
}

static zarrc_node_kind kind_at(zarrc_store *store, const char *path) {
  zarrc_node_kind kind = -1;
  OK(zarrc_node_kind_at(store, path, &kind, &err));
  return kind;
}

/* Whether the text of what is stored under a key holds some words. */
static bool key_holds(zarrc_store *store, const char *key, const char *words) {
  uint8_t *value = NULL;
  size_t size = 0;
  bool found = false;
  if (zarrc_store_get(store, key, &value, &size, NULL) != ZARRC_OK)
    return false;
  for (size_t at = 0; !found && at + strlen(words) <= size; at++)
    found = memcmp(value + at, words, strlen(words)) == 0;
  zarrc_value_free(value, size);
  return found;
}

/* How many problems of a kind a check of the store finds; NULL: of all kinds. */
static int problems(const zarrc_store *store, const char *kind) {
  char *report = NULL, words[64];
  int count = 0;
  OK(zarrc_verify(store, "", NULL, NULL, &report, &err));
  if (!report)
    return -1;
  snprintf(words, sizeof words, "\"kind\":\"%s", kind ? kind : "");
  for (const char *at = report; (at = strstr(at, words)); at++)
    count++;
  zarrc_string_free(report);
  return count;
}

static bool stop(void *user, double done, const char *what) {
  int *calls_left = user;
  CHECK(done >= 0 && done <= 1 && what);
  return (*calls_left)-- > 0;
}

static const zarrc_format formats[] = {ZARRC_FORMAT_V2, ZARRC_FORMAT_V3, ZARRC_FORMAT_N5,
                                       ZARRC_FORMAT_V3_2020};

static void copied_and_moved(void) {
  for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
    zarrc_store *from = memory_store(), *to = memory_store();
    build(from, formats[f]);
    OK(zarrc_node_copy(from, "g", to, "a/b", &err));
    holds(to, "a/b/t");
    holds(from, "g/t");
    SAME(kind_at(to, "a"), ZARRC_NODE_GROUP);
    FAILS(zarrc_node_copy(from, "g", to, "a/b", &err), ZARRC_ALREADY_EXISTS);
    FAILS(zarrc_node_copy(from, "none", to, "c", &err), ZARRC_NOT_FOUND);
    FAILS(zarrc_node_copy(to, "a", to, "a/b/c", &err), ZARRC_INVALID_ARGUMENT);

    OK(zarrc_node_move(to, "a/b/t", "a/moved", &err));
    holds(to, "a/moved");
    SAME(kind_at(to, "a/b/t"), ZARRC_NODE_NONE);
    FAILS(zarrc_node_move(to, "a/b/t", "x", &err), ZARRC_NOT_FOUND);
    FAILS(zarrc_node_move(to, "a/moved", "a/b", &err), ZARRC_ALREADY_EXISTS);
    holds(to, "a/moved");
    SAME(problems(to, NULL), 0);

    /* all of a store */
    zarrc_store *all = memory_store();
    OK(zarrc_node_copy(from, "", all, "", &err));
    holds(all, "g/t");
    close_store(all);
    close_store(from);
    close_store(to);
  }
  zarrc_store *v2 = memory_store(), *n5 = memory_store();
  build(v2, ZARRC_FORMAT_V2);
  build(n5, ZARRC_FORMAT_N5);
  FAILS(zarrc_node_copy(v2, "g", n5, "h", &err), ZARRC_INVALID_ARGUMENT);
  close_store(v2);
  close_store(n5);
}

static void copied_with_options(void) {
  zarrc_store *from = memory_store(), *to = memory_store();
  const char *exclude[] = {"t"};
  zarrc_copied copied = {0, 0, 0};
  zarrc_copy_options options;
  int calls_left = 1;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  build(from, ZARRC_FORMAT_V3);

  options.dry_run = true;
  OK(zarrc_node_copy_with(from, "g", to, "h", &options, &copied, &err));
  SAME(copied.keys, 6); /* four chunks, two documents */
  CHECK(copied.bytes > 0);
  SAME(kind_at(to, "h"), ZARRC_NODE_NONE);
  options.dry_run = false;

  options.exclude = exclude;
  options.exclude_count = 1;
  OK(zarrc_node_copy_with(from, "g", to, "h", &options, &copied, &err));
  SAME(copied.keys, 1);
  SAME(kind_at(to, "h/t"), ZARRC_NODE_NONE);
  options.exclude_count = 0;

  FAILS(zarrc_node_copy_with(from, "g", to, "h", &options, &copied, &err), ZARRC_ALREADY_EXISTS);
  options.if_exists = ZARRC_IF_EXISTS_SKIP;
  OK(zarrc_node_copy_with(from, "g", to, "h", &options, &copied, &err));
  SAME(copied.keys, 5);
  SAME(copied.skipped, 1);
  holds(to, "h/t");
  options.if_exists = ZARRC_IF_EXISTS_REPLACE;
  OK(zarrc_node_copy_with(from, "g", to, "h", &options, NULL, &err));
  holds(to, "h/t");
  options.if_exists = 3;
  REFUSES(zarrc_node_copy_with(from, "g", to, "h", &options, NULL, &err), "if_exists");
  options.if_exists = ZARRC_IF_EXISTS_FAIL;

  options.progress = stop;
  options.user = &calls_left;
  FAILS(zarrc_node_copy_with(from, "g", to, "i", &options, &copied, &err), ZARRC_CANCELLED);
  SAME(kind_at(to, "i/t"), ZARRC_NODE_NONE); /* documents come last */
  close_store(from);
  close_store(to);
}

static void linked(void) {
  zarrc_store *from = file_store(scratch("linked-from"), ZARRC_CREATE);
  zarrc_store *to = file_store(scratch("linked-to"), ZARRC_CREATE), *memory = memory_store();
  const uint64_t start[] = {1, 1}, count[] = {1, 1};
  const int32_t changed = 99;
  zarrc_array *array = NULL;
  zarrc_copied copied = {0, 0, 0};
  zarrc_copy_options options = {.size = sizeof options, .link = true};
  build(from, ZARRC_FORMAT_V3);
  FAILS(zarrc_node_copy_with(from, "g", memory, "h", &options, NULL, &err), ZARRC_UNSUPPORTED);
  FAILS(zarrc_node_copy_with(memory, "", to, "h", &options, NULL, &err), ZARRC_NOT_FOUND);
  zarrc_array_spec *spec = spec_of(ZARRC_INT32, 1, count, NULL);
  options.spec = spec;
  REFUSES(zarrc_node_copy_with(from, "g", to, "h", &options, NULL, &err), "spec");
  options.spec = NULL;
  zarrc_array_spec_free(spec);
  OK(zarrc_node_copy_with(from, "g", to, "h", &options, &copied, &err));
  SAME(copied.keys, 6);

  OK(zarrc_array_open(from, "g/t", &array, &err));
  OK(zarrc_array_write(array, start, count, ZARRC_INT32, &changed, sizeof changed, &err));
  close_array(array);
  holds(to, "h/t");

  /* a program that was compiled before there was the member */
  options.size = offsetof(zarrc_copy_options, link);
  OK(zarrc_node_copy_with(from, "g", memory, "h", &options, &copied, &err));
  SAME(copied.keys, 6);
  close_store(from);
  close_store(to);
  close_store(memory);
}

static void copied_recoded(void) {
  const uint64_t shape[] = {1, 1}, chunks[] = {2, 7}, shards[] = {4, 7};
  zarrc_store *from = memory_store(), *to = memory_store();
  build(from, ZARRC_FORMAT_V2);
  zarrc_array *array = NULL;
  zarrc_copied copied;
  char *units = NULL;
  uint64_t inner[2] = {0, 0};
  OK(zarrc_array_open(from, "g/t", &array, &err));
  OK(zarrc_attributes_set_string(zarrc_array_attributes(array), "units", "K", &err));
  close_array(array);

  /* neither the shape nor the type of the description counts */
  zarrc_array_spec *spec = spec_of(ZARRC_FLOAT64, 2, shape, chunks);
  OK(zarrc_array_spec_set_shard_shape(spec, 2, shards, &err));
  OK(zarrc_array_spec_set_format(spec, ZARRC_FORMAT_V3, &err));
  zarrc_copy_options options = {.size = sizeof options, .spec = spec, .dry_run = true};
  OK(zarrc_node_copy_with(from, "g", to, "h", &options, &copied, &err));
  SAME(copied.keys, 2);
  SAME(copied.bytes, ROWS * COLUMNS * 4);
  SAME(kind_at(to, "h"), ZARRC_NODE_NONE);
  options.dry_run = false;
  OK(zarrc_node_copy_with(from, "g", to, "h", &options, &copied, &err));
  SAME(copied.keys, 2);
  holds(to, "h/t");
  OK(zarrc_array_open(to, "h/t", &array, &err));
  OK(zarrc_array_chunk_shape(array, 2, inner, &err));
  SAME(inner[0], 2);
  SAME(inner[1], 7);
  CHECK(has_key(to, "h/t/zarr.json") && !has_key(to, "h/t/.zarray"));
  OK(zarrc_attributes_get_string(zarrc_array_attributes(array), "units", &units, &err));
  SAME_TEXT(units, "K");
  zarrc_string_free(units);
  close_array(array);
  CHECK(key_holds(to, "h/zarr.json", "heat"));

  FAILS(zarrc_node_copy_with(from, "g", to, "h", &options, NULL, &err), ZARRC_ALREADY_EXISTS);
  options.if_exists = ZARRC_IF_EXISTS_SKIP;
  OK(zarrc_node_copy_with(from, "g", to, "h", &options, &copied, &err));
  SAME(copied.keys, 0);
  SAME(copied.skipped, 2);
  options.if_exists = ZARRC_IF_EXISTS_REPLACE;
  OK(zarrc_node_copy_with(from, "g", to, "h", &options, &copied, &err));
  SAME(copied.keys, 2);
  holds(to, "h/t");

  const char *const excluded[] = {"t"};
  options.exclude = excluded;
  options.exclude_count = 1;
  OK(zarrc_node_copy_with(from, "g", to, "without", &options, &copied, &err));
  SAME(copied.keys, 1);
  SAME(kind_at(to, "without/t"), ZARRC_NODE_NONE);
  options.exclude_count = 0;

  /* cancelled within the array, and made again */
  int calls_left = 1;
  options.if_exists = ZARRC_IF_EXISTS_SKIP;
  options.memory_limit = 400;
  options.progress = stop;
  options.user = &calls_left;
  FAILS(zarrc_node_copy_with(from, "g", to, "again", &options, NULL, &err), ZARRC_CANCELLED);
  SAME(kind_at(to, "again/t"), ZARRC_NODE_NONE);
  calls_left = 100;
  OK(zarrc_node_copy_with(from, "g", to, "again", &options, NULL, &err));
  holds(to, "again/t");
  options.progress = NULL;

  REFUSES(zarrc_node_copy_with(from, "g", from, "g/x", &options, NULL, &err), "lie within");
  FAILS(zarrc_node_copy_with(from, "nothing", to, "x", &options, NULL, &err), ZARRC_NOT_FOUND);
  SAME(problems(to, NULL), 0);
  zarrc_array_spec_free(spec);
  close_store(from);
  close_store(to);
}

static void deleted_node_by_node(void) {
  for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
    zarrc_store *store = memory_store();
    uint64_t deleted = 0;
    int calls_left = 0;
    build(store, formats[f]);
    OK(zarrc_node_copy(store, "g", store, "g2", &err));
    OK(zarrc_node_move(store, "g2", "g/deep/g2", &err));
    FAILS(zarrc_node_delete_with(store, "g", stop, &calls_left, &deleted, &err), ZARRC_CANCELLED);
    SAME(kind_at(store, "g"), ZARRC_NODE_GROUP);
    SAME(kind_at(store, "g/deep/g2/t"), ZARRC_NODE_NONE);
    holds(store, "g/t"); /* the other is as it was */
    SAME(problems(store, NULL), 0);
    calls_left = 100;
    OK(zarrc_node_delete_with(store, "g", stop, &calls_left, &deleted, &err));
    SAME(kind_at(store, "g"), ZARRC_NODE_NONE);
    CHECK(deleted >= 2 && deleted <= 4); /* groups may be implied */
    FAILS(zarrc_node_delete_with(store, "g", NULL, NULL, NULL, &err), ZARRC_NOT_FOUND);
    SAME(problems(store, NULL), 0);
    close_store(store);
  }
}

static void consolidated(void) {
  const struct {
    zarrc_format format;
    const char *key;
  } cases[] = {{ZARRC_FORMAT_V2, ".zmetadata"}, {ZARRC_FORMAT_V3, "zarr.json"}};
  for (size_t c = 0; c < 2; c++) {
    const char *path = scratch(c ? "c3" : "c2"), *key = cases[c].key;
    const uint64_t grown[] = {11, COLUMNS};
    zarrc_store *store = file_store(path, ZARRC_CREATE);
    zarrc_group *group = NULL;
    zarrc_array *array = NULL;
    build(store, cases[c].format);
    FAILS(zarrc_consolidate_metadata(store, "g/t", &err), ZARRC_NOT_FOUND);
    FAILS(zarrc_consolidate_metadata(store, "none", &err), ZARRC_NOT_FOUND);
    OK(zarrc_consolidate_metadata(store, "", &err));
    CHECK(key_holds(store, key, "g/t"));
    SAME(problems(store, NULL), 0);

    /* every change to a document follows */
    OK(zarrc_array_open(store, "g/t", &array, &err));
    OK(zarrc_array_resize(array, 2, grown, &err));
    OK(zarrc_attributes_set_string(zarrc_array_attributes(array), "units", "kelvin", &err));
    close_array(array);
    CHECK(key_holds(store, key, "11"));
    CHECK(key_holds(store, key, "kelvin"));
    OK(zarrc_group_create(store, "later", cases[c].format, &group, &err));
    OK(zarrc_group_close(group, &err));
    CHECK(key_holds(store, key, "later"));
    OK(zarrc_node_move(store, "g/t", "later/s", &err));
    CHECK(key_holds(store, key, "later/s"));
    CHECK(!key_holds(store, key, "g/t"));
    OK(zarrc_node_delete(store, "g", &err));
    CHECK(!key_holds(store, key, "heat"));
    SAME(problems(store, NULL), 0);
    close_store(store);

    /* or is refused */
    zarrc_options *options = zarrc_options_new();
    OK(zarrc_options_set(options, "consolidate", "refuse", &err));
    OK(zarrc_store_open(path, ZARRC_READ_WRITE, options, &store, &err));
    OK(zarrc_group_open(store, "later", &group, &err));
    FAILS_NAMING(zarrc_attributes_set_int64(zarrc_group_attributes(group), "n", 1, &err),
                 ZARRC_PERMISSION_DENIED, "consolidate");
    FAILS(zarrc_node_delete(store, "later", &err), ZARRC_PERMISSION_DENIED);
    OK(zarrc_group_close(group, &err));
    close_store(store);

    /* or waits until the store is closed */
    OK(zarrc_options_set(options, "consolidate", "close", &err));
    OK(zarrc_store_open(path, ZARRC_READ_WRITE, options, &store, &err));
    OK(zarrc_group_open(store, "later", &group, &err));
    OK(zarrc_attributes_set_int64(zarrc_group_attributes(group), "n", 123454321, &err));
    OK(zarrc_group_close(group, &err));
    SAME(problems(store, "consolidated"), 1);
    close_store(store);
    zarrc_options_free(options);
    store = file_store(path, ZARRC_READ);
    CHECK(key_holds(store, key, "123454321"));
    SAME(problems(store, NULL), 0);
    close_store(store);
  }
  zarrc_store *n5 = memory_store();
  build(n5, ZARRC_FORMAT_N5);
  FAILS(zarrc_consolidate_metadata(n5, "", &err), ZARRC_UNSUPPORTED);
  close_store(n5);
}

static void rechunked(void) {
  const uint64_t shape[] = {ROWS, COLUMNS}, tall[] = {8, 2}, other[] = {8, 7};
  const uint64_t inner[] = {2, 2}, shard[] = {4, 6};
  zarrc_store *store = memory_store();
  zarrc_array *from = NULL, *array = NULL;
  build(store, ZARRC_FORMAT_V2);
  OK(zarrc_array_open(store, "g/t", &from, &err));
  OK(zarrc_attributes_set_string(zarrc_array_attributes(from), "units", "K", &err));

  zarrc_array_spec *spec = spec_of(ZARRC_INT32, 2, shape, tall);
  OK(zarrc_rechunk(from, store, "g/tall", spec, 0, NULL, NULL, &err));
  holds(store, "g/tall");
  CHECK(!has_key(store, "g/tall/.zarrc-rechunk.json"));
  FAILS(zarrc_rechunk(from, store, "g/tall", spec, 0, NULL, NULL, &err), ZARRC_ALREADY_EXISTS);
  FAILS(zarrc_rechunk(from, store, "g/small", spec, 10, NULL, NULL, &err), ZARRC_LIMIT_EXCEEDED);
  OK(zarrc_array_open(store, "g/tall", &array, &err));
  char *units = NULL;
  OK(zarrc_attributes_get_string(zarrc_array_attributes(array), "units", &units, &err));
  SAME_TEXT(units, "K");
  zarrc_string_free(units);
  close_array(array);

  /* cancelled after each block, until it is done */
  int calls_left = 0, runs = 1;
  while (runs < 20 && zarrc_rechunk(from, store, "g/again", spec, 600, stop, &calls_left, NULL)) {
    SAME(kind_at(store, "g/again"), ZARRC_NODE_NONE);
    CHECK(has_key(store, "g/again/.zarrc-rechunk.json"));
    calls_left = runs++;
  }
  CHECK(runs > 1 && runs < 20);
  holds(store, "g/again");
  CHECK(!has_key(store, "g/again/.zarrc-rechunk.json"));
  zarrc_array_spec_free(spec);

  spec = spec_of(ZARRC_INT32, 2, shape, inner);
  OK(zarrc_array_spec_set_shard_shape(spec, 2, shard, &err));
  OK(zarrc_array_spec_set_format(spec, ZARRC_FORMAT_V3, &err));
  zarrc_store *v3 = memory_store();
  OK(zarrc_rechunk(from, v3, "sharded", spec, 0, NULL, NULL, &err));
  holds(v3, "sharded");
  zarrc_array_spec_free(spec);
  close_store(v3);

  spec = spec_of(ZARRC_INT32, 2, other, tall);
  REFUSES(zarrc_rechunk(from, store, "g/x", spec, 0, NULL, NULL, &err), "shape");
  zarrc_array_spec_free(spec);
  spec = spec_of(ZARRC_FLOAT32, 2, shape, tall);
  REFUSES(zarrc_rechunk(from, store, "g/x", spec, 0, NULL, NULL, &err), "data type");
  zarrc_array_spec_free(spec);
  close_array(from);
  SAME(problems(store, NULL), 0);
  close_store(store);
}

struct damage {
  const char *key, *text, *kind;
};

static void verified(void) {
  const struct damage damages[] = {
      {"g/t/c/0/0", "not a chunk", "chunk"},
      {"g/t/c/0/0", "", "chunk"},
      {"g/t/c/9/0", "anything", "outside"},
      {"g/t/c/other", "anything", "unknown"},
      {"g/t/zarr.json", "{", "document"},
      {"g/zarr.json", "[]", "document"},
      {"g/t/.zgroup", "{\"zarr_format\": 2}", "mixture"},
      {"g/.zarrc-conversion", "{}", "interrupted"},
      {"zarr.json",
       "{\"zarr_format\": 3, \"node_type\": \"group\", \"consolidated_metadata\": {\"kind\": "
       "\"inline\", \"must_understand\": false, \"metadata\": {}}}",
       "consolidated"},
  };
  for (size_t d = 0; d < sizeof damages / sizeof *damages; d++) {
    zarrc_store *store = memory_store();
    build(store, ZARRC_FORMAT_V3);
    SAME(problems(store, NULL), 0);
    set_text(store, damages[d].key, damages[d].text);
    CHECK(problems(store, damages[d].kind) > 0);
    close_store(store);
  }
  zarrc_store *store = memory_store();
  char *report = NULL;
  int calls_left = 2;
  build(store, ZARRC_FORMAT_V3);
  OK(zarrc_verify(store, "g/t", NULL, NULL, &report, &err));
  CHECK(strstr(report, "\"nodes\":1") && strstr(report, "\"chunks\":4"));
  zarrc_string_free(report);
  report = NULL;
  FAILS(zarrc_verify(store, "", stop, &calls_left, &report, &err), ZARRC_CANCELLED);
  FAILS(zarrc_verify(store, "none", NULL, NULL, &report, &err), ZARRC_NOT_FOUND);
  CHECK(report == NULL);
  close_store(store);
}

static void repaired(void) {
  zarrc_store *store = memory_store();
  char *report = NULL;
  build(store, ZARRC_FORMAT_V3);
  OK(zarrc_consolidate_metadata(store, "", &err));
  set_text(store, "g/t/c/9/0", "outside");
  set_text(store, "g/t/c/0/0", "damaged");
  set_text(store, "g/later/zarr.json", "{\"zarr_format\": 3, \"node_type\": \"group\"}");
  SAME(problems(store, NULL), 3);
  REFUSES(zarrc_repair(store, "", "document", true, NULL, NULL, &report, &err), "document");
  OK(zarrc_repair(store, "", "outside, consolidated", true, NULL, NULL, &report, &err));
  CHECK(strstr(report, "g/t/c/9/0"));
  zarrc_string_free(report);
  SAME(problems(store, NULL), 3); /* a dry run */
  OK(zarrc_repair(store, "", "outside,consolidated", false, NULL, NULL, &report, &err));
  zarrc_string_free(report);
  SAME(problems(store, NULL), 1);
  CHECK(has_key(store, "g/t/c/0/0")); /* nobody asked for it */
  OK(zarrc_repair(store, "", "chunk", false, NULL, NULL, &report, &err));
  zarrc_string_free(report);
  SAME(problems(store, NULL), 0);
  CHECK(!has_key(store, "g/t/c/0/0"));
  close_store(store);
}

/* A shard of which every part of the index is put out of order, and which is cut short. */
static void verified_shards(void) {
  const uint64_t shape[] = {8, 8}, inner[] = {4, 4}, shard[] = {8, 8};
  int32_t values[64];
  for (int i = 0; i < 64; i++)
    values[i] = i + 1;
  for (int damage = 0; damage < 6; damage++) {
    zarrc_store *store = memory_store();
    zarrc_array_spec *spec = spec_of(ZARRC_INT32, 2, shape, inner);
    uint8_t *value = NULL;
    size_t size = 0;
    OK(zarrc_array_spec_set_shard_shape(spec, 2, shard, &err));
    OK(zarrc_array_spec_add_codec(spec, "zstd", NULL, &err));
    OK(zarrc_array_spec_add_codec(spec, "crc32c", NULL, &err));
    zarrc_array *array = create(store, "s", spec);
    OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err));
    close_array(array);
    SAME(problems(store, NULL), 0);
    OK(zarrc_store_get(store, "s/c/0/0", &value, &size, &err));
    value[damage * (size - 1) / 5] ^= 0xff; /* inner chunks, the index, its checksum */
    OK(zarrc_store_set(store, "s/c/0/0", value, damage == 5 ? size / 2 : size, &err));
    zarrc_value_free(value, size);
    CHECK(problems(store, NULL) > 0);
    close_store(store);
  }
}

static void digests(void) {
  /* sha1 and sha256 of numpy.arange(1, 49, dtype="<i4").tobytes(), by Python's hashlib */
  const char *sha1 = "00ac98c0f898b87b2076b02b829af98969faffc8";
  const char *sha256 = "aeb63db345168a2b73755639d5ef055da5834cb4aab10e68c64ae64903a85a71";
  for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
    zarrc_store *store = memory_store();
    zarrc_array *array = NULL;
    char *digest = NULL, *first = NULL, *second = NULL;
    int32_t value = 1000;
    const uint64_t one[] = {1, 1};
    build(store, formats[f]);
    OK(zarrc_array_open(store, "g/t", &array, &err));
    OK(zarrc_array_content_digest(array, "sha1", &digest, &err));
    SAME_TEXT(digest, sha1);
    zarrc_string_free(digest);
    OK(zarrc_array_content_digest(array, "sha256", &digest, &err));
    SAME_TEXT(digest, sha256);
    zarrc_string_free(digest);
    REFUSES(zarrc_array_content_digest(array, "md5", &digest, &err), "md5");

    OK(zarrc_array_stored_digest(array, "sha1", &first, &err));
    OK(zarrc_array_write(array, NULL, one, ZARRC_INT32, &value, sizeof value, &err));
    OK(zarrc_array_stored_digest(array, "sha1", &second, &err));
    CHECK(first && second && strlen(first) == 40 && strcmp(first, second) != 0);
    zarrc_string_free(first);
    zarrc_string_free(second);
    close_array(array);
    close_store(store);
  }
}

struct visit {
  int count, most;
  uint64_t last[2], bytes;
};

static bool visit_chunk(void *user, const uint64_t *index, const char *key, uint64_t bytes) {
  struct visit *visit = user;
  memcpy(visit->last, index, sizeof visit->last);
  visit->bytes += bytes;
  CHECK(strncmp(key, "g/t/", 4) == 0);
  return ++visit->count < visit->most;
}

static bool visit_node(void *user, const char *path, zarrc_node_kind kind) {
  struct visit *visit = user;
  SAME_TEXT(path, visit->count ? "g/t" : "g");
  SAME(kind, visit->count ? ZARRC_NODE_ARRAY : ZARRC_NODE_GROUP);
  return ++visit->count < visit->most;
}

static void looked_at(void) {
  zarrc_store *store = memory_store();
  zarrc_group *group = NULL;
  zarrc_array *array = NULL;
  char *text = NULL;
  const uint64_t index[] = {1, 0}, beyond[] = {2, 0}, start[] = {1, 0}, count[] = {1, 2};
  build(store, ZARRC_FORMAT_V2);
  OK(zarrc_group_open(store, "", &group, &err));
  OK(zarrc_group_tree(group, &text, &err));
  SAME_TEXT(text, "/\n └── g\n      └── t (8, 6) int32\n");
  zarrc_string_free(text);
  struct visit nodes = {0, 9, {0, 0}, 0};
  OK(zarrc_group_visit(group, visit_node, &nodes, &err));
  SAME(nodes.count, 2);
  nodes.count = 0;
  nodes.most = 1;
  OK(zarrc_group_visit(group, visit_node, &nodes, &err));
  SAME(nodes.count, 1);
  REFUSES(zarrc_group_visit(group, NULL, NULL, &err), "visitor");
  OK(zarrc_group_close(group, &err));

  OK(zarrc_array_open(store, "g/t", &array, &err));
  OK(zarrc_array_chunk_key(array, 2, index, &text, &err));
  SAME_TEXT(text, "g/t/1.0");
  zarrc_string_free(text);
  FAILS(zarrc_array_chunk_key(array, 2, beyond, &text, &err), ZARRC_OUT_OF_BOUNDS);
  SAME(zarrc_array_order(array), 'C');
  SAME(zarrc_array_separator(array), '.');
  SAME(zarrc_array_order(NULL), 0);
  SAME(zarrc_array_separator(NULL), 0);
  OK(zarrc_array_path(array, &text, &err));
  SAME_TEXT(text, "g/t");
  zarrc_string_free(text);
  OK(zarrc_array_store_name(array, &text, &err));
  CHECK(strlen(text) > 0);
  zarrc_string_free(text);
  OK(zarrc_array_codecs_json(array, &text, &err));
  CHECK(strstr(text, "\"name\":\"zstd\""));
  zarrc_string_free(text);

  struct visit visit = {0, 9, {0, 0}, 0};
  OK(zarrc_array_visit_chunks(array, 2, NULL, NULL, visit_chunk, &visit, &err));
  SAME(visit.count, 4);
  SAME(visit.last[0], 1);
  SAME(visit.last[1], 1);
  OK(zarrc_array_info_json(array, &text, &err));
  char words[64];
  snprintf(words, sizeof words, "\"stored_bytes\":%llu,", (unsigned long long)visit.bytes);
  CHECK(strstr(text, words) && strstr(text, "\"bytes\":192,"));
  CHECK(strstr(text, "\"chunks\":4,") && strstr(text, "\"chunks_stored\":4"));
  zarrc_string_free(text);
  visit.count = 0;
  OK(zarrc_array_visit_chunks(array, 2, start, count, visit_chunk, &visit, &err));
  SAME(visit.count, 2);
  visit.count = 0;
  visit.most = 1;
  OK(zarrc_array_visit_chunks(array, 2, NULL, NULL, visit_chunk, &visit, &err));
  SAME(visit.count, 1);
  REFUSES(zarrc_array_visit_chunks(array, 1, start, count, visit_chunk, &visit, &err), "rank");
  close_array(array);
  close_store(store);
}

int main(void) {
  begin("operations");
  RUN(copied_and_moved);
  RUN(copied_with_options);
  RUN(linked);
  RUN(copied_recoded);
  RUN(deleted_node_by_node);
  RUN(consolidated);
  RUN(rechunked);
  RUN(verified);
  RUN(verified_shards);
  RUN(repaired);
  RUN(digests);
  RUN(looked_at);
  return finish();
}
