"""Requests: reads and writes that go on while Python does something else."""

import asyncio
from ctypes import byref, c_bool, c_int32, c_size_t, c_void_p

from ._library import call, lib


class Request:
    """A read or write that was started: `wait()`, `await request`, or `done()` from time to time.

    It holds the memory. One that is forgotten is waited for.
    """

    def __init__(self, handle, memory, result):
        self._handle, self._memory, self._result = handle, memory, result

    @property
    def handle(self):
        return self._handle

    def done(self):
        """Whether it is done, without waiting."""
        done = c_bool()
        call(lib.zarrc_request_test, self._handle, byref(done))
        return done.value

    def wait(self):
        """Waits; returns what was read, None of a write, or raises what the call that waits would have raised."""
        call(lib.zarrc_request_wait, self._handle)
        return self._result() if self._result else None

    def cancel(self):
        """Ends it at the next chunk; wait() then raises zarrc.CancelledError."""
        lib.zarrc_request_cancel(self._handle)

    def fileno(self):
        """A descriptor that becomes readable once it is done, for select() and event loops: not to be read or closed."""
        fd = c_int32()
        call(lib.zarrc_request_fd, self._handle, byref(fd))
        return fd.value

    def __await__(self):
        if not self.done():
            yield from self._until_done().__await__()
        return self.wait()

    async def _until_done(self):
        loop = asyncio.get_running_loop()
        ready, fd = loop.create_future(), self.fileno()
        loop.add_reader(fd, lambda: ready.done() or ready.set_result(None))
        try:
            await ready
        except asyncio.CancelledError:
            self.cancel()
            raise
        finally:
            loop.remove_reader(fd)

    def __del__(self):
        if self._handle is not None and lib is not None:
            lib.zarrc_request_free(self._handle)


def wait_any(requests):
    """Waits until one of several requests is done, and returns the first that is."""
    requests = list(requests)
    handles = (c_void_p * max(len(requests), 1))(*[request.handle for request in requests])
    index = c_size_t()
    call(lib.zarrc_request_wait_any, handles, len(requests), byref(index))
    return requests[index.value]


__all__ = ["Request", "wait_any"]
