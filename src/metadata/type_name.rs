//! The spelling of data types in v3 documents: names of the core specification and registered
//! extensions. <https://github.com/zarr-developers/zarr-extensions/tree/main/data-types>

use super::json::{Extension, Object, list, quote, read};
use super::{DataType, StructType, TimeScale, TimeUnit};
use crate::error::{Context, Error, Result, did_you_mean};
use crate::strided::Number;
use serde_json::value::RawValue;

const MAX_DEPTH: usize = 64;

/// Parses the JSON of a data type.
pub fn parse(text: &str) -> Result<DataType> {
    parse_nested(text, 0)
}

/// The names that take no configuration, beside those of [`Number`] and `r8`, `r16`, …
static NAMED: &[(&str, DataType)] = &[
    ("complex_float32", DataType::Complex64),
    ("complex_float64", DataType::Complex128),
    ("string", DataType::String),
    ("bytes", DataType::Bytes),
    ("variable_length_bytes", DataType::Bytes),
    ("binary", DataType::Bytes),
];

/// Names with a configuration.
const PARAMETERISED: [&str; 7] = [
    "raw_bytes",
    "null_terminated_bytes",
    "fixed_length_utf32",
    "numpy.datetime64",
    "numpy.timedelta64",
    "struct",
    "structured",
];

/// The type of a name without configuration.
pub fn parse_name(name: &str) -> Option<Result<DataType>> {
    if let Some((_, named)) = NAMED.iter().find(|(known, _)| *known == name) {
        return Some(Ok(named.clone()));
    }
    if let Some(number) = Number::named(name) {
        return Some(Ok(number.into()));
    }
    let bits = name.strip_prefix('r')?;
    if bits.is_empty() || !bits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(raw_bits(name, bits))
}

/// A hint for an unknown name: the most similar one.
pub fn hint(name: &str) -> String {
    if PARAMETERISED.contains(&name) {
        return format!(
            "; {name:?} needs parameters: {{\"name\": {name:?}, \"configuration\": …}}"
        );
    }
    let named = NAMED.iter().map(|(known, _)| *known).chain(PARAMETERISED);
    did_you_mean(name, Number::all().map(Number::name).chain(named))
}

fn raw_bits(name: &str, bits: &str) -> Result<DataType> {
    match bits.parse::<u64>() {
        Ok(bits) if bits > 0 && bits % 8 == 0 => {
            Ok(DataType::Raw(DataType::checked_size(bits / 8, name)?))
        }
        _ => Err(Error::metadata(format!(
            "data type {name:?}: expected a positive multiple of 8 \
            bits"
        ))),
    }
}

fn parse_nested(text: &str, depth: usize) -> Result<DataType> {
    if depth > MAX_DEPTH {
        return Err(Error::metadata(format!("data_type: structs nest deeper than {MAX_DEPTH}")));
    }
    let extension: Extension = read("data_type", text)?;
    let name = &*extension.name;
    let mut members = extension.members().at(|| format!("data type {name:?}"))?;
    let data_type = match parse_name(name) {
        Some(known) => known?,
        None => parameterised(name, &mut members, depth).at(|| format!("data type {name:?}"))?,
    };
    members.finish(format_args!("data type {name:?}"))?;
    Ok(data_type)
}

/// A type with a configuration; removes the members that it knows.
fn parameterised(name: &str, members: &mut Object, depth: usize) -> Result<DataType> {
    match name {
        "raw_bytes" => Ok(DataType::Raw(length(members)?)),
        "null_terminated_bytes" => Ok(DataType::FixedBytes(length(members)?)),
        "fixed_length_utf32" => match length(members)? {
            n if n % 4 == 0 => Ok(DataType::FixedUtf32(n / 4)),
            n => Err(Error::metadata(format!("length_bytes {n} is not a multiple of 4"))),
        },
        "numpy.datetime64" => Ok(DataType::DateTime64(scale(members)?)),
        "numpy.timedelta64" => Ok(DataType::TimeDelta64(scale(members)?)),
        "struct" | "structured" => {
            let fields: Vec<&RawValue> = members.read_required("fields")?;
            let fields: Result<Vec<_>> =
                fields.into_iter().map(|f| field(f.get(), depth)).collect();
            Ok(DataType::Struct(StructType::new(fields?)?.into()))
        }
        "" => Err(Error::metadata("the name is empty")),
        _ if name.starts_with(['<', '>', '|']) => {
            Err(Error::metadata("a NumPy type string is not a data type of Zarr v3"))
        }
        "zarrs.optional" | "optional" => {
            Err(Error::unsupported("optional elements, an extension of zarrs, are not supported"))
        }
        _ => Err(Error::unsupported(format!("this type is not supported{}", hint(name)))),
    }
}

