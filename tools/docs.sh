#!/bin/sh
# The manual of the C interface, and that of the Rust modules: make docs. A warning is an error.
set -eu
cd "$(dirname "$0")/.."
DOXYGEN_OUTPUT=${BUILD:-build}/docs
export DOXYGEN_OUTPUT
mkdir -p "$DOXYGEN_OUTPUT"
doxygen docs/Doxyfile
RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --lib --all-features
echo "C: $DOXYGEN_OUTPUT/html/index.html, Rust: ${CARGO_TARGET_DIR:-target}/doc/zarrc/index.html"
