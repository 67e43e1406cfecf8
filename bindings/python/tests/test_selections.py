"""Lists, masks, points, chunks and fields beside NumPy; requests; operations on nodes."""

import asyncio
import itertools
import json
import select

import numpy as np
import pytest

import zarrc


@pytest.fixture
def store():
    with zarrc.open("memory:", "a") as store:
        yield store


@pytest.fixture
def pair(store):
    values = np.arange(7 * 9 * 4, dtype="f8").reshape(7, 9, 4)
    return store.create_array("a", data=values, chunks=(3, 4, 4)), values


MASK = np.arange(7 * 9 * 4).reshape(7, 9, 4) % 5 == 0
KEYS = [
    np.s_[[1, 3, 3, -1]], np.s_[:, [5, 0, 2]], np.s_[..., [3, 0]], np.s_[2, :, [1, 2]], np.s_[2, [1, 2]], np.s_[[1, 2], :, 3],
    np.s_[[1, 2], 3], np.s_[:, 3, [0, 2]], np.s_[2, ..., [1, 2]], np.s_[::-2, [4, 1], 1:3], np.s_[[[1, 2], [3, 4]]],
    np.s_[:, [[1, 2, 0], [3, 8, 4]], ::2], np.s_[[1, 2], [3, 4]], np.s_[[1, 2], :, [3, 0]], np.s_[[[1], [2]], [3, 4], 1],
    np.s_[[], 1:3], np.s_[[], []], np.s_[MASK], np.s_[MASK[:, :, 0]], np.s_[MASK[:, 0, 0]], np.s_[:, MASK[0, :, 0]],
    np.s_[:, MASK[0]], np.s_[MASK[:, 0, 0], 1:4, -1], np.s_[np.array(3), [1, 2]], np.s_[range(2, 5), 1], np.s_[5:1:-1, [1]],
    np.s_[[0, 1], [2, 3], [1, 1]], np.s_[MASK[:, 0, 0], [1, 2]], np.s_[[True, False] * 3 + [True]],
]  # fmt: skip


@pytest.mark.parametrize("key", KEYS, ids=lambda key: str(key)[:40])
def test_reads_and_writes_as_numpy(pair, key):
    array, values = pair
    np.testing.assert_array_equal(array[key], values[key])
    assert np.shape(array[key]) == values[key].shape
    values[key] = array[key] * -1.5 + 1
    array[key] = values[key]
    np.testing.assert_array_equal(array[...], values)
    values[key] = 7
    array[key] = 7
    np.testing.assert_array_equal(array[...], values)


@pytest.mark.parametrize("key", KEYS, ids=lambda key: str(key)[:40])
def test_strings_as_numpy(store, key):
    values = np.array([f"{n:x}" * (n % 7) for n in range(7 * 9 * 4)], object).reshape(7, 9, 4)
    array = store.create_array("s", data=values, dtype="string", chunks=(3, 4, 4))
    assert array[key].tolist() == values[key].tolist()
    values[key] = values[key] + "é"
    array[key] = values[key]
    assert array[...].tolist() == values.tolist()
    values[key] = array[key] = "one"
    assert array[...].tolist() == values.tolist()


@pytest.mark.parametrize(
    "key", [np.s_[[8]], np.s_[:, [1.5]], np.s_[[1, 2], [1, 2, 3]], np.s_[MASK[:3]], np.s_[[1], [2], [3], [4]], np.s_["x"]],
    ids=str,
)  # fmt: skip
def test_refuses_what_numpy_refuses(pair, key):
    array, values = pair
    for thing in (array, values):
        with pytest.raises(IndexError):
            thing[key]
        with pytest.raises(IndexError):
            thing[key] = 1


