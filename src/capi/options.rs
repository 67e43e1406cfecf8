//! Options.

use super::status::{free, zarrc_error, zarrc_status};
use super::{guard, guard_value, handle, object_mut, string};
use crate::store::Options;
use std::ffi::c_char;

/// Named settings, given as strings; zarrc_build_info() says what each does and takes: "threads",
/// "follow_symlinks", "sync", "consolidated", "write_empty_chunks", "chunk_cache", "write_buffer",
/// "queue_bytes", "ignore_checksums", "unknown_codecs" and others.
/// Built by one thread; may be used for any number of stores.
pub struct zarrc_options(pub(super) Options);

/// New options, everything at its default. NULL only if there is no memory.
#[unsafe(no_mangle)]
pub extern "C" fn zarrc_options_new() -> *mut zarrc_options {
    guard_value(std::ptr::null_mut(), || handle(zarrc_options(Options::default())))
}

/// Sets one option.
///
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: there is no such option (the message names the
///         nearest one), or it takes no such value (the message says which).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_options_set(
    options: *mut zarrc_options,
    name: *const c_char,
    value: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and strings.
        let (options, name, value) = unsafe {
            (object_mut(options, "options")?, string(name, "name")?, string(value, "value")?)
        };
        options.0.set(name, value)
    })
}

/// Frees options. NULL is accepted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_options_free(options: *mut zarrc_options) {
    free(options);
}
