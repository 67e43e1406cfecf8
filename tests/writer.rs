//! The streaming writer: what readers see, and when; how often each chunk is stored; what a killed
//! writer leaves. What is expected is computed here, element by element.

use crate::common::*;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use zarrc::array::MemoryType;
use zarrc::error::Kind;
use zarrc::format::FormatId;
use zarrc::hierarchy::{ArrayNode, ArraySpec, Hierarchy};
use zarrc::metadata::DataType;
use zarrc::operations::{Writer, WriterOptions};
use zarrc::selection::Region;
use zarrc::store::{self, Mode};
use zarrc::strided::{View, ViewMut};

const SIDE: u64 = 512;

fn open(url: &str, set: &[(&str, &str)]) -> Arc<Hierarchy> {
    let options = options(set);
    Arc::new(Hierarchy::new(store::open(url, Mode::Append, &options).unwrap(), &options))
}

/// Frames in shards of 4 steps and 1 MiB, and their times in small chunks.
fn specs(format: FormatId) -> [(&'static str, ArraySpec); 2] {
    let mut frames = ArraySpec::new(DataType::UInt16, vec![0, 256, SIDE]);
    match format {
        FormatId::V3 => {
            frames.shard_shape = Some(vec![4, 256, SIDE]);
            frames.chunk_shape = Some(vec![1, 64, SIDE]);
        }
        _ => frames.chunk_shape = Some(vec![4, 256, SIDE]),
    }
    let names = ["time", "y", "x"].map(|name| Some(name.to_owned()));
    frames.dimension_names = Some(names.to_vec());
    let mut time = ArraySpec::new(DataType::Float64, vec![0]);
    time.dimension_names = Some(names[..1].to_vec());
    [("frames", frames), ("time", time)]
        .map(|(name, spec)| (name, ArraySpec { format: Some(format), ..spec }))
}

fn writer(store: &Arc<Hierarchy>, format: FormatId, options: WriterOptions) -> Writer {
    if store.kind_at(&path("")).unwrap().is_none() {
        store.create_group(&path(""), Some(format)).unwrap();
    }
    let writer = Writer::open(store, &path(""), options).unwrap();
    for (n, (name, spec)) in specs(format).iter().enumerate() {
        assert_eq!(writer.declare(name, spec).unwrap(), n);
    }
    writer
}

fn value(step: u64, y: u64) -> u16 {
    (step * 300 + y + 1) as u16
}

/// Rows `y` to `y + rows` of a frame.
fn put_rows(writer: &Writer, step: u64, y: u64, rows: u64) {
    let block: Vec<u8> =
        (y..y + rows).flat_map(|y| value(step, y).to_ne_bytes().repeat(SIDE as usize)).collect();
    let src = View::contiguous(&block, &[1, rows as usize, SIDE as usize], 2).unwrap();
    writer.put(0, &[step, y, 0], &[1, rows, SIDE], MemoryType::Native, &src).unwrap();
}

fn put_time(writer: &Writer, step: u64) {
    let block = (step as f64 / 4.0).to_ne_bytes();
    let src = View::contiguous(&block, &[1], 8).unwrap();
    writer.put(1, &[step], &[1], MemoryType::Native, &src).unwrap();
}

/// A step, its rows in any order from two threads.
fn put_step(writer: &Writer, step: u64) {
    std::thread::scope(|scope| {
        for half in 0..2 {
            scope.spawn(move || {
                for part in [3, 0, 2, 1] {
                    put_rows(writer, step, half * 128 + part * 32, 32);
                }
            });
        }
        put_time(writer, step);
    });
}

fn elements(array: &ArrayNode) -> Vec<u8> {
    let shape = array.array.shape();
    let counts: Vec<usize> = shape.iter().map(|&n| n as usize).collect();
    let item = array.array.metadata().data_type.size();
    let mut block = vec![0xAA; counts.iter().product::<usize>() * item];
    let dst = ViewMut::contiguous(&mut block, &counts, item).unwrap();
    array.array.read(&Region::whole(&shape), MemoryType::Native, dst).unwrap();
    block
}

/// What a reader finds that opens the store now; frames and times for which `put` is false are 0.
fn check(url: &str, steps: u64, put: impl Fn(u64) -> bool) {
    for consolidated in ["yes", "no"] {
        let store = open(url, &[("consolidated", consolidated)]);
        let time = store.open_array(&path("time")).unwrap();
        let frames = store.open_array(&path("frames")).unwrap();
        assert_eq!((time.array.shape()[0], frames.array.shape()[0]), (steps, steps));
        let expected = (0..steps).map(|t| if put(t) { t as f64 / 4.0 } else { 0.0 });
        assert!(elements(&time) == expected.flat_map(f64::to_ne_bytes).collect::<Vec<_>>());
        let row = |t, y| if put(t) { value(t, y) } else { 0 };
        let rows = (0..steps).flat_map(|t| (0..256).map(move |y| (t, y)));
        let expected = rows.flat_map(|(t, y)| row(t, y).to_ne_bytes().repeat(SIDE as usize));
        assert!(elements(&frames) == expected.collect::<Vec<_>>(), "{steps} steps");
    }
}

fn wait_for_steps(writer: &Writer, steps: u64) {
    let begun = Instant::now();
    while writer.steps().unwrap() < steps {
        assert!(begun.elapsed() < Duration::from_secs(60), "not visible: {steps}");
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(writer.steps().unwrap(), steps);
}

/// How often each chunk was stored, by the log.
fn stored(log: &std::path::Path) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for line in std::fs::read_to_string(log).unwrap().lines() {
        let mut words = line.split(' ');
        if words.next() == Some("set") {
            let key = words.next().unwrap().trim_matches('"');
            *counts.entry(key.to_owned()).or_default() += 1;
        }
    }
    counts
}

#[test]
fn readers_see_whole_steps_and_chunks_are_stored_once() {
    for (format, chunk) in [(FormatId::V3, "frames/c/N/0/0"), (FormatId::V2, "frames/N.0.0")] {
        let scratch = Scratch::new();
        let (url, log) = (scratch.url("a.zarr"), scratch.path("log"));
        let store = open(&format!("{url}|log:{}", log.display()), &[]);
        let writer = writer(&store, format, WriterOptions::default());
        // the next shard begins before this one is committed
        for step in [1, 0, 4, 3, 2] {
            put_step(&writer, step);
        }
        writer.commit(3).unwrap();
        assert_eq!(writer.steps().unwrap(), 0, "not before the shard is full");
        writer.commit(5).unwrap();
        wait_for_steps(&writer, 4);
        check(&url, 4, |_| true);
        for step in 5..10 {
            put_step(&writer, step);
            writer.commit(step + 1).unwrap();
        }
        wait_for_steps(&writer, 8);
        writer.flush().unwrap();
        check(&url, 10, |_| true);
        // not committed
        put_rows(&writer, 10, 0, 100);
        put_step(&writer, 12);
        writer.close().unwrap();
        check(&url, 10, |_| true);
        drop((writer, store));
        let counts = stored(&log);
        for (shard, times) in [("0", Some(1)), ("1", Some(1)), ("2", Some(1)), ("3", None)] {
            let key = chunk.replace('N', shard);
            assert_eq!(counts.get(&key).copied(), times, "{key}");
        }
        // what was put and not committed is gone, not only out of sight
        let again = open(&url, &[]);
        let frames = again.open_array(&path("frames")).unwrap();
        frames.array.set_extent(zarrc::array::Extent {
            shape: vec![16, 256, SIDE],
            grid: frames.array.grid(),
        });
        let all = elements(&frames);
        assert!(all[10 * 256 * SIDE as usize * 2..].iter().all(|&byte| byte == 0));
    }
}

#[test]
fn steps_that_were_not_put_are_the_fill_value() {
    let scratch = Scratch::new();
    let url = scratch.url("a.zarr");
    let store = open(&url, &[]);
    let writer = writer(&store, FormatId::V3, WriterOptions::default());
    for step in [0, 2, 3, 6] {
        put_step(&writer, step);
    }
    writer.commit(9).unwrap();
    writer.close().unwrap();
    check(&url, 9, |t| [0, 2, 3, 6].contains(&t));
}

#[test]
fn a_step_is_visible_in_time() {
    let scratch = Scratch::new();
    let url = scratch.url("a.zarr");
    let store = open(&url, &[]);
    let patience = Some(Duration::from_millis(30));
    let writer = writer(&store, FormatId::V3, WriterOptions { patience, buffer: 0 });
    for step in 0..6 {
        put_step(&writer, step);
        writer.commit(step + 1).unwrap();
        wait_for_steps(&writer, step + 1);
        check(&url, step + 1, |_| true);
    }
}

#[test]
fn a_small_buffer_stores_chunks_early_and_loses_nothing() {
    let scratch = Scratch::new();
    let url = scratch.url("a.zarr");
    let store = open(&url, &[("queue_bytes", "1KiB")]);
    let writer = writer(&store, FormatId::V2, WriterOptions { patience: None, buffer: 1 });
    for step in [7, 0, 5, 2, 6, 1, 4, 3] {
        put_step(&writer, step);
    }
    writer.commit(8).unwrap();
    writer.close().unwrap();
    check(&url, 8, |_| true);
}

#[test]
fn a_writer_goes_on_where_a_killed_one_stopped() {
    for format in [FormatId::V3, FormatId::V2] {
        let scratch = Scratch::new();
        let url = scratch.url("a.zarr");
        let store = open(&url, &[]);
        let first = writer(&store, format, WriterOptions::default());
        (0..6).for_each(|step| put_step(&first, step));
        first.commit(6).unwrap();
        first.close().unwrap();
        // killed: 7 steps are stored, one document says so, and there are blocks beyond
        for (name, steps, item) in [("frames", 11, 2), ("time", 7, 8)] {
            let array = store.open_array(&path(name)).unwrap();
            let mut shape = array.array.shape();
            shape[0] = steps;
            let grown = zarrc::array::Extent { shape: shape.clone(), grid: array.array.grid() };
            let extents = shape.iter().map(|&n| n as usize);
            let count: Vec<usize> =
                std::iter::once(steps as usize - 6).chain(extents.skip(1)).collect();
            let mut block = vec![0xEE; count.iter().product::<usize>() * item];
            match name {
                "time" => block.copy_from_slice(&1.5f64.to_ne_bytes()),
                _ => {
                    for (y, row) in block.chunks_mut(SIDE as usize * 2).take(256).enumerate() {
                        row.copy_from_slice(
                            &value(6, y as u64).to_ne_bytes().repeat(SIDE as usize),
                        );
                    }
                }
            }
            let mut start = vec![0; shape.len()];
            start[0] = 6;
            let count64: Vec<u64> = count.iter().map(|&n| n as u64).collect();
            let region = Region::new(&shape, &start, &count64, None).unwrap();
            let src = View::contiguous(&block, &count, item).unwrap();
            array.array.write_ahead(&grown, &region, MemoryType::Native, &src).unwrap();
            if name == "time" {
                array
                    .array
                    .set_extent(zarrc::array::Extent { shape: vec![6], grid: array.array.grid() });
                array
                    .append(0, &[1], &|extent, region| {
                        let block = 1.5f64.to_ne_bytes();
                        let src = View::contiguous(&block, &[1], 8)?;
                        array.array.write_ahead(extent, region, MemoryType::Native, &src)
                    })
                    .unwrap();
            }
        }
        let second = writer(&open(&url, &[]), format, WriterOptions::default());
        assert_eq!(second.steps().unwrap(), 7);
        put_step(&second, 8);
        second.commit(9).unwrap();
        second.close().unwrap();
        check(&url, 9, |t| t != 7);
    }
}

#[test]
fn the_first_error_stops_it_and_the_visible_steps_stay() {
    let scratch = Scratch::new();
    let url = scratch.url("a.zarr");
    let store = open(&url, &[]);
    let first = writer(&store, FormatId::V3, WriterOptions::default());
    (0..4).for_each(|step| put_step(&first, step));
    first.commit(4).unwrap();
    wait_for_steps(&first, 4);
    let large = 1e9f64.to_ne_bytes();
    let src = View::contiguous(&large, &[1, 1, 1], 8).unwrap();
    let double = MemoryType::Number(zarrc::strided::Number::Float64);
    first.put(0, &[4, 0, 0], &[1, 1, 1], double, &src).unwrap();
    first.commit(5).unwrap();
    assert_eq!(failure(first.flush()).kind(), Kind::TypeMismatch);
    assert_eq!(failure(first.commit(6)).kind(), Kind::TypeMismatch);
    assert_eq!(failure(first.close()).kind(), Kind::TypeMismatch);
    drop(first);
    check(&url, 4, |_| true);
    let second = writer(&store, FormatId::V3, WriterOptions::default());
    assert_eq!(second.steps().unwrap(), 4);
    put_step(&second, 4);
    second.commit(5).unwrap();
    second.close().unwrap();
    check(&url, 5, |_| true);
}

#[test]
fn wrong_calls_are_refused() {
    let store = hierarchy(&memory(), &[]);
    let writer = writer(&store, FormatId::V3, WriterOptions::default());
    let mut wrong = specs(FormatId::V3)[0].1.clone();
    assert_eq!(failure(writer.declare("frames", &wrong)).kind(), Kind::AlreadyExists);
    assert_eq!(failure(writer.declare("a/b", &wrong)).kind(), Kind::InvalidArgument);
    wrong.shape[2] = 500;
    wrong.shard_shape = None;
    assert_eq!(failure(writer.declare("other", &wrong)).kind(), Kind::InvalidArgument);
    wrong.shape[0] = 1;
    assert_eq!(failure(writer.declare("other", &wrong)).kind(), Kind::InvalidArgument);
    put_step(&writer, 0);
    let late = specs(FormatId::V3)[1].1.clone();
    assert_eq!(failure(writer.declare("late", &late)).kind(), Kind::InvalidArgument);
    writer.commit(2).unwrap();
    let src = View::contiguous(&[0; 8], &[1], 8).unwrap();
    let put = |number, start: &[u64], count: &[u64]| {
        failure(writer.put(number, start, count, MemoryType::Native, &src)).kind()
    };
    assert_eq!(put(1, &[1], &[1]), Kind::OutOfBounds);
    assert_eq!(put(1, &[u64::MAX], &[1]), Kind::OutOfBounds);
    assert_eq!(put(1, &[2, 0], &[1, 1]), Kind::InvalidArgument);
    assert_eq!(put(1, &[2], &[2]), Kind::InvalidArgument);
    assert_eq!(put(2, &[2], &[1]), Kind::InvalidArgument);
    assert_eq!(failure(writer.commit(1)).kind(), Kind::InvalidArgument);
    let empty = Writer::open(&store, &path("g"), WriterOptions::default()).unwrap();
    assert_eq!(failure(empty.commit(1)).kind(), Kind::InvalidArgument);
    empty.close().unwrap();
}
