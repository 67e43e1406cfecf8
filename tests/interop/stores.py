"""Stores exchanged with zarr-python 2 and 3, fsspec, obstore and tensorstore, both ways: those that are one file,
references, and those across a network whose servers tests/servers/run.py started.

Each peer writes the same small hierarchy, a group g with an array g/a, and reads it from the same place.
"""
import contextlib
import importlib.util
import json
import os
import sqlite3
import zipfile

import numpy as np
import tensorstore as ts
import zarr

import zarrc_ffi

ATTRIBUTES = {"title": "größe", "n": [1, 2.5, None]}
VALUES = np.arange(35 * 20, dtype="<i4").reshape(35, 20)
BUILT = zarrc_ffi.build_info()["stores"]
BUCKET = "zarrc-test"
ACCOUNT = "devstoreaccount1"
# Azurite's own, which its documentation tells everyone
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="


# ---- what each of them does


def zarrc_write(url, format, **options):
    with zarrc_ffi.Store(url, "a", **options) as store:
        with store.create_group("g", format) as group:
            group.attributes.replace(ATTRIBUTES)
        with store.create_array("g/a", VALUES.shape, VALUES.dtype, format=format, chunk_shape=(10, 8)) as array:
            array.write(VALUES * 0)
            array.write(VALUES)  # where nothing is replaced in place, the newer counts
            array.attributes.replace(ATTRIBUTES)


def zarrc_read(url, listed=True, **options):
    with zarrc_ffi.Store(url, **options) as store:
        assert store.group("g").attributes.get() == ATTRIBUTES
        nodes = [path for path, _ in store.group().list()] if listed else ["g", "g/a"]
        assert nodes == ["g", "g/a"], nodes
        array = store.array("g/a")
        assert array.attributes.get() == ATTRIBUTES
        return array.read()


def zarr3_write(store, format):
    group = zarr.create_group(store, path="g", zarr_format=format, attributes=ATTRIBUTES)
    array = group.create_array("a", shape=VALUES.shape, chunks=(10, 8), dtype=VALUES.dtype, attributes=ATTRIBUTES)
    array[...] = VALUES


def zarr3_read(store):
    array = zarr.open_group(store, mode="r")["g/a"]
    assert dict(array.attrs) == ATTRIBUTES
    return array[...]


class Zarr3:
    """zarr-python 3 over a store that `make(path, mode)` makes."""

    formats = (2, 3)

    def __init__(self, name, make):
        self.name, self.make = name, make

    def write(self, path, format):
        with self.make(path, "w") as store:
            zarr3_write(store, format)

    def read(self, path, _):
        with self.make(path, "r") as store:
            return zarr3_read(store)


class Zarr2:
    """zarr-python 2, in a process of its own, with its store of that kind."""

    formats = (2,)

    def __init__(self, zarr2, kind, options=lambda path: {}):
        self.name, self.zarr2, self.kind, self.options = zarr2.name, zarr2, kind, options

    def write(self, path, _):
        where = {"kind": self.kind, "path": path, "options": self.options(path)}
        self.zarr2.ask(do="write_store", attributes=ATTRIBUTES, **where)

    def read(self, path, _):
        where = {"kind": self.kind, "path": path, "options": self.options(path)}
        values, *attributes = self.zarr2.ask(do="read_store", **where)
        assert attributes == [ATTRIBUTES, ATTRIBUTES], attributes
        return np.array(values)


class TensorStore:
    """tensorstore's own client of a service. It knows arrays only, so it writes one beside a group of zarrc's."""

    name = "tensorstore"
    formats = (2, 3)

    def __init__(self, kvstore, zarrc):
        self.kvstore, self.zarrc = kvstore, zarrc

    def open(self, path, format, **more):
        where = self.kvstore(path)
        driver = {2: "zarr", 3: "zarr3"}[format]
        kvstore = where | {"path": where["path"] + "/g/a/"}
        return ts.open({"driver": driver, "kvstore": kvstore}, **more).result()

    def write(self, path, format):
        url, options = self.zarrc(path)
        with zarrc_ffi.Store(url, "a", **options) as store:
            with store.create_group("g", format) as group:
                group.attributes.replace(ATTRIBUTES)
        self.open(path, format, create=True, dtype=ts.int32, shape=VALUES.shape).write(VALUES).result()
        with zarrc_ffi.Store(url, "r+", **options) as store, store.array("g/a") as array:
            array.attributes.replace(ATTRIBUTES)

    def read(self, path, format):
        return self.open(path, format, open=True, read=True).read().result()


