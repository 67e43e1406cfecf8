/* Codecs of the program's own: every kind and format, parts, failures, what is ended when. */
#include "check.h"
#include <pthread.h>

enum { SIDE = 24, CHUNK = 8, COUNT = SIDE * SIDE };

/* What the callbacks of one codec are told and what they did. Counts are only compared with
 * others where no thread is at work. */
struct tally {
  uint8_t key;             /* every byte is stored as its exclusive or with this */
  bool no_room;            /* encode asks for more room, again and again */
  const char *failure;     /* decode fails with these words */
  zarrc_status status;     /* and with this status */
  size_t overshoot;        /* decode claims to have written more */
  int opened, closed, destroyed, parts;
  zarrc_codec_chunk chunk; /* the last one that open saw (not its pointers) */
  uint64_t shape[4];
  int32_t fill;
  pthread_mutex_t lock;
};

static struct tally fresh(uint8_t key) {
  struct tally tally = {0};
  tally.key = key;
  pthread_mutex_init(&tally.lock, NULL);
  return tally;
}

static void count(struct tally *tally, int *what) {
  pthread_mutex_lock(&tally->lock);
  ++*what;
  pthread_mutex_unlock(&tally->lock);
}

static void destroy(void *user) {
  struct tally *tally = user;
  count(tally, &tally->destroyed);
}

/* {"key": N} is another key, anything else is refused. */
static zarrc_status open_codec(void *user, const char *configuration,
                               const zarrc_codec_chunk *chunk, void **codec, zarrc_error *err) {
  struct tally *tally = user;
  uint8_t *key = malloc(1);
  unsigned other;
  *key = tally->key;
  if (sscanf(configuration, "{\"key\":%u}", &other) == 1) {
    *key = (uint8_t)other;
  } else if (strcmp(configuration, "{}") != 0) {
    free(key);
    snprintf(err->message, sizeof err->message, "\"key\" is not a number in %s", configuration);
    return ZARRC_INVALID_METADATA;
  }
  pthread_mutex_lock(&tally->lock);
  tally->chunk = *chunk;
  for (size_t d = 0; d < chunk->rank && d < 4; d++)
    tally->shape[d] = chunk->shape[d];
  if (chunk->element_size == sizeof tally->fill)
    memcpy(&tally->fill, chunk->fill_value, sizeof tally->fill);
  tally->opened++;
  pthread_mutex_unlock(&tally->lock);
  *codec = key;
  return ZARRC_OK;
}

static void close_codec(void *user, void *codec) {
  struct tally *tally = user;
  count(tally, &tally->closed);
  free(codec);
}

static zarrc_status turn(const uint8_t *key, const uint8_t *src, size_t src_size, uint8_t *dst,
                         size_t capacity, size_t *dst_size) {
  if (src_size > capacity)
    return ZARRC_LIMIT_EXCEEDED;
  for (size_t i = 0; i < src_size; i++)
    dst[i] = src[i] ^ *key;
  *dst_size = src_size;
  return ZARRC_OK;
}

static zarrc_status encode(void *user, void *codec, const uint8_t *src, size_t src_size,
                           uint8_t *dst, size_t capacity, size_t *dst_size, zarrc_error *err) {
  struct tally *tally = user;
  (void)err;
  if (tally->no_room && capacity < 5 * src_size)
    return ZARRC_LIMIT_EXCEEDED;
  return turn(codec, src, src_size, dst, capacity, dst_size);
}

static zarrc_status decode(void *user, void *codec, const uint8_t *src, size_t src_size,
                           uint8_t *dst, size_t capacity, size_t *dst_size, zarrc_error *err) {
  struct tally *tally = user;
  if (tally->failure != NULL) {
    strcpy(err->message, tally->failure);
    return tally->status;
  }
  zarrc_status status = turn(codec, src, src_size, dst, capacity, dst_size);
  *dst_size += tally->overshoot;
  return status;
}

static uint64_t bound(void *user, void *codec, uint64_t decoded_size) {
  (void)user, (void)codec;
  return decoded_size;
}

