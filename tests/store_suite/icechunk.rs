//! What is particular to Icechunk repositories.
#![cfg(feature = "icechunk")]

use super::helpers::*;
use crate::common::path;
use std::path::Path;
use std::sync::Arc;
use zarrc::array::MemoryType;
use zarrc::error::Kind;
use zarrc::hierarchy::Hierarchy;
use zarrc::selection::Region;
use zarrc::store::{Depth, Mode, Precondition, SharedStore, open};
use zarrc::strided::{Number, ViewMut};

const GROUP: &[u8] = br#"{"zarr_format":3,"node_type":"group","attributes":{}}"#;

/// The document of an array of 4 by 4 chunks.
fn array(fill: u8) -> Vec<u8> {
    let text = r#"{"zarr_format":3,"node_type":"array","shape":[4,4],"data_type":"uint8","chunk_grid":{"name":
        "regular","configuration":{"chunk_shape":[1,1]}},"chunk_key_encoding":{"name":"default"},"codecs":[],"fill_value":"#;
    format!("{text}{fill}}}").into_bytes()
}

/// A repository of either format, with a group `g`, arrays `a` and `g/b`, and two chunks; and the
/// store that it is in.
fn for_each_repository(name: &str, test: fn(&str, &SharedStore)) {
    let scratch = Scratch::new();
    for format in ["1", "2"] {
        for home in [scratch.url(&format!("of {format}")), format!("memory:{name}-{format}")] {
            let kept = opened(&home, Mode::Append).unwrap();
            let url = format!("{home}|icechunk:");
            let store = open(&url, Mode::Create, &options(&[("icechunk_format", format)])).unwrap();
            set(&*store, "zarr.json", GROUP);
            set(&*store, "g/zarr.json", GROUP);
            set(&*store, "a/zarr.json", &array(1));
            set(&*store, "g/b/zarr.json", &array(2));
            set(&*store, "a/c/0/0", b"small");
            set(&*store, "a/c/3/1", &pattern(5000, 1));
            store.flush().unwrap();
            test(&url, &kept);
        }
    }
}

#[test]
fn keys_and_values() {
    for_each_repository("keys", |url, _| {
        let store = opened(url, Mode::Read).unwrap();
        let large = pattern(5000, 1);
        assert_eq!(get(&*store, "zarr.json").unwrap(), GROUP);
        assert_eq!(get(&*store, "a/c/0/0").unwrap(), b"small");
        assert_eq!(get(&*store, "a/c/3/1").unwrap(), large);
        for absent in [
            "a",
            "a/c",
            "a/c/0",
            "a/c/0/1",
            "a/c/9/9",
            "x/c/0",
            "g/c/0/0",
            ".zgroup",
            "x/zarr.json",
        ] {
            assert_eq!(get(&*store, absent), None, "{absent}");
            assert_eq!(store.version(&key(absent)).unwrap(), None, "{absent}");
        }
        let k = key("a/c/3/1");
        let source = store.source(&k);
        assert_eq!(source.len().unwrap(), Some(5000));
        let mut part = [0; 10];
        assert!(source.read_at(4990, &mut part).unwrap() && part == large[4990..]);
        assert_eq!(kind(source.read_at(4991, &mut part)), Kind::CorruptData);
        assert_eq!(kind(source.read_exactly(&mut part)), Kind::CorruptData);
        let mut tail = Vec::new();
        assert_eq!(source.read_suffix(3, &mut tail).unwrap(), Some(5000));
        assert_eq!(tail, large[4997..]);
        let level = |prefix| list(&*store, prefix, Depth::One);
        assert_eq!(level(""), names(&["zarr.json", "a/", "g/"]));
        assert_eq!(level("g/"), names(&["zarr.json", "b/"]));
        assert_eq!(level("g/b/"), names(&["zarr.json"]));
        assert_eq!(level("a/"), names(&["zarr.json", "c/"]));
        assert_eq!(level("a/c/"), names(&["0/", "3/"]));
        assert_eq!(level("a/c/3/"), names(&["1"]));
        assert_eq!(level("x/"), names(&[]));
        assert_eq!(list(&*store, "a/", Depth::All), names(&["zarr.json", "c/0/0", "c/3/1"]));
        assert_eq!(list(&*store, "", Depth::All).len(), 6);
        assert!(store.has_prefix("a/c/3/").unwrap() && !store.has_prefix("a/c/2/").unwrap());
        assert_eq!(
            kind(set_when(&*store, "zarr.json", GROUP, Precondition::None)),
            Kind::PermissionDenied
        );
        // a path behind the colon, as a store of its own
        let inside = opened(&format!("{url}@branch.main/a"), Mode::Read).unwrap();
        assert_eq!(get(&*inside, "c/0/0").unwrap(), b"small");
    });
}