# ---- where


class Kind:
    """A kind of store: what zarrc opens for a path (or prefix), and the peers that know it."""

    def __init__(self, name, scheme, zarrc, peers, prepare=lambda path: None):
        self.name, self.scheme, self.zarrc, self.peers, self.prepare = name, scheme, zarrc, peers, prepare


def files(root, zarr2):
    """Stores that are one file. Paths are below `root`."""

    def at(url, **options):
        return lambda path: (url.format(os.path.join(root, path)), options)

    def own(kind):
        client = Zarr2(zarr2, kind)
        write, read = client.write, client.read
        client.write = lambda path, format: write(os.path.join(root, path), format)
        client.read = lambda path, format: read(os.path.join(root, path), format)
        return client

    def make_dumb(path):
        """Where its files are, no other is made."""
        for ending in (".dir", ".dat"):
            open(os.path.join(root, path) + ending, "w").close()

    zips = Zarr3("zarr-python 3", lambda path, mode: zarr.storage.ZipStore(os.path.join(root, path), mode=mode))
    yield Kind("zip", "zip", at("{}|zip:"), [zips, own("zip")])
    yield Kind("sqlite", "sqlite", at("sqlite:{}"), [own("sqlite")])
    yield Kind("lmdb", "lmdb", at("lmdb:{}"), [own("lmdb")])
    yield Kind("lmdb-file", "lmdb", at("lmdb:{}", subdir="no"), [own("lmdb-file")])
    yield Kind("dbm.dumb", "dbm", at("dbm:{}"), [own("dbm.dumb")], make_dumb)
    if importlib.util.find_spec("_gdbm"):  # not every Python is built with it
        yield Kind("dbm.gnu", "dbm", at("dbm:{}"), [own("dbm.gnu")])


def remote(zarr2):
    """Stores across a network, as far as their servers are there."""
    where = {name: os.environ.get(f"ZARRC_TEST_{name}") for name in ("S3", "GCS", "AZURE", "REDIS", "MONGODB")}
    if where["S3"]:
        yield s3(where["S3"])
    if where["GCS"]:
        yield gcs(where["GCS"])
    if where["AZURE"]:
        yield azure(where["AZURE"], zarr2)
    if where["REDIS"]:
        host, port = where["REDIS"].removeprefix("redis://").split(":")
        client = Zarr2(zarr2, "redis", lambda _: {"host": host, "port": int(port)})
        yield Kind("redis", "redis", lambda path: (f"{where['REDIS']}/0", {"prefix": path}), [client])
    if where["MONGODB"]:
        def names(path):
            return {"database": "exchange", "collection": path, "host": where["MONGODB"]}

        client = Zarr2(zarr2, "mongodb", names)
        yield Kind("mongodb", "mongodb", lambda path: (f"{where['MONGODB']}/exchange/{path}", {}), [client])


def s3(endpoint):
    import obstore.store

    keys = {"access_key_id": "test", "secret_access_key": "test", "region": "us-east-1", "endpoint": endpoint}
    # tensorstore takes credentials from the environment
    os.environ |= {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}

    def by_obstore(path, mode):
        bucket = obstore.store.S3Store(BUCKET, prefix=path, client_options={"allow_http": True}, **keys)
        return zarr.storage.ObjectStore(bucket, read_only=mode == "r")

    def by_fsspec(path, mode):
        options = {"key": "test", "secret": "test", "client_kwargs": {"endpoint_url": endpoint, "region_name": "us-east-1"}}
        options |= {"use_listings_cache": False}
        return zarr.storage.FsspecStore.from_url(f"s3://{BUCKET}/{path}", storage_options=options, read_only=mode == "r")

    def by_tensorstore(path):
        place = {"bucket": BUCKET, "path": path, "endpoint": endpoint, "aws_region": "us-east-1"}
        return {"driver": "s3", "aws_credentials": {"type": "environment"}, **place}

    def zarrc(path):
        return f"s3://{BUCKET}/{path}", keys

    peers = [Zarr3("zarr 3, s3fs", by_fsspec), Zarr3("zarr 3, obstore", by_obstore), TensorStore(by_tensorstore, zarrc)]
    return Kind("s3", "s3", zarrc, peers)


