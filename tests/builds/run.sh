#!/bin/sh
# run.sh CASE CMAKE ARCHIVE: builds zarrc in a way that others build it, in seconds: with a cargo that
# gives the library ARCHIVE. 77: this machine lacks what the case needs.
set -eu
case=$1
cmake=$2
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
consumer=$here/../consumer
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ARCHIVE="$3" TOLD="$work/told"
unset CC CXX CFLAGS CXXFLAGS LDFLAGS

quietly() {
    "$@" > "$work/log" 2>&1 || {
        cat "$work/log"
        echo "failed: $*"
        exit 1
    }
}
need() {
    command -v "$1" > /dev/null || {
        echo "skipped: no $1"
        exit 77
    }
}
configure() { # configure FLAG...
    quietly "$cmake" -S "$source" -B "$work/build" -DCARGO="$here/cargo" -DZARRC_BUILD_TESTS=OFF \
        -DZARRC_BUILD_EXAMPLES=OFF "$@"
}
build() { # build FLAG...
    quietly "$cmake" --build "$work/build" "$@"
}
told() { # told LINE: cargo was
    grep -qxF -e "$1" "$TOLD" || {
        echo "cargo was not told $1, but"
        cat "$TOLD"
        exit 1
    }
}
not_told() { # not_told LINE
    if grep -qxF -e "$1" "$TOLD"; then
        echo "cargo was told $1"
        exit 1
    fi
}
# A program is built against what was installed, and runs.
use() { # use CC FLAG...
    quietly "$cmake" --install "$work/build" --prefix "$work/installed"
    lib=$(dirname "$(find "$work/installed" -name libzarrc.a)")
    for library in "-L$lib -lzarrc -Wl,-rpath,$lib" "$(PKG_CONFIG_PATH=$lib/pkgconfig pkg-config --variable=static zarrc)"; do
        # shellcheck disable=SC2086 # words
        quietly "$@" -I"$work/installed/include" "$consumer/consumer.c" -o "$work/program" $library
        quietly "$work/program"
    done
}

case $case in
    no_features)
        features=$(sed -n 's/^default = \[\(.*\)\]$/\1/p' "$source/Cargo.toml" | tr -d '",' | tr a-z A-Z)
        flags=""
        for feature in $features; do flags="$flags -DZARRC_$feature=OFF"; done
        # shellcheck disable=SC2086 # words
        configure $flags
        build --target zarrc_cargo
        told --no-default-features
        not_told --features
        ;;
    cargo_flags)
        configure -DZARRC_CARGO_FLAGS="--offline --config 'net.retry = 1'"
        build --target zarrc_cargo
        told --offline
        told --config
        told "net.retry = 1"
        ;;
    c_flags)
        configure -DCMAKE_C_FLAGS="-fstack-protector-strong -D_FORTIFY_SOURCE=2"
        build --target zarrc_cargo
        grep -q "^CFLAGS=-fstack-protector-strong -D_FORTIFY_SOURCE=2 " "$TOLD"
        ;;
    clang)
        need clang
        configure -DCMAKE_C_COMPILER=clang
        build
        use clang
        ;;
    lld)
        need clang
        need ld.lld
        configure -DCMAKE_C_COMPILER=clang -DCMAKE_LINKER="$(command -v ld.lld)" \
            -DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld=lld
        build
        use clang -fuse-ld=lld
        ;;
    subproject)
        mkdir "$work/parent"
        cat > "$work/parent/CMakeLists.txt" << END
cmake_minimum_required(VERSION 3.21)
project(parent LANGUAGES C)
add_subdirectory($source zarrc)
add_executable(program $consumer/consumer.c)
target_link_libraries(program PRIVATE zarrc::zarrc_static)
install(TARGETS program)
if(CMAKE_BUILD_TYPE)
  message(FATAL_ERROR "the type of build is \${CMAKE_BUILD_TYPE}: nobody chose one")
