/* Stores that someone else has written, with the worst in mind: each is met with a status, soon, and
 * in little memory. */
#include "check.h"

#include <sys/resource.h>
#include <time.h>

enum { INSTANT_MS = 100, MEMORY_MB = 512 };

/* A status that says whose fault it is. */
static bool blames_the_store(zarrc_status status) {
  return status == ZARRC_INVALID_METADATA || status == ZARRC_CORRUPT_DATA ||
         status == ZARRC_UNSUPPORTED || status == ZARRC_LIMIT_EXCEEDED;
}

/* What a call gives, which must come at once. */
#define TIMED(call) timed_end((timed_begin(), (call)), &error, __LINE__, #call)

static double began;

/* Of this process, all threads together: what else the machine does is not counted. */
static double processor_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void timed_begin(void) {
  began = processor_seconds();
}

static zarrc_status timed_end(zarrc_status status, const zarrc_error *error, int line,
                              const char *words) {
  double took = 1000 * (processor_seconds() - began);
  bool soon = slowed() || took < INSTANT_MS;
  if (!soon)
    printf("line %d: %s took %.0f ms: %s\n", line, words, took,
           status ? error->message : zarrc_status_name(status));
  CHECK(soon);
  CHECK(status != ZARRC_INTERNAL);
  return status;
}

/* ---- documents ------------------------------------------------------------- */

#define V3(members) "{\"zarr_format\":3,\"node_type\":\"array\"," members "}"
#define GRID(chunks) \
  "\"chunk_grid\":{\"name\":\"regular\",\"configuration\":{\"chunk_shape\":" chunks "}},"
#define KEYS "\"chunk_key_encoding\":{\"name\":\"default\",\"configuration\":{\"separator\":\"/\"}},"
#define BYTES "{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}}"
#define FULL(shape, type, chunks, fill, codecs)                                            \
  V3("\"shape\":" shape ",\"data_type\":" type "," GRID(chunks) KEYS "\"fill_value\":" fill \
     ",\"codecs\":" codecs)
#define CODECS(codecs) FULL("[8]", "\"int32\"", "[4]", "0", codecs)
#define SHARDS(chunks, index) \
  "[{\"name\":\"sharding_indexed\",\"configuration\":{\"chunk_shape\":" chunks \
  ",\"codecs\":[" BYTES "],\"index_codecs\":" index "}}]"
#define V2(shape, chunks, type, compressor, fill, filters)                                 \
  "{\"zarr_format\":2,\"shape\":" shape ",\"chunks\":" chunks ",\"dtype\":" type           \
  ",\"compressor\":" compressor ",\"fill_value\":" fill ",\"order\":\"C\",\"filters\":" filters "}"

