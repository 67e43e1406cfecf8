//! `delta`: every number but the first is stored as its difference from the previous one.
//! <https://numcodecs.readthedocs.io/en/stable/filter/delta.html>

use super::config::Config;
use super::flat::Flat;
use super::numpy::{Sides, cast, promoted};
use super::{ArrayCodec, BytesCodec, ChunkSpec, Codec};
use crate::error::Result;
use crate::exec::Block;
use crate::selection::Region;
use crate::strided::Number;
use half::{bf16, f16};

struct Delta {
    sides: Sides,
}

pub(super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["dtype", "astype"])?;
    let sides = Sides::new(config, "dtype", "astype", spec)?;
    if sides.decoded.part == Number::Bool {
        return Err(config.error("cannot encode booleans reversibly"));
    }
    Ok(Codec::Array(Box::new(Delta { sides })))
}

/// The differences between elements of so many numbers each.
macro_rules! differences {
    ($src:expr, $out:expr, $parts:expr, $type:ty, $minus:expr) => {{
        let src = $src.as_chunks::<{ size_of::<$type>() }>().0;
        let out = $out.as_chunks_mut::<{ size_of::<$type>() }>().0;
        let minus = $minus;
        let first = $parts.min(src.len());
        out[..first].copy_from_slice(&src[..first]);
        for ((before, x), to) in src.iter().zip(&src[first..]).zip(&mut out[first..]) {
            let of = |bytes: &[u8; size_of::<$type>()]| <$type>::from_ne_bytes(*bytes);
            *to = <$type>::to_ne_bytes(minus(of(x), of(before)));
        }
    }};
}

/// The sums of elements of so many numbers each, in place.
macro_rules! sums {
    ($bytes:expr, $parts:expr, $type:ty, $plus:expr) => {{
        let plus = $plus;
        let mut sum = [<$type>::default(); 2];
        let numbers = $bytes.as_chunks_mut::<{ size_of::<$type>() }>().0;
        if $parts == 1 {
            let mut rest = numbers.iter_mut();
            // the first stays unchanged, also a -0
            if let Some(first) = rest.next() {
                let mut sum = <$type>::from_ne_bytes(*first);
                for x in rest {
                    sum = plus(sum, <$type>::from_ne_bytes(*x));
                    *x = <$type>::to_ne_bytes(sum);
                }
            }
        } else {
            for (n, x) in numbers.iter_mut().enumerate() {
                let x_of = <$type>::from_ne_bytes(*x);
                let sum = &mut sum[n & 1];
                *sum = if n < 2 { x_of } else { plus(*sum, x_of) };
                *x = <$type>::to_ne_bytes(*sum);
            }
        }
    }};
}

fn differ(src: &[u8], out: &mut [u8], number: Number, parts: usize) {
    match number {
        Number::Float16 => differences!(src, out, parts, f16, |a: f16, b: f16| a - b),
        Number::BFloat16 => differences!(src, out, parts, bf16, |a: bf16, b: bf16| a - b),
        Number::Float32 => differences!(src, out, parts, f32, |a: f32, b: f32| a - b),
        Number::Float64 => differences!(src, out, parts, f64, |a: f64, b: f64| a - b),
        _ => match number.size() {
            1 => differences!(src, out, parts, u8, u8::wrapping_sub),
            2 => differences!(src, out, parts, u16, u16::wrapping_sub),
            4 => differences!(src, out, parts, u32, u32::wrapping_sub),
            _ => differences!(src, out, parts, u64, u64::wrapping_sub),
        },
    }
}

fn sum(bytes: &mut [u8], number: Number, parts: usize) {
    match number {
        Number::Float16 => sums!(bytes, parts, f16, |a: f16, b: f16| a + b),
        Number::BFloat16 => sums!(bytes, parts, bf16, |a: bf16, b: bf16| a + b),
        Number::Float32 => sums!(bytes, parts, f32, |a: f32, b: f32| a + b),
        Number::Float64 => sums!(bytes, parts, f64, |a: f64, b: f64| a + b),
        _ => match number.size() {
            1 => sums!(bytes, parts, u8, u8::wrapping_add),
            2 => sums!(bytes, parts, u16, u16::wrapping_add),
            4 => sums!(bytes, parts, u32, u32::wrapping_add),
            _ => sums!(bytes, parts, u64, u64::wrapping_add),
        },
    }
}

