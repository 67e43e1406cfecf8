//! The HTTP client of the stores. It follows no redirects, and asks for no compression.
//!
//! Connections are HTTP/1.1, one for each request under way: several are faster than one that they
//! share. A connection reads into buffers of [`READ_BUFFER`] bytes, which the next reads reuse.

use super::connect::{Connector, Unresolved};
use super::order;
use super::settings::text;
use bytes::Bytes;
use http::header::{ACCEPT, PROXY_AUTHORIZATION, USER_AGENT};
use http::{HeaderMap, HeaderValue, Request, StatusCode, Uri};
use http_body_util::BodyExt;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::Incoming;
use hyper_util::client::legacy;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::time::Duration;

/// The bytes that one read of a connection may bring. The allocator takes buffers of this length
/// from its heap, not from the system.
const READ_BUFFER: usize = 64 << 10;

/// How long a connection stays open for the next request.
const IDLE: Duration = Duration::from_secs(90);

/// The error of a request's body.
pub type BoxError = Box<dyn StdError + Send + Sync>;

/// The body of a request.
pub type Body = UnsyncBoxBody<Bytes, BoxError>;

/// Sends requests. Clones share their connections.
#[derive(Clone)]
pub struct Client {
    connections: legacy::Client<Connector, Body>,
    connector: Connector,
    user_agent: HeaderValue,
}

impl Client {
    /// A client that connects by `connector`. It belongs to the process that makes it.
    pub fn new(connector: Connector, user_agent: HeaderValue) -> Self {
        let connections = legacy::Client::builder(TokioExecutor::new())
            .http1_read_buf_exact_size(READ_BUFFER)
            .pool_idle_timeout(IDLE)
            .pool_timer(TokioTimer::new())
            .build(connector.clone());
        Client { connections, connector, user_agent }
    }

    /// Sends `request`, whose URL is absolute. Adds `User-Agent`, `Accept` and the
    /// header that a proxy needs.
    pub async fn send(&self, mut request: Request<Body>) -> Result<Response, Broken> {
        let proxy_login = self.connector.proxy_login(request.uri());
        let headers = request.headers_mut();
        headers.entry(USER_AGENT).or_insert_with(|| self.user_agent.clone());
        headers.entry(ACCEPT).or_insert(HeaderValue::from_static("*/*"));
        if let Some(login) = proxy_login {
            headers.insert(PROXY_AUTHORIZATION, login);
        }
        let url = request.uri().clone();
        order::sends();
        let answer = self.connections.request(request).await.map_err(|e| Broken::new(&e))?;
        order::receives().await;
        let (parts, body) = answer.into_parts();
        Ok(Response { url, parts, body })
    }
}

/// The response to a request.
pub struct Response {
    /// The URL of the request.
    pub url: Uri,
    pub parts: http::response::Parts,
    body: Incoming,
}

impl Response {
    /// The status.
    pub fn status(&self) -> StatusCode {
        self.parts.status
    }

    /// The headers.
    pub fn headers(&self) -> &HeaderMap {
        &self.parts.headers
    }

    /// The next bytes of the body; `None`: it ends here.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, Broken> {
        while let Some(frame) = self.body.frame().await {
            // trailers are of no interest
            if let Ok(data) = frame.map_err(|e| Broken::new(&e))?.into_data() {
                return Ok(Some(data));
            }
        }
        Ok(None)
    }

    /// The head and the body.
    pub fn into_parts(self) -> (http::response::Parts, Incoming) {
        (self.parts, self.body)
    }
}

/// Why a request has no complete answer.
#[derive(Debug)]
pub struct Broken {
    words: String,
    pub cause: Cause,
}

/// The kinds of failures that are retried differently.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cause {
    /// No address, or none that is allowed.
    Unresolved,
    /// Encryption failed, such as for a certificate that is not trusted.
    Untrusted,
    /// No connection.
    Refused,
    /// Connecting took too long.
    Slow,
    /// The server closed the connection before it answered.
    Closed,
    /// The connection ended in between.
    Cut,
    Other,
}

impl Broken {
    /// Classifies an error of hyper's.
    #[cold]
    pub fn new(error: &(dyn StdError + 'static)) -> Self {
        let connects = error.downcast_ref::<legacy::Error>().is_some_and(legacy::Error::is_connect);
        let mut cause = if connects { Cause::Refused } else { Cause::Other };
        let mut next = Some(error);
        while let Some(inner) = next {
            let io = inner.downcast_ref::<io::Error>();
            let hyper = inner.downcast_ref::<hyper::Error>();
            if inner.is::<Unresolved>() {
                cause = Cause::Unresolved;
            } else if inner.is::<rustls::Error>() {
                cause = Cause::Untrusted;
            } else if cause == Cause::Refused {
                if io.is_some_and(|e| e.kind() == io::ErrorKind::TimedOut) {
                    cause = Cause::Slow;
                }
            } else if cause == Cause::Other {
                if hyper.is_some_and(|e| {
                    e.is_closed() || e.is_incomplete_message() || e.is_body_write_aborted()
                }) {
                    cause = Cause::Closed;
                } else if io.is_some_and(|e| is_cut(e.kind())) {
                    cause = Cause::Cut;
                }
            }
            // an I/O error's `source` skips the error that it wraps
            next = match io.and_then(io::Error::get_ref) {
                Some(carried) => Some(carried),
                None => inner.source(),
            };
        }
        Broken { words: text(error), cause }
    }
}

fn is_cut(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    matches!(kind, BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof)
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl StdError for Broken {}
