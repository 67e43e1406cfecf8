//! What floats of every width need to be read and written as decimals or bits.

use half::{bf16, f16};

/// What fill values need of floats of every width.
pub(super) trait Float: Sized + Copy {
    /// Parses decimal text, rounding to nearest.
    fn parse(text: &str) -> Option<Self>;
    fn to_f64(self) -> f64;
    fn from_f64(value: f64) -> Self;
    fn from_bits_u64(bits: u64) -> Self;
    fn bits_u64(self) -> u64;
    /// The shortest decimal that reads back as the same value of this width.
    fn shortest(self) -> String;
    const CANONICAL_NAN: u64;
    const BYTES: usize;
}

macro_rules! float {
    ($type:ty, $bits:ty, $nan:expr, $parse:expr, $to:expr, $from:expr, $shortest:expr) => {
        impl Float for $type {
            fn parse(text: &str) -> Option<Self> {
                ($parse)(text)
            }
            fn to_f64(self) -> f64 {
                ($to)(self)
            }
            fn from_f64(value: f64) -> Self {
                ($from)(value)
            }
            fn from_bits_u64(bits: u64) -> Self {
                <$type>::from_bits(bits as $bits)
            }
            fn bits_u64(self) -> u64 {
                u64::from(self.to_bits())
            }
            fn shortest(self) -> String {
                ($shortest)(self)
            }
            const CANONICAL_NAN: u64 = $nan;
            const BYTES: usize = size_of::<$bits>();
        }
    };
}

pub(super) fn decimal(value: impl Into<serde_json::Value>) -> String {
    value.into().to_string()
}

float!(f64, u64, 0x7ff8_0000_0000_0000, |t: &str| t.parse().ok(), |x| x, |x| x, decimal);
float!(f32, u32, 0x7fc0_0000, |t: &str| t.parse().ok(), f64::from, |x: f64| x as f32, |x: f32| {
    serde_json::to_string(&x).unwrap_or_default()
});
float!(
    f16,
    u16,
    0x7e00,
    |t: &str| t.parse::<f64>().ok().map(f16::from_f64),
    f16::to_f64,
    f16::from_f64,
    |x: f16| Float::shortest(x.to_f32())
);
float!(
    bf16,
    u16,
    0x7fc0,
    |t: &str| t.parse::<f64>().ok().map(bf16::from_f64),
    bf16::to_f64,
    bf16::from_f64,
    |x: bf16| Float::shortest(x.to_f32())
);
