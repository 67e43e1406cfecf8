//! Values as files below a directory: `a/b` is the file `b` in the directory `a`.
//!
//! - A key that is a directory is absent. Nothing can be below a value.
//! - Symbolic links are followed, unless the option `follow_symlinks` says otherwise: parts of a
//!   store may be on another disk. Erasing takes the link away and leaves what it leads to.
//! - A write makes the directories it needs; an erased key leaves them, an erased prefix does not.
//! - Writes appear at once and whole, see [`write`]. Their temporary files, `.zarrc-….tmp`, are no
//!   keys. Those of a writer that was killed are deleted, once an hour old, by the next handle that
//!   writes into their directory or lists it, if it is open for writing.
//! - Names that are not UTF-8 are passed over.

mod at;
mod lock;
mod read;
mod tree;
mod write;

use crate::error::{Error, Kind, Result};
use crate::fork::Lock;
use crate::metadata::is_marked;
use crate::source::ByteSource;
use crate::store::{
    Depth, Entry, Exclusion, Key, Mode, Options, Precondition, SharedStore, Stamp, Store, Version,
    check_prefix, refuse_change,
};
use at::Root;
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Stat};
use rustix::io::Errno;
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
    read_only: bool,
    follow_symlinks: bool,
    sync: bool,
    /// Whether files are sent to a server only later, so that a write must ask how that went. Not
    /// asked where nothing is written.
    network: bool,
    /// A directory, `""` or ending in `/`, in which that is missing what is made next: it was made
    /// last itself, or there was no such directory in it to be listed. Only a hint.
    edge: Lock<Option<String>>,
    /// Directories in which abandoned temporary files were looked for.
    swept: Lock<HashSet<String>>,
}

/// The directory at `path`, opened; `None`: there is none, or it cannot be.
pub fn directory(path: &Path) -> Option<OwnedFd> {
    at::open_passage(path).ok()
}

/// Whether a directory holds a file of that name.
pub fn holds(directory: &OwnedFd, name: &str) -> bool {
    rustix::fs::statat(directory, name, AtFlags::empty()).is_ok_and(|stat| at::is_file(&stat))
}

/// Opens the directory at `path`, which is `there` if it was opened before; the root itself may be
/// a symbolic link.
///
/// [`Kind::NotFound`]: the mode asks for one that exists; [`Kind::AlreadyExists`]: the mode asks
/// for a new one, or to overwrite something that is not empty, was not made by this library and
/// has no Zarr or N5 metadata;
/// [`Kind::InvalidArgument`]: it is a file.
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
            // It is something else that is missing, or in the way.
            Errno::NOENT | Errno::NOTDIR | Errno::EXIST if creates => {
                system("creating").with_kind(Kind::Io)
            }
            _ => system("opening"),
        }
    })?;
    let root = Root::new(root, options.follow_symlinks());
    let store = FilesystemStore {
        path: path.to_owned(),
        network: mode != Mode::Read && root.is_on_network(),
        root: Arc::new(root),
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
    /// Opens a value for reading; `None`: absent.
    fn open_value(&self, key: &Key) -> Result<Option<OwnedFd>> {
        self.check(key)?;
        match self.root.open_value(key.as_str()) {
            Ok(file) => Ok(Some(file)),
            Err(errno) if Root::means_absent(errno) => Ok(None),
            Err(errno) => Err(self.system_error(self.doing("reading", key), errno)),
        }
    }

    /// What is said of the file of a key.
    fn stat(&self, key: &Key) -> Result<Option<Stat>> {
        self.check(key)?;
        match self.root.stat(key.as_str()) {
            Ok(stat) => Ok((!at::is_directory(&stat)).then_some(stat)),
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

impl Store for FilesystemStore {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn read_only(&self) -> bool {
        self.read_only
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<Option<Version>> {
        read::Source::new(self, Cow::Borrowed(key)).get(u64::MAX, out)
    }

    fn get_document(&self, key: &Key, limit: u64, out: &mut Vec<u8>) -> Result<Option<Version>> {
        read::Source::new(self, Cow::Borrowed(key)).get(limit, out)
    }

    fn version(&self, key: &Key) -> Result<Option<Version>> {
        Ok(self.stat(key)?.map(|stat| read::version(&stat)))
    }

    fn stamp(&self, key: &Key) -> Result<Option<Stamp>> {
        Ok(self.stat(key)?.as_ref().map(read::stamp))
    }

    fn source<'a>(&'a self, key: &Key) -> Box<dyn ByteSource + 'a> {
        Box::new(read::Source::new(self, Cow::Owned(key.clone())))
    }

    fn set(&self, key: &Key, parts: &[&[u8]], when: &Precondition) -> Result<()> {
        self.changeable()?;
        self.check(key)?;
        self.write(key, parts, when, drop)
    }

    fn set_known(
        &self,
        key: &Key,
        parts: &[&[u8]],
        when: &Precondition,
    ) -> Result<Option<Version>> {
        self.changeable()?;
        self.check(key)?;
        // the file itself is asked, whatever has taken its name meanwhile
        self.write(key, parts, when, |file| at::stat_of(&file).ok().as_ref().map(read::version))
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
