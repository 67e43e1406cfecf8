//! Copying, moving, consolidating, rechunking, verifying and repairing.

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

/// What to do with keys that exist in the target: one of the constants below.
pub type zarrc_if_exists = i32;

/// Fail with ZARRC_ALREADY_EXISTS, and copy nothing.
pub const ZARRC_IF_EXISTS_FAIL: zarrc_if_exists = 0;
/// Keep them.
pub const ZARRC_IF_EXISTS_SKIP: zarrc_if_exists = 1;
/// Replace their values.
pub const ZARRC_IF_EXISTS_REPLACE: zarrc_if_exists = 2;

/// How to copy nodes. Zero the struct, then set `size` and the members you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct zarrc_copy_options {
    /// sizeof(zarrc_copy_options) in the header that the program was compiled with.
    pub size: usize,
    /// What to do with keys that exist in the target.
    pub if_exists: zarrc_if_exists,
    /// Write nothing, only count what would be copied.
    pub dry_run: bool,
    /// The number of paths in `exclude`.
    pub exclude_count: usize,
    /// Paths of nodes, relative to the copied one, to leave out with everything below them.
    pub exclude: *const *const c_char,
    /// Receives reports; NULL: no reports. If it cancels, what was copied stays.
    pub progress: zarrc_progress,
    /// Passed to `progress`.
    pub user: *mut c_void,
    /// How to encode arrays in the copy: sets their format, chunk shape, shard shape, byte order,
    /// separator and codecs; what it does not set stays as in the array. An array of another rank
    /// keeps its chunks. Codecs that are not set stay in the same format, and become the defaults
    /// of another format. NULL: copies the bytes of each key.
    pub spec: *const zarrc_array_spec,
    /// With `spec`: the most memory to use (bytes), as in zarrc_rechunk().
    pub memory_limit: u64,
    /// Make hard links instead of copies, as a snapshot that takes no space and little time. Both
    /// stores must be directories on one file system; `spec` must be NULL. A value that is replaced
    /// or deleted in one of them afterwards stays in the other. zarrc always replaces values that
    /// have links, also with the option "overwrite=in_place", and so do zarr-python (2's
    /// DirectoryStore, 3 from 3.1.3 on) and tensorstore. Programs that write into existing files
    /// change both: netCDF-C's own NCZarr, zarrs, zarr-python 3 before 3.1.3 and through fsspec,
    /// `rsync --inplace`, editors. Permissions and owners are those of the file, so they change in
    /// both as well.
    pub link: bool,
}

/// The outcome of a copy.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct zarrc_copied {
    /// The number of copied keys; with `zarrc_copy_options.spec`, of nodes.
    pub keys: u64,
    /// The number of keys (nodes) that existed in the target and were kept.
    pub skipped: u64,
    /// The number of copied bytes; with `zarrc_copy_options.spec`, of decoded elements of fixed
    /// size.
    pub bytes: u64,
}

/// Copies a node and everything below it as stored: keys change, values do not. Creates missing
/// parent groups in the target.
///
/// Copies chunks before documents, and the document of a group after everything below it: a node
/// that can be opened in the target is complete. No one may write to the source during the call. To
/// change the format, use zarrc_convert(); to change chunks or codecs, zarrc_rechunk().
///
/// @param from       the source store.
/// @param from_path  the node to copy; "" is the root.
/// @param to         the target store; may be `from`.
/// @param to_path    the path of the copy; "" is the root.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: there is no node at `from_path`; ZARRC_ALREADY_EXISTS: there
///         is a node at `to_path`; ZARRC_INVALID_ARGUMENT: one path lies within the other in the
///         same store, or the target store has another format; ZARRC_UNSUPPORTED: the source cannot
///         list its keys; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
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
/// With options.spec, arrays are encoded anew, each as zarrc_rechunk() does it. The document comes
/// last, and the same call resumes an interrupted one, with ZARRC_IF_EXISTS_SKIP if it copies a
/// group. Groups are created before the nodes below them. A replaced array is deleted first.
///
/// With options.link, keys of the copy name the files of the source. An interrupted call leaves
/// whole values, and the same call with ZARRC_IF_EXISTS_SKIP completes it.
///
/// @param from         the source store.
/// @param from_path    the node to copy; "" is the root.
/// @param to           the target store; may be `from`.
/// @param to_path      the path of the copy; "" is the root.
/// @param options      how to copy; NULL: as zarrc_node_copy().
/// @param[out] copied  receives what was copied, or would be in a dry run. May be NULL.
/// @return ZARRC_OK; ZARRC_CANCELLED: what was copied before stays; ZARRC_NOT_FOUND: there is no
///         node at `from_path`; ZARRC_ALREADY_EXISTS: there is a node at `to_path`;
///         ZARRC_INVALID_ARGUMENT: one path lies within the other in the same store, the target
///         store has another format, or options.link and options.spec are both given;
///         ZARRC_UNSUPPORTED: the source cannot list its keys, or options.link: a store is not a
///         directory, or the file system makes no hard link from one to the other;
///         ZARRC_PERMISSION_DENIED: also if the system forbids links to files of other users;
///         ZARRC_IO; with options.spec also the statuses of zarrc_rechunk().
/// @since 0.2.0
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
    Ok(CopyOptions { if_exists, exclude, dry_run: options.dry_run, link: options.link })
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

