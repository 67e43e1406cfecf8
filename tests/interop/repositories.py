"""Icechunk repositories, exchanged with Icechunk's own Python package and zarr-python above it: what one commits the
other reads, on branches, at tags and snapshots, with chunks in the repository and in files elsewhere; two writers
of one branch.

    python tests/interop/repositories.py      needs icechunk, zarr and a library with the feature icechunk
"""
import os
import shutil
import sys
import tempfile
import time
from datetime import datetime, timezone

import numpy as np

import zarrc_ffi

os.environ.setdefault("ICECHUNK_LOG", "error")
VALUES = np.arange(60, dtype="i4").reshape(6, 10)


def check(values, expected):
    return None if np.array_equal(values, expected) else f"read {values!r}, not {expected!r}"


def opened(path):
    import icechunk

    storage = icechunk.local_filesystem_storage(path)
    return icechunk.Repository.open(storage)


def created(path, **spec_version):
    import icechunk

    return icechunk.Repository.create(icechunk.local_filesystem_storage(path), **spec_version)


def formats():
    """The versions of the format that the package reads."""
    import icechunk

    return ["1", "2"] if int(icechunk.__version__.split(".")[0]) > 1 else ["1"]


def repositories(path):
    """A new repository of each format that the package writes, made by it."""
    for number in formats():
        shutil.rmtree(path, ignore_errors=True)
        yield created(path, **({} if formats() == ["1"] else {"spec_version": int(number)}))


def written_here(path):
    """zarrc writes and commits on two branches, icechunk-python reads both."""
    import zarr

    for number in formats():
        shutil.rmtree(path, ignore_errors=True)
        url = f"{path}|icechunk:"
        with zarrc_ffi.Store(url, "w-", icechunk_format=number, commit_message="first", commit_author="me") as store:
            store.create_group("g").close()
            with store.create_array("g/a", VALUES.shape, "i4", chunk_shape=[2, 5], attributes={"unit": "m"}) as array:
                array.write(VALUES)
            # inner chunks, and a chunk that is small enough to lie in the manifest
            with store.create_array("s", [64, 64], "f8", chunk_shape=[16, 16], shard_shape=[32, 64]) as array:
                array.write(np.arange(4096.0).reshape(64, 64))
        with zarrc_ffi.Store(f"{path}|icechunk:@branch.other/", "a") as store, store.array("g/a") as array:
            array.write(VALUES[:2] + 1, [0, 0])
        repository = opened(path)
        log = list(repository.ancestry(branch="main"))
        if log[0].message != "first" or log[0].metadata.get("author_name") != "me":
            return f"the commit says {log[0].message!r}, {log[0].metadata}"
        for branch, more in [("main", 0), ("other", 1)]:
            root = zarr.open_group(repository.readonly_session(branch).store, mode="r")
            expected = VALUES.copy()
            expected[:2] += more
            if problem := check(root["g/a"][:], expected) or check(root["s"][:], np.arange(4096.0).reshape(64, 64)):
                return problem
            if dict(root["g/a"].attrs) != {"unit": "m"}:
                return f"attributes {dict(root['g/a'].attrs)}"
    return None


def written_there(path):
    """icechunk-python commits twice, with a tag between; zarrc reads branch, tag and snapshots, and adds to it."""
    import zarr

    for repository in repositories(path):
        if problem := read_here(path, repository):
            return problem
    return None


def read_here(path, repository):
    import zarr

    session = repository.writable_session("main")
    root = zarr.create_group(session.store, attributes={"title": "x"})
    array = root.create_array("a", shape=VALUES.shape, chunks=(3, 5), dtype="i4", fill_value=-1)
    array[:4] = VALUES[:4]
    big = root.create_array("g/big", shape=(3000,), chunks=(1000,), dtype="f4")
    big[:] = np.arange(3000)
    first = session.commit("first")
    repository.create_tag("v1", first)
    session = repository.writable_session("main")
    zarr.open_group(session.store)["a"][4:] = VALUES[4:]
    session.commit("second")
    before = np.where(np.arange(6)[:, None] < 4, VALUES, -1)
    for rest, options, expected in [
        ("", {}, VALUES), ("@branch.main/", {}, VALUES), ("@tag.v1/", {}, before), (f"@{first}/", {}, before),
        ("", {"tag": "v1"}, before), ("", {"snapshot": first}, before),
    ]:
        with zarrc_ffi.Store(f"file://{path}|icechunk:{rest}", **options) as store:
            with store.array("a") as array, store.array("g/big") as big:
                if problem := check(array.read(), expected) or check(big.read([990], [20]), np.arange(990, 1010)):
                    return f"{rest}: {problem}"
            with store.group() as group:
                if group.attributes.get() != {"title": "x"} or len(group.list()) != 3:
                    return f"{group.attributes.get()}, {group.list()}"
    with zarrc_ffi.Store(f"{path}|icechunk:", "r+") as store, store.array("a") as array:
        array.write(VALUES[:1] * 2, [1, 0])
    expected = VALUES.copy()
    expected[1] = VALUES[0] * 2
    return check(zarr.open_group(opened(path).readonly_session("main").store, mode="r")["a"][:], expected)


