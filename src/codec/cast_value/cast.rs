//! Casts numbers to another type: by one loop if a whole block fits, else one by one.

use crate::codec::numpy::{rint32, rint64};
use crate::error::{Error, Kind, Result};
use crate::strided::{Number, fits_row};

/// Elements of a block.
const BLOCK: usize = 1024;

/// How to round a number between two of the target type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rounding {
    NearestEven,
    NearestAway,
    TowardsZero,
    TowardsPositive,
    TowardsNegative,
}

/// How to treat a number out of the target's range.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum OutOfRange {
    Clamp,
    Wrap,
}

/// A cast in one direction.
pub(super) struct Cast {
    pub from: Number,
    pub to: Number,
    pub rounding: Rounding,
    pub out_of_range: Option<OutOfRange>,
    pub map: Map,
    /// The kind of error for a number that cannot be cast.
    pub failure: Kind,
}

/// Replacements of single numbers; the first of equal keys counts.
pub(super) type Map = Vec<(Key, Box<[u8]>)>;

/// A number that a map replaces.
pub(super) enum Key {
    Nan,
    /// Zero, also -0.
    Zero,
    Bytes(Box<[u8]>),
}

pub(super) fn is_integer(number: Number) -> bool {
    range(number).is_some()
}

/// The minimum and maximum of an integer type.
fn range(number: Number) -> Option<(i128, i128)> {
    let bits = number.size() as u32 * 8;
    match number {
        Number::Int8 | Number::Int16 | Number::Int32 | Number::Int64 => {
            Some((-1 << (bits - 1), (1 << (bits - 1)) - 1))
        }
        Number::UInt8 | Number::UInt16 | Number::UInt32 | Number::UInt64 => {
            Some((0, (1 << bits) - 1))
        }
        Number::SmallInt(small) => Some((small.range().0.into(), small.range().1.into())),
        _ => None,
    }
}

/// A number, exactly.
#[derive(Clone, Copy, Debug)]
pub(super) enum Exact {
    Int(i128),
    Float(f64),
}

/// The number in so many bytes.
pub(super) fn exact(bytes: &[u8], number: Number) -> Exact {
    let mut wide = [0; 8];
    match number {
        Number::UInt64 => {
            wide.copy_from_slice(bytes);
            Exact::Int(u64::from_ne_bytes(wide).into())
        }
        _ if is_integer(number) => {
            fits_row(bytes, number, &mut wide, Number::Int64); // always fits
            Exact::Int(i64::from_ne_bytes(wide).into())
        }
        _ => {
            fits_row(bytes, number, &mut wide, Number::Float64); // always fits
            Exact::Float(f64::from_ne_bytes(wide))
        }
    }
}

/// Casts to an integer, by `rint` and vector operations only.
macro_rules! rounded {
    ($x:expr, $rounding:expr, $rint:expr) => {{
        let x = $x;
        let near = $rint(x);
        match $rounding {
            Rounding::NearestEven => near,
            Rounding::NearestAway => {
                let tie = (x - near).abs() == 0.5 && near.abs() < x.abs();
                if tie { near + x.signum() } else { near }
            }
            Rounding::TowardsZero => {
                if near.abs() > x.abs() {
                    near - x.signum()
                } else {
                    near
                }
            }
            Rounding::TowardsPositive => {
                if near < x {
                    near + 1.0
                } else {
                    near
                }
            }
            Rounding::TowardsNegative => {
                if near > x {
                    near - 1.0
                } else {
                    near
                }
            }
        }
    }};
}

impl Cast {
    pub fn run(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        let (size, to) = (self.from.size(), self.to.size());
        for (n, (src, out)) in src.chunks(size * BLOCK).zip(out.chunks_mut(to * BLOCK)).enumerate()
        {
            if self.map.is_empty() {
                self.block(src, out, n * BLOCK)?;
                continue;
            }
            let mut rest = [0u8; 8 * BLOCK];
            let rest = &mut rest[..src.len()];
            rest.copy_from_slice(src);
            let mut found = [(0u16, 0u16); BLOCK];
            let mut count = 0;
            for (at, number) in rest.chunks_exact_mut(size).enumerate() {
                if let Some(which) = self.map.iter().position(|(key, _)| self.is(key, number)) {
                    found[count] = (at as u16, which as u16);
                    count += 1;
                    number.fill(0);
                }
            }
            self.block(rest, out, n * BLOCK)?;
            for &(at, which) in &found[..count] {
                let at = usize::from(at) * to;
                out[at..at + to].copy_from_slice(&self.map[usize::from(which)].1);
            }
        }
        Ok(())
    }

