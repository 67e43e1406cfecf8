//! Creating, opening and inspecting arrays.

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

/// An open array. Any number of threads may read and write it at once; writes to different chunks
/// never disturb each other, and of two writes to the same part of a chunk the last one stays.
pub struct zarrc_array(pub(super) Arc<ArrayNode>);

/// Creates an array and opens it. Groups above it that are missing are created too. Nothing is
/// written for its elements: they read as the fill value.
///
/// @param path        of the new node; "" for an array that is the whole store.
/// @param spec        what it is to be. Copied: may be freed at once.
/// @param[out] array  to be closed with zarrc_array_close().
/// @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is a node at that path;
///         ZARRC_INVALID_ARGUMENT: the description does not hold together (the message says why),
///         a name that the format does not allow, or an array above it; ZARRC_UNSUPPORTED: the
///         format cannot say it; ZARRC_LIMIT_EXCEEDED; ZARRC_PERMISSION_DENIED; ZARRC_IO.
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

/// Opens an array, or creates it where there is none. An array that is there is opened whatever it
/// is; zarrc_array_require() looks at its shape and type.
///
/// @param path        of the node; "" for an array that is the whole store.
/// @param spec        what a new array is to be. Copied: may be freed at once.
/// @param[out] array  to be closed with zarrc_array_close().
/// @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is a group at that path; ZARRC_INVALID_ARGUMENT,
///         ZARRC_UNSUPPORTED, ZARRC_LIMIT_EXCEEDED: as zarrc_array_create() or zarrc_array_open();
///         ZARRC_INVALID_METADATA; ZARRC_PERMISSION_DENIED; ZARRC_IO.
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

/// Opens an array that has the shape and the type of a description, or creates it where there is
/// none.
///
/// @param path        of the node; "" for an array that is the whole store.
/// @param spec        what the array is to be. Copied: may be freed at once.
/// @param[out] array  to be closed with zarrc_array_close().
/// @return as zarrc_array_open_or_create(); also ZARRC_ALREADY_EXISTS: there is an array of another
///         shape or type (the message says which).
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

/// Creates an array in place of whatever is at that path: a node that is there is deleted first,
/// with everything below it. The description is checked before that.
///
/// @param path        of the node; "" deletes all that the store holds.
/// @param spec        what the array is to be. Copied: may be freed at once.
/// @param[out] array  to be closed with zarrc_array_close().
/// @return ZARRC_OK; else as zarrc_array_create(), but never ZARRC_ALREADY_EXISTS unless others
///         create a node there at the same time.
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

/// Creates an array and writes all of its elements, in one call. Chunks, codecs and format are the
/// defaults of zarrc_array_spec_new(). If the elements cannot be written there is no array after
/// the call.
///
/// @param path         of the new node; "" for an array that is the whole store.
/// @param data_type    type of the elements, in the array and in memory; none that takes parameters
///                     or is of variable length.
/// @param rank         dimensions; 0 for an array of one element.
/// @param shape        `rank` extents (elements), slowest dimension first.
/// @param buffer       the elements, last dimension fastest; may be NULL if there are none.
/// @param buffer_size  its size (bytes), at least that of the elements.
/// @param[out] array   to be closed with zarrc_array_close(); NULL: the array is closed at once.
/// @return ZARRC_OK; else as zarrc_array_create() or zarrc_array_write().
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
            Error::invalid("data_type: only types without parameters and of fixed size")
        })?;
        let item = data_type.size();
        let counts: Option<Extents> = shape.iter().map(|&n| usize::try_from(n).ok()).collect();
        let sized = counts.and_then(|counts| {
            let needed = counts.iter().try_fold(item, |n, &c| n.checked_mul(c))?;
            Some((counts, needed))
        });
        let (counts, needed) = sized.filter(|(_, needed)| *needed <= buffer_size).ok_or_else(|| {
            Error::invalid(format!(
                "buffer_size is {buffer_size} bytes, an array of shape {shape:?} and elements of \
                 {item} bytes takes more"
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

/// Begins the description of an array like an existing one: its shape now, type, format, chunks,
/// shards, codecs, fill value and dimension names; not its attributes and elements. Everything can
/// be changed, the shape with zarrc_array_spec_set_shape().
///
/// @param[out] spec  to be freed with zarrc_array_spec_free().
/// @return ZARRC_OK; ZARRC_LIMIT_EXCEEDED: more than a million chunks are listed one by one;
///         ZARRC_INVALID_ARGUMENT.
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

/// Opens an array by one URL, without a store of its own.
///
/// @param url      where the array is: that of a store whose root is an array, or of an array
///                 within a store ("data/run1.zarr/temperature", "s3://bucket/x.zarr/a/b",
///                 "x.zip|zip:a/b").
/// @param mode     ZARRC_READ or ZARRC_READ_WRITE.
/// @param options  as in zarrc_store_open(); NULL: the defaults. Copied: may be freed at once.
/// @param[out] array  to be closed with zarrc_array_close(), which closes the store too.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: there is no store or no array; else as zarrc_store_open() or
///         zarrc_array_open().
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
            return Err(Error::invalid(
                "mode: an array is opened by ZARRC_READ or ZARRC_READ_WRITE",
            ));
        }
        let options = options.map(|options| options.0.clone()).unwrap_or_default();
        let opened = open_array_at(url, mode, &options)?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_array(Arc::new(opened)))) };
        Ok(())
    })
}

