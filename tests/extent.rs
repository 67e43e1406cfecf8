//! Arrays whose extent changes: appended to by several processes of which some are killed, resized
//! by handles that have not seen it all, grown over what killed writers left. What is expected is
//! computed here, element by element.

use crate::common::*;
use std::process::{Child, Command};
use std::sync::Arc;
use zarrc::array::MemoryType;
use zarrc::error::{Kind, Result};
use zarrc::format::FormatId;
use zarrc::hierarchy::{ArrayNode, ArraySpec, Hierarchy};
use zarrc::metadata::DataType;
use zarrc::selection::Region;
use zarrc::store::{self, Depth, Mode, Options, Precondition};
use zarrc::strided::{View, ViewMut};

const PART: &str = "ZARRC_TEST_APPENDER";

fn open(url: &str, mode: Mode, set: &[(&str, &str)]) -> Arc<Hierarchy> {
    let options = options(set);
    Arc::new(Hierarchy::new(store::open(url, mode, &options).unwrap(), &options))
}

fn spec(format: FormatId, shape: &[u64], chunks: &[u64]) -> ArraySpec {
    let mut spec = ArraySpec::new(DataType::UInt32, shape.to_vec());
    spec.format = Some(format);
    spec.chunk_shape = Some(chunks.to_vec());
    spec
}

fn bytes(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_ne_bytes()).collect()
}

/// Appends a block that holds `value` everywhere.
fn append(array: &ArrayNode, axis: usize, count: &[u64], value: u32) -> Result<u64> {
    let counts: Vec<usize> = count.iter().map(|&n| n as usize).collect();
    let block = bytes(&vec![value; counts.iter().product()]);
    let src = View::contiguous(&block, &counts, 4)?;
    array.append(axis, count, &|extent, region| {
        array.array.write_ahead(extent, region, MemoryType::Native, &src)
    })
}

fn write(array: &ArrayNode, start: &[u64], count: &[u64], value: u32) {
    let counts: Vec<usize> = count.iter().map(|&n| n as usize).collect();
    let block = bytes(&vec![value; counts.iter().product()]);
    let src = View::contiguous(&block, &counts, 4).unwrap();
    let region = Region::new(&array.array.shape(), start, count, None).unwrap();
    array.array.write(&region, MemoryType::Native, &src).unwrap();
}

fn read(array: &ArrayNode) -> Vec<u32> {
    let shape = array.array.shape();
    let counts: Vec<usize> = shape.iter().map(|&n| n as usize).collect();
    let mut block = vec![0xAA; counts.iter().product::<usize>() * 4];
    let dst = ViewMut::contiguous(&mut block, &counts, 4).unwrap();
    array.array.read(&Region::whole(&shape), MemoryType::Native, dst).unwrap();
    block.as_chunks().0.iter().map(|b| u32::from_ne_bytes(*b)).collect()
}

const FORMATS: [FormatId; 4] = [FormatId::V2, FormatId::V3, FormatId::N5, FormatId::V3Draft2020];

#[test]
fn blocks_are_appended_along_any_axis() {
    for format in FORMATS {
        for buffer in ["0", "1MiB"] {
            let store = hierarchy(&memory(), &[("write_buffer", buffer)]);
            let array = store.create_array(&path("a"), &spec(format, &[3, 0], &[2, 4])).unwrap();
            let other = store.open_array(&path("a")).unwrap();
            let mut rows: Vec<Vec<u32>> = vec![vec![]; 3];
            for (n, width) in [1, 1, 4, 9, 0, 2].into_iter().enumerate() {
                let from = if n % 2 == 0 { &array } else { &other };
                let first = append(from, 1, &[3, width], n as u32 + 1).unwrap();
                assert_eq!(first, rows[0].len() as u64);
                rows.iter_mut().for_each(|row| row.extend(vec![n as u32 + 1; width as usize]));
            }
            append(&other, 0, &[2, rows[0].len() as u64], 99).unwrap();
            rows.extend([vec![99; rows[0].len()], vec![99; rows[0].len()]]);
            let found = store.open_array(&path("a")).unwrap();
            assert_eq!(read(&found), rows.concat(), "{format:?} {buffer}");
            // a handle sees what others appended once it is refreshed
            assert_eq!(array.array.shape(), [3, 15]);
            array.refresh().unwrap();
            assert_eq!(read(&array), rows.concat());
            for (axis, count) in [(2, [1, 1]), (0, [1, 5]), (1, [3, 1])] {
                let e = append(&array, axis, &count, 1).unwrap_err();
                assert_eq!(e.kind(), Kind::InvalidArgument, "{e}");
            }
            assert_eq!(array.array.shape(), [5, 17], "nothing has changed");
        }
    }
}

