//! The write buffer: partial writes to a chunk are collected in memory until it is full, and then
//! written once. A chunk is also full if only its first dimension, along which arrays grow, is
//! clipped. Whole inner chunks of a shard are encoded as they arrive, so that the last one does not
//! wait for the others. Collected data that is not written is lost with the process; a flush or a
//! close writes it, and so does a read of the same chunk or a smaller shape. With
//! `overwrite=in_place`, a larger shape is collected too, see [`grow`](super::grow).

use super::Array;
use super::chunks::Extent;
use crate::call::Call;
use crate::codec::{Chain, InnerChunks, Patch};
use crate::error::{Error, Result};
use crate::exec;
use crate::exec::Block;
use crate::fork::Own;
use crate::lock::Acquire;
use crate::progress::Progress;
use crate::selection::{Pick, Region};
use crate::source::Absent;
use crate::store::Precondition;
use crate::strided::{Extents, View, ViewMut, fill};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

type Index = SmallVec<[u64; 4]>;

/// The write buffer of one array. A forked child starts with an empty one: the parent writes what
/// it collected.
pub(super) type Gatherer = Own<Gathering>;

/// The buffer of one process.
#[derive(Default)]
pub(super) struct Gathering {
    chunks: Mutex<HashMap<Index, Arc<Mutex<State>>>>,
    /// The size of all chunks (bytes).
    bytes: AtomicUsize,
    /// Numbers chunks in the order in which they were begun.
    begun: AtomicUsize,
}

enum State {
    /// Empty, or just written.
    Empty,
    Gathered(Gathered),
    Assembled(Assembled),
    /// No longer in the table: look it up again.
    Removed,
}

/// A shard with some encoded inner chunks.
struct Assembled {
    inner: InnerChunks,
    bytes: usize,
    number: usize,
}

/// Bytes that an inner chunk takes beside its own.
const ENTRY: usize = 64;

impl Assembled {
    /// Adds inner chunks, replacing earlier ones; returns by how many bytes it grew and shrank.
    fn add(&mut self, inner: InnerChunks) -> (usize, usize) {
        // an inner chunk to be erased must be written too
        let size = |bytes: &Option<Box<[u8]>>| ENTRY + bytes.as_ref().map_or(0, |b| b.len());
        let (mut more, mut less) = (0, 0);
        for (place, bytes) in inner {
            more += size(&bytes);
            less += self.inner.insert(place, bytes).as_ref().map_or(0, size);
        }
        self.bytes = self.bytes + more - less;
        (more, less)
    }
}

impl State {
    /// Its size (bytes).
    fn bytes(&self) -> usize {
        match self {
            State::Gathered(gathered) => gathered.bytes.len(),
            State::Assembled(assembled) => assembled.bytes,
            State::Empty | State::Removed => 0,
        }
    }

    /// Its number in order of beginning; `None`: it is empty.
    fn number(&self) -> Option<usize> {
        match self {
            State::Gathered(gathered) => Some(gathered.number),
            State::Assembled(assembled) => Some(assembled.number),
            State::Empty | State::Removed => None,
        }
    }
}

/// A chunk with some elements written.
struct Gathered {
    bytes: Block,
    written: Written,
    number: usize,
}

impl Gathered {
    fn new(size: usize, number: usize) -> Result<Self> {
        Ok(Gathered { bytes: Block::new(size)?, written: Written::First(0), number })
    }

    /// Takes the new elements of a chunk of `shape`.
    fn take(&mut self, shape: &[u64], patch: &Patch<'_>) -> Result<()> {
        let item = patch.src.item();
        // the runs of a box come in the order of its elements, other picks' may not
        let dense = match patch.pick {
            Pick::Region(_) => patch.src.as_contiguous(),
            _ => None,
        };
        if dense.is_none() {
            let extents: Extents = shape.iter().map(|&n| n as usize).collect();
            patch.apply(&mut ViewMut::contiguous(&mut self.bytes, &extents, item)?)?;
        }
        let all = self.bytes.len() / item;
        let (mut from, mut result) = (0, Ok(()));
        patch.pick.for_each_run(shape, |first, length| {
            let run = first as usize..(first + length) as usize;
            if let Some(elements) = dense {
                let bytes = &elements[from..from + run.len() * item];
                self.bytes[run.start * item..run.end * item].copy_from_slice(bytes);
                from += bytes.len();
            }
            if result.is_ok() {
                result = self.written.add(run, all);
            }
        })?;
        result
    }

