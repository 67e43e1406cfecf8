//! A mask of all elements of an array: a bit for each, and counts of those before.

use super::along::Cut;
use super::orthogonal::leaves;
use super::points::Collector;
use super::region::{Region, Span};
use super::{ChunkSlice, try_with_capacity};
use crate::error::{Error, Kind, Result};
use smallvec::SmallVec;

/// Words of bits between two counts.
const BLOCK: usize = 8;

/// A bit for each of up to eight bytes that is not 0, the first lowest.
fn bits_of(bytes: &[u8]) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let mut eight = [0; 8];
    eight[..bytes.len()].copy_from_slice(bytes);
    let word = u64::from_le_bytes(eight);
    // the highest bit of each byte that is not 0, then all of them side by side
    let set = (((word & LOW) + LOW) | word) & !LOW;
    (set >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Which elements of a box are picked; in C order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    shape: Vec<u64>,
    words: Vec<u64>,
    /// Bits before each block of words.
    before: Vec<u64>,
    count: u64,
}

impl Mask {
    /// From a byte per element of a box of `shape`; not 0: picked. [`Kind::InvalidArgument`]: there
    /// are not as many bytes as elements.
    pub(super) fn new(shape: &[u64], mask: &[u8]) -> Result<Self> {
        let elements = match shape.contains(&0) {
            true => Some(0),
            false => shape.iter().try_fold(1u64, |n, &extent| n.checked_mul(extent)),
        };
        if elements != Some(mask.len() as u64) {
            let what = format!("a mask of {} bytes for an array of shape {shape:?}", mask.len());
            return Err(Error::invalid(what));
        }
        let mut words: Vec<u64> = try_with_capacity(mask.len().div_ceil(64))?;
        words.extend(mask.chunks(64).map(|bytes| {
            let eights = bytes.chunks(8).enumerate();
            eights.fold(0u64, |word, (k, eight)| word | (bits_of(eight) << (8 * k)))
        }));
        let mut before = try_with_capacity(words.len().div_ceil(BLOCK))?;
        let mut count = 0;
        for block in words.chunks(BLOCK) {
            before.push(count);
            count += block.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        }
        Ok(Mask { shape: shape.to_vec(), words, before, count })
    }

    /// How many elements are picked.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// A box that holds them all; not the smallest.
    pub fn bounds(&self) -> Region {
        Region::whole(&self.shape)
    }

    /// The smallest box that holds them all.
    pub fn tight_bounds(&self) -> Region {
        let rank = self.shape.len();
        let mut ends: SmallVec<[(u64, u64); 4]> = SmallVec::from_elem((u64::MAX, 0), rank);
        self.rows(&self.bounds(), |at, row| {
            let last = self.shape.last().copied().unwrap_or(1);
            let Some(first) = self.next(row, row + last, true) else { return };
            for (d, &i) in at.iter().enumerate() {
                ends[d] = (ends[d].0.min(i), ends[d].1.max(i));
            }
            let mut to = row + last;
            while to > first && !self.bit(to - 1) {
                to -= 1;
            }
            if let Some(end) = ends.last_mut() {
                *end = (end.0.min(first - row), end.1.max(to - 1 - row));
            }
        });
        Region::from_spans(ends.iter().map(|&(low, high)| match low <= high {
            true => Span { start: low, count: high - low + 1, step: 1 },
            false => Span { start: 0, count: 0, step: 1 },
        }))
    }

    fn bit(&self, n: u64) -> bool {
        self.words[(n / 64) as usize] >> (n % 64) & 1 == 1
    }

    /// How many bits are set before `n`.
    fn rank(&self, n: u64) -> u64 {
        let word = (n / 64) as usize;
        let block = word / BLOCK;
        let Some(before) = self.before.get(block) else { return self.count };
        let whole = &self.words[block * BLOCK..word];
        let rest = self.words.get(word).map_or(0, |w| w & ((1 << (n % 64)) - 1));
        before + whole.iter().chain([&rest]).map(|w| u64::from(w.count_ones())).sum::<u64>()
    }

    /// The first bit from `from` on, and before `to`, that is `set` or not.
    fn next(&self, from: u64, to: u64, set: bool) -> Option<u64> {
        if from >= to {
            return None;
        }
        let turned = |word: u64| if set { word } else { !word };
        let mut word = (from / 64) as usize;
        let mut bits = turned(self.words[word]) & (u64::MAX << (from % 64));
        while bits == 0 {
            word += 1;
            if word as u64 * 64 >= to {
                return None;
            }
            bits = turned(self.words[word]);
        }
        let found = word as u64 * 64 + u64::from(bits.trailing_zeros());
        (found < to).then_some(found)
    }

    /// Calls `each` for the rows of a box: the index in all but the last dimension, and the number
    /// of the row's element 0.
    fn rows(&self, within: &Region, mut each: impl FnMut(&[u64], u64)) {
        let outer = within.spans().len().saturating_sub(1);
        let spans = &within.spans()[..outer];
        if within.is_empty() {
            return;
        }
        let mut at: SmallVec<[u64; 4]> = spans.iter().map(|s| s.start).collect();
        loop {
            let row = at.iter().zip(&self.shape).fold(0, |n, (i, extent)| n * extent + i);
            each(&at, row * self.shape.last().copied().unwrap_or(1));
            let more = |d: &usize| at[*d] + 1 < spans[*d].start + spans[*d].count;
            let Some(d) = (0..outer).rev().find(more) else { return };
            at[d] += 1;
            (d + 1..outer).for_each(|k| at[k] = spans[k].start);
        }
    }

