//! Conversion between float32 and the two 16-bit floating-point types, float16 (IEEE 754 binary16)
//! and bfloat16 (the upper half of a float32). Without branches, so that loops over it vectorise.
//! Rounds to nearest, ties to even. A NaN becomes quiet and keeps its sign and the upper bits of
//! its payload.

/// Exact.
#[inline(always)]
pub(super) fn float16_to_float32(x: u16) -> f32 {
    let sign = u32::from(x & 0x8000) << 16;
    // Move exponent and mantissa to their places in a float32, then add 112, the difference of the
    // biases.
    let shifted = u32::from(x & 0x7fff) << 13;
    let exponent = shifted & 0x0f80_0000;
    let normal = shifted + (112 << 23);
    // All ones stays all ones: add another 112.
    let special = shifted + (224 << 23);
    // Subnormal: read it as a normal number with the next exponent, then subtract the leading one.
    let tiny = f32::from_bits(shifted + (113 << 23)) - f32::from_bits(113 << 23);
    let bits = if exponent == 0 { tiny.to_bits() } else { normal };
    let bits = if exponent == 0x0f80_0000 { special } else { bits };
    let quiet = if shifted > 0x0f80_0000 { 1 << 22 } else { 0 };
    f32::from_bits(bits | sign | quiet)
}

/// Exact.
#[inline(always)]
pub(super) fn bfloat16_to_float32(x: u16) -> f32 {
    let quiet = if x & 0x7fff > 0x7f80 { 1 << 22 } else { 0 };
    f32::from_bits(u32::from(x) << 16 | quiet)
}

/// To nearest; infinite from 65520 on.
#[inline(always)]
pub(super) fn float16_from_float32(x: f32) -> u16 {
    let bits = x.to_bits();
    let sign = (bits >> 16) & 0x8000;
    let abs = bits & 0x7fff_ffff;
    // Add half a unit of the last kept bit, less one unless that bit is odd; a carry into the
    // exponent is correct.
    let odd = (abs >> 13) & 1;
    let normal = abs.wrapping_sub(112 << 23).wrapping_add(0xfff + odd) >> 13;
    // Below 2^-14: adding 0.5, whose last bit has the value of float16's last bit, makes the
    // addition itself round.
    let tiny = (f32::from_bits(abs) + 0.5).to_bits().wrapping_sub(0.5f32.to_bits());
    let nan = 0x7e00 | ((abs >> 13) & 0x3ff);
    let out = if abs < 113 << 23 { tiny } else { normal };
    let out = if abs >= 143 << 23 { 0x7c00 } else { out };
    let out = if abs > 255 << 23 { nan } else { out };
    (out | sign) as u16
}

/// To nearest; infinite from half a unit above the largest on.
#[inline(always)]
pub(super) fn bfloat16_from_float32(x: f32) -> u16 {
    let bits = x.to_bits();
    let odd = (bits >> 16) & 1;
    let rounded = bits.wrapping_add(0x7fff + odd) >> 16;
    let nan = (bits >> 16) | 0x40;
    (if bits & 0x7fff_ffff > 0x7f80_0000 { nan } else { rounded }) as u16
}

/// A float64 as a float32 that rounds further like the float64: truncated, and if bits were lost
/// the last bit is set ("round to odd"). Rounding to nearest twice is wrong if the first rounding
/// lands on a tie. Rounding to odd never is, as float32 has more than two extra bits compared to
/// both 16-bit types.
#[inline(always)]
pub(super) fn odd_float32(x: f64) -> f32 {
    let nearest = x as f32;
    let back = f64::from(nearest);
    let away = u32::from(back.abs() > x.abs());
    let lost = u32::from(back != x);
    f32::from_bits(nearest.to_bits().wrapping_sub(away) | lost)
}

