//! Mutexes whose value stays in use after a panic: what they guard is whole between any two
//! statements, so a thread that died while it held one is no reason to fail in every other.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// [`Mutex`] without poisoning.
pub trait Acquire {
    /// What is guarded.
    type Value: ?Sized;

    /// Waits for the lock and holds it as long as the guard lives.
    fn acquire(&self) -> MutexGuard<'_, Self::Value>;

    /// What was guarded.
    fn release(self) -> Self::Value
    where
        Self::Value: Sized;
}

impl<T: ?Sized> Acquire for Mutex<T> {
    type Value = T;

    fn acquire(&self) -> MutexGuard<'_, T> {
        self.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn release(self) -> T
    where
        T: Sized,
    {
        self.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets go of the lock until `changed` is notified, and holds it again.
pub fn wait_for<'a, T>(changed: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    changed.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

/// The same for at most `limit`; also returns whether it was notified in time.
pub fn wait_in_time<'a, T>(
    changed: &Condvar,
    guard: MutexGuard<'a, T>,
    limit: Duration,
) -> (MutexGuard<'a, T>, bool) {
    let waited = changed.wait_timeout(guard, limit);
    let (guard, result) = waited.unwrap_or_else(PoisonError::into_inner);
    (guard, !result.timed_out())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn a_panic_leaves_the_lock_in_use() {
        let mutex = Mutex::new(1);
        let panics = catch_unwind(AssertUnwindSafe(|| {
            let mut held = mutex.acquire();
            *held = 2;
            panic!("while it is held");
        }));
        assert!(panics.is_err() && mutex.is_poisoned());
        *mutex.acquire() += 1;
        assert_eq!(mutex.release(), 3);
    }
}
