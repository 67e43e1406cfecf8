#!/usr/bin/env python3
"""Frames of 2048 x 2048 uint16 into zstd shards of 16 frames: zarrc by its streaming writer, tensorstore with a transaction
for each shard, acquire-zarr. They take turns: first as fast as each of them takes frames, then at seven tenths of
the rate of the slowest.

    run.py LIBDIR [FRAMES [ROUNDS]]

LIBDIR holds libzarrc; needs NumPy, tensorstore and acquire-zarr, each of which is left out if it is missing.

As fast as it goes, a call that finds the queue full waits until a frame is encoded: the longest call then says how
evenly frames leave the queue, and how many frames fit it (zarrc: 256 MiB, 32 of them). A paced camera never
fills it, so there the longest call is that of the copy.
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
    """The longest of some calls, each begun when a camera of so many frames a second has the next; 0: at once."""

    def __init__(self, rate):
        self.rate, self.begun, self.frames, self.longest = rate, time.perf_counter(), 0, 0

    def frame(self, function, *arguments):
        if self.rate:
            time.sleep(max(0, self.begun + self.frames / self.rate - time.perf_counter()))
        self.frames += 1
        self.timed(function, *arguments)

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
            calls.frame(lambda: writer[first + k].write(data[k]).result())
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
        calls.frame(stream.append, data[t % SHARD])
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
        rates = {}

        def show(name, text, rate):
            found = float(text.split()[0])
            rates[name] = min(rates.get(name, found), found) if not rate else rates[name]
            print(f"{name:13} {'paced, ' if rate else ''}{text}", flush=True)

        def measure(rate):
            command = [program, "frames.raw", str(count), "256MiB", str(rate)]
            answer = subprocess.run(command, capture_output=True, text=True, check=True)
            show("zarrc", answer.stdout.strip(), rate)
            for name, write in (("tensorstore", tensorstore), ("acquire-zarr", acquire)):
                calls = Calls(rate)
                try:
                    write(data, count, calls)
                except ImportError as missing:
                    print(f"{name:13} {missing}")
                    continue
                took = count / (time.perf_counter() - calls.begun)
                show(name, f"{took:.1f} frames/s, longest call {calls.longest * 1e3:.0f} ms", rate)

        for _ in range(rounds):
            measure(0)
        for _ in range(rounds):
            measure(0.7 * min(rates.values()))


if __name__ == "__main__":
    main()
