//! One array: its chains of codecs over its store. [`chunks`] knows its chunks, [`read`] and
//! [`write`](mod@write) cut a region into chunks and run them; [`resize`] takes away what a
//! smaller shape leaves outside.
//! Nothing here knows a format.

mod chunks;
mod copy;
mod gather;
mod grow;
mod in_place;
mod memory;
mod pipeline;
mod plan;
mod read;
mod remote_value;
mod request;
mod resize;
mod stored;
mod turns;
mod vlen;
mod write;

pub use memory::{FieldPart, MemoryType};
pub use plan::Transfer;
pub use request::{About, Queue, Request, Work};
pub use turns::AtOnce;
pub use vlen::{Variable, check_element};

use chunks::ChainCache;
pub use chunks::Extent;
use gather::Gatherer;
use grow::Growth;
use pipeline::Pipeline;
use remote_value::Busy;

use crate::cache::Cache;
use crate::codec::{Chain, ReadPolicy};
use crate::error::{Context, Error, Kind, Result};
use crate::exec::WORTH_SHARING;
use crate::fork::{Lock, Own};
use crate::lock::Acquire;
use crate::metadata::{ArrayMetadata, ChunkGrid, NodePath};
use crate::selection::{Cut, Region, Selection};
use crate::source::ByteSource;
use crate::store::{Key, SharedStore};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// How often an operation is retried because another writer changed the chunk meanwhile.
const ATTEMPTS: usize = 32;

/// Retries `work` while other writers change the same chunk.
fn retry_on_conflict<T>(mut work: impl FnMut() -> Result<T>) -> Result<T> {
    let mut attempt = 1;
    loop {
        match work() {
            Err(e) if e.kind() == Kind::Conflict && attempt < ATTEMPTS => attempt += 1,
            result => return result,
        }
    }
}

/// The options of a store for its arrays.
#[derive(Clone)]
pub struct Settings {
    /// Threads per call, including the calling one.
    pub threads: usize,
    /// Whether to store chunks in which every element is the fill value.
    pub write_empty: bool,
    /// The cache that all arrays of the store share.
    pub cache: Arc<Cache>,
    /// Whether uncompressed chunks are written where they lie.
    pub in_place: bool,
    /// Size of the write buffer of an array (bytes); 0: none.
    pub write_buffer: usize,
    /// Limit of the encoded chunks of one call (bytes).
    pub memory: u64,
    /// What to tolerate in encoded bytes.
    pub read_policy: ReadPolicy,
    /// The unfinished requests of the store's arrays.
    pub requests: Arc<Queue>,
    /// Whether write requests copy their memory.
    pub copy_requests: bool,
    /// Whether to open arrays whose codecs this build lacks, for their metadata only.
    pub unknown_codecs: bool,
    /// Limit of the size of an element (bytes).
    pub max_element_size: usize,
}

/// An open array. Any number of threads may use it at once.
pub struct Array {
    store: SharedStore,
    path: NodePath,
    prefix: String,
    metadata: ArrayMetadata,
    /// The current shape and grid; `metadata` has those of when the array was opened.
    extent: Lock<Arc<Extent>>,
    /// The chain for chunks of the largest shape, which in a regular grid is that of every chunk.
    chain: Chain,
    chains: ChainCache,
    settings: Settings,
    /// Identifies its entries in the cache.
    number: u64,
    gatherer: Gatherer,
    growth: Growth,
    /// Locks for read-modify-write of a chunk, by a hash of its index, with the index of the last.
    locks: Own<[Mutex<u64>; 16]>,
    /// Chunks of a remote store that are being changed in part.
    busy: Busy,
}

impl Array {
    /// Builds the array's chain and checks it against the metadata. `prefix` is that of the keys of
    /// its chunks.
    pub fn new(
        store: SharedStore,
        path: NodePath,
        prefix: String,
        metadata: ArrayMetadata,
        settings: Settings,
    ) -> Result<Self> {
        let (item, most) = (metadata.data_type.size(), settings.max_element_size);
        if item > most {
            let what = format!(
                "an element of type {} has {item} bytes; the option max_element_size allows {most}",
                metadata.data_type.name()
            );
            return Err(Error::new(Kind::LimitExceeded, what));
        }
        let chain = chunks::usual_chain(&metadata, &settings)?;
        let extent = Extent { shape: metadata.shape.clone(), grid: metadata.chunk_grid.clone() };
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Ok(Array {
            store,
            path,
            prefix,
            metadata,
            extent: Lock::new(Arc::new(extent)),
            chain,
            chains: ChainCache::default(),
            settings,
            number,
            gatherer: Gatherer::default(),
            growth: Growth::default(),
            locks: Default::default(),
            busy: Busy::default(),
        })
    }

    /// Sets the number of threads of its calls, a cache of its own of `cached` bytes, and the limit
    /// of encoded chunks on their way to and from a remote store (bytes).
    pub fn set_memory(&mut self, threads: usize, cached: usize, encoded: u64) {
        self.settings.threads = threads;
        self.settings.cache = Arc::new(Cache::new(cached));
        self.settings.memory = encoded;
    }

    /// Collects partial writes in up to `bytes` of memory.
    pub fn set_write_buffer(&mut self, bytes: usize) {
        self.settings.write_buffer = bytes;
    }

