//! A streaming writer: arrays of one group that grow by steps along their first dimension. Blocks
//! are put from any thread, in any order, and a commit says which steps are complete. A thread of
//! the writer ([`commit`]) stores them and then makes them visible, all arrays at once in
//! consolidated metadata.
//!
//! The arrays that the writer has open are longer than their documents say, and have a write buffer
//! of their own, so a block is an ordinary write to a chunk that no reader sees yet.

mod commit;
mod variable;

use crate::array::{MemoryType, Transfer, Work};
use crate::error::{Context, Error, Kind, Result};
use crate::exec::{self, Block};
use crate::fork::Parents;
use crate::hierarchy::{ArraySpec, Group, Hierarchy};
use crate::lock::Acquire;
use crate::metadata::{DataType, NodePath};
use crate::progress::Progress;
use crate::selection::Pick;
use crate::strided::{Extents, View, ViewMut, copy};
use crate::sync::thread::JoinHandle;
use commit::Stream;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use variable::Variable;

/// How to write.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriterOptions {
    /// How long a committed step may wait for its chunks to be full; `None`: until the writer is
    /// flushed.
    pub patience: Option<Duration>,
    /// Limit of the memory of unfinished chunks (bytes); 0: two rows of chunks of each array.
    pub buffer: u64,
}

/// A writer. Any number of threads may use it at once.
pub struct Writer {
    group: Group,
    options: WriterOptions,
    /// The arrays, until the first block or commit.
    declared: Mutex<Vec<Variable>>,
    started: OnceLock<Started>,
    /// Its thread exists only in this process.
    process: Parents<()>,
}

struct Started {
    stream: Arc<Stream>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    /// A writer for the arrays of the group at `path`, which is created if there is none.
    pub fn open(
        hierarchy: &Arc<Hierarchy>,
        path: &NodePath,
        options: WriterOptions,
    ) -> Result<Self> {
        Ok(Writer {
            group: hierarchy.require_group(path, None)?,
            options,
            declared: Mutex::default(),
            started: OnceLock::new(),
            process: Parents::new(()),
        })
    }

    fn place(&self) -> String {
        format!("writer of group {}", self.group.path())
    }

    fn check_process(&self) -> Result<()> {
        match self.process.get() {
            Some(()) => Ok(()),
            None => Err(Error::invalid("it belongs to the parent process, which opened it")),
        }
    }

    /// Declares the array `name` of the group: creates it, or opens it to go on. Returns its number.
    pub fn declare(&self, name: &str, spec: &ArraySpec) -> Result<usize> {
        let declare = || {
            self.check_process()?;
            let mut declared = self.declared.acquire();
            if self.started.get().is_some() {
                return Err(Error::invalid("declare all arrays before the first block or commit"));
            }
            let variable = Variable::open(&self.group, name, spec, &declared)?;
            declared.push(variable);
            Ok(declared.len() - 1)
        };
        declare().at(|| format!("{}: array {name}", self.place()))
    }

    /// The steps that readers see; of a writer that has not started, those that they will see once
    /// it has.
    pub fn steps(&self) -> Result<u64> {
        self.check_process().at(|| self.place())?;
        Ok(match self.started.get() {
            Some(started) => started.stream.visible(),
            None => variable::longest(&self.declared.acquire()),
        })
    }

    /// The stream, started by the first call: then all arrays are known.
    fn stream(&self) -> Result<&Arc<Stream>> {
        self.check_process()?;
        if let Some(started) = self.started.get() {
            return Ok(&started.stream);
        }
        let mut declared = self.declared.acquire();
        if self.started.get().is_none() {
            if declared.is_empty() {
                return Err(Error::invalid("no array is declared"));
            }
            variable::recover(&self.group, &declared)?;
            variable::share_buffer(&mut declared, self.options.buffer);
            let stream =
                Arc::new(Stream::new(&self.group, std::mem::take(&mut *declared), self.options));
            let run = stream.clone();
            let thread =
                exec::spawn(move || run.run()).map_err(|e| Error::io("starting a thread", &e))?;
            let thread = Mutex::new(Some(thread));
            let _ = self.started.set(Started { stream, thread });
        }
        match self.started.get() {
            Some(started) => Ok(&started.stream),
            None => Err(Error::new(Kind::Internal, "the writer has not started")),
        }
    }

