//! `bytes`: the elements of a chunk in C order, in a chosen byte order.
//! <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/bytes/index.html>
//!
//! Without compression this is the whole chain, and partial reads are possible: [`plan`] weighs
//! requests against bytes.

use super::config::Config;
use super::{ArrayBytesCodec, ChunkSpec, Codec, Encoded, Len, decode_bounds};
use crate::call::Call;
use crate::error::{Error, Result};
use crate::exec::Block;
use crate::metadata::Endian;
use crate::selection::{Pick, Region, Span};
use crate::source::{ByteSource, Want, push, reserve};
use crate::strided::{
    Extents, Strides, Swap, View, ViewMut, copy, copy_swapped, gather_runs, swap_in_place,
};

struct Bytes {
    shape: Vec<u64>,
    item: usize,
    size: u64,
    swap: Swap,
}

pub(super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["endian"])?;
    if spec.data_type.is_variable() {
        let what = format!("cannot encode elements of variable length ({})", spec.data_type.name());
        return Err(config.error(what));
    }
    let endian = config.word("endian", &[("little", Endian::Little), ("big", Endian::Big)])?;
    if endian.is_none() && spec.data_type.has_byte_order() {
        return Err(config.error(format!(
            "needs the parameter \"endian\" for the type {}",
            spec.data_type.name()
        )));
    }
    Ok(Codec::ArrayBytes(Box::new(Bytes {
        shape: spec.shape.clone(),
        item: spec.data_type.size(),
        size: spec.size()?,
        swap: spec.data_type.swap(endian.unwrap_or(Endian::NATIVE)),
    })))
}

/// The elements in native byte order.
pub(super) fn native(spec: &ChunkSpec) -> Result<Box<dyn ArrayBytesCodec>> {
    Ok(Box::new(Bytes {
        shape: spec.shape.clone(),
        item: spec.data_type.size(),
        size: spec.size()?,
        swap: Swap::None,
    }))
}

/// Chooses how many leading dimensions of a region to read index by index, each by one request for
/// the byte span of the remaining dimensions, so that requests and bytes cost least.
fn plan(shape: &[u64], item: u64, spans: &[Span], request_cost: u64) -> usize {
    let mut stride = item;
    let mut covered = item; // bytes from the first to the last that dimensions d.. select
    let mut requests: u64 = spans.iter().map(|s| s.count).fold(1, u64::saturating_mul);
    let mut best = (u64::MAX, spans.len());
    for d in (0..=spans.len()).rev() {
        let cost = requests.saturating_mul(request_cost.saturating_add(covered));
        if cost <= best.0 {
            best = (cost, d);
        }
        if d > 0 {
            let span = spans[d - 1];
            covered += (span.count - 1) * span.step * stride;
            stride *= shape[d - 1];
            requests = spans[..d - 1].iter().map(|s| s.count).fold(1, u64::saturating_mul);
        }
    }
    best.1
}

impl Bytes {
    /// Reads what the dimensions from `d` on select by one request, at `offset` in the value.
    fn read_span(
        &self,
        source: &dyn ByteSource,
        offset: u64,
        spans: &[Span],
        mut dst: ViewMut<'_>,
    ) -> Result<bool> {
        let inner = &self.shape[self.shape.len() - spans.len()..];
        // from the first byte to the last
        let mut strides = Strides::from_elem(0, spans.len());
        let (mut first, mut covered, mut stride) = (0, self.item as u64, self.item as u64);
        for (d, (span, extent)) in spans.iter().zip(inner).enumerate().rev() {
            first += span.start * stride;
            covered += (span.count - 1) * span.step * stride;
            strides[d] = (span.step * stride) as isize;
            stride *= extent;
        }
        let dense = covered == (dst.len() * self.item) as u64;
        if dense && let Some(out) = dst.as_contiguous_mut() {
            let there = source.read_at(offset + first, out)?;
            if there {
                swap_in_place(out, self.item, &self.swap)?;
            }
            return Ok(there);
        }
        let mut block = Block::new(covered as usize)?;
        if !source.read_at(offset + first, &mut block)? {
            return Ok(false);
        }
        let shape: Extents = dst.shape().into();
        let src = View::strided(&block, &shape, &strides, self.item)?;
        copy_swapped(&src, &mut dst, &self.swap)?;
        Ok(true)
    }
}

impl Bytes {
    /// Copies the picked elements of a whole chunk.
    fn gather(&self, pick: &Pick, all: &[u8], dst: &mut ViewMut<'_>) -> Result<()> {
        let shape: Extents = self.shape.iter().map(|&n| n as usize).collect();
        pick.gather(&View::contiguous(all, &shape, self.item)?, dst)?;
        self.swap_view(dst)
    }

