//! Forked children work, whatever other threads of the parent were doing at the fork.
//!
//! Each test has a process of its own: in a program that is written in Rust, the standard library has
//! a lock of its own while a thread starts or ends, and a child that is forked then cannot start one.
#![allow(unsafe_code)] // fork

use crate::common::{is_alone, options};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use zarrc::error::Result;
use zarrc::store::Mode;

/// How often each test forks.
const FORKS: usize = 200;

/// Whether `child` returns `true` within some seconds in the child of a fork.
fn in_fork(child: impl FnOnce() -> bool) -> bool {
    // SAFETY: the child calls nothing but `child`, alarm and _exit.
    unsafe {
        match libc::fork() {
            0 => {
                libc::alarm(20);
                libc::_exit(if child() { 0 } else { 1 })
            }
            pid => {
                let mut status = 0;
                libc::waitpid(pid, &mut status, 0);
                status == 0
            }
        }
    }
}

/// Runs `other` on two threads, again and again, and `child` in children of this one.
fn while_forking(other: impl Fn(usize) + Sync, child: impl Fn(usize) -> bool) {
    let stop = AtomicBool::new(false);
    let failed = thread::scope(|scope| {
        for n in 0..2 {
            let (stop, other) = (&stop, &other);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    other(n);
                }
            });
        }
        let failed = (0..FORKS).find(|n| !in_fork(|| child(*n)));
        stop.store(true, Ordering::Relaxed);
        failed
    });
    assert_eq!(failed, None, "a child hangs or fails");
}

#[cfg(feature = "lmdb")]
#[test]
fn lmdb_environments_are_opened_on_both_sides() {
    use crate::common::{Scratch, failure, get};
    use zarrc::store::{Precondition, open};

    if !is_alone("fork::lmdb_environments_are_opened_on_both_sides") {
        return;
    }
    let scratch = Scratch::new();
    let url = |name: String| format!("lmdb:{}", scratch.url(&name));
    let key = crate::common::key("a");
    let set = |name: String| -> Result<Option<Vec<u8>>> {
        let store = open(&url(name), Mode::Append, &options(&[]))?;
        store.set(&key, &[b"1"], &Precondition::None)?;
        Ok(get(&*store, "a"))
    };
    while_forking(
        |n| assert!(set(format!("parent{n}")).is_ok()),
        |n| matches!(set(format!("child{n}")), Ok(Some(value)) if value == b"1"),
    );
    // a second store of the same environment, while the first is being closed
    let again = || drop(open(&url("same".into()), Mode::Append, &options(&[])).unwrap());
    again();
    thread::scope(|scope| {
        (0..4).for_each(|_| {
            scope.spawn(|| (0..50).for_each(|_| again()));
        });
    });
    let read = open(&url("same".into()), Mode::Read, &options(&[])).unwrap();
    let e = failure(open(&url("same".into()), Mode::Append, &options(&[])));
    assert!(e.to_string().contains("open for reading"), "{e}");
    drop(read);
}

#[cfg(feature = "s3")]
#[test]
fn parts_of_remote_chunks_are_changed_on_both_sides() {
    use crate::common::path;
    use crate::network::{Files, Server, answer, s3};
    use std::sync::Arc;
    use zarrc::array::MemoryType;
    use zarrc::hierarchy::{ArraySpec, Hierarchy};
    use zarrc::metadata::DataType;
    use zarrc::selection::Region;
    use zarrc::strided::{View, ViewMut};

    if !is_alone("fork::parts_of_remote_chunks_are_changed_on_both_sides") {
        return;
    }
    let files = Files::default();
    let server = Server::new(move |request| answer(&files, request));
    let store = s3(&server, Mode::Create, &[]).unwrap();
    let nodes = Arc::new(Hierarchy::new(store, &options(&[])));
    let mut spec = ArraySpec::new(DataType::UInt8, vec![48]);
    spec.chunk_shape = Some(vec![16]);
    let array = nodes.create_array(&path("a"), &spec).unwrap().array;
    let write = |start: u64| {
        let region = Region::new(&[48], &[start], &[2], None)?;
        array.write(&region, MemoryType::Native, &View::contiguous(&[7; 2], &[2], 1)?)
    };
    let read = |start: u64| -> Result<[u8; 2]> {
        let (mut bytes, region) = ([0; 2], Region::new(&[48], &[start], &[2], None)?);
        array.read(&region, MemoryType::Native, ViewMut::contiguous(&mut bytes, &[2], 1)?)?;
        Ok(bytes)
    };
    write(1).unwrap();
    while_forking(
        |n| {
            write(16 * n as u64 + 1).unwrap();
            assert_eq!(read(1).unwrap(), [7; 2]);
        },
        |n| {
            let start = 33 + n as u64 % 8;
            write(start).is_ok() && matches!((read(1), read(start)), (Ok([7, 7]), Ok([7, 7])))
        },
    );
}

#[test]
fn calls_are_started_on_both_sides() {
    use crate::common::{memory, path};
    use std::sync::Arc;
    use zarrc::array::{MemoryType, Work};
    use zarrc::hierarchy::{ArraySpec, Hierarchy};
    use zarrc::metadata::DataType;
    use zarrc::selection::Region;
    use zarrc::strided::ViewMut;

    if !is_alone("fork::calls_are_started_on_both_sides") {
        return;
    }
    let nodes = Arc::new(Hierarchy::new(memory(), &options(&[])));
    let mut spec = ArraySpec::new(DataType::UInt8, vec![48]);
    spec.chunk_shape = Some(vec![16]);
    let array = nodes.create_array(&path("a"), &spec).unwrap().array;
    let region = |start: u64| Region::new(&[48], &[start], &[2], None).unwrap();
    let start = |from: u64| {
        let about = array.about(region(from), true, 2);
        array.requests().start(about, || {
            let work: Work = Box::new(|_| Ok(()));
            Ok(work)
        })
    };
    while_forking(
        |n| (0..16).map(|_| start(n as u64).unwrap()).for_each(|request| request.wait().unwrap()),
        |n| {
            let mut bytes = [1; 2];
            let to = ViewMut::contiguous(&mut bytes, &[2], 1).unwrap();
            // it waits for the calls that overlap it, and not for those of the parent
            array.read(&region(n as u64 % 2), MemoryType::Native, to).is_ok()
                && bytes == [0; 2]
                && start(1).and_then(|request| request.wait()).is_ok()
        },
    );
}

#[cfg(feature = "parquet")]
#[test]
fn references_are_read_on_both_sides() {
    use crate::common::{Scratch, get};
    use zarrc::store::open;

    if !is_alone("fork::references_are_read_on_both_sides") {
        return;
    }
    let data =
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/parquet_references/fastparquet.parq");
    let records = open(data, Mode::Read, &options(&[])).unwrap();
    // of two candidates: beside the document, or below the directory of its fsspec
    let scratch = Scratch::new();
    std::fs::create_dir_all(scratch.path("data")).unwrap();
    std::fs::write(scratch.path("data/values"), b"1234").unwrap();
    std::fs::write(scratch.path("refs.json"), r#"{"a": ["data/values", 1, 2]}"#).unwrap();
    let document = open(&scratch.url("refs.json"), Mode::Read, &options(&[])).unwrap();
    let line = get(&*records, "line/0").unwrap();
    let read = || {
        get(&*records, "line/0").as_ref() == Some(&line)
            && get(&*document, "a").as_deref() == Some(b"23")
    };
    assert!(read());
    while_forking(|_| (0..100).for_each(|_| assert!(read())), |_| read());
}
