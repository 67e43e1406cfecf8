//! Attributes of an open node: read when first used, written immediately.

use super::Hierarchy;
use super::consolidated::Changed;
use crate::error::{Context, Error, Kind, Result};
use crate::fork::Own;
use crate::format::{Change, NodeKind, SharedFormat};
use crate::lock::Acquire;
use crate::metadata::{Attributes, NodePath};
use std::sync::{Arc, Mutex};

/// The attributes of one node. A change applies to the current document, so that changes by others
/// to other attributes stay. Attributes without a node live in memory.
pub struct NodeAttributes {
    node: Option<Node>,
    /// As last read or written through this handle.
    present: Own<Mutex<Option<Attributes>>>,
}

/// The node.
struct Node {
    hierarchy: Arc<Hierarchy>,
    path: NodePath,
    format: SharedFormat,
    kind: NodeKind,
}

impl NodeAttributes {
    /// Those of the node at `path`; `present` if they are known already.
    pub fn new(
        hierarchy: &Arc<Hierarchy>,
        path: &NodePath,
        format: SharedFormat,
        kind: NodeKind,
        present: Option<Attributes>,
    ) -> Self {
        let (hierarchy, path) = (hierarchy.clone(), path.clone());
        let node = Some(Node { hierarchy, path, format, kind });
        NodeAttributes { node, present: Own::with(Mutex::new(present)) }
    }

    /// Attributes without a node, initially empty.
    pub fn of_no_node() -> Self {
        NodeAttributes { node: None, present: Own::with(Mutex::new(Some(Attributes::default()))) }
    }

    fn place(&self) -> String {
        self.node.as_ref().map_or_else(|| "attributes without a node".into(), Node::place)
    }

    /// The error for a missing key.
    pub fn not_found(&self, key: &str) -> Error {
        Error::new(Kind::NotFound, format!("{}: attribute {key:?} does not exist", self.place()))
    }

    /// Adds the node to an error.
    pub fn error(&self, kind: Kind, what: impl std::fmt::Display) -> Error {
        Error::new(kind, format!("{}: {what}", self.place()))
    }

    /// Calls `look` with them.
    pub fn read<T>(&self, look: impl FnOnce(&Attributes) -> Result<T>) -> Result<T> {
        let mut present = self.present.get().acquire();
        let attributes = match (&mut *present, &self.node) {
            (Some(attributes), _) => attributes,
            (none, Some(node)) => none.insert(node.load().at(|| node.place())?),
            (none, None) => none.insert(Attributes::default()),
        };
        look(attributes)
    }

    /// Drops what was read of them; `present`: what the node's document says now.
    pub(super) fn forget(&self, present: Option<Attributes>) {
        *self.present.get().acquire() = present;
    }

    /// Changes them in the store: `change` receives the current ones.
    pub fn write(&self, change: &mut dyn FnMut(&mut Attributes) -> Result<()>) -> Result<()> {
        let mut present = self.present.get().acquire();
        let written = match &self.node {
            Some(node) => node.write(change).at(|| node.place())?,
            None => {
                let mut attributes = present.clone().unwrap_or_default();
                change(&mut attributes)?;
                attributes
            }
        };
        *present = Some(written);
        Ok(())
    }
}

impl Node {
    fn place(&self) -> String {
        format!("attributes of {}", self.hierarchy.place(&self.path))
    }

    /// For formats that store them in a document of their own, and in a forked child.
    fn load(&self) -> Result<Attributes> {
        let (hierarchy, key) =
            (&self.hierarchy, self.format.attributes_document(&self.path, self.kind));
        let parse = |document: Option<&Vec<u8>>| match document {
            Some(document) => self.format.attributes_of(document),
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

    /// Changes those in the store, and returns the result.
    fn write(&self, change: &mut dyn FnMut(&mut Attributes) -> Result<()>) -> Result<Attributes> {
        let (hierarchy, format, kind) = (&self.hierarchy, &*self.format, self.kind);
        if hierarchy.store.read_only() {
            return Err(crate::store::refuse_change(&*hierarchy.store));
        }
        hierarchy.check_consolidated(format, &self.path, kind)?;
        let key = format.attributes_document(&self.path, kind);
        let mut written = (Attributes::default(), Vec::new());
        hierarchy.rewrite(&key, |old| {
            let mut attributes = match old {
                Some(document) => format.attributes_of(document)?,
                None => Attributes::default(),
            };
            change(&mut attributes)?;
            let mut present = |_: &str| Ok(old.map(<[u8]>::to_vec));
            let change = Change::Attributes(&attributes);
            let (_, document) = format.change(&self.path, kind, change, &mut present)?;
            // a format may normalise the spelling of an attribute
            written = (format.attributes_of(&document)?, document.clone());
            Ok(document)
        })?;
        let (attributes, document) = written;
        let changed = [(key, document)];
        let written = Changed::Written(&changed);
        hierarchy.documents_changed(format, &self.path, kind, written)?;
        Ok(attributes)
    }
}
