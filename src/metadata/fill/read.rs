//! JSON in, the bytes of an element out.

use super::float::Float;
use super::{BASE64, FillValue, NAT, Style, string, swap, wrong};
use crate::error::{Context, Error, Kind, Result};
use crate::exec;
use crate::metadata::{DataType, Endian, Field, SmallFloat, StructType, json};
use crate::strided::Number;
use base64::Engine;
use half::{bf16, f16};
use serde_json::value::RawValue;

/// The largest element (bytes) whose fill value is parsed byte by byte.
const MAX_EXPLICIT: usize = 64 << 20;

/// Parses the `fill_value` of a document of `format`: an element in native byte order, `None` for
/// null. `order` is that of stored elements, which structs in Base64 have.
pub fn parse(
    data_type: &DataType,
    order: Endian,
    text: &str,
    style: Style,
) -> Result<Option<FillValue>> {
    if text == "null" {
        return Ok(None);
    }
    if !data_type.is_variable() && data_type.size() > MAX_EXPLICIT {
        return match text {
            "0" | "\"\"" => Ok(Some(data_type.zero())),
            _ => Err(Error::new(
                Kind::LimitExceeded,
                format!(
                    "fill_value of an element of {} bytes: expected null, 0 or \"\" beyond \
                     {MAX_EXPLICIT} bytes",
                    data_type.size()
                ),
            )),
        };
    }
    let reader = Reader { style, order };
    let read = || {
        if data_type.is_variable() {
            return reader.variable(data_type, text).map(FillValue::from);
        }
        let mut element = exec::zeroed(data_type.size())?;
        reader.put(data_type, text, &mut element)?;
        Ok(element.into())
    };
    let element = read().at(|| {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let short: String = line.chars().take(40).collect();
        let more = if short.len() < line.len() { "…" } else { "" };
        format!("fill_value {short}{more} for {}", data_type.name())
    })?;
    Ok(Some(element))
}

/// Whether readers disagree about the element that `text`, a v2 fill value that [`parse`] accepts,
/// stands for: forms older than Base64, quoted numbers, complex numbers that arithmetic does not
/// preserve, and objects other than text, which zarr-python 2 reads as any JSON value.
pub fn is_ambiguous(data_type: &DataType, text: &str, style: Style) -> bool {
    use DataType::*;
    if !style.v2 || text == "null" {
        return false;
    }
    match data_type {
        // Python removes what is not Base64 before it decodes the rest
        Raw(_) | FixedBytes(_) | Struct(_) => !string(text).is_some_and(|text| {
            BASE64.decode(&text).is_ok_and(|bytes| BASE64.encode(bytes) == text)
        }),
        FixedUtf32(_) | String => !text.starts_with('"'),
        Bytes | Ragged(_) => true,
        Json => text.starts_with(['[', '"']),
        Complex64 | Complex128 | ComplexFloat16 | ComplexBFloat16 | ComplexSmall(_) => {
            !text.starts_with('[') || text.contains(['"', 'N', 'I']) || text.contains("-0")
        }
        _ => quoted_number(text).is_some(),
    }
}

/// A float that is not a number in JSON.
enum Word {
    /// A NaN or an infinity.
    Special(f64),
    /// Bits of any value.
    Bits(u64),
}

pub(super) struct Reader {
    pub style: Style,
    order: Endian,
}

/// The bytes of `0x…` or `0b…`, highest first, which must be `size`; `None`: neither of the two.
fn bits(text: &str, size: usize) -> Option<Result<Vec<u8>>> {
    let (digits, radix, per_byte) = match text.split_at_checked(2)? {
        ("0x", digits) => (digits, 16, 2),
        ("0b", digits) => (digits, 2, 8),
        _ => return None,
    };
    let byte = |digits: &[u8]| {
        let digits = std::str::from_utf8(digits).ok().filter(|d| !d.starts_with('+'))?;
        u8::from_str_radix(digits, radix).ok()
    };
    let bytes: Option<Vec<u8>> = match size.checked_mul(per_byte) {
        Some(length) if length == digits.len() => {
            digits.as_bytes().chunks(per_byte).map(byte).collect()
        }
        _ => None,
    };
    let wrong = || {
        Error::metadata(format!(
            "must have the {} digits of its type",
            size.saturating_mul(per_byte)
        ))
    };
    Some(bytes.ok_or_else(wrong))
}

fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
}

/// The number in a string: writers in Java and JavaScript quote numbers.
fn quoted_number(text: &str) -> Option<String> {
    string(text).filter(|text| is_number(text) && text.parse().is_ok_and(f64::is_finite))
}

/// An integer, also if written 7.0 or 7e0.
fn integer(text: &str, min: i128, max: i128) -> Result<i128> {
    let outside = || Error::metadata(format!("is outside {min} to {max}"));
    if !is_number(text) {
        return wrong("is not an integer");
    }
    let value = if text.contains(['.', 'e', 'E']) {
        let value: f64 = text.parse().map_err(|_| outside())?;
        if value.fract() != 0.0 || !value.is_finite() {
            return wrong("is not an integer");
        }
        value as i128
    } else {
        text.parse().map_err(|_| outside())?
    };
    if (min..=max).contains(&value) { Ok(value) } else { Err(outside()) }
}

impl Reader {
    pub(super) fn put(&self, data_type: &DataType, text: &str, out: &mut [u8]) -> Result<()> {
        use DataType::*;
        if self.style.bits
            && let Some(bytes) = string(text).and_then(|text| bits(&text, out.len()))
        {
            out.copy_from_slice(&bytes?);
            swap(&data_type.swap(Endian::Big), out);
            return Ok(());
        }
        let quoted = match data_type.number() {
            // NumPy reads a string as true, and as a date for times
            None | Some(Number::Bool) => None,
            _ if matches!(data_type, DateTime64(_) | TimeDelta64(_)) => None,
            Some(_) if self.style.v2 => quoted_number(text),
            Some(_) => None,
        };
        let text = quoted.as_deref().unwrap_or(text);
        match data_type {
            Bool => out[0] = self.bool(text)?.into(),
            Int8 => put(out, (integer(text, i8::MIN.into(), i8::MAX.into())? as i8).to_ne_bytes()),
            Int16 => {
                put(out, (integer(text, i16::MIN.into(), i16::MAX.into())? as i16).to_ne_bytes())
            }
            Int32 => {
                put(out, (integer(text, i32::MIN.into(), i32::MAX.into())? as i32).to_ne_bytes())
            }
            Int64 => put(out, self.int64(text)?.to_ne_bytes()),
            UInt8 => put(out, (integer(text, 0, u8::MAX.into())? as u8).to_ne_bytes()),
            UInt16 => put(out, (integer(text, 0, u16::MAX.into())? as u16).to_ne_bytes()),
            UInt32 => put(out, (integer(text, 0, u32::MAX.into())? as u32).to_ne_bytes()),
            UInt64 => put(out, (integer(text, 0, u64::MAX.into())? as u64).to_ne_bytes()),
            Float16 => put(out, self.float::<f16>(text)?.to_ne_bytes()),
            BFloat16 => put(out, self.float::<bf16>(text)?.to_ne_bytes()),
            Float32 => put(out, self.float::<f32>(text)?.to_ne_bytes()),
            Float64 => put(out, self.float::<f64>(text)?.to_ne_bytes()),
            SmallInt(small) => {
                let (low, high) = small.range();
                out[0] = integer(text, low.into(), high.into())? as u8;
            }
            SmallFloat(small) => out[0] = self.small_float(*small, text)?,
            Complex64 | Complex128 | ComplexFloat16 | ComplexBFloat16 | ComplexSmall(_) => {
                let [re, im] = self.pair(text)?;
                let Some(part) = data_type.part() else { return wrong("has no parts") };
                let (first, second) = out.split_at_mut(part.size());
                self.put(&part, re, first)?;
                self.put(&part, im, second)?;
            }
            DateTime64(_) | TimeDelta64(_) => match string(text).as_deref() {
                Some("NaT") => put(out, NAT.to_ne_bytes()),
                _ => put(out, self.int64(text)?.to_ne_bytes()),
            },
            // files from before v2 specified Base64 hold 0 for "empty"
            Raw(_) | FixedBytes(_) | FixedUtf32(_) | Struct(_) if self.style.v2 && text == "0" => {}
            Raw(_) => self.bytes(text, out, false)?,
            FixedBytes(_) => self.bytes(text, out, true)?,
            FixedUtf32(n) => {
                let Some(text) = string(text) else { return wrong("is not a string") };
                if text.chars().count() > *n {
                    return wrong(format!("has more than {n} characters"));
                }
                for (unit, c) in out.chunks_exact_mut(4).zip(text.chars()) {
                    put(unit, u32::from(c).to_ne_bytes());
                }
            }
            Struct(fields) => self.fields(data_type, fields, text, out)?,
            String | Bytes | Ragged(_) | Json => return wrong("has no size"),
        }
        Ok(())
    }

