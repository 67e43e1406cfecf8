//! Reading and writing selections.

use super::array::zarrc_array;
use super::data_type::zarrc_data_type;
use super::selection::zarrc_selection;
use super::status::{zarrc_error, zarrc_status};
use super::vlen::zarrc_vlen;
use super::{Out, guard, handle, object, slice};
use crate::array::{FieldPart, MemoryType};
use crate::error::{Context, Error, Result};
use crate::hierarchy::ArrayNode;
use crate::progress::Progress;
use crate::selection::Selection;
use crate::strided::{Extents, Strides, View, ViewMut};
use std::ffi::c_void;
use std::sync::Arc;

/// A selection of the array of a call.
///
/// SAFETY: the handles are NULL or came from this library and are open.
pub(super) unsafe fn both<'a>(
    array: *const zarrc_array,
    selection: *const zarrc_selection,
) -> Result<(&'a Arc<ArrayNode>, &'a zarrc_selection)> {
    // SAFETY: as promised.
    let (array, selection) =
        unsafe { (&object(array, "array")?.0, object(selection, "selection")?) };
    check_same(array, selection)?;
    Ok((array, selection))
}

fn check_same(array: &ArrayNode, selection: &zarrc_selection) -> Result<()> {
    let (a, b) = (&array.array, &selection.array.array);
    if a.metadata().data_type == b.metadata().data_type && a.rank() == b.rank() {
        return Ok(());
    }
    let what = format!(
        "selection: it was made for array {}, which has another rank or data type",
        selection.array.array.path()
    );
    Err(Error::invalid(what)).at(|| format!("array {}", array.array.path()))
}

/// The layout of a caller's memory for a selection.
pub(super) struct Memory {
    pub(super) memory: MemoryType,
    pub(super) counts: Extents,
    pub(super) strides: Strides,
    pub(super) item: usize,
}

impl Memory {
    /// Bytes of the elements.
    pub(super) fn bytes(&self) -> u64 {
        self.counts.iter().fold(self.item as u64, |n, &count| n.saturating_mul(count as u64))
    }

    /// SAFETY: `strides` is NULL or has a number for each dimension of the result.
    pub(super) unsafe fn new(
        selection: &zarrc_selection,
        memory: zarrc_data_type,
        buffer: *const c_void,
        strides: *const i64,
        size: usize,
    ) -> Result<Self> {
        let memory = selection.memory(memory)?;
        let stored = &selection.array.array.metadata().data_type;
        let item = memory.size(selection.field.as_ref().map_or(stored, FieldPart::data_type));
        let extent = |&n: &u64| {
            let wrong = |_| Error::invalid(format!("extent {n} exceeds the address space"));
            usize::try_from(n).map_err(wrong)
        };
        let shape = selection.selection.shape();
        let counts: Extents = shape.iter().map(extent).collect::<Result<_>>()?;
        let empty = counts.contains(&0);
        let given = match strides.is_null() {
            true => None,
            // SAFETY: as promised.
            false => Some(unsafe { slice(strides, counts.len(), "strides")? }),
        };
        // from the lowest byte to the highest
        let mut spanned = Some(item);
        let mut dense = Some(item);
        let mut all = Strides::from_elem(0, counts.len());
        for d in (0..counts.len()).rev() {
            all[d] = match given {
                Some(strides) => isize::try_from(strides[d]).ok(),
                None => dense.and_then(|n| isize::try_from(n).ok()).or(empty.then_some(0)),
            }
            .ok_or_else(|| Error::invalid("strides: they exceed the address space"))?;
            let far = all[d].unsigned_abs().checked_mul(counts[d].saturating_sub(1));
            spanned = spanned.zip(far).and_then(|(n, far)| n.checked_add(far));
            dense = dense.and_then(|n| n.checked_mul(counts[d]));
        }
        let needed = if empty { Some(0) } else { spanned };
        if needed.is_none_or(|n| n > size) {
            let needed = needed.map_or("more than 2^64".into(), |n| n.to_string());
            return Err(Error::invalid(format!(
                "buffer_size {size}: {counts:?} elements of {item} bytes span {needed}"
            )));
        }
        if buffer.is_null() && needed != Some(0) {
            return Err(Error::invalid("buffer is NULL"));
        }
        Ok(Memory { memory, counts, strides: all, item })
    }
}

