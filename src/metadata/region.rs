//! A box with steps, and which cells of a regular grid it touches. The same arithmetic cuts an
//! array into chunks and a shard into its inner chunks.

#![allow(unsafe_code)] // the parts of one memory that several threads write

use crate::error::{Error, Kind, Result};
use crate::exec;
use crate::strided::{Extents, Strides, ViewMut};
use smallvec::SmallVec;

/// Along one dimension: the indices `start + k * step` for `k` in `0..count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first index.
    pub start: u64,
    /// How many indices.
    pub count: u64,
    /// From one to the next, at least 1.
    pub step: u64,
}

/// A [`Span`] per dimension, slowest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region(SmallVec<[Span; 4]>);

/// A cell that a region touches, along one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    /// Which cell.
    pub cell: u64,
    /// The part of the region in it, counted from the cell's own beginning.
    pub span: Span,
    /// How many of the region's indices come before it.
    pub before: u64,
}

impl Region {
    /// The box from `start`, of `count` elements `step` apart, within an array of `shape`.
    /// Everything has the array's rank; what lies outside is [`Kind::OutOfBounds`].
    pub fn new(shape: &[u64], start: &[u64], count: &[u64], step: Option<&[u64]>) -> Result<Self> {
        let spans = (0..shape.len()).map(|d| {
            let step = step.map_or(1, |s| s[d]);
            if step == 0 {
                return Err(Error::invalid(format!("step is 0 in dimension {d}")));
            }
            let (start, count) = (start[d], count[d]);
            // one past the last index
            let end = match count {
                0 => Some(start),
                n => (n - 1).checked_mul(step).and_then(|n| n.checked_add(start)?.checked_add(1)),
            };
            match end {
                Some(end) if end <= shape[d] => Ok(Span { start, count, step }),
                _ => Err(Error::new(
                    Kind::OutOfBounds,
                    format!(
                        "start {start}, count {count}, step {step} leaves dimension {d}, which has {} elements",
                        shape[d]
                    ),
                )),
            }
        });
        Ok(Region(spans.collect::<Result<_>>()?))
    }

    /// All of an array of `shape`.
    pub fn whole(shape: &[u64]) -> Self {
        Region(shape.iter().map(|&count| Span { start: 0, count, step: 1 }).collect())
    }

    /// From spans that are known to be good.
    pub fn from_spans(spans: impl Iterator<Item = Span>) -> Self {
        Region(spans.collect())
    }

    /// The spans, slowest dimension first.
    pub fn spans(&self) -> &[Span] {
        &self.0
    }

    /// Start, step and count along each dimension, as views take them. For regions of chunks, whose
    /// extents fit memory.
    pub fn to_view(&self) -> (Extents, Strides, Extents) {
        let spans = self.0.iter();
        (
            spans.clone().map(|s| s.start as usize).collect(),
            spans.clone().map(|s| s.step as isize).collect(),
            spans.map(|s| s.count as usize).collect(),
        )
    }

    /// Whether nothing is selected.
    pub fn is_empty(&self) -> bool {
        self.0.iter().any(|s| s.count == 0)
    }

    /// Whether it selects every element of a box of `shape`.
    pub fn covers(&self, shape: &[u64]) -> bool {
        // a dimension of one selected element is covered whatever its step
        self.0
            .iter()
            .zip(shape)
            .all(|(s, &n)| s.start == 0 && s.count == n && (s.step == 1 || n <= 1))
    }

    /// Cells of `cell` elements that the region touches along dimension `d`.
    pub fn touched_count(&self, d: usize, cell: u64) -> u64 {
        let s = self.0[d];
        if s.count == 0 {
            0
        } else if s.step >= cell {
            s.count // each index in a cell of its own
        } else {
            (s.start + (s.count - 1) * s.step) / cell - s.start / cell + 1
        }
    }

    /// The `n`th cell touched along dimension `d`, `n` below [`Self::touched_count`].
    pub fn touched(&self, d: usize, cell: u64, n: u64) -> Touched {
        let s = self.0[d];
        let index = if s.step >= cell { (s.start + n * s.step) / cell } else { s.start / cell + n };
        // the first k whose index is at or past x
        let first =
            |x: u64| if x <= s.start { 0 } else { (x - s.start).div_ceil(s.step).min(s.count) };
        let begin = index * cell;
        let (lo, hi) = (first(begin), first(begin.saturating_add(cell)));
        let span = Span { start: s.start + lo * s.step - begin, count: hi - lo, step: s.step };
        Touched { cell: index, span, before: lo }
    }
}

