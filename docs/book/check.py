#!/usr/bin/env python3
"""Checks the book: check.py [FOLDER]. Every name of C in its sources is in the headers, and README.md's figures are
those of docs/performance.md; with the folder of the book that was built, every link inside it leads somewhere."""
import html.parser
import pathlib
import re
import sys
import urllib.parse

import draw

BOOK = pathlib.Path(__file__).resolve().parent
ROOT = BOOK.parent.parent
HEADERS = ["include/zarrc.h", "mpi/zarrc_mpi.h", "bindings/netcdf/zarrc_netcdf.h"]


def unknown_names():
    known = set(re.findall(r"\b(?:zarrc|ZARRC)_\w+", "".join((ROOT / h).read_text() for h in HEADERS)))
    for page in sorted((BOOK / "src").glob("*.md")):
        for name in set(re.findall(r"\b(?:zarrc|ZARRC)_\w+\b", page.read_text())):
            if name not in known and not name.endswith("_") and name != "ZARRC_LIBRARY":
                yield f"{page.relative_to(ROOT)}: {name} is in no header"


def stale_figures():
    """Rows of README.md's table of speed that docs/performance.md does not have like that."""
    measured = {name: {library: ms for library, ms in row.items()}
                for name, row in draw.measured_rows((ROOT / "docs/performance.md").read_text()).items()}
    table = (ROOT / "README.md").read_text().split("| | zarrc | zarrs | tensorstore | zarr-python | HDF5 |\n")[1]
    for line in table.split("\n\n")[0].splitlines()[1:]:
        name, *cells = [c.strip(" `") for c in line.strip("|").split("|")]
        for library, cell in zip(["zarrc", "zarrs", "tensorstore", "zarr-python", "HDF5"], cells):
            if measured.get(name, {}).get(library) != (None if cell == "–" else float(cell)):
                yield f"README.md: {name}, {library}: {cell} is not the figure of docs/performance.md"


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = set()

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if value and ((name == "href" and tag == "a") or (name == "src" and tag == "img")):
                self.found.add(value)


def broken_links(folder):
    for page in sorted(folder.glob("*.html")):
        links = Links()
        links.feed(page.read_text())
        for link in sorted(links.found):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc or not parts.path:
                continue
            if not (page.parent / urllib.parse.unquote(parts.path)).exists():
                yield f"{page.name}: {link} leads nowhere"


def main():
    problems = [*unknown_names(), *stale_figures(), *(broken_links(pathlib.Path(sys.argv[1])) if len(sys.argv) > 1 else [])]
    print("\n".join(problems), end="\n" if problems else "")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
