//! Threads for stores with blocking requests only; idle threads end.

use super::spawn;
use crate::fork::Own;
use crate::sync::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::PoisonError;
use std::time::Duration;

/// How long an idle thread stays.
const IDLE: Duration = Duration::from_secs(2);

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
    THREADS.get().start(work);
}

impl Threads {
    fn start(&'static self, work: Work) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.work.push_back(work);
        if queue.idle >= queue.work.len() {
            drop(queue);
            self.more.notify_one();
        } else {
            drop(queue);
            if spawn(|| self.serve()).is_err() {
                self.serve_one();
            }
        }
    }

    fn serve_one(&self) -> bool {
        let work = self.queue.lock().unwrap_or_else(PoisonError::into_inner).work.pop_front();
        work.map(|work| work()).is_some()
    }

    fn serve(&self) {
        loop {
            while self.serve_one() {}
            let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
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
