/* What is written is read back: every type, codec, layout and shape. */
#include "check.h"


static const struct {
  zarrc_data_type type;
  size_t size;
  const char *name;
} types[] = {
    {ZARRC_BOOL, 1, "bool"},          {ZARRC_INT8, 1, "int8"},
    {ZARRC_INT16, 2, "int16"},        {ZARRC_INT32, 4, "int32"},
    {ZARRC_INT64, 8, "int64"},        {ZARRC_UINT8, 1, "uint8"},
    {ZARRC_UINT16, 2, "uint16"},      {ZARRC_UINT32, 4, "uint32"},
    {ZARRC_UINT64, 8, "uint64"},      {ZARRC_FLOAT16, 2, "float16"},
    {ZARRC_FLOAT32, 4, "float32"},    {ZARRC_FLOAT64, 8, "float64"},
    {ZARRC_COMPLEX64, 8, "complex64"}, {ZARRC_COMPLEX128, 16, "complex128"},
};

static const zarrc_format formats[] = {ZARRC_FORMAT_V2, ZARRC_FORMAT_V3};

/* Bytes that every type can hold: booleans are 0 or 1, the rest is arbitrary. */
static void fill_bytes(zarrc_data_type type, void *buffer, size_t size) {
  unsigned char *bytes = buffer;
  for (size_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)(type == ZARRC_BOOL ? random_below(2) : random_bits());
}

static void numeric_types(void) {
  const uint64_t shape[] = {7, 10}, chunks[] = {3, 4};
  for (size_t f = 0; f < COUNT(formats); f++) {
    zarrc_store *store = memory_store();
    for (size_t t = 0; t < COUNT(types); t++) {
      unsigned char written[70 * 16], read[70 * 16];
      size_t size = 70 * types[t].size;
      zarrc_array_spec *spec = spec_of(types[t].type, 2, shape, chunks);
      OK(zarrc_array_spec_set_format(spec, formats[f], &err));
      zarrc_array *array = create(store, types[t].name, spec);

      fill_bytes(types[t].type, written, size);
      OK(zarrc_array_write(array, NULL, NULL, types[t].type, written, size, &err));
      OK(zarrc_array_read(array, NULL, NULL, types[t].type, read, size, &err));
      SAME_BYTES(read, written, size);
      close_array(array);

      memset(read, 0, sizeof read);
      OK(zarrc_array_open(store, types[t].name, &array, &err));
      SAME(zarrc_array_data_type(array), types[t].type);
      SAME(zarrc_array_element_size(array), types[t].size);
      SAME(zarrc_array_format(array), formats[f]);
      OK(zarrc_array_read(array, NULL, NULL, ZARRC_NATIVE, read, size, &err));
      SAME_BYTES(read, written, size);
      close_array(array);
    }
    close_store(store);
  }
}

/* Types of a byte of which the low bits count. */
static void small_types(void) {
  const uint64_t shape[] = {4};
  const int8_t numbers[] = {-8, -1, 0, 7}, large[] = {0, 1, 2, 8};
  const uint8_t stored[] = {0xf8, 0x0f, 0x30, 0x07}; /* the same by their low bits */
  const float floats[] = {0.5f, -6, 0, 1.5f}, beyond[] = {0, 0, 7, 0};
  const float powers[] = {0.25f, 1, 2, 1024};
  for (size_t f = 0; f < COUNT(formats); f++) {
    int8_t int8s[4];
    uint8_t bytes[4];
    float read[4];
    zarrc_store *store = memory_store();
    zarrc_array_spec *spec = spec_of(ZARRC_INT4, 1, shape, NULL);
    OK(zarrc_array_spec_set_format(spec, formats[f], &err));
    OK(zarrc_array_spec_set_fill_value_json(spec, "-3", &err));
    zarrc_array *array = create(store, "int4", spec);
    SAME(zarrc_array_data_type(array), ZARRC_INT4);
    SAME(zarrc_array_element_size(array), 1);
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT8, int8s, sizeof int8s, &err));
    CHECK(int8s[0] == -3 && int8s[3] == -3);
    OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT8, numbers, sizeof numbers, &err));
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_NATIVE, int8s, sizeof int8s, &err));
    SAME_BYTES(int8s, numbers, sizeof numbers);
    FAILS_NAMING(zarrc_array_write(array, NULL, NULL, ZARRC_INT8, large, sizeof large, &err),
                 ZARRC_TYPE_MISMATCH, "-8 to 7");

    OK(zarrc_array_write(array, NULL, NULL, ZARRC_NATIVE, stored, sizeof stored, &err));
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_NATIVE, bytes, sizeof bytes, &err));
    SAME_BYTES(bytes, stored, sizeof stored);
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT4, int8s, sizeof int8s, &err));
    SAME_BYTES(int8s, numbers, sizeof numbers);
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_FLOAT32, read, sizeof read, &err));
    CHECK(read[0] == -8 && read[1] == -1 && read[2] == 0 && read[3] == 7);
    FAILS(zarrc_array_read(array, NULL, NULL, ZARRC_UINT4, int8s, sizeof int8s, &err),
          ZARRC_TYPE_MISMATCH);
    close_array(array);

    spec = spec_of(ZARRC_FLOAT4_E2M1FN, 1, shape, NULL);
    OK(zarrc_array_spec_set_format(spec, formats[f], &err));
    array = create(store, "float4", spec);
    OK(zarrc_array_write(array, NULL, NULL, ZARRC_FLOAT32, floats, sizeof floats, &err));
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_NATIVE, bytes, sizeof bytes, &err));
    CHECK(bytes[0] == 0x01 && bytes[1] == 0x0f && bytes[2] == 0x00 && bytes[3] == 0x03);
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_FLOAT32, read, sizeof read, &err));
    SAME_BYTES(read, floats, sizeof floats);
    FAILS_NAMING(zarrc_array_write(array, NULL, NULL, ZARRC_FLOAT32, beyond, sizeof beyond, &err),
                 ZARRC_TYPE_MISMATCH, "largest is 6");
    FAILS(zarrc_array_read(array, NULL, NULL, ZARRC_FLOAT8_E8M0FNU, bytes, sizeof bytes, &err),
          ZARRC_TYPE_MISMATCH);
    close_array(array);

    spec = spec_of(ZARRC_FLOAT8_E8M0FNU, 1, shape, NULL);
    OK(zarrc_array_spec_set_format(spec, formats[f], &err));
    array = create(store, "scale", spec);
    OK(zarrc_array_write(array, NULL, NULL, ZARRC_FLOAT32, powers, sizeof powers, &err));
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_FLOAT8_E8M0FNU, bytes, sizeof bytes, &err));
    CHECK(bytes[0] == 125 && bytes[1] == 127 && bytes[2] == 128 && bytes[3] == 137);
    close_array(array);
    close_store(store);
  }
}

