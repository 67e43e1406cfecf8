//! The array -> array codecs of a chain in sequence. A permutation of axes only changes the views
//! that the others work on; the rest process elements in C order, in scratch memory of the thread.

use super::{ArrayCodec, ChunkSpec, Encoded, Patch};
use crate::call::Call;
use crate::error::{Context, Result};
use crate::exec::Block;
use crate::selection::{Pick, Region};
use crate::strided::{Extents, View, ViewMut, copy};
use std::sync::Arc;

/// Array -> array codecs, in encoding order.
#[derive(Default)]
pub(super) struct Steps(Vec<Step>);

enum Step {
    /// Axis `i` after the step is axis `[i]` before it.
    Axes(Vec<usize>),
    Filter(Filter),
}

struct Filter {
    codec: Box<dyn ArrayCodec>,
    name: &'static str,
    decoded: ChunkSpec,
    encoded: ChunkSpec,
}

/// A whole chunk before an array -> array codec that cannot decode parts, cached for its parts.
struct DecodedChunk(Block);

/// The codecs after the steps: decodes part of the chunk that the steps produce.
type Decode<'f> = dyn Fn(&Region, ViewMut<'_>, &Call<'_>) -> Result<bool> + 'f;

/// The codecs after the steps: writes a patch over a chunk.
type Update<'f> = dyn Fn(&Patch<'_>) -> Option<Result<Encoded<'static>>> + 'f;

fn extents(shape: &[u64]) -> Extents {
    shape.iter().map(|&n| n as usize).collect()
}

fn counts(region: &Region) -> Extents {
    region.spans().iter().map(|s| s.count as usize).collect()
}

fn turned(region: &Region, axes: &[usize]) -> Region {
    let spans = region.spans();
    Region::from_spans(axes.iter().map(|&axis| spans[axis]))
}

impl Filter {
    /// Encodes elements of any layout.
    fn encode(&self, src: &View<'_>, len: usize) -> Result<Block> {
        let mut out = Block::new(len)?;
        match src.as_contiguous() {
            Some(bytes) => self.codec.encode(bytes, &mut out),
            None => {
                let mut together = Block::new(src.len() * src.item())?;
                copy(src, &mut ViewMut::contiguous(&mut together, src.shape(), src.item())?)?;
                self.codec.encode(&together, &mut out)
            }
        }
        .at(|| self.name)?;
        Ok(out)
    }

    /// Decodes elements into any layout.
    fn decode(&self, src: &[u8], dst: &mut ViewMut<'_>) -> Result<()> {
        if let Some(out) = dst.as_contiguous_mut() {
            return self.codec.decode(src, out).at(|| self.name);
        }
        let mut together = Block::new(dst.len() * dst.item())?;
        self.codec.decode(src, &mut together).at(|| self.name)?;
        copy(&View::contiguous(&together, dst.shape(), dst.item())?, dst)
    }

    /// Whether every part can be decoded separately, judged by probing each axis.
    fn knows_parts(&self) -> bool {
        let whole = Region::whole(&self.decoded.shape);
        (0..self.decoded.shape.len()).all(|axis| {
            let mut spans = whole.spans().to_vec();
            if spans[axis].count > 1 {
                spans[axis].start = 1;
                spans[axis].count -= 1;
            }
            self.codec.region(&Region::from_spans(spans.into_iter())).is_some()
        })
    }
}

impl Steps {
    /// Adds a permutation of axes.
    pub fn push_axes(&mut self, axes: Vec<usize>) {
        match self.0.last_mut() {
            Some(Step::Axes(before)) => *before = axes.iter().map(|&a| before[a]).collect(),
            _ => self.0.push(Step::Axes(axes)),
        }
        if matches!(self.0.last(), Some(Step::Axes(axes)) if axes.is_sorted()) {
            self.0.pop();
        }
    }

