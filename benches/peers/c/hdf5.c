/* HDF5, chunked datasets: no filter, or deflate. Many arrays are many datasets of one file, its own way. */
#include "job.h"
#include <hdf5.h>

typedef struct handle {
  hid_t file, dataset;
} handle;

static hid_t ok(hid_t id, const char *what) {
  if (id < 0) fail("hdf5", what);
  return id;
}
static hid_t type(void) {
  const char *t = text("dtype");
  return !strcmp(t, "float32") ? H5T_IEEE_F32LE : !strcmp(t, "uint16") ? H5T_STD_U16LE : H5T_STD_I32LE;
}
static const hsize_t *extents(const uint64_t *v) {
  static hsize_t out[4][RANK_MAX];
  static int turn;
  hsize_t *o = out[turn = (turn + 1) % 4];
  for (int d = 0; d < rank_; d++) o[d] = v[d];
  return o;
}
static hid_t make(hid_t file, const char *name, const uint64_t *shape) {
  hsize_t most[RANK_MAX];
  memcpy(most, extents(shape), sizeof most);
  most[0] = H5S_UNLIMITED;
  hid_t space = H5Screate_simple(rank_, extents(shape), most), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, rank_, extents(chunk_));
  H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
  if (!strncmp(text("codec"), "gzip", 4)) H5Pset_deflate(list, (unsigned)strtoul(text("codec") + 4, NULL, 10));
  hid_t dataset = ok(H5Dcreate2(file, name, type(), space, H5P_DEFAULT, list, H5P_DEFAULT), "create");
  H5Pclose(list), H5Sclose(space);
  return dataset;
}
static void *h_open(const char *path, bool writable) {
  handle *h = malloc(sizeof *h);
  h->file = ok(H5Fopen(path, writable ? H5F_ACC_RDWR : H5F_ACC_RDONLY, H5P_DEFAULT), "open");
  h->dataset = ok(H5Dopen2(h->file, "a", H5P_DEFAULT), "open");
  return h;
}
static void *h_create(const char *parent, const char *name, const uint64_t *shape) {
  char path[4200];
  handle *h = malloc(sizeof *h);
  snprintf(path, sizeof path, "%s/%s.h5", parent, name);
  h->file = ok(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), "create");
  h->dataset = make(h->file, name, shape);
  return h;
}
static void h_close(void *v) {
  handle *h = v;
  H5Dclose(h->dataset), H5Fclose(h->file);
  free(h);
}
static void transfer(void *v, const box *b, void *memory, bool write) {
  handle *h = v;
  hid_t file = H5Dget_space(h->dataset), here = H5Screate_simple(rank_, extents(b->count), NULL);
  H5Sselect_hyperslab(file, H5S_SELECT_SET, extents(b->start), NULL, extents(b->count), NULL);
  ok(write ? H5Dwrite(h->dataset, type(), here, file, H5P_DEFAULT, memory)
           : H5Dread(h->dataset, type(), here, file, H5P_DEFAULT, memory), "transfer");
  H5Sclose(here), H5Sclose(file);
}
static void h_read(void *v, const box *b, void *out, uint64_t size) {
  (void)size;
  transfer(v, b, out, false);
}
/* As h5py does: points and a mask element by element. */
static bool h_select(void *v, const selection *s, void *out) {
  handle *h = v;
  const hsize_t count = s->count;
  const hid_t file = H5Dget_space(h->dataset), here = H5Screate_simple(1, &count, NULL);
  if (s->kind == 1) return false;
  if (s->kind == 3) {
    const hsize_t zero[3] = {0, 0, 0}, step[3] = {s->numbers[0], 1, 1},
                  counts[3] = {(shape_[0] + s->numbers[0] - 1) / s->numbers[0], shape_[1], shape_[2]};
    ok(H5Sselect_hyperslab(file, H5S_SELECT_SET, zero, step, counts, NULL), "select");
  } else {
    hsize_t *points = malloc(s->count * 3 * sizeof *points), *to = points;
    if (s->kind == 0)
      for (uint64_t i = 0; i < 3 * s->count; i++) *to++ = s->numbers[i];
    else
      for (uint64_t i = 0; i < shape_[0] * shape_[1] * shape_[2]; i++)
        if (s->mask[i]) {
          *to++ = i / (shape_[1] * shape_[2]);
          *to++ = i / shape_[2] % shape_[1];
          *to++ = i % shape_[2];
        }
    ok(H5Sselect_elements(file, H5S_SELECT_SET, s->count, points), "select");
    free(points);
  }
  ok(H5Dread(h->dataset, type(), here, file, H5P_DEFAULT, out), "read");
  H5Sclose(here), H5Sclose(file);
  return true;
}
static void h_write(void *v, const box *b, const void *data, uint64_t size) {
  (void)size;
  transfer(v, b, (void *)data, true);
}
static void h_resize(void *v, const uint64_t *shape) {
  ok(H5Dset_extent(((handle *)v)->dataset, extents(shape)), "resize");
}
static void h_create_many(const char *parent, uint64_t n, const void *data, uint64_t size) {
  (void)size;
  char path[4200], name[32];
  snprintf(path, sizeof path, "%s/many.h5", parent);
  hid_t file = ok(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), "create");
  for (uint64_t i = 0; i < n; i++) {
    snprintf(name, sizeof name, "a%04d", (int)i);
    hid_t dataset = make(file, name, shape_);
    ok(H5Dwrite(dataset, type(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "write");
    H5Dclose(dataset);
  }
  H5Fclose(file);
}
static herr_t visit(hid_t file, const char *name, const H5L_info_t *info, void *sum) {
  (void)info;
  hsize_t shape[RANK_MAX];
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(dataset);
  H5Sget_simple_extent_dims(space, shape, NULL);
  *(uint64_t *)sum += shape[0];
  H5Sclose(space), H5Dclose(dataset);
  return 0;
}
static uint64_t h_list(const char *path) {
  uint64_t sum = 0;
  hid_t file = ok(H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), "open");
  H5Literate(file, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit, &sum);
  H5Fclose(file);
  return sum;
}

int main(int argc, char **argv) {
  const library hdf5 = {h_open, h_create, h_close, h_read, h_write, h_resize, h_list, h_create_many, ".h5", h_select};
  parse_job(argc, argv);
  return run_job(&hdf5);
}
