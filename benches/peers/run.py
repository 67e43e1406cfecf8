#!/usr/bin/env python3
"""Measures zarrc beside other libraries that read and write the same arrays, and prints a table.

    run.py [--full] [--cold | --pipelines] [--only TEXT,TEXT] [--peers NAME,NAME] [--doc FILE]

`make bench` runs it twice: for the libraries, and with --pipelines for zarr-python on top of them.

Every library has a runner, which is given one job as key=value arguments, times it itself and answers with a
line of JSON: the seconds of each repetition, the byte sum of what came (checked against the raw data), and the
most memory that the process held before and after. One process per measurement; the libraries take turns.

    op        read: the boxes of `store`, in order. write: the boxes, `data` has their bytes one after the other,
              into a new array of `meta` (out/r<repetition>/a), or existing=1: into the one at `out`; grow=1: the
              array is made longer before each box. open, create, list: `n` arrays.
    boxes     a file of uint64: start and count of each
    shape, chunk, inner (chunk of a shard), itemsize, dtype, codec, format: what the array is
    threads, reps
    cold      1: the files are not in memory. Every measurement is a process with one repetition, and before it
              the files are put out of memory by --drop, else by posix_fadvise, and the system forgets
              directories and inodes, where it lets us (root)
"""
import argparse
import json
import os
import pathlib
import platform
import re
import shutil
import statistics
import struct
import subprocess
import sys
import textwrap
import time

from workloads import DTYPES, arrays, cold_workloads, metadata, pipeline_workloads, selection, workloads

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PEERS = ["zarrs", "tensorstore", "zarr-python", "HDF5"]
# zarr-python as it is, and with other libraries underneath
PIPELINES = {"zarr-python": "", "zarrs pipeline": "zarrs.ZarrsCodecPipeline", "zarrc pipeline": "zarrc.CodecPipeline"}
OTHER = "zarrc, other"  # with the options of the workload's `other`


def quiet(*command, **kw):
    """Runs a command; the last line of its complaint, or None."""
    try:
        p = subprocess.run([str(c) for c in command], capture_output=True, text=True, **kw)
    except OSError as e:
        return str(e)
    return None if p.returncode == 0 else ((p.stderr or p.stdout).strip().splitlines() or ["failed"])[-1]


def output(*command):
    try:
        return subprocess.run([str(c) for c in command], capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


# ---- the runners

class Runners:
    """name -> command; what is missing, and why; versions."""

    def __init__(self, build, place):
        self.command, self.missing, self.version = {}, {}, {}
        self.bin = place / "bin"
        self.bin.mkdir(parents=True, exist_ok=True)
        version = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)
        commit = output("git", "-C", ROOT, "rev-parse", "--short", "HEAD")
        lib = self.lib = next((d for d in (build, build / "lib") if (d / "libzarrc.so").exists()), build)
        self.cc("raw", "raw.c", "-lm")
        self.cc("zarrc", "zarrc.c", f"-I{ROOT}/include", f"-L{lib}", "-lzarrc", f"-Wl,-rpath,{lib}")
        self.command[OTHER] = self.command.get("zarrc")
        self.version["zarrc"] = f"{version[1]} ({commit})" if version and commit else version[1]
        if not {"raw", "zarrc"} <= set(self.command):
            sys.exit(f"error: {self.missing}: run `make` first")
        flags = output("pkg-config", "--cflags", "--libs", "hdf5").split()
        if flags:
            self.cc("HDF5", "hdf5.c", *flags)
            self.version["HDF5"] = output("pkg-config", "--modversion", "hdf5")
        else:
            self.missing["HDF5"] = "pkg-config does not know hdf5 (Debian: libhdf5-dev)"
        self.rust(pathlib.Path(os.environ.get("BENCH_RUST_TARGET", place / "rust")))
        self.python(pathlib.Path(os.environ.get("BENCH_VENV", place / "venv")))

    def cc(self, name, source, *flags):
        program = self.bin / name
        why = quiet(os.environ.get("CC", "cc"), "-std=gnu11", "-O2", "-Wall", "-Wno-unused-function",
                    HERE / "c" / source, "-o", program, *flags)
        if why:
            self.missing[name] = why
        else:
            self.command[name] = [program]

    def rust(self, target):
        for name, features in (("floor", []), ("zarrs", ["--features", "zarrs"])):
            why = quiet("cargo", "build", "--release", "--manifest-path", HERE / "rust/Cargo.toml", "--bin", name,
                        "--target-dir", target, *features)
            if why:
                self.missing[name] = why
            else:
                self.command[name] = [target / "release" / name]
        found = re.search(r'zarrs = .*"=(.*?)"', (HERE / "rust/Cargo.toml").read_text())
        self.version["zarrs"] = found[1] if found else "?"

    def python(self, venv):
        python = venv / "bin/python"
        why = None
        if not python.exists():
            why = quiet(sys.executable, "-m", "venv", venv) or quiet(
                venv / "bin/pip", "install", "-q", "-r", HERE / "py/requirements.txt")
        for name, module in (("tensorstore", "tensorstore"), ("zarr-python", "zarr")):
            lacks = why or quiet(python, "-c", f"import numpy, {module}")
            if lacks:
                self.missing[name] = lacks
                continue
            self.command[name] = [python, HERE / f"py/run_{module}.py"]
            self.version[name] = output(python, "-c", f"from importlib.metadata import version as v; print(v('{module}'))")
        self.pipelines(python)

    def pipelines(self, python):
        self.version["zarrc pipeline"] = self.version["zarrc"]
        for name in ("zarrs pipeline", "zarrc pipeline"):
            module = PIPELINES[name].split(".")[0]
            command = ["env", f"PYTHONPATH={ROOT}/bindings/python", f"ZARRC_LIBRARY={self.lib}/libzarrc.so",
                       "PYTHONDONTWRITEBYTECODE=1", python]
            lacks = quiet(*command, "-c", f"import zarr, {module}")
            if lacks:
                self.missing[name] = lacks
                continue
            self.command[name] = [*command, HERE / "py/run_zarr.py", f"pipeline={PIPELINES[name]}"]
            if module == "zarrs":
                self.version[name] = output(python, "-c", "from importlib.metadata import version as v; print(v('zarrs'))")


