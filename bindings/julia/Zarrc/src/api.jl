# The C functions, types and constants of libzarrc 0.2.0.
# Written from include/zarrc.h by bindings/generate/generate.py: change that, not this.

const HEADER_VERSION = v"0.2.0"

# The outcome of a call: ZARRC_OK or one of the constants below.
@enum Status::Int32 begin
    ZARRC_OK = 0
    ZARRC_INVALID_ARGUMENT = 1
    ZARRC_OUT_OF_BOUNDS = 2
    ZARRC_NOT_FOUND = 3
    ZARRC_ALREADY_EXISTS = 4
    ZARRC_INVALID_METADATA = 5
    ZARRC_CORRUPT_DATA = 6
    ZARRC_UNSUPPORTED = 7
    ZARRC_TYPE_MISMATCH = 8
    ZARRC_PERMISSION_DENIED = 9
    ZARRC_IO = 10
    ZARRC_CONFLICT = 11
    ZARRC_LIMIT_EXCEEDED = 12
    ZARRC_CANCELLED = 13
    ZARRC_OUT_OF_MEMORY = 14
    ZARRC_INTERNAL = 15
end

# The data type of elements: one of the constants below.
@enum DataType::Int32 begin
    ZARRC_NATIVE = 0
    ZARRC_BOOL = 1
    ZARRC_INT8 = 2
    ZARRC_INT16 = 3
    ZARRC_INT32 = 4
    ZARRC_INT64 = 5
    ZARRC_UINT8 = 6
    ZARRC_UINT16 = 7
    ZARRC_UINT32 = 8
    ZARRC_UINT64 = 9
    ZARRC_FLOAT16 = 10
    ZARRC_BFLOAT16 = 11
    ZARRC_FLOAT32 = 12
    ZARRC_FLOAT64 = 13
    ZARRC_COMPLEX64 = 14
    ZARRC_COMPLEX128 = 15
    ZARRC_RAW = 16
    ZARRC_FIXED_BYTES = 17
    ZARRC_FIXED_UTF32 = 18
    ZARRC_DATETIME64 = 19
    ZARRC_TIMEDELTA64 = 20
    ZARRC_STRUCT = 21
    ZARRC_STRING = 22
    ZARRC_BYTES = 23
    ZARRC_RAGGED = 24
    ZARRC_JSON = 25
    ZARRC_INT2 = 26
    ZARRC_INT4 = 27
    ZARRC_UINT2 = 28
    ZARRC_UINT4 = 29
    ZARRC_FLOAT4_E2M1FN = 30
    ZARRC_FLOAT6_E2M3FN = 31
    ZARRC_FLOAT6_E3M2FN = 32
    ZARRC_FLOAT8_E3M4 = 33
    ZARRC_FLOAT8_E4M3 = 34
    ZARRC_FLOAT8_E4M3B11FNUZ = 35
    ZARRC_FLOAT8_E4M3FN = 36
    ZARRC_FLOAT8_E4M3FNUZ = 37
    ZARRC_FLOAT8_E5M2 = 38
    ZARRC_FLOAT8_E5M2FNUZ = 39
    ZARRC_FLOAT8_E8M0FNU = 40
    ZARRC_COMPLEX_FLOAT16 = 41
    ZARRC_COMPLEX_BFLOAT16 = 42
    ZARRC_COMPLEX_FLOAT4_E2M1FN = 43
    ZARRC_COMPLEX_FLOAT6_E2M3FN = 44
    ZARRC_COMPLEX_FLOAT6_E3M2FN = 45
    ZARRC_COMPLEX_FLOAT8_E3M4 = 46
    ZARRC_COMPLEX_FLOAT8_E4M3 = 47
    ZARRC_COMPLEX_FLOAT8_E4M3B11FNUZ = 48
    ZARRC_COMPLEX_FLOAT8_E4M3FN = 49
    ZARRC_COMPLEX_FLOAT8_E4M3FNUZ = 50
    ZARRC_COMPLEX_FLOAT8_E5M2 = 51
    ZARRC_COMPLEX_FLOAT8_E5M2FNUZ = 52
    ZARRC_COMPLEX_FLOAT8_E8M0FNU = 53
end

# A storage format: one of the constants below.
@enum Format::Int32 begin
    ZARRC_FORMAT_ANY = 0
    ZARRC_FORMAT_V1 = 1
    ZARRC_FORMAT_V2 = 2
    ZARRC_FORMAT_V3 = 3
    ZARRC_FORMAT_N5 = 4
    ZARRC_FORMAT_V3_2019 = 5
    ZARRC_FORMAT_V3_2020 = 6
    ZARRC_FORMAT_V3_2022 = 7
end

# How to open a store: one of the constants below.
@enum Mode::Int32 begin
    ZARRC_READ = 0
    ZARRC_READ_WRITE = 1
    ZARRC_APPEND = 2
    ZARRC_CREATE = 3
    ZARRC_OVERWRITE = 4
end

# The kind of an attribute: one of the constants below.
@enum AttributeKind::Int32 begin
    ZARRC_ATTRIBUTE_NULL = 0
    ZARRC_ATTRIBUTE_BOOL = 1
    ZARRC_ATTRIBUTE_INTEGER = 2
    ZARRC_ATTRIBUTE_NUMBER = 3
    ZARRC_ATTRIBUTE_STRING = 4
    ZARRC_ATTRIBUTE_INTEGERS = 5
    ZARRC_ATTRIBUTE_NUMBERS = 6
    ZARRC_ATTRIBUTE_STRINGS = 7
    ZARRC_ATTRIBUTE_LIST = 8
    ZARRC_ATTRIBUTE_OBJECT = 9
end

# The kind of a node: one of the constants below.
@enum NodeKind::Int32 begin
    ZARRC_NODE_NONE = 0
    ZARRC_NODE_GROUP = 1
    ZARRC_NODE_ARRAY = 2
end

# What a codec maps to what: one of the constants below.
@enum CodecKind::Int32 begin
    ZARRC_CODEC_BYTES = 0
    ZARRC_CODEC_ARRAY_BYTES = 1
    ZARRC_CODEC_ARRAY = 2
end

# What to do with keys that exist in the target: one of the constants below.
@enum IfExists::Int32 begin
    ZARRC_IF_EXISTS_FAIL = 0
    ZARRC_IF_EXISTS_SKIP = 1
    ZARRC_IF_EXISTS_REPLACE = 2
end

# zarrc_error: owned by the caller, nothing to free.
mutable struct CError
    status::Int32
    system_code::Int32
    message::NTuple{1016,UInt8}
    CError() = (error = new(); error.status = 0; error)
end

struct CStoreCallbacks
    size::Csize_t
    user::Ptr{Cvoid}
    name::Cstring
    concurrency::Csize_t
    destroy::Ptr{Cvoid}
    get::Ptr{Cvoid}
    stat::Ptr{Cvoid}
    get_range::Ptr{Cvoid}
    set::Ptr{Cvoid}
    erase::Ptr{Cvoid}
    list::Ptr{Cvoid}
    flush::Ptr{Cvoid}
