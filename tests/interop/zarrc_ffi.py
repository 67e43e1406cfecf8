"""zarrc from Python, through ctypes and the C functions alone.

    from zarrc_ffi import Store
    with Store("data.zarr", "r") as store, store.array("a/b") as array:
        values = array.read()              # a NumPy array
        values = array.read([0, 5], [10, 5])   # a box: start, count

The shared library is that of the environment variable ZARRC_LIB, else the one built in this clone.
Anything the library refuses is raised as `ZarrcError`, with its status.
"""
import ctypes
import json
import os
from ctypes import POINTER, byref, c_bool, c_char, c_char_p, c_int32, c_int64, c_size_t, c_uint8, c_uint64, c_void_p
from pathlib import Path

import numpy as np

MODES = {"r": 0, "r+": 1, "a": 2, "w-": 3, "w": 4}
FORMATS = {"v1": 1, 2: 2, 3: 3, "n5": 4, "v3-2019": 5, "v3-2020": 6, "v3-2022": 7}
NATIVE = 0
NODE_KINDS = {1: "group", 2: "array"}

# zarrc_data_type numbers of the types that need no parameters.
NUMPY_TYPES = {
    1: "?", 2: "i1", 3: "i2", 4: "i4", 5: "i8", 6: "u1", 7: "u2", 8: "u4", 9: "u8",
    10: "f2", 12: "f4", 13: "f8", 14: "c8", 15: "c16",
}  # fmt: skip
DATA_TYPES = {np.dtype(name): number for number, name in NUMPY_TYPES.items()}
# Those that have: opaque bytes, byte strings, UTF-32 strings, times, structures.
KINDS = {"V": 16, "S": 17, "U": 18, "M": 19, "m": 20, "struct": 21}


class Error(ctypes.Structure):
    """zarrc_error: owned by the caller, nothing to free."""

    _fields_ = [("status", c_int32), ("system_code", c_int32), ("message", c_char * 1016)]


class ZarrcError(Exception):
    def __init__(self, status, message):
        super().__init__(f"{status}: {message}")
        self.status = status


_handle, _text, _extents, _strides, _err = c_void_p, c_char_p, POINTER(c_uint64), POINTER(c_int64), POINTER(Error)

