//! What was decoded and may be wanted again: chunks, inner chunks, indexes of shards. Bounded in
//! bytes; what was not used for longest goes first.
//!
//! An entry is good only for the version of the stored value that it was made from, and whoever
//! asks must have that from the store: nothing stale is ever found.

use crate::source::Version;
use lru::LruCache;
use smallvec::SmallVec;
use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

/// Which part of which chunk.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// A number of the array's own.
    pub array: u64,
    /// The chunk's index.
    pub chunk: SmallVec<[u64; 4]>,
    /// The places of inner chunks on the way down into shards.
    pub inner: SmallVec<[usize; 2]>,
}

/// A part of a chunk, and the version that the stored chunk has now.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// Where to look.
    pub cache: &'a Cache,
    /// What for.
    pub key: &'a Key,
    /// What the store says.
    pub version: &'a Version,
}

/// Decoded things, by what they are decoded from.
pub struct Cache {
    limit: usize,
    entries: Mutex<Entries>,
}

struct Entries {
    lru: LruCache<(Key, Kind), Entry>,
    bytes: usize,
    /// Asked for lately and not kept: what comes again is worth keeping.
    touched: LruCache<Key, Version>,
}

/// Several things of one key: a shard has an index, and may be an inner chunk itself.
type Kind = std::any::TypeId;

struct Entry {
    version: Version,
    value: Arc<dyn Any + Send + Sync>,
    bytes: usize,
}

/// Keys remembered of what is not kept.
const TOUCHED: usize = 64;

impl Cache {
    /// One that holds `limit` bytes at most; 0: nothing.
    pub fn new(limit: usize) -> Self {
        let touched = LruCache::new(std::num::NonZeroUsize::MIN.saturating_add(TOUCHED - 1));
        let entries = Entries { lru: LruCache::unbounded(), bytes: 0, touched };
        Cache { limit, entries: Mutex::new(entries) }
    }

    /// The most bytes that it holds.
    pub fn limit(&self) -> usize {
        self.limit
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Scope<'_> {
    /// What is kept of this version.
    pub fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        let mut entries = self.cache.lock();
        // the borrowed form of a pair of keys does not exist: the key is cloned, on the stack
        let entry = entries.lru.get(&(self.key.clone(), Kind::of::<T>()))?;
        if entry.version != *self.version {
            return None;
        }
        entry.value.clone().downcast().ok()
    }

    /// Keeps something that takes `bytes`, unless that is more than half of all.
    pub fn put<T: Any + Send + Sync>(&self, value: Arc<T>, bytes: usize) {
        if bytes > self.cache.limit / 2 {
            return;
        }
        let entry = Entry { version: self.version.clone(), value, bytes };
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
        drop(gone); // memory is given back with the cache unlocked
    }

    /// Whether this version was asked for a short while ago already; from now on, it was.
    pub fn comes_again(&self) -> bool {
        let mut entries = self.cache.lock();
        if entries.touched.get(self.key) == Some(self.version) {
            return true;
        }
        entries.touched.put(self.key.clone(), self.version.clone());
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: u64) -> Key {
        Key { array: 1, chunk: [n].into_iter().collect(), inner: SmallVec::new() }
    }

    fn version(n: u8) -> Version {
        Version([n].into_iter().collect())
    }

    #[test]
    fn only_the_same_version_is_found_and_the_oldest_goes() {
        let cache = Cache::new(100);
        let put = |n: u64, v: u8, bytes| {
            Scope { cache: &cache, key: &key(n), version: &version(v) }.put(Arc::new(n), bytes);
        };
        let get = |n: u64, v: u8| {
            Scope { cache: &cache, key: &key(n), version: &version(v) }.get::<u64>().map(|x| *x)
        };
        put(1, 1, 40);
        put(2, 1, 40);
        assert_eq!((get(1, 1), get(1, 2), get(2, 1)), (Some(1), None, Some(2)));
        assert_eq!(get(1, 1), Some(1));
        put(3, 1, 40); // 2 was not used for longest
        assert_eq!((get(1, 1), get(2, 1), get(3, 1)), (Some(1), None, Some(3)));
        put(1, 2, 50);
        assert_eq!((get(1, 1), get(1, 2)), (None, Some(1)));
        put(4, 1, 51);
        assert_eq!(get(4, 1), None, "too large to push all else out");
        // another type under the same key is another thing
        let scope = Scope { cache: &cache, key: &key(3), version: &version(1) };
        assert!(scope.get::<String>().is_none());
    }

    #[test]
    fn what_comes_again_is_known() {
        let cache = Cache::new(100);
        let again = |n: u64, v: u8| {
            Scope { cache: &cache, key: &key(n), version: &version(v) }.comes_again()
        };
        assert!(!again(1, 1));
        assert!(again(1, 1));
        assert!(!again(1, 2));
        (0..TOUCHED as u64).for_each(|n| assert!(!again(100 + n, 1)));
        assert!(!again(1, 2), "forgotten");
    }
}
