//! Data types and formats.

use crate::array::MemoryType;
use crate::error::{Error, Kind, Result};
use crate::fork::Lazy;
use crate::format::FormatId;
use crate::metadata::{DataType, SmallFloat, SmallInt};
use crate::strided::Number;
use std::collections::BTreeMap;
use std::ffi::{CString, c_char};

/// The data type of elements: one of the constants below.
pub type zarrc_data_type = i32;

/// In memory only: as stored, in native byte order. Unused bits of the types of 2, 4 and 6 bits are
/// not cleared.
pub const ZARRC_NATIVE: zarrc_data_type = 0;
/// One byte, 0 or 1.
pub const ZARRC_BOOL: zarrc_data_type = 1;
/// int8_t
pub const ZARRC_INT8: zarrc_data_type = 2;
/// int16_t
pub const ZARRC_INT16: zarrc_data_type = 3;
/// int32_t
pub const ZARRC_INT32: zarrc_data_type = 4;
/// int64_t
pub const ZARRC_INT64: zarrc_data_type = 5;
/// uint8_t
pub const ZARRC_UINT8: zarrc_data_type = 6;
/// uint16_t
pub const ZARRC_UINT16: zarrc_data_type = 7;
/// uint32_t
pub const ZARRC_UINT32: zarrc_data_type = 8;
/// uint64_t
pub const ZARRC_UINT64: zarrc_data_type = 9;
/// IEEE 754 half precision, two bytes.
pub const ZARRC_FLOAT16: zarrc_data_type = 10;
/// The upper half of a float, two bytes.
pub const ZARRC_BFLOAT16: zarrc_data_type = 11;
/// float
pub const ZARRC_FLOAT32: zarrc_data_type = 12;
/// double
pub const ZARRC_FLOAT64: zarrc_data_type = 13;
/// Two floats: real, imaginary.
pub const ZARRC_COMPLEX64: zarrc_data_type = 14;
/// Two doubles: real, imaginary.
pub const ZARRC_COMPLEX128: zarrc_data_type = 15;
/// r*, |V*: opaque bytes.
pub const ZARRC_RAW: zarrc_data_type = 16;
/// |S*: NUL-padded bytes.
pub const ZARRC_FIXED_BYTES: zarrc_data_type = 17;
/// <U*: UCS-4 code units, NUL-padded.
pub const ZARRC_FIXED_UTF32: zarrc_data_type = 18;
/// int64_t count of a unit since 1970; INT64_MIN is "not a time".
pub const ZARRC_DATETIME64: zarrc_data_type = 19;
/// int64_t count of a unit; INT64_MIN is "not a time".
pub const ZARRC_TIMEDELTA64: zarrc_data_type = 20;
/// Fields without padding, in declared order.
pub const ZARRC_STRUCT: zarrc_data_type = 21;
/// Variable-length UTF-8.
pub const ZARRC_STRING: zarrc_data_type = 22;
/// Variable-length bytes.
pub const ZARRC_BYTES: zarrc_data_type = 23;
/// Variable-length lists of a primitive type.
pub const ZARRC_RAGGED: zarrc_data_type = 24;
/// One JSON value per element.
pub const ZARRC_JSON: zarrc_data_type = 25;
/// One byte, -2 to 1: only the two lowest bits are stored. Read sign-extended, as int8_t.
pub const ZARRC_INT2: zarrc_data_type = 26;
/// One byte, -8 to 7: only the four lowest bits are stored. Read sign-extended, as int8_t.
pub const ZARRC_INT4: zarrc_data_type = 27;
/// One byte, 0 to 3: only the two lowest bits are stored.
pub const ZARRC_UINT2: zarrc_data_type = 28;
/// One byte, 0 to 15: only the four lowest bits are stored.
pub const ZARRC_UINT4: zarrc_data_type = 29;
/// One byte; the low four bits: sign, 2 exponent bits, 1 mantissa bit. All values are finite.
pub const ZARRC_FLOAT4_E2M1FN: zarrc_data_type = 30;
/// One byte; the low six bits: sign, 2 exponent bits, 3 mantissa bits. All values are finite.
pub const ZARRC_FLOAT6_E2M3FN: zarrc_data_type = 31;
/// One byte; the low six bits: sign, 3 exponent bits, 2 mantissa bits. All values are finite.
pub const ZARRC_FLOAT6_E3M2FN: zarrc_data_type = 32;
/// One byte, by the rules of IEEE 754.
pub const ZARRC_FLOAT8_E3M4: zarrc_data_type = 33;
/// One byte, by the rules of IEEE 754.
pub const ZARRC_FLOAT8_E4M3: zarrc_data_type = 34;
/// One byte, bias 11; no infinities, no -0, 0x80 is NaN.
pub const ZARRC_FLOAT8_E4M3B11FNUZ: zarrc_data_type = 35;
/// One byte; no infinities, 0x7f and 0xff are NaN.
pub const ZARRC_FLOAT8_E4M3FN: zarrc_data_type = 36;
/// One byte, bias 8; no infinities, no -0, 0x80 is NaN.
pub const ZARRC_FLOAT8_E4M3FNUZ: zarrc_data_type = 37;
/// One byte, by the rules of IEEE 754.
pub const ZARRC_FLOAT8_E5M2: zarrc_data_type = 38;
/// One byte, bias 16; no infinities, no -0, 0x80 is NaN.
pub const ZARRC_FLOAT8_E5M2FNUZ: zarrc_data_type = 39;
/// One byte: powers of two from 2^-127; no sign, no 0, 0xff is NaN.
pub const ZARRC_FLOAT8_E8M0FNU: zarrc_data_type = 40;
/// Two float16: real, imaginary.
pub const ZARRC_COMPLEX_FLOAT16: zarrc_data_type = 41;
/// Two bfloat16: real, imaginary.
pub const ZARRC_COMPLEX_BFLOAT16: zarrc_data_type = 42;
/// Two ZARRC_FLOAT4_E2M1FN: real, imaginary.
pub const ZARRC_COMPLEX_FLOAT4_E2M1FN: zarrc_data_type = 43;
/// Two ZARRC_FLOAT6_E2M3FN: real, imaginary.
pub const ZARRC_COMPLEX_FLOAT6_E2M3FN: zarrc_data_type = 44;
/// Two ZARRC_FLOAT6_E3M2FN: real, imaginary.
pub const ZARRC_COMPLEX_FLOAT6_E3M2FN: zarrc_data_type = 45;
/// Two ZARRC_FLOAT8_E3M4: real, imaginary.
pub const ZARRC_COMPLEX_FLOAT8_E3M4: zarrc_data_type = 46;
/// Two ZARRC_FLOAT8_E4M3: real, imaginary.
pub const ZARRC_COMPLEX_FLOAT8_E4M3: zarrc_data_type = 47;
/// Two ZARRC_FLOAT8_E4M3B11FNUZ: real, imaginary.
pub const ZARRC_COMPLEX_FLOAT8_E4M3B11FNUZ: zarrc_data_type = 48;
/// Two ZARRC_FLOAT8_E4M3FN: real, imaginary.
pub const ZARRC_COMPLEX_FLOAT8_E4M3FN: zarrc_data_type = 49;
/// Two ZARRC_FLOAT8_E4M3FNUZ: real, imaginary.
pub const ZARRC_COMPLEX_FLOAT8_E4M3FNUZ: zarrc_data_type = 50;
/// Two ZARRC_FLOAT8_E5M2: real, imaginary.
pub const ZARRC_COMPLEX_FLOAT8_E5M2: zarrc_data_type = 51;
/// Two ZARRC_FLOAT8_E5M2FNUZ: real, imaginary.
pub const ZARRC_COMPLEX_FLOAT8_E5M2FNUZ: zarrc_data_type = 52;
/// Two ZARRC_FLOAT8_E8M0FNU: real, imaginary.
pub const ZARRC_COMPLEX_FLOAT8_E8M0FNU: zarrc_data_type = 53;

