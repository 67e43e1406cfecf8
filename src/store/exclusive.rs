//! A lock for one writer at a time across processes, for changes of several keys: appending to an
//! array writes chunks and then its document.
//!
//! A store with locks of its own (a directory) provides one, which the system releases when the
//! process is killed. Elsewhere the lock is a key that must be absent when it is set. Its holder
//! sets it again every [`BEAT`]; a key unchanged for [`PATIENCE`] belonged to a killed process, and
//! the next writer takes it over.

use super::{Key, Precondition, SharedStore, Version};
use crate::error::{Context, Error, Kind, Result};
use crate::lock::Acquire;
use crate::sync::thread::{JoinHandle, sleep};
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often the holder renews its lock.
const BEAT: Duration = Duration::from_millis(2500);

/// How long a lock may stay unchanged before its holder counts as dead.
const PATIENCE: Duration = Duration::from_secs(10);

/// The longest total wait for live holders.
const LONGEST: Duration = Duration::from_secs(120);

/// How a store excludes other writers.
pub enum Exclusion {
    /// A lock held until dropped, or until the process is killed.
    Held(Box<dyn Send>),
    /// Only one handle can write to the store, and it is this one.
    OneWriter,
    /// By preconditions only.
    ByKey,
}

/// A lock held until it is dropped.
pub enum Exclusive {
    /// The store's own lock.
    Held {
        /// Releases it when dropped.
        _held: Box<dyn Send>,
    },
    /// No other process can write.
    OneWriter,
    /// A key that exists while the lock is held.
    ByKey(Lease),
}

/// Takes the lock called `key` and waits while another holds it. [`Kind::Conflict`]: others held it
/// for too long.
pub fn exclusive(store: &SharedStore, key: &Key) -> Result<Exclusive> {
    Ok(match store.exclude(key)? {
        Exclusion::Held(held) => Exclusive::Held { _held: held },
        Exclusion::OneWriter => Exclusive::OneWriter,
        Exclusion::ByKey => Exclusive::ByKey(Lease::take(store, key, PATIENCE)?),
    })
}

/// A key that identifies the writer.
pub struct Lease {
    shared: Arc<Shared>,
    beat: Option<JoinHandle<()>>,
}

struct Shared {
    store: SharedStore,
    key: Key,
    /// The value that we set last; `None`: released.
    ours: Mutex<Option<String>>,
    given_up: Condvar,
}

/// A unique value.
fn token() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let random = RandomState::new().hash_one(count);
    format!("zarrc {} {count} {random:016x}", std::process::id())
}

impl Lease {
    fn take(store: &SharedStore, key: &Key, patience: Duration) -> Result<Self> {
        let begun = Instant::now();
        let mut seen: Option<(Version, Instant)> = None;
        let mut pause = Duration::from_millis(1);
        loop {
            let ours = token();
            let when = match &seen {
                Some((version, since)) if since.elapsed() >= patience => {
                    Precondition::Version(version.clone())
                }
                _ => Precondition::Absent,
            };
            match store.set(key, &[ours.as_bytes()], &when) {
                Ok(()) => return Ok(Self::held(store, key, ours)),
                Err(e) if e.kind() == Kind::Conflict => {}
                Err(e) => return Err(e).at(|| "taking the lock for a change of several keys"),
            }
            if begun.elapsed() > LONGEST {
                return Err(Error::new(
                    Kind::Conflict,
                    format!("another process has held {key} for {} s", LONGEST.as_secs()),
                ));
            }
            match (store.version(key)?, &seen) {
                (None, _) => seen = None,
                (Some(now), Some((version, _))) if now == *version => {}
                (Some(now), _) => seen = Some((now, Instant::now())),
            }
            sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(50));
        }
    }

    fn held(store: &SharedStore, key: &Key, ours: String) -> Self {
        let shared = Arc::new(Shared {
            store: store.clone(),
            key: key.clone(),
            ours: Mutex::new(Some(ours)),
            given_up: Condvar::new(),
        });
        let beating = shared.clone();
        let beat = crate::exec::spawn(move || beating.beat());
        Lease { shared, beat: beat.ok() }
    }
}

impl Shared {
    fn beat(&self) {
        let mut ours = self.ours.acquire();
        while ours.is_some() {
            let (lock, waited) =
                self.given_up.wait_timeout(ours, BEAT).unwrap_or_else(PoisonError::into_inner);
            ours = lock;
            if waited.timed_out() && ours.is_some() {
                *ours = self.replace(ours.take());
            }
        }
    }

    /// Sets the key again if it is still ours; `None`: another holder has it.
    fn replace(&self, ours: Option<String>) -> Option<String> {
        let ours = ours?;
        let Ok(Some(version)) = self.version_of(&ours) else { return None };
        let next = token();
        let set = self.store.set(&self.key, &[next.as_bytes()], &Precondition::Version(version));
        match set {
            Ok(()) => Some(next),
            Err(e) if e.kind() == Kind::Conflict => None,
            // a failure may be temporary: retry at the next beat
            Err(_) => Some(ours),
        }
    }

    /// The version of the key, if it is ours.
    fn version_of(&self, ours: &str) -> Result<Option<Version>> {
        let mut value = Vec::new();
        let version = self.store.get(&self.key, &mut value)?;
        Ok(version.filter(|_| value == ours.as_bytes()))
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let ours = self.shared.ours.acquire().take();
        self.shared.given_up.notify_all();
        if let Some(ours) = ours
            && let Ok(Some(version)) = self.shared.version_of(&ours)
        {
            // if the key cannot be erased, it expires
            let _ = self.shared.store.erase(&self.shared.key, &Precondition::Version(version));
        }
        if let Some(beat) = self.beat.take() {
            let _ = beat.join();
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{Mode, Options, open};
    use super::*;

    #[test]
    fn one_at_a_time_and_a_dead_holder_is_replaced() {
        let store = open("memory:", Mode::Create, &Options::default()).unwrap();
        let key = Key::parse("a/.zarrc-lock").unwrap();
        let inside = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..5 {
                        let held = exclusive(&store, &key).unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        sleep(Duration::from_millis(1));
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(held);
                    }
                });
            }
        });
        assert_eq!(store.version(&key).unwrap(), None, "nothing is left behind");
        store.set(&key, &[b"zarrc 1 1 1"], &Precondition::None).unwrap();
        let begun = Instant::now();
        let patience = Duration::from_millis(200);
        let held = Lease::take(&store, &key, patience).unwrap();
        assert!(begun.elapsed() >= patience);
        // a holder that was presumed dead does not take the lock from its successor
        store.set(&key, &[b"zarrc 2 2 2"], &Precondition::None).unwrap();
        drop(held);
        assert!(store.version(&key).unwrap().is_some());
    }
}
