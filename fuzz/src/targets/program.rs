//! A program of calls on one array, beside the same on a plain vector: create, write, fill, append,
//! resize, read, flush, open again; regions, and selections of every kind. Each byte chooses; what is read must be what the vector holds.

use super::{check, memory};
use std::sync::Arc;
use zarrc::array::MemoryType;
use zarrc::format::FormatId;
use zarrc::hierarchy::{ArrayNode, ArraySpec, Hierarchy};
use zarrc::metadata::{CodecSpec, DataType, NodePath};
use zarrc::progress::Progress;
use zarrc::selection::{Region, Selection};
use zarrc::store::Options;
use zarrc::strided::{View, ViewMut};

/// The bytes of the input, then zeros.
pub struct Choices<'a>(pub std::slice::Iter<'a, u8>);

impl Choices<'_> {
    pub fn below(&mut self, n: u64) -> u64 {
        u64::from(self.0.next().copied().unwrap_or(0)) % n
    }

    pub fn is_over(&self) -> bool {
        self.0.as_slice().is_empty()
    }
}

/// Two dimensions of elements of four bytes.
struct Model {
    shape: [u64; 2],
    elements: Vec<u32>,
}

impl Model {
    fn resize(&mut self, shape: [u64; 2]) {
        let mut elements = vec![0; (shape[0] * shape[1]) as usize];
        for y in 0..shape[0].min(self.shape[0]) {
            for x in 0..shape[1].min(self.shape[1]) {
                elements[(y * shape[1] + x) as usize] =
                    self.elements[(y * self.shape[1] + x) as usize];
            }
        }
        *self = Model { shape, elements };
    }

    /// The elements of a region, as indices into the model.
    fn indices(&self, region: &Region) -> Vec<usize> {
        let spans = region.spans();
        let along = |d: usize| {
            let span = spans[d];
            (0..span.count).map(move |n| span.start + n * span.step)
        };
        along(0).flat_map(|y| along(1).map(move |x| (y * self.shape[1] + x) as usize)).collect()
    }
}

fn region(choices: &mut Choices<'_>, shape: [u64; 2]) -> Option<Region> {
    let (mut start, mut count, mut step) = ([0; 2], [0; 2], [1; 2]);
    for d in 0..2 {
        if shape[d] == 0 {
            return None;
        }
        start[d] = choices.below(shape[d]);
        step[d] = 1 + choices.below(3);
        count[d] = 1 + choices.below((shape[d] - start[d]).div_ceil(step[d]));
    }
    Some(Region::new(&shape, &start, &count, Some(&step)).expect("inside"))
}

/// A selection of any kind with the indices of its elements, in the order of its result.
fn selection(choices: &mut Choices<'_>, shape: [u64; 2]) -> Option<(Selection, Vec<usize>)> {
    if shape.contains(&0) {
        return None;
    }
    let mut some = Selection::all(&shape);
    let place = |y: u64, x: u64| (y * shape[1] + x) as usize;
    match choices.below(8) {
        0 => {
            let count = choices.below(9);
            let points: Vec<u64> =
                (0..2 * count).map(|n| choices.below(shape[n as usize % 2])).collect();
            some.set_points(count, &points).expect("inside");
            return Some((some, points.chunks(2).map(|p| place(p[0], p[1])).collect()));
        }
        1 => {
            let mask: Vec<u8> = (0..shape[0] * shape[1]).map(|_| choices.below(2) as u8).collect();
            some.set_element_mask(&mask).expect("fits");
            return Some((some, (0..mask.len()).filter(|&n| mask[n] != 0).collect()));
        }
        _ => {}
    }
    let mut along: [Vec<u64>; 2] = Default::default();
    for d in 0..2 {
        let extent = shape[d];
        along[d] = match choices.below(5) {
            0 => (0..extent).collect(),
            1 => {
                let index = choices.below(extent);
                some.set_index(d, index).expect("inside");
                vec![index]
            }
            2 => {
                let list: Vec<u64> = (0..choices.below(7)).map(|_| choices.below(extent)).collect();
                some.set_indices(d, &list).expect("inside");
                list
            }
            3 => {
                let mask: Vec<u8> = (0..extent).map(|_| choices.below(2) as u8).collect();
                some.set_mask(d, &mask).expect("fits");
                (0..extent).filter(|&n| mask[n as usize] != 0).collect()
            }
            _ => {
                let (start, step) = (choices.below(extent), 1 + choices.below(3));
                let back = choices.below(2) == 1;
                let most = if back { start / step + 1 } else { (extent - start).div_ceil(step) };
                let count = choices.below(most + 1);
                let signed = if back { -(step as i64) } else { step as i64 };
                some.set_range(d, start, signed, count).expect("inside");
                (0..count).map(|k| if back { start - k * step } else { start + k * step }).collect()
            }
        };
    }
    let indices =
        along[0].iter().flat_map(|&y| along[1].iter().map(move |&x| (y * shape[1] + x) as usize));
    Some((some, indices.collect()))
}

