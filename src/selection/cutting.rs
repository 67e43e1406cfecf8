//! Sorts scattered elements by the chunks of a grid, in time that grows with the elements alone.

use super::along::Cut;
use super::orthogonal::leaves;
use super::region::{Region, Span};
use super::{ChunkSlice, Pick, Scattered, try_copy, try_push, try_with_capacity};
use crate::error::{Error, Kind, Result};
use smallvec::SmallVec;
use std::sync::Arc;

type Index = SmallVec<[u64; 4]>;

/// Indices along a dimension that are looked up in a table, at most: it should stay in the cache.
const TABLE: u64 = 1 << 14;

/// A grid prepared for many elements. The number of an element's chunk, among those that the bounds
/// of all elements touch, and the number of the element in its chunk are sums of what each
/// dimension adds to them.
pub(super) struct Cutting<'a, G: ?Sized> {
    grid: &'a G,
    along: SmallVec<[Dimension; 4]>,
    /// The extents of the largest chunk: the box that elements are numbered in.
    shape: Index,
    /// The chunks within the bounds.
    chunks: u64,
    /// About how many runs there are.
    runs: usize,
}

/// Receives runs: the index of the first element, and the length along the last dimension.
pub(super) type EachRun<'f> = dyn FnMut(&[u64], u64) -> Result<()> + 'f;

/// A run within one chunk.
struct Piece {
    chunk: u64,
    /// Its first element's number in the chunk.
    element: u64,
    length: u64,
}

struct Dimension {
    /// Within the bounds: the lowest index, the number of its chunk, and how many chunks there are.
    low: u64,
    first: u64,
    chunks: u64,
    /// Chunks from one to the next along it, and elements likewise.
    chunk_stride: u64,
    element_stride: u64,
    /// What each index from `low` on adds; empty where it would be too long.
    table: Vec<(u64, u64)>,
}

impl Dimension {
    /// What an index adds to the number of the chunk and to that of the element.
    #[inline]
    fn adds(&self, d: usize, index: u64, grid: &(impl Cut + ?Sized)) -> Result<(u64, u64)> {
        if let Some(&both) = self.table.get((index - self.low) as usize) {
            return Ok(both);
        }
        let at = grid.at(d, index).ok_or_else(leaves)?;
        Ok(((at.chunk - self.first) * self.chunk_stride, (index - at.start) * self.element_stride))
    }
}

impl<'a, G: Cut + ?Sized> Cutting<'a, G> {
    /// For about `runs` runs of elements that all lie within `bounds`.
    pub fn new(bounds: &Region, grid: &'a G, runs: usize) -> Result<Self> {
        let mut along: SmallVec<[Dimension; 4]> = SmallVec::new();
        let (mut chunks, mut elements) = (1u64, 1u64);
        let mut shape = Index::new();
        for (d, span) in bounds.spans().iter().enumerate().rev() {
            let last = span.start + span.count.saturating_sub(1);
            let first = grid.at(d, span.start).ok_or_else(leaves)?.chunk;
            let count = grid.at(d, last).ok_or_else(leaves)?.chunk - first + 1;
            let mut dimension = Dimension {
                low: span.start,
                first,
                chunks: count,
                chunk_stride: chunks,
                element_stride: elements,
                table: Vec::new(),
            };
            if span.count <= TABLE.min(runs as u64) {
                let mut table = try_with_capacity(span.count as usize)?;
                for index in span.start..=last {
                    try_push(&mut table, dimension.adds(d, index, grid)?)?;
                }
                dimension.table = table;
            }
            along.push(dimension);
            shape.push(grid.largest(d));
            let too_many = |what| {
                let what = format!("the selected elements span more than 2^64 {what}");
                Error::new(Kind::LimitExceeded, what)
            };
            chunks = chunks.checked_mul(count).ok_or_else(|| too_many("chunks"))?;
            let more = elements.checked_mul(grid.largest(d));
            elements = more.ok_or_else(|| too_many("elements of a chunk"))?;
        }
        along.reverse();
        shape.reverse();
        Ok(Cutting { grid, along, shape, chunks, runs })
    }