    fn is(&self, key: &Key, number: &[u8]) -> bool {
        match key {
            Key::Bytes(bytes) => **bytes == *number,
            Key::Zero => matches!(exact(number, self.from), Exact::Float(0.0)),
            Key::Nan => matches!(exact(number, self.from), Exact::Float(x) if x.is_nan()),
        }
    }

    /// Casts numbers that no map replaces; the first has index `before`.
    fn block(&self, src: &[u8], out: &mut [u8], before: usize) -> Result<()> {
        if self.whole_block(src, out) {
            return Ok(());
        }
        let numbers = src.chunks_exact(self.from.size());
        for (n, (from, to)) in numbers.zip(out.chunks_exact_mut(self.to.size())).enumerate() {
            if !self.one(from, to) {
                let value = match exact(from, self.from) {
                    Exact::Int(n) => n.to_string(),
                    Exact::Float(x) => format!("{x:?}"),
                };
                return Err(Error::new(
                    self.failure,
                    format!("element {}: {value} does not fit {}", before + n, self.to.name()),
                ));
            }
        }
        Ok(())
    }

    /// Casts a block by one loop; `false`: a number does not fit.
    fn whole_block(&self, src: &[u8], out: &mut [u8]) -> bool {
        let directed = self.rounding != Rounding::NearestEven;
        if is_integer(self.from) || !is_integer(self.to) {
            let widens = is_integer(self.to) || self.is_exact();
            return (widens || !directed) && fits_row(src, self.from, out, self.to);
        }
        if self.rounding == Rounding::TowardsZero {
            return fits_row(src, self.from, out, self.to);
        }
        let wide = if self.from == Number::Float64 { self.from } else { Number::Float32 };
        let mut room = [0u8; 8 * BLOCK];
        let room = &mut room[..src.len() / self.from.size() * wide.size()];
        fits_row(src, self.from, room, wide); // all fit
        let rounding = self.rounding;
        if wide == Number::Float64 {
            for bytes in room.as_chunks_mut::<8>().0 {
                let x = f64::from_ne_bytes(*bytes);
                *bytes = f64::to_ne_bytes(rounded!(x, rounding, rint64));
            }
        } else {
            for bytes in room.as_chunks_mut::<4>().0 {
                let x = f32::from_ne_bytes(*bytes);
                *bytes = f32::to_ne_bytes(rounded!(x, rounding, rint32));
            }
        }
        fits_row(room, wide, out, self.to)
    }

    /// Whether one float type holds every number of the other.
    fn is_exact(&self) -> bool {
        use Number::*;
        let integers: &[Number] = match self.to {
            Float64 => &[Int8, Int16, Int32, UInt8, UInt16, UInt32, Float16, BFloat16, Float32],
            Float32 => &[Int8, Int16, UInt8, UInt16, Float16, BFloat16],
            Float16 | BFloat16 => &[Int8, UInt8],
            _ => &[],
        };
        self.from == self.to || integers.contains(&self.from)
    }

    /// Casts one number; `false`: the type cannot hold it.
    fn one(&self, src: &[u8], out: &mut [u8]) -> bool {
        match range(self.to) {
            Some((least, most)) => self.one_integer(src, out, least, most),
            None => self.one_float(src, out),
        }
    }

    fn one_integer(&self, src: &[u8], out: &mut [u8], least: i128, most: i128) -> bool {
        let modulus = most - least + 1;
        let value = match exact(src, self.from) {
            Exact::Int(n) => n,
            Exact::Float(x) if !x.is_finite() => return false,
            Exact::Float(x) => {
                let whole = rounded!(x, self.rounding, rint64);
                match self.out_of_range {
                    // exact, and small enough to be an integer
                    Some(OutOfRange::Wrap) => (whole % modulus as f64) as i128,
                    // what exceeds an i128 is still out of range
                    _ => whole as i128,
                }
            }
        };
        let value = match self.out_of_range {
            _ if (least..=most).contains(&value) => value,
            Some(OutOfRange::Clamp) => value.clamp(least, most),
            Some(OutOfRange::Wrap) => (value - least).rem_euclid(modulus) + least,
            None => return false,
        };
        let bytes = value.to_le_bytes();
        out.copy_from_slice(&bytes[..out.len()]);
        if cfg!(target_endian = "big") {
            out.reverse();
        }
        true
    }