fn length(members: &mut Object) -> Result<usize> {
    match members.read_required::<u64>("length_bytes")? {
        0 => Err(Error::metadata("length_bytes is 0")),
        n => DataType::checked_size(n, "length_bytes"),
    }
}

fn scale(members: &mut Object) -> Result<TimeScale> {
    let unit: String = members.read_required("unit")?;
    let unit = TimeUnit::from_name(&unit)
        .ok_or_else(|| Error::metadata(format!("unit {unit:?} is not a unit of time")))?;
    let count: u32 = members.read_required("scale_factor")?;
    if count == 0 || i32::try_from(count).is_err() {
        return Err(Error::metadata(format!("scale_factor {count}: expected 1 to 2^31 - 1")));
    }
    Ok(TimeScale { unit, count })
}

type Part = (String, DataType, Vec<usize>, Option<super::Endian>);

/// `{"name": …, "data_type": …}`, or the older `[name, data_type]`.
fn field(text: &str, depth: usize) -> Result<Part> {
    let (name, data_type): (String, &str) = if text.starts_with('[') {
        let (name, data_type): (String, &RawValue) = read("fields", text)?;
        (name, data_type.get())
    } else {
        let mut members: Object = read("fields", text)?;
        let parts = (members.read_required("name")?, members.required("data_type")?);
        members.finish("fields")?;
        parts
    };
    if name.is_empty() {
        return Err(Error::metadata("fields: a field has no name"));
    }
    let data_type = parse_nested(data_type, depth + 1).at(|| format!("field {name:?}"))?;
    Ok((name, data_type, Vec::new(), None))
}

/// The JSON of a data type, in the spelling that most readers support: opaque bytes as `raw_bytes`
/// (zarr-python, tensorstore); structs as `structured` with pairs for fields, which tensorstore and
/// every release of zarr-python with structs read, while some do not know `struct`.
/// [`Kind::Unsupported`](crate::error::Kind::Unsupported): v3 has no such type.
pub fn to_json(data_type: &DataType) -> Result<String> {
    use DataType::*;
    let sized = |name: &str, bytes: usize| {
        format!("{{\"name\": \"{name}\", \"configuration\": {{\"length_bytes\": {bytes}}}}}")
    };
    let time = |name: &str, s: &TimeScale| {
        format!(
            "{{\"name\": \"{name}\", \"configuration\": {{\"unit\": \"{}\", \"scale_factor\": {}}}}}",
            s.unit.name(),
            s.count
        )
    };
    Ok(match data_type {
        Raw(n) => sized("raw_bytes", *n),
        FixedBytes(n) => sized("null_terminated_bytes", *n),
        FixedUtf32(n) => sized("fixed_length_utf32", n * 4),
        DateTime64(s) => time("numpy.datetime64", s),
        TimeDelta64(s) => time("numpy.timedelta64", s),
        Struct(fields) => {
            let fields: Result<Vec<_>> = fields.fields().iter().map(field_json).collect();
            format!(
                "{{\"name\": \"structured\", \"configuration\": {{\"fields\": {}}}}}",
                list(fields?)
            )
        }
        Ragged(_) | Json => {
            let name = data_type.name();
            return Err(Error::unsupported(format!("Zarr v3 has no data type for {name}")));
        }
        named => quote(&named.name()),
    })
}

