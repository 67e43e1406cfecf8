//! The stored chunks, which may be far fewer than the array has.

use super::Array;
use crate::codec::ShardLayout;
use crate::error::Result;
use crate::metadata::NodePath;
use crate::store::{Depth, Entry, Key};

impl Array {
    /// The key of the chunk at `index`.
    pub fn chunk_key(&self, index: &[u64]) -> Key {
        self.key(index)
    }

    /// The prefix of chunk keys.
    pub fn chunk_prefix(&self) -> &str {
        &self.prefix
    }

    /// The index of the chunk with this key, which may lie outside the present shape; `None`: it is
    /// the key of no chunk.
    pub fn chunk_index(&self, key: &str) -> Option<Vec<u64>> {
        let name = key.strip_prefix(&self.prefix)?;
        self.metadata.chunk_keys.parse_key(name, self.rank())
    }

    /// Calls `each` with the index and key of every stored chunk, in no order, including chunks
    /// outside the current shape.
    pub fn for_each_stored(&self, each: &mut dyn FnMut(Vec<u64>, Key) -> Result<()>) -> Result<()> {
        self.store.list(&self.prefix, Depth::All, &mut |entry| match entry {
            Entry::Key(name) => {
                let key = [&self.prefix, name].concat();
                match self.chunk_index(&key) {
                    Some(index) => each(index, Key::trusted(key)),
                    None => Ok(()),
                }
            }
            Entry::Prefix(_) => Ok(()),
        })
    }

    /// The indices of stored chunks inside the current shape, sorted.
    pub fn stored_chunks(&self) -> Result<Vec<Vec<u64>>> {
        let counts = self.chunk_counts();
        let mut found = Vec::new();
        self.for_each_stored(&mut |index, _| {
            if index.iter().zip(&counts).all(|(i, n)| i < n) {
                crate::source::push(&mut found, index)?;
            }
            Ok(())
        })?;
        found.sort_unstable();
        Ok(found)
    }

    /// Whether chunks in which every element is the fill value are stored.
    pub fn writes_empty_chunks(&self) -> bool {
        self.settings.write_empty
    }

    /// The stored size of a chunk (bytes); `None`: it is not stored.
    pub fn stored_size(&self, index: &[u64]) -> Result<Option<u64>> {
        let key = self.key(index);
        let size = self.store.source(&key).len();
        self.in_chunk(&key, size)
    }

    /// The layout of the shard at `index`; `None`: the array has no shards, or it is not stored.
    pub fn shard_layout(&self, index: &[u64]) -> Result<Option<ShardLayout>> {
        let key = self.key(index);
        let layout = self
            .chain_at(&self.extent(), index)
            .and_then(|chain| chain.shard_layout(&*self.store.source(&key)));
        self.in_chunk(&key, layout)
    }

    /// For messages: the array and its store.
    pub fn name(&self) -> String {
        let path: &NodePath = &self.path;
        format!("array {path} in store {}", self.store.name())
    }
}
