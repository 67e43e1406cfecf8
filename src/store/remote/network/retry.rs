//! When a request is made again, for every store across a network.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

/// The first pause before a request is repeated; the next are twice as long each, up to the last.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LAST_PAUSE: Duration = Duration::from_secs(10);

/// A timeout longer than this is as good as none.
const FOREVER: Duration = Duration::from_secs(1 << 30);

/// The attempts at one request: at most one and `most` repetitions, in the time that it may take.
pub struct Retries {
    most: usize,
    begun: Instant,
    end: Instant,
    failures: usize,
}

impl Retries {
    /// Those of a request that begins now.
    pub fn new(most: usize, limit: Duration) -> Self {
        let begun = Instant::now();
        Retries { most, begun, end: begun + limit.min(FOREVER), failures: 0 }
    }

    /// When the request must have ended.
    pub fn end(&self) -> Instant {
        self.end
    }

    /// How many attempts failed, as far as [`Self::pause`] was asked.
    pub fn failures(&self) -> usize {
        self.failures
    }

    /// How long to wait after an attempt that failed: as long as the server asks for, if it does.
    /// `within`: how long after the beginning a next attempt makes sense. `None`: there is none.
    pub fn pause(&mut self, asked: Option<Duration>, within: Option<Duration>) -> Option<Duration> {
        self.failures += 1;
        let pause = asked.unwrap_or_else(|| pause(self.failures));
        let end = within.map_or(self.end, |within| self.end.min(self.begun + within));
        let left = end.saturating_duration_since(Instant::now());
        (self.failures <= self.most && pause < left).then_some(pause)
    }
}

/// The pause after so many failures. Many wait at the same time: each a little longer or shorter.
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
