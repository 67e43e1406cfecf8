//! Zarr v3, the final specification (3.0 and 3.1): one `zarr.json` per node.
//! <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html>
//!
//! Follows the specification strictly, except for known deviations of real writers: a `fill_value`
//! of null (zarrita) is undefined, an incomplete codec chain is completed ([`complete`]), and the
//! members of netCDF (`_nczarr_…`) and GDAL (`_CRS`) are left as they are.

mod consolidated;
mod read;
mod write;

use super::json::{Object, list, replace_member};
use super::{Change, Documents, Format, FormatEntry, FormatId, NodeKind, codec_name, draft, grid};
use crate::error::{Context, Error, Result};
use crate::metadata::{
    Attributes, CodecSpec, DataType, Endian, FillValue, KeyEncoding, NodeMetadata, NodePath, cf,
    with_json,
};
use read::{kind, parse_node};
use serde_json::{Map, Value};
use std::sync::Arc;
use write::{code_changed_missing, emit_array, emit_group};

const DOCUMENT: &str = "zarr.json";
const CONSOLIDATED: &str = "consolidated_metadata";
/// The chunk keys of zarrs that end in a suffix.
const SUFFIXED: &str = "zarrs.default_suffix";

/// The format.
pub(super) struct V3;

/// The format's entry in the table.
pub(super) const ENTRY: FormatEntry = FormatEntry {
    id: FormatId::V3,
    root_documents: &[DOCUMENT],
    recognise: |_, document| match draft::version_uri(document) {
        None => Ok(Some(Arc::new(V3))),
        Some(_) => Ok(None),
    },
    new: |_| Arc::new(V3),
    stands_alone: true,
    shown_by_nodes: false,
};

impl Format for V3 {
    fn id(&self) -> FormatId {
        FormatId::V3
    }

    fn documents(&self, path: &NodePath) -> Vec<String> {
        vec![path.prefix() + DOCUMENT]
    }

    fn parse(&self, _: usize, document: &[u8]) -> Result<NodeMetadata> {
        from_text(document, |t| serde_json::from_str(t).map(parse_node)).at(|| DOCUMENT)
    }

    fn kind(&self, _: usize, document: &[u8]) -> Result<NodeKind> {
        let read = |mut node: Object| kind(node.required("node_type")?);
        from_text(document, |t| Object::parse(t).map(read)).at(|| DOCUMENT)
    }

    fn attributes_of(&self, document: &[u8]) -> Result<Attributes> {
        let read = |mut node: Object| node.read("attributes");
        let attributes: Option<Attributes> =
            from_text(document, |t| Object::parse(t).map(read)).at(|| DOCUMENT)?;
        Ok(attributes.unwrap_or_default())
    }

    fn attributes_document(&self, path: &NodePath, _: NodeKind) -> String {
        path.prefix() + DOCUMENT
    }

    fn names_dimensions(&self) -> bool {
        true
    }

    fn missing_value_json(&self, data_type: &DataType, element: &FillValue) -> Result<String> {
        cf::to_json(data_type, element, true)
    }

    fn chunk_keys(&self, separator: Option<char>) -> KeyEncoding {
        KeyEncoding::Default(separator.unwrap_or('/'))
    }

    fn check_new_path(&self, path: &NodePath) -> Result<()> {
        if path.is_root() {
            return Ok(());
        }
        for name in path.as_str().split('/') {
            let why = if name == DOCUMENT {
                "is reserved for a document"
            } else if name.bytes().all(|b| b == b'.') {
                "consists of periods only"
            } else if name.starts_with("__") {
                "begins with \"__\", which is reserved"
            } else {
                continue;
            };
            return Err(Error::invalid(format!("path \"{path}\": {name:?} {why}")));
        }
        Ok(())
    }

    fn emit(&self, path: &NodePath, node: &NodeMetadata) -> Result<Documents> {
        let text = match node {
            NodeMetadata::Group(group) => emit_group(group),
            NodeMetadata::Array(array) => emit_array(array)?,
        };
        Ok(vec![(path.prefix() + DOCUMENT, text)])
    }

