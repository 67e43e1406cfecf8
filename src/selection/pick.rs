//! Ordered elements of a box.

use super::along::Cut;
use super::orthogonal::Axis;
use super::region::{Region, Span};
use super::{ChunkSlice, ChunkSlices, Mask, Points, Scattered, none_seen};
use crate::error::{Error, Kind, Result};
use crate::strided::{self, Extents, Strides, View, ViewMut, copy};
use smallvec::SmallVec;
use std::sync::Arc;

/// The elements picked from a box: from an array, a chunk, an inner chunk, or from picked elements
/// themselves.
///
/// Picked elements stored one after the other, in C order of [`Pick::counts`], are *dense*.
#[derive(Clone, Debug)]
pub enum Pick {
    /// A box with steps.
    Region(Region),
    /// One axis per dimension, at least one of them a list.
    Orthogonal(SmallVec<[Axis; 4]>),
    /// Single elements. Dense, they have one dimension, whatever the rank.
    Points(Arc<Points>),
    /// Single elements, by one bit for each element of the box.
    Mask(Arc<Mask>),
    /// The part of points or of a mask that lies in one chunk.
    Scattered(Arc<Scattered>),
}

impl Pick {
    /// Each dimension on its own.
    pub fn of_axes(axes: impl Iterator<Item = Axis>) -> Pick {
        let axes: SmallVec<[Axis; 4]> = axes.collect();
        let span = |axis: &Axis| match axis {
            Axis::Span(span) => Some(*span),
            Axis::List(_) => None,
        };
        let spans: Option<SmallVec<[Span; 4]>> = axes.iter().map(span).collect();
        match spans {
            Some(spans) => Pick::Region(Region::from_spans(spans.into_iter())),
            None => Pick::Orthogonal(axes),
        }
    }

    /// The extents of the dense elements. [`Kind::LimitExceeded`]: they exceed the address space.
    pub fn counts(&self) -> Result<Extents> {
        let count = |n: u64| usize::try_from(n).ok();
        let counts: Option<Extents> = match self {
            Pick::Region(region) => region.spans().iter().map(|s| count(s.count)).collect(),
            Pick::Orthogonal(axes) => axes.iter().map(|axis| count(axis.len())).collect(),
            Pick::Points(points) => [count(points.len())].into_iter().collect(),
            Pick::Mask(mask) => [count(mask.len())].into_iter().collect(),
            Pick::Scattered(all) => [count(all.len())].into_iter().collect(),
        };
        counts.ok_or_else(too_many)
    }

    /// The number of elements, saturating.
    pub fn len(&self) -> u64 {
        match self {
            Pick::Region(region) => {
                region.spans().iter().map(|s| s.count).fold(1, u64::saturating_mul)
            }
            Pick::Orthogonal(axes) => axes.iter().map(Axis::len).fold(1, u64::saturating_mul),
            Pick::Points(points) => points.len(),
            Pick::Mask(mask) => mask.len(),
            Pick::Scattered(all) => all.len(),
        }
    }

    /// Whether nothing is picked.
    pub fn is_empty(&self) -> bool {
        match self {
            Pick::Region(region) => region.is_empty(),
            Pick::Orthogonal(axes) => axes.iter().any(Axis::is_empty),
            Pick::Points(points) => points.is_empty(),
            Pick::Mask(mask) => mask.is_empty(),
            Pick::Scattered(all) => all.is_empty(),
        }
    }

    /// The box that encloses the pick; with steps if every axis of the pick is stepped.
    pub fn bounds(&self) -> Region {
        match self {
            Pick::Region(region) => region.clone(),
            Pick::Orthogonal(axes) => Region::from_spans(axes.iter().map(Axis::bounds)),
            Pick::Points(points) => points.bounds().clone(),
            Pick::Mask(mask) => mask.bounds(),
            Pick::Scattered(all) => all.bounds(),
        }
    }

    /// Whether it lies in a box of `shape`.
    pub(super) fn fits(&self, shape: &[u64]) -> bool {
        let bounds = match self {
            Pick::Mask(mask) => mask.tight_bounds(),
            other => other.bounds(),
        };
        let inside = |(s, &n): (&Span, &u64)| {
            s.count == 0 || s.start + (s.count - 1).saturating_mul(s.step) < n
        };
        self.is_empty() || bounds.spans().iter().zip(shape).all(inside)
    }

