/* Between the callbacks of zarrc and the functions that Go exports. */
#include <stdint.h>
#include <zarrc.h>

zarrc_status zarrc_go_open(uintptr_t user, const char *name, bool writes, bool lists,
                           const zarrc_options *options, zarrc_store **store, zarrc_error *err);
zarrc_status zarrc_go_register(uintptr_t user, const char *name, zarrc_error *err);
bool zarrc_go_give_bytes(zarrc_give_bytes give, void *to, void *bytes, size_t size);
bool zarrc_go_give_key(zarrc_give_key give, void *to, char *key);
