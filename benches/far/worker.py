"""Runs workloads of benches/far/run.py with one library in one process; a line of JSON for each.

    worker.py LIBRARY URL TAG WORKLOAD,…        URL: s3:http://HOST:PORT or http://HOST:PORT
"""
import asyncio
import ctypes
import gc
import json
import os
import resource
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from server import counted

library, url, tag, workloads = sys.argv[1:5]
is_s3 = url.startswith("s3:")
endpoint = url.removeprefix("s3:")
address = endpoint.removeprefix("http://")
KEY, SECRET, REGION = "AKIAEXAMPLEKEY", "secretsecretsecret", "us-east-1"
os.environ.update(AWS_ACCESS_KEY_ID=KEY, AWS_SECRET_ACCESS_KEY=SECRET, AWS_REGION=REGION, AWS_EC2_METADATA_DISABLED="true")

values = np.load(os.environ["FAR_DATA"])
boxes = [tuple(slice(o, o + 16) for o in np.random.default_rng(7 + n).integers(0, np.array(values.shape) - 16)) for n in range(200)]


class Zarrc:
    def __init__(self):
        import zarrc

        self.zarrc = zarrc

    def store(self, path, mode="r"):
        if not is_s3:
            return self.zarrc.open(f"{endpoint}/bucket/{path}", mode)
        options = dict(endpoint=endpoint, access_key_id=KEY, secret_access_key=SECRET, region=REGION)
        return self.zarrc.open(f"s3://bucket/{path}", mode, **options)

    def open(self, path):
        return self.store(path).open_array()

    def open_all(self, group, count):
        store = self.store(group)
        return [store.open_array(f"a{n:03d}") for n in range(count)]

    def read(self, array, key=...):
        return array[key]

    def boxes(self, array):
        return [request.wait() for request in [array.read_start(box) for box in boxes]]

    def write(self, path, chunks, shards):
        store = self.store(path, "w")
        settings = dict(shards=shards) if shards else {}
        codecs = [("zstd", {"level": 3, "checksum": False})]
        array = store.create_array(shape=values.shape, dtype="f4", chunks=chunks, codecs=codecs, **settings)
        array[...] = values


class Tensorstore:
    def __init__(self):
        import tensorstore

        self.ts = tensorstore
        self.context()

    def context(self):
        settings = {"aws_credentials": {"type": "environment"}} if is_s3 else {}
        self.c = self.ts.Context({**settings, "cache_pool": {"total_bytes_limit": 0}})

    def spec(self, path):
        kv = {"driver": "http", "base_url": f"{endpoint}/bucket/{path}/"}
        if is_s3:
            kv = {"driver": "s3", "bucket": "bucket", "path": path + "/", "endpoint": endpoint, "aws_region": REGION}
        return {"driver": "zarr3", "kvstore": kv}

    def open(self, path):
        self.context()
        return self.ts.open(self.spec(path), context=self.c, read=True).result()

    def open_all(self, group, count):
        self.context()
        specs = (self.spec(f"{group}/a{n:03d}") for n in range(count))
        return [self.ts.open(spec, context=self.c, read=True).result() for spec in specs]

    def read(self, array, key=...):
        return array[key].read().result()

    def boxes(self, array):
        return [future.result() for future in [array[box].read() for box in boxes]]

    def write(self, path, chunks, shards):
        self.context()
        inner = [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "zstd", "configuration": {"level": 3}}]
        sharding = [{"name": "sharding_indexed", "configuration": {"chunk_shape": chunks, "codecs": inner}}]
        grid = {"name": "regular", "configuration": {"chunk_shape": shards or chunks}}
        metadata = {"shape": values.shape, "data_type": "float32", "chunk_grid": grid, "codecs": sharding if shards else inner}
        array = self.ts.open({**self.spec(path), "metadata": metadata}, context=self.c, create=True).result()
        array.write(values).result()


class Zarrs:
    """zarr-python with the codec pipeline of zarrs, and the stores of obstore."""

    def __init__(self):
        import obstore.store
        import zarr
        import zarrs  # noqa: F401

        self.zarr, self.stores = zarr, obstore.store
        zarr.config.set({"codec_pipeline.path": "zarrs.ZarrsCodecPipeline", "async.concurrency": 64})

    def store(self, path, read_only=True):
        settings = dict(client_options={"allow_http": True})
        if is_s3:
            settings |= dict(prefix=path, endpoint=endpoint, access_key_id=KEY, secret_access_key=SECRET, region=REGION)
            store = self.stores.S3Store("bucket", **settings)
        else:
            store = self.stores.HTTPStore(f"{endpoint}/bucket/{path}", **settings)
        return self.zarr.storage.ObjectStore(store, read_only=read_only)

    def open(self, path):
        return self.zarr.open_array(self.store(path), mode="r", zarr_format=3)

    def open_all(self, group, count):
        store = self.store(group)
        return [self.zarr.open_array(store, path=f"a{n:03d}", mode="r", zarr_format=3) for n in range(count)]

    def read(self, array, key=...):
        return array[key]

    def boxes(self, array):
        async def read():
            return await asyncio.gather(*(array.async_array.getitem(box) for box in boxes))

        return self.zarr.core.sync.sync(read())

    def write(self, path, chunks, shards):
        compressor = self.zarr.codecs.ZstdCodec(level=3)
        array = self.zarr.create_array(
            self.store(path, False), shape=values.shape, dtype="f4", chunks=chunks, shards=shards, compressors=compressor)
        array[...] = values


def in_threads(array):
    with ThreadPoolExecutor(32) as threads:
        return list(threads.map(lambda box: peer.read(array, box), boxes))


def kilobytes(field):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(field + ":"))


peer = {"zarrc": Zarrc, "tensorstore": Tensorstore, "zarrs": Zarrs}[library]()
FULL = {
    "first": lambda: peer.read(peer.open("chunked")),
    "second": lambda: peer.read(peer.open("chunked")),
    "shards": lambda: peer.read(peer.open("sharded")),
}
RUN = {
    **FULL,
    "boxes": lambda: peer.boxes(peer.open("chunked")),
    "threads": lambda: in_threads(peer.open("chunked")),
    "write": lambda: peer.write(f"w/{tag}-c", [64] * 3, None),
    "write shards": lambda: peer.write(f"w/{tag}-s", [32] * 3, [128] * 3),
    "open": lambda: peer.open_all("group", 50),
}
libc = ctypes.CDLL(None)
# fresh pages can cost a virtual machine more than a whole read: let it have them before
np.ones(2 * values.size, "f4")
for workload in workloads.split(","):
    gc.collect()
    libc.malloc_trim(0)
    counted(address)
    with open("/proc/self/clear_refs", "w") as clear:
        clear.write("5")
    before, used, began = kilobytes("VmRSS"), resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    result = RUN[workload]()
    seconds, now = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF)
    line = dict(workload=workload, ms=seconds * 1e3, mib=(kilobytes("VmHWM") - before) / 1024)
    line.update(cpu=now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime, faults=now.ru_minflt - used.ru_minflt)
    line.update(requests=counted(address)["total"])
    if workload in FULL:
        assert np.array_equal(result, values), workload
    elif workload in ("boxes", "threads"):
        assert all(np.array_equal(part, values[box]) for part, box in zip(result, boxes))
    result = None
    print(json.dumps(line), flush=True)
