//! Cutting one dimension into the cells of a grid.

use super::region::Span;

/// Something that cuts a box into cells, each dimension by itself.
pub trait Cut {
    /// Number of dimensions.
    fn rank(&self) -> usize;

    /// The cells that a span touches along dimension `d`.
    fn along(&self, d: usize, span: Span) -> Along;

    /// The cell of dimension `d` that holds `index`; `None`: no cell does.
    fn at(&self, d: usize, index: u64) -> Option<At>;
}

/// A cell along one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// Its number.
    pub cell: u64,
    /// Where it begins.
    pub start: u64,
    /// Its extent.
    pub extent: u64,
}

/// Cells of one shape.
impl Cut for [u64] {
    fn rank(&self) -> usize {
        self.len()
    }

    fn along(&self, d: usize, span: Span) -> Along {
        Along::every(self[d], span)
    }

    fn at(&self, d: usize, index: u64) -> Option<At> {
        let extent = self[d];
        let cell = index / extent;
        Some(At { cell, start: cell * extent, extent })
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
    pub(super) cells: u64,
    /// How many indices of the span lie in them.
    pub(super) selected: u64,
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
    pub(super) fn cell(&self, n: u64) -> (u64, Span, u64) {
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
