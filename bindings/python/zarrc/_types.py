"""NumPy's types and zarrc's."""

import json

import numpy as np

from ._api import DataType

_NUMBERS = {
    "?": DataType.BOOL, "i1": DataType.INT8, "i2": DataType.INT16, "i4": DataType.INT32, "i8": DataType.INT64,
    "u1": DataType.UINT8, "u2": DataType.UINT16, "u4": DataType.UINT32, "u8": DataType.UINT64,
    "f2": DataType.FLOAT16, "f4": DataType.FLOAT32, "f8": DataType.FLOAT64,
    "c8": DataType.COMPLEX64, "c16": DataType.COMPLEX128,
}  # fmt: skip
MEMORY_TYPES = {np.dtype(name): number for name, number in _NUMBERS.items()}
_DTYPES = {number: dtype for dtype, number in MEMORY_TYPES.items()}
_PARAMETERS = {
    "V": DataType.RAW, "S": DataType.FIXED_BYTES, "U": DataType.FIXED_UTF32, "M": DataType.DATETIME64,
    "m": DataType.TIMEDELTA64,
}  # fmt: skip
# Types that NumPy lacks, by their name in ml_dtypes.
_ML = {
    DataType.BFLOAT16: "bfloat16", DataType.INT2: "int2", DataType.INT4: "int4", DataType.UINT2: "uint2",
    DataType.UINT4: "uint4", DataType.FLOAT4_E2M1FN: "float4_e2m1fn", DataType.FLOAT6_E2M3FN: "float6_e2m3fn",
    DataType.FLOAT6_E3M2FN: "float6_e3m2fn", DataType.FLOAT8_E3M4: "float8_e3m4", DataType.FLOAT8_E4M3: "float8_e4m3",
    DataType.FLOAT8_E4M3B11FNUZ: "float8_e4m3b11fnuz", DataType.FLOAT8_E4M3FN: "float8_e4m3fn",
    DataType.FLOAT8_E4M3FNUZ: "float8_e4m3fnuz", DataType.FLOAT8_E5M2: "float8_e5m2",
    DataType.FLOAT8_E5M2FNUZ: "float8_e5m2fnuz", DataType.FLOAT8_E8M0FNU: "float8_e8m0fnu",
}  # fmt: skip
VARIABLE = {DataType.STRING, DataType.BYTES, DataType.RAGGED, DataType.JSON}


def _ml_dtype(name):
    try:
        import ml_dtypes
    except ImportError:
        return None
    found = getattr(ml_dtypes, name, None)
    return None if found is None else np.dtype(found)


def dtype_of(number, element_size, metadata):
    """The NumPy type of an array's elements in memory. `metadata` gives the document where a type has parameters."""
    if number in VARIABLE:
        return np.dtype(object)
    if number in _DTYPES:
        return _DTYPES[number]
    if number in _ML and (dtype := _ml_dtype(_ML[number])) is not None:
        return dtype
    if number == DataType.FIXED_BYTES:
        return np.dtype(f"S{element_size}")
    if number == DataType.FIXED_UTF32:
        return np.dtype(f"U{element_size // 4}")
    if number in (DataType.DATETIME64, DataType.TIMEDELTA64, DataType.STRUCT):
        document = metadata()
        told = _stated(document.get("data_type", document.get("dtype")))
        if told is not None and told.itemsize == element_size:
            return told.newbyteorder("=")
    return np.dtype(f"V{element_size}")


