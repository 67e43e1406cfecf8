//! What the standard library has, by shuttle. Its mutexes are wrapped, because its condition
//! variables know no time: a wait with a limit must be able to let go of the lock and end.

#![allow(missing_docs)] // as in the standard library

pub use shuttle::sync::atomic;
pub use shuttle::thread;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, LockResult, PoisonError, TryLockError, TryLockResult};
use std::time::Duration;

/// Runs a test under many schedules: half of them random, half with few changes of thread, where
/// rare orders are likelier. A failure prints its schedule. `ZARRC_MODEL_RUNS` says how many.
pub fn check(test: impl Fn() + Send + Sync + 'static) {
    let runs = std::env::var("ZARRC_MODEL_RUNS").ok().and_then(|runs| runs.parse().ok());
    let runs = runs.unwrap_or(2000) / 2;
    let test = Arc::new(test);
    let again = test.clone();
    shuttle::check_random(move || test(), runs);
    shuttle::check_pct(move || again(), runs, 3);
}

/// A mutex that a panic leaves in use.
#[derive(Default)]
pub struct Mutex<T>(shuttle::sync::Mutex<T>);

/// Access to what a [`Mutex`] guards.
pub struct MutexGuard<'a, T> {
    of: &'a Mutex<T>,
    /// `None` only inside [`Condvar`].
    guard: Option<shuttle::sync::MutexGuard<'a, T>>,
}

impl<T> Mutex<T> {
    pub const fn new(value: T) -> Self {
        Mutex(shuttle::sync::Mutex::new(value))
    }

    pub fn acquire(&self) -> MutexGuard<'_, T> {
        let guard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        MutexGuard { of: self, guard: Some(guard) }
    }

    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        let guard = self.0.try_lock().map_err(|_| TryLockError::WouldBlock)?;
        Ok(MutexGuard { of: self, guard: Some(guard) })
    }

    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        Ok(self.acquire())
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.guard.as_ref().expect("held")
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.guard.as_mut().expect("held")
    }
}

/// A condition variable.
#[derive(Default)]
pub struct Condvar(shuttle::sync::Condvar);

impl Condvar {
    pub const fn new() -> Self {
        Condvar(shuttle::sync::Condvar::new())
    }

    pub fn notify_one(&self) {
        self.0.notify_one();
    }

    pub fn notify_all(&self) {
        self.0.notify_all();
    }

    pub fn wait<'a, T>(&self, mut held: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        let guard = held.guard.take().expect("held");
        held.guard = Some(self.0.wait(guard).unwrap_or_else(PoisonError::into_inner));
        Ok(held)
    }

    pub fn wait_while<'a, T>(
        &self,
        mut held: MutexGuard<'a, T>,
        mut waits: impl FnMut(&mut T) -> bool,
    ) -> LockResult<MutexGuard<'a, T>> {
        while waits(&mut held) {
            held = self.wait(held)?;
        }
        Ok(held)
    }

    /// The limit passes at some moment while the lock is free. Also returns whether it did.
    pub fn wait_timeout_while<'a, T>(
        &self,
        mut held: MutexGuard<'a, T>,
        _limit: Duration,
        mut waits: impl FnMut(&mut T) -> bool,
    ) -> LockResult<(MutexGuard<'a, T>, bool)> {
        use shuttle::rand::{Rng, thread_rng};
        while waits(&mut held) {
            held.guard = None;
            thread::yield_now();
            held = held.of.acquire();
            if thread_rng().gen_bool(0.5) {
                let late = waits(&mut held);
                return Ok((held, late));
            }
        }
        Ok((held, false))
    }
}