/* Every constant beyond those of memory's own types names a type of v3, and the other way round. */
static void names_of_small_types(void) {
  static const char *const names[] = {
      "int2", "int4", "uint2", "uint4", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn",
      "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz",
      "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "complex_float16", "complex_bfloat16",
      "complex_float4_e2m1fn", "complex_float6_e2m3fn", "complex_float6_e3m2fn",
      "complex_float8_e3m4", "complex_float8_e4m3", "complex_float8_e4m3b11fnuz",
      "complex_float8_e4m3fn", "complex_float8_e4m3fnuz", "complex_float8_e5m2",
      "complex_float8_e5m2fnuz", "complex_float8_e8m0fnu",
  };
  const uint64_t shape[] = {3};
  SAME(ZARRC_INT2 + COUNT(names) - 1, ZARRC_COMPLEX_FLOAT8_E8M0FNU);
  for (size_t n = 0; n < COUNT(names); n++) {
    const zarrc_data_type type = ZARRC_INT2 + (zarrc_data_type)n;
    const size_t size = type < ZARRC_COMPLEX_FLOAT16 ? 1 : type < ZARRC_COMPLEX_FLOAT4_E2M1FN ? 4 : 2;
    const float ones[] = {1, 1, 1, 1, 1, 1};
    float read[6];
    char *json = NULL, quoted[64];
    zarrc_store *store = memory_store();
    zarrc_array_spec *spec = spec_of(ZARRC_FLOAT64, 1, shape, NULL);
    OK(zarrc_array_spec_set_data_type(spec, names[n], &err));
    zarrc_array *array = create(store, "by_name", spec);
    SAME(zarrc_array_data_type(array), type);
    SAME(zarrc_array_element_size(array), size);
    close_array(array);

    array = create(store, "by_constant", spec_of(type, 1, shape, NULL));
    OK(zarrc_array_metadata_json(array, &json, &err));
    snprintf(quoted, sizeof quoted, "\"%s\"", names[n]);
    CHECK(strstr(json, quoted) != NULL);
    zarrc_string_free(json);
    const bool complex = size > 1;
    const zarrc_data_type memory = complex ? ZARRC_COMPLEX64 : ZARRC_FLOAT32;
    const size_t all = (complex ? 6 : 3) * sizeof *ones;
    OK(zarrc_array_write(array, NULL, NULL, memory, ones, all, &err));
    OK(zarrc_array_read(array, NULL, NULL, memory, read, all, &err));
    SAME_BYTES(read, ones, all);
    close_array(array);
    close_store(store);
  }
}

static void bfloat16(void) {
  const uint64_t shape[] = {5};
  const uint16_t written[] = {0x3f80, 0x4000, 0xc040, 0x7f80, 0x0001};
  for (size_t f = 0; f < COUNT(formats); f++) {
    uint16_t read[5];
    float converted[5];
    zarrc_store *store = memory_store();
    zarrc_array_spec *spec = spec_of(ZARRC_BFLOAT16, 1, shape, NULL);
    OK(zarrc_array_spec_set_format(spec, formats[f], &err));
    zarrc_array *array = create(store, "b", spec);
    OK(zarrc_array_write(array, NULL, NULL, ZARRC_BFLOAT16, written, sizeof written, &err));
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_BFLOAT16, read, sizeof read, &err));
    SAME_BYTES(read, written, sizeof read);
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_FLOAT32, converted, sizeof converted, &err));
    CHECK(converted[0] == 1 && converted[1] == 2 && converted[2] == -3 && isinf(converted[3]));
    close_array(array);
    close_store(store);
  }
}

