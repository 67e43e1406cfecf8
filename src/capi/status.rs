//! Status and errors.

use super::{Out, guard, owned_string, take};
use crate::error::Error;
use std::ffi::{CString, c_char};

/// The outcome of a call: ZARRC_OK or one of the constants below. Later versions may add constants.
pub type zarrc_status = i32;

/// Success.
pub const ZARRC_OK: zarrc_status = 0;
/// The caller passed a wrong argument: a NULL, a wrong rank or size, an unknown constant. The
/// message names the argument.
pub const ZARRC_INVALID_ARGUMENT: zarrc_status = 1;
/// The selection leaves the array, or the range leaves the value.
pub const ZARRC_OUT_OF_BOUNDS: zarrc_status = 2;
/// The store, node, key or attribute does not exist.
pub const ZARRC_NOT_FOUND: zarrc_status = 3;
/// The store, node or name exists already.
pub const ZARRC_ALREADY_EXISTS: zarrc_status = 4;
/// The metadata document breaks its specification.
pub const ZARRC_INVALID_METADATA: zarrc_status = 5;
/// A chunk does not decode to what the metadata describes.
pub const ZARRC_CORRUPT_DATA: zarrc_status = 6;
/// Valid, but this build, format or store cannot do it. The message names what is missing.
pub const ZARRC_UNSUPPORTED: zarrc_status = 7;
/// The types cannot be converted, or a value does not fit the other type.
pub const ZARRC_TYPE_MISMATCH: zarrc_status = 8;
/// The store is read-only, or the system denied access.
pub const ZARRC_PERMISSION_DENIED: zarrc_status = 9;
/// The file system, network or database failed; zarrc_error.system_code may say how.
pub const ZARRC_IO: zarrc_status = 10;
/// Another writer kept changing the same value.
pub const ZARRC_CONFLICT: zarrc_status = 11;
/// A limit of size, depth or memory is exceeded.
pub const ZARRC_LIMIT_EXCEEDED: zarrc_status = 12;
/// The call or request was cancelled.
pub const ZARRC_CANCELLED: zarrc_status = 13;
/// The system has no more memory.
pub const ZARRC_OUT_OF_MEMORY: zarrc_status = 14;
/// A bug in zarrc, caught before it could harm the caller.
pub const ZARRC_INTERNAL: zarrc_status = 15;

pub(super) const MESSAGE: usize = 1016;

/// Why a call failed. The caller owns it (usually on the stack); nothing to free. Written only if a
/// call fails.
#[repr(C)]
pub struct zarrc_error {
    /// The status that the call returned.
    pub status: zarrc_status,
    /// The errno or HTTP status that caused the error; 0 if there is none.
    pub system_code: i32,
    /// One line of UTF-8, NUL-terminated: the store, node, key and chunk concerned, the reason, and
    /// a remedy if there is one. A message that is too long is shortened in the middle, marked by
    /// an ellipsis. Control characters in names are escaped ("\\n").
    pub message: [c_char; 1016],
}

pub(super) fn report(err: *mut zarrc_error, error: &Error) -> zarrc_status {
    let status = error.kind() as zarrc_status;
    // SAFETY: NULL, or the caller's own error.
    if let Some(err) = unsafe { err.as_mut() } {
        let text = error.to_string();
        let (head, tail) = fitting(&text, MESSAGE - 1);
        let gap = if tail.is_empty() { "" } else { ELLIPSIS };
        err.status = status;
        err.system_code = error.system_code();
        for (to, from) in err
            .message
            .iter_mut()
            .zip(head.bytes().chain(gap.bytes()).chain(tail.bytes()).chain([0]))
        {
            *to = from as c_char;
        }
    }
    status
}

const ELLIPSIS: &str = " … ";

/// The beginning and the end of `text`, which have at most `room` bytes with an ellipsis in
/// between; no end where all of it fits. Messages are built from the outside in: names stand first
/// and may be long, the reason stands at the end.
fn fitting(text: &str, room: usize) -> (&str, &str) {
    if text.len() <= room {
        return (text, "");
    }
    let room = room - ELLIPSIS.len();
    let head = (0..=room / 3).rev().find(|&n| text.is_char_boundary(n)).unwrap_or(0);
    let from = text.len() - (room - head);
    let tail = (from..=text.len()).find(|&n| text.is_char_boundary(n)).unwrap_or(text.len());
    (&text[..head], &text[tail..])
}

