//! Cache of decoded chunks, inner chunks and shard indexes. Bounded in bytes; evicts the least
//! recently used entry first.
//!
//! An entry is valid only for the version of the stored value that it was decoded from. The caller
//! must get the current version from the store, so no stale entry is returned. Where that request
//! is slow, concurrent readers of one key share one fetch ([`Scope::find`]): a fetch that started
//! after a call began is as fresh as a fetch by the call itself. Overlapping calls count as one
//! call, for at most [`MOMENT`] and until this process changes a value.

use crate::error::{Error, Result};
use crate::exec::PoolUser;
use crate::fork::Own;
use crate::lock::Acquire;
use crate::source::{ByteSource, Version};
use lru::LruCache;
use smallvec::SmallVec;
use std::any::Any;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

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
    moment: Option<Moment>,
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

/// The result of a fetch.
#[derive(Clone)]
enum Fetched {
    /// A value and its version.
    Value(Version, Arc<dyn Any + Send + Sync>),
    /// There is no such chunk.
    Absent,
    /// No result that other readers could use.
    Nothing,
}

/// A fetch that other readers may wait for.
struct Fetch {
    asked: Instant,
    state: Mutex<FetchState>,
}

#[derive(Default)]
struct FetchState {
    result: Option<Fetched>,
    /// The waiting readers: dropped, which wakes them, once there is a result.
    waiting: Vec<Box<dyn Send + Sync>>,
}

impl Fetch {
    fn new() -> Arc<Self> {
        Arc::new(Fetch { asked: Instant::now(), state: Mutex::default() })
    }

    fn state(&self) -> MutexGuard<'_, FetchState> {
        self.state.acquire()
    }

    fn end(&self, with: Fetched) {
        let mut state = self.state();
        state.result.get_or_insert(with);
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        drop(waiting); // dropping wakes them
    }

    fn join(&self, waiter: Box<dyn Send + Sync>) {
        let mut state = self.state();
        if state.result.is_none() {
            state.waiting.push(waiter);
        }
    }
}

/// The fetches of one read, by key.
type Fetches = Mutex<SmallVec<[((Key, Kind), Arc<Fetch>); 1]>>;

/// One read of a stored value, restarted each time more of its bytes arrive: the fetches that it
/// owns and those of others that it waits for.
pub struct Read {
    cache: Arc<Cache>,
    /// A fetch that started at or after this instant is fresh enough for this read.
    since: Instant,
    own: Fetches,
    joined: Fetches,
    /// Results of [`Scope::worth_keeping`].
    weighed: Mutex<SmallVec<[(Key, bool); 1]>>,
}

impl Read {
    /// A read that accepts fetches started at or after `since`.
    pub fn new(cache: Arc<Cache>, since: Instant) -> Self {
        let (own, joined) = Default::default();
        Read { cache, since, own, joined, weighed: Mutex::default() }
    }

    fn find(fetches: &Fetches, key: &(Key, Kind)) -> Option<Arc<Fetch>> {
        fetches.acquire().iter().find(|(other, _)| other == key).map(|(_, fetch)| fetch.clone())
    }

    /// Ends a fetch that this read owns.
    fn end_one(&self, key: &(Key, Kind), with: Fetched) {
        let mut own = self.own.acquire();
        let Some(place) = own.iter().position(|(other, _)| other == key) else { return };
        let (key, fetch) = own.swap_remove(place);
        drop(own);
        self.cache.forget(&key, &fetch);
        fetch.end(with);
    }

    /// Ends all fetches that this read owns without a result, so that other readers fetch
    /// themselves.
    pub fn end(&self) {
        let own = std::mem::take(&mut *self.own.acquire());
        for (key, fetch) in own {
            self.cache.forget(&key, &fetch);
            fetch.end(Fetched::Nothing);
        }
    }
}

impl Drop for Read {
    fn drop(&mut self) {
        self.end();
    }
}

/// Something that the read must fetch. Other readers wait until it is [cached](Self::put) or
/// [released](Self::leave), or the read ends.
pub struct Wanted<'a> {
    scope: Scope<'a>,
    fetch: Option<((Key, Kind), Instant)>,
}

impl Wanted<'_> {
    /// Caches the result, like [`Scope::put`], and passes it to the waiting threads.
    pub fn put<T: Any + Send + Sync>(self, value: Arc<T>, bytes: usize) {
        let Some(version) = self.scope.version() else { return self.end(Fetched::Nothing) };
        let asked = self.fetch.as_ref().map(|(_, asked)| *asked);
        self.scope.keep(version.clone(), value.clone(), bytes, asked);
        self.end(Fetched::Value(version, value));
    }

    /// Records that the chunk does not exist.
    pub fn put_absent(self) {
        if let Some((key, asked)) = &self.fetch {
            put_bounded(&mut self.scope.cache.lock().absent, ABSENT, key.clone(), *asked);
        }
        self.end(Fetched::Absent);
    }

    /// Ends the fetch without a result for other readers.
    pub fn leave(self) {
        self.end(Fetched::Nothing);
    }

    fn end(self, with: Fetched) {
        if let (Some((key, _)), Present::Of(_, read)) = (&self.fetch, self.scope.version) {
            read.end_one(key, with);
        }
    }
}

