#!/bin/sh
# Installs what building and testing need and this machine lacks, through apt. Does nothing, and
# needs no rights, where all is there.
set -u

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
    need python3 python3 has python3
    need python3-venv "python3-venv" has_venv
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
