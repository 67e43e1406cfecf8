//! A decoded value of which only the requested parts are decoded.

use crate::error::{Error, Result};
use crate::source::{ByteSource, Version, wrong_length};

/// A codec applied to one encoded value.
pub(super) trait Part: Send + Sync {
    /// Whether the value exists and may have the expected length.
    fn exists(&self) -> Result<bool>;

    /// Fills `out` with the decoded bytes from `offset` on, which must be within the expected
    /// length; `false`: the value is absent.
    fn decode(&self, offset: u64, out: &mut [u8]) -> Result<bool>;
}

/// The decoded bytes as a source.
pub(super) struct Parts<'a, P> {
    /// The encoded value.
    pub encoded: &'a dyn ByteSource,
    /// The length that it must decode to (bytes).
    pub decoded: u64,
    /// How many bytes could be decoded in the time of one request's overhead.
    pub request_cost: u64,
    /// The decoder.
    pub part: P,
}

impl<P: Part> ByteSource for Parts<'_, P> {
    fn len(&self) -> Result<Option<u64>> {
        Ok(self.part.exists()?.then_some(self.decoded))
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        let end = offset.checked_add(out.len() as u64).filter(|&end| end <= self.decoded);
        end.ok_or_else(|| Error::corrupt("a part beyond the end of the value was requested"))?;
        self.part.decode(offset, out)
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        if out.len() as u64 != self.decoded {
            return Err(wrong_length(out.len() as u64, self.decoded));
        }
        self.part.decode(0, out)
    }

    fn read_all(&self, _: u64, out: &mut Vec<u8>) -> Result<bool> {
        self.read_suffix(self.decoded, out).map(|len| len.is_some())
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        if !self.part.exists()? {
            return Ok(None);
        }
        let count = count.min(self.decoded);
        let at = out.len();
        crate::source::reserve(out, count as usize)?;
        out.resize(at + count as usize, 0);
        let there = self.part.decode(self.decoded - count, &mut out[at..])?;
        Ok(there.then_some(self.decoded))
    }

    fn version(&self) -> Result<Option<Version>> {
        self.encoded.version()
    }

    fn pin(&self, version: &Version) -> bool {
        self.encoded.pin(version)
    }

    fn request_cost(&self) -> u64 {
        self.request_cost
    }
}
