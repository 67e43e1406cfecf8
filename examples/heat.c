/*
 * Heat spreads through a block of steel, and every frame of it goes into a Zarr array.
 *
 *     heat [store [frames]]          by default heat.zarr and 40
 *
 * The array grows along time as the simulation runs, is compressed and sharded, and carries what
 * xarray and other readers of CF conventions look for. At the end the program opens its own store
 * again, and compares a plane and the history of a point with what it still has in memory.
 */
#define _XOPEN_SOURCE 700
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <zarrc.h>

enum {
  NZ = 96, NY = 128, NX = 128, /* the block, in cells */
  CELLS = NZ * NY * NX,
  BATCH = 8, /* frames that are written together */
  STEPS = 5  /* time steps from frame to frame */
};

static const double spacing = 0.002;  /* m */
static const double alpha = 1.2e-5;   /* thermal diffusivity of steel, m2/s */
static const double dt = 0.05;        /* s; stable below spacing^2 / (6 alpha) = 0.056 */
static const float ambient = 293.15f; /* K */

static const struct {
  int z, y, x, radius;
  float temperature;
} sources[] = {{30, 40, 40, 6, 1400.0f}, {60, 90, 50, 9, 900.0f}, {48, 64, 100, 4, 1800.0f}};

/* ---- errors ---------------------------------------------------------------- */

/* A call that can fail returns a status and says in `error` what went wrong. Here that ends the
 * program; a library would clean up and pass the error on. */
static zarrc_error error;

#define MUST(call)                                                                          \
  do {                                                                                      \
    zarrc_status status_ = (call);                                                          \
    if (status_ != ZARRC_OK) {                                                              \
      fprintf(stderr, "heat: %s: %s\n", zarrc_status_name(status_), error.message);         \
      exit(EXIT_FAILURE);                                                                   \
    }                                                                                       \
  } while (0)

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) {
    fprintf(stderr, "heat: out of memory\n");
    exit(EXIT_FAILURE);
  }
  return memory;
}

/* ---- the simulation -------------------------------------------------------- */

static size_t cell(int z, int y, int x) {
  return ((size_t)z * NY + (size_t)y) * NX + (size_t)x;
}

static void heat_sources(float *t) {
  for (size_t s = 0; s < sizeof sources / sizeof *sources; s++) {
    int r = sources[s].radius;
    for (int z = -r; z <= r; z++)
      for (int y = -r; y <= r; y++)
        for (int x = -r; x <= r; x++)
          if (z * z + y * y + x * x <= r * r)
            t[cell(sources[s].z + z, sources[s].y + y, sources[s].x + x)] = sources[s].temperature;
  }
}

/* One explicit step. The faces of the block stay as they are. */
static void step(const float *restrict now, float *restrict next) {
  const float k = (float)(alpha * dt / (spacing * spacing));
  for (int z = 1; z < NZ - 1; z++)
    for (int y = 1; y < NY - 1; y++)
      for (int x = 1; x < NX - 1; x++) {
        size_t i = cell(z, y, x);
        float around = now[i - 1] + now[i + 1] + now[i - NX] + now[i + NX] +
                       now[i - NX * NY] + now[i + NX * NY];
        next[i] = now[i] + k * (around - 6.0f * now[i]);
      }
  heat_sources(next);
}

/* ---- the store ------------------------------------------------------------- */

/* The temperature starts without frames and grows by a batch at a time. A shard, which is one file,
 * holds one batch, so that each is written once. Its chunks, which are read and decompressed one by
 * one, are 512 KiB: neither a plane nor the history of a point takes many. */
static zarrc_array *create_temperature(zarrc_store *store) {
  const uint64_t shape[] = {0, NZ, NY, NX};
  const uint64_t shard[] = {BATCH, NZ, NY, NX};
  const uint64_t chunk[] = {BATCH, 16, 32, 32};
  const char *const dimensions[] = {"time", "z", "y", "x"};
  zarrc_array_spec *spec = NULL;
  zarrc_array *array = NULL;

  MUST(zarrc_array_spec_new(ZARRC_FLOAT32, 4, shape, &spec, &error));
  MUST(zarrc_array_spec_set_shard_shape(spec, 4, shard, &error));
  MUST(zarrc_array_spec_set_chunk_shape(spec, 4, chunk, &error));
  MUST(zarrc_array_spec_add_codec(spec, "blosc",
                                  "{\"cname\": \"zstd\", \"clevel\": 3, \"shuffle\": \"shuffle\","
                                  " \"typesize\": 4, \"blocksize\": 0}",
                                  &error));
  MUST(zarrc_array_spec_set_fill_value(spec, &ambient, sizeof ambient, &error));
  MUST(zarrc_array_spec_set_dimension_names(spec, 4, dimensions, &error));
  MUST(zarrc_array_create(store, "temperature", spec, &array, &error));
  zarrc_array_spec_free(spec);

  zarrc_attributes *attributes = zarrc_array_attributes(array); /* belongs to the array */
  MUST(zarrc_attributes_set_string(attributes, "standard_name", "temperature", &error));
  MUST(zarrc_attributes_set_string(attributes, "long_name", "temperature of the block", &error));
  MUST(zarrc_attributes_set_string(attributes, "units", "K", &error));
  MUST(zarrc_attributes_set_double(attributes, "dt", dt, &error));
  MUST(zarrc_attributes_set_double(attributes, "thermal_diffusivity", alpha, &error));
  MUST(zarrc_attributes_set_json(attributes, "valid_range", "[0, 2000]", &error));
  return array;
}

