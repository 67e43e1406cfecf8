//! Stores.

use super::options::zarrc_options;
use super::status::{zarrc_error, zarrc_status};
use super::{Out, guard, guard_value, handle, object, slice, string, take};
use crate::error::{Context, Error, Kind, Result};
use crate::hierarchy::Hierarchy;
use crate::source::ByteSource;
use crate::store::{self, Key, Mode, Options, Precondition, Store};
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// An open store: values under keys. Any number of threads may use it at once.
pub struct zarrc_store(pub(super) Arc<Hierarchy>);

/// How to open a store: one of the constants below.
pub type zarrc_mode = i32;

/// Read only; the store must exist (h5py "r").
pub const ZARRC_READ: zarrc_mode = 0;
/// Read and write; the store must exist (h5py "r+").
pub const ZARRC_READ_WRITE: zarrc_mode = 1;
/// Read and write; creates a missing store (h5py "a").
pub const ZARRC_APPEND: zarrc_mode = 2;
/// Creates a store; it must not exist (h5py "w-").
pub const ZARRC_CREATE: zarrc_mode = 3;
/// Creates a store; deletes an existing one first (h5py "w").
pub const ZARRC_OVERWRITE: zarrc_mode = 4;

pub(super) fn mode(mode: zarrc_mode) -> Result<Mode> {
    Ok(match mode {
        ZARRC_READ => Mode::Read,
        ZARRC_READ_WRITE => Mode::ReadWrite,
        ZARRC_APPEND => Mode::Append,
        ZARRC_CREATE => Mode::Create,
        ZARRC_OVERWRITE => Mode::Overwrite,
        _ => {
            return Err(Error::invalid(format!(
                "mode {mode}: expected a ZARRC_ mode, such as \
            ZARRC_READ"
            )));
        }
    })
}

/// Opens a store.
///
/// A URL is a path ("data/run1.zarr", absolute or relative), "file:PATH", "file:///absolute/path"
/// (percent-encoded), "memory:" (a new store), "memory:NAME" (shared within the process while a
/// handle is open) or has another scheme such as "s3:" or "https:". A path may also name a file:
/// zip files and SQLite databases are recognised by their content. Adapters follow a pipe:
/// "data/x.zip|zip:a/b". docs/stores.md lists all schemes and adapters.
///
/// @param url         where the store is.
/// @param mode        a ZARRC_ mode, such as ZARRC_READ.
/// @param options     settings for the store and everything opened from it; NULL: the defaults.
///                    Copied: may be freed after the call.
/// @param[out] store  receives the store; close it with zarrc_store_close().
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the mode requires an existing store; ZARRC_ALREADY_EXISTS:
///         the mode requires a new store, or ZARRC_OVERWRITE would delete a directory that is not a
///         Zarr store; ZARRC_UNSUPPORTED: this build lacks the scheme; ZARRC_INVALID_ARGUMENT;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_store_open(
    url: *const c_char,
    mode: zarrc_mode,
    options: *const zarrc_options,
    store: *mut *mut zarrc_store,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(store, "store")?;
        // SAFETY: the caller's string and handle; NULL options are the defaults.
        let (url, options) = unsafe { (string(url, "url")?, options.as_ref()) };
        let mode = self::mode(mode)?;
        let defaults;
        let options = match options {
            Some(options) => &options.0,
            None => {
                defaults = Options::default();
                &defaults
            }
        };
        let opened = store::open(url, mode, options)?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_store(Arc::new(Hierarchy::new(opened, options))))) };
        Ok(())
    })
}

/// Closes a store. Nodes opened from it remain usable. The handle is invalid after the call, even
/// if the call fails.
///
/// @param store  the store; may be NULL.
/// @return ZARRC_OK; ZARRC_IO or ZARRC_CONFLICT: a deferred write failed, such as the directory of
///         a zip file.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_store_close(
    store: *mut zarrc_store,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle, not used any more.
        unsafe { take(store) }.map_or(Ok(()), |store| store.0.close())
    })
}

fn no_key(store: &dyn Store, key: &Key) -> Error {
    Error::new(Kind::NotFound, format!("store {} has no key {key}", store.name()))
}

/// Hands a value out.
///
/// SAFETY: both places are good for writing.
unsafe fn give(value: Vec<u8>, to: Out<*mut u8>, size: Out<usize>) {
    let value = Box::leak(value.into_boxed_slice());
    // SAFETY: as promised.
    unsafe {
        size.set(value.len());
        to.set(value.as_mut_ptr());
    }
}

/// Reads the value of a key, as stored.
///
/// @param store       the store.
/// @param key         segments joined by "/"; no segment may be empty, "." or "..".
/// @param[out] value  receives the value; free it with zarrc_value_free().
/// @param[out] size   receives its length (bytes).
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the key does not exist; ZARRC_INVALID_ARGUMENT;
///         ZARRC_OUT_OF_MEMORY; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_store_get(
    store: *const zarrc_store,
    key: *const c_char,
    value: *mut *mut u8,
    size: *mut usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let (to, len) = (Out::new(value, "value")?, Out::new(size, "size")?);
        // SAFETY: the caller's handle and string.
        let (store, key) = unsafe { (object(store, "store")?, string(key, "key")?) };
        let (store, key) = (store.0.store(), Key::parse(key)?);
        let mut bytes = Vec::new();
        store.get(&key, &mut bytes)?.ok_or_else(|| no_key(&**store, &key))?;
        // SAFETY: checked above.
        unsafe { give(bytes, to, len) };
        Ok(())
    })
}

