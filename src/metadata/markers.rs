//! The documents that tell that a directory, or what lies below a prefix, is a store.

/// Files of which a store has all of one entry at its root, if it has metadata there: v3 and its
/// drafts of 2020 and 2022, v2, N5, the draft of 2019, and v1, whose names alone say too little.
pub const MARKERS: &[&[&str]] = &[
    &["zarr.json"],
    &[".zgroup"],
    &[".zarray"],
    &[".zattrs"],
    &[".zmetadata"],
    &["attributes.json"],
    &["meta/root.array"],
    &["meta/root.group"],
    &["meta", "attrs"],
];

/// Whether there is a store where `holds` says which files there are.
pub fn is_marked<E>(mut holds: impl FnMut(&str) -> Result<bool, E>) -> Result<bool, E> {
    for files in MARKERS {
        let mut all = true;
        for file in *files {
            all = all && holds(file)?;
        }
        if all {
            return Ok(true);
        }
    }
    Ok(false)
}
