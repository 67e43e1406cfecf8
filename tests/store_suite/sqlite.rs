//! What is particular to SQLite databases.
#![cfg(feature = "sqlite")]

use super::helpers::*;
use crate::common::{hierarchy, path};
use std::fs;
use zarrc::error::Kind;
use zarrc::operations::verify;
use zarrc::progress::Progress;
use zarrc::store::{Depth, Mode, Precondition};

const GROUP: &str = r#"{"zarr_format": 3, "node_type": "group", "attributes": {}}"#;

/// The journal of a change that began with the database `before`: what must be put back.
/// <https://www.sqlite.org/fileformat.html#the_rollback_journal>
fn journal(before: &[u8]) -> Vec<u8> {
    const NONCE: u32 = 0x0123_4567;
    let page = usize::from(u16::from_be_bytes([before[16], before[17]]));
    let pages = before.len() / page;
    let mut journal = vec![0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
    for number in [pages as u32, NONCE, pages as u32, 512, page as u32] {
        journal.extend(number.to_be_bytes());
    }
    journal.resize(512, 0);
    for (n, bytes) in before.chunks(page).enumerate() {
        let looked_at = (1..page / 200 + 1).map(|i| page - 200 * i).filter(|at| *at > 0);
        let checksum = looked_at.fold(NONCE, |sum, at| sum.wrapping_add(bytes[at].into()));
        journal.extend((n as u32 + 1).to_be_bytes());
        journal.extend(bytes);
        journal.extend(checksum.to_be_bytes());
    }
    journal
}

#[test]
fn what_a_killed_writer_left_is_undone_also_to_read() {
    let scratch = Scratch::new();
    let url = scratch.url("x.sqlite");
    let store = opened(&url, Mode::Create).unwrap();
    set(&*store, "a", b"old");
    let before = fs::read(&url).unwrap();
    set(&*store, "a", b"half");
    set(&*store, "b", b"half");
    drop(store);
    for mode in [Mode::Read, Mode::ReadWrite] {
        // open already when the writer is killed, or opened after
        for early in [true, false] {
            fs::write(&url, &before).unwrap();
            let opened_before = early.then(|| opened(&url, mode).unwrap());
            let changed = opened(&url, Mode::ReadWrite).unwrap();
            set(&*changed, "a", b"half");
            set(&*changed, "b", b"half");
            drop(changed);
            fs::write(scratch.path("x.sqlite-journal"), journal(&before)).unwrap();
            let store = opened_before.unwrap_or_else(|| opened(&url, mode).unwrap());
            assert_eq!(get(&*store, "a").unwrap(), b"old", "{mode:?}");
            assert_eq!(list(&*store, "", Depth::All), names(&["a"]));
            assert!(fs::read(&url).unwrap() == before);
            assert!(!scratch.path("x.sqlite-journal").exists());
        }
    }
    let store = opened(&url, Mode::Read).unwrap();
    assert!(store.read_only() && store.erase_prefix("").is_err());
}

#[test]
fn a_database_of_a_stranger_runs_nothing() {
    let scratch = Scratch::new();
    let table = "CREATE TABLE zarr(k TEXT PRIMARY KEY, v BLOB)";
    let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
    let trigger = format!("{table}; CREATE TRIGGER t BEFORE INSERT ON zarr BEGIN {endless}; END");
    rusqlite::Connection::open(scratch.path("t.sqlite")).unwrap().execute_batch(&trigger).unwrap();
    let store = opened(&scratch.url("t.sqlite"), Mode::ReadWrite).unwrap();
    set(&*store, "a", b"value");
    assert_eq!(get(&*store, "a").unwrap(), b"value");
    // values that are computed when they are read, of any size
    let computed = "CREATE TABLE zarr(k TEXT PRIMARY KEY, v BLOB AS (zeroblob(900000000)));
                    INSERT INTO zarr(k) VALUES ('a')";
    rusqlite::Connection::open(scratch.path("c.sqlite")).unwrap().execute_batch(computed).unwrap();
    let refused = opened(&scratch.url("c.sqlite"), Mode::Read).err().unwrap();
    assert!(refused.to_string().contains("computed columns"), "{refused}");
    let view = "CREATE VIEW zarr(k, v) AS SELECT 'a', randomblob(900000000)";
    rusqlite::Connection::open(scratch.path("v.sqlite")).unwrap().execute_batch(view).unwrap();
    assert!(opened(&scratch.url("v.sqlite"), Mode::Read).is_err());
}

/// A damaged index leads from "p/b" to the row of "p/c", or to none: nobody receives or loses another
/// key's value.
#[test]
fn a_key_never_leads_to_another_ones_row() {
    let scratch = Scratch::new();
    let url = scratch.url("d.sqlite");
    let store = opened(&url, Mode::Create).unwrap();
    for (k, value) in [("p/a", "1"), ("p/b", "2"), ("p/c", "3"), ("zarr.json", GROUP)] {
        set(&*store, k, value.as_bytes());
    }
    drop(store);
    let sound = fs::read(&url).unwrap();
    // a record of the index: its header's length, the types of key and row number, both
    let record = [&[3, 13 + 2 * 3, 1][..], b"p/b", &[2]].concat();
    let at = sound.windows(record.len()).position(|window| window == record).unwrap();
    for row in [3, 100] {
        let mut bytes = sound.clone();
        bytes[at + record.len() - 1] = row;
        fs::write(&url, &bytes).unwrap();
        let store = opened(&url, Mode::ReadWrite).unwrap();
        let (b, mut out) = (key("p/b"), Vec::new());
        let refused = store.get(&b, &mut out).unwrap_err();
        assert!(refused.to_string().contains("the database is damaged"), "{refused}");
        for refused in [
            store.get(&b, &mut out).map(drop),
            store.version(&b).map(drop),
            store.set(&b, &[b"new"], &Precondition::None),
            store.erase(&b, &Precondition::None).map(drop),
            store.erase_prefix("p/"),
        ] {
            assert_eq!(kind(refused), Kind::CorruptData, "row {row}");
        }
        let t = store.clone().begin().unwrap();
        t.erase_prefix("p/").map(|()| t.commit(None)).and_then(|done| done).unwrap_err();
        assert_eq!(get(&*store, "p/a").unwrap(), b"1");
        assert_eq!(get(&*store, "p/c").unwrap(), b"3");
        set(&*store, "p/d", b"4");
        // what sqlite3's own check finds
        let database = rusqlite::Connection::open(&url).unwrap();
        let mut check = database.prepare("PRAGMA integrity_check").unwrap();
        let expected: Vec<String> =
            check.query_map((), |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let report = verify(&hierarchy(&store, &[]), &path(""), &Progress::silent()).unwrap();
        let found = report.problems.iter().filter(|problem| problem.kind == "store");
        let mut found: Vec<&str> = found.map(|problem| problem.message.as_str()).collect();
        found.sort_by_key(|text| expected.iter().position(|other| other == text));
        assert!(!expected.is_empty() && found == expected, "{found:?}");
    }
    fs::write(&url, &sound).unwrap();
    let store = opened(&url, Mode::Read).unwrap();
    let report = verify(&hierarchy(&store, &[]), &path(""), &Progress::silent()).unwrap();
    assert!(report.problems.iter().all(|problem| problem.kind != "store"), "{report:?}");
}
