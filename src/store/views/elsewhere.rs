//! External files, which references and Icechunk repositories name by URL. The author of such a URL
//! is not the user who opens the store, so this module decides which files may be read, and with
//! which options:
//!
//! - What the option `virtual_chunks` names is read, with all options. If it is set, nothing else
//!   is read; an Icechunk repository never reads anything else.
//! - References may read local files below their own directory, and public servers. The caller's
//!   credentials are sent only to the server that the references came from, and to cloud services,
//!   which the caller chose.
//! - A server not named by the option may not have a reserved address, such as a cloud's instance
//!   metadata ([`is_reserved`](super::network::guard::is_reserved)).

use crate::error::{Context, Error, Kind, Result};
use crate::fork::Lock;
use crate::store::open::Target;
use crate::store::url::without_secrets;
use crate::store::{Key, Options, SharedStore};
use lru::LruCache;
use std::num::NonZeroUsize;
use std::path::{Component, Path, PathBuf};

/// The most stores kept open.
const OPEN: usize = 64;

/// Who wrote the URLs.
pub(super) enum Author {
    /// References: the store that they are in, and its directory if it is a local one.
    References(SharedStore, Option<PathBuf>),
    /// An Icechunk repository.
    #[cfg(feature = "icechunk")]
    Repository,
}

/// The external files of one document.
pub(super) struct Elsewhere {
    author: Author,
    /// The locations that the option names; `None`: it is not set.
    named: Option<Vec<String>>,
    options: Options,
    /// Open stores, by the URL before the file name and whether all options were used.
    stores: Lock<LruCache<(String, bool), SharedStore>>,
}

impl Elsewhere {
    pub fn new(author: Author, options: &Options) -> Self {
        let named = options.text("virtual_chunks").filter(|text| !text.trim().is_empty());
        Elsewhere {
            author,
            named: named.map(|text| text.split_whitespace().map(str::to_owned).collect()),
            options: options.clone(),
            stores: Lock::new(LruCache::new(NonZeroUsize::MIN.saturating_add(OPEN - 1))),
        }
    }

    /// The store and key of the value at `url`.
    ///
    /// [`Kind::PermissionDenied`]: it may not be read.
    pub fn find(&self, url: &str) -> Result<(SharedStore, Key)> {
        let target = Target::parse(url)?;
        let trusted = self.may_read(&target).at(|| without_secrets(url))?;
        // files of one directory share a store
        let parent = url.rsplit_once('/').map_or("", |(parent, _)| parent);
        let name = (parent.to_owned(), trusted);
        let stores = || self.stores.write();
        let kept = match target.is_plain() {
            true => stores().get(&name).cloned(),
            false => None,
        };
        let (store, key) = match trusted {
            true => target.open(kept, &self.options)?,
            false => target.open(kept, &self.for_strangers(target.base().0))?,
        };
        if target.is_plain() {
            stores().put(name, store.clone());
        }
        Ok((store, key))
    }

    /// Whether to use all options for `target`; fails if it may not be read.
    fn may_read(&self, target: &Target) -> Result<bool> {
        if self.named.iter().flatten().any(|beginning| begins(target, beginning)) {
            return Ok(true);
        }
        let refuse = |why: &str| {
            let words =
                format!("{why}: to allow it, add a prefix of the URL to the option virtual_chunks");
            Err(Error::new(Kind::PermissionDenied, words))
        };
        let (home, directory) = match &self.author {
            _ if self.named.is_some() => {
                return refuse("the option virtual_chunks does not name it");
            }
            Author::References(home, directory) => (home, directory),
            #[cfg(feature = "icechunk")]
            Author::Repository => return refuse("it lies outside of the repository"),
        };
        let home = home.name();
        let (scheme, rest) = target.base();
        if let Some(path) = target.path()? {
            return match directory {
                Some(directory) if lies_below(&path, directory) => Ok(false),
                Some(directory) => refuse(&format!(
                    "references read only local files below their own directory, {}",
                    directory.display()
                )),
                None => refuse("remote references cannot refer to local files"),
            };
        }
        match scheme {
            "http" | "https" => Ok(origin(scheme, rest).is_some_and(|origin| {
                home.split_once(':').and_then(|(scheme, rest)| self::origin(scheme, rest))
                    == Some(origin)
            })),
            // a foreign account, at a foreign host
            "az" | "abfs" | "abfss" if rest.contains('@') => {
                refuse("it chooses an account of Azure")
            }
            "s3" | "gs" | "gcs" | "az" | "abfs" | "abfss" => Ok(false),
            _ if home == format!("{scheme}:{rest}") => Ok(false),
            _ if format!("{scheme}:{rest}").starts_with(&format!("{home}/")) => Ok(false),
            _ => refuse("references cannot read such a store"),
        }
    }

