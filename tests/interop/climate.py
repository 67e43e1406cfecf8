"""examples/climate.c as xarray sees it: stopped and started again, without a warning, and the same as what its
twin writes with netCDF-C, where that is installed."""
import os
import shlex
import subprocess
import warnings
from pathlib import Path

import numpy as np
import xarray as xr

import zarrc_ffi

CLONE = Path(__file__).resolve().parents[2]
NLAT, NLON, STEPS = 90, 180, 8


def build(source, root, *flags):
    program = os.path.join(root, source)
    command = ["cc", "-std=c99", "-o", program, str(CLONE / f"examples/{source}.c"), *flags]
    subprocess.run(command, check=True, capture_output=True)
    return program


def run(program, path):
    for steps in (3, STEPS):  # the second goes on where the first stopped
        subprocess.run([program, path, str(steps)], check=True, capture_output=True)


def netcdf_flags():
    found = subprocess.run(["pkg-config", "--cflags", "--libs", "netcdf"], capture_output=True, text=True)
    return shlex.split(found.stdout) if found.returncode == 0 else None


def expected():
    i = np.arange((NLAT + 4) * (NLON + 4), dtype="f4").reshape(NLAT + 4, NLON + 4)[2:-2, 2:-2]
    return np.stack([np.float32(273.15) + np.float32(t) + np.float32(0.01) * i for t in range(STEPS)])


def check(root):
    library = zarrc_ffi._find()
    folder = os.path.dirname(os.path.abspath(library))
    program = build("climate", root, f"-I{CLONE / 'include'}", library, f"-Wl,-rpath,{folder}")
    path = os.path.join(root, "climate.zarr")
    run(program, path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for how in ({}, {"consolidated": False}):
            with xr.open_zarr(path, chunks=None, **how) as data:
                np.testing.assert_allclose(data.tas, expected(), rtol=1e-6)
                np.testing.assert_array_equal(data.lat, -89 + 2.0 * np.arange(NLAT))
                np.testing.assert_array_equal(data.lon, 2.0 * np.arange(NLON))
                assert data.tas.dims == ("time", "lat", "lon") and set(data.coords) == set(data.tas.dims)
                assert str(data.time.values[5]) == "2000-01-02 06:00:00", data.time.values
                ours = data.load()
    flags = netcdf_flags()
    if flags is not None:
        twin = os.path.join(root, "climate.nc")
        run(build("climate_netcdf", root, *flags), twin)
        with xr.open_dataset(twin) as data:
            xr.testing.assert_identical(ours, data.load())


def run_check(check, example, root, tally):
    """Counts the outcome of an example's check."""
    try:
        check(root)
        tally.add("cf", example, ("zarrc", "xarray"), "ok")
    except Exception as error:
        said = getattr(error, "stderr", None) or str(error)
        said = said.decode(errors="replace") if isinstance(said, bytes) else said
        tally.add("cf", example, ("zarrc", "xarray"), "failed", f"{type(error).__name__}: {' '.join(said.split())[:300]}")


def exchange(root, tally):
    run_check(check, "climate.c", root, tally)
