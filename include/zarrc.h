/*
 * zarrc 0.1: Zarr arrays from C, and from everything that can call C.
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
 *    int64_t, in bytes; sizes of memory are size_t.
 *  - Memory is native-endian. Stored bytes are swapped as needed.
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

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------------------------
 * Status and errors
 * ---------------------------------------------------------------------------- */

/** What became of a call: ZARRC_OK or one of the constants below. New ones may be added. */
typedef int32_t zarrc_status;
#define ZARRC_OK 0                /**< The call did what it says. */
#define ZARRC_INVALID_ARGUMENT 1  /**< A caller's mistake: a NULL, a wrong rank or size, an
                                       unknown constant. The message names the argument. */
#define ZARRC_OUT_OF_BOUNDS 2     /**< The selection leaves the array, the range leaves the
                                       value. */
#define ZARRC_NOT_FOUND 3         /**< No such store, node, key or attribute. */
#define ZARRC_ALREADY_EXISTS 4    /**< Something is there already. */
#define ZARRC_INVALID_METADATA 5  /**< The metadata document breaks its specification. */
#define ZARRC_CORRUPT_DATA 6      /**< A chunk does not decode to what the metadata says. */
#define ZARRC_UNSUPPORTED 7       /**< Valid, but not something that this build can do. The
                                       message names it. */
#define ZARRC_TYPE_MISMATCH 8     /**< There is no conversion between the two types, or a value
                                       does not fit the other one. */
#define ZARRC_PERMISSION_DENIED 9 /**< The store is read-only, or the system said no. */
#define ZARRC_IO 10               /**< The file system, network or database failed;
                                       zarrc_error.system_code may say how. */
#define ZARRC_CONFLICT 11         /**< Someone else kept changing it in between. */
#define ZARRC_LIMIT_EXCEEDED 12   /**< Past a bound: of sizes, of depth, of memory. */
#define ZARRC_CANCELLED 13        /**< The request was cancelled. */
#define ZARRC_OUT_OF_MEMORY 14    /**< The system gives no more memory. */
#define ZARRC_INTERNAL 15         /**< A bug in zarrc, caught before it could do harm to the
                                       caller. */

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
   * UTF-8, NUL-terminated, cut at a character if it is too long: the store, node, key and
   * chunk concerned, and what to do where that is known.
   */
  char message[1016];
} zarrc_error;

/**
 * The name of a status, as "ZARRC_NOT_FOUND"; "unknown status" for any other number. Static:
 * nothing to free.
 */
const char *zarrc_status_name(zarrc_status status);

/**
 * The version of the library that is running, as "0.1.0"; ZARRC_VERSION is that of the header.
 * Static: nothing to free.
 */
const char *zarrc_version(void);

/**
 * What this build can do, as a JSON object: "version", "formats", "codecs" (each with "name",
 * "aliases" and "kind"), "stores" (the schemes of URLs) and "options" (each with "name", "values",
 * "default" and "doc").
 *
 * @param[out] json  to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: json is NULL.
 */
zarrc_status zarrc_build_info(char **json, zarrc_error *err);

/** Frees a string that a function of this library handed out. NULL is accepted. */
void zarrc_string_free(char *string);

/* ----------------------------------------------------------------------------
 * Data types and formats
 * ---------------------------------------------------------------------------- */

/** A type of elements: one of the constants below. */
typedef int32_t zarrc_data_type;
#define ZARRC_NATIVE 0                      /**< As stored, in native byte order (memory types
                                                 only). Of types whose low bits alone count, the
                                                 others are as stored too, and may be anything. */
