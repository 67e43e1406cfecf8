"""Zarr arrays of every version and store, in NumPy.

    import numpy as np, zarrc
    store = zarrc.open("first.zarr", "w")
    array = store.create_array("field", shape=(4, 6), dtype="f8")
    array[...] = np.arange(24).reshape(4, 6)
    print(array[1:3, 2:5])

`zarrc.CodecPipeline` is a codec pipeline for zarr-python 3, `engine="zarrc"` one for xarray.
"""

from . import _library
from ._api import VERSION as __version__
from ._api import CodecKind, DataType, Format, Mode, NodeKind, Status
from ._array import Array
from ._callbacks import register_codec, unregister_codec
from ._library import *  # noqa: F403  (the errors)
from ._operations import *  # noqa: F403
from ._request import Request, wait_any
from ._store import Attributes, Group, Store, Transaction, open, open_array, open_group
from ._writer import Variable, Writer


def version():
    """The version of the library that is running."""
    return _library.lib.zarrc_version().decode()


def build_info():
    """What this build of the library can do: formats, codecs, stores, options."""
    return _library.json_of(_library.lib.zarrc_build_info)


def __getattr__(name):
    if name == "CodecPipeline":  # needs zarr-python, which not everyone has
        from .pipeline import CodecPipeline

        return CodecPipeline
    raise AttributeError(f"module 'zarrc' has no attribute {name!r}")
