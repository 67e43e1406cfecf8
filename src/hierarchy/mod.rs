//! The nodes of a store. [`Hierarchy`] finds them, [`create`] makes them, [`list`] and
//! [`Hierarchy::delete`] do what they say, [`NodeAttributes`] reads and writes attributes.

mod attributes;
mod create;
mod list;

pub use attributes::NodeAttributes;
pub use create::{ArraySpec, FillSpec};
pub use list::Listed;

use crate::array::{Array, Settings};
use crate::cache::Cache;
use crate::error::{Context, Error, Kind, Result};
use crate::exec;
use crate::format::{Change, FORMATS, Format, FormatId, NodeKind};
use crate::metadata::{ArrayMetadata, NodeMetadata, NodePath};
use crate::store::{Key, Options, Precondition, SharedStore, Version};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// How often a change to a document begins anew because someone else changed it in between.
const ATTEMPTS: usize = 32;

/// A store and what was said when it was opened. Any number of threads may use it at once.
pub struct Hierarchy {
    store: SharedStore,
    settings: Settings,
    /// `None`: for nodes that have no documents of their own.
    consolidated: Option<bool>,
    /// The documents that the root's consolidated metadata stands for.
    consolidated_documents: OnceLock<HashMap<String, Vec<u8>>>,
    /// Groups that are known to be there, so that creating nodes below asks only once.
    known_groups: Mutex<HashMap<NodePath, FormatId>>,
}

/// The document that says what a node is.
struct Located {
    format: &'static dyn Format,
    /// Which of the format's documents.
    which: usize,
    document: Vec<u8>,
}

/// A node that was found.
pub struct Found {
    /// Its format.
    pub format: &'static dyn Format,
    /// What its documents say.
    pub metadata: NodeMetadata,
}

/// A group that is open.
pub struct Group {
    hierarchy: Arc<Hierarchy>,
    path: NodePath,
    format: &'static dyn Format,
    attributes: NodeAttributes,
}

/// An array that is open, as a node.
pub struct ArrayNode {
    /// The array itself.
    pub array: Array,
    hierarchy: Arc<Hierarchy>,
    format: &'static dyn Format,
    attributes: NodeAttributes,
}

impl Hierarchy {
    /// The nodes of `store`.
    pub fn new(store: SharedStore, options: &Options) -> Self {
        let threads = match options.threads() {
            0 => exec::available(),
            n => n,
        };
        Hierarchy {
            store,
            settings: Settings {
                threads,
                write_empty: options.write_empty_chunks(),
                cache: Arc::new(Cache::new(options.chunk_cache())),
                write_buffer: options.write_buffer(),
            },
            consolidated: options.consolidated(),
            consolidated_documents: OnceLock::new(),
            known_groups: Mutex::default(),
        }
    }

    /// The store.
    pub fn store(&self) -> &SharedStore {
        &self.store
    }

    fn place(&self, path: &NodePath) -> String {
        format!("{path} in store {}", self.store.name())
    }

    /// A document as it is in the store.
    fn stored(&self, key: &str) -> Result<Option<(Vec<u8>, Version)>> {
        let mut document = Vec::new();
        let version = self.store.get(&Key::trusted(key.to_owned()), &mut document)?;
        Ok(version.map(|version| (document, version)))
    }

    /// A document, from the store or from consolidated metadata.
    fn document(&self, key: &str) -> Result<Option<Vec<u8>>> {
        if self.consolidated == Some(true)
            && let Some(document) = self.consolidated_documents()?.get(key)
        {
            return Ok(Some(document.clone()));
        }
        Ok(self.stored(key)?.map(|(document, _)| document))
    }

    fn consolidated_documents(&self) -> Result<&HashMap<String, Vec<u8>>> {
        if let Some(ready) = self.consolidated_documents.get() {
            return Ok(ready);
        }
        let root = NodePath::root();
        let mut documents = HashMap::new();
        let mut found = false;
        for &format in FORMATS {
            let key = format.consolidated_document(&root);
            if let Some((document, _)) = self.stored(&key)? {
                let parsed = format.parse_consolidated(&root, &document);
                if let Some(nodes) = parsed.at(|| format!("consolidated metadata in {key}"))? {
                    documents.extend(nodes);
                    found = true;
                    break;
                }
            }
        }
        if !found && self.consolidated == Some(true) {
            return Err(Error::new(
                Kind::NotFound,
                format!(
                    "store {} has no consolidated metadata, and the option consolidated is yes",
                    self.store.name()
                ),
            ));
        }
        Ok(self.consolidated_documents.get_or_init(|| documents))
    }

    /// The first of a node's documents that is there.
    fn first_document(
        &self,
        format: &'static dyn Format,
        path: &NodePath,
        get: &dyn Fn(&str) -> Result<Option<Vec<u8>>>,
    ) -> Result<Option<Located>> {
        for (which, key) in format.documents(path).iter().enumerate() {
            if let Some(document) = get(key)? {
                return Ok(Some(Located { format, which, document }));
            }
        }
        Ok(None)
    }

    /// That of a node in the store itself, whatever consolidated metadata says.
    fn stored_node(&self, format: &'static dyn Format, path: &NodePath) -> Result<Option<Located>> {
        self.first_document(format, path, &|key| Ok(self.stored(key)?.map(|(text, _)| text)))
    }

