//! The write buffer: what is gathered is read back at once, reaches the store when a chunk is
//! full, at a flush and at a close, and never writes over what others wrote beside it.

use std::sync::Arc;
use zarrc::array::MemoryType;
use zarrc::hierarchy::{ArrayNode, ArraySpec, Hierarchy};
use zarrc::metadata::{DataType, NodePath, Region};
use zarrc::store::{self, Key, Mode, Options};
use zarrc::strided::{View, ViewMut};

fn open(name: &str, buffer: &str) -> Arc<Hierarchy> {
    let mut options = Options::default();
    options.set("write_buffer", buffer).expect("an option");
    let store = store::open(&format!("memory:write_buffer-{name}"), Mode::Append, &options)
        .expect("memory");
    Arc::new(Hierarchy::new(store, &options))
}

fn spec(shape: &[u64], chunk: &[u64]) -> ArraySpec {
    let mut spec = ArraySpec::new(DataType::UInt16, shape.to_vec());
    spec.chunk_shape = Some(chunk.to_vec());
    spec
}

fn root() -> NodePath {
    NodePath::root()
}

fn region(array: &ArrayNode, start: &[u64], count: &[u64], step: Option<&[u64]>) -> Region {
    Region::new(&array.array.shape(), start, count, step).expect("inside")
}

fn put(array: &ArrayNode, region: &Region, values: &[u16]) {
    let count: Vec<usize> = region.spans().iter().map(|s| s.count as usize).collect();
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_ne_bytes()).collect();
    let src = View::contiguous(&bytes, &count, 2).expect("fits");
    array.array.write(region, MemoryType::Native, &src).expect("written");
}

fn get(array: &ArrayNode, region: &Region) -> Vec<u16> {
    let count: Vec<usize> = region.spans().iter().map(|s| s.count as usize).collect();
    let mut bytes = vec![0; count.iter().product::<usize>() * 2];
    let dst = ViewMut::contiguous(&mut bytes, &count, 2).expect("fits");
    array.array.read(region, MemoryType::Native, dst).expect("read");
    bytes.as_chunks().0.iter().map(|b| u16::from_ne_bytes(*b)).collect()
}

fn has(hierarchy: &Hierarchy, key: &str) -> bool {
    let key = Key::parse(key).expect("a key");
    hierarchy.store().version(&key).expect("no error").is_some()
}

#[test]
fn a_full_chunk_is_written_once_and_a_part_at_the_flush() {
    let (ours, theirs) = (open("full", "1MiB"), open("full", "0"));
    let array = ours.create_array(&root(), &spec(&[10, 8], &[4, 8])).expect("created");
    let other = theirs.open_array(&root()).expect("opened");
    for y in 0..10 {
        put(&array, &region(&array, &[y, 0], &[1, 8], None), &[y as u16 + 1; 8]);
        assert_eq!(has(&ours, "c/0/0"), y >= 3, "full with row 3");
        assert_eq!(has(&ours, "c/1/0"), y >= 7, "full with row 7");
        assert!(!has(&ours, "c/2/0"), "never full");
    }
    assert_eq!(get(&other, &region(&other, &[8, 0], &[2, 8], None)), [0; 16]);
    array.array.flush().expect("flushed");
    let expected: Vec<u16> = (0..80).map(|n| n / 8 + 1).collect();
    assert_eq!(get(&other, &region(&other, &[0, 0], &[10, 8], None)), expected);
}

#[test]
fn what_is_gathered_is_read_back_and_what_is_not_stays() {
    let (ours, theirs) = (open("back", "1MiB"), open("back", "0"));
    let array = ours.create_array(&root(), &spec(&[16, 16], &[8, 8])).expect("created");
    let other = theirs.open_array(&root()).expect("opened");
    let all = region(&array, &[0, 0], &[16, 16], None);
    put(&other, &all, &[7; 256]);
    let part = region(&array, &[1, 2], &[5, 4], Some(&[3, 3]));
    put(&array, &part, &[9; 20]);
    assert_eq!(get(&other, &all), [7; 256], "only gathered");
    // written beside it meanwhile
    put(&other, &region(&other, &[0, 0], &[1, 16], None), &[8; 16]);
    assert_eq!(get(&array, &part), [9; 20]);
    let expected: Vec<u16> = (0..256)
        .map(|n| {
            let (y, x) = (n / 16, n % 16);
            match () {
                _ if y >= 1
                    && (y - 1) % 3 == 0
                    && y < 14
                    && x >= 2
                    && (x - 2) % 3 == 0
                    && x < 12 =>
                {
                    9
                }
                _ if y == 0 => 8,
                _ => 7,
            }
        })
        .collect();
    assert_eq!(get(&array, &all), expected);
    array.array.flush().expect("flushed");
    assert_eq!(get(&other, &all), expected);
}

#[test]
fn a_whole_write_comes_after_what_was_gathered() {
    let ours = open("whole", "1MiB");
    let array = ours.create_array(&root(), &spec(&[8, 8], &[8, 8])).expect("created");
    put(&array, &region(&array, &[0, 0], &[1, 8], None), &[1; 8]);
    put(&array, &region(&array, &[0, 0], &[8, 8], None), &[2; 64]);
    array.array.flush().expect("flushed");
    assert_eq!(get(&array, &region(&array, &[0, 0], &[8, 8], None)), [2; 64]);
}

#[test]
fn it_holds_no_more_than_it_may_and_grows_with_the_array() {
    let (ours, theirs) = (open("frames", "600"), open("frames", "0"));
    // chunks of 256 bytes: two of them fit
    let array = ours.create_array(&root(), &spec(&[0, 8], &[16, 8])).expect("created");
    for frame in 0..40u64 {
        array.resize(&[frame + 1, 8]).expect("grown");
        put(&array, &region(&array, &[frame, 0], &[1, 8], None), &[frame as u16 + 1; 8]);
        assert_eq!(has(&ours, "c/0/0"), frame >= 15, "gathered while the array grows");
    }
    array.array.flush().expect("flushed");
    let other = theirs.open_array(&root()).expect("opened");
    let expected: Vec<u16> = (0..320).map(|n| n / 8 + 1).collect();
    assert_eq!(get(&other, &region(&other, &[0, 0], &[40, 8], None)), expected);
}

#[test]
fn many_threads_write_rows_and_read_them() {
    let (ours, theirs) = (open("threads", "2000"), open("threads", "0"));
    let array = ours.create_array(&root(), &spec(&[64, 64], &[16, 16])).expect("created");
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let array = &array;
            scope.spawn(move || {
                for y in (thread..64).step_by(4) {
                    let row = region(array, &[y, 0], &[1, 64], None);
                    put(array, &row, &[y as u16 + 1; 64]);
                    if y % 5 == 0 {
                        assert_eq!(get(array, &row), [y as u16 + 1; 64]);
                    }
                }
            });
        }
    });
    array.array.flush().expect("flushed");
    let other = theirs.open_array(&root()).expect("opened");
    let expected: Vec<u16> = (0..64 * 64).map(|n| n / 64 + 1).collect();
    assert_eq!(get(&other, &region(&other, &[0, 0], &[64, 64], None)), expected);
}
