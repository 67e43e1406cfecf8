//! The arrays of a writer: declared, brought to one length, and given memory for unfinished chunks.

use crate::array::Extent;
use crate::error::{Error, Kind, Result};
use crate::hierarchy::{ArrayNode, ArraySpec, Found, Group};
use crate::metadata::{ChunkGrid, NodeMetadata};
use crate::selection::Region;
use std::sync::{Arc, Mutex};

/// Chunks of this size (bytes) or more are stored once, when they are full. Smaller ones are stored
/// again with each commit that becomes visible, which costs less than waiting for them.
const LARGE: u64 = 1 << 20;

/// The most steps that readers wait for chunks of different extents to end together.
const MAX_GRAIN: u64 = 1 << 20;

/// An array that grows by steps.
pub(super) struct Variable {
    pub node: Arc<ArrayNode>,
    /// Its extents, without the first.
    inner: Vec<u64>,
    /// The shape of its chunks; of its shards, if it has those.
    chunk: Vec<u64>,
    /// Whether it existed.
    is_old: bool,
    /// Held while its extent in memory changes.
    growing: Mutex<()>,
}

impl Variable {
    /// Creates the array, or opens it; checks it beside those declared before.
    pub fn open(
        group: &Group,
        name: &str,
        spec: &ArraySpec,
        others: &[Variable],
    ) -> Result<Variable> {
        let path = group.path().join(name)?;
        if path.parent().as_ref() != Some(group.path()) {
            return Err(Error::invalid(format!(
                "name {name:?}: expected the name of an array in the group"
            )));
        }
        if others.iter().any(|other| *other.node.array.path() == path) {
            return Err(Error::new(Kind::AlreadyExists, "it is declared already"));
        }
        if spec.shape.first() != Some(&0) {
            return Err(Error::invalid(format!(
                "shape {:?}: expected 0 as the first extent, which grows with the steps",
                spec.shape
            )));
        }
        if spec.data_type.is_variable() {
            return Err(Error::unsupported(format!(
                "elements of type {} have variable length: append them with \
                 zarrc_array_append_vlen()",
                spec.data_type.name()
            )));
        }
        let hierarchy = &group.hierarchy;
        let found = hierarchy.find(&path)?;
        let is_old = matches!(found, Some(Found { metadata: NodeMetadata::Array(_), .. }));
        let spec = &ArraySpec { format: spec.format.or(Some(group.format())), ..spec.clone() };
        let node = hierarchy.open_or_create_array(&path, spec)?;
        let (shape, found) = (node.array.shape(), node.array.metadata());
        if found.data_type != spec.data_type || shape.get(1..) != spec.shape.get(1..) {
            return Err(Error::new(
                Kind::AlreadyExists,
                format!(
                    "it has type {} and shape {shape:?}: expected {} and {:?}, the first extent \
                     aside",
                    found.data_type.name(),
                    spec.data_type.name(),
                    spec.shape
                ),
            ));
        }
        if node.format() != group.format() {
            return Err(Error::invalid("its format is not that of its group"));
        }
        let ChunkGrid::Regular(chunk) = node.array.grid() else {
            return Err(Error::unsupported(
                "a writer needs chunks of one shape, stored whole: Zarr v3 or v2, without chunk \
                 edges",
            ));
        };
        let inner = shape.get(1..).unwrap_or_default().to_vec();
        let node = Arc::new(node);
        let variable = Variable { node, inner, chunk, is_old, growing: Mutex::default() };
        variable.check_dimensions(others)?;
        Ok(variable)
    }

    /// A dimension of one name has one extent in all arrays, as xarray needs it.
    fn check_dimensions(&self, others: &[Variable]) -> Result<()> {
        for (d, &extent) in self.inner.iter().enumerate() {
            let Some(name) = self.node.dimension_name(d + 1)? else { continue };
            for other in others {
                for (e, &found) in other.inner.iter().enumerate() {
                    if found != extent && other.node.dimension_name(e + 1)? == Some(name) {
                        return Err(Error::invalid(format!(
                            "dimension {} has extent {extent} here and {found} in array {}",
                            name.to_string_lossy(),
                            other.node.array.path()
                        )));
                    }
                }
            }
        }
        let Some(name) = self.node.dimension_name(0)? else { return Ok(()) };
        for other in others {
            if other.node.dimension_name(0)?.is_some_and(|first| first != name) {
                return Err(Error::invalid(format!(
                    "its first dimension has another name than that of array {}",
                    other.node.array.path()
                )));
            }
        }
        Ok(())
    }

