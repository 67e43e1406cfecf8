//! Arrays: create, open, properties.

use super::attributes::zarrc_attributes;
use super::data_type::{self, ZARRC_NATIVE, zarrc_data_type, zarrc_format};
use super::group::node_path;
use super::options::zarrc_options;
use super::spec::{check_element, zarrc_array_spec};
use super::status::{zarrc_error, zarrc_status};
use super::store::{self, zarrc_mode, zarrc_store};
use super::{Out, guard, handle, object, owned_string, slice, string, take};
use crate::array::MemoryType;
use crate::error::{Error, Kind, Result};
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

/// Returns the format of an array.
///
/// @param array  the array; may be NULL.
/// @return a ZARRC_FORMAT_ constant; ZARRC_FORMAT_ANY for NULL.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_format(array: *const zarrc_array) -> zarrc_format {
    // SAFETY: the caller's handle.
    unsafe { array.as_ref() }.map_or(data_type::ZARRC_FORMAT_ANY, |a| a.0.format() as zarrc_format)
}

/// Returns the data type with its parameters, as zarrc_array_spec_set_data_type() accepts it:
/// "float32", ">f8" if the stored bytes are big-endian, "<M8[ns]", "|S12", the JSON of a struct's
/// fields, "string", "vlen-array:<f8".
///
/// @param array      the array.
/// @param[out] text  receives the text; free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_UNSUPPORTED: no text expresses the type; ZARRC_INVALID_ARGUMENT.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_data_type_text(
    array: *const zarrc_array,
    text: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(text, "text")?;
        // SAFETY: the caller's handle.
        let value = unsafe { object(array, "array")? }.0.data_type_text()?;
        // SAFETY: checked above.
        unsafe { out.set(owned_string(value, "the data type")?) };
        Ok(())
    })
}

/// Returns the name of a dimension: in Zarr v3 from the member dimension_names, in v2 from the
/// attribute _ARRAY_DIMENSIONS, in N5 from the attribute axes. Names from attributes are read once.
///
/// @param array      the array.
/// @param dimension  the dimension, from 0.
/// @param[out] name  receives the name (UTF-8), borrowed: valid until the array is closed. NULL:
///                   the dimension has no name.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: also a dimension that is not below the rank;
///         ZARRC_TYPE_MISMATCH: the name contains a NUL character; ZARRC_INVALID_METADATA,
///         ZARRC_PERMISSION_DENIED, ZARRC_IO: the attributes cannot be read.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_dimension_name(
    array: *const zarrc_array,
    dimension: usize,
    name: *mut *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(name, "name")?;
        // SAFETY: the caller's handle.
        let array = unsafe { object(array, "array")? };
        let rank = array.0.array.rank();
        if dimension >= rank {
            return Err(Error::invalid(format!(
                "dimension {dimension}: expected less than the rank, \
                {rank}"
            )));
        }
        let found = array.0.dimension_name(dimension)?;
        // SAFETY: checked above.
        unsafe { out.set(found.map_or(std::ptr::null(), |name| name.as_ptr())) };
        Ok(())
    })
}

/// Sets the attribute _FillValue to CF's missing value, spelt as xarray and netCDF read it in the
/// array's format: the Base64 of a double for floats of Zarr v3, else a number. Does not change the
/// fill value; zarrc_array_spec_set_missing_value(), before the array is created, sets both.
///
/// @param array  the array to change.
/// @param value  one element in memory layout (ZARRC_NATIVE); for variable-length types its bytes.
/// @param size   its size (bytes).
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `size` is not the element size, or the array is of
///         Zarr v2, where xarray treats the fill value as missing, and has another fill value;
///         ZARRC_TYPE_MISMATCH: CF has no missing value of this type (times, structs, raw bytes);
///         ZARRC_CONFLICT: other writers kept changing the document; ZARRC_INVALID_METADATA: the
///         document is damaged; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_set_missing_value(
    array: *mut zarrc_array,
    value: *const c_void,
    size: usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and memory.
        let (array, value) =
            unsafe { (object(array, "array")?, slice(value.cast::<u8>(), size, "value")?) };
        check_element(&array.0.array.metadata().data_type, value)?;
        array.0.set_missing_value(value)
    })
}

