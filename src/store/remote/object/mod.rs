//! Objects of a cloud service as values: S3, Google Cloud Storage and Azure Blob, through the crate
//! object_store. A file for each service describes its differences as a [`Dialect`].
//!
//! - A conditional write is one conditional request, by ETag or generation, so no update is lost,
//!   whatever other writers do.
//! - Opening makes no request, except to check that a new store is new.

#[cfg(feature = "azure")]
pub mod azure;
mod client;
mod config;
mod delete;
#[cfg(feature = "gcs")]
pub mod gcs;
mod list;
mod location;
#[cfg(feature = "s3")]
mod profile;
mod put;
mod request;
#[cfg(feature = "s3")]
pub mod s3;
mod source;
mod transport;

use super::network::{self, PerProcess, Settings, wait};
use crate::cache::{Moment, values_changed};
use crate::error::{Context, Error, Kind, Result};
use crate::metadata::is_marked;
use crate::source::{ByteSource, joined};
use crate::store::{
    Depth, Entry, Fetch, Key, Mode, Options, Part, Precondition, Put, SharedStore, Stamp, Store,
    Version, refuse_change,
};
use bytes::Bytes;
use client::{Clients, Dialect};
use http::header::{HeaderName, HeaderValue, IF_MATCH};
use location::Location;
use object_store::path::Path;
use object_store::{GetOptions, ObjectMeta, ObjectStoreExt};
use source::Source;
use std::sync::{Arc, OnceLock, Weak};
use transport::{Besides, Call};

/// The longest name of an object (bytes).
const LONGEST_NAME: usize = 1024;

/// A prefix of a bucket as a store.
pub struct Objects {
    /// Weak self-reference for requests that run in the background.
    me: Weak<Objects>,
    name: String,
    prefix: String,
    read_only: bool,
    /// When the prefix was found empty.
    empty: OnceLock<Moment>,
    concurrency: usize,
    settings: Settings,
    dialect: Dialect,
    clients: PerProcess<Clients>,
    /// The region that the service redirected us to.
    moved: OnceLock<String>,
    moved_clients: PerProcess<Clients>,
}

/// The metadata of an object.
#[derive(Clone)]
pub struct ObjectHead {
    length: u64,
    /// `None`: the server sends neither ETag nor generation.
    version: Option<Version>,
}

/// Opens a store.
///
/// [`Kind::AlreadyExists`]: the mode requires a new store and the prefix is not empty, or the mode
/// would overwrite what is no store.
fn open(
    scheme: &str,
    place: &Location,
    settings: Settings,
    dialect: Dialect,
    mode: Mode,
    options: &Options,
) -> Result<SharedStore> {
    let store = Arc::new_cyclic(|me| Objects {
        me: me.clone(),
        name: format!("{scheme}://{}/{}", place.bucket, place.prefix.trim_end_matches('/')),
        prefix: place.prefix.clone(),
        read_only: mode == Mode::Read,
        empty: OnceLock::new(),
        concurrency: options.concurrency(),
        settings,
        dialect,
        clients: PerProcess::new(),
        moved: OnceLock::new(),
        moved_clients: PerProcess::new(),
    });
    let refuse = |why: &str| {
        let message = format!("{} holds something already{why}", store.name);
        Err(Error::new(Kind::AlreadyExists, message))
    };
    let mut now = Moment::begin();
    match mode {
        Mode::Create if store.has_prefix("")? => return refuse(""),
        Mode::Overwrite if store.has_prefix("")? => {
            if !store.is_marked()? {
                return refuse(
                    ", and neither Zarr nor N5 metadata, so it is not overwritten: choose another \
                     path, or delete it yourself",
                );
            }
            store.erase_prefix("")?;
            now = Moment::begin();
        }
        Mode::Create | Mode::Overwrite => {}
        // reports invalid options at once
        Mode::Read | Mode::ReadWrite | Mode::Append => {
            store.clients()?;
            return Ok(store);
        }
    }
    store.empty.get_or_init(|| now);
    Ok(store)
}

impl Objects {
    fn place(&self, key: &Key) -> String {
        format!("{key} of {}", self.name)
    }

    fn changeable(&self) -> Result<()> {
        if self.read_only { Err(refuse_change(self)) } else { Ok(()) }
    }

    /// The object path of a key. [`Kind::InvalidArgument`]: no object can have that name.
    fn path(&self, key: &Key) -> Result<Path> {
        let name = [&self.prefix, key.as_str()].concat();
        if name.len() > LONGEST_NAME {
            return Err(Error::invalid(format!(
                "the name {name:?} has {} bytes, and that of an object at most {LONGEST_NAME}",
                name.len()
            )));
        }
        let refuse = |what: &str| {
            Error::invalid(format!("key {:?} holds {what}, as no name here may", key.as_str()))
        };
        if !self.dialect.backslashes && name.contains('\\') {
            return Err(refuse("a backslash"));
        }
        Path::parse(name).map_err(|_| refuse("a control character"))
    }

    /// Whether the root has one of the metadata documents of a Zarr or N5 store.
    fn is_marked(&self) -> Result<bool> {
        is_marked(|name| Ok(self.version(&Key::trusted(name.to_owned()))?.is_some()))
    }

    /// The metadata of a key's object; `None`: absent.
    async fn head(&self, key: &Key) -> Result<Option<ObjectHead>> {
        let path = self.path(key)?;
        self.read(Call::of_value(), async |clients| {
            Ok(self.head_of(&clients.store.head(&path).await?))
        })
        .await
    }

