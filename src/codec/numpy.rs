//! Numbers with NumPy's rules, for the filters that numcodecs defines by NumPy: types named by type
//! strings, casts that never fail, arithmetic with Python scalars.
//!
//! Everything processes blocks that stay in the nearest cache, with a separate loop for each step,
//! so that steps need no variant for each pair of types.

use super::config::Config;
use super::{ArrayCodec, ChunkSpec};
use crate::error::{Context, Error, Result};
use crate::metadata::{DataType, Endian, typestr};
use crate::strided::{Number, Swap, fits_row};
use half::{bf16, f16};
use serde_json::Value;

/// Elements of a block.
const BLOCK: usize = 1024;

/// The type on one side of a filter.
#[derive(Clone)]
pub struct Typed {
    /// The data type of an element.
    pub data_type: DataType,
    /// The type of computation: the same, or a part of a complex number.
    pub part: Number,
    /// Converts between memory and the byte order of the type string.
    pub swap: Swap,
}

impl Typed {
    /// The type that the parameter `key` names; defaults to `otherwise`.
    pub fn new(config: &Config<'_>, key: &str, otherwise: &DataType) -> Result<Self> {
        let (data_type, order) = match config.get(key) {
            None => (otherwise.clone(), None),
            Some(Value::String(text)) => {
                typestr::parse(text).at(|| format!("codec {:?}: {key}", config.name()))?
            }
            Some(other) => {
                return Err(config.error(format!("{key:?}: expected a type string, found {other}")));
            }
        };
        let part = data_type.number().map(Number::part).filter(|&n| is_numpys(n));
        let part = part.ok_or_else(|| {
            config.error(format!(
                "encodes NumPy's number types: {} is not supported",
                data_type.name()
            ))
        })?;
        // "i4" has the byte order of the machine that wrote it, most likely little-endian
        let swap = data_type.swap(order.unwrap_or(Endian::Little));
        Ok(Typed { data_type, part, swap })
    }

    /// Bytes of an element.
    pub fn size(&self) -> usize {
        self.data_type.size()
    }

    /// Numbers in an element.
    pub fn parts(&self) -> usize {
        self.size() / self.part.size()
    }
}

/// The types before and after a filter.
#[derive(Clone)]
pub struct Sides {
    /// The type that encoding receives.
    pub decoded: Typed,
    /// The type that encoding produces.
    pub encoded: Typed,
}

impl Sides {
    /// Reads the decoded and encoded types from two parameters. The decoded type defaults to the
    /// array's, the encoded type to the decoded one.
    pub fn new(
        config: &Config<'_>,
        decoded: &str,
        encoded: &str,
        spec: &ChunkSpec,
    ) -> Result<Self> {
        let decoded = Typed::new(config, decoded, &spec.data_type)?;
        let encoded = Typed::new(config, encoded, &decoded.data_type)?;
        if decoded.parts() != encoded.parts() {
            let (from, to) = (decoded.data_type.name(), encoded.data_type.name());
            return Err(config.error(format!("cannot convert {from} to {to}")));
        }
        Ok(Sides { decoded, encoded })
    }

    /// The chunk after a filter, with its fill value encoded like an element.
    pub fn encoded(&self, decoded: &ChunkSpec, codec: &dyn ArrayCodec) -> Result<ChunkSpec> {
        let (from, to) = (&self.decoded, &self.encoded);
        if from.size() != decoded.data_type.size() {
            return Err(Error::metadata(format!(
                "the filter expects elements of type {}, the array has {}",
                from.data_type.name(),
                decoded.data_type.name()
            )));
        }
        let mut fill = vec![0; to.size()];
        codec.encode(&decoded.fill.bytes()?, &mut fill)?;
        let data_type = to.data_type.clone();
        Ok(ChunkSpec { data_type, fill: fill.into(), ..decoded.clone() })
    }
}

fn is_numpys(number: Number) -> bool {
    use Number::*;
    is_integer(number) || matches!(number, Bool | Float16 | BFloat16 | Float32 | Float64)
}

/// Whether a number has no fraction.
fn is_integer(number: Number) -> bool {
    use Number::*;
    matches!(number, Int8 | Int16 | Int32 | Int64 | UInt8 | UInt16 | UInt32 | UInt64)
}

