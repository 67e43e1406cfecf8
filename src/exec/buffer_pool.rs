//! Buffers that chunks were read and decoded into, and compressors' contexts, kept for the next
//! ones: first use of a page costs as much as decoding into it.
//!
//! Each core has a list of buffers, and a thread always tries the same list first, so that it
//! reuses memory in its cache. During a call all buffers are kept; after it at most [`REST`] bytes;
//! after the last [`PoolUser`] is dropped, none.
//!
//! No call waits for a lock: a list locked by another thread (or before a fork) counts as empty.

use super::context::Idle;
use super::memory::Memory;
use super::{Apart, available};
use crate::fork::Lazy;
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::sync::thread::yield_now;
use crate::system::{discard_pages, trim_heap};
use std::cell::Cell;

/// The most buffers of one kind in a list.
const KEPT: usize = 16;

/// The most bytes kept while no call runs.
const REST: usize = 32 << 20;

/// After freeing this many bytes, ask the allocator to return them to the system.
const WORTH_RETURNING: usize = 1 << 20;

/// What is kept.
pub(super) trait Keep: Sized {
    /// The most bytes of them in a list.
    const MOST: usize = 32 << 20;

    /// Its list.
    fn list(lists: &mut Lists) -> &mut Vec<Self>;

    /// Its length in use (bytes).
    fn capacity(&self) -> usize;

    /// Frees it and returns its pages to the system.
    fn discard(self);
}

/// What is kept, by kind.
#[derive(Default)]
pub(super) struct Lists {
    /// Vectors that grow.
    growing: Vec<Vec<u8>>,
    /// Initialised bytes.
    pub initialised: Vec<Memory>,
    pub contexts: Vec<Idle>,
}

impl Keep for Vec<u8> {
    fn list(lists: &mut Lists) -> &mut Vec<Self> {
        &mut lists.growing
    }

    fn capacity(&self) -> usize {
        Vec::capacity(self)
    }

    /// The allocator keeps free pages at the end of a thread's heap.
    fn discard(mut self) {
        if Vec::capacity(&self) >= COUNTED {
            discard_pages(&mut self);
        }
    }
}

/// The buffers that the threads of a core returned.
#[derive(Default)]
struct List {
    buffers: Mutex<Lists>,
    /// Bytes of them, except small ones.
    bytes: AtomicUsize,
}

/// Smaller buffers are not counted: counting costs as much as reusing them saves.
const COUNTED: usize = 64 << 10;

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

struct BufferPool {
    /// One for each core.
    lists: Vec<Apart<List>>,
    /// Running calls.
    calls: AtomicUsize,
    users: AtomicUsize,
    /// Bytes freed since the allocator was last asked to return memory to the system.
    freed: AtomicUsize,
}

/// The pool of the process. `None` in the model: its tests run at once, and none may use what another
/// does.
fn shared() -> Option<&'static BufferPool> {
    static POOL: Lazy<BufferPool> = Lazy::new(|| BufferPool::new(available()));
    (!cfg!(all(test, model))).then(|| &*POOL)
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

/// [`BufferPool::take`] of the process.
pub(super) fn take<K: Keep>(capacity: usize) -> Option<K> {
    shared().and_then(|pool| pool.take(capacity))
}

/// [`BufferPool::take_best`] of the process.
pub(super) fn take_best<K: Keep>(rank: impl Fn(&K) -> Option<usize>) -> Option<K> {
    shared().and_then(|pool| pool.take_best(rank))
}

/// [`BufferPool::put_back`] of the process.
pub(super) fn put_back<K: Keep>(buffer: K) {
    if let Some(pool) = shared() {
        pool.put_back(buffer);
    }
}

impl BufferPool {
    fn new(lists: usize) -> Self {
        BufferPool {
            lists: (0..lists).map(|_| Apart::default()).collect(),
            calls: AtomicUsize::new(0),
            users: AtomicUsize::new(0),
            freed: AtomicUsize::new(0),
        }
    }

    /// Bytes in all lists, except small vectors.
    fn kept_bytes(&self) -> usize {
        self.lists.iter().map(|list| list.bytes.load(Ordering::Relaxed)).sum()
    }

    /// The number of the list that this thread tries first.
    fn own_list(&self) -> usize {
        thread_number() % self.lists.len()
    }

    /// A buffer with a capacity of at least `capacity` bytes if one is kept, else a smaller one, if
    /// there is any.
    fn take<K: Keep>(&self, capacity: usize) -> Option<K> {
        let fits = |kept: &K| Some(kept.capacity()).filter(|n| *n >= capacity);
        self.take_best(fits).or_else(|| {
            let own = &self.lists[self.own_list()];
            let mut list = own.buffers.try_lock().ok()?;
            let kept = K::list(&mut list);
            let largest = (0..kept.len()).max_by_key(|&i| kept[i].capacity())?;
            own.went(kept[largest].capacity());
            Some(kept.swap_remove(largest))
        })
    }

