/* Handles: stores and arrays that ranks open, change and close together. One rank talks to the
 * store about metadata, the others get the document from it. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

zarrc_status zmpi_fail(zarrc_error *err, zarrc_status status, const char *format, ...) {
  if (err) {
    va_list arguments;
    va_start(arguments, format);
    err->status = status;
    err->system_code = 0;
    vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
  }
  return status;
}

zarrc_status zmpi_check(int code, const char *what, zarrc_error *err) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (code == MPI_SUCCESS)
    return ZARRC_OK;
  MPI_Error_string(code, text, &length);
  return zmpi_fail(err, ZARRC_IO, "%s: %s", what, text);
}

zarrc_status zmpi_agree(const team *team, const zarrc_error *local, uint64_t *most,
                       zarrc_error *err) {
  /* the lowest rank that failed, by its distance from the last; 0: none did */
  uint64_t mine[2] = {0, most ? *most : 0}, all[2] = {0, 0};
  zarrc_error first;
  if (local->status != ZARRC_OK)
    mine[0] = (uint64_t)(team->size - team->rank);
  zarrc_status status = zmpi_check(
      MPI_Allreduce(mine, all, 2, MPI_UINT64_T, MPI_MAX, team->comm), "MPI_Allreduce", err);
  if (status != ZARRC_OK)
    return status;
  if (most)
    *most = all[1];
  if (all[0] == 0)
    return ZARRC_OK;
  int failed = team->size - (int)all[0];
  memset(&first, 0, sizeof first);
  if (team->rank == failed) {
    first.status = local->status;
    first.system_code = local->system_code;
    int written = snprintf(first.message, sizeof first.message, "rank %d: ", failed);
    size_t room = sizeof first.message - (size_t)written - 1;
    size_t length = strlen(local->message);
    if (length > room) /* cut, but not in the middle of a character */
      for (length = room; length > 0 && (local->message[length] & 0xC0) == 0x80;)
        length--;
    memcpy(first.message + written, local->message, length);
  }
  status = zmpi_check(MPI_Bcast(&first, (int)sizeof first, MPI_BYTE, failed, team->comm),
                     "MPI_Bcast", err);
  if (status != ZARRC_OK)
    return status;
  if (err)
    *err = first;
  return first.status;
}

/* ---- the team ------------------------------------------------------------------------------ */

static void team_release(team *team) {
  if (!team || --team->users > 0)
    return;
  if (team->comm != MPI_COMM_NULL)
    MPI_Comm_free(&team->comm);
  free(team->node_of);
  free(team);
}

/* Numbers the nodes: a rank's node is that of the lowest rank which shares memory with it. */
static zarrc_status find_nodes(team *team, zarrc_error *err) {
  MPI_Comm node = MPI_COMM_NULL;
  int leader = team->rank;
  zarrc_status status = zmpi_check(
      MPI_Comm_split_type(team->comm, MPI_COMM_TYPE_SHARED, team->rank, MPI_INFO_NULL, &node),
      "MPI_Comm_split_type", err);
  if (status == ZARRC_OK)
    status = zmpi_check(MPI_Bcast(&leader, 1, MPI_INT, 0, node), "MPI_Bcast", err);
  if (status == ZARRC_OK)
    status = zmpi_check(
        MPI_Allgather(&leader, 1, MPI_INT, team->node_of, 1, MPI_INT, team->comm),
        "MPI_Allgather", err);
  if (node != MPI_COMM_NULL)
    MPI_Comm_free(&node);
  return status;
}

static zarrc_status team_new(MPI_Comm comm, team **out, zarrc_error *err) {
  zarrc_status status;
  team *made = calloc(1, sizeof *made);
  MPI_Comm ours = MPI_COMM_NULL;
  /* duplicated first, so that even a rank without memory takes part */
  status = zmpi_check(MPI_Comm_dup(comm, &ours), "MPI_Comm_dup", err);
  if (status != ZARRC_OK) {
    free(made);
    return status;
  }
  MPI_Comm_set_errhandler(ours, MPI_ERRORS_RETURN);
  team here = {.comm = ours, .users = 1};
  MPI_Comm_rank(ours, &here.rank);
  MPI_Comm_size(ours, &here.size);
  here.node_of = calloc((size_t)here.size, sizeof *here.node_of);
  zarrc_error local = {0};
  if (!made || !here.node_of)
    zmpi_fail(&local, ZARRC_OUT_OF_MEMORY, "out of memory");
  status = zmpi_agree(&here, &local, NULL, err);
  if (status == ZARRC_OK)
    status = find_nodes(&here, err);
  if (status != ZARRC_OK) {
    MPI_Comm_free(&here.comm);
    free(here.node_of);
    free(made);
    return status;
  }
  *made = here;
  *out = made;
  return ZARRC_OK;
}

