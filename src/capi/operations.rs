//! Copying, moving, rechunking and checking.

use super::array::zarrc_array;
use super::group::node_path;
use super::progress::{reporting, zarrc_progress};
use super::spec::zarrc_array_spec;
use super::status::{zarrc_error, zarrc_status};
use super::store::zarrc_store;
use super::{Out, guard, object, owned_string, slice, string};
use crate::error::{Error, Result};
use crate::metadata::NodePath;
use crate::operations::{self, CopyOptions, IfExists, Recode};
use crate::progress::Progress;
use std::ffi::{c_char, c_void};

/// What happens to keys that are in the target already: one of the constants below.
pub type zarrc_if_exists = i32;

/// Nothing is copied: ZARRC_ALREADY_EXISTS.
pub const ZARRC_IF_EXISTS_FAIL: zarrc_if_exists = 0;
/// They stay as they are.
pub const ZARRC_IF_EXISTS_SKIP: zarrc_if_exists = 1;
/// They are written over.
pub const ZARRC_IF_EXISTS_REPLACE: zarrc_if_exists = 2;

/// How nodes are copied. Set everything to zero, then `size` and what there is to set.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct zarrc_copy_options {
    /// sizeof(zarrc_copy_options) of the header that the program was compiled with.
    pub size: usize,
    /// What happens to keys that are in the target already.
    pub if_exists: zarrc_if_exists,
    /// Write nothing, only count what would be copied.
    pub dry_run: bool,
    /// Elements of `exclude`.
    pub exclude_count: usize,
    /// Paths of nodes, relative to the copied one, that are left out with all below them.
    pub exclude: *const *const c_char,
    /// Receives reports; what was copied stays when it cancels. NULL: no reports.
    pub progress: zarrc_progress,
    /// Passed to `progress`.
    pub user: *mut c_void,
    /// How arrays are encoded in the copy: its format, chunk shape, shard shape, byte order,
    /// separator and codecs count, as far as they are set; all else is the array's own. An array of
    /// another rank keeps its chunks. Codecs that are not set stay what they are in the same
    /// format, in another they are its defaults. NULL: the bytes of each key are copied.
    pub spec: *const zarrc_array_spec,
    /// With `spec`: bytes that the elements of an array may take, as in zarrc_rechunk().
    pub memory_limit: u64,
}

/// What was copied.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct zarrc_copied {
    /// Keys that were copied; with options.spec, nodes.
    pub keys: u64,
    /// Keys (nodes) that were in the target already and stayed.
    pub skipped: u64,
    /// Bytes that were copied; with options.spec, of decoded elements of fixed size.
    pub bytes: u64,
}

/// Copies a node and everything below it, as it is stored: the keys change, their bytes do not.
/// Groups above the target that are missing are created.
///
/// Chunks are copied before documents, and the documents of a group after what lies below it: a
/// node that can be opened in the target is complete. Nobody may write to the source meanwhile. To
/// change the format, use zarrc_convert(); to change chunks or codecs, zarrc_rechunk().
///
/// @return ZARRC_OK; ZARRC_NOT_FOUND: there is nothing at from_path; ZARRC_ALREADY_EXISTS: there is
///         something at to_path; ZARRC_INVALID_ARGUMENT: one path lies within the other in one
///         store, or the target store is of another format; ZARRC_PERMISSION_DENIED; ZARRC_IO.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_node_copy(
    from: *const zarrc_store,
    from_path: *const c_char,
    to: *mut zarrc_store,
    to_path: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handles and strings.
        unsafe {
            let options = CopyOptions::default();
            copy(from, from_path, to, to_path, &options, None, &Progress::silent()).map(|_| ())
        }
    })
}

/// Copies a node and everything below it as zarrc_node_copy() does, with options.
///
/// With options.spec arrays are written anew, each as zarrc_rechunk() does it: the document comes
/// last, and a call that was interrupted is made again, with ZARRC_IF_EXISTS_SKIP where it copies a
/// group, and goes on. Groups are created before what lies below them. An array that is replaced is
/// deleted first.
///
/// @param options      NULL: as zarrc_node_copy().
/// @param[out] copied  what was copied, or would be in a dry run. May be NULL.
/// @return ZARRC_OK; ZARRC_CANCELLED: what was copied until then stays; else as zarrc_node_copy()
///         and, with options.spec, as zarrc_rechunk().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_node_copy_with(
    from: *const zarrc_store,
    from_path: *const c_char,
    to: *mut zarrc_store,
    to_path: *const c_char,
    options: *const zarrc_copy_options,
    copied: *mut zarrc_copied,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's struct; all members may be zero.
        let options = unsafe { super::options_struct(options, "zarrc_copy_options")? };
        // SAFETY: the caller's strings.
        let wanted = unsafe { copy_options(&options)? };
        // SAFETY: the caller's description, where there is one.
        let recode = unsafe { options.spec.as_ref() }.map(|spec| {
            let memory_limit = options.memory_limit;
            Ok::<_, Error>(Recode { spec: spec.complete()?.clone(), memory_limit })
        });
        let recode = recode.transpose()?;
        let done = reporting(options.progress, options.user, |progress| {
            // SAFETY: the caller's handles and strings.
            unsafe { copy(from, from_path, to, to_path, &wanted, recode.as_ref(), progress) }
        })?;
        let result = zarrc_copied { keys: done.keys, skipped: done.skipped, bytes: done.bytes };
        // SAFETY: the caller's memory, where there is some.
        if let Some(copied) = unsafe { copied.as_mut() } {
            *copied = result;
        }
        Ok(())
    })
}

