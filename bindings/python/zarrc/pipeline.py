"""A codec pipeline for zarr-python 3, which reads and writes chunks by zarrc.

    zarr.config.set({"codec_pipeline.path": "zarrc.CodecPipeline"})

Arrays in directories and in memory go through zarrc: what zarr-python asks for at once is one call where it is a box
of the array, decoded in parallel into the memory that zarr-python gives. All else (other stores, elements of variable
length, codecs that zarrc does not have or that a program has put in the place of zarr-python's) is left to zarr-python's
own pipeline, from which this one derives; with the setting codec_pipeline.strict it is an error instead.
"""

import asyncio
import json
import os
import threading
from collections.abc import Mapping
from itertools import product, repeat
from numbers import Integral
from typing import NamedTuple

import numpy as np
import zarr
from zarr.core.codec_pipeline import BatchedCodecPipeline
from zarr.core.common import ZARR_JSON, ZARRAY_JSON
from zarr.core.metadata import ArrayV2Metadata
from zarr.registry import register_pipeline
from zarr.storage import LocalStore, MemoryStore, StorePath

from . import _types
from ._api import DataType
from ._array import Array
from ._library import Error, call, int64s, lib, new, uint64s, utf8
from ._store import open as open_store


class CodecPipeline(BatchedCodecPipeline):
    """zarr-python's pipeline, with zarrc underneath where it can be."""

    _target = None

    @classmethod
    def from_array_metadata_and_store(cls, array_metadata, store):
        if isinstance(array_metadata, ArrayV2Metadata):
            from zarr.codecs._v2 import V2Codec

            codecs = [V2Codec(filters=array_metadata.filters, compressor=array_metadata.compressor)]
        else:
            codecs = array_metadata.codecs
        pipeline = cls.from_codecs(codecs)
        object.__setattr__(pipeline, "_target", _target(array_metadata, store))
        return pipeline

    def evolve_from_array_spec(self, array_spec):
        pipeline = super().evolve_from_array_spec(array_spec)
        object.__setattr__(pipeline, "_target", self._target)
        return pipeline

    async def read(self, batch_info, out, drop_axes=()):
        batch = list(batch_info)
        memory = out.as_ndarray_like()
        plan = self._target and self._target.plan(batch, memory)
        if not plan:
            return await super().read(batch, out, drop_axes)
        return await asyncio.to_thread(_read, *plan, memory, drop_axes)

    async def write(self, batch_info, value, drop_axes=()):
        batch = list(batch_info)
        memory = value.as_ndarray_like()
        # a store that is read-only refuses in zarr-python's words
        plan = self._target and not self._target.store.read_only and self._target.plan(batch, memory)
        if not plan:
            return await super().write(batch, value, drop_axes)
        return await asyncio.to_thread(_write, *plan, memory, drop_axes)


CodecPipeline.__module__ = "zarrc"  # zarr-python knows pipelines by their full names
register_pipeline(CodecPipeline)


def _target(metadata, store):
    try:
        if type(store) not in (LocalStore, MemoryStore):
            raise NotImplementedError(f"zarrc: {type(store).__name__} is left to zarr-python")
        return _Target(metadata, store)
    except (NotImplementedError, Error) as error:
        if zarr.config.get("codec_pipeline.strict", False):
            raise RuntimeError(str(error)) from error  # zarr-python ignores a NotImplementedError
        return None


def _codecs(chain, *more):
    """All codecs of a chain, those of shards included."""
    for codec in (*chain, *more):
        if codec is not None:
            yield codec
            yield from _codecs(getattr(codec, "codecs", ()), *getattr(codec, "index_codecs", ()))


class _Memory(Mapping):
    """A MemoryStore as a mapping to bytes."""

    def __init__(self, store):
        self.values = store._store_dict

    def __getitem__(self, key):
        return self.values[key].to_bytes()

    def __iter__(self):
        return iter(list(self.values))

    def __len__(self):
        return len(self.values)


