/* Attributes: a JSON object beside each node, by key or whole. */
#include "check.h"

static const zarrc_format formats[] = {ZARRC_FORMAT_V2, ZARRC_FORMAT_V3};

static zarrc_group *group_in(zarrc_store *store, const char *path, zarrc_format format) {
  zarrc_group *group = NULL;
  OK(zarrc_group_create(store, path, format, &group, &err));
  return group;
}

/* JSON without the space between its tokens. */
static char *packed(char *json) {
  char *to = json;
  bool quoted = false;
  for (char *from = json; from && *from; from++) {
    if (*from == '"' && (from == json || from[-1] != '\\'))
      quoted = !quoted;
    if (quoted || !strchr(" \t\r\n", *from))
      *to++ = *from;
  }
  if (to)
    *to = '\0';
  return json;
}

#define SAME_JSON(attributes, key, expected)                          \
  do {                                                                \
    char *json_ = NULL;                                               \
    OK(zarrc_attributes_get_json(attributes, key, &json_, &err));     \
    SAME_TEXT(packed(json_), expected);                               \
    zarrc_string_free(json_);                                         \
  } while (0)

#define ALL_JSON(attributes, expected)                                \
  do {                                                                \
    char *json_ = NULL;                                               \
    OK(zarrc_attributes_json(attributes, &json_, &err));              \
    SAME_TEXT(packed(json_), expected);                               \
    zarrc_string_free(json_);                                         \
  } while (0)

#define SAME_STRING(attributes, key, expected)                        \
  do {                                                                \
    char *text_ = NULL;                                               \
    OK(zarrc_attributes_get_string(attributes, key, &text_, &err));   \
    SAME_TEXT(text_, expected);                                       \
    zarrc_string_free(text_);                                         \
  } while (0)

static void every_call(zarrc_attributes *attributes) {
  double number = 0;
  int64_t integer = 0;
  char *text = NULL;

  ALL_JSON(attributes, "{}");

  OK(zarrc_attributes_set_double(attributes, "dt", 0.1, &err));
  OK(zarrc_attributes_get_double(attributes, "dt", &number, &err));
  CHECK(number == 0.1);
  OK(zarrc_attributes_set_int64(attributes, "n", INT64_MIN, &err));
  OK(zarrc_attributes_get_int64(attributes, "n", &integer, &err));
  CHECK(integer == INT64_MIN);
  OK(zarrc_attributes_set_int64(attributes, "n", INT64_MAX, &err));
  OK(zarrc_attributes_get_int64(attributes, "n", &integer, &err));
  CHECK(integer == INT64_MAX);
  OK(zarrc_attributes_set_int64(attributes, "n", 3, &err));
  OK(zarrc_attributes_get_double(attributes, "n", &number, &err));
  CHECK(number == 3);
  OK(zarrc_attributes_set_string(attributes, "units", "K", &err));
  SAME_STRING(attributes, "units", "K");
  OK(zarrc_attributes_set_json(attributes, "list", "[1, 2.5, {\"a\": null}, true]", &err));
  SAME_JSON(attributes, "list", "[1,2.5,{\"a\":null},true]");
  SAME_JSON(attributes, "units", "\"K\"");
  SAME_JSON(attributes, "n", "3");

  OK(zarrc_attributes_delete(attributes, "list", &err));
  FAILS_NAMING(zarrc_attributes_get_json(attributes, "list", &text, &err), ZARRC_NOT_FOUND, "list");
  FAILS_NAMING(zarrc_attributes_delete(attributes, "list", &err), ZARRC_NOT_FOUND, "list");
  FAILS(zarrc_attributes_get_double(attributes, "none", &number, &err), ZARRC_NOT_FOUND);
  FAILS(zarrc_attributes_get_int64(attributes, "none", &integer, &err), ZARRC_NOT_FOUND);
  FAILS(zarrc_attributes_get_string(attributes, "none", &text, &err), ZARRC_NOT_FOUND);

  OK(zarrc_attributes_replace_json(attributes, "{\"only\": [ ]}", &err));
  ALL_JSON(attributes, "{\"only\":[]}");
  OK(zarrc_attributes_replace_json(attributes, "{}", &err));
}

