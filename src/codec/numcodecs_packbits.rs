//! `numcodecs.packbits`: bools as bits, highest first, after a byte with the number of unused bits
//! in the last byte. The registered codec `packbits` is a different one: `packbits.rs`.
//! <https://numcodecs.readthedocs.io/en/stable/filter/packbits.html>

use super::config::Config;
use super::{ArrayCodec, BytesCodec, ChunkSpec, Codec, Len, bits};
use crate::error::{Error, Result};
use crate::exec::out_of_memory;
use crate::metadata::DataType;
use crate::selection::Region;

struct PackBits;

pub(super) fn build(config: &Config<'_>, _: &ChunkSpec) -> Result<Codec> {
    config.only(&[])?;
    Ok(Codec::Array(Box::new(PackBits)))
}

fn packed_len(bools: u64) -> u64 {
    1 + bools.div_ceil(8)
}

/// Splits off the header: the bits, and the number of unused ones at the end.
fn split(src: &[u8]) -> Result<(&[u8], u64)> {
    match src.split_first() {
        Some((&padding, bits)) if padding < 8 && (padding == 0 || !bits.is_empty()) => {
            Ok((bits, padding.into()))
        }
        Some((padding, bits)) => Err(Error::corrupt(format!(
            "the first byte declares {padding} padding bits in {} bytes",
            bits.len()
        ))),
        None => Err(Error::corrupt("the first byte is missing")),
    }
}

impl ArrayCodec for PackBits {
    fn encoded(&self, decoded: &ChunkSpec) -> Result<ChunkSpec> {
        if decoded.data_type.size() != 1 {
            return Err(Error::metadata(format!(
                "packbits encodes booleans: the type {} is not supported",
                decoded.data_type.name()
            )));
        }
        let len = packed_len(decoded.size()?);
        Ok(ChunkSpec {
            shape: vec![len],
            data_type: DataType::UInt8,
            fill: vec![0].into(),
            most: None,
        })
    }

    fn region(&self, _: &Region) -> Option<Region> {
        None
    }

    fn encode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        if let Some((padding, packed)) = out.split_first_mut() {
            *padding = (packed.len() * 8 - src.len()) as u8;
            bits::pack(src, packed, true);
        }
        Ok(())
    }

    fn decode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        let (packed, padding) = split(src)?;
        let found = packed.len() as u64 * 8 - padding;
        if found != out.len() as u64 {
            return Err(Error::corrupt(format!("{found} bits: expected {}", out.len())));
        }
        bits::unpack(packed, out, true);
        Ok(())
    }

    fn over_bytes(self: Box<Self>) -> Option<Box<dyn BytesCodec>> {
        Some(self)
    }
}

/// Applied to bytes as bools.
impl BytesCodec for PackBits {
    fn encoded_len(&self, decoded: Len) -> Len {
        match decoded {
            Len::Exactly(n) => Len::Exactly(packed_len(n)),
            other => other.at_most(packed_len),
        }
    }

    fn decoded_bound(&self, encoded: u64) -> u64 {
        encoded.saturating_sub(1).saturating_mul(8)
    }

    fn encode(&self, src: &[u8], out: &mut Vec<u8>, _: usize) -> Result<()> {
        let (at, more) = (out.len(), packed_len(src.len() as u64) as usize);
        out.try_reserve(more).map_err(|_| out_of_memory(more))?;
        out.resize(at + more, 0);
        ArrayCodec::encode(self, src, &mut out[at..])
    }

    fn decode(&self, src: &[u8], out: &mut [u8], _: usize) -> Result<()> {
        ArrayCodec::decode(self, src, out)
    }

    fn decode_unknown(&self, src: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<()> {
        let (packed, padding) = split(src)?;
        let more = packed.len() as u64 * 8 - padding;
        if more > limit as u64 {
            return Err(crate::source::wrong_length(limit as u64, more));
        }
        let at = out.len();
        out.try_reserve(more as usize).map_err(|_| out_of_memory(more as usize))?;
        out.resize(at + more as usize, 0);
        bits::unpack(packed, &mut out[at..], true);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_numcodecs_packs() {
        // numcodecs.PackBits().encode(np.array([1, 0, 0, 1], bool))
        let mut out = [9; 2];
        ArrayCodec::encode(&PackBits, &[1, 0, 0, 1], &mut out).expect("packs");
        assert_eq!(out, [4, 144]);
        let mut back = [9; 4];
        ArrayCodec::decode(&PackBits, &out, &mut back).expect("unpacks");
        assert_eq!(back, [1, 0, 0, 1]);
        for wrong in [&[8, 144][..], &[3, 144], &[4], &[], &[4, 144, 0]] {
            assert!(ArrayCodec::decode(&PackBits, wrong, &mut back).is_err(), "{wrong:?}");
        }
        let mut grown = Vec::new();
        PackBits.decode_unknown(&out, &mut grown, 4).expect("unpacks");
        assert_eq!(grown, back);
        assert!(PackBits.decode_unknown(&out, &mut grown, 3).is_err());
    }
}
