//! The allocator of the test program: it counts what each thread allocates, and refuses on request.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;

/// Allocations of at least so many bytes are refused on request.
const LARGE: usize = 48 << 10;

thread_local! {
    /// Bytes that this thread has now, and had at the most.
    static HELD: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
    /// Which of the next large allocations is refused, counted from 1; 0: none.
    static REFUSED: Cell<u64> = const { Cell::new(0) };
}

struct Watching;

#[global_allocator]
static ALLOCATOR: Watching = Watching;

fn count(change: isize) {
    // a thread that ends has none any more
    let _ = HELD.try_with(|held| {
        let (now, highest) = held.get();
        held.set((now + change, highest.max(now + change)));
    });
}

fn is_refused(size: usize) -> bool {
    let refused = |n: &Cell<u64>| {
        let left = n.get();
        n.set(left.saturating_sub(1));
        left == 1
    };
    let refused = size >= LARGE && REFUSED.try_with(refused).unwrap_or(false);
    if refused && std::env::var_os("ZARRC_TEST_ALLOCATION").is_some() {
        eprintln!("{size} bytes: {}", std::backtrace::Backtrace::force_capture());
    }
    refused
}

// SAFETY: every call goes to the system allocator unchanged, or returns null, which is allowed.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_refused(layout.size()) {
            return null_mut();
        }
        count(layout.size() as isize);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_refused(layout.size()) {
            return null_mut();
        }
        count(layout.size() as isize);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > layout.size() && is_refused(size) {
            return null_mut();
        }
        // old and new may both exist for a moment
        count(size as isize);
        count(-(layout.size() as isize));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// The most bytes beyond those at the beginning that `work` held on this thread.
pub fn memory_of(work: impl FnOnce()) -> usize {
    let begin = HELD.get().0;
    HELD.set((begin, begin));
    work();
    (HELD.get().1 - begin).max(0) as usize
}

/// Refuses the n-th large allocation of `work` on this thread; returns whether there was one.
pub fn refusing<T>(n: u64, work: impl FnOnce() -> T) -> (T, bool) {
    REFUSED.set(n);
    let result = work();
    (result, REFUSED.replace(0) == 0)
}
