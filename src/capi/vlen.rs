//! Elements of variable length: strings, byte strings, runs of numbers, JSON. They come and go as
//! bytes, one element after the other, and offsets that say where each begins and ends.

use super::array::zarrc_array;
use super::io::region;
use super::status::{free, zarrc_error, zarrc_status};
use super::{Out, guard, handle, object, slice};
use crate::array::Variable;
use crate::error::{Context, Error, Result};

/// Elements of variable length that were read: element i, in C order of the box, is the bytes from
/// offsets[i] up to offsets[i + 1] (Arrow's large layout). Strings are UTF-8 without a NUL behind
/// them; runs (ZARRC_RAGGED) are their items in native byte order, of which offsets count the
/// bytes; an element of ZARRC_JSON is a JSON text. Read by any number of threads.
pub struct zarrc_vlen(pub(super) Variable);

/// Reads a box of an array of elements of variable length.
///
/// @param start        the first element, one index per dimension; NULL: the origin.
/// @param count        how many along each dimension; NULL: all from start on.
/// @param[out] values  to be freed with zarrc_vlen_free().
/// @return ZARRC_OK; ZARRC_TYPE_MISMATCH: the elements have a fixed size, which zarrc_array_read()
///         is for; ZARRC_OUT_OF_BOUNDS: the box leaves the array; ZARRC_CORRUPT_DATA: a chunk does
///         not decode, text that is not UTF-8 included (the message names it);
///         ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY: too large; ZARRC_INVALID_ARGUMENT;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
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

/// Writes a box of an array of elements of variable length. All elements are looked at before
/// anything is written. Each chunk is replaced whole or not at all, as in zarrc_array_write().
///
/// @param start    as in zarrc_array_read_vlen().
/// @param count    as in zarrc_array_read_vlen().
/// @param offsets  one more than there are elements in the box, never decreasing: element i, in C
///                 order, is `bytes[offsets[i] .. offsets[i + 1]]`.
/// @param bytes    at least as many as the last offset says; may be NULL if that is 0.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: offsets that decrease, a string that is not UTF-8, a
///         run that is no whole number of items, an element that is not JSON (the message names
///         the element); ZARRC_LIMIT_EXCEEDED: an element of 4 GiB or more; ZARRC_TYPE_MISMATCH:
///         the elements have a fixed size; ZARRC_CONFLICT: others kept writing the same chunk;
///         else as zarrc_array_read_vlen().
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
        .ok_or_else(|| Error::invalid("count is beyond memory"))?;
    // SAFETY: as promised.
    let offsets = unsafe { slice(offsets, offsets_count, "offsets")? };
    let end = usize::try_from(offsets.last().copied().unwrap_or(0))
        .map_err(|_| Error::invalid("offsets: the last is beyond memory"))?;
    // SAFETY: as promised.
    Ok((offsets, unsafe { slice(bytes, end, "bytes")? }))
}

/// How many elements were read; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_vlen_count(values: *const zarrc_vlen) -> usize {
    // SAFETY: the caller's handle.
    unsafe { values.as_ref() }.map_or(0, |v| v.0.offsets().len() - 1)
}

/// Where each element begins in the bytes, and behind the last where it ends: one number more than
/// there are elements, the first 0. Borrowed: good until the values are freed. NULL for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_vlen_offsets(values: *const zarrc_vlen) -> *const u64 {
    // SAFETY: the caller's handle.
    unsafe { values.as_ref() }.map_or(std::ptr::null(), |v| v.0.offsets().as_ptr())
}

/// The bytes of all elements, one after the other. Borrowed: good until the values are freed.
/// NULL for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_vlen_bytes(values: *const zarrc_vlen) -> *const u8 {
    // SAFETY: the caller's handle.
    unsafe { values.as_ref() }.map_or(std::ptr::null(), |v| v.0.bytes().as_ptr())
}

/// Frees what was read. NULL is accepted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_vlen_free(values: *mut zarrc_vlen) {
    free(values);
}