/// Reads the elements of a selection. Converts them as zarrc_array_read() does.
///
/// @param array        the array.
/// @param selection    a selection made for this array, or for another one of the same rank and
///                     data type.
/// @param memory_type  data type of the elements in memory; ZARRC_NATIVE: as stored, in native byte
///                     order.
/// @param[out] buffer  where the first element of the result goes. Unspecified after an error. May
///                     be NULL if nothing is selected.
/// @param strides      the distance between elements in memory along each dimension of the result
///                     (bytes), may be negative; NULL: C-contiguous.
/// @param buffer_size  the size of the memory (bytes), at least from the lowest to the highest byte
///                     of the elements.
/// @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the array has shrunk below the selection;
///         ZARRC_TYPE_MISMATCH: the types cannot be converted, a value does not fit, or elements
///         have variable length: use zarrc_array_read_selection_vlen(); ZARRC_CORRUPT_DATA: a chunk
///         does not decode (the message names it); ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY: too
///         large; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_read_selection(
    array: *const zarrc_array,
    selection: *const zarrc_selection,
    memory_type: zarrc_data_type,
    buffer: *mut c_void,
    strides: *const i64,
    buffer_size: usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handles and numbers; the buffer is checked to hold the result.
        unsafe {
            let (array, selection) = both(array, selection)?;
            let memory = Memory::new(selection, memory_type, buffer, strides, buffer_size)?;
            let dst =
                ViewMut::from_raw(buffer.cast(), &memory.counts, &memory.strides, memory.item)?;
            let (what, field) = (&selection.selection, selection.field.as_ref());
            array.array.settle(what, false)?;
            array.array.read_selection(what, memory.memory, field, dst, &Progress::silent())
        }
    })
}

/// Writes the elements of a selection. Replaces chunks and converts elements as zarrc_array_write()
/// does. Of several values for one element, keeps the last in C order of the result.
///
/// @param array        the array.
/// @param selection    a selection made for this array, or for another one of the same rank and
///                     data type.
/// @param memory_type  data type of the elements in memory; ZARRC_NATIVE: as stored, in native byte
///                     order.
/// @param buffer       the first element of the result. May be NULL if nothing is selected.
/// @param strides      the distance between elements in memory along each dimension of the result
///                     (bytes), may be negative or 0; NULL: C-contiguous.
/// @param buffer_size  the size of the memory (bytes), at least from the lowest to the highest byte
///                     of the elements.
/// @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the array has shrunk below the selection;
///         ZARRC_TYPE_MISMATCH: the types cannot be converted, a value does not fit, or elements
///         have variable length: use zarrc_array_write_selection_vlen(); ZARRC_CONFLICT: other
///         writers kept changing the same chunk; ZARRC_CORRUPT_DATA: a chunk that is covered in
///         part does not decode; ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY: too large;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_write_selection(
    array: *mut zarrc_array,
    selection: *const zarrc_selection,
    memory_type: zarrc_data_type,
    buffer: *const c_void,
    strides: *const i64,
    buffer_size: usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handles and numbers; the buffer is checked to hold the elements.
        unsafe {
            let (array, selection) = both(array, selection)?;
            let memory = Memory::new(selection, memory_type, buffer, strides, buffer_size)?;
            let src = View::from_raw(buffer.cast(), &memory.counts, &memory.strides, memory.item)?;
            let (what, field) = (&selection.selection, selection.field.as_ref());
            array.array.settle(what, true)?;
            array.array.write_selection(what, memory.memory, field, src, &Progress::silent())
        }
    })
}

