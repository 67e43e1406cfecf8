//! Execution: the thread pool ([`pool`]), the memory of a chunk ([`memory`]), kept for the next one
//! ([`scratch`]) like compressors' contexts ([`context`]), requests ahead of the running jobs
//! ([`window`]), whether there is enough to do ([`pace`]), counters that threads do not share
//! ([`apart`]), and processor properties ([`cpu`]).

mod apart;
mod blocking;
mod buffer_pool;
mod context;
mod cpu;
mod memory;
mod pace;
mod pool;
mod scratch;
mod window;

pub use apart::{Apart, Tally};
pub use blocking::{start_blocking, try_start_blocking};
pub use buffer_pool::PoolUser;
pub use context::{Context, with_context};
pub use cpu::{FAST_COPY_HEADROOM, available, fast_copy_offset};
pub use pace::Pace;
pub use pool::{CodecPermit, WORTH_SHARING, codecs_are_busy, has_workers, run, spawn, submit};
pub use scratch::{
    Block, Buffer, check_memory, or_out_of_memory, out_of_memory, probe, reserve_exact, zeroed,
};
pub use window::Window;
