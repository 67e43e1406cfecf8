//! How the formats spell codecs. v3 has a name and a configuration object; v2 has a numcodecs id
//! among the parameters; the drafts of v3 have a URI that ends in the name. This module converts
//! the model's codec chain to one of these spellings and writes out every parameter that a reader
//! would otherwise have to guess:
//!
//! - gzip, zlib: level 5; bz2: level 9; zstd: level 3, no checksum; lz4: acceleration 1;
//!   lzma: numcodecs' own (an .xz stream).
//! - blosc: lz4, clevel 5, automatic block size, byte shuffle (bit shuffle for elements of one
//!   byte).
//! - bytes: little-endian.
//! - sharding_indexed: inner chunks uncompressed, the index at the end, with its checksum.
//! - delta and similar filters: the type of their input.
//!
//! Names and kinds are those of the table in metadata/codecs.rs.

use super::{FormatId, type_name};
use crate::error::{Error, Result};
use crate::metadata::codecs::{self, Numcodecs};
use crate::metadata::{CodecKind, CodecSpec, DataType, Endian, registered, typestr};
use serde_json::{Map, Value, json};

/// The role of a v2 filter: on which side of "bytes" it belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    ArrayToArray,
    ArrayToBytes,
    Compressor,
    BytesToBytes,
}

/// The codec's id in this module: numcodecs' id, or the name in the table.
pub(super) fn id(name: &str) -> &str {
    codecs::find(name).map_or(name, |codec| codec.id().unwrap_or(codec.name))
}

/// The role of a numcodecs id; `None`: unknown.
pub(super) fn role(id: &str) -> Option<Role> {
    let codec = codecs::with_id(id)?;
    Some(match codec.v2 {
        Numcodecs::Compressor(_) => Role::Compressor,
        _ => codec.kind.into(),
    })
}

/// The role of a codec in a numcodecs document: one of numcodecs, or one that the program has
/// registered.
pub(super) fn role_of(id: &str) -> Option<Role> {
    role(id).or_else(|| registered::announced(id).map(Role::from))
}

impl From<CodecKind> for Role {
    fn from(kind: CodecKind) -> Role {
        match kind {
            CodecKind::ArrayToArray => Role::ArrayToArray,
            CodecKind::ArrayToBytes => Role::ArrayToBytes,
            CodecKind::BytesToBytes => Role::BytesToBytes,
        }
    }
}

/// The input and output types that a v2 filter declares, as type strings.
pub(super) fn filter_types<'a>(
    id: &str,
    parameters: &'a Map<String, Value>,
) -> (Option<&'a str>, Option<&'a str>) {
    let text = |name| parameters.get(name).and_then(Value::as_str);
    match id {
        "delta" | "fixedscaleoffset" | "quantize" => {
            (text("dtype"), text("astype").or(text("dtype")))
        }
        "astype" => (text("decode_dtype"), text("encode_dtype")),
        "categorize" => (text("dtype"), Some(text("astype").unwrap_or("|u1"))),
        "packbits" => (Some("|b1"), Some("|u1")),
        _ => (None, None),
    }
}

/// The output type of an array filter for input of `data_type`.
fn after(id: &str, parameters: &Map<String, Value>, data_type: &DataType) -> DataType {
    if id == "cast_value" {
        let given = parameters.get("data_type").map(|t| type_name::parse(&t.to_string()));
        return given.and_then(Result::ok).unwrap_or_else(|| data_type.clone());
    }
    let (_, gives) = filter_types(id, parameters);
    match gives.map(typestr::parse) {
        Some(Ok((given, _))) => given,
        _ => data_type.clone(),
    }
}

fn preset(parameters: &mut Map<String, Value>, defaults: &[(&str, Value)]) {
    for (name, value) in defaults {
        if !parameters.contains_key(*name) {
            parameters.insert((*name).into(), value.clone());
        }
    }
}