macro_rules! each {
    ($src:expr, $from:ty, $out:expr, $to:ty, $f:expr) => {{
        let src = $src.as_chunks::<{ size_of::<$from>() }>().0;
        let out = $out.as_chunks_mut::<{ size_of::<$to>() }>().0;
        let f = $f;
        for (from, to) in src.iter().zip(out) {
            *to = <$to>::to_ne_bytes(f(<$from>::from_ne_bytes(*from)));
        }
    }};
}

macro_rules! in_place {
    ($bytes:expr, $type:ty, $f:expr) => {{
        let f = $f;
        for bytes in $bytes.as_chunks_mut::<{ size_of::<$type>() }>().0 {
            *bytes = <$type>::to_ne_bytes(f(<$type>::from_ne_bytes(*bytes)));
        }
    }};
}

/// The type in which NumPy adds numbers of two types.
pub fn promoted(a: Number, b: Number) -> Number {
    use Number::*;
    let (narrow, wide) = if a.size() <= b.size() { (a, b) } else { (b, a) };
    let is_signed = |n| matches!(n, Int8 | Int16 | Int32 | Int64);
    match (narrow, wide) {
        _ if a == b => a,
        (Bool, other) | (other, Bool) => other,
        _ if is_integer(a) && is_integer(b) => match (is_signed(narrow), is_signed(wide)) {
            (false, false) | (_, true) if narrow.size() < wide.size() => wide,
            (true, true) | (false, false) => wide,
            // a type that holds both
            _ => match wide.size() {
                1 => Int16,
                2 => Int32,
                4 => Int64,
                _ => Float64,
            },
        },
        _ if is_integer(a) || is_integer(b) => {
            let (integer, float) = if is_integer(a) { (a, b) } else { (b, a) };
            let least = match integer.size() {
                1 => Float16,
                2 => Float32,
                _ => Float64,
            };
            if float.size() >= least.size() { float } else { least }
        }
        (Float16 | BFloat16, Float16 | BFloat16) => Float32,
        _ => wide,
    }
}

/// What x86 makes of a float that does not fit 32 bits.
fn to_i32(x: f64) -> i32 {
    if x > -2_147_483_649.0 && x < 2_147_483_648.0 { x as i32 } else { i32::MIN }
}

/// Likewise for 64.
fn to_i64(x: f64) -> i64 {
    const END: f64 = 9_223_372_036_854_775_808.0;
    if (-END..END).contains(&x) { x as i64 } else { i64::MIN }
}

fn to_u32(x: f64) -> u32 {
    const HALF: f64 = 2_147_483_648.0;
    if x >= HALF { (to_i32(x - HALF) as u32) ^ (1 << 31) } else { to_i32(x) as u32 }
}

fn to_u64(x: f64) -> u64 {
    const HALF: f64 = 9_223_372_036_854_775_808.0;
    if x >= HALF { (to_i64(x - HALF) as u64) ^ (1 << 63) } else { to_i64(x) as u64 }
}

/// Widens integers to 64 bits, two's complement.
fn widen(src: &[u8], from: Number, out: &mut [u8]) {
    match from {
        Number::UInt64 | Number::Int64 => out.copy_from_slice(src),
        _ => drop(fits_row(src, from, out, Number::Int64)), // all fit
    }
}

/// Truncates 64-bit integers to their lowest bits.
fn truncate(src: &[u8], out: &mut [u8], to: Number) {
    match to.size() {
        1 => each!(src, u64, out, u8, |x: u64| x as u8),
        2 => each!(src, u64, out, u16, |x: u64| x as u16),
        4 => each!(src, u64, out, u32, |x: u64| x as u32),
        _ => out.copy_from_slice(src),
    }
}

