//! What was decoded and may be wanted again: chunks, inner chunks, indexes of shards. Bounded in
//! bytes; what was not used for longest goes first.
//!
//! An entry is good only for the version of the stored value that it was made from, and whoever
//! asks must have that from the store: nothing stale is ever found. Where to ask takes long, those
//! who want the same thing at the same time ask once ([`Scope::find`]): what was asked for after a
//! read began is as good for it as what it asks for itself.

use crate::exec::Tenant;
use crate::fork::Own;
use crate::lock::Hold;
use crate::source::{ByteSource, Version};
use lru::LruCache;
use smallvec::SmallVec;
use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

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
    /// That of this source, which knows it once it has been read, for a read that began at that
    /// time. To ask before costs a request, so that is done only where something is kept.
    Of(&'a dyn ByteSource, Instant),
}

/// Decoded things, by what they are decoded from.
pub struct Cache {
    limit: usize,
    /// Made when first used: most stores are opened for less.
    entries: Own<Mutex<Entries>>,
    /// Memory is kept between the calls of those who share this.
    _tenant: Tenant,
}

struct Entries {
    lru: LruCache<(Key, Kind), Entry>,
    bytes: usize,
    /// What is being fetched just now.
    fetches: HashMap<(Key, Kind), Arc<Fetch>>,
    /// What parts of things not kept have cost lately: what keeps coming is worth keeping.
    touched: LruCache<Key, (Option<Version>, u64)>,
}

/// Several things of one key: a shard has an index, and may be an inner chunk itself.
type Kind = std::any::TypeId;

struct Entry {
    version: Version,
    value: Arc<dyn Any + Send + Sync>,
    bytes: usize,
    /// When the store was last asked for it or its version, where that is known.
    asked: Option<Instant>,
}

/// What a fetch brought, and of which version it is.
type Fetched = (Version, Arc<dyn Any + Send + Sync>);

/// A fetch that others wait for.
struct Fetch {
    asked: Instant,
    /// Who does it: a thread does not wait for itself.
    by: usize,
    /// `None`: it is under way. `None` within: nothing came of it that others could use.
    done: Mutex<Option<Option<Fetched>>>,
    ends: Condvar,
}

/// Tells this thread from the others that live, without memory that outlives it.
fn this_thread() -> usize {
    thread_local!(static HERE: u8 = const { 0 });
    HERE.with(|here| std::ptr::from_ref(here).addr())
}

impl Fetch {
    fn new() -> Arc<Self> {
        Arc::new(Fetch {
            asked: Instant::now(),
            by: this_thread(),
            done: Mutex::new(None),
            ends: Condvar::new(),
        })
    }

    fn end(&self, with: Option<Fetched>) {
        self.done.hold().get_or_insert(with);
        self.ends.notify_all();
    }

    fn wait(&self) -> Option<Fetched> {
        let done = self.done.hold();
        let done = self.ends.wait_while(done, |done| done.is_none());
        done.unwrap_or_else(PoisonError::into_inner).clone().flatten()
    }

    /// Whether a read that began at `since` may wait for it.
    fn serves(&self, since: Instant) -> bool {
        self.asked >= since && self.by != this_thread()
    }
}

/// What is to be fetched, by whoever holds this. Others wait until it is [kept](Self::put) or dropped.
pub struct Wanted<'a> {
    scope: Scope<'a>,
    fetch: Option<((Key, Kind), Arc<Fetch>)>,
}

impl Wanted<'_> {
    /// Keeps what was fetched, as [`Scope::put`] does, and gives it to those who wait.
    pub fn put<T: Any + Send + Sync>(self, value: Arc<T>, bytes: usize) {
        let Some(version) = self.scope.version() else { return };
        if let Some((_, fetch)) = &self.fetch {
            fetch.end(Some((version.clone(), value.clone())));
        }
        let asked = self.fetch.as_ref().map(|(_, fetch)| fetch.asked);
        self.scope.keep(version, value, bytes, asked);
    }
}

