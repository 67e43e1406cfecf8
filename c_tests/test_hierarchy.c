/* Groups and what lies in them. */
#include "check.h"

static const zarrc_format formats[] = {ZARRC_FORMAT_V2, ZARRC_FORMAT_V3};
static const uint64_t shape[] = {4, 4};

static void make_group(zarrc_store *store, const char *path, zarrc_format format) {
  zarrc_group *group = NULL;
  OK(zarrc_group_create(store, path, format, &group, &err));
  OK(zarrc_group_close(group, &err));
}

static void make_array(zarrc_store *store, const char *path, zarrc_format format) {
  zarrc_array_spec *spec = spec_of(ZARRC_INT32, 2, shape, NULL);
  OK(zarrc_array_spec_set_format(spec, format, &err));
  close_array(create(store, path, spec));
}

static zarrc_node_kind kind_at(const zarrc_store *store, const char *path) {
  zarrc_node_kind kind = -1;
  OK(zarrc_node_kind_at(store, path, &kind, &err));
  return kind;
}

/* The children of a group as "g:path a:path". */
static const char *listing(zarrc_store *store, const char *path, bool recursive) {
  static char text[1024];
  zarrc_group *group = NULL;
  zarrc_listing *list = NULL;
  text[0] = '\0';
  OK(zarrc_group_open(store, path, &group, &err));
  OK(zarrc_group_list(group, recursive, &list, &err));
  for (size_t i = 0; i < zarrc_listing_count(list); i++) {
    zarrc_node_kind kind = zarrc_listing_kind(list, i);
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s%s:%s", i ? " " : "",
             kind == ZARRC_NODE_GROUP   ? "g"
             : kind == ZARRC_NODE_ARRAY ? "a"
                                        : "?",
             zarrc_listing_path(list, i));
  }
  zarrc_listing_free(list);
  OK(zarrc_group_close(group, &err));
  return text;
}

static void a_tree(zarrc_store *store, zarrc_format format) {
  make_group(store, "", format);
  make_group(store, "b/inner/deep", format);
  make_array(store, "a/temperature", format);
  make_array(store, "/b/wind", format);
  make_array(store, "z", format);

  SAME(kind_at(store, ""), ZARRC_NODE_GROUP);
  SAME(kind_at(store, "/"), ZARRC_NODE_GROUP);
  SAME(kind_at(store, "a"), ZARRC_NODE_GROUP); /* made on the way */
  SAME(kind_at(store, "b/inner"), ZARRC_NODE_GROUP);
  SAME(kind_at(store, "/b/inner"), ZARRC_NODE_GROUP);
  SAME(kind_at(store, "b/wind"), ZARRC_NODE_ARRAY);
  SAME(kind_at(store, "b/calm"), ZARRC_NODE_NONE);
  SAME(kind_at(store, "b/wind/0"), ZARRC_NODE_NONE);

  SAME_TEXT(listing(store, "/", false), "g:a g:b a:z");
  SAME_TEXT(listing(store, "", true),
            "g:a a:a/temperature g:b g:b/inner g:b/inner/deep a:b/wind a:z");
  SAME_TEXT(listing(store, "b", false), "g:inner a:wind");
  SAME_TEXT(listing(store, "b", true), "g:inner g:inner/deep a:wind");
  SAME_TEXT(listing(store, "b/inner/deep", true), "");
}

static void in_memory(void) {
  for (int f = 0; f < 2; f++) {
    zarrc_store *store = memory_store();
    a_tree(store, formats[f]);
    close_store(store);
  }
}

static void in_files(void) {
  for (int f = 0; f < 2; f++) {
    const char *path = scratch(f ? "v3.zarr" : "v2.zarr");
    zarrc_store *store = file_store(path, ZARRC_CREATE);
    a_tree(store, formats[f]);
    close_store(store);
    store = file_store(path, ZARRC_READ);
    SAME_TEXT(listing(store, "b", true), "g:inner g:inner/deep a:wind");
    close_store(store);
  }
}

