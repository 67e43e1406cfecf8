//! Transactions: all of the changes at once or none, on every store that has them; and the word of
//! those that have none.

use super::helpers::*;
use std::collections::BTreeMap;
use zarrc::error::Kind;
use zarrc::store::{Depth, Mode, Precondition, SharedStore};

const GROUP: &[u8] = br#"{"zarr_format":3,"node_type":"group","attributes":{}}"#;

/// The document of an array of 100 by 1 chunks, with a number in it.
fn document(number: u64) -> Vec<u8> {
    format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":[100,1],"data_type":"uint8","chunk_grid":
        {{"name":"regular","configuration":{{"chunk_shape":[1,1]}}}},"chunk_key_encoding":
        {{"name":"default"}},"codecs":[{{"name":"bytes"}}],"fill_value":0,
        "attributes":{{"number":{number}}}}}"#
    )
    .into_bytes()
}

/// The number in a document.
fn number_in(document: &[u8]) -> u64 {
    let text = std::str::from_utf8(document).unwrap();
    let digits = text.rsplit_once("number\":").unwrap().1;
    digits.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
}

/// The stores that have transactions, and whether all of their handles see the same at once.
fn subjects(scratch: &Scratch) -> Vec<(String, bool)> {
    // a name of its own: tests share the process, and so its memory stores
    let own = scratch.path("");
    let mut urls = vec![(format!("memory:{}", own.file_name().unwrap().display()), true)];
    for (built, url, shared) in [
        (cfg!(feature = "sqlite"), scratch.url("t.sqlite"), true),
        (cfg!(feature = "lmdb"), format!("lmdb:{}", scratch.url("t.lmdb")), true),
        (cfg!(feature = "zip"), scratch.url("t.zip"), false),
        (cfg!(feature = "icechunk"), format!("{}|icechunk:", scratch.url("t.ice")), false),
    ] {
        if built {
            urls.push((url, shared));
        }
    }
    urls
}

fn for_each(test: impl Fn(&str, &SharedStore)) {
    let scratch = Scratch::new();
    for (url, _) in subjects(&scratch) {
        let store = opened(&url, Mode::Create).unwrap_or_else(|e| panic!("{url}: {e}"));
        set(&*store, "zarr.json", GROUP);
        for array in ["a", "b"] {
            set(&*store, &format!("{array}/zarr.json"), &document(0));
            set(&*store, &format!("{array}/c/0/0"), b"0");
        }
        store.flush().unwrap();
        test(&url, &store);
    }
}

/// Everything in a store.
fn contents(store: &SharedStore) -> BTreeMap<String, Vec<u8>> {
    let keys = list(&**store, "", Depth::All).into_iter();
    keys.map(|key| (key.clone(), get(&**store, &key).unwrap())).collect()
}

#[test]
fn all_changes_are_seen_at_once() {
    for_each(|url, store| {
        let before = contents(store);
        let t = store.clone().begin().unwrap_or_else(|e| panic!("{url}: {e}"));
        assert_eq!(kind(t.clone().begin().map(drop)), Kind::InvalidArgument, "{url}");
        assert_eq!(contents(&t), before, "{url}");
        set(&*t, "a/zarr.json", &document(1));
        set(&*t, "b/zarr.json", &document(1));
        set(&*t, "b/c/7/0", b"new");
        assert!(erase(&*t, "a/c/0/0"), "{url}");
        assert!(!erase(&*t, "a/c/0/0"), "{url}");
        // the transaction sees what it did, nobody else does
        assert_eq!(get(&*t, "a/c/0/0"), None, "{url}");
        assert_eq!(number_in(&get(&*t, "a/zarr.json").unwrap()), 1, "{url}");
        assert_eq!(list(&*t, "a/", Depth::One), names(&["zarr.json"]), "{url}");
        assert_eq!(list(&*t, "b/c/", Depth::One), names(&["0/", "7/"]), "{url}");
        let after = contents(&t);
        t.flush().unwrap();
        assert_eq!(contents(store), before, "{url}");
        t.commit(Some("both")).unwrap_or_else(|e| panic!("{url}: {e}"));
        drop(t);
        // a handle of Icechunk stays on its snapshot
        let seen = if url.ends_with("icechunk:") {
            opened(url, Mode::Read).unwrap()
        } else {
            store.clone()
        };
        assert_eq!(contents(&seen), after, "{url}");
        if url.ends_with(".zip") {
            assert_eq!(contents(&opened(url, Mode::Read).unwrap()), after, "{url}: no directory");
        }
    });
}

