"""The codec pipeline of zarr-python: what one pipeline writes, the other reads."""

import pickle

import numpy as np
import pytest

zarr = pytest.importorskip("zarr")
pytest.importorskip("zarrc.pipeline")
from zarrc.pipeline import CodecPipeline  # noqa: E402

PLAIN = "zarr.core.codec_pipeline.BatchedCodecPipeline"
OURS = "zarrc.CodecPipeline"


def using(path):
    return zarr.config.set({"codec_pipeline.path": path})


@pytest.fixture(params=["local", "memory"])
def place(request, tmp_path):
    store = zarr.storage.MemoryStore() if request.param == "memory" else zarr.storage.LocalStore(tmp_path / "s.zarr")
    return store


KINDS = {
    "v3": {"zarr_format": 3},
    "v2": {"zarr_format": 2},
    "shards": {"zarr_format": 3, "shards": (6, 8)},
    "v2 F": {"zarr_format": 2, "order": "F"},
    "raw": {"zarr_format": 3, "compressors": None},
}
KEYS = [
    np.s_[...], np.s_[2:11, 3:9], np.s_[::2, 1::3], np.s_[5], np.s_[:, -1], np.s_[3, 4], np.s_[12:13, 0:1],
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["f8", "i2", ">i4", "M8[ns]"])
def test_both_ways(place, kind, dtype):
    if dtype == ">i4" and kind != "v2":
        pytest.skip("v3 has no byte order in its types")
    values = np.arange(13 * 17).reshape(13, 17).astype(dtype)
    for writer, reader in ((PLAIN, OURS), (OURS, PLAIN)):
        with using(writer):
            array = zarr.create_array(place, name=writer[:5], shape=(13, 17), chunks=(3, 4), dtype=dtype, **KINDS[kind])
            array[...] = values
            array[2:5, 1:9] = values[2:5, 1:9]
        with using(reader):
            array = zarr.open_array(place, path=writer[:5])
            assert (type(array._async_array.codec_pipeline) is CodecPipeline) == (reader == OURS)
            if reader == OURS:
                assert array._async_array.codec_pipeline._target is not None
            for key in KEYS:
                np.testing.assert_array_equal(array[key], values[key])
            np.testing.assert_array_equal(array.oindex[[5, 1], [3, 16, 2]], values[np.ix_([5, 1], [3, 16, 2])])
            np.testing.assert_array_equal(array.vindex[[5, 1], [3, 16]], values[[5, 1], [3, 16]])
            np.testing.assert_array_equal(array.blocks[0:1, 0], values[:6, :8] if "shards" in kind else values[:3, :4])


@pytest.mark.parametrize("kind", KINDS)
def test_writes_of_every_form(place, kind):
    with using(OURS):
        array = zarr.create_array(place, shape=(13, 17), chunks=(3, 4), dtype="f8", fill_value=-1, **KINDS[kind])
        values = np.full((13, 17), -1.0)
        array[2:9, 3] = values[2:9, 3] = 7
        array[::2, 1::3] = values[::2, 1::3] = np.arange(7 * 6).reshape(7, 6)
        array[4] = values[4] = np.arange(17)
        array.oindex[[1, 12], [0, 5]] = 3
        values[np.ix_([1, 12], [0, 5])] = 3
        array.vindex[[0, 7], [16, 2]] = [8, 9]
        values[[0, 7], [16, 2]] = [8, 9]
        mask = np.zeros((13, 17), bool)
        mask[10, 11] = True
        array.vindex[mask] = values[mask] = 5
        np.testing.assert_array_equal(array[...], values)
        array.resize((20, 17))
        array[15:] = 2
        assert (array[15:] == 2).all() and (array[13:15] == -1).all()
    with using(PLAIN):
        np.testing.assert_array_equal(zarr.open_array(place)[:13], values)


