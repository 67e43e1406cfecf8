//! Values of a Redis server, in the layout of zarr-python 2: the key `PREFIX:KEY` is a string of
//! bytes. <https://zarr.readthedocs.io/en/v2.18.3/api/storage.html#zarr.storage.RedisStore>
//!
//! - A version is the SHA-1 of the value, since the layout has no field for one. The server
//!   computes it where only the version is needed or a change is conditional.
//! - Conditional changes are made by a script, which the server runs atomically.

use super::network::Settings;
use crate::cache::Changing;
use crate::error::{Context, Error, Kind, Result};
use crate::source::{ByteSource, in_one_piece, reserve};
use crate::store::{
    Depth, Entry, Key, Mode, Options, Precondition, SharedStore, Store, Version, check_prefix,
    conflict, refuse_change,
};
use connection::{SMALL, Server};
use redis::{Cmd, ConnectionAddr, IntoConnectionInfo, ToRedisArgs, Value, cmd};
use sha1::{Digest, Sha1};
use source::RedisSource;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

mod connection;
mod source;

/// The largest value that a server accepts by default (`proto-max-bulk-len`).
const LARGEST: u64 = 512 << 20;

/// How many keys a server scans for one page of a listing.
const PAGE: usize = 1000;

/// The most bytes of a page, and of all names in one listing.
const PAGE_BYTES: u64 = 64 << 20;
const NAMES_BYTES: usize = 1 << 30;

/// Returns the version of a value.
const DIGEST: &str = "local value = redis.call('GET', KEYS[1])
return value and redis.sha1hex(value)";

/// If the version is the expected one, sets a value, or without one deletes the key; else returns
/// the current version. An absent value has the empty version.
const CHANGE: &str = "local value = redis.call('GET', KEYS[1])
local version = value and redis.sha1hex(value) or ''
if version ~= ARGV[1] then return version end
if not ARGV[2] then return redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], ARGV[2])
return 1";

struct RedisStore {
    server: Server,
    prefix: String,
    read_only: bool,
    concurrency: usize,
}

/// Opens what follows `redis:` in a URL; see [`open_server`].
pub fn open(rest: &str, mode: Mode, options: &Options) -> Result<SharedStore> {
    open_server("redis", rest, mode, options)
}

/// Opens what follows `rediss:`; see [`open_server`].
pub fn open_encrypted(rest: &str, mode: Mode, options: &Options) -> Result<SharedStore> {
    open_server("rediss", rest, mode, options)
}

/// Opens what follows `redis+unix:`; see [`open_server`].
pub fn open_socket(rest: &str, mode: Mode, options: &Options) -> Result<SharedStore> {
    open_server("redis+unix", rest, mode, options)
}

/// Opens the keys of a server that have the prefix of the options. There may be none.
///
/// [`Kind::InvalidArgument`]: the URL is invalid; [`Kind::Io`]: the server cannot be reached;
/// [`Kind::PermissionDenied`]: it rejects the credentials; [`Kind::AlreadyExists`]: the mode
/// requires a new store, and there are keys.
fn open_server(scheme: &str, rest: &str, mode: Mode, options: &Options) -> Result<SharedStore> {
    let server = Server::new(
        address(scheme, rest, options)?,
        Settings::new(options),
        options.concurrency(),
    )?;
    let store = RedisStore {
        server,
        prefix: options.text("prefix").unwrap_or("zarr").to_owned(),
        read_only: mode == Mode::Read,
        concurrency: options.concurrency(),
    };
    store.server.greet().at(|| store.name())?;
    match mode {
        Mode::Create if store.has_prefix("")? => {
            let words =
                format!("{} holds keys that begin with {}: already", store.name(), store.prefix);
            return Err(Error::new(Kind::AlreadyExists, words));
        }
        Mode::Overwrite => store.erase_prefix("")?,
        _ => {}
    }
    Ok(Arc::new(store))
}

