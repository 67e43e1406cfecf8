//! The functions of libhdf5, looked up in the library by name when they are first needed, so that
//! nothing is needed to build this. The constants are those of its headers, which never change.
//!
//! libhdf5 is commonly built for one thread at a time: all calls are made under one lock, a
//! [`Session`], during which it prints nothing.
#![allow(unsafe_code)] // bindings of a C library

use crate::error::{Error, Kind, Result};
use crate::fork::{Lazy, Own};
use libloading::Library;
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An object of the library, by its number.
pub type Hid = i64;

/// The oldest version that will do: the first that tells where chunks lie.
const OLDEST: (c_uint, c_uint, c_uint) = (1, 10, 5);

/// What the library is called, by the systems that have it. One that the program has loaded itself
/// goes before them.
const NAMES: &[&str] = &[
    "libhdf5_serial.so.310",
    "libhdf5.so.310",
    "libhdf5_serial.so.103",
    "libhdf5.so.320",
    "libhdf5.so.200",
    "libhdf5.so.103",
    "libhdf5.so",
    "libhdf5.dylib",
    "/opt/homebrew/lib/libhdf5.dylib",
    "/usr/local/lib/libhdf5.dylib",
];

/// The environment variable that names it instead.
const VARIABLE: &str = "ZARRC_HDF5_LIBRARY";

pub type Visit = unsafe extern "C" fn(Hid, *const c_char, *const c_void, *mut c_void) -> c_int;
pub type Walk = unsafe extern "C" fn(c_uint, *const ErrorLine, *mut c_void) -> c_int;
pub type Printer = *mut c_void;

/// H5E_error2_t.
#[repr(C)]
pub struct ErrorLine {
    class: Hid,
    major: Hid,
    minor: Hid,
    line: c_uint,
    function: *const c_char,
    file: *const c_char,
    text: *const c_char,
}

macro_rules! functions {
    ($($name:ident($($type:ty),*) -> $result:ty;)*) => {
        /// The functions that are used.
        #[allow(non_snake_case)]
        pub struct Functions { $(pub $name: unsafe extern "C" fn($($type),*) -> $result,)* }

        impl Functions {
            /// SAFETY: the library is libhdf5, whose functions have had these types since 1.10.
            unsafe fn load(library: &Library) -> Result<Self, libloading::Error> {
                Ok(Functions { $(
                    // SAFETY: as promised.
                    $name: unsafe { *library.get(concat!(stringify!($name), "\0").as_bytes())? },
                )* })
            }
        }
    };
}

