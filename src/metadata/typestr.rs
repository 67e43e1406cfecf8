//! NumPy's spelling of data types: the type string (`<f8`, `|S12`, `<M8[10us]`) and, for structs,
//! the list of fields (`[["x", "<f4"], ["z", "<f4", [2, 2]]]`). Zarr v2 and the codecs that come
//! from numcodecs write types like this.
//! <https://numpy.org/doc/stable/reference/arrays.interface.html>

use super::{DataType, Endian, StructType, TimeScale, TimeUnit};
use crate::error::{Context, Error, Result};
use crate::strided::Number;
use serde_json::value::RawValue;

/// Structs may nest this deep, and a field may have this many dimensions; NumPy's own bound.
const MAX_DEPTH: usize = 64;

/// Reads a type string. The byte order is `None` where it says none (`|`, nothing at all) or
/// the type has none; `=` is that of this machine. A malformed string is
/// [`Kind::InvalidMetadata`](crate::error::Kind::InvalidMetadata), a type that is none of ours
/// [`Kind::Unsupported`](crate::error::Kind::Unsupported).
pub fn parse(text: &str) -> Result<(DataType, Option<Endian>)> {
    let malformed = || Error::metadata(format!("data type {text:?} is not a NumPy type string"));
    let unsupported =
        |what: &str| Err(Error::unsupported(format!("data type {text:?}: {what} not supported")));
    let mut rest = text;
    let mut order = None;
    if let Some(mark @ ('<' | '>' | '|' | '=')) = text.chars().next() {
        rest = &text[1..];
        order = match mark {
            '<' => Some(Endian::Little),
            '>' => Some(Endian::Big),
            '=' => Some(Endian::NATIVE),
            _ => None,
        };
    }
    let mut chars = rest.chars();
    let code = chars.next().ok_or_else(malformed)?;
    let digits = chars.as_str();
    let (digits, unit) = match digits.find('[') {
        Some(at) if matches!(code, 'm' | 'M') => (&digits[..at], Some(&digits[at..])),
        _ => (digits, None),
    };
    if code == 'O' {
        return unsupported("elements of variable length are");
    }
    if !digits.bytes().all(|b| b.is_ascii_digit()) || digits.is_empty() {
        // The names under which tensorstore extends v2.
        return match Number::named(text) {
            Some(small @ (Number::SmallInt(_) | Number::SmallFloat(_))) => Ok((small.into(), None)),
            Some(Number::BFloat16) => Ok((DataType::BFloat16, Some(Endian::Little))),
            _ => match parse_dtype_name(text) {
                Some(named) => Ok((named, None)),
                None if text.len() > 2 && rest == text && is_name(text) => {
                    unsupported("this type is")
                }
                None => Err(malformed()),
            },
        };
    }
    let size: u64 = digits.parse().map_err(|_| malformed())?;
    let sized = |size| match size {
        0 => Err(Error::unsupported(format!("data type {text:?}: elements without bytes"))),
        size => DataType::checked_size(size, text),
    };
    use DataType::*;
    let data_type = match (code, size) {
        ('b', 1) => Bool,
        ('i', 1) => Int8,
        ('i', 2) => Int16,
        ('i', 4) => Int32,
        ('i', 8) => Int64,
        ('u', 1) => UInt8,
        ('u', 2) => UInt16,
        ('u', 4) => UInt32,
        ('u', 8) => UInt64,
        ('f', 2) => Float16,
        ('f', 4) => Float32,
        ('f', 8) => Float64,
        ('f', 10 | 12 | 16) | ('c', 20 | 24 | 32) => return unsupported("long double is"),
        ('c', 8) => Complex64,
        ('c', 16) => Complex128,
        ('M', 8) => DateTime64(time_scale(unit).ok_or_else(malformed)?),
        ('m', 8) => TimeDelta64(time_scale(unit).ok_or_else(malformed)?),
        ('S', n) => FixedBytes(sized(n)?),
        ('V', n) => Raw(sized(n)?),
        ('U', n) => {
            sized(n.saturating_mul(4))?;
            FixedUtf32(sized(n)?)
        }
        ('T', _) => return unsupported("elements of variable length are"),
        _ => return Err(malformed()),
    };
    let order = order.filter(|_| data_type.has_byte_order());
    Ok((data_type, order))
}

