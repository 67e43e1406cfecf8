//! Changing the shape of an array: append, grow, resize.

use super::array::zarrc_array;
use super::callbacks::call as callback;
use super::data_type::{memory_type, zarrc_data_type};
use super::status::{zarrc_error, zarrc_status};
use super::{guard, object, slice};
use crate::error::{Context, Error, Kind, Result};
use crate::hierarchy::ArrayNode;
use crate::strided::{Extents, View};
use std::ffi::{CString, c_char, c_void};

/// An array and extents with its rank.
///
/// SAFETY: the handle is one, `values` NULL or `rank` numbers.
unsafe fn with_extents<'a>(
    array: *const zarrc_array,
    rank: usize,
    values: *const u64,
    name: &str,
) -> Result<(&'a ArrayNode, &'a [u64])> {
    // SAFETY: as promised.
    let array = unsafe { &object(array, "array")?.0 };
    if rank != array.array.rank() {
        let found = array.array.rank();
        return Err(Error::invalid(format!("rank {rank}: expected {found}, the array's")));
    }
    // SAFETY: as promised.
    Ok((array, unsafe { slice(values, rank, name)? }))
}

/// The block that is appended: as the caller says, or one step with the array's other extents.
///
/// SAFETY: `count` is NULL or has the array's rank.
unsafe fn block(array: &ArrayNode, axis: usize, count: *const u64) -> Result<Vec<u64>> {
    let mut block = array.array.shape();
    let rank = block.len();
    if axis >= rank {
        return Err(Error::invalid(format!("axis {axis}: expected less than the rank, {rank}")));
    }
    match count.is_null() {
        true => block[axis] = 1,
        // SAFETY: as promised.
        false => block.copy_from_slice(unsafe { slice(count, rank, "count")? }),
    }
    Ok(block)
}

/// Appends a block of elements: the array grows along one dimension by the block's extent there.
///
/// The elements are written before the shape: a reader sees the old array or the one with the whole
/// block, even if the writer is killed. The block goes behind the array's end in the store, which
/// may lie beyond the shape that this handle knows; the handle has the new shape afterwards.
///
/// Any number of threads and processes may append to the same array: no block is lost and none
/// overwrites another. Appenders wait for each other: in a directory by a file lock
/// (".zarrc-lock.tmp" beside the metadata document), in other stores by the key ".zarrc-lock"
/// there, which another appender takes over 10 seconds after its holder was killed. The option
/// "write_buffer" does not hold appended blocks back.
///
/// @param array        the array.
/// @param axis         the dimension along which the array grows, from 0.
/// @param count        the block's extents (elements): any along `axis`, the array's in all other
///                     dimensions; NULL: 1 along `axis`.
/// @param memory_type  data type of the elements in memory; ZARRC_NATIVE: as stored, in native byte
///                     order.
/// @param buffer       the block, last dimension fastest. May be NULL if the block is empty.
/// @param buffer_size  the size of `buffer` (bytes), at least that of the block.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: no such axis, or extents that differ from the array's;
///         ZARRC_TYPE_MISMATCH: a value does not fit, or elements have variable length: use
///         zarrc_array_append_vlen(); ZARRC_CONFLICT: others kept changing the array, or replaced
///         it by another one; ZARRC_NOT_FOUND: the array no longer exists; ZARRC_LIMIT_EXCEEDED;
///         ZARRC_OUT_OF_MEMORY; ZARRC_PERMISSION_DENIED; ZARRC_IO. After an error the array has its
///         old extent.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_append(
    array: *mut zarrc_array,
    axis: usize,
    count: *const u64,
    memory_type: zarrc_data_type,
    buffer: *const c_void,
    buffer_size: usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle.
        let node = unsafe { &object(array, "array")?.0 };
        let stored = &node.array.metadata().data_type;
        let place = || format!("array {}", node.array.path());
        let memory = self::memory_type(memory_type, stored).at(place)?;
        // SAFETY: the caller's numbers.
        let block = unsafe { block(node, axis, count)? };
        let item = memory.size(stored);
        let fits = |&n: &u64| usize::try_from(n).ok();
        let counts: Option<Extents> = block.iter().map(fits).collect();
        let needed = |counts: &Extents| counts.iter().try_fold(item, |n, &c| n.checked_mul(c));
        let sized = counts.and_then(|counts| needed(&counts).map(|needed| (counts, needed)));
        let (counts, needed) = match sized {
            Some((counts, needed)) if needed <= buffer_size => (counts, needed),
            sized => {
                let needed = sized.map_or("more than 2^64".into(), |(_, n)| n.to_string());
                return Err(Error::invalid(format!(
                    "buffer_size {buffer_size}: the block of {block:?} elements of {item} bytes \
                     needs {needed}"
                )));
            }
        };
        // SAFETY: the caller's memory, which is large enough.
        let bytes = unsafe { slice(buffer.cast::<u8>(), needed, "buffer")? };
        let src = View::contiguous(bytes, &counts, item)?;
        node.append(axis, &block, &|extent, region| {
            node.array.write_ahead(extent, region, memory, &src)
        })
        .map(|_| ())
    })
}