def test_orthogonal_indexing(pair):
    array, values = pair
    parts = [[0, 5, 5], slice(1, 8, 3), MASK[:, 0, 0], 2, [-1]]
    for first, second in itertools.product(parts, [[8, 0], slice(None, None, -2), 3]):
        rows = np.arange(7)[first] if not np.isscalar(first) else np.array([first])
        columns = np.arange(9)[second] if not np.isscalar(second) else np.array([second])
        expected = values[np.ix_(rows, columns)]
        drop = tuple(n for n, e in enumerate((first, second)) if np.isscalar(e))
        np.testing.assert_array_equal(array.oindex[first, second], expected.squeeze(drop))
    array.oindex[[6, 0], [1, 3]] = [[[1.0], [2.0]], [[3.0], [4.0]]]
    values[np.ix_([6, 0], [1, 3])] = [[[1.0], [2.0]], [[3.0], [4.0]]]
    np.testing.assert_array_equal(array[...], values)


def test_points_and_blocks(pair):
    array, values = pair
    np.testing.assert_array_equal(array.vindex[[1, 6], [2, 3], [0, 1]], values[[1, 6], [2, 3], [0, 1]])
    np.testing.assert_array_equal(array.vindex[MASK], values[MASK])
    array.vindex[MASK] = 3
    values[MASK] = 3
    with pytest.raises(IndexError):
        array.vindex[[1], :, :]
    np.testing.assert_array_equal(array.blocks[1, 2], values[3:6, 8:9])
    np.testing.assert_array_equal(array.blocks[1:, 0], values[3:, :4])
    array.blocks[2] = -1
    values[6:] = -1
    np.testing.assert_array_equal(array[...], values)


def test_fields(store):
    dtype = np.dtype([("x", "i4"), ("y", "f8"), ("z", "u1", (2,))])
    values = np.zeros((4, 5), dtype)
    values["x"] = np.arange(20).reshape(4, 5)
    values["z"] = np.arange(40).reshape(4, 5, 2)
    array = store.create_array("s", data=values, chunks=(2, 2), format=2)
    np.testing.assert_array_equal(array["x"], values["x"])
    np.testing.assert_array_equal(array["z", 1], values["z"][1])
    np.testing.assert_array_equal(array["x", [3, 0], 1:], values["x"][[3, 0], 1:])
    array["y"] = 2.5
    array["x", 1] = [5, 4, 3, 2, 1]
    values["y"], values["x"][1] = 2.5, [5, 4, 3, 2, 1]
    np.testing.assert_array_equal(array[...], values)


def test_memory_of_any_strides_and_type(pair):
    array, values = pair
    out = np.zeros((4, 2), "f4").T
    assert array.read(np.s_[[3, 1], 2], out=out) is out
    np.testing.assert_array_equal(out, values[[3, 1], 2])
    assert array.read([1, 2], dtype="i2").dtype == np.int16
    np.testing.assert_array_equal(array.read(np.s_[1, :, [2, 0]], out=np.zeros((2, 9))), values[1, :, [2, 0]])
    array[[1, 2], ::-1] = values[[1, 2]]
    np.testing.assert_array_equal(array[[1, 2]], values[[1, 2], ::-1])


def test_requests(pair):
    array, values = pair
    requests = [array.read_start(n) for n in range(7)]
    assert zarrc.wait_any(requests) in requests
    for n, request in enumerate(requests):
        np.testing.assert_array_equal(request.wait(), values[n])
        assert request.done()
        assert select.select([request], [], [], 0)[0]
    # boxes, into memory of any kind
    for key in (np.s_[2, 3, 1], np.s_[1:3], np.s_[..., 1:2], np.s_[4:2], np.s_[5:0:-2, ::2], np.s_[-1, 2:]):
        expected = values[key]
        np.testing.assert_array_equal(array.read_start(key).wait(), expected)
        for out in (np.zeros(expected.shape), np.zeros(expected.shape[::-1], "f4").T):
            assert array.read_start(key, out=out).wait() is out
            np.testing.assert_array_equal(out, expected)
    assert array.read_start(np.s_[1:3], dtype="i2").wait().dtype == np.int16
    with pytest.raises(ValueError, match="out has the shape"):
        array.read_start(np.s_[1:3], out=np.zeros(3))
    array.write_start(np.s_[[1, 2], ::-1], values[[1, 2]]).wait()
    np.testing.assert_array_equal(array[[2, 1]], values[[2, 1], ::-1])
    array.write_start(3, 0).wait()
    assert not array[3].any()


