//! Objects of a cloud's service as values: S3, Google Cloud Storage and Azure Blob, whose languages the
//! crate object_store speaks. What differs between them is in a file for each, as a [`Dialect`].
//!
//! - A write that depends on what is there is one conditional request, by ETag or generation, so no
//!   update is lost, whoever else writes.
//! - Opening makes no request, except to see that a new store is new.

#[cfg(feature = "azure")]
pub mod azure;
#[cfg(feature = "gcs")]
pub mod gcs;
mod list;
#[cfg(feature = "s3")]
mod profile;
#[cfg(feature = "s3")]
pub mod s3;
mod source;
mod transport;

use super::network::{PerProcess, Settings, pause};
use crate::error::{Context, Error, Kind, Result};
use crate::metadata::is_marked;
use crate::source::{ByteSource, reserve};
use crate::store::{
    Depth, Entry, Key, Mode, Options, Precondition, SharedStore, Stamp, Store, Version,
    check_prefix, conflict, refuse_change,
};
use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt, stream};
use list::Pages;
use object_store::list::PaginatedListStore;
use object_store::path::Path;
use object_store::{
    GetOptions, MultipartUpload, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions,
    PutPayload, UpdateVersion,
};
use reqwest::Url;
use reqwest::header::{HeaderName, HeaderValue, IF_MATCH};
use source::Source;
use std::sync::{Arc, OnceLock};
use transport::{Besides, Call, Connector};

/// Pieces in which a value is sent that is larger than one request may be.
const PIECE: usize = 64 << 20;

/// How many bytes the name of an object may have.
const LONGEST_NAME: usize = 1024;

/// So many are deleted in the time that a request may take.
const DELETED_AT_ONCE: usize = 1000;

/// So often what is below a prefix is listed again to be deleted.
const PASSES: usize = 10;

/// Makes the clients of a process, in another region than that of the options if there is one.
pub type Connect = Box<dyn Fn(&Connector, Option<&str>) -> Result<Clients> + Send + Sync>;

/// What differs between the services.
pub struct Dialect {
    /// Makes the clients.
    pub connect: Connect,
    /// Whether a version is the generation of an object; else it is its ETag.
    pub generations: bool,
    /// Whether the last bytes of an object can be asked for without knowing its length.
    pub suffixes: bool,
    /// Whether requests can be made to depend on what is there.
    pub conditions: bool,
    /// Whether a backslash in a name is not taken for a slash.
    pub backslashes: bool,
    /// Whether one request may delete many objects.
    pub bulk_deletion: bool,
    /// How many bytes one request may send.
    pub largest_put: u64,
    /// Whether an upload in pieces can be made to depend on what is there.
    pub conditional_uploads: bool,
    /// Whether the service may send us to another region.
    pub moves: bool,
}

/// What requests are made with.
pub struct Clients {
    pub store: Arc<dyn ObjectStore>,
    pub pages: Arc<dyn PaginatedListStore>,
    pub eraser: Box<dyn Eraser>,
}

/// Deletes one object, under the condition of the call that it is a part of.
#[async_trait]
pub trait Eraser: Send + Sync {
    /// In one request, tried again like any other.
    async fn erase(&self, path: &Path) -> object_store::Result<()>;
}

#[async_trait]
impl Eraser for Arc<dyn ObjectStore> {
    async fn erase(&self, path: &Path) -> object_store::Result<()> {
        self.delete(path).await
    }
}

/// Where a store is: `//BUCKET/PATH`, with whom it is shared in Azure's long form.
pub struct Place {
    pub bucket: String,
    /// What stands before an `@`, which is the bucket then, and the host behind it.
    pub host: Option<String>,
    /// Empty, or ends in `/`.
    pub prefix: String,
}

