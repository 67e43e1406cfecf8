//! What holds for every store.

use super::helpers::*;
use super::stores::{Subject, for_each_subject};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use zarrc::error::{Error, Kind, Result};
use zarrc::store::{Depth, Entry, Key, Mode, Precondition, SharedStore, Version};

/// Every test of the suite gets a store of its own, which is empty, and is gone afterwards.
fn for_each_store(test: fn(&Subject, &SharedStore)) {
    for_each_subject(|subject| {
        let store = subject.open(Mode::Create).unwrap();
        test(subject, &store);
        store.flush().unwrap();
        if subject.shared {
            let there = list(&*store, "", Depth::All);
            let values = |store: &SharedStore| -> Vec<_> {
                there.iter().map(|k| get(&**store, k)).collect()
            };
            let before = values(&store);
            drop(store);
            let again = subject.open(Mode::Read).unwrap();
            assert_eq!(list(&*again, "", Depth::All), there);
            assert!(values(&again) == before);
        }
    });
}

fn version_of(when: &Precondition) -> Version {
    match when {
        Precondition::Version(version) => version.clone(),
        _ => unreachable!(),
    }
}

#[test]
fn values_come_back_as_they_were_set() {
    for_each_store(|_, store| {
        assert_eq!(get(&**store, "a"), None);
        set(&**store, "a", b"one");
        assert_eq!(get(&**store, "a").unwrap(), b"one");
        set(&**store, "a", b"");
        assert_eq!(get(&**store, "a").unwrap(), b"");
        let parts: [&[u8]; 5] = [b"", b"some", b"", b" parts", b""];
        store.set(&key("a"), &parts, &Precondition::None).unwrap();
        assert_eq!(get(&**store, "a").unwrap(), b"some parts");
        store.set(&key("a"), &[], &Precondition::None).unwrap();
        assert_eq!(get(&**store, "a").unwrap(), b"");
        // What is in the buffer already stays.
        set(&**store, "b/c", b"two");
        let mut out = b"kept ".to_vec();
        store.get(&key("b/c"), &mut out).unwrap().unwrap();
        assert_eq!(out, b"kept two");
        assert_eq!(get(&**store, "b"), None, "a prefix is no key");
        assert_eq!(get(&**store, "a/b"), None, "below a value");
        assert!(erase(&**store, "a"));
        assert_eq!(get(&**store, "a"), None);
        for absent in ["a", "b", "x/y/z", "b/c/d"] {
            assert!(!erase(&**store, absent), "{absent}");
        }
        assert_eq!(get(&**store, "b/c").unwrap(), b"two");
    });
}

#[test]
fn sources_read_whole_and_in_part() {
    for_each_store(|_, store| {
        for size in [0usize, 1, 63, 64, 65, 1000, 70_000] {
            let value = pattern(size, 7);
            set(&**store, "a/value", &value);
            let k = key("a/value");
            let source = store.source(&k);
            assert_eq!(source.len().unwrap(), Some(size as u64));
            for guess in [0, 1, size, size + 1, 2 * size, usize::MAX] {
                let mut out = b"kept".to_vec();
                assert!(source.read_all(guess as u64, &mut out).unwrap());
                assert!(out[..4] == *b"kept" && out[4..] == value, "{size} {guess}");
            }
            let mut out = vec![0; size];
            assert!(source.read_exactly(&mut out).unwrap());
            assert!(out == value);
            for (from, to) in [(0, size), (size / 2, size), (size, size), (size / 3, size / 2)] {
                let mut out = vec![0; to - from];
                assert!(source.read_at(from as u64, &mut out).unwrap());
                assert!(out == value[from..to]);
            }
            for count in [0, 1, size / 2, size, size + 1, usize::MAX] {
                let mut out = b"kept".to_vec();
                let length = source.read_suffix(count as u64, &mut out).unwrap();
                assert_eq!(length, Some(size as u64));
                assert!(out[..4] == *b"kept" && out[4..] == value[size.saturating_sub(count)..]);
            }
        }
    });
}

#[test]
fn wrong_lengths_are_corrupt() {
    for_each_store(|_, store| {
        set(&**store, "a", b"12345");
        let k = key("a");
        let read = |size| store.source(&k).read_exactly(&mut vec![0; size]);
        for (size, words) in
            [(6, "truncated"), (1000, "truncated"), (4, "too long"), (0, "too long")]
        {
            let e = failure(read(size));
            assert_eq!(e.kind(), Kind::CorruptData);
            assert!(e.to_string().contains(words) && e.to_string().contains("5 bytes"), "{e}");
        }
        for (offset, size) in
            [(0, 6), (5, 1), (6, 1), (u64::MAX, 1), (u64::MAX - 1, 9), (1 << 63, 1)]
        {
            let source = store.source(&k);
            assert_eq!(kind(source.read_at(offset, &mut vec![0; size])), Kind::CorruptData);
        }
    });
}

