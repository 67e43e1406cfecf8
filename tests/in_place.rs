//! The option `overwrite=in_place`: the same elements as in memory, the same file as before, no
//! write of another handle lost, and nothing written through a link.

use crate::common::*;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use zarrc::array::MemoryType;
use zarrc::format::FormatId;
use zarrc::hierarchy::{ArrayNode, ArraySpec, FillSpec, Hierarchy};
use zarrc::metadata::{CodecSpec, DataType, Endian, FillValue};
use zarrc::selection::Region;
use zarrc::store::{self, Mode};
use zarrc::strided::{View, ViewMut};

const SHAPE: [u64; 3] = [9, 20, 50];

fn open(url: &str, set: &[(&str, &str)]) -> Arc<Hierarchy> {
    let options = options(set);
    Arc::new(Hierarchy::new(store::open(url, Mode::Append, &options).unwrap(), &options))
}

fn in_place(url: &str) -> Arc<Hierarchy> {
    open(url, &[("overwrite", "in_place")])
}

fn spec(codec: Option<&str>, endian: Endian) -> ArraySpec {
    let mut spec = ArraySpec::new(DataType::UInt32, SHAPE.to_vec());
    spec.format = Some(FormatId::V3);
    spec.chunk_shape = Some(vec![4, 7, 50]);
    spec.endian = Some(endian);
    spec.fill_value = FillSpec::Element(FillValue::new(&5u32.to_ne_bytes()));
    spec.codecs =
        Some(codec.iter().map(|name| CodecSpec::new(*name, Default::default())).collect());
    spec
}

fn write(array: &ArrayNode, region: &Region, value: u32) {
    let counts: Vec<usize> = region.spans().iter().map(|s| s.count as usize).collect();
    let block: Vec<u8> = (0..counts.iter().product::<usize>() as u32)
        .flat_map(|n| (value + n).to_ne_bytes())
        .collect();
    let src = View::contiguous(&block, &counts, 4).unwrap();
    array.array.write(region, MemoryType::Native, &src).unwrap();
}

fn read(array: &ArrayNode) -> Vec<u32> {
    let counts = SHAPE.map(|n| n as usize);
    let mut block = vec![0xAA; counts.iter().product::<usize>() * 4];
    let dst = ViewMut::contiguous(&mut block, &counts, 4).unwrap();
    array.array.read(&Region::whole(&SHAPE), MemoryType::Native, dst).unwrap();
    block.as_chunks().0.iter().map(|b| u32::from_ne_bytes(*b)).collect()
}

/// The same write to the elements in memory.
fn apply(model: &mut [u32], region: &Region, value: u32) {
    let at = |d: usize| {
        let span = region.spans()[d];
        (0..span.count).map(move |n| (span.start + n * span.step) as usize)
    };
    let mut next = value;
    for z in at(0) {
        for y in at(1) {
            for x in at(2) {
                model[(z * 20 + y) * 50 + x] = next;
                next += 1;
            }
        }
    }
}

fn any_region(random: &mut Random) -> Region {
    let mut start = [0; 3];
    let (mut count, mut step) = ([0; 3], [1; 3]);
    for d in 0..3 {
        start[d] = random.below(SHAPE[d]);
        step[d] = 1 + random.below(3);
        count[d] = 1 + random.below((SHAPE[d] - 1 - start[d]) / step[d] + 1);
    }
    Region::new(&SHAPE, &start, &count, Some(&step)).unwrap()
}

fn inode(path: &Path) -> u64 {
    std::fs::metadata(path).unwrap().ino()
}

#[test]
fn parts_and_whole_chunks_go_where_the_old_ones_are() {
    for (codec, endian) in
        [(None, Endian::Little), (None, Endian::Big), (Some("zstd"), Endian::Little)]
    {
        let scratch = Scratch::new();
        let url = scratch.url("a.zarr");
        let ours = in_place(&url).create_array(&path("a"), &spec(codec, endian)).unwrap();
        let all = Region::whole(&SHAPE);
        let mut model = vec![5; 9000];
        let chunk = scratch.path("a.zarr/a/c/0/0/0");
        let mut random = Random(7);
        for n in 0..60 {
            let region = if n == 20 { all.clone() } else { any_region(&mut random) };
            write(&ours, &region, 100 * n);
            apply(&mut model, &region, 100 * n);
            // a reader that knows nothing of it
            assert!(read(&open(&url, &[]).open_array(&path("a")).unwrap()) == model, "{n}");
            assert!(read(&ours) == model, "{n}");
        }
        let before = inode(&chunk);
        write(&ours, &all, 1);
        write(&ours, &Region::new(&SHAPE, &[1, 1, 1], &[2, 2, 2], None).unwrap(), 1);
        assert_eq!(inode(&chunk) == before, codec.is_none(), "{codec:?}");
    }
}

