// Code generated from include/zarrc.h by bindings/generate/generate.py. DO NOT EDIT.

package zarrc

// Status: The outcome of a call: ZARRC_OK or one of these constants.
type Status int32

const (
	// Success.
	StatusOK Status = 0
	// The caller passed a wrong argument: a NULL, a wrong rank or size, an unknown constant. The
	// message names the argument.
	ErrInvalidArgument Status = 1
	// The selection leaves the array, or the range leaves the value.
	ErrOutOfBounds Status = 2
	// The store, node, key or attribute does not exist.
	ErrNotFound Status = 3
	// The store, node or name exists already.
	ErrAlreadyExists Status = 4
	// The metadata document breaks its specification.
	ErrInvalidMetadata Status = 5
	// A chunk does not decode to what the metadata describes.
	ErrCorruptData Status = 6
	// Valid, but this build, format or store cannot do it. The message names what is missing.
	ErrUnsupported Status = 7
	// The types cannot be converted, or a value does not fit the other type.
	ErrTypeMismatch Status = 8
	// The store is read-only, or the system denied access.
	ErrPermissionDenied Status = 9
	// The file system, network or database failed; zarrc_error.system_code may say how.
	ErrIO Status = 10
	// Another writer kept changing the same value.
	ErrConflict Status = 11
	// A limit of size, depth or memory is exceeded.
	ErrLimitExceeded Status = 12
	// The call or request was cancelled.
	ErrCancelled Status = 13
	// The system has no more memory.
	ErrOutOfMemory Status = 14
	// A bug in zarrc, caught before it could harm the caller.
	ErrInternal Status = 15
)

// DataType: The data type of elements: one of these constants.
type DataType int32

const (
	// In memory only: as stored, in native byte order. Unused bits of the types of 2, 4 and 6 bits
	// are not cleared.
	Native DataType = 0
	// One byte, 0 or 1.
	Bool DataType = 1
	// int8_t
	Int8 DataType = 2
	// int16_t
	Int16 DataType = 3
	// int32_t
	Int32 DataType = 4
	// int64_t
	Int64 DataType = 5
	// uint8_t
	Uint8 DataType = 6
	// uint16_t
	Uint16 DataType = 7
	// uint32_t
	Uint32 DataType = 8
	// uint64_t
	Uint64 DataType = 9
	// IEEE 754 half precision, two bytes.
	Float16 DataType = 10
	// The upper half of a float, two bytes.
	Bfloat16 DataType = 11
	// float
	Float32 DataType = 12
	// double
	Float64 DataType = 13
	// Two floats: real, imaginary.
	Complex64 DataType = 14
	// Two doubles: real, imaginary.
	Complex128 DataType = 15
	// r*, |V*: opaque bytes.
	Raw DataType = 16
	// |S*: NUL-padded bytes.
	FixedBytes DataType = 17
	// <U*: UCS-4 code units, NUL-padded.
	FixedUtf32 DataType = 18
	// int64_t count of a unit since 1970; INT64_MIN is "not a time".
	Datetime64 DataType = 19
	// int64_t count of a unit; INT64_MIN is "not a time".
	Timedelta64 DataType = 20
	// Fields without padding, in declared order.
	Struct DataType = 21
	// Variable-length UTF-8.
	String DataType = 22
	// Variable-length bytes.
	Bytes DataType = 23
	// Variable-length lists of a primitive type.
	Ragged DataType = 24
	// One JSON value per element.
	Json DataType = 25
	// One byte, -2 to 1: only the two lowest bits are stored. Read sign-extended, as int8_t.
	Int2 DataType = 26
	// One byte, -8 to 7: only the four lowest bits are stored. Read sign-extended, as int8_t.
	Int4 DataType = 27
	// One byte, 0 to 3: only the two lowest bits are stored.
	Uint2 DataType = 28
	// One byte, 0 to 15: only the four lowest bits are stored.
	Uint4 DataType = 29
	// One byte; the low four bits: sign, 2 exponent bits, 1 mantissa bit. All values are finite.
	Float4E2m1fn DataType = 30
	// One byte; the low six bits: sign, 2 exponent bits, 3 mantissa bits. All values are finite.
	Float6E2m3fn DataType = 31
	// One byte; the low six bits: sign, 3 exponent bits, 2 mantissa bits. All values are finite.
	Float6E3m2fn DataType = 32
	// One byte, by the rules of IEEE 754.
	Float8E3m4 DataType = 33
	// One byte, by the rules of IEEE 754.
	Float8E4m3 DataType = 34
	// One byte, bias 11; no infinities, no -0, 0x80 is NaN.
	Float8E4m3b11fnuz DataType = 35
	// One byte; no infinities, 0x7f and 0xff are NaN.
	Float8E4m3fn DataType = 36
	// One byte, bias 8; no infinities, no -0, 0x80 is NaN.
	Float8E4m3fnuz DataType = 37
	// One byte, by the rules of IEEE 754.
	Float8E5m2 DataType = 38
	// One byte, bias 16; no infinities, no -0, 0x80 is NaN.
	Float8E5m2fnuz DataType = 39
	// One byte: powers of two from 2^-127; no sign, no 0, 0xff is NaN.
	Float8E8m0fnu DataType = 40
	// Two float16: real, imaginary.
	ComplexFloat16 DataType = 41
	// Two bfloat16: real, imaginary.
	ComplexBfloat16 DataType = 42
	// Two ZARRC_FLOAT4_E2M1FN: real, imaginary.
	ComplexFloat4E2m1fn DataType = 43
	// Two ZARRC_FLOAT6_E2M3FN: real, imaginary.
	ComplexFloat6E2m3fn DataType = 44
	// Two ZARRC_FLOAT6_E3M2FN: real, imaginary.
	ComplexFloat6E3m2fn DataType = 45
	// Two ZARRC_FLOAT8_E3M4: real, imaginary.
	ComplexFloat8E3m4 DataType = 46
	// Two ZARRC_FLOAT8_E4M3: real, imaginary.
	ComplexFloat8E4m3 DataType = 47
	// Two ZARRC_FLOAT8_E4M3B11FNUZ: real, imaginary.
	ComplexFloat8E4m3b11fnuz DataType = 48
	// Two ZARRC_FLOAT8_E4M3FN: real, imaginary.
	ComplexFloat8E4m3fn DataType = 49
	// Two ZARRC_FLOAT8_E4M3FNUZ: real, imaginary.
	ComplexFloat8E4m3fnuz DataType = 50
	// Two ZARRC_FLOAT8_E5M2: real, imaginary.
	ComplexFloat8E5m2 DataType = 51
	// Two ZARRC_FLOAT8_E5M2FNUZ: real, imaginary.
	ComplexFloat8E5m2fnuz DataType = 52
	// Two ZARRC_FLOAT8_E8M0FNU: real, imaginary.
	ComplexFloat8E8m0fnu DataType = 53
)

