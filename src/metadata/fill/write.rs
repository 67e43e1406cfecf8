//! The bytes of an element in, JSON out.

use super::float::{Float, decimal};
use super::variable::variable_to_json;
use super::{BASE64, FillValue, NAT, Style, swap, wrong};
use crate::error::{Error, Result};
use crate::metadata::{DataType, Endian, json};
use base64::Engine;
use half::{bf16, f16};

/// Writes a fill value as the JSON of a document of `format`. `element` has the type's size. Fails
/// if the format cannot express it.
pub fn to_json(
    data_type: &DataType,
    order: Endian,
    element: &FillValue,
    style: Style,
) -> Result<String> {
    if !data_type.is_variable() && element.size() != data_type.size() {
        return Err(Error::invalid(format!(
            "the fill value has {} bytes, an element of {} has {}",
            element.size(),
            data_type.name(),
            data_type.size()
        )));
    }
    write(data_type, order, &element.bytes()?, style)
}

fn take<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&bytes[..N]);
    out
}

pub(super) fn write(data_type: &DataType, order: Endian, e: &[u8], style: Style) -> Result<String> {
    use DataType::*;
    let v2 = style.v2;
    Ok(match data_type {
        Bool => (e[0] != 0).to_string(),
        Int8 => i8::from_ne_bytes(take(e)).to_string(),
        Int16 => i16::from_ne_bytes(take(e)).to_string(),
        Int32 => i32::from_ne_bytes(take(e)).to_string(),
        Int64 => i64::from_ne_bytes(take(e)).to_string(),
        UInt8 => e[0].to_string(),
        UInt16 => u16::from_ne_bytes(take(e)).to_string(),
        UInt32 => u32::from_ne_bytes(take(e)).to_string(),
        UInt64 => u64::from_ne_bytes(take(e)).to_string(),
        Float16 => float(f16::from_ne_bytes(take(e)), style),
        BFloat16 => float(bf16::from_ne_bytes(take(e)), style),
        Float32 => float(f32::from_ne_bytes(take(e)), style),
        Float64 => float(f64::from_ne_bytes(take(e)), style),
        SmallInt(small) => small.value(e[0]).to_string(),
        SmallFloat(small) if v2 => float(small.value(e[0]), style),
        // not all readers of these types accept numbers; all accept the bits
        SmallFloat(small) => format!("\"0x{:02x}\"", e[0] & (0xff >> (8 - small.bits()))),
        Complex64 | Complex128 | ComplexFloat16 | ComplexBFloat16 | ComplexSmall(_) => {
            let Some(part) = data_type.part() else { return wrong("the type has no parts") };
            let (re, im) = e.split_at(part.size());
            json::list([write(&part, order, re, style)?, write(&part, order, im, style)?])
        }
        DateTime64(_) | TimeDelta64(_) => match i64::from_ne_bytes(take(e)) {
            NAT if !v2 => "\"NaT\"".into(),
            count => count.to_string(),
        },
        Raw(_) if style.bits => {
            let digits: std::string::String = e.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("\"0x{digits}\"")
        }
        Raw(_) | FixedBytes(_) => json::quote(&BASE64.encode(e)),
        FixedUtf32(_) => {
            let text: Option<std::string::String> = e
                .chunks_exact(4)
                .map(|unit| char::from_u32(u32::from_ne_bytes(take(unit))))
                .collect();
            let text = text.ok_or_else(|| {
                Error::invalid(
                    "the fill value is not text: it contains an invalid Unicode \
                    character",
                )
            })?;
            json::quote(text.trim_end_matches('\0'))
        }
        // v3 allows an object too, which zarr-python up to 3.1 does not read
        Struct(_) => {
            let mut stored = e.to_vec();
            swap(&data_type.swap(order), &mut stored);
            json::quote(&BASE64.encode(stored))
        }
        String | Bytes | Ragged(_) | Json => variable_to_json(data_type, e, style)?,
    })
}

fn float<T: Float>(value: T, style: Style) -> String {
    let wide = value.to_f64();
    if wide.is_nan() {
        let bits = value.bits_u64();
        return if (style.v2 && !style.bits) || bits == T::CANONICAL_NAN {
            "\"NaN\"".into()
        } else {
            format!("\"0x{bits:0width$x}\"", width = 2 * T::BYTES)
        };
    }
    if wide.is_infinite() {
        return json::quote(if wide > 0.0 { style.infinity } else { "-Infinity" });
    }
    // most readers parse a float64 and round it; the short form must survive that
    let short = value.shortest();
    let back = short.parse::<f64>().map(T::from_f64);
    if back.is_ok_and(|b| b.bits_u64() == value.bits_u64()) { short } else { decimal(wide) }
}