#define ZARRC_BOOL 1                        /**< One byte, 0 or 1. */
#define ZARRC_INT8 2                        /**< int8_t */
#define ZARRC_INT16 3                       /**< int16_t */
#define ZARRC_INT32 4                       /**< int32_t */
#define ZARRC_INT64 5                       /**< int64_t */
#define ZARRC_UINT8 6                       /**< uint8_t */
#define ZARRC_UINT16 7                      /**< uint16_t */
#define ZARRC_UINT32 8                      /**< uint32_t */
#define ZARRC_UINT64 9                      /**< uint64_t */
#define ZARRC_FLOAT16 10                    /**< IEEE 754 half precision, two bytes. */
#define ZARRC_BFLOAT16 11                   /**< The upper half of a float, two bytes. */
#define ZARRC_FLOAT32 12                    /**< float */
#define ZARRC_FLOAT64 13                    /**< double */
#define ZARRC_COMPLEX64 14                  /**< Two floats: real, imaginary. */
#define ZARRC_COMPLEX128 15                 /**< Two doubles: real, imaginary. */
#define ZARRC_RAW 16                        /**< r*, |V*: opaque bytes. */
#define ZARRC_FIXED_BYTES 17                /**< |S*: NUL-padded bytes. */
#define ZARRC_FIXED_UTF32 18                /**< <U*: UCS-4 code units, NUL-padded. */
#define ZARRC_DATETIME64 19                 /**< int64 count of a unit since 1970; INT64_MIN is
                                                 "not a time". */
#define ZARRC_TIMEDELTA64 20                /**< int64 count of a unit; INT64_MIN is "not a
                                                 time". */
#define ZARRC_STRUCT 21                     /**< Packed fields in declared order. */
#define ZARRC_STRING 22                     /**< Variable-length UTF-8. */
#define ZARRC_BYTES 23                      /**< Variable-length bytes. */
#define ZARRC_RAGGED 24                     /**< Variable-length runs of a primitive type. */
#define ZARRC_JSON 25                       /**< Any JSON value per element. */
#define ZARRC_INT2 26                       /**< One byte, -2 to 1: its two lowest bits count.
                                                 Read sign-extended, so an int8_t. */
#define ZARRC_INT4 27                       /**< One byte, -8 to 7: its four lowest bits count.
                                                 Read sign-extended, so an int8_t. */
#define ZARRC_UINT2 28                      /**< One byte, 0 to 3: its two lowest bits count. */
#define ZARRC_UINT4 29                      /**< One byte, 0 to 15: its four lowest bits count. */
#define ZARRC_FLOAT4_E2M1FN 30              /**< One byte: its lowest four bits are a sign, 2 of
                                                 exponent and 1 of mantissa. All are finite. */
#define ZARRC_FLOAT6_E2M3FN 31              /**< One byte: its lowest six bits are a sign, 2 of
                                                 exponent and 3 of mantissa. All are finite. */
#define ZARRC_FLOAT6_E3M2FN 32              /**< One byte: its lowest six bits are a sign, 3 of
                                                 exponent and 2 of mantissa. All are finite. */
#define ZARRC_FLOAT8_E3M4 33                /**< One byte, as IEEE 754 would have it. */
#define ZARRC_FLOAT8_E4M3 34                /**< One byte, as IEEE 754 would have it. */
#define ZARRC_FLOAT8_E4M3B11FNUZ 35         /**< One byte, bias 11; no infinities, no -0, 0x80 is
                                                 NaN. */
#define ZARRC_FLOAT8_E4M3FN 36              /**< One byte; no infinities, 0x7f and 0xff are NaN. */
#define ZARRC_FLOAT8_E4M3FNUZ 37            /**< One byte, bias 8; no infinities, no -0, 0x80 is
                                                 NaN. */
#define ZARRC_FLOAT8_E5M2 38                /**< One byte, as IEEE 754 would have it. */
#define ZARRC_FLOAT8_E5M2FNUZ 39            /**< One byte, bias 16; no infinities, no -0, 0x80 is
                                                 NaN. */
#define ZARRC_FLOAT8_E8M0FNU 40             /**< One byte: powers of two from 2^-127 on; no sign,
                                                 no 0, 0xff is NaN. */
