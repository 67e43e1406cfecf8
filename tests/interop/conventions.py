"""CF through zarrc: what C programs naturally write opens right in xarray (decode_cf on), what xarray writes
is read unpacked, and conversions carry dimension names and missing values either way."""
import os
import shutil

import numpy as np
import xarray as xr

import zarrc_ffi

READS, WRITES, CONVERTS = ("zarrc", "xarray"), ("xarray", "zarrc"), ("zarrc convert", "xarray")
MISSING = 1e20


def model(folder, format, **options):
    """A model's output: coordinates that begin with 0, a packed and a plain variable with a value missing."""
    with zarrc_ffi.Store(folder, "w", **options) as store:
        store.create_group("", format=format).close()
        lon = np.arange(0, 360, 45.0)
        for name, values, attributes in (
            ("lon", lon, {"units": "degrees_east"}),
            ("time", np.arange(4, dtype="i8"), {"units": "days since 2000-01-01", "calendar": "standard"}),
            ("level", np.array([0, 1, 0, 2], "i4"), {}),
        ):
            names = ["time"] if name == "level" else [name]
            with store.create_array(name, values.shape, values.dtype, dimension_names=names) as array:
                for key, value in attributes.items():
                    array.attributes[key] = value
                array.write(values)
        # one step of four is written, with a hole
        tas = np.full((4, 8), np.nan, "f4")
        tas[0] = np.arange(8) * 10
        tas[0, 3] = np.nan
        plain = {"dimension_names": ["time", "lon"], "chunk_shape": [1, 8], "missing_value": np.float32(MISSING)}
        with store.create_array("tas", tas.shape, "f4", **plain) as array:
            array.attributes["units"] = "K"
            array.write(np.where(np.isnan(tas[:1]), np.float32(MISSING), tas[:1]))
        # the attribute set as a number, with nothing said about a fill value
        with store.create_array("pr", (8,), "f4", dimension_names=["lon"]) as array:
            array.attributes["_FillValue"] = -1.0
            array.write(np.array([0, 1, -1, 3, 4, 5, 6, 7], "f4"))
        with store.create_array("zg", (8,), "i2", dimension_names=["lon"]) as array:
            array.set_missing_value(np.int16(-999))
            array.attributes["scale_factor"] = 0.5
            array.attributes["add_offset"] = 100.0
            array.write(np.array([0, 1, -999, 3, 4, 5, 6, 7], "i2"))
    return tas


def check(folder, tas):
    with xr.open_zarr(folder, consolidated=False) as data:
        same(data.lon, np.arange(0, 360, 45.0))
        same(data.level, [0, 1, 0, 2])
        same(data.tas, tas)
        same(data.pr, [0, 1, np.nan, 3, 4, 5, 6, 7])
        same(data.zg, [100, 100.5, np.nan, 101.5, 102, 102.5, 103, 103.5])
        assert str(data.time.values[1])[:10] == "2000-01-02", data.time.values
        assert data.tas.dims == ("time", "lon"), data.tas.dims
        assert data.tas.attrs["units"] == "K" and "_ARRAY_DIMENSIONS" not in data.tas.attrs, data.tas.attrs
        assert data.level.dtype.kind == "i", data.level.dtype


def same(found, expected):
    np.testing.assert_array_equal(np.asarray(found), np.asarray(expected), err_msg=str(getattr(found, "name", "")))


def written(root, format):
    folder = os.path.join(root, f"written-v{format}")
    check(folder, model(folder, format))


def unpacked(root, format):
    """What xarray packs, zarrc unpacks to the same numbers; what zarrc packs, xarray reads."""
    folder = os.path.join(root, f"xarray-v{format}")
    values = np.array([0, 273.15, np.nan, 300.25, 250.5, 251])
    data = xr.Dataset({"t": ("x", values), "n": ("x", np.array([0, 1, 2, -1, 4, 5], "i4")), "f": ("x", values)})
    packed = {"dtype": "i2", "scale_factor": 0.01, "add_offset": 273.15, "_FillValue": -32767}
    encoding = {"t": packed, "n": {"_FillValue": -1}}
    data.to_zarr(folder, zarr_format=format, encoding=encoding, mode="w", consolidated=False)
    with xr.open_zarr(folder, consolidated=False) as back:
        expected = {name: np.asarray(back[name].astype("f8")) for name in ("t", "n", "f")}
    with zarrc_ffi.Store(folder, "r+", mask_and_scale="yes") as store:
        for name in expected:
            with store.array(name) as array:
                assert array.dtype == np.dtype("f8"), array.dtype
                np.testing.assert_allclose(array.read(), expected[name], rtol=1e-6, err_msg=name)
        with store.array("t") as array:
            array.write(np.array([np.nan, 274.15]), [0])
    with xr.open_zarr(folder, consolidated=False) as back:
        np.testing.assert_allclose(back.t.values[:2], [np.nan, 274.15], rtol=1e-6)
        np.testing.assert_allclose(back.t.values[3:], expected["t"][3:])


def converted(root, format):
    """The other format says the same to xarray."""
    old, new = (os.path.join(root, f"{name}-v{format}") for name in ("from", "to"))
    tas = model(old, 5 - format)
    zarrc_ffi.convert(old, new, format)
    check(new, tas)


def exchange(root, tally):
    for format in (2, 3):
        for run, route in ((written, READS), (unpacked, WRITES), (converted, CONVERTS)):
            name = f"{run.__name__} v{format}"
            try:
                run(root, format)
                tally.add("cf", name, route, "ok")
            except Exception as error:
                tally.add("cf", name, route, "failed", f"{type(error).__name__}: {' '.join(str(error).split())[:300]}")
    for name in os.listdir(root):
        if name.endswith(("-v2", "-v3")):
            shutil.rmtree(os.path.join(root, name))
