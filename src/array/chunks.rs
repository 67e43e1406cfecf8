//! The chunks that an array has now, and the codec chain for each chunk shape.

use super::{Array, Settings};
use crate::codec::{Chain, ChunkSpec, ReadPolicy};
use crate::error::{Error, Kind, Result};
use crate::fork::Lock;
use crate::metadata::{ArrayMetadata, ChunkGrid};
use crate::selection::{ChunkSlice, Region, Span};
use crate::strided::Extents;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

/// Limit of cached chains for other shapes; beyond it, the cache is cleared.
const KEPT: usize = 64;

/// How many distinct extents of chunks along a dimension are checked when an array is opened. Of
/// more, only the smallest and largest are.
const TRIED: usize = 64;

/// The shape of an array and its grid, which change together.
#[derive(Clone, Debug)]
pub struct Extent {
    /// Extents (elements), slowest dimension first.
    pub shape: Vec<u64>,
    /// The chunk grid.
    pub grid: ChunkGrid,
}

/// A chain, built when the array was opened or later.
pub(super) enum ChainRef<'a> {
    Usual(&'a Chain),
    Other(Arc<Chain>),
}

impl Deref for ChainRef<'_> {
    type Target = Chain;
    fn deref(&self) -> &Chain {
        match self {
            ChainRef::Usual(chain) => chain,
            ChainRef::Other(chain) => chain,
        }
    }
}

/// Chains for chunks of other shapes than the largest.
#[derive(Default)]
pub(super) struct ChainCache(Lock<HashMap<SmallVec<[u64; 4]>, Arc<Chain>>>);

impl Extent {
    /// The extents of the chunk at `index`, clipped to the array's current shape.
    pub fn inside(&self, index: &[u64]) -> Extents {
        let inside = |d: usize| match self.grid.chunk(d, index[d]) {
            Some((start, extent)) => extent.min(self.shape[d].saturating_sub(start)) as usize,
            None => 0,
        };
        (0..index.len()).map(inside).collect()
    }

    /// The shape of the chunk at `index`, not clipped.
    pub fn uncut(&self, index: &[u64]) -> SmallVec<[u64; 4]> {
        (0..index.len()).map(|d| self.grid.chunk(d, index[d]).map_or(0, |(_, n)| n)).collect()
    }

    /// The shape that the chunk at `index` is stored in.
    fn stored(&self, index: &[u64]) -> SmallVec<[u64; 4]> {
        match self.grid {
            ChunkGrid::Bounded(_) => self.inside(index).iter().map(|&n| n as u64).collect(),
            _ => self.uncut(index),
        }
    }
}

fn spec(metadata: &ArrayMetadata, shape: Vec<u64>) -> ChunkSpec {
    let most = match &metadata.chunk_grid {
        ChunkGrid::Bounded(whole) => Some(whole.clone()),
        _ => None,
    };
    ChunkSpec { shape, data_type: metadata.data_type.clone(), fill: metadata.fill_element(), most }
}

/// The chain for the largest chunks of an array, after checking that chunks of its other shapes
/// have one too.
pub(super) fn usual_chain(metadata: &ArrayMetadata, settings: &Settings) -> Result<Chain> {
    match chain_of_all(metadata, settings.read_policy) {
        Err(e) if e.kind() == Kind::Unsupported && settings.unknown_codecs => {
            let largest = metadata.chunk_grid.largest_shape().into_owned();
            Chain::unusable(&e, spec(metadata, largest))
        }
        result => result,
    }
}

fn chain_of_all(metadata: &ArrayMetadata, read_policy: ReadPolicy) -> Result<Chain> {
    let largest = metadata.chunk_grid.largest_shape().into_owned();
    for d in 0..largest.len() {
        let mut extents = metadata.chunk_grid.distinct(d);
        if extents.len() > TRIED {
            extents.drain(1..extents.len() - 1);
        }
        // codecs check each extent, and a limit for all together
        for extent in extents.into_iter().filter(|&n| n != largest[d]) {
            let mut shape = largest.clone();
            shape[d] = extent;
            Chain::with(&metadata.codecs, spec(metadata, shape), read_policy)?;
        }
    }
    Chain::with(&metadata.codecs, spec(metadata, largest), read_policy)
}

impl Array {
    /// The number of chunks along each dimension, stored or not.
    pub fn chunk_counts(&self) -> Vec<u64> {
        let extent = self.extent();
        extent.shape.iter().enumerate().map(|(d, &n)| extent.grid.count(d, n)).collect()
    }

    /// Where the chunk at `index` begins, and its extents, clipped to the array.
    /// [`Kind::OutOfBounds`]: there is no such chunk.
    pub fn chunk_bounds(&self, index: &[u64]) -> Result<(Vec<u64>, Vec<u64>)> {
        let extent = self.extent();
        let bounds = index.iter().enumerate().map(|(d, &i)| match extent.grid.chunk(d, i) {
            Some((start, n)) if start < extent.shape[d] => {
                Ok((start, n.min(extent.shape[d] - start)))
            }
            _ => Err(Error::new(
                Kind::OutOfBounds,
                format!(
                    "array {}: chunk {index:?} is out of bounds: dimension {d} has {} chunks",
                    self.path,
                    extent.grid.count(d, extent.shape[d])
                ),
            )),
        });
        bounds.collect()
    }

