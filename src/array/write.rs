//! Writing: encodes every chunk that a pick touches from its place in the caller's memory. A chunk
//! that is covered only in part is read, changed and written on condition that nobody else has
//! changed it meanwhile.

use super::chunks::Extent;
use super::memory::FieldPart;
use super::pipeline::Pipeline;
use super::plan::{Between, Transfer};
use super::remote_value::RemoteValue;
use super::{Array, MemoryType, retry_on_conflict};
use crate::cache::{self, Scope};
use crate::call::Call;
use crate::codec::{Chain, Encoded, Patch};
use crate::error::{Context, Result};
use crate::exec::{Block, CodecPermit};
use crate::lock::Acquire;
use crate::progress::Progress;
use crate::selection::{ChunkSlice, Pick, Region, Selection};
use crate::source::{Absent, ByteSource};
use crate::store::{Key, Precondition};
use crate::strided::{Extents, Strides, View, ViewMut, convert, fill};
use smallvec::SmallVec;
use std::cell::OnceCell;
use std::sync::{Arc, Mutex};

/// The chunk that was last written, decoded and kept for the next partial write. With its shape: a
/// chunk at the edge may change its shape when the array is resized.
struct Written {
    block: Block,
    shape: Vec<u64>,
}

/// A chunk to write.
pub(super) struct Chunk<'a> {
    pub chain: &'a Chain,
    pub index: &'a [u64],
    /// Its key, once it is needed.
    key: OnceCell<Key>,
    /// Its value, in a remote store.
    value: Option<&'a RemoteValue>,
}

impl Chunk<'_> {
    /// Its key in `array`.
    pub fn key(&self, array: &Array) -> &Key {
        self.key.get_or_init(|| array.key(self.index))
    }
}

/// A write's view of the array.
pub(super) struct Target {
    pub extent: Arc<Extent>,
    /// Whether partial writes may be collected.
    pub gathers: bool,
}

impl Array {
    /// Writes `src`, whose shape is the region's counts and whose elements have `memory`'s size.
    /// Replaces each chunk as a whole. After an error, some chunks may have been replaced.
    pub fn write(&self, region: &Region, memory: MemoryType, src: &View<'_>) -> Result<()> {
        let pick = &Pick::Region(region.clone());
        let progress = &Progress::silent();
        self.write_transfer(&Transfer { pick, memory, field: None, progress }, src)
    }

    /// Writes `src`, which has the selection's shape, to a selection or to a field of it. If an
    /// element is selected several times, the last value stays.
    pub fn write_selection(
        &self,
        selection: &Selection,
        memory: MemoryType,
        field: Option<&FieldPart>,
        src: View<'_>,
        progress: &Progress<'_>,
    ) -> Result<()> {
        let pick = &selection.pick(&self.shape()).at(|| format!("array {}", self.path))?;
        let src = selection.view(src)?;
        self.write_transfer(&Transfer { pick, memory, field, progress }, &src)
    }

    /// Writes one element, of the memory type, to every element of a selection.
    pub fn fill(
        &self,
        selection: &Selection,
        memory: MemoryType,
        field: Option<&FieldPart>,
        element: &[u8],
    ) -> Result<()> {
        let place = || format!("array {}", self.path);
        let pick = &selection.pick(&self.shape()).at(place)?;
        let progress = &Progress::silent();
        let transfer = Transfer { pick, memory, field, progress };
        let between = transfer.between(&self.metadata.data_type, false).at(place)?;
        let src = View::contiguous(element, &[], element.len())?;
        let mut stored = element.to_vec();
        if let Some(c) = between.conversion {
            stored = vec![0; c.stored.size()];
            let mut dst = ViewMut::contiguous(&mut stored, &[], c.stored.size())?;
            convert(&src, c.memory, &mut dst, c.stored).at(place)?;
        }
        let counts = pick.counts()?;
        let strides = Strides::from_elem(0, counts.len());
        let src = View::strided(&stored, &counts, &strides, stored.len())?;
        let transfer = Transfer { memory: MemoryType::Native, ..transfer };
        self.write_transfer(&transfer, &src)
    }

