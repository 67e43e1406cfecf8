//! Values of a MongoDB server, in the layout of zarr-python 2: documents `{key: …, value: …}` of
//! one collection, the value as binary data.
//! <https://zarr.readthedocs.io/en/v2.18.3/api/storage.html#zarr.storage.MongoDBStore>
//!
//! - A document of ours has one member more, `version`, another for each value that is set. zarr-python
//!   passes it over, and drops it when it replaces the document; the version of such a value is a hash.
//! - Who writes makes a unique index over `key`: it finds keys and keeps two writers from adding one
//!   twice.
//! - The driver's connections live on the runtime of the network, one client in each process.

use super::network::{self, PerProcess, Retries, Settings};
use crate::cache::Changing;
use crate::error::{Context, Error, Kind, Result};
use crate::source::{ByteSource, joined, reserve};
use crate::store::whole_value::{self, WholeValue};
use crate::store::{
    Depth, Entry, Key, Mode, Options, Precondition, SharedStore, Store, Version, check_prefix,
    conflict, refuse_change, sorted, url,
};
use mongodb::bson::spec::BinarySubtype;
use mongodb::bson::{Binary, Document, RawDocument, RawDocumentBuf, Uuid, doc, rawdoc};
use mongodb::error::{ErrorKind, WriteFailure};
use mongodb::options::{ClientOptions, Credential, IndexOptions, Tls};
use mongodb::{Client, Collection, IndexModel};
use std::collections::VecDeque;
use std::future::Future;
use std::ops::Bound;
use std::sync::Arc;
use std::time::Duration;

/// The most bytes that a document may have.
const LARGEST: usize = 16 << 20;

/// How long to look for a server that answers, unless the URL says otherwise
/// (`serverSelectionTimeoutMS`).
const SELECTION: Duration = Duration::from_secs(4);

/// How many keys of a listing come at once.
const PAGE: usize = 1000;

/// What a server says of a key that is there already.
const DUPLICATE: i32 = 11000;

type Values = Collection<RawDocumentBuf>;

struct MongoStore {
    options: ClientOptions,
    client: PerProcess<Client>,
    database: String,
    collection: String,
    settings: Settings,
    read_only: bool,
    concurrency: usize,
}

/// Opens the collection that what follows `mongodb:` in a URL, or the options, name. It need not
/// exist.
///
/// [`Kind::InvalidArgument`]: the URL is none; [`Kind::Io`]: the server cannot be reached;
/// [`Kind::PermissionDenied`]: it does not take the credentials; [`Kind::AlreadyExists`]: the mode
/// asks for a new store, and there are values.
pub fn open(rest: &str, mode: Mode, options: &Options) -> Result<SharedStore> {
    let (server, database, collection) = places(rest)?;
    let named = |name, there: Option<String>, default: &str| {
        there.or_else(|| options.text(name).map(str::to_owned)).unwrap_or(default.to_owned())
    };
    let settings = Settings::new(options);
    let store = MongoStore {
        options: client_options(&server, &settings, options)?,
        client: PerProcess::new(),
        database: named("database", database, "mongodb_zarr"),
        collection: named("collection", collection, "zarr_collection"),
        settings,
        read_only: mode == Mode::Read,
        concurrency: options.concurrency(),
    };
    if store.read_only {
        // checks that the server is reachable and accepts the credentials
        store.has_prefix("").at(|| store.name())?;
    } else {
        store.index().at(|| store.name())?;
    }
    match mode {
        Mode::Create if store.has_prefix("")? => {
            let words = format!("{} holds values already", store.name());
            return Err(Error::new(Kind::AlreadyExists, words));
        }
        Mode::Overwrite => store.erase_prefix("")?,
        _ => {}
    }
    Ok(Arc::new(store))
}

