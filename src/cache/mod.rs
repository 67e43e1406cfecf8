//! Cache of decoded chunks, inner chunks and shard indexes. Bounded in bytes; evicts the least
//! recently used entry first.
//!
//! An entry is valid only for the version of the stored value that it was decoded from. The caller
//! must get the current version from the store, so no stale entry is returned. Where that request
//! is slow, concurrent readers of one key share one fetch ([`Scope::find`]): a fetch that started
//! after a call began is as fresh as a fetch by the call itself. Overlapping calls count as one
//! call for a [`Moment`].

mod fetch;
#[cfg(all(test, model))]
mod model;
mod moment;
#[cfg(test)]
mod tests;

pub use fetch::{Found, Read, Wanted};
pub use moment::{Changing, Moment, Running, values_changed};

use crate::error::{Error, Result};
use crate::exec::PoolUser;
use crate::fork::Own;
#[cfg_attr(all(test, model), allow(unused_imports))] // the mutex of the model has it itself
use crate::lock::Acquire;
use crate::source::{ByteSource, Version};
use crate::sync::{Mutex, MutexGuard};
use fetch::{Fetch, Fetched};
use lru::LruCache;
use moment::Overlap;
use smallvec::SmallVec;
use std::any::Any;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Instant;

/// Identifies a part of a chunk.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// A number unique to the array.
    pub array: u64,
    /// The chunk's index.
    pub chunk: SmallVec<[u64; 4]>,
    /// Positions of inner chunks, from the outermost shard down.
    pub inner: SmallVec<[usize; 2]>,
}

/// A part of a chunk, and the current version of the stored chunk.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// The chunk.
    pub cache: &'a Cache,
    /// The part.
    pub key: &'a Key,
    /// The version.
    pub version: Present<'a>,
}

/// The current version of a stored value.
#[derive(Clone, Copy)]
pub enum Present<'a> {
    /// Known from the store.
    Known(&'a Version),
    /// The version of this source, known once the source has been read. Asking earlier costs a
    /// request, so that happens only for keys with a cached entry.
    Of(&'a dyn ByteSource, &'a Read),
}

/// Decoded data by the stored part that it was decoded from.
pub struct Cache {
    limit: usize,
    /// Created on first use: most opened stores never use it.
    entries: Own<Mutex<Entries>>,
    /// Keeps freed buffers for the next call while the cache exists.
    _user: PoolUser,
}

struct Entries {
    lru: LruCache<(Key, Kind), Entry>,
    bytes: usize,
    /// Fetches in progress.
    fetches: HashMap<(Key, Kind), Arc<Fetch>>,
    /// When the store was last asked for chunks that turned out to be absent.
    absent: LruCache<(Key, Kind), Instant>,
    overlap: Option<Overlap>,
    /// Recent cost of reading parts of values that are not cached; frequent reads make caching pay.
    touched: LruCache<Key, (Option<Version>, u64)>,
}

/// Entries of one key: a shard has an index, and may itself be an inner chunk.
type Kind = std::any::TypeId;

struct Entry {
    version: Version,
    value: Arc<dyn Any + Send + Sync>,
    bytes: usize,
    /// When the store was last asked for the version, if known.
    asked: Option<Instant>,
}

/// The most keys in `touched`.
const TOUCHED: usize = 64;

/// The most keys in `absent`.
const ABSENT: usize = 4096;

impl Cache {
    /// A cache of at most `limit` bytes; 0: caches nothing.
    pub fn new(limit: usize) -> Self {
        Cache { limit, entries: Own::new(), _user: PoolUser::new() }
    }

    /// The limit (bytes).
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Removes and returns the entry of a key, with its version.
    pub fn take<T: Any + Send + Sync>(&self, key: &Key) -> Option<(Version, T)> {
        let mut entries = self.lock();
        let entry = entries.lru.pop(&(key.clone(), Kind::of::<T>()))?;
        entries.bytes -= entry.bytes;
        drop(entries);
        Some((entry.version, Arc::into_inner(entry.value.downcast().ok()?)?))
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.get().acquire()
    }