functions! {
    H5open() -> c_int;
    H5dont_atexit() -> c_int;
    H5get_libversion(*mut c_uint, *mut c_uint, *mut c_uint) -> c_int;
    H5free_memory(*mut c_void) -> c_int;
    H5Eget_auto2(Hid, *mut Printer, *mut *mut c_void) -> c_int;
    H5Eset_auto2(Hid, Printer, *mut c_void) -> c_int;
    H5Ewalk2(Hid, c_int, Walk, *mut c_void) -> c_int;
    H5Idec_ref(Hid) -> c_int;
    H5Iget_type(Hid) -> c_int;
    H5Iget_name(Hid, *mut c_char, usize) -> isize;
    H5Fopen(*const c_char, c_uint, Hid) -> Hid;
    H5Fcreate(*const c_char, c_uint, Hid, Hid) -> Hid;
    H5Fget_create_plist(Hid) -> Hid;
    H5Oopen(Hid, *const c_char, Hid) -> Hid;
    H5Oget_info2(Hid, *mut c_void, c_uint) -> c_int;
    H5Gcreate2(Hid, *const c_char, Hid, Hid, Hid) -> Hid;
    H5Aiterate2(Hid, c_int, c_int, *mut u64, Visit, *mut c_void) -> c_int;
    H5Aopen(Hid, *const c_char, Hid) -> Hid;
    H5Aget_type(Hid) -> Hid;
    H5Aget_space(Hid) -> Hid;
    H5Aread(Hid, Hid, *mut c_void) -> c_int;
    H5Acreate2(Hid, *const c_char, Hid, Hid, Hid, Hid) -> Hid;
    H5Awrite(Hid, Hid, *const c_void) -> c_int;
    H5Dcreate2(Hid, *const c_char, Hid, Hid, Hid, Hid, Hid) -> Hid;
    H5Dget_type(Hid) -> Hid;
    H5Dget_space(Hid) -> Hid;
    H5Dget_create_plist(Hid) -> Hid;
    H5Dget_offset(Hid) -> u64;
    H5Dget_num_chunks(Hid, Hid, *mut u64) -> c_int;
    H5Dget_chunk_info(Hid, Hid, u64, *mut u64, *mut c_uint, *mut u64, *mut u64) -> c_int;
    H5Dread(Hid, Hid, Hid, Hid, Hid, *mut c_void) -> c_int;
    H5Dwrite(Hid, Hid, Hid, Hid, Hid, *const c_void) -> c_int;
    H5Dvlen_reclaim(Hid, Hid, Hid, *mut c_void) -> c_int;
    H5Screate(c_int) -> Hid;
    H5Screate_simple(c_int, *const u64, *const u64) -> Hid;
    H5Sget_simple_extent_type(Hid) -> c_int;
    H5Sget_simple_extent_ndims(Hid) -> c_int;
    H5Sget_simple_extent_dims(Hid, *mut u64, *mut u64) -> c_int;
    H5Sselect_hyperslab(Hid, c_int, *const u64, *const u64, *const u64, *const u64) -> c_int;
    H5Tget_class(Hid) -> c_int;
    H5Tget_size(Hid) -> usize;
    H5Tget_order(Hid) -> c_int;
    H5Tget_sign(Hid) -> c_int;
    H5Tget_precision(Hid) -> usize;
    H5Tget_fields(Hid, *mut usize, *mut usize, *mut usize, *mut usize, *mut usize) -> c_int;
    H5Tget_super(Hid) -> Hid;
    H5Tget_nmembers(Hid) -> c_int;
    H5Tget_member_name(Hid, c_uint) -> *mut c_char;
    H5Tget_member_offset(Hid, c_uint) -> usize;
    H5Tget_member_type(Hid, c_uint) -> Hid;
    H5Tget_member_value(Hid, c_uint, *mut c_void) -> c_int;
    H5Tis_variable_str(Hid) -> c_int;
    H5Tget_tag(Hid) -> *mut c_char;
    H5Tget_array_ndims(Hid) -> c_int;
    H5Tget_array_dims2(Hid, *mut u64) -> c_int;
    H5Tcreate(c_int, usize) -> Hid;
    H5Tinsert(Hid, *const c_char, usize, Hid) -> c_int;
    H5Tcopy(Hid) -> Hid;
    H5Tpack(Hid) -> c_int;
    H5Tset_size(Hid, usize) -> c_int;
    H5Tset_order(Hid, c_int) -> c_int;
    H5Tset_fields(Hid, usize, usize, usize, usize, usize) -> c_int;
    H5Tset_ebias(Hid, usize) -> c_int;
    H5Tset_precision(Hid, usize) -> c_int;
    H5Tset_cset(Hid, c_int) -> c_int;
    H5Tset_strpad(Hid, c_int) -> c_int;
    H5Tset_tag(Hid, *const c_char) -> c_int;
    H5Tvlen_create(Hid) -> Hid;
    H5Tarray_create2(Hid, c_uint, *const u64) -> Hid;
    H5Tenum_create(Hid) -> Hid;
    H5Tenum_insert(Hid, *const c_char, *const c_void) -> c_int;
    H5Tequal(Hid, Hid) -> c_int;
    H5Pcreate(Hid) -> Hid;
    H5Pget_layout(Hid) -> c_int;
    H5Pget_chunk(Hid, c_int, *mut u64) -> c_int;
    H5Pset_chunk(Hid, c_int, *const u64) -> c_int;
    H5Pget_nfilters(Hid) -> c_int;
    H5Pget_filter2(Hid, c_uint, *mut c_uint, *mut usize, *mut c_uint, usize, *mut c_char, *mut c_uint) -> c_int;
    H5Pfill_value_defined(Hid, *mut c_int) -> c_int;
    H5Pget_fill_value(Hid, Hid, *mut c_void) -> c_int;
    H5Pset_fill_value(Hid, Hid, *const c_void) -> c_int;
    H5Pset_deflate(Hid, c_uint) -> c_int;
    H5Pset_shuffle(Hid) -> c_int;
    H5Pset_fletcher32(Hid) -> c_int;
    H5Pget_external_count(Hid) -> c_int;
    H5Pget_chunk_opts(Hid, *mut c_uint) -> c_int;
    H5Pget_userblock(Hid, *mut u64) -> c_int;
    H5Pset_fapl_sec2(Hid) -> c_int;
    H5Pset_fclose_degree(Hid, c_int) -> c_int;
    H5Pset_libver_bounds(Hid, c_int, c_int) -> c_int;
    H5Pset_link_creation_order(Hid, c_uint) -> c_int;
    H5Pset_attr_creation_order(Hid, c_uint) -> c_int;
    H5Pset_elink_cb(Hid, *mut c_void, *mut c_void) -> c_int;
    H5Pset_nlinks(Hid, usize) -> c_int;
    H5Zfilter_avail(c_int) -> c_int;
    H5Rcreate(*mut c_void, Hid, *const c_char, c_int, Hid) -> c_int;
    H5Rdereference2(Hid, Hid, c_int, *const c_void) -> Hid;
}

