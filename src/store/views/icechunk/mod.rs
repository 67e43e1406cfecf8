//! Icechunk repositories in any other store: Zarr v3 under version control. The crate icechunk
//! reads and writes the files of a repository ([`files`]) and knows the chunks and documents of a
//! snapshot; the bytes of chunks are read by range from where they are stored.
//! <https://icechunk.io/en/latest/reference/spec/>
//!
//! - The URL is that of the proposal <https://github.com/jbms/url-pipeline>: `STORE|icechunk:PATH`,
//!   `@branch.NAME/PATH`, `@tag.NAME/PATH` or `@SNAPSHOT/PATH` after the colon.
//! - Writes are visible to this handle, and to others once a flush commits them. Without a flush
//!   the branch is unchanged.
//! - If another writer committed first, these changes are rebased on top, provided that they touch
//!   other things; else the flush fails with [`Kind::Conflict`] and the changes are kept for
//!   another try.
//! - A read-only handle keeps the snapshot that it opened.

mod errors;
mod files;
mod place;
mod reference;
mod value;

use super::elsewhere::{Author, Elsewhere};
use crate::cache::Changing;
use crate::error::{Context, Error, Kind, Result};
use crate::fork::{Lock, Own};
use crate::lock::Acquire;
use crate::source::{ByteSource, joined};
use crate::store::adapters::prefix;
use crate::store::open::Inner;
use crate::store::remote::network;
use crate::store::transaction::{has_ended, is_nested};
use crate::store::whole_value::version_of;
use crate::store::{
    Depth, Entry, Exclusion, Key, Mode, Options, Precondition, SharedStore, Stamp, Store, Version,
    check_prefix, conflict, no_transaction, refuse_change,
};
use errors::{error, found, is_missing, of_repository, of_session, of_store};
use files::Files;
use futures::StreamExt as _;
use icechunk::conflicts::detector::ConflictDetector;
use icechunk::format::Path;
use icechunk::format::format_constants::SpecVersionBin;
use icechunk::format::manifest::ChunkPayload;
use icechunk::format::snapshot::{NodeData, NodeSnapshot, NodeType, SnapshotProperties};
use icechunk::repository::RepositoryError;
use icechunk::session::{Session, SessionErrorKind};
use icechunk::{Repository, RepositoryConfig};
use place::Place;
use reference::Reference;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::RwLock;
use value::{Source, Value};

/// [`network::wait`], also for the crate's panics about damaged files.
fn wait<T>(request: impl Future<Output = Result<T>>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(|| network::wait(request)))
        .unwrap_or_else(|_| Err(Error::corrupt("the repository is damaged")))
}

/// The most times a commit is rebased onto others' commits.
const REBASES: u16 = 10;
/// Locks that serialize changes of one key.
const LOCKS: usize = 32;

/// A version of a repository with uncommitted changes.
struct IcechunkStore {
    name: String,
    /// The store of the repository.
    home: SharedStore,
    repository: Arc<Repository>,
    reference: Reference,
    session: Arc<RwLock<Session>>,
    /// The repository's keys, as the crate presents them.
    keys: icechunk::Store,
    read_only: bool,
    /// Whether it is a transaction, and has ended; `None`: an ordinary handle.
    has_ended: Option<AtomicBool>,
    locks: Own<[Mutex<()>; LOCKS]>,
    /// The state of each file of virtual chunks when it was first read.
    files: Lock<HashMap<String, Stamp>>,
    options: Options,
    /// The files of virtual chunks.
    elsewhere: Elsewhere,
}

/// Opens the repository in another store.
pub fn open(inner: &Inner<'_>, rest: &str, mode: Mode, options: &Options) -> Result<SharedStore> {
    let (reference, path) = Reference::parse(rest, options)?;
    prefix::open(&|mode| open_root(inner, &reference, mode, options), &path, mode, options)
}