/// The result of [`Scope::find`].
pub enum Found<'a, T> {
    /// Cached, or just fetched by another thread.
    Kept(Arc<T>),
    /// Another reader has just found that the chunk does not exist.
    Absent,
    /// The caller must fetch it.
    Wanted(Wanted<'a>),
}

/// How long overlapping calls count as one.
const MOMENT: Duration = Duration::from_secs(1);

/// How often this process has changed a value.
static CHANGES: AtomicU64 = AtomicU64::new(0);

/// Records that this process changed a value in a remote store: calls that begin later must not use
/// the results of earlier fetches.
pub fn values_changed() {
    CHANGES.fetch_add(1, Ordering::SeqCst);
}

/// Calls [`values_changed`] when it is dropped, whatever comes of the change.
pub struct Changing;

impl Drop for Changing {
    fn drop(&mut self) {
        values_changed();
    }
}

/// A group of overlapping calls.
struct Moment {
    running: usize,
    begun: Instant,
    /// [`CHANGES`] when it began.
    changes: u64,
}

/// A running call that reads through a cache.
pub struct Running {
    cache: Arc<Cache>,
    /// When the call began, or the first call of its group.
    pub since: Instant,
}

impl Running {
    /// Registers a call that begins now.
    pub fn begin(cache: Arc<Cache>) -> Self {
        // counted before the time is taken: fetches since then see those changes
        let changes = CHANGES.load(Ordering::SeqCst);
        let now = Instant::now();
        let mut entries = cache.lock();
        let moment = &mut entries.moment;
        let goes_on = moment.as_ref().is_some_and(|moment| {
            moment.running > 0
                && now.duration_since(moment.begun) < MOMENT
                && moment.changes == changes
        });
        let moment = moment.get_or_insert(Moment { running: 0, begun: now, changes });
        if !goes_on {
            (moment.begun, moment.changes) = (now, changes);
        }
        moment.running += 1;
        let since = moment.begun;
        drop(entries);
        Running { cache, since }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(moment) = &mut self.cache.lock().moment {
            moment.running = moment.running.saturating_sub(1);
        }
    }
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
}

impl Default for Entries {
    fn default() -> Self {
        Entries {
            lru: LruCache::unbounded(),
            bytes: 0,
            fetches: HashMap::new(),
            absent: LruCache::unbounded(),
            moment: None,
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
            match fetch.state().result.clone() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

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
        assert!(scope.get::<u8>().expect("read").is_none());
        let settled = version(1);
        let scope = Scope { version: Present::Known(&settled), ..scope };
        scope.put(Arc::new(2u8), 1);
        assert_eq!(scope.get::<u8>().expect("read").as_deref(), Some(&2));
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
                .expect("read")
                .map(|x| *x)
        };
        put(1, 1, 40);
        put(2, 1, 40);
        assert_eq!((get(1, 1), get(1, 2), get(2, 1)), (Some(1), None, Some(2)));
        assert_eq!(get(1, 1), Some(1));
        put(3, 1, 40); // 2 is the least recently used
        assert_eq!((get(1, 1), get(2, 1), get(3, 1)), (Some(1), None, Some(3)));
        put(1, 2, 50);
        assert_eq!((get(1, 1), get(1, 2)), (None, Some(1)));
        put(4, 1, 51);
        assert_eq!(get(4, 1), None, "too large to push all else out");
        // a type of its own makes a separate entry under the same key
        let scope = Scope { cache: &cache, key: &key(3), version: Present::Known(&version(1)) };
        assert!(scope.get::<String>().expect("read").is_none());
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
        let (cache, source) = (Arc::new(Cache::new(100)), Asked(AtomicU32::new(0)));
        let key = key(1);
        let read = Read::new(cache.clone(), Instant::now());
        let far = Scope { cache: &cache, key: &key, version: Present::Of(&source, &read) };
        assert!(far.get::<u64>().expect("read").is_none() && !far.worth_keeping(4, 10));
        assert_eq!(source.0.load(Ordering::Relaxed), 0);
        far.put(Arc::new(5u64), 10);
        assert_eq!(far.get::<u64>().expect("read").as_deref(), Some(&5));
        assert_eq!(source.0.load(Ordering::Relaxed), 2);
        let known = Scope { version: Present::Known(&version(7)), ..far };
        assert_eq!(known.get::<u64>().expect("read").as_deref(), Some(&5));
        let other = Scope { version: Present::Known(&version(8)), ..far };
        assert!(other.get::<u64>().expect("read").is_none());
    }
    /// A remote value that never waits and counts the requests for its version.
    #[derive(Default)]
    struct Far {
        asked: AtomicU32,
        pinned: std::sync::OnceLock<Version>,
        waits: Arc<AtomicU32>,
    }

    struct Waits(Arc<AtomicU32>);

