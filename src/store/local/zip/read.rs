//! Reads an entry: stored ones by range, compressed ones whole.

use super::ZipStore;
use super::format::{self, Entry, LOCAL};
use crate::error::{Context, Error, Result};
use crate::exec::{or_out_of_memory, out_of_memory};
use crate::source::{ByteSource, reserve, within, wrong_length};
use crate::store::{Key, Version};
use std::sync::{Arc, OnceLock};

const STORED: u16 = 0;
const DEFLATE: u16 = 8;
const BZIP2: u16 = 12;

/// The maximum expansion by deflate, and by bzip2 (of a block of 32 bytes).
const DEFLATE_RATIO: u64 = 1032;
const BZIP2_RATIO: u64 = 32 << 10;
/// The working memory of bzip2 (bytes).
const BZIP2_MEMORY: usize = 4 << 20;

/// The checksum of the concatenated parts.
pub fn checksum(parts: &[&[u8]]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    parts.iter().for_each(|part| crc.update(part));
    crc.finalize()
}

/// Identifies an entry: entries are never overwritten.
pub fn version(entry: &Entry) -> Version {
    let numbers = [entry.header, entry.size, entry.crc.into()];
    Version::new(numbers.iter().flat_map(|n| n.to_le_bytes()).collect())
}

/// The entry of a key at its first read.
pub struct Source<'a> {
    store: &'a ZipStore,
    key: Key,
    entry: OnceLock<Option<Arc<Entry>>>,
    /// The offset of the data, once the local header was read.
    data: OnceLock<u64>,
    /// The decompressed entry, once needed.
    inflated: OnceLock<Vec<u8>>,
}

impl<'a> Source<'a> {
    pub fn new(store: &'a ZipStore, key: &Key) -> Self {
        Source {
            store,
            key: key.clone(),
            entry: OnceLock::new(),
            data: OnceLock::new(),
            inflated: OnceLock::new(),
        }
    }

    fn entry(&self) -> Option<&Entry> {
        self.entry.get_or_init(|| self.store.entry(&self.key)).as_deref()
    }

    /// Calls `read` with the entry; `false`: there is none.
    fn with(&self, read: impl FnOnce(&Entry) -> Result<()>) -> Result<bool> {
        let Some(entry) = self.entry() else { return Ok(false) };
        let readable = match (entry.method, entry.is_encrypted()) {
            (_, true) => Err(Error::unsupported("it is encrypted")),
            (STORED, _) if entry.size != entry.compressed => {
                Err(Error::corrupt("it is stored uncompressed, but its two sizes differ"))
            }
            (STORED | DEFLATE | BZIP2, _) => Ok(()),
            (method, _) => Err(Error::unsupported(format!(
                "its compression method {method} is not supported; 0 (stored), 8 (deflate) and 12 \
                 (bzip2) are"
            ))),
        };
        readable.and_then(|()| read(entry)).at(|| self.store.place(&self.key))?;
        Ok(true)
    }

    /// The offset of an entry's data; checks that the local header matches the entry.
    fn data(&self, entry: &Entry) -> Result<u64> {
        if let Some(data) = self.data.get() {
            return Ok(*data);
        }
        let mut header = crate::exec::Block::new(LOCAL + usize::from(entry.name_len))?;
        self.store.file.read(entry.header, &mut header)?;
        let data = self.data_start(entry, &header)?;
        Ok(*self.data.get_or_init(|| data))
    }

    /// The same from the bytes at the entry's position, at least its header and name.
    fn data_start(&self, entry: &Entry, bytes: &[u8]) -> Result<u64> {
        let wrong = || Error::corrupt("the central directory has a wrong position for it");
        let len = format::local_len(bytes).ok_or_else(wrong)?;
        match format::local_name(bytes) == Some(self.key.as_str().as_bytes()) {
            true => Ok(entry.header + len as u64),
            false => Err(Error::corrupt("the central directory has another entry's position")),
        }
    }

