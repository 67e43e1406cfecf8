//! An HDF5 file (also netCDF-4) as references: groups and datasets are nodes of Zarr v2. This
//! module makes their documents ([`documents`]). Their chunks are ranges of the file where
//! possible, and are then read and decoded without libhdf5. Other chunks are read by libhdf5 and
//! become values of their own.
//!
//! What Zarr cannot represent is left out, and [`References::losses`] lists it. Links out of the
//! file are never followed, nor are links to an enclosing group, which would form a cycle.

mod documents;

use super::{Part, References, beside};
use crate::error::{Context, Error, Kind, Result};
use crate::fork::Own;
use crate::hdf5::{self, File, Id, Session, Storage, Target, attribute, session};
use crate::lock::Acquire;
use crate::metadata::NodePath;
use crate::store::{Blob, Depth, Entry, Key, Mode, Options, SharedStore, check_prefix};
use lru::LruCache;
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// The most nodes kept open.
const OPEN: usize = 1024;

/// The deepest nesting of groups, and the most nodes of one listing: hard links can make one group
/// appear at many paths.
const MAX_DEPTH: usize = 64;
const MAX_NODES: usize = 1 << 20;

/// Names that collide with documents.
const DOCUMENTS: [&str; 3] = [".zarray", ".zgroup", ".zattrs"];

struct Hdf5 {
    /// Dropped before the file.
    known: Own<Mutex<Known>>,
    file: File,
    /// The file's name, relative to its directory.
    name: Arc<str>,
}

/// What has been looked up in the file.
struct Known {
    nodes: LruCache<String, Arc<Node>>,
    /// The longest extent along each dimension scale, by the scale's address.
    extents: HashMap<u64, u64>,
}

impl Default for Known {
    fn default() -> Self {
        let nodes = LruCache::new(NonZeroUsize::MIN.saturating_add(OPEN - 1));
        Known { nodes, extents: HashMap::new() }
    }
}

/// A node of the file.
enum Node {
    Group(Group),
    Array(Box<Array>),
}

struct Group {
    id: Id,
    /// The addresses of this group and its ancestors.
    above: Vec<u64>,
    children: OnceLock<Children>,
}

struct Array {
    storage: Storage,
    /// Whether it is a dimension scale.
    scale: bool,
}

/// What a group holds.
#[derive(Default)]
struct Children {
    names: Vec<String>,
    /// What is left out, and why.
    losses: Vec<String>,
}

/// Opens the HDF5 file `blob`.
///
/// [`Kind::CorruptData`]: it is not HDF5; [`Kind::PermissionDenied`]: the mode would write;
/// [`Kind::Unsupported`]: libhdf5 is not installed, or the file is not local.
pub fn open(blob: Blob, mode: Mode, options: &Options) -> Result<SharedStore> {
    let name = blob.name();
    let place = || format!("HDF5 file {name}");
    if mode != Mode::Read {
        let why = "an HDF5 file is only read; zarrc_hdf5_export() writes a new one";
        return Err(Error::new(Kind::PermissionDenied, why)).at(place);
    }
    let path = blob.into_path("HDF5")?;
    let opened = || -> Result<Hdf5> {
        check_signature(&path)?;
        let file = File::open(&session()?, &path)?;
        let file_name = path.file_name().and_then(|name| name.to_str());
        let file_name =
            file_name.filter(|name| !name.contains(['|', '\\']) && !name.contains("::"));
        let file_name = file_name.ok_or_else(|| {
            Error::unsupported("its name has a character that URLs cannot have, or is no UTF-8")
        })?;
        // a name with a colon would be parsed as a URL with a scheme
        let file_name = match file_name.contains(':') {
            true => format!("./{file_name}"),
            false => file_name.to_owned(),
        };
        Ok(Hdf5 { file, name: file_name.into(), known: Own::new() })
    };
    let references = Box::new(opened().at(place)?);
    beside(Blob::File(path), references, options)
}

/// Detects netCDF-3 files, whose names look alike.
fn check_signature(path: &Path) -> Result<()> {
    let mut start = [0; 3];
    let read = std::fs::File::open(path)
        .and_then(|mut file| std::io::Read::read_exact(&mut file, &mut start));
    match read.is_ok() && &start == b"CDF" {
        true => Err(Error::unsupported(
            "it is of netCDF-3, which is no HDF5: nccopy -k nc4 makes a netCDF-4 file of it",
        )),
        false => Ok(()),
    }
}

