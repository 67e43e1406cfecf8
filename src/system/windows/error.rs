//! Errors of Windows as those of POSIX.

use std::ffi::CStr;
use windows_sys::Win32::Foundation as win;

/// An error number of POSIX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Errno(i32);

/// The result of a call of the system.
pub type Result<T> = std::result::Result<T, Errno>;

macro_rules! numbers {
    ($($name:ident = $number:ident),*) => {
        #[allow(missing_docs)] // the names of POSIX
        impl Errno {
            $(pub const $name: Errno = Errno(libc::$number);)*
        }
    };
}

numbers! {
    ACCESS = EACCES, BADF = EBADF, EXIST = EEXIST, INTR = EINTR, INVAL = EINVAL, IO = EIO,
    ISDIR = EISDIR, LOOP = ELOOP, MFILE = EMFILE, MLINK = EMLINK,
    NAMETOOLONG = ENAMETOOLONG, NOENT = ENOENT,
    NOLCK = ENOLCK, NOMEM = ENOMEM, NOSPC = ENOSPC, NOSYS = ENOSYS, NOTDIR = ENOTDIR,
    NOTEMPTY = ENOTEMPTY, NOTSUP = ENOTSUP, PERM = EPERM, ROFS = EROFS, WOULDBLOCK = EAGAIN,
    XDEV = EXDEV
}

impl Errno {
    /// A file that is there and yet is not: no error of Windows means that, and its C library has
    /// no number for it, so it has that of Linux.
    pub const STALE: Errno = Errno(116);

    /// The number of an error of the standard library; `None`: the system gave none.
    pub fn from_io_error(error: &std::io::Error) -> Option<Self> {
        error.raw_os_error().map(|code| Errno::of_system(code as u32))
    }

    /// The number of POSIX.
    pub fn raw_os_error(self) -> i32 {
        self.0
    }

    /// The one that is meant by an error of Windows.
    fn of_system(code: u32) -> Self {
        match code {
            win::ERROR_FILE_NOT_FOUND
            | win::ERROR_PATH_NOT_FOUND
            | win::ERROR_INVALID_DRIVE
            | win::ERROR_BAD_NETPATH
            | win::ERROR_BAD_NET_NAME => Errno::NOENT,
            win::ERROR_ACCESS_DENIED
            | win::ERROR_SHARING_VIOLATION
            | win::ERROR_NETWORK_ACCESS_DENIED => Errno::ACCESS,
            win::ERROR_FILE_EXISTS | win::ERROR_ALREADY_EXISTS => Errno::EXIST,
            win::ERROR_DISK_FULL | win::ERROR_HANDLE_DISK_FULL | win::ERROR_DISK_QUOTA_EXCEEDED => {
                Errno::NOSPC
            }
            win::ERROR_DIR_NOT_EMPTY => Errno::NOTEMPTY,
            win::ERROR_DIRECTORY => Errno::NOTDIR,
            win::ERROR_FILENAME_EXCED_RANGE | win::ERROR_BUFFER_OVERFLOW => Errno::NAMETOOLONG,
            win::ERROR_INVALID_NAME | win::ERROR_BAD_PATHNAME | win::ERROR_INVALID_PARAMETER => {
                Errno::INVAL
            }
            win::ERROR_NOT_SUPPORTED | win::ERROR_INVALID_FUNCTION => Errno::NOTSUP,
            win::ERROR_WRITE_PROTECT => Errno::ROFS,
            win::ERROR_NOT_ENOUGH_MEMORY | win::ERROR_OUTOFMEMORY | win::ERROR_COMMITMENT_LIMIT => {
                Errno::NOMEM
            }
            win::ERROR_TOO_MANY_OPEN_FILES => Errno::MFILE,
            win::ERROR_NOT_SAME_DEVICE => Errno::XDEV,
            win::ERROR_TOO_MANY_LINKS => Errno::MLINK,
            win::ERROR_LOCK_VIOLATION | win::ERROR_IO_PENDING => Errno::WOULDBLOCK,
            win::ERROR_INVALID_HANDLE => Errno::BADF,
            win::ERROR_CANT_RESOLVE_FILENAME | win::ERROR_STOPPED_ON_SYMLINK => Errno::LOOP,
            _ => Errno::IO,
        }
    }
}

impl From<std::io::Error> for Errno {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::InvalidInput => Errno::INVAL,
            std::io::ErrorKind::Interrupted => Errno::INTR,
            _ => Errno::from_io_error(&error).unwrap_or(Errno::IO),
        }
    }
}

impl From<Errno> for std::io::Error {
    fn from(errno: Errno) -> Self {
        let kind = match errno {
            Errno::NOENT | Errno::NOTDIR => std::io::ErrorKind::NotFound,
            Errno::ACCESS | Errno::PERM | Errno::ROFS => std::io::ErrorKind::PermissionDenied,
            Errno::EXIST => std::io::ErrorKind::AlreadyExists,
            Errno::NOSPC => std::io::ErrorKind::StorageFull,
            Errno::NOMEM => std::io::ErrorKind::OutOfMemory,
            Errno::WOULDBLOCK => std::io::ErrorKind::WouldBlock,
            Errno::INVAL => std::io::ErrorKind::InvalidInput,
            _ => std::io::ErrorKind::Other,
        };
        std::io::Error::new(kind, describe(errno.0))
    }
}

/// Repeats `call` while it is interrupted.
pub fn retry_on_intr<T>(mut call: impl FnMut() -> Result<T>) -> Result<T> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            result => return result,
        }
    }
}

/// What the system says of an error number.
pub fn describe(errno: i32) -> String {
    // SAFETY: the text is this thread's own, until its next call.
    let text = unsafe {
        let text = libc::strerror(errno);
        if text.is_null() { c"unknown error" } else { CStr::from_ptr(text) }
    };
    format!("{} (error {errno})", text.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_windows_have_their_numbers() {
        for (code, expected) in [
            (2, Errno::NOENT),
            (3, Errno::NOENT),
            (5, Errno::ACCESS),
            (32, Errno::ACCESS),
            (80, Errno::EXIST),
            (112, Errno::NOSPC),
            (145, Errno::NOTEMPTY),
            (183, Errno::EXIST),
            (4_000_000, Errno::IO),
        ] {
            let error = std::io::Error::from_raw_os_error(code);
            assert_eq!(Errno::from(error), expected, "{code}");
        }
        assert!(describe(libc::ENOENT).starts_with("No such file or directory"));
    }
}
