//! Copies that consist of hard links: the same files as the source, which stay as they are whatever
//! changes there; refused where no link can be made.

use crate::common::*;
use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use zarrc::array::MemoryType;
use zarrc::error::{Kind, Result};
use zarrc::format::FormatId;
use zarrc::hierarchy::{ArrayNode, ArraySpec, Hierarchy};
use zarrc::metadata::DataType;
use zarrc::operations::{Copied, CopyOptions, IfExists, Recode, copy_node, recode_node};
use zarrc::progress::Progress;
use zarrc::selection::Region;
use zarrc::store::{self, Mode, Precondition};
use zarrc::strided::View;

const LINK: CopyOptions =
    CopyOptions { if_exists: IfExists::Fail, exclude: Vec::new(), dry_run: false, link: true };

fn open(url: &str, mode: Mode, set: &[(&str, &str)]) -> Arc<Hierarchy> {
    let options = options(set);
    Arc::new(Hierarchy::new(store::open(url, mode, &options).unwrap(), &options))
}

fn link(from: &Arc<Hierarchy>, to: &Arc<Hierarchy>, options: &CopyOptions) -> Result<Copied> {
    copy_node(from, &path("g"), to, &path("g"), options, &Progress::silent())
}

/// A group of an array of 32 x 32 elements in 16 chunks, uncompressed, all written.
fn build(url: &str) -> (Arc<Hierarchy>, ArrayNode) {
    let nodes = open(url, Mode::Append, &[]);
    nodes.create_group(&path("g"), Some(FormatId::V3)).unwrap();
    let mut spec = ArraySpec::new(DataType::UInt16, vec![32, 32]);
    (spec.chunk_shape, spec.codecs) = (Some(vec![8, 8]), Some(Vec::new()));
    let array = nodes.create_array(&path("g/a"), &spec).unwrap();
    write(&array, &Region::whole(&[32, 32]), 1);
    (nodes, array)
}

fn write(array: &ArrayNode, region: &Region, value: u16) {
    let counts: Vec<usize> = region.spans().iter().map(|span| span.count as usize).collect();
    let block = value.to_ne_bytes().repeat(counts.iter().product());
    let src = View::contiguous(&block, &counts, 2).unwrap();
    array.array.write(region, MemoryType::Native, &src).unwrap();
}

fn region(start: [u64; 2], count: [u64; 2]) -> Region {
    Region::new(&[32, 32], &start, &count, None).unwrap()
}

/// The file of each key below a directory: its number and what it holds.
fn files(root: &Path) -> BTreeMap<String, (u64, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut pending = vec![root.to_owned()];
    while let Some(directory) = pending.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let metadata = std::fs::symlink_metadata(&path).unwrap();
            if metadata.is_dir() {
                pending.push(path);
                continue;
            }
            assert!(metadata.is_file(), "{path:?}");
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            found.insert(name, (metadata.ino(), std::fs::read(&path).unwrap()));
        }
    }
    found
}

#[test]
fn what_changes_in_one_stays_in_the_other() {
    let scratch = Scratch::new();
    let (from, _) = build(&scratch.url("a.zarr"));
    let to = open(&scratch.url("b.zarr"), Mode::Append, &[]);
    let done = link(&from, &to, &LINK).unwrap();
    let old = files(&scratch.path("b.zarr/g"));
    assert_eq!(old, files(&scratch.path("a.zarr/g")));
    assert_eq!((done.keys, done.skipped), (18, 0));
    assert_eq!(done.bytes, old.values().map(|(_, value)| value.len() as u64).sum::<u64>());

    let in_place = open(&scratch.url("a.zarr"), Mode::Append, &[("overwrite", "in_place")]);
    let buffered = open(
        &scratch.url("a.zarr"),
        Mode::Append,
        &[("overwrite", "in_place"), ("write_buffer", "1MiB")],
    );
    for (n, nodes) in [&from, &in_place, &buffered].into_iter().enumerate() {
        let array = nodes.open_array(&path("g/a")).unwrap();
        let row = 8 * n as u64;
        write(&array, &region([row, 0], [8, 8]), 2);
        write(&array, &region([row + 1, 9], [2, 2]), 3);
        // once more: now the file is the store's own, and may be changed where it lies
        write(&array, &region([row + 1, 9], [2, 2]), 4);
        array.array.flush().unwrap();
        assert_eq!(files(&scratch.path("b.zarr/g")), old);
    }
    let array = from.open_array(&path("g/a")).unwrap();
    array.attributes().write(&mut |all| all.set("units", "\"K\"")).unwrap();
    from.open_group(&path("g")).unwrap().attributes().write(&mut |all| all.set("b", "1")).unwrap();
    let block = [7u8; 2 * 3 * 32];
    array
        .append(0, &[3, 32], &|extent, region| {
            let src = View::contiguous(&block, &[3, 32], 2)?;
            array.array.write_ahead(extent, region, MemoryType::Native, &src)
        })
        .unwrap();
    array.resize(&[20, 20]).unwrap();
    from.delete(&path("g/a")).unwrap();
    assert_eq!(files(&scratch.path("b.zarr/g")), old);

    // and the other way round
    let (from, _) = build(&scratch.url("c.zarr"));
    let to = open(&scratch.url("d.zarr"), Mode::Append, &[("overwrite", "in_place")]);
    link(&from, &to, &LINK).unwrap();
    let old = files(&scratch.path("c.zarr/g"));
    write(&to.open_array(&path("g/a")).unwrap(), &region([3, 3], [20, 20]), 5);
    to.delete(&path("g")).unwrap();
    assert_eq!(files(&scratch.path("c.zarr/g")), old);
}

