/* netCDF-C on Zarr stores: what a program writes, it and others read.
 *
 *     test_netcdf DIRECTORY    # also leaves written2.zarr and written3.zarr there, for check.py
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zarrc.h>

#include "zarrc_netcdf.h"

static int failures;

#define CHECK(what)                                                                                \
  do {                                                                                             \
    if (!(what)) {                                                                                 \
      failures++;                                                                                  \
      fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #what, zarrc_netcdf_error());        \
    }                                                                                              \
  } while (0)

#define OK(call)                                                                                   \
  do {                                                                                             \
    int status_ = (call);                                                                          \
    if (status_) {                                                                                 \
      failures++;                                                                                  \
      fprintf(stderr, "%s:%d: %s: %s (%s)\n", __FILE__, __LINE__, #call, nc_strerror(status_),     \
              zarrc_netcdf_error());                                                               \
    }                                                                                              \
  } while (0)

static char path[4096];

static const char *in(const char *directory, const char *name) {
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return path;
}

enum { LAT = 3, LON = 4, RECORDS = 5 };

/* Everything that the classic and the enhanced model share. */
static void write_all(const char *directory, const char *name) {
  int ncid, group, time, lat, lon, nv, vtime, tas, packed, words, letters, deep, scalar, late, id;
  const float missing = -99.5f;
  const double axis[LAT] = {-10.5, 0, 10.5};
  const short range[2] = {-5, 5};
  const float small[3] = {0.1f, 1e-20f, INFINITY};
  const char *strings[LON] = {"one", "zw\xc3\xb6lf", NULL, "four"};
  const char *flags[2] = {"on", "off"};
  const long long big = 1LL << 40;

  OK(nc_create(in(directory, name), NC_UDF0 | NC_CLOBBER, &ncid));
  OK(nc_def_dim(ncid, "time", NC_UNLIMITED, &time));
  OK(nc_def_dim(ncid, "lat", LAT, &lat));
  OK(nc_def_dim(ncid, "lon", LON, &lon));
  OK(nc_def_dim(ncid, "nv", 2, &nv));
  CHECK(nc_def_dim(ncid, "lat", 2, &id) == NC_ENAMEINUSE);
  CHECK(nc_def_dim(ncid, "a/b", 2, &id) == NC_EBADNAME);
  OK(nc_def_var(ncid, "time", NC_DOUBLE, 1, &time, &vtime));
  OK(nc_def_var(ncid, "tas", NC_FLOAT, 3, (int[]){time, lat, lon}, &tas));
  CHECK(nc_def_var(ncid, "tas", NC_FLOAT, 0, NULL, &id) == NC_ENAMEINUSE);
  CHECK(nc_def_var(ncid, "x", NC_FLOAT, 1, (int[]){99}, &id) == NC_EBADDIM);
  OK(nc_def_var(ncid, "packed", NC_SHORT, 2, (int[]){lat, lon}, &packed));
  OK(nc_def_var(ncid, "words", NC_STRING, 1, &lon, &words));
  OK(nc_def_var(ncid, "letters", NC_CHAR, 2, (int[]){lat, lon}, &letters));
  OK(nc_def_var(ncid, "scalar", NC_UINT64, 0, NULL, &scalar));
  OK(nc_def_var(ncid, "late", NC_INT, 1, &time, &late));
  OK(nc_def_var_fill(ncid, tas, NC_FILL, &missing));
  OK(nc_def_var_chunking(ncid, tas, NC_CHUNKED, (size_t[]){2, LAT, 2}));
  CHECK(nc_def_var_chunking(ncid, tas, NC_CHUNKED, (size_t[]){2, LAT + 1, 2}) == NC_EBADCHUNK);
  OK(nc_def_var_chunking(ncid, tas, NC_CHUNKED, (size_t[]){2, LAT, 2}));
  OK(nc_def_var_deflate(ncid, tas, 1, 1, 4));
  OK(nc_def_var_deflate(ncid, packed, 0, 1, 6));
  OK(nc_put_att_text(ncid, vtime, "units", 21, "days since 2000-01-01"));
  OK(nc_put_att_short(ncid, packed, "valid_range", NC_SHORT, 2, range));
  OK(nc_put_att_float(ncid, tas, "small", NC_FLOAT, 3, small));
  OK(nc_put_att_string(ncid, tas, "flags", 2, flags));
  OK(nc_put_att_longlong(ncid, NC_GLOBAL, "big", NC_INT64, 1, &big));
  OK(nc_put_att_text(ncid, NC_GLOBAL, "title", 6, "title")); /* with its NUL, as C programs do */
  OK(nc_put_att_text(ncid, NC_GLOBAL, "gone", 1, "x"));
  OK(nc_enddef(ncid));
  OK(nc_del_att(ncid, NC_GLOBAL, "gone"));
  CHECK(nc_put_att_text(ncid, NC_GLOBAL, "_ARRAY_DIMENSIONS", 1, "x") == NC_ENAMEINUSE);
  CHECK(nc_def_var_deflate(ncid, tas, 1, 1, 4) == NC_ELATEDEF);

  OK(nc_put_var_double(ncid, nv + 100, axis) == NC_ENOTVAR ? 0 : 1);
  for (size_t t = 0; t < RECORDS; t++) {
    double now = 0.5 * (double)t;
    float field[LAT][LON];
    for (int i = 0; i < LAT; i++)
      for (int k = 0; k < LON; k++)
        field[i][k] = (float)(100 * (int)t + 10 * i + k);
    OK(nc_put_var1_double(ncid, vtime, &t, &now));
    if (t != 3) /* a record that is left out */
      OK(nc_put_vara_float(ncid, tas, (size_t[]){t, 0, 0}, (size_t[]){1, LAT, LON}, &field[0][0]));
  }
  /* every second element, from memory in Fortran's order, of another type */
  int transposed[2][LAT] = {{0, 10, 20}, {2, 12, 22}};
  OK(nc_put_varm_int(ncid, packed, (size_t[]){0, 0}, (size_t[]){LAT, 2}, (ptrdiff_t[]){1, 2},
                     (ptrdiff_t[]){1, LAT}, &transposed[0][0]));
  CHECK(nc_put_var1_int(ncid, packed, (size_t[]){0, 1}, (int[]){70000}) == NC_ERANGE);
  OK(nc_put_var_string(ncid, words, strings));
  OK(nc_put_vara_text(ncid, letters, (size_t[]){1, 0}, (size_t[]){1, LON}, "abcd"));
  OK(nc_put_var_ulonglong(ncid, scalar, (unsigned long long[]){1ULL << 63}));
  OK(nc_put_var1_int(ncid, late, (size_t[]){1}, (int[]){7}));
  CHECK(nc_put_vara_float(ncid, tas, (size_t[]){0, 0, 0}, (size_t[]){1, LAT + 1, 1}, NULL) ==
        NC_EEDGE);
  CHECK(nc_put_var1_text(ncid, tas, (size_t[]){0, 0, 0}, "x") == NC_ECHAR);

  OK(nc_def_grp(ncid, "forecast", &group));
  CHECK(nc_def_grp(ncid, "forecast", &id) == NC_ENAMEINUSE);
  OK(nc_def_var(group, "deep", NC_INT64, 1, &lat, &deep));
  OK(nc_put_vara_int(group, deep, (size_t[]){1}, (size_t[]){2}, (int[]){-1, -2}));
  OK(nc_sync(ncid));
  OK(nc_close(ncid));
}