def can(peer, w, a, full):
    if (peer in PIPELINES) != w["pipelines"] and not (peer == "zarr-python" and not w["pipelines"]):
        return False
    if peer == OTHER:
        return w["other"] is not None
    if peer == "zarr-python" and not full and w["array"].startswith(("tiny", "rows")):
        return False  # tens of seconds
    if peer == "HDF5":
        return w["threads"] == 1 and a["inner"] == a["chunk"] and a["format"] == 3 and a["codec"] in ("none", "gzip5")
    return not (peer == "floor" and w["keys"].get("existing") and a["inner"] != a["chunk"])


# ---- the data

class Bench:
    def __init__(self, args):
        build = pathlib.Path(args.build).resolve()
        self.place = build / "bench"
        self.full = args.full
        self.edge = args.edge or (512 if args.full else 256)
        self.data = self.place / f"data-{self.edge}"
        self.data.mkdir(parents=True, exist_ok=True)
        shm = pathlib.Path("/dev/shm")
        self.scratch = (shm if os.access(shm, os.W_OK) else self.place) / f"zarrc-bench-{os.getpid()}"
        self.arrays = arrays(self.edge)
        self.workloads = (cold_workloads(self.arrays) if args.cold else
                          pipeline_workloads(self.arrays, args.full) if args.pipelines else
                          workloads(self.arrays, args.full))
        self.drop_command = args.drop
        self.runners = Runners(build, self.place)
        self.ready, self.sums = set(), {}

    def raw(self, a):
        return self.data / f"{a['kind']}-{'x'.join(map(str, a['shape']))}.raw"

    def store(self, name, peer):
        """What a runner opens: the array, or the group of many."""
        a, place = self.arrays[name], self.data / name
        if peer == "HDF5":
            return place / ("many.h5" if a["many"] else "a.h5")
        return place if a["many"] else place / "a"

    def arguments(self, name, peer, **keys):
        a = self.arrays[name]
        keys = {"store": self.store(name, peer), "meta": self.data / f"{name}.json", "threads": 1, "reps": 1,
                "itemsize": DTYPES[a["dtype"]], **{k: a[k] for k in ("shape", "chunk", "inner", "dtype", "codec",
                                                                    "kind", "format")}, **keys}
        return [f"{k}={','.join(map(str, v)) if isinstance(v, list) else v}" for k, v in keys.items()]

    def run(self, peer, name, threads=1, **keys):
        """The answer of a runner, or {"error": ...}."""
        cpus = sorted(os.sched_getaffinity(0))
        # One thread is one core: some libraries have helpers that no option turns off.
        pin = (lambda: os.sched_setaffinity(0, cpus[-1:])) if threads == 1 else None
        command = [str(c) for c in self.runners.command[peer]]
        p = subprocess.run([*command, *self.arguments(name, peer, threads=threads, **keys)],
                           capture_output=True, text=True, preexec_fn=pin, timeout=900)
        try:
            return json.loads(p.stdout.strip().splitlines()[-1])
        except (IndexError, ValueError):
            return {"error": (p.stderr.strip().splitlines() or [f"exit {p.returncode}"])[-1][:160]}

    def boxes_file(self, boxes):
        path = self.scratch / "boxes"
        path.write_bytes(b"".join(struct.pack(f"<{len(s) * 2}Q", *s, *c) for s, c in boxes))
        return path

    def given(self, w):
        """The file of a workload's boxes, or of what it selects."""
        if w["op"] != "select":
            return self.boxes_file(w["boxes"] or [([0, 0, 0], self.arrays[w["array"]]["shape"])])
        path = self.data / f"selection-{w['keys']['select']}-{'x'.join(map(str, self.arrays[w['array']]['shape']))}"
        if not path.exists():
            path.write_bytes(selection(self.arrays[w["array"]], w["keys"]["select"]))
        return path

    def prepare(self, name, peer):
        """Writes the array that will be read (a Zarr array by zarrc), and has the system cache it."""
        a, store = self.arrays[name], self.store(name, peer)
        kind = (name, peer == "HDF5")
        if kind in self.ready:
            return
        (self.data / f"{name}.json").write_text(json.dumps(metadata(a)))
        if not self.raw(a).exists():
            half = self.raw(a).with_suffix(".part")
            subprocess.run([self.runners.command["raw"][0], *self.arguments(name, peer, op="make", data=half)], check=True)
            half.rename(self.raw(a))
        done = self.data / f".{name}-{'h5' if kind[1] else 'zarr'}"
        if not done.exists():
            out = self.data / "new"
            shutil.rmtree(out, ignore_errors=True)
            out.mkdir()
            (out / "boxes").write_bytes(struct.pack("<6Q", 0, 0, 0, *a["shape"]))
            op = dict(op="create", n=a["many"]) if a["many"] else dict(op="write", boxes=out / "boxes", data=self.raw(a))
            answer = self.run("HDF5" if kind[1] else "zarrc", name, out=out, **op)
            if "error" in answer:
                sys.exit(f"error: cannot write the array {name}: {answer['error']}")
            place = self.data / name
            place.mkdir(exist_ok=True)
            for path in (out / "r0").iterdir():
                shutil.rmtree(place / path.name, ignore_errors=True)
                path.rename(place / path.name)
            group = ("zarr.json", {"zarr_format": 3, "node_type": "group"}) if a["format"] == 3 else (
                ".zgroup", {"zarr_format": 2})
            (place / group[0]).write_text(json.dumps(group[1]))
            shutil.rmtree(out)
            done.write_text("")
        for path in [store] if store.is_file() else store.rglob("*"):
            if path.is_file():
                path.read_bytes()
        self.ready.add(kind)

    def drop(self, name, peer):
        """Puts the files of an array out of memory."""
        if self.drop_command:
            subprocess.run(self.drop_command, shell=True, check=True)
            return
        os.sync()
        store = self.store(name, peer)
        for path in [store] if store.is_file() else store.rglob("*"):
            if path.is_file():
                file = os.open(path, os.O_RDONLY)
                os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(file)
        forget = pathlib.Path("/proc/sys/vm/drop_caches")
        if os.access(forget, os.W_OK):
            forget.write_text("2")

    def expected(self, w):
        a = self.arrays[w["array"]]
        if w["op"] == "create":
            return None
        if w["op"] == "list":
            return a["many"] * a["shape"][0]
        op = {"open": "read"}.get(w["op"], w["op"])
        command = self.arguments(w["array"], "raw", op=op, boxes=self.given(w), data=self.scratch / "data",
                                 **w["keys"])
        command = [c for c in command if not c.startswith("store=")] + [f"store={self.raw(a)}"]
        return json.loads(subprocess.run([self.runners.command["raw"][0], *command], capture_output=True, check=True).stdout)["sum"]

    def measure(self, w, peers, rounds, budget):
        """name -> {"ms", "mib"} or {"error"} or {"unsupported"}."""
        a, name = self.arrays[w["array"]], w["array"]
        self.scratch.mkdir(parents=True, exist_ok=True)
        peers = [p for p in peers if can(p, w, a, self.full)]
        for p in peers:
            if w["op"] in ("read", "open", "list", "select") or w["keys"].get("existing"):
                self.prepare(name, p)
            else:
                self.prepare(name, "zarrc")
        data = self.scratch / "data"
        data.unlink(missing_ok=True)
        if w["op"] == "write":
            if w["keys"].get("existing"):
                item = DTYPES[a["dtype"]]
                data.write_bytes(b"\7" * (sum(c[0] * c[1] * c[2] for _, c in w["boxes"]) * item))
            else:
                data.symlink_to(self.raw(a))
        want, boxes = self.expected(w), self.given(w)
        out, answers = self.scratch / "out", {p: [] for p in peers}
        for round_ in range(rounds):
            turn = round_ % len(peers)
            for p in peers[turn:] + peers[:turn]:
                before, reps = answers[p], 1
                if before:
                    if p == "zarr-python" and not w["pipelines"]:
                        continue  # half a second to start, and seldom near
                    if "times" not in before[0] or (round_ > 1 and min(before[0]["times"]) > 2):
                        continue
                    reps = 1 if w["keys"].get("cold") else max(1, min(9, int(budget / max(min(before[0]["times"]), 1e-4))))
                shutil.rmtree(out, ignore_errors=True)
                if w["keys"].get("existing"):
                    source = self.store(name, p)
                    out = self.scratch / ("out.h5" if p == "HDF5" else "out")
                    shutil.copytree(source, out) if source.is_dir() else shutil.copy(source, out)
                else:
                    out.mkdir()
                keys = {**w["keys"], **({"options": w["other"]} if p == OTHER else {})}
                if w["keys"].get("cold"):
                    self.drop(name, p)
                answer = self.run(p, name, w["threads"], op=w["op"], boxes=boxes, data=data, out=out, reps=reps, **keys)
                if "times" in answer and want is not None and answer["sum"] != want:
                    answer = {"error": f"wrong data: byte sum {answer['sum']}, not {want}"}
                before.append(answer)
                if out.is_file():
                    out.unlink()
                out = self.scratch / "out"
        shutil.rmtree(out, ignore_errors=True)
        result = {}
        for p, given in answers.items():
            good = [g for g in given if "times" in g]
            if not good:
                result[p] = given[0]
                continue
            result[p] = {"ms": statistics.median(t for g in good for t in g["times"]) * 1e3,
                         "mib": statistics.median((g["peak_kib"] - g["base_kib"]) / 1024 for g in good)}
            wrong = [g["error"] for g in given if "error" in g]
            if wrong:
                result[p] = {"error": wrong[0]}
        return result