/// Returns the data type of an array's elements.
///
/// @param array  the array; may be NULL.
/// @return a ZARRC_ data type; ZARRC_NATIVE for NULL.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_data_type(array: *const zarrc_array) -> zarrc_data_type {
    // SAFETY: the caller's handle.
    let array = unsafe { array.as_ref() };
    array.map_or(ZARRC_NATIVE, |a| data_type::constant(&a.0.array.metadata().data_type))
}

/// Returns the size of an element in memory of type ZARRC_NATIVE.
///
/// @param array  the array; may be NULL.
/// @return the size (bytes); 0 for variable-length types and for NULL.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_element_size(array: *const zarrc_array) -> usize {
    // SAFETY: the caller's handle.
    let array = unsafe { array.as_ref() };
    array.map_or(0, |a| match &a.0.array.metadata().data_type {
        variable if variable.is_variable() => 0,
        fixed => fixed.size(),
    })
}

/// Returns the number of dimensions of an array.
///
/// @param array  the array; may be NULL.
/// @return the number of dimensions; 0 for NULL.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_rank(array: *const zarrc_array) -> usize {
    // SAFETY: the caller's handle.
    unsafe { array.as_ref() }.map_or(0, |a| a.0.array.rank())
}

/// Writes extents out.
///
/// SAFETY: `to` is NULL or good for writing `rank` numbers.
pub(super) unsafe fn give_extents(
    extents: &[u64],
    rank: usize,
    to: *mut u64,
    name: &str,
) -> Result<()> {
    if rank != extents.len() {
        return Err(Error::invalid(format!("rank {rank}: expected {}", extents.len())));
    }
    if rank > 0 {
        Out::new(to, name)?;
        // SAFETY: as promised; the two do not overlap, one is ours.
        unsafe { std::ptr::copy_nonoverlapping(extents.as_ptr(), to, rank) };
    }
    Ok(())
}

/// Returns the shape as this handle knows it: zarrc_array_refresh() reads it again.
///
/// @param array       the array.
/// @param rank        the array's rank.
/// @param[out] shape  receives `rank` extents (elements), slowest dimension first.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_shape(
    array: *const zarrc_array,
    rank: usize,
    shape: *mut u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and place.
        unsafe { give_extents(&object(array, "array")?.0.array.shape(), rank, shape, "shape") }
    })
}

/// Returns the shape of a chunk, or of an inner chunk if the array has shards: the smallest unit
/// that is decoded on its own. If chunks have different shapes, returns the largest extent along
/// each dimension; zarrc_array_chunk_bounds() returns those of one chunk.
///
/// @param array             the array.
/// @param rank              the array's rank.
/// @param[out] chunk_shape  receives `rank` extents (elements).
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_chunk_shape(
    array: *const zarrc_array,
    rank: usize,
    chunk_shape: *mut u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and place.
        unsafe {
            let chunks = object(array, "array")?.0.array.chunk_shape();
            give_extents(&chunks, rank, chunk_shape, "chunk_shape")
        }
    })
}

/// Returns the number of chunks (shards, if the array has them) along each dimension, stored or
/// not, including those at the edge.
///
/// @param array        the array.
/// @param rank         the array's rank.
/// @param[out] counts  receives `rank` numbers.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_chunk_counts(
    array: *const zarrc_array,
    rank: usize,
    counts: *mut u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and place.
        unsafe {
            let array = &object(array, "array")?.0.array;
            give_extents(&array.chunk_counts(), rank, counts, "counts")
        }
    })
}

/// Returns the box of the array that one chunk (shard, if the array has them) covers. Pass it to
/// zarrc_array_read() and zarrc_array_write() to work chunk by chunk.
///
/// @param array       the array.
/// @param rank        the array's rank.
/// @param index       `rank` numbers, each less than zarrc_array_chunk_counts() returns.
/// @param[out] start  receives `rank` indices: the chunk's first element.
/// @param[out] count  receives `rank` extents (elements), clipped to the array's shape.
/// @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: there is no such chunk; ZARRC_INVALID_ARGUMENT.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_chunk_bounds(
    array: *const zarrc_array,
    rank: usize,
    index: *const u64,
    start: *mut u64,
    count: *mut u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle.
        let array = unsafe { &object(array, "array")?.0.array };
        if rank != array.rank() {
            let found = array.rank();
            return Err(Error::invalid(format!("rank {rank}: expected {found}, the array's")));
        }
        // SAFETY: the caller's numbers.
        let (starts, counts) = array.chunk_bounds(unsafe { slice(index, rank, "index") }?)?;
        // SAFETY: the caller's places.
        unsafe {
            give_extents(&starts, rank, start, "start")?;
            give_extents(&counts, rank, count, "count")
        }
    })
}

