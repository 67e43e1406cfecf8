//! An adapter that presents the keys below a prefix of another store as a store.

use crate::error::{Error, Kind, Result};
use crate::metadata::NodePath;
use crate::source::{ByteSource, Want};
use crate::store::open::Inner;
use crate::store::{
    Depth, Directory, Entry, Exclusion, Fetch, Key, Location, Mode, Options, Precondition, Put,
    SharedStore, Stamp, Store, Version, check_prefix,
};
use std::sync::Arc;

/// A part of a store.
struct Prefixed {
    inner: SharedStore,
    /// Ends in `/`.
    prefix: String,
}

/// Opens what is below `path` of the store that `inner` opens; the empty path is all of it. The
/// mode creates or deletes only below `path`.
pub fn open(inner: &Inner<'_>, path: &str, mode: Mode, _: &Options) -> Result<SharedStore> {
    let prefix = NodePath::parse(path)?.prefix();
    if prefix.is_empty() {
        return inner(mode);
    }
    let inner =
        inner(if matches!(mode, Mode::Create | Mode::Overwrite) { Mode::Append } else { mode })?;
    let store = Prefixed { inner, prefix };
    match mode {
        Mode::Create if store.has_prefix("")? => {
            let message = format!("{} already contains values", store.name());
            return Err(Error::new(Kind::AlreadyExists, message));
        }
        Mode::Overwrite => store.erase_prefix("")?,
        _ => {}
    }
    Ok(Arc::new(store))
}

impl Prefixed {
    fn key(&self, key: &Key) -> Key {
        Key::trusted([&self.prefix, key.as_str()].concat())
    }
}

impl Store for Prefixed {
    fn name(&self) -> String {
        format!("{} of {}", self.prefix, self.inner.name())
    }

    fn read_only(&self) -> bool {
        self.inner.read_only()
    }

    fn concurrency(&self) -> usize {
        self.inner.concurrency()
    }

    fn bytes_ahead(&self) -> u64 {
        self.inner.bytes_ahead()
    }

    fn read_ahead(&self, key: &Key, want: Want) {
        self.inner.read_ahead(&self.key(key), want);
    }

    fn start(&self, fetch: Fetch) -> Option<Fetch> {
        let short = fetch.key.clone();
        let rest = self.inner.start(Fetch { key: self.key(&short), ..fetch })?;
        Some(Fetch { key: short, ..rest })
    }

    fn start_set(&self, put: Put) -> Option<Put> {
        let short = put.key.clone();
        let rest = self.inner.start_set(Put { key: self.key(&short), ..put })?;
        Some(Put { key: short, ..rest })
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        self.inner.get(&self.key(key), out)
    }

    fn get_document(&self, key: &Key, limit: u64, out: &mut Vec<u8>) -> Result<Option<Version>> {
        self.inner.get_document(&self.key(key), limit, out)
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        self.inner.source(&self.key(key))
    }

    fn source_to_change<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        self.inner.source_to_change(&self.key(key))
    }

    fn source_at<'a>(&'a self, key: &Key, version: &Version) -> Box<dyn ByteSource + 'a> {
        self.inner.source_at(&self.key(key), version)
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        self.inner.version(&self.key(key))
    }

    fn stamp(&self, key: &Key) -> Result<Option<Stamp>> {
        self.inner.stamp(&self.key(key))
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        self.inner.set(&self.key(key), parts, when)
    }

    fn set_known(
        &self,
        key: &Key,
        parts: &[&[u8]],
        when: &Precondition,
    ) -> Result<Option<Version>> {
        self.inner.set_known(&self.key(key), parts, when)
    }

    fn erase(&self, key: &Key, when: &Precondition) -> Result<bool> {
        self.inner.erase(&self.key(key), when)
    }

    fn erase_prefix(&self, prefix: &str) -> Result<()> {
        check_prefix(prefix)?;
        self.inner.erase_prefix(&[&self.prefix, prefix].concat())
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        check_prefix(prefix)?;
        self.inner.list(&[&self.prefix, prefix].concat(), depth, each)
    }

    fn list_abandoned(&self, prefix: &str, each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        check_prefix(prefix)?;
        self.inner.list_abandoned(&[&self.prefix, prefix].concat(), each)
    }

    fn list_damage(&self, each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        self.inner.list_damage(each)
    }

    fn has_prefix(&self, prefix: &str) -> Result<bool> {
        check_prefix(prefix)?;
        self.inner.has_prefix(&[&self.prefix, prefix].concat())
    }

    fn exclude(&self, key: &Key) -> Result<Exclusion> {
        self.inner.exclude(&self.key(key))
    }

    fn flush(&self) -> Result<()> {
        self.inner.flush()
    }

    fn location(&self, key: &Key) -> Result<Option<Location>> {
        self.inner.location(&self.key(key))
    }

    fn directory(&self) -> Result<Directory<'_>> {
        Ok(self.inner.directory()?.below(&self.prefix))
    }

    fn losses(&self, path: &str) -> Result<Vec<String>> {
        self.inner.losses([&self.prefix, path].concat().trim_end_matches('/'))
    }

    fn begin(self: Arc<Self>) -> Result<SharedStore> {
        let inner = self.inner.clone().begin()?;
        Ok(Arc::new(Prefixed { inner, prefix: self.prefix.clone() }))
    }

    fn commit(&self, message: Option<&str>) -> Result<()> {
        self.inner.commit(message)
    }

    fn rollback(&self) -> Result<()> {
        self.inner.rollback()
    }

    fn snapshot(&self) -> Result<Option<String>> {
        self.inner.snapshot()
    }

    fn forget(&self, prefix: &str) -> Result<()> {
        self.inner.forget(&[&self.prefix, prefix].concat())
    }
}
