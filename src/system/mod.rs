//! What differs between operating systems. All else is written once, in the words of POSIX.
//!
//! - `fd`, `fs` and `io` are rustix's on Unix. On Windows they are those of its functions that this
//!   library uses, with the same names, arguments and errors.
//! - The rest is memory, signals, forks, and what the standard library has only for one system.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;

use std::fs::File;
use std::io::IoSlice;

/// The number of POSIX for an error of the standard library; `None`: the system gave none.
pub fn code(error: &std::io::Error) -> Option<i32> {
    io::Errno::from_io_error(error).map(io::Errno::raw_os_error)
}

/// Fills `out` from `offset` of a file on.
pub fn read_exact_at(file: &File, out: &mut [u8], offset: u64) -> std::io::Result<()> {
    let mut done = 0;
    while done < out.len() {
        let at = offset.checked_add(done as u64).ok_or(std::io::ErrorKind::UnexpectedEof)?;
        match io::retry_on_intr(|| io::pread(file, &mut out[done..], at))? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            read => done += read,
        }
    }
    Ok(())
}

/// Writes `bytes` from `offset` of a file on.
pub fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> std::io::Result<()> {
    let (mut left, mut at) = (bytes, offset);
    while !left.is_empty() {
        match io::retry_on_intr(|| io::pwritev(file, &[IoSlice::new(left)], at))? {
            0 => return Err(std::io::ErrorKind::WriteZero.into()),
            written => {
                left = &left[written..];
                at += written as u64;
            }
        }
    }
    Ok(())
}
