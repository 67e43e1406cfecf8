//! The children of a group, and implicit groups, which exist only because of nodes below them.

use super::root::Root;
use super::{Group, Hierarchy};
use crate::error::{Context, Error, Kind, Result};
use crate::exec;
use crate::format::{ImplicitGroups, Listing, NodeKind, SharedFormat};
use crate::metadata::NodePath;
use crate::store::{Depth, Entry};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// A node in a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Relative to the listed group.
    pub path: String,
    /// `None`: its document cannot be read.
    pub kind: Option<NodeKind>,
}

/// Limit of the prefixes that are examined to find out whether a group is implicit.
const SEARCHED: usize = 10_000;

/// Limit of the depth of listed nodes. A name of thousands of segments would otherwise make as many
/// groups, each of which costs time.
const MAX_DEPTH: usize = 128;

/// What the keys and prefixes of one name say about a child, the strongest evidence last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Met {
    /// A group if there are nodes below it.
    Implied,
    /// Its documents must be examined.
    Look,
    Group,
    Array,
}

impl Hierarchy {
    /// The possible children of `parent`.
    fn met_below(&self, root: &Root, parent: &NodePath) -> Result<BTreeMap<NodePath, Met>> {
        let mut met = BTreeMap::new();
        // formats that share a store use the same places
        let Some(format) = root.formats.first() else { return Ok(met) };
        self.store.list(&format.children_prefix(parent), Depth::One, &mut |entry| {
            let listing = match entry {
                Entry::Key(name) => format.listed(name, false),
                Entry::Prefix(name) => format.listed(name, true),
            };
            let (name, says) = match listing {
                Listing::Node(name, NodeKind::Array) => (name, Met::Array),
                Listing::Node(name, NodeKind::Group) => (name, Met::Group),
                Listing::Look(name) => (name, Met::Look),
                Listing::Implied(name) => (name, Met::Implied),
                Listing::Nothing => return Ok(()),
            };
            if let Ok(child) = parent.join(name)
                && child.name() == name
            {
                let known = met.entry(child).or_insert(says);
                *known = says.max(*known);
            }
            Ok(())
        })?;
        Ok(met)
    }

    /// The kind of a child, from its own documents; `Some(None)`: its document cannot be read,
    /// which must not prevent its neighbours from being listed.
    fn met_kind(
        &self,
        root: &Root,
        child: &NodePath,
        met: Met,
    ) -> Result<Option<Option<NodeKind>>> {
        match met {
            Met::Array => return Ok(Some(Some(NodeKind::Array))),
            Met::Group => return Ok(Some(Some(NodeKind::Group))),
            Met::Implied => {}
            Met::Look => {
                if let Some(located) = self.locate_in_root(root, child).at(|| self.place(child))? {
                    return Ok(Some(located.kind().ok()));
                }
            }
        }
        Ok(self.implied_in(root, child)?.map(|_| Some(NodeKind::Group)))
    }

    /// The format of the nodes below `path`, if `path` itself has no document; `None`: there are
    /// none.
    pub(super) fn implicit_format(&self, path: &NodePath) -> Result<Option<SharedFormat>> {
        let root = self.known_root()?;
        let found = self.implied_in(&root, path)?;
        let Some(format) = &found else { return Ok(None) };
        if format.implicit_groups() == ImplicitGroups::EveryPrefix {
            // chunks lie below prefixes too
            let mut above = path.parent();
            while let Some(ancestor) = above {
                let located = self.locate_in_root(&root, &ancestor)?;
                if located.is_some_and(|l| matches!(l.kind(), Ok(NodeKind::Array))) {
                    return Ok(None);
                }
                above = ancestor.parent();
            }
        }
        Ok(found)
    }

    fn implied_in(&self, root: &Root, path: &NodePath) -> Result<Option<SharedFormat>> {
        if let Some(format) = &root.format {
            let there = match format.implicit_groups() {
                ImplicitGroups::Never => false,
                ImplicitGroups::EveryPrefix => {
                    let below = self.store.has_prefix(&format.children_prefix(path));
                    unless_unlisted(below)?.unwrap_or(false)
                }
                ImplicitGroups::AboveNodesAndRoot if path.is_root() => true,
                _ => return self.node_below(root, path),
            };
            return Ok(there.then(|| format.clone()));
        }
        self.node_below(root, path)
    }

    /// The format of any node below `path`.
    pub(super) fn node_below(&self, root: &Root, path: &NodePath) -> Result<Option<SharedFormat>> {
        let mut searched = 0;
        let mut level = vec![path.clone()];
        while let Some(parent) = level.pop() {
            let below = unless_unlisted(self.met_below(root, &parent))?;
            for (child, met) in below.into_iter().flatten() {
                match met {
                    Met::Array | Met::Group => return Ok(root.formats.first().cloned()),
                    Met::Look => {
                        let located =
                            self.locate_in_root(root, &child).at(|| self.place(&child))?;
                        if let Some(located) = located {
                            return Ok(Some(located.format));
                        }
                    }
                    Met::Implied => {}
                }
                searched += 1;
                if searched > SEARCHED {
                    return Ok(None);
                }
                if child.depth() < MAX_DEPTH {
                    level.push(child);
                }
            }
        }
        Ok(None)
    }

