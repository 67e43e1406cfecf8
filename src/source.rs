//! One stored value, read by range. Stores create sources, codecs read from them and wrap them;
//! neither knows the other.

use crate::error::{Error, Kind, Result};
use smallvec::SmallVec;

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

    /// A version of a value that changed so recently that a further change could go undetected:
    /// data derived from it must not be cached.
    pub fn recent(self, recent: bool) -> Self {
        Version { recent, ..self }
    }

    /// Whether it is one of these.
    pub fn is_recent(&self) -> bool {
        self.recent
    }

    /// Its identifier.
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

/// What is read of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// All of it; the number is a guess at its length (bytes).
    All(u64),
    /// From an offset on so many bytes.
    Range(u64, u64),
    /// So many bytes at its end.
    Suffix(u64),
    /// Its version and its length.
    Head,
}

/// What was read of a value.
pub struct Fetched {
    /// The bytes that were wanted.
    pub bytes: Vec<u8>,
    /// Length of the whole value (bytes), where the answer tells it.
    pub len: Option<u64>,
    /// The state of the value that they are of, where there is a way to tell.
    pub version: Option<Version>,
}

/// Reads what is wanted of a source into `bytes`, which is empty; `None`: absent.
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

/// The bytes behind one key, as they were when it was first read: a value replaced in between
/// is seen whole, the old one or the new one. An absent value is not an error.
#[allow(clippy::len_without_is_empty)] // absent, empty and not: a yes or no would not tell
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

    /// The version that is read; `None`: absent.
    fn version(&self) -> Result<Option<Version>>;

    /// Pins a source that has not been read to a version, and returns whether it is pinned to it.
    /// Later reads return that version or fail with [`Kind::Conflict`]. A source that would need a
    /// request is not pinned.
    fn pin(&self, _version: &Version) -> bool {
        false
    }

    /// Says what is going to be read, so that it is asked for at once. A source that does not wait
    /// fails with [`Error::pending`] until all of it has arrived, as its reads do.
    fn prefetch(&self, _wants: &[Want]) -> Result<()> {
        Ok(())
    }

    /// Has whoever reads wait for something else besides, until what this returns is dropped;
    /// `None`: the source waits by itself, and whoever reads it must too.
    fn suspend(&self) -> Option<Box<dyn Send + Sync>> {
        None
    }

    /// The whole value, where it lies in memory already.
    fn as_slice(&self) -> Option<&[u8]> {
        None
    }

    /// How many bytes could be transferred in the time that a request itself takes.
    fn request_cost(&self) -> u64 {
        8 << 10
    }
}

/// What a request costs, in bytes that could be read meanwhile, from which on a source is remote.
const REMOTE: u64 = 64 << 10;

/// Whether each request takes so long that as many as may should be under way at once, and those
/// for what lies close together should be one.
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

/// Reserves `more` bytes in `out`; fails if memory is exhausted.
pub fn reserve(out: &mut Vec<u8>, more: usize) -> Result<()> {
    out.try_reserve(more)
        .map_err(|_| Error::new(Kind::OutOfMemory, format!("out of memory: {more} bytes")))
}

/// Makes `bytes` so long.
fn resize(bytes: &mut Vec<u8>, len: u64) -> Result<()> {
    let len = usize::try_from(len).unwrap_or(usize::MAX);
    reserve(bytes, len.saturating_sub(bytes.len()))?;
    bytes.resize(len, 0);
    Ok(())
}

/// A value that is in memory already.
impl ByteSource for &[u8] {
    fn len(&self) -> Result<Option<u64>> {
        Ok(Some((**self).len() as u64))
    }

    fn read_all(&self, _: u64, out: &mut Vec<u8>) -> Result<bool> {
        out.extend_from_slice(self);
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
        Ok(Some(Version::new(SmallVec::new()))) // it cannot change while it is borrowed
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
