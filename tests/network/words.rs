//! Short words for what the tests do all the time.

use zarrc::error::{Error, Result};
use zarrc::store::{Depth, Entry, Key, Mode, Options, SharedStore, Store};

pub fn key(k: &str) -> Key {
    Key::parse(k).unwrap()
}

pub fn options(set: &[(&str, &str)]) -> Options {
    let mut options = Options::default();
    for (name, value) in set {
        options.set(name, value).unwrap();
    }
    options
}

pub fn opened(url: &str, set: &[(&str, &str)]) -> Result<SharedStore> {
    zarrc::store::open(url, Mode::Read, &options(set))
}

pub fn get(store: &dyn Store, k: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    store.get(&key(k), &mut out).unwrap().map(|_| out)
}

pub fn fails<T>(result: Result<T>) -> Error {
    result.err().expect("this should fail")
}

/// What a listing gives, prefixes with a slash at their end, sorted.
pub fn list(store: &dyn Store, prefix: &str, depth: Depth) -> Result<Vec<String>> {
    let mut found = Vec::new();
    store.list(prefix, depth, &mut |entry| {
        found.push(match entry {
            Entry::Key(name) => name.to_owned(),
            Entry::Prefix(name) => format!("{name}/"),
        });
        Ok(())
    })?;
    found.sort();
    Ok(found)
}

/// Bytes that tell where they stand.
pub fn pattern(size: usize) -> Vec<u8> {
    (0..size).map(|i| (i ^ (i >> 8) ^ (i >> 16)) as u8).collect()
}
