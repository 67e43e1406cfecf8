"""Runs under zarr-python 2: reads requests, one JSON object a line, and answers each with one."""
import json
import os
import sys
import types
import warnings

os.environ["ZARR_V3_EXPERIMENTAL_API"] = os.environ["ZARR_V3_SHARDING"] = "1"  # the draft of 2020

import numcodecs
import numpy as np
import zarr

warnings.simplefilter("ignore")
# To read shards it imports a module of its tests, and with it pytest, for one class.
tests = types.ModuleType("zarr.tests.test_storage_v3")
tests.DummyStorageTransfomer = type("DummyStorageTransfomer", (), {"extension_uri": None})
sys.modules[tests.__name__] = tests


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
        filters=document["filters"] and [numcodecs.get_codec(f) for f in document["filters"]],
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


def hexdigest(folder, path):
    return zarr.open_array(zarr.DirectoryStore(folder), path=path, mode="r").hexdigest()


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


def write_2020(folder, path, values, array, attributes, boxes):
    values = np.load(values)
    dtype = dtype_of(array["dtype"])
    transformers = []
    if array["shards"]:
        from zarr._storage.v3_storage_transformers import ShardingStorageTransformer

        transformers = [ShardingStorageTransformer("indexed", chunks_per_shard=tuple(array["shards"]))]
    fill = array["fill"] and np.frombuffer(bytes.fromhex(array["fill"][0]), dtype_of(array["fill"][1]))[0]
    node = zarr.create(
        store=zarr.DirectoryStoreV3(folder),
        path=path,
        zarr_version=3,
        shape=tuple(array["shape"]),
        chunks=tuple(array["chunks"]) or True,
        dtype=dtype,
        compressor=array["compressor"] and numcodecs.get_codec(array["compressor"]),
        filters=array["filters"] and [numcodecs.get_codec(f) for f in array["filters"]],
        fill_value=fill,
        order=array["order"],
        dimension_separator=array["separator"],
        storage_transformers=transformers,
    )
    node.attrs.update(attributes)
    for box in boxes:
        box = tuple(slice(start, stop) for start, stop in box)
        node[box] = values[box]


def read_2020(folder, path, values):
    array = zarr.open_array(zarr.DirectoryStoreV3(folder), path=path, mode="r", zarr_version=3)
    np.save(values, np.asarray(array[...]))
    return array.attrs.asdict()


def read_v1(folder, values):
    from zarr.storage import migrate_1to2

    migrate_1to2(zarr.DirectoryStore(folder))
    return read(folder, values)


def write_objects(folder, document, kind, run, values):
    array = zarr.create(
        store=zarr.DirectoryStore(folder),
        shape=tuple(document["shape"]),
        chunks=tuple(document["chunks"]),
        dtype=object,
        compressor=numcodecs.get_codec(document["compressor"]),
        object_codec=numcodecs.get_codec(document["filters"][0]),
        fill_value=document["fill_value"],
        order=document["order"],
    )
    convert = {"bytes": bytes.fromhex, "runs": lambda value: np.array(value, run)}.get(kind, lambda value: value)
    items = np.empty(len(values), object)
    for i, value in enumerate(values):
        items[i] = convert(value)
    array[...] = items.reshape(array.shape)


def read_objects(folder, kind, run):
    convert = {"bytes": bytes.hex, "runs": np.ndarray.tolist}.get(kind, lambda value: value)
    return [convert(item) for item in zarr.open_array(zarr.DirectoryStore(folder), mode="r")[...].ravel()]


def store_of(kind, path, mode, options):
    """A store of any kind: one file, two, or a server's."""
    if kind == "zip":
        return zarr.ZipStore(path, mode=mode)
    if kind == "sqlite":
        return zarr.SQLiteStore(path)
    if kind.startswith("lmdb"):
        return zarr.LMDBStore(path, subdir=kind == "lmdb", map_size=1 << 30)
    if kind == "redis":
        return zarr.RedisStore(path, **options)
    if kind == "mongodb":
        return zarr.MongoDBStore(**options)
    if kind == "azure":
        from azure.storage.blob import ContainerClient

        return zarr.ABSStore(prefix=path, client=ContainerClient(**options))
    import importlib

    return zarr.DBMStore(path, flag="c" if mode == "w" else "r", open=importlib.import_module(kind).open)


def write_store(kind, path, attributes, options={}):
    store = store_of(kind, path, "w", options)
    group = zarr.open_group(store, mode="a").require_group("g")
    group.attrs.put(attributes)
    array = group.create_dataset("a", shape=(35, 20), chunks=(10, 8), dtype="<i4")
    array[...] = np.arange(35 * 20).reshape(35, 20)
    array.attrs.put(attributes)
    if hasattr(store, "close"):
        store.close()


def read_store(kind, path, options={}):
    store = store_of(kind, path, "r", options)
    group = zarr.open_group(store, mode="r")
    array = group["g/a"]
    out = [array[...].tolist(), array.attrs.asdict(), group["g"].attrs.asdict()]
    if hasattr(store, "close"):
        store.close()
    return out


def copy_all(source, target):
    """Copies an HDF5 file; the attributes of each array."""
    import h5py

    group = zarr.open_group(target, mode="w")
    with h5py.File(source) as f:
        zarr.copy_all(f, group)
    found = {}
    group.visititems(lambda name, node: found.update({name: node.attrs.asdict()}) if hasattr(node, "shape") else None)
    return found


def answer(request):
    do = request.pop("do")
    if do == "version":
        return zarr.__version__
    known = [write, read, tree, make_tree, write_n5, read_n5, write_2020, read_2020, read_v1, write_objects, read_objects]
    known += [write_store, read_store, hexdigest, copy_all]
    return {function.__name__: function for function in known}[do](**request)


# What a library prints must not come between the answers.
out, sys.stdout = os.fdopen(os.dup(1), "w"), sys.stderr
for line in sys.stdin:
    try:
        reply = {"ok": answer(json.loads(line))}
    except Exception as error:
        reply = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(reply), file=out, flush=True)
