//! `chunk_grid` of a v3 document: "regular", and "rectilinear" from the registry.
//! <https://zarr-specs.readthedocs.io/en/latest/v3/chunk-grids/regular-grid/index.html>
//! <https://github.com/zarr-developers/zarr-extensions/tree/main/chunk-grids/rectilinear>

use super::json::{Extension, list, quote};
use crate::error::{Context, Error, Result};
use crate::metadata::{ChunkGrid, Edges};
use serde::Deserialize;

/// The chunk extents along one dimension, as in the document.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected an extent or a list of extents and [extent, count]")]
enum Written {
    Every(u64),
    Listed(Vec<Element>),
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected an extent or [extent, count]")]
enum Element {
    One(u64),
    Run([u64; 2]),
}

/// The grid of an array of `shape`.
pub(super) fn parse(grid: &Extension, shape: &[u64]) -> Result<ChunkGrid> {
    let parse: fn(&Extension, &[u64]) -> Result<ChunkGrid> = match &*grid.name {
        "regular" => regular,
        "rectilinear" => rectilinear,
        name => {
            return Err(Error::unsupported(format!("chunk grid {name:?} is not supported")));
        }
    };
    parse(grid, shape).at(|| "chunk_grid")
}

fn regular(grid: &Extension, shape: &[u64]) -> Result<ChunkGrid> {
    let mut members = grid.members()?;
    let chunk_shape = members.read_required("chunk_shape")?;
    members.finish("configuration")?;
    ChunkGrid::regular(chunk_shape, shape.len())
}

fn rectilinear(grid: &Extension, shape: &[u64]) -> Result<ChunkGrid> {
    let mut members = grid.members()?;
    let kind: String = members.read_required("kind")?;
    if kind != "inline" {
        return Err(Error::unsupported(format!("kind {kind:?} is not supported")));
    }
    let written: Vec<Written> = members.read_required("chunk_shapes")?;
    members.finish("configuration")?;
    let edges = written.into_iter().enumerate().map(|(d, written)| match written {
        Written::Every(edge) => Ok(Edges::Every(edge)),
        Written::Listed(elements) => {
            let pairs = elements.into_iter().map(|element| match element {
                Element::One(edge) => (edge, 1),
                Element::Run([edge, count]) => (edge, count),
            });
            Edges::listed(pairs).at(|| format!("dimension {d}"))
        }
    });
    ChunkGrid::rectilinear(edges.collect::<Result<_>>()?, shape)
}

/// The grid as a member of a document.
pub(super) fn to_json(grid: &ChunkGrid) -> Result<String> {
    let named = |name: &str, members: String| {
        format!("{{\"name\": {}, \"configuration\": {{{members}}}}}", quote(name))
    };
    let ChunkGrid::Rectilinear(edges) = grid else {
        return Ok(named("regular", format!("\"chunk_shape\": {}", list(grid.regular_shape()?))));
    };
    let written = edges.iter().map(|edges| match edges {
        Edges::Every(edge) => edge.to_string(),
        Edges::Listed(runs) => list(runs.iter().map(|run| match run.count {
            1 => run.edge.to_string(),
            count => list([run.edge, count]),
        })),
    });
    let members = format!("\"kind\": \"inline\", \"chunk_shapes\": {}", list(written));
    Ok(named("rectilinear", members))
}
