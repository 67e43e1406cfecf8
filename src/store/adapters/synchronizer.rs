//! An adapter that writes each key under the lock of zarr-python 2's `ProcessSynchronizer(path)`: a
//! file lock on `path/<key>` (fasteners, which locks a whole file with `lockf`).
//!
//! zarr-python holds a chunk's lock from reading to writing the chunk, so a read-modify-write must
//! hold it as long ([`Store::hold`]); replacing a whole value needs the lock only while setting it.
//! The lock belongs to an open file ([`lock::take_record`]), not to the process like `lockf`'s, so
//! it also excludes other threads.

use crate::error::{Context, Error, Kind, Result};
use crate::source::ByteSource;
use crate::store::exclusive::Exclusion;
use crate::store::lock;
use crate::store::{
    Depth, Entry, Fetch, Key, Options, Precondition, SharedStore, Stamp, Store, Version,
};
use std::cell::RefCell;
use std::fs::{File, OpenOptions, create_dir_all};
use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The longest wait for other holders. They are alive: the system frees the locks of dead
/// processes.
const LONGEST: Duration = Duration::from_secs(120);

/// The longest pause between two attempts.
const PAUSE: Duration = Duration::from_millis(10);

/// The key that zarr-python locks to create or delete any node of a store.
const GROUPS: &str = ".zgroup";

thread_local! {
    /// The lock files that this thread holds.
    static HELD: RefCell<Vec<PathBuf>> = const { RefCell::new(Vec::new()) };
}

/// A lock that this thread holds until it is dropped. Its own writes pass meanwhile.
pub struct Held {
    file: File,
    path: PathBuf,
    /// Makes the type `!Send`.
    _thread: PhantomData<*const ()>,
}

impl Drop for Held {
    fn drop(&mut self) {
        HELD.with_borrow_mut(|held| held.retain(|path| *path != self.path));
        lock::release_record(&self.file);
    }
}

struct Synchronized {
    inner: SharedStore,
    folder: PathBuf,
}

/// Wraps `store` as the option `synchronizer` says; returns it unchanged if that is not set.
pub fn synchronized(store: SharedStore, options: &Options) -> Result<SharedStore> {
    let Some(folder) = options.text("synchronizer").filter(|path| !path.is_empty()) else {
        return Ok(store);
    };
    if store.read_only() {
        return Ok(store); // readers hold no locks
    }
    let place = || format!("option synchronizer: {folder}");
    let folder = std::path::absolute(folder).map_err(|e| system(&e)).at(place)?;
    create_dir_all(&folder).map_err(|e| system(&e)).at(place)?;
    let same =
        |a: &Path, b: &Path| a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b));
    if same(&folder, Path::new(&store.name())) {
        let what = "is the store itself: lock files are named like keys and need another directory";
        return Err(Error::invalid(what)).at(place);
    }
    Ok(Arc::new(Synchronized { inner: store, folder }))
}

fn system(e: &io::Error) -> Error {
    Error::io("locking", e)
}

impl Synchronized {
    /// Takes the lock `name`; `None`: this thread already holds it.
    fn lock(&self, name: &str) -> Result<Option<Held>> {
        let path = self.folder.join(name);
        if HELD.with_borrow(|held| held.contains(&path)) {
            return Ok(None);
        }
        let place = || format!("lock file {}", path.display());
        let file = create(&path).map_err(|e| system(&e)).at(place)?;
        let until = Instant::now() + LONGEST;
        let mut pause = Duration::from_micros(250);
        while !lock::take_record(&file).map_err(|e| system(&e)).at(place)? {
            if Instant::now() > until {
                let what = format!("another process has held it for {} s", LONGEST.as_secs());
                return Err(Error::new(Kind::Conflict, what)).at(place);
            }
            sleep(pause);
            pause = (pause * 2).min(PAUSE);
        }
        HELD.with_borrow_mut(|held| held.push(path.clone()));
        Ok(Some(Held { file, path, _thread: PhantomData }))
    }

    fn lock_key(&self, key: &Key) -> Result<Option<Held>> {
        let last = key.as_str().rsplit('/').next();
        self.lock(if last == Some(GROUPS) { GROUPS } else { key.as_str() })
    }
}

