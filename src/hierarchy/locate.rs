//! Finding and parsing the documents of a node.

use super::Hierarchy;
use super::root::{Root, Seen};
use crate::error::{Context, Error, Kind, Result};
use crate::format::{NodeKind, SharedFormat};
use crate::metadata::{NodeMetadata, NodePath};

/// The document that makes a node.
pub(super) struct Located {
    pub format: SharedFormat,
    /// Which of the format's documents.
    pub which: usize,
    pub document: Vec<u8>,
}

/// A node that was found.
pub struct Found {
    /// Its format.
    pub format: SharedFormat,
    /// The content of its documents.
    pub metadata: NodeMetadata,
}

impl Hierarchy {
    /// On a remote store, fetches what will be examined: the most likely document of the node, and
    /// if it does not exist all others concurrently.
    pub(super) fn look_ahead(&self, root: &Root, path: &NodePath, seen: &Seen) -> Result<()> {
        let own = || root.formats.iter().flat_map(|format| format.documents(path));
        let Some(first) = own().next() else { return Ok(()) };
        let get = |key: &str| self.document(key);
        if seen.get(&first, || get(&first))?.is_none() {
            let top = NodePath::root();
            let consolidated = root.formats.iter().filter_map(|f| f.consolidated_document(&top));
            let is_known = self.consolidated.is_some() || self.consolidated_if_loaded().is_some();
            let mut keys: Vec<String> = own().collect();
            keys.extend(consolidated.filter(|_| !is_known));
            seen.get_all(keys, self.metadata_concurrency(), &get)?;
        }
        self.keep_seen_consolidated(seen);
        Ok(())
    }

    /// The first of a node's documents that exists.
    pub(super) fn node_document(
        &self,
        format: &SharedFormat,
        path: &NodePath,
        get: &dyn Fn(&str) -> Result<Option<Vec<u8>>>,
    ) -> Result<Option<Located>> {
        for (which, key) in format.documents(path).iter().enumerate() {
            if let Some(document) = get(key)? {
                return Ok(Some(Located { format: format.clone(), which, document }));
            }
        }
        Ok(None)
    }

    /// The one in the store itself, ignoring consolidated metadata.
    pub(super) fn stored_node(
        &self,
        format: &SharedFormat,
        path: &NodePath,
    ) -> Result<Option<Located>> {
        self.node_document(format, path, &|key| {
            Ok(self.stored_document(key)?.map(|(text, _)| text))
        })
    }

    /// Finds the document of the node at `path`, first in the store, then, if allowed, in
    /// consolidated metadata.
    pub(super) fn locate(&self, path: &NodePath) -> Result<Option<Located>> {
        let mut root = self.root();
        if let Some(documents) = self.preferred_consolidated()?
            && let Some(found) =
                self.locate_among(&root, path, &|key| Ok(documents.get(key).cloned()))?
        {
            return Ok(Some(found));
        }
        let seen = Seen::default();
        if self.prefers_consolidated() {
            self.look_ahead(&root, path, &seen)?;
        }
        // the format may also be detected by its documents
        if root.format.is_none() && path.is_root() {
            root = self.recognise(&|key| seen.get(key, || self.document(key)))?;
        }
        let get = |key: &str| seen.take(key).or_else(|_| self.document(key));
        if let Some(found) = self.locate_among(&root, path, &get)? {
            return Ok(Some(found));
        }
        if root.format.is_none() && !path.is_root() {
            root = self.look_at_root()?;
            if root.is_exclusive() {
                return self.locate_in_root(&root, path);
            }
        }
        self.locate_consolidated(&root, path)
    }

    /// The same in a store whose root was examined.
    pub(super) fn locate_in_root(&self, root: &Root, path: &NodePath) -> Result<Option<Located>> {
        match self.locate_among(root, path, &|key| self.document(key))? {
            None => self.locate_consolidated(root, path),
            found => Ok(found),
        }
    }

    /// Finds it in consolidated metadata that replaces missing documents.
    pub(super) fn locate_consolidated(
        &self,
        root: &Root,
        path: &NodePath,
    ) -> Result<Option<Located>> {
        if self.consolidated.is_some() {
            return Ok(None);
        }
        let documents = self.load_consolidated()?;
        self.locate_among(root, path, &|key| Ok(documents.get(key).cloned()))
    }

