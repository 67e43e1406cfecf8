//! References in a directory of Parquet files. `.zmetadata` holds the documents of all nodes and
//! the number of chunks in a file. `a/refs.2.parq` holds the third such group of chunks of the
//! array `a`, one row each, in C order. A file is read when one of its chunks is first needed.
//! <https://fsspec.github.io/kerchunk/spec.html#parquet-references>
//!
//! A missing file or row means missing chunks.

mod pages;
mod record;

use super::{Part, References};
use crate::error::{Context, Error, Kind, Result};
use crate::fork::Own;
use crate::lock::Acquire;
use crate::metadata::{bare_numbers, with_json};
use crate::store::{Depth, Entry, Key, SharedStore, check_prefix, sorted};
use lru::LruCache;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};

/// The most memory for cached rows (bytes).
const KEPT: usize = 64 << 20;
/// The memory of a cached file besides its rows (bytes).
const ENTRY: usize = 256;

/// The references in a directory.
pub struct Records {
    home: SharedStore,
    /// The directory, with its trailing slash.
    directory: String,
    /// The metadata documents.
    documents: BTreeMap<String, Arc<[u8]>>,
    arrays: BTreeMap<String, Array>,
    /// The number of chunks in a file; not 0.
    per_file: u64,
    kept: Own<Mutex<Kept>>,
}

/// A grid of chunks.
struct Array {
    /// The number of chunks along each axis.
    counts: Vec<u64>,
    /// The number of chunks.
    count: u64,
    /// The separator of the indexes in a chunk's key.
    separator: char,
}

/// The chunks of a file; `None`: the file is absent.
type Rows = Option<Arc<[Option<Part>]>>;

/// Cached rows, or the slot that the lock's holder is about to fill. The child of a fork has slots of
/// its own.
type Slot = Arc<Mutex<Option<Rows>>>;

struct Kept {
    /// Slots by array and file, with their memory (bytes).
    files: LruCache<(Arc<str>, u64), (Slot, usize)>,
    bytes: usize,
}

impl Default for Kept {
    fn default() -> Self {
        Kept { files: LruCache::unbounded(), bytes: 0 }
    }
}

#[derive(Deserialize)]
struct Index<'a> {
    #[serde(borrow)]
    metadata: HashMap<String, &'a RawValue>,
    record_size: u64,
    #[serde(default)]
    zarr_consolidated_format: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct Grid {
    shape: Vec<u64>,
    chunks: Vec<u64>,
    #[serde(default)]
    dimension_separator: Option<char>,
}

impl Records {
    /// The references in `directory` (ending in `/`) of `home`, whose `.zmetadata` is `text`.
    pub fn new(home: SharedStore, directory: String, text: &[u8]) -> Result<Self> {
        let broken = |e| Error::metadata(format!("{directory}.zmetadata is damaged: {e}"));
        // accept Python's bare NaN, which kerchunk and VirtualiZarr write
        let (documents, arrays, per_file) =
            with_json(text, |text| Ok(Self::index(&directory, text, &serde_json::from_str(text)?)))
                .map_err(broken)??;
        let kept = Own::new();
        Ok(Records { home, directory, documents, arrays, per_file, kept })
    }

    /// Parses `.zmetadata`: the documents, the arrays, and the number of chunks in a file.
    #[allow(clippy::type_complexity)]
    fn index(
        directory: &str,
        text: &str,
        index: &Index<'_>,
    ) -> Result<(BTreeMap<String, Arc<[u8]>>, BTreeMap<String, Array>, u64)> {
        if index.record_size == 0 {
            return Err(Error::metadata(format!("{directory}.zmetadata: record_size is 0")));
        }
        let mut documents = BTreeMap::new();
        let mut arrays = BTreeMap::new();
        for (key, document) in &index.metadata {
            if Key::parse(key).is_err() {
                continue;
            }
            if let Some(path) = key.strip_suffix("/.zarray")
                && let Some(array) = Array::new(document.get()).at(|| key.clone())?
            {
                arrays.insert(path.to_owned(), array);
            }
            let document = bare_numbers::bare(document.get());
            documents.insert(key.clone(), document.as_bytes().into());
        }
        // consolidated metadata without the member that marks it
        let mut all = bare_numbers::bare(text).into_owned();
        if index.zarr_consolidated_format.is_none()
            && let Some(start) = all.find('{')
        {
            all.insert_str(start + 1, "\"zarr_consolidated_format\":1,");
        }
        documents.insert(".zmetadata".to_owned(), all.into_bytes().into());
        Ok((documents, arrays, index.record_size))
    }

