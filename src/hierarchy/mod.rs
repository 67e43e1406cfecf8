//! The nodes of a store. [`Hierarchy`] finds them, [`create`] makes them, [`list`] and
//! [`Hierarchy::delete`] do what they say, [`NodeAttributes`] reads and writes attributes.

mod attributes;
mod convert;
mod create;
mod list;
mod root;

pub use attributes::NodeAttributes;
pub use convert::{Accept, Conversion};
pub use create::{ArraySpec, FillSpec};
pub use list::Listed;

use crate::array::{Array, Queue, Settings};
use crate::cache::Cache;
use crate::codec::Leniency;
use crate::error::{Context, Error, Kind, Result};
use crate::exec;
use crate::format::{Change, FormatId, NodeKind, Reading, SharedFormat};
use crate::metadata::{ArrayMetadata, KeyEncoding, NodeMetadata, NodePath};
use crate::store::{Key, Options, Precondition, SharedStore, Version};
use root::Root;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, RwLock};

/// How often a change to a document begins anew because someone else changed it in between.
const ATTEMPTS: usize = 32;

/// A store and what was said when it was opened. Any number of threads may use it at once.
pub struct Hierarchy {
    store: SharedStore,
    settings: Settings,
    reading: Reading,
    root: RwLock<Root>,
    /// `None`: for nodes that have no documents of their own.
    consolidated: Option<bool>,
    /// The documents that the root's consolidated metadata stands for.
    consolidated_documents: RwLock<Option<Documents>>,
    /// Groups that are known to be there, so that creating nodes below asks only once.
    known_groups: Mutex<HashMap<NodePath, FormatId>>,
    closed: AtomicBool,
}

/// Documents by key, as the root's consolidated metadata holds them.
type Documents = Arc<HashMap<String, Vec<u8>>>;

/// The document that says what a node is.
struct Located {
    format: SharedFormat,
    /// Which of the format's documents.
    which: usize,
    document: Vec<u8>,
}

/// A node that was found.
pub struct Found {
    /// Its format.
    pub format: SharedFormat,
    /// What its documents say.
    pub metadata: NodeMetadata,
}

/// A group that is open.
pub struct Group {
    hierarchy: Arc<Hierarchy>,
    path: NodePath,
    format: SharedFormat,
    attributes: NodeAttributes,
}

/// An array that is open, as a node.
pub struct ArrayNode {
    /// The array itself.
    pub array: Array,
    hierarchy: Arc<Hierarchy>,
    format: SharedFormat,
    attributes: NodeAttributes,
}

impl Hierarchy {
    /// The nodes of `store`.
    pub fn new(store: SharedStore, options: &Options) -> Self {
        let reading = Reading {
            data_type_fallback: options.data_type_fallback(),
            v1_writer_order: options.v1_writer_order(),
        };
        // the table of options knows no other numbers
        let wanted = FormatId::from_number(options.format()).unwrap_or_default();
        let threads = match options.threads() {
            0 => exec::available().max(store.concurrency()),
            n => n,
        };
        Hierarchy {
            store,
            settings: Settings {
                threads,
                write_empty: options.write_empty_chunks(),
                cache: Arc::new(Cache::new(options.chunk_cache())),
                write_buffer: options.write_buffer(),
                requests: Arc::new(Queue::new(options.queue_bytes(), options.queue_waits())),
                copy_requests: options.queue_copy(),
                leniency: Leniency { ignore_checksums: options.ignore_checksums() },
                unknown_codecs: options.unknown_codecs(),
            },
            reading,
            root: RwLock::new(Root::new(wanted, &reading)),
            consolidated: options.consolidated(),
            consolidated_documents: RwLock::default(),
            known_groups: Mutex::default(),
            closed: AtomicBool::new(false),
        }
    }

    /// The same store, of which only the nodes of one format are seen.
    fn as_format(&self, id: FormatId) -> Hierarchy {
        Hierarchy {
            store: self.store.clone(),
            settings: self.settings.clone(),
            reading: self.reading,
            root: RwLock::new(Root::new(Some(id), &self.reading)),
            consolidated: Some(false),
            consolidated_documents: RwLock::default(),
            known_groups: Mutex::default(),
            closed: AtomicBool::new(false),
        }
    }

    /// The store.
    pub fn store(&self) -> &SharedStore {
        &self.store
    }

