//! What one call may use, and how it is watched: handed down from the call to every chunk.

use crate::cache::{Key, Scope};
use crate::error::{Error, Kind, Result};
use crate::exec::{self, Block};
use crate::heap::Heap;
use crate::progress::Progress;
use crate::selection::{ChunkSlice, ChunkSlices};
use crate::strided::{Extents, ViewMut};

/// The context of a call. Copied and narrowed on the way down: a chunk gets its own threads and
/// its own scope of the cache.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// Threads to use, the calling one included.
    pub threads: usize,
    /// Bytes of chunks to have encoded at once, where one chunk alone does not take more.
    pub memory: u64,
    /// Whether chunks (outer and inner) that hold nothing but the fill value are stored.
    pub write_empty: bool,
    /// Reports, and is asked before each chunk whether to go on.
    pub progress: &'a Progress<'a>,
    /// What is kept of a decoded chunk; `None`: nothing is.
    pub kept: Option<Scope<'a>>,
    /// Where the bytes of elements of variable length are; `None`: there are none such.
    pub heap: Option<&'a Heap<'a>>,
}

static SILENT: Progress<'static> = Progress::silent();

impl<'a> Call<'a> {
    /// One that keeps nothing, reports nothing and has no elements of variable length.
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

    /// The heap, which elements of variable length cannot do without.
    pub fn heap(&self) -> Result<&'a Heap<'a>> {
        self.heap.ok_or_else(no_heap)
    }

    /// Calls `body` with the context of the inner chunk at a place.
    pub fn inner<T>(&self, place: usize, body: impl FnOnce(&Call<'_>) -> T) -> T {
        let Some(scope) = self.kept else { return body(self) };
        let mut key: Key = scope.key.clone();
        key.inner.push(place);
        body(&Call { kept: Some(Scope { key: &key, ..scope }), ..*self })
    }

    /// Calls `each` for every slice, `at_once` of them at the same time, until the call is
    /// cancelled.
    pub fn for_each(
        &self,
        at_once: usize,
        slices: &ChunkSlices<'_>,
        each: &(dyn Fn(&ChunkSlice) -> Result<()> + Sync),
    ) -> Result<()> {
        exec::run(at_once, slices.count(), &|n| {
            self.progress.check()?;
            each(&slices.get(n))
        })
    }

    /// The same with memory for each slice's elements, which is their place in `dst`: the dense
    /// elements of the pick that the slices are of.
    #[allow(unsafe_code)] // the parts of one memory that several threads write
    pub fn for_each_into(
        &self,
        at_once: usize,
        slices: &ChunkSlices<'_>,
        dst: ViewMut<'_>,
        each: &(dyn Fn(&ChunkSlice, ViewMut<'_>) -> Result<()> + Sync),
    ) -> Result<()> {
        self.for_each(at_once, slices, &|slice| {
            if let Some((start, count)) = slice.place.as_box() {
                // SAFETY: every picked element lies in exactly one slice, so the places of two slices
                // have no element in common, and `dst` itself is not used meanwhile.
                let part = unsafe { dst.slice_disjoint(&start, &count) }?;
                return each(slice, part);
            }
            let counts = slice.pick.counts()?;
            let mut block = Block::new(counts.iter().product::<usize>() * dst.item())?;
            let mut dense = ViewMut::contiguous(&mut block, &counts, dst.item())?;
            each(slice, dense.reborrow())?;
            let origin = Extents::from_elem(0, dst.rank());
            // SAFETY: as above: only the elements of this slice's place are written.
            let mut whole = unsafe { dst.slice_disjoint(&origin, dst.shape()) }?;
            slice.place.scatter(&dense.as_view(), &mut whole)
        })
    }
}

#[cold]
fn no_heap() -> Error {
    Error::new(Kind::Internal, "elements of variable length without a heap")
}
