//! The C interface: every function checks its arguments, calls the layers below and translates
//! the result. No decisions are taken here. include/zarrc.h is generated from these files, in
//! this order, and their comments are its manual.
#![allow(non_camel_case_types)] // C's names
#![allow(unsafe_code)] // the C API boundary: pointers come in here alone
#![allow(rustdoc::broken_intra_doc_links)] // @param[out] is for Doxygen
#![allow(clippy::missing_safety_doc)] // said once, at the head of zarrc.h

pub mod status;

pub mod data_type;

pub mod options;

pub mod progress;

pub mod store;

pub mod transaction;

pub mod callbacks;

pub mod attributes;

pub mod attribute_values;

pub mod group;

pub mod spec;

pub mod array;

pub mod array_properties;

pub mod io;

pub mod vlen;

pub mod extent;

pub mod selection;

pub mod selection_io;

pub mod request;

pub mod writer;

pub mod codec;

pub mod inspect;

pub mod convert;

pub mod operations;

pub mod hdf5;

use crate::error::{Error, Kind, Result};
use crate::fork::Lazy;
use std::cell::Cell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use status::{ZARRC_OK, zarrc_error, zarrc_status};

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Runs the body of an exported function: errors and panics become a status, and `err` is filled
/// where there is one. Nothing is printed.
fn guard(err: *mut zarrc_error, body: impl FnOnce() -> Result<()>) -> zarrc_status {
    match quietly(body) {
        Ok(Ok(())) => ZARRC_OK,
        Ok(Err(error)) => status::report(err, &error),
        Err(panic) => {
            let text = panic
                .downcast_ref::<&str>()
                .map(|s| (*s).to_owned())
                .or_else(|| panic.downcast_ref::<String>().cloned())
                .unwrap_or_default();
            status::report(err, &Error::new(Kind::Internal, format!("a bug in zarrc: {text}")))
        }
    }
}

/// The same for functions that return a value instead of a status; `fallback` after a panic.
fn guard_value<T>(fallback: T, body: impl FnOnce() -> T) -> T {
    quietly(body).unwrap_or(fallback)
}

fn quietly<T>(body: impl FnOnce() -> T) -> std::thread::Result<T> {
    static HOOK: Lazy<()> = Lazy::new(|| {
        let others = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let ours = INSIDE.try_with(Cell::get).unwrap_or(true);
            if !ours && std::thread::current().name() != Some("zarrc") {
                others(info);
            }
        }));
    });
    let () = *HOOK;
    let before = INSIDE.try_with(|inside| inside.replace(true)).unwrap_or(true);
    let result = catch_unwind(AssertUnwindSafe(body));
    let _ = INSIDE.try_with(|inside| inside.set(before));
    result
}

fn null(name: &str) -> Error {
    Error::invalid(format!("{name} is NULL"))
}

/// The object that a handle stands for.
///
/// SAFETY: `handle` is NULL or came from this library and has not been closed.
unsafe fn object<'a, T>(handle: *const T, name: &str) -> Result<&'a T> {
    // SAFETY: as promised.
    unsafe { handle.as_ref() }.ok_or_else(|| null(name))
}

/// The object behind a handle that is being built by one thread.
///
/// SAFETY: as for [`object`], and nobody else uses it during the call.
unsafe fn object_mut<'a, T>(handle: *mut T, name: &str) -> Result<&'a mut T> {
    // SAFETY: as promised.
    unsafe { handle.as_mut() }.ok_or_else(|| null(name))
}

/// A string argument.
///
/// SAFETY: `text` is NULL or NUL-terminated.
unsafe fn string<'a>(text: *const c_char, name: &str) -> Result<&'a str> {
    if text.is_null() {
        return Err(null(name));
    }
    // SAFETY: as promised.
    let bytes = unsafe { CStr::from_ptr(text) };
    bytes.to_str().map_err(|_| Error::invalid(format!("{name} is not UTF-8")))
}

