"""Stores that zarr-python and xarray write, and what xarray reads of them, for test_read.c.

    make_stores.py DIRECTORY FORMAT     # 2 or 3
"""
import sys

import numpy as np
import xarray as xr
import zarr

where, version = sys.argv[1], int(sys.argv[2])


def climate():
    time = np.arange(6)
    lat = np.linspace(-60, 60, 5).astype("f4")
    lon = np.arange(0, 360, 45, dtype="f8")
    packed = (np.arange(6 * 5 * 8) % 97 - 40).reshape(6, 5, 8).astype("i2")
    packed[2, 1, 3] = -999
    wind = (np.arange(6 * 5 * 8, dtype="f4").reshape(6, 5, 8) / 7).astype("f4")
    wind[0, 0, 0] = np.nan
    return xr.Dataset(
        {
            "tas": (("time", "lat", "lon"), packed,
                    {"units": "K", "scale_factor": 0.01, "add_offset": 273.15, "valid_range": [-500, 500],
                     "_FillValue": np.int16(-999)}),
            "wind": (("time", "lat", "lon"), wind, {"units": "m s-1", "_FillValue": np.float32("nan")}),
            "station": (("lat",), np.array(["Aé", "b", "", "longer name", "z"], dtype=object)),
            "flag": ((), np.int8(3), {"flag_values": [1, 3], "flag_meanings": "good bad"}),
            "wide": (("lon",), np.arange(8, dtype="u8") + (1 << 63)),
        },
        {
            "time": (("time",), time, {"units": "days since 2000-01-01", "calendar": "noleap"}),
            "lat": (("lat",), lat, {"units": "degrees_north"}),
            "lon": (("lon",), lon, {"units": "degrees_east"}),
        },
        {"Conventions": "CF-1.10", "history": "made", "levels": [1, 2, 3], "tags": ["a", "b"], "big": 1 << 40},
    )


climate().to_zarr(f"{where}/climate{version}.zarr", mode="w", zarr_format=version, consolidated=False)

# what zarr-python writes on its own: nested groups, no names of dimensions, other types
root = zarr.open_group(f"{where}/plain{version}.zarr", mode="w", zarr_format=version)
numbers = np.arange(20, dtype=">i4").reshape(4, 5)
inner = root.create_group("a").create_group("b")
make = inner.create_array if hasattr(inner, "create_array") else inner.create_dataset
array = make(name="numbers", shape=numbers.shape, dtype=numbers.dtype, chunks=(3, 2))
array[...] = numbers
truth = make(name="truth", shape=(3,), dtype="?", chunks=(3,))
truth[...] = [True, False, True]
wave = make(name="wave", shape=(2,), dtype="c16", chunks=(2,))
wave[...] = [1 + 2j, -3.5j]
inner.attrs["nested"] = {"x": [1, None]}
