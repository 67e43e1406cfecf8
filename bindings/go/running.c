/* Calls that are ended from another thread, and long calls that report to Go. */
#include "custom.h"
#include "_cgo_export.h"
#include <stdatomic.h>
#include <stdlib.h>

struct zarrc_go_running {
  _Atomic(zarrc_request *) request;
  atomic_bool cancelled;
};

zarrc_go_running *zarrc_go_begin(void) { return calloc(1, sizeof(zarrc_go_running)); }

/* May come before the request is there: whoever is second sees what the first has set. */
void zarrc_go_cancel(zarrc_go_running *running) {
  atomic_store(&running->cancelled, true);
  zarrc_request_cancel(atomic_load(&running->request));
}

void zarrc_go_end(zarrc_go_running *running) {
  zarrc_request_free(atomic_load(&running->request));
  free(running);
}

static zarrc_status wait_for(zarrc_go_running *running, zarrc_request *request, zarrc_error *err) {
  atomic_store(&running->request, request);
  if (atomic_load(&running->cancelled))
    zarrc_request_cancel(request);
  return zarrc_request_wait(request, err);
}

zarrc_status zarrc_go_read(const zarrc_array *array, const zarrc_selection *selection,
                           zarrc_data_type type, void *buffer, size_t size,
                           zarrc_go_running *running, zarrc_error *err) {
  zarrc_request *request = NULL;
  zarrc_status status =
      zarrc_array_read_selection_start(array, selection, type, buffer, NULL, size, &request, err);
  return status == ZARRC_OK ? wait_for(running, request, err) : status;
}

zarrc_status zarrc_go_write(zarrc_array *array, const zarrc_selection *selection,
                            zarrc_data_type type, const void *buffer, size_t size,
                            zarrc_go_running *running, zarrc_error *err) {
  zarrc_request *request = NULL;
  zarrc_status status =
      zarrc_array_write_selection_start(array, selection, type, buffer, NULL, size, &request, err);
  return status == ZARRC_OK ? wait_for(running, request, err) : status;
}

static bool progress(void *user, double done, const char *what) {
  return zarrcGoProgress((uintptr_t)user, done, (char *)what);
}
static bool chunk(void *user, const uint64_t *index, const char *key, uint64_t bytes) {
  return zarrcGoChunk((uintptr_t)user, (uint64_t *)index, (char *)key, bytes);
}
static bool node(void *user, const char *path, zarrc_node_kind kind) {
  return zarrcGoNode((uintptr_t)user, (char *)path, kind);
}

zarrc_status zarrc_go_copy(const zarrc_store *from, const char *path, zarrc_store *to,
                           const char *to_path, zarrc_if_exists if_exists, bool dry_run,
                           bool link, size_t exclude_count, char **exclude, uintptr_t user,
                           zarrc_copied *copied, zarrc_error *err) {
  zarrc_copy_options options = {.size = sizeof options,
                                .if_exists = if_exists,
                                .dry_run = dry_run,
                                .link = link,
                                .exclude_count = exclude_count,
                                .exclude = (const char *const *)exclude,
                                .progress = progress,
                                .user = (void *)user};
  return zarrc_node_copy_with(from, path, to, to_path, &options, copied, err);
}
zarrc_status zarrc_go_rechunk(const zarrc_array *from, zarrc_store *to, const char *path,
                              const zarrc_array_spec *spec, uint64_t memory_limit, uintptr_t user,
                              zarrc_error *err) {
  return zarrc_rechunk(from, to, path, spec, memory_limit, progress, (void *)user, err);
}
zarrc_status zarrc_go_verify(const zarrc_store *store, const char *path, uintptr_t user,
                             char **report, zarrc_error *err) {
  return zarrc_verify(store, path, progress, (void *)user, report, err);
}
zarrc_status zarrc_go_repair(zarrc_store *store, const char *path, const char *kinds, bool dry_run,
                             uintptr_t user, char **report, zarrc_error *err) {
  return zarrc_repair(store, path, kinds, dry_run, progress, (void *)user, report, err);
}
zarrc_status zarrc_go_delete(zarrc_store *store, const char *path, uintptr_t user,
                             uint64_t *deleted, zarrc_error *err) {
  return zarrc_node_delete_with(store, path, progress, (void *)user, deleted, err);
}
zarrc_status zarrc_go_visit_chunks(const zarrc_array *array, size_t rank, uintptr_t user,
                                   zarrc_error *err) {
  return zarrc_array_visit_chunks(array, rank, NULL, NULL, chunk, (void *)user, err);
}
static zarrc_status appended(void *user, zarrc_array *grown, const char *document, uint64_t first,
                             zarrc_error *err) {
  return zarrcGoAppend((uintptr_t)user, grown, (char *)document, first, err);
}
zarrc_status zarrc_go_append(zarrc_array *array, size_t axis, uint64_t extent, uintptr_t user,
                             zarrc_error *err) {
  return zarrc_array_append_with(array, axis, extent, appended, (void *)user, err);
}
zarrc_status zarrc_go_visit(const zarrc_group *group, uintptr_t user, zarrc_error *err) {
  return zarrc_group_visit(group, node, (void *)user, err);
}
