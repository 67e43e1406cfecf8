//! Consolidated metadata: one document of a group that holds the documents of everything below it.
//! This module reads it, writes it ([`Hierarchy::consolidate`]), and updates it with each change of
//! a document below the group, so that its readers never see an outdated state.

use super::Hierarchy;
use super::root::Seen;
use crate::error::{Context, Error, Kind, Result};
use crate::exec;
use crate::fork::Held;
use crate::format::{Format, NodeKind, SharedFormat};
use crate::lock::Acquire;
use crate::metadata::{GroupMetadata, NodeMetadata, NodePath};
use crate::store::{Key, Version};
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, RwLockWriteGuard};

/// What to do with consolidated metadata when a document in it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consolidate {
    /// Update it with each change.
    Update,
    /// Write that of the root when the store is closed, whether or not there was any.
    Close,
    /// Refuse the change.
    Refuse,
}

/// A change of one node's documents.
pub(super) enum Changed<'a> {
    /// These documents were written.
    Written(&'a [(String, Vec<u8>)]),
    /// The node was deleted, with everything below it.
    Deleted,
}

/// Documents by key, as in the root's consolidated metadata.
pub(super) type Documents = Arc<HashMap<String, Vec<u8>>>;

impl Hierarchy {
    /// Drops cached values below `prefix`.
    pub fn forget(&self, prefix: &str) -> Result<()> {
        self.forget_consolidated();
        self.store.forget(prefix)
    }

    /// A document, from the store or from consolidated metadata.
    pub(super) fn document(&self, key: &str) -> Result<Option<Vec<u8>>> {
        if let Some(documents) = self.preferred_consolidated()?
            && let Some(document) = documents.get(key)
        {
            return Ok(Some(document.clone()));
        }
        Ok(self.stored_document(key)?.map(|(document, _)| document))
    }

    /// Consolidated metadata, if it takes precedence over the documents: if the caller wants that,
    /// or if it is already known and the store is remote.
    pub(super) fn preferred_consolidated(&self) -> Result<Option<Documents>> {
        match self.consolidated {
            Some(true) => self.load_consolidated().map(Some),
            None if self.prefers_consolidated() => Ok(self.consolidated_if_loaded()),
            _ => Ok(None),
        }
    }

    pub(super) fn consolidated_if_loaded(&self) -> Option<Documents> {
        self.consolidated_documents.read().clone()
    }

    pub(super) fn keep_consolidated(&self, documents: HashMap<String, Vec<u8>>) -> Documents {
        let mut kept = self.consolidated_documents.write();
        kept.get_or_insert_with(|| Arc::new(documents)).clone()
    }

    pub(super) fn load_consolidated(&self) -> Result<Documents> {
        if let Some(ready) = self.consolidated_if_loaded() {
            return Ok(ready);
        }
        let get = |key: &str| Ok(self.stored_document(key)?.map(|(document, _)| document));
        let found = self.read_consolidated(&get)?;
        if found.is_none() && self.consolidated == Some(true) {
            return Err(Error::new(
                Kind::NotFound,
                format!(
                    "store {} has no consolidated metadata, and the option consolidated is yes",
                    self.store.name()
                ),
            ));
        }
        Ok(self.keep_consolidated(found.unwrap_or_default()))
    }

