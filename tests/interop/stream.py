"""examples/stream.c as xarray sees it: killed and started again, without a warning."""
import os
import signal
import subprocess
import time
import warnings

import climate
import numpy as np
import xarray as xr
import zarrc_ffi

NY, NX, FRAMES = 512, 512, 60


def check(root):
    library = zarrc_ffi._find()
    folder = os.path.dirname(os.path.abspath(library))
    flags = (f"-I{climate.CLONE / 'include'}", library, f"-Wl,-rpath,{folder}", "-pthread")
    program = climate.build("stream", root, *flags)
    path = os.path.join(root, "stream.zarr")
    with subprocess.Popen([program, path, str(10 * FRAMES)]) as killed:
        begun = time.monotonic()
        while not os.path.exists(os.path.join(path, "frames/c/3")) and time.monotonic() < begun + 60:
            time.sleep(0.001)
        killed.send_signal(signal.SIGKILL)
    seen = compare(path)
    assert seen > 0, "no frames before it was killed"
    frames = seen + FRAMES + 3
    subprocess.run([program, path, str(frames)], check=True, capture_output=True)
    assert compare(path) == frames


def compare(path):
    """Compares what xarray reads with what was put; returns the number of frames."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with xr.open_zarr(path, chunks=None, consolidated=True) as data:
            frames = data.sizes["time"]
            y, x = np.mgrid[0:NY, 0:NX]
            for t in range(frames):
                np.testing.assert_array_equal(data.frames[t], (t * 1000 + y + x).astype("u2"))
            times = np.datetime64("2026-01-01") + np.arange(frames) * np.timedelta64(500, "ms")
            np.testing.assert_array_equal(data.time.values, times)
            np.testing.assert_array_equal(data.x, 0.25 * np.arange(NX))
            assert data.frames.dims == ("time", "y", "x") and set(data.coords) == {"time", "y", "x"}
            assert data.frames.attrs == {"long_name": "intensity", "units": "count"}
            return frames


def exchange(root, tally):
    climate.run_check(check, "stream.c", root, tally)
