//! Numbers of one type into numbers of another, each checked.

use std::mem::MaybeUninit;

use super::Extents;
use super::cast::{Row, row};
use super::copy::{copy, plane_of, run, same_shape};
use super::fill::fill;
use super::number::Number;
use super::swap::Swap;
use super::view::{View, ViewMut};
use super::walk::{Axes, Axis, Loops, walk};
use crate::error::{Error, Kind, Result};

/// Whether numbers of one type can be converted into the other, if their values fit: all but
/// complex into real.
pub fn convertible(from: Number, to: Number) -> bool {
    to.is_complex() || !from.is_complex()
}

/// Converts every number of `src` into the same index of `dst`.
///
/// Integers must be in range. A float becomes an integer by truncation, if that is in range; NaN
/// and infinities don't. Towards a float the nearest is taken, ties to even; a finite value that
/// would become infinite does not fit; NaN and infinities pass. A bool becomes 0 or 1, and only 0
/// and 1 become a bool. A real number becomes a complex one with imaginary part 0.
///
/// `TypeMismatch` where the types are not [`convertible`] or a value does not fit (the first such
/// in C order is named; `dst` then holds anything), `Internal` where the shapes differ or the
/// views' elements are not as large as the types. The two must not overlap.
pub fn convert(src: &View<'_>, from: Number, dst: &mut ViewMut<'_>, to: Number) -> Result<()> {
    if !convertible(from, to) {
        return Err(Error::new(
            Kind::TypeMismatch,
            format!("{} does not convert to {}: the imaginary part", from.name(), to.name()),
        ));
    }
    same_shape("convert", src, dst)?;
    if (src.item(), dst.item()) != (from.size(), to.size()) {
        return Err(Error::new(
            Kind::Internal,
            format!(
                "convert: elements of {} bytes as {}, of {} as {}",
                src.item(),
                from.name(),
                dst.item(),
                to.name()
            ),
        ));
    }
    if from == to {
        return copy(src, dst);
    }
    if from.is_complex() {
        return reals(&src.parts(2)?, from, &mut dst.parts(2)?, to);
    }
    if to.is_complex() {
        let size = to.part().size();
        fill(&mut dst.field(size, size)?, &[0; 8][..size])?;
        let mut real = dst.field(0, size)?;
        return if from == to.part() {
            copy(src, &mut real)
        } else {
            reals(src, from, &mut real, to)
        };
    }
    reals(src, from, dst, to)
}

/// Real numbers, or the parts of complex ones.
fn reals(src: &View<'_>, from: Number, dst: &mut ViewMut<'_>, to: Number) -> Result<()> {
    let (part, to_part) = (from.part(), to.part());
    let Some(row) = row(part, to_part) else {
        let (from, to) = (from.name(), to.name());
        return Err(Error::new(Kind::Internal, format!("convert: no loop for {from} to {to}")));
    };
    let to_ptr = dst.as_mut_ptr();
    let loops = Loops::new(src.shape(), (src.as_ptr(), src.strides()), (to_ptr, dst.strides()));
    let Some(loops) = loops else { return Ok(()) };
    // SAFETY: the loops reach the elements of the two views, and those are of the row's types.
    let fits = unsafe { rows(loops, row, part.size(), to_part.size()) };
    if fits { Ok(()) } else { Err(misfit(src, from, to, row)) }
}

/// Numbers that are gathered before they are converted, if they don't lie together.
const BLOCK: usize = 1024;

/// And in how many rows at most: enough for whole cache lines on both sides.
const BLOCK_ROWS: usize = 32;

/// Rows shorter than this are gathered too.
const SHORT: usize = 16;

