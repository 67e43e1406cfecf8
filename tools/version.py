#!/usr/bin/env python3
"""The version and the publisher, in every file that names them.

    tools/version.py           fails if a file names others than Cargo.toml and packaging/publisher do
    tools/version.py 0.3.0     gives every file a new version; then run the two commands that it prints
    tools/version.py --write   gives every file the version of Cargo.toml and the publisher
"""
import datetime
import email.utils
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def publisher():
    lines = (ROOT / "packaging/publisher").read_text().splitlines()
    return dict(line.split(" = ", 1) for line in lines if " = " in line and not line.startswith("#"))


def version():
    return re.search(r'^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.M)[1]


def lines(version):
    """For each file: patterns of whole lines, and how the line is to be."""
    abi = version.rsplit(".", 1)[0]
    who = publisher()
    manifest = (r'^version = ".*"$', f'version = "{version}"')
    yield "cli/Cargo.toml", [manifest]
    yield "bindings/fortran/fpm.toml", [manifest]
    yield "bindings/julia/Zarrc/Project.toml", [manifest]
    yield "README.md", [(r"^find_package\(zarrc \S+ CONFIG REQUIRED\)$", f"find_package(zarrc {abi} CONFIG REQUIRED)")]
    yield "CITATION.cff", [(r"^version: .*$", f"version: {version}"), (r"^url: .*$", f"url: {who['homepage']}"),
                           (r"^repository-code: .*$", f"repository-code: {who['repository']}")]
    yield "debian/control", [(r"^Package: libzarrc[0-9.]+$", f"Package: libzarrc{abi}"),
                             (r"^Depends: libzarrc[0-9.]+ \(", f"Depends: libzarrc{abi} ("),
                             (r"^Maintainer: .*$", f"Maintainer: {who['contact']}"),
                             (r"^Homepage: .*$", f"Homepage: {who['homepage']}")]
    yield "debian/changelog", [(r"\A.*$", f"zarrc ({version}) unstable; urgency=medium"),
                               (r"^ -- .*>  ", f" -- {who['contact']}>  ".replace(">>", ">"))]


def stale(version, write):
    found = []
    for name, patterns in lines(version):
        path = ROOT / name
        old = new = path.read_text()
        for pattern, line in patterns:
            new, count = re.subn(pattern, line, new, count=1, flags=re.M)
            if not count:
                sys.exit(f"{name} has no line {pattern}")
        if new != old:
            found.append(name)
            if write:
                path.write_text(new)
    files = list((ROOT / "debian").glob("libzarrc[0-9]*.install"))
    wanted = ROOT / f"debian/libzarrc{version.rsplit('.', 1)[0]}.install"
    if files != [wanted]:
        found.append(str(files[0].relative_to(ROOT)))
        if write:
            files[0].rename(wanted)
    return found


def raise_to(new):
    old = version()
    manifest = ROOT / "Cargo.toml"
    manifest.write_text(manifest.read_text().replace(f'version = "{old}"', f'version = "{new}"', 1))
    log = ROOT / "debian/changelog"
    if not log.read_text().startswith(f"zarrc ({new})"):
        entry = re.match(r"(.*?^ -- .*?>  ).*?\n", log.read_text(), re.M | re.S)[1]
        log.write_text(f"{entry}{email.utils.format_datetime(datetime.datetime.now(datetime.timezone.utc))}\n\n{log.read_text()}")
    changes = ROOT / "CHANGELOG.md"
    changes.write_text(changes.read_text().replace("## Unreleased\n", f"## {new}\n", 1))
    citation = ROOT / "CITATION.cff"
    citation.write_text(re.sub(r"^date-released: .*$", f"date-released: {datetime.date.today()}", citation.read_text(), flags=re.M))
    stale(new, True)
    subprocess.run(["cargo", "update", "--workspace", "--offline", "--quiet"], cwd=ROOT, check=True)
    print("ZARRC_HEADER=write cargo test --package zarrc-source\npython3 bindings/generate/generate.py")


def main():
    argument = sys.argv[1] if len(sys.argv) > 1 else ""
    if re.fullmatch(r"\d+\.\d+\.\d+", argument):
        return raise_to(argument)
    found = stale(version(), argument == "--write")
    if found and argument != "--write":
        sys.exit(f"not of version {version()} or of packaging/publisher: {', '.join(found)}; run tools/version.py --write")


if __name__ == "__main__":
    main()
