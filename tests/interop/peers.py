"""The other implementations, each behind the same few functions.

A peer writes a case into a folder and returns the attributes that it wrote, and reads a folder back as a
`Reading`. What a peer cannot do raises; unsupported.py says which of these are known.
"""
import json
import os
import subprocess
import tempfile
from dataclasses import dataclass

import numpy as np
import tensorstore as ts
import zarr
from zarr.core.buffer import default_buffer_prototype
from zarr.core.metadata import ArrayV2Metadata, ArrayV3Metadata
from zarr.core.sync import sync
from zarr.storage import LocalStore

import n5
import old
import zarrc_ffi
from cases import ATTRIBUTES


@dataclass
class Reading:
    values: np.ndarray
    # What this peer does not tell is Ellipsis.
    attributes: object = ...
    names: object = ...
    fill: object = ...


class Zarrc:
    name = "zarrc"

    def write(self, case, folder):
        # The array lies below the root, so that its parents are written too.
        parent, name = os.path.split(folder)
        with zarrc_ffi.Store(parent, "a") as store, store.create_array_from(name, case.document) as array:
            if case.format == 2:
                array.attributes.replace(ATTRIBUTES)
            for box in case.boxes:
                array.write(case.values[box], [part.start for part in box])
        return ATTRIBUTES

    def read(self, case, folder):
        with zarrc_ffi.Store(folder) as store, store.array() as array:
            dtype = case.values.dtype
            names = array.metadata.get("dimension_names") if case.format == 3 else ...
            return Reading(array.read(dtype=dtype), array.attributes.get(), names, array.fill_value(dtype))


class ZarrcBySpec(Zarrc):
    """zarrc, told what the array is to be call by call instead of by a document."""

    name = "zarrc (by spec)"

    @staticmethod
    def can_say(case):
        """What only a document can say is left out: r*, v2 keys in v3, some ways to shard."""
        return not case.tags & {"dtype:r24", "keys:v2.", "keys:v2/", "fill:null"} and (
            "shards" not in case.tags or case.tags & {"shard:end-none", "shard:end-zstd", "shard:gzip-crc32c"}
        )

    def write(self, case, folder):
        parent, name = os.path.split(folder)
        document = case.document
        options = {"format": case.format, "fill_value": case.fill, "attributes": ATTRIBUTES}
        if case.format == 2:
            options |= {"chunk_shape": document["chunks"], "order": document["order"]}
            options["separator"] = document.get("dimension_separator", ".")
            codecs = [dict(document["compressor"] or {"id": "none"})]
            options["codecs"] = [(codec.pop("id"), codec or None) for codec in codecs]
        else:
            options["chunk_shape"] = document["chunk_grid"]["configuration"]["chunk_shape"]
            options["separator"] = document["chunk_key_encoding"]["configuration"]["separator"]
            codecs = document["codecs"]
            if codecs[0]["name"] == "sharding_indexed":
                options["shard_shape"] = options["chunk_shape"]
                options["chunk_shape"] = codecs[0]["configuration"]["chunk_shape"]
                codecs = codecs[0]["configuration"]["codecs"]
            options["codecs"] = [(codec["name"], codec.get("configuration")) for codec in codecs]
            if "dimension_names" in document:
                options["dimension_names"] = document["dimension_names"]
        with zarrc_ffi.Store(parent, "a") as store:
            with store.create_array(name, document["shape"], case.stored, **options) as array:
                for box in case.boxes:
                    array.write(case.values[box], [part.start for part in box])
        return ATTRIBUTES


class ZarrPython:
    """zarr-python 3, which parses our document and writes its own."""

    name = f"zarr-python {zarr.__version__}"
    config = {}

    def write(self, case, folder):
        with zarr.config.set(self.config):
            kind = ArrayV2Metadata if case.format == 2 else ArrayV3Metadata
            document = {**case.document, "attributes": ATTRIBUTES}
            metadata = kind.from_dict(document)
            store = LocalStore(folder)
            for key, value in metadata.to_buffer_dict(default_buffer_prototype()).items():
                sync(store.set(key, value))
            array = zarr.open_array(store=folder, mode="r+", zarr_format=case.format)
            for box in case.boxes:
                array[box] = case.values[box]
        return ATTRIBUTES

    def read(self, case, folder):
        with zarr.config.set(self.config):
            array = zarr.open_array(store=folder, mode="r", zarr_format=case.format)
            names = ...
            if case.format == 3:
                names = array.metadata.dimension_names
                names = None if names is None else list(names)
            return Reading(np.asarray(array[...]), dict(array.attrs), names)


