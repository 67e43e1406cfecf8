//! What a call selects of an array, and which chunks that touches. Pure: no threads, no I/O.
//!
//! A [`Selection`] is what a caller builds: for each dimension a range with a step of either sign,
//! an index, a list of indices or a mask, or else points, or a mask of all elements. A [`Pick`] is
//! what is left of it once memory is looked at with its axes turned the right way: elements of a
//! box, in an order. The box is an array, a chunk or an inner chunk of a shard:
//! [`Pick::chunk_slices`] cuts the one into the others, with the same arithmetic on each level.
//!
//! Rows `[3, 0, 3]` and columns `1..10` step 2 of a 4 x 10 array in chunks of 2 x 4:
//!
//! ```text
//!   columns    0 1 2 3   4 5 6 7   8 9
//!            +---------+---------+------+       chunk   pick (in it)        place (in the result)
//!      row 0 | . b . b | . b . b | . b  |       0/0     rows 0    cols 1 3    rows 1    cols 0 1
//!          1 | . . . . | . . . . | . .  |       0/1     rows 0    cols 1 3    rows 1    cols 2 3
//!            +---------+---------+------+       0/2     rows 0    cols 1      rows 1    cols 4
//!          2 | . . . . | . . . . | . .  |       1/0     rows 1 1  cols 1 3    rows 0 2  cols 0 1
//!          3 | . a . a | . a . a | . a  |       1/1     rows 1 1  cols 1 3    rows 0 2  cols 2 3
//!            +---------+---------+------+       1/2     rows 1 1  cols 1      rows 0 2  cols 4
//! ```
//!
//! Every element of a pick lies in one chunk, so a [`ChunkSlice`] is a pair of picks of the same
//! elements in the same order: `pick` says where they lie in the chunk, `place` where they lie
//! among all the picked ones. How the chunks are found depends on which dimensions belong together:
//!
//! - Boxes and orthogonal picks: no two do. Each dimension is cut by itself (`along`,
//!   `orthogonal`), and the chunks are the combinations. A list is sorted by chunk once, keeping
//!   its order within a chunk; what turns out to be a range again is one.
//! - Points: all of them do. They are sorted by chunk once (`points`, `cutting`), in time that
//!   grows with the points alone.
//! - An element mask: its chunks are looked at one by one (`mask`), and where a chunk's elements go
//!   in the result is counted from the bits before them, so nothing is kept per selected element.
//!
//! What points and masks pick of a chunk is `scattered`: numbers of elements in its C order.
//!
//! Order matters where an index comes twice: a read gives its element twice, and of a write the
//! last value stays. Both hold because every cut keeps the order of what falls into one chunk.

mod along;
mod chunk_slices;
mod coordinates;
mod cutting;
mod mask;
mod orthogonal;
mod pick;
mod points;
mod region;
mod scattered;

pub use along::{Along, At, Cut, Run};
pub use chunk_slices::{ChunkSlice, ChunkSlices};
pub use mask::Mask;
pub use orthogonal::Axis;
pub use pick::Pick;
pub use points::Points;
pub use region::{Region, Span};
pub use scattered::Scattered;

use crate::error::{Error, Kind, Result};
use crate::strided::{Extents, Strides, View, ViewMut};
use std::sync::Arc;

/// What a caller selects of an array of a certain shape.
#[derive(Clone, Debug)]
pub struct Selection {
    shape: Vec<u64>,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    /// Each dimension on its own.
    Dimensions(Vec<Dimension>),
    Points(Arc<Points>),
    Mask(Arc<Mask>),
}

/// The selection along one dimension.
#[derive(Clone, Debug)]
enum Dimension {
    /// In increasing order; the result has them in decreasing order if `reversed`.
    Range {
        span: Span,
        reversed: bool,
    },
    /// A single index; the dimension is dropped.
    Index(u64),
    Listed(Axis),
}

impl Selection {
    /// All of an array of `shape`.
    pub fn all(shape: &[u64]) -> Self {
        Selection { shape: shape.to_vec(), what: What::Dimensions(Self::every(shape)) }
    }

    fn every(shape: &[u64]) -> Vec<Dimension> {
        let every = |&count: &u64| {
            let span = Span { start: 0, count, step: 1 };
            Dimension::Range { span, reversed: false }
        };
        shape.iter().map(every).collect()
    }

    /// Sets one dimension; after points or an element mask, resets the others to all indices.
    fn set(&mut self, d: usize, dimension: impl FnOnce(u64) -> Result<Dimension>) -> Result<()> {
        let rank = self.shape.len();
        let Some(&extent) = self.shape.get(d) else {
            let what = format!("dimension {d}: expected less than the rank, {rank}");
            return Err(Error::invalid(what));
        };
        let dimension = dimension(extent)?;
        match &mut self.what {
            What::Dimensions(all) => all[d] = dimension,
            _ => {
                let mut all = Self::every(&self.shape);
                all[d] = dimension;
                self.what = What::Dimensions(all);
            }
        }
        Ok(())
    }

