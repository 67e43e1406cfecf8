//! Conversion of a hierarchy to another format. Documents are expressed anew; chunks are encoded
//! anew only if the other format cannot express their encoding.
//!
//! 1. Read every node and express it in the other format ([`plan`]), before writing anything.
//! 2. Leave a note in the target ([`Note`]), which marks an interrupted conversion.
//! 3. Transfer chunks, then write the document of their array, then those of groups after
//!    everything below them: a node that opens is complete.
//! 4. Mark the note as complete; write the documents of the root; in place, erase what only the old
//!    format needs; erase the note.
//!
//! The same call resumes after an interruption: a chunk that exists is complete.

mod conventions;
mod plan;

use crate::array::{Array, Settings};
use crate::error::{Context, Error, Kind, Result};
use crate::exec;
use crate::format::{FormatId, NodeKind, SharedFormat};
use crate::hierarchy::{Found, Hierarchy, NodeAttributes};
use crate::metadata::{ArrayMetadata, NodeMetadata, NodePath};
use crate::progress::Progress;
use crate::selection::Region;
use crate::store::{Key, Precondition};
use plan::{Chunks, Expressed};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the caller accepts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Accept {
    /// Dropping what the other format cannot express, if the elements keep their values.
    pub losses: bool,
    /// Keeping what only the old format needs after a conversion in place.
    pub leftovers: bool,
}

/// A planned conversion.
pub struct Conversion {
    from: Arc<Hierarchy>,
    to: Arc<Hierarchy>,
    to_path: NodePath,
    old_format: SharedFormat,
    new_format: SharedFormat,
    nodes: Vec<Node>,
    in_place: bool,
    accept: Accept,
}

struct Node {
    from: NodePath,
    to: NodePath,
    kind: NodeKind,
    source: Option<Box<ArrayMetadata>>,
    expressed: Expressed,
}

/// Left in the target during a conversion.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Note {
    from_store: String,
    from_path: String,
    from_format: i32,
    to_format: i32,
    /// Everything else is done.
    finish: Option<Finish>,
}

/// What changes the store to the other format: from here on its old nodes may not be found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Finish {
    /// The documents of the root and of the store, by key.
    documents: Vec<(String, String)>,
    /// The keys that only the old format needs.
    erase: Vec<String>,
}

/// The key of the note, right below the target.
const NOTE: &str = ".zarrc-conversion";

/// Limit of chunks of an array that are counted to find out whether all are stored.
const MOST_COUNTED: u64 = 1 << 24;

/// Limit of problems in one message.
const TOLD: usize = 20;

impl Conversion {
    /// Reads every node below `from_path` and plans its conversion.
    ///
    /// [`Kind::NotFound`]: there is no node; [`Kind::Unsupported`]: what the other format cannot
    /// express, for all nodes; [`Kind::InvalidArgument`]: one path lies within the other.
    pub fn plan(
        from: &Arc<Hierarchy>,
        from_path: &NodePath,
        to: &Arc<Hierarchy>,
        to_path: &NodePath,
        format: FormatId,
        accept: Accept,
    ) -> Result<Self> {
        let same_store = Arc::ptr_eq(from.store(), to.store());
        let in_place = same_store && from_path == to_path;
        if same_store && !in_place && (from_path.is_within(to_path) || to_path.is_within(from_path))
        {
            return Err(Error::invalid(format!(
                "one of {from_path} and {to_path} lies within the other in the same store"
            )));
        }
        let new_format = crate::format::by_id(format, to.reading())?;
        // an interrupted conversion in place has nodes of both formats
        let note = Note::read(to, to_path)?;
        if let Some(note) = note.as_ref().filter(|note| note.finish.is_some()) {
            let old = FormatId::from_number(note.from_format)?.unwrap_or(format);
            return Ok(Conversion {
                from: from.clone(),
                to: to.clone(),
                to_path: to_path.clone(),
                old_format: crate::format::by_id(old, from.reading())?,
                new_format,
                nodes: Vec::new(),
                in_place,
                accept,
            });
        }
        let from = match &note {
            Some(note) if in_place => match FormatId::from_number(note.from_format)? {
                Some(old) => Arc::new(from.as_format(old)),
                None => from.clone(),
            },
            _ => from.clone(),
        };
        let found = from.find(from_path)?;
        let old_format = match &found {
            Some(found) => found.format.clone(),
            None => from.open_group(from_path)?.format.clone(),
        };
        if in_place && format == old_format.id() {
            return Err(Error::invalid(format!("{from_path} already is {}", old_format.name())));
        }
        let mut conversion = Conversion {
            from: from.clone(),
            to: to.clone(),
            to_path: to_path.clone(),
            old_format,
            new_format,
            nodes: Vec::new(),
            in_place,
            accept,
        };
        let mut problems = Vec::new();
        conversion.add(from_path, to_path, &mut problems)?;
        let is_group = conversion.nodes.first().is_none_or(|n| n.kind == NodeKind::Group);
        if is_group {
            for child in from.open_group(from_path)?.list(true)? {
                let (a, b) = (from_path.join(&child.path)?, to_path.join(&child.path)?);
                conversion.add(&a, &b, &mut problems)?;
            }
        }
        if problems.is_empty() {
            return Ok(conversion);
        }
        let more = problems.len().saturating_sub(TOLD);
        let mut text =
            problems.iter().take(TOLD).map(String::as_str).collect::<Vec<_>>().join("; ");
        if more > 0 {
            text += &format!("; and {more} more");
        }
        Err(Error::unsupported(format!("nothing was converted: {text}")))
    }