static void groups_and_arrays(void) {
  const uint64_t shape[] = {2};
  for (int f = 0; f < 2; f++) {
    zarrc_store *store = memory_store();
    zarrc_group *group = group_in(store, "", formats[f]);
    every_call(zarrc_group_attributes(group));
    OK(zarrc_group_close(group, &err));
    group = group_in(store, "g/h", formats[f]);
    every_call(zarrc_group_attributes(group));
    OK(zarrc_group_close(group, &err));

    zarrc_array_spec *spec = spec_of(ZARRC_INT8, 1, shape, NULL);
    OK(zarrc_array_spec_set_format(spec, formats[f], &err));
    zarrc_array *array = create(store, "a", spec);
    every_call(zarrc_array_attributes(array));
    close_array(array);
    close_store(store);
  }
}

static void types_are_checked(void) {
  double number = 7;
  int64_t integer = 7;
  char *text = NULL;
  zarrc_store *store = memory_store();
  zarrc_group *group = group_in(store, "", ZARRC_FORMAT_V3);
  zarrc_attributes *attributes = zarrc_group_attributes(group);
  OK(zarrc_attributes_replace_json(
      attributes,
      "{\"s\":\"text\",\"half\":1.5,\"list\":[1],\"null\":null,\"big\":9223372036854775808}", &err));
  FAILS_NAMING(zarrc_attributes_get_double(attributes, "s", &number, &err), ZARRC_TYPE_MISMATCH,
               "s");
  FAILS(zarrc_attributes_get_double(attributes, "list", &number, &err), ZARRC_TYPE_MISMATCH);
  FAILS(zarrc_attributes_get_double(attributes, "null", &number, &err), ZARRC_TYPE_MISMATCH);
  FAILS(zarrc_attributes_get_int64(attributes, "half", &integer, &err), ZARRC_TYPE_MISMATCH);
  FAILS(zarrc_attributes_get_int64(attributes, "s", &integer, &err), ZARRC_TYPE_MISMATCH);
  FAILS(zarrc_attributes_get_int64(attributes, "big", &integer, &err), ZARRC_TYPE_MISMATCH);
  FAILS(zarrc_attributes_get_string(attributes, "half", &text, &err), ZARRC_TYPE_MISMATCH);
  FAILS(zarrc_attributes_get_string(attributes, "null", &text, &err), ZARRC_TYPE_MISMATCH);
  CHECK(number == 7 && integer == 7 && text == NULL);
  OK(zarrc_group_close(group, &err));
  close_store(store);
}

/* JSON has no NaN: the strings "NaN", "Infinity" and "-Infinity" stand for the numbers. */
static void not_numbers(void) {
  static const struct {
    double value;
    const char *json;
  } cases[] = {{NAN, "\"NaN\""}, {INFINITY, "\"Infinity\""}, {-INFINITY, "\"-Infinity\""}};
  for (int f = 0; f < 2; f++) {
    zarrc_store *store = memory_store();
    zarrc_group *group = group_in(store, "", formats[f]);
    zarrc_attributes *attributes = zarrc_group_attributes(group);
    for (int i = 0; i < 3; i++) {
      double got = 0;
      OK(zarrc_attributes_set_double(attributes, "x", cases[i].value, &err));
      SAME_JSON(attributes, "x", cases[i].json);
      OK(zarrc_attributes_get_double(attributes, "x", &got, &err));
      CHECK(isnan(cases[i].value) ? isnan(got) : got == cases[i].value);
    }
    OK(zarrc_group_close(group, &err));
    close_store(store);
  }

  /* Python writes them bare. */
  zarrc_store *store = memory_store();
  zarrc_group *group = NULL;
  double got = 0;
  set_text(store, ".zgroup", "{\"zarr_format\":2}");
  set_text(store, ".zattrs", "{\"missing\": NaN, \"range\": [-Infinity, Infinity], \"t\": \"NaN, \"}");
  OK(zarrc_group_open(store, "", &group, &err));
  OK(zarrc_attributes_get_double(zarrc_group_attributes(group), "missing", &got, &err));
  CHECK(isnan(got));
  SAME_JSON(zarrc_group_attributes(group), "range", "[\"-Infinity\",\"Infinity\"]");
  SAME_STRING(zarrc_group_attributes(group), "t", "NaN, ");
  OK(zarrc_group_close(group, &err));
  close_store(store);
}

