//! Reports and cancellation of long calls.

use crate::error::{Error, Kind, Result};
use crate::lock::Acquire;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Receives the fraction done (0 to 1) and a text; returning `false` cancels the call.
pub type Report<'a> = dyn Fn(f64, &str) -> bool + Send + Sync + 'a;

/// The progress of one call, shared by the threads that work on it.
pub struct Progress<'a> {
    report: Option<&'a Report<'a>>,
    cancelled: AtomicBool,
    /// The largest fraction reported. Locked during a report, so that one thread at a time calls
    /// the listener.
    largest: Mutex<f64>,
}

impl<'a> Progress<'a> {
    /// A progress without listener, which can be cancelled.
    pub const fn silent() -> Self {
        Progress { report: None, cancelled: AtomicBool::new(false), largest: Mutex::new(0.0) }
    }

    /// A progress that reports to `report`.
    pub fn new(report: &'a Report<'a>) -> Self {
        Progress { report: Some(report), ..Self::silent() }
    }

    /// Ends the call at the next chunk.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether it has been cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Fails with [`Kind::Cancelled`] after cancellation. Cheap: call it before each chunk.
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(cancelled()) } else { Ok(()) }
    }

    /// Reports the fraction `done` (0 to 1). Calls `what` for the text only if there is a listener.
    /// A fraction below the largest so far (threads finish in any order) is reported as the
    /// largest. Fails with [`Kind::Cancelled`] if the listener cancelled.
    pub fn report(&self, done: f64, what: impl FnOnce() -> String) -> Result<()> {
        self.check()?;
        let Some(report) = self.report else { return Ok(()) };
        let mut largest = self.largest.acquire();
        self.check()?; // another thread's report may have cancelled meanwhile
        *largest = largest.max(done.min(1.0));
        if !report(*largest, &what()) {
            self.cancel();
        }
        drop(largest);
        self.check()
    }
}

#[cold]
fn cancelled() -> Error {
    Error::new(Kind::Cancelled, "cancelled")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_never_fall_and_false_cancels_for_good() {
        let seen = Mutex::new(Vec::new());
        let listen = |done: f64, what: &str| {
            seen.lock().expect("one thread").push((done, what.to_owned()));
            what != "stop"
        };
        let progress = Progress::new(&listen);
        assert!(progress.report(0.5, || "a".into()).is_ok());
        assert!(progress.report(0.25, || "b".into()).is_ok());
        let stopped = progress.report(2.0, || "stop".into()).expect_err("the listener said so");
        assert_eq!(stopped.kind(), Kind::Cancelled);
        assert!(progress.check().is_err());
        assert!(progress.report(1.0, || "never".into()).is_err());
        let expected = [(0.5, "a"), (0.5, "b"), (1.0, "stop")];
        let seen = seen.into_inner().expect("one thread");
        assert_eq!(seen, expected.map(|(done, what)| (done, what.to_owned())));
    }

    #[test]
    fn a_silent_one_makes_no_text() {
        let progress = Progress::silent();
        assert!(progress.report(0.5, || unreachable!("nobody listens")).is_ok());
        progress.cancel();
        assert!(progress.check().is_err());
    }
}
