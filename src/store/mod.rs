//! Where the keys and values are. Each store is one file; [`open`] finds it by URL.
//!
//! Blocking, and safe to use from any number of threads at once. A store that speaks to a
//! network keeps its runtime inside its own file.

use crate::error::{Context, Error, Kind, Result};
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
mod url;
#[cfg(any(feature = "icechunk", feature = "reference"))]
mod views;
mod whole_value;

pub use crate::error::nearest;
pub use adapters::synchronizer::Held;
pub use custom::{Values as CustomValues, custom};
pub use exclusive::{Exclusion, Exclusive, exclusive};
pub use open::{Blob, open};
pub use options::{ALIASES, Description, OPTIONS, Options, Values};
pub use schemes::{SCHEMES, Scheme};

/// A key: segments joined by `/`, none of them empty, `.` or `..`, no NUL, and at least one.
/// So no key leaves the root of its store.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(String);

impl Key {
    /// Checks a key from outside.
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

    /// A key made of parts that are known to be good: a checked path, a document's name, digits.
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

/// What a key or a listing prefix (`""` or something ending in `/`) is checked for.
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
    /// Nothing.
    None,
    /// The key must be absent.
    Absent,
    /// The value must still be that one.
    Version(Version),
}

/// What a state of a value is known by, as far as the store can tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Its version here.
    pub version: Option<Version>,
    /// The ETag: for files, that of the crate object_store.
    pub etag: Option<String>,
    /// When it was last changed, in seconds since 1970.
    pub modified: Option<i64>,
}

/// How far below a prefix a listing goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The next level: keys, and prefixes for what lies deeper.
    One,
    /// Every key.
    All,
}

/// What a listing meets, without the prefix that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry<'a> {
    /// A key.
    Key(&'a str),
    /// A prefix with keys below it, without its last slash.
    Prefix(&'a str),
}

/// Where a value lies in a file that others can read too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The URL of the file: a path, where it is one of this machine.
    pub url: String,
    /// The offset and length of a range of it, or all.
    pub range: Option<(u64, u64)>,
}

/// A read that goes on by itself.
pub struct Fetch {
    /// Which value.
    pub key: Key,
    /// The version that it must be of, if it must.
    pub version: Option<Version>,
    /// What of it.
    pub want: Want,
    /// Empty memory for the bytes.
    pub bytes: Vec<u8>,
    /// Receives the result, `None` for an absent value, on another thread. It must not wait.
    pub done: Box<dyn FnOnce(Result<Option<Fetched>>) + Send>,
}

/// A write that goes on by itself, as [`Store::set`] and [`Store::erase`].
pub struct Put {
    /// Which value.
    pub key: Key,
    /// Its bytes, in parts; `None`: it is erased.
    pub parts: Option<Vec<Part>>,
    /// What must hold.
    pub when: Precondition,
    /// Receives the result on another thread. It must not wait.
    pub done: Box<dyn FnOnce(Result<()>) + Send>,
}

/// A part of a value that somebody else owns.
pub type Part = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// The option that bounds metadata documents.
const DOCUMENT: &str = "max_document_size";

/// Keys and values.
pub trait Store: Send + Sync {
    /// What messages call it. Never holds credentials.
    fn name(&self) -> String;

    /// Whether it refuses to be changed.
    fn read_only(&self) -> bool;

    /// How many requests it likes to have under way at once: more than 1 where each takes long
    /// and costs this machine little, as across a network.
    fn concurrency(&self) -> usize {
        1
    }

    /// Whether each request takes long.
    fn is_remote(&self) -> bool {
        self.concurrency() > 1
    }

    /// Starts to read and returns at once. A store that reads only while its caller waits gives
    /// the order back.
    fn start(&self, fetch: Fetch) -> Option<Fetch> {
        Some(fetch)
    }

    /// Starts to write and returns at once, likewise.
    fn start_set(&self, put: Put) -> Option<Put> {
        Some(put)
    }

    /// Appends a whole value to `out`: its version, or `None` where the key is absent.
    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>>;

    /// The same of a metadata document, which must not be longer than `limit` (bytes), or it fails
    /// with [`Kind::LimitExceeded`]. A store that knows the length of a value refuses it before it
    /// is read.
    fn get_document(&self, key: &Key, limit: u64, out: &mut Vec<u8>) -> Result<Option<Version>> {
        let start = out.len();
        let version = self.get(key, out)?;
        within((out.len() - start) as u64, limit, DOCUMENT)
            .at(|| format!("{key} of {}", self.name()))?;
        Ok(version)
    }

    /// A value to be read by range, and only when it is read; absent is not an error.
    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a>;