    /// Selects `start + k * step` for `k` in `0..count`. [`Kind::OutOfBounds`]: one of them is
    /// outside the dimension.
    pub fn set_range(&mut self, d: usize, start: u64, step: i64, count: u64) -> Result<()> {
        self.set(d, |extent| {
            if step == 0 {
                return Err(Error::invalid(format!(
                    "step is 0 in dimension {d}: expected another \
                    number"
                )));
            }
            let far = count.saturating_sub(1).checked_mul(step.unsigned_abs());
            let last = far.and_then(|far| match step < 0 {
                true => start.checked_sub(far),
                false => start.checked_add(far),
            });
            let inside = match count {
                0 => start <= extent,
                _ => start < extent && last.is_some_and(|last| last < extent),
            };
            if !inside {
                return Err(Error::new(
                    Kind::OutOfBounds,
                    format!(
                        "start {start}, step {step}, count {count} is out of bounds: dimension {d} \
                         has {extent} elements"
                    ),
                ));
            }
            let lowest = if count == 0 { 0 } else { start.min(last.unwrap_or(start)) };
            let span = Span { start: lowest, count, step: step.unsigned_abs() };
            Ok(Dimension::Range { span, reversed: step < 0 })
        })
    }

    /// Selects one index, and drops the dimension. [`Kind::OutOfBounds`]: it is outside the
    /// dimension.
    pub fn set_index(&mut self, d: usize, index: u64) -> Result<()> {
        self.set(d, |extent| {
            check_index(d, index, extent)?;
            Ok(Dimension::Index(index))
        })
    }

    /// Selects indices, in any order, with or without repetitions. [`Kind::OutOfBounds`]: one of
    /// them is outside the dimension.
    pub fn set_indices(&mut self, d: usize, indices: &[u64]) -> Result<()> {
        self.set(d, |extent| {
            indices.iter().try_for_each(|&index| check_index(d, index, extent))?;
            Ok(Dimension::Listed(Axis::new(try_copy(indices)?)))
        })
    }

    /// Selects the indices whose byte is not 0. [`Kind::InvalidArgument`]: the mask has another
    /// length than the dimension.
    pub fn set_mask(&mut self, d: usize, mask: &[u8]) -> Result<()> {
        self.set(d, |extent| {
            if mask.len() as u64 != extent {
                return Err(Error::invalid(format!(
                    "count {}: expected {extent}, the extent of dimension {d}",
                    mask.len()
                )));
            }
            let chosen = || (0..extent).zip(mask).filter(|(_, m)| **m != 0).map(|(i, _)| i);
            let mut indices = try_with_capacity(chosen().count())?;
            indices.extend(chosen());
            Ok(Dimension::Listed(Axis::new(indices)))
        })
    }

    /// Selects points: `count` times one index per dimension. The result has one dimension.
    /// [`Kind::OutOfBounds`]: one of them is outside the array.
    pub fn set_points(&mut self, count: u64, coordinates: &[u64]) -> Result<()> {
        let rank = self.shape.len();
        if count.checked_mul(rank as u64) != Some(coordinates.len() as u64) {
            let found = coordinates.len();
            return Err(Error::invalid(format!("{found} coordinates for {count} points")));
        }
        let points = Points::new(rank, count, try_copy(coordinates)?)?;
        if let Some((n, d)) = points.outside(&self.shape) {
            let (index, extent) = (points.index(n, d), self.shape[d]);
            let what = format!(
                "point {n}: index {index} is out of bounds: dimension {d} has {extent} elements"
            );
            return Err(Error::new(Kind::OutOfBounds, what));
        }
        self.what = What::Points(Arc::new(points));
        Ok(())
    }

    /// Selects the elements whose byte is not 0, of a mask in C order. The result has one
    /// dimension. [`Kind::InvalidArgument`]: the mask has another length than the array has
    /// elements.
    pub fn set_element_mask(&mut self, mask: &[u8]) -> Result<()> {
        self.what = What::Mask(Arc::new(Mask::new(&self.shape, mask)?));
        Ok(())
    }

    /// Selects a box.
    pub fn set_region(&mut self, region: &Region) {
        let range = |&span: &Span| Dimension::Range { span, reversed: false };
        self.what = What::Dimensions(region.spans().iter().map(range).collect());
    }

    /// The shape of the result. A list or mask of a dimension contributes its length; points and an
    /// element mask have one dimension.
    pub fn shape(&self) -> Vec<u64> {
        match &self.what {
            What::Points(points) => vec![points.len()],
            What::Mask(mask) => vec![mask.len()],
            What::Dimensions(dimensions) => {
                let extent = |dimension: &Dimension| match dimension {
                    Dimension::Range { span, .. } => Some(span.count),
                    Dimension::Index(_) => None,
                    Dimension::Listed(axis) => Some(axis.len()),
                };
                dimensions.iter().filter_map(extent).collect()
            }
        }
    }

