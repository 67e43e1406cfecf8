//! Detecting the format of a store from its root. Necessary only if a node's own documents do not
//! tell its format: those of v3, v2 and N5 do, so opening one of those never reads the root.

use super::Hierarchy;
use crate::error::{Context, Error, Kind, Result};
use crate::exec;
use crate::fork::Lazy;
use crate::format::{self, FORMATS, FormatEntry, FormatId, NodeKind, Reading, SharedFormat};
use crate::lock::Acquire;
use crate::metadata::NodePath;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};

/// What is known about a store.
#[derive(Clone)]
pub(super) struct Root {
    /// The format of the store; `None`: unknown.
    pub format: Option<SharedFormat>,
    /// The formats of its nodes, in the order in which they are tried.
    pub formats: Arc<[SharedFormat]>,
    /// The format that the caller requires.
    pub wanted: Option<FormatId>,
}

/// A shared document; `None`: it does not exist.
pub(super) type Shared = Option<Rc<Vec<u8>>>;

/// Documents by key, each fetched once.
#[derive(Default)]
pub(super) struct Seen(RefCell<Vec<(String, Shared)>>);

impl Seen {
    /// A fetched document; an error if it was not fetched.
    pub fn known(&self, key: &str) -> Result<Shared> {
        self.get(key, || Err(Error::new(Kind::Internal, "it was not examined")))
    }

    /// Fetches those of `keys` that are missing, on up to `threads` threads.
    pub fn get_all(
        &self,
        mut keys: Vec<String>,
        threads: usize,
        get: &(dyn Fn(&str) -> Result<Option<Vec<u8>>> + Sync),
    ) -> Result<()> {
        keys.sort();
        keys.dedup();
        keys.retain(|key| self.known(key).is_err());
        let got = Mutex::default();
        exec::run(threads, keys.len(), &|n| {
            let document = get(&keys[n])?;
            let mut got: MutexGuard<'_, Vec<_>> = got.acquire();
            got.push((keys[n].clone(), document));
            Ok(())
        })?;
        let got = got.release().into_iter();
        self.0.borrow_mut().extend(got.map(|(key, document)| (key, document.map(Rc::new))));
        Ok(())
    }

    pub fn get(&self, key: &str, get: impl FnOnce() -> Result<Option<Vec<u8>>>) -> Result<Shared> {
        if let Some((_, document)) = self.0.borrow().iter().find(|(k, _)| k == key) {
            return Ok(document.clone());
        }
        let document = get()?.map(Rc::new);
        self.0.borrow_mut().push((key.to_owned(), document.clone()));
        Ok(document)
    }

    /// Removes and returns a fetched document; an error if it was not fetched.
    pub fn take(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let mut seen = self.0.borrow_mut();
        match seen.iter().position(|(k, _)| k == key) {
            Some(at) if seen[at].1.is_none() => Ok(None),
            Some(at) => Ok(seen.swap_remove(at).1.map(Rc::unwrap_or_clone)),
            None => Err(Error::new(Kind::Internal, "it was not examined")),
        }
    }
}

/// Formats of which every store may hold nodes. They have no settings, so they are created once.
static STANDING_ALONE: Lazy<Arc<[SharedFormat]>> = Lazy::new(|| {
    let alone = FORMATS.iter().filter(|f| f.stands_alone);
    alone.map(|f| (f.new)(&Reading::default())).collect()
});

/// Those of them that may share a store.
static SIDE_BY_SIDE: Lazy<Arc<[SharedFormat]>> =
    Lazy::new(|| STANDING_ALONE.iter().filter(|f| f.id().shares_stores()).cloned().collect());

fn entries(wanted: Option<FormatId>) -> impl Iterator<Item = &'static FormatEntry> {
    FORMATS.iter().filter(move |f| wanted.is_none_or(|id| id == f.id))
}

/// The keys at the root that identify a format.
pub(super) fn signs(wanted: Option<FormatId>) -> Vec<&'static str> {
    let mut signs: Vec<&str> = entries(wanted).flat_map(|f| f.root_documents).copied().collect();
    let mut seen = std::collections::HashSet::new();
    signs.retain(|key| seen.insert(*key));
    signs
}

impl Root {
    /// Of a store that was not examined yet.
    pub fn new(wanted: Option<FormatId>, reading: &Reading) -> Self {
        let formats = match wanted {
            None => STANDING_ALONE.clone(),
            Some(_) => match entries(wanted).find(|f| f.stands_alone) {
                Some(format) => return Root::of((format.new)(reading), wanted),
                None => Arc::default(),
            },
        };
        Root { format: None, formats, wanted }
    }

    fn of(format: SharedFormat, wanted: Option<FormatId>) -> Self {
        Root { formats: Arc::new([format.clone()]), format: Some(format), wanted }
    }

