//! Keys that refer to ranges of other files, as kerchunk writes them: in one JSON document
//! ([`json`]), whose URLs may be made from templates ([`template`]), or in a directory of Parquet
//! files ([`parquet`]).
//! <https://fsspec.github.io/kerchunk/spec.html>
//!
//! - A URL without a scheme is a path relative to the references; in a Parquet file it is first
//!   tried relative to that file, as GDAL does. [`Elsewhere`] decides what else may be read.
//! - A referenced file must exist: a missing file is an error, not a missing chunk.

#[cfg(feature = "hdf5")]
pub mod hdf5;
mod json;
#[cfg(feature = "parquet")]
mod parquet;
mod template;

use super::elsewhere::{Author, Elsewhere, resolved};
use crate::error::{Context, Error, Kind, Result};
use crate::fork::Lock;
use crate::source::{ByteSource, reserve, wrong_length};
use crate::store::open::Target;
use crate::store::url::without_secrets;
use crate::store::{
    Blob, Depth, Entry, Key, Location, Mode, Options, Precondition, SharedStore, Store, Version,
    refuse_change, sorted,
};
use lru::LruCache;
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// The most relative paths whose target is remembered.
const REMEMBERED: usize = 1024;

/// The longest range for which memory is reserved before the file's length is known.
const MAX_UNSEEN: u64 = 1 << 20;

/// The target of a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// The value itself.
    Inline(Arc<[u8]>),
    /// The file at a URL, with the offset and length of a range, or all of it.
    File(Arc<str>, Option<(u64, u64)>),
}

/// A mapping from keys to their targets.
trait References: Send + Sync {
    /// The target of a key; `None`: the key is absent.
    fn part(&self, key: &Key) -> Result<Option<Part>>;

    /// Lists keys, as [`Store::list`].
    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()>;

    /// The key and URL of one of the files, if one is easily found.
    fn some_url(&self) -> Option<(Key, Arc<str>)>;

    /// What is left out of the node, as [`Store::losses`].
    fn losses(&self, _path: &str) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// The directory, ending in `/`, in which a relative path in the reference of `key` is tried
    /// before the directory of the references.
    fn directory(&self, _key: &Key) -> Option<String> {
        None
    }
}

/// Interned texts.
#[derive(Default)]
struct Texts(HashSet<Arc<str>>);

impl Texts {
    fn keep(&mut self, text: &str) -> Arc<str> {
        match self.0.get(text) {
            Some(kept) => kept.clone(),
            None => {
                let text: Arc<str> = text.into();
                self.0.insert(text.clone());
                text
            }
        }
    }
}

/// References in memory.
#[derive(Default)]
struct Listed {
    by_key: BTreeMap<String, Part>,
    urls: Texts,
}

impl Listed {
    /// A range of the file at `url`.
    fn range(&mut self, url: &str, range: Option<(u64, u64)>) -> Part {
        Part::File(self.urls.keep(url), range)
    }

    /// Adds a reference; skips an invalid key.
    fn insert(&mut self, key: &str, part: Part) {
        if Key::parse(key).is_ok() {
            self.by_key.insert(key.to_owned(), part);
        }
    }
}

impl References for Listed {
    fn part(&self, key: &Key) -> Result<Option<Part>> {
        Ok(self.by_key.get(key.as_str()).cloned())
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        let next = &mut |from: std::ops::Bound<&str>| Ok(sorted::next_of(&self.by_key, from));
        sorted::list(prefix, depth, next, each)
    }

    fn some_url(&self) -> Option<(Key, Arc<str>)> {
        // the key does not matter here
        Some((Key::trusted("x".to_owned()), self.urls.0.iter().next()?.clone()))
    }
}

struct ReferenceStore {
    /// The kind of references, for messages.
    kind: &'static str,
    name: String,
    references: Box<dyn References>,
    /// The store and key of the references themselves.
    home: SharedStore,
    prefix: String,
    /// The directory of `home`, if it is a local one.
    directory: Option<PathBuf>,
    concurrency: OnceLock<usize>,
    elsewhere: Elsewhere,
    /// The targets of relative paths that have two candidates.
    found: Lock<LruCache<(String, Arc<str>), Key>>,
}

