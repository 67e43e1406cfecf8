//! Selections: points, lists of indices, masks, blocks, fields.

use super::array::zarrc_array;
use super::data_type::{memory_type, zarrc_data_type};
use super::status::{free, zarrc_error, zarrc_status};
use super::{Out, guard, guard_value, handle, object, object_mut, room, slice, string};
use crate::array::{FieldPart, MemoryType};
use crate::error::{Context, Error, Result};
use crate::hierarchy::ArrayNode;
use crate::selection::Selection;
use std::ffi::c_char;
use std::sync::Arc;

/// The elements of an array that a call reads or writes, as NumPy's indexing and zarr-python's
/// `oindex` select them.
///
/// Either each dimension has a selection of its own (a range, an index, a list of indices or a
/// mask), or points or an element mask select single elements. Setting one dimension after points
/// or an element mask resets the other dimensions to all indices. Setting points, an element mask
/// or blocks replaces all earlier settings.
///
/// The result has one dimension for each range, list and mask, in the array's order; an index drops
/// its dimension. Points and an element mask give a result of one dimension. Indices may repeat and
/// have any order: a read returns the element each time; of several values written to one element,
/// the last in C order stays.
///
/// One thread at a time may set a selection; then any number of threads may use it for any number
/// of calls. It keeps its array open. If the array shrinks below the selection, calls fail with
/// ZARRC_OUT_OF_BOUNDS.
pub struct zarrc_selection {
    pub(super) selection: Selection,
    pub(super) field: Option<FieldPart>,
    pub(super) array: Arc<ArrayNode>,
}

impl zarrc_selection {
    /// The type of what is read and written.
    pub(super) fn memory(&self, constant: zarrc_data_type) -> Result<MemoryType> {
        let stored = &self.array.array.metadata().data_type;
        memory_type(constant, self.field.as_ref().map_or(stored, FieldPart::data_type))
    }
}

/// Runs a setter on a selection that is being built.
///
/// SAFETY: the handle is one, and used by nobody else.
unsafe fn change(
    selection: *mut zarrc_selection,
    err: *mut zarrc_error,
    body: impl FnOnce(&mut zarrc_selection) -> Result<()>,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: as promised.
        let selection = unsafe { object_mut(selection, "selection")? };
        let array = selection.array.clone();
        body(selection).at(|| format!("array {}", array.array.path()))
    })
}

/// Creates a selection of all elements of an array.
///
/// @param array           the array. The selection keeps it open: it may be closed first.
/// @param[out] selection  receives the selection; free it with zarrc_selection_free().
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_selection_new(
    array: *const zarrc_array,
    selection: *mut *mut zarrc_selection,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(selection, "selection")?;
        // SAFETY: the caller's handle.
        let array = unsafe { object(array, "array")?.0.clone() };
        let selection = Selection::all(&array.array.shape());
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_selection { selection, field: None, array })) };
        Ok(())
    })
}

/// Frees a selection.
///
/// @param selection  the selection; may be NULL.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_selection_free(selection: *mut zarrc_selection) {
    free(selection);
}

/// Selects a range of one dimension: the indices `start + k * step` for k from 0 to count - 1.
///
/// @param selection  the selection to change.
/// @param dimension  the dimension, from 0.
/// @param start      the first index.
/// @param step       the distance between indices; may be negative, but not 0.
/// @param count      the number of indices; may be 0.
/// @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: an index lies outside the dimension;
///         ZARRC_INVALID_ARGUMENT.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_selection_set_range(
    selection: *mut zarrc_selection,
    dimension: usize,
    start: u64,
    step: i64,
    count: u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handle.
    unsafe { change(selection, err, |s| s.selection.set_range(dimension, start, step, count)) }
}

/// Selects one index of one dimension, and drops the dimension from the result.
///
/// @param selection  the selection to change.
/// @param dimension  the dimension, from 0.
/// @param index      the index.
/// @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the index lies outside the dimension;
///         ZARRC_INVALID_ARGUMENT.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_selection_set_index(
    selection: *mut zarrc_selection,
    dimension: usize,
    index: u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handle.
    unsafe { change(selection, err, |s| s.selection.set_index(dimension, index)) }
}

/// Selects a list of indices of one dimension.
///
/// @param selection  the selection to change.
/// @param dimension  the dimension, from 0.
/// @param count      the number of indices; may be 0.
/// @param indices    `count` indices, in any order, with or without repetitions. Copied.
/// @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: an index lies outside the dimension;
///         ZARRC_INVALID_ARGUMENT; ZARRC_OUT_OF_MEMORY.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_selection_set_indices(
    selection: *mut zarrc_selection,
    dimension: usize,
    count: usize,
    indices: *const u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handle and numbers.
    unsafe {
        change(selection, err, |s| {
            s.selection.set_indices(dimension, slice(indices, count, "indices")?)
        })
    }
}

/// Selects the indices of one dimension whose byte in a mask is not 0.
///
/// @param selection  the selection to change.
/// @param dimension  the dimension, from 0.
/// @param count      the size of the mask (bytes); must be the extent of the dimension.
/// @param mask       one byte for each index. Copied.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `count` is not the extent; ZARRC_OUT_OF_MEMORY.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_selection_set_mask(
    selection: *mut zarrc_selection,
    dimension: usize,
    count: usize,
    mask: *const u8,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handle and bytes.
    unsafe {
        change(selection, err, |s| s.selection.set_mask(dimension, slice(mask, count, "mask")?))
    }
}

