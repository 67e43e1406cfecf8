//! A directory behind a real web server: what is set in the directory is read across the network.

use super::helpers::*;
use std::fs;
use std::path::PathBuf;
use zarrc::error::Kind;
use zarrc::store::{Depth, Mode, Precondition, SharedStore};

/// A directory that a web server hands out, and its URL; gone when it is dropped.
struct Served {
    path: PathBuf,
    url: String,
}

impl Served {
    /// `None`: no server is there to be tried.
    fn new(name: &str) -> Option<Self> {
        let server = std::env::var("ZARRC_TEST_HTTP").ok()?;
        let root = std::env::var("ZARRC_TEST_HTTP_ROOT").ok()?;
        if !super::stores::built("http") {
            return None;
        }
        let name = format!("suite {}-{name}", std::process::id());
        let path = PathBuf::from(root).join(&name);
        fs::create_dir_all(&path).unwrap();
        Some(Served { path, url: format!("{server}/{}", name.replace(' ', "%20")) })
    }

    /// The directory, and the same behind the server.
    fn open(&self) -> (SharedStore, SharedStore) {
        let near = opened(self.path.to_str().unwrap(), Mode::Append).unwrap();
        (near, opened(&self.url, Mode::Read).unwrap())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[test]
fn values_are_read_whole_and_in_part() {
    let Some(served) = Served::new("values") else { return };
    let (near, far) = served.open();
    for size in [0usize, 1, 1000, 70_000, 20 << 20] {
        let value = pattern(size, 7);
        set(&*near, "a/value", &value);
        assert!(get(&*far, "a/value").unwrap() == value);
        let k = key("a/value");
        let source = far.source(&k);
        for (from, to) in [(0, size), (size / 2, size), (size, size), (size / 3, size / 2)] {
            let mut out = vec![0; to - from];
            assert!(source.read_at(from as u64, &mut out).unwrap());
            assert!(out == value[from..to]);
        }
        for count in [0, 1, size / 2, size, size + 1] {
            let mut out = b"kept".to_vec();
            let length = far.source(&k).read_suffix(count as u64, &mut out).unwrap();
            assert_eq!(length, Some(size as u64), "the last {count}");
            assert!(out[..4] == *b"kept" && out[4..] == value[size.saturating_sub(count)..]);
        }
        let mut whole = vec![0; size];
        assert!(far.source(&k).read_exactly(&mut whole).unwrap() && whole == value);
        let wrong = far.source(&k).read_exactly(&mut vec![0; size + 1]);
        assert_eq!(kind(wrong), Kind::CorruptData);
    }
}

#[test]
fn odd_keys() {
    let Some(served) = Served::new("odd keys") else { return };
    let (near, far) = served.open();
    let long = "n".repeat(255);
    // pages of nginx leave out what begins with a dot
    let unlisted = [".hidden", "..."];
    let listed = [
        "with space",
        " x",
        "a+b",
        "a&b=c",
        "%20",
        "a%2Fb",
        "ünï/çødé",
        "日本/語",
        "a.b.c",
        "-rf",
        "*",
        "a\\b",
        "~",
        "#",
        "a?b=c",
        ":",
        "C:",
        "\"'",
        "<b>",
        "&amp;",
        "con",
        &long,
    ]; // fmt: skip
    for k in unlisted.iter().chain(&listed) {
        set(&*near, k, k.as_bytes());
    }
    for k in unlisted.iter().chain(&listed) {
        assert_eq!(get(&*far, k).unwrap(), k.as_bytes());
    }
    assert_eq!(list(&*far, "", Depth::All), names(&listed));
}

#[test]
fn listings() {
    let Some(served) = Served::new("listings") else { return };
    let (near, far) = served.open();
    for k in ["a/b/c", "a/b/d", "a/e", "a!", "a0", "ab/x", "z", "a/b!/x", "a/b0"] {
        set(&*near, k, b"");
    }
    for n in 0..300 {
        set(&*near, &format!("many/{n}"), b"");
    }
    for (prefix, depth) in [
        ("", Depth::One),
        ("", Depth::All),
        ("a/", Depth::One),
        ("a/", Depth::All),
        ("a/b/", Depth::All),
        ("many/", Depth::One),
    ] {
        assert_eq!(list(&*far, prefix, depth), list(&*near, prefix, depth), "{prefix} {depth:?}");
    }
    assert!(far.has_prefix("a/b/").unwrap() && !far.has_prefix("x/").unwrap());
    assert!(list(&*far, "x/y/", Depth::All).is_empty());
}

#[test]
fn what_is_absent_is_no_error() {
    let Some(served) = Served::new("absent") else { return };
    let (near, far) = served.open();
    set(&*near, "a/b", b"x");
    for absent in ["x", "x/y", "a", "a/c", "a/b/c"] {
        let (k, mut out) = (key(absent), Vec::new());
        assert_eq!(far.get(&k, &mut out).unwrap(), None, "{absent}");
        assert_eq!(far.version(&k).unwrap(), None, "{absent}");
        assert_eq!(far.source(&k).len().unwrap(), None, "{absent}");
        assert!(!far.source(&k).read_exactly(&mut [0; 9]).unwrap(), "{absent}");
        assert!(!far.source(&k).read_at(3, &mut [0; 9]).unwrap(), "{absent}");
        assert_eq!(far.source(&k).read_suffix(3, &mut out).unwrap(), None, "{absent}");
        assert!(out.is_empty());
    }
}

#[test]
fn a_value_that_changes_while_it_is_read_is_a_conflict() {
    let Some(served) = Served::new("changes") else { return };
    let (near, far) = served.open();
    set(&*near, "a", &pattern(1000, 1));
    let (k, mut out) = (key("a"), vec![0; 100]);
    let first = far.version(&k).unwrap().unwrap();
    let source = far.source(&k);
    assert!(source.read_at(0, &mut out).unwrap());
    set(&*near, "a", &pattern(1001, 2));
    assert_eq!(kind(source.read_at(500, &mut out)), Kind::Conflict);
    assert_eq!(kind(far.source_at(&k, &first).read_at(500, &mut out)), Kind::Conflict);
    assert_ne!(far.version(&k).unwrap().unwrap(), first);
}

#[test]
fn nothing_is_changed() {
    let Some(served) = Served::new("read only") else { return };
    let (near, far) = served.open();
    set(&*near, "a", b"1");
    assert!(far.read_only());
    for refused in [
        set_when(&*far, "a", b"2", Precondition::None),
        far.erase(&key("a"), &Precondition::None).map(drop),
        far.erase_prefix(""),
    ] {
        assert_eq!(kind(refused), Kind::PermissionDenied);
    }
    for mode in [Mode::ReadWrite, Mode::Append, Mode::Create, Mode::Overwrite] {
        assert_eq!(kind(opened(&served.url, mode)), Kind::PermissionDenied, "{mode:?}");
    }
    assert_eq!(get(&*far, "a").unwrap(), b"1");
}
