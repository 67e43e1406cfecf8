//! What is peculiar to a processor: how many threads it runs, and where it copies slowly.
#![allow(unsafe_code)] // instructions that ask a processor what it is

use std::sync::OnceLock;

/// A line of the processor's cache.
pub(super) const LINE: usize = 64;

/// As many threads as the machine lets this process run at once. Asked for once: the answer
/// takes several files of the system.
pub fn available() -> usize {
    static AVAILABLE: OnceLock<usize> = OnceLock::new();
    *AVAILABLE.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// How many bytes further on in memory a file is read to twice as fast, from `offset` on, than to
/// `to`; 0: it is as fast there as anywhere.
///
/// AMD's processors from Zen 3 on copy slowly by `rep movsb`, which is how Linux copies out of its
/// page cache, where the destination lies less than 32 bytes after the source, pages left aside.
/// Large memory of `malloc` begins 16 bytes into a page, so it is the most common case of all.
pub fn fast_copy_offset(offset: u64, to: &[u8]) -> usize {
    let ahead = (to.as_ptr() as usize).wrapping_sub(offset as usize) % 4096;
    if (1..32).contains(&ahead) && copies_slowly() { LINE - ahead } else { 0 }
}

/// Bytes to leave free at the start of a vector that a file is read into: past them it is fast.
pub const FAST_COPY_HEADROOM: usize = 48;

#[cfg(target_arch = "x86_64")]
fn copies_slowly() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    static KNOWN: OnceLock<bool> = OnceLock::new();
    *KNOWN.get_or_init(|| {
        #[allow(unused_unsafe)] // newer compilers call it safe
        // SAFETY: every processor of 64 bits has this instruction.
        let (first, features) = unsafe { (__cpuid(0), __cpuid_count(7, 0)) };
        // "AuthenticAMD", and short `rep movsb` is said to be fast
        first.eax >= 7 && first.ebx == u32::from_le_bytes(*b"Auth") && features.edx & 1 << 4 != 0
    })
}

#[cfg(not(target_arch = "x86_64"))]
fn copies_slowly() -> bool {
    false
}