/// Writes out the parameters that numcodecs filters and simple compressors may omit.
fn complete(id: &str, p: &mut Map<String, Value>, data_type: &DataType, order: Endian) {
    match id {
        "gzip" | "zlib" => preset(p, &[("level", json!(5))]),
        "bz2" => preset(p, &[("level", json!(9))]),
        "lz4" => preset(p, &[("acceleration", json!(1))]),
        "zstd" => preset(p, &[("level", json!(3))]),
        "lzma" => {
            // GDAL's name for a filter
            if let Some(distance) = p.shift_remove("delta").filter(|d| !d.is_null()) {
                let level = p.shift_remove("preset").filter(|l| !l.is_null()).unwrap_or(json!(6));
                p.insert(
                    "filters".into(),
                    json!([{"id": 3, "dist": distance}, {"id": 33, "preset": level}]),
                );
            }
            let defaults = &[
                ("format", json!(1)),
                ("check", json!(-1)),
                ("preset", Value::Null),
                ("filters", Value::Null),
            ];
            preset(p, defaults)
        }
        "shuffle" => preset(p, &[("elementsize", json!(data_type.size()))]),
        "delta" | "fixedscaleoffset" | "quantize" | "categorize" => {
            if let Some(own) = typestr::typestr(data_type, order) {
                preset(p, &[("dtype", json!(own))]);
            }
        }
        "astype" => {
            if let Some(own) = typestr::typestr(data_type, order) {
                preset(p, &[("decode_dtype", json!(own))]);
            }
        }
        _ => {}
    }
}

/// The shuffle modes of blosc; the index is the number in v2.
const SHUFFLES: [&str; 3] = ["noshuffle", "shuffle", "bitshuffle"];

/// Reads a blosc shuffle in either spelling; -1 or no value chooses by element size.
pub(super) fn shuffle(value: Option<&Value>, element_size: usize) -> Result<usize> {
    let auto = if element_size == 1 { 2 } else { 1 };
    let number = match value {
        None => Some(auto),
        Some(Value::String(name)) => SHUFFLES.iter().position(|s| s == name),
        Some(value) => match value.as_i64() {
            Some(-1) => Some(auto),
            Some(n @ 0..=2) => usize::try_from(n).ok(),
            _ => None,
        },
    };
    number.ok_or_else(|| {
        let value = value.cloned().unwrap_or_default();
        Error::invalid(format!("codec blosc: shuffle {value} is unknown"))
    })
}

/// The chain in the spelling of v3.
pub(super) fn to_v3(
    codecs: &[CodecSpec],
    data_type: &DataType,
    rank: usize,
) -> Result<Vec<CodecSpec>> {
    let mut data_type = data_type.clone();
    codecs
        .iter()
        .map(|codec| {
            let id = id(&codec.name);
            let spelt = codec_v3(codec, id, &data_type, rank)?;
            if spelt.name != "packbits" {
                data_type = after(id, &spelt.configuration, &data_type);
            }
            Ok(spelt)
        })
        .collect()
}

fn codec_v3(codec: &CodecSpec, id: &str, data_type: &DataType, rank: usize) -> Result<CodecSpec> {
    let mut p = codec.configuration.clone();
    match id {
        "bytes" if data_type.has_byte_order() => preset(&mut p, &[("endian", json!("little"))]),
        "bytes" => {
            p.shift_remove("endian");
        }
        "transpose" => {
            let order = match p.get("order").and_then(Value::as_str) {
                Some("C") => Some((0..rank).collect::<Vec<_>>()),
                Some("F") => Some((0..rank).rev().collect()),
                _ => None,
            };
            if let Some(order) = order {
                p.insert("order".into(), json!(order));
            }
        }
        "zstd" => preset(&mut p, &[("level", json!(3)), ("checksum", json!(false))]),
        "blosc" => {
            // elements of variable length are already encoded as bytes
            let size = if data_type.is_variable() { 1 } else { data_type.size() };
            let way = SHUFFLES[shuffle(p.get("shuffle"), size)?];
            let size = if size > 255 { 1 } else { size };
            preset(&mut p, &[("cname", json!("lz4")), ("clevel", json!(5))]);
            p.insert("shuffle".into(), json!(way));
            preset(&mut p, &[("typesize", json!(size)), ("blocksize", json!(0))]);
        }
        "crc32c" if p.get("location").is_none_or(|l| l == "end") => p = Map::new(),
        "sharding_indexed" => sharding(&mut p, data_type, rank)?,
        "n5_default" | "conditional" => nested(&mut p, id, "codecs", data_type, rank)?,
        _ => complete(id, &mut p, data_type, Endian::Little),
    }
    let name = codecs::find(&codec.name).and_then(|known| known.v3);
    Ok(CodecSpec::new(name.unwrap_or(&codec.name), p))
}

