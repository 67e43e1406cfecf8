//! Writing: every chunk that a region touches is encoded from its place in the caller's memory.
//! One that is covered only in part is read, changed and written, and only if nobody else has
//! changed it in between.

use super::chunks::Extent;
use super::memory::Conversion;
use super::{Array, MemoryType, undisturbed};
use crate::cache::{self, Scope};
use crate::codec::{Access, Chain, EncodeOptions, Encoded};
use crate::error::{Context, Result};
use crate::exec::Block;
use crate::heap::Heap;
use crate::metadata::{Cell, Region};
use crate::source::Absent;
use crate::store::{Key, Precondition};
use crate::strided::{Extents, View, ViewMut, convert, copy, fill};
use smallvec::SmallVec;
use std::sync::Arc;

/// A chunk as it was encoded last, kept for the next part of it. At the edge of an array a chunk
/// may get another shape with the array's.
struct Written {
    block: Block,
    shape: Vec<u64>,
}

/// What a write sees of the array.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    pub extent: &'a Extent,
    /// Whether parts of chunks may be gathered before they are stored.
    pub gathers: bool,
}

/// No more bytes than this of shards are encoded at once, unless one alone has more; more of them
/// where each takes long to be sent.
const LARGE: u64 = 64 << 20;
const LARGE_AFAR: u64 = 256 << 20;

impl Array {
    /// Writes `src`, which has the region's counts as its shape and elements of `memory`'s size.
    /// Each chunk is replaced whole or not at all; after an error, some may have been.
    pub fn write(&self, region: &Region, memory: MemoryType, src: &View<'_>) -> Result<()> {
        self.check_writable()?;
        let conversion = memory.conversion(&self.metadata.data_type, false);
        let conversion = conversion.at(|| format!("array {}", self.path))?;
        self.write_elements(region, conversion, src, None)
    }

    pub(super) fn check_writable(&self) -> Result<()> {
        match self.store.read_only() {
            true => {
                Err(crate::store::refuse_change(&*self.store)).at(|| format!("array {}", self.path))
            }
            false => Ok(()),
        }
    }

    /// Writes once it is known what has to be converted, and where the bytes of elements of
    /// variable length are.
    pub(super) fn write_elements(
        &self,
        region: &Region,
        conversion: Option<Conversion>,
        src: &View<'_>,
        heap: Option<&Heap<'_>>,
    ) -> Result<()> {
        let target = Target { extent: &self.extent(), gathers: self.gathers() };
        self.write_within(target, region, conversion, src, heap)
    }

    /// The same to an array of another extent than it has yet.
    pub(super) fn write_within(
        &self,
        target: Target<'_>,
        region: &Region,
        conversion: Option<Conversion>,
        src: &View<'_>,
        heap: Option<&Heap<'_>>,
    ) -> Result<()> {
        if region.is_empty() {
            return Ok(());
        }
        let item = self.metadata.data_type.size();
        let threads = self.threads_for(src.len());
        let cells = region.cells(&target.extent.grid)?;
        // of large shards few at once, all threads on each
        let room = if self.is_far() { LARGE_AFAR } else { LARGE };
        let most = match self.is_sharded() {
            true => (room / self.chain.size().max(1)).max(1) as usize,
            false => usize::MAX,
        };
        let (at_once, threads) = self.shared_out(cells.count(), threads, most);
        let options = EncodeOptions { threads, heap, ..self.encode_options() };
        cells.for_each(at_once, &|cell: Cell| {
            let key = self.key(&cell.index);
            let result = (|| {
                let src = src.slice(&cell.start, &cell.count)?;
                let Some(c) = conversion else {
                    return self.write_cell(target, &key, &cell, &src, options);
                };
                let mut block = Block::new(src.len() * item)?;
                let mut stored = ViewMut::contiguous(&mut block, &cell.count, item)?;
                convert(&src, c.memory, &mut stored, c.stored)?;
                self.write_cell(target, &key, &cell, &stored.as_view(), options)
            })();
            self.in_chunk(&key, result)
        })
    }