#[test]
fn a_handle_cuts_only_what_it_has_seen() {
    for format in FORMATS {
        let store = hierarchy(&memory(), &[]);
        let first = store.create_array(&path("a"), &spec(format, &[10, 4], &[1, 4])).unwrap();
        let second = store.open_array(&path("a")).unwrap();
        first.resize(&[50, 4]).unwrap();
        write(&first, &[0, 0], &[50, 4], 7);
        let e = second.resize(&[11, 4]).unwrap_err();
        assert_eq!(e.kind(), Kind::Conflict);
        assert!(e.to_string().contains("50 x 4") && e.to_string().contains("10 x 4"), "{e}");
        let again = store.open_array(&path("a")).unwrap();
        assert_eq!(read(&again), vec![7; 200], "{format:?}: nothing is lost");
        second.grow(&[20, 4]).unwrap();
        assert_eq!(second.array.shape(), [50, 4], "and growing never cuts");
        second.resize(&[60, 4]).unwrap();
        // it has seen all of it now
        second.resize(&[11, 4]).unwrap();
        second.resize(&[50, 4]).unwrap();
        let expected = [vec![7; 44], vec![0; 156]].concat();
        assert_eq!(read(&store.open_array(&path("a")).unwrap()), expected, "nothing comes back");
    }
}

#[test]
fn growing_clears_what_lies_outside() {
    for format in FORMATS {
        let inner = memory();
        let store = hierarchy(&inner, &[]);
        let array = store.create_array(&path("a"), &spec(format, &[5, 3], &[4, 2])).unwrap();
        write(&array, &[0, 0], &[5, 3], 1);
        // what a writer leaves that is killed before it says that the array has grown
        let grown = zarrc::array::Extent { shape: vec![9, 5], grid: array.array.grid() };
        let block = bytes(&[8; 45]);
        let src = View::contiguous(&block, &[9, 5], 4).unwrap();
        array.array.write_ahead(&grown, &Region::whole(&[9, 5]), MemoryType::Native, &src).unwrap();
        array.grow(&[7, 5]).unwrap();
        array.grow(&[9, 5]).unwrap();
        let row = |y: usize| [vec![if y < 5 { 8 } else { 0 }; 3], vec![0; 2]].concat();
        let expected: Vec<u32> = (0..9).flat_map(row).collect();
        assert_eq!(read(&array), expected, "{format:?}");
    }
}

#[test]
fn a_chunk_that_is_kept_decoded_has_the_shape_of_now() {
    let scratch = Scratch::new();
    for (n, format) in [FormatId::N5, FormatId::V3].into_iter().enumerate() {
        let store = open(&scratch.url(&format!("{n}.zarr")), Mode::Create, &[]);
        let array = store.create_array(&path("a"), &spec(format, &[20], &[8])).unwrap();
        let mut expected = vec![0; 20];
        for (value, at) in [(5, 16), (6, 17), (7, 16)] {
            write(&array, &[at], &[1], value);
            expected[at as usize] = value;
        }
        for shape in [21, 19, 40, 18, 24] {
            array.resize(&[shape]).unwrap();
            expected.resize(shape as usize, 0);
            assert_eq!(read(&array), expected);
            write(&array, &[17], &[1], shape as u32);
            expected[17] = shape as u32;
            assert_eq!(read(&store.open_array(&path("a")).unwrap()), expected, "{format:?}");
        }
    }
}