    /// What has the lowest rank in the first list where something has one; of several the last
    /// that was returned, which may still be in the processor's cache.
    fn take_best<K: Keep>(&self, rank: impl Fn(&K) -> Option<usize>) -> Option<K> {
        let (own, lists) = (self.own_list(), &self.lists);
        for n in 0..lists.len() {
            let from = &lists[(own + n) % lists.len()];
            let Ok(mut list) = from.buffers.try_lock() else { continue };
            let kept = K::list(&mut list);
            let ranked = kept.iter().enumerate().rev().filter_map(|(i, k)| Some((i, rank(k)?)));
            if let Some((best, _)) = ranked.min_by_key(|(_, rank)| *rank) {
                from.went(kept[best].capacity());
                return Some(kept.swap_remove(best));
            }
        }
        None
    }

    fn put_back<K: Keep>(&self, buffer: K) {
        if !(1..=K::MOST).contains(&buffer.capacity()) {
            return;
        }
        let own = &self.lists[self.own_list()];
        let Ok(mut list) = own.buffers.try_lock() else {
            self.freed.fetch_add(buffer.capacity(), Ordering::Relaxed);
            return;
        };
        // under the lock, which the last user takes after it has left
        if self.users.load(Ordering::Relaxed) == 0 {
            return;
        }
        let kept = K::list(&mut list);
        own.came(buffer.capacity());
        kept.push(buffer);
        // keep the last one, which a similar call uses next
        let mut bytes: usize = kept.iter().map(K::capacity).sum();
        while kept.len() > KEPT || bytes > K::MOST {
            let Some(first) = (0..kept.len() - 1).min_by_key(|&i| kept[i].capacity()) else {
                break;
            };
            let gone = kept.remove(first);
            own.went(gone.capacity());
            self.freed.fetch_add(gone.capacity(), Ordering::Relaxed);
            bytes -= gone.capacity();
            gone.discard();
        }
        drop(list);
        if self.calls.load(Ordering::Relaxed) == 0 {
            self.rest();
        }
    }

    /// Frees buffers until at most `rest` bytes are kept. 0: also those of lists that another thread
    /// has locked, which it soon unlocks; a parent's thread never does.
    #[cold]
    fn free(&self, rest: usize) {
        let mut freed = 0;
        for own in self.lists.iter().rev() {
            let mut list = own.buffers.try_lock();
            for _ in 0..if rest == 0 { 1000 } else { 0 } {
                if list.is_ok() {
                    break;
                }
                yield_now();
                list = own.buffers.try_lock();
            }
            let Ok(mut list) = list else { continue };
            freed += self.free_list::<Vec<u8>>(own, &mut list, rest);
            freed += self.free_list::<Memory>(own, &mut list, rest);
            freed += self.free_list::<Idle>(own, &mut list, rest);
        }
        if self.freed.swap(0, Ordering::Relaxed) + freed >= WORTH_RETURNING {
            trim_heap();
        }
    }

    /// The same for the buffers of one kind in a list; returns the bytes freed.
    fn free_list<K: Keep>(&self, own: &List, list: &mut Lists, rest: usize) -> usize {
        let (kept, mut freed) = (K::list(list), 0);
        while !kept.is_empty() && (rest == 0 || self.kept_bytes() > rest) {
            let gone = kept.remove(0);
            own.went(gone.capacity());
            freed += gone.capacity();
            gone.discard();
        }
        freed
    }

    fn rest(&self) {
        if self.kept_bytes() > REST {
            self.free(REST);
        }
    }

    fn remove_user(&self) {
        if self.users.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.free(0);
        }
    }
}

/// A running call, during which all buffers are kept.
pub(super) struct ActiveCall(());

impl ActiveCall {
    pub fn begin() -> Self {
        if let Some(pool) = shared() {
            pool.calls.fetch_add(1, Ordering::Relaxed);
        }
        ActiveCall(())
    }
}

impl Drop for ActiveCall {
    fn drop(&mut self) {
        if let Some(pool) = shared()
            && pool.calls.fetch_sub(1, Ordering::Relaxed) == 1
        {
            pool.rest();
        }
    }
}

/// A user, such as an open store, for whom buffers are kept between calls.
pub struct PoolUser(());

impl PoolUser {
    /// Registers a user.
    #[allow(clippy::new_without_default)] // it counts users
    pub fn new() -> Self {
        if let Some(pool) = shared() {
            pool.users.fetch_add(1, Ordering::Relaxed);
        }
        PoolUser(())
    }
}

impl Drop for PoolUser {
    fn drop(&mut self) {
        if let Some(pool) = shared() {
            pool.remove_user();
        }
    }
}

#[cfg(all(test, model))]
mod model;
