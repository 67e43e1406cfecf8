//! Reading and writing boxes of arrays.

use super::array::zarrc_array;
use super::data_type::{memory_type, zarrc_data_type};
use super::status::{zarrc_error, zarrc_status};
use super::{guard, object, slice};
use crate::array::{Array, MemoryType};
use crate::error::{Context, Error, Result};
use crate::selection::Region;
use crate::strided::{Extents, Strides, View, ViewMut};
use std::ffi::c_void;

/// The box that a call is about.
///
/// SAFETY: start, step and count are NULL or have the array's rank.
pub(super) unsafe fn region(
    array: &Array,
    start: *const u64,
    step: *const u64,
    count: *const u64,
) -> Result<Region> {
    let shape = array.shape();
    let rank = shape.len();
    let given = |values: *const u64| match values.is_null() {
        true => Ok(None),
        // SAFETY: as promised.
        false => unsafe { slice(values, rank, "") }.map(Some),
    };
    let (start, step, count) = (given(start)?, given(step)?, given(count)?);
    let origin: Vec<u64>;
    let start = match start {
        Some(start) => start,
        None => {
            origin = vec![0; rank];
            &origin
        }
    };
    let rest: Vec<u64>;
    let count = match count {
        Some(count) => count,
        None => {
            let left = |d: usize| {
                let step = step.map_or(1, |s| s[d].max(1));
                shape[d].saturating_sub(start[d]).div_ceil(step)
            };
            rest = (0..rank).map(left).collect();
            &rest
        }
    };
    Region::new(&shape, start, count, step).at(|| format!("array {}", array.path()))
}

/// What a call is about: the region, and how the buffer is laid out for it.
struct Transfer<'a> {
    array: &'a Array,
    region: Region,
    memory: MemoryType,
    count: Extents,
    item: usize,
}

impl<'a> Transfer<'a> {
    /// SAFETY: the handle is one; start, step and count are NULL or have the array's rank.
    unsafe fn new(
        array: *const zarrc_array,
        start: *const u64,
        step: *const u64,
        count: *const u64,
        memory: zarrc_data_type,
    ) -> Result<Self> {
        // SAFETY: as promised.
        let array = unsafe { &object(array, "array")?.0.array };
        let place = || format!("array {}", array.path());
        let memory = memory_type(memory, &array.metadata().data_type).at(place)?;
        // SAFETY: as promised.
        let region = unsafe { region(array, start, step, count)? };
        let item = memory.size(&array.metadata().data_type);
        let extent = |&n: &u64| {
            usize::try_from(n).map_err(|_| {
                Error::invalid(format!(
                    "count {n} exceeds the address \
                space"
                ))
            })
        };
        let count = region.spans().iter().map(|s| extent(&s.count)).collect::<Result<_>>()?;
        Ok(Transfer { array, region, memory, count, item })
    }

    /// Strides of a C-contiguous buffer, once it is known to be large enough.
    fn contiguous(&self, buffer: *const c_void, size: usize) -> Result<Strides> {
        let needed = match self.region.is_empty() {
            true => Some(0),
            false => self.count.iter().try_fold(self.item, |n, &c| n.checked_mul(c)),
        };
        if needed.is_none_or(|n| n > size) {
            let needed = needed.map_or("more than 2^64".into(), |n| n.to_string());
            return Err(Error::invalid(format!(
                "buffer_size {size}: the box of {:?} elements of {} bytes needs {needed}",
                self.count, self.item
            )));
        }
        if buffer.is_null() && needed != Some(0) {
            return Err(Error::invalid("buffer is NULL"));
        }
        Ok(self.dense())
    }

    fn dense(&self) -> Strides {
        let mut strides = Strides::from_elem(0, self.count.len());
        let mut stride = self.item;
        for (s, &n) in strides.iter_mut().zip(&self.count).rev() {
            *s = stride as isize;
            stride = stride.saturating_mul(n.max(1));
        }
        strides
    }

