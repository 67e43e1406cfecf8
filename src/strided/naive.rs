//! Reference for the tests of `convert`: numbers as exact integers or float64, and their expected
//! conversions by arithmetic that shares nothing with the kernels.

use ::half::{bf16, f16};

use super::number::Number;
use super::small::{SmallFloat, SmallInt};
use super::testing::Random;

/// The real number types.
pub fn reals() -> impl Iterator<Item = Number> {
    Number::all().filter(|number| !number.is_complex())
}

/// An exact number: every value of a real type is one or the other.
#[derive(Clone, Copy, Debug)]
pub enum Exact {
    Int(i128),
    Float(f64),
}

pub fn exact(number: Number, bytes: &[u8]) -> Exact {
    let mut word = [0; 8];
    let start = if cfg!(target_endian = "big") { 8 - bytes.len() } else { 0 };
    word[start..start + bytes.len()].copy_from_slice(bytes);
    let word = u64::from_ne_bytes(word);
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
        Number::SmallInt(small) => Exact::Int(match (small, word as i128) {
            (SmallInt::Int2, x) => (x + 2).rem_euclid(4) - 2,
            (SmallInt::Int4, x) => (x + 8).rem_euclid(16) - 8,
            (SmallInt::UInt2, x) => x.rem_euclid(4),
            (SmallInt::UInt4, x) => x.rem_euclid(16),
        }),
        Number::SmallFloat(small) => Exact::Float(small_value(small, word as u32)),
        _ => Exact::Int(word.into()),
    }
}

/// Each small float as its registration describes it: bits of exponent and mantissa, bias, and the
/// pattern of the largest number.
fn small_format(small: SmallFloat) -> (u32, u32, i32, u32) {
    match small {
        SmallFloat::Float4E2M1Fn => (2, 1, 1, 0b111),
        SmallFloat::Float6E2M3Fn => (2, 3, 1, 0b11111),
        SmallFloat::Float6E3M2Fn => (3, 2, 3, 0b11111),
        SmallFloat::Float8E3M4 => (3, 4, 3, 0x6f),
        SmallFloat::Float8E4M3 => (4, 3, 7, 0x77),
        SmallFloat::Float8E4M3B11Fnuz => (4, 3, 11, 0x7f),
        SmallFloat::Float8E4M3Fn => (4, 3, 7, 0x7e),
        SmallFloat::Float8E4M3Fnuz => (4, 3, 8, 0x7f),
        SmallFloat::Float8E5M2 => (5, 2, 15, 0x7b),
        SmallFloat::Float8E5M2Fnuz => (5, 2, 16, 0x7f),
        SmallFloat::Float8E8M0Fnu => (8, 0, 127, 0xfe),
    }
}

/// Whether the type has infinities, as in IEEE 754.
fn is_ieee(small: SmallFloat) -> bool {
    matches!(small, SmallFloat::Float8E3M4 | SmallFloat::Float8E4M3 | SmallFloat::Float8E5M2)
}

fn is_fnuz(small: SmallFloat) -> bool {
    use SmallFloat::*;
    matches!(small, Float8E4M3B11Fnuz | Float8E4M3Fnuz | Float8E5M2Fnuz)
}

fn small_value(small: SmallFloat, bits: u32) -> f64 {
    let (e, m, bias, largest) = small_format(small);
    if small == SmallFloat::Float8E8M0Fnu {
        return if bits == 0xff { f64::NAN } else { 2f64.powi(bits as i32 - bias) };
    }
    let (exponent, mantissa) = (bits >> m & ((1 << e) - 1), bits & ((1 << m) - 1));
    let sign = if bits >> (e + m) & 1 == 1 { -1.0 } else { 1.0 };
    if is_fnuz(small) && bits == 0x80 {
        return f64::NAN;
    }
    if exponent << m | mantissa > largest {
        return if is_ieee(small) && mantissa == 0 { sign * f64::INFINITY } else { f64::NAN };
    }
    let fraction = f64::from(mantissa) / 2f64.powi(m as i32);
    sign * match exponent {
        0 => fraction * 2f64.powi(1 - bias),
        _ => (1.0 + fraction) * 2f64.powi(exponent as i32 - bias),
    }
}

