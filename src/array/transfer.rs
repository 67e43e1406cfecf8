//! What it takes to bring an array over into another one of the same shape and type.

use super::{Array, MemoryType};
use crate::error::{Error, Kind, Result};
use crate::exec::Block;
use crate::metadata::Region;
use crate::strided::ViewMut;

impl Array {
    /// The part of the array in the chunk of that index; `None`: it lies outside.
    pub fn region_of_chunk(&self, index: &[u64]) -> Option<Region> {
        todo!()
    }

    /// The indices of the chunks that a region touches.
    pub fn chunks_touched(&self, region: &Region) -> Result<Vec<Vec<u64>>> {
        todo!()
    }

    /// Whether there is a value for the chunk of that index.
    pub fn is_chunk_stored(&self, index: &[u64]) -> Result<bool> {
        Ok(self.store.version(&self.key(index))?.is_some())
    }

    /// Reads a region and writes it to the same place of `other`.
    pub fn copy_to(&self, other: &Array, region: &Region) -> Result<()> {
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
