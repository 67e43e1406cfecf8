//! Read-only store on a web server: [`address`] makes URLs, [`request`] sends requests, [`source`]
//! reads one value, [`listing`] parses directory listings.
//!
//! - A version is the value's `ETag`, else its `Last-Modified`, else its length.
//! - A server without directory listings lists nothing: values are found by key alone.

mod address;
mod listing;
mod request;
mod source;
mod state;

use super::network::{self, Settings, wait};
use crate::error::{Context, Error, Kind, Result};
use crate::exec;
use crate::lock::Acquire;
use crate::source::ByteSource;
use crate::store::{
    Depth, Entry, Fetch, Key, Mode, Options, Precondition, SharedStore, Stamp, Store, Version,
    check_prefix, refuse_change,
};
use address::Address;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Method, StatusCode};
use listing::Listed;
use request::{Ask, Requests};
use source::Source;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, Weak};
use url::Url;

/// Bytes that a connection transfers in about one round trip.
const REQUEST_COST: u64 = 1 << 20;

/// The longest directory listing that is read (bytes).
const LONGEST_PAGE: usize = 64 << 20;

/// The most directories that one listing visits, and how deep it goes, below which no hierarchy can
/// be: links may form a cycle.
const MOST_DIRECTORIES: usize = 1_000_000;
const DEEPEST: usize = 1100;

struct HttpStore {
    /// Weak self-reference for requests that run in the background.
    me: Weak<HttpStore>,
    address: Address,
    requests: Requests,
    concurrency: usize,
    /// Whether the server lists the store's directory; unset until tried.
    lists: OnceLock<bool>,
    /// The server rejects HEAD.
    no_head: AtomicBool,
    /// The server rejects suffix ranges.
    no_suffix: AtomicBool,
}

/// Opens `http:rest`.
pub fn open_plain(rest: &str, mode: Mode, options: &Options) -> Result<SharedStore> {
    open("http", rest, mode, options)
}

/// Opens `https:rest`.
pub fn open_encrypted(rest: &str, mode: Mode, options: &Options) -> Result<SharedStore> {
    open("https", rest, mode, options)
}

/// Opens the store below a URL. Makes no request.
///
/// [`Kind::InvalidArgument`]: the URL is invalid; [`Kind::PermissionDenied`]: the mode would write.
fn open(scheme: &str, rest: &str, mode: Mode, options: &Options) -> Result<SharedStore> {
    let address = Address::parse(scheme, rest)?;
    let settings = Settings::new(options);
    settings.check_encryption(&address.url("")?)?;
    if mode != Mode::Read {
        let message = format!("{}: a web server is only read", address.shown());
        return Err(Error::new(Kind::PermissionDenied, message));
    }
    let requests = Requests::new(&address, settings, own_headers(options)?)?;
    Ok(Arc::new_cyclic(|me| HttpStore {
        me: me.clone(),
        address,
        requests,
        concurrency: options.concurrency(),
        lists: OnceLock::new(),
        no_head: AtomicBool::new(false),
        no_suffix: AtomicBool::new(false),
    }))
}

/// The headers that the options `headers` and `bearer_token` set.
fn own_headers(options: &Options) -> Result<HeaderMap> {
    let mut headers = HeaderMap::new();
    let mut put = |option: &str, name: &str, value: &str| -> Result<()> {
        // the invalid header may be a secret
        let pair = name.parse::<HeaderName>().ok().zip(HeaderValue::from_str(value).ok());
        let (name, mut value) = pair.ok_or_else(|| {
            Error::invalid(format!("option {option}: it holds what no header can hold"))
        })?;
        value.set_sensitive(true);
        headers.insert(name, value);
        Ok(())
    };
    if let Some(text) = options.text("headers").filter(|text| !text.is_empty()) {
        let given: std::collections::BTreeMap<String, String> = serde_json::from_str(text)
            .map_err(|_| {
                let example = r#"{"X-Api-Key": "…"}"#;
                Error::invalid(format!("option headers: it takes a JSON object, as {example}"))
            })?;
        given.iter().try_for_each(|(name, value)| put("headers", name, value))?;
    }
    if let Some(token) = options.text("bearer_token").filter(|token| !token.is_empty()) {
        put("bearer_token", "authorization", &format!("Bearer {token}"))?;
    }
    Ok(headers)
}

impl HttpStore {
    fn place(&self) -> &str {
        self.address.shown()
    }

    fn no_listing(&self, why: &str) -> Error {
        Error::unsupported(format!(
            "{} lists no directories ({why}): nodes are opened by their paths, and listed where the \
             root has consolidated metadata",
            self.place()
        ))
    }