/* Types with parameters, by their names in either format. */
static void parametric_types(void) {
  static const struct {
    zarrc_data_type type;
    const char *name;
    size_t size;
  } cases[] = {
      {ZARRC_FIXED_BYTES, "|S12", 12},     {ZARRC_FIXED_UTF32, "<U7", 28},
      {ZARRC_DATETIME64, "<M8[ns]", 8},    {ZARRC_TIMEDELTA64, "<m8[s]", 8},
      {ZARRC_RAW, "|V16", 16},             {ZARRC_FLOAT64, ">f8", 8},
      {ZARRC_STRUCT, "[[\"x\", \"<f4\"], [\"n\", \"<i8\"], [\"v\", \"|u1\", [3]]]", 15},
  };
  const uint64_t shape[] = {9}, chunks[] = {4};
  for (size_t i = 0; i < COUNT(cases); i++) {
    char path[16];
    unsigned char written[9 * 32], read[9 * 32];
    size_t size = 9 * cases[i].size;
    zarrc_store *store = memory_store();
    zarrc_array_spec *spec = spec_of(cases[i].type, 1, shape, chunks);
    OK(zarrc_array_spec_set_format(spec, ZARRC_FORMAT_V2, &err));
    OK(zarrc_array_spec_set_data_type(spec, cases[i].name, &err));
    snprintf(path, sizeof path, "type%zu", i);
    zarrc_array *array = create(store, path, spec);
    SAME(zarrc_array_data_type(array), cases[i].type);
    SAME(zarrc_array_element_size(array), cases[i].size);
    memset(written, 0, sizeof written);
    for (size_t j = 0; j < size; j++)
      if (cases[i].type != ZARRC_FIXED_UTF32 || j % 4 == 0)
        written[j] = (unsigned char)('a' + random_below(26));
    OK(zarrc_array_write(array, NULL, NULL, ZARRC_NATIVE, written, size, &err));
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_NATIVE, read, size, &err));
    SAME_BYTES(read, written, size);
    close_array(array);
    close_store(store);
  }
}

static void defaults(void) {
  const uint64_t shape[] = {100, 200};
  uint64_t got[2] = {0, 0};
  zarrc_store *store = memory_store();
  zarrc_array *array = create(store, "a", spec_of(ZARRC_FLOAT32, 2, shape, NULL));
  SAME(zarrc_array_format(array), ZARRC_FORMAT_V3);
  SAME(zarrc_array_rank(array), 2);
  OK(zarrc_array_shape(array, 2, got, &err));
  CHECK(got[0] == 100 && got[1] == 200);
  OK(zarrc_array_chunk_shape(array, 2, got, &err));
  CHECK(got[0] >= 1 && got[1] >= 1 && got[0] * got[1] * 4 <= 4 << 20);
  float fill = 1;
  OK(zarrc_array_fill_value(array, &fill, sizeof fill, &err));
  CHECK(fill == 0);

  char *json = NULL;
  OK(zarrc_array_metadata_json(array, &json, &err));
  CHECK(json && strstr(json, "\"zarr_format\"") && strstr(json, "zstd"));
  zarrc_string_free(json);
  close_array(array);

  /* A huge array has chunks of a sensible size too. */
  const uint64_t huge[] = {1000000, 1000000, 1000};
  uint64_t chunk[3] = {0, 0, 0};
  array = create(store, "huge", spec_of(ZARRC_FLOAT64, 3, huge, NULL));
  OK(zarrc_array_chunk_shape(array, 3, chunk, &err));
  uint64_t bytes = chunk[0] * chunk[1] * chunk[2] * 8;
  CHECK(bytes >= 128 << 10 && bytes <= 8 << 20);
  close_array(array);
  close_store(store);
}

/* ---- codecs ---------------------------------------------------------------- */

typedef struct {
  zarrc_format format;
  const char *names[3];
  const char *configurations[3];
} chain;

static const chain chains[] = {
    {ZARRC_FORMAT_V3, {"none"}, {NULL}},
    {ZARRC_FORMAT_V3, {"bytes"}, {"{\"endian\":\"big\"}"}},
    {ZARRC_FORMAT_V3, {"gzip"}, {"{\"level\":5}"}},
    {ZARRC_FORMAT_V3, {"zstd"}, {NULL}},
    {ZARRC_FORMAT_V3, {"zstd"}, {"{\"level\":3,\"checksum\":true}"}},
    {ZARRC_FORMAT_V3,
     {"blosc"},
     {"{\"cname\":\"lz4\",\"clevel\":5,\"shuffle\":\"shuffle\",\"typesize\":4,\"blocksize\":0}"}},
    {ZARRC_FORMAT_V3,
     {"blosc"},
     {"{\"cname\":\"zstd\",\"clevel\":3,\"shuffle\":\"bitshuffle\",\"typesize\":4,"
      "\"blocksize\":0}"}},
    {ZARRC_FORMAT_V3, {"crc32c"}, {NULL}},
    {ZARRC_FORMAT_V3, {"gzip", "crc32c"}, {"{\"level\":1}", NULL}},
    {ZARRC_FORMAT_V3,
     {"transpose", "bytes", "zstd"},
     {"{\"order\":[2,0,1]}", "{\"endian\":\"little\"}", "{\"level\":1,\"checksum\":false}"}},
    {ZARRC_FORMAT_V2, {"none"}, {NULL}},
    {ZARRC_FORMAT_V2, {"zlib"}, {"{\"level\":1}"}},
    {ZARRC_FORMAT_V2, {"gzip"}, {"{\"level\":9}"}},
    {ZARRC_FORMAT_V2, {"zstd"}, {"{\"level\":5}"}},
    {ZARRC_FORMAT_V2, {"lz4"}, {"{\"acceleration\":1}"}},
    {ZARRC_FORMAT_V2,
     {"blosc"},
     {"{\"cname\":\"zlib\",\"clevel\":5,\"shuffle\":1,\"blocksize\":0}"}},
    {ZARRC_FORMAT_V2, {"blosc"}, {NULL}},
};

