//! Listing and erasing directories, by loops, not recursion: a deep tree uses no stack.

use super::FilesystemStore;
use super::at::{DIRECTORY, Root, is_directory, is_file};
use super::write::{delete_abandoned, is_temporary, temporary_name};
use crate::error::{Error, Result};
use crate::metadata::MARKERS;
use crate::store::{Depth, Entry};
use crate::system::PATH_MAX;
use crate::system::fd::{AsFd, BorrowedFd, OwnedFd};
use crate::system::fs::{self, AtFlags, Dir, FileType, Mode, OFlags};
use crate::system::io::{self, Errno, retry_on_intr};
use crate::system::path::Arg;
use std::ffi::{CStr, CString};

/// The most directories an erasure holds open.
const MAX_OPEN: usize = 64;

/// The most times a directory is listed again, as others may write into it.
const ATTEMPTS: usize = 64;

/// The extended attribute of a directory created as a store.
const MARK: &str = "user.zarrc";

impl FilesystemStore {
    /// Lists keys, or temporary files instead.
    pub(super) fn list_below(
        &self,
        prefix: &str,
        depth: Depth,
        temporary: bool,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut pending = vec![String::new()];
        while let Some(below) = pending.pop() {
            let path = [prefix, &below].concat();
            let path = path.strip_suffix('/').unwrap_or_default();
            let failed = |errno| self.system_error(self.doing("listing", path), errno);
            let mut directory = match self.root.open_directory(path).and_then(Dir::new) {
                Ok(directory) => directory,
                Err(errno) if Root::means_absent(errno) => {
                    if !self.read_only && below.is_empty() {
                        self.keep_edge(path); // a listing mostly precedes a creation in it
                    }
                    continue;
                }
                Err(errno) => return Err(failed(errno)),
            };
            while let Some(entry) = directory.read() {
                let entry = entry.map_err(failed)?;
                let name = entry.file_name();
                if is_temporary(name.to_bytes()) {
                    if !self.read_only {
                        delete_abandoned(directory.fd().map_err(failed)?, name);
                    }
                    continue;
                }
                // Names that are not UTF-8, or paths too long to open, are not keys.
                let Ok(name) = name.to_str() else { continue };
                let too_long = path.len() + 1 + name.len() >= PATH_MAX;
                if matches!(name, "." | "..") || too_long {
                    continue;
                }
                let kind = match entry.file_type() {
                    FileType::Symlink | FileType::Unknown => self.kind_behind(path, name),
                    kind => kind,
                };
                let relative = [&below, name].concat();
                if is_temporary(name.as_bytes()) {
                    if temporary {
                        each(Entry::Key(&relative))?;
                    }
                    continue;
                }
                match (kind, depth) {
                    (FileType::RegularFile, _) if temporary => {}
                    (FileType::RegularFile, _) => each(Entry::Key(&relative))?,
                    (FileType::Directory, Depth::One) => each(Entry::Prefix(&relative))?,
                    (FileType::Directory, Depth::All) => pending.push(relative + "/"),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// The type of a link's target, or of an entry of unknown type. A link to an enclosing
    /// directory gives `Unknown`, since entering it would never end.
    fn kind_behind(&self, parent: &str, name: &str) -> FileType {
        let path = if parent.is_empty() { name.to_owned() } else { [parent, "/", name].concat() };
        let Ok(stat) = self.root.stat(&path) else { return FileType::Unknown };
        if is_file(&stat) {
            return FileType::RegularFile;
        }
        let ends = path.match_indices('/').map(|(end, _)| end);
        let mut above = ends.map(|end| &path[..end]).chain(["."]);
        let leads_back = above.any(|directory| {
            let above = self.root.stat(directory);
            above.is_ok_and(|a| (a.st_dev, a.st_ino) == (stat.st_dev, stat.st_ino))
        });
        if is_directory(&stat) && !leads_back { FileType::Directory } else { FileType::Unknown }
    }

    /// Erases everything below `prefix`, and its directory unless that is the root.
    pub(super) fn erase_below(&self, prefix: &str) -> Result<()> {
        let path = prefix.strip_suffix('/').unwrap_or_default();
        let erased =
            if path.is_empty() { self.empty_root(&|_| false) } else { self.erase_directory(path) };
        let synced = || if self.sync { self.sync_parent(path) } else { Ok(()) };
        match erased.and_then(|()| Ok(synced()?)) {
            Err(failed) if !Root::means_absent(failed.errno) => Err(self.explain(path, failed)),
            _ => Ok(()),
        }
    }

    /// Erases everything, the documents that mark a store last: if interrupted, it can be repeated.
    pub(super) fn clear(&self) -> Result<()> {
        self.empty_root(&is_marker)
            .and_then(|()| self.empty_root(&|_| false))
            .map_err(|failed| self.explain("all", failed))
    }

    /// Marks the root directory, which cannot be a key, as created as a store, so that it may be
    /// overwritten whatever keys it has. Not every file system supports this.
    pub(super) fn mark(&self) {
        if let Ok(root) = self.root.open_directory("") {
            let _ = fs::fsetxattr(root, MARK, b"store", fs::XattrFlags::empty());
        }
    }

    /// Whether the root directory has that mark.
    pub(super) fn is_marked(&self) -> bool {
        let root = self.root.open_directory("");
        root.is_ok_and(|root| fs::fgetxattr(root, MARK, &mut [0u8; 16]).is_ok())
    }

    /// The name of an entry of the root that is not a temporary file; `None`: there is none.
    pub(super) fn contents(&self) -> Result<Option<CString>> {
        let look = || {
            let mut root = Dir::new(self.root.open_directory("")?)?;
            while let Some(entry) = root.read() {
                let entry = entry?;
                let name = entry.file_name();
                if !is_dots(name) && !is_temporary(name.to_bytes()) {
                    return Ok(Some(name.to_owned()));
                }
            }
            Ok(None)
        };
        look().map_err(|errno| self.system_error(self.doing("listing", "all"), errno))
    }

    fn empty_root(&self, keep: &dyn Fn(&CStr) -> bool) -> Result<(), Failed> {
        empty(self.root.open_directory("")?, keep)
    }

    fn erase_directory(&self, path: &str) -> Result<(), Failed> {
        let place = self.root.place(path)?;
        let stat = |flags| retry_on_intr(|| fs::statat(&place, place.name, flags));
        for _ in 0..ATTEMPTS {
            match open_child(place.as_fd(), place.name) {
                Ok(directory) => empty(directory, &|_| false)?,
                Err(Errno::NOTDIR | Errno::LOOP) => {
                    // Delete a link to a directory, but neither its target nor a value.
                    let is_link = !is_file(&stat(AtFlags::SYMLINK_NOFOLLOW)?);
                    if is_link && stat(AtFlags::empty()).is_ok_and(|s| is_directory(&s)) {
                        fs::unlinkat(&place, place.name, AtFlags::empty())?;
                    }
                    return Ok(());
                }
                Err(errno) => return Err(errno.into()),
            }
            match fs::unlinkat(&place, place.name, AtFlags::REMOVEDIR) {
                Err(Errno::NOTEMPTY | Errno::EXIST) => {}
                removed => return Ok(removed?),
            }
        }
        Ok(()) // what was there is gone, but others keep adding to it
    }

    #[cold]
    fn explain(&self, path: &str, failed: Failed) -> Error {
        let within = failed.within.trim_end_matches('/');
        let within = if within.is_empty() { "" } else { &format!(": below it, {within}") };
        self.system_error(self.doing("erasing", path) + within, failed.errno)
    }
}

/// Why an erasure failed, and in which directory below its start.
struct Failed {
    errno: Errno,
    within: String,
}

impl From<Errno> for Failed {
    fn from(errno: Errno) -> Self {
        Failed { errno, within: String::new() }
    }
}

/// Whether a marker document of a store has that name, or is in a directory of that name.
fn is_marker(name: &CStr) -> bool {
    let first = |file: &str| file.split('/').next().map(str::as_bytes) == Some(name.to_bytes());
    MARKERS.iter().flat_map(|files| files.iter()).any(|file| first(file))
}

fn is_dots(name: &CStr) -> bool {
    matches!(name.to_bytes(), b"." | b"..")
}

fn open_child(parent: BorrowedFd<'_>, name: impl Arg + Copy) -> io::Result<OwnedFd> {
    let flags = DIRECTORY | OFlags::NOFOLLOW;
    retry_on_intr(|| fs::openat(parent, name, flags, Mode::empty()))
}

/// A directory being emptied.
struct Level {
    directory: Dir,
    /// Its name in its parent.
    name: CString,
}

/// Deletes the contents of `top`, except the direct entries that `keep` accepts.
fn empty(top: OwnedFd, keep: &dyn Fn(&CStr) -> bool) -> Result<(), Failed> {
    let mut levels = vec![Level { directory: Dir::new(top)?, name: CString::default() }];
    empty_levels(&mut levels, keep).map_err(|errno| {
        let below = levels.iter().skip(1);
        let within = below.map(|l| format!("{}/", l.name.to_string_lossy())).collect();
        Failed { errno, within }
    })
}

/// Empties the last of `levels` until none is left. Does not follow links. If the tree is too deep
/// to hold open, the levels beyond are moved up to the top.
fn empty_levels(levels: &mut Vec<Level>, keep: &dyn Fn(&CStr) -> bool) -> io::Result<()> {
    let mut moved_up = false;
    let mut again = ATTEMPTS;
    loop {
        let depth = levels.len();
        let Some(level) = levels.last_mut() else { return Ok(()) };
        let Some(entry) = level.directory.read() else {
            if depth == 1 {
                if !std::mem::take(&mut moved_up) {
                    return Ok(());
                }
                level.directory.rewind();
            } else if let Some(done) = levels.pop()
                && let Some(above) = levels.last_mut()
            {
                match fs::unlinkat(above.directory.fd()?, &*done.name, AtFlags::REMOVEDIR) {
                    Ok(()) | Err(Errno::NOENT) => {}
                    Err(Errno::NOTEMPTY | Errno::EXIST) if again > 0 => {
                        again -= 1;
                        above.directory.rewind();
                    }
                    // what was there is gone, but others keep adding to it
                    Err(Errno::NOTEMPTY | Errno::EXIST) => {}
                    Err(errno) => return Err(errno),
                }
            }
            continue;
        };
        let entry = entry?;
        let name = entry.file_name();
        let parent = levels[depth - 1].directory.fd()?;
        if is_dots(name) || depth == 1 && keep(name) {
            continue;
        }
        if entry.file_type() != FileType::Directory {
            match fs::unlinkat(parent, name, AtFlags::empty()) {
                Ok(()) | Err(Errno::NOENT) => continue,
                // A directory whose listing gives no type.
                Err(Errno::ISDIR | Errno::PERM) if entry.file_type() == FileType::Unknown => {}
                Err(errno) => return Err(errno),
            }
        }
        if depth < MAX_OPEN {
            match open_child(parent, name) {
                Ok(child) => {
                    levels.push(Level { directory: Dir::new(child)?, name: name.to_owned() });
                }
                Err(Errno::NOENT) => {}
                // Replaced by something else since it was listed: examine it again.
                Err(Errno::NOTDIR | Errno::LOOP) if again > 0 => {
                    again -= 1;
                    levels[depth - 1].directory.rewind();
                }
                Err(errno) => return Err(errno),
            }
        } else {
            match fs::renameat(parent, name, levels[0].directory.fd()?, temporary_name()) {
                Ok(()) => moved_up = true,
                Err(Errno::NOENT) => {}
                Err(errno) => return Err(errno),
            }
        }
    }
}
