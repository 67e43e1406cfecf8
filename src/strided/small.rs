//! Numbers of fewer than 16 bits, stored one per byte: int2 to uint4, float4 to float8.
//!
//! Only the low bits of a byte count. Decoding looks a float up in a table of all 256 bytes.
//! Encoding has no branches, so that loops over it vectorise; it rounds to nearest, ties to even,
//! and returns a flag for numbers that do not fit, which [`cast`](super::cast) accumulates.
//! <https://github.com/zarr-developers/zarr-extensions/tree/main/data-types>

use super::cast::{Cast, Real};

/// A two- or four-bit integer, in two's complement if signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named after the types
pub enum SmallInt {
    Int2,
    Int4,
    UInt2,
    UInt4,
}

impl SmallInt {
    /// All of them.
    pub const ALL: [SmallInt; 4] =
        [SmallInt::Int2, SmallInt::Int4, SmallInt::UInt2, SmallInt::UInt4];

    /// Its registered name.
    pub const fn name(self) -> &'static str {
        match self {
            SmallInt::Int2 => "int2",
            SmallInt::Int4 => "int4",
            SmallInt::UInt2 => "uint2",
            SmallInt::UInt4 => "uint4",
        }
    }

    /// The number of significant bits.
    pub const fn bits(self) -> u32 {
        match self {
            SmallInt::Int2 | SmallInt::UInt2 => 2,
            SmallInt::Int4 | SmallInt::UInt4 => 4,
        }
    }

    /// Whether the highest of them is the sign.
    pub const fn signed(self) -> bool {
        matches!(self, SmallInt::Int2 | SmallInt::Int4)
    }

    /// The least and the greatest value.
    pub const fn range(self) -> (i8, i8) {
        match self.signed() {
            true => (-1 << (self.bits() - 1), (1 << (self.bits() - 1)) - 1),
            false => (0, (1 << self.bits()) - 1),
        }
    }

    /// The value of a byte, ignoring its upper bits. Stored as a byte, it is the canonical form,
    /// sign-extended.
    #[inline(always)]
    pub const fn value(self, byte: u8) -> i8 {
        let rest = 8 - self.bits();
        let high = byte << rest;
        if self.signed() { high as i8 >> rest } else { (high >> rest) as i8 }
    }
}

/// A float of four to eight bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // `e` bits of exponent, `m` of mantissa; see `FORMATS`
pub enum SmallFloat {
    Float4E2M1Fn,
    Float6E2M3Fn,
    Float6E3M2Fn,
    Float8E3M4,
    Float8E4M3,
    Float8E4M3B11Fnuz,
    Float8E4M3Fn,
    Float8E4M3Fnuz,
    Float8E5M2,
    Float8E5M2Fnuz,
    Float8E8M0Fnu,
}

/// Which bit patterns are not numbers.
#[derive(Clone, Copy, PartialEq)]
enum Special {
    /// As in IEEE 754: the highest exponent encodes infinities and NaNs.
    Ieee,
    /// All ones except the sign is NaN; no infinities.
    AllOnes,
    /// Every pattern is a number.
    Nothing,
    /// The pattern of -0 is NaN; no infinities.
    MinusZero,
    /// Powers of two only: no sign, no zero; all ones is NaN.
    Power,
}

struct Format {
    /// The name of the complex type; the name of the real type is its suffix.
    name: &'static str,
    exponent: u32,
    mantissa: u32,
    bias: u32,
    special: Special,
}

const fn format(
    name: &'static str,
    exponent: u32,
    mantissa: u32,
    bias: u32,
    special: Special,
) -> Format {
    Format { name, exponent, mantissa, bias, special }
}

/// In the order of [`SmallFloat`].
const FORMATS: [Format; 11] = [
    format("complex_float4_e2m1fn", 2, 1, 1, Special::Nothing),
    format("complex_float6_e2m3fn", 2, 3, 1, Special::Nothing),
    format("complex_float6_e3m2fn", 3, 2, 3, Special::Nothing),
    format("complex_float8_e3m4", 3, 4, 3, Special::Ieee),
    format("complex_float8_e4m3", 4, 3, 7, Special::Ieee),
    format("complex_float8_e4m3b11fnuz", 4, 3, 11, Special::MinusZero),
    format("complex_float8_e4m3fn", 4, 3, 7, Special::AllOnes),
    format("complex_float8_e4m3fnuz", 4, 3, 8, Special::MinusZero),
    format("complex_float8_e5m2", 5, 2, 15, Special::Ieee),
    format("complex_float8_e5m2fnuz", 5, 2, 16, Special::MinusZero),
    format("complex_float8_e8m0fnu", 8, 0, 127, Special::Power),
];

