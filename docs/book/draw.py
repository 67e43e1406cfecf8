#!/usr/bin/env python3
"""Draws the pictures of the book and of README.md as SVG: from figures.json, which measure.py writes, and from the
tables of docs/performance.md. draw.py --check fails if a picture is stale."""
import json
import math
import pathlib
import re
import sys
from xml.sax.saxutils import escape

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
IMAGES = HERE / "src/images"
COLORS = ["#1b6ca8", "#d1603d", "#3a8f5c", "#8e5aa8", "#a8842c", "#555555"]
HEAD = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" '
        'font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="#ffffff"/>\n')


class Picture:
    def __init__(self, width, height):
        self.parts = [HEAD.format(w=width, h=height)]

    def text(self, x, y, text, anchor="start", fill="#222222", size=12, weight="normal", turn=0):
        turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}" font-size="{size}" '
                          f'font-weight="{weight}"{turned}>{escape(text)}</text>\n')

    def line(self, x1, y1, x2, y2, stroke="#cccccc", width=1, dash=""):
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" '
                          f'stroke-width="{width}"{dashed}/>\n')

    def rect(self, x, y, w, h, fill, stroke="none", width=1, opacity=1):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" fill="{fill}" '
                          f'stroke="{stroke}" stroke-width="{width}" fill-opacity="{opacity}"/>\n')

    def dot(self, x, y, fill):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}"/>\n')

    def path(self, points, stroke, dash=""):
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{joined}" fill="none" stroke="{stroke}" stroke-width="2"{dashed}/>\n')

    def end(self):
        return "".join(self.parts) + "</svg>\n"


