//! What takes other processes: killed writers, writers without room, rights or luck. Such a
//! process is this program again, told by its environment which part to play.

use super::helpers::*;
use super::stores::built;
use std::fs;
#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use zarrc::error::Kind;
use zarrc::store::{Depth, Mode, Precondition};

const PART: &str = "ZARRC_TEST_PART";
const STORE: &str = "ZARRC_TEST_STORE";
/// The file in which a child says how many values it has set.
const COUNT: &str = "ZARRC_TEST_COUNT";

/// Runs `test` of this program as a child, with the store at `url`.
fn child(test: &str, url: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    play(&mut command, test, url);
    command
}

fn play(command: &mut Command, test: &str, url: &str) {
    let (_program, module) = module_path!().split_once("::").unwrap();
    command.args(["--exact", &format!("{module}::{test}"), "--nocapture", "--test-threads=1"]);
    command.env(PART, test).env(STORE, url);
    command.stdout(std::process::Stdio::null());
}

/// The store, if this process is a child that plays `part`.
fn playing(part: &str) -> Option<String> {
    (std::env::var(PART).ok()? == part).then(|| std::env::var(STORE).unwrap())
}

fn temporary_files(directory: &Path) -> usize {
    let names = fs::read_dir(directory).unwrap().map(|e| e.unwrap().file_name());
    names.filter(|name| name.to_str().unwrap().ends_with(".tmp")).count()
}

fn is_whole(value: &[u8]) -> bool {
    value.len() == 3_000_000 && value == pattern(value.len(), value[0])
}

#[test]
fn part_write_for_ever() {
    let Some(url) = playing("part_write_for_ever") else { return };
    let store = opened(&url, Mode::Append).unwrap();
    for n in 0u8.. {
        set(&*store, "a/b", &pattern(3_000_000, n));
    }
}

#[test]
fn a_killed_writer_leaves_a_whole_value() {
    let scratch = Scratch::new();
    let url = scratch.url("x.zarr");
    let store = opened(&url, Mode::Create).unwrap();
    set(&*store, "a/b", &pattern(3_000_000, 9));
    let mut changes = 0;
    let mut litter = 0;
    for n in 0..40u64 {
        let before = version(&*store, "a/b");
        let mut writer = child("part_write_for_ever", &url).spawn().unwrap();
        // Let it write at least one value, then kill it at some moment.
        let patience = Instant::now() + Duration::from_secs(20);
        while version(&*store, "a/b") == before && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(n * 977 % 7000));
        writer.kill().unwrap();
        writer.wait().unwrap();
        changes += usize::from(version(&*store, "a/b") != before);
        assert!(is_whole(&get(&*store, "a/b").unwrap()));
        assert_eq!(list(&*store, "", Depth::All), names(&["a/b"]));
        litter = temporary_files(&scratch.path("x.zarr/a"));
    }
    assert_eq!(changes, 40);
    println!("40 killed writers left {litter} temporary files");
    // Whatever they left hampers nobody and goes with its directory.
    set(&*store, "a/b", b"alive");
    assert_eq!(get(&*store, "a/b").unwrap(), b"alive");
    store.erase_prefix("a/").unwrap();
    assert_eq!(fs::read_dir(&url).unwrap().count(), 0);
}

#[test]
fn part_count() {
    let Some(url) = playing("part_count") else { return };
    let store = opened(&url, Mode::Append).unwrap();
    for _ in 0..100 {
        loop {
            let mut out = Vec::new();
            let when = match store.get(&key("n"), &mut out).unwrap() {
                Some(version) => Precondition::Version(version),
                None => Precondition::Absent,
            };
            let n = if out.is_empty() { 0 } else { u64::from_le_bytes(out.try_into().unwrap()) };
            match set_when(&*store, "n", &(n + 1).to_le_bytes(), when) {
                Ok(()) => break,
                Err(e) => assert_eq!(e.kind(), Kind::Conflict, "{e}"),
            }
        }
    }
}

#[test]
fn processes_that_count_together_lose_nothing() {
    let scratch = Scratch::new();
    let url = scratch.url("x.zarr");
    let mut counters: Vec<_> = (0..4).map(|_| child("part_count", &url).spawn().unwrap()).collect();
    assert!(counters.iter_mut().all(|c| c.wait().unwrap().success()));
    let store = opened(&url, Mode::Read).unwrap();
    assert_eq!(get(&*store, "n").unwrap(), 400u64.to_le_bytes());
    assert_eq!(temporary_files(&scratch.path("x.zarr")), 0);
}