fn open_root(
    inner: &Inner<'_>,
    reference: &Reference,
    mode: Mode,
    options: &Options,
) -> Result<SharedStore> {
    let read_only = mode == Mode::Read;
    let home = inner(match mode {
        Mode::Read | Mode::ReadWrite => mode,
        _ => Mode::Append,
    })?;
    let name = format!("{reference} of the Icechunk repository in {}", home.name());
    let place = || name.clone();
    let branch = match reference {
        Reference::Branch(branch) => branch,
        _ if read_only => "",
        _ => {
            let why = "only branches are writable";
            return Err(Error::new(Kind::PermissionDenied, why)).at(place);
        }
    };
    let config = RepositoryConfig {
        max_concurrent_requests: u16::try_from(options.concurrency()).ok(),
        ..RepositoryConfig::default()
    };
    let format = match options.number("icechunk_format") {
        Some(0) => SpecVersionBin::V1,
        _ => SpecVersionBin::V2,
    };
    let version = reference.version().at(place)?;
    let files = Arc::new(Files(home.clone()));
    let opened = wait(async {
        let repository = match mode {
            Mode::Read | Mode::ReadWrite => Repository::open(files).config(config).execute().await,
            Mode::Create => {
                Repository::create(files).config(config).spec_version(format).execute().await
            }
            Mode::Append | Mode::Overwrite => {
                let builder = Repository::open_or_create(files).config(config);
                builder.spec_version(format).execute().await
            }
        };
        let repository = repository.map_err(of_repository)?;
        let session = if read_only {
            repository.readonly_session(&version).await
        } else {
            match repository.writable_session(branch).await {
                Err(e) if is_missing(&e) && mode != Mode::ReadWrite => {
                    begin(&repository, branch).await
                }
                other => other,
            }
        };
        Ok((repository, session.map_err(of_repository)?))
    });
    let (repository, session) = opened.at(place)?;
    let (keys, session) = presented(session);
    let store = IcechunkStore {
        name,
        home,
        repository: Arc::new(repository),
        reference: reference.clone(),
        keys,
        session,
        read_only,
        has_ended: None,
        locks: Own::new(),
        files: Lock::default(),
        options: options.clone(),
        elsewhere: Elsewhere::new(Author::Repository, options),
    };
    if mode == Mode::Overwrite {
        store.erase_prefix("")?;
    }
    Ok(Arc::new(store))
}

/// A session, and its keys as the crate presents them.
fn presented(session: Session) -> (icechunk::Store, Arc<RwLock<Session>>) {
    let parallel = session.config().get_partial_values_concurrency();
    let session = Arc::new(RwLock::new(session));
    (icechunk::Store::from_session_and_config(session.clone(), parallel), session)
}

/// A session on a new branch that starts at main.
async fn begin(repository: &Repository, branch: &str) -> Result<Session, RepositoryError> {
    let start = repository.lookup_branch("main").await?;
    repository.create_branch(branch, &start).await?;
    repository.writable_session(branch).await
}

impl IcechunkStore {
    fn place(&self, key: &Key) -> String {
        format!("{key} of {}", self.name)
    }

    /// The current value of a key.
    fn value(&self, key: &Key) -> Result<Option<Value>> {
        let Some(place) = Place::of(key.as_str()) else { return Ok(None) };
        wait(async {
            let session = self.session.read().await;
            let payload = match place {
                Place::Node(path) => {
                    let node = found(session.get_node(&path).await)?;
                    return Ok(node.map(|node| Value::Here(node.user_data)));
                }
                Place::Chunk(path, indexes) => {
                    found(session.get_chunk_ref(&path, &indexes).await)?.flatten()
                }
            };
            Ok(Some(match payload {
                None => return Ok(None),
                Some(ChunkPayload::Inline(bytes)) => Value::Here(bytes),
                Some(ChunkPayload::Ref(chunk)) => Value::Own {
                    key: Key::parse(&format!("chunks/{}", chunk.id))?,
                    offset: chunk.offset,
                    length: chunk.length,
                },
                Some(ChunkPayload::Virtual(chunk)) => {
                    let url = session.resolve_virtual_location(&chunk.location);
                    Value::Virtual {
                        url: url.map_err(|e| error(Kind::Unsupported, &e.kind))?,
                        offset: chunk.offset,
                        length: chunk.length,
                        checksum: chunk.checksum,
                    }
                }
                Some(_) => return Err(Error::unsupported("a chunk of an unknown kind")),
            }))
        })
        .at(|| self.place(key))
    }

