//! `fixedscaleoffset`: `(x - offset) * scale`, rounded to integers, and back.
//! <https://numcodecs.readthedocs.io/en/stable/filter/fixedscaleoffset.html>

use super::config::Config;
use super::flat::Flat;
use super::numpy::{Op, Scalar, Sides, compute};
use super::{ArrayCodec, BytesCodec, ChunkSpec, Codec};
use crate::error::Result;

struct FixedScaleOffset {
    sides: Sides,
    encode: [Op; 3],
    decode: [Op; 2],
}

pub(super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["offset", "scale", "dtype", "astype"])?;
    let sides = Sides::new(config, "dtype", "astype", spec)?;
    if sides.decoded.parts() != 1 {
        return Err(config.error("cannot encode complex numbers"));
    }
    let (offset, scale) = (Scalar::new(config, "offset")?, Scalar::new(config, "scale")?);
    if scale.float() == 0.0 {
        return Err(config.error("has \"scale\" 0: expected another number"));
    }
    Ok(Codec::Array(Box::new(FixedScaleOffset {
        sides,
        encode: [Op::Subtract(offset), Op::Multiply(scale), Op::Round],
        decode: [Op::Divide(scale), Op::Add(offset)],
    })))
}

impl ArrayCodec for FixedScaleOffset {
    fn encoded(&self, decoded: &ChunkSpec) -> Result<ChunkSpec> {
        self.sides.encoded(decoded, self)
    }

    fn encode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        compute(src, self.sides.decoded.part, &self.encode, out, self.sides.encoded.part);
        Ok(())
    }

    fn decode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        compute(src, self.sides.encoded.part, &self.decode, out, self.sides.decoded.part);
        Ok(())
    }

    fn over_bytes(self: Box<Self>) -> Option<Box<dyn BytesCodec>> {
        let sides = self.sides.clone();
        Some(Box::new(Flat { codec: self, sides }))
    }
}
