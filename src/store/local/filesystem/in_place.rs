//! Changing a value where it lies in its file: no copy, no new file, and no whole value for a
//! reader, or after a kill, while it happens.
//!
//! A file with several names, or behind a symbolic link, is shared with others that did not ask for
//! that: it is replaced like any value.

use super::FilesystemStore;
use super::at::{is_file, stat_of};
use super::write::{now, write_all, write_parts};
use crate::error::{Error, Result};
use crate::fork::LockFile;
use crate::store::{InPlace, Key};
use crate::system::fd::{AsFd, OwnedFd};
use crate::system::fs::{self, AtFlags, Mode, OFlags};
use crate::system::io::{self, Errno, retry_on_intr};

/// An open value.
struct Opened<'a> {
    store: &'a FilesystemStore,
    key: &'a Key,
    /// Locked: others that make a value from this one would replace it without the change.
    file: LockFile,
}

impl FilesystemStore {
    /// Opens the file of a value for writing; `None`: it must be replaced, or there is none.
    fn open_own(&self, key: &Key, access: OFlags) -> Option<(LockFile, u64)> {
        let flags = access | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let path = key.as_str();
        let opened = self.open_to_change(path, || {
            let place = self.root.place(path)?;
            retry_on_intr(|| fs::openat(&place, place.name, flags, Mode::empty()))
        });
        let file = opened.ok()?;
        let stat = stat_of(&file).ok()?;
        let is_own = is_file(&stat) && stat.st_nlink == 1;
        is_own.then_some((file, stat.st_size as u64))
    }

    /// Makes the file of a value, and its directory if need be; `None`: something is there, or it
    /// cannot be made. It needs no lock: until it has its length, no value is made from it.
    fn make_new(&self, path: &str) -> Option<OwnedFd> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let make = || {
            let place = self.root.place(path)?;
            retry_on_intr(|| fs::openat(&place, place.name, flags, Mode::from_raw_mode(0o666)))
        };
        let made = make().or_else(|errno| match errno {
            Errno::NOENT => {
                self.make_parents(path)?;
                make()
            }
            errno => Err(errno),
        });
        made.ok()
    }

    /// Deletes a new file, cut short, that no one has replaced.
    fn remove_new(&self, path: &str, file: &OwnedFd) {
        let Ok(_lock) = self.lock_parent(path) else { return };
        if let (Ok(ours), Ok(there), Ok(place)) =
            (stat_of(file), self.root.stat(path), self.root.place(path))
            && (ours.st_dev, ours.st_ino) == (there.st_dev, there.st_ino)
        {
            let _ = fs::unlinkat(&place, place.name, AtFlags::empty());
        }
    }

    /// Gives a changed file a time of its own. A new one needs none: its time is that of its last
    /// change, and versions do not trust one so recent.
    fn stamp(file: &LockFile) {
        let _ = fs::futimens(file, &now());
    }

    fn flush(&self, file: impl AsFd) -> io::Result<()> {
        if self.sync || self.network {
            retry_on_intr(|| fs::fsync(file.as_fd()))?;
        }
        Ok(())
    }

    /// Writes a whole value over the old one, or into a new file; `false`: it must be replaced.
    pub(super) fn write_over(&self, key: &Key, parts: &[&[u8]]) -> Result<bool> {
        let path = key.as_str();
        let written = if let Some(file) = self.make_new(path) {
            self.write_new(path, &file, parts).inspect_err(|_| self.remove_new(path, &file))
        } else if let Some((file, old)) = self.open_own(key, OFlags::WRONLY) {
            self.write_old(&file, old, parts)
        } else {
            return Ok(false);
        };
        match written {
            Ok(()) => Ok(true),
            Err(errno) => Err(self.system_error(self.doing("writing", key), errno)),
        }
    }

    fn write_new(&self, path: &str, file: &OwnedFd, parts: &[&[u8]]) -> io::Result<()> {
        write_parts(file, parts)?;
        self.flush(file)?;
        if self.sync { self.sync_parent(path) } else { Ok(()) }
    }

    /// The same over `old` bytes.
    fn write_old(&self, file: &LockFile, old: u64, parts: &[&[u8]]) -> io::Result<()> {
        write_all(parts, |slices| io::writev(file, slices))?;
        let size = parts.iter().map(|part| part.len() as u64).sum();
        if old > size {
            retry_on_intr(|| fs::ftruncate(file, size))?;
        }
        Self::stamp(file);
        self.flush(file)
    }

    /// Opens a value of `len` bytes to change parts of it.
    pub(super) fn open_over<'a>(
        &'a self,
        key: &'a Key,
        len: u64,
    ) -> Result<Option<Box<dyn InPlace + 'a>>> {
        Ok(match self.open_own(key, OFlags::RDWR) {
            Some((file, found)) if found == len => {
                Some(Box::new(Opened { store: self, key, file }))
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
        FilesystemStore::stamp(&self.file);
        self.store.flush(&self.file).map_err(|errno| self.error(errno))
    }
}