/// A storage format: one of the constants below.
pub type zarrc_format = i32;

/// Opening: any format. Creating: the parent group's format, else Zarr v3.
pub const ZARRC_FORMAT_ANY: zarrc_format = 0;
/// Zarr v1.
pub const ZARRC_FORMAT_V1: zarrc_format = 1;
/// Zarr v2.
pub const ZARRC_FORMAT_V2: zarrc_format = 2;
/// Zarr v3: the final specification, 3.0 and 3.1.
pub const ZARRC_FORMAT_V3: zarrc_format = 3;
/// N5.
pub const ZARRC_FORMAT_N5: zarrc_format = 4;
/// The v3 draft of 2019.
pub const ZARRC_FORMAT_V3_2019: zarrc_format = 5;
/// The v3 draft of 2020.
pub const ZARRC_FORMAT_V3_2020: zarrc_format = 6;
/// The v3 draft of 2022.
pub const ZARRC_FORMAT_V3_2022: zarrc_format = 7;

/// Each number type with the constant for it and the stored type of the same layout.
static NUMBERS: &[NumberType] = &[
    (ZARRC_BOOL, Number::Bool, DataType::Bool),
    (ZARRC_INT8, Number::Int8, DataType::Int8),
    (ZARRC_INT16, Number::Int16, DataType::Int16),
    (ZARRC_INT32, Number::Int32, DataType::Int32),
    (ZARRC_INT64, Number::Int64, DataType::Int64),
    (ZARRC_UINT8, Number::UInt8, DataType::UInt8),
    (ZARRC_UINT16, Number::UInt16, DataType::UInt16),
    (ZARRC_UINT32, Number::UInt32, DataType::UInt32),
    (ZARRC_UINT64, Number::UInt64, DataType::UInt64),
    (ZARRC_FLOAT16, Number::Float16, DataType::Float16),
    (ZARRC_BFLOAT16, Number::BFloat16, DataType::BFloat16),
    (ZARRC_FLOAT32, Number::Float32, DataType::Float32),
    (ZARRC_FLOAT64, Number::Float64, DataType::Float64),
    (ZARRC_COMPLEX64, Number::Complex64, DataType::Complex64),
    (ZARRC_COMPLEX128, Number::Complex128, DataType::Complex128),
    small_int(ZARRC_INT2, SmallInt::Int2),
    small_int(ZARRC_INT4, SmallInt::Int4),
    small_int(ZARRC_UINT2, SmallInt::UInt2),
    small_int(ZARRC_UINT4, SmallInt::UInt4),
    small(ZARRC_FLOAT4_E2M1FN, SmallFloat::Float4E2M1Fn),
    small(ZARRC_FLOAT6_E2M3FN, SmallFloat::Float6E2M3Fn),
    small(ZARRC_FLOAT6_E3M2FN, SmallFloat::Float6E3M2Fn),
    small(ZARRC_FLOAT8_E3M4, SmallFloat::Float8E3M4),
    small(ZARRC_FLOAT8_E4M3, SmallFloat::Float8E4M3),
    small(ZARRC_FLOAT8_E4M3B11FNUZ, SmallFloat::Float8E4M3B11Fnuz),
    small(ZARRC_FLOAT8_E4M3FN, SmallFloat::Float8E4M3Fn),
    small(ZARRC_FLOAT8_E4M3FNUZ, SmallFloat::Float8E4M3Fnuz),
    small(ZARRC_FLOAT8_E5M2, SmallFloat::Float8E5M2),
    small(ZARRC_FLOAT8_E5M2FNUZ, SmallFloat::Float8E5M2Fnuz),
    small(ZARRC_FLOAT8_E8M0FNU, SmallFloat::Float8E8M0Fnu),
    (ZARRC_COMPLEX_FLOAT16, Number::ComplexFloat16, DataType::ComplexFloat16),
    (ZARRC_COMPLEX_BFLOAT16, Number::ComplexBFloat16, DataType::ComplexBFloat16),
    complex(ZARRC_COMPLEX_FLOAT4_E2M1FN, SmallFloat::Float4E2M1Fn),
    complex(ZARRC_COMPLEX_FLOAT6_E2M3FN, SmallFloat::Float6E2M3Fn),
    complex(ZARRC_COMPLEX_FLOAT6_E3M2FN, SmallFloat::Float6E3M2Fn),
    complex(ZARRC_COMPLEX_FLOAT8_E3M4, SmallFloat::Float8E3M4),
    complex(ZARRC_COMPLEX_FLOAT8_E4M3, SmallFloat::Float8E4M3),
    complex(ZARRC_COMPLEX_FLOAT8_E4M3B11FNUZ, SmallFloat::Float8E4M3B11Fnuz),
    complex(ZARRC_COMPLEX_FLOAT8_E4M3FN, SmallFloat::Float8E4M3Fn),
    complex(ZARRC_COMPLEX_FLOAT8_E4M3FNUZ, SmallFloat::Float8E4M3Fnuz),
    complex(ZARRC_COMPLEX_FLOAT8_E5M2, SmallFloat::Float8E5M2),
    complex(ZARRC_COMPLEX_FLOAT8_E5M2FNUZ, SmallFloat::Float8E5M2Fnuz),
    complex(ZARRC_COMPLEX_FLOAT8_E8M0FNU, SmallFloat::Float8E8M0Fnu),
];