#[test]
fn changes_are_seen_by_others_once_they_are_committed() {
    for_each_repository("changes", |url, home| {
        let reader = opened(url, Mode::Read).unwrap();
        let writer = opened(url, Mode::ReadWrite).unwrap();
        let before = version(&*writer, "a/c/0/0");
        set(&*writer, "a/c/0/0", b"newer");
        set(&*writer, "a/c/1/1", &pattern(900, 2));
        assert!(erase(&*writer, "a/c/3/1") && !erase(&*writer, "a/c/3/1") && !erase(&*writer, "x"));
        writer.erase_prefix("g/").unwrap();
        // of a version
        let old = Precondition::Version(before);
        assert_eq!(kind(set_when(&*writer, "a/c/0/0", b"lost", old)), Kind::Conflict);
        assert_eq!(
            kind(set_when(&*writer, "a/c/0/0", b"lost", Precondition::Absent)),
            Kind::Conflict
        );
        set_when(&*writer, "a/c/2/2", b"first", Precondition::Absent).unwrap();
        let now = Precondition::Version(version(&*writer, "a/c/1/1"));
        set_when(&*writer, "a/c/1/1", &pattern(901, 2), now).unwrap();
        let there = ["zarr.json", "a/zarr.json", "a/c/0/0", "a/c/1/1", "a/c/2/2"];
        assert_eq!(list(&*writer, "", Depth::All), names(&there));
        // another handle opened now, or one that was open, is where the branch is
        let other = opened(url, Mode::Read).unwrap();
        assert_eq!(get(&*other, "a/c/0/0").unwrap(), b"small");
        writer.flush().unwrap();
        writer.flush().unwrap();
        assert_eq!(get(&*other, "a/c/0/0").unwrap(), b"small");
        other.forget("").unwrap();
        for store in [&other, &opened(url, Mode::Read).unwrap(), &writer] {
            assert_eq!(list(&**store, "", Depth::All), names(&there));
            assert_eq!(get(&**store, "a/c/0/0").unwrap(), b"newer");
            assert_eq!(get(&**store, "a/c/1/1").unwrap(), pattern(901, 2));
        }
        // after a commit it goes on
        set(&*writer, "a/c/0/0", b"newest");
        writer.erase_prefix("a/c/2/").unwrap();
        writer.flush().unwrap();
        // what is not committed is lost, and nothing else
        set(&*writer, "a/c/0/0", b"gone");
        drop(writer);
        let store = opened(url, Mode::Read).unwrap();
        assert_eq!(get(&*store, "a/c/0/0").unwrap(), b"newest");
        assert_eq!(get(&*store, "a/c/2/2"), None);
        // the history stays
        assert_eq!(get(&*reader, "a/c/0/0").unwrap(), b"small");
        let snapshots = list(&**home, "snapshots/", Depth::One);
        assert!(snapshots.len() >= 4);
        let mut seen = Vec::new();
        for id in &snapshots {
            let old = opened(&format!("{url}@{id}/"), Mode::Read).unwrap();
            seen.extend(get(&*old, "a/c/0/0"));
            let same = open(url, Mode::Read, &options(&[("snapshot", id)])).unwrap();
            assert_eq!(get(&*same, "a/c/0/0"), get(&*old, "a/c/0/0"));
        }
        seen.sort();
        assert_eq!(seen, [&b"newer"[..], b"newest", b"small"]);
    });
}

