//! Reads one object by byte range. Later reads require the state of the first one.

use super::client::Clients;
use super::request::Fail;
use super::transport::Call;
use super::{ObjectHead, Objects};
use crate::error::{Context, Error, Kind, Result};
use crate::exec::reserve_exact;
use crate::source::{ByteSource, Fetched, Version, Want, reserve, wrong_length};
use crate::store::Key;
use crate::store::remote::network::wait;
use futures::StreamExt;
use object_store::{GetOptions, GetRange, GetResult};
use std::sync::OnceLock;

/// The most memory reserved for an announced length; the rest as data arrives.
const AT_ONCE: u64 = 16 << 20;

/// The longest object, and the largest offset requested: 1 PiB.
const LONGEST: u64 = 1 << 50;

/// Bytes that a connection transfers in about one round trip.
const REQUEST_COST: u64 = 1 << 20;

/// The value of a key.
pub struct Source<'a> {
    store: &'a Objects,
    key: Key,
    found: OnceLock<Option<ObjectHead>>,
    /// The version that the value must have from the start.
    pinned: OnceLock<Version>,
}

impl<'a> Source<'a> {
    /// The value in the state of its first read, or in the state `pinned`.
    pub fn new(store: &'a Objects, key: &Key, pinned: Option<&Version>) -> Self {
        let pinned = pinned.cloned().map_or_else(OnceLock::new, OnceLock::from);
        Source { store, key: key.clone(), found: OnceLock::new(), pinned }
    }

    fn place(&self) -> String {
        self.store.place(&self.key)
    }

    /// The known metadata of the value; `None`: not known yet.
    fn known(&self) -> Option<Option<&ObjectHead>> {
        self.found.get().map(Option::as_ref)
    }

    fn keep(&self, found: Option<ObjectHead>) {
        // if two threads race, the loser's requests check that the state is the same
        let _ = self.found.set(found);
    }

    fn wanted(&self) -> Option<&Version> {
        match self.known() {
            Some(Some(head)) => head.version.as_ref(),
            _ => self.pinned.get(),
        }
    }

    /// The metadata of the value.
    async fn head(&self) -> Result<Option<&ObjectHead>> {
        if self.known().is_none() {
            let wanted = self.wanted().cloned();
            let head = self.store.head(&self.key).await.at(|| self.place())?;
            if let (Some(wanted), Some(head)) = (wanted, &head)
                && head.version.as_ref() != Some(&wanted)
            {
                return Err(replaced()).at(|| self.place());
            }
            self.keep(head);
        }
        Ok(self.known().flatten())
    }

    /// Requests the value or a range of it. Passes `take` the metadata, then the bytes piece by
    /// piece. Each attempt starts again with the metadata.
    async fn get(
        &self,
        range: Option<GetRange>,
        take: &mut dyn FnMut(Piece<'_>) -> Result<()>,
    ) -> Result<bool> {
        if let Some(None) = self.known() {
            return Ok(false);
        }
        let mut options = GetOptions { range, ..GetOptions::default() };
        let wanted = self.wanted().cloned();
        if let Some(wanted) = &wanted {
            self.store.only_if(&mut options, wanted);
        }
        let work = async |clients: &Clients| -> Result<ObjectHead, Fail> {
            let path = self.store.path(&self.key)?;
            let result = clients.store.get_opts(&path, options.clone()).await;
            let result = result.map_err(|e| match (&options.range, Call::current().length()) {
                // for a range beyond the end, some servers fail and others return nothing
                (Some(GetRange::Bounded(range)), Some(length)) if range.end > length => {
                    Fail::Ours(wrong_length(range.end, length))
                }
                _ => Fail::Service(e),
            })?;
            let head = self.store.head_of(&result.meta);
            // some servers ignore the condition
            if wanted.is_some() && head.version != wanted {
                return Err(replaced().into());
            }
            take(Piece::Head(&result, &head))?;
            let mut left = result.range.end.saturating_sub(result.range.start);
            let mut pieces = result.into_stream();
            while let Some(piece) = pieces.next().await {
                let piece = piece?;
                left = left.checked_sub(piece.len() as u64).ok_or(Fail::Again("more"))?;
                take(Piece::Bytes(&piece))?;
            }
            if left > 0 {
                return Err(Fail::Again("less"));
            }
            Ok(head)
        };
        match self.store.read(Call::of_value(), work).await {
            Ok(None) if self.wanted().is_some() => Err(replaced()).at(|| self.place()),
            Ok(head) => {
                let there = head.is_some();
                self.keep(head);
                Ok(there)
            }
            Err(e) if e.system_code() == 412 => Err(replaced()).at(|| self.place()),
            Err(e) => Err(e).at(|| self.place()),
        }
    }

    /// Appends a range to `out`; `false`: absent.
    async fn append(
        &self,
        range: Option<GetRange>,
        expected: u64,
        out: &mut Vec<u8>,
    ) -> Result<bool> {
        let start = out.len();
        let mut take = |piece: Piece<'_>| match piece {
            Piece::Head(result, _) => {
                out.truncate(start);
                let length = result.range.end.saturating_sub(result.range.start);
                let room = length.min(AT_ONCE.max(expected));
                reserve_exact(out, usize::try_from(room).unwrap_or(usize::MAX))
            }
            Piece::Bytes(bytes) => {
                reserve(out, bytes.len())?;
                out.extend_from_slice(bytes);
                Ok(())
            }
        };
        let done = self.get(range, &mut take).await;
        if !matches!(done, Ok(true)) {
            out.truncate(start);
        }
        done
    }