    pub(super) fn encode_options(&self) -> EncodeOptions<'static> {
        EncodeOptions { threads: 1, write_empty: self.settings.write_empty, heap: None }
    }

    fn write_cell(
        &self,
        target: Target<'_>,
        key: &Key,
        cell: &Cell,
        src: &View<'_>,
        options: EncodeOptions<'_>,
    ) -> Result<()> {
        let extent = target.extent;
        let chain = &*self.chain_for(extent, cell)?;
        if cell.region.covers(&chain.chunk().shape) {
            self.forget_gathered(&cell.index);
            return self.store_chunk(key, chain.encode(src, options)?, &Precondition::None);
        }
        if target.gathers {
            return self.gather(extent, cell, src);
        }
        let inside = extent.inside(&cell.index);
        let inside: SmallVec<[u64; 4]> = inside.iter().map(|&n| n as u64).collect();
        if cell.region.covers(&inside) {
            return self.write_edge(chain, key, cell, src, options);
        }
        self.update_chunk(chain, key, cell, src, options)
    }

    /// A chunk that overhangs the array: what lies outside becomes the fill value.
    fn write_edge(
        &self,
        chain: &Chain,
        key: &Key,
        cell: &Cell,
        src: &View<'_>,
        options: EncodeOptions<'_>,
    ) -> Result<()> {
        if self.is_sharded() {
            // inner chunks that lie outside altogether are not there
            let encoded = chain.update(&Absent, &cell.region, src, options)?;
            return self.store_chunk(key, encoded, &Precondition::None);
        }
        let item = self.metadata.data_type.size();
        let extents: Extents = chain.chunk().shape.iter().map(|&n| n as usize).collect();
        let mut block = Block::new(chain.size() as usize)?;
        let mut whole = ViewMut::contiguous(&mut block, &extents, item)?;
        fill(&mut whole, &chain.chunk().fill_element()?)?;
        copy(src, &mut whole.slice(&Extents::from_elem(0, extents.len()), &cell.count)?)?;
        let encoded = chain.encode(&whole.as_view(), options)?;
        self.store_chunk(key, encoded, &Precondition::None)
    }

    pub(super) fn update_chunk(
        &self,
        chain: &Chain,
        key: &Key,
        cell: &Cell,
        src: &View<'_>,
        options: EncodeOptions<'_>,
    ) -> Result<()> {
        // neighbours along an axis have locks of their own
        let number = cell.index.iter().fold(1u64, |n, &i| n.wrapping_mul(31).wrapping_add(i));
        let locks = self.locks.get();
        let lock = &locks[number as usize % locks.len()];
        let mut last = lock.lock().unwrap_or_else(|e| e.into_inner());
        // a chunk that is written part by part, not one of many of which a part is written
        let again = std::mem::replace(&mut *last, number) == number;
        if again
            && self.settings.cache.limit() > 0
            && !self.is_sharded()
            && !chain.chunk().data_type.is_variable()
        {
            return undisturbed(|| self.update_kept(chain, key, cell, src, options));
        }
        undisturbed(|| {
            let source = self.store.source(key);
            let encoded = chain.update(&*source, &cell.region, src, options)?;
            // which one was read, it knows without asking
            let when = source.version()?.map_or(Precondition::Absent, Precondition::Version);
            self.store_chunk(key, encoded, &when)
        })
    }

    /// The same for a chunk that is decoded whole, and kept so for the next part that is written.
    fn update_kept(
        &self,
        chain: &Chain,
        key: &Key,
        cell: &Cell,
        src: &View<'_>,
        options: EncodeOptions<'_>,
    ) -> Result<()> {
        let cache = &*self.settings.cache;
        let chunk = cell.index.clone();
        let place = cache::Key { array: self.number, chunk, inner: Default::default() };
        let (mut whole, when) = match cache.take::<Written>(&place) {
            Some((version, Written { block, shape }))
                if shape == chain.chunk().shape
                    && self.store.version(key)?.as_ref() == Some(&version) =>
            {
                (block, Precondition::Version(version))
            }
            _ => {
                let source = self.store.source(key);
                let when = source.version()?.map_or(Precondition::Absent, Precondition::Version);
                (chain.whole(&*source, &Access::once(options.threads))?, when)
            }
        };
        chain.patch(&mut whole, &cell.region, src)?;
        let Some(encoded) = chain.encode(&chain.view(&whole)?, options)? else {
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
}
