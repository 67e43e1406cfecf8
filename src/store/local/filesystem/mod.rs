//! Values as files below a directory: `a/b` is the file `b` in the directory `a`.
//!
//! - A key that is a directory is absent. No key can be below a value.
//! - Symbolic links are followed, unless the option `follow_symlinks` says otherwise: parts of a
//!   store may be on another disk. Erasing deletes the link and keeps its target.
//! - A write makes the directories it needs. Erasing a key keeps them, erasing a prefix does not.
//! - Writes are atomic, see [`write`]. Their temporary files, `.zarrc-….tmp`, are not keys. Those
//!   of a killed writer are deleted after an hour by the next handle that writes into their
//!   directory, or lists it if open for writing.
//! - Names that are not UTF-8 are skipped.

mod ahead;
mod at;
mod in_place;
mod link;
mod lock;
mod read;
mod state;
mod tree;
mod write;

use crate::error::{Error, Kind, Result};
use crate::fork::Lock;
use crate::metadata::is_marked;
use crate::source::{ByteSource, Want};
use crate::store::{
    Depth, Entry, Exclusion, InPlace, Key, Mode, Options, Precondition, SharedStore, Stamp, Store,
    Version, check_prefix, refuse_change,
};
use crate::system::fd::OwnedFd;
use crate::system::fs::AtFlags;
use crate::system::io::Errno;
use ahead::Ahead;
use at::Root;
pub use link::{Directory, Links};
use state::State;
use std::borrow::Cow;
use std::collections::HashSet;
use std::ffi::CStr;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A directory as a store.
pub struct FilesystemStore {
    path: PathBuf,
    root: Arc<Root>,
    ahead: Arc<Ahead>,
    read_only: bool,
    follow_symlinks: bool,
    sync: bool,
    /// Whether the file system may report write errors late, so that each write must check. Not
    /// determined for a read-only store.
    network: bool,
    /// A directory, `""` or ending in `/`, in which the next directory to make is missing: it was
    /// made last itself, or a listing found no subdirectory in it. Only a hint.
    edge: Lock<Option<String>>,
    /// Directories already searched for abandoned temporary files.
    swept: Lock<HashSet<String>>,
}

/// Opens the directory at `path`; `None`: it is absent or cannot be opened.
pub fn directory(path: &Path) -> Option<OwnedFd> {
    at::open_passage(path).ok()
}

/// Whether a directory has a file of that name.
pub fn holds(directory: &OwnedFd, name: &str) -> bool {
    crate::system::fs::statat(directory, name, AtFlags::empty())
        .is_ok_and(|stat| at::is_file(&stat))
}

/// Opens the directory at `path`; `there` is its descriptor if it is already open. The root itself
/// may be a symbolic link.
///
/// [`Kind::NotFound`]: the mode requires an existing directory; [`Kind::AlreadyExists`]: the mode
/// requires a new one, or would overwrite a non-empty directory that this library did not make and
/// that has no Zarr or N5 metadata; [`Kind::InvalidArgument`]: it is a file.
pub fn open(
    path: &Path,
    there: Option<OwnedFd>,
    mode: Mode,
    options: &Options,
) -> Result<SharedStore> {
    let creates = !matches!(mode, Mode::Read | Mode::ReadWrite);
    let mut ours = false;
    let open = || at::open_passage(path);
    let root = there.map_or_else(open, Ok).or_else(|errno| match errno {
        Errno::NOENT if creates => {
            std::fs::create_dir_all(path)
                .map_err(|e| Errno::from_io_error(&e).unwrap_or(Errno::IO))?;
            ours = true;
            open()
        }
        errno => Err(errno),
    });
    let root = root.map_err(|errno| {
        let shown = path.display();
        let system = |doing| Error::system(format_args!("{doing} {shown}"), errno.raw_os_error());
        match errno {
            _ if path.is_file() => {
                Error::invalid(format!("{shown} is a file: expected a directory"))
            }
            Errno::NOENT if !creates => system("there is no store at"),
            // Something else is missing or in the way.
            Errno::NOENT | Errno::NOTDIR | Errno::EXIST if creates => {
                system("creating").with_kind(Kind::Io)
            }
            _ => system("opening"),
        }
    })?;
    let root = Arc::new(Root::new(root, options.follow_symlinks()));
    let store = FilesystemStore {
        path: path.to_owned(),
        network: mode != Mode::Read && root.is_on_network(),
        ahead: Ahead::new(root.clone()),
        root,
        read_only: mode == Mode::Read,
        follow_symlinks: options.follow_symlinks(),
        sync: options.sync(),
        edge: Lock::default(),
        swept: Lock::default(),
    };
    if matches!(mode, Mode::Create | Mode::Overwrite) {
        let found = store.contents()?;
        let is_store = is_marked(|name| {
            store.root.stat(name).map_or(Ok(false), |stat| Ok::<_, Error>(at::is_file(&stat)))
        })?;
        let refuse = |why: &str| {
            let found = found.as_deref().map(CStr::to_string_lossy).unwrap_or_default();
            let message = format!("{} already contains {found:?}{why}", path.display());
            Err(Error::new(Kind::AlreadyExists, message))
        };
        if mode == Mode::Create && found.is_some() {
            return refuse("");
        }
        if mode == Mode::Overwrite && found.is_some() && !is_store && !store.is_marked() {
            return refuse(
                ", and neither Zarr nor N5 metadata, so it is not overwritten: \
                 choose another path, or delete it yourself",
            );
        }
        store.clear()?;
        ours = true;
    }
    if ours {
        store.mark();
    }
    Ok(Arc::new(store))
}

