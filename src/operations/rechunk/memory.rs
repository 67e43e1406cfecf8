//! What a call may hold in memory, shared out: the elements of a block, and for each thread the
//! chunk that it decodes or encodes, with the buffers of its codecs.

use super::GUESSED;
use crate::array::Array;
use crate::error::{Error, Kind};
use crate::metadata::ArrayMetadata;

/// How many chunks of the scratch array fit into memory for each thread, at least.
const SCRATCH_SHARE: u64 = 8;

/// Bytes of an element.
pub fn item(array: &ArrayMetadata) -> u64 {
    match array.data_type.is_variable() {
        true => GUESSED,
        false => array.data_type.size() as u64,
    }
}

fn bytes(shape: &[u64], item: u64) -> u64 {
    shape.iter().fold(item, |n, &extent| n.saturating_mul(extent))
}

/// Bytes of what is decoded at once: a chunk, or one inside a shard.
pub fn decoded_at_once(array: &Array) -> u64 {
    bytes(&array.chunk_shape(), item(array.metadata()))
}

/// Bytes of what is written at once: a chunk, or a shard.
pub fn written_at_once(array: &Array) -> u64 {
    bytes(&array.outer_chunk_shape(), item(array.metadata()))
}

/// Bytes that a thread holds while it decodes.
fn decoding(array: &Array) -> u64 {
    decoded_at_once(array).saturating_mul(array.chunk_buffers())
}

/// Bytes that a thread holds while it encodes: a shard is put together of its encoded chunks.
fn encoding(array: &Array) -> u64 {
    let chunks = decoded_at_once(array).saturating_mul(array.chunk_buffers());
    if array.is_sharded() { chunks.saturating_add(written_at_once(array)) } else { chunks }
}

/// How the memory limit is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Bytes in all.
    pub limit: u64,
    /// Threads that decode or encode concurrently.
    pub threads: usize,
    /// Bytes of decoded chunks that are kept for the next block.
    pub kept: u64,
    /// Bytes of encoded chunks on their way to or from a remote store.
    pub in_flight: u64,
}

impl Memory {
    /// For a call that brings `source` over into `target` on `most` threads, if they fit. Each of
    /// the arrays may still be a copy that is opened with other settings.
    pub fn new(limit: u64, source: &Array, target: &Array, most: usize) -> Self {
        let per_thread = decoding(source).max(encoding(target)).max(1);
        let threads = (limit / 2 / per_thread).clamp(1, most.max(1) as u64) as usize;
        // chunks that more than one block needs; larger ones would only push each other out
        let kept = limit / 16;
        let kept = if decoded_at_once(source).saturating_mul(2) <= kept { kept } else { 0 };
        let is_remote = source.is_remote() || target.is_remote();
        let in_flight = if is_remote { limit / 8 } else { 0 };
        Memory { limit, threads, kept, in_flight }
    }

    /// Bytes of a block between `source` and `target`.
    pub fn block(&self, source: &Array, target: &Array) -> u64 {
        self.beside(decoding(source).max(encoding(target)))
    }

    /// Bytes of a block on each side of a scratch array with chunks of [`Self::scratch`] bytes.
    pub fn block_by_scratch(&self, source: &Array, target: &Array) -> u64 {
        self.beside(decoding(source).max(encoding(target)).max(self.scratch()))
    }

    /// The most bytes of a chunk of the scratch array.
    pub fn scratch(&self) -> u64 {
        self.limit / SCRATCH_SHARE / self.threads as u64
    }

    fn beside(&self, per_thread: u64) -> u64 {
        let threads = per_thread.saturating_mul(self.threads as u64);
        self.limit.saturating_sub(threads).saturating_sub(self.kept).saturating_sub(self.in_flight)
    }

    /// The error for chunks that do not fit.
    pub fn exceeded(&self, source: &Array, target: &Array) -> Error {
        let least = decoding(source).max(encoding(target)).saturating_add(written_at_once(target));
        let what = format!(
            "memory_limit {}: a chunk of the new array has {} bytes and one of the old {}, which \
             need at least {} bytes",
            self.limit,
            written_at_once(target),
            decoded_at_once(source),
            least.saturating_add(least / 8)
        );
        Error::new(Kind::LimitExceeded, what)
    }
}
