//! The codecs: one file each, one line each in the table [`CODECS`] and in [`builder`], put
//! together by a [`Chain`].
//!
//! A codec is built for the chunk that it will see ([`ChunkSpec`]) and checks its configuration
//! then, so that decoding has nothing left to ask. It reads from a [`ByteSource`] or a slice
//! and writes into memory that it is given, which for the last stage is the caller's own.

mod astype;
mod base64;
mod bitround;
mod bits;
mod bytes;
mod bz2;
mod cast_value;
mod categorize;
mod chain;
mod checksum;
mod conditional;
mod config;
mod deflate;
mod delta;
mod fixedscaleoffset;
mod flat;
mod lz4;
mod lz4_java;
mod lzma;
mod n5;
mod numcodecs_packbits;
mod numpy;
mod packbits;
mod packing;
mod parts;
mod pcodec;
mod pickle;
mod quantize;
mod reshape;
mod scale_offset;
mod sharding;
mod shuffle;
mod sink;
mod steps;
mod transpose;
mod unusable;
mod user;
mod vlen;
mod whole_chunk;
mod zfp;
mod zstd;

pub mod blosc;

pub use chain::{Chain, Encoded};
pub use user::{OpenUserCodec, UserCodec, register, unregister};

use crate::call::Call;
use crate::error::{Error, Result, did_you_mean};
use crate::exec::Block;
use crate::heap::Reference;
use crate::metadata::codecs::{self, CODECS};
use crate::metadata::{CodecSpec, DataType, FillValue};
use crate::selection::{Pick, Region};
use crate::source::{ByteSource, Want};
use crate::strided::{Swap, View, ViewMut};
use config::Config;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The chunk that a codec receives, before encoding.
#[derive(Clone, Debug)]
pub struct ChunkSpec {
    /// Its shape, slowest dimension first.
    pub shape: Vec<u64>,
    /// The type of its elements.
    pub data_type: DataType,
    /// One element, in native byte order; for variable-length types its bytes.
    pub fill: FillValue,
    /// If chunks at the array's edge are clipped: the shape of those that are not, which a stored
    /// one must not exceed. `None`: chunks have this shape.
    pub most: Option<Vec<u64>>,
}

impl ChunkSpec {
    /// The size of the chunk in memory (bytes), checked because metadata may claim anything.
    pub fn size(&self) -> Result<u64> {
        self.shape
            .iter()
            .try_fold(self.data_type.size() as u64, |n, &s| n.checked_mul(s))
            .filter(|&n| n <= isize::MAX as u64)
            .ok_or_else(|| {
                Error::metadata(format!(
                    "the size of a chunk of shape {:?} and type {} overflows 64 bits",
                    self.shape,
                    self.data_type.name()
                ))
            })
    }

    /// The fill value as views hold it; for variable-length types a reference to it in a call's
    /// heap.
    pub fn fill_element(&self) -> Result<Cow<'_, [u8]>> {
        Ok(match self.data_type.is_variable() {
            true => Reference::to_fill(self.fill.size())?.to_bytes().to_vec().into(),
            false => self.fill.bytes()?,
        })
    }
}

/// What to tolerate in encoded bytes; by default nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadPolicy {
    /// Wrong checksums, as far as the library behind a codec can ignore them.
    pub ignore_checksums: bool,
}

/// What is known about a length (bytes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Len {
    /// Exactly that.
    Exactly(u64),
    /// At most that.
    AtMost(u64),
    /// Nothing.
    Unknown,
}

impl Len {
    /// Applies a monotonic bound to what is known.
    pub fn at_most(self, bound: impl Fn(u64) -> u64) -> Len {
        match self {
            Len::Exactly(n) | Len::AtMost(n) => Len::AtMost(bound(n)),
            Len::Unknown => Len::Unknown,
        }
    }
}

/// Array -> array, other than a permutation of axes: [`Codec::Axes`].
///
/// Both directions receive elements contiguous in C order, in native byte order, and overwrite all
/// of `out`.
pub trait ArrayCodec: Send + Sync {
    /// The chunk that the next codec receives: type, shape and fill value after this one.
    fn encoded(&self, decoded: &ChunkSpec) -> Result<ChunkSpec>;

