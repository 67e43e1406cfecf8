//! Appending to a zip file.

use super::file::{File, system};
use super::format::{self, Entry};
use super::index::{self, Contents, Index};
use crate::error::{Error, Kind, Result};
use crate::store::Mode;
use crate::store::lock::lock;
use crate::system::{io, write_all_at};
use std::fs::OpenOptions;
use std::io::IoSlice;
use std::path::Path;

/// Opens the file at `path` for writing, locks it against other writers, and indexes it.
pub fn open(path: &Path, mode: Mode) -> Result<(File, Contents)> {
    let name = path.display().to_string();
    let creates = !matches!(mode, Mode::Read | Mode::ReadWrite);
    if creates && let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)
            .map_err(|e| system("creating the directory of", &name, &e))?;
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    let open = |options: &OpenOptions| options.open(path).map_err(|e| system("opening", &name, &e));
    let file = match mode {
        Mode::Append | Mode::Overwrite => open(options.create(true).truncate(false))?,
        Mode::Create => open(options.create_new(true))?,
        _ => open(&options)?,
    };
    lock(&file)?;
    let file = File::of(file, &name)?;
    if file.len() == 0 {
        return Ok((file, Contents::default()));
    }
    if mode != Mode::Overwrite {
        let contents = index::read(&file)?;
        return Ok((file, contents));
    }
    index::read(&file).map_err(|_| {
        Error::new(Kind::AlreadyExists, "it is not a zip file, so it is not overwritten")
    })?;
    // readers of the old file keep it
    std::fs::remove_file(path).map_err(|e| system("deleting", &name, &e))?;
    drop(file);
    self::open(path, Mode::Create)
}

/// The write state of a file.
pub struct Writer {
    /// The offset of the next entry.
    end: u64,
    /// Whether the file ends in a current central directory.
    complete: bool,
    /// Whether the directory at `end` is our own, which may be overwritten.
    ours: bool,
    sync: bool,
}

impl Writer {
    /// The writer of a locked file whose bytes up to `end` are kept. Truncates what a killed writer
    /// left after that.
    pub fn new(file: &File, end: u64, complete: bool, sync: bool) -> Result<Self> {
        let writer = Writer { end, complete, ours: false, sync };
        if file.len() > end {
            writer.cut(file)?;
        }
        Ok(writer)
    }

    fn cut(&self, file: &File) -> Result<()> {
        let file = handle(file)?;
        file.set_len(self.end).map_err(|e| system("shortening", "it", &e))
    }

    /// Appends a value whose checksum is `crc`.
    pub fn append(&mut self, file: &File, key: &str, parts: &[&[u8]], crc: u32) -> Result<Entry> {
        let size = parts.iter().fold(0u64, |sum, part| sum + part.len() as u64);
        let header = format::local_header(key, Some((crc, size)))?;
        let at = self.end;
        self.put(file, &header, parts, size)?;
        Ok(entry(at, key, size, crc))
    }

    /// Appends values, and marks of deleted keys (`None`), so that a killed process leaves all of
    /// them or none: without the first header, which comes last, a reader finds nothing behind it.
    pub fn append_all(
        &mut self,
        file: &File,
        values: &[(&str, Option<&[u8]>)],
    ) -> Result<Vec<Option<Entry>>> {
        let (mut at, mut entries) = (self.end, Vec::new());
        let mut records = Vec::new();
        for (key, value) in values {
            let bytes = value.unwrap_or_default();
            let (crc, size) = (super::read::checksum(&[bytes]), bytes.len() as u64);
            let header = format::local_header(key, value.map(|_| (crc, size)))?;
            entries.push(value.map(|_| entry(at, key, size, crc)));
            let next = at + header.len() as u64 + size;
            records.push((at, header, bytes));
            at = next;
        }
        let Some((start, first, bytes)) = records.first() else { return Ok(entries) };
        self.begin(file)?;
        let out = handle(file)?;
        let sync = || if self.sync { out.sync_data() } else { Ok(()) };
        let write = || {
            write_at(out, start + first.len() as u64, &[], &[bytes])?;
            for (at, header, bytes) in &records[1..] {
                write_at(out, *at, header, &[bytes])?;
            }
            sync()?;
            write_at(out, *start, first, &[])?;
            sync()
        };
        if let Err(e) = write() {
            let _ = out.set_len(self.end);
            return Err(system("writing", "to it", &e));
        }
        self.end = at;
        Ok(entries)
    }

