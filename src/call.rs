//! The context of a call, passed from the call down to every chunk.

use crate::cache::{Key, Scope};
use crate::error::{Error, Kind, Result};
use crate::exec::{self, Block};
use crate::heap::Heap;
use crate::progress::Progress;
use crate::selection::{ChunkSlice, ChunkSlices};
use crate::strided::{Extents, ViewMut};
use std::sync::atomic::{AtomicBool, Ordering};

/// The context of a call. Copied and narrowed on the way down: a chunk gets its own threads and its
/// own scope of the cache.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// Number of threads to use, including the calling one.
    pub threads: usize,
    /// Target for the bytes of chunks that are encoded at once; a single chunk may exceed it.
    pub memory: u64,
    /// Whether to store chunks (outer and inner) in which every element is the fill value.
    pub write_empty: bool,
    /// Receives progress reports, and decides before each chunk whether to continue.
    pub progress: &'a Progress<'a>,
    /// Cache for decoded parts of chunks; `None`: no cache.
    pub kept: Option<Scope<'a>>,
    /// The bytes of variable-length elements; `None` if elements have a fixed size.
    pub heap: Option<&'a Heap<'a>>,
}

static SILENT: Progress<'static> = Progress::silent();

impl<'a> Call<'a> {
    /// A context without cache, reports and variable-length elements.
    pub fn new(threads: usize) -> Self {
        Call {
            threads,
            memory: u64::MAX,
            write_empty: false,
            progress: &SILENT,
            kept: None,
            heap: None,
        }
    }

    /// The heap; an error if there is none.
    pub fn heap(&self) -> Result<&'a Heap<'a>> {
        self.heap.ok_or_else(no_heap)
    }

    /// Calls `body` with the context of the inner chunk at `place`.
    pub fn inner<T>(&self, place: usize, body: impl FnOnce(&Call<'_>) -> T) -> T {
        let Some(scope) = self.kept else { return body(self) };
        let mut key: Key = scope.key.clone();
        key.inner.push(place);
        body(&Call { kept: Some(Scope { key: &key, ..scope }), ..*self })
    }

    /// Calls `each` for every slice, up to `at_once` of them concurrently, until the call is
    /// cancelled.
    pub fn for_each(
        &self,
        at_once: usize,
        slices: &ChunkSlices<'_>,
        each: &(dyn Fn(&ChunkSlice) -> Result<()> + Sync),
    ) -> Result<()> {
        run_all(at_once, slices.count(), &|n, ()| {
            self.progress.check()?;
            each(&slices.get(n)?)
        })
    }

    /// The same, and passes to `each` the part of `dst` for the slice's elements. `dst` holds the
    /// dense elements of the pick that was cut into slices.
    pub fn for_each_into(
        &self,
        at_once: usize,
        slices: &ChunkSlices<'_>,
        dst: ViewMut<'_>,
        each: &(dyn Fn(&ChunkSlice, ViewMut<'_>) -> Result<()> + Sync),
    ) -> Result<()> {
        let run = |count, job: &Job<'_, ()>| run_all(at_once, count, job);
        self.run_into(run, slices, dst, &|slice, part, ()| each(slice, part))
    }

    /// The same with a custom scheduler: `run` calls the job with the number of a slice, each
    /// possibly several times but never on two threads at once, and with a value for `each`.
    #[allow(unsafe_code)] // several threads write separate parts of one buffer
    pub fn run_into<T>(
        &self,
        run: impl FnOnce(usize, &Job<'_, T>) -> Result<()>,
        slices: &ChunkSlices<'_>,
        dst: ViewMut<'_>,
        each: &(dyn Fn(&ChunkSlice, ViewMut<'_>, &T) -> Result<()> + Sync),
    ) -> Result<()> {
        run(slices.count(), &|n, with| {
            self.progress.check()?;
            let slice = &slices.get(n)?;
            if let Some((start, count)) = slice.place.as_box() {
                // SAFETY: every picked element lies in exactly one slice, so the places of two
                // slices share no element, and `dst` itself is not used meanwhile.
                let part = unsafe { dst.slice_disjoint(&start, &count) }?;
                return each(slice, part, with);
            }
            let counts = slice.pick.counts()?;
            let mut block = Block::new(counts.iter().product::<usize>() * dst.item())?;
            let mut dense = ViewMut::contiguous(&mut block, &counts, dst.item())?;
            each(slice, dense.reborrow(), with)?;
            let origin = Extents::from_elem(0, dst.rank());
            // SAFETY: as above: `scatter` writes only the elements of this slice's place.
            let mut whole = unsafe { dst.slice_disjoint(&origin, dst.shape()) }?;
            slice.place.scatter(&dense.as_view(), &mut whole)
        })
    }
}

/// The work on one slice, by its number, with a value from the scheduler.
pub type Job<'a, T> = dyn Fn(usize, &T) -> Result<()> + Sync + 'a;

/// Calls `job` for every number. While a job waits for bytes the others run, since they may start
/// their own requests or have their bytes already.
fn run_all(at_once: usize, count: usize, job: &Job<'_, ()>) -> Result<()> {
    let waits = AtomicBool::new(false);
    exec::run(at_once, count, &|n| match job(n, &()) {
        Err(e) if e.is_pending() => {
            waits.store(true, Ordering::Relaxed);
            Ok(())
        }
        result => result,
    })?;
    if waits.into_inner() { Err(Error::pending()) } else { Ok(()) }
}

#[cold]
fn no_heap() -> Error {
    Error::new(Kind::Internal, "elements of variable length without a heap")
}