#[test]
fn writers_of_other_chunks_both_get_theirs_in_and_those_of_one_do_not() {
    for_each_repository("conflicts", |url, _| {
        let (first, second) =
            (opened(url, Mode::ReadWrite).unwrap(), opened(url, Mode::ReadWrite).unwrap());
        set(&*first, "a/c/0/1", b"first");
        set(&*second, "a/c/0/2", b"second");
        set(&*second, "g/b/c/0/0", b"second");
        first.flush().unwrap();
        second.flush().unwrap();
        assert_eq!(get(&*second, "a/c/0/1").unwrap(), b"first");
        let third = opened(url, Mode::ReadWrite).unwrap();
        set(&*first, "a/c/0/1", b"1");
        first.flush().unwrap();
        set(&*third, "a/c/0/1", b"3");
        let e = failure(third.flush());
        assert!(e.kind() == Kind::Conflict && e.to_string().contains("branch main"), "{e}");
        assert_eq!(get(&*third, "a/c/0/1").unwrap(), b"3", "it is kept");
        let now = opened(url, Mode::Read).unwrap();
        assert_eq!(get(&*now, "a/c/0/1").unwrap(), b"1");
        assert_eq!(get(&*now, "a/c/0/2").unwrap(), b"second");
        assert_eq!(get(&*now, "g/b/c/0/0").unwrap(), b"second");
    });
}

