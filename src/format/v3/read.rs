//! Parses documents into the model.

use super::consolidated::consolidated;
use super::{CONSOLIDATED, SUFFIXED, named, order};
use crate::error::{Context, Error, Result, did_you_mean};
use crate::format::json::{Extension, Name, Object, read};
use crate::format::{
    FormatId, NodeKind, check, check_count, codec_name, fill, grid, separator, type_name,
};
use crate::metadata::{
    ArrayMetadata, Attributes, CodecKind, CodecSpec, DataType, GroupMetadata, KeyEncoding,
    NodeMetadata, Suffix, codecs,
};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::fmt;

/// The members of a document, each parsed as far as possible without the others. Opening a store
/// reads this document, so it is parsed in one pass.
#[derive(Default)]
pub(super) struct Document<'a> {
    zarr_format: Option<&'a RawValue>,
    node_type: Option<&'a RawValue>,
    attributes: Option<Attributes>,
    shape: Option<Vec<u64>>,
    data_type: Option<&'a RawValue>,
    chunk_grid: Option<Extension<'a>>,
    chunk_key_encoding: Option<Extension<'a>>,
    fill_value: Option<&'a RawValue>,
    codecs: Option<Vec<Extension<'a>>>,
    storage_transformers: Option<Vec<Extension<'a>>>,
    /// Some writers use null for no names.
    dimension_names: Option<Option<Vec<Option<String>>>>,
    others: Vec<(Cow<'a, str>, &'a RawValue)>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Document<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Document<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut d = Document::default();
                while let Some(Name(name)) = map.next_key()? {
                    match &*name {
                        "zarr_format" => set(&mut d.zarr_format, &name, &mut map)?,
                        "node_type" => set(&mut d.node_type, &name, &mut map)?,
                        "attributes" => set(&mut d.attributes, &name, &mut map)?,
                        "shape" => set(&mut d.shape, &name, &mut map)?,
                        "data_type" => set(&mut d.data_type, &name, &mut map)?,
                        "chunk_grid" => set(&mut d.chunk_grid, &name, &mut map)?,
                        "chunk_key_encoding" => set(&mut d.chunk_key_encoding, &name, &mut map)?,
                        "fill_value" => set(&mut d.fill_value, &name, &mut map)?,
                        "codecs" => set(&mut d.codecs, &name, &mut map)?,
                        "storage_transformers" => {
                            set(&mut d.storage_transformers, &name, &mut map)?
                        }
                        "dimension_names" => set(&mut d.dimension_names, &name, &mut map)?,
                        _ => d.others.push((name, map.next_value()?)),
                    }
                }
                Ok(d)
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// Reads a member, which may occur only once.
fn set<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    member: &mut Option<T>,
    name: &str,
    map: &mut A,
) -> Result<(), A::Error> {
    let value = map.next_value().map_err(|e| A::Error::custom(format!("{name}: {e}")))?;
    match member.replace(value) {
        None => Ok(()),
        Some(_) => Err(A::Error::custom(format!("member {name:?} occurs twice"))),
    }
}

fn required<T>(member: Option<T>, name: &str) -> Result<T> {
    member.ok_or_else(|| Error::metadata(format!("member {name:?} is missing")))
}

pub(super) fn parse_node(document: Document) -> Result<NodeMetadata> {
    match required(document.zarr_format, "zarr_format")?.get() {
        "3" => {}
        uri if uri.starts_with('"') => {
            return Err(Error::unsupported(format!("zarr_format {uri} is a draft of Zarr v3")));
        }
        number if number.bytes().all(|b| b.is_ascii_digit()) => {
            return Err(Error::unsupported(format!("zarr_format {number} is not supported")));
        }
        other => return Err(Error::metadata(format!("zarr_format: expected 3, found {other}"))),
    }
    match kind(required(document.node_type, "node_type")?.get())? {
        NodeKind::Array => Ok(NodeMetadata::Array(Box::new(parse_array(document)?))),
        NodeKind::Group => parse_group(document).map(NodeMetadata::Group),
    }
}

