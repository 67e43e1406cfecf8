/**
 * @file
 * zarrc under MPI: arrays that all ranks of a communicator read and write together.
 *
 *     zarrc_mpi_store *store = NULL;
 *     zarrc_mpi_array *array = NULL;
 *     zarrc_mpi_store_open(MPI_COMM_WORLD, "ocean.zarr", ZARRC_OVERWRITE, NULL, &store, &error);
 *     zarrc_mpi_array_create(store, "temperature", spec, &array, &error);
 *     zarrc_mpi_array_write(array, my_start, my_count, ZARRC_FLOAT32, mine, sizeof mine, &error);
 *     zarrc_mpi_array_close(array, &error);
 *     zarrc_mpi_store_close(store, &error);
 *
 * Rules that hold for every function
 *  - Calls are collective over the communicator that the store was opened with, except
 *    zarrc_mpi_array_local(). Every rank must make them in the same order.
 *  - Every rank gets the same status and the same message. If several ranks fail, it is the status
 *    of the lowest of them; the message begins with "rank N: ". No rank is left waiting.
 *  - After a failed write, each chunk holds its old value or its new one, whole.
 *  - MPI must be initialised, at least with MPI_THREAD_FUNNELED: the library's own threads never
 *    call MPI. One thread of a rank makes the calls.
 *  - Errors of MPI itself are ZARRC_IO with MPI's text, where MPI returns them.
 *
 * How a write is divided
 *    A chunk (a shard, where the array has shards) that one rank alone writes to is written by that
 *    rank, without communication. A chunk that several ranks write to is put together in the memory
 *    of one of them and written once, so no chunk is read, changed and written twice, and what lies
 *    in the store does not depend on the number of ranks. That rank is on the node which has most
 *    of the chunk. Parts travel while the library's threads compress the chunks before them. A rank
 *    needs memory for two such chunks, and takes it for up to eight if they fit into 64 MiB.
 *
 * How a read is divided
 *    A chunk that several ranks of one node want is fetched and decoded by one of them, which sends
 *    the others their parts. Where chunks are not encoded, each rank reads its own part.
 *
 * Selections
 *    The same holds for selections. A rank needs 24 bytes for each element that it selects, and
 *    about 40 bytes for each element that it exchanges at one time: some 260,000, or one chunk.
 */
#ifndef ZARRC_MPI_H
#define ZARRC_MPI_H

#include <mpi.h>
#include <zarrc.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A store that the ranks of a communicator have opened together. */
typedef struct zarrc_mpi_store zarrc_mpi_store;

/** An array that the ranks of a communicator have opened together. */
typedef struct zarrc_mpi_array zarrc_mpi_array;

/**
 * Opens a store on all ranks. The first rank opens it in the given mode, so it creates or deletes
 * once; the others open what it made. `url`, `mode` and `options` must be the same on every rank.
 * A "memory:" store is refused: each rank would have one of its own.
 *
 * @param comm        duplicated; the caller's may be freed.
 * @param url         as for zarrc_store_open().
 * @param options     as for zarrc_store_open(); NULL: the defaults.
 * @param[out] store  close it with zarrc_mpi_store_close().
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: a store of one process only; the statuses of
 *         zarrc_store_open().
 */
zarrc_status zarrc_mpi_store_open(MPI_Comm comm, const char *url, zarrc_mode mode,
                                  const zarrc_options *options, zarrc_mpi_store **store,
                                  zarrc_error *err);

/**
 * Closes a store. Arrays opened from it stay usable. NULL is accepted if every rank passes it.
 *
 * @return ZARRC_OK; the statuses of zarrc_store_close(). The handle is gone in any case.
 */
zarrc_status zarrc_mpi_store_close(zarrc_mpi_store *store, zarrc_error *err);

/**
 * This rank's own handle, for what is not collective. Borrowed: valid until the store is closed.
 * NULL for NULL.
 */
zarrc_store *zarrc_mpi_store_local(zarrc_mpi_store *store);

/**
 * Creates a group (with the groups above it). The first rank does the work.
 *
 * @return the statuses of zarrc_group_create().
 */
