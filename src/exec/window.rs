//! Which jobs of a loop come next, so that their data can be requested before they begin.

use crate::sync::atomic::{AtomicUsize, Ordering};
use std::ops::Range;

/// The jobs of one loop, which begin in ascending order.
#[derive(Default)]
pub struct Window {
    begun: AtomicUsize,
    asked: AtomicUsize,
}

impl Window {
    /// Must be called as each job begins. Returns the jobs to request now, out of `count`, so that
    /// up to `most` jobs are requested ahead of the one that begins. No job is returned twice. Jobs
    /// come in groups, so that adjacent ones can be merged into one request. A `most` of 0 returns
    /// none.
    pub fn advance(&self, most: usize, count: usize) -> Range<usize> {
        let next = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
        let until = next.saturating_add(most).min(count);
        let asked = self.asked.load(Ordering::Relaxed).max(next);
        if until <= asked || until < count && until - asked < most / 4 {
            return 0..0;
        }
        self.asked.fetch_max(until, Ordering::Relaxed).max(next)..until
    }
}

#[cfg(all(test, model))]
mod model {
    use super::*;
    use crate::sync::{check, thread};
    use std::sync::Arc;

    #[test]
    fn no_job_is_asked_for_twice_or_too_early() {
        check(|| {
            let window = Arc::new(Window::default());
            let threads: Vec<_> = (0..3)
                .map(|_| {
                    let window = window.clone();
                    thread::spawn(move || {
                        let mut asked = Vec::new();
                        for _ in 0..3 {
                            let now = window.advance(4, 9);
                            let begun = window.begun.load(Ordering::SeqCst);
                            assert!(now.is_empty() || now.end <= begun + 4, "{now:?} {begun}");
                            asked.extend(now);
                        }
                        asked
                    })
                })
                .collect();
            let threads = threads.into_iter();
            let mut asked: Vec<usize> =
                threads.flat_map(|thread| thread.join().expect("no panic")).collect();
            asked.sort_unstable();
            assert!(asked.windows(2).all(|pair| pair[0] < pair[1]), "{asked:?}");
            assert!(asked.iter().all(|&job| job < 9));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_asked_for_once_and_before_it_begins() {
        for (most, count) in [(1, 5), (4, 40), (16, 100), (64, 10), (8, 1)] {
            let window = Window::default();
            let mut asked = Vec::new();
            for job in 0..count {
                assert!(job == 0 || asked.contains(&job), "{job} of {count}");
                asked.extend(window.advance(most, count));
                assert!(asked.iter().all(|&next| next <= job + most), "{most} {count}");
            }
            assert_eq!(asked, (1..count).collect::<Vec<_>>());
        }
    }

    /// A loop that starts with `most` 0 begins to request ahead in its middle.
    #[test]
    fn jobs_that_have_begun_are_not_asked_for() {
        let window = Window::default();
        assert!((0..10).all(|_| window.advance(0, 100).is_empty()));
        assert_eq!(window.advance(20, 100), 11..31);
        assert!(window.advance(0, 100).is_empty());
    }
}