    /// The part of the encoded chunk that holds the elements of the part `region` of the decoded
    /// one, in the same order. `None`: elements depend on each other, or do not form such a part.
    fn region(&self, region: &Region) -> Option<Region> {
        Some(region.clone())
    }

    /// Whether encoding leaves every element unchanged.
    fn encodes_nothing(&self) -> bool {
        false
    }

    /// Whether decoding leaves every element unchanged.
    fn decodes_nothing(&self) -> bool {
        self.encodes_nothing()
    }

    /// Encodes elements: a whole chunk, or a part that [`Self::region`] supports.
    fn encode(&self, src: &[u8], out: &mut [u8]) -> Result<()>;

    /// Decodes elements, likewise.
    fn decode(&self, src: &[u8], out: &mut [u8]) -> Result<()>;

    /// The same over bytes as a flat array, as numcodecs' filters do after the array -> bytes
    /// codec. `None`: this codec needs the array.
    fn over_bytes(self: Box<Self>) -> Option<Box<dyn BytesCodec>> {
        None
    }
}

/// The layout of a shard, by its index.
pub struct ShardLayout {
    /// Position, offset and length of each stored inner chunk; not validated.
    pub parts: Vec<(usize, u64, u64)>,
    /// Offset and length of the index.
    pub index: (u64, u64),
    /// The length of the shard.
    pub len: u64,
}

/// Array -> bytes.
pub trait ArrayBytesCodec: Send + Sync {
    /// The length of an encoded chunk.
    fn encoded_len(&self) -> Len;

    /// `Some`: an encoded chunk is its elements in C order, with these byte swaps.
    fn raw_layout(&self) -> Option<&Swap> {
        None
    }

    /// What decoding elements inside `bounds` reads first of an encoded chunk; without bounds:
    /// elements that may lie anywhere. `None`: that depends on where they are.
    fn reads_first(&self, _bounds: Option<&Region>) -> Option<Want> {
        Some(Want::All(0))
    }

    /// Decodes the part `region` of the chunk in `source` into `dst`, whose shape is the region's
    /// counts. `false`: the chunk does not exist, and `dst` is unchanged.
    fn decode(
        &self,
        source: &dyn ByteSource,
        region: &Region,
        dst: ViewMut<'_>,
        call: &Call<'_>,
    ) -> Result<bool>;

    /// Decodes the elements that `pick` picks of the chunk in `source` into `dst`, which is dense.
    /// The default decodes the bounding box.
    fn decode_pick(
        &self,
        source: &dyn ByteSource,
        pick: &Pick,
        dst: ViewMut<'_>,
        call: &Call<'_>,
    ) -> Result<bool> {
        decode_bounds(pick, dst, |region, dst| self.decode(source, region, dst, call))
    }

    /// Encodes a whole chunk.
    fn encode<'a>(&self, src: &View<'a>, call: &Call<'_>) -> Result<Encoded<'a>>;

    /// Replaces a part of the chunk in `old` by `patch` without decoding the rest. `None`: not
    /// supported.
    fn update(
        &self,
        old: &dyn ByteSource,
        patch: &Patch<'_>,
        call: &Call<'_>,
    ) -> Option<Result<Encoded<'static>>> {
        let _ = (old, patch, call);
        None
    }

    /// The shape of inner chunks, if there are any.
    fn inner_shape(&self) -> Option<&[u64]> {
        None
    }

    /// Encodes the inner chunks that `patch` covers. `None`: there are none, or it covers one of
    /// them only in part.
    fn encode_inner(&self, patch: &Patch<'_>, call: &Call<'_>) -> Result<Option<InnerChunks>> {
        let _ = (patch, call);
        Ok(None)
    }

    /// Assembles a chunk from `inner` and, for missing inner chunks, from the chunk in `old`.
    /// `None`: there are no inner chunks.
    fn join_inner<'a>(
        &self,
        old: &dyn ByteSource,
        inner: &'a InnerChunks,
    ) -> Option<Result<Encoded<'a>>> {
        let _ = (old, inner);
        None
    }

    /// The layout of a chunk that is a shard; `None`: it is not, or is not stored.
    fn layout(&self, _shard: &dyn ByteSource) -> Result<Option<ShardLayout>> {
        Ok(None)
    }

    /// Whether decoding a part of a chunk produces something worth caching.
    fn keeps(&self) -> bool {
        self.inner_shape().is_some()
    }
}