static void every_character(void) {
  static const char *const texts[] = {
      "",
      "quote \" backslash \\ slash /",
      "line\nfeed\ttab\rreturn \x01 \x1f \x7f",
      "\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xa1", /* two, three and four bytes */
      "\xe2\x80\xa8 line separator",
  };
  for (int f = 0; f < 2; f++) {
    zarrc_store *store = memory_store();
    zarrc_group *group = group_in(store, "", formats[f]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
      zarrc_attributes *attributes = zarrc_group_attributes(group);
      OK(zarrc_attributes_set_string(attributes, "value", texts[i], &err));
      OK(zarrc_attributes_set_int64(attributes, texts[i], (int64_t)i, &err));
    }
    OK(zarrc_group_close(group, &err));
    OK(zarrc_group_open(store, "", &group, &err));
    zarrc_attributes *attributes = zarrc_group_attributes(group);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
      int64_t got = -1;
      OK(zarrc_attributes_get_int64(attributes, texts[i], &got, &err));
      SAME(got, i);
    }
    SAME_STRING(attributes, "value", texts[4]);
    OK(zarrc_attributes_set_json(attributes, "escaped", "\"\\u00e9\\ud83c\\udf21\\n\"", &err));
    SAME_STRING(attributes, "escaped", "\xc3\xa9\xf0\x9f\x8c\xa1\n");
    OK(zarrc_group_close(group, &err));
    close_store(store);
  }
}

static void numbers_keep_their_digits(void) {
  static const double numbers[] = {0.1, 1e300, 5e-324, -1.7976931348623157e308, 3, 1e21, 1.0 / 3};
  zarrc_store *store = memory_store();
  zarrc_group *group = group_in(store, "", ZARRC_FORMAT_V3);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    double got = 0;
    OK(zarrc_attributes_set_double(zarrc_group_attributes(group), "x", numbers[i], &err));
    OK(zarrc_attributes_get_double(zarrc_group_attributes(group), "x", &got, &err));
    SAME_BYTES(&got, &numbers[i], sizeof got);
  }
  OK(zarrc_attributes_set_json(zarrc_group_attributes(group), "long", "12345678901234567890.10",
                               &err));
  SAME_JSON(zarrc_group_attributes(group), "long", "12345678901234567890.10");
  OK(zarrc_group_close(group, &err));
  close_store(store);
}

static void what_is_not_json(void) {
  static const char *const texts[] = {"", "{", "[1,]", "tru", "\"open", "1 2", "{\"a\":1,}", "'a'",
                                      "01", "\"bad \xff utf8\""};
  zarrc_store *store = memory_store();
  zarrc_group *group = group_in(store, "", ZARRC_FORMAT_V3);
  zarrc_attributes *attributes = zarrc_group_attributes(group);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    FAILS(zarrc_attributes_set_json(attributes, "x", texts[i], &err), ZARRC_INVALID_ARGUMENT);
    FAILS(zarrc_attributes_replace_json(attributes, texts[i], &err), ZARRC_INVALID_ARGUMENT);
  }
  FAILS_NAMING(zarrc_attributes_replace_json(attributes, "[1]", &err), ZARRC_INVALID_ARGUMENT,
               "expected an object, found an array");
  FAILS(zarrc_attributes_set_int64(attributes, "bad \xff utf8", 1, &err), ZARRC_INVALID_ARGUMENT);
  FAILS(zarrc_attributes_set_string(attributes, "x", "bad \xff utf8", &err),
        ZARRC_INVALID_ARGUMENT);

  ALL_JSON(attributes, "{}");
  OK(zarrc_group_close(group, &err));
  close_store(store);
}

