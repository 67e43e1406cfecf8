//! Reading a value: open it, read once, close it.

use super::FilesystemStore;
use super::at::{is_directory, is_file};
use super::state::State;
use crate::error::{Context, Error, Kind, Result};
use crate::exec;
use crate::fork::LockFile;
use crate::source::{ByteSource, reserve, within, wrong_length};
use crate::store::{Key, Version};
use crate::system::buffer::spare_capacity;
use crate::system::fd::{AsFd, BorrowedFd, OwnedFd};
use crate::system::io::{self, Errno, retry_on_intr};
use std::borrow::Cow;
use std::io::IoSliceMut;
use std::sync::OnceLock;

/// A value, opened on first read; later reads use the same file.
pub(super) struct Source<'a> {
    store: &'a FilesystemStore,
    key: Cow<'a, Key>,
    file: OnceLock<Option<Opened>>,
    /// Whether opening it may be sampled.
    sampled: bool,
    /// Whether it is about to be replaced by a value made from it, and so is locked.
    changes: bool,
}

/// An open file.
pub(super) enum File {
    Shared(OwnedFd),
    Locked(LockFile),
}

impl AsFd for File {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            File::Shared(file) => file.as_fd(),
            File::Locked(file) => file.as_fd(),
        }
    }
}

/// A regular file with its state when opened, which is older than whatever is read of it: what is
/// derived from these bytes and said to be of this version is at worst newer than that.
struct Opened {
    file: File,
    state: State,
}

impl Opened {
    fn len(&self) -> u64 {
        self.state.len()
    }
}

impl<'a> Source<'a> {
    pub fn new(store: &'a FilesystemStore, key: Cow<'a, Key>) -> Self {
        Source { store, key, file: OnceLock::new(), sampled: true, changes: false }
    }

    /// A value that is about to be replaced by one made from it: others who do the same, or change
    /// it where it lies, wait until the source is dropped.
    pub fn to_change(store: &'a FilesystemStore, key: Key) -> Self {
        Source { changes: true, ..Source::new(store, Cow::Owned(key)) }
    }

    /// A document. It is small, and whether it is in memory says little of the chunks.
    pub fn document(store: &'a FilesystemStore, key: &'a Key) -> Self {
        Source { sampled: false, ..Source::new(store, Cow::Borrowed(key)) }
    }

    /// Appends the whole value to `out`; the value must not exceed `limit` (bytes). Returns its
    /// version, or `None`: absent.
    pub fn get(&self, limit: u64, out: &mut Vec<u8>) -> Result<Option<Version>> {
        self.with_file(|opened| {
            within(opened.len(), limit, crate::store::DOCUMENT)?;
            append(opened, out)?;
            Ok(opened.state.version())
        })
    }

    /// Calls `read` with the file; `None`: absent.
    fn with_file<T>(&self, read: impl FnOnce(&Opened) -> Result<T, Fault>) -> Result<Option<T>> {
        let doing = || self.store.doing("reading", &self.key);
        let opened = match self.file.get() {
            Some(opened) => opened,
            None => {
                let begun = if self.sampled { self.store.ahead.begin() } else { None };
                let file = self.store.open_value(&self.key, self.changes)?;
                let opened = file.map_or(Ok(None), ordinary);
                let opened = opened.or_else(|fault| fault.explain(doing))?;
                if let (Some(begun), Some(opened)) = (begun, &opened) {
                    self.store.ahead.look(begun, opened.file.as_fd(), opened.len());
                }
                // If two threads race, both use the same file.
                self.file.get_or_init(|| opened)
            }
        };
        let read = opened.as_ref().map(read);
        read.map(|read| read.or_else(|fault| fault.explain(doing))).transpose()
    }
}

impl ByteSource for Source<'_> {
    fn len(&self) -> Result<Option<u64>> {
        self.with_file(|opened| Ok(opened.len()))
    }

    fn read_all(&self, _: u64, out: &mut Vec<u8>) -> Result<bool> {
        Ok(self.with_file(|opened| append(opened, out))?.is_some())
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        let end = offset.saturating_add(out.len() as u64);
        Ok(self.with_file(|opened| fill(opened, offset, out, end))?.is_some())
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        let size = out.len() as u64;
        let read = self.with_file(|opened| match opened.len() {
            len if len == size => fill(opened, 0, out, size),
            len => Err(Fault::Length(size, len)),
        })?;
        Ok(read.is_some())
    }

    fn version(&self) -> Result<Option<Version>> {
        self.with_file(|opened| Ok(opened.state.version()))
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        self.with_file(|opened| {
            // Never more than the file's length, so no more memory than a whole read.
            append_from(opened, opened.len().saturating_sub(count), out)?;
            Ok(opened.len())
        })
    }
}

/// Why an open file cannot be read.
enum Fault {
    System(Errno),
    /// The expected length, and the actual one.
    Length(u64, u64),
    NotAFile,
    Other(Error),
}

impl From<Errno> for Fault {
    fn from(errno: Errno) -> Self {
        Fault::System(errno)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Fault::Other(error)
    }
}

impl Fault {
    #[cold]
    fn explain<T>(self, doing: impl FnOnce() -> String) -> Result<T> {
        Err(match self {
            Fault::System(errno) => return Err(Error::system(doing(), errno.raw_os_error())),
            Fault::Length(expected, found) => wrong_length(expected, found),
            Fault::NotAFile => Error::new(Kind::Io, "it is not an ordinary file"),
            Fault::Other(error) => error,
        })
        .at(doing)
    }
}