    /// Swaps bytes in place.
    fn swap_view(&self, dst: &mut ViewMut<'_>) -> Result<()> {
        if self.swap == Swap::None {
            return Ok(());
        }
        if let Some(bytes) = dst.as_contiguous_mut() {
            return swap_in_place(bytes, self.item, &self.swap);
        }
        let mut block = Block::new(dst.len() * self.item)?;
        let shape: Extents = dst.shape().into();
        copy_swapped(
            &dst.as_view(),
            &mut ViewMut::contiguous(&mut block, &shape, self.item)?,
            &self.swap,
        )?;
        copy(&View::contiguous(&block, &shape, self.item)?, dst)
    }

    /// Reads runs of elements separately; gaps that cost less than a request are bridged.
    fn read_runs(
        &self,
        source: &dyn ByteSource,
        pick: &Pick,
        dst: &mut ViewMut<'_>,
    ) -> Result<bool> {
        let item = self.item as u64;
        let mut count = 0;
        pick.for_each_run(&self.shape, |_, _| count += 1)?;
        let mut runs: Vec<(u64, u64)> = Vec::new();
        reserve(&mut runs, count)?;
        pick.for_each_run(&self.shape, |first, length| runs.push((first * item, length * item)))?;
        let mut sorted = Vec::new();
        reserve(&mut sorted, count)?;
        sorted.extend_from_slice(&runs);
        sorted.sort_unstable();
        // offset, length and buffer position of each request
        let mut spans: Vec<(u64, u64, usize)> = Vec::new();
        for &(offset, len) in &sorted {
            match spans.last_mut() {
                Some((from, span, _)) if offset <= *from + *span + source.request_cost() => {
                    *span = (*span).max(offset + len - *from);
                }
                _ => push(&mut spans, (offset, len, 0))?,
            }
        }
        let mut all = 0;
        for (_, len, at) in &mut spans {
            *at = all;
            all += *len as usize;
        }
        let mut wants = Vec::new();
        reserve(&mut wants, spans.len())?;
        wants.extend(spans.iter().map(|&(at, len, _)| Want::Range(at, len)));
        source.prefetch(&wants)?;
        let mut block = Block::new(all)?;
        for &(offset, len, at) in &spans {
            if !source.read_at(offset, &mut block[at..at + len as usize])? {
                return Ok(false);
            }
        }
        let mut dense = Block::new(dst.len() * self.item)?;
        let mut to = 0;
        for (offset, len) in runs {
            let (from, _, at) = spans[spans.partition_point(|span| span.0 <= offset) - 1];
            let start = at + (offset - from) as usize;
            dense[to..to + len as usize].copy_from_slice(&block[start..start + len as usize]);
            to += len as usize;
        }
        let shape: Extents = dst.shape().into();
        copy_swapped(&View::contiguous(&dense, &shape, self.item)?, dst, &self.swap)?;
        Ok(true)
    }
}

impl ArrayBytesCodec for Bytes {
    fn encoded_len(&self) -> Len {
        Len::Exactly(self.size)
    }

    fn raw_layout(&self) -> Option<&Swap> {
        Some(&self.swap)
    }

    fn reads_first(&self, bounds: Option<&Region>) -> Option<Want> {
        let bounds = bounds?;
        let at = |place: &dyn Fn(&Span) -> u64| {
            let places = bounds.spans().iter().map(place).zip(&self.shape);
            places.fold(0, |n, (i, extent)| n * extent + i) * self.item as u64
        };
        let first = at(&|span| span.start);
        let last = at(&|span| span.start + span.count.saturating_sub(1) * span.step);
        Some(Want::Range(first, last - first + self.item as u64))
    }

    fn decode(
        &self,
        source: &dyn ByteSource,
        region: &Region,
        mut dst: ViewMut<'_>,
        _: &Call<'_>,
    ) -> Result<bool> {
        if region.covers(&self.shape) {
            if let Some(out) = dst.as_contiguous_mut() {
                let there = source.read_exactly(out)?;
                if there {
                    swap_in_place(out, self.item, &self.swap)?;
                }
                return Ok(there);
            }
            let mut block = Block::new(self.size as usize)?;
            let there = source.read_exactly(&mut block)?;
            if there {
                let shape: Extents = dst.shape().into();
                let src = View::contiguous(&block, &shape, self.item)?;
                copy_swapped(&src, &mut dst, &self.swap)?;
            }
            return Ok(there);
        }
        if region.is_empty() || self.item == 0 {
            return Ok(source.len()?.is_some());
        }
        // the value is in memory: just copy
        if let Some(all) = source.as_slice() {
            if all.len() as u64 != self.size {
                return Err(crate::source::wrong_length(self.size, all.len() as u64));
            }
            let shape: Extents = self.shape.iter().map(|&n| n as usize).collect();
            let (start, step, count) = region.to_view();
            let src = View::contiguous(all, &shape, self.item)?.step(&start, &step, &count)?;
            copy_swapped(&src, &mut dst, &self.swap)?;
            return Ok(true);
        }
        let spans = region.spans();
        let outer = plan(&self.shape, self.item as u64, spans, source.request_cost());
        let mut index = Extents::from_elem(0, outer);
        let mut waits = false;
        loop {
            // offset of the current index of the outer dimensions in the value
            let mut at = 0;
            for d in 0..outer {
                at = at * self.shape[d] + spans[d].start + index[d] as u64 * spans[d].step;
            }
            for &extent in &self.shape[outer..] {
                at *= extent;
            }
            let mut part = dst.reborrow();
            for &i in &index {
                part = part.into_index(0, i)?;
            }
            match self.read_span(source, at * self.item as u64, &spans[outer..], part) {
                // pending: the next requests are issued together with this one
                Err(e) if e.is_pending() => waits = true,
                there => {
                    if !there? {
                        return Ok(false);
                    }
                }
            }
            let Some(d) = (0..outer).rev().find(|&d| index[d] + 1 < spans[d].count as usize) else {
                return if waits { Err(Error::pending()) } else { Ok(true) };
            };
            index[d] += 1;
            index[d + 1..].fill(0);
        }
    }

