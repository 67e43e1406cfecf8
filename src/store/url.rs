//! Parses a URL without opening anything: a base and the adapters piped after it.
//!
//! - Anything without a scheme is a path, absolute or relative to the working directory. On Windows
//!   one letter is a drive.
//! - `file:path` is that path, literally.
//! - `file:///path` is a URL ([RFC 8089](https://www.rfc-editor.org/rfc/rfc8089)), in which `%20`
//!   stands for a space.
//! - In `scheme:rest` the store of that scheme interprets the rest.
//! - `base|adapter:rest|…` opens what precedes a bar by the adapter after it.
//! - `adapter::base` and `adapter://rest::base`, [fsspec's chains][chains], mean the same in
//!   reverse order.
//!
//! A leading `./` marks a path that looks like a URL.
//!
//! [chains]: https://filesystem-spec.readthedocs.io/en/latest/features.html#url-chaining

use crate::error::{Error, Kind, Result};
use crate::system::HAS_DRIVES;
use std::path::PathBuf;

/// The longest URL, in bytes: signed ones have a few thousand.
const LONGEST: usize = 64 << 10;

/// The most stages of a URL. Each opens the next, one call deeper.
const MOST_STAGES: usize = 16;

/// One stage of a URL: a scheme in lower case (empty for a path) and what follows its colon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stage {
    pub scheme: String,
    pub rest: String,
}

impl Stage {
    fn new(scheme: &str, rest: &str) -> Self {
        Stage { scheme: scheme.to_ascii_lowercase(), rest: rest.to_owned() }
    }

    /// What follows the scheme, without an optional leading `//`.
    pub fn name(&self) -> &str {
        self.rest.strip_prefix("//").unwrap_or(&self.rest)
    }
}

/// The stages of `url`: the base, then its adapters in the order of opening.
///
/// [`Kind::LimitExceeded`]: the URL is too long or has too many stages.
pub(super) fn parse(url: &str) -> Result<Vec<Stage>> {
    if url.is_empty() {
        return Err(Error::invalid("the URL is empty"));
    }
    if url.len() > LONGEST {
        let words = format!("the URL has {} bytes: the limit is {LONGEST}", url.len());
        return Err(Error::new(Kind::LimitExceeded, words));
    }
    if url.contains('\0') {
        return Err(Error::invalid("the URL contains a NUL character"));
    }
    check_login(url)?;
    let mut parts = piped(url).into_iter();
    let mut stages = chained(parts.next().unwrap_or_default());
    for part in parts {
        let (name, rest) = scheme(part).unwrap_or((part, ""));
        stages.push(Stage::new(name, rest));
    }
    if stages.len() > MOST_STAGES {
        let words = format!("the URL has {} stages: the limit is {MOST_STAGES}", stages.len());
        return Err(Error::new(Kind::LimitExceeded, words));
    }
    Ok(stages)
}

/// Refuses a server URL that would be taken for a path, which would expose its password in names of
/// files and stores.
fn check_login(url: &str) -> Result<()> {
    let trimmed = url.trim_start_matches(|c: char| c.is_whitespace() || c.is_control());
    if trimmed.len() < url.len() && scheme(trimmed).is_some_and(|(_, rest)| rest.starts_with("//"))
    {
        return Err(Error::invalid("there is white space before the URL"));
    }
    if let Some(rest) = trimmed.strip_prefix("//")
        && rest.split(['/', '?']).next().is_some_and(|host| host.contains('@'))
    {
        return Err(Error::invalid(
            "the URL has no scheme, such as https: in https://host/x; for a path of this form \
             write a dot, as in /./name@host",
        ));
    }
    Ok(())
}

/// Splits `a|b:c`; a bar without an adapter after it belongs to a path.
fn piped(url: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    for (bar, _) in url.match_indices('|') {
        let next = url[bar + 1..].split('|').next().unwrap_or_default();
        if scheme(next).is_some() {
            parts.push(&url[from..bar]);
            from = bar + 1;
        }
    }
    parts.push(&url[from..]);
    parts
}