/// Splits what follows the scheme into a server address in the driver's form, a database and a
/// collection.
fn places(rest: &str) -> Result<(String, Option<String>, Option<String>)> {
    let wrong = |words: &str| {
        Error::invalid(format!(
            "{words}: it is mongodb://HOST:PORT/DATABASE/COLLECTION, with USER:PASSWORD@ before the \
             host where needed"
        ))
    };
    let rest = rest.strip_prefix("//").ok_or_else(|| wrong("the URL names no MongoDB server"))?;
    let (address, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (host, path) = address.split_once('/').unwrap_or((address, ""));
    let mut names = path.trim_end_matches('/').splitn(2, '/');
    let mut next = || match names.next() {
        None | Some("") => Ok(None),
        Some(name) => String::from_utf8(url::percent_decoded(name)?)
            .map(Some)
            .map_err(|_| wrong("the URL has a name that is no UTF-8")),
    };
    let (database, collection) = (next()?, next()?);
    let path = path.split('/').next().unwrap_or_default();
    Ok((format!("mongodb://{host}/{path}?{query}"), database, collection))
}

fn client_options(server: &str, settings: &Settings, options: &Options) -> Result<ClientOptions> {
    let mut parsed = network::wait(async {
        // the driver's message may show the URL
        ClientOptions::parse(server).await.map_err(|_| {
            Error::invalid(
                "the URL is none of MongoDB: a name, a number or an option in it is not one, or a \
                 character of a password wants to be percent-encoded",
            )
        })
    })?;
    if options.text("username").is_some() || options.text("password").is_some() {
        let credential = parsed.credential.get_or_insert_with(Credential::default);
        for (name, member) in
            [("username", &mut credential.username), ("password", &mut credential.password)]
        {
            *member = options.text(name).map(str::to_owned).or(member.take());
        }
    }
    if let Some(Tls::Enabled(tls)) = &mut parsed.tls {
        tls.ca_file_path = settings.ca_file.clone().or(tls.ca_file_path.take());
        if settings.allow_invalid_certificates {
            tls.allow_invalid_certificates = Some(true);
        }
    }
    if options.sync() {
        parsed.write_concern.get_or_insert_default().journal = Some(true);
    }
    let concurrency = u32::try_from(options.concurrency()).unwrap_or(u32::MAX);
    parsed.app_name.get_or_insert_with(|| "zarrc".to_owned());
    parsed.connect_timeout.get_or_insert(settings.connect_timeout);
    // it bounds every attempt to connect, also refused ones
    let selection = settings.connect_timeout.min(SELECTION);
    parsed.server_selection_timeout.get_or_insert(selection);
    parsed.max_pool_size.get_or_insert(concurrency);
    parsed.max_connecting.get_or_insert(concurrency.min(16));
    Ok(parsed)
}

/// Whether a retry may succeed.
fn passes(error: &mongodb::error::Error) -> bool {
    match &*error.kind {
        ErrorKind::Io(_) | ErrorKind::ConnectionPoolCleared { .. } => true,
        _ => {
            // two writers add the same key at once; a server shuts down or is replaced
            let passing =
                [DUPLICATE, 6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436];
            code(error).is_some_and(|code| passing.contains(&code))
        }
    }
}

/// The server's error code.
fn code(error: &mongodb::error::Error) -> Option<i32> {
    match &*error.kind {
        ErrorKind::Command(refused) => Some(refused.code),
        ErrorKind::Write(WriteFailure::WriteError(refused)) => Some(refused.code),
        _ => None,
    }
}

/// Converts an error of the driver.
#[cold]
fn explain(error: mongodb::error::Error) -> Error {
    let kind = match (&*error.kind, code(&error)) {
        (ErrorKind::Authentication { .. }, _) | (_, Some(18)) => {
            let words = "the server does not take the credentials of the URL or the options username \
                         and password";
            return Error::new(Kind::PermissionDenied, format!("{words}: {error}"));
        }
        (_, Some(13)) => Kind::PermissionDenied,
        (_, Some(10334 | 17280 | 17419 | 17420)) => Kind::LimitExceeded,
        (_, Some(DUPLICATE)) => Kind::Conflict,
        (_, Some(73)) => Kind::InvalidArgument, // invalid name of a database or collection
        _ => Kind::Io,
    };
    Error::new(kind, error.to_string())
}

/// The content of a version.
enum Mark {
    /// The document's version member.
    Member(Binary),
    /// No such member: a hash of the value.
    Hash(Version),
}

impl Mark {
    fn version(self) -> Version {
        let (tag, bytes) = match &self {
            Mark::Member(member) => (0, &member.bytes[..]),
            Mark::Hash(hash) => (1, hash.bytes()),
        };
        Version::new([tag].into_iter().chain(bytes.iter().copied()).collect())
    }

    fn of(version: &Version) -> Self {
        match version.bytes().split_first() {
            Some((0, bytes)) => Mark::Member(mark(bytes)),
            Some((_, hash)) => Mark::Hash(Version::new(hash.into())),
            None => Mark::Hash(Version::new(Default::default())),
        }
    }
}

fn mark(bytes: &[u8]) -> Binary {
    Binary { subtype: BinarySubtype::Generic, bytes: bytes.to_vec() }
}

/// The version of a document and its content; without a version member, the value is hashed.
fn mark_of(document: &RawDocument) -> Result<Mark> {
    match document.get_binary("version") {
        Ok(member) => Ok(Mark::Member(mark(member.bytes))),
        Err(_) => Ok(Mark::Hash(whole_value::version_of(value(document)?))),
    }
}

fn value(document: &RawDocument) -> Result<&[u8]> {
    match document.get_binary("value") {
        Ok(value) => Ok(value.bytes),
        Err(_) => Err(Error::corrupt("the document has no binary data as its \"value\"")),
    }
}

/// The filter for the keys below a prefix.
fn below(prefix: &str) -> Document {
    match prefix.strip_suffix('/') {
        Some(start) => {
            let end = [start, "0"].concat();
            doc! { "key": { "$gte": prefix, "$lt": end } }
        }
        None => doc! { "key": { "$gte": prefix } },
    }
}

impl MongoStore {
    /// The collection, from the client of this process.
    fn values(&self) -> Result<Values> {
        let client = self.client.get(|| {
            network::wait(async { Client::with_options(self.options.clone()).map_err(explain) })
        })?;
        Ok(client.database(&self.database).collection(&self.collection))
    }

    /// Waits for the result of `request`, retried where that may help. Its flag says whether an
    /// earlier attempt may have been executed.
    fn run<T, F>(&self, request: impl Fn(Values, bool) -> F) -> Result<T>
    where
        F: Future<Output = mongodb::error::Result<T>>,
    {
        let values = self.values()?;
        self.settings.wait(async move {
            let mut retries = Retries::new(self.settings.max_retries, self.settings.timeout);
            loop {
                let e = match request(values.clone(), retries.failures() > 0).await {
                    Err(e) if passes(&e) => e,
                    result => return result.map_err(explain),
                };
                match retries.pause(None, None) {
                    Some(pause) => tokio::time::sleep(pause).await,
                    None => return Err(explain(e)),
                }
            }
        })
    }

    fn place(&self, doing: &str, key: &str) -> String {
        format!("{doing} {key} of {}", self.name())
    }

    /// Creates the index of keys.
    fn index(&self) -> Result<()> {
        let made = self.run(|values, _| async move {
            let unique = IndexOptions::builder().unique(true).build();
            let index = IndexModel::builder().keys(doc! { "key": 1 }).options(unique).build();
            values.create_index(index).await
        });
        match made {
            Err(e) if e.kind() == Kind::Conflict => Err(Error::corrupt(format!(
                "several documents have the same key; take away all but one of each: {e}"
            ))),
            made => made.map(drop).at(|| "making a unique index over \"key\""),
        }
    }

    /// The named members of a key's document; `None`: the key is absent.
    fn find(&self, key: &Key, members: &[&str]) -> Result<Option<RawDocumentBuf>> {
        let mut wanted = doc! { "_id": 0 };
        members.iter().for_each(|member| drop(wanted.insert(*member, 1)));
        self.run(|values, _| {
            let find = (doc! { "key": key.as_str() }, wanted.clone());
            async move { values.find_one(find.0).projection(find.1).await }
        })
    }

    /// The filter for a document that meets `when`; `None`: the document differs or is absent. A
    /// document without a version member gets one, so that no write between the comparison of its
    /// value and the change goes unnoticed.
    async fn claim(
        values: &Values,
        key: &str,
        when: &Precondition,
    ) -> mongodb::error::Result<Option<Document>> {
        let hash = match when {
            Precondition::Version(version) => match Mark::of(version) {
                Mark::Member(member) => {
                    return Ok(Some(doc! { "key": key, "version": member }));
                }
                Mark::Hash(hash) => hash,
            },
            _ => return Ok(Some(doc! { "key": key })),
        };
        let claimed = mark(&Uuid::new().bytes());
        let there = values
            .find_one_and_update(
                doc! { "key": key, "version": { "$exists": false } },
                doc! { "$set": { "version": claimed.clone() } },
            )
            .await?;
        let same = there.is_some_and(|there| {
            value(&there).is_ok_and(|value| whole_value::version_of(value) == hash)
        });
        Ok(same.then(|| doc! { "key": key, "version": claimed }))
    }

    /// A page of the keys from a bound on, in order, and whether more may follow.
    fn page(&self, from: Bound<&str>) -> Result<(VecDeque<String>, bool)> {
        let mut from = from.map(str::to_owned);
        loop {
            let filter = match &from {
                Bound::Included(key) => doc! { "key": { "$gte": key } },
                Bound::Excluded(key) => doc! { "key": { "$gt": key } },
                Bound::Unbounded => doc! { "key": { "$gte": "" } },
            };
            let found = self.run(|values, _| {
                let filter = filter.clone();
                async move {
                    let mut cursor = values
                        .find(filter)
                        .projection(doc! { "_id": 0, "key": 1 })
                        .sort(doc! { "key": 1 })
                        .limit(PAGE as i64)
                        .batch_size(PAGE as u32)
                        .await?;
                    let mut page = Vec::new();
                    while page.len() < PAGE && cursor.advance().await? {
                        page.extend(cursor.current().get_str("key").map(str::to_owned));
                    }
                    Ok(page)
                }
            })?;
            let first = found.first().is_none_or(|key| match &from {
                Bound::Included(from) => from <= key,
                Bound::Excluded(from) => from < key,
                Bound::Unbounded => true,
            });
            if !first || !found.is_sorted_by(|a, b| a < b) {
                return Err(Error::corrupt(
                    "the server does not list the keys in the order of their bytes, or one twice",
                ));
            }
            let more = found.len() == PAGE;
            let last = found.last().cloned();
            // skip documents that are no keys of a store
            let keys: VecDeque<_> =
                found.into_iter().filter(|key| Key::parse(key).is_ok()).collect();
            match last {
                Some(last) if more && keys.is_empty() => from = Bound::Excluded(last),
                _ => return Ok((keys, more)),
            }
        }
    }
}

impl Drop for MongoStore {
    fn drop(&mut self) {
        // dropping the client ends its sessions, which needs the runtime
        let client = std::mem::replace(&mut self.client, PerProcess::new());
        let _ = network::wait(async move {
            drop(client);
            Ok(())
        });
    }
}

impl Store for MongoStore {
    fn name(&self) -> String {
        let hosts: Vec<_> = self.options.hosts.iter().map(ToString::to_string).collect();
        format!("mongodb://{}/{}/{}", hosts.join(","), self.database, self.collection)
    }

    fn read_only(&self) -> bool {
        self.read_only
    }

    fn concurrency(&self) -> usize {
        self.concurrency
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        let place = || self.place("getting", key.as_str());
        let Some(document) = self.find(key, &["value", "version"]).at(place)? else {
            return Ok(None);
        };
        let value = value(&document).at(place)?;
        reserve(out, value.len())?;
        out.extend_from_slice(value);
        mark_of(&document).at(place).map(|mark| Some(mark.version()))
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        Box::new(WholeValue::new(self, key))
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        let place = || self.place("asking for the version of", key.as_str());
        let Some(document) = self.find(key, &["version"]).at(place)? else { return Ok(None) };
        match document.get_binary("version") {
            Ok(member) => Ok(Some(Mark::Member(mark(member.bytes)).version())),
            Err(_) => self.get(key, &mut Vec::new()),
        }
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        let _changing = Changing;
        if self.read_only {
            return Err(refuse_change(self));
        }
        let place = || self.place("setting", key.as_str());
        let key_text = key.as_str();
        let value = Binary { subtype: BinarySubtype::Generic, bytes: joined(parts)? };
        let version = mark(&Uuid::new().bytes());
        let document =
            rawdoc! { "key": key_text, "value": value.clone(), "version": version.clone() };
        if document.as_bytes().len() > LARGEST - 64 {
            let words = format!(
                "the value has {} bytes, and a document of MongoDB no more than {LARGEST}: smaller \
                 chunks or shards are needed",
                value.bytes.len()
            );
            return Err(Error::new(Kind::LimitExceeded, words)).at(place);
        }
        let set = self.run(|values, again| {
            let (document, value, version) = (&document, &value, &version);
            async move {
                let done = if *when == Precondition::Absent {
                    let added = doc! { "value": value.clone(), "version": version.clone() };
                    let add = values
                        .update_one(doc! { "key": key_text }, doc! { "$setOnInsert": added })
                        .upsert(true);
                    match add.await {
                        Ok(added) => added.upserted_id.is_some(),
                        Err(e) if code(&e) == Some(DUPLICATE) => false,
                        Err(e) => return Err(e),
                    }
                } else {
                    match Self::claim(&values, key_text, when).await? {
                        Some(filter) => {
                            let anyhow = *when == Precondition::None;
                            let set = values.replace_one(filter, document).upsert(anyhow).await?;
                            anyhow || set.matched_count > 0
                        }
                        None => false,
                    }
                };
                if done || !again {
                    return Ok(done);
                }
                // the connection was lost after the request was executed
                let ours = doc! { "key": key_text, "version": version.clone() };
                let ours = values.find_one(ours).projection(doc! { "_id": 1 }).await?;
                Ok(ours.is_some())
            }
        });
        if set.at(place)? { Ok(()) } else { Err(conflict(self, key, when)) }
    }

    fn erase(&self, key: &Key, when: &Precondition) -> Result<bool> {
        let _changing = Changing;
        if self.read_only {
            return Err(refuse_change(self));
        }
        let erased = self.run(|values, again| async move {
            let text = key.as_str();
            if *when == Precondition::Absent {
                let there = values.find_one(doc! { "key": text }).projection(doc! { "_id": 1 });
                return Ok(there.await?.is_none().then_some(false));
            }
            let Some(filter) = Self::claim(&values, text, when).await? else { return Ok(None) };
            let gone = values.delete_one(filter).await?.deleted_count > 0;
            let there = async || values.find_one(doc! { "key": text }).await;
            Ok(match when {
                Precondition::Version(_) if !gone => {
                    (again && there().await?.is_none()).then_some(true)
                }
                _ => Some(gone),
            })
        });
        erased.at(|| self.place("erasing", key.as_str()))?.ok_or_else(|| conflict(self, key, when))
    }

    fn erase_prefix(&self, prefix: &str) -> Result<()> {
        let _changing = Changing;
        check_prefix(prefix)?;
        if self.read_only {
            return Err(refuse_change(self));
        }
        self.run(|values, _| async move { values.delete_many(below(prefix)).await })
            .map(drop)
            .at(|| self.place("erasing below", prefix))
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut page = VecDeque::new();
        let mut more = true;
        let next = &mut |from: Bound<&str>| {
            let before = |key: &String| match from {
                Bound::Included(from) => key.as_str() < from,
                Bound::Excluded(from) => key.as_str() <= from,
                Bound::Unbounded => false,
            };
            while page.front().is_some_and(before) {
                page.pop_front();
            }
            if page.is_empty() && more {
                (page, more) = self.page(from).at(|| self.place("listing", prefix))?;
            }
            Ok(page.pop_front())
        };
        sorted::list(prefix, depth, next, each)
    }

    fn has_prefix(&self, prefix: &str) -> Result<bool> {
        check_prefix(prefix)?;
        self.run(|values, _| async move {
            values.find_one(below(prefix)).projection(doc! { "_id": 1 }).await
        })
        .map(|found| found.is_some())
        .at(|| self.place("looking below", prefix))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn urls() {
        for (rest, server, database, collection) in [
            ("//h", "mongodb://h/?", None, None),
            ("//h:1/", "mongodb://h:1/?", None, None),
            ("//me:x@h,i:2/d", "mongodb://me:x@h,i:2/d?", Some("d"), None),
            ("//h/d/c.d%20e/?tls=true", "mongodb://h/d?tls=true", Some("d"), Some("c.d e")),
        ] {
            let some = |name: Option<&str>| name.map(str::to_owned);
            let expected = (server.to_owned(), some(database), some(collection));
            assert_eq!(places(rest).unwrap(), expected, "{rest}");
        }
        assert!(places("h/d").unwrap_err().to_string().contains("mongodb://HOST:PORT"));
        let options = Options::default();
        let wrong = client_options("mongodb://me:sec@ret@h/?", &Settings::new(&options), &options);
        let e = wrong.err().unwrap();
        assert!(e.kind() == Kind::InvalidArgument && !e.to_string().contains("ret@"), "{e}");
    }

    #[test]
    fn versions_tell_members_and_hashes_apart() {
        let ours = rawdoc! { "value": mark(b"abc"), "version": mark(b"1") };
        let theirs = rawdoc! { "value": mark(b"abc") };
        let version = |document: &RawDocumentBuf| mark_of(document).unwrap().version();
        assert_ne!(version(&ours), version(&theirs));
        assert!(matches!(Mark::of(&version(&ours)), Mark::Member(m) if m.bytes == b"1"));
        let hash = whole_value::version_of(b"abc");
        assert!(matches!(Mark::of(&version(&theirs)), Mark::Hash(h) if h == hash));
        assert!(mark_of(&rawdoc! { "value": "abc" }).is_err_and(|e| e.kind() == Kind::CorruptData));
    }
}
