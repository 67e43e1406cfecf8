//! What stores of one flat, sorted set of keys have in common: levels that are only in the names.

use super::{Depth, Entry, check_prefix};
use crate::error::Result;
use std::collections::BTreeMap;
use std::ops::Bound;

/// Lists what lies below `prefix`. `next` gives the first key at or behind a bound.
pub(super) fn list(
    prefix: &str,
    depth: Depth,
    next: &mut dyn FnMut(Bound<&str>) -> Result<Option<String>>,
    each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
) -> Result<()> {
    check_prefix(prefix)?;
    let mut from = Bound::Included(prefix.to_owned());
    // what is called may well change the store: each step asks anew
    while let Some(key) = next(from.as_ref().map(String::as_str))? {
        let Some(rest) = key.strip_prefix(prefix) else { break };
        // '0' comes right after '/', so that is where what lies below a prefix has ended
        from = match rest.split_once('/') {
            Some((name, _)) if depth == Depth::One => {
                each(Entry::Prefix(name))?;
                Bound::Included([prefix, name, "0"].concat())
            }
            _ => {
                each(Entry::Key(rest))?;
                Bound::Excluded(key)
            }
        };
    }
    Ok(())
}

/// The first key of a map at or behind `from`.
pub(super) fn next_of<V>(map: &BTreeMap<String, V>, from: Bound<&str>) -> Option<String> {
    map.range::<str, _>((from, Bound::Unbounded)).next().map(|(key, _)| key.clone())
}

/// The keys of a map below `prefix`.
pub(super) fn below<V>(map: &BTreeMap<String, V>, prefix: &str) -> Vec<String> {
    map.range::<str, _>((Bound::Included(prefix), Bound::Unbounded))
        .map(|(key, _)| key)
        .take_while(|key| key.starts_with(prefix))
        .cloned()
        .collect()
}