/* Whole, in part, and after reopening. */
static void codecs(void) {
  const uint64_t shape[] = {9, 20, 31}, chunks[] = {4, 8, 16};
  static int32_t written[9 * 20 * 31], read[9 * 20 * 31];
  for (size_t i = 0; i < COUNT(written); i++)
    written[i] = (int32_t)(i / 3) - 900;
  zarrc_store *stores[] = {memory_store(), memory_store()};
  for (size_t c = 0; c < COUNT(chains); c++) {
    char path[16];
    zarrc_store *store = stores[chains[c].format == ZARRC_FORMAT_V2];
    zarrc_array_spec *spec = spec_of(ZARRC_INT32, 3, shape, chunks);
    OK(zarrc_array_spec_set_format(spec, chains[c].format, &err));
    for (size_t i = 0; i < 3 && chains[c].names[i]; i++)
      OK(zarrc_array_spec_add_codec(spec, chains[c].names[i], chains[c].configurations[i], &err));
    snprintf(path, sizeof path, "chain%zu", c);
    zarrc_array *array = create(store, path, spec);
    OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, written, sizeof written, &err));
    close_array(array);

    OK(zarrc_array_open(store, path, &array, &err));
    memset(read, 0, sizeof read);
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, read, sizeof read, &err));
    SAME_BYTES(read, written, sizeof read);

    const uint64_t start[] = {3, 7, 15}, count[] = {2, 3, 2};
    int32_t box[2][3][2];
    OK(zarrc_array_read(array, start, count, ZARRC_INT32, box, sizeof box, &err));
    bool same = true;
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 3; j++)
        for (int k = 0; k < 2; k++)
          same = same && box[i][j][k] == written[((3 + i) * 20 + 7 + j) * 31 + 15 + k];
    CHECK(same);
    close_array(array);
  }
  close_store(stores[0]);
  close_store(stores[1]);
}

static void unknown_codecs(void) {
  const uint64_t shape[] = {4};
  static const zarrc_format both[] = {ZARRC_FORMAT_V2, ZARRC_FORMAT_V3};
  zarrc_store *store = memory_store();
  for (size_t f = 0; f < 2; f++) {
    zarrc_array_spec *spec = spec_of(ZARRC_INT32, 1, shape, NULL);
    zarrc_array *array = NULL;
    OK(zarrc_array_spec_set_format(spec, both[f], &err));
    zarrc_status status = zarrc_array_spec_add_codec(spec, "quux9", NULL, NULL);
    if (status == ZARRC_OK)
      FAILS_NAMING(zarrc_array_create(store, "x", spec, &array, &err), ZARRC_UNSUPPORTED, "quux9");
    else
      SAME(status, ZARRC_UNSUPPORTED);
    zarrc_array_spec_free(spec);
  }
  close_store(store);
}

/* Elements stored big-endian really are. */
static void byte_order(void) {
  const uint64_t shape[] = {2};
  const int16_t written[] = {0x0102, -2};
  static const unsigned char stored[] = {0x01, 0x02, 0xff, 0xfe};
  zarrc_store *store = memory_store();
  zarrc_array_spec *spec = spec_of(ZARRC_INT16, 1, shape, shape);
  OK(zarrc_array_spec_add_codec(spec, "bytes", "{\"endian\":\"big\"}", &err));
  zarrc_array *array = create(store, "v3", spec);
  OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT16, written, sizeof written, &err));
  OK(zarrc_array_flush(array, &err));
  uint8_t *value = NULL;
  size_t size = 0;
  OK(zarrc_store_get(store, "v3/c/0", &value, &size, &err));
  SAME(size, sizeof stored);
  if (size == sizeof stored)
    SAME_BYTES(value, stored, sizeof stored);
  zarrc_value_free(value, size);
  close_array(array);
  close_store(store);
}

static void shards(void) {
  const uint64_t shape[] = {100, 70}, chunks[] = {10, 5}, shard[] = {40, 30};
  static int32_t written[100][70], read[100][70];
  uint64_t got[2] = {0, 0};
  zarrc_store *store = memory_store();
  zarrc_array_spec *spec = spec_of(ZARRC_INT32, 2, shape, chunks);
  OK(zarrc_array_spec_set_shard_shape(spec, 2, shard, &err));
  zarrc_array *array = create(store, "s", spec);
  OK(zarrc_array_chunk_shape(array, 2, got, &err));
  CHECK(got[0] == 10 && got[1] == 5);
  OK(zarrc_array_shard_shape(array, 2, got, &err));
  CHECK(got[0] == 40 && got[1] == 30);

  /* A box across four shards, not aligned with anything, then a second over its corner. */
  uint64_t start[] = {33, 27}, count[] = {20, 9};
  static int32_t box[20 * 9];
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < 20; i++)
      for (int j = 0; j < 9; j++)
        written[start[0] + i][start[1] + j] = box[i * 9 + j] = (pass + 1) * 1000 + i * 9 + j;
    OK(zarrc_array_write(array, start, count, ZARRC_INT32, box, sizeof box, &err));
    start[0] += 4;
    start[1] += 4;
  }
  close_array(array);
  CHECK(has_key(store, "s/c/0/0") && has_key(store, "s/c/1/1"));
  CHECK(!has_key(store, "s/c/2/2"));

  OK(zarrc_array_open(store, "s", &array, &err));
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, read, sizeof read, &err));
  SAME_BYTES(read, written, sizeof read);
  close_array(array);

  const uint64_t odd[] = {25, 30};
  zarrc_array *none = NULL;
  spec = spec_of(ZARRC_INT32, 2, shape, chunks);
  zarrc_status status = zarrc_array_spec_set_shard_shape(spec, 2, odd, NULL);
  if (status == ZARRC_OK)
    status = zarrc_array_create(store, "odd", spec, &none, NULL);
  SAME(status, ZARRC_INVALID_ARGUMENT);
  zarrc_array_spec_free(spec);
  close_store(store);
}

