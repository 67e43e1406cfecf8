//! Converts one number into another type, and rows of numbers by loops compiled for each pair of
//! types.
//!
//! Each cast returns a value and a flag, 0 if the number fits. The loops write every value and OR
//! the flags without branches, so that they vectorise. Only if the result is not 0 does the caller
//! search for the number that does not fit.

use std::mem::MaybeUninit;
use std::ops::BitOr;

use super::half::{
    bfloat16_from_float32, bfloat16_to_float32, float16_from_float32, float16_to_float32,
    odd_float32, odd_float64,
};
use super::number::Number;
use super::small::{Low, Small, SmallFloat, SmallInt};
use super::swap::Unaligned;

/// Converts a row: `n` numbers at the first pointer into `n` numbers at the second; `false`: one
/// did not fit (the destination is then unspecified).
///
/// Safety: the numbers are readable and writable; those read do not overlap those written.
type Loop = unsafe fn(*const u8, *mut u8, usize) -> bool;

/// The conversion of a row: one loop, or two loops with an intermediate type, so that each small
/// type needs one loop and not one for each pair.
pub(super) enum Row {
    One(Loop),
    Two { first: Loop, from: usize, second: Loop, to: usize },
}

/// Numbers converted between two loops at once; they stay in the L1 cache.
const BETWEEN: usize = 1024;

impl Row {
    /// Converts `n` numbers; `false`: one did not fit.
    ///
    /// # Safety
    /// See [`Loop`].
    pub(super) unsafe fn run(&self, src: *const u8, dst: *mut u8, n: usize) -> bool {
        let &Row::Two { first, from, second, to } = self else {
            let Row::One(only) = self else { return false };
            // SAFETY: guaranteed by the caller.
            return unsafe { only(src, dst, n) };
        };
        let mut between = MaybeUninit::<[u32; BETWEEN]>::uninit();
        let between = between.as_mut_ptr().cast::<u8>();
        (0..n).step_by(BETWEEN).all(|at| {
            let n = BETWEEN.min(n - at);
            // SAFETY: guaranteed by the caller for this part of the numbers; intermediate numbers
            // are int8s or float32s, and the second loop reads what the first has written.
            unsafe { first(src.add(at * from), between, n) && second(between, dst.add(at * to), n) }
        })
    }
}

/// The conversion from one type into another; `None`: one of them is complex.
pub(super) fn row(from: Number, to: Number) -> Option<Row> {
    use Number::{Float32, Int8};
    let two = |first, second| Row::Two { first, from: from.size(), second, to: to.size() };
    Some(match (from, to) {
        (Number::SmallInt(a), Number::SmallInt(b)) => two(int_to::<i8>(a), int_from::<i8>(b)),
        (Number::SmallInt(a), Number::SmallFloat(b)) => two(int_to::<f32>(a), float_from(b)),
        (Number::SmallFloat(a), Number::SmallInt(b)) => two(float_to(a), int_from::<f32>(b)),
        (Number::SmallFloat(a), Number::SmallFloat(b)) => two(float_to(a), float_from(b)),
        (Number::SmallInt(a), Int8) => Row::One(int_to::<i8>(a)),
        (Number::SmallInt(a), Float32) => Row::One(int_to::<f32>(a)),
        (Number::SmallInt(a), _) => two(int_to::<i8>(a), row_of(Int8, to)?),
        (Number::SmallFloat(a), Float32) => Row::One(float_to(a)),
        (Number::SmallFloat(a), _) => two(float_to(a), row_of(Float32, to)?),
        (Int8, Number::SmallInt(b)) => Row::One(int_from::<i8>(b)),
        (_, Number::SmallInt(b)) => two(row_of(from, Int8)?, int_from::<i8>(b)),
        (Float32, Number::SmallFloat(b)) => Row::One(float_from(b)),
        (_, Number::SmallFloat(b)) => two(odd(from)?, float_from(b)),
        _ => Row::One(row_of(from, to)?),
    })
}

fn int_to<T: Copy>(small: SmallInt) -> Loop
where
    Low<0>: Cast<T>,
    Low<1>: Cast<T>,
    Low<2>: Cast<T>,
    Low<3>: Cast<T>,
{
    const { assert!(SmallInt::ALL.len() == 4) };
    [cast_row::<Low<0>, T>, cast_row::<Low<1>, T>, cast_row::<Low<2>, T>, cast_row::<Low<3>, T>]
        [small as usize]
}

fn int_from<T>(small: SmallInt) -> Loop
where
    T: Cast<Low<0>> + Cast<Low<1>> + Cast<Low<2>> + Cast<Low<3>>,
{
    [cast_row::<T, Low<0>>, cast_row::<T, Low<1>>, cast_row::<T, Low<2>>, cast_row::<T, Low<3>>]
        [small as usize]
}

