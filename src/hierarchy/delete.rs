//! Deleting a node and everything below it.

use super::Hierarchy;
use super::consolidated::Changed;
use crate::error::{Context, Kind, Result};
use crate::exec;
use crate::format::{NodeKind, SharedFormat};
use crate::metadata::NodePath;
use crate::progress::Progress;
use crate::store::{Depth, Entry, Key, Precondition};
use std::collections::HashSet;
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
        let (there, is_array) = match self.locate(path) {
            // unreadable nodes can still be deleted
            Err(e) if e.kind() == Kind::InvalidMetadata => (true, false),
            found => match found? {
                Some(located) => (true, matches!(located.kind(), Ok(NodeKind::Array))),
                None => (false, false),
            },
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
        // Delete documents before chunks, and what consolidated metadata says before both: to every
        // reader a partly deleted node no longer exists.
        for format in &*formats {
            self.documents_changed(&**format, path, NodeKind::Array, Changed::Deleted)
                .at(|| self.place(path))?;
        }
        for format in &*formats {
            let entry = format.entry_document().filter(|_| path.is_root()).map(|(key, _)| key);
            let own = format.consolidated_document(path).into_iter().chain(entry);
            for key in own.chain(format.documents(path)) {
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
        if !is_array {
            self.erase_documents(&formats, &prefixes).at(|| self.place(path))?;
        }
        prefixes.iter().try_for_each(|p| self.store.erase_prefix(p)).at(|| self.place(path))
    }

    /// Deletes the documents of all nodes below prefixes.
    fn erase_documents(&self, formats: &[SharedFormat], prefixes: &[String]) -> Result<()> {
        let name = |key: &str| key.rsplit('/').next().unwrap_or_default().to_owned();
        let root = NodePath::root();
        let names: HashSet<String> =
            formats.iter().flat_map(|f| f.documents(&root)).map(|key| name(&key)).collect();
        for prefix in prefixes {
            let mut keys = Vec::new();
            let listed = self.store.list(prefix, Depth::All, &mut |entry| {
                if let Entry::Key(key) = entry
                    && names.contains(&name(key))
                {
                    crate::source::push(&mut keys, Key::trusted([prefix, key].concat()))?;
                }
                Ok(())
            });
            match listed {
                // whether it can delete a prefix, the store will say itself
                Err(e) if e.kind() == Kind::Unsupported => return Ok(()),
                listed => listed?,
            }
            exec::run(self.metadata_concurrency(), keys.len(), &|n| {
                self.store.erase(&keys[n], &Precondition::None).map(|_| ())
            })?;
        }
        Ok(())
    }
}
