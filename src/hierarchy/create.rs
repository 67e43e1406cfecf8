//! New nodes. Creates missing parent groups; never overwrites an existing document.

use super::consolidated::Changed;
use super::{ArrayNode, Group, Hierarchy};
use crate::error::{Context, Error, Kind, Result};
use crate::format::{self, Documents, Format, FormatId, NodeKind, SharedFormat};
use crate::metadata::{
    ArrayMetadata, Attributes, ChunkGrid, CodecKind, CodecSpec, DataType, Edges, Endian, FillValue,
    GroupMetadata, NodeMetadata, NodePath, cf, codecs, typestr,
};
use crate::store::{Key, Precondition, Version};
use serde_json::{Map, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The specification of a new array; everything but shape and type has a default.
#[derive(Clone, Debug)]
pub struct ArraySpec {
    /// `None`: the parent group's format, else v3.
    pub format: Option<FormatId>,
    /// Extents (elements), slowest dimension first.
    pub shape: Vec<u64>,
    /// The type of its elements.
    pub data_type: DataType,
    /// Byte order of the stored elements; `None`: little-endian.
    pub endian: Option<Endian>,
    /// Shape of a chunk (of an inner chunk if there are shards); `None`: about 1 MiB.
    pub chunk_shape: Option<Vec<u64>>,
    /// For these dimensions, the extent of every chunk (of every shard if there are shards). The
    /// array must lie within them.
    pub chunk_edges: BTreeMap<usize, Vec<u64>>,
    /// Shape of a shard; `None`: no shards.
    pub shard_shape: Option<Vec<u64>>,
    /// The value of elements that were never written.
    pub fill_value: FillSpec,
    /// CF's missing value, one element; also the fill value if none is given.
    pub missing_value: Option<FillValue>,
    /// Codecs in encoding order; `None`: the format's usual compressor. A missing array-to-bytes
    /// codec, and the transposition of order F, are added.
    pub codecs: Option<Vec<CodecSpec>>,
    /// Whether the first dimension varies fastest in stored chunks.
    pub fortran_order: bool,
    /// Separator in chunk keys; `None`: the format's default.
    pub separator: Option<char>,
    /// One name per dimension; each may be missing.
    pub dimension_names: Option<Vec<Option<String>>>,
    /// The user attributes.
    pub attributes: Attributes,
}

/// The fill value of a new array.
#[derive(Clone, Debug, PartialEq)]
pub enum FillSpec {
    /// The format's default: zeros, or undefined, which reads as zeros.
    Usual,
    /// One element in native byte order.
    Element(FillValue),
    /// JSON, spelt as in the format's documents.
    Json(String),
}

/// Target size of chunks.
const CHUNK_BYTES: u64 = 1 << 20;

/// Extent of a chunk along a dimension of extent 0.
const GROWING: u64 = 16 << 10;

/// A chunk of about [`CHUNK_BYTES`]: halves the longest extent until the chunk is small enough, so
/// that chunks are roughly cubes. A dimension of extent 0 will grow: it gets what the others leave,
/// at most [`GROWING`] elements.
fn default_chunk_shape(shape: &[u64], item: usize) -> Vec<u64> {
    let mut chunk: Vec<u64> = shape.iter().map(|&n| n.max(1)).collect();
    let bytes = |chunk: &[u64]| chunk.iter().fold(item as u64, |n, &c| n.saturating_mul(c));
    while bytes(&chunk) > CHUNK_BYTES {
        match chunk.iter_mut().max() {
            Some(longest) if *longest > 1 => *longest = longest.div_ceil(2),
            _ => break, // a single element is larger
        }
    }
    let growing: Vec<usize> = (0..shape.len()).filter(|&d| shape[d] == 0).collect();
    while bytes(&chunk).saturating_mul(2) <= CHUNK_BYTES
        && let Some(&d) = growing.iter().min_by_key(|&&d| chunk[d])
        && chunk[d] < GROWING
    {
        chunk[d] *= 2;
    }
    chunk
}

impl ArraySpec {
    /// An array of that type and shape, with defaults for everything else.
    pub fn new(data_type: DataType, shape: Vec<u64>) -> Self {
        ArraySpec {
            format: None,
            shape,
            data_type,
            endian: None,
            chunk_shape: None,
            chunk_edges: BTreeMap::new(),
            shard_shape: None,
            fill_value: FillSpec::Usual,
            missing_value: None,
            codecs: None,
            fortran_order: false,
            separator: None,
            dimension_names: None,
            attributes: Attributes::default(),
        }
    }

    /// The array-to-bytes codec, if none is named.
    fn to_bytes(&self) -> CodecSpec {
        let endian = self.endian.unwrap_or(Endian::Little);
        let (name, configuration) = match &self.data_type {
            DataType::String => ("vlen-utf8", json!({})),
            DataType::Bytes => ("vlen-bytes", json!({})),
            DataType::Ragged(of) => {
                ("vlen-array", json!({ "dtype": typestr::typestr(of, endian) }))
            }
            DataType::Json => ("json2", json!({})),
            ordered if ordered.has_byte_order() => ("bytes", json!({ "endian": endian.name() })),
            _ => ("bytes", json!({})),
        };
        CodecSpec::new(name, into_map(configuration))
    }

    /// The model of the array in a format.
    pub fn metadata(&self, format: &dyn Format) -> Result<ArrayMetadata> {
        let rank = self.shape.len();
        let item = self.data_type.size();
        let inner = match &self.chunk_shape {
            Some(chunk) => chunk.clone(),
            None => {
                let whole = self.shard_shape.as_ref().unwrap_or(&self.shape);
                let mut chunk = default_chunk_shape(whole, item);
                if let Some(shard) = &self.shard_shape {
                    // inner chunks divide their shard
                    for (c, &s) in chunk.iter_mut().zip(shard) {
                        *c = (1..=*c).rev().find(|n| s % n == 0).unwrap_or(1);
                    }
                }
                chunk
            }
        };
        let outer = self.shard_shape.clone().unwrap_or_else(|| inner.clone());
        let given = match &self.codecs {
            Some(codecs) => codecs.clone(),
            None => vec![CodecSpec::new(format.usual_compressor(), Map::new())],
        };
        let mut chain = Vec::new();
        let transposed = given.iter().any(|c| c.name == "transpose");
        if self.fortran_order && rank > 1 && !transposed {
            let order: Vec<usize> = (0..rank).rev().collect();
            let configuration = json!({ "order": order });
            chain.push(CodecSpec::new("transpose", into_map(configuration)));
        }
        // array-to-array codecs go before the array-to-bytes codec, the rest behind it
        let kinds: Vec<_> = given.iter().map(|c| codecs::kind(&c.name)).collect();
        let arrays = kinds.iter().take_while(|&&k| k == Some(CodecKind::ArrayToArray)).count();
        chain.extend_from_slice(&given[..arrays]);
        if !kinds.contains(&Some(CodecKind::ArrayToBytes)) {
            chain.push(self.to_bytes());
        }
        chain.extend_from_slice(&given[arrays..]);
        if self.shard_shape.is_some() {
            chain = vec![sharded(&inner, &chain, format.shard_index_codecs())];
        }
        let fill_value = match (&self.fill_value, &self.missing_value) {
            (FillSpec::Usual, None) => format.default_fill(&self.data_type),
            (FillSpec::Usual, Some(missing)) => Some(missing.clone()),
            (FillSpec::Element(element), _) => Some(element.clone()),
            (FillSpec::Json(json), _) => {
                format::parse_fill_json(&self.data_type, self.endian, json, format.id())?
            }
        };
        let mut attributes = self.attributes.clone();
        if let Some(missing) = &self.missing_value {
            check_missing(format, fill_value.as_ref(), missing)?;
            let json = format.missing_value_json(&self.data_type, missing)?;
            attributes.set(cf::MISSING, &json)?;
        }
        Ok(ArrayMetadata {
            shape: self.shape.clone(),
            data_type: self.data_type.clone(),
            fill_value,
            fill_ambiguous: false,
            chunk_grid: self.chunk_grid(outer)?,
            chunk_keys: format.chunk_keys(self.separator),
            codecs: chain,
            dimension_names: self.dimension_names.clone(),
            attributes: Some(attributes),
        })
    }
}

impl ArraySpec {
    fn chunk_grid(&self, chunk_shape: Vec<u64>) -> Result<ChunkGrid> {
        if self.chunk_edges.is_empty() {
            return ChunkGrid::regular(chunk_shape, self.shape.len());
        }
        let edges = chunk_shape.iter().enumerate().map(|(d, &every)| {
            let listed = self.chunk_edges.get(&d).map(|edges| {
                let edges = edges.iter().map(|&edge| (edge, 1));
                Edges::listed(edges).at(|| format!("dimension {d}"))
            });
            listed.unwrap_or(Ok(Edges::Every(every)))
        });
        ChunkGrid::rectilinear(edges.collect::<Result<_>>()?, &self.shape)
    }
}

/// Refuses a missing value that xarray would not see, because it treats the fill value as missing.
pub(super) fn check_missing(
    format: &dyn Format,
    fill: Option<&FillValue>,
    missing: &FillValue,
) -> Result<()> {
    match fill.filter(|fill| format.fill_is_missing() && *fill != missing) {
        None => Ok(()),
        Some(_) => Err(Error::invalid(format!(
            "the missing value differs from the fill value, which readers of {} treat as missing: \
             create the array with equal ones, or without a fill value",
            format.name()
        ))),
    }
}

fn into_map(value: serde_json::Value) -> Map<String, serde_json::Value> {
    match value {
        serde_json::Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// Wraps the chain of the inner chunks into the sharding codec.
fn sharded(inner: &[u64], chain: &[CodecSpec], index: &[&str]) -> CodecSpec {
    let codecs: Vec<_> =
        chain.iter().map(|c| json!({ "name": c.name, "configuration": c.configuration })).collect();
    CodecSpec::new(
        "sharding_indexed",
        into_map(json!({
            "chunk_shape": inner,
            "codecs": codecs,
            "index_codecs": index,
            "index_location": "end",
        })),
    )
}

impl Hierarchy {
    /// The format of a new node: the requested one, else that of the nearest parent group, else the
    /// store's, else v3.
    pub fn format_for(&self, path: &NodePath, asked: Option<FormatId>) -> Result<SharedFormat> {
        if let Some(id) = asked.or(self.root().wanted) {
            return self.format_of(id);
        }
        let root = self.new_root()?;
        let mut above = path.parent().filter(|_| !root.is_exclusive());
        while let Some(ancestor) = above {
            if let Some(id) = self.known_group(&ancestor) {
                return self.format_of(id);
            }
            if let Some(located) = self.locate_in_root(&root, &ancestor)? {
                return Ok(located.format);
            }
            above = ancestor.parent();
        }
        match root.format {
            Some(format) => Ok(format),
            None => self.format_in(&root, FormatId::V3),
        }
    }

    fn known_group(&self, path: &NodePath) -> Option<FormatId> {
        self.known_groups.read().get(path).copied()
    }

    pub(super) fn remember_group(&self, path: &NodePath, format: FormatId) {
        let mut known = self.known_groups.write();
        known.insert(path.clone(), format);
    }

    /// Ensures that every ancestor of `path` is a group of `format`, from the root down.
    fn create_ancestors(&self, format: &SharedFormat, path: &NodePath) -> Result<()> {
        let is_empty = self.is_empty.swap(false, Ordering::Relaxed);
        let mut missing = Vec::new();
        let mut above = path.parent();
        while let Some(ancestor) = above {
            if self.known_group(&ancestor) == Some(format.id()) {
                break;
            }
            let stored = if is_empty { None } else { self.stored_node(format, &ancestor)? };
            match stored {
                Some(located) => match located.kind()? {
                    NodeKind::Group => {
                        self.remember_group(&ancestor, format.id());
                        break;
                    }
                    NodeKind::Array => {
                        return Err(nodes_below_array(&ancestor));
                    }
                },
                None => {
                    if !is_empty {
                        self.refuse_other_format(format, path, &ancestor)?;
                    }
                    missing.push(ancestor.clone());
                }
            }
            above = ancestor.parent();
        }
        for group in missing.iter().rev() {
            if !format.ancestors_need_documents() {
                self.remember_group(group, format.id());
                continue;
            }
            let node = NodeMetadata::Group(GroupMetadata { attributes: Some(Default::default()) });
            match self.write_documents(format, group, NodeKind::Group, format.emit(group, &node)?) {
                // another writer created it meanwhile
                Err(e) if e.kind() == Kind::AlreadyExists => {
                    if let Some(located) = self.stored_node(format, group)?
                        && located.kind()? == NodeKind::Array
                    {
                        return Err(nodes_below_array(group));
                    }
                }
                result => result?,
            }
            self.remember_group(group, format.id());
        }
        Ok(())
    }

    /// Refuses a node of `format` below a group of another format only: readers of that group would
    /// not see it.
    fn refuse_other_format(
        &self,
        format: &SharedFormat,
        path: &NodePath,
        group: &NodePath,
    ) -> Result<()> {
        let root = self.root();
        let others = root.formats.iter().filter(|f| root.format.is_some() && f.id() != format.id());
        for other in others {
            if self.stored_node(other, group)?.is_some() {
                return Err(Error::invalid(format!(
                    "{group} is {}: {path} below it cannot be {}",
                    other.name(),
                    format.name()
                )));
            }
        }
        Ok(())
    }

    /// Writes what a store of `format` holds besides its nodes, unless it exists or is among
    /// `documents`.
    fn write_entry(&self, format: &SharedFormat, documents: &Documents) -> Result<()> {
        if let Some((key, document)) = format.entry_document()
            && self.known_group(&NodePath::root()) != Some(format.id())
            && documents.iter().all(|(other, _)| *other != key)
        {
            match self.set_new(&Key::trusted(key), &document) {
                Err(e) if e.kind() == Kind::Conflict => {}
                result => drop(result?),
            }
        }
        if self.root().format.is_none() {
            self.remember_root(format.clone());
        }
        Ok(())
    }

    /// Writes documents, the last one only if it does not exist.
    fn write_documents(
        &self,
        format: &SharedFormat,
        path: &NodePath,
        kind: NodeKind,
        documents: Documents,
    ) -> Result<()> {
        self.check_synchronized(format)?;
        let last = documents.len().saturating_sub(1);
        for (n, (key, document)) in documents.iter().enumerate() {
            let name = Key::trusted(key.clone());
            let set = match n == last {
                true => self.set_new(&name, document),
                false => self.store.set_known(&name, &[document], &Precondition::None),
            };
            let version = set.map_err(|e| match e.kind() {
                Kind::Conflict => already_exists(&self.place(path)),
                _ => e,
            })?;
            if let Some(version) = version
                && kind == NodeKind::Group
                && format.consolidated_document(path).as_ref() == Some(key)
            {
                self.holds_consolidated(&**format, path, key, document, version);
            }
        }
        let written = Changed::Written(&documents);
        self.documents_changed(&**format, path, NodeKind::Array, written)
    }

    /// Creates a document that must not exist; returns its version if it is known. Checks first in
    /// stores without conditional writes.
    fn set_new(&self, key: &Key, document: &[u8]) -> Result<Option<Version>> {
        match self.store.set_known(key, &[document], &Precondition::Absent) {
            Err(e) if e.kind() == Kind::Unsupported => match self.store.version(key)? {
                Some(_) => Err(e.with_kind(Kind::Conflict)),
                None => self.store.set_known(key, &[document], &Precondition::None),
            },
            result => result,
        }
    }

    /// Prepares the place of a node whose documents are given: what a store of its format holds
    /// besides nodes, and the parent groups.
    pub fn prepare_target(&self, format: &SharedFormat, path: &NodePath) -> Result<()> {
        self.is_empty.store(false, Ordering::Relaxed);
        self.write_entry(format, &Vec::new())?;
        self.create_ancestors(format, path)
    }

    /// Fails if something exists at a path, except the document that is about to be created if
    /// absent.
    fn check_new(&self, format: &SharedFormat, path: &NodePath, kind: NodeKind) -> Result<()> {
        if self.store.read_only() {
            return Err(crate::store::refuse_change(&*self.store));
        }
        format.check_new_path(path)?;
        self.check_consolidated(&**format, path, kind)?;
        if self.is_empty.load(Ordering::Relaxed) {
            return Ok(());
        }
        let below = path.prefix();
        let mut anything = false;
        let others = format.node_prefixes(path).into_iter().filter(|prefix| *prefix != below);
        for prefix in others.chain([below.clone()]) {
            anything |= self.store.has_prefix(&prefix)?;
            if anything {
                break;
            }
        }
        // documents of two formats in one place would be two nodes, one hiding the other
        let root = self.root();
        for any in root.formats.iter().chain([format]) {
            let mut documents = any.documents(path).into_iter();
            if (anything || !documents.all(|key| key.starts_with(&below)))
                && let Some(located) = self.stored_node(any, path)?
                && (root.format.is_some() || any.speaks_for_itself(&located.document))
            {
                return Err(already_exists(&self.place(path)));
            }
        }
        // a group may replace an implicit one, an array may not
        let implied = anything && kind == NodeKind::Array && self.implies_group(format, path)?;
        if implied { Err(already_exists(&self.place(path))) } else { Ok(()) }
    }

    /// Whether nodes below `path` make it an implicit group.
    fn implies_group(&self, format: &SharedFormat, path: &NodePath) -> Result<bool> {
        let root = self.new_root()?;
        if root.format.is_none() && !root.formats.iter().any(|f| f.id() == format.id()) {
            return Ok(false); // the first of its format in this store
        }
        Ok(self.node_below(&root, path)?.is_some())
    }

    /// Creates a group, and missing parent groups. [`Kind::AlreadyExists`]: there is a node at
    /// `path`.
    pub fn create_group(
        self: &Arc<Self>,
        path: &NodePath,
        asked: Option<FormatId>,
    ) -> Result<Group> {
        self.create_group_with(path, asked, Attributes::default())
    }

    /// The same with attributes, so that no reader sees the group without them.
    pub fn create_group_with(
        self: &Arc<Self>,
        path: &NodePath,
        asked: Option<FormatId>,
        attributes: Attributes,
    ) -> Result<Group> {
        let node = NodeMetadata::Group(GroupMetadata { attributes: Some(attributes) });
        let create = || {
            self.is_empty.store(false, Ordering::Relaxed);
            let format = self.format_for(path, asked)?;
            self.check_new(&format, path, NodeKind::Group)?;
            let documents = format.emit(path, &node)?;
            self.write_entry(&format, &documents)?;
            self.create_ancestors(&format, path)?;
            self.write_documents(&format, path, NodeKind::Group, documents)?;
            self.remember_group(path, format.id());
            Ok(())
        };
        create().at(|| format!("creating group {}", self.place(path)))?;
        self.open_group(path)
    }

    /// Refuses an invalid specification.
    pub(super) fn check_spec(self: &Arc<Self>, path: &NodePath, spec: &ArraySpec) -> Result<()> {
        let check = || {
            let format = self.format_for(path, spec.format)?;
            let metadata = spec.metadata(&*format).map_err(Error::caller_caused)?;
            let node = NodeMetadata::Array(Box::new(metadata));
            let documents = format.emit(path, &node).map_err(Error::caller_caused)?;
            let document = documents.last().map_or(&[][..], |(_, document)| document);
            if let NodeMetadata::Array(metadata) = format.parse(0, document)? {
                self.array_node(format.clone(), path, *metadata).map_err(Error::caller_caused)?;
            }
            format.check_new_path(path)
        };
        check().at(|| format!("creating array {}", self.place(path)))
    }

    /// Creates an array, and missing parent groups. [`Kind::AlreadyExists`]: there is a node at
    /// `path`.
    pub fn create_array(self: &Arc<Self>, path: &NodePath, spec: &ArraySpec) -> Result<ArrayNode> {
        let create = || {
            self.is_empty.store(false, Ordering::Relaxed);
            let format = self.format_for(path, spec.format)?;
            // errors of the metadata are errors of the caller's specification
            let metadata = spec.metadata(&*format).map_err(Error::caller_caused)?;
            let node = NodeMetadata::Array(Box::new(metadata));
            let documents = format.emit(path, &node).map_err(Error::caller_caused)?;
            self.write_array(format, path, documents).map_err(Error::caller_caused)
        };
        create().at(|| format!("creating array {}", self.place(path)))
    }

    /// Creates an array from its metadata document, stored unchanged. [`Kind::AlreadyExists`]:
    /// there is a node at `path`.
    pub fn create_array_from_document(
        self: &Arc<Self>,
        path: &NodePath,
        id: FormatId,
        document: &[u8],
    ) -> Result<ArrayNode> {
        let create = || {
            self.is_empty.store(false, Ordering::Relaxed);
            let format = self.format_of(id)?;
            format.check_new_path(path)?;
            let documents = format.documents(path).into_iter().take(1);
            self.write_array(format, path, documents.map(|key| (key, document.to_vec())).collect())
        };
        create().at(|| format!("creating array {}", self.place(path)))
    }

    /// Writes the documents of a new array, that of its metadata last. Does not create what could
    /// not be opened.
    fn write_array(
        self: &Arc<Self>,
        format: SharedFormat,
        path: &NodePath,
        documents: Documents,
    ) -> Result<ArrayNode> {
        self.check_new(&format, path, NodeKind::Array)?;
        let document = documents.last().map_or(&[][..], |(_, document)| document);
        let NodeMetadata::Array(metadata) = format.parse(0, document)? else {
            return Err(Error::invalid("the document describes a group"));
        };
        let array = self.array_node(format.clone(), path, *metadata)?;
        self.write_entry(&format, &documents)?;
        self.create_ancestors(&format, path)?;
        self.write_documents(&format, path, NodeKind::Array, documents)?;
        Ok(array)
    }
}

fn nodes_below_array(array: &NodePath) -> Error {
    Error::invalid(format!("{array} is an array: it cannot have nodes below it"))
}

fn already_exists(place: &str) -> Error {
    Error::new(Kind::AlreadyExists, format!("there is already a node at {place}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_chunks_are_about_a_mebibyte() {
        assert_eq!(default_chunk_shape(&[], 8), [0u64; 0]);
        assert_eq!(default_chunk_shape(&[0, 5], 8), [16_384, 5]);
        assert_eq!(default_chunk_shape(&[0], 4), [16_384]);
        assert_eq!(default_chunk_shape(&[0, 90, 180], 4), [16, 90, 180]);
        assert_eq!(default_chunk_shape(&[0, 0, 0], 4), [64, 64, 64]);
        assert_eq!(default_chunk_shape(&[0, 2048, 2048], 4), [1, 512, 512]);
        assert_eq!(default_chunk_shape(&[0, 3], 0), [16_384, 3]);
        assert_eq!(default_chunk_shape(&[512, 512, 512], 4), [64, 64, 64]);
        assert_eq!(default_chunk_shape(&[10, 1_000_000], 4), [10, 15_625]);
        assert_eq!(default_chunk_shape(&[u64::MAX], 4), [1 << 18]);
        assert_eq!(default_chunk_shape(&[3], 4 << 20), [1]);
    }
}
