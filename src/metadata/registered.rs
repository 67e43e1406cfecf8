//! The names of codecs that the program has registered, with what they take and give: formats
//! find the place of a codec in a chain by that, whoever brought it.

use super::CodecKind;
use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

static NAMES: RwLock<BTreeMap<String, CodecKind>> = RwLock::new(BTreeMap::new());

/// Makes a name known.
pub fn announce(name: &str, kind: CodecKind) {
    NAMES.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), kind);
}

/// Forgets a name.
pub fn withdraw(name: &str) {
    NAMES.write().unwrap_or_else(PoisonError::into_inner).remove(name);
}

/// What a codec of that name takes and gives; `None`: the program has registered none.
pub fn announced(name: &str) -> Option<CodecKind> {
    NAMES.read().unwrap_or_else(PoisonError::into_inner).get(name).copied()
}