static const char *const bad_v3[] = {
    "", "   ", "null", "[]", "3", "\"zarr\"", "{", "{}", "{\"zarr_format\":3}", "\xff\xfe{}",
    "{\"zarr_format\":3,\"node_type\":\"array\"}",
    "{\"zarr_format\":3,\"node_type\":\"tree\"}",
    "{\"zarr_format\":4,\"node_type\":\"array\"}",
    "{\"zarr_format\":\"three\",\"node_type\":\"array\"}",
    FULL("[-1]", "\"int32\"", "[4]", "0", "[" BYTES "]"),
    FULL("[1.5]", "\"int32\"", "[4]", "0", "[" BYTES "]"),
    FULL("[1e400]", "\"int32\"", "[4]", "0", "[" BYTES "]"),
    FULL("[18446744073709551616]", "\"int32\"", "[4]", "0", "[" BYTES "]"),
    FULL("8", "\"int32\"", "[4]", "0", "[" BYTES "]"),
    FULL("[[8]]", "\"int32\"", "[4]", "0", "[" BYTES "]"),
    FULL("[8]", "\"int32\"", "[0]", "0", "[" BYTES "]"),
    FULL("[8]", "\"int32\"", "[4,4]", "0", "[" BYTES "]"),
    FULL("[8,8]", "\"int32\"", "[4]", "0", "[" BYTES "]"),
    FULL("[8]", "\"int32\"", "[-4]", "0", "[" BYTES "]"),
    FULL("[8]", "\"int32\"", "[18446744073709551615]", "0", "[" BYTES "]"),
    FULL("[8,8]", "\"int32\"", "[9223372036854775807,9223372036854775807]", "0", "[" BYTES "]"),
    FULL("[8]", "\"int33\"", "[4]", "0", "[" BYTES "]"),
    FULL("[8]", "\"r99999999999999999999\"", "[4]", "0", "[" BYTES "]"),
    FULL("[8]", "\"r7\"", "[4]", "0", "[" BYTES "]"),
    FULL("[8]", "7", "[4]", "0", "[" BYTES "]"),
    FULL("[8]", "\"uint8\"", "[4]", "300", "[\"bytes\"]"),
    FULL("[8]", "\"uint8\"", "[4]", "-1", "[\"bytes\"]"),
    FULL("[8]", "\"uint8\"", "[4]", "\"NaN\"", "[\"bytes\"]"),
    FULL("[8]", "\"float32\"", "[4]", "\"0xzz\"", "[" BYTES "]"),
    FULL("[8]", "\"complex64\"", "[4]", "[1]", "[" BYTES "]"),
    FULL("[8]", "\"bool\"", "[4]", "2", "[\"bytes\"]"),
    CODECS("null"), CODECS("{}"), CODECS("[7]"), CODECS("[{}]"), CODECS("[\"bytes\"]"),
    CODECS("[" BYTES "," BYTES "]"), CODECS("[\"gzip\"," BYTES "]"),
    CODECS("[" BYTES ",\"rot13\"]"),
    CODECS("[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"middle\"}}]"),
    CODECS("[" BYTES ",{\"name\":\"gzip\",\"configuration\":{\"level\":100}}]"),
    CODECS("[" BYTES ",{\"name\":\"gzip\",\"configuration\":{\"level\":\"high\"}}]"),
    CODECS("[" BYTES ",{\"name\":\"zstd\",\"configuration\":{\"level\":1e9,\"checksum\":false}}]"),
    CODECS("[" BYTES ",{\"name\":\"blosc\",\"configuration\":{\"cname\":\"lz4\",\"clevel\":77,"
           "\"shuffle\":\"shuffle\",\"typesize\":4,\"blocksize\":0}}]"),
    CODECS("[" BYTES ",{\"name\":\"blosc\",\"configuration\":{\"cname\":\"rar\",\"clevel\":5,"
           "\"shuffle\":\"shuffle\",\"typesize\":4,\"blocksize\":0}}]"),
    CODECS("[{\"name\":\"transpose\",\"configuration\":{\"order\":[1]}}," BYTES "]"),
    CODECS("[{\"name\":\"transpose\",\"configuration\":{\"order\":[0,0]}}," BYTES "]"),
    CODECS("[{\"name\":\"transpose\",\"configuration\":{\"order\":[-1]}}," BYTES "]"),
    CODECS(SHARDS("[3]", "[" BYTES ",\"crc32c\"]")), CODECS(SHARDS("[0]", "[" BYTES "]")),
    CODECS(SHARDS("[1,4]", "[" BYTES "]")), CODECS(SHARDS("[2]", "[]")),
    CODECS(SHARDS("[2]", "[" BYTES ",\"zstd\"]")), CODECS(SHARDS("\"2\"", "[" BYTES "]")),
    V3("\"shape\":[8],\"data_type\":\"int32\"," GRID("[4]") KEYS "\"codecs\":[" BYTES "]"),
    V3("\"shape\":[8],\"data_type\":\"int32\",\"chunk_grid\":{\"name\":\"hexagonal\"}," KEYS
       "\"fill_value\":0,\"codecs\":[" BYTES "]"),
    V3("\"shape\":[8],\"data_type\":\"int32\"," GRID("[4]")
       "\"chunk_key_encoding\":{\"name\":\"default\",\"configuration\":{\"separator\":\"../\"}},"
       "\"fill_value\":0,\"codecs\":[" BYTES "]"),
    V3("\"surprise\":{\"must_understand\":true},\"shape\":[8],\"data_type\":\"int32\"," GRID("[4]")
       KEYS "\"fill_value\":0,\"codecs\":[" BYTES "]"),
    V3("\"surprise\":1,\"shape\":[8],\"data_type\":\"int32\"," GRID("[4]")
       KEYS "\"fill_value\":0,\"codecs\":[" BYTES "]"),
    V3("\"attributes\":[],\"shape\":[8],\"data_type\":\"int32\"," GRID("[4]")
       KEYS "\"fill_value\":0,\"codecs\":[" BYTES "]"),
    V3("\"dimension_names\":[\"x\",\"y\"],\"shape\":[8],\"data_type\":\"int32\"," GRID("[4]")
       KEYS "\"fill_value\":0,\"codecs\":[" BYTES "]"),
};

