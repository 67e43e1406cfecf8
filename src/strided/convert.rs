//! Converts numbers from one type to another, and checks that each one fits.

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

/// Whether numbers of one type can be converted into the other, if their values fit: all except
/// complex to real, and real to a complex type whose parts cannot be 0.
pub fn convertible(from: Number, to: Number) -> bool {
    match to.part() {
        _ if from.is_complex() == to.is_complex() => true,
        Number::SmallFloat(part) => to.is_complex() && part.has_zero(),
        _ => to.is_complex(),
    }
}

/// Converts every number of `src` into the same index of `dst`.
///
/// Integers must be in range. A float becomes an integer by truncation, if the result is in range;
/// NaN and infinities do not fit. Conversion to a float rounds to nearest, ties to even. A finite
/// value that would become infinite does not fit, nor does one beyond the largest of a type without
/// infinities; NaN and infinities fit if the type has them. A bool becomes 0 or 1, and only 0 and 1
/// become a bool. A real number becomes a complex one with imaginary part 0.
///
/// `TypeMismatch` if the types are not [`convertible`] or a value does not fit (the message names
/// the first one in C order; `dst` is then unspecified), `Internal` if the shapes differ or an
/// element size is not that of its type. The two views must not overlap.
pub fn convert(src: &View<'_>, from: Number, dst: &mut ViewMut<'_>, to: Number) -> Result<()> {
    if !convertible(from, to) {
        return Err(Error::new(
            Kind::TypeMismatch,
            format!(
                "{} does not convert to {}: the imaginary part would be lost",
                from.name(),
                to.name()
            ),
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
    if from == to && !from.has_idle_bits() {
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

/// Converts contiguous numbers like [`convert`]; `false`: one does not fit, the types are complex,
/// or the lengths differ, and `dst` is then unspecified.
pub fn fits_row(src: &[u8], from: Number, dst: &mut [u8], to: Number) -> bool {
    let count = src.len() / from.size();
    if count * from.size() != src.len() || count * to.size() != dst.len() {
        return false;
    }
    if from == to && !from.has_idle_bits() {
        dst.copy_from_slice(src);
        return true;
    }
    // SAFETY: `count` numbers of either type, in memory that does not overlap.
    row(from, to).is_some_and(|row| unsafe { row.run(src.as_ptr(), dst.as_mut_ptr(), count) })
}

/// Converts real numbers, or the parts of complex ones.
fn reals(src: &View<'_>, from: Number, dst: &mut ViewMut<'_>, to: Number) -> Result<()> {
    let (part, to_part) = (from.part(), to.part());
    let Some(row) = row(part, to_part) else {
        let (from, to) = (from.name(), to.name());
        return Err(Error::new(Kind::Internal, format!("convert: no loop for {from} to {to}")));
    };
    let to_ptr = dst.as_mut_ptr();
    let loops = Loops::new(src.shape(), (src.as_ptr(), src.strides()), (to_ptr, dst.strides()));
    let Some(loops) = loops else { return Ok(()) };
    // SAFETY: the loops visit the elements of the two views, and those are of the row's types.
    let fits = unsafe { rows(loops, &row, part.size(), to_part.size()) };
    if fits { Ok(()) } else { Err(misfit(src, from, to, &row)) }
}

/// Numbers that are not contiguous are gathered into blocks of this many before conversion.
const BLOCK: usize = 1024;

/// The most rows of a block: enough for whole cache lines on both sides.
const BLOCK_ROWS: usize = 32;

/// Rows shorter than this are gathered too.
const SHORT: usize = 16;

/// Runs the loops; `false`: a row holds a number that does not fit, and the loops end there.
///
/// # Safety
/// The loops visit numbers of `from` bytes at the source and `to` bytes at the destination, of the
/// types of `row`; those read do not overlap those written.
unsafe fn rows(mut loops: Loops, row: &Row, from: usize, to: usize) -> bool {
    let (size, to_size) = (from as isize, to as isize);
    let last = loops.axes.last().copied().unwrap_or(Axis { n: 1, src: size, dst: to_size });
    let lie_together = last.src == size && last.dst == to_size;
    if lie_together && (last.n >= SHORT || loops.axes.len() <= 1) {
        loops.axes.pop();
        // SAFETY: guaranteed by the caller.
        let each = &mut |src, dst| unsafe { row.run(src, dst, last.n) };
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
                let mut gather = Loops {
                    src,
                    dst: gathered,
                    axes: Axes::from_slice(&[
                        Axis { n: high, src: outer.src, dst: line * size },
                        Axis { n: wide, src: inner.src, dst: size },
                    ]),
                };
                let mut scatter = Loops {
                    src: converted,
                    dst,
                    axes: Axes::from_slice(&[
                        Axis { n: high, src: line * to_size, dst: outer.dst },
                        Axis { n: wide, src: to_size, dst: inner.dst },
                    ]),
                };
                // SAFETY: a block of at most BLOCK numbers of at most 8 bytes fits the buffers; the
                // caller guarantees the rest, for this part of the numbers.
                unsafe {
                    run(&mut gather, from, &Swap::None);
                    if !row.run(gathered, converted, high * wide) {
                        return false;
                    }
                    run(&mut scatter, to, &Swap::None);
                }
            }
        }
        true
    })
}

/// The error for the first number in C order that does not fit.
#[cold]
fn misfit(src: &View<'_>, from: Number, to: Number, row: &Row) -> Error {
    let size = src.item();
    let mut index = Extents::from_elem(0, src.rank());
    for _ in 0..src.len() {
        let far: isize = index.iter().zip(src.strides()).map(|(&i, &s)| i as isize * s).sum();
        let mut room = [0u8; 8];
        // SAFETY: an element of the view, of the row's type; the buffer holds any number.
        let value = unsafe {
            let at = src.as_ptr().wrapping_offset(far);
            let fits = row.run(at, room.as_mut_ptr(), 1);
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

#[cfg(test)]
mod tests {
    use super::super::naive::{Exact, edges, exact, expected, reals, same};
    use super::super::small::{SmallFloat, SmallInt};
    use super::super::testing::{Memory, Random, most, rounds};
    use super::*;

    fn one_row(bytes: &[u8], from: Number, to: Number) -> Result<Vec<u8>> {
        let n = bytes.len() / from.size();
        let mut out = vec![0xaa; n * to.size()];
        let mut dst = ViewMut::contiguous(&mut out, &[n], to.size())?;
        convert(&View::contiguous(bytes, &[n], from.size())?, from, &mut dst, to)?;
        Ok(out)
    }

    #[test]
    #[cfg_attr(miri, ignore)] // too many to interpret; `any_layout` takes the same code paths
    fn every_pair_at_the_edges() {
        let mut random = Random(11);
        let as_is = |from: Number, to| from == to && !from.has_idle_bits();
        for from in reals() {
            let edges = edges(from, &mut random);
            for to in reals() {
                let (good, bad): (Vec<_>, Vec<_>) = edges
                    .iter()
                    .partition(|x| as_is(from, to) || expected(exact(from, x), to).is_some());
                let good: Vec<u8> = good.into_iter().flatten().copied().collect();
                let out =
                    one_row(&good, from, to).unwrap_or_else(|e| panic!("{from:?} {to:?} {e}"));
                if as_is(from, to) {
                    assert_eq!(out, good);
                    continue;
                }
                for (x, y) in good.chunks_exact(from.size()).zip(out.chunks_exact(to.size())) {
                    let (x, y) = (exact(from, x), exact(to, y));
                    let z = expected(x, to).unwrap_or(Exact::Int(-99));
                    assert!(same(y, z), "{x:?} of {from:?} as {to:?}: {y:?}, expected {z:?}");
                }
                for (nth, x) in bad.into_iter().enumerate() {
                    // Alone, and sometimes at the end of a row of numbers that fit.
                    let n = good.len() / from.size();
                    let row = if nth % 16 == 0 { [&good[..], x].concat() } else { x.clone() };
                    let end = if nth % 16 == 0 { n } else { 0 };
                    for (bytes, at) in [(&x[..], 0), (&row, end)] {
                        let Err(e) = one_row(bytes, from, to) else {
                            panic!("{:?} of {from:?} fits {to:?}", exact(from, x))
                        };
                        assert_eq!(e.kind(), Kind::TypeMismatch);
                        let start = format!("element [{at}]: {} ({})", from.text(x), from.name());
                        assert!(e.to_string().starts_with(&start), "{e}, not {start}");
                        assert!(e.to_string().contains(to.name()), "{e}");
                    }
                }
            }
        }
    }

    #[test]
    fn any_layout() {
        let mut random = Random(12);
        let pairs = [
            (Number::Int32, Number::Float64),
            (Number::Float64, Number::Float32),
            (Number::UInt8, Number::UInt16),
            (Number::Int64, Number::Int8),
            (Number::Float32, Number::Bool),
            (Number::Float64, Number::SmallInt(SmallInt::Int4)),
        ];
        for round in rounds(2000) {
            let shape = random.shape(most(round));
            let (from, to) = random.pick(&pairs);
            let mut src = Memory::random(&mut random, &shape, from.size());
            let places = src.places();
            let mut write = |at: usize, x: u8| {
                let bytes = match from {
                    Number::Int32 => i32::from(x).to_ne_bytes().to_vec(),
                    Number::Float64 => f64::from(x).to_ne_bytes().to_vec(),
                    Number::UInt8 => vec![x],
                    Number::Int64 => i64::from(x).to_ne_bytes().to_vec(),
                    _ => f32::from(x).to_ne_bytes().to_vec(),
                };
                src.bytes[at..at + bytes.len()].copy_from_slice(&bytes);
            };
            let limit = match to {
                Number::Bool => 2,
                Number::SmallInt(_) => 8,
                _ => 128,
            };
            let values: Vec<u8> = places.iter().map(|_| random.below(limit) as u8).collect();
            places.iter().zip(&values).for_each(|(&at, &x)| write(at, x));
            // Sometimes one that does not fit.
            let narrow = matches!(to, Number::Int8 | Number::Bool | Number::SmallInt(_));
            let wrong = (narrow && !places.is_empty() && random.below(2) == 0)
                .then(|| random.below(places.len()));
            if let Some(n) = wrong {
                write(places[n], 200);
            }

            let mut dst = Memory::random(&mut random, &shape, to.size());
            let mut expected = dst.bytes.clone();
            for (at, &x) in dst.places().into_iter().zip(&values) {
                let bytes = match to {
                    Number::Float64 => f64::from(x).to_ne_bytes().to_vec(),
                    Number::Float32 => f32::from(x).to_ne_bytes().to_vec(),
                    Number::UInt16 => u16::from(x).to_ne_bytes().to_vec(),
                    _ => vec![x],
                };
                expected[at..at + bytes.len()].copy_from_slice(&bytes);
            }
            let done = convert(&src.view(), from, &mut dst.view_mut(), to);
            match (wrong, done) {
                (None, Ok(())) => {
                    let layouts = (&src.strides, &dst.strides);
                    assert!(dst.bytes == expected, "{shape:?} {from:?} {to:?} {layouts:?}");
                }
                (Some(mut n), Err(e)) => {
                    let mut index = vec![0; shape.len()];
                    for (i, &extent) in index.iter_mut().zip(&shape).rev() {
                        *i = n % extent;
                        n /= extent;
                    }
                    assert!(e.to_string().starts_with(&format!("element {index:?}: 200")), "{e}");
                }
                (wrong, done) => panic!("{shape:?}: {wrong:?} wrong, but {done:?}"),
            }
        }
    }

    #[test]
    fn complex_numbers() -> Result<()> {
        let bytes = |x: &[f64]| x.iter().flat_map(|x| x.to_ne_bytes()).collect::<Vec<u8>>();
        let narrow = |x: &[f32]| x.iter().flat_map(|x| x.to_ne_bytes()).collect::<Vec<u8>>();
        let (c64, c128) = (Number::Complex64, Number::Complex128);
        assert_eq!(
            one_row(&bytes(&[1.5, -2.0, f64::INFINITY, 0.1]), c128, c64)?,
            narrow(&[1.5, -2.0, f32::INFINITY, 0.1])
        );
        assert_eq!(one_row(&narrow(&[1.5, -2.0]), c64, c128)?, bytes(&[1.5, -2.0]));
        assert_eq!(one_row(&narrow(&[1.5, -2.0]), c64, c64)?, narrow(&[1.5, -2.0]));
        assert_eq!(one_row(&[3, 250], Number::Int8, c128)?, bytes(&[3.0, 0.0, -6.0, 0.0]));
        assert_eq!(one_row(&[7, 0], Number::Bool, c64)?, narrow(&[1.0, 0.0, 0.0, 0.0]));
        assert_eq!(
            one_row(&bytes(&[1.5, -2.0]), Number::Float64, c128)?,
            bytes(&[1.5, 0.0, -2.0, 0.0])
        );

        let text = |done: Result<Vec<u8>>| done.err().map(|e| (e.kind(), e.to_string()));
        assert_eq!(
            text(one_row(&bytes(&[1.5, -2.0, 0.0, 1e300]), c128, c64)),
            Some((
                Kind::TypeMismatch,
                "element [1]: imaginary 1e300 (complex128) does not fit complex64: \
                 its largest is 3.4028235e38"
                    .into()
            ))
        );
        assert_eq!(
            text(one_row(&bytes(&[1e300]), Number::Float64, c64)),
            Some((
                Kind::TypeMismatch,
                "element [0]: 1e300 (float64) does not fit complex64: \
                 its largest is 3.4028235e38"
                    .into()
            ))
        );
        Ok(())
    }

    #[test]
    fn complex_of_small_parts() -> Result<()> {
        let (c64, scale) = (Number::Complex64, SmallFloat::Float8E8M0Fnu);
        let small = Number::ComplexSmall(SmallFloat::Float4E2M1Fn);
        let bytes = |x: &[f32]| x.iter().flat_map(|x| x.to_ne_bytes()).collect::<Vec<u8>>();
        assert_eq!(one_row(&bytes(&[1.5, -6.0]), c64, small)?, [0x03, 0x0f]);
        assert_eq!(one_row(&[0x03, 0xff], small, c64)?, bytes(&[1.5, -6.0]));
        assert_eq!(one_row(&[0x73, 0xff], small, small)?, [0x03, 0x0f]);
        assert_eq!(one_row(&[3], Number::UInt8, small)?, [0x05, 0]);
        assert_eq!(one_row(&bytes(&[1.0, 4.0]), c64, Number::ComplexSmall(scale))?, [127, 129]);
        let halves = [0x3e00u16, 0xc000].map(u16::to_ne_bytes).concat();
        assert_eq!(one_row(&bytes(&[1.5, -2.0]), c64, Number::ComplexFloat16)?, halves);
        assert_eq!(one_row(&halves, Number::ComplexFloat16, c64)?, bytes(&[1.5, -2.0]));
        // The parts of this type cannot be 0.
        assert!(!convertible(Number::Float32, Number::ComplexSmall(scale)));
        let large = one_row(&bytes(&[1.0, 7.0]), c64, small).map_err(|e| e.to_string());
        let text = "element [0]: imaginary 7.0 (complex64) does not fit complex_float4_e2m1fn: \
                    its largest is 6";
        assert_eq!(large, Err(text.into()));
        Ok(())
    }

    #[test]
    fn complex_to_real_whatever_the_value() {
        for from in [Number::Complex64, Number::Complex128, Number::ComplexBFloat16] {
            for to in reals() {
                assert!(!convertible(from, to));
                assert!(convertible(to, from));
                let done = one_row(&[], from, to).map_err(|e| e.kind());
                assert_eq!(done, Err(Kind::TypeMismatch));
            }
        }
    }

    #[test]
    fn refuses_what_does_not_match() -> Result<()> {
        let (from, mut to) = ([0; 8], [0; 8]);
        let src = View::contiguous(&from, &[2], 4)?;
        let mut dst = ViewMut::contiguous(&mut to, &[2], 4)?;
        let mut kind = |a, b| convert(&src, a, &mut dst, b).map_err(|e| e.kind());
        assert_eq!(kind(Number::Float64, Number::Float32), Err(Kind::Internal));
        assert_eq!(kind(Number::Float32, Number::Int8), Err(Kind::Internal));
        assert_eq!(kind(Number::Float32, Number::Int32), Ok(()));
        let mut other = ViewMut::contiguous(&mut to, &[2, 1], 4)?;
        let done = convert(&src, Number::Float32, &mut other, Number::Int32);
        assert_eq!(done.map_err(|e| e.kind()), Err(Kind::Internal));
        Ok(())
    }
}
