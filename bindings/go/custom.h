/* Between the callbacks of zarrc and the functions that Go exports. */
#ifndef ZARRC_GO_CUSTOM_H
#define ZARRC_GO_CUSTOM_H

#include <stdint.h>
#include <zarrc.h>

zarrc_status zarrc_go_open(uintptr_t user, const char *name, bool writes, bool lists,
                           const zarrc_options *options, zarrc_store **store, zarrc_error *err);
zarrc_status zarrc_go_register(uintptr_t user, const char *name, zarrc_error *err);
bool zarrc_go_give_bytes(zarrc_give_bytes give, void *to, void *bytes, size_t size);
bool zarrc_go_give_key(zarrc_give_key give, void *to, char *key);

typedef struct zarrc_go_running zarrc_go_running;
zarrc_go_running *zarrc_go_begin(void);
void zarrc_go_cancel(zarrc_go_running *running);
void zarrc_go_end(zarrc_go_running *running);
zarrc_status zarrc_go_read(const zarrc_array *array, const zarrc_selection *selection,
                           zarrc_data_type type, void *buffer, size_t size,
                           zarrc_go_running *running, zarrc_error *err);
zarrc_status zarrc_go_write(zarrc_array *array, const zarrc_selection *selection,
                            zarrc_data_type type, const void *buffer, size_t size,
                            zarrc_go_running *running, zarrc_error *err);
zarrc_status zarrc_go_copy(const zarrc_store *from, const char *path, zarrc_store *to,
                           const char *to_path, zarrc_if_exists if_exists, bool dry_run,
                           bool link, size_t exclude_count, char **exclude, uintptr_t user,
                           zarrc_copied *copied, zarrc_error *err);
zarrc_status zarrc_go_rechunk(const zarrc_array *from, zarrc_store *to, const char *path,
                              const zarrc_array_spec *spec, uint64_t memory_limit, uintptr_t user,
                              zarrc_error *err);
zarrc_status zarrc_go_verify(const zarrc_store *store, const char *path, uintptr_t user,
                             char **report, zarrc_error *err);
zarrc_status zarrc_go_repair(zarrc_store *store, const char *path, const char *kinds, bool dry_run,
                             uintptr_t user, char **report, zarrc_error *err);
zarrc_status zarrc_go_visit_chunks(const zarrc_array *array, size_t rank, uintptr_t user,
                                   zarrc_error *err);
zarrc_status zarrc_go_delete(zarrc_store *store, const char *path, uintptr_t user,
                             uint64_t *deleted, zarrc_error *err);
zarrc_status zarrc_go_append(zarrc_array *array, size_t axis, uint64_t extent, uintptr_t user,
                             zarrc_error *err);
zarrc_status zarrc_go_visit(const zarrc_group *group, uintptr_t user, zarrc_error *err);

#endif
