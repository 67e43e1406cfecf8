"""The arrays to be exchanged: metadata documents of v2 and v3, with values for them.

A case says everything by its document, so that every implementation is asked for the same array.
Its tags name what it is about; unsupported.py tells by tags what an implementation lacks.
"""
import base64
import json
import struct
from dataclasses import dataclass, field

import numcodecs
import numpy as np

from zarrc_ffi import fields

ATTRIBUTES = {"title": "größe ☃ 🚀", "count": 3, "scale_factor": 0.25, "flags": [True, None, {"k": []}], "empty": ""}

SHAPE, CHUNKS = (7, 10), (3, 4)  # chunks at the edge overhang in both dimensions


@dataclass
class Case:
    group: str  # the column of the summary
    name: str
    document: dict
    values: np.ndarray  # what is written, in native byte order
    boxes: list  # the parts of it that are written; elsewhere is the fill value
    fill: np.ndarray
    stored: np.dtype  # with the byte order of the stored elements
    tags: set = field(default_factory=set)

    @property
    def format(self):
        return self.document["zarr_format"]

    def expected(self):
        out = np.empty(self.values.shape, self.values.dtype)
        out[...] = self.fill
        for box in self.boxes:
            out[box] = self.values[box]
        return out


# ---- values -----------------------------------------------------------------

# The corners of a floating-point type as bit patterns: NaN with a payload, infinities, -0, the smallest.
FLOAT_BITS = {
    2: [0x7E01, 0xFC00, 0x7C00, 0x8000, 0x0001],
    4: [0x7FC00001, 0xFF800000, 0x7F800000, 0x80000000, 0x00000001],
    8: [0x7FF8000000000001, 0xFFF0000000000000, 0x7FF0000000000000, 0x8000000000000000, 0x1],
}


def some_values(dtype, shape, seed=1):
    """Values of every bit pattern that the type allows, corners first."""
    random = np.random.default_rng(seed)
    n = int(np.prod(shape))
    if dtype.subdtype:
        base, inner = dtype.subdtype
        return some_values(base, (*shape, *inner), seed)
    if dtype.names:
        out = np.zeros(n, dtype)
        for i, name in enumerate(dtype.names):
            out[name] = some_values(dtype[name], (n,), seed + i)
    elif dtype.kind == "b":
        out = random.integers(0, 2, n).astype(dtype)
    elif dtype.kind in "iuMm":
        out = np.frombuffer(random.bytes(n * dtype.itemsize), dtype).copy()
        corners = [-(2**63), 2**63 - 1] if dtype.kind in "Mm" else [np.iinfo(dtype).min, np.iinfo(dtype).max]
        out.view(dtype if dtype.kind in "iu" else "i8")[:2] = corners[: min(n, 2)]
    elif dtype.kind == "f":
        out = random.normal(0, 100, n).astype(dtype)
        bits = np.array(FLOAT_BITS[dtype.itemsize], f"u{dtype.itemsize}")[:n]
        out.view(bits.dtype)[: len(bits)] = bits
    elif dtype.kind == "c":
        part = np.dtype(f"f{dtype.itemsize // 2}")
        out = some_values(part, (n, 2), seed).view(dtype)
    elif dtype.kind == "S":
        words = [b"", b"a", b"\xff\x80", b"a\0b", b"longer text here"]
        out = np.array([words[i] for i in random.integers(0, len(words), n)], dtype)
    elif dtype.kind == "U":
        words = ["", "a", "größe", "☃", "🚀x", "東京"]
        out = np.array([words[i] for i in random.integers(0, len(words), n)], dtype)
    else:
        out = np.frombuffer(random.bytes(n * dtype.itemsize), dtype).copy()
    return out.reshape(shape)


# ---- how a fill value is written down ------------------------------------------


def float_text(bits, size):
    """A v3 fill value for a bit pattern: a number, a name, or hexadecimal where neither says it."""
    number = np.array(bits, f"u{size}").view(f"f{size}")[()]
    if np.isnan(number):
        plain = {2: 0x7E00, 4: 0x7FC00000, 8: 0x7FF8000000000000}[size]
        return "NaN" if bits == plain else f"0x{bits:0{2 * size}x}"
    if np.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    return float(number)