def gcs(endpoint):
    import obstore.store

    # where tensorstore looks for the service, and for credentials, which it does without
    os.environ |= {"TENSORSTORE_GCS_HTTP_URL": endpoint, "GCE_METADATA_ROOT": "127.0.0.1:9"}

    def by_obstore(path, mode):
        account = {"gcs_base_url": endpoint, "disable_oauth": True}
        account |= {"client_email": "", "private_key": "", "private_key_id": ""}
        options = {"service_account_key": json.dumps(account), "client_options": {"allow_http": True}}
        bucket = obstore.store.GCSStore(BUCKET, prefix=path, **options)
        return zarr.storage.ObjectStore(bucket, read_only=mode == "r")

    def zarrc(path):
        return f"gs://{BUCKET}/{path}", {"endpoint": endpoint, "anonymous": "yes"}

    tensorstore = TensorStore(lambda path: {"driver": "gcs", "bucket": BUCKET, "path": path}, zarrc)
    return Kind("gcs", "gs", zarrc, [Zarr3("zarr 3, obstore", by_obstore), tensorstore])


def azure(endpoint, zarr2):
    import obstore.store

    def by_obstore(path, mode):
        account = {"account_name": ACCOUNT, "account_key": KEY, "endpoint": endpoint}
        options = {"client_options": {"allow_http": True}}
        container = obstore.store.AzureStore(container_name=BUCKET, prefix=path, **account, **options)
        return zarr.storage.ObjectStore(container, read_only=mode == "r")

    def zarrc(path):
        return f"az://{BUCKET}/{path}", {"endpoint": endpoint, "account_name": ACCOUNT, "account_key": KEY}

    container = {"account_url": endpoint, "container_name": BUCKET, "credential": KEY}
    client = Zarr2(zarr2, "azure", lambda _: container)
    return Kind("azure", "az", zarrc, [Zarr3("zarr 3, obstore", by_obstore), client])


# ---- the exchange


def attempt(work):
    try:
        return work()
    except Exception as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


def judge(work):
    """None where `work` gives the values, else what is wrong."""
    values = attempt(work)
    if isinstance(values, str):
        return values
    return None if np.array_equal(values, VALUES) else "other values"


def verdict(wrong):
    return ("failed", wrong) if wrong else ("ok",)


def exchange_kind(kind, tally):
    case = f"stores {kind.name}"
    for format in (2, 3):
        peers = [peer for peer in kind.peers if format in peer.formats]
        if not peers:
            continue
        ours = f"ours-{format}-{kind.name}"
        kind.prepare(ours)
        url, options = kind.zarrc(ours)
        problem = attempt(lambda: zarrc_write(url, format, **options))
        for n, peer in enumerate(peers):
            wrong = problem or judge(lambda: peer.read(ours, format))
            tally.add("stores", f"{case} v{format}", ("zarrc", peer.name), *verdict(wrong))
            theirs = f"theirs-{format}-{n}-{kind.name}"
            url, options = kind.zarrc(theirs)
            wrong = attempt(lambda: peer.write(theirs, format)) or judge(lambda: zarrc_read(url, **options))
            tally.add("stores", f"{case} v{format}", (peer.name, "zarrc"), *verdict(wrong))


def exchange_http(tally):
    """What zarr-python wrote into a directory, read through a web server; consolidated, and by the server's lists."""
    server, root = os.environ.get("ZARRC_TEST_HTTP"), os.environ.get("ZARRC_TEST_HTTP_ROOT")
    if not server or not root or "http" not in BUILT:
        return
    for format in (2, 3):
        path = os.path.join(root, f"exchange {format}")
        zarr3_write(path, format)
        url = f"{server}/exchange%20{format}"
        wrong = judge(lambda: zarrc_read(url))
        if not wrong and format == 2:
            zarr.consolidate_metadata(path)
            wrong = judge(lambda: zarrc_read(url, consolidated="yes"))
        tally.add("stores", f"stores http v{format}", ("zarr-python 3", "zarrc"), *verdict(wrong))


