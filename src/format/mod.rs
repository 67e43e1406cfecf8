//! The on-disk formats: documents in, the neutral model out, and back. Pure: no format does I/O.

use crate::error::{Error, Result};
use crate::metadata::{Attributes, NodeMetadata, NodePath};

/// The formats; the numbers are those of `zarrc_format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FormatId {
    V2 = 2,
    V3 = 3,
}

/// The documents of one node, in the order of [`Format::documents`]; `None`: absent.
pub type Docs = Vec<Option<Vec<u8>>>;

/// What is found where a format looks for children, seen by its name alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A group.
    Group,
    /// An array.
    Array,
}

/// A change to a node that is there.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// Its attributes become these.
    Attributes(&'a Attributes),
    /// The array gets this shape; the rank stays.
    Shape(&'a [u64]),
}

/// One on-disk format. Keys are strings relative to the root of the store.
pub trait Format: Send + Sync {
    /// Which one it is.
    fn id(&self) -> FormatId;

    /// For messages: "Zarr v2".
    fn name(&self) -> &'static str;

    /// The keys of the documents that say what the node at `path` is.
    fn documents(&self, path: &NodePath) -> Vec<String>;

    /// What those documents say; `None` where there is no node of this format.
    fn parse(&self, docs: &Docs) -> Result<Option<NodeMetadata>>;

    /// The key of the document that holds the attributes of a node, where [`Self::parse`]
    /// leaves them out.
    fn attributes_document(&self, path: &NodePath) -> Option<String>;

    /// The keys and documents of a new node, everything that the model holds.
    /// [`Kind::Unsupported`](crate::error::Kind::Unsupported), with what: the format cannot say it.
    fn emit(&self, path: &NodePath, node: &NodeMetadata) -> Result<Vec<(String, Vec<u8>)>>;

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

    /// Consolidated metadata: the key of the document that may hold that of the whole hierarchy
    /// below `path`.
    fn consolidated_document(&self, path: &NodePath) -> String;

    /// The documents that a consolidated document stands for, as if they lay in the store: by
    /// key, for the hierarchy below `path`. `None`: it holds none. Keys that leave `path` are an
    /// error.
    fn parse_consolidated(
        &self,
        path: &NodePath,
        document: &[u8],
    ) -> Result<Option<Vec<(String, Vec<u8>)>>>;
}

/// All formats, in the order in which a store is recognised.
pub static FORMATS: &[&dyn Format] = &[];

/// The format of that id.
pub fn by_id(id: FormatId) -> Result<&'static dyn Format> {
    FORMATS
        .iter()
        .copied()
        .find(|f| f.id() == id)
        .ok_or_else(|| Error::unsupported(format!("format {id:?} is not in this build")))
}