/// Splits `b://c::a:x` into `a:x` and `b://c`.
fn chained(url: &str) -> Vec<Stage> {
    let mut links = Vec::new();
    let mut base = url;
    while let Some((link, rest)) = first_link(base) {
        links.push(link);
        base = rest;
    }
    let (name, rest) = scheme(base).unwrap_or(("", base));
    links.push(Stage::new(name, rest));
    links.reverse();
    links
}

/// The adapter before the first `::`, and what follows.
fn first_link(url: &str) -> Option<(Stage, &str)> {
    let (before, base) = url.split_once("::")?;
    let link = match before.split_once("://") {
        // an address such as http://[::1]/
        Some((_, rest)) if rest.rfind('[') > rest.rfind(']') => None,
        Some((name, rest)) if is_scheme(name) => Some(Stage::new(name, rest)),
        None if is_scheme(before) => Some(Stage::new(before, "")),
        _ => None,
    };
    Some((link?, base))
}

/// What precedes the first colon, if it can be a scheme, and what follows it.
fn scheme(url: &str) -> Option<(&str, &str)> {
    url.split_once(':').filter(|(name, _)| is_scheme(name))
}

fn is_scheme(name: &str) -> bool {
    let is_drive = HAS_DRIVES && name.len() == 1;
    !is_drive
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

/// A URL for messages: without passwords, queries and options.
pub fn without_secrets(url: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in url.split_inclusive('|') {
        let (part, bar) = part.strip_suffix('|').map_or((part, ""), |part| (part, "|"));
        let start = part.find("://").map_or(0, |at| at + 3);
        let (address, query) = part.split_once('?').unwrap_or((part, ""));
        let hidden = match address.rsplit_once('@') {
            // a password may hold a question mark
            _ if query.contains('@') => Some(format!("{}…", &part[..start])),
            Some((_, after)) => Some(format!("{}…@{after}", &part[..start])),
            None => None,
        };
        parts.push(hidden.unwrap_or_else(|| address.to_owned()) + bar);
    }
    format!("{:?}", parts.concat())
}

/// Whether it is a path alone.
pub fn is_path(url: &str) -> bool {
    parse(url).is_ok_and(|stages| matches!(&stages[..], [stage] if stage.scheme.is_empty()))
}

/// The path in a stage with the scheme `file` or none.
pub(super) fn path(stage: &Stage) -> Result<PathBuf> {
    match stage.rest.strip_prefix("//") {
        Some(rest) if !stage.scheme.is_empty() => file_url(rest),
        _ if stage.rest.is_empty() => Err(Error::invalid("the URL has no path")),
        _ => Ok(PathBuf::from(&stage.rest)),
    }
}

/// The path in what follows `file://`.
fn file_url(rest: &str) -> Result<PathBuf> {
    let (host, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
    if !(host.is_empty() || host.eq_ignore_ascii_case("localhost")) || path.is_empty() {
        return Err(Error::invalid(
            "a file:// URL needs an absolute path, as in file:///data/x.zarr; write a relative one \
             as file:x.zarr",
        ));
    }
    if let Some(c) = path.chars().find(|c| matches!(c, '?' | '#')) {
        let code = u32::from(c);
        return Err(Error::invalid(format!("in a file:// URL write {c:?} as \"%{code:X}\"")));
    }
    crate::system::path_of_bytes(percent_decoded(path)?)
        .ok_or_else(|| Error::invalid("the path of a file:// URL is not UTF-8"))
}

/// Percent-encodes all but letters, digits, `-._~` and the slash.
pub(super) fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// Decodes percent-encoding.
pub(super) fn percent_decoded(text: &str) -> Result<Vec<u8>> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' {
            let mut digit = || char::from(bytes.next()?).to_digit(16);
            match digit().zip(digit()).map(|(high, low)| (high << 4 | low) as u8) {
                None | Some(0) => {
                    return Err(Error::invalid(
                        "a \"%\" is not followed by two hexadecimal digits; in a URL write a \
                         percent sign as \"%25\"",
                    ));
                }
                Some(byte) => byte,
            }
        } else {
            byte
        });
    }
    Ok(decoded)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_urls() {
        for (url, expected) in [
            ("x.zarr", "x.zarr"),
            ("/data/x y%20.zarr", "/data/x y%20.zarr"),
            ("../x", "../x"),
            ("./s3:x", "./s3:x"),
            ("/a:b", "/a:b"),
            ("a/s3:b", "a/s3:b"),
            ("2020-01-01T00:00.zarr", "2020-01-01T00:00.zarr"),
            ("a|b", "a|b"),
            ("./a::b", "./a::b"),
            ("//x", "//x"),
            ("file:x%20y", "x%20y"),
            ("FILE:/x", "/x"),
            ("file:///x%20y/%C3%bc", "/x y/ü"),
            ("file://localhost/x", "/x"),
        ] {
            let stages = parse(url).unwrap();
            assert_eq!(stages.len(), 1, "{url}");
            assert_eq!(path(&stages[0]).unwrap(), PathBuf::from(expected), "{url}");
        }
    }

    #[test]
    fn pipelines_and_chains_are_two_ways_to_say_one_thing() {
        let of = |parts: &[(&str, &str)]| -> Vec<Stage> {
            parts.iter().map(|(scheme, rest)| Stage::new(scheme, rest)).collect()
        };
        for (url, parts) in [
            ("x.zip|zip:", &[("", "x.zip"), ("zip", "")][..]),
            ("a|b.zip|ZIP:c|d", &[("", "a|b.zip"), ("zip", "c|d")]),
            (
                "file:///d/x.zip|zip:sub/|zarr3:",
                &[("file", "///d/x.zip"), ("zip", "sub/"), ("zarr3", "")],
            ),
            ("zip::file:x.zip", &[("file", "x.zip"), ("zip", "")]),
            ("zip://in/side::x.zip", &[("", "x.zip"), ("zip", "in/side")]),
            (
                "zip::simplecache::s3://b/x.zip",
                &[("s3", "//b/x.zip"), ("simplecache", ""), ("zip", "")],
            ),
            ("http://[::1]:80/x", &[("http", "//[::1]:80/x")]),
            ("zip::http://[::1]/x", &[("http", "//[::1]/x"), ("zip", "")]),
            ("reference::x.json|cache:", &[("", "x.json"), ("reference", ""), ("cache", "")]),
        ] {
            assert_eq!(parse(url).unwrap(), of(parts), "{url}");
        }
    }

    #[test]
    fn what_is_too_long_or_too_deep_is_refused() {
        for url in ["/x".to_owned() + &"|cache:".repeat(1000), "zip::".repeat(8000) + "/x"] {
            assert_eq!(parse(&url).unwrap_err().kind(), Kind::LimitExceeded);
        }
        assert_eq!(parse(&"x".repeat(100_000)).unwrap_err().kind(), Kind::LimitExceeded);
        assert_eq!(parse(&("/x".to_owned() + &"|cache:".repeat(15))).unwrap().len(), 16);
    }

    #[test]
    fn logins_are_not_taken_for_paths() {
        for url in [
            " http://bob:PW@host",
            "\thttps://bob:PW@host/x.zip|zip:",
            "\u{a0}s3://b/x",
            "\n\u{1}redis://bob:PW@host",
            "//bob:PW@host",
            " //token@host/x",
        ] {
            let e = parse(url).unwrap_err();
            assert!(e.kind() == Kind::InvalidArgument && !e.to_string().contains("PW"), "{e}");
        }
        for url in [" x.zarr", "//x/a@b", "/./a@b", "a@b/c", " a:b"] {
            assert_eq!(parse(url).unwrap().len(), 1, "{url}");
        }
    }

    #[test]
    fn secrets_are_left_out() {
        for (url, shown) in [
            ("redis://me:secret@host/0?sig=secret", "\"redis://…@host/0\""),
            ("https://h/x.zip?sig=secret|zip:a", "\"https://h/x.zip|zip:a\""),
            ("zip::https://me:secret@h/x", "\"zip::https://…@h/x\""),
            ("redis://me:sec?ret@host/0", "\"redis://…\""),
            ("https://h/x?m=a@b&sig=secret", "\"https://…\""),
            ("a@b", "\"…@b\""),
        ] {
            assert_eq!(without_secrets(url), shown);
        }
    }
}
