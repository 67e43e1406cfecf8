#!/bin/sh
# Wheels of the Python package, each with the library of a tarball inside, for every Python 3.9 or later
# with glibc 2.17 or later.
#   tools/wheels.sh DIRECTORY: writes one for each zarrc-*-linux-MACHINE.tar.gz that is there
set -eu
to=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet "setuptools>=77" wheel auditwheel
for tarball in "$to"/zarrc-*-linux-*.tar.gz; do
    machine=${tarball##*-linux-}
    machine=${machine%.tar.gz}
    tar -xzf "$tarball" -C "$work"
    library=$(find "$work" -name 'libzarrc.so.*.*.*' -path "*$machine*")
    "$work/venv/bin/python" bindings/python/make_wheel.py "$library" "$to" "manylinux_2_17_$machine"
done
for wheel in "$to"/zarrc-*.whl; do
    "$work/venv/bin/auditwheel" show "$wheel" | tr '\n' ' ' | grep -F '"manylinux_2_17_' || {
        echo "$wheel needs a later glibc than its name says"
        exit 1
    }
done