#[test]
fn links_obey_the_options_of_copies() {
    let scratch = Scratch::new();
    let (from, _) = build(&scratch.url("a.zarr"));
    // read only, behind an adapter, and a part of a store
    let from = {
        drop(from);
        open(&(scratch.url("a.zarr") + "|readonly:"), Mode::Read, &[])
    };
    let url = scratch.url("b.zarr");
    let to = open(&url, Mode::Append, &[("sync", "yes"), ("follow_symlinks", "no")]);
    let dry = CopyOptions { dry_run: true, ..LINK };
    assert_eq!(link(&from, &to, &dry).unwrap().keys, 18);
    assert!(files(&scratch.path("b.zarr")).is_empty());

    let without = CopyOptions { exclude: vec![path("a")], ..LINK };
    assert_eq!(link(&from, &to, &without).unwrap().keys, 1);
    assert_eq!(link(&from, &to, &LINK).unwrap_err().kind(), Kind::AlreadyExists);
    let skip = CopyOptions { if_exists: IfExists::Skip, ..LINK };
    let done = link(&from, &to, &skip).unwrap();
    assert_eq!((done.keys, done.skipped), (17, 1));
    let all = files(&scratch.path("a.zarr/g"));
    assert_eq!(files(&scratch.path("b.zarr/g")), all);

    // other values are replaced, links to the same file stay, and no temporary file does
    let replace = CopyOptions { if_exists: IfExists::Replace, ..LINK };
    to.store().set(&key("g/a/c/0/0"), &[b"x"], &Precondition::None).unwrap();
    assert_eq!(link(&from, &to, &replace).unwrap().keys, 18);
    assert_eq!(files(&scratch.path("b.zarr/g")), all);

    let calls = AtomicUsize::new(0);
    let some = |_: f64, _: &str| calls.fetch_add(1, Ordering::Relaxed) < 5;
    let cancelled =
        copy_node(&from, &path("g"), &to, &path("h"), &LINK, &Progress::new(&some)).unwrap_err();
    assert_eq!(cancelled.kind(), Kind::Cancelled);
    // documents come last
    let left = files(&scratch.path("b.zarr/h"));
    assert!(!left.is_empty() && left.keys().all(|key| key.starts_with("a/c/")), "{left:?}");

    // nodes of one store, and of a part of it
    let nodes = open(&scratch.url("a.zarr"), Mode::Append, &[]);
    copy_node(&nodes, &path("g/a"), &nodes, &path("b"), &LINK, &Progress::silent()).unwrap();
    assert_eq!(files(&scratch.path("a.zarr/b")), files(&scratch.path("a.zarr/g/a")));
}