    /// Fills `out` if `check` accepts the metadata; `false`: absent.
    async fn fill(
        &self,
        range: Option<GetRange>,
        out: &mut [u8],
        check: impl Fn(u64) -> Result<()>,
    ) -> Result<bool> {
        let mut filled = 0;
        self.get(range, &mut |piece| match piece {
            Piece::Head(_, head) => {
                filled = 0;
                check(head.length)
            }
            Piece::Bytes(bytes) => {
                let place = out.get_mut(filled..filled + bytes.len());
                let place = place.ok_or_else(|| {
                    Error::new(Kind::Io, "the server sends more than it was asked for")
                })?;
                place.copy_from_slice(bytes);
                filled += bytes.len();
                Ok(())
            }
        })
        .await
    }

    /// Appends the whole value to `out`; returns its version.
    pub async fn get_all(&self, out: &mut Vec<u8>) -> Result<Option<Version>> {
        if !self.append(None, 0, out).await? {
            return Ok(None);
        }
        self.get_version().await
    }
}

/// What [`Source::get`] passes on.
enum Piece<'a> {
    Head(&'a GetResult, &'a ObjectHead),
    Bytes(&'a [u8]),
}

#[cold]
fn replaced() -> Error {
    Error::new(Kind::Conflict, "the value was replaced or erased in between")
}

impl Source<'_> {
    async fn get_len(&self) -> Result<Option<u64>> {
        Ok(self.head().await?.map(|head| head.length))
    }

    async fn get_whole(&self, expected: u64, out: &mut Vec<u8>) -> Result<bool> {
        // the expected length is only a guess
        self.append(None, expected.min(1 << 30), out).await
    }

    async fn get_range(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        let end = offset.saturating_add(out.len() as u64);
        let check = |length| match end <= length {
            true => Ok(()),
            false => Err(wrong_length(end, length)),
        };
        // do not request ranges that are empty or known to be beyond the end
        let known = self.known().flatten().map(|head| head.length);
        if out.is_empty() || end > LONGEST || known.is_some_and(|length| end > length) {
            let Some(length) = self.get_len().await? else { return Ok(false) };
            return check(length).map(|()| true).at(|| self.place());
        }
        let read = self.fill(Some(GetRange::Bounded(offset..end)), out, check).await;
        match read {
            Err(e) if e.system_code() == 416 => match self.get_len().await? {
                Some(length) => check(length).map(|()| true).at(|| self.place()),
                None => Ok(false),
            },
            read => read,
        }
    }

    async fn get_exactly(&self, out: &mut [u8]) -> Result<bool> {
        let expected = out.len() as u64;
        self.fill(None, out, |length| match length == expected {
            true => Ok(()),
            false => Err(wrong_length(expected, length)),
        })
        .await
    }

    async fn get_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        let by_length = count == 0 || !self.store.dialect.suffixes || self.known().is_some();
        let range = if by_length {
            let Some(length) = self.get_len().await? else { return Ok(None) };
            if length.min(count) == 0 {
                return Ok(Some(length));
            }
            GetRange::Bounded(length - length.min(count)..length)
        } else {
            GetRange::Suffix(count)
        };
        match self.append(Some(range), count, out).await {
            // an empty value has no suffix
            Err(e) if e.system_code() == 416 && !by_length => self.get_len().await,
            done => Ok(if done? { self.get_len().await? } else { None }),
        }
    }

    async fn get_version(&self) -> Result<Option<Version>> {
        if let (None, Some(pinned)) = (self.known(), self.pinned.get()) {
            return Ok(Some(pinned.clone()));
        }
        Ok(self.head().await?.and_then(|head| head.version.clone()))
    }

    /// Fetches the part `want` into empty memory.
    pub async fn fetch(&self, want: Want, mut bytes: Vec<u8>) -> Result<Option<Fetched>> {
        let there = match want {
            Want::All(expected) => self.get_whole(expected, &mut bytes).await?,
            Want::Range(offset, count) => {
                let count = usize::try_from(count).unwrap_or(usize::MAX);
                reserve(&mut bytes, count)?;
                bytes.resize(count, 0);
                self.get_range(offset, &mut bytes).await?
            }
            Want::Suffix(count) => self.get_suffix(count, &mut bytes).await?.is_some(),
            Want::Head => self.get_len().await?.is_some(),
        };
        let head = self.known().flatten().filter(|_| there);
        Ok(head.map(|head| Fetched {
            bytes,
            len: Some(head.length),
            version: head.version.clone(),
        }))
    }
}

impl ByteSource for Source<'_> {
    fn len(&self) -> Result<Option<u64>> {
        wait(self.get_len())
    }

    fn read_all(&self, expected: u64, out: &mut Vec<u8>) -> Result<bool> {
        wait(self.get_whole(expected, out))
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        wait(self.get_exactly(out))
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        wait(self.get_range(offset, out))
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        wait(self.get_suffix(count, out))
    }

    fn version(&self) -> Result<Option<Version>> {
        wait(self.get_version())
    }

    fn pin(&self, version: &Version) -> bool {
        match self.known() {
            None => self.pinned.get_or_init(|| version.clone()) == version,
            Some(head) => head.is_some_and(|head| head.version.as_ref() == Some(version)),
        }
    }

    fn request_cost(&self) -> u64 {
        REQUEST_COST
    }
}