pub(super) fn kind(node_type: &str) -> Result<NodeKind> {
    match node_type {
        "\"array\"" => Ok(NodeKind::Array),
        "\"group\"" => Ok(NodeKind::Group),
        other => Err(Error::metadata(format!(
            "node_type: expected \"array\" or \"group\", found {other}"
        ))),
    }
}

#[cold]
fn unknown(name: &str) -> Error {
    Error::unsupported(format!("member {name:?} is unknown and lacks \"must_understand\": false"))
}

/// Unknown members must be marked as ignorable.
fn check_others(others: &[(Cow<str>, &RawValue)]) -> Result<()> {
    for (name, value) in others {
        let foreign = name == "_CRS" || name.to_ascii_lowercase().starts_with("_nczarr_");
        let ignorable = foreign
            || value.get().starts_with('{')
                && read::<Object>(name, value.get())?.take("must_understand")? == Some("false");
        if !ignorable {
            return Err(unknown(name));
        }
    }
    Ok(())
}

fn parse_group(mut document: Document) -> Result<GroupMetadata> {
    let of_arrays = [
        ("shape", document.shape.is_some()),
        ("data_type", document.data_type.is_some()),
        ("chunk_grid", document.chunk_grid.is_some()),
        ("chunk_key_encoding", document.chunk_key_encoding.is_some()),
        ("fill_value", document.fill_value.is_some()),
        ("codecs", document.codecs.is_some()),
        ("storage_transformers", document.storage_transformers.is_some()),
        ("dimension_names", document.dimension_names.is_some()),
    ];
    if let Some((name, _)) = of_arrays.iter().find(|(_, there)| *there) {
        return Err(unknown(name));
    }
    if let Some(at) = document.others.iter().position(|(name, _)| name == CONSOLIDATED) {
        let (_, value) = document.others.swap_remove(at);
        if let Some(consolidated) = consolidated(value.get())? {
            consolidated.check()?;
        }
    }
    check_others(&document.others)?;
    Ok(GroupMetadata { attributes: Some(document.attributes.unwrap_or_default()) })
}

fn parse_array(document: Document) -> Result<ArrayMetadata> {
    let shape = required(document.shape, "shape")?;
    let data_type = type_name::parse(required(document.data_type, "data_type")?.get())?;
    let chunk_grid = grid::parse(&required(document.chunk_grid, "chunk_grid")?, &shape)?;
    let chunk_keys = parse_keys(&required(document.chunk_key_encoding, "chunk_key_encoding")?)?;
    let fill = required(document.fill_value, "fill_value")?.get();
    // serde_json bounds the nesting of configurations, and with it that of shards
    let codecs = document.codecs.unwrap_or_default();
    check_count(codecs.len()).at(|| "codecs")?;
    let codecs: Result<Vec<CodecSpec>> =
        codecs.into_iter().map(|codec| Ok(CodecSpec::new(&*codec.name, codec.values()?))).collect();
    let mut codecs = codecs.at(|| "codecs")?;
    complete(&mut codecs, &data_type)?;
    let fill_value = fill::parse(&data_type, order(&codecs), fill, FormatId::V3.style())?;
    let fill_ambiguous = fill::is_ambiguous(&data_type, fill, FormatId::V3.style());
    if let Some([Extension { name, .. }, ..]) = document.storage_transformers.as_deref() {
        return Err(Error::unsupported(format!("storage transformer {name:?} is not supported")));
    }
    check_others(&document.others)?;
    let array = ArrayMetadata {
        shape,
        data_type,
        fill_value,
        fill_ambiguous,
        chunk_grid,
        chunk_keys,
        codecs,
        dimension_names: document.dimension_names.flatten(),
        attributes: Some(document.attributes.unwrap_or_default()),
    };
    check(&array)?;
    Ok(array)
}