/// H5Literate(group, index, order, place, visit, data).
pub type Iterate = unsafe extern "C" fn(Hid, c_int, c_int, *mut u64, Visit, *mut c_void) -> c_int;

/// What [`H5Dchunk_iter`] calls: offset, mask, address, size, data.
pub type VisitChunk = unsafe extern "C" fn(*const u64, c_uint, u64, u64, *mut c_void) -> c_int;
pub type IterateChunks = unsafe extern "C" fn(Hid, Hid, VisitChunk, *mut c_void) -> c_int;

/// libhdf5, which stays loaded.
pub struct Hdf5 {
    pub f: Functions,
    pub iterate_links: Iterate,
    /// Newer versions have it: one pass over all chunks.
    pub iterate_chunks: Option<IterateChunks>,
    library: Library,
}

impl Hdf5 {
    fn load() -> Result<Self> {
        let (library, is_shared) = Self::find()?;
        let lacking = |e: libloading::Error| {
            Error::unsupported(format!("libhdf5 lacks a function that zarrc needs: {e}"))
        };
        // SAFETY: the names are those of libhdf5 alone.
        let f = unsafe { Functions::load(&library) }.map_err(lacking)?;
        // SAFETY: as above; 1.12 gave the function another name and another struct, of which only
        // the first member is looked at, which is the same.
        let iterate_links = unsafe {
            library.get::<Iterate>(b"H5Literate2\0").or_else(|_| library.get(b"H5Literate\0"))
        };
        let iterate_links = *iterate_links.map_err(lacking)?;
        // SAFETY: since 1.14 the function has this type; before, another in releases without it.
        let iterate_chunks = unsafe { library.get::<IterateChunks>(b"H5Dchunk_iter\0") };
        let iterate_chunks = iterate_chunks.ok().map(|function| *function);
        if !is_shared {
            // SAFETY: takes nothing. What nobody else uses needs no end: files are closed by then,
            // and 1.10 is loud where threads that called it are gone.
            unsafe { (f.H5dont_atexit)() };
        }
        let mut v = (0, 0, 0);
        // SAFETY: three numbers to write to.
        let known = unsafe { (f.H5get_libversion)(&mut v.0, &mut v.1, &mut v.2) } >= 0;
        // SAFETY: takes nothing.
        if !known || unsafe { (f.H5open)() } < 0 {
            return Err(Error::unsupported("libhdf5 does not start"));
        }
        if v < OLDEST {
            return Err(Error::unsupported(format!(
                "libhdf5 is version {}.{}.{}: 1.10.5 or newer is needed",
                v.0, v.1, v.2
            )));
        }
        let iterate_chunks = iterate_chunks.filter(|_| v >= (1, 14, 0));
        Ok(Hdf5 { f, iterate_links, iterate_chunks, library })
    }

