//! Requests: asynchronous reads and writes.

use super::array::zarrc_array;
use super::data_type::zarrc_data_type;
use super::io::region;
use super::selection::zarrc_selection;
use super::selection_io::{Memory, both};
use super::status::{free, zarrc_error, zarrc_status};
use super::{Out, guard, guard_value, handle, object, slice};
use crate::array::{Request, Work};
use crate::error::{Error, Result};
use crate::exec::Block;
use crate::progress::Progress;
use crate::selection::Selection;
use crate::strided::{Extents, Strides, View, ViewMut, copy};
use std::ffi::c_void;

/// A read or write that runs on the library's threads.
///
/// Requests of one array whose boxes overlap run in the order in which they were started if one of
/// them writes; other requests run concurrently: as many as there are cores, on a remote store up
/// to as many as the option concurrency says. There they run in the order of the chunks that they
/// begin in, round after round, so that those on one chunk share its request. A selection that is
/// not a box counts as its bounding box.
/// A waiting call (zarrc_array_read() and others) begins after the requests that it overlaps;
/// zarrc_array_flush(), zarrc_array_resize() and zarrc_array_close() wait for all requests of the
/// array.
///
/// A request keeps its array open, but neither copies nor owns the caller's memory, which must stay
/// valid and untouched until the request is done. With the option queue_copy, a write copies its
/// memory when it is started. The option queue_bytes bounds the memory of all requests of a store;
/// beyond it, starting a request waits, or fails if the option queue_full is "fail".
///
/// After a fork, the child must not use the parent's requests: testing or waiting fails with
/// ZARRC_INVALID_ARGUMENT.
pub struct zarrc_request(Request);

/// Memory of a caller's, which stays there until the request is done.
#[derive(Clone, Copy)]
struct Address(*mut c_void);

// SAFETY: the header asks for memory that is left alone meanwhile, whichever thread uses it.
unsafe impl Send for Address {}

impl Address {
    fn get(self) -> *mut c_void {
        self.0
    }
}

/// What is to be started.
struct Started<'a> {
    array: *const zarrc_array,
    selection: &'a zarrc_selection,
    memory: Memory,
    buffer: Address,
    write: bool,
}

impl Started<'_> {
    /// SAFETY: the handle is one; the memory holds what is selected until the request is done.
    unsafe fn start(self) -> Result<zarrc_request> {
        // SAFETY: as promised.
        let array = unsafe { object(self.array, "array")?.0.clone() };
        let Started { selection, memory, buffer, write, .. } = self;
        let bounds = selection.selection.pick(&array.array.shape())?.bounds();
        let about = array.array.about(bounds, write, memory.bytes());
        let queue = array.array.requests().clone();
        let (selection, field) = (selection.selection.clone(), selection.field.clone());
        let copies = write && array.array.copies_requests();
        let prepare = move || -> Result<Work> {
            let (counts, strides) = (memory.counts.clone(), memory.strides.clone());
            let (item, memory) = (memory.item, memory.memory);
            if !write {
                return Ok(Box::new(move |progress| {
                    let to = buffer.get().cast();
                    // SAFETY: as promised by whoever started it.
                    let dst = unsafe { ViewMut::from_raw(to, &counts, &strides, item)? };
                    array.array.read_selection(&selection, memory, field.as_ref(), dst, progress)
                }));
            }
            let write = move |src: View<'_>, progress: &Progress<'_>| {
                array.array.write_selection(&selection, memory, field.as_ref(), src, progress)
            };
            if !copies {
                return Ok(Box::new(move |progress| {
                    let from = buffer.get().cast_const().cast();
                    // SAFETY: as promised by whoever started it.
                    write(unsafe { View::from_raw(from, &counts, &strides, item)? }, progress)
                }));
            }
            // SAFETY: as promised.
            let owned = unsafe { dense(buffer, &counts, &strides, item)? };
            Ok(Box::new(move |progress| write(View::contiguous(&owned, &counts, item)?, progress)))
        };
        Ok(zarrc_request(queue.start(about, prepare)?))
    }
}

