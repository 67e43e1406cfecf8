//! The thread pool, started by the first job large enough to share.
//!
//! The calling thread always takes part and never waits for a worker that has not begun, so a call
//! finishes even without workers: if the process cannot start threads, or in the child of a fork,
//! which starts with an empty pool.
#![allow(unsafe_code)] // a task borrows from its caller, who waits for it; see `Task`

use super::{Apart, available, buffer_pool};
use crate::error::{Error, Result};
use crate::fork::Own;
use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::sync::{Condvar, Mutex, MutexGuard, thread};
use crate::system::{block_signals, restore_signals};
use std::cell::Cell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, PoisonError};

/// The most workers, whatever number is requested.
const MAX_WORKERS: usize = 256;

/// The calling thread does smaller work (bytes) alone: waking a worker costs more.
pub const WORTH_SHARING: u64 = 256 << 10;

/// Calls `job` for every number below `jobs`, on the calling thread and up to `threads - 1`
/// workers. An error stops the run. If several jobs fail, returns the error of the lowest number,
/// whichever thread is first, so a failing call always reports the same error. A panic is passed
/// on.
pub fn run(threads: usize, jobs: usize, job: &(dyn Fn(usize) -> Result<()> + Sync)) -> Result<()> {
    run_in(|| POOL.get(), threads, jobs, job)
}

/// The same in another pool.
fn run_in(
    pool: impl FnOnce() -> &'static Pool,
    threads: usize,
    jobs: usize,
    job: &(dyn Fn(usize) -> Result<()> + Sync),
) -> Result<()> {
    let _call = buffer_pool::ActiveCall::begin();
    let helpers = threads.min(jobs).saturating_sub(1).min(MAX_WORKERS);
    if helpers == 0 {
        return (0..jobs).try_for_each(job);
    }
    // SAFETY: only the lifetime changes. `Task::finish` below returns after the last worker has
    // left the task, and no worker can enter it afterwards, so `job` outlives every call.
    let job: &'static (dyn Fn(usize) -> Result<()> + Sync) = unsafe { std::mem::transmute(job) };
    let task = Arc::new(Task {
        job,
        jobs,
        next: Apart::default(),
        state: Mutex::new(State { wanted: helpers, running: 0, failure: None }),
        left: Condvar::new(),
    });
    let pool = pool();
    pool.submit(&task, helpers);
    task.work();
    pool.withdraw(&task);
    // a worker may wait for a permit in a function of the program
    CodecPermit::without_of(|| pool, || task.finish())
}

/// Runs `job` on a worker later. If [`has_workers`] returns false, no worker runs it, and a caller
/// that needs its result must do the work itself. A panic ends only the job.
pub fn submit(job: Box<dyn FnOnce() + Send>) {
    POOL.get().submit_owned(job);
}

/// Whether workers exist that run submitted jobs.
pub fn has_workers() -> bool {
    lock(&POOL.get().queue).workers > 0
}

enum Failure {
    Error(Error),
    Panic(Box<dyn std::any::Any + Send>),
}

struct Task {
    job: &'static (dyn Fn(usize) -> Result<()> + Sync),
    jobs: usize,
    /// Changes with every job; the rest is read by all threads.
    next: Apart<AtomicUsize>,
    state: Mutex<State>,
    left: Condvar,
}

struct State {
    /// How many workers may still join.
    wanted: usize,
    /// How many are working.
    running: usize,
    /// The failure of the lowest number so far.
    failure: Option<(usize, Failure)>,
}

/// Locks a mutex even if poisoned by a panic: the guarded state is always consistent.
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
            // every lower number has already been taken and ends by itself
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
    /// How many threads hold a [`CodecPermit`].
    permits: Mutex<usize>,
    permit_ends: Condvar,
}