    /// The same elements, relative to [`Pick::bounds`], dense.
    pub fn within_bounds(&self) -> Result<Pick> {
        Ok(match self {
            Pick::Region(region) => {
                let spans = region.spans().iter();
                Pick::Region(Region::from_spans(spans.map(|s| Span {
                    start: 0,
                    count: s.count,
                    step: 1,
                })))
            }
            Pick::Orthogonal(axes) => Pick::of_axes(axes.iter().map(Axis::within_bounds)),
            _ => match self.as_scattered()? {
                Some(all) => Pick::Scattered(Arc::new(all.within(self.bounds().spans())?)),
                None => self.clone(),
            },
        })
    }

    /// Whether it picks every element of a box of `shape`.
    pub fn covers(&self, shape: &[u64]) -> bool {
        match self {
            Pick::Region(region) => region.covers(shape),
            Pick::Orthogonal(axes) => axes.iter().zip(shape).all(|(axis, &n)| axis.covers(n)),
            _ => {
                let elements = shape.iter().try_fold(1u64, |n, &extent| n.checked_mul(extent));
                let Some(elements) = elements.filter(|&n| n <= self.len()) else { return false };
                let Some(mut seen) = none_seen(elements) else { return false };
                let mut left = elements;
                let all = self.for_each_run(shape, |first, length| {
                    for n in first..first + length {
                        if let Some(seen) = seen.get_mut(n as usize)
                            && !std::mem::replace(seen, true)
                        {
                            left -= 1;
                        }
                    }
                });
                // without memory for them that cannot be told, which only takes longer
                all.is_ok() && left == 0
            }
        }
    }

    /// Calls `each` for what is picked of a box of `shape`, in order: the number in C order of the
    /// first of some elements that follow each other, and how many they are.
    pub fn for_each_run(&self, shape: &[u64], mut each: impl FnMut(u64, u64)) -> Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        match self {
            Pick::Region(region) => {
                let axes = region.spans().iter().map(|&span| Axis::Span(span));
                product(&axes.collect::<SmallVec<[Axis; 4]>>(), shape, 0, &mut each);
            }
            Pick::Orthogonal(axes) => product(axes, shape, 0, &mut each),
            Pick::Scattered(all) if all.runs().shape == shape => {
                all.runs().iter().for_each(|(first, length)| each(first, length));
            }
            _ => {
                if let Some(all) = self.as_scattered()? {
                    all.for_each(|at, length| {
                        each(at.iter().zip(shape).fold(0, |n, (i, extent)| n * extent + i), length)
                    });
                }
            }
        }
        Ok(())
    }

    /// The same elements one by one, in the smallest box at the origin that holds them; `None`:
    /// they are not picked one by one.
    fn as_scattered(&self) -> Result<Option<Arc<Scattered>>> {
        if let Pick::Scattered(all) = self {
            return Ok(Some(all.clone()));
        }
        let (Pick::Points(_) | Pick::Mask(_)) = self else { return Ok(None) };
        let bounds = self.bounds();
        let end = |s: &Span| (s.start + s.count).max(1);
        let one: SmallVec<[u64; 4]> = bounds.spans().iter().map(end).collect();
        let chunks = self.chunk_slices(&one[..])?;
        Ok(match chunks.iter().next().transpose()?.map(|slice| slice.pick) {
            Some(Pick::Scattered(all)) => Some(all),
            _ => None,
        })
    }

    /// Permutes axes: axis `i` of the result is axis `axes[i]` of this. The dense elements of
    /// points keep their order; those of all other picks are permuted likewise.
    pub fn permuted(&self, axes: &[usize]) -> Result<Pick> {
        Ok(match self {
            Pick::Region(region) => {
                let spans = region.spans();
                Pick::Region(Region::from_spans(axes.iter().map(|&axis| spans[axis])))
            }
            Pick::Orthogonal(all) => {
                Pick::Orthogonal(axes.iter().map(|&axis| all[axis].clone()).collect())
            }
            _ => match self.as_scattered()? {
                Some(all) if !axes.is_sorted() => Pick::Scattered(Arc::new(all.permuted(axes)?)),
                Some(all) => Pick::Scattered(all),
                None => self.clone(),
            },
        })
    }

    /// The chunks of `grid` that it touches. [`Kind::LimitExceeded`]: their number overflows;
    /// [`Kind::OutOfBounds`]: an element is in no chunk.
    pub fn chunk_slices(&self, grid: &(impl Cut + ?Sized)) -> Result<ChunkSlices<'_>> {
        ChunkSlices::new(self, grid)
    }

    /// Start and extents, if it is a box without steps.
    pub fn as_box(&self) -> Option<(Extents, Extents)> {
        let Pick::Region(region) = self else { return None };
        let spans = region.spans();
        spans.iter().all(|s| s.step == 1 || s.count <= 1).then(|| {
            let start = spans.iter().map(|s| s.start as usize).collect();
            (start, spans.iter().map(|s| s.count as usize).collect())
        })
    }

    /// Copies the picked elements of `src`, a box, to `dst`, which is dense.
    pub fn gather(&self, src: &View<'_>, dst: &mut ViewMut<'_>) -> Result<()> {
        match self {
            Pick::Region(region) => {
                let (start, step, count) = region.to_view();
                copy(&src.step(&start, &step, &count)?, dst)
            }
            Pick::Orthogonal(axes) => {
                let (start, step, count, lists) = stepped(axes, src.shape());
                strided::gather(&src.step(&start, &step, &count)?, &lists, dst)
            }
            _ => match self.as_scattered()? {
                Some(all) => strided::gather_runs(src, all.runs(), dst),
                None => Ok(()),
            },
        }
    }

    /// Copies `src`, which is dense, to the picked elements of `dst`, a box. Of several values for
    /// one element the last stays.
    pub fn scatter(&self, src: &View<'_>, dst: &mut ViewMut<'_>) -> Result<()> {
        match self {
            Pick::Region(region) => {
                let (start, step, count) = region.to_view();
                copy(src, &mut dst.step(&start, &step, &count)?)
            }
            Pick::Orthogonal(axes) => {
                let (start, step, count, lists) = stepped(axes, dst.shape());
                strided::scatter(src, &lists, &mut dst.step(&start, &step, &count)?)
            }
            _ => match self.as_scattered()? {
                Some(all) => strided::scatter_runs(src, all.runs(), dst),
                None => Ok(()),
            },
        }
    }
}

