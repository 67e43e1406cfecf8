//! A mask of all elements of an array: a bit for each, and for each word of them a count of those
//! before.

use super::along::Cut;
use super::cutting::slice;
use super::orthogonal::leaves;
use super::region::{Region, Span};
use super::{ChunkSlice, try_push, try_with_capacity};
use crate::error::{Error, Result};
use smallvec::SmallVec;

/// A bit for each of eight bytes that is not 0, the first lowest.
fn bits_of(eight: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // the highest bit of each byte that is not 0, then all of them side by side
    let set = (((eight & LOW) + LOW) | eight) & !LOW;
    (set >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The same for 64 bytes.
fn word_of(bytes: &[u8; 64]) -> u64 {
    let eights = bytes.as_chunks::<8>().0.iter().enumerate();
    eights.fold(0, |word, (k, eight)| word | bits_of(u64::from_le_bytes(*eight)) << (8 * k))
}

/// Which elements of a box are picked; in C order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    shape: Vec<u64>,
    words: Vec<u64>,
    /// Bits before each word.
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
        let (whole, rest) = mask.as_chunks::<64>();
        let mut last = [0; 64];
        last[..rest.len()].copy_from_slice(rest);
        let mut words: Vec<u64> = try_with_capacity(whole.len() + 1)?;
        words.extend(whole.iter().chain([&last]).map(word_of));
        let mut before = try_with_capacity(words.len())?;
        let mut count = 0;
        for word in &words {
            before.push(count);
            count += u64::from(word.count_ones());
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
            let Some(first) = self.next(row, row + last) else { return true };
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
            true
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
        let (word, low) = ((n / 64) as usize, (1 << (n % 64)) - 1);
        // most rows of a chunk begin with a word
        let within = if low == 0 { 0 } else { (self.words[word] & low).count_ones() };
        self.before[word] + u64::from(within)
    }

    /// Calls `each` for the bits that are set from `from` on and before `to`: the number of the
    /// first of those that stand side by side in a word, and how many they are.
    #[inline]
    fn runs(&self, from: u64, to: u64, mut each: impl FnMut(u64, u64)) {
        let (first, last) = (from / 64, (to - 1) / 64);
        for word in first..=last {
            let mut bits = self.words[word as usize];
            if word == first {
                bits &= u64::MAX << (from % 64);
            }
            if word == last {
                bits &= u64::MAX >> (63 - (to - 1) % 64);
            }
            while bits != 0 {
                let at = bits.trailing_zeros();
                let length = (bits >> at).trailing_ones();
                each(word * 64 + u64::from(at), u64::from(length));
                // those are done; a run may end with the word
                bits &= u64::MAX.checked_shl(at + length).unwrap_or(0);
            }
        }
    }

    /// The first bit from `from` on, and before `to`, that is set.
    fn next(&self, from: u64, to: u64) -> Option<u64> {
        let mut word = (from / 64) as usize;
        let mut bits = self.words[word] & (u64::MAX << (from % 64));
        while bits == 0 {
            word += 1;
            if word as u64 * 64 >= to {
                return None;
            }
            bits = self.words[word];
        }
        let found = word as u64 * 64 + u64::from(bits.trailing_zeros());
        (found < to).then_some(found)
    }

    /// The numbers, in C order, of the picked elements from the `first` of them on.
    pub(super) fn numbers(&self, first: u64) -> impl Iterator<Item = u64> {
        let word = self.before.partition_point(|&before| before <= first).saturating_sub(1) as u64;
        let skipped = first - self.before[word as usize];
        let end = self.words.len() as u64 * 64;
        let mut from = word * 64;
        let next = move || {
            let found = if from < end { self.next(from, end)? } else { return None };
            from = found + 1;
            Some(found)
        };
        std::iter::from_fn(next).skip(skipped as usize)
    }

    /// Calls `each` for the rows of a box, as long as it returns `true`: the index in all but the
    /// last dimension, and the number of the row's element 0.
    fn rows(&self, within: &Region, mut each: impl FnMut(&[u64], u64) -> bool) {
        let outer = within.spans().len().saturating_sub(1);
        let spans = &within.spans()[..outer];
        if within.is_empty() {
            return;
        }
        let mut at: SmallVec<[u64; 4]> = spans.iter().map(|s| s.start).collect();
        loop {
            let row = at.iter().zip(&self.shape).fold(0, |n, (i, extent)| n * extent + i);
            if !each(&at, row * self.shape.last().copied().unwrap_or(1)) {
                return;
            }
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
        let mut found = MaskSlices { mask: self, along: Vec::with_capacity(rank), touched: vec![] };
        for (d, &extent) in self.shape.iter().enumerate() {
            let (mut chunks, mut from) = (Vec::new(), 0);
            while from < extent {
                let at = grid.at(d, from).ok_or_else(leaves)?;
                let to = at.start.saturating_add(at.extent).min(extent);
                let span = Span { start: at.start, count: to - at.start, step: 1 };
                try_push(&mut chunks, (span, at.extent))?;
                from = to;
            }
            found.along.push(chunks);
        }
        let all: usize = found.along.iter().map(Vec::len).product();
        for number in 0..all {
            let (_, chunk, _) = found.chunk(number);
            if self.any(&chunk) {
                try_push(&mut found.touched, number)?;
            }
        }
        Ok(found)
    }

    /// Whether any element of a box is picked.
    fn any(&self, within: &Region) -> bool {
        let (mut any, last) = (false, last_of(within));
        self.rows(within, |_, row| {
            any = any || self.next(row + last.start, row + last.start + last.count).is_some();
            !any
        });
        any
    }
}

/// What a box has of the last dimension; the one element that there is without dimensions.
fn last_of(region: &Region) -> Span {
    region.spans().last().copied().unwrap_or(Span { start: 0, count: 1, step: 1 })
}

/// The chunks that a mask touches.
#[derive(Debug)]
pub(super) struct MaskSlices<'a> {
    mask: &'a Mask,
    /// The chunks of the whole box along each dimension: how far they lie in it, and their extents.
    along: Vec<Vec<(Span, u64)>>,
    /// Those that hold picked elements, by their number in C order.
    touched: Vec<usize>,
}

impl MaskSlices<'_> {
    /// How many.
    pub fn count(&self) -> usize {
        self.touched.len()
    }

    /// The index of a chunk, what of it lies in the mask, and its shape.
    fn chunk(&self, number: usize) -> (SmallVec<[u64; 4]>, Region, SmallVec<[u64; 4]>) {
        let mut rest = number;
        let mut index: SmallVec<[u64; 4]> = SmallVec::from_elem(0, self.along.len());
        for (i, along) in index.iter_mut().zip(&self.along).rev() {
            *i = (rest % along.len()) as u64;
            rest /= along.len();
        }
        let chunks = || index.iter().zip(&self.along).map(|(&i, along)| along[i as usize]);
        let region = Region::from_spans(chunks().map(|(span, _)| span));
        let shape = chunks().map(|(_, extent)| extent).collect();
        (index, region, shape)
    }

    /// The index of the `n`th of them.
    pub fn index(&self, n: usize) -> SmallVec<[u64; 4]> {
        self.chunk(self.touched[n]).0
    }

    /// The `n`th of them.
    pub fn get(&self, n: usize) -> Result<ChunkSlice> {
        let (index, chunk, shape) = self.chunk(self.touched[n]);
        let (last, width) = (last_of(&chunk), shape.last().copied().unwrap_or(1));
        let (mut elements, mut places, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
        let mut result = Ok(());
        self.mask.rows(&chunk, |at, row| {
            let inside = at.iter().zip(chunk.spans()).zip(&shape);
            let first = inside.fold(0, |n, ((i, s), extent)| n * extent + (i - s.start)) * width;
            let (from, to) = (row + last.start, row + last.start + last.count);
            let mut place = None;
            self.mask.runs(from, to, |bit, length| {
                let before = place.unwrap_or_else(|| self.mask.rank(from));
                let element = first + (bit - from);
                place = Some(before + length);
                // one that goes on from the word before
                if bit % 64 == 0
                    && let (Some(start), Some(more)) = (elements.last(), lengths.last_mut())
                    && start + *more == element
                    && bit != from
                {
                    *more += length;
                    return;
                }
                if result.is_ok() {
                    result = try_push(&mut elements, element)
                        .and_then(|()| try_push(&mut places, before))
                        .and_then(|()| try_push(&mut lengths, length));
                }
            });
            result.is_ok()
        });
        result?;
        if lengths.iter().all(|&length| length == 1) {
            lengths.clear();
        }
        slice(index, shape, self.mask.len(), &elements, &places, &lengths)
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
                let eight = u64::from_le_bytes(bytes.try_into().expect("eight"));
                assert_eq!(bits_of(eight), bits);
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
        assert_eq!(mask.len(), before);
        assert_eq!(mask.tight_bounds(), mask.bounds());
        assert!(Mask::new(&[3, 1000], &bytes[1..]).is_err());
    }
}
