//! What a new array is to be.

use super::attributes::zarrc_attributes;
use super::data_type::{self, constant, zarrc_data_type, zarrc_format};
use super::status::{free, zarrc_error, zarrc_status};
use super::{Out, guard, handle, object, object_mut, slice, string};
use crate::error::{Context, Error, Result};
use crate::hierarchy::{ArraySpec, FillSpec};
use crate::metadata::{Attributes, CodecSpec, DataType, FillValue};
use serde_json::{Map, Value};
use std::ffi::{c_char, c_void};

/// What a new array is to be. Chunks, fill value and codecs have sensible defaults (chunks of
/// about 1 MiB, 0, zstd), so rank, shape and type are enough. Built by one thread; may be used for
/// any number of arrays.
pub struct zarrc_array_spec {
    spec: ArraySpec,
    /// A type that needs parameters which have not been given yet.
    incomplete: Option<zarrc_data_type>,
}

impl zarrc_array_spec {
    /// One that is whole.
    pub(super) fn of(spec: ArraySpec) -> Self {
        zarrc_array_spec { spec, incomplete: None }
    }

    /// The whole, if it is one.
    pub(super) fn complete(&self) -> Result<&ArraySpec> {
        match self.incomplete {
            None => Ok(&self.spec),
            Some(constant) => Err(Error::invalid(format!(
                "spec: data_type {} takes parameters, which zarrc_array_spec_set_data_type() \
                 gives (\"|S12\", \"<M8[ns]\")",
                data_type::called(constant)
            ))),
        }
    }
}

/// Extents with the array's rank.
///
/// SAFETY: NULL or `rank` numbers.
unsafe fn extents(
    spec: &ArraySpec,
    rank: usize,
    values: *const u64,
    name: &str,
) -> Result<Vec<u64>> {
    if rank != spec.shape.len() {
        return Err(Error::invalid(format!(
            "rank is {rank} for {name}, the array's is {}",
            spec.shape.len()
        )));
    }
    // SAFETY: as promised.
    let values = unsafe { slice(values, rank, name)? };
    match values.iter().position(|&n| n == 0) {
        Some(d) => Err(Error::invalid(format!("{name} is 0 in dimension {d}"))),
        None => Ok(values.to_vec()),
    }
}

/// Begins the description of an array.
///
/// @param data_type  one of the ZARRC_ types but ZARRC_NATIVE. ZARRC_RAW to ZARRC_STRUCT and
///                   ZARRC_RAGGED take parameters, which zarrc_array_spec_set_data_type() gives.
/// @param rank       dimensions; 0 for an array of one element.
/// @param shape      `rank` extents, slowest dimension first; any may be 0.
/// @param[out] spec  to be freed with zarrc_array_spec_free().
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; ZARRC_LIMIT_EXCEEDED: more than 255 dimensions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_spec_new(
    data_type: zarrc_data_type,
    rank: usize,
    shape: *const u64,
    spec: *mut *mut zarrc_array_spec,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        let out = Out::new(spec, "spec")?;
        // before the shape is read: a wrong rank leads past its end
        crate::format::check_dimensions(rank)?;
        // SAFETY: the caller's numbers.
        let shape = unsafe { slice(shape, rank, "shape")? };
        let known = data_type::new_type(data_type)?;
        let incomplete = known.is_none().then_some(data_type);
        let spec = ArraySpec::new(known.unwrap_or(DataType::UInt8), shape.to_vec());
        // SAFETY: checked above.
        unsafe { out.set(handle(zarrc_array_spec { spec, incomplete })) };
        Ok(())
    })
}

/// Sets the shape.
///
/// @param rank   that of the description.
/// @param shape  `rank` extents (elements), slowest dimension first; any may be 0.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_spec_set_shape(
    spec: *mut zarrc_array_spec,
    rank: usize,
    shape: *const u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and numbers.
        let (spec, shape) = unsafe { (object_mut(spec, "spec")?, slice(shape, rank, "shape")?) };
        if rank != spec.spec.shape.len() {
            let found = spec.spec.shape.len();
            return Err(Error::invalid(format!("rank is {rank}, the description's is {found}")));
        }
        spec.spec.shape = shape.to_vec();
        Ok(())
    })
}

