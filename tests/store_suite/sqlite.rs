//! What is particular to SQLite databases.
#![cfg(feature = "sqlite")]

use super::helpers::*;
use std::fs;
use zarrc::store::{Depth, Mode};

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
