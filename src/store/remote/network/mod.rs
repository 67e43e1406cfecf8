//! What the stores across a network share: the runtime that their requests run on, and clients that
//! outlive a fork.
//!
//! The rest of the library is blocking; [`wait`] is the one place where a call waits for a request.

use crate::error::{Error, Result};
use crate::fork::Own;
use crate::lock::Acquire;
use crate::source::{Fetched, Version, Want};
use crate::store::{Fetch, Key, Part, Precondition, Put};
use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::LocalSet;

#[cfg(feature = "http")]
pub mod guard;
mod retry;
pub mod settings;
#[cfg(feature = "redis")]
pub mod tls;
pub use retry::Retries;
pub use settings::Settings;

/// Threads that drive connections. What takes time, decoding, runs on the threads that wait.
const DRIVERS: usize = 2;

/// Waits for what a request brings.
///
/// [`Kind::Internal`](crate::error::Kind::Internal): it waits within another request already, which
/// would never end.
pub fn wait<T>(request: impl Future<Output = Result<T>>) -> Result<T> {
    if tokio::runtime::Handle::try_current().is_ok() && !APART.get() {
        return Err(Error::new(crate::error::Kind::Internal, "a request waits within a request"));
    }
    runtime()?.block_on(request)
}

/// Makes something that wants to know the runtime, within a request or not.
pub fn enter<T>(make: impl FnOnce() -> Result<T>) -> Result<T> {
    let runtime = runtime()?;
    let _entered = runtime.enter();
    make()
}

/// A request that nobody waits for, made on the thread that it is to run on.
type Work = Box<dyn FnOnce() -> Pin<Box<dyn Future<Output = ()>>> + Send>;

/// Runs a read of a store beside others and hands on what comes of it; gives the order back if there
/// are no threads for it.
#[cfg(any(feature = "azure", feature = "gcs", feature = "http", feature = "s3"))]
pub fn start<F: Future<Output = Result<Option<Fetched>>> + 'static>(
    fetch: Fetch,
    request: impl FnOnce(Key, Option<Version>, Want, Vec<u8>) -> F + Send + 'static,
) -> Option<Fetch> {
    let Ok(requests) = requests() else { return Some(fetch) };
    let Fetch { key, version, want, bytes, done } = fetch;
    let work = move || -> Pin<Box<dyn Future<Output = ()>>> {
        Box::pin(async move { done(request(key, version, want, bytes).await) })
    };
    // the other end lives as long as the process
    let _ = requests.send(Box::new(work));
    None
}

/// The same for a write.
#[cfg(any(feature = "azure", feature = "gcs", feature = "s3"))]
pub fn start_set<F: Future<Output = Result<()>> + 'static>(
    put: Put,
    request: impl FnOnce(Key, Vec<Part>, Precondition) -> F + Send + 'static,
) -> Option<Put> {
    let Ok(requests) = requests() else { return Some(put) };
    let Put { key, parts: Some(parts), when, done } = put else { return Some(put) };
    let work = move || -> Pin<Box<dyn Future<Output = ()>>> {
        Box::pin(async move { done(request(key, parts, when).await) })
    };
    let _ = requests.send(Box::new(work));
    None
}

/// The thread that requests run on which nobody waits for.
fn requests() -> Result<Arc<UnboundedSender<Work>>> {
    static REQUESTS: PerProcess<UnboundedSender<Work>> = PerProcess::new();
    REQUESTS.get(|| {
        let runtime = runtime()?;
        let (send, mut receive) = unbounded_channel::<Work>();
        let serve = async move {
            while let Some(work) = receive.recv().await {
                tokio::task::spawn_local(work());
            }
        };
        crate::exec::spawn(move || LocalSet::new().block_on(&runtime, serve)).map_err(|e| {
            Error::system("starting the network's threads", e.raw_os_error().unwrap_or(0))
        })?;
        Ok(send)
    })
}

fn runtime() -> Result<Arc<Runtime>> {
    static RUNTIME: PerProcess<Runtime> = PerProcess::new();
    RUNTIME.get(|| {
        choose_cryptography();
        Builder::new_multi_thread()
            .worker_threads(DRIVERS)
            .thread_name("zarrc-network")
            .on_thread_start(|| {
                crate::exec::block_signals();
            })
            .enable_all()
            .build()
            .map_err(|e| {
                Error::system("starting the network's threads", e.raw_os_error().unwrap_or(0))
            })
    })
}

thread_local! {
    /// Whether nothing of the runtime waits for this thread of its.
    static APART: Cell<bool> = const { Cell::new(false) };
}

/// Does, within a request, `work` that waits for others.
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

/// Says who does the arithmetic of TLS, before a library of ours needs to know.
fn choose_cryptography() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// Something with threads or connections, of which the child of a fork makes one of its own: in
/// it the threads that drove its parent's are missing.
pub struct PerProcess<T>(Own<Mutex<Option<Arc<T>>>>);

impl<T> PerProcess<T> {
    /// None yet.
    pub const fn new() -> Self {
        PerProcess(Own::new())
    }

    /// That of this process; `make` is called for its first use.
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
