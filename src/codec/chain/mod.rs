//! The codecs of one array (or of the inner chunks of a shard), put together for its chunks.

mod build;
mod decode;
mod encode;
mod encoded;

pub use encoded::Encoded;

use super::steps::Steps;
use super::{ArrayBytesCodec, BytesCodec, ChunkSpec, Len, ShardLayout};
use crate::error::{Error, Result};
use crate::source::ByteSource;
use crate::strided::Extents;

/// A chain of codecs, built and checked for the chunks of one shape and type.
pub struct Chain {
    chunk: ChunkSpec,
    shape: Extents,
    size: u64,
    steps: Steps,
    /// The chunk that `to_bytes` sees.
    seen: ChunkSpec,
    to_bytes: Box<dyn ArrayBytesCodec>,
    stages: Vec<Stage>,
}

/// A bytes -> bytes codec and what is known of the length that it decodes to.
struct Stage {
    codec: Box<dyn BytesCodec>,
    name: &'static str,
    decoded: Len,
}

impl Chain {
    /// One that cannot be used, for chunks like `chunk`: to decode or encode with it fails as to
    /// build it did.
    pub fn unusable(error: &Error, chunk: ChunkSpec) -> Result<Self> {
        let size = chunk.size()?;
        let shape = chunk.shape.iter().map(|&n| n as usize).collect();
        let to_bytes = super::unusable::codec(error);
        let (steps, seen) = (Steps::default(), chunk.clone());
        Ok(Chain { chunk, shape, size, steps, seen, to_bytes, stages: Vec::new() })
    }

    /// The chunk as it is before encoding.
    pub fn chunk(&self) -> &ChunkSpec {
        &self.chunk
    }

    /// Bytes of a decoded chunk.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// How long an encoded chunk is.
    pub fn encoded_len(&self) -> Len {
        match self.stages.last() {
            Some(stage) => stage.codec.encoded_len(stage.decoded),
            None => self.to_bytes.encoded_len(),
        }
    }

    /// The shape of the chunks inside a chunk, where it is a shard; axes as the chunk's.
    pub fn inner_shape(&self) -> Option<Vec<u64>> {
        self.steps.shape_before(self.to_bytes.inner_shape()?)
    }

    /// Where things lie in a chunk that is a shard; `None`: it is none, is not stored, or lies
    /// behind another codec.
    pub fn shard_layout(&self, source: &dyn ByteSource) -> Result<Option<ShardLayout>> {
        if self.stages.is_empty() { self.to_bytes.layout(source) } else { Ok(None) }
    }

    /// How many buffers of a chunk's size it takes to decode or encode one; in a shard, of an inner
    /// chunk's.
    pub fn buffers(&self) -> u64 {
        let inner = if self.to_bytes.inner_shape().is_some() { 2 } else { 0 };
        1 + inner + self.stages.len().min(2) as u64 + u64::from(!self.steps.is_empty())
    }

    /// Whether decoding a part of a chunk leaves something that is worth keeping.
    pub fn keeps(&self) -> bool {
        !self.stages.is_empty() || self.to_bytes.keeps() || self.steps.needs_whole_chunk()
    }
}