#define ZARRC_COMPLEX_FLOAT16 41            /**< Two float16: real, imaginary. */
#define ZARRC_COMPLEX_BFLOAT16 42           /**< Two bfloat16: real, imaginary. */
#define ZARRC_COMPLEX_FLOAT4_E2M1FN 43      /**< Two ZARRC_FLOAT4_E2M1FN: real, imaginary. */
#define ZARRC_COMPLEX_FLOAT6_E2M3FN 44      /**< Two ZARRC_FLOAT6_E2M3FN: real, imaginary. */
#define ZARRC_COMPLEX_FLOAT6_E3M2FN 45      /**< Two ZARRC_FLOAT6_E3M2FN: real, imaginary. */
#define ZARRC_COMPLEX_FLOAT8_E3M4 46        /**< Two ZARRC_FLOAT8_E3M4: real, imaginary. */
#define ZARRC_COMPLEX_FLOAT8_E4M3 47        /**< Two ZARRC_FLOAT8_E4M3: real, imaginary. */
#define ZARRC_COMPLEX_FLOAT8_E4M3B11FNUZ 48 /**< Two ZARRC_FLOAT8_E4M3B11FNUZ: real, imaginary. */
#define ZARRC_COMPLEX_FLOAT8_E4M3FN 49      /**< Two ZARRC_FLOAT8_E4M3FN: real, imaginary. */
#define ZARRC_COMPLEX_FLOAT8_E4M3FNUZ 50    /**< Two ZARRC_FLOAT8_E4M3FNUZ: real, imaginary. */
#define ZARRC_COMPLEX_FLOAT8_E5M2 51        /**< Two ZARRC_FLOAT8_E5M2: real, imaginary. */
#define ZARRC_COMPLEX_FLOAT8_E5M2FNUZ 52    /**< Two ZARRC_FLOAT8_E5M2FNUZ: real, imaginary. */
#define ZARRC_COMPLEX_FLOAT8_E8M0FNU 53     /**< Two ZARRC_FLOAT8_E8M0FNU: real, imaginary. */

/** An on-disk format: one of the constants below. */
typedef int32_t zarrc_format;
#define ZARRC_FORMAT_ANY 0     /**< Opening: whichever it is. Creating: that of the group above,
                                    else Zarr v3. */
#define ZARRC_FORMAT_V1 1      /**< Zarr v1. Not in this build. */
#define ZARRC_FORMAT_V2 2      /**< Zarr v2. */
#define ZARRC_FORMAT_V3 3      /**< Zarr v3: the final specification, 3.0 and 3.1. */
#define ZARRC_FORMAT_N5 4      /**< N5. Not in this build. */
#define ZARRC_FORMAT_V3_2019 5 /**< The v3 draft of 2019. Not in this build. */
#define ZARRC_FORMAT_V3_2020 6 /**< The v3 draft of 2020. Not in this build. */
#define ZARRC_FORMAT_V3_2022 7 /**< The v3 draft of 2022. Not in this build. */

/* ----------------------------------------------------------------------------
 * Options
 * ---------------------------------------------------------------------------- */

/**
 * Named settings, given as strings; zarrc_build_info() says what each does and takes: "threads",
 * "follow_symlinks", "sync", "consolidated", "write_empty_chunks", "chunk_cache", "write_buffer",
 * "ignore_checksums", "unknown_codecs" and others.
 * Built by one thread; may be used for any number of stores.
 */
typedef struct zarrc_options zarrc_options;

/** New options, everything at its default. NULL only if there is no memory. */
zarrc_options *zarrc_options_new(void);

/**
 * Sets one option.
 *
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: there is no such option (the message names the
 *         nearest one), or it takes no such value (the message says which).
 */
zarrc_status zarrc_options_set(zarrc_options *options,
                               const char *name,
                               const char *value,
                               zarrc_error *err);

/** Frees options. NULL is accepted. */
void zarrc_options_free(zarrc_options *options);

/* ----------------------------------------------------------------------------
 * Stores
 * ---------------------------------------------------------------------------- */

/** An open store. Any number of threads may use it at once. */
typedef struct zarrc_store zarrc_store;

/** How a store is opened: one of the constants below. */
typedef int32_t zarrc_mode;
#define ZARRC_READ 0       /**< Must exist, is not changed (h5py "r"). */
#define ZARRC_READ_WRITE 1 /**< Must exist (h5py "r+"). */
#define ZARRC_APPEND 2     /**< Is created if it is missing (h5py "a"). */
#define ZARRC_CREATE 3     /**< Must not exist (h5py "w-"). */
#define ZARRC_OVERWRITE 4  /**< What is there is deleted first (h5py "w"). */

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
zarrc_status zarrc_store_erase(zarrc_store *store, const char *key, zarrc_error *err);