#[test]
fn an_array_that_was_replaced_is_not_changed() {
    let store = hierarchy(&memory(), &[]);
    let old = store.create_array(&path("a"), &spec(FormatId::V3, &[4], &[4])).unwrap();
    let new = ArraySpec::new(DataType::Float64, vec![6]);
    store.replace_array(&path("a"), &new).unwrap();
    for result in [old.refresh(), old.resize(&[2]), append(&old, 0, &[1], 1).map(drop)] {
        assert_eq!(result.unwrap_err().kind(), Kind::Conflict);
    }
    store.delete(&path("a")).unwrap();
    assert_eq!(old.refresh().unwrap_err().kind(), Kind::NotFound);
    assert_eq!(old.array.shape(), [4]);
}

/// One process: appends blocks of 1 to 3 rows, and says so after each on its standard output.
#[test]
fn part_append() {
    let Ok(part) = std::env::var(PART) else { return };
    let (me, url) = part.split_once(' ').unwrap();
    let me: u32 = me.parse().unwrap();
    let array = open(url, Mode::ReadWrite, &[]).open_array(&path("x")).unwrap();
    for k in 0..25 {
        let (value, rows) = (me * 1000 + k + 1, u64::from((me + k) % 3 + 1));
        append(&array, 0, &[rows, 4], value).unwrap();
        println!("appended {value} {rows}");
    }
}

fn appender(me: u32, url: &str, log: &std::path::Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "extent::part_append", "--nocapture", "--test-threads=1"]);
    let log = std::fs::File::create(log).unwrap();
    command.env(PART, format!("{me} {url}")).stdout(log).spawn().unwrap()
}

/// What the rows must be after `processes` have appended, some of them killed.
fn check_appended(url: &str, format: FormatId, kill: bool) {
    let scratch = Scratch::new();
    let store = open(url, Mode::Create, &[]);
    drop(store.create_array(&path("x"), &spec(format, &[0, 4], &[5, 4])).unwrap());
    let log = |n: u32| scratch.path(&format!("log{n}"));
    let mut running: Vec<Child> = (0..3).map(|n| appender(n, url, &log(n))).collect();
    let mut started = 3;
    let mut random = Random(7);
    while kill && started < 9 {
        std::thread::sleep(std::time::Duration::from_millis(20 + random.below(40)));
        let victim = random.below(running.len() as u64) as usize;
        running[victim].kill().unwrap();
        running[victim].wait().unwrap();
        running[victim] = appender(started, url, &log(started));
        started += 1;
        // a reader finds whole rows, and none that is not written
        let rows = read(&open(url, Mode::Read, &[]).open_array(&path("x")).unwrap());
        assert!(rows.chunks(4).all(|row| row[0] != 0 && row.iter().all(|v| *v == row[0])));
    }
    running.iter_mut().for_each(|child| assert!(child.wait().unwrap().success()));
    let rows = read(&open(url, Mode::Read, &[]).open_array(&path("x")).unwrap());
    assert!(rows.chunks(4).all(|row| row[0] != 0 && row.iter().all(|v| *v == row[0])), "torn");
    let firsts: Vec<u32> = rows.chunks(4).map(|row| row[0]).collect();
    let mut acknowledged = 0;
    for n in 0..started {
        for line in std::fs::read_to_string(log(n)).unwrap().lines() {
            let Some(words) = line.split_once("appended ").map(|(_, words)| words) else {
                continue;
            };
            let mut words = words.split(' ').map(|word| word.parse::<u32>());
            let (Some(Ok(value)), Some(Ok(count))) = (words.next(), words.next()) else { continue };
            let at = firsts.iter().position(|v| *v == value).expect("an acknowledged row");
            let found = firsts.iter().filter(|v| **v == value).count();
            assert_eq!(found as u32, count, "{value}");
            assert!(firsts[at..at + found].iter().all(|v| *v == value), "a block lies together");
            acknowledged += 1;
        }
    }
    assert!(acknowledged >= 75, "{acknowledged}");
}

