//! Custom stores.

use super::options::zarrc_options;
use super::status::*;
use super::store::zarrc_store;
use super::{Out, guard, guard_value, handle, null, string};
use crate::error::{Error, Kind, Result};
use crate::hierarchy::Hierarchy;
use crate::store::{CustomValues, Key, Options, custom};
use std::ffi::{CString, c_char, c_void};
use std::sync::Arc;

/// Appends bytes to the value that a callback returns. Provided by zarrc.
///
/// @param to     the pointer that the callback received.
/// @param bytes  the bytes. Copied.
/// @param size   their number.
/// @return true; false if memory is exhausted: the callback may then return any status.
pub type zarrc_give_bytes =
    Option<unsafe extern "C" fn(to: *mut c_void, bytes: *const c_void, size: usize) -> bool>;

/// Adds a key to the list that a callback returns. Provided by zarrc.
///
/// @param to   the pointer that the callback received.
/// @param key  the key. Copied.
/// @return true to continue; false if no more keys are needed.
pub type zarrc_give_key = Option<unsafe extern "C" fn(to: *mut c_void, key: *const c_char) -> bool>;

/// The functions of a store that the program implements. Zero the struct, then set `size`, `get`
/// and whatever else the store supports. A NULL member is emulated with the other callbacks where
/// possible: `get` alone makes a read-only store.
///
/// zarrc passes `user` to each callback, and calls them from any number of threads at once, the
/// program's and its own. Keys are valid: segments joined by "/", none of them empty, "." or "..".
/// A callback returns ZARRC_OK, ZARRC_NOT_FOUND if the key does not exist, or another status, for
/// which it may fill `err->message` and `err->system_code`; the message becomes part of the
/// caller's error. A callback must not throw, longjmp or call zarrc functions on the same store.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct zarrc_store_callbacks {
    /// sizeof(zarrc_store_callbacks) in the header that the program was compiled with. Later
    /// members are NULL.
    pub size: usize,
    /// Passed to every callback.
    pub user: *mut c_void,
    /// The store's name in messages; NULL: "a store of the program". Copied.
    pub name: *const c_char,
    /// How many calls may run at once, for stores that wait for a network; 0: the number of
    /// threads.
    pub concurrency: usize,
    /// Frees `user`. Called once, when the last handle that uses the store is closed. May be NULL.
    pub destroy: Option<unsafe extern "C" fn(user: *mut c_void)>,
    /// Reads the whole value of `key` and passes it to give(to, bytes, size), in one or several
    /// pieces. Required.
    pub get: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            key: *const c_char,
            give: zarrc_give_bytes,
            to: *mut c_void,
            err: *mut zarrc_error,
        ) -> zarrc_status,
    >,
    /// Returns the length of the value (bytes), and a version number that changes whenever the
    /// value is set. NULL: zarrc reads and hashes the value instead, and always reads values whole.
    pub stat: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            key: *const c_char,
            length: *mut u64,
            version: *mut u64,
            err: *mut zarrc_error,
        ) -> zarrc_status,
    >,
    /// Reads `length` bytes of the value from `offset` on; the range lies within the length that
    /// `stat` returned. Used only if `stat` is set. NULL: zarrc uses `get`.
    pub get_range: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            key: *const c_char,
            offset: u64,
            length: u64,
            give: zarrc_give_bytes,
            to: *mut c_void,
            err: *mut zarrc_error,
        ) -> zarrc_status,
    >,
    /// Replaces the value of `key` atomically: a concurrent `get` sees the old or the new value.
    /// NULL: the store is read-only.
    pub set: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            key: *const c_char,
            value: *const c_void,
            size: usize,
            err: *mut zarrc_error,
        ) -> zarrc_status,
    >,
    /// Deletes `key`. NULL: deleting fails with ZARRC_UNSUPPORTED.
    pub erase: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            key: *const c_char,
            err: *mut zarrc_error,
        ) -> zarrc_status,
    >,
    /// Passes every key that begins with `prefix` to give(to, key), in any order. NULL: groups
    /// cannot be listed or deleted.
    pub list: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            prefix: *const c_char,
            give: zarrc_give_key,
            to: *mut c_void,
            err: *mut zarrc_error,
        ) -> zarrc_status,
    >,
    /// Completes deferred writes. Called when the store is closed or flushed. May be NULL.
    pub flush:
        Option<unsafe extern "C" fn(user: *mut c_void, err: *mut zarrc_error) -> zarrc_status>,
}

struct Callbacks {
    table: zarrc_store_callbacks,
    name: String,
}

// SAFETY: the contract of the table: its functions may be called by any thread, with its user
// pointer.
unsafe impl Send for Callbacks {}
// SAFETY: as above.
unsafe impl Sync for Callbacks {}