    /// Adds a codec for chunks like `decoded`; returns the chunk that it produces.
    pub fn push(
        &mut self,
        codec: Box<dyn ArrayCodec>,
        name: &'static str,
        decoded: &ChunkSpec,
    ) -> Result<ChunkSpec> {
        decoded.size()?;
        let encoded = codec.encoded(decoded)?;
        encoded.size()?;
        let decoded = decoded.clone();
        self.0.push(Step::Filter(Filter { codec, name, decoded, encoded: encoded.clone() }));
        Ok(encoded)
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether decoding part of a chunk requires decoding all of it.
    pub fn needs_whole_chunk(&self) -> bool {
        self.0.iter().any(|step| matches!(step, Step::Filter(f) if !f.knows_parts()))
    }

    /// The shape, before the steps, of the inner chunks after them; `None`: before the steps they
    /// do not form a grid.
    pub fn shape_before(&self, inner: &[u64]) -> Option<Vec<u64>> {
        let mut shape = inner.to_vec();
        for step in self.0.iter().rev() {
            match step {
                Step::Axes(axes) => {
                    let behind = shape.clone();
                    axes.iter().zip(behind).for_each(|(&axis, n)| shape[axis] = n);
                }
                Step::Filter(f) if f.knows_parts() && f.decoded.shape == f.encoded.shape => {}
                Step::Filter(_) => return None,
            }
        }
        Some(shape)
    }

    /// Decodes the part `region` into `dst`, from the output of `inner`. `false`: the chunk is
    /// absent.
    pub fn decode(
        &self,
        region: &Region,
        dst: ViewMut<'_>,
        call: &Call<'_>,
        inner: &Decode<'_>,
    ) -> Result<bool> {
        decode(&self.0, region, dst, call, inner)
    }

    /// The pick after the steps and its destination, if they only permute axes; `None`: they do
    /// more.
    pub fn turned<'v>(
        &self,
        pick: &Pick,
        dst: &'v mut ViewMut<'_>,
    ) -> Result<Option<(Pick, ViewMut<'v>)>> {
        let [Step::Axes(axes)] = &self.0[..] else { return Ok(None) };
        let dst = match pick {
            Pick::Region(_) | Pick::Orthogonal(_) => dst.permute(axes)?,
            _ => dst.reborrow(),
        };
        Ok(Some((pick.permuted(axes)?, dst)))
    }

    /// Encodes a whole chunk; `inner` encodes the rest of the chain.
    pub fn encode<'a>(
        &self,
        src: &View<'a>,
        inner: &dyn for<'b> Fn(&View<'b>) -> Result<Encoded<'b>>,
    ) -> Result<Encoded<'a>> {
        encode(&self.0, src, inner)
    }

    /// Encodes `patch` for `inner`, which writes it into the chunk. `None`: that needs the whole
    /// chunk.
    pub fn update(
        &self,
        patch: &Patch<'_>,
        inner: &Update<'_>,
    ) -> Option<Result<Encoded<'static>>> {
        update(&self.0, patch, inner)
    }
}

fn decode(
    steps: &[Step],
    region: &Region,
    mut dst: ViewMut<'_>,
    call: &Call<'_>,
    inner: &Decode<'_>,
) -> Result<bool> {
    let Some((first, rest)) = steps.split_first() else { return inner(region, dst, call) };
    let filter = match first {
        Step::Axes(axes) => {
            return decode(rest, &turned(region, axes), dst.into_permuted(axes)?, call, inner);
        }
        Step::Filter(filter) => filter,
    };
    if let Some(part) = filter.codec.region(region) {
        return decode_filter(filter, rest, &part, dst, call, inner);
    }
    let all = Region::whole(&filter.encoded.shape);
    let once = Call { kept: None, ..*call };
    if region.covers(&filter.decoded.shape) {
        return decode_filter(filter, rest, &all, dst, &once, inner);
    }
    let (shape, item) = (extents(&filter.decoded.shape), filter.decoded.data_type.size());
    let (start, step, count) = region.to_view();
    let mut cut = |whole: &[u8]| {
        copy(&View::contiguous(whole, &shape, item)?.step(&start, &step, &count)?, &mut dst)
    };
    if let Some(whole) = kept::<DecodedChunk>(call)? {
        return cut(&whole.0).map(|()| true);
    }
    let mut block = Block::new(filter.decoded.size()? as usize)?;
    let whole = ViewMut::contiguous(&mut block, &shape, item)?;
    if !decode_filter(filter, rest, &all, whole, &once, inner)? {
        return Ok(false);
    }
    cut(&block)?;
    if let Some(scope) = call.kept {
        let bytes = block.len();
        scope.put(Arc::new(DecodedChunk(block)), bytes);
    }
    Ok(true)
}

/// The cached state of the chunk.
fn kept<T: std::any::Any + Send + Sync>(call: &Call<'_>) -> Result<Option<Arc<T>>> {
    call.kept.map_or(Ok(None), |scope| scope.get())
}