/// A cell of a grid and what a region has to do with it.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Which cell, slowest dimension first.
    pub index: SmallVec<[u64; 4]>,
    /// The part of the region in it, counted from the cell's own beginning.
    pub region: Region,
    /// Where that part begins within the region's own elements.
    pub start: Extents,
    /// How many elements of the region that are, along each dimension.
    pub count: Extents,
}

impl Region {
    /// How many cells of shape `cell` the region touches.
    pub fn cell_count(&self, cell: &[u64]) -> Result<usize> {
        let mut counts = cell.iter().enumerate().map(|(d, &c)| self.touched_count(d, c));
        counts
            .try_fold(1u64, |n, c| n.checked_mul(c))
            .and_then(|n| usize::try_from(n).ok())
            .ok_or_else(|| Error::new(Kind::LimitExceeded, "more chunks than can be counted"))
    }

    /// The `n`th of them, in C order.
    fn cell(&self, cell: &[u64], n: usize) -> Cell {
        let mut rest = n as u64;
        let mut touched: SmallVec<[Touched; 4]> = (0..cell.len())
            .rev()
            .map(|d| {
                let count = self.touched_count(d, cell[d]);
                let t = self.touched(d, cell[d], rest % count);
                rest /= count;
                t
            })
            .collect();
        touched.reverse();
        Cell {
            index: touched.iter().map(|t| t.cell).collect(),
            region: Region(touched.iter().map(|t| t.span).collect()),
            start: touched.iter().map(|t| t.before as usize).collect(),
            count: touched.iter().map(|t| t.span.count as usize).collect(),
        }
    }

    /// Calls `each` for every cell of shape `cell` that the region touches, on up to `threads`
    /// threads.
    pub fn for_each_cell(
        &self,
        cell: &[u64],
        threads: usize,
        each: &(dyn Fn(Cell) -> Result<()> + Sync),
    ) -> Result<()> {
        exec::run(threads, self.cell_count(cell)?, &|n| each(self.cell(cell, n)))
    }

    /// The same with each cell's own part of `dst`, which has the region's counts as its shape.
    pub fn for_each_cell_of(
        &self,
        cell: &[u64],
        dst: ViewMut<'_>,
        threads: usize,
        each: &(dyn Fn(Cell, ViewMut<'_>) -> Result<()> + Sync),
    ) -> Result<()> {
        self.for_each_cell(cell, threads, &|cell| {
            // SAFETY: every index of the region lies in exactly one cell, so the parts of two
            // cells have no element in common, and `dst` itself is not used meanwhile.
            let part = unsafe { dst.slice_disjoint(&cell.start, &cell.count) }?;
            each(cell, part)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_is_in_exactly_one_touched_cell() {
        for start in 0..7 {
            for step in 1..9 {
                for count in 0..9 {
                    for cell in 1..8 {
                        let end = if count == 0 { start } else { start + (count - 1) * step + 1 };
                        let r =
                            Region::new(&[end], &[start], &[count], Some(&[step])).expect("inside");
                        let mut seen = Vec::new();
                        for n in 0..r.touched_count(0, cell) {
                            let t = r.touched(0, cell, n);
                            assert!(t.span.count > 0, "only touched cells");
                            assert_eq!(t.before, seen.len() as u64);
                            for k in 0..t.span.count {
                                let local = t.span.start + k * t.span.step;
                                assert!(local < cell);
                                seen.push(t.cell * cell + local);
                            }
                        }
                        let expected: Vec<u64> = (0..count).map(|k| start + k * step).collect();
                        assert_eq!(seen, expected);
                    }
                }
            }
        }
    }

    #[test]
    fn outside_is_refused_without_overflow() {
        let bad =
            [(u64::MAX, 1, 1), (0, u64::MAX, u64::MAX), (0, 11, 1), (10, 1, 1), (1, 2, u64::MAX)];
        for (start, count, step) in bad {
            let e = Region::new(&[10], &[start], &[count], Some(&[step])).expect_err("outside");
            assert_eq!(e.kind(), Kind::OutOfBounds);
        }
        assert!(Region::new(&[10], &[10], &[0], None).is_ok());
        assert!(Region::new(&[10], &[0], &[1], Some(&[0])).is_err());
    }
}
