//! The files of a repository as values of any other store, so that each kind of store has one
//! implementation of credentials, retries and conditional requests.

use crate::error::{Error, Kind, Result};
use crate::source::Version;
use crate::store::remote::network;
use crate::store::{Depth, Entry, Key, Precondition, SharedStore, Store};
use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures::stream::{self, BoxStream, Stream, StreamExt as _};
use icechunk_storage::{
    DeleteObjectsResult, GetModifiedResult, ListInfo, Settings, Storage, StorageContext,
    StorageError, StorageInfo, StorageResult, VersionInfo, VersionedUpdateResult,
    obj_not_found_res, obj_store_error, sealed::Sealed,
};
use std::fmt;
use std::io::Cursor;
use std::ops::Range;
use std::pin::Pin;
use tokio::io::AsyncBufRead;

/// The longest range for which memory is reserved before the file's length is known.
pub const MAX_UNSEEN: u64 = 16 << 20;

/// A store that holds a repository.
pub struct Files(pub SharedStore);

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Files({})", self.0.name())
    }
}

impl fmt::Display for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.name())
    }
}

impl Sealed for Files {}

// The trait requires these to send a session to another machine, which is never done here.
impl serde::Serialize for Files {
    fn serialize<S: serde::Serializer>(&self, _: S) -> std::result::Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("a store cannot be sent elsewhere"))
    }
}

impl<'de> serde::Deserialize<'de> for Files {
    fn deserialize<D: serde::Deserializer<'de>>(_: D) -> std::result::Result<Self, D::Error> {
        Err(serde::de::Error::custom("a store cannot come from elsewhere"))
    }
}

fn to_info(version: &Version) -> VersionInfo {
    VersionInfo::from_etag_only(URL_SAFE_NO_PAD.encode(version.bytes()))
}

fn from_info(info: &VersionInfo) -> Result<Version> {
    let bytes = info.etag().and_then(|etag| URL_SAFE_NO_PAD.decode(etag).ok());
    let bytes =
        bytes.ok_or_else(|| Error::new(Kind::Internal, "a version is not of this store"))?;
    Ok(Version::new(bytes.into_iter().collect()))
}

fn get(store: &dyn Store, key: &Key) -> Result<Option<(Vec<u8>, Version)>> {
    let mut bytes = Vec::new();
    Ok(store.get(key, &mut bytes)?.map(|version| (bytes, version)))
}

fn get_range(store: &dyn Store, key: &Key, range: Range<u64>) -> Result<Option<Vec<u8>>> {
    let source = store.source(key);
    let length = range.end.saturating_sub(range.start);
    // reserve no memory for a mere claim
    if length > MAX_UNSEEN
        && let Some(there) = source.len()?
        && there < range.end
    {
        return Err(crate::source::wrong_length(range.end, there));
    }
    let size = usize::try_from(length).unwrap_or(usize::MAX);
    let mut bytes = Vec::new();
    crate::source::reserve(&mut bytes, size)?;
    bytes.resize(size, 0);
    Ok(source.read_at(range.start, &mut bytes)?.then_some(bytes))
}

/// Sets a value; returns its new version, or `None`: the precondition does not hold.
fn put(
    store: &dyn Store,
    key: &Key,
    bytes: &[u8],
    previous: Option<&VersionInfo>,
) -> Result<Option<VersionInfo>> {
    let when = match previous {
        None => {
            store.set(key, &[bytes], &Precondition::None)?;
            // such files have unique names and never change
            return Ok(Some(VersionInfo::from_etag_only(String::new())));
        }
        Some(info) if info.is_create() => Precondition::Absent,
        Some(info) => Precondition::Version(from_info(info)?),
    };
    match store.set(key, &[bytes], &when) {
        Err(e) if e.kind() == Kind::Conflict => return Ok(None),
        other => other?,
    }
    // only if the bytes are these: another writer may have written since
    let version = match get(store, key)? {
        Some((now, version)) if now == bytes => to_info(&version),
        _ => VersionInfo::from_etag_only(URL_SAFE_NO_PAD.encode("replaced")),
    };
    Ok(Some(version))
}

impl Files {
    /// Runs `work` with the store, where blocking is allowed.
    async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Store) -> Result<T> + Send + 'static,
    ) -> StorageResult<T> {
        let store = self.0.clone();
        network::apart(move || work(&*store)).await.map_err(obj_store_error)
    }
}

fn key(path: &str) -> StorageResult<Key> {
    Key::parse(path).map_err(obj_store_error)
}

/// The prefix `a/` of the path `a`.
fn prefix(path: &str) -> String {
    match path.trim_matches('/') {
        "" => String::new(),
        path => format!("{path}/"),
    }
}

#[async_trait]
#[typetag::serde(name = "zarrc")]
impl Storage for Files {
    fn storage_info(&self) -> StorageInfo {
        StorageInfo { backend_type: "zarrc", fields: vec![("store", self.0.name())] }
    }

    async fn default_settings(&self) -> StorageResult<Settings> {
        Ok(Settings { unsafe_use_metadata: Some(false), ..Settings::default() })
    }

    async fn can_write(&self) -> StorageResult<bool> {
        Ok(!self.0.read_only())
    }