/// SAFETY: `exclude` is NULL or points at as many strings as `exclude_count` says.
unsafe fn copy_options(options: &zarrc_copy_options) -> Result<CopyOptions> {
    let if_exists = match options.if_exists {
        ZARRC_IF_EXISTS_FAIL => IfExists::Fail,
        ZARRC_IF_EXISTS_SKIP => IfExists::Skip,
        ZARRC_IF_EXISTS_REPLACE => IfExists::Replace,
        other => {
            let what = format!("options->if_exists {other}: expected a ZARRC_IF_EXISTS_ constant");
            return Err(Error::invalid(what));
        }
    };
    // SAFETY: as promised.
    let exclude = unsafe { slice(options.exclude, options.exclude_count, "options->exclude")? };
    // SAFETY: as promised.
    let path = |&path| unsafe { NodePath::parse(string(path, "options->exclude")?) };
    let exclude = exclude.iter().map(path).collect::<Result<_>>()?;
    Ok(CopyOptions { if_exists, exclude, dry_run: options.dry_run })
}

/// SAFETY: handles and strings as the caller of the exported functions promises.
unsafe fn copy(
    from: *const zarrc_store,
    from_path: *const c_char,
    to: *mut zarrc_store,
    to_path: *const c_char,
    options: &CopyOptions,
    recode: Option<&Recode>,
    progress: &Progress<'_>,
) -> Result<operations::Copied> {
    // SAFETY: as promised.
    let (from, to) = unsafe { (object(from, "from")?, object(to, "to")?) };
    // SAFETY: as promised.
    let (a, b) = unsafe { (node_path(from_path, "from_path")?, node_path(to_path, "to_path")?) };
    match recode {
        None => operations::copy_node(&from.0, &a, &to.0, &b, options, progress),
        Some(recode) => operations::recode_node(&from.0, &a, &to.0, &b, options, recode, progress),
    }
}

/// Gives a node, and everything below it, another path in the same store. Handles opened from the
/// old path must not be used any more. The node is copied and the old one deleted: where that is
/// interrupted, it is at its old path, at its new one, or at both.
///
/// @return as zarrc_node_copy().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_node_move(
    store: *mut zarrc_store,
    from_path: *const c_char,
    to_path: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and strings.
        let (store, a, b) = unsafe {
            let a = node_path(from_path, "from_path")?;
            (object(store, "store")?, a, node_path(to_path, "to_path")?)
        };
        operations::move_node(&store.0, &a, &b, &Progress::silent())
    })
}

/// Writes consolidated metadata for a group: the documents of everything below it in one document,
/// which others read instead of them (xarray, zarr-python). In Zarr v2 that is the key .zmetadata,
/// in v3 a member of the group's zarr.json, as zarr-python 3 writes it.
///
/// From then on, each change made by zarrc to a document below the group is made there too; the
/// option "consolidate" says otherwise. It must be called again after others changed documents.
///
/// @param path  of a group that has a document of its own; "" for the whole store.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: there is no such group; ZARRC_UNSUPPORTED: its format has no
///         consolidated metadata; ZARRC_INVALID_METADATA; ZARRC_CONFLICT; ZARRC_INVALID_ARGUMENT;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_consolidate_metadata(
    store: *mut zarrc_store,
    path: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and string.
        let (store, path) = unsafe { (object(store, "store")?, node_path(path, "path")?) };
        store.0.consolidate(&path)
    })
}

