//! What was decoded and may be wanted again: chunks, inner chunks, indexes of shards. Bounded in
//! bytes; what was not used for longest goes first.
//!
//! An entry is good only for the version of the stored value that it was made from, and whoever
//! asks must have that from the store: nothing stale is ever found.

use crate::fork::Own;
use crate::source::{ByteSource, Version};
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
    pub version: Present<'a>,
}

/// The version that a stored value has now.
#[derive(Clone, Copy)]
pub enum Present<'a> {
    /// It was asked for.
    Known(&'a Version),
    /// That of this source, which knows it once it has been read. To ask before costs a request, so
    /// that is done only where something is kept.
    Of(&'a dyn ByteSource),
}

/// Decoded things, by what they are decoded from.
pub struct Cache {
    limit: usize,
    /// Made when first used: most stores are opened for less.
    entries: Own<Mutex<Entries>>,
}

struct Entries {
    lru: LruCache<(Key, Kind), Entry>,
    bytes: usize,
    /// What parts of things not kept have cost lately: what keeps coming is worth keeping.
    touched: LruCache<Key, (Option<Version>, u64)>,
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
        Cache { limit, entries: Own::new() }
    }

    /// The most bytes that it holds.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Takes out what is kept of a key, and the version that it is of.
    pub fn take<T: Any + Send + Sync>(&self, key: &Key) -> Option<(Version, T)> {
        let mut entries = self.lock();
        let entry = entries.lru.pop(&(key.clone(), Kind::of::<T>()))?;
        entries.bytes -= entry.bytes;
        drop(entries);
        Some((entry.version, Arc::into_inner(entry.value.downcast().ok()?)?))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Entries> {
        self.entries.get().lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Entries {
    fn default() -> Self {
        let touched = LruCache::new(std::num::NonZeroUsize::MIN.saturating_add(TOUCHED - 1));
        Entries { lru: LruCache::unbounded(), bytes: 0, touched }
    }
}

impl Scope<'_> {
    /// What is kept of this version.
    pub fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        // the borrowed form of a pair of keys does not exist: the key is cloned, on the stack
        let key = (self.key.clone(), Kind::of::<T>());
        let asked;
        let version = match self.version {
            Present::Known(version) => version,
            // what cannot be asked for cannot be read either, and whoever does will hear why
            Present::Of(source) if self.cache.lock().lru.contains(&key) => {
                asked = source.version().ok()??;
                &asked
            }
            Present::Of(_) => return None,
        };
        let mut entries = self.cache.lock();
        let entry = entries.lru.get(&key)?;
        if entry.version != *version {
            return None;
        }
        entry.value.clone().downcast().ok()
    }

    /// Keeps something that takes `bytes`, unless that is more than half of all.
    pub fn put<T: Any + Send + Sync>(&self, value: Arc<T>, bytes: usize) {
        if bytes > self.cache.limit / 2 {
            return;
        }
        let version = match self.version {
            Present::Known(version) => version.clone(),
            Present::Of(source) => match source.version() {
                Ok(Some(version)) => version,
                _ => return,
            },
        };
        if version.is_recent() {
            return;
        }
        let entry = Entry { version, value, bytes };
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

    /// Whether to get all of it and keep it, at the cost of `whole`, instead of a part again, at
    /// the cost of `part`: once the parts of it have cost as much as the whole.
    pub fn worth_keeping(&self, part: u64, whole: u64) -> bool {
        // not worth a request
        let version = match self.version {
            Present::Known(version) => Some(version),
            Present::Of(_) => None,
        };
        let mut entries = self.cache.lock();
        let before = match entries.touched.get(self.key) {
            Some((before, cost)) if before.as_ref() == version => *cost,
            _ => 0,
        };
        let worth = before >= whole;
        // should it not be kept for long, parts of it have to come as often again
        let cost = if worth { 0 } else { before + part };
        entries.touched.put(self.key.clone(), (version.cloned(), cost));
        worth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: u64) -> Key {
        Key { array: 1, chunk: [n].into_iter().collect(), inner: SmallVec::new() }
    }

    fn version(n: u8) -> Version {
        Version::new([n].into_iter().collect())
    }

    #[test]
    fn what_may_have_changed_unseen_is_not_kept() {
        let (cache, key) = (Cache::new(100), key(0));
        let recent = version(1).recent(true);
        let scope = Scope { cache: &cache, key: &key, version: Present::Known(&recent) };
        scope.put(Arc::new(1u8), 1);
        assert!(scope.get::<u8>().is_none());
        let settled = version(1);
        let scope = Scope { version: Present::Known(&settled), ..scope };
        scope.put(Arc::new(2u8), 1);
        assert_eq!(scope.get::<u8>().as_deref(), Some(&2));
    }

    #[test]
    fn only_the_same_version_is_found_and_the_oldest_goes() {
        let cache = Cache::new(100);
        let put = |n: u64, v: u8, bytes| {
            Scope { cache: &cache, key: &key(n), version: Present::Known(&version(v)) }
                .put(Arc::new(n), bytes);
        };
        let get = |n: u64, v: u8| {
            Scope { cache: &cache, key: &key(n), version: Present::Known(&version(v)) }
                .get::<u64>()
                .map(|x| *x)
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
        let scope = Scope { cache: &cache, key: &key(3), version: Present::Known(&version(1)) };
        assert!(scope.get::<String>().is_none());
    }

    #[test]
    fn what_keeps_coming_is_worth_keeping() {
        let cache = Cache::new(100);
        let worth = |n: u64, v: u8| {
            Scope { cache: &cache, key: &key(n), version: Present::Known(&version(v)) }
                .worth_keeping(4, 10)
        };
        assert_eq!([worth(1, 1), worth(1, 1), worth(1, 1)], [false; 3]);
        assert!(worth(1, 1), "three parts cost more than the whole");
        assert!(!worth(1, 1), "and it begins anew");
        assert!(!worth(1, 2), "another version begins anew");
        assert_eq!([worth(1, 2), worth(1, 2), worth(1, 2)], [false, false, true]);
        (0..TOUCHED as u64).for_each(|n| assert!(!worth(100 + n, 1)));
        assert!(!worth(1, 2), "forgotten");
    }

    #[test]
    fn a_source_is_asked_only_where_something_is_kept() {
        use crate::error::{Error, Result};
        use std::sync::atomic::{AtomicU32, Ordering};
        struct Asked(AtomicU32);
        impl ByteSource for Asked {
            fn len(&self) -> Result<Option<u64>> {
                Err(Error::invalid("not here"))
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
                self.0.fetch_add(1, Ordering::Relaxed);
                Ok(Some(version(7)))
            }
        }
        let (cache, source) = (Cache::new(100), Asked(AtomicU32::new(0)));
        let key = key(1);
        let far = Scope { cache: &cache, key: &key, version: Present::Of(&source) };
        assert!(far.get::<u64>().is_none() && !far.worth_keeping(4, 10));
        assert_eq!(source.0.load(Ordering::Relaxed), 0);
        far.put(Arc::new(5u64), 10);
        assert_eq!(far.get::<u64>().as_deref(), Some(&5));
        assert_eq!(source.0.load(Ordering::Relaxed), 2);
        let known = Scope { version: Present::Known(&version(7)), ..far };
        assert_eq!(known.get::<u64>().as_deref(), Some(&5));
        let other = Scope { version: Present::Known(&version(8)), ..far };
        assert!(other.get::<u64>().is_none());
    }
}
