"""Groups, their attributes and consolidated metadata, exchanged with zarr-python 2 and 3."""
import os
import shutil

import numpy as np
import zarr

import zarrc_ffi
from cases import ATTRIBUTES

# Path, kind and attributes of every node, sorted by path.
NODES = [
    ["", "group", ATTRIBUTES],
    ["a", "array", {}],
    ["b", "group", {}],
    ["b/c", "array", {"größe": [1, 2.5, None]}],
    ["b/d", "group", {"n": -(2**53)}],
    ["b/d/e", "array", {"text": "line\nbreak \"quoted\""}],
    ["empty", "group", {"nested": {"x": {"y": []}}}],
]
CONSOLIDATES = hasattr(zarrc_ffi.lib, "zarrc_consolidate_metadata")
VALUES = np.arange(4, dtype="i4")


def zarrc_write(folder, format):
    with zarrc_ffi.Store(folder, "a") as store:
        for path, kind, attributes in NODES:
            if kind == "group":
                node = store.create_group(path, format)
            else:
                node = store.create_array(path, (4,), "i4", format=format, chunk_shape=(2,))
                node.write(VALUES)
            node.attributes.replace(attributes)
            node.close()
        if CONSOLIDATES:
            store.consolidate()


def zarrc_read(folder, consolidated):
    options = {"consolidated": "yes"} if consolidated else {}
    with zarrc_ffi.Store(folder, **options) as store:
        root = store.group()
        nodes = [["", "group", root.attributes.get()]]
        for path, kind in root.list():
            node = store.group(path) if kind == "group" else store.array(path)
            nodes.append([path, kind, node.attributes.get()])
            if kind == "array":
                assert np.array_equal(node.read(), VALUES), path
        return nodes


def zarr_write(folder, format):
    root = zarr.open_group(folder, mode="a", zarr_format=format)
    for path, kind, attributes in NODES:
        if kind == "array":
            node = root.create_array(path, shape=(4,), chunks=(2,), dtype="i4")
            node[...] = VALUES
        else:
            node = root.require_group(path) if path else root
        node.attrs.update(attributes)
    zarr.consolidate_metadata(folder, zarr_format=format)


def zarr_read(folder, format, consolidated):
    root = zarr.open_group(folder, mode="r", zarr_format=format, use_consolidated=consolidated)
    nodes = [["", "group", dict(root.attrs)]]
    for path, node in root.members(max_depth=None):
        nodes.append([path, "array" if isinstance(node, zarr.Array) else "group", dict(node.attrs)])
        if isinstance(node, zarr.Array):
            assert np.array_equal(node[...], VALUES), path
    return sorted(nodes)


def without_documents(folder, format):
    """Leaves the consolidated metadata alone in the store, so that nothing else can be read."""
    names = [".zgroup", ".zarray", ".zattrs"] if format == 2 else ["zarr.json"]
    for place, _, files in os.walk(folder):
        if place == folder and format == 3:
            continue
        for name in names:
            if name in files:
                os.remove(os.path.join(place, name))


WAYS = {False: "plain", True: "consolidated", "only": "consolidated metadata alone"}


def exchange(root, zarr2, tally):
    zarr3_name = f"zarr-python {zarr.__version__}"
    for format in (2, 3):
        writers = [("zarrc", lambda f: zarrc_write(f, format)), (zarr3_name, lambda f: zarr_write(f, format))]
        readers = [("zarrc", zarrc_read), (zarr3_name, lambda f, c: zarr_read(f, format, c))]
        if format == 2:
            writers.append((zarr2.name, lambda f: zarr2.ask(do="make_tree", folder=f, nodes=NODES)))
            readers.append((zarr2.name, lambda f, c: zarr2.ask(do="tree", folder=f, consolidated=c)))
        for writer, write in writers:
            folder = os.path.join(root, f"tree-{format}-{writer}")
            written = attempt(lambda: write(folder))
            alone = folder + "-alone"
            if not written:
                shutil.copytree(folder, alone)
                without_documents(alone, format)
            for reader, read in readers if writer == "zarrc" else readers[:1]:
                for way in WAYS if reader == "zarrc" else (False, True):
                    case, route = f"v{format} tree {WAYS[way]}", (writer, reader)
                    if way and writer == "zarrc" and not CONSOLIDATES:
                        tally.add("tree", case, route, "unsupported", "zarrc does not consolidate yet")
                        continue
                    place = alone if way == "only" else folder
                    problem = written or attempt(lambda: compare(read(place, bool(way))))
                    tally.add("tree", case, route, *(("failed", problem) if problem else ("ok",)))


def attempt(action):
    """What goes wrong in doing it, in words; None if nothing does."""
    try:
        return action()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def compare(nodes):
    return None if nodes == NODES else f"{nodes} instead of {NODES}"
