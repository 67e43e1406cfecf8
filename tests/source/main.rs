//! Tests of the source itself: the generated header, its ABI, the layers, the README, the examples.
#![allow(clippy::unwrap_used)]

mod abi;
mod dependencies;
mod examples;
mod header;
mod layering;
mod manual;
mod modules;
mod readme;
mod rules;

use std::path::Path;

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
