#!/usr/bin/env python3
"""Measures what the pictures of the book show: measure.py, with the package zarrc on PYTHONPATH and NumPy. Writes
figures.json; draw.py makes the pictures of it.

Times are milliseconds of processor time of one thread, the least of several turns, so that other work on the
machine matters little. Files are in memory (/dev/shm)."""
import datetime
import json
import pathlib
import platform
import re
import shutil
import time

import numpy as np
import zarrc

HERE = pathlib.Path(__file__).resolve().parent
PLACE = pathlib.Path("/dev/shm/zarrc-book")
EDGE, TURNS = 256, 5
CHUNK = {"edge": [16, 32, 64, 128, 256]}
CODECS = {
    "none": ["bytes"],
    "zstd 1": [("zstd", {"level": 1})],
    "zstd 3": [("zstd", {"level": 3})],
    "zstd 9": [("zstd", {"level": 9})],
    "gzip 5": [("gzip", {"level": 5})],
    "blosc lz4, shuffle": [("blosc", {"cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 4, "blocksize": 0})],
    "blosc zstd, shuffle": [("blosc", {"cname": "zstd", "clevel": 3, "shuffle": "shuffle", "typesize": 4, "blocksize": 0})],
    "pcodec": [("numcodecs.pcodec", {"level": 8})],
    "bitround 12, zstd 3": [("bitround", {"keepbits": 12}), ("zstd", {"level": 3})],
}


def field():
    """A smooth field with noise, rounded to 15 bits of mantissa, as temperatures are often stored."""
    z, y, x = np.ogrid[:EDGE, :EDGE, :EDGE]
    values = 280 + 15 * np.sin(z / 37) * np.cos(y / 51) + 8 * np.sin(x / 29 + y / 83)
    values = (values + np.random.default_rng(7).normal(0, 0.02, values.shape)).astype("f4")
    bits = values.view("u4")
    return ((bits + 0x80) & np.uint32(0xFFFFFF00)).view("f4")


def least(job, turns=TURNS):
    times = []
    for _ in range(turns):
        begun = time.process_time()
        job()
        times.append(time.process_time() - begun)
    return round(min(times) * 1e3, 4)


def create(values, name="a", **settings):
    shutil.rmtree(PLACE, ignore_errors=True)
    store = zarrc.open(str(PLACE), "w", threads=1, chunk_cache=0)
    return store.create_array(name, shape=values.shape, dtype=values.dtype, **settings)


def files():
    return sum(1 for path in PLACE.rglob("*") if path.is_file())


def jobs(array):
    corners = np.random.default_rng(3).integers(0, EDGE - 16, (20, 3)).tolist()
    middle = EDGE // 2 + 1

    def boxes():
        for z, y, x in corners:
            array[z : z + 16, y : y + 16, x : x + 16]

    def series():
        for z, y, x in corners:
            array[:, y, x]

    return {
        "whole array": least(lambda: array[...]),
        "plane": least(lambda: array[middle]),
        "plane across": least(lambda: array[:, :, middle]),
        "20 boxes of 16³": least(boxes),
        "20 columns": least(series),
    }


def chunks(values):
    rows = []
    for edge in CHUNK["edge"]:
        array = create(values, chunks=(edge,) * 3)
        write = least(lambda: array.write(..., values), 2)
        rows.append({"edge": edge, "files": files(), "write": write, **jobs(array)})
        print(rows[-1], flush=True)
    return rows


def shards(values):
    rows = []
    for edge in (16, 32, 64):
        array = create(values, chunks=(edge,) * 3, shards=(128,) * 3)
        write = least(lambda: array.write(..., values), 2)
        rows.append({"edge": edge, "files": files(), "write": write, **jobs(array)})
        print(rows[-1], flush=True)
    return rows


def codecs(values):
    rows, part = [], np.ascontiguousarray(values[:128, :128])
    for name, chain in CODECS.items():
        array = create(part, chunks=(64,) * 3, codecs=chain)
        write = least(lambda: array.write(..., part), 3)
        stored = sum(path.stat().st_size for path in PLACE.rglob("c/**/*") if path.is_file())
        read = least(lambda: array[...])
        rows.append({"codec": name, "ratio": round(part.nbytes / stored, 3),
                     "encode": round(part.nbytes / write / 1e6, 4), "decode": round(part.nbytes / read / 1e6, 4)})
        print(rows[-1], flush=True)
    return rows


def main():
    values = field()
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    result = {
        "date": str(datetime.date.today()), "machine": cpu[1] if cpu else platform.machine(), "zarrc": zarrc.version(),
        "chunks": chunks(values), "shards": shards(values), "codecs": codecs(values),
    }
    shutil.rmtree(PLACE, ignore_errors=True)
    (HERE / "figures.json").write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