macro_rules! small_floats {
    ($($n:literal)*) => {
        fn float_to(small: SmallFloat) -> Loop {
            const LOOPS: [Loop; SmallFloat::ALL.len()] = [$(cast_row::<Small<$n>, f32>),*];
            LOOPS[small as usize]
        }

        fn float_from(small: SmallFloat) -> Loop {
            const LOOPS: [Loop; SmallFloat::ALL.len()] = [$(cast_row::<f32, Small<$n>>),*];
            LOOPS[small as usize]
        }
    };
}
small_floats!(0 1 2 3 4 5 6 7 8 9 10);

/// The first loop from any other type to a small float; the second loop rounds.
fn odd(from: Number) -> Option<Loop> {
    Some(match from {
        Number::Int32 => cast_row::<i32, Odd>,
        Number::Int64 => cast_row::<i64, Odd>,
        Number::UInt32 => cast_row::<u32, Odd>,
        Number::UInt64 => cast_row::<u64, Odd>,
        Number::Float64 => cast_row::<f64, Odd>,
        // Float32 represents all others exactly.
        _ => row_of(from, Number::Float32)?,
    })
}

/// The loop for a pair of types, neither of them small.
fn row_of(from: Number, to: Number) -> Option<Loop> {
    match from {
        Number::Bool => row_from::<Bool>(to),
        Number::Int8 => row_from::<i8>(to),
        Number::Int16 => row_from::<i16>(to),
        Number::Int32 => row_from::<i32>(to),
        Number::Int64 => row_from::<i64>(to),
        Number::UInt8 => row_from::<u8>(to),
        Number::UInt16 => row_from::<u16>(to),
        Number::UInt32 => row_from::<u32>(to),
        Number::UInt64 => row_from::<u64>(to),
        Number::Float16 => row_from::<Float16>(to),
        Number::BFloat16 => row_from::<BFloat16>(to),
        Number::Float32 => row_from::<f32>(to),
        Number::Float64 => row_from::<f64>(to),
        _ => None,
    }
}

fn row_from<A: CastToAll>(to: Number) -> Option<Loop> {
    Some(match to {
        Number::Bool => cast_row::<A, Bool>,
        Number::Int8 => cast_row::<A, i8>,
        Number::Int16 => cast_row::<A, i16>,
        Number::Int32 => cast_row::<A, i32>,
        Number::Int64 => cast_row::<A, i64>,
        Number::UInt8 => cast_row::<A, u8>,
        Number::UInt16 => cast_row::<A, u16>,
        Number::UInt32 => cast_row::<A, u32>,
        Number::UInt64 => cast_row::<A, u64>,
        Number::Float16 => cast_row::<A, Float16>,
        Number::BFloat16 => cast_row::<A, BFloat16>,
        Number::Float32 => cast_row::<A, f32>,
        Number::Float64 => cast_row::<A, f64>,
        _ => return None,
    })
}

/// # Safety
/// See [`Loop`].
unsafe fn cast_row<A: Cast<B>, B: Copy>(src: *const u8, dst: *mut u8, n: usize) -> bool {
    // SAFETY: n numbers on either side; `Unaligned` has alignment 1, and any bytes are a valid `A`.
    let (from, to) = unsafe {
        let to = dst.cast::<MaybeUninit<Unaligned<B>>>();
        (
            std::slice::from_raw_parts(src.cast::<Unaligned<A>>(), n),
            std::slice::from_raw_parts_mut(to, n),
        )
    };
    let mut bad = A::Bad::default();
    for (from, to) in from.iter().zip(to) {
        let Unaligned(x) = *from;
        let (value, flaw) = x.checked_cast();
        to.write(Unaligned(value));
        bad = bad | flaw;
    }
    bad == A::Bad::default()
}

/// A bool: 0 is false, anything else true.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Bool(u8);

/// The bits of a float16.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Float16(u16);

/// The bits of a bfloat16.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct BFloat16(u16);

/// A real number; any bytes are valid.
pub(super) trait Real: Copy {
    /// A flag as wide as the compared numbers, so that vectors of both have one length.
    type Bad: Copy + Default + PartialEq + BitOr<Output = Self::Bad>;
}

macro_rules! reals {
    ($($t:ty: $bad:ty),*) => {$(impl Real for $t { type Bad = $bad; })*};
}
reals!(Bool: u8, i8: u8, i16: u16, i32: u32, i64: u64, u8: u8, u16: u16, u32: u32, u64: u64);
reals!(Float16: u32, BFloat16: u32, f32: u32, f64: u64);

/// A float32 that rounds further like the number that it was made from.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Odd(f32);

