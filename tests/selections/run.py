"""Selections through the C functions, compared with NumPy: run.py [CASES [SEED]]

Each case reads, writes or fills a random selection of a random array (format, shards, codecs, order,
type, chunks, memory layout and memory type vary) and does the same to a NumPy array beside it, by
NumPy's own indexing. Writes are compared by reading all of the array. Needs the library (ZARRC_LIB,
else the one built in this clone) and NumPy.
"""
import ctypes
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "interop"))
from zarrc_ffi import DATA_TYPES, NATIVE, Selection, Store, ZarrcError  # noqa: E402

NUMBERS = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"]
OTHERS = ["c8", "c16", "S3", "U2", "V5", "M8[s]"]
STRUCTS = [np.dtype([("a", "i4"), ("b", "f8"), ("c", "u1", (3,))]), np.dtype([("x", "u2"), ("y", "S3")])]
ZSTD, GZIP, BLOSC = ("zstd", {"level": 1}), ("gzip", {"level": 1}), ("blosc", None)
KINDS = {
    "v2": dict(format=2, codecs=[None, [("none", None)], [("zlib", {"level": 1})], [("blosc", None)]]),
    "v2-F": dict(format=2, order="F", codecs=[None, [("none", None)]]),
    "v3": dict(format=3, codecs=[None, [("none", None)], [ZSTD], [GZIP], [BLOSC]]),
    "shards": dict(format=3, shards=True, codecs=[None, [("none", None)], [ZSTD], [BLOSC]]),
    "n5": dict(format="n5", codecs=[None, [("none", None)], [("gzip", {"level": 1})]]),
}
OPTIONS = [{}, {}, {"chunk_cache": "0"}, {"write_buffer": "1MiB"}, {"threads": "1"}]
VLEN = {"v2": ("zarr_format", 2), "v3": ("zarr_format", 3), "shards": ("zarr_format", 3)}


