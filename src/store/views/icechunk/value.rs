//! A value of a repository: its bytes, or where they are stored.

use super::files::MAX_UNSEEN;
use super::{IcechunkStore, Key, version_of};
use crate::error::{Context, Error, Kind, Result};
use crate::source::{ByteSource, Version, reserve, wrong_length};
use crate::store::Store;
use bytes::Bytes;
use icechunk::format::manifest::Checksum;
use std::sync::OnceLock;

/// The most files of virtual chunks whose state is remembered.
const MOST_FILES: usize = 1 << 14;

/// What a key stands for, pinned: it never changes.
pub enum Value {
    /// The bytes themselves.
    Here(Bytes),
    /// A range of a value in the repository's own store.
    Own { key: Key, offset: u64, length: u64 },
    /// A range of an external file.
    Virtual { url: String, offset: u64, length: u64, checksum: Option<Checksum> },
}

fn missing() -> Error {
    Error::corrupt("the value does not exist, though the repository refers to it")
}

fn changed() -> Error {
    Error::corrupt("it was changed after the repository referred to it")
}

/// An ETag without its quotes and prefix.
fn bare(etag: &str) -> &str {
    etag.strip_prefix("W/").unwrap_or(etag).trim_matches('"')
}

impl Value {
    fn len(&self) -> u64 {
        match self {
            Value::Here(bytes) => bytes.len() as u64,
            Value::Own { length, .. } | Value::Virtual { length, .. } => *length,
        }
    }

    pub fn version(&self) -> Version {
        let (name, offset, length) = match self {
            Value::Here(bytes) => return version_of(bytes),
            Value::Own { key, offset, length } => (key.as_str(), offset, length),
            Value::Virtual { url, offset, length, .. } => (url.as_str(), offset, length),
        };
        version_of(format!("{offset} {length} {name}").as_bytes())
    }

    /// Fills `out` from offset `at` on.
    fn read(&self, store: &IcechunkStore, at: u64, out: &mut [u8]) -> Result<()> {
        let end = at.saturating_add(out.len() as u64);
        if end > self.len() {
            return Err(wrong_length(end, self.len()));
        }
        let (home, key, offset, checksum) = match self {
            Value::Here(bytes) => return (&**bytes).read_at(at, out).map(drop),
            Value::Own { key, offset, .. } => (store.home.clone(), key.clone(), offset, None),
            Value::Virtual { url, offset, checksum, .. } => {
                let (home, key) = store.elsewhere.find(url)?;
                (home, key, offset, checksum.as_ref().map(|checksum| (url, checksum)))
            }
        };
        let mut read = || {
            let version = match checksum {
                Some((url, sum)) => store.unchanged(&*home, &key, url, sum)?,
                None => None,
            };
            let source = match &version {
                Some(version) => home.source_at(&key, version),
                None => home.source(&key),
            };
            let read = match source.read_at(offset.saturating_add(at), out) {
                // the store found another version than the given one
                Err(e) if version.is_some() && e.kind() == Kind::Conflict => return Err(changed()),
                read => read?,
            };
            match version {
                _ if !read => Err(missing()),
                Some(_) if source.version()? != version => Err(changed()),
                _ => Ok(()),
            }
        };
        read().at(|| format!("{key} of {}", home.name()))
    }

    /// Checks that a long value exists, before memory is reserved for it.
    fn check(&self, store: &IcechunkStore) -> Result<()> {
        let (home, key, end) = match self {
            _ if self.len() <= MAX_UNSEEN => return Ok(()),
            Value::Here(_) => return Ok(()),
            Value::Own { key, offset, length } => {
                (store.home.clone(), key.clone(), offset.saturating_add(*length))
            }
            Value::Virtual { url, offset, length, .. } => {
                let (home, key) = store.elsewhere.find(url)?;
                (home, key, offset.saturating_add(*length))
            }
        };
        match home.source(&key).len()? {
            Some(there) if there < end => Err(wrong_length(end, there)),
            _ => Ok(()),
        }
    }
}