    /// Writes `src`, which has the shape of the pick.
    pub fn write_transfer(&self, transfer: &Transfer<'_>, src: &View<'_>) -> Result<()> {
        self.check_writable()?;
        let between = transfer.between(&self.metadata.data_type, false);
        let between = between.at(|| format!("array {}", self.path))?;
        self.write_elements(transfer.pick, between, src, transfer.progress)
    }

    pub(super) fn check_writable(&self) -> Result<()> {
        match self.store.read_only() {
            true => {
                Err(crate::store::refuse_change(&*self.store)).at(|| format!("array {}", self.path))
            }
            false => Ok(()),
        }
    }

    /// The same, and converts elements of the memory type to stored ones.
    pub(super) fn write_elements(
        &self,
        pick: &Pick,
        between: Between<'_>,
        src: &View<'_>,
        progress: &Progress<'_>,
    ) -> Result<()> {
        let target = Target { extent: self.extent(), gathers: self.gathers() };
        self.write_within(target, pick, between, src, progress)
    }

    /// The same for an array whose shape differs from the current one.
    pub(super) fn write_within(
        &self,
        target: Target,
        pick: &Pick,
        between: Between<'_>,
        src: &View<'_>,
        progress: &Progress<'_>,
    ) -> Result<()> {
        if pick.is_empty() {
            return Ok(());
        }
        let call = self.call(progress, between.heap);
        let extent = target.extent.clone();
        let plan = self.plan(extent, pick, src.len(), self.shards_at_once(&call), call)?;
        let field = between.field.map_or(0, |field| field.offset);
        let write = |slice: &ChunkSlice, value: Option<&RemoteValue>| {
            let result = (|| {
                let counts = slice.pick.counts()?;
                let dense = |item: usize| Block::new(counts.iter().product::<usize>() * item);
                let mut gathered;
                let mut src = match slice.place.as_box() {
                    Some((start, count)) => src.slice(&start, &count)?,
                    None => {
                        gathered = dense(src.item())?;
                        let mut dst = ViewMut::contiguous(&mut gathered, &counts, src.item())?;
                        slice.place.gather(src, &mut dst)?;
                        View::contiguous(&gathered, &counts, src.item())?
                    }
                };
                let mut converted;
                if let Some(c) = between.conversion {
                    converted = dense(c.stored.size())?;
                    let mut dst = ViewMut::contiguous(&mut converted, &counts, c.stored.size())?;
                    convert(&src, c.memory, &mut dst, c.stored)?;
                    src = View::contiguous(&converted, &counts, c.stored.size())?;
                }
                let patch = Patch { pick: &slice.pick, src: &src, field };
                let chain = &*self.chain_for(&plan.extent, slice)?;
                let chunk = Chunk { chain, index: &slice.index, key: OnceCell::new(), value };
                self.write_slice(&chunk, &target, &patch, &plan.call)
            })();
            result.at(|| self.place(&self.key(&slice.index)))
        };
        let slices = &plan.slices;
        if !self.is_remote() {
            return plan.call.for_each(plan.at_once, slices, &|slice| write(slice, None));
        }
        let key = |n: usize| self.key(&slices.outline(n).0);
        let jobs = (slices.count(), 0);
        Pipeline::run(self, plan.at_once, plan.call.memory, jobs, &key, &|n, value| {
            progress.check()?;
            write(&slices.get(n)?, Some(value))
        })
    }

