//! GNU dbm, through the crate `gdbm-native`, which reads and writes the C library's files.
//! <https://www.gnu.org/software/gdbm/manual/>
//!
//! A GNU dbm file changed in place is lost if its writer is killed during a change or the disk is
//! full. So changes are appended to a journal beside the file, and a flush or close writes a new
//! file and renames it over the old one. If the writer is killed before that, or the disk has no
//! space for the new file, the next handle that opens the file finds the journal and completes it.
//! As with the C library, there are many readers or one writer.

use super::journal::{Journal, Place};
use super::{system, with};
use crate::error::{Context, Error, Kind, Result};
use crate::store::lock::{lock, lock_shared, patiently};
use crate::store::{Key, Mode};
use gdbm_native::{Gdbm, OpenOptions};
use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

pub struct Gnu {
    path: PathBuf,
    /// `None`: a new database, not written yet.
    file: Option<Gdbm>,
    /// Holds the lock that GNU dbm uses.
    _locked: File,
    /// The writer's journal, or one left by a killed writer.
    journal: Option<Journal>,
    index: BTreeMap<String, Value>,
    sync: bool,
}

/// Where a value is stored.
#[derive(Clone, Copy)]
pub enum Value {
    InFile,
    InJournal(Place),
}

/// Converts an error of the crate.
#[cold]
fn explain(error: gdbm_native::Error) -> Error {
    use gdbm_native::Error as Gdbm;
    let kind = match &error {
        Gdbm::Io(e) => {
            return match e.raw_os_error() {
                Some(code) => Error::system("reading or writing it", code),
                None => Error::corrupt(error.to_string()),
            };
        }
        Gdbm::Locked => Kind::Conflict,
        Gdbm::RecordTooLarge { .. } | Gdbm::FileTooLarge { .. } => Kind::LimitExceeded,
        _ => Kind::CorruptData,
    };
    Error::new(kind, error.to_string())
}

/// Opens and locks the file at `path` as GNU dbm does; on return `path` still names that file.
fn locked(path: &Path, mode: Mode) -> Result<File> {
    let creates = !matches!(mode, Mode::Read | Mode::ReadWrite);
    let writes = mode != Mode::Read;
    patiently(|| {
        let mut options = File::options();
        let file = options.read(true).write(writes).create(creates).open(path);
        let file = file.map_err(|e| system("opening", &e))?;
        if writes { lock(&file) } else { lock_shared(&file) }?;
        let number = |there: std::fs::Metadata| (there.dev(), there.ino());
        let (this, named) = (file.metadata().map(number), path.metadata().map(number));
        match (this, named) {
            (Ok(this), Ok(named)) if this == named => Ok(file),
            _ => Err(Error::new(Kind::Conflict, "its writer replaced it during the read")),
        }
    })
}

/// Opens a file that is already locked.
fn open(path: &Path) -> Result<Gdbm> {
    OpenOptions::new().lock(false).open(path).map_err(explain)
}

impl Gnu {
    pub fn open(path: &Path, mode: Mode, sync: bool) -> Result<Self> {
        let locked = locked(path, mode)?;
        // replace a link's target, not the link
        let path = &path.canonicalize().map_err(|e| system("opening", &e))?;
        let is_new = locked.metadata().map_err(|e| system("opening", &e))?.len() == 0;
        let file = if is_new { None } else { Some(open(path)?) };
        let mut index = BTreeMap::new();
        for key in file.iter().flat_map(|file| file.keys::<Vec<u8>>()) {
            if let Ok(key) = String::from_utf8(key.map_err(explain)?)
                && Key::parse(&key).is_ok()
            {
                index.insert(key, Value::InFile);
            }
        }
        let journal = with(path, ".zarrc-journal");
        let journal = Journal::open(journal, mode != Mode::Read, sync, |key, place| {
            match place {
                Some(place) => index.insert(key, Value::InJournal(place)),
                None => index.remove(&key),
            };
        })?;
        if is_new && journal.is_none() && matches!(mode, Mode::Read | Mode::ReadWrite) {
            return Err(Error::corrupt("it is empty"));
        }
        Ok(Gnu { path: path.to_owned(), file, _locked: locked, journal, index, sync })
    }

