#!/usr/bin/env python3
"""Builds a wheel of the package with a library inside: make_wheel.py LIBRARY [FOLDER [PLATFORM]]. The wheel works with
every Python 3 of the platform, by default this machine's. tools/wheels.sh builds those of a release."""

import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path


def main():
    library, folder = Path(sys.argv[1]), Path(sys.argv[2] if len(sys.argv) > 2 else "dist").resolve()
    name = {"darwin": "libzarrc.dylib", "win32": "zarrc.dll"}.get(sys.platform, "libzarrc.so")
    with tempfile.TemporaryDirectory() as work:
        here = Path(work, "python")
        shutil.copytree(Path(__file__).parent, here, ignore=shutil.ignore_patterns("dist", "__pycache__", "tests"))
        shutil.copyfile(library, here / "zarrc" / name)
        for licence in Path(__file__).parents[2].glob("LICENSE-*"):
            shutil.copy(licence, here)
        platform = sys.argv[3] if len(sys.argv) > 3 else sysconfig.get_platform().replace("-", "_").replace(".", "_")
        (here / "setup.cfg").write_text(f"[bdist_wheel]\npython_tag = py3\nplat_name = {platform}\n")
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), str(here)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    print(*folder.glob("zarrc-*.whl"))


if __name__ == "__main__":
    main()
