//! The thread pool, started at the first work that is worth it, and the memory that is kept for the
//! next chunk ([`shelf`]).
//!
//! The calling thread always works along and never waits for a worker that has not begun, so
//! a call finishes even where there are no workers: in a process without threads left to start, or
//! in the child of a fork, which begins with a pool of its own.
#![allow(unsafe_code)] // a task borrows from its caller, who waits for it; see `Task`

mod shelf;

pub use shelf::Tenant;

use crate::error::{Error, Kind, Result};
use crate::fork::Own;
use shelf::{Shelf, put_back, take};
use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

/// More workers than this are never started, whatever is asked for.
const MAX_WORKERS: usize = 256;

/// Work of fewer bytes than this is done by the calling thread: waking a worker costs more.
pub const WORTH_SHARING: u64 = 256 << 10;

/// As many threads as the machine lets this process run at once. Asked for once: the answer
/// takes several files of the system.
pub fn available() -> usize {
    static AVAILABLE: OnceLock<usize> = OnceLock::new();
    *AVAILABLE.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Calls `job` for every number below `jobs`, on the calling thread and up to `threads - 1`
/// workers. An error ends it: of several, that of the lowest number is returned, whichever
/// thread is the first, so a call that fails says the same every time. A panic is passed on.
pub fn run(threads: usize, jobs: usize, job: &(dyn Fn(usize) -> Result<()> + Sync)) -> Result<()> {
    let _call = shelf::Call::begin();
    let helpers = threads.min(jobs).saturating_sub(1).min(MAX_WORKERS);
    if helpers == 0 {
        return (0..jobs).try_for_each(job);
    }
    // SAFETY: only the lifetime changes. `Task::finish` below returns after the last worker has
    // left the task and none can enter it any more, so `job` outlives every call.
    let job: &'static (dyn Fn(usize) -> Result<()> + Sync) = unsafe { std::mem::transmute(job) };
    let task = Arc::new(Task {
        job,
        jobs,
        next: AtomicUsize::new(0),
        state: Mutex::new(State { wanted: helpers, running: 0, failure: None }),
        left: Condvar::new(),
    });
    let pool = POOL.get();
    pool.submit(&task, helpers);
    task.work();
    pool.withdraw(&task);
    task.finish()
}

enum Failure {
    Error(Error),
    Panic(Box<dyn std::any::Any + Send>),
}

struct Task {
    job: &'static (dyn Fn(usize) -> Result<()> + Sync),
    jobs: usize,
    next: AtomicUsize,
    state: Mutex<State>,
    left: Condvar,
}

struct State {
    /// How many workers may still join.
    wanted: usize,
    /// How many are at work.
    running: usize,
    /// The failure of the lowest number so far.
    failure: Option<(usize, Failure)>,
}

/// A lock that a panic elsewhere does not spoil: what it guards is always in order.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Task {
    fn work(&self) {
        loop {
            let n = self.next.fetch_add(1, Ordering::Relaxed);
            if n >= self.jobs {
                return;
            }
            let failure = match catch_unwind(AssertUnwindSafe(|| (self.job)(n))) {
                Ok(Ok(())) => continue,
                Ok(Err(error)) => Failure::Error(error),
                Err(panic) => Failure::Panic(panic),
            };
            // every lower number has been taken before this one and will end by itself
            self.next.store(self.jobs, Ordering::Relaxed);
            let mut state = lock(&self.state);
            if state.failure.as_ref().is_none_or(|(first, _)| n < *first) {
                state.failure = Some((n, failure));
            }
        }
    }

    fn finish(&self) -> Result<()> {
        let mut state = lock(&self.state);
        while state.running > 0 {
            state = self.left.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        match state.failure.take() {
            None => Ok(()),
            Some((_, Failure::Error(error))) => Err(error),
            Some((_, Failure::Panic(panic))) => {
                drop(state);
                resume_unwind(panic)
            }
        }
    }
}

#[derive(Default)]
struct Pool {
    queue: Mutex<Queue>,
    work: Condvar,
    /// How many threads have a [`Turn`].
    turns: Mutex<usize>,
    turn_ends: Condvar,
}

/// A thread's turn to decode what it fetched from afar. Many threads wait for their requests at once;
/// as many as there are cores decode, in the order in which requests are answered, so that the others
/// need no memory to decode to.
///
/// Whoever has a turn waits for nobody: neither for a request nor for another turn.
pub struct Turn(&'static Pool);

impl Turn {
    /// Waits for one.
    pub fn wait() -> Turn {
        let pool = POOL.get();
        let turns = pool.turn_ends.wait_while(lock(&pool.turns), |turns| *turns >= available());
        *turns.unwrap_or_else(PoisonError::into_inner) += 1;
        Turn(pool)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *lock(&self.0.turns) -= 1;
        self.0.turn_ends.notify_one();
    }
}

#[derive(Default)]
struct Queue {
    tasks: VecDeque<Arc<Task>>,
    workers: usize,
    idle: usize,
}

/// That of the parent of a fork has its workers in the parent.
static POOL: Own<Pool> = Own::new();

impl Pool {
    fn submit(&'static self, task: &Arc<Task>, helpers: usize) {
        let mut queue = lock(&self.queue);
        queue.tasks.push_back(task.clone());
        for _ in queue.idle..helpers {
            if queue.workers >= MAX_WORKERS || queue.workers >= helpers.max(available() - 1) {
                break;
            }
            if spawn(|| self.serve()).is_err() {
                break; // the caller does the work itself
            }
            queue.workers += 1;
        }
        drop(queue);
        if helpers == 1 { self.work.notify_one() } else { self.work.notify_all() }
    }

    fn withdraw(&self, task: &Arc<Task>) {
        lock(&self.queue).tasks.retain(|t| !Arc::ptr_eq(t, task));
    }

    fn serve(&self) {
        let mut queue = lock(&self.queue);
        loop {
            let Some(task) = queue.tasks.front().cloned() else {
                queue.idle += 1;
                queue = self.work.wait(queue).unwrap_or_else(PoisonError::into_inner);
                queue.idle -= 1;
                continue;
            };
            // joined while the queue is locked: after `withdraw` nobody joins any more
            let mut state = lock(&task.state);
            state.running += 1;
            state.wanted -= 1;
            if state.wanted == 0 {
                queue.tasks.pop_front();
            }
            drop(state);
            drop(queue);
            task.work();
            lock(&task.state).running -= 1;
            task.left.notify_all();
            drop(task);
            queue = lock(&self.queue);
        }
    }
}

/// Starts a thread of our own. Signals are the application's business: its own threads take them.
/// Those that a fault in a thread raises stay with it, for whoever reports crashes.
pub fn spawn<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> std::io::Result<std::thread::JoinHandle<T>> {
    // the new thread begins with this one's mask
    let before = block_signals();
    let started = std::thread::Builder::new().name("zarrc".into()).spawn(work);
    // SAFETY: the mask is one that the system gave; only this thread's is touched.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut()) };
    started
}

/// Has this thread take no signals but those of its own faults; which it took before is returned.
pub fn block_signals() -> libc::sigset_t {
    use libc::{SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
    // SAFETY: the set is filled before it is used; the calls only touch this thread's mask.
    unsafe {
        let (mut all, mut before): (libc::sigset_t, libc::sigset_t) = std::mem::zeroed();
        libc::sigfillset(&mut all);
        for fault in [SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP] {
            libc::sigdelset(&mut all, fault);
        }
        libc::pthread_sigmask(libc::SIG_BLOCK, &all, &mut before);
        before
    }
}

/// The largest scratch block: no chunk is decoded that does not fit the machine's memory.
fn most_memory() -> usize {
    static MOST: AtomicUsize = AtomicUsize::new(0);
    match MOST.load(Ordering::Relaxed) {
        0 => {
            // SAFETY: sysconf has no preconditions.
            let (pages, page) =
                unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
            let most = match (usize::try_from(pages), usize::try_from(page)) {
                (Ok(pages), Ok(page)) if pages > 0 && page > 0 => pages.saturating_mul(page),
                _ => isize::MAX as usize,
            };
            MOST.store(most, Ordering::Relaxed);
            most
        }
        most => most,
    }
}

/// Refuses what no memory of this machine could hold.
pub fn check_memory(bytes: usize) -> Result<()> {
    if bytes <= most_memory() {
        return Ok(());
    }
    Err(Error::new(
        Kind::LimitExceeded,
        format!("{bytes} bytes are needed at once, this machine has {}", most_memory()),
    ))
}

/// The error of memory that the system does not give.
#[cold]
pub fn out_of_memory(bytes: usize) -> Error {
    Error::new(Kind::OutOfMemory, format!("the system gives no {bytes} bytes of memory"))
}

/// So many zeros, in pages that the system gives as they are touched.
pub fn zeroed(len: usize) -> Result<Vec<u8>> {
    if len == 0 {
        return Ok(Vec::new());
    }
    check_memory(len)?;
    let layout = std::alloc::Layout::array::<u8>(len).map_err(|_| out_of_memory(len))?;
    // SAFETY: the layout has a size; a null result is looked for; the vector gets exactly what was
    // allocated, all of it initialised.
    unsafe {
        let start = std::alloc::alloc_zeroed(layout);
        if start.is_null() {
            return Err(out_of_memory(len));
        }
        Ok(Vec::from_raw_parts(start, len, len))
    }
}

/// An empty vector to append to, kept for the next use.
pub struct Buffer(Vec<u8>);

impl Buffer {
    /// One that holds `capacity` bytes without growing.
    pub fn with_capacity(capacity: usize) -> Result<Self> {
        let mut vec = take(Shelf::Buffers, capacity);
        vec.clear();
        if vec.capacity() < capacity {
            check_memory(capacity)?;
            vec.try_reserve_exact(capacity).map_err(|_| out_of_memory(capacity))?;
        }
        Ok(Buffer(vec))
    }
}

impl Deref for Buffer {
    type Target = Vec<u8>;
    fn deref(&self) -> &Vec<u8> {
        &self.0
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        put_back(Shelf::Buffers, std::mem::take(&mut self.0));
    }
}

/// Bytes to be written over: their contents are whatever was there. They begin with a line of the
/// processor's cache, where files are read to fastest, see [`slow_by`]. Kept for the next use.
pub struct Block {
    bytes: Vec<u8>,
    start: usize,
    len: usize,
}

/// A line of the processor's cache.
const LINE: usize = 64;

impl Block {
    /// One of `len` bytes.
    pub fn new(len: usize) -> Result<Self> {
        let room = len.saturating_add(LINE - 1);
        let mut bytes = take(Shelf::Blocks, room);
        if bytes.len() < room {
            // fresh zeroed pages come from the system as they are touched
            drop(std::mem::take(&mut bytes));
            bytes = zeroed(room)?;
        }
        let start = bytes.as_ptr().align_offset(LINE);
        Ok(Block { bytes, start, len })
    }
}

impl Deref for Block {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.bytes[self.start..self.start + self.len]
    }
}

impl DerefMut for Block {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..self.start + self.len]
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        put_back(Shelf::Blocks, std::mem::take(&mut self.bytes));
    }
}

