/* Conversion between formats through the C functions. (tests/convert.rs has the formats.) */
#include "check.h"

enum { ROWS = 10, COLUMNS = 6 };

static void build(zarrc_store *store, zarrc_format format) {
  const uint64_t shape[] = {ROWS, COLUMNS}, chunks[] = {4, 6};
  zarrc_group *group = NULL;
  zarrc_array *array = NULL;
  float values[ROWS][COLUMNS];
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < COLUMNS; x++)
      values[y][x] = (float)(y * 100 + x) / 8;
  OK(zarrc_group_create(store, "", format, &group, &err));
  OK(zarrc_attributes_set_string(zarrc_group_attributes(group), "title", "heat", &err));
  OK(zarrc_group_close(group, &err));
  array = create(store, "t", spec_of(ZARRC_FLOAT32, 2, shape, chunks));
  OK(zarrc_array_write(array, NULL, NULL, ZARRC_FLOAT32, values, sizeof values, &err));
  close_array(array);
}

static void holds(zarrc_store *store, const char *path, zarrc_format format) {
  zarrc_array *array = NULL;
  float values[ROWS][COLUMNS];
  OK(zarrc_array_open(store, path, &array, &err));
  SAME(zarrc_array_format(array), format);
  OK(zarrc_array_read(array, NULL, NULL, ZARRC_FLOAT32, values, sizeof values, &err));
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < COLUMNS; x++)
      CHECK(values[y][x] == (float)(y * 100 + x) / 8);
  close_array(array);
}

struct tally {
  uint64_t calls_left; /* until it says stop */
  double done;
  char what[64];
};

static bool progress(void *user, double done, const char *what) {
  struct tally *tally = user;
  CHECK(done >= tally->done && done <= 1);
  tally->done = done;
  snprintf(tally->what, sizeof tally->what, "%s", what);
  return tally->calls_left-- > 0;
}

static void from_store_to_store(void) {
  zarrc_store *from = memory_store(), *to = file_store(scratch("to"), ZARRC_CREATE);
  struct tally tally = {1000, 0, ""};
  zarrc_convert_options options;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.progress = progress;
  options.user = &tally;
  build(from, ZARRC_FORMAT_V2);
  OK(zarrc_convert(from, "", to, "/", ZARRC_FORMAT_V3, &options, &err));
  SAME(tally.calls_left, 1000 - 3 - 2); /* chunks and nodes */
  CHECK(tally.done == 1);
  SAME_TEXT(tally.what, "/");
  holds(to, "t", ZARRC_FORMAT_V3);
  holds(from, "t", ZARRC_FORMAT_V2);
  CHECK(has_key(to, "t/c/2/0"));
  FAILS(zarrc_convert(from, "", to, "", ZARRC_FORMAT_V3, NULL, &err), ZARRC_ALREADY_EXISTS);
  OK(zarrc_convert(from, "t", to, "copies/t", ZARRC_FORMAT_V3, NULL, &err));
  holds(to, "copies/t", ZARRC_FORMAT_V3);
  close_store(from);
  close_store(to);
}

static void in_place_and_interrupted(void) {
  for (uint64_t calls = 0; calls < 3; calls++) {
    zarrc_store *store = memory_store();
    struct tally tally = {calls, 0, ""};
    zarrc_convert_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.progress = progress;
    options.user = &tally;
    options.keep_old = calls == 2;
    build(store, ZARRC_FORMAT_V2);
    CALL(zarrc_convert(store, "", store, "", ZARRC_FORMAT_V3, &options, &err),
         calls < 2 ? ZARRC_CANCELLED : ZARRC_OK, NULL);
    if (calls < 2) {
      CHECK(has_key(store, ".zarrc-conversion"));
      OK(zarrc_convert(store, "", store, "", ZARRC_FORMAT_V3, NULL, &err));
    }
    CHECK(!has_key(store, ".zarrc-conversion"));
    CHECK(has_key(store, "t/.zarray") == (calls == 2));
    CHECK(has_key(store, "t/0.0"));
    holds(store, "t", ZARRC_FORMAT_V3);
    close_store(store);
  }
}