    /// Cuts a run where a chunk ends.
    #[inline]
    fn cut(
        &self,
        at: &[u64],
        length: u64,
        mut each: impl FnMut(Piece) -> Result<()>,
    ) -> Result<()> {
        if length == 1 {
            return each(self.piece(at, 1)?);
        }
        let mut at: Index = at.into();
        let mut rest = length;
        while rest > 0 {
            let part = match at.last() {
                None => rest,
                Some(&last) => {
                    let chunk = self.grid.at(at.len() - 1, last).ok_or_else(leaves)?;
                    rest.min(chunk.start.saturating_add(chunk.extent) - last)
                }
            };
            each(self.piece(&at, part)?)?;
            rest -= part;
            if let Some(last) = at.last_mut() {
                *last += part;
            }
        }
        Ok(())
    }

    #[inline]
    fn piece(&self, at: &[u64], length: u64) -> Result<Piece> {
        let (mut chunk, mut element) = (0, 0);
        for (d, (dimension, &index)) in self.along.iter().zip(at).enumerate() {
            let (more, further) = dimension.adds(d, index, self.grid)?;
            chunk += more;
            element += further;
        }
        Ok(Piece { chunk, element, length })
    }

    /// The index of a chunk.
    fn index(&self, chunk: u64) -> Index {
        self.along.iter().map(|d| d.first + chunk / d.chunk_stride % d.chunks).collect()
    }