/**
 * Takes away every key that begins with `prefix`, which ends in "/" or is empty (all keys).
 * That there are none is no error.
 *
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
zarrc_status zarrc_store_erase_prefix(zarrc_store *store, const char *prefix, zarrc_error *err);

/**
 * Forgets what an adapter (cache:, simplecache:) keeps of the values whose keys begin with `prefix`,
 * which ends in "/" or is empty (all keys), so that they are read anew, and the consolidated metadata
 * that the store has been found to have.
 *
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_IO.
 */
zarrc_status zarrc_store_forget(zarrc_store *store,
                                const char *prefix,
                                zarrc_error *err);

/**
 * Frees a value that zarrc_store_get() or zarrc_store_get_range() handed out. NULL is accepted.
 */
void zarrc_value_free(uint8_t *value, size_t size);

/* ----------------------------------------------------------------------------
 * Stores of a program's own
 * ---------------------------------------------------------------------------- */

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
zarrc_status zarrc_store_from_callbacks(const zarrc_store_callbacks *callbacks,
                                        const zarrc_options *options,
                                        zarrc_store **store,
                                        zarrc_error *err);

/* ----------------------------------------------------------------------------
 * Attributes
 * ---------------------------------------------------------------------------- */

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

/**
 * All attributes as the text of a JSON object.
 *
 * @param[out] json  to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_INVALID_METADATA: the document is damaged;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
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
zarrc_status zarrc_attributes_set_json(zarrc_attributes *attributes,
                                       const char *key,
                                       const char *json,
                                       zarrc_error *err);

/**
 * The number that an attribute is; "NaN", "Infinity" and "-Infinity" are numbers too.
 *
 * @return ZARRC_OK; ZARRC_NOT_FOUND; ZARRC_TYPE_MISMATCH: it is no number; else as
 *         zarrc_attributes_json().
 */
zarrc_status zarrc_attributes_get_double(const zarrc_attributes *attributes,
                                         const char *key,
                                         double *value,
                                         zarrc_error *err);

/**
 * Sets one attribute to a number; NaN and infinities become the strings "NaN", "Infinity" and
 * "-Infinity".
 *
 * @return as zarrc_attributes_replace_json().
 */
zarrc_status zarrc_attributes_set_double(zarrc_attributes *attributes,
                                         const char *key,
                                         double value,
                                         zarrc_error *err);

/**
 * The integer that an attribute is.
 *
 * @return ZARRC_OK; ZARRC_NOT_FOUND; ZARRC_TYPE_MISMATCH: it is no integer, or one that 64 bits
 *         do not hold; else as zarrc_attributes_json().
 */
zarrc_status zarrc_attributes_get_int64(const zarrc_attributes *attributes,
                                        const char *key,
                                        int64_t *value,
                                        zarrc_error *err);

/**
 * Sets one attribute to an integer.
 *
 * @return as zarrc_attributes_replace_json().
 */
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
zarrc_status zarrc_attributes_get_string(const zarrc_attributes *attributes,
                                         const char *key,
                                         char **value,
                                         zarrc_error *err);

/**
 * Sets one attribute to a text.
 *
 * @return as zarrc_attributes_replace_json().
 */
zarrc_status zarrc_attributes_set_string(zarrc_attributes *attributes,
                                         const char *key,
                                         const char *value,
                                         zarrc_error *err);

/**
 * Takes one attribute away.
 *
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is none of that name; else as
 *         zarrc_attributes_replace_json().
 */
zarrc_status zarrc_attributes_delete(zarrc_attributes *attributes,
                                     const char *key,
                                     zarrc_error *err);

/* ----------------------------------------------------------------------------
 * Hierarchy
 * ---------------------------------------------------------------------------- */

/** An open group. Any number of threads may use it at once. */
typedef struct zarrc_group zarrc_group;

/** The nodes that a listing found. Does not change; any number of threads may use it at once. */
typedef struct zarrc_listing zarrc_listing;

/** What a node is: one of the constants below. */
typedef int32_t zarrc_node_kind;
#define ZARRC_NODE_NONE 0  /**< There is nothing (in a listing: something whose document cannot
                                be read). */
#define ZARRC_NODE_GROUP 1 /**< A group. */
#define ZARRC_NODE_ARRAY 2 /**< An array. */

