//! Locks of files that have one writer at a time.

use crate::error::{Error, Kind, Result};
use rustix::fs::{FlockOperation, flock};
use std::fs::File;
use std::os::fd::AsRawFd;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a released file may still appear locked: a child that another thread has just forked
/// holds its descriptors, and so its locks, until it executes its program.
const PATIENCE: Duration = Duration::from_secs(2);

/// Locks `file` for its one writer, until it is closed. [`Kind::Conflict`]: another writer holds
/// it.
pub fn lock(file: &File) -> Result<()> {
    take(file, FlockOperation::NonBlockingLockExclusive)
}

/// Locks `file` for a reader, until it is closed. [`Kind::Conflict`]: a writer holds it.
#[cfg(feature = "dbm")]
pub fn lock_shared(file: &File) -> Result<()> {
    take(file, FlockOperation::NonBlockingLockShared)
}

/// Releases the lock of `file`, even if a forked child has it open too.
pub fn unlock(file: &File) {
    let _ = flock(file, FlockOperation::Unlock);
}

/// Whether `file` is unlocked.
pub fn is_free(file: &File) -> bool {
    flock(file, FlockOperation::NonBlockingLockExclusive).is_ok()
}

/// Locks the whole of `file` like `lockf`, but for this open file alone: it excludes users of
/// `lockf`, and other opens of the file in this process. `false`: another holds it.
pub fn take_record(file: &File) -> std::io::Result<bool> {
    match record(file, libc::F_WRLCK as libc::c_short) {
        Err(e) if matches!(e.raw_os_error(), Some(libc::EAGAIN | libc::EACCES)) => Ok(false),
        taken => taken.map(|()| true),
    }
}

/// Releases such a lock, even if a forked child has the file open too.
pub fn release_record(file: &File) {
    let _ = record(file, libc::F_UNLCK as libc::c_short);
}

#[allow(unsafe_code)] // a system call that rustix lacks
fn record(file: &File, kind: libc::c_short) -> std::io::Result<()> {
    // SAFETY: a struct of integers, for which zeros mean the whole file.
    let mut flock: libc::flock = unsafe { std::mem::zeroed() };
    flock.l_type = kind;
    // SAFETY: the descriptor is open, and the struct lives during the call.
    match unsafe { libc::fcntl(file.as_raw_fd(), libc::F_OFD_SETLK, &flock) } {
        -1 => Err(std::io::Error::last_os_error()),
        _ => Ok(()),
    }
}

fn take(file: &File, operation: FlockOperation) -> Result<()> {
    patiently(|| {
        flock(file, operation).map_err(|errno| match errno {
            rustix::io::Errno::WOULDBLOCK => {
                Error::new(Kind::Conflict, "another handle is open for writing to it")
            }
            errno => Error::system("locking", errno.raw_os_error()),
        })
    })
}

/// Retries `take` while it fails with [`Kind::Conflict`], up to [`PATIENCE`].
pub fn patiently<T>(mut take: impl FnMut() -> Result<T>) -> Result<T> {
    let until = Instant::now() + PATIENCE;
    loop {
        match take() {
            Err(e) if e.kind() == Kind::Conflict && Instant::now() < until => {
                sleep(Duration::from_millis(10));
            }
            taken => return taken,
        }
    }
}
