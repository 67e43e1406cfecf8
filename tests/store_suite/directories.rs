//! What only a directory can get wrong: opening, links, other things than files.

use super::helpers::*;
use rustix::fs::{self as unix, OFlags};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use std::process::Command;
use zarrc::error::Kind;
use zarrc::store::{Depth, Mode, Precondition, SharedStore, open};

fn directory(scratch: &Scratch, set: &[(&str, &str)]) -> SharedStore {
    open(&scratch.url("x.zarr"), Mode::Append, &options(set)).unwrap()
}

fn exists(path: impl AsRef<Path>) -> bool {
    path.as_ref().symlink_metadata().is_ok()
}

#[test]
fn modes() {
    let scratch = Scratch::new();
    let url = scratch.url("new/x.zarr");
    for mode in [Mode::Read, Mode::ReadWrite] {
        let e = failure(opened(&url, mode));
        assert_eq!(e.kind(), Kind::NotFound);
        assert!(e.to_string().contains(&url), "{e}");
    }
    set(&*opened(&url, Mode::Create).unwrap(), "zarr.json", b"{}");
    let e = failure(opened(&url, Mode::Create));
    assert_eq!(e.kind(), Kind::AlreadyExists);
    assert!(e.to_string().contains("zarr.json"), "{e}");
    for mode in [Mode::ReadWrite, Mode::Append] {
        let store = opened(&url, mode).unwrap();
        assert!(!store.read_only());
        assert_eq!(get(&*store, "zarr.json").unwrap(), b"{}");
        set(&*store, "a/b", b"1");
    }
    let store = opened(&url, Mode::Read).unwrap();
    assert!(store.read_only());
    assert_eq!(get(&*store, "a/b").unwrap(), b"1");
    assert_eq!(list(&*store, "", Depth::All), names(&["zarr.json", "a/b"]));
    let refused = [
        set_when(&*store, "a/b", b"", Precondition::None),
        store.erase(&key("a/b"), &Precondition::None).map(drop),
        store.erase_prefix("a/"),
        store.erase_prefix(""),
    ];
    for result in refused {
        assert_eq!(kind(result), Kind::PermissionDenied);
    }
    let new = opened(&url, Mode::Overwrite).unwrap();
    assert!(list(&*new, "", Depth::All).is_empty());
    assert_eq!(fs::read_dir(&url).unwrap().count(), 0);
    drop(opened(&url, Mode::Create).unwrap());
    drop(opened(&scratch.url("other"), Mode::Overwrite).unwrap());
    assert!(scratch.path("other").is_dir());

    // The same of memory, as far as it goes.
    assert_eq!(kind(opened("memory:", Mode::Read)), Kind::NotFound);
    assert_eq!(kind(opened("memory:modes", Mode::ReadWrite)), Kind::NotFound);
    let one = opened("memory:modes", Mode::Create).unwrap();
    set(&*one, "a", b"1");
    assert_eq!(kind(opened("memory:modes", Mode::Create)), Kind::AlreadyExists);
    let two = opened("memory://modes", Mode::Read).unwrap();
    assert_eq!(get(&*two, "a").unwrap(), b"1");
    assert_eq!(kind(set_when(&*two, "a", b"", Precondition::None)), Kind::PermissionDenied);
    assert_eq!(kind(two.erase_prefix("")), Kind::PermissionDenied);
    drop(opened("memory:modes", Mode::Overwrite).unwrap());
    assert_eq!((get(&*one, "a"), get(&*two, "a")), (None, None));
    assert_eq!(get(&*opened("memory:", Mode::Append).unwrap(), "a"), None);
    drop((one, two));
    assert_eq!(kind(opened("memory:modes", Mode::Read)), Kind::NotFound);
}

