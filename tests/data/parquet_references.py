"""Writes parquet_references/: references in Parquet files by fsspec and kerchunk, and what fsspec reads there.

    python -m venv v && v/bin/pip install fsspec kerchunk fastparquet pyarrow zarr
    cd tests/data && ../../v/bin/python parquet_references.py

`values` is what is referred to; each directory *.parq has references; expected.json has, for each of those, what
fsspec makes of each key, in base64 (null: there is no such key).
"""

import base64
import json
import os
import shutil

import fsspec
import kerchunk.df
import pyarrow.parquet
from fsspec.implementations.reference import LazyReferenceMapper

HERE = "parquet_references"
SIZE = 16  # references in a file


def zarray(shape, chunks):
    return json.dumps({"zarr_format": 2, "shape": shape, "chunks": chunks, "dtype": "<u2", "compressor": None,
                       "filters": None, "fill_value": 7, "order": "C"})


def references():
    """Of each sort: values in place, ranges of a file, all of it, and keys that are not there."""
    refs = {".zgroup": '{"zarr_format": 2}', ".zattrs": '{"title": "ü"}'}
    refs["plane/.zarray"] = zarray([4, 16], [2, 4])
    for n in range(8):
        refs[f"plane/{n // 4}.{n % 4}"] = ["values", 16 * n, 16]
    refs["line/.zarray"] = zarray([40], [1])
    for n in list(range(12)) + [35, 39]:  # the second file is missing
        refs[f"line/{n}"] = [["values", 2 * n, 2], "base64:" + base64.b64encode(bytes([n, 255])).decode(),
                             f"{n:02}", ["other", 1, 2]][n % 4]
    refs["whole/.zarray"] = zarray([64], [64])
    refs["whole/0"] = ["values"]
    refs["scalar/.zarray"] = zarray([], [])
    refs["scalar/0"] = "\x01\x02"
    refs["deep/.zgroup"] = '{"zarr_format": 2}'
    refs["deep/er/.zarray"] = zarray([32], [1])
    for n in range(32):
        refs[f"deep/er/{n}"] = ["values", 2 * n, 2]
    return refs


def write(name, engine):
    refs = references()
    out = LazyReferenceMapper.create(f"{HERE}/{name}.parq", fs=fsspec.filesystem("file"), record_size=SIZE, engine=engine)
    for key, value in refs.items():
        out[key] = value
    out.flush()


def rewrite(name, change):
    """The array `line` of fastparquet.parq, its files written anew; those of the other arrays are missing."""
    old, new = (f"{HERE}/{n}.parq" for n in ("fastparquet", name))
    os.makedirs(f"{new}/line")
    shutil.copy(f"{old}/.zmetadata", f"{new}/.zmetadata")
    for file in os.listdir(f"{old}/line"):
        table = pyarrow.parquet.read_table(f"{old}/line/{file}").replace_schema_metadata(None)
        change(table, f"{new}/line/{file}")


def few_columns(table, path):
    """As some leave out columns that say nothing."""
    columns = [column for column in table.column_names if table[column].null_count < len(table)]
    pyarrow.parquet.write_table(table.select(columns), path, compression="snappy")


def small_numbers(table, path):
    place = table.column_names.index("offset")
    table = table.set_column(place, "offset", table["offset"].cast("int32"))
    pyarrow.parquet.write_table(table, path, compression="lz4", data_page_version="2.0", row_group_size=5)


def plain(table, path):
    pyarrow.parquet.write_table(table, path, compression=None, use_dictionary=False)


def main():
    shutil.rmtree(HERE, ignore_errors=True)
    os.makedirs(HERE)
    with open(f"{HERE}/values", "wb") as file:
        file.write(b"".join(n.to_bytes(2, "little") for n in range(64)))
    with open(f"{HERE}/other", "wb") as file:
        file.write(b"\x09abc")
    write("fastparquet", "fastparquet")
    write("pyarrow", "pyarrow")
    kerchunk.df.refs_to_dataframe(references(), f"{HERE}/kerchunk.parq", record_size=100, categorical_threshold=1000)
    rewrite("snappy", few_columns)
    rewrite("lz4", small_numbers)
    rewrite("plain", plain)
    os.chdir(HERE)
    expected = {}
    for name in sorted(n for n in os.listdir(".") if n.endswith(".parq")):
        fs = fsspec.filesystem("reference", fo=os.path.abspath(name), remote_protocol="file", skip_instance_cache=True)
        # what an engine makes of nulls, fsspec understands in its own files only
        fs.references.engine = "fastparquet" if name in ("fastparquet.parq", "kerchunk.parq") else "pyarrow"
        values = {}
        for key in list(references()) + ["line/12", "line/20", "line/36", "line/40", "plane/2.0", "nothing", "x/0"]:
            if key.rsplit("/")[-1].startswith(".z"):
                continue
            try:
                there = fs.references[key]
                if there[0] is None or there[0] != there[0]:
                    raise KeyError("a path that is null")
                values[key] = base64.b64encode(fs.cat_file(key)).decode()
            except (FileNotFoundError, KeyError, IndexError):
                values[key] = None
        expected[name] = values
    with open("expected.json", "w") as file:
        json.dump(expected, file, separators=(",", ":"))


main()
