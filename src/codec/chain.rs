//! The codecs of one array (or of the inner chunks of a shard), put together for its chunks.

use super::steps::Steps;
use super::{
    ArrayBytesCodec, BytesCodec, ChunkSpec, Codec, InnerChunks, Len, Patch, ReadPolicy,
    ShardLayout, build, decode_bounds,
};
use crate::cache::{Found, Wanted};
use crate::call::Call;
use crate::error::{Context, Error, Kind, Result};
use crate::exec::{Block, Buffer, DecodePermit, FAST_COPY_HEADROOM};
use crate::heap::Heap;
use crate::metadata::{CodecSpec, DataType};
use crate::selection::{Pick, Region};
use crate::source::{ByteSource, is_remote, reserve};
use crate::strided::{Extents, View, ViewMut, all_equal, fill};
use std::ops::Deref;
use std::sync::Arc;

const AFTER: &str = "(array to array) comes after the array to bytes codec";

/// Codecs of a chain. Real ones have less than ten.
const MAX_CODECS: usize = 256;

/// A chain of codecs, built and checked for the chunks of one shape and type.
pub struct Chain {
    chunk: ChunkSpec,
    shape: Extents,
    size: u64,
    steps: Steps,
    /// The chunk that `to_bytes` sees.
    seen: ChunkSpec,
    to_bytes: Box<dyn ArrayBytesCodec>,
    stages: Vec<Stage>,
}

/// A bytes -> bytes codec and what is known of the length that it decodes to.
struct Stage {
    codec: Box<dyn BytesCodec>,
    name: &'static str,
    decoded: Len,
}

/// An encoded chunk: the bytes to be stored, in parts.
pub struct Encoded<'a>(Vec<Part<'a>>);

enum Part<'a> {
    Borrowed(&'a [u8]),
    Kept(Buffer),
    Whole(Block),
}

impl Deref for Part<'_> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Part::Borrowed(bytes) => bytes,
            Part::Kept(buffer) => buffer,
            Part::Whole(block) => block,
        }
    }
}

impl<'a> From<&'a [u8]> for Encoded<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Encoded(vec![Part::Borrowed(bytes)])
    }
}

impl From<Buffer> for Encoded<'_> {
    fn from(buffer: Buffer) -> Self {
        Encoded(vec![Part::Kept(buffer)])
    }
}

/// A chunk that is stored as it lies in memory.
impl From<Block> for Encoded<'_> {
    fn from(block: Block) -> Self {
        Encoded(vec![Part::Whole(block)])
    }
}

/// Parts that lie in someone else's memory.
impl<'a> FromIterator<&'a [u8]> for Encoded<'a> {
    fn from_iter<I: IntoIterator<Item = &'a [u8]>>(parts: I) -> Self {
        Encoded(parts.into_iter().map(Part::Borrowed).collect())
    }
}

impl FromIterator<Buffer> for Encoded<'_> {
    fn from_iter<I: IntoIterator<Item = Buffer>>(buffers: I) -> Self {
        Encoded(buffers.into_iter().map(Part::Kept).collect())
    }
}

impl Encoded<'_> {
    /// The bytes, in order.
    pub fn parts(&self) -> Vec<&[u8]> {
        self.0.iter().map(|p| &**p).collect()
    }

    /// With one more part at its end.
    pub(super) fn followed_by(mut self, end: Buffer) -> Self {
        self.0.push(Part::Kept(end));
        self
    }

    /// The same behind a header.
    pub(super) fn after(mut self, header: Buffer) -> Self {
        self.0.insert(0, Part::Kept(header));
        self
    }

    /// Appends them to `out`.
    pub fn append_to(&self, out: &mut Vec<u8>) -> Result<()> {
        reserve(out, self.len() as usize)?;
        self.0.iter().for_each(|part| out.extend_from_slice(part));
        Ok(())
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        self.0.iter().map(|p| p.len() as u64).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same, holding on to no one else's memory. `None`: it is that memory, as it lies there.
    pub(super) fn owned(self) -> Result<Option<Encoded<'static>>> {
        if let [Part::Borrowed(_)] = self.0[..] {
            return Ok(None);
        }
        let parts: Result<_> = self.0.into_iter().map(Part::owned).collect();
        Ok(Some(Encoded(parts?)))
    }
}

impl Chain {
    /// Builds the chain that `specs` name, in encoding order, for chunks like `chunk`.
    pub fn new(specs: &[CodecSpec], chunk: ChunkSpec) -> Result<Self> {
        Self::with(specs, chunk, ReadPolicy::default())
    }