    /// The rank and data type of array `number`.
    pub fn variable(&self, number: usize) -> Result<(usize, DataType)> {
        let variable = || {
            let array = &self.stream()?.variable(number)?.node.array;
            Ok((array.rank(), array.metadata().data_type.clone()))
        };
        variable().at(|| self.place())
    }

    /// Starts to write `src` to a box of array `number`, whose first extent are steps not yet
    /// committed. Copies `src`; waits only while the queue of the store is full.
    pub fn put(
        &self,
        number: usize,
        start: &[u64],
        count: &[u64],
        memory: MemoryType,
        src: &View<'_>,
    ) -> Result<()> {
        let put = || {
            let stream = self.stream()?;
            let variable = stream.variable(number)?;
            let region = variable.region(start, count)?;
            memory.check_writable(&variable.node.array.metadata().data_type)?;
            if region.is_empty() {
                return Ok(());
            }
            if !region.spans().iter().map(|s| s.count as usize).eq(src.shape().iter().copied()) {
                return Err(Error::invalid(format!(
                    "count {count:?}: the block has another shape"
                )));
            }
            let (first, end) = (start[0], start[0] + count[0]);
            let entered = stream.enter(first, end)?;
            variable.reach(end);
            let array = variable.node.clone();
            let bytes = (src.len() as u64).saturating_mul(src.item() as u64);
            let about = array.array.about(region.clone(), true, bytes);
            let prepare = || -> Result<Work> {
                let (shape, item) = (Extents::from_slice(src.shape()), src.item());
                let mut owned = Block::new(src.len() * item)?;
                copy(src, &mut ViewMut::contiguous(&mut owned, &shape, item)?)?;
                Ok(Box::new(move |progress: &Progress<'_>| {
                    let pick = &Pick::Region(region);
                    let src = View::contiguous(&owned, &shape, item)?;
                    array
                        .array
                        .write_transfer(&Transfer { pick, memory, field: None, progress }, &src)
                }))
            };
            let request = variable.node.array.requests().start(about, prepare)?;
            entered.started(request);
            Ok(())
        };
        put().at(|| self.place())
    }

    /// Says that the first `steps` steps are complete, without waiting.
    pub fn commit(&self, steps: u64) -> Result<()> {
        self.stream().and_then(|stream| stream.commit(steps)).at(|| self.place())
    }

    /// Makes all committed steps visible, also those whose chunks are not full, and waits for that.
    pub fn flush(&self) -> Result<()> {
        self.stream().and_then(|stream| stream.flush()).at(|| self.place())
    }

    /// Makes all committed steps visible, deletes what was put beyond them, and ends.
    pub fn close(&self) -> Result<()> {
        let close = || {
            self.check_process()?;
            let Some(started) = self.started.get() else { return Ok(()) };
            let flushed = started.stream.flush();
            self.end();
            flushed?;
            started.stream.clear_uncommitted()?;
            self.group.hierarchy.store().flush()
        };
        close().at(|| self.place())
    }

    /// Ends the thread.
    fn end(&self) {
        if let (Some(()), Some(started)) = (self.process.get(), self.started.get()) {
            started.stream.end();
            if let Some(thread) = started.thread.acquire().take() {
                let _ = thread.join(); // its errors are those of the stream
            }
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.end();
        if self.process.get().is_none()
            && let Some(started) = self.started.get_mut()
            && let Ok(thread) = started.thread.get_mut()
        {
            // the parent's: in this process, another one may have its place by now
            std::mem::forget(thread.take());
        }
    }
}