fn counts_of(some: &Selection) -> Vec<usize> {
    some.shape().iter().map(|&n| n as usize).collect()
}

fn specification(choices: &mut Choices<'_>) -> ArraySpec {
    let format = [FormatId::V3, FormatId::V2, FormatId::N5][choices.below(3) as usize];
    let shape = vec![choices.below(12), 1 + choices.below(12)];
    let mut spec = ArraySpec::new(DataType::UInt32, shape);
    let chunk = vec![1 + choices.below(5), 1 + choices.below(5)];
    let shards = [1 + choices.below(3), 1 + choices.below(3)];
    if format == FormatId::V3 && choices.below(2) == 1 {
        spec.shard_shape = Some(vec![chunk[0] * shards[0], chunk[1] * shards[1]]);
    }
    let compressor = ["", "zstd", "gzip", "blosc", "zlib", "bz2"][choices.below(6) as usize];
    spec.codecs = Some(match (compressor, format) {
        ("" | "zlib", FormatId::V3) | ("", _) => vec![],
        ("zlib" | "zstd", FormatId::N5) => vec![CodecSpec::new("gzip", Default::default())],
        ("bz2", FormatId::V3) => vec![],
        _ => vec![CodecSpec::new(compressor, Default::default())],
    });
    (spec.format, spec.chunk_shape) = (Some(format), Some(chunk));
    spec
}

fn read(array: &ArrayNode, model: &Model, region: &Region) {
    let counts: Vec<usize> = region.spans().iter().map(|span| span.count as usize).collect();
    let mut out = vec![0xEE; counts.iter().product::<usize>() * 4];
    let dst = ViewMut::contiguous(&mut out, &counts, 4).expect("fits");
    array.array.read(region, MemoryType::Native, dst).expect("what was written is read");
    let found: Vec<u32> = out.as_chunks().0.iter().map(|b| u32::from_ne_bytes(*b)).collect();
    let expected: Vec<u32> = model.indices(region).iter().map(|&n| model.elements[n]).collect();
    assert_eq!(found, expected, "{region:?} of {:?}", model.shape);
}

