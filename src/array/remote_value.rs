//! One value of a remote store, as far as it has arrived: what reads more of it ends with
//! [`Error::pending`], and what it needs is asked for when its job is [parked](RemoteValue::park).

use super::pipeline::{Pipeline, Request};
use crate::cache::Read;
use crate::error::{Error, Kind, Result};
use crate::exec::Buffer;
use crate::lock::Acquire;
use crate::source::{ByteSource, Fetched, Version, Want, reserve, wrong_length};
use crate::store::{Key, Part, Precondition, Put};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};
use std::time::Instant;

/// A round trip takes about as long as this many bytes do on one connection.
const REQUEST_COST: u64 = 1 << 20;

/// What is known of a value.
struct Head {
    version: Option<Version>,
    len: OnceLock<u64>,
}

/// The value of one chunk during one attempt at it.
pub(super) struct RemoteValue {
    me: Weak<RemoteValue>,
    pipeline: Arc<Pipeline>,
    /// Which job of the call works on it.
    pub job: usize,
    pub key: Key,
    /// How often it was begun, because others wrote it in between.
    pub attempt: usize,
    /// What it shares with other calls.
    pub read: Read,
    /// The version that it must be of.
    pinned: OnceLock<Version>,
    /// What the first answer said; `None` within: absent.
    head: OnceLock<Option<Head>>,
    whole: OnceLock<Vec<u8>>,
    /// Parts of it, each with its offset.
    parts: Mutex<Vec<(u64, Arc<Vec<u8>>)>>,
    held: AtomicU64,
    locked: Mutex<Option<Locked>>,
    /// Whether the chunk is written part by part.
    pub repeats: OnceLock<bool>,
    /// Whether ranges of it are read while the job waits.
    waits: OnceLock<()>,
    asked: Mutex<Asked>,
}

/// The values of an array that are being changed, and who waits for each.
#[derive(Clone, Default)]
pub(super) struct Busy(Arc<Mutex<HashMap<Key, Vec<Box<dyn Send + Sync>>>>>);

impl Busy {
    fn values(&self) -> MutexGuard<'_, HashMap<Key, Vec<Box<dyn Send + Sync>>>> {
        self.0.acquire()
    }
}

struct Locked {
    busy: Busy,
    key: Key,
}

impl Drop for Locked {
    fn drop(&mut self) {
        let waiting = self.busy.values().remove(&self.key);
        drop(waiting); // which wakes them
    }
}

#[derive(Default)]
struct Asked {
    /// To be asked for.
    wants: Vec<Want>,
    put: Option<Put>,
    /// Requests that have not been answered.
    requests: usize,
    /// Whether something that others fetch for it has come since the job ran.
    has_news: bool,
    /// How many others fetch something for it.
    joined: usize,
    parked: bool,
    /// What could not be read, and why.
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

    /// The version that the next answers must be of, if they must.
    pub fn wanted_version(&self) -> Option<Version> {
        match self.head.get() {
            Some(head) => head.as_ref().and_then(|head| head.version.clone()),
            None => self.pinned.get().cloned(),
        }
    }

    /// Has something asked for, or says why it cannot be read.
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

    /// Sets the value, or erases it, which goes on by itself: the job ends when it is done.
    pub fn store(&self, parts: Option<Vec<Part>>, when: Precondition) {
        let bytes = parts.iter().flatten().map(|part| (**part).as_ref().len() as u64).sum();
        self.held.fetch_add(bytes, Ordering::Relaxed);
        self.pipeline.hold(bytes, false);
        let put = Put { key: self.key.clone(), parts, when, done: Box::new(drop) };
        self.asked().put = Some(put);
    }

    /// Keeps others of this array from changing the value until the job has ended; whoever comes
    /// second fails with [`Error::pending`] until then.
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

    /// Lets go of what it shares with others.
    pub fn end(&self) {
        self.read.end();
        let guard = self.locked.acquire().take();
        drop(guard);
    }

    /// Whether it is being set.
    pub fn is_storing(&self) -> bool {
        let asked = self.asked();
        asked.put.is_some() || asked.requests > 0
    }

    /// What came of setting it; `None`: it was not set, or is not yet.
    pub fn stored(&self) -> Option<Result<()>> {
        self.asked().stored.take()
    }

    /// The requests that the job made since it was parked last. Those for what lies close together
    /// are one.
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
                    // more than may wait: its ranges are read as they are decoded
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

    /// `false`: the job can go on at once.
    pub fn park(&self) -> bool {
        let mut asked = self.asked();
        asked.parked = match asked.requests {
            0 => asked.joined > 0 && !asked.has_news,
            _ => true,
        };
        asked.has_news = false;
        asked.parked
    }

    /// A request has been answered.
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

    /// Whatever is asked of it fails so.
    pub fn fail(&self, e: Error) {
        let mut asked = self.asked();
        asked.stored = Some(Err(e.clone()));
        asked.failures.push((Want::Head, e));
    }

    /// Keeps what came of setting it.
    pub fn take_stored(&self, answer: Result<()>) {
        self.asked().stored = Some(answer);
    }

    /// Keeps what has arrived.
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

    /// The part that has arrived and holds a range.
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

/// Whether what fails to be read as `failed` cannot be read as `want` either.
fn covers(failed: Want, want: Want) -> bool {
    match (failed, want) {
        (Want::Range(offset, len), Want::Range(o, l)) => {
            offset <= o && o.saturating_add(l) <= offset.saturating_add(len)
        }
        (Want::All(_), Want::All(_)) => true,
        _ => failed == want,
    }
}

/// Wants of which ranges with gaps between them that cost less than a request are one, unless that
/// leaves fewer requests than may be under way.
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
        // nothing can be asked for that is empty or that the value is known to lack
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
                let store = &self.pipeline.store;
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
        // memory goes to where the next answer's comes from
        let parts = std::mem::take(&mut *self.parts());
        let parts = parts.into_iter().filter_map(|(_, bytes)| Arc::into_inner(bytes));
        parts.chain(self.whole.take()).for_each(|bytes| drop(Buffer::from(bytes)));
        self.pipeline.release(self.held.load(Ordering::Relaxed));
    }
}

/// Something that others fetch, as long as they have not.
struct Joined(Arc<RemoteValue>);

impl Drop for Joined {
    fn drop(&mut self) {
        let mut asked = self.0.asked();
        asked.joined = asked.joined.saturating_sub(1);
        asked.has_news = !asked.parked;
        self.0.wake(asked);
    }
}