def _stated(stated):
    """The NumPy type that a metadata document states."""
    if isinstance(stated, str):
        try:
            return np.dtype(_v3_names.get(stated, stated))
        except TypeError:
            return None
    if isinstance(stated, list):
        fields = [(name, _stated(base), *(tuple(s) for s in shape)) for name, base, *shape in stated]
        return None if any(base is None for _, base, *_ in fields) else np.dtype(fields)
    if isinstance(stated, dict):
        name, configuration = stated.get("name", ""), stated.get("configuration", {})
        if name in ("numpy.datetime64", "numpy.timedelta64"):
            unit, scale = configuration.get("unit", "generic"), configuration.get("scale_factor", 1)
            letter = "M8" if "date" in name else "m8"
            return np.dtype(letter if unit == "generic" else f"{letter}[{scale}{unit}]")
        if name in ("struct", "structured"):
            fields = [
                (field["name"], _stated(field["data_type"])) if isinstance(field, dict) else (field[0], _stated(field[1]))
                for field in configuration.get("fields", [])
            ]
            return None if any(base is None for _, base in fields) else np.dtype(fields)
        if name in ("fixed_length_utf32", "null_terminated_bytes", "raw_bytes"):
            size, letter = configuration.get("length_bytes", 0), {"f": "U", "n": "S", "r": "V"}[name[0]]
            return np.dtype(f"{letter}{size // 4 if letter == 'U' else size}")
        return _stated(name)
    return None


_v3_names = {"bool": "?", "float16": "f2", "bytes": "O", "string": "O"}


def spec_of(dtype):
    """The number of a type, and the text that gives its parameters or byte order, for a new array."""
    if isinstance(dtype, str) and dtype in ("string", "str"):
        return DataType.STRING, None
    if isinstance(dtype, str) and dtype == "bytes":
        return DataType.BYTES, None
    if dtype is str or dtype is bytes:
        return (DataType.STRING if dtype is str else DataType.BYTES), None
    if isinstance(dtype, DataType):
        return dtype, None
    if isinstance(dtype, str) and dtype.startswith("vlen-array:"):
        return DataType.RAGGED, dtype
    if isinstance(dtype, str) and dtype == "json":
        return DataType.JSON, None
    try:
        dtype = np.dtype(dtype)
    except TypeError:
        # A name that zarrc may know although NumPy does not.
        if isinstance(dtype, str) and dtype.upper() in DataType.__members__:
            return DataType[dtype.upper()], None
        raise
    if dtype.kind == "T":
        return DataType.STRING, None
    if dtype.hasobject:
        raise TypeError('dtype object: say what the objects are, "string", "bytes", "json" or "vlen-array:<f8"')
    if dtype.names:
        return DataType.STRUCT, json.dumps(fields(dtype))
    for number, name in _ML.items():
        if dtype.name == name:
            return number, None
    if dtype.kind in _PARAMETERS:
        return _PARAMETERS[dtype.kind], dtype.str
    number = MEMORY_TYPES.get(dtype.newbyteorder("="))
    if number is None:
        raise TypeError(f"no data type of Zarr is like {dtype}")
    return number, dtype.str if dtype.byteorder == ">" else None


def element(value, dtype):
    """One element as it lies in memory: what holds it, its address, its size."""
    if dtype.hasobject:
        data = value if isinstance(value, bytes) else str(value).encode()
        return data, data, len(data)
    value = np.ascontiguousarray(np.asarray(value).astype(np.dtype(dtype).newbyteorder("=")))
    return value, value.ctypes.data, value.nbytes


def fields(dtype):
    """The fields of a structure as lists of name, type and perhaps shape, nested ones too."""
    out = []
    for name in dtype.names:
        inner, shape = dtype[name].subdtype or (dtype[name], None)
        entry = [name, fields(inner) if inner.names else inner.str]
        out.append(entry + [list(shape)] if shape else entry)
    return out


def exchanged(values):
    """NumPy's view of an array of another library that has only `__dlpack__`; all else as it is."""
    if hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
        return np.from_dlpack(values)
    return values


def memory(values, dtype, number):
    """`values` as the library can take them, and the memory type to name: converted by zarrc where both
    are numbers (each value checked), by NumPy otherwise."""
    if values.dtype == dtype and values.dtype.isnative:
        return values, DataType.NATIVE
    if number in _DTYPES or number in _ML:
        native = values.astype(values.dtype.newbyteorder("="), copy=False)
        if native.dtype in MEMORY_TYPES:
            return native, MEMORY_TYPES[native.dtype]
    return values.astype(dtype), DataType.NATIVE