/* ---- layout ---------------------------------------------------------------- */

static void orders_and_separators(void) {
  static const struct {
    zarrc_format format;
    char order, separator;
    const char *key;
  } cases[] = {
      {ZARRC_FORMAT_V2, 'C', '.', "a/1.2"}, {ZARRC_FORMAT_V2, 'F', '/', "a/1/2"},
      {ZARRC_FORMAT_V3, 'C', '/', "a/c/1/2"}, {ZARRC_FORMAT_V3, 'F', '.', "a/c.1.2"},
  };
  const uint64_t shape[] = {5, 7}, chunks[] = {3, 3};
  for (size_t i = 0; i < COUNT(cases); i++) {
    int16_t written[35], read[35];
    zarrc_store *store = memory_store();
    zarrc_array_spec *spec = spec_of(ZARRC_INT16, 2, shape, chunks);
    OK(zarrc_array_spec_set_format(spec, cases[i].format, &err));
    OK(zarrc_array_spec_set_order(spec, cases[i].order, &err));
    OK(zarrc_array_spec_set_separator(spec, cases[i].separator, &err));
    OK(zarrc_array_spec_add_codec(spec, "none", NULL, &err));
    zarrc_array *array = create(store, "a", spec);
    for (int j = 0; j < 35; j++)
      written[j] = (int16_t)(j + 1);
    OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT16, written, sizeof written, &err));
    OK(zarrc_array_flush(array, &err));
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT16, read, sizeof read, &err));
    SAME_BYTES(read, written, sizeof read);
    CHECK(has_key(store, cases[i].key));

    /* The second stored element lies one row down where the order is Fortran's. */
    int16_t second = 0;
    uint8_t *value = NULL;
    size_t size = 0;
    char key[8];
    snprintf(key, sizeof key, "%s", cases[i].key);
    key[strlen(key) - 1] = '0';
    key[strlen(key) - 3] = '0';
    OK(zarrc_store_get(store, key, &value, &size, &err));
    SAME(size, 18);
    if (size >= 4)
      memcpy(&second, value + 2, 2);
    SAME(second, cases[i].order == 'C' ? 2 : 8);
    zarrc_value_free(value, size);
    close_array(array);
    close_store(store);
  }
}

/* Random boxes, steps and layouts against a copy of the array in memory. */
enum { A = 7, B = 10, C = 13 };

static void against_a_model(zarrc_array *array, int rounds) {
  static int32_t model[A][B][C], memory[4096], before[4096];
  static const uint64_t extent[] = {A, B, C};
  bool same = true;
  for (int round = 0; round < rounds; round++) {
    uint64_t start[3], step[3], count[3];
    int64_t strides[3];
    int axes[3] = {0, 1, 2};
    for (int d = 2; d > 0; d--) { /* the order of the axes in memory */
      int other = (int)random_below((uint64_t)d + 1), axis = axes[d];
      axes[d] = axes[other];
      axes[other] = axis;
    }
    for (int d = 0; d < 3; d++) {
      start[d] = random_below(extent[d]);
      step[d] = 1 + random_below(3);
      count[d] = 1 + random_below((extent[d] - start[d] - 1) / step[d] + 1);
    }
    int64_t stride = 4 * (1 + (int64_t)random_below(2)), offset = 0;
    for (int d = 0; d < 3; d++) {
      int axis = axes[d];
      strides[axis] = stride;
      stride *= (int64_t)count[axis];
      if (random_below(3) == 0) {
        offset += strides[axis] * ((int64_t)count[axis] - 1);
        strides[axis] = -strides[axis];
      }
    }
    bool write = random_below(2) == 0;
    for (size_t i = 0; i < COUNT(memory); i++)
      before[i] = memory[i] = (int32_t)random_bits();
    int32_t *first = (int32_t *)((char *)memory + offset);
    if (write)
      OK(zarrc_array_write_strided(array, start, step, count, ZARRC_INT32, first, strides, &err));
    else
      OK(zarrc_array_read_strided(array, start, step, count, ZARRC_INT32, first, strides, &err));

    for (uint64_t i = 0; i < count[0]; i++)
      for (uint64_t j = 0; j < count[1]; j++)
        for (uint64_t k = 0; k < count[2]; k++) {
          int32_t *stored =
              &model[start[0] + i * step[0]][start[1] + j * step[1]][start[2] + k * step[2]];
          ptrdiff_t at = first - memory + (ptrdiff_t)((int64_t)i * strides[0] / 4) +
                         (ptrdiff_t)((int64_t)j * strides[1] / 4) +
                         (ptrdiff_t)((int64_t)k * strides[2] / 4);
          if (write)
            *stored = before[at];
          else
            same = same && memory[at] == *stored;
          before[at] = memory[at];
        }
    same = same && memcmp(before, memory, sizeof memory) == 0; /* nothing else was touched */
  }
  CHECK(same);
  static int32_t whole[A][B][C];
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, whole, sizeof whole, &err));
  SAME_BYTES(whole, model, sizeof whole);
  memset(model, 0, sizeof model);
}

