//! What is kept decoded is never stale: another handle, another process or the raw store may
//! change a chunk at any time, and the next read sees it.

use crate::common::path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use zarrc::array::MemoryType;
use zarrc::hierarchy::{ArrayNode, ArraySpec, Hierarchy};
use zarrc::metadata::{CodecSpec, DataType, Region};
use zarrc::store::{self, Key, Mode, Options, Precondition};
use zarrc::strided::{View, ViewMut};

struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("cache-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Scratch(path)
    }

    fn open(&self, cache: &str) -> Arc<Hierarchy> {
        let mut options = Options::default();
        options.set("chunk_cache", cache).expect("an option");
        let url = self.0.to_str().expect("text");
        let store = store::open(url, Mode::Append, &options).expect("a directory");
        Arc::new(Hierarchy::new(store, &options))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const SHAPE: [u64; 2] = [64, 64];

fn codec(name: &str) -> CodecSpec {
    CodecSpec::new(name, Default::default())
}

/// Arrays of 2 x 2 chunks, of each kind of which something is kept.
fn specs() -> Vec<(&'static str, ArraySpec)> {
    let plain = |codecs: &[&str]| {
        let mut spec = ArraySpec::new(DataType::UInt32, SHAPE.to_vec());
        spec.chunk_shape = Some(vec![32, 32]);
        spec.codecs = Some(codecs.iter().map(|c| codec(c)).collect());
        spec
    };
    let sharded = |codecs: &[&str]| {
        let mut spec = plain(codecs);
        spec.chunk_shape = Some(vec![8, 16]);
        spec.shard_shape = Some(vec![32, 32]);
        spec
    };
    vec![
        ("raw", plain(&[])),
        ("zstd", plain(&["zstd"])),
        ("blosc", plain(&["blosc"])),
        ("gzip-crc", plain(&["gzip", "crc32c"])),
        ("shard-raw", sharded(&[])),
        ("shard-zstd", sharded(&["zstd"])),
    ]
}

fn write(array: &ArrayNode, start: [u64; 2], count: [u64; 2], value: u32) {
    let data = vec![value; (count[0] * count[1]) as usize];
    let bytes: Vec<u8> = data.iter().flat_map(|v| v.to_ne_bytes()).collect();
    let region = Region::new(&SHAPE, &start, &count, None).expect("inside");
    let src = View::contiguous(&bytes, &count.map(|n| n as usize), 4).expect("fits");
    array.array.write(&region, MemoryType::Native, &src).expect("written");
}

fn read(array: &ArrayNode, start: [u64; 2], count: [u64; 2]) -> Vec<u32> {
    let mut bytes = vec![0; (count[0] * count[1] * 4) as usize];
    let region = Region::new(&SHAPE, &start, &count, None).expect("inside");
    let dst = ViewMut::contiguous(&mut bytes, &count.map(|n| n as usize), 4).expect("fits");
    array.array.read(&region, MemoryType::Native, dst).expect("read");
    bytes.as_chunks().0.iter().map(|b| u32::from_ne_bytes(*b)).collect()
}

#[test]
fn a_change_by_anyone_is_seen_at_once() {
    let scratch = Scratch::new("seen");
    let (ours, theirs) = (scratch.open("1MiB"), scratch.open("0"));
    for (name, spec) in specs() {
        let array = ours.create_array(&path(name), &spec).expect("created");
        let other = theirs.open_array(&path(name)).expect("opened");
        let mut expected = 0;
        for round in 1..20 {
            for row in 0..5 {
                assert_eq!(read(&array, [row, 3], [1, 40]), [expected; 40], "{name}, {round}");
            }
            expected = round;
            match round % 4 {
                0 => write(&array, [0, 0], SHAPE, round),
                1 => write(&other, [0, 0], SHAPE, round),
                // the same lengths, one after the other
                2 => (round - 2..=round).for_each(|v| write(&other, [0, 0], SHAPE, v)),
                _ => {
                    write(&other, [0, 0], [8, 64], round);
                    write(&array, [8, 0], [56, 64], round);
                }
            }
        }
        // and that it is gone
        let chunk = Key::parse(&format!("{name}/c/0/0")).expect("a key");
        assert_eq!(read(&array, [1, 1], [1, 2]), [19; 2], "{name}");
        assert!(theirs.store().erase(&chunk, &Precondition::None).expect("erased"), "{name}");
        assert_eq!(read(&array, [1, 1], [1, 2]), [0; 2], "{name}");
    }
}

/// What one handle keeps of the chunk that it wrote a part of is not what another has made of it.
#[test]
fn parts_written_in_turns_by_two_are_all_there() {
    let scratch = Scratch::new("turns");
    let (ours, theirs) = (scratch.open("1MiB"), scratch.open("1MiB"));
    for (name, spec) in specs() {
        let array = ours.create_array(&path(name), &spec).expect("created");
        let other = theirs.open_array(&path(name)).expect("opened");
        let mut expected = vec![0; 64 * 64];
        for n in 1..60u32 {
            // rows of one chunk in any order, by one for a while, then by the other
            let row = (n * 7 % 32) as u64;
            write(if n / 5 % 2 == 0 { &array } else { &other }, [row, 0], [1, 64], n);
            expected[row as usize * 64..][..64].fill(n);
            if n % 17 == 0 {
                write(&other, [0, 0], [32, 64], n); // whole chunks
                expected[..32 * 64].fill(n);
            }
            if n % 23 == 0 {
                let chunk = Key::parse(&format!("{name}/c/0/1")).expect("a key");
                theirs.store().erase(&chunk, &Precondition::None).expect("erased");
                (0..32).for_each(|row| expected[row * 64 + 32..][..32].fill(0));
            }
            assert_eq!(read(&array, [0, 0], SHAPE), expected, "{name} {n}");
        }
    }
}

#[test]
fn readers_beside_a_writer_see_whole_values_and_never_go_back() {
    let scratch = Scratch::new("beside");
    let (ours, theirs) = (scratch.open("1MiB"), scratch.open("0"));
    for (name, spec) in specs() {
        let array = ours.create_array(&path(name), &spec).expect("created");
        let other = theirs.open_array(&path(name)).expect("opened");
        write(&other, [0, 0], [32, 32], 1);
        let (written, done) = (AtomicU32::new(1), AtomicBool::new(false));
        std::thread::scope(|scope| {
            for thread in 0..2 {
                let (array, written, done) = (&array, &written, &done);
                scope.spawn(move || {
                    let mut row = thread;
                    while !done.load(Ordering::Acquire) {
                        let least = written.load(Ordering::Acquire);
                        let seen = read(array, [row % 32, 0], [1, 32]);
                        assert!(seen.iter().all(|v| *v == seen[0]), "{name}: torn {seen:?}");
                        assert!(seen[0] >= least, "{name}: {} after {least}", seen[0]);
                        row += 1;
                    }
                });
            }
            for value in 2..300 {
                write(&other, [0, 0], [32, 32], value);
                written.store(value, Ordering::Release);
            }
            done.store(true, Ordering::Release);
        });
    }
}

#[test]
fn a_cache_of_nothing_and_a_cache_too_small_change_nothing() {
    let scratch = Scratch::new("small");
    for cache in ["0", "1", "5000"] {
        let ours = scratch.open(cache);
        for (name, spec) in specs() {
            let array =
                ours.create_array(&path(&format!("{name}{cache}")), &spec).expect("created");
            for row in 0..64 {
                write(&array, [row, 0], [1, 64], row as u32);
            }
            for row in (0..64).rev() {
                assert_eq!(read(&array, [row, 0], [1, 64]), [row as u32; 64], "{name} {cache}");
            }
        }
    }
}