/* However deep, no stack overflows. */
static void deep_values(void) {
  enum { DEEP = 200000 };
  static char deep[2 * DEEP + 1];
  memset(deep, '[', DEEP);
  memset(deep + DEEP, ']', DEEP);
  for (int f = 0; f < 2; f++) {
    zarrc_store *store = memory_store();
    zarrc_group *group = group_in(store, "", formats[f]);
    OK(zarrc_attributes_set_json(zarrc_group_attributes(group), "x", deep, &err));
    OK(zarrc_group_close(group, &err));
    OK(zarrc_group_open(store, "", &group, &err));
    char *json = NULL;
    OK(zarrc_attributes_get_json(zarrc_group_attributes(group), "x", &json, &err));
    CHECK(json && strcmp(json, deep) == 0);
    zarrc_string_free(json);
    OK(zarrc_group_close(group, &err));
    close_store(store);
  }
}

/* What one handle writes, the store has at once, and another handle sees. */
static void written_through(void) {
  for (int f = 0; f < 2; f++) {
    const char *path = scratch(f ? "through3" : "through2");
    zarrc_store *one = file_store(path, ZARRC_CREATE);
    zarrc_group *group = group_in(one, "g", formats[f]), *second = NULL;
    OK(zarrc_attributes_set_string(zarrc_group_attributes(group), "title", "first", &err));

    zarrc_store *two = file_store(path, ZARRC_READ_WRITE);
    OK(zarrc_group_open(two, "g", &second, &err));
    SAME_STRING(zarrc_group_attributes(second), "title", "first");

    uint8_t *value = NULL;
    size_t size = 0;
    OK(zarrc_store_get(two, f ? "g/zarr.json" : "g/.zattrs", &value, &size, &err));
    char *text = calloc(size + 1, 1);
    if (value)
      memcpy(text, value, size);
    CHECK(strstr(text, "title"));
    free(text);
    zarrc_value_free(value, size);

    OK(zarrc_group_close(group, &err));
    OK(zarrc_group_close(second, &err));
    close_store(one);
    close_store(two);
  }
}

/* The rest of the document survives a change of the attributes. */
static void nothing_else_changes(void) {
  const uint64_t shape[] = {6}, chunks[] = {4};
  const int32_t written[] = {1, 2, 3, 4, 5, 6};
  for (int f = 0; f < 2; f++) {
    int32_t read[6];
    zarrc_store *store = memory_store();
    zarrc_array_spec *spec = spec_of(ZARRC_INT32, 1, shape, chunks);
    OK(zarrc_array_spec_set_format(spec, formats[f], &err));
    OK(zarrc_array_spec_set_attributes_json(spec, "{\"a\":1,\"b\":\"two\"}", &err));
    zarrc_array *array = create(store, "a", spec);
    OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, written, sizeof written, &err));
    OK(zarrc_attributes_set_int64(zarrc_array_attributes(array), "c", 3, &err));
    OK(zarrc_attributes_delete(zarrc_array_attributes(array), "a", &err));
    close_array(array);
    OK(zarrc_array_open(store, "a", &array, &err));
    SAME_STRING(zarrc_array_attributes(array), "b", "two");
    SAME_JSON(zarrc_array_attributes(array), "c", "3");
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, read, sizeof read, &err));
    SAME_BYTES(read, written, sizeof read);
    close_array(array);
    close_store(store);
  }
}

