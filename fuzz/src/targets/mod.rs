//! What is fuzzed: each target takes any bytes, and panics only if the library is wrong.

mod c;
mod calls;
mod chunk;
mod codecs;
mod convert;
mod hierarchy;
#[cfg(feature = "icechunk")]
mod icechunk;
mod metadata;
#[cfg(all(feature = "http", feature = "s3"))]
mod network;
#[cfg(feature = "parquet")]
mod parquet;
mod program;
mod references;
mod settings;
#[cfg(feature = "sqlite")]
mod sqlite;
mod stream;
mod zip;

/// Takes any bytes.
pub type Target = fn(&[u8]);

/// By name, which is also that of its folder in fuzz/corpus.
pub const TARGETS: &[(&str, Target)] = &[
    ("calls", calls::run),
    ("chunk", chunk::run),
    ("codecs", codecs::run),
    ("convert", convert::run),
    ("hierarchy", hierarchy::run),
    #[cfg(all(feature = "http", feature = "s3"))]
    ("http", network::http),
    #[cfg(feature = "icechunk")]
    ("icechunk", icechunk::run),
    ("metadata", metadata::run),
    #[cfg(feature = "parquet")]
    ("parquet", parquet::run),
    ("program", program::run),
    ("references", references::run),
    #[cfg(all(feature = "http", feature = "s3"))]
    ("s3", network::s3),
    ("settings", settings::run),
    #[cfg(feature = "sqlite")]
    ("sqlite", sqlite::run),
    ("stream", stream::run),
    ("zip", zip::run),
];

use std::sync::Arc;
use zarrc::array::MemoryType;
use zarrc::error::{Kind, Result};
use zarrc::format::NodeKind;
use zarrc::hierarchy::{ArrayNode, Hierarchy};
use zarrc::metadata::NodePath;
use zarrc::selection::Region;
use zarrc::store::{Depth, Key, Mode, Options, Precondition, SharedStore, open};
use zarrc::strided::ViewMut;

/// The most elements of an array that a target reads.
const MOST: u64 = 1 << 12;

/// A store in memory with some values; those whose keys are none are left out.
fn memory(values: &[(&str, &[u8])]) -> SharedStore {
    let store = open("memory:", Mode::Append, &Options::default()).expect("memory");
    for (key, value) in values {
        if let Ok(key) = Key::parse(key) {
            let _ = store.set(&key, &[value], &Precondition::None);
        }
    }
    store
}

/// The nodes of a store, on one thread, so that inputs take the same path every time.
fn nodes(store: &SharedStore) -> Arc<Hierarchy> {
    let mut options = Options::default();
    options.set("threads", "1").expect("an option");
    Arc::new(Hierarchy::new(store.clone(), &options))
}

/// No input is the library's own mistake.
fn check<T>(result: Result<T>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(e) => {
            assert!(!matches!(e.kind(), Kind::Internal | Kind::Pending), "{e}");
            None
        }
    }
}

/// Opens and reads a little of everything in a store.
fn visit(store: &SharedStore) {
    let nodes = nodes(store);
    let mut paths = vec![NodePath::root()];
    if let Some(Some(NodeKind::Group)) = check(nodes.kind_at(&NodePath::root()))
        && let Some(group) = check(nodes.open_group(&NodePath::root()))
        && let Some(listed) = check(group.list(true))
    {
        paths.extend(listed.iter().take(16).filter_map(|node| NodePath::parse(&node.path).ok()));
    }
    for path in paths {
        match check(nodes.kind_at(&path)).flatten() {
            Some(NodeKind::Array) => {
                if let Some(array) = check(nodes.open_array(&path)) {
                    read(&array);
                }
            }
            Some(NodeKind::Group) => {
                if let Some(group) = check(nodes.open_group(&path)) {
                    let _ = check(group.attributes().read(|all| Ok(all.to_json())));
                }
            }
            None => {}
        }
    }
}

/// Reads the first elements of an array, and every other one of those.
fn read(array: &ArrayNode) {
    let shape = array.array.shape();
    let mut left = MOST;
    let count: Vec<u64> = shape
        .iter()
        .map(|&n| {
            let few = n.min(left).min(64);
            left /= few.max(1);
            few
        })
        .collect();
    let zeros = vec![0; shape.len()];
    let halves: Vec<u64> = count.iter().map(|&n| n.div_ceil(2)).collect();
    let twos = vec![2; shape.len()];
    for region in [
        Region::new(&shape, &zeros, &count, None),
        Region::new(&shape, &zeros, &halves, Some(&twos)),
    ] {
        let Some(region) = check(region) else { continue };
        let item = array.array.metadata().data_type.size();
        if array.array.metadata().data_type.is_variable() {
            let _ = check(array.array.read_vlen(&region));
            continue;
        }
        let counts: Vec<usize> = region.spans().iter().map(|span| span.count as usize).collect();
        let size = counts.iter().product::<usize>() * item;
        if size > 16 << 20 {
            continue;
        }
        let mut out = vec![0; size];
        if let Some(dst) = check(ViewMut::contiguous(&mut out, &counts, item)) {
            let _ = check(array.array.read(&region, MemoryType::Native, dst));
        }
    }
}

/// All keys of a store, as far as it can list them.
fn keys(store: &SharedStore) -> Vec<String> {
    let mut keys = Vec::new();
    let _ = check(store.list("", Depth::All, &mut |entry| {
        if let zarrc::store::Entry::Key(key) = entry {
            keys.push(key.to_owned());
        }
        Ok(())
    }));
    keys
}