/// `[ns]`, `[10us]`; nothing is NumPy's generic unit.
fn time_scale(brackets: Option<&str>) -> Option<TimeScale> {
    let Some(brackets) = brackets else {
        return Some(TimeScale { unit: TimeUnit::Generic, count: 1 });
    };
    let inside = brackets.strip_prefix('[')?.strip_suffix(']')?;
    let digits = inside.len() - inside.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (count, unit) = inside.split_at(digits);
    let count = if count.is_empty() { 1 } else { count.parse::<i32>().ok()? };
    let count = u32::try_from(count).ok().filter(|&n| n > 0)?;
    Some(TimeScale { unit: TimeUnit::from_name(unit)?, count })
}

/// A type by its NumPy name (`int32`, `datetime64[ns]`), which numcodecs takes for a typestr too.
pub fn parse_dtype_name(name: &str) -> Option<DataType> {
    use DataType::*;
    if let Some(unit) = name.strip_prefix("datetime64") {
        return time_scale((!unit.is_empty()).then_some(unit)).map(DateTime64);
    }
    if let Some(unit) = name.strip_prefix("timedelta64") {
        return time_scale((!unit.is_empty()).then_some(unit)).map(TimeDelta64);
    }
    let number = DataType::from(Number::named(name)?);
    // NumPy itself has no others
    let other = matches!(
        number,
        BFloat16 | SmallInt(_) | SmallFloat(_) | ComplexFloat16 | ComplexBFloat16 | ComplexSmall(_)
    );
    (!other).then_some(number)
}

/// Whether it looks like the name of a type, not like NumPy's letter and size.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && !text[1..].bytes().all(|b| b.is_ascii_digit())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.')
}

/// Reads the JSON of a type: a type string or a list of fields, as it stands in a v2 document.
/// Here a type of several bytes must say their order. The order is `None` too for a struct whose
/// fields differ in it; then each field says its own.
pub fn parse_json(json: &str) -> Result<(DataType, Option<Endian>)> {
    let what = read(json, 0)?;
    let mut orders = Orders::default();
    orders.collect(&what);
    let mixed = orders.little && orders.big;
    let order = match (orders.little, orders.big) {
        (true, false) => Some(Endian::Little),
        (false, true) => Some(Endian::Big),
        _ => None,
    };
    Ok((what.build(mixed)?, order))
}

/// A type as read, before it is known whether all its orders agree.
enum Spelt {
    Plain(DataType, Option<Endian>),
    Fields(Vec<(String, Spelt, Vec<usize>)>),
}

#[derive(Default)]
struct Orders {
    little: bool,
    big: bool,
}

impl Orders {
    fn collect(&mut self, spelt: &Spelt) {
        match spelt {
            Spelt::Plain(_, Some(Endian::Little)) => self.little = true,
            Spelt::Plain(_, Some(Endian::Big)) => self.big = true,
            Spelt::Plain(_, None) => {}
            Spelt::Fields(fields) => fields.iter().for_each(|(_, f, _)| self.collect(f)),
        }
    }
}

impl Spelt {
    fn build(self, mixed: bool) -> Result<DataType> {
        match self {
            Spelt::Plain(data_type, _) => Ok(data_type),
            Spelt::Fields(fields) => {
                let parts: Result<Vec<_>> = fields
                    .into_iter()
                    .map(|(name, spelt, shape)| {
                        let stored = match spelt {
                            Spelt::Plain(_, order) if mixed => order,
                            _ => None,
                        };
                        Ok((name, spelt.build(mixed)?, shape, stored))
                    })
                    .collect();
                Ok(DataType::Struct(StructType::new(parts?)?.into()))
            }
        }
    }
}

fn read(json: &str, depth: usize) -> Result<Spelt> {
    if depth > MAX_DEPTH {
        return Err(Error::metadata(format!("data type: structs nest deeper than {MAX_DEPTH}")));
    }
    let bad = |e: serde_json::Error| Error::metadata(format!("data type: {e}"));
    match json.as_bytes().first() {
        Some(b'"') => {
            let text: String = serde_json::from_str(json).map_err(bad)?;
            let (data_type, order) = parse(&text)?;
            if order.is_none() && data_type.has_byte_order() {
                return Err(Error::metadata(format!("data type {text:?} lacks its byte order")));
            }
            Ok(Spelt::Plain(data_type, order))
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(json).map_err(bad)?;
            let fields: Result<Vec<_>> =
                items.into_iter().map(|item| field(item.get(), depth)).collect();
            Ok(Spelt::Fields(fields?))
        }
        _ => Err(Error::metadata("data type: expected a type string or a list of fields")),
    }
}

