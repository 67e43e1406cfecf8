//! N5: one `attributes.json` per node, which also contains the user's attributes; optional for
//! groups.
//! <https://github.com/saalfeldlab/n5#file-system-specification>
//!
//! N5 lists the fastest axis first. The model reverses the axes, as zarr-python does, so elements
//! are in C order. Only the shape in a block's header is reversed, which the codec `n5_default`
//! after a `transpose` handles.

use super::codec_name;
use super::json::{Object, configuration, document, list, quote, replace_member};
use super::{Change, Documents, Format, FormatEntry, FormatId, ImplicitGroups, NodeKind, check};
use crate::error::{Context, Error, Result};
use crate::metadata::{
    ArrayMetadata, Attributes, ChunkGrid, CodecSpec, DataType, GroupMetadata, KeyEncoding,
    NodeMetadata, NodePath, typestr, with_json,
};
use serde_json::{Map, Value, json};
use std::sync::Arc;

const DOCUMENT: &str = "attributes.json";
const BLOCKS: &str = "n5_default";

/// The version written at the root. Readers refuse versions above their own, and this library uses
/// no later feature.
const VERSION: &str = "\"2.0.0\"";
/// The newest major version.
const NEWEST: u64 = 4;

/// N5's own members, which are not attributes; the last one only up to version 1.
const RESERVED: [&str; 6] =
    ["n5", "dimensions", "blockSize", "dataType", "compression", "compressionType"];

/// The attribute in which tensorstore and N5 viewers store dimension names.
const DIMENSIONS: &str = "axes";

const DATA_TYPES: [(&str, DataType); 10] = [
    ("uint8", DataType::UInt8),
    ("uint16", DataType::UInt16),
    ("uint32", DataType::UInt32),
    ("uint64", DataType::UInt64),
    ("int8", DataType::Int8),
    ("int16", DataType::Int16),
    ("int32", DataType::Int32),
    ("int64", DataType::Int64),
    ("float32", DataType::Float32),
    ("float64", DataType::Float64),
];

/// The format.
pub(super) struct N5;

/// The format's entry in the table.
pub(super) const ENTRY: FormatEntry = FormatEntry {
    id: FormatId::N5,
    root_documents: &[DOCUMENT],
    recognise: |_, document| {
        let known = from_text(document, |node| Ok(is_n5(&node))).at(|| DOCUMENT)?;
        Ok(known.then(|| Arc::new(N5) as super::SharedFormat))
    },
    new: |_| Arc::new(N5),
    stands_alone: true,
    shown_by_nodes: false,
};

impl Format for N5 {
    fn id(&self) -> FormatId {
        FormatId::N5
    }

    fn documents(&self, path: &NodePath) -> Vec<String> {
        vec![path.prefix() + DOCUMENT]
    }

    fn parse(&self, _: usize, document: &[u8]) -> Result<NodeMetadata> {
        let parse = || -> Result<NodeMetadata> {
            let attributes = Some(self.attributes_of(document)?);
            from_text(document, |mut node| {
                check_version(&mut node)?;
                Ok(match is_dataset(&node) {
                    true => NodeMetadata::Array(Box::new(parse_array(node, attributes.clone())?)),
                    false => NodeMetadata::Group(GroupMetadata { attributes: attributes.clone() }),
                })
            })
        };
        parse().at(|| DOCUMENT)
    }

    fn kind(&self, _: usize, document: &[u8]) -> Result<NodeKind> {
        let dataset = from_text(document, |node| Ok(is_dataset(&node))).at(|| DOCUMENT)?;
        Ok(if dataset { NodeKind::Array } else { NodeKind::Group })
    }

    fn speaks_for_itself(&self, document: &[u8]) -> bool {
        from_text(document, |node| Ok(is_n5(&node))).unwrap_or(false)
    }

    fn attributes_of(&self, document: &[u8]) -> Result<Attributes> {
        let mut attributes = Attributes::parse(document).at(|| DOCUMENT)?;
        RESERVED.iter().for_each(|name| {
            attributes.remove(name);
        });
        Ok(attributes)
    }

    fn attributes_document(&self, path: &NodePath, _: NodeKind) -> String {
        path.prefix() + DOCUMENT
    }

    fn dimension_names(&self, attributes: &Attributes, rank: usize) -> Option<Vec<Option<String>>> {
        let names: Vec<String> = serde_json::from_str(attributes.get(DIMENSIONS)?).ok()?;
        let named = |name: String| (!name.is_empty()).then_some(name);
        (names.len() == rank).then(|| names.into_iter().rev().map(named).collect())
    }

    fn names_dimensions(&self) -> bool {
        true
    }

    fn chunk_keys(&self, separator: Option<char>) -> KeyEncoding {
        match separator {
            Some('.') => KeyEncoding::V2('.'), // no N5 document can express this
            _ => KeyEncoding::Reversed,
        }
    }

