//! Codecs for elements of variable length. Each codec defines the encoded form of a chunk
//! ([`Layout`]). Shared here: the encoded chunk becomes one buffer of the call's heap, and its
//! elements are references into it.

mod array;
mod bytes;
mod frame;
mod json2;
mod msgpack2;
mod text;
mod utf8;

pub(super) use array::build as build_array;
pub(super) use bytes::build as build_bytes;
pub(super) use json2::build as build_json2;
pub(super) use msgpack2::build as build_msgpack2;
pub(super) use utf8::build as build_utf8;

use super::chain::Encoded;
use super::config::Config;
use super::{ArrayBytesCodec, ChunkSpec, Codec, Len};
use crate::call::Call;
use crate::error::{Error, Result};
use crate::exec::{Block, Buffer};
use crate::heap::{Contents, Heap, Reference, References};
use crate::selection::Region;
use crate::source::{ByteSource, append};
use crate::strided::{Extents, View, ViewMut, copy};

/// The encoded form of a chunk's elements.
pub(super) trait Layout: Send + Sync {
    /// The minimum encoded size of an element (bytes), to refuse an impossible count before memory
    /// is reserved for it.
    const LEAST: u64;

    /// Calls `place` with the start and length of each of so many elements, in C order. May modify
    /// `encoded`: the locations refer to the modified bytes.
    fn split(
        &self,
        encoded: &mut Buffer,
        elements: usize,
        place: impl FnMut(usize, usize) -> Result<()>,
    ) -> Result<()>;

    /// Appends the encoded form of elements in C order.
    fn join(&self, elements: &Elements<'_>, out: &mut Vec<u8>) -> Result<()>;
}

/// The elements of a chunk.
pub(super) struct Elements<'a> {
    references: References<'a>,
    contents: Contents<'a>,
}

impl Elements<'_> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.references.iter().len()
    }

    /// The bytes of each, in C order.
    pub fn iter(&self) -> impl Iterator<Item = Result<&[u8]>> {
        self.references.iter().map(|reference| self.contents.get(reference))
    }
}

struct Variable<L> {
    shape: Vec<u64>,
    layout: L,
}

/// The codec of a layout.
pub(super) fn codec<L: Layout + 'static>(spec: &ChunkSpec, layout: L) -> Result<Codec> {
    spec.size()?; // checks that the size can be computed
    Ok(Codec::ArrayBytes(Box::new(Variable { shape: spec.shape.clone(), layout })))
}

/// The error for a type that the codec does not support.
fn refuse(config: &Config<'_>, spec: &ChunkSpec, takes: &str) -> Error {
    config.error(format!("expects elements of type {takes}, found {}", spec.data_type.name()))
}

impl<L: Layout> Variable<L> {
    fn elements(&self) -> u64 {
        self.shape.iter().product()
    }

    /// Makes the references to all elements of `encoded`, which becomes buffer `number` of the
    /// heap.
    fn split(&self, encoded: &mut Buffer, number: u32, references: &mut [u8]) -> Result<()> {
        let mut places = references.chunks_exact_mut(Reference::SIZE);
        let place = |offset, len| {
            if let Some(place) = places.next() {
                place.copy_from_slice(&Reference::new(number, offset, len)?.to_bytes());
            }
            Ok(())
        };
        self.layout.split(encoded, self.elements() as usize, place)?;
        match places.len() {
            0 => Ok(()),
            rest => Err(Error::corrupt(format!("{rest} elements are missing"))),
        }
    }

    /// Decodes the elements that `region` selects; only those are kept in the heap.
    fn decode_part(
        &self,
        mut encoded: Buffer,
        region: &Region,
        mut dst: ViewMut<'_>,
        heap: &Heap<'_>,
    ) -> Result<()> {
        let extents: Extents = self.shape.iter().map(|&n| n as usize).collect();
        let mut all = Block::new(self.elements() as usize * Reference::SIZE)?;
        self.split(&mut encoded, 0, &mut all)?;
        let (start, step, count) = region.to_view();
        let all = View::contiguous(&all, &extents, Reference::SIZE)?;
        let selected = all.step(&start, &step, &count)?;
        let number = heap.reserve()?;
        let mut kept = Buffer::with_capacity(0)?;
        let mut references = Block::new(dst.len() * Reference::SIZE)?;
        let from = References::of(&selected)?;
        for (from, to) in from.iter().zip(references.chunks_exact_mut(Reference::SIZE)) {
            let bytes = from.within(&encoded)?;
            let reference = Reference::new(number, kept.len(), bytes.len())?;
            to.copy_from_slice(&reference.to_bytes());
            append(&mut kept, bytes)?;
        }
        heap.put(number, kept);
        copy(&View::contiguous(&references, &count, Reference::SIZE)?, &mut dst)
    }
}

impl<L: Layout> ArrayBytesCodec for Variable<L> {
    fn encoded_len(&self) -> Len {
        Len::Unknown
    }

    fn decode(
        &self,
        source: &dyn ByteSource,
        region: &Region,
        mut dst: ViewMut<'_>,
        call: &Call<'_>,
    ) -> Result<bool> {
        let heap = call.heap()?;
        let mut encoded = Buffer::with_capacity(0)?;
        if !source.read_all(self.elements().saturating_mul(16), &mut encoded)? {
            return Ok(false);
        }
        let least = self.elements().saturating_mul(L::LEAST);
        if (encoded.len() as u64) < least {
            return Err(Error::corrupt(format!(
                "{} bytes cannot hold the {} elements of a chunk",
                encoded.len(),
                self.elements()
            )));
        }
        if region.is_empty() {
            return Ok(true);
        }
        if !region.covers(&self.shape) {
            self.decode_part(encoded, region, dst, heap)?;
            return Ok(true);
        }
        let number = heap.reserve()?;
        match dst.as_contiguous_mut() {
            Some(references) => self.split(&mut encoded, number, references)?,
            None => {
                let mut block = Block::new(dst.len() * Reference::SIZE)?;
                self.split(&mut encoded, number, &mut block)?;
                let shape: Extents = dst.shape().into();
                copy(&View::contiguous(&block, &shape, Reference::SIZE)?, &mut dst)?;
            }
        }
        heap.put(number, encoded);
        Ok(true)
    }

    fn encode<'a>(&self, src: &View<'a>, call: &Call<'_>) -> Result<Encoded<'a>> {
        let contents = call.heap()?.contents()?;
        let elements = Elements { references: References::of(src)?, contents };
        let mut out = Buffer::with_capacity(0)?;
        self.layout.join(&elements, &mut out)?;
        Ok(Encoded::from(out))
    }
}
