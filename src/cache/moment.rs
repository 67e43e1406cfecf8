//! Overlapping calls, which count as one until this process changes a value.

use super::Cache;
use crate::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long overlapping calls count as one.
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

/// A group of overlapping calls.
pub(super) struct Moment {
    running: usize,
    begun: Instant,
    /// [`CHANGES`] when it began.
    changes: u64,
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
        // counted before the time is taken: fetches since then see those changes
        let changes = CHANGES.load(Ordering::SeqCst);
        let now = Instant::now();
        let mut entries = cache.lock();
        let moment = &mut entries.moment;
        let goes_on = moment.as_ref().is_some_and(|moment| {
            moment.running > 0
                && now.duration_since(moment.begun) < MOMENT
                && moment.changes == changes
        });
        let moment = moment.get_or_insert(Moment { running: 0, begun: now, changes });
        if !goes_on {
            (moment.begun, moment.changes) = (now, changes);
        }
        moment.running += 1;
        let since = moment.begun;
        drop(entries);
        Running { cache, since }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(moment) = &mut self.cache.lock().moment {
            moment.running = moment.running.saturating_sub(1);
        }
    }
}