    fn bool(&self, text: &str) -> Result<bool> {
        match text {
            "true" => Ok(true),
            "false" => Ok(false),
            "0" => Ok(false),
            "1" => Ok(true),
            _ => wrong("is not a boolean"),
        }
    }

    fn int64(&self, text: &str) -> Result<i64> {
        Ok(integer(text, i64::MIN.into(), i64::MAX.into())? as i64)
    }

    fn float<T: Float>(&self, text: &str) -> Result<T> {
        if is_number(text) {
            return match T::parse(text) {
                Some(value) if value.to_f64().is_finite() => Ok(value),
                _ => wrong("is outside the range of the type"),
            };
        }
        Ok(match self.word(text, T::BYTES)? {
            Word::Bits(bits) => T::from_bits_u64(bits),
            Word::Special(value) if value.is_nan() => T::from_bits_u64(T::CANONICAL_NAN),
            Word::Special(value) => T::from_f64(value),
        })
    }

    fn small_float(&self, small: SmallFloat, text: &str) -> Result<u8> {
        if is_number(text) {
            let nearest = text.parse().ok().and_then(|value: f64| match value {
                // tensorstore writes 0.0 for the least number of a type without a zero
                0.0 if !small.has_zero() => Some(0),
                value => small.nearest(value),
            });
            return nearest.map_or_else(|| wrong("is outside the range of the type"), Ok);
        }
        let byte = match self.word(text, 1)? {
            Word::Bits(bits) => Some(bits as u8),
            Word::Special(value) if value.is_nan() => small.nan(),
            Word::Special(value) => small.nearest(value),
        };
        byte.map_or_else(|| wrong("is not a value of the type"), Ok)
    }

    /// What a float of that size may be besides a number.
    fn word(&self, text: &str, bytes: usize) -> Result<Word> {
        let Some(text) = string(text) else { return wrong("is not a number") };
        let hex = || {
            let digits = text.strip_prefix("0x").filter(|_| !self.style.v2 || self.style.bits)?;
            let good = digits.len() == 2 * bytes && digits.bytes().all(|b| b.is_ascii_hexdigit());
            u64::from_str_radix(digits, 16).ok().filter(|_| good)
        };
        Ok(match &*text {
            "NaN" => Word::Special(f64::NAN),
            "Infinity" => Word::Special(f64::INFINITY),
            "+Infinity" if self.style.bits => Word::Special(f64::INFINITY),
            "-Infinity" => Word::Special(f64::NEG_INFINITY),
            _ => match hex() {
                Some(bits) => Word::Bits(bits),
                None if self.style.v2 => {
                    return wrong("is none of \"NaN\", \"Infinity\", \"-Infinity\"");
                }
                None => {
                    return wrong(format!(
                        "is none of \"NaN\", \"Infinity\", \"-Infinity\", 0x and {} digits",
                        2 * bytes
                    ));
                }
            },
        })
    }