/* Whoever reads the store with another library finds the documents of every group. */
static void ancestors_are_written(void) {
  static const char *const keys[2][3] = {{".zgroup", "x/.zgroup", "x/y/.zgroup"},
                                         {"zarr.json", "x/zarr.json", "x/y/zarr.json"}};
  for (int f = 0; f < 2; f++) {
    zarrc_store *store = memory_store();
    make_array(store, "x/y/a", formats[f]);
    for (int i = 0; i < 3; i++)
      CHECK(has_key(store, keys[f][i]));
    close_store(store);
  }
}

static void implicit_groups(void) {
  zarrc_store *store = memory_store();
  zarrc_group *group = NULL;
  set_text(store, "zarr.json", "{\"zarr_format\":3,\"node_type\":\"group\"}");
  set_text(store, "x/y/zarr.json", "{\"zarr_format\":3,\"node_type\":\"group\"}");
  SAME(kind_at(store, "x"), ZARRC_NODE_GROUP);
  SAME_TEXT(listing(store, "", true), "g:x g:x/y");
  OK(zarrc_group_open(store, "x", &group, &err));
  OK(zarrc_group_close(group, &err));
  close_store(store);
}

/* An array that someone put where no group is. */
static void without_a_root(void) {
  zarrc_store *store = memory_store();
  zarrc_array *array = NULL;
  set_text(store, "lone/.zarray",
           "{\"zarr_format\":2,\"shape\":[4],\"chunks\":[4],\"dtype\":\"<i4\",\"compressor\":null,"
           "\"fill_value\":0,\"order\":\"C\",\"filters\":null}");
  SAME(kind_at(store, "lone"), ZARRC_NODE_ARRAY);
  OK(zarrc_array_open(store, "lone", &array, &err));
  close_array(array);
  close_store(store);
}

static void what_exists_stays(void) {
  for (int f = 0; f < 2; f++) {
    zarrc_store *store = memory_store();
    zarrc_group *group = NULL;
    zarrc_array *array = NULL;
    zarrc_array_spec *spec = spec_of(ZARRC_INT32, 2, shape, NULL);
    OK(zarrc_array_spec_set_format(spec, formats[f], &err));
    make_group(store, "g", formats[f]);
    make_array(store, "a", formats[f]);
    FAILS_NAMING(zarrc_group_create(store, "g", formats[f], &group, &err), ZARRC_ALREADY_EXISTS,
                 "g");
    FAILS_NAMING(zarrc_group_create(store, "a", formats[f], &group, &err), ZARRC_ALREADY_EXISTS,
                 "a");
    FAILS_NAMING(zarrc_array_create(store, "a", spec, &array, &err), ZARRC_ALREADY_EXISTS, "a");
    FAILS_NAMING(zarrc_array_create(store, "g", spec, &array, &err), ZARRC_ALREADY_EXISTS, "g");
    CHECK(zarrc_group_create(store, "a/below", formats[f], &group, NULL) != ZARRC_OK);
    CHECK(zarrc_array_create(store, "a/below", spec, &array, NULL) != ZARRC_OK);
    CHECK(group == NULL && array == NULL);
    SAME_TEXT(listing(store, "", true), "a:a g:g");
    zarrc_array_spec_free(spec);
    close_store(store);
  }
}

static void the_other_kind(void) {
  zarrc_store *store = memory_store();
  zarrc_group *group = NULL;
  zarrc_array *array = NULL;
  make_group(store, "g", ZARRC_FORMAT_V3);
  make_array(store, "a", ZARRC_FORMAT_V3);
  CHECK(zarrc_group_open(store, "a", &group, NULL) != ZARRC_OK && group == NULL);
  CHECK(zarrc_array_open(store, "g", &array, NULL) != ZARRC_OK && array == NULL);
  FAILS_NAMING(zarrc_array_open(store, "g/none", &array, &err), ZARRC_NOT_FOUND, "g/none");
  FAILS_NAMING(zarrc_group_open(store, "g/none", &group, &err), ZARRC_NOT_FOUND, "g/none");
  close_store(store);
}

