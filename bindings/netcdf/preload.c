/* For programs that are not changed: LD_PRELOAD this library, and nc_open() and nc_create() take
 * Zarr stores by their plain paths and URLs. Every other path goes to netCDF-C as it is. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "zarrc_netcdf.h"

/* netCDF-C may be loaded after this library: it is registered with when first used. */
static bool ready(void) {
  static int status = -1;
  if (status != NC_NOERR)
    status = zarrc_netcdf_register();
  return status == NC_NOERR;
}

static bool has_file(const char *directory, const char *name) {
  struct stat info;
  size_t length = strlen(directory), rest = strlen(name);
  char *path = malloc(length + rest + 2);
  if (!path)
    return false;
  memcpy(path, directory, length);
  path[length] = '/';
  memcpy(path + length + 1, name, rest + 1);
  bool found = stat(path, &info) == 0 && S_ISREG(info.st_mode);
  free(path);
  return found;
}

/* Whether a path says by itself that it is a Zarr store: the prefix "zarrc:", a name that ends in
 * ".zarr" (before a fragment), or a directory with a document of Zarr. A mode in the fragment is an
 * order to netCDF-C and stands. */
static bool is_zarr(const char *path) {
  if (!path || strstr(path, "mode="))
    return false;
  if (strncmp(path, "zarrc:", 6) == 0)
    return true;
  size_t length = strcspn(path, "#");
  while (length > 0 && path[length - 1] == '/')
    length--;
  if (length > 5 && strncasecmp(path + length - 5, ".zarr", 5) == 0)
    return true;
  return has_file(path, "zarr.json") || has_file(path, ".zgroup") || has_file(path, ".zarray");
}

/* netCDF-C rewrites URLs; behind this prefix it does not see them. */
static char *shielded(const char *path) {
  size_t length = strlen(path);
  char *copy = malloc(length + 7);
  if (copy) {
    memcpy(copy, "zarrc:", 6);
    memcpy(copy + (strncmp(path, "zarrc:", 6) == 0 ? 0 : 6), path, length + 1);
  }
  return copy;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define FORWARD(name, path, mode, ...)                                                             \
  __typeof__(&name) next = NEXT(name);                                                             \
  if (!next)                                                                                       \
    return NC_ENOTBUILT;                                                                           \
  if (!is_zarr(path) || !ready())                                                                  \
    return next(path, mode, __VA_ARGS__);                                                          \
  char *shield = shielded(path);                                                                   \
  int status = shield ? next(shield, ((mode) & ~(NC_NETCDF4 | NC_CLASSIC_MODEL | NC_64BIT_OFFSET | \
                                                 NC_64BIT_DATA)) | NC_UDF0, __VA_ARGS__)            \
                      : NC_ENOMEM;                                                                 \
  free(shield);                                                                                    \
  return status

int nc_open(const char *path, int mode, int *ncid) { FORWARD(nc_open, path, mode, ncid); }

int nc__open(const char *path, int mode, size_t *hint, int *ncid) {
  FORWARD(nc__open, path, mode, hint, ncid);
}

int nc_create(const char *path, int mode, int *ncid) { FORWARD(nc_create, path, mode, ncid); }

int nc__create(const char *path, int mode, size_t initial, size_t *hint, int *ncid) {
  FORWARD(nc__create, path, mode, initial, hint, ncid);
}

__attribute__((constructor)) static void register_early(void) { (void)ready(); }
