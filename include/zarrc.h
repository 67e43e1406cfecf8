/**
 * @file zarrc.h
 * @brief zarrc 0.2: the C API for Zarr arrays.
 *
 *     zarrc_error error;
 *     zarrc_store *store = NULL;
 *     zarrc_array *array = NULL;
 *     float box[10][20];
 *
 *     if (zarrc_store_open("ocean.zarr", ZARRC_READ, NULL, &store, &error) == ZARRC_OK
 *         && zarrc_array_open(store, "temperature", &array, &error) == ZARRC_OK
 *         && zarrc_array_read(array, (uint64_t[]){0, 0}, (uint64_t[]){10, 20},
 *                             ZARRC_FLOAT32, box, sizeof box, &error) == ZARRC_OK)
 *         printf("%g\n", box[0][0]);
 *     else
 *         fprintf(stderr, "%s: %s\n", zarrc_status_name(error.status), error.message);
 *     zarrc_array_close(array, NULL);
 *     zarrc_store_close(store, NULL);
 *
 * That opens a store (a directory, a zip file, a URL), opens an array in it, and reads a box of
 * 10 x 20 elements from the origin on, whatever the array's format, chunks and codecs. The other
 * direction: zarrc_array_spec_new() describes an array, zarrc_array_create() creates it,
 * zarrc_array_write() writes it. Groups (zarrc_group_create()) and attributes
 * (zarrc_array_attributes()) work alike. examples/ has complete programs.
 *
 * Contents
 *  - Handles
 *  - Status and errors
 *  - Data types and formats
 *  - Options
 *  - Progress of long calls
 *  - Stores
 *  - Transactions
 *  - Custom stores
 *  - Attributes as JSON
 *  - Attributes as C values
 *  - Groups and the hierarchy
 *  - Array specifications: the settings of a new array
 *  - Arrays: create, open, close
 *  - Properties of arrays: data type, shape, chunks, names, fill value
 *  - Reading and writing boxes of arrays
 *  - Elements of variable length: strings, byte strings, lists of numbers, JSON
 *  - Changing the shape of an array: append, grow, resize
 *  - Selections: points, lists of indices, masks, blocks, fields
 *  - Reading and writing selections
 *  - Requests: asynchronous reads and writes
 *  - The streaming writer
 *  - Custom codecs
 *  - Inspecting arrays and groups: descriptions, digests, stored chunks
 *  - Conversion between formats
 *  - Copying, moving, consolidating, rechunking, verifying and repairing
 *  - HDF5 files, and references to the values of files
 *
 * Rules for all functions
 *  - Errors: a function that can fail returns zarrc_status and takes `zarrc_error *err` last. It
 *    writes to *err only if it fails; there is no global or per-thread error. Besides the statuses
 *    that it documents, any function may return ZARRC_OUT_OF_MEMORY or ZARRC_INTERNAL, and one
 *    that uses a program's own store or codec the statuses of its callbacks.
 *  - Outputs are written only on success, except where documented otherwise.
 *  - Pointers must not be NULL, except where documented otherwise. A NULL handle, a NULL required
 *    pointer, a wrong rank or an unknown constant fails with ZARRC_INVALID_ARGUMENT, and the
 *    message names the argument.
 *  - Ownership: the caller closes or frees every handle that it receives. close does I/O and can
 *    fail; free cannot; both accept NULL. A handle keeps what it needs alive: a store may be
 *    closed before the arrays opened from it. The caller frees strings received through `char **`
 *    with zarrc_string_free(). What is called "borrowed" must not be freed.
 *  - Threads: any number of threads may use a handle at once, except where its type says
 *    otherwise. No thread may use a handle during or after its close or free.
 *  - Strings are UTF-8 and NUL-terminated.
 *  - Units: extents and indices are uint64_t, counted in elements, slowest dimension first (C
 *    order). Strides are int64_t, in bytes. Sizes of memory are size_t, in bytes. An array has at
 *    most 255 dimensions.
 *  - Memory is in native byte order; stored bytes are swapped as needed.
 *  - Constants are enumerators, passed as int32_t, because the size of a C enum depends on the
 *    compiler.
 *  - The library never aborts the process, never prints and never lets an exception or panic
 *    escape. Its threads block all signals; it installs no signal handlers and starts its threads
 *    on first use.
 *  - fork(): the child may use the handles of its parent and gets a thread pool of its own, except
 *    that it can only read zip files through them, must open dbm files itself, and must not use
 *    the parent's requests. vfork() children may only call exec.
 *
 * `make header` generates this file from src/capi/.
 */
#ifndef ZARRC_H
#define ZARRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ZARRC_VERSION "0.2.0"
#define ZARRC_VERSION_MAJOR 0
#define ZARRC_VERSION_MINOR 2
#define ZARRC_VERSION_PATCH 0
/** The version as one number, for comparisons: 10000 * major + 100 * minor + patch. */
#define ZARRC_VERSION_NUMBER \
  (10000 * ZARRC_VERSION_MAJOR + 100 * ZARRC_VERSION_MINOR + ZARRC_VERSION_PATCH)

/** Marks exported functions. On Windows, define ZARRC_STATIC to link the static library. */
#ifndef ZARRC_API
#if defined(_WIN32) && !defined(ZARRC_STATIC)
#define ZARRC_API __declspec(dllimport)
#elif defined(__GNUC__)
#define ZARRC_API __attribute__((visibility("default")))
#else
#define ZARRC_API
#endif
#endif

/** Marks functions whose status must be checked. Define it as empty to disable the warning. */
#ifndef ZARRC_NODISCARD
#if defined(__GNUC__)
#define ZARRC_NODISCARD __attribute__((warn_unused_result))
#else
#define ZARRC_NODISCARD
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------- */
/** @defgroup handles Handles
 * @{ */

/**
 * Settings for stores, given as strings. zarrc_build_info() and docs/stores.md list all of them:
 * "threads", "follow_symlinks", "sync", "consolidated", "write_empty_chunks", "chunk_cache",
 * "write_buffer", "queue_bytes", "ignore_checksums", "unknown_codecs" and others.
 *
 * One thread at a time may set options; any number of stores may be opened with them.
 */
typedef struct zarrc_options zarrc_options;

/** An open store: values under keys. Any number of threads may use it at once. */
typedef struct zarrc_store zarrc_store;

/**
 * The user attributes of a node: a JSON object.
 *
 * A node owns its attributes: nothing to free. They are read when first used. Each change is
 * written to the current metadata document at once, so that changes by other writers to other
 * attributes stay. Any number of threads may use them at once.
 *
 * In returned JSON, numbers that JSON cannot express are the strings "NaN", "Infinity" and
 * "-Infinity".
 */
typedef struct zarrc_attributes zarrc_attributes;

/** An open group. Any number of threads may use it at once. */
typedef struct zarrc_group zarrc_group;

/** The nodes that a listing found. Immutable: any number of threads may use it at once. */
typedef struct zarrc_listing zarrc_listing;

/**
 * The specification of a new array. Data type and shape are required; chunks (about 1 MiB), fill
 * value (0) and codecs (zstd) have defaults.
 *
 * One thread at a time may set it; any number of arrays may be created from it.
 */
typedef struct zarrc_array_spec zarrc_array_spec;

/**
 * An open array. Any number of threads may read and write it at once. Writes to different elements
 * never disturb each other, even in the same chunk; of two writes to the same element, the last
 * one stays.
 */
typedef struct zarrc_array zarrc_array;

/**
 * Elements of variable length that were read, in C order. Element i is the bytes from offsets[i]
 * to offsets[i + 1] (Arrow's large layout): UTF-8 without a trailing NUL for ZARRC_STRING, the
 * items in native byte order for ZARRC_RAGGED (offsets count bytes), JSON text for ZARRC_JSON.
 *
 * Immutable: any number of threads may use it at once.
 */
typedef struct zarrc_vlen zarrc_vlen;

/**
 * The elements of an array that a call reads or writes, as NumPy's indexing and zarr-python's
 * `oindex` select them.
 *
 * Either each dimension has a selection of its own (a range, an index, a list of indices or a
 * mask), or points or an element mask select single elements. Setting one dimension after points
 * or an element mask resets the other dimensions to all indices. Setting points, an element mask
 * or blocks replaces all earlier settings.
 *
 * The result has one dimension for each range, list and mask, in the array's order; an index drops
 * its dimension. Points and an element mask give a result of one dimension. Indices may repeat and
 * have any order: a read returns the element each time; of several values written to one element,
 * the last in C order stays.
 *
 * One thread at a time may set a selection; then any number of threads may use it for any number
 * of calls. It keeps its array open. If the array shrinks below the selection, calls fail with
 * ZARRC_OUT_OF_BOUNDS.
 */
typedef struct zarrc_selection zarrc_selection;

/**
 * A read or write that runs on the library's threads.
 *
 * Requests of one array whose boxes overlap run in the order in which they were started if one of
 * them writes; other requests run concurrently: as many as there are cores, on a remote store up
 * to as many as the option concurrency says. There they run in the order of the chunks that they
 * begin in, round after round, so that those on one chunk share its request. A selection that is
 * not a box counts as its bounding box.
 * A waiting call (zarrc_array_read() and others) begins after the requests that it overlaps;
 * zarrc_array_flush(), zarrc_array_resize() and zarrc_array_close() wait for all requests of the
 * array.
 *
 * A request keeps its array open, but neither copies nor owns the caller's memory, which must stay
 * valid and untouched until the request is done. With the option queue_copy, a write copies its
 * memory when it is started. The option queue_bytes bounds the memory of all requests of a store;
 * beyond it, starting a request waits, or fails if the option queue_full is "fail".
 *
 * After a fork, the child must not use the parent's requests: testing or waiting fails with
 * ZARRC_INVALID_ARGUMENT.
 */
typedef struct zarrc_request zarrc_request;

/**
 * A streaming writer: writes arrays that grow by steps, such as the frames of a camera or the time
 * steps of a simulation, while others read them.
 *
 * All arrays lie in one group, and their first dimension is the step. Declare them, put the blocks
 * of each step from any thread and in any order, and commit the steps that are complete. Neither
 * waits for the store: the library encodes and stores blocks meanwhile, a chunk or shard once it
 * is full. Only a full queue (option queue_bytes) makes zarrc_writer_put() wait.
 *
 * Readers see whole steps only. A committed step becomes visible once the chunks that hold it are
 * stored, in all arrays: then the writer changes their shapes, those of arrays with one dimension
 * (coordinates) first, and then the group's consolidated metadata, in which they change at once.
 * The writer creates that metadata where the format has it. Chunks of 1 MiB and more (decoded) are
 * stored when they are full, so steps become visible by multiples of their extent; smaller ones
 * are stored again with each change. Elements that were never put read as the fill value.
 *
 * If the process is killed, readers keep the visible steps, and a new writer of the same arrays
 * goes on after them: zarrc_writer_steps() says where. It deletes what the killed one left beyond.
 *
 * One writer at a time may write to a group. Any number of threads may use it at once. The child
 * of a fork must not use it.
 */
