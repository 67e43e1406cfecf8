//! What it takes to bring an array over into another one of the same shape and type.

use super::{Array, MemoryType};
use crate::error::{Error, Kind, Result};
use crate::exec::Block;
use crate::selection::{Pick, Region, Span};
use crate::strided::ViewMut;

impl Array {
    /// The part of the array in the chunk of that index; `None`: it lies outside.
    pub fn region_of_chunk(&self, index: &[u64]) -> Option<Region> {
        let (start, count) = self.chunk_bounds(index).ok()?;
        let spans = start.into_iter().zip(count);
        Some(Region::from_spans(spans.map(|(start, count)| Span { start, count, step: 1 })))
    }

    /// The indices of the chunks that a region touches.
    pub fn chunks_touched(&self, region: &Region) -> Result<Vec<Vec<u64>>> {
        let pick = Pick::Region(region.clone());
        let slices = pick.chunk_slices(&self.extent().grid)?;
        Ok(slices.iter().map(|slice| slice.index.to_vec()).collect())
    }

    /// Whether there is a value for the chunk of that index.
    pub fn is_chunk_stored(&self, index: &[u64]) -> Result<bool> {
        Ok(self.store.version(&self.key(index))?.is_some())
    }

    /// Reads a region and writes it to the same place of `other`.
    pub fn copy_to(&self, other: &Array, region: &Region) -> Result<()> {
        if self.metadata.data_type.is_variable() {
            let values = self.read_vlen(region)?;
            return other.write_vlen(region, values.offsets(), values.bytes());
        }
        let item = self.metadata.data_type.size();
        let counts: Vec<usize> = region.spans().iter().map(|s| s.count as usize).collect();
        let bytes = counts.iter().try_fold(item, |n, &c| n.checked_mul(c));
        let bytes = bytes.ok_or_else(|| {
            Error::new(Kind::LimitExceeded, "a chunk has more bytes than can be counted")
        })?;
        let mut block = Block::new(bytes)?;
        let mut view = ViewMut::contiguous(&mut block, &counts, item)?;
        self.read(region, MemoryType::Native, view.reborrow())?;
        other.write(region, MemoryType::Native, &view.as_view())
    }
}