    fn one_float(&self, src: &[u8], out: &mut [u8]) -> bool {
        let value = exact(src, self.from);
        if fits_row(src, self.from, out, self.to) && self.direct(value, out) {
            return true;
        }
        let negative = match value {
            Exact::Int(n) => n < 0,
            Exact::Float(x) => x < 0.0,
        };
        if self.out_of_range != Some(OutOfRange::Clamp)
            || matches!(value, Exact::Float(x) if x.is_nan())
        {
            return false;
        }
        let infinite = if negative { f64::NEG_INFINITY } else { f64::INFINITY };
        if fits_row(&infinite.to_ne_bytes(), Number::Float64, out, self.to) {
            return true;
        }
        // an 8-bit float without infinities clamps to its extremes; infinity itself does not fit
        let ends = (0..=u8::MAX).filter_map(|bits| match exact(&[bits], self.to) {
            Exact::Float(x) if x.is_finite() => Some((if negative { -x } else { x }, bits)),
            _ => None,
        });
        let end = ends.max_by(|a, b| a.0.total_cmp(&b.0));
        let finite = !matches!(value, Exact::Float(x) if x.is_infinite());
        match (end, out) {
            (Some((_, bits)), [to]) if finite => {
                *to = bits;
                true
            }
            _ => false,
        }
    }

    /// Adjusts the float nearest to `value` by the rounding mode; `false`: the result is infinite.
    fn direct(&self, value: Exact, nearest: &mut [u8]) -> bool {
        let Exact::Float(near) = exact(nearest, self.to) else { return true };
        // the exact error: a number and its nearest float are close
        let off = match value {
            Exact::Int(n) => (near as i128).cmp(&n),
            Exact::Float(x) => match near.partial_cmp(&x) {
                Some(order) => order,
                None => return true, // NaN
            },
        };
        if off.is_eq() {
            return true;
        }
        let above = off.is_gt();
        let negative = match value {
            Exact::Int(n) => n < 0,
            Exact::Float(x) => x < 0.0,
        };
        let up = match self.rounding {
            Rounding::NearestEven => return true,
            Rounding::TowardsPositive if !above => true,
            Rounding::TowardsNegative if above => false,
            Rounding::TowardsZero if above != negative => negative,
            // the nearest is towards zero: a tie needs the other one
            Rounding::NearestAway if above == negative => !negative,
            _ => return true,
        };
        let other = step(nearest, up);
        let Exact::Float(far) = exact(&other[..nearest.len()], self.to) else { return true };
        if self.rounding == Rounding::NearestAway {
            let tie = match value {
                Exact::Int(n) => far.is_finite() && far as i128 - n == n - near as i128,
                Exact::Float(x) => far - x == x - near,
            };
            if !tie {
                return true;
            }
        }
        nearest.copy_from_slice(&other[..nearest.len()]);
        far.is_finite()
    }
}

