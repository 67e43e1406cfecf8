"""Zarr v1 and the draft of v3 of 2020, exchanged with zarr-python 2: it reads v1 by migrating it, and writes
and reads the draft behind a flag."""
import itertools
import os

import numpy as np

import zarrc_ffi
from cases import ATTRIBUTES, STRUCTS, as_fill, boxes_without_row, everything, native, some_fill, some_values
from n5 import attempt

PATH = "g/a"
CORE = ["?", "i1", "u1"] + [end + kind for end, kind in itertools.product("<>", ["i2", "u4", "i8", "f2", "f4", "f8"])]
EXTENSIONS = ["<c8", ">c16", "S5", "<U4", ">U4", "<M8[ns]", ">m8[s]"]
CODECS = {
    "none": [("none", None)],
    "zlib": [("zlib", {"level": 3})],
    "gzip": [("gzip", {"level": 3})],
    "zstd": [("zstd", {"level": 3})],
    "lz4": [("lz4", {"acceleration": 1})],
    "bz2": [("bz2", {"level": 3})],
    "lzma": [("lzma", {"format": 1, "check": -1, "preset": None, "filters": None})],
    "blosc": [("blosc", {"cname": "zstd", "clevel": 3, "shuffle": 2, "blocksize": 0})],
}
IN_V1 = ["none", "zlib", "bz2", "lzma", "blosc"]
SHAPES = [((11,), (4,)), ((7, 10), (3, 4)), ((3, 4, 5), (2, 2, 3)), ((2, 3, 2, 3), (1, 2, 2, 2)), ((0, 5), (2, 2))]


LACKING = {
    ("v3-2020", "scalar"): "reads a scalar from c0, against the text",
    ("v1", "type <M8[ns]"): "migrates no fill value of times but null",
    ("v1", "type >m8[s]"): "migrates no fill value of times but null",
    ("v1", "struct subarray"): "migrates no arrays within structures",
}


def described(dtype):
    return zarrc_ffi.fields(dtype) if dtype.names else dtype.str


class Case:
    def __init__(self, name, format, dtype, **more):
        self.name, self.format, self.dtype = f"{format} {name}", format, np.dtype(dtype)
        self.lacking = LACKING.get((format, name))
        self.shape, self.chunks, self.codec = (7, 10), (3, 4), "blosc"
        self.order, self.separator, self.shards, self.filters, self.fill = "C", None, None, None, None
        self.missing = False
        vars(self).update(more)
        self.values = some_values(native(self.dtype), self.shape)
        self.boxes = boxes_without_row(self.shape, self.chunks) if self.missing else everything(self.shape)
        self.expected = np.zeros_like(self.values)
        if self.fill is not None:
            self.fill = as_fill(self.dtype, self.fill)
            self.expected[...] = self.fill
        for box in self.boxes:
            self.expected[box] = self.values[box]

    def for_peer(self):
        """What zarr-python creates the array from."""
        compressor = None
        if self.codec != "none":
            name, configuration = CODECS[self.codec][0]
            compressor = {"id": name, **configuration}
        fill = None if self.fill is None else [self.fill.tobytes().hex(), described(self.fill.dtype)]
        return {
            "shape": self.shape, "chunks": self.chunks, "dtype": described(self.dtype), "order": self.order,
            "compressor": compressor, "separator": self.separator or "/", "shards": self.shards,
            "filters": self.filters, "fill": fill,
        }  # fmt: skip


