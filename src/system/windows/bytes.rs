//! The bytes of open files, and memory to read them into.

use super::error::Result;
use super::file::AsFd;
use std::io::{IoSlice, IoSliceMut, Write};
use std::os::windows::fs::FileExt;
use windows_sys::Win32::Foundation::ERROR_HANDLE_EOF;

/// Memory to read into.
pub trait Buffer {
    /// Has it filled from its start; returns how many bytes were.
    fn fill(self, read: impl FnOnce(&mut [u8]) -> Result<usize>) -> Result<usize>;
}

impl Buffer for &mut [u8] {
    fn fill(self, read: impl FnOnce(&mut [u8]) -> Result<usize>) -> Result<usize> {
        read(self)
    }
}

impl<const N: usize> Buffer for &mut [u8; N] {
    fn fill(self, read: impl FnOnce(&mut [u8]) -> Result<usize>) -> Result<usize> {
        read(self)
    }
}

/// The memory that a vector has beyond its bytes.
pub struct SpareCapacity<'a>(&'a mut Vec<u8>);

/// The memory that a vector has beyond its bytes: what is read into it becomes part of it.
pub fn spare_capacity(vector: &mut Vec<u8>) -> SpareCapacity<'_> {
    SpareCapacity(vector)
}

impl Buffer for SpareCapacity<'_> {
    fn fill(self, read: impl FnOnce(&mut [u8]) -> Result<usize>) -> Result<usize> {
        let start = self.0.len();
        self.0.resize(self.0.capacity(), 0);
        let read = read(&mut self.0[start..]);
        self.0.truncate(start + *read.as_ref().unwrap_or(&0));
        read
    }
}

/// The most bytes of one call.
const MOST: usize = 1 << 30;

/// Reads some bytes from `offset` on.
pub fn pread(file: impl AsFd, buffer: impl Buffer, offset: u64) -> Result<usize> {
    let file = file.as_fd().file;
    buffer.fill(|out| {
        let most = out.len().min(MOST);
        match file.seek_read(&mut out[..most], offset) {
            // beyond its end
            Err(e) if e.raw_os_error() == Some(ERROR_HANDLE_EOF as i32) => Ok(0),
            read => Ok(read?),
        }
    })
}

/// Reads some bytes from `offset` on into the first of some buffers, and so on.
pub fn preadv(file: impl AsFd, out: &mut [IoSliceMut<'_>], offset: u64) -> Result<usize> {
    let mut done = 0;
    for slice in out {
        let read = pread(&file, &mut **slice, offset + done as u64)?;
        done += read;
        if read < slice.len() {
            break;
        }
    }
    Ok(done)
}

/// Writes some of the bytes at the end of what was written before.
pub fn writev(file: impl AsFd, slices: &[IoSlice<'_>]) -> Result<usize> {
    let mut file = file.as_fd().file;
    match slices.iter().find(|slice| !slice.is_empty()) {
        Some(slice) => Ok(file.write(&slice[..slice.len().min(MOST)])?),
        None => Ok(0),
    }
}

/// Writes some of the bytes from `offset` on.
pub fn pwritev(file: impl AsFd, slices: &[IoSlice<'_>], offset: u64) -> Result<usize> {
    match slices.iter().find(|slice| !slice.is_empty()) {
        Some(slice) => {
            let most = slice.len().min(MOST);
            Ok(file.as_fd().file.seek_write(&slice[..most], offset)?)
        }
        None => Ok(0),
    }
}