#[test]
fn documents_are_no_longer_than_allowed() {
    for_each_store(|subject, store| {
        set(&**store, "a/b", b"four");
        let mut out = b"before".to_vec();
        assert_eq!(store.get_document(&key("absent"), 0, &mut out).unwrap(), None);
        let version = store.get_document(&key("a/b"), 4, &mut out).unwrap();
        assert_eq!((&out[..], version), (&b"beforefour"[..], store.version(&key("a/b")).unwrap()));
        let e = failure(store.get_document(&key("a/b"), 3, &mut out));
        assert_eq!(e.kind(), Kind::LimitExceeded, "{}: {e}", subject.url);
        assert!(
            e.to_string().contains("a/b") && e.to_string().contains("max_document_size"),
            "{e}"
        );
    });
}

#[test]
fn what_is_absent_is_no_error() {
    for_each_store(|_, store| {
        set(&**store, "a/b", b"x");
        for absent in ["x", "x/y", "a", "a/c", "a/b/c"] {
            let k = key(absent);
            let mut out = Vec::new();
            assert_eq!(store.source(&k).len().unwrap(), None);
            assert!(!store.source(&k).read_all(10, &mut out).unwrap());
            assert!(!store.source(&k).read_exactly(&mut []).unwrap());
            assert!(!store.source(&k).read_exactly(&mut [0; 9]).unwrap());
            assert!(!store.source(&k).read_at(3, &mut [0; 9]).unwrap());
            assert_eq!(store.source(&k).read_suffix(3, &mut out).unwrap(), None);
            assert_eq!(store.get(&k, &mut out).unwrap(), None);
            assert!(out.is_empty());
        }
    });
}

#[test]
fn a_source_keeps_to_the_value_it_first_read() {
    for_each_store(|subject, store| {
        let old = pattern(50_000, 1);
        set(&**store, "a", &old);
        let k = key("a");
        let source = store.source(&k);
        let mut tail = Vec::new();
        source.read_suffix(16, &mut tail).unwrap();
        assert!(tail == old[old.len() - 16..]);
        let mut out = vec![0; old.len()];
        let is_old = |result: Result<bool>, out: &[u8]| match result {
            Ok(there) => assert!(there && old.starts_with(out)),
            // far away nobody keeps what was replaced: the source says that it was
            Err(e) => assert!(subject.far && e.kind() == Kind::Conflict, "{e}"),
        };
        set(&**store, "a", b"new");
        is_old(source.read_exactly(&mut out), &out);
        erase(&**store, "a");
        is_old(source.read_at(0, &mut out[..9]), &out[..9]);
        // One that found nothing finds nothing later.
        let source = store.source(&k);
        assert_eq!(source.len().unwrap(), None);
        set(&**store, "a", b"new");
        assert_eq!(source.len().unwrap(), None);
        assert_eq!(store.source(&k).len().unwrap(), Some(3));
    });
}

#[test]
fn odd_keys() {
    for_each_store(|subject, store| {
        let long = "n".repeat(255);
        let deep = vec!["d"; 500].join("/");
        let odd = [
            "with space",
            " ",
            "a+b",
            "a&b=c",
            "%20",
            "a%2Fb",
            "ünï/çødé",
            "日本/語",
            ".hidden",
            "...",
            "a.b.c",
            "-rf",
            "*",
            "a\\b",
            "new\nline",
            "~",
            "#",
            "?",
            ":",
            "C:",
            "\"'",
            "\u{7f}",
            "con",
            ".zarrc",
            ".zarrc-x",
            "x.tmp",
            &long,
            &deep,
        ];
        let (odd, impossible): (Vec<&str>, Vec<&str>) = odd
            .into_iter()
            .partition(|k| k.len() <= subject.longest_key && !k.contains(subject.refused));
        for k in impossible {
            let e = failure(set_when(&**store, k, b"", Precondition::None));
            assert_eq!(e.kind(), Kind::InvalidArgument, "{e}");
        }
        for k in &odd {
            set(&**store, k, k.as_bytes());
        }
        for k in &odd {
            assert_eq!(get(&**store, k).unwrap(), k.as_bytes());
        }
        assert_eq!(list(&**store, "", Depth::All), names(&odd));
        for k in &odd {
            erase(&**store, k);
            assert_eq!(get(&**store, k), None);
        }
        assert!(list(&**store, "", Depth::All).is_empty());
    });
}