end

struct CWriterOptions
    size::Csize_t
    flush_seconds::Cdouble
    buffer_bytes::UInt64
end

struct CCodecChunk
    size::Csize_t
    rank::Csize_t
    shape::Ptr{UInt64}
    data_type::Int32
    element_size::Csize_t
    fill_value::Ptr{Cvoid}
end

struct CCodecCallbacks
    size::Csize_t
    user::Ptr{Cvoid}
    destroy::Ptr{Cvoid}
    open::Ptr{Cvoid}
    close::Ptr{Cvoid}
    decode::Ptr{Cvoid}
    encode::Ptr{Cvoid}
    bound::Ptr{Cvoid}
    decode_part::Ptr{Cvoid}
end

struct CConvertOptions
    size::Csize_t
    accept_losses::Bool
    keep_old::Bool
    progress::Ptr{Cvoid}
    user::Ptr{Cvoid}
end

struct CCopyOptions
    size::Csize_t
    if_exists::Int32
    dry_run::Bool
    exclude_count::Csize_t
    exclude::Ptr{Cstring}
    progress::Ptr{Cvoid}
    user::Ptr{Cvoid}
    spec::Ptr{Cvoid}
    memory_limit::UInt64
    link::Bool
end

struct CCopied
    keys::UInt64
    skipped::UInt64
    bytes::UInt64
end

struct CHdf5Options
    size::Csize_t
    accept_losses::Bool
    replace::Bool
    unlimited::Cstring
    memory_limit::UInt64
    progress::Ptr{Cvoid}
    user::Ptr{Cvoid}
end

# Addresses of the functions, found when the package is loaded.
const FUNCTIONS = (
    :zarrc_status_name,
    :zarrc_version,
    :zarrc_build_info,
    :zarrc_string_free,
    :zarrc_data_type_name,
    :zarrc_data_type_size,
    :zarrc_options_new,
    :zarrc_options_set,
    :zarrc_options_free,
    :zarrc_store_open,
    :zarrc_store_close,
    :zarrc_store_get,
    :zarrc_store_get_range,
    :zarrc_store_set,
    :zarrc_store_erase,
    :zarrc_store_erase_prefix,
    :zarrc_store_forget,
    :zarrc_value_free,
    :zarrc_store_begin,
    :zarrc_store_commit,
    :zarrc_store_rollback,
    :zarrc_store_snapshot,
    :zarrc_store_from_callbacks,
    :zarrc_attributes_json,
    :zarrc_attributes_replace_json,
    :zarrc_attributes_get_json,
    :zarrc_attributes_set_json,
    :zarrc_attributes_count,
    :zarrc_attributes_name,
    :zarrc_attributes_new,
    :zarrc_attributes_free,
    :zarrc_attributes_update,
    :zarrc_attributes_delete,
    :zarrc_attributes_get_double,
    :zarrc_attributes_set_double,
    :zarrc_attributes_set_float,
    :zarrc_attributes_get_int64,
    :zarrc_attributes_set_int64,
    :zarrc_attributes_get_string,
    :zarrc_attributes_set_string,
    :zarrc_attributes_get_doubles,
    :zarrc_attributes_set_doubles,
    :zarrc_attributes_get_int64s,
    :zarrc_attributes_set_int64s,
    :zarrc_attributes_get_string_at,
    :zarrc_attributes_set_strings,
    :zarrc_attributes_get_bool,
    :zarrc_attributes_set_bool,
    :zarrc_attributes_set_null,
    :zarrc_attributes_kind,
    :zarrc_node_kind_at,
    :zarrc_group_open,
    :zarrc_group_create,
    :zarrc_group_require,
    :zarrc_group_overwrite,
    :zarrc_group_open_url,
    :zarrc_group_close,
    :zarrc_group_attributes,
    :zarrc_group_list,
    :zarrc_listing_count,
    :zarrc_listing_path,
    :zarrc_listing_kind,
    :zarrc_listing_free,
    :zarrc_node_delete,
    :zarrc_node_delete_with,
    :zarrc_array_spec_new,
    :zarrc_array_spec_set_shape,
    :zarrc_array_spec_free,
    :zarrc_array_spec_set_format,
    :zarrc_array_spec_set_data_type,
    :zarrc_array_spec_set_chunk_shape,
    :zarrc_array_spec_set_chunk_edges,
    :zarrc_array_spec_set_shard_shape,
    :zarrc_array_spec_set_fill_value,
    :zarrc_array_spec_set_missing_value,
    :zarrc_array_spec_set_fill_value_json,
    :zarrc_array_spec_add_codec,
    :zarrc_array_spec_set_order,
    :zarrc_array_spec_set_separator,
    :zarrc_array_spec_set_dimension_names,
    :zarrc_array_spec_set_attributes_json,
    :zarrc_array_spec_set_attributes,
    :zarrc_array_create,
    :zarrc_array_open_or_create,
    :zarrc_array_require,
    :zarrc_array_overwrite,
    :zarrc_array_create_from_buffer,
    :zarrc_array_spec_new_like,
    :zarrc_array_open_url,
    :zarrc_array_create_json,
    :zarrc_array_open_json,
    :zarrc_array_open,
    :zarrc_array_close,
    :zarrc_array_format,
    :zarrc_array_data_type_text,
    :zarrc_array_dimension_name,
    :zarrc_array_set_missing_value,
    :zarrc_array_data_type,
    :zarrc_array_element_size,
    :zarrc_array_rank,
    :zarrc_array_shape,
    :zarrc_array_chunk_shape,
    :zarrc_array_chunk_counts,
    :zarrc_array_chunk_bounds,
    :zarrc_array_shard_shape,
    :zarrc_array_fill_value,
    :zarrc_array_fill_value_json,
    :zarrc_array_metadata_json,
    :zarrc_array_attributes,
    :zarrc_array_read,
    :zarrc_array_write,
    :zarrc_array_read_strided,
    :zarrc_array_write_strided,
    :zarrc_array_flush,
    :zarrc_array_read_vlen,
    :zarrc_array_write_vlen,
    :zarrc_vlen_count,
    :zarrc_vlen_offsets,
    :zarrc_vlen_bytes,
    :zarrc_vlen_free,
    :zarrc_array_append,
    :zarrc_array_append_vlen,
    :zarrc_array_append_with,
    :zarrc_array_grow,
    :zarrc_array_resize,
    :zarrc_array_refresh,
    :zarrc_selection_new,
    :zarrc_selection_free,
    :zarrc_selection_set_range,
    :zarrc_selection_set_index,
    :zarrc_selection_set_indices,
    :zarrc_selection_set_mask,
    :zarrc_selection_set_points,
    :zarrc_selection_set_element_mask,
    :zarrc_selection_set_blocks,
    :zarrc_selection_set_field,
    :zarrc_selection_rank,
    :zarrc_selection_shape,
    :zarrc_selection_coordinates,
    :zarrc_array_read_selection,
    :zarrc_array_write_selection,
    :zarrc_array_fill,
    :zarrc_array_read_selection_vlen,
    :zarrc_array_write_selection_vlen,
    :zarrc_array_read_start,
    :zarrc_array_write_start,
    :zarrc_array_read_selection_start,
    :zarrc_array_write_selection_start,
    :zarrc_request_test,
    :zarrc_request_wait,
    :zarrc_request_wait_any,
    :zarrc_request_fd,
    :zarrc_request_cancel,
    :zarrc_request_free,
    :zarrc_writer_open,
    :zarrc_writer_declare,
    :zarrc_writer_put,
    :zarrc_writer_commit,
    :zarrc_writer_flush,
    :zarrc_writer_steps,
    :zarrc_writer_close,
    :zarrc_codec_register,
    :zarrc_codec_unregister,
    :zarrc_array_info_json,
    :zarrc_array_content_digest,
    :zarrc_array_stored_digest,
    :zarrc_array_codecs_json,
    :zarrc_array_path,
    :zarrc_array_store_name,
    :zarrc_array_order,
    :zarrc_array_separator,
    :zarrc_array_chunk_key,
    :zarrc_array_visit_chunks,
    :zarrc_group_tree,
    :zarrc_group_visit,
    :zarrc_convert,
    :zarrc_convert_plan,
    :zarrc_node_copy,
    :zarrc_node_copy_with,
    :zarrc_node_move,
    :zarrc_consolidate_metadata,
    :zarrc_rechunk,
    :zarrc_verify,
    :zarrc_repair,
    :zarrc_hdf5_export,
    :zarrc_references_json,
)
const ADDRESSES = fill(C_NULL, 186)