    /// The strides of the caller's memory.
    ///
    /// SAFETY: `strides` is NULL or has the array's rank.
    unsafe fn strided(&self, buffer: *const c_void, strides: *const i64) -> Result<Strides> {
        if buffer.is_null() && !self.region.is_empty() && self.item > 0 {
            return Err(Error::invalid("buffer is NULL"));
        }
        if strides.is_null() {
            return Ok(self.dense());
        }
        // SAFETY: as promised.
        let strides = unsafe { slice(strides, self.count.len(), "strides")? };
        let stride = |&s: &i64| {
            isize::try_from(s).map_err(|_| {
                Error::invalid(format!(
                    "strides: {s} exceeds the \
                address space"
                ))
            })
        };
        strides.iter().map(stride).collect()
    }

    /// SAFETY: the buffer holds the box with these strides, and is the caller's alone.
    unsafe fn read(&self, buffer: *mut c_void, strides: &Strides) -> Result<()> {
        // SAFETY: as promised.
        let dst = unsafe { ViewMut::from_raw(buffer.cast(), &self.count, strides, self.item)? };
        self.array.settle_region(&self.region, false);
        self.array.read(&self.region, self.memory, dst)
    }

    /// SAFETY: the buffer holds the box with these strides, and nobody changes it meanwhile.
    unsafe fn write(&self, buffer: *const c_void, strides: &Strides) -> Result<()> {
        // SAFETY: as promised.
        let src = unsafe { View::from_raw(buffer.cast(), &self.count, strides, self.item)? };
        self.array.settle_region(&self.region, true);
        self.array.write(&self.region, self.memory, &src)
    }
}

/// Reads a box of an array into a C-contiguous buffer.
///
/// Converts elements to `memory_type`. A conversion between number types fails if a value does not
/// fit, NaN and infinities for integers included; it drops fractions and rounds floating-point
/// values to the precision of the target.
///
/// @param array        the array.
/// @param start        the first element, one index per dimension; NULL: the origin.
/// @param count        the extents of the box (elements); NULL: to the end of each dimension.
/// @param memory_type  data type of the elements in memory; ZARRC_NATIVE: as stored, in native byte
///                     order.
/// @param[out] buffer  receives the box, last dimension fastest. Unspecified after an error. May be
///                     NULL if the box is empty.
/// @param buffer_size  the size of `buffer` (bytes), at least that of the box.
/// @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the box leaves the array; ZARRC_TYPE_MISMATCH: the types
///         cannot be converted, a value does not fit, or elements have variable length;
///         ZARRC_CORRUPT_DATA: a chunk does not decode (the message names it);
///         ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY: a chunk is too large to decode;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_read(
    array: *const zarrc_array,
    start: *const u64,
    count: *const u64,
    memory_type: zarrc_data_type,
    buffer: *mut c_void,
    buffer_size: usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and numbers; the buffer is checked to hold the box.
        unsafe {
            let transfer = Transfer::new(array, start, std::ptr::null(), count, memory_type)?;
            let strides = transfer.contiguous(buffer, buffer_size)?;
            transfer.read(buffer, &strides)
        }
    })
}

/// Writes a C-contiguous buffer to a box of an array.
///
/// Replaces each chunk as a whole, even if the process is killed; after an error, some chunks may
/// have been replaced. Reads a chunk first if the box covers it only in part, and reads it again if
/// another writer replaces it meanwhile. Converts elements as zarrc_array_read() does; chunks
/// before the first value that does not fit may have been written.
///
/// @param array        the array.
/// @param start        the first element, one index per dimension; NULL: the origin.
/// @param count        the extents of the box (elements); NULL: to the end of each dimension.
/// @param memory_type  data type of the elements in memory; ZARRC_NATIVE: as stored, in native byte
///                     order.
/// @param buffer       the box, last dimension fastest. May be NULL if the box is empty.
/// @param buffer_size  the size of `buffer` (bytes), at least that of the box.
/// @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: the box leaves the array; ZARRC_TYPE_MISMATCH: the types
///         cannot be converted, a value does not fit, or elements have variable length;
///         ZARRC_CONFLICT: other writers kept changing the same chunk; ZARRC_CORRUPT_DATA: a chunk
///         that the box covers in part does not decode; ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY:
///         a chunk is too large; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_write(
    array: *mut zarrc_array,
    start: *const u64,
    count: *const u64,
    memory_type: zarrc_data_type,
    buffer: *const c_void,
    buffer_size: usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and numbers; the buffer is checked to hold the box.
        unsafe {
            let transfer = Transfer::new(array, start, std::ptr::null(), count, memory_type)?;
            let strides = transfer.contiguous(buffer, buffer_size)?;
            transfer.write(buffer, &strides)
        }
    })
}

