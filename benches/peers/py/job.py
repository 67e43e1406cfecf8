"""What the Python runners share: the job (key=value arguments), the clock and the operations. run.py
says what the keys mean; c/job.h and rust/src/job.rs are the same for theirs."""
import json
import os
import pathlib
import shutil
import sys
import time

import numpy as np

ARGUMENTS = dict(a.split("=", 1) for a in sys.argv[1:] if "=" in a)


def text(key):
    return ARGUMENTS.get(key, "")


def number(key):
    return int(text(key) or 0)


def dims(key):
    return [int(n) for n in text(key).split(",") if n]


SHAPE, DTYPE = dims("shape"), np.dtype(text("dtype") or "uint8")
REPS = max(1, number("reps"))


def boxes():
    """Start and count of each box."""
    return np.fromfile(text("boxes"), "<u8").reshape(-1, 2, len(SHAPE)).tolist()


def cut(box):
    return tuple(slice(s, s + n) for s, n in zip(*box))


def byte_sum(a):
    return int(np.ascontiguousarray(a).reshape(-1).view(np.uint8).sum(dtype=np.uint64))


def status(what):
    """KiB. (The maximum of getrusage would include what the driver had before exec.)"""
    for line in open("/proc/self/status"):
        if line.startswith(what):
            return int(line.split()[1])
    return 0


class Clock:
    def __init__(self):
        pathlib.Path("/proc/self/clear_refs").write_text("5")  # the maximum starts anew
        self.times, self.base, self.peak = [], status("VmRSS:"), 0

    def timed(self, f, *arguments):
        begun = time.perf_counter()
        result = f(*arguments)
        self.times.append(time.perf_counter() - begun)
        self.peak = status("VmHWM:")
        return result

    def report(self, total):
        print(json.dumps({"times": self.times, "sum": total, "base_kib": self.base, "peak_kib": self.peak}))


def place(rep):
    """An empty directory for one repetition; the one before it goes."""
    shutil.rmtree(f"{text('out')}/r{rep - 1}", ignore_errors=True)
    path = f"{text('out')}/r{rep}"
    os.makedirs(path)
    return path


def read(lib):
    array, todo = lib.open(text("store"), False), [cut(b) for b in boxes()]
    clock = Clock()

    def go():
        for box in todo:
            lib.read(array, box)

    for _ in range(REPS):
        clock.timed(go)
    clock.report(sum(byte_sum(lib.read(array, box)) for box in todo))


def select(lib):
    """Elements that job.h's `selection` describes."""
    numbers = np.fromfile(text("boxes"), "<u8", offset=16)
    kind = int(np.fromfile(text("boxes"), "<u8", 1)[0])
    if kind == 0:
        given = [np.ascontiguousarray(c) for c in numbers.astype("i8").reshape(-1, 3).T]
    elif kind == 1:
        y = numbers[2 : 2 + int(numbers[1])].astype("i8")
        given = [int(numbers[0]), y, numbers[3 + len(y) :].astype("i8")]
    elif kind == 2:
        given = np.fromfile(text("boxes"), "?", offset=16)[: int(np.prod(SHAPE))].reshape(SHAPE)
    else:
        given = int(numbers[0])
    array, what = lib.open(text("store"), False), ("points", "orthogonal", "mask", "planes")[kind]
    clock, out = Clock(), None
    for _ in range(REPS):
        out = clock.timed(lib.select, array, what, given)
    clock.report(byte_sum(out))


def write(lib):
    existing, grow = number("existing"), number("grow")
    data, at, todo = np.fromfile(text("data"), DTYPE), 0, []
    for start, count in boxes():
        n = int(np.prod(count))
        todo.append((cut((start, count)), data[at : at + n].reshape(count)))
        at += n
    clock = Clock()

    def go(parent):
        shape = [todo[0][0][0].stop, *SHAPE[1:]] if grow else SHAPE
        array = lib.open(text("out"), True) if existing else lib.create(f"{parent}/a", shape)
        for i, (box, part) in enumerate(todo):
            if grow and i:
                array = lib.resize(array, [box[0].stop, *SHAPE[1:]])
            lib.write(array, box, part)

    for rep in range(REPS):
        clock.timed(go, None if existing else place(rep))
    last = text("out") if existing else f"{text('out')}/r{REPS - 1}/a"
    clock.report(byte_sum(lib.read(lib.open(last, False), ...)))


def open_many(lib):
    clock = Clock()

    def go():
        for _ in range(number("n")):
            lib.open(text("store"), False)

    for _ in range(REPS):
        clock.timed(go)
    clock.report(byte_sum(lib.read(lib.open(text("store"), False), ...)))


def create(lib):
    data = np.ones(int(np.prod(SHAPE)) * DTYPE.itemsize, np.uint8).view(DTYPE).reshape(SHAPE)
    clock = Clock()

    def go(parent):
        for i in range(number("n")):
            lib.write(lib.create(f"{parent}/a{i:04d}", SHAPE), ..., data)

    for rep in range(REPS):
        clock.timed(go, place(rep))
    clock.report(0)


def listing(lib):
    clock, total = Clock(), 0
    for _ in range(REPS):
        total = clock.timed(lib.list, text("store"))
    clock.report(int(total))


def document(shape):
    """The metadata of an array to be created."""
    d = json.loads(pathlib.Path(text("meta")).read_bytes())
    d["shape"] = list(shape)
    return d


def run(lib):
    ops = {"read": read, "write": write, "open": open_many, "create": create, "list": listing, "select": select}
    if text("op") not in ops:
        print(json.dumps({"unsupported": "no such operation"}))
    else:
        ops[text("op")](lib)
