//! Cutting one dimension into the chunks of a grid.

use super::region::Span;

/// A partition of a box into chunks, each dimension by itself.
pub trait Cut {
    /// Number of dimensions.
    fn rank(&self) -> usize;

    /// The chunks that a span touches along dimension `d`.
    fn along(&self, d: usize, span: Span) -> Along;

    /// The chunk of dimension `d` that contains `index`; `None`: there is none.
    fn at(&self, d: usize, index: u64) -> Option<At>;

    /// The largest extent of a chunk along dimension `d`.
    fn largest(&self, d: usize) -> u64;
}

/// A chunk along one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// Its number.
    pub chunk: u64,
    /// Where it begins.
    pub start: u64,
    /// Its extent.
    pub extent: u64,
}

/// Chunks of one shape.
impl Cut for [u64] {
    fn rank(&self) -> usize {
        self.len()
    }

    fn along(&self, d: usize, span: Span) -> Along {
        Along::every(self[d], span)
    }

    fn at(&self, d: usize, index: u64) -> Option<At> {
        let extent = self[d];
        let chunk = index / extent;
        Some(At { chunk, start: chunk * extent, extent })
    }

    fn largest(&self, d: usize) -> u64 {
        self[d]
    }
}

/// Consecutive chunks of equal extent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Their extent.
    pub edge: u64,
    /// Their number.
    pub count: u64,
    /// Where the first one begins.
    pub start: u64,
    /// The number of the first one.
    pub first: u64,
}

impl Run {
    /// Where the last one ends.
    pub fn end(&self) -> u64 {
        self.start + self.edge * self.count
    }
}

/// The chunks that a span touches along one dimension.
#[derive(Clone, Debug)]
pub struct Along {
    parts: Parts,
    /// The number of chunks.
    pub(super) chunks: u64,
    /// The number of the span's indices in them.
    pub(super) selected: u64,
}

#[derive(Clone, Debug)]
enum Parts {
    /// All chunks are equal.
    One(Part),
    /// Runs of chunks of equal extent.
    Several(Vec<Placed>),
}

/// The part of a span in chunks of equal extent, relative to the start of the first.
#[derive(Clone, Copy, Debug)]
struct Part {
    edge: u64,
    span: Span,
}

/// The same in a run of chunks that is not the first.
#[derive(Clone, Copy, Debug)]
struct Placed {
    part: Part,
    /// The number of the run's first chunk.
    first: u64,
    /// Indices of the whole span before it.
    before: u64,
    /// Touched chunks before it.
    chunks_before: u64,
}

impl Along {
    /// For chunks that all have the extent `edge`.
    pub fn every(edge: u64, span: Span) -> Self {
        let part = Part { edge, span };
        Along { parts: Parts::One(part), chunks: part.chunks(), selected: span.count }
    }

    /// For the chunks of `runs`.
    pub fn listed(runs: &[Run], span: Span) -> Self {
        let (mut parts, mut chunks, mut selected) = (Vec::new(), 0, 0);
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
            parts.push(Placed { part, first: run.first, before: selected, chunks_before: chunks });
            chunks += part.chunks();
            selected += count;
        }
        Along { parts: Parts::Several(parts), chunks, selected }
    }

    /// The `n`th chunk: its number, the part of the span in it, relative to its own start, and the
    /// number of indices before that.
    pub(super) fn chunk(&self, n: u64) -> (u64, Span, u64) {
        match &self.parts {
            Parts::One(part) => part.chunk(n),
            Parts::Several(parts) => {
                let placed = parts[parts.partition_point(|p| p.chunks_before <= n) - 1];
                let (index, span, before) = placed.part.chunk(n - placed.chunks_before);
                (placed.first + index, span, placed.before + before)
            }
        }
    }
}

impl Part {
    /// How many chunks are touched.
    fn chunks(&self) -> u64 {
        let s = self.span;
        if s.count == 0 {
            0
        } else if s.step >= self.edge {
            s.count // each index in a chunk of its own
        } else {
            (s.start + (s.count - 1) * s.step) / self.edge - s.start / self.edge + 1
        }
    }

    /// The `n`th of them, as [`Along::chunk`] says it.
    fn chunk(&self, n: u64) -> (u64, Span, u64) {
        let (s, edge) = (self.span, self.edge);
        let index = if s.step >= edge { (s.start + n * s.step) / edge } else { s.start / edge + n };
        let begin = index * edge;
        let (lo, hi) = (s.first_from(begin), s.first_from(begin.saturating_add(edge)));
        let span = Span { start: s.start + lo * s.step - begin, count: hi - lo, step: s.step };
        (index, span, lo)
    }
}
