//! Reading a value: open it, read once, close it.

use super::FilesystemStore;
use super::at::{is_directory, is_file};
use crate::error::{Error, Kind, Result};
use crate::exec;
use crate::source::{ByteSource, reserve, wrong_length};
use crate::store::{Key, Stamp, Version};
use rustix::buffer::spare_capacity;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{self, Stat};
use rustix::io::{self, Errno, retry_on_intr};
use std::borrow::Cow;
use std::io::IoSliceMut;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How much room is made on a guess; for more the file is asked for its length.
const MAX_GUESS: u64 = 64 << 20;

/// Tells one state of a file from another: a new value is a new file, made at another time.
#[allow(clippy::unnecessary_cast)] // the types differ from system to system
pub(super) fn version(stat: &Stat) -> Version {
    let modified = (stat.st_mtime as u64, stat.st_mtime_nsec as u64);
    let changed = (stat.st_ctime as u64, stat.st_ctime_nsec as u64);
    let fields = [
        stat.st_dev as u64,
        stat.st_ino as u64,
        stat.st_size as u64,
        modified.0,
        modified.1,
        changed.0,
        changed.1,
    ];
    let version = Version::new(fields.iter().flat_map(|field| field.to_le_bytes()).collect());
    version.recent(modified == changed && is_recent(changed, clock()))
}

/// Whether a file that was written then could be written once more and have the same times. They
/// are those of a clock that ticks every 1 to 10 ms, or of a file system that keeps seconds only, as
/// Lustre, or even ones. A file written here has a time of its own, so that the two differ.
fn is_recent((seconds, nanos): (u64, u64), now: Duration) -> bool {
    let tick = if nanos == 0 { Duration::from_secs(3) } else { Duration::from_millis(20) };
    let age = now.checked_sub(Duration::new(seconds, nanos as u32));
    age.is_none_or(|age| age < tick)
}

/// The time since 1970.
pub(super) fn clock() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// What that state is known by.
pub(super) fn stamp(stat: &Stat) -> Stamp {
    let seconds = stat.st_mtime;
    let micros = i128::from(seconds) * 1_000_000 + i128::from(stat.st_mtime_nsec as i64 / 1000);
    let etag = format!("{:x}-{micros:x}-{:x}", stat.st_ino, stat.st_size);
    Stamp { version: Some(version(stat)), etag: Some(etag), modified: Some(seconds) }
}

/// A value, opened when it is first read, and the same file from then on.
pub(super) struct Source<'a> {
    store: &'a FilesystemStore,
    key: Cow<'a, Key>,
    file: OnceLock<Option<OwnedFd>>,
}

impl<'a> Source<'a> {
    pub fn new(store: &'a FilesystemStore, key: Cow<'a, Key>) -> Self {
        Source { store, key, file: OnceLock::new() }
    }

    /// Appends the whole value to `out`; its version, or `None`: absent.
    pub fn get(&self, out: &mut Vec<u8>) -> Result<Option<Version>> {
        self.with_file(|file| {
            let stat = retry_on_intr(|| fs::fstat(file))?;
            append(file, 0, Some(&stat), out)?;
            Ok(version(&stat))
        })
    }

    /// Calls `read` with the file; `None`: absent.
    fn with_file<T>(
        &self,
        read: impl FnOnce(BorrowedFd<'_>) -> Result<T, Fault>,
    ) -> Result<Option<T>> {
        let file = match self.file.get() {
            Some(file) => file,
            None => {
                let opened = self.store.open_value(&self.key)?;
                // Where two threads come first at once, both go on with the same file.
                self.file.get_or_init(|| opened)
            }
        };
        match file.as_ref().map(|file| read(file.as_fd())) {
            None | Some(Err(Fault::System(Errno::ISDIR))) => Ok(None),
            Some(Ok(value)) => Ok(Some(value)),
            Some(Err(fault)) => Err(fault.explain(|| self.store.doing("reading", &self.key))),
        }
    }
}

impl ByteSource for Source<'_> {
    fn len(&self) -> Result<Option<u64>> {
        self.with_file(length)
    }