# ---- the table

def figure(ms):
    return f"{ms:.0f}" if ms >= 100 else f"{ms:.1f}" if ms >= 10 else f"{ms:.2f}"


def ours_of(result):
    return "zarrc pipeline" if "zarrc pipeline" in result else "zarrc"


def best_of(result):
    ok = {p: r for p, r in result.items() if p in [*PEERS, *PIPELINES] and p != ours_of(result) and "ms" in r}
    return min(ok, key=lambda p: ok[p]["ms"]) if ok else None


def cells(result, peers):
    best, ours, floor = best_of(result), result.get(ours_of(result), {}), result.get("floor", {})
    out = []
    for p in peers:
        r = result.get(p)
        text = "–" if r is None or "unsupported" in r else "failed" if "ms" not in r else figure(r["ms"])
        out.append(f"**{text}**" if p == best else text)
    ratio = lambda a, b: f"{a['ms'] / b['ms']:.2f}" if "ms" in a and "ms" in b else "–"
    out.append(ratio(result[best], ours) if best else "–")
    out.append(ratio(ours, floor))
    out.append(f"{ours['mib']:.1f}" if "mib" in ours else "–")
    out.append(f"{result[best]['mib']:.1f}" if best else "–")
    return out


HEADS = ["best peer / zarrc", "zarrc / floor", "MiB zarrc", "MiB best peer"]


