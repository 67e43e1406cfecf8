//! Crash images: a process runs a job, recorded system call by system call. Whatever a disk may hold
//! after a kill at any of them (and with the option `sync=yes`, after a power failure) is a store
//! that opens, in which every node, attribute, shape and chunk is the old or the new one.

use super::disk::{self, Image, Recording, Unflushed};
use super::jobs::{JOBS, Job, LINK, prepare};
use super::state::{State, check_between, read};
use crate::common::{Scratch, options};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use zarrc::format::FormatId;
use zarrc::hierarchy::Hierarchy;
use zarrc::store::{self, Mode, SharedStore};

const PART: &str = "ZARRC_TEST_CRASH";

fn open(url: &str, mode: Mode, sync: &str) -> SharedStore {
    store::open(url, mode, &options(&[("sync", sync)])).unwrap()
}

fn format(number: &str) -> FormatId {
    FormatId::from_number(number.parse().unwrap()).unwrap().unwrap()
}

/// The recorded process: "job format sync url".
#[test]
fn part_run_a_job() {
    let Ok(words) = std::env::var(PART) else { return };
    let [job, id, sync, url] = words.splitn(4, ' ').collect::<Vec<_>>().try_into().unwrap();
    let job = JOBS.iter().chain([&LINK]).find(|j| j.name.replace(' ', "-") == job).unwrap();
    let mut set = job.options.to_vec();
    set.extend([("threads", "1"), ("sync", sync)]);
    let nodes = Arc::new(Hierarchy::new(open(url, Mode::ReadWrite, sync), &options(&set)));
    (job.run)(&nodes, format(id)).unwrap();
    nodes.close().unwrap();
}

fn state(url: &str) -> Result<State, String> {
    let store = store::open(url, Mode::Read, &options(&[])).map_err(|e| e.to_string())?;
    read(&store, &[("consolidated", "no")]).map_err(|e| e.to_string())
}

/// How a machine or a process ends.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Kill,
    PowerFailure,
}

/// Runs a job in the directory `disk` of `scratch`: the state before it, and what it changed.
fn record(
    job: &Job,
    id: FormatId,
    sync: bool,
    scratch: &Scratch,
    file: &str,
) -> (State, Recording) {
    let folder = scratch.path("disk");
    std::fs::create_dir_all(&folder).unwrap();
    let url = format!("{}/{file}", folder.display());
    let store = open(&url, Mode::Create, "no");
    prepare(&store, id, false);
    (job.before)(&store, id);
    store.flush().unwrap();
    drop(store);
    let old = state(&url).unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    let module = module_path!().split_once("::").unwrap().1;
    command.args(["--exact", &format!("{module}::part_run_a_job"), "--test-threads=1"]);
    let (name, sync) = (job.name.replace(' ', "-"), word(sync));
    command.env(PART, format!("{name} {} {sync} {url}", id.number()));
    (old, Recording::of(&folder, &command, &scratch.path("log")))
}

fn word(sync: bool) -> &'static str {
    if sync { "yes" } else { "no" }
}

/// Checks every image of one job; returns their number, or what is wrong with one.
fn crash(job: &Job, id: FormatId, sync: bool, file: &str, end: End) -> Result<usize, String> {
    let scratch = Scratch::new();
    let (folder, trial) = (scratch.path("disk"), scratch.path("trial"));
    let at = |folder: &Path| format!("{}/{file}", folder.display());
    let (old, recording) = record(job, id, sync, &scratch, file);
    let new = state(&at(&folder)).unwrap();
    let all = recording.changes.len();
    assert!(recording.image(all, &[], Unflushed::Kept) == disk::read(&folder), "the recording");
    std::fs::create_dir(&trial).unwrap();
    let mut written = Image::new();
    let mut seen = HashSet::new();
    let mut check = |image: &Image, count: usize, done: bool| -> Result<(), String> {
        let mut hasher = DefaultHasher::new();
        (image, done).hash(&mut hasher);
        if !seen.insert(hasher.finish()) {
            return Ok(());
        }
        disk::change(&trial, &written, image);
        written.clone_from(image);
        let found = state(&at(&trial));
        let result = found.and_then(|found| match done {
            true if found != new => Err("what was done is not on disk".into()),
            true => Ok(()),
            false => check_between(&found, &old, &new, job.mixes),
        });
        result.map_err(|why| {
            let changes: Vec<String> = recording.changes[..count].iter().map(short).collect();
            let sync = word(sync);
            format!("{}, {id:?}, sync={sync}, {file}: {why}, after {changes:#?}", job.name)
        })
    };
    for count in 0..=all {
        for image in recording.after_kill(count) {
            check(&image, count, false)?;
        }
        if end == End::PowerFailure {
            for image in recording.after_power_failure(count) {
                check(&image, count, count == all)?;
            }
        }
    }
    Ok(seen.len())
}

fn short(change: &disk::Change) -> String {
    let mut text = format!("{change:?}");
    text.truncate(120);
    text
}

fn all(end: End, file: &str, formats: &[FormatId]) {
    let mut images = 0;
    for job in JOBS {
        for &id in formats {
            let checked = crash(job, id, end == End::PowerFailure, file, end);
            images += checked.unwrap_or_else(|why| panic!("{why}"));
        }
    }
    println!("{} jobs, {images} images", JOBS.len() * formats.len());
}

#[test]
fn a_killed_process_leaves_a_directory_old_or_new() {
    all(End::Kill, "x.zarr", &[FormatId::V3, FormatId::V2, FormatId::N5]);
}

#[test]
fn a_power_failure_leaves_a_synced_directory_old_or_new() {
    all(End::PowerFailure, "x.zarr", &[FormatId::V3, FormatId::V2]);
}

#[test]
fn links_are_old_or_new_too() {
    for (end, sync) in [(End::Kill, false), (End::PowerFailure, true)] {
        for id in [FormatId::V3, FormatId::V2] {
            let checked = crash(&LINK, id, sync, "x.zarr", end);
            assert!(checked.unwrap_or_else(|why| panic!("{why}")) > 3);
        }
    }
}

/// The values were written earlier, by whoever did not flush them.
#[test]
fn a_synced_link_flushes_what_it_links() {
    for sync in [true, false] {
        let scratch = Scratch::new();
        let (_, recording) = record(&LINK, FormatId::V3, sync, &scratch, "x.zarr");
        let recording = recording.of_unflushed_files();
        let linked = |data| {
            let mut image = recording.image(recording.changes.len(), &[], data);
            image.retain(|path, _| path.starts_with("x.zarr/h/i/"));
            image
        };
        let whole = linked(Unflushed::Kept);
        assert!(whole.len() > 3, "{:?}", whole.keys());
        for data in [Unflushed::Lost, Unflushed::Half, Unflushed::Zeros] {
            assert_eq!(linked(data) == whole, sync, "{data:?}");
        }
    }
}

#[test]
#[cfg(feature = "zip")]
fn a_killed_process_leaves_a_zip_file_old_or_new() {
    all(End::Kill, "x.zip", &[FormatId::V3]);
}

#[test]
#[cfg(feature = "zip")]
fn a_power_failure_leaves_a_synced_zip_file_old_or_new() {
    all(End::PowerFailure, "x.zip", &[FormatId::V3]);
}

/// Without flushing, a power failure may do harm: these images can tell.
#[test]
fn a_power_failure_harms_what_is_not_synced() {
    let job = JOBS.iter().find(|job| job.name == "write all").unwrap();
    let why = crash(job, FormatId::V3, false, "x.zarr", End::PowerFailure).unwrap_err();
    assert!(why.contains("sync=no"), "{why}");
}
