//! Custom codecs: registered by name, found by every format that can name them, used like the
//! built-in ones.

use super::parts::{Part, Parts};
use super::{ArrayBytesCodec, ArrayCodec, BytesCodec, ChunkSpec, Codec, Encoded, Len, bytes};
use crate::call::Call;
use crate::error::{Context, Error, Kind, Result};
use crate::exec::{Block, Buffer, CodecPermit};
use crate::fork::Lock;
use crate::metadata::{CodecKind, CodecSpec, codecs, registered as names};
use crate::selection::Region;
use crate::source::{ByteSource, reserve, wrong_length};
use crate::strided::{View, ViewMut};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A codec implemented by the program.
pub trait UserCodec: Send + Sync {
    /// Checks the configuration, a JSON object, for chunks like `chunk` and makes the codec. Called
    /// when an array is opened or created. For a bytes -> bytes codec `chunk` is the chunk that the
    /// codecs before it started from.
    fn open(
        self: Arc<Self>,
        configuration: &str,
        chunk: &ChunkSpec,
    ) -> Result<Box<dyn OpenUserCodec>>;
}

/// An opened codec: used by any number of threads at once.
pub trait OpenUserCodec: Send + Sync {
    /// The largest encoded size of so many bytes; `None`: unknown.
    fn bound(&self, decoded: u64) -> Option<u64>;

    /// Appends the encoded form of `src` to `out`.
    fn encode(&self, src: &[u8], out: &mut Vec<u8>) -> Result<()>;

    /// Decodes into `out`; returns how many bytes there were, at most its length.
    fn decode(&self, src: &[u8], out: &mut [u8]) -> Result<usize>;

    /// Fills `out` with the decoded bytes from `offset` on without decoding all `decoded` of them;
    /// called only if [`Self::decodes_parts`].
    fn decode_part(
        &self,
        encoded: &dyn ByteSource,
        decoded: u64,
        offset: u64,
        out: &mut [u8],
    ) -> Result<()> {
        let _ = (encoded, decoded, offset, out);
        Err(Error::unsupported("this codec does not decode parts"))
    }

    /// Whether [`Self::decode_part`] is supported.
    fn decodes_parts(&self) -> bool {
        false
    }
}

pub(super) struct Registered {
    name: &'static str,
    aliases: Vec<String>,
    kind: CodecKind,
    codec: Arc<dyn UserCodec>,
}

static REGISTERED: Lock<Vec<Arc<Registered>>> = Lock::new(Vec::new());

/// The names of all codecs ever registered: messages of open arrays use them.
static NAMES: Lock<BTreeSet<&'static str>> = Lock::new(BTreeSet::new());

fn kept(name: &str) -> &'static str {
    let mut names = NAMES.write();
    if let Some(known) = names.get(name) {
        return known;
    }
    let new: &'static str = Box::leak(name.into());
    names.insert(new);
    new
}

/// Registers a codec for all stores of the process, under a name and aliases that documents may
/// use. [`Kind::AlreadyExists`]: one of the names is taken; [`Kind::InvalidArgument`]: one is
/// empty.
pub fn register(
    name: &str,
    aliases: &[&str],
    kind: CodecKind,
    codec: Arc<dyn UserCodec>,
) -> Result<()> {
    let mut registered = REGISTERED.write();
    let mut seen: Vec<&str> = Vec::new();
    for new in std::iter::once(&name).chain(aliases) {
        if new.is_empty() {
            return Err(Error::invalid("a codec cannot be registered under an empty name"));
        }
        let taken = codecs::find(new).is_some()
            || seen.contains(new)
            || registered.iter().any(|r| r.is_called(new));
        if taken {
            let text = format!("a codec named {new:?} exists already");
            return Err(Error::new(Kind::AlreadyExists, text));
        }
        seen.push(new);
    }
    std::iter::once(&name).chain(aliases).for_each(|new| names::announce(new, kind));
    registered.push(Arc::new(Registered {
        name: kept(name),
        aliases: aliases.iter().map(|&a| a.to_owned()).collect(),
        kind,
        codec,
    }));
    Ok(())
}

