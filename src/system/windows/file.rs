//! Files and directories by the names of POSIX.

use super::error::{Errno, Result};

use std::ffi::CStr;
use std::fs::{File, OpenOptions};
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::AsRawHandle;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, UNIX_EPOCH};
use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::Storage::FileSystem as win;

/// An open file or directory.
pub struct OwnedFd {
    file: File,
    /// Of a directory: where names in it are looked for.
    pub(super) path: PathBuf,
}

/// An open file or directory that belongs to something else.
#[derive(Clone, Copy)]
pub struct BorrowedFd<'a> {
    pub(super) file: &'a File,
    path: &'a Path,
}

/// The number by which the system knows an open file.
pub type RawFd = isize;

/// What has an open file.
pub trait AsFd {
    /// The file.
    fn as_fd(&self) -> BorrowedFd<'_>;
}

/// What has an open file that the system knows by a number.
pub trait AsRawFd {
    /// The number.
    fn as_raw_fd(&self) -> RawFd;
}

impl AsFd for OwnedFd {
    fn as_fd(&self) -> BorrowedFd<'_> {
        BorrowedFd { file: &self.file, path: &self.path }
    }
}

impl AsFd for BorrowedFd<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        *self
    }
}

impl AsFd for File {
    fn as_fd(&self) -> BorrowedFd<'_> {
        BorrowedFd { file: self, path: Path::new("") }
    }
}

impl<T: AsFd + ?Sized> AsFd for &T {
    fn as_fd(&self) -> BorrowedFd<'_> {
        (**self).as_fd()
    }
}

impl AsRawFd for OwnedFd {
    fn as_raw_fd(&self) -> RawFd {
        self.file.as_raw_handle() as RawFd
    }
}

impl From<File> for OwnedFd {
    fn from(file: File) -> Self {
        OwnedFd { file, path: PathBuf::new() }
    }
}

/// A relative path, with `/` between its names.
pub trait Arg {
    /// Its text; an error if it is not UTF-8.
    fn text(&self) -> Result<&str>;
}

impl Arg for str {
    fn text(&self) -> Result<&str> {
        Ok(self)
    }
}

impl Arg for String {
    fn text(&self) -> Result<&str> {
        Ok(self)
    }
}

impl Arg for CStr {
    fn text(&self) -> Result<&str> {
        self.to_str().map_err(|_| Errno::NOENT)
    }
}

impl<T: Arg + ?Sized> Arg for &T {
    fn text(&self) -> Result<&str> {
        (**self).text()
    }
}

/// Whether a file can have that name, for every program: none of a device, nor one that the system
/// would change.
fn is_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let is_device = match stem.as_bytes() {
        b"CON" | b"PRN" | b"AUX" | b"NUL" | b"CONIN$" | b"CONOUT$" => true,
        [b'C', b'O', b'M', n] | [b'L', b'P', b'T', n] => n.is_ascii_digit(),
        _ => false,
    };
    let is_reserved = |c: char| c < ' ' || r#"<>:"/\|?*"#.contains(c);
    !(name.is_empty() || name.ends_with(['.', ' ']) || is_device || name.contains(is_reserved))
}

/// The path of a name in an open directory; `refused`: the error for what no file is called.
fn below(directory: &impl AsFd, name: impl Arg, refused: Errno) -> Result<PathBuf> {
    let mut path = directory.as_fd().path.to_owned();
    for name in name.text()?.split('/').filter(|name| *name != ".") {
        if !is_name(name) {
            return Err(refused);
        }
        path.push(name);
    }
    Ok(path)
}

/// How to open a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct OFlags(u32);

impl OFlags {
    /// For reading.
    pub const RDONLY: OFlags = OFlags(0);
    /// For writing.
    pub const WRONLY: OFlags = OFlags(1);
    /// For both.
    pub const RDWR: OFlags = OFlags(2);
    /// Makes it if it is absent.
    pub const CREATE: OFlags = OFlags(4);
    /// It must be absent.
    pub const EXCL: OFlags = OFlags(8);
    /// It must be a directory.
    pub const DIRECTORY: OFlags = OFlags(16);
    /// It must not be a symbolic link.
    pub const NOFOLLOW: OFlags = OFlags(32);
    /// Children do not inherit it: none does.
    pub const CLOEXEC: OFlags = OFlags(0);
    /// Opening does not wait: it never does.
    pub const NONBLOCK: OFlags = OFlags(0);
    /// No terminal becomes that of the process: none does.
    pub const NOCTTY: OFlags = OFlags(0);

    /// Both.
    pub const fn union(self, other: OFlags) -> OFlags {
        OFlags(self.0 | other.0)
    }

