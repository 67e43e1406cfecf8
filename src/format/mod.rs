//! The on-disk formats: documents in, the neutral model out, and back. Pure: no format does I/O.

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

    /// How its documents spell elements.
    fn style(self) -> fill::Style {
        use FormatId::*;
        match self {
            V3 => fill::Style::V3,
            V3Draft2020 | V3Draft2022 => fill::Style::DRAFT,
            _ => fill::Style::V2,
        }
    }

    /// The format of a `zarrc_format`; `None` for 0, which leaves the choice open.
    pub fn from_number(number: i32) -> Result<Option<FormatId>> {
        match Self::ALL.into_iter().find(|id| id.number() == number) {
            None if number != 0 => {
                Err(Error::invalid(format!("format {number}: expected a ZARRC_FORMAT_ constant")))
            }
            found => Ok(found),
        }
    }

    /// Its `zarrc_format`.
    pub fn number(self) -> i32 {
        self as i32
    }

    /// Whether nodes of this format and of others that do so may lie in one store: their documents
    /// have names of their own, beside their chunks.
    pub fn shares_stores(self) -> bool {
        matches!(self, FormatId::V2 | FormatId::V3)
    }

    /// What messages call it.
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

/// Keys, each with the document stored there.
pub type Documents = Vec<(String, Vec<u8>)>;

/// What is found where a format looks for children, seen by its name alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A group.
    Group,
    /// An array.
    Array,
}

/// What a name says that a listing meets where a format looks for children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing<'a> {
    /// The document of a child: its name and what it is.
    Node(&'a str, NodeKind),
    /// A child may have that name: its documents say whether there is one.
    Look(&'a str),
    /// That child is there as an implicit group, if anything lies below it.
    Implied(&'a str),
    /// No child.
    Nothing,
}

/// Which groups there are without a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImplicitGroups {
    /// None.
    Never,
    /// Those that a node lies below.
    AboveNodes,
    /// Those, and the root.
    AboveNodesAndRoot,
    /// Every prefix below which anything lies and that is not within an array.
    EveryPrefix,
}

/// What the caller says about reading documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Whether a data type that is not known may be read as the one that its document names for
    /// readers like us.
    pub data_type_fallback: bool,
    /// Whether v1 arrays of order F are read as zarr 1.x wrote them, against the text: only what
    /// blosc compressed lies in that order.
    pub v1_writer_order: bool,
    /// Whether packed numbers are seen as the floats that CF's attributes make of them.
    pub mask_and_scale: bool,
}

