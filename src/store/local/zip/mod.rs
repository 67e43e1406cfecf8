//! Values as entries of a zip file: [`format`] has the records, [`index`] finds the entries,
//! [`write`] appends, [`read`] reads values.
//!
//! - A zip file cannot replace or delete an entry: the newest one of a name counts, and the bytes
//!   of older ones stay. The central directory omits erased entries.
//! - Values are written uncompressed (chunks already are compressed), each appended at once; a
//!   flush or close writes the central directory. If the writer is killed before that, the next
//!   handle finds the entries by their local headers, and so does `zip -FF`. A handle open for
//!   writing completes the file when it closes. Other readers need the directory at the end of the
//!   file, but one after each value would take quadratic time and space.
//! - The previous contents, including the old directory, are not overwritten.
//! - `flock` admits one writing handle at a time; readers see the state at their opening. The child
//!   of a fork also only reads: two writers would overwrite each other at the end.
//! - Entries compressed by deflate or bzip2 are read too, up to the option `max_inflated_size`.

mod file;
mod format;
mod index;
mod read;
mod write;

use crate::error::{Context, Error, Kind, Result};
use crate::fork::{Held, Lock, Parents};
use crate::lock::Acquire;
use crate::source::{ByteSource, within};
use crate::store::transaction::{self, Batch, Step};
use crate::store::{
    Blob, Depth, Entry, Exclusion, Key, Mode, Options, Precondition, SharedStore, Store, Version,
    refuse_change, sorted,
};
use file::File;
use index::{Contents, Index};
use std::sync::{Arc, Mutex, MutexGuard, RwLockReadGuard};

/// A zip file as a store.
struct ZipStore {
    name: String,
    file: File,
    index: Lock<Index>,
    /// The largest decompressed size of an entry (bytes).
    max_inflated: u64,
    /// `None`: read-only.
    writer: Option<Parents<Mutex<write::Writer>>>,
}

/// Opens the zip file `blob`.
///
/// [`Kind::NotFound`]: the mode requires an existing file; [`Kind::AlreadyExists`]: the mode
/// requires a new one, or would overwrite what is not a zip file; [`Kind::CorruptData`]: it is not
/// a zip file; [`Kind::Conflict`]: another handle writes to it.
pub fn open(blob: Blob, mode: Mode, options: &Options) -> Result<SharedStore> {
    let name = blob.name();
    let place = || format!("zip file {name}");
    let max_inflated = options.number("max_inflated_size").unwrap_or_default();
    let store = if mode == Mode::Read {
        let file = File::open(blob, options).at(place)?;
        let index = index::read(&file).at(place)?.index;
        ZipStore { name: name.clone(), file, index: Lock::new(index), max_inflated, writer: None }
    } else {
        let path = match blob {
            Blob::File(path) => path,
            Blob::In(..) => {
                let why = "a zip file in another store is read-only";
                return Err(Error::new(Kind::PermissionDenied, why)).at(place);
            }
        };
        let (file, contents) = write::open(&path, mode).at(place)?;
        let Contents { index, end, complete } = contents;
        let writer = write::Writer::new(&file, end, complete, options.sync()).at(place)?;
        ZipStore {
            name: name.clone(),
            file,
            index: Lock::new(index),
            max_inflated,
            writer: Some(Parents::new(Mutex::new(writer))),
        }
    };
    Ok(Arc::new(store))
}

impl ZipStore {
    fn index(&self) -> Held<RwLockReadGuard<'_, Index>> {
        self.index.read()
    }

    fn entry(&self, key: &Key) -> Option<Arc<format::Entry>> {
        self.index().get(key.as_str()).cloned()
    }

    fn writer(&self) -> Result<MutexGuard<'_, write::Writer>> {
        let writer = self.writer.as_ref().ok_or_else(|| refuse_change(self))?;
        let writer = writer.get().ok_or_else(|| {
            let why = "the parent process writes to it, and only one process can: open it again \
                after the parent has closed it";
            Error::new(Kind::PermissionDenied, format!("zip file {}: {why}", self.name))
        })?;
        Ok(writer.acquire())
    }

    fn place(&self, key: impl std::fmt::Display) -> String {
        format!("{key} of zip file {}", self.name)
    }

    /// Checks that a change is allowed. The caller holds the writer's lock.
    fn check(&self, key: &Key, when: &Precondition) -> Result<()> {
        let found = || Ok(self.entry(key).map(|entry| read::version(&entry)));
        if when.holds(found)? { Ok(()) } else { Err(crate::store::conflict(self, key, when)) }
    }

    fn change(&self, key: &str, entry: Option<format::Entry>) -> Option<Arc<format::Entry>> {
        let mut index = self.index.write();
        match entry {
            Some(entry) => index.insert(key.to_owned(), Arc::new(entry)),
            None => index.remove(key),
        }
    }
}

