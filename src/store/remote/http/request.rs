//! Requests to a web server, retried where that may help and time allows: RFC 9110.
//!
//! - A few redirects are followed, to web servers only. Credentials go only to the host that they
//!   were meant for, and no redirect may lead to a reserved address.
//! - A server that refuses connections is retried for a few seconds, since it may be restarting.
//! - Compression is not requested: ranges count stored bytes.

use super::super::network::client::{Body, Broken, Cause, Client, Response};
use super::super::network::settings::{Settings, too_slow};
use super::super::network::{PerProcess, Retries, guard};
use super::address::{Address, shown};
use crate::error::{Error, Kind, Result};
use bytes::Bytes;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt, Empty};
use std::time::Duration;
use url::Url;

/// The most redirects followed for one request.
const REDIRECTS: usize = 10;

/// How long a server that refuses connections is retried.
pub const REFUSING: Duration = Duration::from_secs(3);

/// Makes requests.
pub struct Requests {
    client: PerProcess<Client>,
    /// The client for redirects: it refuses reserved addresses.
    guarded: PerProcess<Client>,
    settings: Settings,
    /// Credentials and other headers sent with each request.
    headers: HeaderMap,
}

/// A request.
pub struct Ask {
    pub method: Method,
    pub url: Url,
    /// The request's own headers.
    pub headers: HeaderMap,
}

impl Ask {
    /// A request without headers of its own.
    pub fn new(method: Method, url: Url) -> Self {
        Ask { method, url, headers: HeaderMap::new() }
    }

    /// Adds a header; `value` is digits, or came from a server.
    pub fn with(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.insert(name, value);
        }
        self
    }
}

/// Why an attempt failed.
pub struct Failure {
    error: Error,
    /// Whether a retry may succeed.
    again: bool,
    /// The pause that the server asks for (`Retry-After`).
    after: Option<Duration>,
    /// Whether the connection failed.
    refused: bool,
}

impl Failure {
    /// A failure that a retry may fix.
    pub fn again(error: Error) -> Self {
        Failure { error, again: true, after: None, refused: false }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure { error, again: false, after: None, refused: false }
    }
}

impl From<Broken> for Failure {
    #[cold]
    fn from(broken: Broken) -> Self {
        // a bad certificate stays bad
        let again = !matches!(broken.cause, Cause::Unresolved | Cause::Untrusted);
        let refused = broken.cause == Cause::Refused;
        Failure { error: Error::new(Kind::Io, broken.to_string()), again, after: None, refused }
    }
}

impl Requests {
    /// Requests to the server at `address`; `own` are the caller's headers.
    pub fn new(address: &Address, settings: Settings, own: HeaderMap) -> Result<Self> {
        let mut headers = own;
        if let Some((user, password)) = &address.login {
            use base64::prelude::{BASE64_STANDARD, Engine as _};
            let login = BASE64_STANDARD.encode(format!("{user}:{password}"));
            if let Ok(mut value) = HeaderValue::from_str(&format!("Basic {login}")) {
                value.set_sensitive(true);
                headers.insert(header::AUTHORIZATION, value);
            }
        }
        Ok(Requests { client: PerProcess::new(), guarded: PerProcess::new(), settings, headers })
    }

    /// The client for requests to `url`; unless the URL is `ours`, a server sent us to it.
    fn client(&self, url: &Url, ours: bool) -> Result<Client> {
        let client = if ours && !self.settings.for_strangers {
            self.client.get(|| self.settings.client(false))?
        } else {
            guard::check(url)?;
            self.guarded.get(|| self.settings.client(true))?
        };
        Ok((*client).clone())
    }

    /// Sends `ask` and returns what `take` makes of the response; `None`: the resource is absent.
    /// Each attempt calls `take` again.
    ///
    /// [`Kind::PermissionDenied`]: 401 and 403; [`Kind::Conflict`]: 412; [`Kind::Io`]: any other
    /// failure.
    pub async fn run<T>(
        &self,
        ask: &Ask,
        mut take: impl AsyncFnMut(Response) -> Result<T, Failure>,
    ) -> Result<Option<T>> {
        let limit = self.settings.timeout;
        let mut retries = Retries::new(self.settings.max_retries, limit);
        loop {
            let attempt = async {
                let Some(response) = self.send(ask).await? else { return Ok(None) };
                take(response).await.map(Some)
            };
            let failure = match tokio::time::timeout_at(retries.end().into(), attempt).await {
                Ok(Ok(done)) => return Ok(done),
                Ok(Err(failure)) => failure,
                Err(_) => too_slow(limit).into(),
            };
            let within = failure.refused.then_some(REFUSING);
            match retries.pause(failure.after, within).filter(|_| failure.again) {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return Err(self.failed(ask, failure, retries.failures())),
            }
        }
    }

