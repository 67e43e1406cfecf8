//! Changes of several keys that become visible all at once: in memory until they are committed, on
//! stores that can change several keys atomically ([`Batch`]).
//!
//! A transaction remembers the version of each key when it first reads or writes it, and commits
//! only if all of them still have that version: the first of two that touch the same keys wins, and
//! the other gets [`Kind::Conflict`]. Reads of one key are repeatable: one that would see a later
//! version fails likewise. What a listing finds is not compared.

use super::whole_value::WholeValue;
use super::{
    Depth, Entry, Exclusion, Key, Precondition, SharedStore, Store, Version, check_prefix,
    conflict, refuse_change,
};
use crate::error::{Error, Kind, Result};
use crate::fork::{Held, Lock, Own};
use crate::source::{ByteSource, append, joined, within};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// One key of a transaction.
pub struct Step {
    /// The key.
    pub key: Key,
    /// What must hold, whether the key changes or not.
    pub when: Precondition,
    /// `Some(None)`: erases the key; `None`: it was only read.
    pub change: Option<Option<Arc<Vec<u8>>>>,
}

/// A store that can change several keys atomically.
pub trait Batch: Store {
    /// Makes all the changes if every precondition holds, else none: [`Kind::Conflict`]. A killed
    /// process leaves all of them or none.
    fn apply(&self, steps: &[Step]) -> Result<()>;
}

/// A transaction on `base`.
pub fn begin(base: Arc<dyn Batch>) -> Result<SharedStore> {
    match base.read_only() {
        true => Err(refuse_change(&*base)),
        false => Ok(Arc::new(Transaction { base, turn: Own::new(), state: Lock::default() })),
    }
}

/// The error of a call on a transaction that was committed or rolled back.
#[cold]
pub fn has_ended(store: &dyn Store) -> Error {
    let name = store.name();
    Error::invalid(format!("the transaction on {name} has ended: begin another one"))
}

/// The error of a transaction within a transaction.
#[cold]
pub fn is_nested(store: &dyn Store) -> Error {
    Error::invalid(format!("{}: the store is a transaction itself", store.name()))
}

struct Transaction {
    base: Arc<dyn Batch>,
    /// Changes share it; a commit excludes them, as it would lose one that it does not know.
    turn: Own<RwLock<()>>,
    state: Lock<State>,
}

/// A new value and its number.
type New = (Arc<Vec<u8>>, u64);

#[derive(Default)]
struct State {
    /// The version in the base of each key when it was first touched.
    seen: BTreeMap<String, Option<Version>>,
    /// The new values; `None`: erased.
    changes: BTreeMap<String, Option<New>>,
    count: u64,
    ended: bool,
}

/// The version of a new value: no store's versions have nine bytes.
fn version_of(number: u64) -> Version {
    Version::new(number.to_le_bytes().into_iter().chain([b't']).collect())
}

impl State {
    /// The version of a key that was touched.
    fn version(&self, key: &Key) -> Option<Version> {
        match self.changes.get(key.as_str()) {
            Some(change) => change.as_ref().map(|(_, number)| version_of(*number)),
            None => self.seen.get(key.as_str()).cloned().flatten(),
        }
    }

    fn is_erased(&self, key: &str) -> bool {
        matches!(self.changes.get(key), Some(None))
    }
}

impl Transaction {
    fn state(&self) -> Result<Held<RwLockReadGuard<'_, State>>> {
        let state = self.state.read();
        if state.ended { Err(has_ended(self)) } else { Ok(state) }
    }

    fn alone(&self) -> RwLockWriteGuard<'_, ()> {
        self.turn.get().write().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self) {
        *self.state.write() = State { ended: true, ..State::default() };
    }

    /// Remembers the version of a key in the base, or compares it.
    fn saw(&self, key: &Key, found: Option<&Version>) -> Result<()> {
        let mut state = self.state.write();
        if state.ended {
            return Err(has_ended(self));
        }
        match state.seen.get(key.as_str()) {
            Some(before) if before.as_ref() == found => Ok(()),
            Some(_) => Err(conflict(self, key, &Precondition::None)),
            None => {
                state.seen.insert(key.as_str().to_owned(), found.cloned());
                Ok(())
            }
        }
    }

    fn touch(&self, key: &Key) -> Result<()> {
        if self.state()?.seen.contains_key(key.as_str()) {
            return Ok(());
        }
        let found = self.base.version(key)?;
        match self.saw(key, found.as_ref()) {
            // another thread saw it at another time: the commit will compare
            Err(e) if e.kind() == Kind::Conflict => Ok(()),
            result => result,
        }
    }

    /// Changes a key if `when` holds; returns whether it was present, and its new version.
    fn change(
        &self,
        key: &Key,
        value: Option<Arc<Vec<u8>>>,
        when: &Precondition,
    ) -> Result<(bool, Option<Version>)> {
        let _turn = self.turn.get().read().unwrap_or_else(PoisonError::into_inner);
        self.touch(key)?;
        let mut state = self.state.write();
        let there = state.version(key);
        if !when.holds(|| Ok(there.clone()))? {
            return Err(conflict(self, key, when));
        }
        state.count += 1;
        let number = state.count;
        let new = value.as_ref().map(|_| version_of(number));
        state.changes.insert(key.as_str().to_owned(), value.map(|value| (value, number)));
        Ok((there.is_some(), new))
    }
}

