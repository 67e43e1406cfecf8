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

/// What a conversion may do, and who receives its reports. Set everything to zero, then `size`
/// and what there is to set.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct zarrc_convert_options {
    /// sizeof(zarrc_convert_options) of the header that the program was compiled with.
    pub size: usize,
    /// Leave out what the other format has no words for where the values of the arrays stay what
    /// they are: names of dimensions. Otherwise that is an error, before anything is written.
    pub accept_losses: bool,
    /// After a conversion in place, leave what only the old format needs, so that readers of both
    /// formats find the arrays.
    pub keep_old: bool,
    /// Receives reports; what was done stays when it cancels. NULL: no reports.
    pub progress: zarrc_progress,
    /// Passed to `progress`.
    pub user: *mut c_void,
}

/// Writes the node at `from_path` and all below it in another format.
///
/// Before anything is written every node is read and expressed in the other format. What cannot be
/// said there is an error that names it. Chunks are decoded and encoded anew only where the other
/// format has no words for how they are encoded (shards in v2, a codec in N5); otherwise their
/// bytes are copied. In place, that is with the same store handle and path, they are left where
/// they are if both formats look for them there: v1 to v2, v2 to v3.
///
/// What can be opened in the target is complete: the document of an array is written after its
/// chunks, that of a group after what lies below it. A conversion that was interrupted (killed,
/// cancelled, out of disk) goes on where it was when the same call is made again; until then the
/// key ".zarrc-conversion" in the target tells of it. In place, the old documents are erased when
/// all else is done.
///
/// Nobody may write to the source or the target meanwhile. Members of metadata documents that no
/// specification names are not carried over; attributes all are.
///
/// @param format   a ZARRC_FORMAT_ constant other than ZARRC_FORMAT_ANY.
/// @param options  NULL: no losses, nobody told.
/// @return ZARRC_OK; ZARRC_UNSUPPORTED: what cannot be said in that format, with each node's path,
///         or a node that cannot be read; ZARRC_NOT_FOUND: there is nothing at from_path;
///         ZARRC_ALREADY_EXISTS: something else is at to_path; ZARRC_CANCELLED; ZARRC_CORRUPT_DATA:
///         a chunk that must be recoded does not decode; ZARRC_INVALID_ARGUMENT;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
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

/// What zarrc_convert() would do, as a JSON object: "from" and "to" (names of formats), "in_place",
/// and "nodes", each with "path", "kind", "chunks" ("stay", "copied", "recoded"; null for a group)
/// and "notes" (a list of what changes, in words). Nothing is written.
///
/// @param[out] json  to be freed with zarrc_string_free().
/// @return as zarrc_convert().
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
    let wanted = wanted.ok_or_else(|| Error::invalid("format: say which one"))?;
    let accept = Accept { losses: options.accept_losses, leftovers: options.keep_old };
    Conversion::plan(&from.0, &NodePath::parse(a)?, &to.0, &NodePath::parse(b)?, wanted, accept)
}
