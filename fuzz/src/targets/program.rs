//! A program of calls on one array, beside the same on a plain vector: create, write, fill, append,
//! resize, read, flush, open again. Each byte chooses; what is read must be what the vector holds.

use super::{check, memory};
use std::sync::Arc;
use zarrc::array::MemoryType;
use zarrc::format::FormatId;
use zarrc::hierarchy::{ArrayNode, ArraySpec, Hierarchy};
use zarrc::metadata::{CodecSpec, DataType, NodePath};
use zarrc::selection::{Region, Selection};
use zarrc::store::Options;
use zarrc::strided::{View, ViewMut};

/// The bytes of the input, then zeros.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn below(&mut self, n: u64) -> u64 {
        u64::from(self.0.next().copied().unwrap_or(0)) % n
    }

    fn is_over(&self) -> bool {
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
        match choices.below(8) {
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