    /// Copies the written elements over those of `chunk`.
    fn lay_over(&self, chunk: &mut [u8], item: usize) {
        self.written.for_each_run(|run| {
            let bytes = run.start * item..run.end * item;
            chunk[bytes.clone()].copy_from_slice(&self.bytes[bytes]);
        });
    }
}

/// The written elements of a chunk.
enum Written {
    /// So many, from the first on, as when they come in order.
    First(usize),
    /// One bit per element, and the number of those that are set.
    Bits(Vec<u64>, usize),
}

impl Written {
    fn count(&self) -> usize {
        match self {
            Written::First(count) | Written::Bits(_, count) => *count,
        }
    }

    /// Adds elements of a chunk that has `all`.
    fn add(&mut self, run: Range<usize>, all: usize) -> Result<()> {
        if let Written::First(count) = self {
            if run.start <= *count {
                *count = run.end.max(*count);
                return Ok(());
            }
            let (before, words) = (0..*count, all.div_ceil(64));
            let mut bits = Vec::new();
            bits.try_reserve_exact(words).map_err(|_| exec::out_of_memory(words * 8))?;
            bits.resize(words, 0);
            *self = Written::Bits(bits, 0);
            self.add(before, all)?;
        }
        let Written::Bits(words, count) = self else { return Ok(()) };
        let mut at = run.start;
        while at < run.end {
            let length = (64 - at % 64).min(run.end - at);
            let bits = u64::MAX >> (64 - length) << (at % 64);
            let word = &mut words[at / 64];
            *count += (bits & !*word).count_ones() as usize;
            *word |= bits;
            at += length;
        }
        Ok(())
    }

    fn for_each_run(&self, mut each: impl FnMut(Range<usize>)) {
        let words = match self {
            Written::First(count) => return each(0..*count),
            Written::Bits(words, _) => words,
        };
        for (n, &word) in words.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                // a run of set bits
                let from = rest.trailing_zeros() as usize;
                let len = (rest >> from).trailing_ones() as usize;
                each(n * 64 + from..n * 64 + from + len);
                rest = if from + len == 64 { 0 } else { rest >> (from + len) << (from + len) };
            }
        }
    }
}

/// The number of elements, or inner chunks of shape `inner`, at which a chunk is full: all that lie
/// inside the array, which may still grow along its first dimension.
fn complete(extent: &Extent, index: &[u64], inner: &[u64]) -> usize {
    let edges = inner.iter().copied().chain(std::iter::repeat(1));
    let counts = index.iter().zip(edges).enumerate().map(|(d, (&i, edge))| {
        let (start, uncut) = extent.grid.chunk(d, i).unwrap_or_default();
        let inside = uncut.min(extent.shape[d].saturating_sub(start));
        (if d == 0 { uncut } else { inside }).div_ceil(edge) as usize
    });
    counts.product()
}

impl Array {
    /// Whether partial writes are collected. Those of variable-length elements are not: their bytes
    /// belong to the caller after the call.
    pub(super) fn gathers(&self) -> bool {
        // elements of no bytes may be any number
        !self.metadata.data_type.is_variable()
            && self.metadata.data_type.size() > 0
            && self.chain.size() <= self.settings.write_buffer as u64
    }