/// Casts a block like `ndarray.astype`: integers wrap, floats lose their fraction, what is too
/// large for a float becomes infinite. A float out of an integer's range becomes what x86 makes of
/// it (NumPy is inconsistent for a uint32 out of range). Neither type is complex.
fn cast_block(src: &[u8], from: Number, out: &mut [u8], to: Number) {
    if fits_row(src, from, out, to) {
        return;
    }
    let mut wide = [0u8; 8 * BLOCK];
    let wide = &mut wide[..src.len() / from.size() * 8];
    if is_integer(from) && is_integer(to) {
        widen(src, from, wide);
        return truncate(wide, out, to);
    }
    fits_row(src, from, wide, Number::Float64); // every number fits
    match to {
        Number::Bool => each!(wide, f64, out, u8, |x| u8::from(x != 0.0)),
        Number::Int8 | Number::UInt8 => each!(wide, f64, out, u8, |x| to_i32(x) as u8),
        Number::Int16 | Number::UInt16 => each!(wide, f64, out, u16, |x| to_i32(x) as u16),
        Number::Int32 => each!(wide, f64, out, i32, to_i32),
        Number::UInt32 => each!(wide, f64, out, u32, to_u32),
        Number::Int64 => each!(wide, f64, out, i64, to_i64),
        Number::UInt64 => each!(wide, f64, out, u64, to_u64),
        Number::Float16 => each!(wide, f64, out, f16, f16::from_f64),
        Number::BFloat16 => each!(wide, f64, out, bf16, bf16::from_f64),
        Number::Float32 => each!(wide, f64, out, f32, |x| x as f32),
        _ => {} // every number fits
    }
}

/// Casts numbers, as [`cast_block`] does.
pub fn cast(src: &[u8], from: Number, out: &mut [u8], to: Number) {
    let src = src.chunks(from.size() * BLOCK);
    src.zip(out.chunks_mut(to.size() * BLOCK))
        .for_each(|(src, out)| cast_block(src, from, out, to));
}

/// A Python scalar, which takes the type of the array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// An `int`.
    Int(i64),
    /// A `float`, or an `int` of more bits.
    Float(f64),
}

impl Scalar {
    /// The required parameter `key`.
    pub fn new(config: &Config<'_>, key: &str) -> Result<Self> {
        let value = config.get(key).ok_or_else(|| config.missing(key))?;
        let int = value.as_i64().map(Scalar::Int);
        int.or(value.as_f64().map(Scalar::Float))
            .ok_or_else(|| config.error(format!("{key:?}: expected a number, found {value}")))
    }

    /// As a float.
    pub fn float(self) -> f64 {
        match self {
            Scalar::Int(n) => n as f64,
            Scalar::Float(x) => x,
        }
    }

    /// As a number of an integer type, if it fits.
    fn integer(self, number: Number) -> Option<i64> {
        let Scalar::Int(n) = self else { return None };
        let bits = number.size() as u32 * 8;
        let fits = match number {
            Number::UInt8 | Number::UInt16 | Number::UInt32 => n >= 0 && n >> bits == 0,
            Number::UInt64 => n >= 0,
            Number::Int8 | Number::Int16 | Number::Int32 => {
                (-1i64 << (bits - 1)..1i64 << (bits - 1)).contains(&n)
            }
            Number::Int64 => true,
            _ => false,
        };
        fits.then_some(n)
    }
}

/// An operation on each number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// `x + n`
    Add(Scalar),
    /// `x - n`
    Subtract(Scalar),
    /// `x * n`
    Multiply(Scalar),
    /// `x / n`, of integers a float64
    Divide(Scalar),
    /// To the nearest integer, ties to even.
    Round,
}

/// Rounds to the nearest integer, ties to even: adds a number so large that no fraction is left,
/// which compiles to vectors on every machine.
macro_rules! rint {
    ($x:expr, $type:ty, $large:expr) => {{
        let x: $type = $x;
        let whole = if x.abs() < $large { x.abs() + $large - $large } else { x.abs() };
        whole.copysign(x)
    }};
}

/// To the nearest integer, ties to even.
pub fn rint32(x: f32) -> f32 {
    rint!(x, f32, 8_388_608.0)
}

/// To the nearest integer, ties to even.
pub fn rint64(x: f64) -> f64 {
    rint!(x, f64, 4_503_599_627_370_496.0)
}

/// Numbers passing through operations, in one of two buffers.
struct Lane {
    rooms: [[u8; 8 * BLOCK]; 2],
    /// The index of the buffer.
    at: usize,
    number: Number,
    len: usize,
}