    /// The elements that it picks of an array whose shape is now `shape`. [`Kind::OutOfBounds`]:
    /// the array has shrunk below the selection.
    pub fn pick(&self, shape: &[u64]) -> Result<Pick> {
        let pick = match &self.what {
            What::Points(points) => Pick::Points(points.clone()),
            What::Mask(mask) => Pick::Mask(mask.clone()),
            What::Dimensions(dimensions) => {
                Pick::of_axes(dimensions.iter().map(|dimension| match dimension {
                    Dimension::Range { span, .. } => Axis::Span(*span),
                    Dimension::Index(index) => {
                        Axis::Span(Span { start: *index, count: 1, step: 1 })
                    }
                    Dimension::Listed(axis) => axis.clone(),
                }))
            }
        };
        if shape.len() != self.shape.len() {
            let (rank, of) = (self.shape.len(), shape.len());
            let what = format!("the selection has rank {rank}: expected {of}, the array's");
            return Err(Error::invalid(what));
        }
        if *shape != *self.shape && !pick.fits(shape) {
            let what = format!(
                "the selection was made for the shape {:?}, but the array has {shape:?}",
                self.shape
            );
            return Err(Error::new(Kind::OutOfBounds, what));
        }
        Ok(pick)
    }

    /// Memory in the shape of the result, viewed in the shape of the pick.
    pub fn view<'a>(&self, memory: View<'a>) -> Result<View<'a>> {
        let reverse = |view: View<'a>, d| {
            let (start, step, count) = reversal(view.shape(), d);
            view.step(&start, &step, &count)
        };
        self.turn(memory, |view, d| view.insert_axis(d), reverse)
    }

    /// The mutable counterpart of [`Self::view`].
    pub fn view_mut<'a>(&self, memory: ViewMut<'a>) -> Result<ViewMut<'a>> {
        let reverse = |view: ViewMut<'a>, d| {
            let (start, step, count) = reversal(view.shape(), d);
            view.into_step(&start, &step, &count)
        };
        self.turn(memory, ViewMut::into_inserted_axis, reverse)
    }

    fn turn<V>(
        &self,
        mut view: V,
        insert: impl Fn(V, usize) -> Result<V>,
        reverse: impl Fn(V, usize) -> Result<V>,
    ) -> Result<V> {
        let What::Dimensions(dimensions) = &self.what else { return Ok(view) };
        for (d, dimension) in dimensions.iter().enumerate() {
            match dimension {
                Dimension::Index(_) => view = insert(view, d)?,
                Dimension::Range { reversed: true, .. } => view = reverse(view, d)?,
                _ => {}
            }
        }
        Ok(view)
    }
}

/// Start, step and count that reverse one axis of a view.
fn reversal(shape: &[usize], axis: usize) -> (Extents, Strides, Extents) {
    let mut start = Extents::from_elem(0, shape.len());
    let mut step = Strides::from_elem(1, shape.len());
    start[axis] = shape[axis].saturating_sub(1);
    step[axis] = -1;
    (start, step, shape.into())
}

fn check_index(d: usize, index: u64, extent: u64) -> Result<()> {
    if index < extent {
        return Ok(());
    }
    let what = format!("index {index} is out of bounds: dimension {d} has {extent} elements");
    Err(Error::new(Kind::OutOfBounds, what))
}

/// A mark for each of so many elements; `None`: there is no memory for them. Whether each was seen
/// cannot be told then, which only takes longer.
fn none_seen(count: u64) -> Option<Vec<bool>> {
    let count = usize::try_from(count).ok()?;
    let mut marks = try_with_capacity(count).ok()?;
    marks.resize(count, false);
    Some(marks)
}

/// An empty vector with capacity for `count` numbers.
fn try_with_capacity<T>(count: usize) -> Result<Vec<T>> {
    let mut all = Vec::new();
    all.try_reserve_exact(count).map_err(|_| {
        let bytes = count.saturating_mul(size_of::<T>());
        Error::new(Kind::OutOfMemory, format!("out of memory: {bytes} bytes"))
    })?;
    Ok(all)
}

/// Adds an item; fails if memory is exhausted.
fn try_push<T>(all: &mut Vec<T>, item: T) -> Result<()> {
    all.try_reserve(1).map_err(|_| Error::new(Kind::OutOfMemory, "out of memory: a selection"))?;
    all.push(item);
    Ok(())
}

fn try_copy(from: &[u64]) -> Result<Vec<u64>> {
    collected(from.iter().copied())
}

/// The numbers in a vector of just that size.
fn collected(numbers: impl ExactSizeIterator<Item = u64>) -> Result<Vec<u64>> {
    let mut all = try_with_capacity(numbers.len())?;
    all.extend(numbers);
    Ok(all)
}