    /// Collects a part of a chunk; writes the chunk if it is full.
    pub(super) fn gather(
        &self,
        chain: &Chain,
        extent: &Extent,
        index: &[u64],
        patch: &Patch<'_>,
        call: &Call<'_>,
    ) -> Result<()> {
        // before the chunk is locked, so that other threads can encode meanwhile
        let mut inner = match chain.inner_shape() {
            Some(shape) => {
                let _permit = self.codec_permit();
                chain.encode_inner(patch, call)?.map(|inner| (shape, inner))
            }
            None => None,
        };
        // the whole chunk, which may have grown when it is written
        let shape = extent.uncut(index);
        let elements: usize = shape.iter().map(|&n| n as usize).product();
        let item = patch.src.item();
        let (entry, full) = loop {
            let entry = self
                .gatherer
                .get()
                .chunks
                .acquire()
                .entry(index.into())
                .or_insert_with(|| Arc::new(Mutex::new(State::Empty)))
                .clone();
            let mut state = entry.acquire();
            if let State::Empty = *state {
                let number = self.gatherer.get().begun.fetch_add(1, Ordering::Relaxed);
                *state = match inner {
                    Some(_) => {
                        State::Assembled(Assembled { inner: InnerChunks::new(), bytes: 0, number })
                    }
                    None => State::Gathered(Gathered::new(elements * item, number)?),
                };
                self.gatherer.get().bytes.fetch_add(state.bytes(), Ordering::Relaxed);
            }
            let full = match (&mut *state, inner.take()) {
                (State::Assembled(assembled), Some((shape, inner))) => {
                    let (more, less) = assembled.add(inner);
                    self.gatherer.get().bytes.fetch_add(more, Ordering::Relaxed);
                    self.gatherer.get().bytes.fetch_sub(less, Ordering::Relaxed);
                    assembled.inner.len() >= complete(extent, index, &shape)
                }
                (State::Assembled(_), None) => {
                    // parts of inner chunks are changed in the stored shard
                    drop(state);
                    self.write_gathered(&index.into(), &entry)?;
                    continue;
                }
                (State::Gathered(gathered), _) => {
                    gathered.take(&shape, patch)?;
                    gathered.written.count() >= complete(extent, index, &[])
                }
                (State::Empty | State::Removed, again) => {
                    inner = again;
                    continue;
                }
            };
            drop(state);
            break (entry, full);
        };
        if full {
            self.write_gathered(&index.into(), &entry)?;
        }
        while self.gatherer.get().bytes.load(Ordering::Relaxed) > self.settings.write_buffer {
            let Some((index, entry)) = self.oldest() else { break };
            self.write_gathered(&index, &entry)?;
        }
        Ok(())
    }

    fn oldest(&self) -> Option<(Index, Arc<Mutex<State>>)> {
        let all: Vec<_> = self
            .gatherer
            .get()
            .chunks
            .acquire()
            .iter()
            .map(|(index, entry)| (index.clone(), entry.clone()))
            .collect();
        all.into_iter()
            .filter_map(|(index, entry)| {
                let number = entry.acquire().number()?;
                Some((number, index, entry))
            })
            .min_by_key(|(number, _, _)| *number)
            .map(|(_, index, entry)| (index, entry))
    }

    /// Writes what is collected of a chunk; on failure it stays collected. Meanwhile the chunk
    /// cannot be read or written through this array.
    fn write_gathered(&self, index: &Index, entry: &Mutex<State>) -> Result<()> {
        self.store_growth()?;
        let mut state = entry.acquire();
        let key = self.key(index);
        match &*state {
            State::Gathered(gathered) => {
                self.in_chunk(&key, self.store_gathered(index, gathered))?;
            }
            State::Assembled(assembled) => {
                self.in_chunk(&key, self.store_assembled(index, &assembled.inner))?;
            }
            State::Empty | State::Removed => {}
        }
        self.remove(index, &mut state);
        Ok(())
    }

    /// Removes an entry from the table, if it is still the same.
    fn remove(&self, index: &[u64], state: &mut State) {
        let old = std::mem::replace(state, State::Removed);
        if let State::Removed = old {
            return;
        }
        self.gatherer.get().bytes.fetch_sub(old.bytes(), Ordering::Relaxed);
        self.gatherer.get().chunks.acquire().remove(index);
    }

