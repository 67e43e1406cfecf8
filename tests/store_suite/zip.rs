//! What is particular to zip files.
#![cfg(feature = "zip")]

use super::helpers::*;
use std::fs;
use zarrc::error::Kind;
use zarrc::store::{Depth, Mode, Precondition};

/// What Python's zipfile writes: `d` is deflated, `b` compressed by bzip2, the others stored; `k`
/// is there twice, `dir/` is a directory, `../x` no key.
const FOREIGN: &str = "\
504b030414000000080000002100647a70af060000006400000001000000644b4ca43d0000504b03041400000000000000\
2100000000000000000000000000040000006469722f504b03042e0000000c0000002100e62098362d0000002c01000001\
00000062425a68393141592653599875ac2e0000029100802010000008200020aa6d4198c5478bb9229c28484c3ad61700\
504b030414000000000000002100e5d45d3f0300000003000000010000006b6f6c64504b03041400000000000000210045\
44e36b0300000003000000010000006b6e6577504b0304140000000000000021005b0cf892070000000700000004000000\
2e2e2f7865736361706564504b030414000008000000002100175f4ab6060000000600000002000000c3a4756d6c617574\
504b0102140314000000080000002100647a70af060000006400000001000000000000000000000080010000000064504b\
01021403140000000000000021000000000000000000000000000400000000000000000000008001250000006469722f50\
4b01022e032e0000000c0000002100e62098362d0000002c01000001000000000000000000000080014700000062504b01\
02140314000000000000002100e5d45d3f03000000030000000100000000000000000000008001930000006b504b010214\
03140000000000000021004544e36b03000000030000000100000000000000000000008001b50000006b504b0102140314\
0000000000000021005b0cf89207000000070000000400000000000000000000008001d70000002e2e2f78504b01021403\
14000008000000002100175f4ab60600000006000000020000000000000000000000800100010000c3a4504b0506000000\
000700070050010000260100000000";

fn foreign() -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&FOREIGN[at..at + 2], 16).unwrap();
    (0..FOREIGN.len()).step_by(2).map(digit).collect()
}

#[test]
fn what_others_wrote_is_read_and_kept() {
    let scratch = Scratch::new();
    let url = scratch.url("x.zip");
    let mut before_it = b"something before the file".to_vec();
    before_it.extend(foreign());
    for bytes in [foreign(), before_it] {
        fs::write(scratch.path("x.zip"), &bytes).unwrap();
        for round in 0..2 {
            // by its content, where the extension says nothing
            let url = if round == 0 { &url } else { &format!("{url}|zip:") };
            let store = opened(&format!("zip:{}", scratch.url("x.zip")), Mode::Append).unwrap();
            set(&*store, &format!("new/{round}"), b"1");
            drop(store);
            let store = opened(url, Mode::Read);
            let store = store.or_else(|_| opened(&format!("{url}|zip:"), Mode::Read)).unwrap();
            assert_eq!(get(&*store, "d").unwrap(), [b'a'; 100]);
            assert_eq!(get(&*store, "b").unwrap(), [b'b'; 300]);
            assert_eq!(get(&*store, "k").unwrap(), b"new");
            assert_eq!(get(&*store, "ä").unwrap(), b"umlaut");
            let mut some = [0; 7];
            assert!(store.source(&key("d")).read_at(93, &mut some).unwrap());
            assert_eq!(&some, b"aaaaaaa");
            assert!(
                list(&*store, "", Depth::One).is_superset(&names(&["d", "b", "k", "ä", "new/"]))
            );
            assert_eq!(list(&*store, "", Depth::All).len(), 5 + round);
        }
    }
}

#[test]
fn compressed_entries_are_bounded() {
    let scratch = Scratch::new();
    fs::write(scratch.path("x.zip"), foreign()).unwrap();
    for (limit, kinds) in [("99", [Err(Kind::LimitExceeded); 2]), ("300", [Ok(100), Ok(300)])] {
        let options = options(&[("max_inflated_size", limit)]);
        let store = zarrc::store::open(&scratch.url("x.zip"), Mode::Read, &options).unwrap();
        for (name, expected) in ["d", "b"].into_iter().zip(kinds) {
            let mut out = Vec::new();
            let got = store.get(&key(name), &mut out).map(|_| out.len()).map_err(|e| e.kind());
            assert_eq!(got, expected);
            let part = store.source(&key(name)).read_at(1, &mut [0; 5]);
            assert_eq!(part.map_err(|e| e.kind()), expected.map(|_| true));
            // memory of the caller's own is no memory that a stranger asks for
            let size = if name == "d" { 100 } else { 300 };
            assert!(store.source(&key(name)).read_exactly(&mut vec![0; size]).unwrap());
        }
        assert_eq!(get(&*store, "k").unwrap(), b"new");
    }
}

