//! `astype`: numbers stored as numbers of another type, cast as NumPy casts.
//! <https://numcodecs.readthedocs.io/en/stable/filter/astype.html>

use super::config::Config;
use super::flat::Flat;
use super::numpy::{Sides, cast};
use super::{ArrayCodec, BytesCodec, ChunkSpec, Codec};
use crate::error::Result;

struct AsType {
    sides: Sides,
}

pub(super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["encode_dtype", "decode_dtype"])?;
    if config.get("encode_dtype").is_none() {
        return Err(config.missing("encode_dtype"));
    }
    let sides = Sides::new(config, "decode_dtype", "encode_dtype", spec)?;
    Ok(Codec::Array(Box::new(AsType { sides })))
}

impl ArrayCodec for AsType {
    fn encoded(&self, decoded: &ChunkSpec) -> Result<ChunkSpec> {
        self.sides.encoded(decoded, self)
    }

    fn encodes_nothing(&self) -> bool {
        self.sides.decoded.part == self.sides.encoded.part
    }

    fn encode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        cast(src, self.sides.decoded.part, out, self.sides.encoded.part);
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
