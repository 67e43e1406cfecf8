//! Mutexes, condition variables, atomics and threads for code that hands work from thread to
//! thread: those of the standard library. In unit tests that are built with `--cfg model` they are
//! those of shuttle, which runs a test many times and chooses each time which thread goes on at
//! every step.

#[cfg(all(test, model))]
mod model;

#[cfg(all(test, model))]
pub use model::{Condvar, Mutex, MutexGuard, atomic, check, thread};
#[cfg(not(all(test, model)))]
pub use std::sync::{Condvar, Mutex, MutexGuard, atomic};
#[cfg(not(all(test, model)))]
pub use std::thread;
