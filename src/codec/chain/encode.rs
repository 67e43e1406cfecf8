//! Encodes whole chunks, parts of chunks, and inner chunks of a shard.

use super::{Chain, Encoded};
use crate::call::Call;
use crate::codec::{InnerChunks, Patch};
use crate::error::{Context, Error, Result};
use crate::exec::{Block, Buffer};
use crate::heap::Heap;
use crate::selection::Region;
use crate::source::ByteSource;
use crate::strided::{View, ViewMut, all_equal, fill};

impl Chain {
    /// Whether a chunk holds only the fill value.
    fn is_blank(&self, src: &View<'_>, call: &Call<'_>) -> Result<bool> {
        match self.chunk.data_type.is_variable() {
            true => call.heap()?.contents()?.all_equal(src, &self.chunk.fill.bytes()?),
            false => all_equal(src, &self.chunk.fill.bytes()?),
        }
    }

    /// Encodes the inner chunks that `patch` covers. `None`: there are none, or it covers one of
    /// them only in part.
    pub fn encode_inner(&self, patch: &Patch<'_>, call: &Call<'_>) -> Result<Option<InnerChunks>> {
        match self.stages.is_empty() && self.steps.is_empty() {
            true => self.to_bytes.encode_inner(patch, call),
            false => Ok(None),
        }
    }

    /// Assembles a chunk from `inner`, made by [`Self::encode_inner`], and, for missing inner
    /// chunks, from the chunk in `old`; `None`: nothing of it is stored.
    pub fn join_inner<'a>(
        &self,
        old: &dyn ByteSource,
        inner: &'a InnerChunks,
    ) -> Result<Option<Encoded<'a>>> {
        let joined = self.to_bytes.join_inner(old, inner);
        let joined = joined.unwrap_or_else(|| Err(Error::unsupported("no inner chunks")))?;
        Ok((!joined.is_empty()).then_some(joined))
    }

    /// Encodes a whole chunk; `None`: it holds only the fill value and is not stored.
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

    /// Encodes the chunk that `to_bytes` receives.
    fn encode_seen<'a>(&self, src: &View<'a>, call: &Call<'_>) -> Result<Encoded<'a>> {
        let mut encoded = self.to_bytes.encode(src, call)?;
        for stage in &self.stages {
            let mut out = Buffer::with_capacity(0)?;
            match &encoded.parts()[..] {
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

    /// Writes `patch` over the chunk in `old`; `None`: the result holds only the fill value and is
    /// not stored.
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
        // a heap of its own, freed with the old chunk
        let heap = call.heap.map(Heap::fork).transpose()?;
        let call = Call { heap: heap.as_ref(), kept: None, ..*call };
        let mut block = match patch.covers(&self.chunk) {
            true => Block::new(self.size as usize)?,
            false => self.whole(old, &call)?,
        };
        self.patch(&mut block, patch)?;
        let Some(encoded) = self.encode(&self.view(&block)?, &call)? else { return Ok(None) };
        Ok(Some(encoded.owned()?.unwrap_or_else(|| Encoded::from(block))))
    }

    /// Decodes the whole chunk in `old`; if it is absent, fills it with the fill value.
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