    /// Every N5 reader has it.
    fn usual_compressor(&self) -> &'static str {
        "gzip"
    }

    fn check_new_path(&self, path: &NodePath) -> Result<()> {
        match path.as_str().split('/').any(|name| name == DOCUMENT) {
            false => Ok(()),
            true => Err(Error::invalid(format!(
                "path \"{path}\": \"{DOCUMENT}\" is reserved for a document"
            ))),
        }
    }

    fn entry_document(&self) -> Option<(String, Vec<u8>)> {
        Some((DOCUMENT.into(), document([("n5", VERSION.into())])))
    }

    fn ancestors_need_documents(&self) -> bool {
        false
    }

    fn implicit_groups(&self) -> ImplicitGroups {
        ImplicitGroups::EveryPrefix
    }

    fn emit(&self, path: &NodePath, node: &NodeMetadata) -> Result<Documents> {
        let mut members = Vec::new();
        if path.is_root() {
            members.push(("n5", VERSION.into()));
        }
        let mut attributes = match node {
            NodeMetadata::Group(group) => group.attributes.clone(),
            NodeMetadata::Array(array) => {
                members.extend(emit_array(array)?);
                array.attributes.clone()
            }
        }
        .unwrap_or_default();
        if let NodeMetadata::Array(array) = node
            && let Some(names) = &array.dimension_names
        {
            let names = names.iter().rev().map(|n| quote(n.as_deref().unwrap_or_default()));
            attributes.set(DIMENSIONS, &list(names))?;
        }
        check_attributes(&attributes)?;
        members.extend(attributes.iter().map(|(name, value)| (name, value.to_owned())));
        Ok(vec![(path.prefix() + DOCUMENT, document(members))])
    }

    fn change(
        &self,
        path: &NodePath,
        kind: NodeKind,
        change: Change<'_>,
        old: &mut dyn FnMut(&str) -> Result<Option<Vec<u8>>>,
    ) -> Result<(String, Vec<u8>)> {
        let key = path.prefix() + DOCUMENT;
        let text = match old(&key)? {
            Some(text) => text,
            // a directory without a document is a group
            None if kind == NodeKind::Group => match path.is_root() {
                true => document([("n5", VERSION.into())]),
                false => document([]),
            },
            None => return Err(super::vanished(&key)),
        };
        let text = match change {
            Change::Attributes(attributes) => {
                check_attributes(attributes)?;
                let present = Attributes::parse(&text).at(|| DOCUMENT)?;
                let own = present.iter().filter(|(name, _)| RESERVED.contains(name));
                let all = own.chain(attributes.iter());
                document(all.map(|(name, value)| (name, value.to_owned())))
            }
            Change::Shape(shape) => {
                let old: Vec<u64> = from_text(&text, |mut node| node.read_required("dimensions"))
                    .at(|| DOCUMENT)?;
                super::check_rank(old.len(), shape.len())?;
                let dimensions = list(shape.iter().rev());
                replace_member(&text, "dimensions", &dimensions).at(|| DOCUMENT)?
            }
        };
        Ok((key, text))
    }
}

fn from_text<T>(text: &[u8], build: impl Fn(Object) -> Result<T>) -> Result<T> {
    with_json(text, |text| Object::parse(text).map(&build))
        .map_err(|e| Error::metadata(e.to_string()))?
}

/// Whether the document describes an array. If required members are missing, the array is broken.
fn is_dataset(node: &Object) -> bool {
    let has = |name: &str| node.rest().any(|(member, _)| member == name);
    has("dimensions") && (has("blockSize") || has("dataType"))
}

fn is_n5(node: &Object) -> bool {
    is_dataset(node) || node.rest().any(|(member, _)| member == "n5")
}

fn check_version(node: &mut Object) -> Result<()> {
    let Some(version) = node.read::<String>("n5")? else { return Ok(()) };
    let major = version.split('.').next().and_then(|major| major.parse::<u64>().ok());
    match major {
        Some(0..=NEWEST) => Ok(()),
        Some(_) => Err(Error::unsupported(format!("n5: version {version:?} is not supported"))),
        None => Err(Error::metadata(format!("n5: {version:?} is not a version"))),
    }
}

fn check_attributes(attributes: &Attributes) -> Result<()> {
    match attributes.iter().find(|(name, _)| RESERVED.contains(name)) {
        None => Ok(()),
        Some((name, _)) => Err(Error::invalid(format!(
            "an attribute of N5 cannot have the reserved name {name:?}"
        ))),
    }
}

