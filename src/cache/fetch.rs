//! Fetches that concurrent readers of one key share.

use super::{Cache, Key, Kind, Present, Scope};
#[cfg_attr(all(test, model), allow(unused_imports))] // the mutex of the model has it itself
use crate::lock::Acquire;
use crate::source::Version;
use crate::sync::{Mutex, MutexGuard};
use smallvec::SmallVec;
use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

/// The result of a fetch.
#[derive(Clone)]
pub(super) enum Fetched {
    /// A value and its version.
    Value(Version, Arc<dyn Any + Send + Sync>),
    /// There is no such chunk.
    Absent,
    /// No result that other readers could use.
    Nothing,
}

/// A fetch that other readers may wait for.
pub(super) struct Fetch {
    pub(super) asked: Instant,
    state: Mutex<FetchState>,
}

#[derive(Default)]
struct FetchState {
    result: Option<Fetched>,
    /// The waiting readers: dropped, which wakes them, once there is a result.
    waiting: Vec<Box<dyn Send + Sync>>,
}

impl Fetch {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Fetch { asked: Instant::now(), state: Mutex::default() })
    }

    fn state(&self) -> MutexGuard<'_, FetchState> {
        self.state.acquire()
    }

    pub(super) fn result(&self) -> Option<Fetched> {
        self.state().result.clone()
    }

    fn end(&self, with: Fetched) {
        let mut state = self.state();
        state.result.get_or_insert(with);
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        drop(waiting); // dropping wakes them
    }

    pub(super) fn join(&self, waiter: Box<dyn Send + Sync>) {
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
    pub(super) since: Instant,
    pub(super) own: Fetches,
    pub(super) joined: Fetches,
    /// Results of [`Scope::worth_keeping`].
    pub(super) weighed: Mutex<SmallVec<[(Key, bool); 1]>>,
}

impl Read {
    /// A read that accepts fetches started at or after `since`.
    pub fn new(cache: Arc<Cache>, since: Instant) -> Self {
        let (own, joined) = Default::default();
        Read { cache, since, own, joined, weighed: Mutex::default() }
    }

    pub(super) fn find(fetches: &Fetches, key: &(Key, Kind)) -> Option<Arc<Fetch>> {
        fetches.acquire().iter().find(|(other, _)| other == key).map(|(_, fetch)| fetch.clone())
    }

    /// Ends a fetch that this read owns.
    pub(super) fn end_one(&self, key: &(Key, Kind), with: Fetched) {
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
    pub(super) scope: Scope<'a>,
    pub(super) fetch: Option<((Key, Kind), Instant)>,
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
            self.scope.cache.keep_absent(key.clone(), *asked);
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