/// Creates an array from its metadata document, which is stored as it is given, and opens it.
///
/// @param format         one of the ZARRC_FORMAT_ constants, not ZARRC_FORMAT_ANY.
/// @param metadata_json  the document as it would stand in the store: .zarray or zarr.json.
/// @param[out] array     to be closed with zarrc_array_close().
/// @return as zarrc_array_create(); also ZARRC_INVALID_METADATA: the document breaks its
///         specification.
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
            .ok_or_else(|| Error::invalid("format must be said, ZARRC_FORMAT_ANY is none"))?;
        let created = store.0.create_array_from_document(&path, format, json.as_bytes())?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_array(Arc::new(created)))) };
        Ok(())
    })
}

/// Opens an array from its metadata document without reading it from the store: for a program that
/// has the document already, as from zarrc_array_metadata_json() of another process. Nothing is
/// written. Where the store holds another document, calls fail or mix the two: the caller must make
/// sure that it is the same.
///
/// @param store          an open store; the array keeps it alive.
/// @param path           the node's path, "" for the root.
/// @param format         one of the ZARRC_FORMAT_ constants, not ZARRC_FORMAT_ANY.
/// @param metadata_json  the document as it stands in the store: .zarray or zarr.json.
/// @param[out] array     close it with zarrc_array_close().
/// @return ZARRC_OK; ZARRC_INVALID_METADATA: the document breaks its specification;
///         ZARRC_UNSUPPORTED: a type, codec or extension that this build lacks;
///         ZARRC_LIMIT_EXCEEDED; ZARRC_INVALID_ARGUMENT.
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
            .ok_or_else(|| Error::invalid("format must be said, ZARRC_FORMAT_ANY is none"))?;
        let opened = store.0.open_array_from_document(&path, format, json.as_bytes())?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_array(Arc::new(opened)))) };
        Ok(())
    })
}

/// Opens an array.
///
/// @param[out] array  to be closed with zarrc_array_close().
/// @return ZARRC_OK; ZARRC_NOT_FOUND: there is none (the message says what was looked for);
///         ZARRC_INVALID_METADATA; ZARRC_UNSUPPORTED: a type, codec or extension that this
///         build does not have (the message names it); ZARRC_LIMIT_EXCEEDED;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
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

/// Closes an array, after what zarrc_array_flush() does; its attributes must not be used any more.
/// NULL is accepted.
///
/// @return as zarrc_array_flush(). The handle is gone whatever is returned, and with it what could
///         not be written.
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

/// The format that an array is stored in; ZARRC_FORMAT_ANY for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_format(array: *const zarrc_array) -> zarrc_format {
    // SAFETY: the caller's handle.
    unsafe { array.as_ref() }.map_or(data_type::ZARRC_FORMAT_ANY, |a| a.0.format() as zarrc_format)
}

/// The type of an array's elements with its parameters, as zarrc_array_spec_set_data_type() takes
/// it: "float32", ">f8" where the stored bytes are big-endian, "<M8[ns]", "|S12", the JSON of a
/// struct's fields, "string", "vlen-array:<f8".
///
/// @param[out] text  to be freed with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_UNSUPPORTED: no text says such a type; ZARRC_INVALID_ARGUMENT.
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

/// The name of a dimension: in Zarr v3 of the member dimension_names, in Zarr v2 of the attribute
/// _ARRAY_DIMENSIONS, in N5 of the attribute axes.
///
/// @param dimension  below the rank.
/// @param[out] name  UTF-8; NULL: the dimension has no name. Borrowed: good until the array is
///                   closed. Names that are attributes are as they were when first asked for.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: no such dimension; ZARRC_TYPE_MISMATCH: the name has a
///         NUL character; ZARRC_INVALID_METADATA, ZARRC_PERMISSION_DENIED, ZARRC_IO: the attributes
///         cannot be read.
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
            return Err(Error::invalid(format!("dimension is {dimension}, the rank is {rank}")));
        }
        let found = array.0.dimension_name(dimension)?;
        // SAFETY: checked above.
        unsafe { out.set(found.map_or(std::ptr::null(), |name| name.as_ptr())) };
        Ok(())
    })
}

