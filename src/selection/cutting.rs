//! Sorts scattered elements by the chunks of a grid, in time that grows with the elements alone.

use super::along::Cut;
use super::orthogonal::leaves;
use super::region::{Region, Span};
use super::{ChunkSlice, Pick, Scattered, try_with_capacity};
use crate::error::{Error, Kind, Result};
use smallvec::SmallVec;
use std::sync::Arc;

type Index = SmallVec<[u64; 4]>;

/// Indices along a dimension that are looked up in a table, at most: it should stay in the cache.
const TABLE: u64 = 1 << 14;

/// Elements on their way to their chunks. The number of an element's chunk, among those that the
/// bounds of all elements touch, and the number of the element in its chunk are sums of what each
/// dimension adds to them.
pub(super) struct Cutting<'a, G: ?Sized> {
    grid: &'a G,
    along: SmallVec<[Dimension; 4]>,
    /// The extents of the largest chunk: the box that elements are numbered in.
    shape: Index,
    /// The chunks within the bounds.
    chunks: u64,
    /// The chunk of each run.
    chunk: Vec<u64>,
    /// The element of that chunk that each run begins with.
    element: Vec<u64>,
    /// Elements of each run; empty: one each so far.
    lengths: Vec<u64>,
    count: u64,
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
                let add = |index| dimension.adds(d, index, grid);
                dimension.table = (span.start..=last).map(add).collect::<Result<_>>()?;
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
        Ok(Cutting {
            grid,
            along,
            shape,
            chunks,
            chunk: try_with_capacity(runs)?,
            element: try_with_capacity(runs)?,
            lengths: Vec::new(),
            count: 0,
        })
    }

    /// Adds the next element.
    #[inline]
    pub fn add_one(&mut self, at: &[u64]) -> Result<()> {
        let (mut chunk, mut element) = (0, 0);
        for (d, (dimension, &index)) in self.along.iter().zip(at).enumerate() {
            let (more, further) = dimension.adds(d, index, self.grid)?;
            chunk += more;
            element += further;
        }
        self.chunk.push(chunk);
        self.element.push(element);
        self.count += 1;
        Ok(())
    }

    /// Adds the next elements, along the last dimension; cuts them where a chunk ends.
    pub fn add(&mut self, at: &[u64], length: u64) -> Result<()> {
        if self.lengths.is_empty() && length != 1 {
            self.lengths.resize(self.chunk.len(), 1);
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
            self.add_one(&at)?;
            if length != 1 || !self.lengths.is_empty() {
                self.lengths.push(part);
            }
            self.count += part - 1;
            rest -= part;
            if let Some(last) = at.last_mut() {
                *last += part;
            }
        }
        Ok(())
    }

    /// The elements by chunks.
    pub fn finish(self) -> Result<Parted> {
        let order = order_of(&self.chunk, self.chunks)?;
        let mut places: Vec<u64> = Vec::new();
        if !self.lengths.is_empty() {
            places = try_with_capacity(self.lengths.len())?;
            let mut place = 0;
            places.extend(self.lengths.iter().map(|length| {
                place += length;
                place - length
            }));
        }
        let mut parted = Parted {
            shape: self.shape,
            all: self.count,
            chunks: Vec::new(),
            elements: try_with_capacity(order.len())?,
            places: try_with_capacity(order.len())?,
            lengths: try_with_capacity(self.lengths.len())?,
        };
        let mut before = None;
        for (at, &n) in order.iter().enumerate() {
            let chunk = self.chunk[n];
            if before != Some(chunk) {
                before = Some(chunk);
                let index = |d: &Dimension| d.first + chunk / d.chunk_stride % d.chunks;
                let index = self.along.iter().map(index).collect();
                parted.chunks.push(Touched { index, first: at });
            }
            parted.elements.push(self.element[n]);
            parted.places.push(places.get(n).copied().unwrap_or(n as u64));
            parted.lengths.extend(self.lengths.get(n));
        }
        Ok(parted)
    }
}

/// The places of `numbers`, all of them below `end`, in rising order, equal ones as they come.
fn order_of(numbers: &[u64], end: u64) -> Result<Vec<usize>> {
    let mut order: Vec<usize> = try_with_capacity(numbers.len())?;
    if end <= 4 * numbers.len() as u64 + 1024 {
        // counted: where each number's first place is
        let mut next: Vec<usize> = try_with_capacity(end as usize + 1)?;
        next.resize(end as usize + 1, 0);
        numbers.iter().for_each(|&n| next[n as usize + 1] += 1);
        (1..next.len()).for_each(|n| next[n] += next[n - 1]);
        order.resize(numbers.len(), 0);
        for (n, &number) in numbers.iter().enumerate() {
            let place = &mut next[number as usize];
            order[*place] = n;
            *place += 1;
        }
    } else {
        order.extend(0..numbers.len());
        order.sort_unstable_by_key(|&n| (numbers[n], n));
    }
    Ok(order)
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
    pub fn get(&self, n: usize) -> ChunkSlice {
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
) -> ChunkSlice {
    let count = match lengths {
        [] => elements.len() as u64,
        _ => lengths.iter().sum(),
    };
    let scattered = |shape, starts: &[u64]| {
        Pick::Scattered(Arc::new(Scattered::new(shape, starts.to_vec(), lengths.to_vec(), count)))
    };
    // places rise, so that they have no gaps if their ends are as far apart as they are many
    let end = places.last().map_or(0, |last| last + lengths.last().copied().unwrap_or(1));
    let place = match places.first() {
        Some(&start) if end - start == count => {
            Pick::Region(Region::from_spans([Span { start, count, step: 1 }].into_iter()))
        }
        _ => scattered([all].into_iter().collect(), places),
    };
    ChunkSlice { index, pick: scattered(shape, elements), place }
}
