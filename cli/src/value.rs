//! One element as text: for people, as CSV and as JSON; and back.

use crate::failure::Result;
use std::fmt::Write;
use zarrc::format::{FormatId, parse_fill_json};
use zarrc::metadata::fill::{self, Style};
use zarrc::metadata::{DataType, Endian, FillValue, TimeScale, TimeUnit};
use zarrc::strided::{Number, View, ViewMut, convert};

/// How an element is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// For people: text as it is, `nan`.
    Text,
    /// A cell (a struct: several), with quotes where it needs them.
    Csv,
    /// JSON, with NaN and infinities as strings.
    Json,
}

/// Writes an element behind `out`.
pub fn write(data_type: &DataType, element: &[u8], how: Spelling, out: &mut String) -> Result<()> {
    use DataType::*;
    macro_rules! native {
        ($t:ty) => {{
            let mut bytes = [0; size_of::<$t>()];
            bytes.copy_from_slice(element);
            <$t>::from_ne_bytes(bytes)
        }};
    }
    macro_rules! plain {
        ($t:ty) => {{
            let _ = write!(out, "{}", native!($t)); // to a String, which cannot fail
        }};
    }
    match data_type {
        Bool => out.push_str(if element[0] != 0 { "true" } else { "false" }),
        Int8 => plain!(i8),
        Int16 => plain!(i16),
        Int32 => plain!(i32),
        Int64 => plain!(i64),
        UInt8 => plain!(u8),
        UInt16 => plain!(u16),
        UInt32 => plain!(u32),
        UInt64 => plain!(u64),
        Float32 => {
            let value = native!(f32);
            float(value.into(), format_args!("{value:?}"), how, out);
        }
        Float64 => {
            let value = native!(f64);
            float(value, format_args!("{value:?}"), how, out);
        }
        Float16 | BFloat16 | SmallFloat(_) => {
            let value = to_f64(data_type, element)?;
            float(value, format_args!("{:?}", value as f32), how, out);
        }
        DateTime64(scale) => quoted(&date(native!(i64), *scale), how, out),
        TimeDelta64(_) if native!(i64) != i64::MIN => plain!(i64),
        TimeDelta64(_) => quoted("NaT", how, out),
        FixedBytes(_) => {
            let used = element.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
            quoted(&text_of(&element[..used]), how, out);
        }
        FixedUtf32(_) => {
            let units = element.chunks_exact(4).map(|unit| {
                let unit = u32::from_ne_bytes([unit[0], unit[1], unit[2], unit[3]]);
                char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)
            });
            let text: std::string::String = units.collect();
            quoted(text.trim_end_matches('\0'), how, out);
        }
        String => quoted(&std::string::String::from_utf8_lossy(element), how, out),
        Json => match how {
            Spelling::Json => out.push_str(&std::string::String::from_utf8_lossy(element)),
            _ => quoted(&std::string::String::from_utf8_lossy(element), how, out),
        },
        Ragged(of) => {
            let mut inner = std::string::String::from("[");
            for (n, part) in element.chunks_exact(of.size().max(1)).enumerate() {
                inner.push_str(if n > 0 { ", " } else { "" });
                write(of, part, Spelling::Json, &mut inner)?;
            }
            inner.push(']');
            if how == Spelling::Csv { quoted(&inner, how, out) } else { out.push_str(&inner) }
        }
        Struct(fields) => structure(fields.fields(), element, how, out)?,
        complex if complex.part().is_some() => {
            let part = complex.part().unwrap_or(Float64);
            let (re, im) = element.split_at(part.size());
            if how == Spelling::Json {
                out.push('[');
                write(&part, re, how, out)?;
                out.push_str(", ");
                write(&part, im, how, out)?;
                out.push(']');
            } else {
                write(&part, re, Spelling::Text, out)?;
                let at = out.len();
                write(&part, im, Spelling::Text, out)?;
                if !out[at..].starts_with('-') {
                    out.insert(at, '+');
                }
                out.push('j');
            }
        }
        SmallInt(small) => {
            let _ = write!(out, "{}", small.value(element[0]));
        }
        // raw bytes, of fixed size or not: Base64, as fill values are written
        _ => {
            let json =
                fill::to_json(data_type, Endian::NATIVE, &FillValue::new(element), Style::V2)?;
            match how {
                Spelling::Json => out.push_str(&json),
                _ => out.push_str(json.trim_matches('"')),
            }
        }
    }
    Ok(())
}

