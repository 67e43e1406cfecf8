//! Resolves names below the root of a directory store. The root is opened once and all else is
//! reached from its descriptor, so changing the working directory or renaming the root has no
//! effect.

use crate::system::fd::{AsFd, BorrowedFd, OwnedFd};
use crate::system::fs::{self, AtFlags, FileType, Mode, OFlags, Stat, Timespec};
use crate::system::io::{Errno, Result, retry_on_intr};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

/// How often a file that seems absent is looked for again before it is taken for absent.
const FURTHER_LOOKS: usize = 2;

/// How often a file is opened that seems absent and yet is there: so often at once, then each
/// millisecond, so often in all.
const AT_ONCE: usize = 8;
const MOST_ATTEMPTS: usize = 500;

/// Flags to open a directory only for traversal, which needs just search permission.
#[cfg(target_os = "linux")]
const PASSAGE: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const PASSAGE: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Flags to open a directory that is listed, locked or flushed.
pub const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Flags to open a value. Without NONBLOCK a pipe in its place would block its reader forever.
const VALUE: OFlags =
    OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// Opens the directory at `path` for traversal.
pub fn open_passage(path: &Path) -> Result<OwnedFd> {
    retry_on_intr(|| fs::open(path, PASSAGE, Mode::empty()))
}

/// The root directory.
pub struct Root {
    directory: OwnedFd,
    follow: bool,
    /// Whether its file system lets files seem absent while they are replaced.
    misses: OnceLock<bool>,
}

/// A directory, and a name in it: one segment if links may not be followed, else any number.
pub struct Place<'a> {
    parent: Option<OwnedFd>,
    root: BorrowedFd<'a>,
    pub name: &'a str,
}

impl AsFd for Place<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.parent.as_ref().map_or(self.root, |parent| parent.as_fd())
    }
}

impl Root {
    /// The root `directory`; `follow`: whether to follow symbolic links below it.
    pub fn new(directory: OwnedFd, follow: bool) -> Self {
        Root { directory, follow, misses: OnceLock::new() }
    }

    /// Whether an error means that there is nothing to read.
    pub fn means_absent(errno: Errno) -> bool {
        matches!(errno, Errno::NOENT | Errno::NOTDIR | Errno::NAMETOOLONG)
    }

    /// Whether the root is on a server that may report write errors late: other file systems report
    /// a full disk during the write.
    pub fn is_on_network(&self) -> bool {
        // NFS, CIFS, SMB 2, AFS; from linux/magic.h
        self.is_of(&[0x6969, 0xff53_4d42, 0xfe53_4d42, 0x5346_414f])
    }

    /// Whether the root's file system has one of these numbers. Only Linux has them: elsewhere yes.
    #[cfg(target_os = "linux")]
    fn is_of(&self, systems: &[u32]) -> bool {
        fs::fstatfs(&self.directory).is_ok_and(|s| systems.contains(&(s.f_type as u32)))
    }

    #[cfg(not(target_os = "linux"))]
    fn is_of(&self, _: &[u32]) -> bool {
        true
    }

    /// Calls `look` for the file at `path`; again if it says that the file is absent, and one of
    /// [`FURTHER_LOOKS`], `apart` from each other, finds it.
    ///
    /// File systems in user space, and some of servers, let a file seem absent while it is
    /// replaced, though one is there all the time (bindfs: every third open while two processes
    /// replace it). Taken for absent, a chunk would be read as fill values, and lose what it had
    /// when part of it is written.
    fn found<T>(&self, path: &str, apart: Duration, look: impl Fn() -> Result<T>) -> Result<T> {
        let is_absent = |_| {
            std::thread::sleep(apart);
            self.find(path).is_err_and(|errno| errno == Errno::NOENT)
        };
        for n in 0..MOST_ATTEMPTS {
            if n >= AT_ONCE {
                std::thread::sleep(Duration::from_millis(1));
            }
            match look() {
                Err(Errno::NOENT) if !self.misses() || (0..FURTHER_LOOKS).all(is_absent) => {
                    return Err(Errno::NOENT);
                }
                Err(Errno::NOENT | Errno::STALE) => {}
                found => return found,
            }
        }
        Err(Errno::STALE)
    }

    /// Asks only for the name: the metadata of what it names, and its bytes, may be gone by then.
    #[cfg(target_os = "linux")]
    fn find(&self, path: &str) -> Result<()> {
        self.open_at(path, OFlags::PATH | OFlags::CLOEXEC).map(drop)
    }

    #[cfg(not(target_os = "linux"))]
    fn find(&self, path: &str) -> Result<()> {
        self.stat_once(path).map(drop)
    }

