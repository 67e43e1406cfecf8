//! Objects of an open file: the file itself, what its groups link to, dataspaces, lists of
//! properties.
#![allow(unsafe_code)] // calls of libhdf5

use super::library::{Hid, Session, session};
use crate::error::{Context, Error, Kind, Result};
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::path::Path;

/// Links that one group may have, and attributes that one object may have.
const MAX_NAMES: usize = 1 << 22;

/// Soft links that one name may lead through.
const MAX_SOFT_LINKS: usize = 16;

/// An object of the library, closed when dropped.
pub struct Id(Hid);

impl Drop for Id {
    fn drop(&mut self) {
        if let Ok(s) = session() {
            // SAFETY: the number is that of an object that is open, and nobody uses it any more.
            unsafe { (s.lib.f.H5Idec_ref)(self.0) };
        }
    }
}

impl Id {
    /// What a function gave that opens or makes an object.
    pub fn new(s: &Session, hid: Hid, doing: &str) -> Result<Id> {
        s.check(hid, doing).map(Id)
    }

    /// Closes it, and says whether that went well.
    pub fn close(self, s: &Session, doing: &str) -> Result<()> {
        let id = std::mem::ManuallyDrop::new(self);
        // SAFETY: as in `drop`, which does not come any more.
        s.check(unsafe { (s.lib.f.H5Idec_ref)(id.0) }, doing).map(drop)
    }

    /// Its number, as long as it lives.
    pub fn raw(&self) -> Hid {
        self.0
    }

    /// A new list of properties of the class `H5P_CLS_…_ID`.
    pub fn properties(s: &Session, class: &str) -> Result<Id> {
        let class = s.lib.global(&format!("H5P_CLS_{class}_ID"))?;
        // SAFETY: the number of a class.
        Id::new(s, unsafe { (s.lib.f.H5Pcreate)(class) }, "properties")
    }

    /// A dataspace of that shape, which may grow without bound where `unlimited` says so.
    pub fn space(s: &Session, shape: &[u64], unlimited: &[bool]) -> Result<Id> {
        let doing = "a dataspace";
        if shape.is_empty() {
            // SAFETY: 0 is H5S_SCALAR.
            return Id::new(s, unsafe { (s.lib.f.H5Screate)(0) }, doing);
        }
        let max = |(d, &n): (usize, &u64)| match unlimited.get(d) {
            Some(true) => u64::MAX,
            _ => n,
        };
        let most: Vec<u64> = shape.iter().enumerate().map(max).collect();
        let rank = shape.len() as c_int;
        // SAFETY: both lists have as many numbers as `rank` says.
        let hid = unsafe { (s.lib.f.H5Screate_simple)(rank, shape.as_ptr(), most.as_ptr()) };
        Id::new(s, hid, doing)
    }

    /// Selects a box of a dataspace of as many dimensions.
    pub fn select(&self, s: &Session, start: &[u64], count: &[u64]) -> Result<()> {
        if start.is_empty() {
            return Ok(());
        }
        let none = std::ptr::null();
        // SAFETY: the lists are as long as the space has dimensions; 0 is H5S_SELECT_SET.
        let result = unsafe {
            (s.lib.f.H5Sselect_hyperslab)(self.0, 0, start.as_ptr(), none, count.as_ptr(), none)
        };
        s.check(result, "a box").map(drop)
    }

    /// The extents of a dataspace; `None`: it has not even a scalar.
    pub fn extents(&self, s: &Session) -> Result<Option<Vec<u64>>> {
        let doing = "a dataspace";
        // SAFETY: a dataspace.
        let rank = unsafe {
            match s.check((s.lib.f.H5Sget_simple_extent_type)(self.0), doing)? {
                2 => return Ok(None),
                _ => s.check((s.lib.f.H5Sget_simple_extent_ndims)(self.0), doing)?,
            }
        };
        let mut shape = vec![0; rank as usize];
        let none = std::ptr::null_mut();
        // SAFETY: as many numbers as it has dimensions.
        let result =
            unsafe { (s.lib.f.H5Sget_simple_extent_dims)(self.0, shape.as_mut_ptr(), none) };
        s.check(result, doing)?;
        Ok(Some(shape))
    }

    /// Which dimensions of a dataspace of `rank` dimensions are unlimited.
    pub fn unlimited(&self, s: &Session, rank: usize) -> Result<Vec<bool>> {
        let mut limits = vec![0; rank];
        let none = std::ptr::null_mut();
        // SAFETY: as many numbers as it has dimensions.
        let result =
            unsafe { (s.lib.f.H5Sget_simple_extent_dims)(self.0, none, limits.as_mut_ptr()) };
        s.check(result, "a dataspace")?;
        Ok(limits.iter().map(|&limit| limit == u64::MAX).collect())
    }