static void resizing_keeps_attributes(void) {
  const uint64_t shape[] = {6}, grown[] = {8};
  zarrc_store *store = memory_store();
  zarrc_array *array = create(store, "a", spec_of(ZARRC_INT32, 1, shape, NULL));
  OK(zarrc_attributes_set_string(zarrc_array_attributes(array), "units", "m", &err));
  OK(zarrc_array_resize(array, 1, grown, &err));
  OK(zarrc_attributes_set_string(zarrc_array_attributes(array), "name", "depth", &err));
  close_array(array);
  uint64_t got[1] = {0};
  OK(zarrc_array_open(store, "a", &array, &err));
  OK(zarrc_array_shape(array, 1, got, &err));
  SAME(got[0], 8);
  SAME_STRING(zarrc_array_attributes(array), "units", "m");
  SAME_STRING(zarrc_array_attributes(array), "name", "depth");
  close_array(array);
  close_store(store);
}

static void read_only(void) {
  zarrc_store *store = file_store(scratch("read-only"), ZARRC_CREATE);
  zarrc_group *group = group_in(store, "", ZARRC_FORMAT_V3);
  OK(zarrc_attributes_set_int64(zarrc_group_attributes(group), "n", 1, &err));
  OK(zarrc_group_close(group, &err));
  close_store(store);

  store = file_store(scratch("read-only"), ZARRC_READ);
  OK(zarrc_group_open(store, "", &group, &err));
  zarrc_attributes *attributes = zarrc_group_attributes(group);
  FAILS(zarrc_attributes_set_int64(attributes, "n", 2, &err), ZARRC_PERMISSION_DENIED);
  FAILS(zarrc_attributes_delete(attributes, "n", &err), ZARRC_PERMISSION_DENIED);
  FAILS(zarrc_attributes_replace_json(attributes, "{}", &err), ZARRC_PERMISSION_DENIED);
  SAME_JSON(attributes, "n", "1"); /* the handle too keeps what the store has */
  OK(zarrc_group_close(group, &err));
  close_store(store);
}

