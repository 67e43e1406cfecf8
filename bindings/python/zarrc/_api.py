"""The C functions, types and constants of libzarrc 0.2.0 for ctypes. Written from include/zarrc.h by bindings/generate/generate.py: change that, not this."""

# fmt: off
# ruff: noqa
from ctypes import (
    CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_float, c_int32, c_int64, c_size_t,
    c_uint8, c_uint64, c_void_p,
)
from enum import IntEnum

VERSION = "0.2.0"


class Status(IntEnum):
    """The outcome of a call: ZARRC_OK or one of the constants below."""

    OK = 0
    INVALID_ARGUMENT = 1
    OUT_OF_BOUNDS = 2
    NOT_FOUND = 3
    ALREADY_EXISTS = 4
    INVALID_METADATA = 5
    CORRUPT_DATA = 6
    UNSUPPORTED = 7
    TYPE_MISMATCH = 8
    PERMISSION_DENIED = 9
    IO = 10
    CONFLICT = 11
    LIMIT_EXCEEDED = 12
    CANCELLED = 13
    OUT_OF_MEMORY = 14
    INTERNAL = 15


class DataType(IntEnum):
    """The data type of elements: one of the constants below."""

    NATIVE = 0
    BOOL = 1
    INT8 = 2
    INT16 = 3
    INT32 = 4
    INT64 = 5
    UINT8 = 6
    UINT16 = 7
    UINT32 = 8
    UINT64 = 9
    FLOAT16 = 10
    BFLOAT16 = 11
    FLOAT32 = 12
    FLOAT64 = 13
    COMPLEX64 = 14
    COMPLEX128 = 15
    RAW = 16
    FIXED_BYTES = 17
    FIXED_UTF32 = 18
    DATETIME64 = 19
    TIMEDELTA64 = 20
    STRUCT = 21
    STRING = 22
    BYTES = 23
    RAGGED = 24
    JSON = 25
    INT2 = 26
    INT4 = 27
    UINT2 = 28
    UINT4 = 29
    FLOAT4_E2M1FN = 30
    FLOAT6_E2M3FN = 31
    FLOAT6_E3M2FN = 32
    FLOAT8_E3M4 = 33
    FLOAT8_E4M3 = 34
    FLOAT8_E4M3B11FNUZ = 35
    FLOAT8_E4M3FN = 36
    FLOAT8_E4M3FNUZ = 37
    FLOAT8_E5M2 = 38
    FLOAT8_E5M2FNUZ = 39
    FLOAT8_E8M0FNU = 40
    COMPLEX_FLOAT16 = 41
    COMPLEX_BFLOAT16 = 42
    COMPLEX_FLOAT4_E2M1FN = 43
    COMPLEX_FLOAT6_E2M3FN = 44
    COMPLEX_FLOAT6_E3M2FN = 45
    COMPLEX_FLOAT8_E3M4 = 46
    COMPLEX_FLOAT8_E4M3 = 47
    COMPLEX_FLOAT8_E4M3B11FNUZ = 48
    COMPLEX_FLOAT8_E4M3FN = 49
    COMPLEX_FLOAT8_E4M3FNUZ = 50
    COMPLEX_FLOAT8_E5M2 = 51
    COMPLEX_FLOAT8_E5M2FNUZ = 52
    COMPLEX_FLOAT8_E8M0FNU = 53


class Format(IntEnum):
    """A storage format: one of the constants below."""

    ANY = 0
    V1 = 1
    V2 = 2
    V3 = 3
    N5 = 4
    V3_2019 = 5
    V3_2020 = 6
    V3_2022 = 7


class Mode(IntEnum):
    """How to open a store: one of the constants below."""

    READ = 0
    READ_WRITE = 1
    APPEND = 2
    CREATE = 3
    OVERWRITE = 4


class AttributeKind(IntEnum):
    """The kind of an attribute: one of the constants below."""

    NULL = 0
    BOOL = 1
    INTEGER = 2
    NUMBER = 3
    STRING = 4
    INTEGERS = 5
    NUMBERS = 6
    STRINGS = 7
    LIST = 8
    OBJECT = 9


class NodeKind(IntEnum):
    """The kind of a node: one of the constants below."""

    NONE = 0
    GROUP = 1
    ARRAY = 2


