//! Shared by the array -> bytes codecs that process whole chunks only: parts are cut out of the
//! decoded chunk, which is cached for the next part.

use super::{ArrayBytesCodec, ChunkSpec, Codec, Encoded, Len};
use crate::cache::{Found, Wanted};
use crate::call::Call;
use crate::error::{Error, Result};
use crate::exec::{Block, Buffer, CodecPermit};
use crate::selection::Region;
use crate::source::{ByteSource, is_remote};
use crate::strided::{Extents, View, ViewMut, copy};
use std::sync::Arc;

/// A codec that processes only whole chunks, with elements in C order.
pub(super) trait WholeChunk: Send + Sync {
    /// The length of an encoded chunk.
    fn encoded_len(&self) -> Len;

    /// The maximum decoded size of so many encoded bytes.
    fn decoded_bound(&self, encoded: u64) -> u64;

    /// Decodes into `out`, which has the size of a chunk.
    fn decode(&self, encoded: &[u8], out: &mut [u8]) -> Result<()>;

    /// Appends the encoded form of a chunk's `elements`.
    fn encode(&self, elements: &[u8], out: &mut Vec<u8>) -> Result<()>;
}

/// Wraps a codec for whole chunks like `spec` as an array -> bytes codec.
pub(super) fn codec(codec: impl WholeChunk + 'static, spec: &ChunkSpec) -> Result<Codec> {
    let shape = spec.shape.clone();
    let item = spec.data_type.size();
    Ok(Codec::ArrayBytes(Box::new(WholeChunkCodec { codec, shape, item, size: spec.size()? })))
}

struct WholeChunkCodec<C> {
    codec: C,
    shape: Vec<u64>,
    item: usize,
    size: u64,
}

impl<C: WholeChunk> ArrayBytesCodec for WholeChunkCodec<C> {
    fn encoded_len(&self) -> Len {
        self.codec.encoded_len()
    }

    fn keeps(&self) -> bool {
        true
    }

    fn decode(
        &self,
        source: &dyn ByteSource,
        region: &Region,
        mut dst: ViewMut<'_>,
        call: &Call<'_>,
    ) -> Result<bool> {
        let all = region.covers(&self.shape);
        let kept = call.kept.filter(|_| !all);
        let cut = |block: &[u8], dst: &mut ViewMut<'_>| {
            let shape: Extents = self.shape.iter().map(|&n| n as usize).collect();
            let (start, step, count) = region.to_view();
            copy(&View::contiguous(block, &shape, self.item)?.step(&start, &step, &count)?, dst)
        };
        let wanted = match kept.map(|scope| scope.find::<Block>()).transpose()? {
            Some(Found::Absent) => return Ok(false),
            Some(Found::Kept(block)) => {
                cut(&block, &mut dst)?;
                return Ok(true);
            }
            Some(Found::Wanted(wanted)) => Some(wanted),
            None => None,
        };
        let expected = match self.encoded_len() {
            Len::Exactly(n) | Len::AtMost(n) => n.min(self.size),
            Len::Unknown => self.size,
        };
        let mut read = Buffer::with_capacity(0)?;
        let encoded = match source.as_slice() {
            Some(all) => all,
            None => {
                if !source.read_all(expected, &mut read)? {
                    wanted.into_iter().for_each(Wanted::put_absent);
                    return Ok(false);
                }
                &read
            }
        };
        let _permit = is_remote(source).then(CodecPermit::wait);
        let bound = self.codec.decoded_bound(encoded.len() as u64);
        if bound < self.size {
            return Err(Error::corrupt(format!(
                "{} encoded bytes decode to at most {bound}, expected {}",
                encoded.len(),
                self.size
            )));
        }
        if all && let Some(out) = dst.as_contiguous_mut() {
            self.codec.decode(encoded, out)?;
            return Ok(true);
        }
        let mut block = Block::new(self.size as usize)?;
        self.codec.decode(encoded, &mut block)?;
        cut(&block, &mut dst)?;
        if let Some(wanted) = wanted {
            wanted.put(Arc::new(block), self.size as usize);
        }
        Ok(true)
    }

    fn encode<'a>(&self, src: &View<'a>, _: &Call<'_>) -> Result<Encoded<'a>> {
        let mut out = Buffer::with_capacity(0)?;
        if let Some(elements) = src.as_contiguous() {
            self.codec.encode(elements, &mut out)?;
            return Ok(Encoded::from(out));
        }
        let mut block = Block::new(self.size as usize)?;
        copy(src, &mut ViewMut::contiguous(&mut block, src.shape(), self.item)?)?;
        self.codec.encode(&block, &mut out)?;
        Ok(Encoded::from(out))
    }
}