    /// One that cannot be used, for chunks like `chunk`: to decode or encode with it fails as to
    /// build it did.
    pub fn unusable(error: &Error, chunk: ChunkSpec) -> Result<Self> {
        let size = chunk.size()?;
        let shape = chunk.shape.iter().map(|&n| n as usize).collect();
        let to_bytes = super::unusable::codec(error);
        let (steps, seen) = (Steps::default(), chunk.clone());
        Ok(Chain { chunk, shape, size, steps, seen, to_bytes, stages: Vec::new() })
    }

    /// The same as [`Self::new`], reading as strictly as `read_policy` says.
    pub fn with(specs: &[CodecSpec], chunk: ChunkSpec, read_policy: ReadPolicy) -> Result<Self> {
        if specs.len() > MAX_CODECS {
            let what = format!("a chain of {} codecs: the limit is {MAX_CODECS}", specs.len());
            return Err(Error::new(Kind::LimitExceeded, what));
        }
        let size = chunk.size()?;
        let mut steps = Steps::default();
        let mut seen = chunk.clone();
        let mut to_bytes: Option<(Box<dyn ArrayBytesCodec>, ChunkSpec)> = None;
        let mut stages: Vec<Stage> = Vec::new();
        for spec in specs {
            let (codec, name) = build(spec, &seen, read_policy)?;
            let misplaced = |should: &str| {
                Err(Error::metadata(format!("codec {:?} {should} in the chain", spec.name)))
            };
            let decoded = |stages: &[Stage], first: &dyn ArrayBytesCodec| match stages.last() {
                Some(stage) => stage.codec.encoded_len(stage.decoded),
                None => first.encoded_len(),
            };
            match (codec, &to_bytes) {
                (Codec::Axes(axes), None) => {
                    let turned = |shape: &Vec<u64>| axes.iter().map(|&axis| shape[axis]).collect();
                    (seen.shape, seen.most) = (turned(&seen.shape), seen.most.as_ref().map(turned));
                    steps.push_axes(axes);
                }
                (Codec::Array(codec), None) => seen = steps.push(codec, name, &seen)?,
                (Codec::Array(codec), Some((first, _))) => match codec.over_bytes() {
                    Some(codec) => {
                        let decoded = decoded(&stages, &**first);
                        stages.push(Stage { codec, name, decoded });
                    }
                    None => return misplaced(AFTER),
                },
                (Codec::Axes(_), Some(_)) => return misplaced(AFTER),
                (Codec::ArrayBytes(codec), None) => {
                    to_bytes = Some((codec, seen.clone()));
                    if seen.data_type.is_variable() {
                        // what follows sees bytes
                        seen.data_type = DataType::UInt8;
                    }
                }
                (Codec::ArrayBytes(_), Some(_)) => {
                    return misplaced("is a second array to bytes codec");
                }
                (Codec::Bytes(_), None) => {
                    return misplaced("(bytes to bytes) comes before the array to bytes codec");
                }
                (Codec::Bytes(codec), Some((first, _))) => {
                    let decoded = decoded(&stages, &**first);
                    stages.push(Stage { codec, name, decoded });
                }
            }
        }
        let (to_bytes, seen) = to_bytes.ok_or_else(|| {
            Error::metadata("the codecs lack an array to bytes codec; add \"bytes\"")
        })?;
        let shape = chunk.shape.iter().map(|&n| n as usize).collect();
        Ok(Chain { chunk, shape, size, steps, seen, to_bytes, stages })
    }

    /// The chunk as it is before encoding.
    pub fn chunk(&self) -> &ChunkSpec {
        &self.chunk
    }

    /// Bytes of a decoded chunk.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// How long an encoded chunk is.
    pub fn encoded_len(&self) -> Len {
        match self.stages.last() {
            Some(stage) => stage.codec.encoded_len(stage.decoded),
            None => self.to_bytes.encoded_len(),
        }
    }

    /// The shape of the chunks inside a chunk, where it is a shard; axes as the chunk's.
    pub fn inner_shape(&self) -> Option<Vec<u64>> {
        self.steps.shape_before(self.to_bytes.inner_shape()?)
    }

    /// Where things lie in a chunk that is a shard; `None`: it is none, is not stored, or lies
    /// behind another codec.
    pub fn shard_layout(&self, source: &dyn ByteSource) -> Result<Option<ShardLayout>> {
        if self.stages.is_empty() { self.to_bytes.layout(source) } else { Ok(None) }
    }