type NumberType = (zarrc_data_type, Number, DataType);

const fn small_int(constant: zarrc_data_type, small: SmallInt) -> NumberType {
    (constant, Number::SmallInt(small), DataType::SmallInt(small))
}

const fn small(constant: zarrc_data_type, small: SmallFloat) -> NumberType {
    (constant, Number::SmallFloat(small), DataType::SmallFloat(small))
}

const fn complex(constant: zarrc_data_type, part: SmallFloat) -> NumberType {
    (constant, Number::ComplexSmall(part), DataType::ComplexSmall(part))
}

/// The other types: names, and the bytes of an element where that is always the same.
static OTHERS: [(zarrc_data_type, &str, usize); 11] = [
    (ZARRC_NATIVE, "native", 0),
    (ZARRC_RAW, "raw", 0),
    (ZARRC_FIXED_BYTES, "fixed_bytes", 0),
    (ZARRC_FIXED_UTF32, "fixed_utf32", 0),
    (ZARRC_DATETIME64, "datetime64", 8),
    (ZARRC_TIMEDELTA64, "timedelta64", 8),
    (ZARRC_STRUCT, "struct", 0),
    (ZARRC_STRING, "string", 0),
    (ZARRC_BYTES, "bytes", 0),
    (ZARRC_RAGGED, "ragged", 0),
    (ZARRC_JSON, "json", 0),
];

