#!/usr/bin/env python3
"""Measures the constants of the model on this machine, and compares runs that it predicts with runs that are measured.

    measure.py --library DIRECTORY [--rounds N] [--save FILE] [--cores N]

On a machine with other work, on one core that it keeps for itself (some 40 s):

    OMPI_MCA_mpi_yield_when_idle=1 chrt -r 10 taskset -c 1 measure.py --library DIRECTORY --rounds 4 --cores 1

Constants and runs take turns, so that what else the machine does disturbs both alike; each number is the median over
the rounds. The runs are those of benches/mpi with other chunks, ranks and decompositions than the constants come from.
Here the "servers" of a file system are the cores themselves: a file costs its system calls.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from model import Job, Machine, simulate

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "mpi"))
from run import Jobs, companion, compile_runners  # noqa: E402

EDGE = 256
RAW = 4 * EDGE**3
# edge of a chunk, codec, layout, boxes, ranks
RUNS = [
    (64, "none", "chunks", "aligned", 1), (64, "none", "chunks", "aligned", 2),
    (16, "none", "chunks", "aligned", 1), (16, "none", "chunks", "aligned", 2),
    (32, "zstd", "chunks", "aligned", 1), (32, "zstd", "chunks", "aligned", 2),
    (64, "zstd", "chunks", "aligned", 4), (128, "zstd", "shards", "aligned", 1),
    (128, "zstd", "shards", "aligned", 2), (64, "zstd", "chunks", "unaligned", 2),
    (64, "zstd", "chunks", "unaligned", 4), (32, "none", "chunks", "unaligned", 2),
]  # fmt: skip


def moved(chunk, boxes, ranks):
    """The part of the data whose chunks two ranks share, of which half travels."""
    if boxes == "aligned" or ranks == 1:
        return 0.0
    return (ranks - 1) * chunk / EDGE / 2


def constants(program, place, env):
    command = ["mpirun.openmpi", "-n", "2", program, place]
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env=env, check=True)
    return {name: float(seconds) for name, seconds in (line.split() for line in done.stdout.splitlines())}


def stored_bytes(path):
    return sum(f.stat().st_size for f in path.rglob("*") if f.is_file())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=pathlib.Path, required=True, help="the directory of libzarrc.so")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--save", type=pathlib.Path, help="writes the constants there, as JSON")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="how many of them it has")
    arguments = parser.parse_args()
    shared = pathlib.Path("/dev/shm")
    library = arguments.library.resolve()
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None) as place:
        place = pathlib.Path(place)
        jobs = Jobs(compile_runners(library, place), place, EDGE)
        program = place / "constants"
        subprocess.run(["mpicc.openmpi", "-O2", HERE / "constants.c", *companion(library), "-o", program], check=True)
        found, times, ratios = [], {run: [] for run in RUNS}, {}
        for _ in range(arguments.rounds):
            found.append(constants(program, place, jobs.env))
            for run in RUNS:
                chunk, codec, layout, boxes, ranks = run
                jobs.chunk = chunk
                times[run].append(jobs.run("zarrc", codec, layout, "write", boxes, ranks))
                print(*run, times[run][-1], file=sys.stderr, flush=True)
                ratios[run] = RAW / stored_bytes(jobs.path("zarrc", codec, layout))
    median = {name: statistics.median(f[name] for f in found) for name in found[0]}
    print(json.dumps(median))
    if arguments.save:
        arguments.save.write_text(json.dumps(median, indent=1) + "\n")
    print("| chunk | codec | layout | boxes | ranks | measured ms | predicted ms | predicted / measured |")
    print("|--:|---|---|---|--:|--:|--:|--:|")
    within = 0
    for run in RUNS:
        chunk, codec, layout, boxes, ranks = run
        machine = Machine(**median, ratio=ratios[run], cores=arguments.cores)
        if codec == "none":
            machine = dataclasses.replace(machine, encode=0.0, encode_small=0.0, encode_chunk=0.0)
        value = 4 * chunk**3
        part = value / 8 if layout == "shards" else value
        job = Job(ranks, RAW, value, part, moved(chunk, boxes, ranks), ranks_per_node=ranks)
        predicted, _, _ = simulate(machine, job)
        measured = statistics.median(times[run])
        within += abs(predicted / measured - 1) <= 0.2
        print(f"| {chunk} | {codec} | {layout} | {boxes} | {ranks} | {measured * 1000:.0f} | {predicted * 1000:.0f} | "
              f"{predicted / measured:.2f} |")
    print(f"{within} of {len(RUNS)} within 20 %")


if __name__ == "__main__":
    main()