#[test]
fn what_is_no_store_is_not_overwritten() {
    let scratch = Scratch::new();
    let odd = std::ffi::OsStr::from_bytes(b"not \xff UTF-8");
    for name in ["thesis.tex".as_ref(), "c".as_ref(), odd] {
        let home = scratch.path("home");
        fs::create_dir(&home).unwrap();
        fs::write(home.join(name), "years of work").unwrap();
        let e = failure(opened(home.to_str().unwrap(), Mode::Overwrite));
        assert_eq!(e.kind(), Kind::AlreadyExists);
        assert!(e.to_string().contains("contains") && e.to_string().contains("not overwritten"));
        assert_eq!(kind(opened(home.to_str().unwrap(), Mode::Create)), Kind::AlreadyExists);
        assert_eq!(fs::read(home.join(name)).unwrap(), b"years of work");
        for markers in [
            &["zarr.json"][..],
            &[".zgroup"],
            &[".zarray"],
            &["attributes.json"],
            &["meta", "attrs"],   // v1
            &["meta/root.array"], // the draft of 2019
            &["meta/root.group"],
        ] {
            fs::write(home.join(name), "").unwrap();
            for marker in markers {
                fs::create_dir_all(home.join(marker).parent().unwrap()).unwrap();
                fs::write(home.join(marker), "{}").unwrap();
            }
            drop(opened(home.to_str().unwrap(), Mode::Overwrite).unwrap());
            assert_eq!(fs::read_dir(&home).unwrap().count(), 0, "{markers:?}");
        }
        fs::remove_dir(&home).unwrap();
    }
    // One of v1's two names says too little.
    fs::create_dir(scratch.path("notes")).unwrap();
    fs::write(scratch.path("notes/meta"), "years of work").unwrap();
    assert_eq!(kind(opened(&scratch.url("notes"), Mode::Overwrite)), Kind::AlreadyExists);
    // Made to be a store, whatever keys it holds now.
    let made = opened(&scratch.url("made"), Mode::Append).unwrap();
    set(&*made, "k/0.0", b"1");
    drop(opened(&scratch.url("made"), Mode::Overwrite).unwrap());
    assert_eq!(get(&*made, "k/0.0"), None);
    // Nothing but what a killed writer left.
    fs::create_dir(scratch.path("empty")).unwrap();
    fs::write(scratch.path("empty/.zarrc-1-0-0.tmp"), "").unwrap();
    drop(opened(&scratch.url("empty"), Mode::Create).unwrap());
    assert!(!exists(scratch.path("empty/.zarrc-1-0-0.tmp")));
}

#[test]
fn a_file_is_no_directory() {
    let scratch = Scratch::new();
    fs::write(scratch.path("file"), "x").unwrap();
    for mode in [Mode::Read, Mode::ReadWrite, Mode::Append, Mode::Create, Mode::Overwrite] {
        let e = failure(opened(&scratch.url("file"), mode));
        assert_eq!(e.kind(), Kind::InvalidArgument);
        assert!(e.to_string().contains("is a file"), "{e}");
    }
    let below = scratch.url("file/x.zarr");
    assert_eq!(kind(opened(&below, Mode::Read)), Kind::NotFound);
    assert_eq!(kind(opened(&below, Mode::Create)), Kind::Io);
    assert_eq!(fs::read(scratch.path("file")).unwrap(), b"x");
}

#[test]
fn the_root_is_opened_once() {
    let scratch = Scratch::new();
    symlink("real", scratch.path("link")).unwrap();
    fs::create_dir(scratch.path("real")).unwrap();
    let store = open(&scratch.url("link"), Mode::Append, &options(&[("follow_symlinks", "no")]));
    let store = store.unwrap();
    set(&*store, "a/b", b"1");
    assert_eq!(fs::read(scratch.path("real/a/b")).unwrap(), b"1");
    fs::rename(scratch.path("real"), scratch.path("moved")).unwrap();
    set(&*store, "a/b", b"2");
    assert_eq!(get(&*store, "a/b").unwrap(), b"2");
    assert_eq!(fs::read(scratch.path("moved/a/b")).unwrap(), b"2");
    fs::remove_dir_all(scratch.path("moved")).unwrap();
    assert_eq!(get(&*store, "a/b"), None);
    assert!(list(&*store, "", Depth::All).is_empty());
    let e = failure(set_when(&*store, "a/b", b"", Precondition::None));
    assert!(e.kind() == Kind::Io && e.to_string().contains("does not exist"), "{e}");
}

