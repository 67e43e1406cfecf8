"""The package beside NumPy: what is read must be what NumPy's own indexing gives."""

import gc
import itertools
import threading

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


KEYS = [
    np.s_[...], np.s_[2], np.s_[-1, ..., 0], np.s_[1:6, 2:8:3], np.s_[::-1], np.s_[5:1:-2, ::-3, 1:3], np.s_[:0],
    np.s_[3:3, ::2], np.s_[6, 8, 3], np.s_[..., -2], np.s_[:, 4], np.s_[100:], np.s_[-100:2, ::-1, ::-1],
]  # fmt: skip


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_reads_as_numpy(pair, key):
    array, values = pair
    np.testing.assert_array_equal(array[key], values[key])
    assert np.shape(array[key]) == values[key].shape


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_writes_as_numpy(pair, key):
    array, values = pair
    new = -1 - np.arange(values[key].size, dtype="f8").reshape(values[key].shape)
    array[key] = new
    values[key] = new
    np.testing.assert_array_equal(array[...], values)
    array[key] = 5
    values[key] = 5
    np.testing.assert_array_equal(array[...], values)


def test_any_strides_without_copies(pair):
    array, values = pair
    memory = np.zeros((4, 9, 7))
    assert array.read(out=memory.T) is not None
    np.testing.assert_array_equal(memory.T, values)
    array[...] = np.asfortranarray(values)[::-1]
    np.testing.assert_array_equal(array[...], values[::-1])
    array[...] = values[:1, :, :1]  # broadcast: strides of 0
    np.testing.assert_array_equal(array[...], np.broadcast_to(values[:1, :, :1], values.shape))


def test_dlpack(pair):
    class Foreign:  # what other libraries' arrays are, as far as a write needs it
        def __init__(self, values):
            self.values = values

        def __dlpack__(self, **settings):
            return self.values.__dlpack__(**settings)

        def __dlpack_device__(self):
            return self.values.__dlpack_device__()

    array, values = pair
    np.testing.assert_array_equal(np.from_dlpack(array), values)
    with pytest.raises(BufferError):
        array.__dlpack__(copy=False)
    array[2] = Foreign(values[3] * 2)
    np.testing.assert_array_equal(array[2], values[3] * 2)


def test_lists_and_masks(pair):
    array, values = pair
    mask = np.array([True, False] * 3 + [True])
    for key in (np.s_[[5, 0, 5]], np.s_[:, [-1, 2], 1], np.s_[mask], np.s_[2, mask.nonzero()[0] % 4], np.s_[[], 1], np.s_[[[1, 2], [3, 4]]]):
        np.testing.assert_array_equal(array[key], values[key])
    np.testing.assert_array_equal(array.oindex[[5, 1], :, [0, 3, 3]], values[np.ix_([5, 1], range(9), [0, 3, 3])])
    for key in (np.s_[[7]], np.s_[[True]], np.s_[[0.5]]):
        with pytest.raises(IndexError):
            array[key]


def test_append(store):
    array = store.create_array("a", shape=(0, 3), dtype="f4")
    other = store["a"]
    array.append(np.ones((2, 3)))
    array.append([[1, 2, 3]])
    assert array.shape == (3, 3) and array[2].tolist() == [1, 2, 3]
    other.refresh()
    assert other.shape == (3, 3)
    array.grow(5, 3)
    assert array.shape == (5, 3)
    with pytest.raises(ValueError):
        array.append([1, 2, 3])
    names = store.create_array("n", shape=0, dtype="string")
    names.append(np.array(["a", "bc"], object))
    assert names[...].tolist() == ["a", "bc"]


def test_wrong_indices(pair):
    array, _ = pair
    for key in (7, -8, (0, 0, 0, 0), (..., ...), None, "x", 1.5):
        with pytest.raises(IndexError):
            array[key]
    with pytest.raises(ValueError):
        array.read(out=np.zeros((2, 2)))
    with pytest.raises(ValueError):
        array[...] = np.zeros((2, 2))


@pytest.mark.parametrize(
    "dtype",
    ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16", ">i4", ">f8", "S3", "U5", "V4",
     "M8[ns]", "m8[s]", "M8[D]"],
)  # fmt: skip
@pytest.mark.parametrize("format", [2, 3])
def test_types(store, dtype, format):
    values = np.arange(12).astype("i8").astype(dtype) if np.dtype(dtype).kind != "V" else np.array([b"abcd"] * 12, dtype)
    values = values.reshape(3, 4)
    array = store.create_array("a", data=values, format=format)
    assert array.dtype == np.dtype(dtype).newbyteorder("=")
    np.testing.assert_array_equal(array[...], values)
    np.testing.assert_array_equal(array[1:, ::-2], values[1:, ::-2])


