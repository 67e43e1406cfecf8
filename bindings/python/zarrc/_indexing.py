"""What stands between the brackets, taken apart."""

import operator

import numpy as np


class Axis:
    """What is picked along one dimension: a range, one index (`drop`), a list of indices or a mask."""

    __slots__ = ("count", "drop", "indices", "mask", "start", "step")

    def __init__(self, start=0, step=1, count=0, drop=False, indices=None, mask=None):
        self.start, self.step, self.count, self.drop = start, step, count, drop
        self.indices, self.mask = indices, mask


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
        if np.asarray(entry).dtype == bool:
            return Axis(mask=_mask(np.asarray(entry), extent, dimension))
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
        return np.flatnonzero(_mask(values, extent, dimension)).astype(np.uint64)
    if values.size == 0:
        values = values.astype(np.int64)
    if values.dtype.kind not in "iu":
        raise IndexError(f"indices of type {values.dtype} along dimension {dimension}: expected integers or a mask")
    wrapped = np.where(values < 0, values + extent, values) if values.dtype.kind == "i" else values
    if values.size and (wrapped.min() < 0 or wrapped.max() >= extent):
        wrong = values[(wrapped < 0) | (wrapped >= extent)].flat[0]
        raise IndexError(f"index {wrong} is out of bounds for dimension {dimension}, whose extent is {extent}")
    return wrapped.astype(np.uint64)


def _mask(values, extent, dimension):
    if values.shape != (extent,):
        raise IndexError(f"a mask of shape {values.shape} along dimension {dimension}, whose extent is {extent}")
    return values


def _within(index, extent, dimension):
    at = index + extent if index < 0 else index
    if not 0 <= at < extent:
        raise IndexError(f"index {index} is out of bounds for dimension {dimension}, whose extent is {extent}")
    return at


def _is_mask(entry):
    return isinstance(entry, np.ndarray) and entry.dtype == bool and entry.ndim > 1


def is_plain(key):
    """Integers, slices and '...' only."""
    return all(map(_is_plain, key if isinstance(key, tuple) else (key,)))


def _is_plain(entry):
    if isinstance(entry, slice) or entry is Ellipsis or entry is None:
        return True
    return isinstance(entry, (int, np.integer)) or (isinstance(entry, np.ndarray) and not entry.ndim)
