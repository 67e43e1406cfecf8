//! `zarrc serve`: the keys of a store over HTTP, with ranges, ETags and listings.

use crate::failure::{Failure, Outcome};
use crate::output::print;
use crate::web::{self, Body, Request, Response, failed, failed_with, made, with_status};
use hyper::StatusCode;
use hyper::header::{self, HeaderValue};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use zarrc::error::{Error, Kind};
use zarrc::source::{ByteSource, Pinned, Version};
use zarrc::store::{Depth, Entry, Key, Mode, Options, SharedStore, check_prefix, open};

/// Values are sent in pieces of so many bytes.
const PIECE: u64 = 1 << 20;
/// The most entries of a listing.
const ENTRIES: usize = 1_000_000;
/// What a link keeps of a name as it is.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// `zarrc serve`
pub fn serve(url: &str, options: &Options, listen: SocketAddr, cors: Option<&str>) -> Outcome {
    let store = open(url, Mode::Read, options)?;
    let cors = cors.map(|origin| {
        HeaderValue::from_str(origin)
            .map_err(|_| Failure::usage(format!("--cors {origin:?}: expected an origin or *")))
    });
    let rules = web::Rules { listen, cors: cors.transpose()? };
    let handler = move |request: &Request| {
        answer(&store, request).unwrap_or_else(|error| {
            let mut response = failed_with(&error);
            let status = response.status();
            // the client learns the kind alone: messages have local paths
            *response.body_mut() = Body::whole(format!("{status}\n"));
            if status.is_server_error() {
                eprintln!("zarrc: {}: {error}", request.uri().path());
            }
            response
        })
    };
    web::run(rules, Arc::new(handler), |address| print(&format!("http://{address}/")))
}

fn answer(store: &SharedStore, request: &Request) -> zarrc::error::Result<Response> {
    let Some(path) = web::path(request) else {
        return Ok(failed(StatusCode::BAD_REQUEST, "the path is not UTF-8"));
    };
    // as other servers do: fsspec asks for "//"
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let is_prefix = path.is_empty() || path.ends_with('/');
    let path = segments.join("/");
    if is_prefix {
        return listing(store, &if path.is_empty() { path } else { path + "/" });
    }
    let key = Key::parse(&path)?;
    let source = store.source(&key);
    let Some(length) = source.len()? else {
        if !store.has_prefix(&format!("{path}/"))? {
            return Ok(failed(StatusCode::NOT_FOUND, "there is no such key"));
        }
        let mut response = with_status(StatusCode::MOVED_PERMANENTLY, Body::empty());
        let to = made(format!("{}/", request.uri().path()));
        response.headers_mut().insert(header::LOCATION, to);
        return Ok(response);
    };
    let version = source.version()?;
    drop(source);
    Ok(value(store, key, length, version, request))
}

/// The ETag of a version; none if the value could change unnoticed.
fn etag(version: &Version) -> Option<String> {
    if version.is_recent() || version.bytes().is_empty() {
        return None;
    }
    let mut tag = String::from("\"");
    for byte in version.bytes() {
        let _ = write!(tag, "{byte:02x}"); // to a String, which cannot fail
    }
    tag.push('"');
    Some(tag)
}

/// A value, or the part of it that the request asks for.
fn value(
    store: &SharedStore,
    key: Key,
    length: u64,
    version: Option<Version>,
    request: &Request,
) -> Response {
    let tag = version.as_ref().and_then(etag);
    let asked = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    let names_it = |list: &str| {
        list.split(',').any(|one| one.trim() == "*" || Some(one.trim()) == tag.as_deref())
    };
    let (status, start, count) = if asked(header::IF_MATCH).is_some_and(|list| !names_it(list)) {
        return failed(StatusCode::PRECONDITION_FAILED, "the value has another version");
    } else if asked(header::IF_NONE_MATCH).is_some_and(names_it) {
        (StatusCode::NOT_MODIFIED, 0, 0)
    } else {
        let unchanged = asked(header::IF_RANGE).is_none_or(|one| Some(one) == tag.as_deref());
        match asked(header::RANGE).filter(|_| unchanged).map_or(Asked::All, |r| range(r, length)) {
            Asked::All => (StatusCode::OK, 0, length),
            Asked::Part(start, count) => (StatusCode::PARTIAL_CONTENT, start, count),
            Asked::Outside => (StatusCode::RANGE_NOT_SATISFIABLE, 0, 0),
        }
    };
    let wants_body = request.method() != hyper::Method::HEAD;
    let body = match wants_body && count > 0 {
        true => pieces(store.clone(), key.clone(), version, start, count),
        false => Body::empty(),
    };
    let mut response = with_status(status, body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(&key)));
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Some(tag) = tag {
        headers.insert(header::ETAG, made(tag));
    }
    match status {
        StatusCode::PARTIAL_CONTENT => {
            let range = format!("bytes {start}-{}/{length}", start + count - 1);
            headers.insert(header::CONTENT_RANGE, made(range));
        }
        StatusCode::RANGE_NOT_SATISFIABLE => {
            headers.insert(header::CONTENT_RANGE, made(format!("bytes */{length}")));
        }
        _ => {}
    }
    if status != StatusCode::NOT_MODIFIED {
        headers.insert(header::CONTENT_LENGTH, count.into());
    }
    response
}

