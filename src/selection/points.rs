//! Picks of single elements, and the chunks of a grid that they touch.

use super::along::Cut;
use super::orthogonal::leaves;
use super::region::{Region, Span};
use super::{Axis, ChunkSlice, Pick, try_with_capacity};
use crate::error::{Error, Kind, Result};
use crate::strided::Runs;
use smallvec::SmallVec;
use std::sync::Arc;

/// Elements in any order, with or without repetitions, as runs along the last dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Points {
    rank: usize,
    /// The number of runs.
    runs: usize,
    /// The index of the first element of each run.
    starts: Vec<u64>,
    /// The length of each run; empty: one element each.
    lengths: Vec<u64>,
    /// The number of elements.
    count: u64,
}

impl Points {
    /// Runs of one element: `coordinates` has `rank` numbers for each.
    pub(super) fn new(rank: usize, count: u64, coordinates: Vec<u64>) -> Result<Self> {
        let too_many = || Error::new(Kind::LimitExceeded, "too many points for memory");
        // in rank 0 there are no coordinates: the count alone determines the work
        let most = if rank == 0 { u64::from(u32::MAX) } else { u64::MAX };
        let runs = usize::try_from(count).ok().filter(|_| count <= most).ok_or_else(too_many)?;
        Ok(Points { rank, runs, starts: coordinates, lengths: Vec::new(), count })
    }

    /// The number of elements.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The runs, as the kernels of [`crate::strided`] accept them.
    pub fn runs(&self) -> Runs<'_> {
        let (starts, lengths) = (&self.starts, &self.lengths);
        Runs { rank: self.rank, starts, lengths, count: self.runs }
    }

    /// The smallest box that contains them all.
    pub fn bounds(&self) -> Region {
        let mut ends: SmallVec<[(u64, u64); 4]> = SmallVec::from_elem((u64::MAX, 0), self.rank);
        for (start, length) in self.runs().iter() {
            for (d, (&i, end)) in start.iter().zip(&mut ends).enumerate() {
                let more = if d + 1 == self.rank { length - 1 } else { 0 };
                *end = (end.0.min(i), end.1.max(i + more));
            }
        }
        let span = |&(low, high): &(u64, u64)| match self.runs {
            0 => Span { start: 0, count: 0, step: 1 },
            _ => Span { start: low, count: high - low + 1, step: 1 },
        };
        Region::from_spans(ends.iter().map(span))
    }

    /// The same, relative to `origin`.
    pub(super) fn counted_from(&self, origin: &[u64]) -> Self {
        let rank = origin.len().max(1);
        let starts = self.starts.chunks_exact(rank).flat_map(|s| s.iter().zip(origin));
        Points { starts: starts.map(|(i, from)| i - from).collect(), ..self.clone() }
    }

    /// Permutes axes: axis `i` of the result is axis `axes[i]` of this.
    pub(super) fn permuted(&self, axes: &[usize]) -> Self {
        if axes.is_sorted() {
            return self.clone();
        }
        // runs lie along another axis now: one element each
        let mut starts = Vec::with_capacity(self.count as usize * self.rank);
        for (start, length) in self.runs().iter() {
            for k in 0..length {
                let along = |&axis: &usize| start[axis] + if axis + 1 == self.rank { k } else { 0 };
                starts.extend(axes.iter().map(along));
            }
        }
        let runs = self.count as usize;
        Points { runs, starts, lengths: Vec::new(), ..*self }
    }

    /// Sorts them by the chunks of a grid.
    pub(super) fn chunk_slices(&self, grid: &(impl Cut + ?Sized)) -> Result<Sorted<'_>> {
        Sorted::new(self, grid)
    }
}

/// Collects runs: joins those that are adjacent on both sides.
#[derive(Default)]
pub(super) struct Collector {
    pick: Vec<u64>,
    place: Vec<u64>,
    lengths: Vec<u64>,
    count: u64,
}

