#!/bin/sh
# One test of c_tests/, or an example, against the debug library: c_test.sh roundtrip
# In seconds, for what was changed alone is built, with the features of FEATURES (default: Cargo's).
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
# shellcheck disable=SC2086 # words
cargo rustc --locked --lib --crate-type cdylib ${FEATURES:+--features "$FEATURES"}
if [ -e "examples/$1.c" ]; then
    sources=examples/$1.c
else
    sources="c_tests/test_$1.c c_tests/check.c"
fi
# shellcheck disable=SC2086 # words
"${CC:-cc}" -g -std=c99 -Wall -Wextra -Iinclude $sources -o "$target/debug/c_test_$1" \
    -L"$target/debug" -lzarrc -Wl,-rpath,"$(cd "$target/debug" && pwd)" -lpthread -lm
exec "$target/debug/c_test_$1"
