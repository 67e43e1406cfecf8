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
        // its number is not given to another while it is open
        let _open = std::fs::File::open(&chunk).unwrap();
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

const BOTH: [(&str, &str); 2] = [("overwrite", "in_place"), ("write_buffer", "1MiB")];

/// An array of `frames` frames of 20 x 50, four to a chunk.
fn film(store: &Arc<Hierarchy>, frames: u64) -> ArrayNode {
    let mut spec = spec(None, Endian::Little);
    (spec.shape, spec.chunk_shape) = (vec![frames, 20, 50], Some(vec![4, 20, 50]));
    store.create_array(&path("a"), &spec).unwrap()
}

fn frame(n: u64) -> Region {
    let shape = [n + 1, 20, 50];
    Region::new(&shape, &[n, 0, 0], &[1, 20, 50], None).unwrap()
}

/// The first element of each frame, and whether the others follow it.
fn frames(array: &ArrayNode) -> Vec<Option<u32>> {
    let shape = array.array.shape();
    let counts: Vec<usize> = shape.iter().map(|&n| n as usize).collect();
    let mut block = vec![0xAA; counts.iter().product::<usize>() * 4];
    let dst = ViewMut::contiguous(&mut block, &counts, 4).unwrap();
    array.array.read(&Region::whole(&shape), MemoryType::Native, dst).unwrap();
    let values: Vec<u32> = block.as_chunks().0.iter().map(|b| u32::from_ne_bytes(*b)).collect();
    let first = |frame: &[u32]| (0..).zip(frame).all(|(n, v)| *v == frame[0] + n);
    values.chunks(1000).map(|frame| first(frame).then_some(frame[0])).collect()
}

/// How many frames the stored document says, and those of which something is stored.
fn stored(scratch: &Scratch) -> (u64, u64) {
    let root = scratch.path("a.zarr/a");
    let text = std::fs::read(root.join("zarr.json")).unwrap();
    let document: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let files = std::fs::read_dir(root.join("c")).into_iter().flatten();
    let number = |file: std::io::Result<std::fs::DirEntry>| -> u64 {
        file.unwrap().file_name().to_str().unwrap().parse().unwrap()
    };
    let last = files.map(number).max().map_or(0, |n| n * 4 + 1);
    (document["shape"][0].as_u64().unwrap(), last)
}

#[test]
fn a_larger_shape_is_stored_before_any_element_outside() {
    let scratch = Scratch::new();
    let url = scratch.url("a.zarr");
    let array = film(&open(&url, &BOTH), 1);
    let mut expected = Vec::new();
    for n in 0..30 {
        if n > 0 {
            array.resize(&[n + 1, 20, 50]).unwrap();
        }
        write(&array, &frame(n), 5000 * n as u32);
        expected.push(Some(5000 * n as u32));
        assert_eq!(array.array.shape()[0], n + 1);
        // a chunk that is full, and nothing else, is stored with the shape
        let (shape, last) = stored(&scratch);
        assert_eq!(shape, if n < 3 { 1 } else { (n + 1) / 4 * 4 }, "{n}");
        assert!(last <= shape, "frame {n}: {last} stored, the shape is {shape}");
        let reader = open(&url, &[]).open_array(&path("a")).unwrap();
        match n {
            0..3 => assert_eq!(frames(&reader), [None], "fill values"),
            _ => assert_eq!(frames(&reader), expected[..shape as usize]),
        }
    }
    assert!(array.document().unwrap().windows(3).any(|text| text == b"30,"));
    assert_eq!(stored(&scratch).0, 30);
    array.resize(&[31, 20, 50]).unwrap();
    array.flush().unwrap();
    assert_eq!(stored(&scratch).0, 31);
    array.resize(&[33, 20, 50]).unwrap();
    write(&array, &frame(32), 7);
    array.close().unwrap();
    let reader = open(&url, &[]).open_array(&path("a")).unwrap();
    assert_eq!(frames(&reader)[..30], expected);
    assert_eq!(frames(&reader)[32], Some(7));
}