static void values_of_every_kind(void) {
  zarrc_store *store = memory_store();
  zarrc_group *group = group_in(store, "", ZARRC_FORMAT_V3);
  zarrc_attributes *a = zarrc_group_attributes(group);
  const double numbers[] = {1, 0.1, -1e300, INFINITY, NAN};
  const int64_t integers[] = {INT64_MIN, 0, INT64_MAX};
  const char *texts[] = {"a", "", "größe"};
  double doubles[5] = {0};
  int64_t int64s[3] = {0};
  size_t count = 0;
  int64_t integer = 0;
  bool truth = false;
  char *text = NULL;
  zarrc_attribute_kind kind = -1;

  OK(zarrc_attributes_set_doubles(a, "numbers", 5, numbers, &err));
  SAME_JSON(a, "numbers", "[1.0,0.1,-1e+300,\"Infinity\",\"NaN\"]");
  OK(zarrc_attributes_get_doubles(a, "numbers", 2, doubles, &count, &err));
  SAME(count, 5);
  CHECK(doubles[0] == 1 && doubles[1] == 0.1 && doubles[2] == 0);
  OK(zarrc_attributes_get_doubles(a, "numbers", 5, doubles, &count, &err));
  CHECK(doubles[2] == -1e300 && isinf(doubles[3]) && isnan(doubles[4]));
  OK(zarrc_attributes_get_doubles(a, "numbers", 0, NULL, &count, &err));
  SAME(count, 5);
  REFUSES(zarrc_attributes_get_doubles(a, "numbers", 1, NULL, &count, &err), "values");
  OK(zarrc_attributes_set_int64s(a, "integers", 3, integers, &err));
  OK(zarrc_attributes_get_int64s(a, "integers", 3, int64s, &count, &err));
  SAME_BYTES(int64s, integers, sizeof integers);
  FAILS(zarrc_attributes_get_int64s(a, "numbers", 3, int64s, &count, &err), ZARRC_TYPE_MISMATCH);
  OK(zarrc_attributes_set_doubles(a, "none", 0, NULL, &err));
  SAME_JSON(a, "none", "[]");
  OK(zarrc_attributes_set_strings(a, "texts", 3, texts, &err));
  SAME_JSON(a, "texts", "[\"a\",\"\",\"größe\"]");
  OK(zarrc_attributes_get_string_at(a, "texts", 2, &text, &err));
  SAME_TEXT(text, "größe");
  zarrc_string_free(text);
  FAILS(zarrc_attributes_get_string_at(a, "texts", 3, &text, &err), ZARRC_OUT_OF_BOUNDS);
  FAILS(zarrc_attributes_get_doubles(a, "texts", 0, NULL, &count, &err), ZARRC_TYPE_MISMATCH);

  /* the shortest text that reads back as the same float */
  OK(zarrc_attributes_set_float(a, "float", 0.1f, &err));
  SAME_JSON(a, "float", "0.1");
  OK(zarrc_attributes_set_float(a, "float", 16777216.0f, &err));
  SAME_JSON(a, "float", "16777216.0");
  OK(zarrc_attributes_set_float(a, "float", -INFINITY, &err));
  SAME_JSON(a, "float", "\"-Infinity\"");
  OK(zarrc_attributes_set_float(a, "float", 1e-45f, &err));
  OK(zarrc_attributes_get_doubles(a, "float", 1, doubles, &count, &err));
  SAME(count, 1); /* a number alone is a list of one */
  CHECK((float)doubles[0] == 1e-45f);

  OK(zarrc_attributes_set_bool(a, "yes", true, &err));
  OK(zarrc_attributes_get_bool(a, "yes", &truth, &err));
  CHECK(truth);
  FAILS(zarrc_attributes_get_bool(a, "float", &truth, &err), ZARRC_TYPE_MISMATCH);
  OK(zarrc_attributes_set_null(a, "null", &err));
  SAME_JSON(a, "null", "null");

  /* what other writers make of an integer */
  OK(zarrc_attributes_set_json(a, "two", "2.0", &err));
  OK(zarrc_attributes_get_int64(a, "two", &integer, &err));
  SAME(integer, 2);
  OK(zarrc_attributes_set_json(a, "two", "-1e3", &err));
  OK(zarrc_attributes_get_int64(a, "two", &integer, &err));
  SAME(integer, -1000);
  OK(zarrc_attributes_set_json(a, "two", "9223372036854775808.0", &err));
  FAILS(zarrc_attributes_get_int64(a, "two", &integer, &err), ZARRC_TYPE_MISMATCH);

  const struct {
    const char *json;
    zarrc_attribute_kind kind;
    size_t count;
  } kinds[] = {
      {"null", ZARRC_ATTRIBUTE_NULL, 1},          {"true", ZARRC_ATTRIBUTE_BOOL, 1},
      {"-3", ZARRC_ATTRIBUTE_INTEGER, 1},         {"3.5", ZARRC_ATTRIBUTE_NUMBER, 1},
      {"\"x\"", ZARRC_ATTRIBUTE_STRING, 1},       {"[1, 2]", ZARRC_ATTRIBUTE_INTEGERS, 2},
      {"[1, 2.5, 3]", ZARRC_ATTRIBUTE_NUMBERS, 3}, {"[\"x\"]", ZARRC_ATTRIBUTE_STRINGS, 1},
      {"[1, \"x\"]", ZARRC_ATTRIBUTE_LIST, 2},    {"[]", ZARRC_ATTRIBUTE_LIST, 0},
      {"{\"x\": 1}", ZARRC_ATTRIBUTE_OBJECT, 1},
  };
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    OK(zarrc_attributes_set_json(a, "kind", kinds[k].json, &err));
    OK(zarrc_attributes_kind(a, "kind", &kind, &count, &err));
    SAME(kind, kinds[k].kind);
    SAME(count, kinds[k].count);
  }
  OK(zarrc_attributes_kind(a, "kind", NULL, NULL, &err));
  FAILS(zarrc_attributes_kind(a, "nothing", &kind, &count, &err), ZARRC_NOT_FOUND);

  OK(zarrc_attributes_count(a, &count, &err));
  SAME(count, 9);
  OK(zarrc_attributes_name(a, 0, &text, &err));
  SAME_TEXT(text, "numbers");
  zarrc_string_free(text);
  FAILS(zarrc_attributes_name(a, 9, &text, &err), ZARRC_OUT_OF_BOUNDS);
  OK(zarrc_group_close(group, &err));
  close_store(store);
}