#[test]
fn modes_branches_and_what_there_is_not() {
    for_each_repository("modes", |url, home| {
        assert_eq!(kind(opened(url, Mode::Create)), Kind::AlreadyExists);
        for (rest, mode, expected) in [
            ("@branch.other/", Mode::Read, Kind::NotFound),
            ("@branch.other/", Mode::ReadWrite, Kind::NotFound),
            ("@tag.v1", Mode::Read, Kind::NotFound),
            ("@tag.v1", Mode::ReadWrite, Kind::PermissionDenied),
            ("@00000000000000000000", Mode::Read, Kind::NotFound),
            ("@nonsense", Mode::Read, Kind::InvalidArgument),
            ("@head.x", Mode::Read, Kind::InvalidArgument),
        ] {
            let e = failure(opened(&format!("{url}{rest}"), mode));
            assert!(e.kind() == expected, "{rest}: {:?} {e}", e.kind());
        }
        let both = options(&[("branch", "x"), ("tag", "y")]);
        assert_eq!(kind(open(url, Mode::Read, &both)), Kind::InvalidArgument);
        // a branch begins where main is, and leaves it alone
        let other = opened(&format!("{url}@branch.other/"), Mode::Append).unwrap();
        assert_eq!(get(&*other, "a/c/0/0").unwrap(), b"small");
        set(&*other, "a/c/0/0", b"other");
        other.flush().unwrap();
        let other = open(url, Mode::Read, &options(&[("branch", "other")])).unwrap();
        assert_eq!(get(&*other, "a/c/0/0").unwrap(), b"other");
        assert_eq!(get(&*opened(url, Mode::Read).unwrap(), "a/c/0/0").unwrap(), b"small");
        // what a repository has no place for
        let store = opened(url, Mode::ReadWrite).unwrap();
        let dotted =
            String::from_utf8(array(0)).unwrap().replace(r#""name":"default""#, r#""name":"v2""#);
        for (k, value) in [
            ("a/0.0", &b"x"[..]),
            (".zgroup", b"{}"),
            ("x/zarr.json", dotted.as_bytes()),
            ("x/zarr.json", b"{"),
        ] {
            let result = set_when(&*store, k, value, Precondition::None);
            assert_eq!(kind(result), Kind::Unsupported, "{k}");
        }
        assert_eq!(
            kind(set_when(&*store, "a/c/4/0", b"x", Precondition::None)),
            Kind::InvalidArgument
        );
        assert_eq!(kind(store.erase(&key("g/zarr.json"), &Precondition::None)), Kind::Unsupported);
        // a chunk that is missing is an error
        home.erase_prefix("chunks/").unwrap();
        let e = failure(opened(url, Mode::Read).unwrap().get(&key("a/c/3/1"), &mut Vec::new()));
        assert!(e.kind() == Kind::CorruptData && e.to_string().contains("chunks/"), "{e}");
        // what is overwritten is so once it is committed
        let empty = opened(url, Mode::Overwrite).unwrap();
        assert_eq!(list(&*empty, "", Depth::All), names(&[]));
        assert_eq!(list(&*opened(url, Mode::Read).unwrap(), "", Depth::All).len(), 6);
        empty.flush().unwrap();
        assert_eq!(list(&*opened(url, Mode::Read).unwrap(), "", Depth::All), names(&[]));
        drop(empty);
        home.erase_prefix("").unwrap();
        assert_eq!(kind(opened(url, Mode::Read)), Kind::NotFound);
        assert_eq!(kind(opened(url, Mode::ReadWrite)), Kind::NotFound);
    });
}

/// Many threads read, and change each a chunk of their own.
#[test]
fn threads_share_a_session() {
    for_each_repository("threads", |url, _| {
        let store = opened(url, Mode::ReadWrite).unwrap();
        std::thread::scope(|scope| {
            for n in 0..16u8 {
                let store = &store;
                scope.spawn(move || {
                    let k = format!("g/b/c/{}/{}", n / 4, n % 4);
                    for size in [10, 2000] {
                        set(&**store, &k, &pattern(size, n));
                        assert_eq!(get(&**store, &k).unwrap(), pattern(size, n));
                        assert_eq!(get(&**store, "a/c/0/0").unwrap(), b"small");
                    }
                });
            }
        });
        store.flush().unwrap();
        let store = opened(url, Mode::Read).unwrap();
        for n in 0..16u8 {
            let k = format!("g/b/c/{}/{}", n / 4, n % 4);
            assert_eq!(get(&*store, &k).unwrap(), pattern(2000, n));
        }
    });
}

/// The elements of an array as numbers in C order.
fn elements(hierarchy: &Arc<Hierarchy>, name: &str) -> Vec<f64> {
    let node = hierarchy.open_array(&path(name)).unwrap();
    let shape = node.array.shape();
    let counts: Vec<usize> = shape.iter().map(|&n| n as usize).collect();
    let mut block = vec![0; counts.iter().product::<usize>() * 8];
    let dst = ViewMut::contiguous(&mut block, &counts, 8).unwrap();
    let memory = MemoryType::Number(Number::Float64);
    node.array.read(&Region::whole(&shape), memory, dst).unwrap();
    block.as_chunks().0.iter().map(|bytes| f64::from_ne_bytes(*bytes)).collect()
}

fn flat(value: &serde_json::Value) -> Vec<f64> {
    match value.as_array() {
        Some(all) => all.iter().flat_map(flat).collect(),
        None => vec![value.as_f64().unwrap()],
    }
}

/// Repositories that icechunk-python wrote, at each branch, tag and snapshot; and a commit on top.
#[test]
fn repositories_of_icechunk_python() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/icechunk");
    let text = std::fs::read(data.join("expected.json")).unwrap();
    let expected: serde_json::Value = serde_json::from_slice(&text).unwrap();
    for (format, references) in expected.as_object().unwrap() {
        let scratch = Scratch::new();
        let mut copy = std::process::Command::new("cp");
        copy.arg("-r").arg(data.join(format)).arg(scratch.path("x"));
        assert!(copy.status().unwrap().success());
        for (reference, root) in references.as_object().unwrap() {
            let url = format!("{}|icechunk:@{reference}/", scratch.url("x"));
            let options = options(&[]);
            let store = open(&url, Mode::Read, &options).unwrap();
            let hierarchy = Arc::new(Hierarchy::new(store, &options));
            let group = hierarchy.open_group(&path("")).unwrap();
            let attributes = group.attributes().read(|all| Ok(all.to_json())).unwrap();
            let attributes: serde_json::Value = serde_json::from_str(&attributes).unwrap();
            assert_eq!(attributes, root["attributes"]);
            let arrays = root["arrays"].as_object().unwrap();
            for (name, values) in arrays {
                assert_eq!(elements(&hierarchy, name), flat(values), "{format} {reference} {name}");
            }
            let lists = |name: &str| hierarchy.open_array(&path(name)).is_ok();
            for name in ["a", "g/large", "g/moved", "s", "shards"] {
                assert_eq!(lists(name), arrays.contains_key(name), "{format} {reference} {name}");
            }
        }
        let url = format!("{}|icechunk:", scratch.url("x"));
        let store = opened(&url, Mode::ReadWrite).unwrap();
        set(&*store, "b/zarr.json", &array(3));
        store.flush().unwrap();
        let options = options(&[]);
        let store = open(&url, Mode::Read, &options).unwrap();
        let hierarchy = Arc::new(Hierarchy::new(store, &options));
        assert_eq!(elements(&hierarchy, "b"), [3.0; 16]);
        assert_eq!(elements(&hierarchy, "a"), flat(&references["branch.main"]["arrays"]["a"]));
    }
}
