"""A codec pipeline for zarr-python 3, which reads and writes chunks by zarrc.

    zarr.config.set({"codec_pipeline.path": "zarrc.CodecPipeline"})

Arrays in directories and in memory go through zarrc: what zarr-python asks for at once is one call where it is a box
of the array, decoded in parallel into the memory that zarr-python gives. All else (other stores, elements of variable
length, codecs that zarrc does not have) is left to zarr-python's own pipeline, from which this one derives; with the
setting codec_pipeline.strict it is an error instead.
"""

import asyncio
import json
import math
import os
import threading
from collections.abc import Mapping

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
        array = self._target and self._target.array_for(batch, memory)
        if array is None:
            return await super().read(batch, out, drop_axes)
        return await asyncio.to_thread(_read, array, batch, memory, drop_axes)

    async def write(self, batch_info, value, drop_axes=()):
        batch = list(batch_info)
        memory = value.as_ndarray_like()
        array = self._target and self._target.array_for(batch, memory)
        if array is None:
            return await super().write(batch, value, drop_axes)
        return await asyncio.to_thread(_write, array, batch, memory, drop_axes)


CodecPipeline.__module__ = "zarrc"  # zarr-python knows pipelines by their full names
register_pipeline(CodecPipeline)


def _target(metadata, store):
    try:
        if type(store) not in (LocalStore, MemoryStore):
            raise NotImplementedError(f"zarrc: {type(store).__name__} is left to zarr-python")
        return _Target(metadata, store)
    except (NotImplementedError, Error):
        if zarr.config.get("codec_pipeline.strict", False):
            raise
        return None


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

    def array_for(self, batch, memory):
        """The array of a batch, able to hold its chunks; None where zarr-python is to work on it."""
        if not isinstance(memory, np.ndarray) or not batch:
            return None
        paths = set()
        for number, (where, _, _, *rest) in enumerate(batch):
            if not isinstance(where, StorePath) or where.store is not self.store:
                return None
            found = self.coordinates(where.path)
            if found is None:
                return None
            path, index = found
            paths.add(path)
            batch[number] = _Chunk(index, *batch[number][1:], self.chunk_shape)
        if len(paths) != 1:
            raise ValueError("a batch of chunks of several arrays")
        with self.lock:
            if self.process != os.getpid():
                self._forget()
            shape = self.document["shape"]
            last = map(max, zip(*(chunk.index for chunk in batch)))
            needed = [max(s, at * c + 1) for s, at, c in zip(shape, last, self.chunk_shape)]
            if needed != list(shape):  # the array has grown since
                self.document["shape"] = [-(-n // c) * c for n, c in zip(needed, self.chunk_shape)]
                self.arrays = {}
            return self.open(paths.pop(), bool(batch[0].spec.config.write_empty_chunks))

    def coordinates(self, key):
        """The array's path and the chunk's index, of a key."""
        rank = len(self.chunk_shape)
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


class _Chunk:
    """One chunk of a batch: what is picked of it, as ranges of the array, and where that lies in memory.

    `plain` is None unless ranges are all that is picked: then it has them, the places in memory (None for a dimension
    that memory lacks) and, by dimension, what is equal for all chunks of one box.
    """

    __slots__ = ("chunk_selection", "elements", "index", "out_selection", "plain", "spec")

    def __init__(self, index, spec, chunk_selection, out_selection, complete, chunk_shape):
        self.index, self.spec = index, spec
        self.chunk_selection, self.out_selection = chunk_selection, out_selection
        self.plain = None
        selections = chunk_selection if isinstance(chunk_selection, tuple) else (chunk_selection,)
        places = iter(out_selection if isinstance(out_selection, tuple) else (out_selection,))
        ranges, memory, alike, elements = [], [], [], 1
        for entry, extent, at in zip(selections, chunk_shape, index):
            if isinstance(entry, slice):
                start, stop, step = entry.indices(extent)
                place = next(places, None)
                if step < 1 or not isinstance(place, slice) or place.step not in (None, 1) or place.start is None:
                    return
                first, count, to = at * extent + start, len(range(start, stop, step)), place.start
                alike.append((first - step * to, step, True))
            elif isinstance(entry, (int, np.integer)):
                first, step, count, to = at * extent + int(entry), 1, 1, None
                alike.append((first, 1, False))
            else:
                return
            ranges.append((first, step, count))
            memory.append(to)
            elements *= count
        if len(ranges) == len(chunk_shape) and next(places, None) is None:
            self.plain, self.elements = (ranges, memory, alike), elements


def _box(batch):
    """The box of the array that a whole batch makes up, and where it begins in memory; None if it is none."""
    if any(chunk.plain is None for chunk in batch):
        return None
    ranges, memory, alike = batch[0].plain
    if len(batch) == 1:
        return ranges, memory
    if any(chunk.plain[2] != alike for chunk in batch):
        return None
    box, places = [], []
    for d, (offset, step, kept) in enumerate(alike):
        if not kept:
            box.append(ranges[d])
            places.append(None)
            continue
        begin = min([chunk.plain[1][d] for chunk in batch])
        end = max([chunk.plain[1][d] + chunk.plain[0][d][2] for chunk in batch])
        box.append((offset + step * begin, step, end - begin))
        places.append(begin)
    if sum([chunk.elements for chunk in batch]) != math.prod([count for _, _, count in box]):
        return None
    return box, places


def _pieces(batch):
    """Boxes that are one call each: the whole batch, or its chunks one by one."""
    whole = _box(batch)
    return [(None, whole)] if whole else [(chunk, chunk.plain and chunk.plain[:2]) for chunk in batch]


def _transfer(function, array, ranges, memory, places):
    """Moves a box between the array and a part of memory that is given by its place in each dimension."""
    number = array._memory_type(memory.dtype)
    key = tuple(slice(p, p + count) for p, (_, _, count) in zip(places, ranges) if p is not None)
    part = memory[key] if memory.ndim else memory
    strides, own = [], iter(part.strides)
    for place in places:
        strides.append(0 if place is None else next(own))
    starts, steps, counts = zip(*ranges) if ranges else ((), (), ())
    call(
        function, array.handle, uint64s(starts), uint64s(steps), uint64s(counts), number, part.ctypes.data, int64s(strides)
    )  # fmt: skip


def _read(array, batch, memory, drop_axes):
    into = memory if memory.dtype.isnative else np.empty_like(memory, memory.dtype.newbyteorder("="))
    if into is not memory:
        into[...] = memory
    for chunk, box in _pieces(batch):
        if box is not None:
            _transfer(lib.zarrc_array_read_strided, array, box[0], into, box[1])
            continue
        values = _whole(array, chunk)[chunk.chunk_selection]
        into[chunk.out_selection] = values.squeeze(axis=drop_axes) if drop_axes else values
    if into is not memory:
        memory[...] = into
    return ()


def _whole(array, chunk):
    """A chunk with its part beyond the array's edge, which holds the fill value."""
    extents = chunk.spec.shape
    starts = [at * extent for at, extent in zip(chunk.index, extents)]
    counts = [min(extent, shape - start) for extent, shape, start in zip(extents, array.shape, starts)]
    values = np.full(extents, array.fill_value, array.dtype)
    _transfer(lib.zarrc_array_read_strided, array, list(zip(starts, [1] * len(starts), counts)), values, [0] * len(starts))
    return values


def _write(array, batch, memory, drop_axes):
    memory, _ = _types.memory(memory, array.dtype, array.data_type)
    if memory.ndim == 0 and array.ndim:
        for chunk in batch:
            _write_one(array, chunk, memory, drop_axes)
        return
    for chunk, box in _pieces(batch):
        if box is not None:
            _transfer(lib.zarrc_array_write_strided, array, box[0], memory, box[1])
        else:
            _write_one(array, chunk, memory, drop_axes)


def _write_one(array, chunk, memory, drop_axes):
    """Changes a chunk in memory, where what is picked is no box, or one value is written to all of it."""
    if memory.ndim == 0 and chunk.plain:
        ranges, places, _ = chunk.plain
        part = np.broadcast_to(memory, [count for _, _, count in ranges])
        _transfer(lib.zarrc_array_write_strided, array, ranges, part, [0] * len(ranges))
        return
    values = memory
    if memory.ndim:
        values = memory[chunk.out_selection]
        if drop_axes:
            values = values[tuple(None if d in drop_axes else slice(None) for d in range(array.ndim))]
    whole = _whole(array, chunk)
    whole[chunk.chunk_selection] = values
    starts = [at * extent for at, extent in zip(chunk.index, whole.shape)]
    counts = [min(extent, shape - start) for extent, shape, start in zip(whole.shape, array.shape, starts)]
    ranges = list(zip(starts, [1] * len(starts), counts))
    _transfer(lib.zarrc_array_write_strided, array, ranges, whole, [0] * len(starts))
