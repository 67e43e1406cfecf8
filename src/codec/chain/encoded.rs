//! An encoded chunk: bytes in parts, so that bytes already in memory need not be copied.

use crate::error::Result;
use crate::exec::{Block, Buffer};
use crate::source::reserve;
use std::ops::Deref;
use std::sync::Arc;

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

/// A chunk that is stored as it is in memory.
impl From<Block> for Encoded<'_> {
    fn from(block: Block) -> Self {
        Encoded(vec![Part::Whole(block)])
    }
}

/// Parts in borrowed memory.
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

    /// Appends a part.
    pub(in crate::codec) fn followed_by(mut self, end: Buffer) -> Self {
        self.0.push(Part::Kept(end));
        self
    }

    /// Prepends a header.
    pub(in crate::codec) fn after(mut self, header: Buffer) -> Self {
        self.0.insert(0, Part::Kept(header));
        self
    }

    /// Appends the bytes to `out`.
    pub fn append_to(&self, out: &mut Vec<u8>) -> Result<()> {
        reserve(out, self.len() as usize)?;
        self.0.iter().for_each(|part| out.extend_from_slice(part));
        Ok(())
    }

    /// The number of bytes.
    pub fn len(&self) -> u64 {
        self.0.iter().map(|p| p.len() as u64).sum()
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its parts, for a store that keeps them while the call continues. Copies borrowed memory
    /// only.
    pub fn into_parts(self) -> Result<Vec<Arc<dyn AsRef<[u8]> + Send + Sync>>> {
        let owned = |part: Part<'_>| -> Result<Arc<dyn AsRef<[u8]> + Send + Sync>> {
            Ok(match part.owned()? {
                Part::Borrowed(bytes) => Arc::new(bytes),
                Part::Kept(buffer) => Arc::new(buffer),
                Part::Whole(block) => Arc::new(block),
            })
        };
        self.0.into_iter().map(owned).collect()
    }

    /// The same without borrowed memory. `None`: all of it is borrowed, unchanged.
    pub(in crate::codec) fn owned(self) -> Result<Option<Encoded<'static>>> {
        if let [Part::Borrowed(_)] = self.0[..] {
            return Ok(None);
        }
        let parts: Result<_> = self.0.into_iter().map(Part::owned).collect();
        Ok(Some(Encoded(parts?)))
    }
}

impl Part<'_> {
    /// The same without borrowed memory.
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
