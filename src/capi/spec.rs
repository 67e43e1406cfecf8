//! Array specifications: the settings of a new array.

use super::attributes::zarrc_attributes;
use super::data_type::{self, constant, zarrc_data_type, zarrc_format};
use super::status::{free, zarrc_error, zarrc_status};
use super::{Out, guard, handle, object, object_mut, slice, string};
use crate::error::{Context, Error, Result};
use crate::hierarchy::{ArraySpec, FillSpec};
use crate::metadata::{Attributes, CodecSpec, DataType, FillValue};
use serde_json::{Map, Value};
use std::ffi::{c_char, c_void};

/// The specification of a new array. Data type and shape are required; chunks (about 1 MiB), fill
/// value (0) and codecs (zstd) have defaults.
///
/// One thread at a time may set it; any number of arrays may be created from it.
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
                "spec: data_type {} needs parameters: call zarrc_array_spec_set_data_type() \
                 (\"|S12\", \"<M8[ns]\")",
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
            "rank {rank} for {name}: expected {}, the array's",
            spec.shape.len()
        )));
    }
    // SAFETY: as promised.
    let values = unsafe { slice(values, rank, name)? };
    match values.iter().position(|&n| n == 0) {
        Some(d) => {
            Err(Error::invalid(format!("{name} is 0 in dimension {d}: expected at least 1")))
        }
        None => Ok(values.to_vec()),
    }
}

/// Creates an array specification.
///
/// @param data_type  a ZARRC_ data type other than ZARRC_NATIVE. ZARRC_RAW to ZARRC_STRUCT and
///                   ZARRC_RAGGED also need parameters: call zarrc_array_spec_set_data_type().
/// @param rank       the number of dimensions, at most 255; 0 for an array of one element.
/// @param shape      `rank` extents (elements), slowest dimension first; any may be 0.
/// @param[out] spec  receives the specification; free it with zarrc_array_spec_free().
/// @return ZARRC_OK; ZARRC_LIMIT_EXCEEDED: more than 255 dimensions; ZARRC_INVALID_ARGUMENT.
/// @since 0.1.0
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
/// @param spec   the specification to change.
/// @param rank   the specification's rank.
/// @param shape  `rank` extents (elements), slowest dimension first; any may be 0.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
/// @since 0.2.0
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
            return Err(Error::invalid(format!(
                "rank {rank}: expected {found}, the specification's"
            )));
        }
        spec.spec.shape = shape.to_vec();
        Ok(())
    })
}

/// Frees an array specification.
///
/// @param spec  the specification; may be NULL.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_array_spec_free(spec: *mut zarrc_array_spec) {
    free(spec);
}

/// Sets the format. Default: ZARRC_FORMAT_ANY.
///
/// @param spec    the specification to change.
/// @param format  a ZARRC_FORMAT_ constant; ZARRC_FORMAT_ANY: the parent group's format, else Zarr
///                v3.
/// @return ZARRC_OK; ZARRC_UNSUPPORTED: this build lacks the format; ZARRC_INVALID_ARGUMENT.
/// @since 0.1.0
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

/// Sets the data type from text, which can express types with parameters.
///
/// The text is one of: a NumPy typestr ("|S12", "<U7", "<M8[ns]", ">f8"; its byte order becomes
/// that of the stored elements); a Zarr v3 name ("float32", "r16", "string", "bytes"); the JSON of
/// a v2 or v3 document (a list of fields, an object); for variable length "vlen-utf8",
/// "vlen-bytes", "json", or "vlen-array:" with the typestr of the items ("vlen-array:<f8").
///
/// @param spec       the specification to change.
/// @param data_type  the text.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: the text is none of these, or names another type than
///         zarrc_array_spec_new() was given; ZARRC_UNSUPPORTED: this build lacks the type;
///         ZARRC_LIMIT_EXCEEDED: an element has 2 GiB or more.
/// @since 0.1.0
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
                "data_type {text:?} is {}, but the specification was created with {}",
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

/// Sets the shape of a chunk, or of an inner chunk if the array has shards. Default: about 1 MiB.
/// Along a dimension of extent 0, the default chunk has as many elements as fit, at most 16384.
///
/// @param spec         the specification to change.
/// @param rank         the specification's rank.
/// @param chunk_shape  `rank` extents (elements), each at least 1.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: another rank, or an extent of 0.
/// @since 0.1.0
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

/// Sets the extent of every chunk along one dimension (Zarr v3's "rectilinear" chunk grid only).
/// For an array with shards the extents are those of the shards. Other dimensions keep the regular
/// chunk or shard shape.
///
/// @param spec       the specification to change.
/// @param dimension  the dimension, from 0.
/// @param count      the number of chunks along it.
/// @param edges      `count` extents (elements), each at least 1; their sum must be at least the
///                   array's extent.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
/// @since 0.1.0
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
            return Err(Error::invalid(format!(
                "dimension {dimension}: expected less than the rank, \
                {rank}"
            )));
        }
        spec.spec.chunk_edges.insert(dimension, edges);
        Ok(())
    })
}

