//! The bytes of one value of a remote store that have arrived so far. Reading others fails with
//! [`Error::pending`]; they are requested when the job is [parked](RemoteValue::park).

use super::pipeline::{Pipeline, Request};
use crate::cache::Read;
use crate::error::{Error, Kind, Result};
use crate::exec::Buffer;
use crate::fork::Own;
use crate::lock::Acquire;
use crate::source::{ByteSource, Fetched, Version, Want, reserve, wrong_length};
use crate::store::{Key, Part, Precondition, Put};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};
use std::time::Instant;

/// The request cost: a round trip takes about as long as transferring this many bytes.
const REQUEST_COST: u64 = 1 << 20;

/// The version and length of a value.
struct Head {
    version: Option<Version>,
    len: OnceLock<u64>,
}

/// The value of one chunk during one attempt to read or write it.
pub(super) struct RemoteValue {
    me: Weak<RemoteValue>,
    pipeline: Arc<Pipeline>,
    /// The number of the job that works on it.
    pub job: usize,
    pub key: Key,
    /// The number of this attempt: another follows if someone else writes the value meanwhile.
    pub attempt: usize,
    /// The fetches that it shares with other jobs and calls.
    pub read: Read,
    /// The version that it must have.
    pinned: OnceLock<Version>,
    /// From the first answer; inner `None`: the value is absent.
    head: OnceLock<Option<Head>>,
    whole: OnceLock<Vec<u8>>,
    /// Byte ranges of the value, each with its offset.
    parts: Mutex<Vec<(u64, Arc<Vec<u8>>)>>,
    held: AtomicU64,
    locked: Mutex<Option<Locked>>,
    /// Whether the chunk is written repeatedly, part by part.
    pub repeats: OnceLock<bool>,
    /// Whether the job reads ranges of it with blocking requests.
    waits: OnceLock<()>,
    asked: Mutex<Asked>,
}

/// The values of an array that are being changed, and the jobs that wait for each. A forked child
/// has none of its parent's.
#[derive(Clone, Default)]
pub(super) struct Busy(Arc<Own<Mutex<Waiting>>>);

/// The jobs that wait for a value to be changed, by its key.
type Waiting = HashMap<Key, Vec<Box<dyn Send + Sync>>>;

impl Busy {
    fn values(&self) -> MutexGuard<'_, Waiting> {
        self.0.get().acquire()
    }
}

struct Locked {
    busy: Busy,
    key: Key,
}

impl Drop for Locked {
    fn drop(&mut self) {
        let waiting = self.busy.values().remove(&self.key);
        drop(waiting); // dropping wakes them
    }
}

#[derive(Default)]
struct Asked {
    /// Parts to request.
    wants: Vec<Want>,
    put: Option<Put>,
    /// Unanswered requests.
    requests: usize,
    /// Whether another job's fetch or write that it waits for has ended since the job last ran.
    has_news: bool,
    /// The number of other jobs' fetches and writes that it waits for.
    joined: usize,
    parked: bool,
    /// Parts that could not be read, and why.
    failures: Vec<(Want, Error)>,
    stored: Option<Result<()>>,
}

impl RemoteValue {
    pub fn new(
        pipeline: &Arc<Pipeline>,
        job: usize,
        key: Key,
        attempt: usize,
        since: Instant,
    ) -> Arc<Self> {
        Arc::new_cyclic(|me| RemoteValue {
            me: me.clone(),
            pipeline: pipeline.clone(),
            job,
            key,
            attempt,
            read: Read::new(pipeline.cache.clone(), since),
            pinned: OnceLock::new(),
            head: OnceLock::new(),
            whole: OnceLock::new(),
            parts: Mutex::default(),
            held: AtomicU64::new(0),
            locked: Mutex::default(),
            repeats: OnceLock::new(),
            waits: OnceLock::new(),
            asked: Mutex::default(),
        })
    }

