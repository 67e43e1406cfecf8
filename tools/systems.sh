#!/bin/sh
# Compiles the library and the command for systems that are not at hand, as far as it goes without their
# linkers: macOS, its C by Zig (from PyPI), which has the headers; Windows, its C by MinGW.
set -eu
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
work=$CARGO_TARGET_DIR/systems

has_target() {
    rustup target list --installed 2> /dev/null | grep -qx "$1" || rustup target add "$1" > /dev/null 2>&1 || {
        echo "not tried: Rust's target $1 cannot be installed here"
        return 1
    }
}
check() {
    cargo check --locked --target "$1" --package zarrc --package zarrc-cli
}
has_zig() {
    [ -x "$work/venv/bin/python" ] || python3 -m venv "$work/venv"
    "$work/venv/bin/pip" -q --disable-pip-version-check install ziglang==0.15.2 || {
        echo "not tried: macOS, for ziglang cannot be installed here"
        return 1
    }
}

if has_target x86_64-pc-windows-gnu; then
    if command -v x86_64-w64-mingw32-gcc > /dev/null; then
        check x86_64-pc-windows-gnu
    else
        echo "not tried: Windows, for gcc-mingw-w64-x86-64 is not installed"
    fi
fi

if has_target aarch64-apple-darwin && has_zig; then
    # without the arguments by which Apple's compiler is told the machine
    cat > "$work/cc" << END
#!/bin/sh
for argument; do
    shift
    case \$argument in --target=* | -arch | arm64 | -mmacosx-version-min=*) ;; *) set -- "\$@" "\$argument" ;; esac
done
exec "$work/venv/bin/python" -m ziglang cc -target aarch64-macos "\$@"
END
    printf '#!/bin/sh\nexec "%s/venv/bin/python" -m ziglang ar "$@"\n' "$work" > "$work/ar"
    chmod +x "$work/cc" "$work/ar"
    CC_aarch64_apple_darwin=$work/cc AR_aarch64_apple_darwin=$work/ar check aarch64-apple-darwin
fi