zarrc_status_name(status) =
    ccall(ADDRESSES[1], Cstring, (Int32, ), status)
zarrc_version() =
    ccall(ADDRESSES[2], Cstring, ())
zarrc_build_info(json, err) =
    ccall(ADDRESSES[3], Int32, (Ptr{Cstring}, Ptr{CError}, ), json, err)
zarrc_string_free(string) =
    ccall(ADDRESSES[4], Cvoid, (Cstring, ), string)
zarrc_data_type_name(data_type) =
    ccall(ADDRESSES[5], Cstring, (Int32, ), data_type)
zarrc_data_type_size(data_type) =
    ccall(ADDRESSES[6], Csize_t, (Int32, ), data_type)
zarrc_options_new() =
    ccall(ADDRESSES[7], Ptr{Cvoid}, ())
zarrc_options_set(options, name, value, err) =
    ccall(ADDRESSES[8], Int32, (Ptr{Cvoid}, Cstring, Cstring, Ptr{CError}, ), options, name, value, err)
zarrc_options_free(options) =
    ccall(ADDRESSES[9], Cvoid, (Ptr{Cvoid}, ), options)
zarrc_store_open(url, mode, options, store, err) =
    ccall(ADDRESSES[10], Int32, (Cstring, Int32, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), url, mode, options, store, err)
zarrc_store_close(store, err) =
    ccall(ADDRESSES[11], Int32, (Ptr{Cvoid}, Ptr{CError}, ), store, err)
zarrc_store_get(store, key, value, size, err) =
    ccall(ADDRESSES[12], Int32, (Ptr{Cvoid}, Cstring, Ptr{Ptr{UInt8}}, Ptr{Csize_t}, Ptr{CError}, ), store, key, value, size, err)
zarrc_store_get_range(store, key, offset, length, value, size, err) =
    ccall(ADDRESSES[13], Int32, (Ptr{Cvoid}, Cstring, UInt64, UInt64, Ptr{Ptr{UInt8}}, Ptr{Csize_t}, Ptr{CError}, ), store, key, offset, length, value, size, err)
zarrc_store_set(store, key, value, size, err) =
    ccall(ADDRESSES[14], Int32, (Ptr{Cvoid}, Cstring, Ptr{Cvoid}, Csize_t, Ptr{CError}, ), store, key, value, size, err)
zarrc_store_erase(store, key, err) =
    ccall(ADDRESSES[15], Int32, (Ptr{Cvoid}, Cstring, Ptr{CError}, ), store, key, err)
zarrc_store_erase_prefix(store, prefix, err) =
    ccall(ADDRESSES[16], Int32, (Ptr{Cvoid}, Cstring, Ptr{CError}, ), store, prefix, err)
zarrc_store_forget(store, prefix, err) =
    ccall(ADDRESSES[17], Int32, (Ptr{Cvoid}, Cstring, Ptr{CError}, ), store, prefix, err)
zarrc_value_free(value, size) =
    ccall(ADDRESSES[18], Cvoid, (Ptr{UInt8}, Csize_t, ), value, size)
zarrc_store_begin(store, transaction, err) =
    ccall(ADDRESSES[19], Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), store, transaction, err)
zarrc_store_commit(transaction, message, err) =
    ccall(ADDRESSES[20], Int32, (Ptr{Cvoid}, Cstring, Ptr{CError}, ), transaction, message, err)
zarrc_store_rollback(transaction, err) =
    ccall(ADDRESSES[21], Int32, (Ptr{Cvoid}, Ptr{CError}, ), transaction, err)
zarrc_store_snapshot(store, snapshot, err) =
    ccall(ADDRESSES[22], Int32, (Ptr{Cvoid}, Ptr{Cstring}, Ptr{CError}, ), store, snapshot, err)
zarrc_store_from_callbacks(callbacks, options, store, err) =
    ccall(ADDRESSES[23], Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), callbacks, options, store, err)
zarrc_attributes_json(attributes, json, err) =
    ccall(ADDRESSES[24], Int32, (Ptr{Cvoid}, Ptr{Cstring}, Ptr{CError}, ), attributes, json, err)
zarrc_attributes_replace_json(attributes, json, err) =
    ccall(ADDRESSES[25], Int32, (Ptr{Cvoid}, Cstring, Ptr{CError}, ), attributes, json, err)
zarrc_attributes_get_json(attributes, key, json, err) =
    ccall(ADDRESSES[26], Int32, (Ptr{Cvoid}, Cstring, Ptr{Cstring}, Ptr{CError}, ), attributes, key, json, err)
zarrc_attributes_set_json(attributes, key, json, err) =
    ccall(ADDRESSES[27], Int32, (Ptr{Cvoid}, Cstring, Cstring, Ptr{CError}, ), attributes, key, json, err)
zarrc_attributes_count(attributes, count, err) =
    ccall(ADDRESSES[28], Int32, (Ptr{Cvoid}, Ptr{Csize_t}, Ptr{CError}, ), attributes, count, err)
zarrc_attributes_name(attributes, index, name, err) =
    ccall(ADDRESSES[29], Int32, (Ptr{Cvoid}, Csize_t, Ptr{Cstring}, Ptr{CError}, ), attributes, index, name, err)