fn parse_array(mut node: Object, attributes: Option<Attributes>) -> Result<ArrayMetadata> {
    let reversed = |mut extents: Vec<u64>| {
        extents.reverse();
        extents
    };
    let shape = reversed(node.read_required("dimensions")?);
    let blocks = reversed(node.read_required("blockSize")?);
    let name: String = node.read_required("dataType")?;
    let data_type = data_type(&name)?;
    let compressor = match (node.take("compression")?, node.read::<String>("compressionType")?) {
        (Some(text), _) => parse_compression(configuration("compression", text)?)?,
        (None, Some(name)) => {
            parse_compression([("type".into(), json!(name))].into_iter().collect())
                .at(|| "compressionType")?
        }
        (None, None) => return Err(Error::metadata("member \"compression\" is missing")),
    };
    let dimension_names = attributes.as_ref().and_then(|a| N5.dimension_names(a, shape.len()));
    let array = ArrayMetadata {
        fill_value: Some(vec![0; data_type.size()].into()),
        fill_ambiguous: false,
        data_type,
        chunk_grid: ChunkGrid::bounded(blocks, shape.len()).at(|| "blockSize")?,
        chunk_keys: KeyEncoding::Reversed,
        codecs: chain(shape.len(), compressor),
        dimension_names,
        attributes,
        shape,
    };
    check(&array)?;
    Ok(array)
}

/// Parses a type of N5, or one of those that zarr-python 2 adds under NumPy's names.
fn data_type(name: &str) -> Result<DataType> {
    if let Some((_, data_type)) = DATA_TYPES.iter().find(|(known, _)| *known == name) {
        return Ok(data_type.clone());
    }
    match typestr::parse_dtype_name(name) {
        Some(
            known @ (DataType::Bool
            | DataType::Float16
            | DataType::DateTime64(_)
            | DataType::TimeDelta64(_)),
        ) => Ok(known),
        _ => Err(Error::unsupported(format!("dataType: {name:?} is not supported"))),
    }
}

fn spec(name: &str, members: Value) -> CodecSpec {
    CodecSpec::new(name, members.as_object().cloned().unwrap_or_default())
}

/// The codecs of an array: those of the blocks, and before them the transpose to N5's axis order.
fn chain(rank: usize, compressor: Option<CodecSpec>) -> Vec<CodecSpec> {
    let reversed: Vec<usize> = (0..rank).rev().collect();
    let transpose = spec("transpose", json!({ "order": reversed }));
    let mut inner = vec![transpose.clone(), spec("bytes", json!({ "endian": "big" }))];
    inner.extend(compressor);
    let inner: Vec<Value> = inner.iter().map(codec_name::to_value).collect();
    vec![transpose, spec(BLOCKS, json!({ "codecs": inner }))]
}

/// `compression` as a codec; `None`: raw.
fn parse_compression(mut members: Map<String, Value>) -> Result<Option<CodecSpec>> {
    let name = match members.shift_remove("type") {
        Some(Value::String(name)) => name,
        _ => {
            return Err(Error::metadata("compression: member \"type\" is missing or not a string"));
        }
    };
    let mut take = |name: &str, usual: Value| members.shift_remove(name).unwrap_or(usual);
    let codec = match &*name {
        "raw" => return Ok(None),
        "gzip" => {
            let level = take("level", json!(-1));
            match take("useZlib", json!(false)) {
                Value::Bool(true) => spec("zlib", json!({ "level": level })),
                _ => spec("gzip", json!({ "level": level })),
            }
        }
        "bzip2" => spec("bz2", json!({ "level": take("blockSize", json!(9)) })),
        "xz" => {
            let preset = take("preset", json!(6));
            spec("lzma", json!({ "format": 1, "check": -1, "preset": preset, "filters": null }))
        }
        "zstd" => {
            let checksum = take("checksum", json!(false));
            spec("zstd", json!({ "level": take("level", json!(3)), "checksum": checksum }))
        }
        "blosc" => spec(
            "blosc",
            json!({
                "cname": take("cname", json!("blosclz")),
                "clevel": take("clevel", json!(6)),
                "shuffle": take("shuffle", json!(0)),
                "blocksize": take("blocksize", json!(0)),
            }),
        ),
        // zarr-python writes numcodecs' framing and parameter
        "lz4" => match take("acceleration", Value::Null) {
            Value::Null => {
                spec("lz4_java", json!({ "blockSize": take("blockSize", json!(65536)) }))
            }
            acceleration => spec("lz4", json!({ "acceleration": acceleration })),
        },
        // other codecs written by zarr-python have numcodecs' parameters
        _ => {
            members.shift_remove("id");
            CodecSpec::new(name, members)
        }
    };
    Ok(Some(codec))
}

