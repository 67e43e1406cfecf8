# The recipe of zarrc_jll for Yggdrasil: the library as an artifact, so that Julia's package manager brings it.
#     ZARRC_COMMIT=$(git rev-parse HEAD) julia build_tarballs.jl --verbose x86_64-linux-gnu
# For Yggdrasil, ZARRC_REPOSITORY and ZARRC_COMMIT become the constants of a release.
using BinaryBuilder

name = "zarrc"
root = joinpath(@__DIR__, "..", "..", "..")
version = VersionNumber(match(r"^version = \"(.*)\""m, read(joinpath(root, "Cargo.toml"), String)).captures[1])

sources = [GitSource(get(ENV, "ZARRC_REPOSITORY", root), ENV["ZARRC_COMMIT"])]

script = raw"""
cd ${WORKSPACE}/srcdir/*/
cargo rustc --lib --locked --release --target ${rust_target} --crate-type cdylib
install -Dvm 755 "target/${rust_target}/release/libzarrc.${dlext}" "${libdir}/libzarrc.${dlext}"
install -Dvm 644 include/zarrc.h "${includedir}/zarrc.h"
install_license LICENSE-MIT LICENSE-APACHE LICENSE-BUNDLED
"""

# The library is tested on Linux with glibc; 64 bits, as the sizes of arrays need.
platforms = [Platform("x86_64", "linux"; libc="glibc"), Platform("aarch64", "linux"; libc="glibc")]

products = [LibraryProduct("libzarrc", :libzarrc)]

dependencies = Dependency[]

build_tarballs(ARGS, name, version, sources, script, platforms, products, dependencies;
               julia_compat="1.6", compilers=[:rust, :c], preferred_gcc_version=v"10")