impl Place {
    /// Takes apart what follows a scheme. The path is taken as it is, character for character.
    pub fn parse(scheme: &str, rest: &str) -> Result<Place> {
        let wrong = |why: &str| {
            Error::invalid(format!("{scheme}: a URL is written {scheme}://BUCKET/PATH; {why}"))
        };
        let address = rest.strip_prefix("//").ok_or_else(|| wrong("there is no //"))?;
        if address.contains('?') {
            return Err(wrong("what others write behind a question mark is given as options"));
        }
        let (host, path) = address.split_once('/').unwrap_or((address, ""));
        let (bucket, host) = match host.rsplit_once('@') {
            Some((bucket, host)) => (bucket, Some(host.to_owned())),
            None => (host, None),
        };
        let named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '$');
        if bucket.is_empty() || !bucket.chars().all(named) {
            // it may well be a key and a secret
            return Err(wrong("the name of the bucket is missing or has characters that none has"));
        }
        let path = path.strip_suffix('/').unwrap_or(path);
        let prefix = match path {
            "" => String::new(),
            path => format!("{}/", Key::parse(path)?.as_str()),
        };
        Ok(Place { bucket: bucket.to_owned(), host, prefix })
    }
}

/// A prefix of a bucket as a store.
pub struct Objects {
    name: String,
    prefix: String,
    read_only: bool,
    concurrency: usize,
    settings: Settings,
    dialect: Dialect,
    clients: PerProcess<Clients>,
    /// The region that the service sent us to.
    moved: OnceLock<String>,
    moved_clients: PerProcess<Clients>,
}

/// What is said of an object.
#[derive(Clone)]
pub struct ObjectHead {
    length: u64,
    /// `None`: the server says nothing that tells one state of it from another.
    version: Option<Version>,
}

/// How a request can fail.
pub enum Fail {
    Service(object_store::Error),
    /// The server sent more or less than it had announced.
    Again(&'static str),
    Ours(Error),
}

impl From<object_store::Error> for Fail {
    fn from(e: object_store::Error) -> Self {
        Fail::Service(e)
    }
}

impl From<Error> for Fail {
    fn from(e: Error) -> Self {
        Fail::Ours(e)
    }
}

/// The variables of the environment whose names begin with `prefix`, in lower case.
fn environment(prefix: &str) -> Vec<(String, String)> {
    let of = |text: std::ffi::OsString| text.into_string().ok();
    std::env::vars_os()
        .filter_map(|(name, value)| Some((of(name)?, of(value)?)))
        .filter(|(name, _)| name.starts_with(prefix))
        .map(|(name, value)| (name.to_ascii_lowercase(), value))
        .collect()
}

/// Whether a setting that object_store takes for yes or no is yes.
#[cfg(any(feature = "azure", feature = "s3"))]
fn means_yes(value: &str) -> bool {
    ["true", "1", "yes", "on", "y"].iter().any(|yes| value.eq_ignore_ascii_case(yes))
}

/// Checks the address of a service that is not the usual one.
fn check_endpoint(endpoint: &str, settings: &Settings) -> Result<()> {
    let url = Url::parse(endpoint).ok().filter(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.host().is_some()
    });
    let url = url.ok_or_else(|| {
        Error::invalid("the endpoint is no URL as http://localhost:9000 or https://host is one")
    })?;
    settings.check_encryption(&url)
}

/// The error of options that object_store makes nothing of. What they hold is not repeated.
fn refused(e: object_store::Error) -> Error {
    // of what could not be read, the reader quotes the content
    let words = match e.to_string() {
        words if words.contains("decode") || words.contains("deserial") => {
            "the credentials cannot be read: is it the right file?".to_owned()
        }
        words => words,
    };
    Error::invalid(words)
}