    /// Removes a fetch, so that no other reader joins it.
    fn forget(&self, key: &(Key, Kind), fetch: &Arc<Fetch>) {
        let fetches = &mut self.lock().fetches;
        if fetches.get(key).is_some_and(|other| Arc::ptr_eq(other, fetch)) {
            fetches.remove(key);
        }
    }

    /// Remembers that a chunk was absent when the store was asked.
    fn keep_absent(&self, key: (Key, Kind), asked: Instant) {
        put_bounded(&mut self.lock().absent, ABSENT, key, asked);
    }
}

impl Default for Entries {
    fn default() -> Self {
        Entries {
            lru: LruCache::unbounded(),
            bytes: 0,
            fetches: HashMap::new(),
            absent: LruCache::unbounded(),
            overlap: None,
            touched: LruCache::unbounded(),
        }
    }
}

/// Puts an entry where at most `most` are kept. A cache that knows its limit would allocate all of
/// its table at once, which every store that is opened would pay for.
fn put_bounded<K: Hash + Eq, V>(cache: &mut LruCache<K, V>, most: usize, key: K, value: V) {
    cache.put(key, value);
    if cache.len() > most {
        cache.pop_lru();
    }
}

impl<'a> Scope<'a> {
    /// The cached entry, if it is of the current version.
    pub fn get<T: Any + Send + Sync>(&self) -> Result<Option<Arc<T>>> {
        // the borrowed form of a pair of keys does not exist: the key is cloned, on the stack
        let key = (self.key.clone(), Kind::of::<T>());
        let asked;
        let version = match self.version {
            Present::Known(version) => version,
            Present::Of(source, _) if self.cache.lock().lru.contains(&key) => {
                asked = source.version()?;
                let Some(version) = &asked else { return Ok(None) };
                version
            }
            Present::Of(..) => return Ok(None),
        };
        let mut entries = self.cache.lock();
        let entry = entries.lru.get(&key).filter(|entry| entry.version == *version);
        Ok(entry.and_then(|entry| entry.value.clone().downcast().ok()))
    }