    /// Finds the document of the node at `path` in the formats that the store may have.
    pub(super) fn locate_among(
        &self,
        root: &Root,
        path: &NodePath,
        get: &dyn Fn(&str) -> Result<Option<Vec<u8>>>,
    ) -> Result<Option<Located>> {
        for format in &*root.formats {
            match self.node_document(format, path, get)? {
                // in a store of unknown format, such a document may be anything
                Some(l) if root.format.is_none() && !format.speaks_for_itself(&l.document) => {}
                None => {}
                found => return Ok(found),
            }
        }
        Ok(None)
    }

    /// The node at `path`; `None`: there is none with documents.
    pub fn find(&self, path: &NodePath) -> Result<Option<Found>> {
        let Some(located) = self.locate(path).at(|| self.place(path))? else { return Ok(None) };
        let format = located.format;
        let metadata = format
            .parse(located.which, &located.document)
            .at(|| format!("{} metadata of {}", format.name(), self.place(path)))?;
        Ok(Some(Found { format, metadata }))
    }

    /// The format of the node at `path`, including implicit groups. [`Kind::NotFound`]: there is
    /// none.
    pub fn format_at(&self, path: &NodePath) -> Result<SharedFormat> {
        match self.locate(path).at(|| self.place(path))? {
            Some(located) => Ok(located.format),
            None => self.implicit_format(path)?.ok_or_else(|| self.not_found(path, "node")),
        }
    }

    /// The keys of all possible documents of the node at `top` and everything below it, including
    /// consolidated ones.
    pub fn document_keys(&self, format: &SharedFormat, top: &NodePath) -> Result<Vec<String>> {
        let root = self.known_root()?;
        let mut paths = vec![top.clone()];
        for node in self.as_stored().list_stored(top)? {
            paths.push(top.join(&node.path)?);
        }
        let formats = root.formats.iter().chain([format]);
        let of = |path: &NodePath| {
            let each = formats.clone().flat_map(|f| {
                let attributes = [NodeKind::Group, NodeKind::Array];
                let attributes = attributes.map(|kind| f.attributes_document(path, kind));
                f.documents(path).into_iter().chain(attributes).chain(f.consolidated_document(path))
            });
            each.collect::<Vec<_>>()
        };
        Ok(paths.iter().flat_map(of).collect())
    }

    /// The kind of the node at `path`, including implicit groups; `None`: there is none.
    pub fn kind_at(&self, path: &NodePath) -> Result<Option<NodeKind>> {
        if let Some(located) = self.locate(path).at(|| self.place(path))? {
            return located.kind().at(|| self.place(path)).map(Some);
        }
        Ok(self.implicit_format(path)?.map(|_| NodeKind::Group))
    }

    pub(super) fn not_found(&self, path: &NodePath, what: &str) -> Error {
        let root = self.root();
        let looked_for: Vec<String> = root.formats.iter().flat_map(|f| f.documents(path)).collect();
        let of_store = match &root.format {
            Some(format) => format!(" (the store is {})", format.name()),
            None => format!(", and at the root for {}", super::root::signs(root.wanted).join(", ")),
        };
        let (place, looked_for) = (self.place(path), looked_for.join(", "));
        Error::new(
            Kind::NotFound,
            format!("no {what} at {place}: looked for {looked_for}{of_store}{}", self.file_hint()),
        )
    }

    /// Detects a local file by its content; a remote one by its name only, and only after it could
    /// not be opened as a directory.
    pub(super) fn file_hint(&self) -> String {
        let name = self.store.name();
        let scheme = match name.rsplit_once('.') {
            Some((_, "zip")) => "zip",
            Some((_, "json")) => "reference",
            _ => return String::new(),
        };
        match self.store.is_remote() {
            true => {
                format!("; if it is a file, open its URL followed by |{scheme}:")
            }
            false => String::new(),
        }
    }
}

impl Located {
    pub fn kind(&self) -> Result<NodeKind> {
        self.format.kind(self.which, &self.document)
    }
}