typedef struct zarrc_writer zarrc_writer;
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup status Status and errors
 * @{ */

/**
 * The outcome of a call: ZARRC_OK or one of the constants below. Later versions may add constants.
 */
typedef int32_t zarrc_status;
/** The constants of ::zarrc_status. */
enum zarrc_status_constants {
  ZARRC_OK = 0,                /**< Success. */
  ZARRC_INVALID_ARGUMENT = 1,  /**< The caller passed a wrong argument: a NULL, a wrong rank or
                                    size, an unknown constant. The message names the argument. */
  ZARRC_OUT_OF_BOUNDS = 2,     /**< The selection leaves the array, or the range leaves the
                                    value. */
  ZARRC_NOT_FOUND = 3,         /**< The store, node, key or attribute does not exist. */
  ZARRC_ALREADY_EXISTS = 4,    /**< The store, node or name exists already. */
  ZARRC_INVALID_METADATA = 5,  /**< The metadata document breaks its specification. */
  ZARRC_CORRUPT_DATA = 6,      /**< A chunk does not decode to what the metadata describes. */
  ZARRC_UNSUPPORTED = 7,       /**< Valid, but this build, format or store cannot do it. The
                                    message names what is missing. */
  ZARRC_TYPE_MISMATCH = 8,     /**< The types cannot be converted, or a value does not fit the
                                    other type. */
  ZARRC_PERMISSION_DENIED = 9, /**< The store is read-only, or the system denied access. */
  ZARRC_IO = 10,               /**< The file system, network or database failed;
                                    zarrc_error.system_code may say how. */
  ZARRC_CONFLICT = 11,         /**< Another writer kept changing the same value. */
  ZARRC_LIMIT_EXCEEDED = 12,   /**< A limit of size, depth or memory is exceeded. */
  ZARRC_CANCELLED = 13,        /**< The call or request was cancelled. */
  ZARRC_OUT_OF_MEMORY = 14,    /**< The system has no more memory. */
  ZARRC_INTERNAL = 15,         /**< A bug in zarrc, caught before it could harm the caller. */
};

/**
 * Why a call failed. The caller owns it (usually on the stack); nothing to free. Written only if a
 * call fails.
 */
typedef struct zarrc_error {
  /** The status that the call returned. */
  zarrc_status status;
  /** The errno or HTTP status that caused the error; 0 if there is none. */
  int32_t system_code;
  /**
   * One line of UTF-8, NUL-terminated: the store, node, key and chunk concerned, the reason, and
   * a remedy if there is one. A message that is too long is shortened in the middle, marked by
   * an ellipsis. Control characters in names are escaped ("\\n").
   */
  char message[1016];
} zarrc_error;

/**
 * Returns the name of a status, such as "ZARRC_NOT_FOUND".
 *
 * @param status  a status; may be any number.
 * @return a static string, never NULL; "unknown status" if `status` is not a ZARRC_ status.
 * @since 0.1.0
 */
ZARRC_API
const char *zarrc_status_name(zarrc_status status);

/**
 * Returns the version of the loaded library, such as "0.1.0". ZARRC_VERSION is the version of the
 * header that the program was compiled with.
 *
 * @return a static string, never NULL.
 * @since 0.1.0
 */
ZARRC_API
const char *zarrc_version(void);

/**
 * Describes this build as a JSON object: "version", "formats", "codecs" (each with "name",
 * "aliases" and "kind"), "stores" (URL schemes) and "options" (each with "name", "values",
 * "default" and "doc").
 *
 * @param[out] json  receives the JSON text; free it with zarrc_string_free().
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `json` is NULL.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_build_info(char **json, zarrc_error *err);

/**
 * Frees a string that this library returned through a `char **` parameter.
 *
 * @param string  the string; may be NULL.
 * @since 0.1.0
 */
ZARRC_API
void zarrc_string_free(char *string);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup data_type Data types and formats
 * @{ */

/** The data type of elements: one of the constants below. */
typedef int32_t zarrc_data_type;
/** The constants of ::zarrc_data_type. */
enum zarrc_data_type_constants {
  ZARRC_NATIVE = 0,                      /**< In memory only: as stored, in native byte order.
                                              Unused bits of the types of 2, 4 and 6 bits are not
                                              cleared. */
  ZARRC_BOOL = 1,                        /**< One byte, 0 or 1. */
  ZARRC_INT8 = 2,                        /**< int8_t */
  ZARRC_INT16 = 3,                       /**< int16_t */
  ZARRC_INT32 = 4,                       /**< int32_t */
  ZARRC_INT64 = 5,                       /**< int64_t */
  ZARRC_UINT8 = 6,                       /**< uint8_t */
  ZARRC_UINT16 = 7,                      /**< uint16_t */
  ZARRC_UINT32 = 8,                      /**< uint32_t */
  ZARRC_UINT64 = 9,                      /**< uint64_t */
  ZARRC_FLOAT16 = 10,                    /**< IEEE 754 half precision, two bytes. */
  ZARRC_BFLOAT16 = 11,                   /**< The upper half of a float, two bytes. */
  ZARRC_FLOAT32 = 12,                    /**< float */
  ZARRC_FLOAT64 = 13,                    /**< double */
  ZARRC_COMPLEX64 = 14,                  /**< Two floats: real, imaginary. */
  ZARRC_COMPLEX128 = 15,                 /**< Two doubles: real, imaginary. */
  ZARRC_RAW = 16,                        /**< r*, |V*: opaque bytes. */
  ZARRC_FIXED_BYTES = 17,                /**< |S*: NUL-padded bytes. */
  ZARRC_FIXED_UTF32 = 18,                /**< <U*: UCS-4 code units, NUL-padded. */
  ZARRC_DATETIME64 = 19,                 /**< int64_t count of a unit since 1970; INT64_MIN is
                                              "not a time". */
  ZARRC_TIMEDELTA64 = 20,                /**< int64_t count of a unit; INT64_MIN is "not a time". */
  ZARRC_STRUCT = 21,                     /**< Fields without padding, in declared order. */
  ZARRC_STRING = 22,                     /**< Variable-length UTF-8. */
  ZARRC_BYTES = 23,                      /**< Variable-length bytes. */
  ZARRC_RAGGED = 24,                     /**< Variable-length lists of a primitive type. */
  ZARRC_JSON = 25,                       /**< One JSON value per element. */
  ZARRC_INT2 = 26,                       /**< One byte, -2 to 1: only the two lowest bits are
                                              stored. Read sign-extended, as int8_t. */
  ZARRC_INT4 = 27,                       /**< One byte, -8 to 7: only the four lowest bits are
                                              stored. Read sign-extended, as int8_t. */
  ZARRC_UINT2 = 28,                      /**< One byte, 0 to 3: only the two lowest bits are
                                              stored. */
  ZARRC_UINT4 = 29,                      /**< One byte, 0 to 15: only the four lowest bits are
                                              stored. */
  ZARRC_FLOAT4_E2M1FN = 30,              /**< One byte; the low four bits: sign, 2 exponent bits,
                                              1 mantissa bit. All values are finite. */
  ZARRC_FLOAT6_E2M3FN = 31,              /**< One byte; the low six bits: sign, 2 exponent bits,
                                              3 mantissa bits. All values are finite. */
  ZARRC_FLOAT6_E3M2FN = 32,              /**< One byte; the low six bits: sign, 3 exponent bits,
                                              2 mantissa bits. All values are finite. */
  ZARRC_FLOAT8_E3M4 = 33,                /**< One byte, by the rules of IEEE 754. */
  ZARRC_FLOAT8_E4M3 = 34,                /**< One byte, by the rules of IEEE 754. */
  ZARRC_FLOAT8_E4M3B11FNUZ = 35,         /**< One byte, bias 11; no infinities, no -0, 0x80 is
                                              NaN. */
  ZARRC_FLOAT8_E4M3FN = 36,              /**< One byte; no infinities, 0x7f and 0xff are NaN. */
  ZARRC_FLOAT8_E4M3FNUZ = 37,            /**< One byte, bias 8; no infinities, no -0, 0x80 is
                                              NaN. */
  ZARRC_FLOAT8_E5M2 = 38,                /**< One byte, by the rules of IEEE 754. */
  ZARRC_FLOAT8_E5M2FNUZ = 39,            /**< One byte, bias 16; no infinities, no -0, 0x80 is
                                              NaN. */
  ZARRC_FLOAT8_E8M0FNU = 40,             /**< One byte: powers of two from 2^-127; no sign, no 0,
                                              0xff is NaN. */
  ZARRC_COMPLEX_FLOAT16 = 41,            /**< Two float16: real, imaginary. */
  ZARRC_COMPLEX_BFLOAT16 = 42,           /**< Two bfloat16: real, imaginary. */
  ZARRC_COMPLEX_FLOAT4_E2M1FN = 43,      /**< Two ZARRC_FLOAT4_E2M1FN: real, imaginary. */
  ZARRC_COMPLEX_FLOAT6_E2M3FN = 44,      /**< Two ZARRC_FLOAT6_E2M3FN: real, imaginary. */
  ZARRC_COMPLEX_FLOAT6_E3M2FN = 45,      /**< Two ZARRC_FLOAT6_E3M2FN: real, imaginary. */
  ZARRC_COMPLEX_FLOAT8_E3M4 = 46,        /**< Two ZARRC_FLOAT8_E3M4: real, imaginary. */
  ZARRC_COMPLEX_FLOAT8_E4M3 = 47,        /**< Two ZARRC_FLOAT8_E4M3: real, imaginary. */
  ZARRC_COMPLEX_FLOAT8_E4M3B11FNUZ = 48, /**< Two ZARRC_FLOAT8_E4M3B11FNUZ: real, imaginary. */
  ZARRC_COMPLEX_FLOAT8_E4M3FN = 49,      /**< Two ZARRC_FLOAT8_E4M3FN: real, imaginary. */
  ZARRC_COMPLEX_FLOAT8_E4M3FNUZ = 50,    /**< Two ZARRC_FLOAT8_E4M3FNUZ: real, imaginary. */
  ZARRC_COMPLEX_FLOAT8_E5M2 = 51,        /**< Two ZARRC_FLOAT8_E5M2: real, imaginary. */
  ZARRC_COMPLEX_FLOAT8_E5M2FNUZ = 52,    /**< Two ZARRC_FLOAT8_E5M2FNUZ: real, imaginary. */
  ZARRC_COMPLEX_FLOAT8_E8M0FNU = 53,     /**< Two ZARRC_FLOAT8_E8M0FNU: real, imaginary. */
};

/** A storage format: one of the constants below. */
typedef int32_t zarrc_format;
/** The constants of ::zarrc_format. */
enum zarrc_format_constants {
  ZARRC_FORMAT_ANY = 0,     /**< Opening: any format. Creating: the parent group's format, else
                                 Zarr v3. */
  ZARRC_FORMAT_V1 = 1,      /**< Zarr v1. */
  ZARRC_FORMAT_V2 = 2,      /**< Zarr v2. */
  ZARRC_FORMAT_V3 = 3,      /**< Zarr v3: the final specification, 3.0 and 3.1. */
  ZARRC_FORMAT_N5 = 4,      /**< N5. */
  ZARRC_FORMAT_V3_2019 = 5, /**< The v3 draft of 2019. */
  ZARRC_FORMAT_V3_2020 = 6, /**< The v3 draft of 2020. */
  ZARRC_FORMAT_V3_2022 = 7, /**< The v3 draft of 2022. */
};

/**
 * Returns the name of a data type: its constant's name in lower case, such as "float32".
 *
 * @param data_type  a data type; may be any number.
 * @return a static string; NULL if `data_type` is not a ZARRC_ data type.
 * @since 0.2.0
 */
ZARRC_API
const char *zarrc_data_type_name(zarrc_data_type data_type);

/**
 * Returns the size of one element in memory.
 *
 * @param data_type  a data type; may be any number.
 * @return the size (bytes). 0 for variable-length types, for types whose size depends on
 *         parameters (ZARRC_RAW, ZARRC_FIXED_BYTES, ZARRC_FIXED_UTF32, ZARRC_STRUCT: use
 *         zarrc_array_element_size()), for ZARRC_NATIVE and for unknown numbers.
 * @since 0.2.0
 */
ZARRC_API
size_t zarrc_data_type_size(zarrc_data_type data_type);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup options Options
 * @{ */

/**
 * Creates options with every setting at its default.
 *
 * @return the options; free them with zarrc_options_free(). NULL if memory is exhausted.
 * @since 0.1.0
 */
ZARRC_API
zarrc_options *zarrc_options_new(void);

/**
 * Sets one option. zarrc_build_info() and docs/stores.md list names, values and defaults.
 *
 * @param options  the options to change.
 * @param name     the option's name.
 * @param value    its value, as text.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: the option does not exist (the message suggests the
 *         nearest name) or does not accept the value (the message lists the accepted ones).
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_options_set(zarrc_options *options,
                               const char *name,
                               const char *value,
                               zarrc_error *err);

/**
 * Frees options. Stores that were opened with them are not affected.
 *
 * @param options  the options; may be NULL.
 * @since 0.1.0
 */
ZARRC_API
void zarrc_options_free(zarrc_options *options);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup progress Progress of long calls
 * @{ */

/**
 * Receives reports of a long call.
 *
 * zarrc calls it after each chunk or node, from any thread, never from two at once. It must not
 * use the handles that the call works on, and must not throw or longjmp.
 *
 * @param user  the pointer given with the callback.
 * @param done  the fraction done, 0 to 1; never decreases.
 * @param what  what was done last, for people; valid during the call.
 * @return true to continue; false to cancel the call, which then returns ZARRC_CANCELLED.
 */
typedef bool (*zarrc_progress)(void *user, double done, const char *what);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup store Stores
 * @{ */

/** How to open a store: one of the constants below. */
typedef int32_t zarrc_mode;
/** The constants of ::zarrc_mode. */
enum zarrc_mode_constants {
  ZARRC_READ = 0,       /**< Read only; the store must exist (h5py "r"). */
  ZARRC_READ_WRITE = 1, /**< Read and write; the store must exist (h5py "r+"). */
  ZARRC_APPEND = 2,     /**< Read and write; creates a missing store (h5py "a"). */
  ZARRC_CREATE = 3,     /**< Creates a store; it must not exist (h5py "w-"). */
  ZARRC_OVERWRITE = 4,  /**< Creates a store; deletes an existing one first (h5py "w"). */
};

/**
 * Opens a store.
 *
 * A URL is a path ("data/run1.zarr", absolute or relative), "file:PATH", "file:///absolute/path"
 * (percent-encoded), "memory:" (a new store), "memory:NAME" (shared within the process while a
 * handle is open) or has another scheme such as "s3:" or "https:". A path may also name a file:
 * zip files and SQLite databases are recognised by their content. Adapters follow a pipe:
 * "data/x.zip|zip:a/b". docs/stores.md lists all schemes and adapters.
 *
 * @param url         where the store is.
 * @param mode        a ZARRC_ mode, such as ZARRC_READ.
 * @param options     settings for the store and everything opened from it; NULL: the defaults.
 *                    Copied: may be freed after the call.
 * @param[out] store  receives the store; close it with zarrc_store_close().
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the mode requires an existing store; ZARRC_ALREADY_EXISTS:
 *         the mode requires a new store, or ZARRC_OVERWRITE would delete a directory that is not a
 *         Zarr store; ZARRC_UNSUPPORTED: this build lacks the scheme; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_store_open(const char *url,
                              zarrc_mode mode,
                              const zarrc_options *options,
                              zarrc_store **store,
                              zarrc_error *err);

/**
 * Closes a store. Nodes opened from it remain usable. The handle is invalid after the call, even
 * if the call fails.
 *
 * @param store  the store; may be NULL.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_IO or ZARRC_CONFLICT: a deferred write failed, such as the directory of
 *         a zip file.
 * @since 0.1.0
 */
ZARRC_API
zarrc_status zarrc_store_close(zarrc_store *store,
                               zarrc_error *err);

/**
 * Reads the value of a key, as stored.
 *
 * @param store       the store.
 * @param key         segments joined by "/"; no segment may be empty, "." or "..".
 * @param[out] value  receives the value; free it with zarrc_value_free().
 * @param[out] size   receives its length (bytes).
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the key does not exist; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_OUT_OF_MEMORY; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_store_get(const zarrc_store *store,
                             const char *key,
                             uint8_t **value,
                             size_t *size,
                             zarrc_error *err);

/**
 * Reads a byte range of the value of a key: at most `length` bytes, fewer if the value ends
 * earlier.
 *
 * @param store       the store.
 * @param key         segments joined by "/"; no segment may be empty, "." or "..".
 * @param offset      where the range starts (bytes).
 * @param length      the length of the range (bytes); UINT64_MAX: to the end of the value.
 * @param[out] value  receives the bytes; free them with zarrc_value_free().
 * @param[out] size   receives their number.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the key does not exist; ZARRC_OUT_OF_BOUNDS: `offset` lies
 *         beyond the end of the value; ZARRC_INVALID_ARGUMENT; ZARRC_OUT_OF_MEMORY;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_store_get_range(const zarrc_store *store,
                                   const char *key,
                                   uint64_t offset,
                                   uint64_t length,
                                   uint8_t **value,
                                   size_t *size,
                                   zarrc_error *err);

/**
 * Sets the value of a key atomically: readers see the old value or the new one, also after a crash
 * of this process.
 *
 * @param store  the store.
 * @param key    segments joined by "/"; no segment may be empty, "." or "..".
 * @param value  the new value; may be NULL if `size` is 0.
 * @param size   its length (bytes).
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED: also a store opened with
 *         ZARRC_READ; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_store_set(zarrc_store *store,
                             const char *key,
                             const void *value,
                             size_t size,
                             zarrc_error *err);

/**
 * Deletes a key and its value.
 *
 * @param store  the store.
 * @param key    segments joined by "/"; no segment may be empty, "." or "..".
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the key does not exist; ZARRC_UNSUPPORTED: the store cannot
 *         delete; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_store_erase(zarrc_store *store,
                               const char *key,
                               zarrc_error *err);

/**
 * Deletes every key that begins with a prefix. Succeeds if there are none.
 *
 * @param store   the store.
 * @param prefix  must end in "/", or be empty to delete all keys.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: the store cannot list or delete; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_store_erase_prefix(zarrc_store *store, const char *prefix, zarrc_error *err);

/**
 * Drops what the store caches of the values whose keys begin with a prefix, so that they are read
 * again: values that a caching adapter (cache:, simplecache:) holds, and consolidated metadata.
 *
 * @param store   the store.
 * @param prefix  must end in "/", or be empty for all keys.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_store_forget(zarrc_store *store,
                                const char *prefix,
                                zarrc_error *err);

/**
 * Frees a value that zarrc_store_get() or zarrc_store_get_range() returned.
 *
 * @param value  the value; may be NULL.
 * @param size   its length (bytes), as returned with it.
 * @since 0.1.0
 */
ZARRC_API
void zarrc_value_free(uint8_t *value, size_t size);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup transaction Transactions
 * @{ */

/**
 * Begins a transaction: changes of any number of arrays, groups and attributes that others see all
 * at once, or never.
 *
 * A transaction is a store handle of its own. Open and create nodes with it, as with any store,
 * then call zarrc_store_commit(). Until then only this handle sees its changes, and it sees those
 * of others only in keys that it has not used yet. If the process is killed, the store has its old
 * contents, or after the commit the new ones.
 *
 * A transaction locks nothing. zarrc_store_commit() fails with ZARRC_CONFLICT if others changed a
 * chunk or document that the transaction read or changed; then close it and begin again:
 *
 * @code
 * do {
 *   zarrc_store_begin(store, &transaction, &error);
 *   ... open its arrays, read, write, close them ...
 *   status = zarrc_store_commit(transaction, "day 7", &error);
 *   zarrc_store_close(transaction, NULL);
 * } while (status == ZARRC_CONFLICT);
 * @endcode
 *
 * - Icechunk: a session on the newest snapshot of the branch, which all of the transaction reads;
 *   a commit is one snapshot. Chunks are stored as they are written, and belong to nothing without
 *   the commit. Changes of others are a conflict only if both changed the same chunk or node;
 *   reads are not compared. Changes of `store` that are not flushed are not in it.
 * - SQLite, LMDB, zip and memory stores: changes stay in memory until the commit, so they must fit
 *   there. Each key is read in the version in which it was first used; if that is gone, the read
 *   fails with ZARRC_CONFLICT. Nodes that others created are not compared, only those looked up.
 * - Other stores cannot change several keys at once.
 *
 * The options write_buffer and overwrite have no effect in a transaction.
 *
 * @param store             the store, open for writing. It remains usable, and may be closed first.
 * @param[out] transaction  receives the transaction; close it with zarrc_store_close(), which rolls
 *                          back what was not committed.
 * @param[out] err          receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: the store has no transactions; ZARRC_INVALID_ARGUMENT: also
 *         a transaction; ZARRC_PERMISSION_DENIED: the store is open read-only, or shows a tag or
 *         snapshot; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_store_begin(zarrc_store *store,
                               zarrc_store **transaction,
                               zarrc_error *err);

/**
 * Commits a transaction: all its changes become visible at once. Close its arrays or wait for their
 * requests first. Afterwards the transaction and nodes opened from it can only be closed.
 *
 * @param transaction  the transaction.
 * @param message      what Icechunk writes into its history; NULL: the option commit_message.
 *                     Other stores keep no history.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK, also if nothing was changed; ZARRC_CONFLICT: others changed what this
 *         transaction read or changed, and nothing was written: it remains open, but only for
 *         zarrc_store_rollback(); ZARRC_INVALID_ARGUMENT: not a transaction, or one that has ended;
 *         ZARRC_OUT_OF_MEMORY; ZARRC_LIMIT_EXCEEDED: an LMDB environment is full; ZARRC_IO: nothing
 *         was committed, and another attempt may succeed.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_store_commit(zarrc_store *transaction,
                                const char *message,
                                zarrc_error *err);

/**
 * Ends a transaction without its changes. Afterwards it and nodes opened from it can only be
 * closed.
 *
 * @param transaction  the transaction; one that has ended is left as it is.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: not a transaction.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_store_rollback(zarrc_store *transaction, zarrc_error *err);

/**
 * Returns the snapshot that a handle of an Icechunk repository shows; of a handle with changes, the
 * one that they are based on; after a commit, the new one. Open it later with "@SNAPSHOT" in the
 * URL or the option snapshot.
 *
 * @param store          the store, or a transaction.
 * @param[out] snapshot  receives the snapshot's name; free it with zarrc_string_free().
 * @param[out] err       receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: the store has no snapshots; ZARRC_INVALID_ARGUMENT.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_store_snapshot(const zarrc_store *store,
                                  char **snapshot,
                                  zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup callbacks Custom stores
 * @{ */

/**
 * Appends bytes to the value that a callback returns. Provided by zarrc.
 *
 * @param to     the pointer that the callback received.
 * @param bytes  the bytes. Copied.
 * @param size   their number.
 * @return true; false if memory is exhausted: the callback may then return any status.
 */
typedef bool (*zarrc_give_bytes)(void *to, const void *bytes, size_t size);

/**
 * Adds a key to the list that a callback returns. Provided by zarrc.
 *
 * @param to   the pointer that the callback received.
 * @param key  the key. Copied.
 * @return true to continue; false if no more keys are needed.
 */
typedef bool (*zarrc_give_key)(void *to, const char *key);

/**
 * The functions of a store that the program implements. Zero the struct, then set `size`, `get`
 * and whatever else the store supports. A NULL member is emulated with the other callbacks where
 * possible: `get` alone makes a read-only store.
 *
 * zarrc passes `user` to each callback, and calls them from any number of threads at once, the
 * program's and its own. Keys are valid: segments joined by "/", none of them empty, "." or "..".
 * A callback returns ZARRC_OK, ZARRC_NOT_FOUND if the key does not exist, or another status, for
 * which it may fill `err->message` and `err->system_code`; the message becomes part of the
 * caller's error. A callback must not throw, longjmp or call zarrc functions on the same store.
 */
typedef struct zarrc_store_callbacks {
  /**
   * sizeof(zarrc_store_callbacks) in the header that the program was compiled with. Later
   * members are NULL.
   */
  size_t size;
  /** Passed to every callback. */
  void *user;
  /** The store's name in messages; NULL: "a store of the program". Copied. */
  const char *name;
  /**
   * How many calls may run at once, for stores that wait for a network; 0: the number of
   * threads.
   */
  size_t concurrency;
  /**
   * Frees `user`. Called once, when the last handle that uses the store is closed. May be NULL.
   */
  void (*destroy)(void *user);
  /**
   * Reads the whole value of `key` and passes it to give(to, bytes, size), in one or several
   * pieces. Required.
   */
  zarrc_status (*get)(void *user,
                      const char *key,
                      zarrc_give_bytes give,
                      void *to,
                      zarrc_error *err);
  /**
   * Returns the length of the value (bytes), and a version number that changes whenever the
   * value is set. NULL: zarrc reads and hashes the value instead, and always reads values whole.
   */
  zarrc_status (*stat)(void *user,
                       const char *key,
                       uint64_t *length,
                       uint64_t *version,
                       zarrc_error *err);
  /**
   * Reads `length` bytes of the value from `offset` on; the range lies within the length that
   * `stat` returned. Used only if `stat` is set. NULL: zarrc uses `get`.
   */
  zarrc_status (*get_range)(void *user,
                            const char *key,
                            uint64_t offset,
                            uint64_t length,
                            zarrc_give_bytes give,
                            void *to,
                            zarrc_error *err);
  /**
   * Replaces the value of `key` atomically: a concurrent `get` sees the old or the new value.
   * NULL: the store is read-only.
   */
  zarrc_status (*set)(void *user,
                      const char *key,
                      const void *value,
                      size_t size,
                      zarrc_error *err);
  /** Deletes `key`. NULL: deleting fails with ZARRC_UNSUPPORTED. */
  zarrc_status (*erase)(void *user, const char *key, zarrc_error *err);
  /**
   * Passes every key that begins with `prefix` to give(to, key), in any order. NULL: groups
   * cannot be listed or deleted.
   */
  zarrc_status (*list)(void *user,
                       const char *prefix,
                       zarrc_give_key give,
                       void *to,
                       zarrc_error *err);
  /** Completes deferred writes. Called when the store is closed or flushed. May be NULL. */
  zarrc_status (*flush)(void *user, zarrc_error *err);
} zarrc_store_callbacks;

/**
 * Creates a store from functions of the program. The modes of zarrc_store_open() do not apply.
 *
 * @param callbacks   the functions. Copied; `user` must live until `destroy` is called.
 * @param options     settings for the store and everything opened from it; NULL: the defaults.
 *                    Copied.
 * @param[out] store  receives the store; close it with zarrc_store_close().
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `get` is NULL, or `size` is not the size of this
 *         struct in any version of this header. `destroy` is not called in that case.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_store_from_callbacks(const zarrc_store_callbacks *callbacks,
                                        const zarrc_options *options,
                                        zarrc_store **store,
                                        zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup attributes Attributes as JSON
 * @{ */

/**
 * Returns all attributes as a JSON object.
 *
 * @param attributes  the attributes.
 * @param[out] json   receives the JSON text; free it with zarrc_string_free().
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_METADATA: the metadata document is damaged;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_json(const zarrc_attributes *attributes,
                                   char **json,
                                   zarrc_error *err);

/**
 * Replaces all attributes with one write of the metadata document.
 *
 * @param attributes  the attributes to replace.
 * @param json        a JSON object.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `json` is not a JSON object; ZARRC_NOT_FOUND: the node
 *         no longer exists; ZARRC_CONFLICT: other writers kept changing the document;
 *         ZARRC_INVALID_METADATA: the document is damaged; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_replace_json(zarrc_attributes *attributes,
                                           const char *json,
                                           zarrc_error *err);

/**
 * Returns the value of one attribute as JSON.
 *
 * @param attributes  the attributes.
 * @param key         the attribute's name.
 * @param[out] json   receives the JSON text; free it with zarrc_string_free().
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute does not exist; ZARRC_INVALID_METADATA: the
 *         metadata document is damaged; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_get_json(const zarrc_attributes *attributes,
                                       const char *key,
                                       char **json,
                                       zarrc_error *err);

/**
 * Sets one attribute to a JSON value.
 *
 * @param attributes  the attributes to change.
 * @param key         the attribute's name.
 * @param json        any JSON value.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `json` is not JSON; ZARRC_NOT_FOUND: the node no
 *         longer exists; ZARRC_CONFLICT: other writers kept changing the document;
 *         ZARRC_INVALID_METADATA: the document is damaged; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_set_json(zarrc_attributes *attributes,
                                       const char *key,
                                       const char *json,
                                       zarrc_error *err);

/**
 * Counts the attributes.
 *
 * @param attributes  the attributes.
 * @param[out] count  receives their number.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_METADATA: the metadata document is damaged;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_count(const zarrc_attributes *attributes,
                                    size_t *count,
                                    zarrc_error *err);

/**
 * Returns the name of an attribute by its position. Names are in the order of the document.
 *
 * @param attributes  the attributes.
 * @param index       the position, from 0; less than zarrc_attributes_count() returns.
 * @param[out] name   receives the name; free it with zarrc_string_free().
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: there are no more than `index` attributes;
 *         ZARRC_TYPE_MISMATCH: the name contains a NUL character; ZARRC_INVALID_METADATA: the
 *         metadata document is damaged; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_name(const zarrc_attributes *attributes,
                                   size_t index,
                                   char **name,
                                   zarrc_error *err);

/**
 * Creates attributes that belong to no node and live in memory. Fill them with the
 * zarrc_attributes_set_ functions, then write all of them to a node at once with
 * zarrc_attributes_update(), or create an array with them by zarrc_array_spec_set_attributes().
 *
 * @param[out] attributes  receives the attributes; free them with zarrc_attributes_free().
 * @param[out] err         receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `attributes` is NULL.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_new(zarrc_attributes **attributes, zarrc_error *err);

/**
 * Frees attributes that zarrc_attributes_new() created. The attributes of a node are freed with
 * the node and must not be passed.
 *
 * @param attributes  the attributes; may be NULL.
 * @since 0.2.0
 */
ZARRC_API
void zarrc_attributes_free(zarrc_attributes *attributes);

/**
 * Sets all attributes that are in `others` with one write of the metadata document. Attributes
 * that are not in `others` stay.
 *
 * @param attributes  the attributes to change.
 * @param others      the attributes to set; may belong to another node or to none.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
 *         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_update(zarrc_attributes *attributes,
                                     const zarrc_attributes *others,
                                     zarrc_error *err);

/**
 * Deletes one attribute.
 *
 * @param attributes  the attributes to change.
 * @param key         the attribute's name.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute or the node does not exist; ZARRC_CONFLICT:
 *         other writers kept changing the document; ZARRC_INVALID_METADATA: the document is
 *         damaged; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_delete(zarrc_attributes *attributes,
                                     const char *key,
                                     zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup attribute_values Attributes as C values
 * @{ */

/** The kind of an attribute: one of the constants below. */
typedef int32_t zarrc_attribute_kind;
/** The constants of ::zarrc_attribute_kind. */
enum zarrc_attribute_kind_constants {
  ZARRC_ATTRIBUTE_NULL = 0,     /**< null. */
  ZARRC_ATTRIBUTE_BOOL = 1,     /**< true or false: zarrc_attributes_get_bool(). */
  ZARRC_ATTRIBUTE_INTEGER = 2,  /**< An integer that fits into 64 bits:
                                     zarrc_attributes_get_int64(). */
  ZARRC_ATTRIBUTE_NUMBER = 3,   /**< Any other number: zarrc_attributes_get_double(). */
  ZARRC_ATTRIBUTE_STRING = 4,   /**< A string: zarrc_attributes_get_string(). */
  ZARRC_ATTRIBUTE_INTEGERS = 5, /**< A list of integers that fit into 64 bits:
                                     zarrc_attributes_get_int64s(). */
  ZARRC_ATTRIBUTE_NUMBERS = 6,  /**< A list of numbers: zarrc_attributes_get_doubles(). */
  ZARRC_ATTRIBUTE_STRINGS = 7,  /**< A list of strings: zarrc_attributes_get_string_at(). */
  ZARRC_ATTRIBUTE_LIST = 8,     /**< Any other list, or an empty one:
                                     zarrc_attributes_get_json(). */
  ZARRC_ATTRIBUTE_OBJECT = 9,   /**< An object: zarrc_attributes_get_json(). */
};

/**
 * Reads an attribute that is a number. The strings "NaN", "Infinity" and "-Infinity" are read as
 * numbers, and so is the Base64 of a double in _FillValue, which Zarr v3 uses there for floats.
 *
 * @param attributes  the attributes.
 * @param key         the attribute's name.
 * @param[out] value  receives the number.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute does not exist; ZARRC_TYPE_MISMATCH: it is not
 *         a number; ZARRC_INVALID_METADATA: the metadata document is damaged;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_get_double(const zarrc_attributes *attributes,
                                         const char *key,
                                         double *value,
                                         zarrc_error *err);

/**
 * Sets one attribute to a number. NaN and infinities are stored as the strings "NaN", "Infinity"
 * and "-Infinity". The attribute _FillValue of a float array of Zarr v3 is stored as the Base64 of
 * a double, because xarray reads no number there.
 *
 * @param attributes  the attributes to change.
 * @param key         the attribute's name.
 * @param value       the number.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
 *         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_set_double(zarrc_attributes *attributes,
                                         const char *key,
                                         double value,
                                         zarrc_error *err);

/**
 * Sets one attribute to a single-precision number, stored as the shortest decimal text that reads
 * back as the same float: 0.1f is stored as 0.1, not as 0.10000000149011612. NaN, infinities and
 * _FillValue are stored as zarrc_attributes_set_double() stores them.
 *
 * @param attributes  the attributes to change.
 * @param key         the attribute's name.
 * @param value       the number.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
 *         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_set_float(zarrc_attributes *attributes,
                                        const char *key,
                                        float value,
                                        zarrc_error *err);

/**
 * Reads an attribute that is an integer. Numbers such as 2.0 or 1e3, which other writers store for
 * integers, are integers too.
 *
 * @param attributes  the attributes.
 * @param key         the attribute's name.
 * @param[out] value  receives the integer.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute does not exist; ZARRC_TYPE_MISMATCH: it is not
 *         an integer, or does not fit into 64 bits; ZARRC_INVALID_METADATA: the metadata document
 *         is damaged; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_get_int64(const zarrc_attributes *attributes,
                                        const char *key,
                                        int64_t *value,
                                        zarrc_error *err);

/**
 * Sets one attribute to an integer.
 *
 * @param attributes  the attributes to change.
 * @param key         the attribute's name.
 * @param value       the integer.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
 *         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_set_int64(zarrc_attributes *attributes,
                                        const char *key,
                                        int64_t value,
                                        zarrc_error *err);

/**
 * Reads an attribute that is a string.
 *
 * @param attributes  the attributes.
 * @param key         the attribute's name.
 * @param[out] value  receives the string (UTF-8); free it with zarrc_string_free().
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute does not exist; ZARRC_TYPE_MISMATCH: it is not
 *         a string, or contains a NUL character; ZARRC_INVALID_METADATA: the metadata document is
 *         damaged; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_get_string(const zarrc_attributes *attributes,
                                         const char *key,
                                         char **value,
                                         zarrc_error *err);

/**
 * Sets one attribute to a string.
 *
 * @param attributes  the attributes to change.
 * @param key         the attribute's name.
 * @param value       the string (UTF-8).
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
 *         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_set_string(zarrc_attributes *attributes,
                                         const char *key,
                                         const char *value,
                                         zarrc_error *err);

/**
 * Reads an attribute that is a list of numbers. A single number is a list of one; "NaN",
 * "Infinity" and "-Infinity" are numbers.
 *
 * @param attributes   the attributes.
 * @param key          the attribute's name.
 * @param capacity     how many elements `values` can hold; 0 to read only the count.
 * @param[out] values  receives the first `capacity` elements; may be NULL if `capacity` is 0.
 * @param[out] count   receives the length of the list, which may exceed `capacity`.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute does not exist; ZARRC_TYPE_MISMATCH: an element
 *         is not a number; ZARRC_INVALID_METADATA: the metadata document is damaged;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_get_doubles(const zarrc_attributes *attributes,
                                          const char *key,
                                          size_t capacity,
                                          double *values,
                                          size_t *count,
                                          zarrc_error *err);

/**
 * Sets one attribute to a list of numbers. NaN and infinities are stored as the strings "NaN",
 * "Infinity" and "-Infinity".
 *
 * @param attributes  the attributes to change.
 * @param key         the attribute's name.
 * @param count       the length of the list; may be 0.
 * @param values      `count` numbers; may be NULL if `count` is 0.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
 *         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_set_doubles(zarrc_attributes *attributes,
                                          const char *key,
                                          size_t count,
                                          const double *values,
                                          zarrc_error *err);

/**
 * Reads an attribute that is a list of integers. A single integer is a list of one; 2.0 is an
 * integer.
 *
 * @param attributes   the attributes.
 * @param key          the attribute's name.
 * @param capacity     how many elements `values` can hold; 0 to read only the count.
 * @param[out] values  receives the first `capacity` elements; may be NULL if `capacity` is 0.
 * @param[out] count   receives the length of the list, which may exceed `capacity`.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute does not exist; ZARRC_TYPE_MISMATCH: an element
 *         is not an integer of 64 bits; ZARRC_INVALID_METADATA: the metadata document is damaged;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_get_int64s(const zarrc_attributes *attributes,
                                         const char *key,
                                         size_t capacity,
                                         int64_t *values,
                                         size_t *count,
                                         zarrc_error *err);

/**
 * Sets one attribute to a list of integers.
 *
 * @param attributes  the attributes to change.
 * @param key         the attribute's name.
 * @param count       the length of the list; may be 0.
 * @param values      `count` integers; may be NULL if `count` is 0.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
 *         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_set_int64s(zarrc_attributes *attributes,
                                         const char *key,
                                         size_t count,
                                         const int64_t *values,
                                         zarrc_error *err);

/**
 * Reads one element of an attribute that is a list of strings. A single string is a list of one.
 * zarrc_attributes_kind() returns the length of the list.
 *
 * @param attributes  the attributes.
 * @param key         the attribute's name.
 * @param index       the position in the list, from 0.
 * @param[out] value  receives the string (UTF-8); free it with zarrc_string_free().
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute does not exist; ZARRC_OUT_OF_BOUNDS: the list
 *         has no more than `index` elements; ZARRC_TYPE_MISMATCH: the element is not a string, or
 *         contains a NUL character; ZARRC_INVALID_METADATA: the metadata document is damaged;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_get_string_at(const zarrc_attributes *attributes,
                                            const char *key,
                                            size_t index,
                                            char **value,
                                            zarrc_error *err);

/**
 * Sets one attribute to a list of strings.
 *
 * @param attributes  the attributes to change.
 * @param key         the attribute's name.
 * @param count       the length of the list; may be 0.
 * @param values      `count` strings (UTF-8), each of them required; may be NULL if `count` is 0.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
 *         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_set_strings(zarrc_attributes *attributes,
                                          const char *key,
                                          size_t count,
                                          const char *const *values,
                                          zarrc_error *err);

/**
 * Reads an attribute that is true or false.
 *
 * @param attributes  the attributes.
 * @param key         the attribute's name.
 * @param[out] value  receives the boolean.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute does not exist; ZARRC_TYPE_MISMATCH: it is not
 *         a boolean; ZARRC_INVALID_METADATA: the metadata document is damaged;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_get_bool(const zarrc_attributes *attributes,
                                       const char *key,
                                       bool *value,
                                       zarrc_error *err);

/**
 * Sets one attribute to true or false.
 *
 * @param attributes  the attributes to change.
 * @param key         the attribute's name.
 * @param value       the boolean.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
 *         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_set_bool(zarrc_attributes *attributes,
                                       const char *key,
                                       bool value,
                                       zarrc_error *err);

/**
 * Sets one attribute to null.
 *
 * @param attributes  the attributes to change.
 * @param key         the attribute's name.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the node no longer exists; ZARRC_CONFLICT: other writers kept
 *         changing the document; ZARRC_INVALID_METADATA: the document is damaged;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_set_null(zarrc_attributes *attributes,
                                       const char *key,
                                       zarrc_error *err);

/**
 * Returns the kind of an attribute, and its length.
 *
 * @param attributes  the attributes.
 * @param key         the attribute's name.
 * @param[out] kind   receives a ZARRC_ATTRIBUTE_ constant. May be NULL.
 * @param[out] count  receives the length of a list, the number of members of an object, else 1.
 *                    May be NULL.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the attribute does not exist; ZARRC_INVALID_METADATA: the
 *         metadata document is damaged; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_kind(const zarrc_attributes *attributes,
                                   const char *key,
                                   zarrc_attribute_kind *kind,
                                   size_t *count,
                                   zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup group Groups and the hierarchy
 * @{ */

/** The kind of a node: one of the constants below. */
typedef int32_t zarrc_node_kind;
/** The constants of ::zarrc_node_kind. */
enum zarrc_node_kind_constants {
  ZARRC_NODE_NONE = 0,  /**< No node. In a listing: a node whose document cannot be read. */
  ZARRC_NODE_GROUP = 1, /**< A group. */
  ZARRC_NODE_ARRAY = 2, /**< An array. */
};

/**
 * Returns the kind of the node at a path. A path that only has nodes below it is a group.
 *
 * @param store      the store.
 * @param path       "" and "/" are the root; "a/b", "/a/b" and "a/b/" are the same node.
 * @param[out] kind  receives a ZARRC_NODE_ constant; ZARRC_NODE_NONE if there is no node.
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK, also if there is no node; ZARRC_INVALID_ARGUMENT: also a path with a segment
 *         "." or ".."; ZARRC_INVALID_METADATA; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_node_kind_at(const zarrc_store *store,
                                const char *path,
                                zarrc_node_kind *kind,
                                zarrc_error *err);

/**
 * Opens a group.
 *
 * @param store       the store. The group keeps it open.
 * @param path        the group's path; "" is the root.
 * @param[out] group  receives the group; close it with zarrc_group_close().
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is no group (the message names the keys that were
 *         tried); ZARRC_INVALID_METADATA; ZARRC_UNSUPPORTED: the document requires an extension
 *         that this build lacks; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_group_open(zarrc_store *store,
                              const char *path,
                              zarrc_group **group,
                              zarrc_error *err);

/**
 * Creates a group and opens it. Creates missing parent groups too.
 *
 * @param store       the store. The group keeps it open.
 * @param path        the group's path; "" is the root.
 * @param format      a ZARRC_FORMAT_ constant; ZARRC_FORMAT_ANY: the parent group's format, else
 *                    Zarr v3.
 * @param[out] group  receives the group; close it with zarrc_group_close().
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is a node at `path`; ZARRC_INVALID_ARGUMENT: the
 *         format does not allow the name, or a parent is an array; ZARRC_UNSUPPORTED: this build
 *         lacks the format; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_group_create(zarrc_store *store,
                                const char *path,
                                zarrc_format format,
                                zarrc_group **group,
                                zarrc_error *err);

/**
 * Opens a group, or creates it (and missing parent groups) if there is no node.
 *
 * @param store       the store. The group keeps it open.
 * @param path        the group's path; "" is the root.
 * @param format      of a new group: a ZARRC_FORMAT_ constant; ZARRC_FORMAT_ANY: the parent
 *                    group's format, else Zarr v3.
 * @param[out] group  receives the group; close it with zarrc_group_close().
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is an array at `path`; ZARRC_INVALID_ARGUMENT: the
 *         format does not allow the name, or a parent is an array; ZARRC_INVALID_METADATA;
 *         ZARRC_UNSUPPORTED; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_group_require(zarrc_store *store,
                                 const char *path,
                                 zarrc_format format,
                                 zarrc_group **group,
                                 zarrc_error *err);

/**
 * Creates an empty group in place of any node at a path. Deletes that node and everything below it
 * first.
 *
 * @param store       the store. The group keeps it open.
 * @param path        the group's path; "" deletes everything in the store.
 * @param format      a ZARRC_FORMAT_ constant; ZARRC_FORMAT_ANY: the parent group's format, else
 *                    Zarr v3.
 * @param[out] group  receives the group; close it with zarrc_group_close().
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_ALREADY_EXISTS: another writer created a node at `path` during the call;
 *         ZARRC_INVALID_ARGUMENT: the format does not allow the name, or a parent is an array;
 *         ZARRC_UNSUPPORTED: this build lacks the format; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_group_overwrite(zarrc_store *store,
                                   const char *path,
                                   zarrc_format format,
                                   zarrc_group **group,
                                   zarrc_error *err);

/**
 * Opens a group by URL, without a store handle.
 *
 * @param url         the URL of a store, or of a group within one: "data/run1.zarr/ocean",
 *                    "x.zip|zip:a/b".
 * @param mode        a ZARRC_ mode. ZARRC_APPEND, ZARRC_CREATE and ZARRC_OVERWRITE create a
 *                    missing group, in Zarr v3 or the format that the option "format" names.
 * @param options     settings for the store; NULL: the defaults. Copied: may be freed after the
 *                    call.
 * @param[out] group  receives the group; close it with zarrc_group_close(), which closes the store
 *                    too.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is no store or no group; ZARRC_ALREADY_EXISTS: there is
 *         an array, the mode requires a new store, or ZARRC_OVERWRITE would delete a directory
 *         that is not a Zarr store; ZARRC_UNSUPPORTED: this build lacks the scheme or format;
 *         ZARRC_INVALID_METADATA; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_group_open_url(const char *url,
                                  zarrc_mode mode,
                                  const zarrc_options *options,
                                  zarrc_group **group,
                                  zarrc_error *err);

/**
 * Closes a group. Its attributes must not be used afterwards. The handle is invalid after the
 * call, even if the call fails.
 *
 * @param group  the group; may be NULL.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_IO or ZARRC_CONFLICT: a deferred write of a store that
 *         zarrc_group_open_url() opened failed.
 * @since 0.1.0
 */
ZARRC_API
zarrc_status zarrc_group_close(zarrc_group *group, zarrc_error *err);

/**
 * Returns the attributes of a group.
 *
 * @param group  the group; may be NULL.
 * @return the attributes, borrowed: valid until the group is closed. NULL for NULL.
 * @since 0.1.0
 */
ZARRC_API
zarrc_attributes *zarrc_group_attributes(zarrc_group *group);

/**
 * Lists the nodes below a group, sorted by path (bytewise).
 *
 * @param group         the group.
 * @param recursive     false: its children; true: all nodes below it.
 * @param[out] listing  receives the nodes; free them with zarrc_listing_free().
 * @param[out] err      receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: the store cannot list its keys; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_group_list(const zarrc_group *group,
                              bool recursive,
                              zarrc_listing **listing,
                              zarrc_error *err);

/**
 * Returns the number of nodes in a listing.
 *
 * @param listing  the listing; may be NULL.
 * @return the number of nodes; 0 for NULL.
 * @since 0.1.0
 */
ZARRC_API
size_t zarrc_listing_count(const zarrc_listing *listing);

/**
 * Returns the path of a node, relative to the listed group.
 *
 * @param listing  the listing; may be NULL.
 * @param index    the position, from 0.
 * @return the path (UTF-8), borrowed: valid until the listing is freed. NULL past the end and for
 *         NULL.
 * @since 0.1.0
 */
ZARRC_API
const char *zarrc_listing_path(const zarrc_listing *listing,
                               size_t index);

/**
 * Returns the kind of a node.
 *
 * @param listing  the listing; may be NULL.
 * @param index    the position, from 0.
 * @return a ZARRC_NODE_ constant; ZARRC_NODE_NONE if the node's document cannot be read, past the
 *         end and for NULL.
 * @since 0.1.0
 */
ZARRC_API
zarrc_node_kind zarrc_listing_kind(const zarrc_listing *listing,
                                   size_t index);

/**
 * Frees a listing.
 *
 * @param listing  the listing; may be NULL.
 * @since 0.1.0
 */
ZARRC_API
void zarrc_listing_free(zarrc_listing *listing);

/**
 * Deletes a node and everything below it. Deletes symbolic links, not their targets.
 *
 * @param store  the store.
 * @param path   the node's path; "" empties the store.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is no node; ZARRC_UNSUPPORTED: the store cannot list or
 *         delete; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_node_delete(zarrc_store *store,
                               const char *path,
                               zarrc_error *err);

/**
 * Deletes a node and everything below it as zarrc_node_delete() does, and reports its progress.
 * Deletes nodes one by one, the deepest first and the node itself last, each of them whole: a
 * cancelled call leaves the other nodes unchanged, and the same call resumes it.
 *
 * @param store         the store.
 * @param path          the node to delete; "" is the root.
 * @param progress      receives a report after each node; NULL: no reports.
 * @param user          passed to `progress`.
 * @param[out] deleted  receives the number of deleted nodes. May be NULL.
 * @param[out] err      receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_CANCELLED: nodes deleted before stay deleted; ZARRC_NOT_FOUND: there is
 *         no node at `path`; ZARRC_INVALID_ARGUMENT; ZARRC_UNSUPPORTED: the store cannot list or
 *         delete; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_node_delete_with(zarrc_store *store,
                                    const char *path,
                                    zarrc_progress progress,
                                    void *user,
                                    uint64_t *deleted,
                                    zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup spec Array specifications: the settings of a new array
 * @{ */

/**
 * Creates an array specification.
 *
 * @param data_type  a ZARRC_ data type other than ZARRC_NATIVE. ZARRC_RAW to ZARRC_STRUCT and
 *                   ZARRC_RAGGED also need parameters: call zarrc_array_spec_set_data_type().
 * @param rank       the number of dimensions, at most 255; 0 for an array of one element.
 * @param shape      `rank` extents (elements), slowest dimension first; any may be 0.
 * @param[out] spec  receives the specification; free it with zarrc_array_spec_free().
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_LIMIT_EXCEEDED: more than 255 dimensions; ZARRC_INVALID_ARGUMENT.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_new(zarrc_data_type data_type,
                                  size_t rank,
                                  const uint64_t *shape,
                                  zarrc_array_spec **spec,
                                  zarrc_error *err);

/**
 * Sets the shape.
 *
 * @param spec   the specification to change.
 * @param rank   the specification's rank.
 * @param shape  `rank` extents (elements), slowest dimension first; any may be 0.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_shape(zarrc_array_spec *spec,
                                        size_t rank,
                                        const uint64_t *shape,
                                        zarrc_error *err);

/**
 * Frees an array specification.
 *
 * @param spec  the specification; may be NULL.
 * @since 0.1.0
 */
ZARRC_API
void zarrc_array_spec_free(zarrc_array_spec *spec);

/**
 * Sets the format. Default: ZARRC_FORMAT_ANY.
 *
 * @param spec    the specification to change.
 * @param format  a ZARRC_FORMAT_ constant; ZARRC_FORMAT_ANY: the parent group's format, else Zarr
 *                v3.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: this build lacks the format; ZARRC_INVALID_ARGUMENT.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_format(zarrc_array_spec *spec,
                                         zarrc_format format,
                                         zarrc_error *err);

/**
 * Sets the data type from text, which can express types with parameters.
 *
 * The text is one of: a NumPy typestr ("|S12", "<U7", "<M8[ns]", ">f8"; its byte order becomes
 * that of the stored elements); a Zarr v3 name ("float32", "r16", "string", "bytes"); the JSON of
 * a v2 or v3 document (a list of fields, an object); for variable length "vlen-utf8",
 * "vlen-bytes", "json", or "vlen-array:" with the typestr of the items ("vlen-array:<f8").
 *
 * @param spec       the specification to change.
 * @param data_type  the text.
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: the text is none of these, or names another type than
 *         zarrc_array_spec_new() was given; ZARRC_UNSUPPORTED: this build lacks the type;
 *         ZARRC_LIMIT_EXCEEDED: an element has 2 GiB or more.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_data_type(zarrc_array_spec *spec,
                                            const char *data_type,
                                            zarrc_error *err);

/**
 * Sets the shape of a chunk, or of an inner chunk if the array has shards. Default: about 1 MiB.
 * Along a dimension of extent 0, the default chunk has as many elements as fit, at most 16384.
 *
 * @param spec         the specification to change.
 * @param rank         the specification's rank.
 * @param chunk_shape  `rank` extents (elements), each at least 1.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: another rank, or an extent of 0.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_chunk_shape(zarrc_array_spec *spec,
                                              size_t rank,
                                              const uint64_t *chunk_shape,
                                              zarrc_error *err);

/**
 * Sets the extent of every chunk along one dimension (Zarr v3's "rectilinear" chunk grid only).
 * For an array with shards the extents are those of the shards. Other dimensions keep the regular
 * chunk or shard shape.
 *
 * @param spec       the specification to change.
 * @param dimension  the dimension, from 0.
 * @param count      the number of chunks along it.
 * @param edges      `count` extents (elements), each at least 1; their sum must be at least the
 *                   array's extent.
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_chunk_edges(zarrc_array_spec *spec,
                                              size_t dimension,
                                              size_t count,
                                              const uint64_t *edges,
                                              zarrc_error *err);

/**
 * Stores chunks in shards of this shape (Zarr v3 only). Default: each chunk is a value of its own.
 *
 * @param spec         the specification to change.
 * @param rank         the specification's rank.
 * @param shard_shape  `rank` extents (elements), each a multiple of the chunk's.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: another rank, or an extent of 0. zarrc_array_create()
 *         checks that chunks divide shards.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_shard_shape(zarrc_array_spec *spec,
                                              size_t rank,
                                              const uint64_t *shard_shape,
                                              zarrc_error *err);

/**
 * Sets the fill value: the value of elements that were never written.
 *
 * Default: zeros; in Zarr v2 null, which zarrc reads as zeros. xarray treats the fill value of a
 * v2 array as its missing value: with a fill value of 0 it would show NaN for every 0 in the data.
 *
 * @param spec   the specification to change.
 * @param value  one element in memory layout; for variable-length types its bytes.
 * @param size   its size (bytes).
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `size` is not the element size, or the bytes are not a
 *         valid element (text that is not UTF-8, a ragged element that is not a whole number of
 *         items, invalid JSON).
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_fill_value(zarrc_array_spec *spec,
                                             const void *value,
                                             size_t size,
                                             zarrc_error *err);

/**
 * Sets CF's missing value. The attribute _FillValue will hold it, spelt as xarray and netCDF read
 * it in the array's format. It also becomes the fill value unless that is set, so that elements
 * that were never written are missing.
 *
 * @param spec   the specification to change.
 * @param value  one element in memory layout; for variable-length types its bytes.
 * @param size   its size (bytes).
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `size` is not the element size, or the bytes are not a
 *         valid element. zarrc_array_create() checks that CF has a missing value of the type and
 *         that in Zarr v2 the fill value is equal.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_missing_value(zarrc_array_spec *spec,
                                                const void *value,
                                                size_t size,
                                                zarrc_error *err);

/**
 * Sets the fill value as JSON, spelt as in the format's documents: 1.5, "NaN", "0x7fc00001", [0,
 * 1].
 *
 * @param spec  the specification to change.
 * @param json  the JSON text.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `json` is not JSON. zarrc_array_create() checks that
 *         it is a value of the data type.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_fill_value_json(zarrc_array_spec *spec,
                                                  const char *json,
                                                  zarrc_error *err);

/**
 * Appends a codec. Encoding applies codecs in the order in which they were added. zarrc adds a
 * missing transpose (for order 'F') and a missing array-to-bytes codec at their place. Default:
 * zstd.
 *
 * @param spec                the specification to change.
 * @param name                the codec's name as in the format's metadata: "zstd", "blosc",
 *                            "gzip", "zlib", "lz4", "crc32c", "transpose", "bytes"; "none", as the
 *                            only codec, disables compression.
 * @param configuration_json  a JSON object as in the format's metadata, such as {"level":3}; NULL
 *                            or missing members: the codec's defaults.
 * @param[out] err            receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: the configuration is not a JSON object;
 *         ZARRC_UNSUPPORTED: this build lacks the codec.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_add_codec(zarrc_array_spec *spec,
                                        const char *name,
                                        const char *configuration_json,
                                        zarrc_error *err);

/**
 * Sets the order of the elements within a stored chunk. Default: 'C'. Does not affect the layout
 * in memory, which each read and write chooses.
 *
 * @param spec   the specification to change.
 * @param order  'C': the last dimension varies fastest; 'F': the first.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_order(zarrc_array_spec *spec,
                                        char order,
                                        zarrc_error *err);

/**
 * Sets the separator between the numbers of a chunk key. Default: '/' in Zarr v3, '.' in v2.
 *
 * @param spec       the specification to change.
 * @param separator  '.' or '/'.
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_separator(zarrc_array_spec *spec,
                                            char separator,
                                            zarrc_error *err);

/**
 * Names the dimensions. Zarr v2 stores the names in the attribute _ARRAY_DIMENSIONS, as xarray
 * does.
 *
 * @param spec   the specification to change.
 * @param rank   the specification's rank.
 * @param names  `rank` strings (UTF-8); NULL for a dimension without a name.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_dimension_names(zarrc_array_spec *spec,
                                                  size_t rank,
                                                  const char *const *names,
                                                  zarrc_error *err);

/**
 * Sets the attributes of the new array from JSON. They are stored with its first document.
 *
 * @param spec  the specification to change.
 * @param json  a JSON object.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `json` is not a JSON object.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_attributes_json(zarrc_array_spec *spec,
                                                  const char *json,
                                                  zarrc_error *err);

/**
 * Sets the attributes of the new array. They are stored with its first document.
 *
 * @param spec        the specification to change.
 * @param attributes  attributes of zarrc_attributes_new() or of any node. Copied: may be freed
 *                    after the call.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_METADATA: the metadata document is damaged;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_attributes(zarrc_array_spec *spec,
                                             const zarrc_attributes *attributes,
                                             zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup array Arrays: create, open, close
 * @{ */

/**
 * Creates an array and opens it. Creates missing parent groups too. Writes no chunks: all elements
 * read as the fill value.
 *
 * @param store       the store. The array keeps it open.
 * @param path        the array's path; "" makes the array the root of the store.
 * @param spec        the specification. Copied: may be freed after the call.
 * @param[out] array  receives the array; close it with zarrc_array_close().
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is a node at `path`; ZARRC_INVALID_ARGUMENT: the
 *         specification contradicts itself (the message says where), the format does not allow the
 *         name, or a parent is an array; ZARRC_UNSUPPORTED: the format cannot express the
 *         specification; ZARRC_LIMIT_EXCEEDED; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_create(zarrc_store *store,
                                const char *path,
                                const zarrc_array_spec *spec,
                                zarrc_array **array,
                                zarrc_error *err);

/**
 * Opens an array, or creates it if there is no node. Does not compare an existing array with the
 * specification: zarrc_array_require() does.
 *
 * @param store       the store. The array keeps it open.
 * @param path        the array's path; "" is the root.
 * @param spec        the specification of a new array. Copied: may be freed after the call.
 * @param[out] array  receives the array; close it with zarrc_array_close().
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is a group at `path`; ZARRC_INVALID_ARGUMENT: the
 *         specification contradicts itself, the format does not allow the name, or a parent is an
 *         array; ZARRC_UNSUPPORTED: the format cannot express the specification, or this build
 *         lacks what the existing array needs; ZARRC_INVALID_METADATA; ZARRC_LIMIT_EXCEEDED;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_open_or_create(zarrc_store *store,
                                        const char *path,
                                        const zarrc_array_spec *spec,
                                        zarrc_array **array,
                                        zarrc_error *err);

/**
 * Opens an array that has the shape and data type of a specification, or creates it if there is no
 * node.
 *
 * @param store       the store. The array keeps it open.
 * @param path        the array's path; "" is the root.
 * @param spec        the specification. Copied: may be freed after the call.
 * @param[out] array  receives the array; close it with zarrc_array_close().
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is a group at `path`, or an array of another shape
 *         or data type (the message says which); ZARRC_INVALID_ARGUMENT: the specification
 *         contradicts itself, the format does not allow the name, or a parent is an array;
 *         ZARRC_UNSUPPORTED: the format cannot express the specification, or this build lacks what
 *         the existing array needs; ZARRC_INVALID_METADATA; ZARRC_LIMIT_EXCEEDED;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_require(zarrc_store *store,
                                 const char *path,
                                 const zarrc_array_spec *spec,
                                 zarrc_array **array,
                                 zarrc_error *err);

/**
 * Creates an array in place of any node at a path. Checks the specification, then deletes that
 * node and everything below it.
 *
 * @param store       the store. The array keeps it open.
 * @param path        the array's path; "" deletes everything in the store.
 * @param spec        the specification. Copied: may be freed after the call.
 * @param[out] array  receives the array; close it with zarrc_array_close().
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_ALREADY_EXISTS: another writer created a node at `path` during the call;
 *         ZARRC_INVALID_ARGUMENT: the specification contradicts itself, the format does not allow
 *         the name, or a parent is an array; ZARRC_UNSUPPORTED: the format cannot express the
 *         specification; ZARRC_LIMIT_EXCEEDED; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_overwrite(zarrc_store *store,
                                   const char *path,
                                   const zarrc_array_spec *spec,
                                   zarrc_array **array,
                                   zarrc_error *err);

/**
 * Creates an array with default chunks, codecs and format, and writes all of its elements. If they
 * cannot be written, deletes the array again.
 *
 * @param store        the store. The array keeps it open.
 * @param path         the array's path; "" makes the array the root of the store.
 * @param data_type    data type of the elements, stored and in memory; must have a fixed size and
 *                     no parameters.
 * @param rank         the number of dimensions, at most 255; 0 for an array of one element.
 * @param shape        `rank` extents (elements), slowest dimension first.
 * @param buffer       the elements, C-contiguous; may be NULL if there are none.
 * @param buffer_size  the size of `buffer` (bytes), at least that of all elements.
 * @param[out] array   receives the array; close it with zarrc_array_close(). NULL: closes the
 *                     array.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is a node at `path`; ZARRC_INVALID_ARGUMENT: also
 *         a name that the format does not allow, or a parent that is an array; ZARRC_UNSUPPORTED;
 *         ZARRC_LIMIT_EXCEEDED; ZARRC_OUT_OF_MEMORY; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_create_from_buffer(zarrc_store *store,
                                            const char *path,
                                            zarrc_data_type data_type,
                                            size_t rank,
                                            const uint64_t *shape,
                                            const void *buffer,
                                            size_t buffer_size,
                                            zarrc_array **array,
                                            zarrc_error *err);

/**
 * Creates an array specification with the current shape, data type, format, chunks, shards,
 * codecs, fill value and dimension names of an array, but not its attributes. Any setting may be
 * changed, the shape with zarrc_array_spec_set_shape().
 *
 * @param array      the array to describe.
 * @param[out] spec  receives the specification; free it with zarrc_array_spec_free().
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_LIMIT_EXCEEDED: the chunk grid lists more than a million extents;
 *         ZARRC_INVALID_ARGUMENT.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_new_like(const zarrc_array *array,
                                       zarrc_array_spec **spec,
                                       zarrc_error *err);

/**
 * Opens an array by URL, without a store handle.
 *
 * @param url         the URL of a store whose root is an array, or of an array within a store:
 *                    "data/run1.zarr/temperature", "s3://bucket/x.zarr/a/b", "x.zip|zip:a/b".
 * @param mode        ZARRC_READ or ZARRC_READ_WRITE.
 * @param options     settings for the store; NULL: the defaults. Copied: may be freed after the
 *                    call.
 * @param[out] array  receives the array; close it with zarrc_array_close(), which closes the store
 *                    too.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is no store or no array; ZARRC_UNSUPPORTED: this build
 *         lacks the scheme, the data type, a codec or an extension (the message names it);
 *         ZARRC_INVALID_METADATA; ZARRC_LIMIT_EXCEEDED; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_open_url(const char *url,
                                  zarrc_mode mode,
                                  const zarrc_options *options,
                                  zarrc_array **array,
                                  zarrc_error *err);

/**
 * Creates an array from its metadata document, which is stored unchanged, and opens it. Creates
 * missing parent groups too.
 *
 * @param store          the store. The array keeps it open.
 * @param path           the array's path; "" makes the array the root of the store.
 * @param format         a ZARRC_FORMAT_ constant other than ZARRC_FORMAT_ANY.
 * @param metadata_json  the document, such as the text of .zarray or zarr.json.
 * @param[out] array     receives the array; close it with zarrc_array_close().
 * @param[out] err       receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_METADATA: the document breaks its specification;
 *         ZARRC_ALREADY_EXISTS: there is a node at `path`; ZARRC_UNSUPPORTED: this build lacks the
 *         data type, a codec or an extension; ZARRC_INVALID_ARGUMENT: also a name that the format
 *         does not allow, or a parent that is an array; ZARRC_LIMIT_EXCEEDED;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_create_json(zarrc_store *store,
                                     const char *path,
                                     zarrc_format format,
                                     const char *metadata_json,
                                     zarrc_array **array,
                                     zarrc_error *err);

/**
 * Opens an array from its metadata document without reading it from the store, for programs that
 * already have it, such as from zarrc_array_metadata_json() in another process. Writes nothing.
 * The document must equal the stored one: zarrc does not compare them, and calls on the array may
 * fail or mix both.
 *
 * @param store          the store. The array keeps it open.
 * @param path           the array's path; "" is the root.
 * @param format         a ZARRC_FORMAT_ constant other than ZARRC_FORMAT_ANY.
 * @param metadata_json  the document, such as the text of .zarray or zarr.json.
 * @param[out] array     receives the array; close it with zarrc_array_close().
 * @param[out] err       receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_METADATA: the document breaks its specification;
 *         ZARRC_UNSUPPORTED: this build lacks the data type, a codec or an extension;
 *         ZARRC_LIMIT_EXCEEDED; ZARRC_INVALID_ARGUMENT.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_open_json(zarrc_store *store,
                                   const char *path,
                                   zarrc_format format,
                                   const char *metadata_json,
                                   zarrc_array **array,
                                   zarrc_error *err);

/**
 * Opens an array.
 *
 * @param store       the store. The array keeps it open.
 * @param path        the array's path; "" is the root.
 * @param[out] array  receives the array; close it with zarrc_array_close().
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is no array (the message names the keys that were
 *         tried); ZARRC_INVALID_METADATA; ZARRC_UNSUPPORTED: this build lacks the data type, a
 *         codec or an extension (the message names it); ZARRC_LIMIT_EXCEEDED;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_open(zarrc_store *store,
                              const char *path,
                              zarrc_array **array,
                              zarrc_error *err);

/**
 * Closes an array: waits for its requests, writes what the option "write_buffer" holds back, and
 * frees the handle. Its attributes must not be used afterwards. The handle is invalid after the
 * call, even if the call fails; writes that failed are lost.
 *
 * @param array  the array; may be NULL.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_CONFLICT: other writers kept changing a chunk; ZARRC_CORRUPT_DATA: a
 *         chunk that was written in part does not decode; ZARRC_LIMIT_EXCEEDED;
 *         ZARRC_OUT_OF_MEMORY; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API
zarrc_status zarrc_array_close(zarrc_array *array,
                               zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup array_properties Properties of arrays: data type, shape, chunks, names, fill value
 * @{ */

/**
 * Returns the format of an array.
 *
 * @param array  the array; may be NULL.
 * @return a ZARRC_FORMAT_ constant; ZARRC_FORMAT_ANY for NULL.
 * @since 0.1.0
 */
ZARRC_API
zarrc_format zarrc_array_format(const zarrc_array *array);

/**
 * Returns the data type with its parameters, as zarrc_array_spec_set_data_type() accepts it:
 * "float32", ">f8" if the stored bytes are big-endian, "<M8[ns]", "|S12", the JSON of a struct's
 * fields, "string", "vlen-array:<f8".
 *
 * @param array      the array.
 * @param[out] text  receives the text; free it with zarrc_string_free().
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: no text expresses the type; ZARRC_INVALID_ARGUMENT.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_data_type_text(const zarrc_array *array,
                                        char **text,
                                        zarrc_error *err);

/**
 * Returns the name of a dimension: in Zarr v3 from the member dimension_names, in v2 from the
 * attribute _ARRAY_DIMENSIONS, in N5 from the attribute axes. Names from attributes are read once.
 *
 * @param array      the array.
 * @param dimension  the dimension, from 0.
 * @param[out] name  receives the name (UTF-8), borrowed: valid until the array is closed. NULL:
 *                   the dimension has no name.
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: also a dimension that is not below the rank;
 *         ZARRC_TYPE_MISMATCH: the name contains a NUL character; ZARRC_INVALID_METADATA,
 *         ZARRC_PERMISSION_DENIED, ZARRC_IO: the attributes cannot be read.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_dimension_name(const zarrc_array *array,
                                        size_t dimension,
                                        const char **name,
                                        zarrc_error *err);

/**
 * Sets the attribute _FillValue to CF's missing value, spelt as xarray and netCDF read it in the
 * array's format: the Base64 of a double for floats of Zarr v3, else a number. Does not change the
 * fill value; zarrc_array_spec_set_missing_value(), before the array is created, sets both.
 *
 * @param array  the array to change.
 * @param value  one element in memory layout (ZARRC_NATIVE); for variable-length types its bytes.
 * @param size   its size (bytes).
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `size` is not the element size, or the array is of
 *         Zarr v2, where xarray treats the fill value as missing, and has another fill value;
 *         ZARRC_TYPE_MISMATCH: CF has no missing value of this type (times, structs, raw bytes);
 *         ZARRC_CONFLICT: other writers kept changing the document; ZARRC_INVALID_METADATA: the
 *         document is damaged; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_set_missing_value(zarrc_array *array,
                                           const void *value,
                                           size_t size,
                                           zarrc_error *err);

/**
 * Returns the data type of an array's elements.
 *
 * @param array  the array; may be NULL.
 * @return a ZARRC_ data type; ZARRC_NATIVE for NULL.
 * @since 0.1.0
 */
ZARRC_API
zarrc_data_type zarrc_array_data_type(const zarrc_array *array);

/**
 * Returns the size of an element in memory of type ZARRC_NATIVE.
 *
 * @param array  the array; may be NULL.
 * @return the size (bytes); 0 for variable-length types and for NULL.
 * @since 0.1.0
 */
ZARRC_API
size_t zarrc_array_element_size(const zarrc_array *array);

/**
 * Returns the number of dimensions of an array.
 *
 * @param array  the array; may be NULL.
 * @return the number of dimensions; 0 for NULL.
 * @since 0.1.0
 */
ZARRC_API
size_t zarrc_array_rank(const zarrc_array *array);

/**
 * Returns the shape as this handle knows it: zarrc_array_refresh() reads it again.
 *
 * @param array       the array.
 * @param rank        the array's rank.
 * @param[out] shape  receives `rank` extents (elements), slowest dimension first.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_shape(const zarrc_array *array,
                               size_t rank,
                               uint64_t *shape,
                               zarrc_error *err);

/**
 * Returns the shape of a chunk, or of an inner chunk if the array has shards: the smallest unit
 * that is decoded on its own. If chunks have different shapes, returns the largest extent along
 * each dimension; zarrc_array_chunk_bounds() returns those of one chunk.
 *
 * @param array             the array.
 * @param rank              the array's rank.
 * @param[out] chunk_shape  receives `rank` extents (elements).
 * @param[out] err          receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_chunk_shape(const zarrc_array *array,
                                     size_t rank,
                                     uint64_t *chunk_shape,
                                     zarrc_error *err);

/**
 * Returns the number of chunks (shards, if the array has them) along each dimension, stored or
 * not, including those at the edge.
 *
 * @param array        the array.
 * @param rank         the array's rank.
 * @param[out] counts  receives `rank` numbers.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_chunk_counts(const zarrc_array *array,
                                      size_t rank,
                                      uint64_t *counts,
                                      zarrc_error *err);

/**
 * Returns the box of the array that one chunk (shard, if the array has them) covers. Pass it to
 * zarrc_array_read() and zarrc_array_write() to work chunk by chunk.
 *
 * @param array       the array.
 * @param rank        the array's rank.
 * @param index       `rank` numbers, each less than zarrc_array_chunk_counts() returns.
 * @param[out] start  receives `rank` indices: the chunk's first element.
 * @param[out] count  receives `rank` extents (elements), clipped to the array's shape.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: there is no such chunk; ZARRC_INVALID_ARGUMENT.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_chunk_bounds(const zarrc_array *array,
                                      size_t rank,
                                      const uint64_t *index,
                                      uint64_t *start,
                                      uint64_t *count,
                                      zarrc_error *err);

/**
 * Returns the shape of a shard. If shards have different shapes, returns the largest extent along
 * each dimension.
 *
 * @param array             the array.
 * @param rank              the array's rank.
 * @param[out] shard_shape  receives `rank` extents (elements).
 * @param[out] err          receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the array has no shards; ZARRC_INVALID_ARGUMENT.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_shard_shape(const zarrc_array *array,
                                     size_t rank,
                                     uint64_t *shard_shape,
                                     zarrc_error *err);

/**
 * Returns the fill value: the value of elements that were never written. A fill value that the
 * document leaves undefined is returned as zeros.
 *
 * @param array       the array.
 * @param[out] value  receives one element in memory layout (ZARRC_NATIVE).
 * @param size        the size of `value` (bytes); must be zarrc_array_element_size().
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_TYPE_MISMATCH: elements have variable length: use
 *         zarrc_array_fill_value_json(); ZARRC_INVALID_ARGUMENT.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_fill_value(const zarrc_array *array,
                                    void *value,
                                    size_t size,
                                    zarrc_error *err);

/**
 * Returns the fill value as JSON, spelt as in the format's documents: a number, "NaN", a string,
 * bytes as Base64, any value for ZARRC_JSON; null if the document leaves it undefined.
 *
 * @param array      the array.
 * @param[out] json  receives the JSON text; free it with zarrc_string_free().
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_fill_value_json(const zarrc_array *array,
                                         char **json,
                                         zarrc_error *err);

/**
 * Reads the metadata document of an array from the store.
 *
 * @param array      the array.
 * @param[out] json  receives the document; free it with zarrc_string_free().
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the array no longer exists; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_metadata_json(const zarrc_array *array, char **json, zarrc_error *err);

/**
 * Returns the attributes of an array.
 *
 * @param array  the array; may be NULL.
 * @return the attributes, borrowed: valid until the array is closed. NULL for NULL.
 * @since 0.1.0
 */
ZARRC_API
zarrc_attributes *zarrc_array_attributes(zarrc_array *array);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup io Reading and writing boxes of arrays
 * @{ */

/**
 * Reads a box of an array into a C-contiguous buffer.
 *
 * Converts elements to `memory_type`. A conversion between number types fails if a value does not
 * fit, NaN and infinities for integers included; it drops fractions and rounds floating-point
 * values to the precision of the target.
 *
 * @param array        the array.
 * @param start        the first element, one index per dimension; NULL: the origin.
 * @param count        the extents of the box (elements); NULL: to the end of each dimension.
 * @param memory_type  data type of the elements in memory; ZARRC_NATIVE: as stored, in native byte
 *                     order.
 * @param[out] buffer  receives the box, last dimension fastest. Unspecified after an error. May be
 *                     NULL if the box is empty.
 * @param buffer_size  the size of `buffer` (bytes), at least that of the box.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the box leaves the array; ZARRC_TYPE_MISMATCH: the types
 *         cannot be converted, a value does not fit, or elements have variable length;
 *         ZARRC_CORRUPT_DATA: a chunk does not decode (the message names it);
 *         ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY: a chunk is too large to decode;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_read(const zarrc_array *array,
                              const uint64_t *start,
                              const uint64_t *count,
                              zarrc_data_type memory_type,
                              void *buffer,
                              size_t buffer_size,
                              zarrc_error *err);

/**
 * Writes a C-contiguous buffer to a box of an array.
 *
 * Replaces each chunk as a whole, even if the process is killed; after an error, some chunks may
 * have been replaced. Reads a chunk first if the box covers it only in part, and reads it again if
 * another writer replaces it meanwhile. Converts elements as zarrc_array_read() does; chunks
 * before the first value that does not fit may have been written.
 *
 * @param array        the array.
 * @param start        the first element, one index per dimension; NULL: the origin.
 * @param count        the extents of the box (elements); NULL: to the end of each dimension.
 * @param memory_type  data type of the elements in memory; ZARRC_NATIVE: as stored, in native byte
 *                     order.
 * @param buffer       the box, last dimension fastest. May be NULL if the box is empty.
 * @param buffer_size  the size of `buffer` (bytes), at least that of the box.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the box leaves the array; ZARRC_TYPE_MISMATCH: the types
 *         cannot be converted, a value does not fit, or elements have variable length;
 *         ZARRC_CONFLICT: other writers kept changing the same chunk; ZARRC_CORRUPT_DATA: a chunk
 *         that the box covers in part does not decode; ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY:
 *         a chunk is too large; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_write(zarrc_array *array,
                               const uint64_t *start,
                               const uint64_t *count,
                               zarrc_data_type memory_type,
                               const void *buffer,
                               size_t buffer_size,
                               zarrc_error *err);

/**
 * Reads every step-th element of a box into memory of any layout. Converts elements as
 * zarrc_array_read() does.
 *
 * @param array        the array.
 * @param start        the first element, one index per dimension; NULL: the origin.
 * @param step         the distance between elements along each dimension (elements), at least 1;
 *                     NULL: 1.
 * @param count        how many elements to read along each dimension; NULL: to the end of the
 *                     dimension.
 * @param memory_type  data type of the elements in memory; ZARRC_NATIVE: as stored, in native byte
 *                     order.
 * @param[out] buffer  where the first element goes. Memory must extend from there as far as
 *                     `strides` reach. Unspecified after an error. May be NULL if nothing is read.
 * @param strides      the distance between elements in memory along each dimension (bytes), may be
 *                     negative; NULL: C-contiguous.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: an element lies outside the array; ZARRC_TYPE_MISMATCH:
 *         the types cannot be converted, a value does not fit, or elements have variable length;
 *         ZARRC_CORRUPT_DATA: a chunk does not decode (the message names it);
 *         ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY: a chunk is too large to decode;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_read_strided(const zarrc_array *array,
                                      const uint64_t *start,
                                      const uint64_t *step,
                                      const uint64_t *count,
                                      zarrc_data_type memory_type,
                                      void *buffer,
                                      const int64_t *strides,
                                      zarrc_error *err);

/**
 * Writes memory of any layout to every step-th element of a box. Replaces chunks and converts
 * elements as zarrc_array_write() does.
 *
 * @param array        the array.
 * @param start        the first element, one index per dimension; NULL: the origin.
 * @param step         the distance between elements along each dimension (elements), at least 1;
 *                     NULL: 1.
 * @param count        how many elements to write along each dimension; NULL: to the end of the
 *                     dimension.
 * @param memory_type  data type of the elements in memory; ZARRC_NATIVE: as stored, in native byte
 *                     order.
 * @param buffer       the first element. Memory must extend from there as far as `strides` reach.
 *                     May be NULL if nothing is written.
 * @param strides      the distance between elements in memory along each dimension (bytes), may be
 *                     negative or 0; NULL: C-contiguous.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: an element lies outside the array; ZARRC_TYPE_MISMATCH:
 *         the types cannot be converted, a value does not fit, or elements have variable length;
 *         ZARRC_CONFLICT: other writers kept changing the same chunk; ZARRC_CORRUPT_DATA: a chunk
 *         that is covered in part does not decode; ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY: a
 *         chunk is too large; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_write_strided(zarrc_array *array,
                                       const uint64_t *start,
                                       const uint64_t *step,
                                       const uint64_t *count,
                                       zarrc_data_type memory_type,
                                       const void *buffer,
                                       const int64_t *strides,
                                       zarrc_error *err);

/**
 * Writes what the option "write_buffer" holds back of an array, and what its store defers until it
 * is closed. Waits for the array's requests first. Without that option every write has reached the
 * store when it returns. Data that cannot be written stays in the buffer, so a flush may be
 * repeated.
 *
 * @param array  the array.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_CONFLICT: other writers kept changing a chunk; ZARRC_CORRUPT_DATA: a
 *         chunk that was written in part does not decode; ZARRC_LIMIT_EXCEEDED;
 *         ZARRC_OUT_OF_MEMORY; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_flush(zarrc_array *array,
                               zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup vlen Elements of variable length: strings, byte strings, lists of numbers, JSON
 * @{ */

/**
 * Reads a box of an array of variable-length elements.
 *
 * @param array        the array.
 * @param start        the first element, one index per dimension; NULL: the origin.
 * @param count        the extents of the box (elements); NULL: to the end of each dimension.
 * @param[out] values  receives the elements in C order; free them with zarrc_vlen_free().
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_TYPE_MISMATCH: elements have a fixed size: use zarrc_array_read();
 *         ZARRC_OUT_OF_BOUNDS: the box leaves the array; ZARRC_CORRUPT_DATA: a chunk does not
 *         decode, or holds text that is not UTF-8 (the message names it); ZARRC_LIMIT_EXCEEDED,
 *         ZARRC_OUT_OF_MEMORY: too large; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED;
 *         ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_read_vlen(const zarrc_array *array,
                                   const uint64_t *start,
                                   const uint64_t *count,
                                   zarrc_vlen **values,
                                   zarrc_error *err);

/**
 * Writes a box of an array of variable-length elements. Checks all elements before it writes.
 * Replaces each chunk as a whole, as zarrc_array_write() does.
 *
 * @param array    the array.
 * @param start    the first element, one index per dimension; NULL: the origin.
 * @param count    the extents of the box (elements); NULL: to the end of each dimension.
 * @param offsets  one number more than the box has elements, never decreasing: element i, in C
 *                 order, is `bytes[offsets[i] .. offsets[i + 1]]`.
 * @param bytes    the bytes of all elements; may be NULL if the last offset is 0.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: offsets decrease, or an element is not valid (a string
 *         that is not UTF-8, a ragged element that is not a whole number of items, invalid JSON;
 *         the message names the element); ZARRC_LIMIT_EXCEEDED: an element has 4 GiB or more, or a
 *         chunk is too large; ZARRC_TYPE_MISMATCH: elements have a fixed size: use
 *         zarrc_array_write(); ZARRC_OUT_OF_BOUNDS: the box leaves the array; ZARRC_CONFLICT:
 *         other writers kept changing the same chunk; ZARRC_CORRUPT_DATA: a chunk that the box
 *         covers in part does not decode; ZARRC_OUT_OF_MEMORY; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_write_vlen(zarrc_array *array,
                                    const uint64_t *start,
                                    const uint64_t *count,
                                    const uint64_t *offsets,
                                    const uint8_t *bytes,
                                    zarrc_error *err);

/**
 * Returns the number of elements.
 *
 * @param values  the elements; may be NULL.
 * @return the number of elements; 0 for NULL.
 * @since 0.1.0
 */
ZARRC_API
size_t zarrc_vlen_count(const zarrc_vlen *values);

/**
 * Returns where each element starts in the bytes, and where the last one ends.
 *
 * @param values  the elements; may be NULL.
 * @return zarrc_vlen_count() + 1 numbers (bytes), the first of them 0; borrowed: valid until the
 *         elements are freed. NULL for NULL.
 * @since 0.1.0
 */
ZARRC_API
const uint64_t *zarrc_vlen_offsets(const zarrc_vlen *values);

/**
 * Returns the bytes of all elements, one after the other.
 *
 * @param values  the elements; may be NULL.
 * @return the bytes, borrowed: valid until the elements are freed. NULL for NULL.
 * @since 0.1.0
 */
ZARRC_API
const uint8_t *zarrc_vlen_bytes(const zarrc_vlen *values);

/**
 * Frees elements of variable length.
 *
 * @param values  the elements; may be NULL.
 * @since 0.1.0
 */
ZARRC_API
void zarrc_vlen_free(zarrc_vlen *values);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup extent Changing the shape of an array: append, grow, resize
 * @{ */

/**
 * Writes a block that zarrc_array_append_with() appends.
 *
 * @param user      what that function received.
 * @param grown     the array as it will be, with the block; valid during the call. The callback
 *                  writes through it, or through handles that zarrc_array_open_json() opened.
 * @param document  the array's metadata document as it will be; valid during the call.
 * @param first     where the block begins along the axis (elements).
 * @param err       receives the error; never NULL.
 * @return ZARRC_OK: the array now grows; another status: it keeps its shape.
 */
typedef zarrc_status (*zarrc_append_write)(void *user,
                                           zarrc_array *grown,
                                           const char *document,
                                           uint64_t first,
                                           zarrc_error *err);

/**
 * Appends a block of elements: the array grows along one dimension by the block's extent there.
 *
 * The elements are written before the shape: a reader sees the old array or the one with the whole
 * block, even if the writer is killed. The block goes behind the array's end in the store, which
 * may lie beyond the shape that this handle knows; the handle has the new shape afterwards.
 *
 * Any number of threads and processes may append to the same array: no block is lost and none
 * overwrites another. Appenders wait for each other: in a directory by a file lock
 * (".zarrc-lock.tmp" beside the metadata document), in other stores by the key ".zarrc-lock"
 * there, which another appender takes over 10 seconds after its holder was killed. The option
 * "write_buffer" does not hold appended blocks back.
 *
 * @param array        the array.
 * @param axis         the dimension along which the array grows, from 0.
 * @param count        the block's extents (elements): any along `axis`, the array's in all other
 *                     dimensions; NULL: 1 along `axis`.
 * @param memory_type  data type of the elements in memory; ZARRC_NATIVE: as stored, in native byte
 *                     order.
 * @param buffer       the block, last dimension fastest. May be NULL if the block is empty.
 * @param buffer_size  the size of `buffer` (bytes), at least that of the block.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: no such axis, or extents that differ from the array's;
 *         ZARRC_TYPE_MISMATCH: a value does not fit, or elements have variable length: use
 *         zarrc_array_append_vlen(); ZARRC_CONFLICT: others kept changing the array, or replaced
 *         it by another one; ZARRC_NOT_FOUND: the array no longer exists; ZARRC_LIMIT_EXCEEDED;
 *         ZARRC_OUT_OF_MEMORY; ZARRC_PERMISSION_DENIED; ZARRC_IO. After an error the array has its
 *         old extent.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_append(zarrc_array *array,
                                size_t axis,
                                const uint64_t *count,
                                zarrc_data_type memory_type,
                                const void *buffer,
                                size_t buffer_size,
                                zarrc_error *err);

/**
 * Appends a block of variable-length elements, as zarrc_array_append() does.
 *
 * @param array    the array.
 * @param axis     the dimension along which the array grows, from 0.
 * @param count    the block's extents (elements): any along `axis`, the array's in all other
 *                 dimensions; NULL: 1 along `axis`.
 * @param offsets  one number more than the block has elements, never decreasing: element i, in C
 *                 order, is `bytes[offsets[i] .. offsets[i + 1]]`.
 * @param bytes    the bytes of all elements; may be NULL if the last offset is 0.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: no such axis, extents that differ from the array's,
 *         offsets that decrease, or an element that is not valid (the message names it);
 *         ZARRC_TYPE_MISMATCH: elements have a fixed size: use zarrc_array_append();
 *         ZARRC_CONFLICT: others kept changing the array, or replaced it by another one;
 *         ZARRC_NOT_FOUND: the array no longer exists; ZARRC_LIMIT_EXCEEDED; ZARRC_OUT_OF_MEMORY;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO. After an error the array has its old extent.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_append_vlen(zarrc_array *array,
                                     size_t axis,
                                     const uint64_t *count,
                                     const uint64_t *offsets,
                                     const uint8_t *bytes,
                                     zarrc_error *err);

/**
 * Appends a block that a callback writes, in any number of calls, threads or processes: the array
 * grows along one dimension once the callback has returned ZARRC_OK. Else it works as
 * zarrc_array_append() does: a reader sees the old array or the one with the whole block, and
 * appenders wait for each other, so the callback must not append to this array.
 *
 * The callback must write every element of the block: others would read as the fill value, or as
 * what a killed writer left there. If others change the array meanwhile, the callback may be
 * called again with another `first`.
 *
 * @param array   the array. The handle has the new shape afterwards.
 * @param axis    the dimension along which the array grows, from 0.
 * @param extent  the block's extent along `axis` (elements); 0: nothing is appended, and `write`
 *                not called.
 * @param write   the callback; called on this thread.
 * @param user    passed to `write`.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; what `write` returned; ZARRC_INVALID_ARGUMENT: no such axis, or `write` is
 *         NULL; ZARRC_CONFLICT: others kept changing the array, or replaced it by another one;
 *         ZARRC_NOT_FOUND: the array no longer exists; ZARRC_LIMIT_EXCEEDED;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO. After an error the array has its old extent.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_append_with(zarrc_array *array,
                                     size_t axis,
                                     uint64_t extent,
                                     zarrc_append_write write,
                                     void *user,
                                     zarrc_error *err);

/**
 * Makes an array at least as large as a shape in every dimension, and never smaller: where the
 * stored array is already larger, it stays. New elements read as the fill value, even where killed
 * writers left chunks.
 *
 * With the options overwrite=in_place and write_buffer, an array that collects elements collects a
 * larger shape too: others see it once this handle stores a chunk, is flushed or is closed, and
 * errors of storing it, those below among them, are returned by that call.
 *
 * @param array  the array.
 * @param rank   the array's rank.
 * @param shape  `rank` extents (elements).
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_NOT_FOUND: the array no longer exists;
 *         ZARRC_CONFLICT: others kept changing the array, or replaced it by another one;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_grow(zarrc_array *array,
                              size_t rank,
                              const uint64_t *shape,
                              zarrc_error *err);

/**
 * Changes the shape of an array. New elements read as the fill value; elements outside a smaller
 * shape are deleted and do not return.
 *
 * Never deletes elements that this handle has not seen: if others have resized the array since it
 * was opened or refreshed, the call fails with ZARRC_CONFLICT and says what it would have deleted.
 * Call zarrc_array_refresh() first to delete it nevertheless. To append, use zarrc_array_append();
 * to grow without ever deleting, zarrc_array_grow(). Other handles to the array keep their shape
 * until they are refreshed.
 *
 * With the options overwrite=in_place and write_buffer, an array that collects elements collects a
 * larger shape too: others see it once this handle stores a chunk, is flushed or is closed, and
 * errors of storing it are returned by that call. If others have made the array larger meanwhile,
 * it stays as large as they made it.
 *
 * @param array  the array.
 * @param rank   the array's rank.
 * @param shape  `rank` extents (elements).
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_NOT_FOUND: the array no longer exists;
 *         ZARRC_CONFLICT: the call would delete elements that this handle has not seen, others
 *         kept changing the array, or replaced it by another one; ZARRC_PERMISSION_DENIED;
 *         ZARRC_IO. After an error the array has its old shape; some of the elements outside the
 *         new one may be deleted.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_resize(zarrc_array *array,
                                size_t rank,
                                const uint64_t *shape,
                                zarrc_error *err);

/**
 * Reads the metadata document of an array again: updates the handle's shape and its attributes.
 * Drops what the option "write_buffer" holds of chunks that lie outside the new shape.
 *
 * @param array  the array.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the array no longer exists; ZARRC_CONFLICT: another array (of
 *         another data type, or with other chunks, codecs or fill value) has replaced it;
 *         ZARRC_INVALID_METADATA; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO. After
 *         an error the handle is unchanged.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_refresh(zarrc_array *array,
                                 zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup selection Selections: points, lists of indices, masks, blocks, fields
 * @{ */

/**
 * Creates a selection of all elements of an array.
 *
 * @param array           the array. The selection keeps it open: it may be closed first.
 * @param[out] selection  receives the selection; free it with zarrc_selection_free().
 * @param[out] err        receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_selection_new(const zarrc_array *array,
                                 zarrc_selection **selection,
                                 zarrc_error *err);

/**
 * Frees a selection.
 *
 * @param selection  the selection; may be NULL.
 * @since 0.2.0
 */
ZARRC_API
void zarrc_selection_free(zarrc_selection *selection);

/**
 * Selects a range of one dimension: the indices `start + k * step` for k from 0 to count - 1.
 *
 * @param selection  the selection to change.
 * @param dimension  the dimension, from 0.
 * @param start      the first index.
 * @param step       the distance between indices; may be negative, but not 0.
 * @param count      the number of indices; may be 0.
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: an index lies outside the dimension;
 *         ZARRC_INVALID_ARGUMENT.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_selection_set_range(zarrc_selection *selection,
                                       size_t dimension,
                                       uint64_t start,
                                       int64_t step,
                                       uint64_t count,
                                       zarrc_error *err);

/**
 * Selects one index of one dimension, and drops the dimension from the result.
 *
 * @param selection  the selection to change.
 * @param dimension  the dimension, from 0.
 * @param index      the index.
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the index lies outside the dimension;
 *         ZARRC_INVALID_ARGUMENT.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_selection_set_index(zarrc_selection *selection,
                                       size_t dimension,
                                       uint64_t index,
                                       zarrc_error *err);

/**
 * Selects a list of indices of one dimension.
 *
 * @param selection  the selection to change.
 * @param dimension  the dimension, from 0.
 * @param count      the number of indices; may be 0.
 * @param indices    `count` indices, in any order, with or without repetitions. Copied.
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: an index lies outside the dimension;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_OUT_OF_MEMORY.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_selection_set_indices(zarrc_selection *selection,
                                         size_t dimension,
                                         size_t count,
                                         const uint64_t *indices,
                                         zarrc_error *err);

/**
 * Selects the indices of one dimension whose byte in a mask is not 0.
 *
 * @param selection  the selection to change.
 * @param dimension  the dimension, from 0.
 * @param count      the size of the mask (bytes); must be the extent of the dimension.
 * @param mask       one byte for each index. Copied.
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `count` is not the extent; ZARRC_OUT_OF_MEMORY.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_selection_set_mask(zarrc_selection *selection,
                                      size_t dimension,
                                      size_t count,
                                      const uint8_t *mask,
                                      zarrc_error *err);

/**
 * Selects points. The result has one dimension of `count` elements.
 *
 * @param selection    the selection to change.
 * @param count        the number of points.
 * @param coordinates  `count` points of one index per dimension each, slowest dimension first; in
 *                     any order, with or without repetitions. Copied.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: a point lies outside the array (the message names it);
 *         ZARRC_INVALID_ARGUMENT; ZARRC_OUT_OF_MEMORY.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_selection_set_points(zarrc_selection *selection,
                                        size_t count,
                                        const uint64_t *coordinates,
                                        zarrc_error *err);

/**
 * Selects the elements whose byte in a mask of the whole array is not 0. The result has one
 * dimension, in C order of the array.
 *
 * @param selection  the selection to change.
 * @param mask       one byte for each element of the array, in C order. Copied, as bits.
 * @param size       the size of the mask (bytes); must be the number of elements of the array.
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `size` is not the number of elements;
 *         ZARRC_OUT_OF_MEMORY.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_selection_set_element_mask(zarrc_selection *selection,
                                              const uint8_t *mask,
                                              size_t size,
                                              zarrc_error *err);

/**
 * Selects a box of whole chunks (shards, if the array has them), clipped to the array's shape.
 *
 * @param selection    the selection to change.
 * @param block_start  the first chunk, one index per dimension; NULL: the first of all.
 * @param block_count  the number of chunks along each dimension; NULL: to the end of each
 *                     dimension.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the array has fewer chunks; ZARRC_INVALID_ARGUMENT.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_selection_set_blocks(zarrc_selection *selection,
                                        const uint64_t *block_start,
                                        const uint64_t *block_count,
                                        zarrc_error *err);

/**
 * Selects one field of a struct type, in addition to the selected elements. Memory then holds
 * elements of the field's type; a write leaves the other fields unchanged.
 *
 * @param selection  the selection to change.
 * @param field      the field's name; NULL: whole elements again.
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is no such field (the message lists the fields);
 *         ZARRC_TYPE_MISMATCH: the array's data type has no fields; ZARRC_INVALID_ARGUMENT.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_selection_set_field(zarrc_selection *selection,
                                       const char *field,
                                       zarrc_error *err);

/**
 * Returns the number of dimensions of the result.
 *
 * @param selection  the selection; may be NULL.
 * @return the number of dimensions; 0 for NULL.
 * @since 0.2.0
 */
ZARRC_API
size_t zarrc_selection_rank(const zarrc_selection *selection);

/**
 * Returns the shape of the result.
 *
 * @param selection   the selection.
 * @param rank        what zarrc_selection_rank() returns.
 * @param[out] shape  receives `rank` extents (elements), slowest dimension first.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_selection_shape(const zarrc_selection *selection,
                                   size_t rank,
                                   uint64_t *shape,
                                   zarrc_error *err);

/**
 * Returns the indices of the selected elements, in C order of the result.
 *
 * @param selection         the selection.
 * @param rank              the rank of the array.
 * @param first             the first element, a number in C order of the result.
 * @param count             how many elements.
 * @param[out] coordinates  receives `count` times `rank` indices, slowest dimension first, as
 *                          zarrc_selection_set_points() takes them.
 * @param[out] err          receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the result has fewer elements; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_OUT_OF_MEMORY.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_selection_coordinates(const zarrc_selection *selection,
                                         size_t rank,
                                         uint64_t first,
                                         size_t count,
                                         uint64_t *coordinates,
                                         zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup selection_io Reading and writing selections
 * @{ */

/**
 * Reads the elements of a selection. Converts them as zarrc_array_read() does.
 *
 * @param array        the array.
 * @param selection    a selection made for this array, or for another one of the same rank and
 *                     data type.
 * @param memory_type  data type of the elements in memory; ZARRC_NATIVE: as stored, in native byte
 *                     order.
 * @param[out] buffer  where the first element of the result goes. Unspecified after an error. May
 *                     be NULL if nothing is selected.
 * @param strides      the distance between elements in memory along each dimension of the result
 *                     (bytes), may be negative; NULL: C-contiguous.
 * @param buffer_size  the size of the memory (bytes), at least from the lowest to the highest byte
 *                     of the elements.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the array has shrunk below the selection;
 *         ZARRC_TYPE_MISMATCH: the types cannot be converted, a value does not fit, or elements
 *         have variable length: use zarrc_array_read_selection_vlen(); ZARRC_CORRUPT_DATA: a chunk
 *         does not decode (the message names it); ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY: too
 *         large; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_read_selection(const zarrc_array *array,
                                        const zarrc_selection *selection,
                                        zarrc_data_type memory_type,
                                        void *buffer,
                                        const int64_t *strides,
                                        size_t buffer_size,
                                        zarrc_error *err);

/**
 * Writes the elements of a selection. Replaces chunks and converts elements as zarrc_array_write()
 * does. Of several values for one element, keeps the last in C order of the result.
 *
 * @param array        the array.
 * @param selection    a selection made for this array, or for another one of the same rank and
 *                     data type.
 * @param memory_type  data type of the elements in memory; ZARRC_NATIVE: as stored, in native byte
 *                     order.
 * @param buffer       the first element of the result. May be NULL if nothing is selected.
 * @param strides      the distance between elements in memory along each dimension of the result
 *                     (bytes), may be negative or 0; NULL: C-contiguous.
 * @param buffer_size  the size of the memory (bytes), at least from the lowest to the highest byte
 *                     of the elements.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the array has shrunk below the selection;
 *         ZARRC_TYPE_MISMATCH: the types cannot be converted, a value does not fit, or elements
 *         have variable length: use zarrc_array_write_selection_vlen(); ZARRC_CONFLICT: other
 *         writers kept changing the same chunk; ZARRC_CORRUPT_DATA: a chunk that is covered in
 *         part does not decode; ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY: too large;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_write_selection(zarrc_array *array,
                                         const zarrc_selection *selection,
                                         zarrc_data_type memory_type,
                                         const void *buffer,
                                         const int64_t *strides,
                                         size_t buffer_size,
                                         zarrc_error *err);

/**
 * Writes one value to every element of a selection. Does not read chunks that the selection
 * covers. Erases covered chunks instead of storing them if the value is the fill value, unless the
 * option write_empty_chunks forbids it.
 *
 * @param array        the array.
 * @param selection    a selection made for this array, or for another one of the same rank and
 *                     data type; NULL: the whole array.
 * @param memory_type  data type of the value in memory, converted as by zarrc_array_write(). For
 *                     variable-length types ZARRC_NATIVE or the array's own type.
 * @param value        the value; for variable-length types its bytes.
 * @param size         its size (bytes): the size of `memory_type`.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the array has shrunk below the selection;
 *         ZARRC_TYPE_MISMATCH: the types cannot be converted, or the value does not fit;
 *         ZARRC_INVALID_ARGUMENT: another size, or a value that is not valid for the data type;
 *         ZARRC_CONFLICT: other writers kept changing the same chunk; ZARRC_CORRUPT_DATA: a chunk
 *         that is covered in part does not decode; ZARRC_LIMIT_EXCEEDED; ZARRC_OUT_OF_MEMORY;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_fill(zarrc_array *array,
                              const zarrc_selection *selection,
                              zarrc_data_type memory_type,
                              const void *value,
                              size_t size,
                              zarrc_error *err);

/**
 * Reads the elements of a selection of an array of variable-length elements.
 *
 * @param array        the array.
 * @param selection    a selection made for this array, or for another one of the same rank and
 *                     data type.
 * @param[out] values  receives the elements in C order of the result; free them with
 *                     zarrc_vlen_free().
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_TYPE_MISMATCH: elements have a fixed size: use
 *         zarrc_array_read_selection(); ZARRC_OUT_OF_BOUNDS: the array has shrunk below the
 *         selection; ZARRC_CORRUPT_DATA: a chunk does not decode, or holds text that is not UTF-8
 *         (the message names it); ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY: too large;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_read_selection_vlen(const zarrc_array *array,
                                             const zarrc_selection *selection,
                                             zarrc_vlen **values,
                                             zarrc_error *err);

/**
 * Writes the elements of a selection of an array of variable-length elements. Checks all elements
 * before it writes. Of several values for one element, keeps the last in C order of the result.
 *
 * @param array      the array.
 * @param selection  a selection made for this array, or for another one of the same rank and data
 *                   type.
 * @param offsets    one number more than the result has elements, never decreasing: element i, in
 *                   C order, is `bytes[offsets[i] .. offsets[i + 1]]`.
 * @param bytes      the bytes of all elements; may be NULL if the last offset is 0.
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: offsets decrease, or an element is not valid (the
 *         message names it); ZARRC_LIMIT_EXCEEDED: an element has 4 GiB or more, or a chunk is too
 *         large; ZARRC_TYPE_MISMATCH: elements have a fixed size: use
 *         zarrc_array_write_selection(); ZARRC_OUT_OF_BOUNDS: the array has shrunk below the
 *         selection; ZARRC_CONFLICT: other writers kept changing the same chunk;
 *         ZARRC_CORRUPT_DATA: a chunk that is covered in part does not decode;
 *         ZARRC_OUT_OF_MEMORY; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_write_selection_vlen(zarrc_array *array,
                                              const zarrc_selection *selection,
                                              const uint64_t *offsets,
                                              const uint8_t *bytes,
                                              zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup request Requests: asynchronous reads and writes
 * @{ */

/**
 * Starts to read a box of an array into a C-contiguous buffer, as zarrc_array_read() does, and
 * returns without waiting. zarrc_request_wait() returns the outcome.
 *
 * @param array         the array.
 * @param start         the first element, one index per dimension; NULL: the origin.
 * @param count         the extents of the box (elements); NULL: to the end of each dimension.
 * @param memory_type   data type of the elements in memory; ZARRC_NATIVE: as stored, in native
 *                      byte order.
 * @param[out] buffer   receives the box. Must stay valid and untouched until the request is done.
 *                      May be NULL if the box is empty.
 * @param buffer_size   the size of `buffer` (bytes), at least that of the box.
 * @param[out] request  receives the request; free it with zarrc_request_free().
 * @param[out] err      receives the error; may be NULL.
 * @return ZARRC_OK: the request was started; ZARRC_OUT_OF_BOUNDS, ZARRC_TYPE_MISMATCH,
 *         ZARRC_INVALID_ARGUMENT: it was not; ZARRC_LIMIT_EXCEEDED: the queue is full and the
 *         option queue_full is "fail".
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_read_start(const zarrc_array *array,
                                    const uint64_t *start,
                                    const uint64_t *count,
                                    zarrc_data_type memory_type,
                                    void *buffer,
                                    size_t buffer_size,
                                    zarrc_request **request,
                                    zarrc_error *err);

/**
 * Starts to write a C-contiguous buffer to a box of an array, as zarrc_array_write() does, and
 * returns without waiting. zarrc_request_wait() returns the outcome.
 *
 * @param array         the array.
 * @param start         the first element, one index per dimension; NULL: the origin.
 * @param count         the extents of the box (elements); NULL: to the end of each dimension.
 * @param memory_type   data type of the elements in memory; ZARRC_NATIVE: as stored, in native
 *                      byte order.
 * @param buffer        the box. Must stay valid and untouched until the request is done, unless
 *                      the store has the option queue_copy. May be NULL if the box is empty.
 * @param buffer_size   the size of `buffer` (bytes), at least that of the box.
 * @param[out] request  receives the request; free it with zarrc_request_free().
 * @param[out] err      receives the error; may be NULL.
 * @return ZARRC_OK: the request was started; ZARRC_OUT_OF_BOUNDS, ZARRC_TYPE_MISMATCH,
 *         ZARRC_INVALID_ARGUMENT: it was not; ZARRC_OUT_OF_MEMORY: `buffer` could not be copied;
 *         ZARRC_LIMIT_EXCEEDED: the queue is full and the option queue_full is "fail".
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_write_start(zarrc_array *array,
                                     const uint64_t *start,
                                     const uint64_t *count,
                                     zarrc_data_type memory_type,
                                     const void *buffer,
                                     size_t buffer_size,
                                     zarrc_request **request,
                                     zarrc_error *err);

/**
 * Starts to read the elements of a selection, as zarrc_array_read_selection() does, and returns
 * without waiting. zarrc_request_wait() returns the outcome.
 *
 * @param array         the array.
 * @param selection     the selection. Copied: may be changed or freed after the call.
 * @param memory_type   data type of the elements in memory; ZARRC_NATIVE: as stored, in native
 *                      byte order.
 * @param[out] buffer   where the first element of the result goes. Must stay valid and untouched
 *                      until the request is done. May be NULL if nothing is selected.
 * @param strides       the distance between elements in memory along each dimension of the result
 *                      (bytes), may be negative; NULL: C-contiguous. Copied.
 * @param buffer_size   the size of the memory (bytes), at least from the lowest to the highest
 *                      byte of the elements.
 * @param[out] request  receives the request; free it with zarrc_request_free().
 * @param[out] err      receives the error; may be NULL.
 * @return ZARRC_OK: the request was started; ZARRC_OUT_OF_BOUNDS, ZARRC_TYPE_MISMATCH,
 *         ZARRC_INVALID_ARGUMENT: it was not; ZARRC_LIMIT_EXCEEDED: the queue is full and the
 *         option queue_full is "fail".
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_read_selection_start(const zarrc_array *array,
                                              const zarrc_selection *selection,
                                              zarrc_data_type memory_type,
                                              void *buffer,
                                              const int64_t *strides,
                                              size_t buffer_size,
                                              zarrc_request **request,
                                              zarrc_error *err);

/**
 * Starts to write the elements of a selection, as zarrc_array_write_selection() does, and returns
 * without waiting. zarrc_request_wait() returns the outcome.
 *
 * @param array         the array.
 * @param selection     the selection. Copied: may be changed or freed after the call.
 * @param memory_type   data type of the elements in memory; ZARRC_NATIVE: as stored, in native
 *                      byte order.
 * @param buffer        the first element of the result. Must stay valid and untouched until the
 *                      request is done, unless the store has the option queue_copy. May be NULL if
 *                      nothing is selected.
 * @param strides       the distance between elements in memory along each dimension of the result
 *                      (bytes), may be negative or 0; NULL: C-contiguous. Copied.
 * @param buffer_size   the size of the memory (bytes), at least from the lowest to the highest
 *                      byte of the elements.
 * @param[out] request  receives the request; free it with zarrc_request_free().
 * @param[out] err      receives the error; may be NULL.
 * @return ZARRC_OK: the request was started; ZARRC_OUT_OF_BOUNDS, ZARRC_TYPE_MISMATCH,
 *         ZARRC_INVALID_ARGUMENT: it was not; ZARRC_OUT_OF_MEMORY: `buffer` could not be copied;
 *         ZARRC_LIMIT_EXCEEDED: the queue is full and the option queue_full is "fail".
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_write_selection_start(zarrc_array *array,
                                               const zarrc_selection *selection,
                                               zarrc_data_type memory_type,
                                               const void *buffer,
                                               const int64_t *strides,
                                               size_t buffer_size,
                                               zarrc_request **request,
                                               zarrc_error *err);

/**
 * Returns whether a request is done, without waiting. zarrc_request_wait() returns its outcome.
 *
 * @param request    the request.
 * @param[out] done  receives whether the request is done.
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: also a request that was started before a fork.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_request_test(zarrc_request *request, bool *done, zarrc_error *err);

/**
 * Waits until a request is done, and returns its outcome. Several threads may wait for one
 * request, any number of times.
 *
 * @param request  the request.
 * @param[out] err  receives the error; may be NULL.
 * @return the status that the read or write would have returned without a request;
 *         ZARRC_CANCELLED: zarrc_request_cancel() ended it; ZARRC_INVALID_ARGUMENT: also a request
 *         that was started before a fork.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_request_wait(zarrc_request *request,
                                zarrc_error *err);

/**
 * Waits until one of several requests is done. zarrc_request_wait() returns its outcome.
 *
 * @param requests    `count` requests, of any arrays and stores.
 * @param count       the number of requests, at least 1.
 * @param[out] index  receives the position of the first one that is done.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: also a request that was started before a fork.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_request_wait_any(zarrc_request *const *requests,
                                    size_t count,
                                    size_t *index,
                                    zarrc_error *err);

/**
 * Returns a file descriptor that becomes readable when a request is done, for poll(), select(),
 * epoll, kqueue and event loops. The request owns and closes it; the program must neither read nor
 * close it.
 *
 * @param request  the request.
 * @param[out] fd  receives the file descriptor.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_IO: the system provides no descriptor; ZARRC_UNSUPPORTED: on Windows;
 *         ZARRC_INVALID_ARGUMENT: also a request that was started before a fork.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_request_fd(zarrc_request *request,
                              int32_t *fd,
                              zarrc_error *err);

/**
 * Cancels a request without waiting: it ends before its next chunk with ZARRC_CANCELLED, unless it
 * is already done. Chunks are replaced as a whole or not at all.
 *
 * @param request  the request; may be NULL.
 * @since 0.2.0
 */
ZARRC_API
void zarrc_request_cancel(zarrc_request *request);

/**
 * Waits until a request is done, then frees it. Call zarrc_request_cancel() first to wait less.
 *
 * @param request  the request; may be NULL.
 * @since 0.2.0
 */
ZARRC_API
void zarrc_request_free(zarrc_request *request);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup writer The streaming writer
 * @{ */

/** How to write. Zero the struct, then set `size` and the members you need. */
typedef struct zarrc_writer_options {
  /** sizeof(zarrc_writer_options) in the header that the program was compiled with. */
  size_t size;
  /**
   * How long a committed step may stay invisible because its chunks are not full (seconds).
   * After that they are stored, and stored again when they are full. 0: until
   * zarrc_writer_flush() or zarrc_writer_close().
   */
  double flush_seconds;
  /**
   * Limit of the memory of chunks that are not full (bytes). Beyond it, the oldest is stored
   * early, and again when it is full. 0: enough for two rows of chunks of each array, a row being
   * the chunks that hold one step.
   */
  uint64_t buffer_bytes;
} zarrc_writer_options;

/**
 * Opens a writer. Creates the group, unless there is one.
 *
 * @param store        the store, opened for writing. The writer keeps it open.
 * @param path         the group's path; "" is the root.
 * @param options      how to write; NULL: the defaults.
 * @param[out] writer  receives the writer; close it with zarrc_writer_close().
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is an array at `path`; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_INVALID_METADATA; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_writer_open(zarrc_store *store,
                               const char *path,
                               const zarrc_writer_options *options,
                               zarrc_writer **writer,
                               zarrc_error *err);

/**
 * Declares an array: creates it, or opens an existing one to go on. Declare all arrays before the
 * first call of zarrc_writer_put() or zarrc_writer_commit().
 *
 * Give each dimension a name, and the array its attributes (units, standard_name, calendar), with
 * zarrc_array_spec_set_dimension_names() and zarrc_array_spec_set_attributes_json(): then xarray
 * finds coordinates and CF metadata. Write arrays without steps, such as coordinates in space, with
 * zarrc_array_create() and zarrc_array_write().
 *
 * @param writer         the writer.
 * @param name           the array's name in the group.
 * @param spec           the specification, whose first extent is 0. Copied: may be freed after the
 *                       call. An existing array must have its data type and other extents, and
 *                       keeps its chunks, codecs and attributes.
 * @param[out] variable  receives the number of the array for zarrc_writer_put(): 0, 1, and so on.
 *                       May be NULL.
 * @param[out] err       receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_ALREADY_EXISTS: it is declared already, or there is a group or another
 *         array of that name; ZARRC_INVALID_ARGUMENT: the first extent is not 0, a dimension has
 *         another extent or first name than in an array declared before, the writer has begun, or
 *         the specification contradicts itself; ZARRC_UNSUPPORTED: elements of variable length, or
 *         chunks of several shapes; ZARRC_LIMIT_EXCEEDED; ZARRC_INVALID_METADATA;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_writer_declare(zarrc_writer *writer,
                                  const char *name,
                                  const zarrc_array_spec *spec,
                                  size_t *variable,
                                  zarrc_error *err);

/**
 * Starts to write a block: a box of an array, within steps that are not committed. Copies the
 * block and returns without waiting for the store; waits only while the queue is full (option
 * queue_bytes). Blocks of one array that overlap are written in the order of their calls. A block
 * that cannot be written makes the next commit, flush or close fail.
 *
 * @param writer       the writer.
 * @param variable     the number of the array.
 * @param start        the first element, one index per dimension; the first index is the step.
 * @param count        the extents of the box (elements); the first one counts steps.
 * @param memory_type  data type of the elements in memory; ZARRC_NATIVE: as stored, in native byte
 *                     order.
 * @param buffer       the block, last dimension fastest. May be NULL if it is empty.
 * @param buffer_size  the size of `buffer` (bytes), at least that of the block.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK: the block was copied; ZARRC_OUT_OF_BOUNDS: the box leaves the array, or begins
 *         in a committed step; ZARRC_INVALID_ARGUMENT; ZARRC_TYPE_MISMATCH; ZARRC_OUT_OF_MEMORY;
 *         ZARRC_LIMIT_EXCEEDED: the queue is full and the option queue_full is "fail". Otherwise
 *         the error of an earlier block or commit, after which nothing more becomes visible.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_writer_put(zarrc_writer *writer,
                              size_t variable,
                              const uint64_t *start,
                              const uint64_t *count,
                              zarrc_data_type memory_type,
                              const void *buffer,
                              size_t buffer_size,
                              zarrc_error *err);

/**
 * Commits steps: says that all blocks of the first `steps` steps were put, and returns without
 * waiting. They become visible together, at once or later (see zarrc_writer). Calls of
 * zarrc_writer_put() for these steps must have returned.
 *
 * @param writer  the writer.
 * @param steps   the number of complete steps, never less than in an earlier call.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: more steps are committed, or no array is declared.
 *         Otherwise the error of an earlier block or commit, after which nothing more becomes
 *         visible: close the writer and open it again to go on after the visible steps.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_writer_commit(zarrc_writer *writer, uint64_t steps, zarrc_error *err);

/**
 * Makes all committed steps visible, also those whose chunks are not full, and waits for that.
 *
 * @param writer  the writer.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: no array is declared. Otherwise the error of an
 *         earlier block or commit.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_writer_flush(zarrc_writer *writer, zarrc_error *err);

/**
 * Returns the number of steps that readers see. Before the first block or commit: the step at which
 * to go on, once all arrays are declared.
 *
 * @param writer      the writer.
 * @param[out] steps  receives the number of steps.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_writer_steps(const zarrc_writer *writer,
                                uint64_t *steps,
                                zarrc_error *err);

/**
 * Closes a writer: makes all committed steps visible, deletes blocks of other steps, and frees the
 * handle. The handle is invalid after the call, even if the call fails; readers then see the steps
 * that were visible before.
 *
 * @param writer  the writer; may be NULL.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; the error of an earlier block or commit; ZARRC_CONFLICT: others changed the
 *         arrays; ZARRC_INVALID_ARGUMENT: also in the child of a fork; ZARRC_PERMISSION_DENIED;
 *         ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API
zarrc_status zarrc_writer_close(zarrc_writer *writer,
                                zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup codec Custom codecs
 * @{ */

/** What a codec maps to what: one of the constants below. */
typedef int32_t zarrc_codec_kind;
/** The constants of ::zarrc_codec_kind. */
enum zarrc_codec_kind_constants {
  ZARRC_CODEC_BYTES = 0,       /**< Bytes to bytes: a compressor, a checksum. */
  ZARRC_CODEC_ARRAY_BYTES = 1, /**< Array to bytes: receives all elements of a chunk, in C order
                                    and native byte order, and replaces the codec "bytes". */
  ZARRC_CODEC_ARRAY = 2,       /**< Array to array of the same shape and data type: a filter.
                                    Receives elements as ZARRC_CODEC_ARRAY_BYTES does, and
                                    returns as many bytes as it receives. */
};

/** The chunks that a codec will receive. Pointers are valid during the call. */
typedef struct zarrc_codec_chunk {
  /** The size of this struct. Later versions may append members. */
  size_t size;
  /** The number of dimensions. */
  size_t rank;
  /** `rank` extents (elements), slowest dimension first. */
  const uint64_t *shape;
  /** The data type of the elements. */
  zarrc_data_type data_type;
  /** The size of an element (bytes); 0 for variable length. */
  size_t element_size;
  /** The fill value: one element in native byte order. */
  const void *fill_value;
} zarrc_codec_chunk;

/**
 * Reads encoded bytes for zarrc_codec_callbacks.decode_part. Provided by zarrc.
 *
 * @param source  the pointer that the callback received.
 * @param offset  where to start (bytes).
 * @param dst     receives the bytes.
 * @param size    how many to read.
 * @param err     receives the error; may be NULL.
 * @return ZARRC_OK; the callback must return any other status unchanged.
 */
typedef zarrc_status (*zarrc_codec_read)(void *source,
                                         uint64_t offset,
                                         uint8_t *dst,
                                         size_t size,
                                         zarrc_error *err);

/**
 * The functions of a codec that the program implements. Zero the struct, then set `size`, `decode`
 * and whatever else the codec supports.
 *
 * zarrc calls them from any thread, several at once, also for the same `codec`. Each returns
 * ZARRC_OK or the status of the failure, and may describe it in `err->message`, which becomes part
 * of the caller's error. Unknown statuses count as ZARRC_IO. Callbacks may call zarrc, for example
 * to read another array, but must not read or write the chunk that they are called for; they must
 * not throw or longjmp.
 */
typedef struct zarrc_codec_callbacks {
  /** sizeof(zarrc_codec_callbacks) in the header that the program was compiled with. */
  size_t size;
  /** Passed to every callback. */
  void *user;
  /**
   * Frees `user`. Called exactly once, after all other calls: when the codec was unregistered
   * and the last array that uses it was closed. Not called if zarrc_codec_register() fails. May
   * be NULL.
   */
  void (*destroy)(void *user);
  /**
   * Checks a configuration (a JSON object, "{}" if there is none) for chunks like `chunk`. zarrc
   * passes what it stores in `*codec` to the callbacks below. Called when an array is opened or
   * created: return ZARRC_INVALID_METADATA for a bad parameter. NULL: accepts any configuration,
   * and `codec` is NULL.
   */
  zarrc_status (*open)(void *user,
                       const char *configuration,
                       const zarrc_codec_chunk *chunk,
                       void **codec,
                       zarrc_error *err);
  /** Frees what `open` created. May be NULL. */
  void (*close)(void *user, void *codec);
  /**
   * Decodes `src_size` bytes into `dst`, which holds `capacity` bytes, and sets `*dst_size`.
   * Return ZARRC_LIMIT_EXCEEDED if they do not fit: if zarrc does not know the length, it calls
   * again with more capacity. Return ZARRC_CORRUPT_DATA for bytes that no encoder produces.
   * Required.
   */
  zarrc_status (*decode)(void *user,
                         void *codec,
                         const uint8_t *src,
                         size_t src_size,
                         uint8_t *dst,
                         size_t capacity,
                         size_t *dst_size,
                         zarrc_error *err);
  /**
   * Encodes `src_size` bytes into `dst`, by the same rules. NULL: arrays with this codec are
   * read-only.
   */
  zarrc_status (*encode)(void *user,
                         void *codec,
                         const uint8_t *src,
                         size_t src_size,
                         uint8_t *dst,
                         size_t capacity,
                         size_t *dst_size,
                         zarrc_error *err);
  /**
   * Returns the maximum encoded size of `decoded_size` bytes, so that zarrc can allocate it at
   * once. NULL: unknown.
   */
  uint64_t (*bound)(void *user, void *codec, uint64_t decoded_size);
  /**
   * Decodes `size` bytes from decoded offset `offset` into `dst`, of `decoded_size` in all;
   * reads what it needs of the `encoded_size` encoded bytes with read(source, …). NULL: zarrc
   * always decodes whole chunks.
   */
  zarrc_status (*decode_part)(void *user,
                              void *codec,
                              zarrc_codec_read read,
                              void *source,
                              uint64_t encoded_size,
                              uint64_t decoded_size,
                              uint64_t offset,
                              uint8_t *dst,
                              size_t size,
                              zarrc_error *err);
} zarrc_codec_callbacks;

/**
 * Registers a codec for the whole process. Must be called before arrays that use it are opened.
 * Metadata spells it {"name": NAME, "configuration": {…}} in Zarr v3 and {"id": NAME, …} in v2.
 *
 * @param name         the name that new metadata uses. A prefix of your own, such as
 *                     "org.example.", avoids clashes.
 * @param aliases      `alias_count` other names under which metadata may refer to it; NULL if
 *                     alias_count is 0.
 * @param alias_count  the number of aliases.
 * @param kind         a ZARRC_CODEC_ constant.
 * @param callbacks    the functions. Copied; `user` must live until `destroy` is called.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_ALREADY_EXISTS: a codec of zarrc or an earlier call has one of the
 *         names; ZARRC_INVALID_ARGUMENT.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_codec_register(const char *name,
                                  const char *const *aliases,
                                  size_t alias_count,
                                  zarrc_codec_kind kind,
                                  const zarrc_codec_callbacks *callbacks,
                                  zarrc_error *err);

/**
 * Removes a registered codec. Arrays that are open keep it until they are closed; then its
 * `destroy` is called.
 *
 * @param name  the name that zarrc_codec_register() was given, not an alias.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: no such codec is registered; ZARRC_INVALID_ARGUMENT.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_codec_unregister(const char *name, zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup inspect Inspecting arrays and groups: descriptions, digests, stored chunks
 * @{ */

/**
 * Receives the stored chunks, one after the other.
 *
 * @param user   the pointer given with the callback.
 * @param index  the chunk's index, one number per dimension; valid during the call.
 * @param key    the chunk's key; valid during the call.
 * @param bytes  its stored size (bytes).
 * @return true to continue; false to end the visit.
 */
typedef bool (*zarrc_chunk_visitor)(void *user,
                                    const uint64_t *index,
                                    const char *key,
                                    uint64_t bytes);

/**
 * Receives the nodes below a group, one after the other.
 *
 * @param user  the pointer given with the callback.
 * @param path  the node's path, relative to the group; valid during the call.
 * @param kind  a ZARRC_NODE_ constant; ZARRC_NODE_NONE if the node's document cannot be read.
 * @return true to continue; false to end the visit.
 */
typedef bool (*zarrc_node_visitor)(void *user, const char *path, zarrc_node_kind kind);

/**
 * Describes an array as a JSON object: "path", "store", "format", "shape", "chunk_shape",
 * "shard_shape" (null without shards), "data_type", "element_bytes" (0 for variable length),
 * "fill_value", "order", "separator", "dimension_names", "codecs" (spelt as in Zarr v3, whatever
 * the format), "bytes" (of all elements; null for variable length), "stored_bytes", "ratio" (bytes
 * / stored_bytes), "chunks" and "chunks_stored". Later versions may add members.
 *
 * Lists the stored chunks and asks for the size of each, which over a network may take a request
 * per chunk.
 *
 * @param array      the array.
 * @param[out] json  receives the JSON text; free it with zarrc_string_free().
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: the store cannot list its keys; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_info_json(const zarrc_array *array,
                                   char **json,
                                   zarrc_error *err);

/**
 * Computes a digest of the elements in C order and little-endian: independent of format, chunks
 * and codecs, and equal to the digest of the array's bytes in NumPy ("<" types, C order). Each
 * variable-length element is preceded by its length (8 bytes, little-endian). Reads the whole
 * array, in bounded memory.
 *
 * @param array        the array.
 * @param algorithm    "sha1" or "sha256".
 * @param[out] digest  receives the digest in hexadecimal; free it with zarrc_string_free().
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: also an unknown algorithm; ZARRC_CORRUPT_DATA: a chunk
 *         does not decode (the message names it); ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY: a
 *         chunk is too large to decode; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_content_digest(const zarrc_array *array,
                                        const char *algorithm,
                                        char **digest,
                                        zarrc_error *err);

/**
 * Computes a digest of the stored bytes of an array: its chunks in C order, its metadata document,
 * and its attributes if they have a document of their own. For Zarr v2 it equals Array.hexdigest()
 * of zarr-python 2.
 *
 * @param array        the array.
 * @param algorithm    "sha1" or "sha256".
 * @param[out] digest  receives the digest in hexadecimal; free it with zarrc_string_free().
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: also an unknown algorithm; ZARRC_UNSUPPORTED: the
 *         store cannot list its keys; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_stored_digest(const zarrc_array *array,
                                       const char *algorithm,
                                       char **digest,
                                       zarrc_error *err);

/**
 * Returns the codecs of an array (filters, compressor, ...) as a JSON list of objects with "name"
 * and "configuration", in encoding order, spelt as in Zarr v3 whatever the format.
 *
 * @param array      the array.
 * @param[out] json  receives the JSON text; free it with zarrc_string_free().
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_codecs_json(const zarrc_array *array,
                                     char **json,
                                     zarrc_error *err);

/**
 * Returns the path of an array in its store, without a slash at either end.
 *
 * @param array      the array.
 * @param[out] path  receives the path, "" for the root; free it with zarrc_string_free().
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_path(const zarrc_array *array, char **path, zarrc_error *err);

/**
 * Returns the name of an array's store as messages show it: a path or a URL without credentials.
 *
 * @param array      the array.
 * @param[out] name  receives the name; free it with zarrc_string_free().
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_store_name(const zarrc_array *array,
                                    char **name,
                                    zarrc_error *err);

/**
 * Returns the order of the elements in stored chunks.
 *
 * @param array  the array; may be NULL.
 * @return 'C': the last dimension varies fastest; 'F': the first. 0 for NULL.
 * @since 0.2.0
 */
ZARRC_API
char zarrc_array_order(const zarrc_array *array);

/**
 * Returns the separator between the numbers of a chunk key.
 *
 * @param array  the array; may be NULL.
 * @return '.' or '/'. 0 for NULL.
 * @since 0.2.0
 */
ZARRC_API
char zarrc_array_separator(const zarrc_array *array);

/**
 * Returns the key of a chunk (shard, if the array has them), stored or not.
 *
 * @param array     the array.
 * @param rank      the array's rank.
 * @param index     `rank` numbers, each less than zarrc_array_chunk_counts() returns.
 * @param[out] key  receives the key, as zarrc_store_get() accepts it; free it with
 *                  zarrc_string_free().
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: there is no such chunk; ZARRC_INVALID_ARGUMENT.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_chunk_key(const zarrc_array *array,
                                   size_t rank,
                                   const uint64_t *index,
                                   char **key,
                                   zarrc_error *err);

/**
 * Visits the stored chunks (shards, if the array has them) of an array in C order of their
 * indices.
 *
 * @param array    the array.
 * @param rank     the array's rank.
 * @param start    the first chunk along each dimension; NULL: 0.
 * @param count    the number of chunks along each dimension; NULL: to the end of each dimension.
 * @param visitor  called on this thread for each chunk. May use the array; must not throw or
 *                 longjmp.
 * @param user     passed to `visitor`.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK, also if the visitor ended the visit; ZARRC_UNSUPPORTED: the store cannot list
 *         its keys; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_visit_chunks(const zarrc_array *array,
                                      size_t rank,
                                      const uint64_t *start,
                                      const uint64_t *count,
                                      zarrc_chunk_visitor visitor,
                                      void *user,
                                      zarrc_error *err);

/**
 * Draws a group and everything below it as text, one line per node, in UTF-8:
 *
 * @code
 * /
 *  ├── a
 *  │    └── x (10, 20) float32
 *  └── b
 * @endcode
 *
 * @param group      the group.
 * @param[out] text  receives the text; free it with zarrc_string_free().
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: the store cannot list its keys; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_group_tree(const zarrc_group *group, char **text, zarrc_error *err);

/**
 * Visits all nodes below a group, sorted by path (bytewise).
 *
 * @param group    the group.
 * @param visitor  called on this thread for each node. May use the store; must not throw or
 *                 longjmp.
 * @param user     passed to `visitor`.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK, also if the visitor ended the visit; ZARRC_UNSUPPORTED: the store cannot list
 *         its keys; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_group_visit(const zarrc_group *group,
                               zarrc_node_visitor visitor,
                               void *user,
                               zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup convert Conversion between formats
 * @{ */

/**
 * What a conversion may do, and who receives its reports. Zero the struct, then set `size` and the
 * members you need.
 */
typedef struct zarrc_convert_options {
  /** sizeof(zarrc_convert_options) in the header that the program was compiled with. */
  size_t size;
  /**
   * Drop what the other format cannot express, if the elements keep their values: dimension
   * names. Otherwise the call fails before it writes anything.
   */
  bool accept_losses;
  /**
   * After a conversion in place, keep the old format's documents, so that readers of both
   * formats find the arrays.
   */
  bool keep_old;
  /** Receives reports; NULL: no reports. If it cancels, what was done stays. */
  zarrc_progress progress;
  /** Passed to `progress`. */
  void *user;
} zarrc_convert_options;

/**
 * Writes a node and everything below it in another format.
 *
 * Reads every node and expresses it in the other format before it writes anything; what that
 * format cannot express fails the call. Decodes and encodes chunks only if the other format cannot
 * express their encoding (shards in v2, a codec that N5 lacks), else copies their bytes. In place
 * (same store handle, same path), chunks stay where both formats expect them: v1 to v2, v2 to v3.
 *
 * Writes the document of an array after its chunks and that of a group after everything below it:
 * a node that can be opened in the target is complete. The same call resumes a conversion that was
 * interrupted (killed, cancelled, disk full); until then the target holds the key
 * ".zarrc-conversion". In place, the old documents are deleted last.
 *
 * No one else may write to the source or the target during the call. Copies all attributes, but no
 * members of metadata documents that no specification defines.
 *
 * @param from       the source store.
 * @param from_path  the node to convert; "" is the root.
 * @param to         the target store; may be `from`.
 * @param to_path    the path of the converted node; "" is the root.
 * @param format     a ZARRC_FORMAT_ constant other than ZARRC_FORMAT_ANY.
 * @param options    what the conversion may do, and who receives reports; NULL: no losses, no
 *                   reports.
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: a node cannot be read or expressed in the format (the
 *         message names each); ZARRC_NOT_FOUND: there is no node at `from_path`;
 *         ZARRC_ALREADY_EXISTS: there is another node at `to_path`; ZARRC_CANCELLED;
 *         ZARRC_CORRUPT_DATA: a chunk that must be encoded anew does not decode;
 *         ZARRC_INVALID_METADATA; ZARRC_CONFLICT; ZARRC_LIMIT_EXCEEDED; ZARRC_OUT_OF_MEMORY;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_convert(const zarrc_store *from,
                           const char *from_path,
                           zarrc_store *to,
                           const char *to_path,
                           zarrc_format format,
                           const zarrc_convert_options *options,
                           zarrc_error *err);

/**
 * Describes what zarrc_convert() would do as a JSON object, and writes nothing. Members: "from"
 * and "to" (names of formats), "in_place", and "nodes", each with "path", "kind", "chunks"
 * ("stay", "copied", "recoded"; null for a group) and "notes" (a list of changes, for people).
 *
 * @param from       the source store.
 * @param from_path  the node to convert; "" is the root.
 * @param to         the target store; may be `from`.
 * @param to_path    the path of the converted node; "" is the root.
 * @param format     a ZARRC_FORMAT_ constant other than ZARRC_FORMAT_ANY.
 * @param options    what the conversion may do; NULL: no losses.
 * @param[out] json  receives the JSON text; free it with zarrc_string_free().
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: a node cannot be read or expressed in the format (the
 *         message names each); ZARRC_NOT_FOUND: there is no node at `from_path`;
 *         ZARRC_ALREADY_EXISTS: there is another node at `to_path`; ZARRC_INVALID_METADATA;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.1.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_convert_plan(const zarrc_store *from,
                                const char *from_path,
                                const zarrc_store *to,
                                const char *to_path,
                                zarrc_format format,
                                const zarrc_convert_options *options,
                                char **json,
                                zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup operations Copying, moving, consolidating, rechunking, verifying and repairing
 * @{ */

/** What to do with keys that exist in the target: one of the constants below. */
typedef int32_t zarrc_if_exists;
/** The constants of ::zarrc_if_exists. */
enum zarrc_if_exists_constants {
  ZARRC_IF_EXISTS_FAIL = 0,    /**< Fail with ZARRC_ALREADY_EXISTS, and copy nothing. */
  ZARRC_IF_EXISTS_SKIP = 1,    /**< Keep them. */
  ZARRC_IF_EXISTS_REPLACE = 2, /**< Replace their values. */
};

/** How to copy nodes. Zero the struct, then set `size` and the members you need. */
typedef struct zarrc_copy_options {
  /** sizeof(zarrc_copy_options) in the header that the program was compiled with. */
  size_t size;
  /** What to do with keys that exist in the target. */
  zarrc_if_exists if_exists;
  /** Write nothing, only count what would be copied. */
  bool dry_run;
  /** The number of paths in `exclude`. */
  size_t exclude_count;
  /** Paths of nodes, relative to the copied one, to leave out with everything below them. */
  const char *const *exclude;
  /** Receives reports; NULL: no reports. If it cancels, what was copied stays. */
  zarrc_progress progress;
  /** Passed to `progress`. */
  void *user;
  /**
   * How to encode arrays in the copy: sets their format, chunk shape, shard shape, byte order,
   * separator and codecs; what it does not set stays as in the array. An array of another rank
   * keeps its chunks. Codecs that are not set stay in the same format, and become the defaults
   * of another format. NULL: copies the bytes of each key.
   */
  const zarrc_array_spec *spec;
  /** With `spec`: the most memory to use (bytes), as in zarrc_rechunk(). */
  uint64_t memory_limit;
  /**
   * Make hard links instead of copies, as a snapshot that takes no space and little time. Both
   * stores must be directories on one file system; `spec` must be NULL. A value that is replaced
   * or deleted in one of them afterwards stays in the other. zarrc always replaces values that
   * have links, also with the option "overwrite=in_place", and so do zarr-python (2's
   * DirectoryStore, 3 from 3.1.3 on) and tensorstore. Programs that write into existing files
   * change both: netCDF-C's own NCZarr, zarrs, zarr-python 3 before 3.1.3 and through fsspec,
   * `rsync --inplace`, editors. Permissions and owners are those of the file, so they change in
   * both as well.
   */
  bool link;
} zarrc_copy_options;

/** The outcome of a copy. */
typedef struct zarrc_copied {
  /** The number of copied keys; with `zarrc_copy_options.spec`, of nodes. */
  uint64_t keys;
  /** The number of keys (nodes) that existed in the target and were kept. */
  uint64_t skipped;
  /**
   * The number of copied bytes; with `zarrc_copy_options.spec`, of decoded elements of fixed
   * size.
   */
  uint64_t bytes;
} zarrc_copied;

/**
 * Copies a node and everything below it as stored: keys change, values do not. Creates missing
 * parent groups in the target.
 *
 * Copies chunks before documents, and the document of a group after everything below it: a node
 * that can be opened in the target is complete. No one may write to the source during the call. To
 * change the format, use zarrc_convert(); to change chunks or codecs, zarrc_rechunk().
 *
 * @param from       the source store.
 * @param from_path  the node to copy; "" is the root.
 * @param to         the target store; may be `from`.
 * @param to_path    the path of the copy; "" is the root.
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is no node at `from_path`; ZARRC_ALREADY_EXISTS: there
 *         is a node at `to_path`; ZARRC_INVALID_ARGUMENT: one path lies within the other in the
 *         same store, or the target store has another format; ZARRC_UNSUPPORTED: the source cannot
 *         list its keys; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_node_copy(const zarrc_store *from,
                             const char *from_path,
                             zarrc_store *to,
                             const char *to_path,
                             zarrc_error *err);

/**
 * Copies a node and everything below it as zarrc_node_copy() does, with options.
 *
 * With options.spec, arrays are encoded anew, each as zarrc_rechunk() does it. The document comes
 * last, and the same call resumes an interrupted one, with ZARRC_IF_EXISTS_SKIP if it copies a
 * group. Groups are created before the nodes below them. A replaced array is deleted first.
 *
 * With options.link, keys of the copy name the files of the source. An interrupted call leaves
 * whole values, and the same call with ZARRC_IF_EXISTS_SKIP completes it.
 *
 * @param from         the source store.
 * @param from_path    the node to copy; "" is the root.
 * @param to           the target store; may be `from`.
 * @param to_path      the path of the copy; "" is the root.
 * @param options      how to copy; NULL: as zarrc_node_copy().
 * @param[out] copied  receives what was copied, or would be in a dry run. May be NULL.
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_CANCELLED: what was copied before stays; ZARRC_NOT_FOUND: there is no
 *         node at `from_path`; ZARRC_ALREADY_EXISTS: there is a node at `to_path`;
 *         ZARRC_INVALID_ARGUMENT: one path lies within the other in the same store, the target
 *         store has another format, or options.link and options.spec are both given;
 *         ZARRC_UNSUPPORTED: the source cannot list its keys, or options.link: a store is not a
 *         directory, or the file system makes no hard link from one to the other;
 *         ZARRC_PERMISSION_DENIED: also if the system forbids links to files of other users;
 *         ZARRC_IO; with options.spec also the statuses of zarrc_rechunk().
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_node_copy_with(const zarrc_store *from,
                                  const char *from_path,
                                  zarrc_store *to,
                                  const char *to_path,
                                  const zarrc_copy_options *options,
                                  zarrc_copied *copied,
                                  zarrc_error *err);

/**
 * Moves a node and everything below it to another path in the same store. Copies the node, then
 * deletes the original: an interrupted move leaves it at the old path, the new one, or both, and
 * the same call completes it. Until then a key ".zarrc-move" lies below the new path. Handles
 * opened from the old path must not be used afterwards.
 *
 * @param store      the store.
 * @param from_path  the node to move.
 * @param to_path    its new path.
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is no node at `from_path`; ZARRC_ALREADY_EXISTS: there
 *         is a node at `to_path` that an interrupted move did not leave, or a value of the node
 *         was changed at either path since the interruption; ZARRC_INVALID_ARGUMENT: one path lies
 *         within the other; ZARRC_UNSUPPORTED: the store cannot list or delete;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_node_move(zarrc_store *store,
                             const char *from_path,
                             const char *to_path,
                             zarrc_error *err);

/**
 * Writes consolidated metadata for a group: one document with the documents of everything below
 * it, which xarray and zarr-python read instead of those. Zarr v2 stores it in the key .zmetadata,
 * v3 in a member of the group's zarr.json, as zarr-python 3 does.
 *
 * From then on zarrc updates it with each change of a document below the group, unless the option
 * "consolidate" forbids it. Call this function again after other programs changed documents.
 *
 * @param store  the store.
 * @param path   a group that has a metadata document; "" is the root.
 * @param[out] err  receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is no such group; ZARRC_UNSUPPORTED: its format has no
 *         consolidated metadata; ZARRC_INVALID_METADATA; ZARRC_CONFLICT: other writers kept
 *         changing the document; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_consolidate_metadata(zarrc_store *store,
                                        const char *path,
                                        zarrc_error *err);

/**
 * Writes an array anew with other chunks, shards, codecs or another format, in bounded memory.
 *
 * Copies blocks of whole new chunks, as large as memory allows, so that each source chunk is read
 * as seldom as possible. If that would still read source chunks many times, copies through an
 * uncompressed scratch array below ".zarrc-rechunk/" in the target, which takes as much space as
 * the array.
 *
 * Writes the document last: an array that can be opened is complete. The same call resumes after
 * an interruption (killed, cancelled, disk full); until then the target holds the key
 * ".zarrc-rechunk.json". No one else may write to either array during the call.
 *
 * @param from          the source array; may be in another store.
 * @param to            the target store.
 * @param path          the new array's path.
 * @param spec          the new array's specification. Shape and data type must equal those of
 *                      `from`. Fill value, attributes and dimension names default to those of
 *                      `from`; chunks, codecs and format to the defaults of zarrc_array_create().
 * @param memory_limit  memory for elements (bytes); 0: 256 MiB. Variable-length elements count 64
 *                      bytes each.
 * @param progress      receives a report after each block; NULL: no reports.
 * @param user          passed to `progress`.
 * @param[out] err      receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is a node at `path`; ZARRC_INVALID_ARGUMENT: the
 *         specification does not fit `from`; ZARRC_LIMIT_EXCEEDED: a single chunk needs more
 *         memory (the message says how much); ZARRC_CANCELLED; ZARRC_CORRUPT_DATA: a chunk of the
 *         source does not decode; ZARRC_UNSUPPORTED: the format cannot express the specification;
 *         ZARRC_OUT_OF_MEMORY; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_rechunk(const zarrc_array *from,
                           zarrc_store *to,
                           const char *path,
                           const zarrc_array_spec *spec,
                           uint64_t memory_limit,
                           zarrc_progress progress,
                           void *user,
                           zarrc_error *err);

/**
 * Checks everything below a node, and changes nothing: reads each document, decodes each stored
 * chunk with its checksums (even with the option ignore_checksums), compares each shard index with
 * its shard, and consolidated metadata with the documents. Problems that it finds do not fail the
 * call.
 *
 * The report is a JSON object. "nodes", "chunks" and "bytes" count what was checked. "problems" is
 * a list of objects with "node" (path), "key", "kind" and "message" (for people). Kinds:
 *
 * - "document", "attributes": cannot be read.
 * - "chunk": does not decode.
 * - "index": a shard index is damaged or points outside its shard.
 * - "overlap": inner chunks of a shard overlap.
 * - "dead_space": unused bytes in a shard; only wastes space.
 * - "outside": a chunk outside the array's shape.
 * - "consolidated": stale or damaged consolidated metadata.
 * - "mixture": documents of several formats, of which readers may believe different ones.
 * - "interrupted": a conversion, rechunking or move that did not finish.
 * - "store": the structure of the store itself is damaged. Checked with the root, for SQLite:
 *   PRAGMA integrity_check, which reads the whole database and cannot be cancelled.
 * - "temporary": a file of a killed writer.
 * - "unknown": a key that belongs to no node.
 * - "unsupported": this build cannot check it.
 * - "too_large": exceeds a limit.
 * - "unreadable": the system or the network failed.
 *
 * Later versions may add kinds.
 *
 * @param store        the store.
 * @param path         the node to check; "" is the root.
 * @param progress     receives a report after each chunk; NULL: no reports.
 * @param user         passed to `progress`.
 * @param[out] report  receives the report; free it with zarrc_string_free().
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK, whatever problems it finds; ZARRC_NOT_FOUND: there is no node at `path`;
 *         ZARRC_CANCELLED; ZARRC_UNSUPPORTED: the store cannot list its keys;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_verify(const zarrc_store *store,
                          const char *path,
                          zarrc_progress progress,
                          void *user,
                          char **report,
                          zarrc_error *err);

/**
 * Checks everything below a node as zarrc_verify() does, and repairs problems of the given kinds.
 * No one else may write to the store during the call.
 *
 * - "consolidated": writes consolidated metadata anew.
 * - "outside", "unknown": deletes the keys.
 * - "interrupted": deletes what the interrupted call left, which then cannot be resumed.
 * - "chunk", "index": deletes damaged chunks and shards. **Their elements are lost** and read as
 *   the fill value afterwards.
 *
 * The report is a JSON object with two lists in the format of "problems" of zarrc_verify():
 * "repaired" (what was repaired, or would be in a dry run) and "left" (all other problems).
 *
 * @param store        the store.
 * @param path         the node to check; "" is the root.
 * @param kinds        kinds of problems, separated by commas: "outside,consolidated".
 * @param dry_run      true: writes nothing.
 * @param progress     receives reports of the check; NULL: no reports.
 * @param user         passed to `progress`.
 * @param[out] report  receives the report; free it with zarrc_string_free().
 * @param[out] err     receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: also a kind that cannot be repaired; ZARRC_NOT_FOUND:
 *         there is no node at `path`; ZARRC_CANCELLED; ZARRC_UNSUPPORTED: the store cannot list or
 *         delete; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_repair(zarrc_store *store,
                          const char *path,
                          const char *kinds,
                          bool dry_run,
                          zarrc_progress progress,
                          void *user,
                          char **report,
                          zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup hdf5 HDF5 files, and references to the values of files
 * @{ */

/** How an HDF5 file is written. Set everything to zero, then `size` and what there is to set. */
typedef struct zarrc_hdf5_options {
  /** sizeof(zarrc_hdf5_options) of the header that the program was compiled with. */
  size_t size;
  /**
   * Leave out what HDF5 has nothing like: arrays of floats of 8 bits and less, units of time.
   * Otherwise that is an error, before anything is written.
   */
  bool accept_losses;
  /** Replace a file that is there. */
  bool replace;
  /** Names of dimensions that may grow (unlimited), separated by commas. NULL: none. */
  const char *unlimited;
  /** Bytes that the call may use for elements; 0: 64 MiB. A chunk is held in any case. */
  uint64_t memory_limit;
  /** Receives reports, after each block of chunks. NULL: no reports. */
  zarrc_progress progress;
  /** Passed to `progress`. */
  void *user;
} zarrc_hdf5_options;

/**
 * Writes the node at `from_path` and everything below it as a new HDF5 file, which h5py, netCDF-4
 * and xarray read. To read HDF5, open the file as a store (scheme hdf5:) and use zarrc_convert(),
 * zarrc_rechunk() or any other function.
 *
 * Groups, arrays and attributes keep their names. Dimension names become dimension scales: the
 * one-dimensional array of that name, if there is one in the group or above it, else an extent
 * without values, as netCDF-4 has it. The missing value becomes the attribute _FillValue. Chunks
 * keep their shapes; any compressor becomes deflate behind a shuffle, checksums become fletcher32.
 * docs/hdf5.md lists what becomes of each type.
 *
 * All is written to a file beside `file`, which gets its name when it is complete: after a failure
 * or a kill, what was there before is there still. libhdf5 is called by one thread at a time.
 *
 * @param from        the source store.
 * @param from_path   path of the node; "" for the whole store.
 * @param file        path of the new file on the local machine.
 * @param options     NULL: no losses, nothing replaced.
 * @param[out] notes  JSON list of objects with "path" and "note": what changes, in words. Free it
 *                    with zarrc_string_free(). May be NULL.
 * @param[out] err    receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: HDF5 has nothing like a node (the message names each), or
 *         this build or machine has no libhdf5; ZARRC_ALREADY_EXISTS: there is such a file;
 *         ZARRC_NOT_FOUND: there is nothing at from_path, or no directory for the file;
 *         ZARRC_CANCELLED; ZARRC_CORRUPT_DATA: a chunk does not decode; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_OUT_OF_MEMORY; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_hdf5_export(const zarrc_store *from,
                               const char *from_path,
                               const char *file,
                               const zarrc_hdf5_options *options,
                               char **notes,
                               zarrc_error *err);

/**
 * References to everything below a node, where its values lie in files that others can read too:
 * kerchunk's JSON, version 1, which zarrc, fsspec, zarr-python and xarray open. For a store of an
 * HDF5 file (scheme hdf5:) its chunks are read in place instead of being copied. Of other
 * references it makes JSON, as of those in Parquet files.
 *
 * Documents, and chunks that are no ranges of a file (HDF5's texts of any length, filters without
 * a codec), stand among the references themselves: they take memory, and room in the result.
 * Arrays of Zarr v2 whose dimensions have no names get some, as xarray needs them: phony_dim_0.
 *
 * @param store      the store.
 * @param path       path of the node; "" for the whole store.
 * @param url        URL or path that the references name for the file, as for readers elsewhere.
 *                   NULL: as the store has it; of a file of this machine the absolute path.
 * @param progress   receives reports, after each key; NULL: no reports.
 * @param user       passed to `progress`.
 * @param[out] json  the references; free it with zarrc_string_free().
 * @param[out] err   receives the error; may be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is nothing at that path; ZARRC_INVALID_ARGUMENT: `url`
 *         is given and the values lie in several files; ZARRC_CANCELLED; ZARRC_UNSUPPORTED: the
 *         store cannot list its keys; ZARRC_CORRUPT_DATA; ZARRC_OUT_OF_MEMORY; ZARRC_IO.
 * @since 0.2.0
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_references_json(const zarrc_store *store,
                                   const char *path,
                                   const char *url,
                                   zarrc_progress progress,
                                   void *user,
                                   char **json,
                                   zarrc_error *err);
/** @} */

#ifdef __cplusplus
}
#endif

#endif /* ZARRC_H */