    /// The names of an object's attributes, in the order in which they were made if that is known.
    pub fn attribute_names(&self, s: &Session) -> Result<Vec<Vec<u8>>> {
        for order in [1, 0] {
            let mut names = Names::default();
            let data = (&raw mut names).cast();
            // SAFETY: `add_name` is given what it expects.
            let result = unsafe {
                (s.lib.f.H5Aiterate2)(self.0, order, 0, std::ptr::null_mut(), add_name, data)
            };
            if result >= 0 || order == 0 {
                return names.finish(s, result, "the attributes");
            }
        }
        Ok(Vec::new())
    }
}

/// What a callback collects: names, and of each link its kind.
#[derive(Default)]
struct Names {
    names: Vec<Vec<u8>>,
    kinds: Vec<c_int>,
    failure: Option<Error>,
}

impl Names {
    fn add(&mut self, name: &[u8], kind: c_int) -> c_int {
        let no_memory = || Error::new(Kind::OutOfMemory, "there is no memory for names");
        let mut add = || {
            if self.names.len() >= MAX_NAMES {
                return Err(Error::new(
                    Kind::LimitExceeded,
                    format!("more than {MAX_NAMES} names"),
                ));
            }
            let mut text = Vec::new();
            text.try_reserve_exact(name.len()).map_err(|_| no_memory())?;
            text.extend_from_slice(name);
            self.names.try_reserve(1).map_err(|_| no_memory())?;
            self.kinds.try_reserve(1).map_err(|_| no_memory())?;
            self.names.push(text);
            self.kinds.push(kind);
            Ok(())
        };
        match add() {
            Ok(()) => 0,
            Err(e) => {
                self.failure = Some(e);
                -1
            }
        }
    }

    fn finish(self, s: &Session, result: c_int, doing: &str) -> Result<Vec<Vec<u8>>> {
        match self.failure {
            Some(e) => Err(e).at(|| doing.to_owned()),
            None => s.check(result, doing).map(|_| self.names),
        }
    }
}

unsafe extern "C" fn add_name(
    _: Hid,
    name: *const c_char,
    _: *const c_void,
    out: *mut c_void,
) -> c_int {
    // SAFETY: libhdf5 gives a text, and hands the pointer on that it was given.
    unsafe { (*out.cast::<Names>()).add(CStr::from_ptr(name).to_bytes(), 0) }
}

unsafe extern "C" fn add_link(
    _: Hid,
    name: *const c_char,
    info: *const c_void,
    out: *mut c_void,
) -> c_int {
    // SAFETY: as above; every version of H5L_info_t begins with the kind of the link.
    unsafe { (*out.cast::<Names>()).add(CStr::from_ptr(name).to_bytes(), *info.cast::<c_int>()) }
}

/// Where external links lead is not opened.
unsafe extern "C" fn refuse_external(
    _: *const c_char,
    _: *const c_char,
    _: *const c_char,
    _: *const c_char,
    _: *mut c_uint,
    _: Hid,
    _: *mut c_void,
) -> c_int {
    -1
}

/// What a group holds under a name.
pub struct Link {
    /// The name, which may be no UTF-8.
    pub name: Vec<u8>,
    /// Whether it leads out of the file, by which way ever.
    pub leaves_file: bool,
}

/// What a link leads to.
pub enum Target {
    /// A group.
    Group(Id),
    /// A dataset.
    Dataset(Id),
    /// Something else, as a type that has a name.
    Other,
}

/// A file that is open.
pub struct File {
    id: Id,
    /// How links are followed: never out of the file.
    links: Id,
    /// Whether HDF5 begins later than the file.
    pub has_user_block: bool,
}

/// A path as libhdf5 takes it.
pub fn c_path(path: &Path) -> Result<CString> {
    CString::new(path.as_os_str().as_encoded_bytes())
        .map_err(|_| Error::invalid("the path has a NUL"))
}