/// A change to a node that is there.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// Its attributes become these.
    Attributes(&'a Attributes),
    /// The array gets this shape; the rank stays.
    Shape(&'a [u64]),
}

/// One on-disk format, as one store uses it. Keys are strings relative to the root of the store.
pub trait Format: Send + Sync {
    /// Which one it is.
    fn id(&self) -> FormatId;

    /// For messages: "Zarr v2".
    fn name(&self) -> &'static str {
        self.id().name()
    }

    /// Whether writers with zarr-python 2 lock its keys by a synchronizer.
    fn is_synchronized(&self) -> bool {
        false
    }

    /// The keys of the documents that say what the node at `path` is, that of an array first.
    /// None: no node can be there.
    fn documents(&self, path: &NodePath) -> Vec<String>;

    /// What document number `which` of them, the first that is there, says of the node.
    fn parse(&self, which: usize, document: &[u8]) -> Result<NodeMetadata>;

    /// What it makes of the node, and no more: of a node that cannot be opened it can still be
    /// told.
    fn kind(&self, which: usize, document: &[u8]) -> Result<NodeKind>;

    /// Whether a document says by itself that its node is of this format, without a look at the
    /// root of the store.
    fn speaks_for_itself(&self, _document: &[u8]) -> bool {
        true
    }

    /// The attributes in the document that holds them.
    fn attributes_of(&self, document: &[u8]) -> Result<Attributes>;

    /// The key of the document that holds the attributes of a node. Where it is one of
    /// [`Self::documents`], [`Self::parse`] reads them too.
    fn attributes_document(&self, path: &NodePath, kind: NodeKind) -> String;

    /// The names of the dimensions, where the format keeps them among the attributes. They stay
    /// attributes too.
    fn dimension_names(
        &self,
        _attributes: &Attributes,
        _rank: usize,
    ) -> Option<Vec<Option<String>>> {
        None
    }

    /// The same, and takes them out of the attributes where they are nothing but those names.
    fn take_dimension_names(
        &self,
        attributes: &mut Attributes,
        rank: usize,
    ) -> Option<Vec<Option<String>>> {
        self.dimension_names(attributes, rank)
    }

    /// Whether dimensions have names: without, neither xarray nor netCDF has a use for an array.
    fn names_dimensions(&self) -> bool {
        false
    }

    /// Whether xarray takes a fill value for the missing one.
    fn fill_is_missing(&self) -> bool {
        false
    }

    /// The fill value of a new array if nobody says which; `None`: it is undefined.
    fn default_fill(&self, data_type: &DataType) -> Option<FillValue> {
        Some(data_type.zero())
    }

    /// The value that CF's readers take for missing.
    fn missing_value(&self, array: &ArrayMetadata, attributes: &Attributes) -> Option<FillValue> {
        let named = || cf::from_json(&array.data_type, attributes.get(cf::MISSING)?);
        array.fill_value.clone().filter(|_| self.fill_is_missing()).or_else(named)
    }

    /// CF's attribute for a missing value. [`Kind::TypeMismatch`](crate::error::Kind::TypeMismatch):
    /// there is none for that type.
    fn missing_value_json(&self, data_type: &DataType, element: &FillValue) -> Result<String> {
        cf::to_json(data_type, element, false)
    }

    /// How a new array of this format spells its chunk keys; `separator` is `.` or `/`, `None`
    /// for the usual one.
    fn chunk_keys(&self, separator: Option<char>) -> KeyEncoding;

    /// The codec that compresses a new array if nobody says which.
    fn usual_compressor(&self) -> &'static str {
        "zstd"
    }

    /// The codecs, in v3's words, of the index of new shards.
    fn shard_index_codecs(&self) -> &'static [&'static str] {
        &["bytes", "crc32c"]
    }

    /// What the chunk keys of the array at `path` begin with.
    fn chunk_prefix(&self, path: &NodePath) -> String {
        path.prefix()
    }

    /// Whether a new node may have that path:
    /// [`Kind::InvalidArgument`](crate::error::Kind::InvalidArgument) with the reason if not.
    fn check_new_path(&self, path: &NodePath) -> Result<()>;

    /// What must be in a store beside the documents of its nodes: key and document, written
    /// where it is absent before the first node is.
    fn entry_document(&self) -> Option<(String, Vec<u8>)> {
        None
    }

    /// Whether every group above a node must have a document.
    fn ancestors_need_documents(&self) -> bool {
        true
    }

    /// The keys and documents of a new node, everything that the model holds, in the order in
    /// which they are to be stored: the one that makes the node exist comes last.
    /// [`Kind::Unsupported`](crate::error::Kind::Unsupported), with what: the format cannot say it.
    fn emit(&self, path: &NodePath, node: &NodeMetadata) -> Result<Documents>;

    /// Which document a change concerns, and that document after it. `kind` is the node's;
    /// `old` gives the present document of a key. Members that the change does not concern stay
    /// as they are, known or not.
    fn change(
        &self,
        path: &NodePath,
        kind: NodeKind,
        change: Change<'_>,
        old: &mut dyn FnMut(&str) -> Result<Option<Vec<u8>>>,
    ) -> Result<(String, Vec<u8>)>;

    /// Where the keys of the children of a node begin.
    fn children_prefix(&self, path: &NodePath) -> String {
        path.prefix()
    }

    /// What a key right below [`Self::children_prefix`] says, or, if `prefix`, a prefix there
    /// (without its last slash).
    fn listed<'a>(&self, name: &'a str, prefix: bool) -> Listing<'a> {
        if prefix { Listing::Look(name) } else { Listing::Nothing }
    }

    /// Which groups there are without a document.
    fn implicit_groups(&self) -> ImplicitGroups {
        ImplicitGroups::AboveNodes
    }

    /// Below which prefixes everything belongs to the node at `path` or to nodes below it.
    fn node_prefixes(&self, path: &NodePath) -> Vec<String> {
        vec![path.prefix()]
    }

    /// Consolidated metadata: the key of the document that may hold that of the whole hierarchy
    /// below `path`. `None`: the format has none.
    fn consolidated_document(&self, _path: &NodePath) -> Option<String> {
        None
    }

    /// The documents that a consolidated document stands for, as if they lay in the store: by
    /// key, for the hierarchy below `path`. `None`: it holds none. Keys that leave `path` are an
    /// error.
    fn parse_consolidated(&self, _path: &NodePath, _document: &[u8]) -> Result<Option<Documents>> {
        Ok(None)
    }

    /// The consolidated document for the documents below `path`, each under its key. `old` is
    /// what [`Self::consolidated_document`] holds now.
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

