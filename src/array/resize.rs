//! A new shape: what a smaller one leaves outside is taken away, so that it does not come back
//! when the array grows again.

use super::Array;
use super::chunks::Extent;
use crate::call::Call;
use crate::codec::Patch;
use crate::error::Result;
use crate::heap::Heap;
use crate::metadata::ChunkGrid;
use crate::progress::Progress;
use crate::selection::{Pick, Region, Span};
use crate::store::{Depth, Entry, Key};
use crate::strided::{Extents, Strides, View};
use std::sync::{Arc, PoisonError};

impl Array {
    /// Makes `shape` and `grid`, which its document says already, those of the array, and takes
    /// away what lies outside: chunks altogether, and the rest of those that the edge cuts through.
    pub fn reshape(&self, shape: &[u64], grid: &ChunkGrid) -> Result<()> {
        if self.shape().iter().zip(shape).any(|(old, new)| new < old) {
            self.flush()?;
        }
        let extent = Arc::new(Extent { shape: shape.to_vec(), grid: grid.clone() });
        let old = {
            let mut present = self.extent.write().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *present, extent.clone())
        };
        let old = &old.shape;
        if old.iter().zip(shape).all(|(old, new)| new >= old) {
            return Ok(());
        }
        let mut cut = Vec::new();
        let mut outside = Vec::new();
        // what is there may be much less than what could be: look, do not count
        self.store.list(&self.prefix, Depth::All, &mut |entry| {
            if let Entry::Key(name) = entry
                && let Some(index) = self.metadata.chunk_keys.parse_key(name, shape.len())
            {
                let chunk = |d: usize| grid.chunk(d, index[d]);
                if (0..shape.len()).any(|d| chunk(d).is_none_or(|(start, _)| start >= shape[d])) {
                    outside.push(Key::trusted(format!("{}{name}", self.prefix)));
                } else if (0..shape.len()).any(|d| {
                    let end = chunk(d).map_or(0, |(start, n)| start.saturating_add(n));
                    shape[d] < old[d] && shape[d] < end
                }) {
                    cut.push(index);
                }
            }
            Ok(())
        })?;
        for key in &outside {
            let erased = self.store.erase(key, &crate::store::Precondition::None);
            self.in_chunk(key, erased)?;
        }
        cut.iter().try_for_each(|index| self.blank_outside(index, &extent))
    }

    /// Fills the part of a chunk that lies outside of the array, or leaves it away where the grid
    /// cuts chunks short.
    fn blank_outside(&self, index: &[u64], extent: &Extent) -> Result<()> {
        let key = self.key(index);
        let chain = self.chain_at(extent, index);
        let chain = self.in_chunk(&key, chain)?;
        let chunk = &chain.chunk().shape;
        let inside = extent.inside(index);
        let cut_short = matches!(extent.grid, ChunkGrid::Bounded(_));
        let heap = Heap::new(&chain.chunk().fill, &[]);
        let progress = Progress::silent();
        let call = Call { threads: 1, ..self.call(&progress, Some(&heap)) };
        let fill = chain.chunk().fill_element()?;
        for d in 0..chunk.len() {
            // all of the chunk that is past the edge in dimension d
            let spans = (0..chunk.len()).map(|k| {
                let start = if k == d { inside[k] as u64 } else { 0 };
                Span { start, count: chunk[k] - start, step: 1 }
            });
            let region = Region::from_spans(spans);
            // writing nothing to it gives a chunk its present shape
            if region.is_empty() && !(cut_short && d == 0) {
                continue;
            }
            let count: Extents = region.spans().iter().map(|s| s.count as usize).collect();
            let src =
                View::strided(&fill, &count, &Strides::from_elem(0, count.len()), fill.len())?;
            let patch = Patch { pick: &Pick::Region(region), src: &src, field: 0 };
            let updated = self.update_chunk(&chain, &key, index, &patch, &call);
            self.in_chunk(&key, updated)?;
        }
        Ok(())
    }
}
