//! Elements of variable length: strings, byte strings, lists of numbers, JSON. C passes them as
//! concatenated bytes, and offsets that say where each element begins and ends.

use super::array::zarrc_array;
use super::io::region;
use super::status::{free, zarrc_error, zarrc_status};
use super::{Out, guard, handle, object, slice};
use crate::array::Variable;
use crate::error::{Context, Error, Result};

/// Elements of variable length that were read, in C order. Element i is the bytes from offsets[i]
/// to offsets[i + 1] (Arrow's large layout): UTF-8 without a trailing NUL for ZARRC_STRING, the
/// items in native byte order for ZARRC_RAGGED (offsets count bytes), JSON text for ZARRC_JSON.
///
/// Immutable: any number of threads may use it at once.
pub struct zarrc_vlen(pub(super) Variable);

/// Reads a box of an array of variable-length elements.
///
/// @param array        the array.
/// @param start        the first element, one index per dimension; NULL: the origin.
/// @param count        the extents of the box (elements); NULL: to the end of each dimension.
/// @param[out] values  receives the elements in C order; free them with zarrc_vlen_free().
/// @return ZARRC_OK; ZARRC_TYPE_MISMATCH: elements have a fixed size: use zarrc_array_read();
///         ZARRC_OUT_OF_BOUNDS: the box leaves the array; ZARRC_CORRUPT_DATA: a chunk does not
///         decode, or holds text that is not UTF-8 (the message names it); ZARRC_LIMIT_EXCEEDED,
///         ZARRC_OUT_OF_MEMORY: too large; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED;
///         ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_read_vlen(
    array: *const zarrc_array,
    start: *const u64,
    count: *const u64,
    values: *mut *mut zarrc_vlen,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(values, "values")?;
        // SAFETY: the caller's handle and numbers.
        let (array, region) = unsafe {
            let array = &object(array, "array")?.0.array;
            (array, region(array, start, std::ptr::null(), count)?)
        };
        array.settle_region(&region, false);
        let read = array.read_vlen(&region)?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_vlen(read))) };
        Ok(())
    })
}

/// Writes a box of an array of variable-length elements. Checks all elements before it writes.
/// Replaces each chunk as a whole, as zarrc_array_write() does.
///
/// @param array    the array.
/// @param start    the first element, one index per dimension; NULL: the origin.
/// @param count    the extents of the box (elements); NULL: to the end of each dimension.
/// @param offsets  one number more than the box has elements, never decreasing: element i, in C
///                 order, is `bytes[offsets[i] .. offsets[i + 1]]`.
/// @param bytes    the bytes of all elements; may be NULL if the last offset is 0.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: offsets decrease, or an element is not valid (a string
///         that is not UTF-8, a ragged element that is not a whole number of items, invalid JSON;
///         the message names the element); ZARRC_LIMIT_EXCEEDED: an element has 4 GiB or more, or a
///         chunk is too large; ZARRC_TYPE_MISMATCH: elements have a fixed size: use
///         zarrc_array_write(); ZARRC_OUT_OF_BOUNDS: the box leaves the array; ZARRC_CONFLICT:
///         other writers kept changing the same chunk; ZARRC_CORRUPT_DATA: a chunk that the box
///         covers in part does not decode; ZARRC_OUT_OF_MEMORY; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_write_vlen(
    array: *mut zarrc_array,
    start: *const u64,
    count: *const u64,
    offsets: *const u64,
    bytes: *const u8,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle, numbers and memory; how much memory, the offsets say.
        unsafe {
            let array = &object(array, "array")?.0.array;
            let region = region(array, start, std::ptr::null(), count)?;
            let place = || format!("array {}", array.path());
            let counts: Vec<u64> = region.spans().iter().map(|s| s.count).collect();
            let (offsets, bytes) = given(&counts, offsets, bytes).at(place)?;
            array.settle_region(&region, true);
            array.write_vlen(&region, offsets, bytes)
        }
    })
}

/// The offsets and bytes of a box of elements.
///
/// SAFETY: there are as many offsets as the box takes, and as many bytes as the last says.
pub(super) unsafe fn given<'a>(
    shape: &[u64],
    offsets: *const u64,
    bytes: *const u8,
) -> Result<(&'a [u64], &'a [u8])> {
    let elements = match shape.contains(&0) {
        true => Some(0),
        false => shape.iter().try_fold(1u64, |n, &extent| n.checked_mul(extent)),
    };
    let offsets_count = elements
        .and_then(|n| usize::try_from(n).ok())
        .and_then(|n| n.checked_add(1))
        .ok_or_else(|| Error::invalid("count exceeds the address space"))?;
    // SAFETY: as promised.
    let offsets = unsafe { slice(offsets, offsets_count, "offsets")? };
    let end = usize::try_from(offsets.last().copied().unwrap_or(0))
        .map_err(|_| Error::invalid("offsets: the last one exceeds the address space"))?;
    // SAFETY: as promised.
    Ok((offsets, unsafe { slice(bytes, end, "bytes")? }))
}

/// Returns the number of elements.
///
/// @param values  the elements; may be NULL.
/// @return the number of elements; 0 for NULL.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_vlen_count(values: *const zarrc_vlen) -> usize {
    // SAFETY: the caller's handle.
    unsafe { values.as_ref() }.map_or(0, |v| v.0.offsets().len() - 1)
}

/// Returns where each element starts in the bytes, and where the last one ends.
///
/// @param values  the elements; may be NULL.
/// @return zarrc_vlen_count() + 1 numbers (bytes), the first of them 0; borrowed: valid until the
///         elements are freed. NULL for NULL.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_vlen_offsets(values: *const zarrc_vlen) -> *const u64 {
    // SAFETY: the caller's handle.
    unsafe { values.as_ref() }.map_or(std::ptr::null(), |v| v.0.offsets().as_ptr())
}

/// Returns the bytes of all elements, one after the other.
///
/// @param values  the elements; may be NULL.
/// @return the bytes, borrowed: valid until the elements are freed. NULL for NULL.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_vlen_bytes(values: *const zarrc_vlen) -> *const u8 {
    // SAFETY: the caller's handle.
    unsafe { values.as_ref() }.map_or(std::ptr::null(), |v| v.0.bytes().as_ptr())
}

/// Frees elements of variable length.
///
/// @param values  the elements; may be NULL.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_vlen_free(values: *mut zarrc_vlen) {
    free(values);
}