    /// How many buffers of a chunk's size it takes to decode or encode one; in a shard, of an inner
    /// chunk's.
    pub fn buffers(&self) -> u64 {
        let inner = if self.to_bytes.inner_shape().is_some() { 2 } else { 0 };
        1 + inner + self.stages.len().min(2) as u64 + u64::from(!self.steps.is_empty())
    }

    /// Whether decoding a part of a chunk leaves something that is worth keeping.
    pub fn keeps(&self) -> bool {
        !self.stages.is_empty() || self.to_bytes.keeps() || self.steps.needs_whole_chunk()
    }

    /// Decodes the part `region` of the chunk in `source` into `dst`, which has the region's
    /// counts as its shape. `false`: there is no such chunk, and `dst` is untouched.
    pub fn decode(
        &self,
        source: &dyn ByteSource,
        region: &Region,
        dst: ViewMut<'_>,
        call: &Call<'_>,
    ) -> Result<bool> {
        if self.steps.is_empty() {
            return self.decode_seen(source, &Pick::Region(region.clone()), dst, call);
        }
        self.steps.decode(region, dst, call, &|region, dst, call| {
            self.decode_seen(source, &Pick::Region(region.clone()), dst, call)
        })
    }

    /// Decodes what `pick` picks of the chunk in `source` into `dst`, which is dense. `false`:
    /// there is no such chunk, and `dst` is untouched.
    pub fn decode_pick(
        &self,
        source: &dyn ByteSource,
        pick: &Pick,
        mut dst: ViewMut<'_>,
        call: &Call<'_>,
    ) -> Result<bool> {
        if self.steps.is_empty() {
            return self.decode_seen(source, pick, dst, call);
        }
        if let Some((pick, dst)) = self.steps.turned(pick, &mut dst)? {
            return self.decode_seen(source, &pick, dst, call);
        }
        decode_bounds(pick, dst, |region, dst| self.decode(source, region, dst, call))
    }

    /// Decodes a part of the chunk that `to_bytes` sees.
    fn decode_seen(
        &self,
        source: &dyn ByteSource,
        pick: &Pick,
        dst: ViewMut<'_>,
        call: &Call<'_>,
    ) -> Result<bool> {
        let Some((last, before)) = self.stages.split_last() else {
            return self.to_bytes.decode_pick(source, pick, dst, call);
        };
        let wanted = pick.len();
        let whole = self.seen.shape.iter().product::<u64>();
        let once = Call { kept: None, ..*call };
        // a whole chunk goes to memory of the caller's, parts of it come again
        let kept = call.kept.filter(|_| wanted < whole);
        let found = match kept.map(|scope| scope.find::<Block>()).transpose()? {
            Some(Found::Absent) => return Ok(false),
            Some(Found::Kept(block)) => {
                return self.to_bytes.decode_pick(&&**block, pick, dst, &once);
            }
            Some(Found::Wanted(wanted)) => Some(wanted),
            None => None,
        };
        // less than half of it: look whether the rest can stay encoded
        if wanted < whole / 2
            && before.is_empty()
            && let Len::Exactly(size) = last.decoded
            && let Some(opened) = last.codec.open(source, size)
        {
            // what a request costs is what decoding a block of it costs
            let requests = match pick {
                Pick::Points(points) => points.runs().count as u64,
                _ => 1,
            };
            let bytes = (dst.len() * dst.item()) as u64;
            let part = bytes.saturating_add(opened.request_cost().saturating_mul(requests));
            if !kept.is_some_and(|scope| scope.worth_keeping(part, size)) {
                found.into_iter().for_each(Wanted::leave);
                return self.to_bytes.decode_pick(&*opened, pick, dst, &once).at(|| last.name);
            }
        }
        let mut buffer = Buffer::with_capacity(0)?;
        let mut encoded = match source.as_slice() {
            Some(all) => all,
            None => {
                let expected = match self.encoded_len() {
                    Len::Exactly(n) | Len::AtMost(n) => n,
                    Len::Unknown => self.size,
                };
                buffer.resize(FAST_COPY_HEADROOM, 0);
                if !source.read_all(expected, &mut buffer)? {
                    found.into_iter().for_each(Wanted::put_absent);
                    return Ok(false);
                }
                &buffer[FAST_COPY_HEADROOM..]
            }
        };
        let _permit = is_remote(source).then(DecodePermit::wait);
        let mut between;
        for stage in self.stages[1..].iter().rev() {
            let mut decoded = Buffer::with_capacity(0)?;
            stage.decode(encoded, &mut decoded, call.threads)?;
            between = decoded;
            encoded = &between;
        }
        let first = &self.stages[0];
        let Len::Exactly(size) = first.decoded else {
            let mut decoded = Buffer::with_capacity(0)?;
            first.decode(encoded, &mut decoded, call.threads)?;
            if let Some(found) = found {
                // a buffer may be much larger than what is in it
                let mut block = Block::new(decoded.len())?;
                block.copy_from_slice(&decoded);
                found.put(Arc::new(block), decoded.len());
            }
            return self.to_bytes.decode_pick(&decoded.as_slice(), pick, dst, &once);
        };
        first.check_bound(encoded, size)?;
        let mut dst = dst;
        if let Some(swap) = self.to_bytes.raw_layout()
            && let Pick::Region(region) = pick
            && region.covers(&self.seen.shape)
            && let Some(out) = dst.as_contiguous_mut()
        {
            first.codec.decode(encoded, out, call.threads).at(|| first.name)?;
            crate::strided::swap_in_place(out, self.seen.data_type.size(), swap)?;
            return Ok(true);
        }
        let mut decoded = Block::new(size as usize)?;
        first.codec.decode(encoded, &mut decoded, call.threads).at(|| first.name)?;
        let Some(found) = found else {
            return self.to_bytes.decode_pick(&&*decoded, pick, dst, &once);
        };
        let decoded = Arc::new(decoded);
        found.put(decoded.clone(), size as usize);
        self.to_bytes.decode_pick(&&**decoded, pick, dst, &once)
    }