def elsewhere(path):
    """Chunks that are ranges of a file outside the repository, which must be allowed."""
    import zarr

    folder = path + "-data/"
    os.makedirs(folder, exist_ok=True)
    with open(folder + "values", "wb") as file:
        file.write(b"head" + VALUES.tobytes())
    repository = created(path)
    session = repository.writable_session("main")
    zarr.create_array(session.store, name="a", shape=VALUES.shape, chunks=(1, 10), dtype="i4", compressors=None)
    for row in range(6):
        location = f"file://{folder}values"
        session.store.set_virtual_ref(f"a/c/{row}/0", location, offset=4 + 40 * row, length=40, validate_container=False)
    session.commit("virtual")
    with zarrc_ffi.Store(f"{path}|icechunk:", virtual_chunks=f"s3://x/ file://{folder}") as store, store.array("a") as array:
        if problem := check(array.read(), VALUES):
            return problem
    with zarrc_ffi.Store(f"{path}|icechunk:") as store, store.array("a") as array:
        try:
            array.read()
        except zarrc_ffi.ZarrcError as error:
            return None if error.status == "ZARRC_PERMISSION_DENIED" and "virtual_chunks" in str(error) else str(error)
    return "was read, though nobody allowed it"


def changed_elsewhere(path):
    """A file outside that is another than the one that the repository refers to is not read."""
    import zarr

    folder = path + "-data/"
    os.makedirs(folder, exist_ok=True)
    file = folder + "values"

    def etag():  # of the crate object_store, for files
        found = os.stat(file)
        return f"{found.st_ino:x}-{found.st_mtime_ns // 1000:x}-{found.st_size:x}"

    for name, checksum in ("time", lambda: datetime.fromtimestamp(os.stat(file).st_mtime, timezone.utc)), ("etag", etag):
        VALUES.tofile(file)
        repository = created(f"{path}-{name}")
        session = repository.writable_session("main")
        zarr.create_array(session.store, name="a", shape=VALUES.shape, chunks=VALUES.shape, dtype="i4", compressors=None)
        location = f"file://{file}"
        session.store.set_virtual_ref("a/c/0/0", location, offset=0, length=VALUES.nbytes, checksum=checksum(),
                                      validate_container=False)  # fmt: skip
        session.commit("virtual")

        def store():
            return zarrc_ffi.Store(f"{path}-{name}|icechunk:", virtual_chunks=location, chunk_cache="0")

        with store() as before, before.array("a") as array:
            if problem := check(array.read(), VALUES):
                return problem
            (VALUES + 1).tofile(file)
            os.utime(file, (time.time() + 9,) * 2)
            with store() as after, after.array("a") as again:
                for changed in (array, again):
                    try:
                        return f"{name}: read {changed.read()!r}"
                    except zarrc_ffi.ZarrcError as error:
                        if error.status != "ZARRC_CORRUPT_DATA" or "changed" not in str(error):
                            return str(error)
    return None


def two_writers(path):
    """A commit there between the opening and the closing here: of other chunks both get theirs in, else a conflict."""
    for repository in repositories(path):
        if problem := beside_each_other(path, repository):
            return problem
    return None


def beside_each_other(path, repository):
    import zarr

    session = repository.writable_session("main")
    zarr.create_array(session.store, name="a", shape=VALUES.shape, chunks=(1, 10), dtype="i4", fill_value=0)
    session.commit("first")
    for row, works in [(3, True), (0, False)]:
        store = zarrc_ffi.Store(f"{path}|icechunk:", "r+")
        with store.array("a") as array:
            array.write(VALUES[:1] + 1)
        session = opened(path).writable_session("main")
        zarr.open_array(session.store, path="a")[row] = VALUES[row] - row
        session.commit("other")
        try:
            store.close()
            refused = None
        except zarrc_ffi.ZarrcError as error:
            refused = error.status
        if refused != (None if works else "ZARRC_CONFLICT"):
            return f"row {row}: {refused}"
        found = zarr.open_array(opened(path).readonly_session("main").store, path="a", mode="r")
        expected = VALUES[0] + 1 if works else VALUES[0]
        if problem := check(found[0], expected) or check(found[3], VALUES[3] - 3):
            return f"row {row}: {problem}"
    return None


