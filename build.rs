//! Builds the C sources of zfp.

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
}
