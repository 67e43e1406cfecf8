//! Asynchronous calls: a queue for the arrays of one store, run by the threads of the pool. Those
//! of a remote store mostly wait, so they have threads of their own, and [`Turns`]: as many as it
//! takes to keep the store busy. Requests of one array that overlap keep their order; all others run
//! as threads become free.

use super::turns::{AtOnce, Turns};
use crate::error::{Error, Kind, Result};
use crate::exec;
use crate::fork::Own;
use crate::lock::{Acquire, wait_for};
use crate::progress::Progress;
use crate::selection::Region;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::io::{PipeReader, PipeWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// The work of a request.
pub type Work = Box<dyn FnOnce(&Progress<'_>) -> Result<()> + Send>;

/// What determines the order of a request among others.
#[derive(Clone, Debug)]
pub struct About {
    /// The path of the array.
    pub array: String,
    /// A box that contains all of its elements.
    pub bounds: Region,
    /// The chunk that the box begins in.
    pub chunk: SmallVec<[u64; 4]>,
    /// Whether it writes.
    pub write: bool,
    /// Bytes of the memory that it reads into or writes from.
    pub bytes: u64,
}

impl About {
    /// Whether the two must run in order.
    fn conflicts(&self, other: &About) -> bool {
        (self.write || other.write)
            && self.array == other.array
            && overlap(&self.bounds, &other.bounds)
    }
}

/// Whether two boxes share an index, ignoring steps.
fn overlap(a: &Region, b: &Region) -> bool {
    let ends = |region: &Region| {
        let spans = region.spans().to_vec();
        spans.into_iter().map(|s| (s.start, s.start + s.count.saturating_sub(1) * s.step))
    };
    !a.is_empty() && !b.is_empty() && ends(a).zip(ends(b)).all(|(a, b)| a.0 <= b.1 && b.0 <= a.1)
}

/// The unfinished requests of one store.
pub struct Queue {
    /// Limit of the memory of all requests (bytes); a single one may exceed it.
    limit: u64,
    /// Whether starting one beyond the limit waits or fails.
    waits: bool,
    /// How many run at once; `None`: those that the pool has threads for.
    at_once: Option<AtOnce>,
    /// Those of this process: a forked child has none.
    unfinished: Own<Unfinished>,
}

#[derive(Default)]
struct Unfinished {
    state: Mutex<State>,
    /// Signals completion.
    changed: Condvar,
    /// Their number, readable without the lock.
    pending: AtomicUsize,
}

#[derive(Default)]
struct State {
    next: u64,
    bytes: u64,
    entries: BTreeMap<u64, Entry>,
    /// Those that need not wait for others, if [`AtOnce`] limits them.
    turns: Turns<Arc<Job>>,
}

struct Entry {
    job: Arc<Job>,
    /// How many earlier requests must finish first.
    waits_for: usize,
    /// The later requests that wait for it.
    followers: Vec<u64>,
}

struct Job {
    number: u64,
    process: u32,
    about: About,
    progress: Progress<'static>,
    work: Mutex<Option<Work>>,
    outcome: Mutex<Outcome>,
    done: Condvar,
}

#[derive(Default)]
struct Outcome {
    result: Option<Result<()>>,
    /// Readable when it is done.
    pipe: Option<(PipeReader, PipeWriter)>,
    /// Those who wait for any of several.
    watchers: Vec<Arc<Watcher>>,
}

#[derive(Default)]
struct Watcher {
    done: Mutex<bool>,
    changed: Condvar,
}

/// A started call.
pub struct Request {
    queue: Arc<Queue>,
    job: Arc<Job>,
}

impl Queue {
    /// A queue whose requests hold at most `limit` bytes of memory. Beyond it, starting one waits
    /// for others, or fails with [`Kind::LimitExceeded`]. `at_once`: of a remote store.
    pub fn new(limit: u64, waits: bool, at_once: Option<AtOnce>) -> Self {
        Queue { limit, waits, at_once, unfinished: Own::new() }
    }

    /// Whether every request is done.
    pub fn is_empty(&self) -> bool {
        self.unfinished.get().pending.load(Ordering::Acquire) == 0
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.unfinished.get().state.acquire()
    }

    /// Starts a request. Calls `prepare` for its work when there is room for it.
    pub fn start(
        self: &Arc<Self>,
        about: About,
        prepare: impl FnOnce() -> Result<Work>,
    ) -> Result<Request> {
        let mut state = self.lock();
        while state.bytes > 0 && state.bytes.saturating_add(about.bytes) > self.limit {
            if !self.waits {
                return Err(Error::new(
                    Kind::LimitExceeded,
                    format!(
                        "the queue is full: {} of {} bytes are in use (option queue_bytes); wait \
                         for a request first",
                        state.bytes, self.limit
                    ),
                ));
            }
            if self.has_threads() {
                state = wait_for(&self.unfinished.get().changed, state);
            } else {
                drop(state);
                if !self.help() {
                    std::thread::yield_now(); // another thread runs it
                }
                state = self.lock();
            }
        }
        // reserve its place in the order and its memory before copying
        let (number, process) = (state.next, std::process::id());
        state.next += 1;
        state.bytes += about.bytes;
        let mut waits_for = 0;
        for entry in state.entries.values_mut().filter(|e| e.job.about.conflicts(&about)) {
            entry.followers.push(number);
            waits_for += 1;
        }
        let job = Arc::new(Job {
            number,
            process,
            about,
            progress: Progress::silent(),
            work: Mutex::default(),
            outcome: Mutex::default(),
            done: Condvar::new(),
        });
        // one too many, so that it does not run before its work exists
        let entry = Entry { job: job.clone(), waits_for: waits_for + 1, followers: Vec::new() };
        state.entries.insert(number, entry);
        drop(state);
        self.unfinished.get().pending.fetch_add(1, Ordering::Release);
        match catch_unwind(AssertUnwindSafe(prepare)) {
            Ok(Ok(work)) => *job.work.acquire() = Some(work),
            Ok(Err(error)) => {
                self.finish(&job, Ok(()));
                return Err(error);
            }
            Err(panic) => {
                self.finish(&job, Ok(()));
                std::panic::resume_unwind(panic);
            }
        }
        self.release([number]);
        Ok(Request { queue: self.clone(), job })
    }

    /// Decrements the wait count of each; runs those that reach zero.
    fn release(self: &Arc<Self>, numbers: impl IntoIterator<Item = u64>) {
        let mut ready = Vec::new();
        let mut state = self.lock();
        for number in numbers {
            if let Some(entry) = state.entries.get_mut(&number) {
                entry.waits_for -= 1;
                if entry.waits_for == 0 {
                    ready.push(entry.job.clone());
                }
            }
        }
        if self.at_once.is_some() {
            for job in ready {
                let About { array, chunk, bytes, .. } = &job.about;
                state.turns.wait((array.clone(), chunk.clone()), *bytes, job.clone());
            }
            drop(state);
            return self.run_ready();
        }
        drop(state);
        for job in ready {
            let queue = self.clone();
            exec::submit(Box::new(move || queue.run(&job)));
        }
    }

    /// Runs requests of a remote store on threads of their own, as many as may run at once.
    fn run_ready(self: &Arc<Self>) {
        let Some(at_once) = self.at_once else { return };
        while let Some(job) = { self.lock().turns.next(at_once) } {
            let queue = self.clone();
            exec::start_blocking(Box::new(move || queue.run_in_turn(job, at_once)));
        }
    }

    /// Runs a request, and others after it until enough run elsewhere.
    fn run_in_turn(self: &Arc<Self>, mut job: Arc<Job>, at_once: AtOnce) {
        loop {
            self.run(&job);
            let mut state = self.lock();
            state.turns.end(job.about.bytes);
            let Some(next) = state.turns.next(at_once) else { break };
            job = next;
            drop(state);
            self.run_ready(); // one that took much memory may make room for several
        }
    }

    /// Lets one more request of a remote store run, if one waits for its turn while no core has
    /// anything to decode.
    pub fn widen(self: &Arc<Self>) {
        let Some(at_once) = self.at_once else { return };
        if exec::codecs_are_busy() || !self.lock().turns.widen(at_once) {
            return;
        }
        let queue = self.clone();
        // if there is no thread for it, those that run take it in their turn
        let _ = exec::try_start_blocking(Box::new(move || {
            let next = queue.lock().turns.next(at_once);
            if let Some(job) = next {
                queue.run_in_turn(job, at_once);
            }
        }));
    }

    /// Whether threads exist that run the requests.
    fn has_threads(&self) -> bool {
        self.at_once.is_some() || exec::has_workers()
    }

    /// Runs a request, unless it is done already.
    fn run(self: &Arc<Self>, job: &Job) {
        let Some(work) = job.work.acquire().take() else { return };
        let result = catch_unwind(AssertUnwindSafe(|| {
            job.progress.check()?;
            work(&job.progress)
        }));
        let panicked = |_| Err(Error::new(Kind::Internal, "a bug in zarrc: a request panicked"));
        self.finish(job, result.unwrap_or_else(panicked));
    }

    fn finish(self: &Arc<Self>, job: &Job, result: Result<()>) {
        let followers = {
            let mut state = self.lock();
            let entry = state.entries.remove(&job.number);
            if entry.is_some() {
                state.bytes -= job.about.bytes;
                self.unfinished.get().pending.fetch_sub(1, Ordering::Relaxed);
            }
            entry.map_or(Vec::new(), |entry| entry.followers)
        };
        let mut outcome = job.outcome.acquire();
        outcome.result = Some(result);
        if let Some((_, writer)) = &mut outcome.pipe {
            let _ = writer.write(&[1]); // an empty pipe has room
        }
        for watcher in outcome.watchers.drain(..) {
            *watcher.done.acquire() = true;
            watcher.changed.notify_all();
        }
        drop(outcome);
        job.done.notify_all();
        self.unfinished.get().changed.notify_all();
        self.release(followers);
    }

    /// Runs a request on this thread if no worker would. `false`: there is nothing to run.
    fn help(self: &Arc<Self>) -> bool {
        if self.has_threads() {
            return false;
        }
        let ready = self.lock().entries.values().find(|e| e.waits_for == 0).map(|e| e.job.clone());
        ready.is_some_and(|job| {
            self.run(&job);
            true
        })
    }

    /// Waits for the requests of an array that conflict with reading or writing `bounds`; `None`:
    /// all of them.
    pub fn settle(self: &Arc<Self>, array: &str, bounds: Option<&Region>, write: bool) {
        if self.is_empty() {
            return;
        }
        let wanted = |about: &About| match bounds {
            None => about.array == array,
            Some(bounds) => {
                (write || about.write) && about.array == array && overlap(&about.bounds, bounds)
            }
        };
        // only those that exist now: others may be added all the time
        let jobs = self.lock().entries.values().map(|e| e.job.clone()).collect::<Vec<_>>();
        for job in jobs.into_iter().filter(|job| wanted(&job.about)) {
            let request = Request { queue: self.clone(), job };
            let _ = request.wait(); // whoever started it hears how it went
        }
    }
}

impl Request {
    fn check_process(&self) -> Result<()> {
        match self.job.process == std::process::id() {
            true => Ok(()),
            false => Err(Error::invalid(
                "request: it belongs to the parent process, which started \
                it before a fork",
            )),
        }
    }

    /// Whether it is done.
    pub fn is_done(&self) -> Result<bool> {
        self.check_process()?;
        self.queue.help();
        Ok(self.job.outcome.acquire().result.is_some())
    }

    /// Waits until it is done, and returns its result.
    pub fn wait(&self) -> Result<()> {
        self.check_process()?;
        loop {
            if let Some(result) = &self.job.outcome.acquire().result {
                return result.clone();
            }
            if self.queue.help() {
                continue;
            }
            let mut outcome = self.job.outcome.acquire();
            while outcome.result.is_none() {
                outcome = wait_for(&self.job.done, outcome);
            }
        }
    }

    /// Waits until one of several is done, and returns its position. [`Kind::InvalidArgument`]:
    /// there are none.
    pub fn wait_any(requests: &[&Request]) -> Result<usize> {
        let watcher = Arc::new(Watcher::default());
        if requests.is_empty() {
            return Err(Error::invalid("count is 0: expected at least one request"));
        }
        for request in requests {
            request.check_process()?;
        }
        for request in requests {
            request.job.outcome.acquire().watchers.push(watcher.clone());
        }
        let found = loop {
            let done = |r: &&Request| r.job.outcome.acquire().result.is_some();
            if let Some(place) = requests.iter().position(done) {
                break place;
            }
            if requests.iter().any(|request| request.queue.help()) {
                continue;
            }
            let mut done = watcher.done.acquire();
            while !*done {
                done = wait_for(&watcher.changed, done);
            }
        };
        for request in requests {
            request.job.outcome.acquire().watchers.retain(|other| !Arc::ptr_eq(other, &watcher));
        }
        Ok(found)
    }

    /// Ends it before its next chunk; chunks are replaced as a whole or not at all.
    pub fn cancel(&self) {
        self.job.progress.cancel();
    }

    /// The read end of a pipe that becomes readable when it is done; closed with the request.
    pub fn readable(&self) -> Result<i32> {
        self.check_process()?;
        let mut outcome = self.job.outcome.acquire();
        if outcome.pipe.is_none() {
            let (reader, mut writer) = std::io::pipe().map_err(|e| Error::io("pipe", &e))?;
            if outcome.result.is_some() {
                let _ = writer.write(&[1]);
            }
            outcome.pipe = Some((reader, writer));
        }
        let reader = outcome.pipe.as_ref().map(|(reader, _)| reader);
        reader.and_then(crate::system::descriptor).ok_or_else(|| {
            Error::unsupported("this system has no descriptors to wait for: wait for the request")
        })
    }
}

impl Drop for Request {
    /// The memory that it uses may be freed afterwards.
    fn drop(&mut self) {
        let _ = self.wait(); // nobody wants to know any more how it went
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::Span;

    fn about(start: u64, count: u64, write: bool, bytes: u64) -> About {
        let bounds = Region::from_spans([Span { start, count, step: 1 }].into_iter());
        About { array: "a".into(), bounds, chunk: SmallVec::new(), write, bytes }
    }

    #[test]
    fn only_what_overlaps_and_changes_conflicts() {
        let write = about(4, 4, true, 0);
        for (start, count, conflicts) in [(0, 4, false), (0, 5, true), (7, 9, true), (8, 1, false)]
        {
            assert_eq!(write.conflicts(&about(start, count, false, 0)), conflicts);
            assert_eq!(about(start, count, true, 0).conflicts(&write), conflicts);
        }
        assert!(!about(0, 9, false, 0).conflicts(&about(0, 9, false, 0)), "two reads");
        assert!(!write.conflicts(&about(5, 0, true, 0)), "nothing");
        assert!(!write.conflicts(&About { array: "b".into(), ..write.clone() }));
    }

    #[test]
    fn overlapping_ones_keep_their_order_and_the_queue_its_bound() {
        let queue = Arc::new(Queue::new(10, true, None));
        let order = Arc::new(Mutex::new(Vec::new()));
        let requests: Vec<Request> = (0..200)
            .map(|n| {
                let order = order.clone();
                let prepare = move || -> Result<Work> {
                    Ok(Box::new(move |_| {
                        order.acquire().push(n);
                        Ok(())
                    }))
                };
                queue.start(about(0, 1, true, 4), prepare).expect("waits for room")
            })
            .collect();
        assert!(queue.lock().bytes <= 10);
        requests.iter().for_each(|request| request.wait().expect("runs"));
        assert_eq!(*order.acquire(), (0..200).collect::<Vec<_>>());
        assert!(queue.is_empty());
    }

    #[test]
    fn a_full_queue_says_so_and_failures_are_told_to_each_who_waits() {
        let queue = Arc::new(Queue::new(10, false, None));
        let (hold, release) = std::sync::mpsc::channel::<()>();
        let first = queue.start(about(0, 1, true, 8), || {
            Ok(Box::new(move |_| {
                let _ = release.recv();
                Err(Error::corrupt("broken"))
            }))
        });
        let first = first.expect("there is room");
        let full = queue.start(about(5, 1, true, 8), || Ok(Box::new(|_| Ok(()))));
        assert_eq!(full.err().map(|e| e.kind()), Some(Kind::LimitExceeded));
        assert!(!first.is_done().expect("of this process"));
        drop(hold);
        for _ in 0..2 {
            assert_eq!(first.wait().expect_err("broken").kind(), Kind::CorruptData);
        }
        let panics = queue.start(about(0, 1, true, 8), || Ok(Box::new(|_| panic!("four"))));
        let panics = panics.expect("there is room");
        assert_eq!(panics.wait().expect_err("a bug").kind(), Kind::Internal);
        let refused = queue.start(about(0, 1, true, 8), || Err(Error::invalid("no")));
        assert!(refused.is_err() && queue.is_empty());
    }
}
