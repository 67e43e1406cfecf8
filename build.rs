//! Builds the C sources of zfp, and gives the library that a plain `cargo build` makes the SONAME that
//! CMake gives its own.

/// The serial part of the zfp library, as it was released.
fn build_zfp() {
    println!("cargo:rerun-if-changed=third_party/zfp");
    let dimensions_and_types = ["1", "2", "3", "4"]
        .iter()
        .flat_map(|dims| ["i", "l", "f", "d"].map(|number| format!("{dims}{number}")));
    let blocks = dimensions_and_types
        .flat_map(|suffix| ["encode", "decode"].map(|way| format!("{way}{suffix}")));
    let files = ["zfp".to_owned(), "bitstream".to_owned()].into_iter().chain(blocks);
    cc::Build::new()
        .include("third_party/zfp/include")
        .include("third_party/zfp/src")
        .files(files.map(|name| format!("third_party/zfp/src/{name}.c")))
        // it shifts and adds signed integers past their ends, damaged streams all the more
        .flag_if_supported("-fwrapv")
        .warnings(false)
        .compile("zarrc_zfp");
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    build_zfp();
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