/// Opens a store.
///
/// [`Kind::AlreadyExists`]: the mode asks for a new one and there is something, or to overwrite what
/// is no store.
fn open(
    scheme: &str,
    place: &Place,
    settings: Settings,
    dialect: Dialect,
    mode: Mode,
    options: &Options,
) -> Result<SharedStore> {
    let store = Objects {
        name: format!("{scheme}://{}/{}", place.bucket, place.prefix.trim_end_matches('/')),
        prefix: place.prefix.clone(),
        read_only: mode == Mode::Read,
        concurrency: options.concurrency(),
        settings,
        dialect,
        clients: PerProcess::new(),
        moved: OnceLock::new(),
        moved_clients: PerProcess::new(),
    };
    let refuse = |why: &str| {
        let message = format!("{} holds something already{why}", store.name);
        Err(Error::new(Kind::AlreadyExists, message))
    };
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
        }
        // what is wrong with the options is found out at once
        _ => drop(store.clients()?),
    }
    Ok(Arc::new(store))
}

impl Objects {
    fn clients(&self) -> Result<Arc<Clients>> {
        let connect = |region| {
            super::network::wait(async { Connector::new(&self.settings) })
                .and_then(|connector| (self.dialect.connect)(&connector, region))
                .at(|| format!("store {}", self.name))
        };
        match self.moved.get() {
            Some(region) => self.moved_clients.get(|| connect(Some(region))),
            None => self.clients.get(|| connect(None)),
        }
    }

    /// Goes to another region from now on; `false`: it has done so already, or never does.
    fn moves_to(&self, region: &str) -> bool {
        self.dialect.moves && self.moved.set(region.to_owned()).is_ok()
    }

    fn place(&self, key: &Key) -> String {
        format!("{key} of {}", self.name)
    }

    fn changeable(&self) -> Result<()> {
        if self.read_only { Err(refuse_change(self)) } else { Ok(()) }
    }

    /// The object of a key. [`Kind::InvalidArgument`]: no object has such a name.
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

    /// Whether one of the documents is there that a Zarr or N5 store has at its root.
    fn is_marked(&self) -> Result<bool> {
        is_marked(|name| Ok(self.version(&Key::trusted(name.to_owned()))?.is_some()))
    }

    /// Makes the requests of `work`, in the time that the settings allow. `tries_again`: also where the answer
    /// makes no sense or ends early. `None`: there is no such object.
    fn run<T>(
        &self,
        call: Call,
        tries_again: bool,
        mut work: impl AsyncFnMut(&Clients) -> Result<T, Fail>,
    ) -> (Arc<Call>, Result<Option<T>>) {
        let call = Arc::new(call);
        let mut clients = match self.clients() {
            Ok(clients) => clients,
            Err(e) => return (call, Err(e)),
        };
        let done = self.settings.wait(async {
            let mut tries = 0;
            // object_store has tried what it knows before
            let most = self.settings.max_retries.min(3);
            loop {
                let e = match call.clone().scope(work(&clients)).await {
                    Ok(done) => return Ok(Some(done)),
                    Err(Fail::Ours(e)) => return Err(e),
                    Err(Fail::Service(_)) if call.is_absent() => return Ok(None),
                    Err(Fail::Service(e)) => call.error(&e),
                    Err(Fail::Again(how)) => {
                        let message = format!("the server sends {how} than it announced");
                        Error::new(Kind::Io, message)
                    }
                };
                if let Some(region) = call.region()
                    && self.moves_to(&region)
                {
                    clients = self.clients()?;
                } else if tries_again && call.is_worth_another() && tries < most {
                    tries += 1;
                    tokio::time::sleep(pause(tries)).await;
                } else {
                    return Err(e);
                }
            }
        });
        let done = done.at(|| call.request());
        (call, done)
    }

    /// Makes requests that change nothing; `None`: there is no such object.
    fn read<T>(
        &self,
        call: Call,
        work: impl AsyncFnMut(&Clients) -> Result<T, Fail>,
    ) -> Result<Option<T>> {
        self.run(call, true, work).1
    }

