//! Chunks of a remote store: many requests run at once while few threads decode or encode.
//!
//! A job works on one chunk, on one of the call's threads. It reads from a [`RemoteValue`], which
//! does not block: a job that needs missing bytes fails with [`Error::pending`] and is run again
//! once they have arrived. Only the store knows how requests are made, and codecs do not notice
//! that they run twice: they do expensive work only after the reads for it.

use super::remote_value::RemoteValue;
use super::{ATTEMPTS, Array};
use crate::cache::{Cache, Running};
use crate::error::{Error, Kind, Result};
use crate::exec::{self, Pace};
use crate::lock::{Acquire, wait_in_time};
use crate::source::{Fetched, Want, fetch};
use crate::store::{Fetch, Key, Put, SharedStore, Store};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};

/// The requests that a call begins with: so many, and more if their values are expected to have
/// fewer bytes together.
const FIRST_REQUESTS: usize = 16;
const FIRST_BYTES: u64 = 8 << 20;

/// How many values may wait for each thread that decodes, beyond those under way, before no more
/// are requested: what arrives faster than it is decoded takes memory and saves no time.
const WAITING: usize = 4;

/// A thread that has had nothing to decode for so long lets more requests be under way, and more
/// started calls run: the answers come from afar.
const PATIENCE: Duration = Duration::from_millis(5);

/// Bytes that have arrived and are not decoded yet: while there are so many, and a job for each
/// thread, no more are received.
const ENOUGH: u64 = 4 << 20;

/// The most memory reserved for a value before it is known to be there (bytes).
const MOST_EXPECTED: u64 = 16 << 20;

/// The jobs of one call and their requests.
pub(super) struct Pipeline {
    /// Weak: a thread that has answered a request may hold the pipeline when the call has ended, and
    /// a store ends when its last handle is closed.
    store: Weak<dyn Store>,
    pub cache: Arc<Cache>,
    /// The most requests under way.
    concurrency: usize,
    /// The most jobs that may be ready, beyond requests that may be under way, when another begins.
    waiting: usize,
    /// The most requests that may be under way because their answers come from afar.
    far: usize,
    /// The most bytes that may be requested or wait for decoding or sending; one job alone may
    /// exceed it.
    pub memory: u64,
    state: Mutex<State>,
    /// A job became ready or ended, or another one may begin.
    changed: Condvar,
    /// How many threads work on the jobs, and whether they have enough to do.
    threads: usize,
    pace: Arc<Pace>,
}

#[derive(Default)]
struct State {
    /// The first job that has not begun.
    next: usize,
    /// The values of jobs that have begun and not ended.
    values: HashMap<usize, Arc<RemoteValue>>,
    /// The jobs that can continue, in the order in which their bytes arrived.
    ready: VecDeque<usize>,
    /// Requests that wait for earlier ones to be answered.
    queue: VecDeque<(Arc<RemoteValue>, Request)>,
    under_way: usize,
    /// How many requests may be under way before one more job begins. Each connection takes memory
    /// and time, so it grows, up to the limit, only if a thread has nothing to decode.
    window: usize,
    /// The requests answered since it last grew.
    answers: usize,
    /// Bytes that have arrived and are not yet decoded, or that wait to be sent.
    bytes: u64,
    /// The number and total length (bytes) of the values so far, to estimate the next ones.
    arrived: (u64, u64),
    /// The failure of the lowest job.
    failure: Option<(usize, Error)>,
    panicked: bool,
}

/// A request to the store.
pub(super) enum Request {
    Get(Want),
    Set(Put),
}

/// The work on one chunk and its value.
pub(super) type Job<'a> = crate::call::Job<'a, RemoteValue>;

impl Pipeline {
    /// Runs `job` for every number below `count` on at most `threads` threads, including the
    /// calling one. A job reads about `bytes` bytes. `key` names the value that it reads or writes.
    /// If several jobs fail, returns the error of the lowest number.
    pub fn run(
        array: &Array,
        threads: usize,
        memory: u64,
        (count, bytes): (usize, u64),
        key: &(dyn Fn(usize) -> Key + Sync),
        job: &Job<'_>,
    ) -> Result<()> {
        let cache = array.settings.cache.clone();
        let running = Running::begin(cache.clone());
        let concurrency = array.store.concurrency().max(1);
        let window = (FIRST_BYTES / bytes.max(1)).clamp(FIRST_REQUESTS as u64, u32::MAX.into());
        let window = concurrency.min(window as usize);
        let threads = threads.min(count);
        let pipeline = Arc::new(Pipeline {
            store: Arc::downgrade(&array.store),
            cache,
            concurrency,
            waiting: WAITING * threads,
            far: concurrency.min((memory / bytes.max(1)).try_into().unwrap_or(usize::MAX)),
            memory,
            state: Mutex::new(State { window, ..State::default() }),
            changed: Condvar::new(),
            threads,
            pace: Arc::default(),
        });
        exec::run(threads, threads, &|_| {
            pipeline.work(array, count, running.since, key, job);
            Ok(())
        })?;
        let failure = pipeline.state().failure.take();
        failure.map_or(Ok(()), |(_, e)| Err(e))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.acquire()
    }