def markdown(bench, results, peers, args):
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    versions = ", ".join(f"{p} {bench.runners.version[p]}" for p in ["zarrc", *PEERS, *[q for q in PIPELINES if q not in PEERS]]
                         if p in bench.runners.version and p in peers)
    head = (f"{time.strftime('%Y-%m-%d')}, {cpu[1] if cpu else platform.machine()}, {len(os.sched_getaffinity(0))} cores, "
            f"Linux {platform.release()}; arrays of {bench.edge}^3{'' if args.full else ' (quick)'}; {versions}.")
    text = [*textwrap.wrap(head, 100), ""]
    if bench.runners.missing:
        text += ["Missing: " + ", ".join(sorted(bench.runners.missing)) + ".", ""]
    section = None
    for w in bench.workloads:
        if w["name"] not in results:
            continue
        if w["section"] != section:
            section = w["section"]
            text += ["", f"**{section}** (ms)", "", "| | " + " | ".join([*peers, *HEADS]) + " |",
                     "|---|" + "--:|" * (len(peers) + len(HEADS))]
        text.append("| " + " | ".join([w["name"], *cells(results[w["name"]], peers)]) + " |")
    return "\n".join(text) + "\n"


def refresh(path, table, kind):
    """Puts the table between the marks of a document."""
    flag = "" if kind == "results" else f" --{kind}"
    begin, end = f"<!-- {kind}: begin (benches/peers/run.py{flag} --doc) -->", f"<!-- {kind}: end -->"
    text = path.read_text()
    if begin not in text or end not in text:
        sys.exit(f"error: {path} has no marks for the results")
    head, tail = text.split(begin)[0], text.split(end)[1]
    path.write_text(f"{head}{begin}\n\n{table}\n{end}{tail}")


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("--build", default=os.environ.get("BUILD", ROOT / "build"), help="where libzarrc.so is; default: build")
    ap.add_argument("--full", action="store_true", help="arrays of 512^3 and all rows")
    ap.add_argument("--cold", action="store_true", help="files that are not in memory, instead of all other rows")
    ap.add_argument("--pipelines", action="store_true", help="zarr-python with codec pipelines, instead of all other rows")
    ap.add_argument("--drop", help="with --cold: a command that puts the files out of memory")
    ap.add_argument("--edge", type=int, help="the edge of the large arrays, a multiple of 128")
    ap.add_argument("--only", help="workloads whose name has one of these in it, comma-separated")
    ap.add_argument("--peers", help="comma-separated")
    ap.add_argument("--rounds", type=int)
    ap.add_argument("--budget", type=float, help="seconds of repetitions in a process")
    ap.add_argument("--doc", help="a document whose table is to be replaced")
    args = ap.parse_args()
    bench = Bench(args)
    for name, why in bench.runners.missing.items():
        print(f"missing: {name}: {why}")
    peers = list(PIPELINES) if args.pipelines else ["floor", "zarrc", OTHER, *PEERS]
    peers = [p for p in peers if p in bench.runners.command]
    if args.peers:
        peers = [p for p in peers if p in args.peers.split(",") or (p == OTHER and "zarrc" in args.peers)]
    chosen = [w for w in bench.workloads if not args.only or any(o in w["name"] for o in args.only.split(","))]
    budget, results, failed = args.budget or (1.0 if args.full else 0.2), {}, 0
    widths = [30, *[max(8, len(p) + 2) for p in peers], 9, 10, 9, 9]
    line = lambda texts: print("".join(t.ljust(n) if not i else t.rjust(n) for i, (t, n) in enumerate(zip(texts, widths))), flush=True)
    line(["milliseconds", *peers, "peer/us", "us/floor", "MiB us", "MiB peer"])
    try:
        for w in chosen:
            result = results[w["name"]] = bench.measure(w, peers, args.rounds or (5 if args.cold else 3 if args.full else 2), budget)
            line([w["name"], *[c.strip("*") for c in cells(result, peers)]])
            for p, r in result.items():
                if "error" in r:
                    failed += 1
                    print(f"    {p}: {r['error']}")
    finally:
        shutil.rmtree(bench.scratch, ignore_errors=True)
        table = markdown(bench, results, peers, args)
        name = "cold" if args.cold else "pipelines" if args.pipelines else "results"
        (bench.place / f"{name}.md").write_text(table)
        (bench.place / f"{name}.json").write_text(json.dumps(results, indent=1))
    print(f"written to {bench.place / f'{name}.md'}")
    if args.doc:
        refresh(pathlib.Path(args.doc), table, name)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