/// The next float up or down.
fn step(bytes: &[u8], up: bool) -> [u8; 8] {
    let mut wide = [0; 8];
    let at = if cfg!(target_endian = "big") { 8 - bytes.len() } else { 0 };
    wide[at..at + bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_ne_bytes(wide);
    let sign = 1 << (bytes.len() * 8 - 1);
    let next = match (bits & !sign, bits & sign != 0) {
        (0, _) => 1 | if up { 0 } else { sign },
        (_, negative) if negative != up => bits + 1,
        _ => bits - 1,
    };
    let next = next.to_ne_bytes();
    let mut out = [0; 8];
    out[..bytes.len()].copy_from_slice(&next[at..at + bytes.len()]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cast(from: Number, to: Number, rounding: Rounding, out: Option<OutOfRange>) -> Cast {
        let map = Vec::new();
        Cast { from, to, rounding, out_of_range: out, map, failure: Kind::TypeMismatch }
    }

    const ALL: [Rounding; 5] = [
        Rounding::NearestEven,
        Rounding::NearestAway,
        Rounding::TowardsZero,
        Rounding::TowardsPositive,
        Rounding::TowardsNegative,
    ];

    #[test]
    fn floats_to_integers() {
        let x = [2.5, -2.5, 3.5, 0.1, -0.1, 0.49999999999999994, 2.9, -2.9];
        let expected: [[i8; 8]; 5] = [
            [2, -2, 4, 0, 0, 0, 3, -3],
            [3, -3, 4, 0, 0, 0, 3, -3],
            [2, -2, 3, 0, 0, 0, 2, -2],
            [3, -2, 4, 1, 0, 1, 3, -2],
            [2, -3, 3, 0, -1, 0, 2, -3],
        ];
        let src = x.map(f64::to_ne_bytes).concat();
        for (rounding, expected) in ALL.into_iter().zip(expected) {
            let cast = cast(Number::Float64, Number::Int8, rounding, None);
            let mut out = [0; 8];
            cast.run(&src, &mut out).expect("they fit");
            assert_eq!(out.map(|b| b as i8), expected, "{rounding:?}");
            for (from, to) in src.chunks_exact(8).zip(expected) {
                let mut out = [0];
                assert!(cast.one(from, &mut out));
                assert_eq!(out[0] as i8, to, "{rounding:?}");
            }
        }
    }

    #[test]
    fn what_is_out_of_range() {
        let src = [128.0, -129.0, 1e30, 300.4].map(f64::to_ne_bytes).concat();
        let to = |out_of_range| cast(Number::Float64, Number::Int8, ALL[0], out_of_range);
        let mut out = [0; 4];
        let e = to(None).run(&src, &mut out).expect_err("too large");
        assert_eq!(e.to_string(), "element 0: 128.0 does not fit int8");
        to(Some(OutOfRange::Clamp)).run(&src, &mut out).expect("clamps");
        assert_eq!(out.map(|b| b as i8), [127, -128, 127, 127]);
        to(Some(OutOfRange::Wrap)).run(&src, &mut out).expect("wraps");
        assert_eq!(out.map(|b| b as i8), [-128, 127, 0, 44]);
        for special in [f64::NAN, f64::INFINITY] {
            let src = special.to_ne_bytes();
            assert!(to(Some(OutOfRange::Clamp)).run(&src, &mut out[..1]).is_err());
        }
        // integers, as the specification has it
        let src = [32768i32, 32769, -32769].map(i32::to_ne_bytes).concat();
        let wrap = cast(Number::Int32, Number::Int16, ALL[0], Some(OutOfRange::Wrap));
        let mut out = [0; 6];
        wrap.run(&src, &mut out).expect("wraps");
        assert_eq!(out.to_vec(), [-32768i16, -32767, 32767].map(i16::to_ne_bytes).concat());
        // floats become infinite
        let clamp = cast(Number::Float64, Number::Float32, ALL[0], Some(OutOfRange::Clamp));
        let mut out = [0; 4];
        clamp.run(&(-1e300f64).to_ne_bytes(), &mut out).expect("clamps");
        assert_eq!(f32::from_ne_bytes(out), f32::NEG_INFINITY);
    }

    #[test]
    fn floats_and_integers_to_narrower_floats() {
        let up = 1.0f32.next_up();
        let between = 1.0 + (f64::from(up) - 1.0) / 4.0;
        let tie = 1.0 + (f64::from(up) - 1.0) / 2.0;
        for (x, expected) in [
            (between, [1.0, 1.0, 1.0, up, 1.0]),
            (-between, [-1.0, -1.0, -1.0, -1.0, -up]),
            (tie, [1.0, up, 1.0, up, 1.0]),
            (-tie, [-1.0, -up, -1.0, -1.0, -up]),
            (1e-60, [0.0, 0.0, 0.0, f32::from_bits(1), 0.0]),
            (-1e-60, [-0.0, -0.0, -0.0, -0.0, -f32::from_bits(1)]),
            (2.5, [2.5; 5]),
        ] {
            for (rounding, expected) in ALL.into_iter().zip(expected) {
                let mut out = [0; 4];
                let cast = cast(Number::Float64, Number::Float32, rounding, None);
                cast.run(&x.to_ne_bytes(), &mut out).expect("fits");
                assert_eq!(f32::from_ne_bytes(out), expected, "{x:e} {rounding:?}");
            }
        }
        let x = (1i64 << 53) + 1;
        let (low, high) = ((1i64 << 53) as f64, ((1i64 << 53) + 2) as f64);
        for (x, expected) in
            [(x, [low, high, low, high, low]), (-x, [-low, -high, -low, -low, -high])]
        {
            for (rounding, expected) in ALL.into_iter().zip(expected) {
                let mut out = [0; 8];
                let cast = cast(Number::Int64, Number::Float64, rounding, None);
                cast.run(&x.to_ne_bytes(), &mut out).expect("fits");
                assert_eq!(f64::from_ne_bytes(out), expected, "{x} {rounding:?}");
            }
        }
    }

    #[test]
    fn single_values_by_hand() {
        let mut cast = cast(Number::Float64, Number::UInt8, ALL[0], None);
        cast.map =
            vec![(Key::Nan, [255].into()), (Key::Bytes((-1f64).to_ne_bytes().into()), [7].into())];
        let x = [1.0, f64::NAN, -1.0, 3.0];
        let mut out = [0; 4];
        cast.run(&x.map(f64::to_ne_bytes).concat(), &mut out).expect("fits");
        assert_eq!(out, [1, 255, 7, 3]);
        assert!(cast.run(&(-2f64).to_ne_bytes(), &mut out[..1]).is_err());
    }
}