#[test]
fn writes_that_wait_for_the_disk() {
    let scratch = Scratch::new();
    for links in ["yes", "no"] {
        let store = directory(&scratch, &[("sync", "yes"), ("follow_symlinks", links)]);
        set_when(&*store, "a/b/c", b"1", Precondition::Absent).unwrap();
        let at = version(&*store, "a/b/c");
        set_when(&*store, "a/b/c", b"2", Precondition::Version(at)).unwrap();
        set(&*store, "a/d", b"3");
        set(&*store, "e", b"4");
        assert_eq!(get(&*store, "a/b/c").unwrap(), b"2");
        for k in ["a/d", "e", "a/x", "x/y", "a/b"] {
            erase(&*store, k);
        }
        assert_eq!(list(&*store, "", Depth::All), names(&["a/b/c"]));
        for prefix in ["a/b/", "a/b/", "x/y/", ""] {
            store.erase_prefix(prefix).unwrap();
        }
        assert_eq!(fs::read_dir(scratch.path("x.zarr")).unwrap().count(), 0);
    }
}

#[test]
fn names_that_lie_in_the_way() {
    let scratch = Scratch::new();
    for links in ["yes", "no"] {
        let store = directory(&scratch, &[("follow_symlinks", links)]);
        set(&*store, "a/b", b"1");
        let at = version(&*store, "a/b");
        for when in [Precondition::None, Precondition::Absent] {
            let e = failure(set_when(&*store, "a/b/c", b"", when.clone()));
            assert!(e.kind() == Kind::Io && e.to_string().contains("has a value itself"), "{e}");
            let e = failure(set_when(&*store, "a/b/c/d", b"", when.clone()));
            assert!(e.kind() == Kind::Io && e.to_string().contains("has a value itself"), "{e}");
            let e = failure(set_when(&*store, "a", b"", when));
            assert!(e.kind() == Kind::Io && e.to_string().contains("directory"), "{e}");
        }
        assert_eq!(kind(set_when(&*store, "a", b"", Precondition::Version(at))), Kind::Conflict);
        let long = "x".repeat(256);
        assert_eq!(get(&*store, &long), None);
        assert_eq!(get(&*store, &vec!["d".repeat(9); 500].join("/")), None);
        erase(&*store, &long);
        let e = failure(set_when(&*store, &long, b"", Precondition::None));
        assert!(e.kind() == Kind::Io && e.to_string().contains("too long"), "{e}");
        assert_eq!(list(&*store, "", Depth::All), names(&["a/b"]));
        let raw = fs::read_dir(scratch.path("x.zarr")).unwrap();
        assert_eq!(raw.count(), 1, "no temporary file is left");
    }
}

#[test]
fn temporary_files_are_no_keys() {
    let scratch = Scratch::new();
    let store = directory(&scratch, &[]);
    set(&*store, "a/b", b"1");
    let litter = scratch.path("x.zarr/a/.zarrc-1-2-3.tmp");
    fs::write(&litter, "half").unwrap();
    assert_eq!(list(&*store, "", Depth::All), names(&["a/b"]));
    assert_eq!(list(&*store, "a/", Depth::One), names(&["b"]));
    let k = key("a/.zarrc-1-2-3.tmp");
    assert_eq!(kind(store.get(&k, &mut Vec::new())), Kind::InvalidArgument);
    assert_eq!(kind(store.source(&k).len()), Kind::InvalidArgument);
    assert_eq!(kind(store.set(&k, &[], &Precondition::None)), Kind::InvalidArgument);
    assert_eq!(kind(store.erase(&k, &Precondition::None)), Kind::InvalidArgument);
    erase(&*store, "a/b");
    assert!(!store.has_prefix("a/").unwrap());
    store.erase_prefix("a/").unwrap();
    assert!(!exists(scratch.path("x.zarr/a")));
}