impl Store for ZipStore {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn read_only(&self) -> bool {
        self.writer.is_none()
    }

    fn concurrency(&self) -> usize {
        self.file.concurrency()
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        let source = read::Source::new(self, key);
        if !source.read_all(0, out)? {
            return Ok(None);
        }
        source.version()
    }

    fn get_document(&self, key: &Key, limit: u64, out: &mut Vec<u8>) -> Result<Option<Version>> {
        if let Some(entry) = self.entry(key) {
            within(entry.size, limit, crate::store::DOCUMENT).at(|| self.place(key))?;
        }
        self.get(key, out)
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        Box::new(read::Source::new(self, key))
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        Ok(self.entry(key).map(|entry| read::version(&entry)))
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        let crc = read::checksum(parts); // before taking the lock
        let mut writer = self.writer()?;
        self.check(key, when)?;
        let entry = writer.append(&self.file, key.as_str(), parts, crc);
        let old = self.change(key.as_str(), Some(entry.at(|| self.place(key))?));
        drop(writer);
        drop(old);
        Ok(())
    }

    fn erase(&self, key: &Key, when: &Precondition) -> Result<bool> {
        let mut writer = self.writer()?;
        self.check(key, when)?;
        if self.entry(key).is_none() {
            return Ok(false);
        }
        writer.erase(&self.file, key.as_str()).at(|| self.place(key))?;
        self.change(key.as_str(), None);
        Ok(true)
    }

    fn erase_prefix(&self, prefix: &str) -> Result<()> {
        crate::store::check_prefix(prefix)?;
        let mut writer = self.writer()?;
        let keys = sorted::below(&self.index(), prefix);
        for key in keys {
            writer.erase(&self.file, &key).at(|| self.place(&key))?;
            self.change(&key, None);
        }
        Ok(())
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
        sorted::list(prefix, depth, &mut |from| Ok(sorted::next_of(&self.index(), from)), each)
    }

    fn flush(&self) -> Result<()> {
        // nothing to finish in the child of a fork: the parent finishes its own writes
        match self.writer.as_ref().is_some_and(|writer| writer.get().is_some()) {
            true => self
                .writer()?
                .finish(&self.file, &self.index())
                .at(|| format!("zip file {}", self.name)),
            false => Ok(()),
        }
    }

    fn begin(self: Arc<Self>) -> Result<SharedStore> {
        transaction::begin(self)
    }
}

impl Batch for ZipStore {
    fn apply(&self, steps: &[Step]) -> Result<()> {
        let mut writer = self.writer()?;
        steps.iter().try_for_each(|step| self.check(&step.key, &step.when))?;
        let changes: Vec<(&str, Option<&[u8]>)> = steps
            .iter()
            .filter_map(|step| Some((step.key.as_str(), step.change.as_ref()?)))
            .filter(|(key, value)| value.is_some() || self.index().contains_key(*key))
            .map(|(key, value)| (key, value.as_ref().map(|value| value.as_slice())))
            .collect();
        let place = || format!("committing to zip file {}", self.name);
        let entries = writer.append_all(&self.file, &changes).at(place)?;
        for ((key, _), entry) in changes.iter().zip(entries) {
            self.change(key, entry);
        }
        writer.finish(&self.file, &self.index()).at(place)
    }
}

impl Drop for ZipStore {
    fn drop(&mut self) {
        // only a close can report an error; a drop ignores it
        let _ = self.flush();
        if self.writer.as_ref().is_some_and(|writer| writer.get().is_some()) {
            // forked children that still read the file would keep the lock
            self.file.unlock();
        }
    }
}
