// Code generated from include/zarrc.h by bindings/generate/generate.py. DO NOT EDIT.

package zarrc

// Status: What became of a call: ZARRC_OK or one of these constants.
type Status int32

const (
	// The call did what it says.
	StatusOK Status = 0
	// A caller's mistake: a NULL, a wrong rank or size, an unknown constant. The message names the
	// argument.
	ErrInvalidArgument Status = 1
	// The selection leaves the array, the range leaves the value.
	ErrOutOfBounds Status = 2
	// No such store, node, key or attribute.
	ErrNotFound Status = 3
	// Something is there already.
	ErrAlreadyExists Status = 4
	// The metadata document breaks its specification.
	ErrInvalidMetadata Status = 5
	// A chunk does not decode to what the metadata says.
	ErrCorruptData Status = 6
	// Valid, but not something that this build can do. The message names it.
	ErrUnsupported Status = 7
	// There is no conversion between the two types, or a value does not fit the other one.
	ErrTypeMismatch Status = 8
	// The store is read-only, or the system said no.
	ErrPermissionDenied Status = 9
	// The file system, network or database failed; zarrc_error.system_code may say how.
	ErrIO Status = 10
	// Someone else kept changing it in between.
	ErrConflict Status = 11
	// Past a bound: of sizes, of depth, of memory.
	ErrLimitExceeded Status = 12
	// The request was cancelled.
	ErrCancelled Status = 13
	// The system gives no more memory.
	ErrOutOfMemory Status = 14
	// A bug in zarrc, caught before it could do harm to the caller.
	ErrInternal Status = 15
)

// DataType: A type of elements: one of these constants.
type DataType int32

const (
	// As stored, in native byte order (memory types only). Of types whose low bits alone count,
	// the others are as stored too, and may be anything.
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
	// int64 count of a unit since 1970; INT64_MIN is "not a time".
	Datetime64 DataType = 19
	// int64 count of a unit; INT64_MIN is "not a time".
	Timedelta64 DataType = 20
	// Packed fields in declared order.
	Struct DataType = 21
	// Variable-length UTF-8.
	String DataType = 22
	// Variable-length bytes.
	Bytes DataType = 23
	// Variable-length runs of a primitive type.
	Ragged DataType = 24
	// Any JSON value per element.
	Json DataType = 25
	// One byte, -2 to 1: its two lowest bits count. Read sign-extended, so an int8_t.
	Int2 DataType = 26
	// One byte, -8 to 7: its four lowest bits count. Read sign-extended, so an int8_t.
	Int4 DataType = 27
	// One byte, 0 to 3: its two lowest bits count.
	Uint2 DataType = 28
	// One byte, 0 to 15: its four lowest bits count.
	Uint4 DataType = 29
	// One byte: its lowest four bits are a sign, 2 of exponent and 1 of mantissa. All are finite.
	Float4E2m1fn DataType = 30
	// One byte: its lowest six bits are a sign, 2 of exponent and 3 of mantissa. All are finite.
	Float6E2m3fn DataType = 31
	// One byte: its lowest six bits are a sign, 3 of exponent and 2 of mantissa. All are finite.
	Float6E3m2fn DataType = 32
	// One byte, as IEEE 754 would have it.
	Float8E3m4 DataType = 33
	// One byte, as IEEE 754 would have it.
	Float8E4m3 DataType = 34
	// One byte, bias 11; no infinities, no -0, 0x80 is NaN.
	Float8E4m3b11fnuz DataType = 35
	// One byte; no infinities, 0x7f and 0xff are NaN.
	Float8E4m3fn DataType = 36
	// One byte, bias 8; no infinities, no -0, 0x80 is NaN.
	Float8E4m3fnuz DataType = 37
	// One byte, as IEEE 754 would have it.
	Float8E5m2 DataType = 38
	// One byte, bias 16; no infinities, no -0, 0x80 is NaN.
	Float8E5m2fnuz DataType = 39
	// One byte: powers of two from 2^-127 on; no sign, no 0, 0xff is NaN.
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

// Format: An on-disk format: one of these constants.
type Format int32

const (
	// Opening: whichever it is. Creating: that of the group above, else Zarr v3.
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

// Mode: How a store is opened: one of these constants.
type Mode int32

const (
	// Must exist, is not changed (h5py "r").
	Read Mode = 0
	// Must exist (h5py "r+").
	ReadWrite Mode = 1
	// Is created if it is missing (h5py "a").
	Append Mode = 2
	// Must not exist (h5py "w-").
	Create Mode = 3
	// What is there is deleted first (h5py "w").
	Overwrite Mode = 4
)

// AttributeKind: What an attribute is: one of these constants.
type AttributeKind int32

const (
	// null.
	AttributeKindNull AttributeKind = 0
	// true or false: zarrc_attributes_get_bool().
	AttributeKindBool AttributeKind = 1
	// An integer that 64 bits hold: zarrc_attributes_get_int64().
	AttributeKindInteger AttributeKind = 2
	// Another number: zarrc_attributes_get_double().
	AttributeKindNumber AttributeKind = 3
	// A string: zarrc_attributes_get_string().
	AttributeKindString AttributeKind = 4
	// A list of integers that 64 bits hold: zarrc_attributes_get_int64s().
	AttributeKindIntegers AttributeKind = 5
	// A list of numbers: zarrc_attributes_get_doubles().
	AttributeKindNumbers AttributeKind = 6
	// A list of strings: zarrc_attributes_get_string_at().
	AttributeKindStrings AttributeKind = 7
	// Another list, or an empty one: zarrc_attributes_get_json().
	AttributeKindList AttributeKind = 8
	// An object: zarrc_attributes_get_json().
	AttributeKindObject AttributeKind = 9
)

// NodeKind: What a node is: one of these constants.
type NodeKind int32

const (
	// There is nothing (in a listing: something whose document cannot be read).
	NodeKindNone NodeKind = 0
	// A group.
	NodeKindGroup NodeKind = 1
	// An array.
	NodeKindArray NodeKind = 2
)

// CodecKind: What a codec makes of what: one of these constants.
type CodecKind int32

const (
	// Bytes of bytes: a compressor, a checksum.
	CodecKindBytes CodecKind = 0
	// Bytes of an array: it sees all elements of a chunk, in C order and native byte order, and
	// stands where otherwise the codec "bytes" stands.
	CodecKindArrayBytes CodecKind = 1
	// An array of an array, of the same shape and type: a filter. It sees the elements as
	// ZARRC_CODEC_ARRAY_BYTES does and gives as many bytes as it gets.
	CodecKindArray CodecKind = 2
)

// IfExists: What happens to keys that are in the target already: one of these constants.
type IfExists int32

const (
	// Nothing is copied: ZARRC_ALREADY_EXISTS.
	IfExistsFail IfExists = 0
	// They stay as they are.
	IfExistsSkip IfExists = 1
	// They are written over.
	IfExistsReplace IfExists = 2
)