#[test]
fn old_temporary_files_are_deleted() {
    let scratch = Scratch::new();
    set(&*directory(&scratch, &[]), "a/b/c", b"1");
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(2 * 3600);
    let litter = |name: &str, is_old: bool| {
        let path = scratch.path("x.zarr").join(name);
        let file = fs::File::create(&path).unwrap();
        if is_old {
            file.set_modified(old).unwrap();
        }
        path
    };
    let young = litter("a/b/.zarrc-1-2-3.tmp", false);
    let value = litter("a/b/old value", true);
    for links in ["yes", "no"] {
        // by a write into their directory
        let abandoned = litter("a/b/.zarrc-1-2-4.tmp", true);
        let store = directory(&scratch, &[("follow_symlinks", links)]);
        set(&*store, "a/b/d", b"2");
        assert!(!exists(&abandoned));
        // by a listing, of a store that may be changed
        let abandoned = litter("a/.zarrc-1-2-5.tmp", true);
        let readable = opened(&scratch.url("x.zarr"), Mode::Read).unwrap();
        let all = names(&["a/b/c", "a/b/d", "a/b/old value"]);
        assert_eq!(list(&*readable, "", Depth::All), all);
        assert!(exists(&abandoned));
        assert_eq!(list(&*store, "", Depth::All), all);
        assert!(!exists(&abandoned) && exists(&young) && exists(&value));
    }
}

#[test]
fn an_lmdb_environment_is_opened_by_its_scheme_only() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("x")).unwrap();
    fs::write(scratch.path("x/data.mdb"), "").unwrap();
    let mut file = vec![0; 16];
    file.extend(0xbeef_c0de_u32.to_ne_bytes());
    file.resize(4096, 0);
    fs::write(scratch.path("file"), file).unwrap();
    for name in ["x", "file"] {
        for mode in [Mode::Read, Mode::Append, Mode::Overwrite] {
            let e = failure(opened(&scratch.url(name), mode));
            assert_eq!(e.kind(), Kind::InvalidArgument, "{e}");
            assert!(e.to_string().contains(&format!("lmdb:{}", scratch.url(name))), "{e}");
        }
    }
    assert!(exists(scratch.path("x/data.mdb")));
}

#[test]
fn names_that_are_not_utf_8_are_passed_over() {
    let scratch = Scratch::new();
    let store = directory(&scratch, &[]);
    let odd = scratch.path("x.zarr").join(std::ffi::OsStr::from_bytes(b"a\xffb"));
    fs::create_dir(&odd).unwrap();
    fs::write(odd.join("c"), "").unwrap();
    set(&*store, "d", b"");
    assert_eq!(list(&*store, "", Depth::All), names(&["d"]));
    store.erase_prefix("").unwrap();
    assert!(!exists(&odd));
}

#[test]
fn a_new_value_has_the_permissions_of_a_new_file() {
    let scratch = Scratch::new();
    let store = directory(&scratch, &[]);
    fs::write(scratch.path("ordinary"), "").unwrap();
    fs::create_dir(scratch.path("directory")).unwrap();
    let mode = |name: &str| fs::metadata(scratch.path(name)).unwrap().mode();
    for when in [Precondition::Absent, Precondition::None] {
        set_when(&*store, "a/b", b"", when).unwrap();
        assert_eq!(mode("x.zarr/a/b"), mode("ordinary"));
        assert_eq!(mode("x.zarr/a"), mode("directory"));
    }
}

