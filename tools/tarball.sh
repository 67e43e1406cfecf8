#!/bin/sh
# A tarball that runs wherever it is unpacked, on Linux with glibc 2.17 or later: the library, shared and
# static, the header, the CMake and pkg-config packages, the command.
#   tools/tarball.sh x86_64|aarch64 DIRECTORY [FLAG OF CMAKE...]
# Needs cargo-zigbuild and ziglang (from PyPI), binutils for the machine, and rustup's target of it; for
# another machine than this one also qemu-user and its C library (libc6-arm64-cross). The examples must run.
set -eu
machine=$1
mkdir -p "$2"
to=$(cd "$2" && pwd)
shift 2
cd "$(dirname "$0")/.."
build=${BUILD:-build}/tarball-$machine
cmake -S . -B "$build" --toolchain "$PWD/cmake/zig.cmake" -DZARRC_MACHINE="$machine" -DZARRC_COMMAND=ON \
    -DZARRC_BUILD_TESTS=OFF -DZARRC_MPI=OFF -DZARRC_NETCDF=OFF "$@"
cmake --build "$build"
ctest --test-dir "$build/examples" --output-on-failure --no-tests=error
(cd "$build" && cpack -B "$to/.cpack" > /dev/null)
mv "$to/.cpack/"zarrc-*-linux-"$machine".tar.gz "$to"
rm -r "$to/.cpack"
# the library, for tools/wheels.sh
echo "$build/libzarrc.so"
