//! Attributes of a node that is open: read when they are first asked for, written through at once.

use super::Hierarchy;
use crate::error::{Context, Error, Kind, Result};
use crate::format::{Change, NodeKind, SharedFormat};
use crate::metadata::{Attributes, NodePath};
use std::sync::{Arc, Mutex};

/// The attributes of one node. A change is made to the document as it is then, so that what
/// others have written to it in between stays.
pub struct NodeAttributes {
    hierarchy: Arc<Hierarchy>,
    path: NodePath,
    format: SharedFormat,
    kind: NodeKind,
    /// As last read or written here.
    present: Mutex<Option<Attributes>>,
}

impl NodeAttributes {
    /// Those of the node at `path`; `present` where they are known already.
    pub fn new(
        hierarchy: &Arc<Hierarchy>,
        path: &NodePath,
        format: SharedFormat,
        kind: NodeKind,
        present: Option<Attributes>,
    ) -> Self {
        NodeAttributes {
            hierarchy: hierarchy.clone(),
            path: path.clone(),
            format,
            kind,
            present: Mutex::new(present),
        }
    }

    fn place(&self) -> String {
        format!("attributes of {}", self.hierarchy.place(&self.path))
    }

    /// The error for a key that is not there.
    pub fn not_found(&self, key: &str) -> Error {
        Error::new(Kind::NotFound, format!("{}: there is no {key:?}", self.place()))
    }

    /// Says whose attributes an error is about.
    pub fn error(&self, kind: Kind, what: impl std::fmt::Display) -> Error {
        Error::new(kind, format!("{}: {what}", self.place()))
    }

    /// Calls `look` with them.
    pub fn read<T>(&self, look: impl FnOnce(&Attributes) -> Result<T>) -> Result<T> {
        let mut present = self.present.lock().unwrap_or_else(|e| e.into_inner());
        let attributes = match &mut *present {
            Some(attributes) => attributes,
            none => none.insert(self.load().at(|| self.place())?),
        };
        look(attributes)
    }

    /// Forgets what was seen of them; `present`: what the document of the node says now.
    pub(super) fn forget(&self, present: Option<Attributes>) {
        *self.present.lock().unwrap_or_else(|e| e.into_inner()) = present;
    }

    /// Only a format that keeps them in a document of their own comes here.
    fn load(&self) -> Result<Attributes> {
        let (hierarchy, key) =
            (&self.hierarchy, self.format.attributes_document(&self.path, self.kind));
        let parse = |document: Option<&Vec<u8>>| match document {
            Some(document) => Attributes::parse(document),
            None => Ok(Attributes::default()),
        };
        if let Some(documents) = hierarchy.preferred_consolidated()?
            && self.format.documents(&self.path).iter().any(|own| documents.contains_key(own))
        {
            return parse(documents.get(&key));
        }
        match hierarchy.document(&key)? {
            Some(document) => parse(Some(&document)),
            None if hierarchy.consolidated.is_none() => {
                parse(hierarchy.load_consolidated()?.get(&key))
            }
            None => parse(None),
        }
    }

    /// Changes them in the store: `change` gets them as they are there.
    pub fn write(&self, change: &mut dyn FnMut(&mut Attributes) -> Result<()>) -> Result<()> {
        if self.hierarchy.store.read_only() {
            return Err(crate::store::refuse_change(&*self.hierarchy.store)).at(|| self.place());
        }
        let key = self.format.attributes_document(&self.path, self.kind);
        let mut present = self.present.lock().unwrap_or_else(|e| e.into_inner());
        let mut written = Attributes::default();
        self.hierarchy
            .rewrite(&key, |old| {
                let mut attributes = match old {
                    Some(document) => self.format.attributes_of(document)?,
                    None => Attributes::default(),
                };
                change(&mut attributes)?;
                let mut present = |_: &str| Ok(old.map(<[u8]>::to_vec));
                let change = Change::Attributes(&attributes);
                let (_, document) =
                    self.format.change(&self.path, self.kind, change, &mut present)?;
                written = attributes;
                Ok(document)
            })
            .at(|| self.place())?;
        *present = Some(written);
        Ok(())
    }
}