/// Frees a description. NULL is accepted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_spec_free(spec: *mut zarrc_array_spec) {
    free(spec);
}

/// Sets the format. Default: ZARRC_FORMAT_ANY, that of the group above, else Zarr v3.
///
/// @return ZARRC_OK; ZARRC_UNSUPPORTED: no such format in this build; ZARRC_INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_spec_set_format(
    spec: *mut zarrc_array_spec,
    format: zarrc_format,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle.
        let spec = unsafe { object_mut(spec, "spec")? };
        spec.spec.format = data_type::format(format)?;
        Ok(())
    })
}

/// Sets the type by a text, for types with parameters.
///
/// @param data_type  a NumPy typestr ("|S12", "<U7", "<M8[ns]", ">f8"; its byte order becomes that
///                   of the stored elements), a v3 name ("float32", "r16", "string", "bytes"), or
///                   the JSON of a v2 or v3 document (a list of fields, an object). Of variable
///                   length also "vlen-utf8", "vlen-bytes", "json", and for runs "vlen-array:" with
///                   the typestr of their items ("vlen-array:<f8").
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: it is none of these, or another type than the one
///         the description was begun with; ZARRC_UNSUPPORTED: no such type in this build;
///         ZARRC_LIMIT_EXCEEDED: elements of 2 GiB or more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_spec_set_data_type(
    spec: *mut zarrc_array_spec,
    data_type: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and string.
        let (spec, text) = unsafe { (object_mut(spec, "spec")?, string(data_type, "data_type")?) };
        let (data_type, endian) = crate::format::parse_data_type(text)
            .map_err(Error::caller_caused)
            .at(|| "data_type")?;
        if let Some(begun) = spec.incomplete
            && begun != constant(&data_type)
        {
            return Err(Error::invalid(format!(
                "data_type {text:?} is {}, the spec was begun with {}",
                data_type::called(constant(&data_type)),
                data_type::called(begun)
            )));
        }
        spec.spec.data_type = data_type;
        spec.spec.endian = endian;
        spec.incomplete = None;
        Ok(())
    })
}

/// Sets the shape of a chunk (of an inner chunk, where there are shards). Default: about 1 MiB; along
/// a dimension of extent 0, which is one that will grow, as many elements as fit, at most 16384.
///
/// @param rank  the array's.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: another rank, or an extent of 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_spec_set_chunk_shape(
    spec: *mut zarrc_array_spec,
    rank: usize,
    chunk_shape: *const u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and numbers.
        unsafe {
            let spec = object_mut(spec, "spec")?;
            spec.spec.chunk_shape = Some(extents(&spec.spec, rank, chunk_shape, "chunk_shape")?);
        }
        Ok(())
    })
}

/// Lists the extents of the chunks along one dimension, one by one (Zarr v3's "rectilinear" grid
/// only). Where there are shards, they are those of the shards. Along dimensions without such a
/// list, chunks are as zarrc_array_spec_set_chunk_shape() and zarrc_array_spec_set_shard_shape()
/// say. Default: no lists.
///
/// @param dimension  below the rank.
/// @param edges      `count` extents, none of them 0, together the array's extent or more.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_spec_set_chunk_edges(
    spec: *mut zarrc_array_spec,
    dimension: usize,
    count: usize,
    edges: *const u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and numbers.
        let (spec, edges) =
            unsafe { (object_mut(spec, "spec")?, slice(edges, count, "edges")?.to_vec()) };
        if dimension >= spec.spec.shape.len() {
            let rank = spec.spec.shape.len();
            return Err(Error::invalid(format!("dimension is {dimension}, the rank is {rank}")));
        }
        spec.spec.chunk_edges.insert(dimension, edges);
        Ok(())
    })
}

