//! How an array is cut into chunks.

use crate::error::{Error, Result};

/// The chunk grid: a regular one, every chunk of the same shape, the last ones overhanging.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChunkGrid {
    /// The shape of every chunk, each extent at least 1.
    Regular(Vec<u64>),
}

impl ChunkGrid {
    /// A regular grid for an array of `rank` dimensions; checks rank and extents.
    pub fn regular(chunk_shape: Vec<u64>, rank: usize) -> Result<Self> {
        if chunk_shape.len() != rank {
            return Err(Error::metadata(format!(
                "the chunk shape has {} dimensions, the array {rank}",
                chunk_shape.len()
            )));
        }
        if let Some(axis) = chunk_shape.iter().position(|&n| n == 0) {
            return Err(Error::metadata(format!("the chunk shape is 0 in dimension {axis}")));
        }
        Ok(ChunkGrid::Regular(chunk_shape))
    }

    /// The shape of a chunk.
    pub fn chunk_shape(&self) -> &[u64] {
        let ChunkGrid::Regular(shape) = self;
        shape
    }
}