    fn store_assembled(&self, index: &Index, inner: &InnerChunks) -> Result<()> {
        let key = self.key(index);
        let extent = self.extent();
        let chain = self.chain_at(&extent, index)?;
        let shape = chain.inner_shape().unwrap_or_default();
        let all = chain.chunk().shape.iter().zip(&shape).map(|(n, inner)| n / inner);
        if inner.len() as u64 == all.product::<u64>() {
            return self.store_chunk(&key, chain.join_inner(&Absent, inner)?, &Precondition::None);
        }
        self.with_value(&key, |source| {
            let encoded = chain.join_inner(source, inner)?;
            let when = source.version()?.map_or(Precondition::Absent, Precondition::Version);
            self.store_chunk(&key, encoded, &when)
        })
    }

    fn store_gathered(&self, index: &Index, gathered: &Gathered) -> Result<()> {
        let key = self.key(index);
        let item = self.metadata.data_type.size();
        let progress = Progress::silent();
        let call = &Call { threads: 1, ..self.call(&progress, None) };
        let extent = self.extent();
        let chain = self.chain_at(&extent, index)?;
        let extents: Extents = extent.uncut(index).iter().map(|&n| n as usize).collect();
        // the stored chunk, which is complete unless the array's edge clips chunks
        let stored: Extents = chain.chunk().shape.iter().map(|&n| n as usize).collect();
        let origin = Extents::from_elem(0, stored.len());
        if gathered.written.count() == extents.iter().product::<usize>() {
            let whole = View::contiguous(&gathered.bytes, &extents, item)?;
            let encoded = self.encode(&chain, &whole.slice(&origin, &stored)?, call)?;
            return self.store_whole(&chain, &key, encoded);
        }
        self.with_value(&key, |source| {
            let mut block = Block::new(gathered.bytes.len())?;
            let mut whole = ViewMut::contiguous(&mut block, &extents, item)?;
            let mut part = whole.slice(&origin, &stored)?;
            let all = Region::whole(&chain.chunk().shape);
            if !chain.decode(source, &all, part.reborrow(), call)? {
                fill(&mut part, &chain.chunk().fill.bytes()?)?;
            }
            gathered.lay_over(&mut block, item);
            let whole = View::contiguous(&block, &extents, item)?;
            let encoded = self.encode(&chain, &whole.slice(&origin, &stored)?, call)?;
            let when = source.version()?.map_or(Precondition::Absent, Precondition::Version);
            self.store_chunk(&key, encoded, &when)
        })
    }

    /// Drops what is collected of a chunk that is about to be written whole.
    pub(super) fn forget_gathered(&self, index: &[u64]) {
        if self.gatherer.get().bytes.load(Ordering::Relaxed) == 0 {
            return;
        }
        let Some(entry) = self.gatherer.get().chunks.acquire().get(index).cloned() else { return };
        self.remove(index, &mut entry.acquire());
    }

    /// Drops what is collected of chunks outside `extent`.
    pub fn drop_gathered_outside(&self, extent: &Extent) {
        if self.gatherer.get().bytes.load(Ordering::Relaxed) == 0 {
            return;
        }
        let outside = |index: &&Index| extent.inside(index).contains(&0);
        let gone: Vec<Index> =
            self.gatherer.get().chunks.acquire().keys().filter(outside).cloned().collect();
        gone.iter().for_each(|index| self.forget_gathered(index));
    }

    /// Writes what is collected of the chunks that the bounds of a pick touch.
    pub(super) fn flush_region(&self, pick: &Pick) -> Result<()> {
        if self.gatherer.get().bytes.load(Ordering::Relaxed) == 0 {
            return Ok(());
        }
        let (grid, region) = (self.grid(), pick.bounds());
        self.flush_where(|index| {
            region.spans().iter().zip(index).enumerate().all(|(d, (s, &i))| {
                let end = s.start + s.count.saturating_sub(1) * s.step;
                let chunk = grid.chunk(d, i).filter(|_| s.count > 0);
                chunk.is_some_and(|(at, extent)| s.start < at.saturating_add(extent) && end >= at)
            })
        })
    }

