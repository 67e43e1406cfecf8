//! Connects object_store to the network: [`Wire`] sends each request, bounds the size of the
//! response, and records the outcome in the [`Call`] that the request belongs to. Errors are made
//! from that record: they name the request without its query and never repeat credentials.

use crate::error::{Error, Kind, Result};
use crate::fork::{Held, Lock};
use crate::store::remote::network::Settings;
use crate::store::remote::network::client::{BoxError, Broken, Cause, Client};
use crate::store::remote::network::settings::{text, too_slow};
use async_trait::async_trait;
use futures::StreamExt;
use http::header::{HeaderName, HeaderValue};
use http_body_util::BodyExt;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse,
    HttpResponseBody, HttpService,
};
use object_store::{BackoffConfig, ClientConfigKey, ClientOptions, RetryConfig};
use std::io;
use std::sync::{Arc, RwLockWriteGuard};
use std::time::{Duration, Instant};

/// The longest response that is not a value (bytes): a listing page has up to 5000 keys of up to
/// 1024 bytes, each with some metadata.
const LARGEST_DOCUMENT: usize = 64 << 20;

/// How long a server that refuses connections is retried.
const REFUSING: Duration = Duration::from_secs(2);

/// The most bytes read of an error response.
const LARGEST_EXPLANATION: usize = 64 << 10;

tokio::task_local! {
    static CALL: Arc<Call>;
}

/// One call of a store: extra headers of its requests, and the outcome of the last one.
#[derive(Default)]
pub struct Call {
    /// A condition added to deletions and to completions of uploads, for which object_store has
    /// none.
    condition: Option<(HeaderName, HeaderValue)>,
    /// Whether the response body is a value, which is streamed.
    value: bool,
    last: Lock<Last>,
}

#[derive(Default)]
struct Last {
    /// The method and the URL without its query.
    request: String,
    ended: Ended,
    /// The number of requests.
    requests: usize,
    /// Since when connecting fails.
    refused: Option<Instant>,
    /// The length of the whole value in the last response to a range request.
    length: Option<u64>,
}

#[derive(Default)]
enum Ended {
    #[default]
    Unsent,
    /// The status, the service's message, and the bucket's region if it names one.
    Status(u16, String, Option<String>),
    Cut(String),
    /// No connection, for as long as it was retried.
    Refused(String),
    /// No answer at the addresses of the cloud's instance metadata.
    Nobody,
}

/// An extra header of one request.
#[derive(Clone)]
pub struct Besides(pub HeaderName, pub HeaderValue);

impl Call {
    /// A call that reads a value.
    pub fn of_value() -> Self {
        Call { value: true, ..Call::default() }
    }

    /// A call whose deletion or completion requires `condition`.
    pub fn on(condition: Option<(HeaderName, HeaderValue)>) -> Self {
        Call { condition, ..Call::default() }
    }

    /// The call of the current task.
    pub fn current() -> Arc<Call> {
        CALL.try_with(Arc::clone).unwrap_or_default()
    }

    /// Runs `work` as part of this call.
    pub async fn scope<T>(self: Arc<Self>, work: impl Future<Output = T>) -> T {
        CALL.scope(self, work).await
    }

    /// The extra header of deletions and completions.
    pub fn condition(&self) -> Option<&(HeaderName, HeaderValue)> {
        self.condition.as_ref()
    }

