//! Opens the store or value that a URL names.

use super::adapters::prefix;
use super::adapters::synchronizer::synchronized;
use super::local::filesystem;
use super::recognise::{Found, recognise};
use super::schemes::{Opens, Scheme};
use super::url::{self, Stage, without_secrets};
use super::{Key, Mode, Options, SharedStore};
use crate::error::{Context, Error, Kind, Result};
use std::path::{Path, PathBuf};

/// Opens the store that an adapter wraps, in the mode that the adapter needs.
pub type Inner<'a> = dyn Fn(Mode) -> Result<SharedStore> + 'a;

/// One value that holds a whole store.
pub enum Blob {
    /// A local file or directory; it need not exist if the mode creates it.
    File(PathBuf),
    /// A value of another store, read-only.
    In(SharedStore, Key),
}

/// Opens the store that `url` names.
///
/// [`Kind::NotFound`](crate::error::Kind::NotFound): the mode requires an existing store;
/// [`Kind::AlreadyExists`](crate::error::Kind::AlreadyExists): the mode requires a new one, or
/// would overwrite what does not look like a store;
/// [`Kind::Unsupported`](crate::error::Kind::Unsupported): this build lacks the scheme;
/// [`Kind::InvalidArgument`](crate::error::Kind::InvalidArgument): not a URL, or an unknown scheme.
pub fn open(url: &str, mode: Mode, options: &Options) -> Result<SharedStore> {
    let stages = checked(url).at(|| format!("store {}", without_secrets(url)))?;
    synchronized(open_stages(&stages, mode, options)?, options)
}

/// A stage of a URL, with its opener.
struct Part {
    stage: Stage,
    opens: Opens,
}

/// Parses a URL and checks everything that needs no opening.
fn checked(url: &str) -> Result<Vec<Part>> {
    let mut parts: Vec<Part> = Vec::new();
    for stage in url::parse(url)? {
        let name = if stage.scheme.is_empty() { "file" } else { &stage.scheme };
        let opens = Scheme::find(name)?.open;
        match (parts.last(), opens) {
            (None, Opens::Adapter(_)) => {
                return Err(Error::invalid(format!(
                    "{name}: needs another store before it, as in x.zarr|{name}:"
                )));
            }
            (Some(_), Opens::Path | Opens::Store(_)) => {
                return Err(Error::invalid(format!(
                    "{name}: must begin a URL, it cannot follow another store"
                )));
            }
            (None, Opens::Path | Opens::Value(_)) => drop(url::path(&stage)?),
            _ => {}
        }
        parts.push(Part { stage, opens });
    }
    Ok(parts)
}

fn open_stages(parts: &[Part], mode: Mode, options: &Options) -> Result<SharedStore> {
    let Some((last, before)) = parts.split_last() else {
        return Err(Error::invalid("the URL is empty"));
    };
    let rest = &last.stage.rest;
    match last.opens {
        Opens::Path => open_path(&url::path(&last.stage)?, mode, options),
        Opens::Store(open) => open(rest, mode, options),
        Opens::Value(open) if before.is_empty() => {
            open(Blob::File(url::path(&last.stage)?), mode, options)
        }
        Opens::Value(open) => prefix::open(
            &|mode| open(open_value(before, options)?, mode, options),
            last.stage.name(),
            mode,
            options,
        ),
        Opens::Adapter(open) => {
            open(&|mode| open_stages(before, mode, options), last.stage.name(), mode, options)
        }
        Opens::Absent => Err(Error::unsupported("this build has no such store")),
    }
}

/// Opens a path, by the kind of file found.
fn open_path(path: &Path, mode: Mode, options: &Options) -> Result<SharedStore> {
    let name = match recognise(path, mode) {
        Found::Scheme(name) => name,
        Found::Directory(there) => return filesystem::open(path, there, mode, options),
        Found::Lmdb => {
            return Err(Error::invalid(format!(
                "{0} is an LMDB environment: open it as lmdb:{0} if you trust it, as a damaged one \
                 can crash the process",
                path.display()
            )));
        }
    };
    match Scheme::find(name).at(|| path.display().to_string())?.open {
        Opens::Value(open) => open(Blob::File(path.to_owned()), mode, options),
        _ => filesystem::open(path, None, mode, options),
    }
}

/// Opens the parts as one value.
fn open_value(parts: &[Part], options: &Options) -> Result<Blob> {
    let Some((last, before)) = parts.split_last() else {
        return Err(Error::invalid("the URL is empty"));
    };
    let not_one = || {
        let scheme = &last.stage.scheme;
        Error::invalid(format!(
            "{scheme}:{} does not name a single value",
            without_secrets(&last.stage.rest).trim_matches('"')
        ))
    };
    let inside = |path: &str| match path.trim_matches('/') {
        "" => Err(not_one()),
        path => Key::parse(path),
    };
    match last.opens {
        Opens::Path => Ok(Blob::File(url::path(&last.stage)?)),
        Opens::Store(open) => {
            let (parent, key) = split(&last.stage).ok_or_else(not_one)?;
            Ok(Blob::In(open(&parent, Mode::Read, options)?, key))
        }
        Opens::Value(_) if before.is_empty() => Err(not_one()),
        Opens::Value(open) => {
            let key = inside(last.stage.name())?;
            Ok(Blob::In(open(open_value(before, options)?, Mode::Read, options)?, key))
        }
        Opens::Adapter(open) => {
            let (store, key) = open_value(before, options)?.into_store(options)?;
            let inner = &|_: Mode| Ok(store.clone());
            Ok(Blob::In(open(inner, last.stage.name(), Mode::Read, options)?, key))
        }
        Opens::Absent => Err(not_one()),
    }
}

