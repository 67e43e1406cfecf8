//! Values in an LMDB environment, keys and values as they are in its main database: zarr-python 2's
//! layout.
//! <http://www.lmdb.tech/doc/> and
//! <https://zarr.readthedocs.io/en/v2.18.3/api/storage.html#zarr.storage.LMDBStore>
//!
//! - An environment is a directory with `data.mdb`, or that file alone under any name.
//! - LMDB's lock file coordinates readers and writers of all processes. A read-only environment
//!   without a lock file is read without making one.
//! - A version is a hash of the value: setting the same bytes again is not seen as a change.
//! - **LMDB trusts its files**: a malicious one can do harm. Do not open untrusted files.
#![allow(unsafe_code)] // a memory map of a file that others could truncate; see `environment`

use crate::error::{Context, Error, Kind, Result};
use crate::fork::Lock;
use crate::source::{ByteSource, in_one_piece, reserve};
use crate::store::transaction::{self, Batch, Step};
use crate::store::whole_value::{WholeValue, version_of};
use crate::store::{
    Blob, Depth, Entry, Key, Mode, Options, Precondition, SharedStore, Store, Version,
    check_prefix, refuse_change, sorted,
};
use heed::types::Bytes;
use heed::{CommitOrAbort, Database, Env, EnvFlags, EnvOpenOptions, MdbError, WithoutTls};
use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

/// The most simultaneous readers of all processes, if this one makes the lock file.
const READERS: u32 = 1024;

/// The map of an environment of which no size is asked for, and the smallest that will do where
/// addresses are few, as below a limit of a batch system (`ulimit -v`).
const MAP: (usize, usize) = (1 << 40, 64 << 20);

/// How long to wait for another thread that closes the environment (ms).
const CLOSING: u32 = 1000;

struct LmdbStore {
    path: PathBuf,
    environment: Arc<Environment>,
    values: Values,
    read_only: bool,
}

/// The main database.
type Values = Database<'static, Bytes, Bytes>;

/// An open environment: one per process, as LMDB requires.
struct Environment {
    env: ManuallyDrop<Env<WithoutTls>>,
    values: OnceLock<Values>,
    writes: bool,
}

/// Held while an environment is opened or closed: heed holds a lock then, which a fork must not
/// leave locked in the child.
static OPEN: Lock<BTreeMap<PathBuf, Weak<Environment>>> = Lock::new(BTreeMap::new());

impl Drop for Environment {
    fn drop(&mut self) {
        let mut open = OPEN.write();
        // SAFETY: it is not used again.
        unsafe { ManuallyDrop::drop(&mut self.env) };
        open.retain(|_, environment| !std::ptr::eq(environment.as_ptr(), self));
    }
}

/// Opens the environment `blob`.
///
/// [`Kind::NotFound`]: the mode requires an existing one; [`Kind::AlreadyExists`]: the mode
/// requires a new one; [`Kind::CorruptData`]: it is not LMDB; [`Kind::Conflict`]: this process has
/// it open read-only.
pub fn open(blob: Blob, mode: Mode, options: &Options) -> Result<SharedStore> {
    let path = blob.into_path("LMDB")?;
    let place = || format!("LMDB environment {}", path.display());
    let environment = environment(&path, mode, options).at(place)?;
    let values = environment.values().at(place)?;
    let read_only = mode == Mode::Read;
    let store = LmdbStore { environment, values, read_only, path: path.clone() };
    match mode {
        Mode::Create if store.has_prefix("")? => {
            return Err(Error::new(Kind::AlreadyExists, "it already contains values")).at(place);
        }
        Mode::Overwrite => store.erase_prefix("")?,
        _ => {}
    }
    Ok(Arc::new(store))
}