/// Selects points. The result has one dimension of `count` elements.
///
/// @param selection    the selection to change.
/// @param count        the number of points.
/// @param coordinates  `count` points of one index per dimension each, slowest dimension first; in
///                     any order, with or without repetitions. Copied.
/// @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: a point lies outside the array (the message names it);
///         ZARRC_INVALID_ARGUMENT; ZARRC_OUT_OF_MEMORY.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_selection_set_points(
    selection: *mut zarrc_selection,
    count: usize,
    coordinates: *const u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handle and numbers.
    unsafe {
        change(selection, err, |s| {
            let numbers = count.checked_mul(s.array.array.rank());
            let numbers =
                numbers.ok_or_else(|| Error::invalid("count exceeds the address space"))?;
            let coordinates = slice(coordinates, numbers, "coordinates")?;
            s.selection.set_points(count as u64, coordinates)
        })
    }
}

/// Selects the elements whose byte in a mask of the whole array is not 0. The result has one
/// dimension, in C order of the array.
///
/// @param selection  the selection to change.
/// @param mask       one byte for each element of the array, in C order. Copied, as bits.
/// @param size       the size of the mask (bytes); must be the number of elements of the array.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `size` is not the number of elements;
///         ZARRC_OUT_OF_MEMORY.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_selection_set_element_mask(
    selection: *mut zarrc_selection,
    mask: *const u8,
    size: usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handle and bytes.
    unsafe { change(selection, err, |s| s.selection.set_element_mask(slice(mask, size, "mask")?)) }
}

/// Selects a box of whole chunks (shards, if the array has them), clipped to the array's shape.
///
/// @param selection    the selection to change.
/// @param block_start  the first chunk, one index per dimension; NULL: the first of all.
/// @param block_count  the number of chunks along each dimension; NULL: to the end of each
///                     dimension.
/// @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the array has fewer chunks; ZARRC_INVALID_ARGUMENT.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_selection_set_blocks(
    selection: *mut zarrc_selection,
    block_start: *const u64,
    block_count: *const u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handle and numbers.
    unsafe {
        change(selection, err, |s| {
            let rank = s.array.array.rank();
            let given = |numbers: *const u64, name| match numbers.is_null() {
                true => Ok(None),
                false => slice(numbers, rank, name).map(Some),
            };
            let start = given(block_start, "block_start")?;
            let region =
                s.array.array.region_of_blocks(start, given(block_count, "block_count")?)?;
            s.selection.set_region(&region);
            Ok(())
        })
    }
}

/// Selects one field of a struct type, in addition to the selected elements. Memory then holds
/// elements of the field's type; a write leaves the other fields unchanged.
///
/// @param selection  the selection to change.
/// @param field      the field's name; NULL: whole elements again.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: there is no such field (the message lists the fields);
///         ZARRC_TYPE_MISMATCH: the array's data type has no fields; ZARRC_INVALID_ARGUMENT.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_selection_set_field(
    selection: *mut zarrc_selection,
    field: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handle and string.
    unsafe {
        change(selection, err, |s| {
            s.field = match field.is_null() {
                true => None,
                false => {
                    let data_type = &s.array.array.metadata().data_type;
                    Some(FieldPart::find(data_type, string(field, "field")?)?)
                }
            };
            Ok(())
        })
    }
}

/// Returns the number of dimensions of the result.
///
/// @param selection  the selection; may be NULL.
/// @return the number of dimensions; 0 for NULL.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_selection_rank(selection: *const zarrc_selection) -> usize {
    // SAFETY: the caller's handle.
    guard_value(0, || unsafe { selection.as_ref() }.map_or(0, |s| s.selection.shape().len()))
}

/// Returns the shape of the result.
///
/// @param selection   the selection.
/// @param rank        what zarrc_selection_rank() returns.
/// @param[out] shape  receives `rank` extents (elements), slowest dimension first.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_selection_shape(
    selection: *const zarrc_selection,
    rank: usize,
    shape: *mut u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and place.
        unsafe {
            let extents = object(selection, "selection")?.selection.shape();
            super::give_extents(&extents, rank, shape, "shape")
        }
    })
}

/// Returns the indices of the selected elements, in C order of the result.
///
/// @param selection         the selection.
/// @param rank              the rank of the array.
/// @param first             the first element, a number in C order of the result.
/// @param count             how many elements.
/// @param[out] coordinates  receives `count` times `rank` indices, slowest dimension first, as
///                          zarrc_selection_set_points() takes them.
/// @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the result has fewer elements; ZARRC_INVALID_ARGUMENT;
///         ZARRC_OUT_OF_MEMORY.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_selection_coordinates(
    selection: *const zarrc_selection,
    rank: usize,
    first: u64,
    count: usize,
    coordinates: *mut u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and numbers.
        unsafe {
            let selection = object(selection, "selection")?;
            let expected = selection.array.array.rank();
            if rank != expected {
                let what = format!("rank {rank}: expected {expected}, the array's");
                return Err(Error::invalid(what));
            }
            let numbers = count
                .checked_mul(rank)
                .ok_or_else(|| Error::invalid("count exceeds the address space"))?;
            let to = room(coordinates, numbers, "coordinates")?;
            selection.selection.coordinates(first, count as u64, to)
        }
    })
}
