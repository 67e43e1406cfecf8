//! Options.

use super::status::{free, zarrc_error, zarrc_status};
use super::{guard, guard_value, handle, object_mut, string};
use crate::store::Options;
use std::ffi::c_char;

/// Settings for stores, given as strings. zarrc_build_info() and docs/stores.md list all of them:
/// "threads", "follow_symlinks", "sync", "consolidated", "write_empty_chunks", "chunk_cache",
/// "write_buffer", "queue_bytes", "ignore_checksums", "unknown_codecs" and others.
///
/// One thread at a time may set options; any number of stores may be opened with them.
pub struct zarrc_options(pub(super) Options);

/// Creates options with every setting at its default.
///
/// @return the options; free them with zarrc_options_free(). NULL if memory is exhausted.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn zarrc_options_new() -> *mut zarrc_options {
    guard_value(std::ptr::null_mut(), || handle(zarrc_options(Options::default())))
}

/// Sets one option. zarrc_build_info() and docs/stores.md list names, values and defaults.
///
/// @param options  the options to change.
/// @param name     the option's name.
/// @param value    its value, as text.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: the option does not exist (the message suggests the
///         nearest name) or does not accept the value (the message lists the accepted ones).
/// @since 0.1.0
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

/// Frees options. Stores that were opened with them are not affected.
///
/// @param options  the options; may be NULL.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_options_free(options: *mut zarrc_options) {
    free(options);
}
