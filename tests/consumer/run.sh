#!/bin/sh
# run.sh CMAKE BUILD: installs the build, moves what was installed, and builds two programs against
# it in each of the four ways that there are; and the examples, as a project of their own.
set -eu
cmake=$1
build=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc=${CC:-cc}
cxx=${CXX:-c++}

# What a step says matters only when it fails.
quietly() {
    "$@" > "$work/log" 2>&1 || {
        cat "$work/log"
        echo "failed: $*"
        exit 1
    }
}

# The programs run with nothing of the build tree in reach.
check() {
    for program in consumer_c consumer_cpp; do
        (cd "$work" && env -u LD_LIBRARY_PATH "$2/$program") || {
            echo "failed: $1: $program"
            exit 1
        }
    done
    echo "ok: $1"
}

# consumer_c and consumer_cpp in $1, compiled with the flags after it.
compile() {
    mkdir -p "$1"
    quietly "$cc" -std=c99 -Wall -Wextra -Werror "$here/consumer.c" -o "$1/consumer_c" $2
    quietly "$cxx" -std=c++11 -Wall -Wextra -Werror "$here/consumer.cpp" -o "$1/consumer_cpp" $2
}

quietly "$cmake" --install "$build" --prefix "$work/installed"
mv "$work/installed" "$work/moved"
prefix=$work/moved
libraries=$(dirname "$(find "$prefix" -name libzarrc.a)")
if grep -rlF "$work/installed" "$prefix" --include='*.cmake' --include='*.pc'; then
    echo "failed: the files above name the place of installation"
    exit 1
fi

export PKG_CONFIG_PATH="$libraries/pkgconfig"
version=$(pkg-config --modversion zarrc)

for library in zarrc zarrc_static; do
    quietly "$cmake" -S "$here" -B "$work/$library" -DCMAKE_PREFIX_PATH="$prefix" \
        -DLIBRARY=zarrc::$library -DVERSION="$version"
    quietly "$cmake" --build "$work/$library"
    check "find_package, zarrc::$library" "$work/$library"
done

compile "$work/pc" "$(pkg-config --cflags --libs zarrc) -Wl,-rpath,$libraries"
check "pkg-config, shared" "$work/pc"

system=$(pkg-config --static --libs-only-l zarrc | sed 's/-lzarrc//')
compile "$work/path" "-I$prefix/include $libraries/libzarrc.a $system"
check "libzarrc.a by its path" "$work/path"

quietly "$cmake" -S "$here/../../examples" -B "$work/examples" -DCMAKE_PREFIX_PATH="$prefix"
quietly "$cmake" --build "$work/examples"
quietly "$cmake" --build "$work/examples" --target test
echo "ok: the examples, alone"
