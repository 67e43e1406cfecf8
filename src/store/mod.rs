//! Storage of keys and values. Each store is one module; [`open`] selects it by URL.
//!
//! Blocking, and safe to use from any number of threads at once. A network store keeps its runtime
//! inside its module.

use crate::error::{Context, Error, Kind, Result};
use crate::exec::Pace;
pub use crate::source::Version;

use crate::source::{ByteSource, Fetched, Want, within};
use std::fmt;
use std::sync::Arc;

mod adapters;
mod custom;
mod exclusive;
mod local;
mod lock;
mod open;
mod options;
mod recognise;
#[cfg(feature = "network")]
mod remote;
mod schemes;
mod sorted;
mod transaction;
mod url;
#[cfg(any(feature = "icechunk", feature = "reference"))]
mod views;
mod whole_value;

pub use crate::error::nearest;
pub use adapters::synchronizer::Held;
pub use custom::{Values as CustomValues, custom};
pub use exclusive::{Exclusion, Exclusive, exclusive};
pub use local::filesystem::{Directory, Links};
pub use open::{Blob, open};
pub use options::{ALIASES, Description, OPTIONS, Options, Values};
pub use schemes::{SCHEMES, Scheme};
pub use url::is_path;

/// A key: one or more segments joined by `/`, none of them empty, `.` or `..`, without NUL. So no
/// key leaves the root of its store.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(String);

impl Key {
    /// Checks an untrusted key.
    pub fn parse(key: &str) -> Result<Self> {
        let why = if key.is_empty() {
            "is empty"
        } else if key.contains('\0') {
            "contains a NUL character"
        } else if key.starts_with('/') {
            "is absolute"
        } else if key.split('/').any(|s| s == "." || s == "..") {
            "contains a segment \".\" or \"..\""
        } else if key.split('/').any(str::is_empty) {
            "contains an empty segment"
        } else {
            return Ok(Key(key.to_owned()));
        };
        Err(Error::invalid(format!("key {key:?} {why}")))
    }

    /// A key made of valid parts: a checked path, a document's name, digits.
    pub fn trusted(key: String) -> Self {
        debug_assert!(Key::parse(&key).is_ok(), "{key:?}");
        Key(key)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Checks a listing prefix: `""` or a key followed by `/`.
pub fn check_prefix(prefix: &str) -> Result<()> {
    match prefix.strip_suffix('/') {
        None if prefix.is_empty() => Ok(()),
        None => Err(Error::invalid(format!("prefix {prefix:?} does not end in \"/\""))),
        Some(key) => Key::parse(key).map(|_| ()),
    }
}

/// What must hold for a value to be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Precondition {
    /// No condition.
    None,
    /// The key must be absent.
    Absent,
    /// The value must still have that version.
    Version(Version),
}

impl Precondition {
    /// Whether it holds for a value of that version; `found` is not called where any is right.
    pub fn holds<E>(&self, found: impl FnOnce() -> Result<Option<Version>, E>) -> Result<bool, E> {
        Ok(match self {
            Precondition::None => true,
            Precondition::Absent => found()?.is_none(),
            Precondition::Version(version) => found()?.as_ref() == Some(version),
        })
    }
}

/// Identifies a state of a value, as far as the store can.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// The store's version.
    pub version: Option<Version>,
    /// The ETag; for files, the one that the crate object_store makes.
    pub etag: Option<String>,
    /// The modification time, in seconds since 1970.
    pub modified: Option<i64>,
}

/// How deep a listing goes below its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The next level: keys, and prefixes of deeper keys.
    One,
    /// Every key.
    All,
}

/// An entry of a listing, without the listed prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry<'a> {
    /// A key.
    Key(&'a str),
    /// A prefix with keys below it, without its trailing slash.
    Prefix(&'a str),
}

/// The location of a value in a file that others can read too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The URL of the file; for a local one its path.
    pub url: String,
    /// The offset and length of a range, or all of the file.
    pub range: Option<(u64, u64)>,
}

/// An asynchronous read.
pub struct Fetch {
    /// The key to read.
    pub key: Key,
    /// The version that the value must have, if any.
    pub version: Option<Version>,
    /// The part to read.
    pub want: Want,
    /// An empty buffer for the bytes.
    pub bytes: Vec<u8>,
    /// Says whether there is enough to decode without it.
    pub pace: Arc<Pace>,
    /// Receives the result, `None` for an absent value, on another thread. It must not block.
    pub done: Box<dyn FnOnce(Result<Option<Fetched>>) + Send>,
}

/// An asynchronous write, as [`Store::set`] and [`Store::erase`].
pub struct Put {
    /// The key to write.
    pub key: Key,
    /// The value, in parts; `None`: erases the key.
    pub parts: Option<Vec<Part>>,
    /// The precondition.
    pub when: Precondition,
    /// Receives the result on another thread. It must not block.
    pub done: Box<dyn FnOnce(Result<()>) + Send>,
}