/// Opens a lock file as Python's `open(path, "a")` does.
fn create(path: &Path) -> io::Result<File> {
    let open = || OpenOptions::new().append(true).create(true).open(path);
    match open() {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            path.parent().map_or(Ok(()), create_dir_all)?;
            open()
        }
        opened => opened,
    }
}

impl Store for Synchronized {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn read_only(&self) -> bool {
        self.inner.read_only()
    }

    fn concurrency(&self) -> usize {
        self.inner.concurrency()
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        self.inner.get(key, out)
    }

    fn get_document(&self, key: &Key, limit: u64, out: &mut Vec<u8>) -> Result<Option<Version>> {
        self.inner.get_document(key, limit, out)
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        self.inner.source(key)
    }

    fn source_to_change<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        self.inner.source_to_change(key)
    }

    fn source_at<'a>(&'a self, key: &Key, version: &Version) -> Box<dyn ByteSource + 'a> {
        self.inner.source_at(key, version)
    }

    fn start(&self, fetch: Fetch) -> Option<Fetch> {
        self.inner.start(fetch)
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        self.inner.version(key)
    }

    fn stamp(&self, key: &Key) -> Result<Option<Stamp>> {
        self.inner.stamp(key)
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        let _held = self.lock_key(key)?;
        self.inner.set(key, parts, when)
    }

    fn set_known(
        &self,
        key: &Key,
        parts: &[&[u8]],
        when: &Precondition,
    ) -> Result<Option<Version>> {
        let _held = self.lock_key(key)?;
        self.inner.set_known(key, parts, when)
    }

    fn erase(&self, key: &Key, when: &Precondition) -> Result<bool> {
        let _held = self.lock_key(key)?;
        self.inner.erase(key, when)
    }

    fn erase_prefix(&self, prefix: &str) -> Result<()> {
        let _held = self.lock(GROUPS)?;
        self.inner.erase_prefix(prefix)
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        self.inner.list(prefix, depth, each)
    }

    fn list_abandoned(&self, prefix: &str, each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        self.inner.list_abandoned(prefix, each)
    }

    fn list_damage(&self, each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        self.inner.list_damage(each)
    }

    fn has_prefix(&self, prefix: &str) -> Result<bool> {
        self.inner.has_prefix(prefix)
    }

    fn exclude(&self, key: &Key) -> Result<Exclusion> {
        self.inner.exclude(key)
    }

    fn hold(&self, key: &Key) -> Result<Option<Held>> {
        self.lock_key(key)
    }

    fn flush(&self) -> Result<()> {
        self.inner.flush()
    }

    fn forget(&self, prefix: &str) -> Result<()> {
        self.inner.forget(prefix)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::store::{Mode, open};

    fn options(folder: &Path) -> Options {
        let mut options = Options::default();
        options.set("synchronizer", folder.to_str().unwrap()).unwrap();
        options
    }

    #[test]
    fn a_key_that_another_thread_holds_is_waited_for() {
        let root = std::env::temp_dir().join(format!("zarrc-synchronizer-{}", std::process::id()));
        let url = root.join("store").display().to_string();
        let store = |_| open(&url, Mode::Append, &options(&root.join("locks"))).unwrap();
        let [ours, theirs] = [0, 1].map(store);
        let key = Key::parse("a/0.0").unwrap();
        let held = ours.hold(&key).unwrap();
        assert!(held.is_some() && root.join("locks/a/0.0").is_file());
        let other = {
            let key = key.clone();
            std::thread::spawn(move || theirs.set(&key, &[b"theirs"], &Precondition::None))
        };
        sleep(Duration::from_millis(100));
        assert_eq!(ours.version(&key).unwrap(), None);
        ours.set(&key, &[b"ours"], &Precondition::Absent).unwrap();
        drop(held);
        other.join().unwrap().unwrap();
        let mut value = Vec::new();
        ours.get(&key, &mut value).unwrap();
        assert_eq!(value, b"theirs");
        drop(ours);
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn lock_files_do_not_stand_among_values() {
        let root = std::env::temp_dir().join(format!("zarrc-synchronized-{}", std::process::id()));
        let url = root.display().to_string();
        let e = open(&url, Mode::Append, &options(&root)).err().unwrap();
        assert_eq!(e.kind(), Kind::InvalidArgument);
        assert!(e.to_string().contains("is the store itself"), "{e}");
        std::fs::remove_dir_all(&root).unwrap();
    }
}
