#!/usr/bin/env python3
"""Fills in the recipes of packaging/ for a release: recipes.py SOURCE-TARBALL FOLDER."""
import hashlib
import re
import sys
from pathlib import Path

import version


def main():
    tarball, folder = map(Path, sys.argv[1:])
    content, who, number = tarball.read_bytes(), version.publisher(), version.version()
    values = {
        "VERSION": number,
        "ABI": number.rsplit(".", 1)[0],
        "SOURCE": f"{who['repository']}/releases/download/v{number}/{tarball.name}",
        "SHA256": hashlib.sha256(content).hexdigest(),
        "SHA512": hashlib.sha512(content).hexdigest(),
        "HOMEPAGE": who["homepage"],
        "REPOSITORY": who["repository"],
    }
    for recipe in sorted((version.ROOT / "packaging").glob("*/*.in")):
        to = folder / recipe.parent.name / recipe.stem
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(re.sub(r"@([A-Z0-9]+)@", lambda found: values[found[1]], recipe.read_text()))
    (folder / "nix/Cargo.lock").write_text((version.ROOT / "Cargo.lock").read_text())


if __name__ == "__main__":
    main()