static void a_plan_writes_nothing(void) {
  zarrc_store *from = memory_store(), *to = memory_store();
  char *json = NULL;
  build(from, ZARRC_FORMAT_V3);
  OK(zarrc_convert_plan(from, "", to, "", ZARRC_FORMAT_V2, NULL, &json, &err));
  CHECK(json != NULL && strstr(json, "\"copied\"") != NULL && strstr(json, "\"Zarr v2\"") != NULL);
  zarrc_string_free(json);
  CHECK(!has_key(to, ".zgroup"));
  CHECK(!has_key(to, ".zarrc-conversion"));
  close_store(from);
  close_store(to);
}

static void mistakes(void) {
  zarrc_store *store = memory_store();
  zarrc_convert_options options;
  char *json = NULL;
  memset(&options, 0, sizeof options);
  build(store, ZARRC_FORMAT_V3);
  REFUSES(zarrc_convert(NULL, "", store, "", ZARRC_FORMAT_V2, NULL, &err), "from");
  REFUSES(zarrc_convert(store, NULL, store, "", ZARRC_FORMAT_V2, NULL, &err), "from_path");
  REFUSES(zarrc_convert(store, "", NULL, "", ZARRC_FORMAT_V2, NULL, &err), "to");
  REFUSES(zarrc_convert(store, "", store, NULL, ZARRC_FORMAT_V2, NULL, &err), "to_path");
  REFUSES(zarrc_convert(store, "", store, "", ZARRC_FORMAT_ANY, NULL, &err), "format");
  REFUSES(zarrc_convert(store, "", store, "", 99, NULL, &err), "99");
  REFUSES(zarrc_convert(store, "", store, "", ZARRC_FORMAT_V2, &options, &err), "size");
  REFUSES(zarrc_convert(store, "", store, "", ZARRC_FORMAT_V3, NULL, &err), "already");
  REFUSES(zarrc_convert(store, "", store, "inside", ZARRC_FORMAT_V2, NULL, &err), "within");
  REFUSES(zarrc_convert_plan(store, "", store, "", ZARRC_FORMAT_V2, NULL, NULL, &err), "json");
  FAILS(zarrc_convert(store, "none", store, "x", ZARRC_FORMAT_V2, NULL, &err), ZARRC_NOT_FOUND);
  FAILS(zarrc_convert_plan(store, "none", store, "x", ZARRC_FORMAT_V2, NULL, &json, &err),
        ZARRC_NOT_FOUND);
  CHECK(json == NULL);
  holds(store, "t", ZARRC_FORMAT_V3);
  close_store(store);
}

/* The build may have no HDF5: then that is what it says. */
static void hdf5_and_references(void) {
  zarrc_store *store = memory_store();
  zarrc_hdf5_options options;
  char *text = NULL;
  memset(&options, 0, sizeof options);
  build(store, ZARRC_FORMAT_V3);
  REFUSES(zarrc_hdf5_export(NULL, "", "x.h5", NULL, NULL, &err), "from");
  REFUSES(zarrc_hdf5_export(store, NULL, "x.h5", NULL, NULL, &err), "from_path");
  REFUSES(zarrc_hdf5_export(store, "", NULL, NULL, NULL, &err), "file");
  REFUSES(zarrc_hdf5_export(store, "", "x.h5", &options, NULL, &err), "size");
  CHECK(zarrc_hdf5_export(store, "", "no/such/directory/x.h5", NULL, &text, NULL) != ZARRC_OK);
  CHECK(text == NULL);
  REFUSES(zarrc_references_json(NULL, "", NULL, NULL, NULL, &text, &err), "store");
  REFUSES(zarrc_references_json(store, NULL, NULL, NULL, NULL, &text, &err), "path");
  REFUSES(zarrc_references_json(store, "", NULL, NULL, NULL, NULL, &err), "json");
  FAILS(zarrc_references_json(store, "none", NULL, NULL, NULL, &text, &err), ZARRC_NOT_FOUND);
  OK(zarrc_references_json(store, "", NULL, NULL, NULL, &text, &err));
  CHECK(text != NULL && strstr(text, "\"version\": 1") != NULL && strstr(text, "zarr.json") != NULL);
  zarrc_string_free(text);
  close_store(store);
}

int main(void) {
  begin("convert");
  RUN(from_store_to_store);
  RUN(in_place_and_interrupted);
  RUN(a_plan_writes_nothing);
  RUN(mistakes);
  RUN(hdf5_and_references);
  return finish();
}