#[test]
fn links_are_followed_to_read_and_write_but_not_to_erase() {
    let scratch = Scratch::new();
    let store = directory(&scratch, &[]);
    let root = scratch.path("x.zarr");
    fs::create_dir_all(scratch.path("scratch/deep")).unwrap();
    fs::write(scratch.path("scratch/0"), "old").unwrap();
    fs::write(scratch.path("shared"), "shared").unwrap();
    fs::create_dir(root.join("a")).unwrap();
    symlink("../../scratch", root.join("a/c")).unwrap();
    symlink(scratch.path("shared"), root.join("a/value")).unwrap();
    symlink("nowhere", root.join("a/dangling")).unwrap();

    assert_eq!(get(&*store, "a/c/0").unwrap(), b"old");
    assert_eq!(get(&*store, "a/value").unwrap(), b"shared");
    assert_eq!(get(&*store, "a/dangling"), None);
    set(&*store, "a/c/0", b"new");
    set(&*store, "a/c/1/2", b"new");
    assert_eq!(fs::read(scratch.path("scratch/0")).unwrap(), b"new");
    assert_eq!(fs::read(scratch.path("scratch/1/2")).unwrap(), b"new");
    assert!(root.join("a/c").is_symlink());
    assert_eq!(list(&*store, "a/", Depth::All), names(&["c/0", "c/1/2", "value"]));
    assert_eq!(list(&*store, "a/", Depth::One), names(&["c/", "value"]));

    // A value that is a link becomes one of its own; what it was linked to may be others'.
    let at = version(&*store, "a/value");
    set_when(&*store, "a/value", b"mine", Precondition::Version(at)).unwrap();
    assert_eq!(get(&*store, "a/value").unwrap(), b"mine");
    assert_eq!(fs::read(scratch.path("shared")).unwrap(), b"shared");
    let e = failure(set_when(&*store, "a/dangling/x", b"", Precondition::None));
    assert!(e.kind() == Kind::Io && e.to_string().contains("does not exist"), "{e}");
    set(&*store, "a/dangling", b"no more");
    assert_eq!(get(&*store, "a/dangling").unwrap(), b"no more");

    erase(&*store, "a/c/0");
    assert!(!exists(scratch.path("scratch/0")), "a key behind a linked directory");
    store.erase_prefix("a/c/1/").unwrap();
    assert!(!exists(scratch.path("scratch/1")) && exists(scratch.path("scratch/deep")));
    symlink(scratch.path("shared"), root.join("a/value2")).unwrap();
    erase(&*store, "a/value2");
    store.erase_prefix("a/value/").unwrap();
    assert_eq!(get(&*store, "a/value").unwrap(), b"mine");
    set(&*store, "a/c/3", b"stays");
    erase(&*store, "a/c");
    assert_eq!(get(&*store, "a/c/3").unwrap(), b"stays", "an absent key has nothing to erase");
    store.erase_prefix("a/c/").unwrap();
    assert!(!exists(root.join("a/c")));
    assert_eq!(fs::read(scratch.path("scratch/3")).unwrap(), b"stays");
    symlink("../../scratch", root.join("a/c")).unwrap();
    symlink("/", root.join("root")).unwrap();
    store.erase_prefix("").unwrap();
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
    assert_eq!(fs::read(scratch.path("scratch/3")).unwrap(), b"stays");
    assert_eq!(fs::read(scratch.path("shared")).unwrap(), b"shared");
}

#[test]
fn links_that_lead_in_circles() {
    let scratch = Scratch::new();
    let store = directory(&scratch, &[]);
    let root = scratch.path("x.zarr");
    set(&*store, "a/v", b"");
    set(&*store, "b/w", b"");
    symlink(".", root.join("self")).unwrap();
    symlink("../b", root.join("a/to_b")).unwrap();
    symlink("../a", root.join("b/to_a")).unwrap();
    symlink("loop", root.join("loop")).unwrap();
    let all = names(&["a/v", "b/w", "a/to_b/w", "b/to_a/v"]);
    assert_eq!(list(&*store, "", Depth::All), all);
    assert_eq!(kind(store.get(&key("loop"), &mut Vec::new())), Kind::Io);
    store.erase_prefix("").unwrap();
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
}

