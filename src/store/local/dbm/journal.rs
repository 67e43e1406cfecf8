//! The changes since a GNU dbm file was written, in a file beside it: records, each appended by one
//! write. A killed writer leaves all but the last of them complete.
//!
//! ```text
//! | length of the key: u32 | of the value: u64, all ones: erased | CRC-32C: u32 | key | value |
//! ```
//!
//! Numbers are little-endian; the checksum covers the rest of the record.

use super::system;
use crate::error::{Error, Result};
use crate::source::reserve;
use crate::store::Key;
use crate::system::{read_exact_at, write_all_at};
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

/// The bytes of a record before its key.
const HEAD: usize = 16;

/// The length that marks an erased key.
const ERASED: u64 = u64::MAX;

/// A value's offset and length.
pub type Place = (u64, u64);

pub struct Journal {
    file: File,
    path: PathBuf,
    /// The offset of the next record.
    end: u64,
    sync: bool,
}

impl Journal {
    /// A new journal at `path`.
    pub fn create(path: PathBuf, sync: bool) -> Result<Self> {
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path);
        let file = file.map_err(|e| system("making the journal beside it", &e))?;
        Ok(Journal { file, path, end: 0, sync })
    }

    /// Opens the journal at `path`, to append if `writes`, and calls `each` for every change in it;
    /// `None`: there is no journal.
    pub fn open(
        path: PathBuf,
        writes: bool,
        sync: bool,
        mut each: impl FnMut(String, Option<Place>),
    ) -> Result<Option<Self>> {
        let file = match OpenOptions::new().read(true).write(writes).open(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(|e| system("opening the journal beside it", &e))?,
        };
        let mut journal = Journal { file, path, end: 0, sync };
        let length = journal.length()?;
        while let Some((key, place)) = journal.record(length)? {
            each(key, place);
        }
        // a partial record of a killed writer
        if writes && journal.end < length {
            journal.cut()?;
        }
        Ok(Some(journal))
    }

    fn length(&self) -> Result<u64> {
        let there = self.file.metadata().map_err(|e| system("reading its journal", &e))?;
        Ok(there.len())
    }

    /// Reads the next record; `None`: it is incomplete.
    fn record(&mut self, length: u64) -> Result<Option<(String, Option<Place>)>> {
        let mut head = [0; HEAD];
        if length - self.end < HEAD as u64 {
            return Ok(None);
        }
        self.read((self.end, 0), &mut head)?;
        let (sizes, checksum) = head.split_at(HEAD - 4);
        let (key, value) = sizes.split_at(4);
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b));
        let (key, value, checksum) = (number(key), number(value), number(checksum));
        let stored = if value == ERASED { 0 } else { value };
        let start = self.end + HEAD as u64;
        let end = start.checked_add(key).and_then(|at| at.checked_add(stored));
        let Some(end) = end.filter(|end| *end <= length) else { return Ok(None) };
        let mut body = Vec::new();
        reserve(&mut body, (end - start) as usize)?;
        body.resize((end - start) as usize, 0);
        self.read((start, 0), &mut body)?;
        if u64::from(crc32c::crc32c_append(crc32c::crc32c(sizes), &body)) != checksum {
            return Ok(None);
        }
        body.truncate(key as usize);
        let Some(name) = String::from_utf8(body).ok().filter(|name| Key::parse(name).is_ok())
        else {
            return Ok(None);
        };
        self.end = end;
        Ok(Some((name, (value != ERASED).then_some((start + key, value)))))
    }

    /// Fills `out` from the start of `place`.
    fn read(&self, (at, _): Place, out: &mut [u8]) -> Result<()> {
        read_exact_at(&self.file, out, at).map_err(|e| system("reading its journal", &e))
    }

    /// Appends the value at `place` to `out`.
    pub fn get(&self, place: Place, out: &mut Vec<u8>) -> Result<()> {
        let start = out.len();
        reserve(out, place.1 as usize)?;
        out.resize(start + place.1 as usize, 0);
        self.read(place, &mut out[start..])
    }

    /// Appends a record; value `None`: the key is erased. Returns the value's place.
    pub fn push(&mut self, key: &str, value: Option<&[u8]>) -> Result<Place> {
        let key_size = u32::try_from(key.len()).map_err(|_| Error::invalid("the key is too long"));
        let size = value.map_or(ERASED, |value| value.len() as u64);
        let mut record = Vec::new();
        let value = value.unwrap_or_default();
        reserve(&mut record, HEAD + key.len() + value.len())?;
        record.extend_from_slice(&key_size?.to_le_bytes());
        record.extend_from_slice(&size.to_le_bytes());
        let body = crc32c::crc32c_append(crc32c::crc32c(&record), key.as_bytes());
        record.extend_from_slice(&crc32c::crc32c_append(body, value).to_le_bytes());
        record.extend_from_slice(key.as_bytes());
        let at = self.end + record.len() as u64;
        record.extend_from_slice(value);
        let written = write_all_at(&self.file, &record, self.end);
        if let Err(e) =
            written.and_then(|()| if self.sync { self.file.sync_data() } else { Ok(()) })
        {
            let _ = self.cut(); // frees the space; a partial record is ignored
            return Err(system("writing its journal", &e));
        }
        self.end += record.len() as u64;
        Ok((at, value.len() as u64))
    }

    fn cut(&self) -> Result<()> {
        self.file.set_len(self.end).map_err(|e| system("shortening its journal", &e))
    }

    /// Whether it has no changes.
    pub fn is_empty(&self) -> bool {
        self.end == 0
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Deletes it, once its changes are written elsewhere.
    pub fn delete(self) -> Result<()> {
        std::fs::remove_file(&self.path).map_err(|e| system("deleting its journal", &e))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read(path: &Path) -> Vec<(String, Option<Vec<u8>>)> {
        let mut found = Vec::new();
        let each = |key, place| found.push((key, place));
        let journal = Journal::open(path.to_owned(), false, false, each).unwrap().unwrap();
        let value = |place| {
            let mut out = Vec::new();
            journal.get(place, &mut out).unwrap();
            out
        };
        found.into_iter().map(|(key, place)| (key, place.map(value))).collect()
    }

    #[test]
    fn cut_or_garbled_anywhere_it_holds_the_records_before() {
        let path = std::env::temp_dir().join(format!("zarrc-journal-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut journal = Journal::create(path.clone(), false).unwrap();
        let changes = [("a/b", Some(&b"value"[..])), ("ü", None), ("a/b", Some(b"")), ("c", None)];
        let mut ends = vec![0];
        for (key, value) in changes {
            journal.push(key, value).unwrap();
            ends.push(journal.end as usize);
        }
        let bytes = std::fs::read(&path).unwrap();
        let expected: Vec<_> =
            changes.iter().map(|(key, value)| (key.to_string(), value.map(Vec::from))).collect();
        assert_eq!(read(&path), expected);
        for at in 0..bytes.len() {
            let whole = ends.iter().filter(|end| **end <= at).count() - 1;
            std::fs::write(&path, &bytes[..at]).unwrap();
            assert_eq!(read(&path), expected[..whole], "cut at {at}");
            let mut garbled = bytes.clone();
            garbled[at] ^= 0x10;
            std::fs::write(&path, &garbled).unwrap();
            assert_eq!(read(&path), expected[..whole], "garbled at {at}");
        }
        // the next writer appends after the complete records
        std::fs::write(&path, &bytes[..ends[2] + 5]).unwrap();
        let mut journal = Journal::open(path.clone(), true, false, |_, _| {}).unwrap().unwrap();
        journal.push("d", Some(b"1")).unwrap();
        assert_eq!(read(&path)[2], ("d".into(), Some(b"1".to_vec())));
        journal.delete().unwrap();
        assert!(!path.exists());
    }
}