static void read_all(const char *directory, const char *name) {
  int ncid, group, id, ids[8], count, dims, vars, attributes, unlimited, shuffle, deflate, level;
  int storage, format, no_fill;
  size_t length, chunks[3];
  nc_type type;
  char text[NC_MAX_NAME + 1];

  OK(nc_open(in(directory, name), NC_UDF0, &ncid));
  OK(nc_inq(ncid, &dims, &vars, &attributes, &unlimited));
  CHECK(dims == 4 && vars == 7 && attributes == 2);
  OK(nc_inq_format(ncid, &format));
  CHECK(format == NC_FORMAT_NETCDF4);
  OK(nc_inq_dim(ncid, unlimited, text, &length));
  CHECK(strcmp(text, "time") == 0 && length == RECORDS);
  OK(nc_inq_dimid(ncid, "nv", &id));
  OK(nc_inq_dimlen(ncid, id, &length));
  CHECK(length == 2);

  OK(nc_inq_varid(ncid, "tas", &id));
  OK(nc_inq_var(ncid, id, text, &type, &dims, ids, &attributes));
  CHECK(type == NC_FLOAT && dims == 3 && ids[0] == unlimited && attributes == 3);
  OK(nc_inq_var_chunking(ncid, id, &storage, chunks));
  CHECK(storage == NC_CHUNKED && chunks[0] == 2 && chunks[1] == LAT && chunks[2] == 2);
  OK(nc_inq_var_deflate(ncid, id, &shuffle, &deflate, &level));
  CHECK(shuffle && deflate && level == 4);
  float fill = 0;
  OK(nc_inq_var_fill(ncid, id, &no_fill, &fill));
  CHECK(!no_fill && fill == -99.5f);
  OK(nc_inq_att(ncid, id, "_FillValue", &type, &length));
  CHECK(type == NC_FLOAT && length == 1);
  float values[RECORDS][LAT][LON];
  OK(nc_get_var_float(ncid, id, &values[0][0][0]));
  for (int t = 0; t < RECORDS; t++)
    for (int i = 0; i < LAT; i++)
      for (int k = 0; k < LON; k++)
        CHECK(values[t][i][k] == (t == 3 ? -99.5f : (float)(100 * t + 10 * i + k)));
  double some[2][2];
  OK(nc_get_vars_double(ncid, id, (size_t[]){0, 1, 0}, (size_t[]){2, 1, 2}, (ptrdiff_t[]){4, 1, 3},
                        &some[0][0]));
  CHECK(some[0][0] == 10 && some[0][1] == 13 && some[1][0] == 410 && some[1][1] == 413);
  signed char bytes[LAT][LON];
  CHECK(nc_get_vara_schar(ncid, id, (size_t[]){4, 0, 0}, (size_t[]){1, LAT, LON}, bytes[0]) ==
        NC_ERANGE);
  CHECK(nc_get_vara_schar(ncid, id, (size_t[]){1, 0, 0}, (size_t[]){1, LAT, LON}, bytes[0]) == 0);
  CHECK(bytes[2][3] == 123);
  CHECK(nc_get_vara_float(ncid, id, (size_t[]){RECORDS, 0, 0}, (size_t[]){1, 1, 1}, values[0][0]) ==
        NC_EINVALCOORDS);
  CHECK(nc_get_vars_float(ncid, id, (size_t[]){0, 0, 0}, (size_t[]){3, 1, 1},
                          (ptrdiff_t[]){3, 1, 1}, values[0][0]) == NC_EEDGE);
  CHECK(nc_put_var1_float(ncid, id, (size_t[]){0, 0, 0}, (float[]){1}) == NC_EPERM);
  float small[3];
  OK(nc_get_att_float(ncid, id, "small", small));
  CHECK(small[0] == 0.1f && small[1] == 1e-20f && isinf(small[2]));
  char *flags[2];
  OK(nc_get_att_string(ncid, id, "flags", flags));
  CHECK(strcmp(flags[0], "on") == 0 && strcmp(flags[1], "off") == 0);
  OK(nc_free_string(2, flags));

  OK(nc_inq_varid(ncid, "packed", &id));
  OK(nc_inq_att(ncid, id, "valid_range", &type, &length));
  CHECK(type == NC_SHORT && length == 2);
  short packed[LAT][LON];
  OK(nc_get_var_short(ncid, id, packed[0]));
  for (int i = 0; i < LAT; i++)
    for (int k = 0; k < LON; k++)
      CHECK(packed[i][k] == (k % 2 == 0 ? 10 * i + k : NC_FILL_SHORT));

  char *words[LON];
  OK(nc_inq_varid(ncid, "words", &id));
  OK(nc_get_var_string(ncid, id, words));
  CHECK(strcmp(words[1], "zw\xc3\xb6lf") == 0 && strcmp(words[2], "") == 0);
  OK(nc_free_string(LON, words));
  OK(nc_get_vars_string(ncid, id, (size_t[]){0}, (size_t[]){2}, (ptrdiff_t[]){3}, words));
  CHECK(strcmp(words[0], "one") == 0 && strcmp(words[1], "four") == 0);
  OK(nc_free_string(2, words));

  char letters[LAT][LON];
  OK(nc_inq_varid(ncid, "letters", &id));
  OK(nc_inq_vartype(ncid, id, &type));
  OK(nc_get_var_text(ncid, id, letters[0]));
  CHECK(type == NC_CHAR && memcmp(letters[1], "abcd", LON) == 0 && letters[0][0] == 0);
  unsigned long long scalar = 0;
  OK(nc_inq_varid(ncid, "scalar", &id));
  OK(nc_get_var_ulonglong(ncid, id, &scalar));
  CHECK(scalar == 1ULL << 63);
  int late[RECORDS];
  OK(nc_inq_varid(ncid, "late", &id));
  OK(nc_get_var_int(ncid, id, late));
  CHECK(late[0] == NC_FILL_INT && late[1] == 7 && late[4] == NC_FILL_INT);

  long long big = 0;
  OK(nc_get_att_longlong(ncid, NC_GLOBAL, "big", &big));
  CHECK(big == 1LL << 40);
  OK(nc_inq_attlen(ncid, NC_GLOBAL, "title", &length));
  CHECK(length == 5);
  OK(nc_inq_grps(ncid, &count, &group));
  CHECK(count == 1);
  OK(nc_inq_grpname_full(group, &length, text));
  CHECK(strcmp(text, "/forecast") == 0);
  OK(nc_inq_varid(group, "deep", &id));
  long long deep[LAT];
  OK(nc_get_var_longlong(group, id, deep));
  CHECK(deep[0] == NC_FILL_INT64 && deep[1] == -1 && deep[2] == -2);
  OK(nc_inq_vardimid(group, id, ids));
  OK(nc_inq_dimname(group, ids[0], text));
  CHECK(strcmp(text, "lat") == 0);
  OK(nc_close(ncid));
}

