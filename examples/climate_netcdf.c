/* The twin of climate.c with netCDF-C: climate_netcdf [file [steps]]. */
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NLAT = 90, NLON = 180, HALO = 2, W = NLON + 2 * HALO, H = NLAT + 2 * HALO };
static const float missing = 1e20f;
static void must(int status) {
  if (!status) return;
  fprintf(stderr, "%s\n", nc_strerror(status));
  exit(1);
}
static void text(int file, int variable, const char *name, const char *value) {
  must(nc_put_att_text(file, variable, name, strlen(value), value));
}
static void coordinate(int file, int dim, const char *name, const char *standard_name,
                       const char *units, size_t count, double first) {
  double values[NLON];
  int variable;
  for (size_t i = 0; i < count; i++) values[i] = first + 2 * (double)i;
  must(nc_def_var(file, name, NC_DOUBLE, 1, &dim, &variable));
  text(file, variable, "standard_name", standard_name);
  text(file, variable, "units", units);
  must(nc_put_var_double(file, variable, values));
}
static void create(int file) {
  int dims[3], variable;
  must(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  must(nc_def_dim(file, "lat", NLAT, &dims[1]));
  must(nc_def_dim(file, "lon", NLON, &dims[2]));
  coordinate(file, dims[1], "lat", "latitude", "degrees_north", NLAT, -89);
  coordinate(file, dims[2], "lon", "longitude", "degrees_east", NLON, 0);
  must(nc_def_var(file, "time", NC_DOUBLE, 1, dims, &variable));
  text(file, variable, "units", "hours since 2000-01-01");
  text(file, variable, "calendar", "noleap");
  must(nc_def_var(file, "tas", NC_FLOAT, 3, dims, &variable));
  must(nc_def_var_deflate(file, variable, 1, 1, 1));
  must(nc_put_att_float(file, variable, "_FillValue", NC_FLOAT, 1, &missing));
  text(file, variable, "units", "K");
}
int main(int argc, char **argv) {
  static float field[H][W]; /* the model's, with HALO cells more on each side */
  const char *path = argc > 1 ? argv[1] : "climate.nc";
  const ptrdiff_t map[] = {W * H, W, 1};
  size_t t, steps = argc > 2 ? strtoul(argv[2], NULL, 10) : 100, count[] = {1, NLAT, NLON};
  int file, tas, time, dim;
  if (nc_open(path, NC_WRITE, &file)) {
    must(nc_create(path, NC_NETCDF4, &file));
    create(file);
  }
  must(nc_inq_dimid(file, "time", &dim));
  must(nc_inq_dimlen(file, dim, &t));
  must(nc_inq_varid(file, "tas", &tas));
  must(nc_inq_varid(file, "time", &time));
  for (; t < steps; t++) {
    const size_t start[] = {t, 0, 0};
    const double hours = 6 * (double)t;
    for (int i = 0; i < H * W; i++) field[i / W][i % W] = 273.15f + (float)t + 0.01f * (float)i;
    must(nc_put_varm_float(file, tas, start, count, NULL, map, &field[HALO][HALO]));
    must(nc_put_var1_double(file, time, &t, &hours));
    must(nc_sync(file));
  }
  must(nc_close(file));
  return 0;
}