    /// Completes what the store puts off until it is closed; so does each array that is closed
    /// or flushed from then on.
    pub fn close(&self) -> Result<()> {
        self.closed.store(true, Ordering::Relaxed);
        self.store.flush()
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

    /// Whether each look into the store takes long, and what was seen of its documents may be used
    /// until they are forgotten, as nothing here changes them.
    fn is_far(&self) -> bool {
        self.store.concurrency() > 1 && self.store.read_only()
    }

    /// How many requests to have under way for documents.
    fn lookers(&self) -> usize {
        if self.store.concurrency() > 1 { self.settings.threads } else { 1 }
    }

    /// Forgets what is kept of the store's values below `prefix`.
    pub fn forget(&self, prefix: &str) -> Result<()> {
        *self.consolidated_documents.write().unwrap_or_else(|e| e.into_inner()) = None;
        self.store.forget(prefix)
    }

    /// A document, from the store or from consolidated metadata.
    fn document(&self, key: &str) -> Result<Option<Vec<u8>>> {
        if let Some(documents) = self.consolidated_first()?
            && let Some(document) = documents.get(key)
        {
            return Ok(Some(document.clone()));
        }
        Ok(self.stored(key)?.map(|(document, _)| document))
    }

    /// Consolidated metadata, where it goes before the documents themselves: where the caller wants
    /// that, or where it is known already and the store is far away.
    fn consolidated_first(&self) -> Result<Option<Documents>> {
        match self.consolidated {
            Some(true) => self.consolidated_documents().map(Some),
            None if self.is_far() => Ok(self.kept_documents()),
            _ => Ok(None),
        }
    }

    fn kept_documents(&self) -> Option<Documents> {
        self.consolidated_documents.read().unwrap_or_else(|e| e.into_inner()).clone()
    }

    fn keep_documents(&self, documents: HashMap<String, Vec<u8>>) -> Documents {
        let mut kept = self.consolidated_documents.write().unwrap_or_else(|e| e.into_inner());
        kept.get_or_insert_with(|| Arc::new(documents)).clone()
    }

    fn consolidated_documents(&self) -> Result<Documents> {
        if let Some(ready) = self.kept_documents() {
            return Ok(ready);
        }
        let get = |key: &str| Ok(self.stored(key)?.map(|(document, _)| document));
        let found = self.consolidated_in(&get)?;
        if found.is_none() && self.consolidated == Some(true) {
            return Err(Error::new(
                Kind::NotFound,
                format!(
                    "store {} has no consolidated metadata, and the option consolidated is yes",
                    self.store.name()
                ),
            ));
        }
        Ok(self.keep_documents(found.unwrap_or_default()))
    }

    /// The documents in the root's consolidated metadata; `None`: it has none.
    fn consolidated_in(
        &self,
        get: &dyn Fn(&str) -> Result<Option<Vec<u8>>>,
    ) -> Result<Option<HashMap<String, Vec<u8>>>> {
        let root = NodePath::root();
        for format in &*self.root().formats {
            let Some(key) = format.consolidated_document(&root) else { continue };
            if let Some(document) = get(&key)? {
                let parsed = format.parse_consolidated(&root, &document);
                if let Some(nodes) = parsed.at(|| format!("consolidated metadata in {key}"))? {
                    let mut nodes: HashMap<_, _> = nodes.into_iter().collect();
                    // it may be the root's own as well
                    if self.is_far() && format.documents(&root).contains(&key) {
                        nodes.entry(key).or_insert(document);
                    }
                    return Ok(Some(nodes));
                }
            }
        }
        Ok(None)
    }

    /// Gets what is about to be looked at in a store that is far away: the likeliest document of
    /// the node, and if that is not there all the others at the same time.
    fn look_ahead(&self, root: &Root, path: &NodePath, seen: &root::Seen) -> Result<()> {
        let own = || root.formats.iter().flat_map(|format| format.documents(path));
        let Some(first) = own().next() else { return Ok(()) };
        let get = |key: &str| self.document(key);
        if seen.get(&first, || get(&first))?.is_none() {
            let top = NodePath::root();
            let consolidated = root.formats.iter().filter_map(|f| f.consolidated_document(&top));
            let is_known = self.consolidated.is_some() || self.kept_documents().is_some();
            let mut keys: Vec<String> = own().collect();
            keys.extend(consolidated.filter(|_| !is_known));
            seen.get_all(keys, self.lookers(), &get)?;
        }
        // should it be broken, that is said once it is needed
        if self.consolidated.is_none()
            && self.kept_documents().is_none()
            && let Ok(found) =
                self.consolidated_in(&|key| Ok(seen.known(key)?.map(|document| document.to_vec())))
        {
            self.keep_documents(found.unwrap_or_default());
        }
        Ok(())
    }

    /// The first of a node's documents that is there.
    fn first_document(
        &self,
        format: &SharedFormat,
        path: &NodePath,
        get: &dyn Fn(&str) -> Result<Option<Vec<u8>>>,
    ) -> Result<Option<Located>> {
        for (which, key) in format.documents(path).iter().enumerate() {
            if let Some(document) = get(key)? {
                return Ok(Some(Located { format: format.clone(), which, document }));
            }
        }
        Ok(None)
    }

    /// That of a node in the store itself, whatever consolidated metadata says.
    fn stored_node(&self, format: &SharedFormat, path: &NodePath) -> Result<Option<Located>> {
        self.first_document(format, path, &|key| Ok(self.stored(key)?.map(|(text, _)| text)))
    }

    /// Looks for the document of the node at `path`, first in the store, then, if that is
    /// allowed, in consolidated metadata.
    fn locate(&self, path: &NodePath) -> Result<Option<Located>> {
        let mut root = self.root();
        if let Some(documents) = self.consolidated_first()?
            && let Some(found) =
                self.locate_in(&root, path, &|key| Ok(documents.get(key).cloned()))?
        {
            return Ok(Some(found));
        }
        let seen = root::Seen::default();
        if self.is_far() {
            self.look_ahead(&root, path, &seen)?;
        }
        // what its documents say is what the format is known by, too
        if root.format.is_none() && path.is_root() {
            root = self.recognise(&|key| seen.get(key, || self.document(key)))?;
        }
        let get = |key: &str| seen.take(key).or_else(|_| self.document(key));
        if let Some(found) = self.locate_in(&root, path, &get)? {
            return Ok(Some(found));
        }
        if root.format.is_none() && !path.is_root() {
            root = self.look_at_root()?;
            if root.is_exclusive() {
                return self.locate_as(&root, path);
            }
        }
        self.locate_consolidated(&root, path)
    }

    /// The same in a store whose root was looked at.
    fn locate_as(&self, root: &Root, path: &NodePath) -> Result<Option<Located>> {
        match self.locate_in(root, path, &|key| self.document(key))? {
            None => self.locate_consolidated(root, path),
            found => Ok(found),
        }
    }

    /// Looks for it where consolidated metadata stands in for documents that are not there.
    fn locate_consolidated(&self, root: &Root, path: &NodePath) -> Result<Option<Located>> {
        if self.consolidated.is_some() {
            return Ok(None);
        }
        let documents = self.consolidated_documents()?;
        self.locate_in(root, path, &|key| Ok(documents.get(key).cloned()))
    }

    /// Looks for the document of the node at `path` in the formats that may be there.
    fn locate_in(
        &self,
        root: &Root,
        path: &NodePath,
        get: &dyn Fn(&str) -> Result<Option<Vec<u8>>>,
    ) -> Result<Option<Located>> {
        for format in &*root.formats {
            match self.first_document(format, path, get)? {
                // in a store that nobody knows, such a document may be anything
                Some(l) if root.format.is_none() && !format.speaks_for_itself(&l.document) => {}
                None => {}
                found => return Ok(found),
            }
        }
        Ok(None)
    }

    /// The node at `path`; `None`: there is none that has documents.
    pub fn find(&self, path: &NodePath) -> Result<Option<Found>> {
        let Some(located) = self.locate(path).at(|| self.place(path))? else { return Ok(None) };
        let format = located.format;
        let metadata = format
            .parse(located.which, &located.document)
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
        let root = self.root();
        let looked_for: Vec<String> = root.formats.iter().flat_map(|f| f.documents(path)).collect();
        let of_store = match &root.format {
            Some(format) => format!(" (the store is {})", format.name()),
            None => format!(", and at the root for {}", root::signs(root.wanted).join(", ")),
        };
        let (place, looked_for) = (self.place(path), looked_for.join(", "));
        Error::new(
            Kind::NotFound,
            format!("no {what} at {place}: looked for {looked_for}{of_store}{}", self.file_hint()),
        )
    }

    /// A file of this machine is looked into for what it is; one far away is told by its name alone,
    /// and that only when it was taken for a directory in vain.
    fn file_hint(&self) -> String {
        let name = self.store.name();
        let scheme = match name.rsplit_once('.') {
            Some((_, "zip")) => "zip",
            Some((_, "json")) => "reference",
            _ => return String::new(),
        };
        match self.store.concurrency() > 1 {
            true => {
                format!("; if that is a file, it is opened by its URL with |{scheme}: behind it")
            }
            false => String::new(),
        }
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

    /// The one chunk of an array without dimensions may lie under another key than it should.
    fn find_scalar(&self, prefix: &str, metadata: &mut ArrayMetadata) -> Result<()> {
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

    fn array_node(
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
        let formats = self.root().formats;
        if path.is_root() {
            self.forget_root();
        }
        // its documents first: what is deleted in part is no node any more
        for format in &*formats {
            let entry = format.entry_document().filter(|_| path.is_root()).map(|(key, _)| key);
            for key in entry.into_iter().chain(format.documents(path)) {
                self.store.erase(&Key::trusted(key), &Precondition::None)?;
            }
        }
        let mut prefixes: Vec<String> =
            if path.is_root() { vec![String::new()] } else { Vec::new() };
        for prefix in formats.iter().flat_map(|f| f.node_prefixes(path)) {
            if !prefixes.iter().any(|p| prefix.starts_with(p.as_str())) {
                prefixes.push(prefix);
            }
        }
        prefixes.iter().try_for_each(|p| self.store.erase_prefix(p)).at(|| self.place(path))
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
        self.array.settle_all();
        self.array.flush()?;
        self.hierarchy.store.flush()
    }

    /// As [`Self::flush`], but while the store is open, what that puts off is left to it.
    pub fn close(&self) -> Result<()> {
        self.array.settle_all();
        self.array.flush()?;
        match self.hierarchy.closed.load(Ordering::Relaxed) {
            true => self.hierarchy.store.flush(),
            false => Ok(()),
        }
    }

    /// Gives the array another shape of the same rank. What a smaller one leaves outside is lost.
    pub fn resize(&self, shape: &[u64]) -> Result<()> {
        self.array.settle_all();
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