const F32_INFINITY: u32 = 0x7f80_0000;
const F32_NAN: u32 = 0x7fc0_0000;
const F32_SIGN: u32 = 0x8000_0000;

impl Format {
    /// The number of bits without the sign.
    const fn magnitude_bits(&self) -> u32 {
        self.exponent + self.mantissa
    }

    const fn bits(&self) -> u32 {
        self.magnitude_bits() + (self.special as u8 != Special::Power as u8) as u32
    }

    /// The pattern of the largest number.
    const fn largest(&self) -> u32 {
        let all = (1 << self.magnitude_bits()) - 1;
        match self.special {
            Special::Ieee => all - (1 << self.mantissa),
            Special::AllOnes | Special::Power => all - 1,
            Special::Nothing | Special::MinusZero => all,
        }
    }

    const fn infinity(&self) -> Option<u32> {
        match self.special {
            Special::Ieee => Some(self.largest() + 1),
            _ => None,
        }
    }

    /// The quiet NaN without payload and, except for `MinusZero`, without sign.
    const fn nan(&self) -> Option<u32> {
        match self.special {
            Special::Ieee => Some(self.largest() + 1 + (1 << (self.mantissa - 1))),
            Special::AllOnes | Special::Power => Some(self.largest() + 1),
            Special::MinusZero => Some(1 << self.magnitude_bits()),
            Special::Nothing => None,
        }
    }

    /// The bits of the float32 of the same value.
    const fn decode(&self, byte: u8) -> u32 {
        let all = byte as u32 & ((1 << self.bits()) - 1);
        let magnitude = all & ((1 << self.magnitude_bits()) - 1);
        let sign = if all == magnitude { 0 } else { F32_SIGN };
        if matches!(self.special, Special::MinusZero) && all == 1 << self.magnitude_bits() {
            return F32_NAN;
        }
        if magnitude > self.largest() {
            let infinite = matches!(self.special, Special::Ieee) && magnitude == self.largest() + 1;
            return sign | if infinite { F32_INFINITY } else { F32_NAN };
        }
        if matches!(self.special, Special::Power) {
            // The smallest one is subnormal as a float32.
            return if magnitude == 0 { 1 << 22 } else { magnitude << 23 };
        }
        let mut exponent = magnitude >> self.mantissa;
        let mut mantissa = magnitude & ((1 << self.mantissa) - 1);
        let lead = 1 << self.mantissa;
        let mut down = 0;
        if exponent == 0 {
            if mantissa == 0 {
                return sign;
            }
            // A subnormal number, which is normal as a float32.
            exponent = 1;
            while mantissa < lead {
                mantissa <<= 1;
                down += 1;
            }
            mantissa -= lead;
        }
        sign | (exponent + 127 - self.bias - down) << 23 | mantissa << (23 - self.mantissa)
    }

    /// The nearest number, ties to even, and a flag; flag not 0: `x` does not fit.
    #[inline(always)]
    fn encode(&self, x: f32) -> (u8, u32) {
        let abs = x.to_bits() & !F32_SIGN;
        let sign = x.to_bits() >> 31;
        let power = self.special == Special::Power;
        let drop = 23 - self.mantissa;
        // Add half a unit of the last kept bit, less one unless that bit is odd; a carry into the
        // exponent is correct. For powers of two, every number counts as odd.
        let odd = if power { 1 } else { (abs >> drop) & 1 };
        let near = (1 << (drop - 1)) - 1 + odd;
        let normal = abs.wrapping_sub((127 - self.bias) << 23).wrapping_add(near) >> drop;
        // Subnormal: adding a number whose last bit has the value of the format's last bit makes
        // the addition itself round.
        let tiny = if power {
            (abs >= 3 << 21) as u32
        } else {
            let magic = (127 + 24 - self.bias - self.mantissa) << 23;
            (f32::from_bits(abs) + f32::from_bits(magic)).to_bits().wrapping_sub(magic)
        };
        let least = if power { 1 } else { 128 - self.bias };
        let code = if abs < least << 23 { tiny } else { normal };
        let mut bad = code > self.largest();
        if power {
            bad |= (sign != 0) | (abs == 0);
        }
        let infinite = abs == F32_INFINITY;
        let nan = abs > F32_INFINITY;
        let code = if infinite { self.infinity().unwrap_or(0) } else { code };
        let code = if nan { self.nan().unwrap_or(0) } else { code };
        let bad = if infinite { self.infinity().is_none() } else { bad };
        let bad = if nan { self.nan().is_none() } else { bad };
        let signed = match self.special {
            Special::Power => 0,
            Special::MinusZero => sign & (code != 0) as u32,
            _ => sign,
        };
        ((code | signed << self.magnitude_bits()) as u8, bad as u32)
    }
}

