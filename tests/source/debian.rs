//! debian/ names the version of Cargo.toml, and the ABI that it gives.

use super::root;
use std::fs;

#[test]
fn the_debian_packages_are_of_this_version() {
    let read = |name: &str| fs::read_to_string(root().join(name)).unwrap();
    let manifest = read("Cargo.toml");
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = ")).unwrap();
    let version = version.trim_matches('"');
    let (abi, _) = version.rsplit_once('.').unwrap();
    let changelog = read("debian/changelog");
    assert!(changelog.starts_with(&format!("zarrc ({version}) ")), "debian/changelog");
    let control = read("debian/control");
    assert!(control.contains(&format!("\nPackage: libzarrc{abi}\n")), "debian/control");
    assert!(root().join(format!("debian/libzarrc{abi}.install")).exists(), "debian/*.install");
}
