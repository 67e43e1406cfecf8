//! Hard links: the file of a value gets a second name, in this directory or in another. Writers
//! replace files, and a file with several names is never changed where it lies (see [`in_place`]),
//! so what is written under one name is not seen under the other.
//!
//! [`in_place`]: super::in_place

use super::FilesystemStore;
use super::at::{Place, Root, is_file};
use super::write::{ATTEMPTS, temporary_beside};
use crate::error::{Error, Kind, Result};
use crate::store::{Key, Store};
use crate::system::fs::{self, AtFlags, Stat};
use crate::system::io::{self, Errno, retry_on_intr};
use crate::system::is_foreign;

/// A store that keeps each value in a file of its own.
pub struct Directory<'a> {
    store: &'a FilesystemStore,
    /// What the files' paths begin with: `""` or ending in `/`.
    prefix: String,
}

impl Directory<'_> {
    /// The part of it below `prefix`.
    pub fn below(mut self, prefix: &str) -> Self {
        self.prefix += prefix;
        self
    }

    fn key(&self, key: &Key) -> Key {
        Key::trusted([&self.prefix, key.as_str()].concat())
    }
}

/// Gives values of one store keys in another.
pub struct Links<'a> {
    from: Directory<'a>,
    to: Directory<'a>,
}

impl<'a> Links<'a> {
    /// Links from `from` to `to`. [`Kind::Unsupported`]: one of them is not a directory.
    pub fn between(from: &'a dyn Store, to: &'a dyn Store) -> Result<Self> {
        Ok(Links { from: from.directory()?, to: to.directory()? })
    }

    /// Fails, as [`Self::link`] would, if the two keys belong on different file systems.
    pub fn check(&self, from: &Key, to: &Key) -> Result<()> {
        let (from, to) = (self.from.key(from), self.to.key(to));
        let (a, b) = (self.from.store, self.to.store);
        match (a.stat_above(from.as_str()), b.stat_above(to.as_str())) {
            (Ok(a), Ok(b)) if a.st_dev != b.st_dev => Err(self.error(&from, &to, Errno::XDEV)),
            // what is in the way is reported when the link is made
            _ => Ok(()),
        }
    }

    /// Gives the value of `from` the key `to` as well, in place of any other value; returns its
    /// length, or `None`: there is no value. [`Kind::Unsupported`]: it cannot have another name
    /// there.
    pub fn link(&self, from: &Key, to: &Key) -> Result<Option<u64>> {
        let (from, to) = (self.from.key(from), self.to.key(to));
        let (a, b) = (self.from.store, self.to.store);
        a.check(&from)?;
        b.changeable()?;
        b.check(&to)?;
        let stat = match a.root.stat(from.as_str()) {
            Ok(stat) if is_file(&stat) => stat,
            Err(errno) if !Root::means_absent(errno) => {
                return Err(a.system_error(a.doing("reading", &from), errno));
            }
            _ => return Ok(None),
        };
        match b.link(to.as_str(), a, from.as_str()) {
            Ok(()) => Ok(Some(stat.st_size as u64)),
            // deleted since
            Err(Errno::NOENT) if a.root.stat(from.as_str()).is_err() => Ok(None),
            Err(errno) => Err(self.error(&from, &to, errno)),
        }
    }

    #[cold]
    fn error(&self, from: &Key, to: &Key, errno: Errno) -> Error {
        let foreign = || {
            let stat = self.from.store.root.stat(from.as_str());
            stat.is_ok_and(|stat| is_foreign(&stat))
        };
        let (kind, why) = match errno {
            Errno::XDEV => (Kind::Unsupported, "the two are on different file systems"),
            Errno::MLINK => (Kind::Unsupported, "the file has as many names as it may have"),
            Errno::PERM if foreign() => {
                (Kind::PermissionDenied, "the system forbids links to files of other users")
            }
            Errno::PERM | Errno::NOTSUP | Errno::NOSYS => {
                (Kind::Unsupported, "the file system has no hard links, or forbids one here")
            }
            errno => return self.to.store.write_error(to, errno),
        };
        let doing = self.to.store.doing("linking", to);
        let source = self.from.store.doing("to", from);
        let what = format!("{doing} {source}: {why}: copy without links");
        Error::system(what, errno.raw_os_error()).with_kind(kind)
    }
}

impl FilesystemStore {
    /// All of it, for [`Links`].
    pub(super) fn whole(&self) -> Directory<'_> {
        Directory { store: self, prefix: String::new() }
    }

    /// The metadata of the nearest directory above `path`.
    fn stat_above(&self, path: &str) -> io::Result<Stat> {
        let mut path = path;
        while let Some((above, _)) = path.rsplit_once('/') {
            match self.root.stat(above) {
                Err(Errno::NOENT) => path = above,
                found => return found,
            }
        }
        self.root.stat(".")
    }

    /// Gives the file at `source` of `from` the name `path`.
    fn link(&self, path: &str, from: &FilesystemStore, source: &str) -> io::Result<()> {
        // a value behind a symbolic link is the file that it leads to
        let flags = if from.follow_symlinks { AtFlags::SYMLINK_FOLLOW } else { AtFlags::empty() };
        let link = |place: &Place<'_>, name: &str| {
            let source = from.root.place(source)?;
            retry_on_intr(|| fs::linkat(&source, source.name, place, name, flags))
        };
        if self.sync {
            // whoever wrote it may not have flushed it
            retry_on_intr(|| fs::fsync(from.root.open_value(source)?))?;
        }
        let mut made = false;
        for _ in 0..ATTEMPTS {
            let place = self.root.place(path);
            let linked = place.and_then(|place| match link(&place, place.name) {
                Err(Errno::EXIST) => self.replace(path, &place, link),
                linked => linked,
            });
            match linked {
                Err(Errno::NOENT) if made && from.root.stat(source).is_err() => break,
                Err(Errno::NOENT) => {
                    self.make_parents(path)?;
                    made = true;
                }
                Ok(()) if self.sync => return self.sync_parent(path),
                linked => return linked,
            }
        }
        Err(Errno::NOENT)
    }

    /// The same where something has the name.
    fn replace(
        &self,
        path: &str,
        place: &Place<'_>,
        link: impl Fn(&Place<'_>, &str) -> io::Result<()>,
    ) -> io::Result<()> {
        self.sweep(path);
        let temporary = temporary_beside(place.name);
        link(place, &temporary)?;
        let renamed = retry_on_intr(|| fs::renameat(place, &temporary, place, place.name));
        // it is left where it failed, and where both are names of one file
        let _ = fs::unlinkat(place, &temporary, AtFlags::empty());
        renamed
    }
}
