//! Chunks: decodes each stored chunk; of shards, checks the index too.

use super::Check;
use crate::array::{Array, MemoryType};
use crate::codec::ShardLayout;
use crate::error::{Error, Kind, Result};
use crate::exec::Block;
use crate::selection::{Region, Span};
use crate::strided::{Extents, ViewMut};
use std::sync::atomic::Ordering;

impl Check<'_> {
    /// Finds the chunks of an array among `keys`: passes those inside the shape to `each`, and
    /// reports the others.
    pub(super) fn find_chunks(
        &self,
        array: &Array,
        keys: &[String],
        known: &mut [bool],
        each: &mut dyn FnMut(Vec<u64>),
    ) {
        let (prefix, counts) = (array.chunk_prefix(), array.chunk_counts());
        let first = keys.partition_point(|key| key.as_str() < prefix);
        for (key, known) in keys[first..].iter().zip(&mut known[first..]) {
            if !key.starts_with(prefix) {
                break;
            }
            let Some(index) = array.chunk_index(key) else { continue };
            *known = true;
            if index.iter().zip(&counts).all(|(i, n)| i < n) {
                each(index);
            } else {
                let text = format!(
                    "chunk {index:?} lies outside the array, which has {counts:?} chunks; it would \
                     return when the array grows"
                );
                self.report(array.path(), key, "outside", text);
            }
        }
    }

    /// Checks one chunk.
    pub(super) fn chunk(&self, array: &Array, index: &[u64]) -> Result<()> {
        let (path, key) = (array.path(), array.chunk_key(index));
        let key = key.as_str();
        match array.stored_size(index) {
            Ok(None) => return Ok(()), // gone since it was listed
            Ok(Some(size)) => self.bytes.fetch_add(size, Ordering::Relaxed),
            Err(e) => return self.report_error(path, key, "chunk", e),
        };
        if !array.is_sharded() {
            return self.whole_chunk(array, index, key);
        }
        match array.shard_layout(index) {
            // the index was read, so the number of inner chunks is bounded by its size
            Ok(Some(layout)) => self.layout(array, key, &layout),
            Ok(None) => return self.whole_chunk(array, index, key),
            Err(e) => return self.report_error(path, key, "index", e),
        }
        self.inner_chunks(array, index, key)
    }

    fn whole_chunk(&self, array: &Array, index: &[u64], key: &str) -> Result<()> {
        let bounds = array.chunk_bounds(index);
        match bounds.and_then(|(start, count)| decode(array, &start, &count)) {
            Err(e) => self.report_error(array.path(), key, "chunk", e),
            Ok(()) => Ok(()),
        }
    }

    /// Decodes the inner chunks of a shard one by one, to report each.
    fn inner_chunks(&self, array: &Array, index: &[u64], key: &str) -> Result<()> {
        let (start, count) = array.chunk_bounds(index)?;
        let inner = array.chunk_shape();
        let counts: Vec<u64> = count.iter().zip(&inner).map(|(n, i)| n.div_ceil(*i)).collect();
        let mut cell = vec![0; counts.len()];
        loop {
            self.progress.check()?;
            let along = (0..cell.len()).map(|d| {
                let from = cell[d] * inner[d];
                (start[d] + from, inner[d].min(count[d] - from))
            });
            let (start, count): (Vec<u64>, Vec<u64>) = along.unzip();
            if let Err(e) = decode(array, &start, &count) {
                self.report_error(array.path(), key, "chunk", e)?;
            }
            let next = (0..cell.len()).rev().find(|&d| cell[d] + 1 < counts[d]);
            let Some(d) = next else { return Ok(()) };
            cell[d] += 1;
            cell[d + 1..].fill(0);
        }
    }

    /// Reports inconsistencies in a shard, and unused bytes.
    fn layout(&self, array: &Array, key: &str, layout: &ShardLayout) {
        let report = |kind, text: String| self.report(array.path(), key, kind, text);
        let mut used = vec![(layout.index, "the index".to_owned())];
        for &(n, offset, len) in &layout.parts {
            match offset.checked_add(len) {
                Some(end) if end <= layout.len => {
                    used.push(((offset, len), format!("inner chunk {n}")));
                }
                _ => report(
                    "index",
                    format!(
                        "inner chunk {n} ({len} bytes at offset {offset}) leaves the shard ({} \
                         bytes)",
                        layout.len
                    ),
                ),
            }
        }
        used.sort();
        let (mut end, mut dead, mut last) = (0, 0, String::new());
        for ((offset, len), what) in used {
            if len > 0 && offset < end {
                report("overlap", format!("{what} overlaps {last} at offset {offset}"));
            }
            dead += offset.saturating_sub(end);
            if offset + len > end {
                (end, last) = (offset + len, what);
            }
        }
        dead += layout.len.saturating_sub(end);
        if dead > 0 {
            let of = layout.len;
            report("dead_space", format!("{dead} of {of} bytes belong to no inner chunk"));
        }
    }
}

/// Decodes a box and drops it.
fn decode(array: &Array, start: &[u64], count: &[u64]) -> Result<()> {
    let spans = start.iter().zip(count);
    let region = Region::from_spans(spans.map(|(&start, &count)| Span { start, count, step: 1 }));
    if array.metadata().data_type.is_variable() {
        return array.read_vlen(&region).map(drop);
    }
    let item = array.metadata().data_type.size();
    let extents: Extents = count.iter().map(|&n| n as usize).collect();
    let bytes = extents.iter().try_fold(item, |n, &extent| n.checked_mul(extent));
    let too_large = || Error::new(Kind::LimitExceeded, "the size of a chunk overflows 64 bits");
    let mut block = Block::new(bytes.ok_or_else(too_large)?)?;
    array.read(&region, MemoryType::Native, ViewMut::contiguous(&mut block, &extents, item)?)
}
