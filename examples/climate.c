/* A climate model's output: climate [store [steps]]. Time is unlimited, and a program that starts
 * again goes on where the last one stopped. climate_netcdf.c is the same with netCDF-C. */
#include <stdio.h>
#include <stdlib.h>
#include <zarrc.h>

enum { NLAT = 90, NLON = 180, HALO = 2, W = NLON + 2 * HALO, H = NLAT + 2 * HALO };
static const char *const dimensions[] = {"time", "lat", "lon"};
static const uint64_t extents[] = {0, NLAT, NLON}; /* 0: it grows */
static const float missing = 1e20f;
static zarrc_error error;
#define MUST(call) do { if (call) { fprintf(stderr, "%s\n", error.message); exit(1); } } while (0)

/* Opens a variable, whose dimensions begin with number `dim`, or creates it. */
static zarrc_array *variable(zarrc_store *store, const char *name, zarrc_data_type type,
                             size_t rank, size_t dim, const char *attributes) {
  zarrc_array_spec *spec;
  zarrc_array *array;
  MUST(zarrc_array_spec_new(type, rank, &extents[dim], &spec, &error));
  MUST(zarrc_array_spec_set_dimension_names(spec, rank, &dimensions[dim], &error));
  MUST(zarrc_array_spec_set_attributes_json(spec, attributes, &error));
  if (rank == 3) MUST(zarrc_array_spec_set_missing_value(spec, &missing, sizeof missing, &error));
  MUST(zarrc_array_open_or_create(store, name, spec, &array, &error));
  zarrc_array_spec_free(spec);
  return array;
}
static void coordinate(zarrc_store *store, size_t dim, double first, const char *attributes) {
  zarrc_array *array = variable(store, dimensions[dim], ZARRC_FLOAT64, 1, dim, attributes);
  double v[NLON];
  for (uint64_t i = 0; i < extents[dim]; i++) v[i] = first + 2 * (double)i;
  MUST(zarrc_array_write(array, NULL, NULL, ZARRC_FLOAT64, v, extents[dim] * sizeof *v, &error));
  MUST(zarrc_array_close(array, &error));
}
int main(int argc, char **argv) {
  static float field[H][W]; /* the model's, with HALO cells more on each side */
  const int64_t strides[] = {sizeof field, sizeof field[0], sizeof field[0][0]};
  uint64_t t, steps = argc > 2 ? strtoull(argv[2], NULL, 10) : 100, count[] = {1, NLAT, NLON};
  zarrc_store *store;
  MUST(zarrc_store_open(argc > 1 ? argv[1] : "climate.zarr", ZARRC_APPEND, NULL, &store, &error));
  coordinate(store, 1, -89, "{\"standard_name\": \"latitude\", \"units\": \"degrees_north\"}");
  coordinate(store, 2, 0, "{\"standard_name\": \"longitude\", \"units\": \"degrees_east\"}");
  zarrc_array *tas = variable(store, "tas", ZARRC_FLOAT32, 3, 0, "{\"units\": \"K\"}");
  zarrc_array *time = variable(store, "time", ZARRC_FLOAT64, 1, 0,
                               "{\"units\": \"hours since 2000-01-01\", \"calendar\": \"noleap\"}");
  MUST(zarrc_array_shape(time, 1, &t, &error));
  for (; t < steps; t++) {
    const uint64_t start[] = {t, 0, 0}, shape[] = {t + 1, NLAT, NLON};
    const double hours = 6 * (double)t;
    for (int i = 0; i < H * W; i++) field[i / W][i % W] = 273.15f + (float)t + 0.01f * (float)i;
    MUST(zarrc_array_grow(tas, 3, shape, &error)); /* time comes last: it counts what is whole */
    MUST(zarrc_array_write_strided(tas, start, NULL, count, ZARRC_FLOAT32, &field[HALO][HALO],
                                   strides, &error));
    MUST(zarrc_array_append(time, 0, NULL, ZARRC_FLOAT64, &hours, sizeof hours, &error));
  }
  MUST(zarrc_array_close(tas, &error));
  MUST(zarrc_array_close(time, &error));
  MUST(zarrc_consolidate_metadata(store, "", &error));
  MUST(zarrc_store_close(store, &error));
  return 0;
}