#[test]
fn preconditions_hold_inside() {
    for_each(|url, store| {
        let t = store.clone().begin().unwrap();
        let old = version(&*t, "a/c/0/0");
        assert_eq!(kind(set_when(&*t, "a/c/0/0", b"x", Precondition::Absent)), Kind::Conflict);
        set_when(&*t, "a/c/0/0", b"1", Precondition::Version(old.clone())).unwrap();
        let again = set_when(&*t, "a/c/0/0", b"2", Precondition::Version(old));
        assert_eq!(kind(again), Kind::Conflict, "{url}");
        let new = version(&*t, "a/c/0/0");
        set_when(&*t, "a/c/0/0", b"3", Precondition::Version(new)).unwrap();
        set_when(&*t, "a/c/5/0", b"5", Precondition::Absent).unwrap();
        let before = contents(store);
        t.erase_prefix("b/").unwrap();
        assert_eq!(list(&*t, "", Depth::One), names(&["zarr.json", "a/"]), "{url}");
        t.rollback().unwrap();
        assert_eq!(contents(store), before, "{url}");
        // it has ended
        assert_eq!(kind(set_when(&*t, "a/c/0/0", b"x", Precondition::None)), Kind::InvalidArgument);
        assert_eq!(kind(t.commit(None)), Kind::InvalidArgument, "{url}");
        t.rollback().unwrap();
        assert_eq!(kind(store.commit(None)), Kind::InvalidArgument, "{url}");
        assert_eq!(kind(store.rollback()), Kind::InvalidArgument, "{url}");
    });
}

#[test]
fn the_first_to_commit_wins() {
    for_each(|url, store| {
        let first = store.clone().begin().unwrap();
        let second = store.clone().begin().unwrap();
        let third = store.clone().begin().unwrap();
        for (t, n) in [(&first, 1), (&second, 2)] {
            set(&**t, "a/c/0/0", &[n]);
            set(&**t, "b/c/0/0", &[n]);
        }
        set(&*third, "b/c/9/0", b"elsewhere");
        first.commit(None).unwrap_or_else(|e| panic!("{url}: {e}"));
        assert_eq!(kind(second.commit(None)), Kind::Conflict, "{url}");
        second.rollback().unwrap();
        third.commit(None).unwrap_or_else(|e| panic!("{url}: {e}"));
        let again = store.clone().begin().unwrap();
        assert_eq!(get(&*again, "a/c/0/0").unwrap(), [1], "{url}");
        assert_eq!(get(&*again, "b/c/9/0").unwrap(), b"elsewhere", "{url}");
        set(&*again, "a/c/0/0", &[2]);
        again.commit(None).unwrap();
        let read = if url.ends_with("icechunk:") {
            opened(url, Mode::Read).unwrap()
        } else {
            store.clone()
        };
        assert_eq!(
            (get(&*read, "a/c/0/0"), get(&*read, "b/c/0/0")),
            (Some(vec![2]), Some(vec![1]))
        );
    });
}

#[test]
fn what_was_only_read_is_compared_too() {
    for_each(|url, store| {
        if url.ends_with("icechunk:") {
            return; // its conflicts are changes of the same things
        }
        let t = store.clone().begin().unwrap();
        let absent = get(&*t, "a/c/8/0");
        let copy = get(&*t, "a/c/0/0").unwrap();
        set(&*t, "b/c/0/0", &copy);
        set(&**store, "a/c/8/0", b"there");
        assert_eq!((absent, kind(t.commit(None))), (None, Kind::Conflict), "{url}");
        t.rollback().unwrap();

        // no key changes under a reader
        let t = store.clone().begin().unwrap();
        get(&*t, "a/c/0/0");
        set(&**store, "a/c/0/0", b"other");
        assert_eq!(kind(t.get(&key("a/c/0/0"), &mut Vec::new())), Kind::Conflict, "{url}");
        assert_eq!(get(&**store, "b/c/0/0").unwrap(), b"0", "{url}");
    });
}

