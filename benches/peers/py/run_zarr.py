"""zarr-python 3; `pipeline`: the codec pipeline, by its full name, which must do all the work itself."""
import importlib
import json
import os
import pathlib

import job
import numcodecs.blosc
import zarr

numcodecs.blosc.set_nthreads(job.number("threads"))
zarr.config.set({"threading.max_workers": job.number("threads"), "async.concurrency": job.number("threads")})
if job.text("pipeline"):
    getattr(importlib.import_module(job.text("pipeline").split(".")[0]), "CodecPipeline", None)  # registers it
    zarr.config.set({"codec_pipeline.path": job.text("pipeline"), "codec_pipeline.strict": True})
KEY = "zarr.json" if job.text("format") == "3" else ".zarray"


class Library:
    def open(self, path, writable):
        return zarr.open_array(path, mode="r+" if writable else "r")

    def create(self, path, shape):
        os.mkdir(path)  # the document is given: to write it is less than create_array does
        pathlib.Path(path, KEY).write_text(json.dumps(job.document(shape)))
        return self.open(path, True)

    def read(self, array, box):
        return array[box]

    def select(self, array, what, given):
        if what == "points":
            return array.vindex[given[0], given[1], given[2]]
        if what == "orthogonal":
            return array.oindex[given[0], given[1], given[2]]
        return array.vindex[given] if what == "mask" else array[::given]

    def write(self, array, box, data):
        array[box] = data

    def resize(self, array, shape):
        array.resize(tuple(shape))
        return array

    def list(self, path):
        return sum(a.shape[0] for _, a in zarr.open_group(path, mode="r").arrays())


job.run(Library())