    /// The server's listing of a directory; `None`: the directory does not exist.
    fn page(&self, prefix: &str) -> Result<Option<Listed>> {
        let ask = Ask::new(Method::GET, self.address.url(prefix)?)
            .with(header::ACCEPT, "text/html, application/json;q=0.9");
        let asked = wait(self.requests.run(&ask, async |mut response| {
            let kind = response.headers().get(header::CONTENT_TYPE);
            let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
            let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
            let is_json = kind == "application/json";
            let is_page = is_json || matches!(&*kind, "text/html" | "application/xhtml+xml");
            if response.status() != StatusCode::OK || !is_page {
                return Err(self.no_listing("it answers with something else").into());
            }
            let mut page = Vec::new();
            while let Some(part) = response.chunk().await? {
                if page.len() + part.len() > LONGEST_PAGE {
                    let words = "its page about a directory is longer than any should be";
                    return Err(Error::new(Kind::LimitExceeded, words).into());
                }
                page.extend_from_slice(&part);
            }
            let url = Url::parse(&response.url.to_string());
            let url = url.map_err(|e| Error::invalid(e.to_string()))?;
            Ok(listing::parse(&url, is_json, &page)?)
        }));
        match asked {
            Err(e) if matches!(e.system_code(), 403 | 405) => {
                Err(self.no_listing(&format!("it answers {}", e.system_code())))
            }
            other => other,
        }
    }

    /// The direct children of a prefix.
    fn level(&self, prefix: &str) -> Result<Listed> {
        let nothing_there = || self.no_listing("it has no page about the store's own");
        match self.page(prefix)? {
            Some(listed) => {
                let _ = self.lists.set(true);
                Ok(listed)
            }
            None if prefix.is_empty() => Err(nothing_there()),
            // if the server lists directories, this one is absent; else the answer says nothing
            None => {
                let lists = match self.lists.get() {
                    Some(lists) => *lists,
                    None => {
                        let lists = match self.page("") {
                            Ok(page) => page.is_some(),
                            Err(e) if e.kind() == Kind::Unsupported => false,
                            Err(e) => return Err(e),
                        };
                        *self.lists.get_or_init(|| lists)
                    }
                };
                if lists { Ok(Listed::new()) } else { Err(nothing_there()) }
            }
        }
    }

    /// Lists every key below a prefix, with as many concurrent requests as allowed.
    fn list_all(&self, prefix: &str, each: &mut dyn FnMut(Entry<'_>) -> Result<()>) -> Result<()> {
        let mut level = vec![prefix.to_owned()];
        let (mut met, mut depth) = (0, 0);
        while !level.is_empty() {
            depth += 1;
            let next: Mutex<Vec<(usize, Listed)>> = Mutex::default();
            exec::run(self.concurrency, level.len(), &|n| {
                let listed = self.level(&level[n])?;
                next.acquire().push((n, listed));
                Ok(())
            })?;
            let mut below = Vec::new();
            for (n, listed) in next.release() {
                for (name, is_prefix) in listed {
                    let path = [&level[n], &name[..]].concat();
                    if is_prefix {
                        below.push(path + "/");
                    } else if let Some(key) = path.strip_prefix(prefix) {
                        each(Entry::Key(key))?;
                    }
                }
            }
            met += below.len();
            let too_much = if met > MOST_DIRECTORIES {
                format!("more than {MOST_DIRECTORIES} directories")
            } else if depth > DEEPEST {
                format!("directories more than {DEEPEST} levels deep")
            } else {
                level = below;
                continue;
            };
            let words = format!("{} lists {too_much}: do its links form a cycle?", self.place());
            return Err(Error::new(Kind::LimitExceeded, words));
        }
        Ok(())
    }
}

impl Store for HttpStore {
    fn name(&self) -> String {
        self.place().to_owned()
    }

    fn read_only(&self) -> bool {
        true
    }

    fn concurrency(&self) -> usize {
        self.concurrency
    }

    fn start(&self, fetch: Fetch) -> Option<Fetch> {
        let Some(store) = self.me.upgrade() else { return Some(fetch) };
        network::start(fetch, move |key, version, want, bytes| async move {
            let source = match &version {
                Some(version) => Source::at(&store, &key, version),
                None => Source::new(&store, &key),
            };
            source.fetch(want, bytes).await
        })
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        let source = Source::new(self, key);
        if source.read_all(0, out)? { source.version() } else { Ok(None) }
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        Box::new(Source::new(self, key))
    }

    fn source_at<'a>(&'a self, key: &Key, version: &Version) -> Box<dyn ByteSource + 'a> {
        Box::new(Source::at(self, key, version))
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        Source::new(self, key).version()
    }

    fn stamp(&self, key: &Key) -> Result<Option<Stamp>> {
        Ok(self.version(key)?.map(state::stamp))
    }

    fn set(&self, _: &Key, _: &[&[u8]], _: &Precondition) -> Result<()> {
        Err(refuse_change(self))
    }

    fn erase(&self, _: &Key, _: &Precondition) -> Result<bool> {
        Err(refuse_change(self))
    }

    fn erase_prefix(&self, _: &str) -> Result<()> {
        Err(refuse_change(self))
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        check_prefix(prefix)?;
        let mut list = || match depth {
            Depth::All => self.list_all(prefix, each),
            Depth::One => self.level(prefix)?.into_iter().try_for_each(|(name, is_prefix)| {
                each(if is_prefix { Entry::Prefix(&name) } else { Entry::Key(&name) })
            }),
        };
        list().at(|| format!("listing {prefix:?}"))
    }
}