impl Store for Transaction {
    fn name(&self) -> String {
        self.base.name()
    }

    fn read_only(&self) -> bool {
        false
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        self.get_document(key, u64::MAX, out)
    }

    fn get_document(&self, key: &Key, limit: u64, out: &mut Vec<u8>) -> Result<Option<Version>> {
        let changed = self.state()?.changes.get(key.as_str()).cloned();
        match changed {
            Some(None) => Ok(None),
            Some(Some((value, number))) => {
                within(value.len() as u64, limit, super::DOCUMENT)?;
                append(out, &value)?;
                Ok(Some(version_of(number)))
            }
            None => {
                let found = self.base.get_document(key, limit, out)?;
                self.saw(key, found.as_ref())?;
                Ok(found)
            }
        }
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        Box::new(WholeValue::new(self, key))
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        if !self.state()?.changes.contains_key(key.as_str()) {
            let found = self.base.version(key)?;
            self.saw(key, found.as_ref())?;
        }
        Ok(self.state()?.version(key))
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        self.set_known(key, parts, when).map(drop)
    }

    fn set_known(
        &self,
        key: &Key,
        parts: &[&[u8]],
        when: &Precondition,
    ) -> Result<Option<Version>> {
        let value = joined(parts)?;
        Ok(self.change(key, Some(Arc::new(value)), when)?.1)
    }

    fn erase(&self, key: &Key, when: &Precondition) -> Result<bool> {
        Ok(self.change(key, None, when)?.0)
    }

    fn erase_prefix(&self, prefix: &str) -> Result<()> {
        let mut keys = Vec::new();
        self.list(prefix, Depth::All, &mut |entry| {
            if let Entry::Key(rest) = entry {
                keys.push(Key::trusted([prefix, rest].concat()));
            }
            Ok(())
        })?;
        keys.iter().try_for_each(|key| self.erase(key, &Precondition::None).map(drop))
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        check_prefix(prefix)?;
        let below = (Bound::Included(prefix), Bound::Unbounded);
        let (mut keys, mut prefixes) = (BTreeSet::new(), BTreeSet::new());
        let mut add = |rest: &str| {
            match rest.split_once('/') {
                Some((name, _)) if depth == Depth::One => prefixes.insert(name.to_owned()),
                _ => keys.insert(rest.to_owned()),
            };
        };
        let (mut erases, mut new) = (false, Vec::new());
        for (key, change) in self.state()?.changes.range::<str, _>(below) {
            let Some(rest) = key.strip_prefix(prefix) else { break };
            match change {
                Some(_) => new.push(rest.to_owned()),
                None => erases = true,
            }
        }
        // a level that lost keys may have lost its last one
        let deep = if erases { Depth::All } else { depth };
        self.base.list(prefix, deep, &mut |entry| {
            match entry {
                Entry::Prefix(name) => add(&[name, "/"].concat()),
                Entry::Key(rest) => {
                    if !self.state()?.is_erased(&[prefix, rest].concat()) {
                        add(rest);
                    }
                }
            }
            Ok(())
        })?;
        new.iter().for_each(|rest| add(rest));
        prefixes.iter().try_for_each(|name| each(Entry::Prefix(name)))?;
        keys.iter().try_for_each(|rest| each(Entry::Key(rest)))
    }

    fn exclude(&self, _: &Key) -> Result<Exclusion> {
        Ok(Exclusion::OneWriter)
    }

    fn begin(self: Arc<Self>) -> Result<SharedStore> {
        Err(is_nested(&*self))
    }

    fn commit(&self, _message: Option<&str>) -> Result<()> {
        let _turn = self.alone();
        let steps: Vec<Step> = {
            let state = self.state()?;
            let step = |(key, seen): (&String, &Option<Version>)| Step {
                key: Key::trusted(key.clone()),
                when: seen.clone().map_or(Precondition::Absent, Precondition::Version),
                change: state.changes.get(key).map(|new| new.as_ref().map(|(v, _)| v.clone())),
            };
            state.seen.iter().map(step).collect()
        };
        if steps.iter().any(|step| step.change.is_some()) {
            self.base.apply(&steps)?;
        }
        self.end();
        Ok(())
    }

    fn rollback(&self) -> Result<()> {
        let _turn = self.alone();
        self.end();
        Ok(())
    }
}
