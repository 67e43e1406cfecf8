//! Files that one handle at a time writes to.

use crate::error::{Error, Kind, Result};
use rustix::fs::{FlockOperation, flock};
use std::fs::File;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a file that was let go may still seem to be held: a child of this process that another thread
/// just forked has its descriptors, and so its locks, until it runs its own program.
const PATIENCE: Duration = Duration::from_secs(2);

/// Locks `file` for its one writer, until it is closed. [`Kind::Conflict`]: another has it.
pub fn lock(file: &File) -> Result<()> {
    take(file, FlockOperation::NonBlockingLockExclusive)
}

/// Locks `file` for a reader, until it is closed. [`Kind::Conflict`]: a writer has it.
#[cfg(feature = "dbm")]
pub fn lock_shared(file: &File) -> Result<()> {
    take(file, FlockOperation::NonBlockingLockShared)
}

/// Takes the lock of `file` away, also where the child of a fork has it open too.
pub fn unlock(file: &File) {
    let _ = flock(file, FlockOperation::Unlock);
}

/// Whether nobody has `file` locked.
pub fn is_free(file: &File) -> bool {
    flock(file, FlockOperation::NonBlockingLockExclusive).is_ok()
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

/// Calls `take` until it does not fail with [`Kind::Conflict`], or does so for too long.
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
