//! Reading: decodes every chunk that a pick touches into its place in the caller's memory.

use super::memory::FieldPart;
use super::pipeline::{Job, Pipeline};
use super::plan::{Between, Transfer};
use super::remote_value::RemoteValue;
use super::{Array, MemoryType, retry_on_conflict};
use crate::cache::{self, Present, Scope};
use crate::call::Call;
use crate::codec::Chain;
use crate::error::{Context, Result};
use crate::exec::{Block, Window};
use crate::progress::Progress;
use crate::selection::{ChunkSlice, Pick, Region, Selection};
use crate::source::Pinned;
use crate::store::Key;
use crate::strided::{View, ViewMut, fill};
use std::sync::OnceLock;

impl Array {
    /// Reads `region` into `dst`, whose shape is the region's counts and whose elements have
    /// `memory`'s size. After an error, `dst` is unspecified.
    pub fn read(&self, region: &Region, memory: MemoryType, dst: ViewMut<'_>) -> Result<()> {
        let pick = &Pick::Region(region.clone());
        let progress = &Progress::silent();
        self.read_transfer(&Transfer { pick, memory, field: None, progress }, dst)
    }

    /// Reads a selection, or a field of it, into `dst`, which has the selection's shape.
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

    /// Reads into `dst`, which has the shape of the pick.
    pub fn read_transfer(&self, transfer: &Transfer<'_>, dst: ViewMut<'_>) -> Result<()> {
        let between = transfer.between(&self.metadata.data_type, true);
        let between = between.at(|| format!("array {}", self.path))?;
        self.read_elements(transfer.pick, between, dst, transfer.progress)
    }

    /// The same, and converts stored elements to the memory type.
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
        // the fill value in memory's type, computed when the first chunk is missing
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
        let read = |slice: &ChunkSlice, mut dst: ViewMut<'_>, value: Option<&RemoteValue>| {
            let key = self.key(&slice.index);
            let there = self.chain_for(&plan.extent, slice).and_then(|chain| {
                let decode = |dst: ViewMut<'_>| {
                    self.decode_slice(&chain, &key, slice, dst, plan.call, value)
                };
                if between.is_nothing() {
                    return decode(dst.reborrow());
                }
                let mut block = Block::new(dst.len() * item)?;
                let mut stored = ViewMut::contiguous(&mut block, dst.shape(), item)?;
                let there = decode(stored.reborrow())?;
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
        };
        let (call, slices) = (plan.call, &plan.slices);
        if !self.is_remote() {
            let window = Window::default();
            let read = |slice: &ChunkSlice, dst: ViewMut<'_>| {
                self.read_ahead(&plan, &window);
                read(slice, dst, None)
            };
            return call.for_each_into(plan.at_once, slices, dst, &read);
        }
        let key = |n: usize| self.key(&slices.outline(n).0);
        // half of them, as if every value were compressed to that
        let bytes = (dst.len() as u64).saturating_mul(item as u64) / 2;
        let run = |count: usize, job: &Job<'_>| {
            let jobs = (count, bytes / count.max(1) as u64);
            Pipeline::run(self, plan.at_once, call.memory, jobs, &key, job)
        };
        call.run_into(run, slices, dst, &|slice, dst, value| read(slice, dst, Some(value)))
    }

    /// Decodes part of a chunk; `false`: the chunk does not exist. Uses cached data as long as the
    /// store reports the version that it was decoded from. `value`: the chunk's value, in a remote
    /// store.
    fn decode_slice(
        &self,
        chain: &Chain,
        key: &Key,
        slice: &ChunkSlice,
        mut dst: ViewMut<'_>,
        once: Call<'_>,
        value: Option<&RemoteValue>,
    ) -> Result<bool> {
        let cache = &*self.settings.cache;
        let covers = |region: &Region| region.covers(&chain.chunk().shape);
        let keeps = cache.limit() > 0
            && chain.keeps()
            && !matches!(&slice.pick, Pick::Region(region) if covers(region));
        let chunk = slice.index.clone();
        let kept = cache::Key { array: self.number, chunk, inner: Default::default() };
        if let Some(value) = value {
            // asking for the version takes as long as reading
            let scope = Scope { cache, key: &kept, version: Present::Of(value, &value.read) };
            let call = Call { kept: keeps.then_some(scope), ..once };
            return chain.decode_pick(value, &slice.pick, dst, &call);
        }
        if !keeps {
            return retry_on_conflict(|| {
                chain.decode_pick(&*self.store.source(key), &slice.pick, dst.reborrow(), &once)
            });
        }
        retry_on_conflict(|| {
            let Some(version) = self.store.version(key)? else { return Ok(false) };
            let source = self.store.source_at(key, &version);
            let source = Pinned::new(&*source, &version);
            let scope = Scope { cache, key: &kept, version: Present::Known(&version) };
            let call = Call { kept: Some(scope), ..once };
            chain.decode_pick(&source, &slice.pick, dst.reborrow(), &call)
        })
    }
}