    fn pair<'a>(&self, text: &'a str) -> Result<[&'a str; 2]> {
        if self.style.v2 && is_number(text) {
            return Ok([text, "0"]);
        }
        let parts: Option<Vec<&RawValue>> = serde_json::from_str(text).ok();
        match parts.as_deref() {
            Some([re, im]) => Ok([re.get(), im.get()]),
            _ => wrong("is not a list of two numbers"),
        }
    }

    /// Base64, or (v3) a list of bytes. `padded`: it may be shorter, and is padded with NULs.
    fn bytes(&self, text: &str, out: &mut [u8], padded: bool) -> Result<()> {
        let bytes = self.any_bytes(text, padded)?;
        if bytes.len() > out.len() || (bytes.len() < out.len() && !padded) {
            return wrong(format!("has {} bytes, not {}", bytes.len(), out.len()));
        }
        out[..bytes.len()].copy_from_slice(&bytes);
        Ok(())
    }

    /// Variable length. `plain`: v2 may have plain text.
    pub(super) fn any_bytes(&self, text: &str, plain: bool) -> Result<Vec<u8>> {
        Ok(match string(text) {
            Some(text) => match BASE64.decode(&text) {
                Ok(bytes) => bytes,
                // NCZarr writes "\u0000" and other plain text
                Err(_) if self.style.v2 && plain && text.is_ascii() => text.into_bytes(),
                Err(e) => return wrong(format!("is not Base64: {e}")),
            },
            None if text.starts_with('[') && !self.style.v2 => match serde_json::from_str(text) {
                Ok(bytes) => bytes,
                Err(e) => return wrong(format!("is not a list of bytes: {e}")),
            },
            None => return wrong("is not a Base64 string"),
        })
    }

    /// A struct: an object by field name, a list in the order of the fields, or the stored element
    /// in Base64.
    fn fields(
        &self,
        data_type: &DataType,
        fields: &StructType,
        text: &str,
        out: &mut [u8],
    ) -> Result<()> {
        // padding has no name and no value
        let named = || fields.fields().iter().filter(|f| !f.name.is_empty());
        match text.as_bytes().first() {
            Some(b'"') => {
                self.bytes(text, out, false)?;
                swap(&data_type.swap(self.order), out);
                Ok(())
            }
            Some(b'[') => {
                let values: Vec<&RawValue> = json::read("fields", text)?;
                if values.len() != named().count() {
                    return wrong(format!("has {} fields", values.len()));
                }
                named().zip(values).try_for_each(|(f, v)| self.field(f, v.get(), out))
            }
            Some(b'{') => {
                let mut values: json::Object = json::read("fields", text)?;
                for field in named() {
                    self.field(field, values.required(&field.name)?, out)?;
                }
                values.finish("fields")
            }
            _ => wrong("is not an object by field name"),
        }
    }

    fn field(&self, field: &Field, text: &str, out: &mut [u8]) -> Result<()> {
        let out = &mut out[field.offset..field.offset + field.size];
        self.shaped(&field.data_type, &field.shape, text, out)
            .at(|| format!("field {:?}", field.name))
    }

    fn shaped(&self, t: &DataType, shape: &[usize], text: &str, out: &mut [u8]) -> Result<()> {
        let Some((&count, inner)) = shape.split_first() else { return self.put(t, text, out) };
        let values: Vec<&RawValue> = json::read("elements", text)?;
        if values.len() != count {
            return wrong(format!("has {} elements, not {count}", values.len()));
        }
        if out.is_empty() {
            return Ok(());
        }
        let size = out.len() / count;
        out.chunks_exact_mut(size)
            .zip(values)
            .try_for_each(|(out, v)| self.shaped(t, inner, v.get(), out))
    }
}

fn put<const N: usize>(out: &mut [u8], bytes: [u8; N]) {
    out.copy_from_slice(&bytes);
}
