# zarr-python and xarray with zarrc underneath: each part between ANCHOR lines is a snippet of the book.
# ANCHOR: pipeline
import zarr

zarr.config.set({"codec_pipeline.path": "zarrc.CodecPipeline"})
# ANCHOR_END: pipeline
import numpy as np

# registers the pipeline where the package is not installed but on PYTHONPATH
from zarrc import CodecPipeline

# ANCHOR: zarr
root = zarr.open_group("run1.zarr", mode="w")
array = root.create_array("t", shape=(3, 4), chunks=(2, 2), dtype="f4", dimension_names=["time", "x"])
array[...] = np.arange(12).reshape(3, 4)
zarr.consolidate_metadata("run1.zarr")
# ANCHOR_END: zarr
assert isinstance(array._async_array.codec_pipeline, CodecPipeline)

# ANCHOR: xarray
import xarray
from zarrc.xarray import ZarrcBackend

# engine="zarrc" does the same once the wheel is installed
dataset = xarray.open_dataset("run1.zarr", engine=ZarrcBackend, options={"threads": 4})
print(dataset["t"].sum("x").values)
# ANCHOR_END: xarray
