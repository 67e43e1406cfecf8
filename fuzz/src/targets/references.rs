//! A document of references, version 0 or 1: listed, without reading what it refers to.

use super::{check, keys};
use zarrc::store::{Key, Mode, Options, Precondition, open};

pub fn run(input: &[u8]) {
    // a store of that name lives as long as this handle
    let kept = open("memory:fuzz-references", Mode::Overwrite, &Options::default());
    let Some(kept) = check(kept) else { return };
    let key = Key::parse("r.json").expect("a key");
    let _ = check(kept.set(&key, &[input], &Precondition::None));
    let url = "memory:fuzz-references/r.json|reference:";
    let Some(store) = check(open(url, Mode::Read, &Options::default())) else { return };
    let keys = keys(&store);
    for key in keys.iter().take(64).filter_map(|key| Key::parse(key).ok()) {
        let _ = check(store.location(&key));
    }
}