    async fn get_object(
        &self,
        context: &StorageContext<'_>,
        path: &str,
        range: Option<&Range<u64>>,
    ) -> StorageResult<(Pin<Box<dyn AsyncBufRead + Send>>, VersionInfo)> {
        match range {
            // the parts of a longer one, as a damaged snapshot may ask for, overflow
            Some(range) if range.end <= i64::MAX as u64 => {
                self.get_object_concurrently(context, path, range).await
            }
            _ => self.get_object_range_read(context, path, range).await,
        }
    }

    async fn get_object_range(
        &self,
        _: &StorageContext<'_>,
        path: &str,
        range: Option<&Range<u64>>,
    ) -> StorageResult<(Pin<Box<dyn Stream<Item = Result<Bytes, StorageError>> + Send>>, VersionInfo)>
    {
        let (key, range) = (key(path)?, range.cloned());
        let found = self.with(move |store| match range {
            None => Ok(get(store, &key)?.map(|(bytes, version)| (bytes, to_info(&version)))),
            Some(range) => {
                let bytes = get_range(store, &key, range)?;
                Ok(bytes.map(|bytes| (bytes, VersionInfo::for_creation())))
            }
        });
        let Some((bytes, version)) = found.await? else { return obj_not_found_res() };
        Ok((stream::iter([Ok(Bytes::from(bytes))]).boxed(), version))
    }

    async fn put_object(
        &self,
        _: &StorageContext<'_>,
        path: &str,
        bytes: Bytes,
        _content_type: Option<&str>,
        _metadata: Vec<(String, String)>,
        previous: Option<&VersionInfo>,
    ) -> StorageResult<VersionedUpdateResult> {
        let (key, previous) = (key(path)?, previous.cloned());
        let written = self.with(move |store| put(store, &key, &bytes, previous.as_ref())).await?;
        Ok(match written {
            Some(new_version) => VersionedUpdateResult::Updated { new_version },
            None => VersionedUpdateResult::NotOnLatestVersion,
        })
    }

    async fn copy_object(
        &self,
        _: &StorageContext<'_>,
        from: &str,
        to: &str,
        _content_type: Option<&str>,
        version: &VersionInfo,
    ) -> StorageResult<VersionedUpdateResult> {
        let (from, to, wanted) = (key(from)?, key(to)?, version.clone());
        let copied = self.with(move |store| match get(store, &from)? {
            Some((bytes, version)) if wanted.is_create() || to_info(&version) == wanted => {
                put(store, &to, &bytes, None)
            }
            Some(_) => Ok(None),
            None => Err(Error::new(Kind::NotFound, format!("{from} of the repository is missing"))),
        });
        Ok(match copied.await? {
            Some(new_version) => VersionedUpdateResult::Updated { new_version },
            None => VersionedUpdateResult::NotOnLatestVersion,
        })
    }

    async fn list_objects<'a>(
        &'a self,
        _: &StorageContext<'_>,
        path: &str,
    ) -> StorageResult<BoxStream<'a, StorageResult<ListInfo<String>>>> {
        let prefix = prefix(path);
        let listed = self.with(move |store| {
            let mut names = Vec::new();
            store.list(&prefix, Depth::All, &mut |entry| {
                if let Entry::Key(name) = entry {
                    names.push(name.to_owned());
                }
                Ok(())
            })?;
            Ok(names)
        });
        // only names are needed; ages and sizes are for garbage collection
        let info = |id| Ok(ListInfo { id, created_at: Utc::now(), size_bytes: 0 });
        Ok(stream::iter(listed.await?.into_iter().map(info)).boxed())
    }

    async fn root_is_clean(&self, _: &StorageContext<'_>) -> StorageResult<bool> {
        self.with(|store| Ok(!store.has_prefix("")?)).await
    }

    async fn delete_batch(
        &self,
        _: &StorageContext<'_>,
        path: &str,
        batch: Vec<(String, u64)>,
    ) -> StorageResult<DeleteObjectsResult> {
        let prefix = prefix(path);
        self.with(move |store| {
            let mut result = DeleteObjectsResult::default();
            for (name, size) in batch {
                let there =
                    store.erase(&Key::parse(&(prefix.clone() + &name))?, &Precondition::None)?;
                result.deleted_objects += u64::from(there);
                result.deleted_bytes += if there { size } else { 0 };
            }
            Ok(result)
        })
        .await
    }

    /// Used only to detect clock skew; these stores do not report times.
    async fn get_object_last_modified(
        &self,
        _: &StorageContext<'_>,
        _: &str,
    ) -> StorageResult<DateTime<Utc>> {
        Ok(Utc::now())
    }

    async fn get_object_conditional(
        &self,
        _: &StorageContext<'_>,
        path: &str,
        previous: Option<&VersionInfo>,
    ) -> StorageResult<GetModifiedResult> {
        let (key, previous) = (key(path)?, previous.cloned());
        let found = self.with(move |store| {
            if let Some(previous) = previous
                && store.version(&key)?.is_some_and(|now| to_info(&now) == previous)
            {
                return Ok(Some(None));
            }
            Ok(get(store, &key)?.map(Some))
        });
        match found.await? {
            None => obj_not_found_res(),
            Some(None) => Ok(GetModifiedResult::OnLatestVersion),
            Some(Some((bytes, version))) => Ok(GetModifiedResult::Modified {
                data: Box::pin(Cursor::new(bytes)),
                new_version: to_info(&version),
            }),
        }
    }
}
