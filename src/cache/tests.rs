use super::*;
use std::sync::atomic::{AtomicU32, Ordering};

fn key(n: u64) -> Key {
    Key { array: 1, chunk: [n].into_iter().collect(), inner: SmallVec::new() }
}

fn version(n: u8) -> Version {
    Version::new([n].into_iter().collect())
}

#[test]
fn what_may_have_changed_unseen_is_not_kept() {
    let (cache, key) = (Cache::new(100), key(0));
    let recent = version(1).recent(true);
    let scope = Scope { cache: &cache, key: &key, version: Present::Known(&recent) };
    scope.put(Arc::new(1u8), 1);
    assert!(scope.get::<u8>().expect("read").is_none());
    let settled = version(1);
    let scope = Scope { version: Present::Known(&settled), ..scope };
    scope.put(Arc::new(2u8), 1);
    assert_eq!(scope.get::<u8>().expect("read").as_deref(), Some(&2));
}

#[test]
fn only_the_same_version_is_found_and_the_oldest_goes() {
    let cache = Cache::new(100);
    let put = |n: u64, v: u8, bytes| {
        Scope { cache: &cache, key: &key(n), version: Present::Known(&version(v)) }
            .put(Arc::new(n), bytes);
    };
    let get = |n: u64, v: u8| {
        Scope { cache: &cache, key: &key(n), version: Present::Known(&version(v)) }
            .get::<u64>()
            .expect("read")
            .map(|x| *x)
    };
    put(1, 1, 40);
    put(2, 1, 40);
    assert_eq!((get(1, 1), get(1, 2), get(2, 1)), (Some(1), None, Some(2)));
    assert_eq!(get(1, 1), Some(1));
    put(3, 1, 40); // 2 is the least recently used
    assert_eq!((get(1, 1), get(2, 1), get(3, 1)), (Some(1), None, Some(3)));
    put(1, 2, 50);
    assert_eq!((get(1, 1), get(1, 2)), (None, Some(1)));
    put(4, 1, 51);
    assert_eq!(get(4, 1), None, "too large to push all else out");
    // a type of its own makes a separate entry under the same key
    let scope = Scope { cache: &cache, key: &key(3), version: Present::Known(&version(1)) };
    assert!(scope.get::<String>().expect("read").is_none());
}

#[test]
fn what_keeps_coming_is_worth_keeping() {
    let cache = Cache::new(100);
    let worth = |n: u64, v: u8| {
        Scope { cache: &cache, key: &key(n), version: Present::Known(&version(v)) }
            .worth_keeping(4, 10)
    };
    assert_eq!([worth(1, 1), worth(1, 1), worth(1, 1)], [false; 3]);
    assert!(worth(1, 1), "three parts cost more than the whole");
    assert!(!worth(1, 1), "and it begins anew");
    assert!(!worth(1, 2), "another version begins anew");
    assert_eq!([worth(1, 2), worth(1, 2), worth(1, 2)], [false, false, true]);
    (0..TOUCHED as u64).for_each(|n| assert!(!worth(100 + n, 1)));
    assert!(!worth(1, 2), "forgotten");
}

#[test]
fn a_source_is_asked_only_where_something_is_kept() {
    struct Asked(AtomicU32);
    impl ByteSource for Asked {
        fn len(&self) -> Result<Option<u64>> {
            Err(Error::invalid("not here"))
        }
        fn read_all(&self, _: u64, _: &mut Vec<u8>) -> Result<bool> {
            Ok(false)
        }
        fn read_at(&self, _: u64, _: &mut [u8]) -> Result<bool> {
            Ok(false)
        }
        fn read_exactly(&self, _: &mut [u8]) -> Result<bool> {
            Ok(false)
        }
        fn read_suffix(&self, _: u64, _: &mut Vec<u8>) -> Result<Option<u64>> {
            Ok(None)
        }
        fn version(&self) -> Result<Option<Version>> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(Some(version(7)))
        }
    }
    let (cache, source) = (Arc::new(Cache::new(100)), Asked(AtomicU32::new(0)));
    let key = key(1);
    let read = Read::new(cache.clone(), Instant::now());
    let far = Scope { cache: &cache, key: &key, version: Present::Of(&source, &read) };
    assert!(far.get::<u64>().expect("read").is_none() && !far.worth_keeping(4, 10));
    assert_eq!(source.0.load(Ordering::Relaxed), 0);
    far.put(Arc::new(5u64), 10);
    assert_eq!(far.get::<u64>().expect("read").as_deref(), Some(&5));
    assert_eq!(source.0.load(Ordering::Relaxed), 2);
    let known = Scope { version: Present::Known(&version(7)), ..far };
    assert_eq!(known.get::<u64>().expect("read").as_deref(), Some(&5));
    let other = Scope { version: Present::Known(&version(8)), ..far };
    assert!(other.get::<u64>().expect("read").is_none());
}
/// A remote value that never waits and counts the requests for its version.
#[derive(Default)]
struct Far {
    asked: AtomicU32,
    pinned: std::sync::OnceLock<Version>,
    waits: Arc<AtomicU32>,
}

