//! Values in memory. `memory:` is private to its handle; all handles of a process share
//! `memory:name`, which is freed with the last of them.

use crate::error::{Error, Kind, Result};
use crate::fork::{Held, Lock, Own};
use crate::lock::Acquire;
use crate::source::{ByteSource, joined, reserve};
use crate::store::transaction::{self, Batch, Step};
use crate::store::{
    Depth, Entry, Exclusion, Key, Mode, Precondition, SharedStore, Store, Version, check_prefix,
    refuse_change, sorted,
};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{
    Arc, Condvar, Mutex, OnceLock, PoisonError, RwLockReadGuard, RwLockWriteGuard, Weak,
};

/// A store in memory. Unlike a directory it can hold both `a` and `a/b`.
pub struct MemoryStore {
    name: String,
    contents: Arc<Contents>,
    read_only: bool,
}

#[derive(Default)]
struct Contents {
    values: Lock<Values>,
    turn: Own<Turn>,
}

/// Serializes changes of several keys. The child of a fork does not wait for changes by the
/// parent's threads.
#[derive(Default)]
struct Turn {
    taken: Mutex<bool>,
    ends: Condvar,
}

/// The right to change several keys, held until dropped.
struct Taken(Arc<Contents>);

impl Taken {
    fn wait(contents: &Arc<Contents>) -> Self {
        let turn = contents.turn.get();
        let taken = turn.taken.acquire();
        let taken = turn.ends.wait_while(taken, |taken| *taken);
        *taken.unwrap_or_else(PoisonError::into_inner) = true;
        Taken(contents.clone())
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let turn = self.0.turn.get();
        *turn.taken.acquire() = false;
        turn.ends.notify_one();
    }
}

#[derive(Default)]
struct Values {
    by_key: BTreeMap<String, Value>,
    /// Counts the values ever set, so that no two have the same version.
    count: u64,
}

#[derive(Clone)]
struct Value {
    bytes: Arc<Vec<u8>>,
    version: u64,
}

/// The named stores, as long as a handle exists.
static NAMED: Lock<BTreeMap<String, Weak<Contents>>> = Lock::new(BTreeMap::new());

/// Opens what follows `memory:` in a URL; see [`open`].
pub fn open_url(rest: &str, mode: Mode, _: &crate::store::Options) -> Result<SharedStore> {
    open(rest.strip_prefix("//").unwrap_or(rest), mode)
}

/// Opens the store called `name`; the empty name gives a new private one.
///
/// [`Kind::NotFound`]: the mode requires an existing store; [`Kind::AlreadyExists`]: the mode
/// requires a new one.
fn open(name: &str, mode: Mode) -> Result<SharedStore> {
    let url = format!("memory:{name}");
    let mut named = NAMED.write();
    named.retain(|_, contents| contents.strong_count() > 0);
    let contents = match (named.get(name).and_then(Weak::upgrade), mode) {
        (None, Mode::Read | Mode::ReadWrite) => {
            let why = "this process has no open store of that name";
            let why = if name.is_empty() {
                "a store without a name is always new: expected \
                ZARRC_OVERWRITE, ZARRC_CREATE or ZARRC_APPEND"
            } else {
                why
            };
            return Err(Error::new(Kind::NotFound, format!("{url}: {why}")));
        }
        (Some(there), Mode::Create) if !there.read().by_key.is_empty() => {
            return Err(Error::new(Kind::AlreadyExists, format!("{url} already contains values")));
        }
        (Some(there), Mode::Overwrite) => {
            there.write().by_key.clear();
            there
        }
        (Some(there), _) => there,
        (None, _) => {
            let new = Arc::default();
            if !name.is_empty() {
                named.insert(name.to_owned(), Arc::downgrade(&new));
            }
            new
        }
    };
    Ok(Arc::new(MemoryStore { name: url, contents, read_only: mode == Mode::Read }))
}

impl Contents {
    // No change to the map can stop half way, so the map of a poisoned lock is consistent.
    fn read(&self) -> Held<RwLockReadGuard<'_, Values>> {
        self.values.read()
    }

    fn write(&self) -> Held<RwLockWriteGuard<'_, Values>> {
        self.values.write()
    }

    fn get(&self, key: &Key) -> Option<Value> {
        self.read().by_key.get(key.as_str()).cloned()
    }
}

impl Values {
    fn version(&self, key: &Key) -> Option<Version> {
        self.by_key.get(key.as_str()).map(Value::version)
    }

