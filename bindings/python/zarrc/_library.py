"""Loads the C library, calls its functions and raises what they report."""

import ctypes
import json
import os
import sys
from ctypes import byref, c_char_p, c_int64, c_uint64, c_void_p
from pathlib import Path

from . import _api
from ._api import Status

_NAME = {"darwin": "libzarrc.dylib", "win32": "zarrc.dll"}.get(sys.platform, "libzarrc.so")


class Error(Exception):
    """What zarrc reports: `status` (a `zarrc.Status`), `system_code` (errno or an HTTP status, 0 if none)."""

    status = Status.INTERNAL
    system_code = 0

    def __str__(self):
        return self.args[0] if self.args else ""


# Each status is an exception of its own, which is also Python's own exception for that case.
class InvalidArgumentError(Error, ValueError): ...


class OutOfBoundsError(Error, IndexError): ...


class NotFoundError(Error, KeyError): ...


class AlreadyExistsError(Error, FileExistsError): ...


class InvalidMetadataError(Error, ValueError): ...


class CorruptDataError(Error, ValueError): ...


class UnsupportedError(Error, NotImplementedError): ...


class TypeMismatchError(Error, TypeError): ...


class PermissionDeniedError(Error, PermissionError): ...


class IoError(Error, OSError): ...


class ConflictError(Error, RuntimeError): ...


class LimitExceededError(Error, OverflowError): ...


class CancelledError(Error): ...


class OutOfMemoryError(Error, MemoryError): ...


class InternalError(Error, RuntimeError): ...


_ERRORS = {
    status: globals()["".join(word.capitalize() for word in status.name.split("_")) + "Error"]
    for status in Status
    if status and "".join(word.capitalize() for word in status.name.split("_")) + "Error" in globals()
}


def _load():
    chosen = os.environ.get("ZARRC_LIBRARY")
    own = Path(__file__).parent / _NAME
    library = ctypes.CDLL(chosen or (str(own) if own.exists() else _NAME))
    for name, (result, *arguments) in _api.FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(f"{library._name} has no {name}: it is older than this package, {_api.VERSION}") from None
        function.restype, function.argtypes = result, arguments
    return library


lib = _load()


def error_of(status, message, system_code=0):
    error = _ERRORS.get(status, Error)(message)
    error.status = Status(status) if status in Status._value2member_map_ else status
    error.system_code = system_code
    return error


def check(status, error):
    if status:
        raise error_of(status, error.message.decode("utf-8", "replace"), error.system_code)


def call(function, *arguments):
    """Calls what returns a status and takes the error last."""
    error = _api.Error()
    status = function(*arguments, byref(error))
    if status:
        check(status, error)


def new(function, *arguments):
    """The handle, or owned string, that a function gives through its last argument but the error."""
    out = c_void_p()
    call(function, *arguments, byref(out))
    return out


def string(function, *arguments):
    out = new(function, *arguments)
    try:
        return ctypes.cast(out, c_char_p).value.decode()
    finally:
        lib.zarrc_string_free(out)


def json_of(function, *arguments):
    return json.loads(string(function, *arguments))


def utf8(text):
    data = os.fspath(text).encode() if not isinstance(text, str) else text.encode()
    if b"\0" in data:
        raise ValueError("a string with a NUL character in it")
    return data


def uint64s(values):
    return None if values is None else (c_uint64 * max(len(values), 1))(*values)


def int64s(values):
    return None if values is None else (c_int64 * max(len(values), 1))(*values)


def options(values):
    """Options of the library from keyword arguments; to be freed."""
    out = c_void_p(lib.zarrc_options_new())
    if not out:
        raise MemoryError("no memory for options")
    try:
        for name, value in values.items():
            text = ("no", "yes")[value] if isinstance(value, bool) else str(value)
            call(lib.zarrc_options_set, out, utf8(name), utf8(text))
    except BaseException:
        lib.zarrc_options_free(out)
        raise
    return out


class Handle:
    """Ends its handle at the end of a `with` block, with close(), and when it is forgotten."""

    _handle = None
    _end = None  # the name of the C function

    def __init__(self, handle):
        self._handle = handle

    @property
    def handle(self):
        if self._handle is None:
            raise ValueError(f"this {type(self).__name__.lower()} is closed")
        return self._handle

    def close(self):
        handle, self._handle = self._handle, None
        if handle is not None:
            call(getattr(lib, self._end), handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        # Called with the error NULL: what cannot be raised is not asked for.
        handle, self._handle = self._handle, None
        if handle is not None and lib is not None:
            getattr(lib, self._end)(handle, None)


__all__ = [name for name in globals() if name.endswith("Error") or name == "Error"]
