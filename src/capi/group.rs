//! Hierarchy.

use super::attributes::zarrc_attributes;
use super::data_type::{self, zarrc_format};
use super::options::zarrc_options;
use super::progress::{reporting, zarrc_progress};
use super::status::{free, zarrc_error, zarrc_status};
use super::store::{self, zarrc_mode, zarrc_store};
use super::{Out, guard, handle, object, string, take};
use crate::error::Result;
use crate::format::NodeKind;
use crate::hierarchy::{Group, open_group_at};
use crate::metadata::NodePath;
use std::ffi::{CString, c_char, c_void};

/// An open group. Any number of threads may use it at once.
pub struct zarrc_group(pub(super) Group);

/// The nodes that a listing found. Does not change; any number of threads may use it at once.
pub struct zarrc_listing(Vec<(CString, zarrc_node_kind)>);

/// What a node is: one of the constants below.
pub type zarrc_node_kind = i32;

/// There is nothing (in a listing: something whose document cannot be read).
pub const ZARRC_NODE_NONE: zarrc_node_kind = 0;
/// A group.
pub const ZARRC_NODE_GROUP: zarrc_node_kind = 1;
/// An array.
pub const ZARRC_NODE_ARRAY: zarrc_node_kind = 2;

pub(super) fn kind_constant(kind: Option<NodeKind>) -> zarrc_node_kind {
    match kind {
        None => ZARRC_NODE_NONE,
        Some(NodeKind::Group) => ZARRC_NODE_GROUP,
        Some(NodeKind::Array) => ZARRC_NODE_ARRAY,
    }
}

/// The path of a node.
///
/// SAFETY: NULL or NUL-terminated.
pub(super) unsafe fn node_path(path: *const c_char, name: &str) -> Result<NodePath> {
    // SAFETY: as promised.
    NodePath::parse(unsafe { string(path, name)? })
}

/// Tells what is at a path. "" and "/" are the root; "a/b", "/a/b" and "a/b/" are the same node.
/// A path that has only nodes below it is a group.
///
/// @param[out] kind  ZARRC_NODE_NONE where there is nothing, which is no error.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT (a segment "." or ".."); ZARRC_INVALID_METADATA;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_node_kind_at(
    store: *const zarrc_store,
    path: *const c_char,
    kind: *mut zarrc_node_kind,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(kind, "kind")?;
        // SAFETY: the caller's handle and string.
        let (store, path) = unsafe { (object(store, "store")?, node_path(path, "path")?) };
        let kind = store.0.kind_at(&path)?;
        // SAFETY: checked above.
        unsafe { out.set(kind_constant(kind)) };
        Ok(())
    })
}

/// Opens a group.
///
/// @param[out] group  to be closed with zarrc_group_close().
/// @return ZARRC_OK; ZARRC_NOT_FOUND: there is none (the message says what was looked for);
///         ZARRC_INVALID_ARGUMENT; ZARRC_INVALID_METADATA; ZARRC_UNSUPPORTED;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_group_open(
    store: *mut zarrc_store,
    path: *const c_char,
    group: *mut *mut zarrc_group,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(group, "group")?;
        // SAFETY: the caller's handle and string.
        let (store, path) = unsafe { (object(store, "store")?, node_path(path, "path")?) };
        let group = store.0.open_group(&path)?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_group(group))) };
        Ok(())
    })
}

/// Creates a group and opens it. Groups above it that are missing are created too.
///
/// @param format      ZARRC_FORMAT_ANY: that of the group above, else Zarr v3.
/// @param[out] group  to be closed with zarrc_group_close().
/// @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is a node at that path;
///         ZARRC_INVALID_ARGUMENT: a name that the format does not allow, or an array above it;
///         ZARRC_UNSUPPORTED: no such format in this build; ZARRC_PERMISSION_DENIED; ZARRC_IO.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_group_create(
    store: *mut zarrc_store,
    path: *const c_char,
    format: zarrc_format,
    group: *mut *mut zarrc_group,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(group, "group")?;
        // SAFETY: the caller's handle and string.
        let (store, path) = unsafe { (object(store, "store")?, node_path(path, "path")?) };
        let created = store.0.create_group(&path, data_type::format(format)?)?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_group(created))) };
        Ok(())
    })
}

/// Opens a group, or creates it where there is nothing.
///
/// @param format      of a new group; ZARRC_FORMAT_ANY: that of the group above, else Zarr v3.
/// @param[out] group  to be closed with zarrc_group_close().
/// @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is an array at that path; else as
///         zarrc_group_create() or zarrc_group_open().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_group_require(
    store: *mut zarrc_store,
    path: *const c_char,
    format: zarrc_format,
    group: *mut *mut zarrc_group,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(group, "group")?;
        // SAFETY: the caller's handle and string.
        let (store, path) = unsafe { (object(store, "store")?, node_path(path, "path")?) };
        let opened = store.0.require_group(&path, data_type::format(format)?)?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_group(opened))) };
        Ok(())
    })
}

/// Creates an empty group in place of whatever is at that path: a node that is there is deleted
/// first, with everything below it.
///
/// @param path        of the node; "" deletes all that the store holds.
/// @param format      ZARRC_FORMAT_ANY: that of the group above, else Zarr v3.
/// @param[out] group  to be closed with zarrc_group_close().
/// @return ZARRC_OK; else as zarrc_group_create(), but never ZARRC_ALREADY_EXISTS unless others
///         create a node there at the same time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_group_overwrite(
    store: *mut zarrc_store,
    path: *const c_char,
    format: zarrc_format,
    group: *mut *mut zarrc_group,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(group, "group")?;
        // SAFETY: the caller's handle and string.
        let (store, path) = unsafe { (object(store, "store")?, node_path(path, "path")?) };
        let created = store.0.replace_group(&path, data_type::format(format)?)?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_group(created))) };
        Ok(())
    })
}

