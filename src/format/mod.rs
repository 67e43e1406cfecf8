//! The on-disk formats: parse documents into the neutral model and write them back. No format does
//! I/O.

mod codec_name;
mod draft;
mod grid;
mod n5;
mod object;
mod stages;
mod v1;
mod v2;
mod v3;
mod v3_2019;
mod v3_2020;
mod v3_2022;

use crate::error::{Error, Result};
use crate::metadata::{
    ArrayMetadata, Attributes, ChunkGrid, DataType, Endian, FillValue, KeyEncoding, NodeMetadata,
    NodePath, cf, fill, json, type_name, typestr,
};
use std::sync::Arc;

/// The formats; the numbers are those of `zarrc_format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FormatId {
    V1 = 1,
    V2 = 2,
    V3 = 3,
    N5 = 4,
    V3Draft2019 = 5,
    V3Draft2020 = 6,
    V3Draft2022 = 7,
}

impl FormatId {
    const ALL: [FormatId; 7] = [
        FormatId::V1,
        FormatId::V2,
        FormatId::V3,
        FormatId::N5,
        FormatId::V3Draft2019,
        FormatId::V3Draft2020,
        FormatId::V3Draft2022,
    ];

    /// How documents of this format spell elements.
    fn style(self) -> fill::Style {
        use FormatId::*;
        match self {
            V3 => fill::Style::V3,
            V3Draft2020 | V3Draft2022 => fill::Style::DRAFT,
            _ => fill::Style::V2,
        }
    }

    /// The format of a `zarrc_format`; `None` for 0, which leaves the format open.
    pub fn from_number(number: i32) -> Result<Option<FormatId>> {
        match Self::ALL.into_iter().find(|id| id.number() == number) {
            None if number != 0 => {
                Err(Error::invalid(format!("format {number}: expected a ZARRC_FORMAT_ constant")))
            }
            found => Ok(found),
        }
    }

    /// The number in `zarrc_format`.
    pub fn number(self) -> i32 {
        self as i32
    }

    /// Whether nodes of this format may share a store with nodes of other such formats: their
    /// document names differ, and lie beside the chunks.
    pub fn shares_stores(self) -> bool {
        matches!(self, FormatId::V2 | FormatId::V3)
    }

    /// The name in messages.
    pub fn name(self) -> &'static str {
        match self {
            FormatId::V1 => "Zarr v1",
            FormatId::V2 => "Zarr v2",
            FormatId::V3 => "Zarr v3",
            FormatId::N5 => "N5",
            FormatId::V3Draft2019 => "Zarr v3 (draft of 2019)",
            FormatId::V3Draft2020 => "Zarr v3 (draft of 2020)",
            FormatId::V3Draft2022 => "Zarr v3 (draft of 2022)",
        }
    }
}

/// Keys and their documents.
pub type Documents = Vec<(String, Vec<u8>)>;

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A group.
    Group,
    /// An array.
    Array,
}

/// What a key or prefix in a listing means, judged by its name alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing<'a> {
    /// The document of a child: the child's name and kind.
    Node(&'a str, NodeKind),
    /// A possible child: only its documents can tell.
    Look(&'a str),
    /// An implicit group, if anything lies below it.
    Implied(&'a str),
    /// Not a child.
    Nothing,
}

/// Which groups exist without a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImplicitGroups {
    /// None.
    Never,
    /// Every ancestor of a node.
    AboveNodes,
    /// Every ancestor of a node, and the root in any case.
    AboveNodesAndRoot,
    /// Every prefix with any key below it, except within arrays.
    EveryPrefix,
}

/// The caller's options for reading documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Whether to read an unknown data type as the fallback type that its document names.
    pub data_type_fallback: bool,
    /// Whether to read v1 arrays of order F as zarr 1.x wrote them, contrary to the specification:
    /// only chunks compressed by blosc are in that order.
    pub v1_writer_order: bool,
    /// Whether to present packed numbers as the floats that CF's attributes define.
    pub mask_and_scale: bool,
}