def cases():
    for dtype in CORE + EXTENSIONS:
        fill = None if np.dtype(dtype).kind in "cS" else some_fill(native(np.dtype(dtype)))
        yield Case(f"type {dtype}", "v1", dtype, codec="zlib", fill=fill, missing=fill is not None)
        yield Case(f"type {dtype}", "v3-2020", dtype, fill=some_fill(native(np.dtype(dtype))), missing=True)
    for name, dtype in STRUCTS.items():
        yield Case(f"struct {name}", "v1", dtype, codec="zlib")
        yield Case(f"struct {name}", "v3-2020", dtype)
    for codec, dtype in itertools.product(CODECS, ["<i4", ">f8", "u1"]):
        if codec in IN_V1:
            yield Case(f"codec {codec} {dtype}", "v1", dtype, codec=codec)
        yield Case(f"codec {codec} {dtype}", "v3-2020", dtype, codec=codec)
    for (shape, chunks), order in itertools.product(SHAPES, "CF"):
        yield Case(f"layout {order} {shape}", "v1", "<i4", order=order, shape=shape, chunks=chunks, fill=-7, missing=True)
        for separator in "./":
            more = {"order": order, "shape": shape, "chunks": chunks, "separator": separator, "fill": -7}
            yield Case(f"layout {order}{separator} {shape}", "v3-2020", "<i4", **more, missing=True)
    for name, value in {"nan": np.nan, "inf": np.inf, "minus inf": -np.inf, "tenth": 0.1}.items():
        for dtype in ("<f4", ">f8"):
            yield Case(f"fill {name} {dtype}", "v1", dtype, fill=value, missing=True)
            yield Case(f"fill {name} {dtype}", "v3-2020", dtype, fill=value, missing=True)
    for codec in ("none", "gzip", "blosc"):
        yield Case(f"shards {codec}", "v3-2020", "<i4", codec=codec, shards=(2, 2), fill=3, missing=True)
    yield Case("filter", "v3-2020", "<i4", filters=[{"id": "shuffle", "elementsize": 4}])
    yield Case("scalar", "v3-2020", "<i4", shape=(), chunks=())


def document_2020(case):
    """What zarr-python writes for filters, of which the calls that describe an array know nothing."""
    name, configuration = CODECS[case.codec][0]
    return {
        "shape": case.shape, "data_type": case.dtype.str, "chunk_memory_layout": "C", "fill_value": 0,
        "chunk_grid": {"type": "regular", "chunk_shape": case.chunks, "separator": "/"}, "extensions": [],
        "compressor": {"codec": f"https://purl.org/zarr/spec/codec/{name}/1.0", "configuration": configuration},
        "attributes": {"filters": case.filters},
    }  # fmt: skip


def zarrc_write(case, folder):
    path = "" if case.format == "v1" else PATH
    chunks = case.chunks
    options = {"format": case.format, "order": case.order, "codecs": CODECS[case.codec]}
    if case.shards:
        options["shard_shape"] = [n * count for n, count in zip(chunks, case.shards)]
    if case.separator:
        options["separator"] = case.separator
    if case.fill is not None:
        options["fill_value"] = case.fill
    with zarrc_ffi.Store(folder, "a") as store:
        if case.filters:
            array = store.create_array_from(path, document_2020(case), case.format)
        else:
            array = store.create_array(path, case.shape, case.dtype, chunk_shape=chunks, **options)
        with array:
            array.attributes.replace(ATTRIBUTES)
            for box in case.boxes:
                array.write(case.values[box], [part.start for part in box])


def zarrc_read(case, folder):
    with zarrc_ffi.Store(folder) as store, store.array("" if case.format == "v1" else PATH) as array:
        if case.format != "v1":
            assert store.group().list() == [("g", "group"), (PATH, "array")], store.group().list()
        return array.read(dtype=case.values.dtype), array.attributes.get()


def exchange(root, zarr2, tally, same_bits, words):
    def problem(case, folder, write, read):
        def act():
            write(case, folder)
            values, attributes = read(case, folder)
            wrong = same_bits(case.expected, values)
            return wrong or (None if attributes == ATTRIBUTES else f"attributes {attributes}")

        return attempt(act)

    for number, case in enumerate(cases()):
        if words and not any(word in case.name for word in words):
            continue
        routes = [("zarrc", zarrc_write, "zarrc", zarrc_read), ("zarrc", zarrc_write, zarr2.name, zarr2.read_old)]
        if case.format == "v3-2020":
            routes.append((zarr2.name, zarr2.write_2020, "zarrc", zarrc_read))
        for writer, write, reader, read in routes:
            folder = os.path.join(root, f"old{number}", f"{writer}-{reader}")
            os.makedirs(folder)
            found = problem(case, folder, write, read)
            if case.lacking and reader == zarr2.name:
                outcome = ("unsupported", case.lacking) if found else ("failed", "works, though listed as lacking")
            else:
                outcome = ("failed", found) if found else ("ok",)
            tally.add("old", case.name, (writer, reader), *outcome)