static zarrc_status decode_part(void *user, void *codec, zarrc_codec_read read, void *source,
                                uint64_t encoded_size, uint64_t decoded_size, uint64_t offset,
                                uint8_t *dst, size_t size, zarrc_error *err) {
  struct tally *tally = user;
  const uint8_t *key = codec;
  count(tally, &tally->parts);
  if (encoded_size != decoded_size || offset + size > decoded_size) {
    snprintf(err->message, sizeof err->message, "%d bytes are no chunk", (int)encoded_size);
    return ZARRC_CORRUPT_DATA;
  }
  zarrc_status status = read(source, offset, dst, size, err);
  for (size_t i = 0; status == ZARRC_OK && i < size; i++)
    dst[i] ^= *key;
  return status;
}

static zarrc_codec_callbacks callbacks_of(struct tally *tally) {
  zarrc_codec_callbacks callbacks;
  memset(&callbacks, 0, sizeof callbacks);
  callbacks.size = sizeof callbacks;
  callbacks.user = tally;
  callbacks.destroy = destroy;
  callbacks.open = open_codec;
  callbacks.close = close_codec;
  callbacks.decode = decode;
  callbacks.encode = encode;
  callbacks.bound = bound;
  return callbacks;
}

static void enlist(const char *name, zarrc_codec_kind kind, const zarrc_codec_callbacks *callbacks) {
  const char *aliases[] = {"test.other"};
  OK(zarrc_codec_register(name, aliases, 1, kind, callbacks, &err));
}

static int32_t value_at(int i) { return 7 * i - 1000; }

static zarrc_array_spec *spec_with(const char *codec, const char *configuration,
                                   zarrc_format format) {
  const uint64_t shape[] = {SIDE, SIDE}, chunks[] = {CHUNK, CHUNK};
  const int32_t fill = -5;
  zarrc_array_spec *spec = spec_of(ZARRC_INT32, 2, shape, chunks);
  OK(zarrc_array_spec_set_format(spec, format, &err));
  OK(zarrc_array_spec_set_fill_value(spec, &fill, sizeof fill, &err));
  OK(zarrc_array_spec_add_codec(spec, codec, configuration, &err));
  return spec;
}

static void fill_array(zarrc_array *array) {
  int32_t values[COUNT];
  for (int i = 0; i < COUNT; i++)
    values[i] = value_at(i);
  OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err));
}

static bool array_holds(zarrc_array *array) {
  int32_t values[COUNT], one;
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err));
  for (int i = 0; i < COUNT; i++)
    if (values[i] != value_at(i))
      return false;
  const uint64_t start[] = {9, 11}, count[] = {1, 1};
  OK(zarrc_array_read(array, start, count, ZARRC_INT32, &one, sizeof one, &err));
  return one == value_at(9 * SIDE + 11);
}