#[test]
fn links_are_refused_on_request() {
    let scratch = Scratch::new();
    let store = directory(&scratch, &[("follow_symlinks", "no")]);
    let root = scratch.path("x.zarr");
    fs::create_dir_all(scratch.path("out/deep")).unwrap();
    fs::write(scratch.path("out/0"), "secret").unwrap();
    symlink("../out", root.join("c")).unwrap();
    symlink("../out/0", root.join("value")).unwrap();
    symlink("nowhere", root.join("dangling")).unwrap();
    set(&*store, "a/b", b"1");
    symlink("a", root.join("inside")).unwrap();

    for k in ["c/0", "c/deep/x", "value", "dangling", "inside/b", "c", "inside"] {
        let e = failure(store.get(&key(k), &mut Vec::new()));
        assert_eq!(e.kind(), Kind::PermissionDenied, "{k}");
        assert!(e.to_string().contains("symbolic link"), "{e}");
        assert_eq!(kind(store.source(&key(k)).len()), Kind::PermissionDenied);
    }
    for k in ["c/0", "c/deep/x", "c/new/x", "inside/b"] {
        for when in [Precondition::None, Precondition::Absent] {
            assert_eq!(kind(set_when(&*store, k, b"x", when)), Kind::PermissionDenied, "{k}");
        }
        let erased = store.erase(&key(k), &Precondition::None);
        assert_eq!(kind(erased), Kind::PermissionDenied);
    }
    assert_eq!(kind(store.erase_prefix("c/deep/")), Kind::PermissionDenied);
    assert_eq!(list(&*store, "", Depth::All), names(&["a/b"]));
    assert_eq!(list(&*store, "", Depth::One), names(&["a/"]));
    let listed = store.list("c/", Depth::One, &mut |_| Ok(()));
    assert_eq!(kind(listed), Kind::PermissionDenied);
    // To take a link away, or put a value in its place, is not to follow it.
    set(&*store, "value", b"mine");
    assert_eq!(get(&*store, "value").unwrap(), b"mine");
    store.erase_prefix("c/").unwrap();
    assert!(!exists(root.join("c")));
    store.erase_prefix("").unwrap();
    assert_eq!(fs::read(scratch.path("out/0")).unwrap(), b"secret");
    assert!(exists(scratch.path("out/deep")));
}

