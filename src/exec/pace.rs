//! Lets those who bring work wait while there is enough of it.

use crate::lock::Acquire;
use std::sync::Mutex;
use std::task::Waker;

/// Whether there is enough to do, and who waits until there is not.
#[derive(Default)]
pub struct Pace(Mutex<Option<Vec<Waker>>>);

impl Pace {
    /// Says whether there is enough to do.
    pub fn set(&self, enough: bool) {
        let mut waiting = self.0.acquire();
        if enough {
            waiting.get_or_insert_default();
            return;
        }
        let waiting = waiting.take();
        waiting.into_iter().flatten().for_each(Waker::wake);
    }

    /// Whether there is enough to do; if so, `waker` is woken when there is not.
    pub fn waits(&self, waker: &Waker) -> bool {
        match &mut *self.0.acquire() {
            None => false,
            Some(waiting) => {
                if !waiting.iter().any(|other| other.will_wake(waker)) {
                    waiting.push(waker.clone());
                }
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    #[derive(Default)]
    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn those_who_wait_are_woken_once_when_there_is_not_enough() {
        let (pace, count) = (Pace::default(), Arc::new(Count::default()));
        let waker = Waker::from(count.clone());
        assert!(!pace.waits(&waker));
        for woken in [1, 2] {
            pace.set(true);
            assert!(pace.waits(&waker) && pace.waits(&waker));
            pace.set(true);
            assert_eq!(count.0.load(Ordering::Relaxed), woken - 1);
            pace.set(false);
            pace.set(false);
            assert_eq!(count.0.load(Ordering::Relaxed), woken);
            assert!(!pace.waits(&waker));
        }
    }
}