static void strided(void) {
  static const uint64_t shape[] = {A, B, C}, chunks[] = {3, 4, 5}, inner[] = {3, 2, 5},
                        shard[] = {3, 4, 10};
  int rounds = slowed() ? 60 : 400;
  zarrc_store *store = memory_store(), *of_v2 = memory_store();

  zarrc_array *array = create(store, "plain", spec_of(ZARRC_INT32, 3, shape, chunks));
  against_a_model(array, rounds);
  close_array(array);

  zarrc_array_spec *spec = spec_of(ZARRC_INT32, 3, shape, inner);
  OK(zarrc_array_spec_set_shard_shape(spec, 3, shard, &err));
  array = create(store, "shards", spec);
  against_a_model(array, rounds);
  close_array(array);

  spec = spec_of(ZARRC_INT32, 3, shape, chunks);
  OK(zarrc_array_spec_set_format(spec, ZARRC_FORMAT_V2, &err));
  OK(zarrc_array_spec_set_data_type(spec, ">i4", &err));
  OK(zarrc_array_spec_set_order(spec, 'F', &err));
  OK(zarrc_array_spec_add_codec(spec, "blosc", NULL, &err));
  array = create(of_v2, "fortran", spec);
  against_a_model(array, rounds);
  close_array(array);
  close_store(of_v2);

  spec = spec_of(ZARRC_INT32, 3, shape, chunks);
  OK(zarrc_array_spec_add_codec(spec, "none", NULL, &err));
  array = create(store, "raw", spec);
  against_a_model(array, rounds);
  close_array(array);
  close_store(store);
}

/* Fortran's a(2,3), which varies fastest along its first index, is a choice of strides. */
static void fortran_memory(void) {
  const uint64_t shape[] = {2, 3}, start[] = {0, 0};
  const int64_t strides[] = {8, 16};
  const double written[] = {1, 2, 3, 4, 5, 6};
  double columns[6], swapped[6];
  zarrc_store *store = memory_store();
  zarrc_array *array = create(store, "a", spec_of(ZARRC_FLOAT64, 2, shape, NULL));
  OK(zarrc_array_write(array, NULL, NULL, ZARRC_FLOAT64, written, sizeof written, &err));
  OK(zarrc_array_read_strided(array, start, NULL, shape, ZARRC_FLOAT64, columns, strides, &err));
  const double expected[] = {1, 4, 2, 5, 3, 6};
  SAME_BYTES(columns, expected, sizeof columns);

  /* The last row first. */
  const int64_t upside_down[] = {-24, 8};
  OK(zarrc_array_read_strided(array, start, NULL, shape, ZARRC_FLOAT64, swapped + 3, upside_down,
                              &err));
  const double reversed[] = {4, 5, 6, 1, 2, 3};
  SAME_BYTES(swapped, reversed, sizeof swapped);
  close_array(array);
  close_store(store);
}

/* ---- conversion ------------------------------------------------------------ */

static void conversions(void) {
  const uint64_t shape[] = {4};
  const int32_t integers[] = {-1, 0, 100, 127};
  zarrc_store *store = memory_store();
  zarrc_array *array = create(store, "i", spec_of(ZARRC_INT32, 1, shape, NULL));
  OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, integers, sizeof integers, &err));

  int8_t i8[4];
  int64_t i64[4];
  uint8_t u8[4];
  float f32[4];
  double f64[4];
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT8, i8, sizeof i8, &err));
  CHECK(i8[0] == -1 && i8[1] == 0 && i8[2] == 100 && i8[3] == 127);
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT64, i64, sizeof i64, &err));
  CHECK(i64[0] == -1 && i64[3] == 127);
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_FLOAT32, f32, sizeof f32, &err));
  CHECK(f32[0] == -1 && f32[3] == 127);
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_FLOAT64, f64, sizeof f64, &err));
  CHECK(f64[0] == -1 && f64[3] == 127);
  FAILS(zarrc_array_read(array, NULL, NULL, ZARRC_UINT8, u8, sizeof u8, &err),
        ZARRC_TYPE_MISMATCH);

  const int64_t large[] = {1, 2, 3, (int64_t)1 << 40};
  FAILS(zarrc_array_write(array, NULL, NULL, ZARRC_INT64, large, sizeof large, &err),
        ZARRC_TYPE_MISMATCH);
  const double whole[] = {1, -2, 3, 4};
  OK(zarrc_array_write(array, NULL, NULL, ZARRC_FLOAT64, whole, sizeof whole, &err));
  int32_t back[4];
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, back, sizeof back, &err));
  CHECK(back[0] == 1 && back[1] == -2 && back[3] == 4);
  const double not_a_number[] = {1, NAN, 3, 4};
  FAILS(zarrc_array_write(array, NULL, NULL, ZARRC_FLOAT64, not_a_number, sizeof not_a_number,
                          &err),
        ZARRC_TYPE_MISMATCH);
  close_array(array);

  const double reals[] = {0.5, -0.25, INFINITY, 1e30};
  array = create(store, "d", spec_of(ZARRC_FLOAT64, 1, shape, NULL));
  OK(zarrc_array_write(array, NULL, NULL, ZARRC_FLOAT64, reals, sizeof reals, &err));
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_FLOAT32, f32, sizeof f32, &err));
  CHECK(f32[0] == 0.5f && f32[1] == -0.25f && isinf(f32[2]) && f32[3] == 1e30f);
  FAILS(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, back, sizeof back, &err),
        ZARRC_TYPE_MISMATCH);
  close_array(array);

  array = create(store, "c", spec_of(ZARRC_COMPLEX128, 1, shape, NULL));
  FAILS(zarrc_array_read(array, NULL, NULL, ZARRC_STRING, f64, sizeof f64, &err),
        ZARRC_TYPE_MISMATCH);
  FAILS(zarrc_array_read(array, NULL, NULL, ZARRC_FIXED_BYTES, f64, sizeof f64, &err),
        ZARRC_TYPE_MISMATCH);
  close_array(array);
  close_store(store);
}

