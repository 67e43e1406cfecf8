//! Windows, by paths that start with `\\?\`: they may be long, and their names mean what they say.
//!
//! There are no descriptors of directories that names could be resolved from, so an open directory
//! remembers its path: a store must not be moved while it is open.
#![allow(unsafe_code)] // functions of Win32 that the standard library lacks

mod bytes;
mod error;
mod file;
mod listing;
mod lock;

/// Open files and directories.
pub mod fd {
    pub use super::file::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
}

/// Files, directories and their names.
pub mod fs {
    pub use super::file::{
        AtFlags, FileType, Mode, OFlags, RenameFlags, Stat, Timespec, Timestamps, UTIME_OMIT,
        XattrFlags, fgetxattr, fsetxattr, fstat, fsync, ftruncate, futimens, linkat, mkdirat, open,
        openat, renameat, renameat_with, statat, unlinkat,
    };
    pub use super::listing::Dir;
    pub use super::lock::{FlockOperation, flock};
}

/// Bytes of open files, and errors.
pub mod io {
    pub use super::bytes::{pread, preadv, pwritev, writev};
    pub use super::error::{Errno, Result, retry_on_intr};
}

/// Memory to read into.
pub mod buffer {
    pub use super::bytes::spare_capacity;
}

/// Names of files.
pub mod path {
    pub use super::file::Arg;
}

pub use error::describe;
pub use lock::{release_record, take_record};

use std::borrow::Cow;
use std::fs::{File, Metadata, OpenOptions};
use std::os::windows::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_BACKUP_SEMANTICS;
use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};

/// The longest path.
pub const PATH_MAX: usize = 32_767;

/// Whether a path can begin with the letter of a drive and a colon.
pub const HAS_DRIVES: bool = true;

/// Whether a directory can be locked like a file.
pub const LOCKS_DIRECTORIES: bool = false;

/// The path of a URL's bytes: `/C:/x` is that of a drive. `None`: they are not UTF-8.
pub fn path_of_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    let path = String::from_utf8(bytes).ok()?;
    let of_drive = path.strip_prefix('/').filter(|rest| {
        let mut start = rest.bytes();
        start.next().is_some_and(|drive| drive.is_ascii_alphabetic()) && start.next() == Some(b':')
    });
    Some(of_drive.unwrap_or(&path).into())
}

/// A path with slashes between its names, which the system takes too.
pub fn with_slashes(path: &str) -> Cow<'_, str> {
    if path.starts_with(r"\\?\") { path.into() } else { path.replace('\\', "/").into() }
}

/// Opens a file for reading.
pub fn open_at_once(path: &Path) -> std::io::Result<File> {
    File::open(path)
}

/// Opens a directory, to keep it from being deleted.
pub fn open_directory(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().read(true).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(path)
}

/// Makes a directory; in the temporary directory, only this user may use it.
pub fn make_private_directory(path: &Path) -> std::io::Result<()> {
    std::fs::create_dir(path)
}

/// Whether a file is this user's, as far as it lies in this user's temporary directory.
pub fn is_own(_: &Metadata) -> bool {
    true
}

/// Whether a file is another user's, which only its directory says.
pub fn is_foreign(_: &fs::Stat) -> bool {
    false
}

/// This machine's memory (bytes); `None`: unknown.
pub fn memory() -> Option<usize> {
    let size = size_of::<MEMORYSTATUSEX>() as u32;
    let mut status = MEMORYSTATUSEX { dwLength: size, ..Default::default() };
    // SAFETY: the struct says its own size.
    let known = unsafe { GlobalMemoryStatusEx(&mut status) } != 0;
    known.then(|| usize::try_from(status.ullTotalPhys).unwrap_or(usize::MAX))
}

/// Forgets a vector's contents. The system's heap returns large blocks itself once they are freed.
pub fn discard_pages(vector: &mut Vec<u8>) {
    vector.clear();
}

/// The length of a huge page (bytes).
pub const HUGE_PAGE: usize = 2 << 20;

/// Never made: only privileged processes have huge pages.
pub struct HugePages(std::convert::Infallible);

impl HugePages {
    /// `None`.
    pub fn new(_: usize) -> Option<Self> {
        None
    }

    /// Never called.
    pub fn start(&self) -> *mut u8 {
        match self.0 {}
    }

    /// Never called.
    ///
    /// # Safety
    ///
    /// None is needed.
    pub unsafe fn discard(&self, _: std::ops::Range<usize>) {
        match self.0 {}
    }
}

/// The system's heap needs no request.
pub fn trim_heap() {}

/// There are no signals.
pub struct Signals;

/// Does nothing.
pub fn block_signals() -> Signals {
    Signals
}

/// Does nothing.
pub fn restore_signals(_: Signals) {}

/// Processes do not fork.
pub fn watch_forks(_: extern "C" fn(), _: extern "C" fn(), _: extern "C" fn()) {}

/// Never called: processes do not fork.
///
/// # Safety
///
/// None is needed.
pub unsafe fn close(_: fd::RawFd) {}

/// Pipes have no descriptors that could be waited for.
pub fn descriptor(_: &std::io::PipeReader) -> Option<i32> {
    None
}
