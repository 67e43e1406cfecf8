//! A box with steps.

use crate::error::{Error, Kind, Result};
use crate::strided::{Extents, Strides};
use smallvec::SmallVec;

/// Along one dimension: the indices `start + k * step` for `k` in `0..count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first index.
    pub start: u64,
    /// How many indices.
    pub count: u64,
    /// The distance between them, at least 1.
    pub step: u64,
}

impl Span {
    /// The first `k` whose index is `x` or more, at most `count`.
    pub(super) fn first_from(&self, x: u64) -> u64 {
        if x <= self.start { 0 } else { (x - self.start).div_ceil(self.step).min(self.count) }
    }
}

/// A [`Span`] per dimension, slowest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region(SmallVec<[Span; 4]>);

impl Region {
    /// The box from `start`, of `count` elements `step` apart, within an array of `shape`. All have
    /// the array's rank. [`Kind::OutOfBounds`]: it leaves the array.
    pub fn new(shape: &[u64], start: &[u64], count: &[u64], step: Option<&[u64]>) -> Result<Self> {
        let spans = (0..shape.len()).map(|d| {
            let step = step.map_or(1, |s| s[d]);
            if step == 0 {
                return Err(Error::invalid(format!(
                    "step is 0 in dimension {d}: expected another \
                    number"
                )));
            }
            let (start, count) = (start[d], count[d]);
            // one past the last index
            let end = match count {
                0 => Some(start),
                n => (n - 1).checked_mul(step).and_then(|n| n.checked_add(start)?.checked_add(1)),
            };
            match end {
                Some(end) if end <= shape[d] => Ok(Span { start, count, step }),
                // nothing, or everything from there on
                _ if count == 0 => Err(Error::new(
                    Kind::OutOfBounds,
                    format!(
                        "start {start} is out of bounds: dimension {d} has {} elements",
                        shape[d]
                    ),
                )),
                _ => Err(Error::new(
                    Kind::OutOfBounds,
                    format!(
                        "start {start}, count {count}, step {step} is out of bounds: dimension {d} \
                         has {} elements",
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

    /// From spans that are known to be valid.
    pub fn from_spans(spans: impl Iterator<Item = Span>) -> Self {
        Region(spans.collect())
    }

    /// The spans, slowest dimension first.
    pub fn spans(&self) -> &[Span] {
        &self.0
    }

    /// Start, step and count along each dimension, as views accept them. For regions of chunks,
    /// whose extents fit into memory.
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

    /// Its part within a box of `shape` at the origin.
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
}

#[cfg(test)]
mod tests {
    use super::*;

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