/// New elements for a part of a chunk.
#[derive(Clone, Copy)]
pub struct Patch<'a> {
    /// The elements of the chunk.
    pub pick: &'a Pick,
    /// Their new values, dense: whole elements, or a field of each.
    pub src: &'a View<'a>,
    /// The offset of the field in an element; 0 for whole elements.
    pub field: usize,
}

impl Patch<'_> {
    /// Whether it replaces everything in a chunk like `chunk`.
    pub fn covers(&self, chunk: &ChunkSpec) -> bool {
        self.is_whole(chunk.data_type.size()) && self.pick.covers(&chunk.shape)
    }

    /// Whether it replaces whole elements of `item` bytes.
    pub fn is_whole(&self, item: usize) -> bool {
        self.src.item() == item
    }

    /// Applies it to a decoded chunk.
    pub fn apply(&self, chunk: &mut ViewMut<'_>) -> Result<()> {
        match self.is_whole(chunk.item()) {
            true => self.pick.scatter(self.src, chunk),
            false => self.pick.scatter(self.src, &mut chunk.field(self.field, self.src.item())?),
        }
    }
}

/// Encoded inner chunks by position; without bytes: to be erased.
pub type InnerChunks = BTreeMap<usize, Option<Box<[u8]>>>;

/// Decodes the bounding box of `pick`, and gathers its elements.
fn decode_bounds(
    pick: &Pick,
    mut dst: ViewMut<'_>,
    decode: impl FnOnce(&Region, ViewMut<'_>) -> Result<bool>,
) -> Result<bool> {
    let bounds = pick.bounds();
    if let Pick::Region(_) = pick {
        return decode(&bounds, dst);
    }
    let (_, _, counts) = bounds.to_view();
    let mut block = Block::new(counts.iter().product::<usize>() * dst.item())?;
    let mut boxed = ViewMut::contiguous(&mut block, &counts, dst.item())?;
    if !decode(&bounds, boxed.reborrow())? {
        return Ok(false);
    }
    pick.within_bounds()?.gather(&boxed.as_view(), &mut dst)?;
    Ok(true)
}

/// Bytes -> bytes.
pub trait BytesCodec: Send + Sync {
    /// The length of the encoded form of that many bytes.
    fn encoded_len(&self, decoded: Len) -> Len;

    /// The maximum decoded size of that many encoded bytes; a larger claim is refused before memory
    /// is allocated.
    fn decoded_bound(&self, encoded: u64) -> u64;

    /// Appends the encoded form of `src`, which does not depend on `threads`.
    fn encode(&self, src: &[u8], out: &mut Vec<u8>, threads: usize) -> Result<()>;

    /// Decodes into `out`, which must be filled exactly.
    fn decode(&self, src: &[u8], out: &mut [u8], threads: usize) -> Result<()>;

    /// Appends the decoded form, whose length is unknown but at most `limit`.
    fn decode_unknown(&self, src: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<()>;

    /// The decoded bytes, `decoded` in number, as a source whose parts are read without decoding
    /// everything. `None`: not supported.
    fn open<'a>(
        &'a self,
        encoded: &'a dyn ByteSource,
        decoded: u64,
    ) -> Option<Box<dyn ByteSource + 'a>> {
        let _ = (encoded, decoded);
        None
    }
}

/// A codec of any kind.
pub(crate) enum Codec {
    /// Array -> array by a permutation of axes: axis `i` of the encoded chunk is axis `[i]` of the
    /// decoded one. Moves nothing: other codecs read and write through permuted strides.
    Axes(Vec<usize>),
    /// Array -> array.
    Array(Box<dyn ArrayCodec>),
    /// Array -> bytes.
    ArrayBytes(Box<dyn ArrayBytesCodec>),
    /// Bytes -> bytes.
    Bytes(Box<dyn BytesCodec>),
}

