//! The streaming writer.

use super::data_type::{memory_type, zarrc_data_type};
use super::group::node_path;
use super::spec::zarrc_array_spec;
use super::status::{zarrc_error, zarrc_status};
use super::store::zarrc_store;
use super::{Out, guard, handle, object, options_struct, slice, string, take};
use crate::error::Error;
use crate::operations::{Writer, WriterOptions};
use crate::strided::{Extents, View};
use std::ffi::{c_char, c_void};
use std::time::Duration;

/// A streaming writer: writes arrays that grow by steps, such as the frames of a camera or the time
/// steps of a simulation, while others read them.
///
/// All arrays lie in one group, and their first dimension is the step. Declare them, put the blocks
/// of each step from any thread and in any order, and commit the steps that are complete. Neither
/// waits for the store: the library encodes and stores blocks meanwhile, a chunk or shard once it
/// is full. Only a full queue (option queue_bytes) makes zarrc_writer_put() wait.
///
/// Readers see whole steps only. A committed step becomes visible once the chunks that hold it are
/// stored, in all arrays: then the writer changes their shapes, those of arrays with one dimension
/// (coordinates) first, and then the group's consolidated metadata, in which they change at once.
/// The writer creates that metadata where the format has it. Chunks of 1 MiB and more (decoded) are
/// stored when they are full, so steps become visible by multiples of their extent; smaller ones
/// are stored again with each change. Elements that were never put read as the fill value.
///
/// If the process is killed, readers keep the visible steps, and a new writer of the same arrays
/// goes on after them: zarrc_writer_steps() says where. It deletes what the killed one left beyond.
///
/// One writer at a time may write to a group. Any number of threads may use it at once. The child
/// of a fork must not use it.
pub struct zarrc_writer(Writer);

/// How to write. Zero the struct, then set `size` and the members you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct zarrc_writer_options {
    /// sizeof(zarrc_writer_options) in the header that the program was compiled with.
    pub size: usize,
    /// How long a committed step may stay invisible because its chunks are not full (seconds).
    /// After that they are stored, and stored again when they are full. 0: until
    /// zarrc_writer_flush() or zarrc_writer_close().
    pub flush_seconds: f64,
    /// Limit of the memory of chunks that are not full (bytes). Beyond it, the oldest is stored
    /// early, and again when it is full. 0: enough for two rows of chunks of each array, a row being
    /// the chunks that hold one step.
    pub buffer_bytes: u64,
}

/// Opens a writer. Creates the group, unless there is one.
///
/// @param store        the store, opened for writing. The writer keeps it open.
/// @param path         the group's path; "" is the root.
/// @param options      how to write; NULL: the defaults.
/// @param[out] writer  receives the writer; close it with zarrc_writer_close().
/// @return ZARRC_OK; ZARRC_ALREADY_EXISTS: there is an array at `path`; ZARRC_INVALID_ARGUMENT;
///         ZARRC_INVALID_METADATA; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_writer_open(
    store: *mut zarrc_store,
    path: *const c_char,
    options: *const zarrc_writer_options,
    writer: *mut *mut zarrc_writer,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(writer, "writer")?;
        // SAFETY: the caller's handle, string and struct.
        let (store, path, options) = unsafe {
            let options = options_struct(options, "zarrc_writer_options")?;
            (object(store, "store")?, node_path(path, "path")?, options)
        };
        let seconds = options.flush_seconds;
        let patience = Duration::try_from_secs_f64(seconds).map_err(|_| {
            Error::invalid(format!("flush_seconds {seconds}: expected 0 or a positive number"))
        })?;
        let patience = (!patience.is_zero()).then_some(patience);
        let options = WriterOptions { patience, buffer: options.buffer_bytes };
        let opened = Writer::open(&store.0, &path, options)?;
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_writer(opened))) };
        Ok(())
    })
}

/// Declares an array: creates it, or opens an existing one to go on. Declare all arrays before the
/// first call of zarrc_writer_put() or zarrc_writer_commit().
///
/// Give each dimension a name, and the array its attributes (units, standard_name, calendar), with
/// zarrc_array_spec_set_dimension_names() and zarrc_array_spec_set_attributes_json(): then xarray
/// finds coordinates and CF metadata. Write arrays without steps, such as coordinates in space, with
/// zarrc_array_create() and zarrc_array_write().
///
/// @param writer         the writer.
/// @param name           the array's name in the group.
/// @param spec           the specification, whose first extent is 0. Copied: may be freed after the
///                       call. An existing array must have its data type and other extents, and
///                       keeps its chunks, codecs and attributes.
/// @param[out] variable  receives the number of the array for zarrc_writer_put(): 0, 1, and so on.
///                       May be NULL.
/// @return ZARRC_OK; ZARRC_ALREADY_EXISTS: it is declared already, or there is a group or another
///         array of that name; ZARRC_INVALID_ARGUMENT: the first extent is not 0, a dimension has
///         another extent or first name than in an array declared before, the writer has begun, or
///         the specification contradicts itself; ZARRC_UNSUPPORTED: elements of variable length, or
///         chunks of several shapes; ZARRC_LIMIT_EXCEEDED; ZARRC_INVALID_METADATA;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_writer_declare(
    writer: *mut zarrc_writer,
    name: *const c_char,
    spec: *const zarrc_array_spec,
    variable: *mut usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handles and string.
        let (writer, name, spec) =
            unsafe { (object(writer, "writer")?, string(name, "name")?, object(spec, "spec")?) };
        let number = writer.0.declare(name, spec.complete()?)?;
        // SAFETY: the caller's number.
        if let Some(variable) = unsafe { variable.as_mut() } {
            *variable = number;
        }
        Ok(())
    })
}

