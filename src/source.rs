//! One stored value, read by byte range. Stores create sources; codecs read from them and wrap
//! them. Stores and codecs do not know each other.

use crate::error::{Error, Kind, Result};
use smallvec::SmallVec;
use std::borrow::Cow;

/// Identifies one state of a value: equal only if the value has not been replaced.
#[derive(Clone, Debug)]
pub struct Version {
    bytes: SmallVec<[u8; 56]>,
    recent: bool,
}

impl Version {
    /// A version from the store's own identifier.
    pub fn new(bytes: SmallVec<[u8; 56]>) -> Self {
        Version { bytes, recent: false }
    }

    /// Marks a version of a value that changed so recently that a further change could go
    /// undetected. Data derived from it must not be cached.
    pub fn recent(self, recent: bool) -> Self {
        Version { recent, ..self }
    }

    /// Whether it is marked as recent.
    pub fn is_recent(&self) -> bool {
        self.recent
    }

    /// The identifier.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Version {}

/// The part of a value to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// All of it; the number estimates its length (bytes).
    All(u64),
    /// Offset and length (bytes).
    Range(u64, u64),
    /// The last bytes, by their number.
    Suffix(u64),
    /// Only its version and length.
    Head,
}

impl Want {
    /// Offset and length (bytes) of this part in a value of `len` bytes.
    pub fn within(self, len: u64) -> (u64, u64) {
        match self {
            Want::All(_) => (0, len),
            Want::Range(offset, count) => (offset.min(len), count.min(len.saturating_sub(offset))),
            Want::Suffix(count) => (len.saturating_sub(count), count.min(len)),
            Want::Head => (0, 0),
        }
    }
}

/// The result of reading part of a value.
pub struct Fetched {
    /// The bytes of that part.
    pub bytes: Vec<u8>,
    /// Length of the whole value (bytes), if the response contains it.
    pub len: Option<u64>,
    /// The version of the value, if the store has versions.
    pub version: Option<Version>,
}

/// Reads a part of a source into `bytes`, which must be empty; `None`: the value is absent.
pub fn fetch(source: &dyn ByteSource, want: Want, mut bytes: Vec<u8>) -> Result<Option<Fetched>> {
    let mut len = None;
    let there = match want {
        Want::All(expected) => {
            let there = source.read_all(expected, &mut bytes)?;
            len = Some(bytes.len() as u64);
            there
        }
        Want::Range(offset, count) => {
            resize(&mut bytes, count)?;
            source.read_at(offset, &mut bytes)?
        }
        Want::Suffix(count) => {
            len = source.read_suffix(count, &mut bytes)?;
            len.is_some()
        }
        Want::Head => {
            len = source.len()?;
            len.is_some()
        }
    };
    Ok(if there { Some(Fetched { bytes, len, version: source.version()? }) } else { None })
}

/// The value of one key, as it was when first read: if it is replaced meanwhile, a reader sees
/// either the old value or the new one, never a mixture. An absent value is not an error.
#[allow(clippy::len_without_is_empty)] // absent and empty differ, which a bool cannot express
pub trait ByteSource: Send + Sync {
    /// Its length (bytes); `None`: absent.
    fn len(&self) -> Result<Option<u64>>;

    /// Appends the whole value to `out`; `false`: absent. `expected` estimates its length, which
    /// saves a request if it is not too small.
    fn read_all(&self, expected: u64, out: &mut Vec<u8>) -> Result<bool>;

    /// Fills `out` from `offset`; `false`: absent. Fails with [`Kind::CorruptData`] if the value
    /// ends earlier.
    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool>;

    /// Fills `out` with the whole value, which must have that length; `false`: absent.
    fn read_exactly(&self, out: &mut [u8]) -> Result<bool>;

    /// Appends the last `count` bytes to `out`; returns the value's length, or `None`: absent.
    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>>;

    /// The version being read; `None`: absent.
    fn version(&self) -> Result<Option<Version>>;

    /// Pins a source that has not been read yet to a version; returns whether it is now pinned.
    /// Later reads return that version or fail with [`Kind::Conflict`]. A source that would need a
    /// request for that is not pinned.
    fn pin(&self, _version: &Version) -> bool {
        false
    }

    /// Announces coming reads, so that the source can start requests for them now. A source that
    /// does not block fails with [`Error::pending`], like its reads, until all the bytes have
    /// arrived.
    fn prefetch(&self, _wants: &[Want]) -> Result<()> {
        Ok(())
    }

    /// Makes the reader wait for another event too, until the returned value is dropped. `None`:
    /// the source blocks, so the reader must wait itself.
    fn suspend(&self) -> Option<Box<dyn Send + Sync>> {
        None
    }

    /// The whole value, if it is already in memory.
    fn as_slice(&self) -> Option<&[u8]> {
        None
    }

    /// The cost of one request, as the number of bytes that could be transferred in its latency.
    fn request_cost(&self) -> u64 {
        8 << 10
    }
}

/// The request cost (bytes) from which a source counts as remote.
const REMOTE: u64 = 64 << 10;

/// Whether requests are slow enough that as many as allowed should run at once, and that reads of
/// nearby ranges should be merged.
pub fn is_remote(source: &dyn ByteSource) -> bool {
    source.request_cost() >= REMOTE
}

/// The error for a value whose length is not `expected` bytes.
#[cold]
pub fn wrong_length(expected: u64, found: u64) -> Error {
    let how = if found < expected { "is truncated" } else { "is too long" };
    Error::corrupt(format!("the value {how}: {found} bytes, expected {expected}"))
}

