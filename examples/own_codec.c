/*
 * A codec of the program's own: runs of equal bytes, as a land-sea mask is full of them. It is
 * registered by name; arrays whose metadata names it are then written and read through it.
 *
 *     cc own_codec.c $(pkg-config --cflags --libs zarrc) && ./a.out
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zarrc.h>

/* Encoded: a count from 1 to 255, the byte that often, and so on. */
static zarrc_status encode(void *user, void *codec, const uint8_t *src, size_t src_size,
                           uint8_t *dst, size_t capacity, size_t *dst_size, zarrc_error *err) {
  size_t written = 0;
  (void)user, (void)codec;
  for (size_t i = 0, run; i < src_size; i += run) {
    for (run = 1; run < 255 && i + run < src_size && src[i + run] == src[i]; run++)
      ;
    if (written + 2 > capacity) {
      snprintf(err->message, sizeof err->message, "there is no room for the runs");
      return ZARRC_LIMIT_EXCEEDED;
    }
    dst[written++] = (uint8_t)run;
    dst[written++] = src[i];
  }
  *dst_size = written;
  return ZARRC_OK;
}

static zarrc_status decode(void *user, void *codec, const uint8_t *src, size_t src_size,
                           uint8_t *dst, size_t capacity, size_t *dst_size, zarrc_error *err) {
  size_t written = 0;
  (void)user, (void)codec;
  if (src_size % 2 != 0) {
    snprintf(err->message, sizeof err->message, "the last run has a count and no byte");
    return ZARRC_CORRUPT_DATA;
  }
  for (size_t i = 0; i < src_size; i += 2) {
    if (src[i] > capacity - written) {
      snprintf(err->message, sizeof err->message, "the runs are longer than the chunk");
      return ZARRC_LIMIT_EXCEEDED;
    }
    memset(dst + written, src[i + 1], src[i]);
    written += src[i];
  }
  *dst_size = written;
  return ZARRC_OK;
}

/* At worst each byte is a run of its own. */
static uint64_t bound(void *user, void *codec, uint64_t decoded_size) {
  (void)user, (void)codec;
  return 2 * decoded_size;
}

static zarrc_error error;

static void must(zarrc_status status) {
  if (status != ZARRC_OK) {
    fprintf(stderr, "%s: %s\n", zarrc_status_name(status), error.message);
    exit(1);
  }
}

int main(void) {
  enum { SIZE = 360 };
  static uint8_t mask[SIZE][SIZE], back[SIZE][SIZE];
  const uint64_t shape[] = {SIZE, SIZE}, chunks[] = {SIZE / 2, SIZE / 2};
  zarrc_codec_callbacks callbacks = {0};
  zarrc_store *store = NULL;
  zarrc_array_spec *spec = NULL;
  zarrc_array *array = NULL;
  uint8_t *value = NULL;
  size_t size = 0;

  callbacks.size = sizeof callbacks;
  callbacks.encode = encode;
  callbacks.decode = decode;
  callbacks.bound = bound;
  must(zarrc_codec_register("org.example.runs", NULL, 0, ZARRC_CODEC_BYTES, &callbacks, &error));

  for (int y = 0; y < SIZE; y++) /* a round island */
    for (int x = 0; x < SIZE; x++)
      mask[y][x] = (y - 150) * (y - 150) + (x - 150) * (x - 150) < 100 * 100;

  must(zarrc_store_open("memory:", ZARRC_CREATE, NULL, &store, &error));
  must(zarrc_array_spec_new(ZARRC_UINT8, 2, shape, &spec, &error));
  must(zarrc_array_spec_set_chunk_shape(spec, 2, chunks, &error));
  must(zarrc_array_spec_add_codec(spec, "org.example.runs", NULL, &error));
  must(zarrc_array_create(store, "mask", spec, &array, &error));
  zarrc_array_spec_free(spec);

  must(zarrc_array_write(array, NULL, NULL, ZARRC_UINT8, mask, sizeof mask, &error));
  must(zarrc_array_read(array, NULL, NULL, ZARRC_UINT8, back, sizeof back, &error));
  must(zarrc_store_get(store, "mask/c/0/0", &value, &size, &error));
  printf("%d bytes of the first chunk are %d in the store; what is read is what was written: %s\n",
         SIZE / 2 * (SIZE / 2), (int)size, memcmp(mask, back, sizeof mask) == 0 ? "yes" : "no");
  zarrc_value_free(value, size);

  must(zarrc_array_close(array, &error));
  must(zarrc_store_close(store, &error));
  must(zarrc_codec_unregister("org.example.runs", &error));
  return memcmp(mask, back, sizeof mask) != 0;
}