/**
 * Tells what is at a path. "" and "/" are the root; "a/b", "/a/b" and "a/b/" are the same node.
 * A path that has only nodes below it is a group.
 *
 * @param[out] kind  ZARRC_NODE_NONE where there is nothing, which is no error.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT (a segment "." or ".."); ZARRC_INVALID_METADATA;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
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
zarrc_status zarrc_group_create(zarrc_store *store,
                                const char *path,
                                zarrc_format format,
                                zarrc_group **group,
                                zarrc_error *err);

/** Closes a group; its attributes must not be used any more. NULL is accepted. */
zarrc_status zarrc_group_close(zarrc_group *group, zarrc_error *err);

/** The attributes of a group. Borrowed: good until the group is closed. NULL for NULL. */
zarrc_attributes *zarrc_group_attributes(zarrc_group *group);

/**
 * The nodes below a group, sorted by path (as bytes).
 *
 * @param recursive     false: its children; true: everything below it.
 * @param[out] listing  to be freed with zarrc_listing_free().
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
zarrc_status zarrc_group_list(const zarrc_group *group,
                              bool recursive,
                              zarrc_listing **listing,
                              zarrc_error *err);

/** How many nodes a listing holds; 0 for NULL. */
size_t zarrc_listing_count(const zarrc_listing *listing);

/**
 * The path of a node, relative to the group. Borrowed: good until the listing is freed. NULL
 * past the end.
 */
const char *zarrc_listing_path(const zarrc_listing *listing, size_t index);

/** What a node is; ZARRC_NODE_NONE past the end, and for one whose document cannot be read. */
zarrc_node_kind zarrc_listing_kind(const zarrc_listing *listing, size_t index);

/** Frees a listing. NULL is accepted. */
void zarrc_listing_free(zarrc_listing *listing);

/**
 * Deletes a node and everything below it. The root may be deleted too: the store is empty then.
 * Symbolic links are taken away, what they point at stays.
 *
 * @return ZARRC_OK; ZARRC_NOT_FOUND: there is none; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
zarrc_status zarrc_node_delete(zarrc_store *store, const char *path, zarrc_error *err);

/* ----------------------------------------------------------------------------
 * What a new array is to be
 * ---------------------------------------------------------------------------- */

/**
 * What a new array is to be. Chunks, fill value and codecs have sensible defaults (chunks of
 * about 1 MiB, 0, zstd), so rank, shape and type are enough. Built by one thread; may be used for
 * any number of arrays.
 */
typedef struct zarrc_array_spec zarrc_array_spec;

/**
 * Begins the description of an array.
 *
 * @param data_type  one of the ZARRC_ types but ZARRC_NATIVE. ZARRC_RAW to ZARRC_STRUCT and
 *                   ZARRC_RAGGED take parameters, which zarrc_array_spec_set_data_type() gives.
 * @param rank       dimensions; 0 for an array of one element.
 * @param shape      `rank` extents, slowest dimension first; any may be 0.
 * @param[out] spec  to be freed with zarrc_array_spec_free().
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 */
zarrc_status zarrc_array_spec_new(zarrc_data_type data_type,
                                  size_t rank,
                                  const uint64_t *shape,
                                  zarrc_array_spec **spec,
                                  zarrc_error *err);

/** Frees a description. NULL is accepted. */
void zarrc_array_spec_free(zarrc_array_spec *spec);

/**
 * Sets the format. Default: ZARRC_FORMAT_ANY, that of the group above, else Zarr v3.
 *
 * @return ZARRC_OK; ZARRC_UNSUPPORTED: no such format in this build; ZARRC_INVALID_ARGUMENT.
 */
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
zarrc_status zarrc_array_spec_set_data_type(zarrc_array_spec *spec,
                                            const char *data_type,
                                            zarrc_error *err);

/**
 * Sets the shape of a chunk (of an inner chunk, where there are shards). Default: about 1 MiB.
 *
 * @param rank  the array's.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: another rank, or an extent of 0.
 */
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
zarrc_status zarrc_array_spec_set_shard_shape(zarrc_array_spec *spec,
                                              size_t rank,
                                              const uint64_t *shard_shape,
                                              zarrc_error *err);

