//! Arrays: create, open, close.

use super::data_type::{self, zarrc_data_type, zarrc_format};
use super::group::node_path;
use super::options::zarrc_options;
use super::spec::zarrc_array_spec;
use super::status::{zarrc_error, zarrc_status};
use super::store::{self, zarrc_mode, zarrc_store};
use super::{Out, guard, handle, object, slice, string, take};
use crate::array::MemoryType;
use crate::error::{Error, Result};
use crate::hierarchy::{ArrayNode, ArraySpec, Hierarchy, open_array_at};
use crate::metadata::NodePath;
use crate::selection::Region;
use crate::store::Mode;
use crate::strided::{Extents, View};
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// An open array. Any number of threads may read and write it at once. Writes to different elements
/// never disturb each other, even in the same chunk; of two writes to the same element, the last
/// one stays.
pub struct zarrc_array(pub(super) Arc<ArrayNode>);

/// Creates an array and opens it. Creates missing parent groups too. Writes no chunks: all elements
/// read as the fill value.
///
/// @param store       the store. The array keeps it open.
/// @param path        the array's path; "" makes the array the root of the store.
/// @param spec        the specification. Copied: may be freed after the call.
/// @param[out] array  receives the array; close it with zarrc_array_close().
/// @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is a node at `path`; ZARRC_INVALID_ARGUMENT: the
///         specification contradicts itself (the message says where), the format does not allow the
///         name, or a parent is an array; ZARRC_UNSUPPORTED: the format cannot express the
///         specification; ZARRC_LIMIT_EXCEEDED; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_create(
    store: *mut zarrc_store,
    path: *const c_char,
    spec: *const zarrc_array_spec,
    array: *mut *mut zarrc_array,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(array, "array")?;
        // SAFETY: the caller's handles and string.
        let (store, path, spec) =
            unsafe { (object(store, "store")?, node_path(path, "path")?, object(spec, "spec")?) };
        let created = store.0.create_array(&path, spec.complete()?)?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_array(Arc::new(created)))) };
        Ok(())
    })
}

/// Opens an array, or creates it if there is no node. Does not compare an existing array with the
/// specification: zarrc_array_require() does.
///
/// @param store       the store. The array keeps it open.
/// @param path        the array's path; "" is the root.
/// @param spec        the specification of a new array. Copied: may be freed after the call.
/// @param[out] array  receives the array; close it with zarrc_array_close().
/// @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is a group at `path`; ZARRC_INVALID_ARGUMENT: the
///         specification contradicts itself, the format does not allow the name, or a parent is an
///         array; ZARRC_UNSUPPORTED: the format cannot express the specification, or this build
///         lacks what the existing array needs; ZARRC_INVALID_METADATA; ZARRC_LIMIT_EXCEEDED;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_open_or_create(
    store: *mut zarrc_store,
    path: *const c_char,
    spec: *const zarrc_array_spec,
    array: *mut *mut zarrc_array,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handles and string.
    unsafe { made(store, path, spec, array, err, Hierarchy::open_or_create_array) }
}

/// Opens an array that has the shape and data type of a specification, or creates it if there is no
/// node.
///
/// @param store       the store. The array keeps it open.
/// @param path        the array's path; "" is the root.
/// @param spec        the specification. Copied: may be freed after the call.
/// @param[out] array  receives the array; close it with zarrc_array_close().
/// @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is a group at `path`, or an array of another shape
///         or data type (the message says which); ZARRC_INVALID_ARGUMENT: the specification
///         contradicts itself, the format does not allow the name, or a parent is an array;
///         ZARRC_UNSUPPORTED: the format cannot express the specification, or this build lacks what
///         the existing array needs; ZARRC_INVALID_METADATA; ZARRC_LIMIT_EXCEEDED;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_require(
    store: *mut zarrc_store,
    path: *const c_char,
    spec: *const zarrc_array_spec,
    array: *mut *mut zarrc_array,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handles and string.
    unsafe { made(store, path, spec, array, err, Hierarchy::require_array) }
}