/* ---- stores -------------------------------------------------------------------------------- */

static const char *not_null(const void *pointer, const char *name) {
  return pointer ? NULL : name;
}

zarrc_status zarrc_mpi_store_open(MPI_Comm comm, const char *url, zarrc_mode mode,
                                  const zarrc_options *options, zarrc_mpi_store **store,
                                  zarrc_error *err) {
  team *team = NULL;
  zarrc_error local = {0};
  zarrc_mpi_store *made = NULL;
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (!initialised)
    return zmpi_fail(err, ZARRC_INVALID_ARGUMENT, "MPI is not initialised: call MPI_Init first");
  if (comm == MPI_COMM_NULL)
    return zmpi_fail(err, ZARRC_INVALID_ARGUMENT, "comm is MPI_COMM_NULL");
  zarrc_status status = team_new(comm, &team, err);
  if (status != ZARRC_OK)
    return status;

  const char *missing = not_null(url, "url");
  if (!missing)
    missing = not_null(store, "store");
  made = calloc(1, sizeof *made);
  if (missing)
    zmpi_fail(&local, ZARRC_INVALID_ARGUMENT, "%s is NULL", missing);
  else if (!made)
    zmpi_fail(&local, ZARRC_OUT_OF_MEMORY, "out of memory");
  else if (strncmp(url, "memory:", 7) == 0 && team->size > 1)
    zmpi_fail(&local, ZARRC_UNSUPPORTED,
             "store %s: memory is of one process; ranks share a directory, an object store or a "
             "database",
             url);
  status = zmpi_agree(team, &local, NULL, err);
  if (status == ZARRC_OK) {
    if (team->rank == 0)
      local.status = zarrc_store_open(url, mode, options, &made->store, &local);
    status = zmpi_agree(team, &local, NULL, err);
  }
  if (status == ZARRC_OK) {
    if (team->rank != 0)
      local.status = zarrc_store_open(url, mode == ZARRC_READ ? ZARRC_READ : ZARRC_READ_WRITE,
                                      options, &made->store, &local);
    status = zmpi_agree(team, &local, NULL, err);
  }
  if (status != ZARRC_OK) {
    if (made)
      zarrc_store_close(made->store, NULL);
    free(made);
    team_release(team);
    return status;
  }
  made->team = team;
  team->store = made->store;
  *store = made;
  return ZARRC_OK;
}

zarrc_status zarrc_mpi_store_close(zarrc_mpi_store *store, zarrc_error *err) {
  zarrc_error local = {0};
  if (!store)
    return ZARRC_OK;
  zarrc_store_close(store->store, &local);
  store->team->store = NULL;
  zarrc_status status = zmpi_agree(store->team, &local, NULL, err);
  team_release(store->team);
  free(store);
  return status;
}

zarrc_store *zarrc_mpi_store_local(zarrc_mpi_store *store) { return store ? store->store : NULL; }

zarrc_status zarrc_mpi_group_create(zarrc_mpi_store *store, const char *path, zarrc_format format,
                                    zarrc_error *err) {
  zarrc_error local = {0};
  zarrc_group *group = NULL;
  if (!store)
    return zmpi_fail(err, ZARRC_INVALID_ARGUMENT, "store is NULL");
  if (store->team->rank == 0 &&
      zarrc_group_create(store->store, path, format, &group, &local) == ZARRC_OK)
    zarrc_group_close(group, &local);
  return zmpi_agree(store->team, &local, NULL, err);
}