    pub fn index(&self) -> &BTreeMap<String, Value> {
        &self.index
    }

    /// Reads a value; `false`: absent.
    pub fn get(&self, key: &str, out: &mut Vec<u8>) -> Result<bool> {
        match (self.index.get(key), &self.file, &self.journal) {
            (Some(Value::InJournal(place)), _, Some(journal)) => journal.get(*place, out)?,
            (Some(_), Some(file), _) => {
                let value: Option<Vec<u8>> = file.get(key).map_err(explain)?;
                let Some(value) = value else { return Ok(false) };
                crate::source::reserve(out, value.len())?;
                out.extend_from_slice(&value);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn journal(&mut self) -> Result<&mut Journal> {
        if self.journal.is_none() {
            self.journal = Some(Journal::create(with(&self.path, ".zarrc-journal"), self.sync)?);
        }
        let closed = || Error::new(Kind::Internal, "it has no journal");
        self.journal.as_mut().ok_or_else(closed)
    }

    pub fn set(&mut self, key: &str, value: &[u8]) -> Result<()> {
        let place = self.journal()?.push(key, Some(value))?;
        self.index.insert(key.to_owned(), Value::InJournal(place));
        Ok(())
    }

    /// Deletes keys.
    pub fn erase(&mut self, keys: &[String]) -> Result<()> {
        for key in keys {
            self.journal()?.push(key, None)?;
            self.index.remove(key);
        }
        Ok(())
    }

    /// Replaces the file by a new one with all values, if anything changed.
    pub fn flush(&mut self) -> Result<()> {
        let unchanged = self.journal.as_ref().is_none_or(Journal::is_empty);
        if unchanged && self.file.is_some() {
            return self.journal.take().map_or(Ok(()), Journal::delete);
        }
        let new = with(&self.path, ".zarrc-new");
        let replaced = self.write(&new).and_then(|()| {
            let file = File::open(&new).map_err(|e| system("opening", &e))?;
            lock(&file)?;
            let values = open(&new)?;
            std::fs::rename(&new, &self.path).map_err(|e| system("replacing it", &e))?;
            Ok((file, values))
        });
        let (file, values) =
            replaced.inspect_err(|_| drop(std::fs::remove_file(&new))).at(|| {
                let journal = self.journal.as_ref().map(|journal| journal.path().display());
                let journal = journal.map(|path| path.to_string()).unwrap_or_default();
                format!("writing the new file (changes are kept in {journal})")
            })?;
        if self.sync
            && let Some(parent) = self.path.parent().filter(|p| !p.as_os_str().is_empty())
        {
            File::open(parent)
                .and_then(|d| d.sync_all())
                .map_err(|e| system("replacing it", &e))?;
        }
        (self.file, self._locked) = (Some(values), file);
        self.index.values_mut().for_each(|value| *value = Value::InFile);
        self.journal.take().map_or(Ok(()), Journal::delete)
    }

    /// Writes all values to a file at `new`, in the old file's layout.
    fn write(&self, new: &Path) -> Result<()> {
        let _ = std::fs::remove_file(new); // left by a killed writer
        let mode = self._locked.metadata().map(|there| there.permissions().mode());
        let mut options = OpenOptions::new();
        options.write(true).create(true).lock(false).mode(mode.unwrap_or(0o666) & 0o777);
        if let Some(old) = &self.file {
            options.layout(old.layout()).endian(old.endian()).numsync(old.is_numsync());
        }
        let mut file = options.open(new).map_err(explain)?;
        let mut value = Vec::new();
        for key in self.index.keys() {
            value.clear();
            if self.get(key, &mut value)? {
                file.insert(key.as_str(), &value).map_err(explain)?;
            }
        }
        file.close().map_err(explain)
    }
}
