"""Stores, groups and attributes."""

import contextlib
import ctypes
import json
import math
import os
from collections.abc import MutableMapping
from ctypes import byref, c_char_p, c_int32, c_size_t, c_void_p

import numpy as np

from . import _types
from ._api import ConvertOptions, Format, Hdf5Options, Mode, NodeKind, NodeVisitor, Progress
from ._array import Array
from ._callbacks import progress_of, reporting
from ._library import Handle, call, json_of, lib, new, options, string, uint64s, utf8

MODES = {"r": Mode.READ, "r+": Mode.READ_WRITE, "a": Mode.APPEND, "w-": Mode.CREATE, "x": Mode.CREATE, "w": Mode.OVERWRITE}
FORMATS = {
    None: Format.ANY, 1: Format.V1, 2: Format.V2, 3: Format.V3, "v1": Format.V1, "v2": Format.V2, "v3": Format.V3,
    "n5": Format.N5,
}  # fmt: skip


def mode_of(mode):
    """A zarrc.Mode from h5py's letters or itself."""
    if isinstance(mode, str) and mode not in MODES:
        raise ValueError(f"mode {mode!r}: expected one of {', '.join(MODES)}")
    return MODES.get(mode, mode)


def format_of(name):
    """A zarrc.Format from 2, 3, "v3", "n5" or itself."""
    if isinstance(name, Format):
        return name
    try:
        return FORMATS[name.lower() if isinstance(name, str) else name]
    except KeyError:
        raise ValueError(f"format {name!r}: expected 1, 2, 3, 'n5' or a zarrc.Format") from None


class Attributes(MutableMapping):
    """The attributes of an open node, written through at once."""

    def __init__(self, node, handle):
        self._node, self._handle = node, c_void_p(handle)

    @property
    def handle(self):
        self._node.handle  # raises once the node is closed: the attributes went with it
        return self._handle

    def asdict(self):
        return json_of(lib.zarrc_attributes_json, self.handle)

    def replace(self, attributes):
        """Replaces all attributes at once."""
        call(lib.zarrc_attributes_replace_json, self.handle, _json(attributes))

    def update(self, *attributes, **more):
        """Sets several at once, by one write of the document."""
        others = new(lib.zarrc_attributes_new)
        try:
            for key, value in dict(*attributes, **more).items():
                call(lib.zarrc_attributes_set_json, others, utf8(key), _json(value))
            call(lib.zarrc_attributes_update, self.handle, others)
        finally:
            lib.zarrc_attributes_free(others)

    def __getitem__(self, key):
        return json_of(lib.zarrc_attributes_get_json, self.handle, utf8(key))

    def __setitem__(self, key, value):
        call(lib.zarrc_attributes_set_json, self.handle, utf8(key), _json(value))

    def __delitem__(self, key):
        call(lib.zarrc_attributes_delete, self.handle, utf8(key))

    def __iter__(self):
        return iter(self.asdict())

    def __len__(self):
        return len(self.asdict())

    def __repr__(self):
        return f"<zarrc.Attributes {self.asdict()!r}>"


def _json(value):
    return json.dumps(_plain(value), allow_nan=False).encode()


def _plain(value):
    """What JSON can say: NumPy's values as Python's; NaN and infinities as the texts that the library reads as numbers."""
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, (str, int, float, type(None))):
        return value
    raise TypeError(f"{type(value).__name__} has no form in JSON")


