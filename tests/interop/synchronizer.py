"""Writers with zarr-python 2 and its ProcessSynchronizer share a store with writers of zarrc.

    synchronizer.py WRITER STORE LOCKS NUMBER ROUNDS     one writer, with zarr-python 2 or zarrc

Every chunk has elements of every writer. A writer counts its own up and looks after each write
whether they are what it wrote: what another writer put back to an older state shows. Each also
counts in an attribute of its own of the one document that all write to, and appends its number to
an array that all append to.
"""
import ctypes
import os
import subprocess
import sys
import tempfile

import numpy as np

WRITERS, ELEMENTS, CHUNK = 4, 64, 32


def by_zarr_python(store, locks, number, rounds):
    import zarr

    synchronizer = zarr.ProcessSynchronizer(locks)
    shared = zarr.open_array(store, mode="r+", path="g/shared", synchronizer=synchronizer)
    # with a cached shape it appends to where the array ended when it was opened
    growing = {"cache_metadata": False, "synchronizer": synchronizer}
    lines = zarr.open_array(store, mode="r+", path="g/lines", **growing)
    for n in range(1, rounds + 1):
        shared[number::WRITERS] = n
        assert (shared[number::WRITERS] == n).all(), f"zarr-python's round {n} is lost"
        shared.attrs[f"writer{number}"] = n
        lines.append(np.full(1, number, "i4"))


def append(array, values):
    import zarrc_ffi

    function = zarrc_ffi.lib.zarrc_array_append
    size, memory = ctypes.c_size_t, ctypes.c_void_p
    function.argtypes = [memory, size, memory, ctypes.c_int32, memory, size, memory]
    count = zarrc_ffi._uint64s(values.shape)
    zarrc_ffi._call("zarrc_array_append", array._handle, 0, count, zarrc_ffi.NATIVE, values.ctypes.data, values.nbytes)


def by_zarrc(store, locks, number, rounds):
    import zarrc_ffi

    with zarrc_ffi.Store(store, "r+", synchronizer=locks) as opened:
        with opened.array("g/shared") as shared, opened.array("g/lines") as lines:
            for n in range(1, rounds + 1):
                written = np.full(ELEMENTS // WRITERS, n, "i8")
                for i in range(number, ELEMENTS, WRITERS):
                    shared.write(written[:1], [i])
                found = shared.read()[number::WRITERS]
                assert (found == n).all(), f"zarrc's round {n} is lost: {found}"
                shared.attributes[f"writer{number}"] = n
                append(lines, np.full(1, number, "i4"))


def check(root, zarr2, synchronized, rounds):
    """Runs two writers of each kind at once; what was lost, `None`: nothing."""
    import zarrc_ffi

    store, locks = os.path.join(root, "store.zarr"), os.path.join(root, "locks")
    with zarrc_ffi.Store(store, "w") as new:
        new.create_group("g", 2).close()
        more = {"format": 2, "codecs": [("none", None)]}
        new.create_array("g/shared", (ELEMENTS,), "i8", chunk_shape=(CHUNK,), **more).close()
        new.create_array("g/lines", (0,), "i4", chunk_shape=(8,), **more).close()
    pythons = [zarr2, sys.executable] * (WRITERS // 2)
    writers = [
        subprocess.Popen(
            [python, __file__, kind, store, locks if synchronized else os.path.join(root, f"own{number}"), str(number), str(rounds)],
            stderr=subprocess.PIPE,
            text=True,
        )
        for number, (python, kind) in enumerate(zip(pythons, ["zarr-python", "zarrc"] * (WRITERS // 2)))
    ]
    errors = [writer.communicate()[1] for writer in writers]
    lost = [error.strip().splitlines()[-1] for writer, error in zip(writers, errors) if writer.returncode]
    if lost:
        return "; ".join(lost)
    with zarrc_ffi.Store(store) as made, made.array("g/shared") as shared, made.array("g/lines") as lines:
        found = shared.read()
        if (found != rounds).any():
            return f"elements are lost: {found}"
        attributes = shared.attributes.get()
        counts = [attributes.get(f"writer{number}") for number in range(WRITERS)]
        if counts != [rounds] * WRITERS:
            return f"attributes are lost: {counts}"
        numbers = np.bincount(lines.read(), minlength=WRITERS).tolist()
        if numbers != [rounds] * WRITERS:
            return f"of {rounds} lines each are {numbers}"
    return None


def refuses_other_formats(root):
    import zarrc_ffi

    with zarrc_ffi.Store(os.path.join(root, "v3.zarr"), "w") as store:
        store.create_array("a", (4,), "i4", format=3).close()
    with zarrc_ffi.Store(os.path.join(root, "v3.zarr"), "r+", synchronizer=os.path.join(root, "locks")) as store:
        try:
            store.array("a").close()
        except zarrc_ffi.ZarrcError as e:
            return None if "synchronizer" in str(e) else str(e)
    return "an array of Zarr v3 was opened with zarr-python 2's locks"


def exchange(zarr2, rounds=40):
    """What is wrong, by name; without a synchronizer something has to be, or the check sees nothing."""
    found = {}
    with tempfile.TemporaryDirectory() as root:
        found["synchronizer"] = check(root, zarr2, True, rounds)
    with tempfile.TemporaryDirectory() as root:
        alone = check(root, zarr2, False, rounds)
        found["synchronizer, without"] = None if alone else "nothing was lost: the writers never met"
    with tempfile.TemporaryDirectory() as root:
        found["synchronizer, other formats"] = refuses_other_formats(root)
    return found


if __name__ == "__main__":
    if sys.argv[1] == "check":
        for name, wrong in exchange(sys.argv[2]).items():
            print(name, wrong or "ok")
    else:
        write = {"zarr-python": by_zarr_python, "zarrc": by_zarrc}[sys.argv[1]]
        write(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
