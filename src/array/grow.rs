//! Writing beyond the array's end: elements first, then the shape.

use super::chunks::Extent;
use super::plan::Transfer;
use super::write::Target;
use super::{Array, MemoryType};
use crate::error::{Context, Result};
use crate::progress::Progress;
use crate::selection::{Pick, Region};
use crate::strided::View;
use std::sync::Arc;

impl Array {
    /// Writes `src` to a region of the array as it will be with `extent`. Bypasses the write
    /// buffer: the elements must be stored before the shape says so.
    pub fn write_ahead(
        &self,
        extent: &Extent,
        region: &Region,
        memory: MemoryType,
        src: &View<'_>,
    ) -> Result<()> {
        self.check_writable()?;
        let pick = &Pick::Region(region.clone());
        let progress = &Progress::silent();
        let transfer = Transfer { pick, memory, field: None, progress };
        let between = transfer.between(&self.metadata.data_type, false);
        let between = between.at(|| format!("array {}", self.path))?;
        // flush what was collected of the same chunks first
        self.flush_region(pick)?;
        let target = Target { extent: Arc::new(extent.clone()), gathers: false };
        self.write_within(target, pick, between, src, progress)
    }

    /// Adopts `extent`, which the document already has.
    pub fn set_extent(&self, extent: Extent) {
        *self.extent.write() = Arc::new(extent);
    }
}