static void every_kind_in_every_format(void) {
  const zarrc_codec_kind kinds[] = {ZARRC_CODEC_BYTES, ZARRC_CODEC_ARRAY_BYTES, ZARRC_CODEC_ARRAY};
  const zarrc_format formats[] = {ZARRC_FORMAT_V3, ZARRC_FORMAT_V2};
  for (int k = 0; k < 3; k++)
    for (int f = 0; f < 2; f++)
      for (int with_parts = 0; with_parts < 2; with_parts++) {
        struct tally tally = fresh(0x5A);
        zarrc_codec_callbacks callbacks = callbacks_of(&tally);
        if (with_parts)
          callbacks.decode_part = decode_part;
        enlist("test.xor", kinds[k], &callbacks);
        zarrc_store *store = memory_store();
        zarrc_array *array = create(store, "a", spec_with("test.xor", NULL, formats[f]));
        fill_array(array);
        CHECK(array_holds(array));
        SAME(tally.chunk.rank, 2);
        SAME(tally.chunk.size, sizeof tally.chunk);
        SAME(tally.chunk.data_type, ZARRC_INT32);
        SAME(tally.chunk.element_size, 4);
        SAME(tally.shape[0], CHUNK);
        SAME(tally.shape[1], CHUNK);
        SAME(tally.fill, -5);
        if (kinds[k] != ZARRC_CODEC_ARRAY)
          CHECK((tally.parts > 0) == with_parts);
        close_array(array);

        /* what is stored is what the codec made, in little-endian order where there was "bytes" */
        uint8_t *value = NULL;
        size_t size = 0;
        OK(zarrc_store_get(store, formats[f] == ZARRC_FORMAT_V3 ? "a/c/0/1" : "a/0.1", &value,
                           &size, &err));
        SAME(size, 4 * CHUNK * CHUNK);
        int32_t first = value_at(CHUNK);
        for (size_t i = 0; i < sizeof first && i < size; i++)
          SAME(value[i] ^ 0x5A, ((uint32_t)first >> 8 * i) & 0xFF);
        zarrc_value_free(value, size);

        zarrc_array *again = NULL;
        OK(zarrc_array_open(store, "a", &again, &err));
        CHECK(array_holds(again));
        OK(zarrc_codec_unregister("test.xor", &err));
        SAME(tally.destroyed, 0); /* an open array keeps it */
        CHECK(array_holds(again));
        close_array(again);
        SAME(tally.destroyed, 1);
        SAME(tally.opened, tally.closed);
        FAILS_NAMING(zarrc_array_open(store, "a", &again, &err), ZARRC_UNSUPPORTED, "test.xor");
        close_store(store);
      }
}

static void beside_other_codecs(void) {
  struct tally tally = fresh(3);
  zarrc_codec_callbacks callbacks = callbacks_of(&tally);
  callbacks.decode_part = decode_part;
  enlist("test.xor", ZARRC_CODEC_BYTES, &callbacks);
  zarrc_store *store = memory_store();

  zarrc_array_spec *spec = spec_with("gzip", "{\"level\":1}", ZARRC_FORMAT_V3);
  OK(zarrc_array_spec_add_codec(spec, "test.xor", "{\"key\":9}", &err));
  OK(zarrc_array_spec_add_codec(spec, "crc32c", NULL, &err));
  zarrc_array *array = create(store, "after", spec);
  fill_array(array);
  CHECK(array_holds(array));
  close_array(array);

  const uint64_t shards[] = {2 * CHUNK, 2 * CHUNK};
  spec = spec_with("test.other", "{\"key\":77}", ZARRC_FORMAT_V3);
  OK(zarrc_array_spec_set_shard_shape(spec, 2, shards, &err));
  array = create(store, "inside", spec);
  fill_array(array);
  CHECK(array_holds(array));
  close_array(array);
  OK(zarrc_array_open(store, "inside", &array, &err));
  CHECK(array_holds(array));
  close_array(array);

  close_store(store);
  OK(zarrc_codec_unregister("test.xor", &err));
  SAME(tally.destroyed, 1);
  SAME(tally.opened, tally.closed);
}

static void room_is_made(void) {
  struct tally tally = fresh(1);
  tally.no_room = true;
  zarrc_codec_callbacks callbacks = callbacks_of(&tally);
  callbacks.bound = NULL;
  enlist("test.xor", ZARRC_CODEC_BYTES, &callbacks);
  zarrc_store *store = memory_store();
  const uint64_t shape[] = {40000};
  static int64_t values[40000], back[40000];
  for (int i = 0; i < 40000; i++)
    values[i] = i * (int64_t)i;
  /* two of them: the second does not know how long what it decodes is */
  zarrc_array_spec *spec = spec_of(ZARRC_INT64, 1, shape, shape);
  OK(zarrc_array_spec_add_codec(spec, "test.xor", "{\"key\":2}", &err));
  OK(zarrc_array_spec_add_codec(spec, "test.xor", "{\"key\":4}", &err));
  zarrc_array *array = create(store, "a", spec);
  OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT64, values, sizeof values, &err));
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT64, back, sizeof back, &err));
  SAME_BYTES(values, back, sizeof values);
  close_array(array);
  close_store(store);
  OK(zarrc_codec_unregister("test.xor", &err));
}