    /// Writes what is collected of one chunk.
    pub(super) fn flush_chunk(&self, index: &[u64]) -> Result<()> {
        self.flush_where(|gathered| **gathered == *index)
    }

    /// Writes what is collected of chunks that begin before `end` along the first dimension.
    pub fn flush_before(&self, end: u64) -> Result<()> {
        let grid = self.grid();
        self.flush_where(|index| grid.chunk(0, index[0]).is_some_and(|(start, _)| start < end))
    }

    /// Writes everything to the store. What cannot be written stays collected; returns the error of
    /// the first such chunk.
    pub fn flush(&self) -> Result<()> {
        self.store_growth()?;
        self.flush_where(|_| true)
    }

    fn flush_where(&self, wanted: impl Fn(&Index) -> bool) -> Result<()> {
        if self.gatherer.get().bytes.load(Ordering::Relaxed) == 0 {
            return Ok(());
        }
        let mut chunks: Vec<_> = self
            .gatherer
            .get()
            .chunks
            .acquire()
            .iter()
            .filter(|(index, _)| wanted(index))
            .map(|(index, entry)| (index.clone(), entry.clone()))
            .collect();
        chunks.sort_by(|a, b| a.0.cmp(&b.0));
        let first: Mutex<Option<(usize, Error)>> = Mutex::new(None);
        exec::run(self.settings.threads, chunks.len(), &|n| {
            let (index, entry) = &chunks[n];
            if let Err(error) = self.write_gathered(index, entry) {
                let mut first = first.acquire();
                if first.as_ref().is_none_or(|(other, _)| n < *other) {
                    *first = Some((n, error));
                }
            }
            Ok(())
        })?;
        let first = first.release();
        first.map_or(Ok(()), |(_, error)| Err(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes ones for a box of a chunk of 5 by 30, from memory without gaps and with gaps.
    fn take(g: &mut Gathered, start: [u64; 2], count: [u64; 2], step: [u64; 2]) {
        let shape = [5, 30];
        let pick = Pick::Region(Region::new(&shape, &start, &count, Some(&step)).expect("inside"));
        let (extents, ones) = (count.map(|n| n as usize), [1; 300]);
        let dense = View::contiguous(&ones[..extents[0] * extents[1]], &extents, 1).expect("fits");
        let wide = View::contiguous(&ones, &[5, 60], 1).expect("fits");
        let gaps = wide.slice(&[0, 1], &extents).expect("fits");
        for src in [dense, gaps] {
            g.take(&shape, &Patch { pick: &pick, src: &src, field: 0 }).expect("little");
        }
    }

    #[test]
    fn written_elements_are_counted_once_and_laid_over() {
        let mut g = Gathered::new(150, 0).expect("little");
        take(&mut g, [0, 0], [2, 30], [1, 1]);
        take(&mut g, [1, 0], [3, 30], [1, 1]);
        assert!(matches!(g.written, Written::First(120)));
        take(&mut g, [4, 1], [1, 29], [1, 1]);
        assert_eq!(g.written.count(), 149);
        take(&mut g, [0, 0], [5, 30], [1, 1]);
        assert_eq!(g.written.count(), 150);
        let mut g = Gathered::new(150, 0).expect("little");
        take(&mut g, [1, 3], [2, 20], [2, 1]);
        take(&mut g, [1, 0], [1, 10], [1, 3]);
        take(&mut g, [1, 0], [1, 10], [1, 3]);
        let mut chunk = [0; 150];
        g.lay_over(&mut chunk, 1);
        let expected: Vec<u8> = (0..150)
            .map(|n| {
                let (y, x) = (n / 30, n % 30);
                u8::from((y % 2 == 1 && (3..23).contains(&x)) || (y == 1 && x % 3 == 0))
            })
            .collect();
        assert_eq!(chunk.as_slice(), expected);
        assert_eq!(g.written.count(), expected.iter().map(|&b| usize::from(b)).sum::<usize>());
    }
}
