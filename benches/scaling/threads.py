#!/usr/bin/env python3
"""Measures how reading scales with threads, also with more of them than cores, and prints a table.

    ZARRC_LIBRARY=libzarrc.so PYTHONPATH=bindings/python benches/scaling/threads.py [--rounds N] [--edge N]

Arrays of edge^3 float32 in memory (/dev/shm), read whole into memory that was used before. The thread numbers take
turns; each time is the median of the rounds, in milliseconds.
"""
import argparse
import pathlib
import statistics
import tempfile
import time

import numpy as np
import zarrc

THREADS = [1, 2, 4, 8, 16, 32]
LAYOUTS = {
    "chunks of 8^3, none": dict(chunks=[8] * 3, codecs=["none"]),
    "chunks of 64^3, none": dict(chunks=[64] * 3, codecs=["none"]),
    "chunks of 64^3, zstd": dict(chunks=[64] * 3, codecs=["zstd"]),
    "shards of 128^3 of 64^3, zstd": dict(shards=[128] * 3, chunks=[64] * 3, codecs=["zstd"]),
}


def field(edge):
    """A smooth field, rounded to 15 bits of mantissa, so that it compresses as a simulation's does."""
    z, y, x = np.ogrid[:edge, :edge, :edge]
    values = 280 + 10 * np.sin(z / 17) * np.cos(y / 23) * np.sin(x / 29)
    values = (values + np.random.default_rng(1).random(values.shape) / 16).astype("f4")
    return (values.view("u4") & ~np.uint32(0xFF)).view("f4")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--edge", type=int, default=256)
    arguments = parser.parse_args()
    data = field(arguments.edge)
    out = np.empty_like(data)
    shared = pathlib.Path("/dev/shm")
    print(f"| threads | {' | '.join(LAYOUTS)} |\n|--:|{'--:|' * len(LAYOUTS)}")
    cells = {count: [] for count in THREADS}
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None) as place:
        for layout in LAYOUTS.values():
            zarrc.open(place, "w").create_array("a", data=data, **layout)
            arrays = {count: zarrc.open(place, threads=count, chunk_cache=0).open_array("a") for count in THREADS}
            times = {count: [] for count in THREADS}
            for round_ in range(arguments.rounds + 1):
                for count, array in arrays.items():
                    began = time.perf_counter()
                    array.read(out=out)
                    if round_:  # the first fills caches
                        times[count].append(time.perf_counter() - began)
            assert np.array_equal(out, data)
            for count in THREADS:
                cells[count].append(statistics.median(times[count]) * 1000)
    for count in THREADS:
        print(f"| {count} | {' | '.join(f'{ms:.3g}' for ms in cells[count])} |")


if __name__ == "__main__":
    main()
