//! An adapter that makes another store read-only.

use crate::error::{Error, Result};
use crate::source::{ByteSource, Want};
use crate::store::open::Inner;
use crate::store::{
    Depth, Directory, Entry, Fetch, Key, Mode, Options, SharedStore, Store, Version,
};
use std::sync::Arc;

struct ReadOnly(SharedStore);

/// Opens the store of `inner` for reading; no mode creates anything.
pub fn open(inner: &Inner<'_>, rest: &str, mode: Mode, _: &Options) -> Result<SharedStore> {
    if !rest.is_empty() {
        return Err(Error::invalid(format!("readonly: expected nothing after it, found {rest:?}")));
    }
    if matches!(mode, Mode::Create | Mode::Overwrite) {
        return Err(Error::invalid("readonly: cannot create a store: open it with ZARRC_READ"));
    }
    Ok(Arc::new(ReadOnly(inner(Mode::Read)?)))
}

impl Store for ReadOnly {
    fn name(&self) -> String {
        self.0.name()
    }

    fn read_only(&self) -> bool {
        true
    }

    fn concurrency(&self) -> usize {
        self.0.concurrency()
    }

    fn bytes_ahead(&self) -> u64 {
        self.0.bytes_ahead()
    }

    fn read_ahead(&self, key: &Key, want: Want) {
        self.0.read_ahead(key, want);
    }

    fn start(&self, fetch: Fetch) -> Option<Fetch> {
        self.0.start(fetch)
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        self.0.get(key, out)
    }

    fn get_document(&self, key: &Key, limit: u64, out: &mut Vec<u8>) -> Result<Option<Version>> {
        self.0.get_document(key, limit, out)
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        self.0.source(key)
    }

    fn source_at<'a>(&'a self, key: &Key, version: &Version) -> Box<dyn ByteSource + 'a> {
        self.0.source_at(key, version)
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        self.0.version(key)
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        self.0.list(prefix, depth, each)
    }

    fn list_abandoned(&self, prefix: &str, each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        self.0.list_abandoned(prefix, each)
    }

    fn list_damage(&self, each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        self.0.list_damage(each)
    }

    fn has_prefix(&self, prefix: &str) -> Result<bool> {
        self.0.has_prefix(prefix)
    }

    fn directory(&self) -> Result<Directory<'_>> {
        self.0.directory()
    }

    fn forget(&self, prefix: &str) -> Result<()> {
        self.0.forget(prefix)
    }
}
