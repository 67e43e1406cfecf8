//! A read-only adapter that copies each value to a local directory on first read and then reads the
//! copy, like fsspec's `simplecache`. Copies are assumed current until [`Store::forget`] is called.
//!
//! The option `cache_storage` names the directory, which other stores may share, now or later;
//! without it the store makes its own and deletes it when it closes.

use crate::error::{Context, Error, Kind, Result};
use crate::source::{Absent, ByteSource};
use crate::store::local::filesystem;
use crate::store::open::Inner;
use crate::store::{
    Depth, Entry, Key, Mode, Options, Precondition, SharedStore, Store, Version, lock,
};
use crate::system;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Keys with longer names are not copied.
const LONGEST: usize = 240;

struct SimpleCache {
    inner: SharedStore,
    local: SharedStore,
    /// The store's own directory, deleted at the end.
    own: Option<Own>,
}

/// The directory of one store alone, and its lock while the store is open.
struct Own {
    path: PathBuf,
    _locked: File,
}

/// Wraps the store that `inner` opens.
pub fn open(inner: &Inner<'_>, rest: &str, mode: Mode, options: &Options) -> Result<SharedStore> {
    if !rest.is_empty() {
        return Err(Error::invalid(format!(
            "simplecache: expected nothing after it, found {rest:?}"
        )));
    }
    if mode != Mode::Read {
        let message = "simplecache: the store is read-only: open it with ZARRC_READ";
        return Err(Error::new(Kind::PermissionDenied, message));
    }
    let inner = inner(mode)?;
    let mut own = None;
    let path = match options.text("cache_storage") {
        Some(path) => {
            let mut hash = DefaultHasher::new();
            inner.name().hash(&mut hash);
            PathBuf::from(path).join(format!("{:016x}", hash.finish()))
        }
        None => own.insert(own_directory()?).path.clone(),
    };
    let local = filesystem::open(&path, None, Mode::Append, options).at(|| "simplecache")?;
    Ok(Arc::new(SimpleCache { inner, local, own }))
}

/// The name prefix of temporary directories.
const NAME: &str = "zarrc-cache-";

/// Deletes the directories of killed processes: they are unlocked.
fn delete_abandoned() {
    for entry in std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        let is_cache = entry.file_name().to_str().is_some_and(|name| name.starts_with(NAME));
        let is_ours = |there: std::fs::Metadata| there.is_dir() && system::is_own(&there);
        if is_cache
            && entry.metadata().is_ok_and(is_ours)
            && system::open_directory(&entry.path())
                .is_ok_and(|directory| lock::is_free(&directory))
        {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// A new temporary directory, readable by this user only.
fn own_directory() -> Result<Own> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    delete_abandoned();
    loop {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{NAME}{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let made = match system::make_private_directory(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => continue,
            made => made.and_then(|()| system::open_directory(&path)),
        };
        let failed =
            |e: std::io::Error| Error::io(format!("simplecache: making {}", path.display()), &e);
        let directory = made.map_err(failed)?;
        // a cleanup may have deleted it before it was locked
        if lock::lock(&directory).is_ok() && path.is_dir() {
            return Ok(Own { path, _locked: directory });
        }
    }
}

impl SimpleCache {
    /// The file name of a copy, unique for each key; `None`: it would be too long.
    fn name(key: &Key) -> Option<Key> {
        let name = key.as_str().replace('%', "%25").replace('/', "%2F");
        (name.len() <= LONGEST).then(|| Key::trusted(name))
    }

    /// The key of the copy, made if missing; `None`: the value is absent.
    fn copy(&self, name: Key, key: &Key, limit: u64) -> Result<Option<Key>> {
        if self.local.version(&name)?.is_none() {
            let mut value = Vec::new();
            if self.inner.get_document(key, limit, &mut value)?.is_none() {
                return Ok(None);
            }
            self.local.set(&name, &[&value], &Precondition::None).at(|| "simplecache")?;
        }
        Ok(Some(name))
    }
}

impl Store for SimpleCache {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn read_only(&self) -> bool {
        true
    }

    fn concurrency(&self) -> usize {
        self.inner.concurrency()
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        self.get_document(key, u64::MAX, out)
    }

    fn get_document(&self, key: &Key, limit: u64, out: &mut Vec<u8>) -> Result<Option<Version>> {
        let Some(name) = Self::name(key) else { return self.inner.get_document(key, limit, out) };
        match self.copy(name, key, limit) {
            Ok(Some(name)) => self.local.get_document(&name, limit, out),
            Ok(None) => Ok(None),
            // the disk may be full; a failure of the store is reported by this read
            Err(_) => self.inner.get_document(key, limit, out),
        }
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        let Some(name) = Self::name(key) else { return self.inner.source(key) };
        match self.copy(name, key, u64::MAX) {
            Ok(Some(name)) => self.local.source(&name),
            Ok(None) => Box::new(Absent),
            Err(_) => self.inner.source(key),
        }
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        let Some(name) = Self::name(key) else { return self.inner.version(key) };
        match self.copy(name, key, u64::MAX) {
            Ok(Some(name)) => self.local.version(&name),
            Ok(None) => Ok(None),
            Err(_) => self.inner.version(key),
        }
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        self.inner.list(prefix, depth, each)
    }

    fn has_prefix(&self, prefix: &str) -> Result<bool> {
        self.inner.has_prefix(prefix)
    }

    fn forget(&self, prefix: &str) -> Result<()> {
        let start = prefix.replace('%', "%25").replace('/', "%2F");
        let mut copies = Vec::new();
        self.local.list("", Depth::All, &mut |entry| {
            if let Entry::Key(name) = entry
                && name.starts_with(&start)
            {
                copies.push(Key::trusted(name.to_owned()));
            }
            Ok(())
        })?;
        for copy in copies {
            self.local.erase(&copy, &Precondition::None)?;
        }
        self.inner.forget(prefix)
    }
}

impl Drop for SimpleCache {
    fn drop(&mut self) {
        if let Some(own) = &self.own {
            let _ = std::fs::remove_dir_all(&own.path);
        }
    }
}