impl Hdf5 {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.get().acquire()
    }

    /// The node at a path; `None`: there is none.
    fn node(&self, path: &str) -> Result<Option<Arc<Node>>> {
        if let Some(node) = self.known().nodes.get(path) {
            return Ok(Some(node.clone()));
        }
        let s = session()?;
        let mut node: Option<Arc<Node>> = None;
        let mut at = String::new();
        for name in std::iter::once("").chain(path.split('/').filter(|name| !name.is_empty())) {
            if !at.is_empty() && !name.is_empty() {
                at.push('/');
            }
            at.push_str(name);
            // released before the next open, which may need the lock
            let kept = self.known().nodes.get(&at).cloned();
            let next = match (kept, node.as_deref()) {
                (Some(kept), _) => Some(kept),
                (None, None) => {
                    let id = self.file.root(&s)?;
                    let above = vec![self.file.address(&s, &id)?];
                    Some(Arc::new(Node::Group(Group { id, above, children: OnceLock::new() })))
                }
                (None, Some(Node::Group(group))) => {
                    match self.children(&s, group)?.names.iter().any(|child| child == name) {
                        true => self.child(&s, group, name)?.map(Arc::new),
                        false => None,
                    }
                }
                (None, Some(Node::Array(_))) => None,
            };
            let Some(next) = next else { return Ok(None) };
            self.known().nodes.put(at.clone(), next.clone());
            node = Some(next);
        }
        Ok(node)
    }

    /// The longest extent along a scale, looked up once.
    fn longest(&self, s: &Session, scale: &Id, look: &dyn Fn() -> u64) -> Option<u64> {
        let address = self.file.address(s, scale).ok()?;
        if let Some(extent) = self.known().extents.get(&address) {
            return Some(*extent);
        }
        let extent = look();
        self.known().extents.insert(address, extent);
        Some(extent)
    }

    /// The target of a group's link; `None`: it is no node, and nothing is lost.
    fn child(&self, s: &Session, group: &Group, name: &str) -> Result<Option<Node>> {
        match self.file.follow(s, &group.id, name)? {
            Target::Group(id) => {
                let address = self.file.address(s, &id)?;
                if group.above.contains(&address) {
                    return Err(Error::unsupported("it leads back to a group above it"));
                }
                if group.above.len() >= MAX_DEPTH {
                    let what = format!("groups nest deeper than {MAX_DEPTH}");
                    return Err(Error::new(Kind::LimitExceeded, what));
                }
                let above = [&group.above[..], &[address]].concat();
                Ok(Some(Node::Group(Group { id, above, children: OnceLock::new() })))
            }
            Target::Dataset(id) => {
                let scale = attribute::is_scale(s, &id);
                if scale && attribute::is_only_extent(s, &id) {
                    return Ok(None);
                }
                let mut storage = Storage::of(s, &self.file, id)?;
                if storage.is_unlimited() {
                    let longest = |scale: &Id, look: &dyn Fn() -> u64| self.longest(s, scale, look);
                    let (dataset, rank) = (&storage.dataset, storage.shape.len());
                    let extents = attribute::dimension_extents(s, dataset, rank, scale, &longest);
                    storage.extend(&extents);
                }
                if documents::codecs(&storage).is_none() {
                    storage.read_by_library()?;
                }
                Ok(Some(Node::Array(Box::new(Array { storage, scale }))))
            }
            Target::Other => Err(Error::unsupported("it is a type that has a name")),
        }
    }

    fn children<'a>(&self, s: &Session, group: &'a Group) -> Result<&'a Children> {
        if let Some(children) = group.children.get() {
            return Ok(children);
        }
        let mut children = Children::default();
        for link in self.file.links(s, &group.id)? {
            let shown = String::from_utf8_lossy(&link.name).into_owned();
            let look = || -> Result<bool> {
                if link.leaves_file {
                    return Err(Error::unsupported("it is a link out of the file"));
                }
                let name = std::str::from_utf8(&link.name)
                    .map_err(|_| Error::unsupported("its name is no UTF-8"))?;
                let fits = !DOCUMENTS.contains(&name) && !name.contains('/');
                if !fits || NodePath::parse(name).is_err() {
                    return Err(Error::unsupported("its name cannot be that of a node"));
                }
                Ok(self.child(s, group, name)?.is_some())
            };
            match look() {
                Ok(true) => children.names.push(shown),
                Ok(false) => {}
                Err(e) if matches!(e.kind(), Kind::OutOfMemory | Kind::LimitExceeded) => {
                    return Err(e);
                }
                Err(e) => children.losses.push(format!("{shown} is left out: {e}")),
            }
        }
        Ok(group.children.get_or_init(|| children))
    }

    /// A document of a node; `None`: it has none of that name.
    fn document(&self, path: &str, node: &Node, name: &str) -> Result<Option<Vec<u8>>> {
        let s = session()?;
        match (node, name) {
            (Node::Group(_), ".zgroup") => Ok(Some(documents::GROUP.into())),
            (Node::Array(array), ".zarray") => documents::array(&s, &array.storage).map(Some),
            (Node::Group(group), ".zattrs") => documents::of_group(&s, &group.id),
            (Node::Array(array), ".zattrs") => {
                let name = path.rsplit('/').next().unwrap_or_default();
                documents::of_array(&s, &array.storage, array.scale.then_some(name))
            }
            _ => Ok(None),
        }
        .at(|| format!("{path}/{name}"))
    }

    fn part_of(&self, path: &str, name: &str) -> Result<Option<Part>> {
        if DOCUMENTS.contains(&name) {
            let Some(node) = self.node(path)? else { return Ok(None) };
            let text = self.document(path, &node, name)?;
            return Ok(text.map(|text| Part::Inline(text.into())));
        }
        let Some(index) = chunk_index(name) else { return Ok(None) };
        let Some(node) = self.node(path)? else { return Ok(None) };
        let Node::Array(array) = &*node else { return Ok(None) };
        let storage = &array.storage;
        // a zero-dimensional array has one chunk, 0
        let index = if storage.shape.is_empty() && index == [0] { Vec::new() } else { index };
        Ok(match storage.part(&index)? {
            None => None,
            Some(hdf5::Part::Range(offset, size)) => {
                Some(Part::File(self.name.clone(), Some((offset, size))))
            }
            Some(hdf5::Part::Read) => Some(Part::Inline(storage.read(&session()?, &index)?.into())),
        })
    }

    /// The keys of a node, and the names of its children.
    fn keys(&self, path: &str, node: &Node) -> Result<(Vec<String>, Vec<String>)> {
        let mut keys = Vec::new();
        for name in DOCUMENTS {
            if self.document(path, node, name)?.is_some() {
                keys.push(name.to_owned());
            }
        }
        let children = match node {
            Node::Group(group) => self.children(&session()?, group)?.names.clone(),
            Node::Array(array) => {
                for index in array.storage.stored()? {
                    keys.try_reserve(1)
                        .map_err(|_| Error::new(Kind::OutOfMemory, "no memory for the keys"))?;
                    keys.push(chunk_name(&index));
                }
                Vec::new()
            }
        };
        Ok((keys, children))
    }
}