/// Writes what does not fit; the old value must stand and nothing be left.
#[test]
fn part_write_too_much() {
    let Some(url) = playing("part_write_too_much") else { return };
    let store = opened(&url, Mode::Append).unwrap();
    set(&*store, "a/b", b"old");
    for (k, when) in [
        ("a/b", Precondition::None),
        ("a/b", Precondition::Version(version(&*store, "a/b"))),
        ("a/new", Precondition::Absent),
        ("new/deep/er", Precondition::None),
    ] {
        let e = failure(set_when(&*store, k, &pattern(4 << 20, 1), when));
        assert_eq!(e.kind(), Kind::Io, "{e}");
        assert!([libc::ENOSPC, libc::EFBIG].contains(&e.system_code()), "{e}");
        assert!(e.to_string().contains(k), "{e}");
        assert_eq!(list(&*store, "", Depth::All), names(&["a/b"]));
        assert_eq!(get(&*store, "a/b").unwrap(), b"old");
        assert_eq!(temporary_files(&Path::new(&url).join("a")), 0);
    }
    for k in ["a/new", "newer/deep/er"] {
        let e = failure(store.set_in_place(&key(k), &[&pattern(4 << 20, 1)]));
        assert!([libc::ENOSPC, libc::EFBIG].contains(&e.system_code()), "{e}");
        assert_eq!(list(&*store, "", Depth::All), names(&["a/b"]), "a new value, cut short");
    }
    set(&*store, "a/b", b"new");
    assert_eq!(get(&*store, "a/b").unwrap(), b"new");
}

#[cfg(unix)]
#[test]
fn without_room_the_old_value_stands() {
    let scratch = Scratch::new();
    let program = std::env::current_exe().unwrap();
    // A limit to the size of files, which is met in the middle of a write.
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 1000; exec \"$0\" \"$@\""]).arg(&program);
    play(&mut limited, "part_write_too_much", &scratch.url("limited"));
    assert!(limited.status().unwrap().success());

    // A file system of one MiB, where we may make one.
    let disk = scratch.path("disk");
    fs::create_dir(&disk).unwrap();
    let script = "mount -t tmpfs -o size=1m none \"$0\" 2>/dev/null || exit 77; exec \"$@\"";
    let mut small = Command::new("unshare");
    small.args(["-m", "sh", "-c", script]).arg(&disk).arg(&program);
    play(&mut small, "part_write_too_much", disk.join("x.zarr").to_str().unwrap());
    match small.status().map(|status| status.code()) {
        Ok(Some(0)) => {}
        Ok(Some(1 | 77)) | Err(_) if rustix_uid() != 0 => println!("skipped: no small disk"),
        other => panic!("{other:?}"),
    }
}

/// The databases of this build, which one file or few hold, with an option that they need.
fn databases(scratch: &Scratch) -> Vec<String> {
    let mut urls = Vec::new();
    for scheme in ["zip", "sqlite", "lmdb"] {
        if built(scheme) {
            urls.push(format!("{scheme}:{}", scratch.url(scheme)));
        }
    }
    if built("dbm") {
        urls.push(format!("dbm:{}", scratch.url("gnu")));
        urls.push(format!("dbm:{}", scratch.url("dumb")));
        for name in ["dumb.dir", "dumb.dat"] {
            fs::write(scratch.path(name), "").unwrap();
        }
    }
    urls
}

/// Sets values until there is no room for more, and says how many in a file beside the store.
#[test]
fn part_fill_the_disk() {
    let Some(url) = playing("part_fill_the_disk") else { return };
    let store = opened(&url, Mode::Append).unwrap();
    let start = list(&*store, "", Depth::All).len();
    let mut n = start;
    let failed = loop {
        assert!(n < start + 1000, "{url}: the disk is never full");
        match set_when(&*store, &format!("a/{n}"), &pattern(20_000, n as u8), Precondition::None) {
            Ok(()) => n += 1,
            Err(e) => break e,
        }
    };
    assert_eq!(failed.kind(), Kind::Io, "{failed}");
    println!("{url}: {failed}");
    for i in 0..n {
        assert!(get(&*store, &format!("a/{i}")).unwrap() == pattern(20_000, i as u8), "{url} {i}");
    }
    // where the store has something to complete there may be no room for it, which it says
    println!("{url}: closed with {:?}", store.flush().map_err(|e| e.to_string()));
    drop(store);
    let count = std::env::var(COUNT).unwrap();
    fs::write(count, n.to_string()).unwrap();
}