    fn has(self, other: OFlags) -> bool {
        self.0 & other.0 != 0
    }
}

impl std::ops::BitOr for OFlags {
    type Output = OFlags;
    fn bitor(self, other: OFlags) -> OFlags {
        self.union(other)
    }
}

impl std::ops::Sub for OFlags {
    type Output = OFlags;
    fn sub(self, other: OFlags) -> OFlags {
        OFlags(self.0 & !other.0)
    }
}

/// Who may use a new file: whom its directory says.
#[derive(Clone, Copy)]
pub struct Mode;

impl Mode {
    /// The directory decides.
    pub fn empty() -> Self {
        Mode
    }

    /// The directory decides.
    pub fn from_raw_mode(_: u32) -> Self {
        Mode
    }
}

/// How a name is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AtFlags(u32);

impl AtFlags {
    /// The link itself.
    pub const SYMLINK_NOFOLLOW: AtFlags = AtFlags(1);
    /// A directory.
    pub const REMOVEDIR: AtFlags = AtFlags(2);
    /// What a link leads to, which is so in any case.
    pub const SYMLINK_FOLLOW: AtFlags = AtFlags(0);

    /// What a link leads to; a file.
    pub const fn empty() -> Self {
        AtFlags(0)
    }
}

/// Opens the file or directory at an absolute or relative path.
pub fn open(path: &Path, flags: OFlags, _: Mode) -> Result<OwnedFd> {
    open_path(std::path::absolute(path)?, flags)
}

/// Opens one below a directory.
pub fn openat(directory: impl AsFd, name: impl Arg, flags: OFlags, _: Mode) -> Result<OwnedFd> {
    let refused = if flags.has(OFlags::CREATE) { Errno::INVAL } else { Errno::NOENT };
    open_path(below(&directory, name, refused)?, flags)
}

fn open_path(path: PathBuf, flags: OFlags) -> Result<OwnedFd> {
    let (writes, creates) = (flags.has(OFlags::WRONLY), flags.has(OFlags::CREATE));
    let mut options = OpenOptions::new();
    options.read(!writes).write(writes || flags.has(OFlags::RDWR));
    if creates && flags.has(OFlags::EXCL) {
        options.write(true).create_new(true);
    } else if creates {
        options.write(true).create(true);
    }
    // also opens directories
    let mut special = win::FILE_FLAG_BACKUP_SEMANTICS;
    if flags.has(OFlags::NOFOLLOW) {
        special |= win::FILE_FLAG_OPEN_REPARSE_POINT;
    }
    let file = match options.custom_flags(special).open(&path) {
        Ok(file) => file,
        Err(error) => return Err(explain(error.into(), &path, creates)),
    };
    let mut opened = OwnedFd { file, path };
    if flags.has(OFlags::NOFOLLOW) || flags.has(OFlags::DIRECTORY) {
        let kind = FileType::from_raw_mode(fstat(&opened)?.st_mode);
        if kind == FileType::Symlink {
            return Err(Errno::LOOP);
        }
        if flags.has(OFlags::DIRECTORY) && kind != FileType::Directory {
            return Err(Errno::NOTDIR);
        }
    }
    if flags.has(OFlags::DIRECTORY) {
        opened.path = std::fs::canonicalize(&opened.path)?;
    }
    Ok(opened)
}

/// The error that POSIX gives where Windows knows less: something is a directory, or none.
fn explain(errno: Errno, path: &Path, creates: bool) -> Errno {
    match errno {
        Errno::ACCESS | Errno::EXIST if creates && path.is_dir() => Errno::ISDIR,
        Errno::ACCESS if path.is_dir() => Errno::ISDIR,
        Errno::NOENT if creates => {
            let above = path.ancestors().skip(1).find(|above| above.symlink_metadata().is_ok());
            if above.is_some_and(|above| !above.is_dir()) { Errno::NOTDIR } else { errno }
        }
        errno => errno,
    }
}