    /// The options without credentials.
    fn for_strangers(&self, scheme: &str) -> Options {
        let mut without = vec!["headers", "bearer_token", "username", "password"];
        // credentials of one cloud are not for another
        if let Author::References(home, _) = &self.author
            && home.name().split_once("://").is_some_and(|(service, _)| service != scheme)
        {
            without.push("token");
        }
        self.options.for_strangers(&without)
    }
}

/// Whether `target` is at `beginning` or below it.
fn begins(target: &Target, beginning: &str) -> bool {
    let (scheme, rest) = target.base();
    let odd = |c: char| c.is_control() || c == '\\';
    if scheme == "file" {
        let beginning = Target::parse(beginning).ok().and_then(|named| named.path().ok()).flatten();
        let path = target.path().ok().flatten();
        return beginning.zip(path).is_some_and(|(directory, path)| lies_below(&path, &directory));
    }
    if rest.split('/').any(|name| name == "..") || rest.contains(odd) || has_coded_dots(rest) {
        return false;
    }
    let url = format!("{scheme}:{rest}");
    let below = url.strip_prefix(beginning);
    below.is_some_and(|b| beginning.ends_with('/') || b.is_empty() || b.starts_with(['/', '?']))
}

/// Whether a dot is percent-encoded, which may hide a `..`.
fn has_coded_dots(rest: &str) -> bool {
    rest.as_bytes().windows(3).any(|w| w.eq_ignore_ascii_case(b"%2e"))
}

/// Whether a path is below a directory, as written or with links resolved.
fn lies_below(path: &Path, directory: &Path) -> bool {
    let (Ok(path), Ok(directory)) = (std::path::absolute(path), std::path::absolute(directory))
    else {
        return false;
    };
    let below = |path: &Path, directory: &Path| {
        directory.parent().is_some()
            && path.starts_with(directory)
            && !path.components().any(|part| part == Component::ParentDir)
    };
    let real = || Some((path.canonicalize().ok()?, directory.canonicalize().ok()?));
    below(&path, &directory) || real().is_some_and(|(path, directory)| below(&path, &directory))
}

/// The scheme, host and port of `scheme:rest`, if it has no login.
fn origin(scheme: &str, rest: &str) -> Option<(String, String)> {
    let authority = rest.strip_prefix("//")?.split(['/', '\\', '?', '#']).next()?;
    let usual = if scheme == "https" { ":443" } else { ":80" };
    let host = authority.strip_suffix(usual).unwrap_or(authority);
    (!host.is_empty() && !host.contains('@'))
        .then(|| (scheme.to_owned(), host.to_ascii_lowercase()))
}