    fn asked(&self) -> MutexGuard<'_, Asked> {
        self.asked.acquire()
    }

    fn parts(&self) -> MutexGuard<'_, Vec<(u64, Arc<Vec<u8>>)>> {
        self.parts.acquire()
    }

    /// The version that the next answers must have, if it is fixed.
    pub fn wanted_version(&self) -> Option<Version> {
        match self.head.get() {
            Some(head) => head.as_ref().and_then(|head| head.version.clone()),
            None => self.pinned.get().cloned(),
        }
    }

    /// Notes a part to request, or returns the error of an earlier attempt to read it.
    #[cold]
    fn need(&self, want: Want) -> Error {
        let mut asked = self.asked();
        if let Some((_, e)) = asked
            .failures
            .iter()
            .find(|(failed, e)| covers(*failed, want) || e.kind() == Kind::Internal)
        {
            return e.clone();
        }
        if !asked.wants.contains(&want) {
            asked.wants.push(want);
        }
        Error::pending()
    }

    /// Notes a request to set or erase the value. The job ends when that request is answered.
    pub fn store(&self, parts: Option<Vec<Part>>, when: Precondition) {
        let bytes = parts.iter().flatten().map(|part| (**part).as_ref().len() as u64).sum();
        self.held.fetch_add(bytes, Ordering::Relaxed);
        self.pipeline.hold(bytes, false);
        let put = Put { key: self.key.clone(), parts, when, done: Box::new(drop) };
        self.asked().put = Some(put);
    }

    /// Keeps other jobs on this array from changing the value until this job ends; they fail with
    /// [`Error::pending`] until then.
    pub fn lock(&self, busy: &Busy) -> Result<()> {
        let mut guard = self.locked.acquire();
        if guard.is_some() {
            return Ok(());
        }
        let mut values = busy.values();
        if let Some(waiting) = values.get_mut(&self.key) {
            waiting.extend(self.suspend());
            return Err(Error::pending());
        }
        values.insert(self.key.clone(), Vec::new());
        drop(values);
        *guard = Some(Locked { busy: busy.clone(), key: self.key.clone() });
        Ok(())
    }

    /// Ends the shared fetches and unlocks the value.
    pub fn end(&self) {
        self.read.end();
        let guard = self.locked.acquire().take();
        drop(guard);
    }

    /// Whether a request to set it is queued or under way.
    pub fn is_storing(&self) -> bool {
        let asked = self.asked();
        asked.put.is_some() || asked.requests > 0
    }

    /// The result of setting it; `None`: not set, or not answered yet.
    pub fn stored(&self) -> Option<Result<()>> {
        self.asked().stored.take()
    }

    /// The requests for what the job needed since it was last parked; nearby ranges are merged.
    pub fn requests(&self, concurrency: usize) -> Vec<Request> {
        let mut asked = self.asked();
        let wants = std::mem::take(&mut asked.wants);
        let mut requests: Vec<Request> = match wants.iter().find(|w| matches!(w, Want::All(_))) {
            Some(all) => vec![Request::Get(*all)],
            None => {
                let bytes = wants.iter().fold(0u64, |sum, want| match want {
                    Want::Range(_, len) => sum.saturating_add(*len),
                    _ => sum,
                });
                if bytes > self.pipeline.memory {
                    // too many bytes to hold: read the ranges one by one while decoding
                    let _ = self.waits.set(());
                    Vec::new()
                } else {
                    let cost = REQUEST_COST;
                    joined(wants, concurrency, cost).into_iter().map(Request::Get).collect()
                }
            }
        };
        requests.extend(asked.put.take().map(Request::Set));
        asked.requests += requests.len();
        requests
    }

    /// Suspends the job; `false`: it can continue at once.
    pub fn park(&self) -> bool {
        let mut asked = self.asked();
        asked.parked = match asked.requests {
            0 => asked.joined > 0 && !asked.has_news,
            _ => true,
        };
        asked.has_news = false;
        asked.parked
    }

    /// Handles the end of a request.
    pub fn answered(&self) {
        let mut asked = self.asked();
        asked.requests = asked.requests.saturating_sub(1);
        self.wake(asked);
    }

    fn wake(&self, mut asked: MutexGuard<'_, Asked>) {
        if asked.parked && asked.requests == 0 {
            asked.parked = false;
            drop(asked);
            self.pipeline.is_ready(self.job);
        }
    }

    /// Makes every later read of missing bytes fail with `e`.
    pub fn fail(&self, e: Error) {
        let mut asked = self.asked();
        asked.stored = Some(Err(e.clone()));
        asked.failures.push((Want::Head, e));
    }

    /// Stores the result of setting the value.
    pub fn take_stored(&self, answer: Result<()>) {
        self.asked().stored = Some(answer);
    }

    /// Stores the result of a request.
    pub fn take(&self, want: Want, answer: Result<Option<Fetched>>) {
        let kept = answer.and_then(|fetched| self.keep(want, fetched));
        if let Err(e) = kept {
            self.asked().failures.push((want, e));
        }
    }

    fn keep(&self, want: Want, fetched: Option<Fetched>) -> Result<()> {
        let replaced = || Error::new(Kind::Conflict, "the value was replaced in between");
        let found = fetched.as_ref().map(|fetched| Head {
            version: fetched.version.clone(),
            len: fetched.len.map_or_else(OnceLock::new, OnceLock::from),
        });
        let head = self.head.get_or_init(|| found);
        let Some(Fetched { bytes, len, version }) = fetched else {
            return if head.is_none() { Ok(()) } else { Err(replaced()) };
        };
        let Some(head) = head else { return Err(replaced()) };
        let pinned = self.pinned.get();
        if head.version != version || pinned.is_some() && pinned != version.as_ref() {
            return Err(replaced());
        }
        if let Some(len) = len
            && *head.len.get_or_init(|| len) != len
        {
            return Err(replaced());
        }
        let size = bytes.len() as u64;
        match want {
            Want::Head => return Ok(()),
            Want::All(_) => drop(self.whole.set(bytes)),
            Want::Range(offset, _) => self.parts().push((offset, Arc::new(bytes))),
            Want::Suffix(_) => {
                let end = head.len.get().copied().unwrap_or(size);
                self.parts().push((end.saturating_sub(size), Arc::new(bytes)));
            }
        }
        self.held.fetch_add(size, Ordering::Relaxed);
        self.pipeline.hold(size, true);
        Ok(())
    }

    fn is_absent(&self) -> bool {
        matches!(self.head.get(), Some(None))
    }

    fn known_len(&self) -> Option<u64> {
        self.head.get()?.as_ref()?.len.get().copied()
    }

    /// The part that holds a range: the range's offset in it, and its bytes.
    fn part(&self, offset: u64, len: u64) -> Option<(usize, Arc<Vec<u8>>)> {
        let parts = self.parts();
        let end = offset.checked_add(len)?;
        let holds = |(start, bytes): &&(u64, Arc<Vec<u8>>)| {
            *start <= offset && end <= *start + bytes.len() as u64
        };
        let (start, bytes) = parts.iter().find(holds)?;
        Some(((offset - start) as usize, bytes.clone()))
    }
}

