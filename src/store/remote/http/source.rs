//! Reads one value of a web server by byte range: RFC 9110, sections 13 and 14.
//!
//! - The first response fixes the value's state. Later requests require that state (`If-Match`),
//!   and each response is checked against it. Another state is a conflict.
//! - A server without range support sends the whole value each time. Up to a size limit the value
//!   is kept for the lifetime of the source.

use super::HttpStore;
use super::request::{Ask, Failure};
use super::state::{State, content_length, content_range, unsatisfied_len, wrong};
use crate::error::{Error, Kind, Result};
use crate::exec::reserve_exact;
use crate::source::{ByteSource, Fetched, Version, Want, reserve, wrong_length};
use crate::store::Key;
use crate::store::remote::network::client::Response;
use crate::store::remote::network::wait;
use http::header::{self, HeaderMap};
use http::{Method, StatusCode};
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

/// The most bytes read of a value whose length the server does not announce.
const MOST_UNTOLD: u64 = 256 << 20;

/// The most memory reserved for a length that is only announced.
const MOST_TOLD: u64 = 64 << 20;

/// The largest value that is kept when the server sends it whole.
const MOST_KEPT: u64 = 64 << 20;

/// The largest value read whole when a suffix was requested; larger ones are read by range.
const MOST_WASTED: u64 = 1 << 20;

/// The value of a key, in the state of its first read.
pub struct Source<'a> {
    store: &'a HttpStore,
    key: Key,
    /// The state. Inner `None`: the value was absent.
    state: OnceLock<Option<State>>,
    /// The length, when it becomes known after the state.
    len: OnceLock<u64>,
    /// The whole value, from a server that sends no ranges.
    whole: OnceLock<Vec<u8>>,
}

impl<'a> Source<'a> {
    pub fn new(store: &'a HttpStore, key: &Key) -> Self {
        Source {
            store,
            key: key.clone(),
            state: OnceLock::new(),
            len: OnceLock::new(),
            whole: OnceLock::new(),
        }
    }

    /// A source that must have that version.
    pub fn at(store: &'a HttpStore, key: &Key, version: &Version) -> Self {
        let source = Source::new(store, key);
        let _ = source.state.set(Some(State::parse(version)));
        source
    }

    /// The length, if known without a request.
    fn known_len(&self) -> Option<u64> {
        self.len.get().copied()
    }

    fn is_absent(&self) -> bool {
        matches!(self.state.get(), Some(None))
    }

    /// The state in a response and the value's length. Fails if the state changed.
    fn check(&self, headers: &HeaderMap, len: Option<u64>) -> Result<State, Failure> {
        let found = State::of(headers, len);
        let known = self.state.get().and_then(Option::as_ref);
        let first = self.known_len();
        let same_len = first.zip(len).is_none_or(|(first, len)| first == len);
        if !same_len || known.is_some_and(|known| !known.agrees(&found)) {
            let words = "the value was replaced in between";
            return Err(Error::new(Kind::Conflict, words).into());
        }
        Ok(found)
    }

    /// Pins the state of a response that was read to its end; a truncated one may have been wrong
    /// from the start.
    fn keep(&self, found: State) {
        if let Some(len) = found.len {
            let _ = self.len.set(len);
        }
        let _ = self.state.set(Some(found));
    }

    /// Sends a request for the value; `take` pins the state of the response.
    async fn run<T>(
        &self,
        method: Method,
        range: Option<String>,
        take: impl AsyncFnMut(Response) -> Result<T, Failure>,
    ) -> Result<Option<T>> {
        let mut ask = Ask::new(method, self.store.address.url(self.key.as_str())?);
        if let Some(range) = range {
            ask = ask.with(header::RANGE, &range);
        }
        let known = self.state.get().and_then(Option::as_ref);
        if let Some((name, value)) = known.and_then(State::condition) {
            ask = ask.with(name, value);
        }
        let taken = self.store.requests.run(&ask, take).await?;
        if taken.is_none() && self.state.get_or_init(|| None).is_some() {
            let words =
                format!("{} of {} was erased since it was read", self.key, self.store.place());
            return Err(Error::new(Kind::Conflict, words));
        }
        Ok(taken)
    }