    /// The library, and whether the program has loaded it itself.
    fn find() -> Result<(Library, bool)> {
        let open = |name: &std::ffi::OsStr| {
            // SAFETY: what libhdf5 does when it is loaded is to register a function for the end.
            unsafe { Library::new(name) }
        };
        if let Some(name) = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()) {
            let named = |e| Error::unsupported(format!("{VARIABLE}: libhdf5 is not loaded: {e}"));
            return open(&name).map(|library| (library, false)).map_err(named);
        }
        #[cfg(unix)]
        {
            let own: Library = libloading::os::unix::Library::this().into();
            // SAFETY: it is only looked whether the name is there.
            if unsafe { own.get::<*const c_void>(b"H5Dget_chunk_info\0") }.is_ok() {
                return Ok((own, true));
            }
        }
        let found = NAMES.iter().find_map(|name| open(name.as_ref()).ok());
        found.map(|library| (library, false)).ok_or_else(|| {
            Error::unsupported(format!(
                "libhdf5 is not installed: it is searched for as {}; the environment variable \
                 {VARIABLE} may name it",
                NAMES.join(", ")
            ))
        })
    }

    /// The value of one of its global variables, as the number of a type or of a class of lists.
    pub fn global(&self, name: &str) -> Result<Hid> {
        let name = format!("{name}_g\0");
        // SAFETY: all names that are asked for are those of variables of that type.
        let value = unsafe { self.library.get::<*const Hid>(name.as_bytes()).map(|hid| **hid) };
        value.map_err(|e| Error::unsupported(format!("libhdf5 lacks a variable: {e}")))
    }
}

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// The right to call libhdf5: while it lives no other thread does, by way of zarrc. Sessions of one
/// thread may nest.
pub struct Session {
    /// The library.
    pub lib: &'static Hdf5,
    outermost: Option<Outermost>,
    _not_sent: PhantomData<*const ()>,
}

struct Outermost {
    printer: Printer,
    data: *mut c_void,
    _lock: MutexGuard<'static, ()>,
}

/// Loads libhdf5, should it not be, and waits until no other thread is in it.
/// [`Kind::Unsupported`]: it is not installed.
pub fn session() -> Result<Session> {
    static LIBRARY: Lazy<Result<Hdf5>> = Lazy::new(Hdf5::load);
    static LOCK: Own<Mutex<()>> = Own::new();
    let nested = DEPTH.get() > 0;
    let lock = (!nested).then(|| LOCK.get().lock().unwrap_or_else(PoisonError::into_inner));
    let lib = LIBRARY.as_ref().map_err(Clone::clone)?;
    let outermost = lock.map(|lock| {
        let (mut printer, mut data) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: two pointers to write to; 0 is the stack of errors of this thread.
        unsafe {
            (lib.f.H5Eget_auto2)(0, &mut printer, &mut data);
            (lib.f.H5Eset_auto2)(0, std::ptr::null_mut(), std::ptr::null_mut());
        }
        Outermost { printer, data, _lock: lock }
    });
    DEPTH.set(DEPTH.get() + 1);
    Ok(Session { lib, outermost, _not_sent: PhantomData })
}

impl Drop for Session {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
        if let Some(outermost) = &self.outermost {
            // SAFETY: what was there before.
            unsafe { (self.lib.f.H5Eset_auto2)(0, outermost.printer, outermost.data) };
        }
    }
}

impl Session {
    /// The number that a function gave, or its error.
    pub fn check<T: PartialOrd + Default>(&self, result: T, doing: &str) -> Result<T> {
        if result >= T::default() {
            return Ok(result);
        }
        Err(self.error(doing))
    }

    /// The error of the last call.
    #[cold]
    pub fn error(&self, doing: &str) -> Error {
        unsafe extern "C" fn first(_: c_uint, line: *const ErrorLine, out: *mut c_void) -> c_int {
            // SAFETY: libhdf5 gives a line, and hands the text on that was given to it below.
            unsafe {
                let out = &mut *out.cast::<String>();
                if let Some(line) = line.as_ref()
                    && out.is_empty()
                    && !line.text.is_null()
                {
                    *out = CStr::from_ptr(line.text).to_string_lossy().into_owned();
                }
            }
            0
        }
        let mut text = String::new();
        // SAFETY: `first` is given what it expects; 0: from the innermost function on.
        unsafe { (self.lib.f.H5Ewalk2)(0, 0, first, (&raw mut text).cast()) };
        let why = if text.is_empty() { "libhdf5 does not say why" } else { &text };
        let kind = if doing.starts_with("writing") { Kind::Io } else { Kind::CorruptData };
        Error::new(kind, format!("{doing}: HDF5: {why}"))
    }
}
