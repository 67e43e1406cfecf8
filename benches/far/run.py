#!/usr/bin/env python3
"""Measures zarrc beside tensorstore, and zarr-python with zarrs, on an S3 and a web server with a delay, and prints a table (`make bench FAR=1`).

    run.py --library build/libzarrc.so [--rounds N] [--only WORKLOAD,…] [--delay MS] [--small-pages]

The server is a process of its own (benches/far/server.py), which sends values by sendfile and so takes little of the
processor. The array has 512 x 256 x 256 float32 elements, zstd level 3, in 128 chunks of 64^3 or 16 shards of 128^3 with
inner chunks of 32^3. `boxes` are 200 boxes of 16^3, all asked for before the first is waited for; `threads` are the same
from 32 threads. The libraries take turns, each round in a new process. A ratio is the median of the faster peer divided by
zarrc's: above 1, zarrc is faster.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from server import drop, running

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
READS, WRITES = ["first", "second", "shards", "boxes", "threads", "open"], ["write", "write shards"]
LIBRARIES = ["zarrc", "tensorstore", "zarrs"]


def use_environment():
    """Starts again with the Python of `make bench` if this one lacks what is needed."""
    if all(map(importlib.util.find_spec, ("numpy", "tensorstore", "obstore"))):
        return
    venv = pathlib.Path(os.environ.get("BENCH_VENV", ROOT / "build/bench/venv"))
    python = venv / "bin/python"
    if venv.exists() and venv.samefile(sys.prefix):
        raise SystemExit(f"{venv} lacks numpy, tensorstore or obstore: remove it, or name another in BENCH_VENV")
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        requirements = ROOT / "benches/peers/py/requirements.txt"
        subprocess.run([venv / "bin/pip", "install", "-q", "-r", requirements], check=True)
    os.execv(python, [python, __file__, *sys.argv[1:]])


def data(folder, endpoint):
    """The values, in a file and as arrays on the server, written by tensorstore."""
    import numpy as np

    z, y, x = np.ogrid[:512, :256, :256]
    values = np.sin(z / 37.0) * np.cos(y / 29.0) * 100 + np.sin((x + z) / 53.0) * 40 + np.cos((x - y) / 61.0) * 25
    np.save(folder / "values.npy", (np.round(values * 64) / 64).astype("f4"))
    os.environ["FAR_DATA"] = str(folder / "values.npy")
    sys.argv = ["worker.py", "tensorstore", "s3:" + endpoint, "data", "open"]
    script = (HERE / "worker.py").read_text().split("libc = ")[0]
    worker = {}
    exec(compile(script, "worker.py", "exec"), worker)
    peer = worker["peer"]
    peer.write("chunked", [64] * 3, None)
    peer.write("sharded", [32] * 3, [128] * 3)
    for n in range(50):
        metadata = {"shape": [10], "data_type": "int32", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [10]}}}
        peer.ts.open({**peer.spec(f"group/a{n:03d}"), "metadata": metadata}, context=peer.c, create=True).result()


def main():
    use_environment()
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", default=str(ROOT / "build/libzarrc.so"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default=",".join(READS + WRITES))
    parser.add_argument("--delay", type=float, default=20, help="milliseconds")
    parser.add_argument("--small-pages", action="store_true", help="no huge pages for NumPy's memory")
    parser.add_argument("--port", type=int, default=18400)
    options = parser.parse_args()
    os.environ["ZARRC_LIBRARY"] = str(pathlib.Path(options.library).resolve())
    os.environ["PYTHONPATH"] = str(ROOT / "bindings/python")
    # zarrc reads into NumPy's memory, which has huge pages unless this says no, tensorstore into its own
    os.environ["NUMPY_MADVISE_HUGEPAGE"] = "0" if options.small_pages else "1"
    only = options.only.split(",")
    with tempfile.TemporaryDirectory() as folder, running(options.port, 0, options.delay) as (near, far):
        data(pathlib.Path(folder), f"http://{near}")
        places = {
            "S3": ("s3:http://", near, READS + WRITES),
            f"S3 {options.delay:g} ms": ("s3:http://", far, READS + WRITES),
            f"HTTP {options.delay:g} ms": ("http://", far, READS),
        }
        measured = {}
        for turn in range(options.rounds):
            for place, (protocol, address, workloads) in places.items():
                for library in LIBRARIES[turn % 3 :] + LIBRARIES[: turn % 3]:
                    names = ",".join(w for w in workloads if w in only)
                    command = [sys.executable, HERE / "worker.py", library, protocol + address, library, names]
                    done = subprocess.run(command, capture_output=True, text=True)
                    if done.returncode:
                        print(f"{library} on {place}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
                    for line in map(json.loads, done.stdout.splitlines()):
                        measured.setdefault((place, line["workload"], library), []).append(line)
                    drop(address, "bucket/w/")
    show(measured, places, only)


def show(measured, places, only):
    """One row a place and workload: the best peer's time divided by zarrc's, then what each library took."""

    def of_each(place, workload, what, form):
        lines = [measured.get((place, workload, library)) for library in LIBRARIES]
        return " / ".join(form.format(statistics.median(line[what] for line in found)) if found else "–" for found in lines)

    print("| place | workload | best peer / zarrc | ms: " + " / ".join(LIBRARIES) + " | CPU s | requests | MiB |\n|" + "---|" * 7)
    for place, (_, _, workloads) in places.items():
        for workload in (workload for workload in workloads if workload in only):
            times = [measured.get((place, workload, library)) for library in LIBRARIES]
            own, *peers = [statistics.median(line["ms"] for line in found) if found else float("inf") for found in times]
            cells = [place, workload, f"{min(peers) / own:.2f}"]
            for what, form in ("ms", "{:.0f}"), ("cpu", "{:.2f}"), ("requests", "{:.0f}"), ("mib", "{:.0f}"):
                cells.append(of_each(place, workload, what, form))
            print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