pub fn run(input: &[u8]) {
    let mut choices = Choices(input.iter());
    let store = memory(&[]);
    let mut options = Options::default();
    let buffer = ["0", "64", "1MiB"][choices.below(3) as usize];
    let cache = ["0", "100", "1MiB"][choices.below(3) as usize];
    for (name, value) in [("threads", "1"), ("write_buffer", buffer), ("chunk_cache", cache)] {
        options.set(name, value).expect("an option");
    }
    let open = || Arc::new(Hierarchy::new(store.clone(), &options));
    let path = NodePath::parse("a").expect("a path");
    let spec = specification(&mut choices);
    // not every format has every compressor
    let Some(mut array) = check(open().create_array(&path, &spec)) else { return };
    let shape = [spec.shape[0], spec.shape[1]];
    let mut model = Model { shape, elements: vec![0; (shape[0] * shape[1]) as usize] };
    let mut next = 1;
    for _ in 0..64 {
        if choices.is_over() {
            break;
        }
        match choices.below(10) {
            0 | 1 => {
                let Some(region) = region(&mut choices, model.shape) else { continue };
                let counts: Vec<usize> = region.spans().iter().map(|s| s.count as usize).collect();
                let mut block = Vec::new();
                for n in model.indices(&region) {
                    // zeros now and then, which are the fill value
                    next += 1;
                    let value = if next % 7 == 0 { 0 } else { next };
                    model.elements[n] = value;
                    block.extend(value.to_ne_bytes());
                }
                let src = View::contiguous(&block, &counts, 4).expect("fits");
                array.array.write(&region, MemoryType::Native, &src).expect("is written");
            }
            2 => {
                let Some(region) = region(&mut choices, model.shape) else { continue };
                let value = choices.below(2) as u32;
                let mut some = Selection::all(&model.shape);
                some.set_region(&region);
                let element = value.to_ne_bytes();
                array.array.fill(&some, MemoryType::Native, None, &element).expect("is filled");
                model.indices(&region).into_iter().for_each(|n| model.elements[n] = value);
            }
            3 => {
                let axis = choices.below(2) as usize;
                let mut count = model.shape;
                count[axis] = choices.below(4);
                let counts = [count[0] as usize, count[1] as usize];
                let values = vec![next; counts[0] * counts[1]];
                let block: Vec<u8> = values.iter().flat_map(|v| v.to_ne_bytes()).collect();
                let src = View::contiguous(&block, &counts, 4).expect("fits");
                let write = |extent: &zarrc::array::Extent, region: &Region| {
                    array.array.write_ahead(extent, region, MemoryType::Native, &src)
                };
                let first = array.append(axis, &count, &write).expect("is appended");
                assert_eq!(first, model.shape[axis]);
                let mut shape = model.shape;
                shape[axis] += count[axis];
                let before = model.shape;
                model.resize(shape);
                for y in 0..shape[0] {
                    for x in 0..shape[1] {
                        if [y, x][axis] >= before[axis] {
                            model.elements[(y * shape[1] + x) as usize] = next;
                        }
                    }
                }
            }
            4 => {
                let shape = [choices.below(14), choices.below(14)];
                array.resize(&shape).expect("is resized");
                model.resize(shape);
            }
            8 => {
                let Some((some, indices)) = selection(&mut choices, model.shape) else { continue };
                let mut block = Vec::new();
                for n in indices {
                    // of an element that is selected several times, the last value stays
                    next += 1;
                    model.elements[n] = next;
                    block.extend(next.to_ne_bytes());
                }
                let src = View::contiguous(&block, &counts_of(&some), 4).expect("fits");
                let silent = Progress::silent();
                let written =
                    array.array.write_selection(&some, MemoryType::Native, None, src, &silent);
                written.expect("is written");
            }
            9 => {
                let Some((some, indices)) = selection(&mut choices, model.shape) else { continue };
                let mut out = vec![0xEE; indices.len() * 4];
                let dst = ViewMut::contiguous(&mut out, &counts_of(&some), 4).expect("fits");
                let silent = Progress::silent();
                let read =
                    array.array.read_selection(&some, MemoryType::Native, None, dst, &silent);
                read.expect("what was written is read");
                let found: Vec<u32> =
                    out.as_chunks().0.iter().map(|b| u32::from_ne_bytes(*b)).collect();
                let expected: Vec<u32> = indices.iter().map(|&n| model.elements[n]).collect();
                assert_eq!(found, expected, "a selection of {:?}", model.shape);
            }
            5 => array.flush().expect("is flushed"),
            6 => {
                array.flush().expect("is flushed");
                array = open().open_array(&path).expect("opens");
                assert_eq!(array.array.shape(), model.shape);
            }
            _ => {
                if let Some(region) = region(&mut choices, model.shape) {
                    read(&array, &model, &region);
                }
            }
        }
    }
    array.flush().expect("is flushed");
    let array = open().open_array(&path).expect("opens");
    read(&array, &model, &Region::whole(&model.shape));
}
