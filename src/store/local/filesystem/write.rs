//! Writes a value to a temporary file beside it and then renames that. So a reader sees the old
//! value or the new one, and a killed writer leaves the old one intact.
//!
//! The new file replaces the old: a symbolic link is replaced, not followed (its target may be
//! shared), and the permissions are those of any new file.

use super::FilesystemStore;
use super::at::{Place, Root, is_directory, is_file};
use super::state::{State, clock};
use crate::error::{Error, Kind, Result};
use crate::fork::{Held, Lazy};
use crate::store::{Key, Precondition, conflict};
use crate::system::fd::{AsFd, BorrowedFd, OwnedFd};
use crate::system::fs::{self, AtFlags, Dir, Mode, OFlags, RenameFlags, Timespec, Timestamps};
use crate::system::io::{self, Errno, retry_on_intr};
use smallvec::SmallVec;
use std::ffi::CStr;
use std::hash::{BuildHasher, RandomState};
use std::io::IoSlice;
use std::sync::RwLockWriteGuard;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The most restarts of a write whose directory was erased meanwhile.
pub(super) const ATTEMPTS: usize = 64;

/// The most parts of one call in Linux (IOV_MAX).
const MAX_PARTS: usize = 1024;

/// A name for a temporary file that is unique across processes and machines.
pub(super) fn temporary_name() -> String {
    static RANDOM: Lazy<String> = Lazy::new(|| format!("{:016x}", RandomState::new().hash_one(0)));
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let random = &*RANDOM;
    // Get the process id each time: a fork shares the rest.
    let process = std::process::id();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!(".zarrc-{process}-{count}-{random}.tmp")
}

/// The name of a new temporary file in the directory of `path`.
pub(super) fn temporary_beside(path: &str) -> String {
    let name = temporary_name();
    match path.rsplit_once('/') {
        Some((parent, _)) => [parent, "/", &name].concat(),
        None => name,
    }
}

/// Temporary files unmodified for so long belong to a killed writer. If one is still in use, as
/// after the machine slept, its writer finds it gone and restarts.
const ABANDONED: Duration = Duration::from_secs(3600);

/// The most directories remembered as searched for abandoned files.
const MAX_SWEPT: usize = 4096;

/// The most names examined in a search, so that writing into a full directory stays fast.
const MAX_NAMES: usize = 4096;

/// Whether a name is a temporary file's, and so not a value's.
pub(super) fn is_temporary(name: &[u8]) -> bool {
    name.starts_with(b".zarrc-") && name.ends_with(b".tmp")
}