/// A copy of a caller's memory, C-contiguous.
///
/// SAFETY: the memory holds elements so laid out.
unsafe fn dense(
    buffer: Address,
    counts: &Extents,
    strides: &Strides,
    item: usize,
) -> Result<Block> {
    let size = if counts.contains(&0) { 0 } else { counts.iter().product::<usize>() * item };
    let mut owned = Block::new(size)?;
    // SAFETY: as promised.
    let src = unsafe { View::from_raw(buffer.get().cast_const().cast(), counts, strides, item)? };
    copy(&src, &mut ViewMut::contiguous(&mut owned, counts, item)?)?;
    Ok(owned)
}

/// A box of an array as a selection.
///
/// SAFETY: the handle is one; start and count are NULL or have the array's rank.
unsafe fn boxed(
    array: *const zarrc_array,
    start: *const u64,
    count: *const u64,
) -> Result<zarrc_selection> {
    // SAFETY: as promised.
    let (node, region) = unsafe {
        let node = object(array, "array")?.0.clone();
        let region = region(&node.array, start, std::ptr::null(), count)?;
        (node, region)
    };
    let mut selection = Selection::all(&node.array.shape());
    selection.set_region(&region);
    Ok(zarrc_selection { selection, field: None, array: node })
}

/// Starts to read a box of an array into a C-contiguous buffer, as zarrc_array_read() does, and
/// returns without waiting. zarrc_request_wait() returns the outcome.
///
/// @param array         the array.
/// @param start         the first element, one index per dimension; NULL: the origin.
/// @param count         the extents of the box (elements); NULL: to the end of each dimension.
/// @param memory_type   data type of the elements in memory; ZARRC_NATIVE: as stored, in native
///                      byte order.
/// @param[out] buffer   receives the box. Must stay valid and untouched until the request is done.
///                      May be NULL if the box is empty.
/// @param buffer_size   the size of `buffer` (bytes), at least that of the box.
/// @param[out] request  receives the request; free it with zarrc_request_free().
/// @return ZARRC_OK: the request was started; ZARRC_OUT_OF_BOUNDS, ZARRC_TYPE_MISMATCH,
///         ZARRC_INVALID_ARGUMENT: it was not; ZARRC_LIMIT_EXCEEDED: the queue is full and the
///         option queue_full is "fail".
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_read_start(
    array: *const zarrc_array,
    start: *const u64,
    count: *const u64,
    memory_type: zarrc_data_type,
    buffer: *mut c_void,
    buffer_size: usize,
    request: *mut *mut zarrc_request,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(request, "request")?;
        // SAFETY: the caller's handle, numbers and memory.
        unsafe {
            let selection = &boxed(array, start, count)?;
            let strides = std::ptr::null();
            let memory = Memory::new(selection, memory_type, buffer, strides, buffer_size)?;
            let buffer = Address(buffer);
            let started = Started { array, selection, memory, buffer, write: false }.start()?;
            out.set(handle(started));
        }
        Ok(())
    })
}