/// The server's address, from the URL and options. Messages omit the URL: it may hold a password.
fn address(scheme: &str, rest: &str, options: &Options) -> Result<redis::ConnectionInfo> {
    let wrong = |words: String| {
        Error::invalid(format!(
            "{words}: it is {scheme}:{}",
            match scheme {
                "redis+unix" => "///PATH/OF/SOCKET or ///PATH/OF/SOCKET?db=NUMBER",
                _ => "//HOST:PORT/NUMBER, with USER:PASSWORD@ before the host where needed",
            }
        ))
    };
    if scheme != "redis+unix" && rest.contains(['?', '#']) {
        return Err(wrong("the URL has a query or a fragment, which mean nothing here".to_owned()));
    }
    let info = format!("{scheme}:{rest}")
        .into_connection_info()
        .map_err(|e| wrong(format!("the URL names no Redis server ({})", e.category())))?;
    let mut settings = info.redis_settings().clone();
    if let Some(user) = options.text("username") {
        settings = settings.set_username(user);
    }
    if let Some(password) = options.text("password") {
        settings = settings.set_password(password);
    }
    if settings.username().is_some() && settings.password().is_none() {
        return Err(wrong("there is a user without a password".to_owned()));
    }
    let there = match info.addr() {
        ConnectionAddr::Tcp(host, _) | ConnectionAddr::TcpTls { host, .. } => !host.is_empty(),
        _ => true,
    };
    if !there || settings.db() < 0 {
        return Err(wrong("the URL names no Redis server".to_owned()));
    }
    Ok(info.set_redis_settings(settings))
}

/// A command that runs a script, without its arguments.
fn script(code: &str, key: &[u8]) -> Cmd {
    let mut command = cmd("EVAL");
    command.arg(code).arg(1).arg(key);
    command
}

/// A command that returns the version of a key.
fn digest(key: &[u8]) -> Cmd {
    script(DIGEST, key)
}

/// The version of a value in memory.
fn version_of(value: &[u8]) -> Version {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |n: u8| DIGITS[usize::from(n & 15)];
    Version::new(
        Sha1::digest(value).iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect(),
    )
}

/// Parses a reply as a version.
fn version(reply: Option<Value>) -> Result<Version> {
    Ok(Version::new(bytes(reply.unwrap_or_default())?.into()))
}

/// Parses a reply as a string.
fn bytes(reply: Value) -> Result<Vec<u8>> {
    match reply {
        Value::BulkString(bytes) => Ok(bytes),
        Value::SimpleString(text) => Ok(text.into_bytes()),
        _ => Err(unexpected()),
    }
}

/// Parses a reply as a number of at least 0.
fn number(reply: Option<Value>) -> Result<u64> {
    match reply {
        Some(Value::Int(number)) => u64::try_from(number).map_err(|_| unexpected()),
        _ => Err(unexpected()),
    }
}

#[cold]
fn unexpected() -> Error {
    Error::new(Kind::Io, "the server answers something else than was asked for")
}

/// Parts of a value, as one argument of a command.
struct Joined<'a>(&'a [&'a [u8]]);

impl ToRedisArgs for Joined<'_> {
    fn write_redis_args<W: redis::RedisWrite + ?Sized>(&self, out: &mut W) {
        let mut out = out.writer_for_next_arg();
        for part in self.0 {
            let _ = std::io::Write::write_all(&mut out, part); // into memory
        }
    }
}

/// A pattern that matches keys with the prefix `text`.
fn beginning_with(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern + "*"
}

impl RedisStore {
    /// A key with the store's prefix.
    fn on_server(&self, key: &str) -> Vec<u8> {
        [&self.prefix, ":", key].concat().into_bytes()
    }

    /// The place of an error, for messages.
    fn place(&self, doing: &str, key: &str) -> String {
        format!("{doing} {}:{key} of {}", self.prefix, self.server.name())
    }

    /// Deletes a key or sets it to some parts, if `when` holds; returns how many values were
    /// deleted.
    fn change(&self, key: &Key, parts: Option<&[&[u8]]>, when: &Precondition) -> Result<u64> {
        let doing = if parts.is_some() { "setting" } else { "erasing" };
        let expected: &[u8] = match when {
            Precondition::Version(version) => version.bytes(),
            _ => b"",
        };
        let mut command = script(CHANGE, &self.on_server(key.as_str()));
        command.arg(expected);
        if let Some(parts) = parts {
            command.arg(Joined(parts));
        }
        let (reply, unsure) =
            self.server.one(command, SMALL).at(|| self.place(doing, key.as_str()))?;
        if let Value::Int(_) = reply {
            return number(Some(reply)).at(|| self.place(doing, key.as_str()));
        }
        let found = bytes(reply).at(|| self.place(doing, key.as_str()))?;
        // the connection was lost after the request was executed
        let done = match parts {
            Some(parts) => version_of(&in_one_piece(parts)?).bytes() == &found[..],
            None => found.is_empty(),
        };
        if unsure > 0 && done { Ok(1) } else { Err(conflict(self, key, when)) }
    }