/// Puts chunks together in shards of this shape, which that of the chunks divides (Zarr v3 only).
/// Default: every chunk is a value of its own.
///
/// @return as zarrc_array_spec_set_chunk_shape().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_spec_set_shard_shape(
    spec: *mut zarrc_array_spec,
    rank: usize,
    shard_shape: *const u64,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and numbers.
        unsafe {
            let spec = object_mut(spec, "spec")?;
            spec.spec.shard_shape = Some(extents(&spec.spec, rank, shard_shape, "shard_shape")?);
        }
        Ok(())
    })
}

/// Sets the value of elements that were never written. Default: zeros; in Zarr v2 "undefined"
/// (null), which reads as zeros here, because xarray takes the fill value of an array of Zarr v2 for
/// its missing value: where it is 0, xarray shows NaN for every 0 that was written.
///
/// @param value  one element as it lies in memory; of variable length its bytes.
/// @param size   its size in bytes.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: size is not that of an element, or these are no bytes
///         of one (text that is not UTF-8, a broken run, what is not JSON).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_spec_set_fill_value(
    spec: *mut zarrc_array_spec,
    value: *const c_void,
    size: usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and memory.
        let (spec, value) =
            unsafe { (object_mut(spec, "spec")?, slice(value.cast::<u8>(), size, "value")?) };
        check_element(&spec.complete()?.data_type, value)?;
        spec.spec.fill_value = FillSpec::Element(value.into());
        Ok(())
    })
}

/// Whether `value` is the bytes of one element.
pub(super) fn check_element(data_type: &DataType, value: &[u8]) -> Result<()> {
    if data_type.is_variable() {
        return crate::array::check_element(data_type, value).at(|| "value");
    }
    match (value.len(), data_type.size()) {
        (size, element) if size == element => Ok(()),
        (size, element) => {
            Err(Error::invalid(format!("size is {size}, an element has {element} bytes")))
        }
    }
}

/// Sets CF's missing value, which the attribute _FillValue names as xarray and netCDF read it in the
/// array's format. It becomes the fill value too, unless that is set, so that what was never
/// written is missing.
///
/// @param value  one element as it lies in memory; of variable length its bytes.
/// @param size   its size in bytes.
/// @return as zarrc_array_spec_set_fill_value(). Whether CF has a missing value of the type, and
///         whether in Zarr v2 the fill value is the same, is looked at when the array is created.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_spec_set_missing_value(
    spec: *mut zarrc_array_spec,
    value: *const c_void,
    size: usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and memory.
        let (spec, value) =
            unsafe { (object_mut(spec, "spec")?, slice(value.cast::<u8>(), size, "value")?) };
        check_element(&spec.complete()?.data_type, value)?;
        spec.spec.missing_value = Some(FillValue::new(value));
        Ok(())
    })
}

/// The same as JSON, as the format's documents say it (1.5, "NaN", "0x7fc00001", [0, 1], …).
///
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: it is not JSON. Whether it is a value of the type is
///         looked at when the array is created.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_spec_set_fill_value_json(
    spec: *mut zarrc_array_spec,
    json: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and string.
        let (spec, json) = unsafe { (object_mut(spec, "spec")?, string(json, "json")?) };
        serde_json::from_str::<&serde_json::value::RawValue>(json)
            .map_err(|e| Error::invalid(format!("json is not JSON: {e}")))?;
        spec.spec.fill_value = FillSpec::Json(json.to_owned());
        Ok(())
    })
}