    /// The array of a chunk key, and the chunk's number.
    fn chunk(&self, key: &str) -> Option<(&str, u64)> {
        key.rmatch_indices('/').find_map(|(at, _)| {
            let (path, array) = self.arrays.get_key_value(&key[..at])?;
            Some((path.as_str(), array.number(&key[at + 1..])?))
        })
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.get().acquire()
    }

    /// The rows of a file.
    fn rows(&self, array: &str, file: u64) -> Result<Rows> {
        let name = (Arc::from(array), file);
        let new = || (Slot::default(), 0);
        let slot = self.kept().files.get_or_insert(name.clone(), new).0.clone();
        // concurrent readers of one file wait instead of reading it too
        let mut rows = slot.acquire();
        if let Some(rows) = &*rows {
            return Ok(rows.clone());
        }
        let (read, bytes) = self.read(array, file)?;
        *rows = Some(read.clone());
        drop(rows);
        let mut gone = Vec::new();
        let mut kept = self.kept();
        if let Some((there, cost)) = kept.files.get_mut(&name)
            && Arc::ptr_eq(there, &slot)
        {
            *cost = bytes;
            kept.bytes += bytes;
        }
        while kept.bytes > KEPT && kept.files.len() > 1 {
            let Some((_, (old, bytes))) = kept.files.pop_lru() else { break };
            kept.bytes -= bytes;
            gone.push(old);
        }
        drop(kept);
        drop(gone); // frees memory without the lock
        Ok(read)
    }

    /// Reads a file: its rows and their memory (bytes).
    fn read(&self, array: &str, file: u64) -> Result<(Rows, usize)> {
        let key = format!("{}{array}/refs.{file}.parq", self.directory);
        let mut bytes = Vec::new();
        if self.home.get(&Key::parse(&key)?, &mut bytes)?.is_none() {
            return Ok((None, ENTRY));
        }
        let (rows, size) = record::decode(bytes, self.per_file).at(|| key)?;
        Ok((Some(rows.into()), size.saturating_add(ENTRY)))
    }

    /// Calls `each` for the stored chunks of an array.
    fn list_chunks(
        &self,
        path: &str,
        array: &Array,
        each: &mut dyn FnMut(String) -> Result<()>,
    ) -> Result<()> {
        // the grid may be far larger than what is stored
        let mut files = Vec::new();
        let prefix = format!("{}{path}/", self.directory);
        self.home.list(&prefix, Depth::One, &mut |entry| {
            if let Entry::Key(name) = entry
                && let Some(name) = name.strip_prefix("refs.")
                && let Some(Ok(file)) = name.strip_suffix(".parq").map(str::parse)
            {
                files.push(file);
            }
            Ok(())
        })?;
        files.sort_unstable();
        for file in files {
            let Some(rows) = self.rows(path, file)? else { continue };
            let first = self.per_file.saturating_mul(file);
            for (n, row) in rows.iter().enumerate() {
                let number = first.saturating_add(n as u64);
                if row.is_some() && number < array.count {
                    each(format!("{path}/{}", array.key(number)))?;
                }
            }
        }
        Ok(())
    }
}

impl Array {
    /// The chunk grid of an array with that document; `None`: the document is invalid, which
    /// opening the array reports.
    fn new(document: &str) -> Result<Option<Self>> {
        let Ok(grid) = serde_json::from_str::<Grid>(document) else { return Ok(None) };
        if grid.shape.len() != grid.chunks.len() || grid.chunks.contains(&0) {
            return Ok(None);
        }
        let counts = grid.shape.iter().zip(&grid.chunks).map(|(size, chunk)| size.div_ceil(*chunk));
        let mut counts: Vec<u64> = counts.collect();
        if counts.is_empty() {
            counts.push(1);
        }
        let count = counts.iter().try_fold(1u64, |count, n| count.checked_mul(*n));
        let count = count.ok_or_else(|| Error::metadata("it has more than 2^64 chunks"))?;
        let separator = grid.dimension_separator.unwrap_or('.');
        Ok(Some(Array { counts, count, separator }))
    }

    /// The number of a chunk, from the end of its key.
    fn number(&self, indexes: &str) -> Option<u64> {
        let mut left = &self.counts[..];
        let mut number = 0;
        for index in indexes.split(self.separator) {
            let (count, rest) = left.split_first()?;
            let digits = index.bytes().all(|c| c.is_ascii_digit());
            let padded = index.len() > 1 && index.starts_with('0');
            let index: u64 = index.parse().ok().filter(|n| digits && !padded && n < count)?;
            // less than the count of chunks, which is below 2^64
            number = number * count + index;
            left = rest;
        }
        left.is_empty().then_some(number)
    }

