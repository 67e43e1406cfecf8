//! What was asked a moment ago and need not be asked again; overlapping calls, which count as one
//! for a moment.

use super::Cache;
use crate::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest moment.
const MOMENT: Duration = Duration::from_secs(1);

/// How often this process has changed a value.
static CHANGES: AtomicU64 = AtomicU64::new(0);

/// Records that this process changed a value in a remote store: calls that begin later must not use
/// the results of earlier fetches.
pub fn values_changed() {
    CHANGES.fetch_add(1, Ordering::SeqCst);
}

/// Calls [`values_changed`] when it is dropped, whatever comes of the change.
pub struct Changing;

impl Drop for Changing {
    fn drop(&mut self) {
        values_changed();
    }
}

/// A moment: a second at most, until this process changes a value.
#[derive(Clone, Copy)]
pub struct Moment {
    begun: Instant,
    /// [`CHANGES`] when it began.
    changes: u64,
}

impl Moment {
    /// A moment that begins now.
    pub fn begin() -> Self {
        // counted before the time is taken: fetches since then see those changes
        let changes = CHANGES.load(Ordering::SeqCst);
        Moment { begun: Instant::now(), changes }
    }

    /// Whether it still lasts.
    pub fn lasts(&self) -> bool {
        self.lasts_until(&Moment::begin())
    }

    fn lasts_until(&self, now: &Moment) -> bool {
        now.begun.duration_since(self.begun) < MOMENT && now.changes == self.changes
    }
}

/// A group of overlapping calls.
pub(super) struct Overlap {
    running: usize,
    moment: Moment,
}

/// A running call that reads through a cache.
pub struct Running {
    cache: Arc<Cache>,
    /// When the call began, or the first call of its group.
    pub since: Instant,
}

impl Running {
    /// Registers a call that begins now.
    pub fn begin(cache: Arc<Cache>) -> Self {
        let now = Moment::begin();
        let mut entries = cache.lock();
        let overlap = entries.overlap.get_or_insert(Overlap { running: 0, moment: now });
        if overlap.running == 0 || !overlap.moment.lasts_until(&now) {
            overlap.moment = now;
        }
        overlap.running += 1;
        let since = overlap.moment.begun;
        drop(entries);
        Running { cache, since }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(overlap) = &mut self.cache.lock().overlap {
            overlap.running = overlap.running.saturating_sub(1);
        }
    }
}