#[test]
fn writers_of_both_kinds_keep_each_others_elements() {
    let scratch = Scratch::new();
    let url = scratch.url("a.zarr");
    open(&url, &[]).create_array(&path("a"), &spec(None, Endian::Little)).unwrap();
    let arrays: Vec<_> = [in_place(&url), open(&url, &[]), in_place(&url), open(&url, &[])]
        .iter()
        .map(|store| store.open_array(&path("a")).unwrap())
        .collect();
    // in turns: what one keeps decoded must not hide what others have written
    let mut random = Random(3);
    let mut model = vec![5; 9000];
    for n in 0..200 {
        let region = any_region(&mut random);
        write(&arrays[random.below(4) as usize], &region, n * 9);
        apply(&mut model, &region, n * 9);
    }
    assert!(arrays.iter().all(|array| read(array) == model));
    // and at once, each to rows of its own in the same chunks
    std::thread::scope(|scope| {
        for (n, array) in arrays.iter().enumerate() {
            scope.spawn(move || {
                for turn in 1..=20 {
                    for y in (n as u64..20).step_by(4) {
                        let row = Region::new(&SHAPE, &[0, y, 3], &[9, 1, 30], None).unwrap();
                        write(array, &row, turn * 1000 + y as u32);
                    }
                }
            });
        }
    });
    for y in 0..20 {
        let row = Region::new(&SHAPE, &[0, y, 3], &[9, 1, 30], None).unwrap();
        apply(&mut model, &row, 20_000 + y as u32);
    }
    assert!(arrays.iter().all(|array| read(array) == model));
}

#[test]
fn nothing_is_written_through_a_link() {
    let scratch = Scratch::new();
    let url = scratch.url("a.zarr");
    let store = open(&url, &[("overwrite", "in_place"), ("follow_symlinks", "yes")]);
    let array = store.create_array(&path("a"), &spec(None, Endian::Little)).unwrap();
    write(&array, &Region::whole(&SHAPE), 0);
    let (first, second) = (scratch.path("a.zarr/a/c/0/0/0"), scratch.path("a.zarr/a/c/1/0/0"));
    let (kept, target) = (scratch.path("kept"), scratch.path("target"));
    std::fs::hard_link(&first, &kept).unwrap();
    std::fs::rename(&second, &target).unwrap();
    std::os::unix::fs::symlink(&target, &second).unwrap();
    let before = [&kept, &target].map(|path| std::fs::read(path).unwrap());
    write(&array, &Region::new(&SHAPE, &[1, 1, 1], &[6, 2, 2], None).unwrap(), 70);
    write(&array, &Region::new(&SHAPE, &[0, 0, 0], &[8, 7, 50], None).unwrap(), 900);
    assert_eq!([&kept, &target].map(|path| std::fs::read(path).unwrap()), before);
    assert!(read(&array)[0] == 900 && !std::fs::symlink_metadata(&second).unwrap().is_symlink());
}

#[test]
fn a_chunk_that_a_killed_writer_cut_short_is_repaired_by_a_whole_one() {
    let scratch = Scratch::new();
    let url = scratch.url("a.zarr");
    let array = in_place(&url).create_array(&path("a"), &spec(None, Endian::Little)).unwrap();
    write(&array, &Region::whole(&SHAPE), 0);
    let chunk = scratch.path("a.zarr/a/c/0/0/0");
    for size in [0, 100, 100_000] {
        std::fs::File::options().write(true).open(&chunk).unwrap().set_len(size).unwrap();
        let part = Region::new(&SHAPE, &[1, 1, 1], &[2, 2, 2], None).unwrap();
        let src = [0; 32];
        let src = View::contiguous(&src, &[2, 2, 2], 4).unwrap();
        let error = failure(array.array.write(&part, MemoryType::Native, &src));
        assert_eq!(error.kind(), zarrc::error::Kind::CorruptData, "{size}");
        write(&array, &Region::whole(&SHAPE), 3);
        assert_eq!(read(&array), (3..9003).collect::<Vec<u32>>());
    }
}

/// With a write buffer, a chunk that was filled part by part goes where the old one is.
#[test]
fn gathered_chunks_go_where_the_old_ones_are() {
    let scratch = Scratch::new();
    let url = scratch.url("a.zarr");
    let both = &[("overwrite", "in_place"), ("write_buffer", "1MiB")];
    let store = open(&url, both);
    let array = store.create_array(&path("a"), &spec(None, Endian::Little)).unwrap();
    let mut model = vec![5; 9000];
    let mut random = Random(11);
    for n in 0..40 {
        for _ in 0..10 {
            let region = any_region(&mut random);
            write(&array, &region, n * 7);
            apply(&mut model, &region, n * 7);
        }
        array.flush().unwrap();
        assert!(read(&open(&url, &[]).open_array(&path("a")).unwrap()) == model, "{n}");
    }
    let chunk = scratch.path("a.zarr/a/c/0/0/0");
    let before = inode(&chunk);
    for y in 0..7 {
        let row = Region::new(&SHAPE, &[0, y, 0], &[4, 1, 50], None).unwrap();
        write(&array, &row, y as u32);
        apply(&mut model, &row, y as u32);
    }
    // it is full, so it is written without a flush
    assert!(read(&open(&url, &[]).open_array(&path("a")).unwrap()) == model);
    assert_eq!(inode(&chunk), before);
}
