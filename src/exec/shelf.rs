//! Memory that chunks were read and decoded to, kept for the next ones: pages that are touched for the
//! first time cost as much as decoding to them.
//!
//! There is a place for each core, and a thread always comes to the same one, so that it finds what is
//! in its cache; many threads that wait for requests share those places. While a call runs, all is
//! kept; after it [`REST`] bytes at most; when the last [`Tenant`] leaves, nothing.
//!
//! No lock is waited for: a place that another thread is at (or was, before a fork) counts as empty.

#![allow(unsafe_code)] // a call of the allocator of the system

use super::available;
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// Vectors of a kind in one place, and the bytes of them all.
const KEPT: usize = 16;
const KEPT_BYTES: usize = 32 << 20;

/// Bytes that are kept when no call runs.
const REST: usize = 32 << 20;

/// Once so many bytes were freed, the allocator is asked to give them back to the system.
const WORTH_RETURNING: usize = 1 << 20;

/// The two kinds of memory.
#[derive(Clone, Copy)]
pub(super) enum Shelf {
    /// Vectors that grow.
    Buffers,
    /// Vectors of initialised bytes.
    Blocks,
}

/// The vectors of both kinds in one place.
type Place = Mutex<[Vec<Vec<u8>>; 2]>;

/// Smaller vectors are not counted: to count takes as long as they save.
const COUNTED: usize = 64 << 10;

/// Bytes in all places, small vectors left out.
static BYTES: AtomicUsize = AtomicUsize::new(0);
/// Calls that run.
static CALLS: AtomicUsize = AtomicUsize::new(0);
static TENANTS: AtomicUsize = AtomicUsize::new(0);

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

fn places() -> &'static [Place] {
    static PLACES: OnceLock<Vec<Place>> = OnceLock::new();
    PLACES.get_or_init(|| (0..available()).map(|_| Place::default()).collect())
}

/// The place that this thread comes to.
fn own_place() -> &'static Place {
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
    let places = places();
    // a thread that is ending has no number any more
    &places[number.unwrap_or_default() % places.len()]
}

/// The smallest kept vector that holds `capacity`, else the largest there is.
pub(super) fn take(shelf: Shelf, capacity: usize) -> Vec<u8> {
    let Ok(mut place) = own_place().try_lock() else { return Vec::new() };
    let vectors = &mut place[shelf as usize];
    let fits = (0..vectors.len()).filter(|&i| vectors[i].capacity() >= capacity);
    let best = fits.min_by_key(|&i| vectors[i].capacity());
    let best = best.or_else(|| (0..vectors.len()).max_by_key(|&i| vectors[i].capacity()));
    let taken = best.map(|i| vectors.swap_remove(i)).unwrap_or_default();
    went(taken.capacity());
    taken
}

pub(super) fn put_back(shelf: Shelf, vector: Vec<u8>) {
    if !(1..=KEPT_BYTES).contains(&vector.capacity()) || TENANTS.load(Ordering::Relaxed) == 0 {
        return;
    }
    let Ok(mut place) = own_place().try_lock() else { return };
    let vectors = &mut place[shelf as usize];
    came(vector.capacity());
    vectors.push(vector);
    // the last is the one that comes next in a like call: it stays
    let mut bytes: usize = vectors.iter().map(Vec::capacity).sum();
    while vectors.len() > KEPT || bytes > KEPT_BYTES {
        let Some(first) = (0..vectors.len() - 1).min_by_key(|&i| vectors[i].capacity()) else {
            break;
        };
        let gone = vectors.remove(first).capacity();
        went(gone);
        bytes -= gone;
    }
    drop(place);
    if CALLS.load(Ordering::Relaxed) == 0 {
        shrink_to(REST);
    }
}

/// Frees memory until `rest` bytes at most are kept.
#[cold]
fn free(rest: usize) {
    let mut freed = 0;
    for place in places().iter().rev() {
        let Ok(mut place) = place.try_lock() else { continue };
        for vectors in place.iter_mut() {
            while !vectors.is_empty() && (rest == 0 || BYTES.load(Ordering::Relaxed) > rest) {
                let gone = vectors.remove(0).capacity();
                went(gone);
                freed += gone;
            }
        }
    }
    if freed >= WORTH_RETURNING {
        return_to_system();
    }
}

fn shrink_to(rest: usize) {
    if rest == 0 || BYTES.load(Ordering::Relaxed) > rest {
        free(rest);
    }
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
pub(super) struct Call;

impl Call {
    pub fn begin() -> Self {
        CALLS.fetch_add(1, Ordering::Relaxed);
        Call
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        if CALLS.fetch_sub(1, Ordering::Relaxed) == 1 {
            shrink_to(REST);
        }
    }
}

/// Someone for whom memory is kept between calls.
pub struct Tenant(());

impl Tenant {
    /// One more.
    #[allow(clippy::new_without_default)] // it counts
    pub fn new() -> Self {
        TENANTS.fetch_add(1, Ordering::Relaxed);
        Tenant(())
    }
}

impl Drop for Tenant {
    fn drop(&mut self) {
        if TENANTS.fetch_sub(1, Ordering::Relaxed) == 1 {
            shrink_to(0);
        }
    }
}
