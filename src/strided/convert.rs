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

#[cfg(test)]
mod tests {
    use ::half::{bf16, f16};

    use super::super::testing::{Memory, Random};
    use super::*;

    const REALS: [Number; 13] = [
        Number::Bool,
        Number::Int8,
        Number::Int16,
        Number::Int32,
        Number::Int64,
        Number::UInt8,
        Number::UInt16,
        Number::UInt32,
        Number::UInt64,
        Number::Float16,
        Number::BFloat16,
        Number::Float32,
        Number::Float64,
    ];

    /// A number exactly: every real type's values are one or the other.
    #[derive(Clone, Copy, Debug)]
    enum Exact {
        Int(i128),
        Float(f64),
    }

    fn exact(number: Number, bytes: &[u8]) -> Exact {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let word = u64::from_le_bytes(if cfg!(target_endian = "little") {
            word
        } else {
            let mut turned = [0; 8];
            turned[..bytes.len()].copy_from_slice(bytes);
            turned[..bytes.len()].reverse();
            turned
        });
        match number {
            Number::Bool => Exact::Int(i128::from(word != 0)),
            Number::Int8 => Exact::Int((word as i8).into()),
            Number::Int16 => Exact::Int((word as i16).into()),
            Number::Int32 => Exact::Int((word as i32).into()),
            Number::Int64 => Exact::Int((word as i64).into()),
            Number::Float16 => Exact::Float(f16::from_bits(word as u16).to_f64()),
            Number::BFloat16 => Exact::Float(bf16::from_bits(word as u16).to_f64()),
            Number::Float32 => Exact::Float(f32::from_bits(word as u32).into()),
            Number::Float64 => Exact::Float(f64::from_bits(word)),
            _ => Exact::Int(word.into()),
        }
    }

