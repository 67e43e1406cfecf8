//! A store implemented by the program: keys and values in its own structure. [`Values`] is the
//! minimal interface; this module emulates what an implementation lacks.

use super::sorted;
use super::whole_value::{WholeValue, version_of};
use super::{
    Depth, Entry, Key, Precondition, SharedStore, Store, Version, check_prefix, refuse_change,
};
use crate::cache::Changing;
use crate::error::{Context, Error, Kind, Result};
use crate::fork::Own;
use crate::lock::Acquire;
use crate::source::{ByteSource, in_one_piece, reserve, wrong_length};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// Keys and values of a custom store, used by any number of threads at once. A method that returns
/// an `Option` may return `None`: not supported.
pub trait Values: Send + Sync {
    /// The store's name in messages.
    fn name(&self) -> String;

    /// The preferred number of concurrent requests; see [`Store::concurrency`].
    fn concurrency(&self) -> usize;

    /// Whether the store is read-only.
    fn read_only(&self) -> bool;

    /// Appends a whole value to `out`; `false`: absent.
    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<bool>;

    /// Appends `length` bytes from `offset` on, fewer if the value ends before; `false`: absent.
    fn get_range(
        &self,
        key: &Key,
        offset: u64,
        length: u64,
        out: &mut Vec<u8>,
    ) -> Option<Result<bool>>;

    /// The length of a value and a number that changes whenever it is set; `None`: absent.
    fn stat(&self, key: &Key) -> Option<Result<Option<(u64, u64)>>>;

    /// Replaces a value atomically.
    fn set(&self, key: &Key, value: &[u8]) -> Result<()>;

    /// Deletes a key; returns whether it was present.
    fn erase(&self, key: &Key) -> Option<Result<bool>>;

    /// Calls `each` for every key that begins with `prefix`, in no order.
    fn list(&self, prefix: &str, each: &mut dyn FnMut(&str) -> Result<()>) -> Option<Result<()>>;

    /// Completes deferred writes.
    fn flush(&self) -> Result<()>;
}

struct Custom<V> {
    values: V,
    /// Held while a value is compared and replaced, to serialize changes in this process.
    change: Own<Mutex<()>>,
}

/// Makes a store of `values`.
pub fn custom(values: impl Values + 'static) -> SharedStore {
    Arc::new(Custom { values, change: Own::new() })
}

impl<V: Values> Custom<V> {
    fn place(&self, key: impl std::fmt::Display) -> String {
        format!("{key} of {}", self.values.name())
    }

    /// The length and version of a value, if the store knows them without reading it.
    fn stat(&self, key: &Key) -> Option<Result<Option<(u64, Version)>>> {
        let stat = self.values.stat(key)?;
        Some(stat.map(|there| {
            there.map(|(length, number)| {
                let numbers = [number, length];
                (length, Version::new(numbers.iter().flat_map(|n| n.to_le_bytes()).collect()))
            })
        }))
    }

    /// Locks out other changes and checks that `when` holds.
    fn changeable(&self, key: &Key, when: &Precondition) -> Result<MutexGuard<'_, ()>> {
        if self.values.read_only() {
            return Err(refuse_change(self));
        }
        let lock = self.change.get().acquire();
        match when.holds(|| self.version(key))? {
            true => Ok(lock),
            false => Err(super::conflict(self, key, when)),
        }
    }

    /// The keys below `prefix`, sorted.
    fn below(&self, prefix: &str) -> Result<BTreeMap<String, ()>> {
        check_prefix(prefix)?;
        let mut keys = BTreeMap::new();
        let listed = self.values.list(prefix, &mut |key| {
            if key.starts_with(prefix) && Key::parse(key).is_ok() {
                keys.insert(key.to_owned(), ());
            }
            Ok(())
        });
        let unable = || Err(Error::unsupported("it cannot list its keys"));
        listed.unwrap_or_else(unable).at(|| format!("store {}", self.values.name()))?;
        Ok(keys)
    }
}

impl<V: Values> Store for Custom<V> {
    fn name(&self) -> String {
        self.values.name()
    }

    fn read_only(&self) -> bool {
        self.values.read_only()
    }