impl IcechunkStore {
    /// The version of the file at `url`, checked to be still the one that the repository refers to,
    /// as far as its store can tell. The file is checked once and must not change afterwards.
    fn unchanged(
        &self,
        home: &dyn Store,
        key: &Key,
        url: &str,
        checksum: &Checksum,
    ) -> Result<Option<Version>> {
        let known = || self.files.write();
        let found = known().get(url).cloned();
        let stamp = match found {
            Some(found) => found,
            None => {
                let found = home.stamp(key)?.ok_or_else(missing)?;
                let mut known = known();
                if known.len() >= MOST_FILES {
                    known.clear();
                }
                known.insert(url.to_owned(), found.clone());
                found
            }
        };
        let same = match checksum {
            Checksum::ETag(sum) => stamp.etag.is_none_or(|etag| bare(&etag) == bare(&sum.0)),
            Checksum::LastModified(sum) => stamp.modified.is_none_or(|at| at <= i64::from(sum.0)),
        };
        if same { Ok(stamp.version) } else { Err(changed()) }
    }
}

/// What a key held when it was first read.
pub struct Source<'a> {
    store: &'a IcechunkStore,
    key: Key,
    value: OnceLock<Option<Value>>,
}

impl<'a> Source<'a> {
    pub fn new(store: &'a IcechunkStore, key: &Key) -> Self {
        Source { store, key: key.clone(), value: OnceLock::new() }
    }

    fn value(&self) -> Result<Option<&Value>> {
        let value = match self.value.get() {
            Some(value) => value,
            None => {
                let value = self.store.value(&self.key)?;
                self.value.get_or_init(|| value)
            }
        };
        Ok(value.as_ref())
    }

    /// Calls `read` with the value; `None`: it is absent.
    fn with<T>(&self, read: impl FnOnce(&Value) -> Result<T>) -> Result<Option<T>> {
        let Some(value) = self.value()? else { return Ok(None) };
        read(value).map(Some).at(|| self.store.place(&self.key))
    }

    fn append(&self, value: &Value, from: u64, out: &mut Vec<u8>) -> Result<()> {
        value.check(self.store)?;
        let start = out.len();
        let size = usize::try_from(value.len() - from).unwrap_or(usize::MAX);
        reserve(out, size)?;
        out.resize(start + size, 0);
        let read = value.read(self.store, from, &mut out[start..]);
        read.inspect_err(|_| out.truncate(start))
    }
}

impl ByteSource for Source<'_> {
    fn len(&self) -> Result<Option<u64>> {
        Ok(self.value()?.map(Value::len))
    }

    fn read_all(&self, _: u64, out: &mut Vec<u8>) -> Result<bool> {
        Ok(self.with(|value| self.append(value, 0, out))?.is_some())
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        Ok(self.with(|value| value.read(self.store, offset, out))?.is_some())
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        let read = self.with(|value| match out.len() as u64 == value.len() {
            true => value.read(self.store, 0, out),
            false => Err(wrong_length(out.len() as u64, value.len())),
        });
        Ok(read?.is_some())
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        self.with(|value| {
            self.append(value, value.len().saturating_sub(count), out)?;
            Ok(value.len())
        })
    }

    fn version(&self) -> Result<Option<Version>> {
        Ok(self.value()?.map(Value::version))
    }

    fn as_slice(&self) -> Option<&[u8]> {
        match self.value() {
            Ok(Some(Value::Here(bytes))) => Some(bytes),
            _ => None,
        }
    }

    fn request_cost(&self) -> u64 {
        match self.value() {
            Ok(Some(Value::Own { key, .. })) => self.store.home.source(key).request_cost(),
            Ok(Some(Value::Virtual { .. })) => 1 << 20,
            _ => 0,
        }
    }
}
