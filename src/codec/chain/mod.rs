//! The codec chain of an array, or of the inner chunks of a shard.

mod build;
mod decode;
mod encode;
mod encoded;

pub use encoded::Encoded;

use super::steps::Steps;
use super::{ArrayBytesCodec, BytesCodec, ChunkSpec, Len, ShardLayout};
use crate::error::{Error, Result};
use crate::selection::Region;
use crate::source::{ByteSource, Want};
use crate::strided::{Extents, Swap};

/// A chain of codecs, built and checked for chunks of one shape and type.
pub struct Chain {
    chunk: ChunkSpec,
    shape: Extents,
    size: u64,
    steps: Steps,
    /// The chunk that `to_bytes` receives.
    seen: ChunkSpec,
    to_bytes: Box<dyn ArrayBytesCodec>,
    stages: Vec<Stage>,
}

/// A bytes -> bytes codec and the known bounds of its decoded length.
struct Stage {
    codec: Box<dyn BytesCodec>,
    name: &'static str,
    decoded: Len,
}

impl Chain {
    /// A chain that cannot be used, for chunks like `chunk`: decoding and encoding fail with the
    /// error of building it.
    pub fn unusable(error: &Error, chunk: ChunkSpec) -> Result<Self> {
        let size = chunk.size()?;
        let shape = chunk.shape.iter().map(|&n| n as usize).collect();
        let to_bytes = super::unusable::codec(error);
        let (steps, seen) = (Steps::default(), chunk.clone());
        Ok(Chain { chunk, shape, size, steps, seen, to_bytes, stages: Vec::new() })
    }

    /// The chunk before encoding.
    pub fn chunk(&self) -> &ChunkSpec {
        &self.chunk
    }

    /// The size of a decoded chunk (bytes).
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The length of an encoded chunk.
    pub fn encoded_len(&self) -> Len {
        match self.stages.last() {
            Some(stage) => stage.codec.encoded_len(stage.decoded),
            None => self.to_bytes.encoded_len(),
        }
    }

    /// `Some`: an encoded chunk is its elements in C order, with these byte swaps.
    pub fn raw_layout(&self) -> Option<&Swap> {
        let is_raw = self.stages.is_empty() && self.steps.is_empty();
        self.to_bytes.raw_layout().filter(|_| is_raw)
    }

    /// The shape of inner chunks, if the chunk is a shard; axes as the chunk's.
    pub fn inner_shape(&self) -> Option<Vec<u64>> {
        self.steps.shape_before(self.to_bytes.inner_shape()?)
    }

    /// The layout of a chunk that is a shard; `None`: it is not, is not stored, or another codec
    /// follows.
    pub fn shard_layout(&self, source: &dyn ByteSource) -> Result<Option<ShardLayout>> {
        if self.stages.is_empty() { self.to_bytes.layout(source) } else { Ok(None) }
    }

    /// What decoding `pick` reads first of an encoded chunk.
    pub fn reads_first(&self, bounds: Option<&Region>) -> Option<Want> {
        // steps permute the bounds, which matters only to codecs that use their position
        match self.stages.is_empty() && (self.steps.is_empty() || self.inner_shape().is_some()) {
            true => self.to_bytes.reads_first(bounds),
            false => Some(Want::All(0)),
        }
    }

    /// The number of chunk-sized buffers that decoding or encoding a chunk takes; for a shard,
    /// inner chunk-sized.
    pub fn buffers(&self) -> u64 {
        let inner = if self.to_bytes.inner_shape().is_some() { 2 } else { 0 };
        1 + inner + self.stages.len().min(2) as u64 + u64::from(!self.steps.is_empty())
    }

    /// Whether decoding part of a chunk produces something worth caching.
    pub fn keeps(&self) -> bool {
        !self.stages.is_empty() || self.to_bytes.keeps() || self.steps.needs_whole_chunk()
    }
}