fn sharding(p: &mut Map<String, Value>, data_type: &DataType, rank: usize) -> Result<()> {
    preset(
        p,
        &[
            ("codecs", json!(["bytes"])),
            ("index_codecs", json!(["bytes", "crc32c"])),
            ("index_location", json!("end")),
        ],
    );
    for (member, data_type) in [("codecs", data_type), ("index_codecs", &DataType::UInt64)] {
        nested(p, "sharding_indexed", member, data_type, rank)?;
    }
    Ok(())
}

/// The same for the codec chain within a codec.
fn nested(
    p: &mut Map<String, Value>,
    id: &str,
    member: &str,
    data_type: &DataType,
    rank: usize,
) -> Result<()> {
    let inner = p.get(member).and_then(Value::as_array);
    let inner =
        inner.ok_or_else(|| Error::invalid(format!("codec {id}: {member} is not a list")))?;
    let inner: Result<Vec<CodecSpec>> = inner.iter().map(CodecSpec::from_json).collect();
    let spelt = to_v3(&inner?, data_type, rank)?;
    p.insert(member.into(), spelt.iter().map(to_value).collect());
    Ok(())
}

/// The object form of a codec, which every v3 reader knows. Some readers require a configuration,
/// even an empty one, for all but these two.
pub(super) fn to_value(codec: &CodecSpec) -> Value {
    if codec.configuration.is_empty() && ["bytes", "crc32c"].contains(&&*codec.name) {
        json!({"name": codec.name})
    } else {
        json!({"name": codec.name, "configuration": codec.configuration})
    }
}

