//! Copying an array into another one of the same shape and type.

use super::{Array, MemoryType, Transfer};
use crate::error::{Error, Kind, Result};
use crate::exec::Block;
use crate::progress::Progress;
use crate::selection::{Pick, Region, Span};
use crate::strided::ViewMut;

impl Array {
    /// The part of the array in the chunk at that index; `None`: the chunk lies outside.
    pub fn region_of_chunk(&self, index: &[u64]) -> Option<Region> {
        let (start, count) = self.chunk_bounds(index).ok()?;
        let spans = start.into_iter().zip(count);
        Some(Region::from_spans(spans.map(|(start, count)| Span { start, count, step: 1 })))
    }

    /// The indices of the chunks that a region touches.
    pub fn chunks_touched(&self, region: &Region) -> Result<Vec<Vec<u64>>> {
        let pick = Pick::Region(region.clone());
        let slices = pick.chunk_slices(&self.extent().grid)?;
        Ok((0..slices.count()).map(|n| slices.outline(n).0.to_vec()).collect())
    }

    /// Whether the chunk at that index is stored.
    pub fn is_chunk_stored(&self, index: &[u64]) -> Result<bool> {
        Ok(self.store.version(&self.key(index))?.is_some())
    }

    /// Reads a region and writes it to the same region of `other`.
    pub fn copy_to(&self, other: &Array, region: &Region) -> Result<()> {
        if self.metadata.data_type.is_variable() {
            let values = self.read_vlen(region)?;
            return other.write_vlen(region, values.offsets(), values.bytes());
        }
        let mut block = Block::new(self.bytes_of(region)?)?;
        self.copy_through(other, region, &mut block, &Progress::silent())
    }

    /// The same for fixed-size elements, through `memory`, which can hold them.
    pub fn copy_through(
        &self,
        other: &Array,
        region: &Region,
        memory: &mut [u8],
        progress: &Progress<'_>,
    ) -> Result<()> {
        let bytes = self.bytes_of(region)?;
        let counts: Vec<usize> = region.spans().iter().map(|s| s.count as usize).collect();
        let memory = memory
            .get_mut(..bytes)
            .ok_or_else(|| Error::new(Kind::Internal, "the memory is smaller than the region"))?;
        let mut view = ViewMut::contiguous(memory, &counts, self.metadata.data_type.size())?;
        let pick = &Pick::Region(region.clone());
        let transfer = Transfer { pick, memory: MemoryType::Native, field: None, progress };
        self.read_transfer(&transfer, view.reborrow())?;
        other.write_transfer(&transfer, &view.as_view())
    }

    /// The size of a region's elements (bytes).
    pub fn bytes_of(&self, region: &Region) -> Result<usize> {
        let item = self.metadata.data_type.size();
        let mut counts = region.spans().iter().map(|s| s.count as usize);
        counts.try_fold(item, |n, count| n.checked_mul(count)).ok_or_else(|| {
            Error::new(Kind::LimitExceeded, "the size of a region overflows 64 bits")
        })
    }
}