    /// The box of a block.
    pub fn region(&self, start: &[u64], count: &[u64]) -> Result<Region> {
        let mut shape = vec![u64::MAX];
        shape.extend(&self.inner);
        if start.len() != shape.len() || count.len() != shape.len() {
            return Err(Error::invalid(format!(
                "start and count: expected {} numbers each",
                shape.len()
            )));
        }
        Region::new(&shape, start, count, None)
    }

    /// Makes the array in memory at least `steps` long; its document stays.
    pub fn reach(&self, steps: u64) {
        let _growing = self.growing.lock();
        let shape = self.node.array.shape();
        if shape.first().is_some_and(|&n| n < steps) {
            self.node.array.set_extent(self.extent(steps));
        }
    }

    /// Its extent at that many steps.
    pub fn extent(&self, steps: u64) -> Extent {
        let shape = std::iter::once(steps).chain(self.inner.iter().copied()).collect();
        Extent { shape, grid: ChunkGrid::Regular(self.chunk.clone()) }
    }

    /// The size of a chunk, and of all chunks that hold one step (bytes).
    fn sizes(&self) -> (u64, u64) {
        let item = self.node.array.metadata().data_type.size() as u64;
        let chunk = self.chunk.iter().fold(item, |n, &c| n.saturating_mul(c));
        let count = self.inner.iter().zip(&self.chunk[1..]);
        (chunk, count.fold(chunk, |n, (&extent, &c)| n.saturating_mul(extent.div_ceil(c))))
    }
}

/// The largest number of steps of an array.
pub(super) fn longest(variables: &[Variable]) -> u64 {
    variables.iter().map(|v| v.node.array.shape()[0]).max().unwrap_or(0)
}

/// The steps after which all large chunks end.
pub(super) fn grain(variables: &[Variable]) -> u64 {
    let large = variables.iter().filter(|v| v.sizes().0 >= LARGE).map(|v| v.chunk[0]);
    large.fold(1, |all: u64, one| match (all / gcd(all, one)).checked_mul(one) {
        Some(both) if both <= MAX_GRAIN => both,
        _ => all.max(one),
    })
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Makes all arrays as long as the longest, which is complete: a writer stores the blocks of all
/// arrays before it makes the first of them longer. Deletes what a killed one left beyond.
pub(super) fn recover(group: &Group, variables: &[Variable]) -> Result<()> {
    let steps = longest(variables);
    for variable in variables.iter().filter(|variable| variable.is_old) {
        let array = &variable.node.array;
        array.clear_outside(&variable.extent(steps), &variable.extent(u64::MAX))?;
    }
    let hierarchy = &group.hierarchy;
    let nodes: Vec<_> = variables.iter().map(|v| (&*v.node, v.node.array.shape()[0])).collect();
    hierarchy.lengthen(group.path(), &nodes, steps)?;
    match hierarchy.consolidate(group.path()) {
        // formats and groups without consolidated metadata
        Err(e) if matches!(e.kind(), Kind::NotFound | Kind::Unsupported) => Ok(()),
        result => result,
    }
}

/// Gives each array its part of `limit` bytes for unfinished chunks; 0: two rows of its chunks.
pub(super) fn share_buffer(variables: &mut [Variable], limit: u64) {
    let rows = |v: &Variable| v.sizes().1.saturating_mul(2);
    let all = variables.iter().map(|v| u128::from(rows(v))).sum::<u128>().max(1);
    for variable in variables {
        let wanted = rows(variable);
        let bytes = match limit {
            0 => wanted,
            limit => (u128::from(limit) * u128::from(wanted) / all) as u64,
        };
        // less than a chunk would be none
        let bytes = bytes.max(variable.sizes().0);
        if let Some(node) = Arc::get_mut(&mut variable.node) {
            node.array.set_write_buffer(usize::try_from(bytes).unwrap_or(usize::MAX));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grains_are_common_multiples() {
        for (a, b, common) in [(16, 24, 8), (7, 0, 7), (1, 9, 1), (64, 16, 16)] {
            assert_eq!(gcd(a, b), common);
        }
    }
}