/// Reads every step-th element of a box into memory of any layout. Converts elements as
/// zarrc_array_read() does.
///
/// @param array        the array.
/// @param start        the first element, one index per dimension; NULL: the origin.
/// @param step         the distance between elements along each dimension (elements), at least 1;
///                     NULL: 1.
/// @param count        how many elements to read along each dimension; NULL: to the end of the
///                     dimension.
/// @param memory_type  data type of the elements in memory; ZARRC_NATIVE: as stored, in native byte
///                     order.
/// @param[out] buffer  where the first element goes. Memory must extend from there as far as
///                     `strides` reach. Unspecified after an error. May be NULL if nothing is read.
/// @param strides      the distance between elements in memory along each dimension (bytes), may be
///                     negative; NULL: C-contiguous.
/// @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: an element lies outside the array; ZARRC_TYPE_MISMATCH:
///         the types cannot be converted, a value does not fit, or elements have variable length;
///         ZARRC_CORRUPT_DATA: a chunk does not decode (the message names it);
///         ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY: a chunk is too large to decode;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_read_strided(
    array: *const zarrc_array,
    start: *const u64,
    step: *const u64,
    count: *const u64,
    memory_type: zarrc_data_type,
    buffer: *mut c_void,
    strides: *const i64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle, numbers and memory.
        unsafe {
            let transfer = Transfer::new(array, start, step, count, memory_type)?;
            let strides = transfer.strided(buffer, strides)?;
            transfer.read(buffer, &strides)
        }
    })
}

/// Writes memory of any layout to every step-th element of a box. Replaces chunks and converts
/// elements as zarrc_array_write() does.
///
/// @param array        the array.
/// @param start        the first element, one index per dimension; NULL: the origin.
/// @param step         the distance between elements along each dimension (elements), at least 1;
///                     NULL: 1.
/// @param count        how many elements to write along each dimension; NULL: to the end of the
///                     dimension.
/// @param memory_type  data type of the elements in memory; ZARRC_NATIVE: as stored, in native byte
///                     order.
/// @param buffer       the first element. Memory must extend from there as far as `strides` reach.
///                     May be NULL if nothing is written.
/// @param strides      the distance between elements in memory along each dimension (bytes), may be
///                     negative or 0; NULL: C-contiguous.
/// @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: an element lies outside the array; ZARRC_TYPE_MISMATCH:
///         the types cannot be converted, a value does not fit, or elements have variable length;
///         ZARRC_CONFLICT: other writers kept changing the same chunk; ZARRC_CORRUPT_DATA: a chunk
///         that is covered in part does not decode; ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY: a
///         chunk is too large; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_write_strided(
    array: *mut zarrc_array,
    start: *const u64,
    step: *const u64,
    count: *const u64,
    memory_type: zarrc_data_type,
    buffer: *const c_void,
    strides: *const i64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle, numbers and memory.
        unsafe {
            let transfer = Transfer::new(array, start, step, count, memory_type)?;
            let strides = transfer.strided(buffer, strides)?;
            transfer.write(buffer, &strides)
        }
    })
}

/// Writes what the option "write_buffer" holds back of an array, and what its store defers until it
/// is closed. Waits for the array's requests first. Without that option every write has reached the
/// store when it returns. Data that cannot be written stays in the buffer, so a flush may be
/// repeated.
///
/// @param array  the array.
/// @return ZARRC_OK; ZARRC_CONFLICT: other writers kept changing a chunk; ZARRC_CORRUPT_DATA: a
///         chunk that was written in part does not decode; ZARRC_LIMIT_EXCEEDED;
///         ZARRC_OUT_OF_MEMORY; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_flush(
    array: *mut zarrc_array,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle.
        unsafe { object(array, "array") }?.0.flush()
    })
}