/// Creates an array in place of any node at a path. Checks the specification, then deletes that
/// node and everything below it.
///
/// @param store       the store. The array keeps it open.
/// @param path        the array's path; "" deletes everything in the store.
/// @param spec        the specification. Copied: may be freed after the call.
/// @param[out] array  receives the array; close it with zarrc_array_close().
/// @return ZARRC_OK; ZARRC_ALREADY_EXISTS: another writer created a node at `path` during the call;
///         ZARRC_INVALID_ARGUMENT: the specification contradicts itself, the format does not allow
///         the name, or a parent is an array; ZARRC_UNSUPPORTED: the format cannot express the
///         specification; ZARRC_LIMIT_EXCEEDED; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_overwrite(
    store: *mut zarrc_store,
    path: *const c_char,
    spec: *const zarrc_array_spec,
    array: *mut *mut zarrc_array,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handles and string.
    unsafe { made(store, path, spec, array, err, Hierarchy::replace_array) }
}

/// Hands out the array that `make` makes of a description.
///
/// SAFETY: handles, string and place are NULL or good.
unsafe fn made(
    store: *mut zarrc_store,
    path: *const c_char,
    spec: *const zarrc_array_spec,
    array: *mut *mut zarrc_array,
    err: *mut zarrc_error,
    make: fn(&Arc<Hierarchy>, &NodePath, &ArraySpec) -> Result<ArrayNode>,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(array, "array")?;
        // SAFETY: the caller's handles and string.
        let (store, path, spec) =
            unsafe { (object(store, "store")?, node_path(path, "path")?, object(spec, "spec")?) };
        let made = make(&store.0, &path, spec.complete()?)?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_array(Arc::new(made)))) };
        Ok(())
    })
}

/// Creates an array with default chunks, codecs and format, and writes all of its elements. If they
/// cannot be written, deletes the array again.
///
/// @param store        the store. The array keeps it open.
/// @param path         the array's path; "" makes the array the root of the store.
/// @param data_type    data type of the elements, stored and in memory; must have a fixed size and
///                     no parameters.
/// @param rank         the number of dimensions, at most 255; 0 for an array of one element.
/// @param shape        `rank` extents (elements), slowest dimension first.
/// @param buffer       the elements, C-contiguous; may be NULL if there are none.
/// @param buffer_size  the size of `buffer` (bytes), at least that of all elements.
/// @param[out] array   receives the array; close it with zarrc_array_close(). NULL: closes the
///                     array.
/// @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is a node at `path`; ZARRC_INVALID_ARGUMENT: also
///         a name that the format does not allow, or a parent that is an array; ZARRC_UNSUPPORTED;
///         ZARRC_LIMIT_EXCEEDED; ZARRC_OUT_OF_MEMORY; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_create_from_buffer(
    store: *mut zarrc_store,
    path: *const c_char,
    data_type: zarrc_data_type,
    rank: usize,
    shape: *const u64,
    buffer: *const c_void,
    buffer_size: usize,
    array: *mut *mut zarrc_array,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // before the shape is read: a wrong rank leads past its end
        crate::format::check_dimensions(rank)?;
        // SAFETY: the caller's handle, string and numbers.
        let (store, path, shape) = unsafe {
            (object(store, "store")?, node_path(path, "path")?, slice(shape, rank, "shape")?)
        };
        let data_type = data_type::new_type(data_type)?.filter(|t| !t.is_variable());
        let data_type = data_type.ok_or_else(|| {
            Error::invalid(
                "data_type: expected a type of fixed size without parameters; use \
                zarrc_array_create() for others",
            )
        })?;
        let item = data_type.size();
        let counts: Option<Extents> = shape.iter().map(|&n| usize::try_from(n).ok()).collect();
        let sized = counts.and_then(|counts| {
            let needed = counts.iter().try_fold(item, |n, &c| n.checked_mul(c))?;
            Some((counts, needed))
        });
        let (counts, needed) = sized.filter(|(_, needed)| *needed <= buffer_size).ok_or_else(|| {
            Error::invalid(format!(
                "buffer_size {buffer_size}: an array of shape {shape:?} with elements of {item} \
                 bytes needs more"
            ))
        })?;
        // SAFETY: the caller's memory, which is large enough.
        let bytes = unsafe { slice(buffer.cast::<u8>(), needed, "buffer")? };
        let src = View::contiguous(bytes, &counts, item)?;
        let created = store.0.create_array(&path, &ArraySpec::new(data_type, shape.to_vec()))?;
        let written = created.array.write(&Region::whole(shape), MemoryType::Native, &src);
        if let Err(e) = written.and_then(|()| created.array.flush()) {
            // what went wrong first is what is reported
            let _ = store.0.delete(&path);
            return Err(e);
        }
        match Out::new(array, "array") {
            // SAFETY: checked.
            Ok(out) => unsafe { out.set(handle(zarrc_array(Arc::new(created)))) },
            Err(_) => created.close()?,
        }
        Ok(())
    })
}

