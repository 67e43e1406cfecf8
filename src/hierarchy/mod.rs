//! The nodes of a store. A [`Hierarchy`] is a store and the options that it was opened with.
//! [`locate`] finds the documents of a node, [`consolidated`] those in consolidated metadata,
//! [`root`] the format of the store. [`node`] has open nodes; [`create`], [`list`] and [`delete`]
//! do what their names say; [`NodeAttributes`] reads and writes attributes.

mod attributes;
mod consolidated;
mod create;
mod delete;
mod ensure;
mod extent;
mod list;
mod locate;
mod node;
mod root;

pub use attributes::NodeAttributes;
pub use create::{ArraySpec, FillSpec};
pub use ensure::{open_array_at, open_group_at};
pub use list::Listed;
pub use locate::Found;
pub use node::{ArrayNode, Group};

use crate::array::{AtOnce, Queue, Settings};
use crate::cache::Cache;
use crate::codec::ReadPolicy;
use crate::error::{Context, Error, Kind, Result};
use crate::exec;
use crate::fork::{Lock, Own};
use crate::format::{FormatId, Reading, SharedFormat};
use crate::metadata::NodePath;
use crate::store::{Key, Options, Precondition, SharedStore, Version};
pub use consolidated::Consolidate;
use consolidated::Documents;
use root::Root;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// How often a change of a document is retried because others changed it meanwhile.
const ATTEMPTS: usize = 32;

/// A store and the options that it was opened with. Any number of threads may use it at once.
pub struct Hierarchy {
    store: SharedStore,
    settings: Settings,
    /// Size limit of a metadata document (bytes).
    max_document_size: u64,
    reading: Reading,
    root: Lock<Root>,
    /// `None`: for nodes without documents of their own.
    consolidated: Option<bool>,
    /// The documents in the root's consolidated metadata.
    consolidated_documents: Lock<Option<Documents>>,
    /// Groups known to exist, so that creating nodes below them checks only once.
    known_groups: Lock<HashMap<NodePath, FormatId>>,
    /// Held while the extent of an array changes, if no other handle can change it.
    extents: Own<Mutex<()>>,
    /// What to do with consolidated metadata when documents change.
    consolidate: Consolidate,
    /// Versions of group documents known to have no consolidated metadata.
    unconsolidated: Lock<HashMap<String, Version>>,
    /// Whether documents have changed that are consolidated on close.
    has_changed: AtomicBool,
    /// Whether the store was found empty by the creation of a node that is under way, which need
    /// not look for others then.
    is_empty: AtomicBool,
    closed: AtomicBool,
    /// Whether the store is shared with writers that use zarr-python 2.
    synchronized: bool,
}

impl Hierarchy {
    /// The nodes of `store`.
    pub fn new(store: SharedStore, options: &Options) -> Self {
        let reading = Reading {
            data_type_fallback: options.data_type_fallback(),
            v1_writer_order: options.v1_writer_order(),
            mask_and_scale: options.mask_and_scale(),
        };
        // the options table admits no other numbers
        let wanted = FormatId::from_number(options.format()).unwrap_or_default();
        let threads = match options.threads() {
            0 => exec::available(),
            n => n,
        };
        let cache = Arc::new(Cache::new(options.chunk_cache(store.is_remote())));
        let memory = options.memory_limit().max(1);
        let at_once = AtOnce { count: store.concurrency(), bytes: memory };
        let at_once = store.is_remote().then_some(at_once);
        let queue = Queue::new(options.queue_bytes(), options.queue_waits(), at_once);
        Hierarchy {
            store,
            settings: Settings {
                threads,
                write_empty: options.write_empty_chunks(),
                cache,
                in_place: options.overwrites_in_place(),
                write_buffer: options.write_buffer(),
                memory,
                requests: Arc::new(queue),
                copy_requests: options.queue_copy(),
                read_policy: ReadPolicy { ignore_checksums: options.ignore_checksums() },
                unknown_codecs: options.unknown_codecs(),
                max_element_size: options.max_element_size(),
            },
            max_document_size: options.max_document_size(),
            reading,
            root: Lock::new(Root::new(wanted, &reading)),
            consolidated: options.consolidated(),
            consolidated_documents: Lock::default(),
            known_groups: Lock::default(),
            extents: Own::default(),
            consolidate: match options.consolidate() {
                0 => Consolidate::Update,
                1 => Consolidate::Close,
                _ => Consolidate::Refuse,
            },
            unconsolidated: Lock::default(),
            has_changed: AtomicBool::new(false),
            is_empty: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            synchronized: options.text("synchronizer").is_some_and(|path| !path.is_empty()),
        }
    }

