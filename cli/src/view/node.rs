//! What the page shows of a node: its children, its metadata, and what its chunks take.

use super::{View, data, json};
use crate::failure::{Failure, Result};
use crate::look;
use crate::place::Node;
use crate::web::{Request, Response};
use serde_json::{Value, json};

/// The most children of a group that are sent.
const CHILDREN: usize = 2000;

/// The children of a group.
pub fn children(view: &View, request: &Request) -> Result<Response> {
    let place = view.place(request)?;
    let group = match place.node()? {
        Node::Group(group) => group,
        Node::Array(_) => return Ok(json(&json!({ "children": [], "more": 0 }))),
    };
    let mut nodes = group.list(false)?;
    let more = nodes.len().saturating_sub(CHILDREN);
    nodes.truncate(CHILDREN);
    let entries: Result<Vec<Value>> =
        nodes.iter().map(|node| look::listed(&place, &group, node)).collect();
    Ok(json(&json!({ "children": entries?, "more": more })))
}

/// The metadata and attributes of a node.
pub fn node(view: &View, request: &Request) -> Result<Response> {
    let place = view.place(request)?;
    view.forget(&place.path);
    let node = place.node()?;
    let mut layout = look::layout(&place, &node)?;
    if let Node::Array(array) = &node {
        layout["numbers"] = data::is_shown(&array.array.metadata().data_type).into();
        layout["chunk_counts"] = json!(array.array.chunk_counts());
        layout["remote"] = place.hierarchy.store().is_remote().into();
    }
    Ok(json(&layout))
}

/// What all chunks of an array take, which lists them.
pub fn totals(view: &View, request: &Request) -> Result<Response> {
    let array = view.array(request)?;
    let info = zarrc::operations::array_info(&array).map_err(Failure::from)?;
    let keep = ["chunks", "chunks_stored", "bytes", "stored_bytes", "ratio"];
    let kept = keep.iter().map(|&name| (name.to_owned(), info[name].clone()));
    Ok(json(&Value::Object(kept.collect())))
}
