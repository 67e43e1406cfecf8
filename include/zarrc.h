/**
 * @file zarrc.h
 * @brief zarrc 0.1: Zarr arrays from C, and from everything that can call C.
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
 * Rules that hold for every function
 *  - It never aborts, never unwinds into the caller, never prints.
 *  - What can fail returns zarrc_status and takes `zarrc_error *err` last; `err` may be NULL. On
 *    success *err is left alone. There is no "last error" per thread.
 *  - Outputs are written only on success, except where said otherwise.
 *  - A NULL handle, a NULL required pointer, a wrong rank or an unknown enum value gives
 *    ZARRC_INVALID_ARGUMENT, naming the argument.
 *  - A handle may be used by any number of threads at once; only its own close or free must not
 *    run beside another use of it. Handles keep what they need alive: a store may be closed before
 *    the arrays opened from it.
 *  - close and free accept NULL. close does I/O and can fail; free cannot.
 *  - Strings in are UTF-8 and NUL-terminated. `char **` strings out are owned by the caller and
 *    freed with zarrc_string_free.
 *  - Extents are uint64_t, in C order (slowest dimension first), counted in elements; strides are
 *    int64_t, in bytes; sizes of memory are size_t. An array has at most 255 dimensions.
 *  - Memory is native-endian. Stored bytes are swapped as needed.
 *  - Constants are enumerators; functions take and return them as int32_t, whose size does not
 *    depend on the compiler.
 *  - A forked child may use the handles of its parent; it gets a pool of threads of its own. A zip
 *    file it can only read by them, a dbm file not at all: it must open that itself.
 *  - All is there since 0.1 where no @since says otherwise.
 *
 * Contents
 *  - Handles: what functions take and return
 *  - Status and errors
 *  - Data types and formats
 *  - Options
 *  - Progress of long calls
 *  - Stores
 *  - Stores of a program's own
 *  - Attributes
 *  - Attributes as C values
 *  - Hierarchy
 *  - What a new array is to be
 *  - Creating, opening and inspecting arrays
 *  - Reading, writing and changing arrays
 *  - Elements of variable length: strings, byte strings, runs of numbers, JSON
 *  - Changing the extent of an array: appending, growing, resizing
 *  - Selections: what is picked out of an array
 *  - Requests: reads and writes that do not wait
 *  - Codecs of the program's own
 *  - Looking at arrays and groups
 *  - Conversion between formats
 *  - Copying, moving, rechunking and checking
 *  - HDF5 files, and references to the values of files
 *
 * Written from src/capi/ by `make header`.
 */
#ifndef ZARRC_H
#define ZARRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ZARRC_VERSION "0.1.0"
#define ZARRC_VERSION_MAJOR 0
#define ZARRC_VERSION_MINOR 1
#define ZARRC_VERSION_PATCH 0
/** To compare versions: 10000 * major + 100 * minor + patch. */
#define ZARRC_VERSION_NUMBER \
  (10000 * ZARRC_VERSION_MAJOR + 100 * ZARRC_VERSION_MINOR + ZARRC_VERSION_PATCH)

/** Before each function. Define ZARRC_STATIC to link the static library on Windows. */
#ifndef ZARRC_API
#if defined(_WIN32) && !defined(ZARRC_STATIC)
#define ZARRC_API __declspec(dllimport)
#elif defined(__GNUC__)
#define ZARRC_API __attribute__((visibility("default")))
#else
#define ZARRC_API
#endif
#endif

/** Before each function whose status must be looked at. Define it as nothing to do without. */
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
/** @defgroup handles Handles: what functions take and return
 * @{ */

/**
 * Named settings, given as strings; zarrc_build_info() says what each does and takes: "threads",
 * "follow_symlinks", "sync", "consolidated", "write_empty_chunks", "chunk_cache", "write_buffer",
 * "queue_bytes", "ignore_checksums", "unknown_codecs" and others.
 * Built by one thread; may be used for any number of stores.
 */
typedef struct zarrc_options zarrc_options;

/** An open store. Any number of threads may use it at once. */
typedef struct zarrc_store zarrc_store;

/**
 * The user's attributes of a node: a JSON object. Borrowed from the node, nothing to free. Read
 * when they are first asked for; every change is written through at once, to the document as it
 * is then, so that what others have changed in it stays. Any number of threads may use them at
 * once.
 *
 * In JSON that is handed out, numbers that JSON cannot say are the strings "NaN", "Infinity" and
 * "-Infinity".
 */
typedef struct zarrc_attributes zarrc_attributes;

/** An open group. Any number of threads may use it at once. */
typedef struct zarrc_group zarrc_group;

/** The nodes that a listing found. Does not change; any number of threads may use it at once. */
typedef struct zarrc_listing zarrc_listing;

/**
 * What a new array is to be. Chunks, fill value and codecs have sensible defaults (chunks of
 * about 1 MiB, 0, zstd), so rank, shape and type are enough. Built by one thread; may be used for
 * any number of arrays.
 */
typedef struct zarrc_array_spec zarrc_array_spec;

/**
 * An open array. Any number of threads may read and write it at once; writes to different chunks
 * never disturb each other, and of two writes to the same part of a chunk the last one stays.
 */
typedef struct zarrc_array zarrc_array;

/**
 * Elements of variable length that were read: element i, in C order of the box, is the bytes from
 * offsets[i] up to offsets[i + 1] (Arrow's large layout). Strings are UTF-8 without a NUL behind
 * them; runs (ZARRC_RAGGED) are their items in native byte order, of which offsets count the
 * bytes; an element of ZARRC_JSON is a JSON text. Read by any number of threads.
 */
typedef struct zarrc_vlen zarrc_vlen;

/**
 * What a call reads or writes of an array: NumPy's indexing, `oindex` of zarr-python.
 *
 * Each dimension has a selection of its own (a range, an index, a list of indices or a mask), or
 * points or a mask of all elements select elements one by one. Setting one dimension after points
 * or a mask of all elements makes the others select everything again; setting points, a mask or
 * blocks replaces whatever was set before.
 *
 * The result has one dimension for each range, list and mask, in the array's order, with as many
 * elements as they select; an index drops its dimension. Of points, and of a mask of all elements,
 * the result has one dimension. Indices may repeat and be in any order: a read gives the element
 * each time, and of several values written to one element the last (in C order) stays.
 *
 * Built by one thread; then any number of threads may use it, for any number of calls. It keeps
 * its array open. An array that becomes smaller fails with ZARRC_OUT_OF_BOUNDS where the selection
 * leaves it.
 */
typedef struct zarrc_selection zarrc_selection;

/**
 * A read or a write that was started and runs on the library's threads.
 *
 * Requests of one array whose boxes overlap run in the order in which they were started, if one of
 * them writes; of a selection that is no box, the box that encloses it counts. All others run at
 * the same time. A call that waits (zarrc_array_read() and the like) begins once the requests that
 * it overlaps are done; zarrc_array_flush(), zarrc_array_resize() and zarrc_array_close() once all
 * of the array's are.
 *
 * A request keeps its array open, but not the memory that it reads into or writes from: that must
 * stay untouched until it is done. With the option queue_copy a write copies its memory when it is
 * started. The option queue_bytes bounds the memory of all requests of a store; to start one more
 * then waits, or fails if the option queue_full says so.
 *
 * After a fork the requests of the parent are not the child's: to test or wait for one there fails
 * with ZARRC_INVALID_ARGUMENT.
 */