impl FilesystemStore {
    /// Opens a value for reading; `None`: absent. `changes`: it is about to be replaced by a value
    /// made from it, so it is locked.
    fn open_value(&self, key: &Key, changes: bool) -> Result<Option<read::File>> {
        self.check(key)?;
        let path = key.as_str();
        let opened = if changes {
            let lock = || self.open_to_change(path, || self.root.open_to_change(path));
            let opened = lock().or_else(|errno| match errno {
                // wait for another process to give up its lease
                Errno::WOULDBLOCK => self.root.open_value(path).and_then(|_| lock()),
                errno => Err(errno),
            });
            opened.map(read::File::Locked)
        } else {
            self.root.open_value(path).map(read::File::Shared)
        };
        match opened {
            Ok(file) => Ok(Some(file)),
            Err(errno) if Root::means_absent(errno) => Ok(None),
            Err(errno) => Err(self.system_error(self.doing("reading", key), errno)),
        }
    }

    /// The state of a key's file.
    fn state(&self, key: &Key) -> Result<Option<State>> {
        self.check(key)?;
        match State::at(&self.root, key.as_str()) {
            Ok(state) => Ok((!at::is_directory(&state.stat)).then_some(state)),
            Err(errno) if Root::means_absent(errno) => Ok(None),
            Err(errno) => Err(self.system_error(self.doing("reading", key), errno)),
        }
    }

    /// Refuses the names of temporary files.
    fn check(&self, key: &Key) -> Result<()> {
        let name = key.as_str().rsplit('/').next().unwrap_or_default();
        if write::is_temporary(name.as_bytes()) {
            return Err(Error::invalid(format!(
                "key {:?} is the name of a temporary file",
                key.as_str()
            )));
        }
        Ok(())
    }

    fn changeable(&self) -> Result<()> {
        if self.read_only { Err(refuse_change(self)) } else { Ok(()) }
    }

    #[cold]
    fn doing(&self, what: &str, name: impl Display) -> String {
        format!("{what} {name} in {}", self.path.display())
    }

    #[cold]
    fn system_error(&self, doing: String, errno: Errno) -> Error {
        if errno == Errno::LOOP && !self.follow_symlinks {
            let why = "the path has a symbolic link, and the option follow_symlinks is no";
            return Error::system(format_args!("{doing}: {why}"), errno.raw_os_error())
                .with_kind(Kind::PermissionDenied);
        }
        Error::system(doing, errno.raw_os_error())
    }
}

impl Drop for FilesystemStore {
    fn drop(&mut self) {
        self.ahead.close();
    }
}

impl Store for FilesystemStore {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn read_only(&self) -> bool {
        self.read_only
    }

    fn bytes_ahead(&self) -> u64 {
        self.ahead.bytes()
    }

    fn read_ahead(&self, key: &Key, want: Want) {
        self.ahead.add(key.as_str(), want);
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        read::Source::document(self, key).get(u64::MAX, out)
    }

    fn get_document(&self, key: &Key, limit: u64, out: &mut Vec<u8>) -> Result<Option<Version>> {
        read::Source::document(self, key).get(limit, out)
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        Ok(self.state(key)?.map(|state| state.version()))
    }

    fn stamp(&self, key: &Key) -> Result<Option<Stamp>> {
        Ok(self.state(key)?.map(|state| state.stamp()))
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        Box::new(read::Source::new(self, Cow::Owned(key.clone())))
    }

    fn source_to_change<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        Box::new(read::Source::to_change(self, key.clone()))
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        self.changeable()?;
        self.check(key)?;
        self.write(key, parts, when, |_, _| ())
    }

    fn set_in_place(&self, key: &Key, parts: &[&[u8]]) -> Result<()> {
        self.changeable()?;
        self.check(key)?;
        match self.write_over(key, parts)? {
            true => Ok(()),
            false => self.set(key, parts, &Precondition::None),
        }
    }

    fn open_in_place<'a>(
        &'a self,
        key: &'a Key,
        len: u64,
    ) -> Result<Option<Box<dyn InPlace + 'a>>> {
        self.changeable()?;
        self.check(key)?;
        self.open_over(key, len)
    }

    fn set_known(
        &self,
        key: &Key,
        parts: &[&[u8]],
        when: &Precondition,
    ) -> Result<Option<Version>> {
        self.changeable()?;
        self.check(key)?;
        // stat the file itself, since its name may refer to another by now; a writer in place may
        // have changed it, which gives it another time
        let known =
            |file, time| State::of(file).ok().filter(|state| at::has_time(&state.stat, &time));
        Ok(self.write(key, parts, when, known)?.map(|state| state.version()))
    }

    fn erase(&self, key: &Key, when: &Precondition) -> Result<bool> {
        self.changeable()?;
        self.check(key)?;
        self.unlink(key, when)
    }

    fn exclude(&self, key: &Key) -> Result<Exclusion> {
        self.changeable()?;
        self.lock_directory(key)
    }

    fn directory(&self) -> Result<Directory<'_>> {
        Ok(self.whole())
    }

    fn erase_prefix(&self, prefix: &str) -> Result<()> {
        self.changeable()?;
        check_prefix(prefix)?;
        self.erase_below(prefix)
    }

    fn list(
        &self,
        prefix: &str,
        depth: Depth,
        each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
    ) -> Result<()> {
        check_prefix(prefix)?;
        self.list_below(prefix, depth, false, each)
    }

    fn list_abandoned(&self, prefix: &str, each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        check_prefix(prefix)?;
        self.list_below(prefix, Depth::All, true, &mut |entry| match entry {
            Entry::Key(name) | Entry::Prefix(name) => each(name),
        })
    }
}
