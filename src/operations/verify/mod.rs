//! Checking everything below a node: documents, the chunks of arrays, keys that belong to no node,
//! and consolidated metadata. Problems are reported and do not fail the check; nothing is changed.

mod chunks;
mod documents;

use crate::array::{Array, Settings};
use crate::cache::Cache;
use crate::codec::ReadPolicy;
use crate::error::{Context, Error, Kind, Result};
use crate::exec;
use crate::hierarchy::Hierarchy;
use crate::lock::Acquire;
use crate::metadata::{NodeMetadata, NodePath};
use crate::progress::Progress;
use crate::store::{Depth, Entry};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// A problem of something that is stored.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The path of the node.
    pub node: String,
    /// The key; empty if the whole node is concerned.
    pub key: String,
    /// The kind of problem, one word.
    pub kind: &'static str,
    /// A description for people.
    pub message: String,
}

impl Problem {
    /// As JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "node": self.node,
            "key": self.key,
            "kind": self.kind,
            "message": self.message,
        })
    }
}

/// What was checked, and its problems.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Nodes.
    pub nodes: u64,
    /// Stored chunks.
    pub chunks: u64,
    /// Total size of the values that belong to nodes (bytes).
    pub bytes: u64,
    /// Sorted by node, key and kind.
    pub problems: Vec<Problem>,
}

impl Report {
    /// As JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "nodes": self.nodes,
            "chunks": self.chunks,
            "bytes": self.bytes,
            "problems": self.problems.iter().map(Problem::to_json).collect::<Vec<_>>(),
        })
    }
}

/// A running check, shared by its threads.
struct Check<'a> {
    hierarchy: Hierarchy,
    /// The same store, for arrays that outlive a step.
    settings: Settings,
    progress: &'a Progress<'a>,
    bytes: AtomicU64,
    problems: Mutex<BTreeSet<Problem>>,
}

/// Nodes that were read.
#[derive(Default)]
struct Nodes {
    arrays: Vec<Array>,
    paths: HashSet<NodePath>,
    /// Nodes with a document that cannot be read.
    unreadable: HashSet<NodePath>,
}

/// Checks the node at `path` and everything below it. [`Kind::NotFound`]: there is none.
pub fn verify(hierarchy: &Hierarchy, path: &NodePath, progress: &Progress<'_>) -> Result<Report> {
    run(hierarchy, path, progress).at(|| format!("verifying {path}"))
}

fn run(hierarchy: &Hierarchy, path: &NodePath, progress: &Progress<'_>) -> Result<Report> {
    let stored = hierarchy.as_stored();
    let settings = Settings {
        cache: Arc::new(Cache::new(0)),
        write_buffer: 0,
        read_policy: ReadPolicy::default(),
        ..stored.settings().clone()
    };
    let check = Check {
        hierarchy: stored,
        settings,
        progress,
        bytes: AtomicU64::new(0),
        problems: Mutex::default(),
    };
    let keys = check.keys(path)?;
    let mut known = vec![false; keys.len()];
    let nodes = check.nodes(path, &keys, &mut known)?;
    let mut jobs = Vec::new();
    for (n, array) in nodes.arrays.iter().enumerate() {
        check.find_chunks(array, &keys, &mut known, &mut |index| jobs.push((n, index)));
    }
    check.unknown(&nodes, &keys, &known);
    check.abandoned(path)?;
    if path.is_root() {
        check.damage()?;
    }
    let (all, done) = (jobs.len().max(1) as f64, AtomicU64::new(0));
    exec::run(check.settings.threads, jobs.len(), &|n| {
        let (array, index) = &jobs[n];
        let array = &nodes.arrays[*array];
        progress.check()?;
        check.chunk(array, index)?;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        progress.report(done as f64 / all, || format!("{}: chunk {index:?}", array.path()))
    })?;
    progress.report(1.0, || path.to_string())?;
    Ok(Report {
        nodes: nodes.paths.len() as u64,
        chunks: jobs.len() as u64,
        bytes: check.bytes.into_inner(),
        problems: check.problems.release().into_iter().collect(),
    })
}