impl File {
    /// Opens a file for reading. [`Kind::CorruptData`]: it is none of HDF5, or damaged.
    pub fn open(s: &Session, path: &Path) -> Result<File> {
        let doing = "opening the file";
        // the system says best why it cannot be opened
        std::fs::File::open(path).map_err(|e| Error::io(doing, &e))?;
        let access = Id::properties(s, "FILE_ACCESS")?;
        let links = Id::properties(s, "LINK_ACCESS")?;
        let path = c_path(path)?;
        // SAFETY: lists of the right classes, and a function of the right type that lives as long
        // as the library.
        let id = unsafe {
            s.check((s.lib.f.H5Pset_fapl_sec2)(access.0), doing)?;
            s.check((s.lib.f.H5Pset_fclose_degree)(access.0, 3), doing)?;
            let refuse = refuse_external as *mut c_void;
            s.check((s.lib.f.H5Pset_elink_cb)(links.0, refuse, std::ptr::null_mut()), doing)?;
            s.check((s.lib.f.H5Pset_nlinks)(links.0, MAX_SOFT_LINKS), doing)?;
            Id::new(s, (s.lib.f.H5Fopen)(path.as_ptr(), 0, access.0), doing)?
        };
        let mut user_block = 0;
        // SAFETY: the file, and its list.
        unsafe {
            let made = Id::new(s, (s.lib.f.H5Fget_create_plist)(id.0), doing)?;
            s.check((s.lib.f.H5Pget_userblock)(made.0, &mut user_block), doing)?;
        }
        Ok(File { id, links, has_user_block: user_block != 0 })
    }

    /// The group at the root.
    pub fn root(&self, s: &Session) -> Result<Id> {
        // SAFETY: the file, a text and a list.
        let hid = unsafe { (s.lib.f.H5Oopen)(self.id.0, c"/".as_ptr(), self.links.0) };
        Id::new(s, hid, "the root group")
    }

    /// What a group holds, by name.
    pub fn links(&self, s: &Session, group: &Id) -> Result<Vec<Link>> {
        let mut names = Names::default();
        let data = (&raw mut names).cast();
        // SAFETY: `add_link` is given what it expects; by name, increasing.
        let result =
            unsafe { (s.lib.iterate_links)(group.0, 0, 0, std::ptr::null_mut(), add_link, data) };
        let kinds = std::mem::take(&mut names.kinds);
        let names = names.finish(s, result, "the links of the group")?;
        let link = |(name, kind)| Link { name, leaves_file: !(0..=1).contains(&kind) };
        Ok(names.into_iter().zip(kinds).map(link).collect())
    }

    /// What a link of `group` leads to. An error: nowhere, out of the file, or to what is damaged.
    pub fn follow(&self, s: &Session, group: &Id, name: &str) -> Result<Target> {
        let text = CString::new(name).map_err(|_| Error::invalid("the name has a NUL"))?;
        // SAFETY: a group, a text and a list; then an object.
        let (id, kind) = unsafe {
            let hid = (s.lib.f.H5Oopen)(group.0, text.as_ptr(), self.links.0);
            let id = Id::new(s, hid, "the link")?;
            let kind = (s.lib.f.H5Iget_type)(id.0);
            (id, kind)
        };
        Ok(match kind {
            2 => Target::Group(id),
            5 => Target::Dataset(id),
            _ => Target::Other,
        })
    }

    /// Where an object begins, which no two share.
    pub fn address(&self, s: &Session, object: &Id) -> Result<u64> {
        // H5O_info1_t begins with the number of the file and the address
        let mut info = [0u64; 64];
        // SAFETY: the struct has 160 bytes; 1 asks for the basic members.
        let result = unsafe { (s.lib.f.H5Oget_info2)(object.0, info.as_mut_ptr().cast(), 1) };
        s.check(result, "the object")?;
        Ok(info[1])
    }
}

/// The path of an object in its file.
pub fn path_of(s: &Session, object: &Id) -> Result<String> {
    let mut text = vec![0u8; 4096];
    // SAFETY: as much memory as is said.
    let len = unsafe { (s.lib.f.H5Iget_name)(object.0, text.as_mut_ptr().cast(), text.len()) };
    let len = s.check(len, "the name of an object")? as usize;
    text.truncate(len.min(4095));
    String::from_utf8(text).map_err(|_| Error::unsupported("the name of an object is no UTF-8"))
}

/// Copies a text that libhdf5 gave away, and frees it.
///
/// # Safety
///
/// `text` is NULL or the result of a function of libhdf5 that leaves it to its caller.
pub unsafe fn take_text(s: &Session, text: *mut c_char) -> Result<Vec<u8>> {
    if text.is_null() {
        return Err(s.error("a name"));
    }
    // SAFETY: as promised.
    unsafe {
        let bytes = CStr::from_ptr(text).to_bytes().to_vec();
        (s.lib.f.H5free_memory)(text.cast());
        Ok(bytes)
    }
}