/// Whether the failure to read `failed` implies that `want` cannot be read either.
fn covers(failed: Want, want: Want) -> bool {
    match (failed, want) {
        (Want::Range(offset, len), Want::Range(o, l)) => {
            offset <= o && o.saturating_add(l) <= offset.saturating_add(len)
        }
        (Want::All(_), Want::All(_)) => true,
        _ => failed == want,
    }
}

/// Merges ranges with gaps that cost less than a request, but only as far as enough requests remain
/// to use the full concurrency.
fn joined(mut wants: Vec<Want>, concurrency: usize, cost: u64) -> Vec<Want> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    wants.retain(|want| match want {
        Want::Range(offset, len) => {
            ranges.push((*offset, *len));
            false
        }
        _ => true,
    });
    ranges.sort_unstable();
    let all = ranges.iter().fold(0u64, |sum, (_, len)| sum.saturating_add(*len));
    let largest = (all / concurrency.max(1) as u64).max(cost.saturating_mul(2));
    let mut spans: Vec<(u64, u64)> = Vec::new();
    for (offset, len) in ranges {
        let end = offset.saturating_add(len);
        if let Some((start, span)) = spans.last_mut()
            && offset <= start.saturating_add(*span).saturating_add(cost)
            && end.saturating_sub(*start) <= largest
        {
            *span = (*span).max(end - *start);
        } else {
            spans.push((offset, len));
        }
    }
    wants.extend(spans.into_iter().map(|(offset, len)| Want::Range(offset, len)));
    wants
}

impl ByteSource for RemoteValue {
    fn len(&self) -> Result<Option<u64>> {
        match self.known_len() {
            _ if self.is_absent() => Ok(None),
            Some(len) => Ok(Some(len)),
            None => Err(self.need(Want::Head)),
        }
    }

