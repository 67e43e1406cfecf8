//! `transpose`: permutes the axes of a chunk.
//! <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/transpose/index.html>

use super::config::Config;
use super::{ChunkSpec, Codec};
use crate::error::Result;
use serde_json::Value;

pub(super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["order"])?;
    let rank = spec.shape.len();
    let order = match config.get("order") {
        None => return Err(config.missing("order")),
        // the spelling before the specification was final
        Some(Value::String(s)) if s == "C" => (0..rank as u64).collect(),
        Some(Value::String(s)) if s == "F" => (0..rank as u64).rev().collect(),
        Some(_) => config.extents("order")?.unwrap_or_default(),
    };
    let mut seen = vec![false; rank];
    let is_new = |&axis: &u64| {
        usize::try_from(axis)
            .ok()
            .and_then(|a| seen.get_mut(a))
            .is_some_and(|s| !std::mem::replace(s, true))
    };
    if order.len() != rank || !order.iter().all(is_new) {
        return Err(
            config.error(format!("has the order {order:?}: expected a permutation of {rank} axes"))
        );
    }
    Ok(Codec::Axes(order.iter().map(|&axis| axis as usize).collect()))
}
