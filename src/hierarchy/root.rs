//! Which format a store is in. The root says so, and for the store as a whole; it is looked at when a
//! node is not found by documents that speak for themselves, which those of v3, v2 and N5 do, so
//! that opening one of those costs no look at the root.

use super::Hierarchy;
use crate::error::{Context, Error, Kind, Result};
use crate::exec;
use crate::format::{self, FORMATS, FormatEntry, FormatId, NodeKind, Reading, SharedFormat};
use crate::metadata::NodePath;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};

/// What is known about a store.
#[derive(Clone)]
pub(super) struct Root {
    /// The format of the store; `None`: not known, or not yet.
    pub format: Option<SharedFormat>,
    /// The formats that its nodes may be in, in the order in which they are looked for.
    pub formats: Arc<[SharedFormat]>,
    /// The one that the caller wants.
    pub wanted: Option<FormatId>,
}

/// A document that several look at; `None`: there is none.
pub(super) type Shared = Option<Rc<Vec<u8>>>;

/// A document per key, got once.
#[derive(Default)]
pub(super) struct Seen(RefCell<Vec<(String, Shared)>>);

impl Seen {
    /// What was got before; an error where nothing was.
    pub fn known(&self, key: &str) -> Result<Shared> {
        self.get(key, || Err(Error::new(Kind::Internal, "it was not looked at")))
    }

    /// Gets those of `keys` that were not got before, on up to `threads` threads.
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
            let mut got: MutexGuard<'_, Vec<_>> = got.lock().unwrap_or_else(|e| e.into_inner());
            got.push((keys[n].clone(), document));
            Ok(())
        })?;
        let got = got.into_inner().unwrap_or_else(|e| e.into_inner()).into_iter();
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

    /// What was got before, for the last time; an error where nothing was.
    pub fn take(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let mut seen = self.0.borrow_mut();
        match seen.iter().position(|(k, _)| k == key) {
            Some(at) if seen[at].1.is_none() => Ok(None),
            Some(at) => Ok(seen.swap_remove(at).1.map(Rc::unwrap_or_clone)),
            None => Err(Error::new(Kind::Internal, "it was not looked at")),
        }
    }
}

/// Formats of which every store may hold nodes. They are read in one way only, and a store is opened
/// by naming them, so they are made once.
static STANDING_ALONE: LazyLock<Arc<[SharedFormat]>> = LazyLock::new(|| {
    let alone = FORMATS.iter().filter(|f| f.stands_alone);
    alone.map(|f| (f.new)(&Reading::default())).collect()
});

/// Those of them that lie in a store side by side.
static SIDE_BY_SIDE: LazyLock<Arc<[SharedFormat]>> =
    LazyLock::new(|| STANDING_ALONE.iter().filter(|f| f.id().shares_stores()).cloned().collect());

fn entries(wanted: Option<FormatId>) -> impl Iterator<Item = &'static FormatEntry> {
    FORMATS.iter().filter(move |f| wanted.is_none_or(|id| id == f.id))
}

/// The keys at the root that a format is known by.
pub(super) fn signs(wanted: Option<FormatId>) -> Vec<&'static str> {
    let mut signs: Vec<&str> = entries(wanted).flat_map(|f| f.root_documents).copied().collect();
    let mut seen = std::collections::HashSet::new();
    signs.retain(|key| seen.insert(*key));
    signs
}

impl Root {
    /// Of a store that nobody has looked at yet.
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

    /// Whether the nodes of the store can only be in its own format.
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

    /// To be called when the root may have gone, or become something else.
    pub fn forget_root(&self) {
        let wanted = self.root().wanted;
        self.set_root(Root::new(wanted, &self.reading));
    }

    /// Looks at the root. What is found is remembered; that nothing is found is not.
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

    /// Keeps what the store is. Nodes of v2 and v3 are told apart one by one.
    pub(super) fn remember_root(&self, format: SharedFormat) -> Root {
        let wanted = self.root().wanted;
        self.set_root(match wanted {
            None if format.id().shares_stores() => {
                Root { format: Some(format), formats: SIDE_BY_SIDE.clone(), wanted }
            }
            _ => Root::of(format, wanted),
        })
    }

    /// What the store is, looked at if need be.
    pub(super) fn known_root(&self) -> Result<Root> {
        let root = self.root();
        if root.format.is_some() { Ok(root) } else { self.look_at_root() }
    }

    /// Looks at the root, where nothing of it was got before.
    pub(super) fn look_at_root(&self) -> Result<Root> {
        self.recognise(&|key| Ok(self.document(key)?.map(Rc::new)))
    }

    /// The same before something is created. Mostly the first document says it; where that is not
    /// there and each look takes long, one at all there is may save those for the others.
    pub(super) fn new_root(&self) -> Result<Root> {
        let root = self.root();
        if root.format.is_some() {
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
        // where what was got tells what the root node is, it is not got once more
        let known = |key: &str| seen.take(key);
        if let Some(format) = &root.format
            && let Ok(Some(node)) = self.node_document(format, &NodePath::root(), &known)
            && matches!(node.kind(), Ok(NodeKind::Group))
        {
            self.remember_group(&NodePath::root(), format.id());
        }
        Ok(root)
    }

    /// The format of that id for a new node; refused where the store is of another that leaves
    /// no room for it.
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
                "the store was opened as {}, a node of it cannot be {}",
                wanted.name(),
                id.name()
            )),
            (Some(format), _) if !format.id().shares_stores() || !id.shares_stores() => refuse(
                format!("the store is {}, a node of it cannot be {}", format.name(), id.name()),
            ),
            _ => format::by_id(id, &self.reading),
        }
    }
}
