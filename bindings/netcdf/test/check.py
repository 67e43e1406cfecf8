"""What xarray reads of the stores that test_netcdf.c and the Fortran program wrote.

    check.py DIRECTORY
"""
import sys

import numpy as np
import xarray as xr

for version in (2, 3):
    data = xr.open_zarr(f"{sys.argv[1]}/written{version}.zarr", consolidated=False, decode_times=False)
    assert dict(data.sizes) == {"time": 5, "lat": 3, "lon": 4}, data.sizes
    t, i, k = np.ogrid[:5, :3, :4]
    tas = np.broadcast_to((100 * t + 10 * i + k).astype("f4"), (5, 3, 4)).copy()
    tas[3] = np.nan
    np.testing.assert_array_equal(data.tas, tas)
    assert data.tas.dims == ("time", "lat", "lon") and data.tas.encoding["_FillValue"] == np.float32(-99.5)
    assert data.tas.attrs["flags"] == ["on", "off"], data.tas.attrs
    np.testing.assert_array_equal(data.time, np.arange(5) / 2)
    assert data.time.attrs == {"units": "days since 2000-01-01"}
    raw = xr.open_zarr(f"{sys.argv[1]}/written{version}.zarr", consolidated=False, decode_cf=False)
    packed = np.full((3, 4), -32767, "i2")
    packed[:, ::2] = [[0, 2], [10, 12], [20, 22]]
    np.testing.assert_array_equal(raw.packed, packed)
    assert raw.packed.dtype == np.int16 and raw.packed.attrs["valid_range"] == [-5, 5]
    assert list(data.words.values) == ["one", "zwölf", "", "four"], data.words.values
    assert raw.letters.values[1].tolist() == [b"a", b"b", b"c", b"d"]
    assert int(raw.scalar) == 1 << 63 and data.attrs["title"] == "title" and data.attrs["big"] == 1 << 40
    assert raw.late.values.tolist() == [-2147483647, 7] + 3 * [-2147483647]
    group = xr.open_zarr(f"{sys.argv[1]}/written{version}.zarr", group="forecast", consolidated=False, decode_cf=False)
    assert group.deep.values.tolist() == [-9223372036854775806, -1, -2]
print("ok")
