//! Decodes part of a chunk, from as few encoded bytes as its codecs allow.

use super::{Chain, Stage};
use crate::cache::{Found, Scope, Wanted};
use crate::call::Call;
use crate::codec::{Len, decode_bounds};
use crate::error::{Context, Error, Result};
use crate::exec::{Block, Buffer, CodecPermit, FAST_COPY_HEADROOM};
use crate::selection::{Pick, Region};
use crate::source::{ByteSource, is_remote};
use crate::strided::{ViewMut, swap_in_place};
use std::sync::Arc;

impl Chain {
    /// Decodes the part `region` of the chunk in `source` into `dst`, whose shape is the region's
    /// counts. `false`: the chunk is absent, and `dst` is unchanged.
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

    /// Decodes the elements of `pick` from the chunk in `source` into `dst`, which is dense.
    /// `false`: the chunk is absent, and `dst` is unchanged.
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

    /// Decodes part of the chunk that `to_bytes` receives.
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
        let (wanted, whole) = (pick.len(), self.seen.shape.iter().product::<u64>());
        let once = Call { kept: None, ..*call };
        // a whole chunk goes to the caller's memory; parts of it may be read again
        let kept = call.kept.filter(|_| wanted < whole);
        let found = match kept.map(|scope| scope.find::<Block>()).transpose()? {
            Some(Found::Absent) => return Ok(false),
            Some(Found::Kept(block)) => {
                return self.to_bytes.decode_pick(&&**block, pick, dst, &once);
            }
            Some(Found::Wanted(wanted)) => Some(wanted),
            None => None,
        };
        // less than half of it: check whether the rest can stay encoded
        if wanted < whole / 2
            && before.is_empty()
            && let Some(opened) = last.open_part(source, pick, dst.len() * dst.item(), kept)
        {
            found.into_iter().for_each(Wanted::leave);
            return self.to_bytes.decode_pick(&*opened, pick, dst, &once).at(|| last.name);
        }
        let mut buffer = Buffer::with_capacity(0)?;
        let Some(mut encoded) = self.read_encoded(source, &mut buffer)? else {
            found.into_iter().for_each(Wanted::put_absent);
            return Ok(false);
        };
        let _permit = is_remote(source).then(CodecPermit::wait);
        let mut between;
        for stage in self.stages[1..].iter().rev() {
            let mut decoded = Buffer::with_capacity(0)?;
            stage.decode(encoded, &mut decoded, call.threads)?;
            between = decoded;
            encoded = &between;
        }
        self.decode_first(encoded, pick, dst, found, &once)
    }

    /// The encoded bytes of the chunk in `source`, in `buffer` unless they are already in memory.
    /// `None`: the chunk is absent.
    fn read_encoded<'a>(
        &self,
        source: &'a dyn ByteSource,
        buffer: &'a mut Buffer,
    ) -> Result<Option<&'a [u8]>> {
        if let Some(all) = source.as_slice() {
            return Ok(Some(all));
        }
        let expected = match self.encoded_len() {
            Len::Exactly(n) | Len::AtMost(n) => n,
            Len::Unknown => self.size,
        };
        buffer.resize(FAST_COPY_HEADROOM, 0);
        let is_there = source.read_all(expected, buffer)?;
        Ok(is_there.then_some(&buffer[FAST_COPY_HEADROOM..]))
    }

    /// Decodes the output of the first bytes -> bytes codec: into the caller's memory if that is
    /// the whole chunk, contiguous; else into a block, kept for further parts.
    fn decode_first(
        &self,
        encoded: &[u8],
        pick: &Pick,
        mut dst: ViewMut<'_>,
        found: Option<Wanted<'_>>,
        call: &Call<'_>,
    ) -> Result<bool> {
        let first = &self.stages[0];
        let Len::Exactly(size) = first.decoded else {
            let mut decoded = Buffer::with_capacity(0)?;
            first.decode(encoded, &mut decoded, call.threads)?;
            if let Some(found) = found {
                // a buffer may be much larger than its contents
                let mut block = Block::new(decoded.len())?;
                block.copy_from_slice(&decoded);
                found.put(Arc::new(block), decoded.len());
            }
            return self.to_bytes.decode_pick(&decoded.as_slice(), pick, dst, call);
        };
        first.check_bound(encoded, size)?;
        if let Some(swap) = self.to_bytes.raw_layout()
            && let Pick::Region(region) = pick
            && region.covers(&self.seen.shape)
            && let Some(out) = dst.as_contiguous_mut()
        {
            first.codec.decode(encoded, out, call.threads).at(|| first.name)?;
            swap_in_place(out, self.seen.data_type.size(), swap)?;
            return Ok(true);
        }
        let mut decoded = Block::new(size as usize)?;
        first.codec.decode(encoded, &mut decoded, call.threads).at(|| first.name)?;
        let Some(found) = found else {
            return self.to_bytes.decode_pick(&&*decoded, pick, dst, call);
        };
        let decoded = Arc::new(decoded);
        found.put(decoded.clone(), size as usize);
        self.to_bytes.decode_pick(&&**decoded, pick, dst, call)
    }
}

impl Stage {
    /// The decoded bytes as a source of parts, if the codec supports it and it costs less than
    /// decoding all of them and keeping them in `kept`. `bytes` is how many are needed.
    fn open_part<'a>(
        &'a self,
        source: &'a dyn ByteSource,
        pick: &Pick,
        bytes: usize,
        kept: Option<Scope<'_>>,
    ) -> Option<Box<dyn ByteSource + 'a>> {
        let Len::Exactly(size) = self.decoded else { return None };
        let opened = self.codec.open(source, size)?;
        // a request costs as much as decoding one block
        let requests = match pick {
            Pick::Scattered(all) => all.runs().starts.len() as u64,
            _ => 1,
        };
        let part = (bytes as u64).saturating_add(opened.request_cost().saturating_mul(requests));
        (!kept.is_some_and(|scope| scope.worth_keeping(part, size))).then_some(opened)
    }

    /// Refuses a decoded length that the encoded bytes cannot hold, before memory is reserved.
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
