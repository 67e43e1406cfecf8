//! The header of .npy files (NumPy's NEP 1).

use crate::failure::{Failure, Result};
use serde_json::Value;
use std::io::Read;
use zarrc::metadata::{DataType, Endian, typestr};

const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// The longest header (bytes); NumPy's own limit is lower.
const MAX_HEADER: u32 = 1 << 20;

/// A parsed header.
pub struct Header {
    /// The type of an element.
    pub data_type: DataType,
    /// The order of its bytes in the file.
    pub endian: Endian,
    /// Extents, slowest dimension first.
    pub shape: Vec<u64>,
    /// Whether the first dimension varies fastest.
    pub fortran_order: bool,
}

/// The header of elements in C order and native byte order.
pub fn header(data_type: &DataType, shape: &[u64]) -> Result<Vec<u8>> {
    let descr = python(&serde_json::from_str(&descr(data_type)?).unwrap_or_default());
    let extents: Vec<String> = shape.iter().map(u64::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    let mut text = format!(
        "{{'descr': {descr}, 'fortran_order': False, 'shape': ({}{comma}), }}",
        extents.join(", ")
    );
    // version 1 has two bytes for the length, version 3 four and UTF-8
    let version = if text.is_ascii() && text.len() < 65_000 { 1 } else { 3 };
    let before = MAGIC.len() + 2 + if version == 1 { 2 } else { 4 };
    let padding = 64 - (before + text.len() + 1) % 64;
    text.extend(std::iter::repeat_n(' ', padding % 64));
    text.push('\n');
    let mut bytes = MAGIC.to_vec();
    bytes.extend([version, 0]);
    match version {
        1 => bytes.extend((text.len() as u16).to_le_bytes()),
        _ => bytes.extend((text.len() as u32).to_le_bytes()),
    }
    bytes.extend(text.as_bytes());
    Ok(bytes)
}

/// The type as NumPy's `descr`, in JSON. Numbers that NumPy does not know are opaque bytes, as
/// `numpy.save` writes those of ml_dtypes.
fn descr(data_type: &DataType) -> Result<String> {
    use DataType::*;
    if data_type.is_variable() {
        return Err(Failure::usage(format!(
            "elements of type {} do not fit a .npy file: take --format json",
            data_type.name()
        )));
    }
    match data_type {
        BFloat16 | SmallInt(_) | SmallFloat(_) | ComplexFloat16 | ComplexBFloat16
        | ComplexSmall(_) => Ok(format!("\"|V{}\"", data_type.size())),
        _ => Ok(typestr::to_json(data_type, Endian::NATIVE)?),
    }
}

/// JSON as Python writes it; the fields of a struct are tuples.
fn python(json: &Value) -> String {
    match json {
        Value::String(text) => {
            format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
        }
        Value::Array(list) => {
            let tuple = |item: &Value| match item {
                Value::Array(parts) => {
                    let parts: Vec<String> = parts
                        .iter()
                        .enumerate()
                        .map(|(n, part)| match part {
                            Value::Array(shape) if n == 2 => {
                                let extents = shape.iter().map(|n| format!("{n},"));
                                format!("({})", extents.collect::<String>())
                            }
                            other => python(other),
                        })
                        .collect();
                    format!("({})", parts.join(", "))
                }
                other => python(other),
            };
            format!("[{}]", list.iter().map(tuple).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// Reads a header, up to the first element.
pub fn read(input: &mut dyn Read) -> Result<Header> {
    let broken = |why: &str| Failure::usage(format!("the .npy file: {why}"));
    let reading = || Failure::io("reading the header of the .npy file");
    let mut start = [0; 8];
    input.read_exact(&mut start).map_err(reading())?;
    if start[..6] != *MAGIC {
        return Err(broken("it does not begin as one"));
    }
    let length = match start[6] {
        1 => {
            let mut length = [0; 2];
            input.read_exact(&mut length).map_err(reading())?;
            u16::from_le_bytes(length).into()
        }
        2 | 3 => {
            let mut length = [0; 4];
            input.read_exact(&mut length).map_err(reading())?;
            u32::from_le_bytes(length)
        }
        version => return Err(broken(&format!("version {version} is unknown"))),
    };
    if length > MAX_HEADER {
        return Err(broken(&format!("a header of {length} bytes is too long")));
    }
    let mut text = vec![0; length as usize];
    input.read_exact(&mut text).map_err(reading())?;
    let text = String::from_utf8_lossy(&text);
    let header: Value = serde_json::from_str(&json(&text))
        .map_err(|_| broken(&format!("its header cannot be read: {}", text.trim())))?;
    let descr = header["descr"].to_string();
    if descr.contains("|O") {
        return Err(broken("it holds Python objects"));
    }
    let (data_type, endian) = match &header["descr"] {
        Value::String(text) => zarrc::format::parse_data_type(text)?,
        _ => typestr::parse_json(&descr)?,
    };
    let shape = header["shape"].as_array().ok_or_else(|| broken("its shape is missing"))?;
    let shape: Option<Vec<u64>> = shape.iter().map(Value::as_u64).collect();
    Ok(Header {
        data_type,
        endian: endian.unwrap_or(Endian::NATIVE),
        shape: shape.ok_or_else(|| broken("its shape is broken"))?,
        fortran_order: header["fortran_order"] == Value::Bool(true),
    })
}

/// A literal of Python as JSON: tuples become lists, quotes double.
fn json(python: &str) -> String {
    let mut json = String::new();
    let mut quote = None;
    let mut escaped = false;
    for c in python.chars() {
        match (quote, c) {
            (Some(_), '\\') if !escaped => {
                escaped = true;
                continue;
            }
            (Some(end), c) if c == end && !escaped => {
                json.push('"');
                quote = None;
            }
            (Some(_), '"' | '\\') => json.extend(['\\', c]),
            (Some(_), c) => json.push(c),
            (None, '\'' | '"') => {
                json.push('"');
                quote = Some(c);
            }
            (None, ')' | ']' | '}' | '(') => {
                // Python allows a trailing comma
                if c != '(' && json.ends_with(',') {
                    json.pop();
                }
                json.push(match c {
                    '(' => '[',
                    ')' => ']',
                    other => other,
                });
            }
            (None, c) if c.is_whitespace() => {}
            (None, c) => json.push(c),
        }
        escaped = false;
    }
    json.replace(":True", ":true").replace(":False", ":false")
}
