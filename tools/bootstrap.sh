#!/bin/sh
# Installs what building and testing need and this machine lacks, through apt; with `long`, what make
# check-long needs. Does nothing, and needs no rights, where all is there.
set -u
what_for=${1:-test}

packages=""
missing=""
need() { # need PACKAGE WHAT TEST...
    package=$1
    what=$2
    shift 2
    if ! "$@" > /dev/null 2>&1; then
        packages="$packages $package"
        missing="$missing $what"
    fi
}
has() { command -v "$1"; }
# loaded at run time by the feature hdf5; its tests have nothing to try without
has_hdf5() { find /usr/lib* /usr/local/lib* -name 'libhdf5*.so*' 2> /dev/null | grep -q .; }
has_venv() { python3 -c "import venv, ensurepip"; }

look() {
    packages=""
    missing=""
    need make make has make
    need gcc cc has cc
    need g++ c++ has c++
    need cmake cmake has cmake
    need pkg-config pkg-config has pkg-config
    need valgrind valgrind has valgrind
    need strace strace has strace
    need doxygen doxygen has doxygen
    need python3 python3 has python3
    need python3-venv "python3-venv" has_venv
    need libhdf5-dev libhdf5 has_hdf5
    # without it Windows is not tried, which is all
    [ "$(id -u)" != 0 ] || need gcc-mingw-w64-x86-64 MinGW has x86_64-w64-mingw32-gcc
    [ "$what_for" = long ] || return 0
    need bindfs bindfs has bindfs
    need clang clang has clang
    need lld lld has ld.lld
    need ninja-build ninja has ninja
    need debhelper debhelper has dh
    need dpkg-dev dpkg-dev has dpkg-buildpackage
    need lintian lintian has lintian
}

if ! command -v cargo > /dev/null && [ ! -x "$HOME/.cargo/bin/cargo" ]; then
    echo "error: cargo is missing: install Rust 1.89 or later (https://rustup.rs)" >&2
    exit 1
fi
look
[ -z "$missing" ] && exit 0

echo "missing:$missing"
if [ "$(id -u)" = 0 ]; then
    root=""
elif command -v sudo > /dev/null && sudo -n true 2> /dev/null; then
    root="sudo"
else
    root="none"
fi
if [ "$root" = none ] || ! command -v apt-get > /dev/null; then
    echo "error: install them first; on Debian, as root: apt-get install$packages" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
$root apt-get update -qq
$root apt-get install -y -qq --no-install-recommends $packages
look
[ -z "$missing" ] && exit 0
echo "error: still missing:$missing; install them by hand" >&2
exit 1