    /// Fetches the state and length alone.
    async fn look(&self) -> Result<()> {
        if !self.store.no_head.load(Ordering::Relaxed) {
            let looked = self.run(Method::HEAD, None, async |response| {
                let length = content_length(response.headers());
                self.keep(self.check(response.headers(), length)?);
                Ok(length.is_some())
            });
            let looked = looked.await;
            match looked {
                Ok(Some(true) | None) => return Ok(()),
                // the signature may be for GET alone
                Err(e) if !matches!(e.system_code(), 400 | 403 | 405 | 501) => return Err(e),
                _ => {}
            }
        }
        self.run(Method::GET, Some("bytes=0-0".into()), async |mut response| {
            match response.status() {
                StatusCode::PARTIAL_CONTENT => {
                    let (_, _, len) = content_range(&response)?;
                    self.keep(self.check(response.headers(), len)?);
                    if len.is_none() {
                        return Err(length_unknown().into());
                    }
                }
                StatusCode::RANGE_NOT_SATISFIABLE => {
                    self.keep(self.check(response.headers(), Some(0))?);
                }
                _ => match content_length(response.headers()) {
                    Some(len) => self.keep(self.check(response.headers(), Some(len))?),
                    None => drop(self.whole_of(&mut response).await?),
                },
            }
            Ok(())
        })
        .await?;
        self.store.no_head.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Reads the whole value and keeps it.
    async fn whole_of(&self, response: &mut Response) -> Result<&[u8], Failure> {
        let mut whole = Vec::new();
        self.take_whole(response, &mut whole).await?;
        Ok(self.whole.get_or_init(|| whole))
    }

    /// Appends the whole value to `out`.
    async fn take_whole(&self, response: &mut Response, out: &mut Vec<u8>) -> Result<(), Failure> {
        let announced = content_length(response.headers());
        let found = self.check(response.headers(), announced)?;
        if let Some(announced) = announced {
            crate::exec::check_memory(usize::try_from(announced).unwrap_or(usize::MAX))?;
        }
        reserve_exact(out, announced.unwrap_or(0).min(MOST_TOLD) as usize)?;
        let most = announced.unwrap_or(MOST_UNTOLD);
        let all = append(response, most, out).await?.ok_or_else(|| {
            let words = "the server does not say how long the value is, and it has more than";
            Error::new(Kind::LimitExceeded, format!("{words} {most} bytes"))
        })?;
        if announced.is_some_and(|announced| announced != all) {
            return Err(cut_short(most, all));
        }
        self.keep(State { len: Some(all), ..found });
        Ok(())
    }

    /// Reads the last `count` bytes, or all if fewer, by a range from the start of the value.
    async fn suffix_by_len(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        let Some(len) = self.get_len().await? else { return Ok(None) };
        let start = out.len();
        let size = count.min(len);
        reserve(out, usize::try_from(size).unwrap_or(usize::MAX))?;
        out.resize(start + size as usize, 0);
        let read = self.get_range(len - size, &mut out[start..]).await;
        if !matches!(read, Ok(true)) {
            out.truncate(start);
        }
        Ok(read?.then_some(len))
    }
}

#[cold]
fn cut_short(expected: u64, found: u64) -> Failure {
    wrong(format!("the answer is cut short: {found} bytes of {expected}"))
}

#[cold]
fn too_much(most: u64) -> Failure {
    wrong(format!("the answer has more than the {most} bytes asked for"))
}

#[cold]
fn length_unknown() -> Error {
    Error::unsupported("the server does not say how long the value is")
}

/// Appends the body to `out` and returns its length; `None`: longer than `most`.
async fn append(
    response: &mut Response,
    most: u64,
    out: &mut Vec<u8>,
) -> Result<Option<u64>, Failure> {
    let mut all = 0;
    while let Some(part) = response.chunk().await? {
        all += part.len() as u64;
        if all > most {
            return Ok(None);
        }
        reserve(out, part.len())?;
        out.extend_from_slice(&part);
    }
    Ok(Some(all))
}

/// Fills `out` with the body after its first `skip` bytes; reads no further.
async fn fill(response: &mut Response, skip: u64, out: &mut [u8]) -> Result<(), Failure> {
    let (mut skip, mut done) = (skip, 0);
    while done < out.len() {
        let Some(part) = response.chunk().await? else {
            return Err(cut_short(out.len() as u64, done as u64));
        };
        let from = skip.min(part.len() as u64) as usize;
        skip -= from as u64;
        let part = &part[from..];
        let part = &part[..part.len().min(out.len() - done)];
        out[done..done + part.len()].copy_from_slice(part);
        done += part.len();
    }
    Ok(())
}

/// Checks that the body ends here, so that the connection can be reused.
async fn ends(response: &mut Response, after: u64) -> Result<(), Failure> {
    match response.chunk().await? {
        None => Ok(()),
        Some(_) => Err(too_much(after)),
    }
}

impl Source<'_> {
    async fn get_len(&self) -> Result<Option<u64>> {
        if self.is_absent() {
            return Ok(None);
        }
        if self.known_len().is_none() {
            self.look().await?;
        }
        if self.is_absent() {
            return Ok(None);
        }
        self.known_len().map(Some).ok_or_else(length_unknown)
    }

