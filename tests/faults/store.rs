//! A store in memory whose n-th operation goes wrong.

use crate::common::memory;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use zarrc::error::{Error, Kind, Result};
use zarrc::source::ByteSource;
use zarrc::store::{
    Depth, Entry, Exclusion, Key, Precondition, SharedStore, Stamp, Store, Version,
};

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The operation fails and does nothing; deleting a prefix deletes half of it.
    Fails,
    /// A change is made, but its answer is lost. A read fails.
    AnswerLost,
    /// This operation and all later ones fail, as for a killed process. Nothing is tidied up.
    Dies,
    /// The same, after the operation itself was done.
    DiesAfter,
    /// The operation takes long.
    Delayed,
    /// A read returns only the first half of the value.
    Truncated,
    /// A read returns the value that was there before the last change, or none.
    Stale,
    /// A read finds nothing.
    Hidden,
}

pub const FAILURES: [Fault; 5] =
    [Fault::Fails, Fault::AnswerLost, Fault::Dies, Fault::DiesAfter, Fault::Delayed];
pub const LIES: [Fault; 3] = [Fault::Truncated, Fault::Stale, Fault::Hidden];

type Value = (Vec<u8>, Version);

pub struct Faulty {
    inner: SharedStore,
    fault: Fault,
    /// The operation that goes wrong, counted from 1; 0: none.
    at: u64,
    count: AtomicU64,
    /// Whether the store says that it is remote.
    far: bool,
    /// Values before their last change.
    before: Mutex<HashMap<Key, Option<Value>>>,
}

/// What becomes of one operation.
enum Fate {
    Done,
    Fails,
    /// Done, and then it fails.
    FailsAfter,
    Lies,
}

fn failed() -> Error {
    Error::new(Kind::Io, "injected fault")
}

impl Faulty {
    pub fn new(inner: SharedStore, far: bool, fault: Fault, at: u64) -> Arc<Self> {
        let (count, before) = (AtomicU64::new(0), Mutex::default());
        Arc::new(Faulty { inner, fault, at, count, far, before })
    }

    /// The number of operations so far.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::SeqCst)
    }

    fn fate(&self) -> Fate {
        let n = self.count.fetch_add(1, Ordering::SeqCst) + 1;
        if self.at == 0 || n < self.at {
            return Fate::Done;
        }
        match (self.fault, n == self.at) {
            (Fault::Dies, _) | (Fault::Fails, true) | (Fault::DiesAfter, false) => Fate::Fails,
            (Fault::AnswerLost | Fault::DiesAfter, true) => Fate::FailsAfter,
            (Fault::Delayed, true) => {
                std::thread::sleep(Duration::from_millis(2));
                Fate::Done
            }
            (Fault::Truncated | Fault::Stale | Fault::Hidden, true) => Fate::Lies,
            (_, false) => Fate::Done,
        }
    }

    /// An operation about which this store does not lie.
    fn honest<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        match self.fate() {
            Fate::Fails => Err(failed()),
            Fate::FailsAfter => work().and(Err(failed())),
            Fate::Done | Fate::Lies => work(),
        }
    }

    fn value(&self, key: &Key) -> Result<Option<Value>> {
        let mut bytes = Vec::new();
        Ok(self.inner.get(key, &mut bytes)?.map(|version| (bytes, version)))
    }

    /// What a lie says of a value.
    fn lie(&self, key: &Key) -> Result<Option<Value>> {
        Ok(match self.fault {
            Fault::Truncated => self.value(key)?.map(|(bytes, version)| {
                let half = bytes.len() / 2;
                (bytes[..half].to_vec(), version)
            }),
            Fault::Stale => match self.before.lock().unwrap().get(key) {
                Some(before) => before.clone(),
                None => self.value(key)?,
            },
            _ => None,
        })
    }

    fn read(&self, key: &Key) -> Result<Option<Value>> {
        match self.fate() {
            Fate::Fails | Fate::FailsAfter => Err(failed()),
            Fate::Done => self.value(key),
            Fate::Lies => self.lie(key),
        }
    }

    /// Remembers a value that is about to change.
    fn changes(&self, key: &Key) -> Result<()> {
        let value = self.value(key)?;
        self.before.lock().unwrap().insert(key.clone(), value);
        Ok(())
    }
}