fn content_type(key: &Key) -> &'static str {
    let name = key.as_str().rsplit('/').next().unwrap_or_default();
    let is_json = name.ends_with(".json") || matches!(name, ".zarray" | ".zgroup" | ".zattrs");
    if is_json || name == ".zmetadata" { "application/json" } else { "application/octet-stream" }
}

/// What a request asks of a value.
enum Asked {
    All,
    /// Offset and length (bytes), not 0.
    Part(u64, u64),
    Outside,
}

/// Reads `bytes=a-b`, `bytes=a-` and `bytes=-n`. Several ranges, and what is no range, ask for all,
/// as HTTP allows.
fn range(text: &str, length: u64) -> Asked {
    let Some((first, last)) = text.strip_prefix("bytes=").and_then(|one| one.split_once('-'))
    else {
        return Asked::All;
    };
    let number = |text: &str| match text {
        "" => Some(None),
        _ => text.parse::<u64>().ok().map(Some),
    };
    let (Some(first), Some(last)) = (number(first), number(last)) else { return Asked::All };
    match (first, last) {
        (None, None) => Asked::All,
        (Some(first), Some(last)) if last < first => Asked::All,
        (None, Some(count @ 1..)) if length > 0 => {
            let count = count.min(length);
            Asked::Part(length - count, count)
        }
        (Some(first), last) if first < length => {
            let last = last.map_or(length - 1, |last| last.min(length - 1));
            Asked::Part(first, last - first + 1)
        }
        _ => Asked::Outside,
    }
}

/// Reads a part of one version of a value while it is sent.
fn pieces(store: SharedStore, key: Key, version: Option<Version>, at: u64, count: u64) -> Body {
    Body::pieces(count, move |send| {
        let broken = |e: Error| {
            eprintln!("zarrc: {key}: {e}");
            io::Error::other("reading failed")
        };
        let source = match &version {
            Some(version) => store.source_at(&key, version),
            None => store.source(&key),
        };
        let pinned = version.as_ref().map(|version| Pinned::new(&*source, version));
        let source: &dyn ByteSource = pinned.as_ref().map_or(&*source, |pinned| pinned);
        let mut done = 0;
        while done < count {
            let next = PIECE.min(count - done);
            let mut bytes = zarrc::exec::zeroed(next as usize).map_err(broken)?;
            if !source.read_at(at + done, &mut bytes).map_err(broken)? {
                return Err(io::ErrorKind::NotFound.into());
            }
            if !send(bytes.into()) {
                break;
            }
            done += next;
        }
        Ok(())
    })
}

/// The next level below a prefix, as a page of links.
fn listing(store: &SharedStore, prefix: &str) -> zarrc::error::Result<Response> {
    check_prefix(prefix)?;
    let mut names = BTreeSet::new();
    store.list(prefix, Depth::One, &mut |entry| {
        if names.len() >= ENTRIES {
            let message = format!("{prefix} has more than {ENTRIES} entries");
            return Err(Error::new(Kind::LimitExceeded, message));
        }
        names.insert(match entry {
            Entry::Key(name) => name.to_owned(),
            Entry::Prefix(name) => format!("{name}/"),
        });
        Ok(())
    })?;
    if names.is_empty() && !prefix.is_empty() {
        return Ok(failed(StatusCode::NOT_FOUND, "there is no key below it"));
    }
    let title = escaped(prefix);
    let mut page = format!(
        "<!doctype html>\n<html><head><meta charset=\"utf-8\"><title>/{title}</title></head>\
         <body>\n<h1>/{title}</h1>\n<pre>\n"
    );
    if !prefix.is_empty() {
        page.push_str("<a href=\"../\">../</a>\n");
    }
    for name in &names {
        let slash = if name.ends_with('/') { "/" } else { "" };
        let link = utf8_percent_encode(name.trim_end_matches('/'), PLAIN);
        let _ = writeln!(page, "<a href=\"{link}{slash}\">{}</a>", escaped(name));
    }
    page.push_str("</pre>\n</body></html>\n");
    Ok(web::content("text/html; charset=utf-8", page))
}

/// A text inside HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
