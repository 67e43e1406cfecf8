//! Descriptions of arrays and hierarchies, as JSON and as text.

use crate::error::{Context, Result};
use crate::exec;
use crate::format::{self, NodeKind};
use crate::hierarchy::{ArrayNode, Group};
use crate::metadata::NodeMetadata;
use crate::metadata::codecs::CODECS;
use crate::store::{OPTIONS, SCHEMES};
use serde_json::{Value, json};
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

/// What this build can do: "version", "formats", "codecs" (each with "name", "aliases" and "kind"),
/// "stores" (URL schemes) and "options" (each with "name", "values", "default" and "doc").
pub fn build_info() -> Value {
    let codecs: Vec<_> = CODECS
        .iter()
        .map(|c| json!({ "name": c.name, "aliases": c.aliases, "kind": c.kind.name() }))
        .collect();
    let options: Vec<_> = OPTIONS
        .iter()
        .map(|o| {
            let values = o.values.describe();
            json!({ "name": o.name, "values": values, "default": o.default, "doc": o.doc })
        })
        .collect();
    let built = SCHEMES.iter().filter(|scheme| scheme.is_built());
    let stores: Vec<_> = built.map(|scheme| scheme.name).collect();
    let formats: Vec<_> = format::FORMATS.iter().map(|f| f.id.name()).collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "formats": formats,
        "codecs": codecs,
        "stores": stores,
        "options": options,
    })
}

/// A stored chunk.
pub struct StoredChunk {
    /// Its index, in chunks.
    pub index: Vec<u64>,
    /// Its key.
    pub key: String,
    /// Its stored size (bytes).
    pub bytes: u64,
}

/// Visits the stored chunks with `start <= index < start + count`, in C order of their indices,
/// until `each` returns `false`.
pub fn visit_stored(
    node: &ArrayNode,
    start: &[u64],
    count: &[u64],
    each: &mut dyn FnMut(&StoredChunk) -> bool,
) -> Result<()> {
    let array = &node.array;
    array.flush()?;
    for index in array.stored_chunks()? {
        let along = index.iter().zip(start).zip(count);
        if !along.into_iter().all(|((&i, &from), &n)| i >= from && i - from < n) {
            continue;
        }
        // a chunk that was deleted since the listing is skipped
        let Some(bytes) = array.stored_size(&index)? else { continue };
        let key = array.chunk_key(&index).to_string();
        if !each(&StoredChunk { index, key, bytes }) {
            break;
        }
    }
    Ok(())
}

/// The number of stored chunks, and their total size (bytes).
fn stored_totals(node: &ArrayNode) -> Result<(u64, u64)> {
    let array = &node.array;
    array.flush()?;
    let chunks = array.stored_chunks()?;
    let bytes = AtomicU64::new(0);
    exec::run(node.hierarchy.settings().threads, chunks.len(), &|n| {
        bytes.fetch_add(array.stored_size(&chunks[n])?.unwrap_or(0), Ordering::Relaxed);
        Ok(())
    })?;
    Ok((chunks.len() as u64, bytes.into_inner()))
}

/// 'F' if the first dimension varies fastest in stored chunks, else 'C'.
pub fn order(node: &ArrayNode) -> char {
    let reversed = |c: &crate::metadata::CodecSpec| {
        let order = c.configuration.get("order")?.as_array()?;
        let axes = order.iter().rev().enumerate();
        (order.len() > 1).then_some(())?;
        axes.into_iter().all(|(n, axis)| axis.as_u64() == Some(n as u64)).then_some(())
    };
    let codecs = &node.array.metadata().codecs;
    let found = codecs.iter().find(|c| c.name == "transpose").and_then(reversed);
    if found.is_some() { 'F' } else { 'C' }
}

