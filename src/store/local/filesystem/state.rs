//! The state of a file, by which its versions are told apart: a new value is a new file, made at
//! another time.
//!
//! Some file systems keep times in whole seconds, and may give a new file the number of one that
//! was replaced within the same second (ext3, and ext4 with small inodes). There, each use of a
//! number has a generation of its own.

use super::at::{Root, is_file};
use crate::store::{Stamp, Version};
use crate::system::fd::AsFd;
use crate::system::fs::{self, Stat};
use crate::system::io::{Result, retry_on_intr};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The metadata of a file, as far as they identify its contents.
pub(super) struct State {
    pub stat: Stat,
    /// Where times have whole seconds; else 0.
    generation: u32,
    is_recent: bool,
}

impl State {
    /// The state of an open file.
    pub fn of(file: impl AsFd) -> Result<Self> {
        let stat = retry_on_intr(|| fs::fstat(file.as_fd()))?;
        let generation = if keeps_seconds(&stat) { generation(file) } else { 0 };
        Ok(State { is_recent: has_recent_times(&stat), stat, generation })
    }

    /// The state of the file at `path`.
    pub fn at(root: &Root, path: &str) -> Result<Self> {
        let stat = root.stat(path)?;
        if keeps_seconds(&stat)
            && is_file(&stat)
            && let Ok(file) = root.open_now(path)
        {
            return State::of(file);
        }
        Ok(State { is_recent: has_recent_times(&stat), stat, generation: 0 })
    }

    #[allow(clippy::unnecessary_cast)] // the types differ between systems
    pub fn len(&self) -> u64 {
        self.stat.st_size as u64
    }

    #[allow(clippy::unnecessary_cast)] // the types differ between systems
    pub fn version(&self) -> Version {
        let [modified, changed] = times(&self.stat);
        let fields = [
            self.stat.st_dev as u64,
            self.stat.st_ino as u64,
            self.len(),
            modified.0,
            modified.1,
            changed.0,
            // nanoseconds are none where there is a generation
            changed.1 | u64::from(self.generation) << 32,
        ];
        let bytes = fields.iter().flat_map(|field| field.to_le_bytes()).collect();
        Version::new(bytes).recent(self.is_recent)
    }

    pub fn stamp(&self) -> Stamp {
        let seconds = self.stat.st_mtime;
        let micros =
            i128::from(seconds) * 1_000_000 + i128::from(self.stat.st_mtime_nsec as i64 / 1000);
        let etag = format!("{:x}-{micros:x}-{:x}", self.stat.st_ino, self.len());
        Stamp { version: Some(self.version()), etag: Some(etag), modified: Some(seconds) }
    }
}

/// When it was last modified, and when it was last changed in any way: seconds and nanoseconds.
#[allow(clippy::unnecessary_cast)] // the types differ between systems
fn times(stat: &Stat) -> [(u64, u64); 2] {
    let modified = (stat.st_mtime as u64, stat.st_mtime_nsec as u64);
    [modified, (stat.st_ctime as u64, stat.st_ctime_nsec as u64)]
}

/// Whether its file system has only whole seconds. A program may set the time of modification to
/// one, but not the other.
fn keeps_seconds(stat: &Stat) -> bool {
    times(stat)[1].1 == 0
}

/// Whether the file may change after this metadata was read, and the metadata stay the same. Files
/// written here have times of their own, so that the two timestamps differ; where times have whole
/// seconds, that says nothing.
fn has_recent_times(stat: &Stat) -> bool {
    let [modified, changed] = times(stat);
    (modified == changed || keeps_seconds(stat)) && is_recent(changed, clock())
}

/// Whether a file written at that time could be rewritten with the same timestamps. They come from
/// a clock that ticks every 1 to 10 ms, or a file system that keeps only seconds, as Lustre, or
/// even 2 s.
fn is_recent((seconds, nanos): (u64, u64), now: Duration) -> bool {
    let tick = if nanos == 0 { Duration::from_secs(3) } else { Duration::from_millis(20) };
    let age = now.checked_sub(Duration::new(seconds, nanos as u32));
    age.is_none_or(|age| age < tick)
}

/// The time since 1970.
pub(super) fn clock() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// How often the file's number was given away, or a random number in its place; 0: unknown.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)] // a system call that rustix lacks
fn generation(file: impl AsFd) -> u32 {
    use rustix::ioctl::{Updater, ioctl, opcode};
    use std::ffi::{c_int, c_long};
    // FS_IOC_GETVERSION of linux/fs.h: said to be of a long, yet the system stores an int
    const GET: rustix::ioctl::Opcode = opcode::read::<c_long>(b'v', 1);
    let mut value: [c_int; 2] = [0; 2];
    // SAFETY: the system stores no more than a long.
    let got = unsafe { ioctl(file, Updater::<GET, [c_int; 2]>::new(&mut value)) };
    got.map_or(0, |()| value[0] as u32)
}

#[cfg(not(target_os = "linux"))]
fn generation(_: impl AsFd) -> u32 {
    0
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn times_that_may_come_again_are_recent() {
        let now = Duration::new(1_000_000, 50_000_000);
        for (written, recent) in [
            ((1_000_000, 49_000_000), true),
            ((1_000_000, 30_000_001), true),
            ((1_000_000, 30_000_000), false),
            ((999_999, 999_999_999), false),
            // from a clock that is ahead
            ((1_000_000, 50_000_001), true),
            ((2_000_000, 0), true),
            // a file system that keeps only seconds
            ((999_998, 0), true),
            ((999_997, 0), false),
        ] {
            assert_eq!(is_recent(written, now), recent, "{written:?}");
        }
    }
}