/// An array argument of `len` elements.
///
/// SAFETY: `start` is NULL or good for reading that many.
unsafe fn slice<'a, T>(start: *const T, len: usize, name: &str) -> Result<&'a [T]> {
    if len == 0 {
        return Ok(&[]);
    }
    if start.is_null() {
        return Err(null(name));
    }
    if len.checked_mul(size_of::<T>()).is_none_or(|n| n > isize::MAX as usize) {
        return Err(Error::invalid(format!("{name} cannot have {len} elements")));
    }
    // SAFETY: as promised.
    Ok(unsafe { std::slice::from_raw_parts(start, len) })
}

/// Memory for `len` results.
///
/// SAFETY: `start` is NULL or good for writing that many.
unsafe fn room<'a, T>(start: *mut T, len: usize, name: &str) -> Result<&'a mut [T]> {
    // SAFETY: as promised; what is looked at is only its length and its address.
    unsafe { slice(start.cast_const(), len, name)? };
    match len {
        0 => Ok(&mut []),
        // SAFETY: as promised, and checked for NULL.
        _ => Ok(unsafe { std::slice::from_raw_parts_mut(start, len) }),
    }
}

/// A struct of options as this version knows it, called `name`: members past the size that its
/// first member says are zero, and all of them are where there is none.
///
/// SAFETY: `T` begins with a `usize`, and all its members may be zero; `options` is NULL or points
/// at as many bytes as that first member says.
unsafe fn options_struct<T: Copy>(options: *const T, name: &str) -> Result<T> {
    // SAFETY: as promised.
    let mut known: T = unsafe { std::mem::zeroed() };
    if options.is_null() {
        return Ok(known);
    }
    // SAFETY: as promised.
    let size = unsafe { options.cast::<usize>().read() };
    if size <= size_of::<usize>() {
        return Err(Error::invalid(format!("options->size {size}: expected sizeof({name})")));
    }
    let size = size.min(size_of::<T>());
    // SAFETY: no more is copied than both sides have.
    unsafe {
        std::ptr::copy_nonoverlapping(options.cast::<u8>(), (&raw mut known).cast::<u8>(), size);
    }
    Ok(known)
}

/// Where a result goes, checked before the work is begun.
struct Out<T>(*mut T);

impl<T> Out<T> {
    fn new(place: *mut T, name: &str) -> Result<Self> {
        if place.is_null() { Err(null(name)) } else { Ok(Out(place)) }
    }

    /// SAFETY: the place is good for writing a `T`.
    unsafe fn set(self, value: T) {
        // SAFETY: as promised.
        unsafe { self.0.write(value) }
    }
}

/// A string for the caller to keep.
fn owned_string(text: impl Into<Vec<u8>>, what: &str) -> Result<*mut c_char> {
    CString::new(text).map(CString::into_raw).map_err(|_| {
        Error::new(
            Kind::TypeMismatch,
            format!(
                "{what} contains a NUL character, which a C string \
            cannot express"
            ),
        )
    })
}

/// Hands an object out as a handle.
fn handle<T>(object: T) -> *mut T {
    Box::into_raw(Box::new(object))
}

/// Takes a handle back; `None` for NULL.
///
/// SAFETY: `handle` is NULL or came from [`handle`] and is not used any more.
unsafe fn take<T>(handle: *mut T) -> Option<Box<T>> {
    // SAFETY: as promised.
    (!handle.is_null()).then(|| unsafe { Box::from_raw(handle) })
}

/// Writes extents out.
///
/// SAFETY: `to` is NULL or good for writing `rank` numbers.
unsafe fn give_extents(extents: &[u64], rank: usize, to: *mut u64, name: &str) -> Result<()> {
    if rank != extents.len() {
        return Err(Error::invalid(format!("rank {rank}: expected {}", extents.len())));
    }
    if rank > 0 {
        Out::new(to, name)?;
        // SAFETY: as promised; the two do not overlap, one is ours.
        unsafe { std::ptr::copy_nonoverlapping(extents.as_ptr(), to, rank) };
    }
    Ok(())
}
