//! An adapter that logs each request to another store in a file: operation, key, bytes, duration
//! and outcome; at the end, the totals.
//!
//! ```text
//! get temperature/c/0/3 41873 bytes 0.312 ms
//! read temperature/c/0/4 absent 0.009 ms
//! set zarr.json 512 bytes 0.110 ms PermissionDenied
//! sum get 17 requests 200344 bytes 4.100 ms
//! ```

use crate::error::{Error, Result};
use crate::fork::Lock;
use crate::source::{ByteSource, Want};
use crate::store::open::Inner;
use crate::store::{
    Depth, Entry, Exclusion, Key, Mode, Options, Precondition, SharedStore, Store, Version,
};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

struct Logged {
    inner: SharedStore,
    state: Lock<LogState>,
}

struct LogState {
    file: File,
    sums: BTreeMap<&'static str, (u64, u64, Duration)>,
}

/// Wraps the store that `inner` opens; appends lines to the file at `path`.
pub fn open(inner: &Inner<'_>, path: &str, mode: Mode, _: &Options) -> Result<SharedStore> {
    if path.is_empty() {
        return Err(Error::invalid("log: expected the path of a file, as in x.zarr|log:x.log"));
    }
    let file = File::options().append(true).create(true).open(path);
    let file = file.map_err(|e| Error::io(format!("log: opening {path}"), &e))?;
    let state = Lock::new(LogState { file, sums: BTreeMap::new() });
    Ok(Arc::new(Logged { inner: inner(mode)?, state }))
}

impl Logged {
    /// Runs a request and logs it; `bytes` returns the size of its result, or `None`: absent.
    fn tell<T>(
        &self,
        what: &'static str,
        key: &str,
        request: impl FnOnce() -> Result<T>,
        bytes: impl FnOnce(&T) -> Option<u64>,
    ) -> Result<T> {
        let began = Instant::now();
        let result = request();
        let took = began.elapsed();
        let moved = result.as_ref().ok().map(bytes);
        let size = match moved {
            Some(Some(bytes)) => format!("{bytes} bytes"),
            Some(None) => "absent".into(),
            None => "failed".into(),
        };
        let end = result.as_ref().err().map(|e| format!(" {:?}", e.kind())).unwrap_or_default();
        let line = format!("{what} {key:?} {size} {:.3} ms{end}\n", took.as_secs_f64() * 1e3);
        let mut state = self.state.write();
        let sum = state.sums.entry(what).or_default();
        sum.0 += 1;
        sum.1 += moved.flatten().unwrap_or_default();
        sum.2 += took;
        // a full disk must not fail the request
        let _ = state.file.write_all(line.as_bytes());
        result
    }
}

impl Drop for Logged {
    fn drop(&mut self) {
        let state = &mut *self.state.write();
        let mut lines = String::new();
        for (what, (count, bytes, took)) in &state.sums {
            let millis = took.as_secs_f64() * 1e3;
            lines += &format!("sum {what} {count} requests {bytes} bytes {millis:.3} ms\n");
        }
        let _ = state.file.write_all(lines.as_bytes());
    }
}

impl Store for Logged {
    fn name(&self) -> String {
        self.inner.name()
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
        self.inner.read_ahead(key, want);
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        self.get_document(key, u64::MAX, out)
    }

    fn get_document(&self, key: &Key, limit: u64, out: &mut Vec<u8>) -> Result<Option<Version>> {
        let before = out.len();
        let get = || {
            let version = self.inner.get_document(key, limit, &mut *out)?;
            Ok((version, out.len() - before))
        };
        let got = self.tell("get", key.as_str(), get, |(version, bytes)| {
            version.as_ref().map(|_| *bytes as u64)
        });
        got.map(|(version, _)| version)
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        Box::new(Source { store: self, inner: self.inner.source(key), key: key.clone() })
    }

    fn source_to_change<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        let inner = self.inner.source_to_change(key);
        Box::new(Source { store: self, inner, key: key.clone() })
    }

    fn source_at<'a>(&'a self, key: &Key, version: &Version) -> Box<dyn ByteSource + 'a> {
        let inner = self.inner.source_at(key, version);
        Box::new(Source { store: self, inner, key: key.clone() })
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        self.tell("version", key.as_str(), || self.inner.version(key), |v| v.as_ref().map(|_| 0))
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        let size = parts.iter().fold(0, |sum, part| sum + <[u8]>::len(part) as u64);
        self.tell("set", key.as_str(), || self.inner.set(key, parts, when), |()| Some(size))
    }

    fn erase(&self, key: &Key, when: &Precondition) -> Result<bool> {
        let erase = || self.inner.erase(key, when);
        self.tell("erase", key.as_str(), erase, |there| there.then_some(0))
    }

    fn erase_prefix(&self, prefix: &str) -> Result<()> {
        self.tell("erase_prefix", prefix, || self.inner.erase_prefix(prefix), |()| Some(0))
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        self.tell("list", prefix, || self.inner.list(prefix, depth, each), |()| Some(0))
    }

    fn list_abandoned(&self, prefix: &str, each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        self.inner.list_abandoned(prefix, each)
    }

    fn list_damage(&self, each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        self.inner.list_damage(each)
    }

    fn has_prefix(&self, prefix: &str) -> Result<bool> {
        let has = || self.inner.has_prefix(prefix);
        self.tell("has_prefix", prefix, has, |there| there.then_some(0))
    }

    fn exclude(&self, key: &Key) -> Result<Exclusion> {
        self.inner.exclude(key)
    }

    fn flush(&self) -> Result<()> {
        self.tell("flush", "", || self.inner.flush(), |()| Some(0))
    }

    fn forget(&self, prefix: &str) -> Result<()> {
        self.inner.forget(prefix)
    }
}

struct Source<'a> {
    store: &'a Logged,
    inner: Box<dyn ByteSource + 'a>,
    key: Key,
}

impl Source<'_> {
    /// One read of `size` bytes.
    fn read(&self, size: usize, read: impl FnOnce() -> Result<bool>) -> Result<bool> {
        self.store.tell("read", self.key.as_str(), read, |there| there.then_some(size as u64))
    }
}

impl ByteSource for Source<'_> {
    fn len(&self) -> Result<Option<u64>> {
        self.store.tell("length", self.key.as_str(), || self.inner.len(), |len| len.map(|_| 0))
    }

    fn read_all(&self, expected: u64, out: &mut Vec<u8>) -> Result<bool> {
        let before = out.len();
        let read = || Ok(self.inner.read_all(expected, out)?.then(|| (out.len() - before) as u64));
        Ok(self.store.tell("read", self.key.as_str(), read, |bytes| *bytes)?.is_some())
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        self.read(out.len(), || self.inner.read_at(offset, out))
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        self.read(out.len(), || self.inner.read_exactly(out))
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        let read = || self.inner.read_suffix(count, out);
        self.store.tell("read", self.key.as_str(), read, |len| len.map(|len| len.min(count)))
    }

    fn version(&self) -> Result<Option<Version>> {
        self.inner.version()
    }

    fn pin(&self, version: &Version) -> bool {
        self.inner.pin(version)
    }

    fn as_slice(&self) -> Option<&[u8]> {
        self.inner.as_slice()
    }

    fn request_cost(&self) -> u64 {
        self.inner.request_cost()
    }
}
