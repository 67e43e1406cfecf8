//! The codecs of the library by name, with the place of each in a chain and how each format writes
//! it. Formats look here for names, src/codec/ for what its builders are called by.

use super::{CodecKind, registered};

/// What v2, and what writes codecs as it does (v1, the drafts of v3), calls a codec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numcodecs {
    /// numcodecs has no such codec.
    No,
    /// A filter, by its id.
    Filter(&'static str),
    /// A compressor, by its id.
    Compressor(&'static str),
}

/// A line of the table.
#[derive(Debug)]
pub struct CodecEntry {
    /// The registered name, or numcodecs' id where it has no other.
    pub name: &'static str,
    /// What it takes and gives.
    pub kind: CodecKind,
    /// numcodecs' id.
    pub v2: Numcodecs,
    /// The name that v3 documents are written with. `None`: the name that the chain gives, where
    /// several are in use, or where documents have none.
    pub v3: Option<&'static str>,
    /// Other names that documents have for it.
    pub aliases: &'static [&'static str],
}

impl CodecEntry {
    /// numcodecs' id, where there is one.
    pub fn id(&self) -> Option<&'static str> {
        match self.v2 {
            Numcodecs::No => None,
            Numcodecs::Filter(id) | Numcodecs::Compressor(id) => Some(id),
        }
    }
}

const fn entry(
    kind: CodecKind,
    name: &'static str,
    v2: Numcodecs,
    v3: Option<&'static str>,
    aliases: &'static [&'static str],
) -> CodecEntry {
    CodecEntry { name, kind, v2, v3, aliases }
}

use CodecKind::{ArrayToArray, ArrayToBytes, BytesToBytes};
use Numcodecs::{Compressor, Filter, No};

