//! `base64`: the bytes as letters, digits, `+` and `/`, padded with `=` (RFC 4648), without breaks.
//! <https://numcodecs.readthedocs.io/en/stable/other/base64.html>

use super::config::Config;
use super::{BytesCodec, ChunkSpec, Codec, Len};
use crate::error::{Error, Result};
use crate::source::{reserve, wrong_length};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

struct Base64;

pub(super) fn build(config: &Config<'_>, _: &ChunkSpec) -> Result<Codec> {
    config.only(&[])?;
    Ok(Codec::Bytes(Box::new(Base64)))
}

/// The decoded length, if the input's length and padding are valid.
fn decoded_len(src: &[u8]) -> Result<usize> {
    if !src.len().is_multiple_of(4) {
        return Err(Error::corrupt(format!(
            "its length, {} characters, is not a multiple of four",
            src.len()
        )));
    }
    let padding = src.iter().rev().take(2).take_while(|&&b| b == b'=').count();
    Ok(src.len() / 4 * 3 - padding)
}

fn decode_into(src: &[u8], out: &mut [u8]) -> Result<()> {
    // pass on the crate's message: it names the letter and its position
    let bad = |e: &dyn std::fmt::Display| Error::corrupt(e.to_string());
    // decode the last group separately: with padding, the crate would need more output space
    let (src, last) = src.split_at(src.len().saturating_sub(4));
    let (out, end) = out.split_at_mut(src.len() / 4 * 3);
    STANDARD.decode_slice(src, out).map_err(|e| bad(&e))?;
    let mut group = [0; 3];
    STANDARD.decode_slice(last, &mut group).map_err(|e| bad(&e))?;
    end.copy_from_slice(&group[..end.len()]);
    Ok(())
}

impl BytesCodec for Base64 {
    fn encoded_len(&self, decoded: Len) -> Len {
        let len = |n: u64| n.div_ceil(3).saturating_mul(4);
        match decoded {
            Len::Exactly(n) => Len::Exactly(len(n)),
            other => other.at_most(len),
        }
    }

    fn decoded_bound(&self, encoded: u64) -> u64 {
        encoded / 4 * 3
    }

    fn encode(&self, src: &[u8], out: &mut Vec<u8>, _: usize) -> Result<()> {
        let len = src.len().div_ceil(3).saturating_mul(4);
        let at = out.len();
        reserve(out, len)?;
        out.resize(at + len, 0);
        let written = STANDARD.encode_slice(src, &mut out[at..]);
        written.map(|_| ()).map_err(|e| Error::new(crate::error::Kind::Internal, e.to_string()))
    }

    fn decode(&self, src: &[u8], out: &mut [u8], _: usize) -> Result<()> {
        match decoded_len(src)? {
            len if len == out.len() => decode_into(src, out),
            len => Err(wrong_length(out.len() as u64, len as u64)),
        }
    }

    fn decode_unknown(&self, src: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<()> {
        let len = decoded_len(src)?;
        if len > limit {
            return Err(wrong_length(limit as u64, len as u64));
        }
        let at = out.len();
        reserve(out, len)?;
        out.resize(at + len, 0);
        decode_into(src, &mut out[at..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_the_rfc() {
        for (bytes, letters) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            let mut encoded = b"> ".to_vec();
            Base64.encode(bytes.as_bytes(), &mut encoded, 1).expect("encodes");
            assert_eq!(encoded, ["> ", letters].concat().as_bytes());
            let mut out = vec![0; bytes.len()];
            Base64.decode(letters.as_bytes(), &mut out, 1).expect("decodes");
            assert_eq!(out, bytes.as_bytes());
            let mut grown = Vec::new();
            Base64.decode_unknown(letters.as_bytes(), &mut grown, bytes.len()).expect("decodes");
            assert_eq!(grown, bytes.as_bytes());
            assert!(Base64.decode(letters.as_bytes(), &mut vec![0; bytes.len() + 1], 1).is_err());
        }
    }

    #[test]
    fn other_letters_are_errors() {
        let mut out = [0; 3];
        for bad in ["Zm9", "Zm9v\n", "Zm9-", "Z===", "====", "Zm=v", "Zm9v====", "Zh=="] {
            assert!(Base64.decode(bad.as_bytes(), &mut out, 1).is_err(), "{bad}");
            assert!(Base64.decode_unknown(bad.as_bytes(), &mut Vec::new(), 99).is_err(), "{bad}");
        }
    }
}