    fn read_all(&self, expected: u64, out: &mut Vec<u8>) -> Result<bool> {
        Ok(self.with_file(|file| append(file, expected, None, out))?.is_some())
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        let read = self.with_file(|file| {
            let end = offset.saturating_add(out.len() as u64);
            let read = fill(file, offset, out)?;
            if read < out.len() { Err(Fault::Length(end, length(file)?.min(end))) } else { Ok(()) }
        })?;
        Ok(read.is_some())
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        let read = self.with_file(|file| {
            let size = out.len();
            // One byte more shows that a value is too long, without asking for its length.
            let mut more = [0];
            let mut done = 0;
            while done < size.max(1) {
                match read_once(file, done as u64, &mut out[done..], &mut more)? {
                    0 => break,
                    read => done += read,
                }
            }
            if done == size { Ok(()) } else { Err(Fault::Length(size as u64, length(file)?)) }
        })?;
        Ok(read.is_some())
    }

    fn version(&self) -> Result<Option<Version>> {
        self.with_file(|file| Ok(version(&retry_on_intr(|| fs::fstat(file))?)))
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        self.with_file(|file| {
            let size = length(file)?;
            let wanted = size.min(count);
            let start = out.len();
            // Never more than there is, so the memory is no more than a whole read would take.
            reserve(out, usize::try_from(wanted).unwrap_or(usize::MAX))?;
            let mut left = wanted;
            while left > 0 {
                match retry_on_intr(|| io::pread(file, spare_capacity(out), size - left))? {
                    0 => return Err(Fault::Length(size, size - left)),
                    read => left = left.saturating_sub(read as u64),
                }
            }
            // Where there was more room, a file that grows could have filled it.
            out.truncate(start + wanted as usize);
            Ok(size)
        })
    }
}

/// What can go wrong with an open file.
enum Fault {
    System(Errno),
    /// The length expected, and the one found.
    Length(u64, u64),
    NotAFile,
    Other(Error),
}

impl From<Errno> for Fault {
    fn from(errno: Errno) -> Self {
        // Only what is no file has no offsets to read at.
        if errno == Errno::SPIPE { Fault::NotAFile } else { Fault::System(errno) }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Fault::Other(error)
    }
}

impl Fault {
    #[cold]
    fn explain(self, doing: impl FnOnce() -> String) -> Error {
        match self {
            Fault::System(errno) => Error::system(doing(), errno.raw_os_error()),
            Fault::Length(expected, found) => {
                Error::corrupt(format!("{}: {}", doing(), wrong_length(expected, found)))
            }
            Fault::NotAFile => {
                Error::new(Kind::Io, format!("{}: it is not an ordinary file", doing()))
            }
            Fault::Other(error) => error,
        }
    }
}

/// The length of an ordinary file.
fn length(file: BorrowedFd<'_>) -> Result<u64, Fault> {
    ordinary(&retry_on_intr(|| fs::fstat(file))?)
}

fn ordinary(stat: &Stat) -> Result<u64, Fault> {
    if is_file(stat) {
        Ok(stat.st_size as u64)
    } else if is_directory(stat) {
        Err(Fault::System(Errno::ISDIR))
    } else {
        Err(Fault::NotAFile)
    }
}

/// Fills `out` from `offset` on as far as the file goes; how far that is.
fn fill(file: BorrowedFd<'_>, offset: u64, out: &mut [u8]) -> Result<usize, Fault> {
    let mut done = 0;
    while done < out.len() {
        let from = offset.saturating_add(done as u64);
        if i64::try_from(from).is_err() {
            break; // no file reaches that far, and the system would call it a wrong argument
        }
        match read_once(file, from, &mut out[done..], &mut [])? {
            0 => break,
            read => done += read,
        }
    }
    Ok(done)
}

/// What is read and then moved is still in the processor's cache.
const MOVED: usize = 1 << 20;