class _WritableMemory(_Memory):
    def __setitem__(self, key, value):
        from zarr.core.buffer import cpu

        self.values[key] = cpu.Buffer.from_bytes(value)

    def __delitem__(self, key):
        self.values.pop(key, None)


class _Target:
    """The array of a store that one metadata document describes, wherever in the store its chunks turn out to lie."""

    def __init__(self, metadata, store):
        self.metadata, self.store = metadata, store
        v2 = isinstance(metadata, ArrayV2Metadata)
        if not v2 and metadata.chunk_grid.to_dict().get("name") != "regular":
            raise NotImplementedError("zarrc: chunks of different shapes are left to zarr-python")
        for codec in _codecs(metadata.filters or (), metadata.compressor) if v2 else _codecs(metadata.codecs):
            if type(codec).__module__.split(".")[0] not in ("zarr", "numcodecs"):
                raise NotImplementedError(f"zarrc: {type(codec).__qualname__} is a codec of the program's own")
        from zarr.core.buffer import default_buffer_prototype

        documents = metadata.to_buffer_dict(default_buffer_prototype())
        self.document = json.loads(documents[ZARRAY_JSON if v2 else ZARR_JSON].to_bytes())
        self.format = metadata.zarr_format
        self.chunk_shape = metadata.chunks if v2 else metadata.chunk_grid.chunk_shape
        self.seen = "", "", ""
        self._forget()
        self.open("", False)  # refuses what zarrc cannot read, before it is needed

    def _forget(self):
        self.arrays, self.lock, self.process = {}, threading.Lock(), os.getpid()

    def __getstate__(self):
        return {name: value for name, value in self.__dict__.items() if name not in ("arrays", "lock", "process")}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._forget()

    def open(self, path, write_empty):
        array = self.arrays.get((path, write_empty))
        if array is None:
            settings = {"write_empty_chunks": write_empty, "consolidated": "no"}
            if isinstance(self.store, LocalStore):
                url = f"file:{self.store.root}"
                store = open_store(url, "r" if self.store.read_only else "a", **settings)
            else:
                kind = _Memory if self.store.read_only else _WritableMemory
                store = open_store(kind(self.store), **settings)
            with store:
                text = json.dumps(self.document).encode()
                handle = new(lib.zarrc_array_open_json, store.handle, utf8(path), self.format, text)
                array = Array(handle, None, path, self.document)
            if array.dtype.hasobject or array.dtype != _native(self.metadata):
                raise NotImplementedError(f"zarrc: {array.dtype} in memory is left to zarr-python")
            self.arrays[path, write_empty] = array
        return array

    def plan(self, batch, memory):
        """The array of a batch, able to hold its chunks, and what to move: pairs of a chunk and its box, the whole batch
        (with no chunk) where that is one box. None where zarr-python is to work on it."""
        if not isinstance(memory, np.ndarray) or not batch:
            return None
        whole = self.box(batch)
        if whole:
            path, ends = whole.path, whole.ends()
            pieces = [(None, whole)]
        else:
            pieces, paths = [], set()
            for where, *rest in batch:
                found = self.coordinates(where)
                if found is None:
                    return None
                paths.add(found[0])
                pieces.append((_Chunk(found[1], *rest), self.box([(where, *rest)])))
            if len(paths) != 1:
                raise ValueError("a batch of chunks of several arrays")
            reached = [box.ends() if box else self.ends_of(chunk.index) for chunk, box in pieces]
            path, ends = paths.pop(), map(max, zip(*reached))
        with self.lock:
            if self.process != os.getpid():
                self._forget()
            shape = self.document["shape"]
            needed = list(map(max, shape, ends))
            if needed != list(shape):  # the array has grown since
                self.document["shape"] = [-(-n // c) * c for n, c in zip(needed, self.chunk_shape)]
                self.arrays = {}
            return self.open(path, bool(batch[0][1].config.write_empty_chunks)), pieces

    def ends_of(self, index):
        """Where a chunk ends: what is selected of it may lie beyond the edge that the array had."""
        return [(at + 1) * extent for at, extent in zip(index, self.chunk_shape)]

    def box(self, batch):
        """The box that a batch makes up. It does if its chunks are those of a grid, in C order, and if along each
        dimension the ranges that they select follow each other in the array and in memory. None: it is no box."""
        found = self.coordinates(batch[0][0])
        chosen, placed = batch[0][2:4]
        rank, size = len(self.chunk_shape), len(batch)
        if found is None or type(chosen) is not tuple or type(placed) is not tuple or len(chosen) != rank:
            return None
        path, begin = found
        kept = [d for d in range(rank) if type(chosen[d]) is slice]
        if len(placed) != len(kept):
            return None
        if size == 1:
            at = iter(placed)
            places = [next(at) if type(entry) is slice else None for entry in chosen]
            axes = list(map(_range, self.chunk_shape, begin, chosen, places))
            return None if None in axes else _Box(path, axes)
        indices, selections, places, stride = [None] * rank, [None] * rank, [None] * rank, 1
        for d in reversed(range(rank)):
            line = [begin[d]]
            while stride * len(line) < size:
                found = self.coordinates(batch[stride * len(line)][0])
                if found is None or found[1][:d] != begin[:d]:
                    break
                line.append(found[1][d])
            entries = batch[: stride * len(line) : stride]
            indices[d], selections[d] = line, [entry[2][d] for entry in entries]
            places[d] = [entry[3][kept.index(d)] if d in kept else None for entry in entries]
            stride *= len(line)
        if stride != size or not self._is_grid(batch, indices, selections, [places[d] for d in kept]):
            return None
        axes = list(map(_axis, self.chunk_shape, indices, selections, places))
        return None if None in axes else _Box(path, axes)

    def _is_grid(self, batch, indices, selections, places):
        """Whether a batch has the keys and selections of the grid, one for each combination."""
        _, prefix, separator = self.seen
        numbers = [[f"{index}{separator}" for index in line] for line in indices[:-1]] + [list(map(str, indices[-1]))]
        keys = [prefix]
        for line in numbers:
            keys = [key + number for key in keys for number in line]
        try:
            for (where, _, chosen, placed, _), key, selected, at in zip(batch, keys, product(*selections), product(*places)):
                if where.path != key or where.store is not self.store or chosen != selected or placed != at:
                    return False
        except ValueError:  # arrays of indices, which have no truth value
            return False
        return True

    def coordinates(self, where):
        """The array's path and the chunk's index, of a chunk's place in the store; None if they cannot be told."""
        if not isinstance(where, StorePath) or where.store is not self.store:
            return None
        key, rank = where.path, len(self.chunk_shape)
        path, prefix, separator = self.seen
        if prefix and key.startswith(prefix):  # a chunk of the same array as the last one's
            numbers = key[len(prefix) :].split(separator)
            if len(numbers) == rank and all(map(str.isdecimal, numbers)):
                return path, tuple(map(int, numbers))
        name = self.metadata.encode_chunk_key((0,) * rank)
        parts = key.split("/")
        own = parts[len(parts) - name.count("/") - 1 :]
        numbers = "/".join(own).replace(".", "/").split("/")
        try:
            index = tuple(int(number) for number in numbers[len(numbers) - rank :]) if rank else ()
        except ValueError:
            return None
        if self.metadata.encode_chunk_key(index) != "/".join(own):
            return None
        path = "/".join(parts[: len(parts) - len(own)])
        if rank:
            separator = "/" if key.endswith("/".join(map(str, index))) else "."
            self.seen = path, key[: len(key) - len(separator.join(map(str, index)))], separator
        return path, index


def _native(metadata):
    return metadata.dtype.to_native_dtype().newbyteorder("=")


class _Chunk(NamedTuple):
    """One chunk of a batch that is no box, as zarr-python gives it."""

    index: tuple
    spec: object
    chunk_selection: object
    out_selection: object
    complete: bool


class _Box(NamedTuple):
    """A box of an array: each axis has the first index, step and count, and the place in memory, which is None for a
    dimension that memory lacks."""

    path: str
    axes: list

    def ends(self):
        """The extents of the smallest array that has the box."""
        return [first + step * (count - 1) + 1 if count else 0 for first, step, count, _ in self.axes]


def _range(extent, index, selected, place):
    """What one chunk selects along a dimension, as an axis of a box; None if that is no range of the array or memory."""
    if type(selected) is slice:
        if type(place) is not slice or place.step not in (None, 1) or place.start is None:
            return None
        start, stop, step = selected.indices(extent)
        return None if step < 1 else (index * extent + start, step, len(range(start, stop, step)), place.start)
    return (index * extent + int(selected), 1, 1, None) if isinstance(selected, Integral) else None


def _axis(extent, indices, selections, places):
    """What chunks of one dimension select together; None if they do not follow each other."""
    ranges = list(map(_range, repeat(extent), indices, selections, places))
    if None in ranges or len(ranges) > 1 and places[0] is None:
        return None
    first, step, count, at = ranges[0]
    for start, by, more, to in ranges[1:]:
        if by != step or start != first + step * count or to != at + count:
            return None
        count += more
    return first, step, count, at


def _transfer(function, array, axes, memory):
    """Moves a box between the array and its part of memory; one element in memory stands for all."""
    number = array._memory_type(memory.dtype)
    starts, steps, counts, places = zip(*axes) if axes else ((), (), (), ())
    if memory.ndim:
        part = memory[tuple([slice(at, at + count) for at, count in zip(places, counts) if at is not None])]
        own = iter(part.strides)
        strides = [0 if at is None else next(own) for at in places]
    else:
        part, strides = memory, [0] * len(axes)
    call(
        function, array.handle, uint64s(starts), uint64s(steps), uint64s(counts), number, part.ctypes.data, int64s(strides)
    )  # fmt: skip


def _read(array, pieces, memory, drop_axes):
    into = memory if memory.dtype.isnative else np.empty_like(memory, memory.dtype.newbyteorder("="))
    if into is not memory:
        into[...] = memory
    for chunk, box in pieces:
        if box:
            _transfer(lib.zarrc_array_read_strided, array, box.axes, into)
            continue
        values = _whole(array, chunk)[chunk.chunk_selection]
        into[chunk.out_selection] = values.squeeze(axis=drop_axes) if drop_axes else values
    if into is not memory:
        memory[...] = into
    return ()


def _within(array, chunk):
    """The axes of a chunk's part of the array."""
    extents = zip(chunk.index, chunk.spec.shape, array.shape)
    return [(at * extent, 1, min(extent, shape - at * extent), 0) for at, extent, shape in extents]


def _whole(array, chunk):
    """A chunk with its part beyond the array's edge, which holds the fill value."""
    values = np.full(chunk.spec.shape, array.fill_value, array.dtype)
    _transfer(lib.zarrc_array_read_strided, array, _within(array, chunk), values)
    return values


def _write(array, pieces, memory, drop_axes):
    memory, _ = _types.memory(memory, array.dtype, array.data_type)
    for chunk, box in pieces:
        if box:
            _transfer(lib.zarrc_array_write_strided, array, box.axes, memory)
            continue
        values = memory
        if memory.ndim:
            values = memory[chunk.out_selection]
            if drop_axes:
                values = values[tuple(None if d in drop_axes else slice(None) for d in range(array.ndim))]
        whole = _whole(array, chunk)
        whole[chunk.chunk_selection] = values
        _transfer(lib.zarrc_array_write_strided, array, _within(array, chunk), whole)