#[test]
fn bad_keys_are_refused() {
    for bad in ["", "/", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/./b", "a\0b"] {
        assert_eq!(kind(Key::parse(bad)), Kind::InvalidArgument, "{bad:?}");
    }
    for_each_store(|_, store| {
        for bad in ["a", "/", "/a/", "../", "a/../", "a//", "a\0/"] {
            let each = &mut |_: Entry<'_>| Ok(());
            assert_eq!(kind(store.list(bad, Depth::One, each)), Kind::InvalidArgument, "{bad:?}");
            assert_eq!(kind(store.erase_prefix(bad)), Kind::InvalidArgument, "{bad:?}");
        }
    });
}

#[test]
fn big_values() {
    for_each_store(|subject, store| {
        let most = if subject.far { 20 << 20 } else { 48 << 20 };
        let value = pattern(most.min(subject.largest_value), 3);
        let (left, right) = value.split_at(5 << 20);
        let (middle, right) = right.split_at(1);
        let k = key("big");
        store.set(&k, &[left, middle, right], &Precondition::None).unwrap();
        let mut out = Vec::new();
        assert!(store.source(&k).read_all(10, &mut out).unwrap());
        assert!(out == value);
        out.fill(0);
        assert!(store.source(&k).read_exactly(&mut out).unwrap());
        assert!(out == value);
        // More parts than the system takes at once.
        let parts: Vec<&[u8]> = value[..30_000].chunks(7).collect();
        store.set(&k, &parts, &Precondition::None).unwrap();
        assert!(get(&**store, "big").unwrap() == value[..30_000]);
    });
}

#[test]
fn listing_and_erasing_prefixes() {
    for_each_store(|_, store| {
        let keys =
            ["a/b/c", "a/b/d", "a/e", "a!", "a0", "ab/x", "z", "a/b!/x", "a/b0", "long/w/a/y"];
        for k in keys {
            set(&**store, k, b"");
        }
        assert_eq!(list(&**store, "", Depth::All), names(&keys));
        let top = names(&["a/", "a!", "a0", "ab/", "z", "long/"]);
        assert_eq!(list(&**store, "", Depth::One), top);
        let below_a = names(&["b/c", "b/d", "e", "b!/x", "b0"]);
        assert_eq!(list(&**store, "a/", Depth::All), below_a);
        assert_eq!(list(&**store, "a/", Depth::One), names(&["b/", "e", "b!/", "b0"]));
        assert_eq!(list(&**store, "a/b/", Depth::One), names(&["c", "d"]));
        for nothing in ["x/", "x/y/", "z/", "a/e/", "a/e/f/"] {
            assert!(list(&**store, nothing, Depth::One).is_empty());
            assert!(list(&**store, nothing, Depth::All).is_empty());
            assert!(!store.has_prefix(nothing).unwrap());
            store.erase_prefix(nothing).unwrap();
        }
        assert!(store.has_prefix("").unwrap() && store.has_prefix("a/b/").unwrap());
        // An error in the callback ends the listing and comes through.
        let mut calls = 0;
        let result = store.list("", Depth::All, &mut |_| {
            calls += 1;
            Err(Error::new(Kind::Cancelled, "enough"))
        });
        assert_eq!((kind(result), calls), (Kind::Cancelled, 1));

        store.erase_prefix("a/b/").unwrap();
        assert_eq!(list(&**store, "a/", Depth::All), names(&["e", "b!/x", "b0"]));
        store.erase_prefix("a/").unwrap();
        assert_eq!(list(&**store, "", Depth::One), names(&["a!", "a0", "ab/", "z", "long/"]));
        assert!(!store.has_prefix("a/").unwrap());
        store.erase_prefix("").unwrap();
        assert!(list(&**store, "", Depth::All).is_empty());
        assert!(!store.has_prefix("").unwrap());
        set(&**store, "a/b/c", b"again");
        assert_eq!(get(&**store, "a/b/c").unwrap(), b"again");
    });
}

#[test]
fn a_listing_may_change_what_it_lists() {
    for_each_store(|_, store| {
        for i in 0..100 {
            set(&**store, &format!("a/{i}"), b"");
        }
        store
            .list("a/", Depth::One, &mut |entry| match entry {
                Entry::Key(name) => {
                    store.erase(&key(&format!("a/{name}")), &Precondition::None).map(drop)
                }
                Entry::Prefix(_) => unreachable!(),
            })
            .unwrap();
        store.erase_prefix("a/").unwrap();
        assert!(!store.has_prefix("a/").unwrap());
    });
}

