//! Names below the root of a directory store. The root is opened once; everything else is
//! reached from its descriptor, so neither a change of the working directory nor a rename of the
//! root leads anywhere else.

use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{self, AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::{Errno, Result, retry_on_intr};
use std::path::Path;

/// How a directory is opened that is only a way to others: search permission is enough for that.
#[cfg(target_os = "linux")]
const PASSAGE: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const PASSAGE: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// How a directory is opened to be listed, locked or flushed.
pub const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// How a value is opened. Without NONBLOCK a pipe put in its place would hold its reader forever.
const VALUE: OFlags =
    OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// Opens the directory at `path` as a way to others.
pub fn open_passage(path: &Path) -> Result<OwnedFd> {
    retry_on_intr(|| fs::open(path, PASSAGE, Mode::empty()))
}

/// The root directory.
pub struct Root {
    directory: OwnedFd,
    follow: bool,
}

/// A directory, and a name in it: one segment where no link may be followed, any number else.
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
    /// That directory; `follow`: whether symbolic links below it are followed.
    pub fn new(directory: OwnedFd, follow: bool) -> Self {
        Root { directory, follow }
    }

    /// Whether an error means that nothing is there to be read.
    pub fn means_absent(errno: Errno) -> bool {
        matches!(errno, Errno::NOENT | Errno::NOTDIR | Errno::NAMETOOLONG)
    }

    /// Whether the root is on a server whose answer to a write comes late: with other file
    /// systems a full disk is noticed while writing.
    pub fn is_on_network(&self) -> bool {
        // NFS, CIFS, SMB 2, AFS; from linux/magic.h
        #[cfg(target_os = "linux")]
        const NETWORK: [u32; 4] = [0x6969, 0xff53_4d42, 0xfe53_4d42, 0x5346_414f];
        #[cfg(target_os = "linux")]
        return fs::fstatfs(&self.directory).is_ok_and(|s| NETWORK.contains(&(s.f_type as u32)));
        #[cfg(not(target_os = "linux"))]
        return true;
    }

    /// Opens a value for reading.
    pub fn open_value(&self, path: &str) -> Result<OwnedFd> {
        match self.open_at(path, VALUE) {
            // Someone else holds a lease on the file: if it is one, wait for them.
            Err(Errno::WOULDBLOCK) if is_file(&self.stat(path)?) => {
                self.open_at(path, VALUE - OFlags::NONBLOCK)
            }
            opened => opened,
        }
    }

    /// Opens a directory, `""` being the root, to be listed, locked or flushed.
    pub fn open_directory(&self, path: &str) -> Result<OwnedFd> {
        self.open_at(if path.is_empty() { "." } else { path }, DIRECTORY)
    }

    /// What lies at `path`, as a reader would find it.
    pub fn stat(&self, path: &str) -> Result<Stat> {
        let place = self.place(path)?;
        let flags = if self.follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
        retry_on_intr(|| fs::statat(&place, place.name, flags))
    }

    /// Where `path` is. Following links, the system finds the way by itself at the time of use.
    pub fn place<'a>(&'a self, path: &'a str) -> Result<Place<'a>> {
        let root = self.directory.as_fd();
        match path.rsplit_once('/') {
            Some((parent, name)) if !self.follow => {
                Ok(Place { parent: Some(self.open_at(parent, PASSAGE)?), root, name })
            }
            _ => Ok(Place { parent: None, root, name: path }),
        }
    }

    /// Makes the directories that `path` lies in, those below `above` from there down where that
    /// is known to be there; others may be doing the same, or the reverse. `made` is told each of
    /// them. Whether the last of them was made.
    pub fn make_parents(
        &self,
        path: &str,
        above: Option<&str>,
        mut made: impl FnMut(&str) -> Result<()>,
    ) -> Result<bool> {
        let Some((mut directory, _)) = path.rsplit_once('/') else { return Err(Errno::NOENT) };
        let mut deeper = Vec::new();
        // Else the deepest is tried first: mostly it is the only one that is missing.
        while let (Some(above), Some((next, _))) = (above, directory.rsplit_once('/'))
            && next.len() > above.len()
        {
            deeper.push(directory);
            directory = next;
        }
        // A link to nowhere exists and yet nothing can be made in it, so there must be an end.
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
                // Older than Linux 5.6, or kept from us by a sandbox.
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
                // Asked for a directory, systems differ in what they call a link.
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

/// What is said of an open file.
pub fn stat_of(file: &OwnedFd) -> Result<Stat> {
    retry_on_intr(|| fs::fstat(file))
}

/// Whether it is an ordinary file, which alone can be a value.
pub fn is_file(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
}

/// Whether it is a directory.
pub fn is_directory(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::Directory
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// Without the system's help a path must be found, or refused, as it is with it.
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