    fn last(&self) -> Held<RwLockWriteGuard<'_, Last>> {
        self.last.write()
    }

    /// The last request.
    pub fn request(&self) -> String {
        self.last().request.clone()
    }

    /// The number of requests, retries included.
    pub fn requests(&self) -> usize {
        self.last().requests
    }

    /// Whether the last response was a success.
    pub fn succeeded(&self) -> bool {
        matches!(self.last().ended, Ended::Status(200..=299, ..))
    }

    /// Whether a retry may help: the response succeeded but is invalid, or the connection was cut.
    pub fn is_worth_another(&self) -> bool {
        matches!(self.last().ended, Ended::Status(200..=299, ..) | Ended::Cut(_))
    }

    /// The length of the whole value, if the last response to a range request has it.
    pub fn length(&self) -> Option<u64> {
        self.last().length
    }

    /// Whether the last response was that the object, not its bucket, is absent.
    pub fn is_absent(&self) -> bool {
        match &self.last().ended {
            Ended::Status(404, words, _) => {
                !["NoSuchBucket", "ContainerNotFound", "ContainerBeingDeleted", "ResourceNotFound"]
                    .iter()
                    .any(|code| words.contains(code))
            }
            _ => false,
        }
    }

    /// The bucket's region, if the last response redirected us.
    pub fn region(&self) -> Option<String> {
        match &self.last().ended {
            Ended::Status(301 | 307 | 400, _, region) => region.clone(),
            _ => None,
        }
    }

    /// The error of the last request. [`Kind::NotFound`]: not found; [`Kind::Conflict`]: a
    /// condition does not hold; [`Kind::PermissionDenied`]; [`Kind::Unsupported`]: not with this
    /// server; [`Kind::CorruptData`]: a range beyond the end of a value; [`Kind::Io`]: any other
    /// failure.
    #[cold]
    pub fn error(&self, e: &object_store::Error) -> Error {
        let (kind, code, words) = match &self.last().ended {
            Ended::Status(code, words, region) if !(200..300).contains(code) => {
                let credentials = words.contains("Token") || words.contains("Expired");
                let (kind, advice) = match code {
                    404 => (Kind::NotFound, ""),
                    409 | 412 => (Kind::Conflict, ""),
                    400 | 401 | 403 if *code != 400 || credentials => (
                        Kind::PermissionDenied,
                        ": the credentials are missing, have expired or do not allow it",
                    ),
                    416 => (Kind::CorruptData, ": the value ends before"),
                    405 | 501 => (Kind::Unsupported, ": this server does not do that"),
                    300..=399 => (Kind::Io, ": what it asks for is elsewhere"),
                    _ => (Kind::Io, ""),
                };
                let region = region.as_ref().map(|region| format!("; the region is {region}"));
                (kind, *code, format!("{words}{advice}{}", region.unwrap_or_default()))
            }
            Ended::Status(code, ..) => (Kind::Io, *code, inner_text(e)),
            Ended::Cut(words) | Ended::Refused(words) => (Kind::Io, 0, words.clone()),
            Ended::Nobody => (
                Kind::PermissionDenied,
                0,
                "there are no credentials in options, environment or files, and nobody at this \
                 address has any: set some, or the option anonymous where everyone may"
                    .to_owned(),
            ),
            Ended::Unsent => {
                let kind = match e {
                    object_store::Error::InvalidPath { .. } => Kind::InvalidArgument,
                    object_store::Error::NotSupported { .. }
                    | object_store::Error::NotImplemented { .. } => Kind::Unsupported,
                    _ => Kind::Io,
                };
                (kind, 0, inner_text(e))
            }
        };
        Error::new(kind, words).with_system_code(i32::from(code))
    }
}

/// The message of an error's innermost cause; outer ones quote the request as sent.
fn inner_text(e: &object_store::Error) -> String {
    let mut inner: &dyn std::error::Error = e;
    while let Some(cause) = inner.source() {
        inner = cause;
    }
    inner.to_string()
}

/// Makes the clients of a process.
#[derive(Clone)]
pub struct Connector {
    client: Client,
    /// For the addresses of the cloud's instance metadata, which few ask for credentials.
    near: Settings,
    timeout: Duration,
    max_retries: usize,
}

impl std::fmt::Debug for Connector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Connector")
    }
}

impl Connector {
    /// A connector with `settings`; its clients belong to the process that makes it.
    pub fn new(settings: &Settings) -> Result<Self> {
        let near = Settings {
            connect_timeout: Duration::from_secs(1),
            timeout: Duration::from_secs(2),
            allow_http: None,
            ..settings.clone()
        };
        Ok(Connector {
            client: settings.client(false)?,
            near,
            timeout: settings.timeout,
            max_retries: settings.max_retries,
        })
    }

    /// The client options for object_store's builders. They have no connect timeout:
    /// [`HttpConnector::connect`] recognizes the clients of nearby addresses by theirs.
    pub fn client_options(&self) -> ClientOptions {
        ClientOptions::new().with_connect_timeout_disabled().with_timeout_disabled()
    }

