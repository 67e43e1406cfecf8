//! `lz4_java`: LZ4 in N5, a stream of blocks as the Java library lz4-java writes it. N5 uses the
//! same name for the unrelated framing of numcodecs (zarr-python writes it), so this codec decodes
//! both. By liblz4.
//! <https://github.com/lz4/lz4-java/blob/master/src/java/net/jpountz/lz4/LZ4BlockOutputStream.java>
//!
//! ```text
//! | "LZ4Block" | method and level: u8 | encoded: u32 | decoded: u32 | checksum: u32 | encoded … |
//! ```
//!
//! Numbers are little-endian; a block of 0 bytes ends the stream.

use super::config::Config;
use super::{BytesCodec, ChunkSpec, Codec, Len, lz4};
use crate::error::{Error, Result};
use crate::source::{append, wrong_length};

const MAGIC: &[u8; 8] = b"LZ4Block";
const HEADER: usize = 21;
/// The upper four bits of the token: the block is uncompressed.
const RAW: u8 = 0x10;
/// The block is compressed.
const LZ4: u8 = 0x20;
/// The lower four bits are the logarithm of the block size minus this.
const LEVEL_BASE: u32 = 10;
const SEED: u32 = 0x9747_B28C;

struct Lz4Java {
    block_size: usize,
}

pub(super) fn build(config: &Config<'_>, _: &ChunkSpec) -> Result<Codec> {
    config.only(&["blockSize"])?;
    // what lz4-java allows
    let block_size = config.integer("blockSize", 64, 1 << 25)?.unwrap_or(1 << 16);
    Ok(Codec::Bytes(Box::new(Lz4Java { block_size: block_size as usize })))
}

/// lz4-java drops the upper four bits.
fn checksum(block: &[u8]) -> u32 {
    twox_hash::XxHash32::oneshot(SEED, block) & 0x0FFF_FFFF
}

/// One block of the stream.
struct Block<'a> {
    method: u8,
    decoded: usize,
    checksum: u32,
    encoded: &'a [u8],
}

/// Splits off the first block; `None`: the stream ends.
fn split<'a>(stream: &mut &'a [u8]) -> Result<Option<Block<'a>>> {
    let damaged = |what: &str| Error::corrupt(format!("a block of the stream {what}"));
    let Some((header, rest)) = stream.split_first_chunk::<HEADER>() else {
        return match stream.is_empty() {
            true => Ok(None),
            false => Err(damaged("is truncated")),
        };
    };
    if !header.starts_with(MAGIC) {
        return Err(damaged("does not begin with \"LZ4Block\""));
    }
    let number = |at: usize| {
        let bytes = header[at..].first_chunk().copied().unwrap_or_default();
        u32::from_le_bytes(bytes)
    };
    let (encoded, decoded, checksum) = (number(9) as usize, number(13) as usize, number(17));
    let encoded = rest.get(..encoded).ok_or_else(|| damaged("is truncated"))?;
    *stream = &rest[encoded.len()..];
    if decoded == 0 {
        return match encoded.is_empty() && stream.is_empty() {
            true => Ok(None),
            false => Err(damaged("ends the stream, but bytes follow")),
        };
    }
    Ok(Some(Block { method: header[8] & 0xF0, decoded, checksum, encoded }))
}

impl Block<'_> {
    /// Decodes into `out`, which must have the length in the header.
    fn decode(&self, out: &mut [u8]) -> Result<()> {
        match self.method {
            RAW if self.encoded.len() == out.len() => out.copy_from_slice(self.encoded),
            RAW => return Err(wrong_length(out.len() as u64, self.encoded.len() as u64)),
            LZ4 => lz4::decode_block(self.encoded, out)?,
            method => return Err(Error::corrupt(format!("has the unknown method {method:#x}"))),
        }
        match checksum(out) == self.checksum {
            true => Ok(()),
            false => Err(Error::corrupt("the checksum of a block does not match")),
        }
    }
}

impl BytesCodec for Lz4Java {
    fn encoded_len(&self, decoded: Len) -> Len {
        let blocks = |n: u64| (n / self.block_size as u64).saturating_add(2);
        decoded.at_most(|n| n.saturating_add(blocks(n).saturating_mul(HEADER as u64)))
    }

    fn decoded_bound(&self, encoded: u64) -> u64 {
        encoded.saturating_mul(255)
    }

    fn encode(&self, src: &[u8], out: &mut Vec<u8>, _: usize) -> Result<()> {
        let level = usize::BITS - (self.block_size - 1).leading_zeros();
        let level = level.saturating_sub(LEVEL_BASE) as u8;
        let mut push = |block: &[u8]| -> Result<()> {
            let header = out.len();
            append(out, &[0; HEADER])?;
            let mut method = LZ4;
            if !block.is_empty() {
                lz4::append_block(block, out, 1)?;
            }
            if out.len() - header - HEADER >= block.len() {
                method = RAW;
                out.truncate(header + HEADER);
                append(out, block)?;
            }
            let encoded = (out.len() - header - HEADER) as u32;
            let sum = if block.is_empty() { 0 } else { checksum(block) };
            let numbers = [encoded, block.len() as u32, sum].map(u32::to_le_bytes);
            let parts = [&MAGIC[..], &[method | level], numbers.as_flattened()].concat();
            out[header..header + HEADER].copy_from_slice(&parts);
            Ok(())
        };
        src.chunks(self.block_size).try_for_each(&mut push)?;
        push(&[])
    }