/// Name and size of each type, by its constant.
static TYPES: Lazy<BTreeMap<zarrc_data_type, (CString, usize)>> = Lazy::new(|| {
    let numbers = NUMBERS.iter().map(|(constant, _, t)| (*constant, t.name(), t.size()));
    let others = OTHERS.iter().map(|(constant, name, size)| (*constant, (*name).into(), *size));
    numbers
        .chain(others)
        .filter_map(|(constant, name, size)| Some((constant, (CString::new(name).ok()?, size))))
        .collect()
});

/// Returns the name of a data type: its constant's name in lower case, such as "float32".
///
/// @param data_type  a data type; may be any number.
/// @return a static string; NULL if `data_type` is not a ZARRC_ data type.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub extern "C" fn zarrc_data_type_name(data_type: zarrc_data_type) -> *const c_char {
    TYPES.get(&data_type).map_or(std::ptr::null(), |(name, _)| name.as_ptr())
}

/// Returns the size of one element in memory.
///
/// @param data_type  a data type; may be any number.
/// @return the size (bytes). 0 for variable-length types, for types whose size depends on
///         parameters (ZARRC_RAW, ZARRC_FIXED_BYTES, ZARRC_FIXED_UTF32, ZARRC_STRUCT: use
///         zarrc_array_element_size()), for ZARRC_NATIVE and for unknown numbers.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub extern "C" fn zarrc_data_type_size(data_type: zarrc_data_type) -> usize {
    TYPES.get(&data_type).map_or(0, |(_, size)| *size)
}

