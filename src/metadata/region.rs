//! A box with steps, and which cells of a grid it touches. The same arithmetic cuts an
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
                // nothing is asked for, or all that is left from there on
                _ if count == 0 => Err(Error::new(
                    Kind::OutOfBounds,
                    format!(
                        "start {start} lies past the end of dimension {d}, which has {} elements",
                        shape[d]
                    ),
                )),
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

    /// What of it lies in a box of `shape` at the origin.
    pub fn within(&self, shape: &[u64]) -> Region {
        let spans = self.0.iter().zip(shape);
        Region(spans.map(|(s, &n)| Span { count: s.first_from(n), ..*s }).collect())
    }

    /// Whether it selects every element of a box of `shape`.
    pub fn covers(&self, shape: &[u64]) -> bool {
        // a dimension of one selected element is covered whatever its step
        self.0
            .iter()
            .zip(shape)
            .all(|(s, &n)| s.start == 0 && s.count == n && (s.step == 1 || n <= 1))
    }

    /// The cells of `grid` that the region touches. [`Kind::LimitExceeded`]: more than can be
    /// counted; [`Kind::OutOfBounds`]: a part of it is in no cell.
    pub fn cells(&self, grid: &(impl Cut + ?Sized)) -> Result<Cells> {
        debug_assert_eq!(grid.rank(), self.0.len());
        let along: SmallVec<[Along; 4]> =
            self.0.iter().enumerate().map(|(d, &span)| grid.along(d, span)).collect();
        if along.iter().zip(&self.0).any(|(along, span)| along.selected != span.count) {
            return Err(Error::new(Kind::OutOfBounds, "the region leaves the chunk grid"));
        }
        let count = along
            .iter()
            .try_fold(1u64, |n, along| n.checked_mul(along.cells))
            .and_then(|n| usize::try_from(n).ok())
            .ok_or_else(|| Error::new(Kind::LimitExceeded, "more chunks than can be counted"))?;
        Ok(Cells { along, count })
    }
}

/// Something that cuts a box into cells, each dimension by itself.
pub trait Cut {
    /// Number of dimensions.
    fn rank(&self) -> usize;

    /// The cells that a span touches along dimension `d`.
    fn along(&self, d: usize, span: Span) -> Along;
}

/// Cells of one shape.
impl Cut for [u64] {
    fn rank(&self) -> usize {
        self.len()
    }

    fn along(&self, d: usize, span: Span) -> Along {
        Along::every(self[d], span)
    }
}

/// Cells of the same extent, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Their extent.
    pub edge: u64,
    /// How many they are.
    pub count: u64,
    /// Where the first begins.
    pub start: u64,
    /// The number of the first.
    pub first: u64,
}

impl Run {
    /// Where the last ends.
    pub fn end(&self) -> u64 {
        self.start + self.edge * self.count
    }
}

/// The cells that a span touches along one dimension.
#[derive(Clone, Debug)]
pub struct Along {
    parts: Parts,
    /// How many cells.
    cells: u64,
    /// How many indices of the span lie in them.
    selected: u64,
}

#[derive(Clone, Debug)]
enum Parts {
    /// All cells are equal.
    One(Part),
    /// By runs of equal ones.
    Several(Vec<Placed>),
}

/// What of a span lies among equal cells, counted from the beginning of the first of them.
#[derive(Clone, Copy, Debug)]
struct Part {
    edge: u64,
    span: Span,
}

/// The same in a run of cells that is not the first.
#[derive(Clone, Copy, Debug)]
struct Placed {
    part: Part,
    /// The number of the run's first cell.
    first: u64,
    /// How many indices of the whole span come before it.
    before: u64,
    /// How many touched cells come before it.
    cells_before: u64,
}

impl Along {
    /// Where every cell has the extent `edge`.
    pub fn every(edge: u64, span: Span) -> Self {
        let part = Part { edge, span };
        Along { parts: Parts::One(part), cells: part.cells(), selected: span.count }
    }

