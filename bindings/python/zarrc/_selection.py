"""Selections of the library, made from what stands between the brackets."""

from ctypes import POINTER, c_uint64

import numpy as np

from . import _indexing
from ._library import call, lib, new, uint64s, utf8


class Selection:
    """A selection of C. `own` is the shape of its result, `shape` that which NumPy gives it: a list and integers apart
    move in front, an index of several dimensions keeps them."""

    def __init__(self, array, field=None):
        self._handle = None
        self._handle = new(lib.zarrc_selection_new, array.handle)
        self.dtype = array.dtype
        if field is not None:
            call(lib.zarrc_selection_set_field, self._handle, utf8(field))
            self.dtype = array.dtype[field]
        self.front = None  # the list's dimension, where NumPy has it, and its shape there

    def __del__(self):
        if self._handle is not None and lib is not None:
            lib.zarrc_selection_free(self._handle)

    @property
    def handle(self):
        return self._handle

    def done(self, shape=None):
        """Asks for the shape, once everything is set."""
        rank = lib.zarrc_selection_rank(self._handle)
        own = uint64s([0] * rank)
        call(lib.zarrc_selection_shape, self._handle, rank, own)
        self.own = tuple(own[:rank])
        self.shape = self._moved() if shape is None else shape
        return self

    def _moved(self):
        shape = list(self.own)
        if self.front is not None:
            source, target, index_shape = self.front
            shape.insert(target, shape.pop(source))
            shape[target : target + 1] = index_shape
        return tuple(shape)

    def plain(self):
        """Whether NumPy's result lies as the library's does."""
        return self.shape == self.own and (self.front is None or self.front[0] == self.front[1])

    def shaped(self, values):
        """The library's result as NumPy has it."""
        if self.front is not None:
            values = np.moveaxis(values, self.front[0], self.front[1])
        return values.reshape(self.shape)

    def unshaped(self, values):
        """Values of NumPy's shape as the library takes them."""
        if self.front is None:
            return values.reshape(self.own)
        source, target, _ = self.front
        moved = list(self.own)
        moved.insert(target, moved.pop(source))
        return np.moveaxis(values.reshape(moved), target, source)

    # ---- each dimension by itself

    def axes(self, axes):
        for dimension, axis in enumerate(axes):
            if axis.indices is not None:
                indices = np.ascontiguousarray(axis.indices)
                self._set(lib.zarrc_selection_set_indices, dimension, indices.size, _pointer(indices))
            elif axis.mask is not None:
                mask = np.ascontiguousarray(axis.mask).view(np.uint8)
                self._set(lib.zarrc_selection_set_mask, dimension, mask.size, mask.ctypes.data)
            elif axis.drop:
                self._set(lib.zarrc_selection_set_index, dimension, axis.start)
            else:
                self._set(lib.zarrc_selection_set_range, dimension, axis.start, axis.step, axis.count)
        return self

    # ---- elements one by one, and chunks

    def coordinates(self, rank):
        """The indices of all selected elements, in C order of the library's result: one row for each."""
        found = np.empty((int(np.prod(self.own, dtype=np.int64)), rank), np.uint64)
        call(lib.zarrc_selection_coordinates, self._handle, rank, 0, len(found), _pointer(found))
        return found

    def points(self, coordinates):
        coordinates = np.ascontiguousarray(coordinates, np.uint64)
        return self._set(lib.zarrc_selection_set_points, len(coordinates), _pointer(coordinates))

    def mask(self, mask):
        mask = np.ascontiguousarray(mask).view(np.uint8)
        return self._set(lib.zarrc_selection_set_element_mask, mask.ctypes.data, mask.size)

    def blocks(self, start, count):
        return self._set(lib.zarrc_selection_set_blocks, uint64s(start), uint64s(count))

    def _set(self, function, *arguments):
        call(function, self._handle, *arguments)
        return self


def _pointer(values):
    return values.ctypes.data_as(POINTER(c_uint64))


def _parts(array, key):
    """A selection of the field that the key names, if it names one, and the rest of the key."""
    key = key if isinstance(key, tuple) else (key,)
    fields = [entry for entry in key if isinstance(entry, str)]
    if len(fields) > 1:
        raise IndexError("several fields: read one at a time, or whole elements")
    if fields and (array.dtype.names is None or fields[0] not in array.dtype.names):
        raise IndexError(f"{fields[0]!r} is no field of {array.dtype}")
    key = tuple(_entry(entry) for entry in key if not isinstance(entry, str))
    return Selection(array, fields[0] if fields else None), key


def _entry(entry):
    if isinstance(entry, (list, tuple, range)) or (hasattr(entry, "__array__") and not np.isscalar(entry)):
        values = np.asarray(entry)
        if values.ndim:
            return values.astype(np.int64) if values.size == 0 and values.dtype.kind == "f" else values
        return values.item()
    return entry