/// One format in the table: how a store of it is recognised.
pub struct FormatEntry {
    /// Which one.
    pub id: FormatId,
    /// The keys at the root of a store that may show it.
    pub root_documents: &'static [&'static str],
    /// The format as the document under one of those keys has it; `None`: the store is of another.
    pub recognise: fn(&Reading, &[u8]) -> Result<Option<SharedFormat>>,
    /// The format of a new store.
    pub new: fn(&Reading) -> SharedFormat,
    /// Whether a node is recognised by its own documents, wherever it lies.
    pub stands_alone: bool,
    /// Whether nodes below show the format where nothing at the root does.
    pub shown_by_nodes: bool,
}

/// All formats, in the order in which a store is recognised.
pub static FORMATS: &[FormatEntry] =
    &[v3::ENTRY, v3_2020::ENTRY, v3_2022::ENTRY, v2::ENTRY, v1::ENTRY, v3_2019::ENTRY, n5::ENTRY];

/// The format of that id in a new store.
pub fn by_id(id: FormatId, reading: &Reading) -> Result<SharedFormat> {
    FORMATS
        .iter()
        .find(|f| f.id == id)
        .map(|f| (f.new)(reading))
        .ok_or_else(|| Error::unsupported(format!("{} is not in this build", id.name())))
}

/// Reads a data type in any spelling: a v3 name ("float32"), a NumPy type string ("|S12", ">f8",
/// "f8"), or the JSON of a v2 or v3 document (a list of fields, an object, a quoted string); of
/// variable length also "vlen-utf8", "vlen-bytes", "json" and "vlen-array:" with the type string of
/// the items. With the byte order that it says, if it does.
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
            // of names, only those that NumPy has with a unit are typestrs
            typestr::parse(text).map_err(|e| match typestr::is_name(text) {
                true => {
                    Error::invalid(format!("{text:?} is not a data type{}", type_name::hint(text)))
                }
                false => e,
            })
        }),
    }
}

/// Reads a fill value written as in a document of `format`; `None` for null. `order` is that of
/// the stored elements, `None` for the usual one.
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

/// The type of an array as [`parse_data_type`] reads it, with the byte order of what is stored.
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

/// The fill value of an array as a document of `format` writes it; null where it is undefined.
pub fn fill_json(array: &ArrayMetadata, format: FormatId) -> Result<String> {
    match &array.fill_value {
        None => Ok("null".into()),
        Some(element) => {
            fill::to_json(&array.data_type, v3::order(&array.codecs), element, format.style())
        }
    }
}

/// The codecs of an array in one spelling, whichever the format was that they came from: equal for
/// two arrays whose chunks are encoded alike.
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
        // names that v3 does not have: as they are written
        let codecs = array.codecs.iter();
        return Ok(codecs.map(|c| serde_json::json!([c.name, c.configuration])).collect());
    };
    let document = documents.last().map(|(_, text)| text.as_slice()).unwrap_or_default();
    let document: serde_json::Value = crate::metadata::from_json(document)
        .map_err(|e| Error::metadata(format!("a document of ours: {e}")))?;
    Ok(document["codecs"].clone())
}

/// More dimensions than this are refused; NumPy stops at 64.
const MAX_RANK: usize = 255;

/// Refuses more dimensions than are supported.
pub fn check_dimensions(rank: usize) -> Result<()> {
    if rank <= MAX_RANK {
        return Ok(());
    }
    let text = format!("{rank} dimensions: at most {MAX_RANK} are supported");
    Err(Error::new(crate::error::Kind::LimitExceeded, text))
}

/// More codecs than this are refused: each takes far more memory than its text.
const MAX_CODECS: usize = 1024;

/// Refuses a list of too many codecs, before anything is made of them.
fn check_count(codecs: usize) -> Result<()> {
    if codecs <= MAX_CODECS {
        return Ok(());
    }
    let text = format!("{codecs} codecs: at most {MAX_CODECS} are supported");
    Err(Error::new(crate::error::Kind::LimitExceeded, text))
}

/// What holds in every format.
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

/// The error for a document that a change needs.
fn vanished(key: &str) -> Error {
    Error::new(crate::error::Kind::NotFound, format!("document {key:?} no longer exists"))
}

/// The node below `path` that a consolidated document names.
fn consolidated_node(path: &NodePath, relative: &str, key: &str) -> Result<NodePath> {
    path.join(relative).map_err(|_| {
        Error::metadata(format!("consolidated metadata: {key:?} is not a path below the group"))
    })
}

/// A document as one JSON text on one line, as it goes into another.
fn compact(document: &[u8]) -> Result<String> {
    Attributes::parse(document).map(|members| members.to_json())
}

/// What must be so for an array to get another shape: its rank is still that of the document.
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