    /// Fills `out` with the raw data, in one request if they are short.
    fn read_raw(&self, entry: &Entry, out: &mut [u8]) -> Result<()> {
        let file = &self.store.file;
        // the bytes of our own headers, and of most other writers'
        let before = (LOCAL + usize::from(entry.name_len) + 32) as u64;
        let near = before.saturating_add(entry.compressed);
        if self.data.get().is_some() || near > file.request_cost() {
            return file.read(self.data(entry)?, out);
        }
        let near = match file.len() {
            // the writer's own file grows
            len if self.store.writer.is_none() => near.min(len.saturating_sub(entry.header)),
            _ => before - 32 + entry.compressed,
        };
        let mut bytes = crate::exec::Block::new(near as usize)?;
        file.read(entry.header, &mut bytes)?;
        let start = self.data_start(entry, &bytes)?;
        let from = (start - entry.header) as usize;
        match bytes.get(from..from + out.len()) {
            Some(data) => {
                out.copy_from_slice(data);
                let _ = self.data.set(start);
                Ok(())
            }
            None => file.read(start, out),
        }
    }

    /// Appends the whole value to `out`.
    fn append(&self, entry: &Entry, out: &mut Vec<u8>) -> Result<()> {
        if let Some(inflated) = self.inflated.get() {
            reserve(out, inflated.len())?;
            out.extend_from_slice(inflated);
            return Ok(());
        }
        self.check_size(entry)?;
        if entry.method != STORED {
            within(entry.size, self.store.max_inflated, "max_inflated_size")?;
        }
        let start = out.len();
        let size = usize::try_from(entry.size).unwrap_or(usize::MAX);
        reserve(out, size)?;
        out.resize(start + size, 0);
        self.fill(entry, &mut out[start..])
    }

    /// Checks the size before memory is reserved for it.
    fn check_size(&self, entry: &Entry) -> Result<()> {
        let most = match entry.method {
            STORED => entry.compressed,
            DEFLATE => entry.compressed.saturating_mul(DEFLATE_RATIO),
            _ => entry.compressed.saturating_mul(BZIP2_RATIO),
        };
        let there = match self.store.writer {
            Some(_) => self.store.file.len_now(),
            None => self.store.file.len(),
        };
        if entry.compressed > there || entry.size > most {
            return Err(Error::corrupt(format!(
                "it claims to hold {} bytes in {}, which is impossible",
                entry.size, entry.compressed
            )));
        }
        Ok(())
    }

    /// Fills `out`, which has the value's length.
    fn fill(&self, entry: &Entry, out: &mut [u8]) -> Result<()> {
        if entry.method == STORED {
            self.read_raw(entry, out)?;
        } else {
            self.check_size(entry)?;
            let mut raw = crate::exec::Block::new(entry.compressed as usize)?;
            self.read_raw(entry, &mut raw)?;
            match entry.method {
                DEFLATE => inflate(&raw, out)?,
                _ => bunzip2(&raw, out)?,
            }
        }
        match checksum(&[out]) == entry.crc {
            true => Ok(()),
            false => Err(Error::corrupt("its checksum (CRC-32) does not match its bytes")),
        }
    }

    /// The decompressed value of an entry.
    fn inflated(&self, entry: &Entry) -> Result<&[u8]> {
        if self.inflated.get().is_none() {
            let mut bytes = Vec::new();
            self.append(entry, &mut bytes)?;
            let _ = self.inflated.set(bytes);
        }
        Ok(self.inflated.get().map_or(&[], Vec::as_slice))
    }
}

fn inflate(raw: &[u8], out: &mut [u8]) -> Result<()> {
    use flate2::{Decompress, FlushDecompress, Status};
    let broken = |why| Err(Error::corrupt(format!("its deflate stream {why}")));
    let mut stream = Decompress::new(false);
    let status = stream.decompress(raw, out, FlushDecompress::Finish);
    let full = stream.total_out() == out.len() as u64;
    match status {
        Ok(Status::StreamEnd) if full => Ok(()),
        Ok(Status::StreamEnd) => broken("is shorter than its entry declares"),
        Ok(_) if full => broken("is longer than its entry declares, or cut short"),
        _ => broken("is broken"),
    }
}