    /// Calls `each` for the pages of the keys below `prefix`, without the store's own prefix. A key
    /// may appear more than once.
    fn pages(&self, prefix: &str, each: &mut dyn FnMut(Vec<String>) -> Result<()>) -> Result<()> {
        let place = || self.place("listing", prefix);
        let start = self.on_server("");
        let pattern = beginning_with(&[&self.prefix, ":", prefix].concat());
        let mut cursor = b"0".to_vec();
        let mut since = Instant::now();
        loop {
            let mut scan = cmd("SCAN");
            scan.arg(&cursor).arg("MATCH").arg(&pattern).arg("COUNT").arg(PAGE);
            let (reply, _) = self.server.one(scan, PAGE_BYTES).at(place)?;
            let (next, found) = match reply {
                Value::Array(parts) => match <[Value; 2]>::try_from(parts) {
                    Ok([next, Value::Array(found)]) => (bytes(next).at(place)?, found),
                    _ => return Err(unexpected()).at(place),
                },
                _ => return Err(unexpected()).at(place),
            };
            let mut keys = Vec::with_capacity(found.len());
            for key in found {
                let key = bytes(key).at(place)?;
                let below =
                    key.strip_prefix(&start[..]).filter(|k| k.starts_with(prefix.as_bytes()));
                // skip names that are no keys of a store
                let key = below.and_then(|key| str::from_utf8(key).ok());
                keys.extend(key.and_then(|key| Key::parse(key).ok()).map(|key| key.0));
            }
            if !keys.is_empty() {
                each(keys)?;
                since = Instant::now();
            }
            if next == b"0" {
                return Ok(());
            }
            if since.elapsed() > self.server.settings.timeout {
                let limit = self.server.settings.timeout;
                let words =
                    format!("the server goes on for {limit:?} (option timeout) without a key");
                return Err(Error::new(Kind::Io, words)).at(place);
            }
            cursor = next;
        }
    }
}

impl Store for RedisStore {
    fn name(&self) -> String {
        format!("{} ({}:…)", self.server.name(), self.prefix)
    }

    fn read_only(&self) -> bool {
        self.read_only
    }

    fn concurrency(&self) -> usize {
        self.concurrency
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        let place = || self.place("getting", key.as_str());
        let mut get = cmd("GET");
        get.arg(self.on_server(key.as_str()));
        let value = match self.server.one(get, LARGEST).at(place)? {
            (Value::Nil, _) => return Ok(None),
            (value, _) => bytes(value).at(place)?,
        };
        reserve(out, value.len())?;
        out.extend_from_slice(&value);
        Ok(Some(version_of(&value)))
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        Box::new(RedisSource::new(self, key, None))
    }