    /// The same store without consolidated metadata.
    pub fn as_stored(&self) -> Hierarchy {
        self.as_root(self.root())
    }

    /// The same store, restricted to nodes of one format.
    pub fn as_format(&self, id: FormatId) -> Hierarchy {
        self.as_root(Root::new(Some(id), &self.reading))
    }

    fn as_root(&self, root: Root) -> Hierarchy {
        self.with(self.store.clone(), self.settings.clone(), root)
    }

    /// The nodes of a transaction on the store.
    pub fn begin(&self) -> Result<Hierarchy> {
        let store = self.store.clone().begin()?;
        // parts are in memory until the commit anyway
        let cache = Arc::new(Cache::new(self.settings.cache.limit()));
        let settings =
            Settings { cache, write_buffer: 0, in_place: false, ..self.settings.clone() };
        let consolidated = self.consolidated;
        Ok(Hierarchy { consolidated, ..self.with(store, settings, self.root()) })
    }

    /// Commits a transaction, with consolidated metadata if documents changed.
    pub fn commit(&self, message: Option<&str>) -> Result<()> {
        if self.has_changed.swap(false, Ordering::Relaxed) {
            self.consolidate_if_possible()?;
        }
        self.store.commit(message)
    }

    /// Ends a transaction without its changes.
    pub fn rollback(&self) -> Result<()> {
        self.has_changed.store(false, Ordering::Relaxed);
        self.store.rollback()
    }

    /// The snapshot that the store shows.
    pub fn snapshot(&self) -> Result<String> {
        let none = || format!("store {} has no snapshots", self.store.name());
        self.store.snapshot()?.ok_or_else(|| Error::unsupported(none()))
    }

    fn with(&self, store: SharedStore, settings: Settings, root: Root) -> Hierarchy {
        Hierarchy {
            store,
            settings,
            max_document_size: self.max_document_size,
            reading: self.reading,
            root: Lock::new(root),
            consolidated: Some(false),
            consolidated_documents: Lock::default(),
            known_groups: Lock::default(),
            extents: Own::default(),
            consolidate: self.consolidate,
            unconsolidated: Lock::default(),
            has_changed: AtomicBool::new(false),
            is_empty: AtomicBool::new(false),
            closed: AtomicBool::new(true),
            synchronized: self.synchronized,
        }
    }

    /// The options for its arrays.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How to read its documents.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// The store.
    pub fn store(&self) -> &SharedStore {
        &self.store
    }

    /// Completes the store's deferred writes; from then on, closing or flushing an array does so
    /// too.
    pub fn close(&self) -> Result<()> {
        self.closed.store(true, Ordering::Relaxed);
        let consolidated = match self.has_changed.swap(false, Ordering::Relaxed) {
            true => self.consolidate_if_possible(),
            false => Ok(()),
        };
        self.store.flush()?;
        consolidated
    }

    fn place(&self, path: &NodePath) -> String {
        format!("{path} in store {}", self.store.name())
    }

    /// Whether the option `synchronizer` supports nodes of that format.
    fn check_synchronized(&self, format: &SharedFormat) -> Result<()> {
        if !self.synchronized || format.is_synchronized() {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "option synchronizer: zarr-python 2 locks only Zarr v2 and v1, this is {}: open the \
             store without it",
            format.name()
        )))
    }

    /// A document, read from the store.
    fn stored_document(&self, key: &str) -> Result<Option<(Vec<u8>, Version)>> {
        let mut document = Vec::new();
        let key = Key::trusted(key.to_owned());
        let version = self.store.get_document(&key, self.max_document_size, &mut document)?;
        // a change copies it several times
        crate::metadata::json::afford(&document, 12).at(|| key.to_string())?;
        Ok(version.map(|version| (document, version)))
    }

    /// Whether each look-up is slow, and documents may be reused until they are forgotten because
    /// nothing here changes them.
    fn prefers_consolidated(&self) -> bool {
        self.store.is_remote() && self.store.read_only()
    }

    /// How many document requests to keep in flight.
    fn metadata_concurrency(&self) -> usize {
        self.store.concurrency()
    }

    /// Changes one document of a node atomically: `change` receives the current document and
    /// returns its replacement.
    fn rewrite(
        &self,
        key: &str,
        mut change: impl FnMut(Option<&[u8]>) -> Result<Vec<u8>>,
    ) -> Result<()> {
        let _held = self.store.hold(&Key::trusted(key.to_owned()))?;
        let mut attempt = 1;
        loop {
            let old = self.stored_document(key)?;
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