const fn table(format: &Format) -> [f32; 256] {
    let mut table = [0.0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = f32::from_bits(format.decode(byte as u8));
        byte += 1;
    }
    table
}

/// The value of each byte.
static TABLES: [[f32; 256]; 11] = {
    let mut tables = [[0.0; 256]; 11];
    let mut n = 0;
    while n < 11 {
        tables[n] = table(&FORMATS[n]);
        n += 1;
    }
    tables
};

impl SmallFloat {
    /// All of them.
    pub const ALL: [SmallFloat; 11] = [
        SmallFloat::Float4E2M1Fn,
        SmallFloat::Float6E2M3Fn,
        SmallFloat::Float6E3M2Fn,
        SmallFloat::Float8E3M4,
        SmallFloat::Float8E4M3,
        SmallFloat::Float8E4M3B11Fnuz,
        SmallFloat::Float8E4M3Fn,
        SmallFloat::Float8E4M3Fnuz,
        SmallFloat::Float8E5M2,
        SmallFloat::Float8E5M2Fnuz,
        SmallFloat::Float8E8M0Fnu,
    ];

    fn format(self) -> &'static Format {
        &FORMATS[self as usize]
    }

    /// The registered name (`float8_e4m3fn` is not registered, but tensorstore writes it).
    pub fn name(self) -> &'static str {
        self.format().name.strip_prefix("complex_").unwrap_or_default()
    }

    /// The name of the complex type with two parts of this type.
    pub fn complex_name(self) -> &'static str {
        self.format().name
    }

    /// The number of significant bits.
    pub fn bits(self) -> u32 {
        self.format().bits()
    }

    /// The value of a byte, ignoring its upper bits.
    pub fn value(self, byte: u8) -> f32 {
        TABLES[self as usize][usize::from(byte)]
    }

    /// The byte of the number nearest to `x`, ties to even. `None`: `x` is too large, or the type
    /// cannot represent it (NaN, infinity, negative, zero).
    pub fn nearest(self, x: f64) -> Option<u8> {
        match self.format().encode(super::half::odd_float32(x)) {
            (byte, 0) => Some(byte),
            _ => None,
        }
    }

    /// The quiet NaN; `None`: there is none.
    pub fn nan(self) -> Option<u8> {
        self.format().nan().map(|code| code as u8)
    }

    /// Whether it has a zero.
    pub fn has_zero(self) -> bool {
        self.format().special != Special::Power
    }

    /// The range of the type, for messages.
    pub(super) fn range(self) -> String {
        let largest = self.value(self.format().largest() as u8);
        match self.format().special {
            Special::Power => format!("expected a positive number up to {largest:e}"),
            _ => format!("its largest is {largest}"),
        }
    }
}

// ---- casts ---------------------------------------------------------------------------------

/// A byte of the [`SmallInt`] with number `N`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Low<const N: usize>(u8);

impl<const N: usize> Real for Low<N> {
    type Bad = u8;
}

impl<const N: usize> Cast<i8> for Low<N> {
    #[inline(always)]
    fn checked_cast(self) -> (i8, u8) {
        (const { SmallInt::ALL[N] }.value(self.0), 0)
    }
}

impl<const N: usize> Cast<f32> for Low<N> {
    #[inline(always)]
    fn checked_cast(self) -> (f32, u8) {
        (f32::from(const { SmallInt::ALL[N] }.value(self.0)), 0)
    }
}

impl<const N: usize> Cast<Low<N>> for i8 {
    #[inline(always)]
    fn checked_cast(self) -> (Low<N>, u8) {
        let (low, high) = const { SmallInt::ALL[N].range() };
        (Low(self as u8), !(low..=high).contains(&self) as u8)
    }
}

impl<const N: usize> Cast<Low<N>> for f32 {
    #[inline(always)]
    fn checked_cast(self) -> (Low<N>, u32) {
        let (value, bad): (i8, u32) = self.checked_cast();
        let (low, flaw) = value.checked_cast();
        (low, bad | u32::from(flaw))
    }
}

/// A byte of the [`SmallFloat`] with number `N`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Small<const N: usize>(u8);

impl<const N: usize> Real for Small<N> {
    type Bad = u32;
}

impl<const N: usize> Cast<f32> for Small<N> {
    #[inline(always)]
    fn checked_cast(self) -> (f32, u32) {
        (TABLES[N][usize::from(self.0)], 0)
    }
}

impl<const N: usize> Cast<Small<N>> for f32 {
    #[inline(always)]
    fn checked_cast(self) -> (Small<N>, u32) {
        let (byte, bad) = const { &FORMATS[N] }.encode(self);
        (Small(byte), bad)
    }
}

#[cfg(test)]
mod tests;