static const char *const bad_v2[] = {
    "", "null", "{}", "{\"zarr_format\":2}", "{\"zarr_format\":1}",
    V2("[8]", "[0]", "\"<i4\"", "null", "0", "null"),
    V2("[8]", "[4,4]", "\"<i4\"", "null", "0", "null"),
    V2("[8]", "[-4]", "\"<i4\"", "null", "0", "null"),
    V2("[8,8]", "[9223372036854775807,9223372036854775807]", "\"<i4\"", "null", "0", "null"),
    V2("[8]", "[4]", "\"<q9\"", "null", "0", "null"),
    V2("[8]", "[4]", "\"<i3\"", "null", "0", "null"),
    V2("[8]", "[4]", "\"\"", "null", "0", "null"),
    V2("[8]", "[4]", "\"|S99999999999999999999\"", "null", "0", "null"),
    V2("[8]", "[4]", "\"<U4611686018427387905\"", "null", "0", "null"),
    V2("[8]", "[4]", "\"|O\"", "null", "0", "null"),
    V2("[8]", "[4]", "\"|O\"", "null", "0", "[{\"id\":\"pickle\",\"protocol\":5}]"),
    V2("[8]", "[4]", "[]", "null", "0", "null"),
    V2("[8]", "[4]", "[[\"a\"]]", "null", "0", "null"),
    V2("[8]", "[4]", "[[\"a\",\"<i4\"],[\"a\",\"<i4\"]]", "null", "0", "null"),
    V2("[8]", "[4]", "[[\"a\",\"<f8\",[4294967296,4294967296]]]", "null", "null", "null"),
    V2("[8]", "[4]", "\"<M8[fortnight]\"", "null", "0", "null"),
    V2("[8]", "[4]", "\"<i4\"", "{}", "0", "null"),
    V2("[8]", "[4]", "\"<i4\"", "\"zstd\"", "0", "null"),
    V2("[8]", "[4]", "\"<i4\"", "{\"id\":\"rot13\"}", "0", "null"),
    V2("[8]", "[4]", "\"<i4\"", "null", "0", "[{\"id\":\"delta\",\"dtype\":\"<q9\"}]"),
    V2("[8]", "[4]", "\"<i4\"", "null", "0", "[{\"id\":\"shuffle\",\"elementsize\":-1}]"),
    V2("[8]", "[4]", "\"|u1\"", "null", "\"fish\"", "null"),
    V2("[8]", "[4]", "\"|S3\"", "null", "\"!!! not base64\"", "null"),
};

/* A store whose root is a sound group. */
static zarrc_store *sound_store(bool v2) {
  zarrc_store *store = memory_store();
  if (v2)
    set_text(store, ".zgroup", "{\"zarr_format\":2}");
  else
    set_text(store, "zarr.json", "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{}}");
  return store;
}

