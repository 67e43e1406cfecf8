//! One program for all targets: `ZARRC_FUZZ=codecs fuzz fuzz/corpus/codecs`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

mod targets;

#[path = "../../tests/common/codecs.rs"]
mod samples;

/// Crates that panic for damaged input, which the library catches.
const CAUGHT: &[&str] = &["/parquet-"];

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let abort = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map_or("", |place| place.file());
        if !CAUGHT.iter().any(|name| place.contains(name)) {
            abort(panic);
        }
    }));
    let wanted = std::env::var("ZARRC_FUZZ").unwrap_or_default();
    let found = targets::TARGETS.iter().find(|(name, _)| *name == wanted);
    let names: Vec<&str> = targets::TARGETS.iter().map(|(name, _)| *name).collect();
    found.unwrap_or_else(|| panic!("ZARRC_FUZZ={wanted}: expected one of {}", names.join(", "))).1
});

fuzz_target!(|input: &[u8]| TARGET(input));
