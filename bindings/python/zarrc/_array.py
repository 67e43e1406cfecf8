"""Arrays: NumPy's indexing over the C functions, without copies where memory allows."""

import ctypes
import itertools
import json
import math
from ctypes import c_char_p, c_uint64, c_void_p

import numpy as np

from . import _indexing, _types
from ._api import DataType, Format
from ._library import Handle, call, int64s, json_of, lib, new, uint64s


class Array(Handle):
    """An open array. Index it like a NumPy array; threads may share it.

    Lists of integers and masks pick along one dimension, as in NumPy; `oindex[...]` takes several, each by itself.
    """

    _end = "zarrc_array_close"

    def __init__(self, handle, store=None, path="", document=None):
        super().__init__(handle)
        self.store, self.path = store, path.strip("/")
        self.ndim = lib.zarrc_array_rank(handle)
        self.data_type = DataType(lib.zarrc_array_data_type(handle))
        size = lib.zarrc_array_element_size(handle)
        self.dtype = _types.dtype_of(self.data_type, size, lambda: document or self.metadata)

    def __repr__(self):
        return f"<zarrc.Array {'/' + self.path} {self.shape} {self.dtype}>"

    # ---- what it is

    def _extents(self, function):
        out = (c_uint64 * max(self.ndim, 1))()
        call(function, self.handle, self.ndim, out)
        return tuple(out[: self.ndim])

    @property
    def shape(self):
        return self._extents(lib.zarrc_array_shape)

    @property
    def chunks(self):
        """The shape of a chunk; of an inner chunk where there are shards."""
        return self._extents(lib.zarrc_array_chunk_shape)

    @property
    def shards(self):
        """The shape of a shard; None where there are none."""
        try:
            return self._extents(lib.zarrc_array_shard_shape)
        except KeyError:
            return None

    @property
    def chunk_counts(self):
        """How many chunks (shards, where there are some) lie along each dimension."""
        return self._extents(lib.zarrc_array_chunk_counts)

    def chunk_slices(self, index):
        """The part of the array that lies in one chunk (in one shard, where there are some), as slices."""
        start, count = ((c_uint64 * max(self.ndim, 1))() for _ in range(2))
        call(lib.zarrc_array_chunk_bounds, self.handle, self.ndim, uint64s(index), start, count)
        return tuple(slice(s, s + n) for s, n in zip(start[: self.ndim], count[: self.ndim]))

    def iter_chunks(self):
        """The slices of every chunk, in C order: `for part in array.iter_chunks(): array[part]`."""
        for index in itertools.product(*map(range, self.chunk_counts)):
            yield self.chunk_slices(index)

    @property
    def size(self):
        return math.prod(self.shape)

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return self.size * self.itemsize

    def __len__(self):
        if not self.ndim:
            raise TypeError("len() of an array without dimensions")
        return self.shape[0]

    @property
    def format(self):
        return Format(lib.zarrc_array_format(self.handle))

    @property
    def metadata(self):
        """The metadata document as it is in the store now."""
        return json_of(lib.zarrc_array_metadata_json, self.handle)

    @property
    def fill_value(self):
        """The value of elements that were never written."""
        if self.dtype.hasobject:
            return json_of(lib.zarrc_array_fill_value_json, self.handle)
        value = np.zeros((), self.dtype)
        call(lib.zarrc_array_fill_value, self.handle, value.ctypes.data, value.nbytes)
        return value[()]

    @property
    def attributes(self):
        from ._store import Attributes

        return Attributes(self, lib.zarrc_array_attributes(self.handle))

    attrs = attributes

    @property
    def oindex(self):
        """Orthogonal indexing: each dimension's integer, slice, list or mask by itself."""
        return _indexing.Orthogonal(self)

    # ---- basic indexing

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("a stored array cannot be had without a copy")
        values = self[...]
        values = np.asarray(values)
        return values if dtype is None else values.astype(dtype, copy=False)

    def __iter__(self):
        return (self[index] for index in range(len(self)))

    def __getitem__(self, key):
        if _indexing.is_plain(key):
            return self.read(key)
        return _indexing.read_lists(self, key)

    def __setitem__(self, key, values):
        if not _indexing.is_plain(key):
            raise NotImplementedError("lists and masks are read, but written by integers and slices only")
        self.write(key, values)

    def read(self, key=..., out=None, dtype=None):
        """`array[key]` for integers, slices and '...'; into `out`, an array of the same shape and any strides,
        or as numbers of another type, each value checked."""
        axes = self._axes(key)
        shape = tuple(axis.count for axis in axes if not axis.drop)
        if self.dtype.hasobject:
            return self._read_variable(axes, shape, out)
        if out is None:
            out = np.empty(shape, dtype or self.dtype)
        elif out.shape != shape:
            raise ValueError(f"out has the shape {out.shape}, the selection {shape}")
        elif not out.flags.writeable:
            raise ValueError("out is read-only")
        number = self._memory_type(out.dtype)
        start, step, count, offset, strides = _boxed(axes, out.strides)
        call(
            lib.zarrc_array_read_strided, self.handle, start, step, count, number, out.ctypes.data + offset, strides
        )  # fmt: skip
        return out if out.ndim else out[()]

    def write(self, key, values):
        """`array[key] = values` for integers, slices and '...'; values are broadcast, numbers converted and checked."""
        axes = self._axes(key)
        shape = tuple(axis.count for axis in axes if not axis.drop)
        if self.dtype.hasobject:
            return self._write_variable(axes, shape, values)
        values, number = self._values(values, shape)
        start, step, count, offset, strides = _boxed(axes, values.strides)
        call(
            lib.zarrc_array_write_strided, self.handle, start, step, count, number, values.ctypes.data + offset, strides
        )  # fmt: skip

    def _axes(self, key):
        key = _indexing.expand(key, self.ndim)
        return [_indexing.axis(entry, extent, n) for n, (entry, extent) in enumerate(zip(key, self.shape))]

    def _memory_type(self, dtype):
        if dtype == self.dtype and dtype.isnative:
            return DataType.NATIVE
        if dtype.isnative and dtype in _types.MEMORY_TYPES:
            return _types.MEMORY_TYPES[dtype]
        raise TypeError(f"memory of type {dtype}: the array's elements are {self.dtype}")

    def _values(self, values, shape):
        if not isinstance(values, np.ndarray):
            values = np.asarray(values)
            if values.dtype.kind not in "biufc":
                values = values.astype(self.dtype)
        values, number = _types.memory(values, self.dtype, self.data_type)
        while values.ndim > len(shape) and values.shape[0] == 1:
            values = values[0]
        return np.broadcast_to(values, shape), number

    # ---- elements of variable length

    def _read_variable(self, axes, shape, out):
        if any(axis.step not in (1,) for axis in axes):
            raise NotImplementedError("steps over elements of variable length: read without a step, then index")
        start, count = uint64s([axis.start for axis in axes]), uint64s([axis.count for axis in axes])
        items = np.empty(math.prod(shape), object)
        values = new(lib.zarrc_array_read_vlen, self.handle, start, count)
        try:
            found = lib.zarrc_vlen_count(values)
            offsets = (c_uint64 * (found + 1)).from_address(lib.zarrc_vlen_offsets(values))
            data = ctypes.string_at(lib.zarrc_vlen_bytes(values), offsets[found]) if found else b""
            convert = self._from_bytes()
            ends = offsets[:]
            items[:] = [convert(data[a:b]) for a, b in zip(ends, ends[1:])]
        finally:
            lib.zarrc_vlen_free(values)
        items = items.reshape(shape)
        if out is not None:
            out[...] = items
            return out
        return items if items.ndim else items[()]

    def _from_bytes(self):
        if self.data_type == DataType.STRING:
            return bytes.decode
        if self.data_type == DataType.JSON:
            return json.loads
        if self.data_type == DataType.RAGGED:
            item = self._item_type()
            return lambda data: np.frombuffer(data, item)
        return bytes

    def _item_type(self):
        document = self.metadata
        for codec in document.get("filters") or []:
            if codec.get("id") == "vlen-array":
                return np.dtype(codec["dtype"]).newbyteorder("=")
        return np.dtype(np.uint8)

    def _to_bytes(self):
        if self.data_type == DataType.STRING:
            return lambda text: str(text).encode()
        if self.data_type == DataType.JSON:
            return lambda value: json.dumps(value).encode()
        if self.data_type == DataType.RAGGED:
            item = self._item_type()
            return lambda run: np.asarray(run, item).tobytes()
        return bytes

    def _write_variable(self, axes, shape, values):
        if any(axis.step != 1 for axis in axes):
            raise NotImplementedError("steps over elements of variable length")
        if not isinstance(values, np.ndarray):
            made = np.empty(np.shape(values) if self.data_type in (DataType.STRING, DataType.BYTES) else shape, object)
            made[...] = values
            values = made
        start, count = uint64s([axis.start for axis in axes]), uint64s([axis.count for axis in axes])
        items, offsets = self._encoded(values, shape)
        call(lib.zarrc_array_write_vlen, self.handle, start, count, offsets, items)

    def _encoded(self, values, shape):
        """Elements as bytes, one after the other, and where each begins."""
        convert = self._to_bytes()
        items = [convert(item) for item in np.broadcast_to(values, shape).ravel()]
        offsets = np.zeros(len(items) + 1, np.uint64)
        np.cumsum([len(item) for item in items], out=offsets[1:], dtype=np.uint64)
        return ctypes.cast(c_char_p(b"".join(items)), c_void_p), offsets.ctypes.data_as(ctypes.POINTER(c_uint64))

    # ---- changing it

    def resize(self, *shape):
        """Gives the array another shape; what a smaller one leaves outside is deleted."""
        shape = shape[0] if len(shape) == 1 and np.ndim(shape[0]) else shape
        call(lib.zarrc_array_resize, self.handle, len(shape), uint64s(shape))

    def append(self, values, axis=0):
        """Appends a block along one dimension: all of it arrives, or nothing, also beside other writers."""
        values = np.asarray(values)
        if self.dtype.hasobject:
            count = uint64s(values.shape)
            items, offsets = self._encoded(values, values.shape)
            call(lib.zarrc_array_append_vlen, self.handle, axis, count, offsets, items)
            return
        values, number = self._values(values, values.shape)
        values = np.ascontiguousarray(values)
        if values.ndim != self.ndim:
            raise ValueError(f"append: {values.ndim} dimensions, the array has {self.ndim}")
        call(
            lib.zarrc_array_append, self.handle, axis % max(self.ndim, 1), uint64s(values.shape), number,
            values.ctypes.data, values.nbytes,
        )  # fmt: skip

    def grow(self, *shape):
        """Makes the array at least as large; nothing is ever cut."""
        shape = shape[0] if len(shape) == 1 and np.ndim(shape[0]) else shape
        call(lib.zarrc_array_grow, self.handle, len(shape), uint64s(shape))

    def refresh(self):
        """Reads the document again: the shape that others gave the array, its attributes."""
        call(lib.zarrc_array_refresh, self.handle)

    def flush(self):
        """Hands to the store what the option write_buffer has gathered."""
        call(lib.zarrc_array_flush, self.handle)


def _boxed(axes, strides):
    """Start, step, count, byte offset into memory and strides, for ranges of which some run backwards."""
    starts, steps, moved, offset = [], [], [], 0
    strides = iter(strides)
    for axis in axes:
        stride = 0 if axis.drop else next(strides)
        if axis.step < 0:
            # The lowest index first: memory is walked from its end instead.
            starts.append(axis.start + axis.step * (axis.count - 1) if axis.count else 0)
            offset += stride * max(axis.count - 1, 0)
            stride = -stride
        else:
            starts.append(axis.start)
        steps.append(abs(axis.step))
        moved.append(stride)
    return uint64s(starts), uint64s(steps), uint64s([axis.count for axis in axes]), offset, int64s(moved)