#[test]
fn processes_that_append_lose_no_row() {
    let scratch = Scratch::new();
    check_appended(&scratch.url("a.zarr"), FormatId::V3, false);
    check_appended(&scratch.url("b.zarr"), FormatId::N5, true);
    check_appended(&scratch.url("c.zarr"), FormatId::V2, true);
    let left = store::open(&scratch.url("b.zarr"), Mode::Read, &Options::default()).unwrap();
    left.list("", Depth::All, &mut |entry| {
        assert!(!format!("{entry:?}").contains("lock"), "{entry:?}");
        Ok(())
    })
    .unwrap();
}

#[cfg(feature = "sqlite")]
#[test]
fn processes_append_where_a_key_is_the_lock() {
    let scratch = Scratch::new();
    check_appended(&format!("sqlite:{}", scratch.url("a.sqlite")), FormatId::V3, false);
}

#[cfg(feature = "sqlite")]
#[test]
fn a_lock_that_was_left_is_taken_over() {
    let scratch = Scratch::new();
    let url = format!("sqlite:{}", scratch.url("a.sqlite"));
    let inner = store::open(&url, Mode::Create, &Options::default()).unwrap();
    let store = hierarchy(&inner, &[]);
    let array = store.create_array(&path("a"), &spec(FormatId::V3, &[0], &[4])).unwrap();
    inner.set(&key("a/.zarrc-lock"), &[b"zarrc 1 0 0"], &Precondition::None).unwrap();
    append(&array, 0, &[3], 5).unwrap();
    assert_eq!(read(&array), [5; 3]);
    assert!(inner.version(&key("a/.zarrc-lock")).unwrap().is_none());
}

#[test]
fn nodes_are_opened_or_made() {
    let store = hierarchy(&memory(), &[]);
    let small = spec(FormatId::V3, &[4], &[2]);
    let made = store.open_or_create_array(&path("g/a"), &small).unwrap();
    append(&made, 0, &[3], 5).unwrap();
    assert_eq!(store.open_or_create_array(&path("g/a"), &small).unwrap().array.shape(), [7]);
    let e = store.require_array(&path("g/a"), &small).err().unwrap();
    assert_eq!(e.kind(), Kind::AlreadyExists);
    assert!(e.to_string().contains("[7]") && e.to_string().contains("[4]"), "{e}");
    let grown = spec(FormatId::V3, &[7], &[1]);
    assert_eq!(read(&store.require_array(&path("g/a"), &grown).unwrap()), [0, 0, 0, 0, 5, 5, 5]);
    assert_eq!(store.require_group(&path("g/a"), None).err().unwrap().kind(), Kind::AlreadyExists);
    let e = store.open_or_create_array(&path("g"), &small).err().unwrap();
    assert_eq!(e.kind(), Kind::AlreadyExists);
    drop(store.require_group(&path("g"), None).unwrap());
    drop(store.require_group(&path("h/k"), None).unwrap());
    // what cannot be made leaves what is there
    let mut broken = small.clone();
    broken.chunk_shape = Some(vec![0]);
    assert!(store.replace_array(&path("g/a"), &broken).is_err());
    assert_eq!(read(&store.open_array(&path("g/a")).unwrap()).len(), 7);
    assert_eq!(read(&store.replace_array(&path("g/a"), &small).unwrap()), [0; 4]);
    drop(store.replace_group(&path("g"), None).unwrap());
    assert!(store.open_array(&path("g/a")).is_err());
}

#[test]
fn an_array_like_another() {
    for format in FORMATS {
        let store = hierarchy(&memory(), &[]);
        let mut first = spec(format, &[9, 5], &[4, 2]);
        if format == FormatId::V3 {
            first.shard_shape = Some(vec![8, 4]);
            first.dimension_names = Some(vec![Some("y".into()), None]);
        }
        let one = store.create_array(&path("one"), &first).unwrap();
        let two = store.create_array(&path("two"), &ArraySpec::like(&one).unwrap()).unwrap();
        let (a, b) = (one.array.metadata(), two.array.metadata());
        assert_eq!(a, b, "{format:?}");
        let mut wider = ArraySpec::like(&two).unwrap();
        wider.shape = vec![0, 7];
        wider.chunk_shape = Some(vec![2, 2]);
        let three = store.create_array(&path("three"), &wider).unwrap();
        assert_eq!((three.array.shape(), three.array.chunk_shape()), (vec![0, 7], vec![2, 2]));
    }
}