    fn lock(&self, key: &Key) -> MutexGuard<'_, ()> {
        let mut hash = DefaultHasher::new();
        key.hash(&mut hash);
        let lock = &self.locks.get()[hash.finish() as usize % LOCKS];
        lock.acquire()
    }

    /// Excludes all changes.
    fn lock_all(&self) -> Vec<MutexGuard<'_, ()>> {
        self.locks.get().iter().map(|lock| lock.acquire()).collect()
    }

    fn check_changeable(&self) -> Result<()> {
        match &self.has_ended {
            Some(ended) if ended.load(Ordering::Relaxed) => Err(has_ended(self)),
            _ if self.read_only => Err(refuse_change(self)),
            _ => Ok(()),
        }
    }

    /// Checks that `key` may be changed and its current value meets `when`.
    fn check(&self, key: &Key, when: &Precondition) -> Result<()> {
        self.check_changeable()?;
        let found = || Ok(self.value(key)?.map(|value| value.version()));
        if when.holds(found)? { Ok(()) } else { Err(conflict(self, key, when)) }
    }

    /// The nodes at and below a prefix, and the array that contains it.
    async fn nodes(session: &Session, prefix: &str) -> Result<Vec<NodeSnapshot>> {
        let path = format!("/{}", prefix.trim_end_matches('/'));
        let path = Path::new(&path).map_err(|e| error(Kind::InvalidArgument, &e))?;
        let listed = session.list_nodes(&path).await.map_err(|e| of_session(&e.kind))?;
        let nodes: Result<Vec<_>, _> = listed.collect();
        let mut nodes = nodes.map_err(|e| of_session(&e.kind))?;
        if path != Path::root()
            && let Some(above) = found(session.get_closest_ancestor_node(&path).await)?
            && above.node_type() == NodeType::Array
            && nodes.iter().all(|node| node.path != above.path)
        {
            nodes.push(above);
        }
        Ok(nodes)
    }

    /// The keys of an array's chunks.
    async fn chunks(
        session: &Session,
        array: &NodeSnapshot,
        each: &mut dyn FnMut(String) -> bool,
    ) -> Result<()> {
        let chunks = session.all_node_chunks(array).await;
        let mut chunks = std::pin::pin!(chunks);
        while let Some(chunk) = chunks.next().await {
            let (path, chunk) = chunk.map_err(|e| of_session(&e.kind))?;
            if !each(place::chunk(&path, &chunk.coord)) {
                break;
            }
        }
        Ok(())
    }

    /// The remainders of the keys below a prefix; at one level, a name may repeat.
    async fn keys_below(session: &Session, prefix: &str, depth: Depth) -> Result<Vec<String>> {
        let mut keys = Vec::new();
        for node in Self::nodes(session, prefix).await? {
            let document = place::document(&node.path);
            let level = document.strip_prefix(prefix).map(|rest| rest.contains('/'));
            keys.extend(document.strip_prefix(prefix).map(str::to_owned));
            let NodeData::Array { .. } = node.node_data else { continue };
            if depth == Depth::One && level == Some(true) {
                continue; // its document already gives this level
            }
            let one = depth == Depth::One && level == Some(false);
            Self::chunks(session, &node, &mut |key| {
                let rest = key.strip_prefix(prefix);
                keys.extend(rest.map(str::to_owned));
                !(one && rest.is_some()) // all of them begin with c
            })
            .await?;
        }
        Ok(keys)
    }

    async fn erase_below(session: &mut Session, prefix: &str) -> Result<()> {
        let nodes = Self::nodes(session, prefix).await?;
        let mut gone: Vec<Path> = Vec::new();
        for node in nodes {
            if place::document(&node.path).starts_with(prefix) {
                if !gone.iter().any(|above| node.path.starts_with(above)) {
                    gone.push(node.path.clone());
                    session.delete_node(node).await.map_err(|e| of_session(&e.kind))?;
                }
                continue;
            }
            let mut chunks = Vec::new();
            Self::chunks(session, &node, &mut |key| {
                if key.starts_with(prefix)
                    && let Some(Place::Chunk(_, indexes)) = Place::of(&key)
                {
                    chunks.push(indexes);
                }
                true
            })
            .await?;
            let deleted = session.delete_chunks(&node.path, chunks).await;
            deleted.map_err(|e| of_session(&e.kind))?;
        }
        Ok(())
    }

    async fn commit_session(&self, message: Option<&str>) -> Result<()> {
        let Reference::Branch(branch) = &self.reference else { return Ok(()) };
        let mut session = self.session.write().await;
        if session.has_uncommitted_changes() {
            let given = || self.options.text("commit_message");
            let message = message.or_else(given).unwrap_or("Written by zarrc");
            let mut commit = session.commit(message).rebase(&ConflictDetector, REBASES);
            if let Some(author) = self.options.text("commit_author") {
                let properties = [("author_name".to_owned(), author.into())];
                commit = commit.properties(SnapshotProperties::from(properties));
            }
            commit.execute().await.map_err(|e| match &e.kind {
                SessionErrorKind::RebaseFailed { conflicts, .. } => Error::new(
                    Kind::Conflict,
                    format!(
                        "others committed changes of the same nodes or chunks meanwhile ({} \
                         conflicts); the changes of this handle are kept uncommitted",
                        conflicts.len()
                    ),
                ),
                kind => of_session(kind),
            })?;
        } else if !session.read_only() {
            return Ok(());
        }
        // a commit ends its session
        let next = self.repository.writable_session(branch).await;
        *session = next.map_err(of_repository)?;
        Ok(())
    }
}