fn field_json(field: &super::Field) -> Result<String> {
    let refuse = |what: &str| {
        Err(Error::unsupported(format!(
            "Zarr v3 has no struct with {what} (field {:?})",
            field.name
        )))
    };
    if field.name.is_empty() {
        return refuse("padding");
    }
    if !field.shape.is_empty() {
        return refuse("arrays as fields");
    }
    if field.stored.is_some() {
        return refuse("fields of different byte order");
    }
    let data_type = to_json(&field.data_type)?;
    Ok(list([quote(&field.name), data_type]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    #[test]
    fn types_read_and_write_back() {
        for text in [
            r#""bool""#,
            r#""float16""#,
            r#""bfloat16""#,
            r#""complex128""#,
            r#""string""#,
            r#""bytes""#,
            r#"{"name": "raw_bytes", "configuration": {"length_bytes": 3}}"#,
            r#"{"name": "null_terminated_bytes", "configuration": {"length_bytes": 4}}"#,
            r#"{"name": "fixed_length_utf32", "configuration": {"length_bytes": 16}}"#,
            r#"{"name": "numpy.datetime64", "configuration": {"unit": "us", "scale_factor": 10}}"#,
            r#"{"name": "structured", "configuration": {"fields": [["p", {"name": "structured", "configuration": {"fields": [["x", "float32"]]}}], ["id", "int64"]]}}"#,
        ] {
            assert_eq!(to_json(&parse(text).expect(text)).expect(text), text);
        }
        for (text, size) in [
            (r#""r24""#, 3),
            (r#"{"name": "int32"}"#, 4),
            (r#"{"name": "int32", "configuration": {}}"#, 4),
            (r#""complex_float32""#, 8),
            (
                r#"{"name": "numpy.timedelta64", "configuration": {"unit": "μs", "scale_factor": 1}}"#,
                8,
            ),
            (
                r#"{"name": "struct", "configuration": {"fields": [{"name": "a", "data_type": "int32"}, {"name": "b", "data_type": "float64"}]}}"#,
                12,
            ),
        ] {
            assert_eq!(parse(text).expect(text).size(), size);
        }
    }

    #[test]
    fn every_registered_small_type() {
        let floats = "float4_e2m1fn float6_e2m3fn float6_e3m2fn float8_e3m4 float8_e4m3 \
                      float8_e4m3b11fnuz float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz \
                      float8_e8m0fnu float8_e4m3fn";
        let complex = floats.split(' ').map(|name| (format!("complex_{name}"), 2));
        let names = "int2 int4 uint2 uint4".split(' ').chain(floats.split(' '));
        let halves = ["complex_float16", "complex_bfloat16"].map(|name| (name.into(), 4));
        for (name, size) in names.map(|name| (name.into(), 1)).chain(complex).chain(halves) {
            let data_type = parse(&quote(&name)).expect(&name);
            assert_eq!((data_type.size(), data_type.name()), (size, name.clone()));
            assert_eq!(data_type.has_byte_order(), size == 4, "{name}");
            assert_eq!(to_json(&data_type).expect(&name), quote(&name));
        }
    }

    #[test]
    fn what_breaks_a_rule_and_what_is_only_unknown() {
        for text in [
            r#""r7""#,
            r#""r0""#,
            r#""r99999999999999999999999""#,
            r#""<i4""#,
            r#""""#,
            "7",
            "null",
            "{}",
            r#"{"name": "int32", "configuration": {"x": 1}}"#,
            r#"{"name": "int32", "extra": 1}"#,
            r#"{"name": "raw_bytes"}"#,
            r#"{"name": "raw_bytes", "configuration": {"length_bytes": 0}}"#,
            r#"{"name": "raw_bytes", "configuration": {"length_bytes": -1}}"#,
            r#"{"name": "fixed_length_utf32", "configuration": {"length_bytes": 6}}"#,
            r#"{"name": "numpy.datetime64", "configuration": {"unit": "fortnight", "scale_factor": 1}}"#,
            r#"{"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 0}}"#,
            r#"{"name": "struct", "configuration": {"fields": []}}"#,
            r#"{"name": "struct", "configuration": {"fields": [{"name": "", "data_type": "int8"}]}}"#,
            r#"{"name": "struct", "configuration": {"fields": [["a", "int8"], ["a", "int8"]]}}"#,
        ] {
            assert_eq!(parse(text).expect_err(text).kind(), Kind::InvalidMetadata, "{text}");
        }
        for text in [r#""int3""#, r#"{"name": "urn:example:datetime"}"#] {
            let e = parse(text).expect_err(text);
            assert_eq!(e.kind(), Kind::Unsupported, "{text}");
        }
        let e = parse(r#"{"name": "float8_e9m9", "configuration": {}}"#).expect_err("unknown");
        assert!(e.to_string().contains("float8_e9m9"), "{e}");
    }

    #[test]
    fn deep_structs_are_refused() {
        let (open, close) = (r#"{"name":"structured","configuration":{"fields":[["a","#, r#"]]}}"#);
        let text = format!("{}\"int8\"{}", open.repeat(2000), close.repeat(2000));
        assert_eq!(parse(&text).expect_err("deep").kind(), Kind::InvalidMetadata);
    }
}
