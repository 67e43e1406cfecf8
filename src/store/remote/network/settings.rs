//! Connection settings of the network stores, from their common options.

#[cfg(feature = "web")]
use super::{client::Client, connect::Connector};
use crate::error::{Error, Kind, Result};
use crate::store::Options;
#[cfg(feature = "web")]
use http::HeaderValue;
#[cfg(feature = "web")]
use hyper_util::client::proxy::matcher::Matcher;
use std::future::Future;
use std::path::PathBuf;
use std::time::Duration;
#[cfg(feature = "web")]
use url::Url;

/// Request settings. They hold secrets (a proxy's password), so there is no `Debug`.
#[derive(Clone)]
pub struct Settings {
    /// The time limit of a request, retries included.
    pub timeout: Duration,
    /// The time limit for connecting.
    pub connect_timeout: Duration,
    /// The most retries of a request.
    pub max_retries: usize,
    /// The proxy of all requests; `None`: as the environment says.
    pub proxy_url: Option<String>,
    /// A PEM file of certificates to trust besides the system's.
    pub ca_file: Option<PathBuf>,
    /// Whether to allow connections without encryption; `None`: if the URL itself says so.
    pub allow_http: Option<bool>,
    /// Whether to accept invalid certificates.
    pub allow_invalid_certificates: bool,
    /// The `User-Agent`.
    pub user_agent: String,
    /// Whether a document or server, not the caller, chose the addresses.
    pub for_strangers: bool,
}

impl Settings {
    /// Reads the options; unset ones have their defaults.
    pub fn new(options: &Options) -> Self {
        let text = |name| options.text(name).filter(|text| !text.is_empty()).map(str::to_owned);
        let time = |name| options.time(name).unwrap_or_default();
        Settings {
            timeout: time("timeout"),
            connect_timeout: time("connect_timeout"),
            max_retries: options.number("max_retries").unwrap_or(0) as usize,
            proxy_url: text("proxy_url"),
            ca_file: text("ca_file").map(PathBuf::from),
            allow_http: [Some(false), Some(true)]
                .get(options.number("allow_http").unwrap_or(0) as usize)
                .copied()
                .flatten(),
            allow_invalid_certificates: options.is("allow_invalid_certificates"),
            user_agent: text("user_agent")
                .unwrap_or_else(|| concat!("zarrc/", env!("CARGO_PKG_VERSION")).to_owned()),
            for_strangers: options.are_for_strangers(),
        }
    }

    /// An HTTP client with these settings. `guarded`: for addresses that the caller did not choose;
    /// it resolves no names of [reserved addresses](super::guard). It belongs to the process that
    /// makes it.
    ///
    /// [`Kind::InvalidArgument`]: the proxy or the user agent is invalid; fails with the error of
    /// reading the certificate file.
    #[cfg(feature = "web")]
    pub fn client(&self, guarded: bool) -> Result<Client> {
        let user_agent = HeaderValue::from_str(&self.user_agent)
            .map_err(|e| Error::invalid(format!("option user_agent: {e}")))?;
        let trust = super::tls::Trust::new(self, &[b"http/1.1"])?;
        let connector = Connector::new(self, trust, self.proxies()?, user_agent.clone(), guarded);
        Ok(Client::new(connector, user_agent))
    }

    /// Which requests go through a proxy, and which one.
    #[cfg(feature = "web")]
    fn proxies(&self) -> Result<Matcher> {
        let Some(url) = &self.proxy_url else { return Ok(Matcher::from_system()) };
        let url = if url.contains("://") { url.clone() } else { format!("http://{url}") };
        // the option's value may hold a password
        let refused = |why: String| Error::invalid(format!("option proxy_url: {why}"));
        let parsed = Url::parse(&url).map_err(|e| refused(e.to_string()))?;
        if !matches!(parsed.scheme(), "http" | "https") {
            let scheme = parsed.scheme();
            return Err(refused(format!("{scheme}: expected an http or https proxy")));
        }
        let uri = url.parse::<http::Uri>().map_err(|e| refused(e.to_string()))?;
        let exempt = ["NO_PROXY", "no_proxy"].iter().find_map(|name| std::env::var(name).ok());
        let builder = Matcher::builder().all(uri.to_string());
        Ok(builder.no(exempt.unwrap_or_default()).build())
    }

