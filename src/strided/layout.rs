//! Shape, strides and item size of a view, and the arithmetic that changes them: safe code only.
//!
//! Two invariants hold for every operation: an empty layout stays empty, and any other reaches only
//! elements that the original layout reached. So the memory behind a view needs to be checked only
//! once.

use super::{Extents, Strides};
use crate::error::{Error, Kind, Result};

/// The positions of elements, relative to the element of index 0.
#[derive(Debug)]
pub(super) struct Layout {
    pub shape: Extents,
    pub strides: Strides,
    /// Size of an element (bytes).
    pub item: usize,
}

/// Views are copied several times for each chunk, and a copy number by number takes longer.
impl Clone for Layout {
    fn clone(&self) -> Self {
        let shape = Extents::from_slice(&self.shape);
        Layout { shape, strides: Strides::from_slice(&self.strides), item: self.item }
    }
}

/// A layout within another: the offset of its first element, and the layout itself.
pub(super) type Part = (isize, Layout);

impl Layout {
    /// C order; also returns the size (bytes).
    pub fn contiguous(shape: &[usize], item: usize) -> Result<(Self, usize)> {
        let bytes = bytes(shape, item)?;
        let mut strides = Strides::from_elem(0, shape.len());
        // Wraps only if another extent is 0, and then no element is reached.
        let mut stride = item as isize;
        for (to, &n) in strides.iter_mut().zip(shape).rev() {
            *to = stride;
            stride = stride.wrapping_mul(n as isize);
        }
        Ok((Layout { shape: Extents::from_slice(shape), strides, item }, bytes))
    }

    /// Any strides whose range fits an `isize`.
    pub fn strided(shape: &[usize], strides: &[isize], item: usize) -> Result<Self> {
        same_rank("strides", strides.len(), shape.len())?;
        let layout = Layout {
            shape: Extents::from_slice(shape),
            strides: Strides::from_slice(strides),
            item,
        };
        if bytes(shape, item)? != 0 {
            let mut reach = item as isize;
            for (&n, &stride) in shape.iter().zip(strides) {
                let step = stride.checked_abs().zip(isize::try_from(n - 1).ok());
                reach = step
                    .and_then(|(stride, steps)| stride.checked_mul(steps))
                    .and_then(|far| reach.checked_add(far))
                    .ok_or_else(|| {
                        Error::invalid(format!(
                            "strides {strides:?} over {shape:?} reach past the address space"
                        ))
                    })?;
            }
        }
        Ok(layout)
    }

    /// The number of elements; cannot overflow, because every constructor checked it.
    pub fn len(&self) -> usize {
        elements(&self.shape).unwrap_or(0)
    }

    /// Whether it reaches no byte.
    pub fn is_void(&self) -> bool {
        self.item == 0 || self.shape.contains(&0)
    }

    /// Whether the elements are contiguous in C order.
    pub fn is_contiguous(&self) -> bool {
        if self.is_void() {
            return true;
        }
        let mut next = self.item as isize;
        for (&n, &stride) in self.shape.iter().zip(&self.strides).rev() {
            if n != 1 {
                if stride != next {
                    return false;
                }
                next = next.wrapping_mul(n as isize);
            }
        }
        true
    }

    fn at(&self, start: &[usize]) -> isize {
        let far = |(&at, &stride): (&usize, &isize)| (at as isize).wrapping_mul(stride);
        start.iter().zip(&self.strides).map(far).fold(0, isize::wrapping_add)
    }

    /// The box of `shape` from `start`.
    pub fn slice(&self, start: &[usize], shape: &[usize]) -> Result<Part> {
        same_rank("start", start.len(), self.shape.len())?;
        same_rank("shape", shape.len(), self.shape.len())?;
        for (axis, ((&at, &n), &extent)) in start.iter().zip(shape).zip(&self.shape).enumerate() {
            if at.checked_add(n).is_none_or(|end| end > extent) {
                return Err(outside(axis, format_args!("{n} from {at}"), extent));
            }
        }
        let shape = Extents::from_slice(shape);
        let layout = Layout { shape, strides: Strides::from_slice(&self.strides), item: self.item };
        Ok((self.at(start), layout))
    }

    /// Along each axis `count` elements from `start`, `step` apart.
    pub fn step(&self, start: &[usize], step: &[isize], count: &[usize]) -> Result<Part> {
        same_rank("start", start.len(), self.shape.len())?;
        same_rank("step", step.len(), self.shape.len())?;
        same_rank("count", count.len(), self.shape.len())?;
        let mut strides = Strides::new();
        for (axis, &extent) in self.shape.iter().enumerate() {
            let (at, by, n) = (start[axis], step[axis], count[axis]);
            let inside = match n.checked_sub(1) {
                None => at <= extent,
                Some(steps) => at < extent && last(at, by, steps).is_some_and(|end| end < extent),
            };
            if !inside {
                return Err(outside(axis, format_args!("{n} from {at}, {by} apart"), extent));
            }
            strides.push(self.strides[axis].wrapping_mul(by));
        }
        let layout = Layout { shape: Extents::from_slice(count), strides, item: self.item };
        // A step of 0 repeats elements, so only now is the count checked to fit.
        bytes(count, self.item)?;
        Ok((self.at(start), layout))
    }

