//! What work runs on: the thread pool ([`pool`]), the memory that is kept for the next chunk
//! ([`scratch`]), and what is peculiar to a processor ([`cpu`]).

mod blocking;
mod buffer_pool;
mod cpu;
mod pool;
mod scratch;

pub use blocking::start_blocking;
pub use buffer_pool::PoolUser;
pub use cpu::{FAST_COPY_HEADROOM, available, fast_copy_offset};
pub use pool::{DecodePermit, WORTH_SHARING, block_signals, has_workers, run, spawn, submit};
pub use scratch::{Block, Buffer, check_memory, out_of_memory, zeroed};
