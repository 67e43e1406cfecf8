//! An array cut into pieces that follow one another in C order, each small enough for memory.

use crate::error::Result;
use crate::selection::{Region, Span};

/// Calls `each` for the pieces of `shape`, in C order, with the fraction done after each. A piece
/// is a run of consecutive elements of at most `limit` bytes, or a single row of the last dimension
/// if that is larger. Pieces end at chunk boundaries if possible.
pub fn for_each_band(
    shape: &[u64],
    chunk: &[u64],
    item: usize,
    limit: u64,
    each: &mut dyn FnMut(&Region, f64) -> Result<()>,
) -> Result<()> {
    if shape.contains(&0) {
        return Ok(());
    }
    // the bytes of one index of dimension d
    let below = |d: usize| {
        shape[d + 1..].iter().fold(item.max(1) as u64, |n, &extent| n.saturating_mul(extent))
    };
    let rank = shape.len();
    if rank == 0 {
        return each(&Region::whole(&[]), 1.0);
    }
    let cut = (0..rank).find(|&d| below(d) <= limit).unwrap_or(rank - 1);
    let most = (limit / below(cut)).clamp(1, shape[cut]);
    let thick = if most > chunk[cut] { most - most % chunk[cut] } else { most };
    let all = shape[..=cut].iter().map(|&n| n as f64).product::<f64>();
    let mut index = vec![0; cut];
    let mut done = 0.0;
    loop {
        let mut start = 0;
        while start < shape[cut] {
            let count = thick.min(shape[cut] - start);
            let outer = index.iter().map(|&start| Span { start, count: 1, step: 1 });
            let inner = shape[cut + 1..].iter().map(|&count| Span { start: 0, count, step: 1 });
            let spans = outer.chain([Span { start, count, step: 1 }]).chain(inner);
            done += count as f64;
            each(&Region::from_spans(spans), done / all)?;
            start += count;
        }
        let Some(d) = (0..cut).rev().find(|&d| index[d] + 1 < shape[d]) else { return Ok(()) };
        index[d] += 1;
        index[d + 1..].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places of the elements of all pieces, in the order of the pieces.
    fn places(shape: &[u64], chunk: &[u64], limit: u64) -> Vec<u64> {
        let mut places = Vec::new();
        for_each_band(shape, chunk, 2, limit, &mut |region, _| {
            let spans = region.spans();
            let count: u64 = spans.iter().map(|s| s.count).product();
            for n in 0..count {
                let (mut rest, mut place, mut stride) = (n, 0, 1);
                for (span, &extent) in spans.iter().zip(shape).rev() {
                    place += (span.start + rest % span.count) * stride;
                    rest /= span.count;
                    stride *= extent;
                }
                places.push(place);
            }
            assert!(count * 2 <= limit || spans.iter().rev().skip(1).all(|s| s.count == 1));
            Ok(())
        })
        .expect("good");
        places
    }

    #[test]
    fn pieces_are_all_elements_in_c_order() {
        for shape in [&[7u64][..], &[3, 4, 5], &[2, 1, 3, 2], &[1]] {
            let all: Vec<u64> = (0..shape.iter().product()).collect();
            for limit in [1, 2, 7, 20, 41, 80, 1000] {
                for chunk in [1, 2, 3] {
                    assert_eq!(places(shape, &vec![chunk; shape.len()], limit), all, "{limit}");
                }
            }
        }
        assert_eq!(places(&[3, 0], &[1, 1], 8), [0u64; 0]);
        assert_eq!(places(&[], &[], 8), [0]);
    }
}
