#!/bin/sh
# Fuzzes every target for some minutes each: make fuzz MINUTES=10. TARGETS="zip codecs": these alone.
# Inputs that cover more are added to the folders of WORK; what fails is in WORK/found: add it to
# fuzz/corpus with its correction. Needs nightly Rust and a C++ compiler.
set -eu
cd "$(dirname "$0")/.."
minutes=${MINUTES:-10}
work=${WORK:-target/fuzz}
targets=${TARGETS:-$(ls fuzz/corpus)}
mkdir -p "$work/found"
export CARGO_TARGET_DIR="$work/build"
# Coverage for libFuzzer, AddressSanitizer, checks of overflow. The flags are those of cargo-fuzz.
RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares -Zsanitizer=address" \
    cargo +nightly build --locked --package zarrc-fuzz --target "$(rustc -vV | sed -n 's/host: //p')"
program=$(ls "$work"/build/*/debug/fuzz)
status=0
for target in $targets; do
    printf '\n==== %s, %s minutes\n\n' "$target" "$minutes"
    mkdir -p "$work/$target"
    # more than 1 GiB in all, 128 MiB at once or 10 s for an input of at most 64 KiB are findings too
    ZARRC_FUZZ=$target "$program" -max_total_time=$((60 * minutes)) -max_len=65536 -timeout=10 \
        -rss_limit_mb=1024 -malloc_limit_mb=128 -print_final_stats=1 -artifact_prefix="$work/found/$target-" \
        "$work/$target" "fuzz/corpus/$target" || status=1
done
exit $status
