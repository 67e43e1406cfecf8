#!/bin/sh
# What takes too long for every change: make check-long. A step that fails ends it.
set -eu
cd "$(dirname "$0")/.."
tools/bootstrap.sh long
work=$(mktemp -d)
trap 'umount "$work/seconds" 2> /dev/null || true; rm -rf "$work"' EXIT
say() {
    printf '\n==== %s\n\n' "$1"
}

say "Without any feature"
cmake -S . -B "$work/bare" -DZARRC_HTTP=OFF -DZARRC_REFERENCE=OFF -DZARRC_S3=OFF -DZARRC_SQLITE=OFF \
    -DZARRC_ZIP=OFF -DZARRC_BUILD_TESTS=OFF
cmake --build "$work/bare" --parallel --target heat
"$work/bare/examples/heat" "$work/heat.zarr" 3

say "The same from two places, of two builders: one digest, no path"
for place in one two/deeper; do
    mkdir -p "$work/$place/source"
    git ls-files -z | xargs -0 cp --parents -t "$work/$place/source"
    cmake -S "$work/$place/source" -B "$work/$place/build" -DZARRC_BUILD_TESTS=OFF -DZARRC_BUILD_EXAMPLES=OFF
    cmake --build "$work/$place/build" --parallel
    if strings "$work/$place/build/libzarrc.so" | grep -F -e "$work/" -e "$HOME/"; then
        echo "the paths above stand in the library"
        exit 1
    fi
done
(cd "$work/one/build" && sha256sum libzarrc.so libzarrc.a) | (cd "$work/two/deeper/build" && sha256sum -c -)

say "Dask workers beside processes of zarrc"
python3 -m venv "$work/dask"
if "$work/dask/bin/pip" -q --disable-pip-version-check install -r tests/dask/requirements.txt; then
    ZARRC_LIBRARY="$work/one/build/libzarrc.so" PYTHONPATH=bindings/python "$work/dask/bin/python" tests/dask/run.py
else
    echo "not run: dask cannot be installed here"
fi

say "zarr-python's own tests, with its pipeline and with zarrc's"
python3 -m venv "$work/zarr"
if "$work/zarr/bin/pip" -q --disable-pip-version-check install -r tests/zarr_python/requirements.txt; then
    cp -R bindings/python "$work/python"
    "$work/zarr/bin/pip" -q --disable-pip-version-check install --no-deps --target "$work/package" "$work/python"
    ZARRC_LIBRARY="$work/one/build/libzarrc.so" PYTHONPATH="$work/package" \
        "$work/zarr/bin/python" tests/zarr_python/run.py "$work/zarr-python"
else
    echo "not run: zarr-python cannot be installed here"
fi

say "MPI: more cases on four and eight ranks"
for kind in openmpi mpich; do
    for ranks in 4 8; do
        if command -v "mpicc.$kind" > /dev/null; then
            mpi/test.sh "$kind" "$ranks" "$work/one/build" 25
        fi
    done
done

say "Dependencies: advisories, licences, sources"
if command -v cargo-deny > /dev/null; then
    cargo deny --all-features check
else
    echo "not run: cargo-deny is not installed (cargo install cargo-deny)"
fi

say "Debian packages"
tools/deb.sh "$work/deb" -DZARRC_CARGO_TARGET_DIR="$work/cargo"
lintian --fail-on error,warning "$work/deb/"*.changes
ls -l "$work/deb"

say "Miri, an hour at most: views, the pool, elements of variable length"
if cargo +nightly miri --version > /dev/null 2>&1; then
    MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-permissive-provenance -Zmiri-ignore-leaks" CARGO_TARGET_DIR="$work/miri" timeout 3600 \
        cargo +nightly miri test --locked --lib --no-default-features -- heap:: exec:: strided::
else
    echo "not run: nightly Rust has no Miri here (rustup component add miri --toolchain nightly)"
fi

say "The model of threads: cache, pool, buffers, blocking requests and windows under many schedules"
RUSTFLAGS="--cfg model" CARGO_TARGET_DIR="$work/model" ZARRC_MODEL_RUNS=${ZARRC_MODEL_RUNS:-200000} \
    cargo test --locked --lib --no-default-features model::

say "AddressSanitizer and ThreadSanitizer inside the library, two hours each at most"
if [ -d "$(rustc +nightly --print sysroot)/lib/rustlib/src" ] && command -v clang > /dev/null; then
    WORK="$work/sanitize" timeout 7200 tools/sanitize.sh address
    rm -rf "$work/sanitize"
    # the stores of other networks share the client of http, and take as long to build as all else
    FEATURES="--no-default-features --features http,sqlite,zip" WORK="$work/sanitize" timeout 7200 tools/sanitize.sh thread
    rm -rf "$work/sanitize"
else
    echo "not run: it needs clang and nightly Rust with its source (rustup component add rust-src --toolchain nightly)"
fi

say "Fuzzing, MINUTES=${MINUTES:-1} for each target"
MINUTES=${MINUTES:-1} tools/fuzz.sh

say "More damage, load, and what takes gigabytes"
# symbols for backtraces would count as memory of the input
RUST_BACKTRACE=0 CODEC_MUTATIONS=${CODEC_MUTATIONS:-20000} CORPUS_MUTATIONS=${CORPUS_MUTATIONS:-20000} tools/servers.sh run cargo test --locked --all-features --test all -- \
    --include-ignored

say "A file system that keeps times in whole seconds"
truncate -s 2G "$work/seconds.img"
mkdir "$work/seconds"
if mkfs.ext4 -q -I 128 "$work/seconds.img" && mount -o loop "$work/seconds.img" "$work/seconds"; then
    TMPDIR="$work/seconds" tools/servers.sh run cargo test --locked --all-features --test all -- in_place:: store_suite::
else
    echo "not run: file systems cannot be mounted here"
fi
