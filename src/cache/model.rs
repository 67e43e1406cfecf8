//! Readers of one key under many schedules: they share fetches, and none waits for one that failed.

use super::*;
use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::sync::{Condvar, check, thread};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// A thread that waits until what [`ByteSource::suspend`] returned is dropped.
#[derive(Clone, Default)]
struct Sleeper(Arc<(Mutex<usize>, Condvar)>);

impl Sleeper {
    fn sleep(&self) {
        let asleep = self.0.1.wait_while(self.0.0.acquire(), |waits| *waits > 0);
        drop(asleep);
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        *self.0.0.0.acquire() -= 1;
        self.0.0.1.notify_all();
    }
}

struct Waiter(Sleeper);

/// A remote value of one version.
struct Far(Sleeper);

impl ByteSource for Far {
    fn len(&self) -> Result<Option<u64>> {
        Ok(Some(1))
    }
    fn read_all(&self, _: u64, _: &mut Vec<u8>) -> Result<bool> {
        Ok(true)
    }
    fn read_at(&self, _: u64, _: &mut [u8]) -> Result<bool> {
        Ok(true)
    }
    fn read_exactly(&self, _: &mut [u8]) -> Result<bool> {
        Ok(true)
    }
    fn read_suffix(&self, _: u64, _: &mut Vec<u8>) -> Result<Option<u64>> {
        Ok(Some(1))
    }
    fn version(&self) -> Result<Option<Version>> {
        thread::yield_now();
        Ok(Some(Version::new([7].into_iter().collect())))
    }
    fn pin(&self, to: &Version) -> bool {
        *to == Version::new([7].into_iter().collect())
    }
    fn suspend(&self) -> Option<Box<dyn Send + Sync>> {
        *self.0.0.0.acquire() += 1;
        Some(Box::new(Waiter(self.0.clone())))
    }
}

fn key(n: u64) -> Key {
    Key { array: 1, chunk: [n].into_iter().collect(), inner: SmallVec::new() }
}

/// What becomes of a fetch.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Put,
    Absent,
    Leave,
    /// The read ends without a word, as when its call is cancelled.
    Drop,
    Panic,
}

/// Reads as a job of a pipeline does, again whenever something has come; returns what it found.
/// `None`: its own fetch ended without a result.
fn read(cache: &Arc<Cache>, n: u64, since: Instant, end: impl Fn() -> End) -> Option<Option<u64>> {
    let (source, read, key) = (Far(Sleeper::default()), Read::new(cache.clone(), since), key(n));
    let scope = Scope { cache, key: &key, version: Present::Of(&source, &read) };
    loop {
        match scope.find::<u64>() {
            Ok(Found::Kept(value)) => return Some(Some(*value)),
            Ok(Found::Absent) => return Some(None),
            Err(pending) => {
                assert!(pending.is_pending());
                source.0.sleep();
            }
            Ok(Found::Wanted(wanted)) => {
                thread::yield_now();
                match end() {
                    End::Put => wanted.put(Arc::new(n), 40),
                    End::Absent => wanted.put_absent(),
                    End::Leave => wanted.leave(),
                    End::Drop => {}
                    End::Panic => resume_unwind(Box::new("the fetch")),
                }
                return match end() {
                    End::Put => Some(Some(n)),
                    End::Absent => Some(None),
                    _ => None,
                };
            }
        }
    }
}

/// What is kept has the size that is counted, which is within the limit, and no fetch is left.
fn check_whole(cache: &Cache) {
    let entries = cache.lock();
    assert!(entries.bytes <= cache.limit && entries.fetches.is_empty());
    assert_eq!(entries.bytes, entries.lru.iter().map(|(_, entry)| entry.bytes).sum::<usize>());
}

#[test]
fn one_fetch_serves_all_who_wait() {
    for end in [End::Put, End::Absent] {
        check(move || {
            let (cache, since) = (Arc::new(Cache::new(100)), Instant::now());
            let fetches = Arc::new(AtomicUsize::new(0));
            let threads: Vec<_> = (0..3)
                .map(|_| {
                    let (cache, fetches) = (cache.clone(), fetches.clone());
                    thread::spawn(move || {
                        let counted = || {
                            fetches.fetch_add(1, Ordering::SeqCst);
                            end
                        };
                        let found = read(&cache, 1, since, counted);
                        assert_eq!(found, Some((end == End::Put).then_some(1)));
                    })
                })
                .collect();
            threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
            // asked for what becomes of it twice
            assert_eq!(fetches.load(Ordering::SeqCst), 2, "the fetches");
            check_whole(&cache);
        });
    }
}

#[test]
fn a_fetch_that_fails_leaves_nobody_waiting() {
    for end in [End::Leave, End::Drop, End::Panic] {
        check(move || {
            let (cache, since) = (Arc::new(Cache::new(100)), Instant::now());
            let threads: Vec<_> = [end, End::Put, end, End::Put]
                .into_iter()
                .map(|end| {
                    let cache = cache.clone();
                    thread::spawn(move || {
                        let read = || read(&cache, 1, since, || end);
                        let found = catch_unwind(AssertUnwindSafe(read));
                        // its own failure, or the value, whoever fetched it
                        assert!(match found {
                            Ok(Some(found)) => found == Some(1),
                            Ok(None) => matches!(end, End::Leave | End::Drop),
                            Err(_) => end == End::Panic,
                        });
                    })
                })
                .collect();
            threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
            check_whole(&cache);
        });
    }
}

#[test]
fn the_limit_holds_whoever_keeps_what() {
    check(|| {
        let (cache, since) = (Arc::new(Cache::new(100)), Instant::now());
        let threads: Vec<_> = (0..3)
            .map(|n| {
                let cache = cache.clone();
                thread::spawn(move || {
                    for key in [n, (n + 1) % 3] {
                        let found = read(&cache, key, since, || End::Put);
                        assert_eq!(found, Some(Some(key)));
                        let held = cache.lock();
                        assert!(held.bytes <= cache.limit);
                        drop(held);
                        if n == 2 {
                            let key = self::key(key);
                            cache.take::<u64>(&key);
                        }
                    }
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
        check_whole(&cache);
    });
}

#[test]
fn calls_after_a_change_do_not_use_what_was_fetched_before_it() {
    check(|| {
        let cache = Arc::new(Cache::new(100));
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let cache = cache.clone();
                thread::spawn(move || {
                    let _before = Running::begin(cache.clone());
                    let now = Instant::now();
                    values_changed();
                    assert!(Running::begin(cache.clone()).since >= now);
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
        // none of them is counted any more
        let now = Instant::now();
        assert!(Running::begin(cache).since >= now);
    });
}
