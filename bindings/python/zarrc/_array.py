"""Arrays: NumPy's indexing over the C functions, without copies where memory allows."""

import ctypes
import itertools
import json
import math
from ctypes import c_char_p, c_uint64, c_void_p

import numpy as np

from . import _indexing, _selection, _types
from ._api import AppendWrite, ChunkVisitor, DataType, Format, Status
from ._callbacks import reporting
from ._library import Handle, call, int64s, json_of, lib, new, string, uint64s
from ._request import Request


class Array(Handle):
    """An open array. Index it like a NumPy array; threads may share it.

    Lists and masks too select what they select of a NumPy array, and `array["field"]` a field; `oindex[...]` takes lists
    each by itself, `vindex[...]` point by point, `blocks[...]` whole chunks. All are read and written.
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
        """The shape of a chunk; of an inner chunk if there are shards."""
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
        """How many chunks (shards, if the array has them) lie along each dimension."""
        return self._extents(lib.zarrc_array_chunk_counts)

    def chunk_slices(self, index):
        """The part of the array that lies in one chunk (in one shard, if the array has them), as slices."""
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
    def dims(self):
        """The names of the dimensions; None for one without a name."""
        return tuple(self._name(n) for n in range(self.ndim))

    def _name(self, dimension):
        name = ctypes.cast(new(lib.zarrc_array_dimension_name, self.handle, dimension), c_char_p).value
        return None if name is None else name.decode()

    @property
    def order(self):
        """The order of the elements in the chunks: "C" or "F"."""
        return lib.zarrc_array_order(self.handle).decode()

    @property
    def separator(self):
        """What stands between the numbers of a chunk's key: "." or "/"."""
        return lib.zarrc_array_separator(self.handle).decode()

    @property
    def codecs(self):
        """The codecs in the order in which they encode, as Zarr v3 spells them whatever the format."""
        return json_of(lib.zarrc_array_codecs_json, self.handle)

    @property
    def data_type_text(self):
        """The type as the format's documents have it."""
        return string(lib.zarrc_array_data_type_text, self.handle)

    @property
    def store_name(self):
        """The name of the store, without credentials."""
        return string(lib.zarrc_array_store_name, self.handle)

    @property
    def info(self):
        """Everything that is known of the array; sizes are asked of the store."""
        return json_of(lib.zarrc_array_info_json, self.handle)

    def digest(self, algorithm="sha256", stored=False):
        """The digest of the elements, whatever the format and codecs; `stored`: of what is stored."""
        function = lib.zarrc_array_stored_digest if stored else lib.zarrc_array_content_digest
        return string(function, self.handle, algorithm.encode())

    def chunk_key(self, index):
        """The key under which a chunk (a shard, if the array has them) is stored or would be."""
        return string(lib.zarrc_array_chunk_key, self.handle, self.ndim, uint64s(self._index(index)))

    def _index(self, index):
        index = tuple(index) if np.ndim(index) else (index,)
        if len(index) != self.ndim:
            raise IndexError(f"{len(index)} indices of a chunk: the array has {self.ndim} dimensions")
        return index

    def visit_chunks(self, visit):
        """Calls `visit(index, key, size)` for each chunk that is stored, until it returns False."""

        def called(user, index, key, size):
            return visit(tuple(index[: self.ndim]), key.decode(), size)

        with reporting(ChunkVisitor, called) as visitor:
            call(lib.zarrc_array_visit_chunks, self.handle, self.ndim, None, None, visitor, None)

    def set_missing_value(self, value):
        """Names CF's missing value in the attribute _FillValue, as the array's format spells it."""
        value, data, size = _types.element(value, self.dtype)
        call(lib.zarrc_array_set_missing_value, self.handle, data, size)

    @property
    def attributes(self):
        from ._store import Attributes

        return Attributes(self, lib.zarrc_array_attributes(self.handle))

    attrs = attributes

    @property
    def oindex(self):
        """Orthogonal indexing: each dimension's integer, slice, list or mask by itself."""
        return _selection.Indexer(self, _selection.orthogonal)

    @property
    def vindex(self):
        """Points: a list of indices for each dimension, together, or a mask of all elements."""
        return _selection.Indexer(self, _selection.pointwise)

    @property
    def blocks(self):
        """Whole chunks (shards, if the array has them), by their own indices."""
        return _selection.Indexer(self, _selection.chunks)

    # ---- indexing

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("a stored array cannot be had without a copy")
        values = self[...]
        values = np.asarray(values)
        return values if dtype is None else values.astype(dtype, copy=False)

    def __dlpack__(self, *, copy=None, **settings):
        """All elements in the exchange format of array libraries: `torch.from_dlpack(array)`, `np.from_dlpack(array)`."""
        if copy is False:
            raise BufferError("a stored array cannot be had without a copy")
        return np.asarray(self[...]).__dlpack__(**settings)

    def __dlpack_device__(self):
        return 1, 0  # the processor's memory

    def __iter__(self):
        return (self[index] for index in range(len(self)))

    def __getitem__(self, key):
        return self.read(key)

    def __setitem__(self, key, values):
        self.write(key, values)

    def read(self, key=..., out=None, dtype=None):
        """`array[key]`; into `out`, an array of the same shape and any strides, or as numbers of another type, each
        value checked."""
        if self.dtype.hasobject or not _indexing.is_plain(key):
            return self.read_selected(_selection.numpy(self, key), out, dtype)
        axes = self._axes(key)
        shape = tuple(axis.count for axis in axes if not axis.drop)
        out = _into(out, shape, dtype or self.dtype)
        number = self._memory_type(out.dtype)
        start, step, count, offset, strides = _boxed(axes, out.strides)
        call(
            lib.zarrc_array_read_strided, self.handle, start, step, count, number, out.ctypes.data + offset, strides
        )  # fmt: skip
        return out if out.ndim else out[()]

    def write(self, key, values):
        """`array[key] = values`; values are broadcast, numbers converted and checked."""
        values = _types.exchanged(values)
        if self.dtype.hasobject or not np.ndim(values) or not _indexing.is_plain(key):
            return self.write_selected(_selection.numpy(self, key), values)
        axes = self._axes(key)
        shape = tuple(axis.count for axis in axes if not axis.drop)
        values, number = self._values(values, shape)
        start, step, count, offset, strides = _boxed(axes, values.strides)
        call(
            lib.zarrc_array_write_strided, self.handle, start, step, count, number, values.ctypes.data + offset, strides
        )  # fmt: skip

    def read_selected(self, selection, out=None, dtype=None):
        if self.dtype.hasobject:
            items = self._read_variable(selection)
            if out is not None:
                out[...] = items
                return out
            return items if items.ndim else items[()]
        memory, result = self._memory(selection, out, dtype)
        call(lib.zarrc_array_read_selection, self.handle, selection.handle, *self._described(memory, selection))
        return result()

    def write_selected(self, selection, values):
        values = _types.exchanged(values)
        if self.dtype.hasobject:
            self._write_variable(selection, values)
        elif not np.ndim(values) and not selection.dtype.subdtype:
            value, number = self._values(values, (), selection.dtype)
            value = np.ascontiguousarray(value)
            call(lib.zarrc_array_fill, self.handle, selection.handle, number, value.ctypes.data, value.nbytes)
        else:
            memory, *described = self._source(selection, values)
            call(lib.zarrc_array_write_selection, self.handle, selection.handle, *described)
            del memory

    def read_start(self, key=..., out=None, dtype=None):
        """Starts to read `array[key]`: a zarrc.Request, whose wait() (or await) gives the elements."""
        axes = self._box(key)
        if axes:
            memory = _into(out, tuple(axis.count for axis in axes if not axis.drop), dtype or self.dtype)
            if memory.flags.c_contiguous:
                handle = new(lib.zarrc_array_read_start, self.handle, *self._placed(axes, memory))
                is_array = out is not None or memory.ndim
                return Request(handle, (self, memory), lambda: memory if is_array else memory[()])
        selection = self._fixed(key)
        memory, result = self._memory(selection, out, dtype)
        described = self._described(memory, selection)
        handle = new(lib.zarrc_array_read_selection_start, self.handle, selection.handle, *described)
        return Request(handle, (self, memory), result)

    def write_start(self, key, values):
        """Starts to write `array[key] = values`: a zarrc.Request. `values` must stay as they are until it is done."""
        values = _types.exchanged(values)
        selection = self._fixed(key)
        memory, *described = self._source(selection, values)
        handle = new(lib.zarrc_array_write_selection_start, self.handle, selection.handle, *described)
        return Request(handle, (self, memory), None)

    def _box(self, key):
        """The ranges of a key that is a box without steps; else None."""
        if self.dtype.hasobject or not _indexing.is_plain(key):
            return None
        axes = self._axes(key)
        return axes if all(axis.step == 1 for axis in axes) else None

    def _placed(self, axes, memory):
        """A box and its C-contiguous memory as the functions for boxes take them."""
        start, count = (uint64s([getattr(axis, name) for axis in axes]) for name in ("start", "count"))
        return start, count, self._memory_type(memory.dtype), memory.ctypes.data, memory.nbytes

    def _fixed(self, key):
        if self.dtype.hasobject:
            raise TypeError("elements of variable length are read and written without requests")
        return _selection.numpy(self, key)

    def _memory(self, selection, out, dtype):
        """Memory for what a selection gives, and what makes the result of it."""
        dtype = np.dtype(dtype or (selection.dtype if out is None else out.dtype))
        if out is not None:
            _into(out, selection.shape, dtype)
            if selection.plain():
                return out, lambda: out
        memory = np.empty(selection.own, np.dtype([("field", dtype)]) if dtype.subdtype else dtype)

        def result():
            values = selection.shaped(memory)
            values = values["field"] if dtype.subdtype else values
            if out is not None:
                out[...] = values
                return out
            return values if values.ndim else values[()]

        return memory, result

    def _source(self, selection, values):
        """Memory that holds what is written to a selection, and its description."""
        if selection.dtype.subdtype:
            memory = np.empty(selection.shape, [("field", selection.dtype)])
            memory["field"] = values
            number = DataType.NATIVE
        else:
            memory, number = self._values(values, selection.shape, selection.dtype)
        memory = selection.unshaped(memory)
        return memory, number, memory.ctypes.data, int64s(memory.strides), _selection.extent(memory)

    def _described(self, memory, selection):
        """Memory as the functions for selections take it."""
        fields = memory.dtype.names and selection.dtype.subdtype
        number = DataType.NATIVE if fields else self._memory_type(memory.dtype, selection.dtype)
        return number, memory.ctypes.data, int64s(memory.strides), _selection.extent(memory)

    def _axes(self, key):
        key = _indexing.expand(key, self.ndim)
        return [_indexing.axis(entry, extent, n) for n, (entry, extent) in enumerate(zip(key, self.shape))]

    def _memory_type(self, dtype, own=None):
        own = own or self.dtype
        if dtype == own and dtype.isnative:
            return DataType.NATIVE
        if dtype.isnative and dtype in _types.MEMORY_TYPES:
            return _types.MEMORY_TYPES[dtype]
        raise TypeError(f"memory of type {dtype}: the elements are {own}")

    def _values(self, values, shape, own=None):
        own = own or self.dtype
        if not isinstance(values, np.ndarray):
            values = np.asarray(values)
            if values.dtype.kind not in "biufc":
                values = values.astype(own)
        stored = self.data_type if own is self.dtype else _types.MEMORY_TYPES.get(own)
        values, number = _types.memory(values, own, stored)
        while values.ndim > len(shape) and values.shape[0] == 1:
            values = values[0]
        return np.broadcast_to(values, shape), number

    # ---- elements of variable length

    def _read_variable(self, selection):
        items = np.empty(math.prod(selection.own), object)
        values = new(lib.zarrc_array_read_selection_vlen, self.handle, selection.handle)
        try:
            found = lib.zarrc_vlen_count(values)
            offsets = (c_uint64 * (found + 1)).from_address(lib.zarrc_vlen_offsets(values))
            data = ctypes.string_at(lib.zarrc_vlen_bytes(values), offsets[found]) if found else b""
            convert = self._from_bytes()
            ends = offsets[:]
            items[:] = [convert(data[a:b]) for a, b in zip(ends, ends[1:])]
        finally:
            lib.zarrc_vlen_free(values)
        return selection.shaped(items.reshape(selection.own))

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

    def _write_variable(self, selection, values):
        plain = self.data_type in (DataType.STRING, DataType.BYTES)
        if plain and isinstance(values, (str, bytes)):
            value = self._to_bytes()(values)
            call(lib.zarrc_array_fill, self.handle, selection.handle, DataType.NATIVE, value, len(value))
            return
        if not isinstance(values, np.ndarray):
            made = np.empty(np.shape(values) if plain else selection.shape, object)
            made[...] = values
            values = made
        values = selection.unshaped(np.broadcast_to(values, selection.shape))
        items, offsets = self._encoded(values, selection.own)
        call(lib.zarrc_array_write_selection_vlen, self.handle, selection.handle, offsets, items)

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
        values = np.asarray(_types.exchanged(values))
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

    def append_with(self, extent, write, axis=0):
        """Appends a block of `extent` elements along one dimension, which `write(grown, document, first)` writes, in any
        number of calls, threads or processes: through `grown`, the array as it will be, which is closed afterwards, or
        through what store.open_array_with() opens with `document`. `first` is where the block begins. The array grows once
        `write` has returned. It may be called again with another place if others append meanwhile."""

        def called(user, handle, document, first):
            document = json.loads(document)
            grown = Array(c_void_p(handle), self.store, self.path, document)
            try:
                return write(grown, document, first)
            finally:
                grown._handle = None  # the library's

        with reporting(AppendWrite, called, (Status.OK, Status.CANCELLED)) as callback:
            call(lib.zarrc_array_append_with, self.handle, axis % max(self.ndim, 1), extent, callback, None)

    def coordinates(self, key=...):
        """The indices of the elements that `array[key]` has: an array of its shape, with one dimension more, in which
        each has its indices."""
        selection = _selection.numpy(self, key)
        found = selection.coordinates(self.ndim).astype(np.int64)
        parts = [selection.shaped(along.reshape(selection.own)) for along in found.T]
        return np.stack(parts, axis=-1) if parts else np.zeros((*selection.shape, 0), np.int64)

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


def _into(out, shape, dtype):
    """Memory of a shape: that which is given, if it fits."""
    if out is None:
        return np.empty(shape, dtype)
    if out.shape != shape:
        raise ValueError(f"out has the shape {out.shape}, the selection {shape}")
    if not out.flags.writeable:
        raise ValueError("out is read-only")
    return out


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