/// Creates an array specification with the current shape, data type, format, chunks, shards,
/// codecs, fill value and dimension names of an array, but not its attributes. Any setting may be
/// changed, the shape with zarrc_array_spec_set_shape().
///
/// @param array      the array to describe.
/// @param[out] spec  receives the specification; free it with zarrc_array_spec_free().
/// @return ZARRC_OK; ZARRC_LIMIT_EXCEEDED: the chunk grid lists more than a million extents;
///         ZARRC_INVALID_ARGUMENT.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_spec_new_like(
    array: *const zarrc_array,
    spec: *mut *mut zarrc_array_spec,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(spec, "spec")?;
        // SAFETY: the caller's handle.
        let spec = ArraySpec::like(unsafe { &object(array, "array")?.0 })?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_array_spec::of(spec))) };
        Ok(())
    })
}

/// Opens an array by URL, without a store handle.
///
/// @param url         the URL of a store whose root is an array, or of an array within a store:
///                    "data/run1.zarr/temperature", "s3://bucket/x.zarr/a/b", "x.zip|zip:a/b".
/// @param mode        ZARRC_READ or ZARRC_READ_WRITE.
/// @param options     settings for the store; NULL: the defaults. Copied: may be freed after the
///                    call.
/// @param[out] array  receives the array; close it with zarrc_array_close(), which closes the store
///                    too.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: there is no store or no array; ZARRC_UNSUPPORTED: this build
///         lacks the scheme, the data type, a codec or an extension (the message names it);
///         ZARRC_INVALID_METADATA; ZARRC_LIMIT_EXCEEDED; ZARRC_INVALID_ARGUMENT;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_open_url(
    url: *const c_char,
    mode: zarrc_mode,
    options: *const zarrc_options,
    array: *mut *mut zarrc_array,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(array, "array")?;
        // SAFETY: the caller's string and handle; NULL options are the defaults.
        let (url, options) = unsafe { (string(url, "url")?, options.as_ref()) };
        let mode = store::mode(mode)?;
        if !matches!(mode, Mode::Read | Mode::ReadWrite) {
            return Err(Error::invalid("mode: expected ZARRC_READ or ZARRC_READ_WRITE"));
        }
        let options = options.map(|options| options.0.clone()).unwrap_or_default();
        let opened = open_array_at(url, mode, &options)?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_array(Arc::new(opened)))) };
        Ok(())
    })
}

