"""Stores and codecs that are written in Python.

The C functions below are made once and never freed, so that none is freed while it runs; what they work on
is found by the number that the library is given as `user`.
"""

import contextlib
import ctypes
import itertools
import json
import threading
from ctypes import byref, sizeof

from . import _api
from ._api import CodecKind, Status
from ._library import call, lib, new, options, utf8

_alive = {}
_numbers = itertools.count(1)
_lock = threading.Lock()


def _keep(thing):
    with _lock:
        number = next(_numbers)
        _alive[number] = thing
    return number


def _forget(number):
    with _lock:
        _alive.pop(number, None)


def _callback(struct, member, missing=Status.IO):
    """Makes a C callback of a Python function: exceptions become statuses and their text."""

    def of(function):
        def called(user, *arguments):
            error = arguments[-1]
            try:
                return function(_alive[user], *arguments[:-1]) or Status.OK
            except BaseException as problem:  # nothing may leave a callback
                if error:
                    text = f"{type(problem).__name__}: {problem}".encode()[:1000]
                    error.contents.message = text.decode("utf-8", "ignore").encode()
                status = missing if isinstance(problem, KeyError) else Status.IO
                return getattr(problem, "status", status)

        return dict(struct._fields_)[member](called)

    return of


@contextlib.contextmanager
def reporting(type_, function, answers=(True, False)):
    """A C callback for one call, of a function that ends the call by returning False, or by an exception, which is raised
    once the call is over. None: no callback. `answers`: what C is told to go on, and to end."""
    if function is None:
        yield type_()
        return
    raised = []

    def called(*arguments):
        if type_ is _api.AppendWrite:
            arguments = arguments[:-1]  # without the error
        try:
            return answers[function(*arguments) is False]
        except BaseException as problem:  # nothing may leave a callback
            raised.append(problem)
            return answers[1]

    try:
        yield type_(called)
    except Exception:
        if not raised:
            raise
    if raised:
        raise raised[0]


def progress_of(function):
    """A C callback that tells `function(done, what)` how far a long call is."""
    told = None if function is None else lambda user, done, what: function(done, what.decode())
    return reporting(_api.Progress, told)


# ---- stores


def _of_store(member):
    return _callback(_api.StoreCallbacks, member, Status.NOT_FOUND)


@_of_store("get")
def _get(mapping, key, give, to):
    value = bytes(mapping[key.decode()])
    return Status.OK if give(to, value, len(value)) else Status.OUT_OF_MEMORY


@_of_store("set")
def _set(mapping, key, value, size):
    mapping[key.decode()] = ctypes.string_at(value, size)


@_of_store("erase")
def _erase(mapping, key):
    del mapping[key.decode()]


@_of_store("list")
def _list(mapping, prefix, give, to):
    prefix = prefix.decode()
    for key in list(mapping):
        if key.startswith(prefix) and not give(to, key.encode()):
            break


_store_destroy = dict(_api.StoreCallbacks._fields_)["destroy"](_forget)


def store_of(mapping, settings, name=None):
    """A store of a mapping from keys to bytes; it is written to if the mapping can be."""
    from ._store import Store

    label = utf8(name or f"a {type(mapping).__name__} of Python")
    table = _api.StoreCallbacks(size=sizeof(_api.StoreCallbacks), name=label, get=_get, list=_list)
    table.destroy = _store_destroy
    if hasattr(mapping, "__setitem__"):
        table.set, table.erase = _set, _erase
    table.user = number = _keep(mapping)
    chosen = options(settings)
    try:
        return Store(new(lib.zarrc_store_from_callbacks, byref(table), chosen), label.decode())
    except BaseException:
        _forget(number)
        raise
    finally:
        lib.zarrc_options_free(chosen)


# ---- codecs


class _Codec:
    """A registered codec, and what it made for the arrays that are open."""

    def __init__(self, codec):
        self.codec, self.opened = codec, {}

    def at(self, number):
        return self.opened[number] if number else self.codec


def _of_codec(member):
    return _callback(_api.CodecCallbacks, member)


@_of_codec("open")
def _open(codec, configuration, chunk, out):
    if callable(codec.codec):
        made = codec.codec(**json.loads(configuration))
        number = next(_numbers)
        codec.opened[number] = made
        ctypes.cast(out, ctypes.POINTER(ctypes.c_void_p))[0] = number


@dict(_api.CodecCallbacks._fields_)["close"]
def _close(user, number):
    if number and user in _alive:
        _alive[user].opened.pop(number, None)


def _transform(verb, number, codec, source, size, into, capacity, done):
    made = bytes(getattr(codec.at(number), verb)(ctypes.string_at(source, size)))
    if len(made) > capacity:
        return Status.LIMIT_EXCEEDED
    ctypes.memmove(into, made, len(made))
    done[0] = len(made)


@_of_codec("decode")
def _decode(codec, number, *arguments):
    return _transform("decode", number, codec, *arguments)


@_of_codec("encode")
def _encode(codec, number, *arguments):
    return _transform("encode", number, codec, *arguments)


_codec_destroy = dict(_api.CodecCallbacks._fields_)["destroy"](_forget)


def register_codec(name, codec, aliases=(), kind=CodecKind.BYTES):
    """Makes a codec known to the process: an object with `encode(data)` and `decode(data)`, bytes to bytes.

    `codec` may instead be a function or class that is called with the members of each array's configuration and
    gives such an object.
    """
    table = _api.CodecCallbacks(size=sizeof(_api.CodecCallbacks), open=_open, close=_close)
    table.decode, table.encode, table.destroy = _decode, _encode, _codec_destroy
    table.user = number = _keep(_Codec(codec))
    names = (ctypes.c_char_p * max(len(aliases), 1))(*[utf8(alias) for alias in aliases])
    try:
        call(lib.zarrc_codec_register, utf8(name), names, len(aliases), kind, byref(table))
    except BaseException:
        _forget(number)
        raise


def unregister_codec(name):
    """Takes a registered codec away; arrays that are open keep it."""
    call(lib.zarrc_codec_unregister, utf8(name))