/// Starts to write a C-contiguous buffer to a box of an array, as zarrc_array_write() does, and
/// returns without waiting. zarrc_request_wait() returns the outcome.
///
/// @param array         the array.
/// @param start         the first element, one index per dimension; NULL: the origin.
/// @param count         the extents of the box (elements); NULL: to the end of each dimension.
/// @param memory_type   data type of the elements in memory; ZARRC_NATIVE: as stored, in native
///                      byte order.
/// @param buffer        the box. Must stay valid and untouched until the request is done, unless
///                      the store has the option queue_copy. May be NULL if the box is empty.
/// @param buffer_size   the size of `buffer` (bytes), at least that of the box.
/// @param[out] request  receives the request; free it with zarrc_request_free().
/// @return ZARRC_OK: the request was started; ZARRC_OUT_OF_BOUNDS, ZARRC_TYPE_MISMATCH,
///         ZARRC_INVALID_ARGUMENT: it was not; ZARRC_OUT_OF_MEMORY: `buffer` could not be copied;
///         ZARRC_LIMIT_EXCEEDED: the queue is full and the option queue_full is "fail".
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_write_start(
    array: *mut zarrc_array,
    start: *const u64,
    count: *const u64,
    memory_type: zarrc_data_type,
    buffer: *const c_void,
    buffer_size: usize,
    request: *mut *mut zarrc_request,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(request, "request")?;
        // SAFETY: the caller's handle, numbers and memory.
        unsafe {
            let selection = &boxed(array, start, count)?;
            let strides = std::ptr::null();
            let memory = Memory::new(selection, memory_type, buffer, strides, buffer_size)?;
            let buffer = Address(buffer.cast_mut());
            let started = Started { array, selection, memory, buffer, write: true }.start()?;
            out.set(handle(started));
        }
        Ok(())
    })
}

/// Starts to read the elements of a selection, as zarrc_array_read_selection() does, and returns
/// without waiting. zarrc_request_wait() returns the outcome.
///
/// @param array         the array.
/// @param selection     the selection. Copied: may be changed or freed after the call.
/// @param memory_type   data type of the elements in memory; ZARRC_NATIVE: as stored, in native
///                      byte order.
/// @param[out] buffer   where the first element of the result goes. Must stay valid and untouched
///                      until the request is done. May be NULL if nothing is selected.
/// @param strides       the distance between elements in memory along each dimension of the result
///                      (bytes), may be negative; NULL: C-contiguous. Copied.
/// @param buffer_size   the size of the memory (bytes), at least from the lowest to the highest
///                      byte of the elements.
/// @param[out] request  receives the request; free it with zarrc_request_free().
/// @return ZARRC_OK: the request was started; ZARRC_OUT_OF_BOUNDS, ZARRC_TYPE_MISMATCH,
///         ZARRC_INVALID_ARGUMENT: it was not; ZARRC_LIMIT_EXCEEDED: the queue is full and the
///         option queue_full is "fail".
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_read_selection_start(
    array: *const zarrc_array,
    selection: *const zarrc_selection,
    memory_type: zarrc_data_type,
    buffer: *mut c_void,
    strides: *const i64,
    buffer_size: usize,
    request: *mut *mut zarrc_request,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(request, "request")?;
        // SAFETY: the caller's handles, numbers and memory.
        unsafe {
            let (_, selection) = both(array, selection)?;
            let memory = Memory::new(selection, memory_type, buffer, strides, buffer_size)?;
            let buffer = Address(buffer);
            let started = Started { array, selection, memory, buffer, write: false }.start()?;
            out.set(handle(started));
        }
        Ok(())
    })
}

/// Starts to write the elements of a selection, as zarrc_array_write_selection() does, and returns
/// without waiting. zarrc_request_wait() returns the outcome.
///
/// @param array         the array.
/// @param selection     the selection. Copied: may be changed or freed after the call.
/// @param memory_type   data type of the elements in memory; ZARRC_NATIVE: as stored, in native
///                      byte order.
/// @param buffer        the first element of the result. Must stay valid and untouched until the
///                      request is done, unless the store has the option queue_copy. May be NULL if
///                      nothing is selected.
/// @param strides       the distance between elements in memory along each dimension of the result
///                      (bytes), may be negative or 0; NULL: C-contiguous. Copied.
/// @param buffer_size   the size of the memory (bytes), at least from the lowest to the highest
///                      byte of the elements.
/// @param[out] request  receives the request; free it with zarrc_request_free().
/// @return ZARRC_OK: the request was started; ZARRC_OUT_OF_BOUNDS, ZARRC_TYPE_MISMATCH,
///         ZARRC_INVALID_ARGUMENT: it was not; ZARRC_OUT_OF_MEMORY: `buffer` could not be copied;
///         ZARRC_LIMIT_EXCEEDED: the queue is full and the option queue_full is "fail".
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_write_selection_start(
    array: *mut zarrc_array,
    selection: *const zarrc_selection,
    memory_type: zarrc_data_type,
    buffer: *const c_void,
    strides: *const i64,
    buffer_size: usize,
    request: *mut *mut zarrc_request,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(request, "request")?;
        // SAFETY: the caller's handles, numbers and memory.
        unsafe {
            let (_, selection) = both(array, selection)?;
            let memory = Memory::new(selection, memory_type, buffer, strides, buffer_size)?;
            let buffer = Address(buffer.cast_mut());
            let started = Started { array, selection, memory, buffer, write: true }.start()?;
            out.set(handle(started));
        }
        Ok(())
    })
}