    /// Plans a node, or adds what it cannot express to `problems`. Errors of the store end the plan.
    fn add(&mut self, from: &NodePath, to: &NodePath, problems: &mut Vec<String>) -> Result<()> {
        const OF_STORE: [Kind; 3] = [Kind::Io, Kind::OutOfMemory, Kind::PermissionDenied];
        match self.node(from, to) {
            Ok(node) => self.nodes.push(node),
            Err(e) if OF_STORE.contains(&e.kind()) => return Err(e),
            Err(e) => problems.push(format!("{from}: {e}")),
        }
        Ok(())
    }

    fn node(&self, from: &NodePath, to: &NodePath) -> Result<Node> {
        let mut metadata = match self.from.find(from)? {
            Some(Found { metadata, .. }) => metadata,
            None => NodeMetadata::Group(Default::default()), // an implicit one
        };
        let (kind, attributes) = match &mut metadata {
            NodeMetadata::Group(group) => (NodeKind::Group, &mut group.attributes),
            NodeMetadata::Array(array) => (NodeKind::Array, &mut array.attributes),
        };
        if attributes.is_none() {
            let stored = NodeAttributes::new(&self.from, from, self.old_format.clone(), kind, None);
            *attributes = Some(stored.read(|a| Ok(a.clone()))?);
        }
        let keys_stay =
            self.in_place && self.old_format.chunk_prefix(from) == self.new_format.chunk_prefix(to);
        let losses = self.from.store().losses(from.as_str())?;
        if !losses.is_empty() && !self.accept.losses {
            return Err(Error::unsupported(losses.join("; ")));
        }
        let stays = match &metadata {
            NodeMetadata::Array(array) if keys_stay => Some(array.chunk_keys),
            _ => None,
        };
        let mut said = metadata.clone();
        let notes = match &mut said {
            NodeMetadata::Array(array) => {
                let source = (**array).clone();
                let complete = || self.is_complete(from, &source);
                conventions::carry(&*self.old_format, &*self.new_format, array, &complete)?
            }
            NodeMetadata::Group(_) => Vec::new(),
        };
        let mut expressed = plan::express(&*self.new_format, to, &said, stays, self.accept)?;
        expressed.notes.extend(losses.into_iter().chain(notes));
        let source = match metadata {
            NodeMetadata::Array(array) => {
                // detect now what cannot be decoded
                self.array(&self.from, from, &self.old_format, (*array).clone())?;
                Some(array)
            }
            NodeMetadata::Group(_) => None,
        };
        Ok(Node { from: from.clone(), to: to.clone(), kind, source, expressed })
    }

