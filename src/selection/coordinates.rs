//! Which elements a selection picks, one by one.

use super::orthogonal::Axis;
use super::region::Span;
use super::{Dimension, Selection, What};
use crate::error::{Error, Kind, Result};

impl Dimension {
    fn len(&self) -> u64 {
        match self {
            Dimension::Range { span, .. } => span.count,
            Dimension::Index(_) => 1,
            Dimension::Listed(axis) => axis.len(),
        }
    }

    /// The index in the array of the `k`-th one that is selected.
    fn index(&self, k: u64) -> u64 {
        let on = |span: &Span, k: u64| span.start + k * span.step;
        match self {
            Dimension::Range { span, reversed: true } => on(span, span.count - 1 - k),
            Dimension::Range { span, .. } | Dimension::Listed(Axis::Span(span)) => on(span, k),
            Dimension::Index(index) => *index,
            Dimension::Listed(Axis::List(list)) => list[k as usize],
        }
    }
}

impl Selection {
    /// Writes the indices of the elements from the `first` on, in C order of the result: one number
    /// per dimension of the array for each. [`Kind::OutOfBounds`]: fewer elements are selected.
    pub fn coordinates(&self, first: u64, count: u64, to: &mut [u64]) -> Result<()> {
        let shape = self.shape();
        let total = match shape.contains(&0) {
            true => 0,
            false => shape.iter().fold(1u64, |n, &extent| n.saturating_mul(extent)),
        };
        if first.checked_add(count).is_none_or(|end| end > total) {
            let what = format!("elements {first} to {first} + {count}: the selection has {total}");
            return Err(Error::new(Kind::OutOfBounds, what));
        }
        let rank = self.shape.len();
        if rank == 0 || count == 0 {
            return Ok(());
        }
        let each = to.chunks_exact_mut(rank).take(count as usize);
        match &self.what {
            What::Points(points) => {
                for (n, at) in (first as usize..).zip(each) {
                    at.iter_mut().enumerate().for_each(|(d, index)| *index = points.index(n, d));
                }
            }
            What::Mask(mask) => {
                for (mut number, at) in mask.numbers(first).zip(each) {
                    for (index, extent) in at.iter_mut().zip(&self.shape).rev() {
                        *index = number % extent;
                        number /= extent;
                    }
                }
            }
            What::Dimensions(dimensions) => {
                let mut rest = first;
                let mut places = vec![0; rank];
                for (place, dimension) in places.iter_mut().zip(dimensions).rev() {
                    *place = rest % dimension.len();
                    rest /= dimension.len();
                }
                for at in each {
                    for ((index, dimension), &k) in at.iter_mut().zip(dimensions).zip(&places) {
                        *index = dimension.index(k);
                    }
                    for (place, dimension) in places.iter_mut().zip(dimensions).rev() {
                        *place += 1;
                        if *place < dimension.len() {
                            break;
                        }
                        *place = 0;
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All coordinates, in pieces of every size.
    fn all(selection: &Selection, rank: usize, count: u64) -> Vec<u64> {
        let whole = |piece: u64| {
            let mut found = vec![];
            let mut first = 0;
            while first < count {
                let n = piece.min(count - first);
                let mut to = vec![u64::MAX; n as usize * rank];
                selection.coordinates(first, n, &mut to).expect("inside");
                found.extend(to);
                first += n;
            }
            found
        };
        let found = whole(count.max(1));
        (1..count).for_each(|piece| assert_eq!(whole(piece), found, "{piece}"));
        assert!(selection.coordinates(0, count + 1, &mut vec![0; 1000]).is_err());
        assert!(selection.coordinates(u64::MAX, 1, &mut [0; 8]).is_err());
        found
    }

    #[test]
    fn in_the_order_of_the_result() {
        let mut s = Selection::all(&[4, 10]);
        s.set_indices(0, &[3, 0, 3]).expect("inside");
        s.set_range(1, 9, -4, 3).expect("inside");
        let rows = |r: u64| [r, 9, r, 5, r, 1];
        assert_eq!(all(&s, 2, 9), [rows(3), rows(0), rows(3)].concat());
        s.set_index(0, 2).expect("inside");
        assert_eq!(all(&s, 2, 3), rows(2));
        s.set_points(3, &[1, 2, 3, 9, 1, 2]).expect("inside");
        assert_eq!(all(&s, 2, 3), [1, 2, 3, 9, 1, 2]);
        s.set_range(0, 0, 1, 0).expect("inside");
        assert_eq!(all(&s, 2, 0), [0u64; 0]);
    }

    #[test]
    fn of_a_mask() {
        let mut s = Selection::all(&[3, 70]);
        let picked = [0, 1, 63, 64, 70, 139, 209];
        let mask: Vec<u8> = (0..210).map(|n| u8::from(picked.contains(&n))).collect();
        s.set_element_mask(&mask).expect("inside");
        let expected: Vec<u64> = picked.iter().flat_map(|n| [n / 70, n % 70]).collect();
        assert_eq!(all(&s, 2, 7), expected);
        s.set_element_mask(&[0; 210]).expect("inside");
        assert_eq!(all(&s, 2, 0), [0u64; 0]);
    }

    #[test]
    fn without_dimensions() {
        let mut s = Selection::all(&[]);
        assert_eq!(all(&s, 0, 1), [0u64; 0]);
        s.set_points(3, &[]).expect("inside");
        assert_eq!(all(&s, 0, 3), [0u64; 0]);
    }
}
