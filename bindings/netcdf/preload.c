/* For programs that are not changed: LD_PRELOAD this library, and nc_open() and nc_create() take
 * Zarr stores by their plain paths and URLs. Every other path goes to netCDF-C as it is. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
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

/* The path of a directory's document of Zarr, to be freed; NULL if it has none. */
static char *document_of(const char *directory) {
  static const char *const names[] = {"zarr.json", ".zgroup", ".zarray"};
  struct stat info;
  size_t size = strlen(directory) + 12;
  char *path = malloc(size);
  for (size_t i = 0; path && i < sizeof names / sizeof *names; i++) {
    snprintf(path, size, "%s/%s", directory, names[i]);
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode))
      return path;
  }
  free(path);
  return NULL;
}

/* What netCDF-C gets for a path that says by itself that it is a Zarr store, to be freed; NULL: it
 * does not. A path is one by the prefix "zarrc:", by a name that ends in ".zarr" (before a
 * fragment, or what NCO adds while it writes), or by a document of Zarr in a directory. A mode in
 * the fragment is an order to netCDF-C and stands. */
static char *zarr_path(const char *path) {
  static const char prefix[] = "zarrc:";
  if (!path || strstr(path, "mode="))
    return NULL;
  if (strncmp(path, prefix, sizeof prefix - 1) == 0)
    return strdup(path);
  char *document = document_of(path); /* a file, as netCDF-C 4.9.1 and later want to see one */
  if (document)
    return document;
  size_t length = strcspn(path, "#");
  while (length > 0 && path[length - 1] == '/')
    length--;
  bool named = length > 5 && strncasecmp(path + length - 5, ".zarr", 5) == 0;
  if (!named && !strstr(path, ".zarr.pid"))
    return NULL;
  /* netCDF-C rewrites URLs; behind the prefix it does not see them */
  size_t size = sizeof prefix + strlen(path);
  char *shielded = malloc(size);
  if (shielded)
    snprintf(shielded, size, "%s%s", prefix, path);
  return shielded;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define FORWARD(name, path, mode, ...)                                                             \
  __typeof__(&name) next = NEXT(name);                                                             \
  if (!next)                                                                                       \
    return NC_ENOTBUILT;                                                                           \
  char *zarr = ready() ? zarr_path(path) : NULL;                                                   \
  if (!zarr)                                                                                       \
    return next(path, mode, __VA_ARGS__);                                                          \
  int status = next(zarr, ((mode) & ~FORMATS) | NC_UDF0, __VA_ARGS__);                             \
  free(zarr);                                                                                      \
  return status

/* what says which of its own formats netCDF-C is to write */
enum { FORMATS = NC_NETCDF4 | NC_CLASSIC_MODEL | NC_64BIT_OFFSET | NC_64BIT_DATA };

int nc_open(const char *path, int mode, int *ncid) { FORWARD(nc_open, path, mode, ncid); }

int nc__open(const char *path, int mode, size_t *hint, int *ncid) {
  FORWARD(nc__open, path, mode, hint, ncid);
}

int nc_create(const char *path, int mode, int *ncid) { FORWARD(nc_create, path, mode, ncid); }

int nc__create(const char *path, int mode, size_t initial, size_t *hint, int *ncid) {
  FORWARD(nc__create, path, mode, initial, hint, ncid);
}

__attribute__((constructor)) static void register_early(void) { (void)ready(); }