/* A variable that lags behind its unlimited dimension reads as filled, and files are changed. */
static void change(const char *directory, const char *name) {
  int ncid, time, late;
  int values[8];
  OK(nc_open(in(directory, name), NC_UDF0 | NC_WRITE, &ncid));
  OK(nc_inq_varid(ncid, "time", &time));
  OK(nc_inq_varid(ncid, "late", &late));
  OK(nc_put_var1_double(ncid, time, (size_t[]){7}, (double[]){3.5}));
  OK(nc_get_vara_int(ncid, late, (size_t[]){0}, (size_t[]){8}, values));
  CHECK(values[1] == 7 && values[5] == NC_FILL_INT && values[7] == NC_FILL_INT);
  OK(nc_put_att_text(ncid, late, "note", 3, "new"));
  OK(nc_rename_att(ncid, late, "note", "remark"));
  OK(nc_rename_var(ncid, late, "later"));
  CHECK(nc_rename_dim(ncid, 0, "hour") == NC_EPERM);
  OK(nc_close(ncid));
  OK(nc_open(in(directory, name), NC_UDF0, &ncid));
  OK(nc_inq_varid(ncid, "later", &late));
  OK(nc_get_att(ncid, late, "remark", values));
  OK(nc_get_var_int(ncid, late, values));
  CHECK(values[1] == 7 && values[7] == NC_FILL_INT);
  OK(nc_close(ncid));
}