/// Threads that add one to numbers in two documents lose nothing if they try again.
#[test]
fn counters_lose_nothing() {
    for_each(|url, store| {
        let (threads, times) = (4, 6);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    for _ in 0..times {
                        loop {
                            let t = store.clone().begin().unwrap();
                            let add = || -> zarrc::error::Result<()> {
                                for array in ["a", "b"] {
                                    let k = key(&format!("{array}/zarr.json"));
                                    let mut old = Vec::new();
                                    t.get(&k, &mut old)?.unwrap();
                                    let new = document(number_in(&old) + 1);
                                    t.set(&k, &[&new], &Precondition::None)?;
                                }
                                t.commit(Some("one more"))
                            };
                            match add() {
                                Ok(()) => break,
                                Err(e) => assert_eq!(e.kind(), Kind::Conflict, "{url}: {e}"),
                            }
                        }
                    }
                });
            }
        });
        let t = store.clone().begin().unwrap();
        for array in ["a", "b"] {
            let found = get(&*t, &format!("{array}/zarr.json")).unwrap();
            assert_eq!(number_in(&found), threads * times, "{url}");
        }
    });
}

/// What a thread writes while another one commits is committed, or refused.
#[test]
fn nothing_is_lost_beside_a_commit() {
    for_each(|url, store| {
        for round in 1..=20u8 {
            let t = store.clone().begin().unwrap();
            let chunk = |n: usize| key(&format!("a/c/{}/0", n % 100));
            let (mut written, started) = (0, std::sync::Barrier::new(2));
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    set(&*t, "b/c/0/0", &[round]);
                    started.wait();
                    // one at a time, so that the last one that was accepted is known
                    while t.set(&chunk(written), &[&[round]], &Precondition::None).is_ok() {
                        written += 1;
                    }
                });
                started.wait();
                t.commit(None).unwrap_or_else(|e| panic!("{url}: {e}"));
            });
            let seen = store.clone().begin().unwrap();
            assert_eq!(get(&*seen, "b/c/0/0").unwrap(), [round], "{url}");
            for n in 0..written.min(100) {
                let found = get(&*seen, chunk(n).as_str());
                assert_eq!(found.as_deref(), Some(&[round][..]), "{url}, {n} of {written}");
            }
        }
    });
}

#[test]
fn other_stores_refuse_with_a_reason() {
    let scratch = Scratch::new();
    let store = opened(&scratch.url("d.zarr"), Mode::Create).unwrap();
    let e = failure(store.clone().begin().map(drop));
    assert_eq!(e.kind(), Kind::Unsupported);
    assert!(e.to_string().contains("SQLite"), "{e}");
    let read = opened(&scratch.url("d.zarr"), Mode::Read).unwrap();
    assert!(read.begin().is_err());
    set(&*opened("memory:readers", Mode::Create).unwrap(), "a", b"1");
    let kept = opened("memory:readers", Mode::Append).unwrap();
    let read = opened("memory:readers", Mode::Read).unwrap();
    assert_eq!(kind(read.begin().map(drop)), Kind::PermissionDenied);
    drop(kept);
}

/// A part of a store is a transaction on all of it.
#[test]
fn below_a_prefix() {
    let scratch = Scratch::new();
    if cfg!(feature = "sqlite") {
        let url = scratch.url("p.sqlite");
        let store = opened(&format!("{url}|sqlite:x/y"), Mode::Append);
        let Ok(store) = store else { panic!("{}", failure(store.map(drop))) };
        let t = store.begin().unwrap();
        set(&*t, "a", b"1");
        t.commit(None).unwrap();
        assert_eq!(get(&*opened(&url, Mode::Read).unwrap(), "x/y/a").unwrap(), b"1");
    }
}