    /// The documents in the root's consolidated metadata; `None`: it has none.
    pub(super) fn read_consolidated(
        &self,
        get: &dyn Fn(&str) -> Result<Option<Vec<u8>>>,
    ) -> Result<Option<HashMap<String, Vec<u8>>>> {
        let root = NodePath::root();
        for format in &*self.root().formats {
            let Some(key) = format.consolidated_document(&root) else { continue };
            let Some(document) = get(&key)? else { continue };
            let is_node = format.documents(&root).contains(&key);
            let parsed = format.parse_consolidated(&root, &document);
            if let Some(nodes) = parsed.at(|| format!("consolidated metadata in {key}"))? {
                let mut nodes: HashMap<_, _> = nodes.into_iter().collect();
                if self.prefers_consolidated() && is_node {
                    nodes.entry(key).or_insert(document);
                }
                return Ok(Some(nodes));
            }
            // the consolidated metadata of another format would hide the nodes of this one
            if is_node {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Keeps the root's consolidated metadata if `seen` has every document that may hold it.
    pub(super) fn keep_seen_consolidated(&self, seen: &Seen) {
        if self.consolidated.is_some() || self.consolidated_if_loaded().is_some() {
            return;
        }
        let get = |key: &str| Ok(seen.known(key)?.map(|document| document.to_vec()));
        // a damaged document is reported when it is needed
        if let Ok(found) = self.read_consolidated(&get) {
            self.keep_consolidated(found.unwrap_or_default());
        }
    }

    /// Drops what was read of consolidated metadata.
    fn forget_consolidated(&self) {
        *self.consolidated_documents.write() = None;
    }

    fn unconsolidated(&self) -> Held<RwLockWriteGuard<'_, HashMap<String, Version>>> {
        self.unconsolidated.write()
    }

    /// Whether a group has consolidated metadata. Reads each version of a document once.
    fn is_consolidated(&self, format: &dyn Format, group: &NodePath, key: &str) -> Result<bool> {
        let Some(version) = self.store.version(&Key::trusted(key.to_owned()))? else {
            return Ok(false);
        };
        if self.unconsolidated().get(key) == Some(&version) {
            return Ok(false);
        }
        let Some((document, version)) = self.stored_document(key)? else { return Ok(false) };
        Ok(self.holds_consolidated(format, group, key, &document, version))
    }

    /// Whether a version of a document has consolidated metadata. Remembers that it has none.
    pub(super) fn holds_consolidated(
        &self,
        format: &dyn Format,
        group: &NodePath,
        key: &str,
        document: &[u8],
        version: Version,
    ) -> bool {
        // a damaged document has none
        let found = matches!(format.parse_consolidated(group, document), Ok(Some(_)));
        if !found && !version.is_recent() {
            self.unconsolidated().insert(key.to_owned(), version);
        }
        found
    }

    /// The groups whose consolidated metadata includes the node at `path`, and their keys.
    fn consolidated_groups(
        &self,
        format: &dyn Format,
        path: &NodePath,
        kind: NodeKind,
    ) -> Result<Vec<(NodePath, String)>> {
        let mut groups = Vec::new();
        let mut next = if kind == NodeKind::Group { Some(path.clone()) } else { path.parent() };
        while let Some(group) = next {
            if let Some(key) = format.consolidated_document(&group)
                && self.is_consolidated(format, &group, &key)?
            {
                groups.push((group.clone(), key));
            }
            next = group.parent();
        }
        Ok(groups)
    }

    /// Fails if the option refuses changes of consolidated documents. Call it before the change.
    pub(super) fn check_consolidated(
        &self,
        format: &dyn Format,
        path: &NodePath,
        kind: NodeKind,
    ) -> Result<()> {
        if self.consolidate != Consolidate::Refuse {
            return Ok(());
        }
        match self.consolidated_groups(format, path, kind)?.first() {
            None => Ok(()),
            Some((_, key)) => Err(Error::new(
                Kind::PermissionDenied,
                format!(
                    "the change would make the consolidated metadata in {key} stale: set the \
                     option consolidate to update or close instead of refuse"
                ),
            )),
        }
    }

    /// Updates consolidated metadata with the changed documents of a node.
    pub(super) fn documents_changed(
        &self,
        format: &dyn Format,
        path: &NodePath,
        kind: NodeKind,
        changed: Changed<'_>,
    ) -> Result<()> {
        self.forget_consolidated();
        if self.consolidate == Consolidate::Close && !self.closed.load(Ordering::Relaxed) {
            self.has_changed.store(true, Ordering::Relaxed);
            return Ok(());
        }
        for (group, key) in self.consolidated_groups(format, path, kind)? {
            self.update_consolidated(format, &group, &key, path, &changed)
                .at(|| format!("the consolidated metadata in {key}, which is stale now"))?;
        }
        Ok(())
    }

    /// The same for the node at `path` and everything below it, whatever changed.
    pub fn nodes_changed(&self, format: &SharedFormat, path: &NodePath) -> Result<()> {
        self.documents_changed(&**format, path, NodeKind::Group, Changed::Deleted)?;
        let plain = self.as_stored();
        if plain.locate(path)?.is_none() {
            return Ok(());
        }
        let documents = plain.documents_below(format, path)?.into_iter().collect::<Vec<_>>();
        self.documents_changed(&**format, path, NodeKind::Group, Changed::Written(&documents))
    }

    fn update_consolidated(
        &self,
        format: &dyn Format,
        group: &NodePath,
        key: &str,
        path: &NodePath,
        changed: &Changed<'_>,
    ) -> Result<()> {
        let updated = self.rewrite(key, |old| {
            let gone = || Error::new(Kind::NotFound, "it was deleted meanwhile");
            let old = old.ok_or_else(gone)?;
            let documents = format.parse_consolidated(group, old)?.ok_or_else(gone)?;
            let mut documents: HashMap<String, Vec<u8>> = documents.into_iter().collect();
            match changed {
                Changed::Written(new) => {
                    documents.extend(new.iter().map(|(key, text)| (key.clone(), text.clone())));
                }
                Changed::Deleted => {
                    let prefix = path.prefix();
                    documents.retain(|key, _| !key.starts_with(&prefix));
                }
            }
            emit(format, group, documents, Some(old))
        });
        match updated {
            // its deletion removes the consolidated metadata
            Err(e) if e.kind() == Kind::NotFound => Ok(()),
            result => result,
        }
    }

    /// Writes the consolidated metadata of the group at `path`: the documents of all nodes of its
    /// format below it. [`Kind::NotFound`]: there is no group with a document of its own;
    /// [`Kind::Unsupported`]: its format has no consolidated metadata.
    pub fn consolidate(&self, path: &NodePath) -> Result<()> {
        self.write_consolidated(path).at(|| format!("consolidating {}", self.place(path)))
    }

    /// The same for the root, if it is a group of a format with consolidated metadata.
    pub(super) fn consolidate_if_possible(&self) -> Result<()> {
        match self.consolidate(&NodePath::root()) {
            Err(e) if matches!(e.kind(), Kind::NotFound | Kind::Unsupported) => Ok(()),
            result => result,
        }
    }

    fn write_consolidated(&self, path: &NodePath) -> Result<()> {
        if self.store.read_only() {
            return Err(crate::store::refuse_change(&*self.store));
        }
        // what is stored, not what consolidated metadata holds
        let plain = self.as_stored();
        let Some(located) = plain.locate(path)? else {
            return Err(self.not_found(path, "group"));
        };
        let format = &located.format;
        if located.kind()? != NodeKind::Group {
            return Err(Error::new(Kind::NotFound, "it is an array, not a group"));
        }
        let Some(key) = format.consolidated_document(path) else {
            return Err(Error::unsupported(format!(
                "{} has no consolidated metadata",
                format.name()
            )));
        };
        let documents = plain.documents_below(format, path)?;
        self.rewrite(&key, |old| emit(&**format, path, documents.clone(), old))?;
        self.forget_consolidated();
        Ok(())
    }

    /// The documents of the node at `top` and of all nodes of its format below it.
    pub fn documents_below(
        &self,
        format: &SharedFormat,
        top: &NodePath,
    ) -> Result<HashMap<String, Vec<u8>>> {
        let mut paths = vec![(top.clone(), NodeKind::Group)];
        for node in self.list_stored(top)? {
            // a document that cannot be parsed is included too
            paths.push((top.join(&node.path)?, node.kind.unwrap_or(NodeKind::Array)));
        }
        let root = self.known_root()?;
        let found = Mutex::new(HashMap::new());
        exec::run(self.metadata_concurrency(), paths.len(), &|n| {
            let (path, kind) = &paths[n];
            let mut own: Vec<(String, Vec<u8>)> = Vec::new();
            let first = format.documents(path).into_iter().find_map(|key| {
                self.stored_document(&key).map(|d| d.map(|(text, _)| (key, text))).transpose()
            });
            match first.transpose()? {
                Some(document) => own.push(document),
                None if *kind == NodeKind::Array => return Ok(()), // of another format
                None => {
                    for other in root.formats.iter().filter(|other| other.id() != format.id()) {
                        if self.stored_node(other, path)?.is_some() {
                            return Ok(());
                        }
                    }
                    // an implicit group has a document here, because zarr-python needs one
                    let group = GroupMetadata { attributes: Some(Default::default()) };
                    own.extend(format.emit(path, &NodeMetadata::Group(group))?);
                }
            }
            let attributes = format.attributes_document(path, *kind);
            if own.iter().all(|(key, _)| *key != attributes)
                && let Some((text, _)) = self.stored_document(&attributes)?
            {
                own.push((attributes, text));
            }
            found.acquire().extend(own);
            Ok(())
        })?;
        Ok(found.release())
    }
}

/// The consolidated document for `documents`. Puts a group's children before their own children:
/// zarr-python 3 loses nodes whose neighbours in the document are not their siblings.
fn emit(
    format: &dyn Format,
    group: &NodePath,
    documents: HashMap<String, Vec<u8>>,
    old: Option<&[u8]>,
) -> Result<Vec<u8>> {
    format.emit_consolidated(group, &by_depth(documents), old)
}

fn by_depth(documents: HashMap<String, Vec<u8>>) -> Vec<(String, Vec<u8>)> {
    let mut documents: Vec<(String, Vec<u8>)> = documents.into_iter().collect();
    documents.sort_by_cached_key(|(key, _)| (key.matches('/').count(), key.clone()));
    documents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siblings_are_neighbours() {
        let keys = ["b/zarr.json", "a/c/zarr.json", "zarr.json", "a/zarr.json", "b/a/zarr.json"];
        let documents = keys.into_iter().map(|key| (key.to_owned(), Vec::new())).collect();
        let sorted: Vec<String> = by_depth(documents).into_iter().map(|(key, _)| key).collect();
        let expected =
            ["zarr.json", "a/zarr.json", "b/zarr.json", "a/c/zarr.json", "b/a/zarr.json"];
        assert_eq!(sorted, expected);
    }
}
