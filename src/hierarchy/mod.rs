//! The nodes of a store: a [`Hierarchy`] is the store and what it was opened with. [`locate`] finds
//! the documents of a node, [`consolidated`] those that one document stands for, [`root`] the format
//! of the store. [`node`] holds what is open, [`create`], [`list`] and [`delete`] do what they say,
//! [`NodeAttributes`] reads and writes attributes.

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

use crate::array::{Queue, Settings};
use crate::cache::Cache;
use crate::codec::ReadPolicy;
use crate::error::{Kind, Result};
use crate::exec;
use crate::fork::{Lock, Own};
use crate::format::{FormatId, Reading};
use crate::metadata::NodePath;
use crate::store::{Key, Options, Precondition, SharedStore, Version};
pub use consolidated::Consolidate;
use consolidated::Documents;
use root::Root;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// How often a change to a document begins anew because someone else changed it in between.
const ATTEMPTS: usize = 32;

/// A store and what was said when it was opened. Any number of threads may use it at once.
pub struct Hierarchy {
    store: SharedStore,
    settings: Settings,
    /// Bytes that a metadata document may have.
    max_document_size: u64,
    reading: Reading,
    root: Lock<Root>,
    /// `None`: for nodes that have no documents of their own.
    consolidated: Option<bool>,
    /// The documents that the root's consolidated metadata stands for.
    consolidated_documents: Lock<Option<Documents>>,
    /// Groups that are known to be there, so that creating nodes below asks only once.
    known_groups: Lock<HashMap<NodePath, FormatId>>,
    /// Held while the extent of an array is changed, where no other handle can do so.
    extents: Own<Mutex<()>>,
    /// What becomes of consolidated metadata when documents change.
    consolidate: Consolidate,
    /// The versions of documents of groups that are known not to be consolidated.
    unconsolidated: Lock<HashMap<String, Version>>,
    /// Whether documents have changed that are consolidated on close.
    has_changed: AtomicBool,
    /// Whether the store was found empty by the creation of a node that is under way, which need
    /// not look for others then.
    is_empty: AtomicBool,
    closed: AtomicBool,
}

impl Hierarchy {
    /// The nodes of `store`.
    pub fn new(store: SharedStore, options: &Options) -> Self {
        let reading = Reading {
            data_type_fallback: options.data_type_fallback(),
            v1_writer_order: options.v1_writer_order(),
            mask_and_scale: options.mask_and_scale(),
        };
        // the table of options knows no other numbers
        let wanted = FormatId::from_number(options.format()).unwrap_or_default();
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
                memory: options.memory_limit().max(1),
                requests: Arc::new(Queue::new(options.queue_bytes(), options.queue_waits())),
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
        }
    }

    /// The same store, as its nodes' own documents have it.
    pub fn as_stored(&self) -> Hierarchy {
        self.as_root(self.root())
    }

    /// The same store, of which only the nodes of one format are seen.
    pub fn as_format(&self, id: FormatId) -> Hierarchy {
        self.as_root(Root::new(Some(id), &self.reading))
    }

    fn as_root(&self, root: Root) -> Hierarchy {
        Hierarchy {
            store: self.store.clone(),
            settings: self.settings.clone(),
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
        }
    }

    /// What the options say about its arrays.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How its documents are read.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// The store.
    pub fn store(&self) -> &SharedStore {
        &self.store
    }

    /// Completes what the store puts off until it is closed; so does each array that is closed
    /// or flushed from then on.
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

    /// A document as it is in the store.
    fn stored_document(&self, key: &str) -> Result<Option<(Vec<u8>, Version)>> {
        let mut document = Vec::new();
        let key = Key::trusted(key.to_owned());
        let version = self.store.get_document(&key, self.max_document_size, &mut document)?;
        Ok(version.map(|version| (document, version)))
    }

    /// Whether each look into the store takes long, and what was seen of its documents may be used
    /// until they are forgotten, as nothing here changes them.
    fn prefers_consolidated(&self) -> bool {
        self.store.is_remote() && self.store.read_only()
    }

    /// How many requests to have under way for documents.
    fn metadata_concurrency(&self) -> usize {
        self.store.concurrency()
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