/**
 * Sets the value of elements that were never written. Default: zeros.
 *
 * @param value  one element as it lies in memory; of variable length its bytes.
 * @param size   its size in bytes.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: size is not that of an element, or these are no bytes
 *         of one (text that is not UTF-8, a broken run, what is not JSON).
 */
zarrc_status zarrc_array_spec_set_fill_value(zarrc_array_spec *spec,
                                             const void *value,
                                             size_t size,
                                             zarrc_error *err);

/**
 * The same as JSON, as the format's documents say it (1.5, "NaN", "0x7fc00001", [0, 1], …).
 *
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: it is not JSON. Whether it is a value of the type is
 *         looked at when the array is created.
 */
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
zarrc_status zarrc_array_spec_set_order(zarrc_array_spec *spec, char order, zarrc_error *err);

/**
 * Sets what stands between the numbers of a chunk's key. Default: '/' in Zarr v3, '.' in v2.
 *
 * @param separator  '.' or '/'.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 */
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
zarrc_status zarrc_array_spec_set_attributes_json(zarrc_array_spec *spec,
                                                  const char *json,
                                                  zarrc_error *err);

/* ----------------------------------------------------------------------------
 * Creating, opening and inspecting arrays
 * ---------------------------------------------------------------------------- */

/**
 * An open array. Any number of threads may read and write it at once; writes to different chunks
 * never disturb each other, and of two writes to the same part of a chunk the last one stays.
 */