fn structure(
    fields: &[zarrc::metadata::Field],
    element: &[u8],
    how: Spelling,
    out: &mut String,
) -> Result<()> {
    let (open, between, close) = match how {
        Spelling::Text => ("(", ", ", ")"),
        Spelling::Csv => ("", ",", ""),
        Spelling::Json => ("{", ", ", "}"),
    };
    out.push_str(open);
    for (n, field) in fields.iter().filter(|field| !field.name.is_empty()).enumerate() {
        out.push_str(if n > 0 { between } else { "" });
        if how == Spelling::Json {
            out.push_str(&quote(&field.name));
            out.push_str(": ");
        }
        let bytes = &element[field.offset..field.offset + field.size];
        if field.shape.is_empty() {
            write(&field.data_type, bytes, how, out)?;
            continue;
        }
        let inside = if how == Spelling::Json { how } else { Spelling::Text };
        let mut list = String::from("[");
        for (k, part) in bytes.chunks_exact(field.data_type.size().max(1)).enumerate() {
            list.push_str(if k > 0 { ", " } else { "" });
            write(&field.data_type, part, inside, &mut list)?;
        }
        list.push(']');
        if how == Spelling::Csv { quoted(&list, how, out) } else { out.push_str(&list) }
    }
    out.push_str(close);
    Ok(())
}

fn float(value: f64, shown: std::fmt::Arguments<'_>, how: Spelling, out: &mut String) {
    if value.is_finite() {
        let _ = out.write_fmt(shown);
        return;
    }
    out.push_str(match (how, value.is_nan(), value > 0.0) {
        (Spelling::Json, true, _) => "\"NaN\"",
        (Spelling::Json, _, true) => "\"Infinity\"",
        (Spelling::Json, _, false) => "\"-Infinity\"",
        (_, true, _) => "nan",
        (_, _, true) => "inf",
        (_, _, false) => "-inf",
    });
}

/// Bytes as text; those that are no UTF-8 as `\xNN`.
fn text_of(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// A text as JSON.
pub fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn quoted(text: &str, how: Spelling, out: &mut String) {
    match how {
        Spelling::Text => out.push_str(text),
        Spelling::Json => out.push_str(&quote(text)),
        Spelling::Csv if text.contains([',', '"', '\n', '\r']) => {
            out.push('"');
            out.push_str(&text.replace('"', "\"\""));
            out.push('"');
        }
        Spelling::Csv => out.push_str(text),
    }
}

/// A time as NumPy writes it: as many digits as the unit has.
fn date(count: i64, scale: TimeScale) -> String {
    if count == i64::MIN {
        return "NaT".into();
    }
    let count = i128::from(count) * i128::from(scale.count);
    let (per_second, digits) = match scale.unit {
        TimeUnit::Generic => return count.to_string(),
        TimeUnit::Year => return year(1970 + count),
        TimeUnit::Month => {
            return format!(
                "{}-{:02}",
                year(1970 + count.div_euclid(12)),
                count.rem_euclid(12) + 1
            );
        }
        TimeUnit::Week => return day(count * 7),
        TimeUnit::Day => return day(count),
        TimeUnit::Hour => {
            return format!("{}T{:02}", day(count.div_euclid(24)), count.rem_euclid(24));
        }
        TimeUnit::Minute => {
            let (days, rest) = (count.div_euclid(1440), count.rem_euclid(1440));
            return format!("{}T{:02}:{:02}", day(days), rest / 60, rest % 60);
        }
        TimeUnit::Second => (1, 0),
        TimeUnit::Millisecond => (1_000, 3),
        TimeUnit::Microsecond => (1_000_000, 6),
        TimeUnit::Nanosecond => (1_000_000_000, 9),
        TimeUnit::Picosecond => (1_000_000_000_000, 12),
        TimeUnit::Femtosecond => (1_000_000_000_000_000, 15),
        TimeUnit::Attosecond => (1_000_000_000_000_000_000, 18),
    };
    let (seconds, fraction) = (count.div_euclid(per_second), count.rem_euclid(per_second));
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    let mut text = format!("{}T{hour:02}:{minute:02}:{second:02}", day(days));
    if digits > 0 {
        let _ = write!(text, ".{fraction:0digits$}");
    }
    text
}

fn year(year: i128) -> String {
    if year < 0 { format!("-{:04}", -year) } else { format!("{year:04}") }
}

/// The day so many days after 1 January 1970, of the Gregorian calendar.
fn day(days: i128) -> String {
    // years begin in March, eras of 400 years on 1 March 0000
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let of_400 = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * of_400 + of_400 / 4 - of_400 / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let full = of_400 + era * 400 + i128::from(month <= 2);
    format!("{}-{month:02}-{day:02}", year(full))
}

/// The numbers of so many elements; `None`: they are no real numbers.
pub fn to_f64s(data_type: &DataType, bytes: &[u8], numbers: &mut Vec<f64>) -> Result<Option<()>> {
    let Some(number) = real(data_type) else { return Ok(None) };
    let count = bytes.len() / number.size();
    let mut wide = crate::pieces::room(count * 8)?;
    let src = View::contiguous(bytes, &[count], number.size())?;
    let mut dst = ViewMut::contiguous(&mut wide, &[count], 8)?;
    convert(&src, number, &mut dst, Number::Float64)?;
    numbers.clear();
    let take = |b: &[u8]| f64::from_ne_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]);
    numbers.extend(wide.chunks_exact(8).map(take));
    Ok(Some(()))
}

