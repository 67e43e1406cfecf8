//! What is particular to the stores that stand before others.

use super::helpers::*;
use std::fs;
use zarrc::error::Kind;
use zarrc::store::{Depth, Key, Mode, Precondition, open};

#[test]
fn a_prefix_is_a_store_of_its_own() {
    let scratch = Scratch::new();
    let whole = opened(&scratch.url("x"), Mode::Create).unwrap();
    set(&*whole, "a/b/c", b"1");
    set(&*whole, "ab/c", b"2");
    for ending in ["prefix:a", "zarr:/a/", "zarr2:a/", "zarr3://a", "prefix:|prefix:a"] {
        let part = opened(&format!("{}|{ending}", scratch.url("x")), Mode::ReadWrite).unwrap();
        assert_eq!(list(&*part, "", Depth::All), names(&["b/c"]), "{ending}");
        assert!(part.name().ends_with("x"), "{}", part.name());
    }
    let url = format!("{}|prefix:a", scratch.url("x"));
    assert_eq!(kind(opened(&url, Mode::Create)), Kind::AlreadyExists);
    let part = opened(&url, Mode::Overwrite).unwrap();
    set(&*part, "d", b"3");
    assert_eq!(list(&*whole, "", Depth::All), names(&["a/d", "ab/c"]), "the rest stays");
    let e = failure(opened(&format!("{}|prefix:../y", scratch.url("x")), Mode::Read));
    assert_eq!(e.kind(), Kind::InvalidArgument);
}

#[test]
fn read_only_means_it() {
    let scratch = Scratch::new();
    let whole = opened(&scratch.url("x"), Mode::Create).unwrap();
    set(&*whole, "a", b"1");
    let url = format!("{}|readonly:", scratch.url("x"));
    for mode in [Mode::Read, Mode::ReadWrite, Mode::Append] {
        let store = opened(&url, mode).unwrap();
        assert!(store.read_only());
        assert_eq!(get(&*store, "a").unwrap(), b"1");
        assert_eq!(kind(set_when(&*store, "a", b"2", Precondition::None)), Kind::PermissionDenied);
        assert_eq!(kind(store.erase(&key("a"), &Precondition::None)), Kind::PermissionDenied);
        assert_eq!(kind(store.erase_prefix("")), Kind::PermissionDenied);
    }
    assert_eq!(kind(opened(&url, Mode::Overwrite)), Kind::InvalidArgument);
    assert_eq!(get(&*whole, "a").unwrap(), b"1");
}

#[test]
fn what_is_cached_is_found_until_it_is_forgotten() {
    let scratch = Scratch::new();
    let below = opened(&scratch.url("x"), Mode::Create).unwrap();
    let url = format!("{}|cache:100KiB", scratch.url("x"));
    let store = opened(&url, Mode::ReadWrite).unwrap();
    set(&*below, "a/b", b"1");
    set(&*below, "c", b"1");
    assert_eq!(get(&*store, "a/b").unwrap(), b"1");
    assert_eq!(get(&*store, "c").unwrap(), b"1");
    let versions = (version(&*store, "a/b"), version(&*store, "c"));
    set(&*below, "a/b", b"22");
    set(&*below, "c", b"22");
    assert_eq!(get(&*store, "a/b").unwrap(), b"1");
    let mut part = [0];
    assert!(store.source(&key("c")).read_at(0, &mut part).unwrap() && part == *b"1");
    // a change against what is kept meets what is there
    let when = Precondition::Version(versions.0);
    assert_eq!(kind(set_when(&*store, "a/b", b"3", when)), Kind::Conflict);
    assert_eq!(get(&*store, "a/b").unwrap(), b"22", "and is seen from then on");
    store.forget("a/").unwrap();
    assert_eq!(get(&*store, "c").unwrap(), b"1");
    store.forget("").unwrap();
    assert_eq!(get(&*store, "c").unwrap(), b"22");
    assert!(version(&*store, "c") != versions.1);
    set(&*store, "c", b"333");
    assert_eq!(
        (get(&*store, "c").unwrap(), get(&*below, "c").unwrap()),
        (b"333".to_vec(), b"333".to_vec())
    );

    // what is too large is not kept, and the oldest goes first
    set(&*below, "large", &pattern(60 << 10, 1));
    get(&*store, "large");
    set(&*below, "large", b"new");
    assert_eq!(get(&*store, "large").unwrap(), b"new");
    for n in 0..5 {
        set(&*below, &format!("n/{n}"), &pattern(30 << 10, n));
        get(&*store, &format!("n/{n}"));
        set(&*below, &format!("n/{n}"), b"new");
    }
    assert_eq!(get(&*store, "n/0").unwrap(), b"new");
    assert!(get(&*store, "n/4").unwrap() == pattern(30 << 10, 4));
    assert_eq!(
        kind(opened(&format!("{}|cache:much", scratch.url("x")), Mode::Read)),
        Kind::InvalidArgument
    );
}

