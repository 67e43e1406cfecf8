/* Elements of variable length: strings, bytes, runs, JSON; parts, shards, edges, and bad input. */
#include "check.h"

/* Elements as the calls want them, of strings or of bytes with lengths. */
struct items {
  uint64_t offsets[65];
  uint8_t bytes[2048];
  size_t count;
};

static void add(struct items *items, const void *bytes, size_t size) {
  uint64_t end = items->offsets[items->count];
  memcpy(items->bytes + end, bytes, size);
  items->offsets[++items->count] = end + size;
}

static struct items words(size_t count, const char *const *texts) {
  struct items items = {{0}, {0}, 0};
  for (size_t i = 0; i < count; i++)
    add(&items, texts[i], strlen(texts[i]));
  return items;
}

/* `count` strings of several lengths, some of them empty, most with `word` in them. */
static struct items numbered(size_t count, const char *word) {
  static const char *const ends[] = {"", "é", "日本", "x"};
  struct items items = {{0}, {0}, 0};
  for (size_t i = 0; i < count; i++) {
    char text[64];
    snprintf(text, sizeof text, "%s%d%s", i % 5 ? word : "", (int)i, ends[i % 4]);
    add(&items, text, i % 11 == 10 ? 0 : strlen(text));
  }
  return items;
}

static void write_all(zarrc_array *array, const struct items *items) {
  OK(zarrc_array_write_vlen(array, NULL, NULL, items->offsets, items->bytes, &err));
}

/* Whether the box holds these elements. */
static bool holds(const zarrc_array *array, const uint64_t *start, const uint64_t *count,
                  const struct items *items) {
  zarrc_vlen *values = NULL;
  OK(zarrc_array_read_vlen(array, start, count, &values, &err));
  bool same = zarrc_vlen_count(values) == items->count;
  const uint64_t *offsets = zarrc_vlen_offsets(values);
  for (size_t i = 0; same && i <= items->count; i++)
    same = offsets[i] == items->offsets[i];
  same = same && memcmp(zarrc_vlen_bytes(values), items->bytes, offsets[items->count]) == 0;
  zarrc_vlen_free(values);
  return same;
}

static zarrc_array *typed(zarrc_store *store, const char *path, zarrc_format format,
                          const char *type, size_t rank, const uint64_t *shape,
                          const uint64_t *chunks) {
  zarrc_array_spec *spec = NULL;
  OK(zarrc_array_spec_new(ZARRC_UINT8, rank, shape, &spec, &err));
  OK(zarrc_array_spec_set_format(spec, format, &err));
  OK(zarrc_array_spec_set_data_type(spec, type, &err));
  OK(zarrc_array_spec_set_chunk_shape(spec, rank, chunks, &err));
  return create(store, path, spec);
}

static void strings_in_each_format(void) {
  const zarrc_format formats[] = {ZARRC_FORMAT_V2, ZARRC_FORMAT_V3};
  const char *texts[] = {"", "a", "größe", "日本語", "a\tb", "long enough to be no short one"};
  const uint64_t shape[] = {2, 3}, chunks[] = {2, 2};
  struct items items = words(6, texts);
  for (size_t f = 0; f < 2; f++) {
    zarrc_store *store = memory_store();
    zarrc_array *array = typed(store, "s", formats[f], "string", 2, shape, chunks);
    SAME(zarrc_array_data_type(array), ZARRC_STRING);
    SAME(zarrc_array_element_size(array), 0);
    write_all(array, &items);
    CHECK(holds(array, NULL, NULL, &items));
    const uint64_t start[] = {1, 0}, count[] = {1, 3};
    struct items row = words(3, texts + 3);
    CHECK(holds(array, start, count, &row));
    const uint64_t none[] = {0, 0};
    struct items empty = words(0, texts);
    CHECK(holds(array, start, none, &empty));
    close_array(array);
    OK(zarrc_array_open(store, "s", &array, &err));
    CHECK(holds(array, NULL, NULL, &items));
    close_array(array);
    close_store(store);
  }
}

