//! `crc32c`: four bytes of checksum after the value, little-endian (or before it, where numcodecs'
//! `location` says "start").
//! <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/crc32c/index.html>

use super::config::Config;
use super::{BytesCodec, ChunkSpec, Codec, Len};
use crate::error::{Error, Result};

const SIZE: usize = 4;

struct Crc32c {
    at_start: bool,
}

pub(super) fn build(config: &Config<'_>, _: &ChunkSpec) -> Result<Codec> {
    config.only(&["location"])?;
    let at_start = config.word("location", &[("end", false), ("start", true)])?.unwrap_or(false);
    Ok(Codec::Bytes(Box::new(Crc32c { at_start })))
}

impl Crc32c {
    /// The value without its checksum, which has been found to be right.
    fn verified<'a>(&self, src: &'a [u8]) -> Result<&'a [u8]> {
        let cut = if self.at_start {
            src.split_at_checked(SIZE).map(|(c, v)| (v, c))
        } else {
            src.len().checked_sub(SIZE).map(|at| src.split_at(at))
        };
        let Some((value, checksum)) = cut else {
            return Err(Error::corrupt(format!("{} bytes are too few for a checksum", src.len())));
        };
        let computed = crc32c::crc32c(value);
        if checksum != computed.to_le_bytes() {
            return Err(Error::corrupt(format!(
                "the checksum of the {} bytes is {computed:08x}, stored is {:08x}",
                value.len(),
                checksum.iter().rev().fold(0u32, |n, &b| n << 8 | u32::from(b)),
            )));
        }
        Ok(value)
    }
}

impl BytesCodec for Crc32c {
    fn encoded_len(&self, decoded: Len) -> Len {
        match decoded {
            Len::Exactly(n) => Len::Exactly(n + SIZE as u64),
            other => other.at_most(|n| n + SIZE as u64),
        }
    }

    fn decoded_bound(&self, encoded: u64) -> u64 {
        encoded.saturating_sub(SIZE as u64)
    }

    fn encode(&self, src: &[u8], out: &mut Vec<u8>, _: usize) -> Result<()> {
        let checksum = crc32c::crc32c(src).to_le_bytes();
        let (first, second): (&[u8], &[u8]) =
            if self.at_start { (&checksum, src) } else { (src, &checksum) };
        out.extend_from_slice(first);
        out.extend_from_slice(second);
        Ok(())
    }

    fn decode(&self, src: &[u8], out: &mut [u8], _: usize) -> Result<()> {
        let value = self.verified(src)?;
        if value.len() != out.len() {
            return Err(crate::source::wrong_length(out.len() as u64, value.len() as u64));
        }
        out.copy_from_slice(value);
        Ok(())
    }

    fn decode_unknown(&self, src: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<()> {
        let value = self.verified(src)?;
        if value.len() > limit {
            return Err(crate::source::wrong_length(limit as u64, value.len() as u64));
        }
        out.extend_from_slice(value);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_of_the_test_vector() {
        // the check value of CRC-32C: "123456789" -> E3069283
        let mut out = Vec::new();
        Crc32c { at_start: false }.encode(b"123456789", &mut out, 1).expect("encodes");
        assert_eq!(out, b"123456789\x83\x92\x06\xE3");
        let mut back = [0; 9];
        Crc32c { at_start: false }.decode(&out, &mut back, 1).expect("decodes");
        out[3] ^= 1;
        assert!(Crc32c { at_start: false }.decode(&out, &mut back, 1).is_err());
        assert!(Crc32c { at_start: true }.decode(b"123", &mut back, 1).is_err());
    }
}
