//! Read-ahead for files on a disk or a server rather than in memory.
//!
//! A sample of the opens shows whether files are in memory. Once one is not, callers announce the
//! values that they read next, and some threads open those in parallel and let the system fetch
//! them. The bytes go only to the system's cache, so nothing here can be stale: the reader opens
//! the value anew. When enough values are found in memory again, announcing ends.

use super::at::{Root, is_file, stat_of};
use crate::exec::{self, Tally};
use crate::fork::Own;
use crate::lock::Acquire;
use crate::source::Want;
use crate::system::fd::BorrowedFd;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// One open in so many is sampled, and more of the first ones.
const SAMPLED: u32 = 64;

/// Once a value is not in memory, announcing goes on until so many values are.
const COLD: u32 = 64;

/// The most threads that fetch the values of one store. They mostly wait.
const FETCHERS: usize = 16;

/// The most queued values.
const WAITING: usize = 256;

/// How far ahead to announce values (decoded bytes).
const AHEAD: u64 = 64 << 20;

/// The most bytes of one value that are fetched ahead.
const MOST: u64 = 64 << 20;

/// An open of a file in memory takes less time.
const SLOW_OPEN: Duration = Duration::from_micros(100);

/// The read-ahead of one store.
pub struct Ahead {
    root: Arc<Root>,
    /// Counts opens, for each thread.
    opens: Tally,
    /// Above 0: values are not in memory.
    cold: AtomicU32,
    queue: Own<Mutex<Queue>>,
}

#[derive(Default)]
struct Queue {
    /// Queued values, the next first.
    waiting: VecDeque<(String, Want)>,
    threads: usize,
}

impl Ahead {
    /// Read-ahead for the values below `root`.
    pub fn new(root: Arc<Root>) -> Arc<Self> {
        let (opens, cold, queue) = Default::default();
        Arc::new(Ahead { root, opens, cold, queue })
    }

    /// How far ahead to announce values (decoded bytes); 0: files are in memory.
    pub fn bytes(&self) -> u64 {
        if self.cold.load(Ordering::Relaxed) > 0 { AHEAD } else { 0 }
    }

    /// The start time of an open to sample; `None`: do not sample this one.
    pub fn begin(&self) -> Option<Instant> {
        let n = self.opens.add();
        let sampled = n.is_power_of_two() || n.is_multiple_of(SAMPLED);
        (sampled && self.bytes() == 0).then(Instant::now)
    }

    /// Samples the file of `len` bytes whose open began at `begun`.
    pub fn look(&self, begun: Instant, file: BorrowedFd<'_>, len: u64) {
        let took = begun.elapsed();
        if !is_in_memory(file, len / 2).unwrap_or(took < SLOW_OPEN) {
            self.cold.store(COLD, Ordering::Relaxed);
        }
    }

    /// Queues part of a value to be fetched.
    pub fn add(self: &Arc<Self>, path: &str, want: Want) {
        let mut queue = self.queue.get().acquire();
        if queue.waiting.len() >= WAITING {
            // the longest-queued values have mostly been read meanwhile
            queue.waiting.pop_front();
        }
        queue.waiting.push_back((path.to_owned(), want));
        if queue.threads < FETCHERS {
            queue.threads += 1;
            drop(queue);
            let this = self.clone();
            exec::start_blocking(Box::new(move || this.serve()));
        }
    }

    /// Clears the queue when the store closes.
    pub fn close(&self) {
        self.queue.get().acquire().waiting.clear();
    }

    fn serve(&self) {
        let mut queue = self.queue.get().acquire();
        while let Some((path, want)) = queue.waiting.pop_front() {
            drop(queue);
            self.fetch(&path, want);
            queue = self.queue.get().acquire();
        }
        queue.threads -= 1;
    }

    /// Loads a file's metadata and has the system fetch part of it. Errors are ignored: the reader
    /// will meet and report them.
    fn fetch(&self, path: &str, want: Want) {
        let begun = Instant::now();
        let Ok(file) = self.root.open_value(path) else { return };
        let took = begun.elapsed();
        let Ok(stat) = stat_of(&file) else { return };
        let (offset, len) = want.within(stat.st_size as u64);
        if !is_file(&stat) || len == 0 {
            return;
        }
        let file = crate::system::fd::AsFd::as_fd(&file);
        if is_in_memory(file, offset + len.min(MOST) - 1).unwrap_or(took < SLOW_OPEN) {
            let warmer = |cold: u32| cold.checked_sub(1);
            let _ = self.cold.fetch_update(Ordering::Relaxed, Ordering::Relaxed, warmer);
            return;
        }
        self.cold.store(COLD, Ordering::Relaxed);
        advise(file, offset, len);
    }
}

/// Whether the byte at `offset` of a file is in the system's cache; `None`: unknown.
#[cfg(target_os = "linux")]
fn is_in_memory(file: BorrowedFd<'_>, offset: u64) -> Option<bool> {
    use rustix::io::{Errno, ReadWriteFlags, preadv2, retry_on_intr};
    let mut byte = [0];
    let mut buffers = [std::io::IoSliceMut::new(&mut byte)];
    match retry_on_intr(|| preadv2(file, &mut buffers, offset, ReadWriteFlags::NOWAIT)) {
        Ok(_) => Some(true),
        Err(Errno::AGAIN) => Some(false),
        // tmpfs and ramfs do not answer, and have no other place; from linux/magic.h
        Err(_) => crate::system::fs::fstatfs(file)
            .is_ok_and(|system| [0x0102_1994, 0x8584_58f6].contains(&(system.f_type as u32)))
            .then_some(true),
    }
}

