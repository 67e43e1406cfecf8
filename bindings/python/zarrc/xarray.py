"""An xarray engine: `xarray.open_dataset(url, engine="zarrc")` opens every format and store that zarrc reads."""

import numpy as np
from xarray import Variable
from xarray.backends import AbstractDataStore, BackendArray, BackendEntrypoint
from xarray.backends.store import StoreBackendEntrypoint
from xarray.core import indexing

from ._api import Format, NodeKind
from ._store import open as open_store


class ZarrcBackend(BackendEntrypoint):
    """The engine "zarrc"."""

    description = "Open Zarr v1, v2, v3 and N5 from any store, by the C library zarrc"
    supports_groups = True

    def open_dataset(
        self, filename_or_obj, *, mask_and_scale=True, decode_times=True, concat_characters=True, decode_coords=True,
        drop_variables=None, use_cftime=None, decode_timedelta=None, group=None, options=None,
    ):  # fmt: skip
        """`group` is the path of one group; `options` are zarrc's, by name ({"threads": 4})."""
        root = open_store(filename_or_obj, "r", **(options or {}))
        store = _DataStore(root.open_group(group or ""))
        return StoreBackendEntrypoint().open_dataset(
            store, mask_and_scale=mask_and_scale, decode_times=decode_times, concat_characters=concat_characters,
            decode_coords=decode_coords, drop_variables=drop_variables, use_cftime=use_cftime,
            decode_timedelta=decode_timedelta,
        )  # fmt: skip

    def open_groups_as_dict(self, filename_or_obj, *, group=None, options=None, **kwargs):
        with open_store(filename_or_obj, "r", **(options or {})) as root:
            top = root.open_group(group or "")
            below = [path for path, kind in top.list(recursive=True) if kind == NodeKind.GROUP]
        prefix = (group or "").strip("/")
        return {
            "/" + path if path else "/": self.open_dataset(
                filename_or_obj, group=f"{prefix}/{path}".strip("/"), options=options, **kwargs
            )
            for path in ["", *below]
        }

    def open_datatree(self, filename_or_obj, **kwargs):
        from xarray import DataTree

        return DataTree.from_dict(self.open_groups_as_dict(filename_or_obj, **kwargs))

    def guess_can_open(self, filename_or_obj):
        return str(filename_or_obj).rstrip("/").endswith((".zarr", ".n5"))


class _DataStore(AbstractDataStore):
    def __init__(self, group):
        self.group = group

    def get_variables(self):
        nodes = self.group.list()
        return {path: _variable(self.group.open_array(path)) for path, kind in nodes if kind == NodeKind.ARRAY}

    def get_attrs(self):
        return self.group.attributes.asdict()

    def get_dimensions(self):
        sizes = {}
        for variable in self.get_variables().values():
            sizes.update(variable.sizes)
        return sizes

    def get_encoding(self):
        return {}


def _variable(array):
    attributes = array.attributes.asdict()
    dimensions = attributes.pop("_ARRAY_DIMENSIONS", None)
    document = array.metadata
    if dimensions is None:
        dimensions = document.get("dimension_names")
    if dimensions is None or len(dimensions) != array.ndim:
        dimensions = [None] * array.ndim
    dimensions = [f"dim_{n}" if name is None else name for n, name in enumerate(dimensions)]
    if array.format not in (Format.V3,) and document.get("fill_value") is not None and "_FillValue" not in attributes:
        # In Zarr v2 the fill value is also CF's: that is how xarray writes it.
        if array.dtype.kind in "biufc":
            attributes["_FillValue"] = array.fill_value
    elif isinstance(attributes.get("_FillValue"), str) and array.dtype.kind in "biufc":
        attributes["_FillValue"] = _decoded(attributes["_FillValue"], array.dtype)
    encoding = {"chunks": array.chunks, "preferred_chunks": dict(zip(dimensions, array.shards or array.chunks))}
    return Variable(dimensions, indexing.LazilyIndexedArray(_LazyArray(array)), attributes, encoding)


def _decoded(text, dtype):
    """A fill value that xarray has written to Zarr v3: Base64 of its bytes as a double, or NaN in words."""
    import base64
    import struct

    if text in ("NaN", "Infinity", "-Infinity"):
        return dtype.type(text.replace("Infinity", "inf"))
    try:
        return dtype.type(struct.unpack("<d", base64.b64decode(text, validate=True))[0])
    except (ValueError, struct.error):
        return text


class _LazyArray(BackendArray):
    """An array that is read when it is indexed. Threads may share it; it is opened anew in other processes."""

    def __init__(self, array):
        self.array, self.shape, self.dtype = array, array.shape, array.dtype
        if self.dtype.hasobject:
            self.dtype = np.dtype(object)

    def __getitem__(self, key):
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.OUTER, self._read)

    def _read(self, key):
        """Integers, slices and lists, each of which goes by itself."""
        return self.array.oindex[key]
