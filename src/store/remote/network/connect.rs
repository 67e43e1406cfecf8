//! Connections: TCP, to the server or through a proxy, and TLS where the URL says `https`.

use super::client::BoxError;
use super::tls::Trust;
use super::{Settings, guard};
use http::uri::{Scheme, Uri};
use http::{HeaderMap, HeaderValue, header};
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use std::{fmt, io};
use tokio_rustls::TlsConnector;
use tower_service::Service;

/// How often an idle connection is checked by the system.
const KEEPALIVE: Duration = Duration::from_secs(15);

type Pending<T> = Pin<Box<dyn Future<Output = Result<T, BoxError>> + Send>>;

/// Makes the connections of a client.
#[derive(Clone)]
pub struct Connector {
    direct: Direct,
    proxies: Arc<Matcher>,
    timeout: Duration,
    /// Whether unencrypted URLs are refused.
    encrypted: bool,
    user_agent: HeaderValue,
}

impl Connector {
    /// A connector with the time limit and encryption of `settings`. `guarded`: it refuses names
    /// of [reserved addresses](guard).
    pub fn new(
        settings: &Settings,
        trust: Trust,
        proxies: Matcher,
        user_agent: HeaderValue,
        guarded: bool,
    ) -> Self {
        let timeout = settings.connect_timeout;
        let mut tcp = HttpConnector::new_with_resolver(Resolver { guarded });
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_keepalive(Some(KEEPALIVE));
        tcp.set_connect_timeout(Some(timeout));
        Connector {
            direct: Direct { tcp, trust: Arc::new(trust) },
            proxies: Arc::new(proxies),
            timeout,
            encrypted: settings.allow_http == Some(false),
            user_agent,
        }
    }

    /// The login that a proxy needs in each unencrypted request to `to`.
    pub fn proxy_login(&self, to: &Uri) -> Option<HeaderValue> {
        match to.scheme() == Some(&Scheme::HTTP) {
            true => self.proxies.intercept(to)?.basic_auth().cloned(),
            false => None, // the tunnel has it
        }
    }

    async fn connect(mut self, to: Uri) -> Result<Stream, BoxError> {
        if self.encrypted && to.scheme() != Some(&Scheme::HTTPS) {
            return Err(Unresolved("the option allow_http is no".into()).into());
        }
        let Some(proxy) = self.proxies.intercept(&to) else { return self.direct.call(to).await };
        if to.scheme() != Some(&Scheme::HTTPS) {
            let stream = self.direct.call(proxy.uri().clone()).await?;
            return Ok(Stream { to_proxy: true, ..stream });
        }
        let mut tunnel = Tunnel::new(proxy.uri().clone(), self.direct.clone());
        let mut headers = HeaderMap::new();
        headers.insert(header::USER_AGENT, self.user_agent.clone());
        if let Some(login) = proxy.basic_auth() {
            headers.insert(header::PROXY_AUTHORIZATION, login.clone());
        }
        tunnel = tunnel.with_headers(headers);
        let stream = tunnel.call(to.clone()).await?;
        encrypt(stream, &to, &self.direct.trust).await
    }
}

impl Service<Uri> for Connector {
    type Response = Stream;
    type Error = BoxError;
    type Future = Pending<Stream>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, to: Uri) -> Self::Future {
        let (this, limit) = (self.clone(), self.timeout);
        Box::pin(async move {
            let slow = || io::Error::new(io::ErrorKind::TimedOut, "connecting took too long");
            tokio::time::timeout(limit, this.connect(to)).await.map_err(|_| slow())?
        })
    }
}

/// Connects without a proxy.
#[derive(Clone)]
struct Direct {
    tcp: HttpConnector<Resolver>,
    trust: Arc<Trust>,
}

impl Service<Uri> for Direct {
    type Response = Stream;
    type Error = BoxError;
    type Future = Pending<Stream>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, to: Uri) -> Self::Future {
        let Direct { mut tcp, trust } = self.clone();
        Box::pin(async move {
            let scheme = to.scheme_str().unwrap_or_default();
            if !matches!(scheme, "http" | "https") {
                return Err(Unresolved(format!("unsupported scheme {scheme}").into()).into());
            }
            let tcp = tcp.call(to.clone()).await?;
            match scheme {
                "https" => encrypt(tcp, &to, &trust).await,
                _ => Ok(Stream { bytes: Box::new(tcp), to_proxy: false }),
            }
        })
    }
}

async fn encrypt(inner: impl Bytes + 'static, to: &Uri, trust: &Trust) -> Result<Stream, BoxError> {
    let config = trust.config()?;
    let host = to.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
    let name = ServerName::try_from(host)?;
    let tls = TlsConnector::from(config).connect(name, TokioIo::new(inner)).await?;
    Ok(Stream { bytes: Box::new(TokioIo::new(tls)), to_proxy: false })
}

/// A connection's bytes, encrypted or not.
trait Bytes: Read + Write + Send + Unpin {}

impl<T: Read + Write + Send + Unpin> Bytes for T {}

/// A connection.
pub struct Stream {
    bytes: Box<dyn Bytes>,
    /// Whether requests go to a proxy, which needs their whole URLs.
    to_proxy: bool,
}

impl Connection for Stream {
    fn connected(&self) -> Connected {
        Connected::new().proxy(self.to_proxy)
    }
}

impl Read for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.bytes).poll_read(context, buffer)
    }
}

impl Write for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut *self.bytes).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut *self.bytes).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.bytes.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.bytes).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.bytes).poll_shutdown(context)
    }
}

/// Finds the addresses of a name.
#[derive(Clone)]
struct Resolver {
    guarded: bool,
}

impl Service<Name> for Resolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = Unresolved;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Unresolved>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Unresolved>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let guarded = self.guarded;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await;
            let found: Vec<_> = found.map_err(|e| Unresolved(e.into()))?.collect();
            if guarded {
                guard::check_addresses(&found).map_err(|e| Unresolved(e.into()))?;
            }
            Ok(found.into_iter())
        })
    }
}

/// No address, or none that is allowed.
#[derive(Debug)]
pub struct Unresolved(BoxError);

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Unresolved {}
