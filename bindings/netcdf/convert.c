/* Converts numbers between types as netCDF defines it: if a value does not fit, the call returns
 * NC_ERANGE, and all other values are converted. */
#include "internal.h"

#include <float.h>
#include <limits.h>
#include <string.h>

bool zn_is_number(nc_type type) { return type >= NC_BYTE && type <= NC_UINT64 && type != NC_CHAR; }

/* Returns whether `to` can represent every value of `from`: zarrc then converts without loss. */
bool zn_widens(nc_type from, nc_type to) {
  static const struct {
    int bits;
    bool is_signed, is_float;
  } is[] = {[NC_BYTE] = {7, true, false},   [NC_UBYTE] = {8, false, false},
            [NC_SHORT] = {15, true, false}, [NC_USHORT] = {16, false, false},
            [NC_INT] = {31, true, false},   [NC_UINT] = {32, false, false},
            [NC_INT64] = {63, true, false}, [NC_UINT64] = {64, false, false},
            [NC_FLOAT] = {24, true, true},  [NC_DOUBLE] = {53, true, true}};
  if (from == to)
    return true;
  if (!zn_is_number(from) || !zn_is_number(to) || (is[from].is_float && !is[to].is_float))
    return false;
  return is[from].bits <= is[to].bits && (is[to].is_signed || !is[from].is_signed);
}

/* The bounds of a type as doubles; those of 64 bits are the next ones that a double holds. */
#define LOOP(S, T, FITS)                                                                           \
  {                                                                                                \
    const char *s = source;                                                                        \
    char *t = target;                                                                              \
    for (size_t i = 0; i < count; i++, s += sizeof(S), t += sizeof(T)) {                           \
      S v;                                                                                         \
      memcpy(&v, s, sizeof v);                                                                     \
      if (!(FITS)) {                                                                               \
        status = NC_ERANGE;                                                                        \
        memcpy(t, zn_default_fill(to), sizeof(T));                                                 \
        continue;                                                                                  \
      }                                                                                            \
      T w = (T)v;                                                                                  \
      memcpy(t, &w, sizeof w);                                                                     \
    }                                                                                              \
    return status;                                                                                 \
  }

#define TO_INTEGER(S, T, LOW, HIGH)                                                                \
  LOOP(S, T,                                                                                       \
       IS_FLOAT ? ((double)v > (double)(LOW) - 1.0 || (double)v == (double)(LOW)) &&               \
                      (double)v < (double)(HIGH) + 1.0                                             \
                : (IS_SIGNED && v < 0 ? (LOW) < 0 && (long long)v >= (long long)(LOW)              \
                                      : (unsigned long long)v <= (unsigned long long)(HIGH)))

#define FROM(S)                                                                                    \
  switch (to) {                                                                                    \
  case NC_BYTE:                                                                                    \
    TO_INTEGER(S, signed char, SCHAR_MIN, SCHAR_MAX)                                               \
  case NC_UBYTE:                                                                                   \
    TO_INTEGER(S, unsigned char, 0, UCHAR_MAX)                                                     \
  case NC_SHORT:                                                                                   \
    TO_INTEGER(S, short, SHRT_MIN, SHRT_MAX)                                                       \
  case NC_USHORT:                                                                                  \
    TO_INTEGER(S, unsigned short, 0, USHRT_MAX)                                                    \
  case NC_INT:                                                                                     \
    TO_INTEGER(S, int, INT_MIN, INT_MAX)                                                           \
  case NC_UINT:                                                                                    \
    TO_INTEGER(S, unsigned, 0, UINT_MAX)                                                           \
  case NC_INT64:                                                                                   \
    TO_INTEGER(S, long long, LLONG_MIN, LLONG_MAX)                                                 \
  case NC_UINT64:                                                                                  \
    TO_INTEGER(S, unsigned long long, 0, ULLONG_MAX)                                               \
  case NC_FLOAT:                                                                                   \
    LOOP(S, float,                                                                                 \
         !IS_FLOAT || !((double)v > FLT_MAX || (double)v < -FLT_MAX) ||                            \
             (double)v - (double)v != 0)                                                           \
  case NC_DOUBLE:                                                                                  \
    LOOP(S, double, true)                                                                          \
  }                                                                                                \
  break

int zn_convert(nc_type from, const void *source, nc_type to, void *target, size_t count) {
  int status = NC_NOERR;
  if (from == to) {
    memcpy(target, source, count * zn_type_size(from));
    return NC_NOERR;
  }
  switch (from) {
#define IS_FLOAT false
#define IS_SIGNED true
  case NC_BYTE:
    FROM(signed char);
  case NC_SHORT:
    FROM(short);
  case NC_INT:
    FROM(int);
  case NC_INT64:
    FROM(long long);
#undef IS_SIGNED
#define IS_SIGNED false
  case NC_UBYTE:
    FROM(unsigned char);
  case NC_USHORT:
    FROM(unsigned short);
  case NC_UINT:
    FROM(unsigned);
  case NC_UINT64:
    FROM(unsigned long long);
#undef IS_FLOAT
#define IS_FLOAT true
  case NC_FLOAT:
    FROM(float);
  case NC_DOUBLE:
    FROM(double);
  }
  return NC_EBADTYPE;
}
