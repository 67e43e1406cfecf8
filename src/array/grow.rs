//! Writing beyond the array's end: elements first, then the shape. Or neither: an array with a
//! write buffer and `overwrite=in_place` collects a larger shape too, and stores it before any
//! element, so that no one else, who knows only the stored shape, deletes what is outside it.

use super::chunks::Extent;
use super::plan::Transfer;
use super::write::Target;
use super::{Array, MemoryType};
use crate::error::{Context, Result};
use crate::fork::Own;
use crate::lock::Acquire;
use crate::metadata::ChunkGrid;
use crate::progress::Progress;
use crate::selection::{Pick, Region};
use crate::strided::View;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// Makes the stored array at least as large as this one.
type StoreGrowth = Box<dyn Fn(&Array) -> Result<()> + Send + Sync>;

/// A shape that is larger than the stored one.
#[derive(Default)]
pub(super) struct Growth {
    /// How to store it; `None`: every shape is stored at once.
    store: Option<StoreGrowth>,
    is_pending: AtomicBool,
    /// Held while the shape changes, here or in the store.
    change: Own<Mutex<()>>,
}

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

    /// Has the array collect larger shapes, if it collects elements.
    pub fn collect_growth(&mut self, store: StoreGrowth) {
        self.growth.store = (self.settings.in_place && self.gathers()).then_some(store);
    }

    /// Collects a larger shape; `false`: it must be stored.
    pub fn grow_later(&self, shape: &[u64]) -> bool {
        let _change = self.growth.change.get().acquire();
        let extent = self.extent();
        let known = &extent.shape;
        let is_larger = known.len() == shape.len()
            && known != shape
            && known.iter().zip(shape).all(|(old, new)| old <= new);
        // other grids may change with the shape
        let ChunkGrid::Regular(_) = extent.grid else { return false };
        if self.growth.store.is_none() || !is_larger {
            return false;
        }
        self.growth.is_pending.store(true, Ordering::Release);
        self.set_extent(Extent { shape: shape.to_vec(), grid: extent.grid.clone() });
        true
    }

    /// Stores a larger shape that was collected.
    pub fn store_growth(&self) -> Result<()> {
        match self.growth.is_pending.load(Ordering::Acquire) {
            true => self.settle_growth().map(drop),
            false => Ok(()),
        }
    }

    /// The same; until the result is dropped, the shape changes only through its holder.
    pub fn settle_growth(&self) -> Result<MutexGuard<'_, ()>> {
        let change = self.growth.change.get().acquire();
        if let Some(store) = &self.growth.store
            && self.growth.is_pending.load(Ordering::Acquire)
        {
            store(self)?;
            self.growth.is_pending.store(false, Ordering::Release);
        }
        Ok(change)
    }

    /// Adopts `extent`, which the document already has.
    pub fn set_extent(&self, extent: Extent) {
        *self.extent.write() = Arc::new(extent);
    }
}
