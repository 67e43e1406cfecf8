//! The children of a group, and groups that exist only because something lies below them.

use super::root::Root;
use super::{Group, Hierarchy};
use crate::error::{Context, Result};
use crate::format::{ImplicitGroups, Listing, NodeKind, SharedFormat};
use crate::metadata::NodePath;
use crate::store::{Depth, Entry};
use std::collections::BTreeMap;

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
                if let Some(located) = self.locate_as(root, child).at(|| self.place(child))? {
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
                let located = self.locate_as(&root, &ancestor)?;
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
                    self.store.has_prefix(&format.children_prefix(path))?
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
            for (child, met) in self.met_below(root, &parent)? {
                match met {
                    Met::Array | Met::Group => return Ok(root.formats.first().cloned()),
                    Met::Look => {
                        let located = self.locate_as(root, &child).at(|| self.place(&child))?;
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
                level.push(child);
            }
        }
        Ok(None)
    }

    fn list_below(&self, top: &NodePath, recursive: bool) -> Result<Vec<Listed>> {
        let root = self.known_root()?;
        let mut listed = Vec::new();
        let relative = |path: &NodePath| path.as_str()[top.prefix().len()..].to_owned();
        let mut open = vec![top.clone()];
        while let Some(parent) = open.pop() {
            for (child, met) in self.met_below(&root, &parent)? {
                let Some(kind) = self.met_kind(&root, &child, met)? else { continue };
                listed.push(Listed { path: relative(&child), kind });
                if recursive && kind == Some(NodeKind::Group) {
                    open.push(child);
                }
            }
        }
        listed.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(listed)
    }
}

impl Group {
    /// Its children, sorted by path: one level, or the whole subtree.
    pub fn list(&self, recursive: bool) -> Result<Vec<Listed>> {
        self.hierarchy.list_below(&self.path, recursive)
    }
}
