//! Groups and the hierarchy.

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

/// The nodes that a listing found. Immutable: any number of threads may use it at once.
pub struct zarrc_listing(Vec<(CString, zarrc_node_kind)>);

/// The kind of a node: one of the constants below.
pub type zarrc_node_kind = i32;

/// No node. In a listing: a node whose document cannot be read.
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

/// Returns the kind of the node at a path. A path that only has nodes below it is a group.
///
/// @param store      the store.
/// @param path       "" and "/" are the root; "a/b", "/a/b" and "a/b/" are the same node.
/// @param[out] kind  receives a ZARRC_NODE_ constant; ZARRC_NODE_NONE if there is no node.
/// @return ZARRC_OK, also if there is no node; ZARRC_INVALID_ARGUMENT: also a path with a segment
///         "." or ".."; ZARRC_INVALID_METADATA; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
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
/// @param store       the store. The group keeps it open.
/// @param path        the group's path; "" is the root.
/// @param[out] group  receives the group; close it with zarrc_group_close().
/// @return ZARRC_OK; ZARRC_NOT_FOUND: there is no group (the message names the keys that were
///         tried); ZARRC_INVALID_METADATA; ZARRC_UNSUPPORTED: the document requires an extension
///         that this build lacks; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
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

/// Creates a group and opens it. Creates missing parent groups too.
///
/// @param store       the store. The group keeps it open.
/// @param path        the group's path; "" is the root.
/// @param format      a ZARRC_FORMAT_ constant; ZARRC_FORMAT_ANY: the parent group's format, else
///                    Zarr v3.
/// @param[out] group  receives the group; close it with zarrc_group_close().
/// @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is a node at `path`; ZARRC_INVALID_ARGUMENT: the
///         format does not allow the name, or a parent is an array; ZARRC_UNSUPPORTED: this build
///         lacks the format; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
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

/// Opens a group, or creates it (and missing parent groups) if there is no node.
///
/// @param store       the store. The group keeps it open.
/// @param path        the group's path; "" is the root.
/// @param format      of a new group: a ZARRC_FORMAT_ constant; ZARRC_FORMAT_ANY: the parent
///                    group's format, else Zarr v3.
/// @param[out] group  receives the group; close it with zarrc_group_close().
/// @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is an array at `path`; ZARRC_INVALID_ARGUMENT: the
///         format does not allow the name, or a parent is an array; ZARRC_INVALID_METADATA;
///         ZARRC_UNSUPPORTED; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
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

/// Creates an empty group in place of any node at a path. Deletes that node and everything below it
/// first.
///
/// @param store       the store. The group keeps it open.
/// @param path        the group's path; "" deletes everything in the store.
/// @param format      a ZARRC_FORMAT_ constant; ZARRC_FORMAT_ANY: the parent group's format, else
///                    Zarr v3.
/// @param[out] group  receives the group; close it with zarrc_group_close().
/// @return ZARRC_OK; ZARRC_ALREADY_EXISTS: another writer created a node at `path` during the call;
///         ZARRC_INVALID_ARGUMENT: the format does not allow the name, or a parent is an array;
///         ZARRC_UNSUPPORTED: this build lacks the format; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
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

/// Opens a group by URL, without a store handle.
///
/// @param url         the URL of a store, or of a group within one: "data/run1.zarr/ocean",
///                    "x.zip|zip:a/b".
/// @param mode        a ZARRC_ mode. ZARRC_APPEND, ZARRC_CREATE and ZARRC_OVERWRITE create a
///                    missing group, in Zarr v3 or the format that the option "format" names.
/// @param options     settings for the store; NULL: the defaults. Copied: may be freed after the
///                    call.
/// @param[out] group  receives the group; close it with zarrc_group_close(), which closes the store
///                    too.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: there is no store or no group; ZARRC_ALREADY_EXISTS: there is
///         an array, the mode requires a new store, or ZARRC_OVERWRITE would delete a directory
///         that is not a Zarr store; ZARRC_UNSUPPORTED: this build lacks the scheme or format;
///         ZARRC_INVALID_METADATA; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
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

