#!/usr/bin/env python3
"""docs/book/src/images/terminal.svg: the command at a terminal, as a moving picture.

    tools/recording.py COMMAND LIBRARY_DIRECTORY

Builds examples/climate.c, runs commands on its store, and has termtosvg (PyPI, in a venv of its own) draw what they
print. COMMAND is the zarrc command, for example target/release/zarrc; the directory has libzarrc.so.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs/book/src/images/terminal.svg"
COLUMNS, ROWS = 72, 27
COMMANDS = [
    "zarrc tree climate.zarr",
    "zarrc info climate.zarr tas | head -8",
    "zarrc cat climate.zarr 'tas[0, ::30, ::60]'",
    "zarrc verify climate.zarr",
    "zarrc plot climate.zarr 'tas[99]' --size 44",
]
PROMPT = "\x1b[32m$\x1b[0m "


def run(command, folder):
    """What a command prints on a terminal of that size."""
    line = f"stty cols {COLUMNS} rows {ROWS}; {command}"
    done = subprocess.run(["script", "-qec", line, "/dev/null"], cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    return done.stdout.decode()


def main():
    command, library = (Path(argument).resolve() for argument in sys.argv[1:3])
    os.environ.update(PATH=f"{command.parent}:{os.environ['PATH']}", TERM="xterm-256color")
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"-I{ROOT}/include", f"-L{library}", f"-Wl,-rpath,{library}"]
        subprocess.run(["cc", ROOT / "examples/climate.c", "-o", "climate", *paths, "-lzarrc", "-lm"], cwd=folder, check=True)
        subprocess.run(["./climate"], cwd=folder, check=True)
        seconds, events = 0.3, []
        for typed in COMMANDS:
            events.append([seconds, "o", PROMPT])
            for at in range(0, len(typed), 3):
                seconds += 0.1
                events.append([round(seconds, 2), "o", typed[at : at + 3]])
            seconds += 0.4
            events.append([round(seconds, 2), "o", "\r\n" + run(typed, folder)])
            seconds += 2
        events.append([round(seconds, 2), "o", PROMPT])
        events.append([round(seconds + 4, 2), "o", " "])
        lines = [{"version": 2, "width": COLUMNS, "height": ROWS}, *events]
        cast = Path(folder, "session.cast")
        cast.write_text("".join(json.dumps(line) + "\n" for line in lines))
        venv = Path(folder, "venv")
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        # termtosvg asks setuptools for its templates
        subprocess.run([venv / "bin/pip", "install", "-q", "termtosvg", "setuptools<80"], check=True)
        subprocess.run([venv / "bin/termtosvg", "render", cast, PICTURE, "-t", "window_frame"], check=True)


if __name__ == "__main__":
    main()