    /// What is said of the object of a key; `None`: absent.
    fn head(&self, key: &Key) -> Result<Option<ObjectHead>> {
        let path = self.path(key)?;
        self.read(Call::of_value(), async |clients| {
            Ok(self.head_of(&clients.store.head(&path).await?))
        })
    }

    fn head_of(&self, meta: &ObjectMeta) -> ObjectHead {
        ObjectHead { length: meta.size, version: self.version_of(&meta.e_tag, &meta.version) }
    }

    /// The version of what the service says that of.
    fn version_of(&self, e_tag: &Option<String>, generation: &Option<String>) -> Option<Version> {
        let version = if self.dialect.generations { generation } else { e_tag };
        version.as_ref().map(|text| Version::new(text.bytes().collect()))
    }

    /// Makes a request for an object depend on its version.
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

    /// How object_store says that a write depends on what is there.
    fn put_mode(&self, when: &Precondition) -> Result<PutMode> {
        if *when != Precondition::None && !self.dialect.conditions {
            return Err(Error::unsupported(
                "a write that depends on what is there is not possible with the option \
                 conditional_put=disabled; only whole chunks can be written then",
            ));
        }
        Ok(match when {
            Precondition::None => PutMode::Overwrite,
            Precondition::Absent => PutMode::Create,
            Precondition::Version(version) => {
                let text = || String::from_utf8(version.bytes().to_vec()).ok();
                let (e_tag, version) = match self.dialect.generations {
                    true => (None, text()),
                    false => (text(), None),
                };
                PutMode::Update(UpdateVersion { e_tag, version })
            }
        })
    }

    /// Deletes objects, if they are there.
    async fn erase_all(&self, clients: &Clients, paths: &[Path]) -> Result<(), Fail> {
        let paths = stream::iter(paths.to_vec());
        let mut erased = match self.dialect.bulk_deletion {
            true => clients.store.delete_stream(paths.map(Ok).boxed()).map_ok(drop).boxed_local(),
            false => paths
                .map(async |path| clients.eraser.erase(&path).await)
                .buffer_unordered(self.concurrency)
                .boxed_local(),
        };
        while let Some(one) = erased.next().await {
            match one {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
                Err(e) => return Err(e.into()),
            }
        }
        Ok(())
    }

    /// Sends a value that is larger than one request may be. Nothing of it is seen before all of it.
    async fn upload(
        &self,
        clients: &Clients,
        path: &Path,
        parts: &[&[u8]],
    ) -> object_store::Result<()> {
        let mut upload = clients.store.put_multipart(path).await?;
        let sent = send(&mut *upload, parts).await;
        if let Err(e) = sent {
            // what is left there costs, but nobody sees it
            let _ = upload.abort().await;
            return Err(e);
        }
        Ok(())
    }
}

