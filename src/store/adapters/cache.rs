//! An adapter that caches whole values of another store in memory (LRU).
//!
//! Changes by others stay unseen until [`Store::forget`] is called; changes through this handle are
//! seen.

use crate::error::{Context, Error, Result};
use crate::fork::{Held, Lock};
use crate::source::{ByteSource, reserve, within};
use crate::store::open::Inner;
use crate::store::{
    Depth, Entry, Exclusion, Key, Mode, Options, Precondition, SharedStore, Store, Values, Version,
};
use lru::LruCache;
use std::sync::{Arc, OnceLock, RwLockWriteGuard};

/// The default cache size (bytes).
const DEFAULT: u64 = 64 << 20;

struct Cached {
    inner: SharedStore,
    limit: usize,
    kept: Lock<Kept>,
}

struct Kept {
    values: LruCache<Key, Value>,
    bytes: usize,
    /// Counts changes, so that a value read before a change is not cached after it.
    changes: u64,
}

#[derive(Clone)]
struct Value {
    bytes: Arc<[u8]>,
    version: Version,
}

/// Wraps the store that `inner` opens; `size` is the cache size, such as `64MiB`.
pub fn open(inner: &Inner<'_>, size: &str, mode: Mode, _: &Options) -> Result<SharedStore> {
    let limit = match size {
        "" => Some(DEFAULT),
        size => Values::Bytes.parse(size),
    };
    let limit = limit.ok_or_else(|| {
        Error::invalid(format!("cache:{size}: expected {}", Values::Bytes.describe()))
    })?;
    let kept = Kept { values: LruCache::unbounded(), bytes: 0, changes: 0 };
    Ok(Arc::new(Cached {
        inner: inner(mode)?,
        limit: usize::try_from(limit).unwrap_or(usize::MAX),
        kept: Lock::new(kept),
    }))
}

impl Kept {
    fn remove(&mut self, key: &Key) {
        if let Some(old) = self.values.pop(key) {
            self.bytes -= old.bytes.len();
        }
    }
}

impl Cached {
    fn kept(&self) -> Held<RwLockWriteGuard<'_, Kept>> {
        self.kept.write()
    }

    fn find(&self, key: &Key) -> Option<Value> {
        self.kept().values.get(key).cloned()
    }

    /// Caches a value that was read after `changes`.
    fn keep(&self, key: &Key, value: Value, changes: u64) {
        let mut kept = self.kept();
        if kept.changes != changes || value.bytes.len() > self.limit / 2 {
            return;
        }
        kept.remove(key);
        kept.bytes += value.bytes.len();
        kept.values.push(key.clone(), value);
        while kept.bytes > self.limit {
            let Some((_, old)) = kept.values.pop_lru() else { break };
            kept.bytes -= old.bytes.len();
        }
    }

    /// The whole value, from the cache or the store.
    fn read(&self, key: &Key, limit: u64) -> Result<Option<Value>> {
        if let Some(value) = self.find(key) {
            return Ok(Some(value));
        }
        let changes = self.kept().changes;
        let mut bytes = Vec::new();
        let Some(version) = self.inner.get_document(key, limit, &mut bytes)? else {
            return Ok(None);
        };
        let value = Value { bytes: bytes.into(), version };
        self.keep(key, value.clone(), changes);
        Ok(Some(value))
    }

    /// Makes a change; drops the cached values that `is_changed` matches, before and after it.
    fn change<T>(
        &self,
        is_changed: impl Fn(&Key) -> bool,
        change: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let result = change();
        self.drop_where(is_changed);
        result
    }

    fn drop_where(&self, is_dropped: impl Fn(&Key) -> bool) {
        let mut kept = self.kept();
        kept.changes += 1;
        let keys: Vec<Key> =
            kept.values.iter().map(|(key, _)| key).filter(|key| is_dropped(key)).cloned().collect();
        keys.iter().for_each(|key| kept.remove(key));
    }
}

impl Store for Cached {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn read_only(&self) -> bool {
        self.inner.read_only()
    }

    fn concurrency(&self) -> usize {
        self.inner.concurrency()
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        self.get_document(key, u64::MAX, out)
    }

