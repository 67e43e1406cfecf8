//! Memory for one chunk: bounded, reserved without aborting, and reused for the next chunk
//! ([`super::buffer_pool`]).
#![allow(unsafe_code)] // allocates zeroed memory directly

use super::buffer_pool::{put_back, take};
use super::memory::Memory;
use crate::error::{Error, Kind, Result};
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The largest scratch block (bytes): chunks that exceed the machine's memory are not decoded.
fn most_memory() -> usize {
    static MOST: AtomicUsize = AtomicUsize::new(0);
    match MOST.load(Ordering::Relaxed) {
        0 if cfg!(miri) => 1 << 30, // Miri cannot ask
        0 => {
            let most = crate::system::memory().unwrap_or(isize::MAX as usize);
            MOST.store(most, Ordering::Relaxed);
            most
        }
        most => most,
    }
}

/// Fails if `bytes` exceeds this machine's memory.
pub fn check_memory(bytes: usize) -> Result<()> {
    if bytes <= most_memory() {
        return Ok(());
    }
    Err(Error::new(
        Kind::LimitExceeded,
        format!("{bytes} bytes are needed at once, this machine has {}", most_memory()),
    ))
}

/// The error for a failed allocation.
#[cold]
pub fn out_of_memory(bytes: usize) -> Error {
    Error::new(Kind::OutOfMemory, format!("the system gives no {bytes} bytes of memory"))
}

/// `len` zeros, in pages that the system provides on first use.
pub fn zeroed(len: usize) -> Result<Vec<u8>> {
    if len == 0 {
        return Ok(Vec::new());
    }
    check_memory(len)?;
    let layout = std::alloc::Layout::array::<u8>(len).map_err(|_| out_of_memory(len))?;
    // SAFETY: the layout's size is not 0; a null result is handled; the vector gets exactly what
    // was allocated, all of it initialised.
    unsafe {
        let start = std::alloc::alloc_zeroed(layout);
        if start.is_null() {
            return Err(out_of_memory(len));
        }
        Ok(Vec::from_raw_parts(start, len, len))
    }
}

/// Fails if the system refuses so many bytes: for libraries that abort where memory is refused.
pub fn probe(len: usize) -> Result<()> {
    let mut block = Vec::<u8>::new();
    block.try_reserve_exact(len).map_err(|_| out_of_memory(len))?;
    std::hint::black_box(&mut block); // else the compiler leaves the allocation out
    Ok(())
}

/// Makes what a library makes of at most `len` bytes of memory, and panics if they are refused.
pub fn or_out_of_memory<T>(len: usize, make: impl FnOnce() -> T) -> Result<T> {
    probe(len)?; // without a panic in all but the rarest case
    catch_unwind(AssertUnwindSafe(make)).map_err(|_| out_of_memory(len))
}

/// From this length on, [`reserve_exact`] takes the memory of an earlier value (bytes).
const REUSED: usize = 64 << 10;

/// The largest capacity that is rounded up (bytes).
const MOST_ROUNDED: usize = 16 << 20;

/// A capacity of at least `capacity` bytes that buffers of about that length share, so that one
/// replaces another. Pages that are never touched cost nothing.
fn interchangeable(capacity: usize) -> usize {
    match capacity {
        REUSED..=MOST_ROUNDED => (capacity + capacity / 4).next_multiple_of(REUSED),
        _ => capacity,
    }
}

/// Reserves `more` bytes in `out`, without room to grow further.
pub fn reserve_exact(out: &mut Vec<u8>, more: usize) -> Result<()> {
    if out.is_empty() && more >= REUSED && out.capacity() < more {
        let larger = Buffer::with_capacity(more)?.into_inner();
        drop(Buffer::from(std::mem::replace(out, larger)));
        return Ok(());
    }
    out.try_reserve_exact(more).map_err(|_| out_of_memory(more))
}

/// An empty vector to append to, kept for the next use.
pub struct Buffer(Vec<u8>);

impl Buffer {
    /// A buffer that holds `capacity` bytes without growing.
    pub fn with_capacity(capacity: usize) -> Result<Self> {
        let mut vec: Vec<u8> = take(capacity).unwrap_or_default();
        vec.clear();
        if vec.capacity() < capacity {
            check_memory(capacity)?;
            vec = Vec::new(); // growing would copy its old bytes
            let room = interchangeable(capacity);
            vec.try_reserve_exact(room).map_err(|_| out_of_memory(room))?;
        }
        Ok(Buffer(vec))
    }

    /// The vector, which is reused only if it is made a buffer again.
    pub fn into_inner(mut self) -> Vec<u8> {
        std::mem::take(&mut self.0)
    }
}

impl From<Vec<u8>> for Buffer {
    fn from(vec: Vec<u8>) -> Self {
        Buffer(vec)
    }
}

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Deref for Buffer {
    type Target = Vec<u8>;
    fn deref(&self) -> &Vec<u8> {
        &self.0
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        put_back(std::mem::take(&mut self.0));
    }
}

/// Initialised bytes with arbitrary contents, to be overwritten. They start at a cache line, which
/// files are read into fastest (see `fast_copy_offset`). Kept for the next use.
pub struct Block {
    /// `None` if there are no bytes.
    memory: Option<Memory>,
    len: usize,
}

impl Block {
    /// A block of `len` bytes.
    pub fn new(len: usize) -> Result<Self> {
        if len == 0 {
            return Ok(Block { memory: None, len });
        }
        // what is too small is freed
        let kept = take::<Memory>(len).filter(|memory| memory.bytes().len() >= len);
        let memory = match kept {
            Some(memory) => memory,
            None => {
                check_memory(len)?;
                Memory::new(len)?
            }
        };
        Ok(Block { memory: Some(memory), len })
    }
}

impl Deref for Block {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        self.memory.as_ref().map_or(&[], |memory| &memory.bytes()[..self.len])
    }
}

impl AsRef<[u8]> for Block {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl DerefMut for Block {
    fn deref_mut(&mut self) -> &mut [u8] {
        self.memory.as_mut().map_or(&mut [], |memory| &mut memory.bytes_mut()[..self.len])
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if let Some(memory) = self.memory.take() {
            put_back(memory);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::{PoolUser, buffer_pool};

    #[test]
    fn memory_is_kept_and_bounded() {
        // other tests run in parallel: an active call keeps them from freeing buffers
        let (_user, _call) = (PoolUser::new(), buffer_pool::ActiveCall::begin());
        let first = {
            let mut b = Block::new(1000).expect("little");
            b.fill(7);
            b.as_ptr()
        };
        // another thread may have taken the buffer in between
        let again = (0..100).any(|_| Block::new(900).expect("little").as_ptr() == first);
        assert!(again);
        let e = Block::new(isize::MAX as usize - 4096).err().expect("too much");
        assert_eq!(e.kind(), Kind::LimitExceeded);
        assert!(Block::new(0).expect("nothing").is_empty());
    }
}