fn environment(path: &Path, mode: Mode, options: &Options) -> Result<Arc<Environment>> {
    let failed = |e: std::io::Error| Error::io("opening", &e);
    let writes = mode != Mode::Read;
    let creates = !matches!(mode, Mode::Read | Mode::ReadWrite);
    let mut flags = EnvFlags::empty();
    let is_file = match path.metadata() {
        Ok(there) => there.is_file(),
        Err(_) if creates => {
            let directory = options.is("subdir");
            let made = if directory { Some(path) } else { path.parent() };
            made.map_or(Ok(()), std::fs::create_dir_all).map_err(failed)?;
            !directory
        }
        Err(e) => return Err(failed(e)),
    };
    let data = if is_file { path.to_owned() } else { path.join("data.mdb") };
    if !creates && !data.is_file() {
        return Err(Error::new(Kind::NotFound, "data.mdb does not exist"));
    }
    if is_file {
        flags |= EnvFlags::NO_SUB_DIR;
    }
    let mut lock = data.clone().into_os_string();
    lock.push("-lock");
    let lock = if is_file { PathBuf::from(lock) } else { path.join("lock.mdb") };
    if !writes {
        flags |= EnvFlags::READ_ONLY;
        if !lock.exists() {
            flags |= EnvFlags::NO_LOCK; // there is no writer, and none is excluded
        }
    } else if !options.sync() {
        flags |= EnvFlags::NO_SYNC;
    }

    let name = || data.canonicalize().unwrap_or_else(|_| data.clone());
    let mut open = OPEN.write();
    let mut found = None;
    for _ in 0..CLOSING {
        match open.get(&name()).map(Weak::upgrade) {
            Some(None) => {
                // another thread is about to close it
                drop(open);
                std::thread::sleep(Duration::from_millis(1));
                open = OPEN.write();
            }
            there => {
                found = there.flatten();
                break;
            }
        }
    }
    let environment = match found {
        Some(environment) => environment,
        None => {
            let env = map(path, flags, options.number("map_size"))?;
            let (env, values) = (ManuallyDrop::new(env), OnceLock::new());
            let environment = Arc::new(Environment { env, values, writes });
            open.insert(name(), Arc::downgrade(&environment));
            environment
        }
    };
    drop(open);
    if writes && !environment.writes {
        let message = "this process has it open for reading: close that store first";
        return Err(Error::new(Kind::Conflict, message));
    }
    Ok(environment)
}

/// Opens an environment with a map of `asked` bytes, or of as many as there are addresses for.
fn map(path: &Path, flags: EnvFlags, asked: Option<u64>) -> Result<Env<WithoutTls>> {
    let asked = asked.filter(|&size| size != u64::MAX);
    let (mut size, least) = match asked.map(|size| usize::try_from(size).unwrap_or(usize::MAX)) {
        Some(size) => (size - size % (64 << 10), size),
        None => MAP,
    };
    let mut settings = EnvOpenOptions::new().read_txn_without_tls();
    loop {
        settings.map_size(size).max_readers(READERS);
        // SAFETY: LMDB's lock file coordinates its users; the documentation of the store
        // requires that nothing else changes the file meanwhile.
        match unsafe { settings.flags(flags).open(path) } {
            // valgrind says EINVAL
            Err(heed::Error::Io(e))
                if size > least
                    && matches!(e.raw_os_error(), Some(libc::ENOMEM | libc::EINVAL)) =>
            {
                size /= 2;
            }
            result => return result.map_err(explain),
        }
    }
}

impl Environment {
    /// The main database. Creating it waits for writers of other processes.
    fn values(&self) -> Result<Values> {
        if let Some(values) = self.values.get() {
            return Ok(*values);
        }
        let values = if self.writes {
            let change = self.env.write_txn().map_err(explain)?;
            let made = self.env.create_databases_and_commit(change, |databases, change| {
                databases.create_database(change, None).map(CommitOrAbort::<_, ()>::Commit)
            });
            made.map_err(explain)?.commit()
        } else {
            let read = self.env.read_txn().map_err(explain)?;
            let found = self.env.open_databases_and_commit(read, |databases, read| {
                databases.open_database(read, None).map(CommitOrAbort::<_, ()>::Commit)
            });
            found.map_err(explain)?.commit().flatten()
        };
        let values = values.ok_or_else(|| Error::corrupt("it has no main database"))?;
        Ok(*self.values.get_or_init(|| values))
    }
}

/// Converts an error of LMDB.
#[cold]
fn explain(error: heed::Error) -> Error {
    if let heed::Error::Io(e) = &error {
        return match e.raw_os_error() {
            Some(code) => Error::system("LMDB", code),
            None => Error::new(Kind::Io, e.to_string()),
        };
    }
    let heed::Error::Mdb(what) = &error else { return Error::new(Kind::Io, error.to_string()) };
    let kind = match what {
        MdbError::Invalid | MdbError::Corrupted | MdbError::PageNotFound => Kind::CorruptData,
        MdbError::VersionMismatch | MdbError::Incompatible => Kind::Unsupported,
        MdbError::MapFull | MdbError::ReadersFull => Kind::LimitExceeded,
        MdbError::BadValSize => Kind::InvalidArgument,
        _ => Kind::Io,
    };
    let hint = match what {
        MdbError::MapFull => " (raise the option map_size)",
        MdbError::MapResized => " (another process made it larger: open it again)",
        MdbError::BadValSize => " (a key has at most 511 bytes)",
        _ => "",
    };
    Error::new(kind, format!("{error}{hint}"))
}

impl LmdbStore {
    fn place(&self, key: impl std::fmt::Display) -> String {
        format!("{key} of LMDB environment {}", self.path.display())
    }