type Build = fn(&Config<'_>, &ChunkSpec) -> Result<Codec>;

/// What builds the codec that the table [`CODECS`] calls `name`.
fn builder(name: &str) -> Option<Build> {
    Some(match name {
        "transpose" => transpose::build,
        "reshape" => reshape::build,
        "astype" => astype::build,
        "bitround" => bitround::build,
        "cast_value" => cast_value::build,
        "delta" => delta::build,
        "fixedscaleoffset" => fixedscaleoffset::build,
        "numcodecs.packbits" => numcodecs_packbits::build,
        "quantize" => quantize::build,
        "scale_offset" => scale_offset::build,
        "zarrc.packing" => packing::build,
        "zarrs.squeeze" => reshape::build_squeeze,
        "bytes" => bytes::build,
        "categorize" => categorize::build,
        "json2" => vlen::build_json2,
        "msgpack2" => vlen::build_msgpack2,
        "n5_default" => n5::build,
        "packbits" => packbits::build,
        "pcodec" => pcodec::build,
        "pickle" => pickle::build,
        "sharding_indexed" => sharding::build,
        "vlen-array" => vlen::build_array,
        "vlen-bytes" => vlen::build_bytes,
        "vlen-utf8" => vlen::build_utf8,
        "zfp" => zfp::build_zfp,
        "zfpy" => zfp::build_zfpy,
        "adler32" => checksum::build_adler32,
        "base64" => base64::build,
        "blosc" => blosc::build,
        "bz2" => bz2::build,
        "conditional" => conditional::build,
        "crc32" => checksum::build_crc32,
        "crc32c" => checksum::build_crc32c,
        "fletcher32" => checksum::build_fletcher32,
        "gzip" => deflate::build_gzip,
        "jenkins_lookup3" => checksum::build_jenkins_lookup3,
        "lz4" => lz4::build,
        "lz4_java" => lz4_java::build,
        "lzma" => lzma::build,
        "shuffle" => shuffle::build,
        "zlib" => deflate::build_zlib,
        "zstd" => zstd::build,
        _ => return None,
    })
}

/// Whether there is a codec of that name. [`Kind::Unsupported`](crate::error::Kind::Unsupported):
/// neither in this build nor registered.
pub fn check_name(name: &str) -> Result<()> {
    codecs::kind(name).map(|_| ()).ok_or_else(|| unknown(name))
}

#[cold]
fn unknown(name: &str) -> Error {
    let names = CODECS.iter().flat_map(|e| [e.name].into_iter().chain(e.aliases.iter().copied()));
    Error::unsupported(format!(
        "codec {name:?} is unknown{}; a program can add it with zarrc_codec_register()",
        did_you_mean(name, names)
    ))
}

/// Builds the codec that `spec` names for chunks like `chunk`, with its name for messages.
fn build(
    spec: &CodecSpec,
    chunk: &ChunkSpec,
    read_policy: ReadPolicy,
) -> Result<(Codec, &'static str)> {
    match codecs::find(&spec.name) {
        Some(entry) => {
            let build = builder(entry.name).ok_or_else(|| unknown(entry.name))?;
            Ok((build(&Config::new(spec).with(read_policy), chunk)?, entry.name))
        }
        None => user::find(&spec.name).ok_or_else(|| unknown(&spec.name))?.build(spec, chunk),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::CodecKind;

    #[test]
    fn every_codec_of_the_table_has_a_builder() {
        for codec in CODECS {
            let name = codec.name;
            assert!(builder(name).is_some(), "codec {name} has no line in builder(), {}", file!());
        }
    }

    #[test]
    fn a_codec_builds_what_the_table_says() {
        let chunk = ChunkSpec {
            shape: vec![4],
            data_type: DataType::UInt8,
            fill: vec![0].into(),
            most: None,
        };
        for codec in CODECS {
            let Ok((built, _)) = build(
                &CodecSpec::new(codec.name, Default::default()),
                &chunk,
                ReadPolicy::default(),
            ) else {
                continue;
            };
            let kind = match built {
                Codec::Axes(_) | Codec::Array(_) => CodecKind::ArrayToArray,
                Codec::ArrayBytes(_) => CodecKind::ArrayToBytes,
                Codec::Bytes(_) => CodecKind::BytesToBytes,
            };
            assert_eq!(kind, codec.kind, "codec {}", codec.name);
        }
    }
}