    /// Whether a chunk holds nothing but the fill value.
    fn is_blank(&self, src: &View<'_>, call: &Call<'_>) -> Result<bool> {
        match self.chunk.data_type.is_variable() {
            true => call.heap()?.contents().all_equal(src, &self.chunk.fill.bytes()?),
            false => all_equal(src, &self.chunk.fill.bytes()?),
        }
    }

    /// Encodes the chunks inside a chunk that `patch` covers. `None`: there are none, or it covers
    /// one of them only in part.
    pub fn encode_inner(&self, patch: &Patch<'_>, call: &Call<'_>) -> Result<Option<InnerChunks>> {
        match self.stages.is_empty() && self.steps.is_empty() {
            true => self.to_bytes.encode_inner(patch, call),
            false => Ok(None),
        }
    }

    /// The chunk that `inner`, made by [`Self::encode_inner`], and, for what it lacks, the chunk in
    /// `old` are the parts of; `None`: nothing of it is stored.
    pub fn join_inner<'a>(
        &self,
        old: &dyn ByteSource,
        inner: &'a InnerChunks,
    ) -> Result<Option<Encoded<'a>>> {
        let joined = self.to_bytes.join_inner(old, inner);
        let joined = joined.unwrap_or_else(|| Err(Error::unsupported("no inner chunks")))?;
        Ok((!joined.is_empty()).then_some(joined))
    }

    /// Encodes a whole chunk; `None`: it holds nothing but the fill value and is not stored.
    pub fn encode<'a>(&self, src: &View<'a>, call: &Call<'_>) -> Result<Option<Encoded<'a>>> {
        if !call.write_empty && self.is_blank(src, call)? {
            return Ok(None);
        }
        match self.steps.is_empty() {
            true => self.encode_seen(src, call),
            false => self.steps.encode(src, &|src| self.encode_seen(src, call)),
        }
        .map(Some)
    }

    /// The same, appended to `out`; `false`: not stored.
    pub fn encode_append(
        &self,
        src: &View<'_>,
        out: &mut Vec<u8>,
        call: &Call<'_>,
    ) -> Result<bool> {
        let encoded = self.encode(src, call)?;
        if let Some(encoded) = &encoded {
            encoded.append_to(out)?;
        }
        Ok(encoded.is_some())
    }

    /// Encodes the chunk that `to_bytes` sees.
    fn encode_seen<'a>(&self, src: &View<'a>, call: &Call<'_>) -> Result<Encoded<'a>> {
        let mut encoded = self.to_bytes.encode(src, call)?;
        for stage in &self.stages {
            let mut out = Buffer::with_capacity(0)?;
            match &encoded.0[..] {
                [part] => stage.codec.encode(part, &mut out, call.threads).at(|| stage.name)?,
                parts => {
                    let mut joined = Buffer::with_capacity(encoded.len() as usize)?;
                    parts.iter().for_each(|p| joined.extend_from_slice(p));
                    stage.codec.encode(&joined, &mut out, call.threads).at(|| stage.name)?;
                }
            }
            encoded = Encoded::from(out);
        }
        Ok(encoded)
    }

    /// The chunk in `old` with `patch` written over it; `None`: it then holds nothing but the fill
    /// value and is not stored.
    pub fn update(
        &self,
        old: &dyn ByteSource,
        patch: &Patch<'_>,
        call: &Call<'_>,
    ) -> Result<Option<Encoded<'static>>> {
        if self.stages.is_empty() && self.to_bytes.inner_shape().is_some() {
            let updated = self.steps.update(patch, &|patch| self.to_bytes.update(old, patch, call));
            if let Some(updated) = updated {
                return updated.map(|e| (!e.is_empty()).then_some(e));
            }
        }
        // what the old chunk holds is freed with it
        let heap = call.heap.map(Heap::fork);
        let call = Call { heap: heap.as_ref(), kept: None, ..*call };
        let mut block = match patch.covers(&self.chunk) {
            true => Block::new(self.size as usize)?,
            false => self.whole(old, &call)?,
        };
        self.patch(&mut block, patch)?;
        let Some(encoded) = self.encode(&self.view(&block)?, &call)? else { return Ok(None) };
        Ok(Some(encoded.owned()?.unwrap_or_else(|| Encoded::from(block))))
    }

    /// The whole chunk in `old` decoded; where there is none, of the fill value.
    pub fn whole(&self, old: &dyn ByteSource, call: &Call<'_>) -> Result<Block> {
        let mut block = Block::new(self.size as usize)?;
        let mut whole = ViewMut::contiguous(&mut block, &self.shape, self.chunk.data_type.size())?;
        let all = Region::whole(&self.chunk.shape);
        if !self.decode(old, &all, whole.reborrow(), call)? {
            fill(&mut whole, &self.chunk.fill_element()?)?;
        }
        Ok(block)
    }

    /// Writes `patch` over a decoded chunk.
    pub fn patch(&self, whole: &mut [u8], patch: &Patch<'_>) -> Result<()> {
        let item = self.chunk.data_type.size();
        patch.apply(&mut ViewMut::contiguous(whole, &self.shape, item)?)
    }

    /// A decoded chunk, to be encoded.
    pub fn view<'a>(&self, whole: &'a [u8]) -> Result<View<'a>> {
        View::contiguous(whole, &self.shape, self.chunk.data_type.size())
    }
}