    impl Drop for Waits {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::Relaxed);
        }
    }

    impl ByteSource for Far {
        fn len(&self) -> Result<Option<u64>> {
            Ok(Some(1))
        }
        fn read_all(&self, _: u64, _: &mut Vec<u8>) -> Result<bool> {
            Ok(true)
        }
        fn read_at(&self, _: u64, _: &mut [u8]) -> Result<bool> {
            Ok(true)
        }
        fn read_exactly(&self, _: &mut [u8]) -> Result<bool> {
            Ok(true)
        }
        fn read_suffix(&self, _: u64, _: &mut Vec<u8>) -> Result<Option<u64>> {
            Ok(Some(1))
        }
        fn version(&self) -> Result<Option<Version>> {
            if self.pinned.get().is_none() {
                self.asked.fetch_add(1, Ordering::Relaxed);
            }
            Ok(Some(self.pinned.get_or_init(|| version(7)).clone()))
        }
        fn pin(&self, to: &Version) -> bool {
            *self.pinned.get_or_init(|| to.clone()) == *to
        }
        fn suspend(&self) -> Option<Box<dyn Send + Sync>> {
            self.waits.fetch_add(1, Ordering::Relaxed);
            Some(Box::new(Waits(self.waits.clone())))
        }
    }

    /// A cache, a key, and when a call began.
    fn far() -> (Arc<Cache>, Key, Instant) {
        (Arc::new(Cache::new(100)), key(1), Instant::now())
    }

    #[test]
    fn who_comes_while_it_is_fetched_waits_for_it_and_who_comes_later_asks() {
        let (cache, key, begun) = far();
        let (first, read) = (Far::default(), Read::new(cache.clone(), begun));
        let scope = Scope { cache: &cache, key: &key, version: Present::Of(&first, &read) };
        let Ok(Found::Wanted(_)) = scope.find::<u64>() else { panic!("nothing is kept") };
        let (second, its) = (Far::default(), Read::new(cache.clone(), begun));
        let other = Scope { version: Present::Of(&second, &its), ..scope };
        assert!(other.find::<u64>().is_err_and(|e| e.is_pending()));
        assert_eq!(second.waits.load(Ordering::Relaxed), 1);
        // the owner of the fetch restarts when its bytes arrive, and still owns it
        let Ok(Found::Wanted(wanted)) = scope.find::<u64>() else { panic!("it is mine") };
        wanted.put(Arc::new(5u64), 10);
        assert_eq!(second.waits.load(Ordering::Relaxed), 0);
        assert!(matches!(other.find::<u64>(), Ok(Found::Kept(value)) if *value == 5));
        assert_eq!(second.asked.load(Ordering::Relaxed), 0);
        // a read that begins now must see changes made in between
        for (since, requests) in [(begun, 0), (Instant::now(), 1)] {
            let (source, read) = (Far::default(), Read::new(cache.clone(), since));
            let found = Scope { version: Present::Of(&source, &read), ..scope }.find::<u64>();
            assert!(matches!(found, Ok(Found::Kept(_))));
            assert_eq!(source.asked.load(Ordering::Relaxed), requests);
        }
        // an entry of another version than the pinned one is of no use
        let (source, read) = (Far::default(), Read::new(cache.clone(), begun));
        assert!(source.pin(&version(8)));
        let found = Scope { version: Present::Of(&source, &read), ..scope }.find::<u64>();
        assert!(matches!(found, Ok(Found::Wanted(_))));
    }

    #[test]
    fn nobody_waits_for_a_fetch_that_failed_and_that_nothing_is_there_is_shared() {
        let (cache, key, begun) = far();
        let sources = [(); 3].map(|()| (Far::default(), Read::new(cache.clone(), begun)));
        let [first, second, third] = &sources;
        let at = Scope { cache: &cache, key: &key, version: Present::Of(&first.0, &first.1) };
        let Ok(Found::Wanted(_)) = at.find::<u64>() else { panic!("nothing is kept") };
        let next = Scope { version: Present::Of(&second.0, &second.1), ..at };
        assert!(next.find::<u64>().is_err());
        first.1.end();
        assert_eq!(second.0.waits.load(Ordering::Relaxed), 0);
        let Ok(Found::Wanted(wanted)) = next.find::<u64>() else { panic!("nobody fetches it") };
        wanted.put_absent();
        let last = Scope { version: Present::Of(&third.0, &third.1), ..at };
        assert!(matches!(last.find::<u64>(), Ok(Found::Absent)));
        let late = Read::new(cache.clone(), Instant::now());
        let late = Scope { version: Present::Of(&third.0, &late), ..at };
        assert!(matches!(late.find::<u64>(), Ok(Found::Wanted(_))));
    }

    #[test]
    fn calls_that_overlap_count_as_one_until_a_value_changes() {
        let cache = Arc::new(Cache::new(100));
        let first = Running::begin(cache.clone());
        let begun = first.since;
        assert_eq!(Running::begin(cache.clone()).since, begun);
        values_changed();
        assert!(Running::begin(cache.clone()).since > begun);
        drop(first);
        let alone = Running::begin(cache.clone()).since;
        assert!(Running::begin(cache.clone()).since > alone);
    }
}