/// A codec as `compression`. Writes every parameter: some readers have no defaults.
fn emit_compression(codec: Option<&CodecSpec>, data_type: &DataType) -> Result<Value> {
    let Some(codec) = codec else { return Ok(json!({ "type": "raw" })) };
    let get = |name: &str, usual: Value| codec.configuration.get(name).cloned().unwrap_or(usual);
    let id = codec_name::id(&codec.name);
    Ok(match id {
        "gzip" | "zlib" => json!({
            "type": "gzip", "level": get("level", json!(5)), "useZlib": id == "zlib",
        }),
        "bz2" => json!({ "type": "bzip2", "blockSize": get("level", json!(9)) }),
        "lzma" => {
            let usual =
                |name: &str, values: &[Value]| values.contains(&get(name, values[0].clone()));
            let plain = usual("format", &[json!(1)])
                && usual("check", &[json!(-1), json!(4)])
                && usual("filters", &[Value::Null]);
            let preset = match get("preset", Value::Null) {
                Value::Null if plain => json!(6),
                preset => preset,
            };
            match plain {
                true => json!({ "type": "xz", "preset": preset }),
                false => json!({
                    "type": "lzma",
                    "format": get("format", json!(1)),
                    "check": get("check", json!(-1)),
                    "preset": preset,
                    "filters": get("filters", Value::Null),
                }),
            }
        }
        "zstd" => {
            let mut members = json!({ "type": "zstd", "level": get("level", json!(3)) });
            if get("checksum", json!(false)) == json!(true) {
                members["checksum"] = json!(true);
            }
            members
        }
        "blosc" => json!({
            "type": "blosc",
            "cname": get("cname", json!("lz4")),
            "clevel": get("clevel", json!(5)),
            "shuffle": codec_name::shuffle(codec.configuration.get("shuffle"), data_type.size())?,
            "blocksize": get("blocksize", json!(0)),
        }),
        "lz4" if codec.configuration.contains_key("acceleration") => json!({
            "type": "lz4", "acceleration": get("acceleration", json!(1)), "id": "lz4",
        }),
        "lz4" | "lz4_java" => json!({ "type": "lz4", "blockSize": get("blockSize", json!(65536)) }),
        _ => return Err(Error::unsupported(format!("N5 has no codec {:?}", codec.name))),
    })
}

/// The bytes -> bytes codec of the chain, if N5 can express the chain.
fn compressor(array: &ArrayMetadata) -> Result<Option<CodecSpec>> {
    let rank = array.shape.len();
    let unsupported = |what: &str| Err(Error::unsupported(format!("N5 has no {what}")));
    let mut codecs = array.codecs.clone();
    if let Some(at) = codecs.iter().position(|c| c.name == BLOCKS) {
        let (blocks, before) = (codecs.split_off(at), codecs);
        let inner = blocks[0].configuration.get("codecs").and_then(Value::as_array);
        let inner = inner.ok_or_else(|| Error::invalid("codec n5_default: no codecs"))?;
        codecs = inner.iter().map(CodecSpec::from_json).collect::<Result<_>>()?;
        let compressor = codecs.get(2).cloned();
        return match [before, blocks].concat() == chain(rank, compressor.clone()) {
            true => Ok(compressor),
            false => unsupported("codecs around its blocks"),
        };
    }
    // the chain of a new array; its byte order is ignored, since N5 is always big-endian
    match &codecs[..] {
        [bytes] if codec_name::id(&bytes.name) == "bytes" => Ok(None),
        [bytes, compressor] if codec_name::id(&bytes.name) == "bytes" => {
            Ok(Some(compressor.clone()))
        }
        _ => unsupported("codecs but one that compresses"),
    }
}

fn emit_array(array: &ArrayMetadata) -> Result<Vec<(&'static str, String)>> {
    check(array)?;
    let unsupported = |what: String| Err(Error::unsupported(format!("N5 has no {what}")));
    if array.shape.is_empty() {
        return unsupported("arrays without dimensions".into());
    }
    if array.chunk_keys != KeyEncoding::Reversed {
        return unsupported("chunk keys with \".\"".into());
    }
    let Some((data_type, _)) = DATA_TYPES.iter().find(|(_, t)| *t == array.data_type) else {
        return unsupported(format!("type {}", array.data_type.name()));
    };
    if array.fill_value.as_ref().is_none_or(|fill| !fill.is_zero()) {
        return unsupported("fill value: N5 has only 0".into());
    }
    let blocks = match &array.chunk_grid {
        ChunkGrid::Bounded(shape) => shape,
        other => other.regular_shape()?,
    };
    let compression = emit_compression(compressor(array)?.as_ref(), &array.data_type)?;
    Ok(vec![
        ("dimensions", list(array.shape.iter().rev())),
        ("blockSize", list(blocks.iter().rev())),
        ("dataType", quote(data_type)),
        ("compression", compression.to_string()),
    ])
}

#[cfg(test)]
mod tests;
