//! `bz2`: any number of concatenated bzip2 streams, by libbz2-rs, which writes the same bytes as
//! libbzip2.
//! <https://sourceware.org/bzip2/manual/manual.html>

use super::config::Config;
use super::sink::Sink;
use super::{BytesCodec, ChunkSpec, Codec, Len};
use crate::error::{Error, Kind, Result};
use crate::exec::{or_out_of_memory, out_of_memory};
use bzip2::{Action, Compress, Compression, Decompress, Status};

/// The most bytes passed to the library at once, since it counts in 32 bits.
const MOST: usize = 1 << 30;

/// The most working memory of a stream (bytes): 400 KB and eight times its block.
const WORKING: usize = 400_000 + 8 * 900_000;

struct Bz2 {
    level: u32,
}

pub(super) fn build(config: &Config<'_>, _: &ChunkSpec) -> Result<Codec> {
    config.only(&["level"])?;
    // numcodecs' default is 1
    let level = config.integer("level", 1, 9)?.unwrap_or(1) as u32;
    Ok(Codec::Bytes(Box::new(Bz2 { level })))
}

/// The first bytes of `src`, as many as fit one call of the library.
fn part(src: &[u8]) -> &[u8] {
    &src[..src.len().min(MOST)]
}

fn bound(len: u64) -> u64 {
    // the manual's bound: 1 % more, plus 600 bytes
    len.saturating_add(len / 100).saturating_add(600)
}

/// Decodes all of `src`.
fn decode(mut src: &[u8], sink: &mut Sink<'_>) -> Result<()> {
    loop {
        let mut stream = or_out_of_memory(WORKING, || Decompress::new(false))?;
        loop {
            let (read, written) = (stream.total_in(), stream.total_out());
            let status = stream
                .decompress(part(src), sink.room()?)
                .map_err(|_| Error::corrupt("the bzip2 stream is damaged"))?;
            let read = (stream.total_in() - read) as usize;
            let written = (stream.total_out() - written) as usize;
            src = &src[read..];
            sink.wrote(written)?;
            match status {
                Status::StreamEnd => break,
                Status::MemNeeded => return Err(out_of_memory(WORKING)),
                _ if read == 0 && written == 0 => {
                    return Err(Error::corrupt("the bzip2 stream is truncated"));
                }
                _ => {}
            }
        }
        if src.is_empty() {
            return Ok(());
        }
    }
}

impl BytesCodec for Bz2 {
    fn encoded_len(&self, decoded: Len) -> Len {
        decoded.at_most(bound)
    }

    fn decoded_bound(&self, encoded: u64) -> u64 {
        // a block has at least 24 bytes and holds 900 000, of which five can stand for 259
        encoded.saturating_mul(900_000 / 5 * 259 / 24)
    }

    fn encode(&self, src: &[u8], out: &mut Vec<u8>, _: usize) -> Result<()> {
        let room = bound(src.len() as u64) as usize;
        crate::source::reserve(out, room)?;
        let mut stream =
            or_out_of_memory(WORKING, || Compress::new(Compression::new(self.level), 0))?;
        let mut src = src;
        let failed = |e: bzip2::Error| Error::new(Kind::Internal, e.to_string());
        loop {
            let action = if src.len() > MOST { Action::Run } else { Action::Finish };
            let read = stream.total_in();
            let status = stream.compress_vec(part(src), out, action).map_err(failed)?;
            src = &src[(stream.total_in() - read) as usize..];
            if status == Status::StreamEnd {
                return Ok(());
            }
            if out.len() == out.capacity() {
                crate::source::reserve(out, 4096)?; // never yet: `room` holds it
            }
        }
    }

    fn decode(&self, src: &[u8], out: &mut [u8], _: usize) -> Result<()> {
        let mut sink = Sink::exactly(out);
        decode(src, &mut sink)?;
        sink.finish()
    }

    fn decode_unknown(&self, src: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<()> {
        let mut sink = Sink::at_most(out, limit);
        decode(src, &mut sink)?;
        sink.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// bz2.compress(b"zarr" * 8, 1)
    const PYTHON: &[u8] = b"\x42\x5a\x68\x31\x31\x41\x59\x26\x53\x59\x2b\x06\xe6\xfa\x00\x00\x0f\x81\x80\x20\x00\x10\x10\x20\x00\
        \x30\xcc\x05\x41\x85\x18\x38\xbb\x92\x29\xc2\x84\x81\x58\x37\x37\xd0";

    #[test]
    fn streams_follow_each_other_and_nothing_else_does() {
        let codec = Bz2 { level: 1 };
        let mut encoded = Vec::new();
        for part in [&b"one, "[..], b"", b"two"] {
            codec.encode(part, &mut encoded, 1).expect("encodes");
        }
        let mut out = [0; 8];
        codec.decode(&encoded, &mut out, 1).expect("decodes");
        assert_eq!(&out, b"one, two");
        let mut grown = b"> ".to_vec();
        codec.decode_unknown(&encoded, &mut grown, 8).expect("decodes");
        assert_eq!(grown, b"> one, two");
        assert!(codec.decode_unknown(&encoded, &mut Vec::new(), 7).is_err());
        assert!(codec.decode(&encoded, &mut out[..7], 1).is_err());
        assert!(codec.decode(&encoded, &mut [0; 9], 1).is_err());
        encoded.push(b'x');
        assert!(codec.decode(&encoded, &mut out, 1).is_err());
    }

    #[test]
    fn a_stream_of_python() {
        let data = b"zarr".repeat(8);
        let mut out = [0; 32];
        Bz2 { level: 1 }.decode(PYTHON, &mut out, 1).expect("decodes");
        assert_eq!(out, data[..]);
        let mut encoded = Vec::new();
        Bz2 { level: 1 }.encode(&data, &mut encoded, 1).expect("encodes");
        assert_eq!(encoded, PYTHON);
    }

    #[test]
    fn the_bound_holds_for_the_bytes_that_compress_best() {
        let codec = Bz2 { level: 1 };
        let mut encoded = Vec::new();
        let data = vec![0; 10_000_000];
        codec.encode(&data, &mut encoded, 1).expect("encodes");
        assert!(codec.decoded_bound(encoded.len() as u64) >= data.len() as u64);
        let e = codec.decode_unknown(&encoded, &mut Vec::new(), 1000).expect_err("too long");
        assert_eq!(e.kind(), Kind::CorruptData);
    }
}