static void open_bad(zarrc_store *store, const char *key, const char *document, size_t size) {
  zarrc_error error;
  zarrc_array *array = NULL;
  OK(zarrc_store_set(store, key, document, size, &err));
  zarrc_status status = TIMED(zarrc_array_open(store, "a", &array, &error));
  bool refused = blames_the_store(status) && array == NULL;
  if (!refused)
    printf("%s\n    gave %s\n", document, zarrc_status_name(status));
  CHECK(refused);
  zarrc_array_close(array, NULL);
}

static void documents(void) {
  zarrc_store *store = sound_store(false);
  for (size_t i = 0; i < sizeof bad_v3 / sizeof *bad_v3; i++)
    open_bad(store, "a/zarr.json", bad_v3[i], strlen(bad_v3[i]));
  close_store(store);
  store = sound_store(true);
  for (size_t i = 0; i < sizeof bad_v2 / sizeof *bad_v2; i++)
    open_bad(store, "a/.zarray", bad_v2[i], strlen(bad_v2[i]));
  close_store(store);
}

/* A document of one thing, nested or repeated beyond reason. */
static void monstrous_documents(void) {
  enum { MANY = 100000 };
  static char document[40 * MANY];
  zarrc_store *store = sound_store(false);

  memset(document, '[', MANY);
  open_bad(store, "a/zarr.json", document, MANY);

  char *end = document + sprintf(document, "{\"zarr_format\":3,\"node_type\":\"array\",\"attributes\":");
  for (int i = 0; i < MANY; i++)
    end += sprintf(end, "{\"a\":");
  open_bad(store, "a/zarr.json", document, (size_t)(end - document));

  /* As many dimensions. */
  static char ones[2 * MANY];
  for (int i = 0; i < MANY - 1; i++)
    memcpy(ones + 2 * i, "1,", 2);
  ones[2 * (MANY - 1)] = '1';
  int size = sprintf(document,
                     "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[%s],\"data_type\":\"int32\","
                     GRID("[%s]") KEYS "\"fill_value\":0,\"codecs\":[" BYTES "]}",
                     ones, ones);
  open_bad(store, "a/zarr.json", document, (size_t)size);

  /* Shards in shards in shards. */
  end = document + sprintf(document, "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[8],"
                                     "\"data_type\":\"int32\"," GRID("[4]") KEYS
                                     "\"fill_value\":0,\"codecs\":");
  for (int i = 0; i < 2000; i++)
    end += sprintf(end, "[{\"name\":\"sharding_indexed\",\"configuration\":{\"chunk_shape\":[4],"
                        "\"index_codecs\":[" BYTES "],\"codecs\":");
  end += sprintf(end, "[" BYTES "]");
  for (int i = 0; i < 2000; i++)
    end += sprintf(end, "}}]");
  end += sprintf(end, "}");
  open_bad(store, "a/zarr.json", document, (size_t)(end - document));
  close_store(store);
}