/// Reads some bytes from `offset` on into `out`, and into `more` if all of it is filled; how many.
fn read_once(
    file: BorrowedFd<'_>,
    offset: u64,
    out: &mut [u8],
    more: &mut [u8],
) -> io::Result<usize> {
    let read = |buffers: &mut [IoSliceMut<'_>]| retry_on_intr(|| io::preadv(file, buffers, offset));
    let by = if out.len() < 16 << 10 { 0 } else { exec::slow_by(offset, out) };
    if by == 0 {
        return match more.is_empty() {
            true => retry_on_intr(|| io::pread(file, &mut *out, offset)),
            false => read(&mut [IoSliceMut::new(out), IoSliceMut::new(more)]),
        };
    }
    // read a little further on, where it is fast, and moved back
    let (out, more) = match out.len() {
        0..=MOVED => (out, more),
        _ => (&mut out[..MOVED], &mut [][..]),
    };
    let (last, mut end) = (out.len() - by, [0; 64]);
    let end = &mut end[..by];
    let ahead = IoSliceMut::new(&mut out[by..]);
    let read = read(&mut [ahead, IoSliceMut::new(end), IoSliceMut::new(more)])?;
    out.copy_within(by..by + read.min(last), 0);
    let after = read.saturating_sub(last).min(by);
    out[last..last + after].copy_from_slice(&end[..after]);
    Ok(read)
}

/// Appends the whole file to `out`. With `stat`, its length is known; else `expected` is a guess.
fn append(
    file: BorrowedFd<'_>,
    expected: u64,
    stat: Option<&Stat>,
    out: &mut Vec<u8>,
) -> Result<(), Fault> {
    let start = out.len();
    let mut size = match stat {
        Some(stat) => Some(ordinary(stat)?),
        None if expected > MAX_GUESS => Some(length(file)?),
        None => None,
    };
    let mut done = 0;
    loop {
        // One byte more than expected shows that the value ends there.
        let more = size.unwrap_or(expected).saturating_sub(done).saturating_add(1).max(64);
        reserve(out, usize::try_from(more).unwrap_or(usize::MAX))?;
        let room = out.capacity() - out.len();
        let read = match retry_on_intr(|| io::pread(file, spare_capacity(out), done)) {
            Ok(0) => return Ok(()),
            Ok(read) => read,
            Err(errno) => {
                out.truncate(start);
                return Err(errno.into());
            }
        };
        done += read as u64;
        if read == room {
            size = Some(length(file)?);
        } else if size == Some(done) {
            return Ok(());
        }
        // Otherwise a short read is not yet the end: only one of nothing is.
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn times_that_may_come_again_are_recent() {
        let now = Duration::new(1_000_000, 50_000_000);
        for (written, recent) in [
            ((1_000_000, 49_000_000), true),
            ((1_000_000, 30_000_001), true),
            ((1_000_000, 30_000_000), false),
            ((999_999, 999_999_999), false),
            // of a clock that is ahead
            ((1_000_000, 50_000_001), true),
            ((2_000_000, 0), true),
            // where only seconds are kept
            ((999_998, 0), true),
            ((999_997, 0), false),
        ] {
            assert_eq!(is_recent(written, now), recent, "{written:?}");
        }
    }

    /// Wherever the memory lies, what is read into it is the same.
    #[test]
    fn bytes_come_to_their_place() {
        let bytes: Vec<u8> = (0..(5u32 << 19) + 77).map(|n| (n ^ (n >> 7)) as u8).collect();
        let path = std::env::temp_dir().join(format!("zarrc-read-{}", std::process::id()));
        std::fs::File::create(&path).unwrap().write_all(&bytes).unwrap();
        let file = std::fs::File::open(&path).unwrap();
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
            (8, bytes.len() - 20_000, 20_100),
            (8, bytes.len() - MOVED - 50, MOVED + 100),
        ] {
            let out = &mut memory[page + ahead..][..len];
            out.fill(0);
            let there = len.min(bytes.len() - offset);
            let done = fill(file.as_fd(), offset as u64, out).unwrap_or_else(|_| panic!());
            assert_eq!(done, there);
            assert!(out[..there] == bytes[offset..offset + there], "{ahead} {offset} {len}");
        }
        // a byte past the end is seen
        let (out, mut more) = (&mut memory[page + 16..][..20_000], [0]);
        assert_eq!(read_once(file.as_fd(), 0, out, &mut more).unwrap(), 20_001);
        assert_eq!((&*out, more[0]), (&bytes[..20_000], bytes[20_000]));
    }
}