/// A value that is changed where it lies.
pub trait InPlace {
    /// Reads bytes from `offset`, all of them inside the value.
    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<()>;

    /// Writes bytes at `offset`, all of them inside the value.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()>;

    /// Gives the changed value a version of its own. Call it after the last write.
    fn finish(&self) -> Result<()>;
}

/// A shared part of a value.
pub type Part = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// The option that bounds metadata documents.
const DOCUMENT: &str = "max_document_size";

/// Keys and values.
pub trait Store: Send + Sync {
    /// The store's name in messages, without credentials.
    fn name(&self) -> String;

    /// Whether the store is read-only.
    fn read_only(&self) -> bool;

    /// The preferred number of concurrent requests: more than 1 if each takes long and costs this
    /// machine little, as over a network.
    fn concurrency(&self) -> usize {
        1
    }

    /// Whether each request has a high latency.
    fn is_remote(&self) -> bool {
        self.concurrency() > 1
    }

    /// Whether the store was found empty when it was opened, a moment ago.
    fn was_empty(&self) -> bool {
        false
    }

    /// Starts an asynchronous read. A store that reads only synchronously returns the `Fetch`.
    fn start(&self, fetch: Fetch) -> Option<Fetch> {
        Some(fetch)
    }

    /// Starts an asynchronous write, likewise.
    fn start_set(&self, put: Put) -> Option<Put> {
        Some(put)
    }

    /// How far ahead of the reader [`Self::read_ahead`] should be called (decoded bytes). 0: not at
    /// all, as values are in memory, or the store does not read ahead.
    fn bytes_ahead(&self) -> u64 {
        0
    }

    /// Announces what will be read of a value once its [source](Self::source) is opened. Only a
    /// hint: does not block, does not fail, and may do nothing.
    fn read_ahead(&self, _key: &Key, _want: Want) {}

    /// Appends a whole value to `out`; returns its version, or `None` if the key is absent.
    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>>;

    /// Reads a metadata document, likewise. Fails with [`Kind::LimitExceeded`] if it is longer than
    /// `limit` (bytes); a store that knows the length refuses before reading.
    fn get_document(&self, key: &Key, limit: u64, out: &mut Vec<u8>) -> Result<Option<Version>> {
        let start = out.len();
        let version = self.get(key, out)?;
        within((out.len() - start) as u64, limit, DOCUMENT)
            .at(|| format!("{key} of {}", self.name()))?;
        Ok(version)
    }

    /// A value to be read lazily by range; an absent one is not an error.
    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a>;