/// Runs the loops; `false` at the first row that holds a number that does not fit.
///
/// # Safety
/// The loops reach numbers of `from` bytes at the source and `to` bytes at the destination, those
/// of `row`, the read ones apart from the written.
unsafe fn rows(mut loops: Loops, row: Row, from: usize, to: usize) -> bool {
    let (size, to_size) = (from as isize, to as isize);
    let last = loops.axes.last().copied().unwrap_or(Axis { n: 1, src: size, dst: to_size });
    let lie_together = last.src == size && last.dst == to_size;
    if lie_together && (last.n >= SHORT || loops.axes.len() <= 1) {
        loops.axes.pop();
        // SAFETY: the caller's promise.
        let each = &mut |src, dst| unsafe { row(src, dst, last.n) };
        return walk(&loops.axes, loops.src, loops.dst, each);
    }

    let (outer, inner) = plane_of(&mut loops.axes);
    let wide = inner.n.min(BLOCK / outer.n.min(BLOCK_ROWS));
    let high = outer.n.min(BLOCK / wide);
    let mut gathered = MaybeUninit::<[u64; BLOCK]>::uninit();
    let mut converted = MaybeUninit::<[u64; BLOCK]>::uninit();
    let gathered = gathered.as_mut_ptr().cast::<u8>();
    let converted = converted.as_mut_ptr().cast::<u8>();
    walk(&loops.axes, loops.src, loops.dst, &mut |src, dst| {
        for top in (0..outer.n).step_by(high) {
            for left in (0..inner.n).step_by(wide) {
                let (high, wide) = (high.min(outer.n - top), wide.min(inner.n - left));
                let (top, left) = (top as isize, left as isize);
                let src = src.wrapping_offset(top * outer.src + left * inner.src);
                let dst = dst.wrapping_offset(top * outer.dst + left * inner.dst);
                let line = wide as isize;
                let gather = Loops {
                    src,
                    dst: gathered,
                    axes: Axes::from_slice(&[
                        Axis { n: high, src: outer.src, dst: line * size },
                        Axis { n: wide, src: inner.src, dst: size },
                    ]),
                };
                let scatter = Loops {
                    src: converted,
                    dst,
                    axes: Axes::from_slice(&[
                        Axis { n: high, src: line * to_size, dst: outer.dst },
                        Axis { n: wide, src: to_size, dst: inner.dst },
                    ]),
                };
                // SAFETY: a block of at most BLOCK numbers of at most 8 bytes fits the rooms; the
                // rest is the caller's promise, for a part of the numbers.
                unsafe {
                    run(gather, from, &Swap::None);
                    if !row(gathered, converted, high * wide) {
                        return false;
                    }
                    run(scatter, to, &Swap::None);
                }
            }
        }
        true
    })
}

/// The error for the first number in C order that does not fit.
#[cold]
fn misfit(src: &View<'_>, from: Number, to: Number, row: Row) -> Error {
    let size = src.item();
    let mut index = Extents::from_elem(0, src.rank());
    for _ in 0..src.len() {
        let far: isize = index.iter().zip(src.strides()).map(|(&i, &s)| i as isize * s).sum();
        let mut room = [0u8; 8];
        // SAFETY: an element of the view, of the row's type; the room holds any number.
        let value = unsafe {
            let at = src.as_ptr().wrapping_offset(far);
            let fits = row(at, room.as_mut_ptr(), 1);
            (!fits).then(|| std::slice::from_raw_parts(at, size))
        };
        if let Some(value) = value {
            return misfit_at(&index, &from.part().text(value), from, to);
        }
        for (i, &n) in index.iter_mut().zip(src.shape()).rev() {
            *i += 1;
            if *i < n {
                break;
            }
            *i = 0;
        }
    }
    Error::new(
        Kind::TypeMismatch,
        format!("a {} that does not fit {}: {}", from.name(), to.name(), to.range()),
    )
}

fn misfit_at(index: &[usize], value: &str, from: Number, to: Number) -> Error {
    let (index, part) = match index {
        [index @ .., part] if from.is_complex() => (index, ["real ", "imaginary "][*part & 1]),
        index => (index, ""),
    };
    Error::new(
        Kind::TypeMismatch,
        format!(
            "element {index:?}: {part}{value} ({}) does not fit {}: {}",
            from.name(),
            to.name(),
            to.range()
        ),
    )
}
