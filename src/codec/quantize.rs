//! `quantize`: floats rounded to so many decimal digits, by a power of two; decoding only casts.
//! <https://numcodecs.readthedocs.io/en/stable/filter/quantize.html>

use super::config::Config;
use super::flat::Flat;
use super::numpy::{Op, Scalar, Sides, cast, compute};
use super::{ArrayCodec, BytesCodec, ChunkSpec, Codec};
use crate::error::Result;
use crate::strided::Number;

struct Quantize {
    sides: Sides,
    ops: [Op; 3],
}

/// The power of two to multiply by before rounding.
fn scale(digits: i64) -> f64 {
    let exponent = 10f64.powf(-digits as f64).log10();
    let exponent = if exponent < 0.0 { exponent.floor() } else { exponent.ceil() };
    10f64.powf(-exponent).log2().ceil().exp2()
}

pub(super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["digits", "dtype", "astype"])?;
    let digits = config.integer("digits", -300, 300)?.ok_or_else(|| config.missing("digits"))?;
    let sides = Sides::new(config, "dtype", "astype", spec)?;
    for side in [&sides.decoded, &sides.encoded] {
        let float = matches!(side.part, Number::Float16 | Number::Float32 | Number::Float64);
        if !float || side.parts() != 1 {
            return Err(
                config.error(format!("rounds floats: {} is not supported", side.data_type.name()))
            );
        }
    }
    let scale = Scalar::Float(scale(digits));
    let ops = [Op::Multiply(scale), Op::Round, Op::Divide(scale)];
    Ok(Codec::Array(Box::new(Quantize { sides, ops })))
}

impl ArrayCodec for Quantize {
    fn encoded(&self, decoded: &ChunkSpec) -> Result<ChunkSpec> {
        self.sides.encoded(decoded, self)
    }

    fn decodes_nothing(&self) -> bool {
        self.sides.decoded.part == self.sides.encoded.part
    }

    fn encode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        compute(src, self.sides.decoded.part, &self.ops, out, self.sides.encoded.part);
        Ok(())
    }

    fn decode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        cast(src, self.sides.encoded.part, out, self.sides.decoded.part);
        Ok(())
    }

    fn over_bytes(self: Box<Self>) -> Option<Box<dyn BytesCodec>> {
        let sides = self.sides.clone();
        Some(Box::new(Flat { codec: self, sides }))
    }
}
