/*
 * Strings: a table of names is written, one of them is changed, all are read back.
 *
 *     cc strings.c $(pkg-config --cflags --libs zarrc) && ./a.out
 */
#include <stdio.h>
#include <string.h>
#include <zarrc.h>

int main(void) {
  const char *names[] = {"Vega", "Sirius", "", "Πολλυξ"};
  const uint64_t shape[] = {4}, third[] = {2}, one[] = {1};
  const char *missing = "Arcturus";
  uint64_t offsets[5] = {0}, ends[2] = {0};
  char bytes[64];
  zarrc_store *store = NULL;
  zarrc_array_spec *spec = NULL;
  zarrc_array *array = NULL;
  zarrc_vlen *stars = NULL;
  zarrc_error error;

  /* Element i is bytes[offsets[i] .. offsets[i + 1]], without a NUL behind it. */
  for (int i = 0; i < 4; i++) {
    size_t size = strlen(names[i]);
    memcpy(bytes + offsets[i], names[i], size);
    offsets[i + 1] = offsets[i] + size;
  }
  ends[1] = strlen(missing);

  zarrc_status status = zarrc_store_open("strings.zarr", ZARRC_OVERWRITE, NULL, &store, &error);
  if (status == ZARRC_OK)
    status = zarrc_array_spec_new(ZARRC_STRING, 1, shape, &spec, &error);
  if (status == ZARRC_OK)
    status = zarrc_array_create(store, "stars", spec, &array, &error);
  if (status == ZARRC_OK)
    status = zarrc_array_write_vlen(array, NULL, NULL, offsets, (const uint8_t *)bytes, &error);
  if (status == ZARRC_OK)
    status = zarrc_array_write_vlen(array, third, one, ends, (const uint8_t *)missing, &error);
  if (status == ZARRC_OK)
    status = zarrc_array_read_vlen(array, NULL, NULL, &stars, &error);

  if (status == ZARRC_OK) {
    const uint64_t *at = zarrc_vlen_offsets(stars);
    const char *text = (const char *)zarrc_vlen_bytes(stars);
    for (size_t i = 0; i < zarrc_vlen_count(stars); i++)
      printf("%zu %.*s\n", i, (int)(at[i + 1] - at[i]), text + at[i]);
  } else {
    fprintf(stderr, "%s: %s\n", zarrc_status_name(status), error.message);
  }

  zarrc_vlen_free(stars);
  zarrc_array_close(array, NULL);
  zarrc_array_spec_free(spec);
  zarrc_store_close(store, NULL);
  return status != ZARRC_OK;
}
