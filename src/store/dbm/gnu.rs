//! GNU dbm, through the crate `gdbm-native`, which reads and writes the C library's files.
//! <https://www.gnu.org/software/gdbm/manual/>
//!
//! The file is changed in place: a writer that is killed in the midst of a change can leave one that
//! `gdbmtool` must recover. As with the C library, many may read at a time or one write.

use crate::error::{Error, Kind, Result};
use crate::store::lock::patiently;
use crate::store::{Key, Mode};
use gdbm_native::{Gdbm, OpenOptions};
use std::collections::BTreeMap;
use std::path::Path;

pub struct Gnu {
    file: Gdbm,
    /// The file itself is in the order of a hash.
    index: BTreeMap<String, ()>,
}

/// What the crate says, as an error of ours.
#[cold]
fn explain(error: gdbm_native::Error) -> Error {
    use gdbm_native::Error as Gdbm;
    let kind = match &error {
        Gdbm::Io(e) => {
            return match e.raw_os_error() {
                Some(code) => Error::system("reading or writing it", code),
                None => Error::corrupt(error.to_string()),
            };
        }
        Gdbm::Locked => Kind::Conflict,
        Gdbm::RecordTooLarge { .. } | Gdbm::FileTooLarge { .. } => Kind::LimitExceeded,
        _ => Kind::CorruptData,
    };
    Error::new(kind, error.to_string())
}

impl Gnu {
    pub fn open(path: &Path, mode: Mode, sync: bool) -> Result<Self> {
        let creates = !matches!(mode, Mode::Read | Mode::ReadWrite);
        let mut options = OpenOptions::new();
        options.write(mode != Mode::Read).create(creates).sync(sync);
        let file = patiently(|| options.open(path).map_err(explain))?;
        let mut index = BTreeMap::new();
        for key in file.keys::<Vec<u8>>() {
            if let Ok(key) = String::from_utf8(key.map_err(explain)?)
                && Key::parse(&key).is_ok()
            {
                index.insert(key, ());
            }
        }
        Ok(Gnu { file, index })
    }

    pub fn index(&self) -> &BTreeMap<String, ()> {
        &self.index
    }

    /// Reads a value; `false`: there is none.
    pub fn get(&self, key: &str, out: &mut Vec<u8>) -> Result<bool> {
        let value: Option<Vec<u8>> = self.file.get(key).map_err(explain)?;
        let Some(value) = value else { return Ok(false) };
        crate::source::reserve(out, value.len())?;
        out.extend_from_slice(&value);
        Ok(true)
    }

    pub fn set(&mut self, key: &str, value: &[u8]) -> Result<()> {
        self.file.insert(key, value).map_err(explain)?;
        self.index.insert(key.to_owned(), ());
        Ok(())
    }

    /// Takes keys away.
    pub fn erase(&mut self, keys: &[String]) -> Result<()> {
        for key in keys {
            self.file.remove(key.as_str()).map_err(explain)?;
            self.index.remove(key);
        }
        Ok(())
    }
}
