//! The chunk grid: how an array is divided into chunks.

use crate::error::{Error, Result};
use crate::selection::{Along, At, Cut, Run, Span};
use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;

/// A chunk grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChunkGrid {
    /// Every chunk has this shape, each extent at least 1; those at the array's edge overhang it.
    Regular(Vec<u64>),
    /// The same, but a chunk at the edge is stored clipped to the array. For codecs that store the
    /// shape with the chunk, so that a resize leaves chunks unchanged.
    Bounded(Vec<u64>),
    /// The extents of chunks are listed along each dimension.
    Rectilinear(Vec<Edges>),
}

/// The extents of chunks along one dimension, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edges {
    /// All equal, as many as the array needs.
    Every(u64),
    /// Runs of equal extents, none empty, adjacent ones different.
    Listed(Vec<Run>),
}

impl Edges {
    /// From pairs of an extent and its count. [`Kind::InvalidMetadata`]: a number is 0, or the sum
    /// overflows.
    ///
    /// [`Kind::InvalidMetadata`]: crate::error::Kind::InvalidMetadata
    pub fn listed(pairs: impl IntoIterator<Item = (u64, u64)>) -> Result<Self> {
        let mut runs: Vec<Run> = Vec::new();
        for (edge, count) in pairs {
            if edge == 0 || count == 0 {
                return Err(Error::metadata(format!("{count} chunks of extent {edge}")));
            }
            let (start, first) = runs.last().map_or((0, 0), |r| (r.end(), r.first + r.count));
            // sums over chunks cannot overflow from here on, as each chunk has at least one element
            if edge.checked_mul(count).and_then(|n| n.checked_add(start)).is_none() {
                return Err(Error::metadata("the number of elements in a chunk overflows 64 bits"));
            }
            match runs.last_mut().filter(|last| last.edge == edge) {
                Some(last) => last.count += count,
                None => runs.push(Run { edge, count, start, first }),
            }
        }
        Ok(Edges::Listed(runs))
    }

    /// The number of elements that the chunks cover; `None`: unbounded.
    fn covered(&self) -> Option<u64> {
        match self {
            Edges::Every(_) => None,
            Edges::Listed(runs) => Some(runs.last().map_or(0, Run::end)),
        }
    }

    /// Where chunk `i` begins and its extent; `None`: there is no such chunk.
    fn chunk(&self, i: u64) -> Option<(u64, u64)> {
        match self {
            Edges::Every(edge) => Some((i.checked_mul(*edge)?, *edge)),
            Edges::Listed(runs) => {
                let run = runs.get(runs.partition_point(|r| r.first + r.count <= i))?;
                Some((run.start + (i - run.first) * run.edge, run.edge))
            }
        }
    }

    /// The number of chunks that cover the first `extent` elements.
    fn count(&self, extent: u64) -> u64 {
        match self {
            Edges::Every(edge) => extent.div_ceil(*edge),
            Edges::Listed(runs) => {
                let all = runs.last().map_or(0, |r| r.first + r.count);
                runs.get(runs.partition_point(|r| r.end() < extent))
                    .map_or(all, |r| r.first + extent.saturating_sub(r.start).div_ceil(r.edge))
            }
        }
    }

    /// The distinct extents.
    fn distinct(&self) -> SmallVec<[u64; 4]> {
        let mut edges: SmallVec<_> = match self {
            Edges::Every(edge) => smallvec![*edge],
            Edges::Listed(runs) => runs.iter().map(|r| r.edge).collect(),
        };
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// With one more chunk if `extent` elements need it.
    fn reaching(&self, extent: u64) -> Result<Edges> {
        match self {
            Edges::Listed(runs) if runs.last().map_or(0, Run::end) < extent => {
                let more = extent - runs.last().map_or(0, Run::end);
                Edges::listed(runs.iter().map(|r| (r.edge, r.count)).chain([(more, 1)]))
            }
            _ => Ok(self.clone()),
        }
    }
}

impl ChunkGrid {
    /// A regular grid for an array of `rank` dimensions; checks rank and extents.
    pub fn regular(chunk_shape: Vec<u64>, rank: usize) -> Result<Self> {
        check_shape(&chunk_shape, rank)?;
        Ok(ChunkGrid::Regular(chunk_shape))
    }

    /// A grid of chunks that end where the array ends; checks rank and extents.
    pub fn bounded(chunk_shape: Vec<u64>, rank: usize) -> Result<Self> {
        check_shape(&chunk_shape, rank)?;
        Ok(ChunkGrid::Bounded(chunk_shape))
    }