/// How many bytes further on in memory a file is read to twice as fast, from `offset` on, than to
/// `to`; 0: it is as fast there as anywhere.
///
/// AMD's processors from Zen 3 on copy slowly by `rep movsb`, which is how Linux copies out of its
/// page cache, where the destination lies less than 32 bytes after the source, pages left aside.
/// Large memory of `malloc` begins 16 bytes into a page, so it is the most common case of all.
pub fn slow_by(offset: u64, to: &[u8]) -> usize {
    let ahead = (to.as_ptr() as usize).wrapping_sub(offset as usize) % 4096;
    if (1..32).contains(&ahead) && copies_slowly() { LINE - ahead } else { 0 }
}

/// Bytes to leave free at the start of a vector that a file is read into: past them it is fast.
pub const SLOW_HEAD: usize = 48;

#[cfg(target_arch = "x86_64")]
fn copies_slowly() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    static KNOWN: OnceLock<bool> = OnceLock::new();
    *KNOWN.get_or_init(|| {
        #[allow(unused_unsafe)] // newer compilers call it safe
        // SAFETY: every processor of 64 bits has this instruction.
        let (first, features) = unsafe { (__cpuid(0), __cpuid_count(7, 0)) };
        // "AuthenticAMD", and short `rep movsb` is said to be fast
        first.eax >= 7 && first.ebx == u32::from_le_bytes(*b"Auth") && features.edx & 1 << 4 != 0
    })
}