impl Drop for Wanted<'_> {
    fn drop(&mut self) {
        if let Some((key, fetch)) = &self.fetch {
            fetch.end(None);
            let fetches = &mut self.scope.cache.lock().fetches;
            if fetches.get(key).is_some_and(|other| Arc::ptr_eq(other, fetch)) {
                fetches.remove(key);
            }
        }
    }
}

/// What [`Scope::find`] finds.
pub enum Found<'a, T> {
    /// It was kept, or somebody else has just fetched it.
    Kept(Arc<T>),
    /// It is to be fetched.
    Wanted(Wanted<'a>),
}

/// Keys remembered of what is not kept.
const TOUCHED: usize = 64;

impl Cache {
    /// One that holds `limit` bytes at most; 0: nothing.
    pub fn new(limit: usize) -> Self {
        Cache { limit, entries: Own::new(), _tenant: Tenant::new() }
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
        self.entries.get().hold()
    }
}

impl Default for Entries {
    fn default() -> Self {
        let touched = LruCache::new(std::num::NonZeroUsize::MIN.saturating_add(TOUCHED - 1));
        Entries { lru: LruCache::unbounded(), bytes: 0, fetches: HashMap::new(), touched }
    }
}

impl<'a> Scope<'a> {
    /// What is kept of this version.
    pub fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        // the borrowed form of a pair of keys does not exist: the key is cloned, on the stack
        let key = (self.key.clone(), Kind::of::<T>());
        let asked;
        let version = match self.version {
            Present::Known(version) => version,
            // what cannot be asked for cannot be read either, and whoever does will hear why
            Present::Of(source, _) if self.cache.lock().lru.contains(&key) => {
                asked = source.version().ok()??;
                &asked
            }
            Present::Of(..) => return None,
        };
        let mut entries = self.cache.lock();
        let entry = entries.lru.get(&key)?;
        if entry.version != *version {
            return None;
        }
        entry.value.clone().downcast().ok()
    }

    /// The same, or the duty to fetch it: of those who want it at the same time only one has that,
    /// and the others wait for what comes of it.
    pub fn find<T: Any + Send + Sync>(&self) -> Found<'a, T> {
        let nobody = Found::Wanted(Wanted { scope: *self, fetch: None });
        let Present::Of(source, since) = self.version else {
            return self.get().map_or(nobody, Found::Kept);
        };
        let key = (self.key.clone(), Kind::of::<T>());
        let mut entries = self.cache.lock();
        let kept = entries.lru.get(&key).map(|e| (e.version.clone(), e.value.clone(), e.asked));
        if let Some((version, value, Some(asked))) = &kept
            && *asked >= since
            && source.pin(version)
            && let Ok(value) = value.clone().downcast()
        {
            return Found::Kept(value);
        }
        if let Some(fetch) = entries.fetches.get(&key).filter(|fetch| fetch.serves(since)).cloned()
        {
            drop(entries);
            return match fetch.wait() {
                Some((version, value)) if source.pin(&version) => {
                    value.downcast().map_or(nobody, Found::Kept)
                }
                _ => nobody,
            };
        }
        let fetch = Fetch::new();
        entries.fetches.insert(key.clone(), fetch.clone());
        drop(entries);
        let wanted = Wanted { scope: *self, fetch: Some((key.clone(), fetch.clone())) };
        if let Some((version, value, _)) = kept
            && source.version().is_ok_and(|found| found.as_ref() == Some(&version))
        {
            if let Some(entry) =
                self.cache.lock().lru.get_mut(&key).filter(|e| e.version == version)
            {
                entry.asked = Some(fetch.asked);
            }
            fetch.end(Some((version, value.clone())));
            if let Ok(value) = value.downcast() {
                return Found::Kept(value);
            }
        }
        Found::Wanted(wanted)
    }

    /// The version that what is read now is of, where the store tells one.
    fn version(&self) -> Option<Version> {
        match self.version {
            Present::Known(version) => Some(version.clone()),
            Present::Of(source, _) => source.version().ok().flatten(),
        }
    }

    /// Keeps something that takes `bytes`, unless that is more than half of all.
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
        drop(gone); // memory is given back with the cache unlocked
    }

    /// Whether to get all of it and keep it, at the cost of `whole`, instead of a part again, at
    /// the cost of `part`: once the parts of it have cost as much as the whole.
    pub fn worth_keeping(&self, part: u64, whole: u64) -> bool {
        // not worth a request
        let version = match self.version {
            Present::Known(version) => Some(version),
            Present::Of(..) => None,
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
        let far = Scope { cache: &cache, key: &key, version: Present::Of(&source, Instant::now()) };
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
    /// A value far away, that is counted.
    #[derive(Default)]
    struct Far {
        asked: std::sync::atomic::AtomicU32,
        pinned: std::sync::OnceLock<Version>,
    }

    impl ByteSource for Far {
        fn len(&self) -> crate::error::Result<Option<u64>> {
            Ok(Some(1))
        }
        fn read_all(&self, _: u64, _: &mut Vec<u8>) -> crate::error::Result<bool> {
            Ok(true)
        }
        fn read_at(&self, _: u64, _: &mut [u8]) -> crate::error::Result<bool> {
            Ok(true)
        }
        fn read_exactly(&self, _: &mut [u8]) -> crate::error::Result<bool> {
            Ok(true)
        }
        fn read_suffix(&self, _: u64, _: &mut Vec<u8>) -> crate::error::Result<Option<u64>> {
            Ok(Some(1))
        }
        fn version(&self) -> crate::error::Result<Option<Version>> {
            if self.pinned.get().is_none() {
                self.asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            }
            Ok(Some(self.pinned.get_or_init(|| version(7)).clone()))
        }
        fn pin(&self, to: &Version) -> bool {
            *self.pinned.get_or_init(|| to.clone()) == *to
        }
    }

    #[test]
    fn who_comes_while_it_is_fetched_waits_for_it_and_who_comes_later_asks() {
        let (cache, key) = (Cache::new(100), key(1));
        let asked = |source: &Far| source.asked.load(std::sync::atomic::Ordering::Relaxed);
        let begun = Instant::now();
        let first = Far::default();
        let scope = Scope { cache: &cache, key: &key, version: Present::Of(&first, begun) };
        let Found::Wanted(wanted) = scope.find::<u64>() else { panic!("nothing is kept") };
        std::thread::scope(|threads| {
            let waiting: Vec<_> = (0..8)
                .map(|_| {
                    threads.spawn(|| {
                        let source = Far::default();
                        let version = Present::Of(&source, begun);
                        let found = Scope { version, ..scope }.find::<u64>();
                        (matches!(found, Found::Kept(value) if *value == 5), asked(&source))
                    })
                })
                .collect();
            std::thread::sleep(std::time::Duration::from_millis(50));
            wanted.put(Arc::new(5u64), 10);
            for thread in waiting {
                assert_eq!(thread.join().expect("no panic"), (true, 0));
            }
        });
        // a read that begins now must hear of what was changed in between
        for (since, requests) in [(begun, 0), (Instant::now(), 1)] {
            let source = Far::default();
            let found = Scope { version: Present::Of(&source, since), ..scope }.find::<u64>();
            assert!(matches!(found, Found::Kept(_)));
            assert_eq!(asked(&source), requests);
        }
        // of another version than the source has already, it is no use
        let other = Far::default();
        assert!(other.pin(&version(8)));
        let found = Scope { version: Present::Of(&other, begun), ..scope }.find::<u64>();
        assert!(matches!(found, Found::Wanted(_)));
    }

    #[test]
    fn nobody_waits_for_a_fetch_that_failed() {
        let (cache, key) = (Cache::new(100), key(1));
        let (source, begun) = (Far::default(), Instant::now());
        let scope = Scope { cache: &cache, key: &key, version: Present::Of(&source, begun) };
        let Found::Wanted(wanted) = scope.find::<u64>() else { panic!("nothing is kept") };
        std::thread::scope(|threads| {
            let waiting = threads.spawn(|| {
                let source = Far::default();
                let version = Present::Of(&source, begun);
                matches!(Scope { version, ..scope }.find::<u64>(), Found::Wanted(_))
            });
            std::thread::sleep(std::time::Duration::from_millis(20));
            drop(wanted);
            assert!(waiting.join().expect("no panic"));
        });
        assert!(matches!(scope.find::<u64>(), Found::Wanted(_)));
    }
}