    #[cold]
    fn failed(&self, ask: &Ask, failure: Failure, attempts: usize) -> Error {
        let (error, url) = (failure.error, shown(&ask.url));
        let asked = match (failure.after, attempts) {
            (Some(pause), _) => format!(", which asks for a pause of {pause:?}"),
            (None, 1) => String::new(),
            (None, n) => format!(", after {n} attempts"),
        };
        Error::new(error.kind(), format!("{} {url}: {error}{asked}", ask.method))
            .with_system_code(error.system_code())
    }

    /// Sends the request, follows redirects and checks the status. `None`: 404 or 410. The response
    /// returned has status 2xx or 416.
    async fn send(&self, ask: &Ask) -> Result<Option<Response>, Failure> {
        let mut url = ask.url.clone();
        let mut ours = true;
        for _ in 0..=REDIRECTS {
            let response = self.client(&url, ours)?.send(self.request(ask, &url, ours)?).await?;
            let status = response.status();
            if !matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
                return self.judge(response);
            }
            let to = self.redirected(&url, response.headers())?;
            if to.path().strip_suffix('/') == Some(url.path()) {
                return Ok(None); // a directory, not a value
            }
            url = to;
            // once redirected to another host, credentials stay off, even if redirected back
            ours &= url.origin() == ask.url.origin();
        }
        let words = format!("it was redirected more than {REDIRECTS} times");
        Err(Error::new(Kind::Io, words).into())
    }

    /// The request `ask` to `url`, with the caller's headers if that is `ours`.
    fn request(&self, ask: &Ask, url: &Url, ours: bool) -> Result<Request<Body>> {
        let body = Empty::<Bytes>::new().map_err(|e| match e {}).boxed_unsync();
        let request = Request::builder().method(ask.method.clone()).uri(url.as_str());
        let mut request = request.body(body).map_err(|e| Error::invalid(e.to_string()))?;
        let headers = request.headers_mut();
        if ours {
            headers.extend(self.headers.clone());
        }
        headers.extend(ask.headers.clone());
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        Ok(request)
    }

    fn redirected(&self, from: &Url, headers: &HeaderMap) -> Result<Url> {
        let to = headers.get(header::LOCATION).and_then(|to| to.to_str().ok());
        let to = to.and_then(|to| from.join(to).ok());
        let refuse = |why: &str| Err(Error::new(Kind::Io, format!("it is redirected {why}")));
        let Some(mut to) = to else { return refuse("to nowhere") };
        match (from.scheme(), to.scheme()) {
            (_, "https") | ("http", "http") => {}
            ("https", "http") if self.settings.allow_http == Some(true) => {}
            ("https", "http") => {
                return refuse(
                    "to a server without encryption, and the option allow_http is not yes",
                );
            }
            (_, other) => return refuse(&format!("to what is no web server, {other:?}")),
        }
        let _ = to.set_username("");
        let _ = to.set_password(None);
        Ok(to)
    }

    fn judge(&self, response: Response) -> Result<Option<Response>, Failure> {
        let status = response.status();
        let code = i32::from(status.as_u16());
        let why = |kind, words: &str| {
            let reason = status.canonical_reason().unwrap_or("a status of its own");
            let words = format!("the server answers {code} ({reason}){words}");
            Error::new(kind, words).with_system_code(code)
        };
        match status {
            StatusCode::OK | StatusCode::PARTIAL_CONTENT | StatusCode::RANGE_NOT_SATISFIABLE => {
                Ok(Some(response))
            }
            StatusCode::NOT_FOUND | StatusCode::GONE => Ok(None),
            StatusCode::PRECONDITION_FAILED => {
                Err(why(Kind::Conflict, ": the value was replaced in between").into())
            }
            StatusCode::UNAUTHORIZED => {
                let words = ": it wants credentials, or others (user:password@ in the URL, the \
                             options bearer_token or headers, a query that is still valid)";
                Err(why(Kind::PermissionDenied, words).into())
            }
            StatusCode::FORBIDDEN => {
                let words = ": the credentials do not allow it, or are no longer valid, or the \
                             server answers so for what it does not have";
                Err(why(Kind::PermissionDenied, words).into())
            }
            StatusCode::PROXY_AUTHENTICATION_REQUIRED => {
                Err(why(Kind::PermissionDenied, ": the proxy wants credentials").into())
            }
            StatusCode::REQUEST_TIMEOUT
            | StatusCode::TOO_EARLY
            | StatusCode::TOO_MANY_REQUESTS
            | StatusCode::INTERNAL_SERVER_ERROR
            | StatusCode::BAD_GATEWAY
            | StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::GATEWAY_TIMEOUT => Err(Failure {
                error: why(Kind::Io, ""),
                again: true,
                after: retry_after(response.headers()),
                refused: false,
            }),
            _ => Err(why(Kind::Io, "").into()),
        }
    }
}

/// The seconds of a `Retry-After`; dates are ignored, since clocks differ.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?;
    text.trim().parse().ok().map(Duration::from_secs)
}