    /// The element `at` of one axis, which is dropped.
    pub fn index(&self, axis: usize, at: usize) -> Result<Part> {
        let Some(&extent) = self.shape.get(axis) else { return Err(no_axis(axis, self)) };
        if at >= extent {
            return Err(outside(axis, format_args!("index {at}"), extent));
        }
        let mut layout = self.clone();
        layout.shape.remove(axis);
        let stride = layout.strides.remove(axis);
        Ok(((at as isize).wrapping_mul(stride), layout))
    }

    /// Inserts an axis of extent 1 before `axis`.
    pub fn insert(&self, axis: usize) -> Result<Part> {
        if axis > self.shape.len() {
            return Err(no_axis(axis, self));
        }
        let mut layout = self.clone();
        layout.shape.insert(axis, 1);
        layout.strides.insert(axis, self.item as isize);
        Ok((0, layout))
    }

    /// Axis `i` of the result is axis `axes[i]` of this.
    pub fn permute(&self, axes: &[usize]) -> Result<Part> {
        same_rank("axes", axes.len(), self.shape.len())?;
        let whole = (0..axes.len()).all(|axis| axes.contains(&axis));
        if !whole {
            return Err(Error::invalid(format!(
                "axes {axes:?}: expected a permutation of 0 to {}",
                axes.len().saturating_sub(1)
            )));
        }
        let shape = axes.iter().map(|&axis| self.shape[axis]).collect();
        let strides = axes.iter().map(|&axis| self.strides[axis]).collect();
        Ok((0, Layout { shape, strides, item: self.item }))
    }

    /// The axes in the opposite order.
    pub fn reversed(&self) -> Layout {
        let mut layout = self.clone();
        layout.shape.reverse();
        layout.strides.reverse();
        layout
    }

    /// `item` bytes from `offset` of each element.
    pub fn field(&self, offset: usize, item: usize) -> Result<Part> {
        if offset.checked_add(item).is_none_or(|end| end > self.item) {
            return Err(Error::new(
                Kind::OutOfBounds,
                format!("{item} bytes from {offset} leave an element of {} bytes", self.item),
            ));
        }
        let mut layout = self.clone();
        layout.item = item;
        Ok((offset as isize, layout))
    }

    /// Each element as a new last axis of `count` equal parts.
    pub fn parts(&self, count: usize) -> Result<Part> {
        if count == 0 || !self.item.is_multiple_of(count) {
            return Err(Error::invalid(format!(
                "an element of {} bytes has no {count} equal parts",
                self.item
            )));
        }
        let mut layout = self.clone();
        layout.item /= count;
        layout.shape.push(count);
        layout.strides.push(layout.item as isize);
        // Elements of 0 bytes must be countable too.
        elements(&layout.shape).ok_or_else(|| too_large(&layout.shape, self.item))?;
        Ok((0, layout))
    }
}

/// The number of elements of a box; `None`: overflow.
fn elements(shape: &[usize]) -> Option<usize> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1usize, |all, &n| all.checked_mul(n))
}

/// The size of a box (bytes), at most `isize::MAX`.
fn bytes(shape: &[usize], item: usize) -> Result<usize> {
    elements(shape)
        .and_then(|n| n.checked_mul(item))
        .filter(|&all| all <= isize::MAX as usize && item <= isize::MAX as usize)
        .ok_or_else(|| too_large(shape, item))
}

/// The index after `steps` steps of `by` from `at`.
fn last(at: usize, by: isize, steps: usize) -> Option<usize> {
    let far = by.unsigned_abs().checked_mul(steps)?;
    if by < 0 { at.checked_sub(far) } else { at.checked_add(far) }
}

fn same_rank(what: &str, rank: usize, of: usize) -> Result<()> {
    if rank == of {
        return Ok(());
    }
    Err(Error::invalid(format!("{what}: {rank} given, but the view has {of} axes")))
}

#[cold]
fn too_large(shape: &[usize], item: usize) -> Error {
    Error::new(
        Kind::LimitExceeded,
        format!("a box of {shape:?} elements of {item} bytes exceeds the address space"),
    )
}

#[cold]
fn outside(axis: usize, what: std::fmt::Arguments<'_>, extent: usize) -> Error {
    Error::new(Kind::OutOfBounds, format!("axis {axis}: {what} leaves the extent {extent}"))
}

#[cold]
fn no_axis(axis: usize, layout: &Layout) -> Error {
    Error::invalid(format!("axis {axis}: the view has {} axes", layout.shape.len()))
}
