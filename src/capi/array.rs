//! Creating, opening and inspecting arrays.

use super::attributes::zarrc_attributes;
use super::data_type::{self, ZARRC_NATIVE, zarrc_data_type, zarrc_format};
use super::group::node_path;
use super::spec::zarrc_array_spec;
use super::status::{zarrc_error, zarrc_status};
use super::store::zarrc_store;
use super::{Out, guard, handle, object, owned_string, slice, string, take};
use crate::error::{Error, Kind, Result};
use crate::hierarchy::ArrayNode;
use std::ffi::{c_char, c_void};

/// An open array. Any number of threads may read and write it at once; writes to different chunks
/// never disturb each other, and of two writes to the same part of a chunk the last one stays.
pub struct zarrc_array(pub(super) ArrayNode);

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
        unsafe { out.set(handle(zarrc_array(created))) };
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
        unsafe { out.set(handle(zarrc_array(created))) };
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
///         ZARRC_INVALID_ARGUMENT.
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
        unsafe { out.set(handle(zarrc_array(opened))) };
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
        unsafe { out.set(handle(zarrc_array(opened))) };
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
unsafe fn give_extents(extents: &[u64], rank: usize, to: *mut u64, name: &str) -> Result<()> {
    if rank != extents.len() {
        return Err(Error::invalid(format!("rank is {rank}, the array's is {}", extents.len())));
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
        if size != fill.len() {
            let what = format!("size is {size}, an element has {} bytes", fill.len());
            return Err(Error::invalid(what));
        }
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