/* A reader sees the records that a writer appends, once it asks. */
static void follow(const char *directory, const char *name) {
  int reader, writer, time, dim;
  size_t length;
  double now = 0;
  OK(nc_open(in(directory, name), NC_UDF0, &reader));
  OK(nc_open(in(directory, name), NC_UDF0 | NC_WRITE, &writer));
  OK(nc_inq_varid(writer, "time", &time));
  OK(nc_inq_dimid(reader, "time", &dim));
  OK(nc_inq_dimlen(reader, dim, &length));
  CHECK(nc_get_var1_double(reader, time, &length, &now) == NC_EINVALCOORDS);
  OK(nc_put_var1_double(writer, time, &length, (double[]){42}));
  OK(nc_sync(reader));
  OK(nc_get_var1_double(reader, time, &length, &now));
  CHECK(now == 42);
  OK(nc_close(writer));
  OK(nc_close(reader));
}

static void failing(const char *directory) {
  int ncid, id;
  CHECK(nc_open(in(directory, "absent.zarr"), NC_UDF0, &ncid) == ENOENT);
  CHECK(strstr(zarrc_netcdf_error(), "absent.zarr") != NULL);
  CHECK(nc_create(in(directory, "written3.zarr"), NC_UDF0 | NC_NOCLOBBER, &ncid) == NC_EEXIST);
  CHECK(nc_open(in(directory, "written3.zarr#nonsense=1"), NC_UDF0, &ncid) == NC_EINVAL);
  OK(nc_create(in(directory, "aborted.zarr"), NC_UDF0, &ncid));
  OK(nc_abort(ncid));
  CHECK(nc_open(in(directory, "aborted.zarr"), NC_UDF0, &ncid) == ENOENT);
  OK(nc_create("zarrc:memory:", NC_UDF0, &ncid));
  CHECK(nc_inq_varid(ncid, "x", &id) == NC_ENOTVAR);
  CHECK(nc_def_opaque(ncid, 4, "four", &id) == NC_ENOTNC4);
  OK(nc_close(ncid));
  CHECK(nc_inq_varid(ncid, "x", &id) == NC_EBADID);
}

