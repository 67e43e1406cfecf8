//! What a store says: its nodes with attributes, shapes and elements.

use crate::common::{hierarchy, path};
use std::collections::{BTreeMap, BTreeSet};
use zarrc::array::MemoryType;
use zarrc::error::Result;
use zarrc::format::NodeKind;
use zarrc::hierarchy::{ArrayNode, Hierarchy};
use zarrc::metadata::DataType;
use zarrc::selection::Region;
use zarrc::store::{Depth, SharedStore};
use zarrc::strided::ViewMut;

#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub shape: Vec<u64>,
    /// By index: where the chunk begins, and its elements inside the array.
    pub chunks: BTreeMap<Vec<u64>, Vec<Vec<u8>>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub attributes: String,
    pub array: Option<Array>,
}

pub type State = BTreeMap<String, Node>;

/// Elements of a region, one by one.
fn elements(node: &ArrayNode, region: &Region) -> Result<Vec<Vec<u8>>> {
    let item = node.array.metadata().data_type.size();
    if node.array.metadata().data_type == DataType::String {
        let read = node.array.read_vlen(region)?;
        let bounds = read.offsets().windows(2);
        return Ok(bounds.map(|b| read.bytes()[b[0] as usize..b[1] as usize].to_vec()).collect());
    }
    let counts: Vec<usize> = region.spans().iter().map(|s| s.count as usize).collect();
    let mut out = vec![0xAA; counts.iter().product::<usize>() * item];
    node.array.read(region, MemoryType::Native, ViewMut::contiguous(&mut out, &counts, item)?)?;
    Ok(out.chunks(item).map(<[u8]>::to_vec).collect())
}

fn array(node: &ArrayNode) -> Result<Array> {
    let shape = node.array.shape();
    let mut chunks = BTreeMap::new();
    for index in node.array.chunks_touched(&Region::whole(&shape))? {
        let region = node.array.region_of_chunk(&index).expect("inside");
        chunks.insert(index, elements(node, &region)?);
    }
    Ok(Array { shape, chunks })
}

/// Reads all of a store by a handle of its own.
pub fn read(store: &SharedStore, options: &[(&str, &str)]) -> Result<State> {
    let nodes = hierarchy(store, options);
    let mut state = State::new();
    if nodes.kind_at(&path(""))?.is_none() {
        return Ok(state);
    }
    let mut paths = BTreeSet::from([String::new()]);
    if nodes.kind_at(&path(""))? == Some(NodeKind::Group) {
        paths.extend(nodes.open_group(&path(""))?.list(true)?.into_iter().map(|node| node.path));
    }
    // also those to which only their path leads
    let keys = crate::common::list(&**store, "", Depth::All)?;
    paths.extend(keys.iter().filter_map(|key| Some(key.rsplit_once('/')?.0.to_owned())));
    for name in paths {
        // a group without documents exists only because of keys below it
        if nodes.find(&path(&name))?.is_some() {
            let node = read_node(&nodes, &name)?;
            state.insert(name, node);
        }
    }
    Ok(state)
}

fn read_node(nodes: &std::sync::Arc<Hierarchy>, name: &str) -> Result<Node> {
    let text = |all: &zarrc::metadata::Attributes| Ok(all.to_json());
    Ok(match nodes.kind_at(&path(name))? {
        Some(NodeKind::Array) => {
            let node = nodes.open_array(&path(name))?;
            Node { attributes: node.attributes().read(text)?, array: Some(array(&node)?) }
        }
        _ => {
            let node = nodes.open_group(&path(name))?;
            Node { attributes: node.attributes().read(text)?, array: None }
        }
    })
}

/// Fails unless each node, shape, attribute and chunk of `found` is that of `old` or that of `new`.
/// `mixes`: a chunk may be partly old, partly new and partly zeros.
pub fn check_between(found: &State, old: &State, new: &State, mixes: bool) -> Result<(), String> {
    for name in old.keys().filter(|name| new.contains_key(*name)) {
        if !found.contains_key(name) {
            return Err(format!("{name:?} is gone"));
        }
    }
    for (name, node) in found {
        let versions: Vec<&Node> = [old.get(name), new.get(name)].into_iter().flatten().collect();
        if versions.is_empty() {
            return Err(format!("{name:?} is neither old nor new"));
        }
        if !versions.iter().any(|n| n.attributes == node.attributes) {
            return Err(format!("{name:?} has the attributes {}", node.attributes));
        }
        let arrays: Vec<&Array> = versions.iter().filter_map(|n| n.array.as_ref()).collect();
        let Some(array) = &node.array else {
            if arrays.len() == versions.len() {
                return Err(format!("{name:?} has become a group"));
            }
            continue;
        };
        if !arrays.iter().any(|a| a.shape == array.shape) {
            return Err(format!("{name:?} has the shape {:?}", array.shape));
        }
        for (index, chunk) in &array.chunks {
            let whole: Vec<_> = arrays.iter().filter_map(|a| a.chunks.get(index)).collect();
            let is_part = |n: usize, element: &Vec<u8>| {
                element.iter().all(|&b| b == 0) || whole.iter().any(|c| c.get(n) == Some(element))
            };
            let any = whole.contains(&chunk);
            let cleared = mixes && chunk.iter().enumerate().all(|(n, element)| is_part(n, element));
            if !any && !cleared {
                return Err(format!("{name:?}: chunk {index:?} is neither old nor new: {chunk:?}"));
            }
        }
    }
    Ok(())
}