zarrc_attributes_new(attributes, err) =
    ccall(ADDRESSES[30], Int32, (Ptr{Ptr{Cvoid}}, Ptr{CError}, ), attributes, err)
zarrc_attributes_free(attributes) =
    ccall(ADDRESSES[31], Cvoid, (Ptr{Cvoid}, ), attributes)
zarrc_attributes_update(attributes, others, err) =
    ccall(ADDRESSES[32], Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{CError}, ), attributes, others, err)
zarrc_attributes_delete(attributes, key, err) =
    ccall(ADDRESSES[33], Int32, (Ptr{Cvoid}, Cstring, Ptr{CError}, ), attributes, key, err)
zarrc_attributes_get_double(attributes, key, value, err) =
    ccall(ADDRESSES[34], Int32, (Ptr{Cvoid}, Cstring, Ptr{Cdouble}, Ptr{CError}, ), attributes, key, value, err)
zarrc_attributes_set_double(attributes, key, value, err) =
    ccall(ADDRESSES[35], Int32, (Ptr{Cvoid}, Cstring, Cdouble, Ptr{CError}, ), attributes, key, value, err)
zarrc_attributes_set_float(attributes, key, value, err) =
    ccall(ADDRESSES[36], Int32, (Ptr{Cvoid}, Cstring, Cfloat, Ptr{CError}, ), attributes, key, value, err)
zarrc_attributes_get_int64(attributes, key, value, err) =
    ccall(ADDRESSES[37], Int32, (Ptr{Cvoid}, Cstring, Ptr{Int64}, Ptr{CError}, ), attributes, key, value, err)
zarrc_attributes_set_int64(attributes, key, value, err) =
    ccall(ADDRESSES[38], Int32, (Ptr{Cvoid}, Cstring, Int64, Ptr{CError}, ), attributes, key, value, err)
zarrc_attributes_get_string(attributes, key, value, err) =
    ccall(ADDRESSES[39], Int32, (Ptr{Cvoid}, Cstring, Ptr{Cstring}, Ptr{CError}, ), attributes, key, value, err)
zarrc_attributes_set_string(attributes, key, value, err) =
    ccall(ADDRESSES[40], Int32, (Ptr{Cvoid}, Cstring, Cstring, Ptr{CError}, ), attributes, key, value, err)
zarrc_attributes_get_doubles(attributes, key, capacity, values, count, err) =
    ccall(ADDRESSES[41], Int32, (Ptr{Cvoid}, Cstring, Csize_t, Ptr{Cdouble}, Ptr{Csize_t}, Ptr{CError}, ), attributes, key, capacity, values, count, err)
zarrc_attributes_set_doubles(attributes, key, count, values, err) =
    ccall(ADDRESSES[42], Int32, (Ptr{Cvoid}, Cstring, Csize_t, Ptr{Cdouble}, Ptr{CError}, ), attributes, key, count, values, err)
zarrc_attributes_get_int64s(attributes, key, capacity, values, count, err) =
    ccall(ADDRESSES[43], Int32, (Ptr{Cvoid}, Cstring, Csize_t, Ptr{Int64}, Ptr{Csize_t}, Ptr{CError}, ), attributes, key, capacity, values, count, err)
zarrc_attributes_set_int64s(attributes, key, count, values, err) =
    ccall(ADDRESSES[44], Int32, (Ptr{Cvoid}, Cstring, Csize_t, Ptr{Int64}, Ptr{CError}, ), attributes, key, count, values, err)
zarrc_attributes_get_string_at(attributes, key, index, value, err) =
    ccall(ADDRESSES[45], Int32, (Ptr{Cvoid}, Cstring, Csize_t, Ptr{Cstring}, Ptr{CError}, ), attributes, key, index, value, err)
zarrc_attributes_set_strings(attributes, key, count, values, err) =
    ccall(ADDRESSES[46], Int32, (Ptr{Cvoid}, Cstring, Csize_t, Ptr{Cstring}, Ptr{CError}, ), attributes, key, count, values, err)
zarrc_attributes_get_bool(attributes, key, value, err) =
    ccall(ADDRESSES[47], Int32, (Ptr{Cvoid}, Cstring, Ptr{Bool}, Ptr{CError}, ), attributes, key, value, err)
zarrc_attributes_set_bool(attributes, key, value, err) =
    ccall(ADDRESSES[48], Int32, (Ptr{Cvoid}, Cstring, Bool, Ptr{CError}, ), attributes, key, value, err)
zarrc_attributes_set_null(attributes, key, err) =
    ccall(ADDRESSES[49], Int32, (Ptr{Cvoid}, Cstring, Ptr{CError}, ), attributes, key, err)
zarrc_attributes_kind(attributes, key, kind, count, err) =
    ccall(ADDRESSES[50], Int32, (Ptr{Cvoid}, Cstring, Ptr{Int32}, Ptr{Csize_t}, Ptr{CError}, ), attributes, key, kind, count, err)
zarrc_node_kind_at(store, path, kind, err) =
    ccall(ADDRESSES[51], Int32, (Ptr{Cvoid}, Cstring, Ptr{Int32}, Ptr{CError}, ), store, path, kind, err)
zarrc_group_open(store, path, group, err) =
    ccall(ADDRESSES[52], Int32, (Ptr{Cvoid}, Cstring, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), store, path, group, err)
zarrc_group_create(store, path, format, group, err) =
    ccall(ADDRESSES[53], Int32, (Ptr{Cvoid}, Cstring, Int32, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), store, path, format, group, err)
zarrc_group_require(store, path, format, group, err) =
    ccall(ADDRESSES[54], Int32, (Ptr{Cvoid}, Cstring, Int32, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), store, path, format, group, err)
zarrc_group_overwrite(store, path, format, group, err) =
    ccall(ADDRESSES[55], Int32, (Ptr{Cvoid}, Cstring, Int32, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), store, path, format, group, err)
zarrc_group_open_url(url, mode, options, group, err) =
    ccall(ADDRESSES[56], Int32, (Cstring, Int32, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), url, mode, options, group, err)
zarrc_group_close(group, err) =
    ccall(ADDRESSES[57], Int32, (Ptr{Cvoid}, Ptr{CError}, ), group, err)
zarrc_group_attributes(group) =
    ccall(ADDRESSES[58], Ptr{Cvoid}, (Ptr{Cvoid}, ), group)
zarrc_group_list(group, recursive, listing, err) =
    ccall(ADDRESSES[59], Int32, (Ptr{Cvoid}, Bool, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), group, recursive, listing, err)
zarrc_listing_count(listing) =
    ccall(ADDRESSES[60], Csize_t, (Ptr{Cvoid}, ), listing)
zarrc_listing_path(listing, index) =
    ccall(ADDRESSES[61], Cstring, (Ptr{Cvoid}, Csize_t, ), listing, index)
zarrc_listing_kind(listing, index) =
    ccall(ADDRESSES[62], Int32, (Ptr{Cvoid}, Csize_t, ), listing, index)