/* ---- fill values, edges, resizing --------------------------------------------- */

static void fill_values(void) {
  const uint64_t shape[] = {5, 5}, chunks[] = {2, 2}, start[] = {1, 1}, one[] = {1, 1};
  for (size_t f = 0; f < COUNT(formats); f++) {
    const float fill = -1.5f, value = 42;
    float read[25], got = 0;
    zarrc_store *store = memory_store();
    zarrc_array_spec *spec = spec_of(ZARRC_FLOAT32, 2, shape, chunks);
    OK(zarrc_array_spec_set_format(spec, formats[f], &err));
    OK(zarrc_array_spec_set_fill_value(spec, &fill, sizeof fill, &err));
    zarrc_array *array = create(store, "a", spec);
    OK(zarrc_array_fill_value(array, &got, sizeof got, &err));
    CHECK(got == fill);
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_FLOAT32, read, sizeof read, &err));
    CHECK(read[0] == fill && read[12] == fill && read[24] == fill);

    /* One element of one chunk: its neighbours are filled, the other chunks stay missing. */
    OK(zarrc_array_write(array, start, one, ZARRC_FLOAT32, &value, sizeof value, &err));
    OK(zarrc_array_flush(array, &err));
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_FLOAT32, read, sizeof read, &err));
    CHECK(read[6] == value && read[0] == fill && read[5] == fill && read[24] == fill);
    CHECK(has_key(store, formats[f] == ZARRC_FORMAT_V2 ? "a/0.0" : "a/c/0/0"));
    CHECK(!has_key(store, formats[f] == ZARRC_FORMAT_V2 ? "a/1.1" : "a/c/1/1"));
    close_array(array);

    static const struct {
      const char *json;
      float value;
    } cases[] = {{"\"NaN\"", NAN}, {"\"-Infinity\"", -INFINITY}, {"7", 7}, {"2.5e-3", 2.5e-3f}};
    for (size_t i = 0; i < COUNT(cases); i++) {
      char path[16];
      spec = spec_of(ZARRC_FLOAT32, 2, shape, chunks);
      OK(zarrc_array_spec_set_format(spec, formats[f], &err));
      OK(zarrc_array_spec_set_fill_value_json(spec, cases[i].json, &err));
      snprintf(path, sizeof path, "json%zu", i);
      close_array(create(store, path, spec));
      OK(zarrc_array_open(store, path, &array, &err));
      OK(zarrc_array_fill_value(array, &got, sizeof got, &err));
      CHECK(isnan(cases[i].value) ? isnan(got) : got == cases[i].value);
      OK(zarrc_array_read(array, NULL, NULL, ZARRC_FLOAT32, read, sizeof read, &err));
      CHECK(isnan(cases[i].value) ? isnan(read[13]) : read[13] == cases[i].value);
      close_array(array);
    }
    close_store(store);
  }
}

static void resizing(void) {
  for (size_t f = 0; f < COUNT(formats); f++) {
    const uint64_t shape[] = {4, 6}, chunks[] = {2, 3}, grown[] = {6, 9}, cut[] = {2, 3};
    uint64_t got[2] = {0, 0};
    int32_t written[24], read[54];
    const int32_t fill = -7;
    zarrc_store *store = memory_store();
    zarrc_array_spec *spec = spec_of(ZARRC_INT32, 2, shape, chunks);
    OK(zarrc_array_spec_set_format(spec, formats[f], &err));
    OK(zarrc_array_spec_set_fill_value(spec, &fill, sizeof fill, &err));
    zarrc_array *array = create(store, "a", spec);
    for (int i = 0; i < 24; i++)
      written[i] = i;
    OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, written, sizeof written, &err));

    OK(zarrc_array_resize(array, 2, grown, &err));
    OK(zarrc_array_shape(array, 2, got, &err));
    CHECK(got[0] == 6 && got[1] == 9);
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, read, sizeof read, &err));
    CHECK(read[0] == 0 && read[5] == 5 && read[6] == fill && read[9] == 6 && read[53] == fill);

    /* What is cut off is gone, in the store and after growing again. */
    OK(zarrc_array_resize(array, 2, cut, &err));
    CHECK(has_key(store, formats[f] == ZARRC_FORMAT_V2 ? "a/0.0" : "a/c/0/0"));
    CHECK(!has_key(store, formats[f] == ZARRC_FORMAT_V2 ? "a/1.1" : "a/c/1/1"));
    OK(zarrc_array_resize(array, 2, shape, &err));
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, read, sizeof written, &err));
    CHECK(read[0] == 0 && read[2] == 2 && read[6] == 6 && read[3] == fill && read[23] == fill);
    close_array(array);

    OK(zarrc_array_open(store, "a", &array, &err));
    OK(zarrc_array_shape(array, 2, got, &err));
    CHECK(got[0] == 4 && got[1] == 6);
    close_array(array);
    close_store(store);
  }
}