    fn array(
        &self,
        hierarchy: &Hierarchy,
        path: &NodePath,
        format: &SharedFormat,
        metadata: ArrayMetadata,
    ) -> Result<Array> {
        let prefix = format.chunk_prefix(path);
        // whole chunks only, so that it can be resumed
        let settings = Settings { in_place: false, ..hierarchy.settings().clone() };
        Array::new(hierarchy.store().clone(), path.clone(), prefix, metadata, settings)
    }

    /// Describes the plan, node by node.
    pub fn describe(&self) -> Value {
        let nodes: Vec<Value> = self
            .nodes
            .iter()
            .map(|node| {
                let chunks = node.expressed.array.as_ref().map(|(_, chunks)| match chunks {
                    Chunks::Stay => "stay",
                    Chunks::Copied => "copied",
                    Chunks::Recoded => "recoded",
                });
                json!({
                    "path": node.from.as_str(),
                    "kind": if node.kind == NodeKind::Group { "group" } else { "array" },
                    "chunks": chunks,
                    "notes": node.expressed.notes,
                })
            })
            .collect();
        json!({
            "from": self.old_format.name(),
            "to": self.new_format.name(),
            "in_place": self.in_place,
            "nodes": nodes,
        })
    }

    /// Runs the conversion. [`Kind::AlreadyExists`]: the target has something that an interrupted
    /// run of the same conversion did not leave; [`Kind::Cancelled`]: `progress` cancelled it.
    pub fn run(&self, progress: &Progress<'_>) -> Result<()> {
        if self.to.store().read_only() {
            return Err(crate::store::refuse_change(&**self.to.store()));
        }
        let note = self.note();
        match Note::read(&self.to, &self.to_path)? {
            Some(Note { finish: Some(finish), to_format, .. }) if to_format == note.to_format => {
                return self.finish(&finish);
            }
            Some(other) if other == note => {}
            Some(_) => {
                return Err(Error::new(
                    Kind::AlreadyExists,
                    format!("another conversion into {} was interrupted", self.to_path),
                ));
            }
            None => {
                self.check_target()?;
                note.write(&self.to, &self.to_path)?;
            }
        }
        let counter = Counter {
            nodes: self.nodes.len() as u64,
            nodes_done: AtomicU64::new(0),
            chunks: AtomicU64::new(0),
            chunks_done: AtomicU64::new(0),
            progress,
        };
        // children first
        for (n, node) in self.nodes.iter().enumerate().rev() {
            self.transfer_chunks(node, &counter).at(|| format!("converting {}", node.from))?;
            if n > 0 {
                for (key, document) in &node.expressed.documents {
                    let key = Key::trusted(key.clone());
                    self.to.store().set(&key, &[document], &Precondition::None)?;
                }
            }
            counter.node_done(node)?;
        }
        let root = self.nodes.first().map_or(&[][..], |node| &node.expressed.documents);
        let entry = self.new_format.entry_document();
        let text = |(key, document): &(String, Vec<u8>)| {
            (key.clone(), String::from_utf8_lossy(document).into_owned())
        };
        let finish = Finish {
            documents: entry.iter().chain(root).map(text).collect(),
            erase: if self.in_place && !self.accept.leftovers { self.leftovers()? } else { vec![] },
        };
        Note { finish: Some(finish.clone()), ..note }.write(&self.to, &self.to_path)?;
        self.finish(&finish)
    }

    /// Identifies the runs of one conversion.
    fn note(&self) -> Note {
        Note {
            from_store: self.from.store().name(),
            from_path: self.nodes.first().map_or_else(String::new, |n| n.from.as_str().to_owned()),
            from_format: self.old_format.id().number(),
            to_format: self.new_format.id().number(),
            finish: None,
        }
    }

    /// Fails if something is in the way.
    fn check_target(&self) -> Result<()> {
        for node in &self.nodes {
            for key in self.new_format.documents(&node.to) {
                let entry = self.old_format.entry_document().map(|(key, _)| key);
                let own = self.in_place
                    && (self.old_format.documents(&node.from).contains(&key)
                        || entry.as_ref() == Some(&key));
                if !own && self.to.store().version(&Key::trusted(key.clone()))?.is_some() {
                    return Err(Error::new(
                        Kind::AlreadyExists,
                        format!("{key} already exists in store {}", self.to.store().name()),
                    ));
                }
            }
        }
        let prefix = self.to_path.prefix();
        if !self.in_place && !prefix.is_empty() && self.to.store().has_prefix(&prefix)? {
            return Err(Error::new(
                Kind::AlreadyExists,
                format!("there are keys below {prefix} in store {}", self.to.store().name()),
            ));
        }
        Ok(())
    }