    /// How requests are retried.
    pub fn retry(&self) -> RetryConfig {
        RetryConfig {
            backoff: BackoffConfig::default(),
            max_retries: self.max_retries,
            retry_timeout: self.timeout,
        }
    }

    /// A client for requests that object_store does not support.
    #[cfg(feature = "azure")]
    pub fn wire(&self) -> HttpClient {
        HttpClient::new(Wire { client: self.client.clone(), near: None })
    }
}

impl HttpConnector for Connector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let near = options.get_config_value(&ClientConfigKey::ConnectTimeout).is_some();
        let client = match near {
            true => self.near.client(false).map_err(|e| object_store::Error::Generic {
                store: "instance metadata",
                source: Box::new(e),
            })?,
            false => self.client.clone(),
        };
        let near = near.then_some(self.near.timeout);
        Ok(HttpClient::new(Wire { client, near }))
    }
}

struct Wire {
    client: Client,
    /// The time limit of each request to addresses nearby; the others have that of their call.
    near: Option<Duration>,
}

impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wire")
    }
}

#[async_trait]
impl HttpService for Wire {
    async fn call(&self, mut request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let call = Call::current();
        let query = request.uri().query().unwrap_or_default();
        let bulk = query == "delete";
        let deletes = request.method() == http::Method::DELETE;
        if let Some((name, value)) = call.condition()
            && (deletes || query.starts_with("uploadId="))
        {
            request.headers_mut().insert(name.clone(), value.clone());
        }
        if let Some(Besides(name, value)) = request.extensions().get().cloned() {
            request.headers_mut().insert(name, value);
        }
        let place = {
            let uri = request.uri();
            let (scheme, host) = (uri.scheme_str().unwrap_or_default(), uri.host().unwrap_or(""));
            let port = uri.port().map(|port| format!(":{port}")).unwrap_or_default();
            format!("{} {scheme}://{host}{port}{}", request.method(), uri.path())
        };
        {
            let mut last = call.last();
            last.request = place;
            last.requests += 1;
            last.length = None;
        }
        let answer = async { self.take(self.send(request).await?, &call, bulk).await };
        let result = match self.near {
            Some(limit) => tokio::time::timeout(limit, answer)
                .await
                .unwrap_or_else(|_| Err(HttpError::new(HttpErrorKind::Timeout, too_slow(limit)))),
            None => answer.await,
        };
        result.map_err(|e| {
            let mut last = call.last();
            let since = match e.kind() {
                HttpErrorKind::Connect => Some(*last.refused.get_or_insert_with(Instant::now)),
                _ => None,
            };
            last.ended = match since {
                _ if self.near.is_some() => Ended::Nobody,
                Some(since) if since.elapsed() >= REFUSING => Ended::Refused(text(&e)),
                _ => Ended::Cut(text(&e)),
            };
            // a retry will not find a metadata server
            match last.ended {
                Ended::Cut(_) => e,
                _ => HttpError::new(HttpErrorKind::Unknown, e),
            }
        })
    }
}

