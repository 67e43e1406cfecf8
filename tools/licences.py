#!/usr/bin/env python3
"""LICENSE-BUNDLED: the licences and notices of all that the library and the command have inside.

    tools/licences.py           says what is stale, and fails if anything is
    tools/licences.py --write   writes it anew

Which crates there are says cargo, from Cargo.lock, for every feature on Linux; their texts lie in their
packages, those of the C code in them too. What a package cannot tell (Rust's own library) is in
tools/licences.in.
"""
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "LICENSE-BUNDLED"
MACHINE = "x86_64-unknown-linux-gnu"
NAMES = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)", re.I)
NOT_TEXT = {".rs", ".py", ".toml", ".json", ".yml", ".yaml", ".c", ".h", ".html", ".sh", ".hpp", ".in", ".spdx"}
# folders of a package that are not compiled into the library
ELSEWHERE = {"tests", "test", "examples", "benches", "contrib", "doc", "docs", "programs", "build", "doxygen", ".github",
             "fuzz", "tools", "extra", "po", "windows", "dos", "debug", "po4a", "config", "m4"}


def cargo(*arguments):
    run = subprocess.run(["cargo", *arguments, "--locked"], cwd=ROOT, check=True, stdout=subprocess.PIPE)
    return run.stdout.decode()


def linked(*flags):
    """The packages that are linked in: what zarrc depends on, but for what only builds or expands macros. The flags are
    of cargo tree."""
    tree = cargo("tree", "--edges", "normal,no-proc-macro", "--target", MACHINE, "--prefix", "none", "--format", "{p}", *flags)
    names = {tuple(line.split()[:2]) for line in tree.splitlines() if line and "(/" not in line}
    metadata = json.loads(cargo("metadata", "--all-features", "--format-version", "1", "--filter-platform", MACHINE))
    packages = [p for p in metadata["packages"] if (p["name"], "v" + p["version"]) in names]
    assert len(packages) == len(names), "cargo tree and cargo metadata differ"
    return sorted(packages, key=lambda p: (p["name"], p["version"]))


def version():
    return re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]


def texts(package):
    """The licence files of a package; of several licences to choose from, that of MIT if it is one."""
    folder = Path(package["manifest_path"]).parent
    found = []
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if not path.is_file() or len(inside.parts) > 4 or ELSEWHERE & {p.lower() for p in inside.parts[:-1]}:
            continue
        if NAMES.search(path.name) and path.suffix.lower() not in NOT_TEXT:
            found.append(inside)
    top = [f for f in found if len(f.parts) == 1]
    mit = [f for f in top if "mit" in f.name.lower()]
    if mit and "OR" in (package["license"] or "").replace("/", " OR "):
        found = mit + [f for f in found if f not in top or "notice" in f.name.lower()]
    read = [(str(f), (folder / f).read_text(errors="replace")) for f in found]
    # that of scripts and programs beside the libraries of xz and zstd, which are not built
    return [(name, text) for name, text in read if not re.match(r"\s*GNU (LESSER )?GENERAL PUBLIC", text)]


def split(text):
    """The copyright lines of a licence, and the rest."""
    notices, rest = [], []
    for line in text.replace("\r", "").splitlines():
        bare = line.strip().strip("*#").strip()
        if re.match(r"(copyright|\(c\)|©)", bare, re.I) and re.search(r"\d{4}|\(c\)|©| by |authors|contributors", bare, re.I) \
                and "notice" not in bare.lower() and "holder" not in bare.lower() and "license" not in bare.lower():
            notices.append(bare)
        else:
            rest.append(line.rstrip())
    body = re.sub(r"\n{3,}", "\n\n", "\n".join(rest)).strip()
    return notices, body


def key(body):
    words = re.sub(r"[^a-z0-9]+", " ", body.lower()).strip()
    words = re.sub(r"^(the )?mit license( mit)? ", "", words)
    return re.sub(r"^all rights reserved ", "", words)


def document():
    groups = defaultdict(lambda: [None, defaultdict(set)])  # text -> its first spelling, notice -> packages
    without = []
    packages = linked("--package", "zarrc", "--all-features") + linked("--package", "zarrc-cli")
    for package in {(p["name"], p["version"]): p for p in packages}.values():
        name = f"{package['name']} {package['version']}"
        files = texts(package)
        if not files:
            authors = ", ".join(package["authors"]) or "its authors"
            without.append(f"{name}: {package['license']}; Copyright (c) {authors}")
        for where, text in files:
            notices, body = split(text)
            if "Apache License" in body and "END OF TERMS AND CONDITIONS" in body:
                notices, body = notices, "The Apache License, Version 2.0, as in LICENSE-APACHE."
            label = name if "/" not in where else f"{name} ({where})"
            group = groups[key(body)]
            group[0] = group[0] or body
            for notice in notices or [""]:
                group[1][notice].add(label)
    out = [(ROOT / "tools/licences.in").read_text().rstrip(), ""]
    for body, notices in sorted(groups.values(), key=lambda g: (-len(g[1]), g[0])):
        out += ["=" * 78, ""]
        for notice in sorted(notices, key=lambda n: (n == "", n.lower())):
            packages = ", ".join(sorted(notices[notice]))
            out.append(f"{packages}: {notice}" if notice else packages)
        out += ["", body, ""]
    if without:
        out += ["=" * 78, "", "Packages without a licence's text, under those that they name:", "", *without, ""]
    return "\n".join(out)


def main():
    text = document()
    if "--write" in sys.argv[1:]:
        TARGET.write_text(text)
    elif not TARGET.exists() or TARGET.read_text() != text:
        sys.exit("LICENSE-BUNDLED is not what Cargo.lock says: run tools/licences.py --write")


if __name__ == "__main__":
    main()
