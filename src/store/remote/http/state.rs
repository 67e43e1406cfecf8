//! What the headers of an answer tell of a value: its state, its length, and which part it is.

use super::request::Failure;
use crate::error::{Error, Kind};
use crate::source::Version;
use crate::store::Stamp;
use crate::store::remote::network::client::Response;
use http::header::{self, HeaderMap, HeaderName};
use smallvec::SmallVec;

/// Identifies one state of a value.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub etag: Option<String>,
    pub modified: Option<String>,
    pub len: Option<u64>,
    /// Whether the value was modified within the second of the response. A further change within
    /// that second looks the same: dates have whole seconds, and many servers derive ETags from
    /// them.
    pub new: bool,
}

/// The ETag, by which other libraries identify that state.
pub(super) fn stamp(version: Version) -> Stamp {
    Stamp { etag: State::parse(&version).etag, version: Some(version), modified: None }
}

impl State {
    pub fn of(headers: &HeaderMap, len: Option<u64>) -> Self {
        let text = |name| headers.get(name)?.to_str().ok().map(str::to_owned);
        let modified = text(header::LAST_MODIFIED);
        let new = modified.is_some() && modified == text(header::DATE);
        State { etag: text(header::ETAG), modified, len, new }
    }

    /// Parses a [`Version`] back into a state.
    pub fn parse(version: &Version) -> Self {
        let mut state = State::default();
        if let Some((kind, rest)) = version.bytes().split_first()
            && let Ok(text) = String::from_utf8(rest.to_vec())
        {
            match kind {
                b'E' => state.etag = Some(text),
                b'M' => state.modified = Some(text),
                _ => state.len = text.parse().ok(),
            }
        }
        state
    }

    pub fn version(&self) -> Version {
        let (kind, text) = match self {
            State { etag: Some(etag), .. } => (b'E', etag.clone()),
            State { modified: Some(modified), .. } => (b'M', modified.clone()),
            State { len, .. } => (b'L', len.map(|len| len.to_string()).unwrap_or_default()),
        };
        let mut bytes = SmallVec::new();
        bytes.push(kind);
        bytes.extend_from_slice(text.as_bytes());
        Version::new(bytes).recent(self.new || kind == b'L')
    }

    /// Whether both may be the same state, as far as both have the fields to compare.
    pub fn agrees(&self, other: &State) -> bool {
        fn both<T: PartialEq>(a: &Option<T>, b: &Option<T>) -> Option<bool> {
            Some(a.as_ref()? == b.as_ref()?)
        }
        let same = both(&self.etag, &other.etag).or(both(&self.modified, &other.modified));
        same.unwrap_or(true) && both(&self.len, &other.len).unwrap_or(true)
    }

    /// The request header that requires this state.
    pub fn condition(&self) -> Option<(HeaderName, &str)> {
        match (&self.etag, &self.modified) {
            // a weak ETag never matches
            (Some(etag), _) if !etag.starts_with("W/") => Some((header::IF_MATCH, etag)),
            (_, Some(modified)) => Some((header::IF_UNMODIFIED_SINCE, modified)),
            _ => None,
        }
    }
}

/// The `Content-Length`; also valid for HEAD, whose response has no body.
pub(super) fn content_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// The first and last byte of a `Content-Range`, and the total length if given.
pub(super) fn content_range(response: &Response) -> Result<(u64, u64, Option<u64>), Failure> {
    let parse = || {
        let text = response.headers().get(header::CONTENT_RANGE)?.to_str().ok()?;
        let (range, all) = text.strip_prefix("bytes ")?.split_once('/')?;
        let (first, last) = range.split_once('-')?;
        let (first, last): (u64, u64) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        let all = match all.trim() {
            "*" => None,
            all => Some(all.parse().ok()?),
        };
        (first <= last && all.is_none_or(|all| last < all)).then_some((first, last, all))
    };
    parse().ok_or_else(|| wrong("the server sends a part and does not say which"))
}

/// The total length in the `Content-Range` of a 416.
pub(super) fn unsatisfied_len(response: &Response) -> Option<u64> {
    let text = response.headers().get(header::CONTENT_RANGE)?.to_str().ok()?;
    text.strip_prefix("bytes */")?.parse().ok()
}

#[cold]
pub(super) fn wrong(words: impl Into<String>) -> Failure {
    Failure::again(Error::new(Kind::Io, words))
}