def test_structs(store):
    dtype = np.dtype([("x", "i4"), ("y", [("u", "f8"), ("v", "S3")])])
    values = np.zeros(5, dtype)
    values["x"], values["y"]["u"], values["y"]["v"] = range(5), 1.5, b"abc"
    array = store.create_array("a", data=values, format=2)
    assert array.dtype == dtype
    np.testing.assert_array_equal(array[...], values)


def test_conversion_is_checked(store):
    array = store.create_array("a", shape=3, dtype="u1")
    array[...] = [1.5, 2, 255]
    np.testing.assert_array_equal(array[...], [1, 2, 255])
    with pytest.raises(zarrc.TypeMismatchError):
        array[...] = [1, 2, 256]
    np.testing.assert_array_equal(array.read(dtype="f4"), np.array([1, 2, 255], "f4"))


@pytest.mark.parametrize("dtype, values", [
    ("string", ["a", "", "größer", "x" * 1000]), ("bytes", [b"a", b"", b"\0\1", b"x"]),
])  # fmt: skip
def test_variable_length(store, dtype, values):
    array = store.create_array("a", shape=(2, 2), dtype=dtype)
    array[...] = np.array(values, object).reshape(2, 2)
    assert array[...].ravel().tolist() == values
    assert array[1, 0] == values[2]
    array[0, 1] = values[3]
    assert array[0].tolist() == [values[0], values[3]]


def test_ragged_and_json(store):
    array = store.create_array("r", shape=2, dtype="vlen-array:<f8", format=2)
    runs = np.empty(2, object)
    runs[0], runs[1] = np.arange(3.0), np.arange(0.0)
    array[...] = runs
    assert [run.tolist() for run in array[...]] == [[0, 1, 2], []]
    array = store.create_array("j", shape=2, dtype="json", format=2)
    objects = np.empty(2, object)
    objects[0], objects[1] = {"a": [1]}, None
    array[...] = objects
    assert array[...].tolist() == [{"a": [1]}, None]


def test_what_an_array_is(store):
    array = store.create_array(
        "g/a", shape=(10, 20), dtype="i2", chunks=(5, 5), shards=(10, 10), fill_value=-1, codecs=[("gzip", {"level": 1})],
        dimension_names=["y", None], attributes={"units": "K"}, separator=".",
    )  # fmt: skip
    assert (array.shape, array.chunks, array.shards, array.chunk_counts) == ((10, 20), (5, 5), (10, 10), (1, 2))
    assert array.fill_value == -1 and array.ndim == 2 and array.nbytes == 400 and len(array) == 10
    assert array.format == zarrc.Format.V3 and array.metadata["dimension_names"] == ["y", None]
    assert list(array.iter_chunks()) == [np.s_[0:10, 0:10], np.s_[0:10, 10:20]]
    array.resize(12, 20)
    assert array.shape == (12, 20)
    assert np.asarray(array).sum() == -240
    rectilinear = store.create_array("r", shape=(10, 4), dtype="i2", chunks=([3, 7], 2))
    assert rectilinear.chunk_counts == (2, 2) and rectilinear.chunk_slices((1, 0)) == np.s_[3:10, 0:2]
    scalar = store.create_array("s", shape=(), dtype="f4")
    scalar[...] = 2.5
    assert scalar[()] == 2.5 and isinstance(scalar[()], np.float32)


def test_attributes(store):
    attributes = store.create_group("g").attributes
    attributes.update(a=1, b=[1.5, "x"], c=np.float32(2))
    assert dict(attributes) == {"a": 1, "b": [1.5, "x"], "c": 2.0} and len(attributes) == 3
    del attributes["a"]
    assert "a" not in attributes and attributes.get("a", 7) == 7
    with pytest.raises(KeyError):
        attributes["a"]
    attributes.replace({})
    assert attributes.asdict() == {}


def test_hierarchy(store):
    group = store.create_group("g")
    group.create_array("x", shape=2, dtype="f8")
    group.create_group("h/i", attributes={"n": 1})
    assert list(group) == ["h", "x"] and "h/i" in group and "y" not in group
    assert [path for path, _ in group.list(recursive=True)] == ["h", "h/i", "x"]
    assert isinstance(store["g/x"], zarrc.Array) and isinstance(group["h"], zarrc.Group)
    del group["h"]
    assert list(group) == ["x"]
    with pytest.raises(KeyError):
        store["nothing"]


