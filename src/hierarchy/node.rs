//! Open nodes: groups and arrays.

use super::{Found, Hierarchy, NodeAttributes};
use crate::array::Array;
use crate::error::{Context, Error, Kind, Result};
use crate::fork::Own;
use crate::format::{Format, FormatId, NodeKind, SharedFormat};
use crate::metadata::FillValue;
use crate::metadata::{ArrayMetadata, KeyEncoding, NodeMetadata, NodePath, cf};
use crate::store::Key;
use std::ffi::{CStr, CString};
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

/// An open group.
pub struct Group {
    pub(crate) hierarchy: Arc<Hierarchy>,
    pub(super) path: NodePath,
    pub(crate) format: SharedFormat,
    pub(super) attributes: NodeAttributes,
    /// Whether no one else has a handle to the store, which is then closed with the node.
    pub(super) owns_store: bool,
}

/// An open array node.
pub struct ArrayNode {
    /// The array itself.
    pub array: Array,
    pub(crate) hierarchy: Arc<Hierarchy>,
    pub(crate) format: SharedFormat,
    pub(super) attributes: NodeAttributes,
    /// Whether no one else has a handle to the store, which is then closed with the node.
    pub(super) owns_store: bool,
    pub(super) names: OnceLock<Vec<Option<CString>>>,
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

    /// Opens the array at `path` from its metadata document, without reading it from the store.
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

    /// The chunk of an array without dimensions may be stored under an unexpected key.
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

    /// Applies the array's CF attributes to reads and writes, if the store has that option.
    pub(super) fn unpack(
        &self,
        format: &dyn Format,
        attributes: &NodeAttributes,
        metadata: &mut ArrayMetadata,
    ) -> Result<()> {
        if !self.reading.mask_and_scale {
            return Ok(());
        }
        attributes.read(|all| {
            let missing = format.missing_value(metadata, all);
            cf::unpack(metadata, all, missing)
        })
    }

    pub(super) fn array_node(
        self: &Arc<Self>,
        format: SharedFormat,
        path: &NodePath,
        mut metadata: ArrayMetadata,
    ) -> Result<ArrayNode> {
        self.check_synchronized(&format)?;
        let attributes = metadata.attributes.take();
        let attributes =
            NodeAttributes::new(self, path, format.clone(), NodeKind::Array, attributes);
        let settings = self.settings.clone();
        let prefix = format.chunk_prefix(path);
        self.find_scalar(&prefix, &mut metadata)?;
        self.unpack(&*format, &attributes, &mut metadata)?;
        let mut array = Array::new(self.store.clone(), path.clone(), prefix, metadata, settings)?;
        if !self.store.read_only() {
            let (hierarchy, path) = (self.clone(), path.clone());
            let other = Own::<OnceLock<ArrayNode>>::new();
            array.collect_growth(Box::new(move |array| {
                if let Some(node) = other.get().get() {
                    return node.grow_to_match(array);
                }
                let node = hierarchy.open_array(&path)?;
                other.get().get_or_init(|| node).grow_to_match(array)
            }));
        }
        let names = OnceLock::new();
        let hierarchy = self.clone();
        Ok(ArrayNode { array, hierarchy, format, attributes, owns_store: false, names })
    }

    /// Opens the group at `path`, which may be implicit. [`Kind::NotFound`]: there is none.
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
        self.check_synchronized(&format)?;
        let attributes =
            NodeAttributes::new(self, path, format.clone(), NodeKind::Group, attributes);
        let (hierarchy, path) = (self.clone(), path.clone());
        Ok(Group { hierarchy, path, format, attributes, owns_store: false })
    }
}

impl Group {
    /// Closes the store, if no one else has a handle to it.
    pub fn close(&self) -> Result<()> {
        if self.owns_store { self.hierarchy.close() } else { Ok(()) }
    }

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

    /// The fill value as its format's documents spell it.
    pub fn fill_json(&self) -> Result<String> {
        crate::format::fill_json(self.array.metadata(), self.format())
    }

    /// Its attributes.
    pub fn attributes(&self) -> &NodeAttributes {
        &self.attributes
    }

    /// Sets CF's missing value to `element`. [`Kind::InvalidArgument`]: in this format it must
    /// equal the fill value, and differs.
    pub fn set_missing_value(&self, element: &[u8]) -> Result<()> {
        let metadata = self.array.metadata();
        if self.hierarchy.reading.mask_and_scale {
            return Err(Error::invalid(
                "the store was opened with mask_and_scale: open it without to set a missing value \
                 of the stored type",
            ));
        }
        let set = || {
            let missing = FillValue::new(element);
            super::create::check_missing(&*self.format, metadata.fill_value.as_ref(), &missing)?;
            let json = self.format.missing_value_json(&metadata.data_type, &missing)?;
            self.attributes.write(&mut |all| all.set(cf::MISSING, &json))
        };
        set().at(|| format!("array {}", self.hierarchy.place(self.array.path())))
    }

    /// The data type with its parameters and byte order, as a new array accepts it.
    pub fn data_type_text(&self) -> Result<String> {
        crate::format::data_type_text(self.array.metadata())
    }

    /// The name of a dimension as a C string; `None`: it has none. Names from attributes are read
    /// once.
    pub fn dimension_name(&self, dimension: usize) -> Result<Option<&CStr>> {
        if self.names.get().is_none() {
            let metadata = self.array.metadata();
            let rank = metadata.shape.len();
            let names = match &metadata.dimension_names {
                Some(names) => Some(names.clone()),
                None => self.attributes.read(|all| Ok(self.format.dimension_names(all, rank)))?,
            };
            let names = names.unwrap_or_default().into_iter();
            let name = |name: Option<String>| name.map(CString::new).transpose();
            let names = names.map(name).collect::<Result<_, _>>();
            let names = names.map_err(|_| {
                self.attributes.error(
                    Kind::TypeMismatch,
                    "a dimension name contains a NUL \
                    character",
                )
            })?;
            let _ = self.names.set(names);
        }
        let names = self.names.get().and_then(|names| names.get(dimension));
        Ok(names.and_then(Option::as_deref))
    }

    /// Reads the metadata document from the store.
    pub fn document(&self) -> Result<Vec<u8>> {
        self.array.store_growth()?;
        let path = self.array.path();
        match self.hierarchy.locate(path).at(|| self.hierarchy.place(path))? {
            Some(located) => Ok(located.document),
            None => Err(self.hierarchy.not_found(path, "array")),
        }
    }

    /// Writes what was collected, and completes the store's deferred writes.
    pub fn flush(&self) -> Result<()> {
        self.array.settle_all();
        self.array.flush()?;
        self.hierarchy.store.flush()
    }

    /// As [`Self::flush`], but leaves deferred writes to the store if it remains open.
    pub fn close(&self) -> Result<()> {
        self.array.settle_all();
        self.array.flush()?;
        if self.owns_store {
            return self.hierarchy.close();
        }
        match self.hierarchy.closed.load(Ordering::Relaxed) {
            true => self.hierarchy.store.flush(),
            false => Ok(()),
        }
    }
}
