//! What tests of several modules do all the time.

pub mod allocator;
pub mod codecs;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use zarrc::error::{Error, Result};
use zarrc::hierarchy::Hierarchy;
use zarrc::metadata::NodePath;
use zarrc::store::{self, Depth, Entry, Key, Mode, Options, SharedStore, Store};

/// A directory of one test, deleted when it ends.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("zarrc-tests-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
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
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Numbers that look random and are the same in every run (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Below `limit`, which is not 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

pub fn key(k: &str) -> Key {
    Key::parse(k).unwrap()
}

pub fn path(text: &str) -> NodePath {
    NodePath::parse(text).unwrap()
}

pub fn options(set: &[(&str, &str)]) -> Options {
    let mut options = Options::default();
    for (name, value) in set {
        options.set(name, value).unwrap();
    }
    options
}

/// A store in memory that nothing else knows.
pub fn memory() -> SharedStore {
    store::open("memory:", Mode::Append, &Options::default()).unwrap()
}

/// The nodes of a store, opened with options.
pub fn hierarchy(store: &SharedStore, set: &[(&str, &str)]) -> Arc<Hierarchy> {
    Arc::new(Hierarchy::new(store.clone(), &options(set)))
}

/// The value of a key, if there is one.
pub fn get(store: &dyn Store, k: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    store.get(&key(k), &mut out).unwrap().map(|_| out)
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

/// The error of a call that should fail.
pub fn failure<T>(result: Result<T>) -> Error {
    result.err().expect("this should fail")
}

/// Bytes that tell where they stand.
pub fn pattern(size: usize, seed: u8) -> Vec<u8> {
    (0..size).map(|i| (i ^ (i >> 8) ^ (i >> 16)) as u8 ^ seed).collect()
}

/// Whether this is the process of its own in which the test `name` runs; else runs it there.
pub fn is_alone(name: &str) -> bool {
    const CHILD: &str = "ZARRC_TEST_ALONE";
    if std::env::var(CHILD).is_ok_and(|child| child == name) {
        return true;
    }
    let run = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(CHILD, name)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&run.stderr);
    let last: Vec<&str> = text.lines().rev().take(12).collect();
    assert!(run.status.success(), "{name}: {}, last first: {last:#?}", run.status);
    print!("{}", String::from_utf8_lossy(&run.stdout));
    false
}
