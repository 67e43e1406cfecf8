//! HDF5 files, and references to the values of files.

use super::group::node_path;
use super::progress::{reporting, zarrc_progress};
use super::status::{zarrc_error, zarrc_status};
use super::store::zarrc_store;
use super::{Out, guard, object, options_struct, owned_string, string};
use crate::error::Result;
use crate::operations;
use std::ffi::{c_char, c_void};

/// How an HDF5 file is written. Set everything to zero, then `size` and what there is to set.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct zarrc_hdf5_options {
    /// sizeof(zarrc_hdf5_options) of the header that the program was compiled with.
    pub size: usize,
    /// Leave out what HDF5 has nothing like: arrays of floats of 8 bits and less, units of time.
    /// Otherwise that is an error, before anything is written.
    pub accept_losses: bool,
    /// Replace a file that is there.
    pub replace: bool,
    /// Names of dimensions that may grow (unlimited), separated by commas. NULL: none.
    pub unlimited: *const c_char,
    /// Bytes that the call may use for elements; 0: 64 MiB. A chunk is held in any case.
    pub memory_limit: u64,
    /// Receives reports, after each block of chunks. NULL: no reports.
    pub progress: zarrc_progress,
    /// Passed to `progress`.
    pub user: *mut c_void,
}

/// Writes the node at `from_path` and everything below it as a new HDF5 file, which h5py, netCDF-4
/// and xarray read. To read HDF5, open the file as a store (scheme hdf5:) and use zarrc_convert(),
/// zarrc_rechunk() or any other function.
///
/// Groups, arrays and attributes keep their names. Dimension names become dimension scales: the
/// one-dimensional array of that name, if there is one in the group or above it, else an extent
/// without values, as netCDF-4 has it. The missing value becomes the attribute _FillValue. Chunks
/// keep their shapes; any compressor becomes deflate behind a shuffle, checksums become fletcher32.
/// docs/hdf5.md lists what becomes of each type.
///
/// All is written to a file beside `file`, which gets its name when it is complete: after a failure
/// or a kill, what was there before is there still. libhdf5 is called by one thread at a time.
///
/// @param from        the source store.
/// @param from_path   path of the node; "" for the whole store.
/// @param file        path of the new file on the local machine.
/// @param options     NULL: no losses, nothing replaced.
/// @param[out] notes  JSON list of objects with "path" and "note": what changes, in words. Free it
///                    with zarrc_string_free(). May be NULL.
/// @return ZARRC_OK; ZARRC_UNSUPPORTED: HDF5 has nothing like a node (the message names each), or
///         this build or machine has no libhdf5; ZARRC_ALREADY_EXISTS: there is such a file;
///         ZARRC_NOT_FOUND: there is nothing at from_path, or no directory for the file;
///         ZARRC_CANCELLED; ZARRC_CORRUPT_DATA: a chunk does not decode; ZARRC_INVALID_ARGUMENT;
///         ZARRC_PERMISSION_DENIED; ZARRC_OUT_OF_MEMORY; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_hdf5_export(
    from: *const zarrc_store,
    from_path: *const c_char,
    file: *const c_char,
    options: *const zarrc_hdf5_options,
    notes: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's struct; all members may be zero.
        let options = unsafe { options_struct(options, "zarrc_hdf5_options")? };
        // SAFETY: the caller's handle and strings.
        let (from, path, file, unlimited) = unsafe {
            let unlimited = match options.unlimited.is_null() {
                true => "",
                false => string(options.unlimited, "options->unlimited")?,
            };
            let path = node_path(from_path, "from_path")?;
            (object(from, "from")?, path, string(file, "file")?, unlimited)
        };
        let text = reporting(options.progress, options.user, |progress| {
            export(from, &path, file, unlimited, &options, progress)
        })?;
        if !notes.is_null() {
            let text = owned_string(text, "the notes")?;
            // SAFETY: the caller's memory.
            unsafe { *notes = text };
        }
        Ok(())
    })
}

fn export(
    from: &zarrc_store,
    path: &crate::metadata::NodePath,
    file: &str,
    unlimited: &str,
    options: &zarrc_hdf5_options,
    progress: &crate::progress::Progress<'_>,
) -> Result<String> {
    let names = unlimited.split(',').map(str::trim).filter(|name| !name.is_empty());
    let wanted = operations::ExportOptions {
        losses: options.accept_losses,
        replace: options.replace,
        unlimited: names.map(str::to_owned).collect(),
        memory: options.memory_limit,
    };
    let file = std::path::Path::new(file);
    let notes = operations::export_hdf5(&from.0, path, file, &wanted, progress)?;
    let note = |(path, note)| serde_json::json!({ "path": path, "note": note });
    Ok(serde_json::Value::from_iter(notes.into_iter().map(note)).to_string())
}

/// References to everything below a node, where its values lie in files that others can read too:
/// kerchunk's JSON, version 1, which zarrc, fsspec, zarr-python and xarray open. For a store of an
/// HDF5 file (scheme hdf5:) its chunks are read in place instead of being copied. Of other
/// references it makes JSON, as of those in Parquet files.
///
/// Documents, and chunks that are no ranges of a file (HDF5's texts of any length, filters without
/// a codec), stand among the references themselves: they take memory, and room in the result.
/// Arrays of Zarr v2 whose dimensions have no names get some, as xarray needs them: phony_dim_0.
///
/// @param store      the store.
/// @param path       path of the node; "" for the whole store.
/// @param url        URL or path that the references name for the file, as for readers elsewhere.
///                   NULL: as the store has it; of a file of this machine the absolute path.
/// @param progress   receives reports, after each key; NULL: no reports.
/// @param user       passed to `progress`.
/// @param[out] json  the references; free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_NOT_FOUND: there is nothing at that path; ZARRC_INVALID_ARGUMENT: `url`
///         is given and the values lie in several files; ZARRC_CANCELLED; ZARRC_UNSUPPORTED: the
///         store cannot list its keys; ZARRC_CORRUPT_DATA; ZARRC_OUT_OF_MEMORY; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_references_json(
    store: *const zarrc_store,
    path: *const c_char,
    url: *const c_char,
    progress: zarrc_progress,
    user: *mut c_void,
    json: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(json, "json")?;
        // SAFETY: the caller's handle and strings.
        let (store, path, url) = unsafe {
            let url = if url.is_null() { None } else { Some(string(url, "url")?) };
            (object(store, "store")?, node_path(path, "path")?, url)
        };
        let text = reporting(progress, user, |progress| {
            operations::references(&store.0, &path, url, progress)
        })?;
        let text = owned_string(text, "the references")?;
        // SAFETY: checked above.
        unsafe { out.set(text) };
        Ok(())
    })
}
