//! What a store is told of values that will be read next: each once, before it is read, within
//! bounds, and nothing where the store does not read ahead.

use crate::common::{hierarchy, memory, path};
use std::sync::{Arc, Mutex};
use zarrc::array::MemoryType;
use zarrc::error::Result;
use zarrc::hierarchy::{ArrayNode, ArraySpec};
use zarrc::metadata::{CodecSpec, DataType};
use zarrc::selection::Region;
use zarrc::source::{ByteSource, Want};
use zarrc::store::{Depth, Entry, Key, Precondition, SharedStore, Store, Version};
use zarrc::strided::{View, ViewMut};

/// Bytes of a chunk.
const CHUNK: u64 = 64;

/// A store in memory that reads ahead, and notes in which order it was asked for what.
struct Slow {
    inner: SharedStore,
    ahead: u64,
    asked: Mutex<Vec<String>>,
}

impl Slow {
    fn note(&self, what: String) {
        self.asked.lock().unwrap().push(what);
    }

    fn taken(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

impl Store for Slow {
    fn name(&self) -> String {
        "slow".into()
    }

    fn read_only(&self) -> bool {
        false
    }

    fn bytes_ahead(&self) -> u64 {
        self.ahead
    }

    fn read_ahead(&self, key: &Key, want: Want) {
        self.note(format!("ahead {key} {want:?}"));
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        self.inner.get(key, out)
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        self.note(format!("read {key}"));
        self.inner.source(key)
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        self.inner.version(key)
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        self.inner.set(key, parts, when)
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        self.inner.list(prefix, depth, each)
    }
}

/// An array of `count` uint32 in chunks of 16, written, over a store that reads `ahead` bytes
/// ahead.
fn array(
    count: u64,
    codecs: &[&str],
    inner_chunks: Option<u64>,
    ahead: u64,
) -> (Arc<Slow>, ArrayNode) {
    let slow = Arc::new(Slow { inner: memory(), ahead, asked: Mutex::default() });
    let store: SharedStore = slow.clone();
    let mut spec = ArraySpec::new(DataType::UInt32, vec![count]);
    spec.chunk_shape = Some(vec![16]);
    spec.shard_shape = inner_chunks.map(|n| vec![16 * n]);
    let codec = |name: &&str| CodecSpec::new(*name, Default::default());
    spec.codecs = Some(codecs.iter().map(codec).collect());
    let options = [("threads", "1"), ("chunk_cache", "0")];
    let node = hierarchy(&store, &options).create_array(&path("a"), &spec).unwrap();
    let bytes: Vec<u8> = (1..=count as u32).flat_map(u32::to_ne_bytes).collect();
    let src = View::contiguous(&bytes, &[count as usize], 4).unwrap();
    node.array.write(&Region::whole(&[count]), MemoryType::Native, &src).unwrap();
    slow.taken();
    (slow, node)
}

fn read(node: &ArrayNode, start: u64, count: u64) {
    let mut bytes = vec![0; count as usize * 4];
    let region = Region::new(&node.array.shape(), &[start], &[count], None).unwrap();
    let dst = ViewMut::contiguous(&mut bytes, &[count as usize], 4).unwrap();
    node.array.read(&region, MemoryType::Native, dst).unwrap();
    let expected: Vec<u8> =
        (start as u32 + 1..=(start + count) as u32).flat_map(u32::to_ne_bytes).collect();
    assert_eq!(bytes, expected);
}

#[test]
fn chunks_are_named_once_before_they_are_read() {
    let (slow, node) = array(16 * 100, &["zstd"], None, 8 * CHUNK);
    read(&node, 0, 16 * 100);
    let asked = slow.taken();
    assert_eq!(asked[..2], ["ahead a/c/1 All(0)", "ahead a/c/2 All(0)"]);
    let place = |what: String| {
        let found: Vec<usize> = (0..asked.len()).filter(|&n| asked[n] == what).collect();
        assert!(found.len() < 2, "{what}: {found:?}");
        found.first().copied()
    };
    let read = |n| place(format!("read a/c/{n}")).unwrap();
    assert_eq!(place("ahead a/c/0 All(0)".into()), None);
    for n in 1..100 {
        let named = place(format!("ahead a/c/{n} All(0)")).unwrap();
        assert!(named < read(n), "{n}");
        assert!(n <= 8 || named > read(n - 9), "{n} is named too early");
    }
}

#[test]
fn nothing_is_named_to_a_store_that_does_not_read_ahead() {
    let (slow, node) = array(16 * 20, &["zstd"], None, 0);
    read(&node, 0, 16 * 20);
    assert!(slow.taken().iter().all(|line| line.starts_with("read ")));
}

#[test]
fn one_chunk_is_read_without_words() {
    let (slow, node) = array(16 * 20, &["zstd"], None, 1 << 20);
    read(&node, 20, 6);
    assert_eq!(slow.taken(), ["read a/c/1"]);
}

/// Of a chunk that is not compressed the bytes that are picked, of a shard its index.
#[test]
fn parts_are_named_as_parts() {
    let (slow, node) = array(16 * 4, &[], None, 1 << 20);
    read(&node, 4, 16 + 5);
    assert_eq!(slow.taken(), ["ahead a/c/1 Range(0, 36)", "read a/c/0", "read a/c/1"]);

    let (slow, node) = array(16 * 16, &["zstd"], Some(4), 1 << 20);
    read(&node, 0, 16 * 4 + 1);
    let asked = slow.taken();
    // four entries of 16 bytes and a checksum
    assert_eq!(asked[..2], ["ahead a/c/1 Suffix(68)", "read a/c/0"]);
}