zarrc_listing_free(listing) =
    ccall(ADDRESSES[63], Cvoid, (Ptr{Cvoid}, ), listing)
zarrc_node_delete(store, path, err) =
    ccall(ADDRESSES[64], Int32, (Ptr{Cvoid}, Cstring, Ptr{CError}, ), store, path, err)
zarrc_node_delete_with(store, path, progress, user, deleted, err) =
    ccall(ADDRESSES[65], Int32, (Ptr{Cvoid}, Cstring, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{UInt64}, Ptr{CError}, ), store, path, progress, user, deleted, err)
zarrc_array_spec_new(data_type, rank, shape, spec, err) =
    ccall(ADDRESSES[66], Int32, (Int32, Csize_t, Ptr{UInt64}, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), data_type, rank, shape, spec, err)
zarrc_array_spec_set_shape(spec, rank, shape, err) =
    ccall(ADDRESSES[67], Int32, (Ptr{Cvoid}, Csize_t, Ptr{UInt64}, Ptr{CError}, ), spec, rank, shape, err)
zarrc_array_spec_free(spec) =
    ccall(ADDRESSES[68], Cvoid, (Ptr{Cvoid}, ), spec)
zarrc_array_spec_set_format(spec, format, err) =
    ccall(ADDRESSES[69], Int32, (Ptr{Cvoid}, Int32, Ptr{CError}, ), spec, format, err)
zarrc_array_spec_set_data_type(spec, data_type, err) =
    ccall(ADDRESSES[70], Int32, (Ptr{Cvoid}, Cstring, Ptr{CError}, ), spec, data_type, err)
zarrc_array_spec_set_chunk_shape(spec, rank, chunk_shape, err) =
    ccall(ADDRESSES[71], Int32, (Ptr{Cvoid}, Csize_t, Ptr{UInt64}, Ptr{CError}, ), spec, rank, chunk_shape, err)
zarrc_array_spec_set_chunk_edges(spec, dimension, count, edges, err) =
    ccall(ADDRESSES[72], Int32, (Ptr{Cvoid}, Csize_t, Csize_t, Ptr{UInt64}, Ptr{CError}, ), spec, dimension, count, edges, err)
zarrc_array_spec_set_shard_shape(spec, rank, shard_shape, err) =
    ccall(ADDRESSES[73], Int32, (Ptr{Cvoid}, Csize_t, Ptr{UInt64}, Ptr{CError}, ), spec, rank, shard_shape, err)
zarrc_array_spec_set_fill_value(spec, value, size, err) =
    ccall(ADDRESSES[74], Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Csize_t, Ptr{CError}, ), spec, value, size, err)
zarrc_array_spec_set_missing_value(spec, value, size, err) =
    ccall(ADDRESSES[75], Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Csize_t, Ptr{CError}, ), spec, value, size, err)
zarrc_array_spec_set_fill_value_json(spec, json, err) =
    ccall(ADDRESSES[76], Int32, (Ptr{Cvoid}, Cstring, Ptr{CError}, ), spec, json, err)
zarrc_array_spec_add_codec(spec, name, configuration_json, err) =
    ccall(ADDRESSES[77], Int32, (Ptr{Cvoid}, Cstring, Cstring, Ptr{CError}, ), spec, name, configuration_json, err)
zarrc_array_spec_set_order(spec, order, err) =
    ccall(ADDRESSES[78], Int32, (Ptr{Cvoid}, Cchar, Ptr{CError}, ), spec, order, err)
zarrc_array_spec_set_separator(spec, separator, err) =
    ccall(ADDRESSES[79], Int32, (Ptr{Cvoid}, Cchar, Ptr{CError}, ), spec, separator, err)
zarrc_array_spec_set_dimension_names(spec, rank, names, err) =
    ccall(ADDRESSES[80], Int32, (Ptr{Cvoid}, Csize_t, Ptr{Cstring}, Ptr{CError}, ), spec, rank, names, err)
zarrc_array_spec_set_attributes_json(spec, json, err) =
    ccall(ADDRESSES[81], Int32, (Ptr{Cvoid}, Cstring, Ptr{CError}, ), spec, json, err)
zarrc_array_spec_set_attributes(spec, attributes, err) =
    ccall(ADDRESSES[82], Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{CError}, ), spec, attributes, err)
zarrc_array_create(store, path, spec, array, err) =
    ccall(ADDRESSES[83], Int32, (Ptr{Cvoid}, Cstring, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), store, path, spec, array, err)
zarrc_array_open_or_create(store, path, spec, array, err) =
    ccall(ADDRESSES[84], Int32, (Ptr{Cvoid}, Cstring, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), store, path, spec, array, err)
zarrc_array_require(store, path, spec, array, err) =
    ccall(ADDRESSES[85], Int32, (Ptr{Cvoid}, Cstring, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), store, path, spec, array, err)
zarrc_array_overwrite(store, path, spec, array, err) =
    ccall(ADDRESSES[86], Int32, (Ptr{Cvoid}, Cstring, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), store, path, spec, array, err)
zarrc_array_create_from_buffer(store, path, data_type, rank, shape, buffer, buffer_size, array, err) =
    ccall(ADDRESSES[87], Int32, (Ptr{Cvoid}, Cstring, Int32, Csize_t, Ptr{UInt64}, Ptr{Cvoid}, Csize_t, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), store, path, data_type, rank, shape, buffer, buffer_size, array, err)
zarrc_array_spec_new_like(array, spec, err) =
    ccall(ADDRESSES[88], Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), array, spec, err)
zarrc_array_open_url(url, mode, options, array, err) =
    ccall(ADDRESSES[89], Int32, (Cstring, Int32, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), url, mode, options, array, err)
zarrc_array_create_json(store, path, format, metadata_json, array, err) =
    ccall(ADDRESSES[90], Int32, (Ptr{Cvoid}, Cstring, Int32, Cstring, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), store, path, format, metadata_json, array, err)
zarrc_array_open_json(store, path, format, metadata_json, array, err) =
    ccall(ADDRESSES[91], Int32, (Ptr{Cvoid}, Cstring, Int32, Cstring, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), store, path, format, metadata_json, array, err)
zarrc_array_open(store, path, array, err) =
    ccall(ADDRESSES[92], Int32, (Ptr{Cvoid}, Cstring, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), store, path, array, err)
zarrc_array_close(array, err) =
    ccall(ADDRESSES[93], Int32, (Ptr{Cvoid}, Ptr{CError}, ), array, err)
zarrc_array_format(array) =
    ccall(ADDRESSES[94], Int32, (Ptr{Cvoid}, ), array)
zarrc_array_data_type_text(array, text, err) =
    ccall(ADDRESSES[95], Int32, (Ptr{Cvoid}, Ptr{Cstring}, Ptr{CError}, ), array, text, err)
