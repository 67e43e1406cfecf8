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
        (cd "$work" && "$2/$program") || {
            echo "failed: $1: $program"
            exit 1
        }
    done
    echo "ok: $1"
}

unset LD_LIBRARY_PATH

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

# The lines of README, as they are printed there.
sed -n '/^## Linking/,/^## /{/^cc /p}' "$here/../../README.md" > "$work/lines"
[ "$(wc -l < "$work/lines")" = 3 ]
cp "$here/consumer.c" "$work/model.c"
cp "$here/consumer.cpp" "$work/model.cpp"
while read -r line; do
    mkdir -p "$work/line"
    quietly env -C "$work" CC="$cc" sh -ec "cc() { command \"\$CC\" -Wall -Wextra -Werror -o line/consumer_c \"\$@\"; }; $line"
    quietly env -C "$work" CC="$cxx" sh -ec "cc() { command \"\$CC\" -Wall -Wextra -Werror -o line/consumer_cpp \"\$@\"; }; $(
        echo "$line" | sed 's/model\.c/model.cpp/')"
    LD_LIBRARY_PATH=$libraries check "README: $line" "$work/line"
    rm -r "$work/line"
done < "$work/lines"

quietly "$cmake" -S "$here/../../examples" -B "$work/examples" -DCMAKE_PREFIX_PATH="$prefix"
quietly "$cmake" --build "$work/examples"
quietly "$cmake" --build "$work/examples" --target test
echo "ok: the examples, alone"
