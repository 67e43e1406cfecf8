//! Locks of files that have one writer at a time.

use crate::error::{Error, Kind, Result};
use crate::system::fs::{FlockOperation, flock};
use crate::system::io::Errno;
use std::fs::File;
use std::thread::sleep;
use std::time::{Duration, Instant};

pub use crate::system::{release_record, take_record};

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

fn take(file: &File, operation: FlockOperation) -> Result<()> {
    patiently(|| {
        flock(file, operation).map_err(|errno| match errno {
            Errno::WOULDBLOCK => {
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
