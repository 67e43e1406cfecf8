/* A C program that has compression functions of its own: zarrc must neither use nor disturb them. */
#include <stdio.h>
#include <string.h>
#include <zarrc.h>

int called;

unsigned ZSTD_versionNumber(void) {
  called++;
  return 1;
}

size_t ZSTD_compress(void *to, size_t room, const void *from, size_t size, int level) {
  (void)to, (void)room, (void)from, (void)size, (void)level;
  called++;
  return 0;
}

int LZ4_decompress_safe(const char *from, char *to, int size, int room) {
  (void)from, (void)to, (void)size, (void)room;
  called++;
  return -1;
}

int main(void) {
  const uint64_t shape[] = {100, 100};
  static int32_t written[10000], read[10000];
  char version[32];
  zarrc_error error = {0};
  zarrc_store *store = NULL;
  zarrc_array_spec *spec = NULL;
  zarrc_array *array = NULL;

  for (int i = 0; i < 10000; i++)
    written[i] = i;
  zarrc_status status = zarrc_store_open("memory:", ZARRC_APPEND, NULL, &store, &error);
  if (!status)
    status = zarrc_array_spec_new(ZARRC_INT32, 2, shape, &spec, &error);
  if (!status)
    status = zarrc_array_create(store, "a", spec, &array, &error);
  if (!status)
    status = zarrc_array_write(array, NULL, NULL, ZARRC_INT32, written, sizeof written, &error);
  if (!status)
    status = zarrc_array_read(array, NULL, NULL, ZARRC_INT32, read, sizeof read, &error);
  if (status)
    fprintf(stderr, "%s: %s\n", zarrc_status_name(status), error.message);
  zarrc_array_close(array, NULL);
  zarrc_array_spec_free(spec);
  zarrc_store_close(store, NULL);

  snprintf(version, sizeof version, "%d.%d.%d", ZARRC_VERSION_MAJOR, ZARRC_VERSION_MINOR,
           ZARRC_VERSION_PATCH);
  if (strcmp(version, zarrc_version()) != 0) {
    fprintf(stderr, "the header is of %s, the library of %s\n", version, zarrc_version());
    return 1;
  }
  if (called)
    fprintf(stderr, "zarrc called this program's own functions\n");
  return status || called || memcmp(read, written, sizeof read) != 0;
}
