//! Load: many chunks, many arrays, many threads and processes, a long run of mixed operations, a disk
//! that is nearly full. Results must be right, and memory, descriptors and temporary files must not
//! grow. Minutes in all, so the tests are ignored:
//! `cargo test --test all load -- --ignored --nocapture --test-threads=1` prints figures, and
//! `LOAD=0.1` does a tenth.

use crate::common::*;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::Instant;
use zarrc::array::MemoryType;
use zarrc::error::{Kind, Result};
use zarrc::hierarchy::{ArrayNode, ArraySpec, Hierarchy};
use zarrc::metadata::{CodecSpec, DataType};
use zarrc::operations::verify;
use zarrc::progress::Progress;
use zarrc::selection::Region;
use zarrc::store::{Mode, open};
use zarrc::strided::{View, ViewMut};

/// So many, or the part of them that `LOAD` says.
fn many(count: u64) -> u64 {
    let part = std::env::var("LOAD").map_or(1.0, |part| part.parse::<f64>().unwrap());
    ((count as f64 * part) as u64).max(1)
}

fn nodes(url: &str, mode: Mode) -> Arc<Hierarchy> {
    Arc::new(Hierarchy::new(open(url, mode, &options(&[])).unwrap(), &options(&[])))
}

fn spec(shape: &[u64], chunk: &[u64]) -> ArraySpec {
    let mut spec = ArraySpec::new(DataType::UInt32, shape.to_vec());
    spec.chunk_shape = Some(chunk.to_vec());
    spec.codecs = Some(vec![CodecSpec::new("zstd", Default::default())]);
    spec
}

fn write(array: &ArrayNode, start: u64, values: &[u32]) -> Result<()> {
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_ne_bytes()).collect();
    let region = Region::new(&array.array.shape(), &[start], &[values.len() as u64], None)?;
    array.array.write(&region, MemoryType::Native, &View::contiguous(&bytes, &[values.len()], 4)?)
}

fn read(array: &ArrayNode, start: u64, count: usize) -> Result<Vec<u32>> {
    let mut bytes = vec![0xEE; count * 4];
    let region = Region::new(&array.array.shape(), &[start], &[count as u64], None)?;
    array.array.read(&region, MemoryType::Native, ViewMut::contiguous(&mut bytes, &[count], 4)?)?;
    Ok(bytes.as_chunks().0.iter().map(|b| u32::from_ne_bytes(*b)).collect())
}

fn said(what: &str, count: u64, since: Instant) {
    let seconds = since.elapsed().as_secs_f64();
    println!("{what}: {count} in {seconds:.1} s, {:.0} per second", count as f64 / seconds);
}

/// What a process holds: memory (KiB), descriptors.
#[cfg(target_os = "linux")]
fn held() -> (u64, usize) {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = status.split_whitespace().nth(1).unwrap().parse().unwrap();
    (pages * 4, std::fs::read_dir("/proc/self/fd").unwrap().count())
}

/// The files below a folder whose names do not belong to nodes.
fn temporary(folder: &Path) -> usize {
    let mut found = 0;
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        match entry.file_type().unwrap().is_dir() {
            true => found += temporary(&entry.path()),
            false => found += usize::from(name.starts_with('.') && !name.starts_with(".z")),
        }
    }
    found
}

#[test]
#[ignore = "minutes, and gigabytes of files"]
fn an_array_of_a_million_chunks() {
    let (scratch, count) = (Scratch::new(), many(1_000_000));
    let array = nodes(&scratch.url("a"), Mode::Create)
        .create_array(&path("a"), &spec(&[count * 2], &[2]))
        .unwrap();
    let values: Vec<u32> = (1..=count as u32 * 2).collect();
    let begin = Instant::now();
    write(&array, 0, &values).unwrap();
    said("chunks written", count, begin);
    let begin = Instant::now();
    assert!(read(&array, 0, values.len()).unwrap() == values);
    said("chunks read", count, begin);
    let begin = Instant::now();
    let opened = nodes(&scratch.url("a"), Mode::ReadWrite);
    let report = verify(&opened, &path(""), &Progress::silent()).unwrap();
    assert!(report.problems.is_empty());
    said("chunks verified", count, begin);
    let begin = Instant::now();
    array.resize(&[count]).unwrap();
    said("chunks deleted by a resize", count / 2, begin);
    let begin = Instant::now();
    opened.delete(&path("a")).unwrap();
    said("chunks deleted", count / 2, begin);
    assert_eq!(temporary(&scratch.path("a")), 0);
}