static void bytes_runs_and_json(void) {
  zarrc_store *store = memory_store();
  const uint64_t shape[] = {3}, chunks[] = {2};
  struct items bytes = {{0}, {0}, 0};
  add(&bytes, "\0\xff", 2);
  add(&bytes, "", 0);
  add(&bytes, "\x80", 1);
  zarrc_array *array = typed(store, "b", ZARRC_FORMAT_V3, "bytes", 1, shape, chunks);
  SAME(zarrc_array_data_type(array), ZARRC_BYTES);
  write_all(array, &bytes);
  CHECK(holds(array, NULL, NULL, &bytes));
  close_array(array);
  close_store(store);

  store = memory_store(); /* of the other format */

  const double numbers[] = {1.5, -2, 1e300};
  const char *types[] = {"vlen-array:<f8", "vlen-array:>f8"};
  for (int t = 0; t < 2; t++) {
    struct items runs = {{0}, {0}, 0};
    add(&runs, numbers, 16);
    add(&runs, numbers, 0);
    add(&runs, numbers + 2, 8);
    array = typed(store, t ? "big" : "little", ZARRC_FORMAT_V2, types[t], 1, shape, chunks);
    SAME(zarrc_array_data_type(array), ZARRC_RAGGED);
    write_all(array, &runs);
    CHECK(holds(array, NULL, NULL, &runs));
    uint8_t *value = NULL;
    size_t size = 0;
    const char *key = t ? "big/1" : "little/1";
    OK(zarrc_store_get(store, key, &value, &size, &err));
    CHECK(size > 0);
    zarrc_value_free(value, size);
    runs.offsets[1] = 15; /* no whole number of doubles */
    FAILS_NAMING(zarrc_array_write_vlen(array, NULL, NULL, runs.offsets, runs.bytes, &err),
                 ZARRC_INVALID_ARGUMENT, "element 0");
    close_array(array);
  }

  const char *texts[] = {"{\"b\": [1, 2.50], \"a\": null}", "\"text\"", "true"};
  const char *canonical[] = {"{\"a\":null,\"b\":[1,2.50]}", "\"text\"", "true"};
  struct items json = words(3, texts), read = words(3, canonical);
  array = typed(store, "j", ZARRC_FORMAT_V2, "json", 1, shape, chunks);
  SAME(zarrc_array_data_type(array), ZARRC_JSON);
  write_all(array, &json);
  CHECK(holds(array, NULL, NULL, &read));
  const char *broken[] = {"1", "{", "2"};
  struct items bad = words(3, broken);
  FAILS_NAMING(zarrc_array_write_vlen(array, NULL, NULL, bad.offsets, bad.bytes, &err),
               ZARRC_INVALID_ARGUMENT, "element 1");
  CHECK(holds(array, NULL, NULL, &read));
  close_array(array);
  close_store(store);
}

static void parts_of_chunks_and_shards(void) {
  for (int sharded = 0; sharded < 2; sharded++) {
    zarrc_store *store = memory_store();
    const uint64_t shape[] = {8, 8}, chunks[] = {3, 2}, shards[] = {6, 4};
    zarrc_array_spec *spec = NULL;
    OK(zarrc_array_spec_new(ZARRC_STRING, 2, shape, &spec, &err));
    OK(zarrc_array_spec_set_chunk_shape(spec, 2, chunks, &err));
    if (sharded)
      OK(zarrc_array_spec_set_shard_shape(spec, 2, shards, &err));
    OK(zarrc_array_spec_set_fill_value(spec, "missing", 7, &err));
    OK(zarrc_array_spec_set_order(spec, 'F', &err));
    zarrc_array *array = create(store, "s", spec);
    struct items model = {{0}, {0}, 0};
    for (int i = 0; i < 64; i++)
      add(&model, "missing", 7);
    CHECK(holds(array, NULL, NULL, &model));
    for (int round = 0; round < 20; round++) {
      uint64_t start[2], count[2];
      for (int d = 0; d < 2; d++) {
        start[d] = random_below(8);
        count[d] = 1 + random_below(8 - start[d]);
      }
      char word[16];
      snprintf(word, sizeof word, "r%d-", round);
      struct items part = numbered(count[0] * count[1], round % 4 ? word : "");
      OK(zarrc_array_write_vlen(array, start, count, part.offsets, part.bytes, &err));
      struct items next = {{0}, {0}, 0};
      for (uint64_t i = 0; i < 64; i++) {
        uint64_t y = i / 8 - start[0], x = i % 8 - start[1]; /* huge where outside */
        const struct items *from = y < count[0] && x < count[1] ? &part : &model;
        uint64_t n = from == &part ? y * count[1] + x : i;
        add(&next, from->bytes + from->offsets[n], from->offsets[n + 1] - from->offsets[n]);
      }
      model = next;
      CHECK(holds(array, start, count, &part));
      CHECK(holds(array, NULL, NULL, &model));
    }
    close_array(array);
    close_store(store);
  }
}