// Format: A storage format: one of these constants.
type Format int32

const (
	// Opening: any format. Creating: the parent group's format, else Zarr v3.
	FormatAny Format = 0
	// Zarr v1.
	FormatV1 Format = 1
	// Zarr v2.
	FormatV2 Format = 2
	// Zarr v3: the final specification, 3.0 and 3.1.
	FormatV3 Format = 3
	// N5.
	FormatN5 Format = 4
	// The v3 draft of 2019.
	FormatV32019 Format = 5
	// The v3 draft of 2020.
	FormatV32020 Format = 6
	// The v3 draft of 2022.
	FormatV32022 Format = 7
)

// Mode: How to open a store: one of these constants.
type Mode int32

const (
	// Read only; the store must exist (h5py "r").
	Read Mode = 0
	// Read and write; the store must exist (h5py "r+").
	ReadWrite Mode = 1
	// Read and write; creates a missing store (h5py "a").
	Append Mode = 2
	// Creates a store; it must not exist (h5py "w-").
	Create Mode = 3
	// Creates a store; deletes an existing one first (h5py "w").
	Overwrite Mode = 4
)

// AttributeKind: The kind of an attribute: one of these constants.
type AttributeKind int32

const (
	// null.
	AttributeKindNull AttributeKind = 0
	// true or false: zarrc_attributes_get_bool().
	AttributeKindBool AttributeKind = 1
	// An integer that fits into 64 bits: zarrc_attributes_get_int64().
	AttributeKindInteger AttributeKind = 2
	// Any other number: zarrc_attributes_get_double().
	AttributeKindNumber AttributeKind = 3
	// A string: zarrc_attributes_get_string().
	AttributeKindString AttributeKind = 4
	// A list of integers that fit into 64 bits: zarrc_attributes_get_int64s().
	AttributeKindIntegers AttributeKind = 5
	// A list of numbers: zarrc_attributes_get_doubles().
	AttributeKindNumbers AttributeKind = 6
	// A list of strings: zarrc_attributes_get_string_at().
	AttributeKindStrings AttributeKind = 7
	// Any other list, or an empty one: zarrc_attributes_get_json().
	AttributeKindList AttributeKind = 8
	// An object: zarrc_attributes_get_json().
	AttributeKindObject AttributeKind = 9
)

// NodeKind: The kind of a node: one of these constants.
type NodeKind int32

const (
	// No node. In a listing: a node whose document cannot be read.
	NodeKindNone NodeKind = 0
	// A group.
	NodeKindGroup NodeKind = 1
	// An array.
	NodeKindArray NodeKind = 2
)

// CodecKind: What a codec maps to what: one of these constants.
type CodecKind int32

const (
	// Bytes to bytes: a compressor, a checksum.
	CodecKindBytes CodecKind = 0
	// Array to bytes: receives all elements of a chunk, in C order and native byte order, and
	// replaces the codec "bytes".
	CodecKindArrayBytes CodecKind = 1
	// Array to array of the same shape and data type: a filter. Receives elements as
	// ZARRC_CODEC_ARRAY_BYTES does, and returns as many bytes as it receives.
	CodecKindArray CodecKind = 2
)

// IfExists: What to do with keys that exist in the target: one of these constants.
type IfExists int32

const (
	// Fail with ZARRC_ALREADY_EXISTS, and copy nothing.
	IfExistsFail IfExists = 0
	// Keep them.
	IfExistsSkip IfExists = 1
	// Replace their values.
	IfExistsReplace IfExists = 2
)
