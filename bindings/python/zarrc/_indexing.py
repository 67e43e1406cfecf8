"""What stands between the brackets, taken apart."""

import operator

import numpy as np


class Axis:
    """What is picked along one dimension: a range, one index (`drop`), or a list of indices."""

    __slots__ = ("count", "drop", "indices", "start", "step")

    def __init__(self, start=0, step=1, count=0, drop=False, indices=None):
        self.start, self.step, self.count, self.drop, self.indices = start, step, count, drop, indices


def expand(key, ndim):
    """One entry per dimension: Ellipsis and what is left out become full slices."""
    key = key if isinstance(key, tuple) else (key,)
    if any(entry is None for entry in key):
        raise IndexError("newaxis is not supported: index first, then add the axis")
    at = [position for position, entry in enumerate(key) if entry is Ellipsis]
    if len(at) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    # A mask takes as many dimensions as it has.
    used = sum(entry.ndim if _is_mask(entry) else 1 for entry in key if entry is not Ellipsis)
    if used > ndim:
        raise IndexError(f"too many indices: the array has {ndim} dimensions, {used} were indexed")
    if at:
        return key[: at[0]] + (slice(None),) * (ndim - used) + key[at[0] + 1 :]
    return key + (slice(None),) * (ndim - used)


def axis(entry, extent, dimension):
    if isinstance(entry, slice):
        start, stop, step = entry.indices(extent)
        count = len(range(start, stop, step))
        return Axis(start if count else 0, step, count)
    if isinstance(entry, (list, tuple, np.ndarray)) and np.ndim(entry) > 0:
        return Axis(indices=indices(entry, extent, dimension))
    try:
        index = operator.index(entry.item() if isinstance(entry, np.ndarray) else entry)
    except TypeError:
        raise IndexError(f"{entry!r}: expected an integer, a slice, '...', a list of integers or a mask") from None
    return Axis(_within(index, extent, dimension), 1, 1, drop=True)


def indices(entry, extent, dimension):
    """Indices from 0 on as uint64, from integers or a mask of one dimension."""
    values = np.asarray(entry)
    if values.dtype == bool:
        if values.shape != (extent,):
            raise IndexError(f"a mask of shape {values.shape} along dimension {dimension}, whose extent is {extent}")
        return np.flatnonzero(values).astype(np.uint64)
    if values.size == 0:
        values = values.astype(np.int64)
    if values.dtype.kind not in "iu":
        raise IndexError(f"indices of type {values.dtype} along dimension {dimension}: expected integers or a mask")
    wrapped = np.where(values < 0, values + extent, values) if values.dtype.kind == "i" else values
    if values.size and (wrapped.min() < 0 or wrapped.max() >= extent):
        wrong = values[(wrapped < 0) | (wrapped >= extent)].flat[0]
        raise IndexError(f"index {wrong} is out of bounds for dimension {dimension}, whose extent is {extent}")
    return wrapped.astype(np.uint64)


def _within(index, extent, dimension):
    at = index + extent if index < 0 else index
    if not 0 <= at < extent:
        raise IndexError(f"index {index} is out of bounds for dimension {dimension}, whose extent is {extent}")
    return at


def _is_mask(entry):
    return isinstance(entry, np.ndarray) and entry.dtype == bool and entry.ndim > 1


def is_plain(key):
    """Integers, slices and '...' only."""
    key = key if isinstance(key, tuple) else (key,)
    return not any(isinstance(entry, (list, tuple)) or (isinstance(entry, np.ndarray) and entry.ndim) for entry in key)


def read_lists(array, key, orthogonal=False):
    """Reads the box around the lists, and takes them out of it."""
    entries = expand(key, array.ndim)
    axes = [axis(entry, extent, n) for n, (entry, extent) in enumerate(zip(entries, array.shape))]
    if not orthogonal and sum(a.indices is not None for a in axes) > 1:
        raise IndexError("several lists: array.oindex[...] takes each dimension by itself")
    box, takes, at = [], [], 0
    for entry, a in zip(entries, axes):
        if a.indices is None:
            box.append(entry)
            at += not a.drop
            continue
        low = int(a.indices.min()) if a.indices.size else 0
        box.append(slice(low, int(a.indices.max()) + 1 if a.indices.size else low))
        takes.append((at, a.indices.astype(np.int64) - low))
        at += 1
    values = array.read(tuple(box))
    # From the last dimension on, as a list of more dimensions moves what comes behind it.
    for at, wanted in reversed(takes):
        values = np.take(values, wanted, axis=at)
    return values


class Orthogonal:
    def __init__(self, array):
        self.array = array

    def __getitem__(self, key):
        return read_lists(self.array, key, orthogonal=True)