class _Nodes:
    """What a store and a group have in common: nodes by path."""

    def _at(self, path):
        raise NotImplementedError

    def __getitem__(self, path):
        path = self._at(path)
        kind = self._root.kind(path)
        if kind == NodeKind.ARRAY:
            return self._root.open_array(path)
        return self._root.open_group(path)  # raises what names the path where there is nothing

    def __contains__(self, path):
        return self._root.kind(self._at(path)) != NodeKind.NONE

    def __delitem__(self, path):
        call(lib.zarrc_node_delete, self._root.handle, utf8(self._at(path)))

    def open_array(self, path=""):
        path = self._at(path)
        return Array(new(lib.zarrc_array_open, self._root.handle, utf8(path)), self._root, path)

    def open_group(self, path=""):
        path = self._at(path)
        return Group(new(lib.zarrc_group_open, self._root.handle, utf8(path)), self._root, path)

    def create_group(self, path="", *, overwrite=False, format=None, attributes=None):
        """Creates a group; `overwrite`: in place of whatever is there."""
        group = self._group(lib.zarrc_group_overwrite if overwrite else lib.zarrc_group_create, path, format)
        if attributes:
            group.attributes.replace(attributes)
        return group

    def require_group(self, path="", *, format=None):
        """Opens a group, or creates it where there is nothing."""
        return self._group(lib.zarrc_group_require, path, format)

    def _group(self, function, path, format):
        path = self._at(path)
        return Group(new(function, self._root.handle, utf8(path), format_of(format)), self._root, path)

    def create_array(self, path="", *, overwrite=False, data=None, **settings):
        """Creates an array; shape and dtype are enough, or `data`, which is written to it, or `like`, another array.

        overwrite: in place of whatever is there. Settings:
        chunks, shards: shapes; in place of a number, a list of the extents of the chunks along that dimension.
        codecs: names, or pairs of a name and its configuration, in the order in which they encode; "none" for
        no compression. fill_value: a value of the type, or JSON as the format's documents have it.
        missing_value: CF's, of which the fill value then is the same.
        Also order, separator, dimension_names, attributes, format.
        """
        if data is not None:
            data = np.asarray(data)
            settings.setdefault("shape", data.shape)
            settings.setdefault("dtype", data.dtype)
        array = self._create(lib.zarrc_array_overwrite if overwrite else lib.zarrc_array_create, path, settings)
        if data is not None:
            array[...] = data
        return array

    def require_array(self, path="", **settings):
        """Opens an array that has this shape and type, or creates it where there is none."""
        return self._create(lib.zarrc_array_require, path, settings)

    def open_or_create_array(self, path="", **settings):
        """Opens an array, whatever it is, or creates it where there is none."""
        return self._create(lib.zarrc_array_open_or_create, path, settings)

    def _create(self, function, path, settings):
        path = self._at(path)
        with described(**settings) as spec:
            return Array(new(function, self._root.handle, utf8(path), spec), self._root, path)

    def create_array_from(self, path, document, format=None):
        """Creates an array from its metadata document, as it would stand in the store."""
        path = self._at(path)
        format = format_of(document.get("zarr_format") if format is None else format)
        handle = new(lib.zarrc_array_create_json, self._root.handle, utf8(path), format, _json(document))
        return Array(handle, self._root, path)

    def open_array_with(self, path, document, format=None):
        """Opens an array that a metadata document given here describes; that in the store is not read."""
        path = self._at(path)
        format = format_of(document.get("zarr_format") if format is None else format)
        handle = new(lib.zarrc_array_open_json, self._root.handle, utf8(path), format, _json(document))
        return Array(handle, self._root, path, document)