    /// Scattered elements are read separately if that costs less than reading all between them.
    fn decode_pick(
        &self,
        source: &dyn ByteSource,
        pick: &Pick,
        mut dst: ViewMut<'_>,
        call: &Call<'_>,
    ) -> Result<bool> {
        if matches!(pick, Pick::Region(_)) || pick.is_empty() || self.item == 0 {
            return decode_bounds(pick, dst, |region, dst| self.decode(source, region, dst, call));
        }
        if let Some(all) = source.as_slice() {
            if all.len() as u64 != self.size {
                return Err(crate::source::wrong_length(self.size, all.len() as u64));
            }
            self.gather(pick, all, &mut dst)?;
            return Ok(true);
        }
        let item = self.item as u64;
        let (requests, between) = match pick {
            Pick::Scattered(all) => {
                let (first, end) = all.ends();
                (all.runs().starts.len() as u64, end - first)
            }
            _ => {
                let bounds = pick.bounds();
                let covered = bounds.spans().iter().map(|s| (s.count - 1) * s.step + 1);
                (pick.len(), covered.product())
            }
        };
        let between = between.saturating_mul(item);
        if requests.saturating_mul(source.request_cost()) < between {
            return self.read_runs(source, pick, &mut dst);
        }
        if between > self.size / 2 {
            let mut block = Block::new(self.size as usize)?;
            if !source.read_exactly(&mut block)? {
                return Ok(false);
            }
            self.gather(pick, &block, &mut dst)?;
            return Ok(true);
        }
        if let Pick::Scattered(all) = pick
            && all.runs().shape == self.shape
        {
            let (first, end) = all.ends();
            let mut block = Block::new(between as usize)?;
            if !source.read_at(first * item, &mut block)? {
                return Ok(false);
            }
            let row = View::contiguous(&block, &[(end - first) as usize], self.item)?;
            gather_runs(&row, all.in_row(first, end)?.runs(), &mut dst)?;
            self.swap_view(&mut dst)?;
            return Ok(true);
        }
        decode_bounds(pick, dst, |region, dst| self.decode(source, region, dst, call))
    }

    fn encode<'a>(&self, src: &View<'a>, _: &Call<'_>) -> Result<Encoded<'a>> {
        if self.swap == Swap::None
            && let Some(bytes) = src.as_contiguous()
        {
            return Ok(Encoded::from(bytes));
        }
        let mut out = Block::new(self.size as usize)?;
        let mut dst = ViewMut::contiguous(&mut out, src.shape(), self.item)?;
        copy_swapped(src, &mut dst, &self.swap)?;
        Ok(Encoded::from(out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(parts: &[(u64, u64, u64)]) -> Vec<Span> {
        parts.iter().map(|&(start, count, step)| Span { start, count, step }).collect()
    }

    #[test]
    fn requests_are_weighed_against_bytes() {
        let shape = [64, 64, 64];
        // a z-plane is one run of bytes
        assert_eq!(plan(&shape, 4, &spans(&[(3, 1, 1), (0, 64, 1), (0, 64, 1)]), 8192), 0);
        // an x-plane: one request for nearly everything, not 4096
        assert_eq!(plan(&shape, 4, &spans(&[(0, 64, 1), (0, 64, 1), (5, 1, 1)]), 8192), 0);
        // a box of 16^3: a request per z, not one for a quarter of the chunk
        assert_eq!(plan(&shape, 4, &spans(&[(8, 16, 1), (8, 16, 1), (8, 16, 1)]), 8192), 1);
        // where a request is dear, one
        assert_eq!(plan(&shape, 4, &spans(&[(8, 16, 1), (8, 16, 1), (8, 16, 1)]), 1 << 20), 0);
    }
}
