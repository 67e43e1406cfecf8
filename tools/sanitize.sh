#!/bin/sh
# The tests in Rust, and then those in C, with a sanitizer in the library and in the C code that it
# contains: sanitize.sh thread, sanitize.sh address. Words after that choose tests in Rust. FEATURES:
# what the library has, as flags of cargo. Needs clang and nightly Rust, for `thread` with its source.
set -eu
cd "$(dirname "$0")/.."
kind=$1
shift
host=$(rustc -vV | sed -n 's/host: //p')
sysroot=$(rustc +nightly --print sysroot)
export CARGO_TARGET_DIR="${WORK:-target/sanitize}/$kind"
export CC=clang CXX=clang++ CFLAGS="-fsanitize=$kind" CXXFLAGS="-fsanitize=$kind"
# tests that count or refuse memory cannot: the sanitizer has a malloc of its own
export RUSTFLAGS="-Zsanitizer=$kind --cfg own_malloc"
case $kind in
thread)
    short=tsan
    rust="-Zbuild-std"
    # the children of forks start threads, which the sanitizer forbids unless it is told otherwise; idle
    # threads of tokio's runtime end by themselves
    export TSAN_OPTIONS="die_after_fork=0 report_thread_leaks=0 suppressions=$PWD/tools/tsan.supp"
    ;;
address)
    short=asan
    rust=""
    # leaks are valgrind's part; this detector stops where a test is traced
    export ASAN_OPTIONS=detect_leaks=0
    ;;
*)
    echo "usage: sanitize.sh thread|address [TEST...]" >&2
    exit 2
    ;;
esac
build="--locked $rust --target $host ${FEATURES:---all-features} --lib"

# I/O that fails at each step would take hours
# shellcheck disable=SC2086 # words
cargo +nightly test $build --test all -- "$@" --skip allocation:: --skip memory_limits:: --skip memory:: --skip faults::

# shellcheck disable=SC2086 # words
cargo +nightly rustc $build --crate-type staticlib
library=$CARGO_TARGET_DIR/$host/debug/libzarrc.a
runtime=$sysroot/lib/rustlib/$host/lib/librustc-nightly_rt.$short.a
program=$CARGO_TARGET_DIR/c_test
for source in c_tests/test_*.c; do
    [ "$source" != c_tests/test_contract.c ] || continue # is compiled, and does nothing
    echo "$source"
    for part in "$source" c_tests/check.c; do
        clang -g -std=c99 "-fsanitize=$kind" -DSLOWED=1 -Iinclude -c "$part" -o "$CARGO_TARGET_DIR/$(basename "$part" .c).o"
    done
    # the runtime is that of the library, not the compiler's
    clang -o "$program" "$CARGO_TARGET_DIR/$(basename "$source" .c).o" "$CARGO_TARGET_DIR/check.o" "$library" \
        -Wl,--whole-archive "$runtime" -Wl,--no-whole-archive -lpthread -ldl -lrt -lm -lgcc_s
    "$program"
done
