//! The names of codecs that the program has registered, with their kinds: formats need the kind to
//! place a codec in a chain.

use super::CodecKind;
use crate::fork::Lock;
use std::collections::BTreeMap;

static NAMES: Lock<BTreeMap<String, CodecKind>> = Lock::new(BTreeMap::new());

/// Registers a name.
pub fn announce(name: &str, kind: CodecKind) {
    NAMES.write().insert(name.to_owned(), kind);
}

/// Removes a name.
pub fn withdraw(name: &str) {
    NAMES.write().remove(name);
}

/// The kind of a registered codec; `None`: the program has registered none of that name.
pub fn announced(name: &str) -> Option<CodecKind> {
    NAMES.read().get(name).copied()
}