def parts(fill):
    """The bit patterns of a complex number's components, and their size."""
    size = fill.dtype.itemsize // 2
    return [int(p) for p in np.ascontiguousarray(fill).reshape(1).view(f"u{size}")], size


def v3_fill(fill, data_type):
    kind = fill.dtype.kind
    if kind == "b":
        return bool(fill)
    if kind in "iu":
        return int(fill)
    if kind in "Mm":
        return int(fill.view("i8"))
    if kind == "f":
        size = fill.dtype.itemsize
        return float_text(int(fill.reshape(1).view(f"u{size}")[0]), size)
    if kind == "c":
        bits, size = parts(fill)
        return [float_text(b, size) for b in bits]
    if kind == "U":
        return str(fill)
    if isinstance(data_type, str):  # r*
        return list(fill.tobytes())
    return base64.b64encode(fill.tobytes()).decode()


def v2_fill(fill):
    kind = fill.dtype.kind
    if kind not in "SV":
        fill = fill.astype(fill.dtype.newbyteorder("="))
    if kind in "SV":
        return base64.b64encode(fill.tobytes()).decode()
    if kind == "f":
        return name_of(float(fill))
    if kind == "c":
        return [name_of(float(fill.real)), name_of(float(fill.imag))]
    return v3_fill(fill, None)


def name_of(number):
    if number != number:
        return "NaN"
    return number if abs(number) != float("inf") else "Infinity" if number > 0 else "-Infinity"


# ---- documents ----------------------------------------------------------------


def v2_document(dtype, shape, chunks, fill, compressor=None, filters=None, order="C", separator=None):
    document = {
        "zarr_format": 2,
        "shape": list(shape),
        "chunks": list(chunks),
        "dtype": fields(dtype) if dtype.names else dtype.str,
        "compressor": compressor,
        "fill_value": fill if fill is None else v2_fill(np.asarray(fill).astype(dtype)),
        "order": order,
        "filters": filters,
    }
    if separator:
        document["dimension_separator"] = separator
    return json.loads(json.dumps(document))


def v3_document(data_type, shape, chunks, fill, codecs, keys=None, names=None, attributes=ATTRIBUTES):
    document = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": list(shape),
        "data_type": data_type,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(chunks)}},
        "chunk_key_encoding": keys or {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": v3_fill(fill, data_type),
        "codecs": codecs,
        "attributes": attributes,
    }
    if names:
        document["dimension_names"] = names
    return document


def boxes_without_row(shape, chunks, row=1):
    """Everything but one row of chunks, which stays missing."""
    if not shape:
        return [()]
    first, last = row * chunks[0], min((row + 1) * chunks[0], shape[0])
    cut = [slice(0, min(first, shape[0])), slice(last, shape[0])]
    rest = tuple(slice(0, n) for n in shape[1:])
    return [(part, *rest) for part in cut if part.start < part.stop]


def everything(shape):
    return [tuple(slice(0, n) for n in shape)]


# ---- the types ----------------------------------------------------------------

PLAIN = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
V3_NAMES = {
    "?": "bool", "i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64", "u1": "uint8", "u2": "uint16",
    "u4": "uint32", "u8": "uint64", "f2": "float16", "f4": "float32", "f8": "float64", "c8": "complex64",
    "c16": "complex128",
}  # fmt: skip
NESTED = np.dtype([("id", "<i8"), ("p", [("x", "<f4"), ("y", "<u2")]), ("s", "S3")])
STRUCTS = {
    "plain": np.dtype([("a", "<i4"), ("b", "<f8")]),
    "nested": NESTED,
    "big-endian": np.dtype([("le", "<u2"), ("be", ">u4"), ("flag", "?"), ("u", "<U3")]),
    "subarray": np.dtype([("x", "<f4"), ("z", "<f4", (2, 2))]),
}
V2_TYPES = (
    [(code, np.dtype("<" + code)) for code in PLAIN]
    + [(code + "-big", np.dtype(">" + code)) for code in PLAIN if np.dtype(code).itemsize > 1]
    + [("S5", np.dtype("S5")), ("U4", np.dtype("<U4")), ("U4-big", np.dtype(">U4")), ("V3", np.dtype("V3"))]
    + [(f"M8-{unit}", np.dtype(f"<M8[{unit}]")) for unit in ("ns", "s", "D", "10ms")]
    + [("M8-big", np.dtype(">M8[us]")), ("m8-s", np.dtype("<m8[s]")), ("m8-big", np.dtype(">m8[ms]"))]
    + [(f"struct-{name}", dtype) for name, dtype in STRUCTS.items()]
)


