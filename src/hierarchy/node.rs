//! Nodes that are open: groups and arrays.

use super::{Found, Hierarchy, NodeAttributes};
use crate::array::Array;
use crate::error::{Context, Error, Kind, Result};
use crate::format::{Change, FormatId, NodeKind, SharedFormat};
use crate::metadata::{ArrayMetadata, KeyEncoding, NodeMetadata, NodePath};
use crate::store::Key;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A group that is open.
pub struct Group {
    pub(crate) hierarchy: Arc<Hierarchy>,
    pub(super) path: NodePath,
    pub(crate) format: SharedFormat,
    pub(super) attributes: NodeAttributes,
}

/// An array that is open, as a node.
pub struct ArrayNode {
    /// The array itself.
    pub array: Array,
    pub(crate) hierarchy: Arc<Hierarchy>,
    pub(crate) format: SharedFormat,
    pub(super) attributes: NodeAttributes,
}

impl Hierarchy {
    /// Opens the array at `path`. [`Kind::NotFound`]: there is none.
    pub fn open_array(self: &Arc<Self>, path: &NodePath) -> Result<ArrayNode> {
        match self.find(path)? {
            Some(Found { format, metadata: NodeMetadata::Array(metadata) }) => self
                .array_node(format, path, *metadata)
                .at(|| format!("array {}", self.place(path))),
            Some(_) => Err(Error::new(
                Kind::NotFound,
                format!("no array at {}: it is a group", self.place(path)),
            )),
            None => Err(self.not_found(path, "array")),
        }
    }

    /// Opens the array at `path` from its metadata document, which the store is not asked for.
    pub fn open_array_from_document(
        self: &Arc<Self>,
        path: &NodePath,
        id: FormatId,
        document: &[u8],
    ) -> Result<ArrayNode> {
        let open = || {
            let format = self.format_of(id)?;
            match format.parse(0, document)? {
                NodeMetadata::Array(metadata) => self.array_node(format, path, *metadata),
                NodeMetadata::Group(_) => Err(Error::invalid(
                    "metadata_json: expected an array's document, found a group's",
                )),
            }
        };
        open().at(|| format!("array {}", self.place(path)))
    }

    /// The one chunk of an array without dimensions may lie under another key than it should.
    pub(super) fn find_scalar(&self, prefix: &str, metadata: &mut ArrayMetadata) -> Result<()> {
        let Some(other) = metadata.chunk_keys.other_spelling(metadata.shape.len()) else {
            return Ok(());
        };
        let there = |keys: &KeyEncoding| {
            let mut key = prefix.to_owned();
            keys.push_key(&[], &mut key);
            Ok(self.store.version(&Key::trusted(key))?.is_some())
        };
        if !there(&metadata.chunk_keys)? && there(&other)? {
            metadata.chunk_keys = other;
        }
        Ok(())
    }

    pub(super) fn array_node(
        self: &Arc<Self>,
        format: SharedFormat,
        path: &NodePath,
        mut metadata: ArrayMetadata,
    ) -> Result<ArrayNode> {
        let attributes = metadata.attributes.take();
        let attributes =
            NodeAttributes::new(self, path, format.clone(), NodeKind::Array, attributes);
        let settings = self.settings.clone();
        let prefix = format.chunk_prefix(path);
        self.find_scalar(&prefix, &mut metadata)?;
        let array = Array::new(self.store.clone(), path.clone(), prefix, metadata, settings)?;
        Ok(ArrayNode { array, hierarchy: self.clone(), format, attributes })
    }

    /// Opens the group at `path`, which may be an implicit one. [`Kind::NotFound`]: there is none.
    pub fn open_group(self: &Arc<Self>, path: &NodePath) -> Result<Group> {
        let (format, attributes) = match self.find(path)? {
            Some(Found { format, metadata: NodeMetadata::Group(group) }) => {
                (format, group.attributes)
            }
            Some(_) => {
                return Err(Error::new(
                    Kind::NotFound,
                    format!("no group at {}: it is an array", self.place(path)),
                ));
            }
            None => match self.implicit_format(path)? {
                Some(format) => (format, Some(Default::default())),
                None => return Err(self.not_found(path, "group")),
            },
        };
        let attributes =
            NodeAttributes::new(self, path, format.clone(), NodeKind::Group, attributes);
        Ok(Group { hierarchy: self.clone(), path: path.clone(), format, attributes })
    }
}

impl Group {
    /// Its path.
    pub fn path(&self) -> &NodePath {
        &self.path
    }

    /// Its format.
    pub fn format(&self) -> FormatId {
        self.format.id()
    }

    /// Its attributes.
    pub fn attributes(&self) -> &NodeAttributes {
        &self.attributes
    }
}

impl ArrayNode {
    /// Its format.
    pub fn format(&self) -> FormatId {
        self.format.id()
    }

    /// The fill value as the documents of its format write it.
    pub fn fill_json(&self) -> Result<String> {
        crate::format::fill_json(self.array.metadata(), self.format())
    }

    /// Its attributes.
    pub fn attributes(&self) -> &NodeAttributes {
        &self.attributes
    }

    /// The metadata document as it is in the store.
    pub fn document(&self) -> Result<Vec<u8>> {
        let path = self.array.path();
        match self.hierarchy.locate(path).at(|| self.hierarchy.place(path))? {
            Some(located) => Ok(located.document),
            None => Err(self.hierarchy.not_found(path, "array")),
        }
    }

    /// Writes what was gathered, and has the store complete what it puts off.
    pub fn flush(&self) -> Result<()> {
        self.array.flush()?;
        self.hierarchy.store.flush()
    }

    /// As [`Self::flush`], but while the store is open, what that puts off is left to it.
    pub fn close(&self) -> Result<()> {
        self.array.flush()?;
        match self.hierarchy.closed.load(Ordering::Relaxed) {
            true => self.hierarchy.store.flush(),
            false => Ok(()),
        }
    }

    /// Gives the array another shape of the same rank. What a smaller one leaves outside is lost.
    pub fn resize(&self, shape: &[u64]) -> Result<()> {
        let path = self.array.path();
        let hierarchy = &self.hierarchy;
        if hierarchy.store.read_only() {
            return Err(crate::store::refuse_change(&*hierarchy.store));
        }
        let documents = self.format.documents(path);
        let Some(key) = documents.first() else { return Err(hierarchy.not_found(path, "array")) };
        let mut document = Vec::new();
        hierarchy
            .rewrite(key, |old| {
                if old.is_none() {
                    return Err(hierarchy.not_found(path, "array"));
                }
                let mut present = |_: &str| Ok(old.map(<[u8]>::to_vec));
                let change = Change::Shape(shape);
                document = self.format.change(path, NodeKind::Array, change, &mut present)?.1;
                Ok(document.clone())
            })
            .at(|| format!("array {}", hierarchy.place(path)))?;
        // its grid may have changed with its shape
        match self.format.parse(0, &document)? {
            NodeMetadata::Array(array) => self.array.reshape(&array.shape, &array.chunk_grid),
            NodeMetadata::Group(_) => Err(Error::new(Kind::Internal, "an array became a group")),
        }
    }
}