def test_scalars_and_pickles(tmp_path):
    with using(OURS):
        scalar = zarr.create_array(tmp_path / "s.zarr", shape=(), dtype="f8")
        scalar[...] = 2.5
        assert scalar[()] == 2.5
        array = zarr.create_array(tmp_path / "a.zarr", data=np.arange(10))
        assert (pickle.loads(pickle.dumps(array))[3:] == np.arange(3, 10)).all()
        text = zarr.create_array(tmp_path / "t.zarr", shape=2, dtype=str)
        text[...] = np.array(["a", "b"])
        assert text[1] == "b"


def test_errors_are_zarrcs(tmp_path):
    import zarrc

    with using(OURS):
        array = zarr.create_array(tmp_path / "a.zarr", data=np.arange(10))
        (tmp_path / "a.zarr/c/0").write_bytes(b"garbage")
        with pytest.raises(zarrc.CorruptDataError, match="c/0"):
            array[...]


def test_read_only_stores_refuse_as_zarr_python_does(tmp_path):
    with using(OURS):
        zarr.create_array(tmp_path / "a.zarr", data=np.arange(10))
        with pytest.raises(ValueError, match="read-only"):
            zarr.open_array(tmp_path / "a.zarr", mode="r")[...] = 1


@pytest.mark.parametrize("indices", [slice(3, None), [9, 4, 2]])
def test_an_array_that_grows_within_a_chunk(place, indices):
    values = np.arange(3)
    with using(OURS):
        array = zarr.create_array(place, name="grown", data=values, chunks=(10,), fill_value=7)
        array.resize((12,))
        values = np.concatenate([values, np.full(9, 7)])
        np.testing.assert_array_equal(array.oindex[indices], values[indices])
        array.oindex[indices] = values[indices] = -1
        np.testing.assert_array_equal(array.oindex[indices], values[indices])
        np.testing.assert_array_equal(array[...], values)
    with using(PLAIN):
        np.testing.assert_array_equal(zarr.open_array(place, path="grown")[...], values)


@pytest.mark.parametrize("shards", [None, (10,)])
def test_codecs_that_a_program_registers_are_used(place, shards):
    class Zstd(zarr.codecs.ZstdCodec):
        calls = 0

        async def _decode_single(self, *arguments):
            Zstd.calls += 1
            return await super()._decode_single(*arguments)

    name = f"{Zstd.__module__}.{Zstd.__qualname__}"
    zarr.registry.register_codec("zstd", Zstd)
    with using(OURS), zarr.config.set({"codecs.zstd": name}):
        array = zarr.create_array(place, name="own", data=np.arange(10), chunks=(5,), shards=shards)
        np.testing.assert_array_equal(zarr.open_array(place, path="own")[...], np.arange(10))
        assert Zstd.calls == 2
        with zarr.config.set({"codec_pipeline.strict": True}), pytest.raises(RuntimeError, match="Zstd"):
            zarr.open_array(place, path="own")


@pytest.mark.parametrize("shape", [(13, 17), (4,), (5, 6, 7)])
def test_whole_grids_and_others(place, shape):
    """Batches that are one box, and those that are none: gaps between chunks, integers, points, one value for all."""
    values = np.arange(np.prod(shape), dtype="i4").reshape(shape)
    with using(PLAIN):
        plain = zarr.create_array(place, name="plain", data=values, chunks=(2,) * len(shape))
    with using(OURS):
        array = zarr.create_array(place, name="ours", data=values, chunks=(2,) * len(shape))
        last = (slice(None),) * (len(shape) - 1)
        keys = [..., np.s_[::3], np.s_[1::5], np.s_[1:], np.s_[-1], (*last, 1), (*last, np.s_[::4]), (*last, np.s_[3:4])]
        for key in keys:
            np.testing.assert_array_equal(array[key], values[key])
            array[key] = values[key] = -7
            plain[key] = -7
            np.testing.assert_array_equal(array[...], values)
        for indices in ([3, 0, 2], [1]):
            selected = np.ix_(*[[i % n for i in indices] for n in shape])
            np.testing.assert_array_equal(array.oindex[tuple(s.ravel() for s in selected)], values[selected])
    with using(PLAIN):
        np.testing.assert_array_equal(zarr.open_array(place, path="ours")[...], plain[...])