/// Returns the shape of a shard. If shards have different shapes, returns the largest extent along
/// each dimension.
///
/// @param array             the array.
/// @param rank              the array's rank.
/// @param[out] shard_shape  receives `rank` extents (elements).
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the array has no shards; ZARRC_INVALID_ARGUMENT.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_shard_shape(
    array: *const zarrc_array,
    rank: usize,
    shard_shape: *mut u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and place.
        unsafe {
            let array = &object(array, "array")?.0.array;
            if rank == array.rank() && !array.is_sharded() {
                if rank > 0 {
                    Out::new(shard_shape, "shard_shape")?;
                }
                return Err(Error::new(
                    Kind::NotFound,
                    format!("array {} has no shards", array.path()),
                ));
            }
            give_extents(&array.outer_chunk_shape(), rank, shard_shape, "shard_shape")
        }
    })
}

/// Returns the fill value: the value of elements that were never written. A fill value that the
/// document leaves undefined is returned as zeros.
///
/// @param array       the array.
/// @param[out] value  receives one element in memory layout (ZARRC_NATIVE).
/// @param size        the size of `value` (bytes); must be zarrc_array_element_size().
/// @return ZARRC_OK; ZARRC_TYPE_MISMATCH: elements have variable length: use
///         zarrc_array_fill_value_json(); ZARRC_INVALID_ARGUMENT.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_fill_value(
    array: *const zarrc_array,
    value: *mut c_void,
    size: usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        Out::new(value, "value")?;
        // SAFETY: the caller's handle.
        let array = unsafe { object(array, "array")? };
        let metadata = array.0.array.metadata();
        if metadata.data_type.is_variable() {
            let what = format!(
                "the array's elements ({}) have variable length: use zarrc_array_fill_value_json()",
                metadata.data_type.name()
            );
            return Err(Error::new(Kind::TypeMismatch, what));
        }
        let fill = metadata.fill_element();
        if size != fill.size() {
            let what =
                format!("size {size}: expected {}, the size of an element (bytes)", fill.size());
            return Err(Error::invalid(what));
        }
        let fill = fill.bytes()?;
        // SAFETY: the caller's place of `size` bytes; the two do not overlap, one is ours.
        unsafe { std::ptr::copy_nonoverlapping(fill.as_ptr(), value.cast(), size) };
        Ok(())
    })
}

/// Returns the fill value as JSON, spelt as in the format's documents: a number, "NaN", a string,
/// bytes as Base64, any value for ZARRC_JSON; null if the document leaves it undefined.
///
/// @param array      the array.
/// @param[out] json  receives the JSON text; free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_fill_value_json(
    array: *const zarrc_array,
    json: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(json, "json")?;
        // SAFETY: the caller's handle.
        let text = unsafe { object(array, "array")? }.0.fill_json()?;
        // SAFETY: checked above.
        unsafe { out.set(owned_string(text, "the fill value")?) };
        Ok(())
    })
}

/// Reads the metadata document of an array from the store.
///
/// @param array      the array.
/// @param[out] json  receives the document; free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the array no longer exists; ZARRC_INVALID_ARGUMENT;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_metadata_json(
    array: *const zarrc_array,
    json: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(json, "json")?;
        // SAFETY: the caller's handle.
        let text = unsafe { object(array, "array")? }.0.document()?;
        // SAFETY: checked above.
        unsafe { out.set(owned_string(text, "the document")?) };
        Ok(())
    })
}

/// Returns the attributes of an array.
///
/// @param array  the array; may be NULL.
/// @return the attributes, borrowed: valid until the array is closed. NULL for NULL.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_attributes(array: *mut zarrc_array) -> *mut zarrc_attributes {
    // SAFETY: the caller's handle.
    match unsafe { array.as_ref() } {
        Some(array) => zarrc_attributes::borrowed(array.0.attributes()),
        None => std::ptr::null_mut(),
    }
}