def sized(name, length):
    return {"name": name, "configuration": {"length_bytes": length}}


def timed(name, unit, scale=1):
    return {"name": name, "configuration": {"unit": unit, "scale_factor": scale}}


def structured(dtype):
    """zarr-python 3.1's name for structures, with a field as a pair."""
    fields = []
    for name in dtype.names:
        part = dtype[name]
        fields.append([name, structured(part) if part.names else v3_type(part)])
    return {"name": "structured", "configuration": {"fields": fields}}


def v3_type(dtype):
    if dtype.names:
        return structured(dtype)
    if dtype.kind == "S":
        return sized("null_terminated_bytes", dtype.itemsize)
    if dtype.kind == "U":
        return sized("fixed_length_utf32", dtype.itemsize)
    if dtype.kind in "Mm":
        unit, scale = np.datetime_data(dtype)
        return timed({"M": "numpy.datetime64", "m": "numpy.timedelta64"}[dtype.kind], unit, scale)
    return V3_NAMES[dtype.str[1:].replace("b1", "?")]


V3_TYPES = (
    [(code, np.dtype(code), V3_NAMES[code]) for code in PLAIN]
    + [("r24", np.dtype("V3"), "r24"), ("raw_bytes", np.dtype("V3"), sized("raw_bytes", 3))]
    + [(t.str[1:], t, v3_type(t)) for t in map(np.dtype, ("S5", "U4", "M8[ns]", "M8[D]", "M8[10ms]", "m8[s]"))]
    + [(f"struct-{name}", STRUCTS[name], structured(STRUCTS[name])) for name in ("plain", "nested")]
)


def native(dtype):
    return dtype.newbyteorder("=") if not dtype.names else np.dtype([(n, *native_field(dtype[n])) for n in dtype.names])


def native_field(dtype):
    base, shape = dtype.subdtype or (dtype, None)
    return (native(base), shape) if shape else (native(base),)


def kind_tags(label):
    """`dtype:i4` and what it belongs to: `dtype:struct`, `big-endian`."""
    tags = {f"dtype:{label}", "dtype:" + label.split("-")[0].split("[")[0]}
    return tags | ({"big-endian"} if label.endswith("-big") else set())


def some_fill(dtype):
    """A fill value that is neither zero nor among the corners."""
    return some_values(dtype, (40,), seed=9)[35]


def as_fill(dtype, value):
    out = np.zeros((), native(dtype))
    out[()] = value
    return out


# ---- the matrix ---------------------------------------------------------------

