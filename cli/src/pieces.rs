//! Splits an array into pieces that fit memory: in C order, or by whole chunks.

use crate::failure::{Failure, Result};
use crate::selection::Selected;
use zarrc::array::{Array, MemoryType, Variable};
use zarrc::progress::Progress;
use zarrc::strided::ViewMut;

/// The most bytes of a piece, unless a row of the last dimension is longer.
pub const LIMIT: u64 = 32 << 20;

/// The assumed size of an element of variable length (bytes).
const GUESSED: u64 = 64;

/// A box of the result of a selection.
pub struct Piece {
    /// The piece as a selection of the array.
    pub selected: Selected,
    /// Its first element in the result.
    pub start: Vec<u64>,
    /// Its extents.
    pub count: Vec<u64>,
}

impl Piece {
    fn new(all: &Selected, start: Vec<u64>, count: Vec<u64>) -> Self {
        Piece { selected: all.narrow(&start, &count), start, count }
    }
}

fn product(extents: &[u64]) -> u64 {
    extents.iter().fold(1, |n, &extent| n.saturating_mul(extent))
}

/// The size of what is selected (bytes), assumed for variable length.
pub fn size(array: &Array, selected: &Selected) -> u64 {
    product(&selected.shape()).saturating_mul(item(array))
}

/// The size of an element (bytes), assumed for variable length.
pub fn item(array: &Array) -> u64 {
    let data_type = &array.metadata().data_type;
    if data_type.is_variable() { GUESSED } else { data_type.size().max(1) as u64 }
}

/// Calls `each` for the pieces of a selection, in C order, with the fraction complete after it.
/// Each is a run of consecutive elements; pieces end at chunk boundaries if possible.
pub fn in_c_order(
    array: &Array,
    all: &Selected,
    each: &mut dyn FnMut(&Piece, f64) -> Result<()>,
) -> Result<()> {
    let shape = all.shape();
    if shape.contains(&0) {
        return Ok(());
    }
    let rank = shape.len();
    if rank == 0 {
        return each(&Piece::new(all, Vec::new(), Vec::new()), 1.0);
    }
    let chunks = all.chunks(&array.outer_chunk_shape());
    let below = |d: usize| product(&shape[d + 1..]).saturating_mul(item(array));
    let cut = (0..rank).find(|&d| below(d) <= LIMIT).unwrap_or(rank - 1);
    let most = (LIMIT / below(cut)).clamp(1, shape[cut]);
    let total = shape[..=cut].iter().map(|&n| n as f64).product::<f64>();
    let (first, edge) = chunks[cut];
    let mut outer = vec![0; cut];
    let mut done = 0.0;
    loop {
        let mut at = 0;
        while at < shape[cut] {
            let mut end = at.saturating_add(most).min(shape[cut]);
            // the last chunk end within reach
            if end < shape[cut] && end >= first {
                let aligned = end - (end - first) % edge;
                end = if aligned > at { aligned } else { end };
            }
            let start = [&outer[..], &[at], &vec![0; rank - cut - 1]].concat();
            let count = [&vec![1; cut][..], &[end - at], &shape[cut + 1..]].concat();
            done += (end - at) as f64;
            each(&Piece::new(all, start, count), done / total)?;
            at = end;
        }
        let Some(d) = (0..cut).rev().find(|&d| outer[d] + 1 < shape[d]) else { return Ok(()) };
        outer[d] += 1;
        outer[d + 1..].fill(0);
    }
}

/// The same in boxes of whole chunks, if they fit: no chunk is decoded twice.
pub fn by_chunks(
    array: &Array,
    all: &Selected,
    each: &mut dyn FnMut(&Piece, f64) -> Result<()>,
) -> Result<()> {
    let shape = all.shape();
    if shape.contains(&0) {
        return Ok(());
    }
    let chunks = all.chunks(&array.outer_chunk_shape());
    let mut size: Vec<u64> = chunks.iter().zip(&shape).map(|((_, e), &n)| (*e).min(n)).collect();
    let bytes = |size: &[u64]| product(size).saturating_mul(item(array));
    while bytes(&size) > LIMIT
        && let Some(longest) = size.iter_mut().max().filter(|longest| **longest > 1)
    {
        *longest = longest.div_ceil(2);
    }
    for d in (0..shape.len()).rev() {
        let others = bytes(&size) / size[d];
        let most = (LIMIT / others.max(1)).max(1) / size[d] * size[d];
        size[d] = most.clamp(size[d], shape[d].max(size[d]));
    }
    let total = shape.iter().map(|&n| n as f64).product::<f64>();
    let mut start = vec![0; shape.len()];
    let mut done = 0.0;
    // the end of the piece that starts at `at`: the first piece completes its chunk
    let end = |d: usize, at: u64| {
        let (first, edge) = chunks[d];
        match at == 0 && first != edge && size[d] >= first {
            true => first.min(shape[d]),
            false => at.saturating_add(size[d]).min(shape[d]),
        }
    };
    loop {
        let count: Vec<u64> = start.iter().enumerate().map(|(d, &at)| end(d, at) - at).collect();
        done += count.iter().map(|&n| n as f64).product::<f64>();
        each(&Piece::new(all, start.clone(), count), done / total)?;
        let next = (0..shape.len()).rev().find(|&d| end(d, start[d]) < shape[d]);
        let Some(d) = next else { return Ok(()) };
        start[d] = end(d, start[d]);
        start[d + 1..].fill(0);
    }
}

/// Elements that were read, in C order.
pub enum Elements {
    /// Of a fixed size, in native byte order.
    Fixed(Vec<u8>, usize),
    /// Of variable length.
    Variable(Variable),
}

impl Elements {
    /// Reads the selected elements.
    pub fn read(array: &Array, selected: &Selected, progress: &Progress<'_>) -> Result<Self> {
        let selection = selected.to_library()?;
        let data_type = &array.metadata().data_type;
        if data_type.is_variable() {
            let values = array.read_selection_vlen(&selection, progress)?;
            return Ok(Elements::Variable(values));
        }
        let item = data_type.size();
        let counts = counts(&selected.shape())?;
        let size = counts.iter().try_fold(item, |n, &count| n.checked_mul(count));
        let mut bytes = room(size.ok_or_else(too_many)?)?;
        let dst = ViewMut::contiguous(&mut bytes, &counts, item)?;
        array.read_selection(&selection, MemoryType::Native, None, dst, progress)?;
        Ok(Elements::Fixed(bytes, item))
    }

    /// Element `n`.
    pub fn get(&self, n: usize) -> &[u8] {
        match self {
            Elements::Fixed(bytes, item) => &bytes[n * item..(n + 1) * item],
            Elements::Variable(values) => {
                let ends = &values.offsets()[n..n + 2];
                &values.bytes()[ends[0] as usize..ends[1] as usize]
            }
        }
    }
}

/// A zeroed buffer.
pub fn room(size: usize) -> Result<Vec<u8>> {
    Ok(zarrc::exec::zeroed(size)?)
}

/// Extents as `usize`.
pub fn counts(shape: &[u64]) -> Result<Vec<usize>> {
    shape.iter().map(|&n| usize::try_from(n).map_err(|_| too_many())).collect()
}

/// The number of elements of a box.
pub fn elements(shape: &[u64]) -> Result<usize> {
    let product = counts(shape)?.into_iter().try_fold(1usize, usize::checked_mul);
    product.ok_or_else(too_many)
}

fn too_many() -> Failure {
    Failure::usage("more elements than fit memory")
}