#[cfg(not(target_arch = "x86_64"))]
fn copies_slowly() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn every_job_runs_once_also_when_nested() {
        let sum = AtomicU64::new(0);
        run(4, 50, &|i| {
            run(4, 20, &|k| {
                sum.fetch_add((i * 20 + k) as u64, Ordering::Relaxed);
                Ok(())
            })
        })
        .expect("no job fails");
        assert_eq!(sum.into_inner(), (0..1000u64).sum::<u64>());
    }

    #[test]
    fn the_first_error_ends_it_and_a_panic_reaches_the_caller() {
        let done = AtomicUsize::new(0);
        let e = run(3, 100_000, &|i| {
            done.fetch_add(1, Ordering::Relaxed);
            if i == 10 { Err(Error::corrupt("ten")) } else { Ok(()) }
        });
        assert_eq!(e.expect_err("job 10 fails").to_string(), "ten");
        assert!(done.into_inner() < 100_000);
        let panic = catch_unwind(|| run(3, 64, &|i| if i == 5 { panic!("five") } else { Ok(()) }));
        assert!(panic.is_err());
        run(3, 8, &|_| Ok(())).expect("the pool goes on");
    }

    #[test]
    fn the_error_of_the_lowest_number_is_returned() {
        for _ in 0..20 {
            let e = run(2, 2, &|i| {
                std::thread::sleep(std::time::Duration::from_millis(if i == 0 { 5 } else { 0 }));
                Err(Error::corrupt(format!("{i}")))
            });
            assert_eq!(e.expect_err("both fail").to_string(), "0");
        }
    }

    #[test]
    fn as_many_take_turns_as_there_are_cores() {
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        run(16, 64, &|_| {
            let _turn = Turn::wait();
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::sleep(std::time::Duration::from_millis(1));
            now.fetch_sub(1, Ordering::SeqCst);
            Ok(())
        })
        .expect("no job fails");
        assert!((1..=available()).contains(&most.into_inner()));
    }

    #[test]
    fn memory_is_kept_and_bounded() {
        // tests of other modules run beside this one: as if within a call, nothing is given back
        let (_tenant, _call) = (Tenant::new(), shelf::Call::begin());
        let first = {
            let mut b = Block::new(1000).expect("little");
            b.fill(7);
            b.as_ptr()
        };
        // another thread may have come to the same place in between
        let again = (0..100).any(|_| Block::new(900).expect("little").as_ptr() == first);
        assert!(again);
        let e = Block::new(isize::MAX as usize - 4096).err().expect("too much");
        assert_eq!(e.kind(), Kind::LimitExceeded);
        assert!(Block::new(0).expect("nothing").is_empty());
    }
}
