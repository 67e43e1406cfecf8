//! Buffers that chunks were read and decoded into, kept for the next ones: first use of a page
//! costs as much as decoding into it.
//!
//! Each core has a list of buffers, and a thread always tries the same list first, so that it
//! reuses memory in its cache. During a call all buffers are kept; after it at most [`REST`] bytes;
//! after the last [`PoolUser`] is dropped, none.
//!
//! No thread waits for a lock: a list locked by another thread (or before a fork) counts as empty.

use super::{Apart, available};
use crate::fork::Lazy;
use crate::system::{discard_pages, trim_heap};
use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The most vectors of one kind in a list, and their most bytes.
const KEPT: usize = 16;
const KEPT_BYTES: usize = 32 << 20;

/// The most bytes kept while no call runs.
const REST: usize = 32 << 20;

/// After freeing this many bytes, ask the allocator to return them to the system.
const WORTH_RETURNING: usize = 1 << 20;

/// The two kinds of buffers.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// Vectors that grow.
    Growing,
    /// Vectors of initialised bytes.
    Initialised,
}

/// The vectors of both kinds that the threads of a core returned.
#[derive(Default)]
struct List {
    vectors: Mutex<[Vec<Vec<u8>>; 2]>,
    /// Bytes of them, except small ones.
    bytes: AtomicUsize,
}

/// Smaller vectors are not counted: counting costs as much as reusing them saves.
const COUNTED: usize = 64 << 10;

/// Running calls.
static CALLS: AtomicUsize = AtomicUsize::new(0);
static USERS: AtomicUsize = AtomicUsize::new(0);
/// Bytes freed since the allocator was last asked to return memory to the system.
static FREED: AtomicUsize = AtomicUsize::new(0);

impl List {
    fn came(&self, bytes: usize) {
        if bytes >= COUNTED {
            self.bytes.fetch_add(bytes, Ordering::Relaxed);
        }
    }

    fn went(&self, bytes: usize) {
        if bytes >= COUNTED {
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        }
    }
}

/// Bytes in all lists, except small vectors.
fn kept_bytes() -> usize {
    lists().iter().map(|list| list.bytes.load(Ordering::Relaxed)).sum()
}

fn lists() -> &'static [Apart<List>] {
    static LISTS: Lazy<Vec<Apart<List>>> =
        Lazy::new(|| (0..available()).map(|_| Apart::default()).collect());
    &LISTS
}

/// The number of this thread: 0 for the first one that asks.
pub(super) fn thread_number() -> usize {
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
    // a thread that is ending has lost its number
    number.unwrap_or_default()
}

/// The number of the list that this thread tries first.
fn own_list() -> usize {
    thread_number() % lists().len()
}

/// A vector with a capacity of at least `capacity` bytes if one is kept, else a smaller one to
/// grow, or an empty one.
pub(super) fn take(kind: Kind, capacity: usize) -> Vec<u8> {
    let (own, lists) = (own_list(), lists());
    for n in 0..lists.len() {
        let from = &lists[(own + n) % lists.len()];
        let Ok(mut list) = from.vectors.try_lock() else { continue };
        let vectors = &mut list[kind as usize];
        let fits = (0..vectors.len()).filter(|&i| vectors[i].capacity() >= capacity);
        if let Some(best) = fits.min_by_key(|&i| vectors[i].capacity()) {
            from.went(vectors[best].capacity());
            return vectors.swap_remove(best);
        }
    }
    let Ok(mut list) = lists[own].vectors.try_lock() else { return Vec::new() };
    let vectors = &mut list[kind as usize];
    let Some(largest) = (0..vectors.len()).max_by_key(|&i| vectors[i].capacity()) else {
        return Vec::new();
    };
    lists[own].went(vectors[largest].capacity());
    vectors.swap_remove(largest)
}

pub(super) fn put_back(kind: Kind, vector: Vec<u8>) {
    if !(1..=KEPT_BYTES).contains(&vector.capacity()) || USERS.load(Ordering::Relaxed) == 0 {
        return;
    }
    let own = &lists()[own_list()];
    let Ok(mut list) = own.vectors.try_lock() else {
        FREED.fetch_add(vector.capacity(), Ordering::Relaxed);
        return;
    };
    let vectors = &mut list[kind as usize];
    own.came(vector.capacity());
    vectors.push(vector);
    // keep the last one, which a similar call uses next
    let mut bytes: usize = vectors.iter().map(Vec::capacity).sum();
    while vectors.len() > KEPT || bytes > KEPT_BYTES {
        let Some(first) = (0..vectors.len() - 1).min_by_key(|&i| vectors[i].capacity()) else {
            break;
        };
        let gone = vectors.remove(first);
        own.went(gone.capacity());
        FREED.fetch_add(gone.capacity(), Ordering::Relaxed);
        bytes -= gone.capacity();
        discard(gone);
    }
    drop(list);
    if CALLS.load(Ordering::Relaxed) == 0 {
        shrink_to(REST);
    }
}

/// Frees buffers until at most `rest` bytes are kept.
#[cold]
fn free(rest: usize) {
    let mut freed = 0;
    for own in lists().iter().rev() {
        let Ok(mut list) = own.vectors.try_lock() else { continue };
        for vectors in list.iter_mut() {
            while !vectors.is_empty() && (rest == 0 || kept_bytes() > rest) {
                let gone = vectors.remove(0);
                own.went(gone.capacity());
                freed += gone.capacity();
                discard(gone);
            }
        }
    }
    if FREED.swap(0, Ordering::Relaxed) + freed >= WORTH_RETURNING {
        trim_heap();
    }
}

fn shrink_to(rest: usize) {
    if rest == 0 || kept_bytes() > rest {
        free(rest);
    }
}

/// Frees a vector and returns its pages to the system: the allocator keeps free pages at the end of
/// a thread's heap.
fn discard(mut vector: Vec<u8>) {
    if vector.capacity() >= COUNTED {
        discard_pages(&mut vector);
    }
}

/// A running call, during which all buffers are kept.
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

/// A user, such as an open store, for whom buffers are kept between calls.
pub struct PoolUser(());

impl PoolUser {
    /// Registers a user.
    #[allow(clippy::new_without_default)] // it counts users
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