zarrc_status zarrc_mpi_group_update_attributes(zarrc_mpi_store *store, const char *path,
                                               const zarrc_attributes *others, zarrc_error *err) {
  zarrc_error local = {0};
  zarrc_group *group = NULL;
  if (!store)
    return zmpi_fail(err, ZARRC_INVALID_ARGUMENT, "store is NULL");
  if (store->team->rank == 0 &&
      zarrc_group_open(store->store, path, &group, &local) == ZARRC_OK) {
    local.status = zarrc_attributes_update(zarrc_group_attributes(group), others, &local);
    zarrc_group_close(group, NULL);
  }
  return zmpi_agree(store->team, &local, NULL, err);
}

zarrc_status zarrc_mpi_consolidate_metadata(zarrc_mpi_store *store, const char *path,
                                            zarrc_error *err) {
  zarrc_error local = {0};
  if (!store)
    return zmpi_fail(err, ZARRC_INVALID_ARGUMENT, "store is NULL");
  if (store->team->rank == 0)
    local.status = zarrc_consolidate_metadata(store->store, path, &local);
  return zmpi_agree(store->team, &local, NULL, err);
}

/* ---- arrays -------------------------------------------------------------------------------- */

zarrc_status zmpi_share_array(const team *team, const char *path, const char *document,
                              zarrc_array **array, zarrc_error *err) {
  zarrc_error local = {0};
  char *stored = NULL, *received = NULL;
  uint64_t head[2] = {0, 0}; /* length of the document, its format */
  zarrc_status status;
  if (team->rank == 0 && !document) {
    local.status = zarrc_array_metadata_json(*array, &stored, &local);
    document = stored;
  }
  if (team->rank == 0 && document) {
    head[0] = strlen(document);
    head[1] = (uint64_t)zarrc_array_format(*array);
    if (head[0] > INT32_MAX - 1)
      zmpi_fail(&local, ZARRC_LIMIT_EXCEEDED, "array %s: its document has %llu bytes", path,
                (unsigned long long)head[0]);
  }
  status = zmpi_agree(team, &local, NULL, err);
  if (status == ZARRC_OK)
    status = zmpi_check(MPI_Bcast(head, 2, MPI_UINT64_T, 0, team->comm), "MPI_Bcast", err);
  if (status == ZARRC_OK) {
    received = calloc(head[0] + 1, 1);
    if (!received)
      zmpi_fail(&local, ZARRC_OUT_OF_MEMORY, "out of memory");
    else if (team->rank == 0)
      memcpy(received, document, head[0]);
    status = zmpi_agree(team, &local, NULL, err);
  }
  if (status == ZARRC_OK)
    status = zmpi_check(MPI_Bcast(received, (int)head[0], MPI_BYTE, 0, team->comm), "MPI_Bcast",
                        err);
  if (status == ZARRC_OK) {
    if (team->rank != 0)
      local.status = zarrc_array_open_json(team->store, path, (zarrc_format)head[1], received,
                                           array, &local);
    status = zmpi_agree(team, &local, NULL, err);
  }
  zarrc_string_free(stored);
  free(received);
  return status;
}

/* Whether elements lie in the store as in memory: "bytes" is the only codec. */
static int is_plain(const zarrc_array *array) {
  char *codecs = NULL;
  if (zarrc_array_codecs_json(array, &codecs, NULL) != ZARRC_OK)
    return 0;
  const char *first = strstr(codecs, "\"name\"");
  int plain = first && !strstr(first + 1, "\"name\"") && strstr(first, "\"bytes\"");
  zarrc_string_free(codecs);
  return plain;
}

/* Opens or creates (with a spec) on rank 0, then everywhere. */
static zarrc_status open_array(zarrc_mpi_store *store, const char *path,
                               const zarrc_array_spec *spec, int create, zarrc_mpi_array **array,
                               zarrc_error *err) {
  zarrc_error local = {0};
  if (!store)
    return zmpi_fail(err, ZARRC_INVALID_ARGUMENT, "store is NULL");
  team *team = store->team;
  zarrc_mpi_array *made = calloc(1, sizeof *made);
  char *kept = path ? malloc(strlen(path) + 1) : NULL;
  if (!path || !array)
    zmpi_fail(&local, ZARRC_INVALID_ARGUMENT, "%s is NULL", path ? "array" : "path");
  else if (!made || !kept)
    zmpi_fail(&local, ZARRC_OUT_OF_MEMORY, "out of memory");
  zarrc_status status = zmpi_agree(team, &local, NULL, err);
  if (status == ZARRC_OK) {
    strcpy(kept, path);
    if (team->rank == 0 && create)
      local.status = zarrc_array_create(store->store, path, spec, &made->array, &local);
    else if (team->rank == 0)
      local.status = zarrc_array_open(store->store, path, &made->array, &local);
    status = zmpi_agree(team, &local, NULL, err);
  }
  if (status == ZARRC_OK)
    status = zmpi_share_array(team, path, NULL, &made->array, err);
  if (status != ZARRC_OK) {
    if (made)
      zarrc_array_close(made->array, NULL);
    free(made);
    free(kept);
    return status;
  }
  team->users++;
  made->team = team;
  made->path = kept;
  made->rank = zarrc_array_rank(made->array);
  made->plain = is_plain(made->array);
  *array = made;
  return ZARRC_OK;
}

