//! Locks between processes: `flock` on a file, which the system releases when a process is killed.
//!
//! - Who changes several keys locks a file of its own in their directory.
//! - Who makes a value from the one before, or changes it where it lies, locks the value's file.
//!   Its times need not tell what others did meanwhile, which some file systems keep in seconds.

use super::FilesystemStore;
use super::at::Root;
use super::write::Fault;
use crate::error::Result;
use crate::fork::LockFile;
use crate::store::{Exclusion, Key};
use crate::system::LOCKS_DIRECTORIES;
use crate::system::fd::OwnedFd;
use crate::system::fs::{self, AtFlags, FlockOperation, Mode, OFlags};
use crate::system::io::{self, Errno, retry_on_intr};
use std::sync::Arc;

/// The name of the lock file. Like all temporary files, it is not a key.
const NAME: &str = ".zarrc-lock.tmp";

/// The name of the file that is locked in place of its directory, where directories cannot be.
const IN_PLACE_OF_DIRECTORY: &str = ".zarrc-names.tmp";

/// A held lock, with its file.
pub(super) struct Held {
    /// Of a file that only the lock needs.
    delete: Option<(Arc<Root>, String)>,
    /// Closed last, which releases the lock.
    _file: LockFile,
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some((root, path)) = &self.delete
            && let Ok(place) = root.place(path)
        {
            let _ = fs::unlinkat(&place, place.name, AtFlags::empty());
        }
    }
}

/// The directory of `path`.
fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

impl FilesystemStore {
    /// Locks the directory of `key` against other lockers.
    pub(super) fn lock_directory(&self, key: &Key) -> Result<Exclusion> {
        let parent = parent(key.as_str());
        match self.lock_file(parent, NAME) {
            Ok(held) => Ok(Exclusion::Held(Box::new(held))),
            // a file system without locks
            Err(Errno::NOLCK | Errno::NOTSUP | Errno::NOSYS | Errno::INVAL) => Ok(Exclusion::ByKey),
            Err(errno) => Err(self.system_error(self.doing("locking", parent), errno)),
        }
    }

    /// Excludes other conditional writers from the directory of `path`. Some network file systems
    /// cannot lock; on those, only a race goes undetected.
    pub(super) fn lock_parent(&self, path: &str) -> Result<Option<Held>, Fault> {
        let parent = parent(path);
        if !LOCKS_DIRECTORIES {
            return match self.lock_file(parent, IN_PLACE_OF_DIRECTORY) {
                Err(Errno::NOENT) => Err(Fault::Vanished),
                lock => Ok(lock.ok()),
            };
        }
        let directory = match LockFile::open(|| self.root.open_directory(parent)) {
            Ok(directory) => directory,
            Err(Errno::NOENT) => return Err(Fault::Vanished),
            Err(errno) => return Err(Fault::System(errno)),
        };
        // a signal may interrupt the wait
        let lock = retry_on_intr(|| fs::flock(&directory, FlockOperation::LockExclusive));
        Ok(lock.is_ok().then_some(Held { delete: None, _file: directory }))
    }

    /// Makes a file in a directory, and locks it.
    fn lock_file(&self, directory: &str, name: &str) -> io::Result<Held> {
        let path = if directory.is_empty() { name.into() } else { [directory, "/", name].concat() };
        let flags = OFlags::RDONLY | OFlags::CREATE | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let mode = Mode::from_raw_mode(0o666);
        let file = self.locked(&path, || {
            let place = self.root.place(&path)?;
            retry_on_intr(|| fs::openat(&place, place.name, flags, mode))
        })?;
        Ok(Held { delete: Some((self.root.clone(), path)), _file: file })
    }

    /// Opens the file of a value by `open`, which must not block, and locks it against others that
    /// change it so, until it is closed. Some network file systems cannot lock; on those, a race
    /// may go undetected.
    pub(super) fn open_to_change(
        &self,
        path: &str,
        open: impl Fn() -> io::Result<OwnedFd>,
    ) -> io::Result<LockFile> {
        match self.locked(path, &open) {
            Err(Errno::NOLCK | Errno::NOTSUP | Errno::NOSYS | Errno::INVAL | Errno::BADF) => {
                LockFile::open(open)
            }
            opened => opened,
        }
    }

    /// Opens the file at `path` by `open` and locks it.
    fn locked(&self, path: &str, open: impl Fn() -> io::Result<OwnedFd>) -> io::Result<LockFile> {
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