#[test]
fn a_collected_shape_never_takes_from_others() {
    let scratch = Scratch::new();
    let url = scratch.url("a.zarr");
    let (ours, theirs) = (film(&open(&url, &BOTH), 1), open(&url, &[]));
    let theirs = theirs.open_array(&path("a")).unwrap();
    for n in 1..3 {
        ours.resize(&[n + 1, 20, 50]).unwrap();
        write(&ours, &frame(n), 5000 * n as u32);
    }
    // they make it longer than ours, and fill what we collect elsewhere in the same chunk
    theirs.resize(&[10, 20, 50]).unwrap();
    write(&theirs, &frame(0), 70_000);
    write(&theirs, &frame(9), 90_000);
    ours.flush().unwrap();
    theirs.refresh().unwrap();
    let mut expected = vec![None; 10];
    expected[..3].copy_from_slice(&[Some(70_000), Some(5000), Some(10_000)]);
    expected[9] = Some(90_000);
    assert_eq!(frames(&theirs), expected);
    // a smaller shape, an append and a refresh store what is collected first
    ours.refresh().unwrap();
    assert_eq!(ours.array.shape()[0], 10);
    ours.resize(&[12, 20, 50]).unwrap();
    write(&ours, &frame(11), 110_000);
    ours.resize(&[11, 20, 50]).unwrap();
    ours.resize(&[12, 20, 50]).unwrap();
    ours.refresh().unwrap();
    expected.extend([None; 2]);
    assert_eq!(frames(&ours), expected);
    ours.resize(&[13, 20, 50]).unwrap();
    let block: Vec<u8> = (0..1000u32).flat_map(u32::to_ne_bytes).collect();
    let first = ours.append(0, &[1, 20, 50], &|extent, region| {
        let src = View::contiguous(&block, &[1, 20, 50], 4)?;
        ours.array.write_ahead(extent, region, MemoryType::Native, &src)
    });
    assert_eq!(first.unwrap(), 13);
    expected.extend([None, Some(0)]);
    theirs.refresh().unwrap();
    assert_eq!(frames(&theirs), expected);
    // many threads, each with frames of its own, while others make the array longer
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let ours = &ours;
            scope.spawn(move || {
                for n in (14 + thread..64).step_by(4) {
                    ours.grow(&[n + 1, 20, 50]).unwrap();
                    write(ours, &frame(n), 5000 * n as u32);
                }
            });
        }
        for n in [20, 33, 50] {
            theirs.grow(&[n, 20, 50]).unwrap();
        }
    });
    ours.close().unwrap();
    theirs.refresh().unwrap();
    expected.extend((14..64).map(|n| Some(5000 * n)));
    assert_eq!(frames(&theirs), expected);
}

#[test]
fn errors_of_a_collected_shape_come_when_it_is_stored() {
    let scratch = Scratch::new();
    let url = scratch.url("a.zarr");
    let store = open(&url, &BOTH);
    let array = film(&store, 1);
    array.resize(&[2, 20, 50]).unwrap();
    write(&array, &frame(1), 1);
    store.delete(&path("a")).unwrap();
    assert_eq!(failure(array.flush()).kind(), zarrc::error::Kind::NotFound);
    let mut other = spec(None, Endian::Big);
    other.shape = vec![1, 20, 50];
    store.create_array(&path("a"), &other).unwrap();
    assert_eq!(failure(array.flush()).kind(), zarrc::error::Kind::Conflict);
    assert!(!scratch.path("a.zarr/a/c").exists(), "no element of the array that is gone");
    // a wrong rank, and a store that may not change, say so at once
    assert!(array.resize(&[3, 20]).is_err());
    let options = options(&BOTH);
    let read = store::open(&url, Mode::Read, &options).unwrap();
    let read = Arc::new(Hierarchy::new(read, &options)).open_array(&path("a")).unwrap();
    let refused = failure(read.resize(&[3, 7, 50]));
    assert_eq!(refused.kind(), zarrc::error::Kind::PermissionDenied);
}