/* One changed byte at a time: whatever it makes of the document, reading stays safe. */
static void mutated_documents(void) {
  const uint64_t shape[] = {6, 8}, chunks[] = {2, 4}, shard[] = {4, 4}, one[] = {1, 1};
  int rounds = slowed() ? 400 : 4000;
  zarrc_store *store = memory_store();
  zarrc_array_spec *spec = spec_of(ZARRC_INT32, 2, shape, chunks);
  OK(zarrc_array_spec_set_shard_shape(spec, 2, shard, &err));
  zarrc_array *array = create(store, "a", spec);
  int32_t values[48] = {3, 1, 4, 1, 5};
  OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, values, sizeof values, &err));
  close_array(array);
  uint8_t *document = NULL;
  size_t size = 0;
  OK(zarrc_store_get(store, "a/zarr.json", &document, &size, &err));
  uint8_t *changed = malloc(size + 1);
  for (int round = 0; round < rounds && document; round++) {
    static const char interesting[] = "0123456789-+.eE\"{}[],:ntfx\\ ";
    zarrc_error error;
    memcpy(changed, document, size);
    for (int i = 0; i < 1 + round % 2; i++)
      changed[random_below(size)] = (uint8_t)interesting[random_below(sizeof interesting - 1)];
    OK(zarrc_store_set(store, "a/zarr.json", changed, size, &err));
    array = NULL;
    if (TIMED(zarrc_array_open(store, "a", &array, &error)) == ZARRC_OK) {
      unsigned char bytes[64];
      if (zarrc_array_rank(array) == 2)
        TIMED(zarrc_array_read(array, NULL, one, ZARRC_NATIVE, bytes, sizeof bytes, &error));
    }
    zarrc_array_close(array, NULL);
  }
  free(changed);
  zarrc_value_free(document, size);
  close_store(store);
}

/* ---- chunks ---------------------------------------------------------------- */

typedef struct {
  zarrc_format format;
  const char *codec, *configuration;
} compressor;

static const compressor compressors[] = {
    {ZARRC_FORMAT_V3, "none", NULL},   {ZARRC_FORMAT_V3, "gzip", NULL},
    {ZARRC_FORMAT_V3, "zstd", NULL},   {ZARRC_FORMAT_V3, "blosc", NULL},
    {ZARRC_FORMAT_V3, "crc32c", NULL}, {ZARRC_FORMAT_V2, "zlib", NULL},
    {ZARRC_FORMAT_V2, "lz4", NULL},    {ZARRC_FORMAT_V2, "blosc", NULL},
    {ZARRC_FORMAT_V3, "shards", NULL},
};
enum { COMPRESSORS = sizeof compressors / sizeof *compressors };

/* An array of one chunk of `elements` int32, and the key of that chunk. */
static zarrc_array *one_chunk(zarrc_store *store, const compressor *by, uint64_t elements,
                              char key[32]) {
  static int serial;
  char path[16];
  snprintf(path, sizeof path, "h%d", serial++);
  bool shards = strcmp(by->codec, "shards") == 0;
  uint64_t inner = shards ? elements / 4 : elements;
  zarrc_array_spec *spec = spec_of(ZARRC_INT32, 1, &elements, &inner);
  OK(zarrc_array_spec_set_format(spec, by->format, &err));
  if (shards)
    OK(zarrc_array_spec_set_shard_shape(spec, 1, &elements, &err));
  else
    OK(zarrc_array_spec_add_codec(spec, by->codec, by->configuration, &err));
  snprintf(key, 32, by->format == ZARRC_FORMAT_V2 ? "%s/0" : "%s/c/0", path);
  return create(store, path, spec);
}

/* Reads all, and a little, of an array whose chunk was set by hand. The handle is opened anew. */
static zarrc_status read_anew(zarrc_store *store, const char *key, int32_t *values, size_t size) {
  char path[32];
  zarrc_error error;
  zarrc_array *array = NULL;
  const uint64_t start = 2, few = 3;
  snprintf(path, sizeof path, "%.*s", (int)strcspn(key, "/"), key);
  OK(zarrc_array_open(store, path, &array, &err));
  zarrc_status status =
      TIMED(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, values, size, &error));
  TIMED(zarrc_array_read(array, &start, &few, ZARRC_INT32, values, size, &error));
  zarrc_array_close(array, NULL);
  return status;
}

enum { ELEMENTS = 4096 };
static int32_t written[ELEMENTS], values[ELEMENTS];