    /// Looks for the document of the node at `path`, first in the store, then, if that is
    /// allowed, in consolidated metadata.
    fn locate(&self, path: &NodePath) -> Result<Option<Located>> {
        for &format in FORMATS {
            let found = self.first_document(format, path, &|key| self.document(key))?;
            if found.is_some() {
                return Ok(found);
            }
        }
        if self.consolidated.is_none() {
            let documents = self.consolidated_documents()?;
            for &format in FORMATS {
                let get = |key: &str| Ok(documents.get(key).cloned());
                let found = self.first_document(format, path, &get)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    /// The node at `path`; `None`: there is none that has documents.
    pub fn find(&self, path: &NodePath) -> Result<Option<Found>> {
        let Some(located) = self.locate(path).at(|| self.place(path))? else { return Ok(None) };
        let format = located.format;
        let metadata = parse(format, path, located.which, located.document)
            .at(|| format!("{} metadata of {}", format.name(), self.place(path)))?;
        Ok(Some(Found { format, metadata }))
    }

    /// What is at `path`, an implicit group included; `None`: nothing.
    pub fn kind_at(&self, path: &NodePath) -> Result<Option<NodeKind>> {
        if let Some(located) = self.locate(path).at(|| self.place(path))? {
            return located.kind().at(|| self.place(path)).map(Some);
        }
        Ok(self.implicit_format(path)?.map(|_| NodeKind::Group))
    }

    fn not_found(&self, path: &NodePath, what: &str) -> Error {
        let looked_for: Vec<String> = FORMATS.iter().flat_map(|f| f.documents(path)).collect();
        Error::new(
            Kind::NotFound,
            format!("no {what} at {}: looked for {}", self.place(path), looked_for.join(", ")),
        )
    }

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

    fn array_node(
        self: &Arc<Self>,
        format: &'static dyn Format,
        path: &NodePath,
        mut metadata: ArrayMetadata,
    ) -> Result<ArrayNode> {
        let attributes = metadata.attributes.take();
        let attributes = NodeAttributes::new(self, path, format, NodeKind::Array, attributes);
        let settings = self.settings.clone();
        let array = Array::new(self.store.clone(), path.clone(), metadata, settings)?;
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
        let attributes = NodeAttributes::new(self, path, format, NodeKind::Group, attributes);
        Ok(Group { hierarchy: self.clone(), path: path.clone(), format, attributes })
    }

    /// Deletes the node at `path` and all below it. [`Kind::NotFound`]: there is none.
    pub fn delete(&self, path: &NodePath) -> Result<()> {
        if self.store.read_only() {
            return Err(crate::store::refuse_change(&*self.store));
        }
        let there = match self.locate(path) {
            // what cannot be read can still be deleted
            Err(e) if e.kind() == Kind::InvalidMetadata => true,
            found => found?.is_some(),
        };
        if !there && self.implicit_format(path)?.is_none() {
            return Err(self.not_found(path, "node"));
        }
        self.known_groups.lock().unwrap_or_else(|e| e.into_inner()).clear();
        // its documents first: what is deleted in part is no node any more
        for &format in FORMATS {
            for key in format.documents(path) {
                self.store.erase(&Key::trusted(key), &Precondition::None)?;
            }
        }
        self.store.erase_prefix(&path.prefix()).at(|| self.place(path))
    }

    /// Changes one document of a node, as it is now, whoever else changes it at the same time.
    /// `change` gets the present document and says what comes in its place.
    fn rewrite(
        &self,
        key: &str,
        mut change: impl FnMut(Option<&[u8]>) -> Result<Vec<u8>>,
    ) -> Result<()> {
        let mut attempt = 1;
        loop {
            let old = self.stored(key)?;
            let new = change(old.as_ref().map(|(document, _)| document.as_slice()))?;
            let when = match old {
                Some((_, version)) => Precondition::Version(version),
                None => Precondition::Absent,
            };
            match self.store.set(&Key::trusted(key.to_owned()), &[&new], &when) {
                Err(e) if e.kind() == Kind::Conflict && attempt < ATTEMPTS => attempt += 1,
                result => return result,
            }
        }
    }
}

impl Located {
    fn kind(&self) -> Result<NodeKind> {
        self.format.kind(self.which, &self.document)
    }
}

/// What one of a node's documents says.
fn parse(
    format: &dyn Format,
    path: &NodePath,
    which: usize,
    document: Vec<u8>,
) -> Result<NodeMetadata> {
    let mut documents = vec![None; format.documents(path).len()];
    documents[which] = Some(document);
    let nothing = || Error::new(Kind::Internal, "a document that is there says nothing");
    format.parse(&documents)?.ok_or_else(nothing)
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

    /// Gives the array another shape of the same rank. What a smaller one leaves outside is lost.
    pub fn resize(&self, shape: &[u64]) -> Result<()> {
        let path = self.array.path();
        let hierarchy = &self.hierarchy;
        if hierarchy.store.read_only() {
            return Err(crate::store::refuse_change(&*hierarchy.store));
        }
        let key = &self.format.documents(path)[0];
        hierarchy
            .rewrite(key, |old| {
                if old.is_none() {
                    return Err(hierarchy.not_found(path, "array"));
                }
                let mut present = |_: &str| Ok(old.map(<[u8]>::to_vec));
                let change = Change::Shape(shape);
                let changed = self.format.change(path, NodeKind::Array, change, &mut present)?;
                Ok(changed.1)
            })
            .at(|| format!("array {}", hierarchy.place(path)))?;
        self.array.set_shape(shape)
    }
}
