"""The engine, beside xarray's own for Zarr."""

import numpy as np
import pytest

xarray = pytest.importorskip("xarray")
pytest.importorskip("zarr")
from zarrc.xarray import ZarrcBackend as ENGINE  # noqa: E402  (installed, it is also engine="zarrc")


@pytest.fixture
def dataset():
    rng = np.random.default_rng(0)
    return xarray.Dataset(
        {
            "t": (("time", "y", "x"), rng.normal(size=(5, 4, 6)), {"units": "K"}),
            "packed": (("y", "x"), np.where(rng.random((4, 6)) < 0.3, np.nan, rng.integers(0, 9, (4, 6)) * 0.5)),
            "name": ("y", np.array(["a", "bc", "", "größer"], object)),
        },
        coords={"time": np.array("2000-01-01", "M8[ns]") + np.arange(5) * np.timedelta64(1, "D"), "x": np.arange(6.0)},
        attrs={"title": "a test"},
    )


@pytest.mark.parametrize("format", [2, 3])
def test_as_xarray_itself(dataset, tmp_path, format):
    path = tmp_path / "a.zarr"
    encoding = {"packed": {"dtype": "i2", "scale_factor": 0.5, "_FillValue": -1}, "t": {"chunks": (2, 2, 3)}}
    dataset.to_zarr(path, zarr_format=format, encoding=encoding, consolidated=False)
    with xarray.open_dataset(path, engine=ENGINE) as opened:
        xarray.testing.assert_identical(opened.load(), xarray.open_zarr(path, consolidated=False).load())
        assert opened.t.encoding["preferred_chunks"] == {"time": 2, "y": 2, "x": 3}
    lazy = xarray.open_dataset(path, engine=ENGINE)
    for key in ({"x": 2}, {"x": [4, 1]}, {"time": slice(None, None, -2), "y": [0, 3], "x": 5}):
        np.testing.assert_array_equal(lazy.t.isel(key), dataset.t.isel(key))
    points = {"x": xarray.DataArray([1, 2], dims="p"), "y": xarray.DataArray([3, 0], dims="p")}
    np.testing.assert_array_equal(lazy.t.isel(points), dataset.t.isel(points))
    assert float(lazy.t.sel(x=3.0, time="2000-01-02").sum()) == float(dataset.t.sel(x=3.0, time="2000-01-02").sum())


def test_groups_and_dask(dataset, tmp_path):
    pytest.importorskip("dask")
    path = tmp_path / "a.zarr"
    dataset.to_zarr(path, group="inner", zarr_format=3, consolidated=False)
    opened = xarray.open_dataset(path, engine=ENGINE, group="inner", chunks={})
    xarray.testing.assert_identical((opened.t * 2).compute(), dataset.t * 2)
    tree = xarray.open_datatree(path, engine=ENGINE)
    assert "inner" in tree.children and tree["inner/t"].shape == (5, 4, 6)
    with pytest.raises(KeyError):
        xarray.open_dataset(tmp_path / "none.zarr", engine=ENGINE)