    fn head_of(&self, meta: &ObjectMeta) -> ObjectHead {
        ObjectHead { length: meta.size, version: self.version_of(&meta.e_tag, &meta.version) }
    }

    /// The version that the service reports.
    fn version_of(&self, e_tag: &Option<String>, generation: &Option<String>) -> Option<Version> {
        let version = if self.dialect.generations { generation } else { e_tag };
        version.as_ref().map(|text| Version::new(text.bytes().collect()))
    }

    /// Makes a request conditional on the object's version.
    fn only_if(&self, options: &mut GetOptions, version: &Version) {
        match self.condition(version) {
            Some((name, value)) if self.dialect.generations => {
                options.extensions.insert(Besides(name, value));
            }
            Some((_, value)) => options.if_match = value.to_str().ok().map(str::to_owned),
            None => {}
        }
    }

    fn condition(&self, version: &Version) -> Option<(HeaderName, HeaderValue)> {
        let name = match self.dialect.generations {
            true => HeaderName::from_static("x-goog-if-generation-match"),
            false => IF_MATCH,
        };
        Some((name, HeaderValue::from_bytes(version.bytes()).ok()?))
    }
}

/// Part of a value that is sent without a copy.
struct Owned(Part);

impl AsRef<[u8]> for Owned {
    fn as_ref(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

impl Store for Objects {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn read_only(&self) -> bool {
        self.read_only
    }

    fn concurrency(&self) -> usize {
        self.concurrency
    }

    fn was_empty(&self) -> bool {
        self.empty.get().is_some_and(Moment::lasts)
    }

    fn start(&self, fetch: Fetch) -> Option<Fetch> {
        let Some(store) = self.me.upgrade() else { return Some(fetch) };
        network::start(fetch, move |key, version, want, bytes| async move {
            Source::new(&store, &key, version.as_ref()).fetch(want, bytes).await
        })
    }

    fn start_set(&self, put: Put) -> Option<Put> {
        let Some(store) = self.me.upgrade() else { return Some(put) };
        network::start_set(put, move |key, parts, when| async move {
            let parts = parts.into_iter().map(|part| Bytes::from_owner(Owned(part)));
            let set = store.put(&key, parts.collect(), &when).await;
            values_changed();
            set.map(drop)
        })
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        wait(Source::new(self, key, None).get_all(out))
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        Box::new(Source::new(self, key, None))
    }

    fn source_at<'a>(&'a self, key: &Key, version: &Version) -> Box<dyn ByteSource + 'a> {
        Box::new(Source::new(self, key, Some(version)))
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        Source::new(self, key, None).version()
    }

    fn stamp(&self, key: &Key) -> Result<Option<Stamp>> {
        let path = self.path(key)?;
        let found = self.read(Call::of_value(), async |clients| {
            let meta = clients.store.head(&path).await?;
            let modified = Some(meta.last_modified.timestamp());
            Ok(Stamp { version: self.head_of(&meta).version, etag: meta.e_tag, modified })
        });
        wait(found).at(|| self.place(key))
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        self.set_known(key, parts, when).map(drop)
    }

    fn set_known(
        &self,
        key: &Key,
        parts: &[&[u8]],
        when: &Precondition,
    ) -> Result<Option<Version>> {
        let set = wait(self.put(key, joined(parts)?.into(), when));
        values_changed();
        set
    }

    fn erase(&self, key: &Key, when: &Precondition) -> Result<bool> {
        let deleted = self.delete(key, when);
        values_changed();
        deleted
    }

    fn erase_prefix(&self, prefix: &str) -> Result<()> {
        let deleted = self.delete_prefix(prefix);
        values_changed();
        deleted
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        self.list_below(prefix, depth, each)
    }

    fn has_prefix(&self, prefix: &str) -> Result<bool> {
        self.holds_below(prefix)
    }
}

#[cfg(all(test, feature = "s3"))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Needs a server, whose address is in `ZARRC_TEST_S3`, with a bucket `zarrc-test`.
    #[test]
    fn what_is_larger_than_one_request_goes_up_in_pieces() {
        let Ok(server) = std::env::var("ZARRC_TEST_S3") else {
            println!("not tried: ZARRC_TEST_S3 is not set");
            return;
        };
        let mut options = Options::default();
        for (name, value) in [
            ("endpoint", &server[..]),
            ("key", "test"),
            ("secret", "test"),
            ("region", "us-east-1"),
        ] {
            options.set(name, value).unwrap();
        }
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let place =
            Location::parse("s3", &format!("//zarrc-test/pieces-{}", now.as_nanos())).unwrap();
        let (settings, mut dialect) = s3::prepared(&place, &options).unwrap();
        dialect.largest_put = 1000;
        let store = open("s3", &place, settings, dialect, Mode::Create, &options).unwrap();
        let (key, mut out) = (Key::parse("a b/c").unwrap(), Vec::new());
        let value = vec![7u8; 70 << 20];
        let parts = [&value[..5], &value[5..]];
        store.set(&key, &parts, &Precondition::Absent).unwrap();
        let version = store.get(&key, &mut out).unwrap().unwrap();
        assert!(out == value);
        store.set(&key, &[&value[..2000]], &Precondition::Version(version)).unwrap();
        out.clear();
        store.get(&key, &mut out).unwrap().unwrap();
        assert!(out == value[..2000]);
        store.erase_prefix("").unwrap();
        assert!(!store.has_prefix("").unwrap());
    }
}