static void failures_carry_their_words(void) {
  struct tally tally = fresh(1);
  zarrc_codec_callbacks callbacks = callbacks_of(&tally);
  enlist("test.xor", ZARRC_CODEC_BYTES, &callbacks);
  zarrc_store *store = memory_store();
  zarrc_array *array = NULL;
  zarrc_array_spec *spec = spec_with("test.xor", "{\"key\":\"x\"}", ZARRC_FORMAT_V3);
  REFUSES(zarrc_array_create(store, "bad", spec, &array, &err), "not a number");
  zarrc_array_spec_free(spec);
  CHECK(!has_key(store, "bad/zarr.json"));

  array = create(store, "a", spec_with("test.xor", NULL, ZARRC_FORMAT_V3));
  fill_array(array);
  int32_t values[COUNT];
  tally.failure = "the moon is in the wrong house";
  tally.status = ZARRC_CORRUPT_DATA;
  FAILS_NAMING(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err),
               ZARRC_CORRUPT_DATA, "the moon is in the wrong house");
  FAILS_NAMING(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err),
               ZARRC_CORRUPT_DATA, "a/c/0/0");
  tally.status = -77;
  FAILS_NAMING(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err),
               ZARRC_IO, "the moon");
  tally.failure = "";
  FAILS_NAMING(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err),
               ZARRC_IO, "without a message");
  tally.failure = NULL;
  tally.overshoot = 1;
  FAILS_NAMING(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err),
               ZARRC_INTERNAL, "bytes written into");
  tally.overshoot = 0;
  OK(zarrc_store_set(store, "a/c/0/0", "short", 5, &err));
  FAILS_NAMING(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err),
               ZARRC_CORRUPT_DATA, "a/c/0/0");
  static uint8_t large[4 * CHUNK * CHUNK + 1];
  OK(zarrc_store_set(store, "a/c/0/0", large, sizeof large, &err));
  FAILS_NAMING(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err),
               ZARRC_CORRUPT_DATA, "a/c/0/0");
  close_array(array);
  OK(zarrc_codec_unregister("test.xor", &err));

  callbacks.encode = NULL;
  enlist("test.xor", ZARRC_CODEC_BYTES, &callbacks);
  OK(zarrc_array_open(store, "a", &array, &err));
  int32_t one = 1;
  const uint64_t start[] = {20, 20}, count[] = {1, 1};
  OK(zarrc_array_read(array, start, count, ZARRC_INT32, &one, sizeof one, &err));
  SAME(one, value_at(20 * SIDE + 20));
  FAILS_NAMING(zarrc_array_write(array, start, count, ZARRC_INT32, &one, sizeof one, &err),
               ZARRC_UNSUPPORTED, "read-only");
  close_array(array);
  close_store(store);
  OK(zarrc_codec_unregister("test.xor", &err));
}