class CodecKind(IntEnum):
    """What a codec maps to what: one of the constants below."""

    BYTES = 0
    ARRAY_BYTES = 1
    ARRAY = 2


class IfExists(IntEnum):
    """What to do with keys that exist in the target: one of the constants below."""

    FAIL = 0
    SKIP = 1
    REPLACE = 2


class Error(Structure):
    """zarrc_error: owned by the caller, nothing to free."""

    _fields_ = [("status", c_int32), ("system_code", c_int32), ("message", c_char * 1016)]


Progress = CFUNCTYPE(c_bool, c_void_p, c_double, c_char_p)
GiveBytes = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_size_t)
GiveKey = CFUNCTYPE(c_bool, c_void_p, c_char_p)
AppendWrite = CFUNCTYPE(c_int32, c_void_p, c_void_p, c_char_p, c_uint64, POINTER(Error))
CodecRead = CFUNCTYPE(c_int32, c_void_p, c_uint64, c_void_p, c_size_t, POINTER(Error))
ChunkVisitor = CFUNCTYPE(c_bool, c_void_p, POINTER(c_uint64), c_char_p, c_uint64)
NodeVisitor = CFUNCTYPE(c_bool, c_void_p, c_char_p, c_int32)


class StoreCallbacks(Structure):
    """zarrc_store_callbacks"""

    _fields_ = [
        ("size", c_size_t),
        ("user", c_void_p),
        ("name", c_char_p),
        ("concurrency", c_size_t),
        ("destroy", CFUNCTYPE(None, c_void_p)),
        ("get", CFUNCTYPE(c_int32, c_void_p, c_char_p, GiveBytes, c_void_p, POINTER(Error))),
        ("stat", CFUNCTYPE(c_int32, c_void_p, c_char_p, POINTER(c_uint64), POINTER(c_uint64), POINTER(Error))),
        ("get_range", CFUNCTYPE(c_int32, c_void_p, c_char_p, c_uint64, c_uint64, GiveBytes, c_void_p, POINTER(Error))),
        ("set", CFUNCTYPE(c_int32, c_void_p, c_char_p, c_void_p, c_size_t, POINTER(Error))),
        ("erase", CFUNCTYPE(c_int32, c_void_p, c_char_p, POINTER(Error))),
        ("list", CFUNCTYPE(c_int32, c_void_p, c_char_p, GiveKey, c_void_p, POINTER(Error))),
        ("flush", CFUNCTYPE(c_int32, c_void_p, POINTER(Error))),
    ]


class WriterOptions(Structure):
    """zarrc_writer_options"""

    _fields_ = [
        ("size", c_size_t),
        ("flush_seconds", c_double),
        ("buffer_bytes", c_uint64),
    ]


class CodecChunk(Structure):
    """zarrc_codec_chunk"""

    _fields_ = [
        ("size", c_size_t),
        ("rank", c_size_t),
        ("shape", POINTER(c_uint64)),
        ("data_type", c_int32),
        ("element_size", c_size_t),
        ("fill_value", c_void_p),
    ]


class CodecCallbacks(Structure):
    """zarrc_codec_callbacks"""

    _fields_ = [
        ("size", c_size_t),
        ("user", c_void_p),
        ("destroy", CFUNCTYPE(None, c_void_p)),
        ("open", CFUNCTYPE(c_int32, c_void_p, c_char_p, POINTER(CodecChunk), POINTER(c_void_p), POINTER(Error))),
        ("close", CFUNCTYPE(None, c_void_p, c_void_p)),
        ("decode", CFUNCTYPE(c_int32, c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, POINTER(c_size_t), POINTER(Error))),
        ("encode", CFUNCTYPE(c_int32, c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, POINTER(c_size_t), POINTER(Error))),
        ("bound", CFUNCTYPE(c_uint64, c_void_p, c_void_p, c_uint64)),
        ("decode_part", CFUNCTYPE(c_int32, c_void_p, c_void_p, CodecRead, c_void_p, c_uint64, c_uint64, c_uint64, c_void_p, c_size_t, POINTER(Error))),
    ]


class ConvertOptions(Structure):
    """zarrc_convert_options"""

    _fields_ = [
        ("size", c_size_t),
        ("accept_losses", c_bool),
        ("keep_old", c_bool),
        ("progress", Progress),
        ("user", c_void_p),
    ]