/// Describes an array by its documents and stored chunks.
pub fn array_info(node: &ArrayNode) -> Result<Value> {
    let array = &node.array;
    let mut info = array_layout(node)?;
    let (chunks_stored, stored_bytes) =
        stored_totals(node).at(|| format!("the chunks of {}", array.name()))?;
    let ratio = match info["bytes"].as_u64() {
        Some(bytes) if stored_bytes > 0 => json!(bytes as f64 / stored_bytes as f64),
        _ => Value::Null,
    };
    info["stored_bytes"] = json!(stored_bytes);
    info["ratio"] = ratio;
    info["chunks_stored"] = json!(chunks_stored);
    Ok(info)
}

/// Describes an array by its documents alone: `stored_bytes`, `ratio` and `chunks_stored` are null.
pub fn array_layout(node: &ArrayNode) -> Result<Value> {
    let array = &node.array;
    let metadata = array.metadata();
    let shape = array.shape();
    let item = metadata.data_type.size() as u64;
    let product = |numbers: &[u64]| numbers.iter().fold(1u64, |n, &k| n.saturating_mul(k));
    let bytes = match metadata.data_type.is_variable() {
        true => Value::Null,
        false => json!(product(&shape).saturating_mul(item)),
    };
    let fill: Value = crate::metadata::from_json(node.fill_json()?.as_bytes()).unwrap_or_default();
    Ok(json!({
        "path": array.path().as_str(),
        "store": node.hierarchy.store().name(),
        "format": node.format.name(),
        "shape": shape,
        "chunk_shape": array.chunk_shape(),
        "shard_shape": array.is_sharded().then(|| array.outer_chunk_shape()),
        "data_type": metadata.data_type.name(),
        "element_bytes": if metadata.data_type.is_variable() { 0 } else { item },
        "fill_value": fill,
        "order": order(node).to_string(),
        "separator": metadata.chunk_keys.separator().unwrap_or('/').to_string(),
        "dimension_names": metadata.dimension_names,
        "codecs": format::codecs_spelt_alike(metadata)?,
        "bytes": bytes,
        "stored_bytes": Value::Null,
        "ratio": Value::Null,
        "chunks": product(&array.chunk_counts()),
        "chunks_stored": Value::Null,
    }))
}

/// A group and everything below it as a tree, one line per node.
pub fn tree(group: &Group) -> Result<String> {
    let nodes = group.list(true)?;
    let mut text = format!("{}\n", if group.path().is_root() { "/" } else { group.path().name() });
    // the last child of each group ends the bar of its siblings
    let parent = |path: &str| path.rsplit_once('/').map_or("", |(above, _)| above).to_owned();
    let last: std::collections::HashMap<String, &str> =
        nodes.iter().map(|n| (parent(&n.path), n.path.as_str())).collect();
    for node in &nodes {
        let segments: Vec<&str> = node.path.split('/').collect();
        let mut above = String::new();
        for (depth, segment) in segments.iter().enumerate() {
            let path = if depth == 0 { (*segment).into() } else { format!("{above}/{segment}") };
            let is_last = last.get(&above) == Some(&path.as_str());
            text.push_str(match (depth + 1 == segments.len(), is_last) {
                (true, true) => " └── ",
                (true, false) => " ├── ",
                (false, true) => "     ",
                (false, false) => " │   ",
            });
            above = path;
        }
        text.push_str(segments.last().unwrap_or(&""));
        match node.kind {
            None => text.push_str(" (unreadable)"),
            Some(NodeKind::Group) => {}
            Some(NodeKind::Array) => {
                let path = group.path().join(&node.path)?;
                match group.hierarchy.find(&path) {
                    Ok(Some(found)) => {
                        if let NodeMetadata::Array(array) = found.metadata {
                            let extents: Vec<String> =
                                array.shape.iter().map(u64::to_string).collect();
                            let name = array.data_type.name();
                            let _ = write!(text, " ({}) {name}", extents.join(", "));
                        }
                    }
                    _ => text.push_str(" (unreadable)"),
                }
            }
        }
        text.push('\n');
    }
    Ok(text)
}