    fn misses(&self) -> bool {
        // FUSE, 9P, CIFS, SMB 2, VirtualBox; from linux/magic.h and vboxsf
        let systems = [0x6573_5546, 0x0102_1997, 0xff53_4d42, 0xfe53_4d42, 0x786f_4256];
        *self.misses.get_or_init(|| self.is_of(&systems))
    }

    /// Opens a value for reading.
    pub fn open_value(&self, path: &str) -> Result<OwnedFd> {
        match self.open_now(path) {
            // Another process holds a lease on the file: if it is a file, wait.
            Err(Errno::WOULDBLOCK) if is_file(&self.stat(path)?) => {
                self.found(path, Duration::ZERO, || self.open_at(path, VALUE - OFlags::NONBLOCK))
            }
            opened => opened,
        }
    }

    /// The same, but fails with [`Errno::WOULDBLOCK`] instead of waiting.
    pub fn open_now(&self, path: &str) -> Result<OwnedFd> {
        self.found(path, Duration::ZERO, || self.open_at(path, VALUE))
    }

    /// The same, for a value that is about to be replaced by one made from it: waits before it
    /// takes it for absent where that may be wrong.
    pub fn open_to_change(&self, path: &str) -> Result<OwnedFd> {
        self.found(path, Duration::from_millis(1), || self.open_at(path, VALUE))
    }

    /// Opens a directory, `""` being the root, to be listed, locked or flushed.
    pub fn open_directory(&self, path: &str) -> Result<OwnedFd> {
        self.open_at(if path.is_empty() { "." } else { path }, DIRECTORY)
    }

    /// The metadata of `path`, as a reader would see it.
    pub fn stat(&self, path: &str) -> Result<Stat> {
        self.found(path, Duration::ZERO, || self.stat_once(path))
    }

    fn stat_once(&self, path: &str) -> Result<Stat> {
        let place = self.place(path)?;
        let flags = if self.follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
        retry_on_intr(|| fs::statat(&place, place.name, flags))
    }

    /// The place of `path`. If links are followed, the system resolves the path when it is used.
    pub fn place<'a>(&'a self, path: &'a str) -> Result<Place<'a>> {
        let root = self.directory.as_fd();
        match path.rsplit_once('/') {
            Some((parent, name)) if !self.follow => {
                Ok(Place { parent: Some(self.open_at(parent, PASSAGE)?), root, name })
            }
            _ => Ok(Place { parent: None, root, name: path }),
        }
    }

    /// Makes the parent directories of `path`; only those below `above`, where given, which is
    /// known to exist. Others may be creating or deleting them at once. Calls `made` for each;
    /// returns whether the last one was made.
    pub fn make_parents(
        &self,
        path: &str,
        above: Option<&str>,
        mut made: impl FnMut(&str) -> Result<()>,
    ) -> Result<bool> {
        let Some((mut directory, _)) = path.rsplit_once('/') else { return Err(Errno::NOENT) };
        let mut deeper = Vec::new();
        // Else try the deepest first: mostly only it is missing.
        while let (Some(above), Some((next, _))) = (above, directory.rsplit_once('/'))
            && next.len() > above.len()
        {
            deeper.push(directory);
            directory = next;
        }
        // A dangling link exists, yet nothing can be made in it, so the attempts are bounded.
        for _ in 0..16 + 4 * path.split('/').count() {
            let result = self.place(directory).and_then(|place| {
                retry_on_intr(|| fs::mkdirat(&place, place.name, Mode::from_raw_mode(0o777)))
            });
            let new = result.is_ok();
            match result {
                Ok(()) => made(directory)?,
                Err(Errno::EXIST) => {}
                Err(Errno::NOENT) => match directory.rsplit_once('/') {
                    None => return Err(Errno::NOENT),
                    Some((above, _)) => {
                        deeper.push(directory);
                        directory = above;
                        continue;
                    }
                },
                Err(errno) => return Err(errno),
            }
            match deeper.pop() {
                Some(next) => directory = next,
                None => return Ok(new),
            }
        }
        Err(Errno::NOENT)
    }

    fn open_at(&self, path: &str, flags: OFlags) -> Result<OwnedFd> {
        if self.follow {
            return retry_on_intr(|| fs::openat(&self.directory, path, flags, Mode::empty()));
        }
        #[cfg(target_os = "linux")]
        {
            let resolve = fs::ResolveFlags::NO_SYMLINKS;
            let opened =
                retry_on_intr(|| fs::openat2(&self.directory, path, flags, Mode::empty(), resolve));
            match opened {
                // Older than Linux 5.6, or blocked by a sandbox.
                Err(Errno::NOSYS | Errno::PERM) => {}
                opened => return opened,
            }
        }
        self.walk(path, flags)
    }

