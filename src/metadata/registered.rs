//! The names of codecs that the program has registered, with what they take and give: formats
//! find the place of a codec in a chain by that, whoever brought it.

use super::CodecKind;
use crate::fork::Lock;
use std::collections::BTreeMap;

static NAMES: Lock<BTreeMap<String, CodecKind>> = Lock::new(BTreeMap::new());

/// Makes a name known.
pub fn announce(name: &str, kind: CodecKind) {
    NAMES.write().insert(name.to_owned(), kind);
}

/// Forgets a name.
pub fn withdraw(name: &str) {
    NAMES.write().remove(name);
}

/// What a codec of that name takes and gives; `None`: the program has registered none.
pub fn announced(name: &str) -> Option<CodecKind> {
    NAMES.read().get(name).copied()
}