zarrc_array_dimension_name(array, dimension, name, err) =
    ccall(ADDRESSES[96], Int32, (Ptr{Cvoid}, Csize_t, Ptr{Cstring}, Ptr{CError}, ), array, dimension, name, err)
zarrc_array_set_missing_value(array, value, size, err) =
    ccall(ADDRESSES[97], Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Csize_t, Ptr{CError}, ), array, value, size, err)
zarrc_array_data_type(array) =
    ccall(ADDRESSES[98], Int32, (Ptr{Cvoid}, ), array)
zarrc_array_element_size(array) =
    ccall(ADDRESSES[99], Csize_t, (Ptr{Cvoid}, ), array)
zarrc_array_rank(array) =
    ccall(ADDRESSES[100], Csize_t, (Ptr{Cvoid}, ), array)
zarrc_array_shape(array, rank, shape, err) =
    ccall(ADDRESSES[101], Int32, (Ptr{Cvoid}, Csize_t, Ptr{UInt64}, Ptr{CError}, ), array, rank, shape, err)
zarrc_array_chunk_shape(array, rank, chunk_shape, err) =
    ccall(ADDRESSES[102], Int32, (Ptr{Cvoid}, Csize_t, Ptr{UInt64}, Ptr{CError}, ), array, rank, chunk_shape, err)
zarrc_array_chunk_counts(array, rank, counts, err) =
    ccall(ADDRESSES[103], Int32, (Ptr{Cvoid}, Csize_t, Ptr{UInt64}, Ptr{CError}, ), array, rank, counts, err)
zarrc_array_chunk_bounds(array, rank, index, start, count, err) =
    ccall(ADDRESSES[104], Int32, (Ptr{Cvoid}, Csize_t, Ptr{UInt64}, Ptr{UInt64}, Ptr{UInt64}, Ptr{CError}, ), array, rank, index, start, count, err)
zarrc_array_shard_shape(array, rank, shard_shape, err) =
    ccall(ADDRESSES[105], Int32, (Ptr{Cvoid}, Csize_t, Ptr{UInt64}, Ptr{CError}, ), array, rank, shard_shape, err)
zarrc_array_fill_value(array, value, size, err) =
    ccall(ADDRESSES[106], Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Csize_t, Ptr{CError}, ), array, value, size, err)
zarrc_array_fill_value_json(array, json, err) =
    ccall(ADDRESSES[107], Int32, (Ptr{Cvoid}, Ptr{Cstring}, Ptr{CError}, ), array, json, err)
zarrc_array_metadata_json(array, json, err) =
    ccall(ADDRESSES[108], Int32, (Ptr{Cvoid}, Ptr{Cstring}, Ptr{CError}, ), array, json, err)
zarrc_array_attributes(array) =
    ccall(ADDRESSES[109], Ptr{Cvoid}, (Ptr{Cvoid}, ), array)
zarrc_array_read(array, start, count, memory_type, buffer, buffer_size, err) =
    ccall(ADDRESSES[110], Int32, (Ptr{Cvoid}, Ptr{UInt64}, Ptr{UInt64}, Int32, Ptr{Cvoid}, Csize_t, Ptr{CError}, ), array, start, count, memory_type, buffer, buffer_size, err)
zarrc_array_write(array, start, count, memory_type, buffer, buffer_size, err) =
    ccall(ADDRESSES[111], Int32, (Ptr{Cvoid}, Ptr{UInt64}, Ptr{UInt64}, Int32, Ptr{Cvoid}, Csize_t, Ptr{CError}, ), array, start, count, memory_type, buffer, buffer_size, err)
zarrc_array_read_strided(array, start, step, count, memory_type, buffer, strides, err) =
    ccall(ADDRESSES[112], Int32, (Ptr{Cvoid}, Ptr{UInt64}, Ptr{UInt64}, Ptr{UInt64}, Int32, Ptr{Cvoid}, Ptr{Int64}, Ptr{CError}, ), array, start, step, count, memory_type, buffer, strides, err)
zarrc_array_write_strided(array, start, step, count, memory_type, buffer, strides, err) =
    ccall(ADDRESSES[113], Int32, (Ptr{Cvoid}, Ptr{UInt64}, Ptr{UInt64}, Ptr{UInt64}, Int32, Ptr{Cvoid}, Ptr{Int64}, Ptr{CError}, ), array, start, step, count, memory_type, buffer, strides, err)
zarrc_array_flush(array, err) =
    ccall(ADDRESSES[114], Int32, (Ptr{Cvoid}, Ptr{CError}, ), array, err)
zarrc_array_read_vlen(array, start, count, values, err) =
    ccall(ADDRESSES[115], Int32, (Ptr{Cvoid}, Ptr{UInt64}, Ptr{UInt64}, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), array, start, count, values, err)
zarrc_array_write_vlen(array, start, count, offsets, bytes, err) =
    ccall(ADDRESSES[116], Int32, (Ptr{Cvoid}, Ptr{UInt64}, Ptr{UInt64}, Ptr{UInt64}, Ptr{UInt8}, Ptr{CError}, ), array, start, count, offsets, bytes, err)
zarrc_vlen_count(values) =
    ccall(ADDRESSES[117], Csize_t, (Ptr{Cvoid}, ), values)
zarrc_vlen_offsets(values) =
    ccall(ADDRESSES[118], Ptr{UInt64}, (Ptr{Cvoid}, ), values)
zarrc_vlen_bytes(values) =
    ccall(ADDRESSES[119], Ptr{UInt8}, (Ptr{Cvoid}, ), values)
zarrc_vlen_free(values) =
    ccall(ADDRESSES[120], Cvoid, (Ptr{Cvoid}, ), values)
zarrc_array_append(array, axis, count, memory_type, buffer, buffer_size, err) =
    ccall(ADDRESSES[121], Int32, (Ptr{Cvoid}, Csize_t, Ptr{UInt64}, Int32, Ptr{Cvoid}, Csize_t, Ptr{CError}, ), array, axis, count, memory_type, buffer, buffer_size, err)
zarrc_array_append_vlen(array, axis, count, offsets, bytes, err) =
    ccall(ADDRESSES[122], Int32, (Ptr{Cvoid}, Csize_t, Ptr{UInt64}, Ptr{UInt64}, Ptr{UInt8}, Ptr{CError}, ), array, axis, count, offsets, bytes, err)
zarrc_array_append_with(array, axis, extent, write, user, err) =
    ccall(ADDRESSES[123], Int32, (Ptr{Cvoid}, Csize_t, UInt64, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{CError}, ), array, axis, extent, write, user, err)
zarrc_array_grow(array, rank, shape, err) =
    ccall(ADDRESSES[124], Int32, (Ptr{Cvoid}, Csize_t, Ptr{UInt64}, Ptr{CError}, ), array, rank, shape, err)
zarrc_array_resize(array, rank, shape, err) =
    ccall(ADDRESSES[125], Int32, (Ptr{Cvoid}, Csize_t, Ptr{UInt64}, Ptr{CError}, ), array, rank, shape, err)