BLOSC_INNER = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]
V2_COMPRESSORS = (
    [("none", None)]
    + [("zlib", {"id": "zlib", "level": 5}), ("gzip", {"id": "gzip", "level": 5})]
    + [("zstd", {"id": "zstd", "level": 3})]
    + [("lz4", {"id": "lz4", "acceleration": 1})]
    + [("bz2", {"id": "bz2", "level": 1}), ("lzma", {"id": "lzma", "format": 1, "check": 10, "preset": 1, "filters": None})]
    + [
        (f"blosc-{inner}-{shuffle}", {"id": "blosc", "cname": inner, "clevel": 5, "shuffle": shuffle, "blocksize": 0})
        for inner in BLOSC_INNER
        for shuffle in (0, 1, 2)
    ]
    + [("blosc-lz4-auto", {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": -1, "blocksize": 0})]
    + [("blosc-zstd-blocks", {"id": "blosc", "cname": "zstd", "clevel": 1, "shuffle": 1, "blocksize": 64})]
)

# Filters from bytes to bytes, and what follows them.
V2_BYTES_FILTERS = [
    ("shuffle", [{"id": "shuffle", "elementsize": 4}], {"id": "zlib", "level": 1}),
    ("crc32", [{"id": "crc32"}], None),
    ("crc32c", [{"id": "crc32c"}], None),
    ("adler32", [{"id": "adler32", "location": "end"}], None),
    ("fletcher32", [{"id": "fletcher32"}], {"id": "zlib", "level": 1}),
    ("jenkins", [{"id": "jenkins_lookup3", "initval": 7, "prefix": None}], None),
    ("base64", [{"id": "base64"}], None),
]


def codec(name, **configuration):
    return {"name": name, "configuration": configuration} if configuration else {"name": name}


BYTES = codec("bytes", endian="little")
CRC = codec("crc32c")


def bytes_for(dtype, endian="little"):
    single = dtype.kind in "bSV" and not dtype.names or dtype.itemsize == 1
    return codec("bytes") if single else codec("bytes", endian=endian)


def v3_blosc(dtype, inner, shuffle):
    return codec("blosc", cname=inner, clevel=5, shuffle=shuffle, typesize=dtype.itemsize, blocksize=0)


def sharding(inner_shape, codecs, location="end", index=(BYTES, CRC)):
    return codec(
        "sharding_indexed",
        chunk_shape=list(inner_shape),
        codecs=list(codecs),
        index_codecs=list(index),
        index_location=location,
    )


ZSTD = codec("zstd", level=3, checksum=False)
GZIP = codec("gzip", level=5)


def v3_chains(dtype):
    plain = bytes_for(dtype)
    yield "none", [plain]
    yield "gzip", [plain, GZIP]
    yield "zstd", [plain, ZSTD]
    yield "zstd-checksum", [plain, codec("zstd", level=1, checksum=True)]
    yield "crc32c", [plain, CRC]
    yield "zstd-crc32c", [plain, ZSTD, CRC]
    yield "transpose", [codec("transpose", order=[1, 0]), plain]
    yield "transpose-gzip", [codec("transpose", order=[1, 0]), plain, GZIP]
    numcodecs = [("bz2", {"level": 9}), ("lzma", {"preset": 1}), ("zlib", {"level": 1}), ("lz4", {"acceleration": 1})]
    numcodecs += [("adler32", {}), ("crc32", {}), ("fletcher32", {}), ("jenkins_lookup3", {"initval": 7})]
    for name, configuration in numcodecs:
        yield f"numcodecs.{name}", [plain, {"name": f"numcodecs.{name}", "configuration": configuration}]
    shuffle = codec("numcodecs.shuffle", elementsize=dtype.itemsize)
    yield "numcodecs.shuffle", [plain, shuffle, ZSTD]
    for inner in BLOSC_INNER:
        for shuffle in ("noshuffle", "shuffle", "bitshuffle"):
            yield f"blosc-{inner}-{shuffle}", [plain, v3_blosc(dtype, inner, shuffle)]


def v3_shards(dtype):
    plain = bytes_for(dtype)
    for location in ("end", "start"):
        yield f"{location}-none", [sharding((2, 2), [plain], location)]
        yield f"{location}-zstd", [sharding((2, 2), [plain, ZSTD], location)]
    yield "gzip-crc32c", [sharding((2, 4), [plain, GZIP, CRC])]
    yield "blosc", [sharding((4, 2), [plain, v3_blosc(dtype, "lz4", "shuffle")])]
    yield "transpose-inside", [sharding((2, 4), [codec("transpose", order=[1, 0]), plain])]
    yield "index-without-crc32c", [sharding((2, 2), [plain], index=[BYTES])]
    yield "nested", [sharding((4, 4), [sharding((2, 2), [plain, ZSTD], "start")])]
    yield "gzip-outside", [sharding((2, 2), [plain]), GZIP]


def special_fills():
    for code, bits in [("f2", 2), ("f4", 4), ("f8", 8)]:
        names = ["nan-payload", "minus-infinity", "infinity", "minus-zero", "smallest"]
        for name, pattern in zip(names, FLOAT_BITS[bits]):
            yield f"{code}-{name}", np.array(pattern, f"u{bits}").view(code)
        yield f"{code}-nan", np.array(np.nan, code)
    yield "c8-mixed", np.array([0x7FC00000, 0x80000000], "u4").view("c8")[0].reshape(())
    yield "c16-infinities", np.array(complex(float("-inf"), float("inf")))
    yield "i8-min", np.array(-(2**63), "i8")
    yield "i8-max", np.array(2**63 - 1, "i8")
    yield "u8-max", np.array(2**64 - 1, "u8")
    yield "i8-beyond-double", np.array(2**53 + 1, "i8")
    yield "bool-true", np.array(True)
    yield "M8-nat", np.array("NaT", "M8[s]")
    yield "f4-tenth", np.array(0.1, "f4")


def numcodec(id, **parameters):
    return {"id": id, **parameters}


def fso(dtype, astype):
    return numcodec("fixedscaleoffset", offset=5, scale=10, dtype=dtype, astype=astype)


# Filters of v2 with the type of the array, in any order that numcodecs takes.
V2_FILTERS = [
    ("delta", "<i4", [numcodec("delta", dtype="<i4", astype="<i4")]),
    ("delta-narrow", "<i8", [numcodec("delta", dtype="<i8", astype="<i4")]),
    ("delta-big", ">i2", [numcodec("delta", dtype=">i2", astype=">i2")]),
    ("delta-turned", ">i4", [numcodec("delta", dtype="<i4", astype="<i4")]),
    ("delta-of-other", "<f8", [numcodec("delta", dtype="<i4", astype="<i4")]),
    ("delta-behind", "<i4", [numcodec("crc32"), numcodec("delta", dtype="<i4", astype="<i4")]),
    ("delta-shuffle", "<i4", [numcodec("delta", dtype="<i4", astype="<i4"), numcodec("shuffle", elementsize=4)]),
    ("fso", "<f8", [fso("<f8", "<i2")]),
    ("fso-f4", "<f4", [fso("<f4", ">i4")]),
    ("fso-ints", "<i4", [fso("<i4", "<i4")]),
    ("fso-wraps", "<f8", [fso("<f8", "|u1")]),
    ("fso-delta", "<f8", [fso("<f8", "<i4"), numcodec("delta", dtype="<i4", astype="<i2")]),
    ("quantize", "<f8", [numcodec("quantize", digits=2, dtype="<f8", astype="<f4")]),
    ("quantize-f2", "<f2", [numcodec("quantize", digits=1, dtype="<f2", astype="<f2")]),
    ("bitround", "<f4", [numcodec("bitround", keepbits=9)]),
    ("astype", "<i8", [numcodec("astype", encode_dtype=">i2", decode_dtype="<i8")]),
    ("packbits", "|b1", [numcodec("packbits")]),
    ("packbits-crc32", "|b1", [numcodec("packbits"), numcodec("crc32")]),
]

V3_FILTERS = [
    ("delta", "i4", [codec("numcodecs.delta", dtype="<i4")]),
    ("fso", "f8", [codec("numcodecs.fixedscaleoffset", offset=5, scale=10, dtype="<f8", astype="<i2")]),
    ("quantize", "f8", [codec("numcodecs.quantize", digits=2, dtype="<f8")]),
    ("bitround", "f4", [codec("numcodecs.bitround", keepbits=9)]),
    ("astype", "i8", [codec("numcodecs.astype", encode_dtype="<i2", decode_dtype="<i8")]),
    ("packbits", "?", [{"name": "numcodecs.packbits", "configuration": {}}]),
]


def filter_values(dtype, shape, filters):
    """Small numbers that no filter changes any more."""
    random = np.random.default_rng(4)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(dtype)
    values = (random.integers(0, 100, shape) / 10 + 5).astype(dtype)
    for _ in range(2):
        encoded = np.ascontiguousarray(values)
        for name, parameters in filters:
            encoded = numcodecs.get_codec({"id": name, **parameters}).encode(encoded)
        for name, parameters in filters[::-1]:
            encoded = numcodecs.get_codec({"id": name, **parameters}).decode(encoded)
        values = np.frombuffer(np.ascontiguousarray(encoded).tobytes(), dtype).reshape(shape)
    return values


def filter_cases():
    shape, chunks = (40, 30), (20, 30)
    for name, dtype, filters in V2_FILTERS:
        dtype = np.dtype(dtype)
        values = filter_values(dtype, shape, [(f["id"], {k: v for k, v in f.items() if k != "id"}) for f in filters])
        fill = as_fill(dtype, 0)
        document = v2_document(dtype, shape, chunks, fill, dict(V2_COMPRESSORS)["zlib"], filters)
        tags = {"v2", "filters", f"filter:{name}"} | ({"big-endian"} if dtype.str[0] == ">" else set())
        values = values.astype(native(dtype))
        yield Case("filters", f"v2 filters {name}", document, values, everything(shape), fill, dtype, tags)
    for name, code, filters in V3_FILTERS:
        dtype = np.dtype(code)
        numcodecs_filters = [(f["name"].split(".")[1], f.get("configuration", {})) for f in filters]
        values = filter_values(dtype, shape, numcodecs_filters)
        stored = np.dtype("i2") if code in ("f8", "i8") and name in ("fso", "astype") else dtype
        document = v3_document(V3_NAMES[code], shape, chunks, as_fill(dtype, 0), [*filters, bytes_for(stored), GZIP])
        tags = {"v3", "filters", f"filter:{name}"}
        yield Case("filters", f"v3 filters {name}", document, values, everything(shape), as_fill(dtype, 0), dtype, tags)


def v2_cases():
    def make(group, name, dtype, fill, tags=(), shape=SHAPE, chunks=CHUNKS, boxes=None, **more):
        values = some_values(native(dtype), shape)
        document = v2_document(dtype, shape, chunks, fill, **more)
        boxes = boxes_without_row(shape, chunks) if boxes is None else boxes
        fill = np.zeros((), values.dtype) if fill is None else as_fill(dtype, fill)
        return Case(group, f"v2 {group} {name}", document, values, boxes, fill, dtype, {"v2", group, *tags})

    blosc = dict(V2_COMPRESSORS)["blosc-lz4-1"]
    i4 = np.dtype("<i4")
    for label, dtype in V2_TYPES:
        yield make("types", label, dtype, some_fill(native(dtype)), kind_tags(label), compressor=blosc)
    for label in ("<i4", "<f8", "|u1", ">i2", "|S5", "|b1"):
        dtype = np.dtype(label)
        for name, compressor in V2_COMPRESSORS:
            tags = {f"codec:{part}" for part in (name, name.split("-")[0])} | kind_tags(dtype.str[1:])
            tags |= {"big-endian"} if label[0] == ">" else set()
            fill = as_fill(dtype, 7 if dtype.kind != "S" else b"x")
            boxes = everything((40, 30))
            yield make("codecs", f"{name} {label}", dtype, fill, tags, (40, 30), (17, 30), boxes, compressor=compressor)
    for label in ("<i4", ">f8", "|u1"):
        dtype = np.dtype(label)
        for name, filters, compressor in V2_BYTES_FILTERS:
            tags = {"filters", f"filter:{name}"} | kind_tags(dtype.str[1:]) | ({"big-endian"} if label[0] == ">" else set())
            filters = [{**f, "elementsize": dtype.itemsize} if f["id"] == "shuffle" else f for f in filters]
            more = {"filters": filters, "compressor": compressor}
            yield make("codecs", f"filter {name} {label}", dtype, as_fill(dtype, 7), tags, (40, 30), (17, 30), **more)
    for order in "CF":
        for separator in (None, ".", "/"):
            for shape, chunks in LAYOUTS:
                name = f"{order}{separator or 'default'} {shape}"
                tags = {f"order:{order}", f"rank:{len(shape)}", "empty" if 0 in shape else "not-empty"}
                more = {"compressor": blosc, "order": order, "separator": separator}
                yield make("layout", name, i4, as_fill(i4, -7), tags, shape, chunks, **more)
    for name, fill in special_fills():
        if "payload" in name:
            continue  # v2 has no words for it
        yield make("fill", name, fill.dtype, fill, {f"fill:{name}", *kind_tags(fill.dtype.str[1:])})
    yield make("fill", "null", i4, None, {"fill:null"}, boxes=everything(SHAPE))


LAYOUTS = [((), ()), ((11,), (4,)), ((7, 10), (3, 4)), ((3, 4, 5), (2, 2, 3)), ((2, 3, 2, 3), (1, 2, 2, 2)), ((0, 5), (2, 2))]


def v3_cases():
    def make(group, name, dtype, data_type, fill, codecs, tags=(), shape=SHAPE, chunks=CHUNKS, boxes=None, **more):
        values = some_values(dtype, shape)
        fill = as_fill(dtype, fill)
        stored = dtype.newbyteorder(">") if "big-endian" in tags else dtype
        document = v3_document(data_type, shape, chunks, fill, codecs, **more)
        boxes = boxes_without_row(shape, chunks) if boxes is None else boxes
        return Case(group, f"v3 {group} {name}", document, values, boxes, fill, stored, {"v3", group, *tags})

    i4 = np.dtype("i4")
    for label, dtype, data_type in V3_TYPES:
        for endian in ("little", "big"):
            plain = bytes_for(dtype, endian)
            if endian == "big" and "configuration" not in plain:
                continue
            tags = kind_tags(label) | ({"big-endian"} if endian == "big" else set())
            # In which byte order the Base64 of a big-endian structure's fill value is, is not agreed on.
            fill = np.zeros((), dtype) if dtype.names and endian == "big" else some_fill(dtype)
            yield make("types", f"{label} {endian}", dtype, data_type, fill, [plain, ZSTD], tags)
    for code in ("i4", "f8", "u1", "c8", "?"):
        dtype = np.dtype(code)
        for name, codecs in v3_chains(dtype):
            tags = {f"codec:{part}" for part in (name, name.split("-")[0])} | kind_tags(code)
            boxes = everything((40, 30))
            yield make("codecs", f"{name} {code}", dtype, V3_NAMES[code], 1, codecs, tags, (40, 30), (17, 30), boxes)
    for code in ("i4", "f8", "u1"):
        dtype = np.dtype(code)
        for name, codecs in v3_shards(dtype):
            tags = {f"shard:{name}"} | kind_tags(code)
            yield make("shards", f"{name} {code}", dtype, V3_NAMES[code], 5, codecs, tags, (17, 13), (8, 8))
    for name, separator in (("default", "/"), ("default", "."), ("v2", "."), ("v2", "/")):
        keys = {"name": name, "configuration": {"separator": separator}}
        for shape, chunks in LAYOUTS:
            tags = {f"keys:{name}{separator}", f"rank:{len(shape)}", "empty" if 0 in shape else "not-empty"}
            codecs = [codec("transpose", order=list(range(len(shape)))[::-1])] if len(shape) > 2 else []
            names = ["y", None, "größe", "x"][: len(shape)]
            more = {"keys": keys, "names": names}
            label = f"{name}{separator} {shape}"
            yield make("layout", label, i4, "int32", -7, [*codecs, BYTES, ZSTD], tags, shape, chunks, **more)
    for name, fill in special_fills():
        dtype = fill.dtype
        tags = {f"fill:{name}", *kind_tags(dtype.str[1:])}
        yield make("fill", name, dtype, v3_type(dtype), fill, [bytes_for(dtype)], tags)


def all_cases():
    cases = [*v2_cases(), *v3_cases(), *filter_cases()]
    assert len({c.name for c in cases}) == len(cases)
    return cases


if __name__ == "__main__":
    for case in all_cases():
        print(case.name, sorted(case.tags))