class Case:
    """A random array in both worlds."""

    def __init__(self, random, number):
        self.random = random
        self.kind = random.choice(list(KINDS))
        rank = int(random.choice([0, 1, 1, 2, 2, 2, 3, 3, 4])) if self.kind != "n5" else int(random.integers(1, 4))
        self.shape = tuple(int(n) for n in random.integers(1, [40, 24, 12, 8][max(rank, 1) - 1], rank))
        self.inner = tuple(int(n) for n in random.integers(1, 7, rank))
        self.chunks = tuple(int(n * k) for n, k in zip(self.inner, random.integers(1, 4, rank)))
        self.store = Store(f"memory:selections-{number}", "w", **random.choice(OPTIONS))
        self.vlen = self.kind in VLEN and random.random() < 0.15
        self.create_vlen() if self.vlen else self.create()

    def create(self):
        random, kind = self.random, KINDS[self.kind]
        types = NUMBERS + (OTHERS if self.kind != "n5" else [])
        if self.kind in ("v2", "v2-F") and random.random() < 0.25:
            self.dtype = STRUCTS[random.integers(len(STRUCTS))]
        else:
            types = [t for t in types if not (self.kind == "n5" and t == "?")]
            self.dtype = np.dtype(str(random.choice(types)))
        options = {"format": kind["format"], "chunk_shape": self.chunks}
        if kind.get("shards"):
            options.update(chunk_shape=self.inner, shard_shape=self.chunks)
        if "order" in kind:
            options["order"] = kind["order"]
        codecs = kind["codecs"][random.integers(len(kind["codecs"]))]
        if codecs:
            options["codecs"] = codecs
        self.label = f"{self.kind} {self.dtype} {self.shape} in {options}"
        fill = np.zeros((), self.dtype)
        if self.dtype.kind in "iu" and self.kind != "n5" and random.random() < 0.5:
            fill = np.asarray(7, self.dtype)
            options["fill_value"] = fill
        self.array = self.store.create_array("", self.shape, self.dtype, **options)
        self.mirror = np.full(self.shape, fill, self.dtype)
        if random.random() < 0.8:
            self.mirror[...] = self.values(self.shape)
            self.array.write(self.mirror)

    def create_vlen(self):
        shape, chunks = list(self.shape), list(self.chunks)
        if self.kind == "v2":
            document = dict(
                zarr_format=2, shape=shape, chunks=chunks, dtype="|O", fill_value="", order="C", compressor=None,
                filters=[{"id": "vlen-utf8"}],
            )  # fmt: skip
        else:
            codecs = [{"name": "vlen-utf8"}, {"name": "zstd", "configuration": {"level": 1, "checksum": False}}]
            if self.kind == "shards":
                index = [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}]
                inner = dict(chunk_shape=list(self.inner), codecs=codecs, index_codecs=index)
                codecs = [{"name": "sharding_indexed", "configuration": inner}]
            document = dict(
                zarr_format=3, node_type="array", shape=shape, data_type="string", fill_value="", codecs=codecs,
                chunk_grid={"name": "regular", "configuration": {"chunk_shape": chunks}},
                chunk_key_encoding={"name": "default"},
            )  # fmt: skip
        self.label = f"{self.kind} strings {self.shape} in {chunks}"
        self.array = self.store.create_array_from("", document)
        self.mirror = np.full(self.shape, b"", object)
        self.mirror[...] = self.values(self.shape)
        self.array.write_vlen(self.mirror.ravel().tolist())

    def values(self, shape, dtype=None):
        random = self.random
        if self.vlen:
            values = np.empty(shape, object)
            flat = [b"x" * int(n) + str(int(m)).encode() for n, m in random.integers(0, 90, (values.size, 2))]
            values[...] = np.array(flat + [None], object)[:-1].reshape(shape)
            return values
        dtype = np.dtype(dtype or self.dtype)
        if dtype.names:
            values = np.empty(shape, dtype)
            for name in dtype.names:
                base, inner = dtype[name].subdtype or (dtype[name], ())
                values[name] = self.values((*shape, *inner), base)
            return values
        numbers = random.integers(0, 2 if dtype.kind == "b" else 100, shape)
        if dtype.kind == "V":
            return np.frombuffer(random.bytes(int(np.prod(shape)) * dtype.itemsize), dtype).reshape(shape)
        return numbers.astype("i8").astype(dtype) if dtype.kind != "M" else numbers.astype("i8").view("M8[s]")

    def axis(self, n, selection, d):
        """Selects along one dimension; its indices, and whether it is dropped."""
        random = self.random
        match random.integers(7):
            case 0:
                return np.arange(n), False
            case 1:
                index = int(random.integers(n))
                selection.set("index", d, index)
                return np.array([index]), True
            case 2:
                mask = random.random(n) < random.random()
                selection.set("mask", d, n, mask)
                return np.flatnonzero(mask), False
            case 3 | 4:
                count = int(random.integers(0, 9))
                indices = random.integers(0, n, count)
                if random.random() < 0.3:
                    indices.sort()
                selection.set("indices", d, count, indices)
                return indices, False
            case _:
                start, step = int(random.integers(n)), int(random.choice([-3, -2, -1, 1, 2, 5]))
                room = (n - 1 - start) // step if step > 0 else start // -step
                count = int(random.integers(0, room + 2))
                selection.set("range", d, start, step, count)
                return start + step * np.arange(count), False

    def choose(self, selection):
        """Selects something; the same as a NumPy index into the mirror, and the shape of the result."""
        random, rank = self.random, len(self.shape)
        match random.integers(8):
            case 0 | 1:
                count = int(random.integers(0, 30))
                points = np.stack([random.integers(0, n, count) for n in self.shape], -1) if rank else np.zeros((count, 0))
                selection.set("points", count, points)
                if rank == 0:
                    return (np.zeros(count, int),), (count,)
                return tuple(points.T), (count,)
            case 2 | 3:
                mask = random.random(self.shape) < random.random() ** 2
                mask = np.asarray(mask)
                selection.set("element_mask", mask, mask.size)
                return mask, (int(mask.sum()),)
            case 4:
                blocks = [-(-n // c) for n, c in zip(self.shape, self.chunks)]
                start = [int(random.integers(b)) for b in blocks]
                count = [int(random.integers(0, b - s + 1)) for b, s in zip(blocks, start)]
                selection.set("blocks", np.array(start), np.array(count))
                index = tuple(slice(s * c, (s + k) * c) for s, k, c in zip(start, count, self.chunks))
                return index, np.empty(self.shape, "?")[index].shape
            case _:
                chosen = [self.axis(n, selection, d) for d, n in enumerate(self.shape)]
                shape = tuple(len(indices) for indices, dropped in chosen if not dropped)
                if rank == 0:
                    return (), shape
                return np.ix_(*[indices for indices, _ in chosen]), shape

    def layout(self, shape, dtype):
        """Memory of some layout."""
        random = self.random
        if not shape or random.random() < 0.4:
            return np.zeros(shape, dtype)
        axes = random.permutation(len(shape))
        big = np.zeros([2 * shape[a] + 1 for a in axes], dtype)
        view = big[tuple(slice(int(random.integers(2)), None, 2) for _ in axes)]
        view = view[tuple(slice(0, shape[a]) for a in axes)].transpose(np.argsort(axes))
        return view[tuple(slice(None, None, int(random.choice([-1, 1]))) for _ in shape)]

    def one(self):
        random = self.random
        selection = Selection(self.array)
        index, shape = self.choose(selection)
        assert selection.shape == shape, (self.label, selection.shape, shape)
        mirror, rank0 = self.mirror, self.mirror.ndim == 0
        if rank0 and isinstance(index, tuple) and index:
            mirror = self.mirror.reshape(1)
        action = random.integers(5)
        if self.vlen:
            return self.one_vlen(selection, mirror, index, shape, action)
        field = None
        if self.dtype.names and random.random() < 0.5:
            field = str(random.choice(self.dtype.names))
            selection.set("field", field)
        elif random.random() < 0.1:
            try:
                selection.set("field", "none")
                raise AssertionError("a field that is not there")
            except ZarrcError:
                pass
        subarray = field is not None and self.dtype[field].subdtype is not None
        target = mirror[field] if field else mirror
        dtype = self.dtype[field] if field else self.dtype
        memory = np.dtype(f"V{dtype.itemsize}") if subarray or dtype.names else dtype
        number = NATIVE
        if memory in DATA_TYPES and memory.kind in "iuf" and random.random() < 0.3:
            memory = np.dtype(str(random.choice([t for t in NUMBERS if t != "?"])))
            number = DATA_TYPES[memory]
        if action < 3:
            out = self.layout(shape, memory)
            self.array.read_selection(selection, out, number)
            expected = np.ascontiguousarray(target[index])
            if subarray or dtype.names:
                expected = np.frombuffer(expected.tobytes(), memory).reshape(shape)
            expected = expected.reshape(shape).astype(memory)
            assert out.tobytes() == expected.tobytes(), (self.label, field, index, out, expected)
            return
        place = np.empty(target.shape[: mirror.ndim], "?")[index].shape
        base, inner = dtype.subdtype or (dtype, ())
        if action == 3:
            values = self.values((*shape, *inner), base)
            target[index] = values.reshape((*place, *inner))
            if subarray or dtype.names:
                values = np.frombuffer(values.tobytes(), memory).reshape(shape)
            laid = self.layout(shape, memory)
            laid[...] = values.astype(memory)
            self.array.write_selection(selection, laid, number)
        else:
            value = self.values(inner, base)
            whole = None if field or random.random() < 0.9 else ()
            if whole is not None:
                selection, target[...] = None, value
            else:
                target[index] = value
            given = value.astype(memory) if number != NATIVE else value
            self.array.fill(selection, given.tobytes(), number)
        self.compare()

    def one_vlen(self, selection, mirror, index, shape, action):
        if action < 3:
            items = self.array.read_selection_vlen(selection)
            expected = np.asarray(mirror[index], object).ravel().tolist()
            assert items == expected, (self.label, index, items, expected)
            return
        if action == 3:
            values = self.values(shape)
            mirror[index] = values.reshape(np.empty(mirror.shape, "?")[index].shape)
            self.array.write_selection_vlen(selection, values.ravel().tolist())
        else:
            mirror[index] = b"filled"
            self.array.fill(selection, b"filled")
        assert self.array.read_vlen() == self.mirror.ravel().tolist(), (self.label, index)

    def compare(self):
        dtype = self.dtype if not self.dtype.names else f"V{self.dtype.itemsize}"
        found = np.empty(self.shape, dtype)
        self.array.read_selection(Selection(self.array), found)
        assert found.tobytes() == self.mirror.tobytes(), (self.label, found, self.mirror)


def main():
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    passed = 0
    for number in range(cases):
        if number % 50 == 0:
            case = Case(np.random.default_rng([seed, number]), number)
        try:
            case.one()
        except Exception:
            print(f"case {number} of seed {seed}: {case.label}", file=sys.stderr)
            raise
        passed += 1
    print(f"{passed} passed")


if __name__ == "__main__":
    main()
