//! Locks of files.

use super::error::{Errno, Result};
use super::file::AsFd;
use std::fs::File;
use std::os::windows::io::AsRawHandle;
use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::Storage::FileSystem as win;
use windows_sys::Win32::System::IO::OVERLAPPED;

/// How to lock.
#[derive(Clone, Copy)]
pub enum FlockOperation {
    /// For one writer; waits.
    LockExclusive,
    /// For one writer, or fails with [`Errno::WOULDBLOCK`].
    NonBlockingLockExclusive,
    /// For readers, or fails with [`Errno::WOULDBLOCK`].
    NonBlockingLockShared,
    /// Not any more.
    Unlock,
}

/// The byte that is locked for a whole file: the system keeps others from reading locked bytes, and
/// no file has this one.
const BEYOND: u64 = i64::MAX as u64 - 1;

/// Locks a file until it is closed; not a directory.
pub fn flock(file: impl AsFd, operation: FlockOperation) -> Result<()> {
    let file = file.as_fd().file;
    match operation {
        FlockOperation::LockExclusive => lock(file, BEYOND, win::LOCKFILE_EXCLUSIVE_LOCK),
        FlockOperation::NonBlockingLockExclusive => {
            lock(file, BEYOND, win::LOCKFILE_EXCLUSIVE_LOCK | win::LOCKFILE_FAIL_IMMEDIATELY)
        }
        FlockOperation::NonBlockingLockShared => lock(file, BEYOND, win::LOCKFILE_FAIL_IMMEDIATELY),
        FlockOperation::Unlock => unlock(file, BEYOND),
    }
}

fn byte(at: u64) -> OVERLAPPED {
    let mut place = OVERLAPPED::default();
    place.Anonymous.Anonymous.Offset = at as u32;
    place.Anonymous.Anonymous.OffsetHigh = (at >> 32) as u32;
    place
}

fn lock(file: &File, at: u64, flags: win::LOCK_FILE_FLAGS) -> Result<()> {
    // SAFETY: the handle is open and not for overlapped use: the call returns when it is done.
    let locked =
        unsafe { win::LockFileEx(file.as_raw_handle() as HANDLE, flags, 0, 1, 0, &mut byte(at)) };
    if locked == 0 { Err(std::io::Error::last_os_error().into()) } else { Ok(()) }
}

fn unlock(file: &File, at: u64) -> Result<()> {
    // SAFETY: as above.
    let unlocked =
        unsafe { win::UnlockFileEx(file.as_raw_handle() as HANDLE, 0, 1, 0, &mut byte(at)) };
    if unlocked == 0 { Err(std::io::Error::last_os_error().into()) } else { Ok(()) }
}

/// Locks the first byte of `file`, like Python's `msvcrt.locking`. `false`: another holds it.
pub fn take_record(file: &File) -> std::io::Result<bool> {
    match lock(file, 0, win::LOCKFILE_EXCLUSIVE_LOCK | win::LOCKFILE_FAIL_IMMEDIATELY) {
        Err(Errno::WOULDBLOCK) => Ok(false),
        taken => Ok(taken.map(|()| true)?),
    }
}

/// Releases such a lock.
pub fn release_record(file: &File) {
    let _ = unlock(file, 0);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_does_not_keep_others_from_reading() {
        let path = std::env::temp_dir().join(format!("zarrc-lock-{}", std::process::id()));
        std::fs::write(&path, b"bytes").unwrap();
        let open = || File::open(&path).unwrap();
        let held = open();
        flock(&held, FlockOperation::LockExclusive).unwrap();
        let other = open();
        let taken = flock(&other, FlockOperation::NonBlockingLockExclusive);
        assert_eq!(taken, Err(Errno::WOULDBLOCK));
        assert_eq!(std::fs::read(&path).unwrap(), b"bytes");
        drop(held);
        flock(&other, FlockOperation::NonBlockingLockShared).unwrap();
        drop(other);
        std::fs::remove_file(&path).unwrap();
    }
}
