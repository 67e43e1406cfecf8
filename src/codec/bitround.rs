//! `bitround`: numbers rounded to a few bits, so that they compress; decoding changes nothing.
//! <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/bitround>
//!
//! A float keeps `keepbits` bits of its mantissa (round to nearest, ties to even); an integer keeps
//! as many bits from its highest set bit on. For floats the results equal those of numcodecs.

use super::config::Config;
use super::{ArrayCodec, ChunkSpec, Codec};
use crate::error::Result;
use crate::strided::Number;

struct BitRound {
    keep: u32,
    /// What is rounded: the number, or each part of a complex one.
    part: Number,
}

fn is_rounded(part: Number) -> bool {
    use Number::*;
    let integer = matches!(part, Int8 | Int16 | Int32 | Int64 | UInt8 | UInt16 | UInt32 | UInt64);
    integer || mantissa(part).is_some()
}

/// The mantissa bits of a float.
fn mantissa(part: Number) -> Option<u32> {
    Some(match part {
        Number::Float16 => 10,
        Number::BFloat16 => 7,
        Number::Float32 => 23,
        Number::Float64 => 52,
        _ => return None,
    })
}

pub(super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["keepbits"])?;
    let keep = config.integer("keepbits", 0, 64)?.ok_or_else(|| config.missing("keepbits"))?;
    let part = spec.data_type.number().map(Number::part).filter(|&n| is_rounded(n));
    let part = part.ok_or_else(|| {
        config.error(format!("rounds numbers: the type {} is not supported", spec.data_type.name()))
    })?;
    if keep == 0 && mantissa(part).is_none() {
        return Err(config.error("has \"keepbits\" 0: expected at least 1 for integers"));
    }
    Ok(Codec::Array(Box::new(BitRound { keep: keep as u32, part })))
}

macro_rules! float_rounding {
    ($float:ident, $type:ident, $size:literal) => {
        /// Rounds off the lowest `drop` bits, `drop` > 0.
        fn $float(src: &[u8], out: &mut [u8], drop: u32) {
            let half = (1 << (drop - 1)) - 1;
            let (src, out) = (src.as_chunks::<$size>().0, out.as_chunks_mut::<$size>().0);
            for (from, to) in src.iter().zip(out) {
                let bits = $type::from_ne_bytes(*from);
                // a carry into the exponent is right; in a NaN it would be wrong
                let rounded = bits.wrapping_add(half + ((bits >> drop) & 1));
                *to = ((rounded >> drop) << drop).to_ne_bytes();
            }
        }
    };
}
float_rounding!(float2, u16, 2);
float_rounding!(float4, u32, 4);
float_rounding!(float8, u64, 8);

macro_rules! integer_rounding {
    ($integer:ident, $type:ident, $size:literal) => {
        /// Rounds off the bits after the first `keep` ones, counted from the highest set bit.
        fn $integer(src: &[u8], out: &mut [u8], keep: u32) {
            let (src, out) = (src.as_chunks::<$size>().0, out.as_chunks_mut::<$size>().0);
            for (from, to) in src.iter().zip(out) {
                let bits = $type::from_ne_bytes(*from);
                let drop = ($type::BITS - bits.leading_zeros()).saturating_sub(keep);
                let half = ((1 as $type) << drop >> 1).saturating_sub(1);
                let odd = (bits >> drop) & $type::from(drop > 0);
                *to = ((bits.saturating_add(half + odd) >> drop) << drop).to_ne_bytes();
            }
        }
    };
}
integer_rounding!(integer1, u8, 1);
integer_rounding!(integer2, u16, 2);
integer_rounding!(integer4, u32, 4);
integer_rounding!(integer8, u64, 8);

impl BitRound {
    /// How many mantissa bits to drop.
    fn drop(&self) -> Option<u32> {
        mantissa(self.part).map(|bits| bits.saturating_sub(self.keep))
    }
}

impl ArrayCodec for BitRound {
    fn encoded(&self, decoded: &ChunkSpec) -> Result<ChunkSpec> {
        let given = decoded.fill.bytes()?;
        let mut fill = given.to_vec();
        self.encode(&given, &mut fill)?;
        Ok(ChunkSpec { fill: fill.into(), ..decoded.clone() })
    }

    fn encodes_nothing(&self) -> bool {
        self.drop() == Some(0)
    }

    fn decodes_nothing(&self) -> bool {
        true
    }

    fn encode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        match (self.drop(), self.part.size()) {
            (Some(0), _) => out.copy_from_slice(src),
            (Some(drop), 2) => float2(src, out, drop),
            (Some(drop), 4) => float4(src, out, drop),
            (Some(drop), _) => float8(src, out, drop),
            (None, 1) => integer1(src, out, self.keep),
            (None, 2) => integer2(src, out, self.keep),
            (None, 4) => integer4(src, out, self.keep),
            (None, _) => integer8(src, out, self.keep),
        }
        Ok(())
    }

    fn decode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        out.copy_from_slice(src);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes<const N: usize, T>(values: &[T], to: impl Fn(&T) -> [u8; N]) -> Vec<u8> {
        values.iter().flat_map(to).collect()
    }

    #[test]
    fn floats_as_numcodecs_rounds_them() {
        // numcodecs.BitRound(3).encode(…).view("f4")
        let x = [0.0f32, 1.2345679, -8.358719, 98765.43, 1.0625, 1.1875, f32::INFINITY, 3e38];
        let rounded = [0.0f32, 1.25, -8.0, 98304.0, 1.0, 1.25, f32::INFINITY, 2.97747e38];
        let codec = BitRound { keep: 3, part: Number::Float32 };
        let src = bytes(&x, |x| x.to_ne_bytes());
        let mut out = vec![0; src.len()];
        codec.encode(&src, &mut out).expect("rounds");
        for (got, want) in out.as_chunks::<4>().0.iter().zip(rounded) {
            let got = f32::from_ne_bytes(*got);
            assert!(got == want || (got / want - 1.0).abs() < 1e-5, "{got} {want}");
        }
        // the carry goes into the exponent
        let codec = BitRound { keep: 0, part: Number::Float64 };
        let mut out = [0; 8];
        codec.encode(&1.9f64.to_ne_bytes(), &mut out).expect("rounds");
        assert_eq!(f64::from_ne_bytes(out), 2.0);
        assert!(BitRound { keep: 52, part: Number::Float64 }.encodes_nothing());
    }

    #[test]
    fn integers_from_the_highest_bit_on() {
        // as zarrs rounds them
        let codec = BitRound { keep: 3, part: Number::UInt32 };
        let x = [0u32, 1024, 1280, 1664, 1685, 123145182, u32::MAX];
        let src = bytes(&x, |x| x.to_ne_bytes());
        let mut out = vec![0; src.len()];
        codec.encode(&src, &mut out).expect("rounds");
        let rounded = [0u32, 1024, 1280, 1536, 1792, 117440512, 3758096384];
        assert_eq!(out, bytes(&rounded, |x| x.to_ne_bytes()));
        let codec = BitRound { keep: 3, part: Number::UInt8 };
        let mut out = [1; 9];
        codec.encode(&[0, 3, 7, 15, 17, 54, 89, 128, 255], &mut out).expect("rounds");
        assert_eq!(out, [0, 3, 7, 16, 16, 56, 96, 128, 224]);
    }
}
