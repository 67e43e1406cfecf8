//! Short words for what the tests do all the time.

pub use crate::common::{Scratch, failure, get, key, options, pattern};
use std::collections::BTreeSet;
use zarrc::error::{Kind, Result};
use zarrc::store::{Depth, Entry, Mode, Options, Precondition, SharedStore, Store, Version};

pub fn opened(url: &str, mode: Mode) -> Result<SharedStore> {
    zarrc::store::open(url, mode, &Options::default())
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

#[cfg(any(feature = "mongodb", feature = "redis"))]
pub fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