/// The type of real number that elements are; times are none.
pub fn real(data_type: &DataType) -> Option<Number> {
    let is_time = matches!(data_type, DataType::DateTime64(_) | DataType::TimeDelta64(_));
    data_type.number().filter(|number| !number.is_complex() && !is_time)
}

fn to_f64(data_type: &DataType, element: &[u8]) -> Result<f64> {
    let mut number = Vec::new();
    to_f64s(data_type, element, &mut number)?;
    Ok(number.first().copied().unwrap_or(f64::NAN))
}

/// Reads an element as [`write`] spells it: JSON, a bare number, or text. Its bytes, native.
pub fn parse(data_type: &DataType, text: &str) -> Result<Vec<u8>> {
    let trimmed = text.trim();
    let json = match data_type {
        DataType::String => return Ok(text.as_bytes().to_vec()),
        DataType::FixedBytes(size) if text.len() <= *size => {
            let mut element = text.as_bytes().to_vec();
            element.resize(*size, 0);
            return Ok(element);
        }
        DataType::FixedUtf32(size) if text.chars().count() <= *size => {
            let units = text.chars().flat_map(|c| u32::from(c).to_ne_bytes());
            let mut element: Vec<u8> = units.collect();
            element.resize(size * 4, 0);
            return Ok(element);
        }
        DataType::Bool => match trimmed.to_ascii_lowercase().as_str() {
            "1" | "true" => "true".into(),
            "0" | "false" => "false".into(),
            _ => trimmed.to_owned(),
        },
        _ => match trimmed.to_ascii_lowercase().as_str() {
            "nan" => "\"NaN\"".into(),
            "inf" | "+inf" | "infinity" => "\"Infinity\"".into(),
            "-inf" | "-infinity" => "\"-Infinity\"".into(),
            _ if serde_json::from_str::<serde_json::Value>(trimmed).is_ok() => trimmed.to_owned(),
            _ => quote(trimmed),
        },
    };
    let element =
        parse_fill_json(data_type, Some(Endian::NATIVE), &json, FormatId::V3).map_err(|_| {
            let name = data_type.name();
            crate::failure::Failure::usage(format!("{text:?} is no element of type {name}"))
        })?;
    Ok(element.unwrap_or_else(|| data_type.zero()).bytes()?.into_owned())
}