static void damaged_chunks(void) {
  int rounds = slowed() ? 40 : 1000;
  for (int i = 0; i < ELEMENTS; i++)
    written[i] = i / 5;
  for (int c = 0; c < COMPRESSORS; c++) {
    char key[32];
    uint8_t *chunk = NULL;
    size_t size = 0;
    zarrc_store *store = memory_store();
    zarrc_array *array = one_chunk(store, &compressors[c], ELEMENTS, key);
    OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, written, sizeof written, &err));
    close_array(array);
    OK(zarrc_store_get(store, key, &chunk, &size, &err));
    if (!chunk)
      continue;

    /* Cut short anywhere. */
    for (int round = 0; round < 60; round++) {
      size_t cut = round < 30 ? (size_t)round * size / 30 : size - 1 - (size_t)(round - 30) % size;
      OK(zarrc_store_set(store, key, chunk, cut, &err));
      zarrc_status status = read_anew(store, key, values, sizeof values);
      bool told = status == ZARRC_CORRUPT_DATA || status == ZARRC_LIMIT_EXCEEDED;
      if (!told)
        printf("%s cut to %zu of %zu: %s\n", compressors[c].codec, cut, size,
               zarrc_status_name(status));
      CHECK(told);
    }

    /* Bits flipped: told, or read; never more. */
    uint8_t *flipped = malloc(size);
    for (int round = 0; round < rounds; round++) {
      memcpy(flipped, chunk, size);
      size_t at = round % 2 ? random_below(size) : random_below(size < 32 ? size : 32);
      flipped[at] ^= (uint8_t)(1u << random_below(8));
      OK(zarrc_store_set(store, key, flipped, size, &err));
      zarrc_status status = read_anew(store, key, values, sizeof values);
      CHECK(status == ZARRC_OK || blames_the_store(status));
      if (strcmp(compressors[c].codec, "crc32c") == 0)
        SAME(status, ZARRC_CORRUPT_DATA);
    }
    free(flipped);
    zarrc_value_free(chunk, size);
    close_store(store);
  }
}

static void garbage(void) {
  for (int c = 0; c < COMPRESSORS; c++) {
    char key[32];
    uint8_t chunk[200];
    zarrc_store *store = memory_store();
    zarrc_array *array = one_chunk(store, &compressors[c], ELEMENTS, key);
    close_array(array);
    for (int kind = 0; kind < 20; kind++) {
      for (size_t i = 0; i < sizeof chunk; i++)
        chunk[i] = kind == 0 ? 0 : kind == 1 ? 0xff : (uint8_t)random_bits();
      OK(zarrc_store_set(store, key, chunk, sizeof chunk, &err));
      zarrc_status status = read_anew(store, key, values, sizeof values);
      if (status != ZARRC_CORRUPT_DATA)
        printf("%s: %s\n", compressors[c].codec, zarrc_status_name(status));
      CHECK(status == ZARRC_CORRUPT_DATA || status == ZARRC_LIMIT_EXCEEDED);
    }
    close_store(store);
  }
}