    fn transfer_chunks(&self, node: &Node, counter: &Counter<'_>) -> Result<()> {
        let (Some(source), Some((target, chunks))) = (&node.source, &node.expressed.array) else {
            return Ok(());
        };
        match chunks {
            Chunks::Stay => Ok(()),
            Chunks::Copied => self.copy_chunks(node, source, target, counter),
            Chunks::Recoded => self.recode(node, source, target, counter),
        }
    }

    /// Whether every chunk of an array is stored.
    fn is_complete(&self, from: &NodePath, source: &ArrayMetadata) -> Result<bool> {
        let chunks = (0..source.shape.len())
            .try_fold(1u64, |n, d| n.checked_mul(source.chunk_grid.count(d, source.shape[d])));
        // too many to list
        let Some(chunks) = chunks.filter(|&n| n <= MOST_COUNTED) else { return Ok(false) };
        let array = self.array(&self.from, from, &self.old_format, source.clone())?;
        Ok(array.stored_chunks()?.len() as u64 == chunks)
    }

    fn copy_chunks(
        &self,
        node: &Node,
        source: &ArrayMetadata,
        target: &ArrayMetadata,
        counter: &Counter<'_>,
    ) -> Result<()> {
        let stored = self.array(&self.from, &node.from, &self.old_format, source.clone())?;
        let chunks = stored.stored_chunks()?;
        counter.begin(chunks.len());
        let key = |prefix: &str, array: &ArrayMetadata, index: &[u64]| {
            let mut key = prefix.to_owned();
            array.chunk_keys.push_key(index, &mut key);
            Key::trusted(key)
        };
        let (old, new) =
            (self.old_format.chunk_prefix(&node.from), self.new_format.chunk_prefix(&node.to));
        exec::run(self.to.settings().threads, chunks.len(), &|n| {
            let (old, new) = (key(&old, source, &chunks[n]), key(&new, target, &chunks[n]));
            if self.to.store().version(&new)?.is_none() {
                let mut value = Vec::new();
                if self.from.store().get(&old, &mut value)?.is_some() {
                    self.to.store().set(&new, &[&value], &Precondition::None)?;
                }
            }
            counter.chunk_done(node)
        })
    }

    fn recode(
        &self,
        node: &Node,
        source: &ArrayMetadata,
        target: &ArrayMetadata,
        counter: &Counter<'_>,
    ) -> Result<()> {
        let old = self.array(&self.from, &node.from, &self.old_format, source.clone())?;
        let new = self.array(&self.to, &node.to, &self.new_format, target.clone())?;
        // chunks that are not stored read as the same fill value in both
        let wanted = if source.fill_element() == target.fill_element() {
            let mut touched = BTreeSet::new();
            for index in old.stored_chunks()? {
                if let Some(region) = old.region_of_chunk(&index) {
                    touched.extend(new.chunks_touched(&region)?);
                }
            }
            touched.into_iter().collect()
        } else {
            new.chunks_touched(&Region::whole(&source.shape))?
        };
        counter.begin(wanted.len());
        exec::run(self.to.settings().threads, wanted.len(), &|n| {
            if let Some(region) = new.region_of_chunk(&wanted[n])
                && !new.is_chunk_stored(&wanted[n])?
            {
                old.copy_to(&new, &region)?;
            }
            counter.chunk_done(node)
        })
    }

