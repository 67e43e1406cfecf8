"""What zarrc does with stores of zarr-python and xarray, and what those make of it: consolidated metadata
that follows changes, digests, rechunking, checking."""
import ctypes
import hashlib
import json
import os
import warnings

import numpy as np
import zarr

import zarrc_ffi
from zarrc_ffi import Store, _call, _Spec, _string, lib

_handle, _text, _error = ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(zarrc_ffi.Error)
lib.zarrc_array_resize.argtypes = [_handle, ctypes.c_size_t, ctypes.POINTER(ctypes.c_uint64), _error]
lib.zarrc_node_move.argtypes = [_handle, _text, _text, _error]
lib.zarrc_verify.argtypes = [_handle, _text, _handle, _handle, ctypes.POINTER(_handle), _error]
lib.zarrc_rechunk.argtypes = [_handle, _handle, _text, _handle, ctypes.c_uint64, _handle, _handle, _error]
for _name in ("zarrc_array_content_digest", "zarrc_array_stored_digest"):
    getattr(lib, _name).argtypes = [_handle, _text, ctypes.POINTER(_handle), _error]


def problems(store):
    return json.loads(_string("zarrc_verify", store._handle, b"", None, None))["problems"]


def digest(array, what, algorithm="sha256"):
    return _string(f"zarrc_array_{what}_digest", array._handle, algorithm.encode())


def consolidated_store_grows(folder, format):
    """xarray consolidates, zarrc changes everything, xarray and zarr-python believe what is consolidated."""
    import xarray

    attributes = {"missing_value": float("nan"), "units": "K"}
    data = xarray.Dataset({"t": (("time", "x"), np.arange(12.0).reshape(3, 4), attributes)}, coords={"time": np.arange(3)})
    data.to_zarr(folder, zarr_format=format, consolidated=True)
    with Store(folder, "r+") as store:
        for name, shape in (("t", [5, 4]), ("time", [5])):
            with store.array(name) as array:
                _call("zarrc_array_resize", array._handle, len(shape), zarrc_ffi._uint64s(shape))
        with store.array("t") as array:
            array.write(np.full((2, 4), 7.0), [3, 0])
            array.attributes["new"] = [1, 2]
        with store.array("time") as array:
            array.write(np.array([3, 4]), [3])
        store.create_group("sub/deep", format).close()
        store.create_array("sub/deep/z", (4,), "i4", format=format).close()
        _call("zarrc_node_move", store._handle, b"sub/deep", b"moved")
        found = problems(store)
        if found:
            return f"problems {found}"
    there = xarray.open_zarr(folder, consolidated=True)
    if there.t.shape != (5, 4) or not (there.t.values[3:] == 7).all() or list(there.time.values) != [0, 1, 2, 3, 4]:
        return f"xarray sees {there}"
    if there.t.attrs.get("new") != [1, 2] or there.t.attrs.get("units") != "K":
        return f"xarray sees attributes {there.t.attrs}"
    names = sorted(name for name, _ in zarr.open_consolidated(folder).members(max_depth=None))
    expected = ["moved", "moved/z", "sub", "t", "time"]
    return None if names == expected else f"zarr-python sees {names}"


def digests_agree(folder, _):
    """The digest of the elements is hashlib's over NumPy's bytes, whatever stores them."""
    values = np.random.default_rng(0).normal(size=(30, 41, 7)).astype("f4")
    expected = hashlib.sha256(values.tobytes()).hexdigest()
    layouts = [
        {"format": 2, "chunk_shape": (7, 5, 3)},
        {"format": 3, "chunk_shape": (5, 41, 7), "shard_shape": (10, 41, 7)},
        {"format": 3, "chunk_shape": (30, 3, 3), "order": "F"},
        {"format": "n5", "chunk_shape": (4, 4, 4)},
    ]
    for n, layout in enumerate(layouts):
        with Store(os.path.join(folder, str(n)), "a") as store:
            with store.create_array("a", values.shape, "f4", **layout) as array:
                array.write(values)
                if digest(array, "content") != expected:
                    return f"another digest of {layout}"
    folder = os.path.join(folder, "types")
    for dtype in ("?", ">i2", "<u8", "c16", "S5", "U3", "M8[ns]", [("a", ">i2"), ("b", "<f8")]):
        values = np.zeros((3, 5), dtype)
        values.view("u1").reshape(-1)[:] = np.arange(values.nbytes) % 2
        zarr.create_array(folder, data=values, chunks=(2, 2), zarr_format=2, overwrite=True)
        little = values.astype(values.dtype.newbyteorder("<"))
        with Store(folder) as store, store.array("") as array:
            if digest(array, "content", "sha1") != hashlib.sha1(little.tobytes()).hexdigest():
                return f"another digest of {dtype}"
    return None


def rechunked(folder, format):
    """zarr-python reads what was rechunked, directly and by way of a scratch array."""
    values = np.random.default_rng(1).normal(size=(37, 50, 23))
    source = os.path.join(folder, "source")
    zarr.create_array(source, data=values, chunks=(1, 50, 23), zarr_format=format)
    for n, memory in enumerate((0, 400 << 10, 100 << 10)):
        target = os.path.join(folder, str(n))
        with Store(source) as one, one.array("") as array, Store(target, "a") as two:
            with _Spec(values.shape, np.dtype("f8")) as spec:
                spec.set("chunk_shape", (37, 5, 5))
                spec.set("format", format)
                _call("zarrc_rechunk", array._handle, two._handle, b"a/b", spec.handle, memory, None, None)
            found = problems(two)
            if found:
                return f"problems {found}"
        there = zarr.open(target, mode="r")["a/b"]
        if there.chunks != (37, 5, 5) or not np.array_equal(there[...], values):
            return f"zarr-python reads something else after {memory} bytes"
    return None


def others_are_sound(folder, format):
    """What zarr-python writes has no problems."""
    root = zarr.open_group(folder, mode="w", zarr_format=format)
    root.create_group("g").create_array("a", data=np.arange(20).reshape(4, 5), chunks=(2, 2))
    if format == 3:
        root.create_array("s", data=np.arange(64.0).reshape(8, 8), chunks=(2, 2), shards=(4, 4))
    zarr.consolidate_metadata(folder)
    with Store(folder) as store:
        return str(problems(store)) if problems(store) else None


CASES = [consolidated_store_grows, digests_agree, rechunked, others_are_sound]


def exchange(root, zarr2, tally):
    warnings.simplefilter("ignore")
    other = f"zarr-python {zarr.__version__}"
    for case in CASES:
        for format in (2, 3):
            folder = os.path.join(root, f"{case.__name__}-{format}")
            try:
                problem = case(folder, format)
            except Exception as error:
                problem = f"{type(error).__name__}: {error}"
            name = f"v{format} {case.__name__.replace('_', ' ')}"
            tally.add("operations", name, ("zarrc", other), *(("failed", problem) if problem else ("ok",)))
    folder = os.path.join(root, "stored-digest")
    with Store(folder, "a") as store:
        with store.create_array("a", (10, 7), "i4", format=2, chunk_shape=(3, 3), attributes={"n": 1}) as array:
            array.write(np.arange(70, dtype="i4").reshape(10, 7))
            ours = digest(array, "stored", "sha1")
    theirs = zarr2.ask(do="hexdigest", folder=folder, path="a")
    tally.add("operations", "v2 hexdigest", ("zarrc", zarr2.name), *(("ok",) if ours == theirs else ("failed", theirs)))