/// Appends a block of variable-length elements, as zarrc_array_append() does.
///
/// @param array    the array.
/// @param axis     the dimension along which the array grows, from 0.
/// @param count    the block's extents (elements): any along `axis`, the array's in all other
///                 dimensions; NULL: 1 along `axis`.
/// @param offsets  one number more than the block has elements, never decreasing: element i, in C
///                 order, is `bytes[offsets[i] .. offsets[i + 1]]`.
/// @param bytes    the bytes of all elements; may be NULL if the last offset is 0.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: no such axis, extents that differ from the array's,
///         offsets that decrease, or an element that is not valid (the message names it);
///         ZARRC_TYPE_MISMATCH: elements have a fixed size: use zarrc_array_append();
///         ZARRC_CONFLICT: others kept changing the array, or replaced it by another one;
///         ZARRC_NOT_FOUND: the array no longer exists; ZARRC_LIMIT_EXCEEDED; ZARRC_OUT_OF_MEMORY;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO. After an error the array has its old extent.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_append_vlen(
    array: *mut zarrc_array,
    axis: usize,
    count: *const u64,
    offsets: *const u64,
    bytes: *const u8,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle.
        let node = unsafe { &object(array, "array")?.0 };
        node.array.check_variable()?;
        // SAFETY: the caller's numbers.
        let block = unsafe { block(node, axis, count)? };
        let elements = block.iter().try_fold(1u64, |n, &c| n.checked_mul(c));
        let elements = elements.and_then(|n| usize::try_from(n).ok()?.checked_add(1));
        let elements = elements.ok_or_else(|| Error::invalid("count exceeds the address space"))?;
        // SAFETY: the caller's numbers.
        let offsets = unsafe { slice(offsets, elements, "offsets")? };
        let end = usize::try_from(offsets.last().copied().unwrap_or(0))
            .map_err(|_| Error::invalid("offsets: the last one exceeds the address space"))?;
        // SAFETY: the caller's memory; how much, the offsets say.
        let bytes = unsafe { slice(bytes, end, "bytes")? };
        node.append(axis, &block, &|extent, region| {
            node.array.write_vlen_ahead(extent, region, offsets, bytes)
        })
        .map(|_| ())
    })
}

/// Writes a block that zarrc_array_append_with() appends.
///
/// @param user      what that function received.
/// @param grown     the array as it will be, with the block; valid during the call. The callback
///                  writes through it, or through handles that zarrc_array_open_json() opened.
/// @param document  the array's metadata document as it will be; valid during the call.
/// @param first     where the block begins along the axis (elements).
/// @param err       receives the error; never NULL.
/// @return ZARRC_OK: the array now grows; another status: it keeps its shape.
pub type zarrc_append_write = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        grown: *mut zarrc_array,
        document: *const c_char,
        first: u64,
        err: *mut zarrc_error,
    ) -> zarrc_status,
>;