/// Writes all of `parts` by `write`, which may write only some of them.
pub(super) fn write_all(
    parts: &[&[u8]],
    mut write: impl FnMut(&[IoSlice<'_>]) -> io::Result<usize>,
) -> io::Result<()> {
    let mut slices: SmallVec<[IoSlice<'_>; 16]> =
        parts.iter().filter(|part| !part.is_empty()).map(|part| IoSlice::new(part)).collect();
    let mut left = &mut slices[..];
    while !left.is_empty() {
        match retry_on_intr(|| write(&left[..left.len().min(MAX_PARTS)]))? {
            0 => return Err(Errno::IO),
            written => IoSlice::advance_slices(&mut left, written),
        }
    }
    Ok(())
}

/// The least zeros at the end of a value (bytes) that become a hole in its file, which takes no
/// time and no space.
const HOLE: usize = 64 << 10;

/// Writes all of `parts` into a new file.
pub(super) fn write_parts(file: impl AsFd, parts: &[&[u8]]) -> io::Result<()> {
    const PAGE: usize = 4096;
    let zeros = |page: &&[u8]| page.iter().fold(0, |any, byte| any | byte) == 0;
    let hole =
        parts.last().map_or(0, |last| PAGE * last.rchunks_exact(PAGE).take_while(zeros).count());
    let file = file.as_fd();
    let writev = |slices: &[IoSlice<'_>]| io::writev(file, slices);
    let (Some((last, before)), HOLE..) = (parts.split_last(), hole) else {
        return write_all(parts, writev);
    };
    let mut data: SmallVec<[&[u8]; 16]> = before.into();
    data.push(&last[..last.len() - hole]);
    write_all(&data, writev)?;
    let size = parts.iter().map(|part| part.len() as u64).sum();
    match retry_on_intr(|| fs::ftruncate(file, size)) {
        Ok(()) => Ok(()),
        // write the zeros if files cannot be extended
        Err(_) => write_all(&[&last[last.len() - hole..]], writev),
    }
}

/// A file that is deleted unless it is renamed to its final name.
struct Temporary<'a> {
    place: &'a Place<'a>,
    path: String,
    kept: bool,
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::unlinkat(self.place, &self.path, AtFlags::empty());
        }
    }
}

/// Why a value was not written.
pub(super) enum Fault {
    System(Errno),
    Conflict,
    /// The temporary file was deleted with its directory.
    Vanished,
}

impl From<Errno> for Fault {
    fn from(errno: Errno) -> Self {
        Fault::System(errno)
    }
}

impl FilesystemStore {
    /// Writes a value, then calls `written` with its file and the time that the file was given.
    pub(super) fn write<T>(
        &self,
        key: &Key,
        parts: &[&[u8]],
        when: &Precondition,
        written: impl Fn(OwnedFd, Timespec) -> T,
    ) -> Result<T> {
        for _ in 0..ATTEMPTS {
            let result = self.attempt(key.as_str(), parts, when);
            return match result {
                Ok((file, time)) => Ok(written(file, time)),
                Err(Fault::Vanished) => continue,
                Err(Fault::Conflict) => Err(conflict(self, key, when)),
                Err(Fault::System(errno)) => Err(self.write_error(key, errno)),
            };
        }
        Err(self.write_error(key, Errno::NOENT))
    }

    fn attempt(
        &self,
        path: &str,
        parts: &[&[u8]],
        when: &Precondition,
    ) -> Result<(OwnedFd, Timespec), Fault> {
        let (place, file, temporary) = self.create_temporary(path)?;
        let mut temporary = Temporary { place: &place, path: temporary, kept: false };
        write_parts(&file, parts)?;
        // The system's own timestamps may be milliseconds apart, too coarse to tell a value from
        // one written right after it.
        let times = now();
        let _ = fs::futimens(&file, &times);
        if self.sync || self.network {
            retry_on_intr(|| fs::fsync(&file))?;
        }
        temporary.kept = self.publish(path, &temporary, when)?;
        if self.sync {
            self.sync_parent(path)?;
        }
        Ok((file, times.last_modification))
    }

    /// Creates a file beside `path`, and its directory if needed.
    fn create_temporary<'a>(
        &'a self,
        path: &'a str,
    ) -> Result<(Place<'a>, OwnedFd, String), Fault> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        match self.take_edge(path) {
            Some(above) => self.make_parents_below(path, Some(above))?,
            None => self.sweep(path),
        }
        for _ in 0..ATTEMPTS {
            let created = self.root.place(path).and_then(|place| {
                let name = temporary_beside(place.name);
                let mode = Mode::from_raw_mode(0o666);
                let file = retry_on_intr(|| fs::openat(&place, &name, flags, mode))?;
                Ok((place, file, name))
            });
            match created {
                Err(Errno::NOENT) => self.make_parents_below(path, None)?,
                // Another file has that name, which is very unlikely.
                Err(Errno::EXIST) => {}
                created => return Ok(created?),
            }
        }
        Err(Fault::System(Errno::NOENT))
    }

    /// Makes the parent directories of `path`.
    pub(super) fn make_parents(&self, path: &str) -> io::Result<()> {
        self.make_parents_below(path, self.take_edge(path))
    }

    /// The same; only those below `above`, if that is known to exist.
    fn make_parents_below(&self, path: &str, above: Option<String>) -> io::Result<()> {
        let above = above.as_deref().map(|above| above.strip_suffix('/').unwrap_or_default());
        let made = self.root.make_parents(path, above, |made| {
            if self.sync { self.sync_parent(made) } else { Ok(()) }
        });
        match made {
            Ok(true) => self.keep_edge(path),
            Ok(false) => {}
            // Another process may be erasing them as fast as they are made.
            Err(Errno::NOENT) => {}
            Err(errno) => return Err(errno),
        }
        Ok(())
    }

    /// Deletes the files of killed writers in the directory of `path`, once.
    pub(super) fn sweep(&self, path: &str) {
        let parent = path.rfind('/').map_or("", |at| &path[..at]);
        let mut swept = self.swept.write();
        if swept.contains(parent) || swept.len() >= MAX_SWEPT {
            return;
        }
        swept.insert(parent.to_owned());
        drop(swept);
        let Ok(mut directory) = self.root.open_directory(parent).and_then(Dir::new) else { return };
        for _ in 0..MAX_NAMES {
            let Some(Ok(entry)) = directory.read() else { return };
            if is_temporary(entry.file_name().to_bytes())
                && let Ok(parent) = directory.fd()
            {
                delete_abandoned(parent, entry.file_name());
            }
        }
    }

    fn edge(&self) -> Held<RwLockWriteGuard<'_, Option<String>>> {
        self.edge.write()
    }

    /// Remembers that the directory of `path` has no subdirectories.
    pub(super) fn keep_edge(&self, path: &str) {
        let parent = path.rfind('/').map_or("", |at| &path[..=at]);
        *self.edge() = Some(parent.to_owned());
    }

    /// The directory in which the parents of `path` are missing, if known.
    fn take_edge(&self, path: &str) -> Option<String> {
        let mut edge = self.edge();
        let below = path.strip_prefix(edge.as_deref()?)?;
        if below.contains('/') { edge.take() } else { None }
    }

    /// Renames the temporary file to its final name; returns whether its old name is gone.
    fn publish(
        &self,
        path: &str,
        temporary: &Temporary<'_>,
        when: &Precondition,
    ) -> Result<bool, Fault> {
        let place = temporary.place;
        let from = temporary.path.as_str();
        let rename = || match retry_on_intr(|| fs::renameat(place, from, place, place.name)) {
            Ok(()) => Ok(true),
            Err(Errno::NOENT) => Err(Fault::Vanished),
            Err(errno) => Err(Fault::System(errno)),
        };
        match when {
            Precondition::None => rename(),
            Precondition::Absent => {
                let no_replace = RenameFlags::NOREPLACE;
                match retry_on_intr(|| {
                    fs::renameat_with(place, from, place, place.name, no_replace)
                }) {
                    Ok(()) => return Ok(true),
                    Err(Errno::EXIST) => return Err(self.in_the_way(path)),
                    Err(Errno::NOENT) => return Err(Fault::Vanished),
                    // Not every file system supports this; nearly all can link.
                    Err(_) => {}
                }
                match retry_on_intr(|| fs::linkat(place, from, place, place.name, AtFlags::empty()))
                {
                    Ok(()) => return Ok(false),
                    Err(Errno::EXIST) => return Err(self.in_the_way(path)),
                    Err(Errno::NOENT) => return Err(Fault::Vanished),
                    Err(_) => {}
                }
                let _lock = self.lock_parent(path)?;
                match self.root.stat(path) {
                    Err(Errno::NOENT) => rename(),
                    Ok(_) => Err(self.in_the_way(path)),
                    Err(errno) => Err(Fault::System(errno)),
                }
            }
            Precondition::Version(_) => {
                let _lock = self.lock_parent(path)?;
                if self.holds(path, when)? { rename() } else { Err(Fault::Conflict) }
            }
        }
    }

    /// Whether the value at `path` meets `when`.
    fn holds(&self, path: &str, when: &Precondition) -> io::Result<bool> {
        when.holds(|| match State::at(&self.root, path) {
            Ok(state) => Ok(is_file(&state.stat).then(|| state.version())),
            Err(errno) if Root::means_absent(errno) => Ok(None),
            Err(errno) => Err(errno),
        })
    }

    /// Deletes the file of `key`, never a link's target; returns whether it existed.
    pub(super) fn unlink(&self, key: &Key, when: &Precondition) -> Result<bool> {
        let path = key.as_str();
        let unlink = || {
            let there = match self.root.stat(path) {
                // A directory is not a value, and a link to one may have many keys below it.
                Ok(stat) if is_directory(&stat) => return Ok(false),
                found => found.is_ok(),
            };
            let place = self.root.place(path)?;
            retry_on_intr(|| fs::unlinkat(&place, place.name, AtFlags::empty()))?;
            if self.sync {
                self.sync_parent(path)?;
            }
            Ok(there)
        };
        let erased = match when {
            Precondition::None => unlink().map_err(Fault::System),
            when => self.lock_parent(path).and_then(|_lock| match self.holds(path, when)? {
                true => Ok(unlink()?),
                false => Err(Fault::Conflict),
            }),
        };
        let conflict = || Err(conflict(self, key, when));
        match erased {
            Ok(there) => Ok(there),
            Err(Fault::Conflict) => conflict(),
            Err(Fault::System(errno)) if !Root::means_absent(errno) => {
                Err(self.system_error(self.doing("erasing", key), errno))
            }
            // There is nothing to erase, and no directory for it.
            Err(_) if matches!(when, Precondition::Version(_)) => conflict(),
            Err(_) => Ok(false),
        }
    }

    /// What prevents a key from being created: a value, or a directory.
    fn in_the_way(&self, path: &str) -> Fault {
        match self.root.stat(path) {
            Ok(stat) if is_directory(&stat) => Fault::System(Errno::ISDIR),
            _ => Fault::Conflict,
        }
    }

    /// Flushes the names in the directory of `path` to disk.
    pub(super) fn sync_parent(&self, path: &str) -> io::Result<()> {
        let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
        let synced = self
            .root
            .open_directory(parent)
            .and_then(|directory| retry_on_intr(|| fs::fsync(directory.as_fd())));
        match synced {
            // Some file systems cannot; a directory erased meanwhile need not.
            Err(Errno::INVAL | Errno::NOENT) => Ok(()),
            synced => synced,
        }
    }

    #[cold]
    pub(super) fn write_error(&self, key: &Key, errno: Errno) -> Error {
        let doing = self.doing("writing", key);
        let why = match errno {
            Errno::NOTDIR => "a prefix of the key has a value itself",
            Errno::ISDIR => "there are keys below it, so it is a directory",
            Errno::NOENT => "its directory does not exist and cannot be created",
            Errno::NAMETOOLONG => "the name is too long for this file system",
            Errno::INVAL => "this file system has no file of that name: choose another",
            _ => return self.system_error(doing, errno),
        };
        Error::system(format_args!("{doing}: {why}"), errno.raw_os_error()).with_kind(Kind::Io)
    }
}