zarrc_array_refresh(array, err) =
    ccall(ADDRESSES[126], Int32, (Ptr{Cvoid}, Ptr{CError}, ), array, err)
zarrc_selection_new(array, selection, err) =
    ccall(ADDRESSES[127], Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), array, selection, err)
zarrc_selection_free(selection) =
    ccall(ADDRESSES[128], Cvoid, (Ptr{Cvoid}, ), selection)
zarrc_selection_set_range(selection, dimension, start, step, count, err) =
    ccall(ADDRESSES[129], Int32, (Ptr{Cvoid}, Csize_t, UInt64, Int64, UInt64, Ptr{CError}, ), selection, dimension, start, step, count, err)
zarrc_selection_set_index(selection, dimension, index, err) =
    ccall(ADDRESSES[130], Int32, (Ptr{Cvoid}, Csize_t, UInt64, Ptr{CError}, ), selection, dimension, index, err)
zarrc_selection_set_indices(selection, dimension, count, indices, err) =
    ccall(ADDRESSES[131], Int32, (Ptr{Cvoid}, Csize_t, Csize_t, Ptr{UInt64}, Ptr{CError}, ), selection, dimension, count, indices, err)
zarrc_selection_set_mask(selection, dimension, count, mask, err) =
    ccall(ADDRESSES[132], Int32, (Ptr{Cvoid}, Csize_t, Csize_t, Ptr{UInt8}, Ptr{CError}, ), selection, dimension, count, mask, err)
zarrc_selection_set_points(selection, count, coordinates, err) =
    ccall(ADDRESSES[133], Int32, (Ptr{Cvoid}, Csize_t, Ptr{UInt64}, Ptr{CError}, ), selection, count, coordinates, err)
zarrc_selection_set_element_mask(selection, mask, size, err) =
    ccall(ADDRESSES[134], Int32, (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{CError}, ), selection, mask, size, err)
zarrc_selection_set_blocks(selection, block_start, block_count, err) =
    ccall(ADDRESSES[135], Int32, (Ptr{Cvoid}, Ptr{UInt64}, Ptr{UInt64}, Ptr{CError}, ), selection, block_start, block_count, err)
zarrc_selection_set_field(selection, field, err) =
    ccall(ADDRESSES[136], Int32, (Ptr{Cvoid}, Cstring, Ptr{CError}, ), selection, field, err)
zarrc_selection_rank(selection) =
    ccall(ADDRESSES[137], Csize_t, (Ptr{Cvoid}, ), selection)
zarrc_selection_shape(selection, rank, shape, err) =
    ccall(ADDRESSES[138], Int32, (Ptr{Cvoid}, Csize_t, Ptr{UInt64}, Ptr{CError}, ), selection, rank, shape, err)
zarrc_selection_coordinates(selection, rank, first, count, coordinates, err) =
    ccall(ADDRESSES[139], Int32, (Ptr{Cvoid}, Csize_t, UInt64, Csize_t, Ptr{UInt64}, Ptr{CError}, ), selection, rank, first, count, coordinates, err)
zarrc_array_read_selection(array, selection, memory_type, buffer, strides, buffer_size, err) =
    ccall(ADDRESSES[140], Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Int64}, Csize_t, Ptr{CError}, ), array, selection, memory_type, buffer, strides, buffer_size, err)
zarrc_array_write_selection(array, selection, memory_type, buffer, strides, buffer_size, err) =
    ccall(ADDRESSES[141], Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Int64}, Csize_t, Ptr{CError}, ), array, selection, memory_type, buffer, strides, buffer_size, err)
zarrc_array_fill(array, selection, memory_type, value, size, err) =
    ccall(ADDRESSES[142], Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{Cvoid}, Csize_t, Ptr{CError}, ), array, selection, memory_type, value, size, err)
zarrc_array_read_selection_vlen(array, selection, values, err) =
    ccall(ADDRESSES[143], Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), array, selection, values, err)
zarrc_array_write_selection_vlen(array, selection, offsets, bytes, err) =
    ccall(ADDRESSES[144], Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{UInt64}, Ptr{UInt8}, Ptr{CError}, ), array, selection, offsets, bytes, err)
zarrc_array_read_start(array, start, count, memory_type, buffer, buffer_size, request, err) =
    ccall(ADDRESSES[145], Int32, (Ptr{Cvoid}, Ptr{UInt64}, Ptr{UInt64}, Int32, Ptr{Cvoid}, Csize_t, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), array, start, count, memory_type, buffer, buffer_size, request, err)
zarrc_array_write_start(array, start, count, memory_type, buffer, buffer_size, request, err) =
    ccall(ADDRESSES[146], Int32, (Ptr{Cvoid}, Ptr{UInt64}, Ptr{UInt64}, Int32, Ptr{Cvoid}, Csize_t, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), array, start, count, memory_type, buffer, buffer_size, request, err)
zarrc_array_read_selection_start(array, selection, memory_type, buffer, strides, buffer_size, request, err) =
    ccall(ADDRESSES[147], Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Int64}, Csize_t, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), array, selection, memory_type, buffer, strides, buffer_size, request, err)
zarrc_array_write_selection_start(array, selection, memory_type, buffer, strides, buffer_size, request, err) =
    ccall(ADDRESSES[148], Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Int64}, Csize_t, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), array, selection, memory_type, buffer, strides, buffer_size, request, err)
zarrc_request_test(request, done, err) =
    ccall(ADDRESSES[149], Int32, (Ptr{Cvoid}, Ptr{Bool}, Ptr{CError}, ), request, done, err)
zarrc_request_wait(request, err) =
    ccall(ADDRESSES[150], Int32, (Ptr{Cvoid}, Ptr{CError}, ), request, err)
zarrc_request_wait_any(requests, count, index, err) =
    ccall(ADDRESSES[151], Int32, (Ptr{Ptr{Cvoid}}, Csize_t, Ptr{Csize_t}, Ptr{CError}, ), requests, count, index, err)
zarrc_request_fd(request, fd, err) =
    ccall(ADDRESSES[152], Int32, (Ptr{Cvoid}, Ptr{Int32}, Ptr{CError}, ), request, fd, err)
zarrc_request_cancel(request) =
    ccall(ADDRESSES[153], Cvoid, (Ptr{Cvoid}, ), request)
zarrc_request_free(request) =
    ccall(ADDRESSES[154], Cvoid, (Ptr{Cvoid}, ), request)
zarrc_writer_open(store, path, options, writer, err) =
    ccall(ADDRESSES[155], Int32, (Ptr{Cvoid}, Cstring, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{CError}, ), store, path, options, writer, err)
zarrc_writer_declare(writer, name, spec, variable, err) =
    ccall(ADDRESSES[156], Int32, (Ptr{Cvoid}, Cstring, Ptr{Cvoid}, Ptr{Csize_t}, Ptr{CError}, ), writer, name, spec, variable, err)