/// A cast to another type: the value, and a flag that is 0 if the number fits.
pub(super) trait Cast<B>: Real {
    fn checked_cast(self) -> (B, Self::Bad);
}

/// Casts to every real type.
trait CastToAll:
    Cast<Bool>
    + Cast<i8>
    + Cast<i16>
    + Cast<i32>
    + Cast<i64>
    + Cast<u8>
    + Cast<u16>
    + Cast<u32>
    + Cast<u64>
    + Cast<Float16>
    + Cast<BFloat16>
    + Cast<f32>
    + Cast<f64>
{
}

macro_rules! casts_to_all {
    ($($t:ty)*) => {$(impl CastToAll for $t {})*};
}
casts_to_all!(Bool i8 i16 i32 i64 u8 u16 u32 u64 Float16 BFloat16 f32 f64);

// ---- integers ------------------------------------------------------------------------------

/// An integer is in a range exactly if adding `bias` leaves no bit of `mask` set.
struct Fit {
    bias: i128,
    mask: i128,
}

const fn fit(min: i128, max: i128, to_min: i128, to_max: i128) -> Fit {
    if to_min <= min && max <= to_max {
        Fit { bias: 0, mask: 0 }
    } else if min < 0 && to_min < 0 {
        // Both signed: the bias moves the range to start at 0, and its end is all ones.
        Fit { bias: -to_min, mask: !(to_max - to_min) }
    } else {
        // The range starts at 0 and ends at all ones; the mask contains the sign bit.
        Fit { bias: 0, mask: !(if max < to_max { max } else { to_max }) }
    }
}

macro_rules! integer_to_integer {
    ($a:ident, $ua:ident => $($b:ident)*) => {$(
        impl Cast<$b> for $a {
            #[inline(always)]
            fn checked_cast(self) -> ($b, $ua) {
                const FIT: Fit = fit(
                    $a::MIN as i128, $a::MAX as i128, $b::MIN as i128, $b::MAX as i128,
                );
                let rest = (self as $ua).wrapping_add(FIT.bias as $ua) & FIT.mask as $ua;
                (self as $b, rest)
            }
        }
    )*};
}

macro_rules! integer {
    ($($a:ident $ua:ident),*) => {$(
        integer_to_integer!($a, $ua => i8 i16 i32 i64 u8 u16 u32 u64);

        impl Cast<Bool> for $a {
            #[inline(always)]
            fn checked_cast(self) -> (Bool, $ua) {
                (Bool(self as u8), self as $ua & !1)
            }
        }
        impl Cast<f32> for $a {
            #[inline(always)]
            fn checked_cast(self) -> (f32, $ua) {
                (self as f32, 0)
            }
        }
        impl Cast<f64> for $a {
            #[inline(always)]
            fn checked_cast(self) -> (f64, $ua) {
                (self as f64, 0)
            }
        }
        impl Cast<Float16> for $a {
            #[inline(always)]
            fn checked_cast(self) -> (Float16, $ua) {
                // Numbers that float32 rounds are far too large for float16.
                let half = float16_from_float32(self as f32);
                (Float16(half), (half & 0x7fff == 0x7c00) as $ua)
            }
        }
        impl Cast<Odd> for $a {
            #[inline(always)]
            fn checked_cast(self) -> (Odd, $ua) {
                let wide = self as i128;
                let abs = odd_float32(odd_float64(wide.unsigned_abs() as u64));
                (Odd(if wide < 0 { -abs } else { abs }), 0)
            }
        }
        impl Cast<BFloat16> for $a {
            #[inline(always)]
            fn checked_cast(self) -> (BFloat16, $ua) {
                let (Odd(x), _) = self.checked_cast();
                (BFloat16(bfloat16_from_float32(x)), 0)
            }
        }
        impl Cast<$a> for Bool {
            #[inline(always)]
            fn checked_cast(self) -> ($a, u8) {
                ((self.0 != 0) as $a, 0)
            }
        }
    )*};
}
integer!(i8 u8, i16 u16, i32 u32, i64 u64, u8 u8, u16 u16, u32 u32, u64 u64);

macro_rules! bool_to {
    ($($b:ty, $zero:expr, $one:expr;)*) => {$(
        impl Cast<$b> for Bool {
            #[inline(always)]
            fn checked_cast(self) -> ($b, u8) {
                (if self.0 != 0 { $one } else { $zero }, 0)
            }
        }
    )*};
}
bool_to! {
    Bool, Bool(0), Bool(1);
    Float16, Float16(0), Float16(0x3c00);
    BFloat16, BFloat16(0), BFloat16(0x3f80);
    f32, 0.0, 1.0;
    f64, 0.0, 1.0;
}

// ---- floats --------------------------------------------------------------------------------

