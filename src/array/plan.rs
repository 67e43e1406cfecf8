//! A call as an object: what it moves between an array and memory, and the chunks that it takes.
//!
//! ```text
//! Selection --pick--> Transfer --plan--> Plan --run--> read.rs, write.rs
//!  (caller)           (of elements)      (of chunks)   (a job: chunk, pick in it, place in memory)
//! ```

use super::chunks::Extent;
use super::memory::{Conversion, FieldPart};
use super::{Array, MemoryType};
use crate::call::Call;
use crate::error::Result;
use crate::exec::Window;
use crate::heap::Heap;
use crate::metadata::DataType;
use crate::progress::Progress;
use crate::selection::{ChunkSlices, Pick};
use crate::strided::{View, ViewMut, convert, copy};
use std::sync::Arc;

/// What one call transfers.
#[derive(Clone, Copy)]
pub struct Transfer<'a> {
    /// The elements.
    pub pick: &'a Pick,
    /// Their type in memory.
    pub memory: MemoryType,
    /// One field of each element instead of all of it.
    pub field: Option<&'a FieldPart>,
    /// Receives reports.
    pub progress: &'a Progress<'a>,
}

impl<'a> Transfer<'a> {
    /// The conversion between memory and elements of type `stored`. [`Kind::TypeMismatch`]: there
    /// is none.
    ///
    /// [`Kind::TypeMismatch`]: crate::error::Kind::TypeMismatch
    pub(super) fn between(&self, stored: &DataType, reading: bool) -> Result<Between<'a>> {
        let stored = self.field.map_or(stored, |field| &field.data_type);
        let conversion = self.memory.conversion(stored, reading)?;
        Ok(Between { conversion, field: self.field, heap: None })
    }
}

/// The conversion between memory and stored elements.
#[derive(Clone, Copy)]
pub(super) struct Between<'a> {
    pub conversion: Option<Conversion>,
    pub field: Option<&'a FieldPart>,
    /// The heap of variable-length elements.
    pub heap: Option<&'a Heap<'a>>,
}

impl<'a> Between<'a> {
    /// Only references into a heap.
    pub fn references(heap: &'a Heap<'a>) -> Self {
        Between { conversion: None, field: None, heap: Some(heap) }
    }

    /// Whether elements in memory equal the stored ones.
    pub fn is_nothing(self) -> bool {
        self.conversion.is_none() && self.field.is_none()
    }

    /// Converts stored elements into memory of the same shape.
    pub fn to_memory(self, src: &View<'_>, dst: &mut ViewMut<'_>) -> Result<()> {
        let field;
        let src = match self.field {
            Some(part) => {
                field = src.field(part.offset, part.data_type.size())?;
                &field
            }
            None => src,
        };
        match self.conversion {
            Some(c) => convert(src, c.stored, dst, c.memory),
            None => copy(src, dst),
        }
    }
}

/// Limit of the encoded bytes of shards at once on a local store, where more gain nothing; a single
/// one may exceed it.
const LARGE: u64 = 64 << 20;

/// The chunks of a transfer, and how threads share them.
pub(super) struct Plan<'a> {
    /// The array during the call.
    pub extent: Arc<Extent>,
    /// One job per chunk: the picked elements in it, and their place in the result.
    pub slices: ChunkSlices<'a>,
    /// How many chunks to work on at once.
    pub at_once: usize,
    /// The context of each job.
    pub call: Call<'a>,
}

/// The most chunks that the store is told of ahead of the one that is read.
const MOST_AHEAD: u64 = 256;

impl Array {
    /// Plans a transfer of the elements of `pick`, of an array with `extent`; works on at most
    /// `most` chunks at once.
    pub(super) fn plan<'a>(
        &self,
        extent: Arc<Extent>,
        pick: &'a Pick,
        elements: usize,
        most: usize,
        call: Call<'a>,
    ) -> Result<Plan<'a>> {
        let slices = pick.chunk_slices(&extent.grid)?;
        let threads = self.threads_for(elements);
        // many chunks: one thread each; few: several
        let (at_once, threads) = match () {
            _ if threads <= 1 => (1, 1),
            _ if most >= threads && slices.count() >= 4 * threads => (threads, 1),
            _ => (threads.min(most), threads),
        };
        Ok(Plan { extent, slices, at_once, call: Call { threads, ..call } })
    }

    /// To be called as each chunk of a plan begins to be read: tells the store of those that come
    /// next, where it reads ahead.
    pub(super) fn read_ahead(&self, plan: &Plan<'_>, window: &Window) {
        let bytes = self.store.bytes_ahead();
        let most = bytes / self.chain.size().max(1);
        let most = most.clamp(u64::from(bytes > 0), MOST_AHEAD) as usize;
        for n in window.advance(most, plan.slices.count()) {
            let (index, bounds) = plan.slices.outline(n);
            // what is wrong with a chunk is reported when it is read
            if let Ok(chain) = self.chain_at(&plan.extent, &index)
                && let Some(first) = chain.reads_first(bounds.as_ref())
            {
                self.store.read_ahead(&self.key(&index), first);
            }
        }
    }

    /// How many shards may be encoded at once: of large ones few, with all threads on each.
    pub(super) fn shards_at_once(&self, call: &Call<'_>) -> usize {
        match self.is_sharded() {
            true => (call.memory / self.chain.size().max(1)).max(1) as usize,
            false => usize::MAX,
        }
    }

    /// The context of a call.
    pub(super) fn call<'a>(
        &self,
        progress: &'a Progress<'a>,
        heap: Option<&'a Heap<'a>>,
    ) -> Call<'a> {
        Call {
            memory: match self.is_remote() {
                true => self.settings.memory,
                false => self.settings.memory.min(LARGE),
            },
            write_empty: self.settings.write_empty || !self.metadata.may_omit_chunks(),
            progress,
            heap,
            ..Call::new(self.settings.threads)
        }
    }
}