#[cfg(not(target_os = "linux"))]
fn is_in_memory(_: BorrowedFd<'_>, _: u64) -> Option<bool> {
    None
}

/// Has the system fetch some bytes of a file; does not wait.
fn advise(file: BorrowedFd<'_>, offset: u64, len: u64) {
    let len = len.min(MOST);
    #[cfg(target_os = "linux")]
    if let Some(len) = std::num::NonZeroU64::new(len) {
        let _ = crate::system::fs::fadvise(
            file,
            offset,
            Some(len),
            crate::system::fs::Advice::WillNeed,
        );
    }
    #[cfg(target_vendor = "apple")]
    let _ = crate::system::fs::fcntl_rdadvise(file, offset, len);
    #[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
    let _ = (file, offset, len);
}

#[cfg(all(test, target_os = "linux"))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::store::local::filesystem::at::open_passage;
    use crate::system::fd::AsFd;
    use std::fs::File;
    use std::path::{Path, PathBuf};

    /// A directory with some files, evicted from memory; `None`: the file system keeps them in
    /// memory.
    fn cold_files(name: &str, count: usize) -> Option<PathBuf> {
        // the system's temporary directory may be in memory
        let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("target");
        let path = place.join(format!("zarrc-ahead-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        for n in 0..=count {
            let file = path.join(n.to_string());
            std::fs::write(&file, vec![n as u8; 100_000]).unwrap();
            let file = File::open(&file).unwrap();
            crate::system::fs::fsync(&file).unwrap();
            crate::system::fs::fadvise(&file, 0, None, crate::system::fs::Advice::DontNeed)
                .unwrap();
        }
        // one more, which asking brings into memory
        let asked = File::open(path.join(count.to_string())).unwrap();
        let cold = is_in_memory(asked.as_fd(), 50_000) == Some(false);
        if !cold {
            std::fs::remove_dir_all(&path).unwrap();
        }
        cold.then_some(path)
    }

    fn wait_until(done: impl Fn() -> bool) {
        let begun = Instant::now();
        while !done() {
            assert!(begun.elapsed() < Duration::from_secs(20), "it does not come");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn values_come_to_memory_and_then_none_are_named_any_more() {
        let Some(path) = cold_files("come", 40) else { return };
        let ahead = Ahead::new(Arc::new(Root::new(open_passage(&path).unwrap(), true)));
        assert_eq!(ahead.bytes(), 0, "nothing was looked at yet");
        let begun = ahead.begin().unwrap();
        ahead.look(begun, File::open(path.join("0")).unwrap().as_fd(), 100_000);
        assert_eq!(ahead.bytes(), AHEAD);
        // an absent file and a directory are skipped
        std::fs::create_dir(path.join("directory")).unwrap();
        for name in ["absent", "directory"] {
            ahead.add(name, Want::All(0));
        }
        for n in 0..40 {
            let wants = [Want::All(0), Want::Range(40_000, 20_000), Want::Suffix(60_000)];
            ahead.add(&n.to_string(), wants[n % 3]);
        }
        let is_there = |n: usize| {
            is_in_memory(File::open(path.join(n.to_string())).unwrap().as_fd(), 50_000)
                == Some(true)
        };
        wait_until(|| (0..40).all(is_there));
        for n in 0..COLD as usize {
            ahead.add(&(n % 40).to_string(), Want::Range(40_000, 20_000));
        }
        wait_until(|| ahead.bytes() == 0);
        ahead.close();
        wait_until(|| Arc::strong_count(&ahead) == 1);
        std::fs::remove_dir_all(&path).unwrap();
    }

    /// An open there may take long too, on a busy machine.
    #[test]
    fn a_file_system_in_memory_is_never_cold() {
        let path = PathBuf::from(format!("/dev/shm/zarrc-ahead-{}", std::process::id()));
        if std::fs::write(&path, [0; 1000]).is_err() {
            return;
        }
        let (file, root) = (File::open(&path).unwrap(), open_passage(Path::new("/dev/shm")));
        let ahead = Ahead::new(Arc::new(Root::new(root.unwrap(), true)));
        let begun = Instant::now() - Duration::from_secs(1);
        ahead.look(begun, file.as_fd(), 1000);
        assert_eq!(ahead.bytes(), 0);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn what_waits_is_bounded() {
        let path = std::env::temp_dir();
        let ahead = Ahead::new(Arc::new(Root::new(open_passage(&path).unwrap(), true)));
        ahead.queue.get().acquire().threads = FETCHERS; // start none
        for n in 0..10 * WAITING {
            ahead.add(&n.to_string(), Want::All(0));
        }
        let queue = ahead.queue.get().acquire();
        assert_eq!(queue.waiting.len(), WAITING);
        assert_eq!(queue.waiting[0].0, (9 * WAITING).to_string());
    }

    #[test]
    fn the_first_opens_and_one_in_some_are_looked_at() {
        let ahead = Ahead::new(Arc::new(Root::new(open_passage(Path::new("/")).unwrap(), true)));
        let looked: Vec<bool> = (0..3 * SAMPLED + 1).map(|_| ahead.begin().is_some()).collect();
        let looked = (0..looked.len()).filter(|&n| looked[n]).map(|n| n + 1);
        assert_eq!(looked.collect::<Vec<_>>(), [1, 2, 4, 8, 16, 32, 64, 128, 192]);
    }
}