impl Store for IcechunkStore {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn read_only(&self) -> bool {
        self.read_only
    }

    fn concurrency(&self) -> usize {
        self.home.concurrency()
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        let source = Source::new(self, key);
        if source.read_all(0, out)? { source.version() } else { Ok(None) }
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        Box::new(Source::new(self, key))
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        Ok(self.value(key)?.map(|value| value.version()))
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        let _changing = Changing;
        let _lock = self.lock(key);
        self.check(key, when)?;
        let bytes = joined(parts)?;
        match Place::of(key.as_str()) {
            None => {
                return Err(Error::unsupported(
                    "an Icechunk repository accepts only zarr.json documents, and chunks below c/ \
                     of an array",
                ))
                .at(|| self.place(key));
            }
            Some(Place::Node(_)) => place::check_document(&bytes).at(|| self.place(key))?,
            Some(Place::Chunk(..)) => {}
        }
        wait(async { self.keys.set(key.as_str(), bytes.into()).await.map_err(of_store) })
            .at(|| self.place(key))
    }

    fn erase(&self, key: &Key, when: &Precondition) -> Result<bool> {
        let _changing = Changing;
        let _lock = self.lock(key);
        self.check(key, when)?;
        let Some(place) = Place::of(key.as_str()) else { return Ok(false) };
        if self.value(key)?.is_none() {
            return Ok(false);
        }
        wait(async {
            if let Place::Node(path) = place {
                // deleting a group's document would delete everything below it
                let session = self.session.read().await;
                let prefix = path.as_str().trim_start_matches('/');
                if Self::nodes(&session, prefix).await?.len() > 1 {
                    return Err(Error::unsupported(
                        "in an Icechunk repository a group is deleted only with everything below \
                         it",
                    ));
                }
            }
            self.keys.delete(key.as_str()).await.map_err(of_store)
        })
        .at(|| self.place(key))?;
        Ok(true)
    }