    fn read_all(&self, expected: u64, out: &mut Vec<u8>) -> Result<bool> {
        match self.whole.get() {
            _ if self.is_absent() => Ok(false),
            Some(whole) => {
                reserve(out, whole.len())?;
                out.extend_from_slice(whole);
                Ok(true)
            }
            None => Err(self.need(Want::All(expected))),
        }
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        if self.is_absent() {
            return Ok(false);
        }
        if let Some(whole) = self.whole.get() {
            return whole.as_slice().read_at(offset, out);
        }
        let (len, end) = (out.len() as u64, offset.saturating_add(out.len() as u64));
        // request neither empty ranges nor bytes beyond the known end of the value
        if out.is_empty() || self.known_len().is_some_and(|len| end > len) {
            return match self.len()? {
                Some(len) if end > len => Err(wrong_length(end, len)),
                len => Ok(len.is_some()),
            };
        }
        match self.part(offset, len) {
            Some((at, bytes)) => {
                out.copy_from_slice(&bytes[at..at + out.len()]);
                Ok(true)
            }
            None if self.waits.get().is_some() => {
                let store = self.pipeline.store()?;
                match self.wanted_version() {
                    Some(version) => store.source_at(&self.key, &version).read_at(offset, out),
                    None => store.source(&self.key).read_at(offset, out),
                }
            }
            None => Err(self.need(Want::Range(offset, len))),
        }
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        match self.whole.get() {
            _ if self.is_absent() => Ok(false),
            Some(whole) => whole.as_slice().read_exactly(out),
            None => Err(self.need(Want::All(out.len() as u64))),
        }
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        if self.is_absent() {
            return Ok(None);
        }
        if let Some(whole) = self.whole.get() {
            return whole.as_slice().read_suffix(count, out);
        }
        let Some(len) = self.known_len() else { return Err(self.need(Want::Suffix(count))) };
        let size = count.min(len);
        let start = out.len();
        reserve(out, usize::try_from(size).unwrap_or(usize::MAX))?;
        out.resize(start + size as usize, 0);
        let read = self.read_at(len - size, &mut out[start..]);
        if !matches!(read, Ok(true)) {
            out.truncate(start);
        }
        Ok(read?.then_some(len))
    }

    fn version(&self) -> Result<Option<Version>> {
        match (self.head.get(), self.pinned.get()) {
            (Some(head), _) => Ok(head.as_ref().and_then(|head| head.version.clone())),
            (None, Some(pinned)) => Ok(Some(pinned.clone())),
            (None, None) => Err(self.need(Want::Head)),
        }
    }

    fn pin(&self, version: &Version) -> bool {
        match self.head.get() {
            None => self.pinned.get_or_init(|| version.clone()) == version,
            Some(head) => head.as_ref().is_some_and(|head| head.version.as_ref() == Some(version)),
        }
    }

    fn prefetch(&self, wants: &[Want]) -> Result<()> {
        if self.is_absent() || self.whole.get().is_some() || self.waits.get().is_some() {
            return Ok(());
        }
        let mut missing = None;
        for want in wants {
            let there = match *want {
                Want::Range(offset, len) => self.part(offset, len).is_some(),
                Want::All(_) => false,
                Want::Suffix(_) | Want::Head => self.head.get().is_some(),
            };
            if !there {
                missing = Some(self.need(*want));
            }
        }
        missing.map_or(Ok(()), Err)
    }

    fn suspend(&self) -> Option<Box<dyn Send + Sync>> {
        let me = self.me.upgrade()?;
        me.asked().joined += 1;
        Some(Box::new(Joined(me)))
    }

    fn as_slice(&self) -> Option<&[u8]> {
        self.whole.get().map(Vec::as_slice)
    }

    fn request_cost(&self) -> u64 {
        REQUEST_COST
    }
}

impl Drop for RemoteValue {
    fn drop(&mut self) {
        // keep the memory for the next answers
        let parts = std::mem::take(&mut *self.parts());
        let parts = parts.into_iter().filter_map(|(_, bytes)| Arc::into_inner(bytes));
        parts.chain(self.whole.take()).for_each(|bytes| drop(Buffer::from(bytes)));
        self.pipeline.release(self.held.load(Ordering::Relaxed));
    }
}

/// A fetch or write of another job that this value waits for; dropped when that ends.
struct Joined(Arc<RemoteValue>);

impl Drop for Joined {
    fn drop(&mut self) {
        let mut asked = self.0.asked();
        asked.joined = asked.joined.saturating_sub(1);
        asked.has_news = !asked.parked;
        self.0.wake(asked);
    }
}