    /// How many buffers of a decoded chunk's size a thread needs to decode or encode a chunk.
    pub fn chunk_buffers(&self) -> u64 {
        self.chain.buffers()
    }

    /// The requests of the arrays of its store.
    pub fn requests(&self) -> &Arc<Queue> {
        &self.settings.requests
    }

    /// A request of so many bytes of memory to read or write elements in `bounds`.
    pub fn about(&self, bounds: Region, write: bool, bytes: u64) -> About {
        let grid = &self.metadata.chunk_grid;
        let starts = bounds.spans().iter().map(|span| span.start).enumerate();
        let chunk = starts.map(|(d, start)| grid.at(d, start).map_or(0, |at| at.chunk)).collect();
        About { array: self.path.as_str().to_owned(), bounds, chunk, write, bytes }
    }

    /// Whether requests copy the memory that they write from.
    pub fn copies_requests(&self) -> bool {
        self.settings.copy_requests
    }

    /// Waits for requests that a read or a write of `selection` must not overtake.
    pub fn settle(&self, selection: &Selection, write: bool) -> Result<()> {
        if self.settings.requests.is_empty() {
            return Ok(());
        }
        let bounds = selection.pick(&self.shape())?.bounds();
        self.settings.requests.settle(self.path.as_str(), Some(&bounds), write);
        Ok(())
    }

    /// The same for a box.
    pub fn settle_region(&self, region: &Region, write: bool) {
        self.settings.requests.settle(self.path.as_str(), Some(region), write);
    }

    /// Waits for all requests of the array.
    pub fn settle_all(&self) {
        self.settings.requests.settle(self.path.as_str(), None, true);
    }

    /// Its metadata when it was opened. Shape and grid may have changed since.
    pub fn metadata(&self) -> &ArrayMetadata {
        &self.metadata
    }

    /// The current shape.
    pub fn shape(&self) -> Vec<u64> {
        self.extent().shape.clone()
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.metadata.shape.len()
    }

    /// Its path in the hierarchy.
    pub fn path(&self) -> &NodePath {
        &self.path
    }

    /// Whether `other` describes the same array, apart from extent and attributes.
    pub fn is_described_by(&self, other: &ArrayMetadata) -> bool {
        let (own, rank) = (&self.metadata, self.rank());
        let same_grid = match (&own.chunk_grid, &other.chunk_grid) {
            (ChunkGrid::Rectilinear(_), ChunkGrid::Rectilinear(_)) => true,
            (own, other) => own == other,
        };
        same_grid
            && rank == other.shape.len()
            && own.data_type == other.data_type
            && own.codecs == other.codecs
            && own.fill_value == other.fill_value
            // the one of an array without dimensions may have been corrected
            && (rank == 0 || own.chunk_keys == other.chunk_keys)
    }

    /// The current grid.
    pub fn grid(&self) -> ChunkGrid {
        self.extent().grid.clone()
    }

    /// The shape of a stored chunk; where chunks differ, the largest extents.
    pub fn outer_chunk_shape(&self) -> Vec<u64> {
        self.extent().grid.largest_shape().into_owned()
    }

    /// The shape of the smallest chunks that are decoded on their own; differs from
    /// [`Self::outer_chunk_shape`] if those are shards.
    pub fn chunk_shape(&self) -> Vec<u64> {
        self.chain.inner_shape().unwrap_or_else(|| self.outer_chunk_shape())
    }

    /// Whether stored chunks are shards.
    pub fn is_sharded(&self) -> bool {
        self.chain.inner_shape().is_some()
    }

    fn key(&self, chunk: &[u64]) -> Key {
        let mut key = String::with_capacity(self.prefix.len() + 4 + chunk.len() * 6);
        key.push_str(&self.prefix);
        self.metadata.chunk_keys.push_key(chunk, &mut key);
        Key::trusted(key)
    }

    /// Calls `work` with a value, and again if others change it meanwhile.
    fn with_value<T: Send>(
        &self,
        key: &Key,
        work: impl Fn(&dyn ByteSource) -> Result<T> + Sync,
    ) -> Result<T> {
        let _held = self.store.hold(key)?;
        if !self.is_remote() {
            return retry_on_conflict(|| work(&*self.store.source_to_change(key)));
        }
        let result = Mutex::new(None);
        Pipeline::run(self, 1, u64::MAX, (1, 0), &|_| key.clone(), &|_, value| {
            let done = work(value)?;
            *result.acquire() = Some(done);
            Ok(())
        })?;
        let result = result.release();
        result.ok_or_else(|| Error::new(Kind::Internal, "the work on a value did not run"))
    }

    /// Whether the store has high latency.
    pub fn is_remote(&self) -> bool {
        self.store.is_remote()
    }

    /// The number of threads worth waking for that many elements; all of them for remote stores.
    fn threads_for(&self, elements: usize) -> usize {
        if self.is_remote() {
            return self.settings.threads;
        }
        let bytes = (elements as u64).saturating_mul(self.metadata.data_type.size() as u64);
        if bytes < WORTH_SHARING { 1 } else { self.settings.threads }
    }

    fn place(&self, key: &Key) -> String {
        format!("array {}: chunk {} in store {}", self.path, key, self.store.name())
    }

    /// Adds the chunk to an error.
    fn in_chunk<T>(&self, key: &Key, result: Result<T, Error>) -> Result<T> {
        result.at(|| self.place(key))
    }
}
