"""Dask workers and zarrc processes write one store at the same time, and read what all have written.

    run.py [ROUNDS]           ZARRC_LIBRARY: the library; PYTHONPATH: bindings/python

A local cluster of Dask has worker processes with zarr-python's own pipeline and with zarrc's. Beside them run
processes that use zarrc alone. zarr-python reads, changes and writes a chunk without a lock, so its rows are whole
chunks; zarrc keeps writers of one chunk apart, so its rows and those of zarrc's pipeline lie interleaved in the same
chunks and shards, and every element is written ROUNDS times.
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

WORKERS = 4
PLAIN, OURS = "zarr.core.codec_pipeline.BatchedCodecPipeline", "zarrc.CodecPipeline"
ROWS, COLUMNS, HIGH = 96, 200, 16  # HIGH: rows of a chunk and of a shard
NAMES = ["chunks", "shards", "v2"]
ALONE, SHARED = range(0, ROWS // 2, HIGH), range(ROWS // 2, ROWS)  # blocks of zarr-python; rows of zarrc


def value(name, row, round_):
    """The values of a row as they are after a round."""
    return (np.arange(COLUMNS) * 7 + row * 1000 + NAMES.index(name) * 100_000 + round_ * 1_000_000).astype("i4")


def opened(url, name, pipeline, mode):
    import zarr
    import zarrc.pipeline  # an installed wheel registers it by itself

    zarr.config.set({"codec_pipeline.path": pipeline, "codec_pipeline.strict": True})
    array = zarr.open_array(url, path=name, mode=mode)
    found = type(array._async_array.codec_pipeline).__name__
    assert found == pipeline.rsplit(".", 1)[1], f"{found} instead of {pipeline}"
    return array


def write_blocks(url, first, rounds):
    """With zarr-python's pipeline: whole chunks."""
    for name in NAMES:
        array = opened(url, name, PLAIN, "r+")
        for n in range(1, rounds + 1):
            array[first : first + HIGH] = np.stack([value(name, r, n) for r in range(first, first + HIGH)])
    return first


def write_rows(url, remainder, writers, rounds):
    """With zarrc's pipeline: rows between those of other writers; each is looked at again after it was written."""
    for name in NAMES:
        array = opened(url, name, OURS, "r+")
        for n in range(1, rounds + 1):
            for row in SHARED[remainder::writers]:
                array[row] = value(name, row, n)
                assert (array[row] == value(name, row, n)).all(), f"round {n} of row {row} of {name} is lost"
    return remainder


def write_with_zarrc(url, remainder, writers, rounds):
    """The same in a process that knows zarrc alone."""
    import zarrc

    for name in NAMES:
        array = zarrc.open_array(url, name, "r+")
        for n in range(1, rounds + 1):
            for row in SHARED[remainder::writers]:
                array[row] = value(name, row, n)
                assert (array[row] == value(name, row, n)).all(), f"round {n} of row {row} of {name} is lost"


def read_rows(url, name, pipeline, first, last):
    return opened(url, name, pipeline, "r")[first:last]


def create(url):
    import zarr

    group = zarr.open_group(url, mode="w")
    shape = {"shape": (ROWS, COLUMNS), "dtype": "i4"}
    group.create_array("chunks", chunks=(HIGH, 64), **shape)
    group.create_array("shards", chunks=(4, 50), shards=(HIGH, COLUMNS), **shape)
    zarr.create_array(url, name="v2", chunks=(HIGH, 64), zarr_format=2, **shape)


def main():
    import dask
    import dask.array
    import zarrc
    from dask.distributed import Client, LocalCluster

    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    dask.config.set({"distributed.worker.daemon": False, "distributed.admin.log-length": 0})
    with tempfile.TemporaryDirectory() as place:
        url = str(pathlib.Path(place) / "store.zarr")
        create(url)
        with LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None) as cluster:
            with Client(cluster) as client:
                pids = set(client.run(__import__("os").getpid).values())
                assert len(pids) == WORKERS, "the workers must be processes"
                client.upload_file(__file__)
                import run as shared  # as the workers know it

                command = [sys.executable, __file__, "writer", url]
                beside = [subprocess.Popen([*command, str(k), "4", str(rounds)]) for k in (0, 1)]
                written = [client.submit(shared.write_rows, url, k, 4, rounds) for k in (2, 3)]
                written += [client.submit(shared.write_blocks, url, first, rounds) for first in ALONE]
                client.gather(written)
                assert [p.wait() for p in beside] == [0, 0], "a zarrc process has failed"
                for name in NAMES:
                    expected = np.stack([value(name, row, rounds) for row in range(ROWS)])
                    for pipeline in (PLAIN, OURS):
                        read = [client.submit(shared.read_rows, url, name, pipeline, r, r + 24)
                                for r in range(0, ROWS, 24)]
                        np.testing.assert_array_equal(np.concatenate(client.gather(read)), expected)
                    np.testing.assert_array_equal(zarrc.open_array(url, name)[...], expected)
                    # an array of Dask, reduced by the workers
                    lazy = dask.array.from_zarr(url, component=name)
                    assert int(lazy.astype("i8").sum().compute()) == int(expected.astype("i8").sum())
                    # and stored by them, with the pipeline of this process
                    target = dask.array.from_array(expected, chunks=(HIGH, COLUMNS))
                    dask.array.to_zarr(target + 1, url, component=f"{name}-stored", overwrite=True)
                    np.testing.assert_array_equal(zarrc.open_array(url, f"{name}-stored")[...], expected + 1)
    print(f"dask ok: {WORKERS} workers of two pipelines and 2 processes of zarrc, {rounds} rounds, nothing lost")


if __name__ == "__main__":
    if sys.argv[1:2] == ["writer"]:
        write_with_zarrc(sys.argv[2], *map(int, sys.argv[3:6]))
    else:
        sys.path.insert(0, str(pathlib.Path(__file__).parent))
        main()
