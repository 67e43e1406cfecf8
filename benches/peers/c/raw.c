/* The raw data, and what every answer is checked against.
 *   op=make:          writes data= of kind= (smooth, microscopy), shape= and dtype=
 *   op=read, write:   the byte sum that a library must come to (write: over the data of store=, if existing=1) */
#include "job.h"
#include <math.h>

static uint64_t state = 1;
static uint64_t next(void) { /* splitmix64 */
  uint64_t z = (state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}
static double noise(void) { /* normal, nearly: four uniform numbers of 16 bits */
  const uint64_t r = next();
  const double sum = (double)(r & 65535) + (double)(r >> 16 & 65535) + (double)(r >> 32 & 65535) + (double)(r >> 48);
  return (sum / 65536 - 2) * 1.7320508;
}
/* A field of waves with a little noise, rounded to 15 bits of mantissa as models do. */
static float smooth(double z, double y, double x) {
  float v = (float)(280 + 10 * sin(z / 41) * sin(y / 37) * cos(x / 53) + 5 * cos(z / 17 + 1) * sin((y + 2 * x) / 91) +
                    0.05 * noise());
  uint32_t bits;
  memcpy(&bits, &v, 4);
  bits = (bits + 0x80) & 0xFFFFFF00u;
  memcpy(&v, &bits, 4);
  return v;
}
/* Blobs over a dark ground, with the noise of counted photons. */
static uint16_t microscopy(double z, double y, double x) {
  const double wave = sin(z / 23) * sin(y / 29) * sin(x / 31), light = 100 + (wave > 0.3 ? 3000 * (wave - 0.3) : 0);
  return (uint16_t)(light + sqrt(light) * noise() + 0.5);
}
static void make(void) {
  FILE *f = fopen(text("data"), "wb");
  if (!f) fail(text("data"), "cannot be written");
  const bool real = !strcmp(text("kind"), "smooth");
  char *row = memory(shape_[2] * item_);
  for (uint64_t z = 0; z < shape_[0]; z++)
    for (uint64_t y = 0; y < shape_[1]; y++) {
      for (uint64_t x = 0; x < shape_[2]; x++) {
        if (real)
          ((float *)(void *)row)[x] = smooth((double)z, (double)y, (double)x);
        else
          ((uint16_t *)(void *)row)[x] = microscopy((double)z, (double)y, (double)x);
      }
      if (fwrite(row, item_, shape_[2], f) != shape_[2]) fail(text("data"), "cannot be written");
    }
  if (fclose(f)) fail(text("data"), "cannot be written");
}
/* Each row of a box, between the array and the box's own bytes; returns where the box ends. */
static char *rows(char *array, const box *b, char *own, bool write, uint64_t *sum) {
  const uint64_t row = b->count[2] * item_;
  for (uint64_t z = 0; z < b->count[0]; z++)
    for (uint64_t y = 0; y < b->count[1]; y++) {
      char *at = array + (((b->start[0] + z) * shape_[1] + b->start[1] + y) * shape_[2] + b->start[2]) * item_;
      if (write)
        memcpy(at, own, row), own += row;
      else
        *sum += byte_sum(at, row);
    }
  return own;
}

/* The sum of what a selection selects. */
static uint64_t selected(const char *array) {
  const selection s = load_selection();
  const uint64_t *n = s.numbers, plane = shape_[1] * shape_[2], all = shape_[0] * plane;
  uint64_t sum = 0;
  if (s.kind == 0)
    for (uint64_t i = 0; i < s.count; i++, n += 3)
      sum += byte_sum(array + (n[0] * plane + n[1] * shape_[2] + n[2]) * item_, item_);
  else if (s.kind == 1)
    for (uint64_t y = 0; y < n[1]; y++)
      for (uint64_t x = 0; x < n[2 + n[1]]; x++)
        sum += byte_sum(array + (n[0] * plane + n[2 + y] * shape_[2] + n[3 + n[1] + x]) * item_, item_);
  else if (s.kind == 2)
    for (uint64_t i = 0; i < all; i++) sum += s.mask[i] ? byte_sum(array + i * item_, item_) : 0;
  else
    for (uint64_t z = 0; z < shape_[0]; z += n[0]) sum += byte_sum(array + z * plane * item_, plane * item_);
  return sum;
}
int main(int argc, char **argv) {
  parse_job(argc, argv);
  if (rank_ != 3) fail("raw", "arrays of rank 3 only");
  if (!strcmp(text("op"), "make")) return make(), 0;
  if (!strcmp(text("op"), "select")) return report(selected(load(text("store"), NULL))), 0;
  uint64_t n, largest, sum = 0;
  box *boxes = load_boxes(&n, &largest);
  const bool write = !strcmp(text("op"), "write");
  char *array = !write || number("existing") ? load(text("store"), NULL) : calloc(1, bytes_of(shape_));
  char *own = write ? load(text("data"), NULL) : NULL;
  for (uint64_t i = 0; i < n; i++) own = rows(array, &boxes[i], own, write, &sum);
  report(write ? byte_sum(array, bytes_of(shape_)) : sum);
  return 0;
}