impl Collector {
    /// With capacity for about that many runs.
    pub fn with_capacity(rank: usize, runs: usize) -> Self {
        Collector {
            pick: Vec::with_capacity(runs * rank),
            place: Vec::with_capacity(runs),
            lengths: Vec::with_capacity(runs),
            count: 0,
        }
    }

    /// Adds a run that begins at `at` in the chunk, and at `place` among all elements.
    pub fn add(&mut self, at: &[u64], place: u64, length: u64) {
        self.count += length;
        if let (Some(last), Some(before)) = (self.lengths.last_mut(), self.place.last())
            && before + *last == place
            && let Some((end, outer)) = at.split_last()
            && let start = self.pick.len() - at.len()
            && let Some((&from, same)) = self.pick[start..].split_last()
            && same == outer
            && from + *last == *end
        {
            *last += length;
            return;
        }
        self.pick.extend_from_slice(at);
        self.place.push(place);
        self.lengths.push(length);
    }

    /// The collected runs, as the picks of a chunk.
    pub fn finish(self, index: SmallVec<[u64; 4]>) -> ChunkSlice {
        let (runs, count, rank) = (self.lengths.len(), self.count, index.len());
        let one_each = self.count == runs as u64;
        let lengths = if one_each { Vec::new() } else { self.lengths };
        let place = match self.place[..] {
            [start] => {
                Pick::Region(Region::from_spans([Span { start, count, step: 1 }].into_iter()))
            }
            _ if one_each => Pick::of_axes([Axis::new(self.place)].into_iter()),
            _ => Pick::Points(Arc::new(Points {
                rank: 1,
                runs,
                starts: self.place,
                lengths: lengths.clone(),
                count,
            })),
        };
        let pick = Points { rank, runs, starts: self.pick, lengths, count };
        ChunkSlice { index, pick: Pick::Points(Arc::new(pick)), place }
    }
}

/// Points split by chunks.
#[derive(Debug)]
pub(super) struct Sorted<'a> {
    points: &'a Points,
    /// Parts of runs, if runs are longer than one element: a run may cross several chunks.
    parts: Vec<Part>,
    /// Parts, or points, by chunk, and in their order within each.
    order: Vec<usize>,
    chunks: Vec<Touched>,
}

/// A part of a run.
#[derive(Clone, Copy, Debug)]
struct Part {
    run: usize,
    /// Elements of its run before it.
    skipped: u64,
    length: u64,
    /// Elements of all earlier runs.
    place: u64,
}

#[derive(Debug)]
struct Touched {
    index: SmallVec<[u64; 4]>,
    origin: SmallVec<[u64; 4]>,
    /// Where each chunk's parts start in the order.
    first: usize,
}

