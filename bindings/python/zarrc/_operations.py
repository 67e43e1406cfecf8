"""Copies, moves, rechunking, checks and repairs of nodes."""

import ctypes
from ctypes import byref, c_char_p

from ._api import Copied, CopyOptions, IfExists
from ._array import Array
from ._callbacks import progress_of
from ._library import call, json_of, lib, new, utf8
from ._store import described

_IF_EXISTS = {"fail": IfExists.FAIL, "skip": IfExists.SKIP, "replace": IfExists.REPLACE}


def copy(
    store, path="", to=None, to_path=None, *, if_exists="fail", exclude=(), dry_run=False, link=False, progress=None
):
    """Copies a node and everything below it, as it is stored. Returns how many keys and bytes were copied, and how many
    keys were there already and stayed (`if_exists="skip"`). `link=True` makes hard links, as a snapshot that takes no
    space: both stores must be directories on one file system."""
    if if_exists not in _IF_EXISTS:
        raise ValueError(f"if_exists={if_exists!r}: expected one of {', '.join(_IF_EXISTS)}")
    exclude = [exclude] if isinstance(exclude, str) else list(exclude)
    paths = (c_char_p * max(len(exclude), 1))(*map(utf8, exclude))
    how = CopyOptions(
        size=ctypes.sizeof(CopyOptions), if_exists=_IF_EXISTS[if_exists], dry_run=dry_run, exclude_count=len(exclude),
        exclude=paths, link=link,
    )  # fmt: skip
    copied = Copied()
    target, to_path = to or store, path if to_path is None else to_path
    with progress_of(progress) as how.progress:
        call(
            lib.zarrc_node_copy_with, store.handle, utf8(path), target.handle, utf8(to_path), byref(how), byref(copied)
        )  # fmt: skip
    return {name: getattr(copied, name) for name, _ in Copied._fields_}


def move(store, path, to_path):
    """Gives a node, and everything below it, another path in the same store."""
    call(lib.zarrc_node_move, store.handle, utf8(path), utf8(to_path))


def delete(store, path="", *, progress=None):
    """Deletes a node and everything below it, node by node, each whole. Returns how many."""
    deleted = ctypes.c_uint64()
    with progress_of(progress) as report:
        call(lib.zarrc_node_delete_with, store.handle, utf8(path), report, None, byref(deleted))
    return deleted.value


def consolidate(store, path=""):
    """Writes consolidated metadata for a group."""
    call(lib.zarrc_consolidate_metadata, store.handle, utf8(path))


def rechunk(array, to, path, *, memory_limit=0, progress=None, **settings):
    """Rewrites an array with other chunks, shards, codecs or another format, within bounded memory, and opens it.
    Settings are those of create_array(). Called again after an interruption, it resumes."""
    settings = {"shape": array.shape, "dtype": array.data_type if array.dtype.hasobject else array.dtype, **settings}
    with described(**settings) as spec, progress_of(progress) as report:
        call(lib.zarrc_rechunk, array.handle, to.handle, utf8(path), spec, memory_limit, report, None)
    return Array(new(lib.zarrc_array_open, to.handle, utf8(path)), to, path)


def verify(store, path="", *, progress=None):
    """Checks everything below a node: "problems" lists what is wrong, "nodes", "chunks" and "bytes" count what was looked
    at."""
    with progress_of(progress) as report:
        found = json_of(lib.zarrc_verify, store.handle, utf8(path), report, None)
    return found


def repair(store, kinds, path="", *, dry_run=False, progress=None):
    """Puts right the problems of these kinds (a list): returns what was "repaired" and what is "left"."""
    kinds = kinds if isinstance(kinds, str) else ",".join(kinds)
    with progress_of(progress) as report:
        found = json_of(lib.zarrc_repair, store.handle, utf8(path), utf8(kinds), dry_run, report, None)
    return found


__all__ = ["consolidate", "copy", "move", "rechunk", "repair", "verify"]