/// Resolves a relative path from `directory` (`""` or ending in `/`) to one without `..`; `None`:
/// it leaves the root of `directory`.
pub(super) fn resolved(directory: &str, relative: &str) -> Option<String> {
    let mut names: Vec<&str> = directory.split('/').filter(|name| !name.is_empty()).collect();
    for name in relative.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()?),
            name => names.push(name),
        }
    }
    Some(names.join("/"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::store::{Mode, open};

    fn elsewhere(home: &str, directory: Option<&str>, set: &[(&str, &str)]) -> Elsewhere {
        let mut options = Options::default();
        set.iter().for_each(|(name, value)| options.set(name, value).unwrap());
        let home = open(home, Mode::Append, &Options::default());
        let home = home.or_else(|_| open("memory:", Mode::Append, &Options::default())).unwrap();
        Elsewhere::new(Author::References(home, directory.map(PathBuf::from)), &options)
    }

    fn may(of: &Elsewhere, url: &str) -> Option<bool> {
        match Target::parse(url).and_then(|target| of.may_read(&target)) {
            Ok(trusted) => Some(trusted),
            Err(e) => {
                assert_eq!(e.kind(), Kind::PermissionDenied, "{url}: {e}");
                None
            }
        }
    }

    #[test]
    fn references_of_this_machine_read_what_lies_beside_them() {
        let here = elsewhere("memory:", Some("/tmp/refs"), &[]);
        for url in ["/tmp/refs/a", "file:///tmp/refs/b/c", "/tmp/refs/x.zip|zip:a"] {
            assert_eq!(may(&here, url), Some(false), "{url}");
        }
        for url in [
            "/etc/passwd",
            "file:///etc/passwd",
            "file:/proc/self/environ",
            "/tmp/refs/../../etc/passwd",
            "/tmp/refsx/a",
            "/etc/passwd|cache:",
            "simplecache::/etc/passwd",
            "/proc/self/root/etc/passwd",
            "reference:/tmp/refs/x.json",
            "/tmp/refs/x.json|reference:a",
            "/tmp/refs/a|log:b",
            "memory:other/a",
        ] {
            assert_eq!(may(&here, url), None, "{url}");
        }
        let far = elsewhere("memory:elsewhere-1", None, &[]);
        assert_eq!(may(&far, "/tmp/refs/a"), None);
        assert_eq!(may(&far, "memory:elsewhere-1/a"), Some(false));
        assert_eq!(may(&far, "memory:elsewhere-12/a"), None);
    }

    #[test]
    fn what_the_option_names_is_read_and_nothing_else() {
        let set = [("virtual_chunks", "/data/ https://h/x memory:m")];
        let of = elsewhere("memory:", Some("/tmp/refs"), &set);
        for url in ["/data/a", "file:///data/b/c", "https://h/x/a", "https://h/x?a", "memory:m/a"] {
            assert_eq!(may(&of, url), Some(true), "{url}");
        }
        for url in [
            "/database/a",
            "/data/../etc/passwd",
            "/tmp/refs/a",
            "https://h/xy",
            "https://h/x/../y",
            "https://h/x/%2E./y",
            "https://h/x\\..\\y",
            "https://hx/x/a",
            "http://h/x/a",
            "memory:mm/a",
        ] {
            assert_eq!(may(&of, url), None, "{url}");
        }
    }

    #[cfg(feature = "http")]
    #[test]
    fn who_asks_is_told_to_the_server_of_the_references_alone() {
        let home = open("http://good:80/d", Mode::Read, &Options::default()).unwrap();
        let of = Elsewhere::new(Author::References(home, None), &Options::default());
        for (url, trusted) in [
            ("http://good/x", true),
            ("HTTP://good:80/x", true),
            ("https://good/x", false),
            ("http://good:81/x", false),
            ("http://evil/x", false),
            ("http://good@evil/x", false),
            ("http://good.evil/x", false),
            ("http://good:80@evil/x", false),
        ] {
            assert_eq!(may(&of, url), Some(trusted), "{url}");
        }
    }

    #[test]
    fn relative_paths() {
        for (directory, relative, path) in [
            ("", "a/b", Some("a/b")),
            ("x/y/", "../../a", Some("a")),
            ("x/", "./a//b", Some("x/a/b")),
            ("x/", "../../a", None),
        ] {
            assert_eq!(resolved(directory, relative).as_deref(), path);
        }
    }
}