#[test]
#[ignore = "minutes"]
fn a_group_of_a_hundred_thousand_arrays() {
    let (scratch, count) = (Scratch::new(), many(100_000));
    let nodes = nodes(&scratch.url("a"), Mode::Create);
    let group = nodes.create_group(&path(""), None).unwrap();
    let begin = Instant::now();
    for n in 0..count {
        nodes.create_array(&path(&format!("a{n}")), &spec(&[4], &[2])).unwrap();
    }
    said("arrays created", count, begin);
    let begin = Instant::now();
    assert_eq!(group.list(false).unwrap().len() as u64, count);
    said("arrays listed", count, begin);
    let begin = Instant::now();
    for n in 0..count {
        nodes.open_array(&path(&format!("a{n}"))).unwrap();
    }
    said("arrays opened", count, begin);
    let begin = Instant::now();
    nodes.consolidate(&path("")).unwrap();
    said("arrays consolidated", count, begin);
    let begin = Instant::now();
    assert_eq!(group.list(false).unwrap().len() as u64, count);
    said("arrays listed from consolidated metadata", count, begin);
    let begin = Instant::now();
    nodes.delete(&path("")).unwrap();
    said("arrays deleted", count, begin);
}

/// Elements that belong to writer `n` of `writers`: every so many, so that all share all chunks.
fn share(array: &ArrayNode, n: u64, writers: u64, rounds: u64) -> Result<()> {
    let shape = array.array.shape();
    let count = shape[0] / writers;
    for round in 1..=rounds {
        let value = (round * 1000 + n) as u32;
        let bytes: Vec<u8> = (0..count).flat_map(|_| value.to_ne_bytes()).collect();
        let region = Region::new(&shape, &[n], &[count], Some(&[writers]))?;
        let src = View::contiguous(&bytes, &[count as usize], 4)?;
        array.array.write(&region, MemoryType::Native, &src)?;
    }
    Ok(())
}

fn check_shares(array: &ArrayNode, writers: u64, rounds: u64) {
    let all = read(array, 0, array.array.shape()[0] as usize).unwrap();
    for (n, value) in all.iter().enumerate() {
        assert_eq!(u64::from(*value), rounds * 1000 + n as u64 % writers, "element {n}");
    }
}

#[test]
#[ignore = "a minute"]
fn sixty_four_threads_in_every_chunk() {
    let (scratch, rounds) = (Scratch::new(), many(20));
    let nodes = nodes(&scratch.url("a"), Mode::Create);
    let array = nodes.create_array(&path("a"), &spec(&[64 * 64], &[64 * 8])).unwrap();
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for n in 0..64 {
            let array = &array;
            scope.spawn(move || share(array, n, 64, rounds).unwrap());
        }
    });
    said("writes of 64 threads, each to 8 shared chunks", 64 * rounds, begin);
    check_shares(&array, 64, rounds);
    assert_eq!(temporary(&scratch.path("a")), 0);
}

const WRITER: &str = "ZARRC_TEST_LOAD_WRITER";

#[test]
#[ignore = "a minute"]
fn eight_processes_in_every_chunk() {
    let rounds = many(50);
    if let Ok(which) = std::env::var(WRITER) {
        let (n, url) = which.split_once(' ').unwrap();
        let array = nodes(url, Mode::ReadWrite).open_array(&path("a")).unwrap();
        return share(&array, n.parse().unwrap(), 8, rounds).unwrap();
    }
    let scratch = Scratch::new();
    let url = scratch.url("a");
    let array =
        nodes(&url, Mode::Create).create_array(&path("a"), &spec(&[8 * 64], &[64])).unwrap();
    let begin = Instant::now();
    let run = |n| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "load::eight_processes_in_every_chunk", "--ignored"])
            .env(WRITER, format!("{n} {url}"))
            .spawn()
            .unwrap()
    };
    let writers: Vec<Child> = (0..8).map(run).collect();
    for mut writer in writers {
        assert!(writer.wait().unwrap().success());
    }
    said("writes of 8 processes, each to 8 shared chunks", 8 * rounds, begin);
    check_shares(&array, 8, rounds);
    assert_eq!(temporary(&scratch.path("a")), 0);
}