/// Opens the references in `blob`.
///
/// [`Kind::InvalidMetadata`]: they are invalid; [`Kind::PermissionDenied`]: the mode would write.
pub fn open(blob: Blob, mode: Mode, options: &Options) -> Result<SharedStore> {
    let name = blob.name();
    let place = || format!("references {name}");
    if mode != Mode::Read {
        let why = "references are read-only";
        return Err(Error::new(Kind::PermissionDenied, why)).at(place);
    }
    let directory = blob.directory();
    let (home, key) = blob.into_store(options)?;
    let references = read(&home, &key).at(place)?;
    Ok(store_of(("references", name), home, &key, directory, references, options))
}

/// The store of references to a file and to others in its directory.
#[cfg(feature = "hdf5")]
fn beside(blob: Blob, references: Box<dyn References>, options: &Options) -> Result<SharedStore> {
    let (name, directory) = (blob.name(), blob.directory());
    let (home, key) = blob.into_store(options)?;
    Ok(store_of(("HDF5 file", name), home, &key, directory, references, options))
}

/// The store of references at `key` of the store `home`.
fn store_of(
    (kind, name): (&'static str, String),
    home: SharedStore,
    key: &Key,
    directory: Option<PathBuf>,
    references: Box<dyn References>,
    options: &Options,
) -> SharedStore {
    let prefix = key.as_str().rsplit_once('/').map(|(above, _)| format!("{above}/"));
    let author = Author::References(home.clone(), directory.clone());
    Arc::new(ReferenceStore {
        references,
        home,
        prefix: prefix.unwrap_or_default(),
        directory,
        concurrency: OnceLock::new(),
        elsewhere: Elsewhere::new(author, options),
        found: Lock::new(LruCache::new(NonZeroUsize::MIN.saturating_add(REMEMBERED - 1))),
        kind,
        name,
    })
}

/// Reads the references at `key`, or below it.
fn read(home: &SharedStore, key: &Key) -> Result<Box<dyn References>> {
    let mut text = Vec::new();
    if home.get(key, &mut text)?.is_some() {
        return Ok(Box::new(json::parse(&text)?));
    }
    let index = Key::trusted(format!("{key}/.zmetadata"));
    if home.get(&index, &mut text)?.is_none() {
        let why = "the file does not exist, nor .zmetadata below it";
        return Err(Error::new(Kind::NotFound, why));
    }
    #[cfg(feature = "parquet")]
    {
        let records = parquet::Records::new(home.clone(), format!("{key}/"), &text)?;
        Ok(Box::new(records))
    }
    #[cfg(not(feature = "parquet"))]
    Err(Error::unsupported(
        "references in Parquet files need the Cargo feature \"parquet\" (CMake: \
         -DZARRC_PARQUET=ON)",
    ))
}

impl ReferenceStore {
    fn part(&self, key: &Key) -> Result<Option<Part>> {
        self.references.part(key).at(|| self.place(key))
    }

    fn place(&self, key: &Key) -> String {
        format!("{key} of {} {}", self.kind, self.name)
    }

    /// Resolves `url` in the reference of `key` to a store and a key.
    fn target(&self, key: &Key, url: &Arc<str>) -> Result<(SharedStore, Key)> {
        if !Target::parse(url)?.is_relative() {
            return self.elsewhere.find(url);
        }
        let beside = |directory: &str| resolved(directory, url).map(|path| Key::parse(&path));
        let usual = beside(&self.prefix).transpose();
        let Some(directory) = self.references.directory(key) else {
            return match (usual?, &self.directory) {
                (Some(key), _) => Ok((self.home.clone(), key)),
                (None, Some(here)) => self.elsewhere.find(&here.join(&**url).to_string_lossy()),
                (None, None) => Err(Error::new(
                    Kind::PermissionDenied,
                    "the path leaves the references' directory by \"..\"",
                )),
            };
        };
        let name = (directory.clone(), url.clone());
        let found = || self.found.write();
        if let Some(key) = found().get(&name) {
            return Ok((self.home.clone(), key.clone()));
        }
        let nearer = beside(&directory).transpose()?;
        let key = match (nearer, usual) {
            (Some(nearer), Ok(Some(usual))) => match self.home.version(&nearer)?.is_some() {
                true => nearer,
                false => usual,
            },
            (Some(nearer), _) => nearer,
            (None, usual) => usual?.ok_or_else(|| {
                let words = "the path leaves the references' directory by \"..\"";
                Error::new(Kind::PermissionDenied, words)
            })?,
        };
        found().put(name, key.clone());
        Ok((self.home.clone(), key))
    }

    /// Calls `read` with the file and URL of a reference.
    fn read_file<T>(
        &self,
        key: &Key,
        url: &Arc<str>,
        read: impl FnOnce(&dyn ByteSource) -> Result<Option<T>>,
    ) -> Result<T> {
        let shown = || format!("file {}", without_secrets(url));
        let (store, key) = self.target(key, url).at(shown)?;
        let missing =
            || Error::new(Kind::NotFound, "the file does not exist, though a reference names it");
        read(&*store.source(&key)).and_then(|found| found.ok_or_else(missing)).at(shown)
    }
}

/// The value of a reference.
struct Source<'a> {
    store: &'a ReferenceStore,
    key: Key,
    /// The target, looked up on first use.
    part: OnceLock<Option<Part>>,
}