    fn get_document(&self, key: &Key, limit: u64, out: &mut Vec<u8>) -> Result<Option<Version>> {
        let Some(value) = self.read(key, limit)? else { return Ok(None) };
        let size = value.bytes.len() as u64;
        within(size, limit, crate::store::DOCUMENT).at(|| format!("{key} of {}", self.name()))?;
        reserve(out, value.bytes.len())?;
        out.extend_from_slice(&value.bytes);
        Ok(Some(value.version))
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        Box::new(Source { store: self, key: key.clone(), found: OnceLock::new() })
    }

    fn source_to_change<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        self.inner.source_to_change(key)
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        match self.find(key) {
            Some(value) => Ok(Some(value.version)),
            None => self.inner.version(key),
        }
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        self.change(|other| other == key, || self.inner.set(key, parts, when))
    }

    fn erase(&self, key: &Key, when: &Precondition) -> Result<bool> {
        self.change(|other| other == key, || self.inner.erase(key, when))
    }

    fn erase_prefix(&self, prefix: &str) -> Result<()> {
        let below = |key: &Key| key.as_str().starts_with(prefix);
        self.change(below, || self.inner.erase_prefix(prefix))
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        self.inner.list(prefix, depth, each)
    }

    fn has_prefix(&self, prefix: &str) -> Result<bool> {
        self.inner.has_prefix(prefix)
    }

    fn exclude(&self, key: &Key) -> Result<Exclusion> {
        self.inner.exclude(key)
    }

    fn flush(&self) -> Result<()> {
        self.inner.flush()
    }

    fn forget(&self, prefix: &str) -> Result<()> {
        self.drop_where(|key| key.as_str().starts_with(prefix));
        self.inner.forget(prefix)
    }
}

/// A value in the state of its first read.
struct Source<'a> {
    store: &'a Cached,
    key: Key,
    found: OnceLock<Found<'a>>,
}

enum Found<'a> {
    Kept(Value),
    Absent,
    /// Not cached, and first read in part: reads go to the store's own source.
    Inner(Box<dyn ByteSource + 'a>),
}

impl<'a> Source<'a> {
    /// Finds the value, for a partial read.
    fn part(&self) -> &Found<'a> {
        self.found.get_or_init(|| match self.store.find(&self.key) {
            Some(value) => Found::Kept(value),
            None => Found::Inner(self.store.inner.source(&self.key)),
        })
    }

    /// Finds the value and caches it whole.
    fn whole(&self) -> Result<&Found<'a>> {
        if let Some(found) = self.found.get() {
            return Ok(found);
        }
        let found = self.store.read(&self.key, u64::MAX)?.map_or(Found::Absent, Found::Kept);
        Ok(self.found.get_or_init(|| found))
    }
}

impl ByteSource for Source<'_> {
    fn len(&self) -> Result<Option<u64>> {
        match self.part() {
            Found::Kept(value) => Ok(Some(value.bytes.len() as u64)),
            Found::Absent => Ok(None),
            Found::Inner(inner) => inner.len(),
        }
    }

    fn read_all(&self, expected: u64, out: &mut Vec<u8>) -> Result<bool> {
        match self.whole()? {
            Found::Kept(value) => {
                reserve(out, value.bytes.len())?;
                out.extend_from_slice(&value.bytes);
                Ok(true)
            }
            Found::Absent => Ok(false),
            Found::Inner(inner) => inner.read_all(expected, out),
        }
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        match self.part() {
            Found::Kept(value) => (&*value.bytes).read_at(offset, out),
            Found::Absent => Ok(false),
            Found::Inner(inner) => inner.read_at(offset, out),
        }
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        match self.whole()? {
            Found::Kept(value) => (&*value.bytes).read_exactly(out),
            Found::Absent => Ok(false),
            Found::Inner(inner) => inner.read_exactly(out),
        }
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        match self.part() {
            Found::Kept(value) => (&*value.bytes).read_suffix(count, out),
            Found::Absent => Ok(None),
            Found::Inner(inner) => inner.read_suffix(count, out),
        }
    }

    fn version(&self) -> Result<Option<Version>> {
        match self.part() {
            Found::Kept(value) => Ok(Some(value.version.clone())),
            Found::Absent => Ok(None),
            Found::Inner(inner) => inner.version(),
        }
    }

    fn request_cost(&self) -> u64 {
        match self.part() {
            Found::Inner(inner) => inner.request_cost(),
            _ => 0,
        }
    }
}
