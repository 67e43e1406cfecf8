#include "custom.h"
#include "_cgo_export.h"

static zarrc_status get(void *user, const char *key, zarrc_give_bytes give, void *to,
                        zarrc_error *err) {
  return zarrcGoGet((uintptr_t)user, (char *)key, give, to, err);
}
static zarrc_status set(void *user, const char *key, const void *value, size_t size,
                        zarrc_error *err) {
  return zarrcGoSet((uintptr_t)user, (char *)key, (void *)value, size, err);
}
static zarrc_status erase(void *user, const char *key, zarrc_error *err) {
  return zarrcGoErase((uintptr_t)user, (char *)key, err);
}
static zarrc_status list(void *user, const char *prefix, zarrc_give_key give, void *to,
                         zarrc_error *err) {
  return zarrcGoList((uintptr_t)user, (char *)prefix, give, to, err);
}
static void destroy(void *user) { zarrcGoDestroy((uintptr_t)user); }

zarrc_status zarrc_go_open(uintptr_t user, const char *name, bool writes, bool lists,
                           const zarrc_options *options, zarrc_store **store, zarrc_error *err) {
  zarrc_store_callbacks table = {
      .size = sizeof table, .user = (void *)user, .name = name, .destroy = destroy, .get = get};
  if (writes) {
    table.set = set;
    table.erase = erase;
  }
  if (lists)
    table.list = list;
  return zarrc_store_from_callbacks(&table, options, store, err);
}

static zarrc_status decode(void *user, void *codec, const uint8_t *src, size_t src_size,
                           uint8_t *dst, size_t capacity, size_t *dst_size, zarrc_error *err) {
  (void)codec;
  return zarrcGoTransform((uintptr_t)user, false, (uint8_t *)src, src_size, dst, capacity, dst_size,
                          err);
}
static zarrc_status encode(void *user, void *codec, const uint8_t *src, size_t src_size,
                           uint8_t *dst, size_t capacity, size_t *dst_size, zarrc_error *err) {
  (void)codec;
  return zarrcGoTransform((uintptr_t)user, true, (uint8_t *)src, src_size, dst, capacity, dst_size,
                          err);
}

zarrc_status zarrc_go_register(uintptr_t user, const char *name, zarrc_error *err) {
  zarrc_codec_callbacks table = {.size = sizeof table,
                                 .user = (void *)user,
                                 .destroy = destroy,
                                 .decode = decode,
                                 .encode = encode};
  return zarrc_codec_register(name, NULL, 0, ZARRC_CODEC_BYTES, &table, err);
}

bool zarrc_go_give_bytes(zarrc_give_bytes give, void *to, void *bytes, size_t size) {
  return give(to, bytes, size);
}
bool zarrc_go_give_key(zarrc_give_key give, void *to, char *key) { return give(to, key); }