#[test]
fn what_is_not_a_file_does_not_hang() {
    let scratch = Scratch::new();
    for links in ["yes", "no"] {
        let store = directory(&scratch, &[("follow_symlinks", links)]);
        let fifo = scratch.path("x.zarr/fifo");
        assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let check = || {
            let k = key("fifo");
            let mut out = Vec::new();
            let source = store.source(&k);
            let results = [
                store.get(&k, &mut out).map(drop),
                source.len().map(drop),
                source.read_all(9, &mut out).map(drop),
                source.read_at(0, &mut [0; 9]).map(drop),
                source.read_exactly(&mut [0; 9]).map(drop),
                source.read_exactly(&mut []).map(drop),
                source.read_suffix(9, &mut out).map(drop),
            ];
            for result in results {
                let e = failure(result);
                assert!(e.kind() == Kind::Io && e.to_string().contains("ordinary file"), "{e}");
            }
            assert!(list(&*store, "", Depth::All).is_empty());
        };
        check();
        // The same with someone at its other end, who has written something.
        let other = unix::open(&fifo, OFlags::RDWR | OFlags::NONBLOCK, unix::Mode::empty());
        rustix::io::write(other.unwrap(), b"data").unwrap();
        check();
        set(&*store, "fifo", b"value");
        assert_eq!(get(&*store, "fifo").unwrap(), b"value");
        store.erase_prefix("").unwrap();
    }
    let store = directory(&scratch, &[]);
    // Devices have no end, and what the system makes up may be secret.
    for made_up in ["/dev/zero", "/proc/self/environ", "/proc/version"] {
        symlink(made_up, scratch.path("x.zarr/link")).unwrap();
        let k = key("link");
        let mut out = Vec::new();
        for result in [
            store.get(&k, &mut out).map(drop),
            store.source(&k).len().map(drop),
            store.source(&k).read_all(10, &mut out).map(drop),
            store.source(&k).read_all(1 << 30, &mut out).map(drop),
            store.source(&k).read_exactly(&mut [0; 10]).map(drop),
            store.source(&k).read_at(0, &mut [0; 10]).map(drop),
            store.source(&k).read_at(5, &mut [0; 1]).map(drop),
            store.source(&k).read_suffix(4, &mut out).map(drop),
            store.source(&k).version().map(drop),
        ] {
            let e = failure(result);
            assert!(e.kind() == Kind::Io && e.to_string().contains("ordinary file"), "{e}");
        }
        assert!(out.is_empty());
        assert!(erase(&*store, "link"));
    }
    let _socket = std::os::unix::net::UnixListener::bind(scratch.path("x.zarr/socket")).unwrap();
    assert_eq!(kind(store.get(&key("socket"), &mut Vec::new())), Kind::Io);
    assert!(list(&*store, "", Depth::All).is_empty());
    store.erase_prefix("").unwrap();
    assert_eq!(fs::read_dir(scratch.path("x.zarr")).unwrap().count(), 0);
}

/// Makes a directory in a directory and so on, deeper than any path can reach.
fn dig(top: &Path, depth: usize) {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut at = unix::open(top, flags, unix::Mode::empty()).unwrap();
    for _ in 0..depth {
        unix::mkdirat(&at, "directory", unix::Mode::from_raw_mode(0o777)).unwrap();
        let file = OFlags::CREATE | OFlags::WRONLY;
        unix::openat(&at, "value", file, unix::Mode::from_raw_mode(0o666)).unwrap();
        at = unix::openat(&at, "directory", flags, unix::Mode::empty()).unwrap();
    }
}

#[test]
fn trees_of_any_depth() {
    let scratch = Scratch::new();
    // More levels than a process may have files open.
    for (links, prefix) in [("yes", "a/"), ("no", "")] {
        let store = directory(&scratch, &[("follow_symlinks", links)]);
        fs::create_dir_all(scratch.path("x.zarr/a")).unwrap();
        dig(&scratch.path("x.zarr/a"), 1100);
        let listed = list(&*store, "", Depth::All);
        assert!(listed.len() > 300, "what a path can reach is listed: {}", listed.len());
        let deepest = listed.iter().max_by_key(|k| k.len()).unwrap();
        assert_eq!(get(&*store, deepest).unwrap(), b"");
        store.erase_prefix(prefix).unwrap();
        assert_eq!(fs::read_dir(scratch.path("x.zarr")).unwrap().count(), 0);
    }
}

#[test]
fn a_broken_off_overwrite_can_be_repeated() {
    let scratch = Scratch::new();
    let store = directory(&scratch, &[]);
    for k in ["zarr.json", "a/zarr.json", "a/c/0", "b/.zarray"] {
        set(&*store, k, b"{}");
    }
    // A mount point, a full quota: here, a file that cannot be taken away.
    let stuck = scratch.path("x.zarr/a/c");
    if !Command::new("chattr").arg("+i").arg(&stuck).status().is_ok_and(|s| s.success()) {
        println!("skipped: chattr +i does nothing here");
        return;
    }
    let e = failure(opened(&scratch.url("x.zarr"), Mode::Overwrite));
    assert!(Command::new("chattr").arg("-i").arg(&stuck).status().unwrap().success());
    assert_eq!(e.kind(), Kind::PermissionDenied);
    assert!(e.to_string().contains("a/c"), "{e}");
    assert!(exists(scratch.path("x.zarr/zarr.json")), "it is still known as a store");
    drop(opened(&scratch.url("x.zarr"), Mode::Overwrite).unwrap());
    assert_eq!(fs::read_dir(scratch.path("x.zarr")).unwrap().count(), 0);
}

