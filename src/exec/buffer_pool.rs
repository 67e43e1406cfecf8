//! Memory that chunks were read and decoded to, kept for the next ones: pages that are touched for the
//! first time cost as much as decoding to them.
//!
//! There is a list of buffers for each core, and a thread always uses the same one first, so that it
//! finds what is in its cache. While a call runs, all is kept; after it [`REST`] bytes at most; when
//! the last [`PoolUser`] is gone, nothing.
//!
//! No lock is waited for: a list that another thread uses (or used, before a fork) counts as empty.

#![allow(unsafe_code)] // a call of the allocator of the system

use super::available;
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// Vectors of a kind in one list, and the bytes of them all.
const KEPT: usize = 16;
const KEPT_BYTES: usize = 32 << 20;

/// Bytes that are kept when no call runs.
const REST: usize = 32 << 20;

/// Once so many bytes were freed, the allocator is asked to give them back to the system.
const WORTH_RETURNING: usize = 1 << 20;

/// The two kinds of memory.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// Vectors that grow.
    Growing,
    /// Vectors of initialised bytes.
    Initialised,
}

/// The vectors of both kinds that the threads of a core gave back.
type List = Mutex<[Vec<Vec<u8>>; 2]>;

/// Smaller vectors are not counted: to count takes as long as they save.
const COUNTED: usize = 64 << 10;

/// Bytes in all lists, small vectors left out.
static BYTES: AtomicUsize = AtomicUsize::new(0);
/// Calls that run.
static CALLS: AtomicUsize = AtomicUsize::new(0);
static USERS: AtomicUsize = AtomicUsize::new(0);
/// Bytes that were freed since the allocator was last asked to give them back.
static FREED: AtomicUsize = AtomicUsize::new(0);

fn came(bytes: usize) {
    if bytes >= COUNTED {
        BYTES.fetch_add(bytes, Ordering::Relaxed);
    }
}

fn went(bytes: usize) {
    if bytes >= COUNTED {
        BYTES.fetch_sub(bytes, Ordering::Relaxed);
    }
}

fn lists() -> &'static [List] {
    static LISTS: OnceLock<Vec<List>> = OnceLock::new();
    LISTS.get_or_init(|| (0..available()).map(|_| List::default()).collect())
}

/// The number of the list that this thread uses first.
fn own_list() -> usize {
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static NUMBER: Cell<Option<usize>> = const { Cell::new(None) };
    }
    let number = NUMBER.try_with(|number| {
        number.get().unwrap_or_else(|| {
            let new = THREADS.fetch_add(1, Ordering::Relaxed);
            number.set(Some(new));
            new
        })
    });
    // a thread that is ending has no number any more
    number.unwrap_or_default() % lists().len()
}

/// A vector with room for `capacity` bytes if there is one, else one to be made larger, or none.
pub(super) fn take(kind: Kind, capacity: usize) -> Vec<u8> {
    let (own, lists) = (own_list(), lists());
    for n in 0..lists.len() {
        let Ok(mut list) = lists[(own + n) % lists.len()].try_lock() else { continue };
        let vectors = &mut list[kind as usize];
        let fits = (0..vectors.len()).filter(|&i| vectors[i].capacity() >= capacity);
        if let Some(best) = fits.min_by_key(|&i| vectors[i].capacity()) {
            went(vectors[best].capacity());
            return vectors.swap_remove(best);
        }
    }
    let Ok(mut list) = lists[own].try_lock() else { return Vec::new() };
    let vectors = &mut list[kind as usize];
    let Some(largest) = (0..vectors.len()).max_by_key(|&i| vectors[i].capacity()) else {
        return Vec::new();
    };
    went(vectors[largest].capacity());
    vectors.swap_remove(largest)
}

pub(super) fn put_back(kind: Kind, vector: Vec<u8>) {
    if !(1..=KEPT_BYTES).contains(&vector.capacity()) || USERS.load(Ordering::Relaxed) == 0 {
        return;
    }
    let Ok(mut list) = lists()[own_list()].try_lock() else {
        FREED.fetch_add(vector.capacity(), Ordering::Relaxed);
        return;
    };
    let vectors = &mut list[kind as usize];
    came(vector.capacity());
    vectors.push(vector);
    // the last is the one that comes next in a like call: it stays
    let mut bytes: usize = vectors.iter().map(Vec::capacity).sum();
    while vectors.len() > KEPT || bytes > KEPT_BYTES {
        let Some(first) = (0..vectors.len() - 1).min_by_key(|&i| vectors[i].capacity()) else {
            break;
        };
        let gone = vectors.remove(first);
        went(gone.capacity());
        FREED.fetch_add(gone.capacity(), Ordering::Relaxed);
        bytes -= gone.capacity();
        discard(gone);
    }
    drop(list);
    if CALLS.load(Ordering::Relaxed) == 0 {
        shrink_to(REST);
    }
}

/// Frees memory until `rest` bytes at most are kept.
#[cold]
fn free(rest: usize) {
    let mut freed = 0;
    for list in lists().iter().rev() {
        let Ok(mut list) = list.try_lock() else { continue };
        for vectors in list.iter_mut() {
            while !vectors.is_empty() && (rest == 0 || BYTES.load(Ordering::Relaxed) > rest) {
                let gone = vectors.remove(0);
                went(gone.capacity());
                freed += gone.capacity();
                discard(gone);
            }
        }
    }
    if FREED.swap(0, Ordering::Relaxed) + freed >= WORTH_RETURNING {
        return_to_system();
    }
}

fn shrink_to(rest: usize) {
    if rest == 0 || BYTES.load(Ordering::Relaxed) > rest {
        free(rest);
    }
}

/// Frees a vector and gives back its pages: the allocator keeps those at the end of a thread's heap.
fn discard(mut vector: Vec<u8>) {
    #[cfg(target_os = "linux")]
    if vector.capacity() >= COUNTED {
        // SAFETY: sysconf has no preconditions. The pages lie within the vector, which nobody reads
        // any more; they are zeros from then on.
        unsafe {
            let page =
                usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).unwrap_or(64 << 10).max(1);
            let start = vector.as_mut_ptr();
            let skip = (start as usize).next_multiple_of(page) - start as usize;
            let len = vector.capacity().saturating_sub(skip) / page * page;
            if len > 0 {
                libc::madvise(start.add(skip).cast(), len, libc::MADV_DONTNEED);
            }
        }
    }
    vector.clear();
}

/// What was freed is the allocator's, which may keep it for long.
fn return_to_system() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it has no preconditions.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// A call that runs: all memory is kept.
pub(super) struct ActiveCall;

impl ActiveCall {
    pub fn begin() -> Self {
        CALLS.fetch_add(1, Ordering::Relaxed);
        ActiveCall
    }
}

impl Drop for ActiveCall {
    fn drop(&mut self) {
        if CALLS.fetch_sub(1, Ordering::Relaxed) == 1 {
            shrink_to(REST);
        }
    }
}

/// Someone for whom memory is kept between calls: an open store.
pub struct PoolUser(());

impl PoolUser {
    /// One more.
    #[allow(clippy::new_without_default)] // it counts
    pub fn new() -> Self {
        USERS.fetch_add(1, Ordering::Relaxed);
        PoolUser(())
    }
}

impl Drop for PoolUser {
    fn drop(&mut self) {
        if USERS.fetch_sub(1, Ordering::Relaxed) == 1 {
            shrink_to(0);
        }
    }
}