    async fn get_all(&self, _: u64, out: &mut Vec<u8>) -> Result<bool> {
        if self.is_absent() {
            return Ok(false);
        }
        if let Some(whole) = self.whole.get() {
            return whole.as_slice().read_all(0, out);
        }
        let start = out.len();
        let read = self
            .run(Method::GET, None, async |mut response| {
                out.truncate(start);
                match response.status() {
                    StatusCode::OK => self.take_whole(&mut response, out).await,
                    _ => Err(wrong("the server sends a part where all is asked for")),
                }
            })
            .await;
        if !matches!(read, Ok(Some(()))) {
            out.truncate(start);
        }
        Ok(read?.is_some())
    }

    async fn get_exactly(&self, out: &mut [u8]) -> Result<bool> {
        if self.is_absent() {
            return Ok(false);
        }
        if let Some(whole) = self.whole.get() {
            return whole.as_slice().read_exactly(out);
        }
        let size = out.len() as u64;
        let read = self
            .run(Method::GET, None, async |mut response| {
                if response.status() != StatusCode::OK {
                    return Err(wrong("the server sends a part where all is asked for"));
                }
                match content_length(response.headers()) {
                    Some(announced) => {
                        let found = self.check(response.headers(), Some(announced))?;
                        if announced != size {
                            return Err(wrong_length(size, announced).into());
                        }
                        fill(&mut response, 0, out).await?;
                        ends(&mut response, size).await?;
                        self.keep(found);
                        Ok(())
                    }
                    None => Ok(self.whole_of(&mut response).await?.read_exactly(out).map(drop)?),
                }
            })
            .await;
        Ok(read?.is_some())
    }

    async fn get_range(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        if self.is_absent() {
            return Ok(false);
        }
        if let Some(whole) = self.whole.get() {
            return whole.as_slice().read_at(offset, out);
        }
        let size = out.len() as u64;
        let end = offset.saturating_add(size);
        let known = if size == 0 { self.get_len().await? } else { self.known_len() };
        match known {
            Some(len) if end > len => return Err(wrong_length(end, len)),
            _ if size == 0 => return Ok(known.is_some()),
            _ => {}
        }
        let last = end - 1;
        let read = self
            .run(Method::GET, Some(format!("bytes={offset}-{last}")), async |mut response| {
                match response.status() {
                    StatusCode::PARTIAL_CONTENT => {
                        let (first, to, len) = content_range(&response)?;
                        let found = self.check(response.headers(), len)?;
                        match len {
                            Some(len) if len < end => return Err(wrong_length(end, len).into()),
                            _ if (first, to) != (offset, last) => {
                                let words = format!("the server sends the bytes {first}-{to}");
                                return Err(wrong(format!("{words} instead of {offset}-{last}")));
                            }
                            _ => {}
                        }
                        fill(&mut response, 0, out).await?;
                        ends(&mut response, size).await?;
                        self.keep(found);
                        Ok(())
                    }
                    StatusCode::RANGE_NOT_SATISFIABLE => {
                        let len = unsatisfied_len(&response);
                        self.check(response.headers(), len)?;
                        match len {
                            Some(len) if len >= end => {
                                Err(wrong("the server refuses a range that it says is there"))
                            }
                            len => Err(wrong_length(end, len.unwrap_or(offset)).into()),
                        }
                    }
                    _ => {
                        let announced = content_length(response.headers());
                        if announced.is_some_and(|announced| announced > MOST_KEPT) {
                            let found = self.check(response.headers(), announced)?;
                            if let Some(len) = announced.filter(|len| *len < end) {
                                return Err(wrong_length(end, len).into());
                            }
                            fill(&mut response, offset, out).await?;
                            self.keep(found);
                            return Ok(());
                        }
                        Ok(self.whole_of(&mut response).await?.read_at(offset, out).map(drop)?)
                    }
                }
            })
            .await;
        Ok(read?.is_some())
    }