    /// Sorts the runs that `runs` gives, the same each time it is called, by chunks.
    pub fn sort(self, runs: impl Fn(&mut EachRun<'_>) -> Result<()>) -> Result<Parted> {
        match self.chunks <= 4 * self.runs as u64 + 1024 {
            true => self.sort_counting(runs),
            false => self.sort_comparing(runs),
        }
    }

    /// Few chunks: counts the runs of each, so that every run has its place at once.
    fn sort_counting(self, runs: impl Fn(&mut EachRun<'_>) -> Result<()>) -> Result<Parted> {
        let mut next: Vec<usize> = zeros(self.chunks as usize + 1)?;
        let mut is_long = false;
        runs(&mut |at, length| {
            self.cut(at, length, |piece| {
                next[piece.chunk as usize + 1] += 1;
                is_long |= piece.length != 1;
                Ok(())
            })
        })?;
        (1..next.len()).for_each(|n| next[n] += next[n - 1]);
        let all = next.last().copied().unwrap_or(0);
        let mut chunks = Vec::new();
        for (chunk, ends) in next.windows(2).enumerate().filter(|(_, ends)| ends[0] < ends[1]) {
            let touched = Touched { index: self.index(chunk as u64), first: ends[0] };
            try_push(&mut chunks, touched)?;
        }
        let (mut elements, mut places) = (zeros(all)?, zeros(all)?);
        let mut lengths = zeros(if is_long { all } else { 0 })?;
        let mut place = 0;
        runs(&mut |at, length| {
            self.cut(at, length, |piece| {
                let slot = &mut next[piece.chunk as usize];
                elements[*slot] = piece.element;
                places[*slot] = place;
                if is_long {
                    lengths[*slot] = piece.length;
                }
                place += piece.length;
                *slot += 1;
                Ok(())
            })
        })?;
        Ok(Parted { shape: self.shape, all: place, chunks, elements, places, lengths })
    }

    /// More chunks than could be counted: sorts by chunk, then by place.
    fn sort_comparing(self, runs: impl Fn(&mut EachRun<'_>) -> Result<()>) -> Result<Parted> {
        let mut pieces: Vec<(u64, u64, u64, u64)> = try_with_capacity(self.runs)?;
        let mut place = 0;
        runs(&mut |at, length| {
            self.cut(at, length, |piece| {
                if pieces.len() == pieces.capacity() {
                    pieces.try_reserve(pieces.len()).map_err(|_| no_memory())?;
                }
                pieces.push((piece.chunk, place, piece.element, piece.length));
                place += piece.length;
                Ok(())
            })
        })?;
        pieces.sort_unstable();
        let mut chunks: Vec<Touched> = Vec::new();
        let mut before = None;
        for (first, &(chunk, ..)) in pieces.iter().enumerate() {
            if before != Some(chunk) {
                before = Some(chunk);
                try_push(&mut chunks, Touched { index: self.index(chunk), first })?;
            }
        }
        let column = |of: fn(&(u64, u64, u64, u64)) -> u64| {
            let mut column = try_with_capacity(pieces.len())?;
            column.extend(pieces.iter().map(of));
            Ok::<_, Error>(column)
        };
        let is_long = pieces.iter().any(|piece| piece.3 != 1);
        Ok(Parted {
            shape: self.shape,
            all: place,
            chunks,
            places: column(|piece| piece.1)?,
            elements: column(|piece| piece.2)?,
            lengths: if is_long { column(|piece| piece.3)? } else { Vec::new() },
        })
    }
}

fn no_memory() -> Error {
    Error::new(Kind::OutOfMemory, "out of memory: the selected elements by chunks")
}

fn zeros<T: Clone + Default>(count: usize) -> Result<Vec<T>> {
    let mut all = try_with_capacity(count)?;
    all.resize(count, T::default());
    Ok(all)
}

/// Scattered elements by chunks, and in their order within each.
#[derive(Debug)]
pub(super) struct Parted {
    /// The box that the elements of each chunk are numbered in.
    shape: Index,
    /// How many elements all chunks have.
    all: u64,
    chunks: Vec<Touched>,
    /// Of each run, chunk by chunk: its first element in its chunk, and among all elements.
    elements: Vec<u64>,
    places: Vec<u64>,
    /// Elements of each run; empty: one each.
    lengths: Vec<u64>,
}

#[derive(Debug)]
struct Touched {
    index: Index,
    /// Which of the runs is its first.
    first: usize,
}

impl Parted {
    /// How many chunks are touched.
    pub fn count(&self) -> usize {
        self.chunks.len()
    }

    /// The index of the `n`th of them.
    pub fn index(&self, n: usize) -> Index {
        self.chunks[n].index.clone()
    }

    /// The `n`th of them.
    pub fn get(&self, n: usize) -> Result<ChunkSlice> {
        let chunk = &self.chunks[n];
        let end = self.chunks.get(n + 1).map_or(self.elements.len(), |next| next.first);
        let own = chunk.first..end;
        let lengths = self.lengths.get(own.clone()).unwrap_or_default();
        let (elements, places) = (&self.elements[own.clone()], &self.places[own]);
        slice(chunk.index.clone(), self.shape.clone(), self.all, elements, places, lengths)
    }
}

/// What is picked of a chunk: runs that begin at `elements` of a box of `shape`, and at `places`
/// among `all` elements that are picked.
pub(super) fn slice(
    index: Index,
    shape: Index,
    all: u64,
    elements: &[u64],
    places: &[u64],
    lengths: &[u64],
) -> Result<ChunkSlice> {
    let count = match lengths {
        [] => elements.len() as u64,
        _ => lengths.iter().sum(),
    };
    let scattered = |shape, starts: &[u64]| {
        let (starts, lengths) = (try_copy(starts)?, try_copy(lengths)?);
        Ok(Pick::Scattered(Arc::new(Scattered::new(shape, starts, lengths, count))))
    };
    // places rise, so that they have no gaps if their ends are as far apart as they are many
    let end = places.last().map_or(0, |last| last + lengths.last().copied().unwrap_or(1));
    let place = match places.first() {
        Some(&start) if end - start == count => {
            Pick::Region(Region::from_spans([Span { start, count, step: 1 }].into_iter()))
        }
        _ => scattered([all].into_iter().collect(), places)?,
    };
    Ok(ChunkSlice { index, pick: scattered(shape, elements)?, place })
}