/// Adds what writers omit, in the chain and in the chains within shards: the array -> bytes codec
/// (GDAL to 3.10, zarrita, zarr-js), which is little-endian `bytes`; the byte order of structs
/// (zarr-python) and UTF-32 (GDAL), also little-endian; and the codecs of a shard's index
/// (zarr-js).
fn complete(codecs: &mut Vec<CodecSpec>, data_type: &DataType) -> Result<()> {
    for codec in codecs.iter_mut() {
        match codec_name::id(&codec.name) {
            "bytes"
                if matches!(data_type, DataType::Struct(_) | DataType::FixedUtf32(_))
                    && data_type.has_byte_order() =>
            {
                codec.configuration.entry("endian").or_insert(json!("little"));
            }
            "sharding_indexed" => {
                let p = &mut codec.configuration;
                p.entry("index_codecs").or_insert_with(|| {
                    json!([
                        {"name": "bytes", "configuration": {"endian": "little"}},
                        {"name": "crc32c"},
                    ])
                });
                let inner = p.entry("codecs").or_insert_with(|| json!([]));
                let Value::Array(list) = inner else { continue };
                if is_plain(list, data_type) {
                    continue;
                }
                let mut specs: Vec<CodecSpec> =
                    list.iter().map(CodecSpec::from_json).collect::<Result<_>>()?;
                complete(&mut specs, data_type)?;
                *list = specs.iter().map(codec_name::to_value).collect();
            }
            _ => {}
        }
    }
    let kinds: Option<Vec<CodecKind>> = codecs.iter().map(|c| codecs::kind(&c.name)).collect();
    // an unknown codec could be the array -> bytes one
    let Some(kinds) = kinds.filter(|_| !data_type.is_variable()) else { return Ok(()) };
    if !kinds.contains(&CodecKind::ArrayToBytes) {
        let arrays = kinds.iter().take_while(|&&kind| kind == CodecKind::ArrayToArray).count();
        let little = match data_type.has_byte_order() {
            true => json!({ "endian": "little" }),
            false => json!({}),
        };
        let configuration = little.as_object().cloned().unwrap_or_default();
        codecs.insert(arrays, CodecSpec::new("bytes", configuration));
    }
    Ok(())
}

/// Whether the chain of inner chunks is complete, as in nearly every document.
fn is_plain(list: &[Value], data_type: &DataType) -> bool {
    let kind = |codec| named(codec).and_then(|(name, _)| codecs::kind(name));
    !matches!(data_type, DataType::Struct(_) | DataType::FixedUtf32(_))
        && list.iter().any(|codec| kind(codec) == Some(CodecKind::ArrayToBytes))
        && list.iter().all(|codec| {
            named(codec).is_some_and(|(name, _)| codec_name::id(name) != "sharding_indexed")
        })
}

fn parse_keys(keys: &Extension) -> Result<KeyEncoding> {
    let usual = if keys.name == "v2" { "." } else { "/" };
    let parse = || -> Result<KeyEncoding> {
        let mut members = keys.members()?;
        let between: Option<String> = members.read("separator")?;
        let between = separator("separator", between.as_deref().unwrap_or(usual))?;
        let encoding = match &*keys.name {
            "default" => KeyEncoding::Default(between),
            "v2" => KeyEncoding::V2(between),
            SUFFIXED => {
                let text: String = members.read_required("suffix")?;
                let suffix = Suffix::new(&text);
                let unusable = || Error::unsupported(format!("suffix {text:?} is not supported"));
                KeyEncoding::Suffixed(between, suffix.ok_or_else(unusable)?)
            }
            name => {
                return Err(Error::unsupported(format!(
                    "{name:?} is not supported{}",
                    did_you_mean(name, ["default", "v2", SUFFIXED].into_iter())
                )));
            }
        };
        members.finish("configuration")?;
        Ok(encoding)
    };
    parse().at(|| "chunk_key_encoding")
}