/// Sends the parts in pieces, and completes the upload.
async fn send(upload: &mut dyn MultipartUpload, parts: &[&[u8]]) -> object_store::Result<()> {
    let mut piece = Vec::with_capacity(PIECE);
    for mut part in parts.iter().copied() {
        while !part.is_empty() {
            let (now, later) = part.split_at(part.len().min(PIECE - piece.len()));
            piece.extend_from_slice(now);
            part = later;
            if piece.len() == PIECE {
                let full = std::mem::replace(&mut piece, Vec::with_capacity(PIECE));
                upload.put_part(full.into()).await?;
            }
        }
    }
    if !piece.is_empty() {
        upload.put_part(piece.into()).await?;
    }
    upload.complete().await.map(drop)
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

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        Source::new(self, key, None).get_all(out)
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
        found.at(|| self.place(key))
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
        self.changeable()?;
        let place = || self.place(key);
        let path = self.path(key)?;
        let mode = self.put_mode(when).at(place)?;
        let size = parts.iter().fold(0usize, |sum, part| sum.saturating_add(<[u8]>::len(part)));
        let (call, done) = if size as u64 > self.dialect.largest_put {
            if *when != Precondition::None && !self.dialect.conditional_uploads {
                let message =
                    format!("{size} bytes are too many for a write that depends on what is there");
                return Err(Error::unsupported(message)).at(place);
            }
            let condition = match when {
                Precondition::None => None,
                Precondition::Version(version) => self.condition(version),
                Precondition::Absent if self.dialect.generations => {
                    self.condition(&Version::new(b"0".iter().copied().collect()))
                }
                Precondition::Absent => {
                    Some((reqwest::header::IF_NONE_MATCH, HeaderValue::from_static("*")))
                }
            };
            self.run(Call::on(condition), false, async |clients| {
                self.upload(clients, &path, parts).await?;
                Ok(None)
            })
        } else {
            let mut value = Vec::new();
            reserve(&mut value, size)?;
            parts.iter().for_each(|part| value.extend_from_slice(part));
            let payload = PutPayload::from(value);
            self.run(Call::default(), false, async |clients| {
                let options = PutOptions { mode: mode.clone(), ..PutOptions::default() };
                let put = clients.store.put_opts(&path, payload.clone(), options).await?;
                Ok(self.version_of(&put.e_tag, &put.version))
            })
        };
        match done {
            Ok(Some(version)) => Ok(version),
            // it took the value, but says nothing of it that object_store looks for
            Err(_) if call.succeeded() => Ok(None),
            Ok(None) if !matches!(when, Precondition::Version(_)) => {
                Err(Error::new(Kind::NotFound, "there is no such bucket")).at(place)
            }
            Err(e) if e.kind() != Kind::Conflict || *when == Precondition::None => Err(e).at(place),
            // the answer to a request that was tried again may be about its first try
            _ if call.requests() > 1 && self.holds(key, parts)? => Ok(None),
            _ => Err(conflict(self, key, when)),
        }
    }

    fn erase(&self, key: &Key, when: &Precondition) -> Result<bool> {
        self.changeable()?;
        let place = || self.place(key);
        let path = self.path(key)?;
        let conflict = || conflict(self, key, when);
        let head = self.head(key).at(place)?;
        let condition = match (when, &head) {
            (Precondition::Absent, Some(_)) | (Precondition::Version(_), None) => {
                return Err(conflict());
            }
            (_, None) => return Ok(false),
            (Precondition::Version(version), Some(head)) => {
                if head.version.as_ref() != Some(version) {
                    return Err(conflict());
                }
                self.put_mode(when).at(place)?;
                self.condition(version)
            }
            (_, Some(_)) => None,
        };
        let (call, done) = self.run(Call::on(condition), false, async |clients| {
            Ok(clients.eraser.erase(&path).await?)
        });
        match done {
            Ok(Some(())) => Ok(true),
            // gone: by the first try of this request, or by another hand
            Ok(None) if *when == Precondition::None || call.requests() > 1 => Ok(true),
            Ok(None) => Err(conflict()),
            Err(e) if e.kind() == Kind::Conflict && *when != Precondition::None => Err(conflict()),
            Err(e) => Err(e).at(place),
        }
    }

    fn erase_prefix(&self, prefix: &str) -> Result<()> {
        self.changeable()?;
        check_prefix(prefix)?;
        // not every service's pages stay where they are while what is on them goes
        for _ in 0..PASSES {
            let mut pages = Pages::new(self, [&self.prefix, prefix].concat(), false, None)?;
            let mut count = 0;
            while let Some(page) = pages.next()? {
                count += 1;
                let paths: Vec<Path> = page.objects.into_iter().map(|meta| meta.location).collect();
                for paths in paths.chunks(DELETED_AT_ONCE) {
                    let erased = self.run(Call::default(), true, async |clients| {
                        self.erase_all(clients, paths).await
                    });
                    erased.1.at(|| format!("deleting below {prefix:?} of {}", self.name))?;
                }
            }
            if count <= 1 {
                return Ok(());
            }
        }
        let message = "others go on writing there, or the server does not delete";
        Err(Error::new(Kind::Io, message))
            .at(|| format!("deleting below {prefix:?} of {}", self.name))
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        check_prefix(prefix)?;
        let whole = [&self.prefix, prefix].concat();
        let place = || format!("listing {prefix:?} of {}", self.name);
        let mut pages = Pages::new(self, whole.clone(), depth == Depth::One, None).at(place)?;
        // what is no key, as the empty object that some call a directory, is passed over
        let key = |path: &Path| {
            let key = path.as_ref().strip_prefix(&whole)?;
            Key::parse(key).is_ok().then(|| key.to_owned())
        };
        let mut last = None;
        while let Some(page) = pages.next().at(place)? {
            for name in page.common_prefixes.iter().filter_map(key) {
                // some services repeat the one that a page ended with
                if last.as_ref() != Some(&name) {
                    each(Entry::Prefix(&name))?;
                    last = Some(name);
                }
            }
            for name in page.objects.iter().filter_map(|meta| key(&meta.location)) {
                each(Entry::Key(&name))?;
            }
        }
        Ok(())
    }

    fn has_prefix(&self, prefix: &str) -> Result<bool> {
        check_prefix(prefix)?;
        let place = || format!("listing {prefix:?} of {}", self.name);
        let mut pages =
            Pages::new(self, [&self.prefix, prefix].concat(), false, Some(1)).at(place)?;
        while let Some(page) = pages.next().at(place)? {
            if !page.objects.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Objects {
    /// Whether a key holds exactly that.
    fn holds(&self, key: &Key, parts: &[&[u8]]) -> Result<bool> {
        let mut value = Vec::new();
        if Source::new(self, key, None).get_all(&mut value)?.is_none() {
            return Ok(false);
        }
        let mut rest = &value[..];
        let same = parts.iter().all(|part| {
            let same = rest.starts_with(part);
            rest = rest.get(<[u8]>::len(part)..).unwrap_or_default();
            same
        });
        Ok(same && rest.is_empty())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_buckets_and_prefixes() {
        for (rest, bucket, host, prefix) in [
            ("//bucket", "bucket", None, ""),
            ("//bucket/", "bucket", None, ""),
            ("//b.u-c/a b%20+ü/x.zarr/", "b.u-c", None, "a b%20+ü/x.zarr/"),
            ("//c@a.dfs.core.windows.net/x", "c", Some("a.dfs.core.windows.net"), "x/"),
        ] {
            let place = Place::parse("s3", rest).unwrap();
            let found = (&place.bucket[..], place.host.as_deref(), &place.prefix[..]);
            assert_eq!(found, (bucket, host, prefix));
        }
        for rest in [
            "",
            "bucket/x",
            "//",
            "///x",
            "//b/a//c",
            "//b/../c",
            "//b?sig=secret",
            "//k:secret@b/x",
        ] {
            let e = Place::parse("s3", rest).err().unwrap();
            assert_eq!(e.kind(), Kind::InvalidArgument, "{rest}");
            assert!(!e.to_string().contains("secret"), "{e}");
        }
    }

    #[test]
    fn an_endpoint_is_a_url_without_credentials() {
        let settings = Settings::new(&Options::default());
        for endpoint in ["http://localhost:9000", "https://s3.example.org/path"] {
            check_endpoint(endpoint, &settings).unwrap();
        }
        for endpoint in ["localhost:9000", "ftp://a", "https://me:secret@a", "http://", ""] {
            let e = check_endpoint(endpoint, &settings).unwrap_err();
            assert!(!e.to_string().contains("secret"), "{e}");
        }
    }

    /// Needs a server, whose address is in `ZARRC_TEST_S3`, with a bucket `zarrc-test`.
    #[cfg(feature = "s3")]
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
        let place = Place::parse("s3", &format!("//zarrc-test/pieces-{}", now.as_nanos())).unwrap();
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
