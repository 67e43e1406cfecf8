//! Unix: Linux, macOS and what is like them.
#![allow(unsafe_code)] // system calls that rustix lacks

pub use rustix::{buffer, fd, fs, io, path};

use rustix::fd::AsRawFd;
use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The longest path (bytes), with a NUL at its end.
pub const PATH_MAX: usize = libc::PATH_MAX as usize;

/// Whether a path can begin with the letter of a drive and a colon.
pub const HAS_DRIVES: bool = false;

/// Whether a directory can be locked like a file.
pub const LOCKS_DIRECTORIES: bool = true;

/// What the system says of an error number.
pub fn describe(errno: i32) -> String {
    std::io::Error::from_raw_os_error(errno).to_string()
}

/// The path that has those bytes.
pub fn path_of_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    Some(OsString::from_vec(bytes).into())
}

/// A path with slashes between its names.
pub fn with_slashes(path: &str) -> Cow<'_, str> {
    path.into()
}

/// Opens a file for reading; a pipe in its place would block, and does not.
pub fn open_at_once(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)
}

/// Opens a directory, to lock it.
pub fn open_directory(path: &Path) -> std::io::Result<File> {
    File::open(path)
}

/// Makes a directory for this user alone.
pub fn make_private_directory(path: &Path) -> std::io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

/// Whether a file is this user's.
pub fn is_own(metadata: &Metadata) -> bool {
    metadata.uid() == rustix::process::geteuid().as_raw()
}

/// Whether a file is another user's.
pub fn is_foreign(stat: &fs::Stat) -> bool {
    stat.st_uid != rustix::process::geteuid().as_raw()
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

/// This machine's memory (bytes); `None`: unknown.
pub fn memory() -> Option<usize> {
    // SAFETY: sysconf has no preconditions.
    let pages = unsafe { libc::sysconf(libc::_SC_PHYS_PAGES) };
    let pages = usize::try_from(pages).ok().filter(|pages| *pages > 0)?;
    Some(pages.saturating_mul(page_size()))
}

fn page_size() -> usize {
    // SAFETY: sysconf has no preconditions.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(page).ok().filter(|page| *page > 0).unwrap_or(64 << 10)
}

/// Returns the whole pages of a vector's memory to the system; they are zeros from then on.
pub fn discard_pages(vector: &mut Vec<u8>) {
    vector.clear();
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        let (page, start) = (page_size(), vector.as_mut_ptr());
        let skip = (start as usize).next_multiple_of(page) - start as usize;
        let len = vector.capacity().saturating_sub(skip) / page * page;
        if len > 0 {
            // SAFETY: the pages lie within the vector, which is empty.
            unsafe { libc::madvise(start.add(skip).cast(), len, libc::MADV_DONTNEED) };
        }
    }
}

/// The length of a huge page, or of several (bytes).
pub const HUGE_PAGE: usize = 2 << 20;

/// Memory of zeros in huge pages, if the system has them.
pub struct HugePages {
    start: *mut u8,
    len: usize,
}

// SAFETY: an address and a length; whoever uses the memory says how it is shared.
unsafe impl Send for HugePages {}
// SAFETY: as above.
unsafe impl Sync for HugePages {}

impl HugePages {
    /// Memory of `len` bytes, a multiple of [`HUGE_PAGE`]. `None`: the system gives none.
    pub fn new(len: usize) -> Option<Self> {
        if !cfg!(all(target_os = "linux", not(miri))) {
            return None;
        }
        // more, to begin where a huge page does
        let all = len.checked_add(HUGE_PAGE)?;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: memory of its own, of which what lies before and after the pages is returned.
        unsafe {
            let got = libc::mmap(std::ptr::null_mut(), all, access, kind, -1, 0);
            if got == libc::MAP_FAILED {
                return None;
            }
            let before = (got as usize).next_multiple_of(HUGE_PAGE) - got as usize;
            let start = got.cast::<u8>().add(before);
            if before > 0 {
                libc::munmap(got, before);
            }
            libc::munmap(start.add(len).cast(), HUGE_PAGE - before);
            #[cfg(target_os = "linux")]
            libc::madvise(start.cast(), len, libc::MADV_HUGEPAGE); // as it may be configured not to
            Some(HugePages { start, len })
        }
    }

    /// Its first byte.
    pub fn start(&self) -> *mut u8 {
        self.start
    }

    /// Returns a part to the system, of whole pages; it is zeros from then on.
    ///
    /// # Safety
    ///
    /// Nobody uses the part meanwhile.
    pub unsafe fn discard(&self, part: std::ops::Range<usize>) {
        if part.end <= self.len {
            // SAFETY: the part lies in this memory, and nobody uses it.
            unsafe {
                let start = self.start.add(part.start).cast();
                libc::madvise(start, part.len(), libc::MADV_DONTNEED);
            }
        }
    }
}

impl Drop for HugePages {
    fn drop(&mut self) {
        // SAFETY: it was mapped as one, and nobody uses it any more.
        unsafe { libc::munmap(self.start.cast(), self.len) };
    }
}

/// Asks the allocator to return freed memory to the system, which it otherwise may keep for long.
pub fn trim_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    // SAFETY: malloc_trim has no preconditions.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// The signals that a thread blocks, to be restored.
pub struct Signals(libc::sigset_t);

/// Blocks all signals in this thread except those of its own faults, so that crash reporters still
/// see them; returns those blocked before. Threads that it starts inherit that.
pub fn block_signals() -> Signals {
    use libc::{SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
    // SAFETY: the set is filled before use; the calls change only this thread's mask.
    unsafe {
        let (mut all, mut before): (libc::sigset_t, libc::sigset_t) = std::mem::zeroed();
        libc::sigfillset(&mut all);
        for fault in [SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP] {
            libc::sigdelset(&mut all, fault);
        }
        libc::pthread_sigmask(libc::SIG_BLOCK, &all, &mut before);
        Signals(before)
    }
}

/// Blocks those signals again, and no others.
pub fn restore_signals(before: Signals) {
    // SAFETY: the mask came from the system; only this thread's mask changes.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &before.0, std::ptr::null_mut()) };
}

/// Calls `before` in a thread that is about to fork, then `after` in it and `child` in the child.
pub fn watch_forks(before: extern "C" fn(), after: extern "C" fn(), child: extern "C" fn()) {
    // SAFETY: the handlers take no arguments and live as long as the library. Without memory for
    // them, forks are not noticed: nothing worse.
    unsafe { libc::pthread_atfork(Some(before), Some(after), Some(child)) };
}

/// Closes a file that nobody else in this process will use or close.
///
/// # Safety
///
/// The descriptor is open, and its owner is gone.
pub unsafe fn close(file: fd::RawFd) {
    // SAFETY: as the caller says.
    unsafe { libc::close(file) };
}

/// The descriptor of a pipe's end, for poll() and the like; `None`: this system has none.
pub fn descriptor(pipe: &std::io::PipeReader) -> Option<i32> {
    Some(pipe.as_raw_fd())
}
