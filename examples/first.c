/*
 * The shortest useful program: write an array, read a part of it back.
 *
 *     cc first.c $(pkg-config --cflags --libs zarrc) && ./a.out
 */
#include <stdio.h>
#include <zarrc.h>

int main(void) {
  const uint64_t shape[] = {4, 6}, start[] = {1, 2}, count[] = {2, 3};
  double field[4][6], part[2][3];
  zarrc_store *store = NULL;
  zarrc_array_spec *spec = NULL;
  zarrc_array *array = NULL;
  zarrc_error error;

  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 6; x++)
      field[y][x] = 10 * y + x;

  zarrc_status status = zarrc_store_open("first.zarr", ZARRC_OVERWRITE, NULL, &store, &error);
  if (status == ZARRC_OK)
    status = zarrc_array_spec_new(ZARRC_FLOAT64, 2, shape, &spec, &error);
  if (status == ZARRC_OK)
    status = zarrc_array_create(store, "field", spec, &array, &error);
  if (status == ZARRC_OK) /* NULL, NULL: from the origin to the end */
    status = zarrc_array_write(array, NULL, NULL, ZARRC_FLOAT64, field, sizeof field, &error);
  if (status == ZARRC_OK)
    status = zarrc_array_read(array, start, count, ZARRC_FLOAT64, part, sizeof part, &error);

  if (status == ZARRC_OK)
    for (int y = 0; y < 2; y++)
      printf("%g %g %g\n", part[y][0], part[y][1], part[y][2]);
  else
    fprintf(stderr, "%s: %s\n", zarrc_status_name(status), error.message);

  zarrc_array_close(array, NULL);
  zarrc_array_spec_free(spec);
  zarrc_store_close(store, NULL);
  return status != ZARRC_OK;
}