/// Writes one value to every element of a selection. Does not read chunks that the selection
/// covers. Erases covered chunks instead of storing them if the value is the fill value, unless the
/// option write_empty_chunks forbids it.
///
/// @param array        the array.
/// @param selection    a selection made for this array, or for another one of the same rank and
///                     data type; NULL: the whole array.
/// @param memory_type  data type of the value in memory, converted as by zarrc_array_write(). For
///                     variable-length types ZARRC_NATIVE or the array's own type.
/// @param value        the value; for variable-length types its bytes.
/// @param size         its size (bytes): the size of `memory_type`.
/// @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the array has shrunk below the selection;
///         ZARRC_TYPE_MISMATCH: the types cannot be converted, or the value does not fit;
///         ZARRC_INVALID_ARGUMENT: another size, or a value that is not valid for the data type;
///         ZARRC_CONFLICT: other writers kept changing the same chunk; ZARRC_CORRUPT_DATA: a chunk
///         that is covered in part does not decode; ZARRC_LIMIT_EXCEEDED; ZARRC_OUT_OF_MEMORY;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_fill(
    array: *mut zarrc_array,
    selection: *const zarrc_selection,
    memory_type: zarrc_data_type,
    value: *const c_void,
    size: usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handles and memory.
        let (array, selection, value) = unsafe {
            let array = &object(array, "array")?.0;
            let selection = selection.as_ref();
            (array, selection, slice(value.cast::<u8>(), size, "value")?)
        };
        let all;
        let selection = match selection {
            Some(selection) => {
                check_same(array, selection)?;
                selection
            }
            None => {
                let selection = Selection::all(&array.array.shape());
                all = zarrc_selection { selection, field: None, array: array.clone() };
                &all
            }
        };
        array.array.settle(&selection.selection, true)?;
        let stored = &array.array.metadata().data_type;
        let place = || format!("array {}", array.array.path());
        if stored.is_variable() {
            super::data_type::variable_memory_type(memory_type, stored).at(place)?;
            return array.array.fill_vlen(&selection.selection, value);
        }
        let memory = selection.memory(memory_type).at(place)?;
        let item = memory.size(selection.field.as_ref().map_or(stored, FieldPart::data_type));
        if size != item {
            let what = format!(
                "size {size}: expected {item}, the size of an element of that type \
                (bytes)"
            );
            return Err(Error::invalid(what)).at(place);
        }
        array.array.fill(&selection.selection, memory, selection.field.as_ref(), value)
    })
}

/// Reads the elements of a selection of an array of variable-length elements.
///
/// @param array        the array.
/// @param selection    a selection made for this array, or for another one of the same rank and
///                     data type.
/// @param[out] values  receives the elements in C order of the result; free them with
///                     zarrc_vlen_free().
/// @return ZARRC_OK; ZARRC_TYPE_MISMATCH: elements have a fixed size: use
///         zarrc_array_read_selection(); ZARRC_OUT_OF_BOUNDS: the array has shrunk below the
///         selection; ZARRC_CORRUPT_DATA: a chunk does not decode, or holds text that is not UTF-8
///         (the message names it); ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY: too large;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_read_selection_vlen(
    array: *const zarrc_array,
    selection: *const zarrc_selection,
    values: *mut *mut zarrc_vlen,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(values, "values")?;
        // SAFETY: the caller's handles.
        let (array, selection) = unsafe { both(array, selection)? };
        array.array.settle(&selection.selection, false)?;
        let read = array.array.read_selection_vlen(&selection.selection, &Progress::silent())?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_vlen(read))) };
        Ok(())
    })
}

/// Writes the elements of a selection of an array of variable-length elements. Checks all elements
/// before it writes. Of several values for one element, keeps the last in C order of the result.
///
/// @param array      the array.
/// @param selection  a selection made for this array, or for another one of the same rank and data
///                   type.
/// @param offsets    one number more than the result has elements, never decreasing: element i, in
///                   C order, is `bytes[offsets[i] .. offsets[i + 1]]`.
/// @param bytes      the bytes of all elements; may be NULL if the last offset is 0.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: offsets decrease, or an element is not valid (the
///         message names it); ZARRC_LIMIT_EXCEEDED: an element has 4 GiB or more, or a chunk is too
///         large; ZARRC_TYPE_MISMATCH: elements have a fixed size: use
///         zarrc_array_write_selection(); ZARRC_OUT_OF_BOUNDS: the array has shrunk below the
///         selection; ZARRC_CONFLICT: other writers kept changing the same chunk;
///         ZARRC_CORRUPT_DATA: a chunk that is covered in part does not decode;
///         ZARRC_OUT_OF_MEMORY; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_write_selection_vlen(
    array: *mut zarrc_array,
    selection: *const zarrc_selection,
    offsets: *const u64,
    bytes: *const u8,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handles, numbers and memory; how much memory, the offsets say.
        unsafe {
            let (array, selection) = both(array, selection)?;
            let shape = selection.selection.shape();
            let (offsets, bytes) = super::vlen::given(&shape, offsets, bytes)
                .at(|| format!("array {}", array.array.path()))?;
            let selection = &selection.selection;
            array.array.settle(selection, true)?;
            array.array.write_selection_vlen(selection, offsets, bytes, &Progress::silent())
        }
    })
}