impl<'a> Source<'a> {
    fn new(store: &'a ReferenceStore, key: &Key) -> Self {
        Source { store, key: key.clone(), part: OnceLock::new() }
    }

    fn part(&self) -> Result<Option<&Part>> {
        let part = match self.part.get() {
            Some(part) => part,
            None => {
                let part = self.store.part(&self.key)?;
                self.part.get_or_init(|| part)
            }
        };
        Ok(part.as_ref())
    }

    /// Calls `read` with the key's target; `None`: the key is absent.
    fn with<T>(&self, read: impl FnOnce(&Part) -> Result<T>) -> Result<Option<T>> {
        let Some(part) = self.part()? else { return Ok(None) };
        read(part).map(Some).at(|| self.store.place(&self.key))
    }
}

fn there(found: bool) -> Option<()> {
    found.then_some(())
}

impl ByteSource for Source<'_> {
    fn len(&self) -> Result<Option<u64>> {
        self.with(|part| match part {
            Part::Inline(bytes) => Ok(bytes.len() as u64),
            Part::File(_, Some((_, length))) => Ok(*length),
            Part::File(file, None) => self.store.read_file(&self.key, file, |whole| whole.len()),
        })
    }

    fn read_all(&self, expected: u64, out: &mut Vec<u8>) -> Result<bool> {
        let start = out.len();
        let read = self.with(|part| match part {
            Part::Inline(bytes) => {
                reserve(out, bytes.len())?;
                out.extend_from_slice(bytes);
                Ok(())
            }
            Part::File(file, None) => self
                .store
                .read_file(&self.key, file, |whole| Ok(there(whole.read_all(expected, out)?))),
            Part::File(file, Some((offset, length))) => {
                self.store.read_file(&self.key, file, |whole| {
                    let (offset, length) = (*offset, *length);
                    let end = offset.saturating_add(length);
                    // reserve no memory for a mere claim
                    if length > MAX_UNSEEN
                        && let Some(len) = whole.len()?
                        && len < end
                    {
                        return Err(wrong_length(end, len));
                    }
                    let size = usize::try_from(length).unwrap_or(usize::MAX);
                    reserve(out, size)?;
                    out.resize(start + size, 0);
                    Ok(there(whole.read_at(offset, &mut out[start..])?))
                })
            }
        })?;
        Ok(read.is_some())
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        let end = offset.saturating_add(out.len() as u64);
        let read = self.with(|part| match part {
            Part::Inline(bytes) => (&**bytes).read_at(offset, out).map(drop),
            Part::File(_, Some((_, length))) if end > *length => Err(wrong_length(end, *length)),
            Part::File(file, range) => {
                let from = range.map_or(0, |(from, _)| from).saturating_add(offset);
                self.store.read_file(&self.key, file, |whole| Ok(there(whole.read_at(from, out)?)))
            }
        })?;
        Ok(read.is_some())
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        let size = out.len() as u64;
        let read = self.with(|part| match part {
            Part::Inline(bytes) => (&**bytes).read_exactly(out).map(drop),
            Part::File(_, Some((_, length))) if *length != size => Err(wrong_length(size, *length)),
            Part::File(file, Some((from, _))) => {
                self.store.read_file(&self.key, file, |whole| Ok(there(whole.read_at(*from, out)?)))
            }
            Part::File(file, None) => {
                self.store.read_file(&self.key, file, |whole| Ok(there(whole.read_exactly(out)?)))
            }
        })?;
        Ok(read.is_some())
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        let Some(len) = self.len()? else { return Ok(None) };
        let count = count.min(len);
        let start = out.len();
        let size = usize::try_from(count).unwrap_or(usize::MAX);
        reserve(out, size)?;
        out.resize(start + size, 0);
        self.read_at(len - count, &mut out[start..])?;
        Ok(Some(len))
    }

    fn version(&self) -> Result<Option<Version>> {
        Ok(self.part()?.map(version_of))
    }

    fn as_slice(&self) -> Option<&[u8]> {
        match self.part() {
            Ok(Some(Part::Inline(bytes))) => Some(bytes),
            _ => None,
        }
    }

    fn request_cost(&self) -> u64 {
        match self.part() {
            Ok(Some(Part::File(file, _))) => {
                let cost =
                    self.store.read_file(&self.key, file, |whole| Ok(Some(whole.request_cost())));
                cost.unwrap_or_default()
            }
            _ => 0,
        }
    }
}

