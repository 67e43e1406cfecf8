"""Integers and floats of less than 16 bits: exchanged with tensorstore, converted as ml_dtypes converts them."""
import os
import re
import shutil

import ml_dtypes
import numpy as np
import tensorstore as ts

import zarrc_ffi

NAMES = """int2 int4 uint2 uint4 float4_e2m1fn float6_e2m3fn float6_e3m2fn float8_e3m4 float8_e4m3
    float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu""".split()
OF_TENSORSTORE = set(NAMES) - {"uint2", "uint4", "float6_e2m3fn", "float6_e3m2fn", "float8_e4m3"}
# Of ml_dtypes: a number beyond the largest becomes the largest.
SATURATES = ("float4", "float6")
HAVE_INFINITIES = {"float8_e3m4", "float8_e4m3", "float8_e5m2"}
TYPE_MISMATCH = "ZARRC_TYPE_MISMATCH"


def document(name, count, format):
    chunks = [7 if count <= 256 else 4096]
    # 0x00 is a number of every float, 0 of every integer.
    fill = 0 if "int" in name or format == 2 else "0x00"
    if format == 2:
        kind = {"dtype": name, "chunks": chunks, "compressor": None, "filters": None, "order": "C"}
    else:
        grid = {"name": "regular", "configuration": {"chunk_shape": chunks}}
        keys = {"name": "default", "configuration": {"separator": "/"}}
        kind = {"node_type": "array", "data_type": name, "chunk_grid": grid, "chunk_key_encoding": keys}
        kind |= {"codecs": [{"name": "bytes"}]}
    return {"zarr_format": format, "shape": [count], "fill_value": fill, **kind}


def create(folder, name, count, format=3):
    parent, node = os.path.split(folder)
    # a store of its own: v2 nodes are not created below a root of v3
    shutil.rmtree(parent, ignore_errors=True)
    with zarrc_ffi.Store(parent, "a") as store:
        return store.create_array_from(node, document(name, count, format))


def all_codes(name):
    """Every bit pattern."""
    return np.arange(1 << int(re.search(r"\d+", name)[0]), dtype="u1")


def same(expected, actual, what):
    """`None` if two arrays are the same, any NaN as good as another."""
    differ = (expected != actual) | (np.signbit(expected) != np.signbit(actual))
    differ &= ~((expected != expected) & (actual != actual))
    at = np.flatnonzero(differ)
    return f"{what}: {actual[at[0]]}, not {expected[at[0]]}" if len(at) else None


def decoding(folder, name, dtype):
    codes = all_codes(name)
    with create(folder, name, len(codes)) as array:
        array.write(codes)
        for memory in ["f4", "f8"] + ["i1", "i8"] * ("int" in name):
            problem = same(codes.view(dtype).astype(memory), array.read_as(memory), f"as {memory}")
            if problem:
                return problem
    return None


def inputs(values, memory):
    """Numbers everywhere: all values, what lies between them, and beside that."""
    values = np.unique(values[np.isfinite(values)].astype(memory))
    ties = (values[1:] + values[:-1]) / 2
    random = np.random.default_rng(1)
    many = np.exp2(random.uniform(-20, 20, 20000)) * random.choice([-1, 1], 20000)
    exact = np.concatenate([values, ties, many]).astype(memory)
    beside = np.nextafter(exact, memory(np.inf)), np.nextafter(exact, memory(-np.inf))
    return np.concatenate([exact, *beside])


def encoding(folder, name, dtype, memory):
    values = all_codes(name).view(dtype).astype("f4")
    largest, below = np.sort(values[np.isfinite(values)])[[-1, -2]]
    numbers = inputs(values, memory)
    if name == "float8_e8m0fnu":
        # Below the second of its numbers ml_dtypes does not round to the nearest; neither 0 nor signs exist.
        numbers = numbers[(numbers > 2.0**-126) | (numbers <= 0)]
    # float64 goes by way of float32 in ml_dtypes, which rounds twice.
    once = numbers.astype("f4") if memory is np.float64 else numbers
    numbers = numbers[once == numbers] if memory is np.float64 else numbers
    codes = numbers.astype("f4").astype(dtype)
    fits = np.isfinite(codes.astype("f4"))
    if name.startswith(SATURATES):
        fits &= abs(numbers) < largest + (largest - below) / 2
    with create(folder, name, int(fits.sum())) as array:
        array.write_as(numbers[fits])
        problem = same(codes[fits].astype("f4"), array.read_as("f4"), "from " + memory.__name__)
        if problem:
            return problem
    with create(folder, name, 1) as array:
        for number in [*numbers[~fits][:500], *([] if name in HAVE_INFINITIES else [memory(np.inf)])]:
            try:
                array.write_as(np.array([number]))
                return f"{number!r} was taken for {array.read_as('f4')[0]}"
            except zarrc_ffi.ZarrcError as error:
                if error.status != TYPE_MISMATCH:
                    return f"{number!r}: {error}"
    return None


def with_tensorstore(folder, name, dtype, format, zarrc_writes):
    codes = np.resize(all_codes(name), 40)
    spec = {"driver": {2: "zarr", 3: "zarr3"}[format], "kvstore": {"driver": "file", "path": folder + "/"}}
    if zarrc_writes:
        with create(folder, name, len(codes), format) as array:
            array.write(codes)
        read = np.asarray(ts.open(spec, open=True, read=True).result().read().result()).view("u1")
    else:
        shutil.rmtree(folder, ignore_errors=True)
        array = ts.open(spec | {"metadata": document(name, len(codes), format)}, create=True).result()
        array.write(codes.view(dtype)).result()
        with zarrc_ffi.Store(folder) as store, store.array() as array:
            read = array.read(dtype="u1")
    mask = len(all_codes(name)) - 1
    return same(codes, read & mask, "bytes")


def exchange(root, tally):
    folder = os.path.join(root, "small", "array")
    for name in NAMES:
        dtype = np.dtype(getattr(ml_dtypes, name))
        tries = [(("zarrc", "ml_dtypes"), decoding, ())]
        if "float" in name:
            tries += [(("ml_dtypes", "zarrc"), encoding, (memory,)) for memory in (np.float32, np.float64)]
        if name in OF_TENSORSTORE:
            # Its float4 of v2 wants Base64 for a fill value.
            for format in [2, 3] if name != "float4_e2m1fn" else [3]:
                tries.append((("zarrc", "tensorstore"), with_tensorstore, (format, True)))
                tries.append((("tensorstore", "zarrc"), with_tensorstore, (format, False)))
        for route, attempt, more in tries:
            try:
                problem = attempt(folder, name, dtype, *more)
            except Exception as error:
                problem = f"{type(error).__name__}: {error}"
            tally.add("small", name, route, *(("failed", problem) if problem else ("ok",)))
