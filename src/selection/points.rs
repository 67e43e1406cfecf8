//! Picks of single elements, by their indices.

use super::along::Cut;
use super::cutting::{Cutting, Parted};
use super::region::{Region, Span};
use crate::error::{Error, Kind, Result};
use smallvec::SmallVec;

/// Elements in any order, repeated or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Points {
    /// `rank` numbers for each.
    coordinates: Vec<u64>,
    count: u64,
    bounds: Region,
}

impl Points {
    /// `count` elements: `coordinates` has `rank` numbers for each of them.
    pub(super) fn new(rank: usize, count: u64, coordinates: Vec<u64>) -> Result<Self> {
        // in rank 0 there are no coordinates: the count alone determines the work
        let most = if rank == 0 { u64::from(u32::MAX) } else { u64::MAX };
        if count > most {
            return Err(Error::new(Kind::LimitExceeded, "too many points for memory"));
        }
        let bounds = bounds(rank, &coordinates);
        Ok(Points { coordinates, count, bounds })
    }

    /// The number of elements.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The smallest box that holds them all.
    pub fn bounds(&self) -> &Region {
        &self.bounds
    }

    /// The first point that lies outside of a box of `shape`: its number and the dimension.
    pub(super) fn outside(&self, shape: &[u64]) -> Option<(usize, usize)> {
        let inside = |(span, &extent): (&Span, &u64)| {
            span.start.checked_add(span.count).is_some_and(|end| end <= extent)
        };
        if self.bounds.spans().iter().zip(shape).all(inside) {
            return None;
        }
        let mut points = self.coordinates.chunks_exact(shape.len().max(1)).enumerate();
        points.find_map(|(n, point)| {
            let d = point.iter().zip(shape).position(|(index, extent)| index >= extent)?;
            Some((n, d))
        })
    }

    /// The index of one of them in a dimension.
    pub(super) fn index(&self, point: usize, d: usize) -> u64 {
        self.coordinates[point * self.bounds.spans().len() + d]
    }

    /// Sorts them by the chunks of a grid.
    pub(super) fn chunk_slices(&self, grid: &(impl Cut + ?Sized)) -> Result<Parted> {
        let rank = self.bounds.spans().len();
        let cutting = Cutting::new(&self.bounds, grid, self.count as usize)?;
        cutting.sort(|each| match rank {
            0 => (0..self.count).try_for_each(|_| each(&[], 1)),
            _ => self.coordinates.chunks_exact(rank).try_for_each(|at| each(at, 1)),
        })
    }
}

fn bounds(rank: usize, coordinates: &[u64]) -> Region {
    let mut ends: SmallVec<[(u64, u64); 4]> = SmallVec::from_elem((u64::MAX, 0), rank);
    for point in coordinates.chunks_exact(rank.max(1)) {
        for (&i, end) in point.iter().zip(&mut ends) {
            *end = (end.0.min(i), end.1.max(i));
        }
    }
    Region::from_spans(ends.iter().map(|&(low, high)| match low <= high {
        true => Span { start: low, count: (high - low).saturating_add(1), step: 1 },
        false => Span { start: 0, count: 0, step: 1 },
    }))
}
