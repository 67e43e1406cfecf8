//! Values as rows of an SQLite database, in the table that zarr-python 2 makes:
//! `zarr(k TEXT PRIMARY KEY, v BLOB)`.
//! <https://zarr.readthedocs.io/en/v2.18.3/api/storage.html#zarr.storage.SQLiteStore>
//!
//! Each active thread has its own connection. SQLite serializes writers of any number of processes;
//! each waits as long as the option `timeout` allows. A version is the row number and a hash of the
//! value: a replaced row gets another number.

use crate::error::{Context, Error, Kind, Result};
use crate::fork::Own;
use crate::lock::Acquire;
use crate::source::{ByteSource, in_one_piece, reserve, within};
use crate::store::transaction::{self, Batch, Step};
use crate::store::whole_value::WholeValue;
use crate::store::{
    Blob, Depth, Entry, Key, Mode, Options, Precondition, SharedStore, Store, Version,
    check_prefix, refuse_change, sorted,
};
use rusqlite::config::DbConfig;
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Row, TransactionBehavior, ffi,
};
use std::hash::{DefaultHasher, Hasher};
use std::ops::Bound;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The most idle connections.
const IDLE: usize = 16;

// Keys are compared bytewise, whatever the collation of a table made by others.
const CREATE: &str = "CREATE TABLE IF NOT EXISTS zarr(k TEXT PRIMARY KEY, v BLOB)";
// A damaged database may lead from a key to another key's row, or to none. So the index (`i`) finds
// the row (`t`), and the row's own key is compared. Both are what a plain query reads.
/// The row of a key, whether it is the key's own, and its value: of at most so many bytes, and its
/// length.
const GET: &str = "SELECT i.rowid, t.k IS ?1 COLLATE BINARY, \
                   CASE WHEN octet_length(t.v) <= ?2 THEN t.v END, octet_length(t.v) \
                   FROM zarr i LEFT JOIN zarr t ON t.rowid = i.rowid \
                   WHERE i.k = ?1 COLLATE BINARY";
/// The row of a key, and whether it is the key's own.
const FIND: &str = "SELECT i.rowid, t.k IS ?1 COLLATE BINARY \
                    FROM zarr i LEFT JOIN zarr t ON t.rowid = i.rowid \
                    WHERE i.k = ?1 COLLATE BINARY";
const SET: &str = "REPLACE INTO zarr(k, v) VALUES (?1, ?2)";
const ERASE: &str = "DELETE FROM zarr WHERE k = ?1 COLLATE BINARY";
const CLEAR: &str = "DELETE FROM zarr WHERE k COLLATE BINARY >= ?1 AND k COLLATE BINARY < ?2";
/// Whether a key that [`CLEAR`] deletes has another key's row.
const ASTRAY: &str = "SELECT 1 FROM zarr i LEFT JOIN zarr t ON t.rowid = i.rowid \
                      WHERE i.k COLLATE BINARY >= ?1 AND i.k COLLATE BINARY < ?2 \
                      AND t.k IS NOT i.k COLLATE BINARY LIMIT 1";
const AT: &str = "SELECT k FROM zarr WHERE k COLLATE BINARY >= ?1 ORDER BY k COLLATE BINARY";
const BEHIND: &str = "SELECT k FROM zarr WHERE k COLLATE BINARY > ?1 ORDER BY k COLLATE BINARY";

struct SqliteStore {
    path: PathBuf,
    read_only: bool,
    sync: bool,
    timeout: Duration,
    /// The child of a fork opens its own: SQLite forbids using the parent's.
    idle: Own<Mutex<Vec<Connection>>>,
}