zarrc_writer_put(writer, variable, start, count, memory_type, buffer, buffer_size, err) =
    ccall(ADDRESSES[157], Int32, (Ptr{Cvoid}, Csize_t, Ptr{UInt64}, Ptr{UInt64}, Int32, Ptr{Cvoid}, Csize_t, Ptr{CError}, ), writer, variable, start, count, memory_type, buffer, buffer_size, err)
zarrc_writer_commit(writer, steps, err) =
    ccall(ADDRESSES[158], Int32, (Ptr{Cvoid}, UInt64, Ptr{CError}, ), writer, steps, err)
zarrc_writer_flush(writer, err) =
    ccall(ADDRESSES[159], Int32, (Ptr{Cvoid}, Ptr{CError}, ), writer, err)
zarrc_writer_steps(writer, steps, err) =
    ccall(ADDRESSES[160], Int32, (Ptr{Cvoid}, Ptr{UInt64}, Ptr{CError}, ), writer, steps, err)
zarrc_writer_close(writer, err) =
    ccall(ADDRESSES[161], Int32, (Ptr{Cvoid}, Ptr{CError}, ), writer, err)
zarrc_codec_register(name, aliases, alias_count, kind, callbacks, err) =
    ccall(ADDRESSES[162], Int32, (Cstring, Ptr{Cstring}, Csize_t, Int32, Ptr{Cvoid}, Ptr{CError}, ), name, aliases, alias_count, kind, callbacks, err)
zarrc_codec_unregister(name, err) =
    ccall(ADDRESSES[163], Int32, (Cstring, Ptr{CError}, ), name, err)
zarrc_array_info_json(array, json, err) =
    ccall(ADDRESSES[164], Int32, (Ptr{Cvoid}, Ptr{Cstring}, Ptr{CError}, ), array, json, err)
zarrc_array_content_digest(array, algorithm, digest, err) =
    ccall(ADDRESSES[165], Int32, (Ptr{Cvoid}, Cstring, Ptr{Cstring}, Ptr{CError}, ), array, algorithm, digest, err)
zarrc_array_stored_digest(array, algorithm, digest, err) =
    ccall(ADDRESSES[166], Int32, (Ptr{Cvoid}, Cstring, Ptr{Cstring}, Ptr{CError}, ), array, algorithm, digest, err)
zarrc_array_codecs_json(array, json, err) =
    ccall(ADDRESSES[167], Int32, (Ptr{Cvoid}, Ptr{Cstring}, Ptr{CError}, ), array, json, err)
zarrc_array_path(array, path, err) =
    ccall(ADDRESSES[168], Int32, (Ptr{Cvoid}, Ptr{Cstring}, Ptr{CError}, ), array, path, err)
zarrc_array_store_name(array, name, err) =
    ccall(ADDRESSES[169], Int32, (Ptr{Cvoid}, Ptr{Cstring}, Ptr{CError}, ), array, name, err)
zarrc_array_order(array) =
    ccall(ADDRESSES[170], Cchar, (Ptr{Cvoid}, ), array)
zarrc_array_separator(array) =
    ccall(ADDRESSES[171], Cchar, (Ptr{Cvoid}, ), array)
zarrc_array_chunk_key(array, rank, index, key, err) =
    ccall(ADDRESSES[172], Int32, (Ptr{Cvoid}, Csize_t, Ptr{UInt64}, Ptr{Cstring}, Ptr{CError}, ), array, rank, index, key, err)
zarrc_array_visit_chunks(array, rank, start, count, visitor, user, err) =
    ccall(ADDRESSES[173], Int32, (Ptr{Cvoid}, Csize_t, Ptr{UInt64}, Ptr{UInt64}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{CError}, ), array, rank, start, count, visitor, user, err)
zarrc_group_tree(group, text, err) =
    ccall(ADDRESSES[174], Int32, (Ptr{Cvoid}, Ptr{Cstring}, Ptr{CError}, ), group, text, err)
zarrc_group_visit(group, visitor, user, err) =
    ccall(ADDRESSES[175], Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{CError}, ), group, visitor, user, err)
zarrc_convert(from, from_path, to, to_path, format, options, err) =
    ccall(ADDRESSES[176], Int32, (Ptr{Cvoid}, Cstring, Ptr{Cvoid}, Cstring, Int32, Ptr{Cvoid}, Ptr{CError}, ), from, from_path, to, to_path, format, options, err)
zarrc_convert_plan(from, from_path, to, to_path, format, options, json, err) =
    ccall(ADDRESSES[177], Int32, (Ptr{Cvoid}, Cstring, Ptr{Cvoid}, Cstring, Int32, Ptr{Cvoid}, Ptr{Cstring}, Ptr{CError}, ), from, from_path, to, to_path, format, options, json, err)
zarrc_node_copy(from, from_path, to, to_path, err) =
    ccall(ADDRESSES[178], Int32, (Ptr{Cvoid}, Cstring, Ptr{Cvoid}, Cstring, Ptr{CError}, ), from, from_path, to, to_path, err)
zarrc_node_copy_with(from, from_path, to, to_path, options, copied, err) =
    ccall(ADDRESSES[179], Int32, (Ptr{Cvoid}, Cstring, Ptr{Cvoid}, Cstring, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{CError}, ), from, from_path, to, to_path, options, copied, err)
zarrc_node_move(store, from_path, to_path, err) =
    ccall(ADDRESSES[180], Int32, (Ptr{Cvoid}, Cstring, Cstring, Ptr{CError}, ), store, from_path, to_path, err)
zarrc_consolidate_metadata(store, path, err) =
    ccall(ADDRESSES[181], Int32, (Ptr{Cvoid}, Cstring, Ptr{CError}, ), store, path, err)
zarrc_rechunk(from, to, path, spec, memory_limit, progress, user, err) =
    ccall(ADDRESSES[182], Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Cstring, Ptr{Cvoid}, UInt64, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{CError}, ), from, to, path, spec, memory_limit, progress, user, err)
zarrc_verify(store, path, progress, user, report, err) =
    ccall(ADDRESSES[183], Int32, (Ptr{Cvoid}, Cstring, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cstring}, Ptr{CError}, ), store, path, progress, user, report, err)
zarrc_repair(store, path, kinds, dry_run, progress, user, report, err) =
    ccall(ADDRESSES[184], Int32, (Ptr{Cvoid}, Cstring, Cstring, Bool, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cstring}, Ptr{CError}, ), store, path, kinds, dry_run, progress, user, report, err)
zarrc_hdf5_export(from, from_path, file, options, notes, err) =
    ccall(ADDRESSES[185], Int32, (Ptr{Cvoid}, Cstring, Cstring, Ptr{Cvoid}, Ptr{Cstring}, Ptr{CError}, ), from, from_path, file, options, notes, err)
zarrc_references_json(store, path, url, progress, user, json, err) =
    ccall(ADDRESSES[186], Int32, (Ptr{Cvoid}, Cstring, Cstring, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cstring}, Ptr{CError}, ), store, path, url, progress, user, json, err)