    /// Returns the cached entry, or the duty to fetch it, which only one of several concurrent
    /// readers gets. The others fail with [`Error::pending`](crate::error::Error::pending) until
    /// the fetch ends.
    pub fn find<T: Any + Send + Sync>(&self) -> Result<Found<'a, T>> {
        let Present::Of(source, read) = self.version else {
            let nobody = Found::Wanted(Wanted { scope: *self, fetch: None });
            return Ok(self.get()?.map_or(nobody, Found::Kept));
        };
        let key = (self.key.clone(), Kind::of::<T>());
        if let Some(fetch) = Read::find(&read.own, &key) {
            return self.find_own(source, read, key, &fetch);
        }
        if let Some(fetch) = Read::find(&read.joined, &key) {
            match fetch.result() {
                Some(Fetched::Value(version, value)) if source.pin(&version) => {
                    if let Ok(value) = value.downcast() {
                        return Ok(Found::Kept(value));
                    }
                }
                Some(Fetched::Absent) => return Ok(Found::Absent),
                _ => {}
            }
        }
        let mut entries = self.cache.lock();
        if let Some(entry) = entries.lru.get(&key)
            && entry.asked.is_some_and(|asked| asked >= read.since)
            && source.pin(&entry.version)
            && let Ok(value) = entry.value.clone().downcast()
        {
            return Ok(Found::Kept(value));
        }
        if entries.absent.get(&key).is_some_and(|asked| *asked >= read.since) {
            return Ok(Found::Absent);
        }
        if let Some(fetch) = entries.fetches.get(&key).filter(|fetch| fetch.asked >= read.since)
            && let Some(waiter) = source.suspend()
        {
            let fetch = fetch.clone();
            drop(entries);
            read.joined.acquire().push((key, fetch.clone()));
            fetch.join(waiter);
            return Err(Error::pending());
        }
        let fetch = Fetch::new();
        entries.fetches.insert(key.clone(), fetch.clone());
        drop(entries);
        read.own.acquire().push((key.clone(), fetch.clone()));
        self.find_own(source, read, key, &fetch)
    }

    /// Returns the cached entry if it is of the current version, else the duty to fetch it.
    fn find_own<T: Any + Send + Sync>(
        &self,
        source: &dyn ByteSource,
        read: &Read,
        key: (Key, Kind),
        fetch: &Fetch,
    ) -> Result<Found<'a, T>> {
        let kept = self.cache.lock().lru.get(&key).map(|e| (e.version.clone(), e.value.clone()));
        if let Some((version, value)) = kept
            && source.version()?.as_ref() == Some(&version)
            && let Ok(found) = value.clone().downcast()
        {
            let mut entries = self.cache.lock();
            if let Some(entry) = entries.lru.get_mut(&key).filter(|e| e.version == version) {
                entry.asked = Some(fetch.asked);
            }
            drop(entries);
            read.end_one(&key, Fetched::Value(version, value));
            return Ok(Found::Kept(found));
        }
        Ok(Found::Wanted(Wanted { scope: *self, fetch: Some((key, fetch.asked)) }))
    }

    /// The version of what is being read, if the store provides one.
    fn version(&self) -> Option<Version> {
        match self.version {
            Present::Known(version) => Some(version.clone()),
            Present::Of(source, _) => source.version().ok().flatten(),
        }
    }

    /// Caches an entry of `bytes` bytes, unless it exceeds half of the limit.
    pub fn put<T: Any + Send + Sync>(&self, value: Arc<T>, bytes: usize) {
        if bytes <= self.cache.limit / 2
            && let Some(version) = self.version()
        {
            self.keep(version, value, bytes, None);
        }
    }

    fn keep<T: Any + Send + Sync>(
        &self,
        version: Version,
        value: Arc<T>,
        bytes: usize,
        asked: Option<Instant>,
    ) {
        if bytes > self.cache.limit / 2 || version.is_recent() {
            return;
        }
        let entry = Entry { version, value, bytes, asked };
        let mut gone = SmallVec::<[Entry; 4]>::new();
        let mut entries = self.cache.lock();
        entries.bytes += bytes;
        if let Some((_, old)) = entries.lru.push((self.key.clone(), Kind::of::<T>()), entry) {
            entries.bytes -= old.bytes;
            gone.push(old);
        }
        while entries.bytes > self.cache.limit {
            let Some((_, old)) = entries.lru.pop_lru() else { break };
            entries.bytes -= old.bytes;
            gone.push(old);
        }
        drop(entries);
        drop(gone); // free memory only after unlocking the cache
    }

    /// Whether to fetch and cache the whole value, at the cost of `whole`, rather than one more
    /// part, at the cost of `part`: true once the parts have cost as much as the whole.
    pub fn worth_keeping(&self, part: u64, whole: u64) -> bool {
        // the version of an unread source is not worth a request
        let (version, read) = match self.version {
            Present::Known(version) => (Some(version), None),
            Present::Of(_, read) => (None, Some(read)),
        };
        // count a restarted read once
        let mut weighed = read.map(|read| read.weighed.acquire());
        let said = weighed.as_ref().and_then(|w| w.iter().find(|(key, _)| key == self.key));
        if let Some((_, worth)) = said {
            return *worth;
        }
        let mut entries = self.cache.lock();
        let before = match entries.touched.get(self.key) {
            Some((before, cost)) if before.as_ref() == version => *cost,
            _ => 0,
        };
        let worth = before >= whole;
        // start again at 0: if the whole is evicted soon, its parts must be requested as often
        // again
        let cost = if worth { 0 } else { before + part };
        let touched = (version.cloned(), cost);
        put_bounded(&mut entries.touched, TOUCHED, self.key.clone(), touched);
        if let Some(weighed) = &mut weighed {
            weighed.push((self.key.clone(), worth));
        }
        worth
    }
}
