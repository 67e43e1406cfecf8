//! Inspecting arrays and groups: descriptions, digests, stored chunks.

use super::array::zarrc_array;
use super::group::{kind_constant, zarrc_group, zarrc_node_kind};
use super::status::{zarrc_error, zarrc_status};
use super::{Out, guard, guard_value, object, owned_string, slice, string};
use crate::error::{Error, Result};
use crate::operations::{self, Algorithm};
use crate::progress::Progress;
use std::ffi::{CString, c_char, c_void};

/// Describes an array as a JSON object: "path", "store", "format", "shape", "chunk_shape",
/// "shard_shape" (null without shards), "data_type", "element_bytes" (0 for variable length),
/// "fill_value", "order", "separator", "dimension_names", "codecs" (spelt as in Zarr v3, whatever
/// the format), "bytes" (of all elements; null for variable length), "stored_bytes", "ratio" (bytes
/// / stored_bytes), "chunks" and "chunks_stored". Later versions may add members.
///
/// Lists the stored chunks and asks for the size of each, which over a network may take a request
/// per chunk.
///
/// @param array      the array.
/// @param[out] json  receives the JSON text; free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_UNSUPPORTED: the store cannot list its keys; ZARRC_INVALID_ARGUMENT;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_info_json(
    array: *const zarrc_array,
    json: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handle and memory.
    unsafe {
        text_of(array, json, "json", err, |array| Ok(operations::array_info(&array.0)?.to_string()))
    }
}

/// Computes a digest of the elements in C order and little-endian: independent of format, chunks
/// and codecs, and equal to the digest of the array's bytes in NumPy ("<" types, C order). Each
/// variable-length element is preceded by its length (8 bytes, little-endian). Reads the whole
/// array, in bounded memory.
///
/// @param array        the array.
/// @param algorithm    "sha1" or "sha256".
/// @param[out] digest  receives the digest in hexadecimal; free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: also an unknown algorithm; ZARRC_CORRUPT_DATA: a chunk
///         does not decode (the message names it); ZARRC_LIMIT_EXCEEDED, ZARRC_OUT_OF_MEMORY: a
///         chunk is too large to decode; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_content_digest(
    array: *const zarrc_array,
    algorithm: *const c_char,
    digest: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handle, string and memory.
    unsafe {
        text_of(array, digest, "digest", err, |array| {
            let algorithm = Algorithm::named(string(algorithm, "algorithm")?)?;
            operations::content_digest(&array.0.array, algorithm, &Progress::silent())
        })
    }
}

/// Computes a digest of the stored bytes of an array: its chunks in C order, its metadata document,
/// and its attributes if they have a document of their own. For Zarr v2 it equals Array.hexdigest()
/// of zarr-python 2.
///
/// @param array        the array.
/// @param algorithm    "sha1" or "sha256".
/// @param[out] digest  receives the digest in hexadecimal; free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: also an unknown algorithm; ZARRC_UNSUPPORTED: the
///         store cannot list its keys; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_stored_digest(
    array: *const zarrc_array,
    algorithm: *const c_char,
    digest: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handle, string and memory.
    unsafe {
        text_of(array, digest, "digest", err, |array| {
            let algorithm = Algorithm::named(string(algorithm, "algorithm")?)?;
            operations::stored_digest(&array.0, algorithm)
        })
    }
}

/// Returns the codecs of an array (filters, compressor, ...) as a JSON list of objects with "name"
/// and "configuration", in encoding order, spelt as in Zarr v3 whatever the format.
///
/// @param array      the array.
/// @param[out] json  receives the JSON text; free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_codecs_json(
    array: *const zarrc_array,
    json: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handle and memory.
    unsafe {
        text_of(array, json, "json", err, |array| {
            Ok(crate::format::codecs_spelt_alike(array.0.array.metadata())?.to_string())
        })
    }
}