#[cold]
fn too_many() -> Error {
    Error::new(Kind::LimitExceeded, "more elements than memory can refer to")
}

type Stepped<'a> = (Extents, Strides, Extents, SmallVec<[Option<&'a [u64]>; 4]>);

/// The steps of a view of `shape` for the axes that are spans, and the lists of the others.
fn stepped<'a>(axes: &'a [Axis], shape: &[usize]) -> Stepped<'a> {
    let mut stepped = Stepped::default();
    for (axis, &extent) in axes.iter().zip(shape) {
        let (start, step, count, list) = match axis {
            Axis::Span(s) => (s.start as usize, s.step as isize, s.count as usize, None),
            Axis::List(list) => (0, 1, extent, Some(&list[..])),
        };
        stepped.0.push(start);
        stepped.1.push(step);
        stepped.2.push(count);
        stepped.3.push(list);
    }
    stepped
}

/// Calls for every combination of the indices along `axes`, after those numbered `before`.
fn product(axes: &[Axis], shape: &[u64], before: u64, each: &mut impl FnMut(u64, u64)) {
    let first = before * shape.first().copied().unwrap_or(1);
    match axes {
        [] => each(before, 1),
        [Axis::Span(Span { start, count, step: 1 }), rest @ ..] if are_whole(rest, shape) => {
            let each_has: u64 = shape.iter().skip(1).product();
            each((first + start) * each_has, count * each_has);
        }
        [axis, rest @ ..] => axis.for_each(|index| product(rest, &shape[1..], first + index, each)),
    }
}

/// Whether the axes after the first of `shape` pick every index there, in order.
fn are_whole(rest: &[Axis], shape: &[u64]) -> bool {
    rest.iter().zip(shape.iter().skip(1)).all(|(axis, &extent)| match axis {
        Axis::Span(span) => span.start == 0 && span.count == extent && span.step == 1,
        Axis::List(_) => false,
    })
}

/// A whole chunk, as a pick and its place.
impl ChunkSlice {
    /// The number of picked elements.
    pub fn len(&self) -> u64 {
        self.pick.len()
    }

    /// Whether none is picked, which no grid yields.
    pub fn is_empty(&self) -> bool {
        self.pick.is_empty()
    }
}