    /// Calls `read` with the value of a key; `None`: it is absent.
    fn with<T>(&self, key: &Key, read: impl FnOnce(&[u8]) -> Result<T>) -> Result<Option<T>> {
        let values = &self.values;
        let value = || -> Result<Option<T>> {
            let transaction = self.environment.env.read_txn().map_err(explain)?;
            let found = values.get(&transaction, key.as_str().as_bytes()).map_err(explain)?;
            found.map(read).transpose()
        };
        value().at(|| self.place(key))
    }

    fn change<T>(
        &self,
        place: impl std::fmt::Display,
        change: impl FnOnce(&Values, &mut heed::RwTxn<'_>) -> heed::Result<Option<T>>,
    ) -> Result<Option<T>> {
        if self.read_only {
            return Err(refuse_change(self));
        }
        let work = || -> heed::Result<Option<T>> {
            let mut transaction = self.environment.env.write_txn()?;
            let result = change(&self.values, &mut transaction)?;
            transaction.commit()?;
            Ok(result)
        };
        work().map_err(explain).at(|| self.place(place))
    }

    /// A change to one key, if `when` holds.
    fn change_key<T>(
        &self,
        key: &Key,
        when: &Precondition,
        change: impl FnOnce(&Values, &mut heed::RwTxn<'_>) -> heed::Result<T>,
    ) -> Result<T> {
        let done = self.change(key, |values, transaction| {
            match when.holds(|| version(values, transaction, key))? {
                true => change(values, transaction).map(Some),
                false => Ok(None),
            }
        })?;
        done.ok_or_else(|| crate::store::conflict(self, key, when))
    }
}

/// The version of a key, as the transaction sees it.
fn version(
    values: &Values,
    transaction: &heed::RwTxn<'_>,
    key: &Key,
) -> heed::Result<Option<Version>> {
    Ok(values.get(transaction, key.as_str().as_bytes())?.map(version_of))
}

impl Store for LmdbStore {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn read_only(&self) -> bool {
        self.read_only
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        self.with(key, |value| {
            reserve(out, value.len())?;
            out.extend_from_slice(value);
            Ok(version_of(value))
        })
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        Box::new(WholeValue::new(self, key))
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        self.with(key, |value| Ok(version_of(value)))
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        let value = in_one_piece(parts)?;
        self.change_key(key, when, |values, transaction| {
            values.put(transaction, key.as_str().as_bytes(), &value)
        })
    }

    fn erase(&self, key: &Key, when: &Precondition) -> Result<bool> {
        self.change_key(key, when, |values, transaction| {
            values.delete(transaction, key.as_str().as_bytes())
        })
    }

    fn erase_prefix(&self, prefix: &str) -> Result<()> {
        check_prefix(prefix)?;
        self.change(prefix, |values, transaction| {
            match prefix.strip_suffix('/') {
                None => values.clear(transaction)?,
                // '0' comes right after '/'
                Some(start) => {
                    let end = [start, "0"].concat();
                    let range =
                        (Bound::Included(prefix.as_bytes()), Bound::Excluded(end.as_bytes()));
                    values.delete_range(transaction, &range)?;
                }
            }
            Ok(Some(()))
        })
        .map(|_| ())
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        let next = &mut |from: Bound<&str>| {
            let find = || -> heed::Result<Option<String>> {
                let transaction = self.environment.env.read_txn()?;
                let start = match from {
                    Bound::Included("") => Bound::Unbounded, // LMDB has no empty keys
                    from => from.map(str::as_bytes),
                };
                let range = (start, Bound::<&[u8]>::Unbounded);
                for found in self.values.range(&transaction, &range)? {
                    // keys that are not text are skipped
                    if let Ok(key) = std::str::from_utf8(found?.0) {
                        return Ok(Some(key.to_owned()));
                    }
                }
                Ok(None)
            };
            find().map_err(explain).at(|| self.place(prefix))
        };
        sorted::list(prefix, depth, next, each)
    }

    fn begin(self: Arc<Self>) -> Result<SharedStore> {
        transaction::begin(self)
    }
}

impl Batch for LmdbStore {
    fn apply(&self, steps: &[Step]) -> Result<()> {
        let mut refused = None;
        self.change("a transaction", |values, transaction| {
            for step in steps {
                if !step.when.holds(|| version(values, transaction, &step.key))? {
                    refused = Some(step);
                    break;
                }
            }
            for step in steps.iter().filter(|_| refused.is_none()) {
                let key = step.key.as_str().as_bytes();
                match &step.change {
                    Some(Some(value)) => values.put(transaction, key, value)?,
                    Some(None) => {
                        values.delete(transaction, key)?;
                    }
                    None => {}
                }
            }
            Ok(Some(()))
        })?;
        match refused {
            Some(step) => Err(crate::store::conflict(self, &step.key, &step.when)),
            None => Ok(()),
        }
    }
}
