//! Blosc frames: reads and writes the format of c-blosc 1, which Zarr's codec `blosc` stores.
//! c-blosc's `README_CHUNK_FORMAT.rst` describes it; the exact rules are those of c-blosc 1.21.
//!
//! A frame is a header ([`Header`]) and blocks. Each block is shuffled (`shuffle.rs`), then cut
//! into one stream or as many as an element has bytes, and each stream is compressed by a library
//! (`raw.rs`) behind its length. [`decode`] and [`encode`] put that together. What is written is,
//! byte for byte, what c-blosc 1.21.6 writes with the same versions of the inner libraries; only
//! zlib and snappy are compressed by other libraries than c-blosc's.
//!
//! Contexts and buffers are kept per thread, so that a call allocates nothing once its thread has
//! seen a similar frame. Threads share the blocks of a large frame, in groups; the result does not
//! depend on their number.

mod codec;
mod decode;
mod encode;
mod header;
mod raw;
pub(super) mod shuffle;
#[cfg(test)]
mod tests;

pub(super) use codec::build;
pub use decode::{decode, decode_block, decode_grow, decode_range, decode_uninit, decoded_len};
pub use encode::{encode, max_encoded_len};
pub use header::{HEADER_LEN, Header, Index};

use crate::error::{Error, Result};
use crate::exec;

/// Parses and checks the header of a whole frame ([`Header::parse`]).
pub fn header(src: &[u8]) -> Result<Header> {
    Header::parse(src, src.len())
}

/// The decoded bytes that a thread takes at once, unless a block is larger.
const GROUP: usize = 128 << 10;

/// The number of blocks that a thread takes at once.
fn blocks_per_group(blocksize: usize) -> usize {
    (GROUP / blocksize.max(1)).max(1)
}

/// Whether a frame is worth more threads than the caller's.
fn worth_sharing(threads: usize, nbytes: usize, blocksize: usize) -> bool {
    threads > 1 && nbytes as u64 >= exec::WORTH_SHARING && nbytes > blocksize
}

/// The inner compressor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names explain them
pub enum Compressor {
    BloscLz,
    Lz4,
    Lz4hc,
    Snappy,
    Zlib,
    Zstd,
}

impl Compressor {
    /// All compressors.
    pub const ALL: [Compressor; 6] =
        [Self::BloscLz, Self::Lz4, Self::Lz4hc, Self::Snappy, Self::Zlib, Self::Zstd];

    /// The compressor with the metadata name `name` (`cname`).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.name() == name)
    }

    /// Its name in metadata.
    pub fn name(self) -> &'static str {
        match self {
            Self::BloscLz => "blosclz",
            Self::Lz4 => "lz4",
            Self::Lz4hc => "lz4hc",
            Self::Snappy => "snappy",
            Self::Zlib => "zlib",
            Self::Zstd => "zstd",
        }
    }

    fn format(self) -> Format {
        match self {
            Self::BloscLz => Format::BloscLz,
            Self::Lz4 | Self::Lz4hc => Format::Lz4,
            Self::Snappy => Format::Snappy,
            Self::Zlib => Format::Zlib,
            Self::Zstd => Format::Zstd,
        }
    }

    /// Whether it favors small output over speed and so gets larger blocks.
    fn is_slow(self) -> bool {
        matches!(self, Self::Lz4hc | Self::Zlib | Self::Zstd)
    }
}

/// The compressed format of a frame's streams: a reader need not know which of two compressors
/// wrote them. The discriminant is the code in the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    BloscLz = 0,
    Lz4 = 1,
    Snappy = 2,
    Zlib = 3,
    Zstd = 4,
}

impl Format {
    fn of_code(code: u8) -> Result<Format> {
        Ok(match code {
            0 => Self::BloscLz,
            1 => Self::Lz4,
            2 => Self::Snappy,
            3 => Self::Zlib,
            4 => Self::Zstd,
            _ => {
                return Err(Error::corrupt(format!(
                    "the Blosc frame names the inner compressor {code}, there are only 0 to 4"
                )));
            }
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::BloscLz => "blosclz",
            Self::Lz4 => "lz4",
            Self::Snappy => "snappy",
            Self::Zlib => "zlib",
            Self::Zstd => "zstd",
        }
    }

    /// The maximum decoded bytes per encoded byte: a length byte of a match adds 255, a bit of
    /// deflate stands for up to 129, and a zstd block of 128 KiB needs four bytes.
    fn max_ratio(self) -> usize {
        match self {
            Self::BloscLz | Self::Lz4 | Self::Snappy => 255,
            Self::Zlib => 1032,
            Self::Zstd => 32768,
        }
    }
}

/// How the bytes of a block are reordered before compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shuffle {
    /// Unchanged.
    None,
    /// The first bytes of all elements, then the second ones, and so on.
    Byte,
    /// The lowest bits of the first bytes of all elements, and so on.
    Bit,
}

/// How to write a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// The inner compressor.
    pub cname: Compressor,
    /// 0 (uncompressed) to 9.
    pub clevel: u8,
    /// The filter before compression.
    pub shuffle: Shuffle,
    /// The element size, at least 1. Above 255 it counts as 1, as in c-blosc.
    pub typesize: usize,
    /// The block size; 0: chosen by level, compressor and typesize.
    pub blocksize: usize,
}
