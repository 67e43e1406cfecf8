//! Locks for processes that fork. The child has one thread: a lock that another thread of the
//! parent held would stay locked in the child for ever, and the data behind it half changed.
//!
//! - [`Lock`] guards what the child needs too. It is held briefly and never while waiting, so a
//!   fork waits until no thread holds one.
//! - [`Lazy`] is a value that every thread uses and the first one makes.
//! - [`LockFile`] is a file that is locked against other processes.
//! - [`Own`] is what may be held for long, such as while a value is read from a store: the child
//!   creates its own.
//! - [`Parents`] is what the child must leave to its parent, such as the end of a file that grows.
#![allow(unsafe_code)] // handlers of pthread_atfork; a pointer that a fork replaces

use crate::system::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use crate::system::{close, watch_forks};
use std::cell::{Cell, UnsafeCell};
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Shared by all holders of a [`Lock`]; held exclusively by a fork.
static GATE: RwLock<()> = RwLock::new(());

/// The number of forks between the first process and this one.
static GENERATION: AtomicU64 = AtomicU64::new(0);

/// The gate's guard, held by the forking thread.
struct Closed(UnsafeCell<Option<RwLockWriteGuard<'static, ()>>>);

// SAFETY: only the thread that holds the gate alone touches it.
unsafe impl Sync for Closed {}

static CLOSED: Closed = Closed(UnsafeCell::new(None));

thread_local! {
    /// The number of locks that this thread holds.
    static HELD: Cell<u32> = const { Cell::new(0) };
    /// Whether this thread closed the gate.
    static FORKING: Cell<bool> = const { Cell::new(false) };
}

/// Makes forks wait from now on.
fn watch() {
    static WATCHING: AtomicBool = AtomicBool::new(false);
    if !WATCHING.load(Ordering::Relaxed) && !WATCHING.swap(true, Ordering::Relaxed) {
        watch_forks(before, after, in_child);
    }
}

extern "C" fn before() {
    // a callback of the program that forks while this thread holds a lock must not wait for others
    if HELD.get() > 0 {
        return;
    }
    let closed = GATE.write().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: the gate is held.
    unsafe { *CLOSED.0.get() = Some(closed) };
    FORKING.set(true);
}

extern "C" fn after() {
    if FORKING.replace(false) {
        // SAFETY: this thread holds the gate, until the guard is dropped.
        let closed = unsafe { (*CLOSED.0.get()).take() };
        drop(closed);
    }
}

extern "C" fn in_child() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
    if FORKING.get() {
        // no thread holds the list, because the gate is closed
        let mut files = LOCKED.0.write().unwrap_or_else(PoisonError::into_inner);
        for file in files.drain(..) {
            // SAFETY: it is open, and whoever would close it is not in this process.
            unsafe { close(file) };
        }
    }
    after();
}