endif()
END
        quietly "$cmake" -S "$work/parent" -B "$work/build" -DCARGO="$here/cargo"
        build
        told release
        quietly "$work/build/program"
        quietly "$cmake" --install "$work/build" --prefix "$work/installed"
        [ "$(find "$work/installed" -type f)" = "$work/installed/bin/program" ]
        ;;
    multi_config)
        need ninja
        configure -G "Ninja Multi-Config"
        build --config Debug
        told dev
        build --config Release
        told release
        ls "$work/build/Debug/libzarrc.a" "$work/build/Release/libzarrc.a"
        ;;
    uninstall)
        configure -DCMAKE_INSTALL_PREFIX="$work/installed"
        build
        quietly "$cmake" --install "$work/build"
        [ -n "$(find "$work/installed" -name zarrc.h)" ]
        build --target uninstall
        find "$work/installed" ! -type d > "$work/left"
        [ ! -s "$work/left" ] || {
            cat "$work/left"
            exit 1
        }
        ;;
    command)
        # a script stands for the program, which objcopy would not take
        configure -DZARRC_COMMAND=ON -DCMAKE_INSTALL_PREFIX="$work/installed" -DZARRC_OBJCOPY="$here/objcopy"
        build
        grep -qF "zarrc/zip" "$TOLD.command"
        quietly "$cmake" --install "$work/build" --component tools
        (cd "$work/installed" && find . -type f | sort) > "$work/files"
        cat "$work/files"
        [ "$(tr '\n' ' ' < "$work/files")" = "./bin/zarrc \
./share/bash-completion/completions/zarrc ./share/fish/vendor_completions.d/zarrc.fish \
./share/man/man1/zarrc-attrs-get.1 ./share/man/man1/zarrc-attrs.1 ./share/man/man1/zarrc-info.1 \
./share/man/man1/zarrc.1 ./share/zsh/site-functions/_zarrc " ]
        grep -qx ".TH zarrc-attrs-get 1" "$work/installed/share/man/man1/zarrc-attrs-get.1"
        build --target uninstall
        [ -z "$(find "$work/installed" ! -type d)" ]
        ;;
    system)
        # what a distribution installs needs no path, and has the version of its ABI in its name
        configure -DCMAKE_INSTALL_PREFIX=/usr
        build
        DESTDIR=$work/root quietly "$cmake" --install "$work/build"
        pc=$(dirname "$(find "$work/root" -name zarrc.pc)")
        said=$(PKG_CONFIG_LIBDIR=$pc pkg-config --cflags --libs zarrc)
        echo "pkg-config says: $said"
        [ "$(echo $said)" = -lzarrc ]
        ;;
    debian)
        # packages of two ABIs have no file in common
        export ZARRC_DEB_FLAGS=-Znone DEB_BUILD_OPTIONS=nostrip
        need dpkg-buildpackage
        need dh
        version=$(sed -n 's/^version = "\(.*\)"$/\1/p;T;q' "$source/Cargo.toml")
        abi=${version%.*}
        flags="-DCARGO=$here/cargo -DZARRC_OBJCOPY=$here/objcopy"
        # shellcheck disable=SC2086 # words
        quietly "$source/tools/deb.sh" "$work/this" $flags
        mkdir -p "$work/next/tools"
        (cd "$source" && git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$work/next")
        for package in "$work/next/debian/libzarrc"*.install; do
            case $package in */libzarrc"$abi".install) mv "$package" "${package%"$abi".install}9.9.install" ;; esac
        done
        sed -i "s/libzarrc$abi/libzarrc9.9/" "$work/next/debian/control"
        sed -i "1s/(.*)/(9.9.0)/" "$work/next/debian/changelog"
        sed -i "0,/^version = .*/s//version = \"9.9.0\"/" "$work/next/Cargo.toml"
        git -C "$work/next" init -q
        # shellcheck disable=SC2086 # words
        quietly "$work/next/tools/deb.sh" "$work/that" $flags
        dpkg-deb --fsys-tarfile "$work/this/libzarrc${abi}_"*.deb | tar t | grep -v '/$' | sort > "$work/files.this"
        dpkg-deb --fsys-tarfile "$work/that/libzarrc9.9_"*.deb | tar t | grep -v '/$' | sort > "$work/files.that"
        cat "$work/files.this"
        dpkg-deb --fsys-tarfile "$work/this/zarrc-tools_"*.deb | tar t > "$work/files.tools"
        for file in bin/zarrc share/man/man1/zarrc-info.1.gz share/zsh/vendor-completions/_zarrc; do
            grep -qxF "./usr/$file" "$work/files.tools"
        done
        [ -s "$work/files.this" ] && [ -z "$(comm -12 "$work/files.this" "$work/files.that")" ]
        ;;
    *)
        echo "no case $case"
        exit 1
        ;;
esac
