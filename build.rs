//! Gives the library that a plain `cargo build` makes the SONAME that CMake gives its own.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let (major, minor) = (env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"));
    let abi = if major == "0" { format!("0.{minor}") } else { major.to_string() };
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux" | "android" | "freebsd") => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libzarrc.so.{abi},-z,nodelete");
        }
        Ok("macos") => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libzarrc.{abi}.dylib");
        }
        _ => {}
    }
}