    /// A rectilinear grid for an array of `shape`, whose elements must all lie in a chunk.
    pub fn rectilinear(edges: Vec<Edges>, shape: &[u64]) -> Result<Self> {
        check_rank(edges.len(), shape.len())?;
        for (d, (edges, &extent)) in edges.iter().zip(shape).enumerate() {
            match edges {
                Edges::Every(0) => {
                    return Err(Error::metadata(format!("chunks of extent 0 in dimension {d}")));
                }
                _ => match edges.covered() {
                    Some(covered) if covered < extent => {
                        return Err(Error::metadata(format!(
                            "the chunks in dimension {d} cover {covered} elements: expected at \
                             least {extent}"
                        )));
                    }
                    _ => {}
                },
            }
        }
        Ok(ChunkGrid::Rectilinear(edges))
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        match self {
            ChunkGrid::Regular(shape) | ChunkGrid::Bounded(shape) => shape.len(),
            ChunkGrid::Rectilinear(edges) => edges.len(),
        }
    }

    /// The shape of every chunk, for formats with regular grids only.
    /// [`Kind::Unsupported`](crate::error::Kind::Unsupported): the grid is not regular.
    pub fn regular_shape(&self) -> Result<&[u64]> {
        match self {
            ChunkGrid::Regular(shape) => Ok(shape),
            ChunkGrid::Bounded(_) => {
                Err(Error::unsupported("only N5 has chunks that end where the array ends"))
            }
            ChunkGrid::Rectilinear(_) => {
                Err(Error::unsupported("only Zarr v3 has chunks of different shapes"))
            }
        }
    }

    /// The largest extent of chunks in each dimension.
    pub fn largest_shape(&self) -> Cow<'_, [u64]> {
        match self {
            ChunkGrid::Regular(shape) | ChunkGrid::Bounded(shape) => Cow::Borrowed(shape),
            ChunkGrid::Rectilinear(edges) => {
                edges.iter().map(|e| e.distinct().last().copied().unwrap_or(1)).collect()
            }
        }
    }

    /// The distinct extents of chunks in dimension `d`, increasing.
    pub fn distinct(&self, d: usize) -> SmallVec<[u64; 4]> {
        match self {
            ChunkGrid::Regular(shape) | ChunkGrid::Bounded(shape) => smallvec![shape[d]],
            ChunkGrid::Rectilinear(edges) => edges[d].distinct(),
        }
    }

    /// Where chunk `i` begins in dimension `d` and its extent, which may exceed the array; `None`:
    /// there is no such chunk.
    pub fn chunk(&self, d: usize, i: u64) -> Option<(u64, u64)> {
        match self {
            ChunkGrid::Regular(shape) | ChunkGrid::Bounded(shape) => {
                Some((i.checked_mul(shape[d])?, shape[d]))
            }
            ChunkGrid::Rectilinear(edges) => edges[d].chunk(i),
        }
    }

    /// The number of chunks that contain the first `extent` elements of dimension `d`.
    pub fn count(&self, d: usize, extent: u64) -> u64 {
        match self {
            ChunkGrid::Regular(shape) | ChunkGrid::Bounded(shape) => extent.div_ceil(shape[d]),
            ChunkGrid::Rectilinear(edges) => edges[d].count(extent),
        }
    }

    /// The grid of an array resized to `shape`: adds a chunk where listed chunks do not reach.
    /// Never removes chunks: they stay listed when the array shrinks.
    pub fn resized(&self, shape: &[u64]) -> Result<ChunkGrid> {
        match self {
            ChunkGrid::Rectilinear(edges) => {
                let edges = edges.iter().zip(shape).map(|(e, &n)| e.reaching(n));
                Ok(ChunkGrid::Rectilinear(edges.collect::<Result<_>>()?))
            }
            regular => Ok(regular.clone()),
        }
    }
}

fn check_rank(found: usize, rank: usize) -> Result<()> {
    if found == rank {
        return Ok(());
    }
    Err(Error::metadata(format!(
        "the chunk shape has {found} dimensions: expected {rank}, the rank"
    )))
}

fn check_shape(chunk_shape: &[u64], rank: usize) -> Result<()> {
    check_rank(chunk_shape.len(), rank)?;
    match chunk_shape.iter().position(|&n| n == 0) {
        Some(axis) => Err(Error::metadata(format!(
            "the chunk shape is 0 in dimension {axis}: \
            expected at least 1"
        ))),
        None => Ok(()),
    }
}

impl Cut for ChunkGrid {
    fn rank(&self) -> usize {
        self.rank()
    }

    fn along(&self, d: usize, span: Span) -> Along {
        match self {
            ChunkGrid::Regular(shape) | ChunkGrid::Bounded(shape) => Along::every(shape[d], span),
            ChunkGrid::Rectilinear(edges) => match &edges[d] {
                Edges::Every(edge) => Along::every(*edge, span),
                Edges::Listed(runs) => Along::listed(runs, span),
            },
        }
    }