zarrc_status zarrc_mpi_array_create(zarrc_mpi_store *store, const char *path,
                                    const zarrc_array_spec *spec, zarrc_mpi_array **array,
                                    zarrc_error *err) {
  return open_array(store, path, spec, 1, array, err);
}

zarrc_status zarrc_mpi_array_open(zarrc_mpi_store *store, const char *path,
                                  zarrc_mpi_array **array, zarrc_error *err) {
  return open_array(store, path, NULL, 0, array, err);
}

zarrc_status zarrc_mpi_array_close(zarrc_mpi_array *array, zarrc_error *err) {
  zarrc_error local = {0};
  if (!array)
    return ZARRC_OK;
  zarrc_array_close(array->array, &local);
  zarrc_status status = zmpi_agree(array->team, &local, NULL, err);
  team_release(array->team);
  free(array->path);
  free(array);
  return status;
}

zarrc_status zarrc_mpi_array_resize(zarrc_mpi_array *array, size_t rank, const uint64_t *shape,
                                    zarrc_error *err) {
  zarrc_error local = {0};
  if (!array)
    return zmpi_fail(err, ZARRC_INVALID_ARGUMENT, "array is NULL");
  /* no rank may have deferred writes when the chunks outside are deleted */
  local.status = zarrc_array_flush(array->array, &local);
  zarrc_status status = zmpi_agree(array->team, &local, NULL, err);
  if (status != ZARRC_OK)
    return status;
  if (array->team->rank == 0) {
    local.status = zarrc_array_resize(array->array, rank, shape, &local);
    /* the others read the shape that is stored */
    if (local.status == ZARRC_OK)
      local.status = zarrc_array_flush(array->array, &local);
  }
  status = zmpi_agree(array->team, &local, NULL, err);
  if (status != ZARRC_OK)
    return status;
  if (array->team->rank != 0)
    local.status = zarrc_array_refresh(array->array, &local);
  return zmpi_agree(array->team, &local, NULL, err);
}

zarrc_status zarrc_mpi_array_set_attribute_json(zarrc_mpi_array *array, const char *key,
                                                const char *json, zarrc_error *err) {
  zarrc_error local = {0};
  if (!array)
    return zmpi_fail(err, ZARRC_INVALID_ARGUMENT, "array is NULL");
  if (array->team->rank == 0)
    local.status =
        zarrc_attributes_set_json(zarrc_array_attributes(array->array), key, json, &local);
  return zmpi_agree(array->team, &local, NULL, err);
}

zarrc_status zarrc_mpi_array_update_attributes(zarrc_mpi_array *array,
                                               const zarrc_attributes *others, zarrc_error *err) {
  zarrc_error local = {0};
  if (!array)
    return zmpi_fail(err, ZARRC_INVALID_ARGUMENT, "array is NULL");
  if (array->team->rank == 0)
    local.status =
        zarrc_attributes_update(zarrc_array_attributes(array->array), others, &local);
  return zmpi_agree(array->team, &local, NULL, err);
}

zarrc_status zarrc_mpi_array_flush(zarrc_mpi_array *array, zarrc_error *err) {
  zarrc_error local = {0};
  if (!array)
    return zmpi_fail(err, ZARRC_INVALID_ARGUMENT, "array is NULL");
  local.status = zarrc_array_flush(array->array, &local);
  return zmpi_agree(array->team, &local, NULL, err);
}

zarrc_array *zarrc_mpi_array_local(zarrc_mpi_array *array) { return array ? array->array : NULL; }