    /// The end of a chunk's key, from its number.
    fn key(&self, mut number: u64) -> String {
        let mut indexes = Vec::with_capacity(self.counts.len());
        for count in self.counts.iter().rev() {
            indexes.push((number % count).to_string());
            number /= count;
        }
        indexes.reverse();
        indexes.join(self.separator.encode_utf8(&mut [0; 4]))
    }
}

impl References for Records {
    fn part(&self, key: &Key) -> Result<Option<Part>> {
        if let Some(document) = self.documents.get(key.as_str()) {
            return Ok(Some(Part::Inline(document.clone())));
        }
        let Some((array, number)) = self.chunk(key.as_str()) else { return Ok(None) };
        let Some(rows) = self.rows(array, number / self.per_file)? else { return Ok(None) };
        let row = usize::try_from(number % self.per_file).ok().and_then(|row| rows.get(row));
        Ok(row.cloned().flatten())
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        check_prefix(prefix)?;
        let documents = &self.documents;
        let mut seen = HashSet::new();
        sorted::list(
            prefix,
            depth,
            &mut |from| Ok(sorted::next_of(documents, from)),
            &mut |entry| {
                if let Entry::Prefix(name) = entry {
                    seen.insert(name.to_owned());
                }
                each(entry)
            },
        )?;
        for (path, array) in &self.arrays {
            // at one level, the document lists the ancestors of an array
            let below =
                prefix.strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with('/'));
            if !(below || depth == Depth::All && path.starts_with(prefix)) {
                continue;
            }
            self.list_chunks(path, array, &mut |key| {
                let Some(rest) = key.strip_prefix(prefix) else { return Ok(()) };
                match rest.split_once('/') {
                    Some((name, _)) if depth == Depth::One => match seen.insert(name.to_owned()) {
                        true => each(Entry::Prefix(name)),
                        false => Ok(()),
                    },
                    _ if documents.contains_key(&key) => Ok(()),
                    _ => each(Entry::Key(rest)),
                }
            })?;
        }
        Ok(())
    }

    fn some_url(&self) -> Option<(Key, Arc<str>)> {
        // the smallest arrays are often stored inline in the references
        let (path, array) = self.arrays.iter().max_by_key(|(_, array)| array.count)?;
        let rows = self.rows(path, 0).ok()??;
        let (number, url) = rows.iter().zip(0..).find_map(|(row, number)| match row {
            Some(Part::File(url, _)) => Some((number, url.clone())),
            _ => None,
        })?;
        Some((Key::parse(&format!("{path}/{}", array.key(number))).ok()?, url))
    }

    fn directory(&self, key: &Key) -> Option<String> {
        let (path, _) = self.chunk(key.as_str())?;
        Some(format!("{}{path}/", self.directory))
    }
}

/// The error of a file that needs more memory than allowed.
#[cold]
fn too_large(what: &str) -> Error {
    Error::new(Kind::LimitExceeded, format!("the references file has too large {what}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn chunks_have_numbers() {
        let array = |document| Array::new(document).unwrap().unwrap();
        let plane = array(r#"{"shape": [10, 7], "chunks": [3, 7]}"#);
        assert_eq!((plane.count, plane.number("3.0"), plane.key(3)), (4, Some(3), "3.0".into()));
        for no in ["4.0", "0.1", "0", "0.0.0", "00.0", "+1.0", "-1.0", "1.", "", "1/0"] {
            assert_eq!(plane.number(no), None, "{no}");
        }
        let slashed = r#"{"shape": [5, 6], "chunks": [1, 1], "dimension_separator": "/"}"#;
        assert_eq!((array(slashed).number("1/2"), array(slashed).key(8)), (Some(8), "1/2".into()));
        assert_eq!(array(r#"{"shape": [], "chunks": []}"#).number("0"), Some(0));
        assert_eq!(array(r#"{"shape": [0], "chunks": [4]}"#).number("0"), None);
        assert!(Array::new(r#"{"shape": [0], "chunks": [0]}"#).unwrap().is_none());
        let huge = r#"{"shape": [4294967296, 4294967296], "chunks": [1, 1]}"#;
        assert_eq!(Array::new(huge).err().unwrap().kind(), Kind::InvalidMetadata);
    }
}
