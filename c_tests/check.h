/*
 * A small test harness. A check that fails prints its place, its words and the error, and counts;
 * the test goes on. Each program is a list of RUN(test) between begin() and finish().
 */
#ifndef CHECK_H
#define CHECK_H

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "zarrc.h"

#ifdef __cplusplus
extern "C" {
#endif

void begin(const char *program);
int finish(void); /* the program's exit status */
/* Ends the child of a fork. What its parent's threads held has no owner in it, so it becomes another
 * program before valgrind counts that as lost. */
void leave(bool good);
/* Runs the program again, with an argument, until that prints a byte; kills it at a random moment, at
 * most so many nanoseconds later. */
pid_t start_again(const char *program, const char *argument);
void kill_soon(pid_t pid, uint64_t most);

#define RUN(test)     \
  do {                \
    section(#test);   \
    test();           \
  } while (0)

/* The condition holds. */
/* Elements of an array. */
#define COUNT(list) (sizeof(list) / sizeof *(list))

#define CHECK(condition) check_true((condition), __FILE__, __LINE__, #condition)

/* Two integers, or two strings, are the same. */
#define SAME(a, b) check_same((long long)(a), (long long)(b), __FILE__, __LINE__, #a " == " #b)
#define SAME_TEXT(a, b) check_text((a), (b), __FILE__, __LINE__, #a)
#define SAME_BYTES(a, b, size) check_bytes((a), (b), (size), __FILE__, __LINE__, #a)

/* The call, whose last argument is &err, succeeds (and leaves err alone); or fails with the status
 * (and says so in err, in words that contain `word`). Each is true where it was so. */
#define OK(call) CALL(call, ZARRC_OK, NULL)
#define FAILS(call, status) CALL(call, status, NULL)
#define FAILS_NAMING(call, status, word) CALL(call, status, word)
#define REFUSES(call, argument) CALL(call, ZARRC_INVALID_ARGUMENT, argument)

/* The call fails with one of two statuses, where either is right. */
#define FAILS_EITHER(call, one, other)                                                 \
  do {                                                                                 \
    zarrc_error err = check_fresh();                                                   \
    zarrc_status status_ = (call);                                                     \
    check_call(status_, &err, status_ == (other) ? (other) : (one), NULL, __FILE__,    \
               __LINE__, #call);                                                       \
  } while (0)

#define CALL(call, status, word)                                                       \
  do {                                                                                 \
    zarrc_error err = check_fresh();                                                   \
    zarrc_status status_ = (call);                                                     \
    check_call(status_, &err, (status), (word), __FILE__, __LINE__, #call);            \
  } while (0)

/* A path in a directory of the program's own, which finish() deletes. Valid until 16 more. */
const char *scratch(const char *name);

/* Whether the machine is slowed down (valgrind, sanitizers), so that times mean nothing. */
bool slowed(void);
double seconds(void);

/* Pseudo-random numbers, the same in every run. */
uint64_t random_bits(void);
uint64_t random_below(uint64_t bound);

/* Stores and arrays as most tests want them. */
zarrc_store *memory_store(void);
zarrc_store *file_store(const char *path, zarrc_mode mode);
zarrc_array_spec *spec_of(zarrc_data_type type, size_t rank, const uint64_t *shape,
                          const uint64_t *chunk_shape);
zarrc_array *create(zarrc_store *store, const char *path, zarrc_array_spec *spec); /* frees spec */
void close_array(zarrc_array *array);
void close_store(zarrc_store *store);
bool has_key(const zarrc_store *store, const char *key);
void set_text(zarrc_store *store, const char *key, const char *text);

/* What the macros call. */
void section(const char *name);
zarrc_error check_fresh(void);
bool check_true(bool held, const char *file, int line, const char *words);
bool check_same(long long a, long long b, const char *file, int line, const char *words);
bool check_text(const char *a, const char *b, const char *file, int line, const char *words);
bool check_bytes(const void *a, const void *b, size_t size, const char *file, int line,
                 const char *words);
bool check_call(zarrc_status status, const zarrc_error *err, zarrc_status expected,
                const char *word, const char *file, int line, const char *words);

#ifdef __cplusplus
}
#endif
#endif
