#!/usr/bin/env python3
"""Predicts the time to write one array from many ranks, and what limits it: the tables of docs/scaling.md.

    predict.py [--constants FILE] [--doc docs/scaling.md]

The constants of cores and of zarrc's own work come from measure.py; those of networks, file systems and object stores
are assumptions, below, and stand in the document.
"""
import argparse
import dataclasses
import json
import pathlib
import re

from model import Job, Machine, simulate

HERE = pathlib.Path(__file__).resolve().parent
KIB, MIB, GIB = 2**10, 2**20, 2**30

# Assumed. A parallel file system: 4 metadata servers that create 20 000 files a second each, 64 data servers of 5 GB/s
# that need 50 us for each write; nodes of 64 cores and 12.5 GB/s.
PARALLEL = dict(cores=64, nic=12.5e9, metadata=1 / 20_000, metadata_servers=4, data=1 / 5e9, operation=50e-6, data_servers=64)
# The same with one metadata server and 8 data servers, as on a department's cluster.
SMALL = dict(PARALLEL, metadata_servers=1, data_servers=8)
# An object store: 20 ms a request, 3 500 writes a second for one prefix, 100 GB/s in all; 64 requests of a rank at once.
OBJECTS = dict(cores=64, nic=12.5e9, metadata=1 / 3_500, data=1 / 1e9, operation=0.0, data_servers=100, latency=0.02,
               concurrency=64)
PLACES = {"parallel file system": PARALLEL, "small cluster": SMALL, "object store": OBJECTS}


def strategies(ranks, raw, chunk, box_parts):
    """name -> Job. `box_parts`: the part of a box that lies in chunks, or shards, shared with neighbours."""
    chunks = raw / chunk
    # a shard for each rank, or larger ones where files would be too many: 4096 chunks at most
    shard = min(max(raw / ranks, chunk), 4096 * chunk)
    large = max(shard, 8 * GIB)
    leaders = max(1, min(ranks, round(raw / large)))
    return {
        "a file for each chunk": Job(ranks, raw, chunk, chunk),
        "the same, boxes not aligned": Job(ranks, raw, chunk, chunk, moved=box_parts / 2),
        "a shard for each rank": Job(ranks, raw, shard, chunk),
        "shards of 8 GiB, put together": Job(ranks, raw, large, chunk, moved=1.0, leaders=leaders),
    }, chunks


def table(constants, place, chunk, cases):
    machine = Machine(**constants, ratio=3.0, **PLACES[place])
    if machine.metadata:  # the client's system calls stay, the server's part of a file is the servers'
        machine = dataclasses.replace(machine, file=min(machine.file, 50e-6))
    lines = ["| ranks | chunks | | files | seconds | GB/s raw | limit (busy) |", "|--:|--:|---|--:|--:|--:|---|"]
    for ranks, chunks in cases:
        jobs, _ = strategies(ranks, chunks * chunk, chunk, 0.5)
        for name, job in jobs.items():
            seconds, used, values = simulate(machine, job, groups=100, batches=20)
            limit = max(used, key=used.get)
            lines.append(f"| {ranks:,} | {chunks:,} | {name} | {values:,} | {seconds:.3g} | "
                         f"{job.raw / seconds / 1e9:.3g} | {limit} ({used[limit] * 100:.0f} %) |")
    return lines


CASES = [(10**3, 10**6), (10**4, 10**6), (10**4, 10**8), (10**5, 10**8), (10**5, 10**9)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--constants", type=pathlib.Path, default=HERE / "constants.json")
    parser.add_argument("--doc", type=pathlib.Path, help="puts the tables there, between the comments that name them")
    arguments = parser.parse_args()
    constants = json.loads(arguments.constants.read_text())
    text = ""
    for place in PLACES:
        text += f"### {place.capitalize()}, chunks of 1 MiB\n\n"
        text += "\n".join(table(constants, place, MIB, CASES)) + "\n\n"
    print(text)
    if arguments.doc:
        page = arguments.doc.read_text()
        marked = re.compile(r"(<!-- predictions -->\n).*?(<!-- end -->)", re.S)
        arguments.doc.write_text(marked.sub(lambda m: f"{m[1]}\n{text}{m[2]}", page))


if __name__ == "__main__":
    main()