# name: (result, arguments). A status as the result means: raise unless it is ZARRC_OK; the last
# argument, the error, is added by `_call`.
_STATUS = {
    "zarrc_build_info": [POINTER(c_void_p)],
    "zarrc_options_set": [_handle, _text, _text],
    "zarrc_store_open": [_text, c_int32, _handle, POINTER(_handle)],
    "zarrc_store_close": [_handle],
    "zarrc_store_get": [_handle, _text, POINTER(POINTER(c_uint8)), POINTER(c_size_t)],
    "zarrc_store_set": [_handle, _text, c_void_p, c_size_t],
    "zarrc_store_erase": [_handle, _text],
    "zarrc_store_begin": [_handle, POINTER(_handle)],
    "zarrc_store_commit": [_handle, _text],
    "zarrc_store_snapshot": [_handle, POINTER(c_void_p)],
    "zarrc_group_open": [_handle, _text, POINTER(_handle)],
    "zarrc_group_create": [_handle, _text, c_int32, POINTER(_handle)],
    "zarrc_group_close": [_handle],
    "zarrc_group_list": [_handle, c_bool, POINTER(_handle)],
    "zarrc_consolidate_metadata": [_handle, _text],
    "zarrc_attributes_json": [_handle, POINTER(c_void_p)],
    "zarrc_attributes_replace_json": [_handle, _text],
    "zarrc_attributes_set_json": [_handle, _text, _text],
    "zarrc_array_spec_new": [c_int32, c_size_t, _extents, POINTER(_handle)],
    "zarrc_array_spec_set_format": [_handle, c_int32],
    "zarrc_array_spec_set_data_type": [_handle, _text],
    "zarrc_array_spec_set_chunk_shape": [_handle, c_size_t, _extents],
    "zarrc_array_spec_set_shard_shape": [_handle, c_size_t, _extents],
    "zarrc_array_spec_set_fill_value": [_handle, c_void_p, c_size_t],
    "zarrc_array_spec_set_missing_value": [_handle, c_void_p, c_size_t],
    "zarrc_array_spec_add_codec": [_handle, _text, _text],
    "zarrc_array_spec_set_order": [_handle, c_char],
    "zarrc_array_spec_set_separator": [_handle, c_char],
    "zarrc_array_spec_set_dimension_names": [_handle, c_size_t, POINTER(_text)],
    "zarrc_array_spec_set_attributes_json": [_handle, _text],
    "zarrc_array_create": [_handle, _text, _handle, POINTER(_handle)],
    "zarrc_array_create_json": [_handle, _text, c_int32, _text, POINTER(_handle)],
    "zarrc_array_open": [_handle, _text, POINTER(_handle)],
    "zarrc_array_close": [_handle],
    "zarrc_array_shape": [_handle, c_size_t, _extents],
    "zarrc_array_chunk_shape": [_handle, c_size_t, _extents],
    "zarrc_array_fill_value": [_handle, c_void_p, c_size_t],
    "zarrc_array_set_missing_value": [_handle, c_void_p, c_size_t],
    "zarrc_convert": [_handle, _text, _handle, _text, c_int32, c_void_p],
    "zarrc_array_metadata_json": [_handle, POINTER(c_void_p)],
    "zarrc_array_read": [_handle, _extents, _extents, c_int32, c_void_p, c_size_t],
    "zarrc_array_write": [_handle, _extents, _extents, c_int32, c_void_p, c_size_t],
    "zarrc_array_read_strided": [_handle, _extents, _extents, _extents, c_int32, c_void_p, _strides],
    "zarrc_array_write_strided": [_handle, _extents, _extents, _extents, c_int32, c_void_p, _strides],
    "zarrc_array_read_vlen": [_handle, _extents, _extents, POINTER(_handle)],
    "zarrc_array_write_vlen": [_handle, _extents, _extents, _extents, c_char_p],
    "zarrc_selection_new": [_handle, POINTER(_handle)],
    "zarrc_selection_set_range": [_handle, c_size_t, c_uint64, c_int64, c_uint64],
    "zarrc_selection_set_index": [_handle, c_size_t, c_uint64],
    "zarrc_selection_set_indices": [_handle, c_size_t, c_size_t, _extents],
    "zarrc_selection_set_mask": [_handle, c_size_t, c_size_t, c_char_p],
    "zarrc_selection_set_points": [_handle, c_size_t, _extents],
    "zarrc_selection_set_element_mask": [_handle, c_char_p, c_size_t],
    "zarrc_selection_set_blocks": [_handle, _extents, _extents],
    "zarrc_selection_set_field": [_handle, _text],
    "zarrc_selection_shape": [_handle, c_size_t, _extents],
    "zarrc_array_read_selection": [_handle, _handle, c_int32, c_void_p, _strides, c_size_t],
    "zarrc_array_write_selection": [_handle, _handle, c_int32, c_void_p, _strides, c_size_t],
    "zarrc_array_read_selection_vlen": [_handle, _handle, POINTER(_handle)],
    "zarrc_array_write_selection_vlen": [_handle, _handle, _extents, c_char_p],
    "zarrc_array_fill": [_handle, _handle, c_int32, c_void_p, c_size_t],
}
_PLAIN = {
    "zarrc_status_name": (c_char_p, [c_int32]),
    "zarrc_version": (c_char_p, []),
    "zarrc_string_free": (None, [c_void_p]),
    "zarrc_value_free": (None, [POINTER(c_uint8), c_size_t]),
    "zarrc_options_new": (_handle, []),
    "zarrc_options_free": (None, [_handle]),
    "zarrc_group_attributes": (_handle, [_handle]),
    "zarrc_listing_count": (c_size_t, [_handle]),
    "zarrc_listing_path": (c_char_p, [_handle, c_size_t]),
    "zarrc_listing_kind": (c_int32, [_handle, c_size_t]),
    "zarrc_listing_free": (None, [_handle]),
    "zarrc_array_spec_free": (None, [_handle]),
    "zarrc_array_format": (c_int32, [_handle]),
    "zarrc_array_data_type": (c_int32, [_handle]),
    "zarrc_array_element_size": (c_size_t, [_handle]),
    "zarrc_array_rank": (c_size_t, [_handle]),
    "zarrc_array_attributes": (_handle, [_handle]),
    "zarrc_vlen_count": (c_size_t, [_handle]),
    "zarrc_vlen_offsets": (_extents, [_handle]),
    "zarrc_vlen_bytes": (c_void_p, [_handle]),
    "zarrc_vlen_free": (None, [_handle]),
    "zarrc_selection_free": (None, [_handle]),
    "zarrc_selection_rank": (c_size_t, [_handle]),
}