#[test]
fn nodes_by_one_url() {
    use zarrc::hierarchy::{open_array_at, open_group_at};
    let scratch = Scratch::new();
    let defaults = Options::default();
    for (n, format) in FORMATS.into_iter().enumerate() {
        let url = scratch.url(&format!("{n}.zarr"));
        let store = open(&url, Mode::Create, &[]);
        drop(store.create_group(&path(""), Some(format)).unwrap());
        let made = store.create_array(&path("g/a"), &spec(format, &[4], &[2])).unwrap();
        write(&made, &[1], &[2], 9);
        let array = open_array_at(&format!("{url}/g/a"), Mode::ReadWrite, &defaults).unwrap();
        assert_eq!(read(&array), [0, 9, 9, 0], "{format:?}");
        append(&array, 0, &[1], 3).unwrap();
        made.refresh().unwrap();
        assert_eq!(read(&made), [0, 9, 9, 0, 3]);
        let group = open_group_at(&format!("{url}/g"), Mode::Read, &defaults, None).unwrap();
        assert_eq!(group.format(), format);
        for missing in ["/g/b", "/g"] {
            let e = open_array_at(&format!("{url}{missing}"), Mode::Read, &defaults).err().unwrap();
            assert_eq!(e.kind(), Kind::NotFound, "{e}");
        }
    }
    let fresh = scratch.url("fresh.zarr");
    drop(open_group_at(&fresh, Mode::Append, &defaults, None).unwrap());
    drop(open_group_at(&fresh, Mode::Append, &defaults, None).unwrap());
    assert!(open_group_at(&fresh, Mode::Create, &defaults, None).is_err());
}

/// Documents that claim much cost little: opened in this process, whose peak would show.
#[test]
fn short_documents_cost_little() {
    let v2 = |dtype: &str, fill: &str| {
        format!(
            r#"{{"zarr_format":2,"shape":[13],"chunks":[3],"dtype":{dtype},"fill_value":{fill},
               "compressor":null,"filters":null,"order":"C"}}"#
        )
    };
    let open = |document: &str, set: &[(&str, &str)]| {
        let inner = memory();
        let document = document.as_bytes();
        inner.set(&key(".zarray"), &[document], &Precondition::None).unwrap();
        hierarchy(&inner, set).open_array(&path("")).map(|array| array.array.shape())
    };
    for dtype in ["\"|S2147483647\"", "\"|V2147483647\"", "\"<U536870911\""] {
        for fill in ["0", "\"\"", "null"] {
            let document = v2(dtype, fill);
            let e = open(&document, &[]).unwrap_err();
            assert_eq!(e.kind(), Kind::LimitExceeded, "{e}");
            assert!(e.to_string().contains("max_element_size"), "{e}");
            assert_eq!(open(&document, &[("max_element_size", "4GiB")]).unwrap(), [13]);
        }
    }
    let fields = r#"[["a","|V2000000000"],["b","|u1"]]"#;
    assert_eq!(open(&v2(fields, "\"AAE=\""), &[]).unwrap_err().kind(), Kind::LimitExceeded);
    let small = v2("\"|S100\"", "\"YWI=\"");
    assert_eq!(open(&small, &[]).unwrap(), [13]);
    let e = open(&small, &[("max_element_size", "99")]).unwrap_err();
    assert_eq!(e.kind(), Kind::LimitExceeded);
}