#[test]
fn copies_are_made_once_and_go_with_their_store() {
    let scratch = Scratch::new();
    let below = opened(&scratch.url("x"), Mode::Create).unwrap();
    let long = vec!["d".repeat(100); 4].join("/");
    for k in ["a/b%", "a%2Fb%25", &long] {
        set(&*below, k, k.as_bytes());
    }
    let kept = options(&[("cache_storage", &scratch.url("copies"))]);
    for _ in 0..2 {
        let url = format!("simplecache::{}", scratch.url("x"));
        let store = open(&url, Mode::Read, &kept).unwrap();
        for k in ["a/b%", "a%2Fb%25", &long] {
            assert_eq!(get(&*store, k).unwrap(), k.as_bytes());
            let mut all = vec![0; k.len()];
            assert!(store.source(&key(k)).read_exactly(&mut all).unwrap());
        }
        assert_eq!(get(&*store, "no"), None);
        assert!(!store.source(&key("no")).read_exactly(&mut []).unwrap());
        assert_eq!(
            list(&*store, "", Depth::One),
            names(&["a/", "a%2Fb%25", &format!("{}/", "d".repeat(100))])
        );
        // the copy stays when the value goes, also for the next who opens it
        below.erase(&Key::parse("a/b%").unwrap(), &Precondition::None).unwrap();
    }
    let store = open(&format!("{}|simplecache:", scratch.url("x")), Mode::Read, &kept).unwrap();
    store.forget("a/").unwrap();
    assert_eq!(get(&*store, "a/b%"), None);
    assert_eq!(get(&*store, "a%2Fb%25").unwrap(), b"a%2Fb%25");
    assert!(fs::read_dir(scratch.path("copies")).unwrap().count() == 1);
    assert_eq!(
        kind(opened(&format!("{}|simplecache:", scratch.url("x")), Mode::ReadWrite)),
        Kind::PermissionDenied
    );
}

/// A process that is killed deletes nothing; its lock goes all the same.
#[test]
fn copies_of_killed_processes_are_deleted() {
    let scratch = Scratch::new();
    drop(opened(&scratch.url("x"), Mode::Create).unwrap());
    let url = format!("{}|simplecache:", scratch.url("x"));
    let abandoned = std::env::temp_dir().join("zarrc-cache-4194305-0");
    fs::create_dir_all(&abandoned).unwrap();
    fs::write(abandoned.join("a"), "copy").unwrap();
    let mut stores = Vec::new();
    for n in 0..2 {
        set(&*opened(&scratch.url("x"), Mode::Append).unwrap(), "a", &[n]);
        stores.push(opened(&url, Mode::Read).unwrap());
        assert_eq!(get(&**stores.last().unwrap(), "a").unwrap(), [n]);
        assert!(!abandoned.exists());
    }
    // those that are in use stay
    assert_eq!(get(&*stores[0], "a").unwrap(), [0]);
}

#[test]
fn each_request_is_told() {
    let scratch = Scratch::new();
    let url = format!("{}|log:{}", scratch.url("x"), scratch.url("log"));
    let store = opened(&url, Mode::Create).unwrap();
    set(&*store, "a/b", b"12345");
    get(&*store, "a/b");
    get(&*store, "no\nline");
    let _ = set_when(&*store, "a/b", b"", Precondition::Absent);
    assert!(store.source(&key("a/b")).read_at(1, &mut [0; 3]).unwrap());
    drop(store);
    let text = fs::read_to_string(scratch.path("log")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    for (line, start) in lines.iter().zip([
        "set \"a/b\" 5 bytes ",
        "get \"a/b\" 5 bytes ",
        "get \"no\\nline\" absent ",
        "set \"a/b\" failed ",
        "read \"a/b\" 3 bytes ",
        "sum get 2 requests 5 bytes ",
        "sum read 1 requests 3 bytes ",
        "sum set 2 requests 5 bytes ",
    ]) {
        assert!(line.starts_with(start), "{text}");
    }
    assert!(lines[3].ends_with(" ms Conflict") && lines.len() == 8, "{text}");
}