/// A change to an existing node.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// Replaces its attributes.
    Attributes(&'a Attributes),
    /// Resizes the array to this shape; the rank must not change.
    Shape(&'a [u64]),
}

/// One on-disk format, as used by one store. Keys are relative to the root of the store.
pub trait Format: Send + Sync {
    /// The format's id.
    fn id(&self) -> FormatId;

    /// The name in messages: "Zarr v2".
    fn name(&self) -> &'static str {
        self.id().name()
    }

    /// Whether zarr-python 2 writers lock keys of this format with a synchronizer.
    fn is_synchronized(&self) -> bool {
        false
    }

    /// The keys of the documents that define the node at `path`, that of an array first. Empty: the
    /// path cannot hold a node.
    fn documents(&self, path: &NodePath) -> Vec<String>;

    /// Parses the node's document, number `which` of [`Self::documents`]: the first that exists.
    fn parse(&self, which: usize, document: &[u8]) -> Result<NodeMetadata>;

    /// Only the node's kind, which is known even if the node cannot be opened.
    fn kind(&self, which: usize, document: &[u8]) -> Result<NodeKind>;

    /// Whether the document alone shows that its node is of this format, without the root of the
    /// store.
    fn speaks_for_itself(&self, _document: &[u8]) -> bool {
        true
    }

    /// The attributes in the document that contains them.
    fn attributes_of(&self, document: &[u8]) -> Result<Attributes>;

    /// The key of the document that contains the attributes of a node. If it is one of
    /// [`Self::documents`], [`Self::parse`] also reads the attributes.
    fn attributes_document(&self, path: &NodePath, kind: NodeKind) -> String;

    /// The dimension names, if the format stores them among the attributes. They remain attributes
    /// too.
    fn dimension_names(
        &self,
        _attributes: &Attributes,
        _rank: usize,
    ) -> Option<Vec<Option<String>>> {
        None
    }

    /// The same, and removes the attributes that contain nothing but those names.
    fn take_dimension_names(
        &self,
        attributes: &mut Attributes,
        rank: usize,
    ) -> Option<Vec<Option<String>>> {
        self.dimension_names(attributes, rank)
    }

    /// Whether dimensions have names, which xarray and netCDF require.
    fn names_dimensions(&self) -> bool {
        false
    }

    /// Whether xarray treats the fill value as missing.
    fn fill_is_missing(&self) -> bool {
        false
    }

    /// The default fill value of a new array; `None`: undefined.
    fn default_fill(&self, data_type: &DataType) -> Option<FillValue> {
        Some(data_type.zero())
    }

    /// The value that CF readers treat as missing.
    fn missing_value(&self, array: &ArrayMetadata, attributes: &Attributes) -> Option<FillValue> {
        let named = || cf::from_json(&array.data_type, attributes.get(cf::MISSING)?);
        array.fill_value.clone().filter(|_| self.fill_is_missing()).or_else(named)
    }

    /// CF's attribute for a missing value.
    /// [`Kind::TypeMismatch`](crate::error::Kind::TypeMismatch): the type has none.
    fn missing_value_json(&self, data_type: &DataType, element: &FillValue) -> Result<String> {
        cf::to_json(data_type, element, false)
    }

    /// The chunk key encoding of a new array; `separator` is `.` or `/`, `None` for the default.
    fn chunk_keys(&self, separator: Option<char>) -> KeyEncoding;

    /// The default compressor of a new array.
    fn usual_compressor(&self) -> &'static str {
        "zstd"
    }

    /// The codecs of the index of new shards, by their names in v3.
    fn shard_index_codecs(&self) -> &'static [&'static str] {
        &["bytes", "crc32c"]
    }

    /// The common prefix of the chunk keys of the array at `path`.
    fn chunk_prefix(&self, path: &NodePath) -> String {
        path.prefix()
    }

    /// Checks whether a new node may have that path; if not, returns
    /// [`Kind::InvalidArgument`](crate::error::Kind::InvalidArgument) with the reason.
    fn check_new_path(&self, path: &NodePath) -> Result<()>;

    /// A document that the store needs besides those of its nodes: key and document. If absent, it
    /// is written before the first node.
    fn entry_document(&self) -> Option<(String, Vec<u8>)> {
        None
    }

    /// Whether all ancestor groups of a node must have documents.
    fn ancestors_need_documents(&self) -> bool {
        true
    }

    /// The keys and documents of a new node, with everything in the model, in the order of writing:
    /// the one that makes the node exist comes last.
    /// [`Kind::Unsupported`](crate::error::Kind::Unsupported): the format cannot express the node;
    /// the message tells why.
    fn emit(&self, path: &NodePath, node: &NodeMetadata) -> Result<Documents>;

    /// The key of the document that a change affects, and its new content. `kind` is the node's;
    /// `old` returns the current document of a key. All other members stay as they are, known or
    /// not.
    fn change(
        &self,
        path: &NodePath,
        kind: NodeKind,
        change: Change<'_>,
        old: &mut dyn FnMut(&str) -> Result<Option<Vec<u8>>>,
    ) -> Result<(String, Vec<u8>)>;

    /// The prefix of the keys of a node's children.
    fn children_prefix(&self, path: &NodePath) -> String {
        path.prefix()
    }

    /// What a key directly below [`Self::children_prefix`] means or, if `prefix`, a prefix (without
    /// its trailing slash).
    fn listed<'a>(&self, name: &'a str, prefix: bool) -> Listing<'a> {
        if prefix { Listing::Look(name) } else { Listing::Nothing }
    }

    /// Which groups exist without a document.
    fn implicit_groups(&self) -> ImplicitGroups {
        ImplicitGroups::AboveNodes
    }

    /// The prefixes below which every key belongs to the node at `path` or to nodes below it.
    fn node_prefixes(&self, path: &NodePath) -> Vec<String> {
        vec![path.prefix()]
    }

    /// The key of the document that may contain consolidated metadata of the hierarchy below
    /// `path`. `None`: the format has none.
    fn consolidated_document(&self, _path: &NodePath) -> Option<String> {
        None
    }

    /// The documents in a consolidated document, by their keys in the store, for the hierarchy
    /// below `path`. `None`: it contains none. Fails if a key leaves `path`.
    fn parse_consolidated(&self, _path: &NodePath, _document: &[u8]) -> Result<Option<Documents>> {
        Ok(None)
    }

    /// The consolidated document for the documents below `path`, each with its key. `old` is the
    /// current content of [`Self::consolidated_document`].
    fn emit_consolidated(
        &self,
        _path: &NodePath,
        _documents: &[(String, Vec<u8>)],
        _old: Option<&[u8]>,
    ) -> Result<Vec<u8>> {
        Err(Error::unsupported(format!("{} has no consolidated metadata", self.name())))
    }
}