    /// Opens `path` without following a link, segment by segment.
    fn walk(&self, path: &str, flags: OFlags) -> Result<OwnedFd> {
        let mut at = None;
        let mut segments = path.split('/').peekable();
        while let Some(segment) = segments.next() {
            let from = at.as_ref().map_or(self.directory.as_fd(), OwnedFd::as_fd);
            let how = if segments.peek().is_some() { PASSAGE } else { flags } | OFlags::NOFOLLOW;
            let opened = retry_on_intr(|| fs::openat(from, segment, how, Mode::empty()));
            at = Some(opened.map_err(|errno| {
                // For O_DIRECTORY, systems report a link with different errors.
                let stat = fs::statat(from, segment, AtFlags::SYMLINK_NOFOLLOW);
                match stat.map(|s| FileType::from_raw_mode(s.st_mode)) {
                    Ok(FileType::Symlink) => Errno::LOOP,
                    _ => errno,
                }
            })?);
        }
        at.ok_or(Errno::NOENT)
    }
}

/// The metadata of an open file.
pub fn stat_of(file: impl AsFd) -> Result<Stat> {
    retry_on_intr(|| fs::fstat(file.as_fd()))
}

/// Whether it was last modified at that time, as far as its file system keeps times.
#[allow(clippy::unnecessary_cast)] // the types differ between systems
pub fn has_time(stat: &Stat, time: &Timespec) -> bool {
    let (kept, nanos) = (stat.st_mtime_nsec as i64, time.tv_nsec as i64);
    stat.st_mtime as i64 == time.tv_sec as i64 && (kept == 0 || (0..1000).contains(&(nanos - kept)))
}

/// Whether it is a regular file; only those can be values.
pub fn is_file(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
}

/// Whether it is a directory.
pub fn is_directory(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::Directory
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// Where files that are replaced may seem absent, only those are absent that further looks do
    /// not find either.
    #[test]
    fn what_seems_absent_is_looked_for_again() {
        let path = std::env::temp_dir().join(format!("zarrc-misses-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("there"), b"x").unwrap();
        for (misses, name, says, times, expected) in [
            (true, "there", Errno::NOENT, 0, (Ok(()), 1)),
            (true, "there", Errno::NOENT, 5, (Ok(()), 6)),
            (true, "there", Errno::NOENT, usize::MAX, (Err(Errno::STALE), MOST_ATTEMPTS)),
            (true, "absent", Errno::NOENT, usize::MAX, (Err(Errno::NOENT), 1)),
            (false, "there", Errno::NOENT, usize::MAX, (Err(Errno::NOENT), 1)),
            (false, "there", Errno::STALE, 5, (Ok(()), 6)),
            (true, "there", Errno::ACCESS, usize::MAX, (Err(Errno::ACCESS), 1)),
        ] {
            let root = Root::new(open_passage(&path).unwrap(), true);
            root.misses.set(misses).unwrap();
            let looks = std::cell::Cell::new(0);
            let found = root.found(name, Duration::ZERO, || {
                looks.set(looks.get() + 1);
                if looks.get() <= times { Err(says) } else { Ok(()) }
            });
            assert_eq!((found, looks.get()), expected, "{name} {says}");
        }
        std::fs::remove_dir_all(&path).unwrap();
    }

    /// Without the system's help, paths must be found or refused just the same.
    #[test]
    fn walking_comes_to_what_the_system_finds() {
        let path = std::env::temp_dir().join(format!("zarrc-at-{}", std::process::id()));
        std::fs::create_dir_all(path.join("a/b")).unwrap();
        std::fs::write(path.join("a/b/value"), b"x").unwrap();
        symlink("a", path.join("link")).unwrap();
        symlink("b/value", path.join("a/value")).unwrap();
        symlink("nowhere", path.join("dangling")).unwrap();
        let root = Root::new(open_passage(&path).unwrap(), false);
        for (name, expected) in [
            ("a/b/value", Ok(())),
            ("a/b", Ok(())),
            ("a", Ok(())),
            ("link", Err(Errno::LOOP)),
            ("link/b/value", Err(Errno::LOOP)),
            ("a/value", Err(Errno::LOOP)),
            ("dangling", Err(Errno::LOOP)),
            ("dangling/x", Err(Errno::LOOP)),
            ("a/b/value/x", Err(Errno::NOTDIR)),
            ("a/x", Err(Errno::NOENT)),
            ("x/y", Err(Errno::NOENT)),
        ] {
            assert_eq!(root.open_value(name).map(drop), expected, "{name}");
            assert_eq!(root.walk(name, VALUE).map(drop), expected, "{name}");
            let directory = root.walk(name, DIRECTORY).map(drop);
            assert_eq!(root.open_directory(name).map(drop), directory, "{name}");
        }
        assert!(root.open_directory("").is_ok() && root.walk(".", DIRECTORY).is_ok());
        std::fs::remove_dir_all(&path).unwrap();
    }
}
