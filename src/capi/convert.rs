//! Conversion between formats.

use super::data_type::{format, zarrc_format};
use super::progress::{reporting, zarrc_progress};
use super::status::{zarrc_error, zarrc_status};
use super::store::zarrc_store;
use super::{Out, guard, object, options_struct, owned_string, string};
use crate::error::{Error, Result};
use crate::format::FormatId;
use crate::metadata::NodePath;
use crate::operations::{Accept, Conversion};
use std::ffi::{c_char, c_void};

/// What a conversion may do, and who receives its reports. Zero the struct, then set `size` and the
/// members you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct zarrc_convert_options {
    /// sizeof(zarrc_convert_options) in the header that the program was compiled with.
    pub size: usize,
    /// Drop what the other format cannot express, if the elements keep their values: dimension
    /// names. Otherwise the call fails before it writes anything.
    pub accept_losses: bool,
    /// After a conversion in place, keep the old format's documents, so that readers of both
    /// formats find the arrays.
    pub keep_old: bool,
    /// Receives reports; NULL: no reports. If it cancels, what was done stays.
    pub progress: zarrc_progress,
    /// Passed to `progress`.
    pub user: *mut c_void,
}

/// Writes a node and everything below it in another format.
///
/// Reads every node and expresses it in the other format before it writes anything; what that
/// format cannot express fails the call. Decodes and encodes chunks only if the other format cannot
/// express their encoding (shards in v2, a codec that N5 lacks), else copies their bytes. In place
/// (same store handle, same path), chunks stay where both formats expect them: v1 to v2, v2 to v3.
///
/// Writes the document of an array after its chunks and that of a group after everything below it:
/// a node that can be opened in the target is complete. The same call resumes a conversion that was
/// interrupted (killed, cancelled, disk full); until then the target holds the key
/// ".zarrc-conversion". In place, the old documents are deleted last.
///
/// No one else may write to the source or the target during the call. Copies all attributes, but no
/// members of metadata documents that no specification defines.
///
/// @param from       the source store.
/// @param from_path  the node to convert; "" is the root.
/// @param to         the target store; may be `from`.
/// @param to_path    the path of the converted node; "" is the root.
/// @param format     a ZARRC_FORMAT_ constant other than ZARRC_FORMAT_ANY.
/// @param options    what the conversion may do, and who receives reports; NULL: no losses, no
///                   reports.
/// @return ZARRC_OK; ZARRC_UNSUPPORTED: a node cannot be read or expressed in the format (the
///         message names each); ZARRC_NOT_FOUND: there is no node at `from_path`;
///         ZARRC_ALREADY_EXISTS: there is another node at `to_path`; ZARRC_CANCELLED;
///         ZARRC_CORRUPT_DATA: a chunk that must be encoded anew does not decode;
///         ZARRC_INVALID_METADATA; ZARRC_CONFLICT; ZARRC_LIMIT_EXCEEDED; ZARRC_OUT_OF_MEMORY;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_convert(
    from: *const zarrc_store,
    from_path: *const c_char,
    to: *mut zarrc_store,
    to_path: *const c_char,
    format: zarrc_format,
    options: *const zarrc_convert_options,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's struct.
        let options = unsafe { options_struct(options, "zarrc_convert_options")? };
        // SAFETY: the caller's handles and strings.
        let conversion = unsafe { plan(from, from_path, to, to_path, format, &options)? };
        reporting(options.progress, options.user, |progress| conversion.run(progress))
    })
}

/// Describes what zarrc_convert() would do as a JSON object, and writes nothing. Members: "from"
/// and "to" (names of formats), "in_place", and "nodes", each with "path", "kind", "chunks"
/// ("stay", "copied", "recoded"; null for a group) and "notes" (a list of changes, for people).
///
/// @param from       the source store.
/// @param from_path  the node to convert; "" is the root.
/// @param to         the target store; may be `from`.
/// @param to_path    the path of the converted node; "" is the root.
/// @param format     a ZARRC_FORMAT_ constant other than ZARRC_FORMAT_ANY.
/// @param options    what the conversion may do; NULL: no losses.
/// @param[out] json  receives the JSON text; free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_UNSUPPORTED: a node cannot be read or expressed in the format (the
///         message names each); ZARRC_NOT_FOUND: there is no node at `from_path`;
///         ZARRC_ALREADY_EXISTS: there is another node at `to_path`; ZARRC_INVALID_METADATA;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_convert_plan(
    from: *const zarrc_store,
    from_path: *const c_char,
    to: *const zarrc_store,
    to_path: *const c_char,
    format: zarrc_format,
    options: *const zarrc_convert_options,
    json: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(json, "json")?;
        // SAFETY: the caller's struct.
        let options = unsafe { options_struct(options, "zarrc_convert_options")? };
        // SAFETY: the caller's handles and strings.
        let conversion = unsafe { plan(from, from_path, to, to_path, format, &options)? };
        let text = owned_string(conversion.describe().to_string(), "the plan")?;
        // SAFETY: checked above.
        unsafe { out.set(text) };
        Ok(())
    })
}

/// SAFETY: handles and strings as the caller of the exported functions promises.
unsafe fn plan(
    from: *const zarrc_store,
    from_path: *const c_char,
    to: *const zarrc_store,
    to_path: *const c_char,
    to_format: zarrc_format,
    options: &zarrc_convert_options,
) -> Result<Conversion> {
    // SAFETY: as promised.
    let (from, to) = unsafe { (object(from, "from")?, object(to, "to")?) };
    // SAFETY: as promised.
    let (a, b) = unsafe { (string(from_path, "from_path")?, string(to_path, "to_path")?) };
    let wanted: Option<FormatId> = format(to_format)?;
    let wanted = wanted.ok_or_else(|| {
        Error::invalid(
            "format ZARRC_FORMAT_ANY: expected a specific \
        format",
        )
    })?;
    let accept = Accept { losses: options.accept_losses, leftovers: options.keep_old };
    Conversion::plan(&from.0, &NodePath::parse(a)?, &to.0, &NodePath::parse(b)?, wanted, accept)
}