def log_ticks(low, high):
    return [10.0**n for n in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


def number(value):
    return f"{value:g}"


def lines(title, below, left, xs, series, dashes=None):
    """Lines over a logarithmic scale; `series` is (name, values) for each of `xs`."""
    width, height, x0, y0, w, h = 720, 380, 64, 44, 450, 280
    p = Picture(width, height)
    p.text(x0, 24, title, size=14, weight="bold")
    values = [v for _, vs in series for v in vs]
    ticks = log_ticks(min(values), max(values))
    low, high = math.log10(ticks[0]), math.log10(ticks[-1])
    at_y = lambda v: y0 + h - (math.log10(v) - low) / (high - low) * h
    at_x = lambda n: x0 + 24 + n * (w - 48) / max(len(xs) - 1, 1)
    for tick in ticks:
        p.line(x0, at_y(tick), x0 + w, at_y(tick))
        p.text(x0 - 6, at_y(tick) + 4, number(tick), "end")
    for n, x in enumerate(xs):
        p.text(at_x(n), y0 + h + 18, x, "middle")
    p.text(x0 + w / 2, y0 + h + 42, below, "middle")
    p.text(16, y0 + h / 2, left, "middle", turn=-90)
    ends = []
    for n, (name, vs) in enumerate(series):
        points = [(at_x(i), at_y(v)) for i, v in enumerate(vs)]
        dash = (dashes or {}).get(name, "")
        p.path(points, COLORS[n % len(COLORS)] if not dash else COLORS[(n - len(series) // 2) % len(COLORS)], dash)
        ends.append([points[-1][1], name, n, dash])
    label(p, ends, x0 + w + 8, len(series) // 2 if dashes else 0)
    return p.end()


def label(p, ends, x, half):
    """Names at the ends of lines, moved apart where they would overlap."""
    ends.sort()
    for before, here in zip(ends, ends[1:]):
        here[0] = max(here[0], before[0] + 15)
    for y, name, n, dash in ends:
        p.text(x, y + 4, name, fill=COLORS[(n - half if dash else n) % len(COLORS)])


def chunk_lines(rows):
    jobs = ["whole array", "plane across", "20 boxes of 16³", "20 columns"]
    return lines("What a chunk's edge costs", "edge of the chunks (elements of float32; 64 is 1 MiB)",
                 "milliseconds", [str(r["edge"]) for r in rows], [(j, [r[j] for r in rows]) for j in jobs])


def shard_lines(chunk_rows, shard_rows):
    edges = [r["edge"] for r in shard_rows]
    plain = [next(r for r in chunk_rows if r["edge"] == e) for e in edges]
    jobs = ["files", "write", "20 boxes of 16³"]
    unit = {"files": "files", "write": "write (ms)", "20 boxes of 16³": "20 boxes of 16³ (ms)"}
    series = [(unit[j], [r[j] for r in plain]) for j in jobs]
    sharded = [(unit[j] + ", shards", [r[j] for r in shard_rows]) for j in jobs]
    return lines("The same chunks by themselves and in shards of 128³", "edge of the chunks", "files; milliseconds",
                 [str(e) for e in edges], series + sharded, {name: "5 4" for name, _ in sharded})


def codec_dots(rows):
    width, height, x0, y0, w, h = 760, 400, 64, 44, 600, 290
    p = Picture(width, height)
    p.text(x0, 24, "Codecs: size against speed", size=14, weight="bold")
    speeds = [r[k] for r in rows for k in ("encode", "decode")]
    low, high = math.log10(min(speeds) / 1.3), math.log10(max(speeds) * 1.6)
    top = max(r["ratio"] for r in rows) * 1.1
    at_x = lambda v: x0 + (math.log10(v) - low) / (high - low) * w
    at_y = lambda v: y0 + h - v / top * h
    for tick in (t * m for t in log_ticks(10**low, 10**high) for m in (1, 2, 5)):
        if low <= math.log10(tick) <= high:
            p.line(at_x(tick), y0, at_x(tick), y0 + h)
            p.text(at_x(tick), y0 + h + 18, number(tick), "middle")
    for tick in range(0, math.ceil(top)):
        p.line(x0, at_y(tick), x0 + w, at_y(tick))
        p.text(x0 - 6, at_y(tick) + 4, str(tick), "end")
    p.text(x0 + w / 2, y0 + h + 40, "GB of decoded elements per second and thread: encoding (left end), decoding (right end)", "middle")
    p.text(16, y0 + h / 2, "compression ratio", "middle", turn=-90)
    labels = []
    for n, r in enumerate(sorted(rows, key=lambda r: -r["ratio"])):
        color, y, end = COLORS[n % len(COLORS)], at_y(r["ratio"]), at_x(r["decode"])
        p.path([(at_x(r["encode"]), y), (end, y)], color)
        p.dot(at_x(r["encode"]), y, color)
        p.dot(end, y, color)
        label_y = max([y + 4, *(other + 13 for x, other in labels if abs(x - end) < 110 and other > y - 9)])
        labels.append((end, label_y))
        p.text(end + 9, label_y, r["codec"], fill=color)
    return p.end()


def array_picture():
    """An array of chunks, the files that hold them, and the box that a read selects."""
    p = Picture(760, 260)
    p.text(20, 24, "array: 4 x 6 chunks", weight="bold")
    touched = {(y, x) for y in (1, 2) for x in (1, 2, 3)}
    for y in range(4):
        for x in range(6):
            p.rect(20 + 44 * x, 40 + 44 * y, 42, 42, "#9cc4e4" if (y, x) in touched else "#e8eef3", "#ffffff")
    p.rect(20 + 44 * 1.4, 40 + 44 * 1.3, 44 * 2.2, 44 * 1.3, "#d1603d", "#d1603d", 2, 0.35)
    p.text(20 + 44 * 2.5, 40 + 44 * 2.05, "a read", "middle", "#7a2d14", weight="bold")
    p.text(330, 24, "store: a value a chunk", weight="bold")
    names = ["zarr.json", "c/1/1", "c/1/2", "c/1/3", "c/2/1", "c/2/2", "c/2/3", "c/0/0 ..."]
    for n, name in enumerate(names):
        p.rect(330, 40 + 22 * n, 110, 19, "#9cc4e4" if 0 < n < 7 else "#e8eef3")
        p.text(338, 54 + 22 * n, name)
    p.text(500, 24, "codecs, on every core", weight="bold")
    for n, name in enumerate(["crc32c: check", "zstd: decompress", "bytes: byte order"]):
        p.rect(500, 62 + 40 * n, 160, 28, "#f3e7d8", "#d9c2a0")
        p.text(580, 80 + 40 * n, name, "middle")
        p.line(580, 90 + 40 * n, 580, 102 + 40 * n, "#888888", 2)
    p.line(444, 130, 492, 130, "#888888", 2)
    p.path([(486, 125), (493, 130), (486, 135)], "#888888")
    p.rect(500, 182, 160, 34, "#d1603d", "#d1603d", 2, 0.35)
    p.text(580, 203, "the caller's memory", "middle", "#7a2d14", weight="bold")
    p.text(20, 244, "A read fetches and decodes only the chunks that its box touches, straight into the caller's memory.")
    return p.end()


def measured_rows(text):
    """name -> {library: milliseconds} of the table of results."""
    rows, head = {}, []
    for line in text.split("<!-- results: begin")[1].split("<!-- results: end")[0].splitlines():
        cells = [c.strip(" *") for c in line.strip().strip("|").split("|")]
        if line.startswith("| |"):
            head = cells[1:]
        elif line.startswith("| ") and head:
            rows[cells[0]] = {h: float(c) for h, c in zip(head, cells[1:]) if re.fullmatch(r"[\d.]+", c)}
    return rows


SHOWN = [("read_all zstd", "read all, zstd"), ("read_all blosc-lz4", "read all, Blosc"), ("read_all shards", "read all, shards"),
         ("read_chunks none", "read chunks, raw"), ("read_boxes blosc-lz4", "read boxes, Blosc"),
         ("read_points none", "read points, raw"), ("write_all zstd", "write all, zstd"), ("write_all gzip", "write all, gzip"),
         ("append frames", "append frames"), ("open small, 1000 times", "open an array")]
LIBRARIES = ["zarrc", "zarrs", "tensorstore", "zarr-python", "HDF5"]


def speed_bars(rows):
    """Times of the libraries, each relative to that of zarrc, on a logarithmic scale."""
    width, x0, y0, w, group = 760, 150, 56, 560, 58
    p = Picture(width, y0 + group * len(SHOWN) + 30)
    p.text(20, 24, "Time relative to zarrc (shorter is faster)", size=14, weight="bold")
    longest = max(ms[l] / ms["zarrc"] for name, _ in SHOWN for ms in [rows[name]] for l in LIBRARIES if l in ms)
    at = lambda ratio: x0 + math.log10(ratio / 0.1) / math.log10(longest * 1.15 / 0.1) * w
    for tick in (0.2, 0.5, 1, 2, 5, 10, 20, 50, 100):
        if tick <= longest * 1.1:
            p.line(at(tick), y0 - 8, at(tick), y0 + group * len(SHOWN) - 8)
            p.text(at(tick), y0 + group * len(SHOWN) + 10, f"{tick:g} x", "middle")
    for n, library in enumerate(LIBRARIES):
        p.rect(x0 + 110 * n, 34, 10, 10, COLORS[n])
        p.text(x0 + 110 * n + 15, 43, library)
    for g, (name, shown) in enumerate(SHOWN):
        p.text(x0 - 8, y0 + group * g + 28, shown, "end")
        for n, library in enumerate(LIBRARIES):
            if library in rows[name]:
                ratio = rows[name][library] / rows[name]["zarrc"]
                p.rect(x0, y0 + group * g + 10 * n, at(ratio) - x0, 9, COLORS[n])
    return p.end()


def pictures():
    made = {"array.svg": array_picture(),
            "speed.svg": speed_bars(measured_rows((ROOT / "docs/performance.md").read_text()))}
    figures = json.loads((HERE / "figures.json").read_text())
    made["chunks.svg"] = chunk_lines(figures["chunks"])
    made["shards.svg"] = shard_lines(figures["chunks"], figures["shards"])
    made["codecs.svg"] = codec_dots(figures["codecs"])
    return made


def main():
    stale = []
    IMAGES.mkdir(exist_ok=True)
    for name, text in pictures().items():
        path = IMAGES / name
        if "--check" in sys.argv:
            if not path.exists() or path.read_text() != text:
                stale.append(f"{path.relative_to(ROOT)} is stale: run docs/book/draw.py")
        else:
            path.write_text(text)
    print("\n".join(stale), end="\n" if stale else "")
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