/// Moves a node and everything below it to another path in the same store. Copies the node, then
/// deletes the original: an interrupted move leaves it at the old path, the new one, or both, and
/// the same call completes it. Until then a key ".zarrc-move" lies below the new path. Handles
/// opened from the old path must not be used afterwards.
///
/// @param store      the store.
/// @param from_path  the node to move.
/// @param to_path    its new path.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: there is no node at `from_path`; ZARRC_ALREADY_EXISTS: there
///         is a node at `to_path` that an interrupted move did not leave, or a value of the node
///         was changed at either path since the interruption; ZARRC_INVALID_ARGUMENT: one path lies
///         within the other; ZARRC_UNSUPPORTED: the store cannot list or delete;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
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

/// Writes consolidated metadata for a group: one document with the documents of everything below
/// it, which xarray and zarr-python read instead of those. Zarr v2 stores it in the key .zmetadata,
/// v3 in a member of the group's zarr.json, as zarr-python 3 does.
///
/// From then on zarrc updates it with each change of a document below the group, unless the option
/// "consolidate" forbids it. Call this function again after other programs changed documents.
///
/// @param store  the store.
/// @param path   a group that has a metadata document; "" is the root.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: there is no such group; ZARRC_UNSUPPORTED: its format has no
///         consolidated metadata; ZARRC_INVALID_METADATA; ZARRC_CONFLICT: other writers kept
///         changing the document; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
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

/// Writes an array anew with other chunks, shards, codecs or another format, in bounded memory.
///
/// Copies blocks of whole new chunks, as large as memory allows, so that each source chunk is read
/// as seldom as possible. If that would still read source chunks many times, copies through an
/// uncompressed scratch array below ".zarrc-rechunk/" in the target, which takes as much space as
/// the array.
///
/// Writes the document last: an array that can be opened is complete. The same call resumes after
/// an interruption (killed, cancelled, disk full); until then the target holds the key
/// ".zarrc-rechunk.json". No one else may write to either array during the call.
///
/// @param from          the source array; may be in another store.
/// @param to            the target store.
/// @param path          the new array's path.
/// @param spec          the new array's specification. Shape and data type must equal those of
///                      `from`. Fill value, attributes and dimension names default to those of
///                      `from`; chunks, codecs and format to the defaults of zarrc_array_create().
/// @param memory_limit  memory for elements (bytes); 0: 256 MiB. Variable-length elements count 64
///                      bytes each.
/// @param progress      receives a report after each block; NULL: no reports.
/// @param user          passed to `progress`.
/// @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is a node at `path`; ZARRC_INVALID_ARGUMENT: the
///         specification does not fit `from`; ZARRC_LIMIT_EXCEEDED: a single chunk needs more
///         memory (the message says how much); ZARRC_CANCELLED; ZARRC_CORRUPT_DATA: a chunk of the
///         source does not decode; ZARRC_UNSUPPORTED: the format cannot express the specification;
///         ZARRC_OUT_OF_MEMORY; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
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

/// Checks everything below a node, and changes nothing: reads each document, decodes each stored
/// chunk with its checksums (even with the option ignore_checksums), compares each shard index with
/// its shard, and consolidated metadata with the documents. Problems that it finds do not fail the
/// call.
///
/// The report is a JSON object. "nodes", "chunks" and "bytes" count what was checked. "problems" is
/// a list of objects with "node" (path), "key", "kind" and "message" (for people). Kinds:
///
/// - "document", "attributes": cannot be read.
/// - "chunk": does not decode.
/// - "index": a shard index is damaged or points outside its shard.
/// - "overlap": inner chunks of a shard overlap.
/// - "dead_space": unused bytes in a shard; only wastes space.
/// - "outside": a chunk outside the array's shape.
/// - "consolidated": stale or damaged consolidated metadata.
/// - "mixture": documents of several formats, of which readers may believe different ones.
/// - "interrupted": a conversion, rechunking or move that did not finish.
/// - "store": the structure of the store itself is damaged. Checked with the root, for SQLite:
///   PRAGMA integrity_check, which reads the whole database and cannot be cancelled.
/// - "temporary": a file of a killed writer.
/// - "unknown": a key that belongs to no node.
/// - "unsupported": this build cannot check it.
/// - "too_large": exceeds a limit.
/// - "unreadable": the system or the network failed.
///
/// Later versions may add kinds.
///
/// @param store        the store.
/// @param path         the node to check; "" is the root.
/// @param progress     receives a report after each chunk; NULL: no reports.
/// @param user         passed to `progress`.
/// @param[out] report  receives the report; free it with zarrc_string_free().
/// @return ZARRC_OK, whatever problems it finds; ZARRC_NOT_FOUND: there is no node at `path`;
///         ZARRC_CANCELLED; ZARRC_UNSUPPORTED: the store cannot list its keys;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
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

/// Checks everything below a node as zarrc_verify() does, and repairs problems of the given kinds.
/// No one else may write to the store during the call.
///
/// - "consolidated": writes consolidated metadata anew.
/// - "outside", "unknown": deletes the keys.
/// - "interrupted": deletes what the interrupted call left, which then cannot be resumed.
/// - "chunk", "index": deletes damaged chunks and shards. **Their elements are lost** and read as
///   the fill value afterwards.
///
/// The report is a JSON object with two lists in the format of "problems" of zarrc_verify():
/// "repaired" (what was repaired, or would be in a dry run) and "left" (all other problems).
///
/// @param store        the store.
/// @param path         the node to check; "" is the root.
/// @param kinds        kinds of problems, separated by commas: "outside,consolidated".
/// @param dry_run      true: writes nothing.
/// @param progress     receives reports of the check; NULL: no reports.
/// @param user         passed to `progress`.
/// @param[out] report  receives the report; free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: also a kind that cannot be repaired; ZARRC_NOT_FOUND:
///         there is no node at `path`; ZARRC_CANCELLED; ZARRC_UNSUPPORTED: the store cannot list or
///         delete; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
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