/// Creates a store from functions of the program. The modes of zarrc_store_open() do not apply.
///
/// @param callbacks   the functions. Copied; `user` must live until `destroy` is called.
/// @param options     settings for the store and everything opened from it; NULL: the defaults.
///                    Copied.
/// @param[out] store  receives the store; close it with zarrc_store_close().
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `get` is NULL, or `size` is not the size of this
///         struct in any version of this header. `destroy` is not called in that case.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_store_from_callbacks(
    callbacks: *const zarrc_store_callbacks,
    options: *const zarrc_options,
    store: *mut *mut zarrc_store,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(store, "store")?;
        if callbacks.is_null() {
            return Err(null("callbacks"));
        }
        // SAFETY: every version of the table begins with its size.
        let size = unsafe { callbacks.cast::<usize>().read() };
        let most = size_of::<zarrc_store_callbacks>();
        // the first version of the table is the shortest
        if size < most || size % size_of::<usize>() != 0 {
            return Err(Error::invalid(format!(
                "callbacks->size {size}: expected sizeof(zarrc_store_callbacks), {most}"
            )));
        }
        // SAFETY: the caller's table is at least that long.
        let table = unsafe { *callbacks };
        if table.get.is_none() {
            return Err(Error::invalid("callbacks->get is NULL: it is required"));
        }
        let name = match table.name.is_null() {
            true => "a store of the program".to_owned(),
            // SAFETY: the caller's string.
            false => unsafe { string(table.name, "callbacks: name") }?.to_owned(),
        };
        // SAFETY: the caller's handle, or NULL.
        let options = unsafe { options.as_ref() }.map(|options| options.0.clone());
        let options = options.unwrap_or_else(Options::default);
        let opened = custom(Callbacks { table, name });
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_store(Arc::new(Hierarchy::new(opened, &options))))) };
        Ok(())
    })
}

impl Drop for Callbacks {
    fn drop(&mut self) {
        if let Some(destroy) = self.table.destroy {
            // SAFETY: the contract of the table; nobody uses it any more.
            unsafe { destroy(self.table.user) };
        }
    }
}

/// What a callback gives to.
struct Taker<'a> {
    out: &'a mut Vec<u8>,
    /// No more than this is taken.
    most: u64,
    failure: Option<Error>,
}

unsafe extern "C" fn take_bytes(to: *mut c_void, bytes: *const c_void, size: usize) -> bool {
    guard_value(false, || {
        // SAFETY: `to` is what `get` below handed over, and lives until the callback returns.
        let taker = unsafe { &mut *to.cast::<Taker<'_>>() };
        // SAFETY: the callback's memory.
        let bytes = unsafe { super::slice(bytes.cast::<u8>(), size, "bytes") };
        let taken = bytes.and_then(|bytes| {
            if size as u64 > taker.most {
                return Err(Error::new(Kind::Io, "a callback returned more bytes than requested"));
            }
            crate::source::reserve(taker.out, size)?;
            taker.out.extend_from_slice(bytes);
            taker.most -= size as u64;
            Ok(())
        });
        taken.map_err(|e| taker.failure = Some(e)).is_ok()
    })
}

struct KeyTaker<'a> {
    each: &'a mut dyn FnMut(&str) -> Result<()>,
    failure: Option<Error>,
}