impl Part<'_> {
    /// The same, holding on to nothing else.
    fn owned(self) -> Result<Part<'static>> {
        Ok(match self {
            Part::Borrowed(bytes) => {
                let mut copy = Buffer::with_capacity(bytes.len())?;
                copy.extend_from_slice(bytes);
                Part::Kept(copy)
            }
            Part::Kept(buffer) => Part::Kept(buffer),
            Part::Whole(block) => Part::Whole(block),
        })
    }
}

impl Stage {
    /// Refuses a length that so few encoded bytes cannot hold, before memory is given for it.
    fn check_bound(&self, encoded: &[u8], decoded: u64) -> Result<()> {
        let bound = self.codec.decoded_bound(encoded.len() as u64);
        if bound < decoded {
            return Err(Error::corrupt(format!(
                "{}: {} encoded bytes decode to at most {bound}, expected {decoded}",
                self.name,
                encoded.len()
            )));
        }
        Ok(())
    }

    /// Decodes into an empty buffer.
    fn decode(&self, encoded: &[u8], out: &mut Buffer, threads: usize) -> Result<()> {
        if let Len::Exactly(size) = self.decoded {
            self.check_bound(encoded, size)?;
            *out = Buffer::with_capacity(size as usize)?;
            out.resize(size as usize, 0);
            return self.codec.decode(encoded, out, threads).at(|| self.name);
        }
        let bound = self.codec.decoded_bound(encoded.len() as u64);
        let limit = match self.decoded {
            Len::Exactly(n) | Len::AtMost(n) => n.min(bound),
            Len::Unknown => bound,
        };
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        self.codec.decode_unknown(encoded, out, limit).at(|| self.name)
    }
}
