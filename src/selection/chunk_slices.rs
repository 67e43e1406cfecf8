//! The chunks of a grid that a pick touches.

use super::along::{Along, Cut};
use super::cutting::Parted;
use super::mask::MaskSlices;
use super::orthogonal::{Touched, leaves};
use super::region::{Region, Span};
use super::{Axis, Pick};
use crate::error::{Error, Kind, Result};
use smallvec::SmallVec;

type Index = SmallVec<[u64; 4]>;

/// The part of one chunk that a pick touches: the same elements in the same order, by their place
/// in the chunk and by their place in the result.
#[derive(Clone, Debug)]
pub struct ChunkSlice {
    /// The chunk's index, slowest dimension first.
    pub index: Index,
    /// The picked elements, relative to the chunk's start.
    pub pick: Pick,
    /// Their place among all picked elements.
    pub place: Pick,
}

/// The chunks that a pick touches, computed on demand; for boxes and orthogonal picks in C order.
#[derive(Debug)]
pub struct ChunkSlices<'a> {
    by: By<'a>,
    count: usize,
}

#[derive(Debug)]
enum By<'a> {
    Box(SmallVec<[Along; 4]>),
    Orthogonal(SmallVec<[Touched; 4]>),
    Scattered(Parted),
    Mask(MaskSlices<'a>),
}

impl<'a> ChunkSlices<'a> {
    pub(super) fn new(pick: &'a Pick, grid: &(impl Cut + ?Sized)) -> Result<Self> {
        let by = match pick {
            Pick::Region(region) => {
                debug_assert_eq!(grid.rank(), region.spans().len());
                let spans = region.spans().iter().enumerate();
                let along: SmallVec<[Along; 4]> =
                    spans.map(|(d, &span)| grid.along(d, span)).collect();
                if along.iter().zip(region.spans()).any(|(a, span)| a.selected != span.count) {
                    return Err(leaves());
                }
                By::Box(along)
            }
            Pick::Orthogonal(axes) => {
                let touched = axes.iter().enumerate().map(|(d, axis)| axis.chunk_slices(grid, d));
                By::Orthogonal(touched.collect::<Result<_>>()?)
            }
            Pick::Points(points) => By::Scattered(points.chunk_slices(grid)?),
            Pick::Scattered(all) => By::Scattered(all.chunk_slices(grid)?),
            Pick::Mask(mask) => By::Mask(mask.chunk_slices(grid)?),
        };
        let count = match &by {
            By::Box(along) => product(along.iter().map(|along| along.chunks))?,
            By::Orthogonal(touched) => product(touched.iter().map(Touched::count))?,
            By::Scattered(parted) => parted.count(),
            By::Mask(chunks) => chunks.count(),
        };
        Ok(ChunkSlices { by, count })
    }

    /// Their number.
    pub fn count(&self) -> usize {
        self.count
    }

    /// All of them, one after the other.
    pub fn iter(&self) -> impl Iterator<Item = Result<ChunkSlice>> {
        (0..self.count).map(|n| self.get(n))
    }

    /// The `n`th of them.
    pub fn get(&self, n: usize) -> Result<ChunkSlice> {
        match &self.by {
            By::Box(along) => Ok(box_slice(along, n as u64)),
            By::Orthogonal(touched) => Ok(orthogonal_slice(touched, n as u64)),
            By::Scattered(parted) => parted.get(n),
            By::Mask(chunks) => chunks.get(n),
        }
    }
}

impl ChunkSlices<'_> {
    /// Of the `n`th, what costs little: the chunk's index, and for boxes and orthogonal picks the
    /// bounds of what is picked of it.
    pub fn outline(&self, n: usize) -> (Index, Option<Region>) {
        let slice = match &self.by {
            By::Scattered(parted) => return (parted.index(n), None),
            By::Mask(chunks) => return (chunks.index(n), None),
            By::Box(along) => box_slice(along, n as u64),
            By::Orthogonal(touched) => orthogonal_slice(touched, n as u64),
        };
        (slice.index, Some(slice.pick.bounds()))
    }
}

fn product(mut counts: impl Iterator<Item = u64>) -> Result<usize> {
    let all = counts.try_fold(1u64, |n, chunks| n.checked_mul(chunks));
    all.and_then(|n| usize::try_from(n).ok())
        .ok_or_else(|| Error::new(Kind::LimitExceeded, "the number of chunks overflows 64 bits"))
}

