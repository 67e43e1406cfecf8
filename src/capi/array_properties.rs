//! Properties of arrays: data type, shape, chunks, names, fill value.

use super::array::zarrc_array;
use super::attributes::zarrc_attributes;
use super::data_type::{self, ZARRC_NATIVE, zarrc_data_type, zarrc_format};
use super::spec::check_element;
use super::status::{zarrc_error, zarrc_status};
use super::{Out, give_extents, guard, object, owned_string, slice};
use crate::error::{Error, Kind};
use std::ffi::{c_char, c_void};

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