/// Returns the path of an array in its store, without a slash at either end.
///
/// @param array      the array.
/// @param[out] path  receives the path, "" for the root; free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_path(
    array: *const zarrc_array,
    path: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handle and memory.
    unsafe {
        text_of(array, path, "path", err, |array| Ok(array.0.array.path().as_str().to_owned()))
    }
}

/// Returns the name of an array's store as messages show it: a path or a URL without credentials.
///
/// @param array      the array.
/// @param[out] name  receives the name; free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_store_name(
    array: *const zarrc_array,
    name: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handle and memory.
    unsafe { text_of(array, name, "name", err, |array| Ok(array.0.hierarchy.store().name())) }
}

/// Returns the order of the elements in stored chunks.
///
/// @param array  the array; may be NULL.
/// @return 'C': the last dimension varies fastest; 'F': the first. 0 for NULL.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_order(array: *const zarrc_array) -> c_char {
    guard_value(0, || {
        // SAFETY: the caller's handle.
        let array = unsafe { array.as_ref() };
        array.map_or(0, |array| operations::order(&array.0) as u8 as c_char)
    })
}

/// Returns the separator between the numbers of a chunk key.
///
/// @param array  the array; may be NULL.
/// @return '.' or '/'. 0 for NULL.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_separator(array: *const zarrc_array) -> c_char {
    guard_value(0, || {
        // SAFETY: the caller's handle.
        let array = unsafe { array.as_ref() };
        array.map_or(0, |array| {
            array.0.array.metadata().chunk_keys.separator().unwrap_or('/') as u8 as c_char
        })
    })
}

/// Returns the key of a chunk (shard, if the array has them), stored or not.
///
/// @param array     the array.
/// @param rank      the array's rank.
/// @param index     `rank` numbers, each less than zarrc_array_chunk_counts() returns.
/// @param[out] key  receives the key, as zarrc_store_get() accepts it; free it with
///                  zarrc_string_free().
/// @return ZARRC_OK; ZARRC_OUT_OF_BOUNDS: there is no such chunk; ZARRC_INVALID_ARGUMENT.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_chunk_key(
    array: *const zarrc_array,
    rank: usize,
    index: *const u64,
    key: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's handle and memory.
    unsafe {
        text_of(array, key, "key", err, |array| {
            let index = extents(array, rank, index, "index")?;
            array.0.array.chunk_bounds(index)?;
            Ok(array.0.array.chunk_key(index).to_string())
        })
    }
}

/// Receives the stored chunks, one after the other.
///
/// @param user   the pointer given with the callback.
/// @param index  the chunk's index, one number per dimension; valid during the call.
/// @param key    the chunk's key; valid during the call.
/// @param bytes  its stored size (bytes).
/// @return true to continue; false to end the visit.
pub type zarrc_chunk_visitor = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        index: *const u64,
        key: *const c_char,
        bytes: u64,
    ) -> bool,
>;

/// Visits the stored chunks (shards, if the array has them) of an array in C order of their
/// indices.
///
/// @param array    the array.
/// @param rank     the array's rank.
/// @param start    the first chunk along each dimension; NULL: 0.
/// @param count    the number of chunks along each dimension; NULL: to the end of each dimension.
/// @param visitor  called on this thread for each chunk. May use the array; must not throw or
///                 longjmp.
/// @param user     passed to `visitor`.
/// @return ZARRC_OK, also if the visitor ended the visit; ZARRC_UNSUPPORTED: the store cannot list
///         its keys; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_visit_chunks(
    array: *const zarrc_array,
    rank: usize,
    start: *const u64,
    count: *const u64,
    visitor: zarrc_chunk_visitor,
    user: *mut c_void,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle.
        let array = unsafe { object(array, "array")? };
        let visitor = visitor.ok_or_else(|| super::null("visitor"))?;
        let all = |value| vec![value; array.0.array.rank()];
        // SAFETY: the caller's numbers.
        let given = |numbers: *const u64, name, default| unsafe {
            match numbers.is_null() {
                true => extents(array, rank, all(default).as_ptr(), name).map(<[u64]>::to_vec),
                false => extents(array, rank, numbers, name).map(<[u64]>::to_vec),
            }
        };
        let (start, count) = (given(start, "start", 0)?, given(count, "count", u64::MAX)?);
        operations::visit_stored(&array.0, &start, &count, &mut |chunk| {
            let key = CString::new(chunk.key.as_str()).unwrap_or_default(); // keys hold no NUL
            // SAFETY: the caller's own function and pointer; all else lives until it returns.
            unsafe { visitor(user, chunk.index.as_ptr(), key.as_ptr(), chunk.bytes) }
        })
    })
}

