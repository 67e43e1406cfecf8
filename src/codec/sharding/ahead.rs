//! A shard that is far away: inner chunks that lie close together are fetched by one request.

use crate::error::Result;
use crate::exec;
use crate::source::{ByteSource, Version, reserve};
use std::sync::OnceLock;

/// The most bytes that are fetched ahead of one shard.
const MOST: u64 = 128 << 20;

/// A shard of which some spans have been fetched.
pub struct Ahead<'a> {
    shard: &'a dyn ByteSource,
    /// Sorted, and none of them touches another.
    spans: Vec<Span>,
}

struct Span {
    offset: u64,
    len: u64,
    bytes: OnceLock<Vec<u8>>,
}

impl From<Joined> for Span {
    fn from(range: Joined) -> Self {
        Span { offset: range.offset, len: range.len, bytes: OnceLock::new() }
    }
}

/// A range, and how many were joined to make it.
struct Joined {
    offset: u64,
    len: u64,
    count: usize,
}

/// Ranges (offset and length) in rising order, those with gaps of at most `gap` bytes between them
/// joined to ranges of at most `largest` bytes.
fn join(mut ranges: Vec<(u64, u64)>, gap: u64, largest: u64) -> Vec<Joined> {
    ranges.sort_unstable();
    let mut joined: Vec<Joined> = Vec::new();
    for (offset, len) in ranges {
        let end = offset.saturating_add(len);
        if let Some(last) = joined.last_mut()
            && offset <= (last.offset + last.len).saturating_add(gap)
            && end.saturating_sub(last.offset) <= largest
        {
            last.len = last.len.max(end - last.offset);
            last.count += 1;
        } else {
            joined.push(Joined { offset, len, count: 1 });
        }
    }
    joined
}

/// Tells the source that ranges of it will be read soon, in as few words as possible.
pub fn prefetch(shard: &dyn ByteSource, ranges: Vec<(u64, u64)>) {
    for range in join(ranges, shard.request_cost(), u64::MAX) {
        shard.prefetch(range.offset, range.len);
    }
}

impl<'a> Ahead<'a> {
    /// Fetches what is worth it of the `ranges` (offset and length), on up to `threads` threads.
    pub fn fetch(
        shard: &'a dyn ByteSource,
        mut ranges: Vec<(u64, u64)>,
        threads: usize,
    ) -> Result<Self> {
        let cost = shard.request_cost();
        // of a range that takes longer than a request perhaps only a part is wanted
        ranges.retain(|(_, len)| *len <= cost);
        let all = ranges.iter().fold(0u64, |sum, (_, len)| sum.saturating_add(*len));
        if all > MOST {
            ranges.clear();
        }
        // as many requests as may be under way at once, unless they become small
        let largest = (all / threads.max(1) as u64).max(cost.saturating_mul(2));
        let joined = join(ranges, cost, largest).into_iter();
        // single ranges are left to whoever reads them
        let spans = joined.filter(|range| range.count > 1).map(Span::from).collect();
        let ahead = Ahead { shard, spans };
        exec::run(threads, ahead.spans.len(), &|n| {
            let span = &ahead.spans[n];
            let mut bytes = Vec::new();
            reserve(&mut bytes, span.len as usize)?;
            bytes.resize(span.len as usize, 0);
            if shard.read_at(span.offset, &mut bytes)? {
                let _ = span.bytes.set(bytes);
            }
            Ok(())
        })?;
        Ok(ahead)
    }

    /// What was fetched of a range; `None`: not all of it.
    fn find(&self, offset: u64, len: u64) -> Option<&[u8]> {
        let after = self.spans.partition_point(|span| span.offset <= offset);
        let span = &self.spans[after.checked_sub(1)?];
        let from = usize::try_from(offset - span.offset).ok()?;
        let to = from.checked_add(usize::try_from(len).ok()?)?;
        span.bytes.get()?.get(from..to)
    }
}

impl ByteSource for Ahead<'_> {
    fn len(&self) -> Result<Option<u64>> {
        self.shard.len()
    }

    fn read_all(&self, expected: u64, out: &mut Vec<u8>) -> Result<bool> {
        self.shard.read_all(expected, out)
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        match self.find(offset, out.len() as u64) {
            Some(bytes) => {
                out.copy_from_slice(bytes);
                Ok(true)
            }
            None => self.shard.read_at(offset, out),
        }
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        self.shard.read_exactly(out)
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        self.shard.read_suffix(count, out)
    }

    fn version(&self) -> Result<Option<Version>> {
        self.shard.version()
    }

    fn pin(&self, version: &Version) -> bool {
        self.shard.pin(version)
    }

    fn request_cost(&self) -> u64 {
        self.shard.request_cost()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Bytes, far away, with a note of each request.
    struct Distant(Vec<u8>, Mutex<Vec<(u64, usize)>>);

    impl ByteSource for Distant {
        fn len(&self) -> Result<Option<u64>> {
            Ok(Some(self.0.len() as u64))
        }
        fn read_all(&self, _: u64, out: &mut Vec<u8>) -> Result<bool> {
            (&*self.0).read_all(0, out)
        }
        fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
            self.1.lock().unwrap().push((offset, out.len()));
            (&*self.0).read_at(offset, out)
        }
        fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
            (&*self.0).read_exactly(out)
        }
        fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
            (&*self.0).read_suffix(count, out)
        }
        fn version(&self) -> Result<Option<Version>> {
            Ok(None)
        }
        fn request_cost(&self) -> u64 {
            100
        }
    }

    #[test]
    fn what_lies_close_is_fetched_together() {
        let bytes: Vec<u8> = (0..2000u32).map(|i| (i % 251) as u8).collect();
        let far = Distant(bytes.clone(), Mutex::default());
        // in no order; two that touch, one behind a small gap, one far off, a large one, a pair
        let ranges =
            vec![(50, 20), (0, 50), (120, 10), (900, 10), (300, 150), (1500, 30), (1540, 5)];
        let ahead = Ahead::fetch(&far, ranges.clone(), 1).unwrap();
        let mut requests = std::mem::take(&mut *far.1.lock().unwrap());
        requests.sort_unstable();
        assert_eq!(requests, [(0, 130), (1500, 45)]);
        for (offset, len) in ranges {
            let mut part = vec![0; len as usize];
            assert!(ahead.read_at(offset, &mut part).unwrap());
            assert_eq!(part, bytes[offset as usize..(offset + len) as usize]);
        }
        let left = std::mem::take(&mut *far.1.lock().unwrap());
        assert_eq!(left, [(900, 10), (300, 150)]);
        // what was fetched in part is asked for again
        let mut part = [0; 10];
        assert!(ahead.read_at(125, &mut part).unwrap());
        assert_eq!(part, bytes[125..135]);
        assert!(ahead.read_at(1995, &mut part).is_err());
    }

    #[test]
    fn many_are_fetched_by_as_many_requests_as_there_are_threads() {
        let far = Distant(vec![7; 10_000], Mutex::default());
        let ranges = (0..1000).map(|n| (n * 10, 10)).collect();
        Ahead::fetch(&far, ranges, 4).unwrap();
        let requests = far.1.lock().unwrap();
        assert_eq!(requests.len(), 4, "{requests:?}");
        assert_eq!(requests.iter().map(|(_, len)| len).sum::<usize>(), 10_000);
    }
}