static void no_dimensions(void) {
  for (size_t f = 0; f < COUNT(formats); f++) {
    const double written = 3.25;
    double read = 0;
    zarrc_store *store = memory_store();
    zarrc_array_spec *spec = spec_of(ZARRC_FLOAT64, 0, NULL, NULL);
    OK(zarrc_array_spec_set_format(spec, formats[f], &err));
    zarrc_array *array = create(store, "scalar", spec);
    SAME(zarrc_array_rank(array), 0);
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_FLOAT64, &read, sizeof read, &err));
    CHECK(read == 0);
    OK(zarrc_array_write(array, NULL, NULL, ZARRC_FLOAT64, &written, sizeof written, &err));
    close_array(array);
    CHECK(has_key(store, formats[f] == ZARRC_FORMAT_V2 ? "scalar/0" : "scalar/c"));
    OK(zarrc_array_open(store, "scalar", &array, &err));
    OK(zarrc_array_shape(array, 0, NULL, &err));
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_FLOAT64, &read, sizeof read, &err));
    CHECK(read == written);
    close_array(array);
    close_store(store);
  }
}

static void no_elements(void) {
  for (size_t f = 0; f < COUNT(formats); f++) {
    const uint64_t shape[] = {0, 5}, grown[] = {2, 5}, start[] = {1, 2}, nothing[] = {0, 2};
    int16_t row[10];
    zarrc_store *store = memory_store();
    zarrc_array_spec *spec = spec_of(ZARRC_INT16, 2, shape, NULL);
    OK(zarrc_array_spec_set_format(spec, formats[f], &err));
    zarrc_array *array = create(store, "empty", spec);
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT16, row, 0, &err));
    OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT16, row, 0, &err));
    OK(zarrc_array_resize(array, 2, grown, &err));
    OK(zarrc_array_read(array, start, nothing, ZARRC_INT16, row, 0, &err));
    memset(row, 1, sizeof row);
    OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT16, row, sizeof row, &err));
    close_array(array);
    close_store(store);
  }
}

/* A metadata document makes the same array again. */
static void from_json(void) {
  const uint64_t shape[] = {6}, chunks[] = {4};
  const int64_t written[] = {1, 2, 3, 4, 5, 6};
  for (size_t f = 0; f < COUNT(formats); f++) {
    int64_t read[6];
    char *json = NULL;
    zarrc_store *store = memory_store(), *other = memory_store();
    zarrc_array_spec *spec = spec_of(ZARRC_INT64, 1, shape, chunks);
    OK(zarrc_array_spec_set_format(spec, formats[f], &err));
    zarrc_array *array = create(store, "a", spec), *again = NULL;
    OK(zarrc_array_metadata_json(array, &json, &err));
    OK(zarrc_array_create_json(other, "b", formats[f], json, &again, &err));
    close_array(again);
    OK(zarrc_array_open_json(other, "b", formats[f], json, &again, &err));
    zarrc_string_free(json);
    OK(zarrc_array_write(again, NULL, NULL, ZARRC_INT64, written, sizeof written, &err));
    OK(zarrc_array_read(again, NULL, NULL, ZARRC_INT64, read, sizeof read, &err));
    SAME_BYTES(read, written, sizeof read);
    close_array(array);
    close_array(again);
    close_store(store);
    close_store(other);
  }
}

static void dimension_names(void) {
  const uint64_t shape[] = {2, 3};
  const char *const names[] = {"time", NULL};
  char *json = NULL;
  zarrc_store *store = memory_store();
  zarrc_array_spec *spec = spec_of(ZARRC_INT8, 2, shape, NULL);
  OK(zarrc_array_spec_set_dimension_names(spec, 2, names, &err));
  OK(zarrc_array_spec_set_attributes_json(spec, "{\"units\":\"K\"}", &err));
  zarrc_array *array = create(store, "a", spec);
  OK(zarrc_array_metadata_json(array, &json, &err));
  CHECK(json && strstr(json, "\"dimension_names\"") && strstr(json, "\"time\""));
  CHECK(json && strstr(json, "\"units\""));
  zarrc_string_free(json);
  close_array(array);
  close_store(store);
}

/* Files on disk hold what memory held. */
static void reopened_files(void) {
  const uint64_t shape[] = {50, 40}, chunks[] = {16, 16};
  static float written[2000], read[2000];
  for (int i = 0; i < 2000; i++)
    written[i] = sinf((float)i);
  zarrc_store *store = file_store(scratch("files.zarr"), ZARRC_CREATE);
  zarrc_array *array = create(store, "deep/down/a", spec_of(ZARRC_FLOAT32, 2, shape, chunks));
  close_store(store); /* the array keeps what it needs */
  OK(zarrc_array_write(array, NULL, NULL, ZARRC_FLOAT32, written, sizeof written, &err));
  close_array(array);

  store = file_store(scratch("files.zarr"), ZARRC_READ);
  OK(zarrc_array_open(store, "/deep/down/a", &array, &err));
  close_store(store);
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_FLOAT32, read, sizeof read, &err));
  SAME_BYTES(read, written, sizeof read);
  FAILS(zarrc_array_write(array, NULL, NULL, ZARRC_FLOAT32, written, sizeof written, &err),
        ZARRC_PERMISSION_DENIED);
  close_array(array);
}

int main(void) {
  begin("roundtrip");
  RUN(numeric_types);
  RUN(small_types);
  RUN(names_of_small_types);
  RUN(bfloat16);
  RUN(parametric_types);
  RUN(defaults);
  RUN(codecs);
  RUN(unknown_codecs);
  RUN(byte_order);
  RUN(shards);
  RUN(orders_and_separators);
  RUN(strided);
  RUN(fortran_memory);
  RUN(conversions);
  RUN(fill_values);
  RUN(resizing);
  RUN(no_dimensions);
  RUN(no_elements);
  RUN(from_json);
  RUN(dimension_names);
  RUN(reopened_files);
  return finish();
}