/// The metadata of a file.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // the names of POSIX
pub struct Stat {
    pub st_dev: u64,
    pub st_ino: u64,
    pub st_nlink: u64,
    pub st_size: u64,
    pub st_mode: u32,
    pub st_mtime: i64,
    pub st_mtime_nsec: i64,
    pub st_ctime: i64,
    pub st_ctime_nsec: i64,
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileType {
    /// A file with bytes.
    RegularFile,
    /// A directory.
    Directory,
    /// A symbolic link, or a junction.
    Symlink,
    /// Something else.
    Unknown,
}

impl FileType {
    /// What [`Stat::st_mode`] says.
    pub fn from_raw_mode(mode: u32) -> Self {
        match mode {
            0 => FileType::RegularFile,
            1 => FileType::Directory,
            2 => FileType::Symlink,
            _ => FileType::Unknown,
        }
    }
}

/// Seconds and nanoseconds since 1970 of a time in units of 100 ns since 1601.
fn unix_time(ticks: i64) -> (i64, i64) {
    const BETWEEN: i64 = 11_644_473_600;
    (ticks.div_euclid(10_000_000) - BETWEEN, ticks.rem_euclid(10_000_000) * 100)
}

/// The struct that the system fills with some metadata of a file.
fn information<T: Default>(file: HANDLE, class: win::FILE_INFO_BY_HANDLE_CLASS) -> Result<T> {
    let mut information = T::default();
    let size = size_of::<T>() as u32;
    // SAFETY: the callers name the class whose struct `T` is; all its fields are integers.
    let got = unsafe {
        win::GetFileInformationByHandleEx(file, class, (&raw mut information).cast(), size)
    };
    if got == 0 { Err(std::io::Error::last_os_error().into()) } else { Ok(information) }
}

/// The metadata of an open file.
pub fn fstat(file: impl AsFd) -> Result<Stat> {
    let file = file.as_fd().file.as_raw_handle() as HANDLE;
    let mut known = win::BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the handle is open, and the struct lives during the call.
    if unsafe { win::GetFileInformationByHandle(file, &mut known) } == 0 {
        return Err(std::io::Error::last_os_error().into());
    }
    let has = |attribute| known.dwFileAttributes & attribute != 0;
    let is_link = has(win::FILE_ATTRIBUTE_REPARSE_POINT) && {
        const SYMLINK: u32 = 0xa000_000c;
        const JUNCTION: u32 = 0xa000_0003;
        let tag: Result<win::FILE_ATTRIBUTE_TAG_INFO> =
            information(file, win::FileAttributeTagInfo);
        tag.is_ok_and(|tag| matches!(tag.ReparseTag, SYMLINK | JUNCTION))
    };
    let st_mode = match () {
        () if is_link => 2,
        () if has(win::FILE_ATTRIBUTE_DIRECTORY) => 1,
        () if has(win::FILE_ATTRIBUTE_DEVICE) => 3,
        () => 0,
    };
    let pair = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
    let written = known.ftLastWriteTime;
    let written = pair(written.dwHighDateTime, written.dwLowDateTime) as i64;
    // some file systems do not keep when it was changed in any way
    let changed = information::<win::FILE_BASIC_INFO>(file, win::FileBasicInfo);
    let changed = changed.map_or(0, |basic| basic.ChangeTime);
    let (st_mtime, st_mtime_nsec) = unix_time(written);
    let (st_ctime, st_ctime_nsec) = unix_time(if changed == 0 { written } else { changed });
    Ok(Stat {
        st_dev: known.dwVolumeSerialNumber.into(),
        st_ino: pair(known.nFileIndexHigh, known.nFileIndexLow),
        st_nlink: known.nNumberOfLinks.into(),
        st_size: pair(known.nFileSizeHigh, known.nFileSizeLow),
        st_mode,
        st_mtime,
        st_mtime_nsec,
        st_ctime,
        st_ctime_nsec,
    })
}

/// The metadata of a file below a directory.
pub fn statat(directory: impl AsFd, name: impl Arg, flags: AtFlags) -> Result<Stat> {
    let path = below(&directory, name, Errno::NOENT)?;
    let mut special = win::FILE_FLAG_BACKUP_SEMANTICS;
    if flags == AtFlags::SYMLINK_NOFOLLOW {
        special |= win::FILE_FLAG_OPEN_REPARSE_POINT;
    }
    let file = OpenOptions::new().access_mode(0).custom_flags(special).open(path)?;
    fstat(&file)
}

/// A time.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // the names of POSIX
pub struct Timespec {
    pub tv_sec: i64,
    pub tv_nsec: i64,
}

/// The times of a file.
#[allow(missing_docs)] // the names of POSIX
pub struct Timestamps {
    pub last_access: Timespec,
    pub last_modification: Timespec,
}

/// The nanoseconds of a time that stays as it is.
pub const UTIME_OMIT: i64 = -1;

/// Sets when a file was last modified.
pub fn futimens(file: impl AsFd, times: &Timestamps) -> Result<()> {
    let time = times.last_modification;
    let since = Duration::new(time.tv_sec.max(0) as u64, time.tv_nsec.max(0) as u32);
    Ok(file.as_fd().file.set_modified(UNIX_EPOCH + since)?)
}

/// Flushes a file to disk. A directory cannot be, and need not: the system keeps a log of names.
pub fn fsync(file: impl AsFd) -> Result<()> {
    let file = file.as_fd();
    if file.path.as_os_str().is_empty() || file.file.metadata()?.is_file() {
        file.file.sync_all()?;
    }
    Ok(())
}

/// Sets the length of a file.
pub fn ftruncate(file: impl AsFd, size: u64) -> Result<()> {
    Ok(file.as_fd().file.set_len(size)?)
}

/// Makes a directory.
pub fn mkdirat(directory: impl AsFd, name: impl Arg, _: Mode) -> Result<()> {
    let path = below(&directory, name, Errno::INVAL)?;
    std::fs::create_dir(&path).map_err(|error| match Errno::from(error) {
        Errno::NOENT => explain(Errno::NOENT, &path, true),
        errno => errno,
    })
}

/// Deletes a file, a link, or an empty directory.
pub fn unlinkat(directory: impl AsFd, name: impl Arg, flags: AtFlags) -> Result<()> {
    let path = below(&directory, name, Errno::NOENT)?;
    let there = std::fs::symlink_metadata(&path)?;
    let is_directory = there.is_dir();
    match flags {
        AtFlags::REMOVEDIR if is_directory => std::fs::remove_dir(&path)?,
        AtFlags::REMOVEDIR => return Err(Errno::NOTDIR),
        _ if is_directory => return Err(Errno::ISDIR),
        // a link to a directory is deleted like one
        _ if there.is_symlink() => {
            std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir(&path))?;
        }
        _ => patiently(|| Ok(std::fs::remove_file(&path)?))?,
    }
    Ok(())
}