@contextlib.contextmanager
def described(
    *, shape=None, dtype=None, like=None, chunks=None, shards=None, fill_value=None, missing_value=None, codecs=None,
    order=None, separator=None, dimension_names=None, attributes=None, format=None,
):  # fmt: skip
    """The description of an array that is to be, by the settings of create_array()."""
    if like is not None:
        shape, dtype, given = like.shape if shape is None else shape, dtype or like.dtype, shape
    elif shape is None or dtype is None:
        raise TypeError("an array needs shape and dtype, or data, or like")
    shape = (shape,) if np.ndim(shape) == 0 else tuple(shape)
    if like is None:
        number, text = _types.spec_of(dtype)
        spec = new(lib.zarrc_array_spec_new, number, len(shape), uint64s(shape))
    else:
        number, text = like.data_type, None
        spec = new(lib.zarrc_array_spec_new_like, like.handle)
    try:
        if like is not None and given is not None:
            call(lib.zarrc_array_spec_set_shape, spec, len(shape), uint64s(shape))
        if text:
            call(lib.zarrc_array_spec_set_data_type, spec, text.encode())
        if format is not None:
            call(lib.zarrc_array_spec_set_format, spec, format_of(format))
        if chunks is not None:
            _set_chunks(spec, shape, chunks, shards)
        if shards is not None:
            call(lib.zarrc_array_spec_set_shard_shape, spec, len(shards), uint64s(shards))
        if fill_value is not None:
            _set_fill_value(spec, fill_value, dtype, number)
        if missing_value is not None:
            held, data, size = _types.element(missing_value, np.dtype(object if number in _types.VARIABLE else dtype))
            call(lib.zarrc_array_spec_set_missing_value, spec, data, size)
        for codec in codecs or ():
            name, configuration = (codec, None) if isinstance(codec, str) else codec
            configured = None if configuration is None else _json(configuration)
            call(lib.zarrc_array_spec_add_codec, spec, utf8(name), configured)
        if order is not None:
            call(lib.zarrc_array_spec_set_order, spec, order.encode())
        if separator is not None:
            call(lib.zarrc_array_spec_set_separator, spec, separator.encode())
        if dimension_names is not None:
            names = (c_char_p * max(len(dimension_names), 1))(*[n and utf8(n) for n in dimension_names])
            call(lib.zarrc_array_spec_set_dimension_names, spec, len(dimension_names), names)
        if attributes:
            call(lib.zarrc_array_spec_set_attributes_json, spec, _json(attributes))
        yield spec
    finally:
        lib.zarrc_array_spec_free(spec)


def _set_chunks(spec, shape, chunks, shards):
    chunks = tuple(chunks) if np.iterable(chunks) else (chunks,) * len(shape)
    listed = {n: edges for n, edges in enumerate(chunks) if np.iterable(edges)}
    regular = [max(1, extent) if n in listed else edge for n, (edge, extent) in enumerate(zip(chunks, shape))]
    if len(listed) < len(chunks) or len(chunks) != len(shape):
        call(lib.zarrc_array_spec_set_chunk_shape, spec, len(regular), uint64s(regular))
    for dimension, edges in listed.items():
        call(lib.zarrc_array_spec_set_chunk_edges, spec, dimension, len(edges), uint64s(edges))


def _set_fill_value(spec, value, dtype, number):
    if number in _types.VARIABLE or isinstance(value, (dict, list)):
        text = value.decode("ascii") if isinstance(value, bytes) else value
        call(lib.zarrc_array_spec_set_fill_value_json, spec, _json(text))
    else:
        try:
            element = np.asarray(value).astype(np.dtype(dtype).newbyteorder("="))
        except TypeError:
            call(lib.zarrc_array_spec_set_fill_value_json, spec, _json(value))
            return
        call(lib.zarrc_array_spec_set_fill_value, spec, element.ctypes.data, element.nbytes)