    /// The store, during the call.
    pub fn store(&self) -> Result<SharedStore> {
        self.store.upgrade().ok_or_else(|| Error::new(Kind::Internal, "the call has ended"))
    }

    /// Runs jobs until none is left.
    fn work(
        self: &Arc<Self>,
        array: &Array,
        count: usize,
        since: Instant,
        key: &(dyn Fn(usize) -> Key + Sync),
        job: &Job<'_>,
    ) {
        let mut patience = PATIENCE;
        let mut state = self.state();
        loop {
            let fails = state.failure.is_some();
            if state.panicked || state.values.is_empty() && (fails || state.next >= count) {
                break;
            }
            let begins = state.next < count && !fails && self.has_room(&state);
            // begin new jobs first: their requests take long and cost this thread little
            if begins {
                let n = state.next;
                state.next += 1;
                let value = RemoteValue::new(self, n, key(n), 1, since);
                state.values.insert(n, value.clone());
                drop(state);
                self.go_on(array, &value, job);
            } else if let Some(n) = state.ready.pop_front() {
                self.set_pace(&state);
                let Some(value) = state.values.get(&n).cloned() else { continue };
                drop(state);
                self.go_on(array, &value, job);
            } else {
                let begins = !fails && state.next < count;
                if begins && self.widen(&mut state) {
                    continue;
                }
                let in_time;
                (state, in_time) = wait_in_time(&self.changed, state, patience);
                if !in_time {
                    if begins {
                        state.window = state.window.max(self.far.min(2 * state.window));
                    }
                    drop(state);
                    array.settings.requests.widen();
                    patience = patience.saturating_mul(2);
                    state = self.state();
                }
                continue;
            }
            patience = PATIENCE;
            state = self.state();
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Whether one more job may begin.
    fn has_room(&self, state: &State) -> bool {
        if state.values.is_empty() {
            return true;
        }
        // every job makes at least one request, and those beyond the limit would only wait
        let requests = state.under_way + state.queue.len();
        let (count, bytes) = state.arrived;
        let each = bytes.checked_div(count).unwrap_or(0);
        let expected = each.saturating_mul(requests as u64 + 1);
        requests < state.window
            && requests + state.ready.len() < state.window + self.waiting
            && state.values.len() < 2 * self.concurrency
            && state.bytes.saturating_add(expected) <= self.memory
    }

    /// Lets more requests be under way, if that may help a thread that has nothing to decode: as
    /// many were answered as may be under way, so it is their latency that it waits for.
    fn widen(&self, state: &mut State) -> bool {
        let widens = state.window < self.concurrency && state.answers >= state.window;
        if widens {
            state.window = self.concurrency.min(2 * state.window);
            state.answers = 0;
        }
        widens
    }

    /// Runs a job until it ends or has to wait.
    fn go_on(self: &Arc<Self>, array: &Array, value: &Arc<RemoteValue>, job: &Job<'_>) {
        let n = value.job;
        if self.state().failure.as_ref().is_some_and(|(first, _)| *first < n) {
            return self.end(n, Ok(())); // a lower job has failed: its error is returned
        }
        let unwinds = Unwinds(self);
        let result = match value.stored() {
            Some(result) => array.in_chunk(&value.key, result),
            None => job(n, value),
        };
        std::mem::forget(unwinds);
        match result {
            Err(e) if e.is_pending() => self.park(value),
            Ok(()) if value.is_storing() => self.park(value),
            Err(e) if e.kind() == Kind::Conflict && value.attempt < ATTEMPTS => {
                // results from before the conflict are of no use
                value.end();
                let (key, attempt) = (value.key.clone(), value.attempt + 1);
                let again = RemoteValue::new(self, n, key, attempt, Instant::now());
                let mut state = self.state();
                state.values.insert(n, again);
                state.ready.push_front(n);
                drop(state);
                self.changed.notify_one();
            }
            result => {
                value.end();
                self.end(n, result);
            }
        }
    }

    /// Starts the requests of a job and suspends it until they are answered.
    fn park(self: &Arc<Self>, value: &Arc<RemoteValue>) {
        let requests = value.requests(self.concurrency);
        if !requests.is_empty() {
            let mut state = self.state();
            state.queue.extend(requests.into_iter().map(|request| (value.clone(), request)));
            drop(state);
            self.start();
        }
        if value.park() {
            return;
        }
        self.is_ready(value.job);
    }

    /// Marks a job as ready to continue.
    pub fn is_ready(&self, n: usize) {
        let mut state = self.state();
        state.ready.push_back(n);
        self.set_pace(&state);
        drop(state);
        self.changed.notify_one();
    }

    /// Lets bodies wait while each thread has a job that is ready, and all together have
    /// [`ENOUGH`] bytes for the time that more take to arrive.
    fn set_pace(&self, state: &State) {
        self.pace.set(state.ready.len() >= self.threads && state.bytes >= ENOUGH);
    }

    /// Ends a job.
    fn end(self: &Arc<Self>, n: usize, result: Result<()>) {
        let mut state = self.state();
        let value = state.values.remove(&n);
        let mut left = Vec::new();
        if let Err(e) = result
            && state.failure.as_ref().is_none_or(|(first, _)| n < *first)
        {
            state.failure = Some((n, e));
            let queue = std::mem::take(&mut state.queue);
            let (kept, gone) = queue.into_iter().partition(|(value, _)| value.job <= n);
            state.queue = kept;
            left = Vec::from(gone);
        }
        drop(state);
        drop(value);
        for (value, _) in left {
            value.answered(); // its job is not run again
        }
        self.changed.notify_all();
    }

    /// Counts bytes that have arrived or wait to be sent.
    pub fn hold(&self, bytes: u64, arrived: bool) {
        let mut state = self.state();
        state.bytes += bytes;
        if arrived {
            state.arrived.0 += 1;
            state.arrived.1 += bytes;
        }
    }

    /// Releases bytes that are no longer needed.
    pub fn release(&self, bytes: u64) {
        if bytes > 0 {
            let mut state = self.state();
            state.bytes = state.bytes.saturating_sub(bytes);
            drop(state);
            self.changed.notify_one();
        }
    }

    /// Starts queued requests, up to the limit.
    fn start(self: &Arc<Self>) {
        loop {
            let mut state = self.state();
            if state.under_way >= self.concurrency {
                return;
            }
            let Some((value, request)) = state.queue.pop_front() else { return };
            state.under_way += 1;
            drop(state);
            match request {
                Request::Get(want) => self.get(value, want),
                Request::Set(put) => self.set(value, put),
            }
        }
    }

    /// Handles the end of a request.
    fn answered(self: &Arc<Self>, value: &RemoteValue) {
        let mut state = self.state();
        state.under_way -= 1;
        state.answers += 1;
        drop(state);
        value.answered();
        self.start();
        self.changed.notify_one(); // another job may begin
    }

    fn get(self: &Arc<Self>, value: Arc<RemoteValue>, want: Want) {
        // for a whole value its length is known when it begins to arrive
        let expected = match want {
            Want::Range(_, len) => len.min(MOST_EXPECTED) as usize,
            Want::All(_) | Want::Suffix(_) | Want::Head => 0,
        };
        let bytes = match exec::Buffer::with_capacity(expected) {
            Ok(buffer) => buffer.into_inner(),
            Err(_) => Vec::new(),
        };
        let (key, version) = (value.key.clone(), value.wanted_version());
        let answer = Answer(Some((self.clone(), value)));
        let store = match self.store() {
            Ok(store) => store,
            Err(e) => return answer.take(|value| value.fail(e)),
        };
        let done = Box::new(move |answered: Result<Option<Fetched>>| {
            answer.take(|value| value.take(want, answered));
        });
        let order = Fetch { key, version, want, bytes, pace: self.pace.clone(), done };
        if let Some(Fetch { key, version, want, bytes, done, .. }) = store.start(order) {
            exec::start_blocking(Box::new(move || {
                let source = match &version {
                    Some(version) => store.source_at(&key, version),
                    None => store.source(&key),
                };
                let answered = fetch(&*source, want, bytes);
                drop(source);
                drop(store); // before the answer, which may end the call
                done(answered);
            }));
        }
    }

    fn set(self: &Arc<Self>, value: Arc<RemoteValue>, put: Put) {
        let answer = Answer(Some((self.clone(), value)));
        let store = match self.store() {
            Ok(store) => store,
            Err(e) => return answer.take(|value| value.fail(e)),
        };
        let done = Box::new(move |stored: Result<()>| {
            answer.take(|value| value.take_stored(stored));
        });
        let order = Put { done, ..put };
        if let Some(Put { key, parts, when, done }) = store.start_set(order) {
            exec::start_blocking(Box::new(move || {
                let stored = match &parts {
                    Some(parts) => {
                        let parts: Vec<&[u8]> = parts.iter().map(|p| (**p).as_ref()).collect();
                        store.set(&key, &parts, &when)
                    }
                    None => store.erase(&key, &when).map(drop),
                };
                drop(store); // before the answer, which may end the call
                done(stored);
            }));
        }
    }
}

/// The answer to a request; also sent if the store drops the request without one.
struct Answer(Option<(Arc<Pipeline>, Arc<RemoteValue>)>);

impl Answer {
    fn take(mut self, take: impl FnOnce(&RemoteValue)) {
        if let Some((pipeline, value)) = self.0.take() {
            take(&value);
            pipeline.answered(&value);
        }
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        if let Some((pipeline, value)) = self.0.take() {
            value.fail(Error::new(Kind::Internal, "a request ended without an answer"));
            pipeline.answered(&value);
        }
    }
}

/// Reports a panic to the other threads: its job would otherwise never end.
struct Unwinds<'a>(&'a Arc<Pipeline>);

impl Drop for Unwinds<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.panicked = true;
        let left = (std::mem::take(&mut state.values), std::mem::take(&mut state.queue));
        drop(state);
        drop(left);
        self.0.changed.notify_all();
    }
}