/// A shard that claims very many inner chunks: a part of it is read, and written where its index
/// can be made at all.
#[test]
fn a_shard_costs_what_is_touched() {
    for (chunks, writes) in [(1u64 << 20, true), (1 << 40, false)] {
        let document = format!(
            r#"{{"zarr_format":3,"node_type":"array","shape":[{chunks}],"data_type":"uint32",
            "chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[{chunks}]}}}},
            "chunk_key_encoding":{{"name":"default"}},"fill_value":0,"codecs":[{{
            "name":"sharding_indexed","configuration":{{"chunk_shape":[1],
            "codecs":[{{"name":"bytes","configuration":{{"endian":"little"}}}}],
            "index_codecs":[{{"name":"bytes","configuration":{{"endian":"little"}}}}]}}}}]}}"#
        );
        let store = hierarchy(&memory(), &[]);
        let array = store
            .create_array_from_document(&path("a"), FormatId::V3, document.as_bytes())
            .unwrap();
        let part = |start: u64| {
            let region = Region::new(&[chunks], &[start], &[2], None).unwrap();
            let mut out = vec![0xAA; 8];
            let dst = ViewMut::contiguous(&mut out, &[2], 4).unwrap();
            array.array.read(&region, MemoryType::Native, dst).unwrap();
            out.as_chunks().0.iter().map(|b| u32::from_ne_bytes(*b)).collect::<Vec<u32>>()
        };
        assert_eq!(part(7), [0, 0]);
        let region = Region::new(&[chunks], &[8], &[1], None).unwrap();
        let value = bytes(&[5]);
        let src = View::contiguous(&value, &[1], 4).unwrap();
        let written = array.array.write(&region, MemoryType::Native, &src);
        match writes {
            true => assert_eq!((written.is_ok(), part(7)), (true, vec![0, 5])),
            false => assert_eq!(written.unwrap_err().kind(), Kind::LimitExceeded),
        }
    }
}

/// Extents at the end of what 63 and 64 bits hold: an array has them or refuses, and what it holds
/// stays.
#[test]
fn extents_beyond_all_bounds() {
    for format in FORMATS {
        let store = hierarchy(&memory(), &[]);
        let array = store.create_array(&path("a"), &spec(format, &[3], &[2])).unwrap();
        write(&array, &[0], &[3], 7);
        for extent in [(1 << 62) + 1, (1 << 63) - 1, 1 << 63, u64::MAX - 2, u64::MAX] {
            let before = array.array.shape();
            match array.resize(&[extent]) {
                Ok(()) => assert_eq!(array.array.shape(), [extent]),
                Err(e) => {
                    assert!(
                        matches!(
                            e.kind(),
                            Kind::InvalidArgument | Kind::LimitExceeded | Kind::Unsupported
                        ),
                        "{format:?} {extent}: {e}"
                    );
                    assert_eq!(array.array.shape(), before);
                }
            }
            let shape = array.array.shape();
            // as many as there is room for, and one more
            let room = u64::MAX - shape[0];
            if room < 4 {
                let e = failure(append(&array, 0, &[room + 1], 1));
                assert!(matches!(e.kind(), Kind::InvalidArgument | Kind::LimitExceeded), "{e}");
                assert_eq!(array.array.shape(), shape, "{format:?}: {e}");
            }
            match append(&array, 0, &[2], 9) {
                Ok(first) => {
                    assert_eq!((first, array.array.shape()[0]), (shape[0], shape[0] + 2));
                    let region = Region::new(&array.array.shape(), &[first], &[2], None).unwrap();
                    let mut block = [0; 8];
                    let dst = ViewMut::contiguous(&mut block, &[2], 4).unwrap();
                    array.array.read(&region, MemoryType::Native, dst).unwrap();
                    assert_eq!(block.to_vec(), bytes(&[9, 9]), "{format:?} at {first}");
                }
                Err(e) => assert!(
                    matches!(
                        e.kind(),
                        Kind::InvalidArgument | Kind::LimitExceeded | Kind::Unsupported
                    ),
                    "{format:?} {extent}: {e}"
                ),
            }
            let reader = store.open_array(&path("a")).unwrap();
            assert_eq!(reader.array.shape(), array.array.shape(), "{format:?} {extent}");
        }
        array.resize(&[3]).unwrap();
        assert_eq!(read(&store.open_array(&path("a")).unwrap()), [7; 3], "{format:?}");
    }
}
