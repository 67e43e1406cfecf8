//! Shared by the network stores: the runtimes of their requests, and clients that survive a fork.
//!
//! The rest of the library is blocking; only [`wait`] makes a call wait for a request.

use crate::error::{Error, Result};
use crate::fork::Own;
use crate::lock::Acquire;
use crate::source::{Fetched, Version, Want};
use crate::store::{Fetch, Key, Part, Precondition, Put};
use std::cell::Cell;
use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::runtime::{Builder, Runtime};

#[cfg(feature = "web")]
pub mod client;
#[cfg(feature = "web")]
mod connect;
#[cfg(feature = "web")]
pub mod guard;
#[cfg(feature = "web")]
mod order;
mod retry;
pub mod settings;
#[cfg(any(feature = "redis", feature = "web"))]
pub mod tls;
#[cfg(feature = "web")]
use order::{Request, Requests, Work};
pub use retry::Retries;
pub use settings::Settings;

/// Waits for the result of a request.
///
/// [`Kind::Internal`](crate::error::Kind::Internal): called within another request, which would
/// deadlock.
pub fn wait<T>(request: impl Future<Output = Result<T>>) -> Result<T> {
    if tokio::runtime::Handle::try_current().is_ok() && !APART.get() {
        return Err(Error::new(crate::error::Kind::Internal, "a request waits within a request"));
    }
    network()?.driver().runtime.handle().block_on(request)
}

/// Runs `make` in the context of the runtime, also within a request.
pub fn enter<T>(make: impl FnOnce() -> Result<T>) -> Result<T> {
    let network = network()?;
    let _entered = network.driver().runtime.enter();
    make()
}

/// Runs a store's read in the background and passes its result to `done`; returns the `Fetch` if
/// the background thread cannot be started.
#[cfg(feature = "web")]
pub fn start<F: Future<Output = Result<Option<Fetched>>> + 'static>(
    fetch: Fetch,
    request: impl FnOnce(Key, Option<Version>, Want, Vec<u8>) -> F + Send + 'static,
) -> Option<Fetch> {
    let Ok(network) = network() else { return Some(fetch) };
    let Fetch { key, version, want, bytes, pace, done } = fetch;
    let make = move || -> Request {
        Box::pin(async move { done(request(key, version, want, bytes).await) })
    };
    network.driver().requests.add(Work { make: Box::new(make), pace: Some(pace) });
    None
}

/// The same for a write; also returns the `Put` if it has no parts to write.
#[cfg(any(feature = "azure", feature = "gcs", feature = "s3"))]
pub fn start_set<F: Future<Output = Result<()>> + 'static>(
    put: Put,
    request: impl FnOnce(Key, Vec<Part>, Precondition) -> F + Send + 'static,
) -> Option<Put> {
    let Ok(network) = network() else { return Some(put) };
    let Put { key, parts: Some(parts), when, done } = put else { return Some(put) };
    let make =
        move || -> Request { Box::pin(async move { done(request(key, parts, when).await) }) };
    network.driver().requests.add(Work { make: Box::new(make), pace: None });
    None
}

/// A thread that drives connections and background requests. One alone for each few cores: an
/// answer that is passed between threads on its way costs more than receiving it. Decoding, which
/// takes processor time, runs on other threads.
struct Driver {
    runtime: Arc<Runtime>,
    #[cfg(feature = "web")]
    requests: Arc<Requests>,
}

impl Driver {
    fn start() -> Result<Self> {
        let failed = |e: std::io::Error| Error::io("starting the network's threads", &e);
        let runtime = Builder::new_current_thread()
            // of threads that look up names
            .thread_name("zarrc-network")
            .on_thread_start(|| {
                crate::system::block_signals();
            })
            .enable_all()
            .build();
        let runtime = Arc::new(runtime.map_err(failed)?);
        #[cfg(feature = "web")]
        let requests = Arc::<Requests>::default();
        #[cfg(feature = "web")]
        let (all, run) = (requests.clone(), Requests::run);
        #[cfg(not(feature = "web"))]
        let (all, run) = ((), |()| std::future::pending::<()>());
        let driven = runtime.clone();
        crate::exec::spawn(move || driven.block_on(run(all))).map_err(failed)?;
        Ok(Driver {
            runtime,
            #[cfg(feature = "web")]
            requests,
        })
    }
}

/// How many cores one driver is enough for, and the most drivers.
const CORES: usize = 8;
const MOST_DRIVERS: usize = 8;

/// The drivers of this process.
struct Network {
    drivers: Vec<Driver>,
    next: AtomicUsize,
}

impl Network {
    /// The drivers take turns.
    fn driver(&self) -> &Driver {
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        &self.drivers[turn % self.drivers.len()]
    }
}

fn network() -> Result<Arc<Network>> {
    static NETWORK: PerProcess<Network> = PerProcess::new();
    NETWORK.get(|| {
        choose_cryptography();
        let count = (crate::exec::available() / CORES).clamp(1, MOST_DRIVERS);
        let drivers = (0..count).map(|_| Driver::start()).collect::<Result<_>>()?;
        Ok(Network { drivers, next: AtomicUsize::new(0) })
    })
}

thread_local! {
    /// Whether this thread of the runtime may block: no task of the runtime depends on it.
    static APART: Cell<bool> = const { Cell::new(false) };
}

/// Runs blocking `work` within a request.
#[cfg(feature = "icechunk")]
pub async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let work = || {
        APART.set(true); // such threads do nothing else
        work()
    };
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|e| Err(Error::new(crate::error::Kind::Internal, e.to_string())))
}

/// Selects the cryptography provider of TLS before any library needs one.
fn choose_cryptography() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// A value with threads or connections. The child of a fork makes its own, since the threads that
/// drove its parent's are missing.
pub struct PerProcess<T>(Own<Mutex<Option<Arc<T>>>>);

impl<T> PerProcess<T> {
    /// An empty slot.
    pub const fn new() -> Self {
        PerProcess(Own::new())
    }

    /// The value of this process; `make` creates it on first use.
    pub fn get(&self, make: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        let mut kept = self.0.get().acquire();
        if let Some(there) = &*kept {
            return Ok(there.clone());
        }
        Ok(kept.insert(Arc::new(make()?)).clone())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn requests_run_and_do_not_wait_within_each_other() {
        assert_eq!(wait(async { Ok(7) }).unwrap(), 7);
        let within = wait(async { wait(async { Ok(()) }) });
        assert!(within.unwrap_err().to_string().contains("within"));
    }
}