    fn at(&self, d: usize, index: u64) -> Option<At> {
        let every = |edge: u64| {
            let chunk = index / edge;
            Some(At { chunk, start: chunk * edge, extent: edge })
        };
        match self {
            ChunkGrid::Regular(shape) | ChunkGrid::Bounded(shape) => every(shape[d]),
            ChunkGrid::Rectilinear(edges) => match &edges[d] {
                Edges::Every(edge) => every(*edge),
                Edges::Listed(runs) => {
                    let run = runs.get(runs.partition_point(|run| run.end() <= index))?;
                    let chunk = (index - run.start) / run.edge;
                    let start = run.start + chunk * run.edge;
                    Some(At { chunk: run.first + chunk, start, extent: run.edge })
                }
            },
        }
    }

    fn largest(&self, d: usize) -> u64 {
        self.distinct(d).last().copied().unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;
    use crate::selection::{Pick, Region};

    fn listed(pairs: &[(u64, u64)]) -> Edges {
        Edges::listed(pairs.iter().copied()).expect("good")
    }

    #[test]
    fn chunks_are_found_and_counted() {
        // 1 1 1 3 2 2
        let edges = listed(&[(1, 1), (1, 2), (3, 1), (2, 2)]);
        let starts = [(0, 1), (1, 1), (2, 1), (3, 3), (6, 2), (8, 2)];
        for (i, expected) in starts.into_iter().enumerate() {
            assert_eq!(edges.chunk(i as u64), Some(expected));
        }
        assert_eq!((edges.chunk(6), edges.chunk(u64::MAX)), (None, None));
        let counts: Vec<u64> = (0..=10).map(|n| edges.count(n)).collect();
        assert_eq!(counts, [0, 1, 2, 3, 4, 4, 4, 5, 5, 6, 6]);
        assert_eq!(edges, listed(&[(1, 3), (3, 1), (2, 2)]), "equal neighbours are one run");
        assert_eq!(edges.distinct()[..], [1, 2, 3]);
        assert_eq!(edges.reaching(10).expect("reaches"), edges);
        assert_eq!(edges.reaching(12).expect("more"), listed(&[(1, 3), (3, 1), (2, 3)]));
    }

    #[test]
    fn every_index_is_in_exactly_one_chunk() {
        let edges = listed(&[(1, 3), (3, 1), (2, 2), (7, 1)]);
        let grid = ChunkGrid::rectilinear(vec![edges], &[17]).expect("covers");
        for start in 0..17u64 {
            for step in 1..9 {
                for count in 0..=(17 - start).div_ceil(step) {
                    let region = Region::new(&[17], &[start], &[count], Some(&[step]));
                    let pick = Pick::Region(region.expect("inside"));
                    let mut seen = Vec::new();
                    for chunk in pick.chunk_slices(&grid).expect("covered").iter() {
                        let chunk = chunk.expect("memory");
                        let (at, extent) = grid.chunk(0, chunk.index[0]).expect("there");
                        let span = chunk.pick.bounds().spans()[0];
                        assert!(span.count > 0, "only chunks that are touched");
                        assert_eq!(chunk.place.bounds().spans()[0].start, seen.len() as u64);
                        for k in 0..span.count {
                            let index = span.start + k * span.step;
                            assert!(index < extent);
                            let found = At { chunk: chunk.index[0], start: at, extent };
                            assert_eq!(grid.at(0, at + index), Some(found));
                            seen.push(at + index);
                        }
                    }
                    let expected: Vec<u64> = (0..count).map(|k| start + k * step).collect();
                    assert_eq!(seen, expected);
                }
            }
        }
    }

    #[test]
    fn what_does_not_hold_together_is_refused() {
        let grid = |edges: Vec<Edges>, shape: &[u64]| {
            ChunkGrid::rectilinear(edges, shape).expect_err("refused").kind()
        };
        assert_eq!(grid(vec![listed(&[(3, 2)])], &[10]), Kind::InvalidMetadata);
        assert_eq!(grid(vec![Edges::Every(0)], &[10]), Kind::InvalidMetadata);
        assert_eq!(grid(vec![Edges::Every(1)], &[10, 10]), Kind::InvalidMetadata);
        for pairs in [[(0, 1), (1, 1)], [(1, 0), (1, 1)], [(u64::MAX, 1), (1, 1)]] {
            assert!(Edges::listed(pairs).is_err(), "{pairs:?}");
        }
        assert!(Edges::listed([(1, u64::MAX), (1, 1)]).is_err());
        // never written out
        let edges = listed(&[(1, 1 << 60)]);
        assert_eq!(edges.chunk((1 << 60) - 1), Some(((1 << 60) - 1, 1)));
        assert!(ChunkGrid::regular(vec![2, 0], 2).is_err());
    }
}
