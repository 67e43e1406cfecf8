//! Locks between processes: `flock` on a file, which the system releases when a process is killed.
//!
//! - Who changes several keys locks a file of its own in their directory.
//! - Who makes a value from the one before, or changes it where it lies, locks the value's file.
//!   Its times need not tell what others did meanwhile, which some file systems keep in seconds.

use super::FilesystemStore;
use crate::error::Result;
use crate::fork::LockFile;
use crate::store::{Exclusion, Key};
use rustix::fd::OwnedFd;
use rustix::fs::{self, AtFlags, FlockOperation, Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};
use std::sync::Arc;

/// The name of the lock file. Like all temporary files, it is not a key.
const NAME: &str = ".zarrc-lock.tmp";

/// A held lock, with its file.
struct Held {
    root: Arc<super::at::Root>,
    path: String,
    /// Closed last, which releases the lock.
    _file: LockFile,
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Ok(place) = self.root.place(&self.path) {
            let _ = fs::unlinkat(&place, place.name, AtFlags::empty());
        }
    }
}

impl FilesystemStore {
    /// Locks the directory of `key` against other lockers.
    pub(super) fn lock_directory(&self, key: &Key) -> Result<Exclusion> {
        let parent = key.as_str().rsplit_once('/').map_or("", |(parent, _)| parent);
        let path = if parent.is_empty() { NAME.into() } else { [parent, "/", NAME].concat() };
        match self.lock_file(&path) {
            Ok(file) => {
                let root = self.root.clone();
                Ok(Exclusion::Held(Box::new(Held { root, path, _file: file })))
            }
            // a file system without locks
            Err(Errno::NOLCK | Errno::NOTSUP | Errno::NOSYS | Errno::INVAL) => Ok(Exclusion::ByKey),
            Err(errno) => Err(self.system_error(self.doing("locking", parent), errno)),
        }
    }

    fn lock_file(&self, path: &str) -> rustix::io::Result<LockFile> {
        let flags = OFlags::RDONLY | OFlags::CREATE | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let mode = Mode::from_raw_mode(0o666);
        self.locked(path, || {
            let place = self.root.place(path)?;
            retry_on_intr(|| fs::openat(&place, place.name, flags, mode))
        })
    }

    /// Opens the file of a value by `open`, which must not block, and locks it against others that
    /// change it so, until it is closed. Some network file systems cannot lock; on those, a race
    /// may go undetected.
    pub(super) fn open_to_change(
        &self,
        path: &str,
        open: impl Fn() -> rustix::io::Result<OwnedFd>,
    ) -> rustix::io::Result<LockFile> {
        match self.locked(path, &open) {
            Err(Errno::NOLCK | Errno::NOTSUP | Errno::NOSYS | Errno::INVAL | Errno::BADF) => {
                LockFile::open(open)
            }
            opened => opened,
        }
    }

    /// Opens the file at `path` by `open` and locks it.
    fn locked(
        &self,
        path: &str,
        open: impl Fn() -> rustix::io::Result<OwnedFd>,
    ) -> rustix::io::Result<LockFile> {
        loop {
            let file = LockFile::open(&open)?;
            // a signal may interrupt the wait
            retry_on_intr(|| fs::flock(&file, FlockOperation::LockExclusive))?;
            // if the previous holder deleted or replaced the file, this lock excludes nobody
            let ours = retry_on_intr(|| fs::fstat(&file))?;
            match self.root.stat(path) {
                Ok(there) if (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino) => {
                    return Ok(file);
                }
                Ok(_) | Err(Errno::NOENT) => {}
                Err(errno) => return Err(errno),
            }
        }
    }
}
