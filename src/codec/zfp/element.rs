//! Conversions of element types that zfp does not support: small integers become the high bits of
//! an int32, unsigned ones lose their highest bit, small floats become float32.
//! <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/zfp>

use super::library::Number;
use half::{bf16, f16};

/// An element type.
pub(super) trait Element: 'static {
    /// The type it is encoded as.
    type Number: Number;
    /// The size of an element (bytes).
    const SIZE: usize;
    /// Whether some elements have no exact number.
    const CLAMPED: bool;
    /// Converts an element to its number, or the nearest one.
    fn promote(bytes: &[u8]) -> Self::Number;
    /// Converts a number to the nearest element.
    fn demote(number: Self::Number, bytes: &mut [u8]);
}

macro_rules! elements {
    ($($t:ty as $n:ty, $clamped:literal: $promote:expr, $demote:expr;)*) => {$(
        impl Element for $t {
            type Number = $n;
            const SIZE: usize = size_of::<$t>();
            const CLAMPED: bool = $clamped;
            fn promote(bytes: &[u8]) -> $n {
                let mut own = [0; size_of::<$t>()];
                own.copy_from_slice(bytes);
                let promote: fn($t) -> $n = $promote;
                promote(<$t>::from_ne_bytes(own))
            }
            fn demote(number: $n, bytes: &mut [u8]) {
                let demote: fn($n) -> $t = $demote;
                bytes.copy_from_slice(&demote(number).to_ne_bytes());
            }
        }
    )*};
}

elements! {
    i8 as i32, false: |v| i32::from(v) << 23, |n| (n >> 23).clamp(-0x80, 0x7F) as i8;
    u8 as i32, false: |v| (i32::from(v) - 0x80) << 23, |n| ((n >> 23) + 0x80).clamp(0, 0xFF) as u8;
    i16 as i32, false: |v| i32::from(v) << 15, |n| (n >> 15).clamp(-0x8000, 0x7FFF) as i16;
    u16 as i32, false: |v| (i32::from(v) - 0x8000) << 15, |n| ((n >> 15) + 0x8000).clamp(0, 0xFFFF) as u16;
    i32 as i32, false: |v| v, |n| n;
    u32 as i32, true: |v| v.min(i32::MAX as u32) as i32, |n| n.max(0) as u32;
    i64 as i64, false: |v| v, |n| n;
    u64 as i64, true: |v| v.min(i64::MAX as u64) as i64, |n| n.max(0) as u64;
    f16 as f32, false: f16::to_f32, f16::from_f32;
    bf16 as f32, false: bf16::to_f32, bf16::from_f32;
    f32 as f32, false: |v| v, |n| n;
    f64 as f64, false: |v| v, |n| n;
}