def in_turns(path):
    """Commits here and there on top of each other; a node that moved there (format 2); the log of them all."""
    import zarr

    for repository in repositories(path):
        with zarrc_ffi.Store(f"{path}|icechunk:", "a", commit_message="0") as store:
            store.create_array("a", [12, 5], "i4", chunk_shape=[1, 5]).close()
        expected = np.zeros((12, 5), "i4")
        for turn in range(1, 10):
            expected[turn] = turn
            if turn % 2:
                session = opened(path).writable_session("main")
                zarr.open_array(session.store, path="a")[turn] = turn
                session.commit(f"{turn}")
            else:
                with zarrc_ffi.Store(f"{path}|icechunk:", "r+", commit_message=f"{turn}") as store, store.array("a") as array:
                    array.write(expected[turn : turn + 1], [turn, 0])
            found = zarr.open_array(opened(path).readonly_session("main").store, path="a", mode="r")
            with zarrc_ffi.Store(f"{path}|icechunk:") as store, store.array("a") as array:
                if problem := check(found[:], expected) or check(array.read(), expected):
                    return f"turn {turn}: {problem}"
        log = [entry.message for entry in opened(path).ancestry(branch="main")]
        if log[:10] != [f"{turn}" for turn in range(9, -1, -1)]:
            return f"log {log}"
        if getattr(repository, "spec_version", 1) == 2:
            session = repository.rearrange_session("main")
            session.move("/a", "/b")
            session.commit("moved")
            with zarrc_ffi.Store(f"{path}|icechunk:", "r+") as store, store.array("b") as array:
                array.write(expected[1:2], [0, 0])
            expected[0] = expected[1]
            found = zarr.open_array(opened(path).readonly_session("main").store, path="b", mode="r")
            if problem := check(found[:], expected):
                return f"moved: {problem}"
    return None


def transactions(path):
    """Several arrays and attributes in one snapshot, which the package reads; a commit there of the same chunk is a
    conflict, and the transaction is done again; snapshots of either are the other's."""
    import zarr

    for number in formats():
        shutil.rmtree(path, ignore_errors=True)
        with zarrc_ffi.Store(f"{path}|icechunk:", "w-", icechunk_format=number) as store:
            for name in "ab":
                store.create_array(name, VALUES.shape, "i4", chunk_shape=[1, 10]).close()
        with zarrc_ffi.Store(f"{path}|icechunk:", "r+") as store:
            for meets in (True, False):
                with store.begin() as transaction:
                    for name in "ab":
                        with transaction.array(name) as array:
                            array.write(VALUES)
                            array.attributes["done"] = True
                    if meets:
                        session = opened(path).writable_session("main")
                        zarr.open_array(session.store, path="b")[2] = 7
                        other = session.commit("other")
                    try:
                        transaction.commit("both")
                        snapshot = transaction.snapshot()
                        refused = None
                    except zarrc_ffi.ZarrcError as error:
                        refused = error.status
                if refused != ("ZARRC_CONFLICT" if meets else None):
                    return f"format {number}: {refused}"
        repository = opened(path)
        log = list(repository.ancestry(branch="main"))
        if [entry.message for entry in log[:2]] != ["both", "other"] or log[0].id != snapshot:
            return f"format {number}: {[(entry.id, entry.message) for entry in log]}, {snapshot}"
        for name in "ab":
            array = zarr.open_array(repository.readonly_session(snapshot_id=snapshot).store, path=name, mode="r")
            if problem := check(array[:], VALUES):
                return problem
            if dict(array.attrs) != {"done": True}:
                return f"attributes {dict(array.attrs)}"
        with zarrc_ffi.Store(f"{path}|icechunk:@{other}") as store, store.array("b") as array:
            before = np.zeros_like(VALUES)
            before[2] = 7
            if store.snapshot() != other or (problem := check(array.read(), before)):
                return f"at the other's snapshot: {store.snapshot()}, {array.read()}"
    return None


CASES = [
    (("zarrc", "icechunk"), written_here), (("icechunk", "zarrc"), written_there),
    (("icechunk", "zarrc"), elsewhere), (("icechunk", "zarrc"), changed_elsewhere),
    (("icechunk", "zarrc"), two_writers), (("zarrc", "icechunk"), transactions),
    (("icechunk", "zarrc"), in_turns),
]


def exchange(root, tally):
    stores = zarrc_ffi.build_info().get("stores", [])
    if "icechunk" not in str(stores):
        return tally.add("icechunk", "icechunk", ("zarrc", "icechunk"), "unsupported", "this library has no feature icechunk")
    for route, attempt in CASES:
        try:
            problem = attempt(os.path.join(root, "repositories", attempt.__name__))
        except Exception as error:
            problem = f"{type(error).__name__}: {' '.join(str(error).split())[:400]}"
        tally.add("icechunk", attempt.__name__, route, *(("failed", problem) if problem else ("ok",)))


class _Print:
    failed = False

    def add(self, group, case, route, outcome, detail=""):
        print(f"{case}: {' -> '.join(route)}: {outcome} {detail}")
        self.failed |= outcome == "failed"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as root:
        tally = _Print()
        exchange(root, tally)
    sys.exit(tally.failed)