/* zarrc's own arrays: a shard, elements that are no number of netCDF, no names of dimensions. */
static void of_zarrc(const char *directory) {
  zarrc_error err;
  zarrc_store *store = NULL;
  zarrc_array *array = NULL;
  zarrc_array_spec *spec = NULL;
  const uint64_t shape[1] = {8}, chunk[1] = {2}, shard[1] = {4};
  const float waves[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  int ncid, id, dims[2];
  size_t lengths[2];
  CHECK(!zarrc_store_open(in(directory, "own.zarr"), ZARRC_OVERWRITE, NULL, &store, &err));
  CHECK(!zarrc_array_spec_new(ZARRC_COMPLEX64, 1, shape, &spec, &err));
  CHECK(!zarrc_array_spec_set_chunk_shape(spec, 1, chunk, &err));
  CHECK(!zarrc_array_spec_set_shard_shape(spec, 1, shard, &err));
  CHECK(!zarrc_array_create(store, "waves", spec, &array, &err));
  CHECK(!zarrc_array_write(array, NULL, NULL, ZARRC_NATIVE, waves, sizeof waves, &err));
  CHECK(!zarrc_array_close(array, &err));
  zarrc_array_spec_free(spec);
  CHECK(!zarrc_array_spec_new(ZARRC_BYTES, 1, shape, &spec, &err));
  CHECK(!zarrc_array_create(store, "runs", spec, &array, &err));
  CHECK(!zarrc_array_close(array, &err));
  zarrc_array_spec_free(spec);
  CHECK(!zarrc_store_close(store, &err));

  OK(nc_open(in(directory, "own.zarr"), NC_UDF0 | NC_WRITE, &ncid));
  OK(nc_inq_varid(ncid, "waves", &id));
  OK(nc_inq_vardimid(ncid, id, dims));
  OK(nc_inq_dimlen(ncid, dims[0], &lengths[0]));
  OK(nc_inq_dimlen(ncid, dims[1], &lengths[1]));
  CHECK(lengths[0] == 8 && lengths[1] == 2);
  double imaginary[3] = {0};
  OK(nc_get_vars_double(ncid, id, (size_t[]){1, 1}, (size_t[]){3, 1}, (ptrdiff_t[]){2, 1},
                        imaginary));
  CHECK(imaginary[0] == 3 && imaginary[1] == 7 && imaginary[2] == 11);
  OK(nc_put_vara_double(ncid, id, (size_t[]){7, 0}, (size_t[]){1, 1}, (double[]){-1}));
  float last[2];
  OK(nc_get_vara_float(ncid, id, (size_t[]){7, 0}, (size_t[]){1, 2}, last));
  CHECK(last[0] == -1 && last[1] == 15);
  OK(nc_inq_varid(ncid, "runs", &id));
  char *none[8];
  CHECK(nc_get_var_string(ncid, id, none) == NC_EBADTYPE);
  OK(nc_close(ncid));
  /* an array is a file of one variable */
  OK(nc_open(in(directory, "own.zarr/waves"), NC_UDF0, &ncid));
  OK(nc_inq_varid(ncid, "waves", &id));
  OK(nc_close(ncid));
}

int main(int argc, char **argv) {
  char url[5000];
  int ncid;
  NC_Dispatch *table = NULL;
  if (argc != 2)
    return 2;
  OK(zarrc_netcdf_register());
  OK(zarrc_netcdf_register());
  OK(nc_inq_user_format(NC_UDF0, &table, NULL));
  CHECK(table == zarrc_netcdf_dispatch());
  write_all(argv[1], "written3.zarr");
  read_all(argv[1], "written3.zarr");
  write_all(argv[1], "written2.zarr#format=v2");
  read_all(argv[1], "written2.zarr");
  write_all(argv[1], "changed.zarr");
  change(argv[1], "changed.zarr");
  follow(argv[1], "changed.zarr");
  failing(argv[1]);
  of_zarrc(argv[1]);
  OK(nc_open(in(argv[1], "written3.zarr/zarr.json"), NC_NOWRITE, &ncid)); /* by its magic number */
  OK(nc_close(ncid));
  if (argv[1][0] == '/') { /* netCDF-C's URLs, and another number */
    snprintf(url, sizeof url, "file://%s/written3.zarr#mode=udf0", argv[1]);
    OK(nc_open(url, NC_NOWRITE, &ncid));
    OK(nc_close(ncid));
    OK(nc_def_user_format(NC_UDF1, zarrc_netcdf_dispatch(), NULL));
    OK(nc_open(in(argv[1], "written3.zarr"), NC_UDF1, &ncid));
    OK(nc_close(ncid));
  }
  if (failures == 0)
    puts("ok");
  return failures != 0;
}