#[test]
fn garbled_files_are_refused_and_nothing_else() {
    let scratch = Scratch::new();
    let url = format!("zip:{}", scratch.url("x.zip"));
    let whole = foreign();
    for at in 0..whole.len() {
        for change in [0xff, 0x01, 0x80] {
            let mut bytes = whole.clone();
            bytes[at] ^= change;
            fs::write(scratch.path("x.zip"), &bytes).unwrap();
            let Ok(store) = opened(&url, Mode::Read) else { continue };
            for k in list(&*store, "", Depth::All) {
                let mut out = Vec::new();
                let _ = store.get(&key(&k), &mut out);
                assert!(out.len() < 1 << 20, "{at}");
            }
        }
    }
}

#[test]
fn a_writer_that_is_killed_leaves_all_that_it_wrote() {
    let scratch = Scratch::new();
    let url = scratch.url("x.zip");
    {
        let store = opened(&url, Mode::Create).unwrap();
        set(&*store, "old", b"1");
        set(&*store, "gone", b"2");
        set(&*store, "changed", b"3");
    }
    let before = fs::read(scratch.path("x.zip")).unwrap();
    let store = opened(&url, Mode::ReadWrite).unwrap();
    set(&*store, "new/er", &pattern(5000, 1));
    set(&*store, "changed", b"4");
    erase(&*store, "gone");
    let killed = fs::read(scratch.path("x.zip")).unwrap();
    assert!(killed.starts_with(&before), "what was there is not written over");
    drop(store);

    // as it was when it was killed; in the midst of a write; in that of the central directory
    let complete = fs::read(scratch.path("x.zip")).unwrap();
    for (bytes, all) in [
        (&killed[..], true),
        (&complete[..complete.len() - 1], true),
        (&complete[..killed.len() + 50], true),
        (&killed[..before.len() + 1000], false),
        (&killed[..before.len() + 7], false),
    ] {
        fs::write(scratch.path("y.zip"), bytes).unwrap();
        for mode in [Mode::Read, Mode::ReadWrite] {
            let store = opened(&scratch.url("y.zip"), mode).unwrap();
            let names_there = list(&*store, "", Depth::All);
            if all {
                assert_eq!(names_there, names(&["old", "changed", "new/er"]));
                assert_eq!(get(&*store, "changed").unwrap(), b"4");
                assert_eq!(get(&*store, "new/er").unwrap(), pattern(5000, 1));
            } else {
                assert_eq!(names_there, names(&["old", "gone", "changed"]));
                assert_eq!(get(&*store, "changed").unwrap(), b"3");
            }
            assert_eq!(get(&*store, "old").unwrap(), b"1");
        }
        // the second of them has repaired the file for everyone: its directory stands at its end
        let repaired = fs::read(scratch.path("y.zip")).unwrap();
        assert!(repaired[repaired.len() - 22..].starts_with(b"PK\x05\x06"));
        set(&*opened(&scratch.url("y.zip"), Mode::ReadWrite).unwrap(), "after", b"5");
        let store = opened(&scratch.url("y.zip"), Mode::Read).unwrap();
        assert_eq!(get(&*store, "after").unwrap(), b"5");
        assert_eq!(get(&*store, "old").unwrap(), b"1");
        assert_eq!(get(&*store, "gone").is_some(), !all);
    }
}

#[test]
fn a_first_write_cut_off_anywhere_leaves_an_empty_store() {
    let scratch = Scratch::new();
    let store = opened(&scratch.url("x.zip"), Mode::Create).unwrap();
    set(&*store, "key", b"value");
    let bytes = fs::read(scratch.path("x.zip")).unwrap();
    for cut in 0..bytes.len() {
        fs::write(scratch.path("y.zip"), &bytes[..cut]).unwrap();
        let store = opened(&format!("zip:{}", scratch.url("y.zip")), Mode::Read).unwrap();
        assert!(list(&*store, "", Depth::All).is_empty(), "{cut}");
    }
    fs::write(scratch.path("z.zip"), b"PK\x03\x04 but nothing like an entry").unwrap();
    assert_eq!(kind(opened(&scratch.url("z.zip"), Mode::Read)), Kind::CorruptData);
}