/// A 64-bit magnitude as a float64 that rounds further like the integer: see [`odd_float32`].
#[inline(always)]
pub(super) fn odd_float64(x: u64) -> f64 {
    const LOW: u64 = 0x7ff;
    let lost = u64::from(x & LOW != 0) << 11;
    (if x >> 53 == 0 { x } else { (x & !LOW) | lost }) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strided::testing::Random;
    use ::half::{bf16, f16};

    #[test]
    #[cfg_attr(miri, ignore)] // all of them: too many to interpret
    fn every_sixteen_bits_widen_as_elsewhere() {
        for x in 0..=u16::MAX {
            let (a, b) = (float16_to_float32(x), f16::from_bits(x).to_f32());
            assert!(a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()), "{x:#x}: {a} {b}");
            let (a, b) = (bfloat16_to_float32(x), bf16::from_bits(x).to_f32());
            assert!(a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()), "{x:#x}: {a} {b}");
        }
    }

    /// Every 16-bit value, the ties to both neighbours, and one float32 to either side.
    fn edges() -> impl Iterator<Item = f32> {
        let widen: [fn(u16) -> f32; 2] = [float16_to_float32, bfloat16_to_float32];
        widen.into_iter().flat_map(|widen| {
            (0..=u16::MAX).flat_map(move |x| {
                let (a, b) = (widen(x), widen(x.wrapping_add(1)));
                let tie = ((f64::from(a) + f64::from(b)) / 2.0) as f32;
                [a, tie].into_iter().flat_map(|x| [x, x.next_up(), x.next_down()])
            })
        })
    }

    #[test]
    #[cfg_attr(miri, ignore)] // all of them: too many to interpret
    fn float32_narrows_as_elsewhere() {
        let mut random = Random(7);
        let any = std::iter::repeat_with(move || f32::from_bits(random.next() as u32));
        for x in edges().chain(any.take(1 << 20)) {
            let (a, b) = (float16_from_float32(x), f16::from_f32(x).to_bits());
            assert!(a == b || (x.is_nan() && f16::from_bits(a).is_nan()), "{x:e}: {a:#x} {b:#x}");
            let (a, b) = (bfloat16_from_float32(x), bf16::from_f32(x).to_bits());
            assert!(a == b || (x.is_nan() && bf16::from_bits(a).is_nan()), "{x:e}: {a:#x} {b:#x}");
        }
    }

    #[test]
    fn nan_stays_nan() {
        for x in [f32::NAN, -f32::NAN, f32::from_bits(0x7f80_0001), f32::from_bits(0xffff_ffff)] {
            assert!(f16::from_bits(float16_from_float32(x)).is_nan());
            assert!(bf16::from_bits(bfloat16_from_float32(x)).is_nan());
            assert_eq!(float16_from_float32(x) >> 15 == 1, x.is_sign_negative());
        }
        assert!(odd_float32(f64::NAN).is_nan());
        assert!(odd_float32(f64::from_bits(0x7ff0_0000_0000_0001)).is_nan());
    }

    #[test]
    fn float64_rounds_once() {
        // A tie of float16, broken only by the last bit of the float64.
        let tie = 1.0 + 2f64.powi(-11);
        assert_eq!(float16_from_float32(odd_float32(tie)), 0x3c00);
        assert_eq!(float16_from_float32(odd_float32(tie.next_up())), 0x3c01);
        assert_eq!(float16_from_float32(odd_float32(-tie.next_up())), 0xbc01);
        let tie = 1.0 + 2f64.powi(-8);
        assert_eq!(bfloat16_from_float32(odd_float32(tie)), 0x3f80);
        assert_eq!(bfloat16_from_float32(odd_float32(tie.next_up())), 0x3f81);
        assert_eq!(bfloat16_from_float32(odd_float32(f64::MAX)), 0x7f80);
        assert_eq!(odd_float32(f64::INFINITY), f32::INFINITY);
        assert_eq!(odd_float32(0.25), 0.25);
        assert_eq!(odd_float32(-0.0).to_bits(), 0x8000_0000);
    }

    #[test]
    fn integers_round_once() {
        // Ties of bfloat16, broken only by the lowest bit of the integer.
        let tie = (1u64 << 63) + (1 << 55);
        assert_eq!(bfloat16_from_float32(odd_float32(odd_float64(tie))), 0x5f00);
        for bit in 0..55 {
            let x = odd_float64(tie + (1 << bit));
            assert_eq!(bfloat16_from_float32(odd_float32(x)), 0x5f01, "bit {bit}");
        }
        assert_eq!(odd_float64(12345), 12345.0);
        assert_eq!(odd_float64((1 << 53) - 1), 9_007_199_254_740_991.0);
    }
}
