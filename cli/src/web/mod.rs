//! The web server of `zarrc serve` and `zarrc view`: GET and HEAD over HTTP/1.1, on as many
//! connections as [`CONNECTIONS`]. A handler runs on a thread of its own and may block.

mod body;

pub use body::Body;

use crate::failure::{Failure, Outcome, Result};
use hyper::header::{self, HeaderValue};
use hyper::{Method, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;
use zarrc::error::{Error, Kind};

/// A request; its body is not read.
pub type Request = hyper::Request<()>;
/// The answer to it.
pub type Response = hyper::Response<Body>;
/// Answers requests whose method is GET or HEAD.
pub type Handler = dyn Fn(&Request) -> Response + Send + Sync;

/// Connections at once; further ones wait.
const CONNECTIONS: usize = 128;
/// The most bytes of a request's head.
const HEAD: usize = 32 << 10;
/// For how long a client may send nothing of a request.
const SLOW_REQUEST: Duration = Duration::from_secs(20);
/// For how long a client may take nothing of an answer.
const SLOW_READER: Duration = Duration::from_secs(30);

/// What a server accepts.
pub struct Rules {
    /// The address to listen at; port 0: any that is free.
    pub listen: SocketAddr,
    /// The origin whose pages may read, or `*`.
    pub cors: Option<HeaderValue>,
}

/// Serves until the process ends. Calls `started` with the address once clients can connect.
pub fn run(
    rules: Rules,
    handler: Arc<Handler>,
    started: impl FnOnce(SocketAddr) -> Result<()>,
) -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        // a connection needs one for its handler, and one for the pieces of a long answer
        .max_blocking_threads(2 * CONNECTIONS)
        .enable_all()
        .build()
        .map_err(Failure::io("starting the server"))?;
    let listen = rules.listen;
    let rules = Arc::new(rules);
    runtime.block_on(async {
        let listening = || Failure::io(format!("listening at {listen}"));
        let listener = TcpListener::bind(listen).await.map_err(listening())?;
        started(listener.local_addr().map_err(listening())?)?;
        let connections = Arc::new(Semaphore::new(CONNECTIONS));
        loop {
            let Ok(place) = connections.clone().acquire_owned().await else { break };
            match listener.accept().await {
                Ok((stream, _)) => {
                    let (rules, handler) = (rules.clone(), handler.clone());
                    tokio::spawn(async move {
                        talk(stream, rules, handler).await;
                        drop(place);
                    });
                }
                // such as too many open files: until some of them are closed
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
        Ok(crate::failure::DONE)
    })
}

/// Answers the requests of one connection.
async fn talk(stream: TcpStream, rules: Arc<Rules>, handler: Arc<Handler>) {
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(SLOW_READER));
    let service = hyper::service::service_fn(|request: hyper::Request<hyper::body::Incoming>| {
        let (rules, handler) = (rules.clone(), handler.clone());
        async move {
            let (parts, _) = request.into_parts();
            let request = Request::from_parts(parts, ());
            let answered =
                tokio::task::spawn_blocking(move || answer(&rules, &*handler, &request)).await;
            // it panicked
            let broken = |_| failed(StatusCode::INTERNAL_SERVER_ERROR, "an internal error");
            Ok::<_, Infallible>(answered.unwrap_or_else(broken))
        }
    });
    // a connection that fails is the client's matter
    let _ = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(SLOW_REQUEST)
        .max_buf_size(HEAD)
        .serve_connection(TokioIo::new(Box::pin(stream)), service)
        .await;
}

fn answer(rules: &Rules, handler: &Handler, request: &Request) -> Response {
    let mut response = match *request.method() {
        _ if !is_host_allowed(rules, request) => {
            failed(StatusCode::MISDIRECTED_REQUEST, "the host of the request is not this server")
        }
        Method::GET | Method::HEAD => handler(request),
        Method::OPTIONS if rules.cors.is_some() => preflight(),
        _ => {
            let mut refused = failed(StatusCode::METHOD_NOT_ALLOWED, "read-only: GET and HEAD");
            set(&mut refused, header::ALLOW, "GET, HEAD");
            refused
        }
    };
    // what a store contains must not act as a page
    set(&mut response, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    if let Some(origin) = &rules.cors {
        response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        let exposed = "ETag, Content-Range, Accept-Ranges, Content-Length";
        set(&mut response, header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
    if request.method() == Method::HEAD {
        let length = hyper::body::Body::size_hint(response.body()).exact().unwrap_or(0);
        let headers = response.headers_mut();
        headers.entry(header::CONTENT_LENGTH).or_insert(length.into());
        *response.body_mut() = Body::empty();
    }
    response
}

/// What a page of another origin may ask.
fn preflight() -> Response {
    let mut response = with_status(StatusCode::NO_CONTENT, Body::empty());
    set(&mut response, header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD");
    let asked = "Range, If-Match, If-None-Match, If-Range";
    set(&mut response, header::ACCESS_CONTROL_ALLOW_HEADERS, asked);
    response
}

/// Whether a request names this machine, where only this machine can connect. Else a page whose
/// host name was made to point here (DNS rebinding) could read what is served.
fn is_host_allowed(rules: &Rules, request: &Request) -> bool {
    if !rules.listen.ip().is_loopback() {
        return true;
    }
    let named = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let Some(authority) = named.and_then(|host| host.parse::<hyper::http::uri::Authority>().ok())
    else {
        return false;
    };
    let host = authority.host();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || address.parse::<std::net::IpAddr>().is_ok()
}

/// A response with a body.
pub fn with_status(status: StatusCode, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response
}

/// A response of bytes of a type.
pub fn content(kind: &'static str, bytes: impl Into<bytes::Bytes>) -> Response {
    let mut response = Response::new(Body::whole(bytes));
    set(&mut response, header::CONTENT_TYPE, kind);
    response
}

/// A response that says in words why there is nothing else.
pub fn failed(status: StatusCode, why: impl Into<String>) -> Response {
    let mut response = content("text/plain; charset=utf-8", why.into() + "\n");
    *response.status_mut() = status;
    response
}

/// The response to an error of the library.
pub fn failed_with(error: &Error) -> Response {
    let status = match error.kind() {
        Kind::NotFound => StatusCode::NOT_FOUND,
        Kind::InvalidArgument | Kind::OutOfBounds => StatusCode::BAD_REQUEST,
        Kind::PermissionDenied => StatusCode::FORBIDDEN,
        Kind::LimitExceeded => StatusCode::PAYLOAD_TOO_LARGE,
        Kind::Conflict => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    failed(status, error.to_string())
}

/// Sets a header.
pub fn set(response: &mut Response, name: header::HeaderName, value: &'static str) {
    response.headers_mut().insert(name, HeaderValue::from_static(value));
}

/// A header that a program made.
pub fn made(value: String) -> HeaderValue {
    HeaderValue::from_str(&value).unwrap_or_else(|_| HeaderValue::from_static("-"))
}

/// The path of a request, decoded; `None`: it is not UTF-8.
pub fn path(request: &Request) -> Option<String> {
    let path = request.uri().path();
    let decoded = percent_encoding::percent_decode_str(path.strip_prefix('/').unwrap_or(path));
    Some(decoded.decode_utf8().ok()?.into_owned())
}

/// A parameter of the query, decoded.
pub fn parameter(request: &Request, name: &str) -> Option<String> {
    let query = request.uri().query()?;
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(found, _)| *found == name)?;
    let decoded = percent_encoding::percent_decode_str(value).decode_utf8().ok()?;
    Some(decoded.into_owned())
}
