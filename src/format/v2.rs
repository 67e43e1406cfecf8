//! Zarr v2: `.zarray`, `.zgroup` and `.zattrs` beside the chunks.
//! <https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html>
//!
//! Members of v2's own become codecs: `order: "F"` becomes a "transpose", the byte order of the
//! type a "bytes" with that endian. Filters and compressor follow under their numcodecs ids: array
//! filters before "bytes", the others after it. For an array of objects, the first filter replaces
//! "bytes".
//!
//! Dimension names are stored as xarray does, in the attribute `_ARRAY_DIMENSIONS`.

use super::json::{Object, document, list, quote, replace_member};
use super::{
    Change, Documents, Format, FormatEntry, FormatId, NodeKind, check, fill, object, separator,
    stages,
};
use crate::error::{Context, Error, Result};
use crate::metadata::{
    ArrayMetadata, Attributes, ChunkGrid, DataType, Endian, FillValue, GroupMetadata, KeyEncoding,
    NodeMetadata, NodePath, bare_numbers, typestr, with_json,
};
use serde_json::Value;
use serde_json::value::RawValue;
use std::sync::Arc;

const ARRAY: &str = ".zarray";
const GROUP: &str = ".zgroup";
const ATTRIBUTES: &str = ".zattrs";
const CONSOLIDATED: &str = ".zmetadata";
const DIMENSIONS: &str = "_ARRAY_DIMENSIONS";

/// The format.
pub(super) struct V2;

/// The format's entry in the table.
pub(super) const ENTRY: FormatEntry = FormatEntry {
    id: FormatId::V2,
    root_documents: &[ARRAY, GROUP, CONSOLIDATED],
    recognise: |_, _| Ok(Some(Arc::new(V2))),
    new: |_| Arc::new(V2),
    stands_alone: true,
    shown_by_nodes: false,
};

impl Format for V2 {
    fn id(&self) -> FormatId {
        FormatId::V2
    }

    fn is_synchronized(&self) -> bool {
        true
    }

    fn documents(&self, path: &NodePath) -> Vec<String> {
        [ARRAY, GROUP].map(|name| path.prefix() + name).into()
    }

    fn parse(&self, which: usize, document: &[u8]) -> Result<NodeMetadata> {
        match self.kind(which, document)? {
            NodeKind::Array => {
                let array = parse_document(document, parse_array).at(|| ARRAY)?;
                Ok(NodeMetadata::Array(Box::new(array)))
            }
            NodeKind::Group => {
                parse_document(document, |mut group| check_version(&mut group)).at(|| GROUP)?;
                Ok(NodeMetadata::Group(GroupMetadata { attributes: None }))
            }
        }
    }

    fn kind(&self, which: usize, _: &[u8]) -> Result<NodeKind> {
        Ok(if which == 0 { NodeKind::Array } else { NodeKind::Group })
    }

    fn attributes_of(&self, document: &[u8]) -> Result<Attributes> {
        Attributes::parse(document)
    }

    fn attributes_document(&self, path: &NodePath, _: NodeKind) -> String {
        path.prefix() + ATTRIBUTES
    }

    fn dimension_names(&self, attributes: &Attributes, rank: usize) -> Option<Vec<Option<String>>> {
        let names: Vec<Option<String>> = serde_json::from_str(attributes.get(DIMENSIONS)?).ok()?;
        (names.len() == rank).then_some(names)
    }

    fn take_dimension_names(
        &self,
        attributes: &mut Attributes,
        rank: usize,
    ) -> Option<Vec<Option<String>>> {
        let names = self.dimension_names(attributes, rank)?;
        attributes.remove(DIMENSIONS);
        Some(names)
    }

    fn names_dimensions(&self) -> bool {
        true
    }

    fn fill_is_missing(&self) -> bool {
        true
    }

    /// Undefined: xarray would treat elements equal to any other value as missing.
    fn default_fill(&self, _: &DataType) -> Option<FillValue> {
        None
    }

    fn chunk_keys(&self, separator: Option<char>) -> KeyEncoding {
        KeyEncoding::V2(separator.unwrap_or('.'))
    }