/// Opens the database `blob`.
///
/// [`Kind::NotFound`]: the mode requires an existing one; [`Kind::AlreadyExists`]: the mode
/// requires a new one; [`Kind::CorruptData`]: it is not a database; [`Kind::InvalidArgument`]: it
/// has no such table.
pub fn open(blob: Blob, mode: Mode, options: &Options) -> Result<SharedStore> {
    let path = blob.into_path("SQLite")?;
    let store = SqliteStore {
        read_only: mode == Mode::Read,
        sync: options.sync(),
        timeout: options.time("timeout").unwrap_or_default(),
        idle: Own::new(),
        path,
    };
    let place = || format!("SQLite database {}", store.path.display());
    let creates = !matches!(mode, Mode::Read | Mode::ReadWrite);
    if !creates && !store.path.exists() {
        return Err(Error::new(Kind::NotFound, "the file does not exist")).at(place);
    }
    if creates && let Some(parent) = store.path.parent() {
        std::fs::create_dir_all(parent)
            .map_err(|e| Error::io("creating its directory", &e))
            .at(place)?;
    }
    store.run(place, |db| {
        // not a virtual table, which is code
        let found = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'zarr' \
                     AND rootpage > 0";
        let there = db.query_row(found, (), |_| Ok(())).optional()?.is_some();
        let computed = "SELECT 1 FROM pragma_table_xinfo('zarr') WHERE hidden <> 0";
        if db.query_row(computed, (), |_| Ok(())).optional()?.is_some() {
            return Ok(Err(Error::invalid("its table \"zarr\" has computed columns")));
        }
        if !there && !creates {
            let message = "it has no table \"zarr\" of keys and values";
            return Ok(Err(Error::invalid(message)));
        }
        if mode == Mode::Create
            && there
            && db.query_row("SELECT 1 FROM zarr LIMIT 1", (), |_| Ok(())).optional()?.is_some()
        {
            return Ok(Err(Error::new(Kind::AlreadyExists, "it already contains values")));
        }
        if creates {
            db.execute(CREATE, ())?;
        }
        if mode == Mode::Overwrite {
            db.execute("DELETE FROM zarr", ())?;
        }
        Ok(Ok(()))
    })??;
    Ok(Arc::new(store))
}

impl SqliteStore {
    fn connect(&self) -> rusqlite::Result<Connection> {
        // A reader also opens for writing if permitted: if a writer was killed during a change,
        // SQLite must roll that back before any read.
        let mut access = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        if !self.read_only {
            access |= OpenFlags::SQLITE_OPEN_CREATE;
        }
        let db = Connection::open_with_flags(&self.path, access)?;
        db.busy_timeout(self.timeout)?;
        db.pragma_update(None, "query_only", self.read_only)?;
        // a commit survives the process either way; with FULL also a crash of the machine
        let level = if self.sync { "FULL" } else { "OFF" };
        db.pragma_update(None, "synchronous", level)?;
        // the schema of an untrusted file must not run code
        db.pragma_update(None, "trusted_schema", false)?;
        db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
        db.pragma_update(None, "cell_size_check", true)?;
        Ok(db)
    }

    /// Runs `work` with exclusive use of a connection.
    fn run<T>(
        &self,
        place: impl Fn() -> String,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        let idle = || self.idle.get().acquire();
        let kept = idle().pop();
        let result = kept.map_or_else(|| self.connect(), Ok).and_then(|mut db| {
            let result = work(&mut db);
            let mut idle = idle();
            if idle.len() < IDLE {
                idle.push(db);
            }
            result
        });
        result.map_err(explain).at(place)
    }

    fn place(&self, key: impl std::fmt::Display) -> String {
        format!("{key} of SQLite database {}", self.path.display())
    }

    /// Makes a change to one key if `when` holds.
    fn change<T>(
        &self,
        key: &Key,
        when: &Precondition,
        change: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        if self.read_only {
            return Err(refuse_change(self));
        }
        let done = self.run(
            || self.place(key),
            |db| {
                let change_in = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
                if !when.holds(|| version(&change_in, key))? {
                    return Ok(None);
                }
                let result = change(&change_in)?;
                change_in.commit()?;
                Ok(Some(result))
            },
        )?;
        done.ok_or_else(|| crate::store::conflict(self, key, when))
    }
}

