//! Which store a URL names.
//!
//! - anything without a scheme is a path, absolute or relative to the working directory;
//! - `file:path` is that path, character for character;
//! - `file:///path` is a URL ([RFC 8089](https://www.rfc-editor.org/rfc/rfc8089)), in which `%20`
//!   stands for a space;
//! - `memory:` and `memory:name` are values in memory.
//!
//! A path that looks like a URL is told apart by a `./` before it.

use super::options::nearest;
use super::{Mode, Options, SharedStore, filesystem, memory};
use crate::error::{Context, Error, Result};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// Opens the store that `url` names.
///
/// [`Kind::NotFound`](crate::error::Kind::NotFound): the mode asks for one that exists;
/// [`Kind::AlreadyExists`](crate::error::Kind::AlreadyExists): the mode asks for a new one, or
/// to overwrite something that does not look like a store;
/// [`Kind::Unsupported`](crate::error::Kind::Unsupported): a scheme that this build lacks;
/// [`Kind::InvalidArgument`](crate::error::Kind::InvalidArgument): not a URL, or an unknown scheme.
pub fn open(url: &str, mode: Mode, options: &Options) -> Result<SharedStore> {
    match parse(url).at(|| format!("store {}", without_secrets(url)))? {
        Location::Directory(path) => filesystem::open(&path, mode, options),
        Location::Memory(name) => memory::open(name, mode),
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Location<'a> {
    Directory(PathBuf),
    Memory(&'a str),
}

/// URL schemes of the stores in this build.
pub const SCHEMES: &[&str] = &["file", "memory"];

/// Schemes of stores and adapters that are known, but not to this build.
const ABSENT: &[&str] = &[
    "abfs",
    "az",
    "gcs",
    "gs",
    "http",
    "https",
    "icechunk",
    "lmdb",
    "mongodb",
    "redis",
    "s3",
    "simplecache",
    "sqlite",
    "zip",
];

fn parse(url: &str) -> Result<Location<'_>> {
    if url.is_empty() {
        return Err(Error::invalid("the URL is empty"));
    }
    if url.contains('\0') {
        return Err(Error::invalid("the URL holds a NUL character"));
    }
    if let Some(adapter) = url.split('|').skip(1).find_map(|part| Some(scheme(part)?.0)) {
        return Err(Error::unsupported(format!("this build has no adapter {adapter:?}")));
    }
    let Some((name, rest)) = scheme(url) else { return Ok(Location::Directory(url.into())) };
    match name.to_ascii_lowercase().as_str() {
        "file" => match rest.strip_prefix("//") {
            Some(rest) => file_url(rest).map(Location::Directory),
            None if rest.is_empty() => Err(Error::invalid("the URL has no path")),
            None => Ok(Location::Directory(rest.into())),
        },
        "memory" => Ok(Location::Memory(rest.strip_prefix("//").unwrap_or(rest))),
        lower if ABSENT.contains(&lower) => {
            Err(Error::unsupported(format!("this build has no store for {lower}: URLs")))
        }
        lower if lower.len() == 1 => Err(Error::invalid(
            "a path with a drive letter means nothing here; for a file of that name put ./ before it",
        )),
        lower => {
            let hint = nearest(lower, SCHEMES.iter().chain(ABSENT).copied());
            Err(Error::invalid(format!(
                "there is no URL scheme {lower:?}: did you mean {hint}:? A path with a colon needs \
                 ./ before it"
            )))
        }
    }
}

/// A URL for a message: without a password or a signed query.
fn without_secrets(url: &str) -> String {
    let url = url.split('?').next().unwrap_or_default();
    url.rsplit_once('@').map_or_else(|| format!("{url:?}"), |(_, rest)| format!("\"…@{rest}\""))
}

/// What stands before the first colon, where that can be a scheme, and what stands after it.
fn scheme(url: &str) -> Option<(&str, &str)> {
    let (name, rest) = url.split_once(':')?;
    let good = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    good.then_some((name, rest))
}

/// The path in what follows `file://`.
fn file_url(rest: &str) -> Result<PathBuf> {
    let (host, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
    if !(host.is_empty() || host.eq_ignore_ascii_case("localhost")) || path.is_empty() {
        return Err(Error::invalid(
            "a URL file:// goes on with an absolute path, as in file:///data/x.zarr; \
             a relative one is written file:x.zarr",
        ));
    }
    if let Some(c) = path.chars().find(|c| matches!(c, '?' | '#')) {
        let code = u32::from(c);
        return Err(Error::invalid(format!("in a file:// URL {c:?} is written \"%{code:X}\"")));
    }
    let mut bytes = path.bytes();
    let mut decoded = Vec::with_capacity(path.len());
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' {
            let mut digit = || char::from(bytes.next()?).to_digit(16);
            match digit().zip(digit()).map(|(high, low)| (high << 4 | low) as u8) {
                None | Some(0) => {
                    return Err(Error::invalid(
                        "a \"%\" is not followed by the two digits of a character; \
                         in a file:// URL a percent sign itself is written \"%25\"",
                    ));
                }
                Some(byte) => byte,
            }
        } else {
            byte
        });
    }
    Ok(OsString::from_vec(decoded).into())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::error::Kind;

    #[test]
    fn paths_and_urls() {
        for (url, path) in [
            ("x.zarr", "x.zarr"),
            ("/data/x y%20.zarr", "/data/x y%20.zarr"),
            ("../x", "../x"),
            ("./s3:x", "./s3:x"),
            ("/a:b", "/a:b"),
            ("a/s3:b", "a/s3:b"),
            ("2020-01-01T00:00.zarr", "2020-01-01T00:00.zarr"),
            ("a|b", "a|b"),
            ("file:x%20y", "x%20y"),
            ("FILE:/x", "/x"),
            ("file:///x%20y/%C3%bc", "/x y/ü"),
            ("file://localhost/x", "/x"),
        ] {
            assert_eq!(parse(url).unwrap(), Location::Directory(path.into()), "{url}");
        }
        for (url, name) in [("memory:", ""), ("memory:a/b", "a/b"), ("memory://a", "a")] {
            assert_eq!(parse(url).unwrap(), Location::Memory(name), "{url}");
        }
    }

    #[test]
    fn what_cannot_be_opened_says_why() {
        for (url, kind, words) in [
            ("", Kind::InvalidArgument, "empty"),
            ("a\0b", Kind::InvalidArgument, "NUL"),
            ("s3://bucket/x", Kind::Unsupported, "s3:"),
            ("S3://bucket/x", Kind::Unsupported, "s3:"),
            ("zip::file:x.zip", Kind::Unsupported, "zip:"),
            ("file:x.zip|zip:", Kind::Unsupported, "\"zip\""),
            ("/x.zip|zip:a/b", Kind::Unsupported, "\"zip\""),
            ("fiel:x", Kind::InvalidArgument, "did you mean file:"),
            ("memry:x", Kind::InvalidArgument, "did you mean memory:"),
            ("C:\\data", Kind::InvalidArgument, "drive letter"),
            ("c:/data", Kind::InvalidArgument, "drive letter"),
            ("file:", Kind::InvalidArgument, "no path"),
            ("file://", Kind::InvalidArgument, "file:x.zarr"),
            ("file://x.zarr", Kind::InvalidArgument, "file:x.zarr"),
            ("file://host/x", Kind::InvalidArgument, "file:x.zarr"),
            ("file:///x?y", Kind::InvalidArgument, "%3F"),
            ("file:///x#y", Kind::InvalidArgument, "%23"),
            ("file:///100%", Kind::InvalidArgument, "%25"),
            ("file:///%zz", Kind::InvalidArgument, "%25"),
            ("file:///%+1", Kind::InvalidArgument, "%25"),
            ("file:///%00", Kind::InvalidArgument, "%25"),
        ] {
            let e = open(url, Mode::Read, &Options::default()).err().unwrap();
            assert_eq!(e.kind(), kind, "{e}");
            assert!(e.to_string().contains(words), "{e}");
        }
        let e = open("redis://me:secret@host/0?sig=secret", Mode::Read, &Options::default());
        assert!(!e.err().unwrap().to_string().contains("secret"));
    }
}
