//! The neutral model: what every format parses into and what everything above works with.
//! No line above the formats asks which format an array has: what differs between them became
//! a codec, a [`KeyEncoding`] or a type of this model.

mod attributes;
pub mod bare_numbers;
pub mod cf;
pub mod codecs;
mod data_type;
pub mod fill;
mod grid;
pub mod json;
mod keys;
mod markers;
pub mod numbers;
mod path;
pub mod registered;
pub mod type_name;
pub mod typestr;

pub use attributes::{Attributes, from_json, with_json};
pub use bare_numbers::quote_bare_numbers;
pub use data_type::{
    DataType, Endian, Field, SmallFloat, SmallInt, StructType, TimeScale, TimeUnit,
};
pub use fill::FillValue;
pub use grid::{ChunkGrid, Edges};
pub use keys::{KeyEncoding, Suffix};
pub use markers::{MARKERS, is_marked};
pub use path::NodePath;

use crate::error::{Error, Kind, Result};
use serde_json::{Map, Value};

/// What a codec takes and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum CodecKind {
    ArrayToArray,
    ArrayToBytes,
    BytesToBytes,
}

impl CodecKind {
    /// "array to bytes" and the like.
    pub fn name(self) -> &'static str {
        match self {
            CodecKind::ArrayToArray => "array to array",
            CodecKind::ArrayToBytes => "array to bytes",
            CodecKind::BytesToBytes => "bytes to bytes",
        }
    }
}

/// A codec as a metadata document names it: parameters not yet checked.
#[derive(Clone, Debug, PartialEq)]
pub struct CodecSpec {
    /// The name as written, but for addresses that stand for one; aliases are resolved by the
    /// codec table.
    pub name: String,
    /// Its parameters; empty where the document gave none.
    pub configuration: Map<String, Value>,
}

impl CodecSpec {
    /// A codec with the given parameters. Where writers put the address of a description for the
    /// name (zarrs and numcodecs, once), it becomes the name that they have come to use.
    pub fn new(name: impl Into<String>, configuration: Map<String, Value>) -> Self {
        let name = name.into();
        let name = match name.strip_prefix("https://") {
            Some(address) => name_at(address).unwrap_or(name),
            None => name,
        };
        CodecSpec { name, configuration }
    }
}

fn name_at(address: &str) -> Option<String> {
    if let Some(id) = address.strip_prefix("zarr.dev/numcodecs/") {
        return Some(format!("numcodecs.{id}"));
    }
    let (_, id) = address.strip_prefix("codec.zarrs.dev/")?.split_once('/')?;
    Some(match id {
        "vlen_utf8" | "vlen_bytes" | "vlen_array" => id.replace('_', "-"),
        "zfp" => id.into(),
        "vlen" | "vlen_v2" | "gdeflate" | "squeeze" | "optional" => format!("zarrs.{id}"),
        _ => format!("numcodecs.{id}"),
    })
}

/// One array.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayMetadata {
    /// Extents, slowest dimension first, in elements.
    pub shape: Vec<u64>,
    /// The type of an element.
    pub data_type: DataType,
    /// One element as it lies in memory (native byte order), of variable length its bytes;
    /// `None` where the format allows "undefined", which reads as [`DataType::zero`].
    pub fill_value: Option<FillValue>,
    /// Whether other readers take the fill value for something else than it is here.
    pub fill_ambiguous: bool,
    /// How the array is cut into chunks (the outer ones, where chunks are shards).
    pub chunk_grid: ChunkGrid,
    /// How a chunk's key is spelt.
    pub chunk_keys: KeyEncoding,
    /// array -> array codecs, one array -> bytes codec, bytes -> bytes codecs, in encoding order.
    pub codecs: Vec<CodecSpec>,
    /// One name per dimension; each may be missing.
    pub dimension_names: Option<Vec<Option<String>>>,
    /// `None`: the format keeps them in a document of their own, not read yet.
    pub attributes: Option<Attributes>,
}

/// One group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupMetadata {
    /// As in [`ArrayMetadata`].
    pub attributes: Option<Attributes>,
}

/// What a node's documents say.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeMetadata {
    /// A group.
    Group(GroupMetadata),
    /// An array.
    Array(Box<ArrayMetadata>),
}