#[test]
fn a_full_disk_leaves_all_that_was_written() {
    let scratch = Scratch::new();
    let count = scratch.url("count");
    let program = std::env::current_exe().unwrap();
    for url in databases(&scratch) {
        let mut before = 0;
        for _ in 0..2 {
            let mut limited = Command::new("sh");
            limited.args(["-c", "trap '' XFSZ; ulimit -f 1000; exec \"$0\" \"$@\""]).arg(&program);
            play(&mut limited, "part_fill_the_disk", &url);
            limited.env(COUNT, &count);
            assert!(limited.status().unwrap().success(), "{url}");
            let n: usize = fs::read_to_string(&count).unwrap().parse().unwrap();
            assert!(n >= before && n > 0, "{url} took {n} values, after {before}");
            before = n;
            let expected = (0..n).map(|i| format!("a/{i}")).collect();
            for mode in [Mode::Read, Mode::ReadWrite, Mode::Read] {
                let store = opened(&url, mode).unwrap();
                assert_eq!(list(&*store, "", Depth::All), expected, "{url}");
                for i in 0..n {
                    let value = get(&*store, &format!("a/{i}")).unwrap();
                    assert!(value == pattern(20_000, i as u8), "{url} {i}");
                }
                store.flush().unwrap();
            }
        }
    }
}

/// As batch systems limit what a job may address.
#[cfg(target_os = "linux")]
#[test]
fn few_addresses_suffice_for_a_database() {
    let scratch = Scratch::new();
    let (count, program) = (scratch.url("count"), std::env::current_exe().unwrap());
    for url in databases(&scratch) {
        let mut limited = Command::new("sh");
        let script = "trap '' XFSZ; ulimit -f 1000; ulimit -v 8000000; exec \"$0\" \"$@\"";
        limited.args(["-c", script]).arg(&program);
        play(&mut limited, "part_fill_the_disk", &url);
        assert!(limited.env(COUNT, &count).status().unwrap().success(), "{url}");
        let n: usize = fs::read_to_string(&count).unwrap().parse().unwrap();
        let store = opened(&url, Mode::Append).unwrap();
        assert_eq!(list(&*store, "", Depth::All).len(), n, "{url}");
    }
}

#[test]
fn a_killed_writer_of_a_database_leaves_whole_values() {
    let scratch = Scratch::new();
    for url in databases(&scratch) {
        let store = opened(&url, Mode::Append).unwrap();
        set(&*store, "a/b", &pattern(3_000_000, 9));
        drop(store);
        for n in 0..8u64 {
            let mut writer = child("part_write_for_ever", &url).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(30 + n * 37 % 50));
            writer.kill().unwrap();
            writer.wait().unwrap();
            let mode = if n % 2 == 0 { Mode::Read } else { Mode::ReadWrite };
            let store = opened(&url, mode).unwrap_or_else(|e| panic!("{url}: {e}"));
            assert!(is_whole(&get(&*store, "a/b").unwrap()), "{url}");
            assert_eq!(list(&*store, "", Depth::All), names(&["a/b"]), "{url}");
        }
    }
}

#[cfg(unix)]
fn rustix_uid() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[cfg(unix)]
#[test]
fn part_nobody() {
    let Some(url) = playing("part_nobody") else { return };
    let store = opened(&url, Mode::ReadWrite).unwrap();
    let denied = [
        store.get(&key("secret"), &mut Vec::new()).map(drop),
        store.get(&key("closed/a"), &mut Vec::new()).map(drop),
        store.source(&key("closed/a")).read_exactly(&mut [0]).map(drop),
        store.set(&key("a"), &[b"x"], &Precondition::None),
        store.set(&key("new/a"), &[b"x"], &Precondition::None),
        store.erase(&key("a"), &Precondition::None).map(drop),
        store.erase_prefix("open/"),
        store.list("closed/", Depth::One, &mut |_| Ok(())),
        store.list("", Depth::All, &mut |_| Ok(())),
    ];
    for result in denied {
        let e = failure(result);
        assert_eq!((e.kind(), e.system_code()), (Kind::PermissionDenied, libc::EACCES), "{e}");
    }
    assert_eq!(get(&*store, "a").unwrap(), b"readable");
    // A directory that may be passed through but not be listed is enough of a root.
    let passage = opened(&format!("{url}/passage"), Mode::Read).unwrap();
    assert_eq!(get(&*passage, "a").unwrap(), b"readable");
    assert_eq!(kind(passage.list("", Depth::One, &mut |_| Ok(()))), Kind::PermissionDenied);
    assert_eq!(kind(opened(&format!("{url}/closed/x"), Mode::Append)), Kind::PermissionDenied);
}