/// Opens a group by one URL, without a store of its own.
///
/// @param url      where the group is: that of a store, or of a group within one
///                 ("data/run1.zarr/ocean", "x.zip|zip:a/b").
/// @param mode     as in zarrc_store_open(). ZARRC_APPEND, ZARRC_CREATE and ZARRC_OVERWRITE create
///                 the group where it is missing (in Zarr v3, or as the option "format" says).
/// @param options  as in zarrc_store_open(); NULL: the defaults. Copied: may be freed at once.
/// @param[out] group  to be closed with zarrc_group_close(), which closes the store too.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: there is no store or no group; ZARRC_ALREADY_EXISTS: there is
///         an array, or as zarrc_store_open(); else as zarrc_store_open() or zarrc_group_open().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_group_open_url(
    url: *const c_char,
    mode: zarrc_mode,
    options: *const zarrc_options,
    group: *mut *mut zarrc_group,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(group, "group")?;
        // SAFETY: the caller's string and handle; NULL options are the defaults.
        let (url, options) = unsafe { (string(url, "url")?, options.as_ref()) };
        let options = options.map(|options| options.0.clone()).unwrap_or_default();
        let opened = open_group_at(url, store::mode(mode)?, &options, None)?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_group(opened))) };
        Ok(())
    })
}

/// Closes a group; its attributes must not be used any more. NULL is accepted.
///
/// @return ZARRC_OK; where it was opened by zarrc_group_open_url(), as zarrc_store_close().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_group_close(
    group: *mut zarrc_group,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle, not used any more.
        unsafe { take(group) }.map_or(Ok(()), |group| group.0.close())
    })
}

/// The attributes of a group. Borrowed: good until the group is closed. NULL for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_group_attributes(group: *mut zarrc_group) -> *mut zarrc_attributes {
    // SAFETY: the caller's handle.
    match unsafe { group.as_ref() } {
        Some(group) => zarrc_attributes::borrowed(group.0.attributes()),
        None => std::ptr::null_mut(),
    }
}

/// The nodes below a group, sorted by path (as bytes).
///
/// @param recursive     false: its children; true: everything below it.
/// @param[out] listing  to be freed with zarrc_listing_free().
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_group_list(
    group: *const zarrc_group,
    recursive: bool,
    listing: *mut *mut zarrc_listing,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(listing, "listing")?;
        // SAFETY: the caller's handle.
        let group = unsafe { object(group, "group")? };
        let nodes = group.0.list(recursive)?.into_iter();
        let nodes = nodes.filter_map(|n| Some((CString::new(n.path).ok()?, kind_constant(n.kind))));
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_listing(nodes.collect()))) };
        Ok(())
    })
}

/// How many nodes a listing holds; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_listing_count(listing: *const zarrc_listing) -> usize {
    // SAFETY: the caller's handle.
    unsafe { listing.as_ref() }.map_or(0, |l| l.0.len())
}

/// The path of a node, relative to the group. Borrowed: good until the listing is freed. NULL
/// past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_listing_path(
    listing: *const zarrc_listing,
    index: usize,
) -> *const c_char {
    // SAFETY: the caller's handle.
    let node = unsafe { listing.as_ref() }.and_then(|l| l.0.get(index));
    node.map_or(std::ptr::null(), |(path, _)| path.as_ptr())
}

/// What a node is; ZARRC_NODE_NONE past the end, and for one whose document cannot be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_listing_kind(
    listing: *const zarrc_listing,
    index: usize,
) -> zarrc_node_kind {
    // SAFETY: the caller's handle.
    let node = unsafe { listing.as_ref() }.and_then(|l| l.0.get(index));
    node.map_or(ZARRC_NODE_NONE, |(_, kind)| *kind)
}

/// Frees a listing. NULL is accepted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_listing_free(listing: *mut zarrc_listing) {
    free(listing);
}

/// Deletes a node and everything below it. The root may be deleted too: the store is empty then.
/// Symbolic links are taken away, what they point at stays.
///
/// @return ZARRC_OK; ZARRC_NOT_FOUND: there is none; ZARRC_INVALID_ARGUMENT;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_node_delete(
    store: *mut zarrc_store,
    path: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and string.
        let (store, path) = unsafe { (object(store, "store")?, node_path(path, "path")?) };
        store.0.delete(&path)
    })
}

/// Deletes a node and everything below it as zarrc_node_delete() does, with reports. Nodes are
/// deleted one by one, the deepest first and the node itself last, and each of them whole: a call
/// that is cancelled leaves the others as they were, and can be made again to go on.
///
/// @param progress      receives reports, after each node; NULL: no reports.
/// @param user          passed to `progress`.
/// @param[out] deleted  number of nodes that were deleted. May be NULL.
/// @return ZARRC_OK; ZARRC_CANCELLED: nodes that were deleted until then are gone; ZARRC_NOT_FOUND:
///         there is none; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_node_delete_with(
    store: *mut zarrc_store,
    path: *const c_char,
    progress: zarrc_progress,
    user: *mut c_void,
    deleted: *mut u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and string.
        let (store, path) = unsafe { (object(store, "store")?, node_path(path, "path")?) };
        let count = reporting(progress, user, |progress| store.0.delete_each(&path, progress))?;
        // SAFETY: the caller's memory, where there is some.
        if let Some(deleted) = unsafe { deleted.as_mut() } {
            *deleted = count;
        }
        Ok(())
    })
}