impl ArrayMetadata {
    /// Whether a chunk of nothing but the fill value may be left out of the store: whether every
    /// reader finds that value where a chunk is missing.
    pub fn may_omit_chunks(&self) -> bool {
        self.fill_value.is_some() && !self.fill_ambiguous
    }

    /// The fill value as one element's bytes: zeros where it is undefined.
    pub fn fill_element(&self) -> FillValue {
        self.fill_value.clone().unwrap_or_else(|| self.data_type.zero())
    }
}

impl CodecSpec {
    /// From a metadata document of v3, where codecs stand inside codecs too: a name, or an object
    /// with `name`, `configuration` and `must_understand`.
    pub fn from_json(value: &Value) -> Result<Self> {
        let broken = |what: &str| Error::metadata(format!("codec {value}: {what}"));
        let mut values = 0;
        check_size(value, 0, &mut values)?;
        let members = match value {
            Value::String(name) => return Ok(CodecSpec::new(name, Map::new())),
            Value::Object(members) => members,
            _ => return Err(broken("expected a name or an object")),
        };
        let name = members.get("name").and_then(Value::as_str);
        let name = name.ok_or_else(|| broken("its \"name\" is missing or not a string"))?;
        let configuration = match members.get("configuration") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(map)) => map.clone(),
            Some(_) => return Err(broken("its \"configuration\" is not an object")),
        };
        let known = ["name", "configuration", "must_understand"];
        if let Some(key) = members.keys().find(|k| !known.contains(&k.as_str())) {
            return Err(broken(&format!("unknown member {key:?}")));
        }
        Ok(CodecSpec::new(name, configuration))
    }
}

/// Values that the configuration of a codec may hold, those of codecs inside it included, and how
/// deep codecs may stand inside codecs: each level is held once more while a chain is built.
const MAX_VALUES: usize = 1 << 18;
const MAX_DEPTH: usize = 8;

fn check_size(value: &Value, depth: usize, values: &mut usize) -> Result<()> {
    *values += 1;
    if *values > MAX_VALUES || depth > MAX_DEPTH {
        let what = match depth > MAX_DEPTH {
            true => format!("codecs nest deeper than {MAX_DEPTH}"),
            false => format!("the configuration of a codec holds more than {MAX_VALUES} values"),
        };
        return Err(Error::new(Kind::LimitExceeded, what));
    }
    match value {
        Value::Array(list) => list.iter().try_for_each(|v| check_size(v, depth, values)),
        Value::Object(members) => members.iter().try_for_each(|(name, v)| {
            let deeper = usize::from(name == "codecs" || name == "index_codecs");
            check_size(v, depth + deeper, values)
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codecs_inside_codecs_are_bounded() {
        let nested = |depth: usize| {
            (0..depth).fold(
                serde_json::json!({"name": "bytes"}),
                |inner, _| serde_json::json!({"name": "s", "configuration": {"codecs": [inner]}}),
            )
        };
        assert!(CodecSpec::from_json(&nested(MAX_DEPTH)).is_ok());
        let many = serde_json::json!({"name": "x", "configuration": {"y": vec![0; MAX_VALUES]}});
        for broken in [nested(MAX_DEPTH + 1), many] {
            let e = CodecSpec::from_json(&broken).expect_err("too much");
            assert_eq!(e.kind(), Kind::LimitExceeded);
            assert!(e.to_string().len() < 100, "and does not quote all of it");
        }
    }

    #[test]
    fn addresses_of_codecs() {
        for (address, name) in [
            ("https://codec.zarrs.dev/bytes_to_bytes/bz2", "numcodecs.bz2"),
            ("https://codec.zarrs.dev/array_to_bytes/vlen_utf8", "vlen-utf8"),
            ("https://codec.zarrs.dev/array_to_bytes/zfp", "zfp"),
            ("https://codec.zarrs.dev/bytes_to_bytes/gdeflate", "zarrs.gdeflate"),
            ("https://zarr.dev/numcodecs/zlib", "numcodecs.zlib"),
            ("https://example.org/zlib", "https://example.org/zlib"),
            ("https://codec.zarrs.dev/zlib", "https://codec.zarrs.dev/zlib"),
            ("zlib", "zlib"),
        ] {
            assert_eq!(CodecSpec::new(address, Map::new()).name, name);
            let written = serde_json::json!({"name": address});
            assert_eq!(
                CodecSpec::from_json(&written).map(|spec| spec.name).ok().as_deref(),
                Some(name)
            );
        }
    }
}
