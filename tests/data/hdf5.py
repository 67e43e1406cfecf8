"""Makes tests/data/hdf5: files that h5py and netCDF4-python wrote, and what h5py reads there.

    python3 -m venv v && v/bin/pip install h5py netCDF4 hdf5plugin && v/bin/python tests/data/hdf5.py
"""
import base64
import json
from pathlib import Path

import h5py
import hdf5plugin
import netCDF4
import numpy as np

HERE = Path(__file__).parent / "hdf5"


def types(f):
    f.attrs["title"] = "a file"
    f.attrs["numbers"] = [1.5, 2.5]
    f.attrs["names"] = ["a", "bé"]
    f.attrs["flag"] = True
    f.attrs["nothing"] = h5py.Empty("f4")
    f.attrs["fixed"] = np.bytes_("fix")
    f.attrs["single"] = np.float32(0.1)
    f.attrs["matrix"] = np.arange(6, dtype=">i2").reshape(2, 3)
    f.attrs["pair"] = np.array((1, 2.5), dtype=[("a", "i4"), ("b", "f8")])
    for name in ("i1", "u1", "<i2", ">i2", "<u4", ">i8", "<u8", "<f2", ">f2", "<f4", ">f4", "<f8", ">f8"):
        f[f"numbers/{name}"] = np.arange(-3, 5).astype(name)
    f["bool"] = np.array([True, False, True])
    f["complex"] = np.array([1 + 2j, 3 - 4j])
    f["complex-single"] = np.array([1 + 2j, 3 - 4j], ">c8")
    f["scalar"] = np.int64(42)
    f["texts"] = np.array([["a", "bb"], ["é", ""]], dtype=object)
    f["scalar-text"] = "one"
    f["fixed-texts"] = np.array([b"a", b"bb"], "S5")
    f["struct"] = np.array([(1, 2.5, b"x"), (3, 4.5, b"y")], [("a", "<i4"), ("b", "<f8"), ("c", "S3")])
    f["mixed-orders"] = np.array([(1, 2.5), (3, 4.5)], [("a", "<i4"), ("b", ">f8")])
    f["padded"] = np.array([(1, 2.5), (3, 4.5)], np.dtype([("a", "i1"), ("b", "<f8")], align=True))
    f["nested"] = np.array([((1, 2), 3)], [("p", [("x", "<i2"), ("y", "<i2")]), ("q", "<f4")])
    f.create_dataset("arrays", (3,), np.dtype(("<i4", (2,))))[...] = np.arange(6).reshape(3, 2)
    f["times"] = np.array(["2020-01-01", "NaT"], "M8[ns]").astype(h5py.opaque_dtype("M8[ns]"))
    runs = f.create_dataset("runs", (3,), h5py.vlen_dtype("<i4"))
    runs[0], runs[2] = [1, 2, 3], [7]
    f.create_dataset("opaque", data=np.array([b"abc", b"\0\1\2"], "V3"))
    f["long-double"] = np.array([0.5, 1e300], np.longdouble)


def storage(f):
    values = (np.random.default_rng(1).random((37, 50)) * 100).astype("f4")
    f["contiguous"] = values
    small = {"data": values[:20], "chunks": (8, 16)}
    f.create_dataset("chunked", **small)
    f.create_dataset("gzip", **small, compression="gzip", shuffle=True, fletcher32=True)
    f.create_dataset("fletcher32", **small, fletcher32=True)
    f.create_dataset("szip", **small | {"data": values[:20].astype("i4")}, compression="szip")
    f.create_dataset("scale-offset", data=np.arange(100, dtype="i4"), chunks=(16,), scaleoffset=0)
    f.create_dataset("blosc", **small, **hdf5plugin.Blosc(cname="zstd", shuffle=1))
    f.create_dataset("zstd", **small, **hdf5plugin.Zstd())
    f.create_dataset("bzip2", **small, **hdf5plugin.BZip2())
    # deflate is left out for the second chunk alone
    partly = f.create_dataset("partly-gzip", data=np.zeros(512, "u1"), chunks=(256,), compression="gzip")
    partly.id.write_direct_chunk((256,), bytes(range(256)), filter_mask=1)
    f.create_dataset("partly-written", (40, 40), "f8", chunks=(10, 10), fillvalue=-1.0)[5:15, 5:15] = 3
    f.create_dataset("never-written", (5,), "i4", fillvalue=7)
    f.create_dataset("never-written-default", (5,), "i4", chunks=(2,))
    f.create_dataset("shrunk", data=np.arange(10), chunks=(3,), maxshape=(None,)).resize((5,))
    space, plist = h5py.h5s.create_simple((4,)), h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_layout(h5py.h5d.COMPACT)
    h5py.h5d.create(f.id, b"compact", h5py.h5t.STD_I32LE, space, plist).write(h5py.h5s.ALL, h5py.h5s.ALL, np.arange(4, dtype="i4"))
    f.create_dataset("no-elements", (0, 3), "f4")