    fn decode(&self, src: &[u8], out: &mut [u8], _: usize) -> Result<()> {
        if !src.starts_with(MAGIC) {
            return lz4::decode_framed(src, out);
        }
        let (mut stream, mut rest) = (src, out);
        let expected = rest.len();
        while let Some(block) = split(&mut stream)? {
            let (part, more) = rest.split_at_mut_checked(block.decoded).ok_or_else(|| {
                Error::corrupt(format!("the stream holds more than {expected} bytes"))
            })?;
            block.decode(part)?;
            rest = more;
        }
        match rest.len() {
            0 => Ok(()),
            missing => Err(wrong_length(expected as u64, (expected - missing) as u64)),
        }
    }

    fn decode_unknown(&self, src: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<()> {
        let mut len = 0;
        if src.starts_with(MAGIC) {
            let mut stream = src;
            while let Some(block) = split(&mut stream)? {
                len += block.decoded; // each is below 2^32 and has 21 bytes of `src`
            }
        } else {
            len = lz4::framed_len(src)?;
        }
        if len > limit || len as u64 > self.decoded_bound(src.len() as u64) {
            return Err(Error::corrupt(format!(
                "{} bytes cannot decode to {len}, as their header \
                claims",
                src.len()
            )));
        }
        let at = out.len();
        crate::source::reserve(out, len)?;
        out.resize(at + len, 0);
        self.decode(src, &mut out[at..], 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    const CODEC: Lz4Java = Lz4Java { block_size: 1 << 16 };

    fn encode(codec: &Lz4Java, data: &[u8]) -> Vec<u8> {
        let mut encoded = Vec::new();
        codec.encode(data, &mut encoded, 1).expect("encodes");
        encoded
    }

    #[test]
    fn streams_of_several_blocks_come_back() {
        let data: Vec<u8> = (0..1000u32).map(|i| (i * i / 50) as u8).collect();
        for block_size in [64, 100, 999, 1000, 1001, 1 << 16] {
            let codec = Lz4Java { block_size };
            let encoded = encode(&codec, &data);
            let Len::AtMost(most) = codec.encoded_len(Len::Exactly(1000)) else {
                panic!("a bound")
            };
            assert!(encoded.len() as u64 <= most);
            let mut out = vec![0; 1000];
            CODEC.decode(&encoded, &mut out, 1).expect("decodes");
            assert_eq!(out, data);
            let mut grown = vec![1];
            CODEC.decode_unknown(&encoded, &mut grown, 1000).expect("decodes");
            assert_eq!(grown[1..], data);
            assert!(CODEC.decode(&encoded, &mut out[1..], 1).is_err());
            assert!(CODEC.decode(&encoded, &mut [0; 1001], 1).is_err());
            let e = CODEC.decode_unknown(&encoded, &mut Vec::new(), 999).expect_err("too much");
            assert_eq!(e.kind(), Kind::CorruptData);
        }
        assert_eq!(encode(&CODEC, &[]).len(), HEADER, "the end alone");
    }

    #[test]
    fn as_lz4_java_writes_it() {
        // from a dataset: int32 big-endian, seven times each of 0 to 4, over and over
        let data: Vec<u8> = (0..100u32).flat_map(|i| (i / 7 % 5).to_be_bytes()).collect();
        let stream = encode(&CODEC, &data);
        assert_eq!(&stream[..9], b"LZ4Block\x26");
        assert_eq!(&stream[13..21], [0x90, 1, 0, 0, 0x70, 0x3F, 0x81, 1]);
        let end = &stream[stream.len() - HEADER..];
        assert_eq!(end, b"LZ4Block\x16\0\0\0\0\0\0\0\0\0\0\0\0");
    }

    #[test]
    fn numcodecs_framing_is_told_apart() {
        // numcodecs.LZ4().encode(b"aaaaaaaaaaaaaaaaaaaa")
        let mut out = [0; 20];
        CODEC.decode(b"\x14\0\0\0\x1aa\x01\0Paaaaa", &mut out, 1).expect("decodes");
        assert_eq!(&out, &[b'a'; 20]);
    }

    #[test]
    fn damage_is_an_error() {
        let data: Vec<u8> = (0..500u32).map(|i| (i % 7) as u8).collect();
        let encoded = encode(&Lz4Java { block_size: 200 }, &data);
        let mut out = vec![0; data.len()];
        let whole = encoded.len() - HEADER; // the end may be missing
        for cut in 0..whole {
            assert!(CODEC.decode(&encoded[..cut], &mut out, 1).is_err(), "{cut}");
        }
        CODEC.decode(&encoded[..whole], &mut out, 1).expect("all is there");
        for at in 0..whole {
            let mut damaged = encoded.clone();
            damaged[at] ^= 0x55;
            // the level, of no use to a reader, is the lower half of a token
            let harmless = CODEC.decode(&damaged, &mut out, 1).is_ok();
            assert!(!harmless || out == data, "{at}");
        }
    }
}