/// Creates an array from its metadata document, which is stored unchanged, and opens it. Creates
/// missing parent groups too.
///
/// @param store          the store. The array keeps it open.
/// @param path           the array's path; "" makes the array the root of the store.
/// @param format         a ZARRC_FORMAT_ constant other than ZARRC_FORMAT_ANY.
/// @param metadata_json  the document, such as the text of .zarray or zarr.json.
/// @param[out] array     receives the array; close it with zarrc_array_close().
/// @return ZARRC_OK; ZARRC_INVALID_METADATA: the document breaks its specification;
///         ZARRC_ALREADY_EXISTS: there is a node at `path`; ZARRC_UNSUPPORTED: this build lacks the
///         data type, a codec or an extension; ZARRC_INVALID_ARGUMENT: also a name that the format
///         does not allow, or a parent that is an array; ZARRC_LIMIT_EXCEEDED;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_create_json(
    store: *mut zarrc_store,
    path: *const c_char,
    format: zarrc_format,
    metadata_json: *const c_char,
    array: *mut *mut zarrc_array,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(array, "array")?;
        // SAFETY: the caller's handle and strings.
        let (store, path, json) = unsafe {
            let json = string(metadata_json, "metadata_json")?;
            (object(store, "store")?, node_path(path, "path")?, json)
        };
        let format = data_type::format(format)?
            .ok_or_else(|| Error::invalid("format ZARRC_FORMAT_ANY: expected a specific format"))?;
        let created = store.0.create_array_from_document(&path, format, json.as_bytes())?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_array(Arc::new(created)))) };
        Ok(())
    })
}

/// Opens an array from its metadata document without reading it from the store, for programs that
/// already have it, such as from zarrc_array_metadata_json() in another process. Writes nothing.
/// The document must equal the stored one: zarrc does not compare them, and calls on the array may
/// fail or mix both.
///
/// @param store          the store. The array keeps it open.
/// @param path           the array's path; "" is the root.
/// @param format         a ZARRC_FORMAT_ constant other than ZARRC_FORMAT_ANY.
/// @param metadata_json  the document, such as the text of .zarray or zarr.json.
/// @param[out] array     receives the array; close it with zarrc_array_close().
/// @return ZARRC_OK; ZARRC_INVALID_METADATA: the document breaks its specification;
///         ZARRC_UNSUPPORTED: this build lacks the data type, a codec or an extension;
///         ZARRC_LIMIT_EXCEEDED; ZARRC_INVALID_ARGUMENT.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_open_json(
    store: *mut zarrc_store,
    path: *const c_char,
    format: zarrc_format,
    metadata_json: *const c_char,
    array: *mut *mut zarrc_array,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(array, "array")?;
        // SAFETY: the caller's handle and strings.
        let (store, path, json) = unsafe {
            let json = string(metadata_json, "metadata_json")?;
            (object(store, "store")?, node_path(path, "path")?, json)
        };
        let format = data_type::format(format)?
            .ok_or_else(|| Error::invalid("format ZARRC_FORMAT_ANY: expected a specific format"))?;
        let opened = store.0.open_array_from_document(&path, format, json.as_bytes())?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_array(Arc::new(opened)))) };
        Ok(())
    })
}

/// Opens an array.
///
/// @param store       the store. The array keeps it open.
/// @param path        the array's path; "" is the root.
/// @param[out] array  receives the array; close it with zarrc_array_close().
/// @return ZARRC_OK; ZARRC_NOT_FOUND: there is no array (the message names the keys that were
///         tried); ZARRC_INVALID_METADATA; ZARRC_UNSUPPORTED: this build lacks the data type, a
///         codec or an extension (the message names it); ZARRC_LIMIT_EXCEEDED;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_open(
    store: *mut zarrc_store,
    path: *const c_char,
    array: *mut *mut zarrc_array,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(array, "array")?;
        // SAFETY: the caller's handle and string.
        let (store, path) = unsafe { (object(store, "store")?, node_path(path, "path")?) };
        let opened = store.0.open_array(&path)?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_array(Arc::new(opened)))) };
        Ok(())
    })
}

/// Closes an array: waits for its requests, writes what the option "write_buffer" holds back, and
/// frees the handle. Its attributes must not be used afterwards. The handle is invalid after the
/// call, even if the call fails; writes that failed are lost.
///
/// @param array  the array; may be NULL.
/// @return ZARRC_OK; ZARRC_CONFLICT: other writers kept changing a chunk; ZARRC_CORRUPT_DATA: a
///         chunk that was written in part does not decode; ZARRC_LIMIT_EXCEEDED;
///         ZARRC_OUT_OF_MEMORY; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_close(
    array: *mut zarrc_array,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle, not used any more.
        let array = unsafe { take(array) };
        array.map_or(Ok(()), |array| array.0.close())
    })
}