/// Starts to write a block: a box of an array, within steps that are not committed. Copies the
/// block and returns without waiting for the store; waits only while the queue is full (option
/// queue_bytes). Blocks of one array that overlap are written in the order of their calls. A block
/// that cannot be written makes the next commit, flush or close fail.
///
/// @param writer       the writer.
/// @param variable     the number of the array.
/// @param start        the first element, one index per dimension; the first index is the step.
/// @param count        the extents of the box (elements); the first one counts steps.
/// @param memory_type  data type of the elements in memory; ZARRC_NATIVE: as stored, in native byte
///                     order.
/// @param buffer       the block, last dimension fastest. May be NULL if it is empty.
/// @param buffer_size  the size of `buffer` (bytes), at least that of the block.
/// @return ZARRC_OK: the block was copied; ZARRC_OUT_OF_BOUNDS: the box leaves the array, or begins
///         in a committed step; ZARRC_INVALID_ARGUMENT; ZARRC_TYPE_MISMATCH; ZARRC_OUT_OF_MEMORY;
///         ZARRC_LIMIT_EXCEEDED: the queue is full and the option queue_full is "fail". Otherwise
///         the error of an earlier block or commit, after which nothing more becomes visible.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_writer_put(
    writer: *mut zarrc_writer,
    variable: usize,
    start: *const u64,
    count: *const u64,
    memory_type: zarrc_data_type,
    buffer: *const c_void,
    buffer_size: usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle.
        let writer = &unsafe { object(writer, "writer")? }.0;
        let (rank, data_type) = writer.variable(variable)?;
        let memory = self::memory_type(memory_type, &data_type)?;
        // SAFETY: the caller's numbers.
        let (start, count) =
            unsafe { (slice(start, rank, "start")?, slice(count, rank, "count")?) };
        let item = memory.size(&data_type);
        let extents: Option<Extents> = count.iter().map(|&n| usize::try_from(n).ok()).collect();
        let needed = |counts: &Extents| counts.iter().try_fold(item, |n, &c| n.checked_mul(c));
        let sized = extents.and_then(|extents| needed(&extents).map(|needed| (extents, needed)));
        let (extents, needed) = match sized {
            Some((extents, needed)) if needed <= buffer_size => (extents, needed),
            sized => {
                let needed = sized.map_or("more than 2^64".into(), |(_, n)| n.to_string());
                return Err(Error::invalid(format!(
                    "buffer_size {buffer_size}: the block of {count:?} elements of {item} bytes \
                     needs {needed}"
                )));
            }
        };
        // SAFETY: the caller's memory, which is large enough.
        let bytes = unsafe { slice(buffer.cast::<u8>(), needed, "buffer")? };
        writer.put(variable, start, count, memory, &View::contiguous(bytes, &extents, item)?)
    })
}

/// Commits steps: says that all blocks of the first `steps` steps were put, and returns without
/// waiting. They become visible together, at once or later (see zarrc_writer). Calls of
/// zarrc_writer_put() for these steps must have returned.
///
/// @param writer  the writer.
/// @param steps   the number of complete steps, never less than in an earlier call.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: more steps are committed, or no array is declared.
///         Otherwise the error of an earlier block or commit, after which nothing more becomes
///         visible: close the writer and open it again to go on after the visible steps.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_writer_commit(
    writer: *mut zarrc_writer,
    steps: u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handle.
    guard(err, || unsafe { object(writer, "writer") }?.0.commit(steps))
}

/// Makes all committed steps visible, also those whose chunks are not full, and waits for that.
///
/// @param writer  the writer.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: no array is declared. Otherwise the error of an
///         earlier block or commit.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_writer_flush(
    writer: *mut zarrc_writer,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handle.
    guard(err, || unsafe { object(writer, "writer") }?.0.flush())
}

/// Returns the number of steps that readers see. Before the first block or commit: the step at which
/// to go on, once all arrays are declared.
///
/// @param writer      the writer.
/// @param[out] steps  receives the number of steps.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_writer_steps(
    writer: *const zarrc_writer,
    steps: *mut u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(steps, "steps")?;
        // SAFETY: the caller's handle; the place was checked above.
        unsafe { out.set(object(writer, "writer")?.0.steps()?) };
        Ok(())
    })
}

/// Closes a writer: makes all committed steps visible, deletes blocks of other steps, and frees the
/// handle. The handle is invalid after the call, even if the call fails; readers then see the steps
/// that were visible before.
///
/// @param writer  the writer; may be NULL.
/// @return ZARRC_OK; the error of an earlier block or commit; ZARRC_CONFLICT: others changed the
///         arrays; ZARRC_INVALID_ARGUMENT: also in the child of a fork; ZARRC_PERMISSION_DENIED;
///         ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_writer_close(
    writer: *mut zarrc_writer,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle, not used any more.
        let writer = unsafe { take(writer) };
        writer.map_or(Ok(()), |writer| writer.0.close())
    })
}