/// A format, shared by the nodes of a store.
pub type SharedFormat = Arc<dyn Format>;

/// A format's entry in the table: how to recognise its stores.
pub struct FormatEntry {
    /// The format's id.
    pub id: FormatId,
    /// The root keys that may identify a store of this format.
    pub root_documents: &'static [&'static str],
    /// The format according to the document at one of those keys; `None`: another format.
    pub recognise: fn(&Reading, &[u8]) -> Result<Option<SharedFormat>>,
    /// The format of a new store.
    pub new: fn(&Reading) -> SharedFormat,
    /// Whether a node's own documents identify its format, wherever the node lies.
    pub stands_alone: bool,
    /// Whether nodes below identify the format if no root document does.
    pub shown_by_nodes: bool,
}

/// All formats, in the order in which they are tried on a store.
pub static FORMATS: &[FormatEntry] =
    &[v3::ENTRY, v3_2020::ENTRY, v3_2022::ENTRY, v2::ENTRY, v1::ENTRY, v3_2019::ENTRY, n5::ENTRY];

/// The format with that id, for a new store.
pub fn by_id(id: FormatId, reading: &Reading) -> Result<SharedFormat> {
    FORMATS
        .iter()
        .find(|f| f.id == id)
        .map(|f| (f.new)(reading))
        .ok_or_else(|| Error::unsupported(format!("{} is not in this build", id.name())))
}

