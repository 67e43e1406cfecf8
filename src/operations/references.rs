//! References to the values of a hierarchy, where they lie in files that others can read too, as
//! kerchunk writes them: JSON of version 1, which zarrc, fsspec and whoever stands on it open.
//! <https://fsspec.github.io/kerchunk/spec.html>

use crate::error::{Context, Error, Kind, Result};
use crate::hierarchy::Hierarchy;
use crate::metadata::{Attributes, NodePath, from_json};
use crate::progress::Progress;
use crate::store::{Depth, Entry, Key};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::collections::BTreeMap;

/// What version 2 keeps of an array, and of its attributes; where xarray looks for the names of its
/// dimensions, without which it does not open one.
const ARRAY: &str = ".zarray";
const ATTRIBUTES: &str = ".zattrs";
const DIMENSIONS: &str = "_ARRAY_DIMENSIONS";

/// References to all below `path`. `url` stands for the file that they refer to, should there be
/// only one; values that lie in no other file stand among the references.
///
/// [`Kind::Unsupported`]: the store keeps its own values.
pub fn references(
    from: &Hierarchy,
    path: &NodePath,
    url: Option<&str>,
    progress: &Progress<'_>,
) -> Result<String> {
    let store = from.store();
    let prefix = path.prefix();
    let mut keys = Vec::new();
    store.list(&prefix, Depth::All, &mut |entry| {
        if let Entry::Key(key) = entry {
            keys.try_reserve(1).map_err(|_| no_memory())?;
            keys.push(key.to_owned());
        }
        Ok(())
    })?;
    if keys.is_empty() {
        return Err(Error::new(Kind::NotFound, format!("there is nothing at {path}")))
            .at(|| store.name());
    }
    keys.sort_unstable();
    let mut text = String::from("{\"version\": 1, \"refs\": {");
    let mut named = BTreeMap::new();
    let mut files = None;
    for (n, key) in keys.iter().enumerate() {
        let stored = Key::trusted(format!("{prefix}{key}"));
        let reference = match store.location(&stored)? {
            Some(place) => {
                if url.is_some() && files.get_or_insert_with(|| place.url.clone()) != &place.url {
                    return Err(Error::invalid(format!(
                        "url: the values lie in several files, as {} and {}",
                        files.unwrap_or_default(),
                        place.url
                    )));
                }
                let url = Value::from(url.unwrap_or(&place.url));
                match place.range {
                    Some((offset, length)) => format!("[{url}, {offset}, {length}]"),
                    None => format!("[{url}]"),
                }
            }
            None => {
                let mut value = Vec::new();
                store.get(&stored, &mut value)?;
                let array = key.strip_suffix(ATTRIBUTES).map(|above| format!("{above}{ARRAY}"));
                if let Some(array) = array.filter(|array| keys.binary_search(array).is_ok()) {
                    let array = Key::trusted(format!("{prefix}{array}"));
                    let attributes = Attributes::parse(&value)?;
                    let all = with_dimensions(from, &array, attributes, &mut named)?;
                    value = all.to_json().into_bytes();
                }
                inline(&value)
            }
        };
        push(&mut text, n > 0, key, &reference)?;
        if let Some(above) = key.strip_suffix(ARRAY) {
            let attributes = format!("{above}{ATTRIBUTES}");
            if keys.binary_search(&attributes).is_err() {
                let all = with_dimensions(from, &stored, Attributes::default(), &mut named)?;
                push(&mut text, true, &attributes, &inline(all.to_json().as_bytes()))?;
            }
        }
        progress.report((n + 1) as f64 / keys.len() as f64, || key.clone())?;
    }
    text.push_str("\n}}\n");
    Ok(text)
}

fn no_memory() -> Error {
    Error::new(Kind::OutOfMemory, "there is no memory for the references")
}

fn push(text: &mut String, comma: bool, key: &str, reference: &str) -> Result<()> {
    let key = Value::from(key).to_string();
    text.try_reserve(key.len() + reference.len() + 8).map_err(|_| no_memory())?;
    for part in [if comma { ",\n" } else { "\n" }, &key, ": ", reference] {
        text.push_str(part);
    }
    Ok(())
}

/// A value among the references: text as it is, all else in Base64.
fn inline(value: &[u8]) -> String {
    match std::str::from_utf8(value) {
        Ok(text) if !text.starts_with("base64:") && !text.contains('\0') => Value::from(text),
        _ => Value::from(format!("base64:{}", STANDARD.encode(value))),
    }
    .to_string()
}

/// The attributes of an array with names of its dimensions, where they have none made up as netCDF
/// does: those of one extent have one name, unless they are of one array.
fn with_dimensions(
    from: &Hierarchy,
    array: &Key,
    mut attributes: Attributes,
    named: &mut BTreeMap<(u64, usize), usize>,
) -> Result<Attributes> {
    if attributes.get(DIMENSIONS).is_some() {
        return Ok(attributes);
    }
    #[derive(serde::Deserialize)]
    struct Document {
        shape: Vec<u64>,
    }
    let mut text = Vec::new();
    from.store().get(array, &mut text)?;
    let document: Document =
        from_json(&text).map_err(|e| Error::metadata(format!("{array}: {e}")))?;
    let name = |(d, extent): (usize, &u64)| {
        let before = document.shape[..d].iter().filter(|other| *other == extent).count();
        let next = named.len();
        let number = *named.entry((*extent, before)).or_insert(next);
        Value::from(format!("phony_dim_{number}"))
    };
    let names: Vec<Value> = document.shape.iter().enumerate().map(name).collect();
    attributes.set(DIMENSIONS, &Value::from(names).to_string())?;
    Ok(attributes)
}