class CopyOptions(Structure):
    """zarrc_copy_options"""

    _fields_ = [
        ("size", c_size_t),
        ("if_exists", c_int32),
        ("dry_run", c_bool),
        ("exclude_count", c_size_t),
        ("exclude", POINTER(c_char_p)),
        ("progress", Progress),
        ("user", c_void_p),
        ("spec", c_void_p),
        ("memory_limit", c_uint64),
        ("link", c_bool),
    ]


class Copied(Structure):
    """zarrc_copied"""

    _fields_ = [
        ("keys", c_uint64),
        ("skipped", c_uint64),
        ("bytes", c_uint64),
    ]


class Hdf5Options(Structure):
    """zarrc_hdf5_options"""

    _fields_ = [
        ("size", c_size_t),
        ("accept_losses", c_bool),
        ("replace", c_bool),
        ("unlimited", c_char_p),
        ("memory_limit", c_uint64),
        ("progress", Progress),
        ("user", c_void_p),
    ]


# name: (result, arguments...)
FUNCTIONS = {
    "zarrc_status_name": (c_char_p, c_int32,),
    "zarrc_version": (c_char_p,),
    "zarrc_build_info": (c_int32, POINTER(c_void_p), POINTER(Error),),
    "zarrc_string_free": (None, c_void_p,),
    "zarrc_data_type_name": (c_char_p, c_int32,),
    "zarrc_data_type_size": (c_size_t, c_int32,),
    "zarrc_options_new": (c_void_p,),
    "zarrc_options_set": (c_int32, c_void_p, c_char_p, c_char_p, POINTER(Error),),
    "zarrc_options_free": (None, c_void_p,),
    "zarrc_store_open": (c_int32, c_char_p, c_int32, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_store_close": (c_int32, c_void_p, POINTER(Error),),
    "zarrc_store_get": (c_int32, c_void_p, c_char_p, POINTER(c_void_p), POINTER(c_size_t), POINTER(Error),),
    "zarrc_store_get_range": (c_int32, c_void_p, c_char_p, c_uint64, c_uint64, POINTER(c_void_p), POINTER(c_size_t), POINTER(Error),),
    "zarrc_store_set": (c_int32, c_void_p, c_char_p, c_void_p, c_size_t, POINTER(Error),),
    "zarrc_store_erase": (c_int32, c_void_p, c_char_p, POINTER(Error),),
    "zarrc_store_erase_prefix": (c_int32, c_void_p, c_char_p, POINTER(Error),),
    "zarrc_store_forget": (c_int32, c_void_p, c_char_p, POINTER(Error),),
    "zarrc_value_free": (None, c_void_p, c_size_t,),
    "zarrc_store_begin": (c_int32, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_store_commit": (c_int32, c_void_p, c_char_p, POINTER(Error),),
    "zarrc_store_rollback": (c_int32, c_void_p, POINTER(Error),),
    "zarrc_store_snapshot": (c_int32, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_store_from_callbacks": (c_int32, POINTER(StoreCallbacks), c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_attributes_json": (c_int32, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_attributes_replace_json": (c_int32, c_void_p, c_char_p, POINTER(Error),),
    "zarrc_attributes_get_json": (c_int32, c_void_p, c_char_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_attributes_set_json": (c_int32, c_void_p, c_char_p, c_char_p, POINTER(Error),),
    "zarrc_attributes_count": (c_int32, c_void_p, POINTER(c_size_t), POINTER(Error),),
    "zarrc_attributes_name": (c_int32, c_void_p, c_size_t, POINTER(c_void_p), POINTER(Error),),
    "zarrc_attributes_new": (c_int32, POINTER(c_void_p), POINTER(Error),),
    "zarrc_attributes_free": (None, c_void_p,),
    "zarrc_attributes_update": (c_int32, c_void_p, c_void_p, POINTER(Error),),
    "zarrc_attributes_delete": (c_int32, c_void_p, c_char_p, POINTER(Error),),
    "zarrc_attributes_get_double": (c_int32, c_void_p, c_char_p, POINTER(c_double), POINTER(Error),),
    "zarrc_attributes_set_double": (c_int32, c_void_p, c_char_p, c_double, POINTER(Error),),
    "zarrc_attributes_set_float": (c_int32, c_void_p, c_char_p, c_float, POINTER(Error),),
    "zarrc_attributes_get_int64": (c_int32, c_void_p, c_char_p, POINTER(c_int64), POINTER(Error),),
    "zarrc_attributes_set_int64": (c_int32, c_void_p, c_char_p, c_int64, POINTER(Error),),
    "zarrc_attributes_get_string": (c_int32, c_void_p, c_char_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_attributes_set_string": (c_int32, c_void_p, c_char_p, c_char_p, POINTER(Error),),
    "zarrc_attributes_get_doubles": (c_int32, c_void_p, c_char_p, c_size_t, POINTER(c_double), POINTER(c_size_t), POINTER(Error),),
    "zarrc_attributes_set_doubles": (c_int32, c_void_p, c_char_p, c_size_t, POINTER(c_double), POINTER(Error),),
    "zarrc_attributes_get_int64s": (c_int32, c_void_p, c_char_p, c_size_t, POINTER(c_int64), POINTER(c_size_t), POINTER(Error),),
    "zarrc_attributes_set_int64s": (c_int32, c_void_p, c_char_p, c_size_t, POINTER(c_int64), POINTER(Error),),
    "zarrc_attributes_get_string_at": (c_int32, c_void_p, c_char_p, c_size_t, POINTER(c_void_p), POINTER(Error),),
    "zarrc_attributes_set_strings": (c_int32, c_void_p, c_char_p, c_size_t, POINTER(c_char_p), POINTER(Error),),
    "zarrc_attributes_get_bool": (c_int32, c_void_p, c_char_p, POINTER(c_bool), POINTER(Error),),
    "zarrc_attributes_set_bool": (c_int32, c_void_p, c_char_p, c_bool, POINTER(Error),),
    "zarrc_attributes_set_null": (c_int32, c_void_p, c_char_p, POINTER(Error),),
    "zarrc_attributes_kind": (c_int32, c_void_p, c_char_p, POINTER(c_int32), POINTER(c_size_t), POINTER(Error),),
    "zarrc_node_kind_at": (c_int32, c_void_p, c_char_p, POINTER(c_int32), POINTER(Error),),
    "zarrc_group_open": (c_int32, c_void_p, c_char_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_group_create": (c_int32, c_void_p, c_char_p, c_int32, POINTER(c_void_p), POINTER(Error),),
    "zarrc_group_require": (c_int32, c_void_p, c_char_p, c_int32, POINTER(c_void_p), POINTER(Error),),
    "zarrc_group_overwrite": (c_int32, c_void_p, c_char_p, c_int32, POINTER(c_void_p), POINTER(Error),),
    "zarrc_group_open_url": (c_int32, c_char_p, c_int32, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_group_close": (c_int32, c_void_p, POINTER(Error),),
    "zarrc_group_attributes": (c_void_p, c_void_p,),
    "zarrc_group_list": (c_int32, c_void_p, c_bool, POINTER(c_void_p), POINTER(Error),),
    "zarrc_listing_count": (c_size_t, c_void_p,),
    "zarrc_listing_path": (c_char_p, c_void_p, c_size_t,),
    "zarrc_listing_kind": (c_int32, c_void_p, c_size_t,),
    "zarrc_listing_free": (None, c_void_p,),
    "zarrc_node_delete": (c_int32, c_void_p, c_char_p, POINTER(Error),),
    "zarrc_node_delete_with": (c_int32, c_void_p, c_char_p, Progress, c_void_p, POINTER(c_uint64), POINTER(Error),),
    "zarrc_array_spec_new": (c_int32, c_int32, c_size_t, POINTER(c_uint64), POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_spec_set_shape": (c_int32, c_void_p, c_size_t, POINTER(c_uint64), POINTER(Error),),
    "zarrc_array_spec_free": (None, c_void_p,),
    "zarrc_array_spec_set_format": (c_int32, c_void_p, c_int32, POINTER(Error),),
    "zarrc_array_spec_set_data_type": (c_int32, c_void_p, c_char_p, POINTER(Error),),
    "zarrc_array_spec_set_chunk_shape": (c_int32, c_void_p, c_size_t, POINTER(c_uint64), POINTER(Error),),
    "zarrc_array_spec_set_chunk_edges": (c_int32, c_void_p, c_size_t, c_size_t, POINTER(c_uint64), POINTER(Error),),
    "zarrc_array_spec_set_shard_shape": (c_int32, c_void_p, c_size_t, POINTER(c_uint64), POINTER(Error),),
    "zarrc_array_spec_set_fill_value": (c_int32, c_void_p, c_void_p, c_size_t, POINTER(Error),),
    "zarrc_array_spec_set_missing_value": (c_int32, c_void_p, c_void_p, c_size_t, POINTER(Error),),
    "zarrc_array_spec_set_fill_value_json": (c_int32, c_void_p, c_char_p, POINTER(Error),),
    "zarrc_array_spec_add_codec": (c_int32, c_void_p, c_char_p, c_char_p, POINTER(Error),),
    "zarrc_array_spec_set_order": (c_int32, c_void_p, c_char, POINTER(Error),),
    "zarrc_array_spec_set_separator": (c_int32, c_void_p, c_char, POINTER(Error),),
    "zarrc_array_spec_set_dimension_names": (c_int32, c_void_p, c_size_t, POINTER(c_char_p), POINTER(Error),),
    "zarrc_array_spec_set_attributes_json": (c_int32, c_void_p, c_char_p, POINTER(Error),),
    "zarrc_array_spec_set_attributes": (c_int32, c_void_p, c_void_p, POINTER(Error),),
    "zarrc_array_create": (c_int32, c_void_p, c_char_p, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_open_or_create": (c_int32, c_void_p, c_char_p, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_require": (c_int32, c_void_p, c_char_p, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_overwrite": (c_int32, c_void_p, c_char_p, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_create_from_buffer": (c_int32, c_void_p, c_char_p, c_int32, c_size_t, POINTER(c_uint64), c_void_p, c_size_t, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_spec_new_like": (c_int32, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_open_url": (c_int32, c_char_p, c_int32, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_create_json": (c_int32, c_void_p, c_char_p, c_int32, c_char_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_open_json": (c_int32, c_void_p, c_char_p, c_int32, c_char_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_open": (c_int32, c_void_p, c_char_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_close": (c_int32, c_void_p, POINTER(Error),),
    "zarrc_array_format": (c_int32, c_void_p,),
    "zarrc_array_data_type_text": (c_int32, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_dimension_name": (c_int32, c_void_p, c_size_t, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_set_missing_value": (c_int32, c_void_p, c_void_p, c_size_t, POINTER(Error),),
    "zarrc_array_data_type": (c_int32, c_void_p,),
    "zarrc_array_element_size": (c_size_t, c_void_p,),
    "zarrc_array_rank": (c_size_t, c_void_p,),
    "zarrc_array_shape": (c_int32, c_void_p, c_size_t, POINTER(c_uint64), POINTER(Error),),
    "zarrc_array_chunk_shape": (c_int32, c_void_p, c_size_t, POINTER(c_uint64), POINTER(Error),),
    "zarrc_array_chunk_counts": (c_int32, c_void_p, c_size_t, POINTER(c_uint64), POINTER(Error),),
    "zarrc_array_chunk_bounds": (c_int32, c_void_p, c_size_t, POINTER(c_uint64), POINTER(c_uint64), POINTER(c_uint64), POINTER(Error),),
    "zarrc_array_shard_shape": (c_int32, c_void_p, c_size_t, POINTER(c_uint64), POINTER(Error),),
    "zarrc_array_fill_value": (c_int32, c_void_p, c_void_p, c_size_t, POINTER(Error),),
    "zarrc_array_fill_value_json": (c_int32, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_metadata_json": (c_int32, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_attributes": (c_void_p, c_void_p,),
    "zarrc_array_read": (c_int32, c_void_p, POINTER(c_uint64), POINTER(c_uint64), c_int32, c_void_p, c_size_t, POINTER(Error),),
    "zarrc_array_write": (c_int32, c_void_p, POINTER(c_uint64), POINTER(c_uint64), c_int32, c_void_p, c_size_t, POINTER(Error),),
    "zarrc_array_read_strided": (c_int32, c_void_p, POINTER(c_uint64), POINTER(c_uint64), POINTER(c_uint64), c_int32, c_void_p, POINTER(c_int64), POINTER(Error),),
    "zarrc_array_write_strided": (c_int32, c_void_p, POINTER(c_uint64), POINTER(c_uint64), POINTER(c_uint64), c_int32, c_void_p, POINTER(c_int64), POINTER(Error),),
    "zarrc_array_flush": (c_int32, c_void_p, POINTER(Error),),
    "zarrc_array_read_vlen": (c_int32, c_void_p, POINTER(c_uint64), POINTER(c_uint64), POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_write_vlen": (c_int32, c_void_p, POINTER(c_uint64), POINTER(c_uint64), POINTER(c_uint64), c_void_p, POINTER(Error),),
    "zarrc_vlen_count": (c_size_t, c_void_p,),
    "zarrc_vlen_offsets": (c_void_p, c_void_p,),
    "zarrc_vlen_bytes": (c_void_p, c_void_p,),
    "zarrc_vlen_free": (None, c_void_p,),
    "zarrc_array_append": (c_int32, c_void_p, c_size_t, POINTER(c_uint64), c_int32, c_void_p, c_size_t, POINTER(Error),),
    "zarrc_array_append_vlen": (c_int32, c_void_p, c_size_t, POINTER(c_uint64), POINTER(c_uint64), c_void_p, POINTER(Error),),
    "zarrc_array_append_with": (c_int32, c_void_p, c_size_t, c_uint64, AppendWrite, c_void_p, POINTER(Error),),
    "zarrc_array_grow": (c_int32, c_void_p, c_size_t, POINTER(c_uint64), POINTER(Error),),
    "zarrc_array_resize": (c_int32, c_void_p, c_size_t, POINTER(c_uint64), POINTER(Error),),
    "zarrc_array_refresh": (c_int32, c_void_p, POINTER(Error),),
    "zarrc_selection_new": (c_int32, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_selection_free": (None, c_void_p,),
    "zarrc_selection_set_range": (c_int32, c_void_p, c_size_t, c_uint64, c_int64, c_uint64, POINTER(Error),),
    "zarrc_selection_set_index": (c_int32, c_void_p, c_size_t, c_uint64, POINTER(Error),),
    "zarrc_selection_set_indices": (c_int32, c_void_p, c_size_t, c_size_t, POINTER(c_uint64), POINTER(Error),),
    "zarrc_selection_set_mask": (c_int32, c_void_p, c_size_t, c_size_t, c_void_p, POINTER(Error),),
    "zarrc_selection_set_points": (c_int32, c_void_p, c_size_t, POINTER(c_uint64), POINTER(Error),),
    "zarrc_selection_set_element_mask": (c_int32, c_void_p, c_void_p, c_size_t, POINTER(Error),),
    "zarrc_selection_set_blocks": (c_int32, c_void_p, POINTER(c_uint64), POINTER(c_uint64), POINTER(Error),),
    "zarrc_selection_set_field": (c_int32, c_void_p, c_char_p, POINTER(Error),),
    "zarrc_selection_rank": (c_size_t, c_void_p,),
    "zarrc_selection_shape": (c_int32, c_void_p, c_size_t, POINTER(c_uint64), POINTER(Error),),
    "zarrc_selection_coordinates": (c_int32, c_void_p, c_size_t, c_uint64, c_size_t, POINTER(c_uint64), POINTER(Error),),
    "zarrc_array_read_selection": (c_int32, c_void_p, c_void_p, c_int32, c_void_p, POINTER(c_int64), c_size_t, POINTER(Error),),
    "zarrc_array_write_selection": (c_int32, c_void_p, c_void_p, c_int32, c_void_p, POINTER(c_int64), c_size_t, POINTER(Error),),
    "zarrc_array_fill": (c_int32, c_void_p, c_void_p, c_int32, c_void_p, c_size_t, POINTER(Error),),
    "zarrc_array_read_selection_vlen": (c_int32, c_void_p, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_write_selection_vlen": (c_int32, c_void_p, c_void_p, POINTER(c_uint64), c_void_p, POINTER(Error),),
    "zarrc_array_read_start": (c_int32, c_void_p, POINTER(c_uint64), POINTER(c_uint64), c_int32, c_void_p, c_size_t, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_write_start": (c_int32, c_void_p, POINTER(c_uint64), POINTER(c_uint64), c_int32, c_void_p, c_size_t, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_read_selection_start": (c_int32, c_void_p, c_void_p, c_int32, c_void_p, POINTER(c_int64), c_size_t, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_write_selection_start": (c_int32, c_void_p, c_void_p, c_int32, c_void_p, POINTER(c_int64), c_size_t, POINTER(c_void_p), POINTER(Error),),
    "zarrc_request_test": (c_int32, c_void_p, POINTER(c_bool), POINTER(Error),),
    "zarrc_request_wait": (c_int32, c_void_p, POINTER(Error),),
    "zarrc_request_wait_any": (c_int32, POINTER(c_void_p), c_size_t, POINTER(c_size_t), POINTER(Error),),
    "zarrc_request_fd": (c_int32, c_void_p, c_void_p, POINTER(Error),),
    "zarrc_request_cancel": (None, c_void_p,),
    "zarrc_request_free": (None, c_void_p,),
    "zarrc_writer_open": (c_int32, c_void_p, c_char_p, POINTER(WriterOptions), POINTER(c_void_p), POINTER(Error),),
    "zarrc_writer_declare": (c_int32, c_void_p, c_char_p, c_void_p, POINTER(c_size_t), POINTER(Error),),
    "zarrc_writer_put": (c_int32, c_void_p, c_size_t, POINTER(c_uint64), POINTER(c_uint64), c_int32, c_void_p, c_size_t, POINTER(Error),),
    "zarrc_writer_commit": (c_int32, c_void_p, c_uint64, POINTER(Error),),
    "zarrc_writer_flush": (c_int32, c_void_p, POINTER(Error),),
    "zarrc_writer_steps": (c_int32, c_void_p, POINTER(c_uint64), POINTER(Error),),
    "zarrc_writer_close": (c_int32, c_void_p, POINTER(Error),),
    "zarrc_codec_register": (c_int32, c_char_p, POINTER(c_char_p), c_size_t, c_int32, POINTER(CodecCallbacks), POINTER(Error),),
    "zarrc_codec_unregister": (c_int32, c_char_p, POINTER(Error),),
    "zarrc_array_info_json": (c_int32, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_content_digest": (c_int32, c_void_p, c_char_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_stored_digest": (c_int32, c_void_p, c_char_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_codecs_json": (c_int32, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_path": (c_int32, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_store_name": (c_int32, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_order": (c_char, c_void_p,),
    "zarrc_array_separator": (c_char, c_void_p,),
    "zarrc_array_chunk_key": (c_int32, c_void_p, c_size_t, POINTER(c_uint64), POINTER(c_void_p), POINTER(Error),),
    "zarrc_array_visit_chunks": (c_int32, c_void_p, c_size_t, POINTER(c_uint64), POINTER(c_uint64), ChunkVisitor, c_void_p, POINTER(Error),),
    "zarrc_group_tree": (c_int32, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_group_visit": (c_int32, c_void_p, NodeVisitor, c_void_p, POINTER(Error),),
    "zarrc_convert": (c_int32, c_void_p, c_char_p, c_void_p, c_char_p, c_int32, POINTER(ConvertOptions), POINTER(Error),),
    "zarrc_convert_plan": (c_int32, c_void_p, c_char_p, c_void_p, c_char_p, c_int32, POINTER(ConvertOptions), POINTER(c_void_p), POINTER(Error),),
    "zarrc_node_copy": (c_int32, c_void_p, c_char_p, c_void_p, c_char_p, POINTER(Error),),
    "zarrc_node_copy_with": (c_int32, c_void_p, c_char_p, c_void_p, c_char_p, POINTER(CopyOptions), POINTER(Copied), POINTER(Error),),
    "zarrc_node_move": (c_int32, c_void_p, c_char_p, c_char_p, POINTER(Error),),
    "zarrc_consolidate_metadata": (c_int32, c_void_p, c_char_p, POINTER(Error),),
    "zarrc_rechunk": (c_int32, c_void_p, c_void_p, c_char_p, c_void_p, c_uint64, Progress, c_void_p, POINTER(Error),),
    "zarrc_verify": (c_int32, c_void_p, c_char_p, Progress, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_repair": (c_int32, c_void_p, c_char_p, c_char_p, c_bool, Progress, c_void_p, POINTER(c_void_p), POINTER(Error),),
    "zarrc_hdf5_export": (c_int32, c_void_p, c_char_p, c_char_p, POINTER(Hdf5Options), POINTER(c_void_p), POINTER(Error),),
    "zarrc_references_json": (c_int32, c_void_p, c_char_p, c_char_p, Progress, c_void_p, POINTER(c_void_p), POINTER(Error),),
}
