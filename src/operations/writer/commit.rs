//! The thread of a writer: waits for the blocks of committed steps, stores their chunks, and makes
//! the steps visible.

use super::WriterOptions;
use super::variable::{self, Variable};
use crate::array::Request;
use crate::error::{Error, Kind, Result};
use crate::hierarchy::{Group, Hierarchy};
use crate::lock::{Acquire, wait_for};
use crate::metadata::NodePath;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many requests are kept before those that are done are dropped.
const KEPT: usize = 1024;

/// The arrays of a writer, and how far they are written.
pub(super) struct Stream {
    hierarchy: Arc<Hierarchy>,
    group: NodePath,
    variables: Vec<Variable>,
    /// Steps become visible in multiples of this.
    grain: u64,
    patience: Option<Duration>,
    state: Mutex<State>,
    /// Signals each change of the state.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The first steps of blocks whose requests are being started.
    entering: Vec<u64>,
    /// Requests by their first step.
    requests: Vec<(u64, Request)>,
    /// How many requests were kept after the last look for those that are done.
    kept: usize,
    /// How many steps are committed.
    committed: u64,
    /// When the oldest of them that is not visible was.
    since: Option<Instant>,
    /// How many steps to make visible even if their chunks are not full.
    wanted: u64,
    /// How many readers see.
    visible: u64,
    /// One past the last step of any block.
    end: u64,
    /// What went wrong first: nothing becomes visible any more.
    failure: Option<Error>,
    ends: bool,
}

/// A block whose request is being started: no commit passes it.
pub(super) struct Entered<'a> {
    stream: &'a Stream,
    first: u64,
}

impl Entered<'_> {
    /// Its request was started.
    pub fn started(self, request: Request) {
        let mut state = self.stream.state.acquire();
        state.requests.push((self.first, request));
        state.drop_done();
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        let mut state = self.stream.state.acquire();
        if let Some(at) = state.entering.iter().position(|&first| first == self.first) {
            state.entering.swap_remove(at);
        }
        self.stream.changed.notify_all();
    }
}

impl State {
    fn check(&self) -> Result<()> {
        self.failure.clone().map_or(Ok(()), Err)
    }

    /// Drops requests that are done, now and then.
    fn drop_done(&mut self) {
        if self.requests.len() < 2 * self.kept.max(KEPT) {
            return;
        }
        let mut failure = None;
        self.requests.retain(|(_, request)| match request.is_done() {
            Ok(true) => {
                failure = failure.take().or(request.wait().err());
                false
            }
            _ => true,
        });
        self.kept = self.requests.len();
        self.failure = self.failure.take().or(failure);
    }
}

