//! Threads for stores with blocking requests only; idle threads end.

use super::spawn;
use crate::fork::Own;
use crate::sync::{Condvar, Mutex, MutexGuard};
use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// How long an idle thread stays.
const IDLE: Duration = Duration::from_secs(2);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

type Work = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Threads {
    queue: Mutex<Queue>,
    more: Condvar,
}

#[derive(Default)]
struct Queue {
    work: VecDeque<Work>,
    idle: usize,
}

/// Each process has its own: after a fork, the threads exist only in the parent.
static THREADS: Own<Threads> = Own::new();

/// Runs `work`, which mostly waits, on a thread of its own, or at once if the system refuses to
/// create a thread.
pub fn start_blocking(work: Work) {
    if let Err(work) = try_start_blocking(work) {
        work();
    }
}

/// Runs `work` on a thread of its own; returns it if the system refuses to create one.
pub fn try_start_blocking(work: Work) -> Result<(), Work> {
    THREADS.get().start(work)
}

impl Threads {
    fn start(&'static self, work: Work) -> Result<(), Work> {
        let mut queue = lock(&self.queue);
        if queue.idle > queue.work.len() {
            queue.work.push_back(work);
            drop(queue);
            self.more.notify_one();
            return Ok(());
        }
        drop(queue);
        let work = Arc::new(Mutex::new(Some(work)));
        let first = work.clone();
        let begin = move || {
            let work = lock(&first).take();
            work.into_iter().for_each(|work| work());
            self.serve();
        };
        match spawn(begin) {
            Ok(_) => Ok(()),
            Err(_) => lock(&work).take().map_or(Ok(()), Err),
        }
    }

    fn serve_one(&self) -> bool {
        let work = lock(&self.queue).work.pop_front();
        work.map(|work| work()).is_some()
    }

    fn serve(&self) {
        loop {
            while self.serve_one() {}
            let mut queue = lock(&self.queue);
            queue.idle += 1;
            let waited = self.more.wait_timeout_while(queue, IDLE, |queue| queue.work.is_empty());
            let (mut queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
            queue.idle -= 1;
            if queue.work.is_empty() {
                return;
            }
        }
    }
}

#[cfg(all(test, model))]
mod model;