class Zarrs(ZarrPython):
    """zarrs, as the codec pipeline of zarr-python, not falling back to Python."""

    def __init__(self):
        from importlib.metadata import version

        self.name = f"zarrs {version('zarrs')}"
        self.config = {"codec_pipeline.path": "zarrs.ZarrsCodecPipeline", "codec_pipeline.strict": True}


class TensorStore:
    name = "tensorstore"

    def __init__(self):
        from importlib.metadata import version

        self.name = f"tensorstore {version('tensorstore')}"

    def _spec(self, case, folder):
        driver = {2: "zarr", 3: "zarr3"}[case.format]
        return {"driver": driver, "kvstore": {"driver": "file", "path": folder + "/"}}

    def _fields(self, case):
        """A structure is read and written field by field."""
        return case.values.dtype.names or [None]

    def write(self, case, folder):
        if case.tags & {"dtype:r24", "dtype:raw_bytes"}:
            raise NotImplementedError("creating an array of raw bits aborts the process")
        for i, field in enumerate(self._fields(case)):
            spec = self._spec(case, folder) | ({"field": field} if field else {})
            if i == 0:
                array = ts.open(spec | {"metadata": case.document}, create=True, open=False).result()
            else:
                array = ts.open(spec, open=True).result()
            values = case.values[field] if field else case.values
            for box in case.boxes:
                array[box].write(values[box]).result()
        return {} if case.format == 2 else ATTRIBUTES  # knows no .zattrs

    def read(self, case, folder):
        values = np.zeros(case.values.shape, case.values.dtype)
        for field in self._fields(case):
            spec = self._spec(case, folder) | ({"field": field} if field else {})
            array = ts.open(spec, open=True, read=True).result()
            part = array.read().result()
            if field:
                values[field] = part
            else:
                values = part
        if case.format == 2:
            return Reading(values)
        metadata = array.spec().to_json()["metadata"]
        return Reading(values, metadata.get("attributes", {}), metadata.get("dimension_names"))


class ZarrPython2:
    """zarr-python 2 runs in an environment of its own and is spoken to in lines of JSON."""

    def __init__(self, python):
        here = os.path.dirname(os.path.abspath(__file__))
        command = [python, os.path.join(here, "peer_zarr2.py")]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.name = f"zarr-python {self.ask(do='version')}"
        self._scratch = tempfile.TemporaryDirectory()
        self._file = os.path.join(self._scratch.name, "values.npy")

    def ask(self, **request):
        print(json.dumps(request), file=self._process.stdin, flush=True)
        answer = json.loads(self._process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["ok"]

    def write(self, case, folder):
        np.save(self._file, case.values)
        boxes = [[[part.start, part.stop] for part in box] for box in case.boxes]
        request = {"document": case.document, "attributes": ATTRIBUTES, "boxes": boxes}
        self.ask(do="write", folder=folder, values=self._file, **request)
        return ATTRIBUTES

    def read(self, case, folder):
        attributes = self.ask(do="read", folder=folder, values=self._file)
        return Reading(np.load(self._file), attributes)

    def write_2020(self, case, folder):
        np.save(self._file, case.values)
        boxes = [[[part.start, part.stop] for part in box] for box in case.boxes]
        request = {"array": case.for_peer(), "attributes": ATTRIBUTES, "boxes": boxes}
        self.ask(do="write_2020", folder=folder, path=old.PATH, values=self._file, **request)

    def read_old(self, case, folder):
        where = {"do": "read_v1"} if case.format == "v1" else {"do": "read_2020", "path": old.PATH}
        attributes = self.ask(folder=folder, values=self._file, **where)
        attributes.pop("filters", None)  # which it keeps there
        return np.load(self._file), attributes

    def write_n5(self, folder, document, values, boxes):
        np.save(self._file, values)
        boxes = [[[part.start, part.stop] for part in box] for box in boxes]
        request = {"document": document, "attributes": ATTRIBUTES, "boxes": boxes}
        self.ask(do="write_n5", folder=folder, path=n5.PATH, values=self._file, **request)

    def read_n5(self, folder):
        attributes = self.ask(do="read_n5", folder=folder, path=n5.PATH, values=self._file)
        return np.load(self._file), attributes

    def close(self):
        self._process.stdin.close()
        self._process.wait()
