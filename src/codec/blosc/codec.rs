//! The codec `blosc` of metadata documents: its parameters, and reading parts of a frame.
//! <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/blosc/index.html>

use super::{Compressor, Config, Index, Shuffle, decode_block, decode_range};
use crate::codec::config;
use crate::codec::parts::{Part, Parts};
use crate::codec::{BytesCodec, ChunkSpec, Codec, Len};
use crate::error::Result;
use crate::exec::Buffer;
use crate::source::{ByteSource, wrong_length};
use serde_json::Value;
use std::sync::OnceLock;

struct Blosc(Config);

/// v3 documents have all parameters. In v2 and N5 a missing typesize defaults to the element size,
/// and some writers add the number of threads that they used.
pub(in crate::codec) fn build(config: &config::Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["cname", "clevel", "shuffle", "typesize", "blocksize", "nthreads"])?;
    let names = Compressor::ALL.map(|c| (c.name(), c));
    let cname = config.word("cname", &names)?.unwrap_or(Compressor::Lz4);
    let clevel = config.integer("clevel", 0, 9)?.unwrap_or(5) as u8;
    let item = spec.data_type.size().max(1);
    let typesize = config.integer("typesize", 1, i32::MAX.into())?.map_or(item, |n| n as usize);
    let blocksize = config.integer("blocksize", 0, i32::MAX.into())?.unwrap_or(0) as usize;
    let shuffle = match config.get("shuffle") {
        // the numbers of numcodecs; -1 chooses automatically
        Some(Value::Number(_)) => match config.integer("shuffle", -1, 2)? {
            Some(0) => Shuffle::None,
            Some(1) => Shuffle::Byte,
            Some(-1) if item > 1 => Shuffle::Byte,
            _ => Shuffle::Bit,
        },
        _ => {
            let words = [
                ("noshuffle", Shuffle::None),
                ("shuffle", Shuffle::Byte),
                ("bitshuffle", Shuffle::Bit),
            ];
            config.word("shuffle", &words)?.unwrap_or(Shuffle::Byte)
        }
    };
    Ok(Codec::Bytes(Box::new(Blosc(Config { cname, clevel, shuffle, typesize, blocksize }))))
}

impl BytesCodec for Blosc {
    fn encoded_len(&self, decoded: Len) -> Len {
        decoded.at_most(|n| n.saturating_add(super::HEADER_LEN as u64))
    }

    fn decoded_bound(&self, encoded: u64) -> u64 {
        // zstd's best ratio; the frame's own header is checked more closely
        encoded.saturating_mul(32 << 10)
    }

    fn encode(&self, src: &[u8], out: &mut Vec<u8>, threads: usize) -> Result<()> {
        super::encode(&self.0, src, out, threads)
    }

    fn decode(&self, src: &[u8], out: &mut [u8], threads: usize) -> Result<()> {
        super::decode(src, out, threads)
    }

    fn decode_unknown(&self, src: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<()> {
        super::decode_grow(src, limit, out)
    }

    fn open<'a>(
        &'a self,
        encoded: &'a dyn ByteSource,
        decoded: u64,
    ) -> Option<Box<dyn ByteSource + 'a>> {
        Some(Box::new(Parts {
            encoded,
            decoded,
            // each request decodes the blocks it touches again
            request_cost: 256 << 10,
            part: Opened { encoded, decoded, index: OnceLock::new() },
        }))
    }
}

/// A frame of which only the needed blocks are fetched and decoded.
struct Opened<'a> {
    encoded: &'a dyn ByteSource,
    /// The length that the frame must decode to.
    decoded: u64,
    index: OnceLock<Option<Index>>,
}

/// The bytes fetched from the start of a frame: its header and, nearly always, its whole table.
const PREFIX: u64 = 1024;

impl Opened<'_> {
    /// The index of blocks; `None`: the value is absent.
    fn index(&self) -> Result<Option<&Index>> {
        if let Some(ready) = self.index.get() {
            return Ok(ready.as_ref());
        }
        let index = self.load()?;
        Ok(self.index.get_or_init(|| index).as_ref())
    }

    fn load(&self) -> Result<Option<Index>> {
        let Some(len) = self.encoded.len()? else { return Ok(None) };
        let frame_len = usize::try_from(len).map_err(|_| wrong_length(self.decoded, len))?;
        let mut prefix = Buffer::with_capacity(PREFIX as usize)?;
        let mut wanted = len.min(PREFIX) as usize;
        loop {
            let more = wanted.saturating_sub(prefix.len());
            crate::source::reserve(&mut prefix, more)?;
            prefix.resize(wanted, 0);
            if !self.encoded.read_at(0, &mut prefix)? {
                return Ok(None);
            }
            let header = super::Header::parse(&prefix, frame_len)?;
            if header.nbytes as u64 != self.decoded {
                return Err(wrong_length(self.decoded, header.nbytes as u64));
            }
            if header.prefix_len() <= wanted {
                return Index::new(&prefix, frame_len).map(Some);
            }
            wanted = header.prefix_len();
        }
    }
}

impl Part for Opened<'_> {
    fn exists(&self) -> Result<bool> {
        Ok(self.index()?.is_some())
    }

    fn decode(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        let (offset, end) = (offset as usize, offset as usize + out.len());
        let Some(index) = self.index()? else { return Ok(false) };
        if let Some(frame) = self.encoded.as_slice() {
            return decode_range(frame, offset, out).map(|()| true);
        }
        let header = index.header();
        let mut stored = Buffer::with_capacity(0)?;
        for block in index.blocks(offset..end)? {
            let span = header.block_span(block);
            let (from, to) = (offset.max(span.start), end.min(span.end));
            let place = index.stored_span(block);
            let more = place.len().saturating_sub(stored.len());
            crate::source::reserve(&mut stored, more)?;
            stored.resize(place.len(), 0);
            if !self.encoded.read_at(place.start as u64, &mut stored)? {
                return Ok(false);
            }
            let part = &mut out[from - offset..to - offset];
            decode_block(index, block, &stored, from - span.start, part)?;
        }
        Ok(true)
    }
}
