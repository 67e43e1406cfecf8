//! One dimension of an orthogonal pick, and the chunks of a grid that it touches.

use super::along::{Along, Cut};
use super::region::Span;
use super::{collected, none_seen, try_with_capacity};
use crate::error::{Error, Kind, Result};
use std::sync::Arc;

/// The indices picked along one dimension, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Increasing indices with a constant step.
    Span(Span),
    /// Any indices, in any order, with or without repetitions.
    List(Arc<[u64]>),
}

impl Axis {
    /// From indices in any order; returns a span if they form one.
    pub fn new(indices: Vec<u64>) -> Self {
        match as_span(&indices) {
            Some(span) => Axis::Span(span),
            None => Axis::List(indices.into()),
        }
    }

    /// How many indices.
    pub fn len(&self) -> u64 {
        match self {
            Axis::Span(span) => span.count,
            Axis::List(list) => list.len() as u64,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The lowest and the highest index; `None`: there are none.
    pub fn ends(&self) -> Option<(u64, u64)> {
        match self {
            Axis::Span(span) if span.count == 0 => None,
            Axis::Span(span) => Some((span.start, span.start + (span.count - 1) * span.step)),
            Axis::List(list) => Some((*list.iter().min()?, *list.iter().max()?)),
        }
    }

    /// The span that encloses it: itself, or every index between its bounds.
    pub fn bounds(&self) -> Span {
        match self {
            Axis::Span(span) => *span,
            Axis::List(_) => match self.ends() {
                None => Span { start: 0, count: 0, step: 1 },
                Some((low, high)) => Span { start: low, count: high - low + 1, step: 1 },
            },
        }
    }

    /// The same indices relative to its bounds.
    pub fn within_bounds(&self) -> Axis {
        let bounds = self.bounds();
        match self {
            Axis::Span(span) => Axis::Span(Span { start: 0, count: span.count, step: 1 }),
            Axis::List(list) => Axis::List(list.iter().map(|i| i - bounds.start).collect()),
        }
    }

    /// Calls `each` with every index, in order.
    pub fn for_each(&self, mut each: impl FnMut(u64)) {
        match self {
            Axis::Span(span) => (0..span.count).for_each(|k| each(span.start + k * span.step)),
            Axis::List(list) => list.iter().for_each(|&i| each(i)),
        }
    }

    /// Whether it picks each index below `extent` at least once.
    pub fn covers(&self, extent: u64) -> bool {
        match self {
            Axis::Span(span) => {
                span.start == 0 && span.count == extent && (span.step == 1 || extent <= 1)
            }
            Axis::List(list) if (list.len() as u64) < extent => false,
            Axis::List(list) => {
                let Some(mut seen) = none_seen(extent) else { return false };
                list.iter().for_each(|&i| {
                    if let Some(seen) = seen.get_mut(i as usize) {
                        *seen = true;
                    }
                });
                seen.into_iter().all(|seen| seen)
            }
        }
    }

    /// The chunks of dimension `d` of `grid` that it touches.
    pub(super) fn chunk_slices(&self, grid: &(impl Cut + ?Sized), d: usize) -> Result<Touched> {
        match self {
            Axis::Span(span) => {
                let along = grid.along(d, *span);
                match along.selected == span.count {
                    true => Ok(Touched::Along(along)),
                    false => Err(leaves()),
                }
            }
            Axis::List(list) => Ok(Touched::Listed(sort(list, grid, d)?)),
        }
    }
}

#[cold]
pub(super) fn leaves() -> Error {
    Error::new(Kind::OutOfBounds, "the selection leaves the chunk grid")
}

/// The span of indices that increase by equal steps, if they do.
fn as_span(indices: &[u64]) -> Option<Span> {
    let count = indices.len() as u64;
    match indices {
        [] => Some(Span { start: 0, count: 0, step: 1 }),
        [start] => Some(Span { start: *start, count, step: 1 }),
        [first, second, ..] => {
            let step = second.checked_sub(*first).filter(|&step| step > 0)?;
            let even = indices.windows(2).all(|pair| pair[0].checked_add(step) == Some(pair[1]));
            even.then_some(Span { start: *first, count, step })
        }
    }
}

/// The chunks that an axis touches.
#[derive(Clone, Debug)]
pub(super) enum Touched {
    Along(Along),
    Listed(Vec<Listed>),
}

/// The part of a list in one chunk.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    pub chunk: u64,
    /// Relative to the chunk's start.
    pub pick: Axis,
    /// Their positions in the list.
    pub place: Axis,
}

/// A list split by chunks, keeping its order within each.
fn sort(list: &[u64], grid: &(impl Cut + ?Sized), d: usize) -> Result<Vec<Listed>> {
    let mut order: Vec<(u64, u64)> = try_with_capacity(list.len())?;
    for (place, &index) in list.iter().enumerate() {
        order.push((grid.at(d, index).ok_or_else(leaves)?.chunk, place as u64));
    }
    order.sort_unstable(); // places differ, so equal chunks stay in order
    let mut chunks = Vec::new();
    for group in order.chunk_by(|a, b| a.0 == b.0) {
        let start = grid.at(d, list[group[0].1 as usize]).ok_or_else(leaves)?.start;
        chunks.push(Listed {
            chunk: group[0].0,
            pick: Axis::new(collected(group.iter().map(|&(_, n)| list[n as usize] - start))?),
            place: Axis::new(collected(group.iter().map(|&(_, n)| n))?),
        });
    }
    Ok(chunks)
}

impl Touched {
    /// The number of chunks.
    pub fn count(&self) -> u64 {
        match self {
            Touched::Along(along) => along.chunks,
            Touched::Listed(chunks) => chunks.len() as u64,
        }
    }

    /// The `n`th chunk: its number, the part of the list in it, and the position of that part in
    /// the list.
    pub fn get(&self, n: u64) -> (u64, Axis, Axis) {
        match self {
            Touched::Along(along) => {
                let (chunk, span, before) = along.chunk(n);
                let place = Span { start: before, count: span.count, step: 1 };
                (chunk, Axis::Span(span), Axis::Span(place))
            }
            Touched::Listed(chunks) => {
                let listed = &chunks[n as usize];
                (listed.chunk, listed.pick.clone(), listed.place.clone())
            }
        }
    }
}