    /// A value that is known to have, or to have had, that version. Where it saves a request the
    /// source says so itself, and reads with a [`Kind::Conflict`] once the value is another.
    fn source_at<'a>(&'a self, key: &Key, _version: &Version) -> Box<dyn ByteSource + 'a> {
        self.source(key)
    }

    /// The version of a value; `None`: absent.
    fn version(&self, key: &Key) -> Result<Option<Version>>;

    /// The version of a value, and what others know that state by; `None`: absent.
    fn stamp(&self, key: &Key) -> Result<Option<Stamp>> {
        let stamp = |version| Stamp { version: Some(version), ..Stamp::default() };
        Ok(self.version(key)?.map(stamp))
    }

    /// Replaces a value by the parts put together, at once and whole: a reader sees the old
    /// value or the new one, and so does everyone after the writer was killed.
    /// [`Kind::Conflict`]: the precondition does not hold. A store that is only read has nothing
    /// to say here, nor to the next ones.
    fn set(&self, _key: &Key, _parts: &[&[u8]], _when: &Precondition) -> Result<()> {
        Err(refuse_change(self))
    }

    /// The same; the version of what was set, where the store knows it without a look that could
    /// find somebody else's value already.
    fn set_known(
        &self,
        key: &Key,
        parts: &[&[u8]],
        when: &Precondition,
    ) -> Result<Option<Version>> {
        self.set(key, parts, when).map(|()| None)
    }

    /// Takes a key away; whether it was there. [`Kind::Conflict`]: as in [`Self::set`].
    fn erase(&self, _key: &Key, _when: &Precondition) -> Result<bool> {
        Err(refuse_change(self))
    }

    /// Takes away every key below `prefix` (`""` or ending in `/`).
    fn erase_prefix(&self, _prefix: &str) -> Result<()> {
        Err(refuse_change(self))
    }

    /// Calls `each` for what lies below `prefix` (`""` or ending in `/`), in no order.
    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()>;

    /// Calls `each` with what killed writers left below `prefix` that is no key, as temporary
    /// files; named as keys are, without the prefix. Most stores leave nothing.
    fn list_abandoned(
        &self,
        _prefix: &str,
        _each: &mut dyn FnMut(&str) -> Result<()>,
    ) -> Result<()> {
        Ok(())
    }

    /// Whether anything lies below `prefix`.
    fn has_prefix(&self, prefix: &str) -> Result<bool> {
        let mut found = false;
        let listed = self.list(prefix, Depth::One, &mut |_| {
            found = true;
            Err(Error::new(Kind::Internal, "the first is enough"))
        });
        if found { Ok(true) } else { listed.map(|()| false) }
    }

    /// How to keep others out who ask for the same `key`, in this process and in others, during a
    /// change of several keys: see [`exclusive`].
    fn exclude(&self, _key: &Key) -> Result<Exclusion> {
        Ok(Exclusion::ByKey)
    }

    /// Keeps other programs from changing the value of `key` until the result is dropped, where the
    /// store is shared with some that take locks for that; `None`: there is no need. To be held while
    /// a value is read and written again.
    fn hold(&self, _key: &Key) -> Result<Option<Held>> {
        Ok(None)
    }

    /// Completes what a store puts off until it is closed, as the list of what is in a file. Every
    /// value that was set outlives the process without it too.
    fn flush(&self) -> Result<()> {
        Ok(())
    }

    /// Where a value lies, in a store that refers to other files; `None`: nowhere else, or the key
    /// is absent.
    fn location(&self, _key: &Key) -> Result<Option<Location>> {
        Ok(None)
    }

    /// What is left out of the node at `path`, in words, by a store that shows a file of another kind
    /// as a Zarr hierarchy.
    fn losses(&self, _path: &str) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// Forgets what is kept of the values below `prefix`, so that they are read anew. Whoever keeps
    /// none has nothing to do.
    fn forget(&self, _prefix: &str) -> Result<()> {
        Ok(())
    }
}

/// The error of a store that is only read.
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

/// The error of a precondition that does not hold.
#[cold]
fn conflict(store: &dyn Store, key: &Key, when: &Precondition) -> Error {
    let why = match when {
        Precondition::Absent => "exists already",
        _ => "was changed or deleted since it was read",
    };
    Error::new(Kind::Conflict, format!("{key} of {} {why}", store.name()))
}

/// How a store is opened; the numbers are those of `zarrc_mode`.
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
    /// What is there is deleted first.
    Overwrite,
}

/// A store shared by whoever uses it.
pub type SharedStore = Arc<dyn Store>;
