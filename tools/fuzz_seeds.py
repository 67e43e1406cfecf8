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


GROUP = b'{"zarr_format":3,"node_type":"group","attributes":{}}'
ARRAY = (b'{"zarr_format":3,"node_type":"array","shape":[4],"data_type":"uint8","chunk_grid":{"name":"regular",'
    b'"configuration":{"chunk_shape":[2]}},"chunk_key_encoding":{"name":"default"},"codecs":[{"name":"bytes"}],"fill_value":0}')


def reply(status, body=b"", *headers):
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def replies(*some):
    return b"\xff".join(some)


def network():
    page = reply(200, b'<a href="../">..</a><a href="zarr.json">z</a><a href="a/">a</a>', "Content-Type: text/html")
    part = reply(206, b"345", "Content-Range: bytes 1-3/8", 'ETag: "x"')
    document = reply(200, ARRAY, 'ETag: "x"', "Accept-Ranges: bytes")
    put("http", replies(page, reply(200, GROUP, 'ETag: "x"')))
    put("http", replies(page, page, document, document, part))
    put("http", replies(part, reply(206, b"5678", "Content-Range: bytes 4-7/8"), document, reply(200, b"01")))
    put("http", replies(reply(301, b"", "Location: /y"), reply(404), reply(416, b"", "Content-Range: bytes */8")))
    put("http", replies(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n", reply(503, b"", "Retry-After: 1")))
    listing = (b'<?xml version="1.0"?><ListBucketResult><Name>bucket</Name><IsTruncated>%b</IsTruncated>%b<MaxKeys>1000</MaxKeys>'
        b'<Contents><Key>x/a/c/0</Key><LastModified>2024-01-01T00:00:00.000Z</LastModified><ETag>"x"</ETag><Size>2</Size>'
        b"</Contents><CommonPrefixes><Prefix>x/a/</Prefix></CommonPrefixes></ListBucketResult>")
    last = reply(200, listing % (b"false", b""), "Content-Type: application/xml")
    more = reply(200, listing % (b"true", b"<NextContinuationToken>t</NextContinuationToken>"))
    day = "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT"
    error = b'<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>m</Message></Error>'
    put("s3", replies(last, reply(200, ARRAY, 'ETag: "x"', day), reply(206, b"1", "Content-Range: bytes 1-1/2", 'ETag: "x"', day)))
    put("s3", replies(more, last, reply(200, GROUP, 'ETag: "x"', day)))
    put("s3", replies(reply(503, error), reply(412), reply(404, error.replace(b"SlowDown", b"NoSuchKey"))))
    deleted = b'<?xml version="1.0"?><DeleteResult><Deleted><Key>x/a/c/0</Key></Deleted></DeleteResult>'
    put("s3", replies(last, reply(200, deleted), reply(200, b"", 'ETag: "y"'), reply(204)))


def calls():
    for n in range(6):
        put("calls", bytes((n * 53 + i * i * 7 + i * 3) % 256 for i in range(150)))
        put("stream", bytes((n * 29 + i * i * 13 + i) % 256 for i in range(90)))
    for which in range(12):
        put("icechunk", bytes([which, 2, 16 * which, 0, 1, 0, 0, 9]))
        put("icechunk", bytes([which, which % 2, 40, 0, 3]))
    for path in sorted(CORPUS.parent.parent.glob("tests/data/parquet_references/*/line/refs.0.parq")):
        put("parquet", path.read_bytes())


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
        put("convert", b"\xff".join(parts), 1024)
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

    network()
    calls()


main()