    fn write_slice(
        &self,
        chunk: &Chunk<'_>,
        target: &Target,
        patch: &Patch<'_>,
        call: &Call<'_>,
    ) -> Result<()> {
        let Chunk { chain, index, value, .. } = *chunk;
        let covers = patch.covers(chain.chunk());
        let is_whole = patch.is_whole(self.metadata.data_type.size());
        if target.gathers && is_whole && !covers {
            return self.gather(chain, &target.extent, index, patch, call);
        }
        self.store_growth()?;
        if covers {
            self.forget_gathered(index);
            let encoded = match patch.pick {
                Pick::Region(_) => self.encode(chain, patch.src, call)?,
                _ => {
                    let _permit = self.codec_permit();
                    chain.update(&Absent, patch, call)?
                }
            };
            return self.store_encoded(chunk, encoded, Precondition::None);
        }
        if target.gathers {
            self.flush_chunk(index)?;
        }
        let inside = target.extent.inside(index);
        let inside: SmallVec<[u64; 4]> = inside.iter().map(|&n| n as u64).collect();
        if is_whole && patch.pick.covers(&inside) {
            return self.write_edge(chunk, patch, call);
        }
        match value {
            None if self.writes_in_place(chain) && self.patch_in_place(chunk, patch)? => Ok(()),
            None => self.update_chunk(chain, chunk.key(self), index, patch, call),
            Some(value) => self.update_remote(chunk, value, patch, call),
        }
    }

    /// Writes a chunk that overhangs the array: elements outside become the fill value.
    fn write_edge(&self, chunk: &Chunk<'_>, patch: &Patch<'_>, call: &Call<'_>) -> Result<()> {
        let chain = chunk.chain;
        if self.is_sharded() {
            // inner chunks entirely outside are not stored
            let permit = self.codec_permit();
            let encoded = chain.update(&Absent, patch, call)?;
            drop(permit);
            return self.store_encoded(chunk, encoded, Precondition::None);
        }
        let item = self.metadata.data_type.size();
        let extents: Extents = chain.chunk().shape.iter().map(|&n| n as usize).collect();
        let mut block = Block::new(chain.size() as usize)?;
        let mut whole = ViewMut::contiguous(&mut block, &extents, item)?;
        fill(&mut whole, &chain.chunk().fill_element()?)?;
        patch.apply(&mut whole)?;
        let encoded = self.encode(chain, &whole.as_view(), call)?;
        self.store_encoded(chunk, encoded, Precondition::None)
    }

    /// Changes part of a chunk in a remote store.
    fn update_remote(
        &self,
        chunk: &Chunk<'_>,
        value: &RemoteValue,
        patch: &Patch<'_>,
        call: &Call<'_>,
    ) -> Result<()> {
        let Chunk { chain, index, .. } = *chunk;
        // the choice must not change when the job is run again
        if *value.repeats.get_or_init(|| self.repeats(index)) && self.keeps_written(chain) {
            return self.update_chunk(chain, chunk.key(self), index, patch, call);
        }
        value.lock(&self.busy)?;
        let encoded = chain.update(value, patch, call)?;
        // known without a request, since the value has been read
        let when = value.version()?.map_or(Precondition::Absent, Precondition::Version);
        self.store_encoded(chunk, encoded, when)
    }

    /// Whether the previous partial write was to the same chunk, so the chunk is being filled part
    /// by part.
    fn repeats(&self, index: &[u64]) -> bool {
        let (lock, number) = self.lock_of(index);
        let mut last = lock.acquire();
        std::mem::replace(&mut *last, number) == number
    }

    /// Whether to keep chunks decoded for the next partial write.
    fn keeps_written(&self, chain: &Chain) -> bool {
        self.settings.cache.limit() > 0
            && !self.is_sharded()
            && !chain.chunk().data_type.is_variable()
    }

    pub(super) fn lock_of(&self, index: &[u64]) -> (&Mutex<u64>, u64) {
        // chunks next to each other along an axis get different locks
        let number = index.iter().fold(1u64, |n, &i| n.wrapping_mul(31).wrapping_add(i));
        let locks = self.locks.get();
        (&locks[number as usize % locks.len()], number)
    }