/* A coordinate: `count` values along one dimension, `by` apart. */
static void write_coordinate(zarrc_store *store, const char *name, uint64_t count, double by,
                             const char *units) {
  const char *const dimensions[] = {name};
  double *values = allocate((size_t)count, sizeof *values);
  zarrc_array_spec *spec = NULL;
  zarrc_array *array = NULL;

  for (uint64_t i = 0; i < count; i++)
    values[i] = by * (double)i;
  MUST(zarrc_array_spec_new(ZARRC_FLOAT64, 1, &count, &spec, &error));
  MUST(zarrc_array_spec_set_dimension_names(spec, 1, dimensions, &error));
  MUST(zarrc_array_create(store, name, spec, &array, &error));
  MUST(zarrc_attributes_set_string(zarrc_array_attributes(array), "units", units, &error));
  MUST(zarrc_array_write(array, NULL, NULL, ZARRC_FLOAT64, values, count * sizeof *values,
                         &error));
  MUST(zarrc_array_close(array, &error));
  zarrc_array_spec_free(spec);
  free(values);
}

static void describe(zarrc_store *store, uint64_t frames) {
  zarrc_group *root = NULL;
  MUST(zarrc_group_open(store, "", &root, &error));
  MUST(zarrc_attributes_replace_json(zarrc_group_attributes(root),
                                     "{\"Conventions\": \"CF-1.11\","
                                     " \"title\": \"Heat in a block of steel\"}",
                                     &error));
  MUST(zarrc_group_close(root, &error));
  write_coordinate(store, "time", frames, dt * STEPS, "s");
  write_coordinate(store, "z", NZ, spacing, "m");
  write_coordinate(store, "y", NY, spacing, "m");
  write_coordinate(store, "x", NX, spacing, "m");
}

/* Makes the array longer, and writes the new frames at its end. */
static void append(zarrc_array *array, uint64_t first, uint64_t count, const float *frames) {
  const uint64_t shape[] = {first + count, NZ, NY, NX};
  const uint64_t start[] = {first, 0, 0, 0}, box[] = {count, NZ, NY, NX};
  MUST(zarrc_array_resize(array, 4, shape, &error));
  MUST(zarrc_array_write(array, start, box, ZARRC_FLOAT32, frames,
                         (size_t)count * CELLS * sizeof *frames, &error));
}

/* ---- measuring ------------------------------------------------------------- */

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double stored; /* bytes, on disk */
static int files;

static int add_file(const char *path, const struct stat *status, int type, struct FTW *walk) {
  (void)path, (void)walk;
  if (type == FTW_F) {
    stored += (double)status->st_size;
    files++;
  }
  return 0;
}