    /// Where the cells are those of `runs`.
    pub fn listed(runs: &[Run], span: Span) -> Self {
        let (mut parts, mut cells, mut selected) = (Vec::new(), 0, 0);
        let from = runs.partition_point(|run| run.end() <= span.start);
        for run in &runs[from..] {
            if selected == span.count {
                break;
            }
            let next = span.start + selected * span.step;
            let count = span.first_from(run.end()) - selected;
            if count == 0 {
                continue; // stepped over
            }
            let span = Span { start: next - run.start, count, step: span.step };
            let part = Part { edge: run.edge, span };
            parts.push(Placed { part, first: run.first, before: selected, cells_before: cells });
            cells += part.cells();
            selected += count;
        }
        Along { parts: Parts::Several(parts), cells, selected }
    }

    /// The `n`th cell of them: its number, the part of the span in it, counted from its own
    /// beginning, and how many indices come before that.
    fn cell(&self, n: u64) -> (u64, Span, u64) {
        match &self.parts {
            Parts::One(part) => part.cell(n),
            Parts::Several(parts) => {
                let placed = parts[parts.partition_point(|p| p.cells_before <= n) - 1];
                let (index, span, before) = placed.part.cell(n - placed.cells_before);
                (placed.first + index, span, placed.before + before)
            }
        }
    }
}

impl Span {
    /// The first `k` whose index is at or past `x`, at most `count`.
    fn first_from(&self, x: u64) -> u64 {
        if x <= self.start { 0 } else { (x - self.start).div_ceil(self.step).min(self.count) }
    }
}

impl Part {
    /// How many cells are touched.
    fn cells(&self) -> u64 {
        let s = self.span;
        if s.count == 0 {
            0
        } else if s.step >= self.edge {
            s.count // each index in a cell of its own
        } else {
            (s.start + (s.count - 1) * s.step) / self.edge - s.start / self.edge + 1
        }
    }

    /// The `n`th of them, as [`Along::cell`] says it.
    fn cell(&self, n: u64) -> (u64, Span, u64) {
        let (s, edge) = (self.span, self.edge);
        let index = if s.step >= edge { (s.start + n * s.step) / edge } else { s.start / edge + n };
        let begin = index * edge;
        let (lo, hi) = (s.first_from(begin), s.first_from(begin.saturating_add(edge)));
        let span = Span { start: s.start + lo * s.step - begin, count: hi - lo, step: s.step };
        (index, span, lo)
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

/// The cells that a region touches, in C order.
#[derive(Clone, Debug)]
pub struct Cells {
    along: SmallVec<[Along; 4]>,
    count: usize,
}

impl Cells {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    fn get(&self, n: usize) -> Cell {
        let mut rest = n as u64;
        let mut touched: SmallVec<[(u64, Span, u64); 4]> = SmallVec::new();
        for along in self.along.iter().rev() {
            touched.push(along.cell(rest % along.cells));
            rest /= along.cells;
        }
        touched.reverse();
        Cell {
            index: touched.iter().map(|(index, _, _)| *index).collect(),
            region: Region(touched.iter().map(|(_, span, _)| *span).collect()),
            start: touched.iter().map(|(_, _, before)| *before as usize).collect(),
            count: touched.iter().map(|(_, span, _)| span.count as usize).collect(),
        }
    }

    /// Calls `each` for every cell, on up to `threads` threads.
    pub fn for_each(
        &self,
        threads: usize,
        each: &(dyn Fn(Cell) -> Result<()> + Sync),
    ) -> Result<()> {
        exec::run(threads, self.count, &|n| each(self.get(n)))
    }

    /// The same with each cell's own part of `dst`, which has the region's counts as its shape.
    pub fn for_each_of(
        &self,
        dst: ViewMut<'_>,
        threads: usize,
        each: &(dyn Fn(Cell, ViewMut<'_>) -> Result<()> + Sync),
    ) -> Result<()> {
        self.for_each(threads, &|cell| {
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
                        let cells = r.cells(&[cell][..]).expect("few");
                        for n in 0..cells.count() {
                            let t = cells.get(n);
                            let span = t.region.spans()[0];
                            assert!(span.count > 0, "only touched cells");
                            assert_eq!(t.start[0], seen.len());
                            for k in 0..span.count {
                                let local = span.start + k * span.step;
                                assert!(local < cell);
                                seen.push(t.index[0] * cell + local);
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
