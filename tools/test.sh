#!/bin/sh
# Everything that must hold, step by step: `make test`. A step that fails does not stop the others,
# but fails the whole. BUILD and CARGO_TARGET_DIR say where things are built. ALL_FEATURES=ON: the C
# library has every feature too, and values are exchanged by every store. BUILD_TYPE=Release: the C tests
# have the library as it is released.
set -u
cd "$(dirname "$0")/.." || exit 1
PATH="$PATH:$HOME/.cargo/bin"
export PATH
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
# what is built once takes no notes for a second time: less disk, less time
export CARGO_INCREMENTAL=0
build=${BUILD:-build}
jobs=$(nproc 2> /dev/null || echo 2)
summary=""
failed=0

step() { # step NAME COMMAND...
    name=$1
    shift
    printf '\n==== %s\n\n' "$name"
    began=$(date +%s)
    if "$@"; then
        result=ok
    else
        result=FAILED
        failed=1
    fi
    line=$(printf '%-6s  %4d s  %s' "$result" $(($(date +%s) - began)) "$name")
    summary="$summary$line
"
}

# Debug: what cargo has built for its tests serves for the most part, and is checked for overflow.
configure_and_build() {
    cmake -S . -B "$build/test" -DCMAKE_BUILD_TYPE="${BUILD_TYPE:-Debug}" -DZARRC_ALL_FEATURES="${ALL_FEATURES:-OFF}" -DZARRC_CARGO_TARGET_DIR="$CARGO_TARGET_DIR" &&
        cmake --build "$build/test" --parallel "$jobs"
}
c_tests() {
    ctest --test-dir "$build/test" --output-on-failure --parallel "$jobs" --no-tests=error
}
demo() {
    "$build/test/examples/heat" "$build/heat.zarr"
}

interop() {
    ZARRC_LIB="$(cd "$build/test" && pwd)/libzarrc.so" tools/servers.sh run tests/interop/run.sh
}

selections() {
    ZARRC_LIB="$(cd "$build/test" && pwd)/libzarrc.so" .venv-interop/zarr3/bin/python tests/selections/run.py
}

# without Chromium, the test of the page is skipped and says so
command_line() {
    ZARRC_PYTHON="$PWD/.venv-interop/zarr3/bin/python" cargo test --locked --package zarrc-cli
}

# which stores across a network are not tried here, in lines that the summary repeats
not_tried=$(tools/servers.sh install)
printf '%s\n' "$not_tried"

sources() {
    cargo test --locked --package zarrc-source && tools/licences.py && tools/version.py
}

step "rustfmt" cargo fmt --all --check
step "The source: header, layers, README, licences, version" sources
step "clippy" cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
step "The manuals and the book" tools/docs.sh found
step "Rust: units, codecs, stores, fixtures" \
    tools/servers.sh run cargo test --locked --all-features --no-fail-fast
step "Rust: without any feature" cargo check --locked --lib --no-default-features
step "Rust: macOS and Windows, compiled" tools/systems.sh
step "CMake: the libraries, examples and C tests" configure_and_build
if [ "$failed" = 0 ] || [ -e "$build/test/CTestTestfile.cmake" ]; then
    step "C and C++: plain, valgrind, sanitizers; installed packages" c_tests
    step "The demonstration" demo
fi
step "Exchange with other implementations" interop
step "Selections beside NumPy" selections
step "The command, also read by zarr-python and shown in Chromium" command_line

printf '\n==== Summary\n\n%s%s\n\n' "$summary" "$not_tried"
if [ "$failed" = 0 ]; then
    echo "All of it holds."
else
    echo "Something FAILED."
fi
exit $failed
