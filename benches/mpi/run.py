#!/usr/bin/env python3
"""Measures zarrc under MPI beside parallel HDF5 and PnetCDF, and prints a table (`make bench MPI=1`).

    run.py --library DIRECTORY [--edge N] [--rounds N] [--ranks N,N] [--doc FILE]

The ranks of one job write, or read, their boxes of one float32 array of edge^3 elements in chunks of 64^3, together.
A time is that of the slowest rank, from a barrier before the transfer until the file or store is closed; creating and
opening are not in it. What was read is checked. In each round the libraries take turns, each job in new processes; a
ratio is the peer's median divided by zarrc's: above 1, zarrc is faster.

    op       write, read
    boxes    aligned: slabs of whole chunks along the first axis; unaligned: slabs along the second, which end within
             chunks (one rank: the whole array)
    codec    none, gzip (level 5), zstd (level 3; its peer is HDF5 with gzip: Debian's HDF5 has no zstd)
    layout   chunks, shards (of 64^3, inner chunks of 32^3), contiguous
    threads  of a rank: one, so that one rank means one core; requests of zarrc run beside the rank's own thread
"""
import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# row of zarrc -> its peers
ROWS = [
    (("zarrc", "none", "chunks"), [("hdf5", "none", "chunks"), ("hdf5", "none", "contiguous"),
                                   ("pnetcdf", "none", "contiguous")]),
    (("zarrc", "gzip", "chunks"), [("hdf5", "gzip", "chunks")]),
    (("zarrc", "zstd", "chunks"), [("hdf5", "gzip", "chunks")]),
    (("zarrc", "zstd", "shards"), [("hdf5", "gzip", "chunks")]),
]


def output(*command):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=True).stdout.strip()


def companion(library):
    """What a program of zarrc_mpi.h is compiled with."""
    sources = [p for p in sorted((ROOT / "mpi").glob("*.c")) if not p.name.startswith("test_")]
    return [*sources, f"-I{ROOT}/mpi", f"-I{ROOT}/include", f"-L{library}", "-lzarrc", f"-Wl,-rpath,{library}"]


def compile_runners(library, place):
    """name -> program, for the libraries that are there."""
    flags = {
        "zarrc": companion(library),
        "hdf5": output("pkg-config", "--cflags", "--libs", "hdf5-openmpi").split(),
        "pnetcdf": ["-lpnetcdf"],
    }
    programs = {}
    for name, options in flags.items():
        command = ["mpicc.openmpi", "-std=gnu11", "-O2", HERE / f"{name}.c", *options, "-o", place / name]
        made = subprocess.run([str(c) for c in command], capture_output=True, text=True)
        if made.returncode == 0:
            programs[name] = place / name
        else:
            print(f"{name}: left out: {made.stderr.strip().splitlines()[-1]}", file=sys.stderr)
    return programs


class Jobs:
    def __init__(self, programs, data, edge):
        self.programs, self.data, self.edge, self.chunk = programs, data, edge, 64
        self.env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                        OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
                        OMPI_MCA_hwloc_base_binding_policy="none")

    def path(self, library, codec, layout):
        return self.data / f"{library}-{codec}-{layout}{'.zarr' if library == 'zarrc' else '.dat'}"

    def run(self, library, codec, layout, op, boxes, ranks):
        path = self.path(library, codec, layout)
        if op == "write":
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        job = {"op": op, "boxes": boxes, "codec": codec, "layout": layout, "edge": self.edge, "chunk": self.chunk,
               "threads": 1, "path": path}
        command = ["mpirun.openmpi", "-n", ranks, self.programs[library], *(f"{k}={v}" for k, v in job.items())]
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env=self.env, timeout=600)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}:\n{done.stderr}")
        return float(done.stdout.split()[-1])


def table(jobs, ranks, rounds):
    rows = []
    for op in ("write", "read"):
        for count in ranks:
            for boxes in ("aligned", "unaligned") if count > 1 else ("aligned",):
                kinds = []
                for ours, peers in ROWS:
                    kinds += [k for k in (ours, *peers) if k not in kinds and k[0] in jobs.programs]
                times = {kind: [] for kind in kinds}
                for _ in range(rounds):
                    for kind in kinds:
                        times[kind].append(jobs.run(*kind, op, boxes, count))
                medians = {kind: statistics.median(t) for kind, t in times.items()}
                for ours, peers in ROWS:
                    cells = [f"{p[0]} {p[1]} {p[2]}: {medians[p] / medians[ours]:.2f}" for p in peers if p in medians]
                    rows.append((op, count, boxes, f"{ours[1]}, {ours[2]}", medians[ours], cells))
                    print(*rows[-1], flush=True)
    lines = ["| | ranks | boxes | zarrc | ms | peer's time / zarrc's |", "|---|--:|---|---|--:|---|"]
    for op, count, boxes, kind, seconds, cells in rows:
        lines.append(f"| {op} | {count} | {boxes} | {kind} | {seconds * 1000:.0f} | {'; '.join(cells)} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=pathlib.Path, required=True, help="the directory of libzarrc.so")
    parser.add_argument("--edge", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ranks", default="1,2,4")
    parser.add_argument("--doc", type=pathlib.Path, help="puts the table there, between the comments that name it")
    arguments = parser.parse_args()
    shared = pathlib.Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None) as place:
        place = pathlib.Path(place)
        programs = compile_runners(arguments.library.resolve(), place)
        jobs = Jobs(programs, place, arguments.edge)
        result = table(jobs, [int(n) for n in arguments.ranks.split(",")], arguments.rounds)
    print(result)
    if arguments.doc:
        text = arguments.doc.read_text()
        marked = re.compile(r"(<!-- bench mpi -->\n).*?(<!-- end -->)", re.S)
        if not marked.search(text):
            sys.exit(f"{arguments.doc}: no <!-- bench mpi --> and <!-- end -->")
        arguments.doc.write_text(marked.sub(lambda m: f"{m[1]}\n{result}\n\n{m[2]}", text))


if __name__ == "__main__":
    main()