    /// Marks a key as deleted, for readers without a central directory.
    pub fn erase(&mut self, file: &File, key: &str) -> Result<()> {
        let header = format::local_header(key, None)?;
        self.put(file, &header, &[], 0)
    }

    /// Prepares the file for more entries.
    fn begin(&mut self, file: &File) -> Result<()> {
        if self.ours {
            // cut the old directory, so that it cannot be taken for the new one
            self.cut(file)?;
            self.ours = false;
        }
        self.complete = false;
        Ok(())
    }

    fn put(&mut self, file: &File, header: &[u8], parts: &[&[u8]], size: u64) -> Result<()> {
        self.begin(file)?;
        let file = handle(file)?;
        let written = write_at(file, self.end, header, parts);
        let written = written.and_then(|()| if self.sync { file.sync_data() } else { Ok(()) });
        if let Err(e) = written {
            // a partial entry is ignored, and the next one overwrites it
            let _ = file.set_len(self.end);
            return Err(system("writing", "to it", &e));
        }
        self.end += header.len() as u64 + size;
        Ok(())
    }

    /// Writes the central directory, unless it is current.
    pub fn finish(&mut self, file: &File, index: &Index) -> Result<()> {
        if self.complete {
            return Ok(());
        }
        let mut bytes = Vec::new();
        for (name, entry) in index {
            format::put_central(name, entry, &mut bytes)?;
        }
        let size = bytes.len() as u64;
        format::put_end(index.len() as u64, self.end, size, &mut bytes);
        let file = handle(file)?;
        let written = write_all_at(file, &bytes, self.end);
        let written = written.and_then(|()| if self.sync { file.sync_all() } else { Ok(()) });
        if let Err(e) = written {
            let _ = file.set_len(self.end);
            return Err(system("writing the central directory", "of it", &e));
        }
        self.complete = true;
        self.ours = true;
        Ok(())
    }
}

/// The entry of an uncompressed value whose local header is at `header`.
fn entry(header: u64, key: &str, size: u64, crc: u32) -> Entry {
    Entry {
        header,
        method: 0,
        crc,
        compressed: size,
        size,
        flags: format::UTF8,
        name_len: key.len() as u16,
    }
}

fn handle(file: &File) -> Result<&std::fs::File> {
    match file {
        File::Local(file, _) => Ok(file),
        File::In(..) => Err(Error::new(Kind::Internal, "a value of another store is read-only")),
    }
}

/// Writes a header and parts; many small parts take few calls.
fn write_at(file: &std::fs::File, at: u64, header: &[u8], parts: &[&[u8]]) -> std::io::Result<()> {
    const MANY: usize = 512;
    let all: Vec<&[u8]> = std::iter::once(header).chain(parts.iter().copied()).collect();
    let mut at = at;
    for some in all.chunks(MANY) {
        let mut slices: Vec<IoSlice<'_>> = some.iter().map(|part| IoSlice::new(part)).collect();
        let mut left = &mut slices[..];
        IoSlice::advance_slices(&mut left, 0); // skips empty ones
        while !left.is_empty() {
            match io::pwritev(file, left, at) {
                Ok(0) => return Err(std::io::ErrorKind::WriteZero.into()),
                Ok(written) => {
                    at += written as u64;
                    IoSlice::advance_slices(&mut left, written);
                }
                Err(io::Errno::INTR) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
    }
    Ok(())
}