/// `[name, type]` or `[name, type, shape]`.
fn field(json: &str, depth: usize) -> Result<(String, Spelt, Vec<usize>)> {
    let malformed =
        || Error::metadata("data type: a field must be [name, type] or [name, type, shape]");
    let parts: Vec<&RawValue> = serde_json::from_str(json).map_err(|_| malformed())?;
    let (name, spelt, shape) = match parts[..] {
        [name, spelt] => (name, spelt, None),
        [name, spelt, shape] => (name, spelt, Some(shape.get())),
        _ => return Err(malformed()),
    };
    let name: String = serde_json::from_str(name.get()).map_err(|_| malformed())?;
    let shape: Vec<usize> = match shape {
        None => Vec::new(),
        Some(list) if list.starts_with('[') => {
            serde_json::from_str(list).map_err(|_| malformed())?
        }
        Some(one) => vec![serde_json::from_str(one).map_err(|_| malformed())?],
    };
    if shape.len() > MAX_DEPTH {
        return Err(malformed());
    }
    let spelt = read(spelt.get(), depth + 1).at(|| format!("field {name:?}"))?;
    Ok((name, spelt, shape))
}

/// The type string of a type that is not a struct, stored in `order` where it has one.
/// `None`: it is a struct, or a type that NumPy has not and v2 no name for.
pub fn typestr(data_type: &DataType, order: Endian) -> Option<String> {
    use DataType::*;
    let mark = match order {
        _ if !data_type.has_byte_order() => '|',
        Endian::Little => '<',
        Endian::Big => '>',
    };
    let time = |s: &TimeScale| match (s.unit, s.count) {
        (TimeUnit::Generic, 1) => "".into(),
        (unit, 1) => format!("[{}]", unit.name()),
        (unit, count) => format!("[{count}{}]", unit.name()),
    };
    Some(match data_type {
        BFloat16 | SmallInt(_) | SmallFloat(_) => data_type.name(),
        ComplexFloat16 | ComplexBFloat16 | ComplexSmall(_) => return None,
        Bool => "|b1".into(),
        Int8 | Int16 | Int32 | Int64 => format!("{mark}i{}", data_type.size()),
        UInt8 | UInt16 | UInt32 | UInt64 => format!("{mark}u{}", data_type.size()),
        Float16 | Float32 | Float64 => format!("{mark}f{}", data_type.size()),
        Complex64 | Complex128 => format!("{mark}c{}", data_type.size()),
        Raw(n) => format!("|V{n}"),
        FixedBytes(n) => format!("|S{n}"),
        FixedUtf32(n) => format!("{mark}U{n}"),
        DateTime64(s) => format!("{mark}M8{}", time(s)),
        TimeDelta64(s) => format!("{mark}m8{}", time(s)),
        Struct(_) => return None,
        String | Bytes | Ragged(_) | Json => "|O".into(),
    })
}