/// Decodes the part `part` of a filter's encoded chunk.
fn decode_filter(
    filter: &Filter,
    rest: &[Step],
    part: &Region,
    mut dst: ViewMut<'_>,
    call: &Call<'_>,
    inner: &Decode<'_>,
) -> Result<bool> {
    let (counts, item) = (counts(part), filter.encoded.data_type.size());
    if filter.codec.decodes_nothing() {
        if *counts == *dst.shape() {
            return decode(rest, part, dst, call, inner);
        }
        if let Some(out) = dst.as_contiguous_mut() {
            let out = ViewMut::contiguous(out, &counts, item)?;
            return decode(rest, part, out, call, inner);
        }
    }
    let mut block = Block::new(counts.iter().product::<usize>() * item)?;
    let encoded = ViewMut::contiguous(&mut block, &counts, item)?;
    if !decode(rest, part, encoded, call, inner)? {
        return Ok(false);
    }
    filter.decode(&block, &mut dst)?;
    Ok(true)
}

fn encode<'a>(
    steps: &[Step],
    src: &View<'a>,
    inner: &dyn for<'b> Fn(&View<'b>) -> Result<Encoded<'b>>,
) -> Result<Encoded<'a>> {
    let Some((first, rest)) = steps.split_first() else { return inner(src) };
    let filter = match first {
        Step::Axes(axes) => return encode(rest, &src.permute(axes)?, inner),
        Step::Filter(filter) => filter,
    };
    let (shape, item) = (extents(&filter.encoded.shape), filter.encoded.data_type.size());
    if filter.codec.encodes_nothing()
        && let Some(bytes) = src.as_contiguous()
    {
        return encode(rest, &View::contiguous(bytes, &shape, item)?, inner);
    }
    let block = filter.encode(src, filter.encoded.size()? as usize)?;
    let owned = encode(rest, &View::contiguous(&block, &shape, item)?, inner)?.owned()?;
    Ok(owned.unwrap_or_else(|| Encoded::from(block)))
}

fn update(
    steps: &[Step],
    patch: &Patch<'_>,
    inner: &Update<'_>,
) -> Option<Result<Encoded<'static>>> {
    let Some((first, rest)) = steps.split_first() else { return inner(patch) };
    match first {
        Step::Axes(axes) => {
            let turned = match patch.pick {
                Pick::Region(_) | Pick::Orthogonal(_) => patch.src.permute(axes),
                _ => Ok(patch.src.clone()),
            };
            match turned.and_then(|src| Ok((src, patch.pick.permuted(axes)?))) {
                Ok((src, pick)) => update(rest, &Patch { pick: &pick, src: &src, ..*patch }, inner),
                Err(e) => Some(Err(e)),
            }
        }
        Step::Filter(filter) => {
            let Pick::Region(region) = patch.pick else { return None };
            if !patch.is_whole(filter.decoded.data_type.size()) {
                return None;
            }
            let part = filter.codec.region(region)?;
            let item = filter.encoded.data_type.size();
            let block = match filter.encode(patch.src, patch.src.len() * item) {
                Ok(block) => block,
                Err(e) => return Some(Err(e)),
            };
            match View::contiguous(&block, &counts(&part), item) {
                Ok(src) => {
                    let pick = Pick::Region(part);
                    update(rest, &Patch { pick: &pick, src: &src, field: 0 }, inner)
                }
                Err(e) => Some(Err(e)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations_in_sequence_are_one_and_undo_each_other() {
        let bytes = [0; 24];
        let view = View::contiguous(&bytes, &[2, 3, 4], 1).expect("fits");
        let all = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        for first in all {
            for second in all {
                let mut steps = Steps::default();
                steps.push_axes(first.to_vec());
                steps.push_axes(second.to_vec());
                let one_by_one = view.permute(&first).expect("axes").permute(&second);
                let one_by_one = one_by_one.expect("axes");
                let at_once = match &steps.0[..] {
                    [] => view.clone(),
                    [Step::Axes(axes)] => view.permute(axes).expect("axes"),
                    more => panic!("{} steps", more.len()),
                };
                assert_eq!(at_once.shape(), one_by_one.shape(), "{first:?} {second:?}");
                assert_eq!(at_once.strides(), one_by_one.strides(), "{first:?} {second:?}");
                assert_eq!(steps.is_empty(), at_once.shape() == view.shape());
            }
        }
    }
}
