//! Writing what an array will have once it is larger: elements first, then its shape.

use super::chunks::Extent;
use super::write::Target;
use super::{Array, MemoryType};
use crate::error::{Context, Result};
use crate::metadata::Region;
use crate::strided::View;
use std::sync::Arc;

impl Array {
    /// Writes `src` to a region of the array as it will be with `extent`. Nothing of it is
    /// gathered: when the shape says that the elements are there, they are.
    pub fn write_ahead(
        &self,
        extent: &Extent,
        region: &Region,
        memory: MemoryType,
        src: &View<'_>,
    ) -> Result<()> {
        self.check_writable()?;
        let conversion = memory.conversion(&self.metadata.data_type, false);
        let conversion = conversion.at(|| format!("array {}", self.path))?;
        // what was gathered of the same chunks goes first
        self.flush_region(region)?;
        let target = Target { extent, gathers: false };
        self.write_within(target, region, conversion, src, None)
    }

    /// Makes `extent`, which its document says already, that of the array.
    pub fn set_extent(&self, extent: Extent) {
        *self.extent.write() = Arc::new(extent);
    }
}
