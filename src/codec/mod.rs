//! The codecs: one file each, one line each in [`CODECS`], put together by a [`Chain`].
//!
//! A codec is built for the chunk that it will see ([`ChunkSpec`]) and checks its configuration
//! then, so that decoding has nothing left to ask. It reads from a [`ByteSource`] or a slice
//! and writes into memory that it is given, which for the last stage is the caller's own.

mod base64;
mod bytes;
mod bz2;
mod chain;
mod checksum;
mod config;
mod deflate;
mod lz4;
mod lz4_java;
mod lzma;
mod n5;
mod pcodec;
mod sharding;
mod shuffle;
mod sink;
mod transpose;
mod unusable;
mod whole;
mod zfp;
mod zstd;

pub mod blosc;

pub use chain::{Chain, Encoded};

use crate::cache::{Key, Scope};
use crate::error::{Error, Result};
use crate::metadata::{DataType, Region};
use crate::source::ByteSource;
use crate::strided::{Swap, View, ViewMut};
use config::Config;
use std::sync::Arc;

/// The chunk that a codec sees, as it is before encoding.
#[derive(Clone, Debug)]
pub struct ChunkSpec {
    /// Its shape, slowest dimension first.
    pub shape: Vec<u64>,
    /// The type of its elements.
    pub data_type: DataType,
    /// One element, in native byte order.
    pub fill: Arc<[u8]>,
    /// Where chunks at the edge of the array are cut short: the shape of those that are not, which
    /// a stored one must not exceed. `None`: this is the shape of the chunk, whatever is stored.
    pub most: Option<Vec<u64>>,
}

impl ChunkSpec {
    /// Bytes of the chunk in memory. Metadata may claim anything, so this is checked.
    pub fn size(&self) -> Result<u64> {
        self.shape
            .iter()
            .try_fold(self.data_type.size() as u64, |n, &s| n.checked_mul(s))
            .filter(|&n| n <= isize::MAX as u64)
            .ok_or_else(|| {
                Error::metadata(format!(
                    "a chunk of shape {:?} and type {} has more bytes than can be counted",
                    self.shape,
                    self.data_type.name()
                ))
            })
    }
}

/// What is forgiven in encoded bytes; by default nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leniency {
    /// Checksums that are wrong, as far as the library behind a codec can be told to pass them over.
    pub ignore_checksums: bool,
}

/// A length in bytes, as far as it is known beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Len {
    /// That many.
    Exactly(u64),
    /// That many or fewer.
    AtMost(u64),
    /// Nothing is known.
    Unknown,
}

impl Len {
    /// Applies a bound, which must not fall as lengths grow, to whatever is known.
    pub fn at_most(self, bound: impl Fn(u64) -> u64) -> Len {
        match self {
            Len::Exactly(n) | Len::AtMost(n) => Len::AtMost(bound(n)),
            Len::Unknown => Len::Unknown,
        }
    }
}

/// Array -> array.
pub trait ArrayCodec: Send + Sync {
    /// The chunk that the next codec sees.
    fn encoded(&self, decoded: &ChunkSpec) -> Result<ChunkSpec>;

    /// Axis `i` of the encoded chunk is axis `permutation()[i]` of the decoded one. Nothing is
    /// moved for it: the next codec reads and writes through permuted strides.
    fn permutation(&self) -> &[usize];
}

/// Array -> bytes.
pub trait ArrayBytesCodec: Send + Sync {
    /// How long an encoded chunk is.
    fn encoded_len(&self) -> Len;

    /// `Some`: encoded, a chunk is its elements in C order, swapped like this.
    fn raw_layout(&self) -> Option<&Swap> {
        None
    }

    /// Decodes the part `region` of the chunk in `source` into `dst`, which has the region's
    /// counts as its shape. `false`: there is no such chunk, and `dst` is untouched.
    fn decode(
        &self,
        source: &dyn ByteSource,
        region: &Region,
        dst: ViewMut<'_>,
        access: &Access<'_>,
    ) -> Result<bool>;

    /// Encodes a whole chunk.
    fn encode<'a>(&self, src: &View<'a>, options: EncodeOptions) -> Result<Encoded<'a>>;

    /// Writes `src` over the part `region` of the chunk in `old` without decoding the rest of
    /// it. `None`: this codec has no way to.
    fn update(
        &self,
        old: &dyn ByteSource,
        region: &Region,
        src: &View<'_>,
        options: EncodeOptions,
    ) -> Option<Result<Encoded<'static>>> {
        let _ = (old, region, src, options);
        None
    }

    /// The shape of the chunks inside a chunk, where there are such.
    fn inner_shape(&self) -> Option<&[u64]> {
        None
    }

    /// Whether decoding a part of a chunk leaves something that is worth keeping.
    fn keeps(&self) -> bool {
        self.inner_shape().is_some()
    }
}

/// How a chunk is decoded.
#[derive(Clone, Copy)]
pub struct Access<'a> {
    /// Threads to use for one chunk.
    pub threads: usize,
    /// What is kept of it; `None`: nothing is.
    pub kept: Option<Scope<'a>>,
}

impl Access<'_> {
    /// Nothing is kept.
    pub fn once(threads: usize) -> Self {
        Access { threads, kept: None }
    }

    /// That of an inner chunk at a place: calls `access` with it.
    fn inner<T>(&self, place: usize, access: impl FnOnce(&Access<'_>) -> T) -> T {
        let Some(scope) = self.kept else { return access(self) };
        let mut key: Key = scope.key.clone();
        key.inner.push(place);
        access(&Access { kept: Some(Scope { key: &key, ..scope }), ..*self })
    }
}

