#!/usr/bin/env python3
"""Frames of 2048 x 2048 uint16 into zstd shards of 16 frames: zarrc by requests, tensorstore with a transaction
for each shard, acquire-zarr. They take turns.

    run.py LIBDIR [FRAMES [ROUNDS]]

LIBDIR holds libzarrc; needs NumPy, tensorstore and acquire-zarr, each of which is left out if it is missing.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
SIDE, SHARD = 2048, 16


def frames():
    """A moving wave with noise, as a camera sees it."""
    rng, (y, x) = np.random.default_rng(0), np.mgrid[0:SIDE, 0:SIDE]
    for k in range(SHARD):
        wave = 200 + 100 * np.sin((x + 7 * k) / 91) * np.cos(y / 77)
        yield (wave + rng.normal(0, 6, (SIDE, SIDE))).astype("u2")


class Calls:
    longest = 0

    def timed(self, function, *arguments):
        begun = time.perf_counter()
        function(*arguments)
        self.longest = max(self.longest, time.perf_counter() - begun)


def tensorstore(data, count, calls):
    import tensorstore as ts

    little = {"name": "bytes", "configuration": {"endian": "little"}}
    zstd = {"name": "zstd", "configuration": {"level": 1}}
    sharding = {"name": "sharding_indexed", "configuration": {"chunk_shape": [1, 512, 512], "codecs": [little, zstd]}}
    grid = {"name": "regular", "configuration": {"chunk_shape": [SHARD, SIDE, SIDE]}}
    metadata = {"shape": [count, SIDE, SIDE], "data_type": "uint16", "chunk_grid": grid, "codecs": [sharding]}
    spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": "ts.zarr/"}, "metadata": metadata}
    array = ts.open(spec, create=True, delete_existing=True, context=ts.Context({"file_io_sync": False})).result()
    for first in range(0, count, SHARD):
        transaction = ts.Transaction()
        writer = array.with_transaction(transaction)
        for k in range(SHARD):
            calls.timed(lambda: writer[first + k].write(data[k]).result())
        calls.timed(lambda: transaction.commit_async().result())


def acquire(data, count, calls):
    import acquire_zarr as aq

    def dimension(name, kind, size, chunk, shard):
        return aq.Dimension(name=name, kind=kind, array_size_px=size, chunk_size_px=chunk, shard_size_chunks=shard)

    space, level = aq.DimensionType.SPACE, dict(level=1, shuffle=0)
    dimensions = [
        dimension("t", aq.DimensionType.TIME, 0, 1, SHARD), dimension("y", space, SIDE, 512, 4),
        dimension("x", space, SIDE, 512, 4),
    ]  # fmt: skip
    compression = aq.CompressionSettings(compressor=aq.Compressor.ZSTD, codec=aq.CompressionCodec.ZSTD, **level)
    settings = aq.ArraySettings(dimensions=dimensions, data_type=aq.DataType.UINT16, compression=compression)
    stream = aq.ZarrStream(aq.StreamSettings(store_path="aq.zarr", overwrite=True, arrays=[settings]))
    for t in range(count):
        calls.timed(stream.append, data[t % SHARD])
    stream.close()


def main():
    library, count = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 96
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    data = np.stack(list(frames()))
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/camera"
        flags = [f"-I{HERE.parent.parent}/include", f"-L{library}", "-lzarrc", f"-Wl,-rpath,{library}"]
        subprocess.run(["cc", "-std=c99", "-O2", str(HERE / "camera.c"), "-o", program, *flags], check=True)
        data.tofile(f"{folder}/frames.raw")
        os.chdir(folder)
        for _ in range(rounds):
            answer = subprocess.run([program, "frames.raw", str(count)], capture_output=True, text=True, check=True)
            print(f"zarrc         {answer.stdout}", end="", flush=True)
            for name, write in (("tensorstore", tensorstore), ("acquire-zarr", acquire)):
                calls, begun = Calls(), time.perf_counter()
                try:
                    write(data, count, calls)
                except ImportError as missing:
                    print(f"{name:13} {missing}")
                    continue
                rate = count / (time.perf_counter() - begun)
                print(f"{name:13} {rate:.1f} frames/s, longest call {calls.longest * 1e3:.0f} ms", flush=True)


if __name__ == "__main__":
    main()