def odd(f):
    f["a"] = np.arange(3)
    f["group/loop"] = f["/"]
    f["soft"] = h5py.SoftLink("/a")
    f["hard"] = f["a"]
    f["nowhere"] = h5py.SoftLink("/no/such")
    f["round"] = h5py.SoftLink("/round")
    f["external"] = h5py.ExternalLink("types.h5", "/bool")
    f["reference"] = np.array([f["a"].ref], h5py.ref_dtype)
    f["type"] = np.dtype("f8")
    f["empty"] = h5py.Empty("f4")
    f["enumeration"] = np.array([0, 2], h5py.enum_dtype({"A": 0, "B": 2}, "i2"))
    layout = h5py.VirtualLayout((3,), "i8")
    layout[:] = h5py.VirtualSource("odd.h5", "a", (3,))
    f.create_virtual_dataset("virtual", layout)
    f.create_dataset("elsewhere", (4,), "u1", external=[("types.h5", 0, 4)])
    f["runs-of-texts"] = h5py.Empty("f4")
    f.create_group(".zarray")


def netcdf(path):
    with netCDF4.Dataset(path, "w") as f:
        f.title = "climate"
        for name, size in (("time", None), ("lat", 4), ("lon", 5), ("nv", 2)):
            f.createDimension(name, size)
        time = f.createVariable("time", "f8", ("time",))
        time.units = "days since 2000-01-01"
        time[:] = np.arange(6)
        f.createVariable("lat", "f4", ("lat",))[:] = np.linspace(-60, 60, 4)
        values = np.arange(120.0).reshape(6, 4, 5)
        air = f.createVariable("tas", "f4", ("time", "lat", "lon"), zlib=True, fill_value=1e20, chunksizes=(2, 4, 5))
        air[:] = np.where(values == 0, 1e20, values)
        rain = f.createVariable("pr", "i2", ("time", "lat", "lon"), fill_value=-999)
        rain.scale_factor, rain.add_offset = 0.5, 10.0
        rain[:2] = values[:2]
        f.createVariable("bounds", "f8", ("time", "nv"))[:] = 1.0
        f.createVariable("name", str, ("lat",))[:] = np.array(["a", "b", "cé", ""], dtype=object)
        f.createGroup("below").createVariable("x", "i4", ("lat",))[:] = [1, 2, 3, 4]


def said(value):
    if value.dtype.kind == "O":
        text = lambda x: x.decode() if isinstance(x, bytes) else np.asarray(x).astype("<i4").tolist()
        return [text(x) for x in value.ravel()]
    if value.dtype.names:
        packed = np.empty(value.shape, [(n, value.dtype[n]) for n in value.dtype.names])
        for name in value.dtype.names:
            packed[name] = value[name]
        value = packed
    little = value.astype(np.dtype([(n, value.dtype[n].newbyteorder("<")) for n in value.dtype.names]) if value.dtype.names else value.dtype.newbyteorder("<"))
    return base64.b64encode(little.tobytes()).decode()


def expected(path, leave_out=()):
    found = {}

    def visit(name, node):
        if isinstance(node, h5py.Dataset) and name not in leave_out:
            is_text = h5py.check_string_dtype(node.dtype) and node.dtype.kind == "O"
            value = np.asarray(node[()], object if is_text else None)
            if name == "long-double":
                value = value.astype("f8")
            found[name] = {"shape": list(value.shape), "value": said(value)}

    with h5py.File(path) as f:
        f.visititems(visit)
    return found


def main():
    HERE.mkdir(exist_ok=True)
    all_values = {}
    for make in (types, storage, odd):
        path = HERE / f"{make.__name__}.h5"
        with h5py.File(path, "w") as f:
            make(f)
        if make is not odd:
            all_values[path.name] = expected(path)
    netcdf(HERE / "netcdf.nc")
    all_values["netcdf.nc"] = expected(HERE / "netcdf.nc", ["lon", "nv"])
    with netCDF4.Dataset(HERE / "netcdf.nc") as f:
        # two of six are in the file: the others are the fill value in netCDF's data model
        f.set_auto_maskandscale(False)
        rain = f["pr"][:]
        all_values["netcdf.nc"]["pr"] = {"shape": list(rain.shape), "value": said(rain)}
    with h5py.File(HERE / "user-block.h5", "w", userblock_size=512) as f:
        f.create_dataset("a", data=np.arange(20, dtype="<i4"), chunks=(6,), compression="gzip")
    all_values["user-block.h5"] = expected(HERE / "user-block.h5")
    (HERE / "expected.json").write_text(json.dumps(all_values, indent=0, ensure_ascii=False) + "\n")


main()
