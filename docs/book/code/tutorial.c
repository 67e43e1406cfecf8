/* The tutorial in C: each part between ANCHOR lines is a snippet of the book. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zarrc.h>

/* ANCHOR: check */
static zarrc_error error;

static void check(zarrc_status status) {
  if (status != ZARRC_OK) {
    fprintf(stderr, "%s: %s\n", zarrc_status_name(status), error.message);
    exit(1);
  }
}
/* ANCHOR_END: check */

int main(void) {
  /* ANCHOR: create */
  const uint64_t shape[] = {3, 4, 6}, chunk[] = {1, 4, 6}; /* time, y, x: the last varies fastest */
  const char *const names[] = {"time", "y", "x"};
  zarrc_store *store = NULL;
  zarrc_array_spec *spec = NULL;
  zarrc_array *array = NULL;
  check(zarrc_store_open("tutorial.zarr", ZARRC_OVERWRITE, NULL, &store, &error));
  check(zarrc_array_spec_new(ZARRC_FLOAT32, 3, shape, &spec, &error));
  check(zarrc_array_spec_set_chunk_shape(spec, 3, chunk, &error));
  check(zarrc_array_spec_set_dimension_names(spec, 3, names, &error));
  check(zarrc_array_create(store, "temperature", spec, &array, &error));
  zarrc_array_spec_free(spec);
  /* ANCHOR_END: create */

  /* ANCHOR: write */
  float values[3][4][6];
  for (int t = 0; t < 3; t++)
    for (int y = 0; y < 4; y++)
      for (int x = 0; x < 6; x++)
        values[t][y][x] = (float)(100 * t + 10 * y + x);
  check(zarrc_array_write(array, NULL, NULL, ZARRC_FLOAT32, values, sizeof values, &error));
  /* ANCHOR_END: write */

  /* ANCHOR: read */
  const uint64_t start[] = {1, 1, 2}, count[] = {1, 2, 3};
  double part[2][3]; /* float32 in the store, converted while it is read */
  check(zarrc_array_read(array, start, count, ZARRC_FLOAT64, part, sizeof part, &error));
  for (int y = 0; y < 2; y++)
    printf("%g %g %g\n", part[y][0], part[y][1], part[y][2]);
  /* ANCHOR_END: read */

  /* ANCHOR: select */
  const uint64_t rows[] = {3, 0};
  float selected[2][3];
  zarrc_selection *selection = NULL;
  check(zarrc_selection_new(array, &selection, &error));             /* everything */
  check(zarrc_selection_set_index(selection, 0, 2, &error));         /* the last time */
  check(zarrc_selection_set_indices(selection, 1, 2, rows, &error)); /* rows 3 and 0 */
  check(zarrc_selection_set_range(selection, 2, 0, 2, 3, &error));   /* x = 0, 2, 4 */
  check(zarrc_array_read_selection(array, selection, ZARRC_FLOAT32, selected, NULL, sizeof selected,
                                   &error));
  zarrc_selection_free(selection);
  for (int y = 0; y < 2; y++)
    printf("%g %g %g\n", selected[y][0], selected[y][1], selected[y][2]);
  /* ANCHOR_END: select */

  /* ANCHOR: append */
  const uint64_t block[] = {1, 4, 6};
  uint64_t size[3];
  check(zarrc_array_append(array, 0, block, ZARRC_FLOAT32, values[0], sizeof values[0], &error));
  check(zarrc_array_shape(array, 3, size, &error));
  printf("steps %d\n", (int)size[0]);
  /* ANCHOR_END: append */

  /* ANCHOR: attributes */
  zarrc_attributes *attributes = zarrc_array_attributes(array); /* part of the array: not freed */
  char *units = NULL;
  check(zarrc_attributes_set_string(attributes, "units", "K", &error));
  check(zarrc_attributes_get_string(attributes, "units", &units, &error));
  printf("units %s\n", units);
  zarrc_string_free(units);
  /* ANCHOR_END: attributes */

  /* ANCHOR: request */
  const uint64_t origin[] = {0, 0, 0};
  float first[4][6], sum = 0;
  zarrc_request *request = NULL;
  check(zarrc_array_read_start(array, origin, block, ZARRC_FLOAT32, first, sizeof first, &request,
                               &error));
  /* other work; `first` must not be touched until the request is done */
  check(zarrc_request_wait(request, &error));
  zarrc_request_free(request);
  for (int n = 0; n < 24; n++)
    sum += first[n / 6][n % 6];
  printf("sum %g\n", sum);
  /* ANCHOR_END: request */

  /* ANCHOR: errors */
  zarrc_array *nothing = NULL;
  if (zarrc_array_open(store, "nothing", &nothing, &error) == ZARRC_NOT_FOUND)
    puts("not found"); /* error.message says which path was looked for, and where */
  /* ANCHOR_END: errors */

  /* ANCHOR: close */
  check(zarrc_array_close(array, &error));
  check(zarrc_store_close(store, &error));
  return 0;
  /* ANCHOR_END: close */
}
