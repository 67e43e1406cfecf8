"""Writes icechunk/: repositories of both formats by icechunk-python, and what zarr-python reads there.

    python3.12 -m venv v && v/bin/pip install icechunk==2.3.0 zarr==3.4.2
    cd tests/data && ../../v/bin/python icechunk.py

Each of icechunk/1 and icechunk/2 is a repository of that format; icechunk/expected.json has, for each of those and each
reference to a version (branch.NAME, tag.NAME or a snapshot), the attributes of the root and the elements of each array.
"""

import json
import os
import shutil
import sys

sys.path.pop(0)  # this file has the package's name
import icechunk
import numpy as np
import zarr

HERE = "icechunk"


def commit(repository, message, change, branch="main"):
    session = repository.writable_session(branch)
    change(session, zarr.open_group(session.store))
    return session.commit(message)


def first(session, root):
    root.attrs["title"] = "ü"
    root.create_array("a", shape=(6, 10), chunks=(3, 5), dtype="i4", fill_value=-1)[:4] = np.arange(40).reshape(4, 10)
    root.create_array("g/large", shape=(300,), chunks=(150,), dtype="f4", compressors=None)[:] = np.arange(300) / 8
    shards = root.create_array("shards", shape=(8, 8), chunks=(2, 2), shards=(4, 8), dtype="u2", fill_value=9)
    shards[2:5, 1:] = np.arange(21).reshape(3, 7)


def second(session, root):
    root["a"][4:] = -np.arange(20).reshape(2, 10)
    root["g/large"].resize((400,))
    root.create_array("s", shape=(), dtype="f8")[...] = 0.5


def gone(session, root):
    del root["shards"]


def move(repository):
    """Only format 2 can."""
    session = repository.rearrange_session("other")
    session.move("/g/large", "/g/moved")
    session.commit("moved")


def arrays(group):
    return {name: node[...].tolist() for name, node in group.members(max_depth=None) if isinstance(node, zarr.Array)}


def main():
    shutil.rmtree(HERE, ignore_errors=True)
    expected = {}
    for number in (1, 2):
        storage = icechunk.local_filesystem_storage(os.path.abspath(f"{HERE}/{number}"))
        repository = icechunk.Repository.create(storage, spec_version=number)
        start = commit(repository, "first", first)
        repository.create_tag("v1", start)
        repository.create_branch("other", start)
        middle = commit(repository, "second", second)
        commit(repository, "gone", gone)
        if number == 2:
            move(repository)
        expected[number] = {}
        for reference, version in [("branch.main", {"branch": "main"}), ("branch.other", {"branch": "other"}),
                                   ("tag.v1", {"tag": "v1"}), (middle, {"snapshot_id": middle})]:
            root = zarr.open_group(repository.readonly_session(**version).store, mode="r")
            expected[number][reference] = {"attributes": dict(root.attrs), "arrays": arrays(root)}
        shutil.rmtree(f"{HERE}/{number}/overwritten", ignore_errors=True)  # old states, for people
    with open(f"{HERE}/expected.json", "w", encoding="utf-8") as file:
        json.dump(expected, file, ensure_ascii=False, sort_keys=True)


main()