/// Closes a group. Its attributes must not be used afterwards. The handle is invalid after the
/// call, even if the call fails.
///
/// @param group  the group; may be NULL.
/// @return ZARRC_OK; ZARRC_IO or ZARRC_CONFLICT: a deferred write of a store that
///         zarrc_group_open_url() opened failed.
/// @since 0.1.0
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

/// Returns the attributes of a group.
///
/// @param group  the group; may be NULL.
/// @return the attributes, borrowed: valid until the group is closed. NULL for NULL.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_group_attributes(group: *mut zarrc_group) -> *mut zarrc_attributes {
    // SAFETY: the caller's handle.
    match unsafe { group.as_ref() } {
        Some(group) => zarrc_attributes::borrowed(group.0.attributes()),
        None => std::ptr::null_mut(),
    }
}

/// Lists the nodes below a group, sorted by path (bytewise).
///
/// @param group         the group.
/// @param recursive     false: its children; true: all nodes below it.
/// @param[out] listing  receives the nodes; free them with zarrc_listing_free().
/// @return ZARRC_OK; ZARRC_UNSUPPORTED: the store cannot list its keys; ZARRC_INVALID_ARGUMENT;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
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

/// Returns the number of nodes in a listing.
///
/// @param listing  the listing; may be NULL.
/// @return the number of nodes; 0 for NULL.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_listing_count(listing: *const zarrc_listing) -> usize {
    // SAFETY: the caller's handle.
    unsafe { listing.as_ref() }.map_or(0, |l| l.0.len())
}

/// Returns the path of a node, relative to the listed group.
///
/// @param listing  the listing; may be NULL.
/// @param index    the position, from 0.
/// @return the path (UTF-8), borrowed: valid until the listing is freed. NULL past the end and for
///         NULL.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_listing_path(
    listing: *const zarrc_listing,
    index: usize,
) -> *const c_char {
    // SAFETY: the caller's handle.
    let node = unsafe { listing.as_ref() }.and_then(|l| l.0.get(index));
    node.map_or(std::ptr::null(), |(path, _)| path.as_ptr())
}

/// Returns the kind of a node.
///
/// @param listing  the listing; may be NULL.
/// @param index    the position, from 0.
/// @return a ZARRC_NODE_ constant; ZARRC_NODE_NONE if the node's document cannot be read, past the
///         end and for NULL.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_listing_kind(
    listing: *const zarrc_listing,
    index: usize,
) -> zarrc_node_kind {
    // SAFETY: the caller's handle.
    let node = unsafe { listing.as_ref() }.and_then(|l| l.0.get(index));
    node.map_or(ZARRC_NODE_NONE, |(_, kind)| *kind)
}

/// Frees a listing.
///
/// @param listing  the listing; may be NULL.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_listing_free(listing: *mut zarrc_listing) {
    free(listing);
}

/// Deletes a node and everything below it. Deletes symbolic links, not their targets.
///
/// @param store  the store.
/// @param path   the node's path; "" empties the store.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: there is no node; ZARRC_UNSUPPORTED: the store cannot list or
///         delete; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
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

/// Deletes a node and everything below it as zarrc_node_delete() does, and reports its progress.
/// Deletes nodes one by one, the deepest first and the node itself last, each of them whole: a
/// cancelled call leaves the other nodes unchanged, and the same call resumes it.
///
/// @param store         the store.
/// @param path          the node to delete; "" is the root.
/// @param progress      receives a report after each node; NULL: no reports.
/// @param user          passed to `progress`.
/// @param[out] deleted  receives the number of deleted nodes. May be NULL.
/// @return ZARRC_OK; ZARRC_CANCELLED: nodes deleted before stay deleted; ZARRC_NOT_FOUND: there is
///         no node at `path`; ZARRC_INVALID_ARGUMENT; ZARRC_UNSUPPORTED: the store cannot list or
///         delete; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
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
