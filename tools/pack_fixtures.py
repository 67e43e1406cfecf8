#!/usr/bin/env python3
"""Packs a folder of fixture stores into tests/data.

    tools/pack_fixtures.py SOURCE

SOURCE holds `manifest.json` (one object per case) and the stores and expected values that
it names. Writes tests/data/fixtures.tar.zst (every file, byte for byte; names sorted, times and
owners zeroed, so that the same input gives the same archive) and tests/data/fixtures.json
(the manifest, one case per line, without the members that no test reads). Needs the zstd program.
"""
import io
import json
import os
import subprocess
import sys
import tarfile

KEPT = (
    "id kind producer format store_type store array document chunk_prefix tags shape dtype expected expected_view "
    "expected_spec compare_region attributes must_pass_leniently open_consolidated ambiguous reason stage notes"
).split()
# Left out where they say nothing. `attributes: null` (not asserted) and `{}` (none) differ, so `{}` stays.
EMPTY = (None, "", [], False)


def trimmed(case):
    always = ("array", "shape")
    return {k: case[k] for k in KEPT if k in case and (k in always or case[k] not in EMPTY)}


def files_of(source, tops):
    for top in sorted(tops):
        for folder, folders, files in os.walk(os.path.join(source, top)):
            folders.sort()
            for name in [""] + sorted(files):
                yield os.path.join(folder, name).rstrip("/")


def main(source):
    data = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "data")
    os.makedirs(data, exist_ok=True)
    with open(os.path.join(source, "manifest.json"), encoding="utf-8") as f:
        cases = json.load(f)
    lines = (json.dumps(trimmed(c), ensure_ascii=False, separators=(",", ":")) for c in cases)
    with open(os.path.join(data, "fixtures.json"), "w", encoding="utf-8") as f:
        f.write("[\n" + ",\n".join(lines) + "\n]\n")

    tops = {c[member].split("/")[0] for c in cases for member in ("store", "expected") if c.get(member)}
    packed, count = io.BytesIO(), 0
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path in files_of(source, tops):
            entry = tar.gettarinfo(path, os.path.relpath(path, source))
            if not (entry.isreg() or entry.isdir()):
                raise SystemExit(f"{path}: only files and folders can be packed")
            entry.type = tarfile.DIRTYPE if entry.isdir() else tarfile.REGTYPE  # no hard links
            entry.size = os.path.getsize(path) if entry.isreg() else 0
            entry.mtime = entry.uid = entry.gid = 0
            entry.uname = entry.gname = ""
            entry.mode = 0o755 if entry.isdir() else 0o644
            if entry.isreg():
                with open(path, "rb") as f:
                    tar.addfile(entry, f)
                count += 1
            else:
                tar.addfile(entry)
    archive = os.path.join(data, "fixtures.tar.zst")
    with open(archive, "wb") as f:
        subprocess.run(["zstd", "--ultra", "-22", "--long=27", "-c"], input=packed.getvalue(), stdout=f, check=True)
    print(f"{len(cases)} cases, {count} files: {len(packed.getvalue())} bytes as tar, {os.path.getsize(archive)} packed")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