/// Removes a registered codec by its name. Open arrays keep it. [`Kind::NotFound`]: no codec has
/// that name.
pub fn unregister(name: &str) -> Result<()> {
    let mut registered = REGISTERED.write();
    let at = registered.iter().position(|r| r.name == name);
    let at = at.ok_or_else(|| {
        Error::new(Kind::NotFound, format!("no codec named {name:?} is registered"))
    })?;
    let gone = registered.remove(at);
    names::withdraw(gone.name);
    gone.aliases.iter().for_each(|alias| names::withdraw(alias));
    drop(registered); // dropping `gone` may call back
    drop(gone);
    Ok(())
}

/// The registered codec of that name.
pub(super) fn find(name: &str) -> Option<Arc<Registered>> {
    let registered = REGISTERED.read();
    registered.iter().find(|r| r.is_called(name)).cloned()
}

impl Registered {
    fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.iter().any(|alias| alias == name)
    }

    pub(super) fn build(
        &self,
        spec: &CodecSpec,
        chunk: &ChunkSpec,
    ) -> Result<(Codec, &'static str)> {
        if self.kind != CodecKind::BytesToBytes && chunk.data_type.is_variable() {
            let text = format!("codec {:?} cannot encode elements of variable length", spec.name);
            return Err(Error::unsupported(text));
        }
        let configuration = serde_json::Value::from(spec.configuration.clone()).to_string();
        let open = self.codec.clone().open(&configuration, chunk);
        let open = open.at(|| format!("codec {:?}", spec.name))?;
        let codec = Arc::new(UserBytes { name: self.name, open: Box::new(Called(open)) });
        let codec = match self.kind {
            CodecKind::BytesToBytes => Codec::Bytes(Box::new(codec)),
            CodecKind::ArrayToBytes => Codec::ArrayBytes(Box::new(UserArrayBytes {
                raw: bytes::native(chunk)?,
                size: chunk.size()?,
                shape: chunk.shape.clone(),
                codec,
            })),
            CodecKind::ArrayToArray => Codec::Array(Box::new(UserArray(codec))),
        };
        Ok((codec, self.name))
    }
}

/// Calls the program's functions, which may call this library and wait for what other threads
/// decode.
struct Called(Box<dyn OpenUserCodec>);

impl OpenUserCodec for Called {
    fn bound(&self, decoded: u64) -> Option<u64> {
        self.0.bound(decoded)
    }

    fn encode(&self, src: &[u8], out: &mut Vec<u8>) -> Result<()> {
        CodecPermit::without(|| self.0.encode(src, out))
    }

    fn decode(&self, src: &[u8], out: &mut [u8]) -> Result<usize> {
        CodecPermit::without(|| self.0.decode(src, out))
    }

    fn decode_part(
        &self,
        encoded: &dyn ByteSource,
        decoded: u64,
        offset: u64,
        out: &mut [u8],
    ) -> Result<()> {
        CodecPermit::without(|| self.0.decode_part(encoded, decoded, offset, out))
    }

    fn decodes_parts(&self) -> bool {
        self.0.decodes_parts()
    }
}

struct UserBytes {
    name: &'static str,
    open: Box<dyn OpenUserCodec>,
}

impl BytesCodec for Arc<UserBytes> {
    fn encoded_len(&self, decoded: Len) -> Len {
        let (Len::Exactly(n) | Len::AtMost(n)) = decoded else { return Len::Unknown };
        self.open.bound(n).map_or(Len::Unknown, Len::AtMost)
    }

    fn decoded_bound(&self, _: u64) -> u64 {
        u64::MAX // unknown
    }

    fn encode(&self, src: &[u8], out: &mut Vec<u8>, _: usize) -> Result<()> {
        self.open.encode(src, out)
    }

    fn decode(&self, src: &[u8], out: &mut [u8], _: usize) -> Result<()> {
        match self.open.decode(src, out) {
            Ok(n) if n == out.len() => Ok(()),
            Ok(n) => Err(wrong_length(out.len() as u64, n as u64)),
            Err(e) if e.kind() == Kind::LimitExceeded => Err(e.with_kind(Kind::CorruptData)),
            Err(e) => Err(e),
        }
    }