/// The input of a codec.
pub(super) enum Seen<'a> {
    /// Elements of a type, which is updated to the output type.
    Array(&'a mut DataType),
    /// Bytes encoded from elements of a type.
    Bytes(&'a DataType),
}

/// A codec other than "bytes" and "transpose" as a numcodecs document, for `format`. Elements are
/// stored in byte order `order`.
pub(super) fn to_numcodecs(
    codec: &CodecSpec,
    seen: Seen<'_>,
    order: Endian,
    format: FormatId,
) -> Result<(Role, Value)> {
    let id = id(&codec.name);
    let Some(role) = role_of(id).filter(|_| {
        // "packbits" without the prefix is v3's codec, whose bytes differ from those of numcodecs'.
        codec.name != "packbits" || codec.configuration.is_empty()
    }) else {
        let format = format.name();
        return Err(Error::unsupported(format!("{format} has no codec {:?}", codec.name)));
    };
    let data_type = match &seen {
        Seen::Array(data_type) => &**data_type,
        Seen::Bytes(data_type) => data_type,
    };
    let mut p = Map::new();
    p.insert("id".into(), json!(id));
    p.extend(codec.configuration.iter().map(|(name, value)| (name.clone(), value.clone())));
    complete(id, &mut p, data_type, order);
    match id {
        "blosc" => {
            let number = match p.get("shuffle") {
                Some(value) if value.as_i64() == Some(-1) => -1,
                value => shuffle(value, data_type.size())? as i64,
            };
            preset(&mut p, &[("cname", json!("lz4")), ("clevel", json!(5))]);
            p.insert("shuffle".into(), json!(number));
            preset(&mut p, &[("blocksize", json!(0))]);
            p.shift_remove("typesize");
        }
        // Some readers refuse the member; its default is no checksum.
        "zstd" if p.get("checksum") == Some(&Value::Bool(false)) => {
            p.shift_remove("checksum");
        }
        _ => {}
    }
    // a filter on bytes keeps the types that it declares
    let Seen::Array(data_type) = seen else { return Ok((role, Value::Object(p))) };
    // numcodecs views the elements through these types, so they must contain the byte order. The
    // item type of "vlen-array" keeps its own byte order.
    let types = ["dtype", "astype", "encode_dtype", "decode_dtype"];
    for name in types.into_iter().filter(|_| id != "vlen-array") {
        let own = p.get(name).and_then(Value::as_str).and_then(|t| typestr::parse(t).ok());
        if let Some(text) = own.and_then(|(t, _)| typestr::typestr(&t, order)) {
            p.insert(name.into(), json!(text));
        }
    }
    *data_type = after(id, &p, data_type);
    Ok((role, Value::Object(p)))
}

/// The codec name in a URI of the drafts of v3: `…/codec/gzip/1.0`, `…/codecs/gzip/1.0`,
/// `…/codec/gzip`. Any other text is returned as it is.
pub(super) fn from_uri(uri: &str) -> &str {
    let is_version = |s: &str| s.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let mut segments = uri.trim_end_matches('/').rsplit('/').skip_while(|s| is_version(s));
    match (segments.next(), segments.next()) {
        (Some(name), Some("codec" | "codecs")) => name,
        _ => uri,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(name: &str, configuration: Value) -> CodecSpec {
        CodecSpec::new(name, configuration.as_object().cloned().unwrap_or_default())
    }

    fn to_v2(codec: &CodecSpec, data_type: &mut DataType, order: Endian) -> Result<Value> {
        to_numcodecs(codec, Seen::Array(data_type), order, FormatId::V2).map(|(_, spelt)| spelt)
    }

    #[test]
    fn uris_name_codecs() {
        for (uri, name) in [
            ("http://purl.org/zarr/spec/codec/gzip", "gzip"),
            ("https://purl.org/zarr/spec/codec/gzip/1.0", "gzip"),
            ("https://purl.org/zarr/spec/codecs/blosc/1.0/", "blosc"),
            ("https://example.org/gzip/1.0", "https://example.org/gzip/1.0"),
            ("gzip", "gzip"),
            ("1.0", "1.0"),
            ("", ""),
        ] {
            assert_eq!(from_uri(uri), name, "{uri}");
        }
    }

    fn v3(name: &str, configuration: Value, data_type: &DataType) -> Value {
        let chain = to_v3(&[spec(name, configuration)], data_type, 3).expect("good");
        to_value(&chain[0])
    }

    #[test]
    fn v3_is_written_out() {
        let f4 = &DataType::Float32;
        for (name, given, data_type, expected) in [
            (
                "bytes",
                json!({}),
                f4,
                json!({"name": "bytes", "configuration": {"endian": "little"}}),
            ),
            (
                "endian",
                json!({"endian": "big"}),
                f4,
                json!({"name": "bytes", "configuration": {"endian": "big"}}),
            ),
            ("bytes", json!({"endian": "little"}), &DataType::UInt8, json!({"name": "bytes"})),
            (
                "zstd",
                json!({}),
                f4,
                json!({"name": "zstd", "configuration": {"level": 3, "checksum": false}}),
            ),
            (
                "numcodecs.gzip",
                json!({"level": 1}),
                f4,
                json!({"name": "gzip", "configuration": {"level": 1}}),
            ),
            (
                "zlib",
                json!({}),
                f4,
                json!({"name": "numcodecs.zlib", "configuration": {"level": 5}}),
            ),
            ("crc32c", json!({"location": "end"}), f4, json!({"name": "crc32c"})),
            (
                "blosc",
                json!({"cname": "zstd", "shuffle": 2}),
                f4,
                json!({"name": "blosc", "configuration": {
                "cname": "zstd", "shuffle": "bitshuffle", "clevel": 5, "typesize": 4, "blocksize": 0}}),
            ),
            (
                "blosc",
                json!({"shuffle": -1}),
                &DataType::Bool,
                json!({"name": "blosc", "configuration": {
                "cname": "lz4", "shuffle": "bitshuffle", "clevel": 5, "typesize": 1, "blocksize": 0}}),
            ),
            (
                "transpose",
                json!({"order": "F"}),
                f4,
                json!({"name": "transpose", "configuration": {"order": [2, 1, 0]}}),
            ),
            (
                "delta",
                json!({}),
                f4,
                json!({"name": "numcodecs.delta", "configuration": {"dtype": "<f4"}}),
            ),
            (
                "packbits",
                json!({"padding_encoding": "none"}),
                f4,
                json!({"name": "packbits", "configuration": {"padding_encoding": "none"}}),
            ),
            ("vlen-utf8", json!({}), f4, json!({"name": "vlen-utf8", "configuration": {}})),
            (
                "urn:someone:codec",
                json!({"x": 1}),
                f4,
                json!({"name": "urn:someone:codec", "configuration": {"x": 1}}),
            ),
        ] {
            assert_eq!(v3(name, given, data_type), expected, "{name}");
        }
        assert!(to_v3(&[spec("blosc", json!({"shuffle": 3}))], f4, 1).is_err());
    }

    #[test]
    fn shards_are_written_out_inside_too() {
        let given = json!({"chunk_shape": [2], "codecs": ["bytes", {"name": "blosc"}]});
        let expected = json!({"name": "sharding_indexed", "configuration": {
            "chunk_shape": [2],
            "codecs": [
                {"name": "bytes", "configuration": {"endian": "little"}},
                {"name": "blosc", "configuration":
                    {"cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 2, "blocksize": 0}},
            ],
            "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}],
            "index_location": "end",
        }});
        assert_eq!(v3("sharding_indexed", given, &DataType::Int16), expected);
        for bad in [
            json!({"codecs": 1}),
            json!({"codecs": [1]}),
            json!({"codecs": [{"name": "x", "configuration": 1}]}),
        ] {
            assert!(to_v3(&[spec("sharding_indexed", bad)], &DataType::Int16, 1).is_err());
        }
    }

    #[test]
    fn types_follow_the_filters() {
        let chain = [
            spec("fixedscaleoffset", json!({"offset": 0, "scale": 10, "astype": "<i2"})),
            spec("delta", json!({})),
            spec("blosc", json!({})),
        ];
        let cast = [spec("cast_value", json!({"data_type": "uint8"})), spec("bytes", json!({}))];
        let spelt = to_v3(&cast, &DataType::Float64, 1).expect("good");
        assert!(spelt[1].configuration.is_empty());
        let spelt = to_v3(&chain, &DataType::Float64, 1).expect("good");
        assert_eq!(spelt[0].configuration["dtype"], "<f8");
        assert_eq!(spelt[1].configuration["dtype"], "<i2");
        assert_eq!(spelt[2].configuration["typesize"], 2);

        let mut t = DataType::Float64;
        let v2: Vec<Value> =
            chain.iter().map(|c| to_v2(c, &mut t, Endian::Big).expect("good")).collect();
        assert_eq!(v2[0]["dtype"], ">f8");
        assert_eq!(v2[0]["astype"], ">i2");
        assert_eq!(v2[1], json!({"id": "delta", "dtype": ">i2"}));
        assert_eq!(
            v2[2],
            json!({"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0})
        );
    }

    #[test]
    fn v2_says_what_numcodecs_says() {
        let v2 = |name, p| to_v2(&spec(name, p), &mut DataType::Int32, Endian::Little);
        assert_eq!(
            v2("zstd", json!({"checksum": false})).expect("good"),
            json!({"id": "zstd", "level": 3})
        );
        assert_eq!(
            v2("zstd", json!({"level": 1, "checksum": true})).expect("good"),
            json!({"id": "zstd", "level": 1, "checksum": true})
        );
        assert_eq!(
            v2("blosc", json!({"cname": "lz4", "shuffle": "noshuffle", "typesize": 4}))
                .expect("good"),
            json!({"id": "blosc", "cname": "lz4", "shuffle": 0, "clevel": 5, "blocksize": 0})
        );
        assert_eq!(v2("numcodecs.packbits", json!({})).expect("good"), json!({"id": "packbits"}));
        for name in ["sharding_indexed", "cast_value", "made-up"] {
            assert_eq!(
                v2(name, json!({})).expect_err(name).kind(),
                crate::error::Kind::Unsupported
            );
        }
    }
}