/* ---- the program ----------------------------------------------------------- */

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "heat.zarr";
  const uint64_t frames = argc > 2 ? strtoull(argv[2], NULL, 10) : 40;
  if (frames < 1 || frames > 10000) {
    fprintf(stderr, "usage: heat [store [frames]], frames from 1 to 10000\n");
    return 2;
  }
  const size_t plane_z = 48, probe_y = 66, probe_x = 92; /* what is kept to compare with */
  const size_t plane = (size_t)NY * NX;

  float *field = allocate(CELLS, sizeof *field), *next = allocate(CELLS, sizeof *next);
  float *batch = allocate((size_t)BATCH * CELLS, sizeof *batch);
  float *planes = allocate((size_t)frames * plane, sizeof *planes);
  for (size_t i = 0; i < CELLS; i++)
    field[i] = next[i] = ambient;
  heat_sources(field);

  /* Simulate and write. */
  zarrc_store *store = NULL;
  double simulating = 0, writing = 0, began;
  MUST(zarrc_store_open(path, ZARRC_OVERWRITE, NULL, &store, &error));
  zarrc_array *array = create_temperature(store);
  for (uint64_t frame = 0; frame < frames; frame++) {
    memcpy(batch + frame % BATCH * CELLS, field, CELLS * sizeof *field);
    memcpy(planes + frame * plane, field + plane_z * plane, plane * sizeof *field);
    uint64_t ready = frame % BATCH + 1;
    if (ready == BATCH || frame + 1 == frames) {
      began = now();
      append(array, frame + 1 - ready, ready, batch);
      writing += now() - began;
    }
    began = now();
    for (int i = 0; i < STEPS; i++) {
      step(field, next);
      float *swap = field;
      field = next;
      next = swap;
    }
    simulating += now() - began;
  }
  describe(store, frames);
  MUST(zarrc_array_close(array, &error));
  MUST(zarrc_store_close(store, &error));

  /* Open it again, as another program would. */
  uint64_t shape[4];
  MUST(zarrc_store_open(path, ZARRC_READ, NULL, &store, &error));
  MUST(zarrc_array_open(store, "temperature", &array, &error));
  MUST(zarrc_array_shape(array, 4, shape, &error));
  int wrong = shape[0] != frames || shape[1] != NZ || shape[2] != NY || shape[3] != NX;

  /* A plane, of the last frame. */
  const uint64_t last[] = {frames - 1, plane_z, 0, 0}, one_plane[] = {1, 1, NY, NX};
  float *slab = allocate(plane, sizeof *slab);
  began = now();
  MUST(zarrc_array_read(array, last, one_plane, ZARRC_FLOAT32, slab, plane * sizeof *slab,
                        &error));
  double reading_plane = now() - began;
  if (memcmp(slab, planes + (frames - 1) * plane, plane * sizeof *slab) != 0) {
    fprintf(stderr, "heat: the plane of the last frame differs\n");
    wrong = 1;
  }

  /* A point, through all time; converted to double on the way. */
  const uint64_t point[] = {0, plane_z, probe_y, probe_x}, all_time[] = {frames, 1, 1, 1};
  double *series = allocate((size_t)frames, sizeof *series);
  began = now();
  MUST(zarrc_array_read(array, point, all_time, ZARRC_FLOAT64, series,
                        (size_t)frames * sizeof *series, &error));
  double reading_point = now() - began;
  for (uint64_t frame = 0; frame < frames; frame++)
    if (series[frame] != planes[frame * plane + probe_y * NX + probe_x]) {
      fprintf(stderr, "heat: the point differs in frame %llu\n", (unsigned long long)frame);
      wrong = 1;
    }

  /* All of it, a shard at a time. */
  began = now();
  for (uint64_t first = 0; first < frames; first += BATCH) {
    uint64_t count = frames - first < BATCH ? frames - first : BATCH;
    const uint64_t start[] = {first, 0, 0, 0}, box[] = {count, NZ, NY, NX};
    MUST(zarrc_array_read(array, start, box, ZARRC_FLOAT32, batch,
                          (size_t)BATCH * CELLS * sizeof *batch, &error));
    for (uint64_t i = 0; i < count; i++)
      if (memcmp(batch + i * CELLS + plane_z * plane, planes + (first + i) * plane,
                 plane * sizeof *batch) != 0) {
        fprintf(stderr, "heat: frame %llu differs\n", (unsigned long long)(first + i));
        wrong = 1;
      }
  }
  double reading = now() - began;
  MUST(zarrc_array_close(array, &error));
  MUST(zarrc_store_close(store, &error));

  /* Report. */
  const double mb = 1e6, raw = (double)frames * CELLS * sizeof(float);
  nftw(path, add_file, 16, FTW_PHYS);
  printf("%s: %llu frames of %d x %d x %d float32, %.2f s of model time\n", path,
         (unsigned long long)frames, NZ, NY, NX, (double)(frames - 1) * STEPS * dt);
  printf("  simulated in  %8.2f s\n", simulating);
  printf("  written in    %8.2f s  %8.0f MB/s\n", writing, raw / writing / mb);
  printf("  read back in  %8.2f s  %8.0f MB/s\n", reading, raw / reading / mb);
  printf("  one plane in  %8.2f ms\n", 1e3 * reading_plane);
  printf("  one point in  %8.2f ms, all frames: from %.2f K to %.2f K\n", 1e3 * reading_point,
         series[0], series[frames - 1]);
  printf("  %.1f MB raw, %.1f MB stored in %d files: %.1f to 1\n", raw / mb, stored / mb, files,
         raw / stored);
  printf(wrong ? "  WRONG: what was read is not what was written\n"
               : "  what was read is what was written\n");

  free(series);
  free(slab);
  free(planes);
  free(batch);
  free(next);
  free(field);
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