    fn change(
        &self,
        path: &NodePath,
        _kind: NodeKind,
        change: Change<'_>,
        old: &mut dyn FnMut(&str) -> Result<Option<Vec<u8>>>,
    ) -> Result<(String, Vec<u8>)> {
        let key = path.prefix() + DOCUMENT;
        let text = old(&key)?.ok_or_else(|| super::vanished(&key))?;
        let changed = match change {
            Change::Attributes(attributes) => code_changed_missing(&text, attributes)
                .and_then(|attributes| replace_member(&text, "attributes", &attributes.to_json())),
            Change::Shape(shape) => reshape(&text, shape),
        };
        Ok((key, changed.at(|| DOCUMENT)?))
    }

    fn consolidated_document(&self, path: &NodePath) -> Option<String> {
        Some(path.prefix() + DOCUMENT)
    }

    fn parse_consolidated(&self, path: &NodePath, document: &[u8]) -> Result<Option<Documents>> {
        let collect = |group: Object| {
            let mut found = Vec::new();
            let any = consolidated::collect(path, group, 0, &mut found)?;
            Ok(any.then_some(found))
        };
        from_text(document, |t| Object::parse(t).map(collect)).at(|| DOCUMENT)
    }

    fn emit_consolidated(
        &self,
        path: &NodePath,
        documents: &[(String, Vec<u8>)],
        old: Option<&[u8]>,
    ) -> Result<Vec<u8>> {
        consolidated::emit(path, documents, old)
    }
}

fn from_text<T>(text: &[u8], parse: impl Fn(&str) -> serde_json::Result<Result<T>>) -> Result<T> {
    with_json(text, parse).map_err(|e| Error::metadata(e.to_string()))?
}

/// Name and configuration of a codec within a codec.
fn named(codec: &Value) -> Option<(&str, Option<&Map<String, Value>>)> {
    match codec {
        Value::String(name) => Some((name, None)),
        other => {
            let configuration = other.get("configuration").and_then(Value::as_object);
            Some((other.get("name")?.as_str()?, configuration))
        }
    }
}

/// The byte order in which the chain stores elements.
pub(super) fn order(codecs: &[CodecSpec]) -> Endian {
    let order = |codec: &CodecSpec| order_of(&codec.name, Some(&codec.configuration));
    codecs.iter().find_map(order).unwrap_or(Endian::Little)
}

/// The byte order of a codec that has one, or of the codecs within it.
fn order_of(name: &str, configuration: Option<&Map<String, Value>>) -> Option<Endian> {
    let member = |name| configuration.and_then(|members| members.get(name));
    match codec_name::id(name) {
        "bytes" => match member("endian") {
            Some(Value::String(endian)) if endian == "big" => Some(Endian::Big),
            _ => Some(Endian::Little),
        },
        "sharding_indexed" => {
            let inner = member("codecs").and_then(Value::as_array).into_iter().flatten();
            let order = inner.filter_map(named).find_map(|(name, inner)| order_of(name, inner));
            Some(order.unwrap_or(Endian::Little))
        }
        _ => None,
    }
}

/// The document of the array with another shape, and a chunk grid that covers it.
fn reshape(text: &[u8], shape: &[u64]) -> Result<Vec<u8>> {
    super::check_reshape(text, shape)?;
    let changed = replace_member(text, "shape", &list(shape))?;
    let grids = from_text(text, |text| {
        Object::parse(text).map(|mut document| {
            let Some(written) = document.read("chunk_grid")? else { return Ok(None) };
            let old = grid::parse(&written, &document.read_required::<Vec<u64>>("shape")?)?;
            Ok(Some((old.resized(shape)?, old)))
        })
    })?;
    match grids {
        Some((new, old)) if new != old => {
            replace_member(&changed, "chunk_grid", &grid::to_json(&new)?)
        }
        _ => Ok(changed),
    }
}

#[cfg(test)]
mod tests;