def numpy(array, key):
    """What NumPy's indexing selects."""
    selection, key = _parts(array, key)
    entries = _indexing.expand(key, array.ndim)
    lists = [entry for entry in entries if isinstance(entry, np.ndarray)]
    if len(lists) == 1 and lists[0].dtype == bool and lists[0].shape == array.shape and array.ndim > 1:
        return selection.mask(lists[0]).done()
    if len(lists) > 1 or any(entry.dtype == bool and entry.ndim > 1 for entry in lists):
        return _pointwise(array, selection, key)
    flat = [entry.ravel() if isinstance(entry, np.ndarray) else entry for entry in entries]
    axes = [_indexing.axis(entry, extent, n) for n, (entry, extent) in enumerate(zip(flat, array.shape))]
    selection.axes(axes)
    if lists:
        at = next(n for n, entry in enumerate(entries) if isinstance(entry, np.ndarray))
        # Where NumPy puts the list: in an array of extent 1 it is told by its length.
        few = [np.zeros(3, int) if n == at else 0 if axis.drop else slice(None) for n, axis in enumerate(axes)]
        probe = np.zeros((1,) * array.ndim)[_like(key, few)]
        source = sum(not axis.drop for axis in axes[:at])
        count = lists[0].shape if lists[0].dtype != bool else (int(np.count_nonzero(lists[0])),)
        selection.front = source, probe.shape.index(3), count
    return selection.done()


def _like(key, entries):
    """The entries with the Ellipsis where the key has it: NumPy looks at that too."""
    if not any(entry is Ellipsis for entry in key):
        return tuple(entries)
    at = next(n for n, entry in enumerate(key) if entry is Ellipsis)
    behind = len(key) - at - 1
    return (*entries[:at], ..., *entries[len(entries) - behind :])


def _pointwise(array, selection, key):
    """Several lists go together, point by point. NumPy itself tells which points: it indexes the coordinates."""
    coordinates = []
    for n, extent in enumerate(array.shape):
        along = np.arange(extent, dtype=np.uint64).reshape([-1 if d == n else 1 for d in range(array.ndim)])
        coordinates.append(np.broadcast_to(along, array.shape)[key])
    return selection.points(np.stack([c.ravel() for c in coordinates], axis=-1)).done(coordinates[0].shape)


def orthogonal(array, key):
    """Each dimension's integer, slice, list or mask by itself."""
    selection, key = _parts(array, key)
    entries = _indexing.expand(key, array.ndim)
    if any(isinstance(entry, np.ndarray) and entry.ndim != 1 for entry in entries):
        raise IndexError("oindex takes lists and masks of one dimension")
    axes = [_indexing.axis(entry, extent, n) for n, (entry, extent) in enumerate(zip(entries, array.shape))]
    return selection.axes(axes).done()


def pointwise(array, key):
    """Points: a list of indices for each dimension, broadcast together, or a mask of the whole array."""
    selection, key = _parts(array, key)
    if len(key) == 1 and isinstance(key[0], np.ndarray) and key[0].dtype == bool and key[0].shape == array.shape:
        return selection.mask(key[0]).done()
    if len(key) != array.ndim or any(isinstance(entry, slice) or entry is Ellipsis for entry in key):
        raise IndexError(f"vindex takes one list of indices for each of {array.ndim} dimensions, or a mask of all elements")
    return _pointwise(array, selection, tuple(np.asarray(entry) for entry in key))


def chunks(array, key):
    """Whole chunks (shards, if the array has them), by integers and slices of their indices."""
    selection, key = _parts(array, key)
    entries = _indexing.expand(key, array.ndim)
    start, count = [], []
    for n, (entry, extent) in enumerate(zip(entries, array.chunk_counts)):
        axis = _indexing.axis(entry, extent, n)
        if axis.indices is not None or axis.mask is not None or axis.step != 1:
            raise IndexError("blocks takes integers, and slices without a step")
        start.append(axis.start)
        count.append(axis.count)
    return selection.blocks(start, count).done()


class Indexer:
    """`array.oindex[...]` and the like: reads and writes what `select` makes of a key."""

    def __init__(self, array, select):
        self.array, self.select = array, select

    def __getitem__(self, key):
        return self.array.read_selected(self.select(self.array, key))

    def __setitem__(self, key, values):
        self.array.write_selected(self.select(self.array, key), values)


def extent(memory):
    """Bytes between the lowest and the highest byte of memory."""
    if not memory.size:
        return 0
    return sum(abs(s) * (n - 1) for s, n in zip(memory.strides, memory.shape)) + memory.itemsize