#[test]
fn links_lead_to_files_and_not_to_symbolic_links() {
    let scratch = Scratch::new();
    let (from, _) = build(&scratch.url("a.zarr"));
    let chunk = scratch.path("a.zarr/g/a/c/0/0");
    std::fs::rename(&chunk, scratch.path("elsewhere")).unwrap();
    symlink("../../../../../elsewhere", &chunk).unwrap();
    let to = open(&scratch.url("b.zarr"), Mode::Append, &[]);
    link(&from, &to, &LINK).unwrap();
    let number = std::fs::metadata(scratch.path("elsewhere")).unwrap().ino();
    assert_eq!(files(&scratch.path("b.zarr/g"))["a/c/0/0"].0, number);

    // where links are not followed, there is no such value
    let from = open(&scratch.url("a.zarr"), Mode::Read, &[("follow_symlinks", "no")]);
    let to = open(&scratch.url("c.zarr"), Mode::Append, &[]);
    assert_eq!(link(&from, &to, &LINK).unwrap().keys, 17);
    assert!(!scratch.path("c.zarr/g/a/c/0/0").exists());
}

#[test]
fn what_cannot_be_linked_is_not_copied() {
    let scratch = Scratch::new();
    let (from, _) = build(&scratch.url("a.zarr"));
    let refused = |from: &Arc<Hierarchy>, to: &Arc<Hierarchy>, words: &str| {
        for dry_run in [true, false] {
            let error = link(from, to, &CopyOptions { dry_run, ..LINK }).unwrap_err();
            assert_eq!(error.kind(), Kind::Unsupported, "{error}");
            let text = error.to_string();
            assert!(text.contains(words) && text.contains("copy without links"), "{text}");
        }
        assert_eq!(list(&**to.store(), "", store::Depth::All).unwrap(), [""; 0]);
    };
    let memory = open("memory:", Mode::Append, &[]);
    refused(&from, &memory, "store memory");
    let other = open("memory:", Mode::Append, &[]);
    other.create_group(&path("g"), Some(FormatId::V3)).unwrap();
    refused(&other, &open(&scratch.url("b.zarr"), Mode::Append, &[]), "store memory");

    let there = Path::new("/dev/shm");
    let device = |path: &Path| std::fs::metadata(path).map(|there| there.dev()).ok();
    if device(there).is_some() && device(there) != device(&scratch.path("")) {
        let far = there.join(format!("zarrc-links-{}", std::process::id()));
        refused(&from, &open(far.to_str().unwrap(), Mode::Append, &[]), "different file systems");
        // found out when the link is made
        std::fs::create_dir_all(far.join("c")).unwrap();
        std::fs::create_dir_all(scratch.path("d.zarr/g/a")).unwrap();
        symlink(far.join("c"), scratch.path("d.zarr/g/a/c")).unwrap();
        let to = open(&scratch.url("d.zarr"), Mode::Append, &[]);
        let error = link(&from, &to, &LINK).unwrap_err();
        assert_eq!(error.kind(), Kind::Unsupported, "{error}");
        assert!(files(&far).is_empty());
        std::fs::remove_dir_all(&far).unwrap();
    }

    let to = open(&scratch.url("e.zarr"), Mode::Append, &[]);
    let spec = ArraySpec::new(DataType::UInt16, vec![32, 32]);
    let recode = Recode { spec, memory_limit: 0 };
    let (g, silent) = (path("g"), Progress::silent());
    let error = recode_node(&from, &g, &to, &g, &LINK, &recode, &silent).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidArgument, "{error}");

    let to = open(&scratch.url("e.zarr"), Mode::Read, &[]);
    assert_eq!(link(&from, &to, &LINK).unwrap_err().kind(), Kind::PermissionDenied);
}

/// ext4 gives a file 65 000 names, others give it more.
#[test]
fn a_file_with_all_its_names_is_not_copied() {
    let scratch = Scratch::new();
    let (from, _) = build(&scratch.url("a.zarr"));
    let chunk = scratch.path("a.zarr/g/a/c/3/3");
    let names = scratch.path("names");
    std::fs::create_dir(&names).unwrap();
    let made = (0..70_000).map(|n| std::fs::hard_link(&chunk, names.join(format!("{n}"))));
    let Some(Err(full)) = made.into_iter().find(|made| made.is_err()) else { return };
    assert_eq!(full.raw_os_error(), Some(libc::EMLINK));
    let to = open(&scratch.url("b.zarr"), Mode::Append, &[]);
    let error = link(&from, &to, &LINK).unwrap_err();
    assert_eq!(error.kind(), Kind::Unsupported, "{error}");
    let text = error.to_string();
    assert!(text.contains("as many names as it may have") && text.contains("c/3/3"), "{text}");
    // without its document, it is no array; the call completes it once a name is free
    assert!(to.kind_at(&path("g")).unwrap().is_none());
    std::fs::remove_file(names.join("0")).unwrap();
    let skip = CopyOptions { if_exists: IfExists::Skip, ..LINK };
    link(&from, &to, &skip).unwrap();
    assert_eq!(files(&scratch.path("b.zarr/g")), files(&scratch.path("a.zarr/g")));
}

