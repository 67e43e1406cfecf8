//! Which pieces an array is brought over in, so that each chunk of the source is read as seldom as
//! memory allows.
//!
//! The target is cut into blocks of whole chunks, each written once. A source chunk is read once
//! for every block that it touches: with `b` the extent of a block along a dimension and `s` that
//! of a source chunk, all blocks together touch `shape/s + shape/b - 1` source chunks less the
//! edges that both share. Blocks grow along the dimension that saves most, until memory is full.
//!
//! ```text
//!  source chunks      blocks of 2 x 1 target chunks
//!  ┌──┬──┬──┬──┐      ┌────┬────┬────┐
//!  │  │  │  │  │      ├────┼────┼────┤
//!  │  │  │  │  │      ╞════╪════╪════╡   the upper row of blocks reads the whole source,
//!  │  │  │  │  │      ├────┼────┼────┤   and so does the lower one
//!  └──┴──┴──┴──┘      └────┴────┴────┘
//! ```
//!
//! Where that still reads too much (tall chunks into wide ones), a scratch array stands between,
//! whose chunks are small enough to be put together along either: everything is then read and
//! written twice, which is the least that is possible.

/// The cost of a chunk besides its bytes, in bytes that could be read in that time.
const PER_CHUNK: f64 = 64.0 * 1024.0;

/// A source and a target of one shape.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The shape of both.
    pub shape: &'a [u64],
    /// The unit that is read and decoded.
    pub source_chunk: &'a [u64],
    /// The unit that is written.
    pub target_chunk: &'a [u64],
    /// Bytes of an element.
    pub item: u64,
}

fn bytes(extents: &[u64], item: u64) -> u64 {
    extents.iter().fold(item, |n, &extent| n.saturating_mul(extent))
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// How many chunks of extent `chunk` blocks of extent `block` touch along a dimension, all
/// together.
fn touched(shape: u64, chunk: u64, block: u64) -> f64 {
    if shape == 0 {
        return 0.0;
    }
    let shared = (chunk / gcd(chunk, block)).saturating_mul(block);
    (shape.div_ceil(chunk) + shape.div_ceil(block) - 1 - (shape - 1) / shared) as f64
}

impl Step<'_> {
    /// The cost of reading the source in blocks of that shape (bytes).
    fn cost(&self, block: &[u64]) -> f64 {
        let along = self.shape.iter().zip(self.source_chunk).zip(block);
        let chunks: f64 = along.map(|((&n, &c), &b)| touched(n, c, b)).product();
        let chunk = bytes(self.source_chunk, self.item) as f64;
        chunks * (chunk + PER_CHUNK)
    }

    /// The block of target chunks that reads least within `budget` bytes, and its cost. `None`: a
    /// single target chunk is larger.
    pub fn block(&self, budget: u64) -> Option<(Vec<u64>, f64)> {
        let cut = |block: &[u64]| -> Vec<u64> {
            block.iter().zip(self.shape).map(|(&b, &n)| b.min(n.max(1))).collect()
        };
        let mut block = self.target_chunk.to_vec();
        if bytes(&cut(&block), self.item) > budget {
            return None;
        }
        let mut cost = self.cost(&block);
        loop {
            let mut best: Option<(f64, Vec<u64>, f64)> = None;
            for d in 0..block.len() {
                if block[d] >= self.shape[d] {
                    continue;
                }
                for extent in self.next_extents(d, block[d]) {
                    let mut larger = block.clone();
                    larger[d] = extent;
                    let size = bytes(&cut(&larger), self.item);
                    if size > budget {
                        continue;
                    }
                    let new_cost = self.cost(&larger);
                    let grown = size as f64 / bytes(&cut(&block), self.item).max(1) as f64;
                    // savings for each doubling of memory
                    let gain = (cost / new_cost).ln() / grown.max(1.0 + 1e-9).ln();
                    if new_cost < cost && best.as_ref().is_none_or(|(g, ..)| gain > *g) {
                        best = Some((gain, larger, new_cost));
                    }
                }
            }
            match best {
                Some((_, larger, new_cost)) => (block, cost) = (larger, new_cost),
                None => return Some((block, cost)),
            }
        }
    }

    /// Larger multiples of the target chunk along a dimension worth trying.
    fn next_extents(&self, d: usize, extent: u64) -> Vec<u64> {
        let target = self.target_chunk[d];
        let whole = self.shape[d].div_ceil(target).saturating_mul(target);
        let shared =
            (self.source_chunk[d] / gcd(self.source_chunk[d], target)).saturating_mul(target);
        let mut extents = vec![
            extent.saturating_add(target),
            extent.saturating_mul(2),
            (extent / shared.max(1) + 1).saturating_mul(shared),
            whole,
        ];
        extents.retain(|&e| e > extent && e <= whole && e % target == 0);
        extents
    }
}