/// Draws a group and everything below it as text, one line per node, in UTF-8:
///
/// @code
/// /
///  ├── a
///  │    └── x (10, 20) float32
///  └── b
/// @endcode
///
/// @param group      the group.
/// @param[out] text  receives the text; free it with zarrc_string_free().
/// @return ZARRC_OK; ZARRC_UNSUPPORTED: the store cannot list its keys; ZARRC_INVALID_ARGUMENT;
///         ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_group_tree(
    group: *const zarrc_group,
    text: *mut *mut c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(text, "text")?;
        // SAFETY: the caller's handle.
        let group = unsafe { object(group, "group")? };
        let drawn = owned_string(operations::tree(&group.0)?, "the tree")?;
        // SAFETY: checked above.
        unsafe { out.set(drawn) };
        Ok(())
    })
}

/// Receives the nodes below a group, one after the other.
///
/// @param user  the pointer given with the callback.
/// @param path  the node's path, relative to the group; valid during the call.
/// @param kind  a ZARRC_NODE_ constant; ZARRC_NODE_NONE if the node's document cannot be read.
/// @return true to continue; false to end the visit.
pub type zarrc_node_visitor = Option<
    unsafe extern "C" fn(user: *mut c_void, path: *const c_char, kind: zarrc_node_kind) -> bool,
>;

/// Visits all nodes below a group, sorted by path (bytewise).
///
/// @param group    the group.
/// @param visitor  called on this thread for each node. May use the store; must not throw or
///                 longjmp.
/// @param user     passed to `visitor`.
/// @return ZARRC_OK, also if the visitor ended the visit; ZARRC_UNSUPPORTED: the store cannot list
///         its keys; ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_group_visit(
    group: *const zarrc_group,
    visitor: zarrc_node_visitor,
    user: *mut c_void,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle.
        let group = unsafe { object(group, "group")? };
        let visitor = visitor.ok_or_else(|| super::null("visitor"))?;
        for node in group.0.list(true)? {
            let path = CString::new(node.path).unwrap_or_default(); // names hold no NUL
            // SAFETY: the caller's own function and pointer; the path lives until it returns.
            if !unsafe { visitor(user, path.as_ptr(), kind_constant(node.kind)) } {
                break;
            }
        }
        Ok(())
    })
}

/// As many numbers as the array has dimensions.
///
/// SAFETY: `numbers` is NULL or good for reading `rank` of them.
unsafe fn extents<'a>(
    array: &zarrc_array,
    rank: usize,
    numbers: *const u64,
    name: &str,
) -> Result<&'a [u64]> {
    let own = array.0.array.rank();
    if rank != own {
        return Err(Error::invalid(format!("rank {rank} for {name}: expected {own}, the array's")));
    }
    // SAFETY: as promised.
    unsafe { slice(numbers, rank, name) }
}

/// Hands out a text that is made of an array.
///
/// SAFETY: the handle and the memory are as the caller of the exported functions promises.
unsafe fn text_of(
    array: *const zarrc_array,
    place: *mut *mut c_char,
    name: &str,
    err: *mut zarrc_error,
    make: impl FnOnce(&zarrc_array) -> Result<String>,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(place, name)?;
        // SAFETY: the caller's handle.
        let array = unsafe { object(array, "array")? };
        let text = owned_string(make(array)?, name)?;
        // SAFETY: checked above.
        unsafe { out.set(text) };
        Ok(())
    })
}