static void deletion(void) {
  for (int f = 0; f < 2; f++) {
    const int32_t ones[16] = {1, 1, 1};
    const char *path = scratch(f ? "delete3.zarr" : "delete2.zarr");
    zarrc_store *store = file_store(path, ZARRC_CREATE);
    zarrc_array *array = NULL;
    make_array(store, "a/x", formats[f]);
    make_array(store, "a/xy", formats[f]); /* a name that begins like the other */
    make_array(store, "b/x", formats[f]);
    OK(zarrc_array_open(store, "a/x", &array, &err));
    OK(zarrc_array_write(array, NULL, NULL, ZARRC_INT32, ones, sizeof ones, &err));
    close_array(array);

    OK(zarrc_node_delete(store, "a/x", &err));
    SAME(kind_at(store, "a/x"), ZARRC_NODE_NONE);
    SAME(kind_at(store, "a/xy"), ZARRC_NODE_ARRAY);
    FAILS(zarrc_node_delete(store, "a/x", &err), ZARRC_NOT_FOUND);

    /* A new array at the old place does not find the old one's chunks. */
    int32_t read[16] = {9};
    make_array(store, "a/x", formats[f]);
    OK(zarrc_array_open(store, "a/x", &array, &err));
    OK(zarrc_array_read(array, NULL, NULL, ZARRC_INT32, read, sizeof read, &err));
    CHECK(read[0] == 0 && read[1] == 0);
    close_array(array);

    OK(zarrc_node_delete(store, "/a", &err)); /* and what is below */
    SAME_TEXT(listing(store, "", true), "g:b a:b/x");
    close_store(store);
  }
}

static void illegal_paths(void) {
  static const char *const paths[] = {"..", "a/../b", ".", "a/./b", "a/..", "...", "bad\xff utf8"};
  zarrc_store *store = memory_store();
  zarrc_group *group = NULL;
  zarrc_node_kind kind = 0;
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    FAILS(zarrc_group_create(store, paths[i], ZARRC_FORMAT_V3, &group, &err),
          ZARRC_INVALID_ARGUMENT);
    CHECK(zarrc_group_open(store, paths[i], &group, NULL) != ZARRC_OK);
    CHECK(zarrc_node_kind_at(store, paths[i], &kind, NULL) != ZARRC_OK ||
          kind == ZARRC_NODE_NONE);
    CHECK(zarrc_node_delete(store, paths[i], NULL) != ZARRC_OK);
  }
  FAILS(zarrc_group_create(store, "__reserved", ZARRC_FORMAT_V3, &group, &err),
        ZARRC_INVALID_ARGUMENT);
  close_store(store);
}

static void unusual_names(void) {
  static const char *const names[] = {"with space", "\xc3\xa9t\xc3\xa9", "a.b", "-", "c", "0"};
  for (int f = 0; f < 2; f++) {
    zarrc_store *store = file_store(scratch(f ? "names3" : "names2"), ZARRC_CREATE);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
      make_group(store, names[i], formats[f]);
      SAME(kind_at(store, names[i]), ZARRC_NODE_GROUP);
    }
    SAME_TEXT(listing(store, "", false), "g:- g:0 g:a.b g:c g:with space g:\xc3\xa9t\xc3\xa9");
    close_store(store);
  }
}

static void listings_answer_nonsense(void) {
  zarrc_store *store = memory_store();
  zarrc_group *group = NULL;
  zarrc_listing *list = NULL;
  make_array(store, "a", ZARRC_FORMAT_V3);
  OK(zarrc_group_open(store, "", &group, &err));
  OK(zarrc_group_list(group, false, &list, &err));
  SAME(zarrc_listing_count(list), 1);
  CHECK(zarrc_listing_path(list, 1) == NULL);
  SAME(zarrc_listing_kind(list, 1), ZARRC_NODE_NONE);
  CHECK(zarrc_listing_path(list, SIZE_MAX) == NULL);
  zarrc_listing_free(list);
  OK(zarrc_group_close(group, &err));
  close_store(store);
}

int main(void) {
  begin("hierarchy");
  RUN(in_memory);
  RUN(in_files);
  RUN(ancestors_are_written);
  RUN(implicit_groups);
  RUN(without_a_root);
  RUN(what_exists_stays);
  RUN(the_other_kind);
  RUN(deletion);
  RUN(illegal_paths);
  RUN(unusual_names);
  RUN(listings_answer_nonsense);
  return finish();
}