/// All operations with floats of a type, in one pass of a filter.
macro_rules! floats {
    ($bytes:expr, $type:ty, $ops:expr, $rint:expr, $scalar:expr) => {{
        use Op::*;
        let n = $scalar;
        match $ops {
            [Subtract(a), Multiply(b), Round] => {
                let (a, b) = (n(*a), n(*b));
                in_place!($bytes, $type, |x| $rint((x - a) * b));
            }
            [Divide(a), Add(b)] => {
                let (a, b) = (n(*a), n(*b));
                in_place!($bytes, $type, |x| x / a + b);
            }
            [Multiply(a), Round, Divide(b)] => {
                let (a, b) = (n(*a), n(*b));
                in_place!($bytes, $type, |x| $rint(x * a) / b);
            }
            ops => {
                for op in ops {
                    match *op {
                        Round => in_place!($bytes, $type, $rint),
                        Add(a) => {
                            let a = n(a);
                            in_place!($bytes, $type, |x| x + a);
                        }
                        Subtract(a) => {
                            let a = n(a);
                            in_place!($bytes, $type, |x| x - a);
                        }
                        Multiply(a) => {
                            let a = n(a);
                            in_place!($bytes, $type, |x| x * a);
                        }
                        Divide(a) => {
                            let a = n(a);
                            in_place!($bytes, $type, |x| x / a);
                        }
                    }
                }
            }
        }
    }};
}

impl Lane {
    fn bytes(&mut self) -> &mut [u8] {
        &mut self.rooms[self.at][..self.len * self.number.size()]
    }

    /// The current numbers, and the other buffer for numbers of `size`.
    fn both(&mut self, size: usize) -> (&mut [u8], &mut [u8]) {
        let len = self.len * self.number.size();
        let [first, second] = &mut self.rooms;
        let (here, there) = if self.at == 0 { (first, second) } else { (second, first) };
        (&mut here[..len], &mut there[..self.len * size])
    }

    fn become_number(&mut self, number: Number) {
        if self.number != number {
            let from = self.number;
            let (here, there) = self.both(number.size());
            cast_block(here, from, there, number);
            (self.at, self.number) = (1 - self.at, number);
        }
    }

    fn apply(&mut self, mut ops: &[Op]) {
        if self.number == Number::Bool {
            self.become_number(Number::Int64);
        }
        while is_integer(self.number)
            && let Some((&op, rest)) = ops.split_first()
        {
            if self.apply_to_integers(op) {
                ops = rest;
            } else {
                self.become_number(Number::Float64);
            }
        }
        match self.number {
            Number::Float64 => floats!(self.bytes(), f64, ops, rint64, Scalar::float),
            Number::Float32 => {
                floats!(self.bytes(), f32, ops, rint32, |n: Scalar| n.float() as f32);
            }
            // computed as float32, and rounded after each operation
            narrow @ (Number::Float16 | Number::BFloat16) => {
                let scalar = |n: Scalar| match narrow {
                    Number::Float16 => f16::from_f64(n.float()).to_f32(),
                    _ => bf16::from_f64(n.float()).to_f32(),
                };
                for op in ops {
                    self.become_number(Number::Float32);
                    floats!(self.bytes(), f32, std::slice::from_ref(op), rint32, scalar);
                    self.become_number(narrow);
                }
            }
            _ => {}
        }
    }

    /// Applies an operation on integers that yields integers; `false`: it yields floats.
    fn apply_to_integers(&mut self, op: Op) -> bool {
        let n = |scalar: Scalar| scalar.integer(self.number);
        let integers = match op {
            Op::Round => return true,
            Op::Divide(_) => None,
            Op::Add(scalar) => n(scalar).map(|n| (1, n)),
            Op::Subtract(scalar) => n(scalar).map(|n| (1, n.wrapping_neg())),
            Op::Multiply(scalar) => n(scalar).map(|n| (n, 0)),
        };
        let Some((factor, offset)) = integers else { return false };
        let number = self.number;
        let (here, wide) = self.both(8);
        widen(here, number, wide);
        in_place!(wide, i64, |x: i64| x.wrapping_mul(factor).wrapping_add(offset));
        truncate(wide, here, number);
        true
    }
}