/// Parses a data type in any spelling: a v3 name ("float32"), a NumPy type string ("|S12", ">f8",
/// "f8"), the JSON of a v2 or v3 document (a list of fields, an object, a quoted string), or for
/// variable length "vlen-utf8", "vlen-bytes", "json" and "vlen-array:" with the type string of the
/// items. Also returns the byte order, if the text contains one.
pub fn parse_data_type(text: &str) -> Result<(DataType, Option<Endian>)> {
    let text = text.trim();
    match text.as_bytes().first() {
        Some(b'[') => typestr::parse_json(text),
        Some(b'{') => Ok((type_name::parse(text)?, None)),
        Some(b'"') => parse_plain(&json::read::<String>("data type", text)?),
        _ => parse_plain(text),
    }
}

fn parse_plain(text: &str) -> Result<(DataType, Option<Endian>)> {
    match type_name::parse_name(text) {
        Some(known) => Ok((known?, None)),
        None => object::parse_name(text).unwrap_or_else(|| {
            // of names, only NumPy's types with a unit are type strings
            typestr::parse(text).map_err(|e| match typestr::is_name(text) {
                true => {
                    Error::invalid(format!("{text:?} is not a data type{}", type_name::hint(text)))
                }
                false => e,
            })
        }),
    }
}

/// Parses a fill value as in a document of `format`; `None` for null. `order` is the byte order of
/// stored elements, `None` for the default.
pub fn parse_fill_json(
    data_type: &DataType,
    order: Option<Endian>,
    json: &str,
    format: FormatId,
) -> Result<Option<fill::FillValue>> {
    crate::metadata::with_json(json.as_bytes(), |text| {
        let value: &serde_json::value::RawValue = serde_json::from_str(text)?;
        Ok(fill::parse(data_type, order.unwrap_or(Endian::Little), value.get(), format.style()))
    })
    .map_err(|e| Error::metadata(format!("fill value: {e}")))?
}

/// The array's type as text for [`parse_data_type`], with the stored byte order.
pub fn data_type_text(array: &ArrayMetadata) -> Result<String> {
    use DataType::*;
    let order = v3::order(&array.codecs);
    let t = &array.data_type;
    Ok(match t {
        Json => "json".into(),
        Ragged(of) => match typestr::typestr(of, Endian::Little) {
            Some(item) => format!("vlen-array:{item}"),
            None => return Err(Error::unsupported(format!("no text expresses {}", t.name()))),
        },
        Struct(_) => typestr::to_json(t, order).or_else(|_| type_name::to_json(t))?,
        String | Bytes => t.name(),
        parameterised if type_name::parse_name(&t.name()).is_none() => {
            typestr::typestr(parameterised, order).unwrap_or_else(|| t.name())
        }
        plain if order == Endian::Big && plain.has_byte_order() => {
            typestr::typestr(plain, order).unwrap_or_else(|| t.name())
        }
        plain => plain.name(),
    })
}

/// The fill value of an array as in a document of `format`; null if undefined.
pub fn fill_json(array: &ArrayMetadata, format: FormatId) -> Result<String> {
    match &array.fill_value {
        None => Ok("null".into()),
        Some(element) => {
            fill::to_json(&array.data_type, v3::order(&array.codecs), element, format.style())
        }
    }
}

