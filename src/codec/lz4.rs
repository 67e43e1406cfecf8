//! `lz4`, as numcodecs frames it: the decoded length (int32, little-endian), then one LZ4 block.
//! By liblz4.
#![allow(unsafe_code)] // the binding

use super::config::Config;
use super::{BytesCodec, ChunkSpec, Codec, Len};
use crate::error::{Error, Kind, Result};
use crate::exec::out_of_memory;

const HEADER: usize = 4;
/// The largest input of a block.
const MOST: usize = 0x7E00_0000;

struct Lz4 {
    acceleration: i32,
}

pub(super) fn build(config: &Config<'_>, _: &ChunkSpec) -> Result<Codec> {
    config.only(&["acceleration"])?;
    let acceleration = config.integer("acceleration", i32::MIN.into(), i32::MAX.into())?;
    Ok(Codec::Bytes(Box::new(Lz4 { acceleration: acceleration.unwrap_or(1) as i32 })))
}

fn bound(len: usize) -> usize {
    len + len / 255 + 16
}

/// Splits off the header: the decoded length it claims, and the block.
fn split(src: &[u8]) -> Result<(usize, &[u8])> {
    let too_short = || Error::corrupt(format!("{} bytes are too few for a header", src.len()));
    let (header, block) = src.split_first_chunk::<HEADER>().ok_or_else(too_short)?;
    let claimed = i32::from_le_bytes(*header);
    usize::try_from(claimed)
        .ok()
        .map(|n| (n, block))
        .ok_or_else(|| Error::corrupt(format!("the header claims {claimed} bytes")))
}

/// Decodes a block, which must fill `out`.
pub(super) fn decode_block(block: &[u8], out: &mut [u8]) -> Result<()> {
    let (Ok(from), Ok(to)) = (i32::try_from(block.len()), i32::try_from(out.len())) else {
        return Err(Error::corrupt(format!("a block of {} bytes is too large", block.len())));
    };
    // SAFETY: both pointers are good for the lengths given, which fit an int; the function
    // writes no more than `to` bytes and reads no more than `from`, whatever they hold.
    let found = unsafe {
        lz4_sys::LZ4_decompress_safe(block.as_ptr().cast(), out.as_mut_ptr().cast(), from, to)
    };
    if found != to {
        return Err(Error::corrupt(match found {
            0.. => format!("the block holds {found} bytes, its header says {to}"),
            _ => format!("the block of {from} bytes is damaged"),
        }));
    }
    Ok(())
}

/// The decoded length that a header and its block claim.
pub(super) fn framed_len(src: &[u8]) -> Result<usize> {
    split(src).map(|(claimed, _)| claimed)
}

/// Decodes a header and its block, which must fill `out`.
pub(super) fn decode_framed(src: &[u8], out: &mut [u8]) -> Result<()> {
    let (claimed, block) = split(src)?;
    if claimed != out.len() {
        return Err(crate::source::wrong_length(out.len() as u64, claimed as u64));
    }
    decode_block(block, out)
}

/// Appends `src` as one block.
pub(super) fn append_block(src: &[u8], out: &mut Vec<u8>, acceleration: i32) -> Result<()> {
    if src.len() > MOST {
        return Err(Error::new(
            Kind::LimitExceeded,
            format!("{} bytes are too many for a block: the limit is {MOST}", src.len()),
        ));
    }
    let room = bound(src.len());
    out.try_reserve(room).map_err(|_| out_of_memory(room))?;
    let spare = out.spare_capacity_mut();
    // SAFETY: `src` and `spare` are good for the lengths given, and both fit an int.
    let written = unsafe {
        lz4_sys::LZ4_compress_fast(
            src.as_ptr().cast(),
            spare.as_mut_ptr().cast(),
            src.len() as i32,
            room as i32,
            acceleration,
        )
    };
    if written <= 0 {
        return Err(Error::new(Kind::Internal, "the block does not fit its own bound"));
    }
    // SAFETY: the function has written that many bytes behind the present ones.
    unsafe { out.set_len(out.len() + written as usize) };
    Ok(())
}

impl BytesCodec for Lz4 {
    fn encoded_len(&self, decoded: Len) -> Len {
        decoded.at_most(|n| (HEADER as u64 + 16).saturating_add(n).saturating_add(n / 255))
    }

    fn decoded_bound(&self, encoded: u64) -> u64 {
        encoded.saturating_mul(255)
    }

    fn encode(&self, src: &[u8], out: &mut Vec<u8>, _: usize) -> Result<()> {
        out.extend_from_slice(&(src.len() as u32).to_le_bytes());
        append_block(src, out, self.acceleration)
    }

    fn decode(&self, src: &[u8], out: &mut [u8], _: usize) -> Result<()> {
        decode_framed(src, out)
    }

    fn decode_unknown(&self, src: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<()> {
        let (claimed, block) = split(src)?;
        if claimed > limit || claimed as u64 > self.decoded_bound(block.len() as u64) {
            return Err(Error::corrupt(format!(
                "{} bytes cannot decode to {claimed}, as their \
                header claims",
                block.len()
            )));
        }
        out.try_reserve(claimed).map_err(|_| out_of_memory(claimed))?;
        let at = out.len();
        out.resize(at + claimed, 0);
        decode_block(block, &mut out[at..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn framed_as_numcodecs_does() {
        // numcodecs.LZ4().encode(b"aaaaaaaaaaaaaaaaaaaa")
        let known = b"\x14\0\0\0\x1aa\x01\0Paaaaa";
        let mut out = [0; 20];
        Lz4 { acceleration: 1 }.decode(known, &mut out, 1).expect("decodes");
        assert_eq!(&out, &[b'a'; 20]);
        let mut encoded = Vec::new();
        Lz4 { acceleration: 1 }.encode(&out, &mut encoded, 1).expect("encodes");
        assert_eq!(encoded, known);
        let mut grown = Vec::new();
        Lz4 { acceleration: 1 }.decode_unknown(known, &mut grown, 20).expect("decodes");
        assert_eq!(grown, out);
    }

    #[test]
    fn damage_is_an_error() {
        let mut encoded = Vec::new();
        let data: Vec<u8> = (0..5000u32).map(|i| (i % 7) as u8).collect();
        Lz4 { acceleration: 1 }.encode(&data, &mut encoded, 1).expect("encodes");
        let mut out = vec![0; data.len()];
        for cut in 0..encoded.len() {
            assert!(Lz4 { acceleration: 1 }.decode(&encoded[..cut], &mut out, 1).is_err());
        }
        for huge in [[0xFF, 0xFF, 0xFF, 0x7F], [0xFF; 4]] {
            encoded[..4].copy_from_slice(&huge);
            assert!(Lz4 { acceleration: 1 }.decode(&encoded, &mut out, 1).is_err());
            let e = Lz4 { acceleration: 1 }.decode_unknown(&encoded, &mut Vec::new(), usize::MAX);
            assert_eq!(e.expect_err("a lie").kind(), Kind::CorruptData);
        }
    }
}
