//! A new shape. Elements outside the old or the new shape must not become visible, now or when the
//! array grows again: a smaller shape leaves such elements behind, and so do writers that were
//! killed before they updated the shape.

use super::Array;
use super::chunks::Extent;
use crate::call::Call;
use crate::codec::{Chain, Patch};
use crate::error::Result;
use crate::exec::{self, Block};
use crate::heap::Heap;
use crate::metadata::ChunkGrid;
use crate::progress::Progress;
use crate::selection::{Pick, Region, Span};
use crate::store::{Key, Precondition};
use crate::strided::{Extents, Strides, View, ViewMut, all_equal};

/// Up to this many chunks are looked up one by one; for more, all stored ones are listed.
const LOOKED_FOR: u64 = 64;

/// Two extents of one array.
struct Between<'a> {
    new: &'a Extent,
    /// The extents common to both, in elements.
    common: Vec<u64>,
    /// The dimensions in which they differ.
    differ: Vec<bool>,
    shrinks: bool,
}

impl<'a> Between<'a> {
    fn new(old: &'a Extent, new: &'a Extent) -> Self {
        let pairs = || old.shape.iter().zip(&new.shape);
        Between {
            new,
            common: pairs().map(|(&a, &b)| a.min(b)).collect(),
            differ: pairs().map(|(a, b)| a != b).collect(),
            shrinks: pairs().any(|(old, new)| new < old),
        }
    }

    /// Where a chunk begins, and its extent, along dimension `d`.
    fn chunk(&self, d: usize, index: &[u64]) -> Option<(u64, u64)> {
        self.new.grid.chunk(d, index[d])
    }

    /// Whether no part of a chunk is visible, before or after.
    fn is_outside(&self, index: &[u64]) -> bool {
        (0..index.len()).any(|d| {
            let start = self.chunk(d, index).map_or(u64::MAX, |(start, _)| start);
            start >= if self.differ[d] { self.common[d] } else { self.new.shape[d] }
        })
    }

    /// Whether a part of a chunk becomes invisible or visible along dimension `d`.
    fn is_cut(&self, d: usize, index: &[u64]) -> bool {
        let end = self.chunk(d, index).map_or(0, |(start, n)| start.saturating_add(n));
        self.differ[d] && end > self.common[d]
    }

    /// Along each dimension, the range of chunks that may contain elements outside. All others lie
    /// inside in that dimension.
    fn doubtful(&self, d: usize) -> std::ops::Range<u64> {
        if !self.differ[d] {
            return 0..0;
        }
        let all = self.new.grid.count(d, self.new.shape[d]);
        let (start, extent) = match self.new.grid.count(d, self.common[d]) {
            0 => return 0..all,
            n => self.new.grid.chunk(d, n - 1).unwrap_or((0, 0)),
        };
        let last = self.new.grid.count(d, self.common[d]);
        if start.saturating_add(extent) > self.common[d] { last - 1..all } else { last..all }
    }

    /// The indices of all chunks that may contain elements outside, if there are few.
    fn few(&self) -> Option<Vec<Vec<u64>>> {
        if self.shrinks {
            return None; // what is outside now is anywhere
        }
        let rank = self.common.len();
        let all: Vec<u64> = (0..rank).map(|d| self.new.grid.count(d, self.new.shape[d])).collect();
        let product = |counts: &[u64]| counts.iter().fold(1u64, |n, &c| n.saturating_mul(c));
        let mut found = Vec::new();
        // by the first dimension in which they may
        for d in 0..rank {
            let doubtful = self.doubtful(d);
            let mut ranges: Vec<std::ops::Range<u64>> = all.iter().map(|&n| 0..n).collect();
            for (before, range) in ranges.iter_mut().enumerate().take(d) {
                let sure = self.doubtful(before);
                range.end = if sure.is_empty() { range.end } else { sure.start };
            }
            ranges[d] = doubtful;
            let counts: Vec<u64> = ranges.iter().map(|r| r.end.saturating_sub(r.start)).collect();
            if found.len() as u64 + product(&counts) > LOOKED_FOR {
                return None;
            }
            for n in 0..product(&counts) {
                let mut rest = n;
                let mut index = vec![0; rank];
                for d in (0..rank).rev() {
                    index[d] = ranges[d].start + rest % counts[d];
                    rest /= counts[d];
                }
                found.push(index);
            }
        }
        Some(found)
    }
}

impl Array {
    /// Before the extent changes: deletes what lies outside the old or the new extent, whole chunks
    /// and the rest of those that an edge cuts.
    pub fn clear_outside(&self, old: &Extent, new: &Extent) -> Result<()> {
        let between = Between::new(old, new);
        if !between.differ.contains(&true) {
            return Ok(());
        }
        if between.shrinks {
            self.flush()?;
        }
        let indices = match between.few() {
            Some(indices) => indices,
            None => {
                let mut stored = Vec::new();
                self.for_each_stored(&mut |index, _| {
                    let is_cut = (0..index.len()).any(|d| between.is_cut(d, &index));
                    if is_cut || between.is_outside(&index) {
                        stored.push(index);
                    }
                    Ok(())
                })?;
                stored
            }
        };
        let threads = self.store.concurrency();
        exec::run(threads, indices.len(), &|n| {
            let index = &indices[n];
            let key = self.key(index);
            let cleared = match between.is_outside(index) {
                true => self.store.erase(&key, &Precondition::None).map(|_| ()),
                false => self.clear_part(&key, index, &between),
            };
            self.in_chunk(&key, cleared)
        })
    }