/// Writes an array anew in other chunks, shards, codecs or another format, within bounded memory.
///
/// The array is brought over in blocks of whole new chunks, as large as memory allows, so that each
/// chunk of the source is read as seldom as possible. Where that would still read it many times, an
/// uncompressed scratch array below ".zarrc-rechunk/" in the target stands in between, which takes
/// as much room as the array.
///
/// The document is written last: an array that can be opened is complete. Called again after an
/// interruption (killed, cancelled, disk full) with the same arguments, it goes on where it was;
/// until then the key ".zarrc-rechunk.json" in the target tells of it. Nobody may write to either
/// array meanwhile.
///
/// @param from          the source; may be of another store.
/// @param path          of the new array.
/// @param spec          what the new array is to be. Its shape and data type must be those of
///                      `from`. Fill value, attributes and dimension names that it does not set are
///                      taken from `from`; chunks, codecs and format that it does not set are the
///                      defaults of zarrc_array_create().
/// @param memory_limit  bytes that the call may use for elements; 0: 256 MiB. Elements of variable
///                      length are taken to have 64 bytes.
/// @param progress      receives reports, after each block; NULL: no reports.
/// @param user          passed to `progress`.
/// @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is something at that path; ZARRC_INVALID_ARGUMENT:
///         the description does not fit; ZARRC_LIMIT_EXCEEDED: a chunk alone needs more memory (the
///         message says how much); ZARRC_CANCELLED; ZARRC_CORRUPT_DATA: a chunk of the source;
///         ZARRC_UNSUPPORTED; ZARRC_PERMISSION_DENIED; ZARRC_OUT_OF_MEMORY; ZARRC_IO.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_rechunk(
    from: *const zarrc_array,
    to: *mut zarrc_store,
    path: *const c_char,
    spec: *const zarrc_array_spec,
    memory_limit: u64,
    progress: zarrc_progress,
    user: *mut c_void,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handles and string.
        let (from, to, path, spec) = unsafe {
            let path = node_path(path, "path")?;
            (object(from, "from")?, object(to, "to")?, path, object(spec, "spec")?)
        };
        let spec = spec.complete()?;
        reporting(progress, user, |progress| {
            operations::rechunk(&from.0, &to.0, &path, spec, memory_limit, progress)
        })
    })
}

/// Checks everything below a node: each document is read, each stored chunk decoded with its
/// checksums (whatever the option ignore_checksums says), each shard index compared with its shard,
/// consolidated metadata with the documents. Nothing is changed. Problems are no error.
///
/// The report is a JSON object: "nodes", "chunks" and "bytes" count what was looked at; "problems"
/// is a list of objects with "node" (path), "key", "kind" and "message" (for people). Kinds:
/// "document" and "attributes" (cannot be read), "chunk" (does not decode), "index" (of a shard, is
/// damaged or points outside), "overlap" (of inner chunks), "dead_space" (in a shard; costs only
/// room), "outside" (a chunk outside the array's shape), "consolidated" (stale or damaged),
/// "mixture" (documents of several formats, of which readers believe different ones), "interrupted"
/// (a conversion or rechunking), "temporary" (a file of a killed writer), "unknown" (a key that
/// belongs to no node), "unsupported" (cannot be checked by this build), "too_large" (past a
/// bound), "unreadable" (the system or network failed). Others may come.
///
/// @param path         of the node; "" for the whole store.
/// @param progress     receives reports, after each chunk; NULL: no reports.
/// @param user         passed to `progress`.
/// @param[out] report  to be freed with zarrc_string_free().
/// @return ZARRC_OK, whatever is wrong with what is stored; ZARRC_NOT_FOUND: there is nothing at
///         that path; ZARRC_CANCELLED; ZARRC_UNSUPPORTED: the store cannot list its keys;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_verify(
    store: *const zarrc_store,
    path: *const c_char,
    progress: zarrc_progress,
    user: *mut c_void,
    report: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(report, "report")?;
        // SAFETY: the caller's handle and string.
        let (store, path) = unsafe { (object(store, "store")?, node_path(path, "path")?) };
        let found =
            reporting(progress, user, |progress| operations::verify(&store.0, &path, progress))?;
        let text = owned_string(found.to_json().to_string(), "the report")?;
        // SAFETY: checked above.
        unsafe { out.set(text) };
        Ok(())
    })
}

/// Checks everything below a node as zarrc_verify() does, and puts right the problems of the kinds
/// that are asked for. Nobody may write to the store meanwhile.
///
/// - "consolidated": consolidated metadata is written anew.
/// - "outside", "unknown": the keys are deleted.
/// - "interrupted": what the interrupted call left is deleted, and it cannot go on any more.
/// - "chunk", "index": damaged chunks and shards are deleted. **Their elements are lost** and read
///   as the fill value from then on.
///
/// The report is a JSON object: "repaired" (what was put right, or would be in a dry run) and
/// "left" (all other problems) are lists as "problems" of zarrc_verify().
///
/// @param kinds        separated by commas: "outside,consolidated".
/// @param dry_run      true: nothing is written.
/// @param progress     receives reports of the check; NULL: no reports.
/// @param user         passed to `progress`.
/// @param[out] report  to be freed with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: a kind that cannot be put right; else as
///         zarrc_verify().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_repair(
    store: *mut zarrc_store,
    path: *const c_char,
    kinds: *const c_char,
    dry_run: bool,
    progress: zarrc_progress,
    user: *mut c_void,
    report: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(report, "report")?;
        // SAFETY: the caller's handle and strings.
        let (store, path, kinds) = unsafe {
            let path = node_path(path, "path")?;
            (object(store, "store")?, path, string(kinds, "kinds")?)
        };
        let done = reporting(progress, user, |progress| {
            operations::repair(&store.0, &path, kinds, dry_run, progress)
        })?;
        let text = owned_string(done.to_json().to_string(), "the report")?;
        // SAFETY: checked above.
        unsafe { out.set(text) };
        Ok(())
    })
}
