//! Detects what is at a path: a directory, or a file with a scheme of its own.

use super::Mode;
use super::local::filesystem;
use crate::system::fd::OwnedFd;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// How to open a path.
pub(super) enum Found {
    /// By a scheme.
    Scheme(&'static str),
    /// As a directory store, with its descriptor if it could be opened; an absent one is created.
    Directory(Option<OwnedFd>),
    /// An LMDB environment. LMDB trusts its files, so it opens only if the URL names the scheme.
    Lmdb,
}

/// Detects how to open `path`: by its first bytes, or, if it is absent and `mode` creates it, by
/// its extension.
pub(super) fn recognise(path: &Path, mode: Mode) -> Found {
    // resolve the path once, then only names in the directory
    if let Some(directory) = filesystem::directory(path) {
        let holds = |name| filesystem::holds(&directory, name);
        return match () {
            _ if holds("data.mdb") => Found::Lmdb,
            _ if holds(".zmetadata") && is_parquet_reference(path) => Found::Scheme("reference"),
            _ => Found::Directory(Some(directory)),
        };
    }
    by_file(path, mode).unwrap_or(Found::Directory(None))
}

fn by_file(path: &Path, mode: Mode) -> Option<Found> {
    match path.metadata() {
        Ok(there) if !there.is_file() => None,
        Ok(there) if there.len() == 0 => by_extension(path),
        Ok(_) => by_content(path),
        Err(_) => {
            let creates = !matches!(mode, Mode::Read | Mode::ReadWrite);
            let with = |ending: &str| {
                let mut name = path.as_os_str().to_owned();
                name.push(ending);
                Path::new(&name).is_file()
            };
            match () {
                _ if with(".dir") && with(".dat") => Some(Found::Scheme("dbm")),
                _ if creates => by_extension(path),
                _ => None,
            }
        }
    }
}

fn by_extension(path: &Path) -> Option<Found> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "zip" => Some(Found::Scheme("zip")),
        "sqlite" | "sqlite3" => Some(Found::Scheme("sqlite")),
        _ => None,
    }
}

fn by_content(path: &Path) -> Option<Found> {
    let mut file = File::open(path).ok()?;
    let mut start = Vec::new();
    file.by_ref().take(32).read_to_end(&mut start).ok()?;
    let word = |at: usize| {
        let bytes = start.get(at..at + 4)?;
        Some(u32::from_ne_bytes(bytes.try_into().ok()?))
    };
    let text = start.iter().find(|byte| !byte.is_ascii_whitespace());
    match () {
        _ if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") => {
            Some(Found::Scheme("zip"))
        }
        _ if start.starts_with(HDF5) => Some(Found::Scheme("hdf5")),
        _ if start.starts_with(b"SQLite format 3\0") => Some(Found::Scheme("sqlite")),
        // a page header of 16 bytes (on a 64-bit machine), then LMDB's magic number
        _ if word(16) == Some(0xbeef_c0de) => Some(Found::Lmdb),
        // GNU dbm: with 32-bit and 64-bit numbers, and with crash tolerance
        _ if matches!(word(0), Some(0x1357_9acd..=0x1357_9ad1)) => Some(Found::Scheme("dbm")),
        _ if text == Some(&b'{') => Some(Found::Scheme("reference")),
        _ if has_user_block(&mut file) => Some(Found::Scheme("hdf5")),
        _ => None,
    }
}

/// The signature of HDF5 files.
const HDF5: &[u8] = b"\x89HDF\r\n\x1a\n";

/// Whether an HDF5 file follows a user block of 512 bytes, or 1024, 2048 and so on.
/// <https://support.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html>
fn has_user_block(file: &mut File) -> bool {
    let length = file.metadata().map_or(0, |there| there.len());
    let blocks = std::iter::successors(Some(512u64), |size| size.checked_mul(2));
    blocks.take_while(|&size| size < length).any(|size| {
        let mut signature = [0; 8];
        file.seek(SeekFrom::Start(size)).is_ok()
            && file.read_exact(&mut signature).is_ok()
            && signature == *HDF5
    })
}

/// Detects references in Parquet files: `.zmetadata`, beside the directories of the arrays, has
/// `record_size` as its first or last member.
fn is_parquet_reference(path: &Path) -> bool {
    const NEAR: u64 = 256;
    let ends = || -> std::io::Result<Vec<u8>> {
        let mut file = File::open(path.join(".zmetadata"))?;
        let mut ends = Vec::new();
        file.by_ref().take(NEAR).read_to_end(&mut ends)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(NEAR)))?;
        file.take(NEAR).read_to_end(&mut ends)?;
        Ok(ends)
    };
    let word = b"\"record_size\"";
    ends().is_ok_and(|ends| ends.windows(word.len()).any(|part| part == word))
}