def test_errors(store, tmp_path):
    with pytest.raises(zarrc.NotFoundError) as caught:
        store.open_array("nothing")
    assert caught.value.status == zarrc.Status.NOT_FOUND and "nothing" in str(caught.value)
    store.create_group("g")
    with pytest.raises(FileExistsError):
        store.create_group("g")
    with pytest.raises(KeyError):
        zarrc.open(tmp_path / "none.zarr")
    with pytest.raises(ValueError, match="chunk_cach"):
        zarrc.open("memory:", "a", chunk_cach=1)
    array = store.create_array("a", shape=1, dtype="f8")
    attributes = array.attributes
    array.close()
    array.close()
    for use in (lambda: array[0], lambda: attributes["x"], lambda: array.shape):
        with pytest.raises(ValueError, match="closed"):
            use()


def test_keys(store):
    store.set("a/b", b"hello")
    assert store.get("a/b") == b"hello" and store.get("a/b", 1, 3) == b"ell" and store.get("a/b", 3) == b"lo"
    store.erase("a/b")
    with pytest.raises(KeyError):
        store.get("a/b")


def test_convert(store):
    store.create_array("a", data=np.arange(6), format=2)
    other = zarrc.open("memory:", "a")
    assert store.convert_plan("a", other, "", format=3)["nodes"]
    seen = []
    store.convert("a", other, "", format=3, progress=lambda done, what: seen.append((done, what)))
    assert other[""][...].tolist() == list(range(6)) and seen
    with pytest.raises(zarrc.CancelledError):
        store.convert("a", other, "b", format=3, progress=lambda done, what: False)
    with pytest.raises(ZeroDivisionError):
        store.convert("a", other, "d", format=3, progress=lambda done, what: 1 / 0)


def test_lifetimes():
    array = zarrc.open("memory:", "a").create_array("a", data=np.arange(5))
    attributes = zarrc.open("memory:", "a").create_group("g").attributes
    gc.collect()
    assert array[2] == 2
    attributes["x"] = 1
    assert attributes["x"] == 1


def test_a_store_of_python():
    mapping = {}
    with zarrc.open(mapping) as store:
        store.create_array("a", data=np.arange(100), chunks=7)
    assert "a/zarr.json" in mapping
    with zarrc.open(mapping) as store:
        np.testing.assert_array_equal(store["a"][::-3], np.arange(100)[::-3])
        assert [path for path, _ in store.open_group().list()] == ["a"]

    class Broken(dict):
        def __getitem__(self, key):
            raise OSError(f"no way to {key}")

    with pytest.raises(OSError, match="no way to"):
        zarrc.open(Broken()).open_array("a")


def test_a_codec_of_python(store):
    class Flip:
        def __init__(self, by=1):
            self.by = by

        def encode(self, data):
            return bytes(b ^ self.by for b in data)

        decode = encode

    zarrc.register_codec("org.example.flip", Flip)
    try:
        array = store.create_array("a", data=np.arange(50, dtype="u1"), codecs=[("org.example.flip", {"by": 255})])
        np.testing.assert_array_equal(array[...], np.arange(50))
        assert store.get("a/c/0")[0] == 255
        array.close()
        with pytest.raises(FileExistsError):
            zarrc.register_codec("org.example.flip", Flip)
    finally:
        zarrc.unregister_codec("org.example.flip")


def test_threads(pair):
    array, values = pair
    wrong = []

    def work():
        for start, step in itertools.product(range(7), range(1, 4)):
            if not np.array_equal(array[start::step], values[start::step]):
                wrong.append((start, step))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_writer(store):
    with zarrc.Writer(store, "stream", buffer_bytes=1 << 20) as writer:
        field = writer.declare("field", shape=(0, 3, 4), dtype="f4", chunks=(2, 3, 4))
        time = writer.declare("time", shape=(0,), dtype="M8[s]")
        assert writer.steps == 0
        for step in range(5):
            field[step] = step * np.arange(4)
            time[step] = np.datetime64("2026-01-01") + step
            writer.commit(step + 1)
        writer.flush()
        assert writer.steps == 5
        field.put((5, 1, 0), np.full((1, 1, 4), 9))  # not committed: never seen
        with pytest.raises(zarrc.OutOfBoundsError):
            field[4] = 0
        with pytest.raises(ValueError):
            field.put((5, 0), np.zeros((1, 3, 4)))
    expected = np.broadcast_to(np.arange(5)[:, None, None] * np.arange(4), (5, 3, 4))
    np.testing.assert_array_equal(store.open_array("stream/field")[...], expected)
    np.testing.assert_array_equal(
        store.open_array("stream/time")[...], np.arange("2026-01-01", "2026-01-06", dtype="M8[D]").astype("M8[s]")
    )
    with pytest.raises(ValueError):
        writer.commit(6)
    with zarrc.Writer(store, "stream") as writer:
        assert writer.declare("field", shape=(0, 3, 4), dtype="f4").shape == (0, 3, 4)
        writer.declare("time", shape=(0,), dtype="M8[s]")
        assert writer.steps == 5