static void what_cannot_be_registered(void) {
  struct tally tally = fresh(1);
  zarrc_codec_callbacks callbacks = callbacks_of(&tally);
  const char *taken[] = {"test.new", "zstd"}, *twice[] = {"test.x"}, *none[] = {NULL};
  REFUSES(zarrc_codec_register(NULL, NULL, 0, ZARRC_CODEC_BYTES, &callbacks, &err), "name");
  REFUSES(zarrc_codec_register("", NULL, 0, ZARRC_CODEC_BYTES, &callbacks, &err), "empty");
  REFUSES(zarrc_codec_register("test.x", NULL, 1, ZARRC_CODEC_BYTES, &callbacks, &err), "aliases");
  REFUSES(zarrc_codec_register("test.x", none, 1, ZARRC_CODEC_BYTES, &callbacks, &err), "alias");
  REFUSES(zarrc_codec_register("test.x", NULL, 0, 3, &callbacks, &err), "kind");
  REFUSES(zarrc_codec_register("test.x", NULL, 0, ZARRC_CODEC_BYTES, NULL, &err), "callbacks");
  FAILS_NAMING(zarrc_codec_register("blosc", NULL, 0, ZARRC_CODEC_BYTES, &callbacks, &err),
               ZARRC_ALREADY_EXISTS, "blosc");
  FAILS_NAMING(zarrc_codec_register("test.x", taken, 2, ZARRC_CODEC_BYTES, &callbacks, &err),
               ZARRC_ALREADY_EXISTS, "zstd");
  FAILS_NAMING(zarrc_codec_register("test.x", twice, 1, ZARRC_CODEC_BYTES, &callbacks, &err),
               ZARRC_ALREADY_EXISTS, "test.x");
  callbacks.size = 8;
  REFUSES(zarrc_codec_register("test.x", NULL, 0, ZARRC_CODEC_BYTES, &callbacks, &err), "size");
  callbacks = callbacks_of(&tally);
  callbacks.decode = NULL;
  REFUSES(zarrc_codec_register("test.x", NULL, 0, ZARRC_CODEC_BYTES, &callbacks, &err), "decode");
  FAILS(zarrc_codec_unregister("test.x", &err), ZARRC_NOT_FOUND);
  FAILS(zarrc_codec_unregister("zstd", &err), ZARRC_NOT_FOUND);
  REFUSES(zarrc_codec_unregister(NULL, &err), "name");
  SAME(tally.destroyed, 0);

  /* a program of an older header: the members after `decode` are not there */
  callbacks = callbacks_of(&tally);
  callbacks.size = offsetof(zarrc_codec_callbacks, encode);
  OK(zarrc_codec_register("test.x", NULL, 0, ZARRC_CODEC_BYTES, &callbacks, &err));
  zarrc_store *store = memory_store();
  zarrc_array *array = create(store, "a", spec_with("test.x", NULL, ZARRC_FORMAT_V3));
  int32_t one = 1;
  const uint64_t start[] = {0, 0}, count[] = {1, 1};
  FAILS(zarrc_array_write(array, start, count, ZARRC_INT32, &one, 4, &err), ZARRC_UNSUPPORTED);
  close_array(array);
  close_store(store);
  OK(zarrc_codec_unregister("test.x", &err));
  SAME(tally.destroyed, 1);
}

struct worker {
  zarrc_array *array;
  uint64_t from;
};

static void *write_rows(void *argument) {
  struct worker *worker = argument;
  for (uint64_t row = worker->from; row < SIDE; row += 4) {
    const uint64_t start[] = {row, 0}, count[] = {1, SIDE};
    int32_t values[SIDE];
    for (int x = 0; x < SIDE; x++)
      values[x] = value_at((int)row * SIDE + x);
    OK(zarrc_array_write(worker->array, start, count, ZARRC_INT32, values, sizeof values, &err));
    OK(zarrc_array_read(worker->array, start, count, ZARRC_INT32, values, sizeof values, &err));
  }
  return NULL;
}

static void from_many_threads(void) {
  struct tally tally = fresh(99);
  zarrc_codec_callbacks callbacks = callbacks_of(&tally);
  enlist("test.xor", ZARRC_CODEC_BYTES, &callbacks);
  zarrc_store *store = memory_store();
  struct worker workers[4];
  pthread_t threads[4];
  zarrc_array *array = create(store, "a", spec_with("test.xor", NULL, ZARRC_FORMAT_V3));
  for (uint64_t t = 0; t < 4; t++) {
    workers[t].array = array;
    workers[t].from = t;
    pthread_create(&threads[t], NULL, write_rows, &workers[t]);
  }
  for (int t = 0; t < 4; t++)
    pthread_join(threads[t], NULL);
  CHECK(array_holds(array));
  close_array(array);
  close_store(store);
  OK(zarrc_codec_unregister("test.xor", &err));
  SAME(tally.destroyed, 1);
}

int main(void) {
  begin("codec");
  RUN(every_kind_in_every_format);
  RUN(beside_other_codecs);
  RUN(room_is_made);
  RUN(failures_carry_their_words);
  RUN(what_cannot_be_registered);
  RUN(from_many_threads);
  return finish();
}