/// The version of a key, as the connection sees it.
fn version(db: &Connection, key: &Key) -> rusqlite::Result<Option<Version>> {
    let mut get = db.prepare_cached(GET)?;
    let found = (key.as_str(), i64::MAX);
    get.query_row(found, |row| Ok(version_of(own(row)?, bytes(row)?))).optional()
}

/// The number of a key's row.
fn find(db: &Connection, key: &str) -> rusqlite::Result<Option<i64>> {
    db.prepare_cached(FIND)?.query_row([key], own).optional()
}

/// The number in a row of [`GET`] or [`FIND`], if the row is the key's own.
fn own(row: &Row<'_>) -> rusqlite::Result<i64> {
    match row.get(1)? {
        true => row.get(0),
        false => Err(damaged("the key leads to another key's row, or to none")),
    }
}

/// Sets a value, and checks that its key leads to it.
fn put(db: &Connection, key: &str, value: &[u8]) -> rusqlite::Result<()> {
    find(db, key)?; // the row that is replaced must not be another key's
    db.prepare_cached(SET)?.execute((key, value))?;
    match find(db, key)? == Some(db.last_insert_rowid()) {
        true => Ok(()),
        false => Err(damaged("the key does not lead to the row that was just written")),
    }
}

/// Deletes a value; returns whether there was one.
fn delete(db: &Connection, key: &str) -> rusqlite::Result<bool> {
    Ok(find(db, key)?.is_some() && db.prepare_cached(ERASE)?.execute([key])? > 0)
}

#[cold]
fn damaged(why: &str) -> rusqlite::Error {
    let message = format!("the database is damaged: {why} (PRAGMA integrity_check tells more)");
    rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CORRUPT), Some(message))
}

/// The value in a row of [`GET`]; text counts as its bytes.
fn bytes<'a>(row: &'a Row<'_>) -> rusqlite::Result<&'a [u8]> {
    use rusqlite::types::ValueRef;
    Ok(match row.get_ref(2)? {
        ValueRef::Blob(bytes) | ValueRef::Text(bytes) => bytes,
        _ => &[],
    })
}

fn version_of(row: i64, value: &[u8]) -> Version {
    let mut hash = DefaultHasher::new();
    hash.write(value);
    let numbers = [row as u64, value.len() as u64, hash.finish()];
    Version::new(numbers.iter().flat_map(|n| n.to_le_bytes()).collect())
}

/// Converts an error of SQLite.
#[cold]
fn explain(error: rusqlite::Error) -> Error {
    let kind = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Kind::CorruptData,
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::ReadOnly) => {
            Kind::PermissionDenied
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Kind::Conflict,
        Some(ErrorCode::OutOfMemory) => Kind::OutOfMemory,
        Some(ErrorCode::TooBig) => Kind::LimitExceeded,
        _ => Kind::Io,
    };
    let extended = error.sqlite_error().map_or(0, |e| e.extended_code);
    let hint = match extended {
        ffi::SQLITE_READONLY_ROLLBACK
        | ffi::SQLITE_READONLY_RECOVERY
        | ffi::SQLITE_READONLY_CANTINIT
        | ffi::SQLITE_READONLY_DIRECTORY
        | ffi::SQLITE_IOERR_DELETE => {
            ": a writer was killed during a change that must be rolled back: open the database \
             once with permission to write it and its directory"
        }
        _ => "",
    };
    Error::new(kind, format!("{error}{hint}"))
}

/// The end of the key range that starts with `prefix`, which ends in `/`; `None`: unbounded.
fn behind(prefix: &str) -> Option<String> {
    prefix.strip_suffix('/').map(|start| [start, "0"].concat())
}

impl Store for SqliteStore {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn read_only(&self) -> bool {
        self.read_only
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        self.get_document(key, u64::MAX, out)
    }