/// Blocks forks while it lives.
struct Moment(Option<RwLockReadGuard<'static, ()>>);

impl Moment {
    fn begin() -> Self {
        watch();
        let held = HELD.get();
        HELD.set(held + 1);
        Moment((held == 0).then(|| GATE.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Drop for Moment {
    fn drop(&mut self) {
        HELD.set(HELD.get() - 1);
        self.0.take();
    }
}

/// A value of the whole process, made when it is first used. Forks wait while it is made: a child
/// would wait for the thread that makes it, for ever.
pub struct Lazy<T> {
    value: OnceLock<T>,
    make: fn() -> T,
}

impl<T> Lazy<T> {
    /// A value that `make` will make.
    pub const fn new(make: fn() -> T) -> Self {
        Lazy { value: OnceLock::new(), make }
    }
}

impl<T> Deref for Lazy<T> {
    type Target = T;
    fn deref(&self) -> &T {
        match self.value.get() {
            Some(value) => value,
            None => {
                let _moment = Moment::begin();
                self.value.get_or_init(self.make)
            }
        }
    }
}

/// A lock that is held briefly: never during I/O or while waiting for another thread.
#[derive(Default)]
pub struct Lock<T>(RwLock<T>);

/// Access to what a [`Lock`] guards. Releases the lock, then admits forks.
pub struct Held<G> {
    guard: G,
    _moment: Moment,
}

impl<T> Lock<T> {
    /// Guards `value`.
    pub const fn new(value: T) -> Self {
        Lock(RwLock::new(value))
    }

    /// Shared access.
    pub fn read(&self) -> Held<RwLockReadGuard<'_, T>> {
        let moment = Moment::begin();
        let guard = self.0.read().unwrap_or_else(PoisonError::into_inner);
        Held { guard, _moment: moment }
    }

    /// Exclusive access.
    pub fn write(&self) -> Held<RwLockWriteGuard<'_, T>> {
        let moment = Moment::begin();
        let guard = self.0.write().unwrap_or_else(PoisonError::into_inner);
        Held { guard, _moment: moment }
    }
}

impl<G: Deref> Deref for Held<G> {
    type Target = G::Target;
    fn deref(&self) -> &G::Target {
        &self.guard
    }
}

impl<G: DerefMut> DerefMut for Held<G> {
    fn deref_mut(&mut self) -> &mut G::Target {
        &mut self.guard
    }
}

/// Files that are locked, or about to be.
static LOCKED: Lock<Vec<RawFd>> = Lock::new(Vec::new());

/// A file that is locked while it is open (`flock`). A forked child shares its parent's files and
/// thereby their locks, which would otherwise last until the child ends: the child closes such
/// files at once.
pub struct LockFile(ManuallyDrop<OwnedFd>);

impl LockFile {
    /// The file that `open` opens, which must not block.
    pub fn open<E>(open: impl FnOnce() -> Result<OwnedFd, E>) -> Result<Self, E> {
        let mut files = LOCKED.write();
        let file = open()?;
        files.push(file.as_raw_fd());
        Ok(LockFile(ManuallyDrop::new(file)))
    }
}

impl AsFd for LockFile {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        let mut files = LOCKED.write();
        files.retain(|file| *file != self.0.as_raw_fd());
        // SAFETY: it is not used again. No fork comes between the list and the file.
        unsafe { ManuallyDrop::drop(&mut self.0) };
    }
}

/// Something that a forked child creates anew. It never accesses its parent's, which another thread
/// may have been changing.
pub struct Own<T>(AtomicPtr<Of<T>>);

struct Of<T> {
    generation: u64,
    value: T,
}

impl<T> Own<T> {
    /// Created on first use.
    pub const fn new() -> Self {
        Own(AtomicPtr::new(null_mut()))
    }

    /// `value`, until the next fork.
    pub fn with(value: T) -> Self {
        watch();
        let generation = GENERATION.load(Ordering::Relaxed);
        Own(AtomicPtr::new(Box::into_raw(Box::new(Of { generation, value }))))
    }
}

impl<T: Default> Own<T> {
    /// The value of this process.
    pub fn get(&self) -> &T {
        watch();
        let generation = GENERATION.load(Ordering::Relaxed);
        let there = self.0.load(Ordering::Acquire);
        // SAFETY: what it points at came from a Box that lives as long as `self`.
        if let Some(there) = unsafe { there.as_ref() }
            && there.generation == generation
        {
            return &there.value;
        }
        let new = Box::into_raw(Box::new(Of { generation, value: T::default() }));
        match self.0.compare_exchange(there, new, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: as above; the parent's stays allocated.
            Ok(_) => unsafe { &(*new).value },
            Err(other) => {
                // SAFETY: nobody else has seen `new`; `other` is that of this process.
                unsafe {
                    drop(Box::from_raw(new));
                    &(*other).value
                }
            }
        }
    }
}

impl<T: Default> Default for Own<T> {
    fn default() -> Self {
        Own::new()
    }
}

impl<T> Drop for Own<T> {
    fn drop(&mut self) {
        let there = *self.0.get_mut();
        // SAFETY: as above; nobody uses it any more.
        let is_ours = unsafe { there.as_ref() }
            .is_some_and(|there| there.generation == GENERATION.load(Ordering::Relaxed));
        if is_ours {
            // SAFETY: it came from a Box.
            drop(unsafe { Box::from_raw(there) });
        }
    }
}

/// Something that only the process that created it may use: a forked child has none.
pub struct Parents<T> {
    generation: u64,
    value: T,
}

impl<T> Parents<T> {
    /// The value of this process.
    pub fn new(value: T) -> Self {
        watch();
        Parents { generation: GENERATION.load(Ordering::Relaxed), value }
    }

    /// `None` in the child of a fork.
    pub fn get(&self) -> Option<&T> {
        (self.generation == GENERATION.load(Ordering::Relaxed)).then_some(&self.value)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    /// Runs `child` in the child of a fork; whether it came back with `true` within some seconds.
    fn in_fork(child: impl FnOnce() -> bool) -> bool {
        // SAFETY: the child calls nothing but `child`, alarm and _exit.
        unsafe {
            match libc::fork() {
                0 => {
                    libc::alarm(5);
                    libc::_exit(if child() { 0 } else { 1 })
                }
                pid => {
                    let mut status = 0;
                    libc::waitpid(pid, &mut status, 0);
                    status == 0
                }
            }
        }
    }

    #[test]
    fn a_child_has_nothing_that_is_its_parents() {
        let end = Parents::new(7);
        assert!(in_fork(|| end.get().is_none() && Parents::new(8).get() == Some(&8)));
        assert_eq!(end.get(), Some(&7));
    }

    #[test]
    fn a_child_finds_locks_open_and_what_they_guard_whole() {
        static STOP: AtomicBool = AtomicBool::new(false);
        static PAIR: Lock<(u64, u64)> = Lock::new((0, 0));
        static BUSY: Own<Mutex<u64>> = Own::new();
        let change = || {
            while !STOP.load(Ordering::Relaxed) {
                let mut pair = PAIR.write();
                pair.0 += 1;
                std::hint::black_box(PAIR_NESTED.read());
                pair.1 += 1;
            }
        };
        static PAIR_NESTED: Lock<()> = Lock::new(());
        let hold = || {
            while !STOP.load(Ordering::Relaxed) {
                let mut busy = BUSY.get().lock().unwrap_or_else(PoisonError::into_inner);
                *busy += 1;
                std::thread::sleep(Duration::from_millis(2));
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(change);
            scope.spawn(change);
            scope.spawn(hold);
            std::thread::sleep(Duration::from_millis(20));
            for _ in 0..50 {
                let good = in_fork(|| {
                    let pair = *PAIR.read();
                    *PAIR.write() = (0, 0);
                    let busy = BUSY.get().lock().map_or(1, |busy| *busy);
                    pair.0 == pair.1 && pair.0 > 0 && busy == 0
                });
                assert!(good);
            }
            STOP.store(true, Ordering::Relaxed);
        });
    }
}
