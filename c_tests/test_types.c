/* What types and dimensions are called, and which value CF calls missing. */
#include "check.h"

static const zarrc_format formats[] = {ZARRC_FORMAT_V2, ZARRC_FORMAT_V3};

/* A small array whose type a text says. */
static zarrc_array *array_of(zarrc_store *store, zarrc_format format, zarrc_data_type type,
                             const char *text) {
  const uint64_t shape[] = {2, 3};
  const char *names[] = {"time", "x"};
  zarrc_array_spec *spec = NULL;
  zarrc_array *array = NULL;
  OK(zarrc_array_spec_new(type, 2, shape, &spec, &err));
  if (text)
    OK(zarrc_array_spec_set_data_type(spec, text, &err));
  OK(zarrc_array_spec_set_format(spec, format, &err));
  OK(zarrc_array_spec_set_dimension_names(spec, 2, names, &err));
  OK(zarrc_array_create(store, "a", spec, &array, &err));
  zarrc_array_spec_free(spec);
  return array;
}

static zarrc_store *memory(void) {
  zarrc_store *store = NULL;
  OK(zarrc_store_open("memory:", ZARRC_CREATE, NULL, &store, &err));
  return store;
}

static void names(void) {
  static const struct {
    zarrc_data_type type;
    const char *name;
    size_t size;
  } types[] = {
      {ZARRC_BOOL, "bool", 1},           {ZARRC_FLOAT32, "float32", 4},
      {ZARRC_COMPLEX128, "complex128", 16}, {ZARRC_BFLOAT16, "bfloat16", 2},
      {ZARRC_INT4, "int4", 1},           {ZARRC_FLOAT8_E4M3, "float8_e4m3", 1},
      {ZARRC_STRING, "string", 0},       {ZARRC_FIXED_BYTES, "fixed_bytes", 0},
      {ZARRC_STRUCT, "struct", 0},       {ZARRC_DATETIME64, "datetime64", 8},
      {ZARRC_RAGGED, "ragged", 0},       {ZARRC_NATIVE, "native", 0},
  };
  for (size_t i = 0; i < COUNT(types); i++) {
    SAME_TEXT(zarrc_data_type_name(types[i].type), types[i].name);
    SAME(zarrc_data_type_size(types[i].type), types[i].size);
  }
  for (zarrc_data_type type = ZARRC_NATIVE; type <= ZARRC_COMPLEX_FLOAT8_E8M0FNU; type++)
    CHECK(zarrc_data_type_name(type) != NULL);
}

/* The text of a type makes an array of the same type. */
static void texts(void) {
  static const struct {
    zarrc_data_type type;
    const char *given, *text;
  } types[] = {
      {ZARRC_FLOAT32, NULL, "float32"},       {ZARRC_INT16, ">i2", ">i2"},
      {ZARRC_DATETIME64, "<M8[10ns]", "<M8[10ns]"}, {ZARRC_FIXED_BYTES, "|S12", "|S12"},
      {ZARRC_FIXED_UTF32, "<U7", "<U7"},      {ZARRC_RAW, "|V3", "|V3"},
      {ZARRC_STRING, NULL, "string"},         {ZARRC_STRUCT, "[[\"a\", \"<i4\"]]", "[[\"a\",\"<i4\"]]"},
  };
  for (size_t i = 0; i < 2 * COUNT(types); i++) {
    zarrc_store *store = memory();
    zarrc_format format = formats[i % 2];
    zarrc_array *array = array_of(store, format, types[i / 2].type, types[i / 2].given);
    char *text = NULL, *again = NULL;
    OK(zarrc_array_data_type_text(array, &text, &err));
    if (types[i / 2].type != ZARRC_STRUCT)
      SAME_TEXT(text, types[i / 2].text);
    zarrc_store *other = memory();
    zarrc_array *copy = array_of(other, format, types[i / 2].type, text);
    OK(zarrc_array_data_type_text(copy, &again, &err));
    SAME_TEXT(again, text);
    zarrc_string_free(text);
    zarrc_string_free(again);
    OK(zarrc_array_close(array, &err));
    OK(zarrc_array_close(copy, &err));
    OK(zarrc_store_close(store, &err));
    OK(zarrc_store_close(other, &err));
  }
}

static void dimensions_and_missing_values(void) {
  for (size_t f = 0; f < COUNT(formats); f++) {
    zarrc_store *store = memory();
    zarrc_array *array = array_of(store, formats[f], ZARRC_FLOAT32, NULL);
    const float missing = 1e20f;
    const char *name = NULL;
    double number = 0;
    OK(zarrc_array_set_missing_value(array, &missing, sizeof missing, &err));
    OK(zarrc_attributes_get_double(zarrc_array_attributes(array), "_FillValue", &number, &err));
    CHECK((float)number == missing);
    /* set as a number, it is read as one */
    OK(zarrc_attributes_set_double(zarrc_array_attributes(array), "_FillValue", -1, &err));
    OK(zarrc_attributes_get_double(zarrc_array_attributes(array), "_FillValue", &number, &err));
    CHECK(number == -1);
    char *json = NULL;
    OK(zarrc_attributes_get_json(zarrc_array_attributes(array), "_FillValue", &json, &err));
    SAME_TEXT(json, formats[f] == ZARRC_FORMAT_V2 ? "-1.0" : "\"AAAAAAAA8L8=\"");
    zarrc_string_free(json);
    OK(zarrc_array_close(array, &err));

    OK(zarrc_array_open(store, "a", &array, &err));
    OK(zarrc_array_dimension_name(array, 0, &name, &err));
    SAME_TEXT(name, "time");
    OK(zarrc_array_dimension_name(array, 1, &name, &err));
    SAME_TEXT(name, "x");
    OK(zarrc_array_close(array, &err));
    OK(zarrc_store_close(store, &err));
  }
}

int main(void) {
  begin("types");
  RUN(names);
  RUN(texts);
  RUN(dimensions_and_missing_values);
  return finish();
}