/// In a process of its own, so that no other test's memory is counted.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "minutes"]
fn a_million_mixed_operations() {
    const CHILD: &str = "ZARRC_TEST_LOAD_SOAK";
    if std::env::var_os(CHILD).is_none() {
        let status = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "load::a_million_mixed_operations", "--ignored", "--nocapture"])
            .env(CHILD, "1")
            .status()
            .unwrap();
        return assert!(status.success());
    }
    let (scratch, count) = (Scratch::new(), many(1_000_000));
    // chunks of closed arrays stay in the cache until it is full, which takes long by default
    let settings = &[("chunk_cache", "1MiB")];
    let store = open(&scratch.url("a"), Mode::Create, &options(settings)).unwrap();
    let opened = hierarchy(&store, settings);
    opened.create_group(&path(""), None).unwrap();
    const LEN: usize = 512;
    let mut models = vec![vec![0u32; LEN]; 8];
    let create = |n: usize| {
        opened.create_array(&path(&format!("a{n}")), &spec(&[LEN as u64], &[100])).unwrap()
    };
    let mut arrays: Vec<ArrayNode> = (0..8).map(create).collect();
    let mut random = Random(7);
    let begin = Instant::now();
    let (mut first, mut most) = (None, (0, 0));
    for step in 0..count {
        let n = random.below(8) as usize;
        let start = random.below(LEN as u64) as usize;
        let len = 1 + random.below((LEN - start) as u64) as usize;
        match random.below(100) {
            0..40 => {
                let values: Vec<u32> = (0..len).map(|_| random.next() as u32).collect();
                write(&arrays[n], start as u64, &values).unwrap();
                models[n][start..start + len].copy_from_slice(&values);
            }
            40..90 => {
                let found = read(&arrays[n], start as u64, len).unwrap();
                assert!(found == models[n][start..start + len], "step {step}");
            }
            90..94 => {
                let text = format!("{}", random.next());
                arrays[n].attributes().write(&mut |all| all.set("n", &text)).unwrap();
            }
            94..96 => {
                let to = random.below(LEN as u64);
                arrays[n].resize(&[to]).unwrap();
                arrays[n].resize(&[LEN as u64]).unwrap();
                models[n][to as usize..].fill(0);
            }
            96..98 => arrays[n] = opened.open_array(&path(&format!("a{n}"))).unwrap(),
            98 => {
                opened.delete(&path(&format!("a{n}"))).unwrap();
                arrays[n] = create(n);
                models[n].fill(0);
            }
            _ => assert_eq!(opened.open_group(&path("")).unwrap().list(true).unwrap().len(), 8),
        }
        if step % (count / 20).max(1) == 0 {
            let now = held();
            // a tenth is there to fill caches
            if step >= count / 10 && first.is_none() {
                first = Some(now);
            }
            most = (most.0.max(now.0), most.1.max(now.1));
        }
    }
    said("mixed operations", count, begin);
    let first = first.unwrap_or_else(held);
    println!("KiB and descriptors after a tenth: {first:?}; at most {most:?}");
    assert!(most.0 < first.0 + (8 << 10), "memory grows");
    assert!(most.1 <= first.1 + 4, "descriptors are lost");
    assert_eq!(temporary(&scratch.path("a")), 0);
}

/// Needs the right to mount.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "mounts a disk"]
fn a_disk_that_is_nearly_full() {
    let scratch = Scratch::new();
    let disk = scratch.path("disk");
    std::fs::create_dir_all(&disk).unwrap();
    let mount =
        Command::new("mount").args(["-t", "tmpfs", "-o", "size=64m", "tmpfs"]).arg(&disk).status();
    if !mount.is_ok_and(|status| status.success()) {
        return println!("not run: this process may not mount");
    }
    let outcome = std::panic::catch_unwind(|| {
        let opened = nodes(disk.join("a").to_str().unwrap(), Mode::Create);
        let array = opened.create_array(&path("a"), &spec(&[1 << 20], &[1 << 14])).unwrap();
        let mut model: Vec<u32> =
            (0..1 << 20).map(|n: u32| n.wrapping_mul(2_654_435_761)).collect();
        write(&array, 0, &model).unwrap();
        // so much is left that one thread can replace a chunk, and two cannot
        let mut rest = std::fs::File::create(disk.join("rest")).unwrap();
        while rest.write_all(&[1; 4096]).is_ok() {}
        rest.set_len(rest.metadata().unwrap().len() - (80 << 10)).unwrap();
        let (mut full, mut random) = (0, Random(3));
        for _ in 0..many(2000) {
            let start = random.below(1 << 20) as usize;
            let len = 1 + random.below((1 << 20) - start as u64) as usize;
            let values: Vec<u32> = (0..len).map(|_| random.next() as u32).collect();
            let result = write(&array, start as u64, &values);
            let found = read(&array, 0, 1 << 20).unwrap();
            match result {
                Ok(()) => model[start..start + len].copy_from_slice(&values),
                Err(e) => {
                    assert!(matches!(e.kind(), Kind::Io), "{:?} {e}", e.kind());
                    full += 1;
                    // each chunk is old or new
                    for chunk in (0..1 << 20).step_by(1 << 14) {
                        let (from, to) = (start.max(chunk), (start + len).min(chunk + (1 << 14)));
                        let mut new = model[chunk..chunk + (1 << 14)].to_vec();
                        if from < to {
                            new[from - chunk..to - chunk]
                                .copy_from_slice(&values[from - start..to - start]);
                        }
                        let part = &found[chunk..chunk + (1 << 14)];
                        assert!(part == &new[..] || part == &model[chunk..chunk + (1 << 14)]);
                        model[chunk..chunk + (1 << 14)].copy_from_slice(part);
                    }
                }
            }
            assert!(found == model);
        }
        println!("{full} of {} writes found the disk full", many(2000));
        assert!(full > 0);
        assert_eq!(temporary(&disk.join("a")), 0);
    });
    let _ = Command::new("umount").arg(&disk).status();
    outcome.unwrap();
}
