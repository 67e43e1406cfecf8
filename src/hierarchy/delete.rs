//! Deleting a node and everything below it.

use super::Hierarchy;
use super::consolidated::Changed;
use crate::error::{Context, Kind, Result};
use crate::format::NodeKind;
use crate::metadata::NodePath;
use crate::progress::Progress;
use crate::store::{Key, Precondition};
use std::sync::Arc;

impl Hierarchy {
    /// Deletes the node at `path` and all nodes below it one by one, deepest first; returns their
    /// number. A cancelled call leaves the remaining nodes intact, `path` among them.
    pub fn delete_each(self: &Arc<Self>, path: &NodePath, progress: &Progress<'_>) -> Result<u64> {
        if self.store.read_only() {
            return Err(crate::store::refuse_change(&*self.store));
        }
        progress.check()?;
        let mut below = match self.kind_at(path) {
            Ok(Some(NodeKind::Group)) => self.open_group(path)?.list(true)?,
            // the call of `delete` below reports the error, or deletes nodes that cannot be read
            _ => Vec::new(),
        };
        below.sort_by_key(|node| std::cmp::Reverse(node.path.matches('/').count()));
        let all = (below.len() + 1) as f64;
        for (n, node) in below.iter().enumerate() {
            let node = path.join(&node.path)?;
            match self.delete(&node) {
                // an implicit group vanished with the nodes below it
                Err(e) if e.kind() == Kind::NotFound => {}
                deleted => deleted?,
            }
            progress.report((n + 1) as f64 / all, || node.to_string())?;
        }
        match self.delete(path) {
            Err(e) if e.kind() == Kind::NotFound && !below.is_empty() => {}
            deleted => deleted?,
        }
        // too late to cancel: everything is deleted
        let _ = progress.report(1.0, || path.to_string());
        Ok(all as u64)
    }

    /// Deletes the node at `path` and all below it. [`Kind::NotFound`]: there is none.
    pub fn delete(&self, path: &NodePath) -> Result<()> {
        if self.store.read_only() {
            return Err(crate::store::refuse_change(&*self.store));
        }
        let there = match self.locate(path) {
            // unreadable nodes can still be deleted
            Err(e) if e.kind() == Kind::InvalidMetadata => true,
            found => found?.is_some(),
        };
        if !there && self.implicit_format(path)?.is_none() {
            return Err(self.not_found(path, "node"));
        }
        self.known_groups.write().clear();
        let formats = self.root().formats;
        for format in &*formats {
            self.check_consolidated(&**format, path, NodeKind::Group).at(|| self.place(path))?;
        }
        if path.is_root() {
            self.forget_root();
        }
        // delete its documents first: a partly deleted node no longer exists
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
        prefixes.iter().try_for_each(|p| self.store.erase_prefix(p)).at(|| self.place(path))?;
        for format in &*formats {
            self.documents_changed(&**format, path, NodeKind::Group, Changed::Deleted)
                .at(|| self.place(path))?;
        }
        Ok(())
    }
}