    fn get_document(&self, key: &Key, limit: u64, out: &mut Vec<u8>) -> Result<Option<Version>> {
        let most = i64::try_from(limit).unwrap_or(i64::MAX);
        let there = self.run(
            || self.place(key),
            |db| {
                let mut get = db.prepare_cached(GET)?;
                get.query_row((key.as_str(), most), |row| {
                    let (number, value) = (own(row)?, bytes(row)?);
                    let size = row.get::<_, Option<i64>>(3)?.unwrap_or_default();
                    let room = within(size as u64, limit, crate::store::DOCUMENT)
                        .at(|| self.place(key))
                        .and_then(|()| reserve(out, value.len()));
                    if room.is_ok() {
                        out.extend_from_slice(value);
                    }
                    Ok(room.and(Ok(version_of(number, value))))
                })
                .optional()
            },
        )?;
        there.transpose()
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        Box::new(WholeValue::new(self, key))
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        self.run(|| self.place(key), |db| version(db, key))
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        let value = in_one_piece(parts)?;
        self.change(key, when, |db| put(db, key.as_str(), &value))
    }

    fn erase(&self, key: &Key, when: &Precondition) -> Result<bool> {
        self.change(key, when, |db| delete(db, key.as_str()))
    }

    fn erase_prefix(&self, prefix: &str) -> Result<()> {
        check_prefix(prefix)?;
        if self.read_only {
            return Err(refuse_change(self));
        }
        self.run(
            || self.place(prefix),
            |db| {
                let Some(end) = behind(prefix) else {
                    return db.execute("DELETE FROM zarr", ()).map(drop);
                };
                let all = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
                if all.query_row(ASTRAY, (prefix, &end), |_| Ok(())).optional()?.is_some() {
                    return Err(damaged("a key leads to another key's row, or to none"));
                }
                all.execute(CLEAR, (prefix, &end))?;
                all.commit()
            },
        )
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        let next = &mut |from: Bound<&str>| {
            let (query, key) = match from {
                Bound::Included(key) => (AT, key),
                Bound::Excluded(key) => (BEHIND, key),
                Bound::Unbounded => (AT, ""),
            };
            let find = |db: &mut Connection| -> rusqlite::Result<Option<String>> {
                let mut keys = db.prepare_cached(query)?;
                let mut rows = keys.query([key])?;
                while let Some(row) = rows.next()? {
                    // keys that are not text are skipped
                    if let Ok(key) = row.get_ref(0)?.as_str() {
                        return Ok(Some(key.to_owned()));
                    }
                }
                Ok(None)
            };
            self.run(|| self.place(prefix), find)
        };
        sorted::list(prefix, depth, next, each)
    }

    fn list_damage(&self, each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        let found = self.run(
            || format!("checking SQLite database {}", self.path.display()),
            |db| {
                let mut check = db.prepare("PRAGMA integrity_check")?;
                let found = check.query_map((), |row| row.get(0))?;
                found.collect::<rusqlite::Result<Vec<String>>>() // at most 100
            },
        )?;
        found.iter().filter(|text| *text != "ok").try_for_each(|text| each(text))
    }

    fn begin(self: Arc<Self>) -> Result<SharedStore> {
        transaction::begin(self)
    }
}

impl Batch for SqliteStore {
    fn apply(&self, steps: &[Step]) -> Result<()> {
        let refused = self.run(
            || format!("committing to SQLite database {}", self.path.display()),
            |db| {
                let all = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
                for step in steps {
                    if !step.when.holds(|| version(&all, &step.key))? {
                        return Ok(Some(step));
                    }
                    let key = step.key.as_str();
                    match &step.change {
                        Some(Some(value)) => put(&all, key, value.as_slice())?,
                        Some(None) => drop(delete(&all, key)?),
                        None => {}
                    }
                }
                all.commit()?;
                Ok(None)
            },
        )?;
        match refused {
            Some(step) => Err(crate::store::conflict(self, &step.key, &step.when)),
            None => Ok(()),
        }
    }
}