/// Applies all `ops` to numbers, and casts the result.
pub fn compute(src: &[u8], from: Number, ops: &[Op], out: &mut [u8], to: Number) {
    let mut lane = Lane { rooms: [[0; 8 * BLOCK]; 2], at: 0, number: from, len: 0 };
    let src = src.chunks(from.size() * BLOCK);
    for (src, out) in src.zip(out.chunks_mut(to.size() * BLOCK)) {
        lane.number = from;
        lane.len = src.len() / from.size();
        lane.bytes().copy_from_slice(src);
        lane.apply(ops);
        let number = lane.number;
        cast_block(lane.bytes(), number, out, to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes<const N: usize, T: Copy>(values: &[T], to: impl Fn(T) -> [u8; N]) -> Vec<u8> {
        values.iter().flat_map(|&x| to(x)).collect()
    }

    #[test]
    fn casts_as_numpy_makes_them_on_x86() {
        // np.array([-1.5, 255.9, 256, 70000, -3e9, 3e9, 1e20, nan], "f8").astype(…)
        let x = [-1.5, 255.9, 256.0, 70000.0, -3e9, 3e9, 1e20, f64::NAN];
        let src = bytes(&x, f64::to_ne_bytes);
        let mut out = vec![0; 8];
        cast(&src, Number::Float64, &mut out, Number::UInt8);
        assert_eq!(out, [255, 255, 0, 112, 0, 0, 0, 0]);
        let mut out = vec![0; 32];
        cast(&src, Number::Float64, &mut out, Number::Int32);
        let min = i32::MIN;
        assert_eq!(out, bytes(&[-1, 255, 256, 70000, min, min, min, min], i32::to_ne_bytes));
        cast(&src, Number::Float64, &mut out, Number::UInt32);
        let wrapped = [u32::MAX, 255, 256, 70000]; // of what follows NumPy makes now this, now that
        assert_eq!(out[..16], bytes(&wrapped, u32::to_ne_bytes));
        let mut out = vec![0; 64];
        cast(&src, Number::Float64, &mut out, Number::UInt64);
        let top = 1u64 << 63;
        let wrapped =
            [u64::MAX, 255, 256, 70000, 3_000_000_000u64.wrapping_neg(), 3_000_000_000, 0, top];
        assert_eq!(out, bytes(&wrapped, u64::to_ne_bytes));
        let mut out = vec![9; 8];
        cast(&src, Number::Float64, &mut out, Number::Bool);
        assert_eq!(out, [1; 8]);
        // and integers
        let src = bytes(&[-1i64, 300, i64::MIN, 1 << 40], i64::to_ne_bytes);
        let mut out = vec![0; 8];
        cast(&src, Number::Int64, &mut out, Number::UInt16);
        assert_eq!(out, bytes(&[u16::MAX, 300, 0, 0], u16::to_ne_bytes));
    }

    #[test]
    fn nearest_ties_to_even() {
        for x in [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 4503599627370495.5] {
            assert_eq!(rint64(x).to_bits(), x.round_ties_even().to_bits(), "{x}");
            let x = x as f32;
            assert_eq!(rint32(x).to_bits(), x.round_ties_even().to_bits(), "{x}");
        }
        assert!(rint64(f64::NAN).is_nan() && rint32(f32::NAN).is_nan());
        assert_eq!(rint64(f64::NEG_INFINITY), f64::NEG_INFINITY);
    }

    #[test]
    fn integers_stay_integers_with_integers() {
        let src = [250u8, 3];
        let mut out = [0; 2];
        let ops = [Op::Subtract(Scalar::Int(5)), Op::Multiply(Scalar::Int(2)), Op::Round];
        compute(&src, Number::UInt8, &ops, &mut out, Number::UInt8);
        assert_eq!(out, [234, 252]);
        let ops = [Op::Subtract(Scalar::Float(5.0)), Op::Multiply(Scalar::Int(2))];
        let mut out = [0; 16];
        compute(&src, Number::UInt8, &ops, &mut out, Number::Float64);
        assert_eq!(out.to_vec(), bytes(&[490.0, -4.0], f64::to_ne_bytes));
    }
}
