//! Processor properties: how many threads it runs, and which addresses it copies to slowly.
#![allow(unsafe_code)] // instructions that identify the processor

use crate::fork::Lazy;

/// A cache line (bytes).
pub(super) const LINE: usize = 64;

/// How many threads the machine lets this process run at once. Computed once: the system reads
/// several files for it.
pub fn available() -> usize {
    static AVAILABLE: Lazy<usize> =
        Lazy::new(|| std::thread::available_parallelism().map_or(1, usize::from));
    *AVAILABLE
}

/// How many bytes past `to` a file can be read twice as fast, from `offset` on; 0: `to` is not
/// slow.
///
/// AMD processors from Zen 3 on copy slowly with `rep movsb`, which Linux uses to copy out of its
/// page cache, if the destination is less than 32 bytes after the source, modulo the page size.
/// Large blocks from `malloc` begin 16 bytes into a page, so this is the most common case.
pub fn fast_copy_offset(offset: u64, to: &[u8]) -> usize {
    let ahead = (to.as_ptr() as usize).wrapping_sub(offset as usize) % 4096;
    if (1..32).contains(&ahead) && copies_slowly() { LINE - ahead } else { 0 }
}

/// Bytes to leave free at the start of a vector that a file is read into, to avoid the slow case.
pub const FAST_COPY_HEADROOM: usize = 48;

#[cfg(target_arch = "x86_64")]
fn copies_slowly() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    static KNOWN: Lazy<bool> = Lazy::new(|| {
        #[allow(unused_unsafe)] // safe in newer compilers
        // SAFETY: every 64-bit x86 processor has this instruction.
        let (first, features) = unsafe { (__cpuid(0), __cpuid_count(7, 0)) };
        // "AuthenticAMD", and reports fast short `rep movsb`
        first.eax >= 7 && first.ebx == u32::from_le_bytes(*b"Auth") && features.edx & 1 << 4 != 0
    });
    *KNOWN
}

#[cfg(not(target_arch = "x86_64"))]
fn copies_slowly() -> bool {
    false
}