impl ArrayCodec for Delta {
    fn encoded(&self, decoded: &ChunkSpec) -> Result<ChunkSpec> {
        self.sides.encoded(decoded, self)
    }

    /// Each element depends on all previous ones.
    fn region(&self, _: &Region) -> Option<Region> {
        None
    }

    fn encode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        let (number, parts) = (self.sides.decoded.part, self.sides.decoded.parts());
        if number == self.sides.encoded.part {
            differ(src, out, number, parts);
            return Ok(());
        }
        let mut differences = Block::new(src.len())?;
        differ(src, &mut differences, number, parts);
        cast(&differences, number, out, self.sides.encoded.part);
        Ok(())
    }

    fn decode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        let (number, parts) = (self.sides.decoded.part, self.sides.decoded.parts());
        let wide = promoted(number, self.sides.encoded.part);
        if wide == number {
            cast(src, self.sides.encoded.part, out, number);
            sum(out, number, parts);
            return Ok(());
        }
        // NumPy sums in a type that holds both
        let mut sums = Block::new(src.len() / self.sides.encoded.part.size() * wide.size())?;
        cast(src, self.sides.encoded.part, &mut sums, wide);
        sum(&mut sums, wide, parts);
        cast(&sums, wide, out, number);
        Ok(())
    }

    fn over_bytes(self: Box<Self>) -> Option<Box<dyn BytesCodec>> {
        let sides = self.sides.clone();
        Some(Box::new(Flat { codec: self, sides }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::{CodecSpec, DataType};
    use serde_json::json;

    /// numcodecs.Delta(…).encode(…) and .decode(…)
    #[test]
    fn as_numcodecs_has_it() -> Result<()> {
        let delta = |data_type: DataType, dtype: &str, astype: &str| {
            let configuration = json!({"dtype": dtype, "astype": astype});
            let configuration = configuration.as_object().cloned().unwrap_or_default();
            let spec = CodecSpec::new("delta", configuration);
            let fill = vec![0; data_type.size()].into();
            let chunk = ChunkSpec { shape: vec![4], data_type, fill, most: None };
            build(&Config::new(&spec), &chunk).map(|codec| match codec {
                Codec::Array(codec) => codec,
                _ => panic!("of another kind"),
            })
        };
        let codec = delta(DataType::Int16, "<i2", "|i1")?;
        let src = [100i16, 102, 104, 103].map(i16::to_ne_bytes).concat();
        let mut out = [0; 4];
        codec.encode(&src, &mut out)?;
        assert_eq!(out, [100, 2, 2, 255]);
        let mut back = vec![0; 8];
        codec.decode(&out, &mut back)?;
        assert_eq!(back, src);
        // sums of float64 in float64, of complex numbers part by part
        let codec = delta(DataType::Float32, "<f4", "<f8")?;
        let encoded = [16_777_216.0, 0.5, 0.5, 0.0].map(f64::to_ne_bytes).concat();
        let mut back = vec![0; 16];
        codec.decode(&encoded, &mut back)?;
        let sums = [16_777_216.0f32, 16_777_216.0, 16_777_217.0, 16_777_217.0];
        assert_eq!(back, sums.map(f32::to_ne_bytes).concat());
        let codec = delta(DataType::Complex64, "<c8", "<c8")?;
        let src = [1f32, 10.0, 3.0, 11.0, 6.0, 13.0].map(f32::to_ne_bytes).concat();
        let mut out = vec![0; 24];
        codec.encode(&src, &mut out)?;
        assert_eq!(out, [1f32, 10.0, 2.0, 1.0, 3.0, 2.0].map(f32::to_ne_bytes).concat());
        codec.decode(&out.clone(), &mut out)?;
        assert_eq!(out, src);
        assert!(delta(DataType::Bool, "|b1", "|b1").is_err());
        Ok(())
    }
}