#[test]
#[ignore = "needs 5 GiB of memory and 3 GiB of disk"]
fn more_than_the_system_moves_in_one_call() {
    let scratch = Scratch::new();
    let store = directory(&scratch, &[]);
    let size = (2usize << 30) + (300 << 20);
    let mut value = vec![0u8; size];
    let marks = [0, 0x7fff_efff, 0x7fff_f000, 0x7fff_f001, (1 << 31) - 1, 1 << 31, size - 1];
    for (n, at) in marks.iter().enumerate() {
        value[*at] = n as u8 + 1;
    }
    let (left, right) = value.split_at((1 << 31) + 5);
    store.set(&key("a"), &[left, right], &Precondition::None).unwrap();
    drop(value);
    assert_eq!(fs::metadata(scratch.path("x.zarr/a")).unwrap().len(), size as u64);
    let right = |out: &[u8]| {
        assert_eq!(out.len(), size);
        for (n, at) in marks.iter().enumerate() {
            assert_eq!(out[*at], n as u8 + 1);
        }
    };
    let k = key("a");
    let mut out = Vec::new();
    assert!(store.source(&k).read_all(10, &mut out).unwrap());
    right(&out);
    out.fill(0);
    assert!(store.source(&k).read_exactly(&mut out).unwrap());
    right(&out);
    assert_eq!(kind(store.source(&k).read_exactly(&mut out[1..])), Kind::CorruptData);
    out.clear();
    store.source(&k).read_suffix(u64::MAX, &mut out).unwrap();
    right(&out);
}

/// A file system in user space lets a file that is replaced seem absent: to nobody who reads it or
/// changes part of it.
#[test]
fn what_is_replaced_on_a_mounted_directory_is_never_absent() {
    let scratch = Scratch::new();
    let (real, mounted) = (scratch.path("real"), scratch.path("mounted"));
    fs::create_dir(&real).unwrap();
    fs::create_dir(&mounted).unwrap();
    if !Command::new("bindfs").arg(&real).arg(&mounted).status().is_ok_and(|s| s.success()) {
        println!("skipped: bindfs mounts nothing here");
        return;
    }
    let url = format!("{}/x.zarr", mounted.display());
    let store = || opened(&url, Mode::Append).unwrap();
    let replaced = store();
    set(&*replaced, "a/c", &[1; 100]);
    let until = std::time::Instant::now() + std::time::Duration::from_secs(2);
    let runs = || std::time::Instant::now() < until;
    let looks = std::thread::scope(|scope| {
        for store in [store(), store()] {
            scope.spawn(move || {
                while runs() {
                    set(&*store, "a/c", &[1; 100]);
                }
            });
        }
        let mut looks = [0, 0, 0, 0];
        while runs() {
            let key = key("a/c");
            let seen = [
                replaced.get(&key, &mut Vec::new()).unwrap().is_some(),
                replaced.version(&key).unwrap().is_some(),
                replaced.source(&key).read_all(0, &mut Vec::new()).unwrap(),
                replaced.source_to_change(&key).read_all(0, &mut Vec::new()).unwrap(),
            ];
            (0..4).for_each(|n| looks[n] += usize::from(!seen[n]));
        }
        looks
    });
    drop(replaced);
    assert!(Command::new("umount").arg(&mounted).status().unwrap().success());
    assert_eq!(looks, [0; 4], "absent to get, version, source, source_to_change");
}
