//! The frame shared by the three vlen codecs of numcodecs: a count, then each element preceded by
//! its length, all little-endian uint32.
//! <https://numcodecs.readthedocs.io/en/stable/other/vlen.html>
//!
//! ```text
//! | count | length | bytes … | length | bytes … | …
//! ```

use super::Elements;
use crate::error::{Error, Kind, Result};
use crate::source::reserve;

/// The bytes of a count or a length.
const WORD: usize = 4;

/// The minimum size of an element (bytes): its length field.
pub const LEAST: u64 = WORD as u64;

fn word(encoded: &[u8], at: usize) -> Option<usize> {
    let bytes = encoded.get(at..)?.first_chunk::<WORD>()?;
    usize::try_from(u32::from_le_bytes(*bytes)).ok()
}

/// Calls `place` with the location of each element.
pub fn split(
    encoded: &[u8],
    elements: usize,
    mut place: impl FnMut(usize, usize) -> Result<()>,
) -> Result<()> {
    let cut_short =
        |n: usize| Error::corrupt(format!("the value is truncated in element {n} of {elements}"));
    let count = word(encoded, 0).ok_or_else(|| cut_short(0))?;
    if count != elements {
        return Err(Error::corrupt(format!(
            "the value holds {count} elements: expected {elements}"
        )));
    }
    let mut at = WORD;
    for n in 0..elements {
        let len = word(encoded, at).ok_or_else(|| cut_short(n))?;
        at += WORD;
        if len > encoded.len() - at {
            return Err(cut_short(n));
        }
        place(at, len)?;
        at += len;
    }
    match encoded.len() - at {
        0 => Ok(()),
        more => Err(Error::corrupt(format!("{more} bytes follow the last element"))),
    }
}

/// Appends the frame of the elements; `put` appends the bytes of one.
pub fn join(
    elements: &Elements<'_>,
    out: &mut Vec<u8>,
    put: impl Fn(&[u8], &mut Vec<u8>) -> Result<()>,
) -> Result<()> {
    let count = u32::try_from(elements.len()).map_err(|_| {
        Error::new(
            Kind::LimitExceeded,
            format!("a chunk of {} elements: the limit is {}", elements.len(), u32::MAX),
        )
    })?;
    let mut size = WORD;
    for element in elements.iter() {
        size = size.saturating_add(WORD + element?.len());
    }
    reserve(out, size)?;
    out.extend_from_slice(&count.to_le_bytes());
    for element in elements.iter() {
        let element = element?;
        // a reference's length is a u32
        out.extend_from_slice(&(element.len() as u32).to_le_bytes());
        put(element, out)?;
    }
    Ok(())
}
