//! Values in a file of the DBM family, keys unchanged: GNU dbm ([`gnu`], with a [`journal`]) and
//! Python's own [`dumb`]. The files present show the kind; a new one is GNU dbm. Files of ndbm and
//! Berkeley DB are not supported.
//! <https://zarr.readthedocs.io/en/v2.18.3/api/storage.html#zarr.storage.DBMStore>
//!
//! A version is a hash of the value: setting the same bytes again is not seen as a change.

mod dumb;
mod gnu;
mod journal;

use crate::error::{Context, Error, Kind, Result};
use crate::fork::Parents;
use crate::lock::Acquire;
use crate::source::{ByteSource, in_one_piece};
use crate::store::whole_value::{WholeValue, version_of};
use crate::store::{
    Blob, Depth, Entry, Exclusion, Key, Mode, Options, Precondition, SharedStore, Store, Version,
    check_prefix, refuse_change, sorted,
};
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

struct DbmStore {
    path: PathBuf,
    read_only: bool,
    /// Not used in the child of a fork: only the parent knows the unflushed changes.
    file: Parents<Mutex<File>>,
}

enum File {
    Dumb(dumb::Dumb),
    Gnu(Box<gnu::Gnu>),
}

/// Opens the file `blob`; `dbm.dumb` takes the name without extensions.
///
/// [`Kind::NotFound`]: the mode requires an existing file; [`Kind::AlreadyExists`]: the mode
/// requires a new one; [`Kind::CorruptData`]: it is not a DBM file; [`Kind::Conflict`]: another
/// handle writes to it.
pub fn open(blob: Blob, mode: Mode, options: &Options) -> Result<SharedStore> {
    let path = blob.into_path("dbm")?;
    let place = || format!("dbm file {}", path.display());
    let file = open_file(&path, mode, options).at(place)?;
    let file = Parents::new(Mutex::new(file));
    let store = DbmStore { read_only: mode == Mode::Read, file, path: path.clone() };
    match mode {
        Mode::Create if store.has_prefix("")? => {
            return Err(Error::new(Kind::AlreadyExists, "it already contains values")).at(place);
        }
        Mode::Overwrite => store.erase_prefix("")?,
        _ => {}
    }
    Ok(Arc::new(store))
}

fn open_file(path: &Path, mode: Mode, options: &Options) -> Result<File> {
    let creates = !matches!(mode, Mode::Read | Mode::ReadWrite);
    if creates && let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(|e| Error::io("creating its directory", &e))?;
    }
    if dumb::is_there(path) {
        return dumb::Dumb::open(path, mode, options.sync()).map(File::Dumb);
    }
    if !creates && !path.is_file() {
        return Err(Error::new(Kind::NotFound, "the file does not exist"));
    }
    gnu::Gnu::open(path, mode, options.sync()).map(|file| File::Gnu(Box::new(file)))
}

/// `path` with `ending` appended to its last name.
fn with(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

#[cold]
fn system(doing: &str, error: &std::io::Error) -> Error {
    Error::io(doing, error)
}

impl File {
    fn get(&self, key: &str, out: &mut Vec<u8>) -> Result<bool> {
        match self {
            File::Dumb(file) => file.get(key, out),
            File::Gnu(file) => file.get(key, out),
        }
    }

    fn next(&self, from: Bound<&str>) -> Option<String> {
        match self {
            File::Dumb(file) => sorted::next_of(file.index(), from),
            File::Gnu(file) => sorted::next_of(file.index(), from),
        }
    }

    fn below(&self, prefix: &str) -> Vec<String> {
        match self {
            File::Dumb(file) => sorted::below(file.index(), prefix),
            File::Gnu(file) => sorted::below(file.index(), prefix),
        }
    }

    fn set(&mut self, key: &str, value: &[u8]) -> Result<()> {
        match self {
            File::Dumb(file) => file.set(key, value),
            File::Gnu(file) => file.set(key, value),
        }
    }

    fn erase(&mut self, keys: &[String]) -> Result<()> {
        match self {
            File::Dumb(file) => file.erase(keys),
            File::Gnu(file) => file.erase(keys),
        }
    }

    fn flush(&mut self) -> Result<()> {
        match self {
            File::Dumb(_) => Ok(()),
            File::Gnu(file) => file.flush(),
        }
    }
}

impl DbmStore {
    fn file(&self) -> Result<MutexGuard<'_, File>> {
        let file = self.file.get().ok_or_else(|| {
            let why = "the parent process has it open: open it again after a fork";
            Error::new(Kind::PermissionDenied, format!("dbm file {}: {why}", self.path.display()))
        })?;
        Ok(file.acquire())
    }

    /// Locks the file and checks that the key meets `when`.
    fn changeable(&self, key: &Key, when: &Precondition) -> Result<MutexGuard<'_, File>> {
        if self.read_only {
            return Err(refuse_change(self));
        }
        let file = self.file()?;
        let found = || {
            let mut value = Vec::new();
            Ok(file.get(key.as_str(), &mut value)?.then(|| version_of(&value)))
        };
        if when.holds(found)? { Ok(file) } else { Err(crate::store::conflict(self, key, when)) }
    }

    fn place(&self, key: impl std::fmt::Display) -> String {
        format!("{key} of dbm file {}", self.path.display())
    }
}

impl Store for DbmStore {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn read_only(&self) -> bool {
        self.read_only
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        let start = out.len();
        let there = self.file()?.get(key.as_str(), out).at(|| self.place(key))?;
        Ok(there.then(|| version_of(&out[start..])))
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        Box::new(WholeValue::new(self, key))
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        self.get(key, &mut Vec::new())
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        let value = in_one_piece(parts)?;
        self.changeable(key, when)?.set(key.as_str(), &value).at(|| self.place(key))
    }

    fn erase(&self, key: &Key, when: &Precondition) -> Result<bool> {
        let mut file = self.changeable(key, when)?;
        let there = file.next(Bound::Included(key.as_str())).as_deref() == Some(key.as_str());
        if there {
            file.erase(&[key.as_str().to_owned()]).at(|| self.place(key))?;
        }
        Ok(there)
    }

    fn erase_prefix(&self, prefix: &str) -> Result<()> {
        check_prefix(prefix)?;
        if self.read_only {
            return Err(refuse_change(self));
        }
        let mut file = self.file()?;
        let keys = file.below(prefix);
        if keys.is_empty() { Ok(()) } else { file.erase(&keys).at(|| self.place(prefix)) }
    }

    fn exclude(&self, _: &Key) -> Result<Exclusion> {
        Ok(Exclusion::OneWriter)
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        sorted::list(prefix, depth, &mut |from| Ok(self.file()?.next(from)), each)
    }

    fn flush(&self) -> Result<()> {
        // nothing to flush in the child of a fork: the parent flushes its own writes
        if self.read_only || self.file.get().is_none() {
            return Ok(());
        }
        self.file()?.flush().at(|| format!("dbm file {}", self.path.display()))
    }
}

impl Drop for DbmStore {
    fn drop(&mut self) {
        // only a close can report an error; a drop ignores it
        let _ = self.flush();
    }
}