def _find():
    if "ZARRC_LIB" in os.environ:
        return os.environ["ZARRC_LIB"]
    clone = Path(__file__).resolve().parents[2]
    target = Path(os.environ.get("CARGO_TARGET_DIR", clone / "target"))
    for folder in (target / "release", clone / "build", target / "debug"):
        for name in ("libzarrc.so", "libzarrc.dylib", "zarrc.dll"):
            if (folder / name).exists():
                return str(folder / name)
    raise OSError("no libzarrc found: build it, or set ZARRC_LIB to its path")


def _load():
    library = ctypes.CDLL(_find())
    for name, arguments in _STATUS.items():
        function = getattr(library, name, None)
        if function is None:
            continue  # not in this build: calling it says so
        function.restype, function.argtypes = c_int32, [*arguments, _err]
    for name, (result, arguments) in _PLAIN.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


lib = _load()


def _call(name, *arguments):
    error = Error()
    if not hasattr(lib, name):
        raise NotImplementedError(f"this build has no {name}")
    status = getattr(lib, name)(*arguments, byref(error))
    if status:
        raise ZarrcError(lib.zarrc_status_name(status).decode(), error.message.decode())


def _new(name, *arguments):
    """Calls what gives a handle, or a string, through its last argument."""
    out = c_void_p()
    _call(name, *arguments, byref(out))
    return out


def _string(name, *arguments):
    out = _new(name, *arguments)
    try:
        return ctypes.cast(out, c_char_p).value.decode()
    finally:
        lib.zarrc_string_free(out)


def _uint64s(values):
    return None if values is None else (c_uint64 * max(len(values), 1))(*values)


def version():
    return lib.zarrc_version().decode()


def build_info():
    return json.loads(_string("zarrc_build_info"))


def convert(url, to, format):
    """Writes the whole of one store in another format to another."""
    with Store(url) as source, Store(to, "w") as target:
        _call("zarrc_convert", source._handle, b"", target._handle, b"", FORMATS[format], None)