    fn concurrency(&self) -> usize {
        self.values.concurrency()
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        let start = out.len();
        let place = || self.place(key);
        // a version read before the value is at worst too old
        let stat = self.stat(key).transpose().at(place)?;
        if stat == Some(None) || !self.values.get(key, out).at(place)? {
            return Ok(None);
        }
        Ok(Some(match stat.flatten() {
            Some((_, version)) => version,
            None => version_of(&out[start..]),
        }))
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        // ranges of a value share one state only if the store can detect changes
        match self.values.stat(key).is_some() {
            true => Box::new(Ranges { store: self, key: key.clone(), stat: OnceLock::new() }),
            false => Box::new(WholeValue::new(self, key)),
        }
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        match self.stat(key) {
            Some(stat) => Ok(stat.at(|| self.place(key))?.map(|(_, version)| version)),
            None => self.get(key, &mut Vec::new()),
        }
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        let _changing = Changing;
        let _locked = self.changeable(key, when)?;
        self.values.set(key, &in_one_piece(parts)?).at(|| self.place(key))
    }

    fn erase(&self, key: &Key, when: &Precondition) -> Result<bool> {
        let _changing = Changing;
        let _locked = self.changeable(key, when)?;
        let unable = || Err(Error::unsupported("it cannot delete keys"));
        self.values.erase(key).unwrap_or_else(unable).at(|| self.place(key))
    }

    fn erase_prefix(&self, prefix: &str) -> Result<()> {
        if self.values.read_only() {
            return Err(refuse_change(self));
        }
        self.below(prefix)?
            .into_keys()
            .try_for_each(|key| self.erase(&Key::trusted(key), &Precondition::None).map(drop))
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        let keys = self.below(prefix)?;
        let next = &mut |from: Bound<&str>| Ok(sorted::next_of(&keys, from));
        sorted::list(prefix, depth, next, each)
    }

    fn flush(&self) -> Result<()> {
        self.values.flush()
    }
}

/// A value read by range, as long as it remains in its first state.
struct Ranges<'a, V> {
    store: &'a Custom<V>,
    key: Key,
    stat: OnceLock<Option<(u64, Version)>>,
}

impl<V: Values> Ranges<'_, V> {
    fn stat(&self) -> Result<Option<&(u64, Version)>> {
        if self.stat.get().is_none() {
            let stat = self.store.stat(&self.key).transpose();
            let stat = stat.at(|| self.store.place(&self.key))?.flatten();
            let _ = self.stat.set(stat);
        }
        Ok(self.stat.get().and_then(Option::as_ref))
    }

    /// Appends a range; `false`: the value is absent.
    fn read(&self, offset: u64, length: u64, out: &mut Vec<u8>) -> Result<bool> {
        let Some((size, version)) = self.stat()? else { return Ok(false) };
        let end = offset.saturating_add(length);
        let mut read = || -> Result<()> {
            if end > *size {
                return Err(wrong_length(end, *size));
            }
            let start = out.len();
            let wanted = usize::try_from(length).unwrap_or(usize::MAX);
            let values = &self.store.values;
            let there = match values.get_range(&self.key, offset, length, out) {
                Some(there) => there?,
                None => {
                    let mut whole = Vec::new();
                    let there = values.get(&self.key, &mut whole)?;
                    let part = whole.get(offset as usize..).unwrap_or_default();
                    let part = &part[..wanted.min(part.len())];
                    reserve(out, part.len())?;
                    out.extend_from_slice(part);
                    there
                }
            };
            let now = self.store.stat(&self.key).transpose()?.flatten();
            if !there || now.as_ref().map(|(_, version)| version) != Some(version) {
                return Err(Error::new(Kind::Conflict, "the value was replaced meanwhile"));
            }
            if out.len() - start != wanted {
                return Err(wrong_length(length, (out.len() - start) as u64));
            }
            Ok(())
        };
        read().at(|| self.store.place(&self.key))?;
        Ok(true)
    }
}

impl<V: Values> ByteSource for Ranges<'_, V> {
    fn len(&self) -> Result<Option<u64>> {
        Ok(self.stat()?.map(|(size, _)| *size))
    }

    fn read_all(&self, _: u64, out: &mut Vec<u8>) -> Result<bool> {
        let Some(size) = self.len()? else { return Ok(false) };
        self.read(0, size, out)
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        let mut bytes = Vec::new();
        let there = self.read(offset, out.len() as u64, &mut bytes)?;
        if there {
            out.copy_from_slice(&bytes);
        }
        Ok(there)
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        match self.len()? {
            None => Ok(false),
            Some(size) if size == out.len() as u64 => self.read_at(0, out),
            Some(size) => {
                Err(wrong_length(out.len() as u64, size)).at(|| self.store.place(&self.key))
            }
        }
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        let Some(size) = self.len()? else { return Ok(None) };
        let count = count.min(size);
        self.read(size - count, count, out)?;
        Ok(Some(size))
    }

    fn version(&self) -> Result<Option<Version>> {
        Ok(self.stat()?.map(|(_, version)| version.clone()))
    }
}