/// `chunk` made larger along each dimension in turn, the last first, as long as it fits.
fn grown(chunk: &[u64], shape: &[u64], item: u64, budget: u64) -> Vec<u64> {
    let mut grown: Vec<u64> = chunk.iter().zip(shape).map(|(&c, &n)| c.min(n.max(1))).collect();
    for d in (0..grown.len()).rev() {
        let others = bytes(&grown, item) / grown[d].max(1);
        let most = (budget / others.max(1)).min(shape[d]);
        if most > grown[d] {
            grown[d] = if most == shape[d] { most } else { most - most % grown[d] };
        }
    }
    grown
}

/// The chunk shape of the scratch array, of at most `most` bytes, that makes the two ways through
/// it cheaper than the `direct` one; `None`: the direct one is cheapest. `budget`: bytes of a
/// block.
pub fn scratch_chunk(step: Step<'_>, budget: u64, most: u64, direct: f64) -> Option<Vec<u64>> {
    let read = grown(step.source_chunk, step.shape, step.item, budget);
    let written = grown(step.target_chunk, step.shape, step.item, budget);
    let mut chunk: Vec<u64> = read.iter().zip(&written).map(|(&a, &b)| a.min(b)).collect();
    // cut along the first dimensions, what is left stays in one piece along the last ones
    while bytes(&chunk, step.item) > most {
        let d = chunk.iter().position(|&extent| extent > 1)?;
        chunk[d] = chunk[d].div_ceil(2);
    }
    let (_, into) = Step { target_chunk: &chunk, ..step }.block(budget)?;
    let (_, out_of) = Step { source_chunk: &chunk, ..step }.block(budget)?;
    let chunks: f64 = step.shape.iter().zip(&chunk).map(|(&n, &c)| n.div_ceil(c) as f64).product();
    let written = bytes(step.shape, step.item) as f64 + chunks * PER_CHUNK;
    (into + written + out_of < direct).then_some(chunk)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_touched_are_counted() {
        for shape in 1..40u64 {
            for chunk in 1..12 {
                for block in 1..12 {
                    let mut pairs = 0;
                    let mut start = 0;
                    while start < shape {
                        let end = (start + block).min(shape);
                        pairs += end.div_ceil(chunk) - start / chunk;
                        start = end;
                    }
                    assert_eq!(
                        touched(shape, chunk, block),
                        pairs as f64,
                        "{shape} {chunk} {block}"
                    );
                }
            }
        }
    }

    #[test]
    fn blocks_fit_and_read_the_least() {
        let step = Step {
            shape: &[1000, 100, 100],
            source_chunk: &[1, 100, 100],
            target_chunk: &[1000, 10, 10],
            item: 8,
        };
        // everything at once
        assert_eq!(step.block(1 << 30).expect("fits").0, [1000, 100, 100]);
        let (block, _) = step.block(9 << 20).expect("fits");
        assert!(bytes(&block, 8) <= 9 << 20 && bytes(&block, 8) > 5 << 20, "{block:?}");
        assert_eq!(step.block(1 << 10), None);
        // 80 MB through 1 MB: the whole source a hundred times, or once more to disk and back
        let by_scratch = |budget| {
            let (_, direct) = step.block(budget).expect("fits");
            scratch_chunk(step, budget, budget / 16, direct)
        };
        let scratch = by_scratch(1 << 20).expect("worth it");
        assert!(bytes(&scratch, 8) <= 1 << 16, "{scratch:?}");
        assert_eq!(by_scratch(1 << 30), None);
    }
}
