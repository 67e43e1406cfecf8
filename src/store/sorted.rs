//! Shared by stores with one flat, sorted set of keys: derives levels from the names.

use super::{Depth, Entry, Key, check_prefix};
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::ops::Bound;

/// Lists the entries below `prefix`. `next` returns the first key at or after a bound. Fails with
/// [`Kind::CorruptData`](crate::error::Kind::CorruptData) if keys do not increase, as in a damaged
/// database, whose listing might otherwise never end.
pub(super) fn list(
    prefix: &str,
    depth: Depth,
    next: &mut dyn FnMut(Bound<&str>) -> Result<Option<String>>,
    each: &mut dyn FnMut(Entry<'_>) -> Result<()>,
) -> Result<()> {
    check_prefix(prefix)?;
    let mut from = Bound::Included(prefix.to_owned());
    // the callback may change the store, so each step queries again
    while let Some(key) = next(from.as_ref().map(String::as_str))? {
        let increases = match &from {
            Bound::Included(from) => key >= *from,
            Bound::Excluded(from) => key > *from,
            Bound::Unbounded => true,
        };
        if !increases {
            return Err(Error::corrupt(format!(
                "listing {prefix:?}: the keys are not in order at {key:?}"
            )));
        }
        let Some(rest) = key.strip_prefix(prefix) else { break };
        // skip names that are not keys
        if Key::parse(&key).is_err() {
            from = Bound::Excluded(key);
            continue;
        }
        // '0' follows '/', so the keys below a prefix end there
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

/// The first key of a map at or after `from`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    /// A damaged index can lead back to keys already listed.
    #[test]
    fn keys_that_do_not_increase_end_the_listing() {
        for depth in [Depth::One, Depth::All] {
            for wrong in ["a/b", "a/0", "a/c/d"] {
                let next = &mut |from: Bound<&str>| {
                    let is_first = from == Bound::Included("a/");
                    Ok(Some(if is_first { "a/c/d" } else { wrong }.to_owned()))
                };
                let mut listed = 0;
                let result = list("a/", depth, next, &mut |_| {
                    listed += 1;
                    Ok(())
                });
                assert_eq!(result.map_err(|e| e.kind()), Err(Kind::CorruptData), "{wrong}");
                assert_eq!(listed, 1);
            }
        }
    }
}