    async fn get_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        if self.is_absent() {
            return Ok(None);
        }
        if let Some(whole) = self.whole.get() {
            return whole.as_slice().read_suffix(count, out);
        }
        // not every server takes the largest numbers
        let by_len = count == 0
            || count > u64::from(u32::MAX)
            || self.known_len().is_some()
            || self.store.no_suffix.load(Ordering::Relaxed);
        if by_len {
            return self.suffix_by_len(count, out).await;
        }
        let start = out.len();
        let read = self
            .run(Method::GET, Some(format!("bytes=-{count}")), async |mut response| {
                out.truncate(start);
                match response.status() {
                    StatusCode::PARTIAL_CONTENT => {
                        let (first, last, len) = content_range(&response)?;
                        let len = len.unwrap_or(last + 1);
                        let found = self.check(response.headers(), Some(len))?;
                        let size = count.min(len);
                        if (first, last) != (len - size, len - 1) {
                            let words =
                                format!("the server sends the bytes {first}-{last} of {len}");
                            return Err(wrong(format!("{words} instead of the last {size}")));
                        }
                        match append(&mut response, size, out).await? {
                            None => return Err(too_much(size)),
                            Some(all) if all < size => return Err(cut_short(size, all)),
                            Some(_) => {}
                        }
                        self.keep(found);
                        Ok(Some(len))
                    }
                    StatusCode::RANGE_NOT_SATISFIABLE => match unsatisfied_len(&response) {
                        Some(0) => {
                            self.keep(self.check(response.headers(), Some(0))?);
                            Ok(Some(0))
                        }
                        _ => Ok(None),
                    },
                    _ => {
                        let announced = content_length(response.headers());
                        if announced
                            .is_some_and(|announced| announced > MOST_WASTED.saturating_add(count))
                        {
                            self.keep(self.check(response.headers(), announced)?);
                            return Ok(None);
                        }
                        Ok(self.whole_of(&mut response).await?.read_suffix(count, out)?)
                    }
                }
            })
            .await;
        match read {
            Ok(None) => Ok(None),
            Ok(Some(Some(len))) => Ok(Some(len)),
            Ok(Some(None)) => {
                self.store.no_suffix.store(true, Ordering::Relaxed);
                self.suffix_by_len(count, out).await
            }
            Err(e) if matches!(e.system_code(), 400 | 501) => {
                self.store.no_suffix.store(true, Ordering::Relaxed);
                self.suffix_by_len(count, out).await
            }
            Err(e) => {
                out.truncate(start);
                Err(e)
            }
        }
    }

    async fn get_version(&self) -> Result<Option<Version>> {
        if self.state.get().is_none() {
            self.look().await?;
        }
        let state = self.state.get().and_then(Option::as_ref);
        let len = self.known_len();
        Ok(state.map(|state| State { len: state.len.or(len), ..state.clone() }.version()))
    }

    /// What is wanted of it, into memory that is empty.
    pub async fn fetch(&self, want: Want, mut bytes: Vec<u8>) -> Result<Option<Fetched>> {
        let there = match want {
            Want::All(expected) => self.get_all(expected, &mut bytes).await?,
            Want::Range(offset, count) => {
                let count = usize::try_from(count).unwrap_or(usize::MAX);
                reserve(&mut bytes, count)?;
                bytes.resize(count, 0);
                self.get_range(offset, &mut bytes).await?
            }
            Want::Suffix(count) => self.get_suffix(count, &mut bytes).await?.is_some(),
            Want::Head => self.get_len().await?.is_some(),
        };
        if !there {
            return Ok(None);
        }
        let version = self.get_version().await?;
        Ok(Some(Fetched { bytes, len: self.known_len(), version }))
    }
}

impl ByteSource for Source<'_> {
    fn len(&self) -> Result<Option<u64>> {
        wait(self.get_len())
    }

    fn read_all(&self, expected: u64, out: &mut Vec<u8>) -> Result<bool> {
        wait(self.get_all(expected, out))
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

    fn as_slice(&self) -> Option<&[u8]> {
        self.whole.get().map(Vec::as_slice)
    }

    fn pin(&self, version: &Version) -> bool {
        let state = self.state.get_or_init(|| Some(State::parse(version)));
        state.as_ref().is_some_and(|state| state.version() == *version)
    }

    fn request_cost(&self) -> u64 {
        match self.whole.get() {
            Some(_) => 0,
            None => super::REQUEST_COST,
        }
    }
}