    fn erase_prefix(&self, prefix: &str) -> Result<()> {
        let _changing = Changing;
        check_prefix(prefix)?;
        let _locks = self.lock_all();
        self.check_changeable()?;
        wait(async {
            let mut session = self.session.write().await;
            Self::erase_below(&mut session, prefix).await
        })
        .at(|| self.name.clone())
    }

    fn exclude(&self, _: &Key) -> Result<Exclusion> {
        Ok(Exclusion::OneWriter)
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        check_prefix(prefix)?;
        let keys = wait(async {
            let session = self.session.read().await;
            Self::keys_below(&session, prefix, depth).await
        });
        let mut seen = HashSet::new();
        for key in &keys.at(|| self.name.clone())? {
            match key.split_once('/') {
                Some((name, _)) if depth == Depth::One => {
                    if seen.insert(name) {
                        each(Entry::Prefix(name))?;
                    }
                }
                _ => each(Entry::Key(key))?,
            }
        }
        Ok(())
    }

    /// Commits, except in a transaction.
    fn flush(&self) -> Result<()> {
        if self.read_only || self.has_ended.is_some() {
            return Ok(());
        }
        wait(self.commit_session(None)).at(|| self.name.clone())?;
        self.home.flush()
    }

    /// A transaction is a session of its own, which begins at the newest snapshot of the branch.
    fn begin(self: Arc<Self>) -> Result<SharedStore> {
        let branch = match &self.reference {
            _ if self.has_ended.is_some() => return Err(is_nested(&*self)),
            Reference::Branch(branch) if !self.read_only => branch,
            _ => return Err(refuse_change(&*self)),
        };
        let session = wait(async {
            let session = self.repository.writable_session(branch).await;
            session.map_err(of_repository)
        });
        let (keys, session) = presented(session.at(|| self.name.clone())?);
        Ok(Arc::new(IcechunkStore {
            name: self.name.clone(),
            home: self.home.clone(),
            repository: self.repository.clone(),
            reference: self.reference.clone(),
            keys,
            session,
            read_only: false,
            has_ended: Some(AtomicBool::new(false)),
            locks: Own::new(),
            files: Lock::default(),
            options: self.options.clone(),
            elsewhere: Elsewhere::new(Author::Repository, &self.options),
        }))
    }

    fn commit(&self, message: Option<&str>) -> Result<()> {
        let Some(ended) = &self.has_ended else { return Err(no_transaction(self)) };
        // a change between the commit and the end would be lost
        let locks = self.lock_all();
        self.check_changeable()?;
        wait(self.commit_session(message)).at(|| self.name.clone())?;
        ended.store(true, Ordering::Relaxed);
        drop(locks);
        self.home.flush()
    }

    fn rollback(&self) -> Result<()> {
        let Some(ended) = &self.has_ended else { return Err(no_transaction(self)) };
        let _locks = self.lock_all();
        if ended.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        let discard = async { self.session.write().await.discard_changes() };
        wait(async { discard.await.map_err(|e| of_session(&e.kind)) }).at(|| self.name.clone())
    }

    fn snapshot(&self) -> Result<Option<String>> {
        let id = async { Ok(self.session.read().await.snapshot_id().to_string()) };
        wait(id).map(Some)
    }

    /// A read-only handle moves to the newest snapshot of its branch.
    fn forget(&self, _: &str) -> Result<()> {
        if !self.read_only {
            return Ok(());
        }
        let version = self.reference.version()?;
        wait(async {
            let next = self.repository.readonly_session(&version).await;
            *self.session.write().await = next.map_err(of_repository)?;
            Ok(())
        })
        .at(|| self.name.clone())
    }
}