/// Stores chunks in shards of this shape (Zarr v3 only). Default: each chunk is a value of its own.
///
/// @param spec         the specification to change.
/// @param rank         the specification's rank.
/// @param shard_shape  `rank` extents (elements), each a multiple of the chunk's.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: another rank, or an extent of 0. zarrc_array_create()
///         checks that chunks divide shards.
/// @since 0.1.0
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

/// Sets the fill value: the value of elements that were never written.
///
/// Default: zeros; in Zarr v2 null, which zarrc reads as zeros. xarray treats the fill value of a
/// v2 array as its missing value: with a fill value of 0 it would show NaN for every 0 in the data.
///
/// @param spec   the specification to change.
/// @param value  one element in memory layout; for variable-length types its bytes.
/// @param size   its size (bytes).
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `size` is not the element size, or the bytes are not a
///         valid element (text that is not UTF-8, a ragged element that is not a whole number of
///         items, invalid JSON).
/// @since 0.1.0
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
        (size, element) => Err(Error::invalid(format!(
            "size {size}: expected {element}, the size of an element \
                (bytes)"
        ))),
    }
}

/// Sets CF's missing value. The attribute _FillValue will hold it, spelt as xarray and netCDF read
/// it in the array's format. It also becomes the fill value unless that is set, so that elements
/// that were never written are missing.
///
/// @param spec   the specification to change.
/// @param value  one element in memory layout; for variable-length types its bytes.
/// @param size   its size (bytes).
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `size` is not the element size, or the bytes are not a
///         valid element. zarrc_array_create() checks that CF has a missing value of the type and
///         that in Zarr v2 the fill value is equal.
/// @since 0.2.0
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

/// Sets the fill value as JSON, spelt as in the format's documents: 1.5, "NaN", "0x7fc00001", [0,
/// 1].
///
/// @param spec  the specification to change.
/// @param json  the JSON text.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `json` is not JSON. zarrc_array_create() checks that
///         it is a value of the data type.
/// @since 0.1.0
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
            .map_err(|e| Error::invalid(format!("json: not JSON: {e}")))?;
        spec.spec.fill_value = FillSpec::Json(json.to_owned());
        Ok(())
    })
}

/// Appends a codec. Encoding applies codecs in the order in which they were added. zarrc adds a
/// missing transpose (for order 'F') and a missing array-to-bytes codec at their place. Default:
/// zstd.
///
/// @param spec                the specification to change.
/// @param name                the codec's name as in the format's metadata: "zstd", "blosc",
///                            "gzip", "zlib", "lz4", "crc32c", "transpose", "bytes"; "none", as the
///                            only codec, disables compression.
/// @param configuration_json  a JSON object as in the format's metadata, such as {"level":3}; NULL
///                            or missing members: the codec's defaults.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: the configuration is not a JSON object;
///         ZARRC_UNSUPPORTED: this build lacks the codec.
/// @since 0.1.0
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

/// Sets the order of the elements within a stored chunk. Default: 'C'. Does not affect the layout
/// in memory, which each read and write chooses.
///
/// @param spec   the specification to change.
/// @param order  'C': the last dimension varies fastest; 'F': the first.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
/// @since 0.1.0
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

/// Sets the separator between the numbers of a chunk key. Default: '/' in Zarr v3, '.' in v2.
///
/// @param spec       the specification to change.
/// @param separator  '.' or '/'.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
/// @since 0.1.0
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

/// Names the dimensions. Zarr v2 stores the names in the attribute _ARRAY_DIMENSIONS, as xarray
/// does.
///
/// @param spec   the specification to change.
/// @param rank   the specification's rank.
/// @param names  `rank` strings (UTF-8); NULL for a dimension without a name.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT.
/// @since 0.1.0
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
                let what = format!("rank {rank}: expected {}, the array's", spec.spec.shape.len());
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

/// Sets the attributes of the new array from JSON. They are stored with its first document.
///
/// @param spec  the specification to change.
/// @param json  a JSON object.
/// @return ZARRC_OK; ZARRC_INVALID_ARGUMENT: `json` is not a JSON object.
/// @since 0.1.0
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

/// Sets the attributes of the new array. They are stored with its first document.
///
/// @param spec        the specification to change.
/// @param attributes  attributes of zarrc_attributes_new() or of any node. Copied: may be freed
///                    after the call.
/// @return ZARRC_OK; ZARRC_INVALID_METADATA: the metadata document is damaged;
///         ZARRC_INVALID_ARGUMENT; ZARRC_PERMISSION_DENIED; ZARRC_IO.
/// @since 0.2.0
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