/// Returns whether a request is done, without waiting. zarrc_request_wait() returns its outcome.
///
/// @param request    the request.
/// @param[out] done  receives whether the request is done.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: also a request that was started before a fork.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_request_test(
    request: *mut zarrc_request,
    done: *mut bool,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(done, "done")?;
        // SAFETY: the caller's handle; the place was checked above.
        unsafe { out.set(object(request, "request")?.0.is_done()?) };
        Ok(())
    })
}

/// Waits until a request is done, and returns its outcome. Several threads may wait for one
/// request, any number of times.
///
/// @param request  the request.
/// @return the status that the read or write would have returned without a request;
///         ZARRC_CANCELLED: zarrc_request_cancel() ended it; ZARRC_INVALID_ARGUMENT: also a request
///         that was started before a fork.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_request_wait(
    request: *mut zarrc_request,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handle.
    guard(err, || unsafe { object(request, "request") }?.0.wait())
}

/// Waits until one of several requests is done. zarrc_request_wait() returns its outcome.
///
/// @param requests    `count` requests, of any arrays and stores.
/// @param count       the number of requests, at least 1.
/// @param[out] index  receives the position of the first one that is done.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: also a request that was started before a fork.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_request_wait_any(
    requests: *const *mut zarrc_request,
    count: usize,
    index: *mut usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(index, "index")?;
        // SAFETY: the caller's handles; the place was checked above.
        unsafe {
            let requests = slice(requests, count, "requests")?;
            let requests = requests.iter().enumerate().map(|(n, &request)| {
                object(request, "requests")
                    .map(|request| &request.0)
                    .map_err(|_| Error::invalid(format!("requests[{n}] is NULL")))
            });
            out.set(Request::wait_any(&requests.collect::<Result<Vec<_>>>()?)?);
        }
        Ok(())
    })
}

/// Returns a file descriptor that becomes readable when a request is done, for poll(), select(),
/// epoll, kqueue and event loops. The request owns and closes it; the program must neither read nor
/// close it.
///
/// @param request  the request.
/// @param[out] fd  receives the file descriptor.
/// @return ZARRC_OK; ZARRC_IO: the system provides no descriptor; ZARRC_UNSUPPORTED: on Windows;
///         ZARRC_INVALID_ARGUMENT: also a request that was started before a fork.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_request_fd(
    request: *mut zarrc_request,
    fd: *mut i32,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(fd, "fd")?;
        // SAFETY: the caller's handle; the place was checked above.
        unsafe { out.set(object(request, "request")?.0.readable()?) };
        Ok(())
    })
}

/// Cancels a request without waiting: it ends before its next chunk with ZARRC_CANCELLED, unless it
/// is already done. Chunks are replaced as a whole or not at all.
///
/// @param request  the request; may be NULL.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_request_cancel(request: *mut zarrc_request) {
    guard_value((), || {
        // SAFETY: the caller's handle.
        if let Some(request) = unsafe { request.as_ref() } {
            request.0.cancel();
        }
    });
}

/// Waits until a request is done, then frees it. Call zarrc_request_cancel() first to wait less.
///
/// @param request  the request; may be NULL.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_request_free(request: *mut zarrc_request) {
    free(request);
}
