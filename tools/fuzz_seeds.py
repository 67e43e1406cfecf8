#!/usr/bin/env python3
"""Makes the first inputs of fuzz/corpus from the stores in a folder of fixtures: small documents,
chunks, references, and a few stores as a whole."""
import hashlib
import io
import pathlib
import sys
import zipfile

CORPUS = pathlib.Path(__file__).parent.parent / "fuzz/corpus"
DOCUMENTS = {"zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata", "attributes.json"}


def put(target, data, most=4096):
    if len(data) > most:
        return
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha1(data).hexdigest()[:16]).write_bytes(data)


def seeds(fixtures):
    documents, references, stores = set(), set(), []
    for store in sorted(path for path in fixtures.iterdir() if path.is_dir()):
        values = {}
        for path in sorted(store.rglob("*")):
            if not path.is_file():
                continue
            data = path.read_bytes()
            values[path.relative_to(store).as_posix()] = data
            if path.name in DOCUMENTS:
                documents.add(data)
            elif path.suffix == ".json" and b'"refs"' in data or path.name.endswith("ref.json"):
                references.add(data)
        stores.append(values)
    return documents, references, stores


def main():
    documents, references, stores = seeds(pathlib.Path(sys.argv[1]))
    # one of each length, at most: the fuzzer finds the rest
    for n, document in enumerate(sorted({len(d): d for d in sorted(documents)}.values())):
        if n % 8 == 0:
            put("metadata", document, 2048)
    for text in sorted(references, key=len)[:12]:
        put("references", text)
    put("references", b'{"version": 1, "templates": {"u": "x", "f": "{{c}}"}, "gen": [{"key": "k{{i}}",'
        b' "url": "{{u}}_{{f(c=\'y\')}}", "offset": "{{i * 8}}", "length": "8", "dimensions":'
        b' {"i": {"stop": 3}}}], "refs": {".zgroup": "{\\"zarr_format\\": 2}", "a": ["{{u}}", 1, 2],'
        b' "b": "base64:aGk="}}')
    small = sorted(stores, key=lambda values: sum(map(len, values.values())))
    for values in small[::40]:
        parts = [key.encode() + b"\0" + value for key, value in values.items() if b"\xff" not in value]
        put("hierarchy", b"\xff".join(parts))
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
            for key, value in values.items():
                file.writestr(zipfile.ZipInfo(key), value)
        put("zip", out.getvalue())
    for which in range(56):
        put("codecs", bytes([which]) + bytes(range(96)))
    for which in range(19):
        put("chunk", bytes([which]) + bytes(range(64)))
    put("settings", b"format=v3\nthreads=2\na/b\nchunk_cache=1MiB\n{\"a\": [1, 2.5, null]}\n|prefix:a|readonly:\n")
    for n in range(6):
        put("program", bytes((n * 37 + i * i * 11 + i) % 256 for i in range(120)))


main()