#[test]
fn flushes_do_not_pile_up_and_each_leaves_a_complete_file() {
    let scratch = Scratch::new();
    let url = scratch.url("x.zip");
    let store = opened(&url, Mode::Create).unwrap();
    for n in 0..50 {
        set(&*store, &format!("k/{n}"), b"x");
        store.flush().unwrap();
        let other = opened(&url, Mode::Read).unwrap();
        assert_eq!(list(&*other, "k/", Depth::All).len(), n + 1);
    }
    drop(store);
    let size = fs::metadata(scratch.path("x.zip")).unwrap().len();
    assert!(size < 50 * 120, "{size}");
    let bytes = fs::read(scratch.path("x.zip")).unwrap();
    drop(opened(&url, Mode::ReadWrite).unwrap());
    assert!(fs::read(scratch.path("x.zip")).unwrap() == bytes, "to open it changes nothing");
}

#[test]
fn one_handle_writes_and_modes_are_kept() {
    let scratch = Scratch::new();
    let url = scratch.url("x.zip");
    assert_eq!(kind(opened(&url, Mode::ReadWrite)), Kind::NotFound);
    let store = opened(&url, Mode::Append).unwrap();
    set(&*store, "a", b"1");
    assert_eq!(kind(opened(&url, Mode::ReadWrite)), Kind::Conflict);
    drop(store);
    assert_eq!(kind(opened(&url, Mode::Create)), Kind::AlreadyExists);
    let reader = opened(&url, Mode::Read).unwrap();
    assert_eq!(kind(set_when(&*reader, "a", b"2", Precondition::None)), Kind::PermissionDenied);
    let store = opened(&url, Mode::Overwrite).unwrap();
    assert!(list(&*store, "", Depth::All).is_empty());
    assert_eq!(get(&*reader, "a").unwrap(), b"1", "who has the old file open keeps it");
    fs::write(scratch.path("text.zip"), b"{}").unwrap();
    let e = failure(opened(&format!("zip:{}", scratch.url("text.zip")), Mode::Overwrite));
    assert_eq!(e.kind(), Kind::AlreadyExists, "{e}");
    assert_eq!(fs::read(scratch.path("text.zip")).unwrap(), b"{}");
}

#[test]
fn a_zip_file_inside_another_store_is_read() {
    let scratch = Scratch::new();
    let inner = opened(&scratch.url("in.zip"), Mode::Create).unwrap();
    set(&*inner, "a/b", &pattern(100_000, 5));
    drop(inner);
    let memory = opened("memory:zip-inside", Mode::Create).unwrap();
    set(&*memory, "in.zip", &fs::read(scratch.path("in.zip")).unwrap());
    let outer = opened(&scratch.url("out.zip"), Mode::Create).unwrap();
    set(&*outer, "d/in.zip", &fs::read(scratch.path("in.zip")).unwrap());
    drop(outer);
    for url in [
        "memory:zip-inside/in.zip|zip:a".to_owned(),
        "zip://a::memory:zip-inside/in.zip".to_owned(),
        format!("{}|zip:d/in.zip|zip:a/", scratch.url("out.zip")),
        format!("{}|readonly:|zip:|zarr3:a", scratch.url("in.zip")),
    ] {
        let store = opened(&url, Mode::Read).unwrap();
        assert!(get(&*store, "b").unwrap() == pattern(100_000, 5), "{url}");
        let mut part = [0; 10];
        assert!(store.source(&key("b")).read_at(70_000, &mut part).unwrap());
        assert!(part == pattern(100_000, 5)[70_000..70_010]);
        assert_eq!(kind(opened(&url, Mode::ReadWrite)), Kind::PermissionDenied, "{url}");
    }
}

/// A directory that gives one entry the position of another would give a key another key's bytes.
#[test]
fn an_entry_at_another_ones_position_is_refused() {
    let scratch = Scratch::new();
    let mut bytes = foreign();
    // of the newer "k" in the directory, the position of "../x", which is stored too
    let record = [&0xb5u32.to_le_bytes()[..], b"k"].concat();
    let at = bytes.windows(5).position(|window| window == record).unwrap();
    bytes[at..at + 4].copy_from_slice(&0xd7u32.to_le_bytes());
    fs::write(scratch.path("x.zip"), &bytes).unwrap();
    let store = opened(&scratch.url("x.zip"), Mode::Read).unwrap();
    let mut part = [0; 2];
    let refused = store.source(&key("k")).read_at(0, &mut part).unwrap_err();
    assert_eq!(refused.kind(), Kind::CorruptData);
    assert!(refused.to_string().contains("another entry's position"), "{refused}");
    assert_eq!(kind(store.get(&key("k"), &mut Vec::new())), Kind::CorruptData);
    assert_eq!(get(&*store, "ä").unwrap(), b"umlaut");
}