/// Every codec of this build.
#[rustfmt::skip] // a table: one line a codec
pub static CODECS: &[CodecEntry] = &[
    // kind, name, numcodecs, name in v3, aliases
    entry(ArrayToArray, "transpose", No, Some("transpose"), &[]),
    entry(ArrayToArray, "reshape", No, Some("reshape"), &[]),
    entry(ArrayToArray, "astype", Filter("astype"), Some("numcodecs.astype"), &["numcodecs.astype"]),
    entry(ArrayToArray, "bitround", Filter("bitround"), None, &["numcodecs.bitround"]),
    entry(ArrayToArray, "cast_value", No, Some("cast_value"), &[]),
    entry(ArrayToArray, "delta", Filter("delta"), Some("numcodecs.delta"), &["numcodecs.delta"]),
    entry(ArrayToArray, "fixedscaleoffset", Filter("fixedscaleoffset"),
        Some("numcodecs.fixedscaleoffset"), &["numcodecs.fixedscaleoffset"]),
    entry(ArrayToArray, "numcodecs.packbits", Filter("packbits"), Some("numcodecs.packbits"), &[]),
    entry(ArrayToArray, "quantize", Filter("quantize"), Some("numcodecs.quantize"),
        &["numcodecs.quantize"]),
    entry(ArrayToArray, "scale_offset", No, Some("scale_offset"), &[]),
    entry(ArrayToArray, "zarrc.packing", No, None, &[]),
    entry(ArrayToArray, "zarrs.squeeze", No, Some("zarrs.squeeze"), &[]),
    entry(ArrayToBytes, "bytes", No, Some("bytes"), &["endian"]),
    entry(ArrayToBytes, "categorize", Filter("categorize"), Some("numcodecs.categorize"),
        &["numcodecs.categorize"]),
    entry(ArrayToBytes, "json2", Filter("json2"), Some("numcodecs.json2"), &["numcodecs.json2"]),
    entry(ArrayToBytes, "msgpack2", Filter("msgpack2"), Some("numcodecs.msgpack2"),
        &["numcodecs.msgpack2"]),
    entry(ArrayToBytes, "n5_default", No, Some("n5_default"), &[]),
    entry(ArrayToBytes, "packbits", No, Some("packbits"), &[]),
    entry(ArrayToBytes, "pcodec", Filter("pcodec"), Some("numcodecs.pcodec"), &["numcodecs.pcodec"]),
    entry(ArrayToBytes, "pickle", Filter("pickle"), Some("numcodecs.pickle"), &["numcodecs.pickle"]),
    entry(ArrayToBytes, "sharding_indexed", No, Some("sharding_indexed"), &[]),
    entry(ArrayToBytes, "vlen-array", Filter("vlen-array"), None, &["numcodecs.vlen-array"]),
    entry(ArrayToBytes, "vlen-bytes", Filter("vlen-bytes"), None, &["numcodecs.vlen-bytes"]),
    entry(ArrayToBytes, "vlen-utf8", Filter("vlen-utf8"), None, &["numcodecs.vlen-utf8"]),
    entry(ArrayToBytes, "zfp", No, None,
        &["zarrs.zfp", "https://codec.zarrs.dev/array_to_bytes/zfp"]),
    entry(ArrayToBytes, "zfpy", Filter("zfpy"), Some("numcodecs.zfpy"), &["numcodecs.zfpy"]),
    entry(BytesToBytes, "adler32", Filter("adler32"), Some("numcodecs.adler32"),
        &["numcodecs.adler32"]),
    entry(BytesToBytes, "base64", Filter("base64"), Some("numcodecs.base64"), &["numcodecs.base64"]),
    entry(BytesToBytes, "blosc", Compressor("blosc"), Some("blosc"), &["numcodecs.blosc"]),
    entry(BytesToBytes, "bz2", Compressor("bz2"), Some("numcodecs.bz2"), &["numcodecs.bz2"]),
    entry(BytesToBytes, "conditional", No, Some("conditional"), &[]),
    entry(BytesToBytes, "crc32", Filter("crc32"), Some("numcodecs.crc32"), &["numcodecs.crc32"]),
    entry(BytesToBytes, "crc32c", Filter("crc32c"), Some("crc32c"), &["numcodecs.crc32c"]),
    entry(BytesToBytes, "fletcher32", Filter("fletcher32"), Some("numcodecs.fletcher32"),
        &["numcodecs.fletcher32"]),
    entry(BytesToBytes, "gzip", Compressor("gzip"), Some("gzip"), &["numcodecs.gzip"]),
    entry(BytesToBytes, "jenkins_lookup3", Filter("jenkins_lookup3"),
        Some("numcodecs.jenkins_lookup3"), &["numcodecs.jenkins_lookup3"]),
    entry(BytesToBytes, "lz4", Compressor("lz4"), Some("numcodecs.lz4"), &["numcodecs.lz4"]),
    entry(BytesToBytes, "lz4_java", No, None, &[]),
    entry(BytesToBytes, "lzma", Compressor("lzma"), Some("numcodecs.lzma"), &["numcodecs.lzma"]),
    entry(BytesToBytes, "shuffle", Filter("shuffle"), Some("numcodecs.shuffle"),
        &["numcodecs.shuffle"]),
    entry(BytesToBytes, "zlib", Compressor("zlib"), Some("numcodecs.zlib"), &["numcodecs.zlib"]),
    entry(BytesToBytes, "zstd", Compressor("zstd"), Some("zstd"), &["numcodecs.zstd"]),
];

/// The codec that has this name or alias; `None`: it is not in this build.
pub fn find(name: &str) -> Option<&'static CodecEntry> {
    CODECS.iter().find(|codec| codec.name == name || codec.aliases.contains(&name))
}

/// The codec that numcodecs has under this id; `None`: there is none.
pub fn with_id(id: &str) -> Option<&'static CodecEntry> {
    CODECS.iter().find(|codec| codec.id() == Some(id))
}

/// What the codec of that name takes and gives, of this build or registered by the program; `None`:
/// there is none.
pub fn kind(name: &str) -> Option<CodecKind> {
    find(name).map(|codec| codec.kind).or_else(|| registered::announced(name))
}