impl Check<'_> {
    fn report(&self, node: &NodePath, key: &str, kind: &'static str, message: impl Into<String>) {
        let problem = Problem {
            node: node.as_str().to_owned(),
            key: key.to_owned(),
            kind,
            message: message.into(),
        };
        self.problems.acquire().insert(problem);
    }

    /// Reports an error about something stored. Errors that do not concern what is stored end the
    /// call.
    fn report_error(&self, node: &NodePath, key: &str, kind: &'static str, e: Error) -> Result<()> {
        let kind = match e.kind() {
            Kind::Cancelled | Kind::Internal => return Err(e),
            Kind::Io | Kind::PermissionDenied => "unreadable",
            Kind::Unsupported => "unsupported",
            Kind::OutOfMemory | Kind::LimitExceeded => "too_large",
            _ => kind,
        };
        self.report(node, key, kind, e.to_string());
        Ok(())
    }

    /// All keys of the node and below it, sorted.
    fn keys(&self, path: &NodePath) -> Result<Vec<String>> {
        let format = self.hierarchy.format_at(path);
        let mut prefixes: Vec<String> = match &format {
            Ok(format) => format.node_prefixes(path),
            Err(_) => vec![path.prefix()],
        };
        if path.is_root() {
            prefixes = vec![String::new()];
        }
        let mut keys = Vec::new();
        for prefix in prefixes {
            self.hierarchy.store().list(&prefix, Depth::All, &mut |entry| {
                if let Entry::Key(name) = entry {
                    crate::source::push(&mut keys, [&prefix, name].concat())?;
                }
                Ok(())
            })?;
        }
        match format {
            Err(e) if keys.is_empty() => return Err(e),
            // keys without a readable node are what the check looks for
            Err(e) if !matches!(e.kind(), Kind::InvalidMetadata | Kind::NotFound) => return Err(e),
            _ => {}
        }
        keys.sort_unstable();
        keys.dedup();
        Ok(keys)
    }

    /// Reports keys that belong to no node; of many in one place, the place.
    fn unknown(&self, nodes: &Nodes, keys: &[String], known: &[bool]) {
        // by the nearest node above, and the next segment of the key
        let mut places: BTreeMap<(NodePath, String), (u64, &str)> = BTreeMap::new();
        for (key, _) in keys.iter().zip(known).filter(|(_, known)| !**known) {
            let (parent, name) = key.rsplit_once('/').unwrap_or(("", key));
            let mut node = NodePath::parse(parent).unwrap_or_default();
            if matches!(name, ".zarrc-conversion" | super::rechunk::NOTE | super::copy::NOTE) {
                let text = "a call was interrupted here; the same call resumes it";
                self.report(&node, key, "interrupted", text);
                continue;
            }
            while !nodes.paths.contains(&node)
                && let Some(above) = node.parent()
            {
                node = above;
            }
            if nodes.unreadable.contains(&node) {
                continue; // what it is cannot be said, and its document is reported
            }
            let below = &key[node.prefix().len().min(key.len())..];
            let next = below.split_inclusive('/').next().unwrap_or(below).to_owned();
            places.entry((node, next)).or_insert((0, key)).0 += 1;
        }
        for ((node, next), (count, key)) in places {
            match count {
                1 => self.report(&node, key, "unknown", "the key belongs to no node"),
                _ => {
                    let place = node.prefix() + &next;
                    let text = format!("{count} keys below {place} belong to no node");
                    self.report(&node, &place, "unknown", text);
                }
            }
        }
    }

    /// Reports what killed writers left.
    fn abandoned(&self, path: &NodePath) -> Result<()> {
        let prefix = path.prefix();
        self.hierarchy.store().list_abandoned(&prefix, &mut |name| {
            let key = [&prefix, name].concat();
            let node = key.rsplit_once('/').map_or("", |(node, _)| node);
            let node = NodePath::parse(node).unwrap_or_default();
            let text = "a temporary file of a write that is running or was killed";
            self.report(&node, &key, "temporary", text);
            Ok(())
        })
    }

    /// Reports damage to the structure of the store.
    fn damage(&self) -> Result<()> {
        let root = NodePath::root();
        let checked = self.hierarchy.store().list_damage(&mut |text| {
            self.report(&root, "", "store", text);
            Ok(())
        });
        checked.or_else(|e| self.report_error(&root, "", "store", e))
    }

    fn array(
        &self,
        path: &NodePath,
        metadata: NodeMetadata,
        prefix: String,
    ) -> Result<Option<Array>> {
        let NodeMetadata::Array(metadata) = metadata else { return Ok(None) };
        let (store, settings) = (self.hierarchy.store().clone(), self.settings.clone());
        Array::new(store, path.clone(), prefix, *metadata, settings).map(Some)
    }
}
