//! The stored sizes of the chunks of one plane of an array.

use super::{View, json, required};
use crate::failure::{Failure, Result};
use crate::pieces::item;
use crate::web::{Request, Response};
use serde_json::json;
use std::sync::atomic::{AtomicI64, Ordering};

/// The most chunks along either side of a map; of more, every n-th is looked at.
const SIDE: u64 = 96;
/// The same where each takes a request.
const REMOTE_SIDE: u64 = 24;
/// Requests at once.
const REQUESTS: usize = 32;

/// A map of the chunks along two dimensions, `rows` and `columns`, through the element `at`; a
/// missing dimension has one chunk. -1 is the size of a chunk that is not stored.
pub fn chunks(view: &View, request: &Request) -> Result<Response> {
    let node = view.array(request)?;
    let array = &node.array;
    let counts = array.chunk_counts();
    let edges = array.outer_chunk_shape();
    let dimension = |name| -> Result<Option<usize>> {
        let text = required(request, name)?;
        match text.parse::<usize>() {
            _ if text.is_empty() => Ok(None),
            Ok(d) if d < counts.len() => Ok(Some(d)),
            _ => Err(Failure::usage(format!("{name}: the array has no dimension {text:?}"))),
        }
    };
    let (rows, columns) = (dimension("rows")?, dimension("columns")?);
    let at = required(request, "at")?;
    let at: Vec<u64> = at.split(',').filter_map(|index| index.parse().ok()).collect();
    if at.len() != counts.len() {
        return Err(Failure::usage(format!("at: expected {} indices", counts.len())));
    }
    let along = at.iter().zip(&edges).zip(&counts);
    let base: Vec<u64> =
        along.map(|((&i, &edge), &n)| (i / edge.max(1)).min(n.saturating_sub(1))).collect();
    let remote = array.is_remote();
    let side = if remote { REMOTE_SIDE } else { SIDE };
    let extent = |d: Option<usize>| d.map_or(1, |d| counts[d]);
    let steps = [rows, columns].map(|d| extent(d).div_ceil(side).max(1));
    let shape = [extent(rows).div_ceil(steps[0]), extent(columns).div_ceil(steps[1])];
    let total = if counts.contains(&0) { 0 } else { (shape[0] * shape[1]) as usize };
    let sizes: Vec<AtomicI64> = (0..total).map(|_| AtomicI64::new(-1)).collect();
    let threads = if remote { REQUESTS } else { view.root.hierarchy.settings().threads };
    zarrc::exec::run(threads, total, &|n| {
        let mut index = base.clone();
        let (row, column) = (n as u64 / shape[1], n as u64 % shape[1]);
        if let Some(d) = rows {
            index[d] = row * steps[0];
        }
        if let Some(d) = columns {
            index[d] = column * steps[1];
        }
        if let Some(size) = array.stored_size(&index)? {
            sizes[n].store(i64::try_from(size).unwrap_or(i64::MAX), Ordering::Relaxed);
        }
        Ok(())
    })?;
    let sizes: Vec<i64> = sizes.into_iter().map(AtomicI64::into_inner).collect();
    let elements = edges.iter().fold(1u64, |n, &edge| n.saturating_mul(edge));
    Ok(json(&json!({
        "shape": shape,
        "steps": steps,
        "edges": [rows.map_or(1, |d| edges[d]), columns.map_or(1, |d| edges[d])],
        "base": base,
        "sizes": sizes,
        "bytes": elements.saturating_mul(item(array)),
    })))
}