zarrc_status zarrc_mpi_group_create(zarrc_mpi_store *store, const char *path, zarrc_format format,
                                    zarrc_error *err);

/**
 * Sets attributes of a group, as zarrc_mpi_array_update_attributes() does.
 *
 * @param path  the group; "" is the root.
 * @return the statuses of zarrc_group_open() and zarrc_attributes_update().
 */
zarrc_status zarrc_mpi_group_update_attributes(zarrc_mpi_store *store, const char *path,
                                               const zarrc_attributes *others, zarrc_error *err);

/**
 * Writes consolidated metadata for a group: one document with those of everything below. The first
 * rank does the work.
 *
 * @param path  a group that has a metadata document; "" is the root.
 * @return the statuses of zarrc_consolidate_metadata().
 */
zarrc_status zarrc_mpi_consolidate_metadata(zarrc_mpi_store *store, const char *path,
                                            zarrc_error *err);

/**
 * Creates an array. The first rank writes the metadata document once and sends it to the others.
 *
 * @param spec        as for zarrc_array_create(); only the first rank's is used.
 * @param[out] array  close it with zarrc_mpi_array_close().
 * @return the statuses of zarrc_array_create().
 */
zarrc_status zarrc_mpi_array_create(zarrc_mpi_store *store, const char *path,
                                    const zarrc_array_spec *spec, zarrc_mpi_array **array,
                                    zarrc_error *err);

/**
 * Opens an array. The first rank reads the metadata document and sends it to the others.
 *
 * @param[out] array  close it with zarrc_mpi_array_close().
 * @return the statuses of zarrc_array_open().
 */
zarrc_status zarrc_mpi_array_open(zarrc_mpi_store *store, const char *path,
                                  zarrc_mpi_array **array, zarrc_error *err);

/**
 * Flushes and closes an array. NULL is accepted if every rank passes it.
 *
 * @return ZARRC_OK; the statuses of zarrc_array_close(). The handle is gone in any case.
 */
zarrc_status zarrc_mpi_array_close(zarrc_mpi_array *array, zarrc_error *err);

/**
 * Writes a box from each rank.
 *
 * Boxes may have any shape and need not be aligned with chunks. They must not overlap: an overlap
 * within one chunk fails with ZARRC_INVALID_ARGUMENT before anything is written.
 *
 * @param start        first element of this rank's box, an index per dimension; NULL: the origin.
 * @param count        extents of this rank's box; NULL: to the end; an extent of 0: this rank writes
 *                     nothing, and `data` may be NULL.
 * @param memory_type  the type of the elements in memory; the same on all ranks whose box has
 *                     elements.
 * @param data         the elements of the box in C order.
 * @param size         the size of `data` (bytes); must match the box.
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: elements of variable length; the statuses of
 *         zarrc_array_write().
 */
zarrc_status zarrc_mpi_array_write(zarrc_mpi_array *array, const uint64_t *start,
                                   const uint64_t *count, zarrc_data_type memory_type,
                                   const void *data, size_t size, zarrc_error *err);

/**
 * Reads a box into each rank's memory. Boxes may overlap. The parameters are those of
 * zarrc_mpi_array_write().
 *
 * @param[out] data  the elements of the box in C order; unspecified after an error.
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: elements of variable length; the statuses of
 *         zarrc_array_read().
 */
zarrc_status zarrc_mpi_array_read(zarrc_mpi_array *array, const uint64_t *start,
                                  const uint64_t *count, zarrc_data_type memory_type, void *data,
                                  size_t size, zarrc_error *err);

/**
 * Writes the elements of a selection from each rank. Of several values for one element, keeps the
 * last of the highest rank that has one.
 *
 * @param selection    made for this rank's handle (zarrc_mpi_array_local()) or another array of the
 *                     same rank and data type, without a field; NULL: this rank writes nothing.
 * @param memory_type  the type of the elements in memory; the same on all ranks that select any.
 * @param data         the elements, in C order of the result.
 * @param size         the size of `data` (bytes); must match the selection.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the array has shrunk below the selection;
 *         ZARRC_UNSUPPORTED: elements of variable length; ZARRC_LIMIT_EXCEEDED: 2^31 elements or
 *         more of one chunk; the statuses of zarrc_array_write_selection(). After an error some
 *         chunks may be written.
 */