/// Adds a codec. Codecs run in the order added; those that come first by nature (the transposition
/// of order 'F', the one that makes bytes of elements) are added where they are missing. Default:
/// zstd.
///
/// @param name                as in the format's metadata: "zstd", "blosc", "gzip", "zlib", "lz4",
///                            "crc32c", "transpose", "bytes"; "none" alone: no compression.
/// @param configuration_json  a JSON object as in the format's metadata ({"level":3}); NULL or
///                            members left out: the defaults.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: not a JSON object; ZARRC_UNSUPPORTED: no such codec
///         in this build.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_spec_add_codec(
    spec: *mut zarrc_array_spec,
    name: *const c_char,
    configuration_json: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and strings; no configuration means defaults.
        let (spec, name, configuration) = unsafe {
            let configuration = match configuration_json.is_null() {
                true => None,
                false => Some(string(configuration_json, "configuration_json")?),
            };
            (object_mut(spec, "spec")?, string(name, "name")?, configuration)
        };
        let configuration: Map<String, Value> = match configuration {
            None => Map::new(),
            Some(json) => serde_json::from_str(json)
                .map_err(|e| Error::invalid(format!("configuration_json: {e}")))?,
        };
        if name != "none" {
            crate::codec::check_name(name)?;
        }
        // from here on nothing fails: what is refused leaves the default as it was
        let codecs = spec.spec.codecs.get_or_insert_default();
        if name != "none" {
            codecs.push(CodecSpec::new(name, configuration));
        }
        Ok(())
    })
}

/// Sets the order of elements within a chunk. Default: 'C'. Memory is laid out by the calls that
/// read and write, whatever this is.
///
/// @param order  'C': the last dimension is fastest; 'F': the first.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_spec_set_order(
    spec: *mut zarrc_array_spec,
    order: c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle.
        let spec = unsafe { object_mut(spec, "spec")? };
        spec.spec.fortran_order = match order as u8 {
            b'C' => false,
            b'F' => true,
            other => {
                let found = char::from(other).escape_default();
                return Err(Error::invalid(format!("order '{found}': expected 'C' or 'F'")));
            }
        };
        Ok(())
    })
}

/// Sets what stands between the numbers of a chunk's key. Default: '/' in Zarr v3, '.' in v2.
///
/// @param separator  '.' or '/'.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_spec_set_separator(
    spec: *mut zarrc_array_spec,
    separator: c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle.
        let spec = unsafe { object_mut(spec, "spec")? };
        spec.spec.separator = match separator as u8 {
            b'.' => Some('.'),
            b'/' => Some('/'),
            other => {
                let found = char::from(other).escape_default();
                return Err(Error::invalid(format!("separator '{found}': expected '.' or '/'")));
            }
        };
        Ok(())
    })
}

/// Names the dimensions. In Zarr v2 they become the attribute _ARRAY_DIMENSIONS, as xarray has it.
///
/// @param rank   the array's.
/// @param names  `rank` strings; NULL for a dimension without a name.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_spec_set_dimension_names(
    spec: *mut zarrc_array_spec,
    rank: usize,
    names: *const *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and strings.
        unsafe {
            let spec = object_mut(spec, "spec")?;
            if rank != spec.spec.shape.len() {
                let what = format!("rank is {rank}, the array's is {}", spec.spec.shape.len());
                return Err(Error::invalid(what));
            }
            let name = |&name: &*const c_char| match name.is_null() {
                true => Ok(None),
                false => string(name, "names").map(|n| Some(n.to_owned())),
            };
            let names = slice(names, rank, "names")?.iter().map(name).collect::<Result<_>>()?;
            spec.spec.dimension_names = Some(names);
        }
        Ok(())
    })
}

/// Sets the attributes that the array begins with.
///
/// @param json  the text of a JSON object.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: it is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_spec_set_attributes_json(
    spec: *mut zarrc_array_spec,
    json: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handle and string.
        let (spec, json) = unsafe { (object_mut(spec, "spec")?, string(json, "json")?) };
        let attributes: Attributes =
            serde_json::from_str(json).map_err(|e| Error::invalid(format!("json: {e}")))?;
        spec.spec.attributes = attributes;
        Ok(())
    })
}

/// Sets the attributes that the array begins with, so that its first document has them.
///
/// @param attributes  of zarrc_attributes_new() or of another node. Copied: may be freed at once.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT; else as zarrc_attributes_json().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_spec_set_attributes(
    spec: *mut zarrc_array_spec,
    attributes: *const zarrc_attributes,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's handles.
        let (spec, attributes) =
            unsafe { (object_mut(spec, "spec")?, object(attributes, "attributes")?) };
        spec.spec.attributes = attributes.all()?;
        Ok(())
    })
}