/// What messages call a constant: "ZARRC_FLOAT32", or its number where it is none of ours.
pub(super) fn called(constant: zarrc_data_type) -> String {
    match TYPES.get(&constant) {
        Some((name, _)) => format!("ZARRC_{}", name.to_string_lossy().to_uppercase()),
        None => constant.to_string(),
    }
}

/// The constant for a type.
pub(super) fn constant(data_type: &DataType) -> zarrc_data_type {
    match data_type {
        DataType::Raw(_) => ZARRC_RAW,
        DataType::FixedBytes(_) => ZARRC_FIXED_BYTES,
        DataType::FixedUtf32(_) => ZARRC_FIXED_UTF32,
        DataType::DateTime64(_) => ZARRC_DATETIME64,
        DataType::TimeDelta64(_) => ZARRC_TIMEDELTA64,
        DataType::Struct(_) => ZARRC_STRUCT,
        DataType::String => ZARRC_STRING,
        DataType::Bytes => ZARRC_BYTES,
        DataType::Ragged(_) => ZARRC_RAGGED,
        DataType::Json => ZARRC_JSON,
        number => NUMBERS.iter().find(|(_, _, t)| t == number).map_or(ZARRC_NATIVE, |(c, _, _)| *c),
    }
}

/// The type of a new array that a constant alone says; `None`: it takes parameters too.
pub(super) fn new_type(constant: zarrc_data_type) -> Result<Option<DataType>> {
    match constant {
        ZARRC_STRING => Ok(Some(DataType::String)),
        ZARRC_BYTES => Ok(Some(DataType::Bytes)),
        ZARRC_JSON => Ok(Some(DataType::Json)),
        ZARRC_RAW..=ZARRC_JSON => Ok(None),
        _ => NUMBERS
            .iter()
            .find(|(c, _, _)| *c == constant)
            .map(|(_, _, t)| Some(t.clone()))
            .ok_or_else(|| {
                Error::invalid(format!(
                    "data_type {}: expected a data type of arrays",
                    called(constant)
                ))
            }),
    }
}

/// How memory of the type `constant` relates to an array of type `stored`.
pub(super) fn memory_type(constant: zarrc_data_type, stored: &DataType) -> Result<MemoryType> {
    if stored.is_variable() {
        return Err(Error::new(
            Kind::TypeMismatch,
            format!(
                "the array's elements ({}) have variable length: use zarrc_array_read_vlen() and \
                 zarrc_array_write_vlen()",
                stored.name()
            ),
        ));
    }
    if let Some((_, number, _)) = NUMBERS.iter().find(|(c, _, _)| *c == constant) {
        return Ok(MemoryType::Number(*number));
    }
    if constant == ZARRC_NATIVE || constant == self::constant(stored) {
        return Ok(MemoryType::Native);
    }
    if (ZARRC_RAW..=ZARRC_JSON).contains(&constant) {
        return Err(Error::new(
            Kind::TypeMismatch,
            format!(
                "memory_type {}: the array stores {}, which cannot be converted to it",
                called(constant),
                stored.name()
            ),
        ));
    }
    Err(Error::invalid(format!("memory_type {constant}: expected a ZARRC_ data type")))
}

/// Refuses a memory type that is not that of elements of variable length.
pub(super) fn variable_memory_type(constant: zarrc_data_type, stored: &DataType) -> Result<()> {
    if constant == ZARRC_NATIVE || constant == self::constant(stored) {
        return Ok(());
    }
    let what = format!("memory_type {constant}: the array stores {}", stored.name());
    Err(Error::new(Kind::TypeMismatch, what))
}

/// The format that a constant names; `None`: any.
pub(super) fn format(constant: zarrc_format) -> Result<Option<FormatId>> {
    FormatId::from_number(constant)
}
