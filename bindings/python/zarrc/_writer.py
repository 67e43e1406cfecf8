"""The streaming writer."""

import ctypes
from ctypes import byref, c_size_t, c_uint64, c_void_p

import numpy as np

from . import _types
from ._api import DataType, WriterOptions
from ._library import call, lib, new, uint64s, utf8
from ._store import described


class Writer:
    """Arrays of a group that grow by steps, which readers see whole or not at all.

        with zarrc.Writer(store) as writer:
            field = writer.declare("field", shape=(0, 90, 180), dtype="f4")
            for step in range(writer.steps, 100):
                field[step] = values
                writer.commit(step + 1)

    flush_seconds: how long a committed step may stay invisible because its chunks are not full; 0: until flush().
    buffer_bytes: limit of the memory of chunks that are not full; 0: two rows of chunks of each array.
    Any number of threads may put blocks; a block is copied, and written without waiting for the store.
    """

    def __init__(self, store, path="", *, flush_seconds=0, buffer_bytes=0):
        options = WriterOptions(
            size=ctypes.sizeof(WriterOptions), flush_seconds=flush_seconds, buffer_bytes=buffer_bytes
        )  # fmt: skip
        self._handle = None
        self._handle = new(lib.zarrc_writer_open, store.handle, utf8(path), byref(options))

    @property
    def handle(self):
        if self._handle is None:
            raise ValueError("the writer is closed")
        return self._handle

    def declare(self, name, **settings):
        """Creates an array, or opens it to go on; the settings are those of create_array(), with 0 as first extent."""
        number = c_size_t()
        with described(**settings) as spec:
            call(lib.zarrc_writer_declare, self.handle, utf8(name), spec, byref(number))
        return Variable(self, number.value, np.dtype(settings["dtype"]), tuple(settings["shape"]))

    def commit(self, steps):
        """All blocks of the first `steps` steps were put; does not wait."""
        call(lib.zarrc_writer_commit, self.handle, steps)

    def flush(self):
        """Makes all committed steps visible, and waits for that."""
        call(lib.zarrc_writer_flush, self.handle)

    @property
    def steps(self):
        """The steps that readers see; at first, the step at which to go on."""
        found = c_uint64()
        call(lib.zarrc_writer_steps, self.handle, byref(found))
        return found.value

    def close(self):
        """Makes all committed steps visible, and ends."""
        handle, self._handle = self._handle, None
        if handle is not None:
            call(lib.zarrc_writer_close, handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_handle", None) is not None:
            lib.zarrc_writer_close(self._handle, None)


class Variable:
    """An array of a writer."""

    def __init__(self, writer, number, dtype, shape):
        self.writer, self.number, self.dtype, self.shape = writer, number, dtype, shape

    def put(self, start, block):
        """Starts to write a block from the index `start` on, whose first number is the step."""
        block = np.asarray(_types.exchanged(block))
        memory = _types.MEMORY_TYPES.get(block.dtype, DataType.NATIVE)
        if memory == DataType.NATIVE:
            block = block.astype(self.dtype.newbyteorder("="), copy=False)
        block = np.ascontiguousarray(block)
        if block.ndim != len(self.shape) or len(start) != len(self.shape):
            raise ValueError(f"put: {block.ndim} dimensions and {len(start)} indices, the array has {len(self.shape)}")
        call(
            lib.zarrc_writer_put, self.writer.handle, self.number, uint64s(start), uint64s(block.shape), memory,
            c_void_p(block.ctypes.data), block.nbytes,
        )  # fmt: skip

    def __setitem__(self, step, values):
        """One whole step."""
        values = np.broadcast_to(np.asarray(_types.exchanged(values)), self.shape[1:])
        self.put((step,) + (0,) * (len(self.shape) - 1), values[np.newaxis])
