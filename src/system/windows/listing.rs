//! The names in a directory.

use super::error::Result;
use super::file::{AsFd, BorrowedFd, FileType, OwnedFd};
use std::ffi::{CStr, CString};
use std::fs::ReadDir;

/// A directory that is listed.
pub struct Dir {
    directory: OwnedFd,
    entries: ReadDir,
}

/// A name in a directory.
pub struct DirEntry {
    name: CString,
    kind: FileType,
}

impl DirEntry {
    /// The name.
    pub fn file_name(&self) -> &CStr {
        &self.name
    }

    /// What has that name.
    pub fn file_type(&self) -> FileType {
        self.kind
    }
}

impl Dir {
    /// Lists an open directory.
    pub fn new(directory: OwnedFd) -> Result<Self> {
        let entries = std::fs::read_dir(&directory.path)?;
        Ok(Dir { directory, entries })
    }

    /// The next name; one that is not Unicode is skipped.
    pub fn read(&mut self) -> Option<Result<DirEntry>> {
        loop {
            let entry = match self.entries.next()? {
                Ok(entry) => entry,
                Err(error) => return Some(Err(error.into())),
            };
            let kind = entry.file_type().map_or(FileType::Unknown, |kind| match () {
                () if kind.is_symlink() => FileType::Symlink,
                () if kind.is_dir() => FileType::Directory,
                () if kind.is_file() => FileType::RegularFile,
                () => FileType::Unknown,
            });
            let name = entry.file_name();
            if let Some(name) = name.to_str().and_then(|name| CString::new(name).ok()) {
                return Some(Ok(DirEntry { name, kind }));
            }
        }
    }

    /// Starts over.
    pub fn rewind(&mut self) {
        if let Ok(entries) = std::fs::read_dir(&self.directory.path) {
            self.entries = entries;
        }
    }

    /// The directory.
    pub fn fd(&self) -> Result<BorrowedFd<'_>> {
        Ok(self.directory.as_fd())
    }
}
