//! The children of a group, and groups that exist only because something lies below them.

use super::root::Root;
use super::{Group, Hierarchy};
use crate::error::{Context, Error, Kind, Result};
use crate::exec;
use crate::format::{ImplicitGroups, Listing, NodeKind, SharedFormat};
use crate::metadata::NodePath;
use crate::store::{Depth, Entry};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// A node that a listing met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Relative to the group that was listed.
    pub path: String,
    /// `None`: something is there, but its document cannot be read.
    pub kind: Option<NodeKind>,
}

/// Prefixes looked at, at most, to find out whether a group is implied.
const SEARCHED: usize = 10_000;

/// How deep nodes lie that are listed. A name of thousands of segments would else make as many
/// groups, of which each takes time with what lies below it.
const MAX_DEPTH: usize = 128;

/// What the keys and prefixes of one name say about a child, the most telling last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Met {
    /// It is a group if anything lies below it.
    Implied,
    /// Its documents have to be looked at.
    Look,
    Group,
    Array,
}

impl Hierarchy {
    /// What may be a child of `parent`.
    fn met_below(&self, root: &Root, parent: &NodePath) -> Result<BTreeMap<NodePath, Met>> {
        let mut met = BTreeMap::new();
        // formats that share a store share their places
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

    /// What is there, as far as can be told without looking above; `Some(None)`: something
    /// whose document cannot be read, which does not keep its neighbours from being listed.
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

    /// The format of the nodes below `path`, where some lie there though nothing at `path` says
    /// so; `None`: there are none.
    pub(super) fn implicit_format(&self, path: &NodePath) -> Result<Option<SharedFormat>> {
        let root = self.known_root()?;
        let found = self.implied_in(&root, path)?;
        let Some(format) = &found else { return Ok(None) };
        if format.implicit_groups() == ImplicitGroups::EveryPrefix {
            // chunks lie below prefixes, too
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

    /// All nodes below `top`, as their own documents have them.
    pub fn list_stored(&self, top: &NodePath) -> Result<Vec<Listed>> {
        let root = self.known_root()?;
        self.listed_in_store(&root, top, true)
    }

    /// The formats that nodes at `path` and below it may be in.
    pub fn formats_at(&self, path: &NodePath) -> Result<Vec<SharedFormat>> {
        let root = self.known_root()?;
        match self.format_at(path) {
            Ok(format) if root.formats.iter().all(|f| f.id() != format.id()) => Ok(vec![format]),
            _ if root.format.is_some() => Ok(root.formats.to_vec()),
            // in a store that nobody knows, only what speaks for itself
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

    /// What consolidated metadata has below `top`, where it goes before what is in the store.
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
                listed.push(Listed { path: below.to_owned(), kind: located.kind().ok() });
            }
        }
        Ok(Some(listed))
    }

    /// What is in the store below `top`: where each request takes long, the groups of a level and
    /// what they hold at the same time.
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
                listed.push(Listed { path, kind });
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

    /// What `look` finds for each of `items`, in their order.
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

/// `None`: the store cannot say, as it lists nothing.
fn unless_unlisted<T>(listed: Result<T>) -> Result<Option<T>> {
    match listed {
        Err(e) if e.kind() == Kind::Unsupported => Ok(None),
        other => other.map(Some),
    }
}

impl Group {
    /// Its children, sorted by path: one level, or the whole subtree.
    pub fn list(&self, recursive: bool) -> Result<Vec<Listed>> {
        self.hierarchy.list_below(&self.path, recursive)
    }
}