/// The largest float32 that is at most `x`.
const fn below_32(x: i128) -> f32 {
    let near = x as f32;
    if near as i128 > x { near.next_down() } else { near }
}

/// The largest float64 that is at most `x`.
const fn below_64(x: i128) -> f64 {
    let near = x as f64;
    if near as i128 > x { near.next_down() } else { near }
}

macro_rules! float_to_integer {
    ($a:ident, $bad:ident, $below:ident => $($b:ident by $by:ident),*) => {$(
        impl Cast<$b> for $a {
            #[inline(always)]
            fn checked_cast(self) -> ($b, $bad) {
                // Both bounds are outside of the range, and everything between them truncates into
                // it. The upper bound is a power of two and therefore exact.
                const LOW: $a = $below($b::MIN as i128 - 1);
                const HIGH: $a = ($b::MAX as i128 + 1) as $a;
                let fits = (self > LOW) & (self < HIGH);
                let safe = if fits { self } else { 0.0 };
                // SAFETY: finite, and in range after truncation; `$by` holds all values of `$b`.
                let value = unsafe { safe.to_int_unchecked::<$by>() };
                (value as $b, !fits as $bad)
            }
        }
    )*};
}
// Casts via the integer types that vector units convert to.
float_to_integer!(f32, u32, below_32 => i8 by i32, i16 by i32, i32 by i32, i64 by i64,
    u8 by i32, u16 by i32, u32 by u32, u64 by u64);
float_to_integer!(f64, u64, below_64 => i8 by i32, i16 by i32, i32 by i32, i64 by i64,
    u8 by i32, u16 by i32, u32 by u32, u64 by u64);

macro_rules! float_to_bool {
    ($a:ident, $bad:ident) => {
        impl Cast<Bool> for $a {
            #[inline(always)]
            fn checked_cast(self) -> (Bool, $bad) {
                let one = self == 1.0;
                (Bool(one as u8), !(one | (self == 0.0)) as $bad)
            }
        }
    };
}
float_to_bool!(f32, u32);
float_to_bool!(f64, u64);

impl Cast<f32> for f32 {
    #[inline(always)]
    fn checked_cast(self) -> (f32, u32) {
        (self, 0)
    }
}

impl Cast<f64> for f32 {
    #[inline(always)]
    fn checked_cast(self) -> (f64, u32) {
        (f64::from(self), 0)
    }
}

impl Cast<Float16> for f32 {
    #[inline(always)]
    fn checked_cast(self) -> (Float16, u32) {
        let half = float16_from_float32(self);
        let over = (half & 0x7fff == 0x7c00) & (self.abs() < f32::INFINITY);
        (Float16(half), over as u32)
    }
}

impl Cast<BFloat16> for f32 {
    #[inline(always)]
    fn checked_cast(self) -> (BFloat16, u32) {
        let half = bfloat16_from_float32(self);
        let over = (half & 0x7fff == 0x7f80) & (self.abs() < f32::INFINITY);
        (BFloat16(half), over as u32)
    }
}

impl Cast<f64> for f64 {
    #[inline(always)]
    fn checked_cast(self) -> (f64, u64) {
        (self, 0)
    }
}

impl Cast<f32> for f64 {
    #[inline(always)]
    fn checked_cast(self) -> (f32, u64) {
        // From half a unit above the largest float32 on, the result would be infinite.
        const OVER: f64 = f32::MAX as f64 + (1u128 << 103) as f64;
        (self as f32, (OVER..f64::INFINITY).contains(&self.abs()) as u64)
    }
}

impl Cast<Odd> for f64 {
    #[inline(always)]
    fn checked_cast(self) -> (Odd, u64) {
        (Odd(odd_float32(self)), 0)
    }
}

macro_rules! float64_to_half {
    ($b:ident) => {
        impl Cast<$b> for f64 {
            #[inline(always)]
            fn checked_cast(self) -> ($b, u64) {
                // Infinities stay infinite and finite numbers stay finite, so an overflow is
                // detected.
                let (half, over) = Cast::<$b>::checked_cast(odd_float32(self));
                (half, u64::from(over))
            }
        }
    };
}
float64_to_half!(Float16);
float64_to_half!(BFloat16);

macro_rules! half_to {
    ($a:ident, $widen:ident => $($b:ident)*) => {$(
        impl Cast<$b> for $a {
            #[inline(always)]
            fn checked_cast(self) -> ($b, u32) {
                $widen(self.0).checked_cast()
            }
        }
    )*};
}
half_to!(Float16, float16_to_float32 =>
    Bool i8 i16 i32 i64 u8 u16 u32 u64 Float16 BFloat16 f32 f64);
half_to!(BFloat16, bfloat16_to_float32 =>
    Bool i8 i16 i32 i64 u8 u16 u32 u64 Float16 BFloat16 f32 f64);
