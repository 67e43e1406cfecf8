#!/usr/bin/env python3
"""Worker processes write one array on an S3 server at the same time: results, throughput, requests.

    workers.py [--library FILE] [--rounds N] [--delay MS] [--workers N,N,…]

The array has 512 x 256 x 128 float32 elements (64 MiB), zstd level 3, in chunks of 64^3. Each worker writes a slab along
the first axis: `aligned` slabs end with chunks, others within them, so that two workers change each chunk in between by
a read and a conditional write. Each worker has one thread and `concurrency` 4, as if it were one of many, and its
processor time is added up. A round begins with a new array; the result is read and compared. The server is that of
run.py.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

import numpy as np

from server import counted, running

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SHAPE, CHUNK, SHIFT = (512, 256, 128), 64, 20
KEY, SECRET, REGION = "AKIAEXAMPLEKEY", "secretsecretsecret", "us-east-1"


def values():
    z, y, x = np.ogrid[: SHAPE[0], : SHAPE[1], : SHAPE[2]]
    field = np.sin(z / 37.0) * np.cos(y / 29.0) * 100 + np.sin((x + z) / 53.0) * 40 + np.cos((x - y) / 61.0) * 25
    return (np.round(field * 64) / 64).astype("f4")


def rows(number, workers, aligned):
    cuts = [SHAPE[0] * n // workers + (0 if aligned or n in (0, workers) else SHIFT) for n in range(workers + 1)]
    return slice(cuts[number], cuts[number + 1])


def opened(endpoint, path, mode):
    import zarrc

    options = dict(endpoint=endpoint, access_key_id=KEY, secret_access_key=SECRET, region=REGION)
    return zarrc.open(f"s3://bucket/{path}", mode, threads=1, concurrency=4, **options)


def work(endpoint, path, number, workers, aligned):
    array = opened(endpoint, path, "r+").open_array()
    mine = rows(number, workers, aligned)
    data = np.ascontiguousarray(values()[mine])
    print("ready", flush=True)
    sys.stdin.readline()
    before = resource.getrusage(resource.RUSAGE_SELF)
    array[mine] = data
    after = resource.getrusage(resource.RUSAGE_SELF)
    print(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, flush=True)


def measure(address, path, workers, aligned):
    """Seconds, processor seconds and requests of one round, after looking at what was written."""
    endpoint = f"http://{address}"
    opened(endpoint, path, "w").create_array(
        shape=SHAPE, dtype="f4", chunks=[CHUNK] * 3, codecs=[("zstd", {"level": 3, "checksum": False})])
    command = [sys.executable, __file__, "--work", endpoint, path]
    processes = [subprocess.Popen([*command, str(n), str(workers), str(int(aligned))], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True) for n in range(workers)]
    for p in processes:
        assert p.stdout.readline() == "ready\n", "a worker has failed"
    counted(address)
    began = time.perf_counter()
    for p in processes:
        p.stdin.write("go\n")
        p.stdin.flush()
    processor = sum(float(p.stdout.readline()) for p in processes)
    seconds = time.perf_counter() - began
    requests = counted(address)
    assert [p.wait() for p in processes] == [0] * workers, "a worker has failed"
    np.testing.assert_array_equal(opened(endpoint, path, "r").open_array()[...], values())
    return seconds, processor, requests["total"]


def main():
    if sys.argv[1:2] == ["--work"]:
        endpoint, path, number, workers, aligned = sys.argv[2:]
        return work(endpoint, path, int(number), int(workers), aligned == "1")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default=str(ROOT / "build/libzarrc.so"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--delay", type=float, default=20, help="milliseconds")
    parser.add_argument("--workers", default="1,2,4,8")
    parser.add_argument("--port", type=int, default=18460)
    options = parser.parse_args()
    os.environ["ZARRC_LIBRARY"] = str(pathlib.Path(options.library).resolve())
    os.environ["PYTHONPATH"] = str(ROOT / "bindings/python")
    sys.path.insert(0, os.environ["PYTHONPATH"])
    size = np.prod(SHAPE) * 4
    with running(options.port, options.delay) as (far,):
        kinds = [(int(n), aligned) for n in options.workers.split(",") for aligned in (True, False)]
        found = {kind: [] for kind in kinds}
        for turn in range(options.rounds):
            for workers, aligned in kinds:
                path = f"w/{turn}-{workers}-{int(aligned)}"
                round_ = measure(far, path, workers, aligned)
                print(workers, aligned, *round_, file=sys.stderr, flush=True)
                found[workers, aligned].append(round_)
    print("| workers | slabs | MB/s | processor s per GB | requests per GB |\n|--:|---|--:|--:|--:|")
    for (workers, aligned), rounds in found.items():
        seconds, processor, requests = (statistics.median(column) for column in zip(*rounds))
        print(f"| {workers} | {'aligned' if aligned else 'not aligned'} | {size / seconds / 1e6:.0f} | "
              f"{processor / size * 1e9:.1f} | {requests / size * 1e9:.0f} |")


if __name__ == "__main__":
    main()
