"""Times zarrc_rechunk() beside rechunker and a loop over zarr-python, at the same memory.

    benches/rechunk.py [--mib 512] [--memory 64] [--times 3] [--python3 PYTHON] [--python2 PYTHON]

The source is a float32 array of time x y x x in chunks of one map each; the target has chunks of
all times and a small square, the worst way round, both zstd 1. The library is that of ZARRC_LIB,
else the one built in this clone. --python3 has zarr 3, --python2 zarr 2 and rechunker. Each run is a
process of its own, and they take turns; printed are the median time, the median CPU time, and the
most memory beyond what the process held before. Each result is compared with the source.
"""
import argparse
import ctypes
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def shape_of(mib):
    times = 512
    edge = int((mib * 2**20 / 4 / times) ** 0.5) // 32 * 32
    return times, edge, edge


def make(folder, shape):
    import numcodecs
    import numpy as np
    import zarr

    rng = np.random.default_rng(0)
    compressed = {"compressors": numcodecs.Zstd(1), "zarr_format": 2}
    array = zarr.create_array(folder, shape=shape, chunks=(1, *shape[1:]), dtype="f4", **compressed)
    y, x = np.mgrid[0 : shape[1], 0 : shape[2]].astype("f4")
    for t in range(shape[0]):
        field = np.sin(x / 20 + t / 9) * np.cos(y / 30) + rng.normal(0, 1e-3, y.shape)
        array[t] = np.float32(field).view("u4").__and__(np.uint32(0xFFFFFF00)).view("f4")


def by_zarrc(source, target, shape, chunks, memory):
    sys.path.insert(0, os.path.join(HERE, "..", "tests", "interop"))
    import numpy as np
    import zarrc_ffi as z

    function = z.lib.zarrc_rechunk
    handle, text, count = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64
    function.argtypes = [handle, handle, text, handle, count, handle, handle, handle]
    yield
    with z.Store(source) as one, z.Store(target, "w") as two, one.array("") as array:
        with z._Spec(shape, np.dtype("f4")) as spec:
            spec.set("chunk_shape", chunks)
            spec.set("format", 2)
            spec.set("codecs", [("zstd", {"level": 1})])
            pair = array._handle, two._handle
            z._call("zarrc_rechunk", *pair, b"", spec.handle, memory, None, None)


def by_rechunker(source, target, shape, chunks, memory):
    import numcodecs
    import rechunker
    import zarr

    scratch = target + ".scratch"
    yield
    array = zarr.open(source, mode="r")
    more = {"temp_store": scratch, "target_options": {"compressor": numcodecs.Zstd(1)}}
    rechunker.rechunk(array, chunks, memory, target, **more).execute()
    shutil.rmtree(scratch, ignore_errors=True)


def by_zarr_python(source, target, shape, chunks, memory):
    import numcodecs
    import zarr

    compressed = {"compressors": numcodecs.Zstd(1), "zarr_format": 2}
    yield
    array = zarr.open(source, mode="r")
    new = zarr.create_array(target, shape=shape, chunks=chunks, dtype="f4", **compressed)
    # as many columns of target chunks as memory holds, read from all maps
    across = max(1, int((memory / 2 / (4 * shape[0])) ** 0.5) // chunks[1]) * chunks[1]
    for y in range(0, shape[1], across):
        for x in range(0, shape[2], across):
            new[:, y : y + across, x : x + across] = array[:, y : y + across, x : x + across]


WAYS = {"zarrc": by_zarrc, "rechunker": by_rechunker, "zarr-python": by_zarr_python}


def child(way, source, target, shape, chunks, memory):
    run = WAYS[way](source, target, tuple(shape), tuple(chunks), memory)
    next(run)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, work = time.perf_counter(), time.process_time()
    next(run, None)
    seconds, work = time.perf_counter() - start, time.process_time() - work
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps([seconds, work, (after - before) / 1024]))


def digest(python, folder):
    values = "zarr.open(sys.argv[1], mode='r')[...].tobytes()"
    code = f"import zarr, hashlib, sys; print(hashlib.sha256({values}).hexdigest())"
    return subprocess.check_output([python, "-c", code, folder], text=True).strip()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mib", type=int, default=512)
    parser.add_argument("--memory", type=int, default=64, help="MiB")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--python3", default=sys.executable)
    parser.add_argument("--python2")
    parser.add_argument("--folder", default="/dev/shm/zarrc-rechunk")
    options = parser.parse_args()
    shape, chunks = shape_of(options.mib), (512, 32, 32)
    shutil.rmtree(options.folder, ignore_errors=True)
    os.makedirs(options.folder)
    source = os.path.join(options.folder, "source")
    make_it = [options.python3, __file__, "make", json.dumps([source, shape])]
    subprocess.run(make_it, check=True)
    expected = digest(options.python3, source)
    ways = {"zarrc": options.python3, "zarr-python": options.python3}
    if options.python2:
        ways["rechunker"] = options.python2
    figures = {way: [] for way in ways}
    for _ in range(options.times):
        for way, python in ways.items():
            target = os.path.join(options.folder, way)
            shutil.rmtree(target, ignore_errors=True)
            what = json.dumps([way, source, target, shape, chunks, options.memory * 2**20])
            out = subprocess.check_output([python, __file__, "child", what], text=True)
            figures[way].append(json.loads(out.splitlines()[-1]))
            assert digest(options.python3, target) == expected, way
    maps = (1, *shape[1:])
    print(f"{options.mib} MiB, {shape} in {maps} -> {chunks}, memory {options.memory} MiB")
    for way, runs in figures.items():
        seconds, work = (statistics.median(run[n] for run in runs) for n in (0, 1))
        most = max(run[2] for run in runs)
        print(f"{way:12} {seconds:8.2f} s {work:8.2f} s of CPU {most:6.0f} MiB")
    shutil.rmtree(options.folder)


if __name__ == "__main__":
    if sys.argv[1:2] == ["make"]:
        make(*json.loads(sys.argv[2]))
    elif sys.argv[1:2] == ["child"]:
        child(*json.loads(sys.argv[2]))
    else:
        main()
