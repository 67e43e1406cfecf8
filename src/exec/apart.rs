//! Values that many threads change, each on cache lines of its own.

use super::buffer_pool::thread_number;
use std::sync::atomic::{AtomicU32, Ordering};

/// A value on cache lines of its own: changing it does not slow threads that use its neighbours.
/// Two lines, because processors fetch them in pairs.
#[repr(align(128))]
#[derive(Default)]
pub struct Apart<T>(pub T);

impl<T> std::ops::Deref for Apart<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

/// A counter for each of some threads. Two threads share one only if there are many.
#[derive(Default)]
pub struct Tally([Apart<AtomicU32>; 16]);

impl Tally {
    /// Counts one more, and returns this thread's count.
    pub fn add(&self) -> u32 {
        let own = &self.0[thread_number() % self.0.len()];
        own.fetch_add(1, Ordering::Relaxed).wrapping_add(1)
    }
}