/// Reads a byte range of the value of a key: at most `length` bytes, fewer if the value ends
/// earlier.
///
/// @param store       the store.
/// @param key         segments joined by "/"; no segment may be empty, "." or "..".
/// @param offset      where the range starts (bytes).
/// @param length      the length of the range (bytes); UINT64_MAX: to the end of the value.
/// @param[out] value  receives the bytes; free them with zarrc_value_free().
/// @param[out] size   receives their number.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the key does not exist; ZARRC_OUT_OF_BOUNDS: `offset` lies
///         beyond the end of the value; ZARRC_INVALID_ARGUMENT; ZARRC_OUT_OF_MEMORY;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_store_get_range(
    store: *const zarrc_store,
    key: *const c_char,
    offset: u64,
    length: u64,
    value: *mut *mut u8,
    size: *mut usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let (to, len) = (Out::new(value, "value")?, Out::new(size, "size")?);
        // SAFETY: the caller's handle and string.
        let (store, key) = unsafe { (object(store, "store")?, string(key, "key")?) };
        let (store, key) = (store.0.store(), Key::parse(key)?);
        let bytes = read_range(&*store.source(&key), offset, length)
            .at(|| format!("key {key} of store {}", store.name()))?;
        let bytes = bytes.ok_or_else(|| no_key(&**store, &key))?;
        // SAFETY: checked above.
        unsafe { give(bytes, to, len) };
        Ok(())
    })
}

fn read_range(source: &dyn ByteSource, offset: u64, length: u64) -> Result<Option<Vec<u8>>> {
    let Some(total) = source.len()? else { return Ok(None) };
    if offset > total {
        return Err(Error::new(
            Kind::OutOfBounds,
            format!("offset {offset} lies beyond the end of the value ({total} bytes)"),
        ));
    }
    let length = length.min(total - offset);
    let mut bytes = Vec::new();
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    bytes.try_reserve_exact(length).map_err(|_| crate::exec::out_of_memory(length))?;
    bytes.resize(length, 0);
    Ok(source.read_at(offset, &mut bytes)?.then_some(bytes))
}

/// Sets the value of a key atomically: readers see the old value or the new one, also after a crash
/// of this process.
///
/// @param store  the store.
/// @param key    segments joined by "/"; no segment may be empty, "." or "..".
/// @param value  the new value; may be NULL if `size` is 0.
/// @param size   its length (bytes).
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED: also a store opened with
///         ZARRC_READ; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_store_set(
    store: *mut zarrc_store,
    key: *const c_char,
    value: *const c_void,
    size: usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle, string and memory.
        let (store, key, value) = unsafe {
            (
                object(store, "store")?,
                string(key, "key")?,
                slice(value.cast::<u8>(), size, "value")?,
            )
        };
        store.0.store().set(&Key::parse(key)?, &[value], &Precondition::None)
    })
}

/// Deletes a key and its value.
///
/// @param store  the store.
/// @param key    segments joined by "/"; no segment may be empty, "." or "..".
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the key does not exist; ZARRC_UNSUPPORTED: the store cannot
///         delete; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_store_erase(
    store: *mut zarrc_store,
    key: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and string.
        let (store, key) = unsafe { (object(store, "store")?, string(key, "key")?) };
        let (store, key) = (store.0.store(), Key::parse(key)?);
        match store.erase(&key, &Precondition::None)? {
            true => Ok(()),
            false => Err(no_key(&**store, &key)),
        }
    })
}

/// Deletes every key that begins with a prefix. Succeeds if there are none.
///
/// @param store   the store.
/// @param prefix  must end in "/", or be empty to delete all keys.
/// @return ZARRC_OK; ZARRC_UNSUPPORTED: the store cannot list or delete; ZARRC_INVALID_ARGUMENT;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_store_erase_prefix(
    store: *mut zarrc_store,
    prefix: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and string.
        let (store, prefix) = unsafe { (object(store, "store")?, string(prefix, "prefix")?) };
        store::check_prefix(prefix)?;
        store.0.store().erase_prefix(prefix)
    })
}

/// Drops what the store caches of the values whose keys begin with a prefix, so that they are read
/// again: values that a caching adapter (cache:, simplecache:) holds, and consolidated metadata.
///
/// @param store   the store.
/// @param prefix  must end in "/", or be empty for all keys.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_store_forget(
    store: *mut zarrc_store,
    prefix: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and string.
        let (store, prefix) = unsafe { (object(store, "store")?, string(prefix, "prefix")?) };
        store::check_prefix(prefix)?;
        store.0.forget(prefix)
    })
}

/// Frees a value that zarrc_store_get() or zarrc_store_get_range() returned.
///
/// @param value  the value; may be NULL.
/// @param size   its length (bytes), as returned with it.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_value_free(value: *mut u8, size: usize) {
    guard_value((), || {
        if !value.is_null() {
            // SAFETY: such values are leaked boxes of that length.
            drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(value, size)) });
        }
    });
}
