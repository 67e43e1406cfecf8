//! The children of a group, and groups that exist only because something lies below them.

use super::{Group, Hierarchy};
use crate::error::{Context, Result};
use crate::format::{Format, NodeKind};
use crate::metadata::NodePath;
use crate::store::{Depth, Entry};

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

impl Hierarchy {
    /// The names of the prefixes right below a node.
    fn names_below(&self, prefix: &str) -> Result<Vec<String>> {
        let mut names = Vec::new();
        self.store.list(prefix, Depth::One, &mut |entry| {
            if let Entry::Prefix(name) = entry {
                names.push(name.to_owned());
            }
            Ok(())
        })?;
        Ok(names)
    }

    /// What the document of a node says it is. A document that cannot be read does not keep
    /// its neighbours from being listed.
    fn listed_kind(&self, path: &NodePath) -> Result<Option<Option<NodeKind>>> {
        let found = self.locate(path).at(|| self.place(path))?;
        Ok(found.map(|located| located.kind().ok()))
    }

    /// The format of the nodes below `path`, where some lie there though nothing at `path` says
    /// so; `None`: there are none.
    pub(super) fn implicit_format(&self, path: &NodePath) -> Result<Option<&'static dyn Format>> {
        let mut searched = 0;
        let mut level = vec![path.clone()];
        while let Some(parent) = level.pop() {
            for name in self.names_below(&parent.prefix())? {
                let Ok(child) = parent.join(&name) else { continue };
                if let Some(located) = self.locate(&child).at(|| self.place(&child))? {
                    return Ok(Some(located.format));
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

    fn list_below(&self, root: &NodePath, recursive: bool) -> Result<Vec<Listed>> {
        let mut listed = Vec::new();
        let relative = |path: &NodePath| path.as_str()[root.prefix().len()..].to_owned();
        let mut open = vec![root.clone()];
        while let Some(parent) = open.pop() {
            for name in self.names_below(&parent.prefix())? {
                let Ok(child) = parent.join(&name) else { continue };
                let kind = match self.listed_kind(&child)? {
                    Some(kind) => kind,
                    None => match self.implicit_format(&child)? {
                        Some(_) => Some(NodeKind::Group),
                        None => continue,
                    },
                };
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
