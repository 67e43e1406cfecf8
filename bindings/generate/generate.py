#!/usr/bin/env python3
"""Writes what the bindings have in common from include/zarrc.h; `--check`: fails if a file is stale.

Also fails if a language's own layer uses no C function of some name: bindings/lacking.txt lists those
that it need not use, and may only shrink.
"""

import json
import re
import sys
from pathlib import Path

import emit
import header

ROOT = Path(__file__).resolve().parents[2]
BINDINGS = ROOT / "bindings"

# What each language's users see is written by hand, here (zarrc.f90 from its template).
SOURCES = {
    "cpp": ["cpp/*.hpp"],
    "fortran": ["fortran/zarrc.f90"],
    "go": ["go/*.go", "go/*.c"],
    "julia": ["julia/Zarrc/src/*.jl"],
    "python": ["python/zarrc/*.py"],
}


def outputs(api):
    yield BINDINGS / "api.json", json.dumps(api, indent=1, ensure_ascii=False) + "\n"
    yield from ((BINDINGS / name, text) for name, text in emit.all(api, BINDINGS))


def uses(api, generated):
    """For each language the C functions that its own layer does not use."""
    for language, patterns in SOURCES.items():
        files = [path for pattern in patterns for path in BINDINGS.glob(pattern) if path not in generated or path.name == "zarrc.f90"]
        text = "\n".join(path.read_text() for path in files if not path.name.endswith("_test.go"))
        words = set(re.findall(r"\bzarrc_\w+", text))
        for function in api["functions"]:
            if function["name"] not in words:
                yield f"{language} {function['name']}"


def main():
    api = header.read(ROOT / "include/zarrc.h")
    check = "--check" in sys.argv
    problems = []
    generated = set()
    for path, text in outputs(api):
        generated.add(path)
        if check:
            if not path.exists() or path.read_text() != text:
                problems.append(f"{path.relative_to(ROOT)} is stale: run bindings/generate/generate.py")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if check:
        lines = (BINDINGS / "lacking.txt").read_text().splitlines()
        allowed = {" ".join(line.split()[:2]) for line in lines if line and not line.startswith("#")}
        missing = set(uses(api, generated))
        problems += [f"{entry}: not used by that language's binding" for entry in sorted(missing - allowed)]
        problems += [f"{entry}: is used or gone; take it out of bindings/lacking.txt" for entry in sorted(allowed - missing)]
    print("\n".join(problems) or f"{len(api['functions'])} functions, {len(generated)} files")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