zarrc_status zarrc_mpi_array_write_selection(zarrc_mpi_array *array,
                                             const zarrc_selection *selection,
                                             zarrc_data_type memory_type, const void *data,
                                             size_t size, zarrc_error *err);

/**
 * Reads the elements of a selection into each rank's memory. Selections may overlap. The parameters
 * are those of zarrc_mpi_array_write_selection().
 *
 * @param[out] data  the elements, in C order of the result; unspecified after an error.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the array has shrunk below the selection;
 *         ZARRC_UNSUPPORTED: elements of variable length; ZARRC_LIMIT_EXCEEDED: 2^31 elements or
 *         more of one chunk; the statuses of zarrc_array_read_selection().
 */
zarrc_status zarrc_mpi_array_read_selection(zarrc_mpi_array *array,
                                            const zarrc_selection *selection,
                                            zarrc_data_type memory_type, void *data, size_t size,
                                            zarrc_error *err);

/**
 * Appends a block that all ranks write together: the array grows along one dimension once every
 * rank has written its box. A reader sees the old array or the one with the whole block, even if
 * ranks are killed, and other programs may append at the same time, as zarrc_array_append() says.
 * The store must still be open.
 *
 * @param axis         the dimension along which the array grows, from 0; the same on every rank.
 * @param extent       the block's extent along `axis` (elements); the same on every rank.
 * @param start        first element of this rank's box within the block, an index per dimension.
 * @param count        extents of this rank's box; an extent of 0: this rank writes nothing. The boxes
 *                     of all ranks must fill the block and must not overlap.
 * @param memory_type  the type of the elements in memory; the same on all ranks whose box has
 *                     elements.
 * @param data         the elements of the box in C order.
 * @param size         the size of `data` (bytes); must match the box.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: also boxes that leave a part of the block out or
 *         overlap, or another extent on some rank; ZARRC_OUT_OF_BOUNDS: a box exceeds the block;
 *         ZARRC_UNSUPPORTED: elements of variable length; the statuses of zarrc_array_append().
 *         After an error the array has its old extent.
 */
zarrc_status zarrc_mpi_array_append(zarrc_mpi_array *array, size_t axis, uint64_t extent,
                                    const uint64_t *start, const uint64_t *count,
                                    zarrc_data_type memory_type, const void *data, size_t size,
                                    zarrc_error *err);

/**
 * Changes the shape, which must be the same on every rank. The first rank changes the document and
 * deletes what lies outside; the others take over the new shape.
 *
 * @return the statuses of zarrc_array_resize().
 */
zarrc_status zarrc_mpi_array_resize(zarrc_mpi_array *array, size_t rank, const uint64_t *shape,
                                    zarrc_error *err);

/**
 * Sets an attribute of an array to a JSON value. The first rank does the work.
 *
 * @return the statuses of zarrc_attributes_set_json().
 */
zarrc_status zarrc_mpi_array_set_attribute_json(zarrc_mpi_array *array, const char *key,
                                                const char *json, zarrc_error *err);

/**
 * Sets all attributes that are in `others` with one write of the document. The first rank does the
 * work; only its `others` is used. Attributes that are not in `others` stay.
 *
 * @return the statuses of zarrc_attributes_update().
 */
zarrc_status zarrc_mpi_array_update_attributes(zarrc_mpi_array *array,
                                               const zarrc_attributes *others, zarrc_error *err);

/**
 * Writes everything that was put off ("write_buffer") on all ranks.
 *
 * @return the statuses of zarrc_array_flush().
 */
zarrc_status zarrc_mpi_array_flush(zarrc_mpi_array *array, zarrc_error *err);

/**
 * This rank's own handle, for what is not collective, such as reading attributes. Borrowed: valid
 * until the array is closed or resized. NULL for NULL.
 */
zarrc_array *zarrc_mpi_array_local(zarrc_mpi_array *array);

#ifdef __cplusplus
}
#endif
#endif