/// The version of a reference: its files are assumed not to change.
fn version_of(part: &Part) -> Version {
    let mut hash = DefaultHasher::new();
    part.hash(&mut hash);
    Version::new(hash.finish().to_le_bytes().into_iter().collect())
}

impl Store for ReferenceStore {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn read_only(&self) -> bool {
        true
    }

    fn concurrency(&self) -> usize {
        // the files are commonly in one place; if that does not open, a read reports why
        *self.concurrency.get_or_init(|| {
            let some = self.references.some_url();
            let target = some.and_then(|(key, url)| self.target(&key, &url).ok());
            target.map_or(1, |(store, _)| store.concurrency())
        })
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        let source = Source::new(self, key);
        if source.read_all(0, out)? { source.version() } else { Ok(None) }
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        Box::new(Source::new(self, key))
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        Ok(self.part(key)?.as_ref().map(version_of))
    }

    fn set(&self, _: &Key, _: &[&[u8]], _: &Precondition) -> Result<()> {
        Err(refuse_change(self))
    }

    fn erase(&self, _: &Key, _: &Precondition) -> Result<bool> {
        Err(refuse_change(self))
    }

    fn erase_prefix(&self, _: &str) -> Result<()> {
        Err(refuse_change(self))
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        self.references.list(prefix, depth, each).at(|| format!("{} {}", self.kind, self.name))
    }

    fn location(&self, key: &Key) -> Result<Option<Location>> {
        let Some(Part::File(url, range)) = self.part(key)? else { return Ok(None) };
        let relative = Target::parse(&url)?.is_relative();
        let url = match (&self.directory, relative) {
            (Some(directory), true) => {
                let path = std::path::absolute(directory.join(&*url));
                path.map_or_else(|_| url.to_string(), |path| path.display().to_string())
            }
            _ => url.to_string(),
        };
        Ok(Some(Location { url, range }))
    }

    fn losses(&self, path: &str) -> Result<Vec<String>> {
        self.references.losses(path).at(|| format!("{} {}", self.kind, self.name))
    }
}
