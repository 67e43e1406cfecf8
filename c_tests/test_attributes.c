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
  FAILS(zarrc_attributes_replace_json(attributes, "[1]", &err), ZARRC_INVALID_ARGUMENT);
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
  return finish();
}