impl Store for Faulty {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn read_only(&self) -> bool {
        false
    }

    fn concurrency(&self) -> usize {
        if self.far { 8 } else { 1 }
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        Ok(self.read(key)?.map(|(bytes, version)| {
            out.extend_from_slice(&bytes);
            version
        }))
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        Box::new(Source { store: self, key: key.clone(), value: OnceLock::new() })
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        Ok(self.read(key)?.map(|(_, version)| version))
    }

    fn stamp(&self, key: &Key) -> Result<Option<Stamp>> {
        self.honest(|| self.inner.stamp(key))
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        self.honest(|| {
            self.changes(key)?;
            self.inner.set(key, parts, when)
        })
    }

    fn set_known(
        &self,
        key: &Key,
        parts: &[&[u8]],
        when: &Precondition,
    ) -> Result<Option<Version>> {
        self.set(key, parts, when)?;
        self.inner.version(key)
    }

    fn erase(&self, key: &Key, when: &Precondition) -> Result<bool> {
        self.honest(|| {
            self.changes(key)?;
            self.inner.erase(key, when)
        })
    }

    fn erase_prefix(&self, prefix: &str) -> Result<()> {
        let keys = crate::common::list(&*self.inner, prefix, Depth::All)?;
        let erase = |few: &[String]| {
            few.iter().try_for_each(|name| {
                let key = Key::trusted(format!("{prefix}{name}"));
                self.changes(&key)?;
                self.inner.erase(&key, &Precondition::None).map(|_| ())
            })
        };
        match self.fate() {
            Fate::Fails => erase(&keys[..keys.len() / 2]).and(Err(failed())),
            Fate::FailsAfter => erase(&keys).and(Err(failed())),
            Fate::Done | Fate::Lies => erase(&keys),
        }
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        self.honest(|| self.inner.list(prefix, depth, each))
    }

    fn exclude(&self, key: &Key) -> Result<Exclusion> {
        self.honest(|| self.inner.exclude(key))
    }

    fn flush(&self) -> Result<()> {
        self.honest(|| self.inner.flush())
    }
}

/// A value as it was when it was first read.
struct Source<'a> {
    store: &'a Faulty,
    key: Key,
    value: OnceLock<Option<Value>>,
}

impl Source<'_> {
    fn value(&self) -> Result<Option<&Value>> {
        match self.value.get() {
            // it may fail later, too
            Some(_) => self.store.honest(|| Ok(()))?,
            None => {
                let value = self.store.read(&self.key)?;
                let _ = self.value.set(value);
            }
        }
        Ok(self.value.get().and_then(Option::as_ref))
    }

    fn with<T>(&self, absent: T, read: impl FnOnce(&[u8]) -> Result<T>) -> Result<T> {
        self.value()?.map_or(Ok(absent), |(bytes, _)| read(bytes))
    }
}

impl ByteSource for Source<'_> {
    fn len(&self) -> Result<Option<u64>> {
        self.with(None, |bytes| Ok(Some(bytes.len() as u64)))
    }

    fn read_all(&self, expected: u64, out: &mut Vec<u8>) -> Result<bool> {
        self.with(false, |bytes| bytes.read_all(expected, out))
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        self.with(false, |bytes| bytes.read_at(offset, out))
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        self.with(false, |bytes| bytes.read_exactly(out))
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        self.with(None, |bytes| bytes.read_suffix(count, out))
    }

    fn version(&self) -> Result<Option<Version>> {
        Ok(self.value()?.map(|(_, version)| version.clone()))
    }

    fn request_cost(&self) -> u64 {
        if self.store.far { 1 << 20 } else { 0 }
    }
}

/// A store in memory with the values of another.
pub fn copy_of(store: &SharedStore) -> SharedStore {
    let copy = memory();
    for (key, value) in values(store) {
        copy.set(&Key::trusted(key), &[&value], &Precondition::None).unwrap();
    }
    copy
}

/// All keys and values.
pub fn values(store: &SharedStore) -> std::collections::BTreeMap<String, Vec<u8>> {
    let keys = crate::common::list(&**store, "", Depth::All).unwrap();
    keys.into_iter().map(|key| (key.clone(), crate::common::get(&**store, &key).unwrap())).collect()
}