/* 200 bytes that claim to be terabytes. */
static void claims(void) {
  static const struct {
    compressor by;
    uint8_t header[24];
  } cases[] = {
      /* a zstd frame of one segment, content size 10^13 */
      {{ZARRC_FORMAT_V3, "zstd", NULL},
       {0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0x00, 0xa0, 0x72, 0x4e, 0x18, 0x09, 0x00, 0x00}},
      /* blosc: nbytes, blocksize and cbytes at their largest */
      {{ZARRC_FORMAT_V3, "blosc", NULL},
       {2, 1, 0x21, 4, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f, 0xc8, 0, 0, 0}},
      {{ZARRC_FORMAT_V3, "blosc", NULL},
       {2, 1, 0x21, 4, 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0xc8, 0, 0, 0}},
      {{ZARRC_FORMAT_V3, "blosc", NULL},
       {2, 1, 0x21, 0, 0x00, 0x40, 0, 0, 0, 0, 0, 0, 0xc8, 0, 0, 0}},
      /* lz4: a size of 2 GiB before the block, and a negative one */
      {{ZARRC_FORMAT_V2, "lz4", NULL}, {0xff, 0xff, 0xff, 0x7f, 0x1f, 'a', 1, 0, 0xff, 0xff, 0xff}},
      {{ZARRC_FORMAT_V2, "lz4", NULL}, {0xff, 0xff, 0xff, 0xff, 0x1f, 'a', 1, 0, 0xff, 0xff, 0xff}},
      {{ZARRC_FORMAT_V2, "gzip", NULL}, {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xed, 0xc1}},
  };
  static const uint64_t sizes[] = {ELEMENTS, 2500000000000u}; /* 16 KiB; 10 TB */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int s = 0; s < 2; s++) {
      char key[32];
      uint8_t chunk[200] = {0};
      const uint64_t start = 2, few = 3;
      zarrc_error error;
      zarrc_store *store = sound_store(cases[i].by.format == ZARRC_FORMAT_V2);
      zarrc_array *array = NULL;
      memcpy(chunk, cases[i].header, sizeof cases[i].header);
      if (s == 0) {
        close_array(one_chunk(store, &cases[i].by, sizes[s], key));
        OK(zarrc_store_set(store, key, chunk, sizeof chunk, &err));
        CHECK(blames_the_store(read_anew(store, key, values, sizeof values)));
      } else { /* the metadata agrees with the claim */
        char document[512], codec[64];
        bool v2 = cases[i].by.format == ZARRC_FORMAT_V2;
        snprintf(codec, sizeof codec, "{\"%s\":\"%s\"}", v2 ? "id" : "name", cases[i].by.codec);
        snprintf(document, sizeof document,
                 v2 ? V2("[2500000000000]", "[2500000000000]", "\"<i4\"", "%s", "0", "null")
                    : FULL("[2500000000000]", "\"int32\"", "[2500000000000]", "0", "[" BYTES ",%s]"),
                 codec);
        set_text(store, v2 ? "a/.zarray" : "a/zarr.json", document);
        OK(zarrc_store_set(store, v2 ? "a/0" : "a/c/0", chunk, sizeof chunk, &err));
        zarrc_status status = TIMED(zarrc_array_open(store, "a", &array, &error));
        if (status == ZARRC_OK)
          status = TIMED(zarrc_array_read(array, &start, &few, ZARRC_INT32, values, sizeof values,
                                          &error));
        CHECK(blames_the_store(status));
        zarrc_array_close(array, NULL);
      }
      close_store(store);
    }
}

/* A zstd stream of 10 GB in 320 KB: blocks of one repeated byte. */
static void zstd_bomb(void) {
  enum { BLOCKS = 80000, BLOCK = 128 << 10 };
  static uint8_t bomb[6 + 4 * BLOCKS] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38};
  for (uint32_t i = 0; i < BLOCKS; i++) {
    uint32_t header = (uint32_t)BLOCK << 3 | 1u << 1 | (i == BLOCKS - 1);
    uint8_t *block = bomb + 6 + 4 * i;
    block[0] = (uint8_t)header;
    block[1] = (uint8_t)(header >> 8);
    block[2] = (uint8_t)(header >> 16);
    block[3] = 'b';
  }
  char key[32];
  const compressor zstd = {ZARRC_FORMAT_V3, "zstd", NULL};
  zarrc_store *store = memory_store();
  close_array(one_chunk(store, &zstd, ELEMENTS, key));
  OK(zarrc_store_set(store, key, bomb, sizeof bomb, &err));
  zarrc_status status = read_anew(store, key, values, sizeof values);
  CHECK(status == ZARRC_CORRUPT_DATA || status == ZARRC_LIMIT_EXCEEDED);
  close_store(store);
}

