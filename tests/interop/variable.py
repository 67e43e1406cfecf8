"""Elements of variable length, exchanged with zarr-python 2 and 3: strings, bytes, runs of numbers, JSON.

Values travel as what JSON has: text as it is, bytes in hexadecimal, runs as lists of numbers.
"""
import json
import os

import numpy as np
import zarr

import zarrc_ffi

SHAPE, CHUNKS = [3, 5], [2, 3]
RUN = "<i2"

TEXTS = ["", "a", "größe", "☃🚀", "longer than the others", "x\ny"]
BYTES = [b"", b"\0\xff", b"abc", bytes(range(40))]
RUNS = [[], [1], [-2, 300], list(range(20))]
JSONS = [None, True, 1.5, -(2**53), "größe", [], [1, "two", [3]], {"b": {"n": 1}, "a": None}]
LABELS = ["one", "two", "three"]

# kind: data type of v3, filters of v2, values
KINDS = {
    "utf8": ("string", [{"id": "vlen-utf8"}], TEXTS),
    "bytes": ("bytes", [{"id": "vlen-bytes"}], [value.hex() for value in BYTES]),
    "runs": (None, [{"id": "vlen-array", "dtype": RUN}], RUNS),
    "json2": (None, [{"id": "json2"}], JSONS),
    "msgpack2": (None, [{"id": "msgpack2"}], JSONS),
    "categorize": (None, [{"id": "categorize", "labels": LABELS, "dtype": "|O", "astype": "|u1"}], ["", *LABELS]),
}


def values_of(kind):
    choices = KINDS[kind][2]
    return [choices[i * 7 % len(choices)] for i in range(SHAPE[0] * SHAPE[1])]


def to_bytes(kind, value):
    if kind in ("utf8", "categorize"):
        return value.encode()
    if kind == "bytes":
        return bytes.fromhex(value)
    if kind == "runs":
        return np.array(value, RUN).astype("=i2").tobytes()
    return json.dumps(value).encode()


def from_bytes(kind, item):
    if kind in ("utf8", "categorize"):
        return item.decode()
    if kind == "bytes":
        return item.hex()
    if kind == "runs":
        return np.frombuffer(item, "=i2").tolist()
    return json.loads(item)


def document(kind, order, format):
    if format == 3:
        transpose = [{"name": "transpose", "configuration": {"order": [1, 0]}}] if order == "F" else []
        return {
            "zarr_format": 3, "node_type": "array", "shape": SHAPE, "data_type": KINDS[kind][0], "fill_value": "",
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": CHUNKS}},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
            "codecs": [
                *transpose,
                {"name": f"vlen-{kind}", "configuration": {}},
                {"name": "zstd", "configuration": {"level": 1, "checksum": False}},
            ],
        }  # fmt: skip
    return {
        "zarr_format": 2, "shape": SHAPE, "chunks": CHUNKS, "dtype": "|O", "fill_value": None, "order": order,
        "filters": KINDS[kind][1], "compressor": {"id": "zlib", "level": 1},
    }  # fmt: skip


def zarrc_write(folder, format, kind, order):
    with zarrc_ffi.Store(folder, "a") as store:
        with store.create_array_from("", document(kind, order, format)) as array:
            array.write_vlen([to_bytes(kind, value) for value in values_of(kind)])


def zarrc_read(folder, kind):
    with zarrc_ffi.Store(folder) as store, store.array("") as array:
        return [from_bytes(kind, item) for item in array.read_vlen()]


def zarr_write(folder, format, kind, order):
    data_type = {"utf8": zarr.dtype.VariableLengthUTF8(), "bytes": zarr.dtype.VariableLengthBytes()}[kind]
    chosen = {"order": order} if format == 2 else {}
    array = zarr.create_array(folder, shape=SHAPE, chunks=CHUNKS, dtype=data_type, zarr_format=format, **chosen)
    items = [to_bytes(kind, value) for value in values_of(kind)]
    array[...] = objects([item.decode() for item in items] if kind == "utf8" else items)


def objects(items):
    out = np.empty(len(items), object)
    out[:] = items
    return out.reshape(SHAPE)


def zarr_read(folder, kind):
    items = zarr.open_array(folder, mode="r")[...].ravel().tolist()
    return [item.hex() if kind == "bytes" else item for item in items]


def exchange(root, zarr2, tally):
    zarr3_name = f"zarr-python {zarr.__version__}"
    for format in (2, 3):
        for kind in KINDS if format == 2 else ("utf8", "bytes"):
            for order in "CF":
                writers = [("zarrc", lambda f: zarrc_write(f, format, kind, order))]
                readers = [("zarrc", lambda f: zarrc_read(f, kind))]
                if kind in ("utf8", "bytes"):
                    writers.append((zarr3_name, lambda f: zarr_write(f, format, kind, order)))
                    readers.append((zarr3_name, lambda f: zarr_read(f, kind)))
                if format == 2:
                    request = {"kind": kind, "run": RUN}
                    said = {"document": document(kind, order, 2), "values": values_of(kind)}
                    writers.append((zarr2.name, lambda f: zarr2.ask(do="write_objects", folder=f, **request, **said)))
                    # it does not read what it writes of these in order F: rows come out as columns
                    if order == "C" or kind not in ("json2", "msgpack2"):
                        readers.append((zarr2.name, lambda f: zarr2.ask(do="read_objects", folder=f, **request)))
                for writer, write in writers:
                    folder = os.path.join(root, f"variable-{format}-{kind}-{order}-{writer}")
                    for reader, read in readers if writer == "zarrc" else readers[:1]:
                        problem = attempt(lambda: None if os.path.exists(folder) else write(folder))
                        problem = problem or attempt(lambda: difference(kind, read(folder)))
                        outcome = ("failed", problem) if problem else ("ok",)
                        tally.add("variable", f"v{format} {kind} {order}", (writer, reader), *outcome)


def attempt(action):
    try:
        return action()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def difference(kind, values):
    return None if values == values_of(kind) else f"{values} instead of {values_of(kind)}"