    pub(super) fn update_chunk(
        &self,
        chain: &Chain,
        key: &Key,
        index: &[u64],
        patch: &Patch<'_>,
        call: &Call<'_>,
    ) -> Result<()> {
        let (lock, number) = self.lock_of(index);
        let mut last = lock.acquire();
        let _held = self.store.hold(key)?;
        // cache a chunk only if it is written part by part, not if many chunks get one partial
        // write each
        let again = std::mem::replace(&mut *last, number) == number;
        if again && self.keeps_written(chain) {
            return retry_on_conflict(|| self.update_kept(chain, key, index, patch, call));
        }
        retry_on_conflict(|| {
            let source = self.store.source_to_change(key);
            let encoded = chain.update(&*source, patch, call)?;
            // known without a request, since the value has been read
            let when = source.version()?.map_or(Precondition::Absent, Precondition::Version);
            self.store_chunk(key, encoded, &when)
        })
    }

    /// The same, but decodes the whole chunk and caches it for the next part.
    fn update_kept(
        &self,
        chain: &Chain,
        key: &Key,
        index: &[u64],
        patch: &Patch<'_>,
        call: &Call<'_>,
    ) -> Result<()> {
        let cache = &*self.settings.cache;
        let chunk = index.into();
        let place = cache::Key { array: self.number, chunk, inner: Default::default() };
        let source = self.store.source_to_change(key);
        let (mut whole, when) = match cache.take::<Written>(&place) {
            Some((version, Written { block, shape }))
                if shape == chain.chunk().shape && source.version()?.as_ref() == Some(&version) =>
            {
                (block, Precondition::Version(version))
            }
            _ => {
                let whole = chain.whole(&*source, &Call { kept: None, ..*call })?;
                // known without a request, since the value has been read
                let version = source.version()?;
                (whole, version.map_or(Precondition::Absent, Precondition::Version))
            }
        };
        chain.patch(&mut whole, patch)?;
        let Some(encoded) = self.encode(chain, &chain.view(&whole)?, call)? else {
            return self.store_chunk(key, None, &when);
        };
        let version = self.store.set_known(key, &encoded.parts(), &when)?;
        drop(encoded);
        if let Some(version) = version {
            let bytes = whole.len();
            let version = cache::Present::Known(&version);
            let scope = Scope { cache, key: &place, version };
            let shape = chain.chunk().shape.clone();
            scope.put(Arc::new(Written { block: whole, shape }), bytes);
        }
        Ok(())
    }

    /// Encodes a chunk.
    pub(super) fn encode<'a>(
        &self,
        chain: &Chain,
        src: &View<'a>,
        call: &Call<'_>,
    ) -> Result<Option<Encoded<'a>>> {
        let _permit = self.codec_permit();
        chain.encode(src, call)
    }

    /// Permission to encode for a remote store, where many calls may be under way.
    pub(super) fn codec_permit(&self) -> Option<CodecPermit> {
        self.is_remote().then(CodecPermit::wait)
    }

    pub(super) fn store_chunk(
        &self,
        key: &Key,
        encoded: Option<Encoded<'_>>,
        when: &Precondition,
    ) -> Result<()> {
        match encoded {
            Some(encoded) => self.store.set(key, &encoded.parts(), when),
            None => self.store.erase(key, when).map(|_| ()),
        }
    }

    /// Stores an encoded chunk that depends on no stored one.
    pub(super) fn store_whole(
        &self,
        chain: &Chain,
        key: &Key,
        encoded: Option<Encoded<'_>>,
    ) -> Result<()> {
        match encoded {
            Some(encoded) if self.writes_in_place(chain) => {
                self.store.set_in_place(key, &encoded.parts())
            }
            encoded => self.store_chunk(key, encoded, &Precondition::None),
        }
    }

    /// Stores an encoded chunk; in a remote store, while the call continues.
    fn store_encoded(
        &self,
        chunk: &Chunk<'_>,
        encoded: Option<Encoded<'_>>,
        when: Precondition,
    ) -> Result<()> {
        let Some(value) = chunk.value else {
            return match when {
                Precondition::None => self.store_whole(chunk.chain, chunk.key(self), encoded),
                _ => self.store_chunk(chunk.key(self), encoded, &when),
            };
        };
        value.store(encoded.map(Encoded::into_parts).transpose()?, when);
        Ok(())
    }
}