/// The codecs of an array in one spelling, whatever its format: equal for two arrays whose chunks
/// are encoded alike.
pub fn codecs_spelt_alike(array: &ArrayMetadata) -> Result<serde_json::Value> {
    let format = by_id(FormatId::V3, &Reading::default())?;
    let plain = ArrayMetadata {
        fill_value: Some(array.fill_element()),
        chunk_grid: ChunkGrid::Regular(array.chunk_grid.largest_shape().into_owned()),
        chunk_keys: format.chunk_keys(None),
        dimension_names: None,
        attributes: Some(Attributes::default()),
        ..array.clone()
    };
    let node = NodeMetadata::Array(Box::new(plain));
    let Ok(documents) = format.emit(&NodePath::root(), &node) else {
        // codecs without a v3 name stay as written
        let codecs = array.codecs.iter();
        return Ok(codecs.map(|c| serde_json::json!([c.name, c.configuration])).collect());
    };
    let document = documents.last().map(|(_, text)| text.as_slice()).unwrap_or_default();
    let document: serde_json::Value = crate::metadata::from_json(document)
        .map_err(|e| Error::metadata(format!("a document of ours: {e}")))?;
    Ok(document["codecs"].clone())
}

/// The most dimensions; NumPy's limit is 64.
const MAX_RANK: usize = 255;

/// Fails if there are too many dimensions.
pub fn check_dimensions(rank: usize) -> Result<()> {
    if rank <= MAX_RANK {
        return Ok(());
    }
    let text = format!("{rank} dimensions: at most {MAX_RANK} are supported");
    Err(Error::new(crate::error::Kind::LimitExceeded, text))
}

/// The most codecs: each takes far more memory than its text.
const MAX_CODECS: usize = 1024;

/// Fails if there are too many codecs; checked before they are parsed.
fn check_count(codecs: usize) -> Result<()> {
    if codecs <= MAX_CODECS {
        return Ok(());
    }
    let text = format!("{codecs} codecs: at most {MAX_CODECS} are supported");
    Err(Error::new(crate::error::Kind::LimitExceeded, text))
}

/// Checks the rules common to all formats.
fn check(array: &ArrayMetadata) -> Result<()> {
    let rank = array.shape.len();
    let lengths = [
        ("the chunk shape", array.chunk_grid.rank()),
        ("dimension_names", array.dimension_names.as_ref().map_or(rank, Vec::len)),
    ];
    for (what, length) in lengths {
        if length != rank {
            return Err(Error::metadata(format!(
                "{what} has length {length}: expected {rank}, the \
                rank"
            )));
        }
    }
    check_dimensions(rank)?;
    if array.data_type.size() == 0 {
        return Err(Error::unsupported("data type: elements without bytes are not supported"));
    }
    Ok(())
}

/// The separator of chunk keys.
fn separator(member: &str, text: &str) -> Result<char> {
    match text {
        "." => Ok('.'),
        "/" => Ok('/'),
        _ => Err(Error::metadata(format!("{member}: expected \".\" or \"/\", found {text:?}"))),
    }
}

/// The error if a document that a change needs does not exist any more.
fn vanished(key: &str) -> Error {
    Error::new(crate::error::Kind::NotFound, format!("document {key:?} no longer exists"))
}

/// The path of the node that a consolidated document names, which must lie below `path`.
fn consolidated_node(path: &NodePath, relative: &str, key: &str) -> Result<NodePath> {
    path.join(relative).map_err(|_| {
        Error::metadata(format!("consolidated metadata: {key:?} is not a path below the group"))
    })
}

/// A document as JSON on one line, for inclusion in another.
fn compact(document: &[u8]) -> Result<String> {
    Attributes::parse(document).map(|members| members.to_json())
}

/// Checks that an array can be resized: its rank must still be that of the document.
fn check_reshape(document: &[u8], shape: &[u64]) -> Result<()> {
    #[derive(serde::Deserialize)]
    struct Shape {
        shape: Vec<u64>,
    }
    let old: Shape =
        crate::metadata::from_json(document).map_err(|e| Error::metadata(format!("shape: {e}")))?;
    check_rank(old.shape.len(), shape.len())
}

fn check_rank(old: usize, new: usize) -> Result<()> {
    if old == new {
        return Ok(());
    }
    let text = format!("the array now has {old} dimensions, but the new shape {new}");
    Err(Error::new(crate::error::Kind::Conflict, text))
}

#[cfg(test)]
mod tests;