struct Waits(Arc<AtomicU32>);

impl Drop for Waits {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

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
        if self.pinned.get().is_none() {
            self.asked.fetch_add(1, Ordering::Relaxed);
        }
        Ok(Some(self.pinned.get_or_init(|| version(7)).clone()))
    }
    fn pin(&self, to: &Version) -> bool {
        *self.pinned.get_or_init(|| to.clone()) == *to
    }
    fn suspend(&self) -> Option<Box<dyn Send + Sync>> {
        self.waits.fetch_add(1, Ordering::Relaxed);
        Some(Box::new(Waits(self.waits.clone())))
    }
}

/// A cache, a key, and when a call began.
fn far() -> (Arc<Cache>, Key, Instant) {
    (Arc::new(Cache::new(100)), key(1), Instant::now())
}

#[test]
fn who_comes_while_it_is_fetched_waits_for_it_and_who_comes_later_asks() {
    let (cache, key, begun) = far();
    let (first, read) = (Far::default(), Read::new(cache.clone(), begun));
    let scope = Scope { cache: &cache, key: &key, version: Present::Of(&first, &read) };
    let Ok(Found::Wanted(_)) = scope.find::<u64>() else { panic!("nothing is kept") };
    let (second, its) = (Far::default(), Read::new(cache.clone(), begun));
    let other = Scope { version: Present::Of(&second, &its), ..scope };
    assert!(other.find::<u64>().is_err_and(|e| e.is_pending()));
    assert_eq!(second.waits.load(Ordering::Relaxed), 1);
    // the owner of the fetch restarts when its bytes arrive, and still owns it
    let Ok(Found::Wanted(wanted)) = scope.find::<u64>() else { panic!("it is mine") };
    wanted.put(Arc::new(5u64), 10);
    assert_eq!(second.waits.load(Ordering::Relaxed), 0);
    assert!(matches!(other.find::<u64>(), Ok(Found::Kept(value)) if *value == 5));
    assert_eq!(second.asked.load(Ordering::Relaxed), 0);
    // a read that begins now must see changes made in between
    for (since, requests) in [(begun, 0), (Instant::now(), 1)] {
        let (source, read) = (Far::default(), Read::new(cache.clone(), since));
        let found = Scope { version: Present::Of(&source, &read), ..scope }.find::<u64>();
        assert!(matches!(found, Ok(Found::Kept(_))));
        assert_eq!(source.asked.load(Ordering::Relaxed), requests);
    }
    // an entry of another version than the pinned one is of no use
    let (source, read) = (Far::default(), Read::new(cache.clone(), begun));
    assert!(source.pin(&version(8)));
    let found = Scope { version: Present::Of(&source, &read), ..scope }.find::<u64>();
    assert!(matches!(found, Ok(Found::Wanted(_))));
}

#[test]
fn nobody_waits_for_a_fetch_that_failed_and_that_nothing_is_there_is_shared() {
    let (cache, key, begun) = far();
    let sources = [(); 3].map(|()| (Far::default(), Read::new(cache.clone(), begun)));
    let [first, second, third] = &sources;
    let at = Scope { cache: &cache, key: &key, version: Present::Of(&first.0, &first.1) };
    let Ok(Found::Wanted(_)) = at.find::<u64>() else { panic!("nothing is kept") };
    let next = Scope { version: Present::Of(&second.0, &second.1), ..at };
    assert!(next.find::<u64>().is_err());
    first.1.end();
    assert_eq!(second.0.waits.load(Ordering::Relaxed), 0);
    let Ok(Found::Wanted(wanted)) = next.find::<u64>() else { panic!("nobody fetches it") };
    wanted.put_absent();
    let last = Scope { version: Present::Of(&third.0, &third.1), ..at };
    assert!(matches!(last.find::<u64>(), Ok(Found::Absent)));
    let late = Read::new(cache.clone(), Instant::now());
    let late = Scope { version: Present::Of(&third.0, &late), ..at };
    assert!(matches!(late.find::<u64>(), Ok(Found::Wanted(_))));
}

#[test]
fn calls_that_overlap_count_as_one_until_a_value_changes() {
    let cache = Arc::new(Cache::new(100));
    let first = Running::begin(cache.clone());
    let begun = first.since;
    assert_eq!(Running::begin(cache.clone()).since, begun);
    values_changed();
    assert!(Running::begin(cache.clone()).since > begun);
    drop(first);
    let alone = Running::begin(cache.clone()).since;
    assert!(Running::begin(cache.clone()).since > alone);
}