/// Splits what follows the scheme into a store and a key; `None`: it names no key.
fn split(stage: &Stage) -> Option<(String, Key)> {
    let (address, query) = match stage.rest.find('?') {
        Some(at) => stage.rest.split_at(at),
        None => (&stage.rest[..], ""),
    };
    let (parent, name) = address.rsplit_once('/')?;
    let name = match &*stage.scheme {
        "http" | "https" => String::from_utf8(url::percent_decoded(name).ok()?).ok()?,
        _ => name.to_owned(),
    };
    Some(([parent, query].concat(), Key::parse(&name).ok()?))
}

impl Blob {
    /// The name in messages.
    pub fn name(&self) -> String {
        match self {
            Blob::File(path) => path.display().to_string(),
            Blob::In(store, key) => format!("{key} in {}", store.name()),
        }
    }

    /// The directory of the value, if it is a local one.
    #[cfg(feature = "reference")]
    pub fn directory(&self) -> Option<PathBuf> {
        match self {
            Blob::File(path) => Some(parent(path).to_owned()),
            Blob::In(..) => None,
        }
    }

    /// The value as a key of a read-only store.
    pub fn into_store(self, options: &Options) -> Result<(SharedStore, Key)> {
        match self {
            Blob::File(path) => {
                let key = file_name(&path)?;
                Ok((filesystem::open(parent(&path), None, Mode::Read, options)?, key))
            }
            Blob::In(store, key) => Ok((store, key)),
        }
    }

    /// The path, for a store that needs a local file.
    pub fn into_path(self, what: &str) -> Result<PathBuf> {
        match self {
            Blob::File(path) => Ok(path),
            Blob::In(..) => {
                Err(Error::unsupported(format!("{}: {what} needs a local file", self.name())))
            }
        }
    }
}

/// The directory of a path.
fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// The last name of a path, as a key in its directory.
fn file_name(path: &Path) -> Result<Key> {
    let name = path.file_name().and_then(|name| name.to_str());
    Key::parse(
        name.ok_or_else(|| Error::invalid(format!("{} does not name a file", path.display())))?,
    )
}

/// A URL from a document, whose author is not the caller.
pub(super) struct Target(Vec<Part>);

/// Schemes allowed after the first stage of such a URL: none writes to a given place, trusts what
/// it reads, or refers to further files.
const HARMLESS: &[&str] =
    &["zip", "prefix", "zarr", "zarr2", "zarr3", "n5", "readonly", "cache", "simplecache"];

impl Target {
    /// Parses `url`.
    ///
    /// [`Kind::PermissionDenied`]: it has a scheme that a document may not choose.
    pub fn parse(url: &str) -> Result<Self> {
        let parts = checked(url)?;
        let first = matches!(parts[0].opens, Opens::Path | Opens::Store(_)).then_some("");
        let others = parts[1..].iter().map(|part| &*part.stage.scheme);
        let mut odd = others.filter(|scheme| !HARMLESS.contains(scheme));
        if let Some(scheme) = odd.next().or(first.is_none().then_some(&*parts[0].stage.scheme)) {
            return Err(Error::new(
                Kind::PermissionDenied,
                format!("a referenced file cannot be read through {scheme}:"),
            ));
        }
        Ok(Target(parts))
    }

    /// The first scheme, and what follows its colon. For a path, `file`.
    pub fn base(&self) -> (&str, &str) {
        let stage = &self.0[0].stage;
        let scheme = if stage.scheme.is_empty() { "file" } else { &stage.scheme };
        (scheme, &stage.rest)
    }

    /// The local path that it starts with, if any.
    pub fn path(&self) -> Result<Option<PathBuf>> {
        match self.0[0].opens {
            Opens::Path => url::path(&self.0[0].stage).map(Some),
            _ => Ok(None),
        }
    }

    /// Whether it is a value of its first store, without adapters.
    pub fn is_plain(&self) -> bool {
        self.0.len() == 1
    }

    /// Whether it is just a relative path.
    pub fn is_relative(&self) -> bool {
        let stage = &self.0[0].stage;
        self.0.len() == 1 && stage.scheme.is_empty() && !Path::new(&stage.rest).has_root()
    }

    /// Opens the store that has the target as a value; also returns the key. `kept` is that store
    /// if already open.
    pub fn open(&self, kept: Option<SharedStore>, options: &Options) -> Result<(SharedStore, Key)> {
        match (&self.0[..], kept) {
            ([Part { opens: Opens::Path, stage }], Some(store)) => {
                Ok((store, file_name(&url::path(stage)?)?))
            }
            ([Part { opens: Opens::Store(_), stage }], Some(store)) => {
                let no_key = || Error::invalid("the URL does not name a single value");
                Ok((store, split(stage).ok_or_else(no_key)?.1))
            }
            (parts, _) => open_value(parts, options)?.into_store(options),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_opened_says_why() {
        for (url, kind, words) in [
            ("", Kind::InvalidArgument, "empty"),
            ("a\0b", Kind::InvalidArgument, "NUL"),
            #[cfg(feature = "zip")]
            ("/no/such/x.zip|zip:a/b", Kind::NotFound, "/no/such/x.zip"),
            #[cfg(feature = "zip")]
            ("memory:x|zip:", Kind::InvalidArgument, "memory:x does not name a single value"),
            ("x|redonly:", Kind::InvalidArgument, "did you mean readonly:"),
            ("x|file:y", Kind::InvalidArgument, "must begin a URL"),
            ("readonly:", Kind::InvalidArgument, "x.zarr|readonly:"),
            ("fiel:x", Kind::InvalidArgument, "did you mean file:"),
            ("memry:x", Kind::InvalidArgument, "did you mean memory:"),
            #[cfg(unix)]
            ("C:\\data", Kind::InvalidArgument, "drive letter"),
            #[cfg(unix)]
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
    }
}