/// The JSON of a type, as [`parse_json`] reads it. Fields that say their own order keep it.
/// [`Kind::Unsupported`](crate::error::Kind::Unsupported): there is no spelling of it.
pub fn to_json(data_type: &DataType, order: Endian) -> Result<String> {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let DataType::Struct(fields) = data_type else {
        let text = typestr(data_type, order).ok_or_else(|| {
            Error::unsupported(format!("NumPy has no type string for {}", data_type.name()))
        })?;
        return Ok(quoted(&text));
    };
    let fields: Result<Vec<String>> = fields
        .fields()
        .iter()
        .map(|f| {
            let inner = to_json(&f.data_type, f.stored.unwrap_or(order))?;
            let shape = match &f.shape[..] {
                [] => String::new(),
                shape => {
                    let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
                    format!(", [{}]", shape.join(", "))
                }
            };
            Ok(format!("[{}, {inner}{shape}]", quoted(&f.name)))
        })
        .collect();
    Ok(format!("[{}]", fields?.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    #[test]
    fn type_strings_read_and_write_back() {
        let scale = |unit, count| TimeScale { unit, count };
        for (text, data_type, order) in [
            ("<f8", DataType::Float64, Some(Endian::Little)),
            (">i2", DataType::Int16, Some(Endian::Big)),
            ("|b1", DataType::Bool, None),
            ("|u1", DataType::UInt8, None),
            ("<c16", DataType::Complex128, Some(Endian::Little)),
            ("|S12", DataType::FixedBytes(12), None),
            (">U7", DataType::FixedUtf32(7), Some(Endian::Big)),
            ("|V300", DataType::Raw(300), None),
            ("<M8[ns]", DataType::DateTime64(scale(TimeUnit::Nanosecond, 1)), Some(Endian::Little)),
            (
                ">m8[10ms]",
                DataType::TimeDelta64(scale(TimeUnit::Millisecond, 10)),
                Some(Endian::Big),
            ),
            ("<M8", DataType::DateTime64(scale(TimeUnit::Generic, 1)), Some(Endian::Little)),
        ] {
            assert_eq!(parse(text).expect(text), (data_type.clone(), order));
            assert_eq!(typestr(&data_type, order.unwrap_or(Endian::Little)).as_deref(), Some(text));
        }
        for text in ["int4", "float8_e4m3fn"] {
            let (small, order) = parse(text).expect(text);
            assert_eq!((typestr(&small, Endian::Big).as_deref(), order), (Some(text), None));
        }
        let refused = to_json(&DataType::ComplexFloat16, Endian::Big).expect_err("no such type");
        assert_eq!(refused.kind(), Kind::Unsupported);
        // One byte has no order, whatever netCDF-C and others write.
        for text in ["<i1", ">S1", "<b1", "i1"] {
            assert_eq!(parse(text).expect(text).1, None);
        }
        assert_eq!(parse("=i4").expect("native").1, Some(Endian::NATIVE));
        assert_eq!(parse("i4").expect("no order").1, None);
    }

    #[test]
    fn what_is_no_type_string_is_refused() {
        for text in ["", "<", "<i3", "|b2", "<f", "i-4", "<i4x", "<q9", "<f99999999999999999999"]
            .into_iter()
            .chain(["<M8[xx]", "<M8[0s]", "<M8[", "<M8[4294967296s]", "<f8[ns]", "<é4", "é", "日"])
        {
            assert_eq!(parse(text).expect_err(text).kind(), Kind::InvalidMetadata, "{text}");
        }
        for text in ["|O", "<f16", "<c32", "float8_e9m9", "complex_float8_e5m2", "|T16", "|S0"] {
            assert_eq!(parse(text).expect_err(text).kind(), Kind::Unsupported, "{text}");
        }
        for text in ["|S100000000000000", "<U2147483647"] {
            assert_eq!(parse(text).expect_err(text).kind(), Kind::LimitExceeded, "{text}");
        }
        for json in ["\"i4\"", "\"|f8\"", "{}", "7", "[]", "[[\"x\"]]", "[[\"x\",\"<f4\",\"a\"]]"] {
            assert_eq!(parse_json(json).expect_err(json).kind(), Kind::InvalidMetadata, "{json}");
        }
    }

    #[test]
    fn structs_keep_mixed_orders_and_lift_common_ones() {
        let uniform =
            r#"[["foo", ">f4"], ["bar", [["baz", ">f4", [2, 3]], ["b", "|S3"]]], ["", "|V4"]]"#;
        let (t, order) = parse_json(uniform).expect("good");
        assert_eq!((t.size(), order), (4 + 24 + 3 + 4, Some(Endian::Big)));
        assert!(t.has_byte_order());
        assert_eq!(to_json(&t, Endian::Big).expect("good"), uniform);

        let mixed = r#"[["le", "<u2"], ["in", [["be", ">u4"]]], ["flag", "|b1"]]"#;
        let (t, order) = parse_json(mixed).expect("good");
        assert_eq!(order, None);
        assert!(!t.has_byte_order());
        assert_eq!(to_json(&t, Endian::Little).expect("good"), mixed);
    }

    #[test]
    fn deep_and_double_structs_are_refused() {
        let n = 100_000;
        let json = format!("{}\"<i4\"{}", "[[\"a\",".repeat(n), "]]".repeat(n));
        assert_eq!(parse_json(&json).expect_err("deep").kind(), Kind::InvalidMetadata);
        assert!(parse_json(r#"[["a","<i4"],["a","<i4"]]"#).is_err());
        assert!(parse_json(r#"[["a","<i4",[1099511627776,1099511627776]]]"#).is_err());
    }
}