class Store(Handle, _Nodes):
    """An open store: its root group's nodes by path, and its keys. What was opened from it outlives it."""

    _end = "zarrc_store_close"

    def __init__(self, handle, url=""):
        super().__init__(handle)
        self.url = url

    def __repr__(self):
        return f"<zarrc.Store {self.url}>"

    @property
    def _root(self):
        return self

    def _at(self, path):
        return str(path)

    def kind(self, path=""):
        """What is at a path: zarrc.NodeKind.NONE, GROUP or ARRAY."""
        kind = c_int32()
        call(lib.zarrc_node_kind_at, self.handle, utf8(path), byref(kind))
        return NodeKind(kind.value)

    # ---- keys, as they lie in the store

    def get(self, key, offset=None, length=None):
        """The value of a key as bytes; `length` of them from `offset` on."""
        value, size = c_void_p(), c_size_t()
        if offset is None and length is None:
            call(lib.zarrc_store_get, self.handle, utf8(key), byref(value), byref(size))
        else:
            length = 2**64 - 1 if length is None else length
            call(lib.zarrc_store_get_range, self.handle, utf8(key), offset or 0, length, byref(value), byref(size))
        try:
            return ctypes.string_at(value, size.value)
        finally:
            lib.zarrc_value_free(value, size)

    def set(self, key, value):
        view = np.frombuffer(value, np.uint8)
        call(lib.zarrc_store_set, self.handle, utf8(key), view.ctypes.data, view.nbytes)

    def erase(self, key):
        call(lib.zarrc_store_erase, self.handle, utf8(key))

    def erase_prefix(self, prefix):
        call(lib.zarrc_store_erase_prefix, self.handle, utf8(prefix))

    def forget(self, prefix=""):
        """Forgets what adapters keep of these keys, and the consolidated metadata."""
        call(lib.zarrc_store_forget, self.handle, utf8(prefix))

    # ---- transactions

    def begin(self):
        """A transaction: changes of arrays and attributes that others see all at once. See `Transaction`."""
        return Transaction(new(lib.zarrc_store_begin, self.handle), self.url)

    def snapshot(self):
        """The snapshot that an Icechunk repository shows; open it as `URL@SNAPSHOT`."""
        return string(lib.zarrc_store_snapshot, self.handle)

    # ---- conversion

    def convert(self, path="", to=None, to_path=None, *, format, accept_losses=False, keep_old=False, progress=None):
        """Writes a node and all below it in another format, in place or to another store. `progress` is called with the
        fraction done and a text; returning False ends the conversion."""
        how = _convert_options(accept_losses, keep_old)
        target, to_path = to or self, path if to_path is None else to_path
        with progress_of(progress) as how.progress:
            call(
                lib.zarrc_convert, self.handle, utf8(path), target.handle, utf8(to_path), format_of(format), byref(how)
            )  # fmt: skip

    def convert_plan(self, path="", to=None, to_path=None, *, format, accept_losses=False, keep_old=False):
        """What convert() would do. Nothing is written."""
        how = _convert_options(accept_losses, keep_old)
        target, to_path = to or self, path if to_path is None else to_path
        return json_of(
            lib.zarrc_convert_plan, self.handle, utf8(path), target.handle, utf8(to_path), format_of(format), byref(how)
        )  # fmt: skip

    def hdf5_export(self, path, file, *, accept_losses=False, replace=False, unlimited=(), memory_limit=0, progress=None):
        """Writes a node and all below it as a new HDF5 file. Returns what changed on the way: a list of dicts with
        "path" and "note". `unlimited` names dimensions that may grow."""
        how = Hdf5Options(
            size=ctypes.sizeof(Hdf5Options), accept_losses=accept_losses, replace=replace,
            unlimited=utf8(",".join(unlimited)), memory_limit=memory_limit,
        )  # fmt: skip
        with progress_of(progress) as how.progress:
            return json_of(lib.zarrc_hdf5_export, self.handle, utf8(path), utf8(file), byref(how))

    def references_json(self, path="", url=None):
        """References to all below a node where its values lie in files, as kerchunk's JSON; `url` names the file."""
        url = None if url is None else utf8(url)
        return string(lib.zarrc_references_json, self.handle, utf8(path), url, Progress(), None)