def references(folder):
    """References, by JSON of version 1, to the chunks of an array that lies in a directory."""
    data = os.path.join(folder, "data")
    zarrc_write(data, 2)
    refs = {}
    for path, _, names in os.walk(data):
        for name in names:
            key = os.path.relpath(os.path.join(path, name), data)
            if name.startswith(".z"):
                with open(os.path.join(path, name), encoding="utf-8") as text:
                    refs[key] = text.read()
            elif not name.startswith("."):
                refs[key] = ["{{u}}/" + key, 0, os.path.getsize(os.path.join(path, name))]
    file = os.path.join(folder, "refs.json")
    with open(file, "w", encoding="utf-8") as out:
        json.dump({"version": 1, "templates": {"u": data}, "refs": refs}, out)
    return file


def exchange_references(root, tally):
    """Key by key what fsspec reads by references, and the array."""
    import fsspec

    folder = os.path.join(root, "references")
    os.makedirs(folder)
    file = references(folder)
    there = fsspec.filesystem("reference", fo=file, asynchronous=False)
    with zarrc_ffi.Store(f"{file}|reference:") as store:
        keys = [key for key in there.find("") if not key.endswith("/")]
        wrong = [key for key in keys if store.get(key) != there.cat_file(key)]
    wrong = f"other values of {wrong}" if wrong or not keys else judge(lambda: zarrc_read(f"{file}|reference:"))
    tally.add("stores", "stores references", ("fsspec", "zarrc"), *verdict(wrong))


def committed(path, kind):
    """What a transaction wrote, read by zarr-python (zip) or the libraries of Python, and by zarrc again."""
    with zarrc_ffi.Store(f"{kind}:{path}", "w-") as store:
        store.create_group("").close()
        for name in "ab":
            store.create_array(name, (4, 5), "<i4", chunk_shape=[2, 5]).close()
        for round in (1, 2):
            with store.begin() as transaction:
                for name in "ab":
                    with transaction.array(name) as array:
                        array.write(np.full((4, 5), round, "i4"))
                        array.attributes["round"] = round
                transaction.commit("both")
    if kind == "sqlite":
        with contextlib.closing(sqlite3.connect(path)) as database:
            checked = database.execute("PRAGMA integrity_check").fetchall()
            found = dict(database.execute("SELECT k, v FROM zarr"))
        if checked != [("ok",)]:
            return f"integrity_check: {checked}"
        store = zarr.storage.MemoryStore({k: zarr.core.buffer.cpu.Buffer.from_bytes(v) for k, v in found.items()})
    else:
        with zipfile.ZipFile(path) as file:
            if file.testzip() is not None:
                return f"{file.testzip()} is damaged"
        store = zarr.storage.ZipStore(path, mode="r")
    group = zarr.open_group(store, mode="r")
    for name in "ab":
        if not (group[name][:] == 2).all() or dict(group[name].attrs) != {"round": 2}:
            return f"{name}: {group[name][:]}, {dict(group[name].attrs)}"
    return None


def exchange(root, zarr2, tally, words):
    def wanted(name):
        return not words or any(word in f"stores {name}" for word in words)

    for kind in [*files(root, zarr2), *remote(zarr2)]:
        if wanted(kind.name) and kind.scheme in BUILT:
            exchange_kind(kind, tally)
    for kind in ("zip", "sqlite"):
        if wanted(f"{kind} committed") and kind in BUILT:
            wrong = attempt(lambda: committed(os.path.join(root, f"committed.{kind}"), kind))
            tally.add("stores", f"stores {kind} committed", ("zarrc", "zarr-python 3"), *verdict(wrong))
    if wanted("http"):
        exchange_http(tally)
    if wanted("references"):
        exchange_references(root, tally)
