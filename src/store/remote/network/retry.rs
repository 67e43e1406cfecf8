//! When a request is retried, for every network store.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

/// The first pause before a retry; each later one is twice as long, up to the last.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LAST_PAUSE: Duration = Duration::from_secs(10);

/// A longer timeout counts as none.
const FOREVER: Duration = Duration::from_secs(1 << 30);

/// The attempts at one request: one and at most `most` retries, within a time limit.
pub struct Retries {
    most: usize,
    begun: Instant,
    end: Instant,
    failures: usize,
}

impl Retries {
    /// The attempts of a request that starts now.
    pub fn new(most: usize, limit: Duration) -> Self {
        let begun = Instant::now();
        Retries { most, begun, end: begun + limit.min(FOREVER), failures: 0 }
    }

    /// When the request must have ended.
    pub fn end(&self) -> Instant {
        self.end
    }

    /// The number of failed attempts reported to [`Self::pause`].
    pub fn failures(&self) -> usize {
        self.failures
    }

    /// The pause before the next attempt: the server's, if it asks for one. `within`: retry only
    /// for so long after the start. `None`: do not retry.
    pub fn pause(&mut self, asked: Option<Duration>, within: Option<Duration>) -> Option<Duration> {
        self.failures += 1;
        let pause = asked.unwrap_or_else(|| pause(self.failures));
        let end = within.map_or(self.end, |within| self.end.min(self.begun + within));
        let left = end.saturating_duration_since(Instant::now());
        (self.failures <= self.most && pause < left).then_some(pause)
    }
}

/// The pause after so many failures, with jitter, since many requests may wait at once.
fn pause(failures: usize) -> Duration {
    let doubled = 1 << failures.saturating_sub(1).min(10);
    let longest = LAST_PAUSE.min(FIRST_PAUSE * doubled);
    let part = RandomState::new().hash_one(failures) % 1000;
    longest / 2 + longest / 2 * part as u32 / 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_are_bounded_in_number_and_time() {
        let mut retries = Retries::new(2, Duration::from_secs(60));
        let pauses: Vec<_> = (0..3).map(|_| retries.pause(None, None)).collect();
        assert!(pauses[0].is_some_and(|p| p <= FIRST_PAUSE));
        assert!(pauses[1].is_some_and(|p| p >= FIRST_PAUSE && p <= 2 * FIRST_PAUSE));
        assert_eq!((pauses[2], retries.failures()), (None, 3));
        let mut short = Retries::new(9, Duration::from_millis(10));
        assert_eq!(short.pause(None, None), None, "no time is left for it");
        let mut long = Retries::new(9, Duration::MAX);
        assert_eq!(long.pause(Some(Duration::from_secs(7)), None), Some(Duration::from_secs(7)));
        assert_eq!(long.pause(None, Some(Duration::ZERO)), None);
    }
}
