// The constants of zarrc.h as enumerations. Written from include/zarrc.h by bindings/generate/generate.py: change that, not this.
#ifndef ZARRC_ENUMS_HPP
#define ZARRC_ENUMS_HPP

#include <cstdint>

namespace zarrc {

/// The data type of elements: one of the constants below.
enum class data_type : std::int32_t {
  /// In memory only: as stored, in native byte order. Unused bits of the types of 2, 4 and 6 bits
  /// are not cleared.
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
  /// int64_t count of a unit since 1970; INT64_MIN is "not a time".
  datetime64 = 19,
  /// int64_t count of a unit; INT64_MIN is "not a time".
  timedelta64 = 20,
  /// Fields without padding, in declared order.
  struct_ = 21,
  /// Variable-length UTF-8.
  string = 22,
  /// Variable-length bytes.
  bytes = 23,
  /// Variable-length lists of a primitive type.
  ragged = 24,
  /// One JSON value per element.
  json = 25,
  /// One byte, -2 to 1: only the two lowest bits are stored. Read sign-extended, as int8_t.
  int2 = 26,
  /// One byte, -8 to 7: only the four lowest bits are stored. Read sign-extended, as int8_t.
  int4 = 27,
  /// One byte, 0 to 3: only the two lowest bits are stored.
  uint2 = 28,
  /// One byte, 0 to 15: only the four lowest bits are stored.
  uint4 = 29,
  /// One byte; the low four bits: sign, 2 exponent bits, 1 mantissa bit. All values are finite.
  float4_e2m1fn = 30,
  /// One byte; the low six bits: sign, 2 exponent bits, 3 mantissa bits. All values are finite.
  float6_e2m3fn = 31,
  /// One byte; the low six bits: sign, 3 exponent bits, 2 mantissa bits. All values are finite.
  float6_e3m2fn = 32,
  /// One byte, by the rules of IEEE 754.
  float8_e3m4 = 33,
  /// One byte, by the rules of IEEE 754.
  float8_e4m3 = 34,
  /// One byte, bias 11; no infinities, no -0, 0x80 is NaN.
  float8_e4m3b11fnuz = 35,
  /// One byte; no infinities, 0x7f and 0xff are NaN.
  float8_e4m3fn = 36,
  /// One byte, bias 8; no infinities, no -0, 0x80 is NaN.
  float8_e4m3fnuz = 37,
  /// One byte, by the rules of IEEE 754.
  float8_e5m2 = 38,
  /// One byte, bias 16; no infinities, no -0, 0x80 is NaN.
  float8_e5m2fnuz = 39,
  /// One byte: powers of two from 2^-127; no sign, no 0, 0xff is NaN.
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

/// A storage format: one of the constants below.
enum class format : std::int32_t {
  /// Opening: any format. Creating: the parent group's format, else Zarr v3.
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

/// How to open a store: one of the constants below.
enum class mode : std::int32_t {
  /// Read only; the store must exist (h5py "r").
  read = 0,
  /// Read and write; the store must exist (h5py "r+").
  read_write = 1,
  /// Read and write; creates a missing store (h5py "a").
  append = 2,
  /// Creates a store; it must not exist (h5py "w-").
  create = 3,
  /// Creates a store; deletes an existing one first (h5py "w").
  overwrite = 4,
};

/// The kind of an attribute: one of the constants below.
enum class attribute_kind : std::int32_t {
  /// null.
  null = 0,
  /// true or false: zarrc_attributes_get_bool().
  bool_ = 1,
  /// An integer that fits into 64 bits: zarrc_attributes_get_int64().
  integer = 2,
  /// Any other number: zarrc_attributes_get_double().
  number = 3,
  /// A string: zarrc_attributes_get_string().
  string = 4,
  /// A list of integers that fit into 64 bits: zarrc_attributes_get_int64s().
  integers = 5,
  /// A list of numbers: zarrc_attributes_get_doubles().
  numbers = 6,
  /// A list of strings: zarrc_attributes_get_string_at().
  strings = 7,
  /// Any other list, or an empty one: zarrc_attributes_get_json().
  list = 8,
  /// An object: zarrc_attributes_get_json().
  object = 9,
};

/// The kind of a node: one of the constants below.
enum class node_kind : std::int32_t {
  /// No node. In a listing: a node whose document cannot be read.
  none = 0,
  /// A group.
  group = 1,
  /// An array.
  array = 2,
};

/// What a codec maps to what: one of the constants below.
enum class codec_kind : std::int32_t {
  /// Bytes to bytes: a compressor, a checksum.
  bytes = 0,
  /// Array to bytes: receives all elements of a chunk, in C order and native byte order, and
  /// replaces the codec "bytes".
  array_bytes = 1,
  /// Array to array of the same shape and data type: a filter. Receives elements as
  /// ZARRC_CODEC_ARRAY_BYTES does, and returns as many bytes as it receives.
  array = 2,
};

/// What to do with keys that exist in the target: one of the constants below.
enum class if_exists : std::int32_t {
  /// Fail with ZARRC_ALREADY_EXISTS, and copy nothing.
  fail = 0,
  /// Keep them.
  skip = 1,
  /// Replace their values.
  replace = 2,
};

} // namespace zarrc

#endif
