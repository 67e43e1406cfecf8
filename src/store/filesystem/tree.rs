//! Listing and erasing directories. Both are loops, not recursions: a deep tree costs no stack.

use super::FilesystemStore;
use super::at::{DIRECTORY, Root, is_directory, is_file};
use super::write::{is_temporary, temporary_name};
use crate::error::{Error, Kind, Result};
use crate::store::{Depth, Entry};
use rustix::fd::OwnedFd;
use rustix::fs::{self, AtFlags, Dir, FileType, Mode};
use rustix::io::{self, Errno, retry_on_intr};
use std::ffi::{CStr, CString};

/// How many directories an erasure holds open at once.
const MAX_OPEN: usize = 64;

/// How often it looks again, since others may be writing into what it erases.
const ATTEMPTS: usize = 64;

impl FilesystemStore {
    pub(super) fn list_below(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut pending = vec![String::new()];
        while let Some(below) = pending.pop() {
            let path = [prefix, &below].concat();
            let path = path.strip_suffix('/').unwrap_or_default();
            let failed = |errno| self.system_error(self.doing("listing", path), errno);
            let mut directory = match self.root.open_directory(path).and_then(Dir::new) {
                Ok(directory) => directory,
                Err(errno) if Root::means_absent(errno) => continue,
                Err(errno) => return Err(failed(errno)),
            };
            while let Some(entry) = directory.read() {
                let entry = entry.map_err(failed)?;
                let name = entry.file_name().to_bytes();
                // What is not UTF-8 is no key.
                let Ok(name) = std::str::from_utf8(name) else { continue };
                if matches!(name, "." | "..") || is_temporary(name.as_bytes()) {
                    continue;
                }
                let kind = match entry.file_type() {
                    FileType::Symlink | FileType::Unknown => self.kind_behind(path, name),
                    kind => kind,
                };
                let relative = [&below, name].concat();
                match (kind, depth) {
                    (FileType::RegularFile, _) => each(Entry::Key(&relative))?,
                    (FileType::Directory, Depth::One) => each(Entry::Prefix(&relative))?,
                    (FileType::Directory, Depth::All) => pending.push(relative + "/"),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// What a link leads to, or the system did not say. A link to a directory that it lies in
    /// leads nowhere new; entering it would never end.
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

    /// Erases what lies below `prefix`, and its directory unless that is the root.
    pub(super) fn erase_below(&self, prefix: &str) -> Result<()> {
        let path = prefix.strip_suffix('/').unwrap_or_default();
        let result = if path.is_empty() {
            self.root.open_directory("").and_then(|root| empty(root, &|_| false))
        } else {
            self.erase_directory(path)
        };
        let result = result.and_then(|()| if self.sync { self.sync_parent(path) } else { Ok(()) });
        match result {
            Err(errno) if !Root::means_absent(errno) => {
                Err(self.system_error(self.doing("erasing", path), errno))
            }
            _ => Ok(()),
        }
    }

    fn erase_directory(&self, path: &str) -> io::Result<()> {
        let place = self.root.place(path)?;
        for _ in 0..ATTEMPTS {
            match open_child(&place, place.name) {
                Ok(directory) => empty(directory, &|_| false)?,
                Err(Errno::NOTDIR | Errno::LOOP) => {
                    // A link to a directory goes; what it leads to is not ours. A value stays.
                    let follow = fs::statat(&place, place.name, AtFlags::empty());
                    let stat = fs::statat(&place, place.name, AtFlags::SYMLINK_NOFOLLOW)?;
                    if is_file(&stat) || !follow.is_ok_and(|target| is_directory(&target)) {
                        return Ok(());
                    }
                    return fs::unlinkat(&place, place.name, AtFlags::empty());
                }
                Err(errno) => return Err(errno),
            }
            match fs::unlinkat(&place, place.name, AtFlags::REMOVEDIR) {
                Err(Errno::NOTEMPTY | Errno::EXIST) => {}
                result => return result,
            }
        }
        Err(Errno::NOTEMPTY)
    }

    /// Erases all there is, the documents that mark it as a store last: if that is broken off, it
    /// can be done again.
    pub(super) fn clear(&self) -> Result<()> {
        let is_marker =
            |name: &CStr| super::MARKERS.iter().any(|m| name.to_bytes() == m.as_bytes());
        let clear = |keep: &dyn Fn(&CStr) -> bool| {
            self.root.open_directory("").and_then(|root| empty(root, keep))
        };
        clear(&is_marker)
            .and_then(|()| clear(&|_| false))
            .map_err(|errno| self.system_error(self.doing("erasing", ""), errno))
    }

    /// Refuses to take for a store, and to erase, a directory that holds something else.
    pub(super) fn looks_like_a_store(&self) -> Result<()> {
        let mut foreign = None;
        let mut marked = false;
        self.list_below("", Depth::One, &mut |entry| {
            let (Entry::Key(name) | Entry::Prefix(name)) = entry;
            marked |= super::MARKERS.contains(&name);
            foreign.get_or_insert_with(|| name.to_owned());
            Ok(())
        })?;
        match foreign {
            Some(name) if !marked => Err(Error::new(
                Kind::AlreadyExists,
                format!(
                    "{} holds {name:?} and no Zarr or N5 metadata, so it is not overwritten: \
                     delete it yourself or choose another path",
                    self.path.display()
                ),
            )),
            _ => Ok(()),
        }
    }
}

fn open_child(
    parent: impl rustix::fd::AsFd,
    name: impl rustix::path::Arg + Copy,
) -> io::Result<OwnedFd> {
    let flags = DIRECTORY | fs::OFlags::NOFOLLOW;
    retry_on_intr(|| fs::openat(&parent, name, flags, Mode::empty()))
}

/// A directory that is being emptied.
struct Level {
    directory: Dir,
    /// What the one above calls it.
    name: CString,
}

/// Takes away all that `top` holds, but for names directly in it that are to be kept. Enters no
/// links. A tree too deep to be held open is cut: what lies too deep is moved up into `top`.
fn empty(top: OwnedFd, keep: &dyn Fn(&CStr) -> bool) -> io::Result<()> {
    let mut levels = vec![Level { directory: Dir::new(top)?, name: CString::default() }];
    let mut moved_up = false;
    let mut again = ATTEMPTS;
    while let Some(level) = levels.last_mut() {
        let Some(entry) = level.directory.read() else {
            if levels.len() == 1 {
                if !std::mem::take(&mut moved_up) {
                    return Ok(());
                }
                levels[0].directory.rewind();
                continue;
            }
            let done = levels.pop();
            if let (Some(done), Some(above)) = (done, levels.last_mut()) {
                match fs::unlinkat(above.directory.fd()?, &*done.name, AtFlags::REMOVEDIR) {
                    Ok(()) | Err(Errno::NOENT) => {}
                    Err(Errno::NOTEMPTY | Errno::EXIST) if again > 0 => {
                        again -= 1;
                        above.directory.rewind();
                    }
                    Err(errno) => return Err(errno),
                }
            }
            continue;
        };
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let depth = levels.len();
        let Some(level) = levels.last() else { return Ok(()) };
        let parent = level.directory.fd()?;
        if depth == 1 && keep(name) {
            continue;
        }
        if entry.file_type() != FileType::Directory {
            match fs::unlinkat(parent, name, AtFlags::empty()) {
                Ok(()) | Err(Errno::NOENT) => continue,
                // A directory, on systems that do not say so while listing.
                Err(Errno::ISDIR | Errno::PERM) if entry.file_type() == FileType::Unknown => {}
                Err(errno) => return Err(errno),
            }
        }
        if depth >= MAX_OPEN {
            let top = levels[0].directory.fd()?;
            match fs::renameat(parent, name, top, temporary_name()) {
                Ok(()) => moved_up = true,
                Err(Errno::NOENT) => {}
                Err(errno) => return Err(errno),
            }
            continue;
        }
        match open_child(parent, name) {
            Ok(child) => {
                levels.push(Level { directory: Dir::new(child)?, name: name.to_owned() });
            }
            Err(Errno::NOENT) => {}
            // Replaced by something else since it was listed: meet it again.
            Err(Errno::NOTDIR | Errno::LOOP) if again > 0 => {
                again -= 1;
                levels.last_mut().map(|level| level.directory.rewind()).unwrap_or_default();
            }
            Err(errno) => return Err(errno),
        }
    }
    Ok(())
}