/// Fails with [`Kind::LimitExceeded`] if `len` exceeds the `limit` of `option`.
pub fn within(len: u64, limit: u64, option: &str) -> Result<()> {
    if len <= limit {
        return Ok(());
    }
    let message = format!("it has {len} bytes; the option {option} allows {limit}");
    Err(Error::new(Kind::LimitExceeded, message))
}

/// Reserves room for `more` items in `out`; fails if memory is exhausted.
pub fn reserve<T>(out: &mut Vec<T>, more: usize) -> Result<()> {
    out.try_reserve(more).map_err(|_| {
        let more = more.saturating_mul(size_of::<T>());
        Error::new(Kind::OutOfMemory, format!("out of memory: {more} bytes"))
    })
}

/// A copy of the parts of a value, one after the other.
pub fn joined(parts: &[&[u8]]) -> Result<Vec<u8>> {
    let size = parts.iter().fold(0usize, |sum, part| sum.saturating_add(<[u8]>::len(part)));
    let mut all = Vec::new();
    reserve(&mut all, size)?;
    parts.iter().for_each(|part| all.extend_from_slice(part));
    Ok(all)
}

/// The same; a single part is not copied.
pub fn in_one_piece<'a>(parts: &[&'a [u8]]) -> Result<Cow<'a, [u8]>> {
    match parts {
        [part] => Ok(Cow::Borrowed(part)),
        _ => joined(parts).map(Cow::Owned),
    }
}

/// Appends bytes; fails if memory is exhausted.
pub fn append(out: &mut Vec<u8>, bytes: &[u8]) -> Result<()> {
    reserve(out, bytes.len())?;
    out.extend_from_slice(bytes);
    Ok(())
}

/// Appends an item; fails if memory is exhausted.
pub fn push<T>(out: &mut Vec<T>, item: T) -> Result<()> {
    reserve(out, 1)?;
    out.push(item);
    Ok(())
}

/// Resizes `bytes` to `len` bytes.
fn resize(bytes: &mut Vec<u8>, len: u64) -> Result<()> {
    let len = usize::try_from(len).unwrap_or(usize::MAX);
    reserve(bytes, len.saturating_sub(bytes.len()))?;
    bytes.resize(len, 0);
    Ok(())
}

/// A value already in memory.
impl ByteSource for &[u8] {
    fn len(&self) -> Result<Option<u64>> {
        Ok(Some((**self).len() as u64))
    }

    fn read_all(&self, _: u64, out: &mut Vec<u8>) -> Result<bool> {
        append(out, self)?;
        Ok(true)
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        let part = usize::try_from(offset)
            .ok()
            .and_then(|at| self.get(at..at.checked_add(out.len())?))
            .ok_or_else(|| {
                wrong_length(offset.saturating_add(out.len() as u64), (**self).len() as u64)
            })?;
        out.copy_from_slice(part);
        Ok(true)
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        if (**self).len() != out.len() {
            return Err(wrong_length(out.len() as u64, (**self).len() as u64));
        }
        out.copy_from_slice(self);
        Ok(true)
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        let from = (**self).len().saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
        out.extend_from_slice(&self[from..]);
        Ok(Some((**self).len() as u64))
    }

    fn version(&self) -> Result<Option<Version>> {
        Ok(Some(Version::new(SmallVec::new()))) // cannot change while it is borrowed
    }

    fn as_slice(&self) -> Option<&[u8]> {
        Some(self)
    }
}

/// An absent value.
pub struct Absent;

impl ByteSource for Absent {
    fn len(&self) -> Result<Option<u64>> {
        Ok(None)
    }

    fn read_all(&self, _: u64, _: &mut Vec<u8>) -> Result<bool> {
        Ok(false)
    }

    fn read_at(&self, _: u64, _: &mut [u8]) -> Result<bool> {
        Ok(false)
    }

    fn read_exactly(&self, _: &mut [u8]) -> Result<bool> {
        Ok(false)
    }

    fn read_suffix(&self, _: u64, _: &mut Vec<u8>) -> Result<Option<u64>> {
        Ok(None)
    }

    fn version(&self) -> Result<Option<Version>> {
        Ok(None)
    }
}

/// A value pinned to one version: reading another fails with [`Kind::Conflict`].
pub struct Pinned<'a> {
    source: &'a dyn ByteSource,
    version: &'a Version,
    checked: std::sync::OnceLock<()>,
}

impl<'a> Pinned<'a> {
    /// `source`, pinned to `version`.
    pub fn new(source: &'a dyn ByteSource, version: &'a Version) -> Self {
        Pinned { source, version, checked: std::sync::OnceLock::new() }
    }

    fn check(&self) -> Result<&'a dyn ByteSource> {
        if self.checked.get().is_none() {
            if self.source.version()?.is_some_and(|found| found != *self.version) {
                return Err(Error::new(Kind::Conflict, "the value was replaced meanwhile"));
            }
            let _ = self.checked.set(());
        }
        Ok(self.source)
    }
}

impl ByteSource for Pinned<'_> {
    fn len(&self) -> Result<Option<u64>> {
        self.check()?.len()
    }

    fn read_all(&self, expected: u64, out: &mut Vec<u8>) -> Result<bool> {
        self.check()?.read_all(expected, out)
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        self.check()?.read_at(offset, out)
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        self.check()?.read_exactly(out)
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        self.check()?.read_suffix(count, out)
    }

    fn version(&self) -> Result<Option<Version>> {
        self.source.version()
    }

    fn pin(&self, version: &Version) -> bool {
        self.source.pin(version)
    }

    fn request_cost(&self) -> u64 {
        self.source.request_cost()
    }
}