    /// Sets a value; returns the old one.
    fn set(&mut self, key: &Key, bytes: Arc<Vec<u8>>) -> Option<Value> {
        self.count += 1;
        let value = Value { bytes, version: self.count };
        self.by_key.insert(key.as_str().to_owned(), value)
    }
}

impl MemoryStore {
    fn changeable(&self) -> Result<()> {
        if self.read_only { Err(refuse_change(self)) } else { Ok(()) }
    }
}

impl Store for MemoryStore {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn read_only(&self) -> bool {
        self.read_only
    }

    fn exclude(&self, _key: &Key) -> Result<Exclusion> {
        Ok(Exclusion::Held(Box::new(Taken::wait(&self.contents))))
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        let Some(value) = self.contents.get(key) else { return Ok(None) };
        append(out, &value.bytes)?;
        Ok(Some(value.version()))
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        Ok(self.contents.get(key).map(|value| value.version()))
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        Box::new(Source { contents: &self.contents, key: key.clone(), value: OnceLock::new() })
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        self.changeable()?;
        let bytes = joined(parts)?;
        let mut values = self.contents.write();
        if !when.holds(|| Ok(values.version(key)))? {
            return Err(crate::store::conflict(self, key, when));
        }
        let replaced = values.set(key, Arc::new(bytes));
        // Free the old value's memory without the lock.
        drop(values);
        drop(replaced);
        Ok(())
    }

    fn erase(&self, key: &Key, when: &Precondition) -> Result<bool> {
        self.changeable()?;
        let mut values = self.contents.write();
        if !when.holds(|| Ok(values.version(key)))? {
            return Err(crate::store::conflict(self, key, when));
        }
        let erased = values.by_key.remove(key.as_str());
        drop(values);
        Ok(erased.is_some())
    }

    fn erase_prefix(&self, prefix: &str) -> Result<()> {
        self.changeable()?;
        check_prefix(prefix)?;
        let mut values = self.contents.write();
        for key in sorted::below(&values.by_key, prefix) {
            values.by_key.remove(&key);
        }
        Ok(())
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        let next = &mut |from: Bound<&str>| Ok(sorted::next_of(&self.contents.read().by_key, from));
        sorted::list(prefix, depth, next, each)
    }

    fn begin(self: Arc<Self>) -> Result<SharedStore> {
        transaction::begin(self)
    }
}

impl Batch for MemoryStore {
    fn apply(&self, steps: &[Step]) -> Result<()> {
        let mut values = self.contents.write();
        for step in steps {
            if !step.when.holds(|| Ok(values.version(&step.key)))? {
                return Err(crate::store::conflict(self, &step.key, &step.when));
            }
        }
        for step in steps {
            match &step.change {
                Some(Some(bytes)) => drop(values.set(&step.key, bytes.clone())),
                Some(None) => drop(values.by_key.remove(step.key.as_str())),
                None => {}
            }
        }
        Ok(())
    }
}

impl Value {
    fn version(&self) -> Version {
        Version::new(self.version.to_le_bytes().into_iter().collect())
    }
}

struct Source<'a> {
    contents: &'a Contents,
    key: Key,
    value: OnceLock<Option<Value>>,
}

impl Source<'_> {
    fn bytes(&self) -> Option<&[u8]> {
        let value = self.value.get_or_init(|| self.contents.get(&self.key));
        value.as_ref().map(|v| v.bytes.as_slice())
    }
}

impl ByteSource for Source<'_> {
    fn len(&self) -> Result<Option<u64>> {
        Ok(self.bytes().map(|bytes| bytes.len() as u64))
    }

    fn read_all(&self, _: u64, out: &mut Vec<u8>) -> Result<bool> {
        self.bytes().map_or(Ok(false), |bytes| append(out, bytes).map(|()| true))
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        self.bytes().map_or(Ok(false), |bytes| bytes.read_at(offset, out))
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        self.bytes().map_or(Ok(false), |bytes| bytes.read_exactly(out))
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        let Some(bytes) = self.bytes() else { return Ok(None) };
        let from = bytes.len().saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
        append(out, &bytes[from..])?;
        Ok(Some(bytes.len() as u64))
    }

    fn version(&self) -> Result<Option<Version>> {
        self.bytes(); // pins it
        Ok(self.value.get().and_then(Option::as_ref).map(Value::version))
    }

    fn as_slice(&self) -> Option<&[u8]> {
        self.bytes()
    }

    fn request_cost(&self) -> u64 {
        0
    }
}

fn append(out: &mut Vec<u8>, bytes: &[u8]) -> Result<()> {
    reserve(out, bytes.len())?;
    out.extend_from_slice(bytes);
    Ok(())
}
