//! Documents: reads each as opening its node would.

use super::{Check, Nodes};
use crate::error::Result;
use crate::format::{NodeKind, SharedFormat};
use crate::metadata::{Attributes, NodePath, from_json};
use crate::store::Key;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::Ordering;

impl Check<'_> {
    /// Reads all nodes, and marks their documents among `keys` as known.
    pub(super) fn nodes(
        &self,
        top: &NodePath,
        keys: &[String],
        known: &mut [bool],
    ) -> Result<Nodes> {
        let mut paths = vec![top.clone()];
        for node in self.hierarchy.list_stored(top)? {
            paths.push(top.join(&node.path)?);
        }
        let formats = self.hierarchy.formats_at(top)?;
        let mut nodes = Nodes::default();
        let mut arrays: HashSet<NodePath> = HashSet::new();
        for path in &paths {
            self.progress.check()?;
            // an array has no nodes below it: what looks like one is a part of it
            if path.parent().is_some_and(|above| arrays.contains(&above)) {
                // where every prefix is a group, so are those of chunks
                let documents = formats.iter().flat_map(|format| format.documents(path));
                if documents.into_iter().any(|key| keys.binary_search(&key).is_ok()) {
                    self.report(path, "", "mixture", "a node lies below an array");
                }
            }
            nodes.paths.insert(path.clone());
            let mut found: Vec<(&SharedFormat, String)> = Vec::new();
            for format in &*formats {
                if let Some(key) = self.node(format, path, &mut nodes, &mut arrays)? {
                    found.push((format, key));
                }
                let own = format.documents(path).into_iter();
                let attributes = [NodeKind::Group, NodeKind::Array]
                    .map(|kind| format.attributes_document(path, kind));
                let entry = format.entry_document().map(|(key, _)| key);
                let consolidated = format.consolidated_document(path);
                for key in own.chain(attributes).chain(entry).chain(consolidated) {
                    if let Ok(at) = keys.binary_search(&key) {
                        known[at] = true;
                    }
                }
            }
            if let [(first, key), (_, other), ..] = &found[..] {
                let name = first.name();
                let text = format!("the node is {name} as {key} says, which hides {other}");
                self.report(path, other, "mixture", text);
            }
            if let (Some((format, key)), Some(parent)) = (found.first(), path.parent())
                && !path.is_root()
                && let Ok(above) = self.hierarchy.format_at(&parent)
                && above.id() != format.id()
            {
                let text = format!(
                    "the node is {}, but its group is {}: other readers do not see it",
                    format.name(),
                    above.name()
                );
                self.report(path, key, "mixture", text);
            }
        }
        Ok(nodes)
    }

    /// Reads the documents of one node in one format; returns the key of the main one, if it
    /// exists.
    fn node(
        &self,
        format: &SharedFormat,
        path: &NodePath,
        nodes: &mut Nodes,
        arrays: &mut HashSet<NodePath>,
    ) -> Result<Option<String>> {
        let mut first = None;
        for (which, key) in format.documents(path).into_iter().enumerate() {
            let Some(document) = self.value(path, &key, nodes)? else { continue };
            if let Some(first) = &first {
                let text = format!("the node also has {first}, which takes precedence");
                self.report(path, &key, "mixture", text);
                continue;
            }
            first = Some(key.clone());
            let metadata = match format.parse(which, &document) {
                Ok(metadata) => metadata,
                Err(e) => {
                    nodes.unreadable.insert(path.clone());
                    self.report_error(path, &key, "document", e)?;
                    continue;
                }
            };
            let prefix = format.chunk_prefix(path);
            let kind = match self.array(path, metadata, prefix) {
                Ok(Some(array)) => {
                    nodes.arrays.push(array);
                    arrays.insert(path.clone());
                    NodeKind::Array
                }
                Ok(None) => NodeKind::Group,
                Err(e) => {
                    nodes.unreadable.insert(path.clone());
                    self.report_error(path, &key, "document", e)?;
                    NodeKind::Array
                }
            };
            let attributes = format.attributes_document(path, kind);
            if attributes != key
                && let Some(document) = self.value(path, &attributes, nodes)?
                && let Err(e) = Attributes::parse(&document)
            {
                self.report_error(path, &attributes, "attributes", e)?;
            }
            if kind == NodeKind::Group {
                self.consolidated(format, path)?;
            }
        }
        Ok(first)
    }

    /// A document as it is stored. If it cannot be read, nobody knows what belongs to its node.
    fn value(&self, path: &NodePath, key: &str, nodes: &mut Nodes) -> Result<Option<Vec<u8>>> {
        let mut value = Vec::new();
        match self.hierarchy.store().get(&Key::trusted(key.to_owned()), &mut value) {
            Ok(None) => Ok(None),
            Ok(Some(_)) => {
                self.bytes.fetch_add(value.len() as u64, Ordering::Relaxed);
                Ok(Some(value))
            }
            Err(e) => {
                nodes.unreadable.insert(path.clone());
                self.report_error(path, key, "unreadable", e).map(|()| None)
            }
        }
    }

    /// Compares consolidated metadata with the documents.
    fn consolidated(&self, format: &SharedFormat, group: &NodePath) -> Result<()> {
        let Some(key) = format.consolidated_document(group) else { return Ok(()) };
        let mut document = Vec::new();
        if self.hierarchy.store().get(&Key::trusted(key.clone()), &mut document)?.is_none() {
            return Ok(());
        }
        let there = match format.parse_consolidated(group, &document) {
            Ok(None) => return Ok(()),
            Ok(Some(documents)) => documents.into_iter().collect::<HashMap<_, _>>(),
            Err(e) => return self.report_error(group, &key, "consolidated", e),
        };
        let stored = self.hierarchy.documents_below(format, group)?;
        let own = format.documents(group);
        for (other, text) in &stored {
            match there.get(other) {
                None if *other == key || own.contains(other) && own.contains(&key) => {}
                None => self.report(
                    group,
                    &key,
                    "consolidated",
                    format!("{other} is missing in the consolidated metadata"),
                ),
                Some(copy) if same_document(copy, text) => {}
                Some(_) => self.report(
                    group,
                    &key,
                    "consolidated",
                    format!("{other} differs from the consolidated metadata"),
                ),
            }
        }
        for other in there.keys().filter(|other| !stored.contains_key(*other)) {
            let text = format!("the consolidated metadata has {other}, which does not exist");
            self.report(group, &key, "consolidated", text);
        }
        Ok(())
    }
}

/// Whether two documents are equivalent, ignoring a group's consolidated metadata.
fn same_document(one: &[u8], other: &[u8]) -> bool {
    let read = |text: &[u8]| {
        let mut value: Value = from_json(text).ok()?;
        if let Value::Object(members) = &mut value {
            members.remove("consolidated_metadata");
            // an empty object and a missing one are the same attributes
            if members
                .get("attributes")
                .is_some_and(|a| a.as_object().is_some_and(|a| a.is_empty()))
            {
                members.remove("attributes");
            }
        }
        Some(value)
    };
    match (read(one), read(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}