    fn check_new_path(&self, path: &NodePath) -> Result<()> {
        let reserved = [ARRAY, GROUP, ATTRIBUTES, CONSOLIDATED];
        match path.as_str().split('/').find(|segment| reserved.contains(segment)) {
            None => Ok(()),
            Some(name) => {
                Err(Error::invalid(format!("path \"{path}\": {name:?} is reserved for a document")))
            }
        }
    }

    fn emit(&self, path: &NodePath, node: &NodeMetadata) -> Result<Documents> {
        let prefix = path.prefix();
        let (attributes, name, text) = match node {
            NodeMetadata::Group(group) => {
                let text = document([("zarr_format", "2".into())]);
                (group.attributes.clone().unwrap_or_default(), GROUP, text)
            }
            NodeMetadata::Array(array) => (all_attributes(array)?, ARRAY, emit_array(array)?),
        };
        let mut documents = Vec::new();
        if !attributes.is_empty() {
            documents.push((format!("{prefix}{ATTRIBUTES}"), emit_attributes(&attributes)));
        }
        documents.push((format!("{prefix}{name}"), text));
        Ok(documents)
    }

    fn change(
        &self,
        path: &NodePath,
        _kind: NodeKind,
        change: Change<'_>,
        old: &mut dyn FnMut(&str) -> Result<Option<Vec<u8>>>,
    ) -> Result<(String, Vec<u8>)> {
        match change {
            Change::Attributes(attributes) => {
                Ok((path.prefix() + ATTRIBUTES, emit_attributes(attributes)))
            }
            Change::Shape(shape) => {
                let key = path.prefix() + ARRAY;
                let text = old(&key)?.ok_or_else(|| super::vanished(&key))?;
                super::check_reshape(&text, shape).at(|| ARRAY)?;
                let text = replace_member(&text, "shape", &list(shape)).at(|| ARRAY)?;
                Ok((key, text))
            }
        }
    }

    fn consolidated_document(&self, path: &NodePath) -> Option<String> {
        Some(path.prefix() + CONSOLIDATED)
    }

    fn parse_consolidated(&self, path: &NodePath, document: &[u8]) -> Result<Option<Documents>> {
        parse_document(document, |mut all| {
            let version: u64 = all.read_required("zarr_consolidated_format")?;
            if version != 1 {
                return Err(Error::unsupported(format!("zarr_consolidated_format {version}")));
            }
            let documents: Object = all.read_required("metadata")?;
            let mut found = Vec::new();
            for (key, text) in documents.rest() {
                let (node, name) = key.rsplit_once('/').unwrap_or(("", key));
                let node = super::consolidated_node(path, node, key)?;
                if [ARRAY, GROUP, ATTRIBUTES].contains(&name) {
                    let text = bare_numbers::bare(text).into_owned();
                    found.push((node.prefix() + name, text.into_bytes()));
                }
            }
            Ok(Some(found))
        })
        .at(|| CONSOLIDATED)
    }

    fn emit_consolidated(
        &self,
        path: &NodePath,
        documents: &[(String, Vec<u8>)],
        _old: Option<&[u8]>,
    ) -> Result<Vec<u8>> {
        let mut members = Vec::new();
        for (key, text) in documents {
            let key = key.strip_prefix(&path.prefix()).unwrap_or(key);
            members.push(format!("{}: {}", quote(key), super::compact(text).at(|| key)?));
        }
        let members = format!("{{\n    {}\n  }}", members.join(",\n    "));
        Ok(document([("zarr_consolidated_format", "1".into()), ("metadata", members)]))
    }
}

fn parse_document<T>(text: &[u8], build: impl Fn(Object) -> Result<T>) -> Result<T> {
    with_json(text, |text| Object::parse(text).map(&build))
        .map_err(|e| Error::metadata(e.to_string()))?
}

fn check_version(document: &mut Object) -> Result<()> {
    match document.required("zarr_format")? {
        // webknossos writes a string
        "2" | "\"2\"" => Ok(()),
        other => Err(Error::metadata(format!("zarr_format: expected 2, found {other}"))),
    }
}