/// How chunks are encoded.
#[derive(Clone, Copy, Debug)]
pub struct EncodeOptions {
    /// Threads to use for one chunk.
    pub threads: usize,
    /// Whether chunks (outer and inner) that hold nothing but the fill value are stored.
    pub write_empty: bool,
}

/// Bytes -> bytes.
pub trait BytesCodec: Send + Sync {
    /// How long the encoded form of that many bytes is.
    fn encoded_len(&self, decoded: Len) -> Len;

    /// The most bytes that so many encoded ones can stand for; a claim past it is a lie, found
    /// before memory is given for it.
    fn decoded_bound(&self, encoded: u64) -> u64;

    /// Appends the encoded form of `src`, which is the same for any number of `threads`.
    fn encode(&self, src: &[u8], out: &mut Vec<u8>, threads: usize) -> Result<()>;

    /// Decodes into `out`, which must be filled to the last byte, no more and no less.
    fn decode(&self, src: &[u8], out: &mut [u8], threads: usize) -> Result<()>;

    /// Appends the decoded form, whose length is not known but is at most `limit`.
    fn decode_unknown(&self, src: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<()>;

    /// The decoded bytes, of which there have to be `decoded`, as a source of which parts are
    /// read without decoding all of it. `None`: there is no way to.
    fn open<'a>(
        &'a self,
        encoded: &'a dyn ByteSource,
        decoded: u64,
    ) -> Option<Box<dyn ByteSource + 'a>> {
        let _ = (encoded, decoded);
        None
    }
}

/// A codec of one of the three kinds.
pub(crate) enum Codec {
    /// Array -> array.
    Array(Box<dyn ArrayCodec>),
    /// Array -> bytes.
    ArrayBytes(Box<dyn ArrayBytesCodec>),
    /// Bytes -> bytes.
    Bytes(Box<dyn BytesCodec>),
}

/// A line of the table.
pub struct CodecEntry {
    /// The registered name, or numcodecs' id where it has no other.
    pub name: &'static str,
    /// Other names that documents have for it.
    pub aliases: &'static [&'static str],
    build: fn(&Config<'_>, &ChunkSpec) -> Result<Codec>,
}

/// Every codec of this build.
pub static CODECS: &[CodecEntry] = &[
    CodecEntry { name: "transpose", aliases: &[], build: transpose::build },
    CodecEntry { name: "bytes", aliases: &["endian"], build: bytes::build },
    CodecEntry { name: "n5_default", aliases: &[], build: n5::build },
    CodecEntry { name: "sharding_indexed", aliases: &[], build: sharding::build },
    CodecEntry { name: "pcodec", aliases: &["numcodecs.pcodec"], build: pcodec::build },
    CodecEntry {
        name: "zfp",
        aliases: &["zarrs.zfp", "https://codec.zarrs.dev/array_to_bytes/zfp"],
        build: zfp::build_zfp,
    },
    CodecEntry { name: "zfpy", aliases: &["numcodecs.zfpy"], build: zfp::build_zfpy },
    CodecEntry { name: "blosc", aliases: &["numcodecs.blosc"], build: blosc::build },
    CodecEntry { name: "bz2", aliases: &["numcodecs.bz2"], build: bz2::build },
    CodecEntry { name: "gzip", aliases: &["numcodecs.gzip"], build: deflate::build_gzip },
    CodecEntry { name: "lz4", aliases: &["numcodecs.lz4"], build: lz4::build },
    CodecEntry { name: "lz4_java", aliases: &[], build: lz4_java::build },
    CodecEntry { name: "lzma", aliases: &["numcodecs.lzma"], build: lzma::build },
    CodecEntry { name: "zlib", aliases: &["numcodecs.zlib"], build: deflate::build_zlib },
    CodecEntry { name: "zstd", aliases: &["numcodecs.zstd"], build: zstd::build },
    CodecEntry { name: "adler32", aliases: &["numcodecs.adler32"], build: checksum::build_adler32 },
    CodecEntry { name: "base64", aliases: &["numcodecs.base64"], build: base64::build },
    CodecEntry { name: "crc32", aliases: &["numcodecs.crc32"], build: checksum::build_crc32 },
    CodecEntry { name: "crc32c", aliases: &["numcodecs.crc32c"], build: checksum::build_crc32c },
    CodecEntry {
        name: "fletcher32",
        aliases: &["numcodecs.fletcher32"],
        build: checksum::build_fletcher32,
    },
    CodecEntry {
        name: "jenkins_lookup3",
        aliases: &["numcodecs.jenkins_lookup3"],
        build: checksum::build_jenkins_lookup3,
    },
    CodecEntry { name: "shuffle", aliases: &["numcodecs.shuffle"], build: shuffle::build },
];

/// Whether there is a codec of that name. [`Kind::Unsupported`](crate::error::Kind::Unsupported):
/// not in this build.
pub fn check_name(name: &str) -> Result<()> {
    find(name).map(|_| ())
}

fn find(name: &str) -> Result<&'static CodecEntry> {
    CODECS
        .iter()
        .find(|e| e.name == name || e.aliases.contains(&name))
        .ok_or_else(|| Error::unsupported(format!("codec {name:?} is not in this build")))
}