fn box_slice(along: &[Along], mut rest: u64) -> ChunkSlice {
    let mut touched: SmallVec<[(u64, Span, u64); 4]> = SmallVec::new();
    for along in along.iter().rev() {
        touched.push(along.chunk(rest % along.chunks));
        rest /= along.chunks;
    }
    touched.reverse();
    let place =
        |&(_, span, before): &(u64, Span, u64)| Span { start: before, count: span.count, step: 1 };
    ChunkSlice {
        index: touched.iter().map(|(index, _, _)| *index).collect(),
        pick: Pick::Region(Region::from_spans(touched.iter().map(|(_, span, _)| *span))),
        place: Pick::Region(Region::from_spans(touched.iter().map(place))),
    }
}

fn orthogonal_slice(along: &[Touched], mut rest: u64) -> ChunkSlice {
    let mut touched: SmallVec<[(u64, Axis, Axis); 4]> = SmallVec::new();
    for along in along.iter().rev() {
        touched.push(along.get(rest % along.count()));
        rest /= along.count();
    }
    touched.reverse();
    ChunkSlice {
        index: touched.iter().map(|(index, _, _)| *index).collect(),
        pick: Pick::of_axes(touched.iter().map(|(_, pick, _)| pick.clone())),
        place: Pick::of_axes(touched.iter().map(|(_, _, place)| place.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Selection;
    use super::*;
    use crate::strided::{View, ViewMut};

    /// Numbers that look random.
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) % end
        }
    }

    /// Cuts a pick of a box of `shape` into chunks, and each of them again, and checks that every
    /// element comes from its place.
    fn check(pick: &Pick, shape: &[u64], chunk: &[u64], inner: &[u64], expected: &[u32]) {
        let elements: Vec<u8> =
            (0..shape.iter().product::<u64>() as u32).flat_map(u32::to_ne_bytes).collect();
        let extents: Vec<usize> = shape.iter().map(|&n| n as usize).collect();
        let whole = View::contiguous(&elements, &extents, 4).expect("fits");
        let counts = pick.counts().expect("little");
        let mut result = vec![0xff; expected.len() * 4];
        let mut dense = ViewMut::contiguous(&mut result, &counts, 4).expect("fits");
        for outer in pick.chunk_slices(chunk).expect("inside").iter() {
            let outer = outer.expect("memory");
            // what the chunk has of the box
            let origin: Vec<usize> =
                outer.index.iter().zip(chunk).map(|(&i, &n)| (i * n) as usize).collect();
            let counts = outer.pick.counts().expect("little");
            let mut bytes = vec![0; counts.iter().product::<usize>() * 4];
            let mut part = ViewMut::contiguous(&mut bytes, &counts, 4).expect("fits");
            assert!(!outer.pick.is_empty());
            for within in outer.pick.chunk_slices(inner).expect("inside").iter() {
                let within = within.expect("memory");
                let from: Vec<usize> = (within.index.iter().zip(inner).zip(&origin))
                    .map(|((&i, &n), &o)| (i * n) as usize + o)
                    .collect();
                let size: Vec<usize> = (from.iter().zip(&extents).zip(inner))
                    .map(|((&f, &n), &i)| (n - f).min(i as usize))
                    .collect();
                let source = whole.slice(&from, &size).expect("inside");
                let counts = within.pick.counts().expect("little");
                let mut bytes = vec![0; counts.iter().product::<usize>() * 4];
                let mut dense = ViewMut::contiguous(&mut bytes, &counts, 4).expect("fits");
                // by way of the bounds, as codecs that know only boxes do
                let bounds = within.pick.bounds();
                let (start, step, count) = bounds.to_view();
                let boxed = source.step(&start, &step, &count).expect("inside");
                within
                    .pick
                    .within_bounds()
                    .expect("memory")
                    .gather(&boxed, &mut dense)
                    .expect("fits");
                within.place.scatter(&dense.as_view(), &mut part).expect("fits");
            }
            outer.place.scatter(&part.as_view(), &mut dense).expect("fits");
        }
        let found: Vec<u32> =
            result.chunks_exact(4).map(|b| u32::from_ne_bytes([b[0], b[1], b[2], b[3]])).collect();
        assert_eq!(found, expected, "{pick:?} of {shape:?} in {chunk:?}, {inner:?}");
    }

    #[test]
    fn every_element_is_in_one_cell_and_at_its_place() {
        let mut random = Random(11);
        for round in 0..3000 {
            let rank = random.below(4) as usize;
            let shape: Vec<u64> = (0..rank).map(|_| 1 + random.below(9)).collect();
            let chunk: Vec<u64> = (0..rank).map(|_| 1 + random.below(6)).collect();
            let inner: Vec<u64> = (0..rank).map(|_| 1 + random.below(3)).collect();
            let number =
                |at: &[u64]| at.iter().zip(&shape).fold(0, |n, (i, extent)| n * extent + i) as u32;
            let mut selection = Selection::all(&shape);
            let mut expected = Vec::new();
            match round % 3 {
                0 => {
                    let count = random.below(20);
                    let points: Vec<u64> =
                        (0..count).flat_map(|_| shape.clone()).map(|n| random.below(n)).collect();
                    selection.set_points(count, &points).expect("inside");
                    let each = points.chunks_exact(rank.max(1)).map(number);
                    expected.extend(each);
                    if rank == 0 {
                        expected = vec![0; count as usize];
                    }
                }
                1 => {
                    let all = shape.iter().product::<u64>();
                    let dense = 1 + random.below(4);
                    let mask: Vec<u8> =
                        (0..all).map(|_| u8::from(random.below(4) < dense)).collect();
                    selection.set_element_mask(&mask).expect("fits");
                    expected.extend((0..all as u32).filter(|&n| mask[n as usize] != 0));
                }
                _ => {
                    let mut along: Vec<Vec<u64>> = Vec::new();
                    for (d, &n) in shape.iter().enumerate() {
                        let list: Vec<u64> =
                            (0..random.below(6)).map(|_| random.below(n)).collect();
                        match random.below(3) {
                            0 => along.push((0..n).collect()),
                            1 => {
                                selection.set_indices(d, &list).expect("inside");
                                along.push(list);
                            }
                            _ => {
                                let step = 1 + random.below(3);
                                let count = (n - 1) / step + 1;
                                selection.set_range(d, 0, step as i64, count).expect("inside");
                                along.push((0..count).map(|k| k * step).collect());
                            }
                        }
                    }
                    let mut rows: Vec<Vec<u64>> = vec![vec![]];
                    for list in &along {
                        let with = |row: &Vec<u64>| {
                            let row = row.clone();
                            list.iter().map(move |&i| [&row[..], &[i]].concat())
                        };
                        rows = rows.iter().flat_map(with).collect();
                    }
                    expected.extend(rows.iter().map(|at| number(at)));
                }
            }
            let pick = selection.pick(&shape).expect("the same shape");
            check(&pick, &shape, &chunk, &inner, &expected);
        }
    }

    #[test]
    fn every_index_is_in_exactly_one_touched_chunk() {
        for start in 0..7 {
            for step in 1..9 {
                for count in 0..9 {
                    for chunk in 1..8 {
                        let end = if count == 0 { start } else { start + (count - 1) * step + 1 };
                        let region = Region::new(&[end], &[start], &[count], Some(&[step]));
                        let pick = Pick::Region(region.expect("inside"));
                        let mut seen = Vec::new();
                        for touched in pick.chunk_slices(&[chunk][..]).expect("few").iter() {
                            let touched = touched.expect("memory");
                            let span = touched.pick.bounds().spans()[0];
                            assert!(span.count > 0, "only touched chunks");
                            assert_eq!(touched.place.bounds().spans()[0].start, seen.len() as u64);
                            for k in 0..span.count {
                                let local = span.start + k * span.step;
                                assert!(local < chunk);
                                seen.push(touched.index[0] * chunk + local);
                            }
                        }
                        let expected: Vec<u64> = (0..count).map(|k| start + k * step).collect();
                        assert_eq!(seen, expected);
                    }
                }
            }
        }
    }

    #[test]
    fn points_of_a_vast_grid_are_found_without_counting_its_chunks() {
        let shape = [1 << 40, 1 << 40];
        let mut selection = Selection::all(&shape);
        let points = [5, 7, (1 << 40) - 1, 0, 5, 7];
        selection.set_points(3, &points).expect("inside");
        let pick = selection.pick(&shape).expect("the same shape");
        let chunks: Vec<ChunkSlice> = pick
            .chunk_slices(&[1 << 20, 1 << 20][..])
            .expect("few")
            .iter()
            .map(|c| c.expect("memory"))
            .collect();
        let found: Vec<(&[u64], u64)> = chunks.iter().map(|c| (&c.index[..], c.len())).collect();
        assert_eq!(found, [(&[0, 0][..], 2), (&[(1 << 20) - 1, 0][..], 1)]);
        selection.set_points(2, &[0, 0, (1 << 40) - 1, (1 << 40) - 1]).expect("inside");
        let pick = selection.pick(&shape).expect("the same shape");
        let e = pick.chunk_slices(&[1, 1][..]).expect_err("2^80 chunks");
        assert_eq!(e.kind(), Kind::LimitExceeded);
    }
}