/// The expected small float of `x`; `None`: `x` does not fit.
fn expected_small(x: Exact, small: SmallFloat) -> Option<Exact> {
    let (_, _, _, largest) = small_format(small);
    let has_nan = largest != (1 << (small.bits() - 1)) - 1 || is_fnuz(small);
    let value = match x {
        Exact::Float(x) if x.is_nan() => return has_nan.then_some(Exact::Float(x)),
        Exact::Float(x) if x.is_infinite() => return is_ieee(small).then_some(Exact::Float(x)),
        Exact::Float(x) => x,
        Exact::Int(x) => x as f64,
    };
    if small == SmallFloat::Float8E8M0Fnu {
        // The power below, or the one above from the midpoint on.
        let mut power = -127;
        let at_least = |limit: f64| match x {
            Exact::Float(x) => x >= limit,
            Exact::Int(x) if limit < 1e9 => x as f64 >= limit,
            Exact::Int(x) => x >= limit as i128,
        };
        while power < 200 && at_least(1.5 * 2f64.powi(power)) {
            power += 1;
        }
        return (value > 0.0 && power <= 127).then_some(Exact::Float(2f64.powi(power)));
    }
    let near = nearest(x, largest as u16, |bits| small_value(small, bits.into()));
    let near = if near == 0.0 && is_fnuz(small) { 0.0 } else { near };
    Some(near).filter(|x| x.is_finite()).map(Exact::Float)
}

/// The nearest of the finite values of a 16-bit type, by search: `value` returns the values of the
/// positive bit patterns, which ascend. Infinite if the next value after the last is nearer.
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
                // Small values may have fractions.
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
        // Both neighbours of a large integer are integers; small integers are exact.
        Exact::Int(x) if x > 1 << 40 => (x - a as i128).cmp(&(b as i128 - x)),
        Exact::Int(x) => (x as f64 - a).total_cmp(&(b - x as f64)),
        Exact::Float(x) => (x - a).total_cmp(&(b - x)),
    };
    let up = order.is_gt() || (order.is_eq() && low % 2 == 1);
    let bits = low + u16::from(up);
    let out = if bits > largest { f64::INFINITY } else { value(bits) };
    if negative { -out } else { out }
}

/// The expected `to` of `x`; `None`: `x` does not fit.
pub fn expected(x: Exact, to: Number) -> Option<Exact> {
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
        Number::SmallInt(SmallInt::Int2) => integer(-2, 1),
        Number::SmallInt(SmallInt::Int4) => integer(-8, 7),
        Number::SmallInt(SmallInt::UInt2) => integer(0, 3),
        Number::SmallInt(SmallInt::UInt4) => integer(0, 15),
        Number::SmallFloat(small) => expected_small(x, small),
        _ => None,
    }
}

pub fn same(a: Exact, b: Exact) -> bool {
    match (a, b) {
        (Exact::Int(a), Exact::Int(b)) => a == b,
        (Exact::Float(a), Exact::Float(b)) => {
            (a.is_nan() && b.is_nan()) || (a == b && a.is_sign_negative() == b.is_sign_negative())
        }
        _ => false,
    }
}

/// Every value of every small float, the midpoint to the next one, and their neighbours.
fn small_edges() -> impl Iterator<Item = f64> {
    SmallFloat::ALL.into_iter().flat_map(|small| {
        (0..=255).flat_map(move |bits| {
            let x = small_value(small, bits);
            let tie = (x + small_value(small, bits + 1)) / 2.0;
            [x, tie].into_iter().flat_map(|x| {
                let x = x as f32;
                [x, x.next_up(), x.next_down()].map(f64::from)
            })
        })
    })
}

/// Values of `number` near every edge case of any other type, as bytes.
pub fn edges(number: Number, random: &mut Random) -> Vec<Vec<u8>> {
    let mut floats = vec![0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-320, 1e300];
    let landmarks = [
        0.5,
        1.0,
        1.5,
        2.0,
        3.0,
        4.0,
        7.0,
        8.0,
        15.0,
        15.5,
        16.0,
        28.0,
        30.0,
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
        // The last are ties of both 16-bit floats, broken by a lower bit.
        let tie = |below: u32| (1i128 << bits) + (1i128 << bits >> below);
        for x in [1i128 << bits, tie(bits / 2), tie(8), tie(11), 3 * tie(8), 3 * tie(11)] {
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
        Number::SmallInt(_) | Number::SmallFloat(_) => (0..=255).map(|x| vec![x]).collect(),
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
            floats.extend(small_edges());
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