def test_requests_are_awaited(pair):
    array, values = pair

    async def both():
        return await asyncio.gather(*(read(n) for n in range(7)))

    async def read(n):
        return await array.read_start(n)

    np.testing.assert_array_equal(np.stack(asyncio.run(both())), values)


def test_cancelled_request(pair):
    array, _ = pair
    request = array.read_start()
    request.cancel()
    try:
        request.wait()
    except zarrc.CancelledError:
        pass  # unless it was done before


def test_what_an_array_tells(store):
    array = store.create_array("a", shape=(4, 6), dtype="i4", chunks=(2, 3), dimension_names=["y", None], codecs=["gzip"], format=3)
    array[0, 0] = 1
    array[3, 5] = 2
    assert array.dims == ("y", None) and array.order == "C" and array.separator == "/"
    assert "gzip" in [codec["name"] for codec in array.codecs] and array.data_type_text == "int32"
    assert array.chunk_key((1, 1)) == "a/c/1/1" and array.store_name
    import hashlib

    assert array.digest() == hashlib.sha256(array[...].tobytes()).hexdigest()
    assert array.digest("sha1", stored=True) != array.digest("sha1")
    assert array.info["chunks_stored"] == 2 and array.info["shape"] == [4, 6]
    seen = []
    array.visit_chunks(lambda *chunk: seen.append(chunk))
    assert [(index, key) for index, key, _ in seen] == [((0, 0), "a/c/0/0"), ((1, 1), "a/c/1/1")]
    seen.clear()
    array.visit_chunks(lambda index, key, size: bool(seen.append(index)))
    assert len(seen) == 1
    with pytest.raises(ZeroDivisionError):
        array.visit_chunks(lambda *chunk: 1 // 0)


def test_missing_value(store):
    array = store.create_array("a", shape=3, dtype="f4", missing_value=-999)
    assert array[0] == -999 and "_FillValue" in array.attrs
    other = store.create_array("b", shape=3, dtype="i2", format=3)
    other.set_missing_value(-1)
    assert other.attrs["_FillValue"] == -1 and other[0] == 0


def test_attributes_of_every_kind(store):
    attrs = store.create_group().attrs
    attrs.update(list=[1.5, float("nan")], flag=np.bool_(True), none=None, numbers=np.arange(3), deep={"a": (1, -np.inf)})
    assert attrs.asdict() == {
        "list": [1.5, "NaN"], "flag": True, "none": None, "numbers": [0, 1, 2], "deep": {"a": [1, "-Infinity"]},
    }  # fmt: skip
    with pytest.raises(TypeError):
        attrs["x"] = object()


def test_ways_to_open(store, tmp_path):
    array = store.require_array("a", shape=(2, 3), dtype="i4", fill_value=5)
    assert store.require_array("a", shape=(2, 3), dtype="i4")[0, 0] == 5
    with pytest.raises(zarrc.AlreadyExistsError):
        store.require_array("a", shape=(2, 4), dtype="i4")
    assert store.open_or_create_array("a", shape=9, dtype="f8").shape == (2, 3)
    like = store.create_array("like", like=array, shape=(5, 6))
    assert like.shape == (5, 6) and like.dtype == "i4" and like[0, 0] == 5
    assert store.create_array("a", shape=1, dtype="u1", overwrite=True).dtype == "u1"
    assert store.require_group("g/h").path == "g/h"
    store.create_array("g/h/x", shape=1, dtype="u1")
    assert len(store.create_group("g", overwrite=True)) == 0
    url = str(tmp_path / "s.zarr")
    zarrc.open(url, "w").create_array("g/a", data=np.arange(3))
    assert zarrc.open_array(url + "/g/a")[1] == 1 and zarrc.open_array(url, "g/a").path == "g/a"
    group = zarrc.open_group(url + "/new", "a")
    group.attrs.update(a=[1, None, True], b="x")
    assert zarrc.open_group(url + "/new").attrs.asdict() == {"a": [1, None, True], "b": "x"}


def test_visits_and_trees(store):
    store.create_array("g/a", shape=3, dtype="i4")
    seen = []
    store.open_group().visit(lambda path, kind: seen.append((path, kind)))
    assert seen == [("g", zarrc.NodeKind.GROUP), ("g/a", zarrc.NodeKind.ARRAY)]
    assert "a (3) int32" in store.open_group().tree()


def test_operations(store, tmp_path):
    values = np.arange(60).reshape(6, 10)
    array = store.create_array("g/a", data=values, chunks=(2, 5), attributes={"units": "K"})
    store.create_array("g/b", data=values)
    reports = []
    other = zarrc.open(str(tmp_path / "o.zarr"), "w")
    copied = zarrc.copy(store, "g", other, "h", exclude="b", progress=lambda done, what: reports.append((done, what)))
    assert copied["keys"] > 4 and reports and reports[-1][0] == 1 and "h/b" not in other
    np.testing.assert_array_equal(other["h/a"][...], values)
    with pytest.raises(zarrc.AlreadyExistsError):
        zarrc.copy(store, "g", other, "h")
    assert zarrc.copy(store, "g", other, "h", if_exists="skip")["skipped"] > 4
    with pytest.raises(zarrc.CancelledError):
        zarrc.copy(store, "g", other, "i", progress=lambda done, what: False)
    with pytest.raises(zarrc.UnsupportedError):
        zarrc.copy(store, "g", zarrc.open("memory:", "w"), link=True)
    zarrc.move(other, "h", "j/k")
    assert "h" not in other and "j/k/a" in other
    again = zarrc.rechunk(array, other, "r", chunks=(6, 1), progress=lambda done, what: True)
    np.testing.assert_array_equal(again[...], values)
    assert again.chunks == (6, 1) and again.attrs["units"] == "K"
    zarrc.consolidate(other)
    assert "consolidated_metadata" in json.loads(other.get("zarr.json"))
    assert zarrc.verify(other)["problems"] == []
    other.set("r/c/9/9", b"x")
    problems = zarrc.verify(other, "r")["problems"]
    assert [problem["kind"] for problem in problems] == ["outside"]
    assert len(zarrc.repair(other, ["outside"], dry_run=True)["repaired"]) == 1
    assert len(zarrc.repair(other, "outside")["repaired"]) == 1
    assert zarrc.verify(other)["problems"] == []


def test_appending_what_a_function_writes(store):
    array = store.create_array("log", shape=(0, 2, 3), dtype="f8", chunks=(2, 2, 3))
    kept = []

    def write(grown, document, first):
        kept.append(grown)
        grown[first] = first
        store.open_array_with("log", document)[first + 1] = -first

    for _ in range(2):
        array.append_with(2, write)
    np.testing.assert_array_equal(array[:, 1, 2], [0, 0, 2, -2])
    with pytest.raises(ValueError, match="closed"):
        kept[0].shape
    with pytest.raises(ZeroDivisionError):
        array.append_with(1, lambda *_: 1 / 0)
    with pytest.raises(zarrc.CancelledError):
        array.append_with(1, lambda *_: False)
    assert array.shape == (4, 2, 3)


def test_coordinates(pair):
    array, values = pair
    along = np.meshgrid(*map(np.arange, values.shape), indexing="ij")
    for key in KEYS:
        np.testing.assert_array_equal(array.coordinates(key), np.stack([a[key] for a in along], axis=-1))