    /// The nearest of the finite values of a 16-bit type, found by search: `value` gives those of
    /// the positive bit patterns, which rise. Infinite where the next one after the last is nearer.
    fn nearest(x: Exact, largest: u16, value: impl Fn(u16) -> f64) -> f64 {
        let (x, negative) = match x {
            Exact::Int(x) => (Exact::Int(x.abs()), x < 0),
            Exact::Float(x) => (Exact::Float(x.abs()), x.is_sign_negative()),
        };
        let step = value(largest) - value(largest - 1);
        let value = |bits: u16| if bits > largest { value(largest) + step } else { value(bits) };
        let at_most = |bits: u16| match x {
            Exact::Int(x) => {
                value(bits) <= 2f64.powi(64) && value(bits) as i128 <= x && {
                    // Small values have fractions.
                    value(bits).fract() == 0.0 || (value(bits) as i128) < x
                }
            }
            Exact::Float(x) => value(bits) <= x,
        };
        let (mut low, mut high) = (0, largest + 2);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if at_most(middle) { low = middle } else { high = middle }
        }
        let (a, b) = (value(low), value(low + 1));
        let order = match x {
            // Both neighbours of a large integer are integers; a small one is exact.
            Exact::Int(x) if x > 1 << 40 => (x - a as i128).cmp(&(b as i128 - x)),
            Exact::Int(x) => (x as f64 - a).total_cmp(&(b - x as f64)),
            Exact::Float(x) => (x - a).total_cmp(&(b - x)),
        };
        let up = order.is_gt() || (order.is_eq() && low % 2 == 1);
        let bits = low + u16::from(up);
        let out = if bits > largest { f64::INFINITY } else { value(bits) };
        if negative { -out } else { out }
    }

    /// What `x` should be as a `to`; `None` where it should not fit.
    fn expected(x: Exact, to: Number) -> Option<Exact> {
        let integer = |low: i128, high: i128| {
            let whole = match x {
                Exact::Int(x) => x,
                Exact::Float(x) if x.is_finite() && x.abs() < 1e30 => x.trunc() as i128,
                Exact::Float(_) => return None,
            };
            (low..=high).contains(&whole).then_some(Exact::Int(whole))
        };
        let float = |narrow: &dyn Fn(Exact) -> f64| match x {
            Exact::Float(x) if !x.is_finite() => Some(Exact::Float(x)),
            x => Some(narrow(x)).filter(|x| x.is_finite()).map(Exact::Float),
        };
        match to {
            Number::Bool => match x {
                Exact::Int(x) if x == 0 || x == 1 => Some(Exact::Int(x)),
                Exact::Float(x) if x == 0.0 || x == 1.0 => Some(Exact::Int(x as i128)),
                _ => None,
            },
            Number::Int8 => integer(i8::MIN.into(), i8::MAX.into()),
            Number::Int16 => integer(i16::MIN.into(), i16::MAX.into()),
            Number::Int32 => integer(i32::MIN.into(), i32::MAX.into()),
            Number::Int64 => integer(i64::MIN.into(), i64::MAX.into()),
            Number::UInt8 => integer(0, u8::MAX.into()),
            Number::UInt16 => integer(0, u16::MAX.into()),
            Number::UInt32 => integer(0, u32::MAX.into()),
            Number::UInt64 => integer(0, u64::MAX.into()),
            Number::Float16 => float(&|x| nearest(x, 0x7bff, |b| f16::from_bits(b).to_f64())),
            Number::BFloat16 => float(&|x| nearest(x, 0x7f7f, |b| bf16::from_bits(b).to_f64())),
            Number::Float32 => float(&|x| match x {
                Exact::Int(x) => f64::from(x as f32),
                Exact::Float(x) => f64::from(x as f32),
            }),
            Number::Float64 => float(&|x| match x {
                Exact::Int(x) => x as f64,
                Exact::Float(x) => x,
            }),
            Number::Complex64 | Number::Complex128 => None,
        }
    }

    fn same(a: Exact, b: Exact) -> bool {
        match (a, b) {
            (Exact::Int(a), Exact::Int(b)) => a == b,
            (Exact::Float(a), Exact::Float(b)) => {
                (a.is_nan() && b.is_nan())
                    || (a == b && a.is_sign_negative() == b.is_sign_negative())
            }
            _ => false,
        }
    }

    /// Values of `number` near everything that matters to any other type, as bytes.
    fn edges(number: Number, random: &mut Random) -> Vec<Vec<u8>> {
        let mut floats = vec![0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-320, 1e300];
        let landmarks = [
            0.5,
            1.0,
            1.5,
            2.0,
            127.0,
            128.0,
            129.0,
            255.0,
            256.0,
            32767.0,
            32768.0,
            32769.0,
            65504.0,
            65519.0,
            65520.0,
            65535.0,
            65536.0,
            2049.0,
            2051.0,
            16_777_217.0,
            2_147_483_647.0,
            2_147_483_648.0,
            2_147_483_649.0,
            4_294_967_295.0,
            4_294_967_296.0,
            9_007_199_254_740_993.0,
            9_223_372_036_854_775_807.0,
            18_446_744_073_709_551_615.0,
            6.1e-5,
            5.96e-8,
            2.98e-8,
            8.9e-8,
            1e-38,
            1.4e-45,
            9.2e-41,
            257.0,
            259.0,
            0.9999999999,
            f32::MAX.into(),
            f64::from(f32::MAX) + 2f64.powi(103),
            3.39e38,
            3.4e38,
            f64::MAX,
        ];
        for x in landmarks {
            for x in [x, x.next_up(), x.next_down(), x + 1.0, x - 1.0] {
                floats.extend([x, -x, f64::from(x as f32), f64::from((x as f32).next_down())]);
            }
        }
        let mut ints: Vec<i128> = floats.iter().map(|&x| x as i128).collect();
        for bits in 0..64 {
            for x in [1i128 << bits, (1 << bits) + (1 << (bits / 2))] {
                ints.extend([x - 1, x, x + 1, -x, -x - 1, 1 - x]);
            }
        }
        let integer = |low: i128, high: i128, random: &mut Random| {
            let inside = ints.iter().copied().filter(|x| (low..=high).contains(x));
            let mut all: Vec<i128> = inside.collect();
            all.extend((0..300).map(|_| {
                let few = random.below(64);
                (i128::from(random.next() >> few)).clamp(low, high)
            }));
            all
        };
        macro_rules! bytes {
            ($t:ident) => {
                integer($t::MIN.into(), $t::MAX.into(), random)
                    .iter()
                    .map(|&x| (x as $t).to_ne_bytes().to_vec())
                    .collect()
            };
        }
        match number {
            Number::Bool => [0, 1, 2, 255].map(|x| vec![x]).to_vec(),
            Number::Int8 => bytes!(i8),
            Number::Int16 => bytes!(i16),
            Number::Int32 => bytes!(i32),
            Number::Int64 => bytes!(i64),
            Number::UInt8 => bytes!(u8),
            Number::UInt16 => bytes!(u16),
            Number::UInt32 => bytes!(u32),
            Number::UInt64 => bytes!(u64),
            Number::Float16 | Number::BFloat16 => {
                (0..=u16::MAX).step_by(7).map(|x| x.to_ne_bytes().to_vec()).collect()
            }
            Number::Float32 => {
                let any = (0..500).map(|_| f32::from_bits(random.next() as u32));
                let all = floats.iter().map(|&x| x as f32).chain(any);
                all.map(|x| x.to_ne_bytes().to_vec()).collect()
            }
            _ => {
                let any = (0..500).map(|_| f64::from_bits(random.next()));
                let all = floats.iter().copied().chain(any);
                all.map(|x| x.to_ne_bytes().to_vec()).collect()
            }
        }
    }

    fn one_row(bytes: &[u8], from: Number, to: Number) -> Result<Vec<u8>> {
        let n = bytes.len() / from.size();
        let mut out = vec![0xaa; n * to.size()];
        let mut dst = ViewMut::contiguous(&mut out, &[n], to.size())?;
        convert(&View::contiguous(bytes, &[n], from.size())?, from, &mut dst, to)?;
        Ok(out)
    }

    #[test]
    fn every_pair_at_the_edges() {
        let mut random = Random(11);
        for from in REALS {
            let edges = edges(from, &mut random);
            for to in REALS {
                let (good, bad): (Vec<_>, Vec<_>) = edges
                    .iter()
                    .partition(|x| from == to || expected(exact(from, x), to).is_some());
                let good: Vec<u8> = good.into_iter().flatten().copied().collect();
                let out =
                    one_row(&good, from, to).unwrap_or_else(|e| panic!("{from:?} {to:?} {e}"));
                if from == to {
                    assert_eq!(out, good);
                    continue;
                }
                for (x, y) in good.chunks_exact(from.size()).zip(out.chunks_exact(to.size())) {
                    let (x, y) = (exact(from, x), exact(to, y));
                    let z = expected(x, to).unwrap_or(Exact::Int(-99));
                    assert!(same(y, z), "{x:?} of {from:?} as {to:?}: {y:?}, expected {z:?}");
                }
                for x in bad {
                    // Alone, and at the end of a row that is otherwise good.
                    let n = good.len() / from.size();
                    let row = [&good[..], x].concat();
                    for (bytes, at) in [(&x[..], 0), (&row, n)] {
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
        ];
        for round in 0..2000 {
            let shape = random.shape(if round % 40 == 0 { 30_000 } else { 600 });
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
            let limit = if to == Number::Bool { 2 } else { 128 };
            let values: Vec<u8> = places.iter().map(|_| random.below(limit) as u8).collect();
            places.iter().zip(&values).for_each(|(&at, &x)| write(at, x));
            // One that does not fit, now and then.
            let narrow = matches!(to, Number::Int8 | Number::Bool);
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
    fn complex_to_real_whatever_the_value() {
        for from in [Number::Complex64, Number::Complex128] {
            for to in REALS {
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
