//! Memory that is kept between chunks, measured as the system counts it, in a process of its own.

use crate::common::{Scratch, path};
use std::process::Command;
use std::sync::{Arc, Barrier};
use zarrc::array::MemoryType;
use zarrc::hierarchy::{ArraySpec, Hierarchy};
use zarrc::metadata::{CodecSpec, DataType};
use zarrc::selection::Region;
use zarrc::store::{Mode, Options, open};
use zarrc::strided::{View, ViewMut};

const SIZE: usize = 256 << 20;
const CHUNK: u64 = 8 << 20;
const FOLDER: &str = "ZARRC_TEST_MEMORY";

/// Bytes of this process that are in memory and in no file.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
}

fn nodes(folder: &str, mode: Mode) -> Arc<Hierarchy> {
    let options = Options::default();
    Arc::new(Hierarchy::new(open(folder, mode, &options).unwrap(), &options))
}

/// Runs a test in a process of its own; there, returns its folder.
fn in_own_process(name: &str) -> Option<String> {
    if let Ok(folder) = std::env::var(FOLDER) {
        return Some(folder);
    }
    let scratch = Scratch::new();
    let run = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(FOLDER, scratch.path("a"))
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    None
}

#[test]
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
fn little_memory_is_kept_after_a_call_and_none_after_the_store_is_closed() {
    let name = "memory::little_memory_is_kept_after_a_call_and_none_after_the_store_is_closed";
    let Some(folder) = in_own_process(name) else { return };
    let all = Region::whole(&[SIZE as u64]);
    let mut values: Vec<u8> = (0..SIZE).map(|n| (n >> 6) as u8).collect();
    let mut spec = ArraySpec::new(DataType::UInt8, vec![SIZE as u64]);
    spec.chunk_shape = Some(vec![CHUNK]);
    spec.codecs = Some(vec![CodecSpec::new("zstd", Default::default())]);
    let array = nodes(&folder, Mode::Create).create_array(&path("a"), &spec).unwrap();
    let src = View::contiguous(&values, &[SIZE], 1).unwrap();
    array.array.write(&all, MemoryType::Native, &src).unwrap();
    drop(array);
    let before = resident();
    for round in 0..2 {
        let array = nodes(&folder, Mode::Read).open_array(&path("a")).unwrap();
        // every other element, so that chunks are decoded to memory of the library's own
        let half = Region::new(&[SIZE as u64], &[0], &[SIZE as u64 / 2], Some(&[2])).unwrap();
        let dst = ViewMut::contiguous(&mut values[..SIZE / 2], &[SIZE / 2], 1).unwrap();
        array.array.read(&half, MemoryType::Native, dst).unwrap();
        let kept = resident().saturating_sub(before);
        // what the chunk cache keeps is its own option's, 32 MiB
        assert!(kept <= (32 + 32 + 4) << 20, "round {round}: {} MiB are kept", kept >> 20);
        drop(array);
        let kept = resident().saturating_sub(before);
        // threads and what the allocator holds on to
        assert!(kept <= 3 << 20, "round {round}: {} MiB are kept after closing", kept >> 20);
    }
}

/// A compressor of a high level needs tens of MiB, for each thread that works at once.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
fn threads_that_stay_keep_no_contexts_of_compressors() {
    const THREADS: u64 = 8;
    const LEN: u64 = 4 << 20;
    let name = "memory::threads_that_stay_keep_no_contexts_of_compressors";
    let Some(folder) = in_own_process(name) else { return };
    let values: Vec<u8> = (0..LEN).map(|n| (n >> 6) as u8).collect();
    let mut read = vec![1; values.len() * THREADS as usize];
    let configuration = |text: &str| serde_json::from_str(text).unwrap();
    for (name, settings) in [
        ("zstd", r#"{"level": 12, "checksum": false}"#),
        ("gzip", r#"{"level": 9}"#),
        (
            "blosc",
            r#"{"cname": "zstd", "clevel": 8, "shuffle": "noshuffle", "blocksize": 4194304}"#,
        ),
    ] {
        let mut spec = ArraySpec::new(DataType::UInt8, vec![THREADS * LEN]);
        spec.chunk_shape = Some(vec![LEN]);
        spec.codecs = Some(vec![CodecSpec::new(name, configuration(settings))]);
        let before = resident();
        let array = nodes(&format!("{folder}/{name}"), Mode::Create)
            .create_array(&path("a"), &spec)
            .unwrap();
        let array = Arc::new(array);
        let all = THREADS as usize + 1;
        let (done, closed) = (&Barrier::new(all), &Barrier::new(all));
        let kept = std::thread::scope(|scope| {
            for (n, read) in (0..THREADS).zip(read.chunks_mut(values.len())) {
                let (array, values) = (array.clone(), &values);
                scope.spawn(move || {
                    let part = Region::new(&[THREADS * LEN], &[n * LEN], &[LEN], None).unwrap();
                    let src = View::contiguous(values, &[LEN as usize], 1).unwrap();
                    array.array.write(&part, MemoryType::Native, &src).unwrap();
                    let dst = ViewMut::contiguous(read, &[LEN as usize], 1).unwrap();
                    array.array.read(&part, MemoryType::Native, dst).unwrap();
                    assert!(read == *values);
                    drop(array);
                    done.wait();
                    closed.wait();
                });
            }
            done.wait();
            drop(array);
            let kept = resident().saturating_sub(before);
            closed.wait();
            kept
        });
        assert!(kept <= 3 << 20, "{name}: {} MiB are kept after closing", kept >> 20);
    }
}
