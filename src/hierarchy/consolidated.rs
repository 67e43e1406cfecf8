//! Consolidated metadata: the documents that one document at the root stands for.

use super::Hierarchy;
use crate::error::{Context, Error, Kind, Result};
use crate::metadata::NodePath;
use std::collections::HashMap;
use std::sync::Arc;

/// Documents by key, as the root's consolidated metadata holds them.
pub(super) type Documents = Arc<HashMap<String, Vec<u8>>>;

impl Hierarchy {
    /// Forgets what is kept of the store's values below `prefix`.
    pub fn forget(&self, prefix: &str) -> Result<()> {
        *self.consolidated_documents.write().unwrap_or_else(|e| e.into_inner()) = None;
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

    /// Consolidated metadata, where it goes before the documents themselves: where the caller wants
    /// that, or where it is known already and the store is far away.
    pub(super) fn preferred_consolidated(&self) -> Result<Option<Documents>> {
        match self.consolidated {
            Some(true) => self.load_consolidated().map(Some),
            None if self.prefers_consolidated() => Ok(self.consolidated_if_loaded()),
            _ => Ok(None),
        }
    }

    pub(super) fn consolidated_if_loaded(&self) -> Option<Documents> {
        self.consolidated_documents.read().unwrap_or_else(|e| e.into_inner()).clone()
    }

    pub(super) fn keep_consolidated(&self, documents: HashMap<String, Vec<u8>>) -> Documents {
        let mut kept = self.consolidated_documents.write().unwrap_or_else(|e| e.into_inner());
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
            if let Some(document) = get(&key)? {
                let parsed = format.parse_consolidated(&root, &document);
                if let Some(nodes) = parsed.at(|| format!("consolidated metadata in {key}"))? {
                    let mut nodes: HashMap<_, _> = nodes.into_iter().collect();
                    // it may be the root's own as well
                    if self.prefers_consolidated() && format.documents(&root).contains(&key) {
                        nodes.entry(key).or_insert(document);
                    }
                    return Ok(Some(nodes));
                }
            }
        }
        Ok(None)
    }
}
