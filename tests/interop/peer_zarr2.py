"""Runs under zarr-python 2: reads requests, one JSON object a line, and answers each with one."""
import json
import os
import sys
import warnings

import numcodecs
import numpy as np
import zarr

warnings.simplefilter("ignore")


def dtype_of(described):
    if isinstance(described, str):
        return np.dtype(described)
    return np.dtype([(f[0], dtype_of(f[1]), *map(tuple, f[2:])) for f in described])


def write(folder, values, document, attributes, boxes):
    values = np.load(values)
    dtype = dtype_of(document["dtype"])
    # The fill value in the document's words, decoded by zarr-python itself.
    from zarr.meta import Metadata2

    array = zarr.create(
        store=zarr.DirectoryStore(folder),
        shape=tuple(document["shape"]),
        chunks=tuple(document["chunks"]) or True,
        dtype=dtype,
        compressor=document["compressor"] and numcodecs.get_codec(document["compressor"]),
        filters=document["filters"],
        fill_value=Metadata2.decode_fill_value(document["fill_value"], dtype, None),
        order=document["order"],
        dimension_separator=document.get("dimension_separator"),
    )
    array.attrs.put(attributes)
    for box in boxes:
        box = tuple(slice(start, stop) for start, stop in box)
        array[box] = values[box]


def read(folder, values):
    array = zarr.open_array(zarr.DirectoryStore(folder), mode="r")
    np.save(values, np.asarray(array[...]))
    return array.attrs.asdict()


def write_n5(folder, path, values, document, attributes, boxes):
    from zarr.n5 import compressor_config_to_zarr

    values = np.load(values)
    compressor = compressor_config_to_zarr(document["compression"])
    store = zarr.N5Store(folder)
    zarr.open_group(store, mode="a")
    array = zarr.create(
        store=store,
        path=path,
        shape=tuple(document["dimensions"][::-1]),
        chunks=tuple(document["blockSize"][::-1]),
        dtype=document["dataType"],
        compressor=compressor and numcodecs.get_codec(compressor),
        fill_value=0,
    )
    array.attrs.put(attributes)
    for box in boxes:
        box = tuple(slice(start, stop) for start, stop in box)
        array[box] = values[box]


def read_n5(folder, path, values):
    group = zarr.open_group(zarr.N5Store(folder), mode="r")
    array = group[path]
    np.save(values, np.asarray(array[...]))
    return array.attrs.asdict()


def tree(folder, consolidated):
    group = zarr.open_consolidated(folder) if consolidated else zarr.open_group(folder, mode="r")
    nodes = [["", "group", group.attrs.asdict()]]
    group.visititems(
        lambda path, node: nodes.append([path, "array" if hasattr(node, "shape") else "group", node.attrs.asdict()])
    )
    return sorted(nodes)


def make_tree(folder, nodes):
    for path, kind, attributes in nodes:
        store = zarr.DirectoryStore(folder)
        if kind == "group":
            node = zarr.open_group(store, mode="a", path=path)
        else:
            node = zarr.create(store=store, path=path, shape=(4,), chunks=(2,), dtype="<i4")
            node[...] = np.arange(4)
        node.attrs.put(attributes)
    zarr.consolidate_metadata(folder)


def answer(request):
    do = request.pop("do")
    if do == "version":
        return zarr.__version__
    return {"write": write, "read_n5": read_n5, "write_n5": write_n5, "read": read, "tree": tree, "make_tree": make_tree}[do](**request)


# What a library prints must not come between the answers.
out, sys.stdout = os.fdopen(os.dup(1), "w"), sys.stderr
for line in sys.stdin:
    try:
        reply = {"ok": answer(json.loads(line))}
    except Exception as error:
        reply = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(reply), file=out, flush=True)
