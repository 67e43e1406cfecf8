#!/bin/sh
# The Debian packages: the shared library, libzarrc-dev, zarrc-tools, and the debugging symbols.
#   tools/deb.sh DIRECTORY [FLAG OF CMAKE...]
# They are built in a copy of what git knows, without a look at Build-Depends: Debian's Rust may be too old.
set -eu
mkdir -p "$1"
to=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")/.."
rm -rf "$to/source"
mkdir "$to/source"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$to/source"
cd "$to/source"
# debhelper gives the build a HOME of its own, where rustup finds no compiler
if [ -d "$HOME/.rustup" ]; then
    export CARGO_HOME="${CARGO_HOME:-$HOME/.cargo}" RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}"
fi
ZARRC_CMAKE_FLAGS="$*" dpkg-buildpackage -b -us -uc -d
rm -rf "$to/source"