class Transaction(Store):
    """Changes of a store that others see all at once, or never.

        with store.begin() as transaction:
            transaction.open_array("a")[...] = 1
            transaction.open_array("b").attrs["step"] = 1

    A `with` block commits at its end, and rolls back if it raises. commit() raises ConflictError if others changed
    what the transaction read or changed: begin another one and do the work again.
    """

    def commit(self, message=None):
        """Makes the changes visible; Icechunk writes the message into its history."""
        call(lib.zarrc_store_commit, self.handle, None if message is None else utf8(message))
        self._ended = True

    def rollback(self):
        """Drops the changes."""
        call(lib.zarrc_store_rollback, self.handle)
        self._ended = True

    _ended = False

    def __exit__(self, error, *_):
        try:
            if error is None and not self._ended:
                self.commit()
        finally:
            self.close()


def _convert_options(accept_losses, keep_old):
    return ConvertOptions(size=ctypes.sizeof(ConvertOptions), accept_losses=accept_losses, keep_old=keep_old)


class Group(Handle, _Nodes):
    """An open group."""

    _end = "zarrc_group_close"

    def __init__(self, handle, store, path):
        super().__init__(handle)
        self.store, self.path = store, path.strip("/")

    def __repr__(self):
        return f"<zarrc.Group {'/' + self.path}>"

    @property
    def _root(self):
        if self.store is None:
            raise ValueError("a group that was opened by its URL has no store: open what is below by its own URL")
        return self.store

    def _at(self, path):
        path = str(path).strip("/")
        return f"{self.path}/{path}" if self.path and path else path or self.path

    @property
    def attributes(self):
        return Attributes(self, lib.zarrc_group_attributes(self.handle))

    attrs = attributes

    def list(self, recursive=False):
        """Pairs of path, relative to the group, and zarrc.NodeKind."""
        listing = new(lib.zarrc_group_list, self.handle, recursive)
        try:
            return [
                (lib.zarrc_listing_path(listing, i).decode(), NodeKind(lib.zarrc_listing_kind(listing, i)))
                for i in range(lib.zarrc_listing_count(listing))
            ]
        finally:
            lib.zarrc_listing_free(listing)

    def visit(self, visit):
        """Calls `visit(path, kind)` for everything below the group, sorted by path, until it returns False."""

        def called(user, path, kind):
            return visit(path.decode(), NodeKind(kind))

        with reporting(NodeVisitor, called) as visitor:
            call(lib.zarrc_group_visit, self.handle, visitor, None)

    def tree(self):
        """The group and everything below it as text, a line for each node."""
        return string(lib.zarrc_group_tree, self.handle)

    def __iter__(self):
        return iter([path for path, _ in self.list()])

    def __len__(self):
        return len(self.list())


def open(url, mode="r", **settings):
    """Opens a store: a path, a URL of any scheme that zarrc knows, or a mapping of keys to bytes.

    mode: "r" must exist, read-only; "r+" must exist; "a" create if missing; "w-" must not exist; "w" delete
    what is there first. Settings are zarrc's options, by name: zarrc.build_info()["options"] lists them.
    """
    mode = mode_of(mode)
    if hasattr(url, "__getitem__") and not isinstance(url, (str, bytes)):
        from ._callbacks import store_of

        return store_of(url, settings)
    return Store(_by_url(lib.zarrc_store_open, url, mode, settings), str(url))


def open_array(url, path="", mode="r", **settings):
    """Opens one array by its URL, or by that of a store and a path in it."""
    if path or not isinstance(url, (str, os.PathLike)):
        with open(url, mode, **settings) as store:
            return store.open_array(path)
    array = Array(_by_url(lib.zarrc_array_open_url, url, mode, settings))
    array.path = string(lib.zarrc_array_path, array.handle)
    return array


def open_group(url, mode="r", **settings):
    """Opens one group by its URL; modes "a", "w-" and "w" create it."""
    handle = _by_url(lib.zarrc_group_open_url, url, mode, settings)
    return Group(handle, None, "")


def _by_url(function, url, mode, settings):
    chosen = options(settings)
    try:
        return new(function, utf8(url), mode_of(mode), chosen)
    finally:
        lib.zarrc_options_free(chosen)