/// Parses the index in a chunk's key; `None`: it is not a chunk key.
fn chunk_index(name: &str) -> Option<Vec<u64>> {
    let number = |text: &str| {
        let plain =
            text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
        text.parse().ok().filter(|_| plain)
    };
    name.split('.').map(number).collect()
}

fn chunk_name(index: &[u64]) -> String {
    match index {
        [] => "0".to_owned(),
        index => index.iter().map(u64::to_string).collect::<Vec<_>>().join("."),
    }
}

impl References for Hdf5 {
    fn part(&self, key: &Key) -> Result<Option<Part>> {
        let (path, name) = key.as_str().rsplit_once('/').unwrap_or(("", key.as_str()));
        self.part_of(path, name)
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        check_prefix(prefix)?;
        let top = prefix.trim_end_matches('/');
        let mut waiting = vec![String::new()];
        let mut met = 0;
        while let Some(below) = waiting.pop() {
            met += 1;
            if met > MAX_NODES {
                let what = format!("the file has more than {MAX_NODES} nodes");
                return Err(Error::new(Kind::LimitExceeded, what));
            }
            let join = |a: &str, b: &str| match (a, b) {
                ("", b) => b.to_owned(),
                (a, "") => a.to_owned(),
                (a, b) => format!("{a}/{b}"),
            };
            let path = join(top, &below);
            let Some(node) = self.node(&path)? else { continue };
            let (keys, children) = self.keys(&path, &node)?;
            for key in keys {
                each(Entry::Key(&join(&below, &key)))?;
            }
            for child in children {
                match depth {
                    Depth::One => each(Entry::Prefix(&child))?,
                    Depth::All => waiting.push(join(&below, &child)),
                }
            }
        }
        Ok(())
    }

    fn some_url(&self) -> Option<(Key, Arc<str>)> {
        Some((Key::trusted("x".to_owned()), self.name.clone()))
    }

    fn losses(&self, path: &str) -> Result<Vec<String>> {
        let s = session()?;
        let Some(node) = self.node(path)? else { return Ok(Vec::new()) };
        let mut losses = match &*node {
            Node::Group(group) => self.children(&s, group)?.losses.clone(),
            Node::Array(array) => array.storage.element.notes.clone(),
        };
        let (object, scale) = match &*node {
            Node::Group(group) => (&group.id, false),
            Node::Array(array) => (&array.storage.dataset, array.scale),
        };
        losses.extend(documents::attributes(&s, object, scale)?.losses);
        Ok(losses)
    }
}