    /// The chunks of a grid that hold picked elements.
    pub(super) fn chunk_slices(&self, grid: &(impl Cut + ?Sized)) -> Result<MaskSlices<'_>> {
        let rank = self.shape.len();
        // all chunks: there are no more of them than elements
        let mut along: Vec<Vec<Span>> = Vec::with_capacity(rank);
        for (d, &extent) in self.shape.iter().enumerate() {
            let (mut chunks, mut from) = (Vec::new(), 0);
            while from < extent {
                let at = grid.at(d, from).ok_or_else(leaves)?;
                let to = at.start.saturating_add(at.extent).min(extent);
                chunks.push(Span { start: at.start, count: to - at.start, step: 1 });
                from = to;
            }
            along.push(chunks);
        }
        let all: usize = along.iter().map(Vec::len).product();
        let mut touched: Vec<bool> = try_with_capacity(all)?;
        touched.resize(all, false);
        let mut found = MaskSlices { mask: self, along, touched: Vec::new() };
        let last = found.along.last().map_or(1, Vec::len);
        self.rows(&self.bounds(), |at, row| {
            let outer = at.iter().enumerate().fold(0, |n, (d, &i)| {
                n * found.along[d].len() + found.along[d].partition_point(|s| s.start <= i) - 1
            });
            let Some(chunks) = found.along.last() else {
                touched[0] = self.bit(0); // rank 0
                return;
            };
            let mut from = row;
            while let Some(bit) = self.next(from, row + self.shape[rank - 1], true) {
                let k = chunks.partition_point(|s| s.start <= bit - row) - 1;
                touched[outer * last + k] = true;
                from = row + chunks[k].start + chunks[k].count;
            }
        });
        found.touched = (0..all).filter(|&n| touched[n]).collect();
        if found.touched.len() as u64 > self.count {
            return Err(Error::new(Kind::Internal, "more chunks than elements"));
        }
        Ok(found)
    }
}

/// The chunks that a mask touches.
#[derive(Debug)]
pub(super) struct MaskSlices<'a> {
    mask: &'a Mask,
    /// The chunks of the whole box along each dimension, as far as they lie in it.
    along: Vec<Vec<Span>>,
    /// Those that hold picked elements, by their number in C order.
    touched: Vec<usize>,
}

impl MaskSlices<'_> {
    /// How many.
    pub fn count(&self) -> usize {
        self.touched.len()
    }

    /// The `n`th of them.
    pub fn get(&self, n: usize) -> ChunkSlice {
        let mut rest = self.touched[n];
        let rank = self.along.len();
        let mut index: SmallVec<[u64; 4]> = SmallVec::from_elem(0, rank);
        for d in (0..rank).rev() {
            index[d] = (rest % self.along[d].len()) as u64;
            rest /= self.along[d].len();
        }
        let spans = (0..rank).map(|d| self.along[d][index[d] as usize]);
        let chunk = Region::from_spans(spans);
        let mut collector = Collector::default();
        let mut from: SmallVec<[u64; 4]> = SmallVec::new();
        self.mask.rows(&chunk, |at, row| {
            let Some(last) = chunk.spans().last() else {
                return collector.add(&[], 0, 1); // rank 0
            };
            let end = row + last.start + last.count;
            let Some(mut start) = self.mask.next(row + last.start, end, true) else { return };
            from.clear();
            from.extend(at.iter().zip(chunk.spans()).map(|(i, s)| i - s.start));
            from.push(0);
            let mut place = self.mask.rank(start);
            loop {
                let stop = self.mask.next(start, end, false).unwrap_or(end);
                if let Some(along) = from.last_mut() {
                    *along = start - row - last.start;
                }
                collector.add(&from, place, stop - start);
                place += stop - start;
                match self.mask.next(stop, end, true) {
                    Some(next) => start = next,
                    None => return,
                }
            }
        });
        collector.finish(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_of_the_bytes() {
        for bits in 0..256u64 {
            for high in [1, 0x80, 0xff] {
                let bytes: Vec<u8> =
                    (0..8).map(|k| if bits >> k & 1 == 1 { high } else { 0 }).collect();
                assert_eq!(bits_of(&bytes), bits);
                assert_eq!(bits_of(&bytes[..3]), bits & 7);
            }
        }
    }

    #[test]
    fn ranks_count_what_is_before() {
        let bytes: Vec<u8> = (0..3000u32).map(|n| u8::from(n % 7 == 3 || n % 640 < 70)).collect();
        let mask = Mask::new(&[3, 1000], &bytes).expect("fits");
        let mut before = 0;
        for (n, &byte) in bytes.iter().enumerate() {
            assert_eq!((mask.rank(n as u64), mask.bit(n as u64)), (before, byte != 0));
            before += u64::from(byte);
        }
        assert_eq!((mask.len(), mask.rank(3000)), (before, before));
        assert_eq!(mask.tight_bounds(), mask.bounds());
        assert!(Mask::new(&[3, 1000], &bytes[1..]).is_err());
    }
}