/// Permission to decode or encode data of a remote store. However many threads read and write at
/// once, at most one per core uses codecs, so the others need no memory for them, and a value is
/// sent while the next ones are encoded.
///
/// The holder must not wait for a request or for another permit, other than in
/// [`CodecPermit::without`].
pub struct CodecPermit(&'static Pool);

thread_local! {
    /// Whether this thread holds a permit.
    static HOLDS: Cell<bool> = const { Cell::new(false) };
}

impl CodecPermit {
    /// Waits for a permit.
    pub fn wait() -> CodecPermit {
        Self::of(POOL.get())
    }

    fn of(pool: &'static Pool) -> CodecPermit {
        let held = pool.permit_ends.wait_while(lock(&pool.permits), |held| *held >= available());
        *held.unwrap_or_else(PoisonError::into_inner) += 1;
        HOLDS.set(true);
        CodecPermit(pool)
    }

    /// Calls `wait`, which may wait for anything, without the permit that this thread may hold.
    pub fn without<T>(wait: impl FnOnce() -> T) -> T {
        Self::without_of(|| POOL.get(), wait)
    }

    fn without_of<T>(pool: impl FnOnce() -> &'static Pool, wait: impl FnOnce() -> T) -> T {
        if !HOLDS.get() {
            return wait();
        }
        let pool = pool();
        drop(CodecPermit(pool));
        let _again = Again(pool);
        wait()
    }
}

/// Whether as many threads decode or encode as there are cores.
pub fn codecs_are_busy() -> bool {
    *lock(&POOL.get().permits) >= available()
}

/// Takes a permit back, also after a panic.
struct Again(&'static Pool);

impl Drop for Again {
    fn drop(&mut self) {
        std::mem::forget(CodecPermit::of(self.0));
    }
}

impl Drop for CodecPermit {
    fn drop(&mut self) {
        HOLDS.set(false);
        *lock(&self.0.permits) -= 1;
        self.0.permit_ends.notify_one();
    }
}

#[derive(Default)]
struct Queue {
    tasks: VecDeque<Work>,
    workers: usize,
    idle: usize,
    #[cfg(all(test, model))]
    ended: bool,
}

/// Work for a worker.
enum Work {
    /// Help with jobs that a caller waits for.
    Shared(Arc<Task>),
    /// A job that only a worker runs.
    Owned(Box<dyn FnOnce() + Send>),
}

/// Each process has its own: after a fork, the workers exist only in the parent.
static POOL: Own<Pool> = Own::new();

impl Pool {
    fn submit(&'static self, task: &Arc<Task>, helpers: usize) {
        let mut queue = lock(&self.queue);
        // insert before unstarted owned jobs: work under way is finished first
        let begun = queue.tasks.partition_point(|work| matches!(work, Work::Shared(_)));
        queue.tasks.insert(begun, Work::Shared(task.clone()));
        for _ in queue.idle..helpers {
            if queue.workers >= helpers.max(available() - 1) || !self.start_worker(&mut queue) {
                break; // the caller does the work itself
            }
        }
        drop(queue);
        if helpers == 1 { self.work.notify_one() } else { self.work.notify_all() }
    }

    /// `false`: the system refused to create a thread.
    fn start_worker(&'static self, queue: &mut Queue) -> bool {
        let starts = queue.workers < MAX_WORKERS && spawn(|| self.serve()).is_ok();
        queue.workers += usize::from(starts);
        starts
    }

    fn submit_owned(&'static self, job: Box<dyn FnOnce() + Send>) {
        let mut queue = lock(&self.queue);
        queue.tasks.push_back(Work::Owned(job));
        let waiting = queue.tasks.iter().filter(|work| matches!(work, Work::Owned(_))).count();
        if queue.idle < waiting && queue.workers < available() {
            self.start_worker(&mut queue);
        }
        drop(queue);
        self.work.notify_one();
    }

    fn withdraw(&self, task: &Arc<Task>) {
        lock(&self.queue)
            .tasks
            .retain(|work| !matches!(work, Work::Shared(t) if Arc::ptr_eq(t, task)));
    }

    fn serve(&self) {
        let mut queue = lock(&self.queue);
        loop {
            let task = match queue.tasks.front() {
                Some(Work::Shared(task)) => task.clone(),
                Some(Work::Owned(_)) => {
                    let Some(Work::Owned(job)) = queue.tasks.pop_front() else { continue };
                    drop(queue);
                    let _ = catch_unwind(AssertUnwindSafe(job));
                    queue = lock(&self.queue);
                    continue;
                }
                #[cfg(all(test, model))]
                None if queue.ended => return,
                None => {
                    queue.idle += 1;
                    queue = self.work.wait(queue).unwrap_or_else(PoisonError::into_inner);
                    queue.idle -= 1;
                    continue;
                }
            };
            // joined while the queue is locked: no worker can join after `withdraw`
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

/// Starts a thread of this library. It blocks signals, which are for the application's own threads,
/// except those raised by its own faults, so that crash reporters still see them.
pub fn spawn<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> std::io::Result<thread::JoinHandle<T>> {
    let builder = thread::Builder::new().name("zarrc".into());
    if cfg!(any(miri, all(test, model))) {
        return builder.spawn(work); // no threads of the system, and in Miri no signals
    }
    let before = block_signals();
    let started = builder.spawn(work);
    restore_signals(before);
    started
}

#[cfg(all(test, model))]
mod model;

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
    fn as_many_have_permits_as_there_are_cores() {
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        run(16, 64, &|_| {
            let _permit = CodecPermit::wait();
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::sleep(std::time::Duration::from_millis(1));
            now.fetch_sub(1, Ordering::SeqCst);
            Ok(())
        })
        .expect("no job fails");
        assert!((1..=available()).contains(&most.into_inner()));
    }

    #[test]
    fn a_permit_is_given_up_for_a_while_and_had_again() {
        let threads: Vec<_> = (0..available())
            .map(|n| {
                std::thread::spawn(move || {
                    let _permit = CodecPermit::wait();
                    let waits = || CodecPermit::without(|| drop(CodecPermit::wait()));
                    waits();
                    let panics = || CodecPermit::without(|| assert_ne!(n, n, "a panic"));
                    assert!(catch_unwind(panics).is_err() && HOLDS.get());
                    waits();
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().expect("no other panic"));
    }

    #[test]
    fn what_is_submitted_runs_and_a_panic_ends_nothing_else() {
        let (send, receive) = std::sync::mpsc::channel();
        for n in 0..20 {
            let send = send.clone();
            submit(Box::new(move || {
                assert!(n != 3, "three");
                run(2, 4, &|_| Ok(())).expect("nested work runs");
                let _ = send.send(n);
            }));
        }
        drop(send);
        let mut ran: Vec<i32> = receive.iter().collect();
        ran.sort_unstable();
        assert!(ran.len() == 19 && !ran.contains(&3), "{ran:?}");
    }
}