/// Accepts a regular file; `None`: a directory, so the key is absent. Asked of every file before a
/// byte of it is read: a link may lead to a device, or to secrets of the process in /proc.
fn ordinary(file: File) -> Result<Option<Opened>, Fault> {
    let state = State::of(&file)?;
    if is_directory(&state.stat) {
        return Ok(None);
    }
    // Files of /proc look regular and empty, yet have contents.
    let is_made_up = || Ok::<_, Errno>(retry_on_intr(|| io::pread(&file, &mut [0u8; 1], 0))? > 0);
    if !is_file(&state.stat) || state.len() == 0 && is_made_up()? {
        return Err(Fault::NotAFile);
    }
    Ok(Some(Opened { file, state }))
}

/// Fills `out` from `offset` to `end`, which the file must reach.
fn fill(opened: &Opened, offset: u64, out: &mut [u8], end: u64) -> Result<(), Fault> {
    let mut done = 0;
    if end > opened.len() {
        return Err(Fault::Length(end, opened.len()));
    }
    while done < out.len() {
        match read_once(opened.file.as_fd(), offset + done as u64, &mut out[done..])? {
            0 => return Err(Fault::Length(end, offset + done as u64)),
            read => done += read,
        }
    }
    Ok(())
}

/// The most bytes that are read and then moved while in the processor's cache.
const MOVED: usize = 1 << 20;

/// Reads some bytes from `offset` into `out`; returns how many.
fn read_once(file: BorrowedFd<'_>, offset: u64, out: &mut [u8]) -> io::Result<usize> {
    let by = if out.len() < 16 << 10 { 0 } else { exec::fast_copy_offset(offset, out) };
    if by == 0 {
        return retry_on_intr(|| io::pread(file, &mut *out, offset));
    }
    // read to a faster position further on, then move back
    let most = out.len().min(MOVED);
    let out = &mut out[..most];
    let (last, mut end) = (most - by, [0; 64]);
    let end = &mut end[..by];
    let mut buffers = [IoSliceMut::new(&mut out[by..]), IoSliceMut::new(end)];
    let read = retry_on_intr(|| io::preadv(file, &mut buffers, offset))?;
    out.copy_within(by..by + read.min(last), 0);
    let after = read.saturating_sub(last).min(by);
    out[last..last + after].copy_from_slice(&end[..after]);
    Ok(read)
}

/// Appends the whole file to `out`.
fn append(opened: &Opened, out: &mut Vec<u8>) -> Result<(), Fault> {
    append_from(opened, 0, out)
}

/// Appends the file from `offset`, which must not exceed its length, to its end.
fn append_from(opened: &Opened, offset: u64, out: &mut Vec<u8>) -> Result<(), Fault> {
    let start = out.len();
    let wanted = usize::try_from(opened.len() - offset).unwrap_or(usize::MAX);
    reserve(out, wanted)?;
    while out.len() - start < wanted {
        let at = offset + (out.len() - start) as u64;
        let read = match retry_on_intr(|| io::pread(&opened.file, spare_capacity(out), at)) {
            Ok(0) => Err(Fault::Length(opened.len(), at)),
            read => read.map_err(Fault::from),
        };
        if let Err(fault) = read {
            out.truncate(start);
            return Err(fault);
        }
    }
    // If more memory was available, a growing file could have filled it.
    out.truncate(start + wanted);
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::io::Write;

    /// Whatever the alignment of the memory, the bytes read are the same.
    #[test]
    fn bytes_come_to_their_place() {
        let bytes: Vec<u8> = (0..(5u32 << 19) + 77).map(|n| (n ^ (n >> 7)) as u8).collect();
        let path = std::env::temp_dir().join(format!("zarrc-read-{}", std::process::id()));
        std::fs::File::create(&path).unwrap().write_all(&bytes).unwrap();
        let opened = ordinary(File::Shared(std::fs::File::open(&path).unwrap().into()));
        let opened = opened.unwrap_or_else(|_| panic!()).unwrap();
        std::fs::remove_file(&path).unwrap();
        let mut memory = vec![0; bytes.len() + 8192];
        let page = memory.as_ptr().align_offset(4096);
        for (ahead, offset, len) in [
            (0, 0, 20_000),
            (16, 0, 20_000),
            (31, 0, bytes.len()),
            (32, 0, bytes.len()),
            (17, 16, MOVED + 16),
            (1, 4096, MOVED),
            (16, bytes.len() - 16_400, 16_400),
            (8, bytes.len() - MOVED - 50, MOVED + 50),
        ] {
            let out = &mut memory[page + ahead..][..len];
            out.fill(0);
            let read = fill(&opened, offset as u64, out, (offset + len) as u64);
            assert!(read.is_ok() && out[..] == bytes[offset..offset + len], "{ahead} {offset}");
        }
        for (offset, len) in [(bytes.len() - 20_000, 20_100), (usize::MAX, 1)] {
            let end = (offset as u64).saturating_add(len as u64);
            let read = fill(&opened, offset as u64, &mut memory[..len], end);
            assert!(matches!(read, Err(Fault::Length(_, found)) if found == opened.len()));
        }
    }
}