    fn decode_unknown(&self, src: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<()> {
        let start = out.len();
        let mut capacity = src.len().saturating_mul(4).max(64 << 10).min(limit);
        loop {
            reserve(out, capacity)?;
            out.resize(start + capacity, 0);
            match self.open.decode(src, &mut out[start..]) {
                Ok(n) => {
                    out.truncate(start + n);
                    return Ok(());
                }
                Err(e) if e.kind() == Kind::LimitExceeded && capacity < limit => {
                    out.truncate(start);
                    capacity = capacity.saturating_mul(4).min(limit);
                }
                Err(e) => return Err(e),
            }
        }
    }

    fn open<'a>(
        &'a self,
        encoded: &'a dyn ByteSource,
        decoded: u64,
    ) -> Option<Box<dyn ByteSource + 'a>> {
        if !self.open.decodes_parts() {
            return None;
        }
        let part = UserPart { encoded, decoded, open: &*self.open };
        Some(Box::new(Parts { encoded, decoded, request_cost: 64 << 10, part }))
    }
}

struct UserPart<'a> {
    encoded: &'a dyn ByteSource,
    decoded: u64,
    open: &'a dyn OpenUserCodec,
}

impl Part for UserPart<'_> {
    fn exists(&self) -> Result<bool> {
        Ok(self.encoded.len()?.is_some())
    }

    fn decode(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        if !self.exists()? {
            return Ok(false);
        }
        self.open.decode_part(self.encoded, self.decoded, offset, out).map(|()| true)
    }
}

/// A user's array -> bytes codec: the elements in native byte order, then the codec.
struct UserArrayBytes {
    raw: Box<dyn ArrayBytesCodec>,
    size: u64,
    shape: Vec<u64>,
    codec: Arc<UserBytes>,
}

impl ArrayBytesCodec for UserArrayBytes {
    fn encoded_len(&self) -> Len {
        self.codec.encoded_len(Len::Exactly(self.size))
    }

    fn decode(
        &self,
        source: &dyn ByteSource,
        region: &Region,
        dst: ViewMut<'_>,
        call: &Call<'_>,
    ) -> Result<bool> {
        if !region.covers(&self.shape)
            && let Some(opened) = self.codec.open(source, self.size)
        {
            return self.raw.decode(&*opened, region, dst, call).at(|| self.codec.name);
        }
        let mut encoded = Buffer::with_capacity(0)?;
        if !source.read_all(self.size, &mut encoded)? {
            return Ok(false);
        }
        let mut decoded = Block::new(self.size as usize)?;
        self.codec.decode(&encoded, &mut decoded, 1).at(|| self.codec.name)?;
        self.raw.decode(&&*decoded, region, dst, call)
    }

    fn encode<'a>(&self, src: &View<'a>, call: &Call<'_>) -> Result<Encoded<'a>> {
        let elements = self.raw.encode(src, call)?;
        let mut out = Buffer::with_capacity(0)?;
        let mut joined = Buffer::with_capacity(0)?;
        elements.append_to(&mut joined)?;
        self.codec.open.encode(&joined, &mut out)?;
        Ok(Encoded::from(out))
    }
}

/// A user's array -> array codec.
struct UserArray(Arc<UserBytes>);

impl ArrayCodec for UserArray {
    fn encoded(&self, decoded: &ChunkSpec) -> Result<ChunkSpec> {
        Ok(decoded.clone())
    }

    fn region(&self, _: &Region) -> Option<Region> {
        None // the dependencies between elements are unknown
    }

    fn encode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        let mut encoded = Buffer::with_capacity(out.len())?;
        self.0.open.encode(src, &mut encoded)?;
        if encoded.len() != out.len() {
            let (given, due) = (encoded.len(), out.len());
            let text = format!("it returned {given} bytes: expected {due}");
            return Err(Error::new(Kind::Internal, text));
        }
        out.copy_from_slice(&encoded);
        Ok(())
    }

    fn decode(&self, src: &[u8], out: &mut [u8]) -> Result<()> {
        BytesCodec::decode(&self.0, src, out, 1)
    }

    fn over_bytes(self: Box<Self>) -> Option<Box<dyn BytesCodec>> {
        Some(Box::new(self.0))
    }
}