/// Names CF's missing value in the attribute _FillValue, spelt as xarray and netCDF read it in the
/// array's format: in Zarr v3 that of a float is the Base64 of a double, else it is a number. The
/// fill value stays: what was never written reads as before. To have it read as missing too, call
/// zarrc_array_spec_set_missing_value() before the array is created.
///
/// @param value  one element as it lies in memory of type ZARRC_NATIVE; of variable length its
///               bytes.
/// @param size   its size in bytes.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: size is not that of an element, or the array is of Zarr
///         v2, where xarray takes the fill value for missing, and has another one;
///         ZARRC_TYPE_MISMATCH: CF has no missing value of the array's type (times, structs, raw
///         bytes); else as zarrc_attributes_set_json().
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

/// The type of an array's elements; ZARRC_NATIVE for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_data_type(array: *const zarrc_array) -> zarrc_data_type {
    // SAFETY: the caller's handle.
    let array = unsafe { array.as_ref() };
    array.map_or(ZARRC_NATIVE, |a| data_type::constant(&a.0.array.metadata().data_type))
}

/// Bytes of an element in memory of type ZARRC_NATIVE; 0 for variable-length types and NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_element_size(array: *const zarrc_array) -> usize {
    // SAFETY: the caller's handle.
    let array = unsafe { array.as_ref() };
    array.map_or(0, |a| match &a.0.array.metadata().data_type {
        variable if variable.is_variable() => 0,
        fixed => fixed.size(),
    })
}

/// Number of dimensions; 0 for NULL.
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
        return Err(Error::invalid(format!("rank is {rank}, it has to be {}", extents.len())));
    }
    if rank > 0 {
        Out::new(to, name)?;
        // SAFETY: as promised; the two do not overlap, one is ours.
        unsafe { std::ptr::copy_nonoverlapping(extents.as_ptr(), to, rank) };
    }
    Ok(())
}

/// The present shape, slowest dimension first, in elements.
///
/// @param rank        the array's.
/// @param[out] shape  `rank` numbers.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
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

/// The shape of the smallest pieces that are read and written on their own: of chunks, or of the
/// inner chunks where the chunks are shards. Where chunks have different shapes: the largest extent
/// along each dimension; zarrc_array_chunk_bounds() tells those of one.
///
/// @param rank              the array's.
/// @param[out] chunk_shape  `rank` numbers.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
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

/// How many chunks the array has along each dimension (shards, where there are some), those at
/// the edge included, whether anything is stored of them or not.
///
/// @param rank         the array's.
/// @param[out] counts  `rank` numbers.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
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

/// Which part of the array lies in one chunk (in one shard, where there are some): what
/// zarrc_array_read() and zarrc_array_write() take to work chunk by chunk.
///
/// @param rank        the array's.
/// @param index       `rank` numbers, each below that of zarrc_array_chunk_counts().
/// @param[out] start  `rank` numbers: the chunk's first element.
/// @param[out] count  `rank` numbers: its extents, as far as they lie inside the array.
/// @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: there is no such chunk; ZARRC_INVALID_ARGUMENT.
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
            return Err(Error::invalid(format!("rank is {rank}, the array's is {found}")));
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

/// The shape of a shard. Where shards have different shapes: the largest extent along each
/// dimension.
///
/// @param rank              the array's.
/// @param[out] shard_shape  `rank` numbers.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the array has no shards; ZARRC_INVALID_ARGUMENT.
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

/// The value of elements that were never written, as it lies in memory of type ZARRC_NATIVE.
/// Where the format says "undefined", it is zeros.
///
/// @param[out] value  `size` bytes.
/// @param size        zarrc_array_element_size().
/// @return ZARRC_OK; ZARRC_TYPE_MISMATCH: elements are of variable length,
///         zarrc_array_fill_value_json() is for them; ZARRC_INVALID_ARGUMENT.
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
                "the array's elements ({}) are of variable length: zarrc_array_fill_value_json() \
                 gives their fill value",
                metadata.data_type.name()
            );
            return Err(Error::new(Kind::TypeMismatch, what));
        }
        let fill = metadata.fill_element();
        if size != fill.size() {
            let what = format!("size is {size}, an element has {} bytes", fill.size());
            return Err(Error::invalid(what));
        }
        let fill = fill.bytes()?;
        // SAFETY: the caller's place of `size` bytes; the two do not overlap, one is ours.
        unsafe { std::ptr::copy_nonoverlapping(fill.as_ptr(), value.cast(), size) };
        Ok(())
    })
}

/// The same of any type as JSON, as the format's documents say it: a number, "NaN", a string, bytes
/// as Base64, any value for ZARRC_JSON; null where the document says "undefined".
///
/// @param[out] json  to be freed with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
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

/// The metadata document of an array as it is in the store now.
///
/// @param[out] json  to be freed with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_NOT_FOUND: it is gone; ZARRC_INVALID_ARGUMENT;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
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

/// The attributes of an array. Borrowed: good until the array is closed. NULL for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_attributes(array: *mut zarrc_array) -> *mut zarrc_attributes {
    // SAFETY: the caller's handle.
    match unsafe { array.as_ref() } {
        Some(array) => zarrc_attributes::borrowed(array.0.attributes()),
        None => std::ptr::null_mut(),
    }
}
