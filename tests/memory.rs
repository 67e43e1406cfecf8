//! Memory that is kept between chunks, measured as the system counts it, in a process of its own.

use crate::common::{Scratch, path};
use std::process::Command;
use std::sync::Arc;
use zarrc::array::MemoryType;
use zarrc::hierarchy::{ArraySpec, Hierarchy};
use zarrc::metadata::{CodecSpec, DataType};
use zarrc::selection::Region;
use zarrc::store::{Mode, Options, open};
use zarrc::strided::{View, ViewMut};

const SIZE: usize = 256 << 20;
const CHUNK: u64 = 8 << 20;
const FOLDER: &str = "ZARRC_TEST_MEMORY";

/// Bytes of this process that are in memory.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: usize = status.split_whitespace().nth(1).unwrap().parse().unwrap();
    pages * 4096
}

fn nodes(folder: &str, mode: Mode) -> Arc<Hierarchy> {
    let options = Options::default();
    Arc::new(Hierarchy::new(open(folder, mode, &options).unwrap(), &options))
}

#[test]
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
fn little_memory_is_kept_after_a_call_and_none_after_the_store_is_closed() {
    let Ok(folder) = std::env::var(FOLDER) else {
        let scratch = Scratch::new();
        let name = "memory::little_memory_is_kept_after_a_call_and_none_after_the_store_is_closed";
        let this = std::env::current_exe().unwrap();
        let run = Command::new(this)
            .args(["--exact", name, "--nocapture", "--test-threads=1"])
            .env(FOLDER, scratch.path("a"))
            .output()
            .unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        return;
    };
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
        // threads, contexts of compressors and what the allocator holds on to
        assert!(kept <= 12 << 20, "round {round}: {} MiB are kept after closing", kept >> 20);
    }
}