static void several_at_once(void) {
  const uint64_t shape[] = {4};
  for (size_t f = 0; f < 2; f++) {
    zarrc_store *store = memory_store();
    zarrc_attributes *some = NULL;
    zarrc_array *array = NULL;
    OK(zarrc_attributes_new(&some, &err));
    OK(zarrc_attributes_set_string(some, "units", "K", &err));
    OK(zarrc_attributes_set_float(some, "scale", 0.5f, &err));
    ALL_JSON(some, "{\"units\":\"K\",\"scale\":0.5}");
    zarrc_array_spec *spec = spec_of(ZARRC_INT32, 1, shape, shape);
    OK(zarrc_array_spec_set_format(spec, formats[f], &err));
    OK(zarrc_array_spec_set_attributes(spec, some, &err));
    array = create(store, "a", spec);
    ALL_JSON(zarrc_array_attributes(array), "{\"units\":\"K\",\"scale\":0.5}");

    OK(zarrc_attributes_set_string(some, "units", "m", &err));
    OK(zarrc_attributes_delete(some, "scale", &err));
    OK(zarrc_attributes_set_bool(some, "new", true, &err));
    OK(zarrc_attributes_update(zarrc_array_attributes(array), some, &err));
    ALL_JSON(zarrc_array_attributes(array), "{\"units\":\"m\",\"scale\":0.5,\"new\":true}");
    zarrc_attributes_free(some);
    close_array(array);
    close_store(store);
  }
}

/* Python's bare NaN, which is no JSON, is what other readers of the document expect. */
static void bare_words_stay(void) {
  zarrc_store *store = memory_store();
  zarrc_group *group = NULL;
  uint8_t *value = NULL;
  size_t size = 0;
  double number = 0;
  set_text(store, ".zgroup", "{\"zarr_format\": 2}");
  set_text(store, ".zattrs", "{\"missing\": NaN, \"range\": [-Infinity, Infinity], \"s\": \"NaN\"}");
  OK(zarrc_group_open(store, "", &group, &err));
  zarrc_attributes *a = zarrc_group_attributes(group);
  SAME_JSON(a, "missing", "\"NaN\"");
  OK(zarrc_attributes_get_double(a, "missing", &number, &err));
  CHECK(isnan(number));
  OK(zarrc_attributes_set_int64(a, "n", 1, &err));
  ALL_JSON(a, "{\"missing\":\"NaN\",\"range\":[\"-Infinity\",\"Infinity\"],\"s\":\"NaN\",\"n\":1}");
  OK(zarrc_store_get(store, ".zattrs", &value, &size, &err));
  const char *expected = "{\n  \"missing\": NaN,\n  \"range\": [-Infinity, Infinity],\n"
                         "  \"s\": \"NaN\",\n  \"n\": 1\n}\n";
  SAME(size, strlen(expected));
  if (size == strlen(expected))
    SAME_BYTES(value, expected, size);
  zarrc_value_free(value, size);
  OK(zarrc_group_close(group, &err));
  close_store(store);
}

int main(void) {
  begin("attributes");
  RUN(groups_and_arrays);
  RUN(types_are_checked);
  RUN(not_numbers);
  RUN(every_character);
  RUN(numbers_keep_their_digits);
  RUN(what_is_not_json);
  RUN(deep_values);
  RUN(written_through);
  RUN(nothing_else_changes);
  RUN(resizing_keeps_attributes);
  RUN(read_only);
  RUN(values_of_every_kind);
  RUN(several_at_once);
  RUN(bare_words_stay);
  return finish();
}
