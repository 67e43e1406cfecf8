// The constants of zarrc.h as enumerations. Written from include/zarrc.h by bindings/generate/generate.py: change that, not this.
#ifndef ZARRC_ENUMS_HPP
#define ZARRC_ENUMS_HPP

#include <cstdint>

namespace zarrc {

/// A type of elements: one of the constants below.
enum class data_type : std::int32_t {
  /// As stored, in native byte order (memory types only). Of types whose low bits alone count, the
  /// others are as stored too, and may be anything.
  native = 0,
  /// One byte, 0 or 1.
  bool_ = 1,
  /// int8_t
  int8 = 2,
  /// int16_t
  int16 = 3,
  /// int32_t
  int32 = 4,
  /// int64_t
  int64 = 5,
  /// uint8_t
  uint8 = 6,
  /// uint16_t
  uint16 = 7,
  /// uint32_t
  uint32 = 8,
  /// uint64_t
  uint64 = 9,
  /// IEEE 754 half precision, two bytes.
  float16 = 10,
  /// The upper half of a float, two bytes.
  bfloat16 = 11,
  /// float
  float32 = 12,
  /// double
  float64 = 13,
  /// Two floats: real, imaginary.
  complex64 = 14,
  /// Two doubles: real, imaginary.
  complex128 = 15,
  /// r*, |V*: opaque bytes.
  raw = 16,
  /// |S*: NUL-padded bytes.
  fixed_bytes = 17,
  /// <U*: UCS-4 code units, NUL-padded.
  fixed_utf32 = 18,
  /// int64 count of a unit since 1970; INT64_MIN is "not a time".
  datetime64 = 19,
  /// int64 count of a unit; INT64_MIN is "not a time".
  timedelta64 = 20,
  /// Packed fields in declared order.
  struct_ = 21,
  /// Variable-length UTF-8.
  string = 22,
  /// Variable-length bytes.
  bytes = 23,
  /// Variable-length runs of a primitive type.
  ragged = 24,
  /// Any JSON value per element.
  json = 25,
  /// One byte, -2 to 1: its two lowest bits count. Read sign-extended, so an int8_t.
  int2 = 26,
  /// One byte, -8 to 7: its four lowest bits count. Read sign-extended, so an int8_t.
  int4 = 27,
  /// One byte, 0 to 3: its two lowest bits count.
  uint2 = 28,
  /// One byte, 0 to 15: its four lowest bits count.
  uint4 = 29,
  /// One byte: its lowest four bits are a sign, 2 of exponent and 1 of mantissa. All are finite.
  float4_e2m1fn = 30,
  /// One byte: its lowest six bits are a sign, 2 of exponent and 3 of mantissa. All are finite.
  float6_e2m3fn = 31,
  /// One byte: its lowest six bits are a sign, 3 of exponent and 2 of mantissa. All are finite.
  float6_e3m2fn = 32,
  /// One byte, as IEEE 754 would have it.
  float8_e3m4 = 33,
  /// One byte, as IEEE 754 would have it.
  float8_e4m3 = 34,
  /// One byte, bias 11; no infinities, no -0, 0x80 is NaN.
  float8_e4m3b11fnuz = 35,
  /// One byte; no infinities, 0x7f and 0xff are NaN.
  float8_e4m3fn = 36,
  /// One byte, bias 8; no infinities, no -0, 0x80 is NaN.
  float8_e4m3fnuz = 37,
  /// One byte, as IEEE 754 would have it.
  float8_e5m2 = 38,
  /// One byte, bias 16; no infinities, no -0, 0x80 is NaN.
  float8_e5m2fnuz = 39,
  /// One byte: powers of two from 2^-127 on; no sign, no 0, 0xff is NaN.
  float8_e8m0fnu = 40,
  /// Two float16: real, imaginary.
  complex_float16 = 41,
  /// Two bfloat16: real, imaginary.
  complex_bfloat16 = 42,
  /// Two ZARRC_FLOAT4_E2M1FN: real, imaginary.
  complex_float4_e2m1fn = 43,
  /// Two ZARRC_FLOAT6_E2M3FN: real, imaginary.
  complex_float6_e2m3fn = 44,
  /// Two ZARRC_FLOAT6_E3M2FN: real, imaginary.
  complex_float6_e3m2fn = 45,
  /// Two ZARRC_FLOAT8_E3M4: real, imaginary.
  complex_float8_e3m4 = 46,
  /// Two ZARRC_FLOAT8_E4M3: real, imaginary.
  complex_float8_e4m3 = 47,
  /// Two ZARRC_FLOAT8_E4M3B11FNUZ: real, imaginary.
  complex_float8_e4m3b11fnuz = 48,
  /// Two ZARRC_FLOAT8_E4M3FN: real, imaginary.
  complex_float8_e4m3fn = 49,
  /// Two ZARRC_FLOAT8_E4M3FNUZ: real, imaginary.
  complex_float8_e4m3fnuz = 50,
  /// Two ZARRC_FLOAT8_E5M2: real, imaginary.
  complex_float8_e5m2 = 51,
  /// Two ZARRC_FLOAT8_E5M2FNUZ: real, imaginary.
  complex_float8_e5m2fnuz = 52,
  /// Two ZARRC_FLOAT8_E8M0FNU: real, imaginary.
  complex_float8_e8m0fnu = 53,
};

/// An on-disk format: one of the constants below.
enum class format : std::int32_t {
  /// Opening: whichever it is. Creating: that of the group above, else Zarr v3.
  any = 0,
  /// Zarr v1.
  v1 = 1,
  /// Zarr v2.
  v2 = 2,
  /// Zarr v3: the final specification, 3.0 and 3.1.
  v3 = 3,
  /// N5.
  n5 = 4,
  /// The v3 draft of 2019.
  v3_2019 = 5,
  /// The v3 draft of 2020.
  v3_2020 = 6,
  /// The v3 draft of 2022.
  v3_2022 = 7,
};

/// How a store is opened: one of the constants below.
enum class mode : std::int32_t {
  /// Must exist, is not changed (h5py "r").
  read = 0,
  /// Must exist (h5py "r+").
  read_write = 1,
  /// Is created if it is missing (h5py "a").
  append = 2,
  /// Must not exist (h5py "w-").
  create = 3,
  /// What is there is deleted first (h5py "w").
  overwrite = 4,
};

/// What an attribute is: one of the constants below.
enum class attribute_kind : std::int32_t {
  /// null.
  null = 0,
  /// true or false: zarrc_attributes_get_bool().
  bool_ = 1,
  /// An integer that 64 bits hold: zarrc_attributes_get_int64().
  integer = 2,
  /// Another number: zarrc_attributes_get_double().
  number = 3,
  /// A string: zarrc_attributes_get_string().
  string = 4,
  /// A list of integers that 64 bits hold: zarrc_attributes_get_int64s().
  integers = 5,
  /// A list of numbers: zarrc_attributes_get_doubles().
  numbers = 6,
  /// A list of strings: zarrc_attributes_get_string_at().
  strings = 7,
  /// Another list, or an empty one: zarrc_attributes_get_json().
  list = 8,
  /// An object: zarrc_attributes_get_json().
  object = 9,
};

/// What a node is: one of the constants below.
enum class node_kind : std::int32_t {
  /// There is nothing (in a listing: something whose document cannot be read).
  none = 0,
  /// A group.
  group = 1,
  /// An array.
  array = 2,
};

/// What a codec makes of what: one of the constants below.
enum class codec_kind : std::int32_t {
  /// Bytes of bytes: a compressor, a checksum.
  bytes = 0,
  /// Bytes of an array: it sees all elements of a chunk, in C order and native byte order, and
  /// stands where otherwise the codec "bytes" stands.
  array_bytes = 1,
  /// An array of an array, of the same shape and type: a filter. It sees the elements as
  /// ZARRC_CODEC_ARRAY_BYTES does and gives as many bytes as it gets.
  array = 2,
};

/// What happens to keys that are in the target already: one of the constants below.
enum class if_exists : std::int32_t {
  /// Nothing is copied: ZARRC_ALREADY_EXISTS.
  fail = 0,
  /// They stay as they are.
  skip = 1,
  /// They are written over.
  replace = 2,
};

} // namespace zarrc

#endif