class _Handle:
    """Closes itself at the end of a `with` block, and when it is forgotten."""

    _close = None

    def __init__(self, handle):
        self._handle = handle

    def close(self):
        handle, self._handle = self._handle, None
        if handle:
            _call(self._close, handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_handle", None):
            self.close()


class Attributes:
    """The attributes of an open node; keeps the node alive."""

    def __init__(self, node, handle):
        self._node, self._attributes = node, handle

    def get(self):
        return json.loads(_string("zarrc_attributes_json", self._attributes))

    def replace(self, attributes):
        _call("zarrc_attributes_replace_json", self._attributes, json.dumps(attributes).encode())

    def __setitem__(self, key, value):
        _call("zarrc_attributes_set_json", self._attributes, key.encode(), json.dumps(value).encode())


class Store(_Handle):
    _close = "zarrc_store_close"

    def __init__(self, url, mode="r", **options):
        chosen = c_void_p(lib.zarrc_options_new())
        try:
            for name, value in options.items():
                _call("zarrc_options_set", chosen, name.encode(), str(value).encode())
            super().__init__(_new("zarrc_store_open", str(url).encode(), MODES[mode], chosen))
        finally:
            lib.zarrc_options_free(chosen)

    def get(self, key):
        value, size = POINTER(c_uint8)(), c_size_t()
        _call("zarrc_store_get", self._handle, key.encode(), byref(value), byref(size))
        try:
            return ctypes.string_at(value, size.value)
        finally:
            lib.zarrc_value_free(value, size)

    def set(self, key, value):
        _call("zarrc_store_set", self._handle, key.encode(), value, len(value))

    def begin(self):
        transaction = Store.__new__(Store)
        _Handle.__init__(transaction, _new("zarrc_store_begin", self._handle))
        return transaction

    def commit(self, message):
        _call("zarrc_store_commit", self._handle, message.encode())

    def snapshot(self):
        return _string("zarrc_store_snapshot", self._handle)

    def group(self, path=""):
        return Group(_new("zarrc_group_open", self._handle, path.encode()))

    def create_group(self, path="", format=3):
        return Group(_new("zarrc_group_create", self._handle, path.encode(), FORMATS[format]))

    def array(self, path=""):
        return Array(_new("zarrc_array_open", self._handle, path.encode()))

    def create_array_from(self, path, document, format=None):
        """Creates an array from its metadata document, as it would stand in the store. One of v2 or v3 says
        its format itself."""
        text = json.dumps(document).encode()
        format = FORMATS[format or document["zarr_format"]]
        return Array(_new("zarrc_array_create_json", self._handle, path.encode(), format, text))

    def create_array(self, path, shape, dtype, **options):
        """Creates an array; `shape` and `dtype` are enough. Options: `format`, `chunk_shape`, `shard_shape`,
        `fill_value` and `missing_value` (an array of one element), `codecs` (pairs of name and configuration), `order`,
        `separator`, `dimension_names`, `attributes`."""
        with _Spec(shape, np.dtype(dtype)) as spec:
            for name, value in options.items():
                spec.set(name, value)
            return Array(_new("zarrc_array_create", self._handle, path.encode(), spec.handle))

    def consolidate(self, path=""):
        _call("zarrc_consolidate_metadata", self._handle, path.encode())


class _Spec:
    """The description of a new array. A type's byte order is that of the stored elements."""

    def __init__(self, shape, dtype):
        kind = "struct" if dtype.names else dtype.kind
        number = KINDS.get(kind) or DATA_TYPES[dtype.newbyteorder("=")]
        self.handle = _new("zarrc_array_spec_new", number, len(shape), _uint64s(shape))
        if kind in KINDS or dtype.byteorder == ">":
            self._call("data_type", (json.dumps(fields(dtype)) if dtype.names else dtype.str).encode())

    def _call(self, what, *arguments):
        _call(f"zarrc_array_spec_set_{what}", self.handle, *arguments)

    def set(self, name, value):
        if name == "format":
            self._call(name, FORMATS[value])
        elif name in ("chunk_shape", "shard_shape"):
            self._call(name, len(value), _uint64s(value))
        elif name in ("fill_value", "missing_value"):
            self._call(name, value.tobytes(), value.nbytes)
        elif name == "codecs":
            for codec, configuration in value:
                text = None if configuration is None else json.dumps(configuration).encode()
                _call("zarrc_array_spec_add_codec", self.handle, codec.encode(), text)
        elif name in ("order", "separator"):
            self._call(name, value.encode())
        elif name == "dimension_names":
            self._call(name, len(value), (c_char_p * len(value))(*[v and v.encode() for v in value]))
        elif name == "attributes":
            self._call("attributes_json", json.dumps(value).encode())
        else:
            raise TypeError(f"a new array has no {name}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        lib.zarrc_array_spec_free(self.handle)


def fields(dtype):
    """The fields of a structure as lists of name, type and perhaps shape, nested ones too."""
    out = []
    for name in dtype.names:
        base, shape = dtype[name].subdtype or (dtype[name], None)
        entry = [name, fields(base) if base.names else base.str]
        out.append(entry + [list(shape)] if shape else entry)
    return out


class Group(_Handle):
    _close = "zarrc_group_close"

    @property
    def attributes(self):
        return Attributes(self, c_void_p(lib.zarrc_group_attributes(self._handle)))

    def list(self, recursive=True):
        """Pairs of path, relative to the group, and "group" or "array"."""
        listing = _new("zarrc_group_list", self._handle, recursive)
        try:
            return [
                (lib.zarrc_listing_path(listing, i).decode(), NODE_KINDS[lib.zarrc_listing_kind(listing, i)])
                for i in range(lib.zarrc_listing_count(listing))
            ]
        finally:
            lib.zarrc_listing_free(listing)


def _items(values):
    """The elements of a zarrc_vlen, as bytes, which is freed."""
    try:
        offsets = lib.zarrc_vlen_offsets(values)[: lib.zarrc_vlen_count(values) + 1]
        data = ctypes.string_at(lib.zarrc_vlen_bytes(values), offsets[-1])
        return [data[start:end] for start, end in zip(offsets, offsets[1:])]
    finally:
        lib.zarrc_vlen_free(values)


def _memory(values):
    """Place, strides and bytes spanned of an array in memory."""
    spanned = values.itemsize + sum((n - 1) * abs(s) for n, s in zip(values.shape, values.strides)) if values.size else 0
    return values.ctypes.data, (c_int64 * max(values.ndim, 1))(*values.strides), spanned


class Selection:
    """What a call reads or writes of an array. Each setter is a C function: `s.set("range", 0, 5, -1, 3)`;
    lists and masks are given as arrays."""

    def __init__(self, array):
        self.handle = _new("zarrc_selection_new", array._handle)

    def set(self, what, *arguments):
        name = f"zarrc_selection_set_{what}"
        out = []
        for argument in arguments:
            if isinstance(argument, np.ndarray) and argument.dtype == bool:
                argument = argument.tobytes()
            elif isinstance(argument, np.ndarray):
                numbers = np.ascontiguousarray(argument, np.uint64)
                argument = numbers.ctypes.data_as(POINTER(c_uint64))
                out.append(argument)
                self._alive = numbers
                continue
            elif isinstance(argument, str):
                argument = argument.encode()
            out.append(argument)
        _call(name, self.handle, *out)

    @property
    def shape(self):
        rank = lib.zarrc_selection_rank(self.handle)
        out = (c_uint64 * max(rank, 1))()
        _call("zarrc_selection_shape", self.handle, rank, out)
        return tuple(out[:rank])

    def __del__(self):
        lib.zarrc_selection_free(self.handle)


class Array(_Handle):
    _close = "zarrc_array_close"

    @property
    def attributes(self):
        return Attributes(self, c_void_p(lib.zarrc_array_attributes(self._handle)))

    @property
    def rank(self):
        return lib.zarrc_array_rank(self._handle)

    @property
    def shape(self):
        return self._extents("zarrc_array_shape")

    @property
    def chunk_shape(self):
        return self._extents("zarrc_array_chunk_shape")

    def _extents(self, name):
        out = (c_uint64 * max(self.rank, 1))()
        _call(name, self._handle, self.rank, out)
        return tuple(out[: self.rank])

    @property
    def metadata(self):
        return json.loads(_string("zarrc_array_metadata_json", self._handle))

    @property
    def element_size(self):
        return lib.zarrc_array_element_size(self._handle)

    @property
    def dtype(self):
        """The NumPy type of the elements in memory: times as integers, structures as opaque bytes."""
        number, size = lib.zarrc_array_data_type(self._handle), self.element_size
        if number in NUMPY_TYPES:
            return np.dtype(NUMPY_TYPES[number])
        kind = {KINDS["S"]: f"S{size}", KINDS["U"]: f"U{size // 4}", KINDS["M"]: "i8", KINDS["m"]: "i8"}
        return np.dtype(kind.get(number, f"V{size}"))

    def fill_value(self, dtype=None):
        value = np.zeros((), dtype or self.dtype)
        _call("zarrc_array_fill_value", self._handle, value.ctypes.data, value.nbytes)
        return value

    def set_missing_value(self, value):
        """Makes `value`, of the array's own type, CF's missing value."""
        value = np.asarray(value)
        _call("zarrc_array_set_missing_value", self._handle, value.ctypes.data, value.nbytes)

    def read(self, start=None, count=None, dtype=None):
        shape = self.shape if count is None else count
        if count is None and start is not None:
            shape = [n - s for n, s in zip(shape, start)]
        dtype = np.dtype(dtype or self.dtype)
        if dtype.itemsize != self.element_size:
            raise TypeError(f"elements have {self.element_size} bytes, {dtype} has {dtype.itemsize}")
        values = np.empty(shape, dtype)
        _call("zarrc_array_read", self._handle, _uint64s(start), _uint64s(count), NATIVE, values.ctypes.data, values.nbytes)
        return values

    def write(self, values, start=None):
        """Writes `values`, whose element type is that of the array in native byte order."""
        values = np.asarray(values, order="C")
        start = [0] * values.ndim if start is None else start
        _call(
            "zarrc_array_write", self._handle, _uint64s(start), _uint64s(values.shape), NATIVE,
            values.ctypes.data, values.nbytes,
        )  # fmt: skip

    def read_vlen(self):
        """All elements, which have a length of their own, as bytes in C order."""
        return _items(_new("zarrc_array_read_vlen", self._handle, None, None))

    def write_vlen(self, items):
        """All elements, as bytes in C order."""
        offsets = [0]
        for item in items:
            offsets.append(offsets[-1] + len(item))
        _call("zarrc_array_write_vlen", self._handle, None, None, _uint64s(offsets), b"".join(items))

    def read_selection(self, selection, out, number=NATIVE):
        """Fills `out`, of any memory layout, with what is selected."""
        _call("zarrc_array_read_selection", self._handle, selection.handle, number, *_memory(out))

    def write_selection(self, selection, values, number=NATIVE):
        """Writes `values`, of any memory layout, to what is selected."""
        _call("zarrc_array_write_selection", self._handle, selection.handle, number, *_memory(values))

    def read_selection_vlen(self, selection):
        """What is selected of elements that have a length of their own, as bytes in C order."""
        return _items(_new("zarrc_array_read_selection_vlen", self._handle, selection.handle))

    def write_selection_vlen(self, selection, items):
        """Bytes in C order, to what is selected."""
        offsets = _uint64s(np.cumsum([0] + [len(item) for item in items]).tolist())
        _call("zarrc_array_write_selection_vlen", self._handle, selection.handle, offsets, b"".join(items))

    def fill(self, selection, value, number=NATIVE):
        """One element (bytes) to all of what is selected; `None`: of the array."""
        handle = selection and selection.handle
        _call("zarrc_array_fill", self._handle, handle, number, value, len(value))

    def read_as(self, dtype):
        """All of it, converted to a number type."""
        values = np.empty(self.shape, dtype)
        number = DATA_TYPES[values.dtype]
        _call("zarrc_array_read", self._handle, None, None, number, values.ctypes.data, values.nbytes)
        return values

    def write_as(self, values):
        """All of it, converted from the number type of `values`."""
        number = DATA_TYPES[values.dtype]
        _call("zarrc_array_write", self._handle, None, None, number, values.ctypes.data, values.nbytes)

    def read_steps(self, start, step, out):
        """Fills `out`, of any memory layout, with every `step`-th element from `start` on."""
        strides = (c_int64 * max(out.ndim, 1))(*out.strides)
        _call(
            "zarrc_array_read_strided", self._handle, _uint64s(start), _uint64s(step), _uint64s(out.shape), NATIVE,
            out.ctypes.data, strides,
        )  # fmt: skip

    def write_steps(self, start, step, values):
        strides = (c_int64 * max(values.ndim, 1))(*values.strides)
        _call(
            "zarrc_array_write_strided", self._handle, _uint64s(start), _uint64s(step), _uint64s(values.shape), NATIVE,
            values.ctypes.data, strides,
        )  # fmt: skip
