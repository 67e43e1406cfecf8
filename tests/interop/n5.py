"""N5, exchanged with zarr-python 2 and tensorstore: every type, every compression, blocks at the edge, groups.

Shapes and values are as zarr-python shows them, axes reversed; a document has them as they are stored.
"""
import itertools
import os

import numpy as np
import tensorstore as ts

import zarrc_ffi
from cases import ATTRIBUTES, boxes_without_row, everything, some_values

TYPES = ["uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float32", "float64"]
COMPRESSIONS = {
    "raw": {"type": "raw"},
    "gzip": {"type": "gzip", "level": 5, "useZlib": False},
    "gzip-zlib": {"type": "gzip", "level": 1, "useZlib": True},
    "bzip2": {"type": "bzip2", "blockSize": 9},
    "xz": {"type": "xz", "preset": 1},
    "zstd": {"type": "zstd", "level": 3},
    "blosc-lz4": {"type": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0},
    "blosc-zstd": {"type": "blosc", "cname": "zstd", "clevel": 1, "shuffle": 2, "blocksize": 0},
    "lz4": {"type": "lz4", "acceleration": 1, "id": "lz4"},
    "lz4-java": {"type": "lz4", "blockSize": 65536},
}
SHAPES = [((11,), (4,)), ((7, 10), (3, 4)), ((3, 4, 5), (2, 2, 3)), ((2, 3, 2, 3), (1, 2, 2, 2)), ((0, 5), (2, 2))]
LACKING = {
    ("tensorstore", "lz4"): "no lz4",
    ("tensorstore", "lz4-java"): "no lz4",
    ("zarr-python", "lz4-java"): "knows only numcodecs' framing of lz4",
}
PATH = "a/b"


def cases():
    """Name, what of LACKING concerns it, document, values and the parts of them that are written."""
    for name, compression in COMPRESSIONS.items():
        for dtype in TYPES:
            yield f"{name} {dtype}", name, dtype, compression, (7, 10), (3, 4)
    for (shape, blocks), name in itertools.product(SHAPES, ("raw", "gzip")):
        yield f"{name} {shape}", name, "int32", COMPRESSIONS[name], shape, blocks


def zarrc_write(folder, document, values, boxes):
    with zarrc_ffi.Store(folder, "a") as store, store.create_array_from(PATH, document, "n5") as array:
        array.attributes.replace(ATTRIBUTES)
        for box in boxes:
            array.write(values[box], [part.start for part in box])


def zarrc_write_by_spec(folder, document, values, boxes):
    codecs = {"raw": [], "gzip": [("gzip", None)]}[document["compression"]["type"]]
    options = {"format": "n5", "chunk_shape": document["blockSize"][::-1], "attributes": ATTRIBUTES, "codecs": codecs}
    with zarrc_ffi.Store(folder, "a") as store:
        with store.create_array(PATH, values.shape, values.dtype, **options) as array:
            for box in boxes:
                array.write(values[box], [part.start for part in box])


def zarrc_read(folder):
    with zarrc_ffi.Store(folder) as store, store.array(PATH) as array:
        assert [kind for _, kind in store.group().list()] == ["group", "array"]
        return array.read(), array.attributes.get()


def tensorstore_spec(folder):
    return {"driver": "n5", "kvstore": {"driver": "file", "path": os.path.join(folder, PATH) + "/"}}


def tensorstore_write(folder, document, values, boxes):
    array = ts.open(tensorstore_spec(folder) | {"metadata": document}, create=True).result()
    for box in boxes:
        array[box[::-1]].write(values[box].T).result()


def tensorstore_read(folder):
    return ts.open(tensorstore_spec(folder), open=True, read=True).result().read().result().T, ...


def exchange(root, zarr2, tally, same_bits, words):
    name2 = zarr2.name
    ours = {"zarrc": zarrc_write, "zarrc (by spec)": zarrc_write_by_spec}
    writers = {**ours, name2: zarr2.write_n5, "tensorstore": tensorstore_write}
    readers = {"zarrc": zarrc_read, name2: zarr2.read_n5, "tensorstore": tensorstore_read}
    for label, codec, dtype, compression, shape, blocks in cases():
        case = f"n5 {label}"
        if words and not any(word in case for word in words):
            continue
        document = {
            "dimensions": shape[::-1],
            "blockSize": blocks[::-1],
            "dataType": dtype,
            "compression": compression,
        }
        values = some_values(np.dtype(dtype), shape)
        boxes = everything(shape) if codec != "raw" else boxes_without_row(shape, blocks)
        expected = np.zeros_like(values)
        for box in boxes:
            expected[box] = values[box]
        for number, (writer, write) in enumerate(writers.items()):
            if writer == "zarrc (by spec)" and compression["type"] not in ("raw", "gzip"):
                continue
            folder = os.path.join(root, case.replace(" ", "_"), str(number))
            os.makedirs(folder)
            written = attempt(lambda: write(folder, document, values, boxes))
            for reader, read in readers.items() if writer in ours else [("zarrc", zarrc_read)]:
                problem = written or attempt(
                    lambda: compare(read(folder), expected, {} if writer == "tensorstore" else ATTRIBUTES, same_bits)
                )
                lacking = {LACKING.get((peer.split(" ")[0], codec)) for peer in (writer, reader)} - {None}
                if lacking and problem:
                    tally.add("n5", case, (writer, reader), "unsupported", lacking.pop())
                elif lacking:
                    tally.add("n5", case, (writer, reader), "failed", "works, though listed as lacking")
                else:
                    tally.add("n5", case, (writer, reader), *(("failed", problem) if problem else ("ok",)))


def attempt(action):
    """What goes wrong in doing it, in words; None if nothing does."""
    try:
        return action()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def compare(read, expected, attributes, same_bits):
    values, found = read
    wrong = same_bits(expected, values)
    return wrong or (None if found in (..., attributes) else f"attributes {found}")