#[test]
fn preconditions() {
    for_each_store(|subject, store| {
        let store = &**store;
        let at = |k: &str| Precondition::Version(version(store, k));
        set_when(store, "a/b", b"1", Precondition::Absent).unwrap();
        let e = failure(set_when(store, "a/b", b"2", Precondition::Absent));
        assert_eq!(e.kind(), Kind::Conflict);
        assert!(e.to_string().contains("a/b"), "{e}");
        assert_eq!(get(store, "a/b").unwrap(), b"1");
        let first = at("a/b");
        assert_eq!(first, at("a/b"), "reading changes nothing");
        set_when(store, "a/b", b"2", first.clone()).unwrap();
        assert_eq!(kind(set_when(store, "a/b", b"3", first.clone())), Kind::Conflict);
        assert_eq!(get(store, "a/b").unwrap(), b"2");
        set(store, "other", b"1");
        // The same bytes set again are another version, and so are those of another key.
        if subject.hashes {
            assert_eq!(version(store, "other"), version_of(&first));
        } else {
            set(store, "a/b", b"1");
            assert_eq!(kind(set_when(store, "a/b", b"3", first.clone())), Kind::Conflict);
            assert_eq!(kind(set_when(store, "a/b", b"3", at("other"))), Kind::Conflict);
        }
        assert_eq!(kind(store.erase(&key("a/b"), &first)), Kind::Conflict);
        assert_eq!(kind(store.erase(&key("a/b"), &Precondition::Absent)), Kind::Conflict);
        let last = at("a/b");
        store.erase(&key("a/b"), &last).unwrap();
        assert_eq!(get(store, "a/b"), None);
        assert_eq!(kind(store.erase(&key("a/b"), &last)), Kind::Conflict);
        assert_eq!(kind(store.erase(&key("x/y/z"), &last)), Kind::Conflict);
        store.erase(&key("a/b"), &Precondition::Absent).unwrap();
        assert_eq!(kind(set_when(store, "a/b", b"3", last.clone())), Kind::Conflict);
        assert_eq!(kind(set_when(store, "x/y/z", b"3", last)), Kind::Conflict);
        set_when(store, "a/b", b"4", Precondition::Absent).unwrap();
        assert_eq!(list(store, "", Depth::All), names(&["a/b", "other"]));
    });
}

#[test]
fn readers_and_writers_of_one_key_see_whole_values() {
    for_each_store(|subject, store| {
        let rounds = if subject.far { 10 } else { 150 };
        let k = key("deep/er/key");
        let value = |n: usize| pattern(1000 + 777 * (n % 9), n as u8);
        set(&**store, "deep/er/key", &value(0));
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let readers: Vec<_> = (0..3)
                .map(|_| {
                    scope.spawn(|| {
                        let mut seen = 0;
                        while !stop.load(Ordering::Relaxed) || seen == 0 {
                            let source = store.source(&k);
                            let mut out = Vec::new();
                            assert!(source.read_all(3000, &mut out).unwrap());
                            let n = out[0]; // the first byte of a pattern is its seed
                            assert!(out == value(n.into()), "a value of two writers");
                            let mut tail = Vec::new();
                            match source.read_suffix(100, &mut tail) {
                                Ok(_) => assert!(out.ends_with(&tail), "the value changed"),
                                Err(e) => assert!(subject.far && e.kind() == Kind::Conflict, "{e}"),
                            }
                            seen += 1;
                        }
                    })
                })
                .collect();
            let writers: Vec<_> = (0..3)
                .map(|w| {
                    let (store, k) = (&store, &k);
                    scope.spawn(move || {
                        for n in 0..rounds {
                            store.set(k, &[&value(w + 3 * (n % 80))], &Precondition::None).unwrap();
                        }
                    })
                })
                .collect();
            let written: Vec<_> = writers.into_iter().map(|w| w.join()).collect();
            stop.store(true, Ordering::Relaxed);
            assert!(written.iter().all(|w| w.is_ok()));
            readers.into_iter().for_each(|r| r.join().unwrap());
        });
        assert_eq!(list(&**store, "", Depth::All), names(&["deep/er/key"]));
    });
}