/// Appends a block that a callback writes, in any number of calls, threads or processes: the array
/// grows along one dimension once the callback has returned ZARRC_OK. Else it works as
/// zarrc_array_append() does: a reader sees the old array or the one with the whole block, and
/// appenders wait for each other, so the callback must not append to this array.
///
/// The callback must write every element of the block: others would read as the fill value, or as
/// what a killed writer left there. If others change the array meanwhile, the callback may be
/// called again with another `first`.
///
/// @param array   the array. The handle has the new shape afterwards.
/// @param axis    the dimension along which the array grows, from 0.
/// @param extent  the block's extent along `axis` (elements); 0: nothing is appended, and `write`
///                not called.
/// @param write   the callback; called on this thread.
/// @param user    passed to `write`.
/// @return ZARRC_OK; what `write` returned; ZARRC_INVALID_ARGUMENT: no such axis, or `write` is
///         NULL; ZARRC_CONFLICT: others kept changing the array, or replaced it by another one;
///         ZARRC_NOT_FOUND: the array no longer exists; ZARRC_LIMIT_EXCEEDED;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO. After an error the array has its old extent.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_append_with(
    array: *mut zarrc_array,
    axis: usize,
    extent: u64,
    write: zarrc_append_write,
    user: *mut c_void,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle.
        let node = unsafe { &object(array, "array")?.0 };
        let write = write.ok_or_else(|| Error::invalid("write is NULL"))?;
        // SAFETY: without counts.
        let mut block = unsafe { block(node, axis, std::ptr::null())? };
        block[axis] = extent;
        node.append_through(axis, &block, |grown, document, first| {
            let mut grown = zarrc_array(grown.clone());
            let text = CString::new(document)
                .map_err(|_| Error::new(Kind::InvalidMetadata, "the document holds a NUL"))?;
            let document = text.as_ptr();
            // SAFETY: the caller's function; the handle lives until it has returned.
            let called =
                callback(|err| unsafe { write(user, &raw mut grown, document, first, err) });
            called.and_then(|found| match found {
                true => Ok(()),
                false => Err(Error::new(Kind::NotFound, "the callback returned ZARRC_NOT_FOUND")),
            })
        })
        .map(|_| ())
    })
}

/// Makes an array at least as large as a shape in every dimension, and never smaller: where the
/// stored array is already larger, it stays. New elements read as the fill value, even where killed
/// writers left chunks.
///
/// With the options overwrite=in_place and write_buffer, an array that collects elements collects a
/// larger shape too: others see it once this handle stores a chunk, is flushed or is closed, and
/// errors of storing it, those below among them, are returned by that call.
///
/// @param array  the array.
/// @param rank   the array's rank.
/// @param shape  `rank` extents (elements).
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_NOT_FOUND: the array no longer exists;
///         ZARRC_CONFLICT: others kept changing the array, or replaced it by another one;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_grow(
    array: *mut zarrc_array,
    rank: usize,
    shape: *const u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and numbers.
        let (array, shape) = unsafe { with_extents(array, rank, shape, "shape")? };
        array.grow(shape)
    })
}

/// Changes the shape of an array. New elements read as the fill value; elements outside a smaller
/// shape are deleted and do not return.
///
/// Never deletes elements that this handle has not seen: if others have resized the array since it
/// was opened or refreshed, the call fails with ZARRC_CONFLICT and says what it would have deleted.
/// Call zarrc_array_refresh() first to delete it nevertheless. To append, use zarrc_array_append();
/// to grow without ever deleting, zarrc_array_grow(). Other handles to the array keep their shape
/// until they are refreshed.
///
/// With the options overwrite=in_place and write_buffer, an array that collects elements collects a
/// larger shape too: others see it once this handle stores a chunk, is flushed or is closed, and
/// errors of storing it are returned by that call. If others have made the array larger meanwhile,
/// it stays as large as they made it.
///
/// @param array  the array.
/// @param rank   the array's rank.
/// @param shape  `rank` extents (elements).
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_NOT_FOUND: the array no longer exists;
///         ZARRC_CONFLICT: the call would delete elements that this handle has not seen, others
///         kept changing the array, or replaced it by another one; ZARRC_PERMISSION_DENIED;
///         ZARRC_IO. After an error the array has its old shape; some of the elements outside the
///         new one may be deleted.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_resize(
    array: *mut zarrc_array,
    rank: usize,
    shape: *const u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and numbers.
        let (array, shape) = unsafe { with_extents(array, rank, shape, "shape")? };
        array.resize(shape)
    })
}

/// Reads the metadata document of an array again: updates the handle's shape and its attributes.
/// Drops what the option "write_buffer" holds of chunks that lie outside the new shape.
///
/// @param array  the array.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: the array no longer exists; ZARRC_CONFLICT: another array (of
///         another data type, or with other chunks, codecs or fill value) has replaced it;
///         ZARRC_INVALID_METADATA; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO. After
///         an error the handle is unchanged.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_refresh(
    array: *mut zarrc_array,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle.
        unsafe { object(array, "array") }?.0.refresh()
    })
}