typedef struct zarrc_request zarrc_request;
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup status Status and errors
 * @{ */

/** What became of a call: ZARRC_OK or one of the constants below. New ones may be added. */
typedef int32_t zarrc_status;
/** The constants of ::zarrc_status. */
enum zarrc_status_constants {
  ZARRC_OK = 0,                /**< The call did what it says. */
  ZARRC_INVALID_ARGUMENT = 1,  /**< A caller's mistake: a NULL, a wrong rank or size, an unknown
                                    constant. The message names the argument. */
  ZARRC_OUT_OF_BOUNDS = 2,     /**< The selection leaves the array, the range leaves the value. */
  ZARRC_NOT_FOUND = 3,         /**< No such store, node, key or attribute. */
  ZARRC_ALREADY_EXISTS = 4,    /**< Something is there already. */
  ZARRC_INVALID_METADATA = 5,  /**< The metadata document breaks its specification. */
  ZARRC_CORRUPT_DATA = 6,      /**< A chunk does not decode to what the metadata says. */
  ZARRC_UNSUPPORTED = 7,       /**< Valid, but not something that this build can do. The message
                                    names it. */
  ZARRC_TYPE_MISMATCH = 8,     /**< There is no conversion between the two types, or a value does
                                    not fit the other one. */
  ZARRC_PERMISSION_DENIED = 9, /**< The store is read-only, or the system said no. */
  ZARRC_IO = 10,               /**< The file system, network or database failed;
                                    zarrc_error.system_code may say how. */
  ZARRC_CONFLICT = 11,         /**< Someone else kept changing it in between. */
  ZARRC_LIMIT_EXCEEDED = 12,   /**< Past a bound: of sizes, of depth, of memory. */
  ZARRC_CANCELLED = 13,        /**< The request was cancelled. */
  ZARRC_OUT_OF_MEMORY = 14,    /**< The system gives no more memory. */
  ZARRC_INTERNAL = 15,         /**< A bug in zarrc, caught before it could do harm to the caller. */
};

/**
 * What went wrong. Owned by the caller (usually on the stack), nothing to free. Filled only by a
 * call that fails.
 */
typedef struct zarrc_error {
  /** The status that the call returned. */
  zarrc_status status;
  /** errno or the HTTP status behind it, 0 where there is none. */
  int32_t system_code;
  /**
   * UTF-8, NUL-terminated, one line: the store, node, key and chunk concerned, the reason, and
   * what to do where that is known. One that is too long lacks its middle, where an ellipsis
   * stands; control characters of names are escaped ("\\n").
   */
  char message[1016];
} zarrc_error;

/**
 * The name of a status, as "ZARRC_NOT_FOUND"; "unknown status" for any other number. Static:
 * nothing to free.
 */
ZARRC_API
const char *zarrc_status_name(zarrc_status status);

/**
 * The version of the library that is running, as "0.1.0"; ZARRC_VERSION is that of the header.
 * Static: nothing to free.
 */
ZARRC_API
const char *zarrc_version(void);

/**
 * What this build can do, as a JSON object: "version", "formats", "codecs" (each with "name",
 * "aliases" and "kind"), "stores" (the schemes of URLs) and "options" (each with "name", "values",
 * "default" and "doc").
 *
 * @param[out] json  to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: json is NULL.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_build_info(char **json, zarrc_error *err);

/** Frees a string that a function of this library handed out. NULL is accepted. */
ZARRC_API
void zarrc_string_free(char *string);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup data_type Data types and formats
 * @{ */

/** A type of elements: one of the constants below. */
typedef int32_t zarrc_data_type;
/** The constants of ::zarrc_data_type. */
enum zarrc_data_type_constants {
  ZARRC_NATIVE = 0,                      /**< As stored, in native byte order (memory types
                                              only). Of types whose low bits alone count, the
                                              others are as stored too, and may be anything. */
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
  ZARRC_DATETIME64 = 19,                 /**< int64 count of a unit since 1970; INT64_MIN is "not
                                              a time". */
  ZARRC_TIMEDELTA64 = 20,                /**< int64 count of a unit; INT64_MIN is "not a time". */
  ZARRC_STRUCT = 21,                     /**< Packed fields in declared order. */
  ZARRC_STRING = 22,                     /**< Variable-length UTF-8. */
  ZARRC_BYTES = 23,                      /**< Variable-length bytes. */
  ZARRC_RAGGED = 24,                     /**< Variable-length runs of a primitive type. */
  ZARRC_JSON = 25,                       /**< Any JSON value per element. */
  ZARRC_INT2 = 26,                       /**< One byte, -2 to 1: its two lowest bits count. Read
                                              sign-extended, so an int8_t. */
  ZARRC_INT4 = 27,                       /**< One byte, -8 to 7: its four lowest bits count. Read
                                              sign-extended, so an int8_t. */
  ZARRC_UINT2 = 28,                      /**< One byte, 0 to 3: its two lowest bits count. */
  ZARRC_UINT4 = 29,                      /**< One byte, 0 to 15: its four lowest bits count. */
  ZARRC_FLOAT4_E2M1FN = 30,              /**< One byte: its lowest four bits are a sign, 2 of
                                              exponent and 1 of mantissa. All are finite. */
  ZARRC_FLOAT6_E2M3FN = 31,              /**< One byte: its lowest six bits are a sign, 2 of
                                              exponent and 3 of mantissa. All are finite. */
  ZARRC_FLOAT6_E3M2FN = 32,              /**< One byte: its lowest six bits are a sign, 3 of
                                              exponent and 2 of mantissa. All are finite. */
  ZARRC_FLOAT8_E3M4 = 33,                /**< One byte, as IEEE 754 would have it. */
  ZARRC_FLOAT8_E4M3 = 34,                /**< One byte, as IEEE 754 would have it. */
  ZARRC_FLOAT8_E4M3B11FNUZ = 35,         /**< One byte, bias 11; no infinities, no -0, 0x80 is
                                              NaN. */
  ZARRC_FLOAT8_E4M3FN = 36,              /**< One byte; no infinities, 0x7f and 0xff are NaN. */
  ZARRC_FLOAT8_E4M3FNUZ = 37,            /**< One byte, bias 8; no infinities, no -0, 0x80 is
                                              NaN. */
  ZARRC_FLOAT8_E5M2 = 38,                /**< One byte, as IEEE 754 would have it. */
  ZARRC_FLOAT8_E5M2FNUZ = 39,            /**< One byte, bias 16; no infinities, no -0, 0x80 is
                                              NaN. */
  ZARRC_FLOAT8_E8M0FNU = 40,             /**< One byte: powers of two from 2^-127 on; no sign, no
                                              0, 0xff is NaN. */
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

/** An on-disk format: one of the constants below. */
typedef int32_t zarrc_format;
/** The constants of ::zarrc_format. */
enum zarrc_format_constants {
  ZARRC_FORMAT_ANY = 0,     /**< Opening: whichever it is. Creating: that of the group above,
                                 else Zarr v3. */
  ZARRC_FORMAT_V1 = 1,      /**< Zarr v1. */
  ZARRC_FORMAT_V2 = 2,      /**< Zarr v2. */
  ZARRC_FORMAT_V3 = 3,      /**< Zarr v3: the final specification, 3.0 and 3.1. */
  ZARRC_FORMAT_N5 = 4,      /**< N5. */
  ZARRC_FORMAT_V3_2019 = 5, /**< The v3 draft of 2019. */
  ZARRC_FORMAT_V3_2020 = 6, /**< The v3 draft of 2020. */
  ZARRC_FORMAT_V3_2022 = 7, /**< The v3 draft of 2022. */
};

/**
 * The name of a type: "float32", "string", "datetime64", …, which is that of its constant in lower
 * case. Static: never freed, good in any thread.
 *
 * @return the name; NULL for a number that is none of the ZARRC_ types.
 */
ZARRC_API
const char *zarrc_data_type_name(zarrc_data_type data_type);

/**
 * Bytes of an element of a type in memory.
 *
 * @return the size in bytes; 0 where elements are of variable length or parameters say their size
 *         (ZARRC_RAW, ZARRC_FIXED_BYTES, ZARRC_FIXED_UTF32, ZARRC_STRUCT: see
 *         zarrc_array_element_size()), for ZARRC_NATIVE, and for a number that is no type.
 */
ZARRC_API
size_t zarrc_data_type_size(zarrc_data_type data_type);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup options Options
 * @{ */

/** New options, everything at its default. NULL only if there is no memory. */
ZARRC_API
zarrc_options *zarrc_options_new(void);

/**
 * Sets one option.
 *
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: there is no such option (the message names the
 *         nearest one), or it takes no such value (the message says which).
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_options_set(zarrc_options *options,
                               const char *name,
                               const char *value,
                               zarrc_error *err);

/** Frees options. NULL is accepted. */
ZARRC_API
void zarrc_options_free(zarrc_options *options);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup progress Progress of long calls
 * @{ */

/**
 * Receives reports of a long call.
 *
 * Called from any thread, by one at a time, after each chunk or node. It must not call back into
 * the handles that the call works on, and must not unwind.
 *
 * @param user  the pointer that was given with the callback.
 * @param done  the fraction done, 0 to 1; never falls.
 * @param what  what was done last, for people; valid during the call.
 * @return false cancels the call, which then returns ZARRC_CANCELLED.
 */
typedef bool (*zarrc_progress)(void *user, double done, const char *what);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup store Stores
 * @{ */

/** How a store is opened: one of the constants below. */
typedef int32_t zarrc_mode;
/** The constants of ::zarrc_mode. */
enum zarrc_mode_constants {
  ZARRC_READ = 0,       /**< Must exist, is not changed (h5py "r"). */
  ZARRC_READ_WRITE = 1, /**< Must exist (h5py "r+"). */
  ZARRC_APPEND = 2,     /**< Is created if it is missing (h5py "a"). */
  ZARRC_CREATE = 3,     /**< Must not exist (h5py "w-"). */
  ZARRC_OVERWRITE = 4,  /**< What is there is deleted first (h5py "w"). */
};

/**
 * Opens a store.
 *
 * @param url      a path ("data/run1.zarr", absolute or relative; also of a file, as a zip file or
 *                 SQLite database, which is recognised), "file:PATH", "file:///absolute/path"
 *                 (percent-decoded), "memory:" (of its own) or "memory:NAME" (shared within the
 *                 process while a handle is open), or another scheme. Adapters are piped behind
 *                 it: "data/x.zip|zip:a/b". docs/stores.md lists all of them.
 * @param options  settings for the store and all that is opened from it; NULL: the defaults.
 *                 Copied: may be freed at once.
 * @param[out] store  to be closed with zarrc_store_close().
 * @return ZARRC_OK; ZARRC_NOT_FOUND or ZARRC_ALREADY_EXISTS by the mode (also: the mode would
 *         delete a directory that is no Zarr store); ZARRC_UNSUPPORTED: no such scheme in
 *         this build; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_store_open(const char *url,
                              zarrc_mode mode,
                              const zarrc_options *options,
                              zarrc_store **store,
                              zarrc_error *err);

/**
 * Closes a store. What was opened from it stays usable. NULL is accepted.
 *
 * @return ZARRC_OK; what can go wrong with a last write, as to a zip file its list of contents:
 *         ZARRC_IO, ZARRC_CONFLICT. The handle is gone whatever is returned.
 */
ZARRC_API
zarrc_status zarrc_store_close(zarrc_store *store, zarrc_error *err);

/**
 * The value of a key, as it lies in the store.
 *
 * @param key         segments joined by "/": none of them empty, "." or "..".
 * @param[out] value  to be freed with zarrc_value_free().
 * @param[out] size   its length in bytes.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is no such key; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_store_get(const zarrc_store *store,
                             const char *key,
                             uint8_t **value,
                             size_t *size,
                             zarrc_error *err);

/**
 * A part of the value of a key: `length` bytes from `offset` on, fewer where the value ends
 * before (UINT64_MAX: to its end). The rest is as for zarrc_store_get().
 *
 * @return also ZARRC_OUT_OF_BOUNDS: offset lies beyond the end of the value.
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
 * Sets the value of a key. It is replaced at once and whole: readers see the old value or the
 * new one, also after a crash of this process.
 *
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_store_set(zarrc_store *store,
                             const char *key,
                             const void *value,
                             size_t size,
                             zarrc_error *err);

/**
 * Takes a key and its value away.
 *
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is no such key; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_store_erase(zarrc_store *store, const char *key, zarrc_error *err);

/**
 * Takes away every key that begins with `prefix`, which ends in "/" or is empty (all keys).
 * That there are none is no error.
 *
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_store_erase_prefix(zarrc_store *store, const char *prefix, zarrc_error *err);

/**
 * Forgets what an adapter (cache:, simplecache:) keeps of the values whose keys begin with `prefix`,
 * which ends in "/" or is empty (all keys), so that they are read anew, and the consolidated metadata
 * that the store has been found to have.
 *
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_store_forget(zarrc_store *store,
                                const char *prefix,
                                zarrc_error *err);

/**
 * Frees a value that zarrc_store_get() or zarrc_store_get_range() handed out. NULL is accepted.
 */
ZARRC_API
void zarrc_value_free(uint8_t *value, size_t size);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup callbacks Stores of a program's own
 * @{ */

/**
 * Takes bytes from a callback, behind those that it gave before; zarrc's own function.
 *
 * @return false: there is no memory for them; the callback returns what it likes.
 */
typedef bool (*zarrc_give_bytes)(void *to, const void *bytes, size_t size);

/**
 * Takes one key from a callback; zarrc's own function.
 *
 * @return false: no more are wanted.
 */
typedef bool (*zarrc_give_key)(void *to, const char *key);

/**
 * What a store of a program's own can do. Members that are NULL are made up for where that can be,
 * so that `get` alone makes a store that is read.
 *
 * Every callback gets `user`, and may be called by any number of threads at once, of the program's
 * and of zarrc's. Keys are checked: segments joined by "/", none of them empty, "." or "..". It returns
 * ZARRC_OK, ZARRC_NOT_FOUND where there is no such key, or another status, for which it may fill
 * `err->message` (and `err->system_code`); that text becomes part of the error that zarrc's caller sees.
 * A callback must neither throw nor longjmp, nor call a function of zarrc on the same store.
 */
typedef struct zarrc_store_callbacks {
  /** sizeof(zarrc_store_callbacks), as the program was compiled; members behind it are NULL. */
  size_t size;
  /** What the callbacks get. */
  void *user;
  /** What messages call the store; NULL: "a store of the program". Copied. */
  const char *name;
  /**
   * How many calls may well be under way at once, as where each waits for a network; 0: as many as
   * there are threads.
   */
  size_t concurrency;
  /** Called once, when the last handle that uses the store is closed; NULL: nothing is. */
  void (*destroy)(void *user);
  /**
   * Gives the whole value of `key`, in one piece or several, as give(to, bytes, size). Required.
   */
  zarrc_status (*get)(void *user, const char *key, zarrc_give_bytes give, void *to, zarrc_error *err);
  /**
   * The length of the value, and a number that changes whenever it is set. NULL: the value is read
   * and hashed where that is asked for, and always read whole.
   */
  zarrc_status (*stat)(void *user,
                       const char *key,
                       uint64_t *length,
                       uint64_t *version,
                       zarrc_error *err);
  /**
   * Gives `length` bytes of the value from `offset` on. Used only with `stat`, whose length they
   * never pass. NULL: `get` is used.
   */
  zarrc_status (*get_range)(void *user,
                            const char *key,
                            uint64_t offset,
                            uint64_t length,
                            zarrc_give_bytes give,
                            void *to,
                            zarrc_error *err);
  /**
   * Replaces the value of `key`, at once and whole for whoever calls `get`. NULL: the store is read
   * only.
   */
  zarrc_status (*set)(void *user, const char *key, const void *value, size_t size, zarrc_error *err);
  /** Takes `key` away. NULL: that is ZARRC_UNSUPPORTED. */
  zarrc_status (*erase)(void *user, const char *key, zarrc_error *err);
  /**
   * Gives every key that begins with `prefix`, in any order, as give(to, key). NULL: groups cannot be
   * listed nor deleted.
   */
  zarrc_status (*list)(void *user,
                       const char *prefix,
                       zarrc_give_key give,
                       void *to,
                       zarrc_error *err);
  /** Completes what the store puts off; called when it is closed or flushed. NULL: nothing is. */
  zarrc_status (*flush)(void *user, zarrc_error *err);
} zarrc_store_callbacks;

/**
 * Makes a store of the program's own functions. It is always there: the modes of
 * zarrc_store_open() have no meaning for it.
 *
 * @param callbacks   copied: may be freed at once; `user` must live until `destroy` is called.
 * @param options     as for zarrc_store_open().
 * @param[out] store  to be closed with zarrc_store_close().
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: there is no `get`, or `size` is none that a version of
 *         this header had. Then `destroy` is not called.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_store_from_callbacks(const zarrc_store_callbacks *callbacks,
                                        const zarrc_options *options,
                                        zarrc_store **store,
                                        zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup attributes Attributes
 * @{ */

/**
 * All attributes as the text of a JSON object.
 *
 * @param[out] json  to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_INVALID_METADATA: the document is damaged;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_json(const zarrc_attributes *attributes,
                                   char **json,
                                   zarrc_error *err);

/**
 * Replaces all attributes.
 *
 * @param json  the text of a JSON object.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: it is none; ZARRC_PERMISSION_DENIED;
 *         ZARRC_NOT_FOUND: the node is gone; ZARRC_CONFLICT; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_replace_json(zarrc_attributes *attributes,
                                           const char *json,
                                           zarrc_error *err);

/**
 * The value of one attribute as JSON text.
 *
 * @param[out] json  to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is none of that name; else as
 *         zarrc_attributes_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_get_json(const zarrc_attributes *attributes,
                                       const char *key,
                                       char **json,
                                       zarrc_error *err);

/**
 * Sets one attribute to a JSON value.
 *
 * @param json  JSON text.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: it is not JSON; else as
 *         zarrc_attributes_replace_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_set_json(zarrc_attributes *attributes,
                                       const char *key,
                                       const char *json,
                                       zarrc_error *err);

/**
 * Counts the attributes.
 *
 * @return ZARRC_OK; else as zarrc_attributes_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_count(const zarrc_attributes *attributes,
                                    size_t *count,
                                    zarrc_error *err);

/**
 * Reads the name of an attribute by its place. Names are in the order of the document.
 *
 * @param index      from 0 to one less than zarrc_attributes_count() says.
 * @param[out] name  UTF-8, to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: there are fewer; ZARRC_TYPE_MISMATCH: the name holds a
 *         NUL character; else as zarrc_attributes_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_name(const zarrc_attributes *attributes,
                                   size_t index,
                                   char **name,
                                   zarrc_error *err);

/**
 * Makes attributes that are those of no node yet. The functions for attributes set and read them
 * in memory; zarrc_attributes_update() writes all of them to a node at once, and
 * zarrc_array_spec_set_attributes() creates an array with them.
 *
 * @param[out] attributes  to be freed with zarrc_attributes_free().
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_new(zarrc_attributes **attributes, zarrc_error *err);

/**
 * Frees attributes made with zarrc_attributes_new(), and only those: a node's own are freed with
 * the node. NULL is accepted.
 */
ZARRC_API
void zarrc_attributes_free(zarrc_attributes *attributes);

/**
 * Sets all attributes that are in `others` with one write of the document. Those that are not in
 * `others` stay.
 *
 * @return as zarrc_attributes_replace_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_update(zarrc_attributes *attributes,
                                     const zarrc_attributes *others,
                                     zarrc_error *err);

/**
 * Takes one attribute away.
 *
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is none of that name; else as
 *         zarrc_attributes_replace_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_delete(zarrc_attributes *attributes,
                                     const char *key,
                                     zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup attribute_values Attributes as C values
 * @{ */

/** What an attribute is: one of the constants below. */
typedef int32_t zarrc_attribute_kind;
/** The constants of ::zarrc_attribute_kind. */
enum zarrc_attribute_kind_constants {
  ZARRC_ATTRIBUTE_NULL = 0,     /**< null. */
  ZARRC_ATTRIBUTE_BOOL = 1,     /**< true or false: zarrc_attributes_get_bool(). */
  ZARRC_ATTRIBUTE_INTEGER = 2,  /**< An integer that 64 bits hold: zarrc_attributes_get_int64(). */
  ZARRC_ATTRIBUTE_NUMBER = 3,   /**< Another number: zarrc_attributes_get_double(). */
  ZARRC_ATTRIBUTE_STRING = 4,   /**< A string: zarrc_attributes_get_string(). */
  ZARRC_ATTRIBUTE_INTEGERS = 5, /**< A list of integers that 64 bits hold:
                                     zarrc_attributes_get_int64s(). */
  ZARRC_ATTRIBUTE_NUMBERS = 6,  /**< A list of numbers: zarrc_attributes_get_doubles(). */
  ZARRC_ATTRIBUTE_STRINGS = 7,  /**< A list of strings: zarrc_attributes_get_string_at(). */
  ZARRC_ATTRIBUTE_LIST = 8,     /**< Another list, or an empty one: zarrc_attributes_get_json(). */
  ZARRC_ATTRIBUTE_OBJECT = 9,   /**< An object: zarrc_attributes_get_json(). */
};

/**
 * Reads an attribute that is a number; "NaN", "Infinity" and "-Infinity" are numbers too, and so is
 * the Base64 of a double as _FillValue, which Zarr v3 has there for floats.
 *
 * @return ZARRC_OK; ZARRC_NOT_FOUND; ZARRC_TYPE_MISMATCH: it is no number; else as
 *         zarrc_attributes_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_get_double(const zarrc_attributes *attributes,
                                         const char *key,
                                         double *value,
                                         zarrc_error *err);

/**
 * Sets one attribute to a number; NaN and infinities become the strings "NaN", "Infinity" and
 * "-Infinity". As _FillValue of floats in Zarr v3 it becomes the Base64 of a double, as xarray reads
 * no number there.
 *
 * @return as zarrc_attributes_replace_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_set_double(zarrc_attributes *attributes,
                                         const char *key,
                                         double value,
                                         zarrc_error *err);

/**
 * Sets one attribute to a single-precision number, as the shortest decimal text that reads back as
 * the same float: 0.1f becomes 0.1, not 0.10000000149011612. NaN and infinities become strings as
 * in zarrc_attributes_set_double().
 *
 * @return as zarrc_attributes_replace_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_set_float(zarrc_attributes *attributes,
                                        const char *key,
                                        float value,
                                        zarrc_error *err);

/**
 * Reads an attribute that is an integer. A number such as 2.0 or 1e3, which other writers make of
 * an integer, is one too.
 *
 * @return ZARRC_OK; ZARRC_NOT_FOUND; ZARRC_TYPE_MISMATCH: it is no integer, or one that 64 bits
 *         do not hold; else as zarrc_attributes_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_get_int64(const zarrc_attributes *attributes,
                                        const char *key,
                                        int64_t *value,
                                        zarrc_error *err);

/**
 * Sets one attribute to an integer.
 *
 * @return as zarrc_attributes_replace_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_set_int64(zarrc_attributes *attributes,
                                        const char *key,
                                        int64_t value,
                                        zarrc_error *err);

/**
 * The text that an attribute is.
 *
 * @param[out] value  UTF-8, to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_NOT_FOUND; ZARRC_TYPE_MISMATCH: it is no string, or one with a NUL
 *         character in it; else as zarrc_attributes_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_get_string(const zarrc_attributes *attributes,
                                         const char *key,
                                         char **value,
                                         zarrc_error *err);

/**
 * Sets one attribute to a text.
 *
 * @return as zarrc_attributes_replace_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_set_string(zarrc_attributes *attributes,
                                         const char *key,
                                         const char *value,
                                         zarrc_error *err);

/**
 * Reads an attribute that is a list of numbers; a single number is a list of one. "NaN",
 * "Infinity" and "-Infinity" are numbers too.
 *
 * @param capacity     elements that `values` has room for; 0 to learn only the count.
 * @param[out] values  the first `capacity` elements; may be NULL if that is 0.
 * @param[out] count   the elements that the attribute has, which may be more than `capacity`.
 * @return ZARRC_OK; ZARRC_NOT_FOUND; ZARRC_TYPE_MISMATCH: an element is no number; else as
 *         zarrc_attributes_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_get_doubles(const zarrc_attributes *attributes,
                                          const char *key,
                                          size_t capacity,
                                          double *values,
                                          size_t *count,
                                          zarrc_error *err);

/**
 * Sets one attribute to a list of numbers; NaN and infinities become strings as in
 * zarrc_attributes_set_double().
 *
 * @param count   elements of `values`; 0: an empty list.
 * @return as zarrc_attributes_replace_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_set_doubles(zarrc_attributes *attributes,
                                          const char *key,
                                          size_t count,
                                          const double *values,
                                          zarrc_error *err);

/**
 * Reads an attribute that is a list of integers; a single one is a list of one, and 2.0 is an
 * integer.
 *
 * @param capacity     elements that `values` has room for; 0 to learn only the count.
 * @param[out] values  the first `capacity` elements; may be NULL if that is 0.
 * @param[out] count   the elements that the attribute has, which may be more than `capacity`.
 * @return ZARRC_OK; ZARRC_NOT_FOUND; ZARRC_TYPE_MISMATCH: an element is no integer of 64 bits;
 *         else as zarrc_attributes_json().
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
 * @param count   elements of `values`; 0: an empty list.
 * @return as zarrc_attributes_replace_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_set_int64s(zarrc_attributes *attributes,
                                         const char *key,
                                         size_t count,
                                         const int64_t *values,
                                         zarrc_error *err);

/**
 * Reads one string of an attribute that is a list of strings; a single string is a list of one.
 * zarrc_attributes_kind() tells how many there are.
 *
 * @param index       which element, from 0.
 * @param[out] value  UTF-8, to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_NOT_FOUND; ZARRC_OUT_OF_BOUNDS: the list is shorter;
 *         ZARRC_TYPE_MISMATCH: the element is no string, or one with a NUL character in it; else
 *         as zarrc_attributes_json().
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
 * @param count   elements of `values`; 0: an empty list.
 * @param values  UTF-8 strings, none of them NULL.
 * @return as zarrc_attributes_replace_json().
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
 * @return ZARRC_OK; ZARRC_NOT_FOUND; ZARRC_TYPE_MISMATCH: it is neither; else as
 *         zarrc_attributes_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_get_bool(const zarrc_attributes *attributes,
                                       const char *key,
                                       bool *value,
                                       zarrc_error *err);

/**
 * Sets one attribute to true or false.
 *
 * @return as zarrc_attributes_replace_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_set_bool(zarrc_attributes *attributes,
                                       const char *key,
                                       bool value,
                                       zarrc_error *err);

/**
 * Sets one attribute to null.
 *
 * @return as zarrc_attributes_replace_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_set_null(zarrc_attributes *attributes,
                                       const char *key,
                                       zarrc_error *err);

/**
 * Tells what an attribute is.
 *
 * @param[out] kind   one of the ZARRC_ATTRIBUTE_ constants. May be NULL.
 * @param[out] count  elements of a list, members of an object, 1 for all else. May be NULL.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is none of that name; else as zarrc_attributes_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_attributes_kind(const zarrc_attributes *attributes,
                                   const char *key,
                                   zarrc_attribute_kind *kind,
                                   size_t *count,
                                   zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup group Hierarchy
 * @{ */

/** What a node is: one of the constants below. */
typedef int32_t zarrc_node_kind;
/** The constants of ::zarrc_node_kind. */
enum zarrc_node_kind_constants {
  ZARRC_NODE_NONE = 0,  /**< There is nothing (in a listing: something whose document cannot be
                             read). */
  ZARRC_NODE_GROUP = 1, /**< A group. */
  ZARRC_NODE_ARRAY = 2, /**< An array. */
};

/**
 * Tells what is at a path. "" and "/" are the root; "a/b", "/a/b" and "a/b/" are the same node.
 * A path that has only nodes below it is a group.
 *
 * @param[out] kind  ZARRC_NODE_NONE where there is nothing, which is no error.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT (a segment "." or ".."); ZARRC_INVALID_METADATA;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_node_kind_at(const zarrc_store *store,
                                const char *path,
                                zarrc_node_kind *kind,
                                zarrc_error *err);

/**
 * Opens a group.
 *
 * @param[out] group  to be closed with zarrc_group_close().
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is none (the message says what was looked for);
 *         ZARRC_INVALID_ARGUMENT; ZARRC_INVALID_METADATA; ZARRC_UNSUPPORTED;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_group_open(zarrc_store *store,
                              const char *path,
                              zarrc_group **group,
                              zarrc_error *err);

/**
 * Creates a group and opens it. Groups above it that are missing are created too.
 *
 * @param format      ZARRC_FORMAT_ANY: that of the group above, else Zarr v3.
 * @param[out] group  to be closed with zarrc_group_close().
 * @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is a node at that path;
 *         ZARRC_INVALID_ARGUMENT: a name that the format does not allow, or an array above it;
 *         ZARRC_UNSUPPORTED: no such format in this build; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_group_create(zarrc_store *store,
                                const char *path,
                                zarrc_format format,
                                zarrc_group **group,
                                zarrc_error *err);

/**
 * Opens a group, or creates it where there is nothing.
 *
 * @param format      of a new group; ZARRC_FORMAT_ANY: that of the group above, else Zarr v3.
 * @param[out] group  to be closed with zarrc_group_close().
 * @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is an array at that path; else as
 *         zarrc_group_create() or zarrc_group_open().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_group_require(zarrc_store *store,
                                 const char *path,
                                 zarrc_format format,
                                 zarrc_group **group,
                                 zarrc_error *err);

/**
 * Creates an empty group in place of whatever is at that path: a node that is there is deleted
 * first, with everything below it.
 *
 * @param path        of the node; "" deletes all that the store holds.
 * @param format      ZARRC_FORMAT_ANY: that of the group above, else Zarr v3.
 * @param[out] group  to be closed with zarrc_group_close().
 * @return ZARRC_OK; else as zarrc_group_create(), but never ZARRC_ALREADY_EXISTS unless others
 *         create a node there at the same time.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_group_overwrite(zarrc_store *store,
                                   const char *path,
                                   zarrc_format format,
                                   zarrc_group **group,
                                   zarrc_error *err);

/**
 * Opens a group by one URL, without a store of its own.
 *
 * @param url      where the group is: that of a store, or of a group within one
 *                 ("data/run1.zarr/ocean", "x.zip|zip:a/b").
 * @param mode     as in zarrc_store_open(). ZARRC_APPEND, ZARRC_CREATE and ZARRC_OVERWRITE create
 *                 the group where it is missing (in Zarr v3, or as the option "format" says).
 * @param options  as in zarrc_store_open(); NULL: the defaults. Copied: may be freed at once.
 * @param[out] group  to be closed with zarrc_group_close(), which closes the store too.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is no store or no group; ZARRC_ALREADY_EXISTS: there is
 *         an array, or as zarrc_store_open(); else as zarrc_store_open() or zarrc_group_open().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_group_open_url(const char *url,
                                  zarrc_mode mode,
                                  const zarrc_options *options,
                                  zarrc_group **group,
                                  zarrc_error *err);

/**
 * Closes a group; its attributes must not be used any more. NULL is accepted.
 *
 * @return ZARRC_OK; where it was opened by zarrc_group_open_url(), as zarrc_store_close().
 */
ZARRC_API
zarrc_status zarrc_group_close(zarrc_group *group, zarrc_error *err);

/** The attributes of a group. Borrowed: good until the group is closed. NULL for NULL. */
ZARRC_API
zarrc_attributes *zarrc_group_attributes(zarrc_group *group);

/**
 * The nodes below a group, sorted by path (as bytes).
 *
 * @param recursive     false: its children; true: everything below it.
 * @param[out] listing  to be freed with zarrc_listing_free().
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_group_list(const zarrc_group *group,
                              bool recursive,
                              zarrc_listing **listing,
                              zarrc_error *err);

/** How many nodes a listing holds; 0 for NULL. */
ZARRC_API
size_t zarrc_listing_count(const zarrc_listing *listing);

/**
 * The path of a node, relative to the group. Borrowed: good until the listing is freed. NULL
 * past the end.
 */
ZARRC_API
const char *zarrc_listing_path(const zarrc_listing *listing, size_t index);

/** What a node is; ZARRC_NODE_NONE past the end, and for one whose document cannot be read. */
ZARRC_API
zarrc_node_kind zarrc_listing_kind(const zarrc_listing *listing, size_t index);

/** Frees a listing. NULL is accepted. */
ZARRC_API
void zarrc_listing_free(zarrc_listing *listing);

/**
 * Deletes a node and everything below it. The root may be deleted too: the store is empty then.
 * Symbolic links are taken away, what they point at stays.
 *
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is none; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_node_delete(zarrc_store *store, const char *path, zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup spec What a new array is to be
 * @{ */

/**
 * Begins the description of an array.
 *
 * @param data_type  one of the ZARRC_ types but ZARRC_NATIVE. ZARRC_RAW to ZARRC_STRUCT and
 *                   ZARRC_RAGGED take parameters, which zarrc_array_spec_set_data_type() gives.
 * @param rank       dimensions; 0 for an array of one element.
 * @param shape      `rank` extents, slowest dimension first; any may be 0.
 * @param[out] spec  to be freed with zarrc_array_spec_free().
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_LIMIT_EXCEEDED: more than 255 dimensions.
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
 * @param rank   that of the description.
 * @param shape  `rank` extents (elements), slowest dimension first; any may be 0.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_shape(zarrc_array_spec *spec,
                                        size_t rank,
                                        const uint64_t *shape,
                                        zarrc_error *err);

/** Frees a description. NULL is accepted. */
ZARRC_API
void zarrc_array_spec_free(zarrc_array_spec *spec);

/**
 * Sets the format. Default: ZARRC_FORMAT_ANY, that of the group above, else Zarr v3.
 *
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: no such format in this build; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_format(zarrc_array_spec *spec,
                                         zarrc_format format,
                                         zarrc_error *err);

/**
 * Sets the type by a text, for types with parameters.
 *
 * @param data_type  a NumPy typestr ("|S12", "<U7", "<M8[ns]", ">f8"; its byte order becomes that
 *                   of the stored elements), a v3 name ("float32", "r16", "string", "bytes"), or
 *                   the JSON of a v2 or v3 document (a list of fields, an object). Of variable
 *                   length also "vlen-utf8", "vlen-bytes", "json", and for runs "vlen-array:" with
 *                   the typestr of their items ("vlen-array:<f8").
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: it is none of these, or another type than the one
 *         the description was begun with; ZARRC_UNSUPPORTED: no such type in this build;
 *         ZARRC_LIMIT_EXCEEDED: elements of 2 GiB or more.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_data_type(zarrc_array_spec *spec,
                                            const char *data_type,
                                            zarrc_error *err);

/**
 * Sets the shape of a chunk (of an inner chunk, where there are shards). Default: about 1 MiB; along
 * a dimension of extent 0, which is one that will grow, as many elements as fit, at most 16384.
 *
 * @param rank  the array's.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: another rank, or an extent of 0.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_chunk_shape(zarrc_array_spec *spec,
                                              size_t rank,
                                              const uint64_t *chunk_shape,
                                              zarrc_error *err);

/**
 * Lists the extents of the chunks along one dimension, one by one (Zarr v3's "rectilinear" grid
 * only). Where there are shards, they are those of the shards. Along dimensions without such a
 * list, chunks are as zarrc_array_spec_set_chunk_shape() and zarrc_array_spec_set_shard_shape()
 * say. Default: no lists.
 *
 * @param dimension  below the rank.
 * @param edges      `count` extents, none of them 0, together the array's extent or more.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_chunk_edges(zarrc_array_spec *spec,
                                              size_t dimension,
                                              size_t count,
                                              const uint64_t *edges,
                                              zarrc_error *err);

/**
 * Puts chunks together in shards of this shape, which that of the chunks divides (Zarr v3 only).
 * Default: every chunk is a value of its own.
 *
 * @return as zarrc_array_spec_set_chunk_shape().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_shard_shape(zarrc_array_spec *spec,
                                              size_t rank,
                                              const uint64_t *shard_shape,
                                              zarrc_error *err);

/**
 * Sets the value of elements that were never written. Default: zeros; in Zarr v2 "undefined"
 * (null), which reads as zeros here, because xarray takes the fill value of an array of Zarr v2 for
 * its missing value: where it is 0, xarray shows NaN for every 0 that was written.
 *
 * @param value  one element as it lies in memory; of variable length its bytes.
 * @param size   its size in bytes.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: size is not that of an element, or these are no bytes
 *         of one (text that is not UTF-8, a broken run, what is not JSON).
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_fill_value(zarrc_array_spec *spec,
                                             const void *value,
                                             size_t size,
                                             zarrc_error *err);

/**
 * Sets CF's missing value, which the attribute _FillValue names as xarray and netCDF read it in the
 * array's format. It becomes the fill value too, unless that is set, so that what was never
 * written is missing.
 *
 * @param value  one element as it lies in memory; of variable length its bytes.
 * @param size   its size in bytes.
 * @return as zarrc_array_spec_set_fill_value(). Whether CF has a missing value of the type, and
 *         whether in Zarr v2 the fill value is the same, is looked at when the array is created.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_missing_value(zarrc_array_spec *spec,
                                                const void *value,
                                                size_t size,
                                                zarrc_error *err);

/**
 * The same as JSON, as the format's documents say it (1.5, "NaN", "0x7fc00001", [0, 1], …).
 *
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: it is not JSON. Whether it is a value of the type is
 *         looked at when the array is created.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_fill_value_json(zarrc_array_spec *spec,
                                                  const char *json,
                                                  zarrc_error *err);

/**
 * Adds a codec. Codecs run in the order added; those that come first by nature (the transposition
 * of order 'F', the one that makes bytes of elements) are added where they are missing. Default:
 * zstd.
 *
 * @param name                as in the format's metadata: "zstd", "blosc", "gzip", "zlib", "lz4",
 *                            "crc32c", "transpose", "bytes"; "none" alone: no compression.
 * @param configuration_json  a JSON object as in the format's metadata ({"level":3}); NULL or
 *                            members left out: the defaults.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: not a JSON object; ZARRC_UNSUPPORTED: no such codec
 *         in this build.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_add_codec(zarrc_array_spec *spec,
                                        const char *name,
                                        const char *configuration_json,
                                        zarrc_error *err);

/**
 * Sets the order of elements within a chunk. Default: 'C'. Memory is laid out by the calls that
 * read and write, whatever this is.
 *
 * @param order  'C': the last dimension is fastest; 'F': the first.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_order(zarrc_array_spec *spec, char order, zarrc_error *err);

/**
 * Sets what stands between the numbers of a chunk's key. Default: '/' in Zarr v3, '.' in v2.
 *
 * @param separator  '.' or '/'.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_separator(zarrc_array_spec *spec,
                                            char separator,
                                            zarrc_error *err);

/**
 * Names the dimensions. In Zarr v2 they become the attribute _ARRAY_DIMENSIONS, as xarray has it.
 *
 * @param rank   the array's.
 * @param names  `rank` strings; NULL for a dimension without a name.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_dimension_names(zarrc_array_spec *spec,
                                                  size_t rank,
                                                  const char *const *names,
                                                  zarrc_error *err);

/**
 * Sets the attributes that the array begins with.
 *
 * @param json  the text of a JSON object.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: it is none.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_attributes_json(zarrc_array_spec *spec,
                                                  const char *json,
                                                  zarrc_error *err);

/**
 * Sets the attributes that the array begins with, so that its first document has them.
 *
 * @param attributes  of zarrc_attributes_new() or of another node. Copied: may be freed at once.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; else as zarrc_attributes_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_set_attributes(zarrc_array_spec *spec,
                                             const zarrc_attributes *attributes,
                                             zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup array Creating, opening and inspecting arrays
 * @{ */

/**
 * Creates an array and opens it. Groups above it that are missing are created too. Nothing is
 * written for its elements: they read as the fill value.
 *
 * @param path        of the new node; "" for an array that is the whole store.
 * @param spec        what it is to be. Copied: may be freed at once.
 * @param[out] array  to be closed with zarrc_array_close().
 * @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is a node at that path;
 *         ZARRC_INVALID_ARGUMENT: the description does not hold together (the message says why),
 *         a name that the format does not allow, or an array above it; ZARRC_UNSUPPORTED: the
 *         format cannot say it; ZARRC_LIMIT_EXCEEDED; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_create(zarrc_store *store,
                                const char *path,
                                const zarrc_array_spec *spec,
                                zarrc_array **array,
                                zarrc_error *err);

/**
 * Opens an array, or creates it where there is none. An array that is there is opened whatever it
 * is; zarrc_array_require() looks at its shape and type.
 *
 * @param path        of the node; "" for an array that is the whole store.
 * @param spec        what a new array is to be. Copied: may be freed at once.
 * @param[out] array  to be closed with zarrc_array_close().
 * @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is a group at that path; ZARRC_INVALID_ARGUMENT,
 *         ZARRC_UNSUPPORTED, ZARRC_LIMIT_EXCEEDED: as zarrc_array_create() or zarrc_array_open();
 *         ZARRC_INVALID_METADATA; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_open_or_create(zarrc_store *store,
                                        const char *path,
                                        const zarrc_array_spec *spec,
                                        zarrc_array **array,
                                        zarrc_error *err);

/**
 * Opens an array that has the shape and the type of a description, or creates it where there is
 * none.
 *
 * @param path        of the node; "" for an array that is the whole store.
 * @param spec        what the array is to be. Copied: may be freed at once.
 * @param[out] array  to be closed with zarrc_array_close().
 * @return as zarrc_array_open_or_create(); also ZARRC_ALREADY_EXISTS: there is an array of another
 *         shape or type (the message says which).
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_require(zarrc_store *store,
                                 const char *path,
                                 const zarrc_array_spec *spec,
                                 zarrc_array **array,
                                 zarrc_error *err);

/**
 * Creates an array in place of whatever is at that path: a node that is there is deleted first,
 * with everything below it. The description is checked before that.
 *
 * @param path        of the node; "" deletes all that the store holds.
 * @param spec        what the array is to be. Copied: may be freed at once.
 * @param[out] array  to be closed with zarrc_array_close().
 * @return ZARRC_OK; else as zarrc_array_create(), but never ZARRC_ALREADY_EXISTS unless others
 *         create a node there at the same time.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_overwrite(zarrc_store *store,
                                   const char *path,
                                   const zarrc_array_spec *spec,
                                   zarrc_array **array,
                                   zarrc_error *err);

/**
 * Creates an array and writes all of its elements, in one call. Chunks, codecs and format are the
 * defaults of zarrc_array_spec_new(). If the elements cannot be written there is no array after
 * the call.
 *
 * @param path         of the new node; "" for an array that is the whole store.
 * @param data_type    type of the elements, in the array and in memory; none that takes parameters
 *                     or is of variable length.
 * @param rank         dimensions; 0 for an array of one element.
 * @param shape        `rank` extents (elements), slowest dimension first.
 * @param buffer       the elements, last dimension fastest; may be NULL if there are none.
 * @param buffer_size  its size (bytes), at least that of the elements.
 * @param[out] array   to be closed with zarrc_array_close(); NULL: the array is closed at once.
 * @return ZARRC_OK; else as zarrc_array_create() or zarrc_array_write().
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
 * Begins the description of an array like an existing one: its shape now, type, format, chunks,
 * shards, codecs, fill value and dimension names; not its attributes and elements. Everything can
 * be changed, the shape with zarrc_array_spec_set_shape().
 *
 * @param[out] spec  to be freed with zarrc_array_spec_free().
 * @return ZARRC_OK; ZARRC_LIMIT_EXCEEDED: more than a million chunks are listed one by one;
 *         ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_spec_new_like(const zarrc_array *array,
                                       zarrc_array_spec **spec,
                                       zarrc_error *err);

/**
 * Opens an array by one URL, without a store of its own.
 *
 * @param url      where the array is: that of a store whose root is an array, or of an array
 *                 within a store ("data/run1.zarr/temperature", "s3://bucket/x.zarr/a/b",
 *                 "x.zip|zip:a/b").
 * @param mode     ZARRC_READ or ZARRC_READ_WRITE.
 * @param options  as in zarrc_store_open(); NULL: the defaults. Copied: may be freed at once.
 * @param[out] array  to be closed with zarrc_array_close(), which closes the store too.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is no store or no array; else as zarrc_store_open() or
 *         zarrc_array_open().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_open_url(const char *url,
                                  zarrc_mode mode,
                                  const zarrc_options *options,
                                  zarrc_array **array,
                                  zarrc_error *err);

/**
 * Creates an array from its metadata document, which is stored as it is given, and opens it.
 *
 * @param format         one of the ZARRC_FORMAT_ constants, not ZARRC_FORMAT_ANY.
 * @param metadata_json  the document as it would stand in the store: .zarray or zarr.json.
 * @param[out] array     to be closed with zarrc_array_close().
 * @return as zarrc_array_create(); also ZARRC_INVALID_METADATA: the document breaks its
 *         specification.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_create_json(zarrc_store *store,
                                     const char *path,
                                     zarrc_format format,
                                     const char *metadata_json,
                                     zarrc_array **array,
                                     zarrc_error *err);

/**
 * Opens an array from its metadata document without reading it from the store: for a program that
 * has the document already, as from zarrc_array_metadata_json() of another process. Nothing is
 * written. Where the store holds another document, calls fail or mix the two: the caller must make
 * sure that it is the same.
 *
 * @param store          an open store; the array keeps it alive.
 * @param path           the node's path, "" for the root.
 * @param format         one of the ZARRC_FORMAT_ constants, not ZARRC_FORMAT_ANY.
 * @param metadata_json  the document as it stands in the store: .zarray or zarr.json.
 * @param[out] array     close it with zarrc_array_close().
 * @return ZARRC_OK; ZARRC_INVALID_METADATA: the document breaks its specification;
 *         ZARRC_UNSUPPORTED: a type, codec or extension that this build lacks;
 *         ZARRC_LIMIT_EXCEEDED; ZARRC_INVALID_ARGUMENT.
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
 * @param[out] array  to be closed with zarrc_array_close().
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is none (the message says what was looked for);
 *         ZARRC_INVALID_METADATA; ZARRC_UNSUPPORTED: a type, codec or extension that this
 *         build does not have (the message names it); ZARRC_LIMIT_EXCEEDED;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_open(zarrc_store *store,
                              const char *path,
                              zarrc_array **array,
                              zarrc_error *err);

/**
 * Closes an array, after what zarrc_array_flush() does; its attributes must not be used any more.
 * NULL is accepted.
 *
 * @return as zarrc_array_flush(). The handle is gone whatever is returned, and with it what could
 *         not be written.
 */
ZARRC_API
zarrc_status zarrc_array_close(zarrc_array *array, zarrc_error *err);

/** The format that an array is stored in; ZARRC_FORMAT_ANY for NULL. */
ZARRC_API
zarrc_format zarrc_array_format(const zarrc_array *array);

/**
 * The type of an array's elements with its parameters, as zarrc_array_spec_set_data_type() takes
 * it: "float32", ">f8" where the stored bytes are big-endian, "<M8[ns]", "|S12", the JSON of a
 * struct's fields, "string", "vlen-array:<f8".
 *
 * @param[out] text  to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: no text says such a type; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_data_type_text(const zarrc_array *array, char **text, zarrc_error *err);

/**
 * The name of a dimension: in Zarr v3 of the member dimension_names, in Zarr v2 of the attribute
 * _ARRAY_DIMENSIONS, in N5 of the attribute axes.
 *
 * @param dimension  below the rank.
 * @param[out] name  UTF-8; NULL: the dimension has no name. Borrowed: good until the array is
 *                   closed. Names that are attributes are as they were when first asked for.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: no such dimension; ZARRC_TYPE_MISMATCH: the name has a
 *         NUL character; ZARRC_INVALID_METADATA, ZARRC_PERMISSION_DENIED, ZARRC_IO: the attributes
 *         cannot be read.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_dimension_name(const zarrc_array *array,
                                        size_t dimension,
                                        const char **name,
                                        zarrc_error *err);

/**
 * Names CF's missing value in the attribute _FillValue, spelt as xarray and netCDF read it in the
 * array's format: in Zarr v3 that of a float is the Base64 of a double, else it is a number. The
 * fill value stays: what was never written reads as before. To have it read as missing too, call
 * zarrc_array_spec_set_missing_value() before the array is created.
 *
 * @param value  one element as it lies in memory of type ZARRC_NATIVE; of variable length its
 *               bytes.
 * @param size   its size in bytes.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: size is not that of an element, or the array is of Zarr
 *         v2, where xarray takes the fill value for missing, and has another one;
 *         ZARRC_TYPE_MISMATCH: CF has no missing value of the array's type (times, structs, raw
 *         bytes); else as zarrc_attributes_set_json().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_set_missing_value(zarrc_array *array,
                                           const void *value,
                                           size_t size,
                                           zarrc_error *err);

/** The type of an array's elements; ZARRC_NATIVE for NULL. */
ZARRC_API
zarrc_data_type zarrc_array_data_type(const zarrc_array *array);

/** Bytes of an element in memory of type ZARRC_NATIVE; 0 for variable-length types and NULL. */
ZARRC_API
size_t zarrc_array_element_size(const zarrc_array *array);

/** Number of dimensions; 0 for NULL. */
ZARRC_API
size_t zarrc_array_rank(const zarrc_array *array);

/**
 * The present shape, slowest dimension first, in elements.
 *
 * @param rank        the array's.
 * @param[out] shape  `rank` numbers.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_shape(const zarrc_array *array,
                               size_t rank,
                               uint64_t *shape,
                               zarrc_error *err);

/**
 * The shape of the smallest pieces that are read and written on their own: of chunks, or of the
 * inner chunks where the chunks are shards. Where chunks have different shapes: the largest extent
 * along each dimension; zarrc_array_chunk_bounds() tells those of one.
 *
 * @param rank              the array's.
 * @param[out] chunk_shape  `rank` numbers.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_chunk_shape(const zarrc_array *array,
                                     size_t rank,
                                     uint64_t *chunk_shape,
                                     zarrc_error *err);

/**
 * How many chunks the array has along each dimension (shards, where there are some), those at
 * the edge included, whether anything is stored of them or not.
 *
 * @param rank         the array's.
 * @param[out] counts  `rank` numbers.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_chunk_counts(const zarrc_array *array,
                                      size_t rank,
                                      uint64_t *counts,
                                      zarrc_error *err);

/**
 * Which part of the array lies in one chunk (in one shard, where there are some): what
 * zarrc_array_read() and zarrc_array_write() take to work chunk by chunk.
 *
 * @param rank        the array's.
 * @param index       `rank` numbers, each below that of zarrc_array_chunk_counts().
 * @param[out] start  `rank` numbers: the chunk's first element.
 * @param[out] count  `rank` numbers: its extents, as far as they lie inside the array.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: there is no such chunk; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_chunk_bounds(const zarrc_array *array,
                                      size_t rank,
                                      const uint64_t *index,
                                      uint64_t *start,
                                      uint64_t *count,
                                      zarrc_error *err);

/**
 * The shape of a shard. Where shards have different shapes: the largest extent along each
 * dimension.
 *
 * @param rank              the array's.
 * @param[out] shard_shape  `rank` numbers.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the array has no shards; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_shard_shape(const zarrc_array *array,
                                     size_t rank,
                                     uint64_t *shard_shape,
                                     zarrc_error *err);

/**
 * The value of elements that were never written, as it lies in memory of type ZARRC_NATIVE.
 * Where the format says "undefined", it is zeros.
 *
 * @param[out] value  `size` bytes.
 * @param size        zarrc_array_element_size().
 * @return ZARRC_OK; ZARRC_TYPE_MISMATCH: elements are of variable length,
 *         zarrc_array_fill_value_json() is for them; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_fill_value(const zarrc_array *array,
                                    void *value,
                                    size_t size,
                                    zarrc_error *err);

/**
 * The same of any type as JSON, as the format's documents say it: a number, "NaN", a string, bytes
 * as Base64, any value for ZARRC_JSON; null where the document says "undefined".
 *
 * @param[out] json  to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_fill_value_json(const zarrc_array *array, char **json, zarrc_error *err);

/**
 * The metadata document of an array as it is in the store now.
 *
 * @param[out] json  to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_NOT_FOUND: it is gone; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_metadata_json(const zarrc_array *array, char **json, zarrc_error *err);

/** The attributes of an array. Borrowed: good until the array is closed. NULL for NULL. */
ZARRC_API
zarrc_attributes *zarrc_array_attributes(zarrc_array *array);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup io Reading, writing and changing arrays
 * @{ */

/**
 * Reads a box of an array into a C-contiguous buffer.
 *
 * @param start        the first element, one index per dimension; NULL: the origin.
 * @param count        how many along each dimension; NULL: all from start on.
 * @param memory_type  type of the elements in memory: ZARRC_NATIVE as stored, or another number
 *                     type to convert to. A value that does not fit it is ZARRC_TYPE_MISMATCH
 *                     (also NaN or an infinity for an integer; fractions are cut off, precision
 *                     of floating point is rounded).
 * @param[out] buffer  receives the box, last dimension fastest. What it holds after an error is
 *                     not said. May be NULL if the box is empty.
 * @param buffer_size  its size in bytes, at least that of the box.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the box leaves the array; ZARRC_TYPE_MISMATCH;
 *         ZARRC_CORRUPT_DATA: a chunk does not decode (the message names it);
 *         ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY: a chunk is too large to be decoded;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
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
 * Writes a C-contiguous buffer to a box of an array. Each chunk is replaced whole or not at all,
 * also if the process is killed; after an error, some may have been. A chunk that the box covers
 * only in part is read first; if someone else writes it meanwhile, it is read again.
 *
 * @param memory_type  type of the elements in memory, converted to the array's as in
 *                     zarrc_array_read(). Chunks before the one with a value that does not fit
 *                     may have been written.
 * @param buffer       the box, last dimension fastest; other parameters as in zarrc_array_read().
 * @return as zarrc_array_read(); also ZARRC_CONFLICT: others kept writing the same chunk.
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
 * Reads elements some steps apart into memory of any layout. Else as zarrc_array_read().
 *
 * @param step     from one element to the next along each dimension, at least 1; NULL: 1.
 * @param count    how many along each dimension; NULL: all from start on.
 * @param buffer   where the element of index 0 goes.
 * @param strides  bytes from one element to the next in memory along each dimension, which may be
 *                 negative; NULL: C-contiguous. Fortran order is a choice of strides.
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
 * Writes elements some steps apart from memory of any layout. Parameters as in
 * zarrc_array_read_strided(), else as zarrc_array_write().
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
 * Hands everything written so far to the store: what the option "write_buffer" has gathered, and
 * what the store itself puts off until it is closed.
 * Without that option every write is in the store when it returns. What cannot be written stays
 * gathered, so that a flush can be tried again.
 *
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; else as zarrc_array_write().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_flush(zarrc_array *array, zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup vlen Elements of variable length: strings, byte strings, runs of numbers, JSON
 * @{ */

/**
 * Reads a box of an array of elements of variable length.
 *
 * @param start        the first element, one index per dimension; NULL: the origin.
 * @param count        how many along each dimension; NULL: all from start on.
 * @param[out] values  to be freed with zarrc_vlen_free().
 * @return ZARRC_OK; ZARRC_TYPE_MISMATCH: the elements have a fixed size, which zarrc_array_read()
 *         is for; ZARRC_OUT_OF_BOUNDS: the box leaves the array; ZARRC_CORRUPT_DATA: a chunk does
 *         not decode, text that is not UTF-8 included (the message names it);
 *         ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY: too large; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_read_vlen(const zarrc_array *array,
                                   const uint64_t *start,
                                   const uint64_t *count,
                                   zarrc_vlen **values,
                                   zarrc_error *err);

/**
 * Writes a box of an array of elements of variable length. All elements are looked at before
 * anything is written. Each chunk is replaced whole or not at all, as in zarrc_array_write().
 *
 * @param start    as in zarrc_array_read_vlen().
 * @param count    as in zarrc_array_read_vlen().
 * @param offsets  one more than there are elements in the box, never decreasing: element i, in C
 *                 order, is `bytes[offsets[i] .. offsets[i + 1]]`.
 * @param bytes    at least as many as the last offset says; may be NULL if that is 0.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: offsets that decrease, a string that is not UTF-8, a
 *         run that is no whole number of items, an element that is not JSON (the message names
 *         the element); ZARRC_LIMIT_EXCEEDED: an element of 4 GiB or more; ZARRC_TYPE_MISMATCH:
 *         the elements have a fixed size; ZARRC_CONFLICT: others kept writing the same chunk;
 *         else as zarrc_array_read_vlen().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_write_vlen(zarrc_array *array,
                                    const uint64_t *start,
                                    const uint64_t *count,
                                    const uint64_t *offsets,
                                    const uint8_t *bytes,
                                    zarrc_error *err);

/** How many elements were read; 0 for NULL. */
ZARRC_API
size_t zarrc_vlen_count(const zarrc_vlen *values);

/**
 * Where each element begins in the bytes, and behind the last where it ends: one number more than
 * there are elements, the first 0. Borrowed: good until the values are freed. NULL for NULL.
 */
ZARRC_API
const uint64_t *zarrc_vlen_offsets(const zarrc_vlen *values);

/**
 * The bytes of all elements, one after the other. Borrowed: good until the values are freed.
 * NULL for NULL.
 */
ZARRC_API
const uint8_t *zarrc_vlen_bytes(const zarrc_vlen *values);

/** Frees what was read. NULL is accepted. */
ZARRC_API
void zarrc_vlen_free(zarrc_vlen *values);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup extent Changing the extent of an array: appending, growing, resizing
 * @{ */

/**
 * Appends a block of elements: the array grows along one dimension by the block's extent there.
 * The elements are written first and then the shape, so a reader finds the old array or the one
 * with the whole block, also if the writer is killed in between. The block goes behind what the
 * store holds by then, not behind what this handle has seen; the handle has the new shape
 * afterwards. Any number of threads and processes may append to the same array: no block is lost
 * and none overwrites another. While one appends the others wait: in a directory for a file lock
 * (".zarrc-lock.tmp" beside the metadata document); in other stores for the key ".zarrc-lock"
 * there, which others take over 10 seconds after its holder was killed. The option
 * "write_buffer" does not hold back what is appended.
 *
 * @param axis         the dimension along which the array grows.
 * @param count        the block's extents (elements): any along `axis`, those of the array in all
 *                     other dimensions; NULL: 1 along `axis`.
 * @param memory_type  type of the elements in memory, as in zarrc_array_write().
 * @param buffer       the block, last dimension fastest.
 * @param buffer_size  its size (bytes), at least that of the block.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: no such axis, or extents other than the array's;
 *         ZARRC_TYPE_MISMATCH: a value does not fit, or elements are of variable length
 *         (zarrc_array_append_vlen() is for them); ZARRC_CONFLICT: others kept changing the array,
 *         or it was replaced by another one; ZARRC_NOT_FOUND: it is gone;
 *         ZARRC_PERMISSION_DENIED; ZARRC_LIMIT_EXCEEDED; ZARRC_OUT_OF_MEMORY; ZARRC_IO. After an
 *         error the array has the extent that it had.
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
 * Appends a block of elements of variable length. Else as zarrc_array_append().
 *
 * @param axis     the dimension along which the array grows.
 * @param count    the block's extents (elements), as in zarrc_array_append().
 * @param offsets  one more than there are elements in the block, never decreasing: element i, in C
 *                 order, is `bytes[offsets[i] .. offsets[i + 1]]`.
 * @param bytes    at least as many as the last offset says; may be NULL if that is 0.
 * @return as zarrc_array_append(); ZARRC_INVALID_ARGUMENT also for the elements that
 *         zarrc_array_write_vlen() refuses; ZARRC_TYPE_MISMATCH: elements have a fixed size.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_append_vlen(zarrc_array *array,
                                     size_t axis,
                                     const uint64_t *count,
                                     const uint64_t *offsets,
                                     const uint8_t *bytes,
                                     zarrc_error *err);

/**
 * Makes an array at least as large as a shape, in every dimension. Nothing is ever cut: where the
 * array in the store is larger by now, it stays so. New elements read as the fill value, also
 * where writers that were killed have left something.
 *
 * @param rank   the array's.
 * @param shape  `rank` extents (elements).
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_NOT_FOUND: the array is gone;
 *         ZARRC_CONFLICT: others kept changing it, or it was replaced by another one;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_grow(zarrc_array *array,
                              size_t rank,
                              const uint64_t *shape,
                              zarrc_error *err);

/**
 * Gives an array another shape. Elements that come to be read as the fill value; those that a
 * smaller shape leaves outside are deleted and do not come back. If others have resized the array
 * since this handle was opened or refreshed, nothing that it has not seen is cut: that fails with
 * ZARRC_CONFLICT and says what would have been cut; call zarrc_array_refresh() first if that is
 * meant. To append, use zarrc_array_append(); to make room and never cut, zarrc_array_grow().
 * Other handles to the array keep the shape that they have until they are refreshed.
 *
 * @param rank   the array's.
 * @param shape  `rank` extents (elements).
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_NOT_FOUND: the array is gone;
 *         ZARRC_CONFLICT: it would cut what this handle has not seen, others kept changing the
 *         array, or it was replaced by another one; ZARRC_PERMISSION_DENIED; ZARRC_IO. After an
 *         error the array has the shape that it had; some of what was to be cut may be deleted.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_resize(zarrc_array *array,
                                size_t rank,
                                const uint64_t *shape,
                                zarrc_error *err);

/**
 * Reads the metadata document of an array again: zarrc_array_shape() then gives the shape that
 * others gave it, and its attributes are read anew. What the option "write_buffer" has gathered
 * of chunks that are no longer part of the array is dropped.
 *
 * @return ZARRC_OK; ZARRC_NOT_FOUND: the array is gone; ZARRC_CONFLICT: another array (of another
 *         type, or with other chunks, codecs or fill value) has taken its place;
 *         ZARRC_INVALID_METADATA; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO. After
 *         an error the handle is as it was.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_refresh(zarrc_array *array, zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup selection Selections: what is picked out of an array
 * @{ */

/**
 * A new selection: all of an array.
 *
 * @param array           the array that it is for; it may be closed before the selection is freed.
 * @param[out] selection  to be freed with zarrc_selection_free().
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_selection_new(const zarrc_array *array,
                                 zarrc_selection **selection,
                                 zarrc_error *err);

/** Frees a selection. NULL is accepted. */
ZARRC_API
void zarrc_selection_free(zarrc_selection *selection);

/**
 * Selects a range of one dimension: the indices `start + k * step` for k in 0 .. count.
 *
 * @param dimension  which one, from 0.
 * @param start      the first index.
 * @param step       from one index to the next; negative: falling; not 0.
 * @param count      how many indices (0: none).
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: an index is none of the dimension;
 *         ZARRC_INVALID_ARGUMENT.
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
 * @param dimension  which one, from 0.
 * @param index      the index.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the dimension has no such index; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_selection_set_index(zarrc_selection *selection,
                                       size_t dimension,
                                       uint64_t index,
                                       zarrc_error *err);

/**
 * Selects listed indices of one dimension.
 *
 * @param dimension  which one, from 0.
 * @param count      how many indices.
 * @param indices    `count` indices, in any order, repeated or not. Copied.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: an index is none of the dimension;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_OUT_OF_MEMORY.
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
 * @param dimension  which one, from 0.
 * @param count      bytes of the mask: the extent of the dimension.
 * @param mask       one byte for each index. Copied.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `count` is not the extent; ZARRC_OUT_OF_MEMORY.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_selection_set_mask(zarrc_selection *selection,
                                      size_t dimension,
                                      size_t count,
                                      const uint8_t *mask,
                                      zarrc_error *err);

/**
 * Selects points, in any order, repeated or not. The result has one dimension of `count` elements.
 *
 * @param count        how many points.
 * @param coordinates  `count` times one index for each dimension, slowest first. Copied.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: a point lies outside (the message says which);
 *         ZARRC_INVALID_ARGUMENT; ZARRC_OUT_OF_MEMORY.
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
 * @param mask  one byte for each element of the array, C order. Copied, as bits.
 * @param size  bytes of the mask: the elements of the array.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `size` is not the number of elements;
 *         ZARRC_OUT_OF_MEMORY.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_selection_set_element_mask(zarrc_selection *selection,
                                              const uint8_t *mask,
                                              size_t size,
                                              zarrc_error *err);

/**
 * Selects a box of whole chunks, as far as they lie in the array. Where the chunks of the store
 * are shards, those are counted.
 *
 * @param block_start  the index of the first chunk, one number per dimension; NULL: the first.
 * @param block_count  how many chunks along each dimension; NULL: all from there on.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: there are not as many chunks; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_selection_set_blocks(zarrc_selection *selection,
                                        const uint64_t *block_start,
                                        const uint64_t *block_count,
                                        zarrc_error *err);

/**
 * Selects one field of elements of a struct type, beside what else is selected. Memory then has
 * elements of the field's type; a write leaves the other fields as they are.
 *
 * @param field  its name; NULL: all of each element again.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is no such field (the message names those there are);
 *         ZARRC_TYPE_MISMATCH: the array's type has no fields; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_selection_set_field(zarrc_selection *selection,
                                       const char *field,
                                       zarrc_error *err);

/** Number of dimensions of the result; 0 for NULL. */
ZARRC_API
size_t zarrc_selection_rank(const zarrc_selection *selection);

/**
 * The shape of the result.
 *
 * @param rank        that of zarrc_selection_rank().
 * @param[out] shape  `rank` extents.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_selection_shape(const zarrc_selection *selection,
                                   size_t rank,
                                   uint64_t *shape,
                                   zarrc_error *err);

/**
 * Reads what a selection selects.
 *
 * @param selection    of this array, or of another of the same rank and type.
 * @param memory_type  type of the elements in memory: ZARRC_NATIVE as stored, or another number
 *                     type to convert to, as in zarrc_array_read().
 * @param[out] buffer  receives the selected elements: the place of the element of index 0. May be
 *                     NULL if nothing is selected.
 * @param strides      bytes from one element to the next in memory, for each dimension of the
 *                     result; may be negative. NULL: C-contiguous.
 * @param buffer_size  bytes of memory, at least as many as lie between the lowest and the highest
 *                     byte of the elements.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the array has become smaller; ZARRC_TYPE_MISMATCH: no
 *         such conversion, a value that does not fit, or elements of variable length, which
 *         zarrc_array_read_selection_vlen() is for; ZARRC_CORRUPT_DATA: a chunk does not decode
 *         (the message names it); ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY: too large;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
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
 * Writes to what a selection selects. Each chunk is replaced whole or not at all; one that is
 * covered only in part is read first, and read again if someone else writes it meanwhile. Of
 * several values for one element the last in C order of the result stays.
 *
 * @param selection    of this array, or of another of the same rank and type.
 * @param memory_type  type of the elements in memory, converted to the array's as in
 *                     zarrc_array_write().
 * @param buffer       the elements: the place of that of index 0. May be NULL if nothing is
 *                     selected.
 * @param strides      bytes from one element to the next in memory, for each dimension of the
 *                     result; may be negative or 0. NULL: C-contiguous.
 * @param buffer_size  bytes of memory, at least as many as lie between the lowest and the highest
 *                     byte of the elements.
 * @return as zarrc_array_read_selection(); also ZARRC_CONFLICT: others kept writing the same
 *         chunk.
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
 * Writes one element to all of what a selection selects. Chunks that are covered are not read;
 * where the element is the fill value, they are erased instead of stored (unless the option
 * write_empty_chunks says otherwise).
 *
 * @param selection    NULL: all of the array.
 * @param memory_type  type of the element in memory, converted as in zarrc_array_write(). Of
 *                     variable-length types ZARRC_NATIVE, or the array's own.
 * @param value        the element; of variable-length types its bytes.
 * @param size         its bytes: those of the type in memory.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the array has become smaller; ZARRC_TYPE_MISMATCH: no
 *         such conversion, or the value does not fit; ZARRC_INVALID_ARGUMENT: another size, or an
 *         element that breaks its type; ZARRC_CONFLICT: others kept writing the same chunk;
 *         ZARRC_CORRUPT_DATA: a chunk that is covered in part does not decode;
 *         ZARRC_LIMIT_EXCEEDED; ZARRC_OUT_OF_MEMORY; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_fill(zarrc_array *array,
                              const zarrc_selection *selection,
                              zarrc_data_type memory_type,
                              const void *value,
                              size_t size,
                              zarrc_error *err);

/**
 * Reads what a selection selects of an array of elements of variable length.
 *
 * @param selection    of this array, or of another of the same rank and type.
 * @param[out] values  the elements in C order of the result; to be freed with zarrc_vlen_free().
 * @return ZARRC_OK; ZARRC_TYPE_MISMATCH: the elements have a fixed size, which
 *         zarrc_array_read_selection() is for; else as zarrc_array_read_vlen().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_read_selection_vlen(const zarrc_array *array,
                                             const zarrc_selection *selection,
                                             zarrc_vlen **values,
                                             zarrc_error *err);

/**
 * Writes elements of variable length to what a selection selects. All elements are checked before
 * anything is written. Of several values for one element the last in C order stays.
 *
 * @param selection  of this array, or of another of the same rank and type.
 * @param offsets    one more than there are elements in the result, never decreasing: element i,
 *                   in C order, is `bytes[offsets[i] .. offsets[i + 1]]`.
 * @param bytes      at least as many as the last offset says; may be NULL if that is 0.
 * @return as zarrc_array_write_vlen().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_write_selection_vlen(zarrc_array *array,
                                              const zarrc_selection *selection,
                                              const uint64_t *offsets,
                                              const uint8_t *bytes,
                                              zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup request Requests: reads and writes that do not wait
 * @{ */

/**
 * Starts to read a box of an array into a C-contiguous buffer, as zarrc_array_read() does, and
 * does not wait.
 *
 * @param start         the first element, one index per dimension; NULL: the origin.
 * @param count         how many along each dimension; NULL: all from start on.
 * @param memory_type   type of the elements in memory, as in zarrc_array_read().
 * @param[out] buffer   receives the box. Must stay untouched until the request is done.
 * @param buffer_size   its size in bytes, at least that of the box.
 * @param[out] request  to be freed with zarrc_request_free().
 * @return ZARRC_OK: it was started, zarrc_request_wait() tells how it went; ZARRC_OUT_OF_BOUNDS,
 *         ZARRC_TYPE_MISMATCH, ZARRC_INVALID_ARGUMENT: nothing was started;
 *         ZARRC_LIMIT_EXCEEDED: the queue is full and the option queue_full is "fail".
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
 * does not wait.
 *
 * @param start         the first element, one index per dimension; NULL: the origin.
 * @param count         how many along each dimension; NULL: all from start on.
 * @param memory_type   type of the elements in memory, as in zarrc_array_write().
 * @param buffer        the box. Must stay untouched until the request is done, unless the store
 *                      has the option queue_copy.
 * @param buffer_size   its size in bytes, at least that of the box.
 * @param[out] request  to be freed with zarrc_request_free().
 * @return ZARRC_OK: it was started, zarrc_request_wait() tells how it went; ZARRC_OUT_OF_BOUNDS,
 *         ZARRC_TYPE_MISMATCH, ZARRC_INVALID_ARGUMENT: nothing was started; ZARRC_OUT_OF_MEMORY:
 *         for the copy; ZARRC_LIMIT_EXCEEDED: the queue is full and the option queue_full is
 *         "fail".
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
 * Starts to read what a selection selects, as zarrc_array_read_selection() does, and does not
 * wait.
 *
 * @param selection     copied: may be changed or freed at once.
 * @param memory_type   type of the elements in memory, as in zarrc_array_read().
 * @param[out] buffer   receives the selected elements: the place of that of index 0. Must stay
 *                      untouched until the request is done.
 * @param strides       bytes from one element to the next in memory, for each dimension of the
 *                      result; NULL: C-contiguous. Copied.
 * @param buffer_size   bytes of memory between the lowest and the highest byte of the elements.
 * @param[out] request  to be freed with zarrc_request_free().
 * @return as zarrc_array_read_start().
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
 * Starts to write to what a selection selects, as zarrc_array_write_selection() does, and does not
 * wait.
 *
 * @param selection     copied: may be changed or freed at once.
 * @param memory_type   type of the elements in memory, as in zarrc_array_write().
 * @param buffer        the elements: the place of that of index 0. Must stay untouched until the
 *                      request is done, unless the store has the option queue_copy.
 * @param strides       bytes from one element to the next in memory, for each dimension of the
 *                      result; NULL: C-contiguous. Copied.
 * @param buffer_size   bytes of memory between the lowest and the highest byte of the elements.
 * @param[out] request  to be freed with zarrc_request_free().
 * @return as zarrc_array_write_start().
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
 * Whether a request is done, without waiting. How it went, zarrc_request_wait() tells.
 *
 * @param[out] done  true: it is.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: also a request that was started before a fork.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_request_test(zarrc_request *request, bool *done, zarrc_error *err);

/**
 * Waits until a request is done. May be called again, and by several threads.
 *
 * @return what the call that waits would have returned; ZARRC_CANCELLED: it was cancelled before
 *         it was done; ZARRC_INVALID_ARGUMENT: also a request that was started before a fork.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_request_wait(zarrc_request *request, zarrc_error *err);

/**
 * Waits until one of several requests is done. How it went, zarrc_request_wait() tells.
 *
 * @param requests    `count` requests, of any arrays and stores.
 * @param count       how many, at least 1.
 * @param[out] index  which of them is done; of several the first.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: also a request that was started before a fork.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_request_wait_any(zarrc_request *const *requests,
                                    size_t count,
                                    size_t *index,
                                    zarrc_error *err);

/**
 * A file descriptor that becomes readable once a request is done: for poll(), select(), epoll,
 * kqueue and the event loops built on them. It belongs to the request, is closed with it, and
 * must not be read or closed.
 *
 * @param[out] fd  the descriptor.
 * @return ZARRC_OK; ZARRC_IO: the system gives no descriptor; ZARRC_INVALID_ARGUMENT: also a
 *         request that was started before a fork.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_request_fd(zarrc_request *request, int32_t *fd, zarrc_error *err);

/**
 * Cancels a request and does not wait: it ends at the next chunk with ZARRC_CANCELLED, unless it
 * was done before. Chunks are written whole or not at all. NULL is accepted.
 */
ZARRC_API
void zarrc_request_cancel(zarrc_request *request);

/** Frees a request, after waiting until it is done. NULL is accepted. */
ZARRC_API
void zarrc_request_free(zarrc_request *request);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup codec Codecs of the program's own
 * @{ */

/** What a codec makes of what: one of the constants below. */
typedef int32_t zarrc_codec_kind;
/** The constants of ::zarrc_codec_kind. */
enum zarrc_codec_kind_constants {
  ZARRC_CODEC_BYTES = 0,       /**< Bytes of bytes: a compressor, a checksum. */
  ZARRC_CODEC_ARRAY_BYTES = 1, /**< Bytes of an array: it sees all elements of a chunk, in C
                                    order and native byte order, and stands where otherwise the
                                    codec "bytes" stands. */
  ZARRC_CODEC_ARRAY = 2,       /**< An array of an array, of the same shape and type: a filter.
                                    It sees the elements as ZARRC_CODEC_ARRAY_BYTES does and
                                    gives as many bytes as it gets. */
};

/** The chunks that a codec will see. What it points at is there only during the call. */
typedef struct zarrc_codec_chunk {
  /** Size of this struct: later versions may add members at its end. */
  size_t size;
  /** Number of dimensions. */
  size_t rank;
  /** Extents, slowest dimension first, in elements. */
  const uint64_t *shape;
  /** The type of an element. */
  zarrc_data_type data_type;
  /** Bytes of an element; 0 where they are of variable length. */
  size_t element_size;
  /** One element, the fill value, in native byte order. */
  const void *fill_value;
} zarrc_codec_chunk;

/**
 * Reads encoded bytes for zarrc_codec_callbacks.decode_part: `size` of them from `offset` on. Any
 * status but ZARRC_OK is to be passed on.
 */
typedef zarrc_status (*zarrc_codec_read)(void *source,
                                         uint64_t offset,
                                         uint8_t *dst,
                                         size_t size,
                                         zarrc_error *err);

/**
 * How a codec of the program's own is called. Set everything to zero, then `size` and what there
 * is to set.
 *
 * The callbacks are called from any thread, several at once, also for one chunk codec. Each
 * returns ZARRC_OK or the status of what went wrong, and says what in `err->message`, which then
 * stands in the message of the zarrc call that failed. (A status that zarrc does not know counts
 * as ZARRC_IO.) They must return: neither exceptions nor longjmp may leave them.
 */
typedef struct zarrc_codec_callbacks {
  /** sizeof(zarrc_codec_callbacks) of the header that the program was compiled with. */
  size_t size;
  /** Passed to every callback. */
  void *user;
  /**
   * Ends `user`: called exactly once, after the last other call. That is when the codec was
   * unregistered and the last array that uses it was closed. NULL: nothing to end. Not called
   * where zarrc_codec_register() fails.
   */
  void (*destroy)(void *user);
  /**
   * Checks a configuration (a JSON object, "{}" for none) for chunks like `chunk`; what it sets
   * `*codec` to is passed to the calls below. Called whenever an array is opened or created, so
   * that a bad parameter is found then: ZARRC_INVALID_METADATA. NULL: any configuration will do,
   * `codec` is NULL.
   */
  zarrc_status (*open)(void *user,
                       const char *configuration,
                       const zarrc_codec_chunk *chunk,
                       void **codec,
                       zarrc_error *err);
  /** Ends what `open` made. NULL: nothing to end. */
  void (*close)(void *user, void *codec);
  /**
   * Decodes `src_size` bytes into `dst`, which holds `capacity`, and sets `*dst_size`. What does
   * not fit is ZARRC_LIMIT_EXCEEDED: where zarrc does not know the length it calls again with
   * more room. Bytes that no encoder can have made are ZARRC_CORRUPT_DATA. Never NULL.
   */
  zarrc_status (*decode)(void *user,
                         void *codec,
                         const uint8_t *src,
                         size_t src_size,
                         uint8_t *dst,
                         size_t capacity,
                         size_t *dst_size,
                         zarrc_error *err);
  /** Encodes, likewise. NULL: arrays with this codec can only be read. */
  zarrc_status (*encode)(void *user,
                         void *codec,
                         const uint8_t *src,
                         size_t src_size,
                         uint8_t *dst,
                         size_t capacity,
                         size_t *dst_size,
                         zarrc_error *err);
  /**
   * The most bytes that `decoded_size` bytes can become when they are encoded, so that `encode`
   * gets the room it needs at once. NULL: nobody knows.
   */
  uint64_t (*bound)(void *user, void *codec, uint64_t decoded_size);
  /**
   * Fills `dst` with `size` decoded bytes from `offset` on, of `decoded_size` in all, reading
   * what it needs of the `encoded_size` encoded ones by `read(source, …)`. Called for parts of
   * chunks. NULL: chunks are always decoded whole.
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
 * Makes a codec known to the whole process. Register before opening arrays that use it; in
 * metadata it stands as {"name": NAME, "configuration": {…}} in v3, {"id": NAME, …} in v2.
 *
 * @param name       as new metadata spells it; a prefix of your own ("org.example.") keeps it from
 *                   meeting that of others.
 * @param aliases    other names that metadata may have for it; NULL if alias_count is 0.
 * @param kind       a ZARRC_CODEC_ constant.
 * @param callbacks  copied.
 * @return ZARRC_OK; ZARRC_ALREADY_EXISTS: one of the names is taken, by zarrc or by an earlier
 *         call; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_codec_register(const char *name,
                                  const char *const *aliases,
                                  size_t alias_count,
                                  zarrc_codec_kind kind,
                                  const zarrc_codec_callbacks *callbacks,
                                  zarrc_error *err);

/**
 * Takes a registered codec away again. Arrays that are open keep it until they are closed; then
 * its `destroy` is called.
 *
 * @param name  that of zarrc_codec_register(), no alias.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is none; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_codec_unregister(const char *name, zarrc_error *err);
/** @} */

/* ---------------------------------------------------------------------------- */
/** @defgroup inspect Looking at arrays and groups
 * @{ */

/**
 * Receives the chunks that are stored, one after the other.
 *
 * @param user   the pointer that was given with the callback.
 * @param index  which chunk, in chunks; as many numbers as the array has dimensions.
 * @param key    its key; valid during the call, as is `index`.
 * @param bytes  its size as it is stored.
 * @return false ends the visit.
 */
typedef bool (*zarrc_chunk_visitor)(void *user,
                                    const uint64_t *index,
                                    const char *key,
                                    uint64_t bytes);

/**
 * Receives the nodes below a group, one after the other.
 *
 * @param user  the pointer that was given with the callback.
 * @param path  relative to the group; valid during the call.
 * @param kind  one of the ZARRC_NODE_ constants; ZARRC_NODE_NONE for one whose document cannot be
 *              read.
 * @return false ends the visit.
 */
typedef bool (*zarrc_node_visitor)(void *user, const char *path, zarrc_node_kind kind);

/**
 * Writes everything that is known of an array as a JSON object: "path", "store", "format",
 * "shape", "chunk_shape", "shard_shape" (null where chunks are no shards), "data_type",
 * "element_bytes" (0 for variable length), "fill_value", "order", "separator", "dimension_names",
 * "codecs" (as Zarr v3 spells them, whatever the format), "bytes" (of all elements; null for
 * variable length), "stored_bytes", "ratio" (of these two), "chunks" and "chunks_stored". Others
 * may come.
 *
 * The chunks that are stored are listed and the size of each is asked for; over a network that is
 * a request for each.
 *
 * @param[out] json  to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: the store cannot list its keys; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_info_json(const zarrc_array *array, char **json, zarrc_error *err);

/**
 * Computes a digest of the elements, in C order and little-endian: the same whatever the format,
 * chunks and codecs, and what hashing the bytes of the array in NumPy gives ("<" types, C order).
 * Of elements of variable length, each is preceded by its length (8 bytes, little-endian). The
 * whole array is read, in bounded memory.
 *
 * @param algorithm    "sha1" or "sha256".
 * @param[out] digest  hexadecimal, to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: no such algorithm; else as zarrc_array_read().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_content_digest(const zarrc_array *array,
                                        const char *algorithm,
                                        char **digest,
                                        zarrc_error *err);

/**
 * Computes a digest of what is stored of an array: its chunks in C order, its metadata document,
 * and its attributes where they have a document of their own. Changes with any byte of them; for
 * Zarr v2 it is what Array.hexdigest() of zarr-python 2 gives.
 *
 * @param algorithm    "sha1" or "sha256".
 * @param[out] digest  hexadecimal, to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: no such algorithm; ZARRC_UNSUPPORTED: the store cannot
 *         list its keys; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_stored_digest(const zarrc_array *array,
                                       const char *algorithm,
                                       char **digest,
                                       zarrc_error *err);

/**
 * Returns the codecs of an array (filters, compressor) as a JSON list of objects with "name" and
 * "configuration", in the order in which they encode, as Zarr v3 spells them whatever the format.
 *
 * @param[out] json  to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_codecs_json(const zarrc_array *array, char **json, zarrc_error *err);

/**
 * Returns the path of an array in its store, without a slash at either end; "" for the root.
 *
 * @param[out] path  to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_path(const zarrc_array *array, char **path, zarrc_error *err);

/**
 * Returns the name of the store of an array, as messages have it: a path or a URL, without
 * credentials.
 *
 * @param[out] name  to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_store_name(const zarrc_array *array, char **name, zarrc_error *err);

/**
 * Returns the order of the elements in the chunks: 'C', or 'F' where the first dimension varies
 * fastest. 0 for NULL.
 */
ZARRC_API
char zarrc_array_order(const zarrc_array *array);

/** Returns what stands between the numbers of a chunk's key: '.' or '/'. 0 for NULL. */
ZARRC_API
char zarrc_array_separator(const zarrc_array *array);

/**
 * Returns the key under which a chunk (a shard, where chunks are in shards) is stored or would be.
 *
 * @param rank      that of the array.
 * @param index     which chunk, counted in chunks along each dimension.
 * @param[out] key  to be freed with zarrc_string_free(); as zarrc_store_get() takes it.
 * @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: there is no such chunk; ZARRC_INVALID_ARGUMENT.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_array_chunk_key(const zarrc_array *array,
                                   size_t rank,
                                   const uint64_t *index,
                                   char **key,
                                   zarrc_error *err);

/**
 * Visits the chunks (the shards, where chunks are in shards) of an array that are stored, in C
 * order of their indices.
 *
 * @param rank     that of the array.
 * @param start    the first chunk along each dimension; NULL: 0.
 * @param count    how many chunks along each dimension, from `start`; NULL: all.
 * @param visitor  called on this thread, for each chunk. It may use the array, and must not
 *                 unwind.
 * @param user     passed to `visitor`.
 * @return ZARRC_OK, also where the visitor ended it; ZARRC_UNSUPPORTED: the store cannot list its
 *         keys; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
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
 * Draws a group and everything below it as text, a line for each node, in UTF-8:
 *
 * @code
 * /
 *  ├── a
 *  │    └── x (10, 20) float32
 *  └── b
 * @endcode
 *
 * @param[out] text  to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_group_tree(const zarrc_group *group, char **text, zarrc_error *err);

/**
 * Visits everything below a group, sorted by path (as bytes).
 *
 * @param visitor  called on this thread, for each node. It may use the store, and must not unwind.
 * @param user     passed to `visitor`.
 * @return ZARRC_OK, also where the visitor ended it; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
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
 * What a conversion may do, and who receives its reports. Set everything to zero, then `size`
 * and what there is to set.
 */
typedef struct zarrc_convert_options {
  /** sizeof(zarrc_convert_options) of the header that the program was compiled with. */
  size_t size;
  /**
   * Leave out what the other format has no words for where the values of the arrays stay what
   * they are: names of dimensions. Otherwise that is an error, before anything is written.
   */
  bool accept_losses;
  /**
   * After a conversion in place, leave what only the old format needs, so that readers of both
   * formats find the arrays.
   */
  bool keep_old;
  /** Receives reports; what was done stays when it cancels. NULL: no reports. */
  zarrc_progress progress;
  /** Passed to `progress`. */
  void *user;
} zarrc_convert_options;

/**
 * Writes the node at `from_path` and all below it in another format.
 *
 * Before anything is written every node is read and expressed in the other format. What cannot be
 * said there is an error that names it. Chunks are decoded and encoded anew only where the other
 * format has no words for how they are encoded (shards in v2, a codec in N5); otherwise their
 * bytes are copied. In place, that is with the same store handle and path, they are left where
 * they are if both formats look for them there: v1 to v2, v2 to v3.
 *
 * What can be opened in the target is complete: the document of an array is written after its
 * chunks, that of a group after what lies below it. A conversion that was interrupted (killed,
 * cancelled, out of disk) goes on where it was when the same call is made again; until then the
 * key ".zarrc-conversion" in the target tells of it. In place, the old documents are erased when
 * all else is done.
 *
 * Nobody may write to the source or the target meanwhile. Members of metadata documents that no
 * specification names are not carried over; attributes all are.
 *
 * @param format   a ZARRC_FORMAT_ constant other than ZARRC_FORMAT_ANY.
 * @param options  NULL: no losses, nobody told.
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: what cannot be said in that format, with each node's path,
 *         or a node that cannot be read; ZARRC_NOT_FOUND: there is nothing at from_path;
 *         ZARRC_ALREADY_EXISTS: something else is at to_path; ZARRC_CANCELLED; ZARRC_CORRUPT_DATA:
 *         a chunk that must be recoded does not decode; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
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
 * What zarrc_convert() would do, as a JSON object: "from" and "to" (names of formats), "in_place",
 * and "nodes", each with "path", "kind", "chunks" ("stay", "copied", "recoded"; null for a group)
 * and "notes" (a list of what changes, in words). Nothing is written.
 *
 * @param[out] json  to be freed with zarrc_string_free().
 * @return as zarrc_convert().
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
/** @defgroup operations Copying, moving, rechunking and checking
 * @{ */

/** What happens to keys that are in the target already: one of the constants below. */
typedef int32_t zarrc_if_exists;
/** The constants of ::zarrc_if_exists. */
enum zarrc_if_exists_constants {
  ZARRC_IF_EXISTS_FAIL = 0,    /**< Nothing is copied: ZARRC_ALREADY_EXISTS. */
  ZARRC_IF_EXISTS_SKIP = 1,    /**< They stay as they are. */
  ZARRC_IF_EXISTS_REPLACE = 2, /**< They are written over. */
};

/** How nodes are copied. Set everything to zero, then `size` and what there is to set. */
typedef struct zarrc_copy_options {
  /** sizeof(zarrc_copy_options) of the header that the program was compiled with. */
  size_t size;
  /** What happens to keys that are in the target already. */
  zarrc_if_exists if_exists;
  /** Write nothing, only count what would be copied. */
  bool dry_run;
  /** Elements of `exclude`. */
  size_t exclude_count;
  /** Paths of nodes, relative to the copied one, that are left out with all below them. */
  const char *const *exclude;
  /** Receives reports; what was copied stays when it cancels. NULL: no reports. */
  zarrc_progress progress;
  /** Passed to `progress`. */
  void *user;
} zarrc_copy_options;

/** What was copied. */
typedef struct zarrc_copied {
  /** Keys that were copied. */
  uint64_t keys;
  /** Keys that were in the target already and stayed. */
  uint64_t skipped;
  /** Bytes that were copied. */
  uint64_t bytes;
} zarrc_copied;

/**
 * Copies a node and everything below it, as it is stored: the keys change, their bytes do not.
 * Groups above the target that are missing are created.
 *
 * Chunks are copied before documents, and the documents of a group after what lies below it: a
 * node that can be opened in the target is complete. Nobody may write to the source meanwhile. To
 * change the format, use zarrc_convert(); to change chunks or codecs, zarrc_rechunk().
 *
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is nothing at from_path; ZARRC_ALREADY_EXISTS: there is
 *         something at to_path; ZARRC_INVALID_ARGUMENT: one path lies within the other in one
 *         store, or the target store is of another format; ZARRC_PERMISSION_DENIED; ZARRC_IO.
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
 * @param options      NULL: as zarrc_node_copy().
 * @param[out] copied  what was copied, or would be in a dry run. May be NULL.
 * @return ZARRC_OK; ZARRC_CANCELLED: what was copied until then stays; else as zarrc_node_copy().
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
 * Gives a node, and everything below it, another path in the same store. Handles opened from the
 * old path must not be used any more. The node is copied and the old one deleted: where that is
 * interrupted, it is at its old path, at its new one, or at both.
 *
 * @return as zarrc_node_copy().
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_node_move(zarrc_store *store,
                             const char *from_path,
                             const char *to_path,
                             zarrc_error *err);

/**
 * Writes consolidated metadata for a group: the documents of everything below it in one document,
 * which others read instead of them (xarray, zarr-python). In Zarr v2 that is the key .zmetadata,
 * in v3 a member of the group's zarr.json, as zarr-python 3 writes it.
 *
 * From then on, each change made by zarrc to a document below the group is made there too; the
 * option "consolidate" says otherwise. It must be called again after others changed documents.
 *
 * @param path  of a group that has a document of its own; "" for the whole store.
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is no such group; ZARRC_UNSUPPORTED: its format has no
 *         consolidated metadata; ZARRC_INVALID_METADATA; ZARRC_CONFLICT; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_consolidate_metadata(zarrc_store *store, const char *path, zarrc_error *err);

/**
 * Writes an array anew in other chunks, shards, codecs or another format, within bounded memory.
 *
 * The array is brought over in blocks of whole new chunks, as large as memory allows, so that each
 * chunk of the source is read as seldom as possible. Where that would still read it many times, an
 * uncompressed scratch array below ".zarrc-rechunk/" in the target stands in between, which takes
 * as much room as the array.
 *
 * The document is written last: an array that can be opened is complete. Called again after an
 * interruption (killed, cancelled, disk full) with the same arguments, it goes on where it was;
 * until then the key ".zarrc-rechunk.json" in the target tells of it. Nobody may write to either
 * array meanwhile.
 *
 * @param from          the source; may be of another store.
 * @param path          of the new array.
 * @param spec          what the new array is to be. Its shape and data type must be those of
 *                      `from`. Fill value, attributes and dimension names that it does not set are
 *                      taken from `from`; chunks, codecs and format that it does not set are the
 *                      defaults of zarrc_array_create().
 * @param memory_limit  bytes that the call may use for elements; 0: 256 MiB. Elements of variable
 *                      length are taken to have 64 bytes.
 * @param progress      receives reports, after each block; NULL: no reports.
 * @param user          passed to `progress`.
 * @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is something at that path; ZARRC_INVALID_ARGUMENT:
 *         the description does not fit; ZARRC_LIMIT_EXCEEDED: a chunk alone needs more memory (the
 *         message says how much); ZARRC_CANCELLED; ZARRC_CORRUPT_DATA: a chunk of the source;
 *         ZARRC_UNSUPPORTED; ZARRC_PERMISSION_DENIED; ZARRC_OUT_OF_MEMORY; ZARRC_IO.
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
 * Checks everything below a node: each document is read, each stored chunk decoded with its
 * checksums (whatever the option ignore_checksums says), each shard index compared with its shard,
 * consolidated metadata with the documents. Nothing is changed. Problems are no error.
 *
 * The report is a JSON object: "nodes", "chunks" and "bytes" count what was looked at; "problems"
 * is a list of objects with "node" (path), "key", "kind" and "message" (for people). Kinds:
 * "document" and "attributes" (cannot be read), "chunk" (does not decode), "index" (of a shard, is
 * damaged or points outside), "overlap" (of inner chunks), "dead_space" (in a shard; costs only
 * room), "outside" (a chunk outside the array's shape), "consolidated" (stale or damaged),
 * "mixture" (documents of several formats, of which readers believe different ones), "interrupted"
 * (a conversion or rechunking), "temporary" (a file of a killed writer), "unknown" (a key that
 * belongs to no node), "unsupported" (cannot be checked by this build), "too_large" (past a
 * bound), "unreadable" (the system or network failed). Others may come.
 *
 * @param path         of the node; "" for the whole store.
 * @param progress     receives reports, after each chunk; NULL: no reports.
 * @param user         passed to `progress`.
 * @param[out] report  to be freed with zarrc_string_free().
 * @return ZARRC_OK, whatever is wrong with what is stored; ZARRC_NOT_FOUND: there is nothing at
 *         that path; ZARRC_CANCELLED; ZARRC_UNSUPPORTED: the store cannot list its keys;
 *         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
ZARRC_API ZARRC_NODISCARD
zarrc_status zarrc_verify(const zarrc_store *store,
                          const char *path,
                          zarrc_progress progress,
                          void *user,
                          char **report,
                          zarrc_error *err);

/**
 * Checks everything below a node as zarrc_verify() does, and puts right the problems of the kinds
 * that are asked for. Nobody may write to the store meanwhile.
 *
 * - "consolidated": consolidated metadata is written anew.
 * - "outside", "unknown": the keys are deleted.
 * - "interrupted": what the interrupted call left is deleted, and it cannot go on any more.
 * - "chunk", "index": damaged chunks and shards are deleted. **Their elements are lost** and read
 *   as the fill value from then on.
 *
 * The report is a JSON object: "repaired" (what was put right, or would be in a dry run) and
 * "left" (all other problems) are lists as "problems" of zarrc_verify().
 *
 * @param kinds        separated by commas: "outside,consolidated".
 * @param dry_run      true: nothing is written.
 * @param progress     receives reports of the check; NULL: no reports.
 * @param user         passed to `progress`.
 * @param[out] report  to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: a kind that cannot be put right; else as
 *         zarrc_verify().
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
 * @param file        path of the file on this machine.
 * @param options     NULL: no losses, nothing replaced.
 * @param[out] notes  JSON list of objects with "path" and "note": what changes on the way, in
 *                    words. To be freed with zarrc_string_free(). May be NULL.
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: HDF5 has nothing like a node (the message names each), or
 *         this build or machine has no libhdf5; ZARRC_ALREADY_EXISTS: there is such a file;
 *         ZARRC_NOT_FOUND: there is nothing at from_path, or no directory for the file;
 *         ZARRC_CANCELLED; ZARRC_CORRUPT_DATA: a chunk does not decode; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_OUT_OF_MEMORY; ZARRC_IO.
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
 * @param path       of the node; "" for the whole store.
 * @param url        URL or path that the references name for the file, as for readers elsewhere.
 *                   NULL: as the store has it; of a file of this machine the absolute path.
 * @param progress   receives reports, after each key; NULL: no reports.
 * @param user       passed to `progress`.
 * @param[out] json  to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is nothing at that path; ZARRC_INVALID_ARGUMENT: `url`
 *         is given and the values lie in several files; ZARRC_CANCELLED; ZARRC_UNSUPPORTED: the
 *         store cannot list its keys; ZARRC_CORRUPT_DATA; ZARRC_OUT_OF_MEMORY; ZARRC_IO.
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