typedef struct zarrc_array zarrc_array;

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
zarrc_status zarrc_array_create(zarrc_store *store,
                                const char *path,
                                const zarrc_array_spec *spec,
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
 *         ZARRC_INVALID_ARGUMENT.
 */
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
zarrc_status zarrc_array_close(zarrc_array *array, zarrc_error *err);

/** The format that an array is stored in; ZARRC_FORMAT_ANY for NULL. */
zarrc_format zarrc_array_format(const zarrc_array *array);

/** The type of an array's elements; ZARRC_NATIVE for NULL. */
zarrc_data_type zarrc_array_data_type(const zarrc_array *array);

/** Bytes of an element in memory of type ZARRC_NATIVE; 0 for variable-length types and NULL. */
size_t zarrc_array_element_size(const zarrc_array *array);

/** Number of dimensions; 0 for NULL. */
size_t zarrc_array_rank(const zarrc_array *array);

/**
 * The present shape, slowest dimension first, in elements.
 *
 * @param rank        the array's.
 * @param[out] shape  `rank` numbers.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
 */
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
zarrc_status zarrc_array_fill_value_json(const zarrc_array *array, char **json, zarrc_error *err);

/**
 * The metadata document of an array as it is in the store now.
 *
 * @param[out] json  to be freed with zarrc_string_free().
 * @return ZARRC_OK; ZARRC_NOT_FOUND: it is gone; ZARRC_INVALID_ARGUMENT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
zarrc_status zarrc_array_metadata_json(const zarrc_array *array, char **json, zarrc_error *err);

/** The attributes of an array. Borrowed: good until the array is closed. NULL for NULL. */
zarrc_attributes *zarrc_array_attributes(zarrc_array *array);

/* ----------------------------------------------------------------------------
 * Reading, writing and changing arrays
 * ---------------------------------------------------------------------------- */

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
zarrc_status zarrc_array_write_strided(zarrc_array *array,
                                       const uint64_t *start,
                                       const uint64_t *step,
                                       const uint64_t *count,
                                       zarrc_data_type memory_type,
                                       const void *buffer,
                                       const int64_t *strides,
                                       zarrc_error *err);

/**
 * Gives an array another shape. Elements that come to be read as the fill value; those that a
 * smaller shape leaves outside are deleted and do not come back. Other handles to the array keep
 * the shape that they were opened with.
 *
 * @param rank   the array's.
 * @param shape  `rank` extents.
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_NOT_FOUND: the array is gone; ZARRC_CONFLICT;
 *         ZARRC_PERMISSION_DENIED; ZARRC_IO.
 */
zarrc_status zarrc_array_resize(zarrc_array *array,
                                size_t rank,
                                const uint64_t *shape,
                                zarrc_error *err);

/**
 * Hands everything written so far to the store: what the option "write_buffer" has gathered, and
 * what the store itself puts off until it is closed.
 * Without that option every write is in the store when it returns. What cannot be written stays
 * gathered, so that a flush can be tried again.
 *
 * @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; else as zarrc_array_write().
 */
zarrc_status zarrc_array_flush(zarrc_array *array, zarrc_error *err);

/* ----------------------------------------------------------------------------
 * Elements of variable length: strings, byte strings, runs of numbers, JSON. They come and go as
 * bytes, one element after the other, and offsets that say where each begins and ends
 * ---------------------------------------------------------------------------- */

/**
 * Elements of variable length that were read: element i is
 * `bytes[offsets[i] .. offsets[i + 1]]`, in C order of the box (Arrow's large layout). Strings are
 * UTF-8 without a NUL behind them; runs (ZARRC_RAGGED) are their items in native byte order,
 * of which offsets count the bytes; an element of ZARRC_JSON is a JSON text. Read by any
 * number of threads.
 */
typedef struct zarrc_vlen zarrc_vlen;

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
zarrc_status zarrc_array_write_vlen(zarrc_array *array,
                                    const uint64_t *start,
                                    const uint64_t *count,
                                    const uint64_t *offsets,
                                    const uint8_t *bytes,
                                    zarrc_error *err);

/** How many elements were read; 0 for NULL. */
size_t zarrc_vlen_count(const zarrc_vlen *values);

/**
 * Where each element begins in the bytes, and behind the last where it ends: one number more than
 * there are elements, the first 0. Borrowed: good until the values are freed. NULL for NULL.
 */
const uint64_t *zarrc_vlen_offsets(const zarrc_vlen *values);

/**
 * The bytes of all elements, one after the other. Borrowed: good until the values are freed.
 * NULL for NULL.
 */
const uint8_t *zarrc_vlen_bytes(const zarrc_vlen *values);

/** Frees what was read. NULL is accepted. */
void zarrc_vlen_free(zarrc_vlen *values);

/* ----------------------------------------------------------------------------
 * Codecs of the program's own
 * ---------------------------------------------------------------------------- */

/** What a codec makes of what: one of the constants below. */
typedef int32_t zarrc_codec_kind;
#define ZARRC_CODEC_BYTES 0       /**< Bytes of bytes: a compressor, a checksum. */
#define ZARRC_CODEC_ARRAY_BYTES 1 /**< Bytes of an array: it sees all elements of a chunk, in C
                                       order and native byte order, and stands where otherwise
                                       the codec "bytes" stands. */
#define ZARRC_CODEC_ARRAY 2       /**< An array of an array, of the same shape and type: a
                                       filter. It sees the elements as ZARRC_CODEC_ARRAY_BYTES
                                       does and gives as many bytes as it gets. */

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
zarrc_status zarrc_codec_unregister(const char *name, zarrc_error *err);

/* ----------------------------------------------------------------------------
 * Conversion between formats
 * ---------------------------------------------------------------------------- */

/** How far a conversion is. */
typedef struct zarrc_convert_progress {
  /** Size of this struct: later versions may add members at its end. */
  size_t size;
  /** Chunks that were brought over, those of an earlier, interrupted run included. */
  uint64_t chunks_done;
  /** Chunks of all arrays that were begun. */
  uint64_t chunks;
  /** Nodes that are complete. */
  uint64_t nodes_done;
  /** All nodes. */
  uint64_t nodes;
} zarrc_convert_progress;

/**
 * What a conversion may do, and whom it tells how far it is. Set everything to zero, then `size`
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
  /**
   * Called after each chunk and each node, from any thread, one call at a time or several at
   * once; what `progress` points at is there only during the call. false ends the conversion
   * with ZARRC_CANCELLED. NULL: nobody is told.
   */
  bool (*progress)(void *user, const zarrc_convert_progress *progress);
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
zarrc_status zarrc_convert_plan(const zarrc_store *from,
                                const char *from_path,
                                const zarrc_store *to,
                                const char *to_path,
                                zarrc_format format,
                                const zarrc_convert_options *options,
                                char **json,
                                zarrc_error *err);

#ifdef __cplusplus
}
#endif

#endif /* ZARRC_H */
