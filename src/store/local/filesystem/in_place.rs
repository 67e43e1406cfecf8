//! Changing a value where it lies in its file: no copy, no new file, and no whole value for a
//! reader, or after a kill, while it happens.
//!
//! A file with several names, or behind a symbolic link, is shared with others that did not ask for
//! that: it is replaced like any value.

use super::FilesystemStore;
use super::at::{is_file, stat_of};
use super::write::{now, write_all};
use crate::error::{Error, Result};
use crate::fork::LockFile;
use crate::store::{InPlace, Key};
use rustix::fd::OwnedFd;
use rustix::fs::{self, Mode, OFlags};
use rustix::io::{self, Errno, retry_on_intr};

/// An open value.
struct Opened<'a> {
    store: &'a FilesystemStore,
    key: &'a Key,
    file: OwnedFd,
    /// Excludes conditional writers, which would replace the file without the change.
    _lock: Option<LockFile>,
}

impl FilesystemStore {
    /// Opens the file of a value for writing; `None`: it must be replaced, or there is none.
    fn open_own(&self, key: &Key, access: OFlags) -> Option<(OwnedFd, u64)> {
        let flags = access | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let place = self.root.place(key.as_str()).ok()?;
        let mode = Mode::from_raw_mode(0o666);
        let file = retry_on_intr(|| fs::openat(&place, place.name, flags, mode)).ok()?;
        let stat = stat_of(&file).ok()?;
        let is_own = is_file(&stat) && stat.st_nlink == 1;
        is_own.then_some((file, stat.st_size as u64))
    }

    /// Gives a changed file a time of its own, and flushes it if need be.
    fn changed(&self, file: &OwnedFd) -> io::Result<()> {
        let _ = fs::futimens(file, &now());
        if self.sync || self.network { retry_on_intr(|| fs::fsync(file)) } else { Ok(()) }
    }

    /// Writes a whole value over the old one, or into a new file; `false`: it must be replaced.
    pub(super) fn write_over(&self, key: &Key, parts: &[&[u8]]) -> Result<bool> {
        let Some((file, old)) = self.open_own(key, OFlags::WRONLY | OFlags::CREATE) else {
            return Ok(false);
        };
        let size = parts.iter().map(|part| part.len() as u64).sum();
        let write = || {
            write_all(parts, |slices| io::writev(&file, slices))?;
            if old > size {
                retry_on_intr(|| fs::ftruncate(&file, size))?;
            }
            self.changed(&file)?;
            if self.sync && old == 0 { self.sync_parent(key.as_str()) } else { Ok(()) }
        };
        write().map_err(|errno: Errno| self.system_error(self.doing("writing", key), errno))?;
        Ok(true)
    }

    /// Opens a value of `len` bytes to change parts of it.
    pub(super) fn open_to_change<'a>(
        &'a self,
        key: &'a Key,
        len: u64,
    ) -> Result<Option<Box<dyn InPlace + 'a>>> {
        // before the file is opened, which could be replaced until then
        let Ok(lock) = self.lock_parent(key.as_str()) else { return Ok(None) };
        Ok(match self.open_own(key, OFlags::RDWR) {
            Some((file, found)) if found == len => {
                Some(Box::new(Opened { store: self, key, file, _lock: lock }))
            }
            _ => None,
        })
    }
}

impl Opened<'_> {
    fn error(&self, errno: Errno) -> Error {
        self.store.system_error(self.store.doing("changing", self.key), errno)
    }
}

impl InPlace for Opened<'_> {
    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        let mut done = 0;
        while done < out.len() {
            let at = offset + done as u64;
            match retry_on_intr(|| io::pread(&self.file, &mut out[done..], at)) {
                Ok(0) => return Err(self.error(Errno::IO)),
                Ok(read) => done += read,
                Err(errno) => return Err(self.error(errno)),
            }
        }
        Ok(())
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let mut at = offset;
        write_all(&[bytes], |slices| {
            let written = io::pwritev(&self.file, slices, at)?;
            at += written as u64;
            Ok(written)
        })
        .map_err(|errno| self.error(errno))
    }

    fn finish(&self) -> Result<()> {
        self.store.changed(&self.file).map_err(|errno| self.error(errno))
    }
}
