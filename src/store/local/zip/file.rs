//! The bytes of a zip file: a local file, or a value of another store.

use crate::error::{Error, Kind, Result};
use crate::store::{Blob, Key, Options, SharedStore, Version};
use crate::system::{open_at_once, read_exact_at};

/// The source of the bytes.
pub enum File {
    Local(std::fs::File, u64),
    /// A value of another store, with its version and length.
    In(SharedStore, Key, Version, u64),
}

impl File {
    /// Unlocks it for other writers.
    pub fn unlock(&self) {
        if let File::Local(file, _) = self {
            crate::store::lock::unlock(file);
        }
    }

    /// Opens it for reading.
    pub fn open(blob: Blob, options: &Options) -> Result<Self> {
        let name = blob.name();
        match blob {
            Blob::File(path) => {
                let file = open_at_once(&path).map_err(|e| system("opening", &name, &e))?;
                Self::of(file, &name)
            }
            Blob::In(..) => {
                let (store, key) = blob.into_store(options)?;
                let source = store.source(&key);
                let there = source.len()?.zip(source.version()?);
                drop(source);
                let (len, version) = there
                    .ok_or_else(|| Error::new(Kind::NotFound, format!("{name} does not exist")))?;
                Ok(File::In(store, key, version, len))
            }
        }
    }

    /// Wraps an open file.
    pub fn of(file: std::fs::File, name: &str) -> Result<Self> {
        let metadata = file.metadata().map_err(|e| system("opening", name, &e))?;
        if !metadata.is_file() {
            return Err(Error::invalid(format!("{name} is not an ordinary file")));
        }
        Ok(File::Local(file, metadata.len()))
    }

    /// Its length when opened.
    pub fn len(&self) -> u64 {
        match self {
            File::Local(_, len) | File::In(_, _, _, len) => *len,
        }
    }

    /// Its current length, if it may have grown.
    pub fn len_now(&self) -> u64 {
        match self {
            File::Local(file, len) => file.metadata().map_or(*len, |metadata| metadata.len()),
            File::In(..) => self.len(),
        }
    }

    /// Fills `out` from `offset` on.
    pub fn read(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        let gone = || Error::corrupt("the file is truncated");
        if out.is_empty() {
            return Ok(());
        }
        match self {
            File::Local(file, _) => match read_exact_at(file, out, offset) {
                Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => Err(gone()),
                Err(e) => Err(Error::io("reading", &e)),
                Ok(()) => Ok(()),
            },
            File::In(store, key, version, _) => {
                let source = store.source_at(key, version);
                if source.version()?.as_ref() != Some(version) {
                    let message =
                        format!("{key} of {} was changed since it was opened", store.name());
                    return Err(Error::new(Kind::Conflict, message));
                }
                if source.read_at(offset, out)? { Ok(()) } else { Err(gone()) }
            }
        }
    }

    /// How many bytes could be read in the time of one request's latency.
    pub fn request_cost(&self) -> u64 {
        match self {
            File::Local(..) => 8 << 10,
            File::In(store, key, version, _) => store.source_at(key, version).request_cost(),
        }
    }

    /// The preferred number of concurrent requests.
    pub fn concurrency(&self) -> usize {
        match self {
            File::Local(..) => 1,
            File::In(store, ..) => store.concurrency(),
        }
    }
}

/// Converts an error of the system.
#[cold]
pub fn system(doing: &str, name: &str, error: &std::io::Error) -> Error {
    Error::io(format_args!("{doing} {name}"), error)
}
