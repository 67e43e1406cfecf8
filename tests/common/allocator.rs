//! The allocator of the test program: it counts what each thread allocates, and refuses some of it.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Bytes that this thread has now, and had at the most.
    static HELD: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
    /// The most that it may have: beyond it, large allocations are refused.
    static LIMIT: Cell<isize> = const { Cell::new(isize::MAX) };
}

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the most bytes that the thread had before.
fn count(change: isize) -> isize {
    // a thread that ends has none any more
    let counted = HELD.try_with(|held| {
        let (now, highest) = held.get();
        held.set((now + change, highest.max(now + change)));
        highest
    });
    counted.unwrap_or_default()
}

/// Allocates by `allocate`, counted before, so that the limit can refuse it: what is refused then
/// counts no more.
fn counted(size: usize, allocate: impl FnOnce() -> *mut u8) -> *mut u8 {
    let highest = count(size as isize);
    let pointer = allocate();
    if pointer.is_null() {
        let _ = HELD.try_with(|held| held.set((held.get().0 - size as isize, highest)));
    }
    pointer
}

// SAFETY: every call goes to the system allocator unchanged; only the sizes are counted.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is passed on.
        counted(layout.size(), || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is passed on.
        counted(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // old and new may both exist for a moment
        // SAFETY: the caller's promise is passed on.
        let new = counted(size, || unsafe { System.realloc(pointer, layout, size) });
        if !new.is_null() {
            count(-(layout.size() as isize));
        }
        new
    }
}

/// The most bytes beyond those at the beginning that `work` held on this thread.
pub fn memory_of(work: impl FnOnce()) -> usize {
    let begin = HELD.get().0;
    HELD.set((begin, begin));
    work();
    (HELD.get().1 - begin).max(0) as usize
}

/// Refuses each allocation of at least [`REFUSED`] bytes by which `work` would have more than so many
/// on this thread.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn limited<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    LIMIT.set(HELD.get().0.saturating_add_unsigned(bytes));
    let result = work();
    LIMIT.set(isize::MAX);
    result
}

/// Refuses the n-th allocation of at least [`REFUSED`] bytes that `work` makes on this thread, be it
/// in Rust or in a C library; returns whether there were so many.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn refusing<T>(n: u64, work: impl FnOnce() -> T) -> (T, bool) {
    refusal::LEFT.set(n);
    let result = work();
    (result, refusal::LEFT.replace(0) == 0)
}

/// Smaller allocations are never refused (bytes).
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub const REFUSED: usize = 4 << 10;

/// `malloc` and its kin for the whole program, in place of the C library's. Not with `--cfg
/// own_malloc`, for a sanitizer that has its own.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod refusal {
    use super::{HELD, LIMIT, REFUSED};
    use std::cell::Cell;
    use std::ffi::c_void;

    thread_local! {
        /// How many allocations until one is refused; 0: none is.
        pub static LEFT: Cell<u64> = const { Cell::new(0) };
    }

    unsafe extern "C" {
        fn __libc_malloc(size: usize) -> *mut c_void;
        fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
        fn __libc_realloc(pointer: *mut c_void, size: usize) -> *mut c_void;
    }

    fn refuses(size: usize) -> bool {
        if size < REFUSED {
            return false;
        }
        let left = LEFT.get();
        LEFT.set(left.saturating_sub(1));
        let is_too_much = HELD.try_with(Cell::get).is_ok_and(|held| held.0 > LIMIT.get());
        if left == 1 || is_too_much {
            // SAFETY: errno is this thread's.
            unsafe { *libc::__errno_location() = libc::ENOMEM };
        }
        left == 1 || is_too_much
    }

    #[cfg_attr(not(own_malloc), unsafe(no_mangle))]
    unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
        if refuses(size) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promise is passed on, as below.
        unsafe { __libc_malloc(size) }
    }

    #[cfg_attr(not(own_malloc), unsafe(no_mangle))]
    unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
        if refuses(count.saturating_mul(size)) {
            return std::ptr::null_mut();
        }
        // SAFETY: see malloc.
        unsafe { __libc_calloc(count, size) }
    }

    #[cfg_attr(not(own_malloc), unsafe(no_mangle))]
    unsafe extern "C" fn realloc(pointer: *mut c_void, size: usize) -> *mut c_void {
        if refuses(size) {
            return std::ptr::null_mut();
        }
        // SAFETY: see malloc.
        unsafe { __libc_realloc(pointer, size) }
    }
}