    /// Whether the store can only have nodes of its own format.
    pub fn is_exclusive(&self) -> bool {
        self.format.as_ref().is_some_and(|f| !f.id().shares_stores())
    }
}

impl Hierarchy {
    pub(super) fn root(&self) -> Root {
        self.root.read().clone()
    }

    fn set_root(&self, root: Root) -> Root {
        *self.root.write() = root.clone();
        root
    }

    /// Call this when the root may have been deleted or replaced.
    pub fn forget_root(&self) {
        let wanted = self.root().wanted;
        self.set_root(Root::new(wanted, &self.reading));
    }

    /// Examines the root. Remembers what is found, but not that nothing is found.
    pub(super) fn recognise(&self, get: &dyn Fn(&str) -> Result<Shared>) -> Result<Root> {
        let unknown = self.root();
        if unknown.format.is_some() {
            return Ok(unknown);
        }
        let place = || format!("the root of store {}", self.store.name());
        for entry in entries(unknown.wanted) {
            for key in entry.root_documents {
                if let Some(document) = get(key)?
                    && let Some(format) = (entry.recognise)(&self.reading, &document).at(place)?
                {
                    return Ok(self.remember_root(format));
                }
            }
            if entry.shown_by_nodes {
                let format = (entry.new)(&self.reading);
                let alone = Root::of(format.clone(), unknown.wanted);
                if self.node_below(&alone, &NodePath::root())?.is_some() {
                    return Ok(self.remember_root(format));
                }
            }
        }
        Ok(unknown)
    }

    /// Remembers the store's format. Nodes of v2 and v3 are distinguished one by one.
    pub(super) fn remember_root(&self, format: SharedFormat) -> Root {
        let wanted = self.root().wanted;
        self.set_root(match wanted {
            None if format.id().shares_stores() => {
                Root { format: Some(format), formats: SIDE_BY_SIDE.clone(), wanted }
            }
            _ => Root::of(format, wanted),
        })
    }

    /// The store's format, examined if necessary.
    pub(super) fn known_root(&self) -> Result<Root> {
        let root = self.root();
        if root.format.is_some() { Ok(root) } else { self.look_at_root() }
    }

    /// Examines the root, without prefetched documents.
    pub(super) fn look_at_root(&self) -> Result<Root> {
        let seen = Seen::default();
        let root = self.recognise(&|key| seen.get(key, || self.document(key)))?;
        if self.prefers_consolidated() {
            self.keep_seen_consolidated(&seen);
        }
        Ok(root)
    }

    /// The same before a node is created. Usually the first document suffices; if it does not exist
    /// and the store is remote, one request tells whether it is empty.
    pub(super) fn new_root(&self) -> Result<Root> {
        let root = self.root();
        if root.format.is_some() {
            return Ok(root);
        }
        if self.store.was_empty() {
            self.is_empty.store(true, Ordering::Relaxed);
            return Ok(root);
        }
        let seen = Seen::default();
        let get = |key: &str| seen.get(key, || self.document(key));
        match entries(root.wanted).find_map(|f| f.root_documents.first()) {
            Some(sign)
                if get(sign)?.is_none()
                    && self.store.is_remote()
                    && !self.store.has_prefix("")? =>
            {
                self.is_empty.store(true, Ordering::Relaxed);
                return Ok(root);
            }
            _ => {}
        }
        let root = self.recognise(&get)?;
        // reuse what was fetched for the root node
        let known = |key: &str| seen.take(key);
        if let Some(format) = &root.format
            && let Ok(Some(node)) = self.node_document(format, &NodePath::root(), &known)
            && matches!(node.kind(), Ok(NodeKind::Group))
        {
            self.remember_group(&NodePath::root(), format.id());
        }
        Ok(root)
    }

    /// The format of that id for a new node; fails if the store has an exclusive other format.
    pub fn format_of(&self, id: FormatId) -> Result<SharedFormat> {
        self.format_in(&self.new_root()?, id)
    }

    /// The same in a store whose root was looked at.
    pub(super) fn format_in(&self, root: &Root, id: FormatId) -> Result<SharedFormat> {
        if let Some(format) = root.formats.iter().find(|f| f.id() == id) {
            return Ok(format.clone());
        }
        let refuse = |why: String| Err(crate::error::Error::invalid(why));
        match (&root.format, root.wanted) {
            (_, Some(wanted)) if wanted != id => refuse(format!(
                "the store was opened as {}: a node in it cannot be {}",
                wanted.name(),
                id.name()
            )),
            (Some(format), _) if !format.id().shares_stores() || !id.shares_stores() => refuse(
                format!("the store is {}: a node in it cannot be {}", format.name(), id.name()),
            ),
            _ => format::by_id(id, &self.reading),
        }
    }
}