    /// Fills the part of a chunk that is outside. If the grid clips chunks, it gets its new shape.
    fn clear_part(&self, key: &Key, index: &[u64], between: &Between<'_>) -> Result<()> {
        if self.store.version(key)?.is_none() {
            return Ok(());
        }
        let cut_short = matches!(between.new.grid, ChunkGrid::Bounded(_));
        let chain = self.chain_at(between.new, index)?;
        let shape = &chain.chunk().shape;
        let bytes = chain.chunk().fill.bytes()?;
        let heap = Heap::new(&bytes, &[]);
        let progress = Progress::silent();
        let call = Call { threads: 1, ..self.call(&progress, Some(&heap)) };
        let fill = chain.chunk().fill_element()?;
        if cut_short && between.shrinks {
            // writing nothing to a chunk gives it its current shape
            let nothing =
                Region::from_spans(shape.iter().map(|_| Span { start: 0, count: 0, step: 1 }));
            self.put_fill(&chain, key, index, &nothing, &fill, &call)?;
        }
        for d in (0..shape.len()).filter(|&d| between.is_cut(d, index)) {
            let start = between.chunk(d, index).map_or(0, |(start, _)| start);
            let inside = between.common[d].saturating_sub(start).min(shape[d]);
            let spans = (0..shape.len()).map(|k| {
                let start = if k == d { inside } else { 0 };
                Span { start, count: shape[k] - start, step: 1 }
            });
            let region = Region::from_spans(spans);
            if !region.is_empty() && !self.is_filled(&chain, key, &region, &fill, &heap)? {
                self.put_fill(&chain, key, index, &region, &fill, &call)?;
            }
        }
        Ok(())
    }

    fn put_fill(
        &self,
        chain: &Chain,
        key: &Key,
        index: &[u64],
        region: &Region,
        fill: &[u8],
        call: &Call<'_>,
    ) -> Result<()> {
        let count: Extents = region.spans().iter().map(|s| s.count as usize).collect();
        let src = View::strided(fill, &count, &Strides::from_elem(0, count.len()), fill.len())?;
        let patch = Patch { pick: &Pick::Region(region.clone()), src: &src, field: 0 };
        self.update_chunk(chain, key, index, &patch, call)
    }

    /// Whether every element of a part of a chunk is the fill value.
    fn is_filled(
        &self,
        chain: &Chain,
        key: &Key,
        region: &Region,
        fill: &[u8],
        heap: &Heap<'_>,
    ) -> Result<bool> {
        let count: Extents = region.spans().iter().map(|s| s.count as usize).collect();
        let bytes = count.iter().try_fold(fill.len(), |n, &c| n.checked_mul(c));
        let mut block = Block::new(bytes.ok_or_else(|| exec::out_of_memory(usize::MAX))?)?;
        let mut part = ViewMut::contiguous(&mut block, &count, fill.len())?;
        let heap = heap.fork()?;
        let call = Call { heap: Some(&heap), ..Call::new(1) };
        if !chain.decode(&*self.store.source(key), region, part.reborrow(), &call)? {
            return Ok(true);
        }
        match self.metadata.data_type.is_variable() {
            true => heap.contents()?.all_equal(&part.as_view(), &chain.chunk().fill.bytes()?),
            false => all_equal(&part.as_view(), fill),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(shape: &[u64]) -> Extent {
        Extent { shape: shape.to_vec(), grid: ChunkGrid::Regular(vec![4, 4]) }
    }

    #[test]
    fn few_are_those_that_may_hold_something_outside() {
        for (old, new) in [
            ([4, 4], [5, 4]),
            ([3, 8], [9, 8]),
            ([3, 3], [9, 9]),
            ([0, 8], [4, 8]),
            ([8, 8], [8, 8]),
            ([5, 8], [6, 12]),
        ] {
            let (old, new) = (extent(&old), extent(&new));
            let between = Between::new(&old, &new);
            let mut few = between.few().expect("few");
            few.sort();
            let all = (0..3).flat_map(|y| (0..3).map(move |x| vec![y, x]));
            let within = |i: &Vec<u64>| (0..2).all(|d| i[d] * 4 < new.shape[d]);
            let doubtful =
                |i: &Vec<u64>| between.is_outside(i) || (0..2).any(|d| between.is_cut(d, i));
            let expected: Vec<_> = all.filter(|i| within(i) && doubtful(i)).collect();
            assert_eq!(few, expected, "{old:?} {new:?}");
        }
        assert!(Between::new(&extent(&[0, 8]), &extent(&[400, 800])).few().is_none());
        assert!(Between::new(&extent(&[8, 8]), &extent(&[7, 9])).few().is_none(), "smaller");
    }
}