#[cfg(unix)]
#[test]
fn without_the_right_to_it() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    let url = scratch.url("x.zarr");
    let store = opened(&url, Mode::Create).unwrap();
    for k in ["a", "open/a", "closed/a", "secret", "passage/a"] {
        set(&*store, k, b"readable");
    }
    let allow = |name: &str, mode| {
        let path = scratch.path("x.zarr").join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    for (name, mode) in
        [("secret", 0o0), ("closed", 0o0), ("open", 0o555), ("passage", 0o711), ("", 0o555)]
    {
        allow(name, mode);
    }
    // Root may do anything, so the part is played by nobody.
    let mut nobody = child("part_nobody", &url);
    let program;
    if rustix_uid() == 0 {
        program = scratch.path("program");
        fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
        nobody = Command::new(&program);
        play(&mut nobody, "part_nobody", &url);
        nobody.uid(65534).gid(65534).current_dir("/");
    }
    let status = nobody.status();
    for name in ["", "closed", "open", "passage"] {
        allow(name, 0o755);
    }
    assert!(status.unwrap().success());
}

/// Commits what does not fit, then what does.
#[test]
fn part_commit_too_much() {
    let Some(url) = playing("part_commit_too_much") else { return };
    let store = opened(&url, Mode::Append).unwrap();
    set(&*store, "a/b", b"old");
    for _ in 0..2 {
        let t = store.clone().begin().unwrap();
        for (k, size) in [("a/b", 1000), ("a/c", 4 << 20), ("d", 1000)] {
            set(&*t, k, &pattern(size, 1));
        }
        let e = failure(t.commit(None));
        assert_eq!(e.kind(), Kind::Io, "{e}");
        for store in [&store, &opened(&url, Mode::Read).unwrap()] {
            assert_eq!(list(&**store, "", Depth::All), names(&["a/b"]), "{url}");
            assert_eq!(get(&**store, "a/b").unwrap(), b"old", "{url}");
        }
        t.rollback().unwrap();
    }
    let t = store.clone().begin().unwrap();
    set(&*t, "a/b", b"new");
    set(&*t, "d", &pattern(1000, 2));
    t.commit(None).unwrap();
    drop((t, store));
    let store = opened(&url, Mode::Read).unwrap();
    assert_eq!(list(&*store, "", Depth::All), names(&["a/b", "d"]), "{url}");
    assert_eq!(get(&*store, "d").unwrap(), pattern(1000, 2), "{url}");
}

#[cfg(unix)]
#[test]
fn a_commit_without_room_changes_nothing() {
    for scheme in ["zip", "sqlite"].into_iter().filter(|scheme| built(scheme)) {
        let scratch = Scratch::new();
        let program = std::env::current_exe().unwrap();
        let mut limited = Command::new("sh");
        limited.args(["-c", "trap '' XFSZ; ulimit -f 1000; exec \"$0\" \"$@\""]).arg(&program);
        play(&mut limited, "part_commit_too_much", &format!("{scheme}:{}", scratch.url("limited")));
        assert!(limited.status().unwrap().success(), "{scheme}");

        let disk = scratch.path("disk");
        fs::create_dir(&disk).unwrap();
        let script = "mount -t tmpfs -o size=1m none \"$0\" 2>/dev/null || exit 77; exec \"$@\"";
        let mut small = Command::new("unshare");
        small.args(["-m", "sh", "-c", script]).arg(&disk).arg(&program);
        let url = format!("{scheme}:{}", disk.join("x").display());
        play(&mut small, "part_commit_too_much", &url);
        match small.status().map(|status| status.code()) {
            Ok(Some(0)) => {}
            Ok(Some(1 | 77)) | Err(_) if rustix_uid() != 0 => println!("skipped: no small disk"),
            other => panic!("{scheme}: {other:?}"),
        }
    }
}