static void empty_chunks_and_other_shapes(void) {
  zarrc_store *store = memory_store();
  const uint64_t shape[] = {5}, chunks[] = {2}, smaller[] = {3}, larger[] = {6};
  zarrc_array_spec *spec = NULL;
  OK(zarrc_array_spec_new(ZARRC_STRING, 1, shape, &spec, &err));
  OK(zarrc_array_spec_set_chunk_shape(spec, 1, chunks, &err));
  OK(zarrc_array_spec_set_fill_value_json(spec, "\"-\"", &err));
  zarrc_array *array = create(store, "s", spec);
  const char *texts[] = {"a", "b", "-", "-", "-"};
  struct items items = words(5, texts);
  write_all(array, &items);
  CHECK(has_key(store, "s/c/0") && !has_key(store, "s/c/1") && !has_key(store, "s/c/2"));
  const uint64_t start[] = {2}, count[] = {2};
  const char *two[] = {"c", "d"};
  struct items part = words(2, two);
  OK(zarrc_array_write_vlen(array, start, count, part.offsets, part.bytes, &err));
  CHECK(has_key(store, "s/c/1"));
  OK(zarrc_array_resize(array, 1, smaller, &err));
  OK(zarrc_array_resize(array, 1, larger, &err));
  const char *left[] = {"a", "b", "c", "-", "-", "-"};
  struct items expected = words(6, left);
  CHECK(holds(array, NULL, NULL, &expected));
  char *json = NULL;
  OK(zarrc_array_fill_value_json(array, &json, &err));
  SAME_TEXT(json, "\"-\"");
  zarrc_string_free(json);
  char none[8];
  FAILS_NAMING(zarrc_array_fill_value(array, none, 1, &err), ZARRC_TYPE_MISMATCH,
               "zarrc_array_fill_value_json");
  close_array(array);

  array = typed(store, "point", ZARRC_FORMAT_V3, "string", 0, NULL, NULL);
  struct items one = words(1, texts);
  write_all(array, &one);
  CHECK(holds(array, NULL, NULL, &one));
  close_array(array);
  const uint64_t nothing[] = {0, 4}, some[] = {1, 4};
  array = typed(store, "nothing", ZARRC_FORMAT_V3, "string", 2, nothing, some);
  struct items zero = words(0, texts);
  write_all(array, &zero);
  CHECK(holds(array, NULL, NULL, &zero));
  close_array(array);
  close_store(store);
}

static void the_wrong_function_names_the_right_one(void) {
  zarrc_store *store = memory_store();
  const uint64_t shape[] = {2};
  zarrc_array *strings = typed(store, "s", ZARRC_FORMAT_V3, "string", 1, shape, shape);
  zarrc_array *numbers = typed(store, "n", ZARRC_FORMAT_V3, "int32", 1, shape, shape);
  char buffer[64];
  const uint64_t offsets[3] = {0, 0, 0};
  zarrc_vlen *values = NULL;
  FAILS_NAMING(zarrc_array_read(strings, NULL, NULL, ZARRC_NATIVE, buffer, 64, &err),
               ZARRC_TYPE_MISMATCH, "zarrc_array_read_vlen");
  FAILS_NAMING(zarrc_array_write(strings, NULL, NULL, ZARRC_STRING, buffer, 64, &err),
               ZARRC_TYPE_MISMATCH, "zarrc_array_write_vlen");
  FAILS_NAMING(zarrc_array_read_strided(strings, NULL, NULL, NULL, ZARRC_INT8, buffer, NULL, &err),
               ZARRC_TYPE_MISMATCH, "zarrc_array_read_vlen");
  FAILS_NAMING(zarrc_array_read_vlen(numbers, NULL, NULL, &values, &err), ZARRC_TYPE_MISMATCH,
               "zarrc_array_read");
  FAILS_NAMING(zarrc_array_write_vlen(numbers, NULL, NULL, offsets, NULL, &err),
               ZARRC_TYPE_MISMATCH, "zarrc_array_write");
  CHECK(values == NULL);
  close_array(strings);
  close_array(numbers);
  close_store(store);
}