impl Wire {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let request = request.map(|body| body.map_err(BoxError::from).boxed_unsync());
        let (parts, body) = self.client.send(request).await.map_err(failed)?.into_parts();
        let body = body.map_err(|e| failed(Broken::new(&e)));
        Ok(HttpResponse::from_parts(parts, HttpResponseBody::new(body)))
    }

    /// Takes a response; everything but a value is read within bounds.
    /// `bulk`: it answers a request to delete many objects.
    async fn take(
        &self,
        answer: HttpResponse,
        call: &Call,
        bulk: bool,
    ) -> Result<HttpResponse, HttpError> {
        let (parts, body) = answer.into_parts();
        let status = parts.status;
        let header = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
        let region = header("x-amz-bucket-region").map(str::to_owned);
        let range = header("content-range").and_then(|range| range.rsplit_once('/'));
        call.last().length = range.and_then(|(_, length)| length.parse().ok());
        if status.is_success() && call.value {
            call.last().ended = Ended::Status(status.as_u16(), String::new(), None);
            return Ok(HttpResponse::from_parts(parts, body));
        }
        let limit = if status.is_success() { LARGEST_DOCUMENT } else { LARGEST_EXPLANATION };
        let mut bytes = Vec::new();
        let mut body = body.bytes_stream();
        while let Some(piece) = body.next().await {
            let piece = piece?;
            if bytes.len() + piece.len() > limit {
                if !status.is_success() {
                    break;
                }
                let words = format!("the answer is longer than {limit} bytes");
                return Err(HttpError::new(HttpErrorKind::Unknown, io::Error::other(words)));
            }
            bytes.extend_from_slice(&piece);
        }
        let words = match status.is_success() {
            true => String::new(),
            false => {
                // a HEAD has no body; Azure also sends the code in a header
                let said = explanation(&bytes).or(header("x-ms-error-code").map(str::to_owned));
                match said {
                    Some(said) => format!("{status}: {said}"),
                    None => status.to_string(),
                }
            }
        };
        call.last().ended = Ended::Status(status.as_u16(), words, region);
        if bulk && status.is_success() {
            let refused = |words| HttpError::new(HttpErrorKind::Unknown, io::Error::other(words));
            bytes = all_deleted(&bytes).map_err(refused)?.into();
        }
        Ok(HttpResponse::from_parts(parts, bytes.into()))
    }
}

#[cold]
fn failed(broken: Broken) -> HttpError {
    let kind = match broken.cause {
        Cause::Unresolved | Cause::Untrusted | Cause::Refused => HttpErrorKind::Connect,
        Cause::Slow => HttpErrorKind::Timeout,
        Cause::Closed => HttpErrorKind::Request,
        Cause::Cut => HttpErrorKind::Interrupted,
        Cause::Other => HttpErrorKind::Unknown,
    };
    HttpError::new(kind, broken)
}

/// The answer to the deletion of many objects without what it says about each, or the first error
/// in it: for one about a key that was not to be deleted, object_store panics.
fn all_deleted(body: &[u8]) -> Result<&'static str, String> {
    let text = std::str::from_utf8(body).unwrap_or_default();
    if !text.contains("DeleteResult") {
        return Err("the answer does not say what was deleted".into());
    }
    let mut errors = text.split("<Error").skip(1).map(|error| explanation(error.as_bytes()));
    match errors.find(|words| !words.as_ref().is_some_and(|w| w.starts_with("NoSuchKey"))) {
        Some(words) => Err(words.unwrap_or_else(|| "an object was not deleted".into())),
        // object_store expects one at least, and does not look at it
        None => Ok("<DeleteResult><Deleted><Key>all</Key></Deleted></DeleteResult>"),
    }
}

/// The code and message of an error in XML or JSON, and nothing else: some services repeat the
/// request in it.
fn explanation(body: &[u8]) -> Option<String> {
    let body = std::str::from_utf8(body).ok()?;
    let said: Vec<String> = ["Code", "Message"]
        .iter()
        .filter_map(|name| {
            let (_, rest) = body.split_once(&format!("<{name}>"))?;
            let (words, _) = rest.split_once(&format!("</{name}>"))?;
            Some(words.lines().next()?.chars().take(300).collect())
        })
        .collect();
    if !said.is_empty() {
        return Some(said.join(": "));
    }
    let json: serde_json::Value = serde_json::from_str(body).ok()?;
    let error = json.get("error")?;
    let message = error.get("message").or(json.get("error_description")).unwrap_or(error);
    Some(message.as_str()?.chars().take(300).collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn an_explanation_is_its_code_and_message() {
        for (body, expected) in [
            (
                "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code><Message>No.\nx</Message>\
                 <StringToSign>secret</StringToSign></Error>",
                Some("AccessDenied: No."),
            ),
            ("<Error><Code>NoSuchKey</Code></Error>", Some("NoSuchKey")),
            (r#"{"error": {"code": 404, "message": "Not Found"}}"#, Some("Not Found")),
            (r#"{"error": "invalid_grant", "error_description": "Expired"}"#, Some("Expired")),
            ("<html>busy</html>", None),
            ("", None),
        ] {
            assert_eq!(explanation(body.as_bytes()).as_deref(), expected, "{body}");
        }
    }
}
