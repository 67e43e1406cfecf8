//! Reading: every chunk that a pick touches is decoded into its place in the caller's memory.

use super::memory::FieldPart;
use super::plan::{Between, Transfer};
use super::{Array, MemoryType, retry_on_conflict};
use crate::cache::{self, Present, Scope};
use crate::call::Call;
use crate::codec::Chain;
use crate::error::{Context, Result};
use crate::exec::Block;
use crate::progress::Progress;
use crate::selection::{ChunkSlice, Pick, Region, Selection};
use crate::source::Pinned;
use crate::store::Key;
use crate::strided::{View, ViewMut, fill};
use std::sync::OnceLock;
use std::time::Instant;

impl Array {
    /// Reads `region` into `dst`, which has the region's counts as its shape and elements of
    /// `memory`'s size. After an error, what `dst` holds is undefined.
    pub fn read(&self, region: &Region, memory: MemoryType, dst: ViewMut<'_>) -> Result<()> {
        let pick = &Pick::Region(region.clone());
        let progress = &Progress::silent();
        self.read_transfer(&Transfer { pick, memory, field: None, progress }, dst)
    }

    /// Reads what `selection` selects, or a field of it, into `dst`, which has the selection's
    /// shape.
    pub fn read_selection(
        &self,
        selection: &Selection,
        memory: MemoryType,
        field: Option<&FieldPart>,
        dst: ViewMut<'_>,
        progress: &Progress<'_>,
    ) -> Result<()> {
        let pick = &selection.pick(&self.shape()).at(|| format!("array {}", self.path))?;
        let dst = selection.view_mut(dst)?;
        self.read_transfer(&Transfer { pick, memory, field, progress }, dst)
    }

    /// Reads into `dst`, which has the shape of what is picked.
    pub fn read_transfer(&self, transfer: &Transfer<'_>, dst: ViewMut<'_>) -> Result<()> {
        let between = transfer.between(&self.metadata.data_type, true);
        let between = between.at(|| format!("array {}", self.path))?;
        self.read_elements(transfer.pick, between, dst, transfer.progress)
    }

    /// The same, once it is known what lies between memory and the stored elements.
    pub(super) fn read_elements(
        &self,
        pick: &Pick,
        between: Between<'_>,
        dst: ViewMut<'_>,
        progress: &Progress<'_>,
    ) -> Result<()> {
        if pick.is_empty() {
            return Ok(());
        }
        self.flush_region(pick)?;
        let item = self.metadata.data_type.size();
        let call = self.call(progress, between.heap);
        let plan = self.plan(self.extent(), pick, dst.len(), usize::MAX, call)?;
        // the fill value as memory has it, made when the first chunk is missing
        let fill_value: OnceLock<Box<[u8]>> = OnceLock::new();
        let fill_value = |size: usize| -> Result<&[u8]> {
            if let Some(ready) = fill_value.get() {
                return Ok(ready);
            }
            let stored = &*self.chain.chunk().fill_element()?;
            let mut element: Box<[u8]> = vec![0; size].into();
            let src = View::contiguous(stored, &[], item)?;
            let mut dst = ViewMut::contiguous(&mut element, &[], size)?;
            between
                .to_memory(&src, &mut dst)
                .at(|| format!("array {}: the fill value of a missing chunk", self.path))?;
            Ok(fill_value.get_or_init(|| element))
        };
        plan.call.for_each_into(plan.at_once, &plan.slices, dst, &|slice, mut dst| {
            let key = self.key(&slice.index);
            let there = self.chain_for(&plan.extent, slice).and_then(|chain| {
                if between.is_nothing() {
                    return self.decode_slice(&chain, &key, slice, dst.reborrow(), plan.call);
                }
                let mut block = Block::new(dst.len() * item)?;
                let mut stored = ViewMut::contiguous(&mut block, dst.shape(), item)?;
                let there = self.decode_slice(&chain, &key, slice, stored.reborrow(), plan.call)?;
                if there {
                    between.to_memory(&stored.as_view(), &mut dst)?;
                }
                Ok(there)
            });
            if !self.in_chunk(&key, there)? {
                let element = fill_value(dst.item())?;
                fill(&mut dst, element)?;
            }
            Ok(())
        })
    }

    /// Decodes a part of a chunk; `false`: there is no such chunk. What is kept of it is used as
    /// long as the store says that it is of the present version.
    fn decode_slice(
        &self,
        chain: &Chain,
        key: &Key,
        slice: &ChunkSlice,
        mut dst: ViewMut<'_>,
        once: Call<'_>,
    ) -> Result<bool> {
        let cache = &*self.settings.cache;
        let keeps = cache.limit() > 0 && chain.keeps();
        if !keeps
            || matches!(&slice.pick, Pick::Region(region) if region.covers(&chain.chunk().shape))
        {
            return retry_on_conflict(|| {
                chain.decode_pick(&*self.store.source(key), &slice.pick, dst.reborrow(), &once)
            });
        }
        let chunk = slice.index.clone();
        let kept = cache::Key { array: self.number, chunk, inner: Default::default() };
        retry_on_conflict(|| {
            if self.is_remote() {
                // to ask for the version takes as long as to read; after a conflict, what was
                // asked for before it is no use
                let begun = Instant::now();
                let source = self.store.source(key);
                let scope = Scope { cache, key: &kept, version: Present::Of(&*source, begun) };
                let call = Call { kept: Some(scope), ..once };
                return chain.decode_pick(&*source, &slice.pick, dst.reborrow(), &call);
            }
            let Some(version) = self.store.version(key)? else { return Ok(false) };
            let source = self.store.source_at(key, &version);
            let source = Pinned::new(&*source, &version);
            let scope = Scope { cache, key: &kept, version: Present::Known(&version) };
            let call = Call { kept: Some(scope), ..once };
            chain.decode_pick(&source, &slice.pick, dst.reborrow(), &call)
        })
    }
}
