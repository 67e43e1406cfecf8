#!/bin/sh
# The book, with the manuals of C and Rust inside: make docs. A warning is an error. `docs.sh found`: the
# book only if mdbook is found, which is compiled otherwise.
set -eu
cd "$(dirname "$0")/.."
build=$(mkdir -p "${BUILD:-build}" && cd "${BUILD:-build}" && pwd)
book=$build/docs/book
mdbook_version=0.4.52

python3 docs/book/draw.py --check
python3 docs/book/check.py

DOXYGEN_OUTPUT=$build/docs/c
export DOXYGEN_OUTPUT
mkdir -p "$DOXYGEN_OUTPUT"
doxygen docs/Doxyfile
RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --lib --all-features

PATH="$build/tools/bin:$PATH"
if ! command -v mdbook > /dev/null; then
    if [ "${1:-}" = found ]; then
        echo "C: $DOXYGEN_OUTPUT/html/index.html; the book is not built: mdbook is missing"
        exit 0
    fi
    cargo install mdbook --locked --version "$mdbook_version" --no-default-features --features search \
        --root "$build/tools" --target-dir "$build/tools/target"
fi
mdbook build docs/book -d "$book" 2> "$build/docs/mdbook.log" || { cat "$build/docs/mdbook.log"; exit 1; }
if grep -E "WARN|ERROR" "$build/docs/mdbook.log"; then
    exit 1
fi
rm -rf "$book/c" "$book/rust"
cp -r "$DOXYGEN_OUTPUT/html" "$book/c"
cp -r "${CARGO_TARGET_DIR:-target}/doc" "$book/rust"
python3 docs/book/check.py "$book"
echo "the book: $book/index.html"