    fn source_at<'a>(&'a self, key: &Key, version: &Version) -> Box<dyn ByteSource + 'a> {
        Box::new(RedisSource::new(self, key, Some(version)))
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        let digest = digest(&self.on_server(key.as_str()));
        let asked = self.server.one(digest, SMALL).and_then(|(reply, _)| match reply {
            Value::Nil => Ok(None),
            reply => version(Some(reply)).map(Some),
        });
        asked.at(|| self.place("asking for the version of", key.as_str()))
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        let _changing = Changing;
        if self.read_only {
            return Err(refuse_change(self));
        }
        let size: usize = parts.iter().map(|part| <[u8]>::len(part)).sum();
        if size as u64 > LARGEST {
            let words = format!("the value has {size} bytes, and Redis takes {LARGEST}");
            let limited = Err(Error::new(Kind::LimitExceeded, words));
            return limited.at(|| self.place("setting", key.as_str()));
        }
        if *when != Precondition::None {
            return self.change(key, Some(parts), when).map(drop);
        }
        let mut set = cmd("SET");
        set.arg(self.on_server(key.as_str())).arg(Joined(parts));
        self.server.one(set, SMALL).map(drop).at(|| self.place("setting", key.as_str()))
    }

    fn erase(&self, key: &Key, when: &Precondition) -> Result<bool> {
        let _changing = Changing;
        if self.read_only {
            return Err(refuse_change(self));
        }
        if *when != Precondition::None {
            return self.change(key, None, when).map(|gone| gone > 0);
        }
        let mut erase = cmd("DEL");
        erase.arg(self.on_server(key.as_str()));
        let erased = self.server.one(erase, SMALL).and_then(|(reply, _)| number(Some(reply)));
        Ok(erased.at(|| self.place("erasing", key.as_str()))? > 0)
    }

    fn erase_prefix(&self, prefix: &str) -> Result<()> {
        let _changing = Changing;
        check_prefix(prefix)?;
        if self.read_only {
            return Err(refuse_change(self));
        }
        self.pages(prefix, &mut |keys| {
            let mut erase = cmd("UNLINK");
            for key in &keys {
                erase.arg(self.on_server(key));
            }
            self.server.one(erase, SMALL).map(drop).at(|| self.place("erasing below", prefix))
        })
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        check_prefix(prefix)?;
        let mut seen = HashSet::new();
        let mut held = 0;
        self.pages(prefix, &mut |keys| {
            for key in keys {
                let rest = &key[prefix.len()..];
                let entry = match rest.split_once('/') {
                    Some((name, _)) if depth == Depth::One => Entry::Prefix(name),
                    _ => Entry::Key(rest),
                };
                let name = match entry {
                    Entry::Key(name) => (name, false),
                    Entry::Prefix(name) => (name, true),
                };
                let name = (name.0.to_owned(), name.1);
                held += name.0.len();
                if seen.contains(&name) {
                    continue;
                }
                if held > NAMES_BYTES {
                    let words = format!("the keys below {prefix:?} are too many to be listed");
                    return Err(Error::new(Kind::LimitExceeded, words));
                }
                each(entry)?;
                seen.insert(name);
            }
            Ok(())
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn urls() {
        let set = |options: &[(&str, &str)]| {
            let mut set = Options::default();
            options.iter().for_each(|(name, value)| set.set(name, value).unwrap());
            set
        };
        for (scheme, rest, options, name, user, password) in [
            ("redis", "//h", set(&[]), "redis://h:6379/0", None, None),
            ("redis", "//h:1/7", set(&[]), "redis://h:1/7", None, None),
            ("redis", "//:a%20b@h", set(&[]), "redis://h:6379/0", None, Some("a b")),
            ("redis", "//me:x@[::1]:2/3", set(&[]), "redis://::1:2/3", Some("me"), Some("x")),
            ("rediss", "//h", set(&[("password", "y")]), "rediss://h:6379/0", None, Some("y")),
            (
                "redis+unix",
                "///run/r.sock?db=2",
                set(&[]),
                "redis+unix:///run/r.sock?db=2",
                None,
                None,
            ),
        ] {
            let info = address(scheme, rest, &options).unwrap();
            let server = Server::new(info.clone(), Settings::new(&options), 1).unwrap();
            assert_eq!(server.name(), name);
            let settings = info.redis_settings();
            assert_eq!((settings.username(), settings.password()), (user, password));
        }
        for (rest, words) in [
            ("", "names no"),
            ("//", "names no"),
            ("//h/x", "names no"),
            ("//h/-1", "names no"),
            ("//h?x=secret", "query"),
            ("//secret@h", "without a password"),
        ] {
            let e = address("redis", rest, &set(&[])).err().unwrap();
            assert_eq!(e.kind(), Kind::InvalidArgument);
            let text = e.to_string();
            assert!(text.contains(words) && !text.contains("secret"), "{e}");
        }
    }

    #[test]
    fn patterns_are_taken_literally() {
        assert_eq!(beginning_with("zarr:a/"), "zarr:a/*");
        assert_eq!(beginning_with(r"a*b?c[d]\e"), r"a\*b\?c\[d\]\\e*");
    }

    #[test]
    fn versions_are_what_the_server_makes_of_a_value() {
        // redis-cli EVAL "return redis.sha1hex('abc')" 0
        let expected = b"a9993e364706816aba3e25717850c26c9cd0d89d";
        assert_eq!(version_of(b"abc").bytes(), &expected[..]);
    }
}