    /// All nodes below `top`, by their own documents.
    pub fn list_stored(&self, top: &NodePath) -> Result<Vec<Listed>> {
        let root = self.known_root()?;
        self.listed_in_store(&root, top, true)
    }

    /// The possible formats of nodes at `path` and below it.
    pub fn formats_at(&self, path: &NodePath) -> Result<Vec<SharedFormat>> {
        let root = self.known_root()?;
        match self.format_at(path) {
            Ok(format) if root.formats.iter().all(|f| f.id() != format.id()) => Ok(vec![format]),
            _ if root.format.is_some() => Ok(root.formats.to_vec()),
            // in a store of unknown format, only documents that identify their format
            Ok(format) => Ok(vec![format]),
            Err(e) if matches!(e.kind(), Kind::InvalidMetadata | Kind::NotFound) => {
                Ok(root.formats.to_vec())
            }
            Err(e) => Err(e),
        }
    }

    fn list_below(&self, top: &NodePath, recursive: bool) -> Result<Vec<Listed>> {
        let root = self.known_root()?;
        let mut listed = match self.listed_consolidated(&root, top, recursive)? {
            Some(listed) => listed,
            None => self.listed_in_store(&root, top, recursive)?,
        };
        listed.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(listed)
    }

    /// The nodes below `top` in consolidated metadata, if it takes precedence over the store.
    fn listed_consolidated(
        &self,
        root: &Root,
        top: &NodePath,
        recursive: bool,
    ) -> Result<Option<Vec<Listed>>> {
        let documents = match self.consolidated {
            None if self.prefers_consolidated() => self.load_consolidated()?,
            Some(true) => self.load_consolidated()?,
            _ => return Ok(None),
        };
        if documents.is_empty() {
            return Ok(None);
        }
        let prefix = top.prefix();
        let mut paths = BTreeSet::new();
        for key in documents.keys() {
            if let Some((path, _)) = key.rsplit_once('/')
                && let Some(below) = path.strip_prefix(&prefix)
                && (recursive || !below.contains('/'))
            {
                paths.insert((path, below));
            }
        }
        let mut listed = Vec::new();
        for (path, below) in paths {
            let located = self.locate_among(root, &NodePath::parse(path)?, &|key| {
                Ok(documents.get(key).cloned())
            })?;
            if let Some(located) = located {
                let node = Listed { path: below.to_owned(), kind: located.kind().ok() };
                crate::source::push(&mut listed, node)?;
            }
        }
        Ok(Some(listed))
    }

    /// The nodes in the store below `top`; on remote stores, examines the groups of a level
    /// concurrently.
    fn listed_in_store(&self, root: &Root, top: &NodePath, recursive: bool) -> Result<Vec<Listed>> {
        let mut listed = Vec::new();
        let mut level = vec![top.clone()];
        while !level.is_empty() {
            let met = self.each_of(&level, |parent| self.met_below(root, parent))?;
            let met: Vec<(NodePath, Met)> = met.into_iter().flatten().collect();
            let kinds = self.each_of(&met, |(child, met)| self.met_kind(root, child, *met))?;
            level.clear();
            let mut too_deep = None;
            for ((child, _), kind) in met.into_iter().zip(kinds) {
                let Some(kind) = kind else { continue };
                let path = child.as_str()[top.prefix().len()..].to_owned();
                crate::source::push(&mut listed, Listed { path, kind })?;
                if recursive && kind == Some(NodeKind::Group) {
                    too_deep = (child.depth() >= MAX_DEPTH).then(|| child.clone());
                    level.push(child);
                }
            }
            if let Some(path) = too_deep {
                let message = format!("groups nest deeper than {MAX_DEPTH} at {path}");
                return Err(Error::new(Kind::LimitExceeded, message)).at(|| self.store.name());
            }
        }
        Ok(listed)
    }

    /// The results of `look` for each of `items`, in their order.
    fn each_of<T: Sync, R: Send + Sync>(
        &self,
        items: &[T],
        look: impl Fn(&T) -> Result<R> + Sync,
    ) -> Result<Vec<R>> {
        let found: Vec<OnceLock<R>> = items.iter().map(|_| OnceLock::new()).collect();
        exec::run(self.metadata_concurrency(), items.len(), &|n| {
            let _ = found[n].set(look(&items[n])?);
            Ok(())
        })?;
        Ok(found.into_iter().filter_map(OnceLock::into_inner).collect())
    }
}

/// `None`: the store cannot list.
fn unless_unlisted<T>(listed: Result<T>) -> Result<Option<T>> {
    match listed {
        Err(e) if e.kind() == Kind::Unsupported => Ok(None),
        other => other.map(Some),
    }
}

impl Group {
    /// Its descendants, sorted by path: one level, or the whole subtree.
    pub fn list(&self, recursive: bool) -> Result<Vec<Listed>> {
        self.hierarchy.list_below(&self.path, recursive)
    }
}