unsafe extern "C" fn take_key(to: *mut c_void, key: *const c_char) -> bool {
    guard_value(false, || {
        // SAFETY: as in `take_bytes`.
        let taker = unsafe { &mut *to.cast::<KeyTaker<'_>>() };
        // SAFETY: the callback's string.
        let key = unsafe { string(key, "key") };
        let taken = key.and_then(|key| (taker.each)(key));
        taken.map_err(|e| taker.failure = Some(e)).is_ok()
    })
}

/// Calls a callback; `false`: it says that there is no such key.
pub(super) fn call(callback: impl FnOnce(*mut zarrc_error) -> zarrc_status) -> Result<bool> {
    let mut error = zarrc_error { status: 0, system_code: 0, message: [0; MESSAGE] };
    let status = callback(&mut error);
    let kind = match status {
        ZARRC_OK => return Ok(true),
        ZARRC_NOT_FOUND => return Ok(false),
        ZARRC_INVALID_ARGUMENT => Kind::InvalidArgument,
        ZARRC_OUT_OF_BOUNDS => Kind::OutOfBounds,
        ZARRC_ALREADY_EXISTS => Kind::AlreadyExists,
        ZARRC_INVALID_METADATA => Kind::InvalidMetadata,
        ZARRC_CORRUPT_DATA => Kind::CorruptData,
        ZARRC_UNSUPPORTED => Kind::Unsupported,
        ZARRC_TYPE_MISMATCH => Kind::TypeMismatch,
        ZARRC_PERMISSION_DENIED => Kind::PermissionDenied,
        ZARRC_CONFLICT => Kind::Conflict,
        ZARRC_LIMIT_EXCEEDED => Kind::LimitExceeded,
        ZARRC_CANCELLED => Kind::Cancelled,
        ZARRC_OUT_OF_MEMORY => Kind::OutOfMemory,
        _ => Kind::Io,
    };
    let message: Vec<u8> =
        error.message.iter().map(|&c| c as u8).take_while(|&byte| byte != 0).collect();
    let message = match message.is_empty() {
        true => format!("a callback returned status {status}"),
        false => String::from_utf8_lossy(&message).into_owned(),
    };
    Err(Error::new(kind, message).with_system_code(error.system_code))
}

impl Callbacks {
    fn key(key: &Key) -> CString {
        CString::new(key.as_str()).unwrap_or_default() // a key holds no NUL
    }

    /// Lets a callback give bytes, `most` of them; `false`: there is no such key.
    fn take(
        &self,
        out: &mut Vec<u8>,
        most: u64,
        callback: impl FnOnce(*mut c_void, *mut zarrc_error) -> zarrc_status,
    ) -> Result<bool> {
        let start = out.len();
        let mut taker = Taker { out, most, failure: None };
        let to = (&raw mut taker).cast::<c_void>();
        let there = call(|err| callback(to, err));
        if let Some(failure) = taker.failure {
            return Err(failure);
        }
        if !matches!(there, Ok(true)) {
            out.truncate(start);
        }
        there
    }
}

impl CustomValues for Callbacks {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn concurrency(&self) -> usize {
        self.table.concurrency.max(1)
    }

    fn read_only(&self) -> bool {
        self.table.set.is_none()
    }

    fn get(&self, key: &Key, out: &mut Vec<u8>) -> Result<bool> {
        let get = self.table.get.ok_or_else(|| null("get"))?;
        let key = Self::key(key);
        self.take(out, u64::MAX, |to, err| {
            // SAFETY: the contract of the table; all that is handed over lives until it returns.
            unsafe { get(self.table.user, key.as_ptr(), Some(take_bytes), to, err) }
        })
    }

    fn get_range(
        &self,
        key: &Key,
        offset: u64,
        length: u64,
        out: &mut Vec<u8>,
    ) -> Option<Result<bool>> {
        let get_range = self.table.get_range?;
        let key = Self::key(key);
        Some(self.take(out, length, |to, err| {
            let (user, key) = (self.table.user, key.as_ptr());
            // SAFETY: as in `get`.
            unsafe { get_range(user, key, offset, length, Some(take_bytes), to, err) }
        }))
    }

    fn stat(&self, key: &Key) -> Option<Result<Option<(u64, u64)>>> {
        let stat = self.table.stat?;
        let key = Self::key(key);
        let (mut length, mut version) = (0, 0);
        // SAFETY: as in `get`.
        let there = call(|err| unsafe {
            stat(self.table.user, key.as_ptr(), &mut length, &mut version, err)
        });
        Some(there.map(|there| there.then_some((length, version))))
    }

    fn set(&self, key: &Key, value: &[u8]) -> Result<()> {
        let set = self.table.set.ok_or_else(|| null("set"))?;
        let key = Self::key(key);
        let (user, bytes) = (self.table.user, value.as_ptr().cast());
        // SAFETY: as in `get`.
        let done = call(|err| unsafe { set(user, key.as_ptr(), bytes, value.len(), err) })?;
        let missing = || Error::new(Kind::Io, "callback `set` returned ZARRC_NOT_FOUND");
        done.then_some(()).ok_or_else(missing)
    }

    fn erase(&self, key: &Key) -> Option<Result<bool>> {
        let erase = self.table.erase?;
        let key = Self::key(key);
        // SAFETY: as in `get`.
        Some(call(|err| unsafe { erase(self.table.user, key.as_ptr(), err) }))
    }

    fn list(&self, prefix: &str, each: &mut dyn FnMut(&str) -> Result<()>) -> Option<Result<()>> {
        let list = self.table.list?;
        let prefix = CString::new(prefix).unwrap_or_default(); // checked, as a key is
        let mut taker = KeyTaker { each, failure: None };
        let to = (&raw mut taker).cast::<c_void>();
        // SAFETY: as in `get`.
        let listed =
            call(|err| unsafe { list(self.table.user, prefix.as_ptr(), Some(take_key), to, err) });
        Some(match taker.failure {
            Some(failure) => Err(failure),
            None => listed.map(|_| ()),
        })
    }

    fn flush(&self) -> Result<()> {
        let Some(flush) = self.table.flush else { return Ok(()) };
        // SAFETY: as in `get`.
        call(|err| unsafe { flush(self.table.user, err) }).map(|_| ())
    }
}