/// Unknown members are ignored, as the specification requires.
fn parse_array(mut document: Object) -> Result<ArrayMetadata> {
    check_version(&mut document)?;
    let shape: Vec<u64> = document.read_required("shape")?;
    let chunk_shape: Vec<u64> = document.read_required("chunks")?;
    // Some writers omit members that they do not use.
    let filters: Option<Vec<&RawValue>> = document.read("filters")?.flatten();
    let filters = filters.unwrap_or_default();
    super::check_count(filters.len()).at(|| "filters")?;
    let mut given = Vec::with_capacity(filters.len() + 1);
    for filter in filters {
        given.push(stages::numcodec("filters", filter.get())?);
    }
    let dtype = document.required("dtype")?;
    let (data_type, order) = match object::is_object(dtype) {
        true => (object::data_type(given.first())?, None),
        false => typestr::parse_json(dtype).at(|| "dtype")?,
    };
    let fill = document.required("fill_value")?;
    let stored = order.unwrap_or(Endian::Little);
    let fill_value = fill::parse(&data_type, stored, fill, FormatId::V2.style())?;
    let fill_ambiguous = fill::is_ambiguous(&data_type, fill, FormatId::V2.style());

    let mut codecs = Vec::new();
    let layout = stages::layout("order", document.required("order")?, shape.len())?;
    codecs.extend(layout.filter(|_| !given.first().is_some_and(object::has_own_order)));
    match document.take("compressor")? {
        None | Some("null") => {}
        Some(compressor) => given.push(stages::numcodec("compressor", compressor)?),
    }
    stages::push(given, &data_type, order, &mut codecs)?;

    let between: Option<String> = document.read("dimension_separator")?.flatten();
    let between = separator("dimension_separator", between.as_deref().unwrap_or("."))?;
    let array = ArrayMetadata {
        chunk_grid: ChunkGrid::regular(chunk_shape, shape.len()).at(|| "chunks")?,
        shape,
        data_type,
        fill_value,
        fill_ambiguous,
        chunk_keys: KeyEncoding::V2(between),
        codecs,
        dimension_names: None,
        attributes: None,
    };
    check(&array)?;
    Ok(array)
}

/// The attributes of a new array, including dimension names.
fn all_attributes(array: &ArrayMetadata) -> Result<Attributes> {
    let mut attributes = array.attributes.clone().unwrap_or_default();
    let Some(names) = &array.dimension_names else { return Ok(attributes) };
    let named: Option<Vec<String>> = names.iter().map(|n| n.as_deref().map(quote)).collect();
    match named {
        Some(named) => attributes.set(DIMENSIONS, &list(named))?,
        None if names.iter().all(Option::is_none) => {}
        None => {
            return Err(Error::unsupported(
                "Zarr v2 requires names for all dimensions or for none",
            ));
        }
    }
    Ok(attributes)
}

fn emit_attributes(attributes: &Attributes) -> Vec<u8> {
    document(attributes.iter().map(|(name, value)| (name, value.to_owned())))
}

fn emit_array(array: &ArrayMetadata) -> Result<Vec<u8>> {
    check(array)?;
    let unsupported = |what: &str| Err(Error::unsupported(format!("Zarr v2 has no {what}")));
    let KeyEncoding::V2(separator) = array.chunk_keys else {
        return unsupported("this spelling of chunk keys");
    };
    let mut chain = stages::split(array, FormatId::V2)?;
    let compressor = chain.take_compressor().unwrap_or_default();
    let filters: Vec<Value> = chain.stages.into_iter().map(|(_, stage)| stage).collect();
    let order = chain.order;

    let fill = match &array.fill_value {
        None => "null".into(),
        Some(element) => fill::to_json(&array.data_type, order, element, FormatId::V2.style())?,
    };
    let mut members = vec![
        ("zarr_format", "2".into()),
        ("shape", list(&array.shape)),
        ("chunks", list(array.chunk_grid.regular_shape()?)),
        ("dtype", typestr::to_json(&array.data_type, order).at(|| "Zarr v2")?),
        ("fill_value", fill),
        ("order", quote(chain.memory_order)),
        ("filters", if filters.is_empty() { "null".into() } else { list(filters) }),
        ("compressor", compressor.to_string()),
    ];
    // Readers before zarr-python 2.8 do not know the member.
    if separator != '.' {
        members.push(("dimension_separator", quote(&separator.to_string())));
    }
    Ok(document(members))
}

#[cfg(test)]
mod tests;