fn bunzip2(raw: &[u8], out: &mut [u8]) -> Result<()> {
    let broken = |why| Err(Error::corrupt(format!("its bzip2 stream {why}")));
    let mut stream = or_out_of_memory(BZIP2_MEMORY, || bzip2::Decompress::new(false))?;
    loop {
        let before = (stream.total_in(), stream.total_out());
        let (rest, room) = (&raw[before.0 as usize..], &mut out[before.1 as usize..]);
        match stream.decompress(rest, room) {
            Ok(bzip2::Status::StreamEnd) if stream.total_out() == out.len() as u64 => return Ok(()),
            Ok(bzip2::Status::StreamEnd) => return broken("is shorter than its entry declares"),
            Ok(bzip2::Status::MemNeeded) => return Err(out_of_memory(BZIP2_MEMORY)),
            Ok(_) if (stream.total_in(), stream.total_out()) != before => {}
            Ok(_) => return broken("has another length than its entry declares"),
            Err(_) => return broken("is broken"),
        }
    }
}

impl ByteSource for Source<'_> {
    fn len(&self) -> Result<Option<u64>> {
        Ok(self.entry().map(|entry| entry.size))
    }

    fn read_all(&self, _: u64, out: &mut Vec<u8>) -> Result<bool> {
        self.with(|entry| self.append(entry, out))
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        self.with(|entry| {
            let end = offset.saturating_add(out.len() as u64);
            if end > entry.size {
                return Err(wrong_length(end, entry.size));
            }
            if entry.method != STORED {
                return self.inflated(entry)?.read_at(offset, out).map(drop);
            }
            let start = self.data(entry)?.saturating_add(offset);
            self.store.file.read(start, out)
        })
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        self.with(|entry| {
            if entry.size != out.len() as u64 {
                return Err(wrong_length(out.len() as u64, entry.size));
            }
            match self.inflated.get() {
                Some(inflated) => inflated.as_slice().read_exactly(out).map(drop),
                None => self.fill(entry, out),
            }
        })
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        let Some(size) = self.entry().map(|entry| entry.size) else { return Ok(None) };
        let count = count.min(size);
        self.with(|entry| self.check_size(entry))?;
        let start = out.len();
        let wanted = usize::try_from(count).unwrap_or(usize::MAX);
        reserve(out, wanted)?;
        out.resize(start + wanted, 0);
        self.read_at(size - count, &mut out[start..])?;
        Ok(Some(size))
    }

    fn version(&self) -> Result<Option<Version>> {
        Ok(self.entry().map(version))
    }

    fn request_cost(&self) -> u64 {
        match self.entry() {
            Some(entry) if entry.method != STORED => 0,
            _ => self.store.file.request_cost(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::inflate;

    /// The remainders of 0 to 999 by 7, as zlib 1.2.13 deflates them.
    const STREAM: [u8; 17] = [
        0x63, 0x60, 0x64, 0x62, 0x66, 0x61, 0x65, 0x63, 0x18, 0xa5, 0x46, 0xa9, 0x51, 0x6a, 0xf8,
        0x52, 0x00,
    ];

    #[test]
    fn a_stream_must_have_its_entrys_length() {
        let said = |raw: &[u8], len: usize| {
            let mut out = vec![1; len];
            inflate(raw, &mut out).map(|()| out).map_err(|error| error.to_string())
        };
        let expected: Vec<u8> = (0..1000u16).map(|i| (i % 7) as u8).collect();
        assert_eq!(said(&STREAM, 1000), Ok(expected));
        assert_eq!(said(&[3, 0], 0), Ok(vec![]));
        for (raw, len, why) in [
            (&STREAM[..], 999, "longer"),
            (&STREAM, 0, "longer"),
            (&STREAM, 1001, "shorter"),
            (&[3, 0], 1, "shorter"),
            (&STREAM[..10], 1000, "broken"),
            (&[], 1, "broken"),
            (&[0xff; 9], 1000, "broken"),
        ] {
            let error = said(raw, len).expect_err(why);
            assert!(error.contains(why), "{len}: {error}");
        }
    }
}