static void bad_arguments_are_refused(void) {
  zarrc_store *store = memory_store();
  const uint64_t shape[] = {3}, far[] = {2}, two[] = {2};
  zarrc_array *array = typed(store, "s", ZARRC_FORMAT_V3, "string", 1, shape, shape);
  const char *texts[] = {"old", "older", ""};
  struct items items = words(3, texts);
  write_all(array, &items);
  zarrc_vlen *values = NULL;
  const uint8_t bytes[] = "abc\xff";
  const uint64_t decreasing[] = {0, 3, 2, 3}, huge[] = {0, 1, 2, UINT64_MAX},
                 past[] = {0, 40, 2, 3}, half[] = {0, 1, 2, INT64_MAX}, invalid[] = {0, 1, 4, 4},
                 later[] = {1, 2, 2, 3}, none[] = {0, 0, 0, 0};
  FAILS_NAMING(zarrc_array_write_vlen(array, NULL, NULL, decreasing, bytes, &err),
               ZARRC_INVALID_ARGUMENT, "element 1");
  FAILS_NAMING(zarrc_array_write_vlen(array, NULL, NULL, past, bytes, &err),
               ZARRC_INVALID_ARGUMENT, "element 0");
  REFUSES(zarrc_array_write_vlen(array, NULL, NULL, huge, bytes, &err), "bytes");
  REFUSES(zarrc_array_write_vlen(array, NULL, NULL, half, NULL, &err), "bytes");
  REFUSES(zarrc_array_write_vlen(array, NULL, NULL, NULL, bytes, &err), "offsets");
  REFUSES(zarrc_array_write_vlen(array, NULL, NULL, later, NULL, &err), "bytes");
  REFUSES(zarrc_array_write_vlen(NULL, NULL, NULL, later, bytes, &err), "array");
  REFUSES(zarrc_array_read_vlen(array, NULL, NULL, NULL, &err), "values");
  REFUSES(zarrc_array_read_vlen(NULL, NULL, NULL, &values, &err), "array");
  FAILS(zarrc_array_read_vlen(array, far, two, &values, &err), ZARRC_OUT_OF_BOUNDS);
  FAILS_NAMING(zarrc_array_write_vlen(array, NULL, NULL, invalid, bytes, &err),
               ZARRC_INVALID_ARGUMENT, "UTF-8");
  CHECK(holds(array, NULL, NULL, &items)); /* nothing of it was written */
  OK(zarrc_array_write_vlen(array, NULL, NULL, later, bytes, &err));
  const char *written[] = {"b", "", "c"};
  struct items expected = words(3, written);
  CHECK(holds(array, NULL, NULL, &expected));
  OK(zarrc_array_write_vlen(array, NULL, NULL, none, NULL, &err));
  CHECK(zarrc_vlen_count(NULL) == 0 && !zarrc_vlen_offsets(NULL) && !zarrc_vlen_bytes(NULL));
  zarrc_vlen_free(NULL);

  zarrc_array_spec *spec = NULL;
  OK(zarrc_array_spec_new(ZARRC_STRING, 1, shape, &spec, &err));
  REFUSES(zarrc_array_spec_set_fill_value(spec, "\xff", 1, &err), "UTF-8");
  OK(zarrc_array_spec_set_format(spec, ZARRC_FORMAT_V3, &err));
  OK(zarrc_array_spec_add_codec(spec, "bytes", NULL, &err));
  zarrc_array *other = NULL;
  FAILS_NAMING(zarrc_array_create(store, "x", spec, &other, &err), ZARRC_INVALID_ARGUMENT, "bytes");
  zarrc_array_spec_free(spec);
  close_array(array);
  close_store(store);
}

static void what_others_wrote_badly(void) {
  zarrc_store *store = memory_store();
  const char *pickle = "{\"zarr_format\":2,\"shape\":[2],\"chunks\":[2],\"dtype\":\"|O\","
                       "\"filters\":[{\"id\":\"pickle\",\"protocol\":4}],\"compressor\":null,"
                       "\"fill_value\":null,\"order\":\"C\"}";
  zarrc_array *array = NULL;
  set_text(store, "p/.zarray", pickle);
  FAILS_NAMING(zarrc_array_open(store, "p", &array, &err), ZARRC_UNSUPPORTED, "runs code");

  const uint64_t shape[] = {2};
  array = typed(store, "s", ZARRC_FORMAT_V2, "string", 1, shape, shape);
  OK(zarrc_store_set(store, "s/0", "garbage", 7, &err));
  zarrc_vlen *values = NULL;
  FAILS(zarrc_array_read_vlen(array, NULL, NULL, &values, &err), ZARRC_CORRUPT_DATA);
  close_array(array);
  close_store(store);
}

int main(void) {
  begin("vlen");
  RUN(strings_in_each_format);
  RUN(bytes_runs_and_json);
  RUN(parts_of_chunks_and_shards);
  RUN(empty_chunks_and_other_shapes);
  RUN(the_wrong_function_names_the_right_one);
  RUN(bad_arguments_are_refused);
  RUN(what_others_wrote_badly);
  return finish();
}
