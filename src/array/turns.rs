//! Turns of the started calls of a remote store: how many run at once, and which is next.
//!
//! They go in the order of the chunks that they begin in, so that calls on one chunk share its
//! request or find it in the cache. None waits for ever: the order goes round, and at most [`AHEAD`]
//! calls join a round that has begun.

use crate::exec::available;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// How many calls for each core run at first. More do while these wait for a store that is far away;
/// what arrives faster than it is decoded takes memory and saves no time.
const FIRST: usize = 8;

/// The most calls that join the round that is under way.
const AHEAD: usize = 256;

/// How many started calls of a remote store run at once.
#[derive(Clone, Copy, Debug)]
pub struct AtOnce {
    /// At most so many.
    pub count: usize,
    /// Together they read into or write from at most so many bytes; a single one may exceed it.
    pub bytes: u64,
}

/// The first chunk of a call: the array's path, and the chunk's index.
pub type FirstChunk = (String, SmallVec<[u64; 4]>);

/// The calls that run, and those that wait for their turn.
pub struct Turns<T> {
    waiting: BTreeMap<Place, Waiting<T>>,
    /// The number of those that run, and the bytes of their memory.
    running: (usize, u64),
    /// How many more than at first may run.
    more: usize,
    /// The place of the last one that began.
    last: Place,
    /// How many have joined its round.
    joined: usize,
    /// How many have come.
    came: u64,
}

#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    round: u64,
    chunk: FirstChunk,
    number: u64,
}

struct Waiting<T> {
    call: T,
    bytes: u64,
}

impl<T> Default for Turns<T> {
    fn default() -> Self {
        let (waiting, last) = Default::default();
        Turns { waiting, running: (0, 0), more: 0, last, joined: 0, came: 0 }
    }
}

impl<T> Turns<T> {
    /// Adds a call of so many bytes.
    pub fn wait(&mut self, chunk: FirstChunk, bytes: u64, call: T) {
        self.came += 1;
        let mut place = Place { round: self.last.round, chunk, number: self.came };
        if self.joined < AHEAD && place > self.last {
            self.joined += 1;
        } else {
            place.round += 1;
        }
        self.waiting.insert(place, Waiting { call, bytes });
    }

    fn window(&self, at_once: AtOnce) -> usize {
        at_once.count.min(FIRST * available() + self.more)
    }

    /// The next call, unless enough run.
    pub fn next(&mut self, at_once: AtOnce) -> Option<T> {
        let next = self.waiting.first_entry()?;
        let (count, bytes) = self.running;
        let more = next.get().bytes;
        let fits = bytes.saturating_add(more) <= at_once.bytes;
        if count > 0 && !(fits && count < self.window(at_once)) {
            return None;
        }
        let (place, next) = self.waiting.pop_first()?;
        if place.round > self.last.round {
            self.joined = 0;
        }
        self.last = place;
        self.running = (count + 1, bytes.saturating_add(more));
        Some(next.call)
    }

    /// Counts a call of so many bytes as ended.
    pub fn end(&mut self, bytes: u64) {
        let (count, all) = self.running;
        self.running = (count.saturating_sub(1), all.saturating_sub(bytes));
        if self.running.0 == 0 && self.waiting.is_empty() {
            *self = Turns::default();
        }
    }

    /// Lets one more call run at once, if one waits for that; `false`: none does.
    pub fn widen(&mut self, at_once: AtOnce) -> bool {
        let window = self.window(at_once);
        let wanted = self.running.0 + self.waiting.len();
        let widens = window < wanted.min(at_once.count);
        self.more += usize::from(widens);
        widens
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANY: AtOnce = AtOnce { count: usize::MAX, bytes: u64::MAX };

    fn chunk(index: u64) -> FirstChunk {
        ("a".into(), [index].into_iter().collect())
    }

    /// Ends a call and begins the next one.
    fn follow(turns: &mut Turns<u64>) -> Option<u64> {
        turns.end(0);
        turns.next(AtOnce { count: 1, ..MANY })
    }

    #[test]
    fn they_go_in_the_order_of_their_chunks_round_after_round() {
        let mut turns = Turns::default();
        turns.wait(chunk(5), 0, 5);
        assert_eq!(turns.next(MANY), Some(5));
        for n in [7, 3, 9, 5, 7, 6, 5] {
            turns.wait(chunk(n), 0, n);
        }
        let first: Vec<_> = (0..3).filter_map(|_| follow(&mut turns)).collect();
        assert_eq!(first, [5, 5, 6]);
        turns.wait(chunk(8), 0, 8); // joins
        turns.wait(chunk(4), 0, 4); // has been passed
        let rest: Vec<_> = std::iter::from_fn(|| follow(&mut turns)).collect();
        assert_eq!(rest, [7, 7, 8, 9, 3, 4]);
    }

    #[test]
    fn none_waits_for_ever() {
        let mut turns = Turns::default();
        turns.wait(chunk(5), 0, 5);
        assert_eq!(turns.next(MANY), Some(5));
        turns.wait(chunk(0), 0, 0);
        let mut chunks = 6..;
        let before = std::iter::from_fn(|| {
            let next = chunks.next()?;
            turns.wait(chunk(next), 0, next);
            follow(&mut turns)
        });
        assert!(before.take_while(|&n| n > 0).count() < AHEAD);
    }

    #[test]
    fn few_run_at_first_and_more_while_they_wait() {
        let (mut turns, first) = (Turns::default(), FIRST * available());
        let most = AtOnce { count: first + 2, bytes: u64::MAX };
        let begun = |turns: &mut Turns<u64>| std::iter::from_fn(|| turns.next(most)).count();
        turns.wait(chunk(0), 1, 0);
        assert!(!turns.widen(most), "it has its turn");
        for n in 1..first as u64 + 10 {
            turns.wait(chunk(n), 1, n);
        }
        assert_eq!(begun(&mut turns), first);
        assert!(turns.widen(most) && turns.widen(most) && !turns.widen(most));
        assert_eq!(begun(&mut turns), 2);
        turns.end(1);
        assert_eq!(begun(&mut turns), 1);
        for _ in 0..first + 10 {
            turns.end(1);
            begun(&mut turns);
        }
        // the store was at rest
        for n in 0..first as u64 + 10 {
            turns.wait(chunk(n), 1, n);
        }
        assert_eq!(begun(&mut turns), first);
    }

    #[test]
    fn their_memory_is_bounded_but_one_may_have_more() {
        let mut turns = Turns::default();
        let few = AtOnce { bytes: 10, ..MANY };
        for (n, bytes) in [(0, 20), (1, 6), (2, 4), (3, 1)] {
            turns.wait(chunk(n), bytes, n);
        }
        assert_eq!((turns.next(few), turns.next(few)), (Some(0), None));
        turns.end(20);
        assert_eq!((turns.next(few), turns.next(few), turns.next(few)), (Some(1), Some(2), None));
        turns.end(4);
        assert_eq!(turns.next(few), Some(3));
    }
}