/// Returns the name of a status, such as "ZARRC_NOT_FOUND".
///
/// @param status  a status; may be any number.
/// @return a static string, never NULL; "unknown status" if `status` is not a ZARRC_ status.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn zarrc_status_name(status: zarrc_status) -> *const c_char {
    let name = match status {
        ZARRC_OK => c"ZARRC_OK",
        ZARRC_INVALID_ARGUMENT => c"ZARRC_INVALID_ARGUMENT",
        ZARRC_OUT_OF_BOUNDS => c"ZARRC_OUT_OF_BOUNDS",
        ZARRC_NOT_FOUND => c"ZARRC_NOT_FOUND",
        ZARRC_ALREADY_EXISTS => c"ZARRC_ALREADY_EXISTS",
        ZARRC_INVALID_METADATA => c"ZARRC_INVALID_METADATA",
        ZARRC_CORRUPT_DATA => c"ZARRC_CORRUPT_DATA",
        ZARRC_UNSUPPORTED => c"ZARRC_UNSUPPORTED",
        ZARRC_TYPE_MISMATCH => c"ZARRC_TYPE_MISMATCH",
        ZARRC_PERMISSION_DENIED => c"ZARRC_PERMISSION_DENIED",
        ZARRC_IO => c"ZARRC_IO",
        ZARRC_CONFLICT => c"ZARRC_CONFLICT",
        ZARRC_LIMIT_EXCEEDED => c"ZARRC_LIMIT_EXCEEDED",
        ZARRC_CANCELLED => c"ZARRC_CANCELLED",
        ZARRC_OUT_OF_MEMORY => c"ZARRC_OUT_OF_MEMORY",
        ZARRC_INTERNAL => c"ZARRC_INTERNAL",
        _ => c"unknown status",
    };
    name.as_ptr()
}

/// Returns the version of the loaded library, such as "0.1.0". ZARRC_VERSION is the version of the
/// header that the program was compiled with.
///
/// @return a static string, never NULL.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn zarrc_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Describes this build as a JSON object: "version", "formats", "codecs" (each with "name",
/// "aliases" and "kind"), "stores" (URL schemes) and "options" (each with "name", "values",
/// "default" and "doc").
///
/// @param[out] json  receives the JSON text; free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `json` is NULL.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_build_info(
    json: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let json = Out::new(json, "json")?;
        let info = crate::operations::build_info();
        let text = owned_string(info.to_string(), "the description")?;
        // SAFETY: the caller's own pointer, checked above.
        unsafe { json.set(text) };
        Ok(())
    })
}

/// Frees a string that this library returned through a `char **` parameter.
///
/// @param string  the string; may be NULL.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_string_free(string: *mut c_char) {
    if !string.is_null() {
        // SAFETY: such strings come from CString::into_raw.
        drop(unsafe { CString::from_raw(string) });
    }
}

/// Frees what take() took; kept apart so that no destructor runs outside the guard.
pub(super) fn free<T>(handle: *mut T) {
    // SAFETY: the caller gives back a handle that it got from this library.
    super::guard_value((), || drop(unsafe { take(handle) }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_keeps_its_end() {
        assert_eq!(fitting("short", 40), ("short", ""));
        for name in ["a", "ü", "日"] {
            for length in [1, 5, 900, 1100, 5000] {
                let text = format!("array {}: no such file", name.repeat(length));
                let (head, tail) = fitting(&text, MESSAGE - 1);
                let whole = head == text && tail.is_empty();
                let cut = head.starts_with("array ") && tail.ends_with(": no such file");
                assert!(whole == (text.len() < MESSAGE) && (whole || cut), "{name} {length}");
                let bytes = head.len() + ELLIPSIS.len() + tail.len();
                assert!(whole || (MESSAGE - 10..MESSAGE).contains(&bytes), "{bytes}");
            }
        }
    }
}
