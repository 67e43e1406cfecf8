"""Exchanges arrays and hierarchies with other implementations, both ways, and compares bit for bit.

    run.sh [WORD…]      only the cases whose names contain a word, each with what every peer did
"""
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections import Counter

import numpy as np

import climate
import conventions
import hdf5
import hierarchy
import n5
import old
import operations
import repositories
import small_types
import stores
import stream
import synchronizer
import variable
import zarrc_ffi
from cases import all_cases
from peers import TensorStore, Zarrc, ZarrcBySpec, ZarrPython, ZarrPython2, Zarrs
from unsupported import reason_why_not

warnings.simplefilter("ignore")

GROUPS = ["types", "codecs", "shards", "layout", "fill", "filters", "tree", "operations", "n5", "old", "small", "variable", "stores",
          "icechunk", "cf", "hdf5"]


def same_bits(expected, actual):
    """Whether the values are the same bit for bit, whatever byte order `actual` came in."""
    actual = np.asarray(actual)
    if actual.shape != expected.shape or actual.dtype.itemsize != expected.dtype.itemsize:
        return f"{actual.dtype}{actual.shape} instead of {expected.dtype}{expected.shape}"
    if actual.dtype != expected.dtype:
        if actual.dtype.kind != expected.dtype.kind:
            return f"{actual.dtype} instead of {expected.dtype}"
        actual = actual.astype(expected.dtype)
    one = np.frombuffer(expected.tobytes(), np.uint8).reshape(-1, expected.dtype.itemsize)
    two = np.frombuffer(actual.tobytes(), np.uint8).reshape(-1, expected.dtype.itemsize)
    wrong = np.flatnonzero((one != two).any(axis=1))
    if len(wrong):
        i = wrong[0]
        return f"{len(wrong)} values differ; value {i} is {two[i].tobytes().hex()}, not {one[i].tobytes().hex()}"
    return None


def difference(case, attributes, reading):
    """What in a reading is not as written; None if all is."""
    names = case.document.get("dimension_names")
    wrong = same_bits(case.expected(), reading.values)
    if wrong:
        return wrong
    if reading.attributes is not ... and reading.attributes != attributes:
        return f"attributes {reading.attributes}"
    if reading.names is not ... and (reading.names or [None] * case.values.ndim) != (names or [None] * case.values.ndim):
        return f"dimension names {reading.names}, not {names}"
    if reading.fill is not ...:
        return same_bits(case.fill, reading.fill)
    return None


class Tally:
    """Counts per route (who wrote, who read) and group, and keeps what failed."""

    def __init__(self, each):
        self.each, self.counts, self.failures, self.routes, self.reasons = each, Counter(), [], [], Counter()

    def add(self, group, case, route, outcome, detail=""):
        if route not in self.routes:
            self.routes.append(route)
        self.counts[route, group, outcome] += 1
        if outcome == "failed":
            self.failures.append(f"{case}: {' -> '.join(route)}: {detail}")
        if outcome == "unsupported":
            self.reasons[" -> ".join(route), detail] += 1
        if self.each:
            print(f"{case}: {' -> '.join(route)}: {outcome} {detail}")

    def print(self):
        if self.reasons:
            print("\nunsupported, as expected")
            for (route, reason), count in sorted(self.reasons.items()):
                print(f"{count:>5}  {route}: {reason}")
        print("\nexchanged (unsupported by the other) [failed]")
        print(f"{'':<44}" + "".join(f"{group:>14}" for group in GROUPS))
        for route in self.routes:
            cells = []
            for group in GROUPS:
                ok, other, bad = (self.counts[route, group, o] for o in ("ok", "unsupported", "failed"))
                text = f"{ok}" if ok + other + bad else "-"
                text += f" ({other})" if other else ""
                cells.append(f"{text + (f' [{bad}]' if bad else ''):>14}")
            print(f"{' -> '.join(route):<44}" + "".join(cells))
        for failure in self.failures:
            print("FAILED ", failure)
        total = Counter()
        for (_, _, outcome), count in self.counts.items():
            total[outcome] += count
        print(f"{total['ok']} exchanges ok, {total['unsupported']} unsupported by the other, {total['failed']} failed")


def one_line(error):
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


def exchange(case, writer, reader, folder, tally, attributes, problem):
    """Lets `reader` read what `writer` wrote: an array with `attributes`, if there was no `problem`."""
    route = (writer.name, reader.name)
    tags = case.tags | {f"by {writer.name}"}
    known = reason_why_not(writer.name, "write", tags) or reason_why_not(reader.name, "read", tags)
    if problem is None:
        try:
            problem = difference(case, attributes, reader.read(case, folder))
        except Exception as error:
            problem = one_line(error)
    if known:
        # The table must be exact: what works is not to be listed as unsupported.
        stale = f"works, though listed as unsupported: {known}"
        tally.add(case.group, case.name, route, *(("unsupported", known) if problem else ("failed", stale)))
    else:
        tally.add(case.group, case.name, route, *(("failed", problem) if problem else ("ok",)))


def main(words):
    started = time.time()
    print(f"zarrc {zarrc_ffi.version()} from {zarrc_ffi.lib._name}")
    zarrc, by_spec, zarr2 = Zarrc(), ZarrcBySpec(), ZarrPython2(os.environ["ZARR2_PYTHON"])
    peers = {3: [ZarrPython(), TensorStore(), Zarrs()]}
    peers[2] = [*peers[3], zarr2]
    cases = [c for c in all_cases() if not words or any(word in c.name for word in words)]
    tally = Tally(each=bool(words))
    with tempfile.TemporaryDirectory() as root:
        for case in cases:
            ours = [zarrc, by_spec] if by_spec.can_say(case) else [zarrc]
            for writer in [*ours, *peers[case.format]]:
                folder = os.path.join(root, "group", "array")
                shutil.rmtree(os.path.dirname(folder), ignore_errors=True)
                attributes = problem = None
                try:
                    attributes = writer.write(case, folder)
                except Exception as error:
                    problem = "writing: " + one_line(error)
                for reader in [zarrc, *peers[case.format]] if writer in ours else [zarrc]:
                    exchange(case, writer, reader, folder, tally, attributes, problem)
        if not words or "tree" in words:
            hierarchy.exchange(root, zarr2, tally)
        if not words or "operations" in words:
            operations.exchange(root, zarr2, tally)
            for name, wrong in synchronizer.exchange(os.environ["ZARR2_PYTHON"]).items():
                tally.add("operations", name, ("zarrc", zarr2.name), *(("failed", wrong) if wrong else ("ok",)))
        if not words or "variable" in words:
            variable.exchange(root, zarr2, tally)
        if not words or "cf" in words:
            conventions.exchange(root, tally)
            climate.exchange(root, tally)
            stream.exchange(root, tally)
        if not words or "small" in words:
            small_types.exchange(root, tally)
        if not words or "icechunk" in words:
            repositories.exchange(root, tally)
        if not words or "hdf5" in words:
            hdf5.exchange(root, zarr2, tally)
        n5.exchange(root, zarr2, tally, same_bits, words)
        old.exchange(root, zarr2, tally, same_bits, words)
        stores.exchange(root, zarr2, tally, words)
    zarr2.close()
    tally.print()
    print(f"{len(cases)} arrays in {time.time() - started:.0f} s")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
