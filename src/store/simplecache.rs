//! Another store, of which each value that is read is copied to a directory of this machine first and
//! read there from then on, as fsspec's `simplecache` does. Only read; what is copied is taken to stay
//! as it is, until [`Store::forget`] is called.
//!
//! The directory is what the option `cache_storage` says, which others may use at the same time and
//! later, or one of its own, which goes with the store.

use super::open::Inner;
use super::{
    Depth, Entry, Key, Mode, Options, Precondition, SharedStore, Store, Version, filesystem,
    refuse_change,
};
use crate::error::{Context, Error, Kind, Result};
use crate::source::{Absent, ByteSource};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Keys whose names would be longer are not copied.
const LONGEST: usize = 240;

struct SimpleCache {
    inner: SharedStore,
    local: SharedStore,
    /// Deleted at the end.
    own: Option<PathBuf>,
}

/// What `inner` opens, with copies of what is read.
pub(super) fn open(
    inner: &Inner<'_>,
    rest: &str,
    mode: Mode,
    options: &Options,
) -> Result<SharedStore> {
    if !rest.is_empty() {
        return Err(Error::invalid(format!("simplecache: takes nothing, not {rest:?}")));
    }
    if mode != Mode::Read {
        let message = "simplecache: is for stores that are only read";
        return Err(Error::new(Kind::PermissionDenied, message));
    }
    let inner = inner(mode)?;
    let (path, own) = match options.text("cache_storage") {
        Some(path) => {
            let mut hash = DefaultHasher::new();
            inner.name().hash(&mut hash);
            (PathBuf::from(path).join(format!("{:016x}", hash.finish())), false)
        }
        None => (own_directory()?, true),
    };
    let local = filesystem::open(&path, None, Mode::Append, options).at(|| "simplecache")?;
    Ok(Arc::new(SimpleCache { inner, local, own: own.then_some(path) }))
}

/// A new directory for temporary files, which nobody else may read.
fn own_directory() -> Result<PathBuf> {
    use std::os::unix::fs::DirBuilderExt;
    static COUNT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("zarrc-cache-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        match std::fs::DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => return Ok(path),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(e) => {
                let code = e.raw_os_error().unwrap_or(libc::EIO);
                return Err(Error::system(format!("simplecache: making {}", path.display()), code));
            }
        }
    }
}

impl SimpleCache {
    /// The name of a copy: one file each, whatever the key; `None`: it would be too long.
    fn name(key: &Key) -> Option<Key> {
        let name = key.as_str().replace('%', "%25").replace('/', "%2F");
        (name.len() <= LONGEST).then(|| Key::trusted(name))
    }

    /// The key of the copy, made where there is none; `None`: the value is absent.
    fn copy(&self, name: Key, key: &Key) -> Result<Option<Key>> {
        if self.local.version(&name)?.is_none() {
            let mut value = Vec::new();
            if self.inner.get(key, &mut value)?.is_none() {
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
        let Some(name) = Self::name(key) else { return self.inner.get(key, out) };
        match self.copy(name, key)? {
            Some(name) => self.local.get(&name, out),
            None => Ok(None),
        }
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        let Some(name) = Self::name(key) else { return self.inner.source(key) };
        match self.copy(name, key) {
            Ok(Some(name)) => self.local.source(&name),
            Ok(None) => Box::new(Absent),
            // who reads from the store itself will hear what is wrong
            Err(_) => self.inner.source(key),
        }
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        let Some(name) = Self::name(key) else { return self.inner.version(key) };
        match self.copy(name, key)? {
            Some(name) => self.local.version(&name),
            None => Ok(None),
        }
    }

    fn set(&self, _: &Key, _: &[&[u8]], _: &Precondition) -> Result<()> {
        Err(refuse_change(self))
    }

    fn erase(&self, _: &Key, _: &Precondition) -> Result<bool> {
        Err(refuse_change(self))
    }

    fn erase_prefix(&self, _: &str) -> Result<()> {
        Err(refuse_change(self))
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
            let _ = std::fs::remove_dir_all(own);
        }
    }
}