    /// A value that is about to be replaced by one made from it. In a store whose versions may not
    /// tell all changes of others, those who do the same, or change the value where it lies, wait
    /// from the first read until the source is dropped.
    fn source_to_change<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        self.source(key)
    }

    /// A value that is known to have, or to have had, that version. If that saves a request, the
    /// source requires the version itself and fails with [`Kind::Conflict`] if the value has
    /// another.
    fn source_at<'a>(&'a self, key: &Key, _version: &Version) -> Box<dyn ByteSource + 'a> {
        self.source(key)
    }

    /// The version of a value; `None`: absent.
    fn version(&self, key: &Key) -> Result<Option<Version>>;

    /// The stamp of a value: its version and other identifiers; `None`: absent.
    fn stamp(&self, key: &Key) -> Result<Option<Stamp>> {
        let stamp = |version| Stamp { version: Some(version), ..Stamp::default() };
        Ok(self.version(key)?.map(stamp))
    }

    /// Replaces a value by the concatenated parts, atomically: a reader sees the old value or the
    /// new one, also after the writer was killed. [`Kind::Conflict`]: the precondition does not
    /// hold. A read-only store need not implement this and the next methods.
    fn set(&self, _key: &Key, _parts: &[&[u8]], _when: &Precondition) -> Result<()> {
        Err(refuse_change(self))
    }

    /// Sets a value without a precondition, and, in a store that can, writes it where the old one
    /// lies: a reader may see parts of both, and a killed writer may leave them.
    fn set_in_place(&self, key: &Key, parts: &[&[u8]]) -> Result<()> {
        self.set(key, parts, &Precondition::None)
    }

    /// Opens a value of `len` bytes to change parts of it where they lie. It excludes
    /// users of [`Self::source_to_change`] until it is dropped. `None`: the store only replaces
    /// values, or there is none of that length.
    fn open_in_place<'a>(
        &'a self,
        _key: &'a Key,
        _len: u64,
    ) -> Result<Option<Box<dyn InPlace + 'a>>> {
        Ok(None)
    }

    /// As [`Self::set`]; returns the new version, if the store knows it without a request that could
    /// already see another writer's value.
    fn set_known(
        &self,
        key: &Key,
        parts: &[&[u8]],
        when: &Precondition,
    ) -> Result<Option<Version>> {
        self.set(key, parts, when).map(|()| None)
    }

    /// Deletes a key; returns whether it was present. [`Kind::Conflict`]: as in [`Self::set`].
    fn erase(&self, _key: &Key, _when: &Precondition) -> Result<bool> {
        Err(refuse_change(self))
    }

    /// Deletes every key below `prefix` (`""` or ending in `/`).
    fn erase_prefix(&self, _prefix: &str) -> Result<()> {
        Err(refuse_change(self))
    }

    /// Calls `each` for every entry below `prefix` (`""` or ending in `/`), in no order.
    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()>;

    /// Calls `each` with the leftovers of killed writers below `prefix`, such as temporary files;
    /// they are named like keys, without the prefix. Most stores have none.
    fn list_abandoned(
        &self,
        _prefix: &str,
        _each: &mut dyn FnMut(&str) -> Result<()>,
    ) -> Result<()> {
        Ok(())
    }

    /// Calls `each` with a description of each damage to the structure of the store itself. Reads
    /// all of it. Most stores have no structure that can be checked.
    fn list_damage(&self, _each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        Ok(())
    }

    /// Whether any key is below `prefix`.
    fn has_prefix(&self, prefix: &str) -> Result<bool> {
        let mut found = false;
        let listed = self.list(prefix, Depth::One, &mut |_| {
            found = true;
            Err(Error::new(Kind::Internal, "the first is enough"))
        });
        if found { Ok(true) } else { listed.map(|()| false) }
    }

    /// How to exclude others that use the same `key`, in this process and in others, during a
    /// change of several keys: see [`exclusive`].
    fn exclude(&self, _key: &Key) -> Result<Exclusion> {
        Ok(Exclusion::ByKey)
    }

    /// Locks `key` against other programs until the result is dropped, if the store is shared with
    /// programs that take such locks; `None`: not needed. Hold it during a read-modify-write.
    fn hold(&self, _key: &Key) -> Result<Option<Held>> {
        Ok(None)
    }

    /// Completes what a store defers until it is closed, such as a file's directory. Every value
    /// that was set survives the process even without a flush.
    fn flush(&self) -> Result<()> {
        Ok(())
    }

    /// The location of a value, in a store that refers to other files; `None`: it is not in another
    /// file, or the key is absent.
    fn location(&self, _key: &Key) -> Result<Option<Location>> {
        Ok(None)
    }

    /// The directory in which each value is a file of its own, for [`Links`].
    fn directory(&self) -> Result<Directory<'_>> {
        Err(Error::unsupported(format!(
            "store {}: hard links need two directories, without stores or options that wrap them: \
             copy without links",
            self.name()
        )))
    }

    /// Describes what is left out of the node at `path`, in a store that presents a file of another
    /// format as a Zarr hierarchy.
    fn losses(&self, _path: &str) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// Starts a transaction: a store of the same values whose changes nobody else sees until
    /// [`Self::commit`] makes all of them at once.
    fn begin(self: Arc<Self>) -> Result<SharedStore> {
        Err(Error::unsupported(format!(
            "store {} cannot change several keys at once: transactions need an Icechunk \
             repository, an SQLite database, an LMDB environment, a zip file or memory",
            self.name()
        )))
    }

    /// Makes the changes of a transaction visible, all at once, and ends it. [`Kind::Conflict`]:
    /// others changed what it read or changed; it stays open, to be rolled back.
    fn commit(&self, _message: Option<&str>) -> Result<()> {
        Err(no_transaction(self))
    }

    /// Ends a transaction without its changes.
    fn rollback(&self) -> Result<()> {
        Err(no_transaction(self))
    }

    /// The snapshot that a versioned store shows; `None`: the store has no snapshots.
    fn snapshot(&self) -> Result<Option<String>> {
        Ok(None)
    }

    /// Drops cached values below `prefix`, so that they are read again. A store without a cache
    /// need not implement this.
    fn forget(&self, _prefix: &str) -> Result<()> {
        Ok(())
    }
}

/// The error of a change to a read-only store.
#[cold]
pub fn refuse_change(store: &(impl Store + ?Sized)) -> Error {
    Error::new(
        Kind::PermissionDenied,
        format!(
            "store {} is open read-only: open it with \
        ZARRC_READ_WRITE",
            store.name()
        ),
    )
}

/// The error of a commit or rollback without a transaction.
#[cold]
fn no_transaction(store: &(impl Store + ?Sized)) -> Error {
    let name = store.name();
    Error::invalid(format!("store {name} is no transaction: zarrc_store_begin() makes one"))
}

/// The error of a precondition that does not hold.
#[cold]
fn conflict(store: &dyn Store, key: &Key, when: &Precondition) -> Error {
    let why = match when {
        Precondition::Absent => "exists already",
        _ => "was changed or deleted since it was read",
    };
    Error::new(Kind::Conflict, format!("{key} of {} {why}", store.name()))
}

/// How to open a store; the numbers are those of `zarrc_mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Must exist; read-only.
    Read,
    /// Must exist.
    ReadWrite,
    /// Created if missing.
    Append,
    /// Must not exist.
    Create,
    /// Existing contents are deleted first.
    Overwrite,
}

/// A store shared by all its users.
pub type SharedStore = Arc<dyn Store>;