/// Retries what fails because another program, such as a virus scanner, has the file open for a
/// moment and does not share it.
fn patiently(mut change: impl FnMut() -> Result<()>) -> Result<()> {
    let until = Instant::now() + Duration::from_secs(2);
    loop {
        match change() {
            Err(Errno::ACCESS) if Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(5));
            }
            changed => return changed,
        }
    }
}

/// Renames a file, replacing what has the new name, which others may have open where the file
/// system can do that: NTFS, since Windows 10.
pub fn renameat(from: impl AsFd, old: impl Arg, to: impl AsFd, new: impl Arg) -> Result<()> {
    let (old, new) = (below(&from, old, Errno::NOENT)?, below(&to, new, Errno::INVAL)?);
    patiently(|| match std::fs::rename(&old, &new).map_err(Errno::from) {
        Err(Errno::ACCESS) if new.is_dir() => Err(Errno::ISDIR),
        renamed => renamed,
    })
}

/// How to rename.
#[derive(Clone, Copy)]
pub struct RenameFlags;

impl RenameFlags {
    /// Only if nothing has the new name.
    pub const NOREPLACE: RenameFlags = RenameFlags;
}

/// Not known here: a link can be made of a name that nothing has.
pub fn renameat_with(
    _: impl AsFd,
    _: impl Arg,
    _: impl AsFd,
    _: impl Arg,
    _: RenameFlags,
) -> Result<()> {
    Err(Errno::NOSYS)
}

/// Gives a file a further name.
pub fn linkat(
    from: impl AsFd,
    old: impl Arg,
    to: impl AsFd,
    new: impl Arg,
    _: AtFlags,
) -> Result<()> {
    let (old, new) = (below(&from, old, Errno::NOENT)?, below(&to, new, Errno::INVAL)?);
    Ok(std::fs::hard_link(old, new)?)
}

/// How to set an extended attribute.
#[derive(Clone, Copy)]
pub struct XattrFlags;

impl XattrFlags {
    /// In any case.
    pub fn empty() -> Self {
        XattrFlags
    }
}

/// There are none.
pub fn fsetxattr(_: impl AsFd, _: &str, _: &[u8], _: XattrFlags) -> Result<()> {
    Err(Errno::NOTSUP)
}

/// There are none.
pub fn fgetxattr(_: impl AsFd, _: &str, _: &mut [u8]) -> Result<usize> {
    Err(Errno::NOTSUP)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn names_that_windows_gives_another_meaning_are_none() {
        for name in ["zarr.json", "c", "0.0", ".zarray", "COM", "COM10", "console", "a b", "é"] {
            assert!(is_name(name), "{name}");
        }
        for name in [
            "", "a:b", "a\\b", "..", "a.", "a ", "con", "NUL.json", "com1", "lpt9.x", "a*", "a?",
            "a|b", "<", "\"", "a\u{1}",
        ] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn times_are_those_since_1970() {
        assert_eq!(unix_time(116_444_736_000_000_000), (0, 0));
        assert_eq!(unix_time(116_444_736_000_000_000 + 15_000_001), (1, 500_000_100));
    }
}