const STORES: &str = "ZARRC_TEST_LINKS";

/// Ends its process after seven keys.
#[test]
fn part_of_a_killed_process() {
    let Ok(stores) = std::env::var(STORES) else { return };
    let (from, to) = stores.split_once(' ').unwrap();
    let calls = AtomicUsize::new(0);
    let some = |_: f64, _: &str| match calls.fetch_add(1, Ordering::Relaxed) {
        7 => std::process::abort(),
        _ => true,
    };
    let (from, to) = (open(from, Mode::Read, &[]), open(to, Mode::Append, &[]));
    let _ = copy_node(&from, &path("g"), &to, &path("g"), &LINK, &Progress::new(&some));
}

/// Links as another user, who may read the files and not write them.
#[test]
fn part_of_another_user() {
    let Ok(stores) = std::env::var(OTHER) else { return };
    let (from, to) = stores.split_once(' ').unwrap();
    let (from, to) = (open(from, Mode::Read, &[]), open(to, Mode::Append, &[]));
    let error = link(&from, &to, &LINK).unwrap_err();
    assert_eq!(error.kind(), Kind::PermissionDenied, "{error}");
    let text = error.to_string();
    assert!(text.contains("files of other users: copy without links"), "{text}");
    assert!(to.kind_at(&path("g")).unwrap().is_none());
    let copy = CopyOptions { link: false, ..LINK };
    link(&from, &to, &copy).unwrap();
}

const OTHER: &str = "ZARRC_TEST_LINKS_OTHER";

#[test]
#[cfg(target_os = "linux")]
fn files_of_others_are_copied_and_not_linked() {
    use std::os::unix::process::CommandExt;
    let setting = std::fs::read_to_string("/proc/sys/fs/protected_hardlinks").unwrap_or_default();
    if !rustix::process::geteuid().is_root() || setting.trim() != "1" {
        return; // one user, or a system that allows such links
    }
    let scratch = Scratch::new();
    let (from, _) = build(&scratch.url("a.zarr"));
    drop(from);
    // where others may execute it
    let program = scratch.path("program");
    std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let theirs = scratch.path("theirs");
    std::fs::create_dir(&theirs).unwrap();
    std::os::unix::fs::chown(&theirs, Some(65534), Some(65534)).unwrap();
    let to = theirs.join("b.zarr");
    let mut nobody = Command::new(program);
    nobody.args(["--exact", "links::part_of_another_user", "--test-threads=1"]);
    nobody.env(OTHER, format!("{} {}", scratch.url("a.zarr"), to.display()));
    nobody.uid(65534).gid(65534).current_dir("/");
    let done = nobody.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
    let value = |(name, (_, value)): (&String, &(u64, Vec<u8>))| (name.clone(), value.clone());
    let copied: Vec<_> = files(&to.join("g")).iter().map(value).collect();
    assert_eq!(copied, files(&scratch.path("a.zarr/g")).iter().map(value).collect::<Vec<_>>());
}

#[test]
fn the_same_call_completes_what_a_killed_process_left() {
    let scratch = Scratch::new();
    let (from, _) = build(&scratch.url("a.zarr"));
    let stores = [scratch.url("a.zarr"), scratch.url("b.zarr")].join(" ");
    let killed = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "links::part_of_a_killed_process", "--test-threads=1"])
        .env(STORES, stores)
        .output()
        .unwrap();
    assert!(!killed.status.success());
    let left = files(&scratch.path("b.zarr/g"));
    assert!((5..16).contains(&left.len()), "{left:?}");

    let to = open(&scratch.url("b.zarr"), Mode::Append, &[]);
    assert!(to.kind_at(&path("g")).unwrap().is_none());
    let skip = CopyOptions { if_exists: IfExists::Skip, ..LINK };
    let done = link(&from, &to, &skip).unwrap();
    assert_eq!((done.keys + done.skipped, done.skipped), (18, left.len() as u64));
    assert_eq!(files(&scratch.path("b.zarr/g")), files(&scratch.path("a.zarr/g")));
}
