#!/usr/bin/env python3
"""Encoding and decoding, beside numcodecs: the same data, in the same run, one thread each.

    benches/codecs_table.py [--doc docs/performance.md] [WORD…]    only the codecs whose names have a word in them

zarrc is benches/codec_speed, which calls the library behind each codec alone as well, numcodecs the Python
package (pip install numcodecs zfpy pcodec). Both get chunks of 1 MiB from this script and say how long the best of some repetitions took; they take
turns, so that both see the same machine. Data: a smooth float32 field rounded to 15 bits of mantissa.
"""
import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import warnings
from datetime import date
from pathlib import Path

import numpy as np

warnings.simplefilter("ignore")
HERE = Path(__file__).resolve().parent
BEGIN, END = "<!-- codecs: begin (benches/codecs_table.py --doc) -->", "<!-- codecs: end -->"
BYTES = {"name": "bytes", "configuration": {"endian": "little"}}

# name in the table: (numcodecs configuration, codec of zarrc, whether it is from array to bytes)
CODECS = {
    "zstd 1": ({"id": "zstd", "level": 1}, ("zstd", {"level": 1})),
    "zstd 3": ({"id": "zstd", "level": 3}, ("zstd", {"level": 3})),
    "gzip 5": ({"id": "gzip", "level": 5}, ("gzip", {"level": 5})),
    "zlib 1": ({"id": "zlib", "level": 1}, ("zlib", {"level": 1})),
    "lz4": ({"id": "lz4", "acceleration": 1}, ("lz4", {"acceleration": 1})),
    "bz2 1": ({"id": "bz2", "level": 1}, ("bz2", {"level": 1})),
    "bz2 9": ({"id": "bz2", "level": 9}, ("bz2", {"level": 9})),
    "lzma 1": ({"id": "lzma", "preset": 1}, ("lzma", {"preset": 1})),
    "lzma 6": ({"id": "lzma", "preset": 6}, ("lzma", {"preset": 6})),
    "blosc lz4, shuffle": (
        {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1},
        ("blosc", {"cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 4, "blocksize": 0}),
    ),
    "blosc zstd, bitshuffle": (
        {"id": "blosc", "cname": "zstd", "clevel": 5, "shuffle": 2},
        ("blosc", {"cname": "zstd", "clevel": 5, "shuffle": "bitshuffle", "typesize": 4, "blocksize": 0}),
    ),
    "zfpy, tolerance 0.01": ({"id": "zfpy", "mode": 4, "tolerance": 0.01}, ("zfpy", {"mode": 4, "tolerance": 0.01})),
    "zfpy, 16 bits": ({"id": "zfpy", "mode": 2, "rate": 16}, ("zfpy", {"mode": 2, "rate": 16})),
    "pcodec 8": ({"id": "pcodec", "level": 8}, ("pcodec", {"level": 8})),
    "shuffle": ({"id": "shuffle", "elementsize": 4}, ("shuffle", {"elementsize": 4})),
    "base64": ({"id": "base64"}, ("base64", {})),
    "crc32": ({"id": "crc32"}, ("crc32", {})),
    "crc32c": ({"id": "crc32c"}, ("crc32c", {})),
    "adler32": ({"id": "adler32"}, ("adler32", {})),
    "fletcher32": ({"id": "fletcher32"}, ("fletcher32", {})),
    "jenkins_lookup3": ({"id": "jenkins_lookup3"}, ("jenkins_lookup3", {})),
}
ARRAY_TO_BYTES = ("zfpy", "pcodec")
SHAPE = (64, 64, 64)
SECONDS = 0.15  # of repetitions, at least, each time it is somebody's turn
TURNS = 3


def smooth():
    z, y, x = np.meshgrid(*(np.arange(n) for n in SHAPE), indexing="ij")
    field = 280 + 10 * np.sin(z / 41) * np.sin(y / 37) * np.cos(x / 53)
    field += 0.05 * np.random.default_rng(7).normal(size=SHAPE)
    bits = field.astype("<f4").view("<u4")
    return ((bits + 0x80) & ~np.uint32(0xFF)).view("<f4")


def best(work):
    fastest, begin = float("inf"), time.perf_counter()
    while time.perf_counter() - begin < SECONDS:
        t = time.perf_counter()
        work()
        fastest = min(fastest, time.perf_counter() - t)
    return fastest


class Zarrc:
    """One process for all: a line of JSON asks, a line of JSON answers."""

    def __init__(self, chunk):
        self.file = tempfile.NamedTemporaryFile()
        chunk.tofile(self.file.name)
        build = ["cargo", "bench", "--locked", "--no-run", "--bench", "codec_speed", "--message-format=json"]
        messages = subprocess.run(build, cwd=HERE.parent, check=True, stdout=subprocess.PIPE, text=True).stdout
        program = [m["executable"] for m in map(json.loads, messages.splitlines()) if m.get("executable")][-1]
        arguments = [program, self.file.name, *map(str, chunk.shape)]
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, codecs):
        self.process.stdin.write(json.dumps({"codecs": codecs, "seconds": SECONDS}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--doc")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    try:
        import numcodecs
    except ImportError:
        sys.exit("numcodecs is not installed: pip install numcodecs zfpy==1.0.1 pcodec google-crc32c")
    numcodecs.blosc.set_nthreads(1)
    chunk = smooth()
    zarrc = Zarrc(chunk)
    rows = []
    for name, (configuration, (codec, parameters)) in CODECS.items():
        if options.words and not any(word in name for word in options.words):
            continue
        own = {"name": codec, "configuration": parameters}
        codecs = [own] if codec in ARRAY_TO_BYTES else [BYTES, own]
        try:
            other = numcodecs.get_codec(dict(configuration))
        except ValueError as e:
            print(f"{name}: numcodecs: {e}", file=sys.stderr)
            other = None
        times = {(who, way): [] for way in ("encode", "decode") for who in ("zarrc", "library", "numcodecs")}
        for _ in range(TURNS):
            answer = zarrc(codecs)
            for way, alone in zip(("encode", "decode"), answer["library"]):
                times["zarrc", way].append(answer[way])
                if alone:
                    times["library", way].append(alone)
            if other:
                encoded = other.encode(chunk)
                out = np.empty_like(chunk).reshape(-1)  # some write to one dimension only
                times["numcodecs", "encode"].append(best(lambda: other.encode(chunk)))
                times["numcodecs", "decode"].append(best(lambda: other.decode(encoded, out)))
        speed = {key: chunk.nbytes / min(t) / 1e9 for key, t in times.items() if t}
        cells = [name, f"{chunk.nbytes / answer['length']:.2f}"]
        for way in ("encode", "decode"):
            own = speed["zarrc", way]
            cells.append(f"{own:.3g}")
            for who in ("library", "numcodecs"):
                there = speed.get((who, way))
                cells += [f"{there:.3g}", f"{own / there:.2f}"] if there else ["–", "–"]
        rows.append(f"| {' | '.join(cells)} |")
        print(rows[-1], flush=True)
    with open("/proc/cpuinfo") as cpuinfo:
        cpu = next((line.split(":")[1].strip() for line in cpuinfo if line.startswith("model name")), platform.machine())
    text = "\n".join([
        f"{date.today()}, {cpu}, load {os.getloadavg()[0]:.1f}; numcodecs {numcodecs.__version__}. GB/s of decoded bytes.",
        "",
        "| codec | ratio | encode: zarrc | library | zarrc / it | numcodecs | zarrc / it "
        "| decode: zarrc | library | zarrc / it | numcodecs | zarrc / it |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
        *rows,
    ])  # fmt: skip
    if options.doc:
        document = Path(options.doc)
        before, rest = document.read_text().split(BEGIN)
        after = rest.split(END)[1]
        document.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


if __name__ == "__main__":
    main()