/// A directory that another process moved away, or replaced by a link, is not written to.
#[test]
fn nothing_is_written_to_a_directory_that_was_replaced() {
    let scratch = Scratch::new();
    let url = scratch.url("a.zarr");
    let array = in_place(&url).create_array(&path("a"), &spec(None, Endian::Little)).unwrap();
    let mut model: Vec<u32> = (0..9000).collect();
    write(&array, &Region::whole(&SHAPE), 0);
    let (chunks, moved) = (scratch.path("a.zarr/a/c"), scratch.path("moved"));
    std::fs::rename(&chunks, &moved).unwrap();
    let copied = std::process::Command::new("cp").arg("-r").args([&moved, &chunks]).status();
    assert!(copied.unwrap().success());
    let before = std::fs::read(moved.join("0/0/0")).unwrap();
    let part = Region::new(&SHAPE, &[1, 1, 1], &[2, 2, 2], None).unwrap();
    write(&array, &part, 70_000);
    apply(&mut model, &part, 70_000);
    let whole = Region::new(&SHAPE, &[0, 7, 0], &[4, 7, 50], None).unwrap();
    write(&array, &whole, 80_000);
    apply(&mut model, &whole, 80_000);
    assert!(read(&open(&url, &[]).open_array(&path("a")).unwrap()) == model);
    assert_eq!(std::fs::read(moved.join("0/0/0")).unwrap(), before);
    // with links refused, neither parts nor whole chunks go through one
    std::fs::remove_dir_all(&chunks).unwrap();
    std::os::unix::fs::symlink(&moved, &chunks).unwrap();
    let strict = open(&url, &[("overwrite", "in_place"), ("follow_symlinks", "no")]);
    let strict = strict.open_array(&path("a")).unwrap();
    for region in [&part, &whole] {
        let counts: Vec<usize> = region.spans().iter().map(|s| s.count as usize).collect();
        let block = vec![0; counts.iter().product::<usize>() * 4];
        let src = View::contiguous(&block, &counts, 4).unwrap();
        let error = failure(strict.array.write(region, MemoryType::Native, &src));
        assert_eq!(error.kind(), zarrc::error::Kind::PermissionDenied, "{error}");
    }
    assert_eq!(std::fs::read(moved.join("0/0/0")).unwrap(), before);
}

/// What can never be stored is refused at once, collected or not, and the array goes on.
#[test]
fn a_shape_that_cannot_be_stored_is_not_collected() {
    for format in [FormatId::V3, FormatId::V2, FormatId::N5] {
        let scratch = Scratch::new();
        let (url, plain) = (scratch.url("a.zarr"), scratch.url("b.zarr"));
        let mut spec = spec(None, Endian::Little);
        spec.format = Some(format);
        spec.fill_value = FillSpec::Element(FillValue::new(&[0; 4]));
        let array = open(&url, &BOTH).create_array(&path("a"), &spec).unwrap();
        let plain = open(&plain, &[]).create_array(&path("a"), &spec).unwrap();
        for extent in [1 << 31, (1 << 62) + 1, (1 << 63) - 1, 1 << 63, u64::MAX] {
            for shape in [[extent, 20, 50], [extent; 3], [extent, 20, 0], [extent, 50, 0]] {
                let before = array.array.shape();
                let (direct, collected) = (plain.resize(&shape), array.resize(&shape));
                match (&direct, &collected) {
                    (Ok(()), Ok(())) => array.flush().unwrap(),
                    (Err(a), Err(b)) => {
                        assert_eq!(a.kind(), b.kind(), "{format:?} {shape:?}: {a}, {b}");
                        assert_eq!(array.array.shape(), before);
                    }
                    _ => panic!("{format:?} {shape:?}: {direct:?}, {collected:?}"),
                }
                plain.resize(&SHAPE).unwrap();
                array.resize(&SHAPE).unwrap();
            }
        }
        write(&array, &frame(0), 3);
        array.close().unwrap();
    }
}