/// Deletes a temporary file that was not modified for long.
pub(super) fn delete_abandoned(directory: BorrowedFd<'_>, name: &CStr) {
    let Ok(stat) = fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) else { return };
    let written = Duration::from_secs(u64::try_from(stat.st_mtime).unwrap_or_default());
    if clock().saturating_sub(written) > ABANDONED {
        let _ = fs::unlinkat(directory, name, AtFlags::empty());
    }
}

/// The present as a time of modification.
pub(super) fn now() -> Timestamps {
    let since = clock();
    Timestamps {
        last_access: Timespec { tv_sec: 0, tv_nsec: fs::UTIME_OMIT },
        last_modification: Timespec {
            tv_sec: since.as_secs() as i64,
            tv_nsec: since.subsec_nanos().into(),
        },
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Writes `parts` through something that takes at most `most` bytes at a time.
    fn through(parts: &[&[u8]], most: usize) -> (Vec<u8>, usize) {
        let (mut out, mut calls) = (Vec::new(), 0);
        write_all(parts, |slices| {
            calls += 1;
            assert!(slices.len() <= MAX_PARTS);
            assert!(!slices[0].is_empty(), "a call that can do nothing");
            let all: Vec<u8> = slices.iter().flat_map(|slice| slice.iter().copied()).collect();
            // An occasional signal, before anything is written.
            if calls % 3 == 0 {
                return Err(Errno::INTR);
            }
            out.extend_from_slice(&all[..all.len().min(most)]);
            Ok(all.len().min(most))
        })
        .unwrap();
        (out, calls)
    }

    #[test]
    fn what_is_taken_in_pieces_is_written_whole() {
        let parts: [&[u8]; 5] = [b"", b"one", b"", b"three", b"x"];
        for most in 1..12 {
            assert_eq!(through(&parts, most).0, b"onethreex");
        }
        assert_eq!(through(&parts, 100).1, 1);
        assert_eq!(through(&[], 1), (vec![], 0));
        assert_eq!(through(&[b"", b""], 1), (vec![], 0));
        let many = vec![&b"ab"[..]; 2 * MAX_PARTS + 1];
        assert_eq!(through(&many, usize::MAX).0, b"ab".repeat(2 * MAX_PARTS + 1));
        assert_eq!(through(&many, 3001).0, b"ab".repeat(2 * MAX_PARTS + 1));
    }

    #[test]
    fn zeros_at_the_end_are_there_and_not_written() {
        let path = std::env::temp_dir().join(format!("zarrc-hole-{}", std::process::id()));
        let zeros = vec![0; 3 * HOLE];
        for parts in [
            &[b"x".as_slice(), &zeros] as &[&[u8]],
            &[&zeros],
            &[&zeros[..100], b"y", &zeros[..HOLE - 1]],
            &[&zeros, b"z"],
            &[],
        ] {
            let file = OwnedFd::from(std::fs::File::create(&path).unwrap());
            write_parts(&file, parts).unwrap();
            assert!(std::fs::read(&path).unwrap() == parts.concat());
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn errors_and_writes_of_nothing_end_it() {
        let one: &[&[u8]] = &[b"x"];
        assert_eq!(write_all(one, |_| Err(Errno::NOSPC)).unwrap_err(), Errno::NOSPC);
        assert_eq!(write_all(one, |_| Ok(0)).unwrap_err(), Errno::IO);
    }

    #[test]
    fn temporary_names() {
        let (a, b) = (temporary_name(), temporary_name());
        assert_ne!(a, b);
        assert!(is_temporary(a.as_bytes()) && a.len() < 100, "{a}");
        for value in ["zarr.json", ".zarrc-1", "x.tmp", ".zarrc", "a.zarrc-1.tmp"] {
            assert!(!is_temporary(value.as_bytes()));
        }
    }
}