#[test]
fn no_change_with_a_precondition_is_lost() {
    for_each_store(|subject, store| {
        let rounds = if subject.far { 10 } else { 100 };
        let k = key("count");
        let absent = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    match store.set(&k, &[&0u64.to_le_bytes()], &Precondition::Absent) {
                        Ok(()) => drop(absent.fetch_add(1, Ordering::Relaxed)),
                        Err(e) => assert_eq!(e.kind(), Kind::Conflict, "{e}"),
                    }
                    for _ in 0..rounds {
                        loop {
                            let mut out = Vec::new();
                            let version = store.get(&k, &mut out).unwrap().unwrap();
                            let n = u64::from_le_bytes(out.try_into().unwrap()) + 1;
                            let when = Precondition::Version(version);
                            match store.set(&k, &[&n.to_le_bytes()], &when) {
                                Ok(()) => break,
                                Err(e) => assert_eq!(e.kind(), Kind::Conflict, "{e}"),
                            }
                        }
                    }
                });
            }
        });
        assert_eq!(absent.into_inner(), 1);
        let sum: u64 = 4 * rounds;
        assert_eq!(get(&**store, "count").unwrap(), sum.to_le_bytes());
    });
}

#[test]
fn writers_and_erasers_of_one_prefix_get_along() {
    for_each_store(|subject, store| {
        let rounds = if subject.far { 20 } else { 100 };
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let eraser = scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    store.erase_prefix("a/").unwrap();
                    thread::sleep(Duration::from_millis(2));
                }
            });
            let writers: Vec<_> = (0..3)
                .map(|w| {
                    scope.spawn(move || {
                        for n in 0..rounds {
                            set(&**store, &format!("a/b/{}/{w}", n % 5), b"x");
                        }
                    })
                })
                .collect();
            let written: Vec<_> = writers.into_iter().map(|w| w.join()).collect();
            stop.store(true, Ordering::Relaxed);
            assert!(written.iter().all(|w| w.is_ok()));
            eraser.join().unwrap();
        });
        store.erase_prefix("").unwrap();
        assert!(list(&**store, "", Depth::All).is_empty());
    });
}

#[test]
fn listings_of_more_than_one_page() {
    for_each_store(|subject, store| {
        let count = subject.pages;
        thread::scope(|scope| {
            for part in 0..16 {
                scope.spawn(move || {
                    for n in (part..count).step_by(16) {
                        set(&**store, &format!("a b/p/{n:05}/c"), b"x");
                    }
                });
            }
        });
        set(&**store, "a b/p0", b"");
        set(&**store, "z", b"");
        let expected = |end: &str| (0..count).map(|n| format!("{n:05}{end}")).collect();
        assert!(list(&**store, "a b/p/", Depth::All) == expected("/c"));
        assert!(list(&**store, "a b/p/", Depth::One) == expected("/"));
        assert_eq!(list(&**store, "a b/", Depth::One), names(&["p/", "p0"]));
        assert_eq!(list(&**store, "", Depth::All).len(), count + 2);
        store.erase_prefix("a b/p/").unwrap();
        assert_eq!(list(&**store, "", Depth::All), names(&["a b/p0", "z"]));
    });
}

#[test]
fn threads_share_one_handle() {
    for_each_store(|subject, store| {
        let keys = if subject.far { 10 } else { 40 };
        thread::scope(|scope| {
            for t in 0..16 {
                scope.spawn(move || {
                    let value = |n: usize| pattern(10 + 1000 * (n % 7), (t + n) as u8);
                    let name = |n: usize| format!("{}/{t}/{n}", n % 3);
                    for n in 0..keys {
                        set(&**store, &name(n), &value(n));
                        assert!(get(&**store, &name(n)).unwrap() == value(n));
                    }
                    for n in (0..keys).step_by(2) {
                        assert!(erase(&**store, &name(n)));
                    }
                    for n in 0..keys {
                        let there = get(&**store, &name(n));
                        assert!(there == (n % 2 == 1).then(|| value(n)));
                    }
                });
            }
        });
        assert_eq!(list(&**store, "", Depth::All).len(), 16 * keys / 2);
    });
}

#[test]
fn each_value_has_a_version_of_its_own() {
    for_each_store(|_, store| {
        let mut seen: Vec<Version> = Vec::new();
        for n in 0..20u8 {
            let when = match seen.last() {
                Some(last) if n % 2 == 0 => Precondition::Version(last.clone()),
                _ => Precondition::None,
            };
            let known = store.set_known(&key("a"), &[&[n; 4], &[n; 5]], &when).unwrap();
            let now = version(&**store, "a");
            assert!(known.is_none_or(|known| known == now), "another version than it said");
            assert!(!seen.contains(&now), "value {n} has the version of an earlier one");
            assert_eq!(store.version(&key("a")).unwrap(), Some(now.clone()));
            assert!(store.source_at(&key("a"), &now).read_exactly(&mut [0; 9]).unwrap());
            seen.push(now);
        }
        assert_eq!(store.version(&key("b")).unwrap(), None);
    });
}
