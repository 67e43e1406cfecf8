"""The arrays, and what is done with them. A workload is a list of boxes that are read, or written, one
after the other in that order; the few that are not say so."""
import random
import struct

DTYPES = {"float32": 4, "uint16": 2}


def arrays(n):
    """name -> what the array is; `n` is the edge of the large ones."""
    cube, chunk, tiny = [n] * 3, [64] * 3, [n // 32] * 3

    def array(codec, shape=cube, chunk=chunk, inner=None, kind="smooth", v=3, many=0):
        dtype = "float32" if kind == "smooth" else "uint16"
        return dict(codec=codec, shape=shape, chunk=chunk, inner=inner or chunk, kind=kind, dtype=dtype, format=v,
                    many=many)

    small = dict(shape=[8] * 3, chunk=[8] * 3)
    micro = dict(kind="microscopy")
    return {
        "none": array("none"),
        "zstd": array("zstd3"),
        "gzip": array("gzip5"),
        "blosc-lz4": array("blosc-lz4-5"),
        "shards": array("zstd3", chunk=[n // 2] * 3, inner=chunk, **micro),
        "shards-none": array("none", chunk=[n // 2] * 3, inner=chunk),
        "zstd-F": array("F-zstd3"),
        "tiny": array("none", chunk=tiny),
        "tiny-zstd": array("zstd1", chunk=tiny),
        "rows": array("none", shape=[4, 128, 256], chunk=[4, 64, 64]),
        "rows-zstd": array("zstd3", shape=[4, 128, 256], chunk=[4, 64, 64]),
        "frames": array("none", shape=[64, 256, 256], chunk=[8, 256, 256], **micro),
        "frames-zstd": array("zstd1", shape=[64, 256, 256], chunk=[8, 256, 256], **micro),
        "small": array("none", **small),
        "small-v2": array("none", v=2, **small),
        "many": array("none", many=1000, **small),
        "many-v2": array("none", v=2, many=1000, **small),
    }


def whole(a):
    return [([0, 0, 0], a["shape"])]


def cells(a, cell):
    grid = [-(-s // c) for s, c in zip(a["shape"], cell)]
    return [([z * cell[0], y * cell[1], x * cell[2]], cell)
            for z in range(grid[0]) for y in range(grid[1]) for x in range(grid[2])]


def planes(a, axis, n):
    out = []
    for i in range(n):
        start, count = [0, 0, 0], list(a["shape"])
        start[axis], count[axis] = (2 * i + 1) * a["shape"][axis] // (2 * n), 1
        out.append((start, count))
    return out


def boxes(a, edge, n, seed):
    rng = random.Random(seed)
    return [([rng.randrange(s - edge + 1) for s in a["shape"]], [edge] * 3) for _ in range(n)]


def rows(a, n):
    return [([i // a["shape"][1], i % a["shape"][1], 0], [1, 1, a["shape"][2]]) for i in range(n)]


def frames(a):
    return [([i, 0, 0], [1, *a["shape"][1:]]) for i in range(a["shape"][0])]


def workloads(arrays, full):
    """Dictionaries: name, section, array, op, boxes, threads, keys for the runners, and `other`: options with which
    zarrc is measured once more."""
    out = []

    def add(section, name, array, op="read", boxes=(), threads=1, other=None, **keys):
        out.append(dict(section=section, name=name, array=array, op=op, boxes=boxes, threads=threads, keys=keys,
                        other=other, pipelines=False))

    uncached, gathered, in_place = "chunk_cache:0", "write_buffer:64MiB", "overwrite:in_place"

    main = ["none", "zstd", "gzip", "blosc-lz4", "shards"]
    many = 4 if full else 1

    for name in main + ["shards-none", "zstd-F", "tiny", "tiny-zstd"] if full else main + ["zstd-F", "tiny"]:
        add("Read the whole array", f"read_all {name}", name, boxes=whole(arrays[name]))
    for name in main + ["tiny-zstd"] if full else ["none", "zstd", "shards"]:
        add("Read the whole array", f"read_all {name}, 2 threads", name, boxes=whole(arrays[name]), threads=2)
    for name in main if full else ("none", "zstd", "blosc-lz4"):
        a = arrays[name]
        add("Chunk by chunk", f"read_chunks {name}", name, boxes=cells(a, a["chunk"]))
    for name in ("shards", "shards-none"):
        a = arrays[name]
        add("Chunk by chunk", f"read_inner {name}", name, boxes=cells(a, a["inner"]), other=uncached)
    for name in main:
        for axis in (0, 1, 2) if full or name == "none" else (0, 2) if name in ("zstd", "blosc-lz4") else (2,):
            a = arrays[name]
            add("Slabs: planes across an axis", f"read_slab {name}, axis {axis}", name, boxes=planes(a, axis, 2 * many),
                other=uncached)
    for name in main + ["shards-none"]:
        n = (100 if name in ("zstd", "gzip") else 400) * many
        add("Random boxes of 16^3", f"read_boxes {name}", name, boxes=boxes(arrays[name], 16, n, 1), other=uncached)
    for name in main + ["shards-none"]:
        n = {"none": 4000, "zstd": 100, "gzip": 100}.get(name, 1000) * many
        add("Single points", f"read_points {name}", name, boxes=boxes(arrays[name], 1, n, 2), other=uncached)
    for name in ("none", "zstd", "blosc-lz4"):
        add("Rows, one by one", f"read_rows {name}", name, boxes=rows(arrays[name], 128 * many), other=uncached)
    for name in ("none", "zstd", "blosc-lz4", "shards"):
        for kind in ("points", "orthogonal", "mask", "planes"):
            add("Selections: 100000 points, 1000 x 1000 orthogonal, a mask of 1 %, every 7th plane",
                f"select_{kind} {name}", name, "select", select=kind, other=uncached)
    for name in ("rows", "rows-zstd"):
        add("Rows, one by one", f"write_{name}", name, "write", rows(arrays[name], 512), other=f"{gathered},{in_place}")

    for name in main + ["zstd-F", "tiny"]:
        add("Write the whole array", f"write_all {name}", name, "write", whole(arrays[name]),
            other=in_place if arrays[name]["codec"] == "none" else None)
    for name in ("none", "zstd", "shards") if full else ("zstd", "shards"):
        add("Write the whole array", f"write_all {name}, 2 threads", name, "write", whole(arrays[name]), 2)
    for name in ("none", "zstd", "blosc-lz4", "shards"):
        n = 8 if name == "shards" else 32
        add("Overwrite boxes of 32^3", f"overwrite {name}", name, "write", boxes(arrays[name], 32, n, 3), existing=1,
            other=in_place if name == "none" else None)
    for name in ("frames", "frames-zstd"):
        add("Append frames", f"append {name}", name, "write", frames(arrays[name]), other=f"{gathered},{in_place}", grow=1)
    for name in ("small", "small-v2"):
        add("Open; create; list", f"open {name}, 1000 times", name, "open", n=1000)
    for name, place in (("many", "in:many.zip"), ("many-v2", "in:many.sqlite")):
        add("Open; create; list", f"create 1000 {name}", name, "create", n=1000, other=place)
        add("Open; create; list", f"list 1000 {name}", name, "list", n=1000)
    return out


def cold_workloads(arrays):
    """The same kind of dictionaries, for files that are not in memory."""
    out = []

    def add(name, array, boxes, threads=1):
        name += f", {threads} threads" if threads > 1 else ""
        out.append(dict(section="Cold files", name=f"cold {name}", array=array, op="read", boxes=boxes,
                        threads=threads, keys=dict(cold=1), other=None, pipelines=False))

    for name in ("zstd", "none", "tiny", "shards"):
        for threads in (1, 2):
            add(f"read_all {name}", name, whole(arrays[name]), threads)
    add("read_chunks zstd", "zstd", cells(arrays["zstd"], arrays["zstd"]["chunk"]))
    for name in ("none", "zstd", "shards"):
        add(f"read_boxes {name}", name, boxes(arrays[name], 48, 40, 4))
    return out


def pipeline_workloads(arrays, full):
    """The rows for zarr-python with its own codec pipeline and with others."""
    return [dict(w, pipelines=True, section="zarr-python with a codec pipeline", other=None)
            for w in workloads(arrays, full) if w["name"].startswith(("read_all", "read_chunks", "write_all"))]


def selection(a, kind, seed=5):
    """Points, an orthogonal selection, a mask or planes, as c/job.h's `selection` is stored."""
    rng, shape = random.Random(seed), a["shape"]
    pack = lambda numbers: struct.pack(f"<{len(numbers)}Q", *numbers)
    if kind == "points":
        n = 100_000
        return pack([0, n]) + pack([rng.randrange(s) for _ in range(n) for s in shape])
    if kind == "orthogonal":
        lists = [[rng.randrange(s) for _ in range(1000)] for s in shape[1:]]
        return pack([1, 10**6, shape[0] // 2, *[x for part in lists for x in (len(part), *part)]])
    if kind == "mask":
        mask = bytearray(shape[0] * shape[1] * shape[2])
        chosen = rng.sample(range(len(mask)), len(mask) // 100)
        for n in chosen:
            mask[n] = 1
        return pack([2, len(chosen)]) + bytes(mask)
    return pack([3, -(-shape[0] // 7) * shape[1] * shape[2], 7])


def metadata(a):
    """The document of an array."""
    item, codec = DTYPES[a["dtype"]], a["codec"]
    fill = 0.0 if a["dtype"] == "float32" else 0
    if a["format"] == 2:
        return {"zarr_format": 2, "shape": a["shape"], "chunks": a["chunk"], "order": "C", "filters": None,
                "dtype": {"float32": "<f4", "uint16": "<u2"}[a["dtype"]], "compressor": None, "fill_value": fill,
                "dimension_separator": "."}
    little = {"name": "bytes", "configuration": {"endian": "little"}}
    chain = []
    if codec.startswith("F-"):
        chain, codec = [{"name": "transpose", "configuration": {"order": [2, 1, 0]}}], codec[2:]
    chain.append(little)
    if codec.startswith("zstd"):
        chain.append({"name": "zstd", "configuration": {"level": int(codec[4:]), "checksum": False}})
    elif codec.startswith("gzip"):
        chain.append({"name": "gzip", "configuration": {"level": int(codec[4:])}})
    elif codec.startswith("blosc-lz4-"):
        chain.append({"name": "blosc", "configuration": {
            "cname": "lz4", "clevel": int(codec[10:]), "shuffle": "shuffle", "typesize": item, "blocksize": 0}})
    if a["inner"] != a["chunk"]:
        chain = [{"name": "sharding_indexed", "configuration": {
            "chunk_shape": a["inner"], "codecs": chain, "index_codecs": [little, {"name": "crc32c"}],
            "index_location": "end"}}]
    return {"zarr_format": 3, "node_type": "array", "shape": a["shape"], "data_type": a["dtype"],
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": a["chunk"]}},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
            "fill_value": fill, "codecs": chain, "attributes": {"units": "K", "valid_range": [200.0, 400.0]}}