    /// Waits for the result of a request, within the time limit of a request.
    ///
    /// [`Kind::Io`]: the limit was exceeded.
    pub fn wait<T>(&self, request: impl Future<Output = Result<T>>) -> Result<T> {
        super::wait(self.limit(request))
    }

    /// The same within a request.
    pub async fn limit<T>(&self, request: impl Future<Output = Result<T>>) -> Result<T> {
        let limit = self.timeout;
        tokio::time::timeout(limit, request).await.unwrap_or_else(|_| Err(too_slow(limit)))
    }

    /// Refuses an unencrypted URL where the options do.
    ///
    /// [`Kind::InvalidArgument`]: it is refused.
    #[cfg(feature = "web")]
    pub fn check_encryption(&self, url: &Url) -> Result<()> {
        if self.allow_http == Some(false) && url.scheme() == "http" {
            let host = url.host_str().unwrap_or_default();
            return Err(Error::invalid(format!(
                "http://{host} is not encrypted, and the option allow_http is no"
            )));
        }
        Ok(())
    }
}

/// The error of a request that exceeded `limit`.
#[cold]
pub fn too_slow(limit: Duration) -> Error {
    Error::new(Kind::Io, format!("no complete answer within {limit:?} (option timeout)"))
}

/// An error's message with its causes, which say more.
pub fn text(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut behind = error.source();
    while let Some(cause) = behind {
        let more = cause.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        behind = cause.source();
    }
    text
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn set(settings: &[(&str, &str)]) -> Settings {
        let mut options = Options::default();
        settings.iter().for_each(|(name, value)| options.set(name, value).unwrap());
        Settings::new(&options)
    }

    #[test]
    fn what_is_set_and_what_is_not() {
        let defaults = set(&[]);
        assert_eq!(defaults.timeout, Duration::from_secs(60));
        assert_eq!(defaults.connect_timeout, Duration::from_secs(10));
        assert_eq!((defaults.max_retries, defaults.allow_http), (10, None));
        assert!(defaults.user_agent.starts_with("zarrc/"));
        assert!(defaults.proxy_url.is_none() && !defaults.allow_invalid_certificates);
        defaults.client(false).unwrap();
        let set = set(&[
            ("timeout", "2"),
            ("max_retries", "0"),
            ("allow_http", "no"),
            ("proxy", "http://me:secret@127.0.0.1:1"),
            ("user_agent", "x"),
            ("allow_invalid_certificates", "yes"),
        ]);
        assert_eq!((set.timeout, set.max_retries), (Duration::from_secs(2), 0));
        assert_eq!((set.allow_http, set.user_agent.as_str()), (Some(false), "x"));
        assert!(set.allow_invalid_certificates && set.proxy_url.is_some());
        set.client(false).unwrap();
        let url = Url::parse("http://a.b/c").unwrap();
        assert!(set.check_encryption(&url).unwrap_err().to_string().contains("allow_http"));
        assert!(defaults.check_encryption(&url).is_ok());
    }

    #[test]
    fn what_cannot_be_names_its_option_and_no_secret() {
        for (name, value, kind) in [
            ("proxy_url", "http://me:secret@[::1", Kind::InvalidArgument),
            ("ca_file", "/no/such/file.pem", Kind::NotFound),
            ("ca_file", "/dev/null", Kind::InvalidArgument),
        ] {
            let e = set(&[(name, value)]).client(false).map(drop).unwrap_err();
            assert_eq!(e.kind(), kind, "{e}");
            assert!(e.to_string().contains(name) && !e.to_string().contains("secret"), "{e}");
        }
    }

    #[test]
    fn a_request_ends_with_its_time() {
        let settings = set(&[("timeout", "20ms")]);
        let never = settings.wait(std::future::pending::<Result<()>>()).unwrap_err();
        assert_eq!(never.kind(), Kind::Io);
        assert!(never.to_string().contains("option timeout"), "{never}");
        assert_eq!(settings.wait(async { Ok(3) }).unwrap(), 3);
    }
}
