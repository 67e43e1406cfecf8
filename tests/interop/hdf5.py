"""HDF5 and netCDF-4 in both directions: h5py, netCDF4-python, xarray, kerchunk and zarr-python's copy_all
beside zarrc. Only where the library has the feature hdf5 and libhdf5 is installed."""
import ctypes
import json
import os
import warnings

import fsspec
import h5py
import kerchunk.hdf
import numpy as np
import xarray as xr
import zarr

import zarrc_ffi
from zarrc_ffi import Store, ZarrcError, _call, _string, lib

_handle, _text, _error = ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(zarrc_ffi.Error)
lib.zarrc_hdf5_export.argtypes = [_handle, _text, _text, _handle, _handle, _error]
lib.zarrc_references_json.argtypes = [_handle, _text, _text, _handle, _handle, ctypes.POINTER(_handle), _error]


def convert(path, to, format):
    zarrc_ffi.convert(path, to, format)


def export(url, path):
    with Store(url) as store:
        _call("zarrc_hdf5_export", store._handle, b"", path.encode(), None, None)


def references(path, url=None):
    with Store(path) as store:
        return _string("zarrc_references_json", store._handle, b"", url and url.encode(), None, None)


def datasets(path):
    """What each dataset of a file holds."""
    found = {}
    with h5py.File(path) as f:
        f.visititems(lambda name, node: found.update({name: node[()]}) if isinstance(node, h5py.Dataset) else None)
    return found


def same(one, two):
    one, two = np.asarray(one), np.asarray(two)
    if one.dtype.kind in "OT" or two.dtype.kind in "OT":
        texts = lambda a: [x.decode() if isinstance(x, bytes) else x for x in a.ravel()]
        return one.shape == two.shape and texts(one) == texts(two)
    return one.shape == two.shape and one.tobytes() == two.astype(one.dtype).tobytes()


def make_hdf5(path):
    values = (np.random.default_rng(1).random((50, 70)) * 100).astype("f4")
    with h5py.File(path, "w") as f:
        f.attrs["title"], f.attrs["n"], f.attrs["flag"], f.attrs["list"] = "a file", 5, True, [1.5, 2.5]
        f["contiguous"] = values
        g = f.create_group("g")
        g.attrs["units"] = "K"
        g.create_dataset("gzip", data=values, chunks=(16, 32), compression="gzip", shuffle=True, fletcher32=True)
        g.create_dataset("big-endian", data=values.astype(">i4"), chunks=(16, 32))
        g.create_dataset("partly", (100, 100), "f8", chunks=(10, 10), fillvalue=-1.0)[5:25, 5:25] = 3
        f["scalar"] = np.int64(42)
        f["texts"] = np.array(["a", "bb", "é"], dtype=object)
        f["fixed"] = np.array([b"a", b"bb"], "S5")
        f["bool"] = np.array([True, False])
        f["complex"] = np.array([1 + 2j, 3 - 4j])


def make_netcdf(path):
    time = xr.date_range("2000-01-01", periods=6)
    air = np.arange(120.0).reshape(6, 4, 5)
    air[0, 0, 0] = np.nan
    below = xr.Dataset({"x": ("lat", np.arange(4, dtype="i4"))})
    above = xr.Dataset(
        {"tas": (("time", "lat", "lon"), air.astype("f4"), {"units": "K"}), "pr": (("time", "lat", "lon"), air), "name": ("lat", list("abcé"))},
        {"time": time, "lat": np.linspace(-60, 60, 4)}, {"title": "climate"},
    )  # fmt: skip
    encoding = {"tas": {"zlib": True, "_FillValue": 1e20, "chunksizes": (2, 4, 5)}, "pr": {"dtype": "i2", "scale_factor": 0.5, "add_offset": 10.0, "_FillValue": -999}}
    above.to_netcdf(path, encoding=encoding, unlimited_dims=["time"])
    below.to_netcdf(path, mode="a", group="below")


def from_h5py(folder):
    """zarr-python reads from what zarrc converts what h5py reads from the file."""
    path = os.path.join(folder, "a.h5")
    make_hdf5(path)
    for format in (2, 3):
        target = os.path.join(folder, f"{format}.zarr")
        convert(path, target, format)
        there = zarr.open_group(target, mode="r")
        for name, value in datasets(path).items():
            if not same(value, there[name][...]):
                return f"v{format}: {name} differs"
        if dict(there.attrs) != {"title": "a file", "n": 5, "flag": True, "list": [1.5, 2.5]}:
            return f"v{format}: attributes {dict(there.attrs)}"
    return None


