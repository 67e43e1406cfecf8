"""netCDF files that nccopy made of the stores of make_stores.py hold what xarray reads of these.

    compare.py DIRECTORY FORMAT     # DIRECTORY/climate3.zarr and climate3.nc, plain3.nc
"""
import sys

import numpy as np
import xarray as xr

where, version = sys.argv[1:]
of_zarr = xr.open_zarr(f"{where}/climate{version}.zarr", consolidated=False)
of_netcdf = xr.open_dataset(f"{where}/climate{version}.nc")
xr.testing.assert_equal(of_zarr, of_netcdf)
for name in of_zarr.variables:
    ours, theirs = of_netcdf[name].attrs, of_zarr[name].attrs
    assert ours.keys() == theirs.keys(), (name, ours, theirs)
    assert all(np.array_equal(ours[key], theirs[key]) for key in theirs), (name, ours, theirs)
    assert name == "station" or of_netcdf[name].dtype == of_zarr[name].dtype, name
assert of_netcdf.attrs["tags"] == ["a", "b"] and list(of_netcdf.attrs["levels"]) == [1, 2, 3]
plain = xr.open_dataset(f"{where}/plain{version}.nc", group="a/b", decode_cf=False)
np.testing.assert_array_equal(plain.numbers, np.arange(20).reshape(4, 5))
np.testing.assert_array_equal(plain.truth, [1, 0, 1])
np.testing.assert_array_equal(plain.wave, [[1, 2], [0, -3.5]])
print("ok")
