//! Reading: every chunk that a region touches is decoded into its place in the caller's memory.

use super::memory::Conversion;
use super::{Array, MemoryType, undisturbed};
use crate::cache::{self, Present, Scope};
use crate::codec::{Access, Chain};
use crate::error::{Context, Result};
use crate::exec::Block;
use crate::heap::Heap;
use crate::metadata::{Cell, Region};
use crate::source::Pinned;
use crate::store::Key;
use crate::strided::{View, ViewMut, convert, fill};
use std::sync::OnceLock;
use std::time::Instant;

impl Array {
    /// Reads `region` into `dst`, which has the region's counts as its shape and elements of
    /// `memory`'s size. After an error, what `dst` holds is not said.
    pub fn read(&self, region: &Region, memory: MemoryType, dst: ViewMut<'_>) -> Result<()> {
        let conversion = memory.conversion(&self.metadata.data_type, true);
        let conversion = conversion.at(|| format!("array {}", self.path))?;
        self.read_elements(region, conversion, dst, None)
    }

    /// The same, once it is known what has to be converted, and where elements of variable length
    /// put their bytes.
    pub(super) fn read_elements(
        &self,
        region: &Region,
        conversion: Option<Conversion>,
        dst: ViewMut<'_>,
        heap: Option<&Heap<'_>>,
    ) -> Result<()> {
        if region.is_empty() {
            return Ok(());
        }
        self.flush_region(region)?;
        let item = self.metadata.data_type.size();
        let extent = self.extent();
        let cells = region.cells(&extent.grid)?;
        let threads = self.threads_for(dst.len());
        let (at_once, threads) = self.shared_out(cells.count(), threads, usize::MAX);
        // the fill value as memory has it, made when the first chunk is missing
        let fill_value: OnceLock<Box<[u8]>> = OnceLock::new();
        let fill_value = || -> Result<&[u8]> {
            if let Some(ready) = fill_value.get() {
                return Ok(ready);
            }
            let stored = &*self.chain.chunk().fill_element()?;
            let mut element: Box<[u8]> = stored.into();
            if let Some(c) = conversion {
                element = vec![0; c.memory.size()].into();
                let src = View::contiguous(stored, &[], item)?;
                let mut dst = ViewMut::contiguous(&mut element, &[], c.memory.size())?;
                convert(&src, c.stored, &mut dst, c.memory)
                    .at(|| format!("array {}: the fill value of a missing chunk", self.path))?;
            }
            Ok(fill_value.get_or_init(|| element))
        };
        let once = Access { heap, ..Access::once(threads) };
        let read_cell = |cell: Cell, mut dst: ViewMut<'_>| {
            let key = self.key(&cell.index);
            let there = self.chain_for(&extent, &cell).and_then(|chain| match conversion {
                None => self.decode_cell(&chain, &key, &cell, dst.reborrow(), once),
                Some(c) => {
                    let mut block = Block::new(dst.len() * item)?;
                    let mut stored = ViewMut::contiguous(&mut block, &cell.count, item)?;
                    let there = self.decode_cell(&chain, &key, &cell, stored.reborrow(), once)?;
                    if there {
                        convert(&stored.as_view(), c.stored, &mut dst, c.memory)?;
                    }
                    Ok(there)
                }
            });
            if !self.in_chunk(&key, there)? {
                fill(&mut dst, fill_value()?)?;
            }
            Ok(())
        };
        cells.for_each_of(dst, at_once, &read_cell)
    }

    /// Decodes a part of a chunk; `false`: there is no such chunk. What is kept of it is used as
    /// long as the store says that it is of the present version.
    fn decode_cell(
        &self,
        chain: &Chain,
        key: &Key,
        cell: &Cell,
        mut dst: ViewMut<'_>,
        once: Access<'_>,
    ) -> Result<bool> {
        let cache = &*self.settings.cache;
        let keeps = cache.limit() > 0 && chain.keeps();
        if !keeps || cell.region.covers(&chain.chunk().shape) {
            return undisturbed(|| {
                chain.decode(&*self.store.source(key), &cell.region, dst.reborrow(), &once)
            });
        }
        let chunk = cell.index.clone();
        let kept = cache::Key { array: self.number, chunk, inner: Default::default() };
        undisturbed(|| {
            if self.is_far() {
                // to ask for the version takes as long as to read; after a conflict, what was
                // asked for before it is no use
                let begun = Instant::now();
                let source = self.store.source(key);
                let scope = Scope { cache, key: &kept, version: Present::Of(&*source, begun) };
                let access = Access { kept: Some(scope), ..once };
                return chain.decode(&*source, &cell.region, dst.reborrow(), &access);
            }
            let Some(version) = self.store.version(key)? else { return Ok(false) };
            let source = self.store.source_at(key, &version);
            let source = Pinned::new(&*source, &version);
            let scope = Scope { cache, key: &kept, version: Present::Known(&version) };
            let access = Access { kept: Some(scope), ..once };
            chain.decode(&source, &cell.region, dst.reborrow(), &access)
        })
    }
}