def to_h5py(folder):
    """h5py reads from what zarrc writes what it reads from the file that that was made of."""
    path, back = os.path.join(folder, "a.h5"), os.path.join(folder, "b.h5")
    make_hdf5(path)
    convert(path, os.path.join(folder, "a.zarr"), 3)
    export(os.path.join(folder, "a.zarr"), back)
    one, two = datasets(path), datasets(back)
    wrong = [name for name, value in one.items() if name not in two or not same(value, two[name])]
    return f"{wrong} differ" if wrong else None


def netcdf_both_ways(folder):
    """xarray sees the same in a netCDF-4 file, in the Zarr made of it, and in the netCDF-4 made of that."""
    path = os.path.join(folder, "a.nc")
    make_netcdf(path)
    for format in (2, 3):
        target, back = (os.path.join(folder, f"{format}.{end}") for end in ("zarr", "nc"))
        convert(path, target, format)
        export(target, back)
        for group in (None, "below"):
            with xr.open_dataset(path, group=group) as theirs, xr.open_zarr(target, group=group, consolidated=False) as ours:
                xr.testing.assert_identical(theirs.load(), ours.load())
            for engine in ("netcdf4", "h5netcdf"):
                with xr.open_dataset(path, group=group) as theirs, xr.open_dataset(back, group=group, engine=engine) as ours:
                    xr.testing.assert_identical(theirs.load(), ours.load())
    return None


def in_place(folder):
    """References have kerchunk's ranges, and xarray opens them."""
    path = os.path.join(folder, "a.nc")
    make_netcdf(path)
    ours = json.loads(references(path))["refs"]
    theirs = kerchunk.hdf.SingleHdf5ToZarr(path, inline_threshold=0).translate()["refs"]
    wrong = [key for key, part in theirs.items() if isinstance(part, list) and ours.get(key, [0])[1:] != part[1:]]
    # a dataset in one piece is cut otherwise, if it is large
    if wrong:
        return f"{wrong} lie elsewhere than kerchunk says"
    files = fsspec.filesystem("reference", fo={"version": 1, "refs": ours}, remote_protocol="file", asynchronous=True)
    with xr.open_zarr(zarr.storage.FsspecStore(files, read_only=True), consolidated=False, zarr_format=2) as one:
        with xr.open_dataset(path) as two:
            xr.testing.assert_identical(one.load(), two.load())
    return None


def like_copy_all(folder, zarr2):
    """What zarr.copy_all of zarr-python 2 makes of a file, zarrc makes too. It copies no texts of any length, and
    no attributes that are bool or lists."""
    path, ours, theirs = (os.path.join(folder, name) for name in ("a.h5", "ours", "theirs"))
    make_hdf5(path)
    with h5py.File(path, "a") as f:
        del f["texts"], f.attrs["flag"], f.attrs["list"]
    convert(path, ours, 2)
    for name, attributes in zarr2.ask(do="copy_all", source=path, target=theirs).items():
        one, two = (zarr.open_array(os.path.join(at, name), mode="r") for at in (ours, theirs))
        if not same(two[...], one[...]) or dict(one.attrs) != attributes or one.chunks != two.chunks and name != "contiguous":
            return f"{name} differs"
    return None


def exchange(root, zarr2, tally):
    warnings.simplefilter("ignore")
    folder = os.path.join(root, "hdf5")
    os.makedirs(folder)
    make_hdf5(os.path.join(folder, "a.h5"))
    try:
        Store(os.path.join(folder, "a.h5")).close()
    except ZarrcError as error:
        if "this build has no" in str(error) or "not installed" in str(error):
            print(f"HDF5 is not tried: {error}")
            return
        raise
    for case in (from_h5py, to_h5py, netcdf_both_ways, in_place, like_copy_all):
        place = os.path.join(folder, case.__name__)
        os.makedirs(place)
        try:
            problem = case(place, zarr2) if case is like_copy_all else case(place)
        except Exception as error:
            problem = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
        name = case.__name__.replace("_", " ")
        tally.add("hdf5", name, ("zarrc", zarr2.name if case is like_copy_all else f"h5py {h5py.__version__}"), *(("failed", problem) if problem else ("ok",)))