/* A chunk that decodes, to too little or too much. */
static void wrong_sizes(void) {
  for (int c = 0; c < COMPRESSORS; c++)
    for (int longer = 0; longer < 2; longer++) {
      char small_key[32], key[32];
      uint8_t *chunk = NULL;
      size_t size = 0;
      if (strcmp(compressors[c].codec, "shards") == 0)
        continue;
      zarrc_store *store = memory_store();
      zarrc_array *array = one_chunk(store, &compressors[c], longer ? 300 : 100, small_key);
      for (int i = 0; i < 300; i++)
        written[i] = i + 1;
      OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, written, longer ? 1200 : 400, &err));
      close_array(array);
      close_array(one_chunk(store, &compressors[c], 200, key));
      OK(zarrc_store_get(store, small_key, &chunk, &size, &err));
      OK(zarrc_store_set(store, key, chunk, size, &err));
      zarrc_status status = read_anew(store, key, values, 800);
      if (status != ZARRC_CORRUPT_DATA)
        printf("%s, %s: %s\n", compressors[c].codec, longer ? "longer" : "shorter",
               zarrc_status_name(status));
      SAME(status, ZARRC_CORRUPT_DATA);
      zarrc_value_free(chunk, size);
      close_store(store);
    }
}

/* Shard indexes that point where nothing is. */
static void shard_indexes(void) {
  static const uint64_t entries[][2] = {
      {UINT64_MAX, 0},     {0, UINT64_MAX},          {UINT64_MAX - 1, 2}, {(uint64_t)1 << 63, 64},
      {0, (uint64_t)1 << 43}, {100000, 64},          {0, 0},              {8, UINT64_MAX - 4},
  };
  const char *document =
      FULL("[64]", "\"int32\"", "[64]", "7",
           "[{\"name\":\"sharding_indexed\",\"configuration\":{\"chunk_shape\":[16],"
           "\"codecs\":[" BYTES "],\"index_codecs\":[" BYTES "]}}]");
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    uint8_t shard[64 + 4 * 16];
    memset(shard, 0xff, sizeof shard);
    memcpy(shard + 64, entries[i], 16);
    zarrc_store *store = sound_store(false);
    set_text(store, "a/zarr.json", document);
    OK(zarrc_store_set(store, "a/c/0", shard, sizeof shard, &err));
    zarrc_status status = read_anew(store, "a/c/0", values, 256);
    if (status != ZARRC_CORRUPT_DATA)
      printf("entry %zu: %s\n", i, zarrc_status_name(status));
    SAME(status, ZARRC_CORRUPT_DATA);
    close_store(store);
  }
}

/* The attributes of v2 are a document of their own. */
static void attribute_documents(void) {
  static const char *const documents[] = {"", "[]", "{", "{\"a\":}", "\xff", "{\"a\":1}x"};
  zarrc_store *store = memory_store();
  set_text(store, ".zgroup", "{\"zarr_format\":2}");
  for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
    zarrc_group *group = NULL;
    zarrc_error error;
    char *json = NULL;
    set_text(store, ".zattrs", documents[i]);
    zarrc_status status = TIMED(zarrc_group_open(store, "", &group, &error));
    if (status == ZARRC_OK)
      status = zarrc_attributes_json(zarrc_group_attributes(group), &json, &error);
    SAME(status, ZARRC_INVALID_METADATA);
    zarrc_string_free(json);
    zarrc_group_close(group, NULL);
  }
  close_store(store);
}

/* After everything, the process has not grown. */
static void memory_stayed_bounded(void) {
  struct rusage usage;
  CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
  CHECK(slowed() || usage.ru_maxrss < MEMORY_MB << 10);
}

int main(void) {
  begin("hostile");
  if (!slowed()) { /* what asks for terabytes does not get them */
    struct rlimit limit = {(rlim_t)4 << 30, (rlim_t)4 << 30};
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
  }
  RUN(documents);
  RUN(monstrous_documents);
  RUN(mutated_documents);
  RUN(damaged_chunks);
  RUN(garbage);
  RUN(claims);
  RUN(zstd_bomb);
  RUN(wrong_sizes);
  RUN(shard_indexes);
  RUN(attribute_documents);
  RUN(memory_stayed_bounded);
  return finish();
}