impl Stream {
    pub fn new(group: &Group, variables: Vec<Variable>, options: WriterOptions) -> Self {
        let steps = variable::longest(&variables);
        let state = State {
            committed: steps,
            wanted: steps,
            visible: steps,
            end: steps,
            ..State::default()
        };
        Stream {
            hierarchy: group.hierarchy.clone(),
            group: group.path().clone(),
            grain: variable::grain(&variables),
            variables,
            patience: options.patience,
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    pub fn variable(&self, number: usize) -> Result<&Variable> {
        self.variables.get(number).ok_or_else(|| {
            Error::invalid(format!(
                "variable {number}: expected less than {}, the number declared",
                self.variables.len()
            ))
        })
    }

    /// The steps that readers see.
    pub fn visible(&self) -> u64 {
        self.state.acquire().visible
    }

    /// Announces a block from step `first` up to `end`.
    pub fn enter(&self, first: u64, end: u64) -> Result<Entered<'_>> {
        let mut state = self.state.acquire();
        state.check()?;
        if first < state.committed {
            return Err(Error::new(
                Kind::OutOfBounds,
                format!("step {first} is committed: expected {} or later", state.committed),
            ));
        }
        state.end = state.end.max(end);
        state.entering.push(first);
        drop(state);
        Ok(Entered { stream: self, first })
    }

    /// The first `steps` steps are complete.
    pub fn commit(&self, steps: u64) -> Result<()> {
        let mut state = self.state.acquire();
        state.check()?;
        if steps < state.committed {
            return Err(Error::invalid(format!(
                "steps {steps}: {} are committed already",
                state.committed
            )));
        }
        if steps > state.committed {
            state.committed = steps;
            state.since.get_or_insert_with(Instant::now);
            self.changed.notify_all();
        }
        Ok(())
    }

    /// Makes all committed steps visible and waits for that.
    pub fn flush(&self) -> Result<()> {
        let mut state = self.state.acquire();
        let steps = state.committed;
        state.wanted = state.wanted.max(steps);
        self.changed.notify_all();
        while state.failure.is_none() && state.visible < steps {
            if state.ends {
                return Err(Error::invalid("it is closed"));
            }
            state = wait_for(&self.changed, state);
        }
        state.check()
    }

    /// Asks the thread to end.
    pub fn end(&self) {
        self.state.acquire().ends = true;
        self.changed.notify_all();
    }

    /// What the thread does.
    pub fn run(&self) {
        while let Some(steps) = self.next() {
            let shown = catch_unwind(AssertUnwindSafe(|| self.show(steps)));
            let bug = |_| Err(Error::new(Kind::Internal, "a bug in zarrc: a commit panicked"));
            let mut state = self.state.acquire();
            match shown.unwrap_or_else(bug) {
                Ok(()) => {
                    state.visible = steps;
                    state.since = (state.committed > steps).then(Instant::now);
                }
                Err(error) => {
                    state.failure.get_or_insert(error);
                }
            }
            self.changed.notify_all();
        }
    }

    /// Waits for steps to make visible; `None`: the writer ends.
    fn next(&self) -> Option<u64> {
        let mut state = self.state.acquire();
        loop {
            let waited = state
                .since
                .zip(self.patience)
                .map(|(since, patience)| patience.saturating_sub(since.elapsed()));
            let full = state.committed / self.grain * self.grain;
            let steps = match waited {
                Some(Duration::ZERO) => state.committed,
                _ => full.max(state.wanted),
            };
            if state.failure.is_none() && steps > state.visible {
                return Some(steps);
            }
            if state.ends {
                return None;
            }
            state = match waited.filter(|_| state.failure.is_none()) {
                None => wait_for(&self.changed, state),
                Some(left) => self.wait_at_most(left, state),
            };
        }
    }

    fn wait_at_most<'a>(
        &self,
        time: Duration,
        state: MutexGuard<'a, State>,
    ) -> MutexGuard<'a, State> {
        let waited = self.changed.wait_timeout(state, time);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Stores all chunks of the first `steps` steps, then makes them visible.
    fn show(&self, steps: u64) -> Result<()> {
        let mut state = self.state.acquire();
        while state.entering.iter().any(|&first| first < steps) {
            state = wait_for(&self.changed, state);
        }
        state.check()?;
        let (done, rest) =
            std::mem::take(&mut state.requests).into_iter().partition(|(first, _)| *first < steps);
        state.requests = rest;
        drop(state);
        let done: Vec<(u64, Request)> = done;
        done.iter().try_for_each(|(_, request)| request.wait())?;
        for variable in &self.variables {
            variable.node.array.flush_before(steps)?;
        }
        let visible = self.visible();
        // coordinates, which have one dimension, before data
        let mut nodes: Vec<_> = self.variables.iter().map(|v| (&*v.node, visible)).collect();
        nodes.sort_by_key(|(node, _)| node.array.rank());
        self.hierarchy.lengthen(&self.group, &nodes, steps)
    }

    /// After the thread has ended: deletes blocks of steps that were not committed.
    pub fn clear_uncommitted(&self) -> Result<()> {
        let mut state = self.state.acquire();
        for (_, request) in state.requests.drain(..) {
            let _ = request.wait(); // nobody sees what it wrote
        }
        let (steps, end) = (state.committed, state.end);
        drop(state);
        if end <= steps {
            return Ok(());
        }
        for variable in &self.variables {
            // what is still collected is dropped with the array
            variable.node.array.clear_outside(&variable.extent(steps), &variable.extent(end))?;
        }
        Ok(())
    }
}