impl<'a> Sorted<'a> {
    fn new(points: &'a Points, grid: &(impl Cut + ?Sized)) -> Result<Self> {
        let parts = match points.lengths.is_empty() {
            true => Vec::new(),
            false => split(points, grid)?,
        };
        let mut sorted = Sorted { points, parts, order: Vec::new(), chunks: Vec::new() };
        let (rank, count) = (points.rank, sorted.parts());
        // the chunks within the bounds, numbered in C order
        let mut first: SmallVec<[u64; 4]> = SmallVec::new();
        let mut counts: SmallVec<[u64; 4]> = SmallVec::new();
        for (d, span) in points.bounds().spans().iter().enumerate() {
            let last = span.start + span.count.saturating_sub(1);
            let low = grid.at(d, span.start).ok_or_else(leaves)?.chunk;
            let high = grid.at(d, last).ok_or_else(leaves)?.chunk;
            first.push(low);
            counts.push(high - low + 1);
        }
        let all = counts.iter().try_fold(1u64, |n, &c| n.checked_mul(c));
        let all = all.ok_or_else(|| {
            Error::new(Kind::LimitExceeded, "the points span more than 2^64 chunks")
        })?;
        let mut numbers: Vec<u64> = try_with_capacity(count)?;
        for n in 0..count {
            let (start, skipped, ..) = sorted.part(n);
            let mut number = 0;
            for (d, index) in start.iter().enumerate() {
                let index = index + if d + 1 == rank { skipped } else { 0 };
                let chunk = grid.at(d, index).ok_or_else(leaves)?.chunk;
                number = number * counts[d] + (chunk - first[d]);
            }
            numbers.push(number);
        }
        sorted.order = order_of(&numbers, all)?;
        for at in 0..count {
            let n = sorted.order[at];
            if at > 0 && numbers[n] == numbers[sorted.order[at - 1]] {
                continue;
            }
            let (start, skipped, ..) = sorted.part(n);
            let (mut index, mut origin) = (SmallVec::new(), SmallVec::new());
            for (d, along) in start.iter().enumerate() {
                let along = along + if d + 1 == rank { skipped } else { 0 };
                let at = grid.at(d, along).ok_or_else(leaves)?;
                index.push(at.chunk);
                origin.push(at.start);
            }
            sorted.chunks.push(Touched { index, origin, first: at });
        }
        Ok(sorted)
    }

    fn parts(&self) -> usize {
        if self.points.lengths.is_empty() { self.points.runs } else { self.parts.len() }
    }

    /// The first index of a part's run, the run's elements before it, its place and length.
    fn part(&self, n: usize) -> (&'a [u64], u64, u64, u64) {
        let rank = self.points.rank;
        let start = |run: usize| &self.points.starts[run * rank..(run + 1) * rank];
        match self.parts.get(n) {
            None => (start(n), 0, n as u64, 1),
            Some(part) => (start(part.run), part.skipped, part.place, part.length),
        }
    }

    /// The number of chunks touched.
    pub fn count(&self) -> usize {
        self.chunks.len()
    }

    /// The `n`th of them.
    pub fn get(&self, n: usize) -> ChunkSlice {
        let chunk = &self.chunks[n];
        let end = self.chunks.get(n + 1).map_or(self.order.len(), |next| next.first);
        let mut collector = Collector::with_capacity(chunk.index.len(), end - chunk.first);
        let mut at: SmallVec<[u64; 4]> = SmallVec::new();
        for &n in &self.order[chunk.first..end] {
            let (start, skipped, place, length) = self.part(n);
            at.clear();
            at.extend(start.iter().zip(&chunk.origin).map(|(i, from)| i.wrapping_sub(*from)));
            if let Some(last) = at.last_mut() {
                *last = last.wrapping_add(skipped);
            }
            collector.add(&at, place, length);
        }
        collector.finish(chunk.index.clone())
    }
}

/// Splits runs at chunk boundaries along the last dimension.
fn split(points: &Points, grid: &(impl Cut + ?Sized)) -> Result<Vec<Part>> {
    let mut parts = try_with_capacity(points.runs)?;
    let mut place = 0;
    for (run, (start, length)) in points.runs().iter().enumerate() {
        let mut skipped = 0;
        while skipped < length {
            let rest = length - skipped;
            let part = match start.last() {
                None => rest,
                Some(last) => {
                    let at = grid.at(points.rank - 1, last + skipped).ok_or_else(leaves)?;
                    rest.min(at.start.saturating_add(at.extent) - (last + skipped))
                }
            };
            parts.push(Part { run, skipped, length: part, place });
            skipped += part;
            place += part;
        }
    }
    Ok(parts)
}

/// The positions of `numbers`, all below `end`, in increasing order; equal ones keep their order.
fn order_of(numbers: &[u64], end: u64) -> Result<Vec<usize>> {
    let mut order: Vec<usize> = try_with_capacity(numbers.len())?;
    if end <= 4 * numbers.len() as u64 + 1024 {
        // counting sort: the first position of each number
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
