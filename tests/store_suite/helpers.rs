//! Short words for what the tests do all the time.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use zarrc::error::{Error, Kind, Result};
use zarrc::store::{Depth, Entry, Key, Mode, Options, Precondition, SharedStore, Store, Version};

/// A directory of this test alone, gone when it ends.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("zarrc-stores-{}-{n}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn url(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn key(k: &str) -> Key {
    Key::parse(k).unwrap()
}

pub fn opened(url: &str, mode: Mode) -> Result<SharedStore> {
    zarrc::store::open(url, mode, &Options::default())
}

pub fn options(set: &[(&str, &str)]) -> Options {
    let mut options = Options::default();
    for (name, value) in set {
        options.set(name, value).unwrap();
    }
    options
}

pub fn get(store: &dyn Store, k: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    store.get(&key(k), &mut out).unwrap().map(|_| out)
}

pub fn version(store: &dyn Store, k: &str) -> Version {
    store.get(&key(k), &mut Vec::new()).unwrap().unwrap()
}

pub fn set(store: &dyn Store, k: &str, value: &[u8]) {
    store.set(&key(k), &[value], &Precondition::None).unwrap();
}

pub fn set_when(store: &dyn Store, k: &str, value: &[u8], when: Precondition) -> Result<()> {
    store.set(&key(k), &[value], &when)
}

/// Whether there was such a key.
pub fn erase(store: &dyn Store, k: &str) -> bool {
    store.erase(&key(k), &Precondition::None).unwrap()
}

/// What a listing gives, prefixes with a slash at their end; none of it twice.
pub fn list(store: &dyn Store, prefix: &str, depth: Depth) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    store
        .list(prefix, depth, &mut |entry| {
            let name = match entry {
                Entry::Key(name) => name.to_owned(),
                Entry::Prefix(name) => format!("{name}/"),
            };
            assert!(found.insert(name.clone()), "{name} is listed twice");
            Ok(())
        })
        .unwrap();
    found
}

pub fn names(of: &[&str]) -> BTreeSet<String> {
    of.iter().map(|name| name.to_string()).collect()
}

pub fn kind<T>(result: Result<T>) -> Kind {
    match result {
        Ok(_) => panic!("this should fail"),
        Err(e) => e.kind(),
    }
}

pub fn failure<T>(result: Result<T>) -> Error {
    result.err().expect("this should fail")
}

/// Bytes that tell where they stand.
pub fn pattern(size: usize, seed: u8) -> Vec<u8> {
    (0..size).map(|i| (i ^ (i >> 8) ^ (i >> 16)) as u8 ^ seed).collect()
}