    /// The box of `count` chunks from index `start`, clipped to the array. [`Kind::OutOfBounds`]:
    /// there are fewer chunks.
    pub fn region_of_blocks(&self, start: Option<&[u64]>, count: Option<&[u64]>) -> Result<Region> {
        let extent = self.extent();
        let spans = extent.shape.iter().enumerate().map(|(d, &n)| {
            let all = extent.grid.count(d, n);
            let first = start.map_or(0, |start| start[d]);
            let count = count.map_or(all.saturating_sub(first), |count| count[d]);
            let end = first.checked_add(count).filter(|&end| end <= all).ok_or_else(|| {
                let what = format!(
                    "{count} chunks from {first} are out of bounds: dimension {d} has {all} chunks"
                );
                Error::new(Kind::OutOfBounds, what)
            })?;
            let begin = |chunk: u64| match extent.grid.chunk(d, chunk) {
                Some((start, _)) if chunk < all => start,
                _ => n,
            };
            Ok(Span { start: begin(first), count: begin(end) - begin(first), step: 1 })
        });
        Ok(Region::from_spans(spans.collect::<Result<Vec<_>>>()?.into_iter()))
    }

    /// The current shape and grid.
    pub(super) fn extent(&self) -> Arc<Extent> {
        self.extent.read().clone()
    }

    /// The chain for the chunk of `slice`. [`Kind::OutOfBounds`]: the array has shrunk since the
    /// slice was computed.
    pub(super) fn chain_for(&self, extent: &Extent, slice: &ChunkSlice) -> Result<ChainRef<'_>> {
        if let ChunkGrid::Regular(_) = extent.grid {
            return Ok(ChainRef::Usual(&self.chain));
        }
        let chain = self.chain_at(extent, &slice.index)?;
        let bounds = slice.pick.bounds();
        let spans = bounds.spans().iter();
        let ends = |s: &Span| s.start + s.count.saturating_sub(1) * s.step;
        if spans.zip(&chain.chunk().shape).any(|(s, &n)| s.count > 0 && ends(s) >= n) {
            let what = "the array has shrunk below the selection";
            return Err(Error::new(Kind::OutOfBounds, what));
        }
        Ok(chain)
    }

    /// The chain for the chunk at `index`.
    pub(super) fn chain_at(&self, extent: &Extent, index: &[u64]) -> Result<ChainRef<'_>> {
        if let ChunkGrid::Regular(_) = extent.grid {
            return Ok(ChainRef::Usual(&self.chain));
        }
        let shape = extent.stored(index);
        if shape[..] == self.chain.chunk().shape {
            return Ok(ChainRef::Usual(&self.chain));
        }
        if let Some(chain) = self.chains.0.read().get(&shape) {
            return Ok(ChainRef::Other(chain.clone()));
        }
        let spec = spec(&self.metadata, shape.to_vec());
        let chain = Chain::with(&self.metadata.codecs, spec, self.settings.read_policy)?;
        let chain = Arc::new(chain);
        let mut kept = self.chains.0.write();
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(shape, chain.clone());
        Ok(ChainRef::Other(chain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Edges;

    #[test]
    fn a_chunk_is_stored_whole_or_clipped_as_its_grid_says() {
        let listed = Edges::listed([(3, 1), (2, 2), (4, 1)]).expect("good");
        let rectilinear = ChunkGrid::rectilinear(vec![listed, Edges::Every(4)], &[11, 9]);
        // (grid, shape, index), then what is inside, uncut and stored
        for (grid, [shape, index], inside, [uncut, stored]) in [
            (ChunkGrid::Regular(vec![4, 5]), [[10, 9], [1, 0]], [4, 5], [[4, 5], [4, 5]]),
            (ChunkGrid::Regular(vec![4, 5]), [[10, 9], [2, 1]], [2, 4], [[4, 5], [4, 5]]),
            (ChunkGrid::Regular(vec![4, 5]), [[10, 9], [3, 9]], [0, 0], [[4, 5], [4, 5]]),
            (ChunkGrid::Bounded(vec![4, 5]), [[10, 9], [2, 1]], [2, 4], [[4, 5], [2, 4]]),
            (rectilinear.clone().expect("covers"), [[11, 9], [1, 2]], [2, 1], [[2, 4], [2, 4]]),
            (rectilinear.expect("covers"), [[8, 9], [3, 1]], [1, 4], [[4, 4], [4, 4]]),
        ] {
            let extent = Extent { shape: shape.to_vec(), grid };
            assert_eq!(extent.inside(&index)[..], inside, "{extent:?} {index:?}");
            assert_eq!(extent.uncut(&index)[..], uncut, "{extent:?} {index:?}");
            assert_eq!(extent.stored(&index)[..], stored, "{extent:?} {index:?}");
        }
    }
}