    /// What only the old format needs: keys, and prefixes with a slash at the end.
    fn leftovers(&self) -> Result<Vec<String>> {
        let mut kept: BTreeSet<String> = BTreeSet::new();
        for node in &self.nodes {
            kept.extend(node.expressed.documents.iter().map(|(key, _)| key.clone()));
        }
        kept.extend(self.new_format.entry_document().map(|(key, _)| key));
        let mut erase = Vec::new();
        for node in &self.nodes {
            let (old, new) = (&self.old_format, &self.new_format);
            let attributes = old.attributes_document(&node.from, node.kind);
            erase.extend(old.documents(&node.from).into_iter().chain([attributes]));
            erase.extend(old.consolidated_document(&node.from));
            let Some(source) = &node.source else { continue };
            let Some((target, chunks)) = &node.expressed.array else { continue };
            if *chunks == Chunks::Stay {
                continue;
            }
            let new_prefix = new.chunk_prefix(&node.to);
            let stored = self.array(&self.from, &node.from, old, (**source).clone())?;
            stored.for_each_stored(&mut |index, key| {
                let theirs = key
                    .as_str()
                    .strip_prefix(&new_prefix)
                    .is_some_and(|k| target.chunk_keys.parse_key(k, index.len()).is_some());
                if !theirs {
                    erase.push(key.to_string());
                }
                Ok(())
            })?;
        }
        erase.extend(self.old_format.entry_document().map(|(key, _)| key));
        let mut seen = BTreeSet::new();
        erase.retain(|key| !kept.contains(key) && seen.insert(key.clone()));
        Ok(erase)
    }

    fn finish(&self, finish: &Finish) -> Result<()> {
        for (key, document) in &finish.documents {
            let key = Key::trusted(key.clone());
            self.to.store().set(&key, &[document.as_bytes()], &Precondition::None)?;
        }
        for key in &finish.erase {
            self.to.store().erase(&Key::trusted(key.clone()), &Precondition::None)?;
        }
        Note::erase(&self.to, &self.to_path)?;
        self.to.forget_root();
        self.to.nodes_changed(&self.new_format, &self.to_path)?;
        self.from.forget_root();
        Ok(())
    }
}

/// Counts the progress of a conversion.
struct Counter<'a> {
    nodes: u64,
    nodes_done: AtomicU64,
    /// Of the current node.
    chunks: AtomicU64,
    chunks_done: AtomicU64,
    progress: &'a Progress<'a>,
}

impl Counter<'_> {
    /// Starts the next node, of so many chunks.
    fn begin(&self, chunks: usize) {
        self.chunks_done.store(0, Ordering::Relaxed);
        self.chunks.store(chunks as u64, Ordering::Relaxed);
    }

    fn chunk_done(&self, node: &Node) -> Result<()> {
        let done = self.chunks_done.fetch_add(1, Ordering::Relaxed) + 1;
        let all = self.chunks.load(Ordering::Relaxed);
        self.report(done as f64 / all.max(1) as f64, || {
            format!("{}: {done} of {all} chunks", node.from)
        })
    }

    fn node_done(&self, node: &Node) -> Result<()> {
        self.nodes_done.fetch_add(1, Ordering::Relaxed);
        self.report(0.0, || node.from.to_string())
    }

    /// Reports the finished nodes, and a fraction of the current one.
    fn report(&self, part: f64, what: impl FnOnce() -> String) -> Result<()> {
        let done = self.nodes_done.load(Ordering::Relaxed) as f64 + part;
        self.progress
            .report(done / self.nodes.max(1) as f64, what)
            .at(|| "call zarrc_convert() again to resume")
    }
}

impl Note {
    fn key(path: &NodePath) -> Key {
        Key::trusted(path.prefix() + NOTE)
    }

    fn read(at: &Hierarchy, path: &NodePath) -> Result<Option<Note>> {
        let mut text = Vec::new();
        if at.store().get(&Self::key(path), &mut text)?.is_none() {
            return Ok(None);
        }
        let note = crate::metadata::from_json(&text);
        note.map(Some).map_err(|e| Error::metadata(format!("{}: {e}", Self::key(path))))
    }

    fn write(&self, at: &Hierarchy, path: &NodePath) -> Result<()> {
        let text = serde_json::to_vec(self)
            .map_err(|e| Error::new(Kind::Internal, format!("the note: {e}")))?;
        at.store().set(&Self::key(path), &[&text], &Precondition::None)
    }

    fn erase(at: &Hierarchy, path: &NodePath) -> Result<()> {
        at.store().erase(&Self::key(path), &Precondition::None).map(|_| ())
    }
}
