//! CF's conventions about numbers. The missing value, which netCDF and xarray keep in the attribute
//! `_FillValue`: a number in most formats, in Zarr v3 the Base64 of a little-endian double where
//! elements are floats. <https://cfconventions.org/cf-conventions/cf-conventions.html#missing-data>

use super::fill::{self, BASE64, Style};
use super::{ArrayMetadata, Attributes, DataType, Endian, FillValue};
use crate::error::{Error, Kind, Result};
use crate::strided::{Number, View, ViewMut, convert};
use base64::Engine;
use serde_json::Value;

/// The name of the attribute.
pub const MISSING: &str = "_FillValue";

/// The attribute for `element`, one of `data_type`; floats as Base64 if `coded`.
/// [`Kind::TypeMismatch`]: CF knows no missing value of such a type.
pub fn to_json(data_type: &DataType, element: &FillValue, coded: bool) -> Result<String> {
    use DataType::*;
    if matches!(data_type, Raw(_) | Struct(_) | DateTime64(_) | TimeDelta64(_) | Ragged(_) | Json) {
        return Err(Error::new(
            Kind::TypeMismatch,
            format!("{}: CF has no missing value of this type", data_type.name()),
        ));
    }
    // all its digits: xarray compares what it reads as a double
    let plain =
        match is_float(data_type).then(|| as_double(data_type, &element.bytes()?)).transpose()? {
            Some(number) => double_json(number),
            None => fill::to_json(data_type, Endian::Little, element, Style::V2)?,
        };
    Ok(if coded { code(data_type, &plain).unwrap_or(plain) } else { plain })
}

/// The element that the attribute stands for, in either spelling; `None`: it is none of the type.
pub fn from_json(data_type: &DataType, json: &str) -> Option<FillValue> {
    let number = if is_float(data_type) { decode_number(json).map(double_json) } else { None };
    let json = number.as_deref().unwrap_or(json);
    fill::parse(data_type, Endian::Little, json, Style::V2).ok().flatten()
}

/// The Base64 of `json`, a number or the word for one, where `data_type` is a float or complex.
/// `None`: it is something else.
pub fn code(data_type: &DataType, json: &str) -> Option<String> {
    let value: Value = serde_json::from_str(json).ok()?;
    if let Some(part) = data_type.part() {
        let parts: Option<Vec<Value>> =
            value.as_array()?.iter().map(|number| code_number(&part, number)).collect();
        return parts.map(|parts| Value::from(parts).to_string());
    }
    match is_float(data_type) {
        true => Some(code_number(data_type, &value)?.to_string()),
        false => None,
    }
}

/// The number that is the Base64 of a double; `None`: it is none.
pub fn decode_number(json: &str) -> Option<f64> {
    let text: String = serde_json::from_str(json).ok()?;
    let bytes = BASE64.decode(text).ok()?;
    bytes.try_into().ok().map(f64::from_le_bytes)
}

/// Makes of an array whose attributes say that its numbers are packed, or that one is missing, one
/// of the floats that they stand for: scaled, and NaN where they are missing. Others stay.
pub fn unpack(
    array: &mut ArrayMetadata,
    attributes: &Attributes,
    missing: Option<FillValue>,
) -> Result<()> {
    let number = |name: &str| -> Result<Option<Value>> {
        let Some(text) = attributes.get(name) else { return Ok(None) };
        // some writers have lists of one
        let value: Value = super::json::read(name, text)?;
        let value = match value {
            Value::Array(list) if list.len() == 1 => list.into_iter().next().unwrap_or_default(),
            value => value,
        };
        match value.is_number() {
            true => Ok(Some(value)),
            false => Err(Error::metadata(format!("attribute {name:?} is not a number"))),
        }
    };
    let stored = array.data_type.clone();
    let packable = match stored.number() {
        Some(Number::Bool) | None => false,
        Some(number) => !number.is_complex(),
    };
    if !packable || matches!(stored, DataType::DateTime64(_) | DataType::TimeDelta64(_)) {
        return Ok(());
    }
    let missing = missing.or_else(|| {
        let json = attributes.get("missing_value")?;
        let list: Option<Vec<Value>> = serde_json::from_str(json).ok();
        match list.as_deref() {
            Some([one]) => from_json(&stored, &one.to_string()),
            Some(_) => None,
            None => from_json(&stored, json),
        }
    });
    let (scale, offset) = (number("scale_factor")?, number("add_offset")?);
    if scale.is_none()
        && offset.is_none()
        && (missing.is_none() || is_nan(&stored, missing.as_ref()))
    {
        return Ok(());
    }
    let mut configuration = serde_json::Map::new();
    let data_type = super::type_name::to_json(&stored)?;
    configuration.insert("data_type".into(), super::json::read("data_type", &data_type)?);
    configuration.extend(scale.map(|n| ("scale_factor".into(), n)));
    configuration.extend(offset.map(|n| ("add_offset".into(), n)));
    if let Some(missing) = &missing {
        let json = fill::to_json(&stored, Endian::Little, missing, Style::V3)?;
        configuration.insert("missing".into(), super::json::read("missing", &json)?);
    }
    let float =
        |name: &str, usual: f64| configuration.get(name).and_then(Value::as_f64).unwrap_or(usual);
    let (scale, offset) = (float("scale_factor", 1.0), float("add_offset", 0.0));
    array.data_type = match stored {
        DataType::Float16 | DataType::BFloat16 | DataType::Float32 | DataType::SmallFloat(_) => {
            DataType::Float32
        }
        _ => DataType::Float64,
    };
    if let Some(fill) = &array.fill_value {
        let value = match Some(fill) == missing.as_ref() {
            true => f64::NAN,
            false => as_double(&stored, &fill.bytes()?)? * scale + offset,
        };
        array.fill_value = Some(match array.data_type {
            DataType::Float32 => FillValue::new(&(value as f32).to_ne_bytes()),
            _ => FillValue::new(&value.to_ne_bytes()),
        });
    }
    array.codecs.insert(0, super::CodecSpec::new("zarrc.packing", configuration));
    Ok(())
}

