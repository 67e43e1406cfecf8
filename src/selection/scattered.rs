//! Elements of one chunk, anywhere in it: what points and masks pick there.

use super::along::Cut;
use super::cutting::{Cutting, Parted};
use super::region::{Region, Span};
use super::{collected, try_copy, try_with_capacity};
use crate::error::Result;
use crate::strided::Runs;
use smallvec::SmallVec;

type Index = SmallVec<[u64; 4]>;

/// Elements of a box in any order, repeated or not, as runs along the last dimension. Each is known
/// by its number in the C order of the box, so that most of what is done with it is one addition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scattered {
    shape: Index,
    /// The number of the first element of each run.
    starts: Vec<u64>,
    /// Elements of each; empty: one each.
    lengths: Vec<u64>,
    /// All elements.
    count: u64,
}

impl Scattered {
    /// Runs in a box of `shape`, `count` elements in all. No run passes the end of a row.
    pub(super) fn new(shape: Index, starts: Vec<u64>, lengths: Vec<u64>, count: u64) -> Self {
        let one_each = count == starts.len() as u64;
        let lengths = if one_each { Vec::new() } else { lengths };
        Scattered { shape, starts, lengths, count }
    }

    /// How many elements.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The runs, as the kernels of [`crate::strided`] take them.
    pub fn runs(&self) -> Runs<'_> {
        Runs { shape: &self.shape, starts: &self.starts, lengths: &self.lengths }
    }

    /// The lowest number of an element, and one past the highest.
    pub fn ends(&self) -> (u64, u64) {
        let low = self.starts.iter().fold(u64::MAX, |low, &start| low.min(start));
        let high = match self.lengths[..] {
            [] => self.starts.iter().fold(0, |high, start| high.max(start + 1)),
            _ => self.runs().iter().fold(0, |high, (start, length)| high.max(start + length)),
        };
        (low.min(high), high)
    }

    /// The same in a row that begins with the element `origin` of the box.
    pub fn in_row(&self, origin: u64, end: u64) -> Result<Self> {
        let starts = collected(self.starts.iter().map(|start| start - origin))?;
        let shape = [end - origin].into_iter().collect();
        Ok(Scattered { shape, starts, lengths: try_copy(&self.lengths)?, count: self.count })
    }

    /// Calls `each` with the index of the first element of each run, and its length.
    pub(super) fn for_each(&self, mut each: impl FnMut(&[u64], u64)) {
        let mut at = Index::from_elem(0, self.shape.len());
        for (start, length) in self.runs().iter() {
            self.locate(start, &mut at);
            each(&at, length);
        }
    }

    /// The index of the element with a number.
    #[inline]
    fn locate(&self, number: u64, at: &mut [u64]) {
        let mut rest = number;
        for (i, extent) in at.iter_mut().zip(&self.shape).rev() {
            (*i, rest) = (rest % extent, rest / extent);
        }
    }

    /// The smallest box that holds them all.
    pub fn bounds(&self) -> Region {
        let mut ends: SmallVec<[(u64, u64); 4]> =
            SmallVec::from_elem((u64::MAX, 0), self.shape.len());
        let mut at = Index::from_elem(0, self.shape.len());
        for (n, (start, length)) in self.runs().iter().enumerate() {
            // many elements soon reach every end of the box
            let reached =
                |(end, extent): (&(u64, u64), &u64)| *end == (0, extent.saturating_sub(1));
            if n % 64 == 0 && ends.iter().zip(&self.shape).all(reached) {
                break;
            }
            self.locate(start, &mut at);
            for (d, (&i, end)) in at.iter().zip(&mut ends).enumerate() {
                let more = if d + 1 == at.len() { length - 1 } else { 0 };
                *end = (end.0.min(i), end.1.max(i + more));
            }
        }
        Region::from_spans(ends.iter().map(|&(low, high)| match low <= high {
            true => Span { start: low, count: high - low + 1, step: 1 },
            false => Span { start: 0, count: 0, step: 1 },
        }))
    }

    /// The same picked of a box of `spans` of this one.
    pub(super) fn within(&self, spans: &[Span]) -> Result<Self> {
        let mut starts = try_with_capacity(self.starts.len())?;
        self.for_each(|at, _| {
            let inside = at.iter().zip(spans);
            starts.push(inside.fold(0, |n, (i, s)| n * s.count + (i - s.start)));
        });
        let shape = spans.iter().map(|s| s.count).collect();
        Ok(Scattered { shape, starts, lengths: try_copy(&self.lengths)?, count: self.count })
    }

    /// With other axes: axis `i` of the result is axis `axes[i]` of this.
    pub(super) fn permuted(&self, axes: &[usize]) -> Result<Self> {
        let shape: Index = axes.iter().map(|&axis| self.shape[axis]).collect();
        // runs go along another axis now: one element each
        let mut starts = try_with_capacity(usize::try_from(self.count).unwrap_or(usize::MAX))?;
        let last = self.shape.len() - 1;
        self.for_each(|at, length| {
            for k in 0..length {
                let along = |axis: usize| at[axis] + if axis == last { k } else { 0 };
                let number = axes.iter().zip(&shape);
                starts.push(number.fold(0, |n, (&axis, extent)| n * extent + along(axis)));
            }
        });
        Ok(Scattered::new(shape, starts, Vec::new(), self.count))
    }

    /// Sorts them by the chunks of a grid.
    pub(super) fn chunk_slices(&self, grid: &(impl Cut + ?Sized)) -> Result<Parted> {
        let cutting = Cutting::new(&self.bounds(), grid, self.starts.len())?;
        cutting.sort(|each| {
            let mut at = Index::from_elem(0, self.shape.len());
            self.runs().iter().try_for_each(|(start, length)| {
                self.locate(start, &mut at);
                each(&at, length)
            })
        })
    }
}