fn as_double(data_type: &DataType, element: &[u8]) -> Result<f64> {
    let number = data_type.number().ok_or_else(|| Error::metadata("not a number"))?;
    let mut out = [0; 8];
    let src = View::contiguous(element, &[], element.len())?;
    let mut dst = ViewMut::contiguous(&mut out, &[], 8)?;
    convert(&src, number, &mut dst, Number::Float64)?;
    Ok(f64::from_ne_bytes(out))
}

/// Whether what is missing is NaN anyway.
fn is_nan(data_type: &DataType, missing: Option<&FillValue>) -> bool {
    let bytes = missing.filter(|_| is_float(data_type)).and_then(|m| m.bytes().ok());
    bytes.is_some_and(|bytes| as_double(data_type, &bytes).is_ok_and(f64::is_nan))
}

fn is_float(data_type: &DataType) -> bool {
    use DataType::*;
    matches!(data_type, Float16 | BFloat16 | Float32 | Float64 | SmallFloat(_))
}

fn double_json(number: f64) -> String {
    match number {
        n if n.is_nan() => "\"NaN\"".into(),
        n if n.is_infinite() => format!("\"{}Infinity\"", if n < 0.0 { "-" } else { "" }),
        n => Value::from(n).to_string(),
    }
}

/// Rounded to what the elements can be, as no element is equal to anything else.
fn code_number(data_type: &DataType, value: &Value) -> Option<Value> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(word) => match word.as_str() {
            "NaN" => f64::NAN,
            "Infinity" => f64::INFINITY,
            "-Infinity" => f64::NEG_INFINITY,
            _ => return None,
        },
        _ => return None,
    };
    let number = match data_type {
        DataType::Float32 => f64::from(number as f32),
        DataType::Float16 => half::f16::from_f64(number).to_f64(),
        DataType::BFloat16 => half::bf16::from_f64(number).to_f64(),
        _ => number,
    };
    Some(Value::from(BASE64.encode(number.to_le_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_coded_as_xarray_codes_them() {
        // base64.b64encode(struct.pack("<d", float(numpy.float32(1e20))))
        let element = FillValue::new(&1e20f32.to_ne_bytes());
        let plain = to_json(&DataType::Float32, &element, false).expect("a number");
        assert_eq!(plain.parse(), Ok(f64::from(1e20f32)));
        assert_eq!(to_json(&DataType::Float32, &element, true).expect("coded"), "\"AAAAgB2vFUQ=\"");
        for (json, data_type, coded) in [
            ("1.00000002004087734e20", DataType::Float32, Some("\"AAAAgB2vFUQ=\"")),
            ("1e20", DataType::Float32, Some("\"AAAAgB2vFUQ=\"")),
            ("\"NaN\"", DataType::Float64, Some("\"AAAAAAAA+H8=\"")),
            ("-999", DataType::Float32, Some("\"AAAAAAA4j8A=\"")),
            ("\"AAAAgB2vFUQ=\"", DataType::Float32, None),
            ("-999", DataType::Int16, None),
            ("[1.0, 0]", DataType::Complex64, Some("[\"AAAAAAAA8D8=\",\"AAAAAAAAAAA=\"]")),
            ("null", DataType::Float32, None),
        ] {
            assert_eq!(code(&data_type, json).as_deref(), coded, "{json}");
        }
        let back = from_json(&DataType::Float32, "\"AAAAgB2vFUQ=\"").expect("an element");
        assert_eq!(back, FillValue::new(&1e20f32.to_ne_bytes()));
        let nan = from_json(&DataType::Float64, "\"AAAAAAAA+H8=\"").expect("an element");
        assert_eq!(nan, FillValue::new(&f64::NAN.to_ne_bytes()));
        let minus = from_json(&DataType::Int16, "-999");
        assert_eq!(minus, Some(FillValue::new(&(-999i16).to_ne_bytes())));
        assert_eq!(from_json(&DataType::Int16, "1e9"), None);
        let time = crate::metadata::TimeScale { unit: crate::metadata::TimeUnit::Day, count: 1 };
        assert!(to_json(&DataType::DateTime64(time), &FillValue::zeros(8), true).is_err());
    }
}
